"""The config file under the name playwright-mcp: its forms, what wins, and the effect of Playwright's options in a page."""
import json
import os
import subprocess
import time
import unittest

from support.case import main
from support.client import PATIENCE
from support.drop_in import REFERENCE, DropInCase, SharedDropInCase
from support.pages import Response


def write(folder, content, name="config.json", encoding="utf-8"):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding=encoding)
    path.chmod(0o600)
    return path


class ConfigCase(DropInCase):
    def write(self, content, **more):
        return write(self.folder, content, **more)

    def serve_config(self, content, *args, **more):
        return self.serve("--config", self.write(content, **more), *args)

    def evaluate(self, client, expression):
        answer = self.call(client, "browser_evaluate", function=f"() => {expression}")
        self.assertFalse(answer.is_error, answer)
        return json.loads(answer.result)

    def merged(self, client):
        """The merged configuration."""
        answer = self.call(client, "browser_get_config")
        self.assertEqual(list(answer.sections), ["Result"], answer)
        return json.loads(answer.result)


class Forms(ConfigCase):
    def test_a_byte_order_mark_and_relative_paths(self):
        """Scripts are relative to the file, the output directory to where the server runs."""
        self.write("window.introduced = 'yes';", name="conf/first.js")
        client = self.serve_config({"browser": {"contextOptions": {"userAgent": "Marked"}, "initScript": ["first.js"]},
                                    "outputDir": "results"}, name="conf/config.json", encoding="utf-8-sig")
        self.open(client, "x")
        self.assertEqual(self.evaluate(client, "[navigator.userAgent, window.introduced]"), ["Marked", "yes"])
        self.assertTrue(list((self.folder / "results").iterdir()))

    def test_an_ini_file(self):
        client = self.serve_config("; agents\nbrowser.contextOptions.userAgent = Plain text\n"
                                   "browser.contextOptions.viewport=611x422\nbrowser.contextOptions.hasTouch=true\n", name="mcp.ini")
        self.assertEqual(self.evaluate(client, "[navigator.userAgent, innerWidth, innerHeight, navigator.maxTouchPoints]"),
                         ["Plain text", 611, 422, 1])

    def test_an_ini_file_of_another_name_with_a_section(self):
        client = self.serve_config('# one\n[browser.contextOptions]\nuserAgent = "Quoted"\nlocale=fr-FR\n', "--caps=config",
                                   name="settings")
        options = self.merged(client)["browser"]["contextOptions"]
        self.assertEqual((options["userAgent"], options["locale"]), ("Quoted", "fr-FR"))

    def test_what_wins(self):
        path = self.write(
            {"browser": {"contextOptions": {"userAgent": "File", "locale": "fr-FR", "viewport": {"width": 500, "height": 400}}}})
        client = self.serve("--config", path, "--user-agent", "Line", env={"PLAYWRIGHT_MCP_USER_AGENT": "Variable", "PLAYWRIGHT_MCP_VIEWPORT_SIZE": "520x410"})
        self.assertEqual(self.evaluate(client, "[navigator.userAgent, innerWidth, navigator.language]"), ["Line", 520, "fr-FR"])

    @unittest.skipIf(REFERENCE, "code has no expect() there, and its verifications wait for a busy page")
    def test_the_time_limit_of_verifications(self):
        client = self.serve_config({"timeouts": {"expect": 217}}, "--caps=testing")
        self.open(client, "x")
        code = "async page => await expect(page.locator('#absent')).toBeVisible()"
        self.assertTrue(self.call(client, "browser_run_code_unsafe", code=code).error.endswith("\nTimeout:  217ms"))
        self.call(client, "browser_evaluate", function="() => { setTimeout(() => { for (;;); }); }")
        answer = self.call(client, "browser_verify_text_visible", text="absent")
        self.assertRegex(answer.error, r"^TimeoutError: .*Timeout 217ms exceeded\.\nthe page has not replied to \S+ for \d+ ms: a script")


