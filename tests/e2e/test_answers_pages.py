"""The compact form with several tabs, documents, frames and shadow roots, with dialogs, file choosers and crashes."""
import re

from support.case import main
from support.client import Client
from support.compact import VIEW, CompactCase, cursors, ref_of, refs, size
from support.over_http import OverHttp
from support.pages import DEEP_ELEMENTS, Response, deep_page
from support.processes import renderers

LANDMARKS = """<header><a href=/>Acme Corporation International</a><nav aria-label=Main><a href=/a>Products and solutions</a>
<a href=/b>Prices and offers</a><a href=/c>Customers of ours</a></nav></header><main>%s</main><footer><h4>Company</h4><a href=/d>About the company and its people</a>
<a href=/e>Press releases and pictures</a><p>© 2026 Acme Corporation International, all rights reserved</p></footer>"""


class Tabs(CompactCase):
    def test_each_tab_has_a_history_of_its_own(self):
        one = re.search(r"^r\d+", self.show("<h1>One</h1>", title="one"), re.M)[0]
        self.assertRegex(self.ask("browser_tabs", action="new"), r"\n- 1: \(current\) \[\]\(about:blank\)")
        two = re.search(r"^r\d+", self.show("<h1>Two</h1>", title="two"), re.M)[0]
        self.assertEqual(self.click("h1"), f"Nothing changed since {two}.")
        for index, title, seen in ((0, "one", one), (1, "two", two)):
            answer = self.ask("browser_tabs", action="select", index=index)  # names the page, because the last answer was about another
            revision = re.search(rf'\n(r\d+) \S+ "{title}", changed since {seen}: nothing else$', answer)[1]
            self.assertEqual(self.click("h1"), f"Nothing changed since {revision}.")
        self.assertRegex(self.view(since=one), "^Error: since: ")

    def test_a_new_window_is_told(self):
        self.site.route("/window", "<title>window</title><h1>Window</h1><button onclick='window.close()'>Close</button>")
        self.show("<button onclick=\"window.open('/window')\">Open</button>", title="opener")
        answer = self.click("text=Open")
        self.assertRegex(answer, r"^tabs:\n- 0: \(current\) \[opener\]\(\S+\)\n- 1: \[window\]\(http://\S+/window\)\nr\d+, changed since")
        self.assertRegex(self.ask("browser_tabs", action="select", index=1), r'\nr\d+ http://\S+/window "window"\nh1 "Window"')
        closed = self.click("text=Close")
        self.assertIn("opener", closed)
        self.assertNotIn("Window", closed)

    def test_the_only_page_closes_itself(self):
        self.show("<button onclick='window.close()'>Close</button><script>opener = null</script>")
        answer = self.click("text=Close")
        self.assertTrue("closed" in answer or answer.startswith(("r", "Nothing")), answer)
        self.assertRegex(self.show("<p>next"), r'^r\d+ \S+ "test"\nnext')


