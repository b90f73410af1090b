"""
What was recorded of @playwright/mcp, by version: tools, and calls with their answers. The files of the first version are
complete; those of each later one (tools-VERSION.json, recording-VERSION.json) hold what differs from the version before.
"""
import json
import pathlib

FOLDER = pathlib.Path(__file__).parent
VERSIONS = ("0.0.83", "0.0.84")


def read(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def later(version):
    """The versions after the first one, up to this one."""
    return VERSIONS[1:VERSIONS.index(version) + 1]


def pages():
    """The pages that calls use, by path."""
    return read("recording.json")["pages"]


def tools(version):
    """What tools/list says with all capabilities, without descriptions; `capability` is the one that lists the tool."""
    listed = {tool["name"]: tool for tool in read("tools.json")}
    for each in later(version):
        change = read(f"tools-{each}.json")
        listed.update({tool["name"]: tool for tool in change["changed"]})
        listed = {name: listed[name] for name in change["names"]}
    return list(listed.values())


def calls(version):
    """The calls in their order: {step, tool, arguments, answer (texts), isError}."""
    made = read("recording.json")["calls"]
    for each in later(version):
        change = read(f"recording-{each}.json")
        for number, answer in change["changed"].items():
            made[int(number)] = {**made[int(number)], **answer}
        made += change["added"]
    return made


def write(version, previous_calls, new_calls, previous_tools, new_tools):
    """The files of a later version: what differs from the version before."""
    changed = {str(number): {key: new[key] for key in ("answer", "isError")}
               for number, (old, new) in enumerate(zip(previous_calls, new_calls)) if new is not old}
    rows = ",\n".join(f"{json.dumps(number)}: {json.dumps(answer, ensure_ascii=False)}" for number, answer in changed.items())
    added = ",\n".join(json.dumps(call, ensure_ascii=False) for call in new_calls[len(previous_calls):])
    (FOLDER / f"recording-{version}.json").write_text(f'{{"changed": {{\n{rows}\n}}, "added": [\n{added}\n]}}\n', encoding="utf-8")
    rows = ",\n".join(json.dumps(tool) for tool in new_tools if tool not in previous_tools)
    names = json.dumps([tool["name"] for tool in new_tools])
    (FOLDER / f"tools-{version}.json").write_text(f'{{"names": {names},\n"changed": [\n{rows}\n]}}\n', encoding="utf-8")
