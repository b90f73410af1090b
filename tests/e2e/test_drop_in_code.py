"""browser_run_code_unsafe as a client of @playwright/mcp sees it: frames, options of actions, pictures, accessibility snapshots."""
import json
import re

from support import code_case
from support.case import main

TARGETS = """<style>body { margin: 0 } #pad { position: absolute; left: 20px; top: 30px; width: 200px; height: 100px; border: 5px solid; padding: 7px }</style>
<div id=pad></div><button id=b style="position: absolute; left: 300px">Press</button><label style="position: absolute; top: 200px"><input type=checkbox id=box>Tick</label>
<script>
	window.seen = [];
	for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'mousemove'])
		document.addEventListener(type, e => { if (type != 'mousemove' || e.target.id == 'pad') seen.push([type, e.target.id, e.offsetX, e.offsetY, e.button, e.detail, e.shiftKey, e.timeStamp]); });
</script>"""
FRAMES = """<h1>Top</h1><iframe name=first srcdoc="<p class=x>in first</p><iframe name=deep srcdoc='<button>Deep</button>'></iframe>"></iframe>
<iframe id=second srcdoc="<title>Second</title><input id=i value=old><p class=x>in second</p>"></iframe>"""
DRAG = """<style>body { margin: 0 } div { position: absolute; width: 100px; height: 60px } #to { left: 300px }</style>
<div id=from draggable=true>from</div><div id=to>to</div>
<script>
	window.log = [];
	from.ondragstart = e => { e.dataTransfer.setData('text', 'cargo'); log.push(['start', e.offsetX, e.offsetY]); };
	to.ondragover = e => e.preventDefault();
	to.ondrop = e => { e.preventDefault(); log.push(['drop', e.dataTransfer.getData('text'), e.offsetX, e.offsetY]); };
</script>"""


class CodeCase(code_case.CodeCase):
    def error(self, body):
        """With all its lines."""
        answer = self.run_code(body)
        self.assertTrue(answer.is_error, answer)
        return re.sub("\x1b\\[\\d+m", "", answer.error)


