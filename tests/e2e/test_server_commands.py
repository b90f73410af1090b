"""Servers that a command manages by contract: startSession with commandPath, commands that keep the contract and that break it."""
import os
import shutil
import tempfile
import unittest

from support import processes
from support.case import SharedCase, main
from support.client import Client
from support.http_client import HttpServer
from support.ports import is_free

SUPPORT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support")
COMMAND = os.path.join(SUPPORT, "server_command.py")


class Case(SharedCase):
    args = ("--caps", "e2e")

    def setUp(self):
        super().setUp()
        self.folder = self.make_folder()

    def make_folder(self):
        folder = os.path.join(self.client.home, f"command-{len(os.listdir(self.client.home))}")
        os.mkdir(folder)
        self.addCleanup(shutil.rmtree, folder, True)
        return folder

    def verbs(self):
        with open(os.path.join(self.folder, "verbs")) as file:
            return file.read().split()

    def start_call(self, *habits, folder=None, command=COMMAND):
        return self.client.start_call("startSession", {"commandPath": command, "args": [folder or self.folder, *habits]})

    def open(self, *habits, **more):
        answer = self.start_call(*habits, **more).value()
        self.addCleanup(shutil.rmtree, self.folder, True)
        return answer

    def refuse(self, *habits, **more):
        return self.start_call(*habits, **more).failure()

    def call(self, answer, tool, **arguments):
        return self.client.call(tool, sessionId=answer["sessionId"], **arguments)

    def failure(self, answer, tool, **arguments):
        return self.client.fail(tool, sessionId=answer["sessionId"], **arguments)

    def tearDown(self):
        for session in self.client.call("list_sessions")["sessions"]:
            self.client.start_call("endSession", {"sessionId": session["sessionId"]}).result()
        shutil.rmtree(self.folder, ignore_errors=True)


class Contract(Case):
    def test_from_start_to_end(self):
        answer = self.open()
        self.assertEqual((answer["status"], answer["message"]), ("ready", "started"))
        self.assertEqual(answer["logs"]["stderr"], os.path.join(self.folder, "stderr.log"))
        self.assertEqual(self.call(answer, "navigate", url="/words?said")["status"], 200)
        self.assertEqual(self.call(answer, "readServerLogs", logType="stderr")["content"], "said\n")
        status = self.call(answer, "getSessionStatus")
        self.assertEqual((status["status"], status["healthy"]), ("running", True))
        restarted = self.call(answer, "restartServer")
        self.assertEqual((restarted["status"], restarted["previousPid"]), ("restarted", answer["pid"]))
        self.assertEqual(self.call(answer, "navigate", url="/")["url"], restarted["url"] + "/")
        ended = self.call(answer, "endSession")
        self.assertEqual((ended["status"], ended["message"]), ("stopped", "shut down"))
        self.assertTrue(is_free(answer["port"]) and is_free(restarted["port"]))
        self.assertEqual(self.verbs(), ["--start", "--status", "--restart", "--shutdown"])

    def test_garbage_before_the_answer(self):
        self.assertEqual(self.open("garbage")["status"], "ready")

    def test_an_answer_that_is_spread_over_lines(self):
        self.assertEqual(self.open("spread", "garbage")["status"], "ready")

    def test_a_command_that_stays_after_its_answer(self):
        answer = self.open("foreground")
        self.assertEqual(self.call(answer, "endSession")["status"], "stopped")

    def test_two_sessions_on_one_server(self):
        first, second = self.open(), self.open()
        self.assertEqual((second["status"], second["pid"]), ("already_running", first["pid"]))
        self.assertEqual(self.call(second, "readServerLogs", logType="stderr")["content"], "")
        self.assertEqual(self.call(first, "endSession")["status"], "stopped")
        self.assertEqual(self.call(second, "endSession")["status"], "already_stopped")

    def test_failures_are_told_apart(self):
        for habit, reason, words in (("failing", "non_zero_exit", "no such database"), ("broken", "invalid_json", "JSON"),
                                     ("incomplete", "invalid_answer", "port is missing")):
            with self.subTest(habit):
                error = self.refuse(habit)
                self.assertEqual((error.code, error.details["reason"]), ("SERVER_START_FAILED", reason))
                self.assertIn(words, error.message)
        self.assertEqual(self.refuse("failing").details["exitCode"], 1)

    def test_a_server_that_dies(self):
        answer = self.open()
        self.call(answer, "navigate", url="/")
        self.failure(answer, "navigate", url="/die")
        while self.call(answer, "getSessionStatus")["status"] != "stopped":
            pass
        error = self.failure(answer, "click", selector="#nothing", timeout=50)
        self.assertEqual(error.body["server"]["status"], "stopped")
        self.assertIn("it dies", error.body["serverLogs"]["stderr"])
        self.assertEqual(self.call(answer, "restartServer")["status"], "started")

    def test_the_keeper_says_shutdown_when_browserd_is_killed(self):
        client = self.start_unchecked("--caps", "e2e")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        answer = client.call("startSession", commandPath=COMMAND, args=[folder])
        before = client.processes()
        client.process.kill()
        client.wait()
        client.check_clean(before)
        self.assertTrue(is_free(answer["port"]))
        with open(os.path.join(folder, "verbs")) as file:
            self.assertEqual(file.read().split(), ["--start", "--shutdown"])

    def test_the_session_s_end_says_shutdown(self):
        answer = self.open()
        gone = {p for p in self.client.processes() if "web_server.py" in " ".join(p.command())}
        self.call(answer, "close_session")
        processes.wait_gone(gone)
        self.assertTrue(is_free(answer["port"]))
        self.assertEqual(self.verbs()[-1], "--shutdown")


