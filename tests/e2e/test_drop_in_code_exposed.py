"""browser_run_code_unsafe as a client of @playwright/mcp sees it: functions of the code that pages can call."""
import json

from support.case import main
from support.code_case import CodeCase


class Exposed(CodeCase):
    """Exposed functions stay with the session: each test has names and tabs of its own."""

    def setUp(self):
        self.ask("browser_tabs", action="new")
        self.show("<p>start")

    def test_a_page_calls_the_code(self):
        self.assertEqual(self.value("""
            await page.exposeFunction('add', (a, b) => a + b);
            await page.exposeFunction('later', async x => { await page.waitForTimeout(1); return [x]; });
            return page.evaluate(async () => [await add(1, 2), await add('a', 'b'), (await later({ a: null })), await later()]);"""),
            [3, "ab", [{"a": None}], [None]])

    def test_it_stays_after_the_run_and_in_later_documents(self):
        self.value("globalThis.count = 0; await page.exposeFunction('counted', () => ++count)")
        evaluate = "async () => [await counted(), await counted()]"
        self.assertEqual(json.loads(self.ask("browser_evaluate", function=evaluate).result), [1, 2])
        self.show("<script>counted().then(n => document.title = n)</script>")
        self.assertEqual(self.value("await page.waitForFunction(() => document.title === '3'); return page.title()"), "3")
        self.assertEqual(json.loads(self.ask("browser_evaluate", function=evaluate).result), [4, 5])

    def test_values_of_all_kinds(self):
        self.assertEqual(self.value("""
            await page.exposeFunction('same', x => x);
            return page.evaluate(async () => {
                const date = await same(new Date(5)), list = await same([1, [2, { a: 'ü\\u2028"' }]]), all = await same({ n: -1.5, t: true });
                return [date instanceof Date && date.getTime(), list, all, await same() === undefined, await same(null) === null];
            });"""), [5, [1, [2, {"a": 'ü\u2028"'}]], {"n": -1.5, "t": True}, True, True])

    def test_long_arguments(self):
        self.assertEqual(self.value("""
            await page.exposeFunction('measure', text => text.length);
            return page.evaluate(() => Promise.all(['ü'.repeat(1e6), 'x'.repeat(2e6)].map(text => measure(text).catch(e => e.message))));"""),
            [1000000, "measure: arguments of 2000010 characters are too long: 1048576 can pass"])

    def test_the_code_knows_how_the_pages_are_when_it_is_called(self):
        self.show("<iframe name=removed srcdoc='<p>inner'></iframe>")
        self.ask("browser_tabs", action="new")
        self.show("<p>other")
        self.assertEqual(self.value("""
            const other = page, first = page.context().pages().find(p => p.frame('removed')), seen = [];
            await page.context().exposeFunction('look', () => {
                seen.push([first.url().split('#')[1], first.frames().map(f => f.name()).join(), other.url().split('#')[1], other.isClosed()].join('|'));
            });
            const say = async (p, change) => { await p.evaluate(change); await first.evaluate(() => look()); };
            await say(first, () => 0);
            await say(first, () => { location.hash = 'a'; });
            await say(other, () => { location.hash = 'b'; });
            await say(first, () => { document.querySelector('iframe').remove(); });
            await other.close();
            await say(first, () => 0);
            return seen;"""), ["|,removed||false", "a|,removed||false", "a|,removed|b|false", "a||b|false", "a||b|true"])

    def test_a_page_that_waits_for_a_response_beside_large_results(self):
        """A page takes no results while it waits, and it is not answered only when it has taken them."""
        self.assertEqual(self.value("""
            const calls = [];
            await page.exposeFunction('large', () => { calls.shift()(); return 'x'.repeat(2e6); });
            const called = [1, 2].map(() => new Promise(resolve => calls.push(resolve)));
            await page.route('**/waited', async route => { await Promise.all(called); await page.context().cookies(); await route.fulfill({ body: 'ok' }); });
            return page.evaluate(() => {
                large(), large();
                const request = new XMLHttpRequest();
                request.open('GET', '/waited', false);
                request.send();
                return request.responseText;
            });"""), "ok")

    def test_long_addresses_are_cut(self):
        self.show("<script>history.replaceState(0, '', '#' + 'x'.repeat(1e5))</script>")
        self.assertEqual(self.value("return page.url().length"), 64 << 10)

    def test_what_the_code_throws(self):
        self.assertEqual(self.value("""
            await page.exposeFunction('fails', () => { throw new TypeError('of the code'); });
            await page.exposeFunction('rejects', async () => { throw 'a text'; });
            return page.evaluate(() => Promise.all([
                fails().catch(e => [e.name, e.message, e instanceof Error]), rejects().catch(e => e),
            ]));"""), [["TypeError", "of the code", True], "a text"])

    def test_a_binding_gets_its_source(self):
        self.show("<iframe name=inner srcdoc='<p>inner'></iframe>")
        self.assertEqual(self.value("""
            await page.exposeBinding('where', ({ page: p, frame, context }, word) => [p === page, frame.name(), context === page.context(), word]);
            const inner = page.frame('inner');
            return [await page.evaluate(() => where('a')), await inner.evaluate(() => where('b'))];"""),
            [[True, "", True, "a"], [True, "inner", True, "b"]])

    def test_functions_of_the_context_are_in_all_pages(self):
        self.assertEqual(self.value("""
            const context = page.context(), before = page;
            await context.exposeFunction('ofAll', x => x * 2);
            const after = await context.newPage();
            await after.goto('%s');
            const values = [await before.evaluate(() => ofAll(2)), await after.evaluate(() => ofAll(3))];
            await after.close();
            return values;""" % self.site.page("<p>other")), [4, 6])

    def test_frames_of_other_sites(self):
        other = self.site.page("<p>other").replace("127.0.0.1", "localhost")
        self.show(f"<iframe name=other src='{other}'></iframe>")
        self.assertEqual(self.value("""
            await page.exposeFunction('fromAfar', x => 'got ' + x);
            const frame = page.frame('other');
            await frame.waitForLoadState();
            return frame.evaluate(() => fromAfar('it'));"""), "got it")

    def test_names_that_are_taken(self):
        self.assertEqual(self.value("""
            const context = page.context(), said = [];
            await page.exposeFunction('taken', () => 0);
            await context.exposeFunction('takenByAll', () => 0);
            for (const step of [() => page.exposeFunction('taken', () => 1), () => page.exposeBinding('takenByAll', () => 1),
                                () => context.exposeFunction('taken', () => 1), () => context.exposeBinding('takenByAll', () => 1),
                                () => page.exposeFunction(5, () => 1)])
                said.push(await step().then(() => null, error => error.message));
            return said;"""), [
                'page.exposeFunction: Function "taken" has been already registered',
                'page.exposeBinding: Function "takenByAll" has been already registered in the browser context',
                'browserContext.exposeFunction: Function "taken" has been already registered in one of the pages',
                'browserContext.exposeBinding: Function "takenByAll" has been already registered',
                "page.exposeFunction: name: expected string, got number"])

    def test_names_of_the_language(self):
        """The page gets what it was given, and nothing of the server's own is replaced."""
        self.assertEqual(self.value("""
            await page.exposeFunction('WeakRef', () => 'exposed');
            await page.reload();
            return [await page.evaluate(() => WeakRef()), await page.getByText('start').textContent()];"""), ["exposed", "start"])

    def test_many_calls_at_a_time(self):
        self.assertEqual(self.value("""
            await page.exposeFunction('half', x => x / 2);
            return page.evaluate(async () => (await Promise.all([...Array(80).keys()].map(n => half(n)))).reduce((a, b) => a + b));"""), 1580)


if __name__ == "__main__":
    main()
