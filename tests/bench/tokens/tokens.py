#!/usr/bin/env python3
"""What answers cost an agent: twelve tasks (tasks.py), done by scripts through several servers, with the tokens of all answers.

usage: tokens.py BROWSERD [--tasks WORD,...] [--kinds KIND,...] [--show]

Kinds: `reference` and `reference find` are @playwright/mcp 0.0.83 where PLAYWRIGHT_REFERENCE is the path of its program, the latter with
browser_find wherever it helps; `playwright` and `compact` are browserd with --answers. Tokens are those of o200k_base where the folder MCP_SDK has
gpt-tokenizer of npm, and a quarter of the bytes otherwise. "re-read" counts each answer again at every later call of its task, as a model reads it.
--show prints the calls and answers.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from agents import CompactAgent, Failed, FindAgent, SnapshotAgent  # noqa: E402
from fixtures import ACTIONS, PAGES  # noqa: E402
from site_server import Site  # noqa: E402
from tasks import TASKS, UPLOADED  # noqa: E402

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""
COUNTER = """
import { createRequire } from 'node:module';
import readline from 'node:readline';
const { encode } = createRequire(process.argv[1] + '/')('gpt-tokenizer/encoding/o200k_base');
for await (const line of readline.createInterface({ input: process.stdin }))
    console.log(encode(JSON.parse(line), { disallowedSpecial: new Set() }).length);
