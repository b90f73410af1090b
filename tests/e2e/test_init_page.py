"""--init-page: what it refuses, and what the sandbox of its programs keeps from it."""
import pathlib
import subprocess
import tempfile

from support.case import BrowserdCase, main
from support.client import binary


class InitPage(BrowserdCase):
    def setUp(self):
        self.path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "init.ts"

    def answer(self, text):
        self.path.write_text(text, encoding="utf-8")
        client = self.start("--init-page", str(self.path))
        return client.ask("browser_evaluate", function="() => innerWidth")

    def test_types_of_the_signature_are_left_out(self):
        text = self.answer("import type { Page } from 'playwright';\n\nexport default async ({ page }: { page: Page }): Promise<void> => {\n"
                           "\tawait page.setViewportSize({ width: 345, height: 200 });\n};\n")
        self.assertIn("### Result\n345\n", text)

    def test_other_types_are_refused_with_their_place(self):
        text = self.answer("export default async ({ page }) => {\n\tconst width: number = 5;\n};\n")
        self.assertIn("(line 2, column 8; TypeScript has to be compiled to JavaScript first)", text)

    def test_imports_are_refused_with_their_place(self):
        self.assertIn("import is not supported here (line 2)", self.answer("\nimport { x } from './x.mjs';\nexport default () => {};"))

    def test_what_exports_no_function(self):
        self.assertIn("the file has no function as its default export", self.answer("export const x = 1;"))

    def test_a_dialog_that_it_does_not_answer(self):
        self.assertIn("has opened a dialog", self.answer("export default async ({ page }) => { await page.evaluate(() => alert(1)); };"))

    def test_no_network_of_its_own(self):
        self.assertIn("Failed to fetch", self.answer("export default async () => { await fetch('http://127.0.0.1:1/'); };"))

    def test_a_file_that_does_not_exist(self):
        run = subprocess.run([binary(), "--init-page", "/none/init.js"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("Init page file does not exist: /none/init.js", run.stderr)


if __name__ == "__main__":
    main()
