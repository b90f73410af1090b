"""click and type on pages that make it hard: what moves, covers, clips, replaces, steals the focus or shadows names."""
from support.case import ServerCase, main
from support.engine import ENGINE

LOG = "<script>log = []; addEventListener('click', e => log.push(e.target.id || e.target.localName))</script>"
OVERLAY = "<div id=o style='position:fixed;inset:0'></div>"
SHADOW = "<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = `%s`</script>"
CLOBBERED = "".join(f"<img name={name}>" for name in (
    "querySelectorAll", "elementFromPoint", "activeElement", "createTreeWalker", "timeline", "hidden", "getAnimations")) + (
    "<form name=x id=f style='padding:20px;height:200px'>" + "".join(f"<input name={name}>" for name in (
        "parentNode", "matches", "assignedSlot", "getAttribute", "localName", "getAnimations", "getClientRects", "labels",
        "isConnected", "scrollIntoView", "checkVisibility")) + "%s</form>")
MAP = ("<img usemap=#m width=200 height=100 src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'>"
       "<map name=m><area id=b shape=rect coords='100,0,200,100' href='#'></map>")
# An editor draws the text of a field that it hides, as code editors do. %s: the field, then what else the page has.
EDITOR = ("<style>#e { position: relative; width: 300px; height: 100px } #e > * { position: absolute; left: 0; top: 0; border: 0; padding: 0 }"
          "#t { width: 100%%; height: 100%% }</style><div id=e>%s<div id=t><span id=s>some words of code in here</span></div></div>%s")
TINY_FIELD = "<textarea id=b style='width:1px;height:1px;z-index:-1'></textarea>"
FLAT_FIELD = "<div id=b tabindex=0 style='width:300px;height:0'></div>"
CONNECTED = "<script>b.editContext = new EditContext()</script>"


def animated(keyframes, animation):
    return f"<style>@keyframes k {{ {keyframes} }} #b {{ margin: 50px; animation: k {animation} }}</style><button id=b>words</button>"


# name: body, ids of the elements that get the click on #b
REACHED = {
    "hidden behind its label": ("<label for=b>Accept</label><input type=checkbox id=b style='display:none'>", ["label", "b"]),
    "hidden, with a link in its label": ("<label for=b><a id=a href='#x' style='display:inline-block;width:60px'>terms</a> and conditions of sale"
                                         "</label><input type=checkbox id=b style='position:absolute;width:1px;height:1px;clip:rect(0,0,0,0)'>",
                                         ["label", "b"]),
    "drawn by its component": (SHADOW % "<div id=w style='position:relative;width:90px;height:30px'><input id=b readonly style='pointer-events:none'>"
                               "</div>", ["h"]),
    "shadow root": (SHADOW % "<button id=b>x</button>", ["h"]),
    "slot": (SHADOW.replace("></div>", "><i>t</i></div>") % "<slot id=b></slot>", ["i"]),
    "display: contents": ("<div id=b style='display:contents'><i>text</i></div>", ["i"]),
    "image map": (MAP, ["b"]),
    "option of a list box": ("<select multiple><option>a<option id=b>b</select>", ["b"]),
    "covered in its middle": ("<button id=b style='width:200px;height:60px'>x</button>"
                              "<div style='position:absolute;left:60px;top:20px;width:90px;height:30px'></div>", ["b"]),
    "under a sticky header": ("<header style='position:sticky;top:0;height:400px;background:red'></header><div style='height:300px'></div>"
                              "<button id=b>x</button><div style='height:2000px'></div><script>scrollTo(0, 350)</script>", ["b"]),
    "smooth scrolling": ("<style>html { scroll-behavior: smooth }</style><div style='height:5000px'></div><button id=b>x</button>", ["b"]),
    "carousel": ("<div style='overflow-x:auto;width:200px;white-space:nowrap;scroll-snap-type:x mandatory'>" + "".join(
        f"<div {more} style='display:inline-block;width:200px;scroll-snap-align:start'>p</div>" for more in ("", "", "", "id=b")) + "</div>", ["b"]),
    "skipped content": ("<style>section { content-visibility: auto; contain-intrinsic-size: 100px 900px }</style>" +
                        "<section>a</section>" * 20 + "<section><button id=b>x</button></section>", ["b"]),
    "larger than the window": ("<div id=b style='width:9000px;height:9000px'>x</div>", ["b"]),
    "label over its control": ("<label>t <input type=checkbox id=b style='opacity:0'><span id=s style='position:absolute;inset:0'></span></label>",
                               ["s", "b"]),
    "tiny field of an editor": (EDITOR % (TINY_FIELD, ""), ["s"]),
    "transparent field of an editor": (EDITOR % (TINY_FIELD.replace("width:1px;height:1px", "color:transparent"), ""), ["s"]),
    "field of an editor in a box of no size": (EDITOR % (f"<div style='width:0;height:0'>{TINY_FIELD}</div>", ""), ["s"]),
    "EditContext without a height": (EDITOR % (FLAT_FIELD, CONNECTED), ["t"]),
    "editor in a shadow root": (SHADOW % (EDITOR % (TINY_FIELD, "")), ["h"]),
    "mouse passes to the button": ("<button id=o><span id=b style='pointer-events:none'>x</span></button>", ["o"]),
    "fades in slowly": (animated("from { opacity: .1 }", "60s"), ["b"]),
    "pulses for ever": (animated("from { transform: scale(1) } to { transform: scale(1.2) }", "1s infinite alternate"), ["b"]),
    "turns for ever": (animated("to { transform: rotate(360deg) }", "1s infinite linear"), ["b"]),
    "moves when the mouse comes": ("<button id=b style='position:absolute;left:50px' onmouseover=\"b.style.left = '300px'\">x</button>", ["b"]),
    "page that changes all the time": ("<button id=b>x</button><i id=i></i><script>(function f() { i.textContent = Math.random(); setTimeout(f) })()"
                                       "</script>", ["b"]),
    "names that shadow properties": (CLOBBERED % "<button type=button id=b>x</button>", ["b"]),
    "form of such names": (CLOBBERED.replace("id=f", "id=b") % "", ["b"]),
    "listener that stops everything": ("<script>for (const type of ['pointerdown', 'mousedown', 'click']) addEventListener(type, e => {"
                                       "if (type == 'click') log.push(e.target.id); e.stopImmediatePropagation() }, true)</script>"
                                       "<button id=b>x</button>", ["b"]),
}

