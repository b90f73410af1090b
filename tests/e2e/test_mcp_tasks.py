"""
Long calls as tasks of the extension io.modelcontextprotocol/tasks: over stdio and HTTP, polled, cancelled, with their client gone, for
their owner alone.
"""
import json
import os
import signal
import sys
import tempfile

from support.case import BrowserdCase, main
from support.client import MODERN, RpcError
from support.http_client import HttpError, HttpServer, Stream
from support.issuer import NAME, Issuer

URL = "https://browserd.example/mcp"
OBSERVE = ("--caps", "observe")
ENDED = ("completed", "failed", "cancelled")
SERVER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support", "web_server.py")


class Tasks(BrowserdCase):
    """The clients are of both transports."""

    def begin(self, client, tool, **arguments):
        """The id of the task that the call has become."""
        answer = client.request("tools/call", {"name": tool, "arguments": arguments})
        self.assertEqual((answer["resultType"], answer["status"]), ("task", "working"))
        return answer["taskId"]

    def get(self, client, task):
        return client.request("tasks/get", {"taskId": task})

    def await_end(self, client, task):
        return self.repeat(lambda: self.get(client, task), lambda answer: answer["status"] in ENDED)

    def refusal(self, client, method, task, **more):
        with self.assertRaises(RpcError) as caught:
            client.request(method, {"taskId": task, **more})
        return caught.exception

    def observed(self, client):
        """A page whose events a client may wait for: how to make it log something, and the arguments of the wait."""
        session, url = client.call("create_session")["sessionId"], self.site.page("<p>waiting</p>")
        client.call("navigate", sessionId=session, url=url)
        target = client.call("cdp_observe", urlIncludes=url)["targetId"]

        def log(text):
            client.call("evaluate", sessionId=session, expression=f"console.log({json.dumps(text)})")
        return log, {"targetId": target, "timeout": 600000}

    def setUp(self):
        super().setUp()
        self.site = self.pages()


