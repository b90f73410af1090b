"""browser_drag and browser_drop: drags of HTML and of the mouse, across scrolling and frames, and what fails."""
import json
import re

from support.case import SharedCase, main

STYLE = "<style>body { margin: 0 } #src, #dst { width: 100px; height: 40px; margin: 5px } iframe { width: 300px; height: 140px }</style>"
NOTES = """<script>
const seen = [];
for (const type of ['pointerdown', 'mouseup', 'dragstart', 'dragenter', 'dragover', 'dragleave', 'drop', 'dragend', 'click'])
	addEventListener(type, event => seen.push(type + ' ' + (event.target.id || event.target.localName)), true);
</script>"""
SOURCE = "<div id=src draggable=true ondragstart=\"event.dataTransfer.setData('text/plain', 'x')\">source</div>"
TARGET = """<div id=dst ondragover="event.preventDefault()" ondrop="event.preventDefault();
	const d = event.dataTransfer; this.textContent = [...d.types].map(t => t == 'Files' ? t : t + '=' + d.getData(t)) + ' ' +
	[...d.files].map(f => f.name + ':' + f.size + ':' + f.type)">target</div>"""
PAIR = STYLE + NOTES + SOURCE + TARGET
COVER = "<div style='position: fixed; inset: 50px 0 0 0' id=cover></div>"


