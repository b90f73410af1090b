"""Files that cannot be written after what a call was to do has been done, as on a full disk: the answer says what was done, and which file is missing."""
from support.case import main
from support.drop_in import SharedDropInCase


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


if __name__ == "__main__":
    main()
