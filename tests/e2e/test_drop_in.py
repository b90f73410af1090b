"""The program by its other name: what a client of @playwright/mcp sees, and nothing else."""
import os

from support.case import BrowserdCase, main
from support.client import RpcError


def text(result):
    return result["content"][0]["text"]


class DropIn(BrowserdCase):
    def start_drop_in(self, *args, **more):
        return self.start(command=[os.environ["PLAYWRIGHT_MCP"], "--isolated", *args], **more)

    def call(self, client, tool, **arguments):
        return client.start_call(tool, arguments).result()

    def test_the_server_is_the_reference(self):
        client = self.start_drop_in(version=None)
        client.version = "2025-11-25"
        answer = client.initialize("2025-11-25")
        self.assertEqual(answer["serverInfo"]["name"], "Playwright")
        self.assertNotIn("instructions", answer)
        self.assertEqual(answer["capabilities"], {"tools": {"listChanged": True}})

    def test_nothing_but_tools(self):
        client = self.start_drop_in()
        for method in ("resources/list", "resources/read", "prompts/list", "prompts/get", "completion/complete",
                       "resources/templates/list", "logging/setLevel"):
            with self.subTest(method), self.assertRaises(RpcError) as caught:
                client.request(method, {})
            self.assertEqual(caught.exception.code, -32601)
        self.assertEqual(client.request("ping"), {})

    def test_only_browser_tools(self):
        tools = self.start_drop_in("--lazy-sessions").list_tools()
        self.assertTrue(all(name.startswith("browser_") for name in tools), list(tools))
        self.assertFalse([name for name, tool in tools.items() if "sessionId" in tool["inputSchema"]["properties"]])

    def test_tools_that_are_not_there_answer(self):
        result = self.call(self.start_drop_in(), "browser_nonsense")
        self.assertTrue(result["isError"])
        self.assertEqual(text(result), '### Error\nTool "browser_nonsense" not found')

    def test_wrong_arguments_answer(self):
        result = self.call(self.start_drop_in(), "browser_navigate", url=5)
        self.assertTrue(result["isError"])
        self.assertEqual(text(result), '### Error\nInvalid arguments for tool "browser_navigate":\n'
                         "✖ Invalid input: expected string, received number\n  → at url")

    def test_a_session_id_is_an_argument_like_any_unknown_one(self):
        client = self.start_drop_in()
        for ident in ("unknown", 5):
            result = self.call(client, "browser_navigate", url="about:blank", sessionId=ident)
            self.assertNotIn("isError", result)

    def test_nothing_is_logged_to_the_client(self):
        client = self.start_drop_in("--log-level", "debug")
        self.call(client, "browser_navigate", url="about:blank")
        self.assertEqual(client.notifications, [])

    def test_no_window_where_there_is_no_display(self):
        client = self.start_drop_in(env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
        self.assertNotIn("isError", self.call(client, "browser_navigate", url="about:blank"))
        size = self.call(client, "browser_evaluate", function="() => innerWidth + 'x' + innerHeight")
        self.assertIn('"1280x720"', text(size))

    def test_a_window_that_cannot_be_shown_says_what_to_do(self):
        client = self.start_drop_in("--headed", env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
        result = self.call(client, "browser_navigate", url="about:blank")
        self.assertTrue(result["isError"])
        self.assertIn("--headless", text(result))


if __name__ == "__main__":
    main()
