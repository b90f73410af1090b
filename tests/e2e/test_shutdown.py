"""Every way to end: exit status 0 where one can be given, and never a process or a folder left behind."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from support import processes
from support.case import BrowserdCase, main
from support.client import PATIENCE, binary

ROUNDS = 2


def every_way(test):
    """Runs test(self, how) for the end of input and for each signal that asks to end."""
    def run(self):
        for how in (None, signal.SIGTERM, signal.SIGINT):
            with self.subTest(how):
                test(self, how)
    return run


class Orderly(BrowserdCase):
    def end(self, client, how):
        before = client.processes()
        if how is None:
            client.close_stdin()
        else:
            client.process.send_signal(how)
        self.assertEqual(client.wait(), 0, client.stderr())
        client.check_clean(before)

    @every_way
    def test_before_anything(self, how):
        client = self.start_unchecked(version=None)
        if how is not None:
            client.request("ping")  # so that the handlers are there
        self.end(client, how)

    @every_way
    def test_without_a_browser(self, how):
        self.end(self.start_unchecked(), how)

    @every_way
    def test_with_sessions(self, how):
        client = self.start_unchecked()
        for _ in range(3):
            client.session().navigate("data:text/html,<title>x</title>")
        self.end(client, how)

    @every_way
    def test_while_the_browser_starts(self, how):
        client = self.start_unchecked()
        client.start_call("create_session", {})
        client.request("ping")
        self.end(client, how)

    @every_way
    def test_with_calls_that_are_stuck(self, how):
        client, pages = self.start_unchecked(), self.pages()
        url, _ = pages.held()
        client.session().start("navigate", url=url)
        client.session().start("click", selector="#never", timeout=60000)
        busy = pages.page("<script>while (1);</script>")
        client.session().start("navigate", url=busy)
        pages.wait_request(url)
        pages.wait_request(busy)
        self.end(client, how)

    def test_twice(self):
        client = self.start_unchecked()
        client.session()
        before = client.processes()
        for _ in range(3):
            client.process.send_signal(signal.SIGTERM)
        client.close_stdin()
        self.assertEqual(client.wait(), 0)
        client.check_clean(before)

    def test_stdout_that_nobody_reads_any_more(self):
        with tempfile.TemporaryDirectory() as home, subprocess.Popen(
                [binary()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": home}) as server:
            ask = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
            server.stdin.write(ask)
            server.stdin.flush()
            self.assertTrue(server.stdout.readline())
            server.stdout.close()
            try:
                for _ in range(3):
                    server.stdin.write(ask)
                    server.stdin.flush()
            except BrokenPipeError:
                pass  # it has ended already: fine
            self.assertGreaterEqual(server.wait(PATIENCE), 0, "died of a signal")

    def test_answers_before_the_end_of_input_arrive(self):
        client = self.start_unchecked()
        replies = [client.start("ping") for _ in range(100)]
        client.close_stdin()
        self.assertEqual([reply.result() for reply in replies], [{}] * 100)
        self.assertEqual(client.wait(), 0)


class Violent(BrowserdCase):
    """kill -9 of the server or of what stands around it. Each round starts afresh."""

    def ended(self, before, home):
        self.assertEqual({" ".join(p.command())[:200] for p in processes.wait_gone(before | processes.marked(home))}, set())

    def gone(self, before, home):
        self.ended(before, home)
        self.assertEqual(processes.leftovers(home), [])

    def swept(self, home):
        """By the next start in the same place."""
        again = self.start_unchecked(env={"TMPDIR": home})
        again.session()
        self.assertEqual(len([name for name in os.listdir(home) if name.startswith("browserd-profile-")]), 1)
        again.close()
        self.assertEqual(processes.leftovers(home), [])

    def test_kill_9_of_the_server(self):
        for _ in range(ROUNDS):
            client = self.start_unchecked()
            client.session().navigate("data:text/html,<title>x</title>")
            before = client.processes()
            client.process.kill()
            client.process.wait(PATIENCE)
            self.gone(before, client.home)

    def test_kill_9_while_the_browser_starts(self):
        """Between the making of its folder and the start of who removes that, the folder stays, with nothing of a browser; Firefox's user.js is browserd's."""
        for _ in range(ROUNDS):
            client = self.start_unchecked()
            client.start_call("create_session", {})
            client.request("ping")
            before = client.processes()
            client.process.kill()
            client.process.wait(PATIENCE)
            self.ended(before, client.home)
            for name in processes.leftovers(client.home):
                self.assertLessEqual(set(os.listdir(os.path.join(client.home, name))), {"browserd-downloads", "browserd-uploads", "user.js"})
                self.swept(client.home)

    def holder(self, kind, **more):
        """A client process of its own; (process, home, everything that belongs to it)."""
        process = subprocess.Popen([sys.executable, "-m", "support.holder", kind], stdout=subprocess.PIPE, text=True, **more)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        home, _ = process.stdout.readline().split()
        self.addCleanup(shutil.rmtree, home, True)
        return process, home, processes.descendants(process.pid) | processes.marked(home)

    def test_kill_9_of_the_client(self):
        for kind in ("direct", "shell"):
            for _ in range(ROUNDS):
                with self.subTest(kind):
                    process, home, before = self.holder(kind)
                    process.kill()
                    process.wait(PATIENCE)
                    self.gone(before, home)

    def test_kill_9_of_a_client_behind_a_shell_that_keeps_the_pipe_open(self):
        """The shell holds both ends of the server's stdin: no end of input comes when the client dies."""
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                fifo = os.path.join(folder, "stdin")
                os.mkfifo(fifo)
                script = f"exec 3<>{fifo}; {sys.executable} -m support.fifo_client {fifo} & echo $!; wait; exec sleep 1000"
                shell = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True)
                self.addCleanup(shell.stdout.close)
                self.addCleanup(shell.wait)
                self.addCleanup(shell.kill)
                client = int(shell.stdout.readline())
                home = shell.stdout.readline().strip()
                self.addCleanup(shutil.rmtree, home, True)
                before = {p for p in processes.descendants(client) | processes.marked(home) if p.pid != client}
                self.assertTrue(processes.browsers(before))
                os.kill(client, signal.SIGKILL)
                self.gone(before, home)
                shell.kill()

    def test_the_keeper_may_be_killed_too(self):
        """Everything of the server but the browser: what is left is swept by the next start in the same place."""
        client = self.start_unchecked()
        client.session()
        before = client.processes()
        browser = client.browser()
        for process in before - {browser}:
            process.kill()
        client.process.kill()
        client.process.wait(PATIENCE)
        browser.kill()
        processes.wait_gone(before)
        self.swept(client.home)

    def test_profiles_in_use_are_not_swept(self):
        first = self.start_unchecked()
        session = first.session()
        second = self.start_unchecked(env={"TMPDIR": first.home})
        second.session().navigate("data:text/html,<title>x</title>")
        self.assertEqual(session.navigate("data:text/html,<title>still here</title>")["title"], "still here")
        second.close()
        self.assertEqual(session.evaluate("1 + 1"), 2)
        first.close()


if __name__ == "__main__":
    main()
