"""The numbers of refs in snapshots: what gets one, when it changes, and what an old one answers."""
import re
import textwrap

from support.case import main
from support.drop_in import DropInCase, SharedDropInCase


def lines(text):
    return textwrap.dedent(text).strip("\n")


class RefsCase(SharedDropInCase):
    """Each test has a tab of its own, whose refs begin at e1."""

    def setUp(self):
        self.ask("browser_tabs", action="new")
        self.addCleanup(self.ask, "browser_tabs", action="close")

    def snapshot(self, **arguments):
        return self.ask("browser_snapshot", **arguments).snapshot

    def run_script(self, statement):
        answer = self.ask("browser_evaluate", function=f"() => {{ {statement} }}")
        self.assertFalse(answer.is_error, answer)

    def assertSnapshot(self, expected, **arguments):
        self.assertEqual(self.snapshot(**arguments), lines(expected))

    def assertShows(self, body, expected):
        self.show(body)
        self.assertSnapshot(expected)

    def assertAfter(self, statement, expected):
        self.run_script(statement)
        self.assertSnapshot(expected)

    def assertUnknown(self, ref):
        answer = self.ask("browser_hover", target=ref)
        self.assertEqual(answer.error, f"Error: Ref {ref} not found in the current page snapshot. Try capturing new snapshot.")

    def assertNames(self, ref, code):
        """The ref's element has this locator in generated code."""
        answer = self.ask("browser_hover", target=ref)
        self.assertEqual(answer.code, f"await page.{code}.hover();", answer)


