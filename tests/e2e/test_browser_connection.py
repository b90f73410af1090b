"""Who can speak to the browser: browserd alone, over its debugging port or a socket without a name, whatever starts the browser."""
import os
import pathlib
import re
import socket
import sys
import tempfile

from support import processes
from support.case import BrowserdCase, main
from support.chromium import installed
from support.client import binary

LISTENS, OPEN = "0A", "01"  # in /proc/net/tcp
SUPPORT = pathlib.Path(__file__).parent.parent / "support"
PIDFD_GETFD = 438


def sockets(process):
    """Inodes of the sockets that a process has open, by descriptor."""
    found = {}
    for entry in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            match = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(entry))
        except FileNotFoundError:
            continue
        if match:
            found[int(entry.name)] = match[1]
    return found


def tcp(state):
    """Inodes of all TCP sockets of this machine in a state, each with its own and the other port."""
    lines = [line.split() for name in ("tcp", "tcp6") for line in pathlib.Path("/proc/net", name).read_text().splitlines()[1:]]
    return {line[9]: [int(end.rpartition(":")[2], 16) for end in line[1:3]] for line in lines if line[3] == state}


class ConnectionCase(BrowserdCase):
    def setUp(self):
        self.web = self.pages()

    def started(self, *args, **more):
        client = self.start(*args, **more)
        session = client.session()
        self.assertEqual(session.navigate(self.web.page("x", title="alive"))["title"], "alive")
        return client

    def check_silence(self, client):
        """Nothing that the server has started listens. Returns the sockets of each process."""
        held = {process: set(sockets(process).values()) for process in client.processes()}
        self.assertEqual([process.command() for process, open_ in held.items() if tcp(LISTENS).keys() & open_], [])
        return held

    def arguments(self, client):
        return client.browser().command()


class Port(ConnectionCase):
    def check(self, client):
        """The browser has one connection, which is browserd's, and takes no other."""
        held, opened = self.check_silence(client), tcp(OPEN)
        self.assertIn("--remote-debugging-port=0", self.arguments(client))
        ports = [opened[inode] for inode in held[client.browser()] & opened.keys()]
        self.assertEqual(len(ports), 1, ports)
        own = {inode for inode in sockets(processes.Process(client.process.pid, 0)).values() if opened.get(inode) == ports[0][::-1]}
        self.assertEqual(len(own), 1)
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", ports[0][0]))

    def test_the_port_is_closed_to_everyone_else(self):
        client = self.started()
        self.check(client)
        self.assertNotIn("pipe", client.stderr())

    def test_the_port_is_asked_for(self):
        self.check(self.started("--browser-connection", "port"))

    def test_a_page_cannot_use_it(self):
        client = self.started()
        port = next(tcp(OPEN)[inode][0] for inode in sockets(client.browser()).values() if inode in tcp(OPEN))
        session = client.session()
        self.assertRegex(session.fail("navigate", url=f"http://127.0.0.1:{port}/json/version").message, "ERR_CONNECTION_REFUSED")

    def test_a_script_that_becomes_the_browser(self):
        self.check(self.started("--executable-path", self.script(f'exec {installed()} "$@"')))

    def test_a_script_that_waits_for_the_browser(self):
        client = self.started("--executable-path", self.script(f'{installed()} "$@"\nexit $?'))
        self.check(client)
        browser = client.browser()
        browser.kill()
        self.assertEqual(processes.wait_gone({browser}), set())
        client.start_call("create_session", {}).result()  # it may be the one that learns of the death
        self.assertEqual(client.session().evaluate("1 + 1"), 2)
        self.check(client)

    def test_large_messages(self):
        session = self.started().session()
        self.assertEqual(len(session.evaluate("'x'.repeat(4e6)")), 4000000)
        self.assertEqual(session.evaluate(f"'{'y' * 900000}'.length"), 900000)

    def test_the_browser_ends_with_the_server(self):
        client = self.start_unchecked()
        client.session()
        browser = client.browser()
        client.process.kill()
        client.process.wait()
        self.assertEqual(processes.wait_gone({browser}), set())


