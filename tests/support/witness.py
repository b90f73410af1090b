"""Servers that say who came, and the ways in which a page comes to them."""
import base64
import hashlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

from support.client import PATIENCE
from support.engine import by_engine

WEBSOCKET = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Witness:
    """
    An HTTP server that takes WebSockets, too. `seen`: the paths that were asked for, `connections`: how many were made.
    /w.js?code=... is a script, /page?body=... a document, /redirect?to=... and /csp?to=... lead there.
    """

    def __init__(self, test, host="127.0.0.1", port=0):
        witness = self
        self.seen, self.connections, self.news = [], 0, threading.Condition()

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                split = urlsplit(self.path)
                with witness.news:
                    witness.seen.append(split.path)
                    witness.news.notify_all()
                query = {name: values[0] for name, values in parse_qs(split.query).items()}
                key = self.headers.get("Sec-WebSocket-Key")
                if key:
                    accept = hashlib.sha1(key.encode() + WEBSOCKET).digest()
                    self.answer(101, b"", Upgrade="websocket", Connection="Upgrade",
                                **{"Sec-WebSocket-Accept": base64.b64encode(accept).decode()})
                elif split.path == "/w.js":
                    self.answer(200, query["code"].encode(), **{"Content-Type": "text/javascript"})
                elif split.path == "/redirect":
                    self.answer(302, b"", Location=query["to"])
                elif split.path == "/csp":
                    self.answer(200, b"<img src=/x.png>", **{"Content-Security-Policy": f"img-src 'none'; report-uri {query['to']}"})
                else:
                    self.answer(200, query.get("body", "<title>Witness</title>reached").encode())

            do_POST = do_OPTIONS = do_HEAD = do_GET

            def answer(self, status, body, **fields):
                self.send_response(status)
                for name, value in {"Content-Type": "text/html", "Access-Control-Allow-Origin": "*",
                                    "Access-Control-Allow-Headers": "*", **fields}.items():
                    self.send_header(name, value)
                if status != 101:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
            daemon_threads = True

            def get_request(self):
                pair = super().get_request()
                with witness.news:
                    witness.connections += 1
                    witness.news.notify_all()
                return pair

            def handle_error(self, request, client_address):
                pass  # a browser that goes away is what the tests are about

        self.server = Server((host, port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)

    def url(self, path="/", scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.port}{path}"

    def wait(self, condition, what):
        with self.news:
            if not self.news.wait_for(lambda: condition(self), PATIENCE):
                raise AssertionError(f"{what} did not come; seen: {self.seen}, connections: {self.connections}")


def _element(markup):
    return f"document.head.append(Object.assign(document.createElement({markup[0]!r}), {markup[1]}))"


def _worker(kind, code, then):
    script = f"'/w.js?code=' + encodeURIComponent({code!r}.replaceAll('URL', JSON.stringify(URL)))"
    return f"(() => {{ const w = new {kind}({script}); {then} }})()"


# Expressions that make a page come to URL, whether it may or not. None waits for what comes of it.
WAYS = {
    "fetch": "void fetch(URL).catch(() => 0)",
    "image": "void (new Image().src = URL)",
    "script": _element(("script", "{src: URL}")),
    "stylesheet": _element(("link", "{rel: 'stylesheet', href: URL}")),
    "preload": _element(("link", "{rel: 'preload', as: 'script', href: URL}")),
    "module preload": _element(("link", "{rel: 'modulepreload', href: URL}")),
    "prefetch": _element(("link", "{rel: 'prefetch', href: URL}")),
    "speculation rules": _element(("script", "{type: 'speculationrules', textContent: JSON.stringify({prefetch: "
                                   "[{source: 'list', urls: [URL], eagerness: 'immediate'}]})}")),
    "frame": _element(("iframe", "{src: URL}")).replace("head", "body"),
    "redirect": "void fetch('/redirect?to=' + encodeURIComponent(URL)).catch(() => 0)",
    "beacon": "navigator.sendBeacon(URL, 'x')",
    "keep-alive": "void fetch(URL, {keepalive: true, method: 'POST', mode: 'no-cors', body: 'x'}).catch(() => 0)",
    "ping": "(() => { const a = document.createElement('a'); a.href = '#x'; a.ping = URL; document.body.append(a); a.click(); })()",
    "event stream": "void new EventSource(URL)",
    "WebSocket": "void new WebSocket(URL.replace('http', 'ws'))",
    "worker": _worker("Worker", "fetch(URL).catch(() => 0)", ""),
    "worker's import": _worker("Worker", "try { importScripts(URL) } catch {}", ""),
    "worker's WebSocket": _worker("Worker", "new WebSocket(URL.replace('http', 'ws'))", ""),
    "shared worker": _worker("SharedWorker", "onconnect = () => fetch(URL).catch(() => 0)", "w.port.start()"),
    "shared worker's WebSocket": _worker("SharedWorker", "onconnect = () => new WebSocket(URL.replace('http', 'ws'))", "w.port.start()"),
    "service worker": "void navigator.serviceWorker.register('/w.js?code=' + encodeURIComponent('oninstall = e => e.waitUntil(fetch('"
                      " + JSON.stringify(URL) + ').catch(() => 0))'), {scope: '/scope' + Math.random()})",
    "popup": "void open(URL)",
    "popup without opener": "void open(URL, '', 'noopener')",
    "form": "(() => { const f = document.createElement('form'); f.action = URL; f.target = '_blank'; f.method = 'post'; "
            "document.body.append(f); f.submit(); })()",
    "report of a policy": _element(("iframe", "{src: '/csp?to=' + encodeURIComponent(URL)}")).replace("head", "body"),
}
# These Firefox does not go. They are tried with it all the same: where they lead out of bounds, the witness there sees them.
UNKNOWN_WAYS = by_engine(chromium=(), firefox=("prefetch", "speculation rules", "ping"))
# The same without a path: only that a connection was made can be seen.
PRECONNECT = _element(("link", "{rel: 'preconnect', href: URL}"))


def where_known(name, script):
    """Firefox has none of what goes by UDP where only proxies may be connected to."""
    return by_engine(chromium=script, firefox=f"self.{name} ? {script} : 'none'")


WEBRTC = where_known("RTCPeerConnection", "new Promise(done => { const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}, {urls: "
                     "'turn:127.0.0.1:PORT', username: 'u', credential: 'c'}]}); p.createDataChannel('x'); "
                     "p.onicegatheringstatechange = () => p.iceGatheringState === 'complete' && done(true); p.setLocalDescription(); })")
WEBTRANSPORT = where_known("WebTransport", "new Promise(done => new WebTransport('https://127.0.0.1:PORT/').ready"
                           ".then(() => done('ready'), e => done('failed')))")


def path_of(way):
    """What a page that has gone this way leaves with the witness."""
    return "/" + quote(way)


def on(expression, url):
    return f"(() => {{ const URL = {url!r}; {expression}; }})()"


def every_way(witness):
    return "(" + ", ".join(on(expression, witness.url(path_of(way))) for way, expression in WAYS.items()) + ", true)"