class WhatIsNumbered(RefsCase):
    def test_the_body_is_the_first_node(self):
        self.assertShows("<button>Save</button>", '- button "Save" [ref=e2]')

    def test_wrappers_that_the_text_leaves_out(self):
        self.assertShows("<main><div><div><button>Save</button></div></div></main><nav><div><a href=/x>Home</a></div></nav>", """
            - generic [active] [ref=e1]:
              - main [ref=e2]:
                - button "Save" [ref=e5]
              - navigation [ref=e6]:
                - link "Home" [ref=e8] [cursor=pointer]:
                  - /url: /x
            """)

    def test_inline_text_is_no_node(self):
        self.assertShows("<div><span>one</span> <span>two <i>three</i></span></div><div><span style='display:block'>four</span></div>"
                         "<em>five</em><button>end</button>", """
            - generic [active] [ref=e1]:
              - generic [ref=e2]:
                - text: one
                - generic [ref=e3]: two three
              - generic [ref=e4]: four
              - emphasis [ref=e6]: five
              - button "end" [ref=e7]
            """)

    def test_what_takes_up_no_space_has_none(self):
        self.assertShows("<div></div><p></p><div hidden><button>a</button></div><div style='visibility:hidden'>b</div>"
                         "<div style='width:0;height:0;overflow:hidden'><p>c</p></div><br><button>end</button>", """
            - generic [active] [ref=e1]:
              - paragraph
              - generic:
                - paragraph: c
              - button "end" [ref=e2]
            """)

    def test_what_receives_no_pointer_events_has_none(self):
        self.assertShows("<div style='pointer-events:none'><p>a</p><button>b</button><button style='pointer-events:auto'>c</button></div>"
                         "<button>end</button>", """
            - generic [active] [ref=e1]:
              - generic:
                - paragraph: a
                - button "b"
                - button "c" [ref=e2]
              - button "end" [ref=e3]
            """)

    def test_boxes_without_a_box_of_their_own(self):
        self.assertShows("<ul style='display:contents'><li>a</li></ul><div style='display:contents'><p>b</p></div><button>end</button>", """
            - generic [active] [ref=e1]:
              - list [ref=e2]:
                - listitem [ref=e3]: a
              - paragraph [ref=e5]: b
              - button "end" [ref=e6]
            """)

    def test_parts_of_tables_and_lists(self):
        self.assertShows("<table><tr><th>h</th></tr><tr><td>d <a href=/x>l</a></td></tr></table><dl><dt>t</dt><dd>d</dd></dl>"
                         "<select><option>o</option></select><button>end</button>", """
            - generic [active] [ref=e1]:
              - table [ref=e2]:
                - rowgroup [ref=e3]:
                  - row [ref=e4]:
                    - columnheader "h" [ref=e5]
                  - row [ref=e6]:
                    - cell [ref=e7]:
                      - text: d
                      - link "l" [ref=e8] [cursor=pointer]:
                        - /url: /x
              - generic [ref=e9]:
                - term [ref=e10]: t
                - definition [ref=e11]: d
              - combobox [ref=e12]:
                - option "o" [selected]
              - button "end" [ref=e13]
            """)

    def test_spaces_of_a_box_without_text_are_a_part_of_the_row(self):
        """The empty boxes of pseudo-elements are spaces in the name of the row, but give the cell around them no name."""
        self.assertShows("<style>i { display: inline-block; width: 9px; height: 9px } .box::after { content: ''; display: block }</style>"
                         "<table><tr><td><i class=box></i></td><td>User 0</td></tr><tr><td><i></i></td><td>User 1</td></tr></table>", """
            - table [ref=e2]:
              - rowgroup [ref=e3]:
                - row "User 0" [ref=e4]:
                  - cell [ref=e5]
                  - cell "User 0" [ref=e7]
                - row [ref=e8]:
                  - cell [ref=e9]
                  - cell "User 1" [ref=e11]
            """)

    def test_presentation_is_no_node(self):
        self.assertShows("<ul role=presentation><li>a</li></ul><div role=none><button>b</button></div><img alt=''>", """
            - generic [active] [ref=e1]:
              - text: a
              - button "b" [ref=e2]
            """)

    def test_parts_of_drawings_and_shadow_trees(self):
        self.assertShows("<svg width=20 height=20><g><rect width=9 height=9 /></g></svg>"
                         "<x-card><template shadowrootmode=open><div><slot></slot></div><button>in</button></template><b>light</b></x-card>"
                         "<button>end</button>", """
            - generic [active] [ref=e1]:
              - generic [ref=e5]:
                - generic [ref=e6]: light
                - button "in" [ref=e7]
              - button "end" [ref=e8]
            """)

    def test_levels_that_are_not_shown_are_numbered(self):
        self.show("<ul><li><button>a</button><button>b</button></li></ul><button>end</button>")
        self.snapshot(depth=1)
        self.assertSnapshot("""
            - generic [active] [ref=e1]:
              - list [ref=e2]:
                - listitem [ref=e3]:
                  - button "a" [ref=e4]
                  - button "b" [ref=e5]
              - button "end" [ref=e6]
            """)
        self.assertNames("e5", "getByRole('button', { name: 'b' })")

    def test_locators_use_up_no_number(self):
        self.show("<button>a</button><p>b</p>")
        for target in ("button", "p", "text=b"):
            self.assertFalse(self.ask("browser_hover", target=target).is_error)
        self.ask("browser_run_code_unsafe", code="async page => { await (await page.$('p')).click(); await page.$$('button'); }")
        self.assertAfter("document.body.append(document.createElement('hr'))", """
            - generic [active] [ref=e1]:
              - button "a" [ref=e2]
              - paragraph [ref=e3]: b
              - separator [ref=e4]
            """)


