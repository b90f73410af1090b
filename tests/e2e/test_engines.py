"""Two browsers with different engines in one server: create_session takes the engine of a session."""
import shutil
import subprocess
import unittest

from support.case import BrowserdCase, ServerCase, main
from support.client import PATIENCE, binary

PAGE = "<title>x</title><script>document.write(`<h1>${navigator.userAgent.includes('Firefox') ? 'Firefox' : 'Chromium'}</h1>`)</script>"


@unittest.skipUnless(shutil.which("firefox-esr"), "no Firefox is installed")
class Engines(ServerCase):
    args = ("--browser", "chromium", "--second-browser", "firefox")

    def open(self, **arguments):
        id = self.client.call("create_session", **arguments)["sessionId"]
        self.addCleanup(self.client.call, "close_session", sessionId=id)
        self.client.call("navigate", sessionId=id, url=self.pages.page(PAGE))
        return self.client.ask("browser_snapshot", sessionId=id)

    def test_a_session_has_the_engine_that_it_asks_for(self):
        self.assertIn('heading "Firefox"', self.open(engine="firefox"))
        self.assertIn('heading "Chromium"', self.open(engine="chromium"))
        self.assertIn('heading "Chromium"', self.open())

    def test_sessions_of_both_are_listed(self):
        for engine in ("firefox", "chromium"):
            self.open(engine=engine)
        self.assertEqual(self.client.call("list_sessions")["count"], 2)

    def test_a_session_begins_with_what_one_of_the_other_engine_has(self):
        store = """new Promise(done => { document.cookie = 'a=b; max-age=1000'; localStorage.setItem('c', 'd'); const open = indexedDB.open('e', 1);
            open.onupgradeneeded = () => open.result.createObjectStore('f').put({ when: new Date(5) }, 'g'); open.onsuccess = () => { open.result.close(); done(1) } })"""
        read = """new Promise(done => { indexedDB.open('e').onsuccess = e => { e.target.result.transaction('f').objectStore('f').get('g').onsuccess = e =>
            done([document.cookie, localStorage.getItem('c'), e.target.result.when.getTime()]) } })"""
        url = self.pages.page(PAGE)
        for one, other in (("chromium", "firefox"), ("firefox", "chromium")):
            first = self.client.session(engine=one)
            first.navigate(url)
            first.evaluate(store)
            second = self.client.session(**{"engine": other, "from": first.id})
            second.navigate(url)
            self.assertEqual(second.evaluate(read), ["a=b", "d", 5])
            for session in first, second:
                session.close()

    def test_an_unknown_engine_is_refused(self):
        self.assertRegex(self.client.fail("create_session", engine="webkit").message, "chromium.*firefox")


class Options(BrowserdCase):
    def test_one_engine_is_not_there_twice(self):
        result = subprocess.run([binary(), "--browser", "chromium", "--second-browser", "chromium"], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("--second-browser", result.stderr)
        self.assertIn("chromium", result.stderr)

    def test_without_a_second_browser_there_is_nothing_to_choose(self):
        self.assertNotIn("engine", self.start().list_tools()["create_session"]["inputSchema"]["properties"])


if __name__ == "__main__":
    main()
