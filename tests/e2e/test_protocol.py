"""MCP over stdio in all five versions: handshake, lists, calls, logging, progress, and what each version has or lacks."""
from support.case import BrowserdCase, ServerCase, main
from support.client import LEGACY, META, MODERN, Reply, RpcError

TOOLS = {"create_session", "close_session", "list_sessions", "navigate", "click", "type", "evaluate", "screenshot"}
READ_ONLY = {"list_sessions", "browser_snapshot", "browser_find", "browser_read", "browser_console_messages", "browser_network_requests",
             "browser_network_request", "browser_take_screenshot", "browser_wait_for"}


class Handshake(BrowserdCase):
    def test_each_legacy_version_is_echoed(self):
        for version in LEGACY:
            with self.subTest(version):
                client = self.start(version=None)
                client.version = version
                answer = client.initialize(version)
                self.assertEqual(answer["protocolVersion"], version)
                self.assertEqual(answer["serverInfo"]["name"], "browserd")
                self.assertIn("tools", answer["capabilities"])

    def test_other_versions_get_the_newest_legacy_one(self):
        for asked in ("2099-01-01", "1.0", "", MODERN):
            with self.subTest(asked):
                self.assertEqual(self.start(version=None).initialize(asked)["protocolVersion"], "2025-11-25")

    def test_a_version_that_is_no_string_is_refused(self):
        client = self.start(version=None)
        for params in ({}, {"protocolVersion": 5}, {"protocolVersion": None}):
            with self.subTest(params), self.assertRaises(RpcError) as caught:
                client.request("initialize", {"capabilities": {}, **params})
            self.assertEqual(caught.exception.code, -32602)
        self.assertEqual(client.initialize("2025-06-18")["protocolVersion"], "2025-06-18")

    def test_a_second_handshake_is_refused(self):
        client = self.start()
        with self.assertRaises(RpcError) as caught:
            client.initialize("2025-11-25")
        self.assertEqual(caught.exception.code, -32600)
        self.assertEqual(client.request("ping"), {})

    def test_requests_may_follow_without_waiting(self):
        client = self.start(version=None)
        first = client.start("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}})
        second, third = client.start("ping"), client.start("tools/list")
        self.assertEqual(first.result()["protocolVersion"], "2025-11-25")
        self.assertEqual(second.result(), {})
        self.assertTrue(third.result()["tools"])

    def test_ping_needs_no_handshake_but_tools_do(self):
        client = self.start(version=None)
        self.assertEqual(client.request("ping"), {})
        for method, params in (("tools/list", {}), ("tools/call", {"name": "list_sessions"}), ("nonsense", {})):
            with self.subTest(method), self.assertRaises(RpcError) as caught:
                client.request(method, params)
            self.assertEqual(caught.exception.code, -32602)


def every_version(test):
    """Runs test(self, version, client) for each of the five."""
    def run(self):
        for version in (*LEGACY, MODERN):
            with self.subTest(version):
                test(self, version, self.start(version=version))
    return run


class EveryVersion(BrowserdCase):
    @every_version
    def test_tools_are_described(self, version, client):
        tools = client.list_tools()
        self.assertLessEqual(TOOLS, tools.keys())
        for name, tool in tools.items():
            self.assertRegex(name, r"^[A-Za-z0-9_.-]{1,64}$")
            self.assertTrue(tool["description"])
            self.assertEqual(tool["inputSchema"]["type"], "object")
            if version == "2024-11-05":
                self.assertNotIn("annotations", tool, name)
            else:
                self.assertEqual(name in READ_ONLY, tool.get("annotations", {}).get("readOnlyHint", False), name)
            if version < "2025-06-18":
                self.assertNotIn("outputSchema", tool, name)
            else:
                self.assertEqual(tool.get("outputSchema", {"type": "object"})["type"], "object", name)

    @every_version
    def test_tools_have_the_same_order_each_time(self, version, client):
        names = [tool["name"] for tool in client.request("tools/list")["tools"]]
        self.assertEqual(names, [tool["name"] for tool in client.request("tools/list")["tools"]])

    @every_version
    def test_structured_content_where_the_version_has_it(self, version, client):
        reply = client.start_call("list_sessions", {})
        self.assertEqual(reply.value()["count"], 0)
        self.assertEqual("structuredContent" in reply.result(), version >= "2025-06-18")

    @every_version
    def test_a_call_may_lack_arguments(self, version, client):
        self.assertEqual(client.start_call("list_sessions").value()["sessions"], [])

    @every_version
    def test_lists_without_entries(self, version, client):
        self.assertEqual(client.request("prompts/list")["prompts"], [])
        self.assertEqual(client.request("resources/list")["resources"], [])

    @every_version
    def test_completion_answers_no_values(self, version, client):
        answer = client.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "none"},
                                                        "argument": {"name": "a", "value": "b"}})
        self.assertEqual(answer["completion"]["values"], [])

    @every_version
    def test_an_unknown_cursor_is_refused(self, version, client):
        with self.assertRaises(RpcError) as caught:
            client.request("tools/list", {"cursor": "not one of yours"})
        self.assertEqual(caught.exception.code, -32602)

    @every_version
    def test_an_unknown_tool_is_a_protocol_error(self, version, client):
        with self.assertRaises(RpcError) as caught:
            client.call("no_such_tool")
        self.assertEqual(caught.exception.code, -32602)
        self.assertIn("no_such_tool", caught.exception.message)

    @every_version
    def test_an_unknown_method_is_a_protocol_error(self, version, client):
        with self.assertRaises(RpcError) as caught:
            client.request("no/such/method")
        self.assertEqual(caught.exception.code, -32601)

    @every_version
    def test_unknown_notifications_and_late_cancellations_are_ignored(self, version, client):
        client.notify("notifications/unknown/method", {"a": 1})
        client.notify("notifications/cancelled", {"requestId": 4711})
        client.notify("notifications/cancelled", {"requestId": {"no": "id"}})
        client.notify("notifications/cancelled")
        self.assertEqual(client.call("list_sessions")["count"], 0)

    @every_version
    def test_wrong_arguments_are_tool_errors(self, version, client):
        error = client.fail("navigate", sessionId=5)
        self.assertEqual(error.code, "INVALID_PARAMETERS")