class Strangers(ConnectionCase):
    """Another process gets to the port before browserd knows of it."""

    def browser(self, attack, count):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        return self.script(f'exec {sys.executable} {SUPPORT / "stranger.py"} "{attack}" {count} {folder} {installed()} "$@"')

    def test_nobody_was_there(self):
        client = self.started("--executable-path", self.browser("stays", 0))
        self.assertIn("--remote-debugging-port=0", self.arguments(client))

    def test_a_browser_that_somebody_else_has_used_is_not_used(self):
        for attack in ("stays", "leaves", "is reset", "opens a page"):
            with self.subTest(attack):
                client = self.started("--executable-path", self.browser(attack, 1))
                self.assertIn("--remote-debugging-port=0", self.arguments(client))
                reason, = re.findall("ended a browser that was starting.*: (.*); the next one uses another port", client.stderr())
                self.assertRegex(reason, "another process has connected to it|the browser has pages, contexts or clients")

    def test_the_third_browser_is_the_last_one(self):
        client = self.start("--browser-connection", "port", "--executable-path", self.browser("is reset", 3))
        error = client.fail("create_session")
        self.assertEqual(error.code, "BROWSER_ERROR")
        self.assertRegex(error.message, "debugging port is not private.*another process has connected to it")
        self.assertEqual(client.stderr().count("ended a browser that was starting"), 2)
        self.assertEqual(processes.wait_gone(client.processes()), set())

    def test_the_pipe_after_three_browsers(self):
        client = self.started("--executable-path", self.browser("is reset", 99))
        self.assertIn("--remote-debugging-pipe", self.arguments(client))
        self.assertRegex(client.stderr(), "another process has connected to it; the next one uses a pipe")
        self.check_silence(client)

    def test_pages_that_were_there_first(self):
        """No trace of a connection, but the browser is not as it starts."""
        client = self.start("--browser-connection", "port", "--executable-path",
                            self.script(f'exec {installed()} "$@" "data:text/html,<title>mine</title>"'))
        self.assertRegex(client.fail("create_session").message, "has pages, contexts or clients that a browser that has just started")


class Pipe(ConnectionCase):
    args = ("--browser-connection", "pipe")

    def check(self, client):
        """The browser listens nowhere, and its own process holds the connection. Returns the other processes that do."""
        self.check_silence(client)
        held = {process: sockets(process) for process in client.processes()}
        browser = client.browser()
        self.assertEqual(held[browser][3], held[browser][4])
        return {process for process, open_ in held.items() if held[browser][3] in open_.values()} - {browser}

    def test_nothing_listens(self):
        client = self.started(*self.args)
        self.assertEqual(self.check(client), set())
        self.assertNotIn("instead of its debugging port", client.stderr())

    def test_a_script_that_becomes_the_browser(self):
        client = self.started(*self.args, "--executable-path", self.script(f'exec {installed()} "$@"'))
        others = {process for process in self.check(client) if "sh" not in os.path.basename(process.command()[0])}
        self.assertEqual(others, set())

    def test_a_script_that_waits_for_the_browser(self):
        client = self.started(*self.args, "--executable-path", self.script(f'{installed()} "$@"\nexit $?'))
        others = self.check(client)
        self.assertTrue(others, "the script has it, too")
        self.assertTrue(all("sh" in os.path.basename(process.command()[0]) for process in others), others)
        browser = client.browser()
        browser.kill()
        self.assertEqual(processes.wait_gone({browser}), set())
        client.start_call("create_session", {}).result()  # it may be the one that learns of the death
        self.assertEqual(client.session().evaluate("1 + 1"), 2)

    def test_a_script_that_closes_it(self):
        client = self.start(*self.args, "--executable-path", self.script(f'exec {installed()} "$@" 3<&- 4>&-'))
        error = client.fail("create_session")
        self.assertEqual(error.code, "BROWSER_ERROR")
        self.assertRegex(error.message, "(?s)before it was ready.*[Rr]emote debugging pipe")

    def test_the_browser_ends_with_the_connection(self):
        client = self.start_unchecked(*self.args)
        client.session()
        browser = client.browser()
        client.process.kill()
        client.process.wait()
        self.assertEqual(processes.wait_gone({browser}), set())


class Fallback(ConnectionCase):
    """What cannot be made private is not used, and the server says so."""

    def check(self, reason, *args, level="notice", **more):
        client = self.started(*args, **more)
        self.assertIn("--remote-debugging-pipe", self.arguments(client))
        self.assertRegex(client.stderr(), f"{level}: talking to the browser through a pipe instead of its debugging port: {reason}")

    def fails(self, reason, *args, **more):
        error = self.start("--browser-connection", "port", *args, **more).fail("create_session")
        self.assertEqual(error.code, "BROWSER_ERROR")
        self.assertRegex(error.message, rf"cannot be made private \(--browser-connection port\): {reason}")

    def test_a_profile_on_disk(self):
        for test, said in ((self.check, {"level": "info"}), (self.fails, {})):  # as always with a profile on disk: no news
            profile = self.enterContext(tempfile.TemporaryDirectory())
            test("its profile stays on disk", "--user-data-dir", profile, "--log-level", "info", **said)

    def test_a_kernel_that_does_not_permit_it(self):
        for test, args in ((self.check, ()), (self.fails, ("--browser-connection", "port"))):
            command = [sys.executable, str(SUPPORT / "deny.py"), str(PIDFD_GETFD), binary(), *args]
            test(r"sockets of child processes cannot be taken \(pidfd_getfd\): Operation not permitted", command=command)


if __name__ == "__main__":
    main()
