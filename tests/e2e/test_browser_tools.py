"""browser_* tools: their own session, tabs, frames, dialogs, files, and how they answer."""
import pathlib
import re

from support.case import SharedCase, main
from support.engine import ENGINE, by_engine


class Answers:
    """Calls tools and gives the text of the answer."""

    def __init__(self, client, **more):
        self.client = client
        self.more = more

    def __getattr__(self, name):
        return lambda **arguments: self.ask("browser_" + name, arguments)

    def ask(self, tool, arguments):
        return self.client.ask(tool, **self.more, **arguments)


class BrowserTools(SharedCase):
    keeps_session = True

    def browser(self, *args):
        return Answers(self.start("--output-dir", self.folder, *args) if args else self.client)

    def test_what_cannot_be_clicked_gets_no_press_and_nothing_else_does(self):
        browser = self.browser("--timeout-action", "200")
        for name, body in (("covered", "<button>x</button><div style='position:fixed;inset:0'></div>"),
                           ("hidden", "<button style='visibility:hidden'>x</button>"), ("disabled", "<button disabled>x</button>"),
                           ("missing", "")):
            browser.navigate(url=self.site.page(body + "<script>seen = []; for (const type of ['mousedown', 'mouseup', "
                                                "'click']) addEventListener(type, e => seen.push(type), true)</script>"))
            for target in ("button", "text=x"):
                self.assertIn("### Error", browser.click(target=target), name)
            self.assertIn("### Result\n[]", browser.evaluate(function="() => seen"), name)

    def test_without_a_session_the_client_has_its_own(self):
        browser = Answers(self.start())
        self.assertIn("- Page Title: test", browser.navigate(url=self.site.page("<p>here")))
        self.assertEqual(browser.client.call("list_sessions")["count"], 1)
        named = Answers(browser.client, sessionId=browser.client.call("create_session")["sessionId"])
        self.assertIn("about:blank", named.snapshot())
        self.assertIn("paragraph", browser.snapshot())

    def test_closing_empties_the_session(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<script>document.cookie = 'a=1'</script>"))
        self.assertIn("No open tabs", browser.close())
        self.assertIn("- Page URL: about:blank", browser.snapshot())
        browser.navigate(url=self.site.page("<p>again"))
        self.assertIn('### Result\n""', browser.evaluate(function="() => document.cookie"))

    def test_frames_of_another_site(self):
        inner = self.site.page("<button onclick=\"this.textContent = 'pressed'\">go</button><input aria-label=field>")
        middle = self.site.page(f"<iframe style='margin: 30px; border: 7px solid' src='{inner}'></iframe>").replace(
            "127.0.0.1", "localhost")
        browser = self.browser()
        browser.navigate(url=self.site.page(f"<p style='height: 1500px'>tall</p><iframe src='{middle}' height=300></iframe>"))
        snapshot = browser.snapshot()
        button = re.search(r'button "go" \[ref=(f\d+e\d+)\]', snapshot)[1]
        field = re.search(r'textbox "field" \[ref=(f\d+e\d+)\]', snapshot)[1]
        answer = browser.click(target=button)
        self.assertIn("page.locator('iframe').contentFrame().locator('iframe').contentFrame().getByRole('button', "
                      "{ name: 'go' }).click();", answer)
        browser.type(target=field, text="words")
        self.assertRegex(browser.snapshot(), r'(?s)button "pressed".*textbox "field" \[active\] \[ref=\w+\]: words')
        self.assertIn('"words"', browser.evaluate(target=field, function="e => e.value"))

    def test_what_lies_over_a_frame_of_another_site(self):
        """It lies in a document that the element's own cannot see; a frame of the same site is between them."""
        inner = self.site.page("<button onclick=\"this.textContent = 'pressed'\" style='margin: 20px'>go</button>")
        middle = self.site.page(f"<iframe src='{inner.replace('127.0.0.1', 'localhost')}'></iframe>")
        veil = "<div id=veil style='position: fixed; inset: 0' onclick='this.remove()'></div>"
        browser = self.browser("--timeout-action", "1000")
        browser.navigate(url=self.site.page(f"<iframe src='{middle}' height=300></iframe>{veil}"))
        button = "iframe >> internal:control=enter-frame >> iframe >> internal:control=enter-frame >> button"
        answer = browser.click(target=button)
        self.assertIn("TimeoutError", answer)
        self.assertRegex(answer, '<div id="veil".*></div> intercepts pointer events')
        self.assertIn('button "go"', browser.snapshot())
        browser.evaluate(function="() => { setTimeout(() => document.getElementById('veil').remove(), 100) }")
        self.assertNotIn("### Error", browser.click(target=button))
        self.assertIn('button "pressed"', browser.snapshot())

    def test_refs_die_with_their_document(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<button>one</button>"))
        ref = re.search(r"\[ref=(\w+)\]", browser.find(text="one").rpartition("button")[2])[1]
        browser.navigate(url=self.site.page("<button>two</button>"))
        self.assertEqual(browser.click(target=ref),
                         f"### Error\nError: Ref {ref} not found in the current page snapshot. Try capturing new snapshot.")

    def test_long_snapshots_come_whole(self):
        """Long ones travel in pieces; frames, long ones too, are put where they belong."""
        def rows(name, count):
            return "".join(f"<p>{name} {i}: \U0001f600 ü \"quoted\" : {'x' * 40}</p>" for i in range(count))

        near = self.site.page(rows("near", 1500))
        far = self.site.page(rows("far", 1500)).replace("127.0.0.1", "localhost")
        browser = self.browser()
        browser.navigate(url=self.site.page(
            rows("first", 1000) + f"<iframe src='{near}'></iframe>" + rows("second", 1) + f"<iframe src='{far}'></iframe>" +
            f"<iframe src='{self.site.page('')}'></iframe>" + rows("third", 2000)))
        expected = [f"{name} {i}" for name, count in [("first", 1000), ("near", 1500), ("second", 1), ("far", 1500), ("third", 2000)]
                    for i in range(count)]
        for _ in range(2):
            snapshot = browser.snapshot()
            lines = snapshot.partition("```yaml\n")[2].rpartition("\n```")[0].split("\n")
            self.assertEqual([words for line in lines for words in re.findall(r"(\w+ \d+): \U0001f600 ü", line)], expected)
            self.assertTrue(all(re.match(r" *- (?:paragraph|iframe|generic) \[(?:active|ref=\w+)\]", line) for line in lines))
            self.assertNotIn("\x1f", snapshot)
        self.assertIn("2 matches", browser.find(text="r 1499:"))

    def test_an_element_that_comes_back_keeps_its_ref(self):
        """However many others came and went meanwhile."""
        browser = self.browser()
        browser.navigate(url=self.site.page("<div id=list></div><button id=b>kept</button>"))
        ref = re.search(r'button "kept" \[ref=(\w+)\]', browser.snapshot())[1]
        browser.evaluate(function="() => { window.kept = document.getElementById('b'); kept.remove() }")
        for turn in range(4):
            browser.evaluate(function="() => { document.getElementById('list').innerHTML = '<p>x'.repeat(1500) }")
            browser.snapshot()
        self.assertIn("not found in the current page snapshot", browser.click(target=ref))
        browser.evaluate(function="() => { document.body.append(kept) }")
        self.assertIn(f'button "kept" [ref={ref}]', browser.snapshot())
        self.assertNotIn("### Error", browser.click(target=ref))

    def test_dialogs_wait_for_a_decision(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<button onclick=\"this.textContent = [confirm('a'), prompt('b')]\">ask</button>"))
        self.assertIn('["confirm" dialog with message "a"]', browser.click(target="button"))
        self.assertIn("does not handle the modal state", browser.snapshot())
        self.assertIn('["prompt" dialog with message "b"]', browser.handle_dialog(accept=True))
        browser.handle_dialog(accept=True, promptText="me")
        self.assertIn("true,me", browser.snapshot())
        self.assertIn("can only be used when there is related modal state", browser.handle_dialog(accept=True))

    def test_a_dialog_while_the_page_loads(self):
        browser = self.browser()
        self.assertIn('"alert" dialog with message "early"', browser.navigate(url=self.site.page("<script>alert('early')</script>")))
        self.assertIn("- Page Title: test", browser.handle_dialog(accept=True))

    def check_dialog_of_a_popup(self, browser, message, result):
        self.assertIn(f'["alert" dialog with message "{message}"]', browser.click(target="#go"))
        self.assertIn("does not handle the modal state", browser.snapshot())
        self.assertIn("(current)", browser.tabs(action="list"))
        self.assertNotIn("### Error", browser.handle_dialog(accept=True))
        self.assertIn(f'button "{result}"', browser.snapshot())

    def test_a_dialog_of_a_popup_that_its_opener_waits_for(self):
        early = self.site.page("<script>alert('early')</script>")
        callee = self.site.page("<script>window.ask = () => { alert('called'); return 'answered'; }</script>")
        for script, message in (("window.open().alert('new'); this.textContent = 'done'", "new"),
                                (f"window.open('{early}'); this.textContent = 'done'", "early")):
            with self.subTest(message):
                browser = self.browser()
                browser.navigate(url=self.site.page(f'<button id=go onclick="{script}">x</button>'))
                self.check_dialog_of_a_popup(browser, message, "done")
        with self.subTest("called"):
            browser = self.browser()
            browser.navigate(url=self.site.page(f"""<button id=open onclick="w = window.open('{callee}')">open</button>
                                                    <button id=go onclick="this.textContent = w.ask()">x</button>"""))
            browser.click(target="#open")
            self.check_dialog_of_a_popup(browser, "called", "answered")

    def test_a_dialog_of_a_popup_that_its_opener_does_not_wait_for(self):
        far = self.site.page("<script>alert('far')</script>").replace("127.0.0.1", "localhost")
        browser = self.browser()
        browser.navigate(url=self.site.page(f"""<button onclick="window.open('{far}', '', 'noopener')">x</button>"""))
        self.assertNotIn("### Error", browser.click(target="button"))
        self.assertIn('button "x"', browser.snapshot())
        browser.tabs(action="select", index=1)
        while "can only be used when there is related modal state" in browser.handle_dialog(accept=True):
            pass
        self.assertIn("- Page Title: test", browser.snapshot())

    def test_a_dialog_and_a_chooser_at_once(self):
        """Each is decided by its own tool, in any order."""
        browser = self.browser()
        browser.navigate(url=self.site.page("<input type=file id=f><button onclick=\"f.click(); alert('x')\">go</button>"))
        answer = browser.click(target="button")
        while "dialog" not in answer:  # the chooser alone has ended the call
            answer = browser.tabs(action="list")
        self.assertIn("[File chooser]", answer)
        self.assertNotIn("### Error", browser.handle_dialog(accept=True))
        self.assertIn("[File chooser]", browser.snapshot())
        self.assertNotIn("### Error", browser.file_upload())
        self.assertIn('button "go"', browser.snapshot())

    def test_the_wrong_tool_for_what_is_open(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<input type=file>"))
        browser.click(target="input")
        answer = browser.handle_dialog(accept=True)
        self.assertIn("can only be used when there is related modal state", answer)
        self.assertIn("### Modal state\n- [File chooser]", answer)

    def test_waiting_goes_on_under_a_dialog(self):
        browser = self.browser("--timeout-action", "1000")
        browser.navigate(url=self.site.page("<p>here<script>setTimeout(() => alert('late'), 50)</script>"))
        answer = browser.wait_for(time=0.5)
        self.assertIn("### Result\nWaited for 0.5 seconds\n", answer)
        self.assertIn('["alert" dialog with message "late"]', answer)
        self.assertIn("TimeoutError", browser.wait_for(text="nothing"))
        browser.handle_dialog(accept=True)
        self.assertIn("Waited for here", browser.wait_for(text="here", textGone=""))

    def test_other_tools_answer_dialogs_as_ever(self):
        browser = self.browser()
        session = browser.client.session()
        mine = Answers(browser.client, sessionId=session.id)
        mine.navigate(url=self.site.page("<button onclick=\"alert('a')\">ask</button>"))
        self.assertIn("Modal state", mine.click(target="button"))
        self.assertIn("test", session.evaluate("document.title"))
        self.assertIn("accepted", session.click("button")["message"])

    def test_files_for_a_chooser(self):
        browser = self.browser()
        file = self.folder / "up.txt"
        file.write_text("12345", encoding="utf-8")
        browser.navigate(url=self.site.page("<input type=file onchange=\"p.textContent = files[0].size\"><p id=p>"))
        self.assertIn("[File chooser]", browser.click(target="input"))
        self.assertIn("outside allowed roots", browser.file_upload(paths=["/etc/hostname"]))
        browser.file_upload(paths=[str(file)])
        self.assertIn('paragraph [ref=', browser.find(text="5"))

    def test_files_of_the_working_folder_for_a_chooser(self):
        """Their paths are relative; what cannot be chosen leaves the chooser open."""
        browser = Answers(self.start(cwd=self.folder))
        for name in ("a.txt", "b.txt"):
            (self.folder / name).write_text(name * 2, encoding="utf-8")
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "in.txt").write_text("in", encoding="utf-8")
        browser.navigate(url=self.site.page(
            "<input type=file id=one><input type=file id=many multiple><input type=file id=folder webkitdirectory><p>"
            "<script>oninput = e => document.querySelector('p').textContent = e.target.id + ' has ' + "
            "[...e.target.files].map(f => f.name + ' ' + f.size).join(', ') + '.'</script>"))

        def choose(field, *refusals, paths, seen):
            self.assertIn("[File chooser]", browser.click(target=field))
            for wrong, why in refusals:
                self.assertIn(why, browser.file_upload(paths=wrong))
            answer = browser.file_upload(paths=paths)
            self.assertIn("fileChooser.setFiles([", answer)
            self.assertNotIn("### Error", browser.wait_for(text=seen))  # a folder is read while the page goes on

        choose("#one", (["none.txt"], f"ENOENT: no such file or directory, stat '{self.folder / 'none.txt'}'"),
               (["a.txt", "b.txt"], "can only accept single file"), (["sub"], "does not support directories"),
               ([""], "does not support directories"), paths=["./a.txt"], seen="one has a.txt 10.")
        choose("#one", paths=[], seen="one has .")
        choose("#many", paths=["a.txt", "b.txt"], seen="many has a.txt 10, b.txt 10.")
        if ENGINE == "firefox":
            browser.click(target="#folder")
            self.assertIn("Firefox has no way to give a directory", browser.file_upload(paths=["sub"]))
            return
        choose("#folder", (["a.txt"], "requires passing a path to a directory"), (["sub", "sub"], "Multiple directories"),
               paths=["sub"], seen="folder has in.txt 2.")

    def test_what_is_empty_or_out_of_range(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<p>one"))
        for empty in ({"text": ""}, {"regex": ""}, {"text": "", "regex": ""}):
            self.assertIn('Provide either "text" or "regex"', browser.find(**empty))
        self.assertIn("Tab -1 not found", browser.tabs(action="close", index=-1))
        self.assertIn("Tab -1 not found", browser.tabs(action="select", index=-1))
        self.assertIn("one", browser.snapshot(filename=""))
        self.assertRegex(browser.take_screenshot(filename=""), r"\(\S*page-[-\dTZ]+\.png\)")

    def test_tabs(self):
        browser = self.browser()
        other = self.site.page("<p>other", title="other")
        browser.navigate(url=self.site.page(f"<a href='{other}' target=_blank>new</a>", title="first"))
        self.assertRegex(browser.click(target="a"), r"- 0: \(current\) \[first\].*\n- 1: \[\w*\]")
        self.assertIn("- 1: (current) [other]", browser.tabs(action="select", index=1))
        self.assertIn("- 2: (current) [](about:blank)", browser.tabs(action="new"))
        self.assertIn("- 1: (current) [](about:blank)", browser.tabs(action="close", index=0))
        self.assertIn("- 0: (current) [other]", browser.tabs(action="close"))
        self.assertEqual(browser.tabs(action="select", index=7), "### Error\nError: Tab 7 not found")
        self.assertEqual(browser.tabs(action="select", index=0.5), "### Error\nError: Tab 0.5 not found")
        browser.tabs(action="close")
        self.assertEqual(browser.tabs(action="new", url=""), "### Result\n- 0: (current) [](about:blank)")

    def test_a_page_that_crashed_is_replaced(self):
        browser = Answers(self.start_open("--output-dir", str(self.folder)))
        url = self.site.page("<p>here")
        browser.navigate(url=url)
        chromium = self.devtools(browser.client)
        chromium.post("Page.crash", chromium.attach(url))
        while f"({url})" in (listed := browser.tabs(action="list")) and "[crashed]" not in listed:  # the news is on its way
            pass
        if "[crashed]" not in listed:  # the page was replaced by the call if the news came between two calls
            log = re.search(r"New console entries: (.*)#L", listed)[1]
            self.assertIn("Page crashed", (self.folder / pathlib.Path(log).name).read_text("utf-8"))
        self.assertIn("- Page URL: about:blank", browser.snapshot())
        self.assertNotIn("[crashed]", browser.tabs(action="list"))

    def test_back_in_the_history(self):
        browser = self.browser()
        browser.close()
        first = self.site.page("<button onclick=\"history.pushState({}, '', '#pushed')\">push</button>", title="first")
        browser.navigate(url=first)
        browser.click(target="button")
        browser.navigate(url=self.site.page("<p>second"))
        self.assertIn("#pushed", browser.navigate_back())
        self.assertIn(f"- Page URL: {first}\n", browser.navigate_back())
        # The first document of a tab is no entry of Firefox's history.
        self.assertIn(by_engine(chromium="- Page URL: about:blank\n", firefox=f"- Page URL: {first}\n"), browser.navigate_back())

    def test_an_answer_shows_the_page(self):
        """Not every host of an agent can read the files of the server."""
        before = set(self.folder.glob("page-*"))
        browser = self.browser()
        browser.close()
        self.assertRegex(browser.navigate(url=self.site.page("<button>x</button>")), r'### Snapshot\n```yaml\n- button "x" \[ref=e\d+\]')
        self.assertRegex(browser.click(target="button"), r'### Snapshot\n```yaml\n- button "x" \[active\] \[ref=e\d+\]')
        self.assertEqual(set(self.folder.glob("page-*")), before)

    def test_snapshots_and_pictures_go_to_files(self):
        browser = self.browser("--snapshot-mode", "full")
        link = re.search(r"\[Snapshot\]\((.*)\)", browser.navigate(url=self.site.page("<button>x</button>")))[1]
        self.assertIn('button "x"', pathlib.Path(link).read_text("utf-8"))
        for name, magic in (("a.png", b"\x89PNG"), ("a.jpeg", b"\xff\xd8\xff"), ("a.webp", b"RIFF")):
            browser.take_screenshot(filename=str(self.folder / name))
            self.assertTrue((self.folder / name).read_bytes().startswith(magic), name)
        self.assertIn("outside allowed roots", browser.take_screenshot(filename="/tmp/../etc/a.png"))

    def test_a_picture_waits_for_its_element(self):
        browser = self.browser("--timeout-action", 30000)
        browser.navigate(url=self.site.page("<p style='display: none'>late</p>"))
        browser.evaluate(function="() => { setTimeout(() => document.querySelector('p').style.display = 'block', 300); }")
        self.assertIn("- [Screenshot of element](", browser.take_screenshot(target="p", type="png"))

    def test_options_for_answers(self):
        browser = self.browser("--snapshot-mode", "none", "--codegen", "none", "--image-responses", "omit")
        answer = browser.navigate(url=self.site.page("<p>x"))
        self.assertEqual(re.findall("### (.*)", answer), ["Page"])
        result = browser.client.start_call("browser_take_screenshot", {}).result()
        self.assertEqual([item["type"] for item in result["content"]], ["text"])

    def test_wrong_arguments_are_listed(self):
        browser = self.browser()
        self.assertEqual(browser.click(target=5, button="wheel"),
                         '### Error\nInvalid arguments for tool "browser_click":\n'
                         "✖ Invalid input: expected string, received number\n  → at target\n"
                         '✖ Invalid option: expected one of "left"|"right"|"middle"\n  → at button')

    def test_wrong_items_are_listed(self):
        browser = self.browser()
        wrong = "✖ Invalid input: expected string, received {}\n  → at {}"
        self.assertTrue(browser.file_upload(paths=[5, "a", {}]).endswith(
            wrong.format("number", "paths[0]") + "\n" + wrong.format("object", "paths[2]")))
        self.assertTrue(browser.click(target="p", modifiers=["Shift", "Fn"]).endswith(
            '"Alt"|"Control"|"ControlOrMeta"|"Meta"|"Shift"\n  → at modifiers[1]'))
        self.assertTrue(browser.drop(target="p", data={"text/plain": 5, "a": None}).endswith(
            wrong.format("number", 'data["text/plain"]') + "\n" + wrong.format("null", "data.a")))
        self.assertIn("expected array, received string\n  → at fields", browser.fill_form(fields="x"))
        self.assertTrue(browser.network_request(index=1e20).endswith("✖ Too big: expected int to be <=9007199254740991\n  → at index"))
        self.assertIn("depth: expected integer, got float 1.5", browser.snapshot(depth=1.5))

    def test_tabs_are_typed(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<textarea></textarea><input>"))
        browser.type(target="textarea", text="a\tb\n\tc", slowly=True)
        self.assertIn(r'"a\tb\n\tc"', browser.evaluate(target="textarea", function="e => e.value"))
        browser.ask("browser_run_code_unsafe", {"code": "async page => { await page.click('textarea'); await page.keyboard.type('\t!') }"})
        self.assertIn(r"\t!", browser.evaluate(target="textarea", function="e => e.value"))

    def test_keys_for_a_read_only_field(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("""<input readonly role=combobox aria-label=Country><input id=plain readonly value=as-is><script>let typed = '';
            document.querySelector('input').onkeydown = event => { typed += event.key; if (typed === 'ja') event.target.value = 'Japan' }</script>"""))
        self.assertNotIn("### Error", browser.type(target="[role=combobox]", text="ja", slowly=True))
        self.assertIn("Japan", browser.snapshot())
        self.assertNotIn("### Error", browser.type(target="#plain", text="x", slowly=True))
        self.assertIn("as-is", browser.snapshot())

    def test_refs_as_call_logs_write_them(self):
        browser = self.browser()
        browser.close()
        browser.navigate(url=self.site.page("<button>go</button>"))
        ref = re.search(r"ref=(e\d+)", browser.snapshot())[1]
        self.assertIn("getByRole('button', { name: 'go' }).hover()", browser.hover(target=f"aria-ref={ref}"))

    def test_blanks_around_an_address(self):
        browser = self.browser()
        self.assertIn("- Page URL: about:blank", browser.navigate(url="  about:blank "))
        self.assertIn('Access to "file:" protocol is blocked', browser.navigate(url=" file:///etc/hostname"))

    def test_local_files_stay_closed(self):
        browser = self.browser()
        for url in ("file:///etc/passwd", "view-source:file:///etc/passwd", "FILE:/etc/passwd", "filesystem:file:///x"):
            self.assertIn("protocol is blocked", browser.navigate(url=url), url)


if __name__ == "__main__":
    main()
