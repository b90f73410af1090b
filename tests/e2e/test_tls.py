"""MCP over HTTPS, and the files that it needs."""
import json
import os
import socket
import ssl
import subprocess
import tempfile
import time
import warnings

from support import keys, processes
from support.case import BrowserdCase, main
from support.client import MODERN, PATIENCE
from support.http_client import HttpServer

BIG = 3_000_000


def read_slowly(connection):
    """All that comes until the connection is closed, in small pieces."""
    said = bytearray()
    while chunk := connection.recv(4096):
        said += chunk
    return bytes(said)


def chunks(body):
    """What a body in chunks says."""
    text = b""
    while True:
        size, _, body = body.partition(b"\r\n")
        if size == b"0":
            return text
        text, body = text + body[:int(size, 16)], body[int(size, 16) + 2:]


class Server(BrowserdCase):
    """Tests that share one server."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.server = cls.make(folder.name)
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    @classmethod
    def make(cls, folder):
        cert, key = keys.certificate(folder)
        return HttpServer("--tls-cert", cert, "--tls-key", key, trust=cert)


class Big:
    """What takes more than one write."""

    def ask_slowly(self, message, close):
        """The head and body of the answer to a client that reads slowly, and whose buffers are small."""
        client = self.server.client(MODERN)
        connection = self.server.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        message = client.message("tools/call", message)
        body = json.dumps(message).encode()
        fields = {**client.headers(message), "Host": "localhost", "Content-Length": len(body)}
        if close:
            fields["Connection"] = "close"
        with connection:
            connection.sendall("".join([f"{name}: {value}\r\n" for name, value in fields.items()]).join(
                ["POST /mcp HTTP/1.1\r\n", "\r\n"]).encode() + body)
            if not close:
                connection.sendall(b"GET /elsewhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            said = read_slowly(connection)
        head, _, rest = said.partition(b"\r\n\r\n")
        return head, rest

    def test_big_answers_come_whole(self):
        call = {"name": "browser_evaluate", "arguments": {"function": f"() => 'y'.repeat({BIG})"}}
        for close in (True, False):
            for meta in ({}, {"_meta": {"progressToken": 1}}):
                with self.subTest(close=close, meta=meta):
                    head, rest = self.ask_slowly({**call, **meta}, close)
                    if not close:
                        rest, _, last = rest.rpartition(b"HTTP/1.1 ")
                        self.assertTrue(last.startswith(b"404 "), last[:100])
                    text = chunks(rest) if b"chunked" in head else rest
                    self.assertEqual(text.count(b"y" * BIG), 1)
                    self.assertEqual(text.rstrip()[-1:], b"}")

    def test_big_requests_arrive_whole(self):
        client = self.server.client(MODERN)
        text = client.call("browser_evaluate", function=f"() => '{'z' * 900_000}'.length")
        self.assertIn("900000", text)


class Plain(Big, Server):
    """The same without TLS."""

    @classmethod
    def make(cls, folder):
        return HttpServer()


class Tls(Big, Server):
    def test_a_client(self):
        pages, client = self.pages(), self.server.client()
        self.addCleanup(client.delete)
        client.navigate(pages.page("x", title="behind TLS"))
        self.assertEqual(client.evaluate("() => document.title"), '"behind TLS"')
        self.assertIn('"url": "https://127.0.0.1:', self.server.stderr())
        stream = client.open_stream()
        stream.close()

    def test_several_requests_on_one_connection(self):
        connection = self.server.connect()
        for _ in range(5):
            connection.request("GET", "/health")
            self.assertEqual(json.loads(connection.getresponse().read())["status"], "ok")
        connection.close()

    def test_the_end_is_told(self):
        with self.server.socket() as connection:
            connection.suppress_ragged_eofs = False  # an end without close_notify is an error
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertTrue(read_slowly(connection).startswith(b"HTTP/1.1 200"))

    def test_plain_http_is_told_what_to_do(self):
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            said = read_slowly(connection)
        self.assertTrue(said.startswith(b"HTTP/1.1 400 "), said)
        self.assertIn(b"https://", said)
        self.assertEqual(said.count(b"HTTP/1.1"), 1)

    def test_old_versions_and_nonsense_are_refused(self):
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings(action="ignore"):
            old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
            with self.assertRaises(ssl.SSLError):
                old.wrap_socket(connection)
        for nonsense in (b"\x16\x03\x01\x00\x05hello", b"\x16" * 500, b"\x00" * 100, b"\x15\x03\x01\x00\x02\x02\x28"):
            with self.subTest(nonsense[:10]), socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
                connection.sendall(nonsense)
                try:
                    connection.shutdown(socket.SHUT_WR)
                    said = read_slowly(connection)
                except OSError:  # it was faster
                    said = b""
                self.assertNotIn(b"HTTP", said)
        self.assertEqual(self.server.ask("GET", "/health")[0], 200)

    def test_half_a_handshake_blocks_nobody_and_ends(self):
        self.server.ask("GET", "/health")
        before = processes.descriptors(self.server.process.pid)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        hello = self.server.tls.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
        with self.assertRaises(ssl.SSLWantReadError):
            hello.do_handshake()
        hello = outgoing.read()
        slow = [socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) for _ in range(30)]
        for n, connection in enumerate(slow):
            connection.sendall(hello[:n * len(hello) // 30])
        self.assertEqual(self.server.ask("GET", "/health")[0], 200)
        for connection in slow:
            with connection:
                self.assertEqual(read_slowly(connection)[:4], b"")  # after the time that a head may take
        self.assertEqual(self.server.ask("GET", "/health")[0], 200)
        processes.wait_descriptors(self.server.process.pid, before)

    def test_handshakes_that_are_dropped_leave_nothing(self):
        self.server.ask("GET", "/health")
        before = processes.descriptors(self.server.process.pid)
        for n in range(200):
            with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
                connection.sendall(b"\x16\x03\x01\x02\x00\x01"[:n % 7])
        processes.wait_descriptors(self.server.process.pid, before)


class Files(BrowserdCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cert, self.key = keys.certificate(self.folder)

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def test_what_is_wrong_is_said(self):
        other = keys.certificate(self.folder, "other")[1]
        der = self.write("der", keys.openssl("x509", "-in", self.cert, "-outform", "der"))
        locked = self.write("locked", keys.openssl("pkey", "-in", self.key, "-aes256", "-passout", "pass:x"))
        for cert, key, said in ((self.cert, None, "--tls-cert needs --tls-key"), (None, self.key, "--tls-key needs --tls-cert"),
                                (self.cert + "x", self.key, "--tls-cert: cannot read"), (self.cert, "/nowhere", "--tls-key: cannot read"),
                                (self.folder, self.key, "--tls-cert: cannot read"),
                                (der, self.key, "does not contain a PEM certificate"), (self.cert, self.cert, "does not contain a PEM private key"),
                                (self.key, self.key, "does not contain a PEM certificate"), (self.cert, other, "does not belong"),
                                (self.cert, locked, "without a passphrase"), (self.cert, self.write("empty", b""), "does not contain a PEM private key")):
            with self.subTest(said=said, cert=cert, key=key):
                args = (["--tls-cert", cert] if cert else []) + (["--tls-key", key] if key else [])
                server = self.start_unchecked("--port", "0", *args, version=None)
                self.assertEqual(server.wait(), 1)
                self.assertIn(said, server.stderr())
                self.assertNotIn("Listening", server.stderr())

    def test_what_is_unwise_is_said(self):
        os.chmod(self.key, 0o644)
        server = HttpServer(trust=self.cert, env={"BROWSERD_TLS_CERT": self.cert, "BROWSERD_TLS_KEY": self.key})
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        self.assertIn("chmod 600", server.stderr())
        self.assertEqual(server.ask("GET", "/health")[0], 200)

    def presented(self, server):
        """The certificates that a new connection is shown, as PEM."""
        shown = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-showcerts"], input=b"", check=False,
                               timeout=PATIENCE, capture_output=True).stdout.decode()
        return [part.partition("-----END")[0].strip() for part in shown.split("-----BEGIN CERTIFICATE-----")[1:]]

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def own(self, path):
        return self.read(path).decode().partition("-----END")[0].partition("-----BEGIN CERTIFICATE-----")[2].strip()

    def wait_presented(self, server, path, number=1):
        """Until `path` is what new connections are shown."""
        end = time.monotonic() + PATIENCE
        while (shown := self.presented(server))[:1] != [self.own(path)]:
            self.assertLess(time.monotonic(), end)
        self.assertEqual(len(shown), number)

    def test_files_that_change_are_read_again(self):
        server = HttpServer("--tls-cert", self.cert, "--tls-key", self.key, trust=self.cert)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        connection = server.connect()
        connection.request("GET", "/health")
        connection.getresponse().read()
        new, key = keys.certificate(self.folder, "new")
        old = self.write("old.pem", self.read(self.cert))

        os.replace(key, self.key)  # half of it
        server._wait(lambda: self.presented(server) and "stay in use" in server.stderr())
        self.assertIn("does not belong", server.stderr())
        self.wait_presented(server, old)
        os.replace(self.write("chain.pem", self.read(new) + self.read(old)), self.cert)
        self.wait_presented(server, new, number=2)

        said = server.stderr().count("stay in use")
        self.write("server.pem", b"-----BEGIN CERTIFICATE-----\nnonsense")
        server._wait(lambda: self.presented(server) and server.stderr().count("stay in use") > said)
        self.wait_presented(server, new, number=2)
        os.unlink(self.cert)
        server._wait(lambda: self.presented(server) and server.stderr().count("stay in use") > said + 1)
        self.assertIn("cannot read", server.stderr())
        self.wait_presented(server, new, number=2)
        connection.request("GET", "/health")  # what is open is not disturbed
        self.assertEqual(json.loads(connection.getresponse().read())["status"], "ok")
        connection.close()


if __name__ == "__main__":
    main()
