#!/usr/bin/env python3
"""
Compares a version of @playwright/mcp with what was recorded and with this program: its tools, options, config keys and answers.

usage: update.py [--write VERSION] REFERENCE PLAYWRIGHT_MCP

REFERENCE: a version on npm (0.0.85), which is installed in a temporary folder; or a folder with node_modules; or a command
("node .../cli.js mcp"). PLAYWRIGHT_MCP: this program under that name. Chromium is what the program itself would start.

--write VERSION writes tools-VERSION.json and recording-VERSION.json: what differs from the version before it in
recorded.VERSIONS, to whose list VERSION was added at the end. Calls for new tools and arguments are written by hand into "added"
of recording-VERSION.json, without "answer" and "isError", which this fills in. The calls are made twice: an answer that
differs from the recorded one in one of the runs only is reported and not written. Numbers of attempts in call logs depend on
how busy the machine is: repeat a recording in which they have changed. The reference sometimes answers "is interrupted by another
navigation" to the call after a navigation that failed, when the calls follow each other at once: leave such an answer out.
"""
import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import recorded
import replay
import tools

PACKAGES = ("@playwright/mcp/cli.js", "playwright-core/cli.js mcp")  # in this order: the former depends on the latter
BROWSERS = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome")


def command_in(folder):
    for package in PACKAGES:
        path, *arguments = package.split()
        if (folder / "node_modules" / path).is_file():
            return ["node", str(folder / "node_modules" / path), *arguments]
    return sys.exit(f"{folder}/node_modules has none of {PACKAGES}")


@contextlib.contextmanager
def reference_command(text):
    if re.fullmatch(r"\d+(\.\d+)+\S*", text):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, f"@playwright/mcp@{text}"], check=True)
            yield command_in(pathlib.Path(folder))
    else:
        yield command_in(pathlib.Path(text)) if pathlib.Path(text).is_dir() else shlex.split(text)


def with_browser(command):
    return [*command, "--executable-path", next(filter(None, map(shutil.which, BROWSERS)))]


# ---- what a server offers ----

def listed_tools(command):
    """As recorded.tools(): each with the capability that it needs."""
    always = {tool["name"] for tool in tools.ask(command)[1]}
    capability_of = {}
    for capability in tools.CAPABILITIES:
        capability_of |= {tool["name"]: capability for tool in tools.ask(command, capability)[1] if tool["name"] not in always}
    rows = []
    for tool in tools.ask(command, *tools.CAPABILITIES)[1]:
        name = tool["name"]
        rows.append({"name": name, **({"capability": capability_of[name]} if name in capability_of else {}), **tools.plain(tool)})
    return rows


def options(command):
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^\s+(?:-\w, )?(--[\w-]+)", shown, re.M))


def config_keys(command):
    """The keys of the merged configuration, as browser_get_config answers it."""
    with replay.replay_on(command) as run:
        text = "\n".join(run.server.call("browser_get_config", {})[0])
    found = re.search(r"^\{.*^\}", text, re.M | re.S)
    return set(paths_of(json.loads(found[0]))) if found else set()


def paths_of(value, above=""):
    for key, part in value.items():
        yield above + key
        if isinstance(part, dict):
            yield from paths_of(part, f"{above}{key}.")


def record(command, calls):
    with replay.replay_on(command) as run:
        return [run.call(call) for call in calls]


# ---- differences ----

def title(text):
    print(f"\n## {text}\n")


def compare_sets(what, before, now, has_more=False):
    """`has_more`: additions are not listed."""
    for name in sorted(now - before) if not has_more else ():
        print(f"+ {what} {name}")
    for name in sorted(before - now):
        print(f"- {what} {name}")


def compare_tools(before, now):
    old, new = ({tool["name"]: tool for tool in listed} for listed in (before, now))
    compare_sets("tool", set(old), set(new))
    for name in new:
        if name in old and old[name] != new[name]:
            print(f"~ tool {name}\n  was {json.dumps(old[name])}\n  now {json.dumps(new[name])}")
    if [name for name in old if name in new] != [name for name in new if name in old]:
        print("~ the order of the tools")


def compare_answers(before, now):
    """Prints what differs, by tool. Returns the numbers of the calls."""
    comparison = replay.Replay(None, "$BASE", "$TMP")
    by_tool = collections.defaultdict(list)
    for number, (old, new) in enumerate(zip(before, now)):
        difference = comparison.difference(old, new)
        if difference is not None:
            by_tool[new["tool"]].append((number, difference, new))
    for tool, found in sorted(by_tool.items()):
        print(f"### {tool}: {len(found)}")
        for number, difference, call in found:
            print(f"call {number} {json.dumps(call['arguments'])}\n{difference}\n")
    total = sum(map(len, by_tool.values()))
    print(f"{len(now) - total} of {len(now)} answers are equal")
    return {number for found in by_tool.values() for number, _, _ in found}


def merged(calls, runs):
    """The calls with the answers that differ from the recorded ones in all runs."""
    comparison = replay.Replay(None, "$BASE", "$TMP")
    for number, call in enumerate(calls):
        answers = [run[number] for run in runs]
        if "answer" in call and not all(comparison.difference(call, answer) is not None for answer in answers):
            if any(comparison.difference(call, answer) is not None for answer in answers):
                print(f"call {number} {call['tool']} differs in one run only: it is left as it was")
            yield call
        else:
            yield answers[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="VERSION", choices=recorded.VERSIONS[1:])
    parser.add_argument("reference")
    parser.add_argument("program")
    given = parser.parse_args()
    base = recorded.VERSIONS[recorded.VERSIONS.index(given.write) - 1] if given.write else recorded.VERSIONS[-1]
    with reference_command(given.reference) as command:
        reference = with_browser(command)
        ours = [os.path.abspath(given.program), "--compat", given.write or base]
        old_tools, new_tools, our_tools = recorded.tools(base), listed_tools(reference), listed_tools(ours)
        title(f"Tools, {base} and the reference")
        compare_tools(old_tools, new_tools)
        title("Tools, the reference and this program")
        compare_tools(new_tools, our_tools)
        title("Options that --help of this program does not have; config keys of the reference (-) and this program (+)")
        compare_sets("option", options(reference), options(ours), has_more=True)
        compare_sets("config key", config_keys(reference), config_keys(ours))
        old_calls = recorded.calls(base)
        to_make = old_calls + (recorded.read(f"recording-{given.write}.json")["added"] if given.write else [])
        to_make[len(old_calls):] = [{key: call[key] for key in ("step", "tool", "arguments")} for call in to_make[len(old_calls):]]
        title(f"Answers, {base} and the reference")
        answered = record(reference, to_make)
        compare_answers(old_calls, answered[:len(old_calls)])
        title("Answers, the reference and this program")
        compare_answers(answered, record(ours, to_make))
        if given.write:
            new_calls = list(merged(to_make, (answered, record(reference, to_make))))
            recorded.write(given.write, old_calls, new_calls, old_tools, new_tools)


if __name__ == "__main__":
    main()
