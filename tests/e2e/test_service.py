"""Under a service manager and as process 1 of a container: sockets that are passed on, the state that is notified, orphans."""
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile

from support import processes
from support.case import BrowserdCase, main
from support.client import PATIENCE, binary
from support.http_client import HttpServer

ACTIVATE = os.path.join(os.path.dirname(__file__), "..", "support", "socket_activate.py")


def activated(sockets, *args):
    return [sys.executable, ACTIVATE, *sockets, "--", binary(), *args]


class Manager:
    """The socket on which a service manager is notified."""

    def __init__(self, test, abstract=False):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.name = f"@{folder.name}" if abstract else os.path.join(folder.name, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        test.addCleanup(self.socket.close)
        self.socket.bind(self.name.replace("@", "\0"))
        self.socket.settimeout(PATIENCE)

    def receive(self):
        return self.socket.recv(4096).decode().split("\n")


class Sockets(BrowserdCase):
    def serve(self, sockets, *args, env=None):
        server = HttpServer(command=activated(sockets, *args), env=env)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def fails(self, status, message, sockets, *args):
        end = subprocess.run(activated(sockets, *args), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(end.returncode, status, end.stderr)
        self.assertRegex(end.stderr, message)

    def test_client_that_connected_before_the_start_is_served(self):
        server = self.start_unchecked(command=activated(["127.0.0.1"]), env={"WAIT_FOR_CLIENT": "1"}, version=None)
        server.wait_stderr("\n")
        port = int(re.search(r"ports (\d+)", server.stderr()).group(1))
        self.assertNotIn("Listening on", server.stderr())
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertIn(b" 200 ", connection.makefile("rb").readline())
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0, server.stderr())

    def test_page_is_driven_through_each_socket(self):
        server = self.serve(["127.0.0.1", "::1"])
        ports = re.search(r"ports (\d+) (\d+)", server.stderr()).groups()
        server.client().navigate("data:text/html,<title>first</title>")
        for host, port in zip(("127.0.0.1", "::1"), ports):
            with socket.create_connection((host, int(port)), PATIENCE) as connection:
                connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                self.assertIn(b" 200 ", connection.makefile("rb").readline())

    def test_sockets_replace_host_and_port(self):
        server = self.serve(["127.0.0.1"], "--host", "0.0.0.0", "--port", "1")
        self.assertEqual(server.ask("GET", "/health")[0], 200)

    def test_children_do_not_inherit_them(self):
        manager = Manager(self)
        server = self.serve(["127.0.0.1"], env={"NOTIFY_SOCKET": manager.name})
        server.client().navigate("data:text/html,<title>x</title>")
        programs = server.processes() - processes.keepers(server.processes())
        self.assertTrue(programs)
        for process in programs:
            with open(f"/proc/{process.pid}/environ", "rb") as file:
                environment = file.read()
            self.assertNotIn(b"LISTEN_", environment)
            self.assertNotIn(b"NOTIFY_SOCKET", environment)

    def test_every_address_counts_for_whether_a_token_is_needed(self):
        for sockets in (["0.0.0.0"], ["::"], ["127.0.0.1", "0.0.0.0"]):
            with self.subTest(sockets):
                self.fails(1, "can be reached from other machines", sockets)

    def test_other_sockets_are_refused(self):
        for kind in ("udp", "unix", "connected"):
            with self.subTest(kind):
                self.fails(2, r"descriptor 4 is not a listening TCP socket", ["127.0.0.1", kind])

    def test_too_many_sockets_are_refused(self):
        self.fails(2, "9 sockets are more than the 8", ["127.0.0.1"] * 9)

    def test_sockets_of_another_process_are_ignored(self):
        client = self.start(command=activated(["127.0.0.1"]), env={"LISTEN_PID": "1"})
        client.request("ping")

    def test_stdio_is_served_where_it_is_asked_for(self):
        client = self.start(command=activated(["127.0.0.1"], "--transport", "stdio"))
        client.request("ping")


class Notifications(BrowserdCase):
    def test_http(self):
        for abstract in (False, True):
            with self.subTest(abstract=abstract):
                manager = Manager(self, abstract)
                server = HttpServer(env={"NOTIFY_SOCKET": manager.name})
                self.addCleanup(server.discard)
                self.assertEqual(manager.receive(), ["READY=1", f"STATUS=Serving http://127.0.0.1:{server.port}/mcp"])
                server.close()
                self.assertEqual(manager.receive(), ["STOPPING=1"])

    def test_stdio(self):
        manager = Manager(self)
        self.start(env={"NOTIFY_SOCKET": manager.name})
        self.assertIn("READY=1", manager.receive())

    def test_failed_start_is_never_ready(self):
        manager = Manager(self)
        end = subprocess.run([binary(), "--port", "0", "--host", "0.0.0.0"], env={**os.environ, "NOTIFY_SOCKET": manager.name},
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
        self.assertEqual(end.returncode, 1)
        self.assertFalse(select.select([manager.socket], [], [], 0)[0])

    def test_manager_that_is_gone_does_not_matter(self):
        client = self.start(env={"NOTIFY_SOCKET": "/nonexistent/notify"})
        client.wait_stderr("cannot connect to /nonexistent/notify")
        client.request("ping")


class FirstProcess(BrowserdCase):
    unshare = ["unshare", "--pid", "--fork", "--mount-proc"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])

    def setUp(self):
        if subprocess.run([*self.unshare, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no process namespace can be made here")

    def test_orphans_are_reaped(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            client = self.start(command=[*self.unshare, "sh", "-c", '(cat "$1" &); shift; exec "$@"', "sh", fifo, binary()])
            writer = os.open(fifo, os.O_WRONLY)
            orphan, = (p for p in processes.descendants(client.process.pid) if p.command()[:1] == ["cat"])
            watch = os.pidfd_open(orphan.pid)
            os.close(writer)
            self.assertTrue(select.select([watch], [], [], PATIENCE)[0])
            os.close(watch)
            for _ in range(1000):  # the answer to a ping may be sent before the signal of the orphan's end is read
                client.request("ping")
                if not os.path.exists(f"/proc/{orphan.pid}"):
                    break
            else:
                self.fail("the orphan is a zombie")

    def test_page_is_driven(self):
        client = self.start(command=[*self.unshare, binary()])
        page = client.session()
        page.navigate("data:text/html,<title>first</title>")
        self.assertEqual(page.evaluate("document.title"), "first")


if __name__ == "__main__":
    main()
