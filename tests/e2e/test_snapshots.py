"""What a snapshot shows of pages, in each place that a page can put it, by both names of the program."""
import json
import os
import re
import textwrap

from support.answers import text_of
from support.case import SharedCase, main
from support.engine import by_engine
from support.pages import DEEP_ELEMENTS, deep_page

BOX = "width: 24px; height: 24px"
STYLE = f"<style>.box {{ {BOX}; display: inline-block; border: 1px solid }} .hand {{ cursor: pointer }}</style>"


class Case:
    """`html` with `script`, in which `root` is the document or shadow root, and the lines that have to be shown."""

    def __init__(self, name, html, lines, script=""):
        self.name, self.html, self.lines, self.script = name, html, textwrap.dedent(lines).strip("\n"), script


def listening(*names, event="click"):
    """Each of these ids gets a listener that says so; Firefox tells of those that are properties only."""
    add = by_engine(chromium="addEventListener('{event}', () => pressed('{name}'))", firefox="on{event} = () => pressed('{name}')")
    return "".join(f"root.getElementById('{name}')." + add.format(event=event, name=name) + ";" for name in names)


# By both names: names and groups as the reference has them.
COMMON = [
    Case("pointer below a presentational element", """
        <ul><li role=presentation class=hand><span class=box></span></ul><p>total <b role=none class=hand><i class=box></i></b></p>""", """
        - list [ref]:
          - generic [ref] [cursor=pointer]
        - paragraph [ref]:
          - text: total
          - generic [ref] [cursor=pointer]"""),
    Case("no second mark inside of a pointer", "<button class=hand>Open <span class='box hand'></span></button>", """
        - button "Open" [ref] [cursor=pointer]"""),
    Case("labels lend, and not their controls", """
        <table><tr><td><label for=kept>Keep it</label></td><td><input type=checkbox id=kept></td></tr>
        <tr><td><button>Stop</button></td><td><label><input type=radio> Slow</label></td></tr></table>""", """
        - table [ref]:
          - rowgroup [ref]:
            - row [ref]:
              - cell "Keep it" [ref]
              - cell "Keep it" [ref]:
                - checkbox "Keep it" [ref]
            - row [ref]:
              - cell [ref]:
                - button "Stop" [ref]
              - cell [ref]:
                - generic [ref]:
                  - radio "Slow" [ref]
                  - text: Slow"""),
    Case("a label that is a control", "<label role=switch aria-checked=true><input type=checkbox><span>Night</span></label>", """
        - switch "Night" [checked] [ref]:
          - checkbox "Night" [ref]
          - text: Night"""),
    Case("a title inside says the name", "<button><i title=Close></i></button><a href=#><i class=box title=Menu></i></a>", """
        - button "Close" [ref]
        - link "Menu" [ref] [cursor=pointer]:
          - /url: "#\""""),
    Case("a group takes the text of the group in it", """
        <div title=Hint><div><div>inner</div></div></div><ul><li><div><div>item</div></div></ul>""", """
        - generic "Hint" [ref]: inner
        - list [ref]:
          - listitem [ref]:
            - generic [ref]: item"""),
    Case("an empty block pseudo-element keeps a name", """
        <style>.tail::after { content: ''; display: block; width: 5px; height: 5px }</style>
        <button><span><strong>Cat</strong></span><span class=tail></span></button>
        <button><span><strong>Dog</strong></span></button>""", """
        - button "Cat" [ref]:
          - strong [ref]: Cat
        - button [ref]:
          - strong [ref]: Dog"""),
    Case("text of a slot is the name of its host", "<x-item role=option>First</x-item><x-item role=tab><b>Second</b></x-item>", """
        - option "First" [ref]
        - tab "Second" [ref]""",
         "for (const item of root.querySelectorAll('x-item')) item.attachShadow({ mode: 'open' }).innerHTML = '<div><slot></slot></div>';"),
    Case("pseudo-elements of what is not shown", """
        <style>i::before { content: 'ICON' }</style><p>Files <button hidden><i></i>Delete</button></p>""", """
        - paragraph [ref]: Files"""),
    Case("pseudo-elements by all kinds of rules", """
        <style>#one::before { content: '1' } .two:not(.x, [y="a b"])::after { content: '2' } h6 > em:is(.z, em)::before { content: '3' }
        .four { &::before { content: '4' } } @media all { p > [role=note]::before { content: '5' } } q::before { content: '6' }
        *, ::before { box-sizing: border-box } .none::before { content: none }</style>
        <p id=one>a</p><p class="w two">b</p><h6><em>c</em></h6><p class=four>d</p><p><s role=note>e</s></p><p><q>f</q></p><p class=none>g</p>""", """
        - paragraph [ref]: 1a
        - paragraph [ref]: b2
        - heading [level=6] [ref]:
          - emphasis [ref]: 3c
        - paragraph [ref]: 4d
        - paragraph [ref]:
          - note [ref]: 5e
        - paragraph [ref]: 6f
        - paragraph [ref]: g"""),
]