class WhenRefsChange(RefsCase):
    def test_elements_keep_theirs(self):
        shown = """
            - generic [active] [ref=e1]:
              - button "a" [ref=e2]
              - button "b" [ref=e3]
            """
        self.assertShows("<button>a</button><button>b</button>", shown)
        self.assertSnapshot(shown)
        self.assertAfter("document.body.append(document.querySelector('button'))", """
            - generic [active] [ref=e1]:
              - button "b" [ref=e3]
              - button "a" [ref=e2]
            """)

    def test_another_name(self):
        self.assertShows("<h1>Click me</h1><button>x</button>", """
            - generic [active] [ref=e1]:
              - heading "Click me" [level=1] [ref=e2]
              - button "x" [ref=e3]
            """)
        self.assertAfter("document.querySelector('h1').textContent = 'Double clicked'", """
            - generic [active] [ref=e1]:
              - heading "Double clicked" [level=1] [ref=e4]
              - button "x" [ref=e3]
            """)
        self.assertUnknown("e2")
        self.assertNames("e4", "getByRole('heading', { name: 'Double clicked' })")
        self.assertAfter("document.querySelector('h1').textContent = 'Click me'", """
            - generic [active] [ref=e1]:
              - heading "Click me" [level=1] [ref=e5]
              - button "x" [ref=e3]
            """)

    def test_names_from_everywhere(self):
        self.show("<label for=f>Label</label><input id=f><img alt=One width=9 height=9><div id=t>Text</div>"
                  "<button aria-labelledby=t></button><a href=/x>to <b>there</b></a><fieldset><legend>Group</legend></fieldset>")
        self.assertSnapshot("""
            - generic [active] [ref=e1]:
              - text: Label
              - textbox "Label" [ref=e2]
              - img "One" [ref=e3]
              - generic [ref=e4]: Text
              - button "Text" [ref=e5]
              - link "to there" [ref=e6] [cursor=pointer]:
                - /url: /x
              - group "Group" [ref=e7]
            """)
        self.assertAfter("document.querySelector('label').textContent = 'Field'; document.querySelector('img').alt = 'Two';"
                         "t.textContent = 'Words'; document.querySelector('a b').setAttribute('aria-label', 'nowhere');"
                         "document.querySelector('legend').textContent = 'Others'", """
            - generic [active] [ref=e1]:
              - text: Field
              - textbox "Field" [ref=e9]
              - img "Two" [ref=e10]
              - generic [ref=e4]: Words
              - button "Words" [ref=e11]
              - link "to nowhere" [ref=e12] [cursor=pointer]:
                - /url: /x
                - text: to there
              - group "Others" [ref=e13]
            """)

    def test_a_row_is_named_by_its_cells(self):
        self.show("<table><tr><td>1</td><td><a href=/x>one</a></td></tr><tr><td>2</td><td>two</td></tr></table>")
        self.snapshot()
        self.assertAfter("document.querySelector('a').textContent = 'uno'", """
            - table [ref=e2]:
              - rowgroup [ref=e3]:
                - row [ref=e11]:
                  - cell "1" [ref=e5]
                  - cell [ref=e12]:
                    - link "uno" [ref=e13] [cursor=pointer]:
                      - /url: /x
                - row [ref=e8]:
                  - cell "2" [ref=e9]
                  - cell "two" [ref=e10]
            """)

    def test_titles_of_wrappers_are_names(self):
        self.show("<div title=first><p>a</p></div>")
        self.assertSnapshot("""
            - generic "first" [ref=e2]:
              - paragraph [ref=e3]: a
            """)
        self.assertAfter("document.querySelector('div').title = 'second'", """
            - generic "second" [ref=e4]:
              - paragraph [ref=e3]: a
            """)

    def test_another_role(self):
        self.assertShows("<p>x</p><div id=d>go</div>", """
            - generic [active] [ref=e1]:
              - paragraph [ref=e2]: x
              - generic [ref=e3]: go
            """)
        self.assertAfter("d.setAttribute('role', 'button')", """
            - generic [active] [ref=e1]:
              - paragraph [ref=e2]: x
              - button "go" [ref=e4]
            """)
        self.assertUnknown("e3")

    def test_states_and_values_change_nothing(self):
        self.show("<input type=checkbox aria-label=c><input aria-label=t><details><summary>s</summary>x</details>")
        self.snapshot()
        self.assertAfter("const [c, t] = document.querySelectorAll('input'); c.checked = true; t.value = 'v'; t.disabled = true;"
                         "document.querySelector('details').open = true", """
            - generic [active] [ref=e1]:
              - checkbox "c" [checked] [ref=e2]
              - textbox "t" [disabled] [ref=e3]: v
              - group [ref=e4]:
                - generic "s" [ref=e5]
                - text: x
            """)

    def test_a_page_that_renders_again(self):
        self.show("<main><ul><li>a</li><li>b</li></ul></main>")
        self.snapshot()
        self.assertAfter("const m = document.querySelector('main'); m.innerHTML = m.innerHTML", """
            - main [ref=e2]:
              - list [ref=e6]:
                - listitem [ref=e7]: a
                - listitem [ref=e8]: b
            """)
        self.assertUnknown("e4")

    def test_an_element_that_was_away(self):
        self.show("<button>a</button><button>b</button>")
        self.snapshot()
        self.assertAfter("window.kept = document.querySelector('button'); kept.remove()", '- button "b" [ref=e3]')
        self.assertUnknown("e2")
        self.assertAfter("document.body.append(kept)", """
            - generic [active] [ref=e1]:
              - button "b" [ref=e3]
              - button "a" [ref=e2]
            """)

    def test_an_element_that_was_hidden(self):
        self.show("<button>a</button><button>b</button>")
        self.snapshot()
        self.assertAfter("document.querySelector('button').hidden = true", '- button "b" [ref=e3]')
        self.assertUnknown("e2")
        self.run_script("document.querySelector('button').hidden = false")
        self.assertUnknown("e2")
        self.snapshot()
        self.assertNames("e2", "getByRole('button', { name: 'a' })")

    def test_the_snapshot_of_an_element_is_the_current_one(self):
        self.show("<ul><li>a</li><li>b</li></ul><button>c</button>")
        self.snapshot()
        self.assertSnapshot("""
            - list [ref=e2]:
              - listitem [ref=e3]: a
              - listitem [ref=e4]: b
            """, target="e2")
        self.assertUnknown("e5")
        self.snapshot()
        self.assertNames("e5", "getByRole('button', { name: 'c' })")
        self.run_script("document.querySelector('ul').setAttribute('aria-label', 'letters')")
        self.assertSnapshot("""
            - list "letters" [ref=e6]:
              - listitem [ref=e3]: a
              - listitem [ref=e4]: b
            """, target="e2")

    def test_find_takes_a_snapshot(self):
        self.show("<button>a</button>")
        self.snapshot()
        self.run_script("document.querySelector('button').textContent = 'b'")
        self.assertEqual(self.ask("browser_find", text="button").result, 'Found 1 match for "button":\n\n- button "b" [ref=e3]')
        self.run_script("document.querySelector('button').textContent = 'c'")
        self.assertEqual(self.ask("browser_find", text="nowhere").result, 'No matches found for "nowhere".')
        self.assertUnknown("e3")
        self.assertSnapshot('- button "c" [ref=e4]')


