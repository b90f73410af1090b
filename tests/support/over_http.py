"""A Client that speaks to its server over HTTP, so that any test of tools runs over both transports."""
import contextlib
import json
import threading

from support.http_client import ACCEPT, HttpServer, Stream


class OverHttp(HttpServer):
    """
    Stands in for a Client, with messages instead of lines: each is posted in a thread of its own, and answers, requests and
    notifications are received from the responses and from one stream. Ends with SIGTERM.
    """

    def __init__(self, *args, version="2025-11-25", command=None, **more):
        self.session_id = None
        super().__init__(*args, command=[*command, "--port", "0"] if command else None, **more)
        self.version = version
        self.initialize(version, self.capabilities())
        self._start(self._listen)

    def send(self, message):
        if "method" in message and "id" in message:
            self._start(self._post, message)
        else:
            self._post(message)  # later messages may depend on it

    def _start(self, run, *args):
        threading.Thread(target=run, args=args, daemon=True).start()

    def _headers(self):
        session = {"Mcp-Session-Id": self.session_id, "MCP-Protocol-Version": self.version} if self.session_id else {}
        return {"Host": f"{self.host}:{self.port}", "Accept": ACCEPT, "Content-Type": "application/json", **session}

    def _post(self, message):
        try:
            with contextlib.closing(self.connect()) as connection:
                connection.request("POST", "/mcp", json.dumps(message).encode(), self._headers())
                with connection.getresponse() as response:
                    self._take_response(connection, response)
        except OSError as error:
            self._fail_pending(f"{type(error).__name__} {error}")
        except Exception as error:  # as in the reader of lines
            self.violations.append(f"{type(error).__name__}: {error} in the answer to {message!r:.500}")
            self._fail_pending(self.violations[-1])

    def _take_response(self, connection, response):
        if response.headers.get_content_type() == "text/event-stream":
            for message in Stream(response, connection).messages():
                self._receive_one(message)
            return
        body = response.read()
        assert response.status == (200 if body else 202), f"status {response.status} {body[:500]!r}"
        self.session_id = response.headers.get("Mcp-Session-Id", self.session_id)
        if body:
            self._receive_one(json.loads(body))

    def _asked(self, method, params):
        return {} if method == "ping" else super()._asked(method, params)

    def _listen(self):
        with contextlib.suppress(OSError), contextlib.closing(self.connect()) as connection:  # until the server ends
            connection.request("GET", "/mcp", headers={**self._headers(), "Accept": "text/event-stream"})
            with connection.getresponse() as response:
                self._take_response(connection, response)
