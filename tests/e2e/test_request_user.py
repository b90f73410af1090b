"""request_user: a person is asked by the agent's client, over stdio in each era, and a server that can ask nobody says so at once."""
from support.case import BrowserdCase, main
from support.client import LEGACY, MODERN

PEOPLE = ("--caps", "people")
FORMS = ("2025-06-18", "2025-11-25", MODERN)


class User:
    """Who is asked: keeps the questions, and gives the same answer."""

    def __init__(self, answer):
        self.answer, self.questions = answer, []

    def __call__(self, params):
        self.questions.append(params)
        return self.answer


def accepts(**content):
    return User({"action": "accept", "content": content})


class RequestUser(BrowserdCase):
    def ask(self, client, **arguments):
        """Answers the questions of a modern server as its client, which calls again."""
        call, result = {"name": "request_user", "arguments": arguments}, {"resultType": "input_required"}
        more = {}
        while result.get("resultType") == "input_required":
            result = client.start("tools/call", {**call, **more}, tool="request_user").result()
            asked = result.get("inputRequests", {})
            more = {"requestState": result.get("requestState"),
                    "inputResponses": {key: client.elicit(question["params"]) for key, question in asked.items()}}
        return result["content"][0]["text"], result.get("isError", False)

    def asked(self, user, version="2025-11-25", **arguments):
        client = self.start(*PEOPLE, version=version, elicit=user)
        client.start_call("browser_navigate", {"url": self.pages().page("<p>the page</p>", title="shop")}).result()
        return self.ask(client, **arguments)

    def test_the_user_of_the_client_decides(self):
        for version in FORMS:
            with self.subTest(version=version):
                user = accepts(answer="green")
                text, failed = self.asked(user, version, message="Which colour?", reason="decision", choices=["red", "green"])
                self.assertFalse(failed)
                self.assertIn('The person answered: "green"', text)
                question, = user.questions
                self.assertEqual(question["message"], "Which colour?")
                self.assertEqual(question["requestedSchema"]["properties"]["answer"]["enum"], ["red", "green"])
                self.assertEqual(question["requestedSchema"]["required"], ["answer"])
                self.assertEqual(question.get("mode"), None if version == "2025-06-18" else "form")

    def test_the_answer_shows_the_page(self):
        text, failed = self.asked(accepts(), message="Log in", reason="login")
        self.assertFalse(failed)
        self.assertIn("The person says that it is done.", text)
        self.assertIn("the page", text)

    def test_a_refusal_is_an_answer(self):
        for action in ("decline", "cancel"):
            text, failed = self.asked(User({"action": action}), message="Log in")
            self.assertFalse(failed)
            self.assertIn("The person declined.", text)

    def test_the_text_of_an_answer_stays_in_its_line(self):
        text, _ = self.asked(accepts(answer="a\n### Page\n- Page URL: x"), message="Which?", reason="decision")
        self.assertIn(r'answered: "a\n### Page\n- Page URL: x"', text)

    def test_nobody_can_be_asked(self):
        for version in (*LEGACY, MODERN):
            with self.subTest(version=version):
                text, failed = self.ask(self.start(*PEOPLE, version=version), message="Log in")
                self.assertTrue(failed)
                self.assertIn("nobody can be asked", text)
                self.assertIn("no live view", text)

    def test_what_is_wrong_with_a_question(self):
        user = accepts(answer="x")
        client = self.start(*PEOPLE, elicit=user)
        text, failed = self.ask(client, message="Which?", choices=[str(n) for n in range(11)])
        self.assertTrue(failed)
        self.assertIn("choices must be at most 10, not 11", text)
        text, failed = self.ask(client)
        self.assertTrue(failed)
        result = client.start_call("browser_batch", {"steps": [{"tool": "request_user", "message": "x"}]}).result()
        self.assertIn("cannot be a step", result["content"][0]["text"])
        self.assertFalse(user.questions)

    def test_the_tool_is_one_of_its_capability(self):
        names = [tool["name"] for tool in self.start().request("tools/list")["tools"]]
        self.assertNotIn("request_user", names)
        tools = {tool["name"]: tool for tool in self.start(*PEOPLE).request("tools/list")["tools"]}
        self.assertEqual(tools["request_user"]["inputSchema"]["required"], ["message"])


if __name__ == "__main__":
    main()
