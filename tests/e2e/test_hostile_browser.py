"""
A browser behind --cdp-endpoint whose messages are wrong in one place: the call fails or does without, the server goes on. Many places
at random are the business of tests/chaos/test_lying_browser.py.
"""
from support.case import main
from support.chromium import Chromium
from support.client import ToolError
from support.hostile import HostileCase, same
from support.relay import ChangingRelay


class HostileBrowser(HostileCase):
    @classmethod
    def relayed(cls):
        browser = Chromium()
        cls.addClassCleanup(browser.close)
        relay = ChangingRelay(browser.port, same)
        return relay, ("--cdp-endpoint", relay.endpoint)

    def test_frame_that_is_its_own_ancestor(self):
        def cycle(message):
            if message.get("method") != "Page.frameNavigated":
                return [message]
            frames = [{"id": name, "parentId": parent, "loaderId": "L", "url": "http://x/", "name": ""}
                      for name, parent in (("A", "A"), ("B", "C"), ("C", "B"), ("B", "C"))]
            return [message, *({**message, "params": {"frame": frame, "type": "Navigation"}} for frame in frames)]

        session = self.session()
        self.lie(cycle)
        for _ in range(3):
            self.show(session, "<iframe srcdoc='<button>inside</button>'></iframe>")
        self.text("browser_snapshot", sessionId=session)
        self.assertServes(session)

    def test_context_without_an_id(self):
        def without(message):
            if isinstance(message.get("result"), dict):
                message["result"].pop("browserContextId", None)
            return [message]

        self.lie(without)
        with self.assertRaisesRegex(ToolError, "no valid browserContextId"):
            self.client.start_call("create_session", {}).value()
        self.assertServes()

    def test_context_of_another_session(self):
        seen = []

        def same_again(message):
            result = message.get("result")
            if isinstance(result, dict) and "browserContextId" in result:
                seen.append(result["browserContextId"])
                result["browserContextId"] = seen[0]
            return [message]

        self.lie(same_again)
        first = self.session()
        with self.assertRaisesRegex(ToolError, "another session's context"):
            self.client.start_call("create_session", {}).value()
        self.assertServes(first)

    def test_pages_that_opened_one_another(self):
        targets = []

        def opened(message):
            if message.get("method") == "Target.attachedToTarget" and message["params"]["targetInfo"]["type"] == "page":
                info = message["params"]["targetInfo"]
                targets.append(info["targetId"])
                info.update(openerId=targets[-2] if len(targets) % 2 == 0 else info["targetId"], canAccessOpener=True)
            return [message]

        self.lie(opened)
        session = self.session()
        self.show(session, "<button onclick='alert(1)'>ask</button>")
        self.text("browser_tabs", sessionId=session, action="new")
        self.show(session, "<button id=b onclick='alert(1)'>ask</button>")
        self.assertIn("alert", self.text("browser_click", sessionId=session, target="#b"))
        self.text("browser_handle_dialog", sessionId=session, accept=True)
        self.assertServes(session)

    def test_page_at_a_forbidden_address(self):
        def elsewhere(message):
            if message.get("method") == "Target.attachedToTarget":
                message["params"]["targetInfo"]["url"] = "chrome://gpu"
            return [message]

        session = self.session()
        self.show(session, "<button id=b onclick='window.open(location.href)'>open</button>")
        self.lie(elsewhere)
        self.text("browser_click", sessionId=session, target="#b")
        self.assertServes()

    def test_target_attached_to_twice(self):
        def twice(message):
            if message.get("method") != "Target.attachedToTarget":
                return [message]
            return [message, message, {**message, "params": {**message["params"], "sessionId": "another"}}]

        self.lie(twice)
        session = self.session()
        self.show(session, "one page")
        self.assertNotIn("- 1:", self.text("browser_tabs", sessionId=session, action="list"))
        self.assertServes(session)

    def test_header_fields_that_are_a_list(self):
        def listed(message):
            if message.get("method") == "Fetch.requestPaused":
                message["params"]["request"]["headers"] = [1, "a", {"Origin": "x"}]
            return [message]

        session = self.session()
        self.show(session, "first")
        self.text("browser_route", sessionId=session, pattern="**/none", status=200, body="x")
        self.lie(listed)
        self.show(session, "<script>fetch('/none')</script>")
        self.assertServes(session)

    def test_attributes_of_a_file_field_that_are_no_texts(self):
        def numbered(message):
            node = (message.get("result") or {}).get("node")
            if node and "attributes" in node:
                node["attributes"] = [1, None, [], {}]
            return [message]

        session = self.session()
        self.show(session, "<input type=file id=f multiple>")
        self.text("browser_click", sessionId=session, target="#f")
        self.lie(numbered)
        self.text("browser_file_upload", sessionId=session, paths=[])
        self.assertServes(session)

    def test_frame_of_a_snapshot_without_a_ref(self):
        def nameless(message):
            result = message.get("result")
            value = result.get("result", {}).get("value") if isinstance(result, dict) else None
            for frame in value.get("frames", ()) if isinstance(value, dict) else ():
                frame["ref"] = 7
            return [message]

        session = self.session()
        self.show(session, "<iframe srcdoc='<button>inside</button>'></iframe>")
        self.lie(nameless)
        self.text("browser_snapshot", sessionId=session)
        self.assertServes(session)

    def test_page_that_moves_while_it_is_described(self):
        shown = {}

        def move(message):
            frame = message.get("params", {}).get("frame", {})
            if message.get("method") == "Page.frameNavigated" and "parentId" not in frame:
                shown[message["sessionId"]] = frame
            value = message["result"].get("result", {}).get("value") if isinstance(message.get("result"), dict) else None
            if not isinstance(value, dict) or "title" not in value or message["sessionId"] not in shown:
                return [message]
            session = {"sessionId": message["sessionId"]}
            moved = {**shown[message["sessionId"]], "url": "http://x/" + "y" * 300000}
            return [{"method": "Page.frameNavigated", "params": {"frame": moved, "type": "Navigation"}, **session},
                    {"id": message["id"], "error": {"code": -32000, "message": "no"}, **session}]

        session = self.session()
        self.lie(move)
        self.show(session, "moves")
        self.assertIn("- 0:", self.text("browser_tabs", sessionId=session, action="list"))
        self.assertServes(session)

    def test_observed_target_without_an_id(self):
        def nameless(message):
            result = message.get("result")
            for info in result.get("targetInfos", ()) if isinstance(result, dict) else ():
                info.pop("targetId", None)
            return [message]

        self.lie(nameless)
        self.text("cdp_list_targets", port=self.relay.port)
        self.assertIn("no target", self.text("cdp_observe", port=self.relay.port, targetId="ABC"))
        self.assertServes()

    def test_attachment_without_an_id(self):
        def nameless(message):
            if isinstance(message.get("result"), dict):
                message["result"].pop("sessionId", None)
            return [message]

        page = next(target for target in self.client.start_call("cdp_list_targets", {"port": self.relay.port}).value()["targets"])
        self.lie(nameless)
        self.assertIn("without a new id", self.text("cdp_observe", port=self.relay.port, targetId=page["id"]))
        self.assertServes()


if __name__ == "__main__":
    main()
