"""MCP clients behind nginx: with its defaults (buffers, HTTP/1.0 to the server), and where it cuts what is silent."""
import json

from support.case import BrowserdCase, main, skip
from support.client import MODERN
from support.http_client import HttpError, HttpServer, Stream, together
from support.nginx import Nginx, program

IMPATIENT = "proxy_read_timeout 2s;"


class Proxy(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.server = HttpServer("--caps", "observe", "--max-sessions", "20")
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    def nginx(self, more="", server=None):
        nginx = Nginx(server or self.server, more)
        self.addCleanup(nginx.close)
        return nginx

    def client(self, nginx, *args, **more):
        client = nginx.client(*args, **more)
        if client.session_id:
            self.addCleanup(client.delete)
        return client

    def test_clients_of_all_kinds(self):
        pages = self.pages()
        for more in ("", "proxy_http_version 1.1; proxy_set_header Connection '';", "proxy_request_buffering off; proxy_buffering off;"):
            nginx = self.nginx(more)
            clients = [self.client(nginx, version) for version in ("2025-06-18", "2025-11-25", MODERN)]

            def use(client, n, kind=more[:14]):
                ident = client.call("create_session")["sessionId"]
                client.call("navigate", sessionId=ident, url=pages.page("x", title=f"{kind}{n}"))
                answer = client.call("evaluate", sessionId=ident, expression=f"document.title + '{'z' * 300_000}'.length")
                self.assertEqual(answer["value"], f"{kind}{n}300000")
                self.assertTrue(client.call("close_session", sessionId=ident)["success"])

            together([lambda client=client, n=n: use(client, n) for n, client in enumerate(clients)])
            big = self.client(nginx).evaluate("() => 'y'.repeat(2000000)")
            self.assertEqual(big.count("y"), 2_000_000)

    def test_streams_are_not_held_back(self):
        client, pages = self.client(self.nginx()), self.pages()
        url, release = pages.held("<title>late</title>")
        call = {"name": "browser_navigate", "arguments": {"url": url}, "_meta": {"progressToken": 1}}
        connection, response = client.post(client.message("tools/call", call))
        stream = Stream(response, connection)
        messages = stream.messages()
        self.assertEqual(next(messages)["method"], "notifications/progress")  # while the page is held
        release.set()
        self.assertIn("late", list(messages)[-1]["result"]["content"][0]["text"])
        stream.close()

    def test_a_stream_that_is_cut_for_being_silent_goes_on(self):
        client, pages = self.client(self.nginx(IMPATIENT)), self.pages()
        ident = client.call("create_session")["sessionId"]
        url = pages.page("x")
        client.call("navigate", sessionId=ident, url=url)
        client.call("cdp_observe", urlIncludes=url)
        client.request("resources/subscribe", {"uri": f"session://{ident}/console"})
        stream = client.open_stream()
        events = iter(stream)
        first = next(events)
        self.assertEqual(list(events), [])  # nginx has closed it
        stream.close()
        client.call("evaluate", sessionId=ident, expression="console.log('logged without a listener')")
        resumed = client.open_stream(first["id"])
        self.assertEqual(next(resumed.messages())["method"], "notifications/resources/updated")
        resumed.close()
        client.call("close_session", sessionId=ident)

    def test_a_call_that_takes_longer_than_the_proxy_waits(self):
        client, pages = self.client(self.nginx(IMPATIENT)), self.pages()
        url, release = pages.held("<title>late</title>")
        message = client.message("tools/call", {"name": "browser_navigate", "arguments": {"url": url}})
        connection, response = client.post(message)
        events = list(Stream(response, connection))  # until nginx has cut it
        connection.close()
        self.assertTrue(events and not any(event.get("data") for event in events), events)
        release.set()
        client.evaluate("() => 1")  # has its turn after the call
        resumed = client.open_stream(events[-1]["id"])
        messages = list(resumed.messages())
        resumed.close()
        self.assertEqual([message["id"] for message in messages], [message["id"]])
        self.assertIn("late", messages[0]["result"]["content"][0]["text"])

    def test_a_client_that_leaves_the_proxy_has_left(self):
        nginx, pages = self.nginx(), self.pages()
        client = self.client(nginx, MODERN)
        ident = client.call("create_session")["sessionId"]
        url, release = pages.held()
        self.addCleanup(release.set)
        message = client.message("tools/call", {"name": "navigate", "arguments": {"sessionId": ident, "url": url}})
        connection = nginx.connect()
        connection.request("POST", "/mcp", json.dumps(message), client.headers(message))
        pages.wait_request(url)
        connection.close()
        self.assertEqual(client.call("evaluate", sessionId=ident, expression="1 + 1")["value"], 2)  # its turn has come
        client.call("close_session", sessionId=ident)

    def test_sessions_outlive_the_proxy(self):
        pages, first = self.pages(), self.nginx()
        client = first.client()
        client.navigate(pages.page("x", title="kept"))
        first.close()
        client.server = self.nginx()
        self.assertEqual(client.evaluate("() => document.title"), '"kept"')
        self.assertEqual(client.delete(), 204)

    def test_names_that_the_proxy_hands_on(self):
        public = "proxy_set_header Host tools.example;"
        with self.assertRaises(HttpError) as caught:
            self.client(self.nginx(public))
        self.assertEqual(caught.exception.status, 403)
        server = HttpServer("--allowed-hosts", "tools.example")
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        self.client(self.nginx(public, server)).request("ping")


if __name__ == "__main__":
    if not program():
        skip("nginx is not installed")
    main()
