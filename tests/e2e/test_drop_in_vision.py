"""browser_mouse_*: what a client of @playwright/mcp gets from the mouse at coordinates."""
import json

from support.case import main
from support.drop_in import DropInCase, SharedDropInCase
from support.pages import Response

BOARD = """<style>body { margin: 0; user-select: none } .at { position: absolute; width: 80px; height: 60px }</style>
<div class=at id=pad style="left: 0; top: 0; background: silver"></div>
<button class=at style="left: 100px; top: 0" onclick="document.title = 'pressed'">Press</button>
<button class=at style="left: 200px; top: 0" onclick="alert('now')">Ask</button>
<a class=at style="left: 300px; top: 0; background: tan" href="/next">Next</a>
<div class=at id=box style="left: 0; top: 100px; overflow: auto"><p style="height: 900px">tall</p></div>
<div class=at id=card draggable=true style="left: 100px; top: 100px; background: pink">card</div>
<div class=at id=tray style="left: 200px; top: 100px; background: lime">tray</div>
<button class=at style="left: 300px; top: 100px" onclick="fetch('/late').then(r => r.text()).then(t => document.title = t)">Late</button>
<iframe class=at id=inner style="left: 0; top: 200px; width: 180px; border: 0" srcdoc="<style>body { margin: 0; height: 1500px }</style>
<script>for (const type of ['mousedown', 'mouseup', 'click', 'scroll', 'drop'])
	addEventListener(type, event => parent.note('inner ' + type + ' ' + (event.button ?? scrollY)));
addEventListener('dragover', event => event.preventDefault());</script>"></iframe>
<script>
const notes = [];
function note(text) { notes.push(text); }
for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'wheel'])
	pad.addEventListener(type, event => note(`${type} ${event.clientX},${event.clientY} ${event.button}/${event.buttons}` +
		(type === 'wheel' ? ` by ${event.deltaX},${event.deltaY}` : '')));
box.onscroll = () => note('scrolled');
card.ondragstart = event => event.dataTransfer.setData('text/plain', 'the card');
card.ondragend = () => note('dragend');
tray.ondragover = event => event.preventDefault();
tray.ondrop = event => note('dropped ' + event.dataTransfer.getData('text/plain'));
</script>"""


def code(*lines):
    return "\n".join(lines)


