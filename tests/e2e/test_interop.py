"""The official MCP TypeScript client lists and calls every tool, over each transport. MCP_SDK: a folder where it was installed with npm."""
import json
import os
import shutil
import subprocess
import tempfile

from support import keys
from support.case import BrowserdCase, main, skip
from support.client import PATIENCE, binary
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.ports import free_port


class Interop(BrowserdCase):
    def test_the_official_client_lists_and_calls_every_tool(self):
        pages = self.pages()
        target = pages.page("<input id=i><button id=b onclick=\"document.title = i.value\">x</button>"
                            "<select id=s><option>A<option>B</select><input type=file id=f><button id=a onclick='alert(1)'>y</button>"
                            "<p id=d ondragover='event.preventDefault()'>z</p>",
                            title="interop")
        result = subprocess.run(["node", os.path.join(os.path.dirname(__file__), "interop.mjs"), os.environ["MCP_SDK"], binary(), target],
                                capture_output=True, text=True, timeout=3 * PATIENCE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        for transport, said in json.loads(result.stdout).items():
            with self.subTest(transport):
                self.assertEqual(sorted(said["called"]), sorted(said["listed"]))
                self.assertGreater(len(said["listed"]), 30)
                self.assertEqual((said["title"], said["progress"]), ("typed", True))
                self.assertEqual((said["unknown"], said["failure"]), (-32602, "SESSION_NOT_FOUND"))

    def test_the_official_client_takes_the_short_list(self):
        for chosen in ((), ("--profile", "minimal"), ("--caps", "observe,config,vision,testing,pdf,devtools,storage,network,e2e")):
            args = (binary(), "--answers", "compact", *chosen)
            result = subprocess.run(["node", os.path.join(os.path.dirname(__file__), "interop_list.mjs"), os.environ["MCP_SDK"], *args],
                                    capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            said = json.loads(result.stdout)
            self.assertLessEqual({"create_session", "browser_click"}, set(said["names"]))
            self.assertIn("cursor", said["instructions"])

    def test_the_official_client_takes_tls_and_finds_the_issuer(self):
        folder, port = tempfile.TemporaryDirectory(), free_port()
        self.addCleanup(folder.cleanup)
        cert, key = keys.certificate(folder.name)
        address = f"https://localhost:{port}/mcp"
        issuer = Issuer(folder.name, address)
        server = HttpServer("--port", str(port), "--tls-cert", cert, "--tls-key", key, "--oauth-issuer", NAME, "--oauth-jwks",
                            issuer.write(), "--public-url", address, trust=cert)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        result = subprocess.run(["node", os.path.join(os.path.dirname(__file__), "interop_auth.mjs"), os.environ["MCP_SDK"], address,
                                 self.pages().page("x", title="behind TLS"), issuer.token(), issuer.token(scope="browser:read")],
                                capture_output=True, text=True, timeout=PATIENCE, check=False,
                                env={**os.environ, "NODE_EXTRA_CA_CERTS": cert})
        self.assertEqual(result.returncode, 0, result.stderr)
        said = json.loads(result.stdout)
        self.assertEqual((said["found"]["resource"], said["found"]["authorization_servers"]), (address, [NAME]))
        self.assertEqual({name: said[name] for name in said if name != "found"}, {
            "status": 401, "scope": "browser:read", "same": True, "titles": [True, True], "tools": True, "forbidden": 403, "wrong": 401})


if __name__ == "__main__":
    if not shutil.which("node"):
        skip("node is not installed")
    if not os.path.isdir(os.path.join(os.environ.get("MCP_SDK", ""), "node_modules", "@modelcontextprotocol", "sdk")):
        skip("MCP_SDK names no folder with @modelcontextprotocol/sdk")
    main()
