"""browser_run_code_unsafe as a client of @playwright/mcp sees it: routes with handlers, requests of the code, offline, storage state."""
import json
import pathlib

from support.case import main
from support.code_case import CodeCase
from support.pages import Response

DATA = "<title>Data</title><p>from the server"


class NetworkCase(CodeCase):
    args = ("--caps", "network")

    def echo(self, path="/echo"):
        """An address that answers with what it got."""
        return self.site.route(path, lambda q: Response("" if q.method == "HEAD" else json.dumps({
            "method": q.method, "body": q.body.decode("latin1"), "query": q.query, "cookie": q.cookie,
            "headers": {name.lower(): value for name, value in q.headers.items()}}), content_type="application/json",
            headers=[("X-Echo", "yes")]))


class Routes(NetworkCase):
    def tearDown(self):
        self.run_code("await page.unrouteAll(); await page.context().unrouteAll();")

    def text(self, path):
        return self.evaluate(f"async () => (await fetch('{path}')).text()")

    def test_a_handler_answers_after_its_run_too(self):
        self.show("start")
        self.assertIsNone(self.value("await page.route('**/mocked', route => route.fulfill({ json: { a: [1, 2] } }));"))
        self.assertEqual(self.evaluate("async () => { const r = await fetch('/mocked'); return [r.status, r.headers.get('content-type'), await r.json()]; }"),
                         [200, "application/json", {"a": [1, 2]}])
        self.assertEqual(self.value("return page.evaluate(async () => (await fetch('/mocked')).json())"), {"a": [1, 2]})
        self.assertIsNone(self.value("await page.unroute('**/mocked')"))
        self.assertEqual(self.evaluate("async () => (await fetch('/mocked')).status"), 404)

    def test_what_fulfill_takes(self):
        self.show("start")
        (self.folder / "answer.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
        self.value("""
            await page.route('**/plain', route => route.fulfill({ status: 201, headers: { 'X-Own': 'one', 'Content-Type': 'text/custom' }, body: 'körper' }));
            await page.route('**/typed', route => route.fulfill({ contentType: 'application/x-own', body: 'x' }));
            await page.route('**/file', route => route.fulfill({ path: '%s' }));
            await page.route('**/empty', route => route.fulfill());""" % (self.folder / "answer.svg"))
        self.assertEqual(self.evaluate("""async () => Promise.all(['/plain', '/typed', '/file', '/empty'].map(async path => {
            const r = await fetch(path);
            return [r.status, r.headers.get('x-own'), r.headers.get('content-type'), (await r.text()).slice(0, 6)];
        }))"""), [[201, "one", "text/custom", "körper"], [200, None, "application/x-own", "x"], [200, None, "image/svg+xml", "<svg x"],
                  [200, None, None, ""]])

    def test_urls_as_glob_expression_and_predicate(self):
        self.show("start")
        self.value(r"""
            await page.route('**/a/*.{png,txt}', route => route.fulfill({ body: 'glob' }));
            await page.route(/\/b\/\d+$/, route => route.fulfill({ body: 'expression' }));
            await page.route(url => url.searchParams.get('c') === '1', route => route.fulfill({ body: 'predicate' }));""")
        self.assertEqual([self.text(path) for path in ("/a/x.txt", "/b/12", "/any?c=1")], ["glob", "expression", "predicate"])
        self.assertEqual(self.evaluate("async () => Promise.all(['/a/b/x.txt', '/b/1x', '/any?c=2'].map(async p => (await fetch(p)).status))"),
                         [404, 404, 404])
        self.value(r"await page.unroute(/\/b\/\d+$/)")
        self.assertEqual(self.evaluate("async () => (await fetch('/b/12')).status"), 404)

    def test_times_and_order(self):
        self.show("start")
        self.value("""
            await page.context().route('**/turn', route => route.fulfill({ body: 'context' }));
            await page.route('**/turn', route => route.fulfill({ body: 'page' }));
            await page.route('**/turn', route => route.fulfill({ body: 'twice' }), { times: 2 });""")
        self.assertEqual([self.text("/turn") for _ in range(3)], ["twice", "twice", "page"])
        self.value("await page.unrouteAll({ behavior: 'wait' })")
        self.assertEqual(self.text("/turn"), "context")

    def test_requests_that_are_changed(self):
        self.echo()
        self.echo("/other")
        self.show("start")
        self.value("""
            await page.route('**/echo', route => route.continue({
                method: 'PUT', postData: 'changed', headers: { ...route.request().headers(), 'x-added': 'yes', 'x-gone': undefined },
            }));
            await page.route('**/elsewhere', route => route.continue({ url: route.request().url().replace('elsewhere', 'other') }));""")
        got = self.evaluate("async () => (await fetch('/echo', { method: 'POST', body: 'sent', headers: { 'X-Gone': '1', 'X-Kept': '2' } })).json()")
        self.assertEqual([got["method"], got["body"], got["headers"].get("x-added"), got["headers"].get("x-gone"), got["headers"].get("x-kept")],
                         ["PUT", "changed", "yes", None, "2"])
        self.assertEqual(self.evaluate("async () => { const r = await fetch('/elsewhere'); return [r.url.endsWith('/elsewhere'), r.headers.get('x-echo')]; }"),
                         [True, "yes"])

    def test_handlers_that_fall_back(self):
        self.echo()
        self.show("start")
        self.assertEqual(self.value("""
            const seen = [];
            await page.route('**/echo', route => { seen.push(['first', route.request().headers()['x-by'], route.request().method()]); route.fallback(); });
            await page.route('**/echo', route => { seen.push(['second']); route.fallback({ method: 'POST', headers: { 'x-by': 'second' }, postData: 'text' }); });
            const got = await page.evaluate(async () => (await fetch('/echo')).json());
            return [seen, got.method, got.body, got.headers['x-by']];"""),
            [[["second"], ["first", "second", "POST"]], "POST", "text", "second"])

    def test_handlers_get_what_other_routes_have_changed(self):
        self.echo()
        self.show("start")
        self.value("""
            await page.context().route('**/echo', route => route.fallback({ headers: { ...route.request().headers(), 'x-last': '1' } }));
            await page.context().route('**/echo', route => {
                const { 'x-gone': gone, ...headers } = route.request().headers();
                return route.fallback({ headers: { ...headers, 'x-saw': gone } });
            });""")
        self.addCleanup(self.ask, "browser_unroute")
        self.ask("browser_route", pattern="**/echo", headers=["X-Gone: there", "X-Stays: 1"])
        headers = self.evaluate("async () => (await (await fetch('/echo')).json()).headers")
        self.assertEqual({name: headers.get(name) for name in ("x-gone", "x-saw", "x-stays", "x-last")},
                         {"x-gone": None, "x-saw": "there", "x-stays": "1", "x-last": "1"})

    def test_the_request_of_a_route(self):
        self.show("<iframe name=inner srcdoc='<p>inner'></iframe>")
        self.assertEqual(self.value("""
            const seen = [];
            await page.route('**/seen*', route => {
                const r = route.request();
                seen.push([new URL(r.url()).pathname, r.method(), r.postData(), r.headers()['content-type'] ?? null, r.resourceType(), r.isNavigationRequest(),
                    r.frame().name(), r.frame() === page.mainFrame()]);
                return route.fulfill({ body: '' });
            });
            await page.evaluate(() => fetch('/seen1', { method: 'POST', body: JSON.stringify({ a: 1 }), headers: { 'Content-Type': 'application/json' } }));
            await page.frame('inner').evaluate(() => new Promise(done => { const x = new XMLHttpRequest(); x.onloadend = done; x.open('GET', '/seen2'); x.send(); }));
            await page.evaluate(() => new Promise(done => Object.assign(new Image(), { onerror: done, src: '/seen3' })));
            await page.goto(new URL('/seen4', page.url()).href);
            return seen;"""),
            [["/seen1", "POST", '{"a":1}', "application/json", "fetch", False, "", True], ["/seen2", "GET", None, None, "xhr", False, "inner", False],
             ["/seen3", "GET", None, None, "image", False, "", True], ["/seen4", "GET", None, None, "document", True, "", True]])

    def test_requests_that_are_aborted(self):
        self.show("start")
        self.value("await page.route('**/gone', route => route.abort('connectionrefused')); await page.route('**/lost', route => route.abort());")
        self.assertEqual(self.evaluate("() => Promise.all(['/gone', '/lost'].map(p => fetch(p).catch(e => e.message)))"), ["Failed to fetch"] * 2)
        self.assertEqual(self.value("return page.goto(new URL('/gone', page.url()).href).catch(e => e.message.split('\\n')[0].split(' at ')[0])"),
                         "page.goto: net::ERR_CONNECTION_REFUSED")

    def test_a_route_that_fetches(self):
        url = self.site.route("/real", Response('{"real": true}', content_type="application/json", headers=[("X-Server", "own")]))
        self.show("start")
        self.value("""
            await page.route('**/real', async route => {
                const response = await route.fetch();
                await route.fulfill({ response, json: { ...await response.json(), mocked: true } });
            });
            await page.route('**/alias', async route => route.fulfill({ response: await route.fetch({ url: '%s' }) }));""" % url)
        self.assertEqual(self.evaluate("async () => Promise.all(['/real', '/alias'].map(async p => { const r = await fetch(p); return [r.headers.get('x-server'), await r.json()]; }))"),
                         [["own", {"real": True, "mocked": True}], ["own", {"real": True}]])

    def test_a_document_and_its_parts(self):
        self.value("""
            await page.context().route('http://site.test/**', route => route.request().url().endsWith('.js')
                ? route.fulfill({ contentType: 'text/javascript', body: 'document.title = "By script"' })
                : route.fulfill({ contentType: 'text/html', body: '<script src=/s.js></script><h1>Mocked</h1>' }));""")
        answer = self.ask("browser_navigate", url="http://site.test/index")
        self.assertIn("- Page Title: By script", answer.text)
        self.assertIn("Mocked", self.ask("browser_snapshot").text)

    def test_one_answer_only(self):
        self.show("start")
        self.assertEqual(self.value("""
            let message;
            await page.route('**/once', async route => { await route.fulfill({ body: 'x' }); message = await route.continue().catch(e => e.message); });
            await page.evaluate(async () => (await fetch('/once')).text());
            await page.unrouteAll({ behavior: 'wait' });
            return message;"""), "Route is already handled!")


class Requests(NetworkCase):
    def test_responses(self):
        url = self.site.route("/answer", Response('{"a": 1}', status=201, content_type="application/json", headers=[("X-Own", "1"), ("X-Own", "2")]))
        self.assertEqual(self.value("""
            const r = await page.request.get('%s');
            return [r.ok(), r.status(), r.statusText(), r.url() === '%s', r.headers()['x-own'], r.headersArray().filter(h => h.name === 'X-Own').length,
                await r.json(), await r.text(), (await r.body()).length, page.request === page.context().request];""" % (url, url)),
            [True, 201, "Created", True, "1, 2", 2, {"a": 1}, '{"a": 1}', 8, True])
        self.assertEqual(self.error(f"const r = await page.request.get('{url}'); await r.dispose(); await r.text();"),
                         "Error: apiResponse.text: Response has been disposed")

    def test_methods_bodies_and_parameters(self):
        url = self.echo()
        got = self.value("""
            const { request } = page, url = '%s', send = async promise => { const { method, body, query, headers } = await (await promise).json(); return [method, body, headers['content-type'] ?? null, query]; };
            return [
                await send(request.get(url, { params: { a: 'x y', b: 2 } })), await send(request.post(url, { data: { k: [1] } })),
                await send(request.put(url, { data: 'text', headers: { 'Content-Type': 'text/own' } })), await send(request.fetch(url, { method: 'post', form: { a: '1 2', b: 'ü' } })),
                await send(request.post(url, { data: 'text' })), (await request.head(url)).headers()['x-echo'],
            ];""" % url)
        self.assertEqual(got, [["GET", "", None, {"a": "x y", "b": "2"}], ["POST", '{"k":[1]}', "application/json", {}], ["PUT", "text", "text/own", {}],
                               ["POST", "a=1+2&b=%C3%BC", "application/x-www-form-urlencoded", {}], ["POST", "text", "application/octet-stream", {}], "yes"])

    def test_multipart(self):
        url = self.echo()
        body = self.value(f"""
            const file = {{ name: 'f.txt', mimeType: 'text/x-own', buffer: await (await page.request.get('{self.site.route("/inside", "inside")}')).body() }};
            return (await (await page.request.post('{url}', {{ multipart: {{ field: 'value', file }} }})).json()).body""")
        boundary = body.split("\r\n")[0]
        fields = [part.strip("\r\n").split("\r\n\r\n") for part in body.split(boundary)[1:3]]
        self.assertEqual([value for _, value in fields], ["value", "inside"])
        self.assertRegex(fields[0][0].lower(), r'^content-disposition: form-data; name="field"$')
        self.assertRegex(fields[1][0].lower(), r'content-disposition: form-data; name="file"; filename="f.txt"\r\ncontent-type: text/x-own')

    def test_cookies_of_the_session(self):
        url = self.echo()
        self.site.route("/login", Response("in", headers=[("Set-Cookie", "id=7; Path=/; SameSite=Strict; HttpOnly")]))
        self.show("start")
        self.value("await page.context().addCookies([{ name: 'given', value: '1', url: '%s' }]); await page.request.get(new URL('/login', '%s').href);" % (url, url))
        self.assertEqual(self.value("return (await (await page.request.get('%s')).json()).cookie.split('; ').sort()" % url), ["given=1", "id=7"])
        self.assertEqual(self.evaluate("async () => (await (await fetch('/echo')).json()).cookie.split('; ').sort()"), ["given=1", "id=7"])
        self.value("await page.context().clearCookies()")

    def test_redirects(self):
        target = self.echo()
        url = self.site.route("/moved", Response(status=302, headers=[("Location", "/echo")]))
        kept = self.site.route("/kept", Response(status=307, headers=[("Location", "/echo")]))
        loop = self.site.route("/loop", Response(status=302, headers=[("Location", "/loop")]))
        self.assertEqual(self.value("""
            const seen = async promise => { const r = await promise, { method, body } = await r.json(); return [r.url(), method, body]; };
            const first = await page.request.get('%s', { maxRedirects: 0 });
            return [await seen(page.request.post('%s', { data: 'x' })), await seen(page.request.post('%s', { data: 'x' })), first.status(), first.headers().location];"""
            % (url, url, kept)), [[target, "GET", ""], [target, "POST", "x"], 302, "/echo"])
        self.assertIn("Max redirect count exceeded", self.error(f"await page.request.get('{loop}', {{ maxRedirects: 3 }})"))

    def test_failures(self):
        missing = self.site.url("/missing")
        held, release = self.site.held()
        self.addCleanup(release.set)
        self.assertEqual(self.value(f"const r = await page.request.get('{missing}'); return [r.ok(), r.status()]"), [False, 404])
        for body, text in ((f"get('{missing}', {{ failOnStatusCode: true }})", "Error: apiRequestContext.get: 404 Not Found"),
                           ("get('/relative')", "TypeError: apiRequestContext.get: Invalid URL"),
                           ("post('file:///etc/passwd')", 'TypeError: apiRequestContext.post: Protocol "file:" not supported. Expected "http:"'),
                           (f"get('{held}', {{ timeout: 100 }})", "TimeoutError: apiRequestContext.get: Timeout 100ms exceeded."),
                           (f"post('{missing}', {{ data: 1, form: {{}} }})",
                            "Error: apiRequestContext.post: Only one of 'data', 'form' or 'multipart' can be specified")):
            self.assertEqual(self.error(f"await page.request.{body}"), text)

    def test_several_at_a_time(self):
        url = self.site.barrier(3, "together")
        self.assertEqual(self.value(f"return Promise.all([1, 2, 3].map(async () => (await page.request.get('{url}')).text()))"), ["together"] * 3)
        self.assertNotIn("- 1:", self.ask("browser_tabs", action="list").result)

    def test_routes_do_not_answer_them(self):
        url = self.site.route("/direct", "from the server")
        self.assertEqual(self.value("""
            await page.context().route('**/direct', route => route.fulfill({ body: 'from a route' }));
            const text = await (await page.request.get('%s')).text();
            await page.context().unrouteAll();
            return text;""" % url), "from the server")


class Context(NetworkCase):
    def test_offline(self):
        url = self.site.route("/online", lambda _: Response(DATA, headers=[("Cache-Control", "no-store")]))
        self.assertEqual(self.value("""
            const open = () => page.goto('%s').then(r => r.status(), e => e.message.split('\\n')[0].split(' at ')[0]);
            await open();
            await page.context().setOffline(true);
            const off = [await page.evaluate(() => navigator.onLine), await open()];
            await page.context().setOffline(false);
            return off;""" % url), [False, "page.goto: net::ERR_INTERNET_DISCONNECTED"])
        self.assertIn("Data", self.ask("browser_navigate", url=url).text)

    def test_storage_state(self):
        url = self.site.page("start")
        self.ask("browser_navigate", url=url)
        path = self.folder / "state.json"
        state = self.value("""
            await page.evaluate(() => localStorage.setItem('k', 'v'));
            await page.context().addCookies([{ name: 'c', value: '1', url: page.url() }]);
            return page.context().storageState({ path: '%s' });""" % path)
        self.assertEqual([(c["name"], c["value"]) for c in state["cookies"]], [("c", "1")])
        self.assertEqual(state["origins"], [{"origin": url.rpartition("/")[0], "localStorage": [{"name": "k", "value": "v"}]}])
        self.assertEqual(json.loads(pathlib.Path(path).read_text(encoding="utf-8")), state)
        self.value("await page.context().clearCookies(); await page.evaluate(() => localStorage.clear());")


if __name__ == "__main__":
    main()
