"""
Everything that is on a page is in the compact answers: what the old form of answers, the browser's accessibility tree and what a person sees
say is in a view, below a cursor of it, or in what browser_read answers, and what reacts to a user has a ref.
"""
import importlib
import json
import os
import pathlib
import random
import re

import test_aria
import test_captures
from support.answers import text_of
from support.case import BrowserdCase, main
from support.compact import QUOTED, cursors, refs
from support.generate import CASES, for_all

COMPAT = pathlib.Path(__file__).parent.parent / "compat"
MODULES = pathlib.Path(os.environ.get("MCP_SDK", ""), "node_modules")
# What has no view of its own, or changes while it is looked at.
UNSTEADY = {"beforeunload.html", "broken_builtins.html", "clobbered.html", "dialogs_in_a_row.html", "document_write.html", "hostile-page.html",
            "infinite_scroll.html", "meta_refresh.html", "nodes-10000.html", "ten_thousand.html"}
FIXTURES = [path for folder in ("pages", "nasty") for path in sorted((COMPAT / folder).glob("*.html")) if path.name not in UNSTEADY]
LONGEST = 200  # characters; of longer texts the beginning is looked for, as their lines are cut

# The page's own listeners, as the browser does not tell them.
LISTENING = """<script>{ const add = EventTarget.prototype.addEventListener; EventTarget.prototype.addEventListener = function (type, ...more) {
    if (/^(click|mousedown|pointerdown)$/.test(type) && this instanceof Element) this.listens = true; return add.call(this, type, ...more) } }</script>"""

# What a person sees and can use: {texts, controls, closed}; window.controls are the elements. `closed`: texts of closed details.
SEEN = r"""(() => {
    const texts = [], controls = [], closed = [], unseen = /^(script|style|noscript|template|textarea|option|title)$/;
    const isVisible = element => element.checkVisibility({ visibilityProperty: true });
    const childrenOf = node => node.shadowRoot?.childNodes ?? (node.localName === 'slot' && node.assignedNodes().length ? node.assignedNodes() : node.childNodes);
    const isDrawn = ({ width, height }) => width > 0 && height > 0;
    const text = node => {
        const parent = node.parentElement ?? node.getRootNode().host, range = document.createRange();
        range.selectNodeContents(node);
        if (parent?.localName === 'details' && !parent.open)
            closed.push(node.data.trim());
        else if (node.data.trim() && parent && !unseen.test(parent.localName) && isVisible(parent) && [...range.getClientRects()].some(isDrawn))
            texts.push(node.data.trim());
    };
    const REACTS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [onclick], [tabindex], [contenteditable], [draggable=true], ' +
        ['button', 'link', 'checkbox', 'switch', 'tab', 'menuitem', 'treeitem'].map(role => `[role=${role}]`);
    const visit = node => {
        if (node.nodeType === Node.TEXT_NODE)
            return text(node);
        if (node.nodeType !== Node.ELEMENT_NODE || unseen.test(node.localName) && node.localName !== 'textarea')
            return;
        const isOneThing = node.listens && node.querySelectorAll('*').length < 20 && !node.querySelector(REACTS); /* else it listens for what is in it */
        if ((isOneThing || node.matches(REACTS)) && isVisible(node) && isDrawn(node.getBoundingClientRect()) && getComputedStyle(node).pointerEvents !== 'none')
            controls.push(node);
        childrenOf(node).forEach(visit);
    };
    [...document.documentElement.children].filter(child => child.localName !== 'head').forEach(visit);
    window.controls = controls;
    return { texts, closed, controls: controls.map(({ outerHTML }) => outerHTML.slice(0, 200)) };
})()"""

# Which of these a ref stands for: the element itself, one with the same box inside or around it, or the control of a label.
REACHED = r"""element => {
    const holds = (outer, node) => { for (; node; node = node.assignedSlot ?? node.parentNode ?? node.host) if (node === outer) return true; return false };
    const { width, height } = element.getBoundingClientRect();
    const isSame = other => { const box = other.getBoundingClientRect(); return Math.abs(box.width - width) < 12 && Math.abs(box.height - height) < 12 };
    return element.ownerDocument.defaultView.controls.flatMap((control, i) => control === element || control.labels && [...control.labels].includes(element) ||
        (holds(control, element) || holds(element, control)) && isSame(control) ||
        holds(element, control) && element.querySelectorAll('*').length === control.querySelectorAll('*').length + 1 ? [i] : []);
}"""

