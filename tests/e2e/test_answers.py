"""Views of pages in the compact form, and what actions answer: the difference to what the client has seen last."""
import pathlib
import re

from support.case import main
from support.client import Client
from support.compact import VIEW, CompactCase, cursors, ref_of, refs, size
from support.over_http import OverHttp

FORM = """<header><a href=/home>Acme</a></header><main><h1>Order</h1><label>Name <input id=name placeholder="first name"></label>
<label>Size <select id=size><option>S<option>M<option>L</select></label><label><input type=checkbox id=gift> A gift</label>
<label>Note <textarea id=note></textarea></label><button id=send onclick="said.textContent = 'Sent ' + name_of()">Send</button><p id=said></p>
<p>You can change it later.</p></main><script>const name_of = () => document.getElementById('name').value</script>"""

TABLE = """<h1>Invoices</h1><table id=t><tr><th>No<th>Customer<th>State<th>Actions</table><script>
for (let i = 0; i < 1000; i++) {
    const row = t.insertRow(), number = 'INV-' + String(i).padStart(4, '0');
    row.innerHTML = `<td><a href="/i/${number}">${number}</a><td>Globex<td>open<td><button>Approve</button><button>Delete</button>`;
    row.querySelector('button').onclick = () => { row.cells[2].textContent = 'approved' };
    row.querySelectorAll('button')[1].onclick = () => row.remove();
}</script>"""


class Views(CompactCase):
    def test_navigate_answers_with_the_page(self):
        url = self.site.page(FORM, title='A "title" | with: signs')
        answer = self.ask("browser_navigate", url=url)
        first, _, view = answer.partition("\n")
        self.assertRegex(first, r"^r\d+ " + re.escape(url) + r' "A \\"title\\" \| with: signs"$')
        self.assertEqual(re.sub(r" e\d+", "", view), "\n".join((
            "banner", ' link "Acme"', "main", ' h1 "Order"', ' textbox "Name" placeholder="first name"', ' combobox "Size": S selected | M | L',
            ' checkbox "A gift" | textbox "Note" | button "Send" | You can change it later.')))

    def test_a_snapshot_is_the_whole_page_again(self):
        self.show(FORM)
        self.ask("browser_type", target="#name", text="Ada")
        view = self.view()
        self.assertRegex(view, r'^r\d+ http://\S+ "test"\nbanner')
        self.assertIn('textbox "Name"', view)
        self.assertIn('placeholder="first name": Ada\n', view)

    def test_revisions_grow(self):
        numbers = [int(re.match(r"r(\d+)[ ,]", answer)[1]) for answer in (
            self.show(FORM), self.ask("browser_type", target="#name", text="x"), self.view(), self.click("#gift"), self.show("<p>other"))]
        self.assertEqual([number - numbers[0] for number in numbers], [0, 1, 1, 2, 3])

    def test_depth_urls_boxes_and_parts(self):
        self.show(FORM)
        self.assertEqual(re.sub(r" e\d+", "", self.view(depth=1)).partition("\n")[2], "banner\nmain")
        self.assertIn(" -> /home", self.view(urls=True))
        self.assertNotIn(" -> /home", self.view())
        self.assertRegex(self.view(boxes=True), r'button "Send" e\d+ box=\d+,\d+,\d+,\d+')
        part = self.view(target="header")
        self.assertIn('link "Acme"', part)
        self.assertNotIn("Order", part)

    def test_views_of_another_kind_are_nothing_to_compare_with(self):
        """A part of the page, or one with boxes, would differ from what actions answer in every line."""
        seen = re.match(r"r\d+", self.show(FORM))[0]
        for arguments in ({"depth": 1}, {"urls": True}, {"boxes": True}, {"target": "main"}):
            with self.subTest(**arguments):
                self.view(**arguments)
                self.assertEqual(self.click("h1"), f"Nothing changed since {seen}.")
        self.assertRegex(self.view(since=seen, depth=1), "^Error: since: .*depth")

    def test_a_budget(self):
        self.show(TABLE)
        for budget in (200, 300, 1000, 2000, 8000):
            view = self.view(budget=budget)
            self.assertLessEqual(size(view.partition("\n")[2]), budget + 100)
            self.assertTrue(cursors(view), view)
        self.assertGreater(self.view(budget=8000).count("INV-"), 2 * self.view().count("INV-"))
        for budget in (199, 9001, 0, -1):
            self.assertRegex(self.view(budget=budget), "(?s)^Error: .*budget")

    def test_an_empty_page(self):
        self.assertRegex(self.show("<!-- -->"), r'^r\d+ \S+ "test"\nThe page is empty.$')

    def test_texts_of_the_page_itself(self):
        """They are in no element but the body; a long page looks at what is in the viewport."""
        view = self.show("<br>".join(f"<button>{n}</button> a text of the page itself, which has some words and the number {n}" for n in range(100)))
        self.assertIn('button "0"', view)


