"""The protocol over HTTP where the conformance suites do not look: subscriptions, cancellation, ids, what is ignored."""
import json
import threading
from concurrent.futures import ThreadPoolExecutor

from support.case import BrowserdCase, main
from support.client import META, MODERN, PATIENCE
from support.http_client import HttpError, HttpServer, Stream

LEGACY = ("2025-03-26", "2025-06-18", "2025-11-25")


class ProtocolCase(BrowserdCase):
    args = ()

    def setUp(self):
        self.server = HttpServer(*self.args)
        self.addCleanup(self.server.discard)
        self.addCleanup(self.server.close)

    def begin(self, client, method, params, ident=None):
        """A request whose answer is a stream: its messages as they come."""
        connection, response = client.post(client.message(method, params, ident))
        stream = Stream(response, connection)
        self.addCleanup(stream.close)
        return stream, stream.messages()


class Subscriptions(ProtocolCase):
    args = ("--caps", "observe")

    def watched(self, client):
        """A session whose page is observed, and the resource that shows its console."""
        made = client.call("create_session")
        session = (made if isinstance(made, dict) else json.loads(made))["sessionId"]  # 2025-03-26 has the text alone
        url = self.pages().page("x", title="watched")
        client.call("navigate", sessionId=session, url=url)
        client.call("cdp_observe", urlIncludes=url)
        return session, f"session://{session}/console"

    def test_in_a_session_they_are_told_on_its_own_stream(self):
        for version in LEGACY:
            client = self.server.client(version)
            session, uri = self.watched(client)
            self.assertEqual(client.request("resources/subscribe", {"uri": uri}), {})
            stream = client.open_stream()
            messages = stream.messages()
            client.call("evaluate", sessionId=session, expression="console.log('logged')")
            self.assertEqual(next(messages), {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
            self.assertIn("logged", client.request("resources/read", {"uri": uri})["contents"][0]["text"])
            self.assertEqual(client.request("resources/unsubscribe", {"uri": uri}), {})
            stream.close()
            client.delete()

    def test_without_a_session_who_listens_has_a_stream(self):
        client = self.server.client(MODERN)
        session, uri = self.watched(client)
        mine = {META + "subscriptionId": "L1"}
        _, messages = self.begin(client, "subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}}, "L1")
        first = next(messages)
        self.assertEqual((first["method"], first["params"]["_meta"]), ("notifications/subscriptions/acknowledged", mine))
        client.call("evaluate", sessionId=session, expression="console.log('logged')")
        self.assertEqual(next(messages)["params"], {"_meta": mine, "uri": uri})

    def test_only_who_may_read_it_is_told(self):
        ann, bob, eve = self.server.client(), self.server.client(), self.server.client(MODERN)
        (session, uri), (bobs, own), (eves, hers) = (self.watched(client) for client in (ann, bob, eve))
        anns = [resource["uri"] for resource in ann.request("resources/list")["resources"]]
        self.assertEqual(len(anns), 6)
        for client, uris in ((ann, [uri]), (bob, [*anns, own])):
            for each in uris:
                client.request("resources/subscribe", {"uri": each})
        streams = [client.open_stream() for client in (ann, bob)]
        to_ann, to_bob = (stream.messages() for stream in streams)
        _, to_eve = self.begin(eve, "subscriptions/listen", {"notifications": {"resourceSubscriptions": [*anns, hers]}}, "L2")
        self.assertEqual(next(to_eve)["method"], "notifications/subscriptions/acknowledged")
        ann.call("evaluate", sessionId=session, expression="console.log('secret')")
        self.assertEqual(next(to_ann)["params"]["uri"], uri)
        bob.call("evaluate", sessionId=bobs, expression="console.log('mine')")
        self.assertEqual(next(to_bob)["params"]["uri"], own)  # the first that he hears
        eve.call("evaluate", sessionId=eves, expression="console.log('mine')")
        self.assertEqual(next(to_eve)["params"]["uri"], hers)
        for stream in streams:
            stream.close()
        for client in (ann, bob):
            client.delete()

    def test_the_end_of_the_server_ends_listening_with_a_result(self):
        client = self.server.client(MODERN)
        _, messages = self.begin(client, "subscriptions/listen", {"notifications": {"resourceSubscriptions": ["a:b"]}}, 5)
        next(messages)
        self.server.process.terminate()
        last, = messages
        self.assertEqual((last["id"], last["result"]["resultType"]), (5, "complete"))
        self.assertEqual(last["result"]["_meta"][META + "subscriptionId"], 5)


class Stateless(ProtocolCase):
    def test_ids_of_different_clients_are_strangers(self):
        pages, clients = self.pages(), [self.server.client(MODERN) for _ in range(2)]
        sessions = [client.call("create_session")["sessionId"] for client in clients]
        url, release = pages.held()
        self.addCleanup(release.set)
        calls = [client.message("tools/call", {"name": "navigate", "arguments": {"sessionId": session, "url": url}}, "same")
                 for client, session in zip(clients, sessions)]
        with ThreadPoolExecutor(2) as pool:
            answers = [pool.submit(client.exchange, call) for client, call in zip(clients, calls)]
            for _ in calls:
                pages.wait_request(url)
            release.set()
            for answer in answers:
                self.assertEqual(answer.result(PATIENCE)[-1]["id"], "same")
                self.assertNotIn("isError", answer.result()[-1]["result"])

    def test_fields_of_sessions_mean_nothing(self):
        client = self.server.client(MODERN)
        for more in ({"Mcp-Session-Id": "0" * 32}, {"Last-Event-ID": "0-1"}, {"Mcp-Param-Unknown": "x"}):
            self.assertIn("result", client.exchange(client.message("tools/list"), more)[0])

    def test_what_is_posted_besides_requests(self):
        client = self.server.client(MODERN)
        for method in ("notifications/cancelled", "notifications/whatever"):
            message = {"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}}
            self.assertEqual(client.exchange(message, {"Mcp-Method": None}), [])
        for response in ({"result": {}}, {"error": {"code": 1, "message": "x"}}):
            with self.assertRaises(HttpError) as caught:
                client.exchange({"jsonrpc": "2.0", "id": "s-1", **response})
            self.assertEqual(caught.exception.status, 400)

    def test_progress_and_logs_come_before_the_answer_on_its_stream(self):
        client = self.server.client(MODERN)
        meta = {"progressToken": 7, META + "logLevel": "debug"}
        messages = client.exchange(client.message("tools/call", {"name": "browser_wait_for", "arguments": {"time": 1.2}, "_meta": meta}))
        self.assertEqual([m["params"]["progressToken"] for m in messages if m.get("method") == "notifications/progress"][0], 7)
        self.assertIn("result", messages[-1])
        self.assertFalse([m for m in messages[:-1] if "method" not in m])


class WithSessions(ProtocolCase):
    def test_cancelling_in_each_version(self):
        for version in LEGACY:
            client, pages = self.server.client(version), self.pages()
            url, release = pages.held()
            self.addCleanup(release.set)
            call = {"name": "browser_navigate", "arguments": {"url": url}}
            with ThreadPoolExecutor(1) as pool:
                answer = pool.submit(client.exchange, client.message("tools/call", call, "held"))
                pages.wait_request(url)
                client.notify("notifications/cancelled", {"requestId": "no such"})
                client.notify("notifications/cancelled", {"requestId": "held", "reason": "enough"})
                self.assertEqual(answer.result(PATIENCE), [])
            client.delete()

    def test_an_id_in_flight_is_not_taken_twice(self):
        client, pages = self.server.client(), self.pages()
        url, release = pages.held()
        self.addCleanup(release.set)
        call = client.message("tools/call", {"name": "browser_navigate", "arguments": {"url": url}}, "one")
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(client.exchange, call)
            pages.wait_request(url)
            with self.assertRaises(HttpError) as caught:
                client.exchange(client.message("tools/call", {"name": "list_sessions"}, "one"))
            self.assertEqual((caught.exception.status, caught.exception.error["code"]), (400, -32600))
            self.assertEqual(client.request("ping"), {})
            release.set()
            self.assertEqual(answer.result(PATIENCE)[-1]["id"], "one")

    def test_a_batch_answers_each_of_its_calls(self):
        client = self.server.client("2025-03-26")
        batch = [client.message("tools/call", {"name": "list_sessions"}, "a"), client.message("no/such", ident="b"),
                 {"jsonrpc": "2.0", "method": "notifications/whatever"}, client.message("ping", ident="c"), 5]
        messages = client.exchange(json.dumps(batch).encode())
        self.assertEqual(sorted(str(m.get("id")) for m in messages), ["None", "a", "b", "c"])
        self.assertEqual(sorted(m["error"]["code"] for m in messages if "error" in m), [-32601, -32600])

    def test_several_requests_at_once_have_a_stream_each(self):
        client = self.server.client()
        gate = threading.Barrier(4)

        def call(n):
            gate.wait(PATIENCE)
            return client.exchange(client.message("tools/call", {"name": "list_sessions", "_meta": {"progressToken": n}}, n))

        with ThreadPoolExecutor(4) as pool:
            for n, messages in enumerate(pool.map(call, range(4))):
                self.assertEqual(messages[-1]["id"], n)
                self.assertFalse([m for m in messages[:-1] if m["params"]["progressToken"] != n])


if __name__ == "__main__":
    main()