# Parts of the browser's own, and names that it makes of the texts of several lines.
DRAWN_BY_BROWSER = {"Date", "DateTime", "InputTime", "ColorWell", "Video", "Audio", "MathMLMath", "Iframe"}
WITHOUT_WORDS = {"RootWebArea", "InlineTextBox", "LineBreak", "ListMarker"}
STATES = ("busy", "checked", "disabled", "invalid", "pressed", "readonly", "required", "selected")
OFF = (None, False, "false", "none")
MORE = ("<input type=date aria-label='{0}'>", "<select aria-label='{0}'><optgroup label='{1}'><option>{2}<option label='{3}'>x</optgroup></select>",
        "<button popovertarget=pop>{0}</button>", "<p>{0} <abbr title='{1}'>{2}</abbr></p>", "<div role=slider tabindex=0 aria-label='{0}' aria-valuenow=7 style='width:90px'>-</div>",
        "<div tabindex=0 title='{0}' style='width:20px;height:20px'></div>", "<div contenteditable>{0} <b>{1}</b></div>", "<div role=group aria-label='{0}'>{1}</div>",
        "<label style='display:block'>{0}<input type=file hidden></label>", "<table role=grid><tr><td tabindex=-1>{0}<td aria-label='{1}'>{2}</table>",
        "<div style='display:flex'><span>{0}</span><span>{1}</span></div>", "<div onclick=0>{0}<p>{1}</div>", "<li role=treeitem aria-expanded=true tabindex=0>{0}<ul role=group><li role=treeitem>{1}</ul>",
        "<input required readonly aria-invalid=true value='{0}' aria-label='{1}'>", "<i title='{0}' style='display:inline-block;width:9px;height:9px'></i>")
COUNTED = re.compile(r"(?<![\w-])((?:f\d+)?e\d+)(?: [a-z]+)*: (?:(?! (?:f\d+)?e\d)[^|\n])*?\d+ (?:more )?options?\b")
WORD = re.compile(r"(?:save|open|list|mail|total)\d+q")


class Generator(test_captures.Generator):
    """Every word is on the page once."""

    def word(self):
        self.count += 1
        return f"{self.chance.choice(('save', 'open', 'list', 'mail', 'total'))}{self.count}q"

    def leaf(self):
        if self.chance.random() < 0.5:
            return super().leaf()
        return self.chance.choice(MORE).format(self.word(), self.word(), self.word(), self.word())


def letters(text):
    return re.sub(r"[\W_]", "", text).lower()


def words_of(view):
    """What a reader of an answer reads, without its notation."""
    return QUOTED.sub(lambda quoted: json.loads(quoted[0]), view)


