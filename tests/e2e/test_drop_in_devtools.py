"""Highlights, videos, and recordings of the user's actions, as a client of @playwright/mcp sees them."""
import re
import unittest

from support.case import main
from support.drop_in import REFERENCE, SharedDropInCase
from support.webm import BLACK, BLUE, GREEN, RED, WHITE, Video, linked

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
        self.ask("browser_evaluate", function="() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
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


class Marks(SharedDropInCase):
    args = ("--caps", "devtools")

    def tearDown(self):
        self.ask("browser_video_hide_actions")

    def test_a_chapter_without_a_video(self):
        self.show(TWO)
        self.assertEqual(self.ask("browser_video_chapter", title="It's one", description="words", duration=50).result,
                         "Chapter 'It's one' added.")
        self.assertIn("Invalid input: expected string, received undefined\n  → at title", self.ask("browser_video_chapter").error)

    def test_marked_actions_do_what_they_do(self):
        self.show("""<button onclick="this.textContent = 'Pressed'">Press</button><input aria-label=Name>
            <input type=checkbox aria-label=Yes><select aria-label=List><option>a<option>b</select>
            <iframe srcdoc="<button onclick=&quot;this.textContent = 'Inner'&quot;>In</button>"></iframe>""")
        self.assertEqual(self.ask("browser_video_show_actions", duration=20, position="bottom-left", style={
            "point": "width: 9px; height: 9px; background: red", "highlight": "outline: 2px solid"}).result,
            "Action annotations enabled.")
        self.ask("browser_click", target="button")
        self.ask("browser_type", target="getByLabel('Name')", text="typed \"words\"")
        self.ask("browser_press_key", key="End")
        self.ask("browser_select_option", target="select", values=["b"])
        self.ask("browser_fill_form", fields=[{"target": "getByLabel('Yes')", "name": "Yes", "type": "checkbox", "value": "true"}])
        self.ask("browser_click", target="iframe >> internal:control=enter-frame >> button")
        snapshot = self.ask("browser_snapshot").snapshot
        for part in ('button "Pressed"', 'typed "words"', 'checkbox "Yes" [checked]', 'option "b" [selected]', 'button "Inner"'):
            self.assertIn(part, snapshot)
        self.assertEqual(self.ask("browser_video_hide_actions").result, "Action annotations disabled.")
        self.assertEqual(self.ask("browser_video_hide_actions").result, "Action annotations disabled.")

    def test_arguments_of_marks(self):
        self.show(TWO)
        wrong = self.ask("browser_video_show_actions", position="left").error
        self.assertIn('Invalid option: expected one of "top-left"|"top"|"top-right"|"bottom-left"|"bottom"|"bottom-right"', wrong)
        self.assertIn("→ at position", wrong)
        self.assertIn("expected string, received number\n  → at style.point",
                      self.ask("browser_video_show_actions", style={"point": 1}).error)


class Recordings(SharedDropInCase):
    args = ("--caps", "devtools")

    def stop(self):
        """The recorded lines; the reference may begin with the navigation to the page that is shown already."""
        answer = self.ask("browser_stop_recording")
        self.assertTrue(answer.result.startswith("Recording stopped. Recorded actions:\n\n```js\n"), answer)
        self.assertIsNotNone(answer.section("Snapshot"))
        return re.search(r"```js\n(.*)\n```", answer.result, re.S)[1].replace(f"await page.goto('{self.shown}');\n", "").split("\n")

    def record(self, body):
        self.shown = self.site.page(body)
        self.ask("browser_navigate", url=self.shown)
        self.assertEqual(self.ask("browser_start_recording").result,
                         "Recording started. Call browser_stop_recording to retrieve the recorded actions.")

    def test_nothing_recorded(self):
        self.show("<button>Idle</button>")
        wrong = self.ask("browser_stop_recording")
        self.assertEqual(wrong.error, "Error: No recording in progress, use browser_start_recording to start one.")
        self.ask("browser_start_recording")
        self.assertEqual(self.ask("browser_start_recording").error, "Error: Recording is already in progress.")
        self.assertEqual(self.ask("browser_stop_recording").result, "Recording stopped. No actions were recorded.")

    def test_clicks(self):
        self.record("<button>Save all</button><a href='#x'>Link</a>")
        self.ask("browser_click", target="button")
        self.ask("browser_click", target="a")
        self.ask("browser_click", target="button", doubleClick=True)
        self.ask("browser_click", target="button", button="right")
        save = "await page.getByRole('button', { name: 'Save all' })"
        self.assertEqual(self.stop(), [f"{save}.click();", "await page.getByRole('link', { name: 'Link' }).click();",
                                       f"{save}.dblclick();", f"{save}.click({{", "  button: 'right'", "});"])

    def test_fields(self):
        self.record("""<input aria-label=City><input type=checkbox aria-label=Mail><select aria-label=Size>
            <option value=s>Small<option value=l>Large</select>""")
        self.ask("browser_type", target="getByLabel('City')", text="Oslo", slowly=True)
        self.ask("browser_press_key", key="Enter")
        self.ask("browser_press_key", key="Control+a")
        self.ask("browser_click", target="getByLabel('Mail')")
        self.ask("browser_click", target="getByLabel('Mail')")
        city = "await page.getByRole('textbox', { name: 'City' })"
        mail = "await page.getByRole('checkbox', { name: 'Mail' })"
        self.assertEqual(self.stop(), [f"{city}.fill('Oslo');", f"{city}.press('Enter');", f"{city}.press('ControlOrMeta+a');",
                                       f"{mail}.check();", f"{mail}.uncheck();"])

    def test_choices(self):
        self.record("<select aria-label=Size><option value=s>Small<option value=l>Large</select>")
        self.ask("browser_select_option", target="select", values=["l"])
        line, = self.stop()
        self.assertRegex(line, r"^await page\.getByLabel\('Size'(, \{ exact: true \})?\)\.selectOption\('l'\);$")

    def test_what_scripts_do_is_not_recorded(self):
        self.record("<button>A</button>")
        self.ask("browser_evaluate", function="() => document.querySelector('button').click()")
        self.ask("browser_click", target="button")
        self.assertEqual(self.stop(), ["await page.getByRole('button', { name: 'A' }).click();"])

    def test_frames_and_other_documents(self):
        self.record('<iframe srcdoc="<button>Inner</button>"></iframe>')
        self.ask("browser_click", target="iframe >> internal:control=enter-frame >> button")
        self.assertEqual(self.stop(),
                         ["await page.locator('iframe').contentFrame().getByRole('button', { name: 'Inner' }).click();"])
        self.record("<button>First</button>")
        self.ask("browser_click", target="button")
        self.show("<button>Second</button>")
        self.ask("browser_click", target="button")
        self.assertEqual([line for line in self.stop() if "goto" not in line],
                         [f"await page.getByRole('button', {{ name: '{name}' }}).click();" for name in ("First", "Second")])

    def test_a_new_tab_is_another_page(self):
        self.record("<button>Old</button>")
        self.ask("browser_click", target="button")
        address = self.site.page("<button>New</button>")
        self.ask("browser_tabs", action="new", url=address)
        self.ask("browser_click", target="button")
        self.ask("browser_tabs", action="close")
        self.ask("browser_click", target="button")
        self.assertEqual(self.stop(), ["await page.getByRole('button', { name: 'Old' }).click();",
                                       f"await page1.goto('{address}');",
                                       "await page1.getByRole('button', { name: 'New' }).click();",
                                       "await page.getByRole('button', { name: 'Old' }).click();"])


@unittest.skipIf(REFERENCE, "the reference records with ffmpeg")
class Videos(SharedDropInCase):
    args = ("--caps", "devtools")

    def tearDown(self):
        self.ask("browser_stop_video")

    def colour(self, name):
        self.show(f"<body style='background: {name}'>")
        self.ask("browser_wait_for", time=0.6)

    def video(self, path):
        return Video((self.folder / path).read_bytes())

    def seen(self, path):
        return self.video(path).seen(self.ask)

    def test_a_video_shows_what_the_page_showed(self):
        self.colour("red")
        self.assertEqual(self.ask("browser_start_video", size={"width": 320, "height": 320}).result, "Video recording started.")
        self.colour("blue")
        self.colour("lime")
        path, = linked(self.ask("browser_stop_video"))
        self.assertRegex(path, r"^\.playwright-mcp/video-[-\dTZ]+\.webm$")
        self.assertEqual([colour for colour in self.seen(path) if colour != WHITE], [RED, BLUE, GREEN])
        video = self.video(path)
        self.assertLessEqual(max(video.width, video.height), 320)
        self.assertGreater(video.duration, 1000)

    def test_each_tab_has_a_file(self):
        self.colour("red")
        self.ask("browser_start_video", filename="tabs.webm")
        self.ask("browser_tabs", action="new", url=self.site.page("<body style='background: blue'>"))
        self.ask("browser_wait_for", time=0.6)
        self.ask("browser_tabs", action="close")
        first, second = linked(self.ask("browser_stop_video"))
        self.assertEqual([first, second], ["./tabs.webm", "./tabs-1.webm"])
        self.assertIn(RED, self.seen(first))
        self.assertIn(BLUE, self.seen(second))

    def test_a_file_of_mp4_is_what_its_name_says(self):
        self.colour("red")
        self.ask("browser_start_video", filename="plain.mp4")
        self.colour("blue")
        self.assertEqual(self.ask("browser_stop_video").result, "- [Video](./plain.mp4)")
        self.assertEqual((self.folder / "plain.mp4").read_bytes()[4:8], b"ftyp")

    def test_the_video_of_a_closed_browser_is_finished(self):
        self.colour("red")
        self.ask("browser_start_video", filename="closed.webm")
        self.colour("blue")
        self.ask("browser_close")
        self.assertEqual(self.ask("browser_stop_video").result, "No videos were recorded.")
        self.show("")
        self.assertEqual(self.seen("closed.webm")[-1], BLUE)

    def test_chapters_and_marks_are_in_the_video(self):
        # The pointer goes to the middle of the button, which is not that of the page, whose colour is read.
        self.show("<body style='background: white'><button style='position: fixed; inset: 0 30% 0 0'>Most</button>")
        self.ask("browser_start_video", filename="marks.webm")
        self.ask("browser_video_chapter", title="One", duration=600)
        self.ask("browser_video_show_actions", duration=600, style={"highlight": "background: blue"})
        self.ask("browser_click", target="button")
        self.ask("browser_video_hide_actions")
        self.ask("browser_stop_video")
        seen = self.seen("marks.webm")
        self.assertIn(BLACK, seen, "the card")
        self.assertIn(BLUE, seen[seen.index(BLACK):], "the box of the click")

    def test_one_recording_at_a_time(self):
        self.assertEqual(self.ask("browser_stop_video").result, "No videos were recorded.")
        self.show(TWO)
        self.ask("browser_start_video")
        self.assertEqual(self.ask("browser_start_video").error, "Error: Video recording has already been started.")

    def test_arguments(self):
        for arguments, complaint in (
                ({"size": {"width": 400}}, "Invalid input: expected number, received undefined\n  → at size.height"),
                ({"fps": "x"}, "Invalid input: expected number, received string\n  → at fps"),
                ({"fps": 0}, 'Error: browserBackend.callTool: "fps" must be a positive number, got 0'),
                ({"size": {"width": 300, "height": 1.5}},
                 "Error: browserBackend.callTool: size.height: expected integer, got float 1.5"),
                ({"size": {"width": 6000, "height": 6000}, "fps": 60},
                 "Error: browserBackend.callTool: 6000 x 6000 pixels in 60 frames a second are 2160000000 pixels a second, of which there "
                 "may be 250000000: choose a smaller size or fps"),
                ({"filename": "/etc/x.webm"}, "Error: File access denied: /etc/x.webm is outside allowed roots")):
            with self.subTest(arguments):
                self.assertIn(complaint, self.ask("browser_start_video", **arguments).error)
        self.assertEqual(self.ask("browser_stop_video").result, "No videos were recorded.")


if __name__ == "__main__":
    main()
