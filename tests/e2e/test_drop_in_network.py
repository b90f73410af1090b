"""Routes and the network state under the name playwright-mcp (--caps network)."""
import json
import unittest

from support.case import main
from support.drop_in import REFERENCE, DropInCase, SharedDropInCase
from support.engine import ENGINE, by_engine, network_error
from support.pages import Response

# The status, reason, headers and text of a response.
FETCH = "() => fetch(%s).then(async r => [r.status, r.statusText, Object.fromEntries(r.headers), await r.text()], e => String(e))"


class NetworkCase(SharedDropInCase):
    args = ("--caps", "network")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site.route_folder("/api/", lambda request: Response(json.dumps({
            "method": request.method, "body": request.body.decode(), "path": request.path,
            "headers": {name.lower(): value for name, value in request.headers.items()}}), content_type="application/json"))

    def setUp(self):
        self.ask("browser_network_state_set", state="online")
        self.ask("browser_unroute")
        self.show("<p>network")

    def route(self, pattern, **more):
        answer = self.ask("browser_route", pattern=pattern, **more)
        self.assertFalse(answer.is_error, answer)
        return answer

    def fetch(self, url, options=None):
        arguments = json.dumps(url) + (", " + json.dumps(options) if options else "")
        return json.loads(self.ask("browser_evaluate", function=FETCH % arguments).result)

    def fetched(self, url, options=None):
        """What the server says of the request."""
        return json.loads(self.fetch(url, options)[3])


