"""
One stream, several connections: a POST whose stream is asked for by GETs with Last-Event-ID, while it waits, runs, ends or its
session ends; and connections that are lost at every stage of a call. What is wrong with that shows under AddressSanitizer.
"""
import itertools
import json
import socket
import struct
import time

from support.case import BrowserdCase, main
from support.client import MODERN, PATIENCE
from support.http_client import HttpError, HttpServer

VERSION = "2025-11-25"


class Connection:
    """Bytes of HTTP on a connection of its own, as they come."""

    def __init__(self, server, text, body=b""):
        self.socket, self.said = socket.create_connection(("127.0.0.1", server.port), PATIENCE), b""
        self.socket.sendall(text.replace("\n", "\r\n").encode() + body)

    def until(self, part):
        """Reads until this was said."""
        while part not in self.said:
            chunk = self.socket.recv(65536)
            assert chunk, f"{part} never came: {self.said[-500:]}"
            self.said += chunk
        return self

    def status(self):
        return self.until(b"\r\n\r\n").said[9:12].decode()

    def event(self):
        """The last id that was said."""
        return self.said.rpartition(b"id: ")[2].split(b"\n")[0].decode()

    def close(self, rude=False):
        if rude:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class StreamsCase(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.server = HttpServer()
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)  # which looks for what the sanitizers say

    def session(self, server=None):
        client = (server or self.server).client(VERSION)
        client.call("browser_navigate", url="about:blank")
        return client

    def post(self, client, tool, arguments, more=""):
        body = json.dumps(client.message("tools/call", {"name": tool, "arguments": arguments})).encode()
        return Connection(client.server, f"POST /mcp HTTP/1.1\nHost: localhost\nAccept: application/json, text/event-stream\nContent-Type: "
                          f"application/json\nMcp-Session-Id: {client.session_id}\nMCP-Protocol-Version: {VERSION}\n{more}"
                          f"Content-Length: {len(body)}\n\n", body)

    def get(self, client, last):
        return Connection(client.server, f"GET /mcp HTTP/1.1\nHost: localhost\nAccept: text/event-stream\nMcp-Session-Id: {client.session_id}\n"
                          f"Last-Event-ID: {last}\n\n")

    def held(self, pages, client):
        """A call that runs until the event is set."""
        url, release = pages.held("<title>let go</title>")
        post = self.post(client, "browser_navigate", {"url": url})
        pages.wait_request(url)
        return post, release

    def still_works(self, client):
        self.assertEqual(client.evaluate("() => 6 * 7"), "42")


class Sharing(StreamsCase):
    def test_a_stream_that_has_said_nothing_is_nobodys_to_resume(self):
        """Its numbers can be guessed, but were never sent to a client."""
        pages, client = self.pages(), self.session()
        post, release = self.held(pages, client)
        answers = [self.get(client, f"{n}-0") for n in range(1, 12)]
        self.assertIn("400", [answer.status() for answer in answers])
        for answer in answers:
            answer.close()
        release.set()
        post.until(b"let go")  # the request kept its answer
        post.close()
        self.still_works(client)
        client.delete()

    def test_every_order_of_closing(self):
        pages = self.pages()
        names = ("post", "first", "second", "end")
        for n, order in enumerate(itertools.permutations(names)):
            rude = n % 2 == 1
            with self.subTest(order=order, rude=rude):
                client = self.session()
                post, release = self.held(pages, client)
                last = post.until(b"id: ").until(b"data: \n\n").event()
                first = self.get(client, last)
                self.assertEqual(first.status(), "200")
                post.until(b"\r\n0\r\n\r\n")  # its part of the stream is over
                second = self.get(client, last)
                self.assertEqual(second.status(), "200")
                first.until(b"\r\n0\r\n\r\n")
                parts = {"post": post, "first": first, "second": second}
                for name in order:
                    if name == "end":
                        release.set()
                        if order.index("second") > order.index("end"):
                            second.until(b"let go")
                    else:
                        parts[name].close(rude)
                late = self.get(client, last).until(b"let go")  # the answer is kept although the first reader has left
                late.close()
                self.still_works(client)
                client.delete()

    def test_many_readers_take_turns(self):
        pages, client = self.pages(), self.session()
        post, release = self.held(pages, client)
        last = post.until(b"data: \n\n").event()
        readers = [self.get(client, last) for _ in range(30)]
        statuses = [reader.status() for reader in readers]
        self.assertEqual(statuses, ["200"] * 30)
        for reader in readers[1::2]:
            reader.close(rude=True)
        release.set()
        self.get(client, last).until(b"let go").close()
        self.still_works(client)
        for reader in readers:
            reader.close()
        client.delete()

    def test_the_session_ends_meanwhile(self):
        pages = self.pages()
        for waits in (False, True):  # the POST: for its stream to begin, or it is replaced already
            for first in ("post", "get"):
                with self.subTest(waits=waits, first=first):
                    client = self.session()
                    post, release = self.held(pages, client)
                    last = "1-0" if waits else post.until(b"data: \n\n").event()
                    get = self.get(client, last)
                    get.status()
                    self.assertEqual(client.delete(), 204)
                    {"post": post, "get": get}[first].close()
                    release.set()
                    with self.assertRaises(HttpError):
                        client.request("ping")
                    post.close()
                    get.close()
        self.server.client().delete()

    def test_the_server_ends_meanwhile(self):
        for first in (None, "post", "get"):
            with self.subTest(first):
                pages = self.pages()
                server = HttpServer()
                self.addCleanup(server.discard)
                client = self.session(server)
                post, release = self.held(pages, client)
                get = self.get(client, post.until(b"data: \n\n").event())
                get.status()
                if first:
                    {"post": post, "get": get}[first].close()
                server.close()
                release.set()
                post.close()
                get.close()

    def test_the_sessions_own_stream_changes_hands(self):
        client = self.session()
        reader = client.open_stream()
        self.addCleanup(reader.close)
        event = next(iter(reader))
        others = [self.get(client, event["id"]) for _ in range(5)]
        self.assertEqual([other.status() for other in others], ["200"] * 5)
        reader.close()
        for other in others:
            other.close(rude=True)
        self.still_works(client)
        client.delete()


