"""
Tests of what a client of @playwright/mcp sees. They run against the program under its name playwright-mcp or, when
REFERENCE holds a command ("node .../cli.js"), against that server.
"""
import base64
import functools
import os
import pathlib
import re
import shlex
import shutil
import tempfile
import unittest

from support.case import BrowserdCase, SharedCase
from support.engine import installed

REFERENCE = shlex.split(os.environ.get("REFERENCE", ""))
PLAIN = ("--headless", "--no-sandbox", "--isolated", "--executable-path", shutil.which(installed() or "") or "")
HIDDEN_DATE = {"DEBUG": "pw:mcp:test", "DEBUG_HIDE_DATE": "1"}  # for the lines of that name, without their times
LINGER = ("--browser-linger", "10000")


class Answer:
    """The answer to a tools/call."""

    def __init__(self, result):
        self.is_error = bool(result.get("isError"))
        self.text = "\n".join(item["text"] for item in result["content"] if item["type"] == "text")
        self.images = [base64.b64decode(item["data"]) for item in result["content"] if item["type"] == "image"]

    @functools.cached_property
    def sections(self):
        """The text below each `### Title`."""
        parts = re.split(r"^### (.*)\n", self.text, flags=re.M)
        return {title: body.rstrip("\n") for title, body in zip(parts[1::2], parts[2::2])}

    def section(self, title):
        """The text of a section, None where there is none."""
        return self.sections.get(title)

    @property
    def result(self):
        return self.section("Result")

    @property
    def error(self):
        return self.section("Error")

    @property
    def code(self):
        """The generated code without its fence."""
        fenced = re.fullmatch(r"```\w+\n(.*)\n```", self.section("Ran Playwright code") or "", re.S)
        return fenced and fenced[1]

    @property
    def snapshot(self):
        """The snapshot in the answer without its fence."""
        fenced = re.fullmatch(r"```yaml\n(.*?)\n?```", self.section("Snapshot") or "", re.S)
        return fenced and fenced[1]

    def __repr__(self):
        return f"<Answer {self.text!r}>"


def command(*args, plain=True):
    """The command of a server. plain=False leaves the usual options (headless, isolated...) out."""
    return [*(REFERENCE or [os.environ["PLAYWRIGHT_MCP"]]), *(PLAIN if plain else ()), *map(str, args)]


class DropInCase(BrowserdCase):
    """Each test starts the servers that it needs with serve(); `self.folder` is their working directory."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()

    def serve(self, *args, plain=True, **more):
        """A server in a client's hands. plain=False leaves the usual options (headless, isolated...) out."""
        start = self.start_unchecked if REFERENCE else self.start
        return start(command=command(*args, plain=plain), **{"cwd": self.folder, **more})

    @staticmethod
    def call(client, tool, **arguments):
        return Answer(client.start("tools/call", {"name": tool, "arguments": arguments}, tool=tool).result())

    def open(self, client, body, **more):
        """Navigates to a page with this body; the answer."""
        return self.call(client, "browser_navigate", url=self.site.page(body, **more))

    @functools.cached_property
    def site(self):
        return self.pages()


class SharedDropInCase(DropInCase, SharedCase):
    """
    Tests that share a server as those of SharedCase do. Its working directory is the folder; each test takes its session as it is.
    Where a test begins with browser_close, the browser stays for it, as that of a server under the name browserd does.
    """

    @classmethod
    def _start(cls, *args, folder):
        client = cls.client_class(command=command(*args, *(() if REFERENCE else LINGER)), cwd=folder)
        unittest.addModuleCleanup(client.discard)
        if not REFERENCE:
            unittest.addModuleCleanup(cls._close, client)
        return client

    def setUp(self):
        pass

    def ask(self, tool, **arguments):
        return self.call(self.client, tool, **arguments)

    def show(self, body, **more):
        return self.open(self.client, body, **more)
