"""A Redis server of a test's own, on a port of this machine."""
import shutil
import socket
import subprocess
import tempfile

from support.client import PATIENCE
from support.ports import free_port


def program():
    """Its path, or None."""
    return shutil.which("redis-server")


class Redis:
    """`tls`: the paths of its certificate and key. A server that was killed begins anew with start(), on the same port and empty."""

    def __init__(self, password=None, tls=None, *args):
        self.folder = tempfile.TemporaryDirectory()
        self.port, self.password = free_port(), password
        listening = ["--port", "0", "--tls-port", str(self.port), "--tls-cert-file", tls[0], "--tls-key-file", tls[1],
                     "--tls-auth-clients", "no"] if tls else ["--port", str(self.port)]
        self.command = [program(), "--bind", "127.0.0.1", "--dir", self.folder.name, "--save", "", *listening,
                        *(["--requirepass", password] if password else []), *args]
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "Ready to accept connections" in line:
                return
        raise AssertionError("redis-server has ended")

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def ask(self, *words):
        """The reply to one command, as its bytes: up to the end of a line, or of a text."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as link, link.makefile("rwb") as file:
            if self.password:
                self._ask(file, "AUTH", self.password)
            return self._ask(file, *words)

    @staticmethod
    def _ask(file, *words):
        file.write(b"*%d\r\n" % len(words))
        for word in words:
            file.write(b"$%d\r\n%s\r\n" % (len(word.encode()), word.encode()))
        file.flush()
        return Redis._read(file)

    @staticmethod
    def _read(file):
        line = file.readline().rstrip(b"\r\n")
        if line[:1] == b"*":
            return [Redis._read(file) for _ in range(int(line[1:]))]
        if line[:1] == b"$" and line != b"$-1":
            return file.read(int(line[1:]) + 2)[:-2]
        return line

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def close(self):
        if self.process.returncode is None:
            self.kill()
        self.folder.cleanup()
