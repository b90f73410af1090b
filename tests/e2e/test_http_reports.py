"""What a server over HTTP says of itself: /health, /metrics, logs."""
import json
import shutil
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from support.case import main
from support.http_case import HttpCase


class Reports(HttpCase):
    def test_health(self):
        client = self.client()
        client.call("create_session")
        status, headers, body = self.server.ask("GET", "/health")
        said = json.loads(body)
        self.assertEqual((status, headers["Content-Type"], said["status"], said["browser"]), (200, "application/json", "ok", "running"))
        self.assertGreater(said["memoryBytes"], 0)
        self.assertGreaterEqual((said["sessions"], said["browserSessions"]), (1, 1))

    def test_metrics(self):
        client = self.client()
        before = self.metrics()
        client.call("list_sessions")
        client.fail("close_session", sessionId="none")
        after = self.metrics()
        for name in ('tool_calls_total{tool="list_sessions",outcome="ok"}', 'tool_calls_total{tool="close_session",outcome="failed"}',
                     'tool_call_seconds_bucket{tool="list_sessions",le="+Inf"}', 'tool_call_seconds_count{tool="list_sessions"}'):
            self.assertEqual(after["browserd_" + name], before.get("browserd_" + name, 0) + 1, name)
        self.assertGreaterEqual(after["browserd_sessions"], 1)
        self.assertEqual({name: after["browserd_" + name] for name in ("events_dropped_total", "observed_targets")},
                         {"events_dropped_total": 0, "observed_targets": 0})
        self.assertGreater(after['browserd_http_answers_total{status="200"}'], before['browserd_http_answers_total{status="200"}'])

    def test_metrics_of_load(self):
        """One call runs while the next waits for its turn on the session; the answers count the places."""
        client, pages = self.client(), self.pages()
        session = client.call("create_session")["sessionId"]
        before = self.metrics()
        url, released = pages.held()
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(client.call, "navigate", sessionId=session, url=url)
            pages.wait_request(url)
            second = pool.submit(client.call, "evaluate", sessionId=session, expression="1")
            while (during := self.metrics())['browserd_calls{state="waiting"}'] == 0:
                self.assertFalse(second.done())
            released.set()
            first.result(), second.result()
        after = self.metrics()
        self.assertEqual((during['browserd_calls{state="running"}'], during['browserd_calls{state="waiting"}']), (1, 1))
        self.assertEqual((after['browserd_calls{state="running"}'], after['browserd_calls{state="waiting"}']), (0, 0))
        for name in ("count", 'bucket{le="+Inf"}'):
            self.assertEqual(after["browserd_call_wait_seconds_" + name], before["browserd_call_wait_seconds_" + name] + 2)
        self.assertGreater(after["browserd_call_wait_seconds_sum"], before["browserd_call_wait_seconds_sum"])
        self.assertEqual(after["browserd_browser_sessions_max"], 20)
        self.assertEqual(after["browserd_browser_sessions_free"], 20 - after["browserd_browser_sessions"])
        self.assertGreater(after["browserd_sessions_max"], after["browserd_sessions"])

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed (Debian: prometheus)")
    def test_that_prometheus_can_read_the_metrics(self):
        self.client().call("create_session")
        checked = subprocess.run(["promtool", "check", "metrics"], input=self.server.ask("GET", "/metrics")[2], capture_output=True)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, b"", b""))

    def test_metrics_of_tools_that_pages_register(self):
        """They have one row, whatever the page calls them."""
        client = self.client()
        client.navigate(self.pages().page("<script>for (const name of ['a', 'b\"} 1']) document.modelContext.registerTool("
                                          "{ name, description: 'd', execute: () => 1 })</script>"))
        before = self.metrics()
        for tool in client.request("tools/list")["tools"]:
            if tool["name"].startswith("webmcp_"):
                client.call(tool["name"])
        after = self.metrics()
        name = 'browserd_tool_calls_total{tool="other",outcome="ok"}'
        self.assertGreater(after[name], before.get(name, 0))
        self.assertFalse([name for name in after if "webmcp" in name])

    def test_metrics_of_events(self):
        client = self.client()
        client.navigate("about:blank")
        before = self.metrics()
        client.evaluate("() => { console.log(1); console.warn(2) }")
        after = self.metrics()
        self.assertEqual(after['browserd_events_total{kind="console"}'], before['browserd_events_total{kind="console"}'] + 2)
        self.assertGreater(after["browserd_events_bytes"], 0)

    def metrics(self):
        lines = self.server.ask("GET", "/metrics")[2].decode().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))}

    def test_who_may_ask(self):
        token = "correct-horse-battery"
        server = self.serve("--auth-token", token)
        self.assertEqual([server.ask("GET", path)[0] for path in ("/health", "/metrics")], [200, 401])
        self.assertEqual(server.ask("GET", "/metrics", headers={"Authorization": "Bearer " + token})[0], 200)
        server = self.serve("--auth-token", token, "--host", "0.0.0.0")
        self.assertEqual(server.ask("GET", "/metrics")[0], 401)
        status, _, body = server.ask("GET", "/health")  # as a platform asks that looks after containers
        self.assertEqual((status, json.loads(body)), (200, {"status": "ok"}))
        self.assertEqual(server.ask("GET", "/health", headers={"Authorization": "Bearer wrong"})[0], 401)
        status, _, body = server.ask("GET", "/health", headers={"Authorization": "Bearer " + token})
        self.assertEqual((status, json.loads(body)["browser"]), (200, "not started"))
        server = self.serve("--no-health", "--no-metrics")
        self.assertEqual([server.ask("GET", path)[0] for path in ("/health", "/metrics")], [404, 404])

    def test_logs_as_json(self):
        server = self.serve("--log-format", "json", "--log-level", "info", "--auth-token", "correct-horse-battery")
        client = server.client(fields={"Authorization": "Bearer correct-horse-battery"})
        client.fail("close_session", sessionId="secret-argument")
        client.delete()
        server.wait_stderr("client_gone")
        lines = [json.loads(line) for line in server.stderr().splitlines() if "AddressSanitizer" not in line and "ASan" not in line]
        called = next(line for line in lines if line["event"] == "tool_called")
        self.assertEqual((called["level"], called["component"], called["sessionId"]), ("info", "main", "secret-argument"))
        self.assertEqual({**called["details"], "milliseconds": 0}, {"tool": "close_session", "outcome": "failed", "milliseconds": 0})
        self.assertNotIn("correct-horse", server.stderr())


if __name__ == "__main__":
    main()
