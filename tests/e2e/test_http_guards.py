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
            self.client(fields={"Host": host})
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:80", "[::2]", "", "localhost:x"):
            with self.subTest(host):
                self.assertIn("--allowed-hosts", self.refused(403, fields={"Host": host}).error["message"])
        for origin in ("http://evil.example", "null", "https://localhost.evil.example", "http://localhost/x", "file://", "chrome-extension://abc"):
            with self.subTest(origin):
                self.assertIn("--allowed-hosts", self.refused(403, fields={"Origin": origin}).error["message"])

    def test_hosts_can_be_allowed(self):
        server = self.serve("--allowed-hosts", "tools.example, other.example:81", "--allowed-hosts", "vscode-webview://abc")
        for fields in ({"Host": "tools.example:99"}, {"Host": "other.example:81"}, {"Origin": "vscode-webview://abc"}):
            server.client(fields=fields)
        for fields in ({"Host": "other.example:82"}, {"Origin": "vscode-webview://abcd"}, {"Host": "example"}, {"Host": "abc"},
                       {"Origin": "https://tools.example"}, {"Host": "vscode-webview://abc"}):
            with self.subTest(fields), self.assertRaises(HttpError):
                server.client(fields=fields)
        server = self.serve("--allowed-hosts", "*")
        server.client(fields={"Host": "any.example"})
        for origin in ("null", "*", "https://any.example", "http://localhost"):
            with self.subTest(origin), self.assertRaises(HttpError):  # any name is not any page
                server.client(fields={"Host": "any.example", "Origin": origin})

    def test_pages_of_allowed_origins_may_read_answers(self):
        server = self.serve("--allowed-hosts", "http://localhost:3000", "--auth-token", "correct-horse-battery")
        page = {"Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"}
        status, headers, _ = server.ask("OPTIONS", "/mcp", headers={**page, "Access-Control-Request-Method": "POST"})
        self.assertEqual((status, headers["Access-Control-Allow-Origin"]), (204, "http://localhost:3000"))
        self.assertIn("Mcp-Session-Id", headers["Access-Control-Allow-Headers"])
        server.client(fields={**page, "Authorization": "Bearer correct-horse-battery"}).request("ping")
        with self.assertRaises(HttpError) as caught:  # the page is allowed, and still has to know the token
            server.client(fields=page)
        self.assertEqual(caught.exception.status, 401)
        for origin in ("http://evil.example", "http://localhost:3001", "http://localhost", "https://localhost:3000"):
            self.assertEqual(server.ask("OPTIONS", "/mcp", headers={"Origin": origin})[0], 403)

    def test_web_pages_are_refused(self):
        """Whatever a browser sends for a page: by its Origin, and where it sends none (images, links) by Sec-Fetch-Site."""
        listed = self.serve("--allowed-hosts", "http://localhost:3000, tools.example")
        port = self.server.port
        origins = (f"http://127.0.0.1:{port + 1}", "http://localhost", "http://[::1]:3000", "http://a.localhost:80", "https://tools.example", "null", "",
                   f"http://localhost:{port}", f"https://127.0.0.1:{port}")
        for server in (self.server, listed):
            for path, method in (("/mcp", "POST"), ("/mcp", "GET"), ("/sse", "GET"), ("/message", "POST"), ("/health", "GET"), ("/metrics", "GET"),
                                 ("/.well-known/oauth-protected-resource", "GET"), ("/nothing", "GET")):
                for fields in [{"Origin": origin} for origin in origins] + \
                              [{"Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "same-origin", "Cross-Site", "future")] + \
                              [{"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:3000"}]:
                    with self.subTest(path=path, fields=fields):
                        self.assertEqual(server.ask(method, path, headers={"Accept": "*/*", **fields})[0], 403)
            self.assertEqual(server.metric("browserd_sessions"), 0)
            self.assertEqual(server.ask("GET", "/health", headers={"Sec-Fetch-Site": "none"})[0], 200)  # what a person typed

    def test_the_origin_that_a_program_makes_of_the_address(self):
        for host in ("127.0.0.1", "localhost", "[::1]"):
            address = f"{host}:{self.server.port}"
            self.client(fields={"Host": address, "Origin": "http://" + address})

    def test_a_page_of_another_port_cannot_drive_the_server(self):
        """The same in a real browser, with a page that has every means: fetch, images, forms, event streams, workers."""
        server = self.serve("--http-max-sessions", "1")
        page = self.pages().page("<title>waiting</title><script>const server = 'http://127.0.0.1:%d'; %s</script>" % (server.port, """
            const json = {'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream'};
            const hello = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize',
                params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'x', version: '1'}}});
            const settled = promise => promise.then(answer => 'got ' + answer.status, () => 'blocked');
            const loaded = (element, address) => new Promise(done => {
                element.onload = () => done('loaded'); element.onerror = () => done('blocked'); element.src = address; document.head.append(element); });
            Promise.all([
                settled(fetch(server + '/mcp', {method: 'POST', headers: json, body: hello})),
                settled(fetch(server + '/mcp', {method: 'POST', mode: 'no-cors', body: hello})),
                settled(fetch(server + '/health')),
                loaded(new Image(), server + '/sse'),
                loaded(document.createElement('script'), server + '/health'),
                new Promise(done => { const s = new EventSource(server + '/sse'); s.onopen = () => done('open'); s.onerror = () => { s.close(); done('blocked'); }; }),
            ]).then(results => document.title = results.join());
        """))
        victim = self.client()
        victim.navigate(page)
        title = victim.evaluate("() => new Promise(done => { const look = () => document.title == 'waiting' ? setTimeout(look, 20) : done(document.title); look(); })")
        self.assertEqual(title, '"blocked,got 0,blocked,blocked,blocked,blocked"')
        server.client().request("ping")  # there is no session yet

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
            held.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(held.recv(12), b"HTTP/1.1 200")
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
