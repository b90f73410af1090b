#!/usr/bin/env python3
"""What tools/list says under both names: tools.py PLAYWRIGHT_MCP BROWSERD

tools.json is the list of @playwright/mcp 0.0.83 without its descriptions, each tool with the capability that lists it. As
playwright-mcp the program must give just that list, in that order, for every combination of capabilities; as browserd the
same tools with a sessionId each, in few bytes.
"""
import itertools
import json
import os
import pathlib
import subprocess
import sys

RECORDED = json.loads((pathlib.Path(__file__).parent / "tools.json").read_text(encoding="utf-8"))
CAPABILITIES = sorted({tool["capability"] for tool in RECORDED if "capability" in tool})
ADDITIONS = {"browser_drag": ("startPosition", "endPosition", "steps")}  # arguments that browserd has on top of the recorded ones
LONGEST = 18000  # bytes of browserd's whole answer
VERSION = "2025-11-25"


def recorded_with(capabilities):
    """The tools that the reference lists with these capabilities, by name in its order."""
    return {tool["name"]: {key: value for key, value in tool.items() if key != "capability"} for tool in RECORDED
            if tool.get("capability") in {None, *capabilities}}


def ask(program, *capabilities):
    """Results of initialize and tools/list, and the bytes of the latter."""
    requests = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "tools", "version": "1"}}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([program, *(["--caps", ",".join(capabilities)] if capabilities else [])], input=lines, capture_output=True, text=True, timeout=60, check=True)
    first, second = done.stdout.splitlines()
    return json.loads(first)["result"], json.loads(second)["result"]["tools"], len(second.encode())


def plain(value, is_name=False):
    """Without descriptions, of which ours are our own. Names of properties stay, whatever they are."""
    if isinstance(value, dict):
        return {key: plain(part, key == "properties") for key, part in value.items() if is_name or key != "description"}
    return [plain(part) for part in value] if isinstance(value, list) else value


def check(true, message):
    if not true:
        sys.exit(message)


def check_drop_in(program, *capabilities):
    server, tools, _ = ask(program, *capabilities)
    check(server["capabilities"] == {"tools": {"listChanged": True}}, f"capabilities are {server['capabilities']}")
    check("instructions" not in server, "the reference gives no instructions")
    recorded = recorded_with(capabilities)
    names = [tool["name"] for tool in tools]
    check(names == list(recorded), f"with {capabilities} these are listed: {names}")
    for tool in tools:
        check(tool["description"], f"{tool['name']} is not described")
        check(plain(tool) == recorded[tool["name"]],
              f"{tool['name']} differs\nrecorded {json.dumps(recorded[tool['name']])}\nnow      {json.dumps(plain(tool))}")


def check_own(program):
    _, tools, size = ask(program)
    recorded = recorded_with(())
    listed = {tool["name"]: tool for tool in tools}
    check(set(recorded) <= set(listed), f"not listed: {set(recorded) - set(listed)}")
    check("create_session" in listed, "there are no session tools")
    for name in recorded:
        properties = plain(listed[name]["inputSchema"]["properties"], True)
        check(properties.pop("sessionId", None) == {"type": "string"}, f"{name} takes no sessionId")
        for addition in ADDITIONS.get(name, ()):
            check(properties.pop(addition, None), f"{name} does not take {addition}")
        check(properties == recorded[name]["inputSchema"]["properties"], f"{name} takes other arguments: {properties}")
        for hint, value in listed[name].get("annotations", {}).items():
            check(value == recorded[name]["annotations"][hint], f"{name} has another {hint}")
        check(listed[name].get("annotations", {}).get("readOnlyHint", False) == recorded[name]["annotations"]["readOnlyHint"],
              f"{name} says nothing of its effects")
    print(f"{size} bytes for {len(tools)} tools")
    check(size <= LONGEST, f"tools/list has {size} bytes, more than {LONGEST}")


def main():
    for count in range(len(CAPABILITIES) + 1):
        for capabilities in itertools.combinations(CAPABILITIES, count):
            check_drop_in(os.path.abspath(sys.argv[1]), *capabilities)
    check_own(os.path.abspath(sys.argv[2]))


if __name__ == "__main__":
    main()
