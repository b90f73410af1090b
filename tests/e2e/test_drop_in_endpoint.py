"""--cdp-endpoint, --cdp-header and --cdp-timeout: a browser that runs already, as a client of @playwright/mcp sees it."""
import json
import os
import pathlib
import socket
import subprocess
import tempfile

from support.case import main
from support.chromium import Chromium
from support.devtools import DevTools
from support.drop_in import REFERENCE, DropInCase
from support.pages import Pages, Response
from support.relay import Relay

MEDIA = "[matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches]"
FIRST = """<!doctype html><title>first</title><button onclick="document.title = 'clicked'">In the first tab</button>
<iframe srcdoc='<button>Inside</button>'></iframe>
<script>onload = () => navigator.sendBeacon("/report", JSON.stringify([innerWidth, innerHeight, devicePixelRatio]))</script>"""


class EndpointCase(DropInCase):
    """Tests that share a browser. Its first tab shows `first` at the beginning of each of them."""

    @classmethod
    def setUpClass(cls):
        cls.site = Pages()
        cls.addClassCleanup(cls.site.close)
        cls.first = cls.site.route("/first", FIRST)
        cls.browser = Chromium(cls.first)
        cls.addClassCleanup(cls.browser.close)
        cls.own_size = cls.site.wait_report()

    def attach(self, *args, endpoint=None, **more):
        return self.serve("--cdp-endpoint", endpoint or self.browser.endpoint, *args, plain=False, **more)

    def relay(self, *args, **more):
        relay = Relay(*args, **more)
        self.addCleanup(relay.close)
        return relay

    def evaluate(self, client, expression):
        answer = self.call(client, "browser_evaluate", function=f"() => ({expression})")
        self.assertFalse(answer.is_error, answer)
        return json.loads(answer.result)

    def assertWorks(self, client):
        self.assertEqual(self.evaluate(client, "1 + 1"), 2)


class InTheConfigFile(EndpointCase):
    def configured(self, **browser):
        path = self.folder / "config.json"
        path.write_text(json.dumps({"browser": {"cdpEndpoint": self.browser.endpoint, **browser}}), encoding="utf-8")
        path.chmod(0o600)
        return self.serve("--config", path, plain=False)

    def test_with_a_state_for_isolated_sessions_alone(self):
        state = {"cookies": [{"name": "a", "value": "b", "domain": "127.0.0.1", "path": "/"}]}
        for given, isolated, cookie in ((state, False, ""), ("missing.json", False, ""), (state, True, "a=b")):
            with self.subTest(given, isolated=isolated):
                client = self.configured(isolated=isolated, contextOptions={"storageState": given})
                self.open(client, "x")
                self.assertEqual(self.evaluate(client, "document.cookie"), cookie)


