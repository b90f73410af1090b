"""click: where the events go, what it waits for, and what it says is in the way."""
from support.case import ServerCase, main

RECORD = """<script>window.seen = [];
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'])
	addEventListener(type, e => seen.push([type, e.target.id, e.isTrusted, e.detail]), true);
const events = type => seen.filter(s => s[0] == type);</script>"""


class Click(ServerCase):
    keeps_session = True

    def recording(self, body, **more):
        return self.show(body, head=RECORD, **more)

    def clicked(self, session):
        """Ids of the elements that were clicked, in order."""
        return session.evaluate("events('click').map(s => s[1])")

    def test_events_of_a_click(self):
        session = self.recording("<button id=b>go</button>")
        answer = session.click("#b")
        self.assertEqual((answer["success"], bool(answer["message"])), (True, True))
        self.assertEqual(session.evaluate("seen.map(s => s[0])"), ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
        self.assertEqual(session.evaluate("events('click')"), [["click", "b", True, 1]])

    def test_kinds_of_selectors(self):
        session = self.recording("<div><button id=a class='x y'>first</button><button id=b data-q='\"'>second</button></div>")
        for selector, ident in ((".x.y", "a"), ("div > :nth-child(2)", "b"), ("[data-q='\"']", "b"), ("//button[2]", "b"),
                                ("(//button)[1]", "a"), ("xpath=//button[text()='second']", "b"), ("//*[@id='a']", "a"),
                                ("  #b  ", "b"), ("xpath=descendant::button[1]", "a")):
            with self.subTest(selector):
                session.evaluate("seen.length = 0")
                session.click(selector)
                self.assertEqual(self.clicked(session), [ident])

    def test_click_counts(self):
        session = self.recording("<p id=p>some words to select</p>")
        session.click("#p", clickCount=2)
        self.assertEqual(session.evaluate("events('click').map(s => s[3])"), [1, 2])
        self.assertEqual(session.evaluate("events('dblclick').length"), 1)
        session.click("#p", clickCount=3)
        self.assertEqual(session.evaluate("getSelection().toString().trim()"), "some words to select")

    def test_two_clicks_are_no_double_click_by_accident(self):
        session = self.recording("<button id=b>go</button>")
        session.click("#b")
        session.click("#b")
        self.assertEqual(session.evaluate("events('dblclick').length"), 0)

    def test_elements_out_of_sight_are_scrolled_to(self):
        session = self.recording("""<div style='height:3000px'></div><div style='overflow:auto;height:100px;width:200px'>
            <div style='height:2000px;width:3000px'></div><button id=far style='margin-left:2500px'>go</button></div>
            <div style='height:3000px'></div>""")
        session.click("#far")
        self.assertEqual(self.clicked(session), ["far"])

    def test_odd_boxes(self):
        session = self.recording("""<p style='width:9ch'>a long text <a id=wrapped href='#x'>that wraps over lines</a></p>
            <svg width=50 height=50><circle id=svg cx=25 cy=25 r=20 /></svg><label id=label><input type=checkbox id=box> x</label>
            <button id=outer><span><b>child</b></span></button><div id=turned style='transform:rotate(30deg);width:90px'>turned</div>
            <div style='zoom:2'><button id=zoomed>z</button></div>""")
        for ident in ("wrapped", "svg", "box", "outer", "turned", "zoomed"):
            with self.subTest(ident):
                session.evaluate("seen.length = 0")
                session.click(f"#{ident}")
                self.assertEqual(session.evaluate(f"document.querySelector('#{ident}').matches(':hover')"), True)
        self.assertEqual(session.evaluate("document.querySelector('#box').checked"), True)

    def test_waits_until_the_element_is_there(self):
        data, release = self.pages.held()
        session = self.recording(f"<script>fetch('{data}').then(() => document.body.innerHTML = '<button id=late>x</button>')</script>")
        reply = session.start("click", selector="#late")
        self.pages.wait_request(data)
        self.client.request("ping")
        release.set()
        self.assertTrue(reply.value()["success"])
        self.assertEqual(self.clicked(session), ["late"])

    def test_waits_until_nothing_is_in_the_way(self):
        for name, body, change in (
                ("disabled", "<button id=b disabled>x</button>", "b.disabled = false"),
                ("hidden", "<button id=b hidden>x</button>", "b.hidden = false"),
                ("covered", "<button id=b>x</button><div id=c style='position:fixed;inset:0'></div>", "c.remove()"),
                ("replaced", "<div id=d><button id=b disabled>x</button></div>", "d.innerHTML = '<button id=b>y</button>'"),
                ("one of two", "<button id=b>x</button><button id=b>y</button>", "document.querySelector('#b').remove()")):
            with self.subTest(name):
                data, release = self.pages.held()
                session = self.recording(f"{body}<script>fetch('{data}').then(() => {{ {change} }})</script>")
                reply = session.start("click", selector="#b")
                self.pages.wait_request(data)
                release.set()
                self.assertTrue(reply.value()["success"])
                self.assertEqual(self.clicked(session), ["b"])

    def test_waits_until_the_element_stands_still(self):
        session = self.recording("""<style>@keyframes m { from { margin-left: 0 } to { margin-left: 600px } }
            #b { animation: m 0.7s linear forwards }</style><button id=b>x</button>""")
        session.click("#b")
        self.assertEqual(self.clicked(session), ["b"])

    def test_an_element_that_never_stands_still(self):
        session = self.recording("""<style>@keyframes m { from { margin-left: 0 } to { margin-left: 600px } }
            #b { animation: m 0.5s linear infinite }</style><button id=b>x</button>""")
        error = session.fail("click", selector="#b", timeout=400)
        self.assertEqual(error.code, "ELEMENT_NOT_CLICKABLE")
        self.assertRegex(error.message, "(?i)mov|stable|anim|still")

    def test_a_click_that_leads_to_another_page(self):
        session, target = self.session(), self.pages.page("there", title="there")
        for body in (f"<a id=go href='{target}'>x</a>", f"<button id=go onclick=\"location='{target}'\">x</button>",
                     f"<form action='{target}'><button id=go>x</button></form>"):
            with self.subTest(body):
                before = len(self.pages.requests(target))
                self.show(body, session)
                self.assertTrue(session.click("#go")["success"])
                self.pages.wait_request(target, before + 1)

    def test_a_click_that_removes_its_element(self):
        session = self.recording("<button id=b onclick='this.remove(); document.body.innerHTML = \"gone\"'>x</button>")
        self.assertTrue(session.click("#b")["success"])
        self.assertEqual(session.evaluate("document.body.innerText"), "gone")

    def test_force_skips_the_checks(self):
        session = self.recording("<button id=b>x</button><div id=cover style='position:fixed;inset:0'></div>")
        self.assertTrue(session.click("#b", force=True)["success"])
        self.assertEqual(self.clicked(session), ["cover"])
        session = self.recording("<button id=b disabled>x</button>")
        self.assertTrue(session.click("#b", force=True)["success"])


class Failures(ServerCase):
    keeps_session = True

    def fails(self, body, code, pattern, selector="#b", **more):
        session = self.show(body)
        error = session.fail("click", selector=selector, timeout=300, **more)
        self.assertRegex(error.code, f"^({code})$", error)
        self.assertEqual(error.session_id, session.id)
        self.assertRegex(error.message, "(?i)" + pattern)

    def test_not_there(self):
        self.fails("<p>x", "ELEMENT_NOT_FOUND", "#b")
        self.fails("<p>x", "ELEMENT_NOT_FOUND", "button", selector="//button")
        self.fails("<p>x", "ELEMENT_NOT_FOUND", "#b", force=True)

    def test_covered(self):
        cover = "<button id=b>x</button><div class=veil id=overlay style='position:fixed;inset:0;z-index:9'><b>x</b></div>"
        self.fails(cover, "ELEMENT_NOT_CLICKABLE", "overlay")
        self.fails("<button id=b style='pointer-events:none'>x</button>", "ELEMENT_NOT_CLICKABLE", "body|html|pointer")
        self.fails("<button id=b style='position:relative;z-index:-1'>x</button><main style='margin-top:-60px;height:90px'>m</main>",
                   "ELEMENT_NOT_CLICKABLE", "main")

    def test_disabled(self):
        self.fails("<button id=b disabled>x</button>", "ELEMENT_NOT_CLICKABLE", "disabled")
        self.fails("<fieldset disabled><button id=b>x</button></fieldset>", "ELEMENT_NOT_CLICKABLE", "disabled")

    def test_hidden(self):
        for style in ("display:none", "visibility:hidden", "visibility:collapse"):
            with self.subTest(style):
                self.fails(f"<button id=b style='{style}'>x</button>", "ELEMENT_NOT_CLICKABLE", "hidden|visible|displayed")
        self.fails("<div style='display:none'><button id=b>x</button></div>", "ELEMENT_NOT_CLICKABLE", "hidden|visible|displayed")
        self.fails("<details><button id=b>x</button></details>", "ELEMENT_NOT_CLICKABLE", "hidden|visible|displayed")

    def test_zero_size(self):
        self.fails("<div id=b></div><style>#b { width: 0; height: 0 }</style>", "ELEMENT_NOT_CLICKABLE", "size|empty|0 ?x ?0")
        self.fails("<span id=b></span>", "ELEMENT_NOT_CLICKABLE", "size|empty|0 ?x ?0")

    def test_outside_of_what_can_be_scrolled_to(self):
        self.fails("<button id=b style='position:fixed;left:-900px'>x</button>", "ELEMENT_NOT_CLICKABLE", "outside|viewport|view")

    def test_more_than_one(self):
        self.fails("<i id=b>x</i><i id=b>x</i><i id=b>x</i>", "ELEMENT_NOT_CLICKABLE|INVALID_PARAMETERS|ELEMENT_NOT_FOUND", "3 elements")

    def test_selectors_that_are_none(self):
        session = self.show("<p>x")
        for selector in ("", "###", "a[", "//[", "xpath=", "xpath=((", ":nonsense-class", "a:has("):
            with self.subTest(selector):
                error = session.fail("click", selector=selector, timeout=300)
                self.assertEqual(error.code, "INVALID_PARAMETERS")
                self.assertIn("selector", error.message.lower())

    def test_expressions_that_find_no_element(self):
        session = self.show("<p class=c>text")
        for selector in ("//p/@class", "//p/text()", "xpath=count(//p)", "xpath='x'"):
            with self.subTest(selector):
                self.assertIn(session.fail("click", selector=selector, timeout=300).code,
                              ("INVALID_PARAMETERS", "ELEMENT_NOT_FOUND"))

    def test_the_page_goes_away_while_waiting(self):
        """The new page has the element: waiting goes on there."""
        data, release = self.pages.held()
        target = self.pages.page("<button id=b onclick=\"document.title='clicked'\">x</button>")
        session = self.show(f"<script>fetch('{data}').then(() => location = '{target}')</script>")
        reply = session.start("click", selector="#b")
        self.pages.wait_request(data)
        release.set()
        self.assertTrue(reply.value()["success"])
        self.assertEqual(session.evaluate("document.title"), "clicked")


if __name__ == "__main__":
    main()
