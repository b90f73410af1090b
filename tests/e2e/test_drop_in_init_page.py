"""--init-page: a program that prepares each page before its first use."""
from support.case import main
from support.drop_in import DropInCase

SIZE = "() => innerWidth + 'x' + innerHeight"


class InitPage(DropInCase):
    def module(self, text, name="init.mjs"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def prepared(self, *modules):
        return self.serve(*(item for module in modules for item in ("--init-page", module)))

    def size(self, client):
        return self.call(client, "browser_evaluate", function=SIZE).result

    def test_it_runs_before_the_first_use_of_each_page(self):
        client = self.prepared(self.module("""export default async ({ page }) => {
            await page.setViewportSize({ width: 432, height: 234 });
            await page.addInitScript(() => { window.added = document.readyState; });
        };"""))
        self.assertEqual(self.size(client), '"432x234"')
        self.open(client, "<p>")
        self.assertEqual(self.call(client, "browser_evaluate", function="() => added").result, '"loading"')
        self.call(client, "browser_tabs", action="new")
        self.assertEqual(self.size(client), '"432x234"')
        self.call(client, "browser_close")
        self.assertEqual(self.size(client), '"432x234"')

    def test_a_page_that_a_page_opens(self):
        client = self.prepared(self.module("export default async ({ page }) => { await page.setViewportSize({ width: 433, height: 235 }); }"))
        self.open(client, "<a href='about:blank' target=_blank>open</a>")
        self.call(client, "browser_click", target="a")
        self.call(client, "browser_tabs", action="select", index=1)
        self.assertEqual(self.size(client), '"433x235"')

    def test_it_has_run_before_the_answer_that_shows_a_new_tab(self):
        client = self.prepared(self.module("""export default async ({ page }) => {
            await page.setContent('<title>prepared</title>');
            await page.addInitScript(() => { window.added = document.readyState; });
        };"""))
        self.assertIn("[prepared]", self.call(client, "browser_tabs", action="list").result)
        self.assertIn("1: (current) [prepared]", self.call(client, "browser_tabs", action="new").text)
        self.call(client, "browser_tabs", action="new", url=self.site.page("<p>"))
        self.assertEqual(self.call(client, "browser_evaluate", function="() => added").result, '"loading"')

    def test_routes_that_it_adds_stay(self):
        client = self.prepared(self.module("""export default async ({ page }) => {
            await page.context().route('**/tracker.js', route => route.abort());
            await page.route('**/api', route => route.fulfill({ json: { user: 'mocked' } }));
        };"""))
        self.site.route("/tracker.js", "document.title = 'tracked'")
        self.open(client, "<script src=/tracker.js></script>", title="plain")
        self.assertEqual(self.call(client, "browser_evaluate", function="async () => [document.title, await (await fetch('/api')).text()]").result,
                         '[\n  "plain",\n  "{\\"user\\":\\"mocked\\"}"\n]')
        self.assertEqual(self.call(client, "browser_evaluate", function="() => fetch('/tracker.js').catch(e => e.message)").result, '"Failed to fetch"')

    def test_several_in_order_and_forms_of_the_export(self):
        client = self.prepared(
            self.module("async function prepare({ page }) { await page.setViewportSize({ width: 500, height: 300 }); }\nmodule.exports.default = prepare;", "a.cjs"),
            self.module("const height = 301;\nexport const unused = 1;\nexport default async function named({ page }) { "
                        "await page.setViewportSize({ width: page.viewportSize().width + 1, height }); }", "b.mjs"))
        self.assertEqual(self.size(client), '"501x301"')

    def test_failures_name_the_file(self):
        for text, reason in (("export default async () => { throw new Error('not today'); }", "not today"),
                             ("export default async ({ page }) => { syntax error }", "Unexpected identifier 'error'")):
            with self.subTest(reason):
                path = self.module(text)
                client = self.prepared(path)
                for _ in range(2):
                    answer = self.call(client, "browser_navigate", url="about:blank")
                    self.assertTrue(answer.is_error)
                    self.assertTrue(answer.error.startswith(f'Error: Failed to load init page "{path}": {reason}'), answer.error)


if __name__ == "__main__":
    main()