class Documents(CompactCase):
    def test_navigation_is_a_view(self):
        second = self.site.page("<h1>Second</h1>", title="second")
        self.show(f"<a href={second}>go</a>")
        self.assertRegex(self.click("text=go"), rf'^r\d+ {second} "second"\nh1 "Second"$')
        self.assertRegex(self.ask("browser_navigate_back"), r'^r\d+ \S+ "test"\nlink "go"')

    def test_a_reload_is_a_view(self):
        self.show("<button onclick='location.reload()'>Reload</button>")
        self.assertRegex(self.click("text=Reload"), r'^r\d+ \S+ "test"\nbutton "Reload" (f\d+)?e\d+$')

    def test_however_deep_the_page_is(self):
        for element, levels in DEEP_ELEMENTS:
            with self.subTest(element):
                self.show(deep_page(element, levels))
                view = self.view(budget=9000)
                while 'button "Deep"' not in view:
                    view = self.view(cursor=cursors(view)[-1])
                self.assertRegex(self.click(ref_of(view, 'button "Deep"')), r'"pressed"')

    def test_landmarks_of_the_page_before(self):
        first = self.show(LANDMARKS % "<h1>One</h1><a href=/two>next</a>")
        self.site.route("/two", "<!doctype html><title>two</title>" + LANDMARKS % "<h1>Two</h1>")
        seen = re.match(r"r\d+", first)[0]
        answer = self.click("text=next")
        self.assertRegex(answer, rf'"two"\nbanner \S+ as in {seen}( with other refs, cursor c\d+)?\nmain \S+\n h1 "Two"\ncontentinfo \S+ as in {seen}')
        self.assertNotIn("Prices", answer)
        self.assertLess(size(answer), size(first) - 150)
        banner = self.view(cursor=cursors(answer.replace("as in", "… as in"))[0])
        self.assertIn('link "Prices and offers"', banner)
        self.assertIn("Nothing changed", self.ask("browser_hover", target=ref_of(banner, 'link "Prices and offers"')))
        self.assertIn("Prices", self.view())  # asked for, it is whole

    def test_a_landmark_that_changed_is_shown(self):
        self.show(LANDMARKS % "<h1>One</h1><a href=/three>next</a>")
        self.site.route("/three", "<!doctype html><title>three</title>" + (LANDMARKS % "<h1>Three</h1>").replace("Prices", "Costs"))
        answer = self.click("text=next")
        self.assertIn('link "Costs and offers"', answer)
        self.assertRegex(answer, r"contentinfo \S+ as in r\d+")

    def test_an_address_changes_without_a_document(self):
        self.show("""<h1>Mail</h1><button id=same onclick="history.pushState(0, '', '/same')">same</button><button id=other
            onclick="history.pushState(0, '', '/other'); document.title = 'Other'; document.querySelector('h1').textContent = 'Other mail'">other</button>""")
        self.click("#same")
        answer = self.click("#other")
        self.assertRegex(answer, r'^r\d+ http://\S+/other "Other", changed since r\d+:\n')
        self.assertIn('~ h1 "Other mail"', answer)
        self.assertNotIn("/other", self.click("h1"))

    def test_only_the_address_changes(self):
        self.show("<button onclick=\"history.pushState(0, '', '#next')\">next</button>")
        self.click("text=next")
        self.show("<p onclick=\"history.pushState(0, '', '#p')\">text</p>")
        self.assertRegex(self.click("p"), r'^r\d+ \S+#p "test", changed since r\d+: nothing else$')

    def test_errors_of_the_server(self):
        self.site.route("/bad", lambda request: Response("<title>bad</title><h1>Sorry</h1>", status=503))
        answer = self.ask("browser_navigate", url=self.site.url("/bad"))
        self.assertRegex(answer, r'^r\d+ \S+/bad "bad"\nHTTP status: 503 Service Unavailable\n(console: .*\n)?h1 "Sorry"')
        failed = self.ask("browser_navigate", url="http://127.0.0.1:1/")
        self.assertRegex(failed, "^Error: ")

    def test_console_errors_are_counted(self):
        self.show("""<button onclick="console.error('first of them'); console.error('x'); console.warn('w')">log</button>""")
        answer = self.click("text=log")
        self.assertRegex(answer, r'^console: 2 errors, 1 warning, first "first of them" \(browser_console_messages\)\n')
        self.assertNotIn("console:", self.ask("browser_hover", target="text=log"))


class Interruptions(CompactCase):
    client_class = Client

    def test_dialogs(self):
        self.show("""<button onclick="said.textContent = confirm('Sure?')">Ask</button><p id=said></p>""")
        answer = self.click("text=Ask")
        self.assertRegex(answer, r'^- \["confirm" dialog with message "Sure\?"\]: can be handled by browser_handle_dialog\nhttp://')
        self.assertRegex(self.view(), r'^Error: .*modal state')
        self.assertRegex(self.click("text=Ask"), r'^Error: .*modal state')
        answer = self.ask("browser_handle_dialog", accept=True)
        self.assertRegex(answer, r"^r\d+, changed since r\d+:\n")
        self.assertIn("+ true", answer)

    def test_a_page_that_opens_with_a_dialog(self):
        answer = self.show("<h1>Hello</h1><script>alert('at once')</script>")
        self.assertIn('dialog with message "at once"', answer)
        self.assertIn('h1 "Hello"', self.ask("browser_handle_dialog", accept=True))

    def test_file_choosers(self):
        self.show("<input type=file id=f aria-label=Picture>")
        self.assertRegex(self.click("#f"), r"^- \[File chooser\]: can be handled by browser_file_upload\n")
        path = self.folder / "picture.txt"
        path.write_text("x", "utf-8")
        answer = self.ask("browser_file_upload", paths=[str(path)])
        self.assertTrue("picture.txt" in answer or answer.startswith("r"), answer)
        self.assertNotIn("File chooser", answer)

    def test_files_by_the_file_system_access_api(self):
        for picker in "showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker":
            self.show(f"<button onclick=\"{picker}().catch(e => out.textContent = e.name)\">Open</button><p id=out></p>")
            answer = self.click("button")
            self.assertIn("The page asked for files by the File System Access API (showOpenFilePicker", answer)
            self.assertIn("AbortError", answer)
            self.assertNotIn("File System Access", self.view())

    def test_a_locked_pointer(self):
        """It would keep the browser's main process busy, and the next click would hang."""
        self.show("<button id=lock onclick=\"this.requestPointerLock()\">Lock</button><button id=other onclick='out.textContent += \"pressed\"'>Other</button>"
                  "<p id=out></p><script>document.onpointerlockchange = () => out.textContent += document.pointerLockElement ? 'locked ' : 'released '</script>")
        self.assertIn("The page locked the mouse pointer, which is not available here: it was released at once, as by Escape.", self.click("#lock"))
        self.assertIn("locked released", self.repeat(self.view, lambda text: "released" in text))
        self.assertIn("locked released pressed", self.click("#other"))

    def test_a_crash(self):
        self.show("<button>old</button>", title="old")
        for renderer in renderers(self.client.processes()):
            renderer.kill()
        answer = self.repeat(self.view, lambda text: "old" not in text)
        self.assertIn("crashed", answer)
        self.assertRegex(self.show("<button>new</button>"), r'r\d+ \S+ "test"\n(The page before had crashed\.\n)?button "new"')