class Frames(CodeCase):
    def test_the_tree_of_frames(self):
        self.show(FRAMES)
        self.assertEqual(self.value("""
            const [main, ...others] = page.frames();
            return [main === page.mainFrame(), main.parentFrame(), main.url() === page.url(), main.page() === page,
                others.map(f => [f.name(), f.url(), f.isDetached()]).sort(), main.childFrames().length,
                page.frame('deep').parentFrame() === page.frame('first'), page.frame({ name: 'first' }).childFrames()[0].name(),
                page.frame('none'), page.frame({ url: /srcdoc$/ }) !== null];"""),
            [True, None, True, True, [["deep", "about:srcdoc", False], ["first", "about:srcdoc", False], ["second", "about:srcdoc", False]], 2,
             True, "deep", None, True])
        self.assertEqual(self.error("page.frame({})"), "Error: Either name or url matcher should be specified")

    def test_elements_in_a_frame(self):
        self.show(FRAMES)
        self.assertEqual(self.value("""
            const first = page.frame('first'), second = page.frame('second');
            await second.fill('#i', 'new');
            await second.locator('#i').press('End');
            await second.getByRole('textbox').pressSequentially('er');
            return [await first.textContent('.x'), await first.locator('.x').count(), await page.locator('.x').count(), await second.inputValue('#i'),
                await second.title(), await second.evaluate(() => document.title), await first.$eval('p', e => e.textContent),
                (await first.$$('p')).length, await page.frame('deep').getByRole('button').innerText(), await first.isVisible('p'),
                await second.locator('p').evaluate((e, more) => e.className + more, '!'), (await first.content()).includes('in first')];"""),
            ["in first", 1, 0, "newer", "Second", "Second", "in first", 1, "Deep", True, "x!", True])

    def test_chains_through_frames(self):
        self.show(FRAMES)
        self.assertEqual(self.value("""
            const inner = page.frameLocator('iframe[name=first]').frameLocator('iframe');
            return [await inner.getByRole('button', { name: 'Deep' }).textContent(),
                await page.locator('#second').contentFrame().locator('.x').innerText(),
                await page.frameLocator('iframe').first().locator('.x').textContent(),
                await page.frameLocator('iframe').nth(1).locator('.x').textContent(),
                await page.frameLocator('iframe').last().locator('.x').textContent(),
                await page.frameLocator('#second').owner().getAttribute('id'),
                await page.frame('first').frameLocator('iframe').locator('button').count(),
                await page.getByRole('main').or(page.frameLocator('#second').owner()).getAttribute('id')];"""),
            ["Deep", "in second", "in first", "in second", "in second", "second", 1, "second"])

    def test_frames_that_come_and_go(self):
        self.show("<script>setTimeout(() => { document.body.innerHTML = '<iframe name=late srcdoc=\"<button>ok</button>\"></iframe>'; }, 200)</script>")
        self.assertEqual(self.value("""
            await page.frameLocator('[name=late]').getByRole('button').click();
            const late = page.frame('late');
            const before = late.isDetached();
            await page.evaluate(() => document.querySelector('iframe').remove());
            await page.waitForTimeout(50);
            const caught = await late.click('button', { timeout: 500 }).catch(error => error.message);
            return [before, late.isDetached(), page.frames().length, late.name(), /detached/i.test(caught)];"""),
            [False, True, 1, "late", True])

    def test_handles_of_what_has_gone(self):
        """The document of the first two and the frame of the third do not exist any more, so neither do the numbers of their elements."""
        self.show(FRAMES)
        self.assertEqual(self.value(f"""
            const gone = await page.$('h1'), framed = await page.frame('second').$('p');
            await page.goto({json.dumps(self.site.page(FRAMES))});
            const removed = await page.frame('second').$('p');
            await page.evaluate(() => document.querySelector('#second').remove());
            const errors = [];
            for (const handle of [gone, framed, removed])
                for (const method of ['click', 'textContent', 'boundingBox', 'screenshot'])
                    errors.push(await handle[method]({{ timeout: 500 }}).then(() => 'none', error => error.message.includes('not attached to the DOM')));
            return errors;"""), [True] * 12)
        self.assertIn("waiting for locator('e999')", self.error("await page.click('e999', { timeout: 100 })"))

    def test_a_frame_waits_and_fails_by_its_name(self):
        self.show(FRAMES)
        self.assertEqual(self.error("await page.frame('first').click('q', { timeout: 100 })"),
                         "TimeoutError: frame.click: Timeout 100ms exceeded.\nCall log:\n  - waiting for locator('q')")
        self.assertEqual(self.error("await page.frame('first').waitForSelector('q', { timeout: 100 })"),
                         "TimeoutError: frame.waitForSelector: Timeout 100ms exceeded.\nCall log:\n  - waiting for locator('q') to be visible")

    def test_navigation_of_a_frame(self):
        self.show("<iframe name=f srcdoc=one></iframe>")
        url = self.site.page("<p>other</p>", title="Other")
        self.assertEqual(self.value(f"""
            const f = page.frame('f');
            await f.goto({json.dumps(url)});
            await f.waitForLoadState();
            return [f.url(), await f.textContent('p'), await f.title() === await f.evaluate(() => document.title), page.url() === f.url()];"""), [url, "other", True, False])
        self.assertEqual(self.value("await page.mainFrame().goto('data:text/html,x'); return page.url()"), "data:text/html,x")


