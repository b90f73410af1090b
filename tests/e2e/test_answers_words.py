"""What an agent that has read nothing but the list of tools needs answers and errors of the compact form to say."""
import pathlib
import re

from support.case import main
from support.client import Client
from support.compact import CompactCase, cursors, ref_of, size

ROWS = """<h1>Invoices</h1><table id=t></table><script>for (let i = 0; i < 1000; i++)
    t.insertRow().innerHTML = `<td><a href="/i/${i}">INV-${i}</a><td><button onclick="this.textContent = 'Done'">Approve</button>`</script>"""
FIELDS = """<main><label>Name <input id=name></label><select id=size aria-label=Size><option value=s>Small<option value=m>Medium</select>
    <label><input type=checkbox id=gift> A gift</label><label><input type=radio name=r id=air> Air</label>
    <input type=range id=much aria-label=Much min=0 max=10><span role=switch aria-checked=false id=switch aria-label=On tabindex=0
    onclick="this.setAttribute('aria-checked', 'true')">on</span><button>Send</button></main>"""


class Revisions(CompactCase):
    def test_what_a_cursor_shows_is_of_another_time(self):
        first = re.match(r"r\d+", self.show(ROWS))[0]
        cursor = cursors(self.view())[0]
        self.assertNotIn("as of", self.view(cursor=cursor))
        now = re.match(r"r\d+", self.click("tr:nth-child(1) button"))[0]
        self.assertNotEqual(first, now)
        rest = self.view(cursor=cursor)
        self.assertTrue(rest.startswith(f"as of {first}; the page is now {now}\n"), rest[:100])
        self.assertTrue(self.view(cursor=cursors(rest)[0]).startswith(f"as of {first}; the page is now {now}\n"))

    def test_texts_and_matches_are_of_their_time_too(self):
        self.show("<main>" + "".join(f"<p>Paragraph {n} of a long text. <button id=b{n}>Word</button></p>" for n in range(400)) + "</main>")
        text, found = self.ask("browser_read"), self.ask("browser_find", text="paragraph")
        self.ask("browser_evaluate", function="() => { document.querySelector('button').textContent = 'Changed' }")
        self.view()
        for answer in (text, found):
            self.assertRegex(self.view(cursor=cursors(answer)[-1]), r"^as of r\d+; the page is now r\d+\n")

    def test_the_same_page_is_the_same_revision(self):
        first = re.match(r"r\d+", self.show(FIELDS))[0]
        changed = re.match(r"r\d+", self.ask("browser_type", target="#name", text="Ada"))[0]
        for answer in (self.view(), self.view(since=first), self.view(since=first), self.view()):
            self.assertTrue(answer.startswith(changed), answer)
        self.assertEqual(self.view(since=changed), f"Nothing changed since {changed}.")
        self.assertRegex(self.view(since=first), f"^{changed}, changed since {first}:\n")

    def test_what_since_has_to_be(self):
        seen = re.match(r"r\d+", self.show(FIELDS))[0]
        for wrong in ("5", "x", "r", "r1x", "r-1", "r0", "r99999999999999999999"):
            self.assertRegex(self.view(since=wrong), f"^Error: since: {wrong} is no revision, which is written as in an answer, r5; "
                                                     rf"kept of this tab: {seen}(, r\d+)*\. Without since you get the whole page$")
        self.assertRegex(self.view(since="r90000"), rf"^Error: since: r90000 was never shown; kept of this tab: {seen}\b")
        for n in range(6):
            self.ask("browser_type", target="#name", text=str(n))
        self.assertRegex(self.view(since=seen), rf"^Error: since: {seen} is not kept any more, or is of another tab; kept of this tab: "
                                                r"r\d+, r\d+, r\d+, r\d+\. Without")

    def test_only_the_focus(self):
        view = self.show(FIELDS)
        send, name = ref_of(view, 'button "Send"'), ref_of(view, 'textbox "Name"')
        self.assertRegex(self.click(send), rf'^r\d+, changed since r\d+: only the focus, now on button "Send" {send}$')
        self.assertRegex(self.click(send), r"^Nothing changed since r\d+\.$")
        self.assertRegex(self.click(name), rf'^r\d+, changed since r\d+: only the focus, now on textbox "Name" {name}$')
        self.assertIn(f'textbox "Name" {name} active', self.view())

    def test_the_focus_in_a_row_of_several_parts(self):
        self.show(ROWS.replace("this.textContent = 'Done'", ""))
        self.assertRegex(self.click("tr:nth-child(1) button"), r'^r\d+, changed since r\d+: only the focus, now on button "Approve" e\d+$')

    def test_a_word_of_the_page_is_no_focus(self):
        self.show("""<button id=b onclick="s.textContent = s.textContent === 'Ada active' ? 'Ada' : 'Ada active'">Change</button>
            <table><tr><td id=s>Ada active<td><a href=/>one</a></table>""")
        self.click("#b")
        self.assertRegex(self.click("#b"), r"\n~ Ada active \| link")
        self.assertRegex(self.click("#b"), r"\n~ Ada \| link")


