"""expect() in the code of a caller: matchers of locators, pages and values, their waiting and their failures."""
import json
import re
import tempfile

from support.answers import text_of
from support.case import BrowserdCase, main
from support.pages import Pages

PAGE = """<h1 id=head class="big  red" style="color: rgb(255, 0, 0)">Five
 orders</h1><ul><li>apple</li><li>pear</li><li>plum</li></ul>
<input id=name value=Ada placeholder=Name><input id=off disabled value=x><input id=fixed readonly value=y><input id=empty>
<input type=checkbox id=on checked><input type=checkbox id=no><p id=gone style="display: none">gone</p><p id=blank> </p>
<select id=many multiple><option value=a selected>A<option value=b selected>B<option value=c>C</select>
<button aria-label=Send aria-description="to the shop">send</button><a href=/next>Next</a>"""


class Expect(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Pages()
        cls.addClassCleanup(cls.site.close)
        starter = cls()
        cls.client = starter.start("--output-dir", cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.addClassCleanup(starter.doCleanups)

    def answer(self, body):
        result = self.client.start_call("browser_run_code_unsafe", {"code": f"async (page) => {{ {body} }}"}).result()
        return text_of(result), result.get("isError", False)

    def holds(self, *lines):
        text, failed = self.answer("\n".join(f"await {line};" for line in lines))
        self.assertFalse(failed, text)

    def error(self, line):
        text, failed = self.answer(f"await {line}")
        self.assertTrue(failed, line)
        return text.removeprefix("### Error\n")

    def show(self, body=PAGE):
        self.client.start_call("browser_navigate", {"url": self.site.page(body, title="Orders  today")}).result()

    def test_states(self):
        self.show()
        self.holds(
            "expect(page.locator('h1')).toBeVisible()", "expect(page.locator('#gone')).toBeHidden()", "expect(page.locator('#none')).toBeHidden()",
            "expect(page.locator('#none')).not.toBeVisible()", "expect(page.locator('#gone')).toBeAttached()",
            "expect(page.locator('#none')).not.toBeAttached()", "expect(page.locator('#none')).toBeAttached({ attached: false })",
            "expect(page.locator('#name')).toBeEnabled()", "expect(page.locator('#off')).toBeDisabled()", "expect(page.locator('#off')).not.toBeEnabled()",
            "expect(page.locator('#on')).toBeChecked()", "expect(page.locator('#no')).not.toBeChecked()", "expect(page.locator('#no')).toBeChecked({ checked: false })",
            "expect(page.locator('#name')).toBeEditable()", "expect(page.locator('#fixed')).not.toBeEditable()", "expect(page.locator('#empty')).toBeEmpty()",
            "expect(page.locator('#blank')).toBeEmpty()", "expect(page.locator('#name')).not.toBeEmpty()", "page.focus('#name')",
            "expect(page.locator('#name')).toBeFocused()", "expect(page.locator('#off')).not.toBeFocused()", "expect(page.locator('h1')).toBeInViewport()")

    def test_texts_and_values(self):
        self.show()
        self.holds(
            "expect(page.locator('h1')).toHaveText('Five orders')", "expect(page.locator('h1')).toHaveText(/^Five orders$/)",
            "expect(page.locator('h1')).toHaveText('FIVE ORDERS', { ignoreCase: true })", "expect(page.locator('h1')).toContainText('order')",
            "expect(page.locator('h1')).not.toHaveText('Five')", "expect(page.locator('li')).toHaveText(['apple', /^p/, 'plum'])",
            "expect(page.locator('li')).toContainText(['app', 'lum'])", "expect(page.locator('li')).not.toHaveText(['apple'])",
            "expect(page.locator('li')).toHaveCount(3)", "expect(page.locator('none')).toHaveCount(0)", "expect(page.locator('#name')).toHaveValue('Ada')",
            "expect(page.locator('#name')).toHaveValue(/^A/)", "expect(page.locator('#many')).toHaveValues(['a', /b/])",
            "expect(page.locator('a')).toHaveAttribute('href', '/next')", "expect(page.locator('a')).toHaveAttribute('href')",
            "expect(page.locator('a')).not.toHaveAttribute('title')", "expect(page.locator('h1')).toHaveClass('big red')",
            "expect(page.locator('h1')).toContainClass('red')", "expect(page.locator('h1')).toHaveCSS('color', 'rgb(255, 0, 0)')",
            "expect(page.locator('h1')).toHaveId('head')", "expect(page.getByRole('button')).toHaveAccessibleName('Send')",
            "expect(page.getByRole('button')).toHaveAccessibleDescription('to the shop')", "expect(page.getByText('Next')).toHaveRole('link')",
            "expect(page).toHaveTitle('Orders today')", "expect(page).toHaveTitle(/today$/)", "expect(page).toHaveURL(/page\\d+$/)",
            "expect(page).not.toHaveURL('**/other')", "expect(page).toHaveURL(url => url.pathname.startsWith('/page'))")

    def test_accessibility_snapshots(self):
        self.show()
        self.holds("""expect(page.locator('body')).toMatchAriaSnapshot(`
                - heading "Five orders" [level=1]
                - list:
                  - listitem: apple
                  - listitem: /^pl/
            `)""", "expect(page.locator('ul')).toMatchAriaSnapshot('- listitem: pear')",
            "expect(page.locator('ul')).not.toMatchAriaSnapshot('- list:\\n  - /children: equal\\n  - listitem: pear')",
            "expect(page.locator('body')).toMatchAriaSnapshot('- link \"Next\":\\n  - /url: /next')",
            "expect(page.locator('body')).not.toMatchAriaSnapshot('- button /^Buy/')")
        self.assertIn("- listitem: apple", self.error("expect(page.locator('ul')).toMatchAriaSnapshot('- listitem: fig', { timeout: 50 })"))

    def test_it_waits(self):
        self.show("<p>old</p><script>setTimeout(() => { document.querySelector('p').textContent = 'new'; location.hash = 'done'; }, 400)</script>")
        self.holds("expect(page.locator('p')).toHaveText('new')", "expect(page).toHaveURL(/#done$/)")
        self.show("<p>old</p><script>setTimeout(() => document.querySelector('p').remove(), 300)</script>")
        self.holds("expect(page.locator('p')).not.toBeVisible()")

    def test_inside_of_frames(self):
        self.show("<iframe name=f srcdoc='<button>in</button>'></iframe>")
        self.holds("expect(page.frameLocator('iframe').getByRole('button')).toHaveText('in')", "expect(page.frame('f').locator('button')).toBeVisible()",
                   "expect(page.locator('button')).toHaveCount(0)")

    def test_failures(self):
        self.show()
        for line, first, expected, received in (
                ("expect(page.locator('h1')).toHaveText('Six', { timeout: 50 })", "toHaveText(expected) failed", '"Six"', '"Five\\n orders"'),
                ("expect(page.locator('h1')).not.toBeVisible({ timeout: 50 })", "toBeVisible() failed", "not visible", "visible"),
                ("expect(page.locator('#none')).toHaveText('x', { timeout: 50 })", "toHaveText(expected) failed", '"x"', "<element(s) not found>"),
                ("expect(page.locator('#none')).not.toHaveText('x', { timeout: 50 })", "toHaveText(expected) failed", 'not "x"', "<element(s) not found>"),
                ("expect(page.locator('li')).toHaveCount(2, { timeout: 50 })", "toHaveCount(expected) failed", "2", "3"),
                ("expect(page.locator('#no')).toBeChecked({ timeout: 50 })", "toBeChecked() failed", "checked", "unchecked"),
                ("expect(page.locator('a')).toHaveAttribute('href', 'x', { timeout: 50 })", "toHaveAttribute(name, expected) failed", '"x"', '"/next"')):
            with self.subTest(line):
                isNot = ".not" if ".not." in line else ""
                locator = re.search(r"page\.(locator\('.*?'\))", line)[1]
                self.assertEqual(self.error(line), f"Error: expect(locator){isNot}.{first}\n\nLocator:  {locator}\nExpected: {expected}\n"
                                 f"Received: {received}\nTimeout:  50ms")
        self.assertIn("strict mode violation: locator('li') resolved to 3 elements", self.error("expect(page.locator('li')).toHaveText('x')"))
        self.assertIn("toHaveTitle(expected) failed\n\nExpected: \"x\"", self.error("expect(page).toHaveTitle('x', { timeout: 50 })"))
        self.assertIn("my words\n\nexpect(locator)", self.error("expect(page.locator('#none'), 'my words').toBeVisible({ timeout: 50 })"))
        self.assertIn("Members of expect(locator): ", self.error("expect(page.locator('h1')).toBeNice()"))

    def test_values(self):
        held = ("expect(2).toBe(2)", "expect({ a: [1] }).toEqual({ a: [1], b: undefined })", "expect({ a: 1 }).not.toStrictEqual({ a: 1, b: undefined })",
                "expect('abc').toContain('b')", "expect([1, 2]).toContain(2)", "expect([{ a: 1 }]).toContainEqual({ a: 1 })", "expect('x').toBeTruthy()",
                "expect(0).toBeFalsy()", "expect([1]).toHaveLength(1)", "expect('abc').toMatch(/^a/)", "expect(3).toBeGreaterThan(2)",
                "expect(3).toBeLessThanOrEqual(3)", "expect(null).toBeNull()", "expect(undefined).toBeUndefined()", "expect(0.1 + 0.2).toBeCloseTo(0.3)",
                "expect({ a: { b: 1, c: 2 } }).toMatchObject({ a: { b: 1 } })", "expect({ a: { b: 1 } }).toHaveProperty('a.b', 1)",
                "expect(() => { throw new Error('bad') }).toThrow('bad')", "expect(() => 1).not.toThrow()", "expect({ id: 5, n: 'x1' }).toEqual({ id: expect.any(Number), n: expect.stringContaining('x') })",
                "expect(Promise.resolve(3)).resolves.toBe(3)", "expect(Promise.reject(new Error('no'))).rejects.toThrow('no')", "expect(new Set([1])).toEqual(new Set([1]))",
                "expect(new Date(5)).toEqual(new Date(5))", "expect(1).not.toBe(2)", "expect.poll(() => Date.now() % 2).toBe(0)",
                "expect(async () => { expect(Date.now() % 2).toBe(1); }).toPass()")
        self.holds(*held)
        self.assertEqual(self.error("expect({ a: 1 }).toEqual({ a: 2 })"),
                         'Error: expect(received).toEqual(expected)\n\nExpected: {"a": 2}\nReceived: {"a": 1}')
        self.assertEqual(self.error("expect(1).not.toBe(1)"), "Error: expect(received).not.toBe(expected)\n\nExpected: not 1\nReceived: 1")
        self.assertIn("Received: 5", self.error("expect.poll(() => 5, { timeout: 100 }).toBe(6)"))
        self.assertEqual(json.loads(re.search(r"### Result\n(.*)\n", self.answer("return (() => { const expect = 5; return expect; })()")[0])[1]), 5)


if __name__ == "__main__":
    main()
