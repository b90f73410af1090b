"""MCP over HTTP: sessions, streams, statuses, and that clients are strangers to each other."""
import json
from concurrent.futures import ThreadPoolExecutor

from support.case import main
from support.client import META, MODERN, PATIENCE, RpcError
from support.http_case import HttpCase
from support.http_client import ACCEPT, HttpError, HttpServer, Stream, together
from support.pages import LIFELINE

LEGACY = ("2025-03-26", "2025-06-18", "2025-11-25")


class Sessions(HttpCase):
    def test_two_clients_see_two_browsers(self):
        pages = self.pages()
        pages.route("/who", lambda request: f"<title>{request.query['n']}</title><script>document.cookie = "
                    f"'n={request.query['n']}'; localStorage.n = '{request.query['n']}'</script>")
        a, b = self.client(), self.client()
        self.assertNotEqual(a.session_id, b.session_id)
        together([lambda: a.navigate(pages.url("/who?n=1")), lambda: b.navigate(pages.url("/who?n=2"))])
        seen = "() => document.title + localStorage.n + document.cookie"
        self.assertEqual(together([lambda: a.evaluate(seen), lambda: b.evaluate(seen)]), ['"11n=1"', '"22n=2"'])
        self.assertEqual([client.call("list_sessions")["count"] for client in (a, b)], [1, 1])

    def test_a_session_is_unknown_to_other_clients(self):
        a, b = self.client(), self.client()
        ident = a.call("create_session")["sessionId"]
        for tool, more in (("navigate", {"url": "about:blank"}), ("evaluate", {"expression": "1"}), ("close_session", {})):
            self.assertEqual(b.fail(tool, sessionId=ident, **more)["errorCode"], "SESSION_NOT_FOUND")
        self.assertEqual(b.call("list_sessions")["count"], 0)
        self.assertTrue(a.call("navigate", sessionId=ident, url="about:blank")["success"])
        self.assertTrue(a.call("close_session", sessionId=ident)["success"])

    def test_delete_ends_what_belonged_to_the_client(self):
        client, pages = self.client(), self.pages()
        client.navigate(pages.page(LIFELINE))
        ident = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=ident, url=pages.page(LIFELINE))
        lifelines = [pages.lifeline(count) for count in (1, 2)]  # before the pages can be gone
        self.assertEqual(client.delete(), 204)
        for lifeline in lifelines:
            self.assertTrue(lifeline.wait(PATIENCE))
        with self.assertRaises(HttpError) as caught:
            client.request("tools/list")
        self.assertEqual((caught.exception.status, client.delete()), (404, 404))

    def test_delete_ends_calls_under_way(self):
        client, pages = self.client(), self.pages()
        url, release = pages.held()
        self.addCleanup(release.set)
        with ThreadPoolExecutor(1) as pool:
            reply = pool.submit(client.navigate, url)
            pages.wait_request(url)
            self.assertEqual(client.delete(), 204)
            with self.assertRaises(AssertionError) as caught:
                reply.result(PATIENCE)
            self.assertIn("The connection is closing", str(caught.exception))

    def test_a_client_that_leaves_is_collected(self):
        pages, server = self.pages(), self.serve("--http-session-timeout", "3000")
        stays = server.client()
        stream = stays.open_stream()
        self.addCleanup(stream.close)
        stays.navigate(pages.page("x", title="kept"))
        gone = server.client()
        gone.navigate(pages.page(LIFELINE))
        self.assertTrue(pages.lifeline().wait(PATIENCE))
        with self.assertRaises(HttpError) as caught:
            gone.request("ping")
        self.assertEqual(caught.exception.status, 404)
        self.assertEqual(stays.evaluate("() => document.title"), '"kept"')  # its stream is open

    def test_a_call_under_way_is_not_idleness(self):
        pages, server = self.pages(), self.serve("--http-session-timeout", "3000")
        client = server.client()
        url, release = pages.held("<title>late</title>")
        with ThreadPoolExecutor(1) as pool:
            reply = pool.submit(client.navigate, url)
            pages.wait_request(url)
            server.client().navigate(pages.page(LIFELINE))
            self.assertTrue(pages.lifeline().wait(PATIENCE))  # begun later and idle: the first would have ended by now
            release.set()
            self.assertIn("late", reply.result(PATIENCE))

    def test_the_session_timeout_does_not_end_a_clients_own_browser_session(self):
        pages, server = self.pages(), self.serve("--session-timeout", "1000")
        client = server.client()
        client.navigate(pages.page("x", title="kept"))
        ident = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=ident, url=pages.page(LIFELINE))
        self.assertTrue(pages.lifeline().wait(PATIENCE))
        self.assertEqual(client.fail("evaluate", sessionId=ident, expression="1")["errorCode"], "SESSION_EXPIRED")
        self.assertEqual(client.evaluate("() => document.title"), '"kept"')

    def test_four_clients_each_get_their_own_answers(self):
        pages = self.pages()
        for n in range(12):
            pages.route(f"/{n}", lambda request: f"<title>{request.path} {request.query['c']}</title>")

        def visit(client, c):
            for n in range(12):
                answer = client.navigate(pages.url(f"/{n}?c={c}"))
                self.assertIn(f"Page Title: /{n} {c}\n", answer)

        clients = [self.client() for _ in range(4)]
        together([lambda client=client, c=c: visit(client, c) for c, client in enumerate(clients)])

    def test_the_end_of_the_server_is_the_end_of_everything(self):
        server, pages = HttpServer(), self.pages()
        self.addCleanup(server.discard)
        url, release = pages.held()
        self.addCleanup(release.set)
        client = server.client()
        stream = client.open_stream()
        with ThreadPoolExecutor(1) as pool:
            reply = pool.submit(client.navigate, url)
            pages.wait_request(url)
            server.close()
            self.assertIsNotNone(reply.exception(PATIENCE))
            self.assertEqual(list(stream.messages()), [])


