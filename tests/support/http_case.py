"""Tests of browserd over HTTP that share one server."""
import re

from support.answers import text_of
from support.case import BrowserdCase
from support.http_client import HttpError, HttpServer
from support.pages import Pages


class HttpCase(BrowserdCase):
    """Tests that share one server."""

    args = ("--max-sessions", "20")

    @classmethod
    def setUpClass(cls):
        cls.server = HttpServer(*cls.args)
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    def client(self, *args, **more):
        client = self.server.client(*args, **more)
        if client.session_id:
            self.addCleanup(client.delete)
        return client

    def serve(self, *args):
        server = HttpServer(*args)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def cdp_bytes(self, direction):
        """What the server has "sent" to its browser, or "received" of it, so far."""
        metrics = self.server.ask("GET", "/metrics")[2].decode()
        return int(re.search(rf'cdp_bytes_total{{direction="{direction}"}} (\d+)', metrics)[1])

    def refused(self, status, *args, **more):
        with self.assertRaises(HttpError) as caught:
            self.client(*args, **more)
        self.assertEqual(caught.exception.status, status, caught.exception)
        return caught.exception


class HttpPagesCase(HttpCase):
    """Tests of browser_* tools over HTTP, which share a server of pages as well."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = Pages()
        cls.addClassCleanup(cls.pages.close)

    def ask(self, client, tool, **arguments):
        """The text that browser_TOOL answers to this client."""
        return text_of(client.request("tools/call", {"name": "browser_" + tool, "arguments": arguments}))
