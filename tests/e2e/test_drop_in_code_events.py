"""browser_run_code_unsafe as a client of @playwright/mcp sees it: events of documents, frames, pages and of the context."""
from support.case import main
from support.code_case import CodeCase


class Events(CodeCase):
    def test_a_navigation(self):
        url = self.site.page("<p>next")
        self.show("<p>start")
        self.assertEqual(self.value("""
            const seen = [], names = ['framenavigated', 'domcontentloaded', 'load'];
            const listeners = names.map(name => value => seen.push([name, value === (name === 'framenavigated' ? page.mainFrame() : page)]));
            names.forEach((name, i) => page.on(name, listeners[i]));
            const loaded = page.waitForEvent('load');
            await page.goto('%s');
            await loaded;
            names.forEach((name, i) => page.off(name, listeners[i]));
            return seen;""" % url), [["framenavigated", True], ["domcontentloaded", True], ["load", True]])

    def test_frames(self):
        self.show("<p>start")
        self.assertEqual(self.value("""
            const attached = page.waitForEvent('frameattached');
            const navigated = page.waitForEvent('framenavigated', frame => frame.url() === 'about:srcdoc');
            await page.evaluate(() => { document.body.innerHTML = '<iframe name=added srcdoc="<p>1"></iframe>'; });
            const frame = await attached, same = await navigated === frame, name = frame.name(), before = frame.isDetached();
            const detached = page.waitForEvent('framedetached');
            await page.evaluate(() => document.querySelector('iframe').remove());
            return [same, name, before, await detached === frame, frame.isDetached()];"""), [True, "added", False, True, True])

    def test_a_page_that_closes(self):
        self.show("<p>start")
        self.assertEqual(self.value("""
            const other = await page.context().newPage(), seen = [];
            other.on('close', closed => seen.push(closed === other));
            const [closed] = await Promise.all([other.waitForEvent('close'), other.close()]);
            return [closed === other, closed.isClosed(), seen];"""), [True, True, [True]])

    def test_an_event_that_does_not_come(self):
        self.show("<p>start")
        self.assertEqual(self.value("return page.waitForEvent('load', { timeout: 50 }).catch(e => [e.name, e.message.split('\\n')[0]])"),
                         ["TimeoutError", 'page.waitForEvent: Timeout 50ms exceeded while waiting for event "load"'])

    def test_requests_of_all_pages_come_to_the_context(self):
        self.site.route("/data", "from the server")
        self.show("<p>start")
        self.assertEqual(self.value("""
            const context = page.context(), seen = [];
            const names = ['request', 'response', 'requestfinished'];
            const listeners = names.map(name => exchange => exchange.url().endsWith('/data') && seen.push(name));
            names.forEach((name, i) => context.on(name, listeners[i]));
            const finished = context.waitForEvent('requestfinished', request => request.url().endsWith('/data'));
            await page.evaluate(async () => (await fetch('/data')).text());
            await finished;
            const other = await context.newPage();
            const failed = context.waitForEvent('requestfailed');
            await other.goto('http://127.0.0.1:1/').catch(() => {});
            const request = await failed;
            await other.close();
            names.forEach((name, i) => context.off(name, listeners[i]));
            return [seen, request.url(), request.failure().errorText];"""),
            [["request", "response", "requestfinished"], "http://127.0.0.1:1/", "net::ERR_UNSAFE_PORT"])

    def test_messages_come_to_the_context(self):
        self.show("<p>start")
        self.assertEqual(self.value("""
            const [message] = await Promise.all([page.context().waitForEvent('console'), page.evaluate(() => console.warn('said'))]);
            return [message.type(), message.text(), message.page() === page];"""), ["warning", "said", True])


if __name__ == "__main__":
    main()