class Drag(SharedCase):
    args = ("--timeout-action", "1500")
    keeps_session = True

    def show(self, body):
        self.ask("browser_navigate", url=self.site.page(body))

    def value(self, expression):
        return json.loads(self.ask("browser_evaluate", function=f"() => {expression}").partition("\n###")[0].removeprefix("### Result\n"))

    def drag(self, start="#src", end="#dst"):
        answer = self.ask("browser_drag", startElement="one", startTarget=start, endElement="other", endTarget=end)
        self.assertNotIn("### Error", answer)
        return answer

    def drop(self, target="#dst", **what):
        return self.ask("browser_drop", element="target", target=target, **what)

    def test_a_drag_of_html(self):
        self.show(PAIR)
        answer = self.drag()
        self.assertIn("await page.locator('#src').dragTo(page.locator('#dst'));\n```\n### Page", answer)
        self.assertEqual(self.value("dst.textContent"), "text/plain=x ")
        events = self.value("seen.splice(0)")
        self.assertEqual(events[:3], ["pointerdown src", "dragstart src", "dragenter dst"])
        self.assertEqual(events[-2:], ["drop dst", "dragend src"])
        self.ask("browser_click", target="#dst")  # nothing is held any more
        self.assertEqual(self.value("seen"), ["pointerdown dst", "mouseup dst", "click dst"])

    def test_a_page_that_takes_the_drag_over(self):
        self.show(PAIR + "<script>src.ondragstart = event => event.preventDefault()</script>")
        self.drag()
        self.assertEqual(self.value("seen"), ["pointerdown src", "dragstart src", "mouseup dst", "click body"])

    def test_a_target_that_wants_nothing(self):
        self.show(PAIR + "<script>dst.ondragover = null</script>")
        self.drag()
        self.assertEqual(self.value("seen.slice(-2)"), ["dragleave dst", "dragend src"])

    def test_links_are_dragged(self):
        self.show(STYLE + "<a id=src href='/there'>link</a>" + TARGET)
        self.drag()
        self.assertIn("/there", self.value("dst.textContent"))

    def test_far_apart(self):
        self.show(STYLE + NOTES + SOURCE + "<div style='height: 4000px'></div>" + TARGET)
        self.drag()
        self.assertEqual(self.value("dst.textContent"), "text/plain=x ")

    def test_a_target_that_shows_with_the_drag(self):
        self.show(PAIR + "<script>dst.hidden = true; src.addEventListener('dragstart', () => setTimeout(() => dst.hidden = false, 20))</script>")
        self.drag()
        self.assertEqual(self.value("dst.textContent"), "text/plain=x ")

    def test_a_slider(self):
        self.show("<style>body { margin: 0 }</style><input id=src type=range max=100 value=0 style='width: 200px; margin: 0'>"
                  "<span id=dst style='position: absolute; left: 150px; top: 0'>.</span>")
        self.drag()
        self.assertGreater(self.value("Number(src.value)"), 60)

    def test_a_list_sorted_by_pointer_events(self):
        self.show("""<ul id=list><li id=a>a<li id=b>b<li id=c>c</ul><script>
let held = null, moved = false;
list.onpointerdown = event => { held = event.target; held.setPointerCapture(event.pointerId); moved = false; };
list.onpointermove = event => {
	if (!held || !moved) { moved = Math.abs(event.clientY - held.getBoundingClientRect().y) > 15; return; }
	document.elementsFromPoint(event.clientX, event.clientY).find(e => e.localName === 'li' && e !== held)?.after(held);
};
list.onpointerup = () => { held = null; };</script>""")
        self.drag("#a", "#c")
        self.assertEqual(self.value("list.textContent"), "bca")

    def test_a_list_that_makes_room(self):
        """A drag takes the item out of the list, inserts a placeholder, switches pointer events off and polls where the mouse is."""
        for start, end, order in (1, 2, "bacd"), (1, 4, "bcda"), (4, 1, "dabc"), (3, 2, "acbd"):
            self.show("""<style>body, ul { margin: 0; padding: 0 } li { height: 25px; list-style: none } .busy li { pointer-events: none }</style>
<ul id=list><li>a<li>b<li>c<li>d</ul><script>
let held = null, at = null, from = null, timer = 0;
const place = document.createElement('li');
place.style.visibility = 'hidden';
function begin() {
	list.className = 'busy';
	held.before(place);
	Object.assign(held.style, { position: 'absolute', top: held.offsetTop + 'px' });
	timer = setInterval(poll, 50);
}
function poll() {
	const middle = item => item.getBoundingClientRect().y + item.getBoundingClientRect().height / 2;
	const others = [...list.children].filter(item => item !== held && item !== place);
	if (at > from)
		others.findLast(item => at > middle(item))?.after(place);
	else
		others.find(item => at < middle(item))?.before(place);
}
list.onpointerdown = event => { held = event.target; from = event.clientY; };
onmousemove = event => {
	if (held && !timer)
		begin();
	at = event.clientY;
};
onmouseup = () => {
	clearInterval(timer);
	place.replaceWith(held);
	held.style.position = '';
	held = list.className = null;
};</script>""")
            with self.subTest(order):
                self.drag(f"#list li:nth-child({start})", f"#list li:nth-child({end})")
                self.assertEqual(self.value("list.textContent"), order)

    def test_a_line_that_is_drawn(self):
        """Every position of the mouse with its button pressed lies on the way from start to end."""
        self.show("<style>body { margin: 0 } #src { height: 400px }</style><div id=src></div><script>const at = []; "
                  "src.onmousemove = event => { if (event.buttons) at.push([event.clientX, event.clientY]) }</script>")
        self.assertNotIn("### Error", self.ask("browser_drag", startTarget="#src", endTarget="#src", startPosition={"x": 50, "y": 50},
                                               endPosition={"x": 350, "y": 350}))
        self.assertEqual(self.value("at.filter(([x, y]) => x < 50 || x > 350 || y < 50 || y > 350)"), [])
        self.assertEqual(self.value("at.at(-1)"), [350, 350])

    def test_in_frames(self):
        inner = self.site.page(STYLE + SOURCE + TARGET)
        for frame in inner, inner.replace("127.0.0.1", "localhost"):
            self.show(f"<p style='height: 2000px'>tall</p><iframe src='{frame}'></iframe>")
            inside = "locator('iframe').contentFrame().locator('#{}')".format
            self.drag(inside("src"), inside("dst"))
            self.assertIn(": text/plain=x", self.ask("browser_snapshot"), frame)
            self.assertNotIn("### Error", self.drop(inside("dst"), data={"text/plain": "far"}))
            self.assertIn(": text/plain=far", self.ask("browser_snapshot"), frame)

    def test_into_and_out_of_a_frame(self):
        inner = self.site.page(STYLE + SOURCE + TARGET)
        for start, end in (("#src", "locator('iframe').contentFrame().locator('#dst')"),
                           ("locator('iframe').contentFrame().locator('#src')", "#dst")):
            self.show(f"{PAIR}<iframe src='{inner}'></iframe>")
            self.drag(start, end)
            self.assertEqual(self.ask("browser_snapshot").count("text/plain=x"), 1)

    def test_ends_that_cannot_be_used(self):
        self.show(PAIR + COVER)
        answer = self.ask("browser_drag", startTarget="#src", endTarget="#dst")
        self.assertIn("TimeoutError: browserBackend.callTool: Timeout 1500ms exceeded.", answer)
        self.assertIn("attempting move and up action", answer)
        self.assertIn('<div id="cover"></div> intercepts pointer events', answer)
        self.assertEqual(self.value("seen.splice(0)"), ["pointerdown src", "dragstart src", "dragend src"])
        answer = self.ask("browser_drag", startTarget="#dst", endTarget="#src")
        self.assertIn("attempting move and down action", answer)
        self.assertEqual(self.value("cover.remove() ?? seen.splice(0)"), [])
        self.drag()
        self.assertEqual(self.value("dst.textContent"), "text/plain=x ")

    def test_a_plain_drag_that_fails_clicks_nothing(self):
        self.show(STYLE + NOTES + "<button id=src>source</button><p id=dst hidden>target</p>")
        self.assertIn("element is not visible", self.ask("browser_drag", startTarget="#src", endTarget="#dst"))
        self.assertNotIn("click src", self.value("seen"))
        self.ask("browser_click", target="#src")
        self.assertEqual(self.value("seen.at(-1)"), "click src")

    def test_a_target_that_goes_with_the_press(self):
        self.show(PAIR + "<script>src.onmousedown = () => dst.remove()</script>")
        answer = self.ask("browser_drag", startTarget="#src", endTarget="#dst")
        self.assertRegex(answer, r"Timeout 1500ms exceeded.\nCall log:\n.*- waiting for locator\('#dst'\).*\n$")

    def test_a_dialog_in_the_middle(self):
        self.show(PAIR + "<script>src.addEventListener('dragstart', () => alert('now'), { once: true })</script>")
        self.assertIn('["alert" dialog with message "now"]', self.drag())
        self.ask("browser_handle_dialog", accept=True)
        self.drag()
        self.assertEqual(self.value("dst.textContent"), "text/plain=x ")

    def test_files_and_data_are_dropped(self):
        self.show(PAIR)
        names = [self.folder / "a b.txt", self.folder / "c.png"]
        for name in names:
            name.write_text("12345", encoding="utf-8")
        paths = [str(name) for name in names]
        answer = self.drop(paths=paths)
        self.assertIn(f"await page.locator('#dst').drop({{\n  files: ['{paths[0]}', '{paths[1]}']\n}});", answer)
        self.assertEqual(self.value("dst.textContent"), "Files a b.txt:5:text/plain,c.png:5:image/png")
        answer = self.drop(paths=paths[:1], data={"text/plain": "it's", "application/x-own": "1"})
        self.assertIn("drop({\n  data: {\n  text/plain: 'it\\'s',\n  application/x-own: '1'\n},\n"
                      f"  files: '{paths[0]}'\n}});", answer)
        self.assertEqual(self.value("dst.textContent"), "text/plain=it's,application/x-own=1,Files a b.txt:5:text/plain")

    def test_a_drop_that_is_not_wanted(self):
        self.show(PAIR + "<script>dst.ondragover = null</script>")
        answer = self.drop(data={"text/uri-list": "http://localhost/"})
        self.assertIn("### Error\nError: browserBackend.callTool: Drop target did not accept the drop", answer)
        self.assertIn("- attempting drop action", answer)
        self.assertEqual(self.value("seen.splice(0)"), ["dragenter dst", "dragover dst", "dragleave dst"])

    def test_what_cannot_be_dropped(self):
        self.show(PAIR)
        for what, error in (
            ({}, 'Error: At least one of "paths" or "data" must be provided.'),
            ({"data": {}}, 'Error: browserBackend.callTool: At least one of "files" or "data" must be provided.'),
            ({"data": {"a": 1}}, 'Invalid arguments for tool "browser_drop":\n✖ Invalid input: expected string, received number\n  → at data.a'),
            ({"data": "x"}, 'Invalid arguments for tool "browser_drop":\n✖ Invalid input: expected record, received string\n  → at data'),
            ({"paths": [str(self.folder)]}, "Error: Dropping a directory is not supported — pass individual files."),
            ({"paths": [str(self.folder / "none")]}, f"Error: ENOENT: no such file or directory, stat '{self.folder / 'none'}'"),
        ):
            self.assertEqual(self.drop(**what), "### Error\n" + error)
        self.assertIn("outside allowed roots", self.drop(paths=["/etc/hostname"]))
        self.assertEqual(self.value("seen"), [])

    def test_a_drop_that_leaves_the_page(self):
        there = self.site.page("<p>there", title="there")
        self.show(PAIR + f"<script>dst.addEventListener('drop', () => location.href = '{there}')</script>")
        self.assertTrue(re.search("Page Title: there", self.drop(data={"text/plain": "x"})))


if __name__ == "__main__":
    main()
