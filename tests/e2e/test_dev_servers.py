"""Plain servers that live and die with their session: startSession with a command, real servers of all habits."""
import base64
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from support import processes
from support.case import BrowserdCase, SharedCase, main
from support.http_client import HttpServer
from support.keys import certificate
from support.ports import free_port, is_free

SERVER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support", "web_server.py")
E2E = ("--caps", "e2e", "--max-sessions", "50")


class ServerSession:
    """A session of startSession."""

    def __init__(self, client, answer):
        self.client, self.answer = client, answer
        self.id, self.port, self.url, self.pid = (answer[key] for key in ("sessionId", "port", "url", "pid"))

    def call(self, tool, **arguments):
        return self.client.call(tool, sessionId=self.id, **arguments)

    def fail(self, tool, **arguments):
        return self.client.fail(tool, sessionId=self.id, **arguments)

    def end(self):
        return self.call("endSession")


class Case(SharedCase):
    args = E2E

    def setUp(self):
        super().setUp()
        self.addCleanup(self.end_all, self.client)

    @staticmethod
    def end_all(client):
        """What a test has left would be seen by the next. endSession waits for the end of a server, and refuses a session without one."""
        for session in client.call("list_sessions")["sessions"]:
            for tool in ("endSession", "close_session"):
                client.start_call(tool, {"sessionId": session["sessionId"]}).result()

    def open(self, *args, client=None, **more):
        client = client or self.client
        return ServerSession(client, client.call("startSession", command=sys.executable, args=[SERVER, *args], **more))

    def refuse(self, *args, **more):
        return self.client.fail("startSession", command=sys.executable, args=[SERVER, *args], **more)