class Legacy(BrowserdCase):
    def test_log_levels(self):
        client = self.start()
        for level in ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"):
            self.assertEqual(client.request("logging/setLevel", {"level": level}), {})
        for params in ({"level": "loud"}, {"level": 3}, {}):
            with self.subTest(params), self.assertRaises(RpcError) as caught:
                client.request("logging/setLevel", params)
            self.assertEqual(caught.exception.code, -32602)

    def test_log_messages_come_as_notifications(self):
        client = self.start()
        client.request("logging/setLevel", {"level": "debug"})
        client.session()
        message = client.wait_notification("notifications/message")
        self.assertIn(message["level"], ("debug", "info", "notice", "warning"))
        self.assertIn("data", message)

    def test_batches_in_the_one_version_that_has_them(self):
        client = self.start(version="2025-03-26")
        replies = [client.expect(Reply(ident, "ping")) for ident in ("a", "b")]
        client.send([{"jsonrpc": "2.0", "id": "a", "method": "ping"},
                     {"jsonrpc": "2.0", "method": "notifications/unknown"},
                     {"jsonrpc": "2.0", "id": "b", "method": "ping"}])
        self.assertEqual([reply.result() for reply in replies], [{}, {}])
        client.send([])
        self.assertEqual(client.wait_unmatched()[0]["error"]["code"], -32600)
        client.send([{"jsonrpc": "2.0", "method": "notifications/unknown"}])
        self.assertEqual(client.request("ping"), {})

    def test_batches_in_other_versions_are_refused(self):
        for version in ("2024-11-05", "2025-06-18", "2025-11-25"):
            with self.subTest(version):
                client = self.start(version=version)
                client.send([{"jsonrpc": "2.0", "id": 77, "method": "ping"}])
                self.assertEqual(client.wait_unmatched()[0]["error"]["code"], -32600)


