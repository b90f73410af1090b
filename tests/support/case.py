"""Test cases around one server that all tests of a class share, and the entry point of every test file."""
import contextlib
import faulthandler
import os
import pathlib
import sys
import tempfile
import time
import unittest

from support import engine
from support.chromium import installed
from support.client import PATIENCE, Client
from support.devtools import DevTools
from support.over_http import OverHttp
from support.pages import Pages

# How tests speak to their servers, unless they are about the transport: a class sets client_class, TEST_TRANSPORT=http runs a whole
# file over HTTP.
TRANSPORTS = {"stdio": Client, "http": OverHttp}
SKIPPED = 77  # exit status that Meson counts as a skipped test


def write_script(folder, name, text):
    """The path of a new program."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, 0o755)
    return path


def open_browser(folder):
    """Arguments for a server whose browser listens for a second client (support/devtools.py), too; `folder` is for its program."""
    if engine.ENGINE != "chromium":
        raise unittest.SkipTest("a second client of CDP looks into the browser")
    program = write_script(folder, "headless-shell", f'exec {installed()} --remote-debugging-port=0 "$@"')
    return "--executable-path", program, "--browser-connection", "pipe"


class BrowserdCase(unittest.TestCase):
    """Tests that start servers of their own."""

    longMessage = True
    client_class = TRANSPORTS[os.environ.get("TEST_TRANSPORT", "stdio")]

    def start(self, *args, client_class=None, **more):
        """A server that must end cleanly after the test."""
        client = (client_class or self.client_class)(*args, **more)
        self.addCleanup(client.discard)
        self.addCleanup(self._close, client)
        return client

    _shared = {}

    def share(self, *args, **more):
        """A server that the tests of the file which ask for these arguments share. The sessions that a test leaves are closed."""
        key = self.client_class, args, repr(sorted(more.items()))
        if key not in self._shared:
            self._shared[key] = self._keep(self.client_class(*args, **more))
        self.addCleanup(self.close_sessions, self._shared[key])
        return self._shared[key]

    @classmethod
    def _keep(cls, client):
        """Until all tests of the file have run."""
        unittest.addModuleCleanup(client.discard)
        unittest.addModuleCleanup(cls._close, client)
        return client

    @staticmethod
    def close_sessions(client):
        """For a test that makes sessions: those that it leaves, the next one would see."""
        for session in client.call("list_sessions")["sessions"]:
            client.start_call("close_session", {"sessionId": session["sessionId"]}).result()  # it may have ended by itself

    def start_unchecked(self, *args, **more):
        """A server whose end the test itself brings about and checks."""
        client = self.client_class(*args, **more)
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
        return write_script(folder.name, name, text)

    def start_open(self, *args, **more):
        """A server with open_browser()."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return self.start(*open_browser(folder.name), *args, **more)

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


def _until_the_end(manager):
    """Enters a context manager until all tests of the file have run."""
    entered = manager.__enter__()
    unittest.addModuleCleanup(manager.__exit__, None, None, None)
    return entered


class SharedCase(BrowserdCase):
    """
    Tests that share one server, its folder and one page server with the other tests of their file whose classes have the same
    arguments: a browser takes as long to start as many a test does. After each test the client's own session is closed, so the
    next one has a new context; a class whose tests need only a page leaves it open with `keeps_session` unless a test leaves a
    second tab or a dialog, because a context, a page and its process take longer than a navigation. A class whose arguments depend on the folder or the page server has a server of its own:
    it defines arguments(folder, site), a class method.
    """

    args = ()
    keeps_session = False
    arguments = None
    _servers = {}

    @classmethod
    def setUpClass(cls):
        cls.folder, cls.site, cls.client = cls._server()

    @classmethod
    def _server(cls):
        return cls.shared(cls.arguments, key=cls) if cls.arguments else cls.shared(lambda folder, site: cls.args, key=cls.args)

    @classmethod
    def shared(cls, arguments, key):
        """The folder, the page server and the client that all tests of the file with this key share."""
        key = cls.client_class, key
        if key not in cls._servers:
            folder = pathlib.Path(_until_the_end(tempfile.TemporaryDirectory())).resolve()
            site = _until_the_end(contextlib.closing(Pages()))
            cls._servers[key] = folder, site, cls._start(*arguments(folder, site), folder=folder)
        return cls._servers[key]

    @classmethod
    def _start(cls, *args, folder):
        return cls._keep(cls.client_class("--output-dir", folder, *args))

    def setUp(self):
        self.addCleanup(self._leave, self.client)

    def _leave(self, client):
        if self.keeps_session:
            left = client.ask("browser_tabs", action="list")
            if "\n- 1: " not in left and "### Modal state" not in left:
                return
        client.ask("browser_close")


class ServerCase(unittest.TestCase):
    """
    Tests that share one server (started with `args`) and one page server with the classes of their file that have the same
    arguments. Each test has a session of its own; in a class whose tests need only a page, `keeps_session` lets show() navigate one and
    the same.
    """

    args = ("--max-sessions", "50")
    keeps_session = False
    _kept = None
    longMessage = True
    client_class = TRANSPORTS[os.environ.get("TEST_TRANSPORT", "stdio")]
    _servers = {}

    @classmethod
    def setUpClass(cls):
        key = cls.client_class, cls.args
        if key not in cls._servers:
            pages = _until_the_end(contextlib.closing(Pages()))
            client = cls.client_class(*cls.args)
            unittest.addModuleCleanup(client.discard)
            unittest.addModuleCleanup(client.close)
            cls._servers[key] = pages, client
        cls.pages, cls.client = cls._servers[key]

    def session(self):
        session = self.client.session()
        self.addCleanup(self._close, session)
        return session

    @classmethod
    def kept_session(cls):
        if not cls._kept:
            cls._kept = cls.client.session()
            cls.addClassCleanup(cls._close, cls._kept)
        return cls._kept

    @staticmethod
    def _close(session):
        session.start("close_session").result()  # whether it is still there is the test's business

    def show(self, body, session=None, **more):
        """A session that shows a page with this body."""
        session = session or (self.kept_session() if self.keeps_session else self.session())
        session.navigate(self.pages.page(body, **more))
        return session


def skip(reason):
    """Ends the test file as skipped, with a line that says why."""
    print(f"SKIP {os.path.basename(sys.argv[0])}: {reason}")
    sys.exit(SKIPPED)


def main():
    faulthandler.enable()
    if not engine.installed():
        skip(f"no {engine.ENGINE} is installed")
    engine.skip_pending(sys.modules["__main__"], os.path.basename(sys.argv[0]))
    unittest.main(verbosity=2)
