"""Browsers elsewhere: several of them, providers that give one for each connection, their limits and failures."""
import os
import subprocess

from support.case import BrowserdCase, main
from support.chromium import Chromium
from support.http_client import HttpServer
from support.provider import Provider, refusal
from support.relay import ChangingRelay

TOKEN = "sesame-7c1d9e"


class ProviderCase(BrowserdCase):
    def provider(self, *args, **more):
        provider = Provider(*args, **more)
        self.addCleanup(provider.close)
        return provider

    def attach(self, *addresses, args=(), **more):
        return self.start(*(part for address in addresses for part in ("--cdp-endpoint", address)), *args, **more)


class Refusals(ProviderCase):
    """What a provider answers in place of a browser, at a single address, which is tried once for each call."""

    def setUp(self):
        self.site = self.provider(TOKEN)
        self.url = self.site.url()

    def refused(self, *answers):
        self.site.refusals = list(answers)
        client = self.attach(self.url, args=("--log-level", "debug", "--isolated"))
        said = client.fail("create_session").body["message"]
        self.assertNotIn(TOKEN, said + client.stderr())
        return said

    def test_its_limit(self):
        said = self.refused(refusal(429, '{"error": "10 of 10 sessions"}', "Retry-After: 30"))
        self.assertIn(f"ws://127.0.0.1:{self.site.port} (--cdp-endpoint): the browser provider answered 429 Too Many Requests: its limit of "
                      "sessions is reached; close a session, or try again in 30 s. It says: {\"error\": \"10 of 10 sessions\"}", said)

    def test_a_limit_that_is_over(self):
        self.site.refusals = [refusal(429, "full")]
        client = self.attach(self.site.url(), args=("--isolated",))
        client.fail("create_session")
        self.assertEqual(client.session().evaluate("1 + 1"), 2)

    def test_a_wrong_token(self):
        self.site.token = "another"
        said = self.refused()
        self.assertIn("401 Unauthorized: it does not accept the token", said)
        self.assertIn("no such token: /?token=*************", said)

    def test_a_text_that_ends_within_the_token(self):
        said = self.refused(refusal(403, "x" * 190 + TOKEN * 3))
        self.assertIn("x" * 190 + "*" * 10, said)

    def test_texts_of_an_attacker(self):
        for answer, shown in ((refusal(402, "\x1b[2J pay\r\n\r\n\tnow \u202e"), "?[2J pay now ???"),
                              (b"HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbusy\r\n0\r\n\r\n", "It says: busy"),
                              (b"HTTP/1.1 503 No\r\nRetry-After: -1\r\n\r\n" + b"y" * 3000, "y" * 200),
                              (b"HTTP/1.1 503 No\r\nRetry-After: 99999999999999999999\r\nContent-Length: 4\r\n\r\n<p>x", "in 3600 s")):
            with self.subTest(answer):
                said = self.refused(answer)
                self.assertIn(shown, said)
                self.assertLess(len(said), 500)
                self.assertNotIn("<p>", said)

    def test_a_debugging_port_that_refuses(self):
        self.site.refusals = [refusal(429, "full", "Retry-After: 7")]
        client = self.attach(f"http://127.0.0.1:{self.site.port}/?token={TOKEN}", args=("--isolated",))
        said = client.fail("create_session").body["message"]
        self.assertIn("429 Too Many Requests", said)
        self.assertIn("in 7 s. It says: full", said)

    def test_doctor(self):
        self.site.refusals = [refusal(404, "no such session")]
        ended = subprocess.run([os.environ["BROWSERD"], "--cdp-endpoint", self.site.url(), "doctor"], capture_output=True, text=True,
                               check=False, timeout=60)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("404 Not Found: there is no browser at this path", ended.stdout)
        self.assertNotIn(TOKEN, ended.stdout + ended.stderr)


