"""A profile on disk under the name playwright-mcp: clients that end and start again at once find it free, with what it keeps."""
import signal

from support import processes
from support.case import main
from support.drop_in import HIDDEN_DATE, PLAIN, REFERENCE, DropInCase

WINDOWLESS = [arg for arg in PLAIN if arg != "--isolated"]


class DropInProfile(DropInCase):
    def start_on(self, *args, **more):
        return self.serve(*WINDOWLESS, *args, plain=False, **more)

    def show_page(self, client):
        answer = self.open(client, "<h1>Kept</h1>")
        self.assertFalse(answer.is_error, answer)
        return answer

    def evaluate(self, client, function):
        return self.call(client, "browser_evaluate", function=function).result

    def test_a_client_that_starts_again_at_once(self):
        args = ["--user-data-dir", self.folder / "profile"]
        for _ in range(3):
            client = self.start_on(*args)
            self.show_page(client)
            client.close_stdin()

    def test_the_default_profile_when_a_signal_ended_the_last_server(self):
        env = {"PWMCP_PROFILES_DIR_FOR_TEST": str(self.folder / "profiles")}
        for _ in range(2):
            client = self.start_on(env=env)
            self.show_page(client)
            client.process.send_signal(signal.SIGTERM)
        self.assertEqual(len(list((self.folder / "profiles").iterdir())), 1)

    def test_each_working_directory_has_a_profile(self):
        """It is the same one when a server starts there again, and other servers can run meanwhile."""
        env = {"XDG_CACHE_HOME": str(self.folder / "cache"), "PWMCP_PROFILES_DIR_FOR_TEST": str(self.folder / "cache" / "profiles")}
        if not REFERENCE:  # it has another name in the cache directory than that of the reference
            del env["PWMCP_PROFILES_DIR_FOR_TEST"]
        url = self.site.page("<p>Basket</p>")
        clients = []
        for name, stored in (("one", "null"), ("two", "null"), ("one", '"one"')):
            here = self.folder / name
            here.mkdir(exist_ok=True)
            client = self.start_on(cwd=here, env=env)
            self.call(client, "browser_navigate", url=url)
            self.assertEqual(self.evaluate(client, "() => localStorage.getItem('basket')"), stored)
            self.evaluate(client, f"() => {{ localStorage.basket = '{name}'; }}")
            clients.append(client)
            if name == "two":
                self.call(clients[0], "browser_close")
                clients[0].close_stdin()
        self.assertEqual(len(list((self.folder / "cache").glob("*/mcp-*"))), 2)

    def test_an_isolated_server_keeps_nothing(self):
        url = self.site.page("<p>Basket</p>")
        client = self.start_on("--isolated", env={"PWMCP_PROFILES_DIR_FOR_TEST": str(self.folder / "profiles")})
        for _ in range(2):
            self.call(client, "browser_navigate", url=url)
            self.assertEqual(self.evaluate(client, "() => localStorage.getItem('basket')"), "null")
            self.evaluate(client, "() => { localStorage.basket = 'full'; }")
            self.call(client, "browser_close")
        self.assertFalse(list(self.folder.glob("profiles/*")))

    def test_closing_the_browser_and_going_on(self):
        client = self.start_on("--user-data-dir", self.folder / "profile")
        for _ in range(2):
            self.show_page(client)
            self.call(client, "browser_close")

    def test_the_log_that_DEBUG_asks_for(self):
        """All of stderr, where a program may compare it."""
        for args, begin in ((["--isolated"], ["create browser (isolated)", "connect to shared browser", "create context"]),
                            (["--user-data-dir", self.folder / "profile"], ["create browser (persistent)", "create context"])):
            with self.subTest(args):
                client = self.start_on(*args, env=HIDDEN_DATE)
                self.show_page(client)
                self.call(client, "browser_close")
                self.show_page(client)
                client.close_stdin()
                client.wait()
                said = [line for line in client.stderr().splitlines() if not line.startswith("==")]  # those are of a sanitizer
                expected = [*begin, "close browser", *begin, "close browser", "gracefully closing 1"]
                self.assertEqual(said, [f"pw:mcp:test {line}" for line in expected])

    def test_the_log_counts_a_browser_that_is_starting(self):
        slow = self.folder / "slow"
        slow.write_text("#!/bin/sh\nexec sleep 60\n")
        slow.chmod(0o755)
        client = self.serve("--headless", "--isolated", "--executable-path", slow, plain=False, env=HIDDEN_DATE)
        client.start_call("browser_navigate", {"url": "about:blank"})
        client.wait_stderr("create browser (isolated)")
        client.process.send_signal(signal.SIGTERM)
        client.wait()
        self.assertIn("pw:mcp:test gracefully closing 1", client.stderr().splitlines())

    def test_servers_that_have_a_profile_in_turns(self):
        """browser_close ends the browser, which gives the profile back; the next call starts another one."""
        args = ["--user-data-dir", self.folder / "profile"]
        one, two = self.start_on(*args), self.start_on(*args)
        for client in (one, two, one):
            self.show_page(client)
            self.call(client, "browser_close")
            self.assertEqual(processes.browsers(client.processes()), set())

    def test_what_a_page_stored_is_there_after_a_restart(self):
        args = ["--user-data-dir", self.folder / "profile"]
        url = self.site.page("<p>Basket</p>")
        client = self.start_on(*args)
        self.call(client, "browser_navigate", url=url)
        self.evaluate(client, "() => { localStorage.basket = 'three pears'; document.cookie = 'visit=7;max-age=600'; }")
        self.call(client, "browser_close")
        client.close_stdin()
        client = self.start_on(*args)
        self.call(client, "browser_navigate", url=url)
        self.assertEqual(self.evaluate(client, "() => localStorage.basket + ' ' + document.cookie"), '"three pears visit=7"')


if __name__ == "__main__":
    main()