class Actions(CodeCase):
    def test_position(self):
        self.show(TARGETS)
        self.assertEqual(self.value("""
            await page.click('#pad', { position: { x: 3, y: 4 } });
            await page.locator('#pad').click({ position: { x: 50, y: 60 }, button: 'right' });
            await page.locator('#pad').dblclick({ position: { x: 10, y: 20 } });
            return await page.evaluate(() => seen.filter(([type]) => /click|menu/.test(type)).map(e => e.slice(0, 6)));"""),
            [["click", "pad", 3, 4, 0, 1], ["contextmenu", "pad", 50, 60, 2, 0], ["auxclick", "pad", 50, 60, 2, 1],
             ["click", "pad", 10, 20, 0, 1], ["click", "pad", 10, 20, 0, 2], ["dblclick", "pad", 10, 20, 0, 2]])
        self.assertEqual(self.value("""
            await page.evaluate(() => { seen.length = 0; });
            await page.hover('#pad', { position: { x: 9, y: 8 }, modifiers: ['Shift'] });
            return await page.evaluate(() => seen.map(e => e.slice(0, 4).concat(e[6])));""")[-1], ["mousemove", "pad", 9, 8, True])

    def test_trial_presses_nothing(self):
        self.show(TARGETS)
        self.assertEqual(self.value("""
            await page.click('#b', { trial: true });
            await page.check('#box', { trial: true });
            const checked = await page.isChecked('#box');
            const pressed = await page.evaluate(() => seen.filter(([type]) => type != 'mousemove').length);
            await page.click('#b');
            return [checked, pressed, await page.evaluate(() => seen.filter(([type]) => type == 'click').length)];"""), [False, 0, 1])
        self.show("<button disabled>off</button>")
        self.assertIn("Timeout 150ms exceeded", self.error("await page.click('button', { trial: true, timeout: 150 })"))

    def test_force_button_count_and_delay(self):
        self.show(TARGETS + "<div id=over style='position: fixed; inset: 0'></div>")
        self.assertIn("intercepts pointer events", self.error("await page.click('#b', { timeout: 200 })"))
        self.assertEqual(self.value("""
            await page.click('#b', { force: true });
            await page.evaluate(() => { over.remove(); seen.length = 0; });
            await page.click('#b', { clickCount: 2, button: 'middle', noWaitAfter: true });
            await page.locator('#b').click({ delay: 120, modifiers: ['Shift'] });
            const all = await page.evaluate(() => seen.filter(([, id]) => id == 'b').map(e => [e[0], e[4], e[5], e[6], e[7]]));
            const down = all.findLast(([type]) => type == 'mousedown'), up = all.findLast(([type]) => type == 'mouseup');
            return [all.map(e => e.slice(0, 4)), up[4] - down[4] >= 100];"""),
            [[["mousedown", 1, 1, False], ["mouseup", 1, 1, False], ["auxclick", 1, 1, False], ["mousedown", 1, 2, False],
              ["mouseup", 1, 2, False], ["auxclick", 1, 2, False],
              ["mousedown", 0, 1, True], ["mouseup", 0, 1, True], ["click", 0, 1, True]], True])

    def test_options_that_do_not_exist(self):
        self.show(TARGETS)
        self.assertEqual(self.error("await page.click('#b', { button: 'top' })"),
                         "Error: page.click: button: expected one of (left|right|middle)")

    def test_dragging(self):
        for how in ("await page.locator('#from').dragTo(page.locator('#to'), options)", "await page.dragAndDrop('#from', '#to', options)"):
            self.show(DRAG)
            self.assertEqual(self.value(f"""
                const options = {{ sourcePosition: {{ x: 11, y: 12 }}, targetPosition: {{ x: 21, y: 22 }} }};
                {how};
                return await page.evaluate(() => log);"""), [["start", 11, 12], ["drop", "cargo", 21, 22]])
        error = self.error("await page.dragAndDrop('#from', '#none', { timeout: 200 })")
        self.assertTrue(error.startswith("TimeoutError: page.dragAndDrop: Timeout 200ms exceeded.\nCall log:\n"), error)
        self.assertTrue(error.endswith("  - waiting for locator('#none')"), error)