class Places(CompactCase):
    """Frames and shadow roots."""

    def test_frames(self):
        inner = self.site.page("<h2>Inner</h2><button onclick=\"this.textContent = 'pressed'\">Press</button>")
        view = self.show(f"<h1>Outer</h1><iframe src={inner}></iframe><iframe src={inner.replace('127.0.0.1', 'localhost')}></iframe>")
        self.assertEqual(len(re.findall(r'^ h2 "Inner"', view, re.M)), 2)
        for number, ref in enumerate(re.findall(r'button "Press" (f\d+e\d+)', view)):
            answer = self.click(ref)
            self.assertRegex(answer, rf'^r\d+, changed since r\d+:\nin iframe \S+\n~ button "pressed" {ref} active$')
        self.assertEqual(number, 1)

    def test_a_frame_that_loads_another_document(self):
        second = self.site.page("<h2>Second</h2><a href=/>link</a>")
        first = self.site.page(f"<h2>First</h2><a href={second}>next</a>")
        view = self.show(f"<h1>Outer</h1><p>stays</p><iframe src={first}></iframe>")
        answer = self.click(ref_of(view, 'link "next"'))
        self.assertIn('h2 "Second"', answer)
        self.assertNotIn("stays", answer)

    def test_frames_come_and_go(self):
        inner = self.site.page("<button>inside</button>")
        self.show(f"""<button onclick="d.innerHTML = d.innerHTML ? '' : '<iframe src={inner}></iframe>'">toggle</button><div id=d></div>""")
        answer = self.click("text=toggle")
        self.ask("browser_wait_for", text="inside")
        self.assertRegex(answer + self.view(), r'iframe e\d+\n[ +]* button "inside" f\d+e\d+')
        self.assertRegex(self.click("text=toggle"), r"\n- iframe")

    def test_shadow_roots(self):
        """What is in closed ones is not captured, as in the form of @playwright/mcp."""
        page = """<main><h1>Profile</h1><div id=h><b>slotted</b></div></main><script>const root = h.attachShadow({ mode: '%s' });
            root.innerHTML = '<label>Name <input></label><slot></slot><button>Save</button><p></p>';
            root.querySelector('button').onclick = () => { root.querySelector('p').textContent = 'Saved ' + root.querySelector('input').value }</script>"""
        view = self.show(page % "open")
        self.assertRegex(view, r'textbox "Name" e\d+ \| slotted \| button "Save" e\d+')
        self.assertRegex(self.ask("browser_type", target=ref_of(view, 'textbox "Name"'), text="Ada"), r'\n~ textbox "Name" e\d+ active: Ada$')
        answer = self.click(ref_of(view, 'button "Save"'))
        self.assertRegex(answer, r'in main e\d+\n~ button "Save" e\d+ active\nin main e\d+, after e\d+\n\+ Saved Ada$|\+ Saved Ada$')
        self.assertRegex(self.show(page % "closed"), r"\n slotted$")

    def test_refs_of_every_place(self):
        """An element is known by its ref until it goes, whatever is shown meanwhile."""
        view = self.show("<main>" + "".join(f"<p><button>b{n}</button></p>" for n in range(50)) + "</main>")
        found = refs(view)
        self.assertEqual(len(found), len(set(found)))
        self.click("text=b7")
        again = refs(self.view())
        self.assertEqual(found, again)


class OverHttpToo(CompactCase):
    client_class = OverHttp

    def test_tabs_and_frames(self):
        inner = self.site.page("<button onclick=\"this.textContent = 'pressed'\">Press</button>")
        view = self.show(f"<iframe src={inner.replace('127.0.0.1', 'localhost')}></iframe>")
        self.assertIn('button "pressed"', self.click(ref_of(view, 'button "Press"')))
        self.ask("browser_tabs", action="new")
        self.assertRegex(self.show("<h1>Two</h1>"), r'\nh1 "Two"$')
        self.ask("browser_tabs", action="select", index=0)
        self.assertLess(size(self.view()), VIEW)


if __name__ == "__main__":
    main()
