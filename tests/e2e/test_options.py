"""Options and environment variables: what they do, and what a wrong one says. --help, --version, doctor."""
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest

from support.case import BrowserdCase, main
from support.chromium import installed
from support.client import PATIENCE, binary
from support.pages import Response

# Stands in for a browser: leaves its arguments in the file $RECORD, one a line, and ends.
RECORDER = "#!/bin/sh\nfor a; do printf '%s\\n' \"$a\"; done >\"$RECORD\"\nexit 1\n"


def run(*args, env=None, **more):
    """Runs browserd to its end without input."""
    clean = {name: value for name, value in os.environ.items() if not re.match("BROWSERD_|PLAYWRIGHT_MCP_|HEADLESS", name)}
    return subprocess.run([binary(), *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                          env={**clean, **(env or {})}, check=False, **more)


class Wrong(BrowserdCase):
    WRONG = {
        "--max-sessions": ("0", "-1", "1.5", "many", "", "99999999999999999999", "10x"),
        "--session-timeout": ("0", "-5", "soon", ""),
        "--timeout-action": ("-1", "x"),
        "--timeout-navigation": ("-1", "x"),
        "--viewport-size": ("12", "0x0", "axb", "100x", "99999x1", "-5x5", "10x10x10"),
        "--browser": ("netscape", "webkit", ""),
        "--log-level": ("loud", ""),
        "--browser-arg": ("x", "--user-data-dir=/x", "--remote-debugging-port=1", "--remote-debugging-port",
                          "--remote-debugging-address=0.0.0.0", "--remote-debugging-pipe"),
        "--executable-path": ("",),
        "--config": ("/nonexistent/file.json",),
    }

    def refused(self, result, *named):
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        for name in named:
            self.assertIn(name, result.stderr)
        self.assertLess(len(result.stderr.splitlines()), 6, result.stderr)

    def test_wrong_values_name_option_and_value(self):
        for option, values in self.WRONG.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused(run(f"{option}={value}"), option, value)
                    if value and not value.startswith("-"):
                        self.refused(run(option, value), option, value)

    def test_wrong_variables_name_variable_and_value(self):
        for name, value in (("BROWSERD_MAX_SESSIONS", "none"), ("BROWSERD_SESSION_TIMEOUT", "0"), ("HEADLESS", "maybe"),
                            ("BROWSERD_LAZY_SESSIONS", "2"), ("PLAYWRIGHT_MCP_VIEWPORT_SIZE", "small"),
                            ("BROWSERD_BROWSER", "opera"), ("BROWSERD_LOG_LEVEL", "x")):
            with self.subTest(name):
                self.refused(run(env={name: value}), name, value)

    def test_a_browser_that_is_not_supported(self):
        self.assertRegex(run("--browser", "webkit").stderr, "webkit.*not supported.*chromium")

    def test_unknown_options_and_words(self):
        for args in (("--frobnicate",), ("--maxsessions", "3"), ("-x",), ("word",), ("doctor", "word")):
            with self.subTest(args):
                self.refused(run(*args), args[-1] if args[0] != "--maxsessions" else "--max-sessions")

    def test_missing_values(self):
        self.refused(run("--max-sessions"), "--max-sessions")
        self.refused(run("--executable-path", "--headed"), "--executable-path")

    @unittest.skipUnless(os.geteuid() == 0, "the sandbox may work for ordinary users")
    def test_a_sandbox_that_cannot_work(self):
        for result in (run("--sandbox"), run(env={"BROWSERD_SANDBOX": "true"})):
            self.assertEqual(result.returncode, 0, result)
            self.assertRegex(result.stderr, "warning: .*sandbox, which --sandbox requires, cannot work: .* as root")
        result = run("doctor", "--sandbox")
        self.assertEqual(result.returncode, 1, result)
        self.assertRegex(result.stdout, r"WRONG +sandbox .*--sandbox.* as root")


class Useless(BrowserdCase):
    """What is given and changes nothing is reported, under the name of the program."""

    def check(self, expected, *args, env=None):
        for name, first in (("browserd", ()), ("playwright-mcp", ("playwright-mcp",))):
            result = run(*first, *args, env=env)
            self.assertEqual(result.returncode, 0, result)
            said = [line for line in result.stderr.splitlines() if "Sanitizer" not in line]
            self.assertEqual(said, [f"{name}: warning: {line}" for line in expected])

    def test_variables(self):
        self.check(["the variable BROWSERD_MAX_SESION is unknown and ignored; did you mean BROWSERD_MAX_SESSIONS"],
                   env={"BROWSERD_MAX_SESION": "3"})
        self.check(["the variable BROWSERD_QQQQQQQQQQQQQQQQ is unknown and ignored"], env={"BROWSERD_QQQQQQQQQQQQQQQQ": "secret"})
        self.check([], env={"BROWSERD_MAX_SESSIONS": "3", "BROWSERD_CONFIG": "", "BROWSERD_TURN_LIMIT": "500", "BROWSERDX": "1"})

    def test_warnings_have_the_format_and_the_level_that_other_options_choose(self):
        wrong = ["--cdp-header", "X-Key: v", "--caps", "nothing"]
        lines = [json.loads(line) for line in run(*wrong, "--log-format", "json").stderr.splitlines()]
        self.assertEqual([line["level"] for line in lines[:2]], ["warning", "warning"], lines)
        self.assertIn("--cdp-header has no effect", json.dumps(lines))
        self.assertNotIn("--cdp-header", run(*wrong, "--log-level", "error").stderr)
        self.assertIn("warning: --cdp-header", run(*wrong).stderr)

    def test_a_host_without_a_port(self):
        self.check(["--host has no effect without --port: the server serves one client, on stdin and stdout"], "--host", "127.0.0.1")
        self.check([], env={"BROWSERD_HOST": "127.0.0.1"})


class Right(BrowserdCase):
    def started_with(self, *args, env=None):
        """Arguments that the browser got."""
        with tempfile.TemporaryDirectory() as folder:
            program, record = os.path.join(folder, "recorder"), os.path.join(folder, "record")
            with open(program, "w", encoding="utf-8") as file:
                file.write(RECORDER)
            os.chmod(program, 0o755)
            client = self.start("--executable-path", program, *args, env={"RECORD": record, **(env or {})})
            self.assertEqual(client.fail("create_session").code, "BROWSER_ERROR")
            with open(record, encoding="utf-8") as file:
                return file.read().splitlines()

    def headless(self, *args, env=None):
        return any(a.startswith("--headless") for a in self.started_with(*args, env=env))

    def test_headless(self):
        self.assertTrue(self.headless())
        self.assertTrue(self.headless("--headless"))
        self.assertFalse(self.headless("--headed"))
        self.assertFalse(self.headless(env={"HEADLESS": "false"}))
        self.assertFalse(self.headless(env={"BROWSERD_HEADLESS": "false"}))
        self.assertTrue(self.headless("--headless", env={"HEADLESS": "false"}))

    def test_arguments_of_the_browser(self):
        args = self.started_with("--browser-arg", "--lang=de", "--browser-arg=--mute-audio", "--no-sandbox", "--proxy-server",
                                 "http://proxy:3128")
        for expected in ("--lang=de", "--mute-audio", "--no-sandbox", "--proxy-server=http://proxy:3128"):
            self.assertIn(expected, args)

    def test_the_profile_lies_in_the_temporary_folder(self):
        client = self.start()
        client.session()
        self.assertTrue([a for a in client.browser().command() if a.startswith(f"--user-data-dir={client.home}/")])

    def test_viewport_size(self):
        session = self.start("--viewport-size", "640x480").session()
        self.assertEqual(session.evaluate("[innerWidth, innerHeight]"), [640, 480])
        session = self.start(env={"BROWSERD_VIEWPORT_SIZE": "800x600"}).session()
        self.assertEqual(session.evaluate("[innerWidth, innerHeight]"), [800, 600])
        session = self.start().session()
        self.assertEqual(session.evaluate("[innerWidth, innerHeight]"), [1280, 720])

    def test_user_agent(self):
        pages = self.pages()
        session = self.start("--user-agent", "Tester/1.0 (é)").session()
        url = pages.page("x")
        session.navigate(url)
        self.assertEqual(session.evaluate("navigator.userAgent"), "Tester/1.0 (é)")
        self.assertTrue(pages.requests(url)[0].headers["User-Agent"].startswith("Tester/1.0"))

    def test_time_limits(self):
        pages = self.pages()
        session = self.start("--timeout-action", "300", "--timeout-navigation", "400").session()
        self.assertIn("300", session.fail("click", selector="#none").message)
        self.assertIn("400", session.fail("navigate", url=pages.held()[0]).message)

    def test_a_proxy_gets_the_requests(self):
        pages = self.pages()
        pages.route("http", "")
        seen = []
        pages.answer = lambda request: seen.append(request) or Response("<title>through the proxy</title>")
        session = self.start("--proxy-server", f"127.0.0.1:{pages.port}").session()
        self.assertEqual(session.navigate("http://some.example/path")["title"], "through the proxy")
        self.assertEqual(seen[0].headers["Host"], "some.example")

    def test_browser_variable_and_config_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"sessions": {"max": 7}}, file)
            file.flush()
            self.assertEqual(self.start("--config", file.name).call("list_sessions")["maxSessions"], 7)
            self.assertEqual(self.start("--config", file.name, env={"BROWSERD_MAX_SESSIONS": "8"}).call("list_sessions")["maxSessions"], 8)
            self.assertEqual(self.start("--config", file.name, "--max-sessions", "9",
                                        env={"BROWSERD_MAX_SESSIONS": "8"}).call("list_sessions")["maxSessions"], 9)


