"""What pages of one session may use of the browser that all sessions share."""
import itertools

from support.case import main
from support.http_case import HttpPagesCase

WINDOWS = "<title>windows</title><script>function go(n) { for (let i = 0; i < n; i++) open('about:blank?' + i, '_blank', 'noopener') }</script>"


class Limits(HttpPagesCase):
    args = ("--max-sessions", "20", "--max-session-pages", "3")

    def until(self, client, expected, text="", between=lambda: None):
        """The text of the first answer that has this, beginning with one that is there; `between` runs before each further one."""
        for _ in range(200):
            if expected in text:
                return text
            between()
            text = self.ask(client, "tabs", action="list")
        self.fail(f"{expected!r} is not in {text}")


class Windows(Limits):
    def open_windows(self, client, count):
        self.ask(client, "navigate", url=self.pages.page(WINDOWS))
        return self.ask(client, "evaluate", function=f"() => go({count})")

    def test_windows_beyond_the_limit_are_closed(self):
        client = self.client()
        text = self.until(client, "Closed", self.open_windows(client, 6))
        self.assertRegex(text, r"Closed \d windows? that the pages have opened: there are too many pages \(--max-session-pages: 3 ")
        self.assertEqual(self.ask(client, "tabs", action="list").count("\n- "), 3)

    def test_the_opener_goes_on_while_its_windows_are_closed(self):
        client, window = self.client(), self.pages.page("<p>window</p>")
        for _ in range(2):
            self.ask(client, "navigate", url=self.pages.page("<p>opener</p>"))
            self.ask(client, "evaluate", function=f"() => {{ for (let i = 0; i < 4; i++) open('{window}') }}")
            self.assertIn("Page Title: after", self.ask(client, "navigate", url=self.pages.page("after", title="after")))

    def test_a_call_cannot_open_more_either(self):
        client = self.client()
        for _ in range(3):
            text = self.ask(client, "tabs", action="new")
        self.assertNotIn("limit", text)
        self.assertIn("3 pages are open in this session, the limit of --max-session-pages; close one of them first",
                      self.ask(client, "tabs", action="new"))
        self.ask(client, "tabs", action="close")
        self.assertNotIn("Error", self.ask(client, "tabs", action="new"))

    def test_a_page_that_goes_on_is_closed(self):
        client, neighbour = self.client(), self.client()
        self.ask(neighbour, "navigate", url=self.pages.page("<p>neighbour</p>"))
        page = self.pages.page(WINDOWS + "<script>setInterval(go, 20, 10)</script>")
        text = self.ask(client, "navigate", url=page)
        # Each answer of the client begins a new count of its windows, so there must be time for more than 50 before the next one. A page
        # that is slowed down, because it keeps the main process busy, opened about 30 in two seconds.
        seconds = itertools.chain((2, 4, 8, 16), itertools.repeat(25))
        self.until(client, f"and the page {page}, which went on opening them", text,
                   between=lambda: self.ask(neighbour, "wait_for", time=next(seconds)))
        self.assertIn("neighbour", self.ask(neighbour, "snapshot"))

    def test_another_session_has_pages_of_its_own(self):
        client, other = self.client(), self.client()
        self.open_windows(client, 6)
        self.ask(other, "tabs", action="new")
        text = self.ask(other, "tabs", action="new")
        self.assertNotIn("Error", text)


class Downloads(Limits):
    def test_downloads_that_no_call_reports_are_bounded(self):
        client = self.client()
        self.ask(client, "navigate", url=self.pages.page("<p>files</p>"))
        # Chromium lets a frame begin ten downloads a second.
        text = self.ask(client, "evaluate", function="""() => { for (let i = 0; i < 150; i++) {
            if (i % 10 == 0) document.body.append(document.createElement('iframe'));
            const inner = document.body.lastChild.contentDocument, a = inner.createElement('a');
            a.href = 'data:application/octet-stream,' + i; a.download = 'file' + i; inner.body.append(a); a.click() } }""")
        reported = text.count("- Downloading file")
        text = self.until(client, "Cancelled", text)
        self.assertRegex(text, r"Cancelled \d+ downloads of the pages: 100 at a time are kept until an answer has reported them")
        self.assertLessEqual(reported, 100)


if __name__ == "__main__":
    main()
