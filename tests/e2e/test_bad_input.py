"""Broken, oversized and hostile input: one clear error each, and the server keeps serving."""
import json

from support.case import BrowserdCase, ServerCase, main
from support.client import PATIENCE, Reply, RpcError, ToolError


class BadLines(BrowserdCase):
    """Lines that are no message. Each is followed by a ping that must be answered."""

    def setUp(self):
        self.client = self.start()

    def send_bad(self, line, *codes, ident=None):
        """One bad line; exactly one error comes back, with the id where it could be read, then a ping is answered."""
        before = len(self.client.unmatched)
        self.client.send_raw(line)
        error = self.client.wait_unmatched(before + 1)[-1]
        self.assertIn(error["error"]["code"], codes or (-32700,))
        self.assertIn(error.get("id"), (None, ident))
        self.assertEqual(self.client.request("ping"), {})
        self.assertEqual(len(self.client.unmatched), before + 1)

    def test_not_json(self):
        for line in (b"hello\n", b"{\n", b"}\n", b"{\"a\":1,}\n", b"nul\n", b"\"\n", b"{} {}\n", b"\x00\n", b"\x1b[31m\n",
                     b"{'jsonrpc':'2.0'}\n", b"Content-Length: 10\n", b"01\n", b"[1,2\n"):
            with self.subTest(line):
                self.send_bad(line)

    def test_not_utf8(self):
        for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"):
            with self.subTest(bad):
                self.send_bad(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + bad + b'"}}\n')

    def test_nested_ten_thousand_deep(self):
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            with self.subTest(opening):
                self.send_bad(opening * 10000 + b"1" + closing * 10000 + b"\n", -32700, -32600)
        self.send_bad(b'{"jsonrpc":"2.0","id":900,"method":"ping","params":{"a":' + b"[" * 10000 + b"\n", -32700, -32600,
                      ident=900)

    def test_a_line_of_100_megabytes(self):
        line = b'{"jsonrpc":"2.0","id":"big","method":"ping","params":{"x":"' + b"x" * (100 << 20) + b'"}}\n'
        self.send_bad(line, -32700, -32600)

    def test_a_line_just_below_the_limit(self):
        text = "x" * ((10 << 20) - 200)
        self.assertEqual(self.client.request("ping", {"x": text}), {})

    def test_valid_json_that_is_no_message(self):
        for line in (b"1", b'"text"', b"null", b"true", b"{}", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"1.0","method":"ping"}',
                     b'{"jsonrpc":"2.0","id":null,"method":"ping"}', b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
                     b'{"jsonrpc":"2.0","id":{},"method":"ping"}', b'{"jsonrpc":"2.0","id":[1],"method":"ping"}'):
            with self.subTest(line):
                self.send_bad(line + b"\n", -32600)

    def test_an_id_that_can_be_read_comes_back(self):
        for message in ({"id": 31, "method": "ping"}, {"jsonrpc": "2.0", "id": 31}, {"jsonrpc": "2.0", "id": 31, "method": 5},
                        {"jsonrpc": "2", "id": 31, "method": "ping"}):
            with self.subTest(message):
                reply = self.client.expect(Reply(31, "bad"))
                self.client.send(message)
                with self.assertRaises(RpcError) as caught:
                    reply.result()
                self.assertEqual(caught.exception.code, -32600)

    def test_params_that_are_no_object(self):
        for params in ([], "x", 5, None):
            with self.subTest(params):
                reply = self.client.expect(Reply("p", "tools/list"))
                self.client.send({"jsonrpc": "2.0", "id": "p", "method": "tools/list", "params": params})
                with self.assertRaises(RpcError) as caught:
                    reply.result()
                self.assertIn(caught.exception.code, (-32602, -32600))

    def test_blank_lines_and_carriage_returns_are_tolerated(self):
        self.client.send_raw(b"\n\r\n   \n")
        reply = self.client.expect(Reply("crlf", "ping"))
        self.client.send_raw(b'{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r\n')
        self.assertEqual(reply.result(), {})
        self.assertEqual(self.client.unmatched, [])

    def test_a_message_in_small_pieces(self):
        reply = self.client.expect(Reply("é1", "ping"))
        for byte in '{"jsonrpc":"2.0","id":"é1","method":"ping"}\n'.encode():
            self.client.send_raw(bytes([byte]))
        self.assertEqual(reply.result(), {})

    def test_many_messages_in_one_write(self):
        replies = [self.client.expect(Reply(f"m{i}", "ping")) for i in range(500)]
        self.client.send_raw(b"".join(b'{"jsonrpc":"2.0","id":"m%d","method":"ping"}\n' % i for i in range(500)))
        for reply in replies:
            self.assertEqual(reply.result(), {})

    def test_responses_that_nobody_asked_for_are_ignored(self):
        self.client.send({"jsonrpc": "2.0", "id": 99, "result": {}})
        self.client.send({"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "x"}})
        self.assertEqual(self.client.request("ping"), {})
        self.assertEqual(self.client.unmatched, [])

    def test_ids_come_back_as_they_were_sent(self):
        for ident in (0, -1, 9007199254740993, "", "1", 1, "ü\"\\\u2028😀", "x" * 200):
            with self.subTest(ident):
                self.assertEqual(self.client.start("ping", ident=ident).result(), {})

    def test_half_a_line_then_the_end(self):
        self.client.send_raw(b'{"jsonrpc":"2.0","id":1,"meth')
        self.client.close()


class BadArguments(ServerCase):
    def bad(self, tool, arguments, *named):
        error = self.client.start_call(tool, arguments).failure()
        self.assertEqual(error.code, "INVALID_PARAMETERS", error)
        for name in named:
            self.assertIn(name, error.message)
        return error

    def test_wrong_types_name_the_argument(self):
        session = self.session()
        for arguments, name in (({"url": 5}, "url"), ({"url": None}, "url"), ({"url": ["a"]}, "url"),
                                ({"url": "about:blank", "timeout": "soon"}, "timeout"),
                                ({"url": "about:blank", "timeout": -1}, "timeout"),
                                ({"url": "about:blank", "waitUntil": "later"}, "waitUntil"),
                                ({"url": "about:blank", "waitUntil": 1}, "waitUntil")):
            with self.subTest(arguments):
                self.bad("navigate", {"sessionId": session.id, **arguments}, name)
        for arguments, name in (({"force": "yes"}, "force"), ({"clickCount": 1.5}, "clickCount"),
                                ({"clickCount": 0}, "clickCount"), ({"clickCount": "2"}, "clickCount")):
            with self.subTest(arguments):
                self.bad("click", {"sessionId": session.id, "selector": "a", **arguments}, name)
        for arguments, name in (({"text": 5}, "text"), ({"text": "a", "clear": 1}, "clear"),
                                ({"text": "a", "delay": "x"}, "delay"), ({"text": "a", "delay": -5}, "delay")):
            with self.subTest(arguments):
                self.bad("type", {"sessionId": session.id, "selector": "input", **arguments}, name)

    def test_every_wrong_argument_is_named_at_once(self):
        self.bad("navigate", {"sessionId": 1, "url": 2, "timeout": "x"}, "sessionId", "url", "timeout")

    def test_missing_arguments(self):
        session = self.session()
        self.bad("navigate", {"sessionId": session.id}, "url")
        self.bad("navigate", {"url": "about:blank"}, "sessionId")
        self.bad("click", {"sessionId": session.id}, "selector")
        self.bad("type", {"sessionId": session.id, "selector": "input"}, "text")
        for tool in ("close_session", "navigate", "click", "type", "evaluate", "screenshot"):
            with self.subTest(tool):
                self.bad(tool, None, "sessionId")

    def test_unknown_arguments(self):
        self.bad("create_session", {"colour": "red"}, "colour")
        self.bad("navigate", {"sessionId": self.session().id, "url": "about:blank", "Timeout": 5}, "Timeout")

    def test_shapes_that_are_protocol_errors(self):
        for params in ({"name": "list_sessions", "arguments": []}, {"name": "list_sessions", "arguments": "x"},
                       {"name": 5}, {"name": None}, {}):
            with self.subTest(params), self.assertRaises(RpcError) as caught:
                self.client.request("tools/call", params)
            self.assertEqual(caught.exception.code, -32602)

    def test_nul_characters_are_never_cut(self):
        """Refused or kept, but never half of the text used."""
        session = self.show("<input>")
        for tool, arguments in (("navigate", {"url": "about:blank\0x"}), ("type", {"selector": "input", "text": "a\0b"}),
                                ("click", {"selector": "input\0b"})):
            with self.subTest(tool):
                reply = session.start(tool, **arguments)
                try:
                    self.assertEqual(reply.failure().code, "INVALID_PARAMETERS")
                except RpcError as error:
                    self.assertIn(error.code, (-32700, -32600, -32602))
        self.assertEqual(session.evaluate("document.querySelector('input').value"), "")
        with self.assertRaises((RpcError, ToolError)):
            self.client.call("close_session", sessionId=session.id + "\0")

    def test_lone_surrogates_do_no_harm(self):
        session = self.show("<input>")
        line = json.dumps({"jsonrpc": "2.0", "id": "lone", "method": "tools/call", "params": {
            "name": "type", "arguments": {"sessionId": session.id, "selector": "input", "text": "a\ud800b"}}})
        reply = self.client.expect(Reply("lone", "ping"))
        self.client.send_raw(line.encode() + b"\n")
        try:
            reply.result()
        except RpcError as error:
            self.assertIn(error.code, (-32700, -32600, -32602))
        self.assertEqual(self.client.request("ping"), {})

    def test_oversized_values(self):
        session = self.session()
        self.bad("navigate", {"sessionId": session.id, "url": "http://127.0.0.1/" + "x" * (65 << 10)}, "url")
        self.bad("click", {"sessionId": session.id, "selector": "a" * (17 << 10)}, "selector")
        self.bad("type", {"sessionId": session.id, "selector": "a", "text": "a" * ((1 << 20) + 1)}, "text")

    def test_a_duplicate_id_is_refused_and_the_first_call_goes_on(self):
        session = self.session()
        url, release = self.pages.held()
        first = self.client.expect(Reply("twice", "first to arrive"))
        second = self.client.expect(Reply("twice", "second to arrive"))
        self.client.send({"jsonrpc": "2.0", "id": "twice", "method": "tools/call", "params": {
            "name": "navigate", "arguments": {"sessionId": session.id, "url": url}}})
        self.pages.wait_request(url)
        self.client.send({"jsonrpc": "2.0", "id": "twice", "method": "tools/call", "params": {"name": "list_sessions"}})
        with self.assertRaises(RpcError) as caught:
            first.result()
        self.assertEqual(caught.exception.code, -32600)
        release.set()
        self.assertTrue(second.value()["success"])

    def test_more_calls_than_may_be_in_flight(self):
        session = self.session()
        url, release = self.pages.held()
        stuck = session.start("navigate", url=url)
        self.pages.wait_request(url)
        others = [session.start("evaluate", expression="1") for _ in range(400)]
        with self.assertRaises((RpcError, ToolError)):
            others[-1].value()
        release.set()
        self.assertTrue(stuck.value()["success"])
        self.assertEqual(others[0].value()["value"], 1)
        self.assertTrue(all(reply.future.exception(PATIENCE) or reply.result() for reply in others))
        self.assertEqual(self.client.request("ping"), {})


if __name__ == "__main__":
    main()