class Protocol(HttpCase):
    def test_every_version_with_a_handshake(self):
        for version in LEGACY:
            with self.subTest(version):
                client = self.client(version)
                self.assertRegex(client.session_id, r"^[!-~]{22,}$")
                self.assertEqual(client.request("ping"), {})
                self.assertIn("create_session", [tool["name"] for tool in client.request("tools/list")["tools"]])
                with self.assertRaises(RpcError) as caught:  # 404 would say that the session is gone
                    client.request("no/such")
                self.assertEqual(caught.exception.code, -32601)

    def test_statuses(self):
        client = self.client()
        ping = client.message("ping")
        for status, more in ((406, {"Accept": "application/json"}), (406, {"Accept": None}), (415, {"Content-Type": "text/plain"}),
                             (400, {"Mcp-Session-Id": None}), (404, {"Mcp-Session-Id": "0" * 32}),
                             (400, {"MCP-Protocol-Version": "1999-01-01"}), (400, {"MCP-Protocol-Version": MODERN})):
            with self.subTest(more), self.assertRaises(HttpError) as caught:
                client.exchange(ping, more)
            self.assertEqual(caught.exception.status, status)
        for more in ({"Accept": "*/*"}, {"Accept": "text/*;q=0.5 , application/*"}, {"MCP-Protocol-Version": "2025-03-26"},
                     {"MCP-Protocol-Version": None}, {"Content-Type": "Application/JSON; charset=utf-8"}):
            with self.subTest(more):
                self.assertEqual(client.exchange(ping, more)[0]["result"], {})
        for status, code, body in ((400, -32700, b"{"), (400, -32700, b'"\xff"'), (400, -32600, b"[]"), (400, -32600, b"1"),
                                   (400, -32600, json.dumps([ping]).encode())):
            with self.subTest(body), self.assertRaises(HttpError) as caught:
                client.exchange(body)
            self.assertEqual((caught.exception.status, caught.exception.error["code"]), (status, code))
            self.assertNotIn("id", caught.exception.error)

    def test_a_version_that_nobody_speaks(self):
        client = self.client()
        with self.assertRaises(HttpError) as caught:
            client.request("ping", headers={"MCP-Protocol-Version": "1999-01-01"})
        self.assertEqual(caught.exception.status, 400)
        self.assertIn("1999-01-01", caught.exception.error["message"])
        self.assertEqual(set(caught.exception.error["data"]["supported"]), {"2024-11-05", *LEGACY, MODERN})

    def test_addresses_and_verbs(self):
        ask = lambda *args, **more: self.server.ask(*args, **more)
        self.assertEqual(ask("GET", "/elsewhere")[0], 404)
        status, headers, _ = ask("PUT", "/mcp", "x")
        self.assertEqual((status, headers["Allow"]), (405, "POST, GET, DELETE"))
        self.assertEqual(ask("GET", "/mcp", headers={"Accept": "text/event-stream"})[0], 400)
        self.assertEqual(ask("GET", "/mcp", headers={"Accept": "text/html", "Mcp-Session-Id": self.client().session_id})[0], 406)
        self.assertEqual(ask("DELETE", "/mcp")[0], 400)
        self.assertEqual(self.refused(400, "2025-11-25", fields={"Content-Length": "0"}).error["code"], -32700)

    def test_a_handshake_that_fails_leaves_no_session(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        status, headers, said = self.server.ask("POST", "/mcp", body, {"Accept": ACCEPT, "Content-Type": "application/json"})
        self.assertEqual((status, json.loads(said)["error"]["code"]), (200, -32602))
        self.assertNotIn("Mcp-Session-Id", headers)

    def test_progress_comes_as_a_stream_and_only_to_who_asked(self):
        client = self.client()
        call = {"name": "browser_wait_for", "arguments": {"time": 1.2}}
        messages = client.exchange(client.message("tools/call", {**call, "_meta": {"progressToken": "t"}}))
        self.assertEqual({m["params"]["progressToken"] for m in messages[:-1]}, {"t"})
        self.assertGreater(len(messages), 1)
        self.assertIn("result", messages[-1])
        self.assertEqual([list(m) for m in client.exchange(client.message("tools/call", call))], [["jsonrpc", "id", "result"]])

    def test_cancelling_ends_the_stream_without_an_answer(self):
        client, pages = self.client(), self.pages()
        url, release = pages.held()
        self.addCleanup(release.set)
        with ThreadPoolExecutor(1) as pool:
            message = client.message("tools/call", {"name": "browser_navigate", "arguments": {"url": url}}, ident="held")
            reply = pool.submit(client.exchange, message)
            pages.wait_request(url)
            client.notify("notifications/cancelled", {"requestId": "held"})
            self.assertEqual(reply.result(PATIENCE), [])
        self.assertEqual(client.evaluate("() => 1"), "1")

    def test_batches_exist_in_one_version(self):
        client = self.client("2025-03-26")
        messages = client.exchange(json.dumps([client.message("ping", ident=n) for n in range(3)]).encode())
        self.assertEqual([m["id"] for m in messages], [0, 1, 2])
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self.assertEqual(client.exchange(json.dumps([note, note]).encode()), [])

    def test_one_stream_of_its_own_for_each_session(self):
        client = self.client()
        stream = client.open_stream()
        with self.assertRaises(HttpError) as caught:
            client.open_stream()
        self.assertEqual(caught.exception.status, 409)
        stream.close()

    def test_what_one_client_does_is_not_logged_to_another(self):
        a, b, pages = self.client(), self.client(), self.pages()
        for client in (a, b):
            self.assertEqual(client.request("logging/setLevel", {"level": "debug"}), {})
        stream = b.open_stream()
        a.call("browser_navigate", url=pages.page("x", title="secret"))
        self.assertEqual(b.delete(), 204)
        self.assertEqual(list(stream.messages()), [])


class Streams(HttpCase):
    """Streams that are cut, and go on in another connection."""

    def held_call(self, client, url, **meta):
        """A call that has become a stream: its connection, and an iterator over the events."""
        message = client.message("tools/call", {"name": "browser_navigate", "arguments": {"url": url}, "_meta": meta})
        connection, response = client.post(message)
        stream = Stream(response, connection)
        return stream, iter(stream), message["id"]

    def test_a_stream_goes_on_where_it_was_cut(self):
        client, pages = self.client(), self.pages()
        url, release = pages.held("<title>late</title>")
        stream, events, ident = self.held_call(client, url, progressToken=1)
        first = next(events)
        self.assertEqual((first["retry"], first.get("data", "")), ("1000", ""))
        second = next(events)
        stream.close()
        resumed = client.open_stream(second["id"])
        later = iter(resumed)
        self.assertGreater(int(next(later)["id"].split("-")[1]), int(second["id"].split("-")[1]))
        release.set()
        answer = list(later)[-1]
        self.assertEqual(json.loads(answer["data"])["id"], ident)
        again = [event["id"] for event in client.open_stream(first["id"])]  # finished since, and still known
        self.assertEqual((again[0], again[-1]), (second["id"], answer["id"]))
        self.assertEqual(list(client.open_stream(answer["id"])), [])

    def test_a_call_goes_on_without_its_client(self):
        client, pages = self.client(), self.pages()
        url, release = pages.held("<title>late</title>")
        stream, events, ident = self.held_call(client, url)
        first = next(events)  # a second of waiting has made it a stream
        stream.close()
        release.set()
        client.evaluate("() => 1")  # has its turn after the call
        messages = list(client.open_stream(first["id"]).messages())
        self.assertEqual([message["id"] for message in messages], [ident])
        self.assertIn("late", messages[0]["result"]["content"][0]["text"])

    def test_streams_are_told_apart(self):
        client, pages = self.client(), self.pages()
        url, release = pages.held("<title>late</title>")
        other = client.call("create_session")["sessionId"]
        stream, events, _ = self.held_call(client, url)
        first = next(events)
        stream.close()
        call = {"name": "browser_wait_for", "arguments": {"time": 1.2, "sessionId": other}, "_meta": {"progressToken": "other"}}
        self.assertIn("result", client.exchange(client.message("tools/call", call))[-1])
        release.set()
        self.assertEqual(["result" in message for message in client.open_stream(first["id"]).messages()], [True])

    def test_ids_of_nothing(self):
        client = self.client()
        for ident in ("", "x", "99-1", "0", "0-", "-1-1", "0-1x"):
            if ident:
                with self.subTest(ident), self.assertRaises(HttpError) as caught:
                    client.open_stream(ident)
                self.assertEqual(caught.exception.status, 400)
        stream = client.open_stream()
        first = next(iter(stream))
        stream.close()
        resumed = client.open_stream(first["id"])
        self.assertEqual(client.delete(), 204)
        self.assertEqual(list(resumed), [])

    def test_older_versions_get_no_event_without_data(self):
        client = self.client("2025-06-18")
        stream = client.open_stream()
        self.assertEqual(client.delete(), 204)
        self.assertEqual(list(stream), [])


class Old(HttpCase):
    """HTTP+SSE of 2024-11-05."""

    def begin(self, path="/sse"):
        connection = self.server.connect()
        connection.request("GET", path, headers={"Accept": "text/event-stream"})
        stream = Stream(connection.getresponse(), connection)
        self.addCleanup(stream.close)
        events = iter(stream)
        endpoint = next(events)
        self.assertEqual(endpoint["event"], "endpoint")
        return stream, events, endpoint["data"]

    def say(self, address, method, params=None, ident=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}, **({} if ident is None else {"id": ident})}
        return self.server.ask("POST", address, json.dumps(message), {"Content-Type": "application/json"})[0]

    def test_a_session(self):
        pages = self.pages()
        stream, events, address = self.begin()
        self.assertEqual(self.say(address, "initialize", {"protocolVersion": "2024-11-05", "capabilities": {}}, 1), 202)
        self.assertEqual(json.loads(next(events)["data"])["result"]["protocolVersion"], "2024-11-05")
        self.assertEqual(self.say(address, "notifications/initialized"), 202)
        call = {"name": "browser_navigate", "arguments": {"url": pages.page(LIFELINE)}}
        self.assertEqual(self.say(address, "tools/call", call, 2), 202)
        self.assertEqual(json.loads(next(events)["data"])["method"], "notifications/resources/list_changed")
        self.assertEqual(json.loads(next(events)["data"])["id"], 2)
        stream.close()
        self.assertTrue(pages.lifeline().wait(PATIENCE))  # the session ends with its stream
        self.assertEqual(self.say(address, "ping", ident=3), 404)

    def test_a_slash_at_the_end_of_a_path_changes_nothing(self):
        _, events, address = self.begin("/sse/")
        ident = address.partition("=")[2]
        for count, path in enumerate(("/message/", "/sse", "/sse/")):
            self.assertEqual(self.say(f"{path}?sessionId={ident}", "ping", ident=count), 202)
            self.assertEqual(json.loads(next(events)["data"])["id"], count)
        self.assertEqual(self.server.ask("GET", "/health/")[0], 200)
        self.assertEqual(self.say("/mcp/", "ping", ident=1), 406)
        self.assertEqual(self.say("/mcp//", "ping", ident=1), 404)

    def test_sessions_of_the_two_kinds_are_apart(self):
        _, _, address = self.begin()
        ident = address.partition("=")[2]
        client = self.client()
        with self.assertRaises(HttpError) as caught:
            client.exchange(client.message("ping"), {"Mcp-Session-Id": ident})
        self.assertEqual(caught.exception.status, 404)
        self.assertEqual(self.say(f"/message?sessionId={client.session_id}", "ping", ident=1), 404)
        self.assertEqual(self.say("/message", "ping", ident=1), 404)


