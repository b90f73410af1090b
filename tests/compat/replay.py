#!/usr/bin/env python3
"""Repeats recorded tool calls and compares the answers with those of @playwright/mcp 0.0.83: replay.py PROGRAM [FLOOR]

recording.json holds pages, calls and answers; $BASE stands for the page server, $TMP for the working folder. Compared
is what an agent reads, with refs: of boxes and images only that they are there, times in file names and on the clock are left out.
Calls of tools that the program does not have are skipped. Each call is printed as equal or different (with what differs
when VERBOSE is set). Fails when fewer than FLOOR answers are equal.
"""
import difflib
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

RECORDING = json.loads((pathlib.Path(__file__).parent / "recording.json").read_text(encoding="utf-8"))
CAPABILITIES = "network,pdf,storage,testing,vision"
IGNORED = (
    (re.compile(r"\[box=[\d,-]+\]"), "[box]"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z"), "TIME"),
    (re.compile(r"date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT"), "date: DATE"),
    (re.compile(r"duration:  \d+ms"), "duration:  Nms"),
    (re.compile(r"server: BaseHTTP/\S+ Python/\S+"), "server: SERVER"),
)


class PageHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def answer(self, status, body, content_type="text/html; charset=utf-8", location=None):
        content = body.encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path in RECORDING["pages"]:
            self.answer(200, "<!doctype html>" + RECORDING["pages"][path])
        elif path == "/api/items":
            self.answer(200, '{"items":[1,2]}', "application/json")
        elif path == "/file.txt":
            self.answer(200, "file body", "text/plain")
        elif path == "/redirect":
            self.answer(302, "", location="/form")
        else:
            self.answer(404, "nope")

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(201, '{"ok":true}', "application/json")

    def log_message(self, *_):
        pass


class Server:
    """The program under test, called one call at a time."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "--headless", "--isolated", "--no-sandbox", "--caps", CAPABILITIES], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "replay", "version": "1"}})
        self.tools = {tool["name"] for tool in self.request("tools/list", {})["result"]["tools"]}

    def request(self, method, params):
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            reply = json.loads(self.process.stdout.readline())
            if reply.get("id") == self.last_id:
                return reply

    def call(self, tool, arguments):
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        texts = [item.get("text", f"<image {item.get('mimeType')}>") for item in result["content"]]
        return texts, bool(result.get("isError"))

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


class Replay:
    def __init__(self, server, base, folder):
        self.server = server
        self.places = (("$BASE", base), ("$TMP", folder))

    def here(self, value):
        text = json.dumps(value)
        for name, place in self.places:
            text = text.replace(name, place)
        return json.loads(text)

    def plain(self, texts):
        text = "\n".join(texts)
        for name, place in self.places:
            text = text.replace(place, name)
        for pattern, word in IGNORED:
            text = pattern.sub(word, text)
        return text

    def compare(self, call):
        """None when the answers are equal, else their difference."""
        texts, is_error = self.server.call(call["tool"], self.here(call["arguments"]))
        theirs, ours = self.plain(call["answer"]), self.plain(texts)
        if theirs == ours and is_error == call["isError"]:
            return None
        return "\n".join(difflib.unified_diff(theirs.split("\n"), ours.split("\n"), "recorded", "now", lineterm=""))


def run(program):
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PageHandler)
    web.daemon_threads = True
    threading.Thread(target=web.serve_forever, daemon=True).start()
    equal = different = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        pathlib.Path(folder, "up.txt").write_text("payload", encoding="utf-8")
        server = Server(program, folder)
        replay = Replay(server, f"http://127.0.0.1:{web.server_port}", folder)
        for number, call in enumerate(RECORDING["calls"]):
            if call["tool"] not in server.tools:
                skipped += 1
                continue
            difference = replay.compare(call)
            equal += difference is None
            different += difference is not None
            print(f"{number:3} {call['step']:10} {call['tool']:24} {'different' if difference else 'equal'}")
            if difference and os.environ.get("VERBOSE"):
                print(json.dumps(call["arguments"]), difference, sep="\n")
        server.end()
    web.shutdown()
    print(f"{equal} equal, {different} different, {skipped} of tools that are not there")
    return equal


def main():
    program, floor = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    equal = run(program)
    if equal < floor:
        sys.exit(f"at least {floor} answers should be equal")


if __name__ == "__main__":
    main()