class Vision(SharedDropInCase):
    args = ("--caps", "vision")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site.route("/next", lambda request: Response("<title>Next page</title>there"))
        cls.site.route("/late", lambda request: Response("late text"))

    def setUp(self):
        self.show(BOARD, title="Board")
        self.ask("browser_mouse_move_xy", x=500, y=500)
        self.notes()

    def notes(self):
        return json.loads(self.ask("browser_evaluate", function="() => notes.splice(0).join('; ')").result)

    def mouse(self, name, **arguments):
        return self.ask(f"browser_mouse_{name}", **arguments)

    def test_a_move_says_where_and_shows_no_snapshot(self):
        answer = self.mouse("move_xy", x=10.5, y=20)
        self.assertEqual(answer.code, code("// Move mouse to (10.5, 20)", "await page.mouse.move(10.5, 20);"))
        self.assertEqual(list(answer.sections), ["Ran Playwright code"])
        self.assertEqual(self.notes(), "mousemove 10,20 0/0")

    def test_a_click(self):
        answer = self.mouse("click_xy", x=40, y=30)
        self.assertEqual(answer.code, code("// Click mouse at coordinates (40, 30)", "await page.mouse.click(40, 30);"))
        self.assertIn("- Page Title: Board", answer.section("Page"))
        self.assertRegex(answer.section("Snapshot"), r"^- \[Snapshot\]\(.*\.yml\)$")
        self.assertEqual(self.notes(), "mousemove 40,30 0/0; mousedown 40,30 0/1; mouseup 40,30 0/0; click 40,30 0/0")

    def test_the_options_of_a_click_are_in_the_code_if_they_are_given(self):
        answer = self.mouse("click_xy", x=40, y=30, button="middle", clickCount=2, delay=20)
        self.assertEqual(answer.code, code("// Click mouse at coordinates (40, 30)", "await page.mouse.click(40, 30, {",
                                           "  button: 'middle',", "  clickCount: 2,", "  delay: 20", "});"))
        self.assertEqual(self.notes().count("auxclick 40,30 1/0"), 2)
        answer = self.mouse("click_xy", x=40, y=30, button="left", delay=0)
        self.assertTrue(answer.code.endswith("{\n  button: 'left',\n  delay: 0\n});"), answer)

    def test_other_buttons(self):
        self.mouse("click_xy", x=40, y=30, button="right")
        self.assertIn("contextmenu 40,30 2/2", self.notes())

    def test_three_clicks_contain_a_double_click(self):
        self.mouse("click_xy", x=40, y=30, clickCount=3)
        notes = self.notes()
        self.assertEqual(notes.split("; ").count("click 40,30 0/0"), 3, notes)
        self.assertEqual(notes.count("dblclick"), 1, notes)

    def test_no_click_at_all(self):
        for count in (0, -1):
            self.mouse("click_xy", x=40, y=30, clickCount=count)
            self.assertEqual(self.notes(), "mousemove 40,30 0/0")

    def test_a_click_needs_a_whole_number(self):
        answer = self.mouse("click_xy", x=1, y=1, clickCount=1.5)
        self.assertEqual(answer.error, "Error: clickCount: expected integer, got float 1.5")

    def test_wrong_arguments(self):
        answer = self.mouse("click_xy", x="left")
        self.assertTrue(answer.is_error)
        self.assertEqual(answer.error, code('Invalid arguments for tool "browser_mouse_click_xy":',
                                            "✖ Invalid input: expected number, received string", "  → at x",
                                            "✖ Invalid input: expected number, received undefined", "  → at y"))
        answer = self.mouse("down", button="side")
        self.assertEqual(answer.error, code('Invalid arguments for tool "browser_mouse_down":',
                                            '✖ Invalid option: expected one of "left"|"right"|"middle"', "  → at button"))

    def test_a_click_waits_for_its_effects(self):
        self.assertIn("- Page Title: pressed", self.mouse("click_xy", x=140, y=30).section("Page"))
        self.assertIn("- Page Title: late text", self.mouse("click_xy", x=340, y=130).section("Page"))
        self.assertIn("- Page Title: Next page", self.mouse("click_xy", x=340, y=30).section("Page"))

    def test_a_click_outside_of_the_page(self):
        for x, y in ((-20, -20), (9000, 9000)):
            self.assertFalse(self.mouse("click_xy", x=x, y=y).is_error)
        self.assertEqual(self.notes(), "")

    def test_a_button_stays_pressed_between_calls(self):
        self.mouse("move_xy", x=10, y=10)
        answer = self.mouse("down")
        self.assertEqual(answer.code, code("// Press mouse down", "await page.mouse.down();"))
        self.assertEqual(list(answer.sections), ["Ran Playwright code"])
        self.mouse("move_xy", x=20, y=20)
        answer = self.mouse("up")
        self.assertEqual(answer.code, code("// Press mouse up", "await page.mouse.up();"))
        self.assertEqual(self.notes(), "mousemove 10,10 0/0; mousedown 10,10 0/1; mousemove 20,20 0/1; mouseup 20,20 0/0; "
                                       "click 20,20 0/0")

    def test_two_buttons_at_once(self):
        self.mouse("move_xy", x=10, y=10)
        self.mouse("down", button="left")
        answer = self.mouse("down", button="right")
        self.assertEqual(answer.code, "// Press mouse down\nawait page.mouse.down({\n  button: 'right'\n});")
        self.mouse("up", button="left")
        self.mouse("up", button="right")
        notes = self.notes()
        self.assertIn("mousedown 10,10 2/3", notes)
        self.assertIn("mouseup 10,10 0/2", notes)
        self.assertTrue(notes.endswith("mouseup 10,10 2/0"), notes)

    def test_the_mouse_is_where_an_element_was_clicked(self):
        self.ask("browser_click", target="#pad")
        self.notes()
        self.mouse("down")
        self.mouse("up")
        self.assertEqual(self.notes(), "mousedown 40,30 0/1; mouseup 40,30 0/0; click 40,30 0/0")

    def test_code_and_tools_share_the_mouse(self):
        self.ask("browser_run_code_unsafe", code="async page => { await page.mouse.move(30, 20); await page.mouse.down(); }")
        self.mouse("up")
        self.assertEqual(self.notes(), "mousemove 30,20 0/0; mousedown 30,20 0/1; mouseup 30,20 0/0; click 30,20 0/0")

    def test_code_drags_a_draggable_element(self):
        self.ask("browser_run_code_unsafe", code="""async page => {
            await page.mouse.move(140, 130);
            await page.mouse.down();
            await page.mouse.move(240, 130, { steps: 3 });
            await page.mouse.up();
        }""")
        self.assertEqual(self.notes(), "dropped the card; dragend")

    def test_the_wheel(self):
        self.mouse("move_xy", x=40, y=30)
        self.notes()
        answer = self.mouse("wheel", deltaX=0.5)
        self.assertEqual(answer.code, code("// Scroll mouse wheel", "await page.mouse.wheel(0.5, 0);"))
        self.assertEqual(list(answer.sections), ["Ran Playwright code"])
        self.mouse("wheel", deltaY=-3)
        self.assertEqual(self.notes(), "wheel 40,30 0/0 by 0.5,0; wheel 40,30 0/0 by 0,-3")

    def scrolled(self, text):
        """Waits until the notes have this text: scrolling is an effect of the next frame."""
        self.ask("browser_evaluate", function="async () => { while (!notes.some(note => note.startsWith(%r))) "
                 "await new Promise(requestAnimationFrame); }" % text)

    def test_the_wheel_scrolls_what_is_below_the_mouse(self):
        self.mouse("move_xy", x=40, y=130)
        self.mouse("wheel", deltaX=0, deltaY=50)
        self.scrolled("scrolled")
        self.mouse("move_xy", x=40, y=230)
        self.mouse("wheel", deltaX=0, deltaY=50)
        self.scrolled("inner scroll 50")

    def test_a_click_in_a_frame(self):
        self.mouse("click_xy", x=40, y=230)
        self.assertEqual(self.notes(), "inner mousedown 0; inner mouseup 0; inner click 0")

    def test_a_drag(self):
        answer = self.mouse("drag_xy", startX=10, startY=10, endX=60.5, endY=50)
        self.assertEqual(answer.code, code("// Drag mouse from (10, 10) to (60.5, 50)", "await page.mouse.move(10, 10);",
                                           "await page.mouse.down();", "await page.mouse.move(60.5, 50);", "await page.mouse.up();"))
        self.assertIn("Snapshot", answer.sections)
        self.assertEqual(self.notes(), "mousemove 10,10 0/0; mousedown 10,10 0/1; mousemove 60,50 0/1; mouseup 60,50 0/0; "
                                       "click 60,50 0/0")

    def test_a_drag_of_a_draggable_element(self):
        self.mouse("drag_xy", startX=140, startY=130, endX=240, endY=130)
        self.assertEqual(self.notes(), "dropped the card; dragend")
        self.mouse("drag_xy", startX=140, startY=130, endX=40, endY=30)  # takes no drop
        self.assertNotIn("dropped", self.notes())
        self.mouse("click_xy", x=40, y=30)
        self.assertIn("click 40,30", self.notes())

    def test_a_drag_in_several_calls(self):
        self.mouse("move_xy", x=140, y=130)
        self.mouse("down")
        self.mouse("move_xy", x=160, y=130)
        self.mouse("move_xy", x=240, y=130)
        self.assertEqual(self.notes(), "")
        self.mouse("up")
        self.assertEqual(self.notes(), "dropped the card; dragend")

    def test_a_drag_into_a_frame(self):
        self.mouse("drag_xy", startX=140, startY=130, endX=40, endY=230)
        self.assertIn("inner drop", self.notes())

    def test_a_dialog_answers_the_click(self):
        answer = self.mouse("click_xy", x=240, y=30)
        self.assertEqual(answer.section("Modal state"), '- ["alert" dialog with message "now"]: can be handled by browser_handle_dialog')
        answer = self.mouse("move_xy", x=1, y=1)
        self.assertEqual(answer.error, 'Error: Tool "browser_mouse_move_xy" does not handle the modal state.')
        self.ask("browser_handle_dialog", accept=True)
        self.mouse("click_xy", x=40, y=30)
        self.assertIn("click 40,30", self.notes())


class VisionOptions(DropInCase):
    def test_the_older_switch_means_the_capability(self):
        client = self.serve("--vision")
        self.assertIn("browser_mouse_click_xy", client.list_tools())

    def test_the_code_is_javascript_in_all_languages(self):
        client = self.serve("--caps", "vision", "--codegen", "python")
        self.open(client, "x")
        answer = self.call(client, "browser_mouse_click_xy", x=3, y=4, button="right")
        self.assertEqual(answer.section("Ran Playwright code"), "```python\n// Click mouse at coordinates (3, 4)\n"
                         "await page.mouse.click(3, 4, {\n  button: 'right'\n});\n```")


if __name__ == "__main__":
    main()
