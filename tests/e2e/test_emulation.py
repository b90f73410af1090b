"""What options make pages believe, and what they let them do: devices, scripts, permissions, files."""
import json
import pathlib
import struct
import tempfile

from support.case import BrowserdCase, main
from support.engine import chromium_only
from support.pages import Response


class Emulation(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.site = self.pages()

    def browser(self, *args, **more):
        return self.start("--output-dir", str(self.folder / "output"), *args, **more)

    def evaluate(self, client, function):
        answer = client.ask("browser_evaluate", function=function)
        return json.loads(answer.partition("### Result\n")[2].partition("\n### ")[0])

    def config(self, **config):
        path = self.folder / "config.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        return str(path)

    @chromium_only("Firefox has no layout of phones")
    def test_a_device(self):
        url = self.site.page("<meta name=viewport content='width=device-width'><p>x")
        client = self.browser("--device", "iPhone 15")
        client.ask("browser_navigate", url=url)
        self.assertEqual(self.evaluate(client, "() => [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0]"),
                         [393, 659, 3, True])
        self.assertIn("iPhone", self.evaluate(client, "() => navigator.userAgent"))
        self.assertIn("iPhone", self.site.requests(url)[0].headers["User-Agent"])
        client.ask("browser_resize", width=500, height=400)
        self.assertEqual(self.evaluate(client, "() => [innerWidth, innerHeight, devicePixelRatio]"), [500, 400, 3])

    @chromium_only("Firefox has no layout of phones")
    def test_pictures_have_the_pixels_of_css_unless_those_of_the_device_are_wanted(self):
        client = self.browser("--device", "iPhone 15")
        client.ask("browser_navigate", url=self.site.page("<meta name=viewport content='width=device-width'><style>body { margin: 0 }"
                                                        "div { height: 2000px } p { margin: .4px; width: 100.4px; height: 50px }</style><p>x</p><div>"))
        client.ask("browser_evaluate", function="() => scrollTo(0, 300)")
        sizes = [self.picture(client, **more) for more in ({}, {"fullPage": True}, {"target": "p"}, {"scale": "device"},
                                                           {"target": "p", "scale": "device"})]
        self.assertEqual(sizes, [(393, 659), (393, 2051), (101, 51), (1179, 1977), (303, 153)])

    def picture(self, client, **more):
        path = self.folder / "output" / "picture.png"
        client.ask("browser_take_screenshot", filename=str(path), **more)
        return struct.unpack(">II", path.read_bytes()[16:24])

    @chromium_only("Firefox has no layout of phones")
    def test_a_viewport_and_a_user_agent_win_over_the_device(self):
        client = self.browser("--mobile", "--viewport-size", "300x400", "--user-agent", "Mine/1")
        client.ask("browser_navigate", url=self.site.page("<meta name=viewport content='width=device-width'>"))
        self.assertEqual(self.evaluate(client, "() => [innerWidth, innerHeight, devicePixelRatio, navigator.userAgent]"),
                         [300, 400, 3, "Mine/1"])

    def test_scripts_run_before_those_of_pages_and_frames(self):
        first, second = self.folder / "first.js", self.folder / "second.js"
        first.write_text("window.order = ['first'];", encoding="utf-8")
        second.write_text("window.order.push('second');", encoding="utf-8")
        frame = self.site.page("<script>document.title = window.order</script>")
        url = self.site.page(f"<script>window.order.push('page')</script><iframe src='{frame}'></iframe>")
        client = self.browser("--init-script", str(first), "--init-script", str(second))
        client.ask("browser_navigate", url=url)
        self.assertEqual(self.evaluate(client, "() => window.order"), ["first", "second", "page"])
        self.assertEqual(self.evaluate(client, "() => frames[0].document.title"), "first,second")

    def test_pages_that_others_open_are_emulated_from_their_beginning(self):
        script = self.folder / "script.js"
        script.write_text("window.begun = true;", encoding="utf-8")
        opened = self.site.page("<script>window.seen = [window.begun, innerWidth, navigator.userAgent, navigator.language]</script>")
        client = self.browser("--init-script", str(script), "--viewport-size", "777x555", "--user-agent", "Mine/1",
                              "--config", self.config(browser={"contextOptions": {"extraHTTPHeaders": {"X-Mine": "yes"}, "locale": "de-DE"}}))
        client.ask("browser_navigate", url=self.site.page(f"<a target=_blank href='{opened}'>1</a><button onclick=\"window.open('{opened}')\">2</button>"
                                                        f"<p tabindex=0 onclick=\"window.open('{opened}', '', 'noopener')\">3</p>"))
        for target in ("a", "button", "p"):
            client.ask("browser_click", target=target)
            client.ask("browser_tabs", action="select", index=1)
            self.assertEqual(self.evaluate(client, "() => window.seen"), [True, 777, "Mine/1", "de-DE"])
            request = self.site.requests(opened)[-1]
            self.assertEqual((request.headers["X-Mine"], request.headers["User-Agent"]), ("yes", "Mine/1"))
            client.ask("browser_tabs", action="close", index=1)

    def test_permissions(self):
        query = "async () => (await navigator.permissions.query({ name: 'geolocation' })).state"
        url = self.site.page("x")
        config = self.config(browser={"contextOptions": {"permissions": ["geolocation"]}})
        for args, state in (((), "denied"), (("--grant-permissions", "geolocation,notifications"), "granted"),
                            (("--config", config), "granted")):
            client = self.browser(*args)
            client.ask("browser_navigate", url=url)
            self.assertEqual(self.evaluate(client, query) == "granted", state == "granted", args)

    def test_service_workers_can_be_blocked(self):
        self.site.route("/worker.js", Response("self.onfetch = null;", content_type="text/javascript"))
        register = "async () => { try { return await navigator.serviceWorker.register('/worker.js') ? 'registered' : 'nothing'; } " \
                   "catch (error) { return error.name; } }"
        config = self.config(browser={"contextOptions": {"serviceWorkers": "block"}})
        for args, result in (((), "registered"), (("--block-service-workers",), "nothing"),
                             (("--config", config), "nothing")):
            client = self.browser(*args)
            client.ask("browser_navigate", url=self.site.page("x"))
            self.assertEqual(self.evaluate(client, register), result)

    def test_the_test_id_attribute(self):
        client = self.browser("--test-id-attribute", "data-qa")
        client.ask("browser_navigate", url=self.site.page("<button data-qa=save onclick='this.textContent=1'></button>"))
        answer = client.ask("browser_click", target="getByTestId('save')")
        self.assertIn("page.getByTestId('save').click()", answer)

    def test_boxes_in_every_snapshot(self):
        client = self.browser("--snapshot-boxes")
        client.ask("browser_navigate", url=self.site.page("<button>Go</button>"))
        self.assertRegex(client.ask("browser_snapshot"), r"\[box=\d+,\d+,\d+,\d+\]")

    def test_the_console_level_of_answers(self):
        url = self.site.page("<script>console.log('quiet'); console.error('loud')</script>")
        for level, expected in (("error", ["loud"]), ("info", ["loud", "quiet"])):
            output = self.folder / level
            client = self.start("--output-dir", str(output), "--console-level", level)
            self.assertIn("New console entries", client.ask("browser_navigate", url=url))
            text = next(output.glob("console-*.log")).read_text(encoding="utf-8")
            self.assertEqual(sorted(word for word in ("loud", "quiet") if word in text), expected)

    def test_secrets(self):
        secrets = self.folder / "secrets.env"
        secrets.write_text("# mine\nexport WORD = \"open sesame\"\nEMPTY=\n", encoding="utf-8")
        client = self.browser("--secrets", str(secrets))
        client.ask("browser_navigate", url=self.site.page("<input id=i>"))
        answer = client.ask("browser_type", target="#i", text="WORD")
        self.assertIn("fill(process.env['WORD'])", answer)
        self.assertEqual(self.evaluate(client, "() => document.querySelector('#i').value.length"), len("open sesame"))
        self.assertIn("<secret>WORD</secret>", client.ask("browser_snapshot"))
        client.ask("browser_fill_form", fields=[{"target": "#i", "name": "i", "type": "textbox", "value": "x"}])
        answer = client.ask("browser_fill_form", fields=[{"target": "#i", "name": "i", "type": "textbox", "value": "WORD"}])
        self.assertIn("process.env['WORD']", answer)
        self.assertEqual(self.evaluate(client, "() => document.querySelector('#i').value.length"), len("open sesame"))
        answer = client.ask("browser_evaluate", function="() => { throw new Error('open sesame'); }")
        self.assertIn("<secret>WORD</secret>", answer)
        self.assertNotIn("sesame", answer)

    def test_the_oldest_files_go_first(self):
        client = self.browser("--output-max-size", "4000", "--snapshot-mode", "full")
        url = self.site.page("<p>" + "x" * 1500)
        client.ask("browser_navigate", url=url)
        (self.folder / "output" / "mine.txt").write_text("y" * 9000, encoding="utf-8")
        for _ in range(4):
            client.ask("browser_navigate", url=url)
        kept = sorted(path.name for path in (self.folder / "output").iterdir())
        self.assertIn("mine.txt", kept)
        self.assertEqual(len(kept), 4, kept)
        newest = client.ask("browser_navigate", url=url).partition("[Snapshot](")[2].partition(")")[0]
        self.assertTrue(pathlib.Path(newest).exists())

    def test_files_outside(self):
        page = self.folder / "page.html"
        page.write_text("<title>from a file</title>", encoding="utf-8")
        client = self.browser()
        self.assertIn("blocked", client.ask("browser_navigate", url=page.as_uri()))
        self.assertIn("File access denied", client.ask("browser_snapshot", filename=str(self.folder / "s.yml")))
        client = self.browser("--allow-unrestricted-file-access")
        self.assertIn("from a file", client.ask("browser_navigate", url=page.as_uri()))
        client.ask("browser_snapshot", filename=str(self.folder / "s.yml"))
        self.assertTrue((self.folder / "s.yml").exists())

    def test_origins(self):
        other = self.pages()
        inside, outside = self.site.page("<p>inside"), other.page("<p>outside")
        here, there = (f"http://127.0.0.1:{pages.port}" for pages in (self.site, other))
        fetch = f"() => fetch('{outside}', {{ mode: 'no-cors' }}).then(() => 'reached', () => 'blocked')"
        for args, reached in ((("--allowed-origins", f"http://nowhere.example;{here}"), "blocked"),
                              (("--allowed-origins", f"{here};{there}", "--blocked-origins", there), "blocked"),
                              (("--blocked-origins", there), "blocked"), (("--allowed-origins", "127.0.0.*:*"), "reached"),
                              (("--allowed-origins", "http://127.0.0.1:*", "--blocked-origins", "http://127.0.0.2"), "reached")):
            with self.subTest(args):
                client = self.browser(*args)
                self.assertNotIn("### Error", client.ask("browser_navigate", url=inside))
                self.assertEqual(self.evaluate(client, fetch), reached)
                answer = client.ask("browser_navigate", url=outside)
                self.assertEqual("ERR_BLOCKED_BY_CLIENT" in answer, reached == "blocked", answer)

    def test_storage_state(self):
        host = "127.0.0.1"
        origin = f"http://{host}:{self.site.port}"
        state = self.folder / "state.json"
        state.write_text(json.dumps({
            "cookies": [{"name": "signed", "value": "in", "domain": host, "path": "/", "expires": -1, "httpOnly": False,
                         "secure": False, "sameSite": "Lax"}],
            "origins": [{"origin": origin, "localStorage": [{"name": "theme", "value": "dark \"é"}]}]}), encoding="utf-8")
        url = self.site.page("x")
        client = self.browser("--storage-state", str(state))
        client.ask("browser_navigate", url=url)
        self.assertEqual(self.site.requests(url)[0].cookie, "signed=in")
        self.assertEqual(self.evaluate(client, "() => localStorage.theme"), 'dark "é')
        client.ask("browser_evaluate", function="() => { localStorage.theme = 'light'; }")
        client.ask("browser_navigate", url=url)
        self.assertEqual(self.evaluate(client, "() => localStorage.theme"), "light")
        session = client.session()
        session.navigate(url)
        self.assertEqual(session.evaluate("document.cookie + localStorage.theme"), 'signed=indark "é')
        self.assertFalse(self.site.requests("/"), "the site was asked while its storage was filled")

    def own_session(self, *arguments):
        client = self.browser(*arguments)
        client.start_call("browser_navigate", {"url": "about:blank"}).result()
        own, = client.call("list_sessions")["sessions"]
        return own

    def test_the_clients_own_session_lasts(self):
        """As long as the client, unless that may only be idle for so long."""
        self.assertEqual(self.own_session()["expiresAt"], 0)
        own = self.own_session("--idle-timeout", "100000")
        self.assertGreaterEqual(own["expiresAt"] - own["createdAt"], 100000)


if __name__ == "__main__":
    main()