class SharedConfigCase(ConfigCase, SharedDropInCase):
    """Tests of one server with these contextOptions and launchOptions."""

    @classmethod
    def context_options(cls, site):
        """The contextOptions; `site` is the page server."""
        return {}

    launch_options = {}

    @classmethod
    def arguments(cls, folder, site):
        return "--config", write(folder, {"browser": {"contextOptions": cls.context_options(site), "launchOptions": cls.launch_options}})

    def in_page(self, expression, body="<p>text</p>"):
        """The value of an expression in a page."""
        self.assertFalse(self.show(body).is_error)
        return self.evaluate(self.client, expression)


MEDIA = "['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(forced-colors: active)', '(prefers-contrast: more)']" \
        ".map(query => matchMedia(query).matches)"
PORT = "--remote-debugging-port=9"
STRICT = ("<meta http-equiv='Content-Security-Policy' content=\"script-src 'none'\"><p id=p>strict</p>"
          "<script>p.textContent = 'open'</script>")


class ContextOptions(SharedConfigCase):
    @classmethod
    def context_options(cls, site):
        return {"locale": "de-DE", "timezoneId": "Asia/Tokyo", "extraHTTPHeaders": {"X-Team": "blue"}, "userAgent": "Agent/7",
                "geolocation": {"latitude": 48.5, "longitude": -3.25, "accuracy": 7}, "permissions": ["geolocation"],
                "colorScheme": "dark", "reducedMotion": "reduce", "forcedColors": "active", "contrast": "more",
                "viewport": {"width": 400, "height": 300}, "deviceScaleFactor": 2.5, "isMobile": True, "hasTouch": True,
                "screen": {"width": 800, "height": 900}, "bypassCSP": True,
                "storageState": {
                    "cookies": [{"name": "session", "value": "s1", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": False,
                                 "secure": False, "sameSite": "Lax"}],
                    "origins": [{"origin": site.url(""), "localStorage": [{"name": "theme", "value": "green"}]}]}}

    def test_language_and_time_zone(self):
        self.assertEqual(self.in_page("[navigator.language, (2.5).toLocaleString(), new Date(0).getHours()]"), ["de-DE", "2,5", 9])

    def test_requests(self):
        page = lambda request: Response(f"<body>{request.headers.get('X-Team')}|{request.headers.get('Accept-Language')}"
                                        f"|{request.headers.get('User-Agent')}")
        self.ask("browser_navigate", url=self.site.route("/headers", page))
        self.assertEqual(self.evaluate(self.client, "document.body.innerText").split("|"), ["blue", "de-DE", "Agent/7"])

    def test_header_fields_that_code_adds(self):
        names = ("X-Team", "X-All", "X-Page")
        client = self.serve_config({"browser": {"contextOptions": {"extraHTTPHeaders": {"X-Team": "blue", "X-Page": "options"}}}})
        url = self.site.route("/headers", lambda request: Response("<body>" + "|".join(str(request.headers.get(name)) for name in names)))
        seen = []
        for code in ("page.setExtraHTTPHeaders({ 'X-Page': 'page' })", "page.context().setExtraHTTPHeaders({ 'X-All': 'all', 'X-Page': 'all' })",
                     "page.setExtraHTTPHeaders({})"):
            self.call(client, "browser_run_code_unsafe", code=f"async page => {{ await {code}; }}")
            self.call(client, "browser_navigate", url=url)
            seen.append(self.evaluate(client, "document.body.innerText").split("|"))
        self.assertEqual(seen, [["blue", "None", "page"], ["None", "all", "page"], ["None", "all", "all"]])

    def test_place(self):
        place = self.in_page("new Promise(done => navigator.geolocation.getCurrentPosition(p => done("
                             "[p.coords.latitude, p.coords.longitude, p.coords.accuracy]), e => done(e.message)))")
        self.assertEqual(place, [48.5, -3.25, 7])

    def test_media(self):
        self.assertEqual(self.in_page(MEDIA), [True] * 4)

    def test_device(self):
        self.assertEqual(self.in_page("[visualViewport.width, devicePixelRatio, navigator.maxTouchPoints, screen.width, screen.height]",
                                      '<meta name="viewport" content="width=device-width">'), [400, 2.5, 1, 800, 900])

    def test_content_security_policies(self):
        self.assertEqual(self.in_page("document.getElementById('p').textContent", STRICT), "open")

    def test_the_state_to_begin_with(self):
        self.assertEqual(self.in_page("[document.cookie, localStorage.theme]"), ["session=s1", "green"])


