"""What @playwright/mcp 0.0.84 changed, with --compat 0.0.84; the reference has to be of that version."""
import json
import re

from support.case import main
from support.drop_in import REFERENCE, DropInCase, SharedDropInCase

COMPAT = () if REFERENCE else ("--compat", "0.0.84")


class Later(SharedDropInCase):
    args = (*COMPAT, "--caps", "storage,network", "--redact-url-params", "access_token,code")

    def test_find_shows_the_first_matches(self):
        self.show("<ul><li>apple one<li>apple two<li>pear<li>x<li>y<li>z<li>v<li>w<li>apple three</ul>")
        self.assertTrue(self.ask("browser_find", text="apple", maxResults=2).result.startswith(
            'Found 3 matches for "apple" (showing first 2):\n'))
        self.assertNotIn("three", self.ask("browser_find", text="apple", maxResults=2).result)
        self.assertTrue(self.ask("browser_find", regex="apple", maxResults=3).result.startswith("Found 3 matches for /apple/:\n"))
        for wrong in (0, -1, 1.5):
            answer = self.ask("browser_find", text="apple", maxResults=wrong)
            self.assertEqual((answer.is_error, answer.error), (True, '"maxResults" must be a positive integer.'))

    def test_requests_keep_their_numbers(self):
        self.ask("browser_close")
        first, second = self.site.page("<p>1"), self.site.page("<p>2")
        self.ask("browser_navigate", url=first)
        self.ask("browser_navigate", url=second)
        requests = lambda **more: self.ask("browser_network_requests", static=True, **more).result
        self.assertEqual(requests(), f"2. [GET] {second} => [200] OK")
        self.assertEqual(requests(all=True), f"1. [GET] {first} => [200] OK\n2. [GET] {second} => [200] OK")
        self.assertIn(f"#1 [GET] {first}\n", self.ask("browser_network_request", index=1).result)

    def test_the_first_text_ends_the_wait(self):
        self.show("<p id=p>here</p><script>onclick = () => setTimeout(() => p.remove(), 200)</script>")
        self.ask("browser_click", target="#p")
        answer = self.ask("browser_wait_for", text="never", textGone="here")
        self.assertEqual(answer.result, "Waited for here")
        self.assertEqual(answer.code, "await page.getByText(\"here\").first().waitFor({ state: 'hidden' });")

    def test_time_limits_the_wait_for_a_text(self):
        self.show("<p>here</p>")
        answer = self.ask("browser_wait_for", text="never", time=0.3)
        self.assertTrue(answer.error.startswith("TimeoutError: Timeout 300ms exceeded.\nCall log:"), answer)
        self.assertIn("waiting for getByText('never').first() to be visible", answer.error)
        self.assertEqual(self.ask("browser_wait_for", text="here", time=20).result, "Waited for here")
        self.assertEqual(self.ask("browser_wait_for", time=0.1).result, "Waited for 0.1 seconds")

    def test_wrong_targets(self):
        self.show("<p>here</p>")
        self.assertEqual(self.ask("browser_click", target="<<<").error,
                         'Error: "<<<" is not a valid target. Use a ref from the page snapshot (e.g. "e5"), a CSS selector, or a locator '
                         "(e.g. \"getByRole('button', { name: 'Submit' })\").")

    def test_all_messages_are_counted(self):
        self.ask("browser_close")
        self.show("<script>console.error('one')</script>")
        self.show("<script>console.log('two')</script>")
        self.assertTrue(self.ask("browser_console_messages", level="info", all=True).result.startswith(
            "Total messages: 2 (Errors: 1, Warnings: 0)\n\n"))

    def test_cookies_are_deleted_by_domain_and_path(self):
        for domain, path in (("one.example", "/"), ("one.example", "/x"), (".one.example", "/")):
            self.ask("browser_cookie_set", name="a", value="1", domain=domain, path=path)
        delete = lambda **which: self.ask("browser_cookie_delete", name="a", **which).code
        places = lambda: sorted(re.findall(r"domain: (\S+), path: (\S+)\)", self.ask("browser_cookie_list").result))
        for matches_none in ({"domain": "example"}, {"domain": ""}, {"path": ""}, {"domain": ".one.example", "path": "/x"}):
            delete(**matches_none)
        self.assertEqual(places(), [(".one.example", "/"), ("one.example", "/"), ("one.example", "/x")])
        self.assertEqual(delete(domain="one.example", path="/x"),
                         "await page.context().clearCookies({ name: 'a', domain: 'one.example', path: '/x' });")
        self.assertEqual(places(), [(".one.example", "/"), ("one.example", "/")])
        self.assertEqual(delete(domain=".one.example"), "await page.context().clearCookies({ name: 'a', domain: '.one.example' });")
        self.assertEqual(places(), [("one.example", "/")])
        self.assertEqual(delete(path="/"), "await page.context().clearCookies({ name: 'a', path: '/' });")
        self.assertEqual(places(), [])

    def test_mocked_responses_get_headers(self):
        self.show("<p>x")
        self.addCleanup(self.ask, "browser_unroute")
        self.ask("browser_route", pattern="**/mock", body="{}", contentType="text/json",
                 headers=["X-Own: 1", "X-Empty:", "Content-Type: text/plain", "content-length: 7"])
        got = self.ask("browser_evaluate", function="() => fetch('/mock').then(r => Object.fromEntries(r.headers))").result
        self.assertEqual(json.loads(got), {"content-length": "2", "content-type": "text/json", "x-empty": "", "x-own": "1"})

    def test_regions_and_tables_keep_names_that_their_contents_show(self):
        self.show("<table><caption>Prices</caption><tr><td>2</table><section aria-labelledby=h><h2 id=h>News</h2>text</section>"
                          "<article aria-labelledby=i><h2 id=i>Story</h2>text</article>")
        snapshot = self.ask("browser_snapshot").snapshot
        self.assertIn('- table "Prices" [ref', snapshot)
        self.assertIn('- region "News" [ref', snapshot)
        self.assertIn("- article [ref", snapshot)

    def test_texts_of_closed_details_are_not_shown(self):
        self.show("<details id=d><summary>More</summary>closed</details><details open><summary>Less</summary>open</details>"
                          "<button aria-labelledby=d>x</button>")
        snapshot = self.ask("browser_snapshot").snapshot
        self.assertNotIn("closed", snapshot)
        self.assertIn("- text: open", snapshot)
        self.assertIn('- button "More"', snapshot)

    def test_parameters_of_urls_are_redacted(self):
        url = self.site.page("<a href='/next?code=5&amp;x=2'>next</a>")
        answer = self.ask("browser_navigate", url=url + "?access_token=abc&x=1#code=5")
        self.assertIn(f"- Page URL: {url}?access_token=<redacted>&x=1#code=<redacted>\n", answer.text)
        self.assertNotIn("abc", answer.text)
        self.assertIn("/url: /next?code=<redacted>&x=2", self.ask("browser_snapshot").snapshot)
        self.assertNotIn("abc", self.ask("browser_network_requests", static=True).text)


class Roots(DropInCase):
    def test_they_can_be_ignored(self):
        other = self.folder / "root"
        other.mkdir()
        client = self.serve(*COMPAT, "--ignore-roots", roots=[other.as_uri()])
        self.open(client, "<p>here</p>")
        self.assertTrue(list((self.folder / ".playwright-mcp").glob("page-*.yml")))
        self.assertFalse(list(other.iterdir()))


if __name__ == "__main__":
    main()