class Room(CompactCase):
    def test_how_to_get_at_a_text_below_headings(self):
        view = self.show("<main>" + "".join(f"<h2>Chapter {n}</h2><p>{'text ' * 400}</p>" for n in range(12)) + "</main>")
        self.assertRegex(view, r"… [\d,]+ bytes below these headings: browser_read a section, or cursor c\d+$")
        self.assertIn("text text", self.ask("browser_read", section="Chapter 3"))

    def test_no_line_is_cut_before_its_ref(self):
        long = "A long name of a link that goes on and on " * 5
        self.show("<main>" + "".join(f"<p><a href=/{n}>{n} {long}</a></p>" for n in range(40)) +
                  f"<table><tr><td><a href=/x>{long}</a><td>text<td><button>{long}</button></table></main>")
        for budget in (200, 300, 600, 1000):
            for view in [self.view(budget=budget), *(self.view(cursor=c, budget=budget) for c in cursors(self.view(budget=budget)))]:
                for line in view.split("\n"):
                    for part in re.findall(r'(?:link|button) "(?:[^"\\]|\\.)*"?[^|]*', line):
                        self.assertRegex(part, r'"\s?(?:f\d+)?e\d+', line)

    def test_the_main_content_comes_first(self):
        links = "".join(f"<a href=/{n}>A link of the site number {n}</a> " for n in range(40))
        self.show(f"<header><nav>{links}</nav></header><main><h1>Articles</h1>" + "".join(
            f"<section aria-label='Part {n}'><p>Paragraph {n} of the article <a href=/p{n}>more</a></p></section>" for n in range(20)) +
            f"</main><footer>{links}</footer>")
        view = self.view(budget=2600)
        self.assertIn("Paragraph 19", view)
        self.assertRegex(view, r"(?s)banner.*cursor c\d+.*main.*contentinfo.*cursor c\d+")
        self.assertIn("A link of the site number 39", "".join(self.follow(view)))


class Headings(CompactCase):
    def test_links_of_headings_to_themselves(self):
        """The heading has their ref, so that nothing can be done less."""
        view = self.show("""<main><h1>Guide</h1><section id=part><h2>Install <a href="#part" aria-label="Link to Install">#</a></h2><p>How to.</p></section>
            <div><h2 id=use>Use</h2><a href="#use" aria-label="Permalink to Use" onclick="said.textContent = 'Copied'">¶</a></div><p>Like this.</p>
            <h2 id=all><a href="#all">All options</a></h2><p>They are many.</p>
            <h2 id=more>More</h2><a href="#elsewhere">A chapter that is elsewhere</a>
            <h2 id=last>Last <a href="/other#last">Another page</a></h2><p id=said></p></main>""")
        for heading in ("Install", "Use", "All options"):
            self.assertRegex(view, rf'(?m)^ *h2 "{heading}" e\d+( \||$)')
        self.assertNotRegex(view, r'link "(Link to|Permalink|All options)')
        self.assertRegex(view, r'h2 "More" \| link "A chapter that is elsewhere" e\d+|link "A chapter that is elsewhere" e\d+')
        self.assertIn('link "Another page"', view)
        self.assertIn("Copied", self.click(ref_of(view, 'h2 "Use"')))
        self.assertIn("How to.", self.ask("browser_read", section="Install"))

    def test_a_link_that_leads_past_the_page_stays(self):
        self.assertIn('link "Skip to content" e', self.show("<a href='#main'>Skip to content</a><main id=main><h1>News</h1><p>Text</p></main>"))


