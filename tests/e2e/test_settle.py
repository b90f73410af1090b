"""After an action the answer shows what the page makes of it, for each way in which pages do it (support/patterns.py)."""

from support import patterns
from support.case import SharedCase, main


class SettleCase(SharedCase):
    args = ("--timeout-settle", "500")

    def setUp(self):
        super().setUp()
        self.urls = dict(zip((pattern.name for pattern in patterns.TABLE), patterns.install(self.site)))

    def act(self, pattern):
        self.ask("browser_navigate", url=self.urls[pattern.name])
        self.assertNotIn("### Error", self.ask(pattern.tool, **pattern.arguments))


class Settling(SettleCase):
    """Patience has no end here: what a test waits for is the effect, not the clock."""

    args = ("--timeout-settle", "60000")

    def test_patterns(self):
        for pattern in patterns.TABLE:
            if pattern.sure:
                with self.subTest(pattern.name):
                    self.act(pattern)
                    self.assertIn(pattern.shows, self.ask("browser_snapshot"))

    def test_effects_of_evaluate(self):
        self.ask("browser_navigate", url=self.site.page(
            "<p id=out></p><script>const go = () => { out.textContent = 'a'; setTimeout(() => { out.textContent = 'b' }, 60) }</script>"))
        self.ask("browser_evaluate", function="() => go()")
        self.assertIn(": b\n", self.ask("browser_snapshot"))
        self.assertIn("### Result\n2", self.ask("browser_evaluate", function="() => 1 + 1"))
        self.ask("browser_evaluate", function="() => { out.textContent = ''; go() }")
        self.assertIn(": b\n", self.ask("browser_snapshot"))

    def test_evaluate_tells_what_the_page_shows_afterwards(self):
        self.ask("browser_navigate", url=self.site.page("<title>one</title>"))
        for _ in range(2):  # the document has the page scripts from the second time on
            self.ask("browser_evaluate", function="() => 1")
        answer = self.ask("browser_evaluate", function="() => { document.title = 'two'; history.pushState(0, '', '?new') }")
        self.assertIn("?new\n- Page Title: two", answer)
        answer = self.ask("browser_evaluate", function="() => { document.title = 'three' }")
        self.assertIn("- Page Title: three", answer)

    def test_evaluate_in_a_page_that_breaks_what_it_relies_on(self):
        self.ask("browser_navigate", url=self.site.page(
            "<form name=dispatchEvent></form><form name=title></form><form name=hasFocus></form><form name=activeElement></form><p id=out>"
            "<script>EventTarget.prototype.dispatchEvent = window.Event = document.createElement = undefined</script>"))
        for _ in range(3):
            self.assertIn("### Result\n2", self.ask("browser_evaluate", function="() => 1 + 1"))
        self.ask("browser_evaluate", function="() => { out.textContent = 'seen' }")
        self.assertIn(": seen\n", self.ask("browser_snapshot") + "\n")
        self.ask("browser_navigate", url=self.site.page("<form name=title></form>"))
        for _ in range(3):
            self.assertIn("### Result\n2", self.ask("browser_evaluate", function="() => 1 + 1"))

    def test_evaluate_in_a_page_that_breaks_what_prints_the_answer(self):
        function = "() => ({ list: [1, 'x'], none: undefined })"
        for broken in ("EventTarget", "Event", "JSON", "Node", "Promise", "Object", "Array", "String", "Map", "eval",
                       "JSON.stringify", "Array.prototype[Symbol.iterator]", "Function.prototype.call"):
            with self.subTest(broken):
                self.ask("browser_navigate", url=self.site.page(f"<button>x</button><script>{broken} = undefined</script>"))
                for _ in range(2):
                    self.assertIn('Result\n{\n  "list": [\n    1,\n    "x"\n  ]\n}', self.ask("browser_evaluate", function=function))
                self.assertIn("Result\nundefined", self.ask("browser_evaluate", function="() => {}"))
                self.assertIn('Result\n"BUTTON"', self.ask("browser_evaluate", function="e => e.tagName", target="button"))
        self.ask("browser_navigate", url=self.site.page("<script>JSON = undefined</script>"))
        self.assertIn("return the part that is needed", self.ask("browser_evaluate", function="() => window"))

    def test_evaluate_in_a_page_whose_lists_print_themselves(self):
        self.ask("browser_navigate", url=self.site.page("<script>Array.prototype.toJSON = () => 'text'</script>"))
        answer = self.ask("browser_evaluate", function="() => ({ list: [1, [document]], date: new Date(0) })")
        self.assertIn('"list": [\n    1,\n    [\n      "ref: <Node>"', answer)
        self.assertIn('"date": "1970-01-01T00:00:00.000Z"', answer)

    def test_evaluate_in_a_page_whose_names_are_ours(self):
        self.ask("browser_navigate", url=self.site.page(
            "<button>x</button><script>var value = 1, args = 2, fn = 4, shown = 8, packed = 16, own = 32</script>"))
        names = "value + args + fn + shown + packed + own"
        self.assertIn("### Result\n63", self.ask("browser_evaluate", function=f"() => {names}"))
        self.assertIn("### Result\n63", self.ask("browser_evaluate", function=f"element => {names}", target="button"))
        self.assertIn("### Result\n63", self.ask("browser_run_code_unsafe", code=f"page => page.evaluate(() => {names})"))

    def test_a_clock_that_shows_no_numbers(self):
        self.ask("browser_navigate", url=self.site.page(
            "<p><b id=sign>on</b><p id=state></p><input aria-label=Word oninput=\"setTimeout(() => { found.textContent = 'suggested' }, 350)\"><p id=found>"
            "<script>let n = 0; setInterval(() => { sign.textContent = ['on', 'off', 'pause'][++n % 3]; if (n === 20) state.textContent = 'running' }, 100)"
            "</script>"))
        self.ask("browser_wait_for", text="running")
        self.ask("browser_type", target="input", text="a")
        self.assertIn("suggested", self.ask("browser_snapshot"))

    def test_timers_of_scroll_listeners_in_a_page_that_has_set_timers_by_itself(self):
        self.ask("browser_navigate", url=self.site.page(
            "<p id=state><div style='height: 5000px'></div>"
            "<script>let n = 0; const tick = () => { if (++n < 40) setTimeout(tick, 25); else state.textContent = 'ready' }; setTimeout(tick, 25);"
            "onscroll = () => setTimeout(() => { state.textContent = 'more' }, 150)</script>"))
        self.ask("browser_wait_for", text="ready")
        self.ask("browser_evaluate", function="() => scrollTo(0, 1000)")
        self.assertIn("more", self.ask("browser_snapshot"))


    def test_scrolling_by_key_has_ended(self):
        self.ask("browser_navigate", url=self.site.page("""<div id=list tabindex=0 style="height: 100px; overflow: auto">
            <div id=rows style="height: 200000px"></div></div><script>
            const draw = () => { rows.textContent = 'row ' + Math.round(list.scrollTop / 20) };
            list.onscroll = draw;
            draw();
            list.focus();
            </script>"""))
        for key, shown in (("End", "row 9995"), ("Home", "row 0"), ("End", "row 9995")):
            self.ask("browser_press_key", key=key)
            self.assertIn(f": {shown}\n", self.ask("browser_snapshot") + "\n")

    def test_scrolling_of_what_is_removed_does_not_end(self):
        self.ask("browser_navigate", url=self.site.page("""<div id=list tabindex=0 style="height: 100px; overflow: auto">
            <div style="height: 200000px">tall</div></div><p id=out></p>
            <script>list.onscroll = () => { list.remove(); out.textContent = 'removed' }; list.focus()</script>"""))
        self.ask("browser_press_key", key="End")
        self.assertIn(": removed\n", self.ask("browser_snapshot") + "\n")