class Stdio(Tasks):
    def client(self, *args):
        return self.start(*args, version=MODERN, tasks=True)

    def test_a_long_wait_is_polled(self):
        client = self.client(*OBSERVE)
        log, wait = self.observed(client)
        task = self.begin(client, "wait_for_event", text="go on", **wait)
        self.assertEqual(self.get(client, task)["status"], "working")
        log("go on")
        answer = self.await_end(client, task)
        self.assertEqual(answer["status"], "completed")
        self.assertEqual(answer["result"]["structuredContent"]["event"]["text"], "go on")
        self.assertEqual(json.loads(answer["result"]["content"][0]["text"]), answer["result"]["structuredContent"])

    def test_what_ends_soon_is_no_task(self):
        client = self.client(*OBSERVE)
        log, wait = self.observed(client)
        log("here already")
        self.assertEqual(client.call("wait_for_event", text="here already", **wait)["event"]["text"], "here already")

    def test_cancelling_ends_the_call(self):
        client = self.client(*OBSERVE)
        _, wait = self.observed(client)
        task = self.begin(client, "wait_for_event", text="never", **wait)
        self.assertNotIn("taskId", client.request("tasks/cancel", {"taskId": task}))
        self.assertEqual(self.get(client, task)["status"], "cancelled")
        client.wait_said(lambda _: " 0 calls running" in client.state())
        self.assertEqual(self.get(client, task)["status"], "cancelled")

    def test_a_call_that_fails_is_completed(self):
        client = self.client("--caps", "e2e")
        task = self.begin(client, "startSession", command=sys.executable, args=["-c", "import time; time.sleep(6); exit(7)"])
        answer = self.await_end(client, task)
        self.assertEqual(answer["status"], "completed")
        self.assertTrue(answer["result"]["isError"])
        self.assertEqual(json.loads(answer["result"]["content"][0]["text"])["errorCode"], "SERVER_START_FAILED")

    def test_the_server_of_an_application(self):
        client = self.client("--caps", "e2e")
        task = self.begin(client, "startSession", command=sys.executable, args=[SERVER, "--late", "6"])
        started = self.await_end(client, task)["result"]["structuredContent"]
        self.assertEqual(started["status"], "ready")
        self.assertEqual(client.call("navigate", sessionId=started["sessionId"], url="/")["title"], "Application")
        client.call("endSession", sessionId=started["sessionId"])

    def test_a_batch(self):
        client = self.client()
        session = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=session, url=self.site.page("<button onclick=\"this.textContent = 'done'\">go</button>"))
        task = self.begin(client, "browser_batch", sessionId=session, steps=[
            {"tool": "browser_wait_for", "time": 6}, {"tool": "browser_click", "target": "getByRole('button', { name: 'go' })"}])
        answer = self.await_end(client, task)["result"]
        self.assertFalse(answer.get("isError"), answer)
        self.assertEqual(client.call("evaluate", sessionId=session, expression="document.querySelector('button').textContent")["value"], "done")

    def test_a_person_is_asked(self):
        """As a task from the beginning, with the question in it."""
        client = self.start("--caps", "people", version=MODERN, tasks=True, elicit=lambda params: None)
        client.start_call("browser_navigate", {"url": self.site.page("<p>the page</p>")}).result()
        task = self.begin(client, "request_user", message="Which colour?", reason="decision", choices=["red", "green"])
        answer = self.get(client, task)
        self.assertEqual(answer["status"], "input_required")
        (key, asked), = answer["inputRequests"].items()
        self.assertEqual((asked["method"], asked["params"]["message"]), ("elicitation/create", "Which colour?"))
        client.request("tasks/update", {"taskId": task, "inputResponses": {key: {"action": "accept", "content": {"answer": "green"}}}})
        answer = self.await_end(client, task)["result"]
        self.assertIn('The person answered: "green"', answer["content"][0]["text"])
        self.assertIn("the page", answer["content"][0]["text"])
        task = self.begin(client, "request_user", message="Log in", reason="login")
        client.request("tasks/cancel", {"taskId": task})
        client.wait_said(lambda _: " 0 calls running" in client.state())
        self.assertEqual(self.get(client, task)["status"], "cancelled")

    def test_tasks_end_with_the_client(self):
        client = self.client(*OBSERVE)
        _, wait = self.observed(client)
        self.begin(client, "wait_for_event", text="never", **wait)
        client.close()  # fails if the server does not end, or leaves anything


