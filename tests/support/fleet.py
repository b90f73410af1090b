"""A fleet: nodes with ports of their own behind a real HAProxy, which has the file of examples/fleet with the ports of these."""
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from support.client import PATIENCE
from support.http_client import HttpServer
from support.ports import free_port

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fleet" / "haproxy.cfg"
SERVER = re.compile(r"^\tserver (node-\d+) 127\.0\.0\.1:\d+$", re.MULTILINE)


def program(name):
    """The path of a daemon, or None."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


def rendered(ports):
    """The example for nodes with these ports, by name. Its other addresses come from the environment."""
    return SERVER.sub(lambda found: f"\tserver {found[1]} 127.0.0.1:{ports[found[1]]}", EXAMPLE.read_text(encoding="utf-8"))


class Node(HttpServer):
    """One browserd of the fleet. Started again under the same name it has the same port."""

    def __init__(self, name, port, *args, **more):
        self.name = name
        super().__init__("--node", name, "--port", port, *args, **more)

    def kill(self):
        """As a machine that loses power: the process and its browser are gone at once."""
        self.discard()


class HaProxy:
    """What clients talk to in place of a node."""

    host, tls, is_node = "127.0.0.1", None, True
    connect, ask, client, socket, raw = (HttpServer.connect, HttpServer.ask, HttpServer.client, HttpServer.socket, HttpServer.raw)

    def __init__(self, ports):
        self.folder, self.port, self.process, self.log = tempfile.TemporaryDirectory(), free_port(), None, tempfile.TemporaryFile()
        self.config, self.stats = os.path.join(self.folder.name, "haproxy.cfg"), os.path.join(self.folder.name, "stats")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(rendered(ports))
        self.environment = {**os.environ, "FLEET_BIND": f"127.0.0.1:{self.port}", "FLEET_SOCKET": self.stats}
        self.start()

    def command(self, *args):
        return [program("haproxy"), "-f", self.config, *args]

    def check(self):
        """What HAProxy has against the file, nothing if all is well."""
        found = subprocess.run(self.command("-c", "-q"), env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return found.stdout if found.stdout or found.returncode == 0 else f"exit status {found.returncode}"

    def start(self, *args):
        self.process = subprocess.Popen(self.command("-db", *args), env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=subprocess.STDOUT)
        self.wait_for(lambda: f"\nPid: {self.process.pid}\n" in self.tell("show info"))

    def wait_for(self, holds):
        """HAProxy looks at nodes once a second, and tells nobody what it found."""
        for _ in range(int(PATIENCE * 20)):
            assert self.process.poll() is None, f"HAProxy has ended: {self.said()}"
            try:
                if holds():
                    return
            except OSError:
                pass  # it does not listen yet
            time.sleep(0.05)
        raise AssertionError(f"what was awaited of HAProxy did not come: {self.servers()} {self.said()}")

    def said(self):
        self.log.seek(0)
        return self.log.read().decode()[-4000:]

    def tell(self, command):
        """What HAProxy answers on its socket."""
        with socket.socket(socket.AF_UNIX) as stats:
            stats.settimeout(PATIENCE)
            stats.connect(self.stats)
            stats.sendall(command.encode() + b"\n")
            said = b""
            while chunk := stats.recv(65536):
                said += chunk
        return said.decode()

    def servers(self):
        """What HAProxy thinks of its servers: "sessions/node-0": "UP"."""
        rows = [line.split(",") for line in self.tell("show stat").splitlines() if line and not line.startswith("#")]
        return {f"{row[0]}/{row[1]}": row[17] for row in rows if row[1] not in ("FRONTEND", "BACKEND")}

    def wait_servers(self, backend, names):
        """Until exactly these nodes are used there."""
        def used():
            return {server.partition("/")[2] for server, state in self.servers().items()
                    if server.startswith(backend + "/") and state.startswith("UP")}
        self.wait_for(lambda: used() == set(names))

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)

    def reload(self):
        """A new process takes the socket; the old one goes on until its streams have ended."""
        old = self.process
        self.start("-x", self.stats, "-sf", str(old.pid))
        return old

    def close(self):
        """Also a second time."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE)
        self.log.close()
        self.folder.cleanup()


class Fleet:
    """Nodes and their HAProxy. `args`: of each node."""

    def __init__(self, count, *args, **more):
        names = [f"node-{n}" for n in range(count)]
        self.args, self.more, self.ports, self.nodes = args, more, {name: free_port() for name in names}, {}
        spare = {name: free_port() for name in SERVER.findall(EXAMPLE.read_text(encoding="utf-8"))}  # nothing listens there
        self.proxy = None
        try:
            for name in names:
                self.start(name)
            self.proxy = HaProxy({**spare, **self.ports})
            self.wait_for_nodes(names)
        except BaseException:
            self.discard()
            raise

    def start(self, name):
        """Also again, after its end."""
        if name in self.nodes:
            self.nodes[name].discard()
        self.nodes[name] = Node(name, self.ports[name], *self.args, **self.more)
        return self.nodes[name]

    def wait_for_nodes(self, names):
        for backend in ("sessions", "fresh"):
            self.proxy.wait_servers(backend, names)

    def close(self):
        """The nodes end cleanly, each of them."""
        try:
            for node in self.nodes.values():
                node.close()
        finally:
            self.discard()

    def discard(self):
        for node in self.nodes.values():
            node.discard()
        if self.proxy:
            self.proxy.close()
