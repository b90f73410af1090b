"""Resources: what observed targets and sessions show, subscriptions of both eras, HTTP archives."""
import base64
import json
import re

from support.case import BrowserdCase, main
from support.client import LEGACY, META, MODERN, RpcError
from support.engine import by_engine, chromium_only, network_error
from support.pages import Response
from support.ports import free_port


class Reading(BrowserdCase):
    def setUp(self):
        self.site = self.pages()

    def open(self, body="", version=LEGACY[-1]):
        """A client with a session whose page is observed; the page's target id."""
        self.client = self.start("--caps", "observe", version=version)
        self.session = self.client.session()
        self.url = self.site.page(body, title="Its title")
        self.session.navigate(self.url)
        return self.client.call("cdp_observe", urlIncludes=self.url)["targetId"]

    def read(self, uri):
        content, = self.client.request("resources/read", {"uri": uri})["contents"]
        self.assertEqual(content["uri"], uri)
        return content

    def read_json(self, uri):
        content = self.read(uri)
        self.assertEqual(content["mimeType"], "application/json")
        return json.loads(content["text"])

    def missing(self, uri):
        with self.assertRaises(RpcError) as caught:
            self.client.request("resources/read", {"uri": uri})
        self.assertEqual(caught.exception.data, {"uri": uri})
        return caught.exception.code

    def updates(self, uri):
        return [n["params"] for n in list(self.client.notifications)
                if n["method"] == "notifications/resources/updated" and n["params"]["uri"] == uri]


