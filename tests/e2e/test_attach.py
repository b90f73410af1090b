"""Tabs that a person lends to agents (--attach-tabs): what a session in one has, and that nothing else of the browser can be reached."""
import json
import subprocess

from support.case import BrowserdCase, main
from support.chromium import Chromium
from support.client import binary
from support.devtools import DevTools
from support.pages import Pages


class LentCase(BrowserdCase):
    """A person's browser with a tab of the mail and one of the bank; the origins differ by their ports."""

    @classmethod
    def setUpClass(cls):
        cls.mail, cls.bank = Pages(), Pages()
        cls.addClassCleanup(cls.mail.close)
        cls.addClassCleanup(cls.bank.close)
        cls.bank.route("/account", "<title>Account</title><p id=balance>1234</p>")
        cls.mail.route("/inbox", """<title>Inbox</title><button onclick="this.textContent = 'read'">Read</button>
            <a id=bank href='%s'>Bank</a> <a id=next href='/next'>Next</a> <a id=pop href='/next' target=_blank rel=opener>Pop</a>
            """ % cls.bank.url("/account"))
        cls.mail.route("/next", "<title>Next</title><p>second page</p>")

    def setUp(self):
        self.inbox, self.account = self.mail.url("/inbox"), self.bank.url("/account")
        self.person = Chromium(self.inbox)
        self.addCleanup(self.person.close)
        self.wait_titles("Inbox")
        self.person.ask(f"/json/new?{self.account}", "PUT")
        self.wait_titles("Account", "Inbox")

    def wait_titles(self, *titles):
        """Until its tabs have loaded: the list has an address before that, and nothing reports the end."""
        def look():
            return sorted(target["title"] for target in json.loads(self.person.ask("/json/list")) if target["type"] == "page")
        self.repeat(look, lambda found: found == sorted(titles))

    def lend(self, *args):
        return self.start("--cdp-endpoint", self.person.endpoint, "--attach-tabs", self.mail.url(""), *args)

    def attach(self, client):
        tab, = client.call("list_tabs")["tabs"]
        return client.session(attach=tab["tabId"])


class Lent(LentCase):
    def test_only_offered_tabs_are_listed(self):
        client = self.lend()
        tab, = client.call("list_tabs")["tabs"]
        self.assertEqual((tab["url"], tab["title"], tab["lent"]), (self.inbox, "Inbox", False))
        session = client.session(attach=tab["tabId"])
        tab, = client.call("list_tabs")["tabs"]
        self.assertEqual((tab["lent"], tab["sessionId"]), (True, session.id))

    def test_the_tab_stays_as_it_was_left(self):
        client = self.lend()
        session = self.attach(client)
        client.ask("browser_click", sessionId=session.id, target="button")
        self.assertIn("read", client.ask("browser_snapshot", sessionId=session.id))
        client.ask("browser_tabs", sessionId=session.id, action="new", url=self.mail.url("/next"))
        self.person.wait_pages(self.inbox, self.account, self.mail.url("/next"))
        session.close()
        self.person.wait_pages(self.inbox, self.account)
        self.assertEqual(self.attach(client).evaluate("document.querySelector('button').textContent"), "read")

    def test_windows_of_the_tab_belong_to_the_session(self):
        client = self.lend()
        session = self.attach(client)
        client.ask("browser_click", sessionId=session.id, target="#pop")
        self.person.wait_pages(self.inbox, self.account, self.mail.url("/next"))
        tabs = client.ask("browser_tabs", sessionId=session.id, action="list")
        self.assertIn("Next", tabs)
        self.assertNotIn("Account", tabs)

    def test_tabs_that_the_person_opens_are_not_the_session_s(self):
        client = self.lend()
        session = self.attach(client)
        self.person.ask(f"/json/new?{self.mail.url('/next')}", "PUT")
        self.person.wait_pages(self.inbox, self.account, self.mail.url("/next"))
        self.assertNotIn("Next", client.ask("browser_tabs", sessionId=session.id, action="list"))
        self.assertEqual(len(client.call("list_tabs")["tabs"]), 2)

    def test_a_tab_is_lent_once(self):
        client = self.lend()
        session = self.attach(client)
        tab, = client.call("list_tabs")["tabs"]
        self.assertIn("lent to another session", str(client.fail("create_session", attach=tab["tabId"])))
        session.close()
        client.session(attach=tab["tabId"])