class OtherOptions(SharedConfigCase):
    @classmethod
    def context_options(cls, site):
        return {"viewport": None, "colorScheme": "light", "acceptDownloads": False}

    launch_options = {"args": ["--lang=cs", PORT], "ignoreDefaultArgs": ["--mute-audio"],
                      "env": {"PATH": os.environ["PATH"], "COLOUR": "ochre", "SIZE": 3, "LOUD": True},
                      "slowMo": 50, "timeout": 60000, "handleSIGINT": True}

    def test_a_pause_before_each_call(self):
        self.show("x")
        start = time.monotonic()
        for _ in range(3):
            self.evaluate(self.client, "1")
        self.assertGreaterEqual(time.monotonic() - start, 3 * self.launch_options["slowMo"] / 1000)

    def test_a_debugging_port(self):
        """Others could take the browser over by it."""
        if REFERENCE:
            self.skipTest("the reference opens it")
        self.show("x")
        self.assertIn(f"browser.launchOptions.args: {PORT} is ignored", self.client.stderr())
        self.assertNotIn(PORT, self.client.browser().command())

    def test_the_size_of_the_window(self):
        self.assertNotEqual(self.in_page("innerWidth"), 1280)

    def test_media(self):
        self.assertEqual(self.in_page(MEDIA), [False] * 4)

    def test_content_security_policies(self):
        self.assertEqual(self.in_page("document.getElementById('p').textContent", STRICT), "strict")

    def test_downloads_that_are_not_accepted(self):
        url = self.site.route("/file.bin", lambda _: Response("12345", content_type="application/octet-stream",
                                                              headers=[("Content-Disposition", "attachment")]))
        self.show(f'<a href="{url}">Get</a>')
        self.ask("browser_click", element="Get", target="text=Get")
        self.assertFalse(list(self.folder.rglob("*.bin")))

    def test_arguments(self):
        self.show("x")
        command = self.client.browser().command()
        self.assertIn("--lang=cs", command)
        self.assertNotIn("--mute-audio", command)

    def test_environment(self):
        self.show("x")
        with open(f"/proc/{self.client.browser().pid}/environ", encoding="utf-8") as file:
            variables = file.read().split("\0")
        self.assertLessEqual({"COLOUR=ochre", "SIZE=3", "LOUD=true"}, set(variables))
        self.assertFalse([variable for variable in variables if variable.startswith("HOME=")])


class NothingRuns(SharedConfigCase):
    @classmethod
    def context_options(cls, site):
        return {"offline": True, "javaScriptEnabled": False}

    def test_no_network(self):
        self.assertIn("net::ERR_INTERNET_DISCONNECTED", self.show("x").error)

    def test_no_scripts(self):
        self.ask("browser_navigate", url="data:text/html,<p id=p>before</p><script>p.textContent = 'after'</script>")
        self.assertIn("before", self.ask("browser_snapshot").snapshot)


