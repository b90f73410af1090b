"""Who may ask what over HTTP: hosts and origins, tokens, limits."""
import os
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor

from support.case import main
from support.client import MODERN, PATIENCE
from support.http_case import HttpCase
from support.http_client import HttpError, HttpServer


class Guards(HttpCase):
    def test_hosts_and_origins(self):
        port = self.server.port
        for host in ("localhost", f"localhost:{port}", "127.0.0.1:1", "[::1]", "127.1.2.3", "LOCALHOST", "a.localhost:80"):
            self.client(fields={"Host": host, "Origin": f"http://{host}"})
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:80", "[::2]", "", "localhost:x"):
            with self.subTest(host):
                self.assertIn("--allowed-hosts", self.refused(403, fields={"Host": host}).error["message"])
        for origin in ("http://evil.example", "null", "https://localhost.evil.example", "http://localhost/x", "file://", "chrome-extension://abc"):
            with self.subTest(origin):
                self.assertIn("--allowed-hosts", self.refused(403, fields={"Origin": origin}).error["message"])

    def test_hosts_can_be_allowed(self):
        server = self.serve("--allowed-hosts", "tools.example, other.example:81", "--allowed-hosts", "vscode-webview://abc")
        for fields in ({"Host": "tools.example:99"}, {"Host": "other.example:81"}, {"Origin": "https://tools.example"},
                       {"Origin": "vscode-webview://abc"}):
            server.client(fields=fields)
        for fields in ({"Host": "other.example:82"}, {"Origin": "vscode-webview://abcd"}, {"Host": "example"}):
            with self.subTest(fields), self.assertRaises(HttpError):
                server.client(fields=fields)
        self.serve("--allowed-hosts", "*").client(fields={"Host": "any.example", "Origin": "null"})

    def test_pages_of_allowed_origins_may_read_answers(self):
        asks = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "POST"}
        status, headers, _ = self.server.ask("OPTIONS", "/mcp", headers=asks)
        self.assertEqual((status, headers["Access-Control-Allow-Origin"]), (204, "http://localhost:3000"))
        self.assertIn("Mcp-Session-Id", headers["Access-Control-Allow-Headers"])
        self.assertEqual(self.server.ask("OPTIONS", "/mcp", headers={"Origin": "http://evil.example"})[0], 403)

    def test_a_token(self):
        token = "correct-horse-battery"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "token")
        with open(path, "w", encoding="ascii") as file:
            file.write(token + "\n")
        for args, env in ((("--auth-token", token), {}), (("--auth-token-file", path), {}), ((), {"BROWSERD_AUTH_TOKEN": token})):
            server = HttpServer(*args, env=env)
            self.addCleanup(server.discard)
            self.addCleanup(server.close)
            server.client(fields={"Authorization": "Bearer " + token}).request("ping")
            server.client(fields={"Authorization": "bearer " + token}).request("ping")
            for wrong in (None, "Bearer", "Bearer ", "Bearer correct-horse-batterx", f"Bearer {token}x", f"Basic {token}", "Bearer " + token[:-1]):
                with self.subTest(wrong), self.assertRaises(HttpError) as caught:
                    server.client(fields={"Authorization": wrong} if wrong else {})
                self.assertEqual(caught.exception.status, 401)
                self.assertTrue(caught.exception.headers["WWW-Authenticate"].startswith("Bearer"))
            self.assertNotIn(token, server.stderr())
            self.assertEqual(server.ask("DELETE", "/mcp")[0], 401)
            self.assertEqual(server.ask("GET", "/mcp", headers={"Accept": "text/event-stream"})[0], 401)

    def test_no_start_off_this_machine_without_a_token(self):
        for host in ("0.0.0.0", "::", "192.0.2.1"):
            server = self.start_unchecked("--port", "0", "--host", host, version=None)
            self.assertEqual(server.wait(), 1)
            self.assertIn("--auth-token", server.stderr())

    def test_limits(self):
        server = self.serve("--http-max-sessions", "1", "--http-max-body", "2048", "--http-max-head", "1024",
                            "--http-calls-per-minute", "2", "--http-max-connections", "2")
        client = server.client()
        for status, action in ((503, server.client), (413, lambda: client.request("ping", {"x": "x" * 4000})),
                               (431, lambda: client.exchange(client.message("ping"), {"X": "x" * 2000}))):
            with self.assertRaises(HttpError) as caught:
                action()
            self.assertEqual(caught.exception.status, status)
        client.call("list_sessions")
        client.call("list_sessions")
        with self.assertRaises(HttpError) as caught:
            client.call("list_sessions")
        self.assertEqual(caught.exception.status, 429)
        self.assertTrue(0 < int(caught.exception.headers["Retry-After"]) <= 60)
        client.request("ping")
        stream = client.open_stream()
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as held:
            self.assertEqual(server.ask("GET", "/mcp")[0], 503)
        stream.close()

    def test_requests_under_way(self):
        server, pages = self.serve("--http-max-requests", "2"), self.pages()
        clients = [server.client(), server.client()]
        held = [pages.held() for _ in clients]
        with ThreadPoolExecutor(2) as pool:
            replies = [pool.submit(client.navigate, url) for client, (url, _) in zip(clients, held)]
            for url, _ in held:
                pages.wait_request(url)
            with self.assertRaises(HttpError) as caught:
                server.client()
            self.assertEqual((caught.exception.status, caught.exception.headers["Retry-After"]), (503, "1"))
            self.assertEqual(server.ask("GET", "/health")[0], 200)
            for _, release in held:
                release.set()
            for reply in replies:
                reply.result(PATIENCE)
        server.client().request("ping")

    def test_calls_per_minute_without_a_session(self):
        server = self.serve("--http-calls-per-minute", "3")
        client, other = server.client(MODERN), server.client()
        for _ in range(3):
            client.call("list_sessions")
        with self.assertRaises(HttpError) as caught:
            client.call("list_sessions")
        self.assertEqual(caught.exception.status, 429)
        self.assertTrue(0 < int(caught.exception.headers["Retry-After"]) <= 60)
        client.request("tools/list")  # is no call
        other.call("list_sessions")  # a session counts for itself

    def test_calls_in_a_batch_are_counted_one_by_one(self):
        client = self.serve("--http-calls-per-minute", "3").client("2025-03-26")
        batch = [client.message("tools/call", {"name": "list_sessions"}) for _ in range(4)]
        with self.assertRaises(HttpError) as caught:
            client.exchange(batch)
        self.assertEqual(caught.exception.status, 429)
        self.assertEqual(len(client.exchange(batch[:3])), 3)

    def test_sessions_per_minute(self):
        server = self.serve("--http-sessions-per-minute", "1")
        server.client()
        with self.assertRaises(HttpError) as caught:
            server.client()
        self.assertEqual(caught.exception.status, 429)


if __name__ == "__main__":
    main()