class Looking(BrowserdCase):
    def setUp(self):
        self.site = self.pages()
        self.client = self.start_open("--answers", "compact", "--timeout-action", "20000")
        self.former = self.start("--answers", "playwright", "--timeout-action", "20000")
        self.ask("browser_navigate", url="about:blank")
        self.chromium = self.devtools(self.client)
        self.target = self.chromium.attach("about:blank")

    def ask(self, tool, **arguments):
        return text_of(self.client.start_call(tool, arguments).result())

    def whole(self):
        """The view with all that its cursors lead to, and the options of lists that it counts."""
        texts, waiting = [], [self.ask("browser_snapshot", budget=9000)]
        while waiting:
            texts.append(waiting.pop())
            waiting += [self.ask("browser_snapshot", cursor=cursor) for cursor in reversed(cursors(texts[-1]))]
        lists = [ref for text in texts for ref in COUNTED.findall(QUOTED.sub('""', text))]
        return "\n".join([*texts, *(self.ask("browser_snapshot", target=ref, budget=9000) for ref in lists)])

    def says(self, text):
        """Whether the words of a text are in the view, or in what browser_read answers."""
        def is_in(all_letters):
            return letters(text)[:LONGEST] in all_letters or all(letters(word)[:LONGEST] in all_letters for word in WORD.findall(text) or text.split())
        if is_in(self.view_letters):
            return True
        self.read_letters = self.read_letters or letters(self.ask("browser_read"))
        return is_in(self.read_letters)

    def look(self, url):
        """All that is missing."""
        self.ask("browser_navigate", url=url)
        return [*self.look_at_page(), *self.missing_of_former(url)]

    def look_at_page(self):
        self.view = self.whole()
        self.view_letters, self.read_letters = letters(words_of(self.view)), ""
        seen = self.chromium.call("Runtime.evaluate", self.target, expression=SEEN, returnByValue=True)["result"]["value"]
        self.closed = [text for text in seen["closed"] if text]
        return [*self.missing_of_person(seen), *self.missing_of_tree()]

    def missing_of_person(self, seen):
        yield from (f"text {text}" for text in seen["texts"] if not self.says(text))
        reached = set()
        for ref in set(refs(self.view)):
            found = re.search(r"\[[\d,\s]*\]", self.ask("browser_evaluate", target=ref, function=REACHED))
            reached.update(json.loads(found[0]) if found else ())
        yield from (f"control {html}" for number, html in enumerate(seen["controls"]) if number not in reached)

    def missing_of_tree(self):
        nodes = self.chromium.call("Accessibility.getFullAXTree", self.target)["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        drawn = [child for node in nodes if node.get("role", {}).get("value") in DRAWN_BY_BROWSER for child in node.get("childIds", ())]
        while drawn:
            drawn += by_id.pop(drawn.pop(), {}).get("childIds", ())
        for node in by_id.values():
            role = node.get("role", {}).get("value", "")
            if not node.get("ignored") and role not in WITHOUT_WORDS | DRAWN_BY_BROWSER:
                yield from self.missing_of_node(role, node)

    def missing_of_node(self, role, node):
        name, value = (str(node.get(part, {}).get("value", "")) for part in ("name", "value"))
        if not self.says(name):
            yield f"name of {role} {name}"
        if role not in ("combobox", "meter") and value != "No file chosen" and not self.says(value):  # Chromium's number is 0.4000000059604645
            yield f"value of {role} {name}: {value}"
        if not WORD.fullmatch(name):
            return
        shown = re.findall(rf'(?<!\w)"?{name}"?((?: [a-z]\S*)*)', self.view)
        if not shown:
            return
        # What gives an item its name may stand in the item, or have a row of its own below the item's.
        shown += re.findall(rf'\b{role}((?: [a-z]\S*)*)[:\n](?:(?!\b{role}\b)[^\n])*(?<!\w)"?{name}\b', self.view)
        states = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
        for state in STATES:
            if states.get(state) not in OFF and not any(re.search(rf" {state}\b", each) for each in shown):
                yield f"{state} of {role} {name}"
        if "expanded" in states and not any(re.search("expanded|collapsed", each) for each in shown) and role != "combobox":  # a closed list
            yield f"expanded of {role} {name}"

    def missing_of_former(self, url):
        """The words of the old form, in which closed details are open."""
        self.former.start_call("browser_navigate", {"url": url}).result()
        found = re.search(r"```yaml\n(.*)\n```", text_of(self.former.start_call("browser_snapshot").result()), re.S)
        for line in found[1].split("\n") if found else ():
            if line.lstrip().startswith("- '"):  # YAML's quotes around a name that has JSON's
                line = line.replace("''", "'")
            for text in [json.loads(quoted) for quoted in QUOTED.findall(line) if not re.search(r"\\[^\"\\nt]", quoted)] or re.findall(r": ([^'\"\[].*)$", line):
                if not line.lstrip().startswith("- /url") and not any(each in text for each in self.closed) and not self.says(text):
                    yield f"old form: {line.strip()}"


class Whole(Looking):
    def check(self, body):
        missing = self.look(self.site.page(body, head=LISTENING))
        self.assertEqual(missing, [], f"{body}\n{self.view}")

    def test_generated_pages(self):
        def page(number):
            chance = random.Random(number)
            elements = "\n".join(test_aria.Generator(chance.randrange(1 << 30)).element() for _ in range(10))
            self.check(elements + test_aria.SCRIPT if chance.random() < 0.3 else Generator(number).page() + "<div popover id=pop>Popped</div>")
        for_all(lambda chance: chance.randrange(1 << 30), page, max(2, CASES // 4), valid=lambda case: False)

    def test_fixtures(self):
        """All of them with TEST_CASES=100, else a few."""
        def page(path):
            html = path.read_text("utf-8").replace("$BASE", self.site.url("")).replace("$OTHER", self.site.url(""))
            url = self.site.route(f"/{path.name}", LISTENING + html)
            self.assertEqual(self.look(url), [], f"{path.name}\n{self.view}")
        for_all(lambda chance: chance.choice(FIXTURES), page, max(3, CASES // 4), valid=lambda case: False) if CASES < 100 else [page(path) for path in FIXTURES]


class Applications(Looking):
    """Each page once it shows what it is known by. They are loaded with other data each time, so that the old form is not compared."""

    def setUp(self):
        if CASES < 100 or not MODULES.is_dir():
            self.skipTest("takes a minute: TEST_CASES=100, and MCP_SDK")
        super().setUp()

    def serve(self, case):
        case.setUpClass()
        self.addCleanup(case.doClassCleanups)
        return case

    def check(self, url, text):
        self.ask("browser_navigate", url=url)
        self.ask("browser_wait_for", text=text)
        self.assertEqual(self.look_at_page(), [], f"{url}\n{self.view}")

    def test_shoelace(self):
        pages = self.serve(importlib.import_module("apps.test_shoelace").Shoelace).pages
        for name, text in (("form", "Send order"), ("dialog", "Add person"), ("tabs", "Many books")):
            self.check(pages.url("/" + name), text)

    def test_swagger_ui(self):
        self.check(self.serve(importlib.import_module("apps.test_swagger_ui").SwaggerUi).pages.url("/"), "/api/pets")

    def test_monaco(self):
        pages = self.serve(importlib.import_module("apps.test_monaco").Monaco).pages
        for mode in ("true", "false"):
            self.check(pages.url("/" + mode), "const first")

    def test_node_red(self):
        module = importlib.import_module("apps.test_node_red")
        case = self.serve(module.NodeRed)
        case("test_draw_a_flow").flow(module.chain("return msg"))
        self.check(case.url + "/", "double it")

    def test_django_admin(self):
        module = importlib.import_module("apps.test_django_admin")
        case = self.serve(module.DjangoAdmin)
        case("test_add_a_book").prepare()
        self.ask("browser_navigate", url=case.url)
        self.ask("browser_type", target="#id_username", text=module.USER)
        self.ask("browser_type", target="#id_password", text=module.PASSWORD, submit=True)
        for path, text in (("", "Site administration"), ("library/book/", "Alpha"), ("library/book/add/", "Title"), ("library/author/", "Blaise")):
            self.check(case.url + path, text)


if __name__ == "__main__":
    main()