# name: body, what the message must tell about a click on #b
REFUSED = {
    "overlay": (f"<button id=b>x</button>{OVERLAY.replace('></div>', '><p>Loading</p></div>')}", "covered by .*<div id=\"o\">"),
    "overlay that the mouse brings": ("<button id=b style='position:absolute' onmouseover=\"document.body.insertAdjacentHTML('beforeend',"
                                      f"`{OVERLAY}`)\">x</button>", "covered by <div id=\"o\">.*when the mouse arrived"),
    "editor under an overlay": (EDITOR % (TINY_FIELD, OVERLAY), "covered by .*<div id=\"o\">"),
    "button over an editor": (EDITOR % (TINY_FIELD, "<style>#t { pointer-events: none } #e > button { width: 100%; height: 100% }</style>"
                                        "<script>e.append(document.createElement('button'))</script>"), "covered by <button>"),
    "tiny field that belongs to no box": (f"{TINY_FIELD}{OVERLAY}", "covered by .*<div id=\"o\">"),
    "element of no height that takes no text": (EDITOR % (FLAT_FIELD, ""), "zero size"),
    "modal dialog": ("<button id=b>x</button><dialog id=d>sure?</dialog><script>d.showModal()</script>", "modal <dialog id=\"d\">sure"),
    "inert": ("<div inert id=i><button id=b>x</button></div>", "inert on <div id=\"i\">"),
    "clipped": ("<div id=c style='overflow:clip;width:99px'><div id=b style='margin-left:300px;width:80px'>x</div></div>", "clipped"),
    "aria-disabled": ("<div id=d aria-disabled=true><span id=b>x</span></div>", "aria-disabled\\) on <div id=\"d\">"),
    "inside a disabled button": ("<button id=d disabled><span id=b>x</span></button>", "disabled on <button id=\"d\">"),
    "hidden ancestor": ("<div id=d style='display:none'><button id=b>x</button></div>", "display: none on <div id=\"d\">"),
    "not slotted": ("<div id=h><button id=b>x</button></div><script>h.attachShadow({mode: 'open'})</script>", "no slot of <div id=\"h\">"),
    "entry of a drop-down list": ("<select><option id=b>x</select>", "drop-down"),
    "in a frame": ("<iframe srcdoc='<button id=b>x</button>'></iframe>", "not searched: the frame"),
}

# name: body, text, expression, its value after typing into #i
TYPED = {
    "caret goes to the end": ("<input id=i type=email value=ab>", "cd", "i.value", "abcd"),
    "inside an editor": ("<div contenteditable id=e><p id=i>ab</p><p>cd</p></div>", "xy", "e.innerText", "abxy\n\ncd"),
    "document in design mode": ("<p id=i>ab<script>document.designMode = 'on'</script>", "xy", "i.innerText", "abxy"),
    "label stands for its field": ("<label id=i>a <input id=f></label>", "x", "f.value", "x"),
    "field in a shadow root": (SHADOW % "<input id=i>", "abc", "h.shadowRoot.querySelector('input').value", "abc"),
    "one digit a field": ("<div>" + "<input maxlength=1 oninput='this.nextElementSibling?.focus()'>" * 3 + "</div><script>"
                          "document.querySelector('input').id = 'i'</script>", "123", "[...document.querySelectorAll('input')].map(e => e.value).join()", "1,2,3"),
    "focus stolen twice": ("<input id=i><input id=j><script>let n = 0; i.onfocus = () => n++ < 2 && j.focus()</script>", "ab", "i.value", "ab"),
    "field replaced while typing": ("<div id=d><input id=i oninput=\"if (value == 'ab') { d.innerHTML = '<input id=k>'; k.focus() }\"></div>",
                                    "abcd", "k.value", "cd"),
    "Tab leaves the field": ("<input id=i onchange='window.changed = 1'><input id=j>", "x\ty", "[i.value, j.value, changed].join()", "x,y,1"),
    "setter of a framework": ("<input id=i><script>const d = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let known = '', n = 0;"
                              "Object.defineProperty(i, 'value', {get() { return d.get.call(this) }, set(v) { known = v; d.set.call(this, v) }});"
                              "i.addEventListener('input', () => n += i.value !== known)</script>", "ab", "i.value + n", "ab2"),
    "date": ("<input id=i type=date oninput='window.n = 1' onchange='n += 1'>", "2024-02-29", "i.value + n", "2024-02-292"),
    "time": ("<input id=i type=time>", "10:30", "i.value", "10:30"),
    "month": ("<input id=i type=month>", "2024-05", "i.value", "2024-05"),
    "colour": ("<input id=i type=color>", "#AABBCC", "i.value", "#aabbcc"),
    "range": ("<input id=i type=range>", "30", "i.value", "30"),
    "names that shadow properties": (CLOBBERED % "<input id=i>", "abc", "i.value", "abc"),
}


