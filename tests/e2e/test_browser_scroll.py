"""browser_scroll, browser_select_text, and positions and steps of browser_drag: the tools and arguments that @playwright/mcp does not have."""
import os

from support.answers import text_of
from support.case import BrowserdCase, ServerCase, main

LONG = "<div style='height:3000px;width:2500px'>long</div>"
LIST = ("<ul id=l style='height:100px;overflow:auto;margin:0'>" + "".join(f"<li id=i{n}>entry {n}" for n in range(100)) + "</ul>")


class Answers(ServerCase):
    keeps_session = True

    def text(self, session, tool, **arguments):
        result = session.start(tool, **arguments).result()
        return ("ERROR " if result.get("isError") else "") + text_of(result)


class Scroll(Answers):
    def test_the_page_by_an_amount_and_to_its_ends(self):
        session = self.show(LONG)
        self.assertIn("Scrolled the page by 0, 400.", self.text(session, "browser_scroll", y=400))
        self.assertEqual(session.evaluate("[scrollX, scrollY]"), [0, 400])
        self.assertIn("Scrolled the page by 250, -100.", self.text(session, "browser_scroll", x=250, y=-100))
        self.assertIn("at its end", self.text(session, "browser_scroll", to="bottom"))
        self.assertTrue(session.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 1"))
        self.assertIn("Nothing has scrolled.", self.text(session, "browser_scroll", to="bottom"))
        self.text(session, "browser_scroll", to="top")
        self.assertEqual(session.evaluate("scrollY"), 0)

    def test_what_is_around_an_element(self):
        session = self.show("<p>above</p>" + LIST + LONG)
        self.assertIn('Scrolled <ul id="l"> by 0, 50.', self.text(session, "browser_scroll", target="#i1", y=50))
        self.assertEqual(session.evaluate("[l.scrollTop, scrollY]"), [50, 0])
        self.text(session, "browser_scroll", target="#l", to="bottom")
        self.assertTrue(session.evaluate("l.scrollTop + l.clientHeight >= l.scrollHeight - 1"))
        self.text(session, "browser_scroll", target="#i50", to="view")
        self.assertTrue(session.evaluate("(box => box.top >= l.offsetTop && box.bottom <= l.offsetTop + 100)(i50.getBoundingClientRect())"))

    def test_what_is_in_an_element(self):
        session = self.show("<div id=g role=grid style='height:300px;width:400px'><div>header</div><div id=l style='height:260px;overflow:auto'>"
                            f"{LONG}</div></div>{LONG}")
        self.assertIn('Scrolled <div id="l"> by 0, 500.', self.text(session, "browser_scroll", target="#g", y=500))
        self.assertIn("at its end", self.text(session, "browser_scroll", target="#g", to="bottom"))
        self.assertEqual(session.evaluate("[l.scrollTop, l.scrollTop + l.clientHeight >= l.scrollHeight - 1, scrollY]")[1:], [True, 0])
        self.assertIn('Scrolled <div id="l"> by 90, 0.', self.text(session, "browser_scroll", target="#g", x=90))

    def test_what_the_wheel_reaches_first(self):
        session = self.show(f"<style>body {{ margin: 0 }}</style><div id=l style='margin-top:30vh;height:40vh;overflow:auto'>{LONG}</div>{LONG}")
        self.assertIn('Scrolled <div id="l"> by 0, 100.', self.text(session, "browser_scroll", y=100))
        self.assertIn("Scrolled the page by 0, ", self.text(session, "browser_scroll", to="bottom"))

    def test_what_scrolls_in_the_other_direction_only(self):
        session = self.show(f"<div id=w style='overflow-x:auto;overflow-y:hidden'><p id=p style='width:5000px;height:100px'>wide</p></div>{LONG}")
        self.assertIn("Scrolled the page by 0, 200.", self.text(session, "browser_scroll", target="#p", y=200))
        self.assertIn('Scrolled <div id="w"> by 300, 0.', self.text(session, "browser_scroll", target="#p", x=300))

    def test_what_the_page_scrolls_instead(self):
        session = self.show(f"<div id=pinned style='height:100px;width:100px'></div><div id=l style='height:100px;overflow:auto'>{LONG}</div>"
                            "<script>pinned.onwheel = event => { event.preventDefault(); l.scrollTop += event.deltaY }</script>")
        self.assertRegex(self.text(session, "browser_scroll", target="#pinned", y=80), 'The page has scrolled <div id="l".*>\\.\nVertically: 80 of')

    def test_over_a_frame(self):
        session = self.show(f"<style>body {{ margin: 0; overflow: hidden }}</style><iframe id=f src='{self.pages.page(LONG)}' "
                            "style='width:100vw;height:100vh'></iframe>")
        self.assertRegex(self.text(session, "browser_scroll", y=100), 'Nothing has scrolled here; what is in <iframe id="f".* scrolls by itself: give a target in it')

    def test_an_application_whose_page_does_not_scroll_itself(self):
        session = self.show(f"<style>body {{ margin: 0; overflow: hidden }}</style><main id=m style='height:100vh;overflow:auto'>{LONG}</main>")
        self.assertIn('Scrolled <main id="m"> by 0, 300.', self.text(session, "browser_scroll", y=300))
        self.assertEqual(session.evaluate("m.scrollTop"), 300)

    def test_what_handles_the_wheel_itself(self):
        session = self.show("<canvas id=c width=200 height=200></canvas><script>turned = []; c.onwheel = e => { e.preventDefault(); "
                            "turned.push(e.deltaY, e.isTrusted) }</script>")
        self.assertIn("Nothing has scrolled.", self.text(session, "browser_scroll", target="#c", y=120))
        self.assertEqual(session.evaluate("turned"), [120, True])

    def test_in_frames(self):
        inner = self.pages.page(LONG)
        for url in (inner, inner.replace("127.0.0.1", "localhost")):
            session = self.show(f"<iframe src='{url}' width=300 height=200></iframe>{LONG}")
            self.text(session, "browser_scroll", target="locator('iframe').contentFrame().locator('div')", y=70)
            self.assertIn("70", self.text(session, "browser_evaluate", target="locator('iframe').contentFrame().locator('div')",
                                          function="e => e.ownerDocument.scrollingElement.scrollTop"))

    def test_wrong_arguments(self):
        session = self.show(LONG)
        for arguments in ({}, {"y": 5, "to": "top"}, {"to": "view"}, {"y": 1e9}):
            self.assertTrue(self.text(session, "browser_scroll", **arguments).startswith("ERROR"), arguments)


class SelectText(Answers):
    BODY = "<p id=p>The quick <b>brown</b> fox\n  jumps over the lazy dog. The end.</p><textarea id=t>one two one</textarea>" \
           "<div id=e contenteditable>edit this text</div>"

    def test_words_of_a_paragraph(self):
        session = self.show(self.BODY)
        self.assertIn('Selected "quick brown fox jumps"', self.text(session, "browser_select_text", target="#p", text="quick brown fox jumps"))
        self.assertEqual(session.evaluate("getSelection().toString()"), "quick brown fox jumps")
        self.text(session, "browser_select_text", target="#p", text="The", occurrence=2)
        self.assertEqual(session.evaluate("getSelection().focusNode.data.slice(getSelection().focusOffset)"), " end.")

    def test_in_fields_and_editors_typing_replaces_it(self):
        session = self.show(self.BODY)
        self.text(session, "browser_select_text", target="#t", text="one", occurrence=2)
        self.text(session, "browser_type", target="#t", text="three", slowly=True)
        self.assertEqual(session.evaluate("t.value"), "one two three")
        self.text(session, "browser_select_text", target="#e", start=5, end=9)
        self.text(session, "browser_type", target="#e", text="that", slowly=True)
        self.assertEqual(session.evaluate("e.textContent"), "edit that text")
        self.text(session, "browser_select_text", target="#t", start=4)
        self.assertEqual(session.evaluate("t.value.slice(t.selectionStart, t.selectionEnd)"), "two three")

    def test_what_is_not_there(self):
        session = self.show(self.BODY)
        self.assertRegex(self.text(session, "browser_select_text", target="#p", text="cat"), 'ERROR[^"]*does not have the text "cat"')
        self.assertRegex(self.text(session, "browser_select_text", target="#t", text="one", occurrence=3), "from 1 to 2")
        self.assertRegex(self.text(session, "browser_select_text", target="#t", start=3, end=99), "11 characters")


class DragPositions(Answers):
    SLIDER = """<div id=track style='position:relative;width:400px;height:40px;background:#eee'><div id=knob style='position:absolute;left:0;
        width:40px;height:40px;background:#888'></div></div><script>seen = [];
        knob.onpointerdown = e => { held = e.offsetX; knob.setPointerCapture(e.pointerId);
            knob.onpointermove = e => { seen.push(e.clientX); knob.style.left = e.clientX - track.offsetLeft - held + 'px' };
            knob.onpointerup = () => { knob.onpointermove = null } }</script>"""

    def test_a_slider_is_drawn_to_a_place_step_by_step(self):
        session = self.show(self.SLIDER, head="<style>body { margin: 0 }</style>")
        answer = self.text(session, "browser_drag", startTarget="#knob", endTarget="#track", startPosition={"x": 10, "y": 10},
                           endPosition={"x": 310, "y": 20}, steps=5)
        self.assertIn("dragTo(page.locator('#track'), { sourcePosition: { x: 10, y: 10 }, targetPosition: { x: 310, y: 20 }, steps: 5 })", answer)
        self.assertEqual(session.evaluate("knob.style.left"), "300px")
        self.assertGreaterEqual(session.evaluate("seen.length"), 6)

    def test_where_an_entry_is_dropped(self):
        """The upper half of an entry takes it before, the lower half behind."""
        session = self.show("""<ul id=l>""" + "".join(f"<li id=i{n} draggable=true style='height:40px'>{n}" for n in range(4)) + """</ul><script>
            addEventListener('dragstart', e => { dragged = e.target; e.dataTransfer.setData('text/plain', e.target.id) });
            addEventListener('dragover', e => e.preventDefault());
            addEventListener('drop', e => { e.preventDefault(); const over = e.target.closest('li'), box = over.getBoundingClientRect();
                over[e.clientY < box.top + box.height / 2 ? 'before' : 'after'](dragged) })</script>""")
        self.text(session, "browser_drag", startTarget="#i0", endTarget="#i2", endPosition={"x": 20, "y": 35}, steps=3)
        self.assertEqual(session.evaluate("[...l.children].map(e => e.id).join()"), "i1,i2,i0,i3")
        self.text(session, "browser_drag", startTarget="#i3", endTarget="#i1", endPosition={"x": 20, "y": 5})
        self.assertEqual(session.evaluate("[...l.children].map(e => e.id).join()"), "i3,i1,i2,i0")

    def test_wrong_positions(self):
        session = self.show(self.SLIDER)
        self.assertIn("numbers x and y", self.text(session, "browser_drag", startTarget="#knob", endTarget="#track", endPosition={"x": 1}))


class DropIn(BrowserdCase):
    def test_the_other_name_does_not_have_them(self):
        client = self.start(command=[os.environ["PLAYWRIGHT_MCP"], "--headless", "--isolated"])
        tools = client.list_tools()
        self.assertFalse({"browser_scroll", "browser_select_text"} & tools.keys())
        self.assertEqual(set(tools["browser_drag"]["inputSchema"]["properties"]), {"startElement", "startTarget", "endElement", "endTarget"})


if __name__ == "__main__":
    main()