class Mocks(NetworkCase):
    def test_status_type_and_body(self):
        answer = self.route("**/api/items*", status=201, body='{"a":1}', contentType="application/json")
        self.assertEqual(answer.text, "### Result\nRoute added for pattern: **/api/items*\n### Ran Playwright code\n```js\n"
                         "await page.context().route('**/api/items*', async route => { /* route handler */ });\n```")
        self.assertEqual(self.fetch("/api/items?x=1"), [201, "Created", {"content-length": "7", "content-type": "application/json"},
                                                        '{"a":1}'])
        self.assertEqual(self.site.requests("/api/items"), [])

    def test_only_a_status(self):
        self.route("**/gone", status=410)
        self.assertEqual(self.fetch("/gone"), [410, "Gone", {}, ""])
        self.route("**/odd", status=299)
        self.assertEqual(self.fetch("/odd"), [299, "Unknown", {}, ""])
        self.route("**/zero", status=0)
        self.assertEqual(self.fetch("/zero"), [200, "OK", {}, ""])

    def test_only_a_body(self):
        self.route("**/text", body="häß\n'x'")
        self.assertEqual(self.fetch("/text"), [200, "OK", {"content-length": "9"}, "häß\n'x'"])
        self.route("**/empty", body="")
        self.assertEqual(self.fetch("/empty"), [200, "OK", {}, ""])

    def test_the_last_of_several_answers(self):
        for text in ("one", "two"):
            self.route("**/same", body=text)
        self.route("**/*", headers=["X-Passed: on"])
        self.assertEqual(self.fetched("/api/x")["headers"]["x-passed"], "on")
        self.assertEqual(self.ask("browser_unroute", pattern="**/*").result, "Removed 1 route(s) for pattern: **/*")
        self.assertEqual(self.fetch("/same")[3], "two")

    def test_documents(self):
        self.route("**/mocked", body="<title>Mine</title><h1>Mocked</h1>", contentType="text/html")
        for url in (self.site.url("/mocked"), self.site.url("/mocked#part"), "http://nowhere.example/mocked"):
            answer = self.ask("browser_navigate", url=url)
            self.assertIn(f"- Page URL: {url}\n- Page Title: Mine", answer.section("Page"))
        self.route("**/missing", status=404)
        self.assertIn("- HTTP status: 404 Not Found", self.ask("browser_navigate", url=self.site.url("/missing")).text)

    def test_frames_workers_and_new_tabs(self):
        self.route("**/inner", body="<p>inside of a frame", contentType="text/html")
        self.route("**/api/work", body="mocked for workers")
        self.show("<iframe src='/inner'></iframe>")
        self.assertIn("inside of a frame", self.ask("browser_snapshot").snapshot)
        worker = self.site.route("/worker.js", Response("fetch('/api/work').then(r => r.text()).then(postMessage)",
                                                        content_type="text/javascript"))
        self.assertEqual(self.ask("browser_evaluate", function=f"() => new Promise(done => {{ new Worker('{worker}').onmessage = "
                                  "event => done(event.data); })").result, '"mocked for workers"')
        self.ask("browser_tabs", action="new")
        self.show("<p>another tab")
        self.assertEqual(self.fetch("/api/work")[3], "mocked for workers")
        self.ask("browser_tabs", action="close")

    def test_requests_of_other_kinds(self):
        self.route("**/api/send", status=202, body="sent")
        self.assertEqual(self.ask("browser_evaluate", function="""() => new Promise(done => { const x = new XMLHttpRequest();
            x.open('POST', '/api/send'); x.onload = () => done(x.status + x.responseText); x.send('body'); })""").result, '"202sent"')
        self.route("**/style.css", body="p { color: rgb(1, 2, 3) }", contentType="text/css")
        self.show("<link rel=stylesheet href=/style.css><p>x")
        self.assertEqual(self.ask("browser_evaluate", function="() => getComputedStyle(document.querySelector('p')).color").result,
                         '"rgb(1, 2, 3)"')

    def test_other_origins_can_be_read(self):
        self.route("**/api/**", body="from elsewhere")
        other = self.site.url("/api/x", host="localhost")
        for options in (None, {"credentials": "include"}, {"method": "PUT", "headers": {"x-own": "1"}, "body": "b"}):
            self.assertEqual(self.fetch(other, options)[3], "from elsewhere", options)

    def test_requests_are_listed(self):
        self.route("**/teapot", status=418, body="tea")
        self.fetch("/teapot")
        self.assertIn(f"[GET] {self.site.url('/teapot')} => [418] I'm a teapot", self.ask("browser_network_requests").result)

    def test_arguments(self):
        for wrong, error in (
                ({}, "✖ Invalid input: expected string, received undefined\n  → at pattern"),
                ({"pattern": "x", "status": "200"}, "✖ Invalid input: expected number, received string\n  → at status"),
                ({"pattern": "x", "headers": "a: b"}, "✖ Invalid input: expected array, received string\n  → at headers"),
                ({"pattern": "x", "headers": ["none"]}, 'Invalid header "none": expected "Name: Value"'),
                ({"pattern": "x", "headers": [": v"]}, 'Invalid header ": v": expected "Name: Value"')):
            self.assertIn(error, self.ask("browser_route", **wrong).error)