class WhatActionsDo(RefsCase):
    def test_the_snapshot_after_an_action_is_the_current_one(self):
        self.show("<button onclick='this.textContent += 1'>Go</button>")
        self.snapshot()
        self.assertEqual(self.ask("browser_click", target="e2").code, "await page.getByRole('button', { name: 'Go' }).click();")
        self.assertUnknown("e2")
        self.assertEqual(self.ask("browser_click", target="e3").code, "await page.getByRole('button', { name: 'Go1' }).click();")
        self.assertSnapshot('- button "Go11" [active] [ref=e4]')

    def test_a_name_that_changed_since_the_snapshot(self):
        self.show("<button>Go</button>")
        self.snapshot()
        self.run_script("document.querySelector('button').textContent = 'Went'")
        self.assertEqual(self.ask("browser_click", target="e2").code, "await page.getByRole('button', { name: 'Went' }).click();")
        self.assertSnapshot('- button "Went" [active] [ref=e3]')

    def test_every_tool_says_that_a_ref_is_unknown(self):
        self.show("<button>a</button>")
        self.snapshot()
        error = "Error: Ref e7 not found in the current page snapshot. Try capturing new snapshot."
        for tool, arguments in {
                "browser_click": {"target": "e7"}, "browser_hover": {"target": "e7"}, "browser_type": {"target": "e7", "text": "x"},
                "browser_evaluate": {"target": "e7", "function": "e => e.id"}, "browser_select_option": {"target": "e7", "values": ["x"]},
                "browser_snapshot": {"target": "e7"}, "browser_take_screenshot": {"target": "e7"},
                "browser_drag": {"startElement": "x", "startTarget": "e7", "endElement": "y", "endTarget": "e2"},
                "browser_fill_form": {"fields": [{"name": "x", "type": "textbox", "target": "e7", "value": "v"}]}}.items():
            with self.subTest(tool):
                self.assertEqual(self.ask(tool, **arguments).error, error)

    def test_names_that_are_no_refs(self):
        self.show("<button>a</button>")
        self.snapshot()
        self.assertUnknown("f0e2")
        self.assertUnknown("f7e2")
        for target in ("e", "e2x", "fe2"):
            self.assertEqual(self.ask("browser_hover", target=target).error, f'Error: "{target}" does not match any elements.')


