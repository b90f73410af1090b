#!/usr/bin/env python3
"""Measures what docs/scaling.md computes from: what a node, a session, a call and a live view cost.

usage: sizes.py [--quick] BROWSERD [PART...]

PART: memory, idle, work, latency, network, connections, store, view; all without one. Processor time is that of the server and all its processes and does
not depend on what else runs there; latencies do. Where MCP_SDK names a folder with monaco-editor in its node_modules, an editor stands for
the page of an application.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
from support.devtools import DevTools
from support.http_client import HttpServer
from support.measured import BUTTON, MIB, ROWS, SMALL, Node, header, pss, row, tree
from support.pages import Pages, Response

MODULES = pathlib.Path(os.environ.get("MCP_SDK", "")) / "node_modules"
EDITOR = """<!doctype html><meta charset=utf-8><title>Editor</title><div id=editor style="height: 600px"></div>""" + BUTTON + """
<script src=/monaco/vs/loader.js></script><script>
require.config({ paths: { vs: '/monaco/vs' } });
require(['vs/editor/editor.main'], () => monaco.editor.create(document.querySelector('#editor'), { language: 'javascript',
	value: Array.from({ length: 2000 }, (_, i) => `const value${i} = compute(${i}, "text");`).join('\\n') }));
</script>"""
TICKING = "<!doctype html><title>Ticking</title><p id=t></p>" + BUTTON + "<script>setInterval(() => t.textContent = new Date(), 1000)</script>"
TYPES = {".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf"}


def monaco(request):
    path = MODULES / "monaco-editor/min" / request.path.removeprefix("/monaco/")
    return Response(path.read_bytes(), content_type=TYPES.get(path.suffix, "application/octet-stream"))


class Sizes:
    def __init__(self, quick):
        self.quick, self.pages = quick, Pages()
        self.urls = {"small": self.pages.route("/small", SMALL), "1,000 rows": self.pages.route("/rows", ROWS),
                     "one change a second": self.pages.route("/ticking", TICKING)}
        if (MODULES / "monaco-editor").is_dir():
            self.pages.route_folder("/monaco/", monaco)
            self.urls["editor (Monaco)"] = self.pages.route("/editor", EDITOR)
        else:
            print("MCP_SDK names no folder with monaco-editor: no page of an application is measured", file=sys.stderr)

    def memory(self):
        header("what", "MiB", "Pss, with files, MiB", "MiB a session", "sessions a GiB")
        node = Node()
        row("server alone", *(size / MIB for size in node.memory()), "", "")
        node.open(1, "about:blank")
        node.close_sessions()
        time.sleep(2)
        empty, with_files = node.memory()
        row("with a browser without sessions", empty / MIB, with_files / MIB, "", "")
        node.close()
        for name, url in self.urls.items():
            count = (5 if self.quick else 10) if "Monaco" in name else 10 if self.quick else 50
            node = Node()
            node.open(count, url)
            time.sleep(5)
            size, with_files = node.memory()
            each = (size - empty) / count / MIB
            row(f"{count} sessions, {name}", size / MIB, with_files / MIB, each, f"{1024 / each:.0f}")
            node.close()

    def idle(self):
        seconds = 10 if self.quick else 30
        header("waiting sessions", "% of a core, all", "% of a core, each")
        for name, url in [("none", None), ("none, with a browser", "about:blank"), *self.urls.items()]:
            count = 0 if name.startswith("none") else (5 if self.quick else 10) if "Monaco" in name else 10 if self.quick else 50
            node = Node()
            if url:
                node.open(max(count, 1), url)
            if not count:
                node.close_sessions()
            time.sleep(5)
            before = node.processor()
            time.sleep(seconds)
            busy = 100 * (node.processor() - before) / seconds
            row(f"{count}, {name}", busy, busy / count if count else "")
            node.close()

    @staticmethod
    def calls(url):
        return ("navigate", {"url": url}), ("snapshot", {}), ("click", {"target": "#b"})

    def turn(self, client, url, times):
        for tool, arguments in self.calls(url):
            begun = time.monotonic()
            result = client.request("tools/call", {"name": "browser_" + tool, "arguments": arguments})
            times.append((tool, time.monotonic() - begun, bool(result.get("isError"))))

    def work(self):
        header("page", "navigate, processor ms", "snapshot", "click", "calls of all three a second and core", "of it browserd, ms a call")
        for name, url in self.urls.items():
            node, each = Node(), []
            node.open(1, url)
            self.turn(node.clients[0], url, [])
            own, times = tree(node.server.process.pid)[node.server.process.pid], 10 if self.quick else 30
            for tool, arguments in self.calls(url):
                before = node.processor()
                for _ in range(times):
                    node.clients[0].call("browser_" + tool, **arguments)
                each.append(1000 * (node.processor() - before) / times)
            own = tree(node.server.process.pid)[node.server.process.pid] - own
            row(name, *each, 3000 / sum(each), 1000 * own / times / 3)
            node.close()

    def latency(self):
        header("sessions", "pause", "calls a second", "cores", "p50 ms", "p95 ms", "of navigate, p50", "of snapshot, p50", "of click, p50", "failed")
        for pause in (0, 3):
            for count in (1, 10) if self.quick else (1, 10, 50):
                self.latency_of(count, pause)

    def latency_of(self, count, pause):
        node, url, seconds = Node(), self.urls["small"], 10 if self.quick else 15
        node.open(count, url)
        end, times = time.monotonic() + seconds, []

        def client_works(index):
            own = []
            time.sleep(pause * index / count)
            while time.monotonic() < end:
                self.turn(node.clients[index], url, own)
                time.sleep(pause * 3)  # for three calls
            times.extend(own)
        before = node.processor()
        threads = [threading.Thread(target=client_works, args=(i,)) for i in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        used = node.processor() - before
        took = sorted(duration for _, duration, _ in times)
        row(count, f"{pause} s a call", len(took) / seconds, used / seconds, 1000 * statistics.median(took), 1000 * took[len(took) * 95 // 100],
            *(1000 * statistics.median(duration for name, duration, _ in times if name == tool) for tool in ("navigate", "snapshot", "click")),
            sum(failed for _, _, failed in times))
        node.close()

    def network(self):
        header("call", "bytes of the request", "bytes of the answer", "of it text")
        node = Node()
        node.open(1, self.urls["small"])
        client = node.clients[0]
        for name, tool, arguments in (("navigate, small", "navigate", {"url": self.urls["small"]}),
                                      ("navigate, 1,000 rows", "navigate", {"url": self.urls["1,000 rows"]}),
                                      ("snapshot, 1,000 rows", "snapshot", {}), ("click, 1,000 rows", "click", {"target": "#b"}),
                                      ("screenshot, 1,000 rows", "take_screenshot", {})):
            row(name, *self.bytes_of(client, "browser_" + tool, arguments))
        node.close()

    @staticmethod
    def bytes_of(client, tool, arguments):
        message = client.message("tools/call", {"name": tool, "arguments": arguments})
        body = json.dumps(message).encode()
        head = "".join(f"{name}: {value}\r\n" for name, value in {**client.headers(message), "Host": "localhost", "Connection": "close",
                                                                  "Content-Length": len(body)}.items())
        request = f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body
        answer = client.server.raw(request)
        texts = re.findall(rb'"text":"((?:[^"\\]|\\.)*)"', answer)
        return len(request), len(answer), sum(map(len, texts))

    def connections(self):
        """MCP sessions with an open stream each, and nothing else."""
        header("what", "KiB a client")
        server = HttpServer()
        server.client().open_stream()  # what is allocated once
        before, count = pss([server.process.pid]), 500
        streams = [server.client().open_stream() for _ in range(count)]
        row(f"{count} clients with an open stream", (pss([server.process.pid]) - before) / count / 1024)
        for stream in streams:
            stream.close()
        server.close()
        server.discard()

    def store(self):
        """What Redis takes for a session's state of 4 KiB, and for one of 64 KiB."""
        if not shutil.which("redis-server"):
            return
        folder = tempfile.mkdtemp(prefix="browserd-sizes-")
        server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", folder + "/s", "--dir", folder, "--save", ""],
                                  stdout=subprocess.DEVNULL)
        while not os.path.exists(folder + "/s"):
            time.sleep(0.01)

        def ask(*words):
            return subprocess.run(["redis-cli", "-s", folder + "/s", *words], capture_output=True, text=True, check=True).stdout
        header("state of a session", "KiB in Redis")
        for size in (4, 64):
            ask("SET", f"browserd:{size}", "x" * (size << 10), "EX", "3600")
            row(f"{size} KiB", int(ask("MEMORY", "USAGE", f"browserd:{size}")) / 1024)
        server.terminate()
        server.wait()

    def view(self):
        """By bare CDP: the server has no live view."""
        header("page, 1280 x 720, JPEG of quality 60", "frames a second", "KiB a frame", "Mbit/s", "% of a core", "the same unwatched")
        folder = tempfile.mkdtemp(prefix="browserd-sizes-")
        browser = subprocess.Popen(["chromium-headless-shell", "--no-sandbox", "--remote-debugging-port=0", "--window-size=1280,720",
                                    f"--user-data-dir={folder}", "about:blank"], stderr=subprocess.DEVNULL)
        while not list(pathlib.Path(folder).glob("DevToolsActivePort")):
            time.sleep(0.1)
        time.sleep(1)  # it is written
        devtools = DevTools(folder)
        page = devtools.attach("about:blank")
        devtools.call("Page.enable", page)
        pieces = {"a page that rests": (SMALL, "0"), "1,000 rows, scrolled by 100 pixels each second":
                  (ROWS, "setInterval(() => scrollBy(0, 100), 1000)"),
                  "1,000 rows, 5 keys a second": ("<textarea rows=9 cols=80 id=a></textarea>" + ROWS, "setInterval(() => a.value += 'x ', 200)"),
                  "1,000 rows, another page each second":
                  (ROWS, "let i = 0; setInterval(() => { document.body.style.background = ++i % 2 ? '#eef' : '#fff'; scrollTo(0, i * 500 % 9000) }, 1000)"),
                  "1,000 rows, scrolled without a pause":
                  (ROWS, "(function go() { scrollBy(0, 9); if (scrollY > 9000) scrollTo(0, 0); requestAnimationFrame(go) })()")}
        for name, (html, script) in pieces.items():
            url = self.pages.route(self.pages.unique(), html)
            devtools.call("Page.navigate", page, url=url)
            time.sleep(2)
            devtools.call("Runtime.evaluate", page, expression=script)
            seconds = 5 if self.quick else 15
            used = [sum(tree(browser.pid).values())]
            time.sleep(seconds)
            used.append(sum(tree(browser.pid).values()))
            figures = self.frames(devtools, page, seconds)
            used.append(sum(tree(browser.pid).values()))
            row(name, *figures, *(100 * (b - a) / seconds for a, b in ((used[1], used[2]), (used[0], used[1]))))
        devtools.close()
        browser.terminate()
        browser.wait()

    @staticmethod
    def frames(devtools, page, seconds, rate=15):
        """At most `rate` frames a second: the next one comes when one has been acknowledged."""
        sizes, end = [], time.monotonic() + seconds
        devtools.call("Page.startScreencast", page, format="jpeg", quality=60, maxWidth=1280, maxHeight=720)
        timer = threading.Timer(seconds, lambda: devtools.post("Browser.getVersion"))  # so that a page that rests does not hold us up
        timer.start()
        while time.monotonic() < end:
            event = devtools._receive()
            if event.get("method") == "Page.screencastFrame":
                sizes.append(len(event["params"]["data"]) * 3 // 4)
                time.sleep(1 / rate)
                devtools.post("Page.screencastFrameAck", page, sessionId=event["params"]["sessionId"])
        timer.join()
        devtools.call("Page.stopScreencast", page)
        mean = sum(sizes) / len(sizes) if sizes else 0.0
        return len(sizes) / seconds, mean / 1024, sum(sizes) * 8 / seconds / 1e6


def main():
    parts = ["memory", "idle", "work", "latency", "network", "connections", "store", "view"]
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("browserd")
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    os.environ["BROWSERD"] = os.path.realpath(options.browserd)
    sizes = Sizes(options.quick)
    for part in options.parts or parts:
        getattr(sizes, part)()
    sizes.pages.close()


if __name__ == "__main__":
    main()
