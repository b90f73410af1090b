"""Pages that hang, shout, block or never let go: every call still answers, and other sessions do not notice."""
import threading

from support.case import ServerCase, main
from support.client import ToolError

BUSY = "<script>while (1);</script>"


class Hostile(ServerCase):
    args = ("--max-sessions", "50", "--timeout-action", "1000")

    def others_work(self):
        """Another session navigates, clicks and types while this one is in trouble."""
        session = self.show("<button onclick=\"document.title='clicked'\">go</button><input>", title="other")
        session.click("button")
        session.type("input", "text")
        self.assertEqual(session.evaluate("document.title + document.querySelector('input').value"), "clickedtext")

    def test_dialogs_while_loading(self):
        for script in ("alert('hello')", "confirm('sure?')", "prompt('name?', 'x')", "alert(1); alert(2); confirm(3); alert(4)"):
            with self.subTest(script):
                answer = self.session().navigate(self.pages.page(f"<script>{script}; document.title += ' done'</script>"))
                self.assertEqual(answer["title"], "test done")

    def test_dialogs_after_loading(self):
        session = self.show("<button onclick=\"alert('a'); document.title = 'answered'\">go</button><input oninput='confirm(1)'>")
        session.click("button")
        self.assertEqual(session.evaluate("document.title"), "answered")
        session.type("input", "ab")
        self.assertEqual(session.evaluate("document.querySelector('input').value"), "ab")

    def test_leaving_a_page_that_asks_to_stay(self):
        session = self.show("<button>go</button><script>onbeforeunload = e => { e.preventDefault(); return 'stay'; }</script>")
        session.click("button")  # without a gesture Chromium does not ask
        self.assertEqual(session.navigate(self.pages.page("x", title="left"))["title"], "left")

    def test_closing_a_page_that_asks_to_stay(self):
        session = self.show("<button>go</button><script>onbeforeunload = e => { e.preventDefault(); return 'stay'; }</script>")
        session.click("button")
        self.assertTrue(session.close()["success"])

    def test_a_title_of_50_megabytes(self):
        for text, count in (("x", 50e6), ("\\u{1F600}", 2e6), ("\\ud800", 4e6)):
            with self.subTest(text):
                session = self.session()
                url = self.pages.page(f"<script>document.title = '{text}'.repeat({count})</script>")
                answer = session.navigate(url)
                self.assertTrue(answer["title"].startswith(("x", "\U0001F600", "\ufffd")))
                self.assertLess(len(answer["title"]), 10000)
                listed = self.client.call("list_sessions")["sessions"]
                self.assertTrue(all(len(entry["title"]) < 10000 for entry in listed))
                session.close()

    def test_a_long_address(self):
        session = self.show("x")
        session.call("evaluate", expression="history.pushState(0, '', '?' + 'y'.repeat(1000000)) || 1", timeout=60000)
        self.client.call("list_sessions")
        self.assertEqual(session.navigate("about:blank")["url"], "about:blank")

    def test_busy_for_ever_while_loading(self):
        session, url = self.session(), self.pages.page(BUSY)
        error = session.fail("navigate", url=url, timeout=1000)
        self.assertEqual((error.code, error.session_id), ("NAVIGATION_FAILED", session.id))
        self.others_work()
        self.assertTrue(session.close()["success"])

    def test_busy_for_ever_after_loading(self):
        session = self.show("<button>go</button><input><script>onclick = () => { while (1); }</script>")
        started = session.start("click", selector="button", timeout=500)
        self.others_work()
        try:
            started.value()
        except ToolError as error:
            self.assertTrue(error.code)
        for tool, more in (("click", {"selector": "button", "timeout": 500}),
                           ("type", {"selector": "input", "text": "x", "timeout": 500})):
            with self.subTest(tool):
                self.assertTrue(session.fail(tool, **more).code)
        self.others_work()
        self.assertTrue(session.close()["success"])

    def test_closing_a_busy_page_with_a_call_in_flight(self):
        session, url = self.session(), self.pages.page(BUSY)
        stuck = session.start("navigate", url=url)
        self.pages.wait_request(url)
        self.assertTrue(session.close()["success"])
        self.assertTrue(stuck.failure().code)

    def test_50_megabytes_to_the_console(self):
        session = self.session()
        url = self.pages.page("<script>for (let i = 0; i < 37; i++) console.log(('x' + i).repeat(5e5));</script>", title="loud")
        shouting = threading.Thread(target=self.others_work)
        shouting.start()
        self.assertEqual(session.navigate(url, timeout=300000)["title"], "loud")
        shouting.join()
        self.assertEqual(session.evaluate("1 + 1"), 2)

    def test_many_small_console_messages_and_errors(self):
        session = self.show("<script>for (let i = 0; i < 5000; i++) { console.log({a: [i]}); Promise.reject(i); }</script>")
        self.assertEqual(session.evaluate("1 + 1"), 2)

    def test_frames_without_end(self):
        url = self.pages.unique()
        self.pages.route(url, f"<title>deep</title><iframe src='{url}?a'></iframe><iframe src='{url}?b'></iframe>")
        session = self.session()
        session.start("navigate", url=self.pages.url(url), timeout=3000).result()
        self.others_work()
        self.assertTrue(session.close()["success"])

    def test_windows_that_the_page_opens(self):
        popup = self.pages.page("popup", title="popup")
        session = self.show(f"<button onclick=\"for (let i = 0; i < 5; i++) window.open('{popup}', '_blank')\">go</button>", title="opener")
        session.click("button")
        self.pages.wait_request(popup)
        self.assertEqual(session.evaluate("document.title"), "opener")
        self.assertTrue(session.close()["success"])

    def test_a_page_that_closes_itself(self):
        session = self.show("<button onclick='window.close()'>go</button>")
        session.start("evaluate", expression="window.close()").result()
        session.start("click", selector="button", timeout=500).result()
        session.start("navigate", url="about:blank").result()
        self.others_work()

    def test_a_page_that_changes_the_language_itself(self):
        """Scripts of browserd run where the page cannot reach them."""
        session = self.show("<button onclick=\"document.title='clicked'\">go</button><input>", head="""<script>
            document.querySelector = document.querySelectorAll = () => { throw 1; };
            Element.prototype.getBoundingClientRect = () => ({x: 0, y: 0, width: 0, height: 0});
            Object.defineProperty(HTMLInputElement.prototype, 'value', {get() { throw 2; }});
            Array.prototype[Symbol.iterator] = Array.from = Promise.prototype.then = null; JSON.stringify = null;
            window.setTimeout = window.requestAnimationFrame = () => 0;</script>""")
        session.click("button")
        session.type("input", "typed")
        self.assertEqual(self.client.call("list_sessions")["sessions"][-1]["title"], "clicked")

    def test_policies_of_the_page_do_not_bind(self):
        session = self.show("<button onclick=1>go</button><input>", head="<meta http-equiv=Content-Security-Policy "
                            "content=\"default-src 'none'; script-src 'none'; require-trusted-types-for 'script'\">")
        session.click("button")
        session.type("input", "typed")
        self.assertEqual(session.evaluate("document.querySelector('input').value"), "typed")

    def test_a_page_of_many_elements(self):
        session = self.show("<script>document.write('<div><p><button>x</button></p></div>'.repeat(20000))</script><button id=last>x")
        session.click("#last")
        self.assertRegex(session.fail("click", selector="p > button", timeout=300).message, "20000 elements")


if __name__ == "__main__":
    main()
