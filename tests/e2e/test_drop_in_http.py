"""The HTTP transport under the name playwright-mcp: paths, refusals, and what clients share."""
import collections
import http.client
import json
import re
import signal
import unittest
import urllib.parse

from support import processes
from support.case import main
from support.drop_in import HIDDEN_DATE, PLAIN, REFERENCE, DropInCase

VERSION = "2025-06-18"
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}}


class HttpClient:
    """A client of the streamable transport at `path`."""

    def __init__(self, case, address, path):
        self.case, self.address, self.path, self.session, self.last = case, address, path, None, 1
        status, headers, _ = self.post(HELLO)
        case.assertEqual(status, 200)
        self.session = headers["mcp-session-id"]
        case.assertEqual(self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})[0], 202)

    def post(self, message, **headers):
        session = {"Mcp-Session-Id": self.session} if self.session else {}
        return self.case.send(self.address, "POST", self.path, message, {**session, **headers})

    def ask(self, tool, **arguments):
        """The text of the answer."""
        self.last += 1
        status, _, body = self.post({"jsonrpc": "2.0", "id": self.last, "method": "tools/call",
                                     "params": {"name": tool, "arguments": arguments}})
        self.case.assertEqual(status, 200, body)
        data = re.findall(r"^data: (\{.*\})$", body, re.M)
        answers = [json.loads(line) for line in data or [body]]
        return next(answer for answer in answers if answer.get("id") == self.last)["result"]["content"][0]["text"]


class Stream:
    """The event stream of a client."""

    def __init__(self, client):
        self.client, self.connection = client, http.client.HTTPConnection(client.address, timeout=60)
        client.case.addCleanup(self.connection.close)
        self.connection.request("GET", client.path, headers={"Accept": "text/event-stream", "Mcp-Session-Id": client.session})
        self.response = self.connection.getresponse()
        client.case.assertEqual(self.response.status, 200)

    def next_ping(self):
        """The id of the next ping; None: the server has ended the stream."""
        for line in self.response:
            message = json.loads(line[5:]) if line.startswith(b"data:") and line[5:].strip() else {}
            if message.get("method") == "ping":
                return message["id"]
        return None

    def close(self):
        self.response.close()
        self.connection.close()

    def answer(self, ping):
        self.client.post({"jsonrpc": "2.0", "id": ping, "result": {}})


