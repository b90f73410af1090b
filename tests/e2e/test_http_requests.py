"""The layer below MCP: requests that are malformed, cut, in chunks, behind one another."""
import json
import socket

from support.case import main
from support.client import PATIENCE
from support.http_case import HttpCase


class Requests(HttpCase):
    """The layer below: requests that are no good."""

    def status(self, data):
        said = self.server.raw(data, half_close=True)
        return int(said.split()[1]) if said else None

    def test_malformed_requests_are_refused(self):
        host = b"Host: localhost\r\n"
        for status, data in ((400, b"nonsense\r\n\r\n"), (400, b"GET /mcp\r\n\r\n"), (505, b"GET /mcp HTTP/2.0\r\n" + host + b"\r\n"),
                             (400, b"GET /mcp HTTP/1.1\r\n\r\n"), (400, b"GET /mcp HTTP/1.1\r\n" + 2 * host + b"\r\n"),
                             (400, b"GET mcp HTTP/1.1\r\n" + host + b"\r\n"), (400, b"GET /mcp HTTP/1.1\r\nHost : localhost\r\n\r\n"),
                             (400, b"GET /mcp HTTP/1.1\r\n" + host + b" folded\r\n\r\n"),
                             (400, b"GET /mcp HTTP/1.1\r\n" + host + b"X: a\0b\r\n\r\n"),
                             (400, b"POST /mcp HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n"),
                             (400, b"POST /mcp HTTP/1.1\r\n" + host + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\nx"),
                             (400, b"POST /mcp HTTP/1.1\r\n" + host + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx"),
                             (501, b"POST /mcp HTTP/1.1\r\n" + host + b"Transfer-Encoding: gzip\r\n\r\n"),
                             (413, b"POST /mcp HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n"),
                             (431, b"GET /mcp HTTP/1.1\r\n" + host + b"X: " + b"x" * 20000 + b"\r\n\r\n"),
                             (431, b"GET /mcp HTTP/1.1\r\n" + host + b"X: x\r\n" * 200 + b"\r\n")):
            with self.subTest(data[:80]):
                self.assertEqual(self.status(data), status)
        self.client().request("ping")

    def test_requests_cut_anywhere_leave_nothing_behind(self):
        whole = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        for length in range(len(whole)):
            self.assertEqual(self.server.raw(whole[:length], half_close=True), b"")
        self.client().request("ping")

    def chunked(self, client, *chunks, more=""):
        """The head of a request whose body is these chunks, and the body."""
        head = (f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\n"
                f"Mcp-Session-Id: {client.session_id}\r\nTransfer-Encoding: chunked\r\n{more}\r\n")
        return head.encode() + b"".join(b"%x;name=value\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)

    def test_bodies_in_chunks(self):
        """Cut anywhere, with trailers, and the next request right behind them."""
        client = self.client()
        body = json.dumps(client.message("ping", ident=7)).encode()
        end = b"0\r\nX-Trailer: ignored\r\n\r\n"
        for pieces in ([body], [body[:9], body[9:]], [bytes([byte]) for byte in body]):
            last = b"GET /elsewhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            said = self.server.raw(2 * (self.chunked(client, *pieces) + end) + last).decode()
            self.assertEqual([said.count('"id":7,"result":{}'), said.count("HTTP/1.1 404")], [2, 1], said)

    def test_chunks_that_are_no_good(self):
        client = self.client()
        for status, body in ((400, b"x\r\n"), (400, b"-1\r\n"), (400, b"2\r\n{}x\r\n0\r\n\r\n"), (400, b"2\n{}\r\n0\r\n\r\n"),
                             (413, b"7fffffff\r\n"), (413, b"ffffffffffffffff\r\n"), (413, b"10000000000000001\r\n"),
                             (400, b"1;" + b"x" * 5000), (431, b"0\r\n" + b"a: b\r\n" * 3000)):
            with self.subTest(body[:20]):
                said = self.server.raw(self.chunked(client) + body, half_close=True)
                self.assertEqual([said.count(b"HTTP/1.1 "), said.split()[1]], [1, b"%d" % status])
        # Refused already for its head: the rest is read over, and not answered again.
        said = self.server.raw(self.chunked(client, more="Origin: http://evil.example\r\n") + b"nonsense\r\n", half_close=True)
        self.assertEqual([said.count(b"HTTP/1.1 "), said.split()[1]], [1, b"403"])
        self.assertEqual(self.server.raw(self.chunked(client, b"{", b'"') + b"5\r\nabc", half_close=True), b"")
        client.request("ping")

    def test_bodies_in_chunks_have_the_limit_of_others(self):
        server = self.serve("--http-max-body", "2000")
        client = server.client()
        blanks = 2000 - len(json.dumps(client.message("ping", ident=1)))
        fits = json.dumps(client.message("ping", ident=1)).encode() + b" " * blanks
        for status, pieces in ((b"200", [fits[:1000], fits[1000:]]), (b"413", [fits[:1000], fits[1000:], b" "])):
            said = server.raw(self.chunked(client, *pieces, more="Connection: close\r\n") + b"0\r\n\r\n")
            self.assertEqual(said.split()[1], status)

    def test_pipelined_requests_are_answered_in_order(self):
        client = self.client()
        head = (f"Host: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nMcp-Session-Id: {client.session_id}\r\n")
        bodies = [json.dumps(client.message("ping", ident=n)) for n in range(5)]
        data = "".join(f"POST /mcp HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
        data += "GET /elsewhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        said = self.server.raw(data.encode()).decode()
        self.assertEqual([said.count("HTTP/1.1 200"), said.count("HTTP/1.1 404")], [5, 1])
        self.assertEqual(sorted(range(5), key=lambda n: said.index(f'"id":{n},')), list(range(5)))

    def test_expect_continue_and_http_1_0(self):
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
            connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\n"
                               b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            self.assertEqual(connection.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(b"{}")
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 400"))
        self.assertIn(b"Connection: close", self.server.raw(b"GET /elsewhere HTTP/1.0\r\nHost: localhost\r\n\r\n"))

    def test_connections_beyond_the_limit_are_told(self):
        server = self.serve("--http-max-connections", "2")
        with server.socket() as first, server.socket() as second:
            for connection in (first, second):  # that have said nothing would give way
                connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertEqual(connection.recv(12), b"HTTP/1.1 200")
            status, headers, body = server.ask("GET", "/health")
        self.assertEqual((status, headers["Retry-After"]), (503, "1"))
        self.assertIn(b"--http-max-connections", body)

    def test_connections_that_only_open(self):
        for _ in range(20):
            many = [socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) for _ in range(50)]
            for connection in many:
                connection.close()
        self.client().request("ping")


if __name__ == "__main__":
    main()
