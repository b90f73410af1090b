"""Order within a session, overlap between sessions, and the ways out of a call that is stuck."""
from support.case import BrowserdCase, ServerCase, main
from support.client import MODERN, ToolError


class Order(ServerCase):
    def test_calls_on_one_session_run_in_the_order_they_came(self):
        session = self.session()
        slow, release = self.pages.held("<input id=i><script>window.name += 'loaded,'</script>")
        replies = [session.start("navigate", url=slow)]
        replies += [session.start("type", selector="#i", text=digit) for digit in "12345"]
        replies += [session.start("evaluate", expression="window.name += document.querySelector('#i').value")]
        replies += [session.start("navigate", url=self.pages.page("end", title="end"))]
        self.pages.wait_request(slow)
        self.client.request("ping")
        self.assertFalse(any(reply.done() for reply in replies))
        release.set()
        answers = [reply.value() for reply in replies]
        self.assertEqual((answers[-2]["value"], answers[-1]["title"]), ("loaded,12345", "end"))

    def test_requests_of_one_session_never_overlap(self):
        session, seen = self.session(), []
        urls = [self.pages.route(self.pages.unique(), lambda request: seen.append(request.path) or "x") for _ in range(30)]
        for reply in [session.start("navigate", url=url) for url in urls]:
            self.assertTrue(reply.value()["success"])
        self.assertEqual([self.pages.url(path) for path in seen], urls)

    def test_a_failed_call_does_not_stop_the_next(self):
        session = self.show("<button>x</button>")
        bad, good = session.start("click", selector="#none", timeout=200), session.start("click", selector="button")
        self.assertEqual(bad.failure().code, "ELEMENT_NOT_FOUND")
        self.assertTrue(good.value()["success"])


class Overlap(ServerCase):
    def test_three_sessions_at_once(self):
        """The server of the pages answers none of them until all three requests are there."""
        url = self.pages.barrier(3)
        replies = [session.start("navigate", url=url) for session in [self.session() for _ in range(3)]]
        self.assertEqual([reply.value()["title"] for reply in replies], ["together"] * 3)

    def test_ten_sessions_at_once_from_nothing(self):
        url = self.pages.barrier(10)
        created = [self.client.start_call("create_session", {}) for _ in range(10)]
        idents = [reply.value()["sessionId"] for reply in created]
        replies = [self.client.start_call("navigate", {"sessionId": ident, "url": url}) for ident in idents]
        self.assertEqual([reply.value()["title"] for reply in replies], ["together"] * 10)
        for ident in idents:
            self.client.call("close_session", sessionId=ident)

    def test_one_that_waits_does_not_hold_up_another(self):
        waiting, working = self.show("empty"), self.show("<button>x</button>")
        url, release = self.pages.held()
        stuck = waiting.start("navigate", url=url)
        self.pages.wait_request(url)
        working.click("button")
        working.navigate(self.pages.page("fine"))
        self.assertFalse(stuck.done())
        release.set()
        stuck.value()

    def test_every_tool_overlaps_with_a_stuck_session(self):
        stuck, url = self.session(), self.pages.page("<script>while (1);</script>")
        reply = stuck.start("navigate", url=url)
        self.pages.wait_request(url)
        session = self.show("<input><button>x</button>")
        for tool, arguments in (("type", {"selector": "input", "text": "x"}), ("click", {"selector": "button"}),
                                ("evaluate", {"expression": "1"}), ("screenshot", {})):
            with self.subTest(tool):
                self.assertTrue(session.call(tool, **arguments)["success"])
        self.assertFalse(reply.done())
        stuck.close()
        self.assertTrue(reply.failure().code)

    def test_input_overlaps_with_a_page_that_is_stuck_with_the_focus(self):
        """Where sessions share a window, that page is the one in front."""
        seen = self.pages.route(self.pages.unique(), "x")
        stuck = self.show(f"<button onclick=\"const r = new XMLHttpRequest; r.open('GET', '{seen}', false); r.send(); while (1);\">x</button>")
        reply = stuck.start("click", selector="button")
        self.pages.wait_request(seen)
        session = self.show("<input><button onclick='this.textContent = document.hasFocus()'>x</button>")
        session.call("type", selector="input", text="x")
        session.click("button")
        self.assertEqual(session.evaluate("document.querySelector('input').value + document.querySelector('button').textContent"), "xtrue")
        self.assertFalse(reply.done())
        stuck.close()
        self.assertTrue(reply.failure().code)

    def test_sessions_that_type_at_once(self):
        """Only one page of a window may have the focus at a time; all the same, each field gets its text and tells its page about it."""
        page = "<input id=a><input id=b><script>changed = []; addEventListener('change', e => changed.push(e.target.id))</script>"
        sessions = [self.show(page) for _ in range(4)]
        for selector in ("#a", "#b", "#a"):
            replies = [session.start("type", selector=selector, text=f"text {n}") for n, session in enumerate(sessions)]
            self.assertTrue(all(reply.value()["success"] for reply in replies))
        for n, session in enumerate(sessions):
            self.assertEqual(session.evaluate("[a.value, b.value].join()"), f"text {n}text {n},text {n}")
            self.assertEqual(session.evaluate("changed.join()")[:3], "a,b")


