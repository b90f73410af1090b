"""Tools that need a yes: --confirm, over stdio and HTTP, in each era."""
import json

from support.case import BrowserdCase, main
from support.client import LEGACY, MODERN, RpcError
from support.engine import chromium_only
from support.http_client import HttpServer

PAGE = "<p id=p>0</p><button onclick='p.textContent++'>more</button>"
YES = {"action": "accept", "content": {"allow": True}}
NOES = ({"action": "accept", "content": {"allow": False}}, {"action": "accept", "content": {}}, {"action": "decline"},
        {"action": "cancel"})
FORMS = ("2025-06-18", "2025-11-25")


class User:
    """Who is asked: keeps the questions and gives the answers in turn, the last one for ever."""

    def __init__(self, *answers):
        self.answers, self.questions = list(answers), []

    def __call__(self, params):
        self.questions.append(params)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Confirm(BrowserdCase):
    def page_of(self, client):
        session = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=session, url=self.pages().page(PAGE))
        return session

    def count(self, client, session):
        return int(client.call("evaluate", sessionId=session, expression="p.textContent")["value"])

    def test_a_yes_lets_the_call_pass(self):
        for version in FORMS:
            user = User(YES)
            client = self.start("--confirm", "click,type", version=version, elicit=user)
            session = self.page_of(client)
            client.call("click", sessionId=session, selector="button")
            client.call("click", sessionId=session, selector="button")
            self.assertEqual((self.count(client, session), len(user.questions)), (2, 2))
            asked = user.questions[0]
            self.assertIn("Allow click {", asked["message"])
            self.assertIn('"selector":"button"', asked["message"])
            self.assertEqual(asked["requestedSchema"]["required"], ["allow"])
            self.assertEqual(asked.get("mode"), "form" if version == "2025-11-25" else None)

    def test_anything_else_does_nothing(self):
        user = User(*NOES, YES)
        client = self.start("--confirm", "click", "--confirm-default", "allow", elicit=user)
        session = self.page_of(client)
        for answer in NOES:
            failure = client.fail("click", sessionId=session, selector="button")
            self.assertEqual(failure.code, "NOT_CONFIRMED")
            self.assertIn(answer["action"], failure.message)
        self.assertEqual(self.count(client, session), 0)

    def test_wrong_arguments_are_told_without_asking(self):
        user = User(YES)
        client = self.start("--confirm", "click", elicit=user)
        self.assertEqual(client.fail("click", nonsense=1).code, "INVALID_PARAMETERS")
        self.assertFalse(user.questions)

    def test_clients_that_cannot_ask_get_the_default(self):
        for version in (*LEGACY, MODERN):
            with self.subTest(version=version):
                client = self.start("--confirm", "list_sessions", version=version)
                failure = client.fail("list_sessions")
                self.assertEqual(failure.code, "NOT_CONFIRMED")
                self.assertIn("--confirm-default allow", failure.message)
                client = self.start("--confirm", "list_sessions", "--confirm-default=allow", version=version)
                self.assertEqual(client.call("list_sessions")["count"], 0)

    def test_long_questions_are_cut_between_characters(self):
        user = User({"action": "decline"})
        client = self.start("--confirm", "browser_evaluate", elicit=user)
        result = client.start_call("browser_evaluate", {"function": "() => '" + "é" * 5000 + "'"}).result()
        self.assertTrue(result["isError"])
        self.assertIn("did not allow", result["content"][0]["text"])
        self.assertTrue(user.questions[0]["message"].endswith("é ...?"))
        self.assertLess(len(user.questions[0]["message"].encode()), 1100)

    @chromium_only("other browsers know no tools of pages")
    def test_tools_that_pages_register(self):
        """They are confirmed under one name, because the page chooses theirs, and what it says of them counts for nothing."""
        user = User({"action": "decline"})
        client = self.start("--confirm", "webmcp", elicit=user)
        client.start_call("browser_navigate", {"url": self.pages().page(
            "<script>document.modelContext.registerTool({ name: 'look', description: 'd', annotations: { readOnlyHint: true },"
            "execute: () => document.title = 'done' })</script>", title="test")}).result()
        result = client.start("tools/call", {"name": "webmcp_look", "arguments": {"a": 1}}, tool="webmcp_look").result()
        self.assertIn("did not allow this call of webmcp_look", result["content"][0]["text"])
        self.assertEqual(user.questions[0]["message"], 'Allow webmcp_look {"a":1}?')
        self.assertIn("Title: test", client.start_call("browser_snapshot", {}).result()["content"][0]["text"])

    def test_names_of_no_tool_stop_the_start(self):
        client = self.start_unchecked("--confirm", "click,clack", version=None)
        self.assertNotEqual(client.wait(), 0)
        self.assertIn("clack", client.stderr())


