#!/usr/bin/env python3
"""Joining page scripts (embed.py), and reading them (javascript.py): what is refused, and what is left of the text."""
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.scripts import FOLDER, SOURCE, embed, javascript, modules  # noqa: E402


class Joining(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, **scripts):
        for name, text in scripts.items():
            (self.folder / f"{name}.js").write_text(text, encoding="utf-8")

    def join(self, is_lazy=False, **scripts):
        self.write(**scripts)
        library = embed.Library()
        text = embed.program_text(library, str(self.folder / "main.js"), is_lazy)
        library.check_exports()
        return text

    def refusal(self, **scripts):
        with self.assertRaises(javascript.ScriptError) as caught:
            self.join(**scripts)
        return str(caught.exception).replace(f"{self.folder}/", "")

    def test_modules_come_after_those_that_they_import(self):
        text = self.join(main="import { b } from './b.js';\nimport { a } from './a.js';\nb(a);\n",
                         a="/* first */\nexport const a = 1;\n",
                         b="import { a } from './a.js';\n\nexport function b(x) {\n\treturn a + x; // sum\n}\n")
        self.assertEqual(text, "(() => {\n'use strict';\nconst a = 1;\nfunction b(x) {\nreturn a + x;\n}\nb(a);\n})();")

    def test_a_default_export_makes_an_expression(self):
        self.assertEqual(self.join(main="/* it */\nexport default (a, b) => a + b;\n"), "((a, b) => a + b)")
        self.assertEqual(self.join(main="export default function () {\n\treturn this;\n}\n"), "(function () {\nreturn this;\n})")
        self.assertEqual(self.join(main="import { a } from './a.js';\nexport default () => a;", a="export const a = 1;"),
                         "(() => {\nconst a = 1;\nreturn () => a;\n})()")

    def test_a_lazy_program_is_a_getter(self):
        text = self.join(True, main="const a = 1;\nexport default a;")
        self.assertIn("get() {\n'use strict';\nconst a = 1;\nreturn a;\n} });", text)

    def test_a_lazy_program_holds_what_registers_functions(self):
        text = self.join(True, exported="export const exported = {};", a="import { exported } from './exported.js';\nexported.a = 1;",
                         b="globalThis.b = 1;", main="import { exported } from './exported.js';\nexport default exported;")
        self.assertIn("const exported = {};\nexported.a = 1;\nreturn exported;", text)
        self.assertNotIn("globalThis.b", text)

    def test_what_is_refused(self):
        table = {
            "import circle: a.js -> b.js -> a.js": {
                "main": "import './a.js';", "a": "import './b.js';", "b": "import './a.js';"},
            "main.js:1: there is no file ./a.js": {"main": "import './a.js';"},
            "main.js:2: ./a.js does not export hidden": {
                "main": "import { shown,\n hidden } from './a.js';\nshown(hidden);", "a": "const hidden = 1;\nexport const shown = hidden;"},
            "main.js:3: a, which a.js declares, is used without an import": {
                "main": "import './a.js';\n\nf => f(a);", "a": "export const a = 1;"},
            "main.js:1: a is imported from ./a.js and not used": {
                "main": "import { a } from './a.js';\n(a => a)({ a: 1 }.a);", "a": "export const a = 1;"},
            "a.js:1: a is exported, but no module imports it": {"main": "import './a.js';", "a": "export function a() {}"},
            "main.js:2: a is declared and not used": {"main": "\nconst a = ({ a: 2 }).a;"},
            "main.js:2: a is imported from ./a.js and cannot be assigned to": {
                "main": "import { a } from './a.js';\na++;", "a": "export let a = 1;"},
            "main.js:2: twice is declared in line 1 as well": {"main": "const twice = 1;\nfunction twice() {}\ntwice();"},
            "main.js:1: a name is imported as it is": {
                "main": "import { a as b } from './a.js';\nb();", "a": "export const a = 1;"},
            "main.js:1: an export is a declaration": {"main": "export { a };"},
        }
        for wanted, scripts in table.items():
            with self.subTest(wanted):
                for script in self.folder.iterdir():
                    script.unlink()
                self.assertIn(wanted, self.refusal(**scripts))

    def test_local_names_may_be_those_of_other_modules(self):
        body = "import './a.js';\n%s\n"
        for local in ("globalThis.f = ({ a, b: { c = 1 } }, ...d) => a + c + d;", "globalThis.f = function (x) { const a = x; return a; };",
                      "for (const a of [1]) globalThis.f = a;", "try { f(); } catch (a) { g(a); }", "g({ a: 1, get b() { return 1; } }.a);",
                      "g(class { a = 1; static b(a) { return a; } });", "g(a => `${a} ${(() => `${a}`)()}`);",
                      "g({ a(b) { return b; } });", "const [x, { y: a2 }] = g; g(x, a2, x.a, x?.a);"):
            with self.subTest(local):
                self.join(main=body % local, a="const a = 1, c = 2, d = 3;\nglobalThis.x = [a, c, d];")

    def test_modules_may_declare_the_same_name(self):
        shared = {"a": "export const a = 1;", "b": "import { a } from './a.js';\nconst c = 2;\nexport function b() {\n\treturn a + c;\n}",
                  "c": "import { b } from './b.js';\nconst a = 3;\nexport const c = () => a + b();",
                  "d": "import { c } from './c.js';\nexport const d = c;\nconst a$2 = 0, a = () => a$2;\na();"}
        text = self.join(main="import { a } from './a.js';\nimport { d } from './d.js';\nglobalThis.x = [a, d()];", **shared)
        self.assertEqual(text, "\n".join((
            "(() => {", "'use strict';", "const a = 1;", "const c = 2;", "function b() {", "return a + c;", "}", "const a$3 = 3;",
            "const c$2 = () => a$3 + b();", "const d = c$2;", "const a$2 = 0, a$4 = () => a$2;", "a$4();", "globalThis.x = [a, d()];", "})();")))

    def test_only_the_names_of_the_module_itself_are_renamed(self):
        table = {
            "f({ a, b: a, a: 1, ...a }, a.a, x.a, x?.a, [a]);": "f({ a: a$2, b: a$2, a: 1, ...a$2 }, a$2.a, x.a, x?.a, [a$2]);",
            "f(a => a, function a() { return a; }, { a() { return a; } });": "f(a => a, function a() { return a; }, { a() { return a$2; } });",
            "{ a = 2; }\n({ a, x: { a = 3 } } = f(a));": "{ a$2 = 2; }\n({ a: a$2, x: { a: a$2 = 3 } } = f(a$2));",
            "for (const a of f(a)) { g({ a }); }\nf({ g, a });": "for (const a of f(a)) { g({ a }); }\nf({ g, a: a$2 });",
            "f(`a ${a} ${() => { const a = 1; return a; }}`, 'a', /a/);": "f(`a ${a$2} ${() => { const a = 1; return a; }}`, 'a', /a/);",
            "f(class a { a = a; #a = 1; static b(a) { return a; } });": "f(class a { a = a; #a = 1; static b(a) { return a; } });",
            "f(x ? a : 1, x ? { a } : a, typeof a);": "f(x ? a$2 : 1, x ? { a: a$2 } : a$2, typeof a$2);",
        }
        for body, wanted in table.items():
            with self.subTest(body):
                text = self.join(main=f"import './a.js';\nlet a = 1;\n{body}\ng(a);", a="const a = 1;\nglobalThis.f = a;")
                self.assertIn(f"let a$2 = 1;\n{wanted}\ng(a$2);", text)
        text = self.join(main="import './a.js';\nconst { a, b = a, c: [d] } = f();\ng(b, d);", a="const a = 1, d = 2;\nf(a, d);")
        self.assertIn("const { a: a$2, b = a$2, c: [d$2] } = f();\ng(b, d$2);", text)

    def test_lines_have_places(self):
        self.write(main="/* it */\nimport { b } from './b.js';\n\nconst a = `1\n2`;\nexport default () => a + b;", b="// one\n\nexport const b =\n\t1;")
        library = embed.Library()
        text = embed.program_text(library, str(self.folder / "main.js"), False)
        places = [place.replace(f"{self.folder}/", "") for place in embed.places(library, str(self.folder / "main.js"))]
        self.assertEqual([*zip(text.split("\n"), places, strict=True)], [
            ("(() => {", ""), ("const b =", "b.js:3"), ("1;", "b.js:4"), ("const a = `1", "main.js:4"), ("2`;", "main.js:5"),
            ("return () => a + b;", "main.js:6"), ("})()", "")])

    def test_every_page_script_is_part_of_a_program(self):
        builds = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("meson.build"))
        reached = embed.Library()
        for lazy, script in re.findall(r"_scripts?=(lazy:)?' \+ js / '([^']+)'", builds):
            (reached.lazy_order if lazy else reached.order)(str(FOLDER / script))
        self.assertEqual([str(path) for path in modules() if str(path) not in reached.modules], [])


