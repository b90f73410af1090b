"""browser_generate_locator and browser_verify_*: locators and assertions for tests."""
from support.case import main
from support.drop_in import DropInCase, SharedDropInCase

FORM = """<h1>Order</h1><button>Send</button><button>Send later</button><button style="display: none">Gone</button>
<div role=status aria-label="All saved"></div><button style="visibility: hidden">Invisible</button><button aria-hidden=true>Unnamed</button>
<p>Thank   you for
your order</p><p style="display: none">Secret words</p><p style="display: none">Twice</p><div>Twice</div>
<ul id=parts><li>Wheel</li><li>Seat <b>red</b></li><li><ul><li>Deep part</li></ul></li></ul>
<ol id=twins><li>Same</li><li>Same</li></ol>
<label id=label>Labelled <input value="in label"></label>
<input id=name aria-label=Name value=Ann><input id=empty aria-label=Empty><textarea id=text aria-label=Text>it's "so"</textarea>
<input id=yes type=checkbox aria-label=Yes checked><input id=no type=checkbox aria-label=No>
<input id=red type=radio name=r aria-label=Red checked><input id=blue type=radio name=r aria-label=Blue>
<input id=size type=range aria-label=Size value=30><select id=plan aria-label=Plan><option value=f>Free<option value=p selected>Pro</select>
<div id=switch role=switch aria-checked=true tabindex=0>Switch</div><div id=editor role=textbox contenteditable>edit me</div>
<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<button>In the shadow</button><p>shadow words</p>';</script>"""
INNER = """<button>Inside</button><p>inner words</p><ul><li>inner item</li></ul><input aria-label=Inner value=deep>"""