class Leaving(StreamsCase):
    """The connection goes away; the call has an end all the same, and the next one is served."""

    def tearDown(self):
        self.wait_none("browserd_http_requests")
        self.wait_none("browserd_sessions")

    def wait_none(self, metric):
        end = time.monotonic() + PATIENCE
        while self.server.metric(metric) != 0:
            self.assertLess(time.monotonic(), end, metric)
            time.sleep(0.02)

    def test_before_the_request_is_whole(self):
        client = self.session()
        body = json.dumps(client.message("tools/call", {"name": "list_sessions", "arguments": {}})).encode()
        head = (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nMcp-Session-Id: {client.session_id}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode()
        for cut in (0, 1, 10, len(head) - 1, len(head), len(head) + 1, len(head) + len(body) - 1):
            for rude in (False, True):
                connection = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)
                connection.sendall((head + body)[:cut])
                if rude:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
        self.still_works(client)
        client.delete()

    def test_while_the_call_waits_for_its_turn_runs_and_streams(self):
        pages = self.pages()
        for stage in ("queued", "running", "streaming", "streaming twice", "pipelined"):
            for rude in (False, True):
                with self.subTest(stage=stage, rude=rude):
                    client = self.session()
                    running, release = self.held(pages, client)
                    lost = running
                    if stage == "queued":
                        lost = self.post(client, "browser_evaluate", {"function": "() => document.title"})
                    elif stage.startswith("streaming"):
                        running.until(b"data: \n\n")
                    elif stage == "pipelined":  # requests behind it, whose answers are not awaited
                        running.socket.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3000)
                    if stage == "streaming twice":
                        lost = self.get(client, running.event())
                        lost.status()
                    lost.close(rude)
                    if rude:
                        release.set()
                        self.still_works(client)
                    else:
                        client.request("ping")
                        release.set()
                        self.still_works(client)
                    running.close()
                    client.delete()

    def test_leaving_without_a_session_cancels_the_call(self):
        pages, client = self.pages(), self.server.client(MODERN)
        session = client.call("create_session")["sessionId"]
        for streaming in (False, True):
            with self.subTest(streaming=streaming):
                url, release = pages.held()
                message = client.message("tools/call", {"name": "navigate", "arguments": {"sessionId": session, "url": url}})
                body = json.dumps(message).encode()
                fields = "".join(f"{name}: {value}\n" for name, value in client.headers(message).items())
                post = Connection(self.server, f"POST /mcp HTTP/1.1\nHost: localhost\n{fields}Content-Length: {len(body)}\n\n", body)
                pages.wait_request(url)
                if streaming:
                    post.until(b"text/event-stream")
                post.close()
                self.wait_none("browserd_http_requests")
                self.assertEqual(client.call("list_sessions")["count"], 1)
                release.set()
        client.call("close_session", sessionId=session)

    def test_after_the_answer(self):
        client = self.session()
        for rude in (False, True):
            post = self.post(client, "browser_snapshot", {})
            post.until(b"HTTP/1.1 200")
            post.close(rude)
        self.still_works(client)
        client.delete()


if __name__ == "__main__":
    main()