class Patterns(NetworkCase):
    def matching(self, pattern, *paths):
        """Those of the paths that a route with the pattern answers."""
        self.ask("browser_unroute")
        self.route(pattern, body="matched")
        script = "() => Promise.all(%s.map(path => fetch(path).then(async r => await r.text() === 'matched' ? [path] : [])))"
        return sum(json.loads(self.ask("browser_evaluate", function=script % json.dumps(paths)).result), [])

    def test_stars(self):
        self.assertEqual(self.matching("**/*.png", "/a.png", "/b/c.png", "/a.png?x", "/a.pnge"), ["/a.png", "/b/c.png"])
        self.assertEqual(self.matching("**/a/*/c", "/a/b/c", "/a/b/b/c", "/a//c"), ["/a/b/c", "/a//c"])
        self.assertEqual(self.matching("**/d/**/f", "/d/f", "/d/e/f", "/d/e/e/f", "/df"), ["/d/f", "/d/e/f", "/d/e/e/f"])
        self.assertEqual(self.matching("", "/anything"), ["/anything"])
        self.assertEqual(self.matching("/relative", "/relative"), [])

    def test_groups_and_literals(self):
        self.assertEqual(self.matching("**/*.{png,jp*g}", "/a.png", "/a.jpeg", "/a.gif"), ["/a.png", "/a.jpeg"])
        self.assertEqual(self.matching("**/n{,x}", "/n", "/nx", "/ny"), ["/n", "/nx"])
        self.assertEqual(self.matching("**/q?a=*", "/q?a=1", "/qxa=1"), ["/q?a=1"])
        self.assertEqual(self.matching("**/s\\*", "/s*", "/sx"), ["/s*"])
        self.assertEqual(self.matching("**/[ab]", "/a", "/[ab]"), ["/[ab]"])

    def test_whole_addresses(self):
        base = self.site.url("")
        self.assertEqual(self.matching(base + "/exact", "/exact", "/exact?q", "/Exact", "/exact#h"), ["/exact", "/exact#h"])
        self.assertEqual(self.matching(base.upper() + "/a/../up", "/up", "/a/up"), ["/up"])
        self.assertEqual(self.matching("http*://127.0.0.1:*/x", "/x", "/y"), ["/x"])
        self.assertEqual(self.matching("{http,https}://**/deep", "/a/deep"), ["/a/deep"])

    def test_wrong_patterns(self):
        for pattern, reason in (("{a", "unmatched '{'"), ("a}", "unmatched '}'"), ("{a,{b}}", "nested '{' is not supported")):
            self.assertEqual(self.ask("browser_route", pattern=pattern).error,
                             f'Error: Invalid glob pattern "{pattern}": {reason}')


class Headers(NetworkCase):
    def test_added_replaced_and_removed(self):
        self.route("**/api/**", headers=["X-New: 1", " X-Page :  over:there ", "X-Empty:"], removeHeaders="X-Gone, x-other")
        headers = self.fetched("/api/h", {"headers": {"X-Page": "page", "X-Gone": "1", "X-Other": "1", "X-Stays": "1"}})["headers"]
        self.assertEqual({name: headers.get(name) for name in ("x-new", "x-page", "x-empty", "x-gone", "x-other", "x-stays")},
                         {"x-new": "1", "x-page": "over:there", "x-empty": by_engine(chromium="", firefox=None), "x-gone": None, "x-other": None,
                          "x-stays": "1"})

    def test_bodies_pass(self):
        self.route("**/api/**", headers=["X-New: 1"])
        said = self.fetched("/api/h", {"method": "POST", "body": "sent"})
        self.assertEqual((said["method"], said["body"], said["headers"]["x-new"]), ("POST", "sent", "1"))

    def test_those_of_several_routes_are_added(self):
        self.route("**/api/**", headers=["X-First: 1", "X-Both: 1", "X-Gone: 1"])
        self.route("**/api/**", headers=["X-Second: 2", "x-both: 2", "X-Gone: 2"])
        self.route("**/api/**", headers=["X-Both: 3", "X-Third: 3"], removeHeaders="x-own")
        headers = self.fetched("/api/h", {"headers": {"X-Own": "page"}})["headers"]
        self.assertEqual({name: headers.get(name) for name in ("x-first", "x-second", "x-third", "x-both", "x-gone", "x-own")},
                         {"x-first": "1", "x-second": "2", "x-third": "3", "x-both": "1", "x-gone": "1", "x-own": None})

    def test_a_route_that_was_added_before_answers(self):
        self.route("**/mocked", body="mocked")
        self.route("**/*", headers=["X-New: 1"])
        self.assertEqual(self.fetch("/mocked")[3], "mocked")

    def test_redirects_are_not_routed_again_but_keep_added_headers(self):
        self.site.route("/moved", Response(status=302, headers=[("Location", "/api/target")]))
        self.route("**/api/target", body="not for redirects")
        self.route("**/moved", headers=["X-Added: yes"])
        self.assertEqual(self.fetched("/moved")["headers"]["x-added"], "yes")
        self.assertEqual(self.fetch("/api/target")[3], "not for redirects")

    def test_responses_do_not_get_them(self):
        self.route("**/body", body="x", headers=["X-Response: no"])
        self.assertEqual(self.fetch("/body")[2], {"content-length": "1"})