"""


class Counter:
    """Tokens of a text."""

    def __init__(self):
        modules = pathlib.Path(os.environ.get("MCP_SDK", ""), "node_modules")
        self.process = None
        if (modules / "gpt-tokenizer").is_dir() and shutil.which("node"):
            self.process = subprocess.Popen(["node", "--input-type=module", "--eval", COUNTER, str(modules)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True, encoding="utf-8")

    def count(self, text):
        if not self.process:
            return (len(text.encode()) + 3) // 4
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


class ToolFailed(Failed):
    pass


class McpServer:
    """A server over stdio, and what its answers cost."""

    def __init__(self, command, folder, counter):
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        encoding="utf-8")
        self.counter, self.last_id, self.log = counter, 0, []
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tokens", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = self.request("tools/list", {})["tools"]
        self.tools = {tool["name"] for tool in tools}
        self.list_tokens = counter.count(json.dumps(tools, ensure_ascii=False, separators=(",", ":")))

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.last_id and "method" not in message:
                return message["result"]
        sys.exit("the server ended")

    def call(self, tool, **arguments):
        start = time.monotonic()
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(item.get("text", "") for item in result["content"])
        self.log.append((tool, arguments, text, self.counter.count(text), time.monotonic() - start))
        if result.get("isError"):
            raise ToolFailed(f"{tool}: {text}")
        return text

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Visit:
    """The site as a run of a task has it."""

    def __init__(self, site, run, folder):
        self.site, self.run, self.folder = site, run, folder
        self.state, self.port = site.state(run), site.server.server_port

    def url(self, path):
        return self.site.url(path, self.run)


class Cost:
    """Of a run of a task."""

    def __init__(self, log, solved, why):
        self.solved, self.why, self.log = solved, why, list(log)
        self.calls, self.tokens = len(log), sum(entry[3] for entry in log)
        self.reread = sum(entry[3] * (len(log) - at) for at, entry in enumerate(log))
        self.time = sum(entry[4] for entry in log)


def run_task(server, agent_class, site, name, run, folder):
    server.log = []
    visit, why = Visit(site, run, folder), ""
    try:
        solved = TASKS[name](agent_class(server), visit)
        why = "" if solved else f"the server has {visit.state.done}"
    except Failed as error:
        solved, why = False, str(error)
    cost = Cost(server.log, solved, why)
    try:
        server.call("browser_close")
    except ToolFailed:
        pass
    return cost


def kinds_of(browserd):
    """Command and agent, by the name of the kind."""
    reference = os.environ.get("PLAYWRIGHT_REFERENCE")
    kinds = {}
    if reference:
        command = [reference, "--headless", "--no-sandbox", "--isolated", "--executable-path", CHROMIUM]
        kinds = {"reference": (command, SnapshotAgent), "reference find": (command, FindAgent)}
    else:
        print("SKIP the reference: PLAYWRIGHT_REFERENCE is not set")
    return {**kinds, "playwright": ([browserd, "--answers", "playwright"], SnapshotAgent),
            "compact": ([browserd, "--answers", "compact"], CompactAgent)}


def run_kind(name, command, agent_class, tasks, site, counter):
    costs = {}
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "figures.txt").write_text(UPLOADED, encoding="utf-8")
        server = McpServer(command, folder, counter)
        for task in tasks:
            costs[task] = run_task(server, agent_class, site, task, f"{name}-{task}".replace(" ", "-").replace(",", ""), pathlib.Path(folder))
        server.close()
    return costs, server.list_tokens


def print_totals(results):
    print("| | tasks | calls | tokens of answers | without shop and table | re-read over all calls | time | tools/list |\n|---|---|---|---|---|---|---|---|")
    for name, (costs, list_tokens) in results.items():
        few = [cost.tokens for task, cost in costs.items() if not task.startswith(("shop", "table"))]
        print(f"| {name} | {sum(cost.solved for cost in costs.values())} | {sum(cost.calls for cost in costs.values())} | {sum(cost.tokens for cost in costs.values()):,} | "
              f"{sum(few):,} | {sum(cost.reread for cost in costs.values()):,} | {sum(cost.time for cost in costs.values()):.1f} s | {list_tokens:,} |")


def print_tasks(results, tasks):
    print("\n| tokens (calls) | " + " | ".join(results) + " |\n|---" + "|---" * len(results) + "|")
    for task in tasks:
        cells = [f"{costs[task].tokens:,} ({costs[task].calls}){'' if costs[task].solved else ' FAILED'}" for costs, _ in results.values()]
        print(f"| {task} | " + " | ".join(cells) + " |")


def print_ratios(results, tasks):
    """Of the short form to the better way with the reference."""
    theirs = [costs for name, (costs, _) in results.items() if name.startswith("reference")]
    if not theirs or "compact" not in results:
        return
    ours = results["compact"][0]
    ratios = {task: ours[task].tokens / best for task in tasks if (best := min((costs[task].tokens for costs in theirs if costs[task].solved), default=0))}
    if ratios:
        worst = max(ratios, key=ratios.get)
        print(f"\ncompact to the better way of the reference: median {statistics.median(ratios.values()):.2f}, largest {ratios[worst]:.2f} ({worst})")


def print_log(results, task):
    for name, (costs, _) in results.items():
        for tool, arguments, text, tokens, took in costs[task].log:
            print(f"--- {name}: {tool} {json.dumps(arguments, ensure_ascii=False)}: {tokens} tokens, {took * 1000:.0f} ms\n{text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("browserd", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--tasks", default=",".join(task.replace(",", "") for task in TASKS))
    parser.add_argument("--kinds")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    tasks = [task for task in TASKS if any(word in task.replace(",", "") for word in options.tasks.split(","))]
    kinds = {name: kind for name, kind in kinds_of(options.browserd).items() if not options.kinds or name in options.kinds.split(",")}
    site, counter = Site(PAGES, ACTIONS), Counter()
    print(f"tokens: {'o200k_base' if counter.process else 'a quarter of the bytes, as MCP_SDK names no folder with gpt-tokenizer'}")
    results = {name: run_kind(name, command, agent, tasks, site, counter) for name, (command, agent) in kinds.items()}
    if options.show:
        for task in tasks:
            print_log(results, task)
    print_totals(results)
    print_tasks(results, tasks)
    print_ratios(results, tasks)
    failed = [(name, task, cost.why) for name, (costs, _) in results.items() for task, cost in costs.items() if not cost.solved]
    for name, task, why in failed:
        print(f"{name}: {task}: {why[:500]}")
    sys.exit(len(failed) > 0)


if __name__ == "__main__":
    main()
