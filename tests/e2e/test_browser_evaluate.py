"""browser_evaluate: functions and expressions, what they give and throw."""
from support.case import SharedCase, main


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
        self.assertTrue(answer.startswith("### Error\nDo not know how to serialize a BigInt\n### Ran Playwright code\n"), answer)
        self.assertIn("### Error\nConverting circular structure to JSON\n", self.evaluate("() => { const a = {}; a.a = a; return a }"))

    def test_values_that_are_too_large(self):
        self.assertIn("the value has 5.0 MiB as JSON, and the limit is 4 MiB; return the part that is needed",
                      self.evaluate("() => 'x'.repeat(5 << 20)"))

    def test_what_is_thrown(self):
        self.assertTrue(self.evaluate("() => { throw 'x' }").startswith("### Error\nx"))
        self.assertTrue(self.evaluate("() => Promise.reject()").startswith("### Error\nundefined"))
        self.assertIn("SyntaxError: Unexpected token 'return'", self.evaluate("return 5"))

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
