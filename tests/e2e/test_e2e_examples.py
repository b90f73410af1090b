"""The applications of examples/e2e, by their commands and as plain servers."""
import os
import shutil
import tempfile

from support.case import BrowserdCase, main

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "examples", "e2e")


class Examples(BrowserdCase):
    def setUp(self):
        self.client = self.start("--caps", "e2e")

    def use(self, session):
        call = lambda tool, **more: self.client.call(tool, sessionId=session["sessionId"], **more)
        call("navigate", url="/")
        call("type", selector="input", text="milk & <b>")
        call("click", selector="button")
        call("waitForSelector", selector="//li[text()='milk & <b>']")
        return call

    def by_command(self, name, program):
        if not shutil.which(program):
            self.skipTest(f"{program} is not installed")
        state = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, state)
        session = self.client.call("startSession", commandPath=os.path.join(EXAMPLES, name), env={"STATE_DIR": state})
        self.assertEqual(session["status"], "ready")
        call = self.use(session)
        self.assertEqual(call("getSessionStatus")["status"], "running")
        restarted = call("restartServer")
        self.assertEqual((restarted["status"], restarted["previousPid"]), ("restarted", session["pid"]))
        call("navigate", url="/")
        self.assertFalse(call("exists", selector="li")["exists"])
        self.assertIn("listening", call("readServerLogs", logType="stdout")["content"])
        self.assertEqual(call("endSession")["status"], "stopped")

    def test_python_by_command(self):
        self.by_command("python-app.sh", "python3")

    def test_node_by_command(self):
        self.by_command("node-app.sh", "node")

    def plain(self, folder, program, file):
        if not shutil.which(program):
            self.skipTest(f"{program} is not installed")
        session = self.client.call("startSession", command=program, args=[file], cwd=os.path.join(EXAMPLES, folder))
        call = self.use(session)
        self.assertEqual(call("endSession")["status"], "stopped")

    def test_plain_python(self):
        self.plain("python", "python3", "app.py")

    def test_plain_node(self):
        self.plain("node", "node", "app.js")


if __name__ == "__main__":
    main()