class Differences(CompactCase):
    def change(self, function):
        return self.ask("browser_evaluate", function=function)

    def test_nothing(self):
        seen = re.match(r"r\d+", self.show(FORM))[0]
        answer = self.click("h1")
        self.assertEqual(answer, f"Nothing changed since {seen}.")
        self.assertLessEqual(size(answer), 60)
        self.assertEqual(self.click("h1"), answer)

    def test_values(self):
        view = self.show(FORM)
        name = ref_of(view, 'textbox "Name"')
        answer = self.ask("browser_type", target=name, text="Ada | Lovelace: e5")
        self.assertIn(f'~ textbox "Name" {name} active placeholder="first name": "Ada | Lovelace: e5"', answer)
        self.assertIn("S | M selected | L", self.ask("browser_select_option", target="#size", values=["M"]))
        self.assertRegex(self.click("#gift"), r'~ checkbox "A gift" e\d+ checked active')
        self.assertRegex(self.ask("browser_type", target="#note", text="one\ntwo"), r'~ textbox "Note" e\d+ active: (one two|"one\\ntwo")')
        answer = self.click("#send")
        self.assertRegex(answer, r'in main e\d+, after e\d+\n\+ "Sent Ada \| Lovelace: e5"')
        form = self.ask("browser_fill_form", fields=[{"name": "n", "type": "textbox", "target": name, "value": "Grace"},
                                                     {"name": "s", "type": "combobox", "target": "#size", "value": "L"}])
        self.assertIn(": Grace", form)
        self.assertIn("L selected", form)

    def test_one_row_of_a_thousand(self):
        self.show(TABLE)
        answer = self.click("tr:nth-child(500) button:first-child")
        self.assertRegex(answer, r'^r\d+, changed since r\d+:\nin table e\d+\n~ link "INV-0498" e\d+ \| Globex \| approved \| '
                                 r'button "Approve" e\d+ active, button "Delete" e\d+$')
        self.assertLessEqual(size(answer), 200)
        gone = self.click("tr:nth-child(500) button:last-child")
        self.assertRegex(gone, r'^r\d+, changed since r\d+:\nin table e\d+\n- link "INV-0498" e\d+ \| Globex')
        self.assertLessEqual(size(gone), 200)

    def test_a_dialog_opens_and_closes(self):
        self.show("""<main><button onclick="d.showModal()">New event</button><p>Calendar</p></main>
            <dialog id=d aria-label="New event"><label>Title <input></label><button onclick="d.close()">Cancel</button></dialog>""")
        opened = self.click("text=New event")
        self.assertRegex(opened, r'\nin the page\n\+ dialog "New event" e\d+: textbox "Title" e\d+ active \| button "Cancel" e\d+'
                                 r'|\+ dialog "New event" e\d+\n\+  textbox "Title" e\d+ active \| button "Cancel" e\d+')
        closed = self.click("text=Cancel")
        self.assertRegex(closed, r'\n- dialog "New event" e\d+')
        self.assertNotIn("Title", closed)
        self.assertLessEqual(size(closed), 200)

    def test_a_list_that_is_written_again(self):
        self.show("""<button id=b>again</button><ul id=plain></ul><ul id=linked></ul><script>
            const write = () => { plain.innerHTML = linked.innerHTML = '';
                for (let i = 0; i < 30; i++) { plain.innerHTML += `<li>plain ${i} <b>bold</b>`; linked.innerHTML += `<li><a href=/${i}>link ${i}</a> and text` } };
            write(); b.onclick = write</script>""")
        answer = self.click("#b")
        self.assertNotIn("plain", answer)
        lines = [line for line in answer.split("\n")[1:] if line[:1] in "+-"]
        self.assertEqual(lines, [], answer)

    def test_what_vanished_is_named(self):
        self.show("""<button onclick="l.remove()">all of it</button><button onclick="for (const n of [5, 4, 3]) l.children[n].remove()">three</button>
            <button onclick="l.firstChild.remove()">first</button><main aria-label=Basket><ul id=l></ul><p>Total</p></main><script>
            for (let i = 0; i < 20; i++) l.innerHTML += `<li>entry ${i} <button>x</button> and something to make it long`</script>""")
        self.assertRegex(self.click("text=first"), r"\n- entry 0 \| button \"x\" e\d+")
        self.assertRegex(self.click("text=three"), r"\n- 3 items: entry 4 \| .* to entry 6 \| ")
        self.assertRegex(self.click("text=all of it"), r'in main "Basket" e\d+\n- list')

    def test_rows_that_moved(self):
        self.show("""<button onclick="l.prepend(l.lastElementChild)">up</button><ul id=l></ul><script>
            for (let i = 0; i < 20; i++) l.innerHTML += `<li>this is the entry ${i} <a href=/>open ${i}</a>`</script>""")
        answer = self.click("text=up")
        self.assertRegex(answer, r", first\n~ this is the entry 19 \| link")
        self.assertNotIn("entry 1 ", answer)

    def test_a_new_wrapper_is_no_news_of_its_own(self):
        """Groups that say nothing are left out, so what is in them stays where it was."""
        self.show("""<button id=b>wrap</button><p id=q>text <a href=/>link</a></p><script>
            b.onclick = () => { const div = document.createElement('div'), p = document.querySelector('#q'); p.replaceWith(div); div.append(p) }</script>""")
        self.assertNotRegex(self.click("#b"), r"\n[+-] ")

    def test_since(self):
        first = re.match(r"r\d+", self.show(FORM))[0]
        self.ask("browser_type", target="#name", text="Ada")
        self.click("#gift")
        answer = self.view(since=first)
        self.assertRegex(answer, rf"^r\d+, changed since {first}:\n")
        self.assertIn(": Ada", answer)
        self.assertIn("checked", answer)
        for wrong in ("r99", "r0", "5", "x", "r", "r1x", "r-1", "r99999999999999999999"):
            with self.subTest(wrong):
                self.assertRegex(self.view(since=wrong), "^Error: since: ")

    def test_a_large_change_is_a_view(self):
        self.show("""<button onclick="for (let i = 0; i < 200; i++) document.body.innerHTML += `<p><a href=/${i}>another link ${i}</a>`">more</button>""")
        answer = self.click("text=more")
        self.assertRegex(answer, r'^r\d+ http://\S+ "test"\n')
        self.assertLessEqual(size(answer), VIEW)

    def test_refs_of_a_difference_work(self):
        self.show("""<button onclick="p.innerHTML = '<button onclick=&quot;q.textContent = 42&quot;>new one</button>'">make</button><p id=p></p><p id=q></p>""")
        answer = self.click("text=make")
        self.assertIn("+ 42", self.click(ref_of(answer, 'button "new one"')))

    def test_another_tool_does_not_lose_a_change(self):
        """What happened under a tool that shows no page is in the next difference."""
        self.show(FORM)
        self.ask("browser_find", text="Order")
        self.ask("browser_console_messages")
        self.ask("browser_take_screenshot")
        self.change("() => { said.textContent = 'unseen' }")
        self.assertIn("unseen", self.click("h1") + self.view())