class Lists(NetworkCase):
    def test_the_list(self):
        self.assertEqual(self.ask("browser_route_list").text, "### Result\nNo active routes")
        self.route("**/a", status=200, body="x" * 60, contentType="text/plain", headers=["A: 1", "B: 2"], removeHeaders="c, D")
        self.route("**/b")
        self.route("**/c", body="", status=404)
        self.assertEqual(self.ask("browser_route_list").result.split("\n"), [
            f'1. **/a (status=200, body={"x" * 50}..., contentType=text/plain, addHeaders={{"A":"1","B":"2"}}, removeHeaders=c,D)',
            "2. **/b", "3. **/c (status=404, body=)"])

    def test_removing(self):
        for _ in range(2):
            self.route("**/api/a", body="mocked")
        self.route("**/b", body="mocked")
        self.assertEqual(self.ask("browser_unroute", pattern="**/api/a").text, "### Result\nRemoved 2 route(s) for pattern: **/api/a")
        self.assertEqual(self.ask("browser_unroute", pattern="**/other").result, "Removed 0 route(s) for pattern: **/other")
        self.assertEqual(self.fetched("/api/a")["path"], "/api/a")
        self.assertEqual(self.ask("browser_unroute").result, "Removed all 1 route(s)")
        self.assertEqual(self.ask("browser_route_list").result, "No active routes")

    def test_the_cache_is_off_while_there_are_routes(self):
        self.site.route("/cached", lambda request: Response(
            str(len(self.site.requests("/cached"))), headers=[("Cache-Control", "max-age=1000")]))
        self.assertEqual([self.fetch("/cached")[3] for _ in range(2)], ["1", "1"])
        self.route("**/other", body="x")
        self.assertEqual(self.fetch("/cached")[3], "2")
        self.ask("browser_unroute")
        self.assertEqual(self.fetch("/cached")[3], "2")


class Offline(NetworkCase):
    def test_offline_and_online(self):
        answer = self.ask("browser_network_state_set", state="offline")
        self.assertEqual(answer.text, "### Result\nNetwork is now offline\n### Ran Playwright code\n```js\n"
                         "await page.context().setOffline(true);\n```")
        self.assertEqual(self.ask("browser_evaluate", function="() => navigator.onLine").result, "false")
        self.assertEqual(self.fetch("/api/x"), by_engine(chromium="TypeError: Failed to fetch",
                                                         firefox="TypeError: NetworkError when attempting to fetch resource."))
        url = self.site.page("<p>unreachable")
        self.assertRegex(self.ask("browser_navigate", url=url).error,
                         f"Error: browserBackend.callTool: {network_error('net::ERR_INTERNET_DISCONNECTED')} at {url}")
        answer = self.ask("browser_network_state_set", state="online")
        self.assertEqual((answer.result, answer.code), ("Network is now online", "await page.context().setOffline(false);"))
        self.assertFalse(self.ask("browser_navigate", url=url).is_error)

    def test_new_tabs_are_offline_too(self):
        self.ask("browser_network_state_set", state="offline")
        self.ask("browser_tabs", action="new")
        self.assertEqual(self.ask("browser_evaluate", function="() => navigator.onLine").result, "false")
        self.assertTrue(self.ask("browser_navigate", url=self.site.url("/api/x")).is_error)
        self.ask("browser_tabs", action="close")

    def test_what_needs_no_network(self):
        cached = self.site.route("/cached-page", Response("<title>Kept</title>", headers=[("Cache-Control", "max-age=1000")]))
        self.ask("browser_navigate", url=cached)
        self.route("**/mock", body="mocked")
        self.ask("browser_network_state_set", state="offline")
        self.addCleanup(self.ask, "browser_network_state_set", state="online")
        if ENGINE == "chromium":  # Firefox fails these before routes and its cache are asked
            self.assertEqual(self.fetch("/mock")[3], "mocked")
        self.ask("browser_unroute")
        self.assertFalse(self.ask("browser_navigate", url="data:text/html,<p>no network").is_error)
        if ENGINE == "chromium":
            self.assertIn("Page Title: Kept", self.ask("browser_navigate", url=cached).text)

    def test_wrong_state(self):
        for arguments in ({}, {"state": "slow"}):
            self.assertIn('✖ Invalid option: expected one of "online"|"offline"\n  → at state',
                          self.ask("browser_network_state_set", **arguments).error)


