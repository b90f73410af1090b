"""Test cases around one server that all tests of a class share, and the entry point of every test file."""
import faulthandler
import os
import sys
import tempfile
import time
import unittest

from support.chromium import installed
from support.client import PATIENCE, Client
from support.devtools import DevTools
from support.pages import Pages

SKIPPED = 77  # exit status that Meson counts as a skipped test


class BrowserdCase(unittest.TestCase):
    """Tests that start servers of their own."""

    longMessage = True

    def start(self, *args, **more):
        """A server that must end cleanly after the test."""
        client = Client(*args, **more)
        self.addCleanup(client.discard)
        self.addCleanup(self._close, client)
        return client

    def start_unchecked(self, *args, **more):
        """A server whose end the test itself brings about and checks."""
        client = Client(*args, **more)
        self.addCleanup(client.discard)
        return client

    def ask(self, tool, **arguments):
        """The text that a tool answers; `self.client` is the test's server."""
        return self.client.ask(tool, **arguments)

    def repeat(self, look, accepts):
        """The first result of look() that accepts() takes. look() itself waits, with a tool that does."""
        end = time.monotonic() + PATIENCE
        while not accepts(found := look()):
            self.assertLess(time.monotonic(), end, found)
        return found

    def pages(self):
        pages = Pages()
        self.addCleanup(pages.close)
        return pages

    def script(self, text, name="browser"):
        """A program in a folder of its own that stands in for a browser, or starts one."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def start_open(self, *args, **more):
        """A server whose browser listens for a second client (support/devtools.py), too."""
        browser = self.script(f'exec {installed()} --remote-debugging-port=0 "$@"', "headless-shell")
        return self.start("--executable-path", browser, *args, **more)

    def devtools(self, client):
        """The second client, once the browser of a server of start_open() runs."""
        found = DevTools(client.home)
        self.addCleanup(found.close)
        return found

    @staticmethod
    def _close(client):
        if client.process.poll() is None:
            client.close()
        else:
            client.check_sayings()


class ServerCase(unittest.TestCase):
    """Tests that share one server (started with `args`) and one page server. Each test has a session of its own."""

    args = ("--max-sessions", "50")
    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.pages = Pages()
        cls.addClassCleanup(cls.pages.close)
        cls.client = Client(*cls.args)
        cls.addClassCleanup(cls.client.discard)
        cls.addClassCleanup(cls.client.close)

    def session(self):
        session = self.client.session()
        self.addCleanup(self._close, session)
        return session

    @staticmethod
    def _close(session):
        session.start("close_session").result()  # whether it is still there is the test's business

    def show(self, body, session=None, **more):
        """A session that shows a page with this body."""
        session = session or self.session()
        session.navigate(self.pages.page(body, **more))
        return session


def skip(reason):
    """Ends the test file as skipped, with a line that says why."""
    print(f"SKIP {os.path.basename(sys.argv[0])}: {reason}")
    sys.exit(SKIPPED)


def main():
    faulthandler.enable()
    unittest.main(verbosity=2)
