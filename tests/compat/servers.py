"""
Servers for agents behind one interface, so that the same work can be measured on each: open a page, prepare an action
(not timed), act (timed), read what the page shows.

A server is written KIND:COMMAND, split at blanks. Kinds: `browser` (MCP with the browser_* tools; the default),
`devtools` (chrome-devtools-mcp), `cli` (agent-browser, which is one command for each step).
"""
import pathlib
import re
import subprocess

from compat.pages import Client

CONTROL = re.compile(r"uid=(\w+) (?:textbox|combobox|searchbox|checkbox|button|link|DisclosureTriangle)\b")


class Unable(Exception):
    """The server cannot do such an action on this page."""


def descendants(pid):
    """Ids of the process and of all below it."""
    pids = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        for child in (task / "children").read_text().split():
            pids += descendants(int(child))
    return pids


def memory(pids):
    """MiB of these processes without the browser's, each with its share of shared pages."""
    total = 0
    for pid in pids:
        try:
            if not pathlib.Path(f"/proc/{pid}/exe").resolve().name.startswith("chrom"):
                total += int(re.search(r"^Pss:\s+(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1])
        except (OSError, TypeError):
            pass
    return total / 1024


class BrowserTools:
    """An MCP server with the browser_* tools of @playwright/mcp."""

    def __init__(self, command):
        self.client = Client(command)

    def open(self, url):
        self.client.call("browser_navigate", url=url)

    def prepare(self, tool, target=None, **arguments):
        if target is not None:
            arguments["target"] = target
        return lambda: self.client.call(tool, **arguments)

    def snapshot(self):
        return self.client.call("browser_snapshot")

    def memory(self):
        return memory(descendants(self.client.process.pid))

    def close(self):
        self.client.close()


class DevtoolsTools(BrowserTools):
    """chrome-devtools-mcp. It takes no selectors, so prepare() finds the first control in a snapshot."""

    NAMES = {"browser_click": "click", "browser_hover": "hover", "browser_type": "fill", "browser_select_option": "fill",
             "browser_press_key": "press_key"}

    def open(self, url):
        self.client.call("navigate_page", pageId=1, url=url)

    def prepare(self, tool, target=None, **arguments):
        text = self.snapshot()
        found = CONTROL.search(text) or re.search(r"uid=(\w+) StaticText", text)
        if not found:
            raise Unable(f"nothing on the page can be named: {text}")
        uid = found[1]
        name = self.NAMES[tool]
        if name == "press_key":
            self.client.call("click", pageId=1, uid=uid)
            return lambda: self.client.call(name, pageId=1, key=arguments["key"])
        if name == "fill" and (arguments.get("slowly") or arguments.get("submit")):
            self.client.call("click", pageId=1, uid=uid)
            submit = {"submitKey": "Enter"} if arguments.get("submit") else {}
            return lambda: self.client.call("type_text", pageId=1, text=arguments["text"], **submit)
        if name == "fill":
            value = arguments["text"] if "text" in arguments else arguments["values"][0]
            return lambda: self.client.call(name, pageId=1, uid=uid, value=value)
        return lambda: self.client.call(name, pageId=1, uid=uid)

    def snapshot(self):
        return self.client.call("take_snapshot", pageId=1)


class CommandLine:
    """agent-browser: each step is a command, which talks to a daemon that the first one starts."""

    def __init__(self, command):
        self.command = [*command, "--session", "measured"]
        self.run("open", "about:blank")

    def run(self, *arguments):
        return subprocess.run([*self.command, *arguments], check=True, capture_output=True, text=True).stdout

    def open(self, url):
        self.run("open", url)

    def prepare(self, tool, target=None, **arguments):
        if tool == "browser_type" and arguments.get("submit"):
            return lambda: (self.run("fill", target, arguments["text"]), self.run("press", "Enter"))
        if tool == "browser_press_key":
            self.run("focus", target or "#go")
            return lambda: self.run("press", arguments["key"])
        step = {"browser_click": ["click", target], "browser_hover": ["hover", target],
                "browser_type": ["type" if arguments.get("slowly") else "fill", target, arguments.get("text", "")],
                "browser_select_option": ["select", target, *arguments.get("values", [])]}[tool]
        return lambda: self.run(*step)

    def snapshot(self):
        return self.run("snapshot")

    def memory(self):
        program = self.command[0].encode()
        pids = [int(p.name) for p in pathlib.Path("/proc").glob("[0-9]*") if (p / "cmdline").exists()
                and program in (p / "cmdline").read_bytes().split(b"\0")[:2]]
        return memory({each for pid in pids for each in descendants(pid)})

    def close(self):
        self.run("close")


KINDS = {"browser": BrowserTools, "devtools": DevtoolsTools, "cli": CommandLine}


def start(text):
    kind, colon, command = text.partition(":")
    if not colon or kind not in KINDS:
        kind, command = "browser", text
    return KINDS[kind](command.split())