class Stuck(ServerCase):
    def stuck(self):
        """A session whose navigate waits for a server that does not answer, and that call."""
        session, (url, release) = self.session(), self.pages.held()
        self.addCleanup(release.set)
        reply = session.start("navigate", url=url)
        self.pages.wait_request(url)
        return session, reply

    def test_close_session_does_not_wait(self):
        session, reply = self.stuck()
        queued = [session.start("evaluate", expression="1"), session.start("click", selector="a")]
        self.assertTrue(session.close()["success"])
        for each in (reply, *queued):
            error = each.failure()
            self.assertIn(error.code, ("SESSION_NOT_FOUND", "NAVIGATION_FAILED", "BROWSER_ERROR"))
            self.assertEqual(error.session_id, session.id)
        self.assertEqual(session.fail("navigate", url="about:blank").code, "SESSION_NOT_FOUND")

    def test_closing_ends_clicks_and_types_that_wait(self):
        for tool, more in (("click", {}), ("type", {"text": "x"})):
            with self.subTest(tool):
                session = self.show("<p>nothing here")
                reply = session.start(tool, selector="#never", timeout=60000, **more)
                self.client.request("ping")
                self.assertTrue(session.close()["success"])
                self.assertTrue(reply.failure().code)

    def test_closing_twice_at_once(self):
        session, reply = self.stuck()
        closing = [session.start("close_session") for _ in range(3)]
        outcomes = []
        for each in closing:
            try:
                outcomes.append(each.value()["success"])
            except ToolError as error:
                outcomes.append(error.code)
        self.assertIn(True, outcomes)
        self.assertLessEqual(set(outcomes), {True, "SESSION_NOT_FOUND"})
        self.assertTrue(reply.failure().code)

    def test_a_cancelled_call_ends_without_an_answer(self):
        session, reply = self.stuck()
        self.client.cancel(reply)
        self.assertEqual(session.navigate(self.pages.page("x", title="next"))["title"], "next")
        self.assertFalse(reply.done())

    def test_a_cancelled_call_that_had_not_begun(self):
        session, first = self.stuck()
        url = self.pages.page("never to be asked for")
        second, third = session.start("navigate", url=url), session.start("evaluate", expression="1 + 1")
        self.client.cancel(second)
        self.client.cancel(first)
        self.assertEqual(third.value()["value"], 2)
        self.assertEqual(self.pages.requests(url), [])
        self.assertFalse(first.done() or second.done())

    def test_cancelling_waits_in_the_page(self):
        session = self.show("<p>nothing here")
        for tool, more in (("click", {}), ("type", {"text": "x"})):
            reply = session.start(tool, selector="#never", timeout=60000, **more)
            self.client.cancel(reply)
            self.assertEqual(session.evaluate("2 + 2"), 4)
            self.assertFalse(reply.done())

    def test_the_type_of_the_id_counts(self):
        session, (url, release) = self.session(), self.pages.held()
        reply = self.client.start("tools/call", {"name": "navigate", "arguments": {"sessionId": session.id, "url": url}},
                                  ident="4242", tool="navigate")
        self.pages.wait_request(url)
        self.client.notify("notifications/cancelled", {"requestId": 4242})
        self.client.request("ping")
        release.set()
        self.assertTrue(reply.value()["success"])


class ModernCancel(BrowserdCase):
    def test_the_notification_cancels(self):
        client, pages = self.start(version=MODERN), self.pages()
        session, (url, _) = client.session(), pages.held()
        reply = session.start("navigate", url=url)
        pages.wait_request(url)
        client.cancel(reply)
        self.assertEqual(session.evaluate("1 + 1"), 2)
        self.assertFalse(reply.done())


if __name__ == "__main__":
    main()