class Permission(Case):
    def write(self, name, mode=0o755, folder=None, text="#!/bin/sh\nexit 3\n"):
        path = os.path.join(folder or self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def reason(self, path):
        return self.client.fail("startSession", commandPath=path).details["reason"]

    def test_paths(self):
        self.assertEqual(self.reason("relative/command"), "permission_denied")
        self.assertEqual(self.reason(self.folder), "permission_denied")
        self.assertEqual(self.reason(os.path.join(self.folder, "nothing")), "command_not_found")
        self.assertEqual(self.reason(self.write("plain", 0o644)), "permission_denied")
        self.assertEqual(self.reason(self.write("open", 0o757)), "permission_denied")
        self.assertEqual(self.reason(self.write("good")), "non_zero_exit")
        os.chmod(self.folder, 0o777)
        self.assertEqual(self.reason(self.write("good")), "permission_denied")

    def test_a_command_that_cannot_be_executed(self):
        self.assertEqual(self.reason(self.write("interpreted", text="#!/nowhere/at/all\n")), "command_not_found")
        self.assertEqual(self.reason(self.write("failing", text="#!/bin/sh\necho cannot run it >&2\nexit 127\n")), "non_zero_exit")

    def test_owner(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        path = self.write("another's")
        os.chown(path, 65534, 65534)
        self.assertEqual(self.reason(path), "permission_denied")

    def test_the_operator_s_list(self):
        inside = os.path.join(self.folder, "allowed")
        os.mkdir(inside)
        good, bad = self.write("good", folder=inside), self.write("bad")
        link = os.path.join(inside, "link")
        os.symlink(bad, link)
        for args, env in ((["--server-commands", inside], {}), ([], {"SERVER_COMMAND_PATH": inside})):
            with self.subTest(env):
                client = self.start("--caps", "e2e", *args, env=env)
                reason = lambda **more: client.fail("startSession", **more).details["reason"]
                self.assertEqual(reason(commandPath=good), "non_zero_exit")
                self.assertEqual(reason(commandPath=bad), "permission_denied")
                self.assertEqual(reason(commandPath=link), "permission_denied")
                self.assertEqual(reason(command="python3"), "permission_denied")
                self.assertEqual(reason(command="./good", cwd=inside), "exited")

    def test_a_link_that_changes_after_the_check(self):
        """Each later start runs the file that was checked, whatever the link then names."""
        mark, link = os.path.join(self.folder, "ran"), os.path.join(self.folder, "link")
        server = self.write("server", text=f"#!/bin/sh\nexec python3 {SUPPORT}/web_server.py\n")
        bad = self.write("bad", text=f"#!/bin/sh\ntouch {mark}\nexec sleep 1000\n")
        client = self.start("--caps", "e2e", "--server-commands", f"{server}:{COMMAND}")
        for good, how in ((server, {"command": link}), (COMMAND, {"commandPath": link, "args": [self.folder]})):
            with self.subTest(how):
                os.symlink(good, link)
                session = {"sessionId": client.call("startSession", **how)["sessionId"]}
                os.unlink(link)
                os.symlink(bad, link)
                self.assertEqual(client.call("restartServer", **session)["status"], "restarted")
                self.assertEqual(client.call("getSessionStatus", **session)["status"], "running")
                client.call("endSession", **session)
                os.unlink(link)
        self.assertFalse(os.path.exists(mark))

    # What a client says about the surroundings of a listed command.

    def listed(self, *args):
        """A client of a server that may start what is in `self.bin`, and a command there that prints its variables and directory."""
        self.bin, self.app = os.path.join(self.folder, "bin"), os.path.join(self.folder, "app")
        for folder in (self.bin, os.path.join(self.app, "deep")):
            os.makedirs(folder)
        self.path = os.path.join(self.bin, "show")
        with open(self.path, "w") as file:
            file.write("#!/bin/bash\necho shown\npwd >&2\nenv >&2\nexit 3\n")
        os.chmod(self.path, 0o755)
        return self.start("--caps", "e2e", "--server-commands", self.bin, *args)

    def test_variables_that_could_run_code_are_refused(self):
        mark = os.path.join(self.folder, "ran")
        client = self.listed()
        for name, value in (("BASH_FUNC_echo%%", f"() {{ touch {mark}; }}"), ("SHELLOPTS", "xtrace"), ("PS4", f"$(touch {mark})"),
                            ("BASH_ENV", mark), ("ENV", mark), ("NODE_OPTIONS", "--import=x"), ("PYTHONPATH", self.folder),
                            ("PATH", self.folder), ("LD_PRELOAD", "x.so"), ("GIT_SSH_COMMAND", "x"), ("PERL5OPT", "-Mx"),
                            ("JAVA_TOOL_OPTIONS", "x"), ("RUBYOPT", "-rx"), ("npm_config_script_shell", "x"), ("HOME", self.folder),
                            ("PORT ", "1"), ("port", "1"), ("", "x"), ("A=B", "x"), ("LANG\n", "x"), ("LANG", "a\nPATH=b"),
                            ("PORT", "a[$(id)]"), ("PORT", ""), ("BROWSERD_SERVER_FOLDER", "/tmp")):
            for how in ({"commandPath": self.path}, {"command": self.path}):
                with self.subTest(name, how=how):
                    error = client.fail("startSession", **how, env={name: value})
                    self.assertIn(error.code, ("SERVER_START_FAILED", "INVALID_PARAMETERS"))
                    self.assertIn("env:", error.message)
                    self.assertIn(name.strip(), error.message)
        self.assertIn("--server-env", client.fail("startSession", command=self.path, env={"PATH": "x"}).message)
        self.assertFalse(os.path.exists(mark))

    def test_the_usual_variables_and_those_that_the_operator_names(self):
        client = self.listed("--server-env", "MODE,APP_*")
        error = client.fail("startSession", command=self.path, env={"PORT": "8123", "NODE_ENV": "test", "MODE": "m", "APP_X": "x y"})
        self.assertEqual(error.details["reason"], "exited")
        for line in ("PORT=8123", "NODE_ENV=test", "MODE=m", "APP_X=x y"):
            self.assertIn(line, error.details["stderr"])
        for name in ("MODES", "AP", "APPX", "XAPP_X"):
            self.assertIn("--server-env", client.fail("startSession", command=self.path, env={name: "x"}).message)

    def test_entries_that_would_allow_anything_are_refused(self):
        for entry in ("*", "N*", "A B", "1A", "A-*", "A_*B", ""):
            with self.subTest(entry):
                client = self.start_unchecked("--caps", "e2e", "--server-env", f"MODE,{entry}" if entry else "A,,B*", version=None)
                self.assertNotEqual(client.wait(), 0)
                self.assertIn("--server-env", client.stderr())

    def test_directories_to_run_in(self):
        dirs = lambda client, cwd: client.fail("startSession", cwd=cwd, command=self.path)
        client = self.listed()
        self.assertIn(self.bin + "\n", dirs(client, self.bin).details["stderr"])
        link = os.path.join(self.bin, "way")
        os.symlink(self.app, link)
        for cwd in (self.app, self.folder, "/", "/tmp", os.path.join(self.bin, ".."), link):
            with self.subTest(cwd):
                for error in (dirs(client, cwd), client.fail("startSession", cwd=cwd, commandPath=self.path)):
                    self.assertEqual(error.details["reason"], "permission_denied")
                    self.assertIn("--server-dirs", error.message)
        client = self.start("--caps", "e2e", "--server-commands", self.path, "--server-dirs", self.app)
        for cwd in (self.bin, self.app, os.path.join(self.app, "deep")):
            self.assertIn(cwd + "\n", dirs(client, cwd).details["stderr"])
        self.assertEqual(dirs(client, self.folder).details["reason"], "permission_denied")

    def test_no_server_runs_where_clients_have_their_files(self):
        self.listed()
        out = os.path.join(self.app, "out")
        server = HttpServer("--caps", "e2e", "--server-commands", self.bin, "--server-dirs", self.app, "--output-dir", out)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        client = server.client()
        client.navigate("about:blank")
        mine, = os.listdir(out)
        for cwd in (out, os.path.join(out, mine)):
            self.assertIn("contains files of clients", client.fail("startSession", command=self.path, cwd=cwd)["message"])

    def test_without_a_list_everything_may_be_said(self):
        self.listed()
        error = self.client.fail("startSession", command=self.path, cwd=self.app, env={"ANY_thing": "x", "PATH": os.environ["PATH"]})
        self.assertIn("ANY_thing=x", error.details["stderr"])
        self.assertIn(self.app + "\n", error.details["stderr"])

    def test_no_shell_looks_at_arguments(self):
        path = os.path.join(self.folder, "echo")
        with open(path, "w") as file:
            file.write('#!/bin/sh\nprintf "%s|" "$@" >&2\nexit 3\n')
        os.chmod(path, 0o755)
        error = self.client.fail("startSession", commandPath=path, args=["$(touch x)", "; ls", "a b"])
        self.assertEqual(error.details["stderr"], "--start|$(touch x)|; ls|a b|")


class Logs(Case):
    def reason(self, path):
        error = self.refuse(f"other-log={path}")
        self.assertEqual((error.code, error.details["reason"]), ("SERVER_START_FAILED", "log_refused"), error.message)
        return error.message

    def test_what_is_no_log_of_its_own(self):
        outside = tempfile.mkdtemp(dir="/var/tmp")
        self.addCleanup(shutil.rmtree, outside)
        secret = os.path.join(outside, "secret")
        with open(secret, "w") as file:
            file.write("secret")
        link, folder_link, fifo = (os.path.join(self.folder, name) for name in ("link", "folder", "fifo"))
        os.symlink(secret, link)
        os.symlink(outside, folder_link)
        os.mkfifo(fifo)
        self.assertIn("outside", self.reason(secret))
        self.assertIn("outside", self.reason(os.path.join(outside, "nothing")))
        self.assertIn("outside", self.reason(link))
        self.assertIn("outside", self.reason(os.path.join(folder_link, "secret")))
        self.assertIn('".." component', self.reason(os.path.join(self.folder, "..", "x")))
        self.assertIn("not a regular file", self.reason("/dev/zero"))
        self.assertIn("not a regular file", self.reason(fifo))

    def test_the_logs_of_another_session(self):
        answer = self.open()
        for path in (answer["logs"]["stdout"], os.path.join(os.path.dirname(answer["logs"]["stdout"]), ".", "stdout.log")):
            error = self.refuse(f"other-log={path}", folder=self.make_folder())
            self.assertIn("another session", error.message)

    def test_a_log_that_became_a_link_later(self):
        answer = self.open()
        os.remove(answer["logs"]["stderr"])
        os.symlink("/etc/passwd", answer["logs"]["stderr"])
        self.assertEqual(self.failure(answer, "readServerLogs", logType="stderr").code, "LOG_READ_FAILED")
        os.remove(answer["logs"]["stderr"])
        self.assertEqual(self.failure(answer, "readServerLogs", logType="stderr").code, "LOG_FILE_NOT_FOUND")
        error = self.failure(answer, "click", selector="#nothing", timeout=50)
        self.assertEqual([part["part"] for part in error.body["missing"]], ["serverLogs"])

    def test_further_folders(self):
        outside = tempfile.mkdtemp(dir="/var/tmp")
        self.addCleanup(shutil.rmtree, outside)
        self.client = self.start("--caps", "e2e", "--server-log-dirs", outside)
        self.folder = self.make_folder()
        path = os.path.join(outside, "app.log")
        with open(path, "w") as file:
            file.write("from there\n")
        answer = self.open(f"other-log={path}")
        self.assertEqual(self.call(answer, "readServerLogs", logType="stderr")["content"], "from there\n")


class TimeLimits(unittest.TestCase):
    """Commands that hang. Their time limits pass while the other tests run: setUpModule() sends the calls, and this class runs last."""

    @classmethod
    def begin(cls):
        """Sends the calls, to a server of its own."""
        cls.client = Client("--caps", "e2e")
        unittest.addModuleCleanup(cls.client.discard)
        cls.mute = cls.client.start_call("startSession", {"commandPath": COMMAND, "args": [cls.make_folder(), "mute"]})
        cls.opened = cls.client.call("startSession", commandPath=COMMAND, args=[cls.make_folder(), "no-shutdown", "ignore-term"])
        cls.ending = cls.client.start_call("endSession", {"sessionId": cls.opened["sessionId"]})

    @staticmethod
    def make_folder():
        folder = tempfile.mkdtemp()
        unittest.addModuleCleanup(shutil.rmtree, folder, True)
        return folder

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def test_a_shutdown_that_hangs_ends_in_force(self):
        ended = self.ending.value()
        self.assertEqual(ended["status"], "force_stopped")
        self.assertIn("15 s", ended["message"])
        self.assertTrue(is_free(self.opened["port"]))

    def test_one_that_never_answers(self):
        error = self.mute.failure()
        self.assertEqual((error.code, error.details["reason"]), ("SERVER_START_FAILED", "timeout"))
        self.assertIn("30 s", error.message)
        self.assertEqual([p for p in self.client.processes() if "web_server.py" in " ".join(p.command())], [])


def setUpModule():
    TimeLimits.begin()


if __name__ == "__main__":
    main()
