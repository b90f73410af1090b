"""Under the name playwright-mcp: scripts of options, and how answers name what was given."""
import json

from support.case import main
from support.drop_in import DropInCase
from support.pages import Response


class OptionScripts(DropInCase):
    def test_an_init_script_has_a_scope_and_a_name(self):
        """Its declarations are no globals, and the console has its file and the line from 1."""
        (self.folder / "init.js").write_text("const hidden = 1; function alsoHidden() {}\nwindow.shown = 2; console.log('ready')")
        client = self.serve("--init-script", "init.js")
        self.open(client, "x")
        seen = self.call(client, "browser_evaluate", function="() => [typeof hidden, typeof alsoHidden, window.shown]")
        self.assertEqual(json.loads(seen.result), ["undefined", "undefined", 2])
        self.assertIn(f"[LOG] ready @ {self.folder}/init.js:2", self.call(client, "browser_console_messages").result)

    def test_an_init_page_that_fails_is_named_with_its_path(self):
        (self.folder / "prepare.mjs").write_text("export default async () => { throw new Error('not today'); }")
        client = self.serve("--init-page", "prepare.mjs")
        self.assertIn(f'Failed to load init page "{self.folder}/prepare.mjs": not today', self.call(client, "browser_snapshot").error)

    def test_service_workers_that_are_blocked(self):
        """Registering one has no effect but a warning."""
        self.site.route("/worker.js", Response("self.onfetch = null;", content_type="text/javascript"))
        client = self.serve("--block-service-workers")
        self.open(client, "x")
        answer = self.call(client, "browser_evaluate",
                           function="async () => String(await navigator.serviceWorker.register('/worker.js'))")
        self.assertEqual(answer.result, '"undefined"')
        self.assertIn("[WARNING] Service Worker registration blocked by Playwright",
                      self.call(client, "browser_console_messages").result)
        self.assertEqual(self.call(client, "browser_evaluate",
                                   function="async () => (await navigator.serviceWorker.getRegistrations()).length").result, "0")

    def test_no_capabilities(self):
        self.assertNotIn("browser_pdf_save", self.serve("--caps=").list_tools())


class Given(DropInCase):
    def test_lines_of_evaluated_functions(self):
        """The console counts them from the beginning of what was given."""
        client = self.serve()
        self.open(client, "<button>b</button>")
        self.call(client, "browser_evaluate", function="() => { console.log('one');\nconsole.log('two'); }")
        self.call(client, "browser_evaluate", function="element => { console.log(element.tagName); }", target="button")
        lines = self.call(client, "browser_console_messages").result.split("\n")[-3:]
        self.assertEqual(lines, ["[LOG] one @ :0", "[LOG] two @ :1", "[LOG] BUTTON @ :0"])

    def test_snapshots_without_the_boxes_of_an_option(self):
        client = self.serve("--snapshot-boxes")
        self.open(client, "<button>b</button>")
        self.assertRegex(self.call(client, "browser_snapshot").snapshot, r"\[ref=e2\] \[box=")
        self.assertNotIn("box=", self.call(client, "browser_snapshot", boxes=False).snapshot)
        self.assertIn("expected boolean, received string\n  → at boxes", self.call(client, "browser_snapshot", boxes="no").error)

    def test_highlights_of_refs_are_named_by_the_description(self):
        client = self.serve("--caps", "devtools")
        self.open(client, "<button>b</button>")
        self.call(client, "browser_snapshot")
        self.assertEqual(self.call(client, "browser_highlight", target="e2", element="the only one").result, "Highlighted the only one")
        self.assertEqual(self.call(client, "browser_hide_highlight", target="e2", element="it").result, "Hid highlight for it")
        self.assertEqual(self.call(client, "browser_highlight", target="button", element="it").result, "Highlighted locator('button')")

    def test_secrets_in_the_config_file(self):
        (self.folder / "config.json").write_text(json.dumps({"secrets": {"LOGIN": "opensesame"}}))
        client = self.serve("--config", "config.json")
        self.open(client, "<input><p>opensesame")
        self.assertEqual(self.call(client, "browser_type", target="input", text="LOGIN").code,
                         "await page.locator('input').fill(process.env['LOGIN']);")
        answer = self.call(client, "browser_snapshot")
        self.assertNotIn("opensesame", answer.text)
        self.assertEqual(answer.text.count("<secret>LOGIN</secret>"), 2)

    def test_the_tabs_were_listed_before(self):
        """An answer repeats nothing of a page that has not changed since."""
        client = self.serve()
        self.assertEqual(self.call(client, "browser_tabs", action="list").result, "- 0: (current) [](about:blank)")
        self.assertIsNone(self.call(client, "browser_evaluate", function="() => 1").section("Page"))


if __name__ == "__main__":
    main()
