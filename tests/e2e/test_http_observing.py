"""Observing over HTTP: only browsers that the operator names, and each client sees what it observes itself."""
import json
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor

from support.case import main
from support.chromium import Chromium
from support.client import RpcError
from support.http_case import HttpCase
from support.http_client import HttpError, HttpServer
from support.issuer import NAME, Issuer

URL = "https://tools.example/mcp"
PAGE = "<title>Ann's</title><script>console.log('of ann: 4711'); fetch('/private').then(r => r.text())</script>"


class Observing(HttpCase):
    def setUp(self):
        self.site = self.pages()

    def tenants(self, *args):
        issuer = Issuer(self.enterContext(tempfile.TemporaryDirectory()), URL)
        self.server = self.serve("--caps", "observe", "--oauth-issuer", NAME, "--oauth-jwks", issuer.write(), "--public-url", URL, *args)

        def who(sub, **more):
            return self.server.client("2025-11-25", fields={"Authorization": "Bearer " + issuer.token(sub=sub, **more)})
        return who

    def code(self, client, tool, **arguments):
        answer = client.request("tools/call", {"name": tool, "arguments": arguments})
        self.assertTrue(answer.get("isError"), answer)
        return json.loads(answer["content"][0]["text"])["error"]["code"]

    def chromium(self, url):
        chromium = Chromium(url)
        self.addCleanup(chromium.close)
        return chromium

    def test_no_other_browser_without_the_options(self):
        chromium = self.chromium("about:blank")
        client = self.tenants()("eve")
        for place in ({"port": chromium.port}, {"host": "127.0.0.1"}, {"host": "localhost", "port": chromium.port},
                      {"host": "[::1]", "port": chromium.port}, {"port": self.server.port}):
            self.assertEqual(self.code(client, "cdp_list_targets", **place), "SECURITY_BLOCKED", place)
            self.assertEqual(self.code(client, "cdp_observe", urlIncludes="about", **place), "SECURITY_BLOCKED", place)
        self.assertEqual(client.call("cdp_list_targets")["targets"], [])

    def test_only_the_browser_of_the_options(self):
        named, other = self.chromium("data:text/html,named"), self.chromium("data:text/html,other")
        client = self.tenants("--cdp-port", str(named.port))("eve")
        for place in ({}, {"port": named.port}, {"host": "localhost"}, {"host": "127.1", "port": named.port}):
            self.assertIn("named", str(client.call("cdp_list_targets", **place)["targets"]), place)
        for place in ({"port": other.port}, {"host": "127.0.0.2"}, {"host": "[::1]"}, {"host": "::ffff:127.0.0.1"},
                      {"host": "127.0.0.1", "port": other.port}):
            self.assertEqual(self.code(client, "cdp_list_targets", **place), "SECURITY_BLOCKED", place)

    def test_not_browserd_itself(self):
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
        server = HttpServer("--port", str(port), "--caps", "observe", "--cdp-port", str(port))
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        for place in ({}, {"host": "127.1"}, {"host": "localhost", "port": port}):
            error = server.client().request("tools/call", {"name": "cdp_list_targets", "arguments": place})["content"][0]["text"]
            self.assertIn(f"port {port} is a port of browserd itself", error)

    def test_what_is_observed_outside_is_the_observers(self):
        self.site.route("/private", "balance 1000")
        chromium = self.chromium(self.site.page(PAGE))
        who = self.tenants("--cdp-port", str(chromium.port))
        ann, eve, reader = who("ann"), who("eve"), who("ann", scope="browser:read")
        target = ann.call("cdp_observe", urlIncludes=self.site.url("/"))["targetId"]
        events = ann.call("cdp_read_events", targetId=target)
        self.assertTrue(events["attached"])
        # Another tenant knows the id, as the browser is shared, and nothing else.
        for tool, more in (("cdp_read_events", {}), ("cdp_get_filters", {}), ("cdp_clear_events", {}), ("cdp_stop_observe", {}),
                           ("cdp_get_response_body", {"requestId": "1"}), ("wait_for_event", {"text": "x", "timeout": 10})):
            self.assertEqual(self.code(eve, tool, targetId=target, **more), "NOT_OBSERVING", tool)
        self.assertNotIn(target, json.dumps(eve.request("resources/list")))
        for uri in (f"cdp://events/{target}", f"cdp://har/{target}?bodies=true"):
            self.assertIn(uri.split("?")[0], json.dumps(ann.request("resources/read", {"uri": uri})))
            with self.assertRaises(RpcError):
                eve.request("resources/read", {"uri": uri})
        # What the other one sets, clears and ends is her own.
        self.assertEqual(eve.call("cdp_observe", targetId=target, bufferSize=7)["targetId"], target)
        eve.call("cdp_set_filters", targetId=target, kinds=["console"])
        eve.call("cdp_clear_events", targetId=target)
        self.assertNotEqual(ann.call("cdp_get_filters", targetId=target), eve.call("cdp_get_filters", targetId=target))
        eve.call("cdp_stop_observe", targetId=target, dropBuffer=True)
        self.assertTrue(ann.call("cdp_read_events", targetId=target)["attached"])
        # A token that may only read reads what its own subject observes, and begins nothing.
        self.assertTrue(reader.call("cdp_read_events", targetId=target)["attached"])
        with self.assertRaises(HttpError) as caught:
            reader.call("cdp_observe", targetId=target)
        self.assertEqual(caught.exception.status, 403)

    def test_nobody_takes_all_places(self):
        who = self.tenants()
        ann, eve = who("ann"), who("eve")
        for client in (ann, eve):
            client.request("tools/call", {"name": "browser_navigate", "arguments": {"url": self.site.page("x")}})
        eve.request("tools/call", {"name": "browser_evaluate", "arguments": {
            "function": "() => { for (let i = 0; i < 40; i++) open('about:blank') }"}})
        targets, failed = [], None
        while failed is None:
            known = [target["id"] for target in eve.call("cdp_list_targets")["targets"]]
            fresh = [each for each in known if each not in targets]
            for target in fresh:
                answer = eve.request("tools/call", {"name": "cdp_observe", "arguments": {"targetId": target}})
                if answer.get("isError"):
                    failed = json.loads(answer["content"][0]["text"])["error"]["message"]
                    break
                targets.append(target)
                self.assertLessEqual(len(targets), 32)
        self.assertIn("32 targets are observed, 32 of them by you", failed)
        ann.call("cdp_observe", targetId=ann.call("cdp_list_targets")["targets"][0]["id"])
        eve.call("cdp_stop_observe", targetId=targets[0], dropBuffer=True)

    def test_expensive_expressions_stop_only_their_owner(self):
        who = self.tenants()
        targets = {}
        for name in ("ann", "eve"):
            client = who(name)
            client.navigate(self.site.page(f"<script>console.log('{name} ' + 'a'.repeat(40) + '!')</script>"))
            targets[name] = client.call("cdp_observe", urlIncludes=self.site.url("/"))["targetId"]

        def search(name, pattern):
            answer = who(name).request("tools/call", {"name": "wait_for_event", "arguments": {
                "targetId": targets[name], "pattern": pattern, "timeout": 60000}})
            return answer["content"][0]["text"]

        with ThreadPoolExecutor() as pool:
            expensive = [pool.submit(search, "eve", "^eve (a+)+$") for _ in range(3)]
            for _ in range(3):
                found = json.loads(search("ann", "/^ANN a{40}!$/i"))
                self.assertEqual(found["event"]["text"], "ann " + "a" * 40 + "!")
            for each in expensive:
                self.assertIn("took longer than", each.result())

    def test_pages_of_sessions(self):
        who = self.tenants()
        ann, eve = who("ann"), who("eve")
        ann.navigate(self.site.page(PAGE))
        target = ann.call("cdp_observe", urlIncludes=self.site.url("/"))["targetId"]
        self.assertEqual(self.code(eve, "cdp_observe", targetId=target), "TARGET_NOT_FOUND")
        self.assertEqual(self.code(eve, "cdp_read_events", targetId=target), "NOT_OBSERVING")
        self.assertEqual(eve.call("cdp_list_targets")["targets"], [])
        self.assertIn("of ann: 4711", json.dumps(ann.call("cdp_read_events", targetId=target)))


if __name__ == "__main__":
    main()
