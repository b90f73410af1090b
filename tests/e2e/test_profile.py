"""A profile folder that is kept: what it keeps, for whom, and that one server at a time has it."""
import os
import pathlib
import tempfile

from support.case import BrowserdCase, main

SET = "() => { document.cookie = 'kept=1;max-age=9999'; localStorage.kept = 'yes'; }"
GET = "() => document.cookie + ' ' + localStorage.kept"


class Profile(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.site = self.pages()
        self.url = self.site.page("x")

    def ask(self, client, tool, **arguments):
        return client.start_call("browser_" + tool, arguments).result()["content"][0]["text"]

    def at(self, client, function):
        self.ask(client, "navigate", url=self.url)
        return self.ask(client, "evaluate", function=function)

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
        self.ask(client, "close")
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
        self.assertIn("- 1: ", self.ask(client, "tabs", action="list"))

    def test_a_profile_in_use(self):
        profile = str(self.folder / "profile")
        self.at(self.server("--user-data-dir", profile), SET)
        answer = self.at(self.server("--user-data-dir", profile), GET)
        self.assertIn(f"already in use for {profile}", answer)
        self.assertIn("--isolated", answer)

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


if __name__ == "__main__":
    main()
