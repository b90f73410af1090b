"""
A person's page at the live view: without a browser (requests as one sends them for it, its cookies, and its WebSocket), and in a
browser that another browserd drives.
"""
import base64
import http.cookies
import json
import os
import re
import struct

from support.client import PATIENCE

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class ViewClosed(Exception):
    """The server has closed the WebSocket."""

    def __init__(self, code, reason):
        super().__init__(f"{code} {reason}")
        self.code, self.reason = code, reason


class ViewSocket:
    """A WebSocket to a server; what its handshake was answered is in `status` and `head`."""

    def __init__(self, server, path, headers):
        self.connection = server.socket()
        self.connection.settimeout(PATIENCE)
        fields = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
        self.connection.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        self.stream = self.connection.makefile("rb")
        self.head = b"".join(iter(self.stream.readline, b"\r\n")).decode()
        self.status = int(self.head.split(" ")[1])
        length = re.search(r"Content-Length: (\d+)", self.head)
        self.body = self.stream.read(int(length[1])) if length else b""
        if self.status != 101:
            self.close()

    def send(self, message, opcode=TEXT):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.connection.sendall(bytes([0x80 | opcode]) + length + bytes(4) + data)  # a mask of zeros changes nothing

    def frame(self):
        """The opcode and payload of the next frame."""
        head = self.stream.read(2)
        if not head:
            raise ViewClosed(None, "the connection has ended")
        length = head[1] & 0x7f
        if length == 126:
            length, = struct.unpack(">H", self.stream.read(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.stream.read(8))
        return head[0] & 0xf, self.stream.read(length)

    def receive(self):
        """The next message: an object, or bytes."""
        while True:
            opcode, data = self.frame()
            if opcode == CLOSE:
                raise ViewClosed(struct.unpack(">H", data[:2])[0] if data else None, data[2:].decode())
            if opcode in (TEXT, BINARY):
                return json.loads(data) if opcode == TEXT else data
            if opcode == PING:
                self.send(data, PONG)

    def receive_type(self, kind):
        while True:
            message = self.receive()
            if isinstance(message, dict) and message["type"] == kind:
                return message

    def close(self):
        self.stream.close()
        self.connection.close()


class Person:
    """A browser at the live view of a server: `fields` go into every request."""

    def __init__(self, server, host=None, origin=None, **fields):
        self.server, self.cookies, self.sockets = server, {}, []
        self.host = f"127.0.0.1:{server.port}" if host is None else host
        self.origin = origin or f"{'https' if server.tls else 'http'}://{self.host}"
        self.fields = {name.replace("_", "-"): value for name, value in fields.items()}

    def headers(self, more):
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Host": self.host, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Cookie": cookie or None,
                   **self.fields, **more}
        return {name: value for name, value in headers.items() if value is not None}

    def ask(self, method, path, **more):
        """Status, header fields, and body of an answer, as an object where it is JSON."""
        more = {name.replace("_", "-"): value for name, value in more.items()}
        if method != "GET":
            more = {"Origin": self.origin, **more}
        status, headers, body = self.server.ask(method, path, headers=self.headers(more))
        for line in headers.get_all("Set-Cookie", []):
            [(name, morsel)] = http.cookies.SimpleCookie(line).items()
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value
        return status, headers, json.loads(body) if headers.get_content_type() == "application/json" else body

    def navigate(self, path):
        return self.ask("GET", path, Sec_Fetch_Site="none", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")

    def log_in(self, token=None):
        """Without a token: with that of the address which the server has written, if there is one."""
        if token is None:
            self.server.wait_stderr("People can look at the sessions at ")
            found = re.search(r"/view#token=([0-9a-f]{32})\n", self.server.stderr())
            token = found and found[1]
        return self.ask("POST", "/view/login", **({"Authorization": f"Bearer {token}"} if token else {}))

    def socket(self, query="", **more):
        more = {"Origin": self.origin, **{name.replace("_", "-"): value for name, value in more.items()}}
        self.sockets.append(ViewSocket(self.server, "/view/socket" + query, self.headers(more)))
        return self.sockets[-1]

    def close(self):
        for socket in self.sockets:
            socket.close()

    def look(self, query="", **more):
        """The ids of the sessions that the view shows, over a connection of its own."""
        socket = self.socket(query, **more)
        assert socket.status == 101, socket.head + socket.body.decode()
        try:
            socket.send({"type": "list", "from": 0, "count": 50})
            return {card["id"] for card in socket.receive_type("cards")["cards"]}
        finally:
            socket.close()


def evaluate(client, function):
    """What the function gives in the browser of a client, as JSON."""
    answer = client.ask("browser_evaluate", function=function)
    return json.loads(answer.split("### Result\n")[1].split("\n###")[0])


class PersonInBrowser:
    """For cases: the page of the view in a browser that another browserd with --caps vision drives, `self.person`."""

    def evaluate(self, function):
        return evaluate(self.person, function)

    def wait(self, condition):
        """Until the expression is true in the page; its value."""
        return self.evaluate(f"() => new Promise(done => {{ const look = () => {{ const value = {condition}; "
                             "value ? done(value) : requestAnimationFrame(look); }; look(); })")

    def take_over(self):
        """The person takes over the session that the page shows, once there is a picture of it."""
        self.wait("document.querySelector('.stage canvas')?.dataset.picture")
        self.person.ask("browser_click", target=".control button:not([hidden])")
        self.wait("document.querySelector('.session').dataset.state === 'person' && document.querySelector('.stage canvas').dataset.input === ''")

    def press(self, y):
        """The person clicks so far down in the picture of the page, which is 1280 wide."""
        box = self.evaluate("() => { const box = document.querySelector('.stage canvas').getBoundingClientRect(); "
                            "return { x: box.x, y: box.y, scale: box.width / 1280 }; }")
        self.person.ask("browser_mouse_click_xy", x=box["x"] + 150 * box["scale"], y=box["y"] + y * box["scale"])

    def type_keys(self, text):
        for key in text:
            self.person.ask("browser_press_key", key=key)
