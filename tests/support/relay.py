"""
A server in front of a browser's debugging port: passes connections on, and can refuse, hold and cut them, and change what the browser
says.
"""
import json
import socket
import struct
import threading

from support.client import PATIENCE


class Relay:
    """
    Listens on `port` (0: any). `backend`: the port that connections are passed on to, None: they are closed. `demanded`: a header
    field ("Name: value") without which requests get status 401. `tls`: an ssl.SSLContext. `heads` has what was requested.
    """

    def __init__(self, backend, demanded=None, tls=None, port=0):
        self.backend, self._demanded, self._tls = backend, demanded, tls
        self.heads, self._ends, self._lock = [], set(), threading.Lock()
        self._open = threading.Event()
        self._open.set()
        self._listener = self._listen(port)
        threading.Thread(target=self._accept, daemon=True).start()

    def _listen(self, port):
        listener = socket.create_server(("127.0.0.1", port))
        self.port = listener.getsockname()[1]
        return listener

    def hold(self):
        """From here on requests are received but not passed on, until release()."""
        self._open.clear()

    def release(self):
        self._open.set()

    def cut(self):
        """Ends all connections."""
        with self._lock:
            ends, self._ends = self._ends, set()
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended meanwhile
            end.close()

    def close(self):
        self._listener.close()
        self.release()
        self.cut()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            if self._tls:
                client = self._tls.wrap_socket(client, server_side=True)
            self._keep(client)
            head = self._read_head(client)
            self.heads.append(head.decode("latin-1"))
            if self._demanded and self._demanded not in self.heads[-1].split("\r\n"):
                client.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            elif self._open.wait(PATIENCE) and self.backend:
                self._pass_on(client, head)
        except OSError:
            pass  # either side has left
        client.close()

    def _pass_on(self, client, head):
        with socket.create_connection(("127.0.0.1", self.backend)) as server:
            self._keep(server)
            server.sendall(head)
            threading.Thread(target=self._answer, args=(server, client), daemon=True).start()
            self._pump(client, server)

    def _answer(self, server, client):
        self._pump(server, client)

    def _keep(self, end):
        with self._lock:
            self._ends.add(end)

    @staticmethod
    def _read_head(client):
        head = b""
        while b"\r\n\r\n" not in head:
            part = client.recv(4096)
            if not part:
                raise ConnectionError
            head += part
        return head

    @staticmethod
    def _pump(source, sink):
        try:
            while part := source.recv(65536):
                sink.sendall(part)
        except OSError:
            pass  # reset by a browser that was killed
        try:
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended before


def _read(source, count):
    data = b""
    while len(data) < count:
        part = source.recv(count - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data


def _read_message(source):
    """The payload of the next text message of a WebSocket server (RFC 6455, section 5.2)."""
    whole = b""
    while True:
        first, length = _read(source, 2)
        if length >= 126:
            length, = struct.unpack(">H" if length == 126 else ">Q", _read(source, 2 if length == 126 else 8))
        payload = _read(source, length)
        if first & 15 == 8:
            raise ConnectionError
        if first & 15 < 8:
            whole += payload
            if first & 0x80:
                return whole


def _message(payload):
    length = len(payload)
    if length < 126:
        return bytes((0x81, length)) + payload
    return (struct.pack(">BBH", 0x81, 126, length) if length < 1 << 16 else struct.pack(">BBQ", 0x81, 127, length)) + payload


class ChangingRelay(Relay):
    """`change` gets each message of the browser (a dict) and returns those (dicts or bytes) that are sent in its place."""

    def __init__(self, backend, change):
        self.change = change
        super().__init__(backend)

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def _answer(self, server, client):
        try:
            head = self._read_head(server)
            client.sendall(head)
            if not head.startswith(b"HTTP/1.1 101 "):
                return self._pump(server, client)
            while True:
                said = json.loads(_read_message(server))
                for message in self.change(said):
                    client.sendall(_message(message if isinstance(message, bytes) else json.dumps(message).encode("utf-8", "replace")))
        except OSError:
            self._pump(server, client)  # which ends the other direction
        return None
