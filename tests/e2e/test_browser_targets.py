"""What selectors and locators lead to, and what is said of those that lead nowhere."""
import json
import re

from support.case import BrowserdCase, main

PAGE = """
<button id=pressed aria-pressed=true>P one</button><button id=off disabled>D</button><button id=closed aria-expanded=false>E</button>
<h2 id=h2>Deep</h2><h3 id=h3>Deep</h3><div id=tab role=tab aria-selected=true aria-description=dd>T</div>
<ul><li id=one>one <b id=b>x</b></li><li id=two>two <i>y</i></li><li id=three style="display:none">three</li></ul>
<p id=p1>one</p><p id=p2>Two</p><p id=p3>two three</p><section><p id=p4>one</p></section>
<label id=label for=field>Lab el</label><input id=field placeholder="Pl ace"><img id=img alt="Al t"><span id=title title="Ti t">s</span>
<div id=test data-testid="a b">x</div><button id=hidden hidden>H</button>
<iframe srcdoc="<p id=in>in</p><iframe srcdoc='<b id=deep>deep</b>'></iframe>"></iframe>
<x-host id=host class=outer></x-host><div id=light><x-slotted id=slotted><em id=child>slotted</em></x-slotted></div>
<script>
document.querySelector('x-host').attachShadow({ mode: 'open' }).innerHTML =
  '<div id=inner class=mid><x-in id=nested></x-in><span id=shadowed>in the shadow</span></div>';
document.querySelector('x-host').shadowRoot.querySelector('x-in').attachShadow({ mode: 'open' }).innerHTML = '<u id=innermost>core</u>';
document.querySelector('x-slotted').attachShadow({ mode: 'open' }).innerHTML = '<div id=frame class=wrap><slot></slot></div>';
</script>"""
FOUND = {
    # roles with each of their filters
    "getByRole('heading', { includeHidden: true, level: 2 })": "h2",
    "getByRole('button', { pressed: true })": "pressed",
    "getByRole('button', { expanded: false })": "closed",
    "getByRole('button', { disabled: true, exact: true, name: 'D' })": "off",
    "getByRole('tab', { selected: true, description: 'dd' })": "tab",
    "getByRole('tab', { description: /D/i, name: 'T', exact: true })": "tab",
    "getByRole('button', { name: 'H', includeHidden: true })": "hidden",
    "getByRole('HEADING', { name: /deep/i }).last()": "h3",
    'role=heading[name="deep" i] >> nth=-1': "h3",
    'role=heading[name="Deep"][level=3]': "h3",
    "role=heading[name=/DEEP/i] >> nth=0": "h2",
    'role=button[name="H"][include-hidden]': "hidden",
    'role=tab[description="dd"]': "tab",
    # as in the other languages of Playwright
    'get_by_role("button", name="P one")': "pressed",
    "page.get_by_role('heading', name=re.compile(r\"^deep\", re.IGNORECASE), level=3)": "h3",
    'page.locator("li").filter(has_text="ONE").first': "one",
    'get_by_text("one", exact=True).and_(page.locator("section p"))': "p4",
    'get_by_text(re.compile(r"^TW\\w+$", flags=re.I | re.M))': "p2",
    'get_by_role("button", include_hidden=True, name="H")': "hidden",
    'frame_locator("iframe").frame_locator("iframe").locator("b")': "deep",
    'page.locator("iframe").content_frame.get_by_text("in")': "in",
    'get_by_test_id("a b")': "test", 'get_by_alt_text("al t")': "img", 'page.locator("p").nth(-1)': "p4",
    'page.GetByRole(AriaRole.Button, new() { Name = "P one" })': "pressed",
    'GetByRole(AriaRole.Heading, new PageGetByRoleOptions { NameRegex = new Regex("^DEEP", RegexOptions.IgnoreCase), Level = 3 })': "h3",
    'Page.GetByText("one", new() { Exact = true }).Nth(1)': "p4",
    'page.Locator("li").Filter(new() { Has = page.Locator("i") }).First': "two",
    'GetByTitle(@"Ti t")': "title", 'Locator("iframe").ContentFrame.GetByText("in")': "in",
    'page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("Deep").setLevel(2))': "h2",
    'page.getByText(Pattern.compile("^two$", Pattern.CASE_INSENSITIVE)).first()': "p2",
    'page.locator("li").filter(new Locator.FilterOptions().setHas(page.locator("b")))': "one",
    "getByText(new RegExp('^two$', 'i'))": "p2",
    # combinations
    "getByRole('listitem').filter({ hasText: 'one', has: locator('b') })": "one",
    "getByRole('listitem').filter({ hasNot: page.locator('b'), hasNotText: 'one' })": "two",
    "locator('li').filter({ visible: false })": "three",
    "locator('li', { hasText: /TWO/i })": "two",
    "locator('li').locator(locator('b').first())": "b",
    "locator('p').and(getByText('Two', { exact: true }))": "p2",
    "locator('section').or(locator('h3')).nth(1)": None,  # a section without an id
    "getByRole('heading').nth(-2)": "h2",
    # frames
    "frameLocator('iframe').first().getByText('in')": "in",
    "frameLocator('iframe').frameLocator('iframe').locator('b')": "deep",
    "locator('iframe').contentFrame().locator('iframe').contentFrame().getByText('deep')": "deep",
    "iframe >> internal:control=enter-frame >> p": "in",
    # texts and attributes
    "text=/^two$/i": "p2", 'text="Two"': "p2", "'two three'": "p3", "getByText(/^two$/i)": "p2",
    "getByLabel('Lab el', { exact: true })": "field", "getByPlaceholder(/PL/i)": "field", "getByAltText('al t')": "img",
    "getByTitle('ti')": "title", "getByTestId(/^a/)": "test", "data-testid=a b": "test", "id=field": "field",
    # CSS with extensions, and chains
    ":nth-match(li:visible, 2)": "two", 'li:has-text("TWO")': "two", "ul >> li >> nth=-1": "three",
    'p:text-is("Two")': "p2", 'p:text-matches("^T", "i") >> nth=1': "p3", "li:not(:has(b)) >> nth=0": "two",
    "li:is(:has-text('one'))": "one", "*css=li >> b": "one", "section >> text=one": "p4", "li >> visible=false": "three",
    "xpath=//h2": "h2", "b >> xpath=..": "one",
    # where they lie: nearest first, behind each other in any order
    "button:right-of(#pressed) >> nth=0": "off", "button:left-of(#closed) >> nth=0": "off", "p:below(#p1) >> nth=0": "p2",
    "p:above(#p3):not(#p1)": "p2", "p:near(#p2, 1000) >> nth=-1": "p4", "li:above(p, 400):has(b)": "one",
    # through open shadow roots: the whole tree counts, and so does each root on its own
    "x-host #shadowed": "shadowed", ".outer .mid span": "shadowed", "x-host > .mid": "inner", "x-host .mid > x-in u": "innermost",
    "#host u": "innermost", "body x-host span": "shadowed", ".mid u": "innermost", "u": "innermost", ".mid span": "shadowed",
    "x-slotted em": "child", "#light em": "child", "x-slotted .wrap": "frame", ":light(x-slotted) em": "child",
    "x-host >> text=core": "innermost", "//x-slotted/em": "child", "x-host:has(u)": "host", "u:not(.outer em)": "innermost", "span:is(.outer span, p)": "shadowed",
    "x-host:has-text('core')": "host", "x-in ~ span": "shadowed",
}
FAILED = {
    "getByRole('button')": "strict mode violation: getByRole('button') resolved to 3 elements:\n"
                           "    1) <button id=\"pressed\" aria-pressed=\"true\">P one</button> aka getByRole('button', { name: 'P one' })",
    "#nothing": '"#nothing" does not match any elements.',
    "li >> nth=x": '"li >> nth=x" does not match any elements.',
    "nth=0": '"nth=0" does not match any elements.', "visible=true": '"visible=true" does not match any elements.',
    "role=button[level=2]": '"level" attribute is only supported for roles: "heading", "listitem", "row", "treeitem"',
    "getByRole('heading', { pressed: true })": '"pressed" attribute is only supported for roles: "button"',
    "role=button[name]": '"name" attribute must have a value',
    "role=button[foo=1]": 'Unknown attribute "foo", must be one of "checked", "description", "disabled", "expanded", '
                          '"include-hidden", "level", "name", "pressed", "selected".',
    "getByRole('button', { foo: 1 })": "Unexpected token",
    'get_by_role("button", name=Save)': "Unexpected token", 'get_by_text(re.compile("x", IGNORECASE))': "Unexpected token",
    'GetByText("x", new() { Exact: })': "Unexpected token", 'get_by_nothing("x")': "Unexpected token",
    "li:has-text(two)": "Unexpected token", "h2[": "Unexpected token", "h2 >>": "Unexpected token",
    "p:near()": '":near()" wants a selector', "p:near(#p1, 0)": '"p:near(#p1, 0)" does not match any elements.',
    ":foo": "':foo' is not a valid selector", "foo=bar": 'Unknown engine "foo" while parsing selector foo=bar',
    "//x-host//u": "does not match any elements.",  # XPath stays in its tree
    "internal:control=enter-frame >> p": "Selector cannot start with entering frame, select the iframe first",
    "locator('iframe').contentFrame()": "Selector cannot end with entering frame, while parsing selector iframe >> internal:control",
    "h2 >> internal:control=enter-frame >> p": 'Selector "h2" resolved to <h2',
}