class Documents(RefsCase):
    def test_each_document_of_the_page_has_a_prefix(self):
        self.assertShows("<button>a</button>", '- button "a" [ref=e2]')
        self.assertShows("<button>b</button>", '- button "b" [ref=f1e2]')
        self.assertUnknown("e2")
        self.ask("browser_navigate_back")
        self.assertSnapshot('- button "a" [ref=f2e2]')
        self.assertUnknown("f1e2")

    def test_a_document_that_loads_again(self):
        self.show("<button>a</button>")
        self.ask("browser_run_code_unsafe", code="async page => { await page.reload(); }")
        self.assertSnapshot('- button "a" [ref=f1e2]')

    def test_the_same_document(self):
        url = self.site.page("<button>a</button>")
        self.ask("browser_navigate", url=url)
        self.ask("browser_navigate", url=f"{url}#there")
        self.assertSnapshot('- button "a" [ref=e2]')
        self.run_script("history.pushState(0, '', '?then')")
        self.assertSnapshot('- button "a" [ref=e2]')

    def test_a_blank_page_uses_up_no_number(self):
        self.assertSnapshot("")
        self.run_script("document.body.innerHTML = '<button>blank</button>'")
        self.assertSnapshot('- button "blank" [ref=e2]')
        self.assertShows("<button>a</button>", '- button "a" [ref=e2]')
        self.ask("browser_navigate", url="about:blank")
        self.assertSnapshot("")
        self.assertShows("<button>b</button>", '- button "b" [ref=f1e2]')

    def test_the_page_of_an_error_uses_up_one(self):
        self.show("<button>a</button>")
        self.assertTrue(self.ask("browser_navigate", url="http://127.0.0.1:1/").is_error)
        self.assertShows("<button>b</button>", '- button "b" [ref=f2e2]')

    def test_a_redirect_is_one_document(self):
        final = self.site.page("<button>b</button>")
        self.show("<button>a</button>")
        self.ask("browser_navigate", url=self.site.page("", head=f"<script>location.replace('{final}')</script>"))
        self.ask("browser_wait_for", text="b")
        self.assertSnapshot('- button "b" [ref=f2e2]')

    def test_a_tab_has_numbers_of_its_own(self):
        self.show("<button>a</button>")
        self.show("<button>b</button>")
        self.ask("browser_tabs", action="new", url=self.site.page("<button>c</button>"))
        self.assertSnapshot('- button "c" [ref=e2]')
        self.ask("browser_tabs", action="close")
        self.assertSnapshot('- button "b" [ref=f1e2]')

    def test_a_popup_has_numbers_of_its_own(self):
        url = self.site.page("<button>opened</button>")
        self.show(f"<a href={url} target=_blank>open</a>")
        self.show(f"<a href={url} target=_blank>open</a>")
        self.snapshot()
        self.ask("browser_click", target="f1e2")
        count = len(re.findall("^- ", self.ask("browser_tabs", action="list").result, re.M))
        self.ask("browser_tabs", action="select", index=count - 1)
        self.ask("browser_wait_for", text="opened")
        self.assertSnapshot('- button "opened" [ref=e2]')
        self.ask("browser_tabs", action="close")


