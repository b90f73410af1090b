#!/usr/bin/env python3
"""Repeats recorded tool calls and compares the answers with those of @playwright/mcp: replay.py PROGRAM [VERSION [FLOOR]]

recorded.py has the pages, calls and answers; $BASE stands for the page server, $TMP for the working folder. Compared is what an agent
reads, with refs: of boxes and images only that they are there. Times in file names and on the clock, and the version of the browser, are
left out. Each call is printed as equal or different (with what differs when VERBOSE is set). Fails when fewer than FLOOR answers are equal.
"""
import contextlib
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

import recorded

CAPABILITIES = "config,devtools,network,pdf,storage,testing,vision"
IGNORED = (
    (re.compile(r"\[box=[\d,-]+\]"), "[box]"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z"), "TIME"),
    (re.compile(r"trace-\d{13}"), "trace-TIME"),
    (re.compile(r"date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT"), "date: DATE"),
    (re.compile(r"duration:  \d+ms"), "duration:  Nms"),
    (re.compile(r"HeadlessChrome/[\d.]+"), "HeadlessChrome/VERSION"),
    (re.compile(r"server: BaseHTTP/\S+ Python/\S+"), "server: SERVER"),
)


ATTEMPTS = re.compile(r"\d+ × ")


class PageHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    pages = recorded.pages()

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
        if path in self.pages:
            self.answer(200, "<!doctype html>" + self.pages[path])
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
    """A server, called one call at a time."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen([*command, "--headless", "--isolated", "--no-sandbox", "--caps", CAPABILITIES], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "replay", "version": "1"}})
        self.process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')

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

    def anywhere(self, text):
        """The text with names for the places of this run."""
        for name, place in self.places:
            text = text.replace(place, name)
        return text

    def plain(self, texts):
        """The text to compare: without what differs in every run."""
        text = self.anywhere("\n".join(texts))
        for pattern, word in IGNORED:
            text = pattern.sub(word, text)
        return text

    def call(self, call):
        """The call with its answer of now."""
        texts, is_error = self.server.call(call["tool"], self.here(call["arguments"]))
        return {**call, "answer": [self.anywhere(text) for text in texts], "isError": is_error}

    def difference(self, theirs, ours):
        """Between the answers to two runs of a call; None: they are equal."""
        before, now = self.plain(theirs["answer"]), self.plain(ours["answer"])
        if before == now and theirs["isError"] == ours["isError"]:
            return None
        return "\n".join(difflib.unified_diff(before.split("\n"), now.split("\n"), "recorded", "now", lineterm="", n=1))

    def repeat(self, call):
        """
        The difference of the answer of now, None when it is equal. A call that timed out has counted its attempts, of which a
        busy machine makes one less: it has changed nothing, and may try again.
        """
        for _ in range(5 if call["isError"] and ATTEMPTS.search(self.plain(call["answer"])) else 1):
            difference = self.difference(call, self.call(call))
            if difference is None:
                break
        return difference


@contextlib.contextmanager
def replay_on(command):
    """A Replay on a server of its own, which serves the pages."""
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PageHandler)
    web.daemon_threads = True
    threading.Thread(target=web.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        pathlib.Path(folder, "up.txt").write_text("payload", encoding="utf-8")
        server = Server(command, folder)
        yield Replay(server, f"http://127.0.0.1:{web.server_port}", folder)
        server.end()
    web.shutdown()
    web.server_close()


def run(command, version):
    equal = 0
    calls = recorded.calls(version)
    with replay_on([*command, "--compat", version]) as replay:
        for number, call in enumerate(calls):
            difference = replay.repeat(call)
            equal += difference is None
            print(f"{number:3} {call['step']:10} {call['tool']:27} {'equal' if difference is None else 'different'}")
            if difference is not None and os.environ.get("VERBOSE"):
                print(json.dumps(call["arguments"]), difference, sep="\n")
    print(f"{equal} of {len(calls)} answers are equal")
    return equal


def main():
    version = sys.argv[2] if len(sys.argv) > 2 else recorded.VERSIONS[-1]
    floor = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    if run([os.path.abspath(sys.argv[1])], version) < floor:
        sys.exit(f"at least {floor} answers should be equal")


if __name__ == "__main__":
    main()
