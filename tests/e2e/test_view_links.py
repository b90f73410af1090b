"""Links to one session (view_link), and the live view in a real browser: that of the person, and pages of other sites in it."""
import tempfile

from support.case import main
from support.http_case import HttpCase
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.pages import Pages
from support.view import Person, evaluate

TOKEN = "correct-horse-battery"
RESOURCE = "https://tools.example/mcp"


class LinkCase(HttpCase):
    def visitor(self, server=None, **more):
        person = Person(server or self.server, **more)
        self.addCleanup(person.close)
        return person

    def agent(self, **more):
        client = self.server.client(fields={"Authorization": f"Bearer {TOKEN}"}, **more)
        self.addCleanup(client.delete)
        return client

    @staticmethod
    def link(client, session, **arguments):
        """The path of a new link."""
        url = client.call("view_link", sessionId=session, **arguments)["url"]
        return "/" + url.split("/", 3)[3]


class Links(LinkCase):
    args = ("--auth-token", TOKEN, "--caps", "people")

    def test_it_shows_one_session(self):
        agent = self.agent()
        shown, _ = (agent.call("create_session")["sessionId"] for _ in range(2))
        answer = agent.call("view_link", sessionId=shown)
        self.assertRegex(answer["url"], rf"^http://127\.0\.0\.1:{self.server.port}/view/l/[0-9a-f]{{32}}$")
        self.assertRegex(answer["expiresAt"], r"^\d{4}-\d\d-\d\dT")
        person = self.visitor()
        status, _, opened = person.ask("POST", self.link(agent, shown))
        self.assertEqual((status, opened["session"], opened["act"], opened["address"]), (200, shown, False, f"/view#/session/{shown}"))
        self.assertEqual(person.look(), {shown})
        self.assertEqual(person.look(f"?session={shown}"), {shown})
        self.assertEqual(person.look("?session=other"), {shown})
        self.assertEqual(person.ask("GET", f"/view/me?session={shown}")[2]["act"], False)

    def test_it_is_used_up_by_a_person_and_not_by_a_look(self):
        agent = self.agent()
        path = self.link(agent, agent.call("create_session")["sessionId"], once=True)
        person = self.visitor()
        for _ in range(3):  # as what fetches addresses in advance does
            self.assertEqual(person.navigate(path)[0], 200)
        self.assertEqual(self.server.ask("HEAD", path)[0], 405)
        for fields in ({"Origin": None}, {"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"}):
            self.assertEqual(person.ask("POST", path, **fields)[0], 403)
        self.assertEqual(person.ask("POST", path)[0], 200)
        for again in (person, self.visitor()):
            status, _, answer = again.ask("POST", path)
            self.assertEqual(status, 404)
            self.assertIn("ask for a new one", answer["error"])

    def test_it_is_used_by_several_for_minutes(self):
        agent = self.agent()
        path = self.link(agent, agent.call("create_session")["sessionId"], minutes=60, act=True)
        for _ in range(2):
            self.assertEqual(self.visitor().ask("POST", path)[2]["act"], True)

    def test_wrong_links(self):
        for path in ("/view/l/", "/view/l", "/view/l/x", "/view/l/" + "0" * 32, "/view/l/" + "0" * 5000, "/view/l/../login"):
            self.assertIn(self.visitor().ask("POST", path)[0], (404, 405), path)

    def test_several_links_and_a_login(self):
        agent = self.agent()
        sessions = [agent.call("create_session")["sessionId"] for _ in range(2)]
        person = self.visitor()
        for session in sessions:
            person.ask("POST", self.link(agent, session))
        for session in sessions:
            self.assertEqual(person.look(f"?session={session}"), {session})
        person.log_in(TOKEN)
        self.assertLess(set(sessions), person.look() | {""})
        cookies = dict(person.cookies)
        person.ask("POST", self.link(agent, sessions[0], act=True))  # shows nothing new
        self.assertEqual(person.cookies, cookies)
        person.ask("POST", "/view/logout")
        self.assertEqual(person.cookies, {})
        self.assertEqual(person.socket().status, 401)

    def test_arguments(self):
        agent = self.agent()
        self.assertEqual(agent.fail("view_link", sessionId="0" * 36)["errorCode"], "SESSION_NOT_FOUND")
        self.assertEqual(agent.fail("view_link", sessionId="0" * 500)["errorCode"], "SESSION_NOT_FOUND")
        self.assertIn("no session yet", agent.fail("view_link")["message"])
        session = agent.call("create_session")["sessionId"]
        for minutes in (0, 61):
            self.assertIn("minutes", agent.fail("view_link", sessionId=session, minutes=minutes)["message"])

    def test_an_owner_has_a_limited_number(self):
        server = self.serve(*self.args)
        client = server.client(fields={"Authorization": f"Bearer {TOKEN}"})
        self.addCleanup(client.delete)
        session = client.call("create_session")["sessionId"]
        for _ in range(64):
            client.call("view_link", sessionId=session)
        self.assertIn("64", client.fail("view_link", sessionId=session)["message"])

    def test_without_a_view(self):
        client = self.serve("--caps", "people", "--no-view").client()
        self.addCleanup(client.delete)
        self.assertIn("no live view", client.fail("view_link", sessionId=client.call("create_session")["sessionId"])["message"])


