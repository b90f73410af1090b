"""Browsers that die, cannot start or do not behave: BROWSER_ERROR for those it caught, and the next start works."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

from support import processes
from support.case import BrowserdCase, main
from support.client import Client, ToolError
from support.engine import chromium_only


class Killed(BrowserdCase):
    def setUp(self):
        self.client, self.web = self.start(), self.pages()

    def kill(self):
        """Ends the browser's main process with SIGKILL, helpers are left to themselves."""
        browser = self.client.browser()
        browser.kill()
        self.assertEqual(processes.wait_gone({browser}), set())
        return browser

    def works(self):
        """A new session does its job. A call that death catches may fail, the one after it may not."""
        try:
            session = self.client.session()
        except ToolError as error:
            self.assertEqual(error.code, "BROWSER_ERROR")
            session = self.client.session()
        self.assertEqual(session.navigate(self.web.page("x", title="alive"))["title"], "alive")
        return session

    def test_at_rest(self):
        session = self.works()
        killed = self.kill()
        error = session.fail("navigate", url="about:blank")
        self.assertIn(error.code, ("SESSION_NOT_FOUND", "BROWSER_ERROR"))
        self.assertEqual(error.session_id, session.id)
        self.client.session()  # death is known by now
        self.works()
        self.assertNotEqual(self.client.browser(), killed)
        self.assertIn(session.fail("navigate", url="about:blank").code, ("SESSION_NOT_FOUND", "BROWSER_ERROR"))

    def test_during_calls_of_every_kind(self):
        sessions = [self.works() for _ in range(4)]
        url, _ = self.web.held()
        calls = [sessions[0].start("navigate", url=url), sessions[1].start("click", selector="#no", timeout=60000),
                 sessions[2].start("type", selector="#no", text="x", timeout=60000),
                 sessions[3].start("evaluate", expression="new Promise(() => 0)")]
        queued = [session.start("navigate", url="about:blank") for session in sessions]
        self.web.wait_request(url)
        self.kill()
        for session, call in zip(sessions, calls):
            error = call.failure()
            self.assertEqual((error.code, error.session_id), ("BROWSER_ERROR", session.id), error)
        for call in queued:
            self.assertIn(call.failure().code, ("BROWSER_ERROR", "SESSION_NOT_FOUND"))
        self.assertEqual(self.client.call("list_sessions")["count"], 0)
        self.works()

    def test_a_renderer_alone(self):
        """One page's process dies: its session says so, the others and the browser stay."""
        self.client = self.start_open()
        other, crashing = self.works(), self.client.session()
        browser, chromium = self.client.browser(), self.devtools(self.client)
        url, _ = self.web.held()
        call = crashing.start("evaluate", expression=f"fetch('{url}', {{mode: 'no-cors'}}).then(r => r.text())")
        self.web.wait_request(url)
        chromium.post("Page.crash", chromium.attach("about:blank"))
        self.assertTrue(call.failure().code)
        self.assertEqual(other.evaluate("1 + 1"), 2)
        self.assertEqual(self.client.browser(), browser)
        crashing.start("evaluate", expression="1").result()
        self.assertTrue(crashing.close()["success"])

    def test_a_renderer_killed_during_a_call(self):
        other, session = self.works(), self.client.session()
        before = self.client.processes()
        session.navigate(self.web.page("x").replace("127.0.0.1", "localhost"))
        url, _ = self.web.held()
        stuck = session.start("evaluate", expression=f"fetch('{url}').then(r => r.text())")
        renderers = processes.renderers(self.client.processes() - before)
        for renderer in renderers:
            renderer.kill()
        if renderers:
            self.assertTrue(stuck.failure().code)
        self.assertEqual(other.evaluate("1 + 1"), 2)
        session.start("close_session").result()
        self.works()


class CannotStart(BrowserdCase):
    def refused(self, path, pattern, *args):
        client = self.start("--executable-path", path, *args)
        for _ in range(2):
            error = client.fail("create_session")
            self.assertEqual(error.code, "BROWSER_ERROR")
            self.assertRegex(error.message, pattern)
        self.assertEqual(client.call("list_sessions")["count"], 0)
        self.assertEqual(client.request("ping"), {})
        return client

    def test_missing(self):
        self.refused("/nonexistent/browser", "/nonexistent/browser")

    def test_no_program(self):
        path = self.script("exit 0")
        os.chmod(path, 0o644)
        self.refused(path, "(?i)permission|execut|not a program")

    def test_a_folder(self):
        self.refused("/tmp", "/tmp")

    def test_exits_at_once(self):
        self.refused(self.script("echo cannot find libfoo.so >&2; exit 7"), "(?s)7.*libfoo|libfoo.*7")

    def test_dies_by_a_signal(self):
        self.refused(self.script("kill -SEGV $$"), "(?i)signal 11|segmentation")

    @chromium_only("Firefox has no pipe")
    def test_speaks_nonsense(self):
        self.refused(self.script("printf 'HTTP/1.1 400 no\\0{\"id\":\\0' >&4; exec 3>&- 4>&-; echo so long >&2; sleep 1000"),
                     "(?s)closed its debugging pipe.*descriptors 3 and 4.*so long", "--browser-connection", "pipe")

    @chromium_only("a Chromium names its port in another file")
    def test_speaks_nonsense_at_its_port(self):
        server = ("import socket, sys; profile = [a[16:] for a in sys.argv if a.startswith('--user-data-dir=')][0]; "
                  "s = socket.create_server(('127.0.0.1', 0)); print('so long', flush=True); "
                  "open(profile + '/DevToolsActivePort', 'w').write(f'{s.getsockname()[1]}\\n/devtools/browser/x'); "
                  "c = s.accept()[0]; c.recv(9999); c.sendall(b'HTTP/1.1 400 no\\r\\n\\r\\n'); c.close(); s.accept()")
        self.refused(self.script(f'exec {sys.executable} -c "{server}" "$@"'), "(?s)closed its debugging port.*so long")

    def test_exits_with_children_left(self):
        client = self.refused(self.script("sleep 1000 & sleep 1000 & exit 3"), "3")
        self.assertEqual(processes.wait_gone(client.processes()), set())


