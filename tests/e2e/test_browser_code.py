"""The code that answers show, in all languages of --codegen: which statements are translated, and how they look."""
import re

from support.case import BrowserdCase, main

PAGE = """
<button>Sa"ve 'it'</button><input aria-label="Na\\me"><input type=checkbox aria-label=check>
<select multiple aria-label=list><option>one<option>two "x"</select>
<iframe srcdoc="<button>inside</button>"></iframe>
<ul><li>one <b>x</b></li><li>two</li></ul><h2 title="Ti">Deep</h2>
"""
BUTTON, FIELD = "button", "input >> nth=0"
# What each call shows in TypeScript, Python, Java, C#; None: JavaScript as in TypeScript.
CALLS = (
    ("click", {"target": BUTTON}, "await page.locator('button').click();", 'page.locator("button").click()',
     'page.locator("button").click();', 'await page.Locator("button").ClickAsync();'),
    ("click", {"target": BUTTON, "doubleClick": True}, "await page.locator('button').dblclick();",
     'page.locator("button").dblclick()', 'page.locator("button").dblclick();',
     'await page.Locator("button").DblClickAsync();'),
    ("click", {"target": BUTTON, "button": "right", "modifiers": ["Shift", "Control", "Alt"]},
     "await page.locator('button').click({\n  button: 'right',\n  modifiers: ['Alt', 'ControlOrMeta', 'Shift']\n});",
     'page.locator("button").click(button="right", modifiers=["Alt", "ControlOrMeta", "Shift"])',
     'page.locator("button").click(new Locator.ClickOptions()\n  .setButton(MouseButton.RIGHT)\n'
     '  .setModifiers(Arrays.asList(KeyboardModifier.ALT, KeyboardModifier.CONTROLORMETA, KeyboardModifier.SHIFT)));',
     'await page.Locator("button").ClickAsync(new()\n{\n    Button = MouseButton.Right,\n    Modifiers = new[] '
     '{ KeyboardModifier.Alt, KeyboardModifier.ControlOrMeta, KeyboardModifier.Shift },\n});'),
    ("click", {"target": BUTTON, "modifiers": ["ControlOrMeta"]},
     "await page.locator('button').click({\n  modifiers: ['ControlOrMeta']\n});",
     'page.locator("button").click(modifiers=["ControlOrMeta"])',
     'page.locator("button").click(new Locator.ClickOptions()\n'
     '  .setModifiers(Arrays.asList(KeyboardModifier.CONTROLORMETA)));',
     'await page.Locator("button").ClickAsync(new()\n{\n    Modifiers = new[] { KeyboardModifier.ControlOrMeta },\n});'),
    ("hover", {"target": "getByRole('button', { name: 'Sa\"ve \\'it\\'' })"},
     "await page.getByRole('button', { name: 'Sa\"ve \\'it\\'' }).hover();",
     'page.get_by_role("button", name="Sa\\"ve \'it\'").hover()',
     'page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sa\\"ve \'it\'")).hover();',
     'await page.GetByRole(AriaRole.Button, new() { Name = "Sa\\"ve \'it\'" }).HoverAsync();'),
    ("hover", {"target": "frameLocator('iframe').getByRole('button', { name: 'inside', exact: true })"},
     "await page.locator('iframe').contentFrame().getByRole('button', { name: 'inside', exact: true }).hover();",
     'page.locator("iframe").content_frame.get_by_role("button", name="inside", exact=True).hover()',
     'page.locator("iframe").contentFrame().getByRole(AriaRole.BUTTON, new FrameLocator.GetByRoleOptions()'
     '.setName("inside").setExact(true)).hover();',
     'await page.Locator("iframe").ContentFrame.GetByRole(AriaRole.Button, new() { Name = "inside", Exact = true })'
     '.HoverAsync();'),
    ("hover", {"target": "getByRole('listitem').filter({ has: locator('b'), hasText: /ONE/i }).first()"},
     "await page.getByRole('listitem').filter({ hasText: /ONE/i }).filter({ has: locator('b') }).first().hover();",
     'page.get_by_role("listitem").filter(has_text=re.compile(r"ONE", re.IGNORECASE)).filter(has=locator("b")).first.hover()',
     'page.getByRole(AriaRole.LISTITEM).filter(new Locator.FilterOptions().setHasText(Pattern.compile("ONE", '
     'Pattern.CASE_INSENSITIVE))).filter(new Locator.FilterOptions().setHas(locator("b"))).first().hover();',
     'await page.GetByRole(AriaRole.Listitem).Filter(new() { HasTextRegex = new Regex("ONE", RegexOptions.IgnoreCase) })'
     '.Filter(new() { Has = Locator("b") }).First.HoverAsync();'),
    ("type", {"target": FIELD, "text": "it's \"a\" \\\n\u0001"},
     "await page.locator('input').first().fill('it\\'s \"a\" \\\\\\n\\u0001');",
     'page.locator("input").first.fill("it\'s \\"a\\" \\\\\\n\\u0001")',
     'page.locator("input").first().fill("it\'s \\"a\\" \\\\\\n\\u0001");',
     'await page.Locator("input").First.FillAsync("it\'s \\"a\\" \\\\\\n\\u0001");'),
    ("type", {"target": FIELD, "text": "a", "submit": True},
     "await page.locator('input').first().fill('a');\nawait page.locator('input').first().press('Enter');",
     'page.locator("input").first.fill("a")\npage.locator("input").first.press("Enter")',
     'page.locator("input").first().fill("a");\npage.locator("input").first().press("Enter");',
     'await page.Locator("input").First.FillAsync("a");\nawait page.Locator("input").First.PressAsync("Enter");'),
    ("type", {"target": FIELD, "text": "a", "slowly": True}, "await page.locator('input').first().pressSequentially('a');"),
    ("select_option", {"target": "select", "values": ["one"]}, "await page.locator('select').selectOption('one');",
     'page.locator("select").select_option("one")', 'page.locator("select").selectOption("one");',
     'await page.Locator("select").SelectOptionAsync(new[] { "one" });'),
    ("select_option", {"target": "select", "values": ["one", 'two "x"']},
     "await page.locator('select').selectOption(['one', 'two \"x\"']);",
     'page.locator("select").select_option(["one", "two \\"x\\""])',
     'page.locator("select").selectOption(new String[] {"one", "two \\"x\\""});',
     'await page.Locator("select").SelectOptionAsync(new[] { "one", "two \\"x\\"" });'),
    ("select_option", {"target": "select", "values": []}, "await page.locator('select').selectOption([]);",
     'page.locator("select").select_option([])', 'page.locator("select").selectOption(new String[0]);',
     'await page.Locator("select").SelectOptionAsync(new[] {  });'),
    ("fill_form", {"fields": [{"target": "[type=checkbox]", "name": "c", "type": "checkbox", "value": value}
                              for value in ("true", "false")]},
     "await page.locator('[type=checkbox]').check();\nawait page.locator('[type=checkbox]').uncheck();",
     'page.locator("[type=checkbox]").check()\npage.locator("[type=checkbox]").uncheck()',
     'page.locator("[type=checkbox]").check();\npage.locator("[type=checkbox]").uncheck();',
     'await page.Locator("[type=checkbox]").CheckAsync();\nawait page.Locator("[type=checkbox]").UncheckAsync();'),
    ("press_key", {"key": "Tab"}, "// Press Tab\nawait page.keyboard.press('Tab');"),
    ("press_key", {"key": "ctrl + pgdn"}, "// Press Control+PageDown\nawait page.keyboard.press('Control+PageDown');"),
    ("evaluate", {"function": "e => 1", "target": "h2"}, "await page.locator('h2').evaluate('e => 1');"),
    ("navigate", {"url": "about:blank"}, "await page.goto('about:blank');", 'page.goto("about:blank")',
     'page.navigate("about:blank");', 'await page.GotoAsync("about:blank");'),
)
LANGUAGES = ("typescript", "python", "java", "csharp")