class Targets(BrowserdCase):
    def setUp(self):
        self.client = self.start()
        self.client.start_call("browser_navigate", {"url": self.pages().page(PAGE)}).result()

    def ask(self, target):
        return self.client.start_call("browser_evaluate", {"target": target, "function": "e => e.id || null"}).result()

    def test_found(self):
        for target, expected in FOUND.items():
            with self.subTest(target=target):
                text = self.ask(target)["content"][0]["text"]
                self.assertEqual(re.search(r"^### (Result|Error)\n(.*)", text)[2], json.dumps(expected))

    def test_the_log_of_several_matches_names_the_whole_locator(self):
        body = "<p>a resolved to b</p><p>a resolved to b</p>"
        self.client.start_call("browser_navigate", {"url": self.pages().page(body)}).result()
        text = self.client.ask("browser_click", target="getByText('a resolved to b')")
        self.assertIn("strict mode violation: getByText('a resolved to b') resolved to 2 elements:\n", text)
        self.assertIn("- waiting for getByText('a resolved to b')\x1b", text)

    def test_failed(self):
        for target, expected in FAILED.items():
            with self.subTest(target=target):
                result = self.ask(target)
                self.assertTrue(result.get("isError"), result)
                self.assertIn(expected, result["content"][0]["text"])


if __name__ == "__main__":
    main()
