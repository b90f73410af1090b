"""What create_session makes the pages of one session believe, and how they connect: other sessions of the server do not have it."""
import signal
import unittest

from support import redis
from support.case import BrowserdCase, ServerCase, main
from support.client import MODERN
from support.engine import ENGINE, chromium_only
from support.fleet import Node
from support.pages import Response
from support.ports import free_port

PLACE = {"latitude": 52.5, "longitude": 13.4, "accuracy": 10}
SETTINGS = {"viewport": {"width": 700, "height": 500}, "userAgent": "Mine/1", "locale": "de-DE", "timezoneId": "Asia/Tokyo", "geolocation": PLACE,
            "permissions": ["geolocation"], "extraHTTPHeaders": {"X-Mine": "yes"}}
BELIEVED = [700, 500, "Mine/1", "de-DE", "Asia/Tokyo", 52.5, "granted"]
LOOK = """(async () => [innerWidth, innerHeight, navigator.userAgent, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
    await new Promise(done => navigator.geolocation.getCurrentPosition(p => done(p.coords.latitude), e => done(e.code), { timeout: 5000 })),
    (await navigator.permissions.query({ name: 'geolocation' })).state])()"""


class Settings(ServerCase):
    args = ("--max-sessions", "50", "--log-level", "info", "--compat", "0.0.84")

    def open(self, **settings):
        session = self.client.session(**settings)
        self.addCleanup(self._close, session)
        return session

    def look(self, session):
        """What its page believes, and the value of the header field that its request had."""
        url = self.pages.page("<title>x</title>").replace("127.0.0.1", "localhost")  # a secure context as well
        session.navigate(url)
        return session.evaluate(LOOK), self.pages.requests(url)[-1].headers

    def test_all_at_once_and_in_no_other_session(self):
        other, session = self.open(), self.open(**SETTINGS)
        believed, headers = self.look(session)
        self.assertEqual(believed, BELIEVED)
        self.assertEqual((headers["X-Mine"], headers["User-Agent"]), ("yes", "Mine/1"))
        believed, headers = self.look(other)
        self.assertEqual(believed[:2], [1280, 720])
        self.assertIsNone(headers["X-Mine"])
        for mine, theirs in zip(BELIEVED, believed):
            self.assertNotEqual(mine, theirs)

    def test_isolated_contexts_of_the_session_have_them(self):
        session = self.open(**SETTINGS)
        self.look(session)
        url = self.pages.page("<title>alone</title>")
        session.ask("browser_tabs", action="new", isolatedContext="alone", url=url)
        self.assertEqual(session.evaluate("[innerWidth, navigator.userAgent]"), [700, "Mine/1"])
        self.assertEqual(self.pages.requests(url)[-1].headers["X-Mine"], "yes")

    @chromium_only("Firefox cannot emulate CSS media")
    def test_a_colour_scheme(self):
        for scheme in ("dark", "light"):
            session = self.open(colorScheme=scheme)
            session.navigate(self.pages.page(""))
            self.assertTrue(session.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches"))

    @chromium_only("Firefox has no layout of phones")
    def test_a_device_which_other_settings_win_over(self):
        page = self.pages.page("", head="<meta name=viewport content='width=device-width'>")
        look = "[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0, navigator.userAgent.includes('iPhone')]"
        session = self.open(device="iPhone 15")
        session.navigate(page)
        self.assertEqual(session.evaluate(look), [393, 659, 3, True, True])
        session = self.open(device="iPhone 15", userAgent="Mine/1", viewport={"width": 300, "height": 400})
        session.navigate(page)
        self.assertEqual(session.evaluate(look), [300, 400, 3, True, False])

    @unittest.skipUnless(ENGINE == "firefox", "Chromium can do all of it")
    def test_what_the_engine_cannot_do_is_refused_with_the_reason(self):
        for settings, missing in (({"colorScheme": "dark"}, "CSS media"), ({"device": "iPhone 15"}, "phone"),
                                  ({"permissions": ["camera"]}, "permissions other than")):
            said = self.client.fail("create_session", **settings).body["message"]
            self.assertIn(missing, said)
            self.assertIn(f"{next(iter(settings))} cannot be used in firefox", said)
        self.assertEqual(self.client.call("list_sessions")["count"], 0)

    def test_values_that_are_none(self):
        for settings, word in (({"viewport": {"width": 0, "height": 5}}, "viewport"), ({"viewport": {"width": 5}}, "viewport"),
                               ({"viewport": {"width": 1.5, "height": 5}}, "viewport"), ({"userAgent": "a\nb"}, "userAgent"),
                               ({"userAgent": ""}, "userAgent"), ({"locale": "german"}, "locale"), ({"timezoneId": "Europe/Nowhere"}, "timezoneId"),
                               ({"timezoneId": "../../etc/passwd"}, "timezoneId"), ({"geolocation": {"latitude": 91, "longitude": 0}}, "geolocation"),
                               ({"permissions": ["root"]}, "permissions"), ({"device": "Toaster"}, "device"),
                               ({"extraHTTPHeaders": {"X-A": "a\r\nX-B: b"}}, "extraHTTPHeaders"), ({"extraHTTPHeaders": {"X A": "a"}}, "extraHTTPHeaders"),
                               ({"extraHTTPHeaders": {"X-A": 7}}, "extraHTTPHeaders"), ({"extraHTTPHeaders": {"X-A": "a" * 66000}}, "65536"),
                               ({"proxy": {"server": "ftp://proxy"}}, "proxy"), ({"proxy": {}}, "proxy"), ({"colorScheme": "pink"}, "colorScheme")):
            failed = self.client.fail("create_session", **settings)
            self.assertEqual(failed.code, "INVALID_PARAMETERS", settings)
            self.assertIn(word, failed.body["message"])
        self.assertEqual(self.client.call("list_sessions")["count"], 0)


class Proxies(ServerCase):
    args = ("--max-sessions", "50", "--log-level", "info")

    def setUp(self):
        self.pages.route("/through", lambda request: f"<title>{request.headers['Host']}</title>")
        self.proxy = {"server": f"http://127.0.0.1:{self.pages.port}"}

    def title(self, session):
        return session.navigate("http://shop.example/through")["title"]

    def test_requests_of_this_session_go_through_it(self):
        session = self.client.session(proxy=self.proxy)
        self.addCleanup(self._close, session)
        self.assertEqual(self.title(session), "shop.example")
        self.assertEqual(self.session().fail("navigate", url="http://shop.example/through").code, "NAVIGATION_FAILED")

    def test_one_that_asks_for_a_password(self):
        seen = []

        def answer(request):
            seen.append(request.headers.get("Proxy-Authorization"))
            return "<title>in</title>" if seen[-1] == "Basic YWRhOmdlaGVpbQ==" else Response("", 407, headers=[("Proxy-Authenticate", 'Basic realm="x"')])

        self.pages.route("/through", answer)
        session = self.client.session(proxy={**self.proxy, "username": "ada", "password": "geheim"})
        self.addCleanup(self._close, session)
        self.assertEqual(self.title(session), "in")
        self.assertIn(None, seen)

    def test_no_way_past_limits(self):
        failed = self.client.fail("create_session", proxy={**self.proxy, "password": "geheim"}, egress="public")
        self.assertIn("leave proxy out, or egress", failed.body["message"])
        self.assertNotIn("geheim", failed.body["message"])


class ProxiesOfTheOperator(BrowserdCase):
    def test_they_stay(self):
        client = self.start("--proxy-server", "http://127.0.0.1:9")
        self.assertIn("operator", client.fail("create_session", proxy={"server": "http://127.0.0.1:10"}).body["message"])

    def test_limits_stay(self):
        client = self.start("--egress", "loopback")
        self.assertIn("past the limits", client.fail("create_session", proxy={"server": "http://127.0.0.1:10"}).body["message"])


class Kept(BrowserdCase):
    @chromium_only("Firefox alone takes more memory than this server may")
    def test_a_session_that_wakes_has_them(self):
        client, pages = self.start("--max-sessions", "100", "--max-memory", "200", "--log-level", "info"), self.pages()
        url = pages.page("<title>mine</title>")
        session = client.session(**SETTINGS)
        session.navigate(url.replace("127.0.0.1", "localhost"))
        asleep = lambda: [each["sessionId"] for each in client.call("list_sessions")["sessions"] if each["state"] == "sleeping"]
        while session.id not in asleep():
            client.session().navigate(url)
        self.assertEqual(session.evaluate(LOOK), BELIEVED)
        self.assertEqual(pages.requests(url)[-1].headers["X-Mine"], "yes")

    @unittest.skipUnless(redis.program(), "redis-server is not installed")
    def test_a_session_that_goes_on_on_another_node_has_them(self):
        store, pages = redis.Redis(), self.pages()
        self.addCleanup(store.close)
        alpha, beta = (Node(name, free_port(), "--state-store", store.url) for name in ("alpha", "beta"))
        for node in alpha, beta:
            self.addCleanup(node.discard)
        client = alpha.client(MODERN)
        where = {"sessionId": client.call("create_session", **SETTINGS)["sessionId"]}
        url = pages.page("<title>mine</title>")
        client.call("navigate", url=url.replace("127.0.0.1", "localhost"), **where)
        alpha.process.send_signal(signal.SIGTERM)
        self.assertEqual(alpha.wait(), 0, alpha.stderr())
        client.server = beta
        self.assertEqual(client.call("evaluate", expression=LOOK, **where)["value"], BELIEVED)
        self.assertEqual(pages.requests(url)[-1].headers["X-Mine"], "yes")


if __name__ == "__main__":
    main()