class TheFirstTab(EndpointCase):
    """Each test begins with `first` in the only tab."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        starter = cls()
        starter.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.client = starter.attach()
        cls.addClassCleanup(starter.doCleanups)

    def setUp(self):
        super().setUp()
        self.call(self.client, "browser_navigate", url=self.first)

    def test_it_is_used(self):
        snapshot = self.call(self.attach(), "browser_snapshot")
        self.assertIn(f"- Page URL: {self.first}", snapshot.text)
        self.assertIn("- Page Title: first", snapshot.text)
        self.assertIn('button "In the first tab" [ref=e2]', snapshot.snapshot)  # whatever others have numbered there
        self.assertIn('button "Inside"', snapshot.snapshot)
        self.browser.wait_pages(self.first)

    def test_a_click_on_what_was_there_before(self):
        client = self.attach()
        self.assertFalse(self.call(client, "browser_click", target="button", element="Press").is_error)
        self.assertEqual(self.evaluate(client, "document.title"), "clicked")
        self.assertEqual(self.evaluate(self.client, "document.title"), "clicked")

    def test_it_is_navigated_and_stays(self):
        client = self.attach()
        second = self.site.page("second", title="second")
        self.call(client, "browser_navigate", url=second)
        self.browser.wait_pages(second)
        client.close_stdin()
        client.wait()
        self.browser.wait_pages(second)

    def test_cookies_are_those_of_the_browser(self):
        self.evaluate(self.client, "document.cookie = 'of=thebrowser'")
        self.assertIn("of=thebrowser", self.evaluate(self.attach(), "document.cookie"))
        isolated = self.attach("--isolated")
        self.call(isolated, "browser_navigate", url=self.first)
        self.assertNotIn("of=thebrowser", self.evaluate(isolated, "document.cookie"))
        self.assertNotEqual(self.evaluate(isolated, "[innerWidth, innerHeight]"), [1280, 720])

    def test_size_and_user_agent_are_those_of_the_browser(self):
        self.assertEqual(self.evaluate(self.client, "[innerWidth, innerHeight, devicePixelRatio]"), self.own_size)
        self.assertEqual(self.evaluate(self.client, "navigator.userAgent"),
                         json.loads(self.browser.ask("/json/version"))["User-Agent"])

    def test_a_closed_session_leaves_the_first_tab(self):
        self.assertIn("No open tabs", self.call(self.client, "browser_close").text)
        self.browser.wait_pages(self.first)
        self.assertIn('button "In the first tab"', self.call(self.client, "browser_snapshot").snapshot)

    def test_another_tab(self):
        added = self.site.page("added", title="added")
        listed = self.call(self.client, "browser_tabs", action="new", url=added).result
        self.assertIn(f"- 0: [first]({self.first})", listed)
        self.assertIn("- 1: (current)", listed)
        self.call(self.client, "browser_tabs", action="close", index=1)
        self.browser.wait_pages(self.first)


class Contexts(EndpointCase):
    def test_an_isolated_session_has_a_context_of_its_own(self):
        client = self.attach("--isolated")
        self.assertNotIn("first", self.call(client, "browser_snapshot").text)
        own = self.site.page("own")
        self.call(client, "browser_navigate", url=own)
        self.browser.wait_pages(own, self.first)
        client.close_stdin()
        client.wait()
        self.browser.wait_pages(self.first)

    def test_what_is_asked_for_is_emulated_there(self):
        client = self.attach("--isolated", "--viewport-size", "611x433", "--user-agent", "Mine")
        self.assertEqual(self.evaluate(client, "[innerWidth, innerHeight, navigator.userAgent]"), [611, 433, "Mine"])


class AnotherClient(EndpointCase):
    """What another client of the browser has emulated on pages stays when a server attaches to them."""

    def setUp(self):
        super().setUp()
        self.other = DevTools(self.browser.profile)
        self.addCleanup(self.other.close)

    def emulate(self, url):
        page = self.other.attach(url)
        self.other.call("Emulation.setEmulatedMedia", page, media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        return page

    def emulated(self, page):
        """As the other client sees it."""
        return self.other.call("Runtime.evaluate", page, returnByValue=True, expression=MEDIA)["result"]["value"]

    def test_its_media_on_the_first_tab(self):
        page = self.emulate(self.first)
        client = self.attach()
        self.assertEqual(self.evaluate(client, MEDIA), [True, True])
        self.assertEqual(self.emulated(page), [True, True])

    def test_its_media_in_other_contexts(self):
        context = self.other.call("Target.createBrowserContext")["browserContextId"]
        for args in (), ("--isolated",):
            with self.subTest(args):
                url = self.site.page("theirs")
                self.other.call("Target.createTarget", url=url, browserContextId=context)
                page = self.emulate(url)
                client = self.attach(*args)
                self.assertWorks(client)
                later = self.site.page("later")
                self.other.call("Target.createTarget", url=later, browserContextId=context)
                second = self.emulate(later)
                self.assertWorks(client)
                self.assertEqual([self.emulated(page), self.emulated(second)], [[True, True]] * 2)
        self.other.call("Target.disposeBrowserContext", browserContextId=context)


class Addresses(EndpointCase):
    def test_a_websocket(self):
        for suffix in ("", "?token=a/b"):
            with self.subTest(suffix):
                self.assertWorks(self.attach(endpoint=self.browser.websocket + suffix))

    def test_localhost(self):
        self.assertWorks(self.attach(endpoint=f"http://localhost:{self.browser.port}"))

    def test_path_and_query_are_kept(self):
        self.site.route("/behind/json/version/", lambda request: json.dumps({"webSocketDebuggerUrl": self.browser.websocket})
                        if request.query == {"key": "1"} else Response(status=403))
        relay = self.relay(self.site.port)
        failed = self.call(self.attach(endpoint=f"http://127.0.0.1:{relay.port}/behind"), "browser_snapshot")
        self.assertIn("403", failed.error)
        self.call(self.attach(endpoint=f"http://127.0.0.1:{relay.port}/behind?key=1"), "browser_snapshot")
        self.assertTrue(relay.heads[1].startswith("GET /behind/json/version/?key=1 HTTP/1.1\r\n"), relay.heads)

    def test_the_environment(self):
        self.assertWorks(self.serve(plain=False, env={"PLAYWRIGHT_MCP_CDP_ENDPOINT": self.browser.endpoint}))

    def test_the_config_file(self):
        relay = self.relay(self.browser.port, demanded="X-Key: a b")
        path = self.folder / "config.json"
        path.write_text(json.dumps({"browser": {"cdpEndpoint": f"http://127.0.0.1:{relay.port}", "cdpHeaders": {"X-Key": "a b"},
                                                "cdpTimeout": 20000}}))
        path.chmod(0o600)
        self.assertWorks(self.serve("--config", path, plain=False))


class Names(EndpointCase):
    """The browser that the user has open, found by its default user data directory."""

    DIRECTORIES = {"chrome": "google-chrome", "msedge-beta": "microsoft-edge-beta", **({} if REFERENCE else {"chromium": "chromium"})}

    def attach_to(self, name):
        return self.attach(endpoint=name, env={"HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / ".config")})

    def write(self, name, text):
        folder = self.folder / ".config" / self.DIRECTORIES[name]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "DevToolsActivePort").write_text(text)

    def test_they_are_found(self):
        for name in self.DIRECTORIES:
            with self.subTest(name):
                self.write(name, pathlib.Path(self.browser.profile, "DevToolsActivePort").read_text())
                snapshot = self.call(self.attach_to(name), "browser_snapshot")
                self.assertIn(f"- Page URL: {self.first}", snapshot.text)

    def test_one_that_starts_later(self):
        client = self.attach_to("chrome")
        failed = self.call(client, "browser_snapshot")
        self.assertIn("Could not connect to chrome: DevToolsActivePort file not found at "
                      f"{self.folder}/.config/google-chrome/DevToolsActivePort", failed.error)
        self.assertIn("chrome://inspect/#remote-debugging", failed.error)
        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        for text in ("\n/x", f"{port}\n/devtools/browser/x"):  # unreadable, and left by one that has ended
            self.write("chrome", text)
            failed = self.call(client, "browser_snapshot")
            self.assertTrue(failed.is_error)
            self.assertIn("chrome://inspect/#remote-debugging", failed.error)
        self.write("chrome", pathlib.Path(self.browser.profile, "DevToolsActivePort").read_text())
        self.assertWorks(client)


class Headers(EndpointCase):
    def setUp(self):
        super().setUp()
        self.guard = self.relay(self.browser.port, demanded="Authorization: Bearer 0123")
        self.address = f"http://127.0.0.1:{self.guard.port}"

    def test_they_are_sent_to_port_and_websocket(self):
        client = self.attach("--cdp-header", "Authorization: Bearer 0123", "X-Other: x", "--cdp-header", "X-Third: y",
                             endpoint=self.address)
        self.assertWorks(client)
        self.assertEqual([head.split()[1].split("/")[1] for head in self.guard.heads], ["json", "devtools"])
        for head in self.guard.heads:
            self.assertIn("\r\nX-Other: x\r\n", head)
            self.assertIn("\r\nX-Third: y\r\n", head)

    def test_empty_ones_and_others_with_signs_and_blanks(self):
        client = self.attach("--cdp-header", "Authorization: Bearer 0123", "X-Empty", "X-Blank:", " X-Signs : a:b; c=\"d, e\" ",
                             endpoint=self.address)
        self.assertWorks(client)
        for head in self.guard.heads:
            self.assertRegex(head, "\r\nX-Empty: ?\r\n")
            self.assertRegex(head, "\r\nX-Blank: ?\r\n")
            self.assertIn('\r\nX-Signs: a:b; c="d, e"\r\n', head)

    def test_to_a_websocket_alone(self):
        url = self.browser.websocket.replace(str(self.browser.port), str(self.guard.port))
        self.assertWorks(self.attach("--cdp-header", "Authorization: Bearer 0123", endpoint=url))
        self.assertIn("401", self.call(self.attach(endpoint=url), "browser_snapshot").error)

    def test_the_environment(self):
        self.assertWorks(self.attach(endpoint=self.address, env={"PLAYWRIGHT_MCP_CDP_HEADERS": "Authorization: Bearer 0123"}))

    def test_without(self):
        failed = self.call(self.attach(endpoint=self.address), "browser_snapshot")
        self.assertTrue(failed.is_error)
        self.assertIn("401", failed.error)


class Failures(EndpointCase):
    def test_nothing_listens_and_then_a_browser_does(self):
        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        client = self.attach(endpoint=f"http://127.0.0.1:{port}")
        for _ in range(2):
            failed = self.call(client, "browser_navigate", url=self.first)
            self.assertTrue(failed.is_error)
            self.assertIn(f"ECONNREFUSED 127.0.0.1:{port}", failed.error)
        self.relay(self.browser.port, port=port)
        self.assertWorks(client)

    def test_an_answer_that_comes_too_late(self):
        late = self.relay(self.browser.port)
        late.hold()
        for scheme, args, env in (("http", ("--cdp-timeout", "300"), {}), ("ws", (), {"PLAYWRIGHT_MCP_CDP_TIMEOUT": "300"})):
            with self.subTest(scheme):
                failed = self.call(self.attach(*args, endpoint=f"{scheme}://127.0.0.1:{late.port}", env=env), "browser_snapshot")
                self.assertTrue(failed.is_error)
                self.assertIn("Timeout 300ms exceeded", failed.error)
                self.assertIn(f"127.0.0.1:{late.port}", failed.error)

    def test_what_is_no_browser(self):
        self.site.route("/page/json/version/", "<p>a page")
        self.site.route("/other/json/version/", "{}")
        for path in ("/missing", "/page", "/other"):
            with self.subTest(path):
                failed = self.call(self.attach(endpoint=self.site.url(path)), "browser_snapshot")
                self.assertTrue(failed.is_error)
        self.assertIn("404", self.call(self.attach(endpoint=self.site.url("/missing")), "browser_snapshot").error)
        self.assertIn("404", self.call(self.attach(endpoint=f"ws://127.0.0.1:{self.site.port}/x"), "browser_snapshot").error)

    def test_a_connection_that_is_cut(self):
        relay = self.relay(self.browser.port)
        client = self.attach(endpoint=f"http://127.0.0.1:{relay.port}")
        self.call(client, "browser_navigate", url=self.site.page(""))
        waiting = client.start("tools/call", {"name": "browser_evaluate", "arguments": {
            "function": "() => { report('runs'); return new Promise(() => {}) }"}}, tool="browser_evaluate")
        while self.site.wait_report() != "runs":  # the first tab reports, too
            pass
        relay.cut()
        self.assertTrue(waiting.result()["isError"])
        self.assertWorks(client)

    def test_a_browser_that_starts_again(self):
        relay = self.relay(None)
        client = self.attach(endpoint=f"http://127.0.0.1:{relay.port}", env={"DEBUG": "pw:mcp:*", "DEBUG_HIDE_DATE": "1"})
        life = ["pw:mcp:test create browser (cdp)", "pw:mcp:test create context", "pw:mcp:backend browser disconnected",
                "pw:mcp:test close browser"]
        for count, body in enumerate(("one", "two"), 1):
            browser = Chromium(self.site.page(f"{body}<script>onload = () => report(document.body.textContent)</script>"))
            self.addCleanup(browser.close)
            self.site.wait_report()
            relay.backend = browser.port
            self.assertIn(body, self.evaluate(client, "document.body.textContent"))
            browser.kill()
            client.wait_said(lambda said, count=count: said.count("close browser") == count)
            self.assertEqual([line for line in client.stderr().splitlines() if line in life][-4:], life)
            self.assertTrue(self.call(client, "browser_evaluate", function="() => 1").is_error)


class Combinations(DropInCase):
    def refuse(self, *args):
        command = [*(REFERENCE or [os.environ["PLAYWRIGHT_MCP"]]), "--cdp-endpoint", "http://127.0.0.1:1", *args]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
        self.assertNotEqual(ended.returncode, 0)
        self.assertEqual(ended.stdout, "")
        return ended.stderr

    def test_a_device_cannot_be_emulated(self):
        for args in (("--device", "iPhone 15"), ("--mobile",)):
            with self.subTest(args):
                self.assertIn("Device emulation is not supported with cdpEndpoint.", self.refuse(*args))


if __name__ == "__main__":
    main()