class Several(ProviderCase):
    """Sessions are spread over browsers that run elsewhere."""

    @classmethod
    def setUpClass(cls):
        cls.browsers = [Chromium() for _ in range(2)]
        for browser in cls.browsers:
            cls.addClassCleanup(browser.close)

    def counts(self):
        return [len(browser.pages()) - 1 for browser in self.browsers]

    def test_the_fewest_sessions_first(self):
        client = self.attach(*(browser.endpoint for browser in self.browsers))
        sessions = [client.session() for _ in range(4)]
        self.assertEqual([session.evaluate("1") for session in sessions], [1] * 4)  # their pages are opened by the first call
        self.assertEqual(self.counts(), [2, 2])
        for session in sessions[0], sessions[2]:
            session.close()
        more = [client.session() for _ in range(2)]
        self.assertEqual([session.evaluate("1") for session in more], [1] * 2)
        self.assertEqual(sum(self.counts()), 4)
        for number, session in enumerate((sessions[1], sessions[3], *more)):
            session.navigate(f"data:text/html,<title>{number}</title>")
        self.assertEqual(sorted(s["title"] for s in client.call("list_sessions")["sessions"]), list("0123"))

    def test_one_that_is_killed(self):
        victim = Chromium()
        self.addCleanup(victim.close)
        client = self.attach(victim.endpoint, self.browsers[1].endpoint)
        sessions = [client.session() for _ in range(4)]
        victim.kill()
        codes = [session.start("evaluate", expression="1").result().get("isError", False) for session in sessions]
        self.assertEqual(codes, [True, False, True, False])
        self.assertEqual(sessions[0].fail("evaluate", expression="1").code, "SESSION_NOT_FOUND")
        self.assertEqual([client.session().evaluate("2") for _ in range(2)], [2, 2])
        self.assertEqual(len(self.browsers[1].pages()) - 1, 4)

    def test_one_that_cannot_be_reached_is_passed_over(self):
        client = self.attach("http://127.0.0.1:1", self.browsers[0].endpoint, "ws://127.0.0.1:2/")
        self.assertEqual([client.session().evaluate("2") for _ in range(3)], [2, 2, 2])

    def test_one_that_hangs(self):
        """It takes connections and does not answer what opens a context."""
        def change(said):
            return [] if "browserContextId" in said.get("result", {}) else [said]
        relay = ChangingRelay(self.browsers[0].port, change)
        self.addCleanup(relay.close)
        client = self.attach(relay.endpoint, self.browsers[1].endpoint, args=("--cdp-timeout", "3000"))
        self.assertEqual([client.session().evaluate("2") for _ in range(3)], [2, 2, 2])

    def test_none_can_be_reached(self):
        client = self.attach("http://127.0.0.1:1", "ws://127.0.0.1:2/secret?token=secret", args=("--cdp-timeout", "600"))
        error = client.fail("create_session")
        self.assertEqual(error.code, "BROWSER_ERROR")
        for part in "none of the 2 browsers of --cdp-endpoint", "ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED 127.0.0.1:2":
            self.assertIn(part, error.body["message"])
        self.assertNotIn("secret", error.body["message"])

    def test_clients_get_browsers_whose_tabs_nobody_works_in(self):
        server = HttpServer(*(part for browser in self.browsers for part in ("--cdp-endpoint", browser.endpoint)))
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        clients = [server.client() for _ in range(3)]
        answers = [c.request("tools/call", {"name": "browser_snapshot", "arguments": {}}) for c in clients]
        self.assertEqual([bool(a.get("isError")) for a in answers], [False, False, True])

    def test_doctor_tries_each(self):
        ended = subprocess.run([os.environ["BROWSERD"], "--cdp-endpoint", self.browsers[0].endpoint, "--cdp-endpoint",
                                "http://127.0.0.1:1", "doctor"], capture_output=True, text=True, check=False, timeout=60)
        self.assertIn("the next is at http://127.0.0.1:1", ended.stdout)
        self.assertIn("ECONNREFUSED", ended.stdout)
        self.assertIn("loaded after", ended.stdout)