class Clocks(CompactCase):
    CLOCK = """<h1>Dashboard</h1><p>Time: <span id=clock>0</span></p><button id=b onclick="said.textContent = 'pressed'">Press</button><p id=said></p>
        <p id=n hidden></p><script>let n = 0; setInterval(() => { clock.textContent = new Date().toISOString(); n++; if (n > 12) { document.title = 'known' } }, 300)</script>"""
    BOARD = """<h1>Cluster</h1><main></main><p id=said></p><button id=b onclick="said.textContent = 'pressed'">Press</button><script>
        const main = document.querySelector('main');
        for (let i = 0; i < 12; i++) main.innerHTML += `<section aria-label="Metric ${i}"><h3>Metric ${i}</h3><p><b class=v>0</b> of 100</p></section>`;
        let n = 0; setInterval(() => { n++; document.querySelectorAll('.v').forEach((each, i) => each.textContent = (n * 7 + i) % 100);
            if (n > 12) document.title = 'known' }, 300)</script>"""

    def known(self, body):
        """Shows a page and waits until it has ticked often enough to be known for it."""
        self.show(body)
        self.ask("browser_wait_for", time=6)
        return self.view()

    def test_a_clock(self):
        self.known(self.CLOCK)
        answer = self.click("#b")
        self.assertIn("+ pressed", answer)
        self.assertNotIn("Time", answer)

    def test_a_busy_dashboard(self):
        self.known(self.BOARD)
        self.ask("browser_evaluate", function="() => new Promise(done => { const old = n; setInterval(() => n > old && done(), 50) })")
        answer = self.click("#b")
        self.assertIn("pressed", answer)
        self.assertLessEqual(size(answer), 400)
        self.assertRegex(answer, r"\n\(\d+ lines that change by themselves left out\)")
        revision = re.search(r"since (r\d+)", answer)[1]
        shown = self.view(since=revision)
        self.assertIn("of 100", shown)
        self.assertNotIn("left out", shown)


