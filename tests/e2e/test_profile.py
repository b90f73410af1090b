"""A profile folder that is kept: what it keeps, for whom, and that one server at a time has it."""
import contextlib
import fcntl
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

from support import processes
from support.case import BrowserdCase, main
from support.chromium import installed
from support.client import PATIENCE, Session
from support.memory import EXACT, resident

SET = "() => { document.cookie = 'kept=1;max-age=9999'; localStorage.kept = 'yes'; }"
GET = "() => document.cookie + ' ' + localStorage.kept"


class Profile(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.site = self.pages()
        self.url = self.site.page("x")

    def at(self, client, function):
        client.ask("browser_navigate", url=self.url)
        return client.ask("browser_evaluate", function=function)

    def server(self, *args, **more):
        return self.start("--output-dir", str(self.folder / "output"), *args, **more)

    def test_cookies_and_storage_survive_the_server(self):
        profile = self.folder / "made" / "profile"
        client = self.server("--user-data-dir", str(profile))
        self.at(client, SET)
        client.close()
        self.assertTrue(profile.is_dir())
        self.assertIn('"kept=1 yes"', self.at(self.server("--user-data-dir", str(profile)), GET))

    def test_closing_the_browser_keeps_them_too(self):
        client = self.server("--user-data-dir", str(self.folder / "profile"))
        self.at(client, SET)
        client.ask("browser_close")
        self.assertIn('"kept=1 yes"', self.at(client, GET))

    def test_named_sessions_are_isolated_all_the_same(self):
        client = self.server("--user-data-dir", str(self.folder / "profile"))
        self.at(client, SET)
        session = client.session()
        session.navigate(self.url)
        self.assertEqual(session.evaluate("document.cookie"), "")

    def test_popups_of_the_profile_are_tabs(self):
        client = self.server("--user-data-dir", str(self.folder / "profile"))
        self.at(client, "() => { window.open('about:blank'); }")
        self.assertIn("- 1: ", client.ask("browser_tabs", action="list"))

    def test_a_profile_in_use(self):
        profile = str(self.folder / "profile")
        self.at(self.server("--user-data-dir", profile), SET)
        answer = self.at(self.server("--user-data-dir", profile), GET)
        self.assertIn(f"already in use for {profile}", answer)
        self.assertIn("--isolated", answer)
        self.assertRegex(answer, r"process \d+ \(browserd\) has this profile")

    def test_a_lock_that_every_user_who_may_read_the_folder_can_take(self):
        profile = self.folder / "profile"
        profile.mkdir(mode=0o755)
        other = os.open(profile, os.O_RDONLY)
        self.addCleanup(os.close, other)
        fcntl.flock(other, fcntl.LOCK_EX)
        self.assertIn("### Page", self.server("--user-data-dir", str(profile)).ask("browser_navigate", url=self.url))
        self.assertEqual((profile / "browserd.lock").stat().st_mode & 0o777, 0o600)

    def test_a_restart_waits_for_a_browser_that_is_ending(self):
        profile = str(self.folder / "profile")
        for _ in range(2):
            client = self.start_unchecked("--user-data-dir", profile, "--output-dir", str(self.folder / "output"))
            self.assertIn("### Page", self.at(client, SET) + client.ask("browser_snapshot"))
            client.process.kill()

    def test_a_profile_that_another_chromium_has(self):
        profile = self.folder / "profile"
        with subprocess.Popen([installed(), "--no-sandbox", "--headless", f"--user-data-dir={profile}", "about:blank"],
                              stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True) as other:
            try:
                self.wait_for_database(profile)
                answer = self.server("--user-data-dir", str(profile)).ask("browser_navigate", url=self.url)
            finally:
                os.killpg(other.pid, signal.SIGKILL)
        self.assertIn(f"already in use for {profile}", answer)
        self.assertRegex(answer, r"process \d+ \(\S+\) has this profile")
        self.assertIn("--user-data-dir", answer)
        self.assertNotIn("output ends with", answer)

    @staticmethod
    def wait_for_database(profile):
        """Until a browser holds the lock of its storage in this profile."""
        path = profile / "Default" / "Local Storage" / "leveldb" / "LOCK"
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(FileNotFoundError), open(path, "r+b") as file:
                try:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return
            time.sleep(0.02)
        raise AssertionError("the browser has not opened its profile")

    def singleton(self, host):
        """A profile with the lock that a Chromium with windows leaves in it, and its socket."""
        profile = self.folder / "profile"
        profile.mkdir()
        listener = self.enterContext(socket.socket(socket.AF_UNIX))
        listener.bind(str(self.folder / "socket"))
        listener.listen(1)
        os.symlink(self.folder / "socket", profile / "SingletonSocket")
        os.symlink(f"{host}-{os.getpid()}", profile / "SingletonLock")
        return profile, listener

    def test_a_profile_that_a_chromium_with_windows_has(self):
        profile, _ = self.singleton(socket.gethostname())
        answer = self.server("--user-data-dir", str(profile)).ask("browser_navigate", url=self.url)
        self.assertIn(f"already in use for {profile}", answer)
        self.assertIn(f"process {os.getpid()} (", answer)

    def test_a_lock_that_a_killed_chromium_left_behind(self):
        profile, listener = self.singleton(socket.gethostname())
        listener.close()
        self.assertIn("### Page", self.server("--user-data-dir", str(profile)).ask("browser_navigate", url=self.url))

    def test_after_a_kill_it_can_be_used_again(self):
        profile = str(self.folder / "profile")
        client = self.start_unchecked("--user-data-dir", profile, "--output-dir", str(self.folder / "output"))
        self.at(client, SET)
        browser = client.processes()
        client.process.kill()
        client.wait()
        client.check_clean(browser)
        self.assertIn('"kept=1 yes"', self.at(self.server("--user-data-dir", profile), GET))

    def test_the_other_name_keeps_one_for_each_working_folder(self):
        command = [os.environ["PLAYWRIGHT_MCP"], "--headless", "--output-dir", str(self.folder / "output")]
        env = {"PWMCP_PROFILES_DIR_FOR_TEST": str(self.folder / "profiles")}
        client = self.start(command=command, env=env)
        self.at(client, SET)
        client.close()
        self.assertIn('"kept=1 yes"', self.at(self.start(command=command, env=env), GET))
        self.assertEqual(len(list((self.folder / "profiles").iterdir())), 1)

    def test_the_idle_limit_gives_the_profile_back(self):
        client = self.server("--user-data-dir", str(self.folder / "profile"), "--idle-timeout", "300")
        for _ in range(2):
            self.at(client, SET)
            self.assertEqual(processes.wait_gone(client.processes()), set())
        self.assertIn('"kept=1 yes"', self.at(client, GET))

    def test_extensions_of_the_profile_are_loaded(self):
        """Unless they could change the proxy that limits where pages may connect."""
        profile = ("--user-data-dir", str(self.folder / "profile"))
        for args, disabled in ((profile, False), ((*profile, "--egress", "all"), True), ((), True)):
            with self.subTest(args):
                client = self.server(*args)
                self.at(client, SET)
                self.assertEqual("--disable-extensions" in client.browser().command(), disabled)
                client.ask("browser_close")

    def test_named_sessions_keep_the_browser(self):
        client = self.server("--user-data-dir", str(self.folder / "profile"))
        session = client.session()
        self.at(client, SET)
        browser = client.browser()
        client.ask("browser_close")
        self.assertEqual(session.evaluate("1 + 1"), 2)
        self.assertEqual(client.browser(), browser)
        session.close()
        self.assertEqual(processes.wait_gone({browser}), set())


class WithoutProfile(BrowserdCase):
    """A browser that keeps nothing ends some time after its last session."""

    def test_it_stays_for_the_next_session(self):
        client = self.start()
        client.session().close()
        browser = client.browser()
        client.session().close()
        self.assertEqual(client.browser(), browser)

    def test_it_ends_with_the_last_session(self):
        client = self.start("--browser-linger", "300")
        sessions = [client.session(), client.session()]
        sessions[0].close()
        browser = client.browser()
        self.assertEqual(sessions[1].evaluate("1 + 1"), 2)
        sessions[1].close()
        self.assertEqual(processes.wait_gone(client.processes()), set())
        self.assertEqual(client.session().evaluate("1 + 1"), 2)
        self.assertNotEqual(client.browser(), browser)
        self.assertNotIn("warning", client.stderr())

    def test_sessions_that_are_made_while_it_ends(self):
        client = self.start("--browser-linger", "0")
        opened = client.session()
        for _ in range(4):
            closing = opened.start("close_session")
            making = [client.start_call("create_session", {}) for _ in range(3)]
            closing.result()
            *others, last = [Session(client, reply.value()["sessionId"]) for reply in making]
            for session in others:
                session.close()
            self.assertEqual(last.evaluate("1 + 1"), 2)
            opened = last

    def test_nothing_of_it_is_left(self):
        client = self.start("--browser-linger", "0", env=EXACT)
        counts = []
        for _ in range(6):
            client.session().close()
            self.assertEqual(processes.wait_gone(client.processes()), set())
            client.call("list_sessions")
            counts.append((processes.descriptors(client.process.pid), resident(client.process)))
        self.assertEqual(counts[1][0], counts[-1][0])
        self.assertLess(counts[-1][1] - counts[1][1], 2 << 20, counts)
        self.assertEqual(processes.leftovers(client.home), [])


if __name__ == "__main__":
    main()
