"""A server in front of a browser's debugging port: passes connections on, and can refuse, hold and cut them."""
import socket
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
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

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
            threading.Thread(target=self._pump, args=(server, client), daemon=True).start()
            self._pump(client, server)

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
