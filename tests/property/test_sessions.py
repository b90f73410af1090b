"""Properties 1, 3, 4, 11 and the life of sessions as a whole: any sequence of calls agrees with a model of it."""
import uuid

from support.case import ServerCase, main
from support.client import ToolError
from support.generate import FEWER, for_all, text

LIMIT = 5
WORK = (("navigate", {"url": "about:blank"}), ("click", {"selector": "body"}), ("type", {"selector": "input", "text": "x"}),
        ("close_session", {}), ("evaluate", {"expression": "1"}))


class Sessions(ServerCase):
    args = ("--max-sessions", LIMIT)

    def setUp(self):
        self.ever = set()

    def close_all(self):
        for entry in self.client.call("list_sessions")["sessions"]:
            self.client.call("close_session", sessionId=entry["sessionId"])

    def test_1_ids_are_unique(self):
        def check(batch):
            replies = [self.client.start_call("create_session", {}) for _ in range(batch)]
            made = [reply.value()["sessionId"] for reply in replies]
            self.close_all()
            self.assertEqual(len(set(made)), batch)
            self.assertFalse(self.ever & set(made))
            self.assertTrue(all(str(uuid.UUID(ident)) == ident and uuid.UUID(ident).version == 4 for ident in made))
            self.ever.update(made)
        for_all(lambda chance: chance.randint(1, LIMIT), check, FEWER, valid=lambda batch: batch >= 1)

    def test_3_a_closed_id_is_gone(self):
        def check(case):
            made = [self.client.session() for _ in range(case["made"])]
            victim = made[case["victim"] % len(made)]
            victim.close()
            left = {entry["sessionId"] for entry in self.client.call("list_sessions")["sessions"]}
            self.assertEqual(left, {session.id for session in made} - {victim.id})
            tool, more = WORK[case["tool"]]
            self.assertEqual(victim.fail(tool, **more).code, "SESSION_NOT_FOUND")
            self.close_all()
        for_all(lambda chance: {"made": chance.randint(1, 3), "victim": chance.randrange(3), "tool": chance.randrange(len(WORK))},
                check, FEWER, valid=lambda case: case["made"] >= 1)

    def test_4_unknown_ids_give_one_error(self):
        def check(case):
            tool, more = WORK[case["tool"]]
            error = self.client.fail(tool, sessionId=case["id"], **more)
            self.assertEqual((error.code, error.session_id), ("SESSION_NOT_FOUND", case["id"]))
        for_all(lambda chance: {"tool": chance.randrange(len(WORK)),
                                "id": chance.choice((text(chance), str(uuid.UUID(int=chance.getrandbits(128), version=4))))}, check)

    def test_11_one_browser_serves_all(self):
        first = []

        def check(count):
            sessions = [self.client.session() for _ in range(count)]
            browser = self.client.browser()  # asserts that there is no second one
            first.append(browser)
            self.assertEqual(browser, first[0])
            self.assertTrue(all(session.evaluate("1 + 1") == 2 for session in sessions))
            self.close_all()
        for_all(lambda chance: chance.randint(1, LIMIT), check, FEWER, valid=lambda count: count >= 1)

    def test_any_sequence_agrees_with_the_model(self):
        for_all(lambda chance: [(chance.choice(("create", "create", "close", "use", "list")), chance.randrange(8))
                                for _ in range(chance.randint(1, 12))], self.agrees)

    def agrees(self, steps):
        """`alive` and `closed` are the model: what must be there and what must not."""
        alive, closed = [], []
        try:
            for step, number in steps:
                everything = alive + closed
                if step == "create":
                    self.create(alive)
                elif step == "list":
                    listed = [entry["sessionId"] for entry in self.client.call("list_sessions")["sessions"]]
                    self.assertEqual(listed, [session.id for session in alive])
                elif everything:
                    self.touch(step, everything[number % len(everything)], alive, closed)
        finally:
            self.close_all()

    def create(self, alive):
        try:
            alive.append(self.client.session())
        except ToolError as error:
            self.assertEqual((error.code, len(alive)), ("MAX_SESSIONS_REACHED", LIMIT))
        self.assertLessEqual(len(alive), LIMIT)

    def touch(self, step, session, alive, closed):
        try:
            if step == "close":
                session.close()
                self.assertIn(session, alive)
                alive.remove(session)
                closed.append(session)
            else:
                session.evaluate("1")
                self.assertIn(session, alive)
        except ToolError as error:
            self.assertEqual(error.code, "SESSION_NOT_FOUND")
            self.assertIn(session, closed)


if __name__ == "__main__":
    main()
