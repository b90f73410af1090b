"""The official MCP TypeScript client lists and calls every tool, over each transport. MCP_SDK: a folder where it was installed with npm."""
import json
import os
import shutil
import subprocess

from support.case import BrowserdCase, main, skip
from support.client import PATIENCE, binary


class Interop(BrowserdCase):
    def test_the_official_client_lists_and_calls_every_tool(self):
        pages = self.pages()
        target = pages.page("<input id=i><button id=b onclick=\"document.title = i.value\">x</button>"
                            "<select id=s><option>A<option>B</select><input type=file id=f><button id=a onclick='alert(1)'>y</button>"
                            "<p id=d ondragover='event.preventDefault()'>z</p>",
                            title="interop")
        result = subprocess.run(["node", os.path.join(os.path.dirname(__file__), "interop.mjs"), os.environ["MCP_SDK"], binary(), target],
                                capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        for transport, said in json.loads(result.stdout).items():
            with self.subTest(transport):
                self.assertEqual(sorted(said["called"]), sorted(said["listed"]))
                self.assertGreater(len(said["listed"]), 30)
                self.assertEqual((said["title"], said["progress"]), ("typed", True))
                self.assertEqual((said["unknown"], said["failure"]), (-32602, "SESSION_NOT_FOUND"))


if __name__ == "__main__":
    if not shutil.which("node"):
        skip("node is not installed")
    if not os.path.isdir(os.path.join(os.environ.get("MCP_SDK", ""), "node_modules", "@modelcontextprotocol", "sdk")):
        skip("MCP_SDK names no folder with @modelcontextprotocol/sdk")
    main()
