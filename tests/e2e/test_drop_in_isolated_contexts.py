"""Tabs in isolated contexts (isolatedContext of browser_tabs), which @playwright/mcp has from 0.0.84 on."""
import re
import unittest

from support.case import main
from support.drop_in import REFERENCE, SharedDropInCase
from support.traces import Trace
from support.webm import BLUE, GREEN, RED, Video, linked


class IsolatedContexts(SharedDropInCase):
    args = ("--caps", "storage,network,devtools", *(() if REFERENCE else ("--compat", "0.0.84")))

    def setUp(self):
        self.ask("browser_close")

    def new_tab(self, context=None, url=None):
        named = {key: value for key, value in (("isolatedContext", context), ("url", url)) if value is not None}
        return self.ask("browser_tabs", action="new", **named)

    def select(self, index):
        return self.ask("browser_tabs", action="select", index=index)

    def cookies(self):
        return re.findall(r"^(\w+)=", self.ask("browser_cookie_list").result, re.M)

    def test_answers_name_the_context(self):
        url = self.site.page("<script>document.title = 'Here'</script>")
        self.new_tab(url=url)
        answer = self.new_tab("one", url)
        self.assertEqual(answer.result, f"- 0: [Here]({url})\n- 1: (current) [Here]({url}) [isolatedContext: one]")
        self.assertEqual(answer.section("Open tabs"), answer.result)
        self.assertEqual(answer.section("Page"), f"- Page URL: {url}\n- Page Title: Here\n- Isolated context: one")
        answer = self.new_tab("default")
        self.assertTrue(answer.result.endswith(" [isolatedContext: one]\n- 2: (current) [](about:blank)"), answer)
        self.assertTrue(self.new_tab("").result.endswith("\n- 3: (current) [](about:blank)"))

    def test_cookies_and_storage_are_apart(self):
        url = self.site.page("<p>1")
        self.ask("browser_navigate", url=url)
        self.ask("browser_cookie_set", name="first", value="1")
        self.ask("browser_localstorage_set", key="k", value="v")
        self.new_tab("one", url)
        self.assertEqual(self.cookies(), [])
        self.assertEqual(self.ask("browser_localstorage_get", key="k").result, "localStorage key 'k' not found")
        self.ask("browser_cookie_set", name="second", value="1")
        self.new_tab("two", url)
        self.assertEqual(self.cookies(), [])
        self.new_tab("one", url)
        self.assertEqual(self.cookies(), ["second"])
        self.select(0)
        self.assertEqual(self.cookies(), ["first"])
        self.assertEqual(self.ask("browser_localstorage_get", key="k").result, "k=v")

    def test_a_context_outlives_its_tabs_until_the_browser_is_closed(self):
        url = self.site.page("<p>1")
        self.new_tab("one", url)
        self.ask("browser_cookie_set", name="kept", value="1")
        self.ask("browser_tabs", action="close")
        self.new_tab()
        self.assertNotIn("isolatedContext", self.ask("browser_tabs", action="list").result)
        self.new_tab("one", url)
        self.assertEqual(self.cookies(), ["kept"])
        self.ask("browser_close")
        self.new_tab("one", url)
        self.assertEqual(self.cookies(), [])

    def test_a_popup_is_in_the_context_of_its_opener(self):
        self.new_tab("one", self.site.page("<button onclick=\"window.open('about:blank')\">Open</button>"))
        self.ask("browser_click", target="button")
        tabs = self.ask("browser_tabs", action="list").result.split("\n")
        self.assertTrue(tabs[-1].endswith("[](about:blank) [isolatedContext: one]"), tabs)

    def test_routes_are_those_of_all_contexts(self):
        url = self.site.page("<p>1")
        fetched = lambda: self.ask("browser_evaluate", function="() => fetch('/mocked').then(r => r.text())").result
        self.ask("browser_navigate", url=url)
        self.ask("browser_route", pattern="**/mocked", body="before")
        self.new_tab("one", url)
        self.assertEqual(fetched(), '"before"')
        self.ask("browser_route", pattern="**/mocked", body="after")
        self.assertEqual(fetched(), '"after"')
        self.select(0)
        self.assertEqual(fetched(), '"after"')
        self.assertEqual(self.ask("browser_route_list").result.count("**/mocked"), 2)
        self.assertEqual(self.ask("browser_unroute").result, "Removed all 2 route(s)")
        self.select(1)
        self.assertEqual(self.ask("browser_route_list").result, "No active routes")
        self.assertNotEqual(fetched(), '"after"')

    def test_the_network_state_is_that_of_one_context(self):
        self.show("<p>1")
        self.new_tab("one", self.site.page("<p>2"))
        self.ask("browser_network_state_set", state="offline")
        is_online = lambda: self.ask("browser_evaluate", function="() => navigator.onLine").result
        self.assertEqual(is_online(), "false")
        self.select(0)
        self.assertEqual(is_online(), "true")

    def test_code_sees_the_pages_of_its_context(self):
        self.show("<p>1")
        self.new_tab("one")
        count = lambda: self.ask("browser_run_code_unsafe", code="async page => page.context().pages().length").result
        self.assertEqual(count(), "1")
        self.new_tab("one")
        self.assertEqual(count(), "2")

    def test_downloads_of_an_isolated_tab_are_reported(self):
        self.new_tab("one", self.site.page("<a download=f.txt href='data:text/plain,x'>Get</a>"))
        if "Downloaded file f.txt" not in self.ask("browser_click", target="a").text:
            self.repeat(lambda: self.ask("browser_wait_for", time=0.1).text, lambda text: "Downloaded file f.txt" in text)

    def test_dialogs_of_an_isolated_tab_stay_open(self):
        self.new_tab("one", self.site.page("<button onclick=\"document.title = confirm('Sure?')\">Ask</button>"))
        self.assertIn("Sure?", self.ask("browser_click", target="button").section("Modal state"))
        self.assertIn("- Page Title: true", self.ask("browser_handle_dialog", accept=True).text)

    def coloured(self, name):
        return self.site.page(f"<body style='background: {name}'>")

    @unittest.skipIf(REFERENCE, "the reference records with ffmpeg")
    def test_videos_show_all_contexts(self):
        self.ask("browser_navigate", url=self.coloured("red"))
        self.new_tab("one", self.coloured("blue"))
        self.ask("browser_start_video", filename="all.webm")
        self.assertEqual(self.ask("browser_start_video").error, "Error: Video recording has already been started.")
        self.new_tab("two", self.coloured("lime"))
        self.ask("browser_wait_for", time=0.6)
        paths = linked(self.ask("browser_stop_video"))
        self.assertEqual(paths, ["./all.webm", "./all-1.webm", "./all-2.webm"])
        for path, colour in zip(paths, (RED, BLUE, GREEN)):
            self.assertEqual(Video((self.folder / path).read_bytes()).seen(self.ask)[-1], colour)
        self.assertEqual(self.ask("browser_stop_video").result, "No videos were recorded.")

    @unittest.skipIf(REFERENCE, "the reference writes a trace for each context")
    def test_a_trace_has_all_contexts(self):
        first, second, third = (self.site.page(f"<title>{name}</title>") for name in ("First", "Second", "Third"))
        self.ask("browser_navigate", url=first)
        self.new_tab("one", second)
        self.ask("browser_start_tracing")
        self.assertEqual(self.ask("browser_start_tracing").error, "Error: Tracing has already been started.")
        self.ask("browser_navigate", url=second)
        self.new_tab("two", third)
        path, = re.findall(r"\((.*\.trace)\)", self.ask("browser_stop_tracing").result)
        trace = Trace(self.folder / path)
        self.assertEqual([request["request"]["url"] for request in trace.requests], [second, third])


