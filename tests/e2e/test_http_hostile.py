"""HTTP clients that mean no good, or are broken: they are refused, others are served meanwhile, and nothing of them stays."""
import contextlib
import json
import random
import socket
import struct
import threading

from support import processes
from support.case import BrowserdCase, main
from support.client import MODERN, PATIENCE
from support.http_client import HttpError, HttpServer

HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\n"


class Bystander(threading.Thread):
    """A client that makes one call after another all the time, and keeps what it was answered wrong."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.client, self.over, self.wrong, self.served = server.client(), threading.Event(), [], 0
        self.start()

    def run(self):
        while not self.over.is_set():
            try:
                if self.client.call("list_sessions")["count"] != 0:
                    self.wrong.append("sessions of somebody else")
                self.served += 1
                self.over.wait(0.01)
            except Exception as error:  # what exactly went wrong is for the report
                self.wrong.append(repr(error))

    def stop(self):
        self.over.set()
        self.join(PATIENCE)
        self.client.delete()


class Hostile(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.server = HttpServer()
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        """Afterwards, what is open is what was open before, and the bystander was served."""
        self.server.client().delete()
        self.descriptors = processes.descriptors(self.server.process.pid)
        self.bystander = Bystander(self.server)
        self.addCleanup(self.look_back)

    def look_back(self):
        self.bystander.stop()
        self.assertEqual(self.bystander.wrong[:5], [])
        self.assertGreater(self.bystander.served, 0)
        processes.wait_descriptors(self.server.process.pid, self.descriptors)
        self.assertEqual(self.server.metric("browserd_sessions"), 0)
        self.assertEqual(self.server.metric("browserd_http_requests"), 0)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)

    def reset(self, connection):
        """Closes it the rude way."""
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    @staticmethod
    def rest(connection):
        """What still comes; a server that has closed is not waited for."""
        said = b""
        try:
            while chunk := connection.recv(65536):
                said += chunk
        except ConnectionResetError:
            pass
        return said

    def test_slow_senders_are_given_up(self):
        head = HEAD + b"X: " + b"x" * 2000
        slow = [self.connect() for _ in range(40)]
        sent = 0
        while slow:  # a byte at a time does not buy more time than silence
            for connection in slow[:]:
                connection.settimeout(0.05)
                try:
                    connection.sendall(head[sent:sent + 1])
                    gone = connection.recv(100) == b""
                except TimeoutError:
                    gone = False
                except OSError:
                    gone = True
                if gone:
                    connection.close()
                    slow.remove(connection)
            sent += 1
            self.assertLess(sent, len(head))

    def test_half_requests_and_silence(self):
        body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        whole = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
        for length in range(0, len(whole), 3):
            connection = self.connect()
            connection.sendall(whole[:length])
            if length % 2:
                self.reset(connection)
            else:
                connection.close()

    def test_giant_heads_and_bodies(self):
        for status, data in ((b"431", HEAD + b"X: " + b"x" * 5_000_000), (b"431", HEAD + b"X: y\r\n" * 200_000),
                             (b"431", b"x" * 1_000_000), (b"431", b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n"),
                             (b"413", HEAD + b"Content-Length: 50000000\r\n\r\n" + b"x" * 10_000_000),
                             (b"413", HEAD + b"Content-Length: 18446744073709551616\r\n\r\n")):
            with self.subTest(data[:100]), self.connect() as connection:
                with contextlib.suppress(OSError):  # it was not listened to until the end
                    connection.sendall(data)
                self.assertIn(self.rest(connection)[9:12], (status, b""))  # lost where the rest was thrown back at us

    def test_wrong_lengths(self):
        ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        with self.connect() as connection:  # shorter than promised: no request at all
            connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n" + ping)
            connection.shutdown(socket.SHUT_WR)
            self.assertEqual(self.rest(connection), b"")
        with self.connect() as connection:  # longer: the rest is the next request, and none
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(ping) + ping + b"rest of it\r\n\r\n")
            said = self.rest(connection)
            self.assertEqual((said.count(b"HTTP/1.1 400"), said.count(b"HTTP/1.1")), (2, 2))  # no session; nonsense
        for field in (b"Content-Length: 2\r\nContent-Length: 3", b"Content-Length: 2, 2", b"Content-Length: +2", b"Content-Length: 0x2",
                      b"Content-Length: ", b"Transfer-Encoding: chunked, chunked", b"Transfer-Encoding: xchunked", b"Content-Length: 2 2", b"Content-Length:\t-2", b"Content-Length: 2\r\nTransfer-Encoding: chunked",
                      b"Transfer-Encoding: chunked\r\nContent-Length: 2", b"Transfer-Encoding: identity, chunked\r\nContent-Length: 2"):
            with self.subTest(field), self.connect() as connection:
                connection.sendall(HEAD + field + b"\r\n\r\n{}GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                said = self.rest(connection)
                self.assertIn(said[:13], (b"HTTP/1.1 400 ", b"HTTP/1.1 501 "))  # wrong, or a coding that is not known
                self.assertEqual(said.count(b"HTTP/1.1 "), 1)  # what follows is not taken for a request

    def test_pipelines_of_a_thousand(self):
        with self.connect() as connection:
            sender = threading.Thread(target=connection.sendall, daemon=True,
                                      args=(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000 +
                                            b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",))
            sender.start()
            self.assertEqual(self.rest(connection).count(b"HTTP/1.1 200 "), 1001)

    def test_ten_thousand_connections(self):
        parts = (b"", b"G", HEAD, HEAD + b"Content-Length: 5\r\n\r\n", HEAD + b"Content-Length: 5\r\n\r\n{}", b"\x16\x03\x01\x02\x00", b"\r\n" * 100)
        for n in range(10_000):
            connection = self.connect()
            connection.sendall(parts[n % len(parts)])
            if n % 3 == 0:
                self.reset(connection)
            else:
                connection.close()

    def test_answers_cut_at_every_byte(self):
        client = self.server.client(MODERN)
        message = client.message("tools/call", {"name": "list_sessions", "_meta": {"progressToken": 1}})
        body = json.dumps(message)
        fields = {**client.headers(message), "Host": "localhost", "Content-Length": len(body), "Connection": "close"}
        whole = ("POST /mcp HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n" + body).encode()
        with self.connect() as connection:
            connection.sendall(whole)
            length = len(self.rest(connection))
        self.assertGreater(length, 200)
        for cut in range(length):
            connection = self.connect()
            connection.sendall(whole)
            left = cut
            while left > 0:
                left -= len(connection.recv(left))
            self.reset(connection)

    def test_streams_cut_at_every_byte(self):
        client = self.server.client()
        self.addCleanup(client.delete)
        head = f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: {client.session_id}\r\n\r\n".encode()
        cut = 0
        while cut < 150:
            connection = self.connect()
            connection.sendall(head)
            said = connection.recv(min(cut, 12) or 1)
            if said[9:12] == b"409":  # the one before has not been seen to go
                connection.close()
                continue
            left = cut - len(said)
            while left > 0:
                left -= len(connection.recv(left))
            self.reset(connection)
            cut += 1
        client.request("ping")

    def test_forged_session_ids(self):
        client, stranger = self.server.client(), self.server.client(MODERN)
        self.addCleanup(client.delete)
        good, chance = client.session_id, random.Random(1)
        forged = [good[:-1], good + "0", good.upper() + "x", good[::-1], "0" * 32, "", "%00", "../" + good, good + "," + good, "*", "a" * 5000,
                  good[:5], f" {good} x", '"' + good + '"'] + [f"{chance.getrandbits(128):032x}" for _ in range(200)]
        for ident in forged:
            fields = {"Mcp-Session-Id": ident, "Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            with self.subTest(ident[:60]):
                for method, body in (("POST", json.dumps(message)), ("GET", None), ("DELETE", None)):
                    self.assertEqual(self.server.ask(method, "/mcp", body, fields)[0], 404, method)
                self.assertEqual(self.server.ask("POST", "/message?sessionId=" + ident.replace(" ", ""), json.dumps(message), fields)[0], 404)
        for wrong in ("Last-Event-ID", "Mcp-Session-Id"):
            with self.assertRaises(HttpError):
                stranger.exchange({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, {wrong: good + "-1", "MCP-Protocol-Version": "2025-11-25"})
        client.request("ping")


if __name__ == "__main__":
    main()