class Testing(SharedDropInCase):
    args = ("--caps", "testing")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        inner = cls.site.page(INNER)
        across = cls.site.page("<p>words of another site</p><button>Across</button>").replace("127.0.0.1", "localhost")
        cls.form = cls.site.page(f'{FORM}<iframe src="{inner}" name=near></iframe><iframe src="{across}" name=far></iframe>'
                                 '<iframe srcdoc="<p>unseen words" style="display: none"></iframe>')

    def setUp(self):
        self.ask("browser_navigate", url=self.form)

    def ref_of(self, line):
        """The ref of the element with this text in the snapshot."""
        snapshot = self.ask("browser_snapshot").snapshot
        return next(row.partition("[ref=")[2].partition("]")[0] for row in snapshot.split("\n") if line in row)

    def assert_done(self, answer, code):
        self.assertEqual((answer.result, answer.code), ("Done", code), answer)
        self.assertEqual(list(answer.sections), ["Result", "Ran Playwright code"])
        self.assertFalse(answer.is_error)

    def assert_error(self, answer, error):
        self.assertEqual(answer.error, error)
        self.assertTrue(answer.is_error)
        self.assertIsNone(answer.code)

    # browser_generate_locator

    def test_a_locator_for_a_ref(self):
        answer = self.ask("browser_generate_locator", target=self.ref_of('button "Send later"'))
        self.assertEqual(answer.text, "### Result\ngetByRole('button', { name: 'Send later' })")
        self.assertEqual(self.ask("browser_generate_locator", element="first", target=self.ref_of('button "Send"')).result,
                         "getByRole('button', { name: 'Send', exact: true })")
        self.assertEqual(self.ask("browser_generate_locator", target=self.ref_of("inner words")).result,
                         "locator('iframe[name=\"near\"]').contentFrame().getByText('inner words')")

    def test_the_locator_of_a_selector_is_that_selector(self):
        for target, locator in (("#name", "locator('#name')"), ("button >> nth=1", "locator('button').nth(1)"),
                                ("getByLabel('Plan')", "getByLabel('Plan')"), ("button", "locator('button')"),
                                ("//h1", "locator('//h1')")):
            self.assertEqual(self.ask("browser_generate_locator", target=target).result, locator)

    def test_no_element_has_no_locator(self):
        for tool, more in (("generate_locator", {}), ("verify_value", {"element": "x", "type": "textbox", "value": "x"}),
                           ("verify_list_visible", {"element": "x", "items": ["x"]})):
            self.assert_error(self.ask(f"browser_{tool}", target="#nothing", **more),
                              'Error: "#nothing" does not match any elements.')
            self.assert_error(self.ask(f"browser_{tool}", target="e9999", **more),
                              "Error: Ref e9999 not found in the current page snapshot. Try capturing new snapshot.")

    # browser_verify_element_visible

    def see(self, role, name):
        return self.ask("browser_verify_element_visible", role=role, accessibleName=name)

    def test_a_visible_element(self):
        self.assert_done(self.see("heading", "Order"), "await expect(page.getByRole('heading', { name: 'Order' })).toBeVisible();")
        self.assert_done(self.see("button", "In the shadow"),
                         "await expect(page.getByRole('button', { name: 'In the shadow' })).toBeVisible();")

    def test_an_element_with_an_empty_box(self):
        self.assertIn('status "All saved"', self.ask("browser_snapshot").snapshot)
        self.assert_done(self.see("status", "saved"), "await expect(page.getByRole('status', { name: 'All saved' })).toBeVisible();")

    def test_the_first_of_several_elements_counts(self):
        code = "await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();"
        for role, name in (("button", "Send"), ("button", "send"), ("BUTTON", "SEND"), ("button", "")):
            self.assert_done(self.see(role, name), code)

    def test_an_element_in_a_frame(self):
        for name, frame in (("Inside", "near"), ("Across", "far")):
            self.assert_done(self.see("button", name), f"await expect(page.locator('iframe[name=\"{frame}\"]').contentFrame()"
                             f".getByRole('button', {{ name: '{name}' }})).toBeVisible();")

    def test_an_element_that_is_not_visible(self):
        for name in ("Gone", "Invisible", "Unnamed", "Never there", 'Sa"y'):
            self.assert_error(self.see("button", name), f'Element with role "button" and accessible name "{name}" not found')
        self.assert_error(self.see("link", "Send"), 'Element with role "link" and accessible name "Send" not found')

    def test_a_role_is_needed(self):
        self.assertTrue(self.see("", "Send").error.startswith("Error: browserBackend.callTool: Error: Role must not be empty"))
        self.assert_error(self.ask("browser_verify_element_visible", role="button"),
                          'Invalid arguments for tool "browser_verify_element_visible":\n'
                          "✖ Invalid input: expected string, received undefined\n  → at accessibleName")

    # browser_verify_text_visible

    def read(self, text):
        return self.ask("browser_verify_text_visible", text=text)

    def test_a_visible_text(self):
        code = "await expect(page.getByText('Thank you for your order')).toBeVisible();"
        for text in ("Thank you for your order", "THANK YOU", "for your"):
            self.assert_done(self.read(text), code)
        self.assert_done(self.read("shadow words"), "await expect(page.getByText('shadow words')).toBeVisible();")

    def test_the_visible_one_of_two_texts(self):
        answer = self.read("Twice")
        self.assertEqual(answer.result, "Done")
        self.assertRegex(answer.code, r"^await expect\(page\..*Twice.*\)\.toBeVisible\(\);$")

    def test_a_text_in_a_frame(self):
        for text, frame in (("inner words", "near"), ("words of another site", "far")):
            self.assert_done(self.read(text), f"await expect(page.locator('iframe[name=\"{frame}\"]').contentFrame()"
                                              f".getByText('{text}')).toBeVisible();")

    def test_a_text_that_is_not_visible(self):
        for text in ("Secret words", "unseen words", "Ann", "never there", "/order/i"):
            self.assert_error(self.read(text), "Text not found")

    # browser_verify_list_visible

    def items(self, target, *items):
        return self.ask("browser_verify_list_visible", element="list", target=target, items=list(items))

    @staticmethod
    def list_code(*items):
        lines = "".join(f'    - listitem: "{item}"\n' for item in items)
        return f"await expect(page.locator('body')).toMatchAriaSnapshot(`\n  - list:\n{lines or '  ' + chr(10)}  `);"

    def test_a_list(self):
        ref = self.ref_of("- list [ref=")
        self.assert_done(self.items(ref, "Wheel", "Seat"), self.list_code("Wheel", "Seat red"))
        self.assert_done(self.items("#parts", "Deep part"), self.list_code("Deep part"))
        self.assert_done(self.items("#parts"), self.list_code())
        self.assert_done(self.items("li", "Wheel", "Wheel"), self.list_code("Wheel", "Wheel"))
        self.assert_done(self.items(self.ref_of("- listitem [ref=f"), "inner item"), self.list_code("inner item"))

    def test_a_list_without_an_item(self):
        self.assert_error(self.items("#parts", "Wheel", "Brake", "Bell"), 'Item "Brake" not found')

    def test_an_item_must_be_the_only_one(self):
        answer = self.items("#twins", "Same")
        self.assertTrue(answer.error.startswith("Error: browserBackend.callTool: Error: strict mode violation: "
                                                "locator('#twins').getByText('Same') resolved to 2 elements:\n"), answer)
        self.assertTrue(answer.error.endswith("\n\nCall log:\n\x1b[2m  - waiting for locator('#twins').getByText('Same')\x1b[22m"),
                        answer)

    def test_items_are_a_list_of_texts(self):
        answer = self.ask("browser_verify_list_visible", element="list", target="#parts", items="Wheel")
        self.assert_error(answer, 'Invalid arguments for tool "browser_verify_list_visible":\n'
                                  "✖ Invalid input: expected array, received string\n  → at items")

    # browser_verify_value

    def value(self, kind, target, value):
        return self.ask("browser_verify_value", type=kind, element="field", target=target, value=value)

    def test_the_value_of_a_field(self):
        for kind, target, value in (("textbox", "#name", "Ann"), ("slider", "#size", "30"), ("combobox", "#plan", "p"),
                                    ("textbox", "#label", "in label"), ("textbox", "#yes", "on")):
            self.assert_done(self.value(kind, target, value), f"await expect(page.locator('{target}')).toHaveValue('{value}');")
        self.assert_done(self.value("textbox", "#text", "it's \"so\""),
                         "await expect(page.locator('#text')).toHaveValue('it\\'s \"so\"');")
        self.assert_done(self.value("textbox", "#empty", ""), "await expect(page.locator('#empty')).toBeEmpty();")
        self.assert_done(self.value("textbox", self.ref_of('textbox "Inner"'), "deep"),
                         "await expect(page.locator('iframe[name=\"near\"]').contentFrame()"
                         ".getByRole('textbox', { name: 'Inner' })).toHaveValue('deep');")

    def test_another_value(self):
        for kind, target, wanted, got in (("textbox", "#name", "ann", "Ann"), ("slider", "#size", "31", "30"),
                                          ("combobox", "#plan", "Pro", "p"), ("textbox", "#empty", "x", ""),
                                          ("checkbox", "#yes", "false", "true"), ("checkbox", "#no", "true", "false"),
                                          ("radio", "#blue", "true", "false"), ("checkbox", "#yes", "off", "true")):
            self.assert_error(self.value(kind, target, wanted), f'Expected value "{wanted}", but got "{got}"')

    def test_what_is_checked(self):
        for kind, target, value in (("checkbox", "#yes", "true"), ("radio", "#red", "true"), ("checkbox", "#switch", "true"), ("checkbox", "#yes", "Yes")):
            self.assert_done(self.value(kind, target, value), f"await expect(page.locator('{target}')).toBeChecked();")
        for kind, target, value in (("checkbox", "#no", "false"), ("radio", "#blue", "false"), ("checkbox", "#no", "unchecked")):
            self.assert_done(self.value(kind, target, value), f"await expect(page.locator('{target}')).not.toBeChecked();")
        self.assert_error(self.value("checkbox", "#no", "whatever"), 'Expected value "whatever" is no state of a checkbox: give true or false, '
                          "yes or no, on or off, checked or unchecked, 1 or 0")

    def test_elements_without_a_value(self):
        for kind, target, why in (("textbox", "h1", "Node is not an <input>, <textarea> or <select> element"),
                                  ("textbox", "#editor", "Node is not an <input>, <textarea> or <select> element"),
                                  ("checkbox", "#name", "Not a checkbox or radio button")):
            self.assert_error(self.value(kind, target, "x"), f"Error: browserBackend.callTool: Error: {why}\n"
                              f"Call log:\n\x1b[2m  - waiting for locator('{target}')\x1b[22m")

    def test_one_field_and_a_known_type(self):
        self.assertTrue(self.value("textbox", "input", "x").error.startswith(
            "Error: browserBackend.callTool: Error: strict mode violation: locator('input') resolved to "))
        self.assert_error(self.value("listbox", "#name", "x"), 'Invalid arguments for tool "browser_verify_value":\n'
                          '✖ Invalid option: expected one of "textbox"|"checkbox"|"radio"|"combobox"|"slider"\n  → at type')

    def test_an_open_dialog(self):
        self.show("<button onclick=alert(1)>Ask")
        self.ask("browser_click", target="button")
        for tool, arguments in (("verify_text_visible", {"text": "Ask"}), ("generate_locator", {"target": "button"}),
                                ("verify_element_visible", {"role": "button", "accessibleName": "Ask"})):
            self.assertEqual(self.ask(f"browser_{tool}", **arguments).error,
                             f'Error: Tool "browser_{tool}" does not handle the modal state.')
        self.ask("browser_handle_dialog", accept=True)