class Tenants(LinkCase):
    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer(cls.enterClassContext(tempfile.TemporaryDirectory()), RESOURCE)
        cls.server = HttpServer("--oauth-issuer", NAME, "--oauth-jwks", cls.issuer.write(), "--public-url", RESOURCE, "--allowed-hosts",
                                "tools.example", "--caps", "people")
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    def client(self, **claims):
        client = self.server.client(fields={"Authorization": "Bearer " + self.issuer.token(**claims)})
        self.addCleanup(client.delete)
        return client

    def test_sessions_of_others(self):
        session = self.client(sub="ann").call("create_session")["sessionId"]
        self.assertEqual(self.client(sub="bob").fail("view_link", sessionId=session)["errorCode"], "SESSION_NOT_FOUND")

    def test_no_more_than_the_maker_may(self):
        session = self.client(sub="ann").call("create_session")["sessionId"]
        reader = self.client(sub="ann", scope="browser:read")
        self.assertIn("may only look", reader.fail("view_link", sessionId=session, act=True)["message"])
        url = reader.call("view_link", sessionId=session)["url"]
        self.assertTrue(url.startswith("https://tools.example/view/l/"), url)
        person = self.visitor(host="tools.example", origin="https://tools.example")
        self.assertEqual(person.ask("POST", url.removeprefix("https://tools.example"))[2]["act"], False)

    def test_a_link_does_not_widen_a_login(self):
        """A person who is logged in as another owner gets the session of the link beside their own."""
        session = self.client(sub="ann").call("create_session")["sessionId"]
        own = self.client(sub="bob").call("create_session")["sessionId"]
        person = self.visitor(host="tools.example", origin="https://tools.example")
        person.log_in(self.issuer.token(sub="bob"))
        person.ask("POST", self.link(self.client(sub="ann"), session))
        self.assertEqual(person.look(), {own})
        self.assertEqual(person.look(f"?session={session}"), {session})


class Browsers(LinkCase):
    """The person has a browser, which a second browserd drives."""

    args = ("--auth-token", TOKEN, "--caps", "people")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = Pages()
        cls.addClassCleanup(cls.pages.close)

    def opened(self, person, session):
        """The click has led to the page of the session, which is logged in."""
        self.assertEqual(evaluate(person, "() => location.pathname + location.hash"), f"/view#/session/{session}")
        self.assertEqual(evaluate(person, "() => fetch('/view/me').then(answer => answer.status)"), 200)

    def test_opening_a_link(self):
        agent = self.agent()
        session = agent.call("create_session")["sessionId"]
        url = agent.call("view_link", sessionId=session, once=True)["url"]
        person = self.start()
        person.ask("browser_navigate", url=url)
        person.ask("browser_click", target="#open")
        self.opened(person, session)
        self.assertEqual(evaluate(person, "() => document.cookie"), "")

    def test_other_sites_in_the_same_browser(self):
        """They can neither connect, nor ask, nor show the view in a frame, although the browser has the cookie."""
        agent = self.agent()
        session = agent.call("create_session")["sessionId"]
        view = f"127.0.0.1:{self.server.port}"
        person = self.start()
        person.ask("browser_navigate", url=agent.call("view_link", sessionId=session)["url"])
        person.ask("browser_click", target="#open")
        self.opened(person, session)
        self.pages.route("/plain", "<title>Another site</title>")
        for page in (self.pages.url("/plain"), self.pages.url("/plain", "localhost")):
            person.ask("browser_navigate", url=page)
            self.assertEqual(evaluate(person, f"""() => new Promise(done => {{
                const socket = new WebSocket('ws://{view}/view/socket');
                socket.onopen = () => done('open');
                socket.onclose = () => done('closed');
            }})"""), "closed", page)
            self.assertEqual(evaluate(person, f"""() => fetch('http://{view}/view/me', {{ credentials: 'include' }})
                .then(() => 'answered', () => 'refused')"""), "refused", page)
            self.assertEqual(evaluate(person, f"""() => new Promise(done => {{
                const frame = document.createElement('iframe');
                frame.src = 'http://{view}/view';
                frame.onload = () => done(frame.contentWindow.length + ' frames');
                document.body.append(frame);
            }})"""), "0 frames", page)
            self.assertNotIn("Live view", person.ask("browser_snapshot"))


if __name__ == "__main__":
    main()
