"""Sessions: creation, listing, closing, expiry, the limit on their number, and --lazy-sessions."""
import time
import uuid

from support.case import BrowserdCase, ServerCase, main
from support.client import PATIENCE, ToolError
from support.pages import LIFELINE


class Lifecycle(ServerCase):
    args = ("--session-timeout", "60000", "--max-sessions", "3")

    def test_create_answers_id_and_expiry(self):
        before = time.time() * 1000
        answer = self.client.call("create_session")
        self.addCleanup(self.client.call, "close_session", sessionId=answer["sessionId"])
        after = time.time() * 1000
        self.assertEqual(uuid.UUID(answer["sessionId"]).version, 4)
        self.assertEqual(str(uuid.UUID(answer["sessionId"])), answer["sessionId"])
        self.assertTrue(before - 1 <= answer["expiresAt"] - 60000 <= after + 1, answer)
        self.assertTrue(answer["message"])
        entry, = self.client.call("list_sessions")["sessions"]
        self.assertEqual((entry["url"], entry["title"], entry["state"]), ("about:blank", "", "idle"))

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

    def test_a_session_at_work_is_busy(self):
        session = self.session()
        url, release = self.pages.held()
        reply = session.start("navigate", url=url)
        self.pages.wait_request(url)
        self.assertTrue(self.client.call("list_sessions")["sessions"][0]["busy"])
        self.assertEqual(self.client.call("list_sessions")["sessions"][0]["state"], "working")
        release.set()
        reply.value()
        self.assertFalse(self.client.call("list_sessions")["sessions"][0]["busy"])

    def test_use_moves_the_expiry_and_listing_does_not(self):
        session = self.session()
        expiry = lambda: self.client.call("list_sessions")["sessions"][0]["expiresAt"]
        before = time.time() * 1000
        session.navigate("about:blank")
        after = time.time() * 1000
        first = expiry()
        self.assertTrue(before - 1 <= first - 60000 <= after + 1)
        self.assertEqual(expiry(), first)

    def test_a_closed_session_is_not_found(self):
        session = self.session()
        self.assertTrue(session.close()["success"])
        for tool, more in (("close_session", {}), ("navigate", {"url": "about:blank"}), ("click", {"selector": "a"}),
                           ("type", {"selector": "a", "text": "b"}), ("evaluate", {"expression": "1"}), ("screenshot", {})):
            with self.subTest(tool):
                error = session.fail(tool, **more)
                self.assertEqual((error.code, error.session_id), ("SESSION_NOT_FOUND", session.id))
                self.assertIn("create_session", error.message)

    def test_ids_that_never_were(self):
        for ident in ("", "x", str(uuid.uuid4()), "../../etc/passwd", "é😀", "a" * 5000):
            with self.subTest(ident[:50]):
                error = self.client.fail("navigate", sessionId=ident, url="about:blank")
                self.assertIn(error.code, ("SESSION_NOT_FOUND", "INVALID_PARAMETERS"))
                self.assertEqual(error.session_id, ident)

    def test_the_limit_and_the_way_out(self):
        sessions = [self.session() for _ in range(3)]
        error = self.client.fail("create_session")
        self.assertEqual(error.code, "MAX_SESSIONS_REACHED")
        self.assertIn("3", error.message)
        sessions[0].close()
        self.session()

    def test_the_limit_holds_for_calls_at_the_same_time(self):
        replies = [self.client.start_call("create_session", {}) for _ in range(8)]
        made, codes = [], []
        for reply in replies:
            try:
                made.append(reply.value()["sessionId"])
            except ToolError as error:
                codes.append(error.code)
        for ident in made:
            self.client.call("close_session", sessionId=ident)
        self.assertEqual((len(set(made)), codes), (3, ["MAX_SESSIONS_REACHED"] * 5))

    def test_closing_frees_the_page(self):
        session = self.show(LIFELINE)
        gone = self.pages.lifeline()
        session.close()
        self.assertTrue(gone.wait(PATIENCE))

    def test_one_browser_for_all(self):
        for _ in range(3):
            self.session().navigate("about:blank")
        self.assertIsNotNone(self.client.browser())  # asserts that there is one only


class ExpiryCase(BrowserdCase):
    def expire(self, client, pages, ident=None):
        """A session that has expired: the request that its page held open was dropped."""
        ident = ident or client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=ident, url=pages.page(LIFELINE))
        self.assertTrue(pages.lifeline().wait(PATIENCE))
        return ident


