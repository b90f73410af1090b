"""What answers show in cases that clients meet seldom: calls that leave timers, bodies of requests, modes of snapshots, tabs that
crash."""
import json
import re

from support.case import main
from support.drop_in import DropInCase, SharedDropInCase
from support.pages import Response

PNG = b"\x89PNG\r\n\x1a\n\x00\x01"


class DropInCalls(SharedDropInCase):
    def test_a_dialog_that_a_timer_opens(self):
        self.show("<p>quiet</p>")
        answer = self.ask("browser_evaluate", function="() => { setTimeout(() => alert('later'), 100); return 7; }")
        self.assertEqual(answer.result, "7")
        self.assertEqual(answer.section("Modal state"),
                         '- ["alert" dialog with message "later"]: can be handled by browser_handle_dialog')
        self.ask("browser_handle_dialog", accept=True)

    def test_a_call_that_its_navigation_ends(self):
        self.show("<p>first</p>")
        url = self.site.page("<p>second</p>", title="Second")
        answer = self.ask("browser_evaluate", function=f"() => new Promise(() => {{ location.href = {json.dumps(url)}; }})")
        self.assertTrue(answer.is_error)
        self.assertEqual(answer.error, "Execution context was destroyed, most likely because of a navigation.")
        self.assertIn("- Page Title: Second", answer.section("Page"))

    def test_rows_of_a_snapshot_as_targets(self):
        self.show("<button>Buy</button>")
        row = self.ask("browser_snapshot").snapshot
        ref = re.search(r'button "Buy" \[ref=(\w+)\]', row)[1]
        for target in (row, f"[ref={ref}]", f"button[ref={ref}]", f"ref={ref}"):
            self.assertEqual(self.ask("browser_click", target=target).error,
                             f'Error: "{target}" does not match any elements: to use the ref of the snapshot, give "{ref}" alone.')
        self.assertNotIn("alone", self.ask("browser_click", target="[ref=other]").error)
        self.assertFalse(self.ask("browser_click", target=ref).is_error)

    def test_bodies(self):
        self.site.route("/picture", Response(PNG, content_type="image/png"))
        self.site.route("/data", Response(b"\x00\xff\x01", content_type="application/x-data"))
        self.site.route("/words", Response('{"a":1}', content_type="application/problem+json"))
        self.site.route("/nothing", Response("", content_type="text/plain"))
        self.show("<script>Promise.all(['picture', 'data', 'words', 'nothing'].map(name => fetch('/' + name)))"
                  ".then(() => { document.title = 'all'; })</script>")
        listing = self.ask("browser_network_requests", static=True).result

        def part(path, name):
            index = int(re.search(rf"^(\d+)\. .*/{path} ", listing, re.M)[1])
            return self.ask("browser_network_request", index=index, part=name)

        for path, extension, body in (("picture", "png", PNG), ("data", "xdata", b"\x00\xff\x01")):
            name = part(path, "response-body").result
            self.assertRegex(name, rf"^\.playwright-mcp/response-[-\dTZ]+\.{extension}$")
            self.assertEqual((self.folder / name).read_bytes(), body)
        self.assertEqual(part("words", "response-body").result, '{"a":1}')
        for path, name in (("nothing", "response-body"), ("words", "request-body")):
            answer = part(path, name)
            self.assertFalse(answer.is_error)
            self.assertEqual(answer.text, "")


class DropInModes(DropInCase):
    def test_snapshots_in_the_answer(self):
        client = self.serve("--snapshot-mode", "explicit")
        self.assertIn('button "Here"', self.open(client, "<button>Here</button>").snapshot)
        self.assertIn('button "Here" [active]', self.call(client, "browser_click", target="button").snapshot)

    def test_unknown_modes_and_no_time_limits(self):
        client = self.serve("--snapshot-mode", "whole", "--timeout-action", "0", "--timeout-navigation=0")
        self.assertIn("- [Snapshot](", self.open(client, "<button>Here</button>").text)
        self.assertIn("- [Snapshot](", self.call(client, "browser_click", target="button").text)

    def test_a_page_that_is_busy_after_an_action(self):
        """What the call asked for is done, so it succeeds without a snapshot."""
        client = self.serve("--timeout-action", "1000")
        held, release = self.site.held("")
        blocks = f"const r = new XMLHttpRequest(); r.open('GET', {json.dumps(held)}, false); r.send();"
        url = self.site.page(f"<h1>Shop</h1><script>onload = () => setTimeout(() => {{ {blocks} }}, 0)</script>", title="Shop")
        answer = self.call(client, "browser_navigate", url=url)
        self.assertFalse(answer.is_error)
        self.assertEqual(answer.section("Page"), f"- Page URL: {url}\n- Page Title: Shop")
        self.assertEqual(answer.section("Snapshot"),
                         "- No snapshot: the page is still busy and has not replied for 1000 ms; browser_snapshot shows it later")
        self.assertTrue(self.call(client, "browser_snapshot").is_error)
        release.set()
        while (answer := self.call(client, "browser_snapshot")).is_error:
            pass
        self.assertIn('heading "Shop"', answer.snapshot)

    def test_a_tab_that_crashes(self):
        client = self.serve()
        self.open(client, "<button>Here</button>")
        self.assertIn("net::ERR_ABORTED at chrome://crash", self.call(client, "browser_navigate", url="chrome://crash").error)
        answer = self.call(client, "browser_snapshot")
        while "about:blank" not in answer.text:  # the report of the crash may come after the answer
            answer = self.call(client, "browser_snapshot")
        self.assertIn('button "Here" [ref=e2]', self.open(client, "<button>Here</button>").text + self.call(
            client, "browser_snapshot").text)


if __name__ == "__main__":
    main()