CROWD = "".join("<button>x</button>" for _ in range(6)) + """<button></button>
<ul><li><button>Del</button> item 1</li><li><button>Del</button> item 2</li></ul>
<button aria-description=A>d</button><button aria-description=B>d</button><a href=/x><img src=y></a>
<div>""" + "<p class='card one'>y</p>" * 6 + """<p class='card two'>y</p></div><label><input type=date placeholder=when></label>
<select id=shown><option>one</select><select id=gone style="display: none"><option>two</select>"""
GENERATED = (  # the locators that refs of the crowd get
    ("button:empty", "getByRole('button').filter({ hasText: /^$/ })"),
    ("li:nth-child(1) button", "getByRole('button', { name: 'Del' }).first()"),  # one of too many buttons to say which
    ("[aria-description=B]", "getByRole('button', { name: 'd', description: 'B' })"),
    ("a", "getByRole('link')"),
    ("p.two", "locator('.card.two')"),
    ("input", "getByPlaceholder('when')"),
)


class Code(BrowserdCase):
    def test_locators_of_elements(self):
        self.check_locators(CROWD, GENERATED)

    def test_an_exact_name_comes_before_a_description(self):
        self.check_locators("<span role=button tabindex=0><input type=file title=hint>send</span>", [
            ("input", "getByRole('button', { name: 'Choose File', exact: true })")])

    def check_locators(self, page, rows):
        client = self.start()
        client.start_call("browser_navigate", {"url": self.pages().page(page)}).result()
        for selector, locator in rows:
            with self.subTest(selector=selector):
                text = client.ask("browser_snapshot", target=selector)
                ref = re.search(r"\[ref=(\w+)\]", text)[1]
                text = client.ask("browser_evaluate", target=ref, function="e => 1")
                self.assertIn(f"await page.{locator}.evaluate('e => 1');", text)

    def check(self, language):
        client = self.start("--codegen", language)
        client.start_call("browser_navigate", {"url": self.pages().page(PAGE)}).result()
        column = LANGUAGES.index(language)
        for tool, arguments, *codes in CALLS:
            with self.subTest(tool=tool, arguments=arguments):
                text = client.ask("browser_" + tool, **arguments)
                found = re.search(r"### Ran Playwright code\n```(\w+)\n(.*?)\n```", text, re.S)
                self.assertIsNotNone(found, text)
                self.assertEqual(found[1], "js" if language == "typescript" else language)
                self.assertEqual(found[2], codes[column if len(codes) > 1 else 0])

    def test_an_option_of_what_is_not_shown(self):
        client = self.start()
        client.start_call("browser_navigate", {"url": self.pages().page(CROWD)}).result()
        text = client.ask("browser_click", target="option")
        self.assertIn("1) <option>one</option> aka locator('#shown')", text)
        self.assertIn("2) <option>two</option> aka getByText('two')", text)

    def test_typescript(self):
        self.check("typescript")

    def test_python(self):
        self.check("python")

    def test_java(self):
        self.check("java")

    def test_csharp(self):
        self.check("csharp")


if __name__ == "__main__":
    main()
