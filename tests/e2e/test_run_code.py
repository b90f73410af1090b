"""browser_run_code_unsafe: the code of a caller, what its page can do, how it ends, and what it cannot reach."""
import http.server
import json
import re
import socket
import threading

from support.answers import text_of
from support.case import SharedCase, main
from support.client import RpcError
from support.ports import free_port

FORM = """<label>Name <input id=name></label><input id=off disabled value=fixed>
<label><input type=checkbox id=box> Agree</label><select id=list><option value=a>A</option><option value=b>B</option></select>
<button id=go onclick="this.textContent = 'gone ' + document.querySelector('#name').value">Go</button>
<p class=item>one</p><p class=item>two</p><p id=hidden style="display: none">hidden</p>"""


class RunCode(SharedCase):
    keeps_session = True

    def browser(self, *args):
        return self.start("--output-dir", str(self.folder), *args)

    def answer(self, code, client=None, **more):
        result = (client or self.client).start_call("browser_run_code_unsafe", {"code": code, **more}).result()
        return text_of(result), result.get("isError", False)

    def value(self, body, client=None):
        """What `async (page) => { body }` gives."""
        text, failed = self.answer(f"async (page) => {{ {body} }}", client)
        self.assertFalse(failed, text)
        found = re.match(r"### Result\n(.*)\n### Ran", text)
        return json.loads(found[1]) if found else None

    def error(self, body, client=None):
        text, failed = self.answer(f"async (page) => {{ {body} }}", client)
        self.assertTrue(failed, text)
        return text.removeprefix("### Error\n")

    def show(self, body, client=None):
        (client or self.client).start_call("browser_navigate", {"url": self.site.page(body)}).result()

    # ---- answers ----

    def test_result_code_and_page(self):
        url = self.site.page(FORM, title="Form")
        code = f"async (page) => {{ await page.goto('{url}'); return await page.title(); }}"
        self.assertEqual(self.answer(code), (
            f'### Result\n"Form"\n### Ran Playwright code\n```js\nawait ({code})(page);\n```\n'
            f"### Page\n- Page URL: {url}\n- Page Title: Form", False))

    def test_results_as_compact_json(self):
        for body, text in (("return 1 + 1", "2"), ("return null", "null"), ("return { a: [1, 'x'], b: undefined }", '{"a":[1,"x"]}'),
                           ("return new Date(0)", '"1970-01-01T00:00:00.000Z"')):
            self.assertIn(f"### Result\n{text}\n###", self.answer(f"async (page) => {{ {body} }}")[0])
        self.assertNotIn("### Result", self.answer("async (page) => {}")[0])

    def test_functions_of_any_form(self):
        for code in ("(page) => 5", "function (page) { return 5 }", "async function named(page) { return 5 }",
                     "// first\nasync page => 5", "async page => 5 // last"):
            self.assertIn("### Result\n5\n", self.answer(code)[0])

    def test_what_is_thrown(self):
        for body, text in (("throw new Error('boom')", "Error: boom"), ("throw 'text'", "text"), ("throw null", "null"),
                           ("throw { a: 1 }", "[object Object]"), ("throw undefined", "undefined"),
                           ("throw { toString() { throw 1 } }", "an error that has no text"),
                           ("return 10n", "TypeError: Do not know how to serialize a BigInt")):
            self.assertEqual(self.error(body), text)
        self.assertIn("TypeError: Converting circular structure", self.error("const o = {}; o.o = o; return o"))

    def test_methods_that_do_not_exist(self):
        for call, label, some in (("page.nope()", "page", {"goto", "locator", "keyboard", "$$eval"}),
                                  ("page.locator('p').nope()", "locator", {"click", "first", "getByRole"}),
                                  ("page.frameLocator('p').nope()", "frameLocator", {"owner", "getByText"}),
                                  ("page.context().nope()", "browserContext", {"cookies", "pages"}),
                                  ("page.keyboard.nope(await page.title())", "keyboard", {"press"}),
                                  ("const { nope } = page; nope()", "page", {"click"})):
            with self.subTest(call):
                first, second = self.error(call).split("\n")
                shown = call.replace("'p'", "...").replace("context()", "context(...)").partition("nope")[0] + "nope"
                self.assertEqual(first, f"TypeError: {'nope' if ';' in call else shown} is not a function")
                self.assertTrue(second.startswith(f"Members of {label}: "), second)
                self.assertLessEqual(some, set(second.partition(": ")[2].split(", ")))
        self.assertEqual(self.error("({}).nope()"), "TypeError: {}.nope is not a function")
        self.assertEqual(self.value("return [typeof page.nope, page.nope?.(), page instanceof Object]"), ["undefined", None, True])

    def test_methods_of_tracing_that_do_not_exist(self):
        self.assertIn("Members of tracing: start, startChunk, stop, stopChunk", self.answer("async page => page.context().tracing.group('x')")[0])

    def test_what_is_no_function(self):
        for code, text in (("1 + 1", "TypeError: __fn__ is not a function"), ("page.url()", "TypeError: __fn__ is not a function"),
                           ("async page => { a b", "SyntaxError: Unexpected identifier 'b'"),
                           ("await page.title()", "SyntaxError: Unexpected identifier 'page'"),
                           ("async page => 1;", "SyntaxError: Unexpected token ';'")):
            self.assertEqual(self.answer(code), (f"### Error\n{text}", True))

    def test_code_from_a_file(self):
        name = self.folder / "code.js"
        name.write_text("async (page) => 'from a file'", encoding="utf-8")
        call = {"filename": str(name), "code": "ignored"}
        text = self.client.ask("browser_run_code_unsafe", **call)
        self.assertIn('### Result\n"from a file"\n', text)
        for wrong, reason in ((str(self.folder / "none.js"), "ENOENT"), ("/etc/hostname", "File access denied"), (str(self.folder), "not a regular file")):
            text = self.client.ask("browser_run_code_unsafe", filename=wrong)
            self.assertIn(reason, text)

    # ---- elements ----

    def test_a_form_is_filled(self):
        self.show(FORM)
        self.assertEqual(self.value("""
            await page.getByLabel('Name').fill('Ada');
            await page.getByLabel('Agree').check();
            const chosen = await page.selectOption('#list', { label: 'B' });
            await page.getByRole('button', { name: 'Go' }).click();
            return [chosen, await page.locator('#go').textContent(), await page.locator('#box').isChecked(),
                await page.inputValue('#list'), await page.locator('#name').inputValue()];"""),
            [["b"], "gone Ada", True, "b", "Ada"])
        self.assertEqual(self.value("""
            await page.uncheck('#box');
            await page.locator('#name').pressSequentially('!é');
            await page.locator('#name').press('Shift+X');
            return [await page.isChecked('#box'), await page.inputValue('#name')];"""), [False, "Ada!éX"])

    def test_questions(self):
        self.show(FORM)
        self.assertEqual(self.value("""
            const off = page.locator('#off'), items = page.locator('.item');
            return [await off.isEnabled(), await off.isDisabled(), await off.isEditable(), await off.getAttribute('value'),
                await off.getAttribute('none'), await page.isVisible('#hidden'), await page.locator('#none').isVisible(),
                await page.isHidden('#none'), await items.count(), await items.allTextContents(), await items.last().innerText(),
                await items.nth(1).innerHTML(), (await items.all()).length, await page.locator('#none').count()];"""),
            [False, True, False, "fixed", None, False, False, True, 2, ["one", "two"], "two", "two", 2, 0])

    def test_locator_chains(self):
        self.show("<ul><li>a <button>x</button><li>b <button>x</button></ul><iframe srcdoc='<b title=t>in</b>'></iframe>")
        self.assertEqual(self.value("""
            const rows = page.getByRole('listitem');
            return [await rows.filter({ hasText: /^b/ }).getByRole('button').count(),
                await rows.filter({ has: page.locator('button'), hasNotText: 'a' }).textContent(),
                await page.locator('li', { hasText: 'a' }).or(page.locator('none')).count(),
                await page.frameLocator('iframe').getByTitle('t').textContent(),
                await page.locator('iframe').contentFrame().locator('b').innerText(), String(rows.first()), rows.page() === page];"""),
            [1, "b x", 1, "in", "in", "getByRole('listitem').first()", True])

    def test_it_waits_for_elements(self):
        self.show("<script>setTimeout(() => document.body.innerHTML = '<button>late</button>', 300)</script>")
        self.assertEqual(self.value("await page.click('button'); return page.textContent('button')"), "late")
        self.assertEqual(self.error("await page.getByRole('link', { name: 'no' }).click({ timeout: 100 })"),
                         "TimeoutError: locator.click: Timeout 100ms exceeded.\nCall log:\n"
                         "\x1b[2m  - waiting for getByRole('link', { name: 'no' })\x1b[22m\n")
        self.assertEqual(self.error("await page.waitForSelector('#no', { timeout: 50 })"),
                         "TimeoutError: page.waitForSelector: Timeout 50ms exceeded.\nCall log:\n"
                         "\x1b[2m  - waiting for locator('#no') to be visible\x1b[22m\n")

    def test_it_waits_beside_what_it_does(self):
        self.show("<button onclick=\"setTimeout(() => document.body.append(Object.assign(document.createElement('i'), "
                  "{ textContent: 'new' })), 50)\">go</button>")
        self.assertEqual(self.value("""
            const [found] = await Promise.all([page.waitForSelector('i'), page.click('button')]);
            await page.locator('b').waitFor({ state: 'detached' });
            return found.textContent();"""), "new")

    def test_several_matches(self):
        self.show(FORM)
        self.assertIn("Error: locator.click: Error: strict mode violation: locator('.item') resolved to 2 elements:\n"
                      "    1) <p class=\"item\">one</p> aka getByText('one')\n", self.error("await page.locator('.item').click()"))
        self.assertEqual(self.value("return page.textContent('.item')"), "one")

    def test_errors_can_be_caught(self):
        self.show(FORM)
        self.assertEqual(self.value("""
            try { await page.locator('#none').click({ timeout: 20 }); } catch (error) {
                return [error instanceof Error, error.name, error.message.split('\\n')[0]];
            }"""), [True, "TimeoutError", "locator.click: Timeout 20ms exceeded."])

    def test_handles(self):
        self.show(FORM)
        self.assertEqual(self.value("""
            const [first] = await page.$$('.item'), made = await page.evaluateHandle(() => document.querySelector('#name'));
            await made.fill('by handle');
            return [await first.textContent(), await page.$('#none'), await page.evaluate(e => e.value, made),
                await page.$eval('#list', (list, n) => list.options.length + n, 1), await page.$$eval('.item', list => list.length)];"""),
            ["one", None, "by handle", 3, 2])

    def test_values_travel_whole(self):
        self.assertEqual(self.value("""
            const sent = { n: NaN, zero: -0, big: 10n, date: new Date(5), re: /a/g, none: undefined, list: [1, [2]], 'a b': null };
            sent.self = sent;
            const back = await page.evaluate(it => [it, typeof it.big, it.date instanceof Date, it.self === it], sent);
            const [it, ...facts] = back;
            return [...facts, Number.isNaN(it.n), Object.is(it.zero, -0), it.big === 10n, it.date.getTime(), String(it.re),
                'none' in it, it.list, it['a b'], it.self === it, await page.evaluate('1 + 2'), await page.evaluate(() => document.body)];"""),
            ["bigint", True, True, True, True, True, 5, "/a/g", True, [1, [2]], None, True, 3, "ref: <Node>"])
        self.assertIn("Error: page.evaluate: Error: inside\n", self.error("await page.evaluate(() => { throw new Error('inside') })"))
        self.assertEqual(self.error("await page.evaluate(() => { throw 'inside' })"), "Error: page.evaluate: inside")

    # ---- pages ----

    def test_navigation(self):
        first, second = self.site.page("<p>1", title="1"), self.site.page("<p>2", title="2")
        self.assertEqual(self.value(f"""
            const answer = await page.goto('{first}');
            await page.goto('{second}');
            await page.goBack();
            const back = page.url();
            await page.goForward({{ waitUntil: 'domcontentloaded' }});
            await page.reload();
            return [answer.status(), answer.ok(), back, page.url(), await page.title(), await page.goForward()];"""),
            [200, True, first, second, "2", None])
        unused = f"http://127.0.0.1:{free_port()}/?not%20an%20address"
        self.assertIn("page.goto: net::ERR_CONNECTION_REFUSED at ", self.error(f"await page.goto('{unused}'.replaceAll('%20', ' '))"))
        self.assertEqual(self.error("await page.goto('nonsense')"),
                         "Error: page.goto: Protocol error (Page.navigate): Cannot navigate to invalid URL\nCall log:\n"
                         "\x1b[2m  - navigating to \"nonsense\", waiting until \"load\"\x1b[22m\n")

    def test_waiting_for_an_address(self):
        self.show(f"<a href='{self.site.route('/there', '<title>there</title>')}?x=1'>go</a>")
        self.assertEqual(self.value("""
            await Promise.all([page.waitForURL('**/there?*'), page.click('a')]);
            await page.waitForLoadState('domcontentloaded');
            return page.title();"""), "there")
        self.assertIn('waiting for navigation to "**/none" until "load"', self.error("await page.waitForURL('**/none', { timeout: 30 })"))

    def test_content_functions_and_pauses(self):
        self.assertEqual(self.value("""
            await page.setContent('<h1>set</h1>');
            const content = await page.content();
            await page.evaluate(() => setTimeout(() => { window.ready = 7 }, 50));
            const ready = await (await page.waitForFunction(() => window.ready)).jsonValue();
            await page.waitForTimeout(1);
            return [content.includes('<h1>set</h1>'), ready];"""), [True, 7])
        self.assertEqual(self.error("await page.waitForFunction(() => false, null, { timeout: 30 })"),
                         "TimeoutError: page.waitForFunction: Timeout 30ms exceeded.")

    def test_keyboard_and_mouse(self):
        self.show("<textarea autofocus></textarea><script>addEventListener('mousedown', e => document.title += [e.button, e.clientX, "
                  "e.shiftKey]); addEventListener('wheel', e => document.title += ' wheel' + e.deltaY)</script>")
        self.assertEqual(self.value("""
            await page.focus('textarea');
            await page.keyboard.type('ab');
            await page.keyboard.down('Shift');
            await page.keyboard.press('ArrowLeft');
            await page.mouse.click(300, 300, { button: 'right' });
            await page.keyboard.up('Shift');
            await page.mouse.wheel(0, 5);
            await page.waitForFunction(() => document.title.includes('wheel'));
            await page.focus('textarea');
            await page.keyboard.insertText('é');
            return [await page.inputValue('textarea'), await page.title()];""")[0].count("é"), 1)
        self.assertIn("2,300,true wheel5", self.value("return page.title()"))
        self.value("await page.focus('textarea'); await page.keyboard.press('Ctrl+a'); await page.keyboard.press('del')")
        self.assertEqual(self.value("return page.inputValue('textarea')"), "")
        self.assertEqual(self.error("await page.keyboard.press('Nope')"), 'Error: keyboard.press: Unknown key: "Nope"')

    def test_pictures(self):
        self.show(FORM)
        self.assertEqual(self.value("""
            const all = await page.screenshot(), one = await page.locator('#go').screenshot({ type: 'jpeg' });
            return [all instanceof Uint8Array, [...all.slice(1, 4)], [...one.slice(0, 2)]];"""), [True, [80, 78, 71], [255, 216]])
        path = self.folder / "sub" / "x.jpg"
        self.value(f"await page.screenshot({{ path: '{path}' }})")
        self.assertEqual(path.read_bytes()[:2], b"\xff\xd8")
        self.assertIn("outside allowed roots", self.error("await page.screenshot({ path: '/x.png' })"))
        self.assertIn('the option "mask" is not supported', self.error("await page.screenshot({ mask: [] })"))

    def test_files_without_a_chooser(self):
        self.show("<input type=file><p>x")
        path = self.folder / "up.txt"
        path.write_text("12345", encoding="utf-8")
        self.assertEqual(self.value(f"""
            const field = page.locator('input'), size = () => field.evaluate(e => e.files[0]?.size ?? 0), sizes = [];
            await field.setInputFiles('{path}');
            sizes.push(await size());
            await page.setInputFiles('input', []);
            return [...sizes, await size()];"""), [5, 0])
        self.assertIn("outside allowed roots", self.error("await page.locator('input').setInputFiles('/etc/hostname')"))

    def test_its_size(self):
        self.show("<p>x")
        self.assertEqual(self.value("""
            const before = page.viewportSize();
            await page.setViewportSize({ width: 700, height: 500 });
            await page.bringToFront();
            return [before, page.viewportSize(), ...await page.evaluate(() => [innerWidth, screen.height])];"""),
            [{"width": 1280, "height": 720}, {"width": 700, "height": 500}, 700, 500])

    def test_styles_and_scripts_that_are_added(self):
        self.show("<p>x")
        self.assertEqual(self.value("""
            await page.addStyleTag({ content: 'p { color: rgb(1, 2, 3) }' });
            await page.addScriptTag({ content: 'window.added = 1' });
            return page.evaluate(() => [getComputedStyle(document.querySelector('p')).color, added]);"""), ["rgb(1, 2, 3)", 1])
        self.assertIn("Provide an object with", self.error("await page.addStyleTag({})"))

    def test_a_time_out_for_all(self):
        self.show("<p>x")
        self.assertIn("TimeoutError: locator.click: Timeout 50ms exceeded.",
                      self.error("page.setDefaultTimeout(50); await page.locator('#none').click()"))
        self.assertIn("TimeoutError: page.waitForResponse: Timeout 50ms exceeded",
                      self.error("page.setDefaultTimeout(50); await page.waitForResponse('**/none')"))

    def test_pages_and_cookies_of_the_session(self):
        url = self.site.page("<p>x")
        self.show("<p>x")
        self.assertEqual(self.value(f"""
            const context = page.context(), other = await context.newPage();
            await other.goto('{url}');
            await context.addCookies([{{ name: 'a', value: '1', url: '{url}' }}]);
            const seen = await other.evaluate(() => document.cookie), kept = (await context.cookies('{url}'))[0].value,
                all = (await context.cookies()).map(cookie => cookie.name + cookie.sameSite);
            await context.clearCookies();
            const left = (await context.cookies()).length, count = context.pages().length;
            await other.close();
            return [seen, kept, all, left, count, context.pages().length, other.isClosed(), page.isClosed()];"""),
            ["a=1", "1", ["aLax"], 0, 2, 1, True, False])

    def test_the_page_closes_itself(self):
        self.assertEqual(self.value("await page.close(); return page.isClosed()"), True)
        self.assertIn("Target page, context or browser has been closed", self.error("await page.close(); await page.title()"))
        self.assertEqual(self.value("return page.url()"), "about:blank")

    def test_the_page_crashes(self):
        client = self.start_open("--output-dir", str(self.folder))
        url = self.site.page("<p>x", title="x")
        client.start_call("browser_navigate", {"url": url}).result()
        held, _ = self.site.held()
        chromium = self.devtools(client)
        call = client.start_call("browser_run_code_unsafe", {"code": f"page => page.evaluate(u => fetch(u).then(r => r.text()), '{held}')"})
        self.site.wait_request(held)
        chromium.post("Page.crash", chromium.attach(url))
        self.assertRegex(call.result()["content"][0]["text"], "closed|crash")
        self.assertEqual(self.value("return 'goes on'", client), "goes on")

    # ---- events ----

    def test_windows_that_open(self):
        self.show("<button onclick=\"window.open('about:blank')\">open</button>")
        self.assertEqual(self.value("""
            const [popup, same] = await Promise.all([page.waitForEvent('popup'), page.context().waitForEvent('page'), page.click('button')]);
            await popup.setContent('<title>popup</title>');
            return [popup.url(), popup === same, await popup.title(), page.context().pages().length];"""), ["about:blank", True, "popup", 2])
        self.assertEqual(self.error("await page.waitForEvent('popup', { timeout: 20 })").split("\n")[0],
                         'TimeoutError: page.waitForEvent: Timeout 20ms exceeded while waiting for event "popup"')

    def test_dialogs_that_the_code_answers(self):
        self.show("<button onclick='alert(1); alert(2)'>two</button>")
        self.assertEqual(self.value("""
            const seen = [];
            page.on('dialog', async dialog => {
                seen.push(dialog.type() + dialog.message());
                await page.waitForTimeout(1);
                await dialog.accept('answer');
            });
            await page.click('button');
            return [seen, await page.evaluate(() => prompt('q'))];"""), [["alert1", "alert2", "promptq"], "answer"])
        text, _ = self.answer("""async (page) => {
            page.once('dialog', dialog => dialog.dismiss());
            await page.evaluate(() => confirm('first'));
            await page.evaluate(() => alert('second'));
        }""")
        self.assertIn('["alert" dialog with message "second"]', text)

    def test_console_and_network(self):
        self.show("<p>x")
        api = self.site.route("/api", "answer")
        self.assertEqual(self.value(f"""
            const lines = [];
            page.on('console', message => lines.push(message.type() + ' ' + message.text()));
            const [response, request, said] = await Promise.all([page.waitForResponse('**/api?*'), page.waitForRequest(/api/),
                page.waitForEvent('console', message => message.text() === 'b'), page.evaluate(async url => {{
                    await fetch(url + '?x', {{ method: 'POST', body: 'sent' }}).catch(() => 0);
                    console.log('a', 1);
                    console.warn('b');
                }}, '{api}')]);
            return [response.url(), request.method(), request.postData(), said.type(), lines.filter(line => !line.startsWith('error'))];"""),
            [api + "?x", "POST", "sent", "warning", ["log a 1", "warning b"]])
        self.assertIn('the event "nonsense" is not supported here', self.error("page.on('nonsense', () => {})"))

    def test_answers_of_servers(self):
        self.show("<p>x")
        api = self.site.route("/json", '{"a": "ö"}')
        self.assertEqual(self.value(f"""
            const [response] = await Promise.all([page.waitForResponse('**/json'), page.evaluate(url => {{ fetch(url) }}, '{api}')]);
            const request = response.request();
            return [await response.json(), await response.text(), (await response.body()).length, typeof response.headers()['content-length'],
                request.method(), request.isNavigationRequest(), typeof request.headers()['user-agent']];"""),
            [{"a": "ö"}, '{"a": "ö"}', 11, "string", "GET", False, "string"])
        self.assertEqual(self.value("""
            const answer = await page.reload();
            return [(await answer.text()).includes('<p>x'), answer.request().isNavigationRequest(), answer.headers()['content-type']];""")[:2],
            [True, True])

    def test_errors_of_the_page(self):
        self.show("<p>x")
        self.assertEqual(self.value("""
            const [error] = await Promise.all([page.waitForEvent('pageerror'),
                page.evaluate(() => { setTimeout(() => { throw new TypeError('a: b') }) })]);
            return [error.name, error.message, error.stack.startsWith('TypeError: a: b\\n    at ')];"""), ["TypeError", "a: b", True])

    def test_a_listener_of_the_context_answers_dialogs(self):
        self.assertEqual(self.value("""
            const context = page.context();
            const dialog = context.waitForEvent('dialog').then(async it => {
                await it.accept();
                return [it.type(), it.message(), it.page() === page];
            });
            return [await page.evaluate(() => confirm('sure?')), await dialog];"""), [True, ["confirm", "sure?", True]])

    def test_the_end_of_a_page_is_one_event(self):
        self.assertEqual(self.value("""
            const other = await page.context().newPage();
            globalThis.ends = [];
            other.on('close', () => ends.push('run'));
            await page.route('**/none', () => {});
            await Promise.all([other.waitForEvent('close'), other.close()]);
            return ends;"""), ["run"])
        self.assertEqual(self.value("await page.evaluate(() => 0); await page.unrouteAll(); return ends"), ["run"])

    # ---- dialogs, ends ----

    def test_a_dialog_ends_the_call(self):
        text, failed = self.answer("async (page) => { await page.evaluate(() => alert('x')); return 2 }")
        self.assertFalse(failed)
        self.assertIn('### Modal state\n- ["alert" dialog with message "x"]: can be handled by browser_handle_dialog', text)
        self.assertNotIn("### Result", text)
        self.client.start_call("browser_handle_dialog", {"accept": True}).result()
        self.assertEqual(self.value("return 'goes on'"), "goes on")

    def test_code_that_never_ends(self):
        client = self.browser("--timeout-navigation", "1500")
        for body in ("while (true);", "await new Promise(() => {})", "await page.evaluate('1'); for (;;);"):
            self.assertIn("has neither ended nor used the page for 1500 ms", self.error(body, client))
        self.assertEqual(self.value("setTimeout(() => { while (true); }, 1); return 1", client), 1)
        self.assertEqual(self.value("return 'goes on'", client), "goes on")

    def test_code_leaves_or_exceeds_its_page(self):
        self.assertIn("was left by it", self.error("globalThis.location.href = 'data:,x'; globalThis.location.href = 'about:blank#x'; "
                                                   "await page.waitForTimeout(60000)"))
        self.assertIn("bytes are too many at a time", self.error("return 'x'.repeat(1e7)"))
        self.assertIn("bytes are too many at a time", self.error("return 'ä'.repeat(4e6)"))
        self.assertEqual(self.value("return 'goes on'"), "goes on")

    def test_long_texts_pass(self):
        self.assertEqual(self.value(r"""
            await page.setContent('<p>a' + '\u{1f600}'.repeat(1e6));
            return page.evaluate(text => [document.querySelector('p').textContent.replace(/\u{1f600}/gu, ''), text.length,
                text.replace(/a\u{1f600}/gu, '').length], 'a\u{1f600}'.repeat(2e5) + '\u6f22'.repeat(1e6));"""), ["a", 1600000, 1000000])

    def test_too_much_at_a_time(self):
        self.assertIn("too many operations at a time", self.error(
            "await Promise.all(Array.from({ length: 100 }, () => page.waitForTimeout(60000)))"))
        self.assertEqual(self.value("return 'goes on'"), "goes on")

    def test_requests_that_wait_are_no_room_for_other_operations(self):
        page = self.site.page("<p>")
        routed = f"""await page.goto('{page}'); const held = []; await page.route('**/held?*', route => {{ held.push(route); }});
            await page.evaluate(() => {{ window.asked = Array.from({{ length: 150 }}, (_, i) => fetch('held?' + i).then(r => r.text())); }});
            while (held.length < 150) await page.waitForTimeout(10); """
        self.assertIn("too many operations at a time", self.error(
            routed + "await Promise.all(Array.from({ length: 100 }, () => page.waitForTimeout(60000)))"))
        self.assertEqual(self.value(
            routed + "await Promise.all(held.map(route => route.fulfill({ body: 'x' })));"
                     "return (await page.evaluate(() => Promise.all(window.asked))).join('')"), "x" * 150)

    def test_cancelled(self):
        held, _ = self.site.held()
        seen = self.site.page("<p>seen")
        for body, asked in ((f"await page.goto('{held}')", held), (f"await page.goto('{seen}'); while (true);", seen)):
            reply = self.client.start_call("browser_run_code_unsafe", {"code": f"async (page) => {{ {body} }}"})
            self.site.wait_request(asked)
            self.client.cancel(reply)
        self.assertEqual(self.value("return 'goes on'"), "goes on")

    def test_it_can_be_left_out(self):
        client = self.browser("--no-run-code")
        self.assertNotIn("browser_run_code_unsafe", client.list_tools())
        with self.assertRaises(RpcError):
            client.start_call("browser_run_code_unsafe", {"code": "async page => 1"}).result()

    # ---- what it cannot reach ----

    def test_no_network_of_its_own(self):
        hits = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                hits.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *args):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        base = f"http://127.0.0.1:{server.server_port}"
        for body in (f"await fetch('{base}/fetch')", f"new Image().src = '{base}/image'; await page.waitForTimeout(50); throw 1",
                     f"const s = new WebSocket('{base.replace('http', 'ws')}/socket'); await new Promise((r, no) => {{ s.onerror = no }})",
                     f"globalThis.open('{base}/open')", "new RTCPeerConnection()",
                     "const f = globalThis.document.createElement('iframe'); globalThis.document.body.append(f); "
                     "new f.contentWindow.RTCPeerConnection()",
                     f"globalThis.location.href = '{base}/leave'; await page.waitForTimeout(60000)"):
            self.error(body)
        server.shutdown()
        server.server_close()
        self.assertEqual(hits, [])

    def test_no_other_window(self):
        """Whatever opens one, and whatever would run in it: no target appears, and nothing is sent past the network stack."""
        client = self.start_open("--output-dir", str(self.folder))
        self.value("return 1", client)
        chromium = self.devtools(client)
        count = len(chromium.call("Target.getTargets")["targetInfos"])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.bind(("127.0.0.1", 0))
            udp.setblocking(False)
            send = (f"const c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{udp.getsockname()[1]}'}}]}}); "
                    "c.createDataChannel('x'); c.setLocalDescription()")
            address = json.dumps(f"javascript:{send}")
            begin = "const d = globalThis.document, body = d.documentElement; "
            for element in (
                    f"const e = d.createElement('a'); e.href = {address};",
                    "const e = d.createElement('a'); e.href = 'about:blank';",
                    f"const e = d.createElement('a'); e.href = {json.dumps(f'data:text/html,<script>{send}</script>')};",
                    "const e = d.createElement('a'); e.href = URL.createObjectURL(new Blob(["
                    f"{json.dumps(f'<script>{send}</script>')}], {{type: 'text/html'}}));",
                    f"const e = d.createElement('area'); e.href = {address};",
                    f"const e = d.createElementNS('http://www.w3.org/2000/svg', 'a'); e.setAttribute('href', {address}); e.click = () => "
                    "e.dispatchEvent(new MouseEvent('click', {bubbles: true, ctrlKey: true}));",
                    f"const e = d.createElement('form'); e.action = {address}; e.click = () => e.submit();",
                    f"const e = d.createElement('form'); e.action = {address}; e.method = 'post'; e.click = () => e.requestSubmit();"):
                for name in ("_blank", "named"):
                    self.value(f"{begin}{element} e.setAttribute('target', '{name}'); e.setAttribute('rel', 'opener'); body.append(e); e.click(); "
                               "await page.waitForTimeout(100); return 1", client)
                    self.assertEqual(len(chromium.call("Target.getTargets")["targetInfos"]), count, element)
            self.error("const f = globalThis.document.createElement('iframe'); globalThis.document.documentElement.append(f); "
                       "f.contentWindow.open('about:blank')", client)
            with self.assertRaises(BlockingIOError):
                udp.recv(1)

    def test_a_target_that_appears_all_the_same_never_runs(self):
        client = self.start_open("--output-dir", str(self.folder))
        self.show("<p>x", client)
        self.value("return 1", client)
        chromium = self.devtools(client)
        hidden = None
        while not hidden:  # it gets a new document after each run
            targets = chromium.call("Target.getTargets")["targetInfos"]
            hidden = next((t["browserContextId"] for t in targets if t["url"].startswith("http://192.0.2.1/")), None)
        chromium.call("Target.createTarget", url="about:blank", browserContextId=hidden)
        self.assertEqual(self.value("return 'goes on'", client), "goes on")
        while len(chromium.call("Target.getTargets")["targetInfos"]) > len(targets):  # its end is on its way
            pass

    def test_no_names_are_looked_up(self):
        """Hints are followed by the machine's own resolver, for which there is no proxy."""
        log, profile = self.folder / "net.json", self.folder / "profile"
        client = self.start("--output-dir", str(self.folder), "--user-data-dir", str(profile), "--browser-arg", f"--log-net-log={log}")
        hints = ("dns-prefetch", "preconnect", "prefetch", "preload", "modulepreload", "icon", "manifest", "stylesheet")
        self.value("const d = globalThis.document; for (const rel of " + json.dumps(hints) + ") { const l = d.createElement('link'); l.rel = rel; "
                   "l.as = 'script'; l.href = `http://code-${rel}.localhost:1/`; d.head.append(l) } "
                   "const a = d.createElement('a'); a.href = 'http://code-anchor.localhost:1/'; d.head.append(a); "
                   "await fetch('http://code-fetch.localhost:1/').catch(() => 0); await page.waitForTimeout(300); return 1", client)
        self.show("<link rel=dns-prefetch href=http://page-hint.localhost:1/><img src=http://page-image.localhost:1/>", client)
        client.close()
        names = set(re.findall(r"(code|page)-([\w-]+)\.localhost", "".join(re.findall(r'"host":"[^"]*"', log.read_text("utf-8", "replace")))))
        self.assertEqual(names, {("page", "image")})

    def test_nothing_is_left_for_the_next_run(self):
        self.value("globalThis.kept = 1; globalThis.name = 'kept'; setInterval(() => {}, 1)")
        self.assertEqual(self.value("return [typeof kept, globalThis.name]"), ["undefined", ""])

    def test_nothing_of_a_page_or_of_a_server_is_there(self):
        self.assertEqual(self.value("return [typeof window, typeof document, typeof require, typeof process, typeof alert]"),
                         ["undefined"] * 5)
        self.assertIn("'localStorage'", self.error("globalThis.localStorage"))
        tabs = self.client.ask("browser_tabs", action="list")
        self.assertEqual(tabs.count("- 0:") + tabs.count("- 1:"), 1)

    def test_forged_messages(self):
        for message in ("no json", "{}", '{"id": 1000000}', '{"id": 1000000, "op": "click"}', '{"id": 1000000, "op": "click", "page": 99}',
                        '{"id": 1000000, "op": "do", "page": 0, "what": "__proto__", "target": "body", "timeout": 1}', '{"id": {}, "op": [], "page": {}}',
                        '{"id": 1000000, "op": "evaluate", "page": 0, "timeout": 1}', '{"id": 1000000, "op": "list", "page": 0, "what": {}}',
                        '{"id": 1000000, "op": "mouse", "page": 0, "steps": -1, "how": "move"}'):
            self.assertEqual(self.value(f"globalThis.browserdAsk({json.dumps(message)}); await page.title(); return 1"), 1)


if __name__ == "__main__":
    main()
