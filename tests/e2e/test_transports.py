"""
Every tool that is listed, and one of a page, is called over stdio and over HTTP: what works over one of them works over the other.
The arguments come from the schemas, so that a new tool needs no line here; where they do not fit, the failure has to be the same.
"""
import re
import tempfile

from support.case import TRANSPORTS, BrowserdCase, main

CAPABILITIES = "core,vision,pdf,testing,tracing,devtools,storage,network,config,observe,e2e"
BODY = """<title>test</title><button id=b onclick="document.title += '.'">press</button><input id=i><script>
document.modelContext.registerTool({ name: 'own', description: 'd', execute: () => 'done' })</script>"""
KNOWN = {"target": "#b", "selector": "#b", "startTarget": "#b", "endTarget": "#i", "startSelector": "#b", "endSelector": "#i", "function": "() => 1", "code": "async page => 1", "time": 0.01, "timeout": 200, "key": "a", "text": "press", "index": 1, "fields": [],
         "values": ["x"], "button": "left", "paths": [], "ref": "e1", "filename": "file.txt", "name": "name", "value": "1", "width": 500, "height": 400, "state": "online",
         "expression": "1", "duration": 1}
BRIEF = ("timeout", "duration")  # given although they are not required
OPEN_PAGES = ("navigate",)  # on a busy machine this takes longer than a brief timeout
LAST = ("browser_navigate_back", "browser_tabs", "browser_close", "close_session")  # they take the page of the others away


def value(name, schema, given):
    if name in given:
        return given[name]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    return {"string": "x", "number": schema.get("minimum", 1), "integer": schema.get("minimum", 1), "boolean": True, "array": [], "object": {}}.get(kind, "x")


def arguments(tool, given):
    schema = tool["inputSchema"]
    brief = () if tool["name"] in OPEN_PAGES else BRIEF
    names = [name for name in schema.get("properties", {}) if name in (*schema.get("required", []), *brief)]
    return {name: value(name, schema["properties"][name], given) for name in names}


def outcome(result):
    """What has to be equal: whether it failed, and the parts of the answer."""
    text = "\n".join(item.get("text", item["type"]) for item in result["content"])
    parts = re.findall(r"^### .*", text, re.MULTILINE) or sorted(re.findall(r'"(\w+)":', text))
    return bool(result.get("isError")), [part for part in parts if part != "### Events"]


class Transports(BrowserdCase):
    def outcomes(self, transport, url):
        self.client_class = TRANSPORTS[transport]
        folder = self.enterContext(tempfile.TemporaryDirectory())
        client = self.start("--caps", CAPABILITIES, "--timeout-action", "1000", "--output-dir", folder)
        call = lambda tool, given: client.start("tools/call", {"name": tool, "arguments": given}, tool=tool).result()
        call("browser_navigate", {"url": url})
        tools = {tool["name"]: tool for tool in client.request("tools/list")["tools"]}
        self.assertIn("webmcp_own", tools)
        session = client.session()
        session.navigate(url)
        given = {**KNOWN, "url": url, "sessionId": session.id}
        found = {}
        for name in sorted(tools, key=lambda name: (name in LAST, not name.startswith("webmcp_"), name)):
            found[name] = outcome(call(name, arguments(tools[name], given)))
        return found

    def test_what_tools_answer_is_the_same_over_stdio_and_http(self):
        url = self.pages().page(BODY)
        over = {transport: self.outcomes(transport, url) for transport in TRANSPORTS}
        self.assertEqual(over["http"], over["stdio"])
        self.assertGreater(len(over["http"]), 60)
        self.assertFalse(over["http"]["webmcp_own"][0])


if __name__ == "__main__":
    main()
