"""A provider of browsers: gives each WebSocket that it accepts a browser of its own, and ends that with the connection."""
import re
import socket
import threading

from support.chromium import Chromium
from support.relay import Relay


def refusal(status, text="", *fields):
    """An answer in place of a browser."""
    head = "".join(f"{field}\r\n" for field in (*fields, f"Content-Length: {len(text.encode())}"))
    return f"HTTP/1.1 {status} No\r\n{head}\r\n{text}".encode()


class Provider(Relay):
    """
    Wants `token` in the query, and has `limit` browsers at a time. `refusals` has answers for the next requests, each of which takes
    one; `browsers` those that run, in the order in which they were asked for.
    """

    def __init__(self, token="", limit=10):
        self.token, self.limit = token, limit
        self.refusals, self.browsers, self.paths = [], [], []
        self._changed = threading.Condition()
        super().__init__(None)

    def url(self, path="/"):
        return f"ws://127.0.0.1:{self.port}{path}" + (f"?token={self.token}" if self.token else "")

    def wait_browsers(self, count):
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.browsers) == count, 60), f"{len(self.browsers)} browsers run"

    def close(self):
        super().close()
        self.wait_browsers(0)

    def _serve(self, client):
        self._keep(client)
        browser = None
        try:
            head = self._read_head(client).decode("latin-1")
            with self._changed:
                self.heads.append(head)
                refused = self._refuse(head)
                if refused is None:
                    browser = Chromium()
                    self.browsers.append(browser)
                    self._changed.notify_all()
            if refused is not None:
                client.sendall(refused)
            else:
                path = "/" + browser.websocket.split("/", 3)[3]
                self._join(client, browser.port, re.sub(r"^GET \S+", f"GET {path}", head).encode("latin-1"))
        except OSError:
            pass  # either side has left
        if browser:
            browser.close()
            with self._changed:
                self.browsers.remove(browser)
                self._changed.notify_all()
        client.close()

    def _refuse(self, head):
        if self.refusals:
            return self.refusals.pop(0)
        if self.token and f"token={self.token} " not in head:
            return refusal(401, "no such token: " + head.split()[1])
        return refusal(429, "too many", "Retry-After: 1") if len(self.browsers) >= self.limit else None

    def _join(self, client, port, head):
        with socket.create_connection(("127.0.0.1", port)) as server:
            self._keep(server)
            server.sendall(head)
            answers = threading.Thread(target=self._answer, args=(server, client), daemon=True)
            answers.start()
            self._pump(client, server)
            answers.join()