class Texts(BrowserdCase):
    OPTIONS = ("--browser", "--executable-path", "--headless", "--headed", "--session-timeout", "--max-sessions",
               "--lazy-sessions", "--no-sandbox", "--viewport-size", "--timeout-action", "--timeout-navigation",
               "--user-agent", "--ignore-https-errors", "--proxy-server", "--log-level", "--browser-arg", "--help", "--version")

    def test_help(self):
        for flag in ("--help", "-h"):
            result = run(flag)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for option in self.OPTIONS:
                self.assertIn(option, result.stdout)
            self.assertIn("doctor", result.stdout)
            self.assertIn("BROWSERD_", result.stdout)
            self.assertIn("config, network, pdf, storage, testing, vision, devtools, observe, e2e", " ".join(result.stdout.split()))
            self.assertLessEqual(max(map(len, result.stdout.splitlines())), 100)

    def test_version(self):
        result = run("--version")
        self.assertRegex(result.stdout, r"^browserd \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}(-dirty)?|unknown)\)\n$")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_doctor(self):
        result = run("doctor")
        self.assertEqual(result.returncode, 0, result)
        for word in ("(?i)chromium", "(?i)sandbox", "(?i)shared memory|/dev/shm", "(?i)font", "ok +connection +the browser's debugging port",
                     "ok +open files +up to", "ok +output folder +.playwright-mcp is writable", "start +opening a page.*up to 30 s", "ok +debugging port +closed to everyone else"):
            self.assertRegex(result.stdout, word)

    def test_doctor_finds_a_debugging_port(self):
        for command in ('exec {} --remote-debugging-port=0 "$@"', '{} --remote-debugging-port=0 "$@"; exit $?'):
            result = run("doctor", "--browser-connection", "pipe", "--executable-path", self.script(command.format(installed()), "headless-shell"))
            self.assertEqual(result.returncode, 1, result)
            self.assertRegex(result.stdout, "WRONG.*debugging port.*can control it")

    def test_doctor_says_why_the_connection_is_a_pipe(self):
        profile = self.enterContext(tempfile.TemporaryDirectory())
        result = run("doctor", "--user-data-dir", profile)
        self.assertRegex(result.stdout, "note +connection +a pipe instead of the browser's debugging port: its profile stays on disk")
        self.assertRegex(result.stdout, "ok +debugging port +none")
        result = run("doctor", "--user-data-dir", profile, "--browser-connection", "port")
        self.assertRegex(result.stdout, "WRONG +connection +the browser's debugging port cannot be made private: its profile")
        self.assertEqual(result.returncode, 1)

    def test_doctor_looks_at_the_settings_of_a_shared_server(self):
        """Nothing of this is said of a server for one client, over stdio."""
        open_server = run("doctor", "--port", "0", "--allow-unrestricted-file-access").stdout
        self.assertRegex(open_server, r"note +access +no token.*\n +-> --auth-token-file")
        self.assertRegex(open_server, r"note +egress +pages can reach this machine.*\n +-> --egress public")
        self.assertRegex(open_server, r"note +files +clients can read and write every file")
        closed = run("doctor", "--port", "0", "--host", "0.0.0.0", "--auth-token", "t" * 20, "--egress", "public").stdout
        self.assertRegex(closed, r"ok +access +with a token")
        self.assertRegex(closed, r"note +transport +0\.0\.0\.0 is reached over the network without TLS")
        self.assertRegex(closed, r"ok +egress +limited")
        alone = run("doctor").stdout
        for about in ("access", "egress", "transport", "files"):
            self.assertNotRegex(alone, rf"(?m)^\w+ +{about} ")

    def test_doctor_looks_at_memory(self):
        found = re.search(r"ok +memory +(\d+) MiB, all of (?:this machine|the control group .*); sessions sleep where more than (\d+) ",
                          run("doctor").stdout)
        memory, share = int(found[1]), int(found[2])
        self.assertAlmostEqual(share, memory * 4 // 5, delta=1)
        for limit in ("16777216", "0"):
            self.assertRegex(run("doctor", "--max-memory", limit).stdout,
                             rf"note +memory +{memory} MiB, all of .*; --max-memory {limit} limits nothing\n"
                             rf" +-> leave --max-memory out: its default, {share}, is four fifths of that")
        self.assertRegex(run("doctor", "--max-memory", "1").stdout, "ok +memory +.*more than 1 would")

    def test_doctor_starts_no_browser_with_too_few_open_files(self):
        """With 64, Chromium starts and never shows a page."""
        result = run("doctor", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
        self.assertEqual(result.returncode, 1, result)
        self.assertRegex(result.stdout, r"WRONG +open files +at most 64.*\n +-> ulimit -n")
        self.assertNotRegex(result.stdout, "(?m)^[a-zA-Z ]{6} start ")
        self.assertIn("browserd cannot work here yet", result.stdout)

    def test_doctor_looks_at_folders(self):
        result = run("playwright-mcp", "doctor", "--output-dir", "/dev/null/out", "--user-data-dir", "/dev/null/profile")
        self.assertRegex(result.stdout, r"note +output folder +/dev/null/out cannot be written: Not a directory\n +-> --output-dir")
        self.assertRegex(result.stdout, r"WRONG +profile folder +/dev/null/profile cannot be written: Not a directory\n +-> --isolated")
        self.assertIn("playwright-mcp cannot work here yet", result.stdout)
        profile = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), "a", "b")
        result = run("doctor", "--user-data-dir", profile)
        self.assertRegex(result.stdout, f"ok +profile folder +{profile} is writable")
        self.assertFalse(profile.parent.exists())

    def test_doctor_finds_what_is_wrong(self):
        result = run("doctor", "--executable-path", "/nonexistent/browser")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("/nonexistent/browser", result.stdout + result.stderr)

    def test_a_server_for_several_clients_says_at_the_start_that_it_has_no_browser(self):
        server = subprocess.Popen([binary(), "--port", "0", "--executable-path", "/nonexistent/browser"], stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        self.assertRegex(server.stderr.readline(), "warning: calls will fail: .*/nonexistent/browser.*--executable-path")
        self.assertIn("Listening", server.stderr.readline())

    def test_install_browser_says_what_there_is(self):
        for names in ((), ("chromium-headless-shell", "ffmpeg"), ("--with-deps", "--only-shell", "chrome-for-testing")):
            result = run("install-browser", *names)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, r"^Chromium.* is installed, nothing to do: /\S+ \(.+\)\n$")

    def test_install_browser_says_what_to_do(self):
        result = run("install-browser", "msedge-canary")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("Install one: the package microsoft-edge-canary from https://", result.stderr)
        result = run("install-browser", "webkit")
        self.assertEqual(result.returncode, 2)
        self.assertIn("webkit", result.stderr)
        result = run("install-browser", "firefox")
        self.assertRegex(result.stdout + result.stderr, "^Firefox is installed, nothing to do: /|Firefox: it is not found.* Install one: ")
        self.assertIn("--force", run("--force").stderr)  # only where the command stands

    def test_doctor_without_any_browser(self):
        result = run("doctor", env={"PATH": "/nonexistent"})
        if result.returncode:  # a browser may also be found outside of PATH
            self.assertRegex(result.stdout + result.stderr, "(?i)install|no browser|not found")


if __name__ == "__main__":
    main()