class Arguments(CompactCase):
    client_class = Client

    def test_unknown_ones(self):
        self.show(FIELDS)
        answer = self.ask("browser_click", ref="e5")
        self.assertIn("There is no such argument; this tool takes: element, target, ", answer)
        self.assertIn("→ at ref", answer)
        for tool in ("browser_snapshot", "browser_tabs", "browser_read", "browser_fill_form"):
            self.assertRegex(self.ask(tool, nonsense=1), r"(?s)^Error: .*no such argument.*at nonsense")
        self.assertIn("no such argument", self.ask("browser_batch", steps=[{"tool": "browser_click", "target": "#name", "ref": "e5"}]))

    def test_the_other_name_ignores_them_as_the_reference_does(self):
        client = self.start("playwright-mcp", "--headless", "--isolated", "--no-sandbox", "--timeout-action", "1000")
        self.assertNotIn("Error", client.ask("browser_navigate", url=self.site.page(FIELDS), nonsense=1))
        answer = client.ask("browser_select_option", target="#size", values=["Large"])
        self.assertIn("TimeoutError: browserBackend.callTool: Timeout 1000ms exceeded.", answer)
        self.assertIn("- did not find some options", answer)

    def test_steps_in_both_forms(self):
        self.show(FIELDS)
        answer = self.ask("browser_batch", steps=[
            {"tool": "browser_type", "arguments": {"target": "#name", "text": "Ada"}, "expect": "Send"},
            {"tool": "browser_select_option", "target": "#size", "values": ["m"]}])
        self.assertRegex(answer, r"^1 to 2 ok\n")
        self.assertIn(": Ada", answer)
        mixed = self.ask("browser_batch", steps=[{"tool": "browser_type", "target": "#name", "arguments": {"text": "Grace"}}])
        self.assertRegex(mixed, r'step 1: has arguments in "arguments" and beside it')
        self.assertIn(": Ada", self.view())
        self.assertIn("no such argument", self.ask("browser_batch", steps=[{"tool": "browser_click", "arguments": "#name"}]))

    def test_keys_by_the_names_that_models_have_for_them(self):
        self.show("<p id=out></p><script>onkeydown = e => { out.textContent += `${e.ctrlKey ? 'C-' : ''}${e.key} `; e.preventDefault() }</script>")
        for key in ("Ctrl+K", "esc", "Return", "Del", "Cmd+k", "Spacebar", "Left"):
            self.ask("browser_press_key", key=key)
        self.assertIn("C-Control C-k Escape Enter Delete C-Control C-k ArrowLeft", re.sub(" +", " ", self.view()))
        self.assertEqual(self.ask("browser_press_key", key="Ctrl-K"), 'Error: Unknown key: "Ctrl-K"; keys are named as in "a", "Enter", '
                         '"ArrowLeft", "F5" and "Control+Shift+K"')

    def test_fields_by_their_targets(self):
        self.show(FIELDS)
        answer = self.ask("browser_fill_form", fields=[
            {"target": "#name", "value": "Ada"}, {"target": "#size", "value": "Medium"}, {"target": "#gift", "value": "true"},
            {"target": "#air", "value": "true"}, {"target": "#much", "value": "7"}, {"target": "#switch", "value": "true"}])
        for part in (": Ada", "Medium selected", 'checkbox "A gift"', 'radio "Air"', ": 7", 'switch "On"'):
            self.assertIn(part, answer)
        self.assertEqual(len(re.findall(r" checked\b", answer)), 3, answer)
        self.assertRegex(self.ask("browser_fill_form", fields=[{"target": "#name", "type": "other", "value": "x"}]), "Invalid option: expected one of")
        self.assertRegex(self.ask("browser_fill_form", fields=[{"target": "#name"}]), "(?s)expected string, received undefined.*value")

    def test_options_that_are_not_there(self):
        self.show(FIELDS)
        answer = self.ask("browser_select_option", target="#size", values=["Large"])
        self.assertRegex(answer, r'^Error: <select .*> has no option "Large"\. It has: "Small", "Medium"\n')
        self.show("<select id=size>" + "".join(f"<option>{n} {'long ' * 30}" for n in range(500)) + "</select>")
        answer = self.ask("browser_select_option", target="#size", values=["Large"])
        self.assertIn("480 more", answer)
        self.assertLessEqual(size(answer), 2500)

    def test_an_option_that_a_script_adds(self):
        self.show("""<select id=size><option>Small</select><button onclick="setTimeout(() => size.add(new Option('Large')), 100)">Add</button>""")
        self.ask("browser_evaluate", function="() => { setTimeout(() => size.add(new Option('Large')), 100) }")
        self.assertIn("Large selected", self.ask("browser_select_option", target="#size", values=["Large"]))

    def test_refs_that_mean_nothing(self):
        self.show("<main>" + "".join(f"<button id=b{n}>Button {n}</button>" for n in range(30)) + "</main>")
        view = self.view()
        last, revision = ref_of(view, 'button "Button 29"'), re.match(r"r\d+", view)[0]
        self.ask("browser_evaluate", function="() => b29.remove()")
        self.assertRegex(self.click(last), rf"^Error: Ref {last}: its element was removed from the page\. ")
        self.show("<button>One</button>")
        self.assertRegex(self.click(last), rf"^Error: Ref {last} was on the page of {revision}, which has been left\. ")
        for invented in ("e4711", "f7e5"):
            self.assertRegex(self.click(invented), rf"^Error: Ref {invented}: there is no such ref on this page, nor in the last views of the tab\. ")


