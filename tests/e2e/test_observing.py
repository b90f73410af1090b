"""The cdp_* tools, on pages of sessions and on a browser that somebody else has started."""
import base64
import json
import pathlib
import shutil
import socket
import tempfile
import threading
import time

from support.case import BrowserdCase, SharedCase, main
from support.chromium import Chromium
from support.client import PATIENCE
from support.pages import Response

TOOLS = {"cdp_list_targets", "cdp_observe", "cdp_stop_observe", "cdp_read_events", "cdp_clear_events", "cdp_get_response_body",
         "cdp_set_filters", "cdp_get_filters", "wait_for_event"}
COMMON = {"seq", "ts", "targetId", "sessionId", "kind"}


class Observing(BrowserdCase):
    def setUp(self):
        super().setUp()
        self.site = self.pages()

    def read(self, target, **arguments):
        return self.client.call("cdp_read_events", targetId=target, **arguments)

    def await_event(self, target, matches, **arguments):
        """The first event that `matches`, once it has come."""
        end, events = time.monotonic() + PATIENCE, []
        while time.monotonic() < end:
            events = self.read(target, limit=10000, **arguments)["events"]
            for event in events:
                if matches(event):
                    return event
        raise AssertionError(f"no such event among {[(e['kind'], e.get('url') or e.get('text')) for e in events]}")

    def await_text(self, target, text):
        return self.await_event(target, lambda e: e.get("text") == text)

    def await_request(self, target, part, kind="loadingFinished"):
        """The request whose URL ends with `part`, once an event of that kind has come for it."""
        request = self.await_event(target, lambda e: e["kind"] == "request" and e["url"].endswith(part))
        self.await_event(target, lambda e: e["kind"] == kind and e["requestId"] == request["requestId"])
        return request


