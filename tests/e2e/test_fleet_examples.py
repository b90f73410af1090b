"""examples/fleet: that the programs which read its files take them."""
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support.case import BrowserdCase, main
from support.client import binary
from support.fleet import EXAMPLE, program

FOLDER = EXAMPLE.parent
ROOT = FOLDER.parents[1]
MANIFESTS = sorted((FOLDER / "kubernetes").glob("*.yaml"))
UNIT = FOLDER / "systemd" / "browserd@.service"
SUPPORT = ROOT / "tests" / "support"


def run(*command, **environment):
    """Exit status and all that a program said."""
    found = subprocess.run([str(word) for word in command], env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, check=False)
    return found.returncode, found.stdout


def can_read_kubernetes():
    return shutil.which("node") and Path(os.environ.get("MCP_SDK", ""), "node_modules", "kubernetes-models").is_dir()


def has_seccomp():
    with contextlib.suppress(OSError):
        import ctypes
        return bool(ctypes.CDLL("libseccomp.so.2"))
    return False


class Files(BrowserdCase):
    def passes(self, *command, **environment):
        status, said = run(*command, **environment)
        self.assertEqual(status, 0, said)
        return said

    @unittest.skipUnless(program("haproxy"), "HAProxy is not installed")
    def test_haproxy(self):
        for environment in ({}, {"FLEET_BIND": ":8931", "FLEET_SOCKET": "/run/haproxy/fleet.sock", "FLEET_DOMAIN": "nodes.browserd.svc"}):
            self.assertNotIn("WARNING", self.passes(program("haproxy"), "-c", "-f", EXAMPLE, **environment))

    @unittest.skipUnless(can_read_kubernetes(), "node, or the descriptions of Kubernetes from npm are not installed")
    def test_kubernetes(self):
        check = ["node", SUPPORT / "kubernetes.mjs"]
        self.passes(*check, *MANIFESTS)
        with tempfile.TemporaryDirectory() as folder:
            wrong = Path(folder, "nodes.yaml")
            wrong.write_text((FOLDER / "kubernetes" / "nodes.yaml").read_text(encoding="utf-8").replace("runAsUser:", "runsAsUser:"), encoding="utf-8")
            status, said = run(*check, wrong)
            self.assertTrue(status == 1 and "runsAsUser" in said, said)  # the check finds what the server would drop
            if shutil.which("kubectl"):
                whole = Path(folder, "whole.yaml")
                whole.write_text(self.passes("kubectl", "kustomize", FOLDER), encoding="utf-8")
                self.passes(*check, whole)

    def test_options(self):
        """The files speak of options that exist, and of as many servers as there may be nodes."""
        used = {name for path in (*MANIFESTS, UNIT) for name in re.findall(r"\bBROWSERD_([A-Z_]+)\b", path.read_text(encoding="utf-8"))}
        known = {name.upper().replace("-", "_") for name in re.findall(r"^\| `--([a-z-]+)", (ROOT / "docs" / "options.md").read_text(encoding="utf-8"), re.M)}
        self.assertLess({"NODE", "DRAIN"}, used)
        self.assertLessEqual(used, known)
        most = int(re.search(r"maxReplicas: (\d+)", (FOLDER / "kubernetes" / "scaling.yaml").read_text(encoding="utf-8"))[1])
        self.assertEqual(EXAMPLE.read_text(encoding="utf-8").count("FLEET_DOMAIN}:8931"), 2 * most)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_systemd(self):
        text = UNIT.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder, UNIT.name)
            unit.write_text(re.sub("^ExecStart=.*", f"ExecStart={binary()}", text, flags=re.M), encoding="utf-8")
            self.assertEqual(self.passes("systemd-analyze", "verify", "--man=no", Path(folder, "browserd@node-0.service")), "")
        hardening = text[text.index("\nDynamicUser="):text.index("\n[Install]")]
        self.assertTrue((ROOT / "packaging/systemd/system/browserd.service").read_text(encoding="utf-8").endswith(hardening))

    @unittest.skipUnless(has_seccomp(), "libseccomp is not installed")
    def test_seccomp(self):
        """The browser's sandbox works under the profile, and not without what the profile adds to those of container engines."""
        profile = FOLDER / "kubernetes" / "seccomp.json"
        # The leak sanitizer attaches to its process, which the profile does not allow.
        more = {"cwd": "/", "env": {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}}
        client = self.start(command=[sys.executable, SUPPORT / "seccomp.py", profile, binary(), "--sandbox"], **more)
        session = client.session()
        session.navigate("data:text/html,<button onclick='document.title = `pressed`'>Press</button>")
        session.click("button")
        self.assertEqual(session.evaluate("document.title"), "pressed")
        lacking = Path(client.home, "profile.json")
        lacking.write_text(profile.read_text(encoding="utf-8").replace('"unshare", ', ""), encoding="utf-8")
        other = self.start(command=[sys.executable, SUPPORT / "seccomp.py", lacking, binary(), "--sandbox"], **more)
        self.assertIn("sandbox", other.fail("create_session").message)
        lacking.unlink()


if __name__ == "__main__":
    main()