class Modern(BrowserdCase):
    def test_discover_is_the_first_line(self):
        answer = self.start(version=MODERN).request("server/discover")
        self.assertIn(MODERN, answer["supportedVersions"])
        self.assertLessEqual(set(LEGACY), set(answer["supportedVersions"]))
        self.assertIn("tools", answer["capabilities"])

    def refused(self, client, method, meta, code):
        params = {"_meta": meta} if meta is not None else {}
        with self.assertRaises(RpcError) as caught:
            client.request(method, params)
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def test_the_metadata_of_a_request_is_required(self):
        client = self.start(version=None)
        version, capabilities = META + "protocolVersion", META + "clientCapabilities"
        self.refused(client, "server/discover", None, -32602)
        self.refused(client, "server/discover", {capabilities: {}}, -32602)
        self.refused(client, "server/discover", {version: MODERN}, -32602)
        self.refused(client, "tools/list", {version: MODERN, capabilities: 5}, -32602)

    def test_an_unknown_version_is_told_the_known_ones(self):
        error = self.refused(self.start(version=None), "tools/list",
                             {META + "protocolVersion": "2031-01-01", META + "clientCapabilities": {}}, -32022)
        self.assertEqual(error.data["requested"], "2031-01-01")
        self.assertEqual(error.data["supported"], [MODERN, *reversed(LEGACY)])

    def test_removed_methods(self):
        client = self.start(version=MODERN)
        for method in ("ping", "logging/setLevel", "initialize", "resources/subscribe"):
            with self.subTest(method):
                self.refused(client, method, client.meta(), -32601)

    def test_log_messages_only_where_the_request_asks(self):
        client = self.start(version=MODERN)
        client.session()
        self.assertEqual(client.notifications, [])
        client.start_call("create_session", {}, meta={META + "logLevel": "debug"}).value()
        with self.assertRaises(RpcError) as caught:
            client.start_call("list_sessions", {}, meta={META + "logLevel": "loud"}).value()
        self.assertEqual(caught.exception.code, -32602)

    def test_both_eras_in_one_process(self):
        client = self.start()
        session = client.session()
        client.version = MODERN
        self.assertEqual(client.request("server/discover")["resultType"], "complete")
        self.assertEqual(client.call("list_sessions")["sessions"][0]["sessionId"], session.id)


class Progress(ServerCase):
    def test_the_token_comes_back_with_its_type(self):
        for token in ("text", 7, "7", 0):
            with self.subTest(token=token):
                session = self.session()
                url, release = self.pages.held()
                reply = session.client.start_call("navigate", {"sessionId": session.id, "url": url},
                                                  meta={"progressToken": token})
                mine = lambda p: p["progressToken"] == token and type(p["progressToken"]) is type(token)
                first = self.client.wait_notification("notifications/progress", mine)
                self.client.wait_notification("notifications/progress",
                                              lambda p: mine(p) and p["progress"] > first["progress"])
                release.set()
                self.assertTrue(reply.value()["success"])

    def test_no_token_no_progress(self):
        session = self.session()
        before = len(self.client.notifications)
        session.navigate(self.pages.page("quick"))
        self.assertEqual(len(self.client.notifications), before)


class BeforeAnyBrowser(BrowserdCase):
    def test_handshake_and_lists_start_no_browser(self):
        for version in ("2025-11-25", MODERN):
            with self.subTest(version):
                client = self.start("--executable-path", "/nonexistent/browser", version=version)
                if version == MODERN:
                    client.request("server/discover")
                client.list_tools()
                self.assertEqual(client.call("list_sessions")["count"], 0)
                self.assertEqual(client.processes(), set())

    def test_debug_logs_stay_off_stdout(self):
        client = self.start("--log-level", "debug")
        client.session().navigate("about:blank")
        self.assertTrue(client.stderr())


if __name__ == "__main__":
    main()
