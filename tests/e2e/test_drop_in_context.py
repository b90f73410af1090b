"""contextOptions of the config file that concern requests: HTTP credentials, those of proxies, relative addresses."""
import base64
import json

from support.case import main
from support.drop_in import REFERENCE, DropInCase
from support.pages import Pages, Response


def basic(name, password):
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


class ContextCase(DropInCase):
    def serve_with(self, context=None, launch=None, *args):
        path = self.folder / "config.json"
        path.write_text(json.dumps({"browser": {"contextOptions": context or {}, "launchOptions": launch or {}}}), encoding="utf-8")
        return self.serve("--config", path, *args)

    def guarded(self, path):
        """A page for a user; what credentials the requests had."""
        seen = []

        def answer(request):
            seen.append(request.headers.get("Authorization"))
            if seen[-1] != basic("ada", "open sesame"):
                return Response("<p>who are you?", 401, headers=[("WWW-Authenticate", 'Basic realm="pages"')])
            return "<p>come in"

        self.site.route(path, answer)
        return seen

    def shown(self, client, url):
        self.call(client, "browser_navigate", url=url)
        return self.call(client, "browser_evaluate", function="() => document.body.innerText").result


class Credentials(ContextCase):
    USER = {"username": "ada", "password": "open sesame"}

    def test_a_server_that_asks(self):
        seen = self.guarded("/in")
        client = self.serve_with({"httpCredentials": self.USER})
        self.assertEqual(self.shown(client, self.site.url("/in")), '"come in"')
        self.assertEqual(seen, [None, basic("ada", "open sesame")])
        fetched = self.call(client, "browser_evaluate", function="async () => (await fetch('/in')).status")
        self.assertEqual(fetched.result, "200")

    def test_another_origin_gets_none(self):
        seen = self.guarded("/in")
        self.site.route("/leave", lambda _: Response("", 302, headers=[("Location", self.site.url("/in", "localhost"))]))
        client = self.serve_with({"httpCredentials": {**self.USER, "origin": self.site.url("")}})
        for url in (self.site.url("/in", "localhost"), self.site.url("/leave")):
            self.assertEqual(self.shown(client, url), '"who are you?"')
        self.assertEqual(self.call(client, "browser_evaluate", function=f"""async () => {{
            try {{ await fetch('{self.site.url('/in')}', {{ mode: 'no-cors' }}); }} catch {{}}
            return (await fetch('/in')).status; }}""").result, "401")
        self.assertTrue(all(field is None for field in seen), seen)
        self.assertEqual(self.shown(client, self.site.url("/in")), '"come in"')
        self.assertEqual(seen[-1], basic("ada", "open sesame"))

    def test_wrong_ones_are_sent_once(self):
        seen = self.guarded("/in")
        client = self.serve_with({"httpCredentials": {"username": "ada", "password": "guess"}})
        self.assertEqual(self.shown(client, self.site.url("/in")), '"who are you?"')
        self.assertEqual(seen, [None, basic("ada", "guess")])

    def test_a_new_tab_and_a_frame(self):
        self.guarded("/in")
        client = self.serve_with({"httpCredentials": self.USER})
        self.open(client, f"<iframe src='{self.site.url('/in', 'localhost')}'></iframe>")
        self.assertIn("come in", self.call(client, "browser_snapshot").snapshot)
        self.call(client, "browser_tabs", action="new")
        self.assertEqual(self.shown(client, self.site.url("/in")), '"come in"')


class ProxyCredentials(ContextCase):
    def test_a_proxy_that_asks(self):
        proxy, seen = Pages(), []
        self.addCleanup(proxy.close)

        def answer(request):
            seen.append((request.headers.get("Proxy-Authorization"), request.headers.get("Authorization")))
            if not seen[-1][0]:
                return Response("", 407, headers=[("Proxy-Authenticate", 'Basic realm="proxy"')])
            return "<p>by the proxy"

        proxy.route("/page", answer)
        client = self.serve_with(launch={"proxy": {"server": proxy.url(""), "username": "ada", "password": "open sesame"}})
        self.assertEqual(self.shown(client, "http://pages.test/page"), '"by the proxy"')
        self.assertEqual(seen, [(None, None), (basic("ada", "open sesame"), None)])
        if REFERENCE:  # which leaves them out of an address
            return
        seen.clear()
        client = self.serve("--proxy-server", proxy.url("/").replace("//", "//ada:open%20sesame@"))
        self.assertEqual(self.shown(client, "http://pages.test/page"), '"by the proxy"')
        self.assertEqual(seen, [(None, None), (basic("ada", "open sesame"), None)])


class BaseURL(ContextCase):
    def test_relative_addresses_in_code(self):
        self.site.route("/app/list", lambda _: "<title>list</title><iframe src=about:blank></iframe>")
        self.site.route("/app/detail", lambda _: "<title>detail</title>")
        client = self.serve_with({"baseURL": self.site.url("/app/")})
        answer = self.call(client, "browser_run_code_unsafe", code="""async page => {
            await page.goto('list');
            const first = page.url();
            const arrived = page.waitForURL('detail');
            await page.evaluate(() => { location.href = 'detail'; });
            await arrived;
            return [first, page.url()];
        }""")
        self.assertEqual(json.loads(answer.result), [self.site.url("/app/list"), self.site.url("/app/detail")])


if __name__ == "__main__":
    main()