class Sessions(NetworkCase):
    def test_routes_end_with_the_session(self):
        url = self.site.page("<p>real")
        self.route("**/*", body="<p>mocked", contentType="text/html")
        self.ask("browser_navigate", url=url)
        self.assertIn("mocked", self.ask("browser_snapshot").snapshot)
        self.ask("browser_close")
        self.assertEqual(self.ask("browser_route_list").text, "### Result\nNo active routes")
        self.ask("browser_navigate", url=url)
        self.assertIn("real", self.ask("browser_snapshot").snapshot)

    @unittest.skipIf(REFERENCE, "it sends any status")
    def test_statuses_that_cannot_be_sent(self):
        for status in (200.5, 1000, -3):
            self.assertIn(f"Invalid status {status}", self.ask("browser_route", pattern="**/x", status=status).error)


class Languages(DropInCase):
    def test_code_is_javascript_in_every_language(self):
        client = self.serve("--caps", "network", "--codegen", "java")
        self.assertEqual(self.call(client, "browser_route", pattern="**/it's").section("Ran Playwright code"),
                         "```java\nawait page.context().route('**/it\\'s', async route => { /* route handler */ });\n```")


@unittest.skipIf(REFERENCE, "its routes answer for origins that are blocked")
class Rules(DropInCase):
    def test_blocked_origins_are_refused_before_any_route_is_asked(self):
        client = self.serve("--caps", "network", "--blocked-origins", self.site.url("", host="localhost"))
        self.call(client, "browser_route", pattern="**/api/**", body="mocked", contentType="text/html")
        self.call(client, "browser_navigate", url=self.site.url("/api/allowed"))
        self.assertIn("mocked", self.call(client, "browser_snapshot").snapshot)
        answer = self.call(client, "browser_navigate", url=self.site.url("/api/blocked", host="localhost"))
        self.assertIn("net::ERR_BLOCKED_BY_CLIENT", answer.error)

    def test_routes_and_storage_belong_to_one_session(self):
        client = self.start("--caps", "network,storage")
        mocking, other = (client.call("create_session")["sessionId"] for _ in range(2))
        url = self.site.page("<p>real")
        self.call(client, "browser_route", pattern="**/*", body="<p>mocked", contentType="text/html", sessionId=mocking)
        self.call(client, "browser_network_state_set", state="offline", sessionId=mocking)
        self.call(client, "browser_cookie_set", name="own", value="1", domain="127.0.0.1", sessionId=mocking)
        for session, text in ((mocking, by_engine(chromium="mocked", firefox="Offline mode")), (other, "real")):
            self.call(client, "browser_navigate", url=url, sessionId=session)
            self.assertIn(text, self.call(client, "browser_snapshot", sessionId=session).snapshot)
        self.assertEqual(self.call(client, "browser_route_list", sessionId=other).result, "No active routes")
        self.assertEqual(self.call(client, "browser_cookie_list", sessionId=other).result, "No cookies found")


if __name__ == "__main__":
    main()
