#!/usr/bin/env python3
"""What tools/list says under both names: tools.py PLAYWRIGHT_MCP BROWSERD

recorded.py has the lists of the versions of @playwright/mcp without descriptions, each tool with the capability that lists it. As
playwright-mcp the program must give just that list, in that order, for every version, with every capability, every two and all; as
browserd with the same form of answers the same tools with a sessionId each, in few bytes. Several servers run side by side, as most
of their time is the start of a process.
"""
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

import recorded

CAPABILITIES = sorted({tool["capability"] for tool in recorded.tools(recorded.VERSIONS[0]) if "capability" in tool})
ADDITIONS = {"browser_drag": ("startPosition", "endPosition", "steps")}  # arguments that browserd has on top of the recorded ones
LONGEST = 20000  # bytes of the whole answer in the form of @playwright/mcp; tests/e2e/test_tool_lists.py has the short one
FULL = ("--answers", "playwright")
SIDE_BY_SIDE = 8
VERSION = "2025-11-25"


def recorded_with(version, capabilities):
    """The tools that this version of the reference lists with these capabilities, by name in its order."""
    return {tool["name"]: {key: value for key, value in tool.items() if key != "capability"} for tool in recorded.tools(version)
            if tool.get("capability") in {None, *capabilities}}


def ask(command, *capabilities):
    """Results of initialize and tools/list, and the bytes of the latter."""
    requests = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "tools", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([*command, *(["--caps", ",".join(capabilities)] if capabilities else [])], input=lines, capture_output=True, text=True, timeout=60, check=True)
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


def check_drop_in(program, version, *capabilities):
    server, tools, _ = ask([program, "--compat", version], *capabilities)
    check(server["capabilities"] == {"tools": {"listChanged": True}}, f"capabilities are {server['capabilities']}")
    check("instructions" not in server, "the reference gives no instructions")
    expected = recorded_with(version, capabilities)
    names = [tool["name"] for tool in tools]
    check(names == list(expected), f"with {capabilities} and {version} these are listed: {names}")
    for tool in tools:
        check(tool["description"], f"{tool['name']} is not described")
        check(plain(tool) == expected[tool["name"]],
              f"{tool['name']} of {version} differs\nrecorded {json.dumps(expected[tool['name']])}\nnow      {json.dumps(plain(tool))}")


def check_own(program):
    _, tools, size = ask([program, *FULL])
    expected = recorded_with(recorded.VERSIONS[0], ())
    listed = {tool["name"]: tool for tool in tools}
    check(set(expected) <= set(listed), f"not listed: {set(expected) - set(listed)}")
    check("create_session" in listed, "there are no session tools")
    for name in expected:
        properties = plain(listed[name]["inputSchema"]["properties"], True)
        check(properties.pop("sessionId", None) == {"type": "string"}, f"{name} takes no sessionId")
        for addition in ADDITIONS.get(name, ()):
            check(properties.pop(addition, None), f"{name} does not take {addition}")
        check(properties == expected[name]["inputSchema"]["properties"], f"{name} takes other arguments: {properties}")
        for hint, value in listed[name].get("annotations", {}).items():
            check(value == expected[name]["annotations"][hint], f"{name} has another {hint}")
        check(listed[name].get("annotations", {}).get("readOnlyHint", False) == expected[name]["annotations"]["readOnlyHint"],
              f"{name} says nothing of its effects")
    print(f"{size} bytes for {len(tools)} tools")
    check(size <= LONGEST, f"tools/list has {size} bytes, more than {LONGEST}")


def main():
    program = os.path.abspath(sys.argv[1])
    combinations = [chosen for count in (0, 1, 2, len(CAPABILITIES)) for chosen in itertools.combinations(CAPABILITIES, count)]
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        running = [pool.submit(check_drop_in, program, version, *chosen) for version in recorded.VERSIONS for chosen in combinations]
        for each in running:
            each.result()
    check_own(os.path.abspath(sys.argv[2]))


if __name__ == "__main__":
    main()
