"""Tests of browserd over HTTP that share one server."""
from support.case import BrowserdCase
from support.http_client import HttpError, HttpServer


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

    def refused(self, status, *args, **more):
        with self.assertRaises(HttpError) as caught:
            self.client(*args, **more)
        self.assertEqual(caught.exception.status, status, caught.exception)
        return caught.exception