class Fence(LentCase):
    def assertStays(self, client, session):
        self.assertEqual(session.evaluate("location.href"), self.inbox)
        self.assertNotIn("1234", client.ask("browser_snapshot", sessionId=session.id))

    def test_no_other_origin_is_shown(self):
        client = self.lend()
        session = self.attach(client)
        asked = len(self.bank.requests(self.account))
        self.assertIn("BLOCKED", str(session.fail("navigate", url=self.account)))
        client.ask("browser_navigate", sessionId=session.id, url=self.inbox)
        client.ask("browser_click", sessionId=session.id, target="#bank")
        client.ask("browser_navigate", sessionId=session.id, url=self.inbox)
        client.start_call("browser_tabs", {"sessionId": session.id, "action": "new", "url": self.account}).result()
        client.ask("browser_tabs", sessionId=session.id, action="select", index=0)
        self.assertStays(client, session)
        self.assertEqual(len(self.bank.requests(self.account)), asked)

    def test_other_schemes_are_refused(self):
        session = self.attach(self.lend())
        for address in ("chrome://settings", "file:///etc/passwd", "view-source:" + self.account):
            session.fail("navigate", url=address)

    def test_a_tab_that_the_person_takes_elsewhere_is_left(self):
        client = self.lend()
        session = self.attach(client)
        tab, = client.call("list_tabs")["tabs"]
        with PageOf(self.person, tab["tabId"]) as page:
            page("Page.navigate", url=self.account)
            self.person.wait_pages(self.account, self.account)
        self.assertNotIn("1234", client.ask("browser_tabs", sessionId=session.id, action="list"))
        self.assertEqual(client.call("list_tabs")["tabs"], [])
        self.person.wait_pages(self.account, self.account)

    def test_frames_show_nothing_of_this_machine(self):
        client = self.lend()
        session = self.attach(client)
        session.evaluate("""new Promise(done => {
            const frame = document.createElement('iframe');
            frame.onload = done;
            frame.src = '%s/json/list';
            document.body.append(frame);
        }).then(() => 1)""" % self.person.endpoint)
        self.assertNotIn("webSocketDebuggerUrl", client.ask("browser_snapshot", sessionId=session.id))

    def test_routes_lead_nowhere_else(self):
        client = self.lend()
        session = self.attach(client)
        asked = len(self.bank.requests(self.account))
        for answer in ("route.continue({ url: '%s' })" % self.account, "route.fallback({ url: '%s' })" % self.account,
                       "route.fulfill({ status: 302, headers: { location: '%s' } })" % self.account):
            with self.subTest(answer):
                self.assertIn("BLOCKED", self.routed(client, session, answer, "page.goto('%s')" % self.mail.url("/next")))
                client.ask("browser_navigate", sessionId=session.id, url=self.inbox)
                self.assertStays(client, session)
        self.assertEqual(len(self.bank.requests(self.account)), asked)

    def test_routes_of_frames_lead_nowhere_else(self):
        client = self.lend()
        session = self.attach(client)
        asked = len(self.bank.requests(self.account))
        for url in (self.account, self.person.endpoint + "/json/list", f"http://127.1:{self.person.port}/json/list"):
            with self.subTest(url):
                self.routed(client, session, "route.continue({ url: '%s' })" % url, """page.evaluate(() => new Promise(done => {
                    const frame = document.createElement('iframe');
                    frame.onload = done;
                    frame.src = '/next';
                    document.body.append(frame);
                }).then(() => 1))""")
                self.assertNotIn("webSocketDebuggerUrl", client.ask("browser_snapshot", sessionId=session.id))
        self.assertEqual(len(self.bank.requests(self.account)), asked)

    def test_routes_fetch_nothing_from_elsewhere(self):
        client = self.lend()
        session = self.attach(client)
        asked = len(self.bank.requests(self.account))
        for url in (self.account, self.person.endpoint + "/json/list"):
            with self.subTest(url):
                answer = self.routed(client, session, "route.continue({ url: '%s' })" % url,
                                     "page.evaluate(() => fetch('/next').then(r => r.text(), String))")
                self.assertIn("Failed to fetch", answer)
        self.assertEqual(len(self.bank.requests(self.account)), asked)
        answer = self.routed(client, session, "route.continue({ url: '%s' })" % self.inbox,
                             "page.evaluate(() => fetch('/next').then(r => r.text(), String))")
        self.assertIn("<title>Inbox</title>", answer)

    @staticmethod
    def routed(client, session, answer, action):
        """What comes of it when requests for /next are answered so."""
        return json.dumps(client.start_call("browser_run_code_unsafe", {"sessionId": session.id, "code": """async page => {
            await page.route('**/next', route => %s);
            try {
                return JSON.stringify(await %s);
            } catch (error) {
                return error.message;
            }
        }""" % (answer, action)}).result())

    def test_what_belongs_to_the_browser_is_refused(self):
        client = self.lend("--caps", "storage")
        session = self.attach(client)
        for tool, arguments in {"browser_cookie_list": {}, "browser_cookie_clear": {}, "browser_storage_state": {},
                                "browser_cookie_set": {"name": "a", "value": "b"}}.items():
            with self.subTest(tool):
                reply = client.start_call(tool, {"sessionId": session.id, **arguments}).result()
                self.assertIn("belong to the whole browser", json.dumps(reply))
        for code in ("page.context().cookies()", "page.context().storageState()", "page.request.get('%s')" % self.account,
                     "page.context().grantPermissions(['geolocation'])"):
            with self.subTest(code):
                reply = client.start_call("browser_run_code_unsafe", {
                    "sessionId": session.id, "code": f"async page => {{ return JSON.stringify(await {code}) }}"}).result()
                self.assertIn("belong to the whole browser", json.dumps(reply))

    def test_there_are_no_other_sessions(self):
        client = self.lend()
        self.assertIn("attach", str(client.fail("create_session")))
        self.assertIn("attach", json.dumps(client.start_call("browser_snapshot", {}).result()))
        self.assertIn("no tab", str(client.fail("create_session", attach="0123456789ABCDEF0123456789ABCDEF")))
        account = next(target["id"] for target in json.loads(self.person.ask("/json/list")) if target["url"] == self.account)
        self.assertIn("no tab", str(client.fail("create_session", attach=account)))
        tab, = client.call("list_tabs")["tabs"]
        self.assertIn("no further arguments", str(client.fail("create_session", attach=tab["tabId"], locale="de-DE")))

    def test_its_port_is_observed_by_nobody(self):
        client = self.lend("--caps", "observe")
        self.assertIn("SECURITY_BLOCKED", str(client.fail("cdp_list_targets", port=self.person.port)))
        self.assertEqual(client.call("cdp_list_targets")["targets"], [])
        session = self.attach(client)
        self.assertEqual([target["url"] for target in client.call("cdp_list_targets")["targets"]], [self.inbox])

    def test_combinations_that_make_no_sense_are_refused(self):
        for args, words in {("--attach-tabs", "https://mail.example"): "--cdp-endpoint",
                            ("--cdp-endpoint", "http://127.0.0.1:1", "--attach-tabs", "https://mail.example", "--port", "0",
                             "--oauth-issuer", "https://issuer.example"): "--oauth-issuer"}.items():
            ended = subprocess.run([binary(), *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn(words, ended.stderr)


class PageOf:
    """A person at their own browser: commands to one page over a WebSocket of its own."""

    def __init__(self, browser, target):
        self._browser, self._target = browser, target

    def __enter__(self):
        self._tools = DevTools(self._browser.profile)
        session = self._tools.call("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        return lambda method, **params: self._tools.call(method, session, **params)

    def __exit__(self, *_):
        self._tools.close()


main()
