#!/usr/bin/env python3
"""Compare the snapshots of pages/*.html with the expected ones beside them.

usage: pages.py [--record] -- COMMAND...

COMMAND is an MCP server on stdin and stdout with browser_navigate and browser_snapshot. Each page is opened in a tab of its
own, so that refs do not count the pages before. In a page, $OTHER is the origin of another site.
--record writes what COMMAND answers as the expectation.
"""
import difflib
import http.server
import json
import pathlib
import re
import subprocess
import sys
import threading

PAGES = pathlib.Path(__file__).parent / "pages"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = PAGES

    def do_GET(self):
        page = self.folder / self.path.lstrip("/").split("?")[0]
        found = page.parent == self.folder and page.is_file()
        base, other = (f"http://{host}:{self.server.server_port}" for host in ("127.0.0.1", "localhost"))
        body = page.read_text("utf-8").replace("$OTHER", other).replace("$BASE", base).encode() if found else b"not here"
        head = (f"HTTP/1.1 {200 if found else 404} -\r\nContent-Type: text/html; charset=utf-8\r\n"
                f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\n\r\n")
        self.wfile.write(head.encode() + body)

    def log_message(self, *args):
        pass


class Client:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        encoding="utf-8")
        self.last_id = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "pages", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.last_id and "method" not in message:
                return message
        sys.exit("the server ended")

    def call(self, tool, **arguments):
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        text = result["content"][0]["text"]
        if result.get("isError"):
            raise RuntimeError(text)
        return text

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def snapshot_of(client, url):
    client.call("browser_tabs", action="new")
    client.call("browser_navigate", url=url)
    text = client.call("browser_snapshot")
    client.call("browser_tabs", action="close")
    found = re.search(r"```yaml\n(.*)\n```", text, re.S)
    return found.group(1) if found else text


def differences(expected, actual):
    lines = difflib.unified_diff(expected.split("\n"), actual.split("\n"), "expected", "actual", lineterm="", n=2)
    return "\n".join(lines)


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    split = sys.argv.index("--")
    record = "--record" in sys.argv[1:split]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program, *options = sys.argv[split + 1:]
    client = Client([str(pathlib.Path(program).absolute()) if pathlib.Path(program).exists() else program, *options])
    pages = sorted(PAGES.glob("*.html"))
    failed = 0
    for page in pages:
        actual = snapshot_of(client, f"http://127.0.0.1:{server.server_port}/{page.name}")
        expectation = page.with_suffix(".yml")
        if record:
            expectation.write_text(actual + "\n", "utf-8")
            continue
        difference = differences(expectation.read_text("utf-8").rstrip("\n"), actual)
        failed += bool(difference)
        print(f"{'FAIL' if difference else 'ok'} {page.stem}")
        if difference:
            print(difference)
    client.close()
    print(f"{len(pages) - failed} of {len(pages)} pages as expected")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
