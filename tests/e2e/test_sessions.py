"""Sessions in a browser: their pages and cookies, and --lazy-sessions. Which there are and when they end: tests/unit/test_session_tools.c."""
from support.case import BrowserdCase, ServerCase, main
from support.client import PATIENCE
from support.pages import LIFELINE


class Lifecycle(ServerCase):
    args = ("--session-timeout", "60000", "--max-sessions", "3")

    def test_list_shows_what_is_there(self):
        session = self.show("hello", title="Listed")
        answer = self.client.call("list_sessions")
        self.assertEqual((answer["count"], answer["maxSessions"]), (1, 3))
        entry, = answer["sessions"]
        self.assertEqual(entry["sessionId"], session.id)
        self.assertEqual(entry["title"], "Listed")
        self.assertTrue(entry["url"].startswith(self.pages.url("/")))
        self.assertFalse(entry["busy"])
        self.assertEqual(entry["state"], "idle")
        self.assertLessEqual(entry["createdAt"] + 60000, entry["expiresAt"])

    def test_closing_frees_the_page(self):
        session = self.show(LIFELINE)
        gone = self.pages.lifeline()
        session.close()
        self.assertTrue(gone.wait(PATIENCE))

    def test_one_browser_for_all(self):
        for _ in range(3):
            self.session().navigate("about:blank")
        self.assertIsNotNone(self.client.browser())  # asserts that there is one only


class Lazy(ServerCase):
    args = ("--lazy-sessions", "--max-sessions", "4")

    def test_a_closed_name_may_be_used_again(self):
        for _ in range(2):
            self.client.call("navigate", sessionId="again", url=self.pages.page("x"))
            self.assertEqual(self.client.call("evaluate", sessionId="again", expression="document.cookie")["value"], "")
            self.client.call("evaluate", sessionId="again", expression="document.cookie = 'a=1'")
            self.client.call("close_session", sessionId="again")


class LazyExpiry(BrowserdCase):
    """What expired, and let go of its page, may be used again by its name."""

    def test_an_expired_name_may_be_used_again(self):
        client, pages = self.start("--lazy-sessions", "--session-timeout", "1000"), self.pages()
        client.call("navigate", sessionId="mine", url=pages.page(LIFELINE))
        self.assertTrue(pages.lifeline().wait(PATIENCE))
        page = pages.page("new")
        self.assertEqual(client.call("navigate", sessionId="mine", url=page)["url"], page)


if __name__ == "__main__":
    main()