class Impatience(Settling):
    """With the usual patience nothing keeps an answer for good, and none is an error."""

    args = SettleCase.args
    test_scrolling_by_key_has_ended = None  # it may take longer where the machine is busy

    def test_scrolling_that_never_ends(self):
        self.ask("browser_navigate", url=self.site.page("""<p id=out></p><div id=list tabindex=0 style="height: 100px; overflow: auto">
            <div style="height: 9000px">tall</div></div><script>
            let down = false;
            const go = () => list.scrollTo({ top: (down = !down) ? 9000 : 0, behavior: 'smooth' });
            list.onkeydown = () => { go(); setInterval(go, 150); setTimeout(() => { out.textContent = 'much later' }, 30000) };
            list.focus();
            </script>"""))
        self.ask("browser_press_key", key="a")
        self.ask("browser_click", target="#list")
        self.ask("browser_evaluate", function="() => list.scrollBy(0, 1)")
        self.assertNotIn("much later", self.ask("browser_snapshot"))

    def test_patterns(self):
        for pattern in patterns.TABLE:
            if not pattern.sure:
                with self.subTest(pattern.name):
                    self.act(pattern)

    def test_an_action_that_fails_leaves_nothing_behind(self):
        self.ask("browser_navigate", url=self.site.page("<button hidden>x</button><p id=out>before</p>"))
        self.assertIn("TimeoutError", self.ask("browser_click", target="button"))
        self.ask("browser_evaluate", function="() => { document.querySelector('button').hidden = false }")
        self.assertNotIn("### Error", self.ask("browser_click", target="button"))

    # The second timer is due long before the page is free again, which it is after the patience.
    busy = """<input><p id=out>before</p><script>
        document.querySelector('input').onkeyup = () => {
            setTimeout(() => { const end = performance.now() + 900; while (performance.now() < end); }, 30);
            setTimeout(async () => { %s }, 250);
        };</script>"""

    def test_a_request_of_a_page_that_is_busy_until_the_patience_ends(self):
        for _ in range(3):
            self.ask("browser_navigate", url=self.site.page(self.busy % "out.textContent = await (await fetch('/late?ms=200')).text()"))
            self.ask("browser_type", target="input", text="a", slowly=True)
            self.assertIn(": after", self.ask("browser_snapshot"))

    def test_a_window_that_is_busy_before_it_closes(self):
        window = self.site.page(self.busy % "close()", title="Window")
        self.ask("browser_navigate", url=self.site.page(f"<a href='{window}' target=_blank rel=opener>open</a>", title="Opener"))
        self.ask("browser_click", target="a")
        self.ask("browser_tabs", action="select", index=1)
        self.assertIn("- Page Title: Opener", self.ask("browser_type", target="input", text="a", slowly=True))