class Frames(RefsCase):
    def frame(self, body):
        return f"<iframe src={self.site.page(body)}></iframe>"

    def test_frames_count_in_the_order_in_which_they_attach(self):
        inner = self.frame("<button>inner</button>")
        self.assertShows(self.frame(f"<button>first</button>{inner}") + self.frame("<button>second</button>") + "<button>top</button>", """
            - generic [active] [ref=e1]:
              - iframe [ref=e2]:
                - generic [ref=f1e1]:
                  - button "first" [ref=f1e2]
                  - iframe [ref=f1e3]:
                    - button "inner" [ref=f3e2]
              - iframe [ref=e3]:
                - button "second" [ref=f2e2]
              - button "top" [ref=e4]
            """)
        outer = "locator('iframe').first().contentFrame()"
        self.assertNames("f1e2", f"{outer}.getByRole('button', {{ name: 'first' }})")
        self.assertNames("f3e2", f"{outer}.locator('iframe').contentFrame().getByRole('button', {{ name: 'inner' }})")
        self.assertNames("f2e2", "locator('iframe').nth(1).contentFrame().getByRole('button', { name: 'second' })")

    def test_a_frame_of_another_site(self):
        self.site.route("/other", "<button>other</button>")
        self.assertShows(f"<button>top</button><iframe src={self.site.url('/other', host='localhost')}></iframe>", """
            - generic [active] [ref=e1]:
              - button "top" [ref=e2]
              - iframe [ref=e3]:
                - button "other" [ref=f1e2]
            """)
        self.assertNames("f1e2", "locator('iframe').contentFrame().getByRole('button', { name: 'other' })")

    def test_the_numbers_go_on_in_the_next_document(self):
        body = self.frame("<button>in</button>") + self.frame("<button>in</button>")
        for first in (0, 3):
            prefix = f"f{first}" if first else ""
            self.assertShows(body, f"""
                - generic [active] [ref={prefix}e1]:
                  - iframe [ref={prefix}e2]:
                    - button "in" [ref=f{first + 1}e2]
                  - iframe [ref={prefix}e3]:
                    - button "in" [ref=f{first + 2}e2]
                """)

    def test_frames_that_show_nothing(self):
        self.assertShows("<iframe hidden></iframe><iframe style='width:0;height:0;border:0'></iframe><iframe></iframe>" +
                         self.frame("<button>in</button>").replace("<iframe", "<iframe style='pointer-events:none'"), """
            - generic [active] [ref=e1]:
              - iframe
              - iframe [ref=e2]
              - iframe [ref=e3]:
                - button "in" [ref=f4e2]
            """)

    def test_a_frame_keeps_its_number_when_it_navigates(self):
        other = self.site.page("<p>other</p><button>b</button>")
        self.show(self.frame("<button>a</button>") + self.frame("<button>c</button>"))
        self.snapshot()
        self.run_script(f"return new Promise(resolve => Object.assign(document.querySelector('iframe'), {{ onload: resolve, src: '{other}' }}))")
        self.assertSnapshot("""
            - generic [active] [ref=e1]:
              - iframe [ref=e2]:
                - generic [ref=f1e1]:
                  - paragraph [ref=f1e2]: other
                  - button "b" [ref=f1e3]
              - iframe [ref=e3]:
                - button "c" [ref=f2e2]
            """)
        self.assertNames("f1e3", "locator('iframe').first().contentFrame().getByRole('button', { name: 'b' })")

    def test_frames_that_come_and_go(self):
        url = self.site.page("<button>late</button>")
        self.show(self.frame("<button>a</button>"))
        self.snapshot()
        add = f"const f = document.createElement('iframe'); f.src = '{url}'; document.body.prepend(f); return new Promise(r => f.onload = r)"
        self.assertAfter(add, """
            - generic [active] [ref=e1]:
              - iframe [ref=e3]:
                - button "late" [ref=f2e2]
              - iframe [ref=e2]:
                - button "a" [ref=f1e2]
            """)
        self.run_script("document.querySelector('iframe').remove()")
        self.assertUnknown("f2e2")
        self.assertAfter(add, """
            - generic [active] [ref=e1]:
              - iframe [ref=e4]:
                - button "late" [ref=f3e2]
              - iframe [ref=e2]:
                - button "a" [ref=f1e2]
            """)

    def test_names_change_in_frames_too(self):
        self.show("<iframe srcdoc='<button>a</button>'></iframe><button>top</button>")
        self.snapshot()
        self.assertAfter("document.querySelector('iframe').contentDocument.querySelector('button').textContent = 'b'", """
            - generic [active] [ref=e1]:
              - iframe [ref=e2]:
                - button "b" [ref=f1e3]
              - button "top" [ref=e3]
            """)
        self.assertUnknown("f1e2")

    def test_the_snapshot_of_an_element_in_a_frame(self):
        self.show(self.frame("<ul><li>a</li></ul><button>b</button>"))
        self.snapshot()
        self.assertSnapshot("""
            - list [ref=f1e2]:
              - listitem [ref=f1e3]: a
            """, target="f1e2")
        self.assertUnknown("f1e4")
        self.assertNames("e2", "locator('iframe')")


class WithoutSnapshots(DropInCase):
    def test_actions_leave_refs_alone(self):
        client = self.serve("--snapshot-mode", "none")
        self.open(client, "<button onclick='this.textContent += 1'>Go</button>")
        self.assertEqual(self.call(client, "browser_snapshot").snapshot, '- button "Go" [ref=e2]')
        for name in ("Go", "Go1"):
            answer = self.call(client, "browser_click", target="e2")
            self.assertEqual(answer.code, f"await page.getByRole('button', {{ name: '{name}' }}).click();")
        self.assertEqual(self.call(client, "browser_snapshot").snapshot, '- button "Go11" [active] [ref=e3]')


if __name__ == "__main__":
    main()