def known(table):
    """The rows of it that the browser knows: Firefox has no EditContext."""
    return {name: row for name, row in table.items() if ENGINE == "chromium" or "EditContext" not in row[0]}


class ActionPages(ServerCase):
    def test_reached(self):
        session = self.session()
        for name, (body, ids) in known(REACHED).items():
            with self.subTest(name):
                self.show(body, session, head=LOG)
                session.click("#b")
                self.assertEqual(session.evaluate("log"), ids)

    def test_refused(self):
        session = self.session()
        for name, (body, pattern) in REFUSED.items():
            with self.subTest(name):
                self.show(body, session, head=LOG)
                error = session.fail("click", selector="#b", timeout=200)
                self.assertRegex(error.message, pattern)
                self.assertEqual(session.evaluate("log"), [])

    def test_a_press_that_would_miss_reaches_nothing(self):
        """The element flees from the mouse, forth and back: no press may land where it was."""
        session = self.show("<button id=b style='position:absolute;left:50px' onmouseover=\"b.style.left = b.offsetLeft > 200 ? '50px' : '400px'\">"
                            "x</button>", head=LOG + "<script>for (const type of ['pointerdown', 'mousedown', 'mouseup'])"
                            "addEventListener(type, e => log.push(type))</script>")
        error = session.fail("click", selector="#b", timeout=300)
        self.assertEqual(error.code, "ELEMENT_NOT_CLICKABLE")
        self.assertRegex(error.message, "moving when the mouse arrived")
        self.assertEqual(session.evaluate("log"), [])

    def test_clicks_that_end_their_document(self):
        """None is sent twice, and none is taken for lost."""
        session, target = self.session(), self.pages.page("there")
        for times in range(1, 21):
            self.show(f"<a id=go href='{target}'>x</a>", session)
            session.click("#go")
            self.pages.wait_request(target, times)
        self.assertEqual(len(self.pages.requests(target)), 20)

    def test_a_frame_is_clicked(self):
        session = self.show("<iframe id=b srcdoc='<body onclick=parent.log.push(1) style=height:90vh>x'></iframe>", head=LOG)
        session.click("#b")
        self.assertEqual(session.evaluate("log"), [1])

    def test_typed(self):
        session = self.session()
        for name, (body, text, expression, value) in known(TYPED).items():
            with self.subTest(name):
                self.show(body, session)
                session.type("#i", text)
                self.assertEqual(session.evaluate(expression), value)

    def test_dialogs_between_the_keys(self):
        """The browser drops keys while a dialog is open: either all arrive, or the answer says that some are lost."""
        session = self.session()
        for body, text in (("<input id=i oninput='alert(value)'>", "abcdef"),
                           ("<input id=i onkeydown='confirm(event.key)'>", "abc"),
                           ("<input id=i oninput='value.length == 5 && alert(5)'>", "abcdefghijklmnopqrst")):
            with self.subTest(body):
                self.show(body, session)
                result = session.start("type", selector="#i", text=text).result()
                if result.get("isError"):
                    self.assertIn("lost", result["content"][0]["text"])
                else:
                    self.assertEqual(session.evaluate("i.value"), text)
        session.type("#i", text, clear=True, delay=1)
        self.assertEqual(session.evaluate("i.value"), text)

    def test_text_that_a_field_does_not_take(self):
        session = self.session()
        for body, text, pattern in (("<input id=i type=range max=10>", "11", "min, max and step"),
                                    ("<input id=i type=date value=2020-01-01>", "31.12.2024", "YYYY-MM-DD"),
                                    ("<input id=i type=color>", "red", "#rrggbb")):
            with self.subTest(body):
                self.show(body, session)
                before = session.evaluate("i.value")
                self.assertRegex(session.fail("type", selector="#i", text=text).message, pattern)
                self.assertEqual(session.evaluate("i.value"), before)


if __name__ == "__main__":
    main()
