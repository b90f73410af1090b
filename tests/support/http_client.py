"""
browserd as an HTTP server, and MCP clients of it. Clients are blocking and keep one connection; several of them, or of
their requests, at once are the business of threads.
"""
import http.client
import itertools
import json
import re
import signal
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor

from support.answers import text_of
from support.client import META, MODERN, PATIENCE, TASKS_EXTENSION, Client, RpcError

ACCEPT = "application/json, text/event-stream"


class HttpServer(Client):
    """
    browserd with --port 0. Ends with SIGTERM; what must then be gone is what must be gone after the end of stdin.
    `trust`: the certificate with which it serves HTTPS.
    """

    def __init__(self, *args, trust=None, **more):
        self.tls = ssl.create_default_context(cafile=trust) if trust else None
        self.is_node = "--node" in args
        super().__init__("--port", "0", *args, version=None, **more)
        self._wait(lambda: re.search(r"(mcpServers|{.*Listening on).*\n", self.stderr()))
        self.host, port = re.search(rf"Listening on {'https' if trust else 'http'}://(\S+):(\d+)\b", self.stderr()).groups()
        self.port = int(port)

    def connect(self):
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=self.tls)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def socket(self):
        """A connection to the port that has said nothing yet, but for the handshake where there is TLS."""
        connection = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        return self.tls.wrap_socket(connection, server_hostname="127.0.0.1") if self.tls else connection

    def metric(self, name):
        """A figure of GET /metrics that has no labels."""
        return float(re.search(rf"^{name} (\S+)$", self.ask("GET", "/metrics")[2].decode(), re.MULTILINE).group(1))

    def ask(self, method, path, body=None, headers=None):
        """One request on a connection of its own: status, header fields, body."""
        connection = self.connect()
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def raw(self, data, half_close=False):
        """What the server says to these bytes until it closes the connection."""
        with self.socket() as connection:
            connection.sendall(data)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            said = b""
            while chunk := connection.recv(65536):
                said += chunk
            return said

    def client(self, version="2025-11-25", **more):
        return HttpClient(self, version, **more)

    def close(self):
        before = self.processes()
        self.process.send_signal(signal.SIGTERM)
        status = self.wait()
        assert status == 0, f"exit status {status}; stderr: {self.stderr()[-4000:]}"
        self.check_clean(before)


class HttpError(Exception):
    """An answer with a status that is no success."""

    def __init__(self, status, headers, body):
        super().__init__(f"{status} {body[:500]!r}")
        self.status, self.headers, self.body = status, headers, body
        self.error = json.loads(body)["error"] if body[:1] == b"{" else None


class Stream:
    """Server-sent events as they come: iterating gives dictionaries of event, id, retry and data."""

    def __init__(self, response, connection):
        self.response, self.connection = response, connection

    def __iter__(self):
        event = {}
        while line := self.response.readline():
            line = line.decode().rstrip("\n")
            if not line and event:
                yield event
                event = {}
            elif line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                event[name] = value

    def messages(self):
        return (json.loads(event["data"]) for event in self if event.get("data"))

    def close(self):
        self.response.close()
        self.connection.close()


