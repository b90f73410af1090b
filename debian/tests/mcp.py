"""MCP clients of the installed package, for the tests in this folder."""
import json
import subprocess
import urllib.request

TOKEN = "0123456789abcdef0123456789abcdef"


class Client:
    """An MCP client; subclasses send a message and return its answer, if it gets one."""

    def __init__(self):
        self.ident = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "drive", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method, params):
        self.ident += 1
        answer = self.send({"jsonrpc": "2.0", "id": self.ident, "method": method, "params": params})
        assert "result" in answer, answer
        return answer["result"]

    def call(self, tool, **arguments):
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(item.get("text", "") for item in result["content"])
        assert not result.get("isError"), text
        return text

    def order(self, page):
        self.call("browser_navigate", url=page)
        self.call("browser_click", element="the button", target="button")
        assert 'button "Ordered"' in self.call("browser_snapshot")


class StdioClient(Client):
    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        super().__init__()

    def send(self, message):
        print(json.dumps(message), file=self.process.stdin, flush=True)
        while "id" in message:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == message["id"]:
                return answer

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


class HttpClient(Client):
    def __init__(self, port):
        self.url, self.session = f"http://127.0.0.1:{port}/mcp", {}
        super().__init__()

    def send(self, message):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   "Authorization": f"Bearer {TOKEN}", **self.session}
        with urllib.request.urlopen(urllib.request.Request(self.url, json.dumps(message).encode(), headers)) as response:
            if "Mcp-Session-Id" in response.headers:
                self.session = {"Mcp-Session-Id": response.headers["Mcp-Session-Id"]}
            for line in response:
                text = line.decode().removeprefix("data:")
                answer = json.loads(text) if text.lstrip().startswith("{") else {}
                if "id" in message and answer.get("id") == message["id"]:
                    return answer
