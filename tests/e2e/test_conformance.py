"""
The official conformance suites of MCP against a build of browserd that has their fixtures (tests/conformance). MCP_SDK: a folder where they were installed with npm
as mcp-conformance and mcp-conformance-old.
"""
import os
import pathlib
import re
import shutil
import subprocess

from support.case import BrowserdCase, main, skip
from support.client import PATIENCE
from support.http_client import HttpServer

MODULES = pathlib.Path(os.environ.get("MCP_SDK", ""), "node_modules")
# Scored scenarios of each revision.
SCORED = {"2025-11-25": 30, "2026-07-28": 37}
# Those of the extension io.modelcontextprotocol/tasks, which no revision scores. That of notifications checks nothing in this version of the suite.
TASKS = ["lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input", "request-headers",
         "dispatch-and-envelope", "status-notifications", "required-task-error", "mrtr-composition"]


def program(suite):
    """
    The suite's program. Node 20 has no fs.globSync, which only a part of it wants that is not used here: the copy does
    without.
    """
    dist = MODULES / suite / "dist"
    copy = dist / f"without-glob-{os.getpid()}.mjs"
    copy.write_text(re.sub(r"globSync as [A-Za-z$_]+,", "", (dist / "index.js").read_text()))
    return copy


class Conformance(BrowserdCase):
    def run_suite(self, suite, *args, options=()):
        """What it says about the server; it must be content."""
        server = HttpServer(*options)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        script = program(suite)
        try:
            result = subprocess.run(["node", script, "server", "--url", f"http://127.0.0.1:{server.port}/mcp", *args],
                                    capture_output=True, text=True, timeout=3 * PATIENCE, check=False)
        finally:
            script.unlink()
        failed = [part for part in result.stdout.split("=== Running scenario: ") if "FAILURE" in part or "✗" in part]
        self.assertEqual(result.returncode, 0, "\n".join(failed)[-8000:] + result.stderr[-2000:])
        return result.stdout

    def passed(self, said):
        return set(re.findall(r"^✓ ([a-z0-9-]+):", said, re.M))

    def test_every_scored_scenario_passes(self):
        for revision, count in SCORED.items():
            with self.subTest(revision=revision):
                said = self.run_suite("mcp-conformance", "--requirements", revision)
                unscored = set(re.findall(r"^  [✓✗] ([a-z0-9-]+) \(", said, re.M))
                self.assertEqual(len(self.passed(said) - unscored), count)

    def test_headers_that_repeat_arguments(self):
        """Nodes of a fleet want them. The scenario is not scored."""
        said = self.run_suite("mcp-conformance", "--scenario", "http-custom-header-server-validation", "--spec-version", "2026-07-28",
                              options=("--node", "alpha"))
        self.assertRegex(said, r"Passed: (\d+)/\1,")

    def test_tasks(self):
        for name in TASKS:
            with self.subTest(scenario=name):
                said = self.run_suite("mcp-conformance", "--scenario", f"tasks-{name}", "--spec-version", "2026-07-28", "--force")
                self.assertRegex(said, r"Passed: (\d+)/\1, 0 failed, 0 warnings")

    def test_every_scenario_of_the_older_suite_passes(self):
        said = self.run_suite("mcp-conformance-old", "--suite", "all")
        self.assertEqual((len(self.passed(said)), "✗" in said), (32, False))


if __name__ == "__main__":
    if not shutil.which("node"):
        skip("node is not installed")
    if not (MODULES / "mcp-conformance").is_dir() or not (MODULES / "mcp-conformance-old").is_dir():
        skip("MCP_SDK names no folder with the conformance suites")
    main()