class NeverReports(BrowserdCase):
    """Runs last. The time limit of a start passes while the other tests run: setUpModule() begins it."""

    @classmethod
    def begin(cls):
        folder = tempfile.mkdtemp()
        unittest.addModuleCleanup(shutil.rmtree, folder)
        browser = pathlib.Path(folder, "browser")
        browser.write_text("#!/bin/sh\nexec sleep 1000\n", encoding="utf-8")
        browser.chmod(0o755)
        cls.silent = Client("--executable-path", str(browser))
        unittest.addModuleCleanup(cls.silent.discard)
        cls.starting = cls.silent.start_call("create_session", {})
        cls.ping = cls.silent.request("ping")

    def test_a_browser_that_never_answers(self):
        client, call = self.silent, self.starting
        self.assertEqual(self.ping, {})
        error = call.failure()
        self.assertEqual(error.code, "BROWSER_ERROR")
        self.assertRegex(error.message, "did not answer through its debugging port")
        self.assertEqual(processes.wait_gone(client.processes()), set())
        client.close()

    def test_the_end_does_not_wait_for_it(self):
        client = self.start("--executable-path", self.script("exec sleep 1000"))
        client.start_call("create_session", {})
        client.close()

    def test_a_cancelled_start(self):
        client = self.start("--executable-path", self.script("exec sleep 1000"))
        client.cancel(client.start_call("create_session", {}))
        self.assertEqual(client.request("ping"), {})


# Speaks CDP over its pipe, and opens a context only when the next one is asked for.
LATE = """
import json, os, sys
held, rest = None, b''
def answer(number, result):
    os.write(4, json.dumps({'id': number, 'result': result}).encode() + b'\\0')
while data := os.read(3, 65536):
    *messages, rest = (rest + data).split(b'\\0')
    for message in map(json.loads, messages):
        if message['method'] == 'Target.disposeBrowserContext':
            open(sys.argv[1], 'a').write(message['params']['browserContextId'] + chr(10))
        if message['method'] != 'Target.createBrowserContext':
            answer(message['id'], {})
            continue
        if held:
            answer(held, {'browserContextId': f'LATE{held}'})
        held = message['id']
"""


@chromium_only("what stands in for the browser speaks CDP")
class OpensNothing(BrowserdCase):
    def test_a_context_that_is_never_opened(self):
        """The call fails, what comes late is disposed of, and the browser goes on for others."""
        program, log = self.script(LATE, "late.py"), self.script("")
        client = self.start("--executable-path", self.script(f'exec {sys.executable} {program} {log} "$@"'),
                            "--browser-connection", "pipe", "--cdp-timeout", "50")
        for _ in range(3):
            error = client.fail("create_session")
            self.assertEqual(error.code, "BROWSER_ERROR")
            self.assertIn("did not open a context or page within 500 ms", error.message)
            self.assertEqual(client.request("ping"), {})
        self.repeat(lambda: pathlib.Path(log).read_text(encoding="utf-8").count("LATE"), lambda count: count == 2)
        self.assertEqual(client.call("list_sessions")["count"], 0)
        self.assertNotIn("connection ended", client.stderr())


@chromium_only("Firefox records no videos")
class Recorded(BrowserdCase):
    def test_sessions_that_end_while_the_recording_of_a_video_begins(self):
        """Chromium dies when a context is disposed of at that moment, so the server must not do it then."""
        client, web = self.start("--caps", "devtools"), self.pages()
        moving = web.page("<h1>here</h1><script>setInterval(() => document.body.append('x'), 20)</script>")
        for _ in range(10):
            session = client.session()
            session.navigate(moving)
            session.start("browser_start_video")
            session.call("close_session")
        client.session().navigate(moving)
        self.assertNotIn("protocol connection ended", client.stderr())

    def test_sessions_that_end_while_windows_begin_to_be_recorded(self):
        client, web = self.start("--caps", "devtools"), self.pages()
        moving = web.page("<h1>here</h1><script>setInterval(() => document.body.append('x'), 20)</script>")
        for _ in range(8):
            session = client.session()
            session.navigate(moving)
            session.start("browser_start_video").result()
            session.start("evaluate", expression=f"for (let i = 0; i < 3; i++) window.open('{moving}')")
            session.call("close_session")
        client.session().navigate(moving)
        self.assertNotIn("protocol connection ended", client.stderr())


def setUpModule():
    NeverReports.begin()


if __name__ == "__main__":
    main()