class Own(Observing, SharedCase):
    """Pages of our own sessions."""

    args = ("--caps", "observe", "--timeout-action", "60000")

    def setUp(self):
        super().setUp()
        self.session = self.client.session()
        self.addCleanup(self.close_sessions, self.client)

    def observe(self, body="", **arguments):
        self.session.navigate(self.site.page(body))
        return self.again(**arguments)

    def again(self, **arguments):
        observed = self.client.call("cdp_observe", urlIncludes=self.site.url("/page"), **arguments)
        self.assertEqual(observed["resourceUri"], "cdp://events/" + observed["targetId"])
        self.assertIs(observed["attached"], True)
        return observed["targetId"]

    def test_not_listed_unless_asked_for(self):
        self.assertLessEqual(TOOLS, self.client.list_tools().keys())
        self.assertFalse(TOOLS & self.start().list_tools().keys())

    def test_targets_are_the_pages_of_sessions(self):
        url = self.site.page("<p>x", title="Its title")
        self.session.navigate(url)
        target, = self.client.call("cdp_list_targets")["targets"]
        self.assertEqual({**target, "id": ""}, {"id": "", "type": "page", "title": "Its title", "url": url, "attached": False,
                                                "sessionId": self.session.id})
        self.assertEqual(self.client.call("cdp_observe", targetId=target["id"])["targetId"], target["id"])
        self.assertIs(self.client.call("cdp_list_targets")["targets"][0]["attached"], True)
        self.assertEqual(self.client.call("cdp_list_targets", types=["worker"])["targets"], [])
        self.assertEqual(self.client.call("cdp_list_targets", filterUrlIncludes="no such")["targets"], [])

    def test_console(self):
        target = self.observe()
        self.session.evaluate("""console.log('hi', {a: 1}); console.warn('w'); console.error('e'); console.info('i');
            console.debug('d'); console.trace('t'); console.assert(false, 'a'); setTimeout(() => { throw new Error('boom') })""")
        self.await_event(target, lambda e: e.get("uncaught"))
        events = self.read(target, kinds=["console"])["events"]
        self.assertEqual([(e["type"], e["text"].partition("\n")[0]) for e in events],
                         [("log", "hi {a: 1}"), ("warn", "w"), ("error", "e"), ("info", "i"), ("debug", "d"), ("trace", "t"),
                          ("error", "a"), ("error", "Error: boom")])
        self.assertEqual(events[0].keys(), COMMON | {"type", "text", "args", "stack"})
        self.assertEqual(events[0]["args"], ["hi", "{a: 1}"])
        self.assertTrue(all(e["targetId"] == target for e in events))

    def test_stacks_count_from_one(self):
        target = self.observe("\n<script>\n  console.log('placed')</script>")
        stack = self.await_text(target, "placed")["stack"]
        self.assertEqual((stack["url"], stack["line"], stack["column"]), (self.site.url("/page1"), 3, 11))

    def test_requests_and_what_became_of_them(self):
        self.site.route("/old", Response(status=302, headers=[("Location", "/new")]))
        self.site.route("/new", Response('{"n": 1}', content_type="application/json"))
        target = self.observe()
        self.session.evaluate("""fetch('/old', {method: 'POST', body: 'x=1', headers: {'X-Own': 'mine'}}).then(r => r.text())
            .then(() => fetch('http://127.0.0.1:1/')).catch(() => console.log('done'))""")
        self.await_text(target, "done")
        events = [e for e in self.read(target)["events"] if e.get("requestId") == self.await_request(target, "/new")["requestId"]]
        self.assertEqual([e["kind"] for e in events], ["request", "response", "request", "response", "loadingFinished"])
        posted, moved, got, answer, end = events
        self.assertEqual(posted.keys(), COMMON | {"requestId", "url", "method", "headers", "postDataPreview", "initiator"})
        self.assertEqual((posted["method"], posted["postDataPreview"], posted["initiator"], posted["headers"]["x-own"]),
                         ("POST", "x=1", "script", "mine"))
        self.assertEqual((moved["status"], moved["url"], got["method"], got["postDataPreview"]),
                         (302, self.site.url("/old"), "GET", None))
        self.assertEqual(answer.keys(), COMMON | {"requestId", "url", "status", "statusText", "mimeType", "fromDiskCache",
                                                  "fromServiceWorker", "remoteAddress", "timing"})
        self.assertEqual((answer["status"], answer["statusText"], answer["mimeType"], answer["remoteAddress"]),
                         (200, "OK", "application/json", f"127.0.0.1:{self.site.port}"))
        self.assertGreater(answer["timing"]["receiveHeadersEnd"], 0)
        self.assertGreater(end["encodedDataLength"], 0)
        failed = self.await_event(target, lambda e: e["kind"] == "loadingFailed")
        self.assertEqual((failed["errorText"], failed["canceled"]), ("net::ERR_UNSAFE_PORT", False))

    def test_reading_by_offset_limit_and_filters(self):
        self.site.route("/api", "x")
        target = self.observe("<script>for (let i = 0; i < 10; i++) console.log('n' + i)</script>")
        self.session.evaluate("fetch('/api', {method: 'POST'}).then(r => r.text())")
        self.await_request(target, "/api")
        whole = self.read(target)
        self.assertEqual([e["seq"] for e in whole["events"]], list(range(whole["nextOffset"])))
        texts, offset = [], 0
        while (page := self.read(target, offset=offset, limit=3, kinds=["console"]))["events"]:
            self.assertLessEqual(len(page["events"]), 3)
            texts += [e["text"] for e in page["events"]]
            offset = page["nextOffset"]
        self.assertEqual(texts, [f"n{i}" for i in range(10)])
        self.assertEqual({e["kind"] for e in self.read(target, method="post")["events"]}, {"request", "response", "loadingFinished"})
        self.assertEqual(len(self.read(target, urlIncludes="/api")["events"]), 3)
        self.assertEqual(self.read(target, kinds=["other"])["events"], [])
        self.assertEqual(self.read(target, offset=10**6), {"nextOffset": whole["nextOffset"], "events": [], "dropped": 0, "attached": True})

    def test_what_has_no_room_is_counted(self):
        target = self.observe(bufferSize=5)
        start = self.read(target)["nextOffset"]
        self.session.evaluate("for (let i = 0; i < 20; i++) console.log('n' + i)")
        self.await_text(target, "n19")
        late = self.read(target, offset=start)
        self.assertEqual([e["text"] for e in late["events"]], [f"n{i}" for i in range(15, 20)])
        self.assertEqual((late["dropped"], late["nextOffset"]), (15, start + 20))
        self.assertEqual(self.read(target, offset=late["nextOffset"] - 1)["dropped"], 0)

    def test_clearing(self):
        target = self.observe("<script>console.log('before')</script>")
        before = self.read(target)["nextOffset"]
        self.assertEqual(self.client.call("cdp_clear_events", targetId=target), {"cleared": True})
        self.session.evaluate("console.log('after')")
        self.assertEqual(self.await_text(target, "after")["seq"], before)
        self.assertEqual(self.read(target)["dropped"], 0)

    def test_filters(self):
        for path in ("/api/one", "/api/ads", "/other"):
            self.site.route(path, "x")
        target = self.observe()
        fetch_all = """Promise.all(['/api/one', '/api/ads', '/other'].map(u => fetch(u).then(r => r.text())))
            .then(() => console.log('fetched'))"""
        self.client.call("cdp_clear_events", targetId=target)
        filters = {"kinds": ["console", "log", "network"], "urlAllowlist": ["/api/"], "urlBlocklist": ["/ads"], "maxBodyBytes": 4}
        self.assertEqual(self.client.call("cdp_set_filters", targetId=target, **filters), {"updated": True})
        self.assertEqual(self.client.call("cdp_get_filters", targetId=target), {"filters": filters})
        self.session.evaluate(fetch_all)
        self.await_text(target, "fetc... [3 bytes more]")
        self.assertEqual({e["url"] for e in self.read(target)["events"] if "url" in e}, {self.site.url("/api/one")})
        self.assertEqual([e["kind"] for e in self.read(target)["events"]].count("loadingFinished"), 1)
        self.client.call("cdp_set_filters", targetId=target, kinds=["network"])
        self.client.call("cdp_clear_events", targetId=target)
        self.session.evaluate(fetch_all)
        self.await_request(target, "/other")
        self.assertEqual(self.read(target, kinds=["console", "log"])["events"], [])
        self.assertEqual(self.client.call("cdp_get_filters", targetId=target)["filters"],
                         {"kinds": ["network"], "urlAllowlist": [], "urlBlocklist": [], "maxBodyBytes": 64000})

    def test_bodies(self):
        binary = bytes(range(256))
        self.site.route("/text", Response("wörds" * 20000, content_type="text/plain; charset=utf-8"))
        self.site.route("/binary", Response(binary, content_type="application/octet-stream"))
        held, release = self.site.held()
        self.addCleanup(release.set)
        target = self.observe()
        self.session.evaluate("Promise.all(['/text', '/binary'].map(u => fetch(u).then(r => r.arrayBuffer()))).then(() => 1)")
        text, data = (self.await_request(target, path)["requestId"] for path in ("/text", "/binary"))
        ask = lambda ident, **more: self.client.call("cdp_get_response_body", targetId=target, requestId=ident, **more)
        cut = ask(text)
        self.assertEqual((cut["mimeType"], cut["encoded"], cut["missingBytes"]), ("text/plain", False, 56000))
        self.assertTrue(cut["body"].endswith("... [56000 bytes more]"))
        self.assertEqual(base64.b64decode(ask(data)["body"]), binary)
        self.client.call("cdp_set_filters", targetId=target, maxBodyBytes=10)
        self.assertEqual(base64.b64decode(ask(text, base64=True)["body"]), "wördswör".encode()[:10])
        self.assertEqual((base64.b64decode(ask(data)["body"]), ask(data)["missingBytes"]), (binary[:9], 247))
        self.client.call("cdp_set_filters", targetId=target, maxBodyBytes=1000000)
        self.assertEqual(ask(text), {"requestId": text, "mimeType": "text/plain", "encoded": False, "body": "wörds" * 20000,
                                     "missingBytes": 0})
        self.assertEqual(self.client.fail("cdp_get_response_body", targetId=target, requestId="none").code, "BODY_NOT_AVAILABLE")

    def test_watchers_share_one_attachment(self):
        target = self.observe()
        self.assertEqual(self.again(), target)
        error = self.client.fail("cdp_observe", targetId=target, bufferSize=7)
        self.assertEqual((error.code, error.details["bufferSize"], error.details["watchers"]), ("ALREADY_OBSERVING", 10000, 2))
        stop = lambda **more: self.client.call("cdp_stop_observe", targetId=target, **more)
        self.assertEqual(stop(), {"stopped": True})
        self.session.evaluate("console.log('still')")
        self.await_text(target, "still")
        stop()
        self.session.evaluate("console.log('no longer')")
        left = self.read(target)
        self.assertFalse(left["attached"])
        self.assertNotIn("no longer", [e.get("text") for e in left["events"]])
        for tool in ("cdp_stop_observe", "cdp_set_filters", "cdp_get_filters"):
            self.assertEqual(self.client.fail(tool, targetId=target).code, "NOT_OBSERVING")
        self.again(bufferSize=7)
        stop(dropBuffer=True)
        self.assertEqual(self.client.fail("cdp_read_events", targetId=target).code, "NOT_OBSERVING")

    def test_events_outlive_their_page(self):
        target = self.observe("<script>console.log('kept')</script>")
        self.session.close()
        self.assertFalse(self.read(target)["attached"])
        self.await_text(target, "kept")
        self.assertEqual(self.client.fail("cdp_observe", targetId=target).code, "TARGET_NOT_FOUND")

    def test_an_observation_is_nobody_elses(self):
        """What an observation leaves out, forgets or has no room for, the browser_* tools still show."""
        url = self.site.page("<script>console.log('both')</script>")
        ask = lambda tool, **arguments: self.client.start_call("browser_" + tool, arguments).result()["content"][0]["text"]
        ask("navigate", url=url)
        target = self.client.call("cdp_observe", urlIncludes=url)["targetId"]
        self.await_text(target, "both")
        self.client.call("cdp_set_filters", targetId=target, kinds=["log"], maxBodyBytes=2)
        self.site.route("/asked", "x")
        ask("evaluate", function="async () => { console.log('left out'); await fetch('/asked') }")
        shown = lambda: ask("console_messages") + ask("network_requests", static=True)
        for text in ("[LOG] both", "[LOG] left out", "/asked"):
            self.assertIn(text, shown())
        self.assertEqual(self.read(target)["events"], [])
        self.client.call("cdp_clear_events", targetId=target)
        self.assertIn("[LOG] both", shown())
        self.client.call("cdp_stop_observe", targetId=target, dropBuffer=True)
        self.assertEqual(self.client.call("cdp_observe", urlIncludes=url, bufferSize=1)["targetId"], target)
        ask("evaluate", function="() => console.log('more')")
        self.await_text(target, "more")
        self.assertEqual(len(self.read(target)["events"]), 1)
        self.assertIn("[LOG] both", shown())

    def test_waiting_for_an_event(self):
        self.site.route("/api", lambda request: Response("x", 418))
        held, release = self.site.held()
        target = self.observe("<script>console.log('before')</script>")
        wait = lambda **wish: self.client.start_call("wait_for_event", {"targetId": target, **wish})
        self.assertEqual(wait(text="before").value()["event"]["text"], "before")
        next_offset = self.read(target)["nextOffset"]
        over = wait(text="before", since=next_offset, timeout=50).value()
        self.assertEqual(over, {"event": None, "nextOffset": next_offset, "timedOut": True})
        waiting = [wait(pattern="^line [0-9]{2}$"), wait(kinds=["response"], status=418), wait(method="POST", kinds=["request"], text="b=1"),
                   wait(urlIncludes=held.rpartition("/")[2], kinds=["loadingFinished"])]
        self.session.evaluate(f"""console.log('line 1'); console.log('line 22'); fetch('/api', {{method: 'POST', body: 'a=1&b=1'}});
            fetch('{held}').then(r => r.text()); 0""")
        self.site.wait_request(held)
        release.set()
        text, status, posted, end = (w.value()["event"] for w in waiting)
        self.assertEqual((text["text"], status["status"], posted["postDataPreview"], end["kind"]), ("line 22", 418, "a=1&b=1", "loadingFinished"))
        self.assertEqual(self.client.fail("wait_for_event", targetId=target, pattern="(").code, "INVALID_INPUT")
        pending = wait(text="never")
        self.client.call("cdp_stop_observe", targetId=target)
        self.assertEqual(pending.failure().code, "NOT_OBSERVING")
        self.again()
        pending = wait(text="never")
        self.session.close()
        self.assertEqual(pending.failure().code, "NOT_OBSERVING")

    def test_waiting_for_a_dialog(self):
        target = self.observe()
        wait = lambda **wish: self.client.start_call("wait_for_event", {"targetId": target, "kinds": ["dialog"], **wish})
        waiting = wait(text="Sure")
        self.session.evaluate("setTimeout(() => prompt('Sure about it?', 'yes')); 0")
        opened = waiting.value()["event"]
        self.assertEqual({k: v for k, v in opened.items() if k not in COMMON},
                         {"event": "opened", "url": self.session.evaluate("location.href"), "type": "prompt", "message": "Sure about it?"})
        closed = wait(since=opened["seq"] + 1).value()["event"]  # the tools of a session dismiss dialogs by themselves
        self.assertEqual((closed["event"], closed["accepted"]), ("closed", False))
        again = wait(pattern="^Sure").value()["event"]  # it happened already
        self.assertEqual(again, opened)

    def test_waiting_for_a_download(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        client = self.client = self.start("--caps", "observe", "--output-dir", folder)
        self.session = client.session()
        self.site.route("/file", lambda request: Response("whole", content_type="text/csv", headers=[("Content-Disposition", "attachment; filename=it.csv")]))
        target = self.observe("<a id=a href=/file>save</a>")
        self.session.start("browser_snapshot").result()
        waiting = [client.start_call("wait_for_event", {"targetId": target, "kinds": ["download"], "since": since, "text": "it.csv"}) for since in (0, 1)]
        self.session.start("browser_click", target="#a", element="the link").result()
        began = waiting[0].value()["event"]
        self.assertEqual((began["event"], began["url"], began["fileName"]), ("began", self.site.url("/file"), "it.csv"))
        saved = client.call("wait_for_event", targetId=target, kinds=["download"], since=began["seq"] + 1)["event"]
        self.assertEqual((saved["event"], saved["guid"], saved["bytes"]), ("saved", began["guid"], 5))
        self.assertEqual(pathlib.Path(saved["path"]).read_text(), "whole")
        self.assertEqual(waiting[1].value()["event"], began)
        self.session.start("browser_snapshot").result()  # by now the event has arrived
        files = [r for r in client.request("resources/list")["resources"] if r["uri"].startswith("artifact://")]
        self.assertIn(("it.csv", "text/csv"), [(r["name"], r["mimeType"]) for r in files])
        file, = (r["uri"] for r in files if r["name"] == "it.csv")
        self.assertEqual(client.request("resources/read", {"uri": file})["contents"], [{"uri": file, "mimeType": "text/csv", "text": "whole"}])

    def test_redaction(self):
        """Nothing that is masked is shown by any tool."""
        secret = "t0ken-4711"
        self.site.route("/api", lambda request: Response(request.body, content_type="text/plain"))
        shown_by_variable = {"BROWSERD_DEFAULT_REDACTION": "false"}
        for more, env, hidden in ((("--redact", "t0ken-[0-9]+", "--redact", "unused"), None, {secret, "Basic"}),
                                  (("--no-default-redaction",), None, set()), (("--default-redaction",), shown_by_variable, {"Basic"})):
            self.client = self.start("--caps", "observe", *more, env=env)
            self.session = self.client.session()
            target = self.observe(f"<script>console.log('{secret}'); throw new Error('{secret}')</script>")
            self.session.evaluate(f"""fetch('/api?{secret}', {{method: 'POST', body: '{secret}', headers: {{authorization: 'Basic x'}}}})
                .then(r => r.text()).then(() => console.log('done'))""")
            self.await_text(target, "done")
            request = self.await_event(target, lambda e: e["kind"] == "request" and e["method"] == "POST")
            body = self.client.call("cdp_get_response_body", targetId=target, requestId=request["requestId"])
            archive = self.client.request("resources/read", {"uri": f"cdp://har/{target}?bodies=true"})
            lines = self.client.request("resources/read", {"uri": f"session://{self.session.id}/console"})
            received = [self.client.start_call("browser_network_request", {"sessionId": self.session.id, "index": 2, **part}).result()
                    for part in ({}, {"part": "request-body"}, {"part": "response-body"})]
            shown = json.dumps([self.read(target), body, archive, lines, received])
            for text in (secret, "Basic"):
                self.assertEqual(text in shown, text not in hidden, (more, text))

    def test_events_in_a_file(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path, older = folder / "events.jsonl", folder / "events.jsonl.1"
        self.client = self.start("--caps", "observe", "--event-sink", f"file:{path}", "--event-sink-size", 1)
        self.session = self.client.session()
        target = self.observe("<script>console.log('in the file')</script>")
        lines = lambda file: [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        self.assertEqual(lines(path), self.read(target)["events"])
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.session.evaluate("for (let i = 0; i < 40; i++) console.log(i + 'x'.repeat(50000)); console.log('end')")
        self.await_text(target, "end")
        received = lines(older) + lines(path)
        self.assertLessEqual(older.stat().st_size, 1 << 20)
        self.assertEqual([e["seq"] for e in received], list(range(received[0]["seq"], self.read(target)["nextOffset"])))
        refused = self.start_unchecked("--event-sink", f"file:{folder}/none/x", version=None)
        self.assertEqual(refused.wait(), 1)
        self.assertIn("--event-sink: cannot open", refused.stderr())

    def test_wrong_arguments(self):
        for tool, arguments in (("cdp_observe", {}), ("cdp_observe", {"targetId": 1}), ("cdp_list_targets", {"port": 0}),
                                ("cdp_read_events", {}), ("cdp_read_events", {"targetId": "x", "kinds": ["network"]}),
                                ("cdp_set_filters", {"targetId": "x", "kinds": "console"}), ("cdp_observe", {"bufferSize": 0, "urlIncludes": "x"}),
                                ("cdp_set_filters", {"targetId": "x", "urlBlocklist": ["x"] * 101})):
            self.assertEqual(self.client.fail(tool, **arguments).code, "INVALID_INPUT", (tool, arguments))
        for tool, arguments, sentence in (
                ("cdp_list_targets", {"types": ["page", 5]}, "'types[1]' must be a string, not 5"),
                ("cdp_list_targets", {"port": 1e30}, "'port' must be a number from 1 to 65535"),
                ("cdp_observe", {"urlIncludes": ""}, "targetId or urlIncludes is required"),
                ("cdp_observe", {"targetId": "", "urlIncludes": ""}, "targetId or urlIncludes is required"),
                ("cdp_observe", {"urlIncludes": "x", "bufferSize": 10 ** 12}, "from 1 to 100000"),
                ("cdp_read_events", {"targetId": "x", "kinds": ["console", "x"]}, "'kinds[1]' must be one of"),
                ("cdp_set_filters", {"targetId": "x", "urlBlocklist": ["a", ""]}, "leave it out")):
            error = self.client.fail(tool, **arguments)
            self.assertEqual(error.code, "INVALID_INPUT", (tool, arguments))
            self.assertIn(sentence, error.message)
        self.assertEqual(self.client.fail("cdp_observe", targetId="x").code, "TARGET_NOT_FOUND")
        for tool in TOOLS - {"cdp_list_targets", "cdp_observe", "cdp_get_response_body"}:
            self.assertEqual(self.client.fail(tool, targetId="x").code, "NOT_OBSERVING", tool)

    def matched(self, target, pattern, **more):
        event = self.client.call("wait_for_event", targetId=target, pattern=pattern, timeout=1, **more)["event"]
        return event and event["text"]

    def test_patterns_are_of_javascript(self):
        target = self.observe("<script>for (const t of ['warm up', 'Ready in 12 ms', 'two\\nlines', 'a/b é']) console.log(t)</script>")
        self.await_text(target, "a/b é")
        for pattern, text in ((r"\d+ ms", "Ready in 12 ms"), (r"/ready/i", "Ready in 12 ms"), (r"\bup$", "warm up"), (r"(?<!R)ea", None),
                              (r"R(?=eady)", "Ready in 12 ms"), (r"(t)w(?:o)[^]*\1", None), (r"(.)\1", None), (r"l(i)n.s", "two\nlines"),
                              (r"^lines", None), (r"/^lines$/m", "two\nlines"), (r"two.lines", None), (r"/two.lines/s", "two\nlines"),
                              (r"/a/", "warm up"), (r"a/b", "a/b é"), (r"/\p{Ll}$/u", "warm up"), (r"/\u{e9}/u", "a/b é"), (r"/r/gi", "warm up")):
            self.assertEqual(self.matched(target, pattern), text, pattern)

    def test_patterns_that_are_none(self):
        target = self.observe("<title>t</title>")
        for pattern, reason in (("(", "Unterminated group"), ("*", "Nothing to repeat"), ("[b-a]", "Range out of order"), ("/a/q", "flags"),
                                ("a{2,1}", "numbers out of order"), ("(?<n>a)(?<n>b)", "Duplicate"), ("/\\u{z}/u", "escape")):
            error = self.client.fail("wait_for_event", targetId=target, pattern=pattern)
            self.assertEqual(error.code, "INVALID_INPUT", pattern)
            self.assertRegex(error.message, f"^pattern: .*{reason}.*Write a JavaScript regular expression")
        self.assertIn("4096", self.client.fail("wait_for_event", targetId=target, pattern="a" * 4097).message)

    def test_patterns_that_take_too_long(self):
        target = self.observe("<script>console.log('a'.repeat(60000)); console.log('b ' + 'ab'.repeat(30) + 'c'); console.log('end')</script>")
        self.await_text(target, "end")
        slow = [self.client.start_call("wait_for_event", {"targetId": target, "pattern": p}) for p in ("^(a+)+$|nowhere", r"^.*(a|a)*x", r"((ab)*(ba|ab)*)*d$")]
        self.assertEqual(self.session.evaluate("document.readyState"), "complete")  # other calls go on meanwhile
        self.assertEqual(self.client.call("wait_for_event", targetId=target, text="end")["event"]["text"], "end")
        for call in slow[1:]:
            error = call.failure()
            self.assertEqual(error.code, "INVALID_INPUT")
            self.assertIn("took longer than 2000 ms", error.message)
        self.assertEqual(slow[0].value()["event"]["text"], "a" * 60000)  # backtracks only where the end does not match
        for pattern in ("(" * 1000 + ")" * 1000 + "end", "(?<=(a+))x|end"):
            self.assertEqual(self.matched(target, pattern, since=2), "end", pattern[:40])

    def test_patterns_that_are_huge_inside(self):
        target = self.observe("<script>console.log('a'.repeat(60000)); console.log('end')</script>")
        self.await_text(target, "end")
        for pattern in ("(a{1,32767}){1,99}b|end", "(?:a?){32767}x|end", "(?:(?:(?:a{0,1000}){0,1000}){0,1000})x|end", "a*a*a*a*x|end"):
            reply = self.client.start_call("wait_for_event", {"targetId": target, "pattern": pattern})
            self.assertIn("took longer than 2000 ms or too much memory", reply.failure().message, pattern)
            self.assertEqual(self.matched(target, "end"), "end")

    def test_events_that_keep_coming_do_not_prolong_a_wait(self):
        target = self.observe("<script>setInterval(() => { for (let i = 0; i < 50; i++) console.log('tick') }, 1)</script>")
        answer = self.client.call("wait_for_event", targetId=target, pattern="never|nothing", timeout=300)
        self.assertEqual((answer["event"], answer["timedOut"]), (None, True))
        self.assertGreater(answer["nextOffset"], 0)

    def test_ten_thousand_lines(self):
        target = self.observe(bufferSize=10000)
        for first in (0, 5025):  # one script with all of them may last longer on a busy machine than a page may cause events at once
            self.session.evaluate(f"for (let i = {first}; i < {first} + 5025; i++) console.log('line', i)")
        self.await_event(target, lambda e: e.get("text") == "line 10049", offset=9000)
        events = self.read(target, limit=10000)
        self.assertEqual(len(events["events"]), 10000)
        self.assertGreaterEqual(events["dropped"], 50)


class Outside(Observing):
    """A browser that somebody else drives."""

    def setUp(self):
        super().setUp()
        self.client = self.start("--caps", "observe")
        self.released = []

    def open(self, body):
        """Starts the browser on a page that shows `body` and goes on with what step() gives it to run."""
        self.steps, self.go = self.site.unique(), []
        url = self.site.page(f"""{body}<script>
            async function next(n) {{ eval(await (await fetch('{self.steps}?' + n)).text()); next(n + 1) }} next(0)</script>""")
        self.queue = []
        self.site.route(self.steps, self.wait_step)
        self.browser = Chromium(url)
        self.addCleanup(self.browser.close)
        self.at = {"port": self.browser.port}
        return url

    def wait_step(self, request):
        n, end = int(request.query and next(iter(request.query)) or 0), time.monotonic() + PATIENCE
        while len(self.queue) <= n and not self.site.closing.wait(0.02) and time.monotonic() < end:
            pass
        return self.queue[n] if len(self.queue) > n else ""

    def step(self, script):
        self.queue.append(script)

    def observe(self, url, **arguments):
        return self.client.call("cdp_observe", urlIncludes=url, **self.at, **arguments)["targetId"]

    def test_console_and_network(self):
        self.site.route("/api", lambda request: Response(b"got " + request.body, content_type="text/plain"))
        url = self.open("<script>console.log('before')</script>")
        listed, = self.client.call("cdp_list_targets", types=["page"], **self.at)["targets"]
        self.assertEqual((listed["url"], listed["attached"]), (url, False))
        target = self.observe(url)
        self.assertEqual(target, listed["id"])
        self.assertIs(self.client.call("cdp_list_targets", types=["page"], **self.at)["targets"][0]["attached"], True)
        self.await_text(target, "before")
        self.step("console.log('now'); fetch('/api', {method: 'POST', body: 'x'}).then(r => r.text())")
        self.await_text(target, "now")
        request = self.await_request(target, "/api")
        self.assertEqual((request["method"], request["postDataPreview"]), ("POST", "x"))
        self.assertEqual(self.client.call("cdp_get_response_body", targetId=target, requestId=request["requestId"])["body"], "got x")

    def test_workers_and_frames(self):
        script = lambda text: Response(text, content_type="text/javascript")
        self.site.route("/worker.js", script("console.log('from worker'); fetch('/of-worker').then(r => r.text())"))
        self.site.route("/service.js", script("""console.log('from service');
            addEventListener('message', e => console.log('from service ' + e.data))"""))
        for path in ("/of-worker", "/of-frame"):
            self.site.route(path, "x")
        frame = self.site.page("<script>console.log('from frame'); fetch('/of-frame').then(r => r.text())</script>")
        url = self.open("")
        target = self.observe(url)
        self.step("""navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready)
            .then(r => r.active.postMessage('now'))""")
        self.step(f"""worker = new Worker('/worker.js');
            document.body.append(Object.assign(document.createElement('iframe'), {{src: '{frame.replace("127.0.0.1", "localhost")}'}}))""")
        sessions = {self.await_text(target, text)["sessionId"] for text in ("from worker", "from frame", "from service now")}
        self.assertEqual(len(sessions), 3)
        for path in ("/of-worker", "/of-frame"):
            request = self.await_request(target, path)
            body = self.client.call("cdp_get_response_body", targetId=target, requestId=request["requestId"])
            self.assertEqual(body["body"], "x")

    def test_without_workers_and_frames(self):
        self.site.route("/worker.js", Response("console.log('from worker'); postMessage('ran')", content_type="text/javascript"))
        frame = self.site.page("<script>console.log('from frame'); parent.postMessage('ran', '*')</script>").replace("127.0.0.1", "localhost")
        target = self.observe(self.open(""), includeWorkers=False, includeIframes=False)
        self.step(f"""ran = 0; onmessage = () => {{ if (++ran === 2) console.log('both ran') }};
            (worker = new Worker('/worker.js')).onmessage = onmessage;
            document.body.append(Object.assign(document.createElement('iframe'), {{src: '{frame}'}}))""")
        self.await_text(target, "both ran")
        self.assertFalse({"from worker", "from frame"} & {e.get("text") for e in self.read(target)["events"]})

    def test_stopping_and_starting_again(self):
        url = self.open("")
        target = self.observe(url)
        self.step("console.log('one')")
        offset = self.await_text(target, "one")["seq"] + 1
        self.client.call("cdp_stop_observe", targetId=target)
        self.assertIs(self.client.call("cdp_list_targets", types=["page"], **self.at)["targets"][0]["attached"], False)
        self.await_text(target, "one")
        self.assertEqual(self.observe(url), target)
        self.step("console.log('two')")
        self.assertGreaterEqual(self.await_text(target, "two")["seq"], offset)

    def test_a_target_that_closes(self):
        url = self.open("<script>console.log('kept')</script>")
        self.browser.ask("/json/new?about:blank", "PUT")  # a browser without pages ends
        target = self.observe(url)
        self.await_text(target, "kept")
        self.browser.close_target(target)
        while self.read(target)["attached"]:
            pass
        self.await_text(target, "kept")
        self.assertEqual(self.client.fail("cdp_get_filters", targetId=target).code, "NOT_OBSERVING")
        self.assertEqual(self.client.fail("cdp_observe", targetId=target, **self.at).code, "TARGET_NOT_FOUND")

    def test_a_browser_that_vanishes(self):
        url = self.open("<script>console.log('kept')</script>")
        target = self.observe(url)
        self.await_text(target, "kept")
        session = self.client.session()
        self.browser.kill()
        while self.read(target)["attached"]:
            pass
        self.await_text(target, "kept")
        for tool, arguments in (("cdp_list_targets", {}), ("cdp_observe", {"targetId": target})):
            error = self.client.fail(tool, **arguments, **self.at)
            self.assertEqual((error.code, error.details["port"]), ("BROWSER_UNREACHABLE", self.browser.port))
        self.assertEqual(session.evaluate("1 + 1"), 2)
        self.assertEqual(self.client.call("cdp_stop_observe", targetId=target), {"stopped": True})

    def test_the_browser_that_options_name(self):
        url = self.open("")
        for client in (self.start("--caps", "observe", "--cdp-host", "127.0.0.1", "--cdp-port", self.browser.port),
                       self.start("--caps", "observe", env={"CDP_PORT": str(self.browser.port), "CDP_HOST": "localhost"})):
            session = client.session()
            self.assertEqual([t["url"] for t in client.call("cdp_list_targets", types=["page"])["targets"]], ["about:blank", url])
            self.assertTrue(client.call("cdp_observe", urlIncludes=url)["attached"])
            session.close()

    @staticmethod
    def talk(server):
        connection, _ = server.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"SSH-2.0-OpenSSH\r\n")

    def test_what_is_no_debugging_port(self):
        self.site.route("/json/version", "no JSON")
        quiet = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(quiet.close)
        moved = self.pages()
        moved.route("/json/version", Response(status=302, headers=[("Location", self.site.url("/json/version"))]))
        talker = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(talker.close)
        threading.Thread(target=self.talk, args=(talker,), daemon=True).start()
        unused = socket.create_server(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        unused.close()
        for port, cause in ((self.site.port, "no Chromium"), (self.pages().port, "status 404"), (moved.port, "status 302"), (port, "ECONNREFUSED"),
                            (talker.getsockname()[1], "does not serve HTTP")):
            error = self.client.fail("cdp_list_targets", port=port)
            self.assertEqual(error.code, "BROWSER_UNREACHABLE", cause)
            self.assertIn(cause, error.details["cause"])

    def test_addresses_that_are_refused(self):
        anywhere = self.start("--caps", "observe", "--no-localonly")
        by_variable = self.start("--caps", "observe", env={"CDP_SECURITY_LOCALONLY": "false"})
        overruled = self.start("--caps", "observe", "--localonly", env={"CDP_SECURITY_LOCALONLY": "false"})
        self.assertEqual(overruled.fail("cdp_list_targets", host="192.0.2.1", port=1).code, "SECURITY_BLOCKED")
        for host in ("0.0.0.0", "0", "0x0", "0.0.0.1", "::", "[::]", "::ffff:0.0.0.0"):
            for client in (self.client, anywhere):
                self.assertEqual(client.fail("cdp_list_targets", host=host, port=1).code, "SECURITY_BLOCKED", host)
        for host in ("192.0.2.1", "2001:db8::1", "8.8.8.8", "::ffff:192.0.2.1"):
            self.assertEqual(self.client.fail("cdp_list_targets", host=host, port=1).code, "SECURITY_BLOCKED", host)
        for host in ("localhost", "127.0.0.1", "127.1", "0x7f000001", "[::1]", "::1"):
            self.assertEqual(self.client.fail("cdp_list_targets", host=host, port=1).code, "BROWSER_UNREACHABLE", host)
        for host in ("example.com", "localhost.example.com", "", "127.0.0.1:80", "x" * 100):
            self.assertEqual(self.client.fail("cdp_list_targets", host=host, port=1).code, "INVALID_INPUT", host)
        for client in (anywhere, by_variable):
            client.cancel(client.start_call("cdp_list_targets", {"host": "192.0.2.1", "port": 1}))


if __name__ == "__main__":
    main()