class Http(Tasks):
    def serve(self, *args):
        server = HttpServer(*OBSERVE, *args)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def tenants(self):
        issuer = Issuer(self.enterContext(tempfile.TemporaryDirectory()), URL)
        server = self.serve("--oauth-issuer", NAME, "--oauth-jwks", issuer.write(), "--public-url", URL)
        return lambda sub, **more: server.client(MODERN, tasks=True, fields={"Authorization": "Bearer " + issuer.token(sub=sub, **more)})

    def test_a_task_outlives_the_connection_of_its_call(self):
        server = self.serve()
        client = server.client(MODERN, tasks=True)
        log, wait = self.observed(client)
        task = self.begin(client, "wait_for_event", text="go on", **wait)
        self.assertRegex(server.ask("GET", "/metrics")[2].decode(), r'browserd_tasks\{state="working"\} 1\n')
        log("go on")
        answer = self.await_end(server.client(MODERN, tasks=True), task)
        self.assertEqual(answer["result"]["structuredContent"]["event"]["text"], "go on")
        self.assertRegex(server.ask("GET", "/metrics")[2].decode(), r'browserd_tasks\{state="ended"\} 1\n')
        self.assertGreater(server.metric("browserd_tasks_bytes"), 100)

    def test_clients_without_the_extension_wait(self):
        server = self.serve()
        client = server.client(MODERN)
        _, wait = self.observed(client)
        wait["timeout"] = 6000
        self.assertTrue(client.call("wait_for_event", text="never", **wait)["timedOut"])
        with self.assertRaises(HttpError) as caught:
            client.request("tasks/get", {"taskId": "any"})
        self.assertEqual((caught.exception.status, json.loads(caught.exception.body)["error"]["code"]), (400, -32021))

    def test_cancelling_ends_the_call(self):
        server = self.serve()
        client = server.client(MODERN, tasks=True)
        _, wait = self.observed(client)
        task = self.begin(client, "wait_for_event", text="never", **wait)
        client.request("tasks/cancel", {"taskId": task})
        self.assertEqual(self.get(client, task)["status"], "cancelled")
        server.wait_said(lambda _: " 0 calls running" in server.state())

    def test_tasks_leave_room_for_requests(self):
        """Those about them, above all, whatever else runs."""
        server = self.serve("--http-max-requests", "2")
        client = server.client(MODERN, tasks=True)
        _, wait = self.observed(client)
        tasks = [self.begin(client, "wait_for_event", text="never", **wait) for _ in range(3)]
        for task in tasks:
            self.assertEqual(self.get(client, task)["status"], "working")
            client.request("tasks/cancel", {"taskId": task})

    def test_others_do_not_know_it(self):
        who = self.tenants()
        ann, eve = who("ann"), who("eve")
        log, wait = self.observed(ann)
        task = self.begin(ann, "wait_for_event", text="go on", **wait)
        for method in ("tasks/get", "tasks/cancel", "tasks/update"):
            self.assertEqual(self.refusal(eve, method, task, inputResponses={}).code, -32602)
        with self.assertRaises(HttpError) as caught:  # a token of hers that may only read, of a task that only reads
            who("ann", scope="nothing").request("tasks/get", {"taskId": task})
        self.assertEqual(caught.exception.status, 403)
        self.assertEqual(self.get(who("ann", scope="browser:read"), task)["status"], "working")
        log("go on")
        self.assertEqual(self.await_end(ann, task)["status"], "completed")

    def test_those_who_listen_are_told(self):
        server = self.serve()
        client = server.client(MODERN, tasks=True)
        log, wait = self.observed(client)
        task = self.begin(client, "wait_for_event", text="go on", **wait)
        connection, response = client.post(client.message("subscriptions/listen", {"notifications": {"taskIds": [task, "unknown"]}}))
        stream = Stream(response, connection)
        self.addCleanup(stream.close)
        messages = stream.messages()
        self.assertEqual(next(messages)["params"]["notifications"]["taskIds"], [task])
        log("go on")
        told = next(messages)
        self.assertEqual((told["method"], told["params"]["taskId"], told["params"]["status"]), ("notifications/tasks", task, "completed"))
        self.assertEqual(self.get(client, task)["result"]["structuredContent"]["event"]["text"], "go on")

    def test_the_header_repeats_the_id(self):
        server = self.serve("--node", "alpha")
        client = server.client(MODERN, tasks=True)
        for task, fields, status, code in (("alpha.a", {"Mcp-Name": "alpha.b"}, 400, -32020), ("alpha.a", {"Mcp-Name": None}, 400, -32020),
                                           ("beta.a", {}, 421, -32004)):
            with self.assertRaises(HttpError) as caught:
                client.request("tasks/get", {"taskId": task}, fields)
            self.assertEqual((caught.exception.status, json.loads(caught.exception.body)["error"]["code"]), (status, code))
        self.assertEqual(self.refusal(client, "tasks/get", "alpha.a").code, -32602)
        log, wait = self.observed(client)
        task = self.begin(client, "wait_for_event", text="go on", **wait)
        self.assertRegex(task, r"^alpha\.[0-9a-f]{32}$")

    def test_a_server_that_drains_waits_for_those_who_read(self):
        server = self.serve("--drain", "600")
        client = server.client(MODERN, tasks=True)
        log, wait = self.observed(client)
        session, = [each["sessionId"] for each in client.call("list_sessions")["sessions"]]
        task = self.begin(client, "wait_for_event", text="go on", **wait)
        server.process.send_signal(signal.SIGTERM)
        server.wait_stderr("draining")
        with self.assertRaises(HttpError) as caught:
            client.call("create_session")
        self.assertEqual(caught.exception.status, 503)
        log("go on")
        client.call("close_session", sessionId=session)
        self.assertEqual(self.await_end(client, task)["result"]["structuredContent"]["event"]["text"], "go on")
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    main()
