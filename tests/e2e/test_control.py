"""Calls of an agent on a session that a person takes over in the middle of them, by the messages of the live view."""
import json
import threading

from support.case import main
from support.client import PATIENCE
from support.engine import chromium_only
from support.http_case import HttpPagesCase
from support.view import Person

# The page tells its server what it gets, so that a test knows when a step has been done.
PAGE = """<title>page</title><button onclick="fetch('/told?click')">Go</button>
<input aria-label=Text oninput="fetch('/told?' + value.length)"><input aria-label=Secret type=password><p id=p></p>"""


class ControlCase(HttpPagesCase):
    args = ("--max-sessions", "20", "--timeout-action", "20000")
    form = "compact"

    @classmethod
    def setUpClass(cls):
        cls.args = (*cls.args, "--answers", cls.form)
        super().setUpClass()

    def setUp(self):
        self.agent = self.client()
        self.ident = self.agent.call("create_session")["sessionId"]
        self.addCleanup(self.agent.call, "close_session", sessionId=self.ident)
        self.told, self.news = [], threading.Condition()
        self.pages.route("/told", self.hear)
        self.call("navigate", url=self.pages.route("/page", PAGE))
        self.person = Person(self.server)
        self.addCleanup(self.person.close)
        self.person.log_in()
        self.socket = self.person.socket()
        self.key = None
        self.card = {}

    def call(self, tool, **arguments):
        return self.ask(self.agent, tool, sessionId=self.ident, **arguments)

    def later(self, tool, **arguments):
        """Begins a call; gives its answer when what this returns is called."""
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.call(tool, **arguments)))
        thread.start()
        self.addCleanup(thread.join)

        def answer():
            thread.join()
            return answers[0]
        answer.is_there = lambda: bool(answers)
        return answer

    # ---- what the page tells ----

    def hear(self, request):
        with self.news:
            self.told.append(request.query)
            self.news.notify_all()
        return ""

    def await_told(self, count):
        with self.news:
            self.assertTrue(self.news.wait_for(lambda: len(self.told) >= count, PATIENCE))

    # ---- the person ----

    def open(self):
        if not self.key:
            self.socket.send({"type": "open", "key": self.ident})
            self.key = self.socket.receive_type("opened")["key"]

    def until(self, holds):
        """Until it holds of the control of the session, as the view shows it; None: nobody has it."""
        while not holds(self.card.get("control")):
            self.card = self.socket.receive_type("session").get("card", self.card)

    def take(self, waiting=0):
        self.open()
        self.socket.send({"type": "take", "key": self.key})
        self.until(lambda control: control and control["taken"])
        self.until(lambda control: control["waiting"] >= waiting)

    def hand_back(self):
        self.socket.send({"type": "return", "key": self.key})
        self.until(lambda control: not control)


class Control(ControlCase):
    def test_code_stops_before_its_next_operation(self):
        answer = self.later("run_code_unsafe", code="""async page => {
            for (let i = 0; i < 3; i++) {
                await page.getByRole('button').click();
                await page.waitForFunction(count => performance.getEntriesByType('resource').length >= count, i + 1);
            }
            return 'clicked';
        }""")
        self.await_told(1)
        self.take(waiting=1)
        before = len(self.told)
        self.assertFalse(answer.is_there())
        self.assertEqual(len(self.told), before)
        self.hand_back()
        self.assertIn("clicked", answer())
        self.await_told(3)

    def test_the_rest_of_a_text_is_not_typed(self):
        answer = self.later("type", target="internal:label=\"Text\"i", text="x" * 300, slowly=True)
        self.await_told(3)
        self.take(waiting=1)
        typed = len(self.told)
        self.hand_back()
        self.assertRegex(answer(), r"the page got its first \d+ keys, and the rest was not typed")
        self.assertLess(len(self.told), 300)
        self.assertGreaterEqual(len(self.told), typed)

    def test_the_answer_of_a_wait_comes_after_the_person(self):
        shows = threading.Event()
        self.addCleanup(shows.set)
        self.pages.route("/held", lambda _: shows.wait(PATIENCE) and "")
        self.call("evaluate", function="() => { fetch('/held').then(() => { p.textContent = 'it is there'; fetch('/told?shown'); }); }")
        answer = self.later("wait_for", text="it is there")
        self.open()
        while not self.card.get("running"):
            self.card = self.socket.receive_type("session").get("card", self.card)
        self.take()
        shows.set()
        self.await_told(1)
        self.assertFalse(answer.is_there())
        self.hand_back()
        self.assertIn("it is there", answer())

    def test_passwords_of_pages_that_a_person_had(self):
        fill = "() => { document.querySelector('[type=password]').value = 'hunter2secret'; }"
        self.call("evaluate", function=fill)
        self.assertIn("hunter2secret", self.call("snapshot"))
        self.take()
        self.hand_back()
        text = self.call("snapshot")
        self.assertNotIn("hunter2secret", text)
        self.assertIn("••••••••", text)
        self.assertNotIn("hunter2secret", self.call("find", text="hunter2"))
        self.call("evaluate", function="() => { document.querySelector('[type=password]').type = 'text'; }")
        self.assertNotIn("hunter2secret", self.call("snapshot"))
        self.call("navigate", url=self.pages.route("/page", PAGE))
        self.call("evaluate", function=fill)  # the agent's own, in a document that no person has seen
        self.assertIn("Secret", self.call("snapshot"))

    def test_the_next_answer_shows_the_page_and_who_had_it(self):
        self.call("snapshot")
        self.take()
        self.hand_back()
        result = self.agent.request("tools/call", {"name": "browser_evaluate", "arguments": {
            "sessionId": self.ident, "function": "() => { p.textContent = 'new'; }"}})
        texts = "\n".join(item["text"] for item in result["content"])
        self.assertRegex(texts, r"A person.* had control of this session for \d+ s")
        self.assertIn("+ new" if self.form == "compact" else "Snapshot", texts)


@chromium_only("other browsers record no videos")
class RecordedControl(ControlCase):
    args = (*ControlCase.args, "--caps", "devtools")

    def test_a_video_ends_and_another_one_begins(self):
        self.call("start_video")
        self.take()
        self.hand_back()
        self.call("evaluate", function="() => { document.body.style.background = 'green'; }")
        self.assertEqual(self.call("stop_video").count("[Video]"), 2)


class BriefControl(ControlCase):
    args = (*ControlCase.args, "--timeout-control", "300")

    def test_a_call_waits_no_longer_than_the_option_says(self):
        self.take()
        result = self.agent.request("tools/call", {"name": "evaluate", "arguments": {"sessionId": self.ident, "expression": "1"}})
        failure = json.loads(result["content"][0]["text"])
        self.assertEqual((failure["errorCode"], failure["sessionId"]), ("USER_HAS_CONTROL", self.ident))
        self.assertIn("has done nothing. Call again", failure["message"])
        self.assertIn("has had control of session", self.call("snapshot"))
        self.hand_back()
        self.assertIn("Go", self.call("snapshot"))


class ControlInPlaywrightForm(Control):
    form = "playwright"


if __name__ == "__main__":
    main()
