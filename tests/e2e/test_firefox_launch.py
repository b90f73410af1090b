"""How Firefox is started, who can speak to it, and what remains of it."""
import json
import os
import pathlib
import re
import shutil
import socket
import sys
import tempfile

from support import processes
from support.case import BrowserdCase, main, skip

LISTENS, OPEN, TRIES = "0A", "01", "02"  # in /proc/net/tcp
SUPPORT = pathlib.Path(__file__).parent.parent / "support"
PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")


def inodes(pid):
    """Of the sockets that a process has open."""
    found = set()
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            match = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(entry))
        except FileNotFoundError:
            continue
        if match:
            found.add(match[1])
    return found


def ports(pid, state, end=1):
    """The own ports of the TCP sockets of a process in that state, or (end=2) the other ones."""
    lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]]
    held = inodes(pid)
    return [int(line[end].rpartition(":")[2], 16) for line in lines if line[3] == state and line[9] in held]


class FirefoxCase(BrowserdCase):
    def begin(self, *args, **more):
        """A server whose Firefox runs."""
        client = self.start_unchecked("--browser", "firefox", *args, **more)
        client.start_call("create_session", {}).result()
        return client

    def folder_of(self, client):
        command = client.browser().command()
        return pathlib.Path(command[command.index("--profile") + 1])


class Start(FirefoxCase):
    def test_its_port_is_closed_to_everyone_else(self):
        client = self.begin("--browser-connection", "port")
        browser = client.browser()
        self.assertIn("--remote-debugging-port=0", browser.command())
        port, = ports(browser.pid, LISTENS)
        self.assertEqual(ports(browser.pid, OPEN), [port])
        with socket.socket() as stranger:
            stranger.setblocking(False)  # the kernel handles packets to this machine within the call, and drops this one
            stranger.connect_ex(("127.0.0.1", port))
            self.assertIn(port, ports("self", TRIES, end=2))
            self.assertNotIn(port, ports("self", OPEN, end=2))
        client.close()

    def test_no_pipe(self):
        client = self.start("--browser", "firefox", "--browser-connection", "pipe")
        self.assertRegex(client.fail("create_session").message, "Firefox: it has no pipe")

    def test_preferences_of_a_config_file(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        config = folder / "config.json"
        config.write_text(json.dumps({"browser": {"browserName": "firefox", "launchOptions": {"firefoxUserPrefs": {"a.b": "c d", "n": 7}}}}),
                          encoding="utf-8")
        client = self.start_unchecked("--config", str(config))
        client.start_call("create_session", {}).result()
        text = (self.folder_of(client) / "prefs.js").read_text(encoding="utf-8")
        self.assertIn('user_pref("a.b", "c d");', text)
        self.assertIn('user_pref("n", 7);', text)
        client.close()

    def test_root_with_the_home_of_another_user(self):
        if os.geteuid():
            self.skipTest("not root")
        home = self.enterContext(tempfile.TemporaryDirectory())
        os.chown(home, 65534, 65534)
        script = self.script(f'HOME={home} exec "{PROGRAM}" "$@"')
        self.begin("--executable-path", PROGRAM).close()
        client = self.start("--browser", "firefox", "--executable-path", script)
        self.assertRegex(client.fail("create_session").message, "exited with status 1")
        client = self.begin(env={"HOME": home})
        client.close()


class Strangers(FirefoxCase):
    """Another process gets to the port before browserd knows of it."""

    def browser(self, attack, count):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        return self.script(f'exec {sys.executable} {SUPPORT / "firefox_stranger.py"} "{attack}" {count} {folder} {PROGRAM} "$@"')

    def test_a_browser_that_somebody_else_has_reached_is_not_used(self):
        for attack in ("stays", "leaves", "is reset"):
            with self.subTest(attack):
                client = self.begin("--executable-path", self.browser(attack, 1))
                self.assertRegex(client.stderr(), "ended a browser that was starting.*another process has connected to it; starting another")
                client.close()

    def test_the_third_browser_is_the_last_one(self):
        client = self.start("--browser", "firefox", "--executable-path", self.browser("is reset", 3))
        self.assertRegex(client.fail("create_session").message, "debugging port is not private.*another process has connected to it")
        self.assertEqual(processes.wait_gone(client.processes()), set())


class End(FirefoxCase):
    def check_nothing_is_left(self, folder, found):
        self.assertEqual(processes.wait_gone(found), set())
        self.assertFalse(folder.exists())

    def test_the_server_is_killed(self):
        client = self.begin()
        folder, found = self.folder_of(client), client.processes()
        client.process.kill()
        client.process.wait()
        self.check_nothing_is_left(folder, found)

    def test_firefox_is_killed(self):
        client = self.begin()
        folder, found = self.folder_of(client), client.processes()
        client.browser().kill()
        self.check_nothing_is_left(folder, found)
        client.start_call("create_session", {}).result()
        self.assertNotEqual(self.folder_of(client), folder)
        client.close()


class Profile(FirefoxCase):
    def setUp(self):
        self.profile = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "profile"

    def test_it_stays_and_is_used_again(self):
        for _ in range(2):
            client = self.begin("--user-data-dir", str(self.profile))
            self.assertEqual(self.folder_of(client), self.profile)
            client.close()
            self.assertTrue((self.profile / "prefs.js").exists())

    def test_preferences_of_the_user_stay(self):
        self.profile.mkdir()
        (self.profile / "user.js").write_text("// mine\n", encoding="utf-8")
        client = self.start("--browser", "firefox", "--user-data-dir", str(self.profile))
        self.assertRegex(client.fail("create_session").message, "has a file user.js of its own")
        self.assertEqual((self.profile / "user.js").read_text(encoding="utf-8"), "// mine\n")

    def test_another_browser_has_it(self):
        first = self.begin("--user-data-dir", str(self.profile))
        second = self.start("--browser", "firefox", "--user-data-dir", str(self.profile))
        self.assertRegex(second.fail("create_session").message, "Browser is already in use for ")
        first.close()

    def test_extensions_where_connections_are_limited(self):
        (self.profile / "extensions").mkdir(parents=True)
        (self.profile / "extensions" / "a@b.xpi").touch()
        client = self.start("--browser", "firefox", "--user-data-dir", str(self.profile), "--egress", "public")
        self.assertRegex(client.fail("create_session").message, "has extensions")


if not PROGRAM:
    skip("Firefox is not installed")
main()