class PlainServers(Case):
    def test_from_start_to_end(self):
        session = self.open()
        answer = session.answer
        self.assertEqual(answer["status"], "ready")
        self.assertEqual(answer["url"], f"http://127.0.0.1:{answer['port']}")
        self.assertRegex(answer["startedAt"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual(session.call("navigate", url="/")["title"], "Application")
        self.assertEqual(session.call("navigate", url="?a=b")["url"], f"{session.url}/?a=b")
        self.assertEqual(session.call("click", selector="#b")["success"], True)
        self.assertEqual(session.call("evaluate", script="document.querySelector('#b').textContent")["value"], "clicked")
        session.call("type", selector="#i", text="words")
        self.assertEqual(session.call("evaluate", expression="document.querySelector('#i').value")["value"], "words")
        self.assertEqual(session.call("exists", selector="#nothing"), {"exists": False, "count": 0})
        self.assertEqual(session.call("exists", selector="h1"), {"exists": True, "count": 1})
        content = session.call("getContent")["content"]
        self.assertTrue(content.startswith("<!DOCTYPE html>"), content)
        self.assertIn("<h1>Hello</h1>", content)
        self.assertEqual(int(session.call("evaluate", script="fetch('/pid').then(r => r.text())")["value"]), session.pid)
        status = session.call("getSessionStatus")
        self.assertEqual((status["status"], status["healthy"], status["pid"]), ("running", True, session.pid))
        ended = session.end()
        self.assertEqual((ended["success"], ended["status"]), (True, "stopped"))
        self.assertTrue(is_free(session.port))
        self.assertEqual(session.fail("navigate", url="/").code, "SESSION_NOT_FOUND")

    def test_waits_for_what_comes_late(self):
        session = self.open()
        session.call("navigate", url="/")
        session.call("evaluate", script="void setTimeout(() => late.hidden = false, 50)")
        self.assertIn("late", session.call("waitForSelector", selector="#late")["message"])
        error = session.fail("waitForSelector", selector="#never", timeout=50)
        self.assertEqual(error.code, "ELEMENT_NOT_FOUND")

    def test_a_silent_server_is_found_by_its_port(self):
        session = self.open("--silent")
        self.assertEqual(session.url, f"http://localhost:{session.port}")
        self.assertEqual(session.call("navigate", url="/")["status"], 200)

    def test_readiness_by_log(self):
        session = self.open("--say", "\x1b[32mcompiled\x1b[0m in 3 ms", readyLog="compiled in [0-9]+ ms")
        self.assertIn("compiled in 3 ms", session.call("readServerLogs")["content"])

    def test_readiness_by_a_line_in_javascript(self):
        for say, regex in (("[12:03] COMPILED in 7 ms", r"/compiled in \d+ ms$/i"), ("ready (0 errors)", r"ready (?!.*[1-9] errors)"),
                           ("first\nsecond line\nthird", r"^second\sline$"), ("wait...\rdone\r\nmore", "^done$"), ("caché \\u2713", "é \\\\u2713$")):
            with self.subTest(regex):
                self.open("--say", say, readyLog=regex).end()
        error = self.refuse("--say", "one\ntwo", readyLog="/one.two/", timeout=1500)  # "." does not match across lines
        self.assertIn("did not print what readyLog matches", error.message)

    def test_readiness_after_a_flood(self):
        code = ("import sys; sys.stdout.write('READY-41\\n' + ('noise ' * 20 + '\\n') * 4000); sys.stdout.flush();"
                "sys.argv[1:] = []; exec(open(%r).read())" % SERVER)
        answer = self.client.call("startSession", command=sys.executable, args=["-c", code], readyLog=r"READY-\d{2}")
        self.assertEqual(answer["status"], "ready")

    def test_readiness_in_a_line_that_comes_in_pieces(self):
        code = ("import sys, time\nfor part in ('comp', 'iled in ', '7 ms'):\n  sys.stdout.write(part); sys.stdout.flush(); time.sleep(0.1)\n"
                "sys.argv[1:] = []; exec(open(%r).read())" % SERVER)
        answer = self.client.call("startSession", command=sys.executable, args=["-c", code], readyLog=r"^compiled in 7 ms")
        self.assertEqual(answer["status"], "ready")

    def test_an_expression_that_takes_too_long(self):
        port = free_port()
        other = self.open()
        error = self.refuse("--say", "ab" * 5000 + "!", "--port", str(port), port=port, readyLog="^((ab)*(ba|ab)*)*$")
        self.assertEqual(error.code, "INVALID_PARAMETERS")
        self.assertRegex(error.message, r"^readyLog: .*took longer than 2000 ms")
        self.assertTrue(is_free(port))
        self.assertEqual(other.call("navigate", url="/")["status"], 200)

    def test_an_invalid_expression_starts_nothing(self):
        marker = os.path.join(tempfile.mkdtemp(), "started")
        self.addCleanup(shutil.rmtree, os.path.dirname(marker))
        error = self.client.fail("startSession", command="touch", args=[marker], readyLog="(")
        self.assertRegex(error.message, "^readyLog: .*Unterminated group.*JavaScript")
        self.assertFalse(os.path.exists(marker))

    def test_readiness_by_log_after_a_restart(self):
        session = self.open("--say", "up and running", readyLog=r"\bup\b")
        self.assertEqual(session.call("restartServer")["status"], "restarted")

    def test_readiness_by_url(self):
        port = free_port()
        session = self.open("--port", str(port), "--late", "0.2", port=port, readyUrl=f"http://localhost:{port}/redirect?to=/")
        self.assertEqual(session.port, port)

    def test_the_url_must_answer_well(self):
        port = free_port()
        error = self.refuse("--port", str(port), port=port, readyUrl=f"http://localhost:{port}/missing", timeout=8000)
        self.assertEqual((error.code, error.details["reason"]), ("SERVER_START_FAILED", "timeout"))
        self.assertIn("readyUrl with 2xx or 3xx (the server responded with HTTP status 404)", error.message)
        self.assertTrue(is_free(port))

    def test_readiness_over_tls_whoever_signed(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        cert, key = certificate(folder, names="DNS:elsewhere.example")
        for host, client in ("localhost", self.client), ("127.0.0.1", self.start(*E2E, "--ignore-https-errors")):
            port = free_port()
            session = self.open("--silent", "--port", str(port), "--tls", cert, key, port=port,
                                readyUrl=f"https://{host}:{port}/", client=client)
            self.assertEqual(session.url, f"https://localhost:{port}")
            self.assertEqual(session.call("getSessionStatus")["status"], "running")
            if client == self.client:
                self.assertIn("ERR_CERT", session.fail("navigate", url="/").message)
            else:
                self.assertEqual(session.call("navigate", url="/")["title"], "Application")
            session.end()

    def test_one_that_answers_with_errors_alone_is_unhealthy(self):
        session = self.open("--url-path", "/broken")
        status = session.call("getSessionStatus")
        self.assertEqual((status["status"], status["healthy"]), ("unhealthy", False))
        self.assertIn("the server responded with HTTP status 500", status["message"])

    def test_one_that_exits_at_once_says_why(self):
        error = self.refuse("--exit", "1")
        self.assertEqual((error.code, error.details["reason"]), ("SERVER_START_FAILED", "exited"))
        self.assertIn("exited with status 1", error.message)
        self.assertIn("it ends at once", error.details["stderr"])
        self.assertEqual(error.body["error"]["type"], "server_start_failed")

    def test_one_that_never_listens_is_ended(self):
        error = self.refuse("--deaf", timeout=500)
        self.assertEqual((error.code, error.details["reason"]), ("SERVER_START_FAILED", "timeout"))
        self.assertIn("did not listen on any port within 0.5 s", error.message)
        self.assertEqual([p for p in self.client.processes() if SERVER in p.command()], [])
        port = free_port()
        self.assertIn(f"did not listen on port {port} ", self.refuse("--deaf", port=port, timeout=100).message)

    def test_a_program_that_is_not_there(self):
        error = self.client.fail("startSession", command="no-such-program-at-all")
        self.assertEqual((error.code, error.details["reason"]), ("SERVER_START_FAILED", "command_not_found"))

    def test_a_taken_port_names_its_holder_and_leaves_it_alone(self):
        holder = subprocess.Popen([sys.executable, SERVER], stdout=subprocess.PIPE, text=True)
        self.addCleanup(holder.communicate)
        self.addCleanup(holder.kill)
        port = int(holder.stdout.readline().split("127.0.0.1:")[1].split("m")[1].split("\x1b")[0])
        refusal = self.refuse("--port", str(port), port=port)
        self.assertEqual((refusal.details["reason"], refusal.details["pid"]), ("port_in_use", holder.pid))
        self.assertIn("python", refusal.details["name"])
        self.assertNotIn(SERVER, refusal.message)  # arguments of other processes may be secrets
        found = self.refuse("--port", str(port))  # the server itself finds out
        self.assertEqual(found.details["reason"], "port_in_use" if "in use" in found.details["stderr"] else "exited")
        self.assertIsNone(holder.poll())

    def test_one_that_ignores_the_signal_is_killed(self):
        session = self.open("--ignore-term")
        self.assertEqual(session.end()["status"], "force_stopped")
        self.assertTrue(is_free(session.port))

    def test_a_daemon_child_ends_with_the_session(self):
        session = self.open("--daemon-child")
        child, = [p for p in self.client.processes() if p.command()[:1] == ["sleep"]]
        session.end()
        self.assertFalse(child.alive())

    def test_a_flood_of_output_stays_bounded(self):
        session = self.open("--flood", "40")
        folder = os.path.dirname(session.answer["logs"]["stdout"])
        size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))
        self.assertLess(size, 33 << 20)  # two files of 8 MiB for each of stdout and combined
        for name in os.listdir(folder):
            self.assertEqual(os.stat(os.path.join(folder, name)).st_mode & 0o777, 0o600)
        self.assertEqual(len(session.call("readServerLogs", logType="stdout", lines=1)["content"].splitlines()), 1)
        session.end()
        self.assertFalse(os.path.exists(folder))

    def test_logs_by_stream_lines_and_offset(self):
        session = self.open()
        session.call("navigate", url="/words?one")
        session.call("navigate", url="/words?two")
        read = lambda **more: session.call("readServerLogs", **more)
        whole = read(logType="stderr")
        self.assertEqual(whole["content"], "one\ntwo\n")
        self.assertEqual(read(logType="stderr", lines=1)["content"], "two\n")
        session.call("navigate", url="/words?three")
        self.assertEqual(read(logType="stderr", offset=whole["nextOffset"])["content"], "three\n")
        self.assertIn("ready", read(logType="stdout")["content"])
        self.assertEqual(read()["content"].splitlines()[1:], ["one", "two", "three"])

    def test_restart(self):
        session = self.open()
        session.call("navigate", url="/words?before")
        answer = session.call("restartServer")
        self.assertEqual((answer["status"], answer["previousPid"], answer["previousPort"]), ("restarted", session.pid, session.port))
        self.assertNotEqual(answer["pid"], session.pid)
        self.assertEqual(session.call("navigate", url="/")["url"], answer["url"] + "/")
        self.assertEqual(session.call("readServerLogs", logType="stderr")["content"], "before\n")
        self.assertTrue(is_free(session.port) or answer["port"] == session.port)

    def test_one_that_dies_during_the_test(self):
        session = self.open()
        session.call("navigate", url="/")
        self.assertEqual(session.fail("navigate", url="/die").code, "NAVIGATION_FAILED")
        while session.call("getSessionStatus")["status"] != "stopped":
            pass
        error = session.fail("navigate", url="/")
        self.assertIn("Traceback: it dies", error.body["serverLogs"]["stderr"])
        self.assertEqual(error.body["server"]["status"], "stopped")
        self.assertIn("restartServer", error.body["suggestion"])
        self.assertEqual(session.call("restartServer")["status"], "started")
        self.assertEqual(session.call("navigate", url="/")["status"], 200)
        self.assertEqual(session.end()["status"], "stopped")

    def test_environment_and_folder(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        code = "import os, sys; sys.argv[1:] = ['--say', os.getcwd() + ' ' + os.environ['WORD']]; exec(open(%r).read())" % SERVER
        answer = self.client.call("startSession", command=sys.executable, args=["-c", code], cwd=folder, env={"WORD": "red"})
        read = lambda: self.client.call("readServerLogs", sessionId=answer["sessionId"])["content"]
        self.repeat(read, lambda content: f"{folder} red" in content)  # printed after it is ready

    def test_arguments_that_cannot_be(self):
        for arguments in ({}, {"command": "x", "commandPath": "/x"}, {"commandPath": "/x", "port": 1},
                          {"command": "true", "readyLog": "("}, {"command": "true", "readyUrl": "http://example.com/"},
                          {"command": "true", "env": {"A": 1}}, {"command": "true", "cwd": "/no/such/folder"},
                          {"command": "", "commandPath": ""}):
            with self.subTest(arguments):
                error = self.client.fail("startSession", **arguments)
                self.assertEqual((error.code, error.body["error"]["type"]), ("INVALID_PARAMETERS", "invalid_input"))

    def test_what_is_empty_is_as_if_left_out(self):
        answer = self.client.call("startSession", command=sys.executable, args=[SERVER], commandPath="", cwd="", readyUrl="", readyLog="")
        self.assertEqual(answer["status"], "ready")

    def test_a_session_without_a_server(self):
        session = self.client.session()
        self.assertEqual(session.fail("endSession").code, "NO_SERVER")
        self.assertEqual(session.fail("getSessionStatus").code, "NO_SERVER")
        error = self.client.fail("endSession", sessionId="unknown")
        self.assertEqual((error.code, error.body["error"]["type"]), ("SESSION_NOT_FOUND", "session_not_found"))


class Failures(Case):
    def test_evidence(self):
        session = self.open()
        session.call("navigate", url="/words?stderr%20words")
        session.call("evaluate", script="void console.error('after the page')")
        error = session.fail("click", selector="#nothing", timeout=50)
        body = error.body
        self.assertEqual((body["errorCode"], body["error"]["type"]), ("ELEMENT_NOT_FOUND", "element_not_found"))
        self.assertEqual(body["error"]["context"]["tool"], "click")
        self.assertEqual(body["error"]["context"]["args"], {"sessionId": session.id, "selector": "#nothing", "timeout": 50})
        self.assertEqual(body["error"]["context"]["sessionId"], session.id)
        picture, = error.pictures
        self.assertEqual(base64.b64decode(picture)[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(body["serverLogs"]["stderr"], "stderr words\n")
        self.assertNotIn("missing", body)
        self.assertTrue(body["suggestion"])

    def test_pictures_of_compact_answers_are_as_large_as_models_see_them(self):
        session = self.open(client=self.start(*E2E, "--answers", "compact", "--viewport-size", "2000x1000"))
        session.call("navigate", url="/words")
        error = session.fail("click", selector="#nothing", timeout=50)
        self.assertEqual(error.body["screenshot"]["mimeType"], "image/jpeg")
        height, width = re.search(rb"\xff[\xc0-\xc2]\0\x11\x08(..)(..)", base64.b64decode(error.pictures[0]), re.S).groups()
        self.assertEqual((width, height), ((1568).to_bytes(2, "big"), (784).to_bytes(2, "big")))

    def test_an_address_where_nothing_listens(self):
        port = free_port()
        session = self.open(client=self.start(*E2E, "--egress-hosts", f"127.0.0.1:{port}"))
        error = session.fail("navigate", url=f"http://127.0.0.1:{port}/")
        self.assertEqual(error.code, "NAVIGATION_FAILED")
        self.assertIn(f"(127.0.0.1 port {port}: Connection refused)", error.message)

    def test_console_errors_are_those_since_the_last_call(self):
        session = self.open()
        session.call("navigate", url="/")
        first = session.fail("evaluate", script="console.error('during'), thrown.away")
        self.assertEqual(first.body["error"]["type"], "script_error")
        self.assertIn("during", " ".join(first.body["consoleErrors"]))
        self.assertNotIn("from the page", " ".join(first.body["consoleErrors"]))
        second = session.fail("click", selector="#nothing", timeout=50)
        self.assertEqual(second.body["consoleErrors"], [])

    def test_a_page_that_cannot_draw_is_named(self):
        session = self.open()
        session.call("navigate", url="/")
        session.call("evaluate", script="void setTimeout(() => { for (;;); })")
        error = session.fail("click", selector="#b", timeout=200)
        self.assertEqual(error.pictures, [])
        self.assertIn("screenshot", [part["part"] for part in error.body["missing"]])
        self.assertIn("stderr", error.body["serverLogs"])

    def test_other_tools_tell_it_too(self):
        session = self.open()
        result = self.client.start_call("browser_click", {"sessionId": session.id, "target": "#nothing"}).result()
        self.assertTrue(result["isError"])
        self.assertTrue(result["content"][0]["text"].startswith("### Error"))
        self.assertIn('"serverLogs"', result["content"][1]["text"])
        self.assertEqual(result["content"][2]["type"], "image")

    def test_what_is_masked_in_logs_stays_masked(self):
        client = self.start(*E2E, "--redact", "hunter[0-9]+")
        session = self.open(client=client)
        session.call("navigate", url="/words?password=hunter2")
        self.assertIn("password=[redacted]", session.call("readServerLogs")["content"])
        error = session.fail("click", selector="#hunter3", timeout=50)
        self.assertIn("[redacted]", error.body["serverLogs"]["stderr"])
        self.assertNotIn("hunter", str(error.body))


class Ends(Case):
    def setUp(self):
        self.client = self.share(*E2E)
        self.addCleanup(self.end_all, self.client)

    def ports_after(self, session, action):
        gone = [p for p in self.client.processes() if SERVER in p.command()]
        action()
        processes.wait_gone(set(gone))
        self.assertTrue(is_free(session.port))

    def test_with_the_session(self):
        session = self.open("--daemon-child")
        self.ports_after(session, lambda: self.client.call("close_session", sessionId=session.id))

    def test_with_the_browser(self):
        session = self.open()
        self.ports_after(session, lambda: self.client.browser().kill())

    def test_with_the_client(self):
        self.client = self.start(*E2E)
        session = self.open("--ignore-term", "--daemon-child")
        self.client.close()
        self.assertTrue(is_free(session.port))

    def test_with_browserd_that_is_killed(self):
        client = self.start_unchecked(*E2E)
        session = self.open("--ignore-term", "--daemon-child", client=client)
        before = client.processes()
        client.process.kill()
        client.wait()
        client.check_clean(before)
        self.assertTrue(is_free(session.port))

    def test_although_its_keeper_is_killed(self):
        session = self.open("--ignore-term", "--daemon-child")
        keeper, = (k for k in processes.keepers(self.client.processes())
                   if session.pid in {p.pid for p in processes.descendants(k.pid)})
        self.ports_after(session, lambda: (keeper.kill(), processes.wait_gone({keeper}), session.end()))

    def test_although_browserd_and_its_keepers_are_killed(self):
        client = self.start_unchecked(*E2E)
        session = self.open("--ignore-term", "--daemon-child", client=client)
        before = client.processes()
        client.process.send_signal(signal.SIGSTOP)  # it must not see what becomes of its keepers
        keepers = processes.keepers(before)
        for process in keepers:
            process.kill()
        client.process.kill()
        client.wait()
        processes.wait_gone(keepers)  # they hold the locks of the folders until they have ended
        self.assertTrue(any(process.alive() for process in before))  # what the server has started
        again = self.start_unchecked(*E2E, env={"TMPDIR": client.home})
        again.session()
        processes.wait_gone(before)
        self.assertTrue(is_free(session.port))
        again.close()
        self.assertEqual(processes.leftovers(client.home), [])

    def test_after_idle_time(self):
        self.client = self.start(*E2E, "--server-idle-timeout", "700")
        session = self.open()
        self.ports_after(session, lambda: None)
        error = session.fail("navigate", url="/")
        self.assertEqual(error.code, "SESSION_EXPIRED")
        self.assertIn("700 ms", error.message)

    def test_calls_move_the_idle_time(self):
        self.client = self.start(*E2E, "--server-idle-timeout", "60000")
        session = self.open()
        expiry = lambda: self.client.call("list_sessions")["sessions"][0]["expiresAt"]
        before = expiry()
        while expiry() == before:
            session.call("readServerLogs")

    def test_after_its_lifetime(self):
        self.client = self.start(*E2E, "--server-lifetime", "1500")
        session = self.open()
        gone = {p for p in self.client.processes() if SERVER in p.command()}
        error = session.fail("waitForSelector", selector="#never", timeout=60000)
        self.assertEqual(error.code, "SESSION_EXPIRED")
        self.assertIn("lifetime", error.message)
        processes.wait_gone(gone)
        self.assertTrue(is_free(session.port))

    def test_ending_cancels_what_runs(self):
        session = self.open()
        waiting = self.client.start_call("waitForSelector", {"sessionId": session.id, "selector": "#never", "timeout": 60000})
        self.client.call("list_sessions")
        session.end()
        self.assertEqual(waiting.failure().code, "SESSION_NOT_FOUND")

    def test_ending_during_a_restart(self):
        for args in (["--ignore-term"], ["--late", "0.3"]):
            session = self.open(*args)
            restart = self.client.start_call("restartServer", {"sessionId": session.id})
            self.client.call("list_sessions")
            self.assertTrue(session.end()["success"])
            self.assertEqual(restart.failure().code, "SESSION_NOT_FOUND")
            self.assertTrue(is_free(session.port))

    def test_a_start_that_is_cancelled(self):
        reply = self.client.start_call("startSession", {"command": sys.executable, "args": [SERVER, "--deaf"]})
        while not [p for p in self.client.processes() if SERVER in p.command()]:
            self.client.call("list_sessions")
        gone = {p for p in self.client.processes() if SERVER in p.command()}
        self.client.cancel(reply)
        processes.wait_gone(gone)
        self.assertEqual(self.client.call("list_sessions")["count"], 0)

    def test_the_client_leaves_during_a_start(self):
        self.client = self.start(*E2E)
        self.client.start_call("startSession", {"command": sys.executable, "args": [SERVER, "--deaf"]})
        while not [p for p in self.client.processes() if SERVER in p.command()]:
            self.client.call("list_sessions")
        self.client.close()

    def test_twenty_at_once(self):
        start = lambda: self.client.start_call("startSession", {"command": sys.executable, "args": [SERVER]})
        sessions = [ServerSession(self.client, reply.value()) for reply in [start() for _ in range(20)]]
        self.assertEqual(len({session.port for session in sessions}), 20)
        pages = [self.client.start_call("navigate", {"sessionId": s.id, "url": "/pid"}) for s in sessions]
        for reply in pages:
            self.assertEqual(reply.value()["status"], 200)
        for session in sessions:
            self.assertEqual(int(session.call("evaluate", script="document.body.textContent")["value"]), session.pid)
        for reply in [self.client.start_call("endSession", {"sessionId": s.id}) for s in sessions]:
            self.assertTrue(reply.value()["success"])
        self.assertEqual([s.port for s in sessions if not is_free(s.port)], [])


class OverHttp(BrowserdCase):
    def serve(self, *args, **more):
        server = HttpServer("--caps", "e2e", *args, **more)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def test_only_what_the_operator_names_is_started(self):
        error = self.serve().client().fail("startSession", command=sys.executable, args=[SERVER])
        self.assertEqual(error["errorCode"], "SECURITY_BLOCKED")
        self.assertIn("SERVER_COMMAND_PATH", error["message"])
        client = self.serve("--server-commands", os.path.realpath(sys.executable)).client()
        answer = client.call("startSession", command=sys.executable, args=[SERVER])
        self.assertEqual(client.call("navigate", sessionId=answer["sessionId"], url="/")["status"], 200)

    def test_clients_see_their_own_and_take_it_with_them(self):
        server = self.serve("--server-commands", os.path.realpath(sys.executable))
        one, other = server.client(), server.client()
        answer = one.call("startSession", command=sys.executable, args=[SERVER])
        for tool in ("endSession", "getSessionStatus", "restartServer", "readServerLogs"):
            self.assertEqual(other.fail(tool, sessionId=answer["sessionId"])["errorCode"], "SESSION_NOT_FOUND")
        gone = {p for p in server.processes() if SERVER in p.command()}
        one.delete()
        processes.wait_gone(gone)
        self.assertTrue(is_free(answer["port"]))

    def test_environment_of_containers(self):
        port = free_port()
        client = self.start_unchecked(version=None, env={"TRANSPORT_MODE": "http", "PORT": str(port)})
        client._wait(lambda: f"Listening on http://127.0.0.1:{port}" in client.stderr())

    def test_our_settings_are_not_the_server_s(self):
        client = self.start(*E2E, env={"PORT": "1", "BROWSERD_AUTH_TOKEN": "0123456789abcdef", "OTHERS": "stay"})
        code = "import os, sys; print('saw', [os.environ.get(n) for n in ('PORT', 'BROWSERD_AUTH_TOKEN', 'OTHERS', 'NEW')]); sys.exit(3)"
        error = client.fail("startSession", command=sys.executable, args=["-c", code], env={"NEW": "one"})
        self.assertIn("saw [None, None, 'stay', 'one']", error.message)


if __name__ == "__main__":
    main()