class LineKeys(SettleCase):
    """Keys in a text of several lines, each of which sets timers of an editor that show nothing."""

    args = ("--timeout-settle", "2500")

    def test_whose_timers_come_to_nothing(self):
        self.ask("browser_navigate", url=self.site.page("""<textarea id=t></textarea><i id=caret></i><p id=late></p><p id=list></p><script>
            t.onkeydown = event => {
                setTimeout(() => { caret.style.visibility = 'hidden' }, 400); /* the caret blinks */
                setTimeout(() => { late.textContent = 'late ' + event.key }, event.key === 'a' ? 1e6 : 2000);
                if (event.key === '@') setTimeout(() => { list.textContent = 'people' }, 800);
            }</script>"""))
        self.ask("browser_click", target="#t")
        self.ask("browser_press_key", key="a")
        self.ask("browser_press_key", key="b")  # of a kind whose timers came to nothing, so none is waited for
        self.assertNotIn("late", self.ask("browser_snapshot"))
        self.ask("browser_press_key", key="@")  # of another kind
        self.assertIn("people", self.ask("browser_snapshot"))


class Unrecorded(SettleCase):
    """What is recorded of a page has no influence on what is waited for."""

    args = (*SettleCase.args, "--caps", "observe")
    slow = """<button>load</button><p id=out>before</p><script>
        document.querySelector('button').onclick = async () => { out.textContent = await (await fetch('/late?ms=1200')).text() }</script>"""

    def load(self, **filters):
        url = self.site.page(self.slow)
        self.ask("browser_navigate", url=url)
        return self.client.call("cdp_observe", urlIncludes=url, **filters)["targetId"]

    def check(self):
        self.ask("browser_click", target="button")
        self.assertIn(": after", self.ask("browser_snapshot"))

    def test_requests_of_a_kind_that_is_not_recorded(self):
        target = self.load()
        self.client.call("cdp_set_filters", targetId=target, kinds=["console"])
        self.check()

    def test_requests_to_addresses_that_are_not_recorded(self):
        target = self.load()
        self.client.call("cdp_set_filters", targetId=target, urlBlocklist=["/late"])
        self.check()

    def test_a_buffer_that_is_full(self):
        self.load(bufferSize=1)
        self.ask("browser_evaluate", function="() => { setInterval(() => console.log('line'), 20) }")
        self.check()


if __name__ == "__main__":
    main()
