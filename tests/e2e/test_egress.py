"""What pages of a session with a server may reach: redirects, names, sub-resources, workers, frames, sockets."""
import base64
import hashlib
import os
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

from support.case import SharedCase, main
from support.engine import by_engine

SERVER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support", "web_server.py")


class Witness:
    """A server on this machine that pages must not reach; it records who did. WebSockets are accepted."""

    def __init__(self, test, host="127.0.0.1"):
        witness = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                witness.seen.append(self.path)
                key = self.headers.get("Sec-WebSocket-Key")
                if key:
                    accept = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
                    self.protocol_version = "HTTP/1.1"  # which a WebSocket needs
                    self.send_response(101)
                    self.send_header("Upgrade", "websocket")
                    self.send_header("Connection", "Upgrade")
                    self.send_header("Sec-WebSocket-Accept", base64.b64encode(accept).decode())
                    self.end_headers()
                    self.connection.recv(1)  # until the page closes it: one that ends at once was never open in Firefox
                    return
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<title>Witness</title>reached")

        self.seen = []
        self.server = ThreadingHTTPServer((host, 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)

    def url(self, path="/", scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.port}{path}"


class Case(SharedCase):
    args = ("--caps", "e2e")

    def setUp(self):
        super().setUp()
        self.addCleanup(self.close_sessions, self.client)
        self.witness = Witness(self)

    def open(self, *args, client=None):
        client = client or self.client
        answer = client.call("startSession", command=sys.executable, args=[SERVER, *args])
        client.call("navigate", sessionId=answer["sessionId"], url="/")
        return answer

    def evaluate(self, answer, script, client=None):
        return (client or self.client).call("evaluate", sessionId=answer["sessionId"], script=script, timeout=30000)["value"]

    def navigate(self, answer, url):
        return self.client.call("navigate", sessionId=answer["sessionId"], url=url)

    def refused(self, answer, url):
        error = self.client.fail("navigate", sessionId=answer["sessionId"], url=url)
        self.assertEqual(error.code, "SECURITY_BLOCKED", error.message)
        self.assertTrue(error.body["refusedRequests"])
        return error.body["refusedRequests"][-1]


# Each is a promise of whether URL was reached.
WAYS = {
    "fetch": "fetch(URL).then(r => r.ok, () => false)",
    "image": "new Promise(done => { const i = new Image(); i.onload = () => done(true); i.onerror = () => done(false); i.src = URL; })",
    "script": "new Promise(done => { const s = document.createElement('script'); s.onload = () => done(true);"
              "s.onerror = () => done(false); s.src = URL; document.head.append(s); })",
    # A frame that shows an error has no load event in Firefox, and a document that this one cannot see in both.
    "frame": "new Promise(done => { const f = document.createElement('iframe'); f.onload = () => done(false); f.src = URL;"
             "document.body.append(f); const look = setInterval(() => f.contentDocument || done(clearInterval(look)), 20); })",
    "WebSocket": "new Promise(done => { const s = new WebSocket(URL.replace('http', 'ws')); s.onopen = () => done(true);"
                 "s.onerror = () => done(false); })",
    "event stream": "new Promise(done => { const s = new EventSource(URL); s.onopen = () => done(true);"
                    "s.onerror = () => { s.close(); done(false); }; })",
    "worker": "new Promise(done => { const w = new Worker('/w.js?code=' + encodeURIComponent("
              "'fetch(' + JSON.stringify(URL) + ').then(r => postMessage(r.ok), () => postMessage(false))'));"
              "w.onmessage = e => done(e.data); })",
    "shared worker": "new Promise(done => { const w = new SharedWorker('/w.js?code=' + encodeURIComponent('onconnect = e => "
                     "fetch(' + JSON.stringify(URL) + ').then(r => e.ports[0].postMessage(r.ok), () => "
                     "e.ports[0].postMessage(false))')); w.port.onmessage = e => done(e.data); })",
    "service worker": "navigator.serviceWorker.register('/s.js?code=' + encodeURIComponent('onmessage = e => fetch(' + "
                      "JSON.stringify(URL) + ').then(r => e.source.postMessage(r.ok), () => e.source.postMessage(false))'))"
                      ".then(() => navigator.serviceWorker.ready).then(r => new Promise(done => {"
                      "navigator.serviceWorker.onmessage = e => done(e.data); r.active.postMessage(1); }))",
    "redirected fetch": "fetch('/redirect?to=' + encodeURIComponent(URL)).then(r => r.ok, () => false)",
    "beacon": "(navigator.sendBeacon(URL), fetch(URL).then(r => r.ok, () => false))",
}


def script(way, url):
    return WAYS[way].replace("URL", repr(url))


class Refused(Case):
    def test_every_way_out(self):
        answer = self.open()
        for way in WAYS:
            with self.subTest(way):
                self.assertFalse(self.evaluate(answer, script(way, self.witness.url("/" + quote(way)))))
        self.assertEqual(self.witness.seen, [])

    def test_what_is_open_to_one_is_closed_to_another(self):
        """The same address at the same time: one session's server, and out of bounds for the other."""
        ours, theirs = self.open(), self.open()
        url = ours["url"] + "/pid"
        for way in WAYS:
            if way in ("frame", "script", "image", "WebSocket", "event stream", "beacon"):
                continue  # these want another answer than this server's
            with self.subTest(way):
                ask = lambda answer: self.client.start_call("evaluate", {
                    "sessionId": answer["sessionId"], "script": script(way, url), "timeout": 30000})
                both = ask(ours), ask(theirs)
                self.assertEqual([reply.value()["value"] for reply in both], [True, False])

    def test_navigation(self):
        answer = self.open()
        refusal = self.refused(answer, self.witness.url())
        self.assertEqual((refusal["host"], refusal["port"]), ("127.0.0.1", self.witness.port))
        for url in (self.witness.url(host="localhost"), self.witness.url(host="some.localhost"), self.witness.url(host="[::1]"),
                    self.witness.url(host="0.0.0.0"), self.witness.url(host="[::ffff:127.0.0.1]"), self.witness.url(host="2130706433"),
                    "/redirect?to=" + quote(self.witness.url())):
            with self.subTest(url):
                self.refused(answer, url)
        self.assertEqual(self.witness.seen, [])
        self.assertEqual(self.navigate(answer, "/")["status"], 200)

    def test_addresses_that_are_nobody_s_business(self):
        answer = self.open()
        for host in ("10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fd00::1]",
                     "[fe80::1]", "[fd00:ec2::254]", "[::ffff:10.0.0.1]", "[64:ff9b::10.0.0.1]", "[2002:a00:1::]", "0.0.0.0"):
            with self.subTest(host):
                self.refused(answer, f"http://{host}/")

    def test_names_that_lead_there(self):
        """Names that the machine itself knows: they are judged by what they resolve to."""
        answer, name = self.open(), socket.gethostname()
        try:
            address = socket.gethostbyname(name)
        except OSError:
            self.skipTest("this machine does not know its own name")
        if not address.startswith(("10.", "172.", "192.168.", "127.")):
            self.skipTest(f"{name} is no private address")
        self.assertEqual(self.refused(answer, f"http://{name}:{self.witness.port}/")["host"], name.lower())
        self.assertEqual(self.witness.seen, [])

    def test_a_failure_tells_what_the_page_was_refused(self):
        answer = self.open()
        self.client.start_call("evaluate", {"sessionId": answer["sessionId"], "script": script("fetch", self.witness.url())}).value()
        self.evaluate(answer, "0")
        body = "<script>fetch(%r)</script>" % self.witness.url()
        self.navigate(answer, "/page?body=" + quote(body))
        error = self.client.fail("evaluate", sessionId=answer["sessionId"],
                                 script=f"fetch({self.witness.url()!r}).then(() => 0, () => nothing.here)")
        self.assertEqual(error.body["refusedRequests"][-1]["port"], self.witness.port)

    def test_webrtc_sends_nothing_past_the_proxy(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as witness:
            witness.bind(("127.0.0.1", 0))
            witness.setblocking(False)
            answer = self.open()
            self.evaluate(answer, by_engine(chromium="", firefox="!self.RTCPeerConnection || ") + "new Promise(done => { const p = new RTCPeerConnection({iceServers: [{urls: "
                          f"'stun:127.0.0.1:{witness.getsockname()[1]}'}}]}}); p.createDataChannel('x'); "
                          "p.onicegatheringstatechange = () => p.iceGatheringState === 'complete' && done(true); "
                          "p.setLocalDescription(); })")
            self.assertRaises(BlockingIOError, witness.recv, 1)

    def test_a_server_that_has_ended_opens_nothing(self):
        answer = self.open()
        port = answer["port"]
        self.client.call("endSession", sessionId=answer["sessionId"])
        other = self.open()
        self.refused(other, f"http://127.0.0.1:{port}/")


class Allowed(Case):
    def test_everything_of_its_own_server(self):
        answer = self.open("--second-port")
        second = self.evaluate(answer, "fetch('/port2').then(r => r.text())")
        self.assertTrue(self.evaluate(answer, script("fetch", f"http://localhost:{second}/")))
        for host in ("localhost", "127.0.0.1"):
            self.assertEqual(self.navigate(answer, f"http://{host}:{answer['port']}/")["title"], "Application")
        self.assertFalse(self.evaluate(answer, script("fetch", self.witness.url())))

    def test_sessions_without_a_server_are_as_they_were(self):
        session = self.client.session()
        self.assertEqual(session.navigate(self.witness.url())["title"], "Witness")

    def test_large_answers_come_whole(self):
        answer = self.open()
        size = self.evaluate(answer, "fetch('/page?body=' + 'x'.repeat(30000)).then(r => r.text()).then(t => t.length)")
        self.assertEqual(size, 30000)
        at_once = "Promise.all(Array.from({length: 60}, () => fetch('/pid').then(r => r.text()))).then(all => new Set(all).size)"
        self.assertEqual(self.evaluate(answer, at_once), 1)


class OperatorsList(Case):
    def test_hosts_that_stand_there(self):
        for args, env in ((["--egress-hosts", f"127.0.0.1:{self.witness.port}"], {}),
                          ([], {"ALLOWED_HOSTS": f"127.0.0.1:{self.witness.port}"})):
            with self.subTest(env):
                client = self.start("--caps", "e2e", *args, env=env)
                answer = self.open(client=client)
                self.assertTrue(self.evaluate(answer, script("fetch", self.witness.url()), client))
                self.assertTrue(self.evaluate(answer, script("WebSocket", self.witness.url()), client))
                other = Witness(self)
                self.assertFalse(self.evaluate(answer, script("fetch", other.url()), client))
                self.assertFalse(self.evaluate(answer, script("fetch", self.witness.url(host="localhost")), client))
                error = client.fail("navigate", sessionId=answer["sessionId"], url="http://example.invalid/")
                self.assertIn("not among the hosts", error.message)

    def test_metadata_is_never_reached(self):
        client = self.start("--caps", "e2e", "--egress-hosts", "169.254.169.254")
        answer = self.open(client=client)
        error = client.fail("navigate", sessionId=answer["sessionId"], url="http://169.254.169.254/latest/meta-data/")
        self.assertEqual(error.code, "SECURITY_BLOCKED")


if __name__ == "__main__":
    main()
