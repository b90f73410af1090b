"""A tab whose renderer has ended: the next call gets a new page, and the console log says why."""
import json
import re
import time

from support.case import main
from support.client import PATIENCE
from support.drop_in import Answer, SharedDropInCase
from support.processes import renderers


class Crash(SharedDropInCase):
    args = ("--caps", "storage,network,tracing,devtools")

    def end_renderers(self):
        for renderer in renderers(self.client.processes()):
            renderer.kill()

    def crash(self):
        """Ends the renderers. The answers until the server has noticed."""
        self.end_renderers()
        answers, until = [], time.monotonic() + PATIENCE
        while not answers or not "about:blank" in answers[-1]:
            self.assertLess(time.monotonic(), until, answers[-1:])
            answers.append(self.ask("browser_tabs", action="list").text)
        self.assertNotIn("[crashed]", answers[-1])
        return answers

    def test_the_page_is_replaced(self):
        self.show("<script>console.error('before')</script><button>old</button>")
        answers = self.crash()
        snapshot = self.ask("browser_snapshot")
        self.assertIn("- Page URL: about:blank", snapshot.section("Page"))
        log = re.search(r"New console entries: (\S+)#L1", "".join(answers) + snapshot.text)
        text = (self.folder / log[1]).read_text(encoding="utf-8")
        self.assertRegex(text, r"\A\[ +0ms\] Error: Page crashed and was reset to about:blank\.\n")
        shown = self.show("<script>console.error('after')</script><button>new</button>")
        self.assertIn("- Console: 1 errors, 0 warnings", shown.section("Page"))
        log = re.search(r"New console entries: (\S+)#L1", shown.section("Events"))
        self.assertIn("[ERROR] after @", (self.folder / log[1]).read_text(encoding="utf-8"))
        self.assertIn('- button "new"', self.ask("browser_snapshot").snapshot)

    def open_and_crash(self):
        """The answer to browser_tabs, action "new", of a page whose renderer ends while it loads."""
        url = self.site.endless()
        call = self.client.start_call("browser_tabs", {"action": "new", "url": url})
        self.site.wait_request(url)
        self.end_renderers()
        return Answer(call.result())

    def close_all(self):
        while "No open tabs" not in (text := self.ask("browser_tabs", action="close").text):
            self.assertIn("(current)", text)

    def test_a_new_tab_crashes_that_is_the_only_one(self):
        self.close_all()
        answer = self.open_and_crash()
        self.assertTrue(answer.is_error, answer)
        self.assertIn("crashed", answer.error)
        self.show("<p>goes on")
        self.assertIn("goes on", self.ask("browser_snapshot").text)

    def test_a_new_tab_crashes_beside_one_that_has_crashed(self):
        self.show("<p>first")
        self.crash()
        answer = self.open_and_crash()
        self.assertTrue(answer.is_error, answer)
        self.assertIn("crashed", answer.error)

    def test_a_tab_that_is_sent_to_its_end(self):
        """The next list shows what became of it: beside another one that it has crashed, and as the current one that it is replaced."""
        self.addCleanup(self.close_all)
        second = self.site.page("second")
        for back in (True, False):
            with self.subTest(back=back):
                self.close_all()
                self.show("<p>first", title="first")
                self.ask("browser_tabs", action="new", url=second)
                self.assertIn("net::ERR_ABORTED at chrome://crash", self.ask("browser_navigate", url="chrome://crash").error)
                if back:
                    self.assertIn(f"- 1: []({second}) [crashed]", self.ask("browser_tabs", action="select", index=0).result)
                listed = self.ask("browser_tabs", action="list")
                self.assertIn(f"- 1: []({second}) [crashed]" if back else "- 1: (current) [](about:blank)", listed.result.splitlines())
                self.assertEqual("New console entries" in (listed.section("Events") or ""), not back)

    def test_code_is_told(self):
        self.show("<p>first")
        answer = self.ask("browser_run_code_unsafe", code="""async page => {
            const other = await page.context().newPage(), ends = [];
            for (const name of ['close', 'crash'])
                other.on(name, ended => ends.push([name, ended === other]));
            const crash = other.waitForEvent('crash');
            other.goto('chrome://crash').catch(() => {});
            await crash;
            const failed = await other.evaluate(() => 1).catch(error => error.message);
            await other.close();
            return [ends, other.isClosed(), failed.trim(), await page.evaluate(() => document.body.textContent)];
        }""")
        self.assertEqual(json.loads(answer.result or "null"), [[["crash", True]], False, "page.evaluate: Target crashed", "first"], answer)

    def test_tools_that_need_no_tab_work_without_one(self):
        for tool, arguments in (("browser_cookie_list", {}), ("browser_storage_state", {}), ("browser_route_list", {}),
                                ("browser_network_state_set", {"state": "online"}), ("browser_start_tracing", {}),
                                ("browser_stop_tracing", {}), ("browser_start_video", {}), ("browser_stop_video", {}),
                                ("browser_cookie_set", {"name": "a", "value": "b", "domain": "127.0.0.1"}),
                                ("browser_cookie_clear", {}), ("browser_tabs", {"action": "close"}), ("browser_close", {})):
            with self.subTest(tool):
                self.close_all()
                answer = self.ask(tool, **arguments)
                self.assertFalse(answer.is_error, answer)


if __name__ == "__main__":
    main()
