"""A server as a node of a fleet: ids that begin with its name, sessions of other nodes, /ready, and the drain after SIGTERM."""
import json
import signal
import subprocess
import threading

from support.case import main
from support.client import MODERN, binary
from support.http_case import HttpCase
from support.http_client import HttpError, Stream

OTHER = "beta.00000000-0000-4000-8000-000000000000"


class Ids(HttpCase):
    args = ("--node", "alpha", "--max-sessions", "3")

    def test_ids_begin_with_the_name(self):
        client = self.client()
        self.assertRegex(client.session_id, r"^alpha\.[0-9a-f]{32}$")
        self.assertRegex(client.call("create_session")["sessionId"], r"^alpha\.[0-9a-f-]{36}$")

    def test_names_that_are_none(self):
        for name in ("a.b", "a b", "n" * 64):
            ended = subprocess.run([binary(), "--node", name, "--port", "0"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn("1 to 63 letters, digits, - and _", ended.stderr)

    def test_tools_ask_for_the_header(self):
        for tool in self.client(MODERN).request("tools/list")["tools"]:
            session = tool["inputSchema"]["properties"].get("sessionId")
            if session:
                self.assertEqual(session["x-mcp-header"], "SessionId", tool["name"])

    def test_the_header_repeats_the_argument(self):
        client = self.client(MODERN)
        own = client.call("create_session")["sessionId"]
        self.addCleanup(client.call, "close_session", sessionId=own)
        call = client.message("tools/call", {"name": "evaluate", "arguments": {"sessionId": own, "expression": "1 + 1"}})
        self.assertEqual(client.exchange(call)[0]["result"]["structuredContent"]["value"], 2)
        for value in (None, "alpha.other", own.upper(), "=?base64?YQ?="):
            with self.assertRaises(HttpError) as caught:
                client.exchange(call, {"Mcp-Param-SessionId": value})
            self.assertEqual((caught.exception.status, caught.exception.error["code"]), (400, -32020), value)
        listed = client.message("tools/call", {"name": "list_sessions", "arguments": {}})
        with self.assertRaises(HttpError) as caught:
            client.exchange(listed, {"Mcp-Param-SessionId": own})
        self.assertEqual(caught.exception.status, 400)

    def test_sessions_of_another_node(self):
        """A proxy leads here what its own node does not answer: each form has one clear refusal that names that node."""
        client = self.client()
        for method in ("GET", "DELETE", "POST"):
            headers = {"Mcp-Session-Id": "beta." + "0" * 32, "Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
            status, _, body = self.server.ask(method, "/mcp", json.dumps(client.message("tools/list")) if method == "POST" else None, headers)
            self.assertEqual(status, 404, method)
            self.assertIn('the node "beta"', json.loads(body)["error"]["message"])
        with self.assertRaises(HttpError) as caught:
            self.client(MODERN).call("evaluate", sessionId=OTHER, expression="1")
        self.assertEqual((caught.exception.status, caught.exception.error["data"]), (421, {"node": "beta"}))
        failure = client.fail("evaluate", sessionId=OTHER, expression="1")
        self.assertEqual((failure["errorCode"], failure["details"]), ("SESSION_NOT_FOUND", {"node": "beta"}))
        self.assertIn('"beta"', failure["message"])

    def test_own_sessions_that_have_ended(self):
        failure = self.client().fail("evaluate", sessionId="alpha.x", expression="1")
        self.assertEqual(failure["errorCode"], "SESSION_NOT_FOUND")
        self.assertNotIn("details", failure)


class NoNode(HttpCase):
    def test_ids_and_schemas_are_as_ever(self):
        client = self.client(MODERN)
        self.assertNotIn("x-mcp-header", json.dumps(client.request("tools/list")))
        self.assertNotIn(".", client.call("create_session")["sessionId"])


class Ready(HttpCase):
    def test_full(self):
        server = self.serve("--max-sessions", "1")
        self.assertEqual(server.ask("GET", "/ready")[::2], (200, b'{"ready":true}'))
        client = server.client()
        session = client.call("create_session")["sessionId"]
        self.assertEqual(server.ask("GET", "/ready")[::2], (503, b'{"ready":false,"reason":"full"}'))
        self.assertEqual(server.ask("GET", "/health")[0], 200)
        client.call("close_session", sessionId=session)
        self.assertEqual(server.ask("GET", "/ready")[0], 200)

    def test_none(self):
        self.assertEqual(self.serve("--no-health").ask("GET", "/ready")[0], 404)


class Drain(HttpCase):
    def draining(self, *args):
        """A server with a session of each kind of client, after SIGTERM."""
        server = self.serve("--node", "alpha", "--drain", "600", *args)
        legacy, modern = server.client(), server.client(MODERN)
        session = modern.call("create_session")["sessionId"]
        legacy.navigate("about:blank")
        stream = self.stream(server, legacy)
        server.process.send_signal(signal.SIGTERM)
        self.assertIn("about to end", next(stream)["params"]["data"])
        return server, legacy, modern, session

    def stream(self, server, client):
        connection = server.connect()
        connection.request("GET", "/mcp", headers={**client.headers(None), "Accept": "text/event-stream"})
        stream = Stream(connection.getresponse(), connection)
        self.addCleanup(stream.close)
        return stream.messages()

    def test_sessions_go_on_and_none_begins(self):
        server, legacy, modern, session = self.draining()
        self.assertEqual(server.ask("GET", "/ready")[::2], (503, b'{"ready":false,"reason":"draining"}'))
        self.assertEqual((server.metric("browserd_ready"), server.metric("browserd_draining")), (0, 1))
        self.assertEqual(server.ask("GET", "/health")[0], 200)
        self.assertEqual(modern.call("evaluate", sessionId=session, expression="1 + 1")["value"], 2)
        legacy.navigate("about:blank")
        for begin in (server.client, lambda: modern.call("create_session"), lambda: modern.request("tools/list")):
            with self.assertRaises(HttpError) as caught:
                begin()
            self.assertEqual(caught.exception.status, 503)
            self.assertTrue(1 <= int(caught.exception.headers["Retry-After"]) <= 601)
        modern.call("close_session", sessionId=session)
        legacy.delete()
        self.assertEqual(server.wait(), 0)

    def test_listeners_are_told(self):
        """What a client of 2026-07-28 listens to ends, and when it listens again a proxy finds another node."""
        server = self.serve("--drain", "600")
        client, ends = server.client(MODERN), []
        session = client.call("create_session")["sessionId"]
        listening = threading.Event()

        def listen():
            connection, response = client.post(client.message("subscriptions/listen", {"notifications": {"toolsListChanged": True}}))
            for message in Stream(response, connection).messages():
                listening.set()
                ends.append(message)
            connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        self.assertTrue(listening.wait(60))
        server.process.send_signal(signal.SIGTERM)
        thread.join(60)
        self.assertEqual(ends[-1]["result"]["resultType"], "complete")
        client.call("close_session", sessionId=session)
        self.assertEqual(server.wait(), 0)

    def test_a_second_signal_ends_it(self):
        server, *_ = self.draining()
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)

    def test_the_time_ends_it(self):
        server = self.serve("--drain", "1")
        server.client().navigate("about:blank")
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    main()
