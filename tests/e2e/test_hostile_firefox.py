"""
A Firefox whose messages are wrong in one place, as test_hostile_browser.py has it for Chromium. Many places at random are the business of
tests/chaos/test_lying_browser.py.
"""
import json

from support.case import main, skip
from support.client import ToolError
from support.engine import installed
from support.firefox_relay import RelayedFirefox
from support.hostile import HostileCase, same


def changed(method, change):
    """A lie: `change` gets the parameters of each event of that name, and changes them in place."""
    def lie(message):
        if message.get("method") == method:
            change(message["params"])
        return [message]
    return lie


class HostileFirefox(HostileCase):
    @classmethod
    def relayed(cls):
        relay = RelayedFirefox(installed("firefox"), same)
        return relay, ("--browser", "firefox", "--executable-path", relay.program, "--browser-linger", "60000")

    def test_frame_that_is_its_own_ancestor(self):
        def cycle(message):
            if message.get("method") != "browsingContext.contextCreated" or not message["params"].get("parent"):
                return [message]
            told = [{**message, "params": {**message["params"], "context": name, "parent": parent}}
                    for name, parent in (("A", "A"), ("B", "C"), ("C", "B"), ("B", "C"), (message["params"]["parent"], "B"))]
            return [message, *told]

        session = self.session()
        self.lie(cycle)
        for _ in range(3):
            self.show(session, "<iframe srcdoc='<button>inside</button>'></iframe>")
        self.text("browser_snapshot", sessionId=session)
        self.assertServes(session)

    def test_frames_without_end(self):
        def many(message):
            if message.get("method") != "browsingContext.contextCreated" or not message["params"].get("parent"):
                return [message]
            return [message, *({**message, "params": {**message["params"], "context": f"N{i}"}} for i in range(20000))]

        session = self.session()
        self.lie(many)
        self.show(session, "<iframe srcdoc='<button>inside</button>'></iframe>")
        self.text("browser_snapshot", sessionId=session)
        self.assertServes()

    def test_context_without_an_id(self):
        def without(message):
            if isinstance(message.get("result"), dict):
                message["result"].pop("userContext", None)
            return [message]

        self.lie(without)
        self.assertRaises(ToolError, self.session)
        self.assertServes()

    def test_context_of_another_session(self):
        seen = []

        def same_again(message):
            result = message.get("result")
            if isinstance(result, dict) and "userContext" in result:
                seen.append(result["userContext"])
                result["userContext"] = seen[0]
            return [message]

        self.lie(same_again)
        first = self.session()
        with self.assertRaisesRegex(ToolError, "another session's context"):
            self.session()
        self.assertServes(first)

    def test_pages_that_opened_one_another(self):
        pages = []

        def opened(params):
            if not params.get("parent"):
                pages.append(params["context"])
                params["originalOpener"] = pages[-2] if len(pages) % 2 == 0 else params["context"]

        self.lie(changed("browsingContext.contextCreated", opened))
        session = self.session()
        self.show(session, "<button onclick='alert(1)'>ask</button>")
        self.text("browser_tabs", sessionId=session, action="new")
        self.show(session, "<button id=b onclick='alert(1)'>ask</button>")
        self.assertIn("alert", self.text("browser_click", sessionId=session, target="#b"))
        self.text("browser_handle_dialog", sessionId=session, accept=True)
        self.assertServes(session)

    def test_page_at_a_forbidden_address(self):
        session = self.session()
        self.show(session, "<button id=b onclick='window.open(location.href)'>open</button>")
        self.lie(changed("browsingContext.contextCreated", lambda params: params.update(url="about:config")))
        self.text("browser_click", sessionId=session, target="#b")
        self.assertServes()

    def test_page_that_begins_twice(self):
        self.lie(lambda message: [message, message] if message.get("method") == "browsingContext.contextCreated" else [message])
        session = self.session()
        self.show(session, "one page")
        self.assertNotIn("- 1:", self.text("browser_tabs", sessionId=session, action="list"))
        self.assertServes(session)

    def test_realms_of_other_pages(self):
        pages = []

        def moved(params):
            pages.append(params.get("context"))
            params.update(context=pages[0])

        other = self.session()
        self.show(other, "<button>Other</button>")
        session = self.session()
        self.lie(changed("script.realmCreated", moved))
        self.show(session, "<button>One</button>")
        self.text("browser_snapshot", sessionId=session)
        self.assertServes(other)

    def test_realm_that_is_made_without_end(self):
        def many(message):
            if message.get("method") != "script.realmCreated":
                return [message]
            return [message, *({**message, "params": {**message["params"], "realm": f"R{i}"}} for i in range(20000))]

        session = self.session()
        self.lie(many)
        self.show(session, "<button>One</button>")
        self.assertServes()

    def test_header_fields_that_are_a_list(self):
        session = self.session()
        self.show(session, "first")
        self.text("browser_route", sessionId=session, pattern="**/none", status=200, body="x")
        self.lie(changed("network.beforeRequestSent", lambda params: params["request"].update(headers=[1, "a", {"name": {}}, {"name": "Origin"}])))
        self.show(session, "<script>fetch('/none')</script>")
        self.assertServes(session)

    def test_request_of_another_type(self):
        for wrong in (None, 7, [], {"request": 1}, {"request": "x", "url": [], "method": None, "headers": {}}):
            with self.subTest(wrong):
                session = self.session()
                self.lie(changed("network.beforeRequestSent", lambda params, wrong=wrong: params.update(request=wrong)))
                self.show(session, "<img src=/none>")
                self.text("browser_network_requests", sessionId=session)
                self.assertServes()

    def test_values_that_are_no_json(self):
        def broken(message):
            result = message.get("result")
            value = result.get("result") if isinstance(result, dict) else None
            if isinstance(value, dict) and value.get("type") == "string":
                value["value"] = json.dumps(value["value"])[:-3]
            return [message]

        session = self.session()
        self.show(session, "<button>One</button>")
        self.lie(broken)
        self.text("browser_snapshot", sessionId=session)
        self.text("browser_click", sessionId=session, target="button")
        self.assertServes()

    def test_replies_that_come_twice_or_for_nothing(self):
        self.lie(lambda message: [message, message, {**message, "id": 1 << 40}, {**message, "id": -1}, {**message, "id": "x"}])
        session = self.session()
        self.show(session, "<button>One</button>")
        self.assertServes(session)

    def test_errors_that_are_none(self):
        def failed(message):
            if "id" not in message or "userContext" in (message.get("result") or {}):
                return [message]
            return [{"type": "error", "id": message["id"], "error": [], "message": {}, "stacktrace": 7}]

        session = self.session()
        self.lie(failed)
        self.show(session, "<button>One</button>")
        self.text("browser_snapshot", sessionId=session)
        self.assertServes()

    def test_document_that_moves_elsewhere(self):
        session = self.session()
        self.lie(changed("browsingContext.navigationCommitted", lambda params: params.update(url="http://x/" + "y" * 300000, navigation="z" * 5000)))
        self.show(session, "moves")
        self.text("browser_snapshot", sessionId=session)
        self.assertServes()


if __name__ == "__main__":
    if not installed("firefox"):
        skip("no firefox is installed")
    main()