class WithoutHandshake(BrowserdCase):
    """2026-07-28: the question is the answer."""

    def call(self, client, tool, arguments, **more):
        return client.start("tools/call", {"name": tool, "arguments": arguments, **more}, tool=tool).result()

    def ask(self, client, *args):
        result = self.call(client, *args)
        self.assertEqual(result["resultType"], "input_required")
        self.assertEqual(list(result["inputRequests"]), ["confirm"])
        return result["requestState"]

    def test_one_yes_is_good_for_one_call(self):
        client = self.start("--confirm", "create_session", version=MODERN, elicit=User())
        state = self.ask(client, "create_session", {})
        result = self.call(client, "create_session", {}, requestState=state, inputResponses={"confirm": YES})
        self.assertIn("sessionId", result["structuredContent"])
        with self.assertRaises(RpcError) as caught:
            self.call(client, "create_session", {}, requestState=state, inputResponses={"confirm": YES})
        self.assertEqual(caught.exception.code, -32602)
        self.assertEqual(client.call("list_sessions")["count"], 1)

    def test_a_yes_to_nothing_is_no_yes(self):
        client = self.start("--confirm", "create_session", version=MODERN, elicit=User())
        result = self.call(client, "create_session", {}, inputResponses={"confirm": YES})
        self.assertEqual(result["resultType"], "input_required")
        self.assertEqual(client.call("list_sessions")["count"], 0)

    def test_a_yes_to_something_else_is_none(self):
        client = self.start("--confirm", "navigate", version=MODERN, elicit=User())
        session = client.call("create_session")["sessionId"]
        state = self.ask(client, "navigate", {"sessionId": session, "url": "about:blank"})
        with self.assertRaises(RpcError):
            self.call(client, "navigate", {"sessionId": session, "url": "about:blank#other"}, requestState=state,
                      inputResponses={"confirm": YES})

    def test_a_no(self):
        client = self.start("--confirm", "create_session", version=MODERN, elicit=User())
        for answer in NOES:
            state = self.ask(client, "create_session", {})
            result = self.call(client, "create_session", {}, requestState=state, inputResponses={"confirm": answer})
            self.assertEqual(json.loads(result["content"][0]["text"])["errorCode"], "NOT_CONFIRMED")


class OverHttp(BrowserdCase):
    def setUp(self):
        self.server = HttpServer("--confirm", "list_sessions")
        self.addCleanup(self.server.discard)
        self.addCleanup(self.server.close)

    def test_the_question_comes_on_the_stream_of_its_call(self):
        for version in FORMS:
            user = User(YES, {"action": "decline"})
            client = self.server.client(version, elicit=user)
            self.assertEqual(client.call("list_sessions")["count"], 0)
            self.assertEqual(client.fail("list_sessions")["errorCode"], "NOT_CONFIRMED")
            self.assertEqual(len(user.questions), 2)
            client.delete()

    def test_another_client_cannot_answer(self):
        """Ids of questions are those of a session: an answer posted to another session is ignored."""
        other = self.server.client()

        def ask(params):
            connection, response = other.post({"jsonrpc": "2.0", "id": "s-1", "result": YES})
            self.assertEqual(response.status, 202)
            connection.close()
            return {"action": "decline"}

        client = self.server.client(elicit=ask)
        self.assertEqual(client.fail("list_sessions")["errorCode"], "NOT_CONFIRMED")

    def test_without_a_handshake(self):
        client = self.server.client(MODERN, elicit=User())
        params = {"name": "list_sessions", "arguments": {}}
        asked = client.request("tools/call", params)
        self.assertEqual(asked["resultType"], "input_required")
        result = client.request("tools/call", {**params, "requestState": asked["requestState"], "inputResponses": {"confirm": YES}})
        self.assertEqual(result["structuredContent"]["count"], 0)
        with self.assertRaises(RpcError):
            client.request("tools/call", {**params, "requestState": "f" * 32, "inputResponses": {"confirm": YES}})


if __name__ == "__main__":
    main()
