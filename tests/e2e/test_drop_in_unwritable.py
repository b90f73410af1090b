"""Files that cannot be written after what a call was to do has been done, as on a full disk: the answer says what was done, and which file is missing."""
import json
import os
import subprocess
import tempfile

from support.case import BrowserdCase, main
from support.client import Client, binary
from support.drop_in import SharedDropInCase

MOUNT = 'mount -t tmpfs -o size=2m none "$0" && exec "$@"'


class Unwritable(SharedDropInCase):
    args = ("--caps", "tracing,devtools,pdf,storage")
    own_server = True

    def setUp(self):
        folder = self.folder / ".playwright-mcp"
        if not folder.is_file():
            folder.write_text("where the automatic files would be")

    def check_note(self, answer, shown):
        self.assertFalse(answer.is_error, answer)
        self.assertRegex(answer.text, r"(?s)### Snapshot\n- The snapshot was not saved \(cannot write .*\.yml\": [^)]+\); browser_snapshot answers it")
        self.assertIn(shown, answer.text)

    def test_actions(self):
        self.check_note(self.show("<button onclick='document.title = ++n'>press</button><input><script>n = 0</script>"), "page.goto")
        self.check_note(self.ask("browser_click", target="button"), "- Page Title: 1")
        self.check_note(self.ask("browser_type", target="input", text="typed", submit=True), "fill('typed')")
        self.assertRegex(self.ask("browser_snapshot").snapshot, 'textbox .*: typed')

    def test_console(self):
        answer = self.show("<script>console.log('said')</script>")
        self.check_note(answer, "- New console entries: 1, see browser_console_messages")

    def test_a_picture_is_in_the_answer(self):
        self.show("<p>picture")
        for more in ({}, {"filename": ".playwright-mcp/x.png"}):
            answer = self.ask("browser_take_screenshot", **more)
            self.assertTrue(answer.is_error, answer)
            self.assertRegex(answer.error, "^Error: cannot write ")
            self.assertEqual(len(answer.images), 1)

    def test_a_value_is_in_the_answer(self):
        self.show("<p>value")
        answer = self.ask("browser_evaluate", function="() => 6 * 7", filename=".playwright-mcp/value.json")
        self.assertRegex(answer.error, "cannot write ")
        self.assertEqual(answer.result, "42")

    def test_what_only_writes_fails(self):
        self.show("<p>file")
        for tool in ("browser_pdf_save", "browser_storage_state", "browser_start_tracing", "browser_start_video"):
            with self.subTest(tool):
                answer = self.ask(tool)
                self.assertTrue(answer.is_error, answer)
                self.assertRegex(answer.error, "cannot write |cannot create |Not a directory")


class FullDisk(BrowserdCase):
    """A disk of 2 MiB in a mount namespace of the server's own."""

    client_class = Client

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        namespace = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount", "sh", "-c", MOUNT, self.folder]
        tried = subprocess.run([*namespace, "true"], capture_output=True, text=True, check=False)
        if tried.returncode:
            self.skipTest(f"nothing can be mounted here: {tried.stderr}")
        self.client = self.start(command=[*namespace, os.path.realpath(binary()), "--caps", "devtools,pdf", "--output-dir", self.folder,
                                           "--snapshot-mode", "full"])
        self.disk = f"/proc/{self.client.process.pid}/root{self.folder}"
        self.site = self.pages()

    def fill(self):
        with open(f"{self.disk}/fill", "wb", buffering=0) as file, self.assertRaises(OSError):
            while True:
                file.write(bytes(4096))

    def files(self):
        return {os.path.relpath(os.path.join(folder, name), self.disk): os.path.getsize(os.path.join(folder, name))
                for folder, _, names in os.walk(self.disk) for name in names}

    def test_files_that_do_not_fit_are_not_left_behind(self):
        self.fill()
        before = self.files()
        answer = self.ask("browser_navigate", url=self.site.page("<p>text"))
        self.assertIn("No space left on device", answer)
        self.assertIn("No space left on device", self.ask("browser_pdf_save"))
        self.assertEqual(self.files(), before)
        os.unlink(f"{self.disk}/fill")
        self.assertIn(".pdf", self.ask("browser_pdf_save"))

    def test_a_recording_says_that_it_ended_early(self):
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page("<p>first"))
        self.fill()
        self.ask("browser_navigate", url=self.site.page("<p>second" + "<b>and more</b>" * 1000))
        os.unlink(f"{self.disk}/fill")
        self.ask("browser_navigate", url=self.site.page("<p>third"))
        answer = self.ask("browser_stop_tracing")
        self.assertRegex(answer, "The recording ended early: cannot write to .*: No space left on device")
        self.assertIn("[Archive]", answer)
        log, = (name for name in self.files() if name.endswith(".trace"))
        with open(f"{self.disk}/{log}", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertIn("goto", [line.get("method") for line in lines])
        self.assertNotIn(0, self.files().values())


class ReadOnly(BrowserdCase):
    """A working directory and a home on a read-only file system, as in confined services."""

    client_class = Client

    def ask_there(self, name, tool, **arguments):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        mount = 'mount -t tmpfs -o ro none "$0" && cd "$0" && HOME="$0" exec "$@"'
        namespace = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount", "sh", "-c", mount, folder]
        tried = subprocess.run([*namespace, "true"], capture_output=True, text=True, check=False)
        if tried.returncode:
            self.skipTest(f"nothing can be mounted here: {tried.stderr}")
        return self.start(command=[*namespace, os.path.realpath(binary()), name, "--headless"]).ask(tool, **arguments)

    def test_the_profile(self):
        answer = self.ask_there("playwright-mcp", "browser_navigate", url="about:blank")
        self.assertRegex(answer, "cannot use the profile folder .*: Read-only file system. Keep no profile with --isolated, or .* --user-data-dir")

    def test_files(self):
        answer = self.ask_there("browserd", "browser_take_screenshot")
        self.assertRegex(answer, "cannot write .*: Read-only file system; .* --output-dir")


if __name__ == "__main__":
    main()