# As browserd alone: what only listeners and the like make usable. Without these the page looks as the reference has it.
EXTENDED = [
    Case("an empty box with a listener", f"<div id=field style='{BOX}; background: #0000ff'></div><div style='{BOX}; background: red'></div>", """
        - generic [ref] [clickable] [color=blue]""", listening("field")),
    Case("squares of a board that listens for them", """
        <div id=board><div><span class=box></span><span class=box></span></div><div><span class=box></span><span class=box>X</span></div></div>""", """
        - generic [ref]:
          - generic [ref]:
            - generic [ref] [clickable]
            - generic [ref] [clickable]
          - generic [ref]:
            - generic [ref] [clickable]
            - generic [ref]: X""", listening("board")),
    Case("decoration in something that listens", """
        <div id=menu class=box><s style='display: block; height: 3px'></s><s style='display: block; height: 3px'></s></div>
        <button id=pair><span class=box></span><span class=box></span></button>""", """
        - generic [ref] [clickable]
        - button [ref]""", listening("menu", "pair")),
    Case("an icon without text", "<span id=close><i class=box></i></span>", """
        - generic [ref] [clickable]""", listening("close")),
    Case("spans in a line", """
        <p>Read <span id=terms>the terms</span> and <span>nothing</span> or <span class=hand>this</span>.</p>""", """
        - paragraph [ref]:
          - text: Read
          - generic [ref] [clickable]: the terms
          - text: and nothing or
          - generic [ref] [cursor=pointer]: this
          - text: .""", listening("terms")),
    Case("shapes", """
        <svg width=120 height=40><circle id=dot cx=20 cy=20 r=10 fill=red /><rect x=50 y=5 width=30 height=20 fill='#123456' id=bar />
        <rect x=90 width=9 height=9 /></svg>""", """
        - img [ref]:
          - generic [ref] [clickable] [circle] [fill=red] [size=20x20] [at=20,20]
          - generic [ref] [clickable] [rect] [fill=#123456] [size=30x20] [at=65,15]""", listening("dot", "bar")),
    Case("drags and drops", f"<div draggable=true style='{BOX}'></div><div id=bin style='{BOX}'></div><div tabindex=0 style='{BOX}'></div>", """
        - generic [ref] [draggable]
        - generic [ref] [drop-target]
        - generic [ref] [clickable]""", listening("bin", event="drop")),
    Case("part of a tab, all of a button", """
        <div role=tab>Log <span id=shut>x</span></div><button><span id=all>Go</span></button>""", """
        - tab "Log x" [ref]:
          - text: Log
          - generic [ref] [clickable]: x
        - button "Go" [ref]""", listening("shut", "all")),
    Case("a canvas", "<canvas width=40 height=30></canvas><canvas width=9 height=9 style='pointer-events: none'></canvas>", """
        - generic [ref] [canvas] [size=40x30]"""),
    Case("controls that are hidden from view", """
        <label>Agree <input type=checkbox style="width: 0; height: 0; appearance: none; margin: 0"></label>
        <div role=textbox aria-label=Editor contenteditable style="height: 0"></div>""", """
        - generic [ref]:
          - text: Agree
          - checkbox "Agree" [ref]
        - textbox "Editor" [ref]"""),
    Case("icons of a font are no name", """
        <style>.disk::before { content: '\\f0c7' }</style>
        <button title=Save><i class=disk></i></button><button><i class=disk></i> Keep</button>""", """
        - button "Save" [ref]
        - button "Keep" [ref]"""),
    Case("more alike than are looked at first", "<p>" + "".join(f"<span class=term>t{i}</span> " for i in range(60)) + "</p>",
         "- paragraph [ref]:\n" + "\n".join(f"  - generic [ref] [clickable]: t{i}" for i in range(60)),
         "for (const term of root.querySelectorAll('.term')) term.onclick = () => 1;"),
]

PLACES = ("document", "frame", "frame of another site", "shadow root", "shadow root in a shadow root")


