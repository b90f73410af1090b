"""
Tests of an application: each is a task that an agent does with browser_* tools, verified where the application keeps the result. MCP_SDK: a
folder where the applications were installed with npm. Where @playwright/mcp is there as well, each task is done with it, too, and what
both cost is printed.
"""
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.request

from apps.agent import Agent
from support.case import skip
from support.client import PATIENCE, Client
from support.engine import ENGINE
from support.pages import Pages, Response

MODULES = pathlib.Path(os.environ.get("MCP_SDK", ""), "node_modules")
REFERENCE = MODULES / "@playwright" / "mcp" / "cli.js"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json",
         ".ttf": "font/ttf", ".png": "image/png"}


def task(work):
    """A test method from a method of a case and an agent."""
    @functools.wraps(work)
    def test(self):
        self.prepare()
        work(self, self.agent)
        print_costs(work.__name__, self.agent)
        if self.reference:
            self.prepare()
            self.repeat(work)
    return test


def print_costs(what, agent, failed=""):
    print(f"{what.removeprefix('test_'):<40} {agent.name:<10} {agent.calls:>4} calls {agent.bytes:>8} bytes {1000 * agent.seconds:>7.0f} ms"
          f"{f', looked again {agent.repeats} times' if agent.repeats else ''}{failed}", flush=True)


class AppCase(unittest.TestCase):
    """One server and browser for all tasks of an application."""

    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())).resolve()
        client = Client("--output-dir", cls.folder / "output", "--timeout-action", "20000", "--timeout-navigation", "90000")
        cls.addClassCleanup(client.discard)
        cls.addClassCleanup(client.close)
        cls.agent = Agent(client, "browserd")
        cls.reference = None
        if REFERENCE.exists() and ENGINE == "chromium":
            theirs = Client(command=["node", str(REFERENCE), "--headless", "--no-sandbox", "--isolated", "--executable-path",
                                     shutil.which("chromium-headless-shell") or "chromium"], cwd=cls.folder)
            cls.addClassCleanup(theirs.discard)
            cls.reference = Agent(theirs, "reference")

    def prepare(self):
        """Brings the application into the state in which a task finds it."""

    def setUp(self):
        self.agent.reset()

    def repeat(self, work):
        """The same with the reference, whose failure is a remark."""
        self.reference.reset()
        failed = ""
        try:
            work(self, self.reference)
        except Exception as error:  # the reference is only measured, whatever goes wrong with it
            failed = ", failed: " + str(error).partition("\n")[0][:160]
        print_costs(work.__name__, self.reference, failed)

    @classmethod
    def run_server(cls, command, url, **more):
        """A process that serves `url` when this returns, and ends with the tests."""
        log = cls.enterClassContext(open(cls.folder / "server.log", "w+b"))
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **more)
        cls.addClassCleanup(process.wait, PATIENCE)
        cls.addClassCleanup(process.terminate)
        end = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < end:
            try:
                urllib.request.urlopen(url, timeout=PATIENCE).close()
                return
            except OSError:
                time.sleep(0.1)
        log.seek(0)
        raise AssertionError("the application does not start:\n" + log.read().decode(errors="replace"))

    @classmethod
    def serve_pages(cls):
        cls.pages = Pages()
        cls.addClassCleanup(cls.pages.close)


def files_of(folder, prefix):
    """A route for Pages that serves what lies in a folder."""
    def answer(request):
        path = (folder / request.path.removeprefix(prefix)).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            return Response("", status=404)
        return Response(path.read_bytes(), content_type=TYPES.get(path.suffix, "application/octet-stream"))
    return answer


def need(*packages):
    """Skips the file unless these are installed."""
    if not shutil.which("node"):
        skip("node is not installed")
    for package in packages:
        if not (MODULES / package).is_dir():
            skip(f"MCP_SDK names no folder with {package}")