class DropInHttp(DropInCase):
    def listen(self, *args, plain=PLAIN, env=None):
        """Starts a server; its host and port."""
        self.server = server = self.serve(*plain, "--port=0", *args, plain=False, version=None, **({"env": env} if env else {}))
        self.addCleanup(server.process.terminate)  # it does not end with its stdin
        server.wait_stderr("Listening on http")
        return urllib.parse.urlsplit(re.search(r"Listening on (http://\S+)", server.stderr())[1]).netloc

    def send(self, address, method, path, message=None, headers=()):
        """Status, headers (lower case) and text of an answer."""
        connection = http.client.HTTPConnection(address, timeout=60)
        self.addCleanup(connection.close)
        connection.request(method, path, json.dumps(message) if message is not None else None,
                           {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **dict(headers)})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read().decode()

    def test_any_path(self):
        address = self.listen()
        for path in ("/mcp", "/", "/any/where?x=1"):
            with self.subTest(path):
                client = HttpClient(self, address, path)
                self.assertIn("- Page Title: Here", client.ask("browser_navigate", url="data:text/html,<title>Here</title>"))

    def test_refusals(self):
        address = self.listen()
        for path in ("/mcp", "/elsewhere"):
            listing = {"jsonrpc": "2.0", "id": 5, "method": "tools/list"}
            self.assertEqual(self.send(address, "POST", path, listing)[0], 400)
            for method in ("GET", "DELETE"):
                for accept in ({}, {"Accept": "text/event-stream"}):
                    status, _, text = self.send(address, method, path, None, accept)
                    self.assertEqual((status, text), (400, "Invalid request"))
            status, _, text = self.send(address, "POST", path, listing, {"Mcp-Session-Id": "nobody"})
            self.assertEqual(status, 404)
            self.assertIn("Session not found", text)

    def test_a_session_that_the_client_ended(self):
        client = HttpClient(self, self.listen(), "/mcp")
        self.assertLess(self.send(client.address, "DELETE", "/mcp", None, {"Mcp-Session-Id": client.session})[0], 300)
        self.assertEqual(client.post({"jsonrpc": "2.0", "id": 9, "method": "tools/list"})[0], 404)

    def assert_refused(self, address, host, words, status=403):
        """Before anything else is looked at: the request is none of MCP, has no session, and says that it is a page's."""
        for method, path in (("POST", "/mcp"), ("GET", "/"), ("DELETE", "/mcp"), ("OPTIONS", "/mcp"), ("PUT", "/sse"), ("GET", "/health")):
            answer = self.send(address, method, path, {}, {"Host": host, "Origin": "http://shop.example", "Accept": "text/html"})
            self.assertEqual((answer[0], answer[2]), (status, words), (host, method, path))

    def test_hosts(self):
        address = self.listen()
        port = address.rsplit(":", 1)[1]
        self.assertEqual(address, f"localhost:{port}")
        for host in (address, address.upper()):
            self.assertEqual(self.send(address, "POST", "/mcp", HELLO, {"Host": host})[0], 200, host)
        for host in ("shop.example:9", f"shop.example:{port}", "localhost:1", "localhost", f"127.0.0.1:{port}", f"[::1]:{port}"):
            self.assert_refused(address, host, f"Access is only allowed at localhost:{port}")
        self.assert_refused(address, "", "Missing host", 400)

    @unittest.skipIf(REFERENCE, "of another version")
    def test_names_of_this_machine(self):
        address = self.listen("--compat", "0.0.84")
        name, port = address.rsplit(":", 1)
        self.assertEqual(name, "localhost")
        for host in (f"127.0.0.1:{port}", f"[::1]:{port}", address):
            self.assertEqual(self.send(address, "POST", "/mcp", HELLO, {"Host": host})[0], 200, host)
        for host in ("localhost:1", "localhost", f"127.0.0.1:{port}0", f"localhost.example:{port}", f"[::2]:{port}"):
            self.assert_refused(address, host, f"Access is only allowed at localhost:{port}, 127.0.0.1:{port}, [::1]:{port}")

    def test_a_list_replaces_the_own_name(self):
        address = self.listen("--host", "127.0.0.1", "--allowed-hosts", "tools.example")
        self.assert_refused(address, address, "Access is only allowed at tools.example")

    def test_listed_hosts(self):
        address = self.listen("--allowed-hosts", "tools.example,other.example")
        self.assertEqual(self.send(address, "POST", "/mcp", HELLO, {"Host": "other.example"})[0], 200)
        self.assert_refused(address, "third.example", "Access is only allowed at tools.example, other.example")

    def test_the_older_transport(self):
        address = self.listen()
        for path in "/sse", "/sse/":
            with self.subTest(path):
                connection = http.client.HTTPConnection(address, timeout=60)
                self.addCleanup(connection.close)
                connection.request("GET", path, headers={"Accept": "text/event-stream"})
                stream = connection.getresponse()
                self.addCleanup(stream.close)
                self.assertEqual(stream.readline(), b"event: endpoint\n")
                place = stream.readline().decode().removeprefix("data: ").rstrip()
                self.assertRegex(place, r"^/sse\?sessionId=\S+$")
                self.assertEqual(self.send(address, "POST", place, HELLO)[0], 202)
                self.assertIn(b"protocolVersion", b"".join(stream.readline() for _ in range(3)))

    def test_all_hosts(self):
        address = self.listen("--allowed-hosts", "*")
        self.assertEqual(self.send(address, "POST", "/mcp", HELLO, {"Host": "anything.example"})[0], 200)

    def test_clients_are_apart(self):
        address = self.listen()
        one, two = HttpClient(self, address, "/mcp"), HttpClient(self, address, "/mcp")
        one.ask("browser_navigate", url="data:text/html,<title>First</title>")
        self.assertNotIn("First", two.ask("browser_tabs", action="list"))

    def test_a_shared_context(self):
        profile = ["--user-data-dir", str(self.folder / "profile")]
        address = self.listen("--shared-browser-context", *profile, plain=[arg for arg in PLAIN if arg != "--isolated"])
        one, two = HttpClient(self, address, "/mcp"), HttpClient(self, address, "/mcp")
        one.ask("browser_navigate", url=self.site.page("<button>Ours</button>", title="First"))
        one.ask("browser_evaluate", function="() => { document.cookie = 'shared=yes'; }")
        self.assertIn("First", two.ask("browser_tabs", action="list"))
        self.assertIn("shared=yes", two.ask("browser_evaluate", function="() => document.cookie"))
        self.assertIn("The browser context is shared between clients and cannot be closed.", two.ask("browser_close"))
        self.leave(one)
        self.assertIn('button "Ours"', two.ask("browser_snapshot"))
        self.assert_ends_with(two)

    def leave(self, client):
        self.send(client.address, "DELETE", client.path, None, {"Mcp-Session-Id": client.session})

    def assert_ends_with(self, client):
        """The browser runs until this client leaves."""
        running = processes.browsers(self.server.processes())
        self.assertEqual(len(running), 1)
        self.leave(client)
        self.assertEqual(processes.wait_gone(running), set())

    def lifecycle(self, address, ends, *, shared=False):
        """The log about two clients until the browser has ended `ends` times. The second begins when the first has left, or before."""
        one, two = HttpClient(self, address, "/mcp"), HttpClient(self, address, "/mcp")
        one.ask("browser_navigate", url="data:text/html,one")
        if shared:
            two.ask("browser_navigate", url="data:text/html,two")
        self.leave(one)
        two.ask("browser_navigate", url="data:text/html,two")
        self.leave(two)
        self.server.wait_said(lambda said: said.count("close browser") == ends)
        return re.findall(r"^\S+Z pw:mcp:test (.*)$", self.server.stderr(), re.M)

    def test_the_log_that_DEBUG_asks_for(self):
        """How often each line is there, in the order in which each is there for the first time."""
        persistent = [arg for arg in PLAIN if arg != "--isolated"] + ["--user-data-dir", str(self.folder / "profile")]
        for args, plain, shared, begin, end in (
                ((), PLAIN, False, {"create browser (isolated)": 2, "connect to shared browser": 2, "create context": 2}, {"close browser": 2}),
                ((), PLAIN, True, {"create browser (isolated)": 1, "connect to shared browser": 2, "create context": 2},
                 {"close context": 1, "close browser": 1}),
                ((), persistent, False, {"create browser (persistent)": 2, "create context": 2}, {"close browser": 2}),
                ((), persistent, True, {"create browser (persistent)": 3, "create context": 2}, {"close browser": 2}),
                (("--shared-browser-context",), persistent, True,
                 {"create browser (persistent)": 1, "connect to shared browser": 2, "create context": 2},
                 {"disconnect from shared browser": 1, "close browser": 1})):
            with self.subTest(args=args, plain=plain, shared=shared):
                address = self.listen(*args, plain=plain, env={"DEBUG": "other,pw:mcp:*"})
                log = self.lifecycle(address, end["close browser"], shared=shared)
                expected = {"create http session": 2, **begin, "delete http session": 2, **end}
                self.assertEqual([*collections.Counter(log).items()], [*expected.items()])

    def test_the_log_of_a_signal(self):
        address = self.listen(env=HIDDEN_DATE)
        HttpClient(self, address, "/mcp").ask("browser_navigate", url="data:text/html,one")
        self.server.process.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(), 0)
        self.assertEqual(re.findall("^pw:mcp:test (.*)$", self.server.stderr(), re.M)[-2:], ["gracefully closing 1", "close browser"])

    def test_the_browser_ends_with_the_last_client(self):
        address = self.listen()
        one, two = HttpClient(self, address, "/mcp"), HttpClient(self, address, "/mcp")
        for client in one, two:
            client.ask("browser_navigate", url="data:text/html,<title>Here</title>")
        self.leave(one)
        self.assertIn("Here", two.ask("browser_snapshot"))
        self.assert_ends_with(two)
        self.assertIn("Here", HttpClient(self, address, "/mcp").ask("browser_navigate", url="data:text/html,<title>Here</title>"))

    def status(self, client):
        return client.post({"jsonrpc": "2.0", "id": 90, "method": "tools/list"})[0]

    def test_a_client_that_answers_pings_stays(self):
        client = HttpClient(self, self.listen(), "/mcp")
        stream = Stream(client)
        client.ask("browser_tabs", action="list")
        for _ in range(2):
            stream.answer(stream.next_ping())
        self.assertEqual(self.status(client), 200)

    def test_a_client_that_answers_no_ping_is_ended(self):
        """Whatever else it sends."""
        client = HttpClient(self, self.listen(env={"PLAYWRIGHT_MCP_PING_TIMEOUT_MS": "10000"}), "/mcp")
        stream = Stream(client)
        client.ask("browser_tabs", action="list")
        self.assertIsNotNone(stream.next_ping())
        self.assertEqual(self.status(client), 200)
        stream.answer("another")
        self.assertIsNone(stream.next_ping())
        self.assertEqual(self.status(client), 404)

    def test_a_client_that_has_gone_is_ended(self):
        client = HttpClient(self, self.listen(env={"PLAYWRIGHT_MCP_PING_TIMEOUT_MS": "1000", **HIDDEN_DATE}), "/mcp")
        stream = Stream(client)
        client.ask("browser_tabs", action="list")
        stream.answer(stream.next_ping())
        stream.close()
        self.server.wait_stderr("delete http session")
        self.assertEqual(self.status(client), 404)

    def test_a_client_without_a_stream_gets_its_pings_later(self):
        client = HttpClient(self, self.listen(), "/mcp")
        client.ask("browser_tabs", action="list")
        self.assertIsNotNone(Stream(client).next_ping())

    @unittest.skipIf(REFERENCE, "the ping is lost there")
    def test_a_client_that_opens_its_stream_again_gets_the_ping_again(self):
        client = HttpClient(self, self.listen(), "/mcp")
        client.ask("browser_tabs", action="list")
        first = Stream(client)
        self.assertIsNotNone(first.next_ping())
        first.close()
        again = Stream(client)
        for _ in range(2):
            again.answer(again.next_ping())
        self.assertEqual(self.status(client), 200)


if __name__ == "__main__":
    main()