class Tokens(unittest.TestCase):
    def kinds(self, text):
        return [(token.kind, token.text) for token in javascript.tokenize(text)]

    def test_a_slash_divides_or_begins_a_regular_expression(self):
        for text, regex in (("a / b / c", None), ("a = /b/g;", "/b/g"), ("return /[/]\\//.test(a);", "/[/]\\//"), ("(a) / b / c", None),
                            ("if (a) /b/.test(c);", "/b/"), ("a[0] / b / c", None), ("x.return / a / b", None), ("f(/'/)", "/'/"),
                            ("`${/}/}`", "/}/"), ("a++ / b / c", None), ("a => /b/", "/b/")):
            with self.subTest(text):
                self.assertEqual(next((token for kind, token in self.kinds(text) if kind == "regex"), None), regex)

    def test_templates_nest(self):
        text = "`a ${b ? `c ${ {d: '}'}.d } e` : ''} // f`"
        self.assertEqual([token for kind, token in self.kinds(text) if kind == "template"],
                         ["`a ${", "`c ${", "} e`", "} // f`"])

    def test_comments_and_indentation_go_and_texts_stay(self):
        table = {
            "a; // b\n\n\t/* c\n * d */\n\te;": "a;\ne;",
            "'// no /* comment */' + \"/*\"": "'// no /* comment */' + \"/*\"",
            "a /* b */ = c": "a = c",
            "return/* a */b": "return b",
            "`\n\t// kept\n`": "`\n\t// kept\n`",
            "a = /\\/* /;": "a = /\\/* /;",
            "'a\\\n  b'": "'a\\\n  b'",
        }
        for text, wanted in table.items():
            with self.subTest(text):
                self.assertEqual(javascript.stripped(javascript.tokenize(text)), wanted)

    def test_what_is_not_closed_is_refused(self):
        for text, reason in (("f(\n[", "script:2: [ is not closed"), ("\n'a", "script:2: string does not end"), ("/* a", "comment does not end"),
                             ("`${a`", "template literal does not end"), (")", ") closes nothing"), ("(]", "] closes nothing")):
            with self.subTest(text), self.assertRaises(javascript.ScriptError) as caught:
                javascript.tokenize(text)
            self.assertIn(reason, str(caught.exception))


if __name__ == "__main__":
    unittest.main(verbosity=2)