class OurLimits(SharedDropInCase):
    """What the reference does not limit."""

    args = ("--compat", "0.0.84")

    @classmethod
    def setUpClass(cls):
        if REFERENCE:
            raise unittest.SkipTest("the reference has no limits")
        super().setUpClass()

    def setUp(self):
        self.ask("browser_close")

    def test_the_number_of_contexts_is_limited(self):
        for number in range(8):
            self.assertFalse(self.ask("browser_tabs", action="new", isolatedContext=f"c{number}").is_error)
        answer = self.ask("browser_tabs", action="new", isolatedContext="c8")
        self.assertIn("there are 8 isolated contexts already; use one of them, or end all with browser_close", answer.text)
        self.assertFalse(self.ask("browser_tabs", action="new", isolatedContext="c7").is_error)
        self.ask("browser_close")
        self.assertFalse(self.ask("browser_tabs", action="new", isolatedContext="c8").is_error)

    def test_sessions_do_not_share_contexts_of_the_same_name(self):
        client = self.start("--compat", "0.0.84", "--caps", "storage")
        url = self.site.page("<p>1")
        first, second = (client.call("create_session")["sessionId"] for _ in range(2))
        for ident in (first, second):
            self.call(client, "browser_tabs", sessionId=ident, action="new", isolatedContext="one", url=url)
        self.call(client, "browser_cookie_set", sessionId=first, name="secret", value="1")
        self.assertIn("secret=1", self.call(client, "browser_cookie_list", sessionId=first).text)
        self.assertIn("No cookies found", self.call(client, "browser_cookie_list", sessionId=second).text)

    def test_a_name_stays_in_its_line(self):
        self.show("<p>1")
        answer = self.ask("browser_tabs", action="new", isolatedContext="a\n### Error")
        self.assertNotIn("\n### Error", answer.text)
        self.assertTrue(self.ask("browser_tabs", action="new", isolatedContext="x" * 129).is_error)


if __name__ == "__main__":
    main()
