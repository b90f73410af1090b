"""browser_run_code_unsafe as a client of @playwright/mcp sees it: tracing, videos, files of scripts."""
from support.case import main
from support.code_case import CodeCase
from support.traces import Trace


class Tracing(CodeCase):
    def tearDown(self):
        self.run_code("await page.context().tracing.stop()")

    def test_the_steps_of_code_are_actions(self):
        self.show("<button onclick=\"document.title = 'pressed'\">Press</button><input>")
        self.assertEqual(self.value("""
            const { tracing } = page.context();
            await tracing.start({ screenshots: true, snapshots: true });
            await page.getByRole('button').click();
            await page.locator('input').fill('text');
            await page.locator('#none').click({ timeout: 50 }).catch(() => {});
            await tracing.stop({ path: 'steps.zip' });
            return page.title();"""), "pressed")
        trace = Trace(self.folder / "steps.zip")
        self.assertEqual([(action.method, bool(action.error)) for action in trace.actions][:3], [("click", False), ("fill", False), ("click", True)])
        self.assertTrue(trace.snapshots(trace.actions[0], "before"))
        self.assertEqual(trace.document(trace.actions[0], "after").find("BUTTON").text, "Press")
        self.assertIsNotNone(trace.actions[0].point)

    def test_chunks(self):
        url = self.site.page("<p>x")
        self.value("""
            const { tracing } = page.context();
            await tracing.start({ snapshots: true });
            await tracing.startChunk({ title: 'one' });
            await page.goto('%s');
            await tracing.stopChunk({ path: 'first.zip' });
            await page.locator('p').hover();
            await tracing.startChunk();
            await page.locator('p').click();
            await tracing.stopChunk({ path: 'folder/second.zip' });
            await tracing.stop();""" % url)
        first, second = (Trace(self.folder / name) for name in ("first.zip", "folder/second.zip"))
        self.assertEqual([[action.method for action in trace.actions] for trace in (first, second)], [["goto"], ["click"]])
        self.assertIn(url, [request["request"]["url"] for request in first.requests])

    def test_a_trace_over_several_calls(self):
        self.show("<button>x</button>")
        self.value("await page.context().tracing.start({ snapshots: true })")
        self.ask("browser_click", target="button")
        self.value("await page.locator('button').hover()")
        self.value("await page.context().tracing.stop({ path: 'calls.zip' })")
        actions = [action.method for action in Trace(self.folder / "calls.zip").actions]
        self.assertLess(actions.index("click"), actions.index("hover"))

    def test_the_wrong_order(self):
        self.show("x")
        self.assertEqual(self.value("""
            const { tracing } = page.context(), said = [];
            for (const step of [
                () => tracing.stop(), () => tracing.stopChunk(), () => tracing.startChunk(), () => tracing.stopChunk({ path: 'a.zip' }),
                () => tracing.start(), () => tracing.start(), () => tracing.stopChunk(), () => tracing.stopChunk({ path: 'a.zip' }),
                () => tracing.start(), () => tracing.startChunk(), () => tracing.stop(), () => tracing.stop(),
            ])
                said.push(await step().then(() => null, error => error.message));
            return said;"""), [
                None, None, "tracing.startChunk: Must start tracing before starting a new chunk", "tracing.stopChunk: Must start tracing before stopping",
                None, "tracing.start: Tracing has been already started", None, "tracing.stopChunk: Must start tracing before stopping",
                "tracing.start: Tracing has been already started", None, None, None])
        self.assertFalse((self.folder / "a.zip").exists())


class ScriptFiles(CodeCase):
    def test_scripts_and_styles_from_files(self):
        (self.folder / "first.js").write_text("globalThis.first = (globalThis.first ?? 0) + 1 // no line end", encoding="utf-8")
        (self.folder / "added.js").write_text("document.title = 'ädded';", encoding="utf-8")
        (self.folder / "added.css").write_text("p { color: rgb(1, 2, 3) }", encoding="utf-8")
        self.show("<p>x")
        self.assertEqual(self.value("""
            await page.context().newPage();
            const other = page.context().pages().at(-1);
            await other.addInitScript({ path: 'first.js' });
            await other.goto('%s');
            await other.addScriptTag({ path: 'added.js' });
            await other.addStyleTag({ path: 'added.css' });
            const seen = await other.evaluate(() => [first, document.title, getComputedStyle(document.querySelector('p')).color]);
            await other.close();
            return seen;""" % self.site.page("<p>y")), [1, "ädded", "rgb(1, 2, 3)"])

    def test_files_that_do_not_exist_or_are_elsewhere(self):
        self.show("x")
        for method in ("addInitScript", "addScriptTag", "addStyleTag"):
            self.assertIn("none.js", self.error(f"await page.{method}({{ path: 'none.js' }})"))


if __name__ == "__main__":
    main()
