"""
A second client of the browser that a server started: what Chromium itself says, to hold our answers against. The server
has to start it by a script that adds a debugging port (BrowserdCase.start_open): browserd's own browser listens nowhere.
"""
import base64
import itertools
import json
import os
import pathlib
import socket
import struct


class DevTools:
    """Commands to the browser whose profile lies somewhere in `folder`, over its own WebSocket (RFC 6455)."""

    def __init__(self, folder):
        port, path = next(pathlib.Path(folder).rglob("DevToolsActivePort")).read_text().split("\n")
        self._socket = socket.create_connection(("127.0.0.1", int(port)))
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self._stream = self._socket.makefile("rb")
        assert b"101" in self._stream.readline()
        while self._stream.readline() != b"\r\n":
            pass
        self._ids = itertools.count(1)

    def close(self):
        self._stream.close()
        self._socket.close()

    def _send(self, text):
        data = text.encode()
        if len(data) < 126:
            length = bytes([0x80 | len(data)])
        else:
            length = b"\xfe" + struct.pack(">H", len(data)) if len(data) < 65536 else b"\xff" + struct.pack(">Q", len(data))
        self._socket.sendall(b"\x81" + length + bytes(4) + data)  # a mask of zeros changes nothing

    def _receive(self):
        whole = b""
        while True:
            first, second = self._stream.read(2)
            length = second & 0x7F
            if length == 126:
                length, = struct.unpack(">H", self._stream.read(2))
            elif length == 127:
                length, = struct.unpack(">Q", self._stream.read(8))
            whole += self._stream.read(length)
            if first & 0x80:
                return json.loads(whole)

    def call(self, method, session=None, **params):
        message = {"id": next(self._ids), "method": method, "params": params, **({"sessionId": session} if session else {})}
        self._send(json.dumps(message))
        while True:
            reply = self._receive()
            if reply.get("id") == message["id"]:
                assert "result" in reply, reply
                return reply["result"]

    def post(self, method, session=None, **params):
        """For what has no answer."""
        self._send(json.dumps({"id": next(self._ids), "method": method, "params": params, "sessionId": session}))

    def attach(self, url):
        """A session of the page that shows `url`."""
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "page" and t["url"] == url)
        return self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