class Places(CompactCase):
    """What the last action was for, and the focus, are in a view however little of the page is in it."""

    def test_the_row_of_the_action(self):
        self.show(TABLE)
        answer = self.click("tr:nth-child(700) button:first-child")
        self.assertIn("INV-0698", answer)
        self.assertIn("INV-0698", self.view())
        self.assertIn("INV-0698", self.view(budget=400))
        self.assertLessEqual(size(self.view()), VIEW)

    def test_the_focus(self):
        self.show("<main>" + "".join(f"<section aria-label='Part {n}'><h2>Part {n}</h2><p>{'text ' * 60}</p><input aria-label='Field {n}'></section>"
                                     for n in range(40)) + "</main>")
        self.ask("browser_evaluate", function="() => document.querySelectorAll('input')[33].focus()")
        view = self.view()
        self.assertRegex(view, r'textbox "Field 33" e\d+ active')
        self.assertLessEqual(size(view), VIEW)

    def test_a_dialog_comes_first(self):
        view = self.show("<main>" + "".join(f"<p>{n} <a href=/>{'some text of a page ' * 8}</a></p>" for n in range(300)) +
                         "</main><div role=alert>Payment failed</div><div role=dialog aria-label=Cookies><button>Accept</button></div>")
        self.assertIn("Payment failed", view)
        self.assertIn('button "Accept"', view)


class Files(CompactCase):
    client_class = Client  # over HTTP each owner has a folder of its own

    def test_a_file_has_all_of_it(self):
        self.show(TABLE)
        answer = self.view(filename=f"{self.folder}/invoices.txt")
        self.assertRegex(answer, "^saved .*invoices.txt$")
        text = pathlib.Path(self.folder, "invoices.txt").read_text("utf-8")
        self.assertEqual(len(re.findall(r"INV-\d{4}", text)), 1000)
        self.assertEqual(cursors(text), [])


class Forms(CompactCase):
    def test_the_form_is_an_option(self):
        url = self.site.page("<main><p>Text</p><button>Send</button></main>")
        compact, old = (self.start("--answers", form).ask("browser_navigate", url=url) for form in ("compact", "playwright"))
        self.assertIn('main e2\n Text | button "Send" e4', compact)
        self.assertIn('- main [ref=e2]:\n  - paragraph [ref=e3]: Text\n  - button "Send" [ref=e4]', old)


class OverHttpToo(CompactCase):
    client_class = OverHttp

    def test_views_differences_and_cursors(self):
        view = self.show(TABLE)
        self.assertRegex(view, r"… \d+ more rows, cursor c\d+$")
        self.assertIn("INV-0700", self.view(cursor=cursors(view)[0] + "+650"))
        answer = self.click("tr:nth-child(500) button:first-child")
        self.assertIn("| approved |", answer)
        self.assertEqual(len(set(refs(answer))), 4)


if __name__ == "__main__":
    main()