class Merged(ConfigCase):
    """browser_get_config"""

    def test_all_sources(self):
        path = self.write({"browser": {"contextOptions": {"locale": "da-DK"}}, "timeouts": {"action": 4321},
                           "network": {"blockedOrigins": ["https://ads.example"]}})
        config = self.merged(self.serve("--config", path, "--caps=config", "--viewport-size=620x440",
                                        env={"PLAYWRIGHT_MCP_TIMEOUT_NAVIGATION": "9876"}))
        browser = config["browser"]
        self.assertEqual((browser["browserName"], browser["isolated"], browser["launchOptions"]["headless"]), ("chromium", True, True))
        self.assertFalse(browser["launchOptions"]["chromiumSandbox"])
        self.assertEqual(browser["contextOptions"]["viewport"], {"width": 620, "height": 440})
        self.assertEqual(browser["contextOptions"]["locale"], "da-DK")
        self.assertEqual((config["timeouts"]["action"], config["timeouts"]["navigation"]), (4321, 9876))
        self.assertEqual(config["network"]["blockedOrigins"], ["https://ads.example"])
        self.assertEqual((config["capabilities"], config["configFile"]), (["config"], str(path)))

    def test_defaults(self):
        config = self.merged(self.serve("--caps=config"))
        self.assertEqual(config["codegen"], "typescript")
        self.assertEqual(config["browser"]["contextOptions"]["viewport"], {"width": 1280, "height": 720})
        self.assertEqual((config["timeouts"]["action"] if "action" in config["timeouts"] else 5000, config["timeouts"]["settle"]), (5000, 500))

    def test_secrets_are_not_in_it(self):
        path = self.write("PASSWORD=tr0ub4dor\n", name="secrets.env")
        answer = self.call(self.serve("--caps=config", "--secrets", path), "browser_get_config")
        self.assertIn("<secret>PASSWORD</secret>", answer.text)
        self.assertNotIn("tr0ub4dor", answer.text)


class Printed(ConfigCase):
    """--print-config, which the reference does not have."""

    def printed(self, *args, env=None):
        result = subprocess.run([os.environ["PLAYWRIGHT_MCP"], "--print-config", *map(str, args)], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=PATIENCE, check=True, env={**os.environ, **(env or {})})
        return json.loads(result.stdout), result.stderr

    def test_values_and_where_they_came_from(self):
        path = self.write({"browser": {"contextOptions": {"locale": "da-DK", "extraHTTPHeaders": {"X-Key": "hidden-key"}}}})
        config, origins = self.printed("--config", path, "--device=iPhone 15", env={"PLAYWRIGHT_MCP_CODEGEN": "python"})
        self.assertEqual((config["browser"]["contextOptions"]["locale"], config["codegen"]), ("da-DK", "python"))
        self.assertEqual(config["browser"]["contextOptions"]["viewport"], {"width": 393, "height": 659})
        self.assertIn(f"browser.contextOptions.locale: browser.contextOptions.locale in {path}\n", origins)
        self.assertIn("codegen: PLAYWRIGHT_MCP_CODEGEN\n", origins)
        self.assertIn("device: --device\n", origins)
        self.assertNotIn("hidden-key", json.dumps(config) + origins)

    def test_it_can_be_used_as_a_config_file(self):
        config, _ = self.printed("--isolated", "--timeout-action=777", "--caps=pdf")
        again, _ = self.printed("--config", self.write(config))
        self.assertEqual((again["browser"]["isolated"], again["timeouts"]["action"], again["capabilities"]), (True, 777, ["pdf"]))


class CannotBeHonoured(ConfigCase):
    """What browserd cannot do stops its start with the option's name; the reference does it."""

    REFUSED = {"browser.contextOptions": {"clientCertificates": [{"origin": "https://host.example"}]}}

    def test_it_stops_the_start(self):
        if REFERENCE:
            self.skipTest("the reference does it")
        for parent, options in self.REFUSED.items():
            for name, value in options.items():
                config = {name: value}
                for key in reversed(parent.split(".")):
                    config = {key: config}
                with self.subTest(name):
                    result = subprocess.run([os.environ["PLAYWRIGHT_MCP"], "--config", self.write(config)], stdin=subprocess.DEVNULL,
                                            capture_output=True, text=True, timeout=PATIENCE, check=False)
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(f"{parent}.{name}", result.stderr)


if __name__ == "__main__":
    main()
