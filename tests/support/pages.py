"""
A page server on loopback. Routes are functions of the request; what happens there can be awaited: requests that
arrive, reports that pages send, connections that the browser drops.
"""
import itertools
import json
import queue
import select
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from support.client import PATIENCE
from support.engine import by_engine

# In every page made by Pages.page(): report(value) reaches Pages.wait_report(), also while the page goes away.
REPORT_JS = "<script>function report(value) { navigator.sendBeacon('/report', JSON.stringify(value)); }</script>"

# A page with this holds a request open for as long as it lives; see Pages.lifeline().
LIFELINE = "<script>fetch('/lifeline')</script>"


class Response:
    """An answer. `body`: text, bytes, or an iterator of bytes that are sent as they come, the connection closed after."""

    def __init__(self, body="", status=200, content_type="text/html; charset=utf-8", headers=(), reason=None):
        self.body = body.encode() if isinstance(body, str) else body
        self.status, self.content_type, self.headers, self.reason = status, content_type, list(headers), reason


class Request:
    """A request as routes see it."""

    def __init__(self, handler, body):
        split = urlsplit(handler.path)
        self.method, self.path, self.body = handler.command, split.path, body
        self.query = {name: values[0] for name, values in parse_qs(split.query, keep_blank_values=True).items()}
        self.headers, self.cookie = handler.headers, handler.headers.get("Cookie", "")
        self.dropped = threading.Event()
        self.connection = handler.connection


class Handler(BaseHTTPRequestHandler):
    """Headers and body leave in one write: a second packet would wait 40 ms for an acknowledgement."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(self, self.rfile.read(length))
        try:
            self.respond(self.server.pages.answer(request))
        except OSError:  # the browser went away: often what the test is about
            self.close_connection = True

    do_POST = do_HEAD = do_PUT = do_GET

    def respond(self, response):
        whole = isinstance(response.body, bytes)
        self.send_response(response.status, response.reason)
        if response.status != 204:
            self.send_header("Content-Type", response.content_type)
        if whole:
            self.send_header("Content-Length", str(len(response.body)))
        else:
            self.send_header("Connection", "close")
        for name, value in response.headers:
            self.send_header(name, value)
        self.end_headers()
        for chunk in [response.body] if whole else response.body:
            self.wfile.write(chunk)
            self.wfile.flush()


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request, client_address):
        pass  # a connection that a killed browser left; anything else shows in the test that waits for it


class Pages:
    """The server. Starts at once; close() it. `tls`: an ssl.SSLContext, for https."""

    def __init__(self, tls=None):
        self._scheme = "https" if tls else "http"
        self._routes, self._folders, self._names = {}, {}, itertools.count(1)
        self._news, self._requests, self._reports = threading.Condition(), [], queue.Queue()
        self.closing = threading.Event()
        self._listener = Listener(("127.0.0.1", 0), Handler)
        self._listener.pages = self
        if tls:
            self._listener.socket = tls.wrap_socket(self._listener.socket, server_side=True)
        self.port = self._listener.server_address[1]
        self.route("/report", self._report)
        self.route("/lifeline", self._hold_lifeline)
        self.route("/favicon.ico", Response(status=204))
        threading.Thread(target=self._listener.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.closing.set()
        self._listener.shutdown()
        self._listener.server_close()

    def url(self, path, host="127.0.0.1"):
        return f"{self._scheme}://{host}:{self.port}{path}"

    def route(self, path, answer):
        """
        `answer`: HTML text, a Response, or a function of the Request that returns either; its OSError drops the
        connection. Returns the URL.
        """
        self._routes[path] = answer
        return self.url(path)

    def route_folder(self, prefix, answer):
        """`answer`: a function of the Request, for all paths that begin with `prefix` and have no route of their own."""
        self._folders[prefix] = answer

    def unique(self):
        return f"/page{next(self._names)}"

    def page(self, body, title="test", head=""):
        """A page of its own; returns the URL."""
        return self.route(self.unique(), f"<!doctype html><meta charset=utf-8><title>{title}</title>{REPORT_JS}{head}{body}")

    def barrier(self, parties, html="<title>together</title>"):
        """A path that answers only once `parties` requests have arrived."""
        barrier = threading.Barrier(parties)

        def wait(_):
            barrier.wait(PATIENCE)
            return html
        return self.route(self.unique(), wait)

    def held(self, answer="<title>held</title>"):
        """A URL that answers only after the returned event is set (or the server closes)."""
        released = threading.Event()

        def wait(_):
            released.wait(PATIENCE)
            return answer
        return self.route(self.unique(), wait), released

    def endless(self, start=b"<title>endless</title><p>more to come"):
        """A page that never finishes."""
        def chunks():
            yield start
            self.closing.wait(PATIENCE * 2)
        return self.route(self.unique(), lambda _: Response(chunks()))

    def answer(self, request):
        with self._news:
            self._requests.append(request)
            self._news.notify_all()
        answer = self._routes[request.path] if request.path in self._routes else self._folder_of(request.path)
        answer = answer(request) if callable(answer) else answer
        return answer if isinstance(answer, Response) else Response(answer)

    def _folder_of(self, path):
        return next((answer for prefix, answer in self._folders.items() if path.startswith(prefix)),
                    Response("<title>Not found</title>", status=404))

    @staticmethod
    def _hold_lifeline(request):
        poller = select.poll()
        poller.register(request.connection, select.POLLIN | select.POLLRDHUP)
        poller.poll()
        request.dropped.set()
        raise ConnectionAbortedError

    def lifeline(self, count=1):
        """The `count`-th page with a LIFELINE, as the event that its end sets."""
        return self.wait_request("/lifeline", count).dropped

    def _report(self, request):
        self._reports.put(json.loads(request.body))
        return Response(status=204)

    def wait_report(self):
        """The next value that a page reported."""
        try:
            return self._reports.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError("no page reported anything") from None

    def requests(self, url):
        path = urlsplit(url).path
        with self._news:
            return [request for request in self._requests if request.path == path]

    def wait_request(self, url, count=1):
        """The `count`-th request of that path."""
        with self._news:
            path = urlsplit(url).path
            came = lambda: [request for request in self._requests if request.path == path]
            if not self._news.wait_for(lambda: len(came()) >= count, PATIENCE):
                raise AssertionError(f"request {count} of {path} did not come")
            return came()[count - 1]


# Elements without and with a name, and how many of them a page has in each other. The browser itself ends at 3000.
DEEP_ELEMENTS = (("document.createElement('div')", by_engine(chromium=2300, firefox=1000)),  # Firefox draws nothing below about 1,020
                 ("Object.assign(document.createElement('section'), { ariaLabel: 'Part' })", 900))


def deep_page(element, levels):
    """A paragraph and a button in so many of these elements; a parser would end the nesting at 512."""
    return f"""<body><script>
        let at = document.body;
        for (let i = 0; i < {levels}; i++) {{
            const next = {element};
            at.append(next);
            at = next;
        }}
        at.innerHTML = "<p>Words</p><button onclick='document.title = `pressed`'>Deep</button>";</script>"""
