"""
What tools/list costs and offers: the short list of --answers compact has every tool, choice and required argument of the full one,
which tool_list.json has the facts of; --profile and --tools leave tools out, which then cannot be called in any way.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from support.case import BrowserdCase, SharedCase, main
from support.client import PATIENCE, RpcError, binary

FACTS = json.loads((pathlib.Path(__file__).parent / "tool_list.json").read_text(encoding="utf-8"))
COMPACT = ("--answers", "compact")
LONGEST, LONGEST_MINIMAL, LONGEST_INSTRUCTIONS = 10_000, 3_650, 120  # bytes of the result, bytes, words
MINIMAL = ["create_session", "close_session", "browser_navigate", "browser_snapshot", "browser_find", "browser_click", "browser_type",
           "browser_fill_form", "browser_file_upload", "browser_batch", "browser_read", "browser_take_screenshot"]
CAPABILITIES = "vision,pdf,testing,devtools,storage,network,config,observe,e2e"


def facts(schema, path=""):
    """The required arguments of a schema, as paths, and the choices by path."""
    required, choices = [f"{path}{name}" for name in schema.get("required", [])], {}
    if path and "enum" in schema:
        choices[path.rstrip(".")] = [value for value in schema["enum"] if value is not None]
    inner = [(f"{path}{name}.", part) for name, part in schema.get("properties", {}).items()]
    inner += [(path, part) for part in (schema.get("items"), *schema.get("anyOf", [])) if part]
    for where, part in inner:
        more, other = facts(part, where)
        required += more
        choices.update(other)
    return required, choices


def listed(client):
    """The tools by name, and the size of the result."""
    result = client.request("tools/list")
    return {tool["name"]: tool for tool in result["tools"]}, len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())


# What a target says: in the compact form optional, and not listed.
SAID_BY_TARGET = {"fields.name", "fields.type"}


class ListCase(BrowserdCase):
    def start_drop_in(self, *args, **more):
        return self.start(command=[os.environ["PLAYWRIGHT_MCP"], "--isolated", *args], **more)

    def said(self, client):
        """The instructions of a server that was started without the handshake."""
        client.version = "2025-11-25"
        return client.initialize(client.version).get("instructions")


class Lists(ListCase):
    def test_the_short_list_has_what_the_full_one_has(self):
        tools, size = listed(self.start(*COMPACT))
        self.assertLessEqual(size, LONGEST)
        self.assertLessEqual(set(FACTS), set(tools))
        for name, (required, choices) in FACTS.items():
            with self.subTest(name):
                schema = tools[name]["inputSchema"]
                now, chosen = facts(schema)
                nested = {path for path in required if path.split(".")[0] not in schema["properties"]}  # of what is rare
                self.assertLessEqual(set(required) - nested - SAID_BY_TARGET, set(now))
                self.assertFalse([path for path in nested if "." not in path])
                shown = {path: values for path, values in choices.items() if path.split(".")[0] in schema["properties"]}
                self.assertEqual(chosen, {path: values for path, values in shown.items() if path not in SAID_BY_TARGET})

    def test_the_full_list_is_as_it_was(self):
        tools, _ = listed(self.start("--answers", "playwright"))
        for name, (required, choices) in FACTS.items():
            self.assertEqual(list(facts(tools[name]["inputSchema"])), [required, choices], name)

    def test_each_tool_is_described_in_a_line_and_takes_a_session(self):
        tools, _ = listed(self.start(*COMPACT))
        for name, tool in tools.items():
            with self.subTest(name):
                self.assertRegex(tool["description"], r"^[^\n]{10,160}$")
                schema = tool["inputSchema"]
                self.assertEqual("sessionId" in schema["properties"], name not in ("create_session", "list_sessions"))
                for argument in schema["properties"].values():
                    self.assertIn("type", argument)  # some clients refuse lists with arguments of any type

    def test_hints_say_which_tools_change_nothing(self):
        full, short = (listed(self.start("--answers", form))[0] for form in ("playwright", "compact"))
        reads = lambda tools: {name for name, tool in tools.items() if tool.get("annotations", {}).get("readOnlyHint") and name in FACTS}
        self.assertEqual(reads(short), reads(full))

    def test_sets_of_tools_stay_described(self):
        tools, _ = listed(self.start(*COMPACT, "--caps", CAPABILITIES))
        self.assertEqual(tools["cdp_set_filters"]["inputSchema"]["properties"]["maxBodyBytes"]["default"], 64000)
        self.assertIn("description", tools["browser_mouse_click_xy"]["inputSchema"]["properties"]["delay"])

    def test_the_drop_in_keeps_its_list_unless_asked(self):
        plain, size = listed(self.start_drop_in())
        self.assertIn("$schema", plain["browser_click"]["inputSchema"])
        self.assertGreater(size, LONGEST)
        short, size = listed(self.start_drop_in(*COMPACT))
        self.assertLess(size, LONGEST)
        self.assertLessEqual(set(plain), set(short))
        self.assertFalse([name for name, tool in short.items() if "sessionId" in tool["inputSchema"]["properties"]])


class Instructions(ListCase):
    def test_they_explain_the_form_of_the_answers(self):
        said = self.said(self.start(*COMPACT, version=None))
        self.assertLessEqual(len(said.split()), LONGEST_INSTRUCTIONS)
        for word in ("sessionId", "create_session", 'role "name" ref', "~", "+", "-", "cursor", "since", "browser_find"):
            self.assertIn(word, said)

    def test_they_name_only_tools_that_there_are(self):
        for args in ((), ("--profile", "minimal"), ("--tools", "browser_click,browser_snapshot"), ("--tools", "browser_click")):
            client = self.start(*COMPACT, *args, version=None)
            said = self.said(client) or ""
            self.assertLessEqual(set(re.findall(r"\b(?:browser_[a-z]+|create_session|navigate)\b", said)), set(client.list_tools()), args)

    def test_the_drop_in_gives_none_unless_asked(self):
        self.assertIsNone(self.said(self.start_drop_in(version=None)))
        said = self.said(self.start_drop_in(*COMPACT, version=None))
        self.assertIn('role "name" ref', said)
        self.assertNotIn("session", said)


class Chosen(ListCase):
    def names(self, *args):
        return list(self.start(*args).list_tools())

    def refusal(self, *args, program=None):
        done = subprocess.run([program or binary(), *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def config(self, **options):
        file = self.enterContext(tempfile.NamedTemporaryFile("w", suffix=".json"))
        json.dump(options, file)
        file.flush()
        return "--config", file.name

    def test_the_minimal_profile(self):
        everything = self.names(*COMPACT)
        tools, size = listed(self.start(*COMPACT, "--profile", "minimal"))
        self.assertEqual(list(tools), [name for name in everything if name in MINIMAL])
        self.assertLessEqual(size, LONGEST_MINIMAL)
        self.assertGreaterEqual(len(tools), 8)

    def test_the_minimal_profile_with_other_options(self):
        minimal = [name for name in self.names() if name in MINIMAL]
        self.assertEqual(self.names("--profile", "minimal", "--lazy-sessions"), minimal)
        self.assertEqual(set(self.names("--profile", "minimal", "--caps", "pdf")), {*minimal, "browser_pdf_save"})
        self.assertEqual(set(self.names("--profile", "minimal", "--tools", "browser_tabs")), {*minimal, "browser_tabs"})
        self.assertEqual(set(self.start_drop_in("--profile", "minimal").list_tools()), set(minimal) - {"create_session", "close_session", "browser_batch", "browser_read"})

    def test_tools_by_name(self):
        self.assertEqual(self.names("--tools", "browser_snapshot,navigate,list_sessions"), ["list_sessions", "navigate", "browser_snapshot"])
        self.assertEqual(self.names("--tools", "session_list", "--lazy-sessions"), ["session_list"])
        self.assertEqual(self.names("--tools", "browser_pdf_save", "--caps", "pdf,vision"), ["browser_pdf_save"])

    def test_the_config_file_has_both(self):
        self.assertEqual(self.names(*self.config(tools=["browser_click", "browser_hover"])), ["browser_click", "browser_hover"])
        minimal = self.names(*self.config(profile="minimal"))
        self.assertEqual(minimal, self.names("--profile", "minimal"))

    def test_names_that_cannot_be_given(self):
        for args, said in (
                (("--tools", "browser_clik"), 'there is no tool "browser_clik"; did you mean browser_click?'),
                (("--tools", "network"), "did you mean browser_network_requests, browser_network_request?"),
                (("--tools", "zzz"), 'there is no tool "zzz"; tools/list without --tools names them all'),
                (("--tools", "browser_click,browser_pdf_save"), "browser_pdf_save is a tool of --caps pdf, which is not given"),
                (("--tools", "cdp_observe"), "cdp_observe is a tool of --caps observe, which is not given"),
                (("--tools", "session_close"), "session_close is a tool of --lazy-sessions, which is not given"),
                (("--tools", "browser_run_code_unsafe", "--no-run-code"), "browser_run_code_unsafe is removed by --no-run-code"),
                (("--profile", "small"), "Valid values are: full, minimal")):
            with self.subTest(args):
                self.assertIn(said, self.refusal(*args))
        self.assertIn("create_session is not a tool of playwright-mcp", self.refusal("--tools", "create_session", program=os.environ["PLAYWRIGHT_MCP"]))

    def test_what_is_not_offered_cannot_be_called(self):
        client = self.start("--tools", "browser_snapshot")
        for name in ("browser_click", "create_session", "browser_run_code_unsafe"):
            with self.subTest(name), self.assertRaises(RpcError) as caught:
                client.call(name, target="body", code="async page => 1")
            self.assertEqual(caught.exception.code, -32602)
        self.assertIn("Page", client.ask("browser_snapshot"))

    def test_tools_of_pages_are_offered_by_name(self):
        body = "<script>document.modelContext.registerTool({ name: 'own', description: 'd', execute: () => 'done' })</script>"
        url = self.pages().page(body)
        for args, there in (((), True), (("--tools", "browser_navigate"), False), (("--tools", "browser_navigate,webmcp"), True),
                            (("--profile", "minimal"), False)):
            client = self.start(*args)
            client.ask("browser_navigate", url=url)
            self.assertEqual("webmcp_own" in listed(client)[0], there, args)


class Calls(SharedCase):
    args = COMPACT

    def test_arguments_that_are_not_listed_are_accepted(self):
        url = self.site.page("<button onclick='document.title = event.detail'>press</button><i style='position: absolute; top: 200px'>to</i>")
        session = self.client.session()
        session.navigate(url, timeout=5000)
        session.call("click", selector="button", clickCount=2, force=True)
        self.assertEqual(session.call("evaluate", expression="document.title", timeout=5000)["value"], "2")
        self.client.ask("browser_navigate", url=url)
        self.client.ask("browser_click", target="button", element="the button")
        said = self.client.ask("browser_drag", startTarget="button", startElement="button", endTarget="i", startPosition={"x": 1, "y": 1}, steps=2)
        self.assertNotIn("Error", said)

    def test_a_value_out_of_range_is_refused_with_the_range(self):
        session = self.client.session()
        self.assertIn("1 to 3", session.fail("click", selector="b", clickCount=9).message)


if __name__ == "__main__":
    main()
