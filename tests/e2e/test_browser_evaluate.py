"""browser_evaluate: functions and expressions, what they give and throw."""
from support.case import SharedCase, main
from support.engine import by_engine


class Evaluate(SharedCase):
    keeps_session = True

    def setUp(self):
        super().setUp()
        self.ask("browser_navigate", url=self.site.page("<h1>head</h1><p>one<p>two</p><button onclick=\"console.log('pressed')\">go</button>"))

    def evaluate(self, function, **more):
        return self.ask("browser_evaluate", function=function, **more)

    def test_expressions_with_functions_inside(self):
        for text, value in (("(() => 1 + 1)()", "2"), ("(async () => 3)()", "3"), ("async => 5", "5"),
                            ("[...document.querySelectorAll('p')].map(p => p.textContent).join()", '"one,two"')):
            self.assertTrue(self.evaluate(text).startswith(f"### Result\n{value}\n### Ran Playwright code\n"), text)

    def test_code_is_that_of_a_function(self):
        self.assertIn("await page.evaluate('() => (document.title)');", self.evaluate("document.title"))
        self.assertIn("await page.evaluate('() => 5');", self.evaluate("() => 5"))

    def test_an_expression_on_an_element_knows_it(self):
        answer = self.evaluate("element.textContent", target="h1")
        self.assertTrue(answer.startswith('### Result\n"head"\n'), answer)
        self.assertIn("evaluate('() => (element.textContent)')", answer)
        self.assertIn('"H1"', self.evaluate("(element) => element.tagName", target="h1"))
        self.assertIn('"H1"', self.evaluate("node => node.tagName", target="h1"))

    def test_an_empty_target_is_none(self):
        self.assertTrue(self.evaluate("() => 5", target="").startswith("### Result\n5\n"))
        self.assertIn('- heading "head"', self.ask("browser_snapshot", target=""))

    def test_values_that_json_cannot_hold(self):
        answer = self.evaluate("() => 1n")
        said = by_engine(chromium="Do not know how to serialize a BigInt", firefox="BigInt value can't be serialized in JSON")
        self.assertTrue(answer.startswith(f"### Error\n{said}\n### Ran Playwright code\n"), answer)
        said = by_engine(chromium="Converting circular structure to JSON", firefox="cyclic object value")
        self.assertIn(f"### Error\n{said}\n", self.evaluate("() => { const a = {}; a.a = a; return a }"))

    def test_values_that_are_too_large(self):
        self.assertIn("the value has 5.0 MiB as JSON, and the limit is 4 MiB; return the part that is needed",
                      self.evaluate("() => 'x'.repeat(5 << 20)"))

    def test_what_is_thrown(self):
        self.assertTrue(self.evaluate("() => { throw 'x' }").startswith("### Error\nx"))
        self.assertTrue(self.evaluate("() => Promise.reject()").startswith("### Error\nundefined"))

    def assert_evaluates(self, text, value, code, **more):
        answer = self.evaluate(text, **more)
        self.assertTrue(answer.startswith(f"### Result\n{value}\n### Ran Playwright code\n"), (text, answer))
        self.assertIn("evaluate('" + code.replace("'", "\\'").replace("\n", "\\n") + "');", answer)

    def test_functions_and_expressions_with_semicolons(self):
        for text, code in (("() => 5;", "() => 5"), ("async () => { return 5 };\n", "async () => { return 5 }"), ("function() { return 5; };", "function() { return 5; }"),
                           ("5; // five; 6", "() => (5)"), ("// five\n() => 5", "// five\n() => 5"), ("new Promise(r => setTimeout(() => r(5)));",
                                                                                                "() => (new Promise(r => setTimeout(() => r(5))))")):
            self.assert_evaluates(text, "5", code)
        self.assert_evaluates("{ a: 1 };", '{\n  "a": 1\n}', "() => ({ a: 1 })")
        self.assert_evaluates("(e) => e.localName;", '"h1"', "(e) => e.localName", target="h1")

    def test_bodies_of_functions(self):
        for text, code in (("return 5", "async () => { return 5 }"), ("const a = 5;\nreturn a;", "async () => { const a = 5;\nreturn a; }"),
                           ("if (1) { return 5 } else { return 6 }", "async () => { if (1) { return 5 } else { return 6 } }"),
                           ("const a = await Promise.resolve(4); a + 1", "async () => { const a = await Promise.resolve(4);  return (a + 1) }"),
                           ("let a = 0\nfor (const b of [2, 3])\n  a += b\na", "async () => { let a = 0\nfor (const b of [2, 3])\n  a += b\n; return (a) }"),
                           ("function f() { return 5 }\nf()", "async () => { function f() { return 5 }\n return (f()) }"),
                           ("await Promise.resolve(5);", "async () => (await Promise.resolve(5))")):
            self.assert_evaluates(text, "5", code)
        self.assert_evaluates("for (let a = 0; a++ < 5;);", "undefined", "async () => { for (let a = 0; a++ < 5;); }")
        self.assert_evaluates("return 5 // five", "5", "async () => { return 5 // five\n }")
        self.assert_evaluates("for (const a of [1, 2])\n  a", "undefined", "async () => { for (const a of [1, 2])\n  a }")
        self.assert_evaluates("const a = `;\n${ ['b'].join(';') }`; // c\na", '";\\nb"',
                              "async () => { const a = `;\n${ ['b'].join(';') }`; // c\n; return (a) }")
        self.assert_evaluates("const name = element.localName; name", '"h1"', "async (element) => { const name = element.localName;  return (name) }", target="h1")
        self.assert_evaluates("document.title = 'once'; window.times = (window.times ?? 0) + 1", "1",
                              "async () => { document.title = 'once';  return (window.times = (window.times ?? 0) + 1) }")

    def test_a_body_settles_as_a_function_does(self):
        answer = self.evaluate("document.querySelector('h1').textContent = await Promise.resolve('changed'); return 1")
        self.assertTrue(answer.startswith("### Result\n1\n"), answer)
        self.assertIn('heading "changed"', self.ask("browser_snapshot"))

    def test_what_cannot_be_parsed(self):
        word = by_engine(chromium="Unexpected identifier 'b'", firefox="unexpected token: identifier")
        end = by_engine(chromium="Unexpected end of input", firefox="missing } after function body")
        bracket = by_engine(chromium="Unexpected token ')'", firefox="expected expression, got ')'")
        for text, place in (("() => { a b }", f"{word} (line 1, column 11)"), ("const a = 1;\n  a b", f"{word} (line 2, column 5)"),
                            ("() => { foo(", f"{end} (at the end)"), ("", f"{bracket} (at the end)")):
            self.assertEqual(self.evaluate(text).splitlines()[1], f"SyntaxError: {place}", text)

    def test_what_has_run_is_not_run_again(self):
        said = by_engine(chromium="SyntaxError: Expected property name", firefox="SyntaxError: JSON.parse: ")
        self.assertIn(said, self.evaluate("(window.runs = (window.runs ?? 0) + 1, JSON.parse('{'))"))
        self.assertTrue(self.evaluate("runs").startswith("### Result\n1\n"))

    def test_messages_of_the_page_are_told(self):
        """Their number is a part of what is said of the page, although it is not printed."""
        answer = self.evaluate("document.querySelector('button').click()")
        self.assertRegex(answer, r"### Page\n- Page URL: \S+\n- Page Title: test\n### Events\n- New console entries: ")

    def test_a_file_that_cannot_be_written(self):
        answer = self.evaluate("() => 1", filename="/nowhere/../root/x")
        self.assertIn("### Error\nFile access denied: /root/x is outside allowed roots.", answer)
        self.assertIn("evaluate('() => 1')", answer)


if __name__ == "__main__":
    main()
