"""browser_pdf_save: the file, its name and the answer."""
import re

from support.case import main
from support.drop_in import SharedDropInCase


class Pdf(SharedDropInCase):
    args = ("--caps", "pdf")

    def saved(self, name):
        content = (self.folder / name).read_bytes()
        self.assertTrue(content.startswith(b"%PDF-") and b"%%EOF" in content[-1024:], content[:100])
        return content

    def test_a_name_of_its_own(self):
        self.show("<title>Letter</title><h1>Dear reader</h1>")
        answer = self.ask("browser_pdf_save")
        name = re.fullmatch(r"- \[Page as pdf\]\((\.playwright-mcp/page-[\dTZ-]+\.pdf)\)", answer.result)
        self.assertTrue(name, answer)
        self.assertEqual(answer.code, f"await page.pdf({{\n  path: '{name[1]}'\n}});")
        self.assertEqual(list(answer.sections), ["Result", "Ran Playwright code"])
        self.saved(name[1])

    def test_the_name_that_the_call_gives(self):
        self.show("x")
        for name, shown in (("letter.pdf", "./letter.pdf"), ("in/there.pdf", "in/there.pdf"), ("plain", "./plain"),
                            ("it's.pdf", "./it's.pdf")):
            answer = self.ask("browser_pdf_save", filename=name)
            self.assertEqual(answer.result, f"- [Page as pdf]({shown})")
            escaped = shown.replace("'", "\\'")
            self.assertEqual(answer.code, f"await page.pdf({{\n  path: '{escaped}'\n}});")
            self.saved(name)

    def test_pages_of_letter_size(self):
        self.show("<div style='height: 30in'>long</div>")
        self.ask("browser_pdf_save", filename="long.pdf")
        content = self.saved("long.pdf")
        self.assertGreaterEqual(len(re.findall(rb"/Type\s*/Page\b", content)), 3)
        self.assertRegex(content, rb"/MediaBox\s*\[0 0 612 792\]")

    def test_names_outside_of_the_folder(self):
        self.show("x")
        answer = self.ask("browser_pdf_save", filename="/elsewhere/letter.pdf")
        self.assertRegex(answer.error, r"^Error: File access denied: /elsewhere/letter\.pdf is outside allowed roots\.")
        self.assertRegex(self.ask("browser_pdf_save", filename="../letter.pdf").error, "^Error: File access denied: ")

    def test_wrong_arguments(self):
        self.assertEqual(self.ask("browser_pdf_save", filename=1).error,
                         'Invalid arguments for tool "browser_pdf_save":\n✖ Invalid input: expected string, received number\n'
                         "  → at filename")

    def test_an_open_dialog(self):
        self.show("<button onclick=alert(1)>Ask")
        self.ask("browser_click", target="button")
        answer = self.ask("browser_pdf_save")
        self.assertEqual(answer.error, 'Error: Tool "browser_pdf_save" does not handle the modal state.')
        self.assertIn("alert", answer.section("Modal state"))
        self.ask("browser_handle_dialog", accept=True)

    def test_a_new_tab(self):
        self.ask("browser_tabs", action="new")
        self.assertEqual(self.ask("browser_pdf_save", filename="blank.pdf").result, "- [Page as pdf](./blank.pdf)")
        self.saved("blank.pdf")
        self.ask("browser_tabs", action="close")


if __name__ == "__main__":
    main()
