"""Highlights, videos, and recordings of the user's actions, as a client of @playwright/mcp sees them."""
import re

from support.case import main
from support.drop_in import SharedDropInCase

TWO = "<title>Two</title><button id=a>One</button><p><button id=b>Two</button>"


class Highlights(SharedDropInCase):
    args = ("--caps", "devtools")

    def tearDown(self):
        self.ask("browser_hide_highlight")

    def picture(self):
        image, = self.ask("browser_take_screenshot").images
        return image

    def shows(self, picture):
        """Whether the page comes to look like this; the reference draws a little later than it answers."""
        return any(self.picture() == picture for _ in range(20))

    def test_an_element_is_highlighted_until_it_is_hidden(self):
        self.show(TWO)
        plain = self.picture()
        self.assertEqual(self.ask("browser_highlight", target="#a", element="the first").result, "Highlighted locator('#a')")
        self.assertNotEqual(self.picture(), plain)
        self.assertEqual(self.ask("browser_hide_highlight", target="#a").result, "Hid highlight for locator('#a')")
        self.assertTrue(self.shows(plain))

    def test_all_matches_are_highlighted(self):
        self.show(TWO)
        self.ask("browser_highlight", target="#a")
        one = self.picture()
        self.ask("browser_hide_highlight")
        self.assertEqual(self.ask("browser_highlight", target="button").result, "Highlighted locator('button')")
        self.assertNotEqual(self.picture(), one)

    def test_targets_are_named_by_their_locators(self):
        self.show(TWO)
        ref = re.search(r"One.*ref=(\w+)", self.ask("browser_snapshot").snapshot)[1]
        for target, name in ((ref, f"locator('aria-ref={ref}')"), ("button >> nth=1", "locator('button').nth(1)"),
                             ("getByRole('button', { name: 'Two' })", "getByRole('button', { name: 'Two' })")):
            with self.subTest(target):
                self.assertEqual(self.ask("browser_highlight", target=target).result, f"Highlighted {name}")
                self.assertEqual(self.ask("browser_hide_highlight", target=target).result, f"Hid highlight for {name}")

    def test_all_highlights_are_hidden_together(self):
        self.show(TWO)
        plain = self.picture()
        self.ask("browser_highlight", target="#a")
        self.ask("browser_highlight", target="#b")
        hidden = self.ask("browser_hide_highlight")
        self.assertEqual(hidden.result, "Hid page highlight")
        self.assertTrue(self.shows(plain))

    def test_a_highlight_is_hidden_by_its_own_target_only(self):
        self.show(TWO)
        self.ask("browser_highlight", target="#a")
        drawn = self.picture()
        self.assertEqual(self.ask("browser_hide_highlight", target="button").result, "Hid highlight for locator('button')")
        self.assertTrue(self.shows(drawn))

    def test_the_style_of_the_box(self):
        self.show(TWO)
        self.ask("browser_highlight", target="#a")
        usual = self.picture()
        self.ask("browser_hide_highlight")
        self.ask("browser_highlight", target="#a", style="outline: 4px dotted rgb(0, 128, 0)")
        self.assertNotEqual(self.picture(), usual)

    def test_targets_that_are_not_there(self):
        self.show(TWO)
        for tool in ("browser_highlight", "browser_hide_highlight"):
            with self.subTest(tool):
                self.assertEqual(self.ask(tool, target="#none").error, 'Error: "#none" does not match any elements.')
                self.assertEqual(self.ask(tool, target="e99").error,
                                 "Error: Ref e99 not found in the current page snapshot. Try capturing new snapshot.")
        missing = self.ask("browser_highlight")
        self.assertIn('Invalid arguments for tool "browser_highlight"', missing.error)

    def test_a_highlight_goes_with_its_document(self):
        self.show(TWO)
        plain = self.picture()
        self.ask("browser_highlight", target="#a")
        self.show(TWO)
        self.assertTrue(self.shows(plain))

    def test_a_highlight_follows_its_element(self):
        self.show("<style>body { margin: 0 } #a { position: absolute; left: 0; top: 0 }</style><button id=a>One</button>")
        self.ask("browser_highlight", target="#a")
        before = self.picture()
        self.ask("browser_evaluate", function="""() => {
            const old = document.querySelector('#a');
            const fresh = old.cloneNode(true);
            old.replaceWith(fresh);
            fresh.style.left = '400px';
            return new Promise(resolve => setTimeout(resolve, 300));
        }""")
        after = self.picture()
        self.assertNotEqual(after, before)
        self.ask("browser_hide_highlight", target="#a")
        self.assertNotEqual(self.picture(), after)

    def test_snapshots_and_clicks_pass_through_it(self):
        self.show("<button id=a onclick=\"this.textContent += '!'\">One</button>")
        before = self.ask("browser_snapshot").snapshot
        self.ask("browser_highlight", target="#a")
        self.assertEqual(self.ask("browser_snapshot").snapshot, before)
        self.ask("browser_click", target="#a")
        self.assertIn("One!", self.ask("browser_snapshot").snapshot)
        self.assertEqual(self.ask("browser_evaluate", function="() => document.elementFromPoint(20, 20).id").result, '"a"')

    def test_elements_in_frames(self):
        self.show('<iframe srcdoc="<button id=inner>In</button>"></iframe>')
        self.ask("browser_wait_for", time=0.1)
        plain = self.picture()
        target = "iframe >> internal:control=enter-frame >> #inner"
        self.assertEqual(self.ask("browser_highlight", target=target).result,
                         "Highlighted locator('iframe').contentFrame().locator('#inner')")
        self.assertNotEqual(self.picture(), plain)
        self.ask("browser_hide_highlight", target=target)
        self.assertTrue(self.shows(plain))

    def test_nothing_is_paused(self):
        self.show(TWO)
        for arguments in ({}, {"step": True}, {"location": "some.spec.ts:4"}):
            with self.subTest(arguments):
                self.assertEqual(self.ask("browser_resume", **arguments).error,
                                 "Error: browserBackend.callTool: Debugger is not paused")


if __name__ == "__main__":
    main()
