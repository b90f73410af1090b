"""Differences in the compact form say what happened: nothing that the agent caused is left out, and nothing that was there is called new."""
import re

from support.case import main
from support.compact import CompactCase, ref_of
from support.pages import Response
from support.ports import free_port

LOG = """<h1>Jobs</h1><button id=run onclick="say('Job failed: disk is full')">Run</button><button id=clear onclick="log.replaceChildren()">Clear</button>
<div role=log id=log aria-label=Events></div><script>let n = 0;
function say(text) { const line = document.createElement('p'); line.textContent = text; log.append(line); }
setInterval(() => say('tick ' + ++n), 200)</script>"""

EDITOR = """<h1>Notebook</h1><div aria-label="Cell 1" style='position: relative; height: 60px'><textarea id=field style='opacity: .01'></textarea>
<div id=code></div><div id=caret style='position: absolute'><div>&nbsp;</div></div></div><button>Run</button><script>let on = false;
setInterval(() => { caret.style.visibility = (on = !on) ? '' : 'hidden' }, 200);
field.oninput = () => { code.innerHTML = ''; for (const line of field.value.split('\\n')) code.append(Object.assign(document.createElement('pre'), { textContent: line })) };
</script>"""

TASKS = """<h1>Tasks</h1><div id=place></div><script>const tasks = Array.from({ length: 60 }, (_, i) => ({ name: 'Task ' + (i + 1), done: false }));
const draw = () => { place.innerHTML = `<p>${tasks.filter(({ done }) => !done).length} open</p><ul>` + tasks.map(({ name, done }, i) =>
    `<li><label><input type=checkbox data-i=${i} ${done ? 'checked' : ''}> ${name}</label> <button>Delete</button></li>`).join('') + '</ul>' };
onchange = ({ target }) => { tasks[target.dataset.i].done = target.checked; draw(); };
onclick = ({ target }) => { if (target.tagName !== 'BUTTON') return; tasks.splice(target.previousElementSibling.firstChild.dataset.i, 1); draw(); };
draw()</script>"""

PAUSES = 0, 1, 3  # seconds between two calls of an agent


class Caused(CompactCase):
    """In containers that change by themselves as well."""

    def pause(self, seconds):
        if seconds:
            self.ask("browser_wait_for", time=seconds)

    def test_a_line_of_a_log(self):
        for seconds in PAUSES:
            with self.subTest(seconds=seconds):
                self.show(LOG)
                self.pause(seconds)
                self.assertRegex(self.click("#run"), r'\+ .*"Job failed: disk is full"')
                self.pause(seconds)
                self.assertRegex(self.click("#clear"), r'\n- .*"Job failed: disk is full"|\n- \d+ lines: tick 1 to ')

    def test_what_is_typed_beside_a_caret(self):
        for seconds in PAUSES:
            with self.subTest(seconds=seconds):
                self.show(EDITOR)
                self.click("#field")
                self.pause(seconds)
                answer = self.ask("browser_type", target="#field", text="import os")
                self.assertRegex(answer, r'~ group "Cell 1": textbox (?:f\d+)?e\d+ active: import os \| import os')
                self.assertNotIn("\n- ", answer)

    def test_a_field_that_has_the_focus(self):
        self.show(EDITOR)
        self.assertRegex(self.click("#field"), "only the focus, now on textbox")


class Redraws(CompactCase):
    """What a page writes again is what it was."""

    def test_of_a_list(self):
        view = self.show(TASKS)
        box, remove = ref_of(view, 'checkbox "Task 4"'), re.search(r'checkbox "Task 6".*? \| button "Delete" (e\d+)', view)[1]
        answer = self.click(box)
        self.assertIn(f'~ checkbox "Task 4" {box} checked', answer)
        self.assertEqual(answer.count("checkbox"), 1)
        answer = self.click(box)
        self.assertIn(f'~ checkbox "Task 4" {box} |', answer)
        answer = self.click(remove)
        self.assertRegex(answer, r'\n- .*Task 6')
        self.assertNotIn("+ ", answer)
        self.assertEqual(ref_of(self.view(), 'checkbox "Task 4"'), box)

    def test_in_a_shadow_root(self):
        view = self.show("""<div id=host></div><script>const root = host.attachShadow({ mode: 'open' }); let n = 0;
            const draw = () => { root.innerHTML = `<p>${n} saved</p><button>Save</button><button>Close</button>` };
            root.addEventListener('click', () => { n++; draw(); }); draw()</script>""")
        save, close = ref_of(view, 'button "Save"'), ref_of(view, 'button "Close"')
        answer = self.click(save)
        self.assertIn("~ 1 saved", answer)
        self.assertNotIn("button", answer)
        self.assertIn("2 saved", self.click(close))

    def test_another_control_in_its_place_is_another(self):
        view = self.show("""<h1>Account</h1><p>Some words of the page.</p><div id=place></div><script>let n = 0;
            const draw = () => { place.innerHTML = n++ ? '<button>Delete account</button>' : '<button>Save</button>' };
            place.onclick = draw; draw()</script>""")
        save = ref_of(view, 'button "Save"')
        answer = self.click(save)
        self.assertRegex(answer, r'\+ button "Delete account" (?:f\d+)?e\d+')
        self.assertIn('- button "Save"', answer)
        self.assertIn("its element was removed", self.click(save))