class Resources(Reading):
    def test_the_list(self):
        target = self.open()
        uris = {resource["uri"]: resource for resource in self.client.request("resources/list")["resources"]}
        self.assertEqual(uris.keys(), {f"cdp://events/{target}", f"cdp://har/{target}"} | {
            f"session://{self.session.id}/{view}" for view in ("console", "network", "screenshot", "snapshot")})
        self.assertTrue(all(resource["name"] and resource["mimeType"] for resource in uris.values()))
        templates = {t["uriTemplate"] for t in self.client.request("resources/templates/list")["resourceTemplates"]}
        self.assertEqual(templates, {"artifact://{number}/{name}", "cdp://events/{targetId}", "cdp://har/{targetId}{?bodies}"} | {
            f"session://{{sessionId}}/{view}" for view in ("console", "network", "screenshot", "snapshot")})

    def test_none_without_the_capability(self):
        client = self.start(version=None)
        self.assertEqual(client.initialize(LEGACY[-1])["capabilities"]["resources"], {})
        client.session()
        self.assertEqual(client.request("resources/list")["resources"], [])
        with self.assertRaises(RpcError) as caught:
            client.request("resources/subscribe", {"uri": "cdp://events/x"})
        self.assertEqual(caught.exception.code, -32601)
        watching = self.start("--caps", "observe", version=None)
        self.assertEqual(watching.initialize(LEGACY[-1])["capabilities"]["resources"], {"subscribe": True, "listChanged": True})

    def test_events_are_the_newest(self):
        target = self.open("<script>for (let i = 0; i < 300; i++) console.log('n' + i)</script>")
        shown = self.read_json(f"cdp://events/{target}")
        self.assertEqual(len(shown["events"]), 200)
        self.assertEqual(shown["nextOffset"], self.client.call("cdp_read_events", targetId=target, limit=1000)["nextOffset"])
        self.assertEqual(shown["events"][-1]["seq"], shown["nextOffset"] - 1)

    def test_what_is_not_there(self):
        for version, code in ((LEGACY[-1], -32002), (MODERN, -32602)):
            target = self.open(version=version)
            for uri in ("cdp://events/none", "cdp://har/", f"cdp://events/{target}x", f"session://{self.session.id}",
                        f"session://{self.session.id}/none", "session://none/console", "file:///etc/passwd", ""):
                self.assertEqual(self.missing(uri), code, uri)

    def test_views_of_a_session(self):
        self.open("<h1>Heading</h1><script>console.warn('careful')</script>")
        view = lambda name: self.read(f"session://{self.session.id}/{name}")
        self.assertRegex(view("console")["text"], r"^\[WARNING\] careful @ ")
        self.assertRegex(view("network")["text"], rf"^1\. \[GET\] {re.escape(self.url)} => \[200\] OK\n$")
        self.assertIn('heading "Heading"', view("snapshot")["text"])
        picture = view("screenshot")
        self.assertEqual((picture["mimeType"], base64.b64decode(picture["blob"])[:4]), ("image/png", b"\x89PNG"))

    def test_ids_are_completed(self):
        target = self.open()
        for argument, value, found in (("sessionId", self.session.id[:4], [self.session.id]), ("targetId", "", [target]),
                                       ("targetId", "no", []), ("other", "", [])):
            result = self.client.request("completion/complete", {
                "ref": {"type": "ref/resource", "uri": "session://{sessionId}/console"}, "argument": {"name": argument, "value": value}})
            self.assertEqual(result, {"completion": {"values": found, "total": len(found), "hasMore": False}})

    def test_subscribing(self):
        target = self.open()
        uri = f"cdp://events/{target}"
        self.assertEqual(self.client.request("resources/subscribe", {"uri": uri}), {})
        self.session.evaluate("console.log('logged')")
        self.client.wait_notification("notifications/resources/updated", lambda params: params == {"uri": uri})
        self.assertIn("logged", [e.get("text") for e in self.read_json(uri)["events"]])
        self.assertEqual(self.client.request("resources/unsubscribe", {"uri": uri}), {})
        self.client.request("resources/subscribe", {"uri": f"session://{self.session.id}/console"})
        before = len(self.updates(uri))
        self.session.evaluate("console.log('after the end')")
        self.client.wait_notification("notifications/resources/updated", lambda params: params["uri"].startswith("session://"))
        self.assertEqual(len(self.updates(uri)), before)

    def test_notices_are_coalesced_and_the_last_event_is_told(self):
        target = self.open()
        uri = f"cdp://events/{target}"
        self.client.request("resources/subscribe", {"uri": uri})
        self.session.evaluate("for (let i = 0; i < 2000; i++) console.log(i); console.log('end')")
        seen = 0
        while not any(e.get("text") == "end" for e in self.read_json(uri)["events"]):
            self.client.wait_notification("notifications/resources/updated", lambda _: len(self.updates(uri)) > seen)
            seen = len(self.updates(uri))
        self.assertLess(len(self.updates(uri)), 200)

    @chromium_only("pages have no modelContext")
    def test_listening_for_tools_of_pages(self):
        client = self.start(version=MODERN)
        listen = client.start("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        mine = {META + "subscriptionId": listen.id}
        self.assertEqual(client.wait_notification("notifications/subscriptions/acknowledged"),
                         {"_meta": mine, "notifications": {"resourceSubscriptions": [], "toolsListChanged": True}})
        page = self.pages().page("<script>document.modelContext.registerTool({ name: 'a', description: 'b', execute: () => 1 })</script>")
        client.start_call("browser_navigate", {"url": page}).result()
        client.wait_notification("notifications/tools/list_changed", lambda params: params == {"_meta": mine})

    def test_listening(self):
        target = self.open(version=MODERN)
        uri = f"cdp://events/{target}"
        listen = self.client.start("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri, uri], "promptsListChanged": True}})
        mine = {META + "subscriptionId": listen.id}
        self.assertEqual(self.client.wait_notification("notifications/subscriptions/acknowledged"),
                         {"_meta": mine, "notifications": {"resourceSubscriptions": [uri]}})
        self.session.evaluate("console.log('logged')")
        self.client.wait_notification("notifications/resources/updated", lambda params: params == {"_meta": mine, "uri": uri})
        self.client.cancel(listen)
        again = self.client.start("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}}, ident="other")
        self.client.wait_notification("notifications/subscriptions/acknowledged", lambda params: params["_meta"][META + "subscriptionId"] == "other")
        before = len([u for u in self.updates(uri) if u["_meta"] == mine])
        self.session.evaluate("console.log('for the other')")
        self.client.wait_notification("notifications/resources/updated", lambda params: params["_meta"] == {META + "subscriptionId": "other"})
        self.assertEqual(len([u for u in self.updates(uri) if u["_meta"] == mine]), before)
        self.assertFalse(again.done())
        for wrong in ({}, {"notifications": []}, {"notifications": {"resourceSubscriptions": [uri] * 300}}):
            with self.assertRaises(RpcError) as caught:
                self.client.request("subscriptions/listen", wrong)
            self.assertEqual(caught.exception.code, -32602)
        with self.assertRaises(RpcError) as caught:
            self.client.request("resources/subscribe", {"uri": uri})
        self.assertEqual(caught.exception.code, -32601)
        self.client.start("subscriptions/listen", {"notifications": {"resourceSubscriptions": [f"x:{i}" for i in range(255)]}})
        with self.assertRaisesRegex(RpcError, "Too many subscriptions: cancel one"):  # 256 on all of the connection
            self.client.request("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["x:255"]}})


class Archive(Reading):
    """HAR 1.2, held against what the page server saw."""

    def test_entries(self):
        self.site.route("/old", Response(status=302, headers=[("Location", "/new?a=1&b=x%20y&c")]))
        self.site.route("/new", lambda request: Response(b"got it", 200, "text/plain", [("X-Kind", "new")]))
        self.site.route("/data.bin", Response(bytes(range(256)), content_type="application/octet-stream"))
        self.site.route("/post", lambda request: Response(request.body, 201, "text/plain"))
        target = self.open("""<script>(async () => {
            for (const [url, options] of [['/old'], ['/data.bin'], ['/post', {method: 'POST', body: 'a=b'}]])
                await (await fetch(url, options)).arrayBuffer();
            await fetch('http://127.0.0.1:PORT/').catch(() => 0);
            console.log('done') })()</script>""".replace("PORT", str(free_port())))
        while not any(e.get("text") == "done" for e in self.read_json(f"cdp://events/{target}")["events"]):
            pass
        log = self.read_json(f"cdp://har/{target}")["log"]
        self.assertEqual((log["version"], log["creator"]["name"], [page["id"] for page in log["pages"]]), ("1.2", "browserd", ["page_1"]))
        self.assertRegex(log["pages"][0]["startedDateTime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        port = self.site.port
        self.assertEqual([(e["request"]["method"], e["request"]["url"].partition(str(port))[2], e["response"]["status"]) for e in log["entries"]
                          if str(port) in e["request"]["url"]],
                         [("GET", self.url.partition(str(port))[2], 200), ("GET", "/old", 302), ("GET", "/new?a=1&b=x%20y&c", 200),
                          ("GET", "/data.bin", 200), ("POST", "/post", 201)])
        page, old, new, data, post, failed = log["entries"]
        for entry in log["entries"]:
            self.assertEqual(entry["pageref"], "page_1")
            self.assertEqual(entry["request"]["headersSize"], -1)
            phases = entry["timings"]
            whole = sum(max(phases[name], 0) for name in ("blocked", "dns", "connect", "send", "wait", "receive"))
            self.assertAlmostEqual(entry["time"], whole, 2)
            self.assertTrue(all(phases[name] >= 0 for name in ("send", "wait", "receive")))
        self.assertEqual(old["response"]["redirectURL"], "/new?a=1&b=x%20y&c")
        self.assertEqual(new["request"]["queryString"], [{"name": "a", "value": "1"}, {"name": "b", "value": "x%20y"}, {"name": "c", "value": ""}])
        self.assertIn({"name": "x-kind", "value": "new"}, new["response"]["headers"])
        self.assertEqual(new["response"]["content"], {"size": 6, "mimeType": "text/plain"})
        self.assertEqual(new.get("serverIPAddress"), by_engine(chromium="127.0.0.1", firefox=None))
        self.assertEqual((post["request"]["postData"]["text"], post["request"]["bodySize"]), ("a=b", 3))
        self.assertEqual(failed["response"]["status"], 0)
        self.assertRegex(failed["response"]["_error"], network_error("net::ERR_CONNECTION_REFUSED"))
        sent = self.site.requests("/post")[0]
        self.assertEqual({h["value"] for h in post["request"]["headers"] if h["name"] == "content-type"}, {sent.headers["Content-Type"]})

        bodies = [e["response"]["content"] for e in self.read_json(f"cdp://har/{target}?bodies=true")["log"]["entries"]]
        self.assertEqual(bodies[2]["text"], "got it")
        self.assertEqual((bodies[3]["encoding"], base64.b64decode(bodies[3]["text"])), ("base64", bytes(range(256))))
        self.assertEqual(bodies[4]["text"], "a=b")
        self.assertNotIn("text", bodies[1])


if __name__ == "__main__":
    main()
