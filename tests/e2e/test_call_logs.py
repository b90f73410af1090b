"""What a time-out says: each thing that was tried, on the schedule of @playwright/mcp."""
import re

from support.case import SharedCase, main

COVER = "<div class=outer><div style='position: fixed; inset: 0'><p style='height: 100%'>over</p></div></div>"
READY = {"click": "visible, enabled and stable", "dblclick": "visible, enabled and stable", "hover": "visible and stable",
         "fill": "visible, enabled and editable", "select option": "visible and enabled", "scroll into view": "stable"}
SCROLLED = ["scrolling into view if needed", "done scrolling"]


class CallLogs(SharedCase):
    args = ("--timeout-action", "1000")
    keeps_session = True

    def ask(self, tool, **arguments):
        return super().ask(tool, **arguments).replace("\x1b[2m", "").replace("\x1b[22m", "")

    def log(self, body, tool, **arguments):
        """The lines of the call log, as they are indented, with the text before them."""
        self.ask("browser_navigate", url=self.site.page(body))
        text, _, log = self.ask("browser_" + tool, **arguments).partition("Call log:\n")
        return text, log.rstrip("\n").split("\n")

    def log_while(self, script):
        """Of a click on a disabled button; the script runs 350 ms after it has begun, as the evaluation awaits timers for 500 ms."""
        self.ask("browser_navigate", url=self.site.page("<button id=b disabled>x</button>"))
        self.ask("browser_evaluate", function=f"() => {{ setTimeout(() => {{ {script} }}, 850) }}")
        return self.ask("browser_click", target="#b").partition("Call log:\n")[2].rstrip("\n").split("\n")

    @staticmethod
    def attempts(action, *found):
        """The log of a second in which the same was found again and again."""
        def stretch(count, *rest):
            return [f"    {count} × waiting for element to be {READY[action]}", *(f"      - {line}" for line in found),
                    f"    - retrying {action} action", *rest]
        return [f"  - attempting {action} action", *stretch(2, "    - waiting 20ms"), *stretch(2, "      - waiting 100ms"),
                *stretch(2, "      - waiting 500ms")]

    def expect(self, element, action, found, body, tool, **arguments):
        with self.subTest(found=found, action=action):
            text, log = self.log(body, tool, **{"target": "#b", **arguments})
            self.assertEqual(text, "### Error\nTimeoutError: browserBackend.callTool: Timeout 1000ms exceeded.\n")
            doing = ['    - fill("it\'s \\"a\\"")'] if action == "fill" else []
            self.assertEqual(log, ["  - waiting for locator('#b')", f"    - locator resolved to {element}", *doing,
                                   *self.attempts(action, *found)])

    def test_what_is_in_the_way(self):
        button = "<button id=b>x</button>"
        shown = '<button id="b">x</button>'
        over = '<p>over</p> from <div class="outer">…</div> subtree intercepts pointer events'
        self.expect(shown, "click", ["element is visible, enabled and stable", *SCROLLED, over], button + COVER, "click")
        self.expect(shown, "dblclick", ["element is visible, enabled and stable", *SCROLLED, over], button + COVER, "click",
                    doubleClick=True)
        self.expect(shown, "hover", ["element is visible and stable", *SCROLLED, over], button + COVER, "hover")
        self.expect('<button id="b" hidden="">x</button>', "click", ["element is not visible"], "<button id=b hidden>x</button>",
                    "click")
        self.expect('<button id="b" disabled>x</button>', "click", ["element is not enabled"], "<button id=b disabled>x</button>",
                    "click")
        self.expect('<button id="b">x</button>', "click",
                    ["element is visible, enabled and stable", *SCROLLED, "element is outside of the viewport"],
                    "<button id=b style='position: fixed; left: -500px'>x</button>", "click")

    def test_pictures(self):
        text, log = self.log("<p id=b style='display: none'>late", "take_screenshot", target="#b", type="png")
        self.assertEqual(text, "### Error\nTimeoutError: browserBackend.callTool: Timeout 1000ms exceeded.\n")
        self.assertEqual(log, ["  - taking element screenshot", "  - waiting for fonts to load...", "  - fonts loaded",
                               *self.attempts("scroll into view", "element is not visible")])
        code = "async page => { await page.locator('#b').screenshot({ timeout: 1000 }); }"
        text, _, same = self.ask("browser_run_code_unsafe", code=code).partition("Call log:\n")
        self.assertEqual(text, "### Error\nTimeoutError: locator.screenshot: Timeout 1000ms exceeded.\n")
        self.assertEqual(same.rstrip("\n").split("\n"), log)

    def test_fields(self):
        text = {"text": "it's \"a\""}
        self.expect('<input id="b" disabled/>', "fill", ["element is not enabled"], "<input id=b disabled>", "type", **text)
        self.expect('<input id="b" readonly/>', "fill", ["element is not editable"], "<input id=b readonly>", "type", **text)
        self.expect('<select id="b" disabled>…</select>', "select option", ["element is not enabled"],
                    "<select id=b disabled><option>a</option></select>", "select_option", values=["a"])

    def test_what_changes_meanwhile(self):
        """The log shows for each attempt the obstacle that held when the attempt was due."""
        log = self.log_while("b.hidden = true")
        found = [line.strip(" -") for line in log if "element is" in line]
        self.assertEqual(found[0], "element is not enabled")
        self.assertEqual(found[-1], "element is not visible")
        self.assertEqual(sum(int(count) for count in re.findall(r"(\d) ×", "\n".join(log))) +
                         sum("- waiting for element" in line for line in log), 6)

    def test_what_goes_away(self):
        log = self.log_while("b.remove()")
        self.assertEqual(log[-1], "  - element was detached from the DOM, retrying")

    def test_text_to_wait_for(self):
        text, log = self.log("<p>zz</p>", "wait_for", textGone="zz")
        self.assertEqual(text, "### Error\nTimeoutError: Timeout 1000ms exceeded.\n")
        self.assertEqual(log[0], "  - waiting for getByText('zz').first() to be hidden")
        self.assertRegex(log[1], r"^    \d+ × locator resolved to visible <p>zz</p>$")
        _, log = self.log("<p hidden>zz</p>", "wait_for", text="zz")
        self.assertRegex(log[1], r'^    \d+ × locator resolved to hidden <p hidden="">zz</p>$')
        _, log = self.log("<p>", "wait_for", text="zz")
        self.assertEqual(log, ["  - waiting for getByText('zz').first() to be visible"])

    def test_what_can_never_be_done(self):
        """Fails at once, and says what and where."""
        for body, tool, reason, line, more in (
                ("<p id=b>x</p>", "type", "takes no text", "    - waiting for element to be visible, enabled and editable", {"text": "a"}),
                ("<input id=b type=number>", "type", "is no number", "    - waiting for element to be visible, enabled and editable",
                 {"text": "abc"}),
                ("<p id=b>x</p>", "select_option", "is not a <select> element", "    - waiting for element to be visible and enabled",
                 {"values": ["a"]})):
            with self.subTest(reason):
                text, log = self.log(body, tool, target="#b", **more)
                self.assertRegex(text, f"^### Error\nError: browserBackend.callTool: .*{reason}")
                self.assertEqual(log[0], "  - waiting for locator('#b')")
                self.assertEqual(log[-1], line)

    def test_a_disabled_element_can_be_hovered(self):
        self.ask("browser_navigate", url=self.site.page("<button id=b disabled>x</button>"))
        self.assertNotIn("### Error", self.ask("browser_hover", target="#b"))


if __name__ == "__main__":
    main()