class Views(CodeCase):
    def test_pictures(self):
        self.show("<body style='margin: 0; background: #00f'><div id=d style='width: 40px; height: 30px; background: red'></div><p style='height: 3000px'>")
        self.assertEqual(self.value("""
            const size = png => [png[18] * 256 + png[19], png[22] * 256 + png[23]];
            const whole = await page.screenshot({ fullPage: true });
            return [size(await page.screenshot({ clip: { x: 10, y: 5, width: 50, height: 20 } })),
                size(await page.screenshot({ clip: { x: 0, y: 2000, width: 50, height: 20 }, fullPage: true })), size(whole)[1] > 3000,
                size(await page.locator('#d').screenshot({ type: 'png', scale: 'css' })),
                [...(await page.screenshot({ type: 'jpeg', quality: 20 })).subarray(0, 2)],
                (await page.screenshot({ type: 'jpeg', quality: 5 })).length < (await page.screenshot({ type: 'jpeg', quality: 95 })).length];"""),
            [[50, 20], [50, 20], True, [40, 30], [255, 216], True])
        for options, text in (("{ clip: { x: 0, y: 0, width: 0, height: 10 } }", "Expected options.clip.width to be greater than 0."),
                              ("{ quality: 10 }", "options.quality is unsupported for the png screenshots"),
                              ("{ type: 'gif' }", "type: expected one of (png|jpeg|webp)"),
                              ("{ scale: 'big' }", "scale: expected one of (css|device)"),
                              ("{ clip: { x: 0, y: 5000, width: 9, height: 9 } }", "Clipped area is either empty or outside the resulting image")):
            self.assertEqual(self.error(f"await page.screenshot({options})").splitlines()[0], f"Error: page.screenshot: {text}")

    def test_accessibility_snapshots(self):
        self.show("""<h2>Title</h2><div><span role=button tabindex=0>a <b>b</b></span></div><ul><li>one</li><li><a href='/x'>two</a></li></ul>
            <input placeholder=hint value=v><div aria-hidden=true>hidden</div><table><tr><td>c1<td>c2</table><button disabled aria-expanded=true>off</button>
            <div title=t>some <i>text</i></div>""")
        plain = ('- heading "Title" [level=2]\n- button "a b"\n- list:\n  - listitem: one\n  - listitem:\n    - link "two":\n      - /url: /x\n'
                 '- textbox "hint": v\n- table:\n  - rowgroup:\n    - row "c1 c2":\n      - cell "c1"\n      - cell "c2"\n'
                 '- button "off" [disabled] [expanded]\n- text: some text')
        self.assertEqual(self.value("return [await page.ariaSnapshot(), await page.locator('body').ariaSnapshot()]"), [plain, plain])
        self.assertEqual(self.value("return [await page.locator('li').first().ariaSnapshot(), await page.locator('ul').ariaSnapshot({ depth: 1 })]"),
                         ["- listitem: one", "- list:\n  - listitem: one\n  - listitem"])
        self.assertRegex(self.value("return await page.locator('li').first().ariaSnapshot({ mode: 'ai' })"), r"^- listitem \[ref=(f\d+)?e\d+\]: one$")
        self.assertEqual(self.error("await page.ariaSnapshot({ mode: 'x' })"), "Error: page.ariaSnapshot: mode: expected one of (ai|default)")
        self.assertIn("strict mode violation: locator('li') resolved to 2 elements", self.error("await page.locator('li').ariaSnapshot()"))


