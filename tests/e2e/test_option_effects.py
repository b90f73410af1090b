"""Options whose effect no test of another subject reads: what each one does, what refused ones say, and which have no effect."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from support.case import BrowserdCase, main
from support.chromium import installed
from support.client import PATIENCE, binary
from support.pages import Response

# Stands in for a browser: leaves its arguments in the file $RECORD, one a line, and ends.
RECORDER = 'for a; do printf "%s\\n" "$a"; done >"$RECORD"; exit 1'
DROP_IN = os.environ["PLAYWRIGHT_MCP"]
# What @playwright/mcp starts a browser with, but for disable-background-timer-throttling: timers of pages that rest are throttled.
SWITCHES = {f"--{name}" for name in """
    allow-pre-commit-input disable-back-forward-cache disable-background-networking
    disable-backgrounding-occluded-windows disable-blink-features=AutomationControlled disable-breakpad
    disable-client-side-phishing-detection disable-component-extensions-with-background-pages disable-component-update
    disable-default-apps disable-field-trial-config disable-hang-monitor disable-infobars disable-ipc-flooding-protection
    disable-popup-blocking disable-prompt-on-repost disable-renderer-backgrounding disable-search-engine-choice-screen disable-sync
    enable-unsafe-swiftshader force-color-profile=srgb headless hide-scrollbars metrics-recording-only mute-audio
    no-default-browser-check no-first-run no-service-autorun password-store=basic use-mock-keychain""".split()}
DISABLED = set("""AimEnabled BlockOriginHeaderModificationOnRedirect DestroyProfileOnBrowserClose DialMediaRouteProvider GlobalMediaControls
    HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints PaintHolding Translate msForceBrowserSignIn""".split())


def run(*args):
    """Runs browserd to its end without input; what it prints."""
    return subprocess.run([binary(), *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout


class Effects(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def config(self, **browser):
        path = self.folder / "config.json"
        path.write_text(json.dumps({"browser": browser}), encoding="utf-8")
        path.chmod(0o600)
        return path


class Browser(Effects):
    def started_with(self, *args, program=None):
        """The arguments that the browser gets."""
        record = self.folder / "record"
        client = self.start(command=[program or binary(), "--headless", "--executable-path", self.script(RECORDER), *map(str, args)],
                            env={"RECORD": str(record)})
        client.ask("browser_navigate", url="about:blank")
        return record.read_text(encoding="utf-8").splitlines()

    def test_the_sandbox(self):
        """Without the option the server leaves the sandbox out where it cannot work, as for root; with it, the browser has to try."""
        if os.geteuid() == 0:
            self.assertIn("--no-sandbox", self.started_with())
        for args in (("--sandbox",), ("--config", self.config(launchOptions={"chromiumSandbox": True}))):
            self.assertNotIn("--no-sandbox", self.started_with(*args))

    @unittest.skipUnless(os.geteuid() == 0, "the sandbox may work for ordinary users")
    def test_a_sandbox_that_cannot_work(self):
        error = self.start("--sandbox").fail("create_session")
        self.assertIn("sandbox, which --sandbox requires, cannot work: this server runs as root", error.message)

    @unittest.skipUnless(os.geteuid() == 0, "the sandbox may work for ordinary users")
    def test_a_browser_with_an_argument_of_its_own_for_the_sandbox(self):
        client = self.start("--sandbox", "--executable-path", self.script(f'exec {installed()} --no-sandbox "$@"'))
        self.assertTrue(client.call("create_session")["sessionId"])

    def test_arguments_of_the_reference(self):
        """With a profile that stays. docs/compat.md says which of them are left out, and why."""
        args = self.started_with("--user-data-dir", self.folder / "profile", program=DROP_IN)
        self.assertLessEqual(SWITCHES, set(args))
        disabled = {name for arg in args if arg.startswith("--disable-features=") for name in arg.split("=")[1].split(",")}
        self.assertLessEqual(DISABLED, disabled)

    def test_arguments_that_the_browser_usually_gets(self):
        self.assertIn("--no-first-run", self.started_with())
        for name in ("ignoreAllDefaultArgs", "ignoreDefaultArgs"):
            with self.subTest(name):
                args = self.started_with("--config", self.config(launchOptions={name: True}))
                self.assertNotIn("--no-first-run", args)
                self.assertTrue([arg for arg in args if arg.startswith("--user-data-dir=")])

    def test_a_browser_that_takes_too_long_to_start(self):
        client = self.start("--executable-path", self.script("exec sleep 1000"), "--config", self.config(launchOptions={"timeout": 321}))
        self.assertIn("321", client.fail("create_session").message)

    def test_a_browser_that_may_take_any_time(self):
        client = self.start("--config", self.config(launchOptions={"timeout": 0}))
        self.assertTrue(client.call("create_session")["sessionId"])

    def test_hosts_that_are_reached_without_the_proxy(self):
        site, proxy = self.pages(), self.pages()
        site.route("/where", "<title>direct</title>")
        proxy.answer = lambda request: Response("<title>proxied</title>")
        client = self.start("--proxy-server", f"127.0.0.1:{proxy.port}", "--proxy-bypass", "near.test",
                            "--browser-arg=--host-resolver-rules=MAP near.test 127.0.0.1")
        session = client.session()
        titles = [session.navigate(f"http://{host}:{site.port}/where")["title"] for host in ("near.test", "far.test")]
        self.assertEqual(titles, ["direct", "proxied"])

    def test_this_machine_is_reached_through_the_proxy_under_one_name(self):
        site, proxy = self.pages(), self.pages()
        url = site.page("", title="direct")
        proxy.answer = lambda request: Response("<title>proxied</title>")
        for name, bypass, title in (("browserd", (), "direct"), ("playwright-mcp", (), "proxied"),
                                    ("playwright-mcp", ("--proxy-bypass", "near.test"), "proxied"),
                                    ("playwright-mcp", ("--proxy-bypass", "near.test, localhost"), "direct")):
            with self.subTest(name, bypass=bypass):
                client = self.start(name, "--isolated", "--proxy-server", f"127.0.0.1:{proxy.port}", *bypass)
                answer = client.start_call("browser_navigate", {"url": url}).result()
                self.assertIn(f"- Page Title: {title}\n", answer["content"][0]["text"])


class Observing(Effects):
    def test_what_is_kept_of_events_unless_a_call_says_so(self):
        client = self.start("--caps", "observe", "--buffer-size", "3", "--ttl-sec", "77")
        session = client.session()
        target = client.call("cdp_observe", urlIncludes="about:blank")["targetId"]
        details = client.fail("cdp_observe", targetId=target, bufferSize=4, ttlSec=78).details
        self.assertEqual((details["bufferSize"], details["ttlSec"]), (3, 77))
        session.evaluate("for (let i = 0; i < 9; i++) console.log('n' + i)")
        read = client.call("cdp_read_events", targetId=target)
        while read["nextOffset"] < 9:
            read = client.call("cdp_read_events", targetId=target)
        self.assertEqual(len(read["events"]), 3)


class Server(Effects):
    def test_standard_input_although_there_is_a_port(self):
        client = self.start("--transport", "stdio", "--port", "0")
        self.assertEqual(client.request("ping"), {})
        self.assertNotIn("http://", client.stderr())

    def test_http_without_a_port(self):
        server = self.start_unchecked("--transport", "http", version=None, env={"PORT": "0"})
        server.wait_stderr("http://127.0.0.1:")


class Texts(Effects):
    def test_the_manual_page(self):
        page = run("--man")
        self.assertTrue(page.startswith(".TH browserd 1 "), page[:80])
        self.assertIn("max\\-sessions", page)

    def test_completions_of_shells(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell):
                self.assertIn("max-sessions-per-owner", run("--completion", shell))
        script = self.folder / "completion"
        script.write_text(run("--completion", "bash"), encoding="utf-8")
        ask = '. "$0"; f=$(complete -p browserd); f=${f#*-F }; COMP_WORDS=(browserd --max-sessions); COMP_CWORD=1; ${f%% *} browserd --max-sessions browserd; ' \
              'printf "%s\\n" "${COMPREPLY[@]}"'
        found = subprocess.run(["bash", "-c", ask, script], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        self.assertEqual(found.split(), ["--max-sessions", "--max-sessions-per-owner"])


class DropIn(Effects):
    """Options of @playwright/mcp that are refused, or accepted although they change nothing, under its name."""

    REFUSED = {"--endpoint": "there is no connection to Playwright's browser servers;", "--extension": "the Playwright Extension is not supported;",
               "browser.contextOptions.clientCertificates": "client certificates are not supported"}
    WITHOUT_EFFECT = {"downloadsPath": "downloads", "tracesDir": "traces", "devtools": True}

    def test_refused_options(self):
        certificates = self.config(contextOptions={"clientCertificates": [{"origin": "https://a.example"}]})
        for args, (name, reason) in zip((["--endpoint", "ws://127.0.0.1:1/"], ["--extension"], ["--config", certificates]), self.REFUSED.items()):
            with self.subTest(name):
                result = subprocess.run([DROP_IN, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertTrue(result.stderr.startswith(f"playwright-mcp: {name}"), result.stderr)
                self.assertIn(f": {reason}", result.stderr)

    def test_options_without_effect(self):
        """A warning names them; signals always end the server with its browser, and locators always have to match one element."""
        signals = {"handleSIGHUP": False, "handleSIGTERM": False, "handleSIGINT": False}
        config = self.config(launchOptions={**self.WITHOUT_EFFECT, **signals}, contextOptions={"strictSelectors": False})
        client = self.start_unchecked(command=[DROP_IN, "--headless", "--isolated", "--config", config, "--profile-dir-name", "Work",
                                               "--remote-header", "A: b"],
                                      cwd=self.folder)
        call = lambda tool, **arguments: client.start("tools/call", {"name": tool, "arguments": arguments}, tool=tool).result()["content"][0]["text"]
        call("browser_navigate", url="data:text/html,<button>a</button><button>b</button>")
        self.assertIn("strict mode violation", call("browser_click", element="a button", target="button"))
        warnings = client.stderr()
        for name in (*(f"browser.launchOptions.{name}" for name in self.WITHOUT_EFFECT), "--profile-dir-name", "--remote-header"):
            self.assertRegex(warnings, rf"{name}\b.* has no effect: ")
        browser = client.browser()
        client.process.send_signal(signal.SIGHUP)
        client.wait()
        self.assertFalse(browser.alive())

    def test_signals_that_a_config_file_would_ignore(self):
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            with self.subTest(name):
                config = self.config(launchOptions={f"handle{name}": False})
                client = self.start_unchecked(command=[DROP_IN, "--config", config])
                client.process.send_signal(getattr(signal, name))
                self.assertIsNotNone(client.wait())


if __name__ == "__main__":
    main()
