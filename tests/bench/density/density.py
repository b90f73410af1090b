#!/usr/bin/env python3
"""Measures what a machine full of sessions costs: those that wait, and what they cost those that work. Prints Markdown tables.

usage: density.py [OPTION...] [NAME=]BROWSERD... [--parts PART...]

PART: waiting, beside, hundred, waking, sleep; all of these without --parts. thousand takes long, and runs where it is named. Several programs are
measured in turns, so that what else the machine does hits all of them. A program gets --rest-after and --max-memory where its --help has them, so
older ones can stand beside. --reference is the command of another server of the browser_* tools, such as

    --reference "node node_modules/@playwright/mcp/cli.js --headless --no-sandbox --isolated --executable-path /usr/bin/chromium-headless-shell"

Memory is the Pss of the server and all its processes, processor time that of all of them. "lost": sessions that did not answer.
"""
import argparse
import itertools
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
from support.client import RpcError
from support.http_client import HttpError
from support.measured import BUTTON, MIB, ROWS, SMALL, Node, header, pss, row, tree
from support.pages import Pages

TICKING = "<!doctype html><title>Ticking</title><p id=t></p><p id=f></p>" + BUTTON + """<script>
setInterval(() => t.textContent = new Date(), 100);
(function frame(now) { f.style.marginLeft = now % 100 + 'px'; requestAnimationFrame(frame); })(0);
</script>"""
CALLS = (("evaluate", {"function": "() => document.title"}), ("click", {"target": "#b"}), ("snapshot", {}))
NO_PING = {"PLAYWRIGHT_MCP_PING_TIMEOUT_MS": "3600000"}  # the reference ends clients that do not listen


class Program:
    """A server that can be measured: browserd of some version, or the reference."""

    def __init__(self, name, command, sessions):
        self.name, self.command = name, command
        self.help = "" if name == "reference" else subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
        if self.help:
            self.command = [*command, *self.known("--max-sessions", sessions), *self.known("--http-max-sessions", sessions + 10),
                            *self.known("--http-max-connections", 3 * sessions),
                            *self.known("--browser-linger", 600000)]

    def knows(self, option):
        return f"{option} " in self.help

    def known(self, option, value):
        return [option, str(value)] if value is not None and self.knows(option) else []

    def start(self, **options):
        """`options`: those that it is given if it knows them, with `_` for `-`."""
        more = [self.known("--" + name.replace("_", "-"), value) for name, value in options.items()]
        return Full(command=[*self.command, "--port", "0", *itertools.chain(*more)], env=NO_PING)


