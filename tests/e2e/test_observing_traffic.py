"""What an observed page can do to its observer: many, large, endless and refused messages; and that other sessions do not wait."""
import base64
import hashlib

from test_observing import Observing

from support.case import main
from support.client import PATIENCE
from support.memory import EXACT, resident
from support.pages import Response

MIB = 1 << 20
BIG = 100 * MIB
MEMORY = 16 * MIB  # that the server may grow by, whatever a page loads


def frame(opcode, payload):
    return bytes([0x80 | opcode, len(payload)]) + payload


def socket(request):
    """Two frames come, two go, then it closes."""
    key = request.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()

    def frames():
        yield b""
        heard = b""
        while len(heard) < 2 * 6 + 2 + 3:  # two masked heads, "up" and three bytes
            heard += request.connection.recv(4096)
        yield frame(1, "größer".encode()) + frame(2, b"\0\xff") + frame(8, b"\x03\xe8")
    return Response(frames(), 101, headers=[("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept)])


class Traffic(Observing):
    def setUp(self):
        super().setUp()
        self.client = self.share("--caps", "observe", env=EXACT)
        self.session, self.other = self.client.session(), self.client.session()

    def observe(self, body="", head="", **arguments):
        url = self.site.page(body, head=head)
        self.session.navigate(url)
        return self.client.call("cdp_observe", urlIncludes=url, **arguments)["targetId"]

    def own(self, event):
        return {key: value for key, value in event.items() if key not in ("seq", "ts", "targetId", "sessionId", "kind", "requestId", "url")}

    def of_request(self, target, request):
        return [e for e in self.read(target, limit=10000)["events"] if e.get("requestId") == request["requestId"]]

    def test_websocket_frames(self):
        self.site.route("/socket", socket)
        target = self.observe()
        self.session.evaluate("""new Promise(resolve => {
            const s = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
            s.onopen = () => { s.send('up'); s.send(new Uint8Array([0, 1, 254])); };
            s.onclose = () => resolve() })""")
        self.await_event(target, lambda e: e.get("event") == "closed", kinds=["websocket"])
        events = [e for e in self.read(target, kinds=["websocket"])["events"]]
        self.assertEqual([self.own(e) for e in events], [
            {"event": "created"}, {"event": "opened", "status": 101},
            {"event": "sent", "direction": "sent", "opcode": 1, "payloadPreview": "up"},
            {"event": "sent", "direction": "sent", "opcode": 2, "payloadPreview": base64.b64encode(b"\0\1\xfe").decode()},
            {"event": "received", "direction": "recv", "opcode": 1, "payloadPreview": "größer"},
            {"event": "received", "direction": "recv", "opcode": 2, "payloadPreview": base64.b64encode(b"\0\xff").decode()},
            {"event": "closed"}])
        self.assertEqual(len({(e["requestId"], e["url"]) for e in events}), 1)

    def test_a_hundred_megabytes(self):
        self.site.route("/big", lambda request: Response((b"x" * MIB for _ in range(BIG // MIB)), content_type="application/octet-stream"))
        target = self.observe()
        before = resident(self.client.process)
        loading = self.session.start("evaluate", expression="""(async () => {
            const reader = (await fetch('/big')).body.getReader();
            for (let n = 0, part; ; n += part.value.length) if ((part = await reader.read()).done) return n })()""")
        while not loading.done():
            self.assertEqual(self.other.evaluate("6 * 7"), 42)
        self.assertEqual(loading.value()["value"], BIG)
        request = self.await_request(target, "/big")
        end = self.of_request(target, request)[-1]
        self.assertGreaterEqual(end["encodedDataLength"], BIG)
        error = self.client.fail("cdp_get_response_body", targetId=target, requestId=request["requestId"])
        self.assertEqual(error.code, "BODY_NOT_AVAILABLE")
        self.assertLess(resident(self.client.process) - before, MEMORY)

    def test_a_large_console_line_is_cut(self):
        target = self.observe()
        self.session.evaluate(f"setTimeout(() => {{ for (let i = 0; i < 5; i++) console.log('x'.repeat({4 * MIB})); console.log('end') }}); 0")
        self.await_text(target, "end")
        texts = [e["text"] for e in self.read(target, kinds=["console"])["events"]]
        self.assertEqual(len(texts), 6)
        self.assertTrue(all(len(text) < 70000 and text.endswith("bytes more]") for text in texts[:-1]), [text[-40:] for text in texts])

    def test_streams_have_no_end_until_they_are_left(self):
        self.site.route("/events", lambda request: Response(
            (b"data: %d\n\n" % n if n < 3 else self.site.closing.wait(PATIENCE) and b"" for n in range(4)), content_type="text/event-stream"))
        target = self.observe()
        self.assertEqual(self.session.evaluate("""new Promise(resolve => { source = new EventSource('/events');
            source.onmessage = e => e.data === '2' && resolve(e.data) })"""), "2")
        request = self.await_request(target, "/events", "response")
        seen = self.of_request(target, request)
        self.assertEqual([e["kind"] for e in seen], ["request", "response"])
        self.assertEqual(seen[1]["mimeType"], "text/event-stream")
        self.session.evaluate("source.close()")
        self.await_request(target, "/events", "loadingFailed")
        self.assertIs(self.of_request(target, request)[-1]["canceled"], True)

    def test_binary_bodies(self):
        whole = bytes(range(256)) * 1000
        self.site.route("/binary", lambda request: Response(request.body, content_type="application/octet-stream"))
        target = self.observe()
        self.session.evaluate("""fetch('/binary', {method: 'POST', body: Uint8Array.from({length: 256000}, (_, i) => i % 256)})
            .then(r => r.arrayBuffer()).then(b => b.byteLength)""")
        request = self.await_request(target, "/binary")
        body = self.client.call("cdp_get_response_body", targetId=target, requestId=request["requestId"])
        got = base64.b64decode(body["body"])
        self.assertIs(body["encoded"], True)
        self.assertEqual((got, body["missingBytes"]), (whole[:len(got)], len(whole) - len(got)))
        self.assertGreater(len(got), 60000)

    def test_requests_that_fail(self):
        stranger = self.pages()
        stranger.route("/stranger", "x")
        held, _ = self.site.held()
        target = self.observe(head="<meta http-equiv=Content-Security-Policy content=\"img-src 'none'\">")
        self.session.evaluate(f"""(async () => {{
            await fetch('{stranger.url("/stranger")}').catch(() => 0);
            const image = new Image();
            await new Promise(resolve => {{ image.onerror = resolve; image.src = '/image.png' }});
            const stop = new AbortController();
            const left = fetch('{held}', {{signal: stop.signal}}).catch(() => 0);
            setTimeout(() => stop.abort());
            await left }})()""")
        failed = lambda part: self.of_request(target, self.await_request(target, part, "loadingFailed"))[-1]
        self.assertEqual(self.own(failed(held))["canceled"], True)
        self.assertEqual(self.own(failed("/stranger"))["errorText"], "net::ERR_FAILED")
        self.assertEqual(self.own(failed("/image.png"))["blockedReason"], "csp")
        self.await_event(target, lambda e: "CORS policy" in e.get("text", ""))

    def test_blocked_origins(self):
        client = self.start("--caps", "observe", "--blocked-origins", "http://127.0.0.9:1")
        self.client, self.session = client, client.session()
        target = self.observe()
        self.session.evaluate("fetch('http://127.0.0.9:1/no').catch(() => 0)")
        request = self.await_request(target, "/no", "loadingFailed")
        self.assertRegex(self.own(self.of_request(target, request)[-1])["errorText"], "^net::ERR_BLOCKED_BY_CLIENT")

    def test_workers_of_all_kinds_at_once(self):
        script = lambda text: Response(text, content_type="text/javascript")
        tell = "console.log('from %s'); fetch('/of-%s').then(r => r.text()).then(() => console.log('%s is done'))"
        self.site.route("/worker.js", script(tell % (("worker",) * 3)))
        self.site.route("/service.js", script("addEventListener('message', () => {" + tell % (("service",) * 3) + "})"))
        for part in ("worker", "service", "frame", "page"):
            self.site.route("/of-" + part, "x")
        inner = self.site.page("<script>" + tell % (("frame",) * 3) + "</script>").replace("127.0.0.1", "localhost")
        target = self.observe()
        self.session.evaluate(f"""(async () => {{
            worker = new Worker('/worker.js');
            document.body.append(Object.assign(document.createElement('iframe'), {{src: '{inner}'}}));
            await navigator.serviceWorker.register('/service.js');
            (await navigator.serviceWorker.ready).active.postMessage('now');
            {tell % (("page",) * 3)} }})()""")
        sessions = {part: self.await_text(target, part + " is done")["sessionId"] for part in ("worker", "service", "frame", "page")}
        self.assertEqual(len({sessions[part] for part in ("worker", "service", "page")}), 3)
        for part, session in sessions.items():
            self.assertEqual(self.await_request(target, "/of-" + part)["sessionId"], session)

    def test_ten_thousand_lines_and_the_others_go_on(self):
        target = self.observe(bufferSize=1000)
        self.session.evaluate("setTimeout(() => { for (let i = 0; i < 10000; i++) console.log('line', i); console.log('end') }); 0")
        waiting = self.client.start_call("wait_for_event", {"targetId": target, "text": "end"})
        answers = 0
        while not waiting.done():
            self.assertEqual(self.other.evaluate("6 * 7"), 42)
            answers += 1
        last = waiting.value()["event"]
        self.assertGreater(answers, 0)
        shown = self.read(target, limit=1000)
        self.assertEqual(len(shown["events"]), 1000)
        self.assertEqual(shown["dropped"], last["seq"] + 1 - 1000)
        self.assertGreaterEqual(shown["dropped"], 9000)
        lines = [e["text"] for e in shown["events"] if e.get("text", "").startswith("line")]
        self.assertEqual(lines, [f"line {n}" for n in range(10000 - len(lines), 10000)])

    def test_five_hundred_requests_at_once(self):
        self.site.route("/many", lambda request: Response("x"))
        target = self.observe()
        loading = self.session.start("evaluate", expression="""Promise.all(Array.from({length: 500}, (_, i) =>
            fetch('/many?' + i).then(r => r.text()))).then(all => all.length)""")
        while not loading.done():
            self.assertEqual(self.other.evaluate("6 * 7"), 42)
        self.assertEqual(loading.value()["value"], 500)
        self.await_event(target, lambda e: e["kind"] == "loadingFinished" and e["seq"] >= 1500)
        events = self.read(target, limit=10000, urlIncludes="/many?")["events"]
        for kind in ("request", "response", "loadingFinished"):
            self.assertEqual(len([e for e in events if e["kind"] == kind]), 500, kind)
        self.assertEqual({e["url"].rpartition("?")[2] for e in events if e["kind"] == "request"}, {str(n) for n in range(500)})

    def test_the_browser_dies_under_its_watchers(self):
        target = self.observe("<script>console.log('kept')</script>")
        self.await_text(target, "kept")
        waiting = self.client.start_call("wait_for_event", {"targetId": target, "text": "never"})
        self.client.browser().kill()
        self.assertEqual(waiting.failure().code, "NOT_OBSERVING")
        self.assertIn("kept", [e.get("text") for e in self.read(target)["events"]])
        self.assertEqual(self.client.session().evaluate("1 + 1"), 2)


if __name__ == "__main__":
    main()
