"""Routes and requests of agents' code: what they cannot reach, how long handlers live, and what becomes of the requests that wait for them."""
import json
import re

from support.answers import text_of
from support.case import BrowserdCase, main
from support.engine import by_engine
from support.pages import Pages, Response


QUICK = ("--timeout-settle", "300")  # for requests that wait for a handler, and calls that wait for them


class CodeNetwork(BrowserdCase):
    """The server is shared; each test has sessions of its own."""

    @classmethod
    def setUpClass(cls):
        starter = cls()
        cls.shared = starter.start(*QUICK)
        cls.addClassCleanup(starter.doCleanups)

    def setUp(self):
        self.site = self.pages()
        self.session = self.created()

    def created(self):
        session = self.shared.call("create_session")["sessionId"]
        self.addCleanup(self.shared.start_call, "close_session", {"sessionId": session})
        return session

    def ask(self, client, tool, session=None, **arguments):
        session = session or (self.session if client is self.shared else None)
        result = client.start_call(tool, {**arguments, **({"sessionId": session} if session else {})}).result()
        return text_of(result), result.get("isError", False)

    def code(self, client, body, session=None):
        return self.ask(client, "browser_run_code_unsafe", session, code=f"async (page) => {{ {body} }}")

    def value(self, client, body, session=None):
        text, failed = self.code(client, body, session)
        self.assertFalse(failed, text)
        found = re.match(r"### Result\n(.*)\n### Ran", text)
        return json.loads(found[1]) if found else None

    def evaluate(self, client, function, session=None):
        text, failed = self.ask(client, "browser_evaluate", session, function=function)
        self.assertFalse(failed, text)
        return json.loads(re.match(r"### Result\n(.*)\n### Ran", text)[1])

    # ---- isolation ----

    def test_routes_of_a_session_are_not_asked_for_another(self):
        client = self.shared
        one, other = self.session, self.created()
        url = self.site.page("start")
        self.site.route("/data", "from the server")
        for session in (one, other):
            self.ask(client, "browser_navigate", session, url=url)
        self.value(client, "await page.context().route('**/*', route => route.fulfill({ body: 'from code' }));", one)
        fetched = "async () => (await fetch('/data')).text()"
        self.assertEqual([self.evaluate(client, fetched, s) for s in (one, other)], ["from code", "from the server"])
        self.value(client, "await page.unrouteAll(); await page.context().unrouteAll();", other)
        self.assertEqual(self.evaluate(client, fetched, one), "from code")

    def test_requests_have_the_cookies_of_their_session(self):
        client = self.shared
        one, other = self.session, self.created()
        url = self.site.route("/cookie", lambda q: q.cookie or "none")
        self.value(client, f"await page.context().addCookies([{{ name: 'who', value: 'one', url: '{url}' }}]);", one)
        read = f"return (await page.request.get('{url}')).text()"
        self.assertEqual([self.value(client, read, s) for s in (one, other)], ["who=one", "none"])

    def test_no_tab_appears(self):
        client = self.shared
        url = self.site.page("start")
        self.ask(client, "browser_navigate", url=url)
        self.assertEqual(self.value(client, f"await page.request.get('{url}'); return page.context().pages().length"), 1)
        self.assertNotIn("- 1:", self.ask(client, "browser_tabs", action="list")[0])
        self.assertEqual(self.value(client, f"""
            const opened = page.waitForEvent('popup');
            const [popup] = await Promise.all([opened, page.evaluate(() => {{ open('about:blank'); }}), page.request.get('{url}')]);
            return [page.context().pages().length, popup === page.context().pages()[1]];"""), [2, True])

    def test_what_is_fetched_runs_nothing_and_is_no_download(self):
        client = self.shared
        html = "<img src=/ran><iframe src=/ran></iframe><meta http-equiv=refresh content='0; url=/ran'><script>fetch('/ran')</script>"
        page = self.site.route("/page", Response(html, content_type="text/html"))
        file = self.site.route("/file", Response(bytes(range(256)), content_type="application/octet-stream",
                                                 headers=[("Content-Disposition", "attachment; filename=never.bin")]))
        nothing = self.site.route("/nothing", Response("", 204))
        self.assertEqual(self.value(client, f"""
            const got = [];
            for (const url of ['{page}', '{file}', '{page}#again', '{nothing}', '{file}'])
                got.push(await page.request.get(url));
            return [await got[0].text(), [...await got[1].body()], await got[2].text(), got[3].status(), (await got[4].body()).length];"""),
            [html, list(range(256)), html, 204, 256])
        self.assertEqual(self.site.requests("/ran"), [])
        self.assertNotIn("never.bin", self.ask(client, "browser_snapshot")[0])

    # ---- addresses ----

    def test_blocked_origins(self):
        bad = Pages()
        self.addCleanup(bad.close)
        secret = bad.route("/secret", "secret")
        moved = self.site.route("/moved", Response(status=302, headers=[("Location", secret)]))
        client = self.start("--blocked-origins", bad.url("").rstrip("/"))
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        for url in (secret, moved):
            text, failed = self.code(client, f"await page.request.get('{url}')")
            self.assertTrue(failed, text)
            self.assertIn("net::ERR_BLOCKED_BY_CLIENT", text)
        self.assertEqual(self.value(client, f"""
            await page.route('**/changed', route => route.continue({{ url: '{secret}' }}));
            await page.route('**/first', route => route.fallback({{ url: '{secret}' }}));
            await page.route('**/fetched', async route => route.fulfill({{ response: await route.fetch({{ url: '{secret}' }}) }}));
            return page.evaluate(() => Promise.all(['/changed', '/first', '/fetched'].map(p => fetch(p).then(r => r.text(), () => 'failed'))));"""),
            ["failed"] * 3)
        self.assertEqual(bad.requests("/secret"), [])

    def test_egress(self):
        bad = Pages()
        self.addCleanup(bad.close)
        secret = bad.route("/secret", "secret")
        client = self.start("--egress", f"loopback:{self.site.port}")
        self.assertEqual(self.value(client, f"return (await page.request.get('{self.site.route('/fine', 'fine')}')).text()"), "fine")
        text = self.code(client, f"return (await page.request.get('{secret}')).text()")[0]
        self.assertNotIn('"secret"', text)
        self.assertEqual(bad.requests("/secret"), [])

    def test_other_schemes(self):
        client = self.shared
        for url in ("file:///etc/hostname", "data:text/plain,x", "chrome://version", "blob:null/1"):
            text, failed = self.code(client, f"await page.request.get('{url}')")
            self.assertTrue(failed, text)
            self.assertIn("not supported", text)

    # ---- the life of handlers ----

    def test_a_handler_between_runs_answers_and_does_nothing_else(self):
        client = self.shared
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        self.value(client, """
            await page.route('**/title', async route => route.fulfill({ body: await page.title().catch(e => e.message) }));""")
        self.assertIn("has ended", self.evaluate(client, "async () => (await fetch('/title')).text()"))

    def test_a_handler_that_throws_fails_its_request(self):
        client = self.shared
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        self.value(client, "await page.route('**/thrown', () => { throw new Error('no'); });")
        self.assertEqual(self.evaluate(client, "() => fetch('/thrown').catch(e => e.message)"),
                         by_engine(chromium="Failed to fetch", firefox="NetworkError when attempting to fetch resource."))

    def test_requests_go_on_when_the_code_of_their_handler_is_ended(self):
        client = self.start("--timeout-navigation", "1500", *QUICK)
        self.site.route("/data", "from the server")
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        self.value(client, """
            await page.route('**/data', () => {});
            await page.evaluate(() => { window.got = fetch('/data').then(r => r.text()); });
            await page.waitForRequest('**/data', { timeout: 300 }).catch(() => {});""")
        text, failed = self.code(client, "for (;;);")
        self.assertTrue(failed, text)
        self.assertEqual(self.evaluate(client, "() => window.got"), "from the server")
        self.assertEqual(self.evaluate(client, "async () => (await fetch('/data')).text()"), "from the server")

    def test_a_session_that_ends_while_handlers_work(self):
        client = self.shared
        one, other = self.session, self.created()
        held, release = self.site.held("late")
        self.addCleanup(release.set)
        self.site.route("/data", "from the server")
        self.ask(client, "browser_navigate", one, url=self.site.page("start"))
        self.value(client, f"""
            await page.route('**/never', () => {{}});
            await page.context().route('**/slow', async route => route.fulfill({{ response: await route.fetch({{ url: '{held}' }}) }}));""", one)
        waiting = client.start_call("browser_evaluate", {"sessionId": one, "function": "() => Promise.all([fetch('/never'), fetch('/slow')])"})
        self.site.wait_request(held)
        client.call("close_session", sessionId=one)
        self.assertTrue(waiting.result()["isError"])
        self.assertEqual(self.value(client, f"return (await page.request.get('{self.site.url('/data')}')).text()", other), "from the server")

    def test_a_session_that_ends_while_code_works(self):
        client = self.shared
        held, release = self.site.held("late")
        self.addCleanup(release.set)
        waiting = client.start_call("browser_run_code_unsafe", {"sessionId": self.session, "code": f"""async page => {{
            await page.context().route('**/*', async route => route.fulfill({{ response: await route.fetch() }}));
            await Promise.all([page.goto('{held}'), page.request.get('{held}'), page.request.get('{self.site.url('/none')}')]);
        }}"""})
        self.site.wait_request(held)
        client.call("close_session", sessionId=self.session)
        self.assertTrue(waiting.result()["isError"])
        self.session = self.created()
        self.assertEqual(self.value(client, "return page.url()"), "about:blank")

    def test_a_browser_that_dies_while_handlers_work(self):
        client = self.start(*QUICK)
        held, release = self.site.held("late")
        self.addCleanup(release.set)
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        self.value(client, f"""
            await page.route('**/never', () => {{}});
            await page.route('**/slow', async route => route.fulfill({{ response: await route.fetch({{ url: '{held}' }}) }}));""")
        waiting = client.start_call("browser_evaluate", {"function": "() => Promise.all([fetch('/never'), fetch('/slow')])"})
        self.site.wait_request(held)
        client.browser().kill()
        self.assertTrue(waiting.result()["isError"])
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        self.assertEqual(self.evaluate(client, "async () => (await fetch('/never')).status"), 404)

    def test_many_requests_at_a_time(self):
        client = self.shared
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        self.value(client, "await page.route('**/many*', route => route.fulfill({ body: new URL(route.request().url()).search }));")
        self.assertEqual(self.evaluate(client, """async () => {
            const texts = await Promise.all(Array.from({ length: 200 }, (x, i) => fetch(`/many?${i}`).then(r => r.text())));
            return texts.every((text, i) => text === `?${i}`);
        }"""), True)

    # ---- exposed functions ----

    def test_calls_that_wait_are_limited(self):
        client = self.shared
        self.ask(client, "browser_navigate", self.session, url=self.site.page("start"))
        self.value(client, "await page.exposeFunction('never', () => new Promise(() => {})); await page.exposeFunction('now', x => x)")
        flood = "async () => { globalThis.failed = []; for (let i = 0; i < 500; i++) never().catch(e => failed.push(e.message)); }"
        text, failed = self.ask(client, "browser_evaluate", self.session, function=flood)
        self.assertFalse(failed, text)
        self.assertEqual(self.value(client, """
            await page.waitForFunction(() => failed.length >= 400);
            return page.evaluate(() => [failed.length, [...new Set(failed)], now(1).catch(e => 'refused')].slice(0, 2));"""),
            [400, ["too many calls wait for exposed functions"]])
        self.ask(client, "browser_navigate", self.session, url=self.site.page("next"))
        self.assertEqual(self.evaluate(client, "() => now(2)"), 2)  # those of documents that have gone wait no more

    def test_a_page_calls_nothing_but_what_it_was_given(self):
        client = self.shared
        self.ask(client, "browser_navigate", self.session, url=self.site.page("start"))
        self.value(client, """
            const other = await page.context().newPage();
            await other.exposeFunction('ofAnother', () => 'secret');
            await page.exposeFunction('own', () => 'own');""")
        self.assertEqual(self.value(client, """return page.evaluate(async () => {
            const { call } = globalThis[Symbol.for('browserd.exposed')], said = [];
            for (const [name, args] of [['own', []], ['ofAnother', []], ['constructor', []], ['own', 'no list'], [{}, []]])
                said.push(await call(name, args).catch(e => e.message));
            return [typeof browserdCall, ...said];
        })"""), ["undefined", "own", 'Function "ofAnother" is not exposed', 'Function "constructor" is not exposed', "the arguments are no list",
                 'Function "" is not exposed'])

    def test_code_that_is_aborted_answers_no_more(self):
        client = self.start("--timeout-navigation", "1500", *QUICK)
        self.ask(client, "browser_navigate", url=self.site.page("start"))
        self.value(client, """
            await page.exposeFunction('pending', () => new Promise(() => {}));
            await page.evaluate(() => { globalThis.said = pending().catch(e => e.message); });""")
        text, failed = self.code(client, "for (;;);")
        self.assertTrue(failed, text)
        self.assertEqual(self.value(client, "return page.evaluate(() => Promise.all([said, pending().catch(e => e.message)]))"),
                         ["the code of this function has ended"] * 2)


if __name__ == "__main__":
    main()
