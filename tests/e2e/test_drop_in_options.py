"""Options under the name playwright-mcp: what each one does, and what a wrong one says. Errors are those of the reference."""
import os
import pathlib
import subprocess

from support.case import main
from support.chromium import installed
from support.client import PATIENCE
from support.drop_in import PLAIN, REFERENCE, DropInCase


class WrongOptions(DropInCase):
    """The process ends with status 1, nothing on stdout and a sentence on stderr."""

    def refused(self, *args, env=None):
        """What a server says on stderr that does not start."""
        command = [*(REFERENCE or [os.environ["PLAYWRIGHT_MCP"]]), *map(str, args)]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                                env={**os.environ, **(env or {})}, cwd=self.folder, check=False)
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        return result.stderr

    def test_options_that_exclude_each_other(self):
        for args, sentence in (
                (["--isolated", "--user-data-dir", "profile"], "Browser userDataDir is not supported in isolated mode"),
                (["--mobile", "--device", "Pixel 7"], "Cannot use --mobile together with --device, pick one."),
                (["--output-dir", "/"], "--output-dir cannot point to a system directory: /")):
            with self.subTest(args):
                self.assertIn(sentence, self.refused(*args))

    def test_an_option_that_does_not_exist(self):
        self.assertIn("unknown option '--hedless'", self.refused("--hedless"))

    def test_a_value_that_is_missing(self):
        self.assertRegex(self.refused("--user-agent"), "option '--user-agent <.+>' argument missing")

    def test_values_that_are_not_among_the_possible_ones(self):
        for option in ("--codegen", "--console-level", "--image-responses", "--file-paths"):
            with self.subTest(option):
                self.assertRegex(self.refused(option, "latin"), f"Invalid {option}: latin. Valid values are: \\w+")

    def test_a_size_that_is_none(self):
        for size in ("large", "640", "0x480", "640x", "ax3"):
            with self.subTest(size):
                self.assertIn('Invalid resolution format: use --viewport-size="800x600"', self.refused("--viewport-size", size))

    def test_files_that_do_not_exist(self):
        missing = self.folder / "missing.js"
        self.assertIn(f"Init script file does not exist: {missing}", self.refused("--init-script", missing))
        self.assertIn(str(missing), self.refused("--config", missing))
        self.assertIn(str(missing), self.refused("--secrets", missing))

    def test_a_file_that_is_not_a_configuration(self):
        path = self.folder / "broken.json"
        path.write_text('{"browser": ')
        self.assertRegex(self.refused("--config", path), "JSON")


class WaysToWriteOptions(DropInCase):
    """What configurations of clients hold: blanks, variables that are empty, other letters than the reference's help has."""

    SIZE = "() => `${innerWidth}x${innerHeight}`"

    def size(self, *args, **more):
        client = self.serve(*args, **more)
        self.open(client, "<h1>Size</h1>")
        return self.call(client, "browser_evaluate", function=self.SIZE).result

    def test_sizes_with_blanks(self):
        for value in ("1024, 600", " 1024 x 600 "):
            with self.subTest(value):
                self.assertEqual(self.size("--viewport-size", value), '"1024x600"')
                self.assertEqual(self.size(env={"PLAYWRIGHT_MCP_VIEWPORT_SIZE": value}), '"1024x600"')

    def test_values_that_are_empty(self):
        empty = ("--viewport-size=", "--user-data-dir", "", "--device", "", "--browser", "", "--cdp-endpoint", "", "--cdp-header", "",
                 "--proxy-server", "", "--storage-state", "", "--secrets=", "--output-dir", "", "--user-agent", "", "--caps", "",
                 "--timeout-action", "", "--allowed-origins", "")
        self.assertEqual(self.size(*empty), '"1280x720"')

    def test_numbers(self):
        self.assertEqual(self.size("--timeout-action", " 5e3 ", "--timeout-navigation", "86400000", "--timeout-settle", "500.5",
                                   "--output-max-size", "10737418240"), '"1280x720"')

    def test_the_end_of_options(self):
        self.assertEqual(self.size("--"), '"1280x720"')

    def test_a_folder_with_slashes(self):
        client = self.serve("--output-dir", "out//deep/")
        self.assertRegex(self.open(client, "x").text, r"\[Snapshot\]\(out/deep/page-[\w-]+\.yml\)")
        self.assertTrue(list((self.folder / "out/deep").glob("page-*.yml")))

    def test_a_phone_on_its_side(self):
        """Phones report their screen upright."""
        client = self.serve("--device", "iPhone 15 landscape")
        self.open(client, "<meta name=viewport content='width=device-width'>")
        self.assertEqual(self.call(client, "browser_evaluate", function=self.SIZE).result, '"734x343"')
        self.assertEqual(self.call(client, "browser_evaluate", function="() => `${screen.width}x${screen.height}`").result, '"393x852"')

    def test_names_of_browsers(self):
        for name in ("Chrome-For-Testing", "google-chrome", "edge"):
            with self.subTest(name):
                self.assertEqual(self.size("--browser", name), '"1280x720"')