class Stateless(HttpCase):
    """2026-07-28: no handshake, no session, everything in each request."""

    def test_discovery_and_lists(self):
        client = self.client(MODERN)
        found = client.request("server/discover")
        self.assertEqual((found["resultType"], found["supportedVersions"][0]), ("complete", MODERN))
        self.assertIn("create_session", [tool["name"] for tool in client.request("tools/list")["tools"]])

    def test_sessions_are_named_on_each_call(self):
        pages, a, b = self.pages(), self.client(MODERN), self.client(MODERN)
        ident = a.call("create_session")["sessionId"]
        a.call("navigate", sessionId=ident, url=pages.page("x", title="named"))
        self.assertEqual(b.call("evaluate", sessionId=ident, expression="document.title")["value"], "named")
        with_handshake = self.client()
        self.assertEqual(with_handshake.fail("close_session", sessionId=ident)["errorCode"], "SESSION_NOT_FOUND")
        other = with_handshake.call("create_session")["sessionId"]
        self.assertEqual(a.fail("close_session", sessionId=other)["errorCode"], "SESSION_NOT_FOUND")
        self.assertTrue(b.call("close_session", sessionId=ident)["success"])

    def test_a_session_that_nobody_named_ends_with_its_call(self):
        client, pages = self.client(MODERN), self.pages()
        client.navigate(pages.page(LIFELINE))
        self.assertTrue(pages.lifeline().wait(PATIENCE))
        self.assertIn("about:blank", client.evaluate("() => location.href"))

    def test_header_fields_must_agree(self):
        client = self.client(MODERN)
        call = client.message("tools/call", {"name": "list_sessions"})
        bare = {**call, "params": {"name": "list_sessions"}}
        wrapped = "=?base64?bGlzdF9zZXNzaW9ucw==?="
        self.assertIn("result", client.exchange(call, {"Mcp-Name": wrapped})[0])
        later = client.message("ping")
        later["params"]["_meta"][META + "protocolVersion"] = "2099-01-01"
        for status, code, message, more in (
                (400, -32020, call, {"MCP-Protocol-Version": None}), (400, -32020, call, {"MCP-Protocol-Version": "2025-11-25"}),
                (400, -32602, bare, {}), (400, -32022, later, {"MCP-Protocol-Version": "2099-01-01"}),
                (400, -32020, call, {"Mcp-Method": None}), (400, -32020, call, {"Mcp-Method": "tools/list"}),
                (400, -32020, call, {"Mcp-Name": None}), (400, -32020, call, {"Mcp-Name": "navigate"}),
                (400, -32020, call, {"Mcp-Name": "=?base64?bGlzdF9zZXNzaW9ucw?="}), (404, -32601, client.message("ping"), {}),
                (404, -32601, client.message("initialize"), {}), (404, -32601, client.message("no/such"), {})):
            with self.subTest(code=code, more=more), self.assertRaises(HttpError) as caught:
                client.exchange(message, more)
            self.assertEqual((caught.exception.status, caught.exception.error["code"]), (status, code))
            self.assertEqual(json.loads(caught.exception.body)["id"], message["id"])
        with self.assertRaises(RpcError) as caught:
            client.call("no_such_tool")
        self.assertEqual(caught.exception.code, -32602)

    def test_leaving_cancels(self):
        client, pages = self.client(MODERN), self.pages()
        ident = client.call("create_session")["sessionId"]
        url, release = pages.held()
        self.addCleanup(release.set)
        message = client.message("tools/call", {"name": "navigate", "arguments": {"sessionId": ident, "url": url}})
        connection = self.server.connect()
        connection.request("POST", "/mcp", json.dumps(message), client.headers(message))
        pages.wait_request(url)
        connection.close()
        self.assertEqual(client.call("evaluate", sessionId=ident, expression="1 + 1")["value"], 2)  # its turn has come

    def test_logs_only_where_asked_for(self):
        client = self.client(MODERN)
        self.assertEqual(len(client.exchange(client.message("tools/call", {"name": "list_sessions"}))), 1)


if __name__ == "__main__":
    main()
