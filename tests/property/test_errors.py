"""Properties 13, 14 and 15: the shape of every error, and that different failures have different codes."""
import uuid

from support.case import ServerCase, main
from support.generate import for_all, text

# Ways to fail: (tool, arguments, the code). {s} stands for the living session.
FAILURES = (
    ("navigate", {"sessionId": "{s}", "url": "http://127.0.0.1:1/"}, "NAVIGATION_FAILED"),
    ("navigate", {"sessionId": "{s}", "url": "nonsense:x{t}"}, "INVALID_PARAMETERS"),
    ("navigate", {"sessionId": "{s}", "url": 5}, "INVALID_PARAMETERS"),
    ("navigate", {"sessionId": "{s}"}, "INVALID_PARAMETERS"),
    ("navigate", {"sessionId": "{s}", "url": "about:blank", "waitUntil": "{t}x"}, "INVALID_PARAMETERS"),
    ("navigate", {"sessionId": "{u}", "url": "about:blank"}, "SESSION_NOT_FOUND"),
    ("click", {"sessionId": "{u}", "selector": "a"}, "SESSION_NOT_FOUND"),
    ("click", {"sessionId": "{s}", "selector": "#missing", "timeout": 1}, "ELEMENT_NOT_FOUND"),
    ("click", {"sessionId": "{s}", "selector": "#disabled", "timeout": 1}, "ELEMENT_NOT_CLICKABLE"),
    ("click", {"sessionId": "{s}", "selector": "#hidden", "timeout": 1}, "ELEMENT_NOT_CLICKABLE"),
    ("click", {"sessionId": "{s}", "selector": "###{t}", "timeout": 1}, "INVALID_PARAMETERS"),
    ("type", {"sessionId": "{u}", "selector": "a", "text": "{t}"}, "SESSION_NOT_FOUND"),
    ("type", {"sessionId": "{s}", "selector": "#missing", "text": "{t}", "timeout": 1}, "ELEMENT_NOT_FOUND"),
    ("type", {"sessionId": "{s}", "selector": "#paragraph", "text": "{t}", "timeout": 1}, "ELEMENT_NOT_EDITABLE"),
    ("type", {"sessionId": "{s}", "selector": "#fixed", "text": "{t}", "timeout": 1}, "ELEMENT_NOT_EDITABLE"),
    ("type", {"sessionId": "{s}", "selector": "#fixed"}, "INVALID_PARAMETERS"),
    ("close_session", {"sessionId": "{u}"}, "SESSION_NOT_FOUND"),
    ("close_session", {}, "INVALID_PARAMETERS"),
    ("create_session", {}, "MAX_SESSIONS_REACHED"),
)


class Errors(ServerCase):
    args = ("--max-sessions", 1)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.one = cls.client.session()
        cls.page = cls.pages.page("""<p id=paragraph>x<button id=disabled disabled>x</button><button id=hidden hidden>x</button>
            <input id=fixed readonly>""")

    def fill(self, value, case):
        if not isinstance(value, str):
            return value
        for mark, real in (("{s}", self.one.id), ("{u}", case["unknown"]), ("{t}", case["text"])):
            value = value.replace(mark, real)
        return value

    def provoke(self, case):
        """The failure of a case: (the error, its arguments, the code that it must have)."""
        tool, arguments, code = FAILURES[case["failure"]]
        self.one.navigate(self.page)  # a failed navigation leaves Chromium's error page
        filled = {name: self.fill(value, case) for name, value in arguments.items()}
        return self.client.fail(tool, **filled), filled, code

    def make(self, chance):
        return {"failure": chance.randrange(len(FAILURES)), "text": text(chance, 12),
                "unknown": str(uuid.UUID(int=chance.getrandbits(128), version=4))}

    def test_13_code_and_message_are_there(self):
        def check(case):
            error, _, _ = self.provoke(case)
            self.assertRegex(error.code, "^[A-Z_]+$")
            self.assertGreater(len(error.message), 5)
        for_all(self.make, check)

    def test_14_errors_of_a_session_name_it(self):
        def check(case):
            error, arguments, _ = self.provoke(case)
            self.assertEqual(error.session_id, arguments.get("sessionId"))
        for_all(self.make, check)

    def test_15_different_failures_have_different_codes(self):
        def check(pair):
            (one, _, expected), (other, _, also_expected) = map(self.provoke, pair)
            self.assertEqual((one.code, other.code), (expected, also_expected))
        for_all(lambda chance: (self.make(chance), self.make(chance)), check)


if __name__ == "__main__":
    main()
