"""The modules of the live view that draw pictures and take a person's input, in a browser that a person would have."""
import json
import pathlib

from support.case import main
from support.http_case import HttpPagesCase
from support.pages import Response

FOLDER = pathlib.Path(__file__).parents[2] / "src/people/page"
PAGE = """<!doctype html><body style="margin:0"><canvas id=canvas width=320 height=200 style="width:640px;height:400px;object-fit:contain;display:block"></canvas>
<p id=announcer></p><script type=module>
import { Picture, pictureNumber } from '/picture.js';
import { Input } from '/input.js';
const sent = [];
window.take = () => JSON.stringify(sent.splice(0));
window.picture = new Picture(canvas, message => sent.push(message));
window.input = new Input(canvas, picture, message => sent.push(message));
/* A picture of a page of 1280 x 800 as the server sends it. */
window.feed = async number => {
	const jpeg = await new Promise(done => Object.assign(document.createElement('canvas'), { width: 320, height: 200 }).toBlob(done, 'image/jpeg'));
	const head = new DataView(new ArrayBuffer(16));
	head.setUint16(0, 1 << 8 | 16);
	head.setUint32(4, picture.number);
	head.setUint32(8, number);
	head.setUint32(12, 1280 << 16 | 800);
	const buffer = await new Blob([head, jpeg]).arrayBuffer();
	if (pictureNumber(buffer) !== picture.number)
		throw new Error('it is for another picture');
	await picture.take(buffer);
};
picture.watch('0/session', { large: true });
window.ready = true;
</script>"""


class Modules(HttpPagesCase):
    args = ("--caps", "vision")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ("picture.js", "input.js", "dom.js"):
            cls.pages.route("/" + name, Response((FOLDER / name).read_text(), content_type="text/javascript"))
        cls.url = cls.pages.route("/modules", PAGE)

    def setUp(self):
        self.person = self.client()
        self.ask(self.person, "navigate", url=self.url)
        self.run_script("for (; !window.ready; await new Promise(requestAnimationFrame));")

    def run_script(self, statements):
        """What the statements return, as text."""
        answer = self.ask(self.person, "evaluate", function=f"async () => {{ {statements} }}")
        return answer.split("\n", 2)[1]

    def taken(self, statements=""):
        """What was sent to the server meanwhile."""
        return json.loads(json.loads(self.run_script(statements + "; await new Promise(done => requestAnimationFrame(() => setTimeout(done))); return take()")))

    def events(self, statements=""):
        messages = self.taken(statements)
        for message in messages:
            self.assertEqual((message["type"], message["picture"]), ("input", 3))
        return [event for message in messages for event in message["events"]]

    def begin(self):
        self.taken("await feed(3); input.begin()")

    def test_pictures_are_asked_for_drawn_and_acknowledged(self):
        watch, seen = self.taken("await feed(3)")
        self.assertEqual({name: watch[name] for name in ("type", "key", "rate", "width", "height")},
                         {"type": "watch", "key": "0/session", "rate": 15, "width": 640, "height": 400})
        self.assertEqual(seen, {"type": "seen", "as": watch["as"], "picture": 3})
        self.assertEqual(self.run_script("return [picture.shown, picture.width, canvas.width].join()"), '"3,1280,320"')
        self.taken("await feed(2)")  # an older one that was decoded later
        self.assertEqual(self.run_script("return canvas.dataset.picture"), '"3"')
        self.assertEqual(self.taken("picture.unwatch()"), [{"type": "unwatch", "as": watch["as"]}])

    def test_the_shape_of_a_picture_is_no_reason_to_ask_again(self):
        self.taken("canvas.style.height = 'auto'; await feed(3)")
        watches = self.taken("""for (const height of [201, 200, 199, 200, 201]) {
            canvas.height = height;
            await new Promise(done => setTimeout(done, 250));
        }""")
        self.assertEqual(watches, [])
        [watch] = self.taken("canvas.style.width = '320px'; while (picture.asked.width !== 320) await new Promise(requestAnimationFrame)")
        self.assertEqual((watch["type"], watch["width"], watch["height"]), ("watch", 320, 201))

    def test_the_mouse(self):
        self.begin()
        for _ in range(2):
            self.ask(self.person, "mouse_click_xy", x=100, y=60)
        events = self.events()
        at = {(event["x"], event["y"]) for event in events}
        self.assertEqual(at, {(200, 120)})  # of the page, which is twice as large
        self.assertEqual([event["kind"] for event in events if event["kind"] != "move"], ["press", "release"] * 2)
        self.assertEqual({event["button"] for event in events if event["kind"] != "move"}, {"left"})
        [wheel] = self.events("canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: 3, deltaMode: 1, clientX: 5, clientY: 5, cancelable: true}))")
        self.assertEqual((wheel["kind"], wheel["x"], wheel["dy"]), ("wheel", 10, 120))

    def test_keys(self):
        self.begin()
        for key in ("a", "Shift+B", "Enter", "Control+c"):
            self.ask(self.person, "press_key", key=key)
        events = self.events()
        down = [(event["key"], event["code"], event["text"], event["modifiers"]) for event in events if event["down"]]
        self.assertEqual(down, [("a", "KeyA", "a", 0), ("Shift", "ShiftLeft", "", 8), ("B", "KeyB", "B", 8), ("Enter", "Enter", "\r", 0),
                                ("Control", "ControlLeft", "", 2), ("c", "KeyC", "c", 2)])
        self.assertEqual(sorted(event["code"] for event in events if not event["down"]), sorted(code for _, code, _, _ in down))

    def test_texts(self):
        self.begin()
        self.assertEqual(self.events("""const data = new DataTransfer();
            data.setData('text/plain', 'pasted');
            input.field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }))"""), [{"kind": "paste", "text": "pasted"}])
        self.assertEqual(self.events("""for (const [type, data] of [['start', ''], ['update', 'ni'], ['end', '日']])
            input.field.dispatchEvent(new CompositionEvent('composition' + type, { data }))"""),
                         [{"kind": "compose", "text": "ni", "start": 2, "end": 2}, {"kind": "text", "text": "日"}])
        self.assertEqual(self.run_script("return input.field.value"), '""')

    def test_lists(self):
        self.begin()
        self.run_script("""picture.message({ type: 'choice', number: 4, box: [0, 100, 200, 30], options:
            [{ label: 'red', group: '', disabled: false, selected: true }, { label: 'green', group: 'more', disabled: false, selected: false }] })""")
        snapshot = self.ask(self.person, "snapshot")
        self.assertIn('listbox "List of the page"', snapshot)
        self.assertIn("more: green", snapshot)
        for key in ("ArrowDown", "Enter"):
            self.ask(self.person, "press_key", key=key)
        self.assertEqual([event for event in self.events() if event["kind"] == "choose"], [{"kind": "choose", "number": 4, "index": 1}])
        self.assertEqual(self.run_script("return document.activeElement.className"), '"keyboard"')

    def test_refusals_are_read_aloud_and_the_end_leaves_nothing(self):
        self.begin()
        self.run_script("picture.message({ type: 'refused', about: 'input', why: 'stale' }); while (!announcer.textContent) await new Promise(requestAnimationFrame)")
        self.assertIn("The page has changed", self.run_script("return announcer.textContent"))
        self.taken("input.end()")
        self.ask(self.person, "mouse_click_xy", x=100, y=60)
        self.assertEqual(self.taken(), [])
        self.assertEqual(self.run_script("return document.querySelectorAll('textarea, select').length"), "0")


if __name__ == "__main__":
    main()