class WrongBrowsers(DropInCase):
    """The server starts, and the call that needs the browser fails."""

    def error(self, *args):
        client = self.serve("--headless", "--isolated", *args, plain=False)
        answer = self.call(client, "browser_navigate", url="about:blank")
        self.assertTrue(answer.is_error, answer)
        return answer.error

    def test_an_executable_that_does_not_exist(self):
        for path in (self.folder / "no-browser", "no-such-browser"):
            with self.subTest(path):
                error = self.error("--executable-path", path)
                self.assertIn("Failed to launch chromium", error)
                self.assertIn(f"executable doesn't exist at {path}", error)

    def test_files_that_cannot_be_run(self):
        plain = self.folder / "plain"
        plain.write_text("no program")
        for path in (plain, self.folder):
            with self.subTest(path):
                error = self.error("--executable-path", path)
                self.assertIn("Failed to launch", error)
                self.assertIn(str(path), error)

    def test_a_program_that_ends_at_once(self):
        path = pathlib.Path(self.script("echo no display >&2; exit 9"))
        error = self.error("--executable-path", path)
        self.assertIn(str(path), error)
        self.assertIn("no display", error)

    def test_a_distribution_that_is_not_installed(self):
        if pathlib.Path("/opt/microsoft/msedge/msedge").exists():
            self.skipTest("Microsoft Edge is installed")
        for name in ("msedge", "chrome-beta", "msedge-dev"):
            self.assertIn(f"Chromium distribution '{name}' is not found", self.error("--browser", name))

    def test_a_channel(self):
        """A browser stands in for the channel, which the reference looks for at a fixed path."""
        if REFERENCE:
            self.skipTest("the reference does not look through PATH")
        log = self.folder / "started"
        program = self.script(f'echo started >>{log}; exec {installed()} "$@"', name="google-chrome-unstable")
        path = f"{os.path.dirname(program)}:{os.environ['PATH']}"
        client = self.serve("--headless", "--isolated", "--no-sandbox", "--browser", "chrome-dev", plain=False, env={"PATH": path})
        self.open(client, "<h1>Channel</h1>")
        self.assertIn('heading "Channel"', self.call(client, "browser_snapshot").snapshot)
        self.assertTrue(log.exists(), "another browser was started")

    def test_a_state_that_does_not_exist(self):
        """The reference reports it with the first call; it prevents the start of browserd."""
        path = self.folder / "state.json"
        command = [*(REFERENCE or [os.environ["PLAYWRIGHT_MCP"]]), *PLAIN, "--storage-state", path]
        if not REFERENCE:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertIn(f"Error reading storage state from {path}", result.stderr)
            return
        client = self.serve("--storage-state", path)
        self.assertIn(f"Error reading storage state from {path}", self.call(client, "browser_navigate", url="about:blank").error)


class Secrets(DropInCase):
    """The name of a secret types its value; generated code looks it up in the environment."""

    VALUES = (("typescript", "process.env['WORD']", "await page.getByRole('textbox').fill({});"),
              ("python", 'os.environ["WORD"]', 'page.get_by_role("textbox").fill({})'),
              ("java", 'System.getenv("WORD")', "page.getByRole(AriaRole.TEXTBOX).fill({});"),
              ("csharp", 'Environment.GetEnvironmentVariable("WORD")',
               "await page.GetByRole(AriaRole.Textbox).FillAsync({});"))

    def setUp(self):
        super().setUp()
        path = self.folder / "secrets"
        path.write_text("WORD=open sesame\n", encoding="utf-8")
        path.chmod(0o600)

    def test_code_in_all_languages(self):
        for language, value, statement in self.VALUES:
            with self.subTest(language):
                client = self.serve("--secrets", "secrets", "--codegen", language)
                self.open(client, "<input>")
                filled = self.call(client, "browser_type", target="e2", text="WORD")
                self.assertEqual(filled.code, statement.format(value))
                form = [{"target": "e2", "name": "word", "type": "textbox", "value": "WORD"}]
                self.assertEqual(self.call(client, "browser_fill_form", fields=form).code, statement.format(value))
                typed = self.call(client, "browser_type", target="e2", text="WORD", slowly=True)
                self.assertEqual(typed.code, f"await page.getByRole('textbox').pressSequentially({value});")
                length = self.call(client, "browser_evaluate", function="() => document.querySelector('input').value.length")
                self.assertEqual(length.result, str(2 * len("open sesame")))

    def test_values_are_masked(self):
        client = self.serve("--secrets", "secrets")
        self.open(client, "<p>Say open sesame!</p>")
        answer = self.call(client, "browser_snapshot")
        self.assertEqual(answer.snapshot, "- paragraph [ref=e2]: Say <secret>WORD</secret>!")


class Environment(DropInCase):
    def navigated(self, *args, **env):
        return self.open(self.serve(*args, env=env), "x").code

    def test_the_language_of_playwrights_variant(self):
        self.assertTrue(self.navigated(PW_LANG_NAME="python").startswith("page.goto("))
        self.assertTrue(self.navigated(PW_LANG_NAME="javascript").startswith("await page.goto("))


if __name__ == "__main__":
    main()
