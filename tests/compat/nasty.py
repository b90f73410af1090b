#!/usr/bin/env python3
"""Acts on pages that make it hard, and looks at what a user would see: nasty.py [PAGE...] -- COMMAND...

nasty/PAGE.html begins with its steps, one a line, in a comment; files without steps are parts of others. COMMAND is an
MCP server on stdin and stdout with the browser_* tools. In a page, $BASE is its own origin and $OTHER another one.

A target is the beginning of a line of the snapshot that has a ref, or a selector behind "=":

    click, double, right, hover TARGET      check, uncheck, radio TARGET
    type TARGET := TEXT                     (at once; keys: one by one; submit: and Enter; fill: as a slider)
    select TARGET := LABEL | LABEL          press KEY
    see TEXT, unseen TEXT                   a new snapshot has it, or not; refs are shown as [ref]
    script EXPRESSION => JSON               what it gives in the page
    fails TEXT                              the step before answered with an error that says so
    modal TEXT                              the step before answered with that modal state
    accept TEXT, dismiss                    the dialog; files: the chooser, with none
    tab INDEX, back, wait TEXT
"""
import http.server
import json
import pathlib
import re
import sys
import threading

import pages

FOLDER = pathlib.Path(__file__).parent / "nasty"
STEPS = re.compile(r"<!--\n(.*?)-->", re.S)


class Wrong(Exception):
    pass


class Story:
    """One page, step by step."""

    def __init__(self, client):
        self.client = client
        self.answer = ""
        self.failed = False  # an error that no step has expected yet

    def call(self, tool, **arguments):
        if self.failed:
            raise Wrong(self.answer)
        result = self.client.request("tools/call", {"name": "browser_" + tool, "arguments": arguments})["result"]
        self.answer = "\n".join(item.get("text", "") for item in result["content"])
        self.failed = bool(result.get("isError"))
        return self.answer

    def snapshot(self):
        found = re.search(r"```yaml\n(.*)\n```", self.call("snapshot"), re.S)
        if not found:
            raise Wrong(self.answer)
        return found[1]

    def target(self, text):
        if text.startswith("="):
            return text[1:]
        snapshot = self.snapshot()
        for line in snapshot.split("\n"):
            found = re.search(r"\[ref=(\w+)\]", line)
            if found and line.lstrip(" -'").startswith(text):
                return found[1]
        raise Wrong(f"no {text} in\n{snapshot}")

    def run(self, step):
        verb, _, rest = step.partition(" ")
        getattr(self, "do_" + verb)(rest)

    def do_click(self, text, **more):
        self.call("click", target=self.target(text), **more)

    def do_double(self, text):
        self.do_click(text, doubleClick=True)

    def do_right(self, text):
        self.do_click(text, button="right")

    def do_hover(self, text):
        self.call("hover", target=self.target(text))

    def do_type(self, text, **more):
        target, _, value = text.partition(" := ")
        self.call("type", target=self.target(target), text=value, **more)

    def do_keys(self, text):
        self.do_type(text, slowly=True)

    def do_submit(self, text):
        self.do_type(text, submit=True)

    def field(self, kind, target, value):
        self.call("fill_form", fields=[{"target": self.target(target), "name": "field", "type": kind, "value": value}])

    def do_check(self, text):
        self.field("checkbox", text, "true")

    def do_uncheck(self, text):
        self.field("checkbox", text, "false")

    def do_radio(self, text):
        self.field("radio", text, "true")

    def do_fill(self, text):
        target, _, value = text.partition(" := ")
        self.field("slider", target, value)

    def do_select(self, text):
        target, _, labels = text.partition(" := ")
        self.call("select_option", target=self.target(target), values=labels.split(" | "))

    def do_press(self, key):
        self.call("press_key", key=key)

    def do_accept(self, text):
        self.call("handle_dialog", accept=True, **({"promptText": text} if text else {}))

    def do_dismiss(self, _):
        self.call("handle_dialog", accept=False)

    def do_files(self, _):
        self.call("file_upload")

    def do_tab(self, index):
        self.call("tabs", action="select", index=int(index))

    def do_back(self, _):
        self.call("navigate_back")

    def do_wait(self, text):
        self.call("wait_for", text=text)

    def shown(self):
        """The snapshot without what is not looked for: numbers of refs, cursors, quotes around values."""
        plain = re.sub(r"\[ref=\w+\]", "[ref]", self.snapshot()).replace(" [cursor=pointer]", "")
        return re.sub(r': "(.*)"$', r": \1", plain, flags=re.M)

    def do_see(self, text):
        snapshot = self.shown()
        plain = snapshot.replace(" [ref]", "")
        if text not in snapshot and text not in plain:
            raise Wrong(f"not seen: {text}\n{snapshot[:2000]}")

    def do_unseen(self, text):
        snapshot = self.shown()
        if text in snapshot:
            raise Wrong(f"seen: {text}\n{snapshot[:2000]}")

    def do_script(self, text):
        expression, _, expected = text.partition(" => ")
        answer = self.call("evaluate", function=f"() => {{ return {expression} }}")
        if f"### Result\n{expected}" not in answer:
            raise Wrong(answer)

    def do_fails(self, text):
        if not self.failed or text not in self.answer:
            raise Wrong(f"an error with {text!r} was due, not\n{self.answer}")
        self.failed = False

    def do_modal(self, text):
        if "### Modal state" not in self.answer or text not in self.answer:
            raise Wrong(f"{text} was due, not\n{self.answer}")


def tell(client, url, steps):
    """None, or what went wrong."""
    story = Story(client)
    try:
        story.call("navigate", url=url)
        for step in steps:
            story.run(step)
        if story.failed:
            raise Wrong(story.answer)
    except Wrong as wrong:
        return f"{step}\n{wrong}"
    finally:
        client.request("tools/call", {"name": "browser_close", "arguments": {}})
    return None


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    split = sys.argv.index("--")
    names = sys.argv[1:split]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (pages.Handler,), {"folder": FOLDER}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = pages.Client(sys.argv[split + 1:])
    checked = failed = 0
    for page in sorted(FOLDER.glob("*.html")):
        found = STEPS.match(page.read_text("utf-8"))
        if not found or names and page.stem not in names:
            continue
        wrong = tell(client, f"http://127.0.0.1:{server.server_port}/{page.name}", found[1].splitlines())
        checked += 1
        failed += wrong is not None
        print(f"{'ok' if wrong is None else 'FAIL'} {page.stem}" + (f": {wrong}" if wrong else ""), flush=True)
    client.close()
    print(f"{checked - failed} of {checked} pages as expected")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