class Snapshots(SharedCase):
    def start_drop_in(self):
        return self.start(command=[os.environ["PLAYWRIGHT_MCP"], "--isolated", "--output-dir", str(self.folder)])

    def succeed(self, client, tool, **arguments):
        result = client.start_call(tool, arguments).result()
        self.assertFalse(result.get("isError"), result)
        return text_of(result)

    def page(self, case, place):
        """The address of a page that has the case in a region of this name."""
        region = f"{STYLE}<section aria-label=Case>{case.html}</section>"
        script = f"const pressed = name => document.title = name; {case.script}"
        if place.startswith("shadow"):
            depth = place.count("shadow")
            return self.site.page(f"<body><script>let root = document.body;\nfor (let i = 0; i < {depth}; i++)\n"
                                  "root = root.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });\n"
                                  f"root.innerHTML = {json.dumps(region)}; {{ {script} }}</script>")
        url = self.site.page(f"{region}<script>const root = document; {script}</script>")
        if place == "document":
            return url
        if place != "frame":
            url = url.replace("127.0.0.1", "localhost")
        return self.site.page(f"<iframe width=600 height=400 src='{url}'></iframe>")

    def shown(self, client, url):
        """The lines below the region, as they are, and without the names of refs and without hints."""
        self.succeed(client, "browser_navigate", url=url)
        text = self.succeed(client, "browser_snapshot")
        match = re.search(r'^( *)- region "Case" \[ref=\w+\]:\n((?:\1 .*\n)*)', text, re.M)
        self.assertTrue(match, text)
        lines = textwrap.dedent(match[2]).rstrip("\n")
        return lines, re.sub(r' \[hint="[^"]*"\]', "", re.sub(r"\[ref=\w+\]", "[ref]", lines))

    def check(self, client, cases):
        for case in cases:
            for place in PLACES:
                with self.subTest(case.name, place=place):
                    self.assertEqual(self.shown(client, self.page(case, place))[1], case.lines)

    def test_names_and_groups(self):
        self.check(self.client, COMMON)

    def test_names_and_groups_by_the_other_name(self):
        self.check(self.start_drop_in(), COMMON)

    def test_words_for_what_has_no_name(self):
        body = """<button><i class='fa fa-bell'></i></button><div>""" + "<button></button>" * 3 + "</div><button style='background:red;width:20px;height:20px'></button>"
        self.assertEqual(re.findall(r'button \[ref=\w+\](.*)', self.shown(self.client, self.page(Case("", body, ""), "document"))[0]),
                         [' [hint="fa-bell"]'] + [f' [hint="{i} of 3"]' for i in (1, 2, 3)] + [' [hint="red box 20x20"]'])

    def test_what_only_listeners_make_clickable(self):
        self.check(self.client, EXTENDED)

    def test_nothing_of_that_by_the_other_name(self):
        client = self.start_drop_in()
        for case in EXTENDED:
            with self.subTest(case.name):
                self.succeed(client, "browser_navigate", url=self.page(case, "document"))
                self.assertNotRegex(self.succeed(client, "browser_snapshot"), r"\[(clickable|draggable|drop-target|canvas|fill|color)")

    def test_the_refs_of_what_is_marked_can_be_pressed(self):
        client = self.client
        for case, name in ((EXTENDED[0], "field"), (EXTENDED[1], "board"), (EXTENDED[3], "close"), (EXTENDED[4], "terms"), (EXTENDED[5], "dot")):
            for place in ("document", "shadow root"):
                with self.subTest(case.name, place=place):
                    lines, _ = self.shown(client, self.page(case, place))
                    self.succeed(client, "browser_click", target=re.search(r"\[ref=(\w+)\] \[clickable\]", lines)[1])
                    self.assertIn(f'"{name}"', self.succeed(client, "browser_evaluate", function="() => document.title"))

    def test_a_name_without_icons_is_found_and_one_with_them_is_printed(self):
        client = self.client
        case = Case("", "<style>.disk::before { content: '\\f0c7' }</style><button title=Save onclick='document.title = 1'><i class=disk></i></button>", "")
        lines, _ = self.shown(client, self.page(case, "document"))
        answer = self.succeed(client, "browser_click", target=re.search(r"\[ref=(\w+)\]", lines)[1])
        self.assertIn("page.getByTitle('Save').click()", answer)
        self.succeed(client, "browser_click", target="getByRole('button', { name: 'Save' })")
        self.succeed(client, "browser_click", target="getByRole('button', { name: '\\uf0c7' })")

    def test_a_ref_stays_with_its_element(self):
        client = self.client
        self.ask_both(client, self.site.page("<h1>One</h1><ul><li>a</li></ul><button>b</button>"))
        self.succeed(client, "browser_evaluate", function="() => { document.querySelector('h1').textContent = 'Two' }")
        self.assertIn('heading "Two" [level=1] [ref=e2]', self.succeed(client, "browser_snapshot"))
        self.succeed(client, "browser_evaluate", function="() => { document.querySelector('li').setAttribute('role', 'button') }")
        self.assertIn('button "a" [ref=e4]', self.succeed(client, "browser_snapshot", target="e3"))
        self.assertIn("name: 'Two'", self.succeed(client, "browser_hover", target="e2"))
        self.assertIn("name: 'b'", self.succeed(client, "browser_hover", target="e5"))

    def test_what_the_reference_does_not_list_is_numbered_last(self):
        client = self.client
        text = self.ask_both(client, self.site.page(
            "<p>read <span id=more>more</span></p><input type=checkbox style='width: 0; height: 0; margin: 0'><button>b</button>"
            "<script>more.onclick = () => 1</script>"))
        self.assertIn("paragraph [ref=e2]", text)
        self.assertIn('button "b" [ref=e3]', text)
        self.assertIn("generic [ref=e4] [clickable]: more", text)
        self.assertIn("checkbox [ref=e5]", text)

    def test_however_deep_the_page_is(self):
        client = self.client
        for element, levels in DEEP_ELEMENTS:
            with self.subTest(element):
                self.succeed(client, "browser_navigate", url=self.site.page(deep_page(element, levels)))
                text = self.succeed(client, "browser_snapshot")
                self.assertIn("Words", text)
                ref = re.search(r'- button "Deep" \[ref=(\w+)\]', text)[1]
                self.assertIn("Page Title: pressed", self.succeed(client, "browser_click", element="the button", target=ref))

    def test_a_listener_of_an_earlier_document_is_none_of_this_one(self):
        client = self.client
        url = self.page(Case("", f"<div id=late style='{BOX}'></div>", ""), "document")
        self.assertNotIn("clickable", self.ask_both(client, url))
        self.succeed(client, "browser_evaluate", function="() => { document.getElementById('late').onclick = () => 1 }")
        self.assertIn("[clickable]", self.succeed(client, "browser_snapshot"))

    def test_a_document_that_is_written_anew(self):
        client = self.client
        self.ask_both(client, self.site.page(f"<div id=one style='{BOX}'></div><script>one.onclick = () => 1</script>"))
        self.succeed(client, "browser_evaluate", function="""() => {
            document.open();
            document.write("<p>anew<div id=two style='width: 9px; height: 9px'></div><script>two.onclick = () => 1<" + "/script>");
            document.close();
        }""")
        self.succeed(client, "browser_snapshot")  # finds that the page has lost the listener that answers
        self.assertIn("[clickable]", self.succeed(client, "browser_snapshot"))

    def test_a_page_that_breaks_the_answer(self):
        client = self.client
        text = self.ask_both(client, self.site.page(
            f"<p>whole<div id=one style='{BOX}'></div><script>one.onclick = () => 1;"
            "const { dispatchEvent } = EventTarget.prototype;"
            "EventTarget.prototype.dispatchEvent = function (event) { if (!event.data) return dispatchEvent.call(this, event);"
            "dispatchEvent.call(this, new InputEvent(event.type, { data: '9'.repeat(99999) })) }</script>"))
        self.assertIn("paragraph", text)
        self.assertNotIn("clickable", text)

    def ask_both(self, client, url):
        self.succeed(client, "browser_navigate", url=url)
        return self.succeed(client, "browser_snapshot")

    def test_where_messages_of_the_console_come_from(self):
        page = self.site.page("<script>\n  console.error('said');\nsetTimeout(() => { throw 'thrown' })</script><script>let y = ;</script>")
        place = rf"@ {re.escape(page)}:\d+"
        syntax = by_engine(chromium="Unexpected token ';'", firefox="expected expression, got ';'")
        wrong = by_engine(chromium=rf"{syntax} {place}:\d+\b", firefox=rf"{syntax}\n")  # Firefox does not say where it is
        for drop_in, said, thrown, wrong in ((False, rf"\[ERROR\] said {place}:11\n", rf"thrown {place}:\d+\b", wrong),
                                             (True, rf"\[ERROR\] said {place}\n", r"thrown\b(?! @)", rf"{syntax}(?! @)")):
            client = self.start_drop_in() if drop_in else self.client
            self.succeed(client, "browser_navigate", url=page)
            answer = self.succeed(client, "browser_console_messages")
            for pattern in (said, thrown, wrong):
                with self.subTest(pattern, drop_in=drop_in):
                    self.assertRegex(answer + "\n", pattern)


if __name__ == "__main__":
    main()