class HttpClient:
    """
    One MCP client. With a version that has a handshake it is made at once; MODERN needs none. `fields`: more header
    fields for every request. `elicit`: answers elicitation/create, given its params, for a client with that capability. `tasks`: it
    takes tasks as answers.
    """

    def __init__(self, server, version="2025-11-25", fields=None, elicit=None, tasks=False):
        self.server, self.version, self.fields = server, version, dict(fields or {})
        self.elicit, self.tasks = elicit, tasks
        self.ids, self.session_id, self.notifications = itertools.count(1), None, []
        if version != MODERN:
            self.initialize()

    def initialize(self):
        params = {"protocolVersion": self.version, "capabilities": self.capabilities(), "clientInfo": {"name": "tests", "version": "1"}}
        connection, response = self.post(self.message("initialize", params))
        [answer] = self.messages(connection, response)
        self.session_id = response.headers["Mcp-Session-Id"]
        assert answer["result"]["protocolVersion"] == self.version
        self.notify("notifications/initialized")

    def capabilities(self):
        return {**({"elicitation": {}} if self.elicit else {}), **({"extensions": {TASKS_EXTENSION: {}}} if self.tasks else {})}

    def headers(self, message):
        headers = {"Accept": ACCEPT, "Content-Type": "application/json", **self.fields}
        if self.version == MODERN and isinstance(message, dict):
            params = message.get("params", {})
            headers.update({"MCP-Protocol-Version": MODERN, "Mcp-Method": message.get("method", "")})
            if message.get("method") == "tools/call":
                headers["Mcp-Name"] = params["name"]
                session = params.get("arguments", {}).get("sessionId")
                if self.server.is_node and isinstance(session, str): # as tools/list asks for it
                    headers["Mcp-Param-SessionId"] = session
            elif isinstance(params.get("taskId"), str):
                headers["Mcp-Name"] = params["taskId"]
        elif self.session_id:
            headers.update({"Mcp-Session-Id": self.session_id, "MCP-Protocol-Version": self.version})
        return headers

    def message(self, method, params=None, ident=None):
        params = dict(params or {})
        if self.version == MODERN:
            params["_meta"] = {META + "protocolVersion": MODERN, META + "clientCapabilities": self.capabilities(), **params.get("_meta", {})}
        return {"jsonrpc": "2.0", "id": next(self.ids) if ident is None else ident, "method": method, "params": params}

    def post(self, message, headers=None):
        """Sends a message on a connection of its own; that and the response, whose body is still to be read."""
        connection = self.server.connect()
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        merged = {**self.headers(message), **(headers or {})}
        connection.request("POST", "/mcp", body, {k: v for k, v in merged.items() if v is not None})
        return connection, connection.getresponse()

    def answered(self, messages):
        """The messages; what is asked in them is answered on the way."""
        for message in messages:
            if "id" in message and "method" in message:
                assert message["method"] == "elicitation/create", message
                answer = {"jsonrpc": "2.0", "id": message["id"], "result": self.elicit(message["params"])}
                connection, response = self.post(answer)
                assert (response.status, response.read()) == (202, b""), response.status
                connection.close()
            else:
                yield message

    def exchange(self, message, headers=None):
        """The messages that came back for one that was posted."""
        return self.messages(*self.post(message, headers))

    def messages(self, connection, response):
        """Those of a response, whose connection is closed then."""
        try:
            if response.headers.get_content_type() == "text/event-stream":
                return list(self.answered(Stream(response, connection).messages()))
            body = response.read()
            if response.status >= 300:
                raise HttpError(response.status, response.headers, body)
            return [json.loads(body)] if body else []
        finally:
            connection.close()

    def request(self, method, params=None, headers=None):
        message = self.message(method, params)
        for answer in self.exchange(message, headers):
            if "id" not in answer:
                self.notifications.append(answer)
                continue
            assert answer["id"] == message["id"], f"an answer to {answer['id']} on the stream of {message['id']}"
            if "error" in answer:
                raise RpcError(answer["error"])
            return answer["result"]
        raise AssertionError("the stream ended without an answer")

    def notify(self, method, params=None):
        connection, response = self.post({"jsonrpc": "2.0", "method": method, "params": params or {}})
        body = response.read()
        connection.close()
        assert (response.status, body) == (202, b""), (response.status, body)

    def call(self, tool, **arguments):
        """The JSON of an answer that has one, the text of others."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = result["content"][0]["text"]
        assert not result.get("isError"), text
        return result.get("structuredContent", text)

    def fail(self, tool, **arguments):
        """The JSON of a failure."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        assert result.get("isError"), result
        return json.loads(result["content"][0]["text"])

    def ask(self, tool, **arguments):
        """The text of an answer, whether the tool succeeded or not."""
        return text_of(self.request("tools/call", {"name": tool, "arguments": arguments}))

    def evaluate(self, function):
        """What `() => ...` gives in the client's own browser session, as text."""
        return self.call("browser_evaluate", function=function).split("### Result\n")[1].split("\n###")[0].strip()

    def navigate(self, url):
        return self.call("browser_navigate", url=url)

    def open_stream(self, last_event=None):
        headers = {**self.headers(None), "Accept": "text/event-stream"}
        connection = self.server.connect()
        connection.request("GET", "/mcp", headers={**headers, **({"Last-Event-ID": last_event} if last_event else {})})
        response = connection.getresponse()
        if response.status != 200:
            body = response.read()
            connection.close()
            raise HttpError(response.status, response.headers, body)
        return Stream(response, connection)

    def delete(self):
        return self.server.ask("DELETE", "/mcp", headers=self.headers(None))[0]


def together(functions):
    """The results of functions that run at the same time, in order."""
    functions = list(functions)
    with ThreadPoolExecutor(len(functions)) as pool:
        return [future.result(10 * PATIENCE) for future in [pool.submit(function) for function in functions]]