class Own(ProviderCase):
    """Each session has a connection, and a browser behind it, of its own."""

    def test_a_template(self):
        provider = self.provider()
        client = self.attach(provider.url("/for/{session}/x?id={session}"))
        sessions = [client.session() for _ in range(2)]
        self.assertEqual(len(provider.browsers), 2)
        self.assertEqual([head.split()[1] for head in provider.heads],
                         [f"/for/{session.id}/x?id={session.id}" for session in sessions])
        sessions[0].close()
        provider.wait_browsers(1)
        self.assertEqual(sessions[1].evaluate("2"), 2)
        client.close()
        provider.wait_browsers(0)

    def test_the_ids_of_clients_are_encoded(self):
        provider = self.provider()
        client = self.attach(provider.url("/{session}"), args=("--lazy-sessions",))
        client.call("navigate", sessionId="a/../b?c d\u00e4", url="about:blank")
        self.assertEqual(provider.heads[0].split()[1], "/a%2F..%2Fb%3Fc%20d%C3%A4")

    def test_the_clients_own_session(self):
        provider = self.provider(TOKEN)
        client = self.attach(provider.url(), args=("--cdp-per-session",))
        self.assertIn("- 0: (current)", client.ask("browser_tabs", action="list"))
        client.ask("browser_close")
        provider.wait_browsers(0)
        client.ask("browser_navigate", url="data:text/html,again")
        provider.wait_browsers(1)

    def test_one_browser_ends(self):
        provider = self.provider()
        client = self.attach(provider.url(), args=("--cdp-per-session",))
        sessions = [client.session() for _ in range(2)]
        call = sessions[1].start("evaluate", expression="new Promise(() => {})")
        provider.browsers[1].kill()
        error = call.failure()
        self.assertEqual(error.code, "BROWSER_ERROR")
        self.assertIn("closed the connection", error.body["message"])
        self.assertEqual(sessions[0].evaluate("2"), 2)
        self.assertIn("create a new one", sessions[1].fail("evaluate", expression="2").body["message"])
        self.assertEqual(client.call("list_sessions")["count"], 1)
        self.assertEqual(client.session().evaluate("2"), 2)

    def test_a_limit_that_a_session_makes_room_for(self):
        provider = self.provider(TOKEN, limit=1)
        client = self.attach(provider.url(), args=("--cdp-per-session", "--log-level", "debug"))
        first = client.session()
        waiting = client.start_call("create_session")
        first.close()
        waiting.result()
        self.assertEqual(client.call("list_sessions")["count"], 1)
        self.assertNotIn(TOKEN, client.stderr())

    def test_a_limit_that_stays(self):
        provider = self.provider(limit=1)
        client = self.attach(provider.url(), args=("--cdp-per-session", "--cdp-timeout", "5000"))
        client.session()
        error = client.fail("create_session")
        self.assertEqual(error.code, "BROWSER_ERROR")
        self.assertIn("429 Too Many Requests", error.body["message"])

    def test_another_provider_has_room(self):
        full, other = self.provider(limit=0), self.provider()
        client = self.attach(full.url(), other.url(), args=("--cdp-per-session",))
        self.assertEqual([client.session().evaluate("2") for _ in range(2)], [2, 2])
        self.assertEqual((len(full.browsers), len(other.browsers)), (0, 2))

    def test_what_is_tried_again(self):
        provider = self.provider()
        provider.refusals = [refusal(429, "full"), refusal(503), b""]
        self.attach(provider.url(), args=("--cdp-per-session",)).session()
        self.assertEqual(len(provider.heads), 4)

    def test_what_is_final(self):
        provider = self.provider()
        client = self.attach(provider.url(), args=("--cdp-per-session",))
        for status in (401, 402, 403, 404, 400):
            provider.refusals = [refusal(status)]
            self.assertIn(str(status), client.fail("create_session").body["message"])
        self.assertEqual(len(provider.heads), 5)

    def test_a_regular_expression_needs_no_other_browser(self):
        provider = self.provider()
        client = self.attach(provider.url(), args=("--cdp-per-session",))
        client.ask("browser_navigate", url="data:text/html,x")
        self.assertNotIn("Error", client.ask("browser_network_requests", filter="a+b"))
        client.ask("browser_close")
        provider.wait_browsers(0)

    def test_a_call_that_searches_keeps_no_browser(self):
        provider = self.provider()
        client = self.attach(provider.url(), args=("--cdp-per-session", "--caps", "observe"))
        session = client.session()
        session.navigate("data:text/html,x")
        target = client.call("cdp_list_targets")["targets"][0]["id"]
        client.call("cdp_observe", targetId=target)
        waiting = client.start_call("wait_for_event", {"targetId": target, "pattern": "never", "timeout": 600000})
        client.call("list_sessions")  # the call above has begun
        session.close()
        provider.wait_browsers(0)
        self.assertTrue(waiting.result()["isError"])

    def test_metrics(self):
        provider = self.provider()
        server = HttpServer("--cdp-endpoint", provider.url(), "--cdp-per-session")
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        clients = [server.client() for _ in range(2)]
        for client in clients:
            client.request("tools/call", {"name": "create_session", "arguments": {}})
        self.assertIn(b"browserd_browser_up 2\n", server.ask("GET", "/metrics")[2])


if __name__ == "__main__":
    main()
