"""Browsers elsewhere: several of them, providers that give one for each connection, their limits and failures."""
import os
import subprocess

from support.case import BrowserdCase, main
from support.provider import Provider, refusal

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


if __name__ == "__main__":
    main()