class LongRows(CompactCase):
    def test_what_changed_in_one(self):
        cells = "".join(f"<td>cell number {i} with some words of its own" for i in range(12))
        self.show(f"<table><tr><th>First{cells}</table><button onclick='document.querySelectorAll(\"td\")[6].textContent = \"Changed\"'>Go</button>")
        self.assertIn("\n~ First | … | Changed | …\n", self.click("text=Go"))


class Failures(CompactCase):
    """An action whose navigation fails says why, as browser_navigate does."""

    def test_of_navigations(self):
        url = f"http://127.0.0.1:{free_port()}/x"
        page = f"""<a id=link href="{url}">Link</a> <form action="{url}" method=post><button id=form>Send</button></form>
            <button id=script onclick="setTimeout(() => {{ location = '{url}' }}, 50)">Script</button> <a id=tab href="{url}" target=_blank>New tab</a>"""
        for target in "#link", "#form", "#script":
            with self.subTest(target):
                self.show(page)
                answer = self.click(target)
                self.assertIn(f"The navigation failed: net::ERR_CONNECTION_REFUSED at {url}", answer)
        self.show(f"""<button onclick="f.src = '{url}'">Load</button><iframe id=f></iframe>""")
        self.assertIn(f"A navigation failed: net::ERR_CONNECTION_REFUSED at {url}\n", self.click("text=Load"))
        self.show(page)
        self.assertIn("(chrome-error://chromewebdata/) [net::ERR_CONNECTION_REFUSED]", self.click("#tab"))
        self.assertIn(f"The navigation failed: net::ERR_CONNECTION_REFUSED at {url}", self.ask("browser_tabs", action="select", index=1))

    def test_of_addresses_for_other_applications(self):
        self.site.route("/go", Response(status=302, headers=[("Location", "myapp://order/7")]))
        self.show(f"""<a id=link href="myapp://order/7">Link</a> <a id=redirect href="{self.site.url('/go')}">Redirect</a>
            <button id=script onclick="location = 'myapp://order/7'">Script</button> <button id=other>Other</button>""")
        for target in "#link", "#redirect", "#script":
            with self.subTest(target):
                self.assertIn("Nothing here opens myapp://order/7, an address of another application\n", self.click(target))
        self.assertNotIn("Nothing here opens", self.click("#other"))


class Places(CompactCase):
    """What an answer is about is said first."""

    def test_a_tab_that_is_selected_is_shown(self):
        other = self.site.page("<h1>Second</h1><button>In the second</button>", title="Other")
        self.show(f'<h1>First</h1><a href="{other}" target=_blank>Open</a>')
        self.click("text=Open")
        answer = self.ask("browser_tabs", action="select", index=1)
        self.assertRegex(answer, r'\nr\d+ http://\S+ "Other"\n(.*\n)*button "In the second" e\d+')
        self.assertRegex(self.ask("browser_tabs", action="close"), r"\nr\d+ http://\S+ .*changed since r\d+")
        self.assertIn('button "In the second"', self.ask("browser_tabs", action="new", url=other))

    def test_a_page_that_is_new_is_named_first(self):
        self.site.route("/next", Response("<title>Next</title><h1>Next page</h1><script>console.error('broken')</script>", status=404))
        self.show(f"""<form action="{self.site.url('/next')}"><input name=q><button>Send</button></form>
            <button onclick="window.open('about:blank')">Another tab</button>""")
        self.click("text=Another tab")
        answer = self.ask("browser_type", target="input", text="x", submit=True)
        self.assertRegex(answer, r'\Ar\d+ http://\S+/next\?q=x "Next"\ntabs:\n(- .*\n)+HTTP status: 404 .*\nconsole: .*\nh1 "Next page"')


class Waits(CompactCase):
    """browser_wait_for waits for a target, and for a text in one."""

    PAGE = """<div id=one>idle</div><div id=two>Done before</div><div id=four>Loading</div><button onclick="setTimeout(change, LATER)">Start</button>
        <script>const LATER = 1200; /* ms, so that no answer to the click waits for it */
        function change() { one.textContent = 'Done now'; four.remove(); document.body.insertAdjacentHTML('beforeend', '<p id=three>Made</p>') }</script>"""

    def test_in_a_target(self):
        for wait, change in ({"target": "#one", "text": "done"}, "~ Done now"), ({"target": "#three"}, "+ Made"), ({"target": "#four", "textGone": "Loading"}, "- Loading"):
            with self.subTest(wait):
                self.show(self.PAGE)
                self.assertNotIn("Done now", self.click("text=Start"))
                self.assertIn(change, self.ask("browser_wait_for", **wait))

    def test_in_vain(self):
        client = self.start(*self.args, "--timeout-action", "500")
        client.ask("browser_navigate", url=self.site.page(self.PAGE))
        answer = client.ask("browser_wait_for", target="#one", text="Done")
        self.assertIn("locator('#one').getByText('Done')", answer)
        self.assertIn('"#none" does not match any elements', client.ask("browser_wait_for", target="#none"))


if __name__ == "__main__":
    main()
