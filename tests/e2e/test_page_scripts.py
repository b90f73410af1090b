"""Functions of the page scripts, each by itself, in a real browser: tables of what they are given and what they give."""
import json
import re
import tempfile

from support.case import SharedCase, main, open_browser
from support.scripts import javascript, modules, program

FUNCTIONS = {
    "condense.js": ["condense"], "css.js": ["parseCSS"], "cssquery.js": ["queryCSS"], "names.js": ["nameOf", "namesOf"],
    "patience.js": ["Patience"], "visibility.js": ["whyDisabled", "whyHidden"],
    "operation.js": ["clearCaches"], "roles.js": ["roleOf"], "ticks.js": ["isTick", "Ticks"], "tree.js": ["TreeBuilder"],
}
# What a snapshot shows of a body: [role, name, children...] for each node, texts as they are.
SHOWN_TREE = """html => {
    document.body.innerHTML = html;
    browserdTested.clearCaches();
    const tree = new browserdTested.TreeBuilder().build(document.body);
    browserdTested.condense(tree, Infinity);
    const shown = child => typeof child === 'string' ? child : [child.role, child.name, ...child.children.map(shown)];
    return tree.children.map(shown);
}"""


class PageScripts(SharedCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with tempfile.TemporaryDirectory() as folder:
            cls.text, cls.places = program(folder, FUNCTIONS)

    @classmethod
    def _start(cls, *args, folder):
        return super()._start(*args, *open_browser(folder), folder=folder)

    def setUp(self):
        super().setUp()
        self.addCleanup(self.close_sessions, self.client)
        url = self.site.page("<p>page</p>")
        self.client.session().navigate(url)
        self.chromium = self.devtools(self.client)
        self.page = self.chromium.attach(url)
        self.run_script(f"globalThis.browserdTested = {self.text}; 0\n//# sourceURL=program")

    def run_script(self, expression):
        reply = self.chromium.call("Runtime.evaluate", session=self.page, expression=expression, returnByValue=True)
        thrown = reply.get("exceptionDetails", {}).get("exception", {}).get("description")
        self.assertIsNone(thrown, re.sub(r"program:(\d+)", lambda found: self.places[int(found[1]) - 1], thrown or ""))
        return reply["result"].get("value")

    def ask(self, function, *arguments):
        return self.run_script(f"({function})({', '.join(map(json.dumps, arguments))})")

    def check(self, function, table):
        for given, wanted in table:
            with self.subTest(given):
                self.assertEqual(self.ask(function, *(given if isinstance(given, tuple) else (given,))), wanted)

    def test_every_name_is_declared_imported_or_of_the_browser(self):
        for path in modules():
            module = javascript.read_module(path.name, path.read_text(encoding="utf-8"))
            free = [name for name in module.used if name not in module.declared and name not in module.imported]
            with self.subTest(path.name):
                self.assertEqual(self.ask("names => names.filter(name => name !== 'arguments' && !(name in globalThis))", free), [])

    def test_roles(self):
        self.check("""html => {
            document.body.innerHTML = html;
            browserdTested.clearCaches();
            return browserdTested.roleOf(document.querySelector('[id=it]'));
        }""", [
            ("<a id=it href=/>x</a>", "link"), ("<a id=it>x</a>", ""), ("<div id=it role='strange button'>x</div>", "button"),
            ("<input id=it type=search>", "searchbox"), ("<input id=it list=l><datalist id=l></datalist>", "combobox"),
            ("<img id=it alt=''>", None), ("<img id=it alt='' title=x>", "img"), ("<select id=it multiple></select>", "listbox"),
            ("<ul role=none><li id=it>x</ul>", None), ("<button id=it role=none>x</button>", "button"),
            ("<table><tr><th id=it>x<td>1</table>", "rowheader"), ("<table role=grid><tr><td id=it>1</table>", "gridcell"),
            ("<article><header id=it>x</header></article>", ""), ("<header id=it>x</header>", "banner"),
            ("<section id=it aria-label=x></section>", "region"), ("<section id=it></section>", ""),
        ])

    def test_what_hides_an_element(self):
        self.check("""html => {
            document.body.innerHTML = html;
            return browserdTested.whyHidden(document.querySelector('[id=it]'));
        }""", [
            ("<b id=it>x</b>", None), ("<b id=it style='display: none'>x</b>", {"reason": "hidden", "style": "display: none"}),
            ("<p style='display: none'><b id=it>x</b></p>", {"reason": "hidden", "style": "display: none", "on": "<p>"}),
            ("<b id=it style='visibility: hidden'>x</b>", {"reason": "hidden", "style": "visibility: hidden"}),
            ("<details><b id=it>x</b></details>", {"reason": "inClosedDetails", "details": "<details>"}),
            ("<p id=it style='width: 90px; height: 0'></p>", {"reason": "zeroSize", "width": 90, "height": 0}),
            ("<map><area id=it></map>", {"reason": "mapWithoutImage"}),
        ])

    def test_what_disables_an_element(self):
        self.check("""html => {
            document.body.innerHTML = html;
            return browserdTested.whyDisabled(document.querySelector('[id=it]'));
        }""", [
            ("<button id=it>x</button>", None), ("<button id=it disabled>x</button>", {"reason": "disabled"}),
            ("<button disabled><b id=it>x</b></button>", {"reason": "disabled", "on": "<button>"}),
            ("<fieldset disabled><input id=it></fieldset>", {"reason": "disabled", "group": "<fieldset>"}),
            ("<div aria-disabled=true><b id=it>x</b></div>", {"reason": "disabled", "attribute": "aria-disabled", "on": "<div>"}),
        ])

    def test_a_timeout_has_its_obstacles_as_data(self):
        failure = self.ask("""(first, second) => {
            const patience = new browserdTested.Patience(100, 0, true);
            for (const why of [first, second, second])
                patience.note({ why, patience: Infinity, subject: '<b>' });
            const { code, reason, facts } = patience.refusal('ELEMENT_NOT_CLICKABLE', 'clicked');
            return { code, reason, ...facts, tried: facts.tried.map(({ at, ...obstacle }) => obstacle) };
        }""", {"reason": "moving"}, {"reason": "inert", "on": "<p>"})
        self.assertEqual(failure, {
            "code": "ELEMENT_NOT_CLICKABLE", "reason": "actionTimeout", "waited": 100, "done": "clicked", "subject": "<b>",
            "why": {"reason": "inert", "on": "<p>"}, "before": [{"reason": "moving"}],
            "tried": [{"reason": "moving"}, {"reason": "inert", "on": "<p>"}],
        })

    def test_names(self):
        self.check("""html => {
            document.body.innerHTML = html;
            browserdTested.clearCaches();
            return browserdTested.nameOf(document.querySelector('[id=it]'));
        }""", [
            ("<button id=it> a <b>b</b>\n c</button>", "a b c"), ("<button id=it aria-label=x>a</button>", "x"),
            ("<button id=it aria-labelledby='p q'>a</button><i id=p>one</i><i id=q>two</i>", "one two"),
            ("<label>a <input id=it> b</label>", "a b"), ("<label for=it>a</label><input id=it>", "a"),
            ("<input id=it type=submit>", "Submit"), ("<input id=it placeholder=hint>", "hint"),
            ("<input id=it title=t placeholder=hint>", "t"), ("<img id=it alt=picture>", "picture"),
            ("<fieldset id=it><legend>l</legend></fieldset>", "l"), ("<table id=it><caption>c</caption></table>", "c"),
            ("<svg id=it><title>t</title></svg>", "t"), ("<button id=it>a<span hidden>b</span></button>", "a"),
            ("<button id=it>a<div>b</div>c</button>", "a b c"), ("<p id=it>a</p>", ""),
            ("<style>#it::before { content: 'x' / 'y' }</style><button id=it>a</button>", "ya"),
        ])

    def test_css_selectors(self):
        self.run_script("""document.body.innerHTML = `<ul><li id=a class=x>one<li id=b>two <b id=c>three</b><li id=d hidden>four</ul>
            <div id=host></div><p id=e style="position: absolute; left: 300px; top: 0">right</p>
            <p id=f style="position: absolute; left: 0; top: 0">left</p>`;
            document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<i id=g class=x>inside</i>'; 0""")
        self.check("selector => { browserdTested.clearCaches(); return browserdTested.queryCSS(selector, document).map(({ id }) => id).join(' '); }", [
            ("li", "a b d"), (".x", "a g"), ("li:visible", "a b"), ("li:has-text('THREE')", "b"), (":text('three')", "c"),
            (":text-is('two')", "b"), ("li:nth-match(li, 2)", "b"), ("li:not(:has(b))", "a d"), ("#a + li", "b"), ("ul > li ~ li", "b d"),
            ("#host .x", "g"), (":is(#a, #d)", "a d"), ("p:right-of(#f)", "e"), ("li:text-matches('^ONE', 'i')", "a"), ("b, #a", "a c"),
        ])

    def test_css_selectors_are_refused(self):
        self.check("selector => { try { browserdTested.parseCSS(selector); } catch ({ code }) { return code; } }", [
            (selector, "INVALID_SELECTOR") for selector in ("", "a,", "a >", "#", ".", "a:", "a[b", "a:has(", ":has-text(a)", ":near()", "a ! b")
        ])

    def test_steps_of_clocks(self):
        self.check("""(former, now, name) => {
            const target = document.createElement('p');
            target.setAttribute(name, now);
            return browserdTested.isTick({ type: 'attributes', target, attributeName: name, attributeNamespace: null, oldValue: former });
        }""", [
            (("12:30", "12:31", "title"), True), (("1 of 3", "2 of 3", "title"), True), (("left: 1px", "left:2.5px;", "style"), True),
            (("1.5e3", "-2", "title"), True), (("1 file", "1 files", "title"), False), (("a", "b", "title"), False), (("on", "1", "title"), False),
        ])

    def test_pace_of_steps(self):
        """Times at which one node changes, and how long after the last one the next is waited for."""
        self.check("""(times, name) => {
            const ticks = new browserdTested.Ticks(), target = document.createElement('p');
            for (const time of times)
                ticks.note([{ type: 'attributes', target, attributeName: name }], time);
            return ticks.until - times.at(-1);
        }""", [
            (([1000], "title"), 0), (([1000], "style"), 60), (([1000, 1010], "title"), 40), (([1000, 1100], "title"), 220),
            (([1000, 1101], "title"), 0), (([1000, 1101], "width"), 60),
        ])

    def test_condensed_trees(self):
        self.check(SHOWN_TREE, [
            ("<div><div>a</div></div>", [["generic", "", "a"]]), ("<p>a <span>b</span></p>", [["paragraph", "", "a b"]]),
            ("<button><span>a</span></button>", [["button", "a"]]), ("<div></div>", []),
            ("<ul><li>a<li>b</ul>", [["list", "", ["listitem", "", "a"], ["listitem", "", "b"]]]),
            ("<label>a <input></label>", [["generic", "", "a", ["textbox", "a"]]]),
        ])


if __name__ == "__main__":
    main()