class Contexts(CodeCase):
    def test_cookies(self):
        self.show("<p>")
        self.assertEqual(self.value("""
            const context = page.context(), url = page.url();
            const names = async () => (await context.cookies()).map(c => c.name).sort();
            await context.clearCookies();
            await context.addCookies([{ name: 'a', value: '1', url }, { name: 'b', value: '2', url, httpOnly: true }, { name: 'bb', value: '3', url }]);
            const all = await names();
            const seen = await page.evaluate(() => document.cookie);
            const [b] = (await context.cookies(url)).filter(c => c.name == 'b');
            await context.clearCookies({ name: /^b/ });
            const left = await names();
            await context.clearCookies();
            return [all, seen, b.httpOnly, b.value, left, await names()];"""), [["a", "b", "bb"], "a=1; bb=3", True, "2", ["a"], []])

    def test_permissions_and_geolocation(self):
        self.show("<p>")
        state = "await page.evaluate(name => navigator.permissions.query({ name }).then(p => p.state), 'geolocation')"
        place = "new Promise((ok, no) => navigator.geolocation.getCurrentPosition(p => ok([p.coords.latitude, p.coords.longitude]), e => ok(e.message)))"
        self.assertEqual(self.value(f"""
            const context = page.context(), origin = new URL(page.url()).origin;
            await context.grantPermissions(['geolocation'], {{ origin }});
            await context.setGeolocation({{ latitude: 48.5, longitude: 9.25 }});
            const granted = {state}, where = await page.evaluate(() => {place});
            await context.setGeolocation({{ latitude: -1, longitude: 2, accuracy: 5 }});
            const other = await context.newPage();
            await other.goto(page.url());
            const there = await other.evaluate(() => {place});
            await other.close();
            await context.clearPermissions();
            return [granted, where, there, {state} === 'granted'];"""), ["granted", [48.5, 9.25], [-1, 2], False])
        for call, text in (("grantPermissions(['nope'])", "browserContext.grantPermissions: Unknown permission: nope"),
                           ("setGeolocation({ latitude: 200, longitude: 0 })",
                            "browserContext.setGeolocation: geolocation.latitude: precondition -90 <= LATITUDE <= 90 failed.")):
            self.assertEqual(self.error(f"await page.context().{call}"), f"Error: {text}")

    def test_header_fields(self):
        url = self.site.page("<p>ok")
        self.show("<p>")
        self.assertEqual(self.value(f"""
            const sent = async () => {{ const r = await page.goto({json.dumps(url)}); const h = await r.request().allHeaders(); return [h['x-one'], h['x-two']]; }};
            await page.context().setExtraHTTPHeaders({{ 'X-One': 'context', 'X-Two': 'context' }});
            const first = await sent();
            await page.setExtraHTTPHeaders({{ 'X-Two': 'page' }});
            const second = await sent();
            await page.setExtraHTTPHeaders({{}});
            await page.context().setExtraHTTPHeaders({{}});
            return [first, second, await sent()];"""), [["context", "context"], ["context", "page"], [None, None]])
        self.assertIn('Expected value of header "x" to be String, but "number" is found.', self.error("await page.setExtraHTTPHeaders({ x: 1 })"))

    def test_scripts_that_run_first(self):
        url = self.site.page("<script>document.title = [window.one, window.two, window.three].join();</script>")
        self.assertEqual(self.value(f"""
            await page.context().addInitScript(() => {{ window.one = 1; }});
            await page.addInitScript(value => {{ window.two = value; }}, {{ n: 2 }}.n);
            await page.addInitScript({{ content: 'window.three = 3' }});
            await page.goto({json.dumps(url)});
            const here = await page.title();
            const other = await page.context().newPage();
            await other.goto({json.dumps(url)});
            const there = await other.title();
            await other.close();
            return [here, there];"""), ["1,2,3", "1,,"])

    def test_scripts_that_run_first_have_a_limit(self):
        self.assertIn("too many or too long init scripts: there may be 64, and 4 MiB in all pages of a context", self.error("""
            const one = await page.context().newPage(), two = await page.context().newPage();
            try {
                for (let i = 0; i < 5; i++)
                    await (i % 2 ? one : two).addInitScript({ content: '//' + 'x'.repeat(900000) });
            } finally {
                await one.close();
                await two.close();
            }"""))

    def test_media(self):
        self.show("<p>")
        matches = "await page.evaluate(() => ['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(forced-colors: active)'].map(q => matchMedia(q).matches))"
        self.assertEqual(self.value(f"""
            await page.emulateMedia({{ media: 'print', colorScheme: 'dark' }});
            const first = {matches};
            await page.emulateMedia({{ reducedMotion: 'reduce', forcedColors: 'active', media: null }});
            const second = {matches};
            await page.emulateMedia({{ colorScheme: null, reducedMotion: null, forcedColors: null }});
            return [first, second, {matches}];"""), [[True, True, False, False], [False, True, True, True], [False] * 4])
        self.assertEqual(self.error("await page.emulateMedia({ media: 'tv' })"), "Error: page.emulateMedia: media: expected one of (screen|print|no-override)")

    def test_size(self):
        self.show("<p>")
        self.assertEqual(self.value("""
            await page.setViewportSize({ width: 640, height: 481 });
            const size = [page.viewportSize(), await page.evaluate(() => [innerWidth, innerHeight])];
            await page.setViewportSize({ width: 1280, height: 720 });
            return size;"""), [{"width": 640, "height": 481}, [640, 481]])

    def test_printing(self):
        self.show("<p>one</p><p style='break-before: page'>two</p>")
        self.assertEqual(self.value("""
            const all = await page.pdf({ path: 'out.pdf', format: 'A4' }), first = await page.pdf({ pageRanges: '1', margin: { top: '1cm' }, width: '5in', height: 300 });
            return [all.subarray(0, 5).toString(), first.toString('latin1').startsWith('%PDF-'), all.length > first.length];"""), ["%PDF-", True, True])
        self.assertEqual((self.folder / "out.pdf").read_bytes()[:5], b"%PDF-")
        self.assertEqual(self.error("await page.pdf({ format: 'A9' })"), "Error: page.pdf: Unknown paper format: A9")


if __name__ == "__main__":
    main()