class Expiry(ExpiryCase):
    def test_an_expired_session_says_so(self):
        client, pages = self.start("--session-timeout", "1000"), self.pages()
        ident = self.expire(client, pages)
        for tool, more in (("navigate", {"url": "about:blank"}), ("click", {"selector": "a"}), ("close_session", {}),
                           ("type", {"selector": "a", "text": "b"})):
            with self.subTest(tool):
                error = client.fail(tool, sessionId=ident, **more)
                self.assertEqual((error.code, error.session_id), ("SESSION_EXPIRED", ident))
        self.assertEqual(client.call("list_sessions")["count"], 0)

    def test_expiry_makes_room(self):
        client, pages = self.start("--session-timeout", "1000", "--max-sessions", "1"), self.pages()
        self.expire(client, pages)
        client.session()

    def test_a_session_in_use_does_not_expire(self):
        client, pages = self.start("--session-timeout", "1500"), self.pages()
        session = client.session()
        url, release = pages.held()
        reply = session.start("navigate", url=url)
        pages.wait_request(url)
        self.expire(client, pages)  # begun later, so the first would have expired by now
        release.set()
        self.assertTrue(reply.value()["success"])
        self.assertEqual(session.evaluate("1 + 1"), 2)

    def test_expired_ids_are_remembered_apart_from_closed_ones(self):
        client, pages = self.start("--session-timeout", "1500"), self.pages()
        closed = client.session()
        closed.close()
        expired = self.expire(client, pages)
        self.assertEqual(closed.fail("close_session").code, "SESSION_NOT_FOUND")
        self.assertEqual(client.fail("close_session", sessionId=expired).code, "SESSION_EXPIRED")


class Lazy(ServerCase):
    args = ("--lazy-sessions", "--max-sessions", "4")

    def test_any_text_makes_a_session(self):
        for name in ("a", "agent 7", "../x", "É 你好 😀", "x" * 256, "\"'\\\n"):
            with self.subTest(name[:20]):
                page = self.pages.page("hello", title="Lazy")
                self.assertEqual(self.client.call("navigate", sessionId=name, url=page)["title"], "Lazy")
                self.assertEqual([s["sessionId"] for s in self.client.call("session_list")["sessions"]], [name])
                self.assertTrue(self.client.call("session_close", sessionId=name)["success"])

    def test_a_name_that_is_too_long_or_empty(self):
        for name in ("x" * 257, "é" * 129, ""):
            with self.subTest(len(name)):
                error = self.client.fail("navigate", sessionId=name, url="about:blank")
                self.assertEqual(error.code, "INVALID_PARAMETERS")
                self.assertIn("sessionId", error.message)

    def test_closing_makes_none(self):
        for tool in ("close_session", "session_close"):
            self.assertEqual(self.client.fail(tool, sessionId="never used").code, "SESSION_NOT_FOUND")
        self.assertEqual(self.client.call("list_sessions")["count"], 0)

    def test_the_first_use_from_two_sides_makes_one(self):
        replies = [self.client.start_call("evaluate", {"sessionId": "shared", "expression": "6 * 7"}) for _ in range(5)]
        self.assertEqual([reply.value()["value"] for reply in replies], [42] * 5)
        self.assertEqual(self.client.call("session_list")["count"], 1)
        self.client.call("session_close", sessionId="shared")

    def test_a_closed_name_may_be_used_again(self):
        for _ in range(2):
            self.client.call("navigate", sessionId="again", url=self.pages.page("x"))
            self.assertEqual(self.client.call("evaluate", sessionId="again", expression="document.cookie")["value"], "")
            self.client.call("evaluate", sessionId="again", expression="document.cookie = 'a=1'")
            self.client.call("close_session", sessionId="again")

    def test_the_limit_holds(self):
        for index in range(4):
            self.client.call("navigate", sessionId=f"s{index}", url="about:blank")
        error = self.client.fail("navigate", sessionId="one too many", url="about:blank")
        self.assertEqual((error.code, error.session_id), ("MAX_SESSIONS_REACHED", "one too many"))
        for index in range(4):
            self.client.call("session_close", sessionId=f"s{index}")


class LazyExpiry(ExpiryCase):
    """What expired may be used again by its name."""

    def test_an_expired_session_says_so(self):
        client, pages = self.start("--lazy-sessions", "--session-timeout", "1000"), self.pages()
        self.expire(client, pages, "mine")
        page = pages.page("new")
        self.assertEqual(client.call("navigate", sessionId="mine", url=page)["url"], page)


if __name__ == "__main__":
    main()