class Full(Node):
    """A server of which some sessions may fail: that is a result."""

    def memory(self):
        return pss(tree(self.server.process.pid)) / MIB

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Without the checks of the tests: the reference does not keep their rules."""
        self.server.process.terminate()
        self.server.process.wait()
        self.server.discard()


def timed(client, tool, arguments):
    """Milliseconds of a call, and the text of its answer."""
    begun = time.monotonic()
    result = client.request("tools/call", {"name": "browser_" + tool, "arguments": arguments})
    took = 1000 * (time.monotonic() - begun)
    text = "\n".join(item.get("text", "") for item in result["content"])
    assert not result.get("isError"), text
    return took, text


def median_of(client, times):
    """The median of each kind of call, in milliseconds, after one that is not counted."""
    for tool, arguments in CALLS:
        timed(client, tool, arguments)
    return [statistics.median(timed(client, tool, arguments)[0] for _ in range(times)) for tool, arguments in CALLS]


class Workers:
    """Clients that work, each with a pause between its calls, as an agent has it."""

    def __init__(self, clients, pause):
        self.ended, self.pause, self.times, self.failed = threading.Event(), pause, [], 0
        self.threads = [threading.Thread(target=self.work, args=(client,)) for client in clients]
        for thread in self.threads:
            thread.start()

    def work(self, client):
        for tool, arguments in itertools.cycle(CALLS):
            if self.ended.wait(self.pause):
                break
            try:
                self.times.append(timed(client, tool, arguments)[0])
            except (AssertionError, RpcError, HttpError, OSError):
                self.failed += 1

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()


def answers(client, title):
    try:
        return title in client.evaluate("() => document.title")
    except (AssertionError, RpcError, HttpError, OSError, IndexError):
        return False


class Density:
    def __init__(self, options):
        self.options, self.pages = options, Pages()
        sessions = 1000 if "thousand" in options.parts else 100
        named = [text.rpartition("=") for text in options.browserd]
        self.programs = [Program(name or path, [os.path.realpath(path)], sessions) for name, _, path in named]
        if options.reference:
            command = [*shlex.split(options.reference), "--host", "127.0.0.1", "--allowed-hosts", "*"]
            self.programs.append(Program("reference", command, sessions))
        self.urls = {"small": self.pages.route("/small", SMALL), "1,000 rows": self.pages.route("/rows", ROWS),
                     "ticking": self.pages.route("/ticking", TICKING)}

    def waiting(self):
        """All sessions wait: what that costs."""
        header("page", "sessions", "program", "MiB", "MiB a session more", "% of a core")
        for page, url in self.urls.items():
            first = {}
            for count, program in itertools.product(self.options.sessions, self.programs):
                with program.start(rest_after=self.options.rest_after) as node:
                    node.open(count, url)
                    time.sleep(self.options.wait)
                    before, begun = node.processor(), time.monotonic()
                    time.sleep(self.options.seconds)
                    busy = 100 * (node.processor() - before) / (time.monotonic() - begun)
                    size = node.memory()
                    fewest, its_size = first.setdefault(program.name, (count, size))
                    row(page, count, program.name, size, (size - its_size) / (count - fewest) if count > fewest else "", busy)

    def beside(self):
        """One session works, alone and beside those that wait."""
        count, times = max(self.options.sessions), self.options.times
        header("program", "call", "alone, p50 ms", f"beside {count} waiting, p50 ms", "ratio")
        for program in self.programs:
            with program.start(rest_after=self.options.rest_after) as node:
                node.open(1, self.urls["small"])
                worker = node.clients[0]
                before = median_of(worker, times)
                node.open(count, self.urls["ticking"])
                time.sleep(self.options.wait)
                among = median_of(worker, times)
                for client in node.clients[1:]:
                    client.delete()
                time.sleep(2)  # their processes end
                after = median_of(worker, times)
                for (tool, _), *alone, many in zip(CALLS, before, after, among):
                    row(program.name, tool, statistics.mean(alone), many, f"{many / statistics.mean(alone):.2f}")

    def full(self, count, working, limit):
        """`limit`: --max-memory of the programs that have it."""
        header("program", "sessions", "working", "MiB", "p50 ms of their calls", "failed calls", "lost")
        for program in self.programs:
            with program.start(rest_after=self.options.rest_after, max_memory=limit) as node:
                node.open(count, self.urls["small"])
                workers, sizes = Workers(node.clients[:working], 1), []
                time.sleep(self.options.wait)
                for _ in range(5):
                    sizes.append(node.memory())
                    time.sleep(1)
                workers.end()
                lost = sum(not answers(client, "Small") for client in node.clients)
                row(program.name, count, working, statistics.median(sizes), statistics.median(workers.times), workers.failed, lost)

    def hundred(self):
        self.full(100, 10, 700)

    def thousand(self):
        self.full(1000, 20, 3900)  # MiB without files of programs, which Pss counts, too: 4 GiB in all

    def waking(self):
        """The first call after the wait, and the same again, one session after the other."""
        count = max(self.options.sessions)
        header("program", "page", "first call after the wait, p50 ms", "p95", "the next, p50 ms", "more ms", "ratio")
        for page, program in itertools.product(("small", "ticking"), self.programs):
            with program.start(rest_after=self.options.rest_after) as node:
                node.open(count, self.urls[page])
                time.sleep(self.options.wait)
                pairs = [(timed(client, *CALLS[0])[0], timed(client, *CALLS[0])[0]) for client in node.clients]
                first, second = ([pair[i] for pair in pairs] for i in (0, 1))
                a, b = statistics.median(first), statistics.median(second)
                row(program.name, page, a, sorted(first)[len(first) * 95 // 100], b, a - b, f"{a / b:.2f}")

    def sleep(self):
        """More sessions than memory: the first call of those that sleep, against a navigation of theirs, and one of a new session."""
        count = max(self.options.sessions)
        header("program", "sessions", "came back", "first call, p50 ms", "navigation, p50 ms", "ratio", "of a new session, p50 ms", "ratio", "lost")
        for program in self.programs:
            if not program.knows("--max-memory"):
                print(f"{program.name} has no --max-memory", file=sys.stderr)
                continue
            with program.start(rest_after=self.options.rest_after, max_memory=self.options.max_memory) as node:
                node.open(count, self.urls["small"])
                back, loads, new, lost = [], [], [], 0
                for client in list(node.clients):
                    time.sleep(1)  # agents think, and clients do not come at once
                    try:
                        took, text = timed(client, *CALLS[0])
                        if "restored after sleep" in text:
                            back.append(took)
                            loads.append(timed(client, "navigate", {"url": self.urls["small"]})[0])
                            time.sleep(1)
                            other = node.server.client()
                            new.append(timed(other, "navigate", {"url": self.urls["small"]})[0])
                            other.delete()
                    except (AssertionError, RpcError, HttpError):
                        lost += 1
                figures = [statistics.median(times) if times else "" for times in (back, loads, new)]
                ratios = [f"{figures[0] / other:.2f}" if other else "" for other in figures[1:]]
                row(program.name, count, len(back), figures[0], figures[1], ratios[0], figures[2], ratios[1], lost)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("browserd", nargs="+", metavar="[NAME=]BROWSERD")
    parser.add_argument("--reference", metavar="COMMAND")
    parser.add_argument("--parts", nargs="+", default=["waiting", "beside", "hundred", "waking", "sleep"],
                        choices=["waiting", "beside", "hundred", "thousand", "waking", "sleep"])
    parser.add_argument("--sessions", nargs="+", type=int, default=[1, 10, 50], help="how many wait")
    parser.add_argument("--wait", type=float, default=8, help="seconds from the last call until it is measured: rest has begun then, or is deep")
    parser.add_argument("--seconds", type=float, default=10, help="for how long processor time is measured")
    parser.add_argument("--times", type=int, default=40, help="calls of each kind")
    parser.add_argument("--rest-after", help="seconds; without it the program's default")
    parser.add_argument("--max-memory", type=int, default=500, help="MiB, for the part sleep")
    options = parser.parse_args()
    density = Density(options)
    for part in options.parts:
        getattr(density, part)()
    density.pages.close()


if __name__ == "__main__":
    main()
