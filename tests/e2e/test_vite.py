"""A session with the dev server of a front end: Vite of npm, in the folder that MCP_SDK names."""
import contextlib
import json
import os
import pathlib
import shutil
import tempfile

from support.case import BrowserdCase, main, skip
from support.client import ToolError

PAGE = '<!DOCTYPE html><title>App</title><main id=app></main><script type=module src=/main.js></script>'
SCRIPT = """import { word } from './word.js';
const show = text => { document.querySelector('#app').innerHTML = `<p class=${text}>${text}</p>`; };
show(word);
import.meta.hot.accept('./word.js', module => show(module.word));"""


class Vite(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "node_modules").symlink_to(pathlib.Path(os.environ["MCP_SDK"], "node_modules"))
        (self.folder / "package.json").write_text(json.dumps({"type": "module", "scripts": {"dev": "vite --clearScreen false"}}))
        (self.folder / "vite.config.js").write_text("export default { cacheDir: '.vite' }")
        (self.folder / "index.html").write_text(PAGE)
        (self.folder / "main.js").write_text(SCRIPT)
        (self.folder / "word.js").write_text("export const word = 'first'")

    def change_until(self, seen):
        """Vite announces changes over a WebSocket, which may not be open yet for the first one."""
        for attempt in range(10):
            (self.folder / "word.js").write_text(f"export const word = 'second' // {attempt}")
            with contextlib.suppress(ToolError):
                seen()
                return
        self.fail("the page never received the change")

    def test_from_start_to_end(self):
        client = self.start("--caps", "e2e")
        session = client.call("startSession", command="npm", args=["run", "dev"], cwd=str(self.folder),
                              env={"FORCE_COLOR": "1"})
        call = lambda tool, **more: client.call(tool, sessionId=session["sessionId"], **more)
        read = lambda: call("readServerLogs", logType="stdout")["content"]
        self.repeat(read, lambda content: "Local:" in content)  # printed after the server listens
        call("navigate", url="/")
        call("waitForSelector", selector="p.first")
        self.change_until(lambda: call("waitForSelector", selector="p.second", timeout=2000))
        self.assertEqual(call("getSessionStatus")["status"], "running")
        self.assertIn(call("endSession")["status"], ("stopped", "force_stopped"))
        self.assertEqual([p for p in client.processes() if "vite" in " ".join(p.command())], [])


if __name__ == "__main__":
    if not os.path.isdir(os.path.join(os.environ.get("MCP_SDK", ""), "node_modules", "vite")) or not shutil.which("npm"):
        skip("npm, or Vite in the folder that MCP_SDK names, is not there")
    main()