class Rest(CompactCase):
    client_class = Client

    def test_no_page(self):
        answer = self.start(*self.args).ask("browser_find", text="x")
        self.assertEqual(answer, 'No match for "x": the page is empty')

    def test_the_list_says_what_notes_name(self):
        self.show("<img src=/a.png>")
        self.assertIn("static", self.ask("browser_network_requests"))
        self.assertIn("static", self.client.list_tools()["browser_network_requests"]["inputSchema"]["properties"])

    def test_names_of_controls_are_found(self):
        self.show("""<main><table><tr><th>No<th>Do<tr><td>INV-1<td><button aria-label="Delete invoice">x</button><tr><td>INV-2<td>none</table>
            <ul><li>First <div><input placeholder=Search aria-label="Search here"></div><li>Second</ul></main>""")
        answer = self.ask("browser_read", filter="delete")
        self.assertIn("INV-1", answer)
        self.assertNotIn("INV-2", answer)
        self.assertRegex(self.ask("browser_read", filter="search here"), r"(?s)- First.*\n```")

    def test_a_picture_leaves_no_file(self):
        self.show(FIELDS)
        before = set(pathlib.Path(self.folder).rglob("*"))
        for arguments in ({}, {"target": "#name"}, {"fullPage": True}):
            self.ask("browser_take_screenshot", **arguments)
        self.assertEqual(set(pathlib.Path(self.folder).rglob("*")) - before, set())
        self.ask("browser_take_screenshot", target="#name", filename=f"{self.folder}/name.png")
        self.assertEqual([path.name for path in set(pathlib.Path(self.folder).rglob("*")) - before if path.is_file()], ["name.png"])


if __name__ == "__main__":
    main()
