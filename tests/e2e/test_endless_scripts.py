"""Scripts of pages that do not end: what calls say of them, that the calls after it do not wait as long, and how they are left."""
from support.case import SharedCase, main

PAGE = """<button id=click onclick='for (;;);'>Now</button><input id=type oninput='for (;;);'>
<button id=later onclick='setTimeout(() => { window.begun = 1; for (;;); }, 300)'>Later</button>
<button id=again onclick='setTimeout(() => setInterval(() => { for (;;); }, 30), 300)'>Again</button>"""
FRAME = "iframe >> internal:control=enter-frame >> #click"


class EndlessScripts(SharedCase):
    args = ("--answers", "compact", "--timeout-action", "1000", "--timeout-navigation", "20000")
    keeps_session = True

    def show(self, body=PAGE, title="stuck"):
        self.ask("browser_navigate", url=self.site.page(body, title=title))

    def assert_left(self):
        answer = self.ask("browser_navigate", url=self.site.page("<button>fine</button>", title="next"))
        self.assertIn('"next"', answer)
        self.assertNotIn("Error", self.ask("browser_click", target="button"))

    def test_a_function_that_is_evaluated(self):
        client = self.start("--answers", "compact", "--timeout-navigation", "2000")
        client.ask("browser_navigate", url=self.site.page(PAGE, title="stuck"))
        for function in "() => { for (;;); }", "for (;;);", "() => new Promise(() => {})":
            answer = client.ask("browser_evaluate", function=function)
            self.assertRegex(answer, r"^Error: Timeout \d+ ms exceeded: the function has not ended, and was stopped$")
            self.assertEqual(client.ask("browser_evaluate", function="document.title"), '"stuck"')

    def test_a_handler(self):
        for target, body in (("#click", PAGE), (FRAME, f"<iframe srcdoc=\"{PAGE}\"></iframe>")):
            self.show(body)
            self.assertIn("its handler has not returned; a script that does not end may keep it busy, navigate ends it",
                          self.ask("browser_click", target=target))
            self.assertRegex(self.ask("browser_snapshot"), r"has not replied to \S+ for \d{4,5} ms: a script keeps it busy.* navigate to its address anew")
            self.assert_left()

    def test_a_handler_in_a_frame_of_another_process(self):
        config = self.folder / "config.json"
        config.write_text('{"browser": {"launchOptions": {"args": ["--site-per-process"]}}}', "utf-8")
        client = self.start(*self.args, "--config", str(config))
        frame = self.site.page(PAGE).replace("127.0.0.1", "localhost")
        client.ask("browser_navigate", url=self.site.page(f"<button id=fine onclick='document.title = 1'>fine</button><iframe src='{frame}'></iframe>"))
        self.assertIn("its handler has not returned", client.ask("browser_click", target=FRAME))
        self.assertRegex(client.ask("browser_snapshot"), r"has not replied to \S+ for \d{4,5} ms")
        self.assertNotIn("Error", client.ask("browser_click", target="#fine"))  # the page itself goes on
        self.assertEqual(client.ask("browser_evaluate", function="document.title").splitlines()[0], '"1"')

    def test_keys_that_begin_it_again(self):
        self.show()
        self.assertIn("navigate ends it", self.ask("browser_type", target="#type", text="a"))
        for _ in range(2):
            self.assertRegex(self.ask("browser_press_key", key="a"), r"has not replied to \S+ for \d{4,5} ms: a script keeps it busy")
        self.assert_left()

    def test_a_timer_that_nobody_has_noticed(self):
        self.show()
        self.ask("browser_click", target="#later")
        self.ask("browser_evaluate", function="() => new Promise(done => setInterval(() => window.begun && done()))")
        self.assert_left()

    def test_a_timer_that_begins_it_again(self):
        self.show()
        self.ask("browser_click", target="#again")
        while "has not replied" not in self.ask("browser_click", target="#none"):
            pass
        answer = self.ask("browser_navigate", url=self.site.page("text"))
        if "Error" in answer:  # it depends on which begins first, the timer or the new document
            self.assertEqual(answer, "Error: scripts that do not end kept the page from being left, again and again, so it was ended; navigate once more")
        self.assert_left()

    def test_going_back(self):
        self.show("text", "before")
        self.show()
        self.ask("browser_click", target="#click")
        self.assertIn('"before"', self.ask("browser_navigate_back"))

    def test_a_document_that_does_not_load(self):
        client = self.start("--answers", "compact", "--timeout-navigation", "2000")
        answer = client.ask("browser_navigate", url=self.site.page("<script>for (;;);</script>"))
        self.assertRegex(answer, "^Error: Timeout 2000 ms exceeded while waiting for DOMContentLoaded .* or a script blocks it")
        self.assertIn('"next"', client.ask("browser_navigate", url=self.site.page("text", title="next")))


if __name__ == "__main__":
    main()