class Languages(DropInCase):
    CALLS = (("verify_element_visible", {"role": "button", "accessibleName": "Save"}),
             ("verify_value", {"type": "textbox", "element": "x", "target": "#name", "value": 'a "b"'}),
             ("verify_value", {"type": "textbox", "element": "x", "target": "#none", "value": ""}),
             ("verify_value", {"type": "checkbox", "element": "x", "target": "#on", "value": "true"}),
             ("verify_value", {"type": "checkbox", "element": "x", "target": "#off", "value": "false"}),
             ("verify_list_visible", {"element": "x", "target": "ul", "items": ["One", "Two"]}))
    SNAPSHOT = r'"- list:\n  - listitem: \"One\"\n  - listitem: \"Two\""'

    def check(self, language, *codes):
        client = self.serve("--caps", "testing", "--codegen", language)
        self.open(client, """<button>Save</button><input id=name value='a "b"'><input id=none><ul><li>One<li>Two</ul>
                             <input type=checkbox id=on checked><input type=checkbox id=off>""")
        for (tool, arguments), code in zip(self.CALLS, codes):
            answer = self.call(client, f"browser_{tool}", **arguments)
            self.assertEqual((answer.result, answer.code), ("Done", code))
        self.assertEqual(self.call(client, "browser_generate_locator", target="#name").result, "locator('#name')")

    def test_python(self):
        self.check("python", 'expect(page.get_by_role("button", name="Save")).to_be_visible()',
                   r'expect(page.locator("#name")).to_have_value("a \"b\"")', 'expect(page.locator("#none")).to_be_empty()',
                   'expect(page.locator("#on")).to_be_checked()', 'expect(page.locator("#off")).not_to_be_checked()',
                   f'expect(page.locator("body")).to_match_aria_snapshot({self.SNAPSHOT})')

    def test_java(self):
        self.check("java", 'assertThat(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Save"))).isVisible();',
                   r'assertThat(page.locator("#name")).hasValue("a \"b\"");', 'assertThat(page.locator("#none")).isEmpty();',
                   'assertThat(page.locator("#on")).isChecked();', 'assertThat(page.locator("#off")).not().isChecked();',
                   f'assertThat(page.locator("body")).matchesAriaSnapshot({self.SNAPSHOT});')

    def test_csharp(self):
        self.check("csharp", 'await Expect(page.GetByRole(AriaRole.Button, new() { Name = "Save" })).ToBeVisibleAsync();',
                   r'await Expect(page.Locator("#name")).ToHaveValueAsync("a \"b\"");',
                   'await Expect(page.Locator("#none")).ToBeEmptyAsync();', 'await Expect(page.Locator("#on")).ToBeCheckedAsync();',
                   'await Expect(page.Locator("#off")).Not.ToBeCheckedAsync();',
                   f'await Expect(page.Locator("body")).ToMatchAriaSnapshotAsync({self.SNAPSHOT});')

    def test_none(self):
        self.check("none", *[None] * len(self.CALLS))


if __name__ == "__main__":
    main()
