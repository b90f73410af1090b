"""
Stands in for Firefox, so that a test can change what it says: firefox_relay.py SOCKET FIREFOX ARGUMENT... starts Firefox with a profile below
the given one, and listens in its place. A connection is passed on to the Unix socket of the test (RelayedFirefox), with the port of Firefox in
the first line.
"""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from support.relay import ChangingRelay

ADDRESS = "WebDriverBiDiServer.json"


class RelayedFirefox(ChangingRelay):
    """`program` is for --executable-path. `change` gets each message of the browser, as in ChangingRelay."""

    def __init__(self, firefox, change):
        self._folder = tempfile.mkdtemp()
        self._path = os.path.join(self._folder, "socket")
        self.program = os.path.join(self._folder, "firefox")
        pathlib.Path(self.program).write_text(
            f'#!/bin/sh\nPYTHONPATH={pathlib.Path(__file__).parents[1]} exec {sys.executable} {__file__} {self._path} {firefox} "$@"\n', encoding="utf-8")
        os.chmod(self.program, 0o755)
        super().__init__(None, change)

    def _listen(self, _):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self._path)
        listener.listen()
        return listener

    def _read_head(self, client):
        head = super()._read_head(client)
        if head[:1].isdigit():
            port, _, head = head.partition(b"\n")
            self.backend = int(port)
            head = re.sub(rb"(?i)(Host: [^:\r]*):\d+", rb"\g<1>:" + port, head)  # Firefox refuses those that are not its own
        return head

    def close(self):
        super().close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _pump(source, sink):
    try:
        while part := source.recv(1 << 16):
            sink.sendall(part)
    except OSError:
        pass  # the other side has ended
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended before


def _serve(listener, path, port):
    while True:
        client, _ = listener.accept()
        test = socket.socket(socket.AF_UNIX)
        test.connect(path)
        test.sendall(b"%d\n" % port)
        for ends in ((client, test), (test, client)):
            threading.Thread(target=_pump, args=ends, daemon=True).start()


def _port(profile, firefox):
    """Where Firefox listens, once it has written that; there is nothing to wait by but the file."""
    while firefox.poll() is None:
        try:
            return json.loads((profile / ADDRESS).read_text(encoding="utf-8"))["ws_port"]
        except (OSError, ValueError):
            time.sleep(0.02)
    return sys.exit(firefox.returncode)


def main():
    path, *command = sys.argv[1:]
    at = command.index("--profile") + 1
    profile = pathlib.Path(command[at])
    inner = profile / "inner"
    inner.mkdir(exist_ok=True)
    shutil.copy(profile / "user.js", inner)
    command[at] = str(inner)
    firefox = subprocess.Popen(command)
    port = _port(inner, firefox)
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=_serve, args=(listener, path, port), daemon=True).start()
    written = profile / "address"
    written.write_text(json.dumps({"ws_host": "127.0.0.1", "ws_port": listener.getsockname()[1]}), encoding="utf-8")
    written.rename(profile / ADDRESS)
    os._exit(firefox.wait() & 0xff)


if __name__ == "__main__":
    main()
