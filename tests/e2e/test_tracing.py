"""Traces: what they must not hold or change, their archive, and that Playwright's trace viewer opens it."""
import contextlib
import json
import os
import pathlib
import re
import tempfile

from support.case import BrowserdCase, main, skip
from support.client import Client, binary
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.pages import Pages, Response
from support.traces import Trace

URL = "https://tools.example/mcp"
SECRET = 'open "the\\door" <now>'
VIEWER = os.path.join(os.environ.get("MCP_SDK", ""), "node_modules", "playwright-core", "lib", "vite", "traceViewer")
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".webmanifest": "application/json",
         ".ttf": "font/ttf"}


def shape(answer):
    """An answer without what differs from run to run."""
    return re.sub(r"\d{4}-\d\d-\d\dT[\d-]+Z|/page\d+", "*", answer)


class Tracing(BrowserdCase):
    """The tests share a server, which has a secret and hides a parameter of URLs, and each has a session of its own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())).resolve()
        cls.site = cls.enterClassContext(contextlib.closing(Pages()))
        secrets = cls.folder / "secrets.env"
        secrets.write_text(f"DOOR='{SECRET}'\n", encoding="utf-8")
        secrets.chmod(0o600)
        cls.client = Client("--caps", "devtools", "--secrets", secrets, "--redact-url-params", "token", cwd=cls.folder)
        cls.addClassCleanup(cls.client.discard)
        cls.addClassCleanup(cls.client.close)

    def setUp(self):
        self.session = self.open_session()

    def open_session(self):
        session = self.client.session()
        self.addCleanup(lambda: session.start("close_session").result())  # some end it themselves
        return session

    def ask(self, tool, session=None, **arguments):
        return (session or self.session).ask(tool, **arguments)

    def stop(self, session=None):
        """Stops, and reads the archive."""
        named = re.search(r"- \[Archive\]\((.*)\)", self.ask("browser_stop_tracing", session))
        return Trace(self.folder / named[1])

    def test_the_archive_has_all_files(self):
        self.site.route("/part.css", Response("p { color: red }", content_type="text/css"))
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page("<p>x", head="<link rel=stylesheet href=/part.css>"))
        trace = self.stop()
        self.assertIsNone(trace.files.zip.testzip())
        names = set(trace.files.zip.namelist())
        named = {request["response"]["content"].get("_file") for request in trace.requests} - {None}
        pictures = {event["file"] for event in trace.of_type("screencast-frame")}
        self.assertEqual(len(named), 2)
        self.assertEqual(names, {"trace.trace", "trace.network", "trace.stacks"} | named | pictures)
        self.assertEqual(trace.body(trace.request(self.site.url("/part.css"))), b"p { color: red }")

    def test_secrets_are_masked(self):
        self.site.route("/echo", lambda request: Response(request.body, content_type="application/json"))
        url = self.site.page("<input id=i><button id=b onclick=\"console.log(i.value); document.title = i.value;"
                             " fetch('/echo', { method: 'POST', body: JSON.stringify({ v: i.value }) })\">x</button>")
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=url)
        self.ask("browser_type", target="#i", text="DOOR")
        self.ask("browser_click", target="#b")
        trace = self.stop()
        self.assertEqual(json.loads(self.site.requests("/echo")[0].body)["v"], SECRET)
        everything = trace.text + trace.network_text + "".join(
            trace.files.read(name).decode() for name in trace.files.zip.namelist() if name.startswith("resources/"))
        for spelling in (SECRET, json.dumps(SECRET)[1:-1], json.dumps(json.dumps(SECRET)[1:-1])[1:-1]):
            self.assertNotIn(spelling, everything)
        self.assertIn("<secret>DOOR</secret>", trace.text)
        self.assertTrue(trace.actions)

    def test_parameters_of_urls_are_redacted(self):
        url = self.site.page("<a href='/next?token=second'>x</a><script>console.log(location.href)</script>")
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=url + "?token=first&page=1")
        trace = self.stop()
        for written in (trace.text, trace.network_text, trace.body(trace.requests[0]).decode()):
            self.assertNotIn("token=first", written)
            self.assertNotIn("token=second", written)
        self.assertIn("token=<redacted>&page=1", trace.requests[0]["request"]["url"])

    def test_a_trace_has_only_its_own_session(self):
        other = self.open_session()
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page("in the first", title="first"))
        self.ask("browser_navigate", other, url=self.site.page("in the second", title="second"))
        self.assertIn("Tracing is not started", self.ask("browser_stop_tracing", other))
        trace = self.stop()
        self.assertIn("in the first", trace.text)
        self.assertNotIn("in the second", trace.text)
        self.assertEqual([action.method for action in trace.actions], ["goto"])

    def test_a_session_that_ends_leaves_its_files_readable(self):
        started = self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page("x"))
        self.session.close()
        trace = Trace(self.folder / re.search(r"\[Action log\]\((.*)\)", started)[1])
        self.assertEqual([action.method for action in trace.actions], ["goto"])

    def test_answers_are_the_same_with_and_without(self):
        body = ("<button onclick=\"fetch('/word').then(r => r.text()).then(t => { document.querySelector('p').textContent = t })\">Ask"
                "</button><p>nothing</p><iframe srcdoc='<button>Inside</button>'></iframe><input>")
        self.site.route("/word", "answered")
        calls = [("browser_snapshot", {}), ("browser_click", {"target": "button"}), ("browser_snapshot", {}),
                 ("browser_type", {"target": "input", "text": "t"}), ("browser_evaluate", {"function": "() => 1"}),
                 ("browser_click", {"target": "#none"}), ("browser_tabs", {"action": "list"}), ("browser_snapshot", {})]
        said = []
        for traced in (False, True):
            session = self.open_session()
            if traced:
                self.ask("browser_start_tracing", session)
            said.append([shape(self.ask("browser_navigate", session, url=self.site.page(body)))])
            said[-1] += [shape(self.ask(tool, session, **arguments)) for tool, arguments in calls]
        self.assertEqual(*said)

    def test_a_dialog_does_not_hold_it_up(self):
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page("<button onclick=\"alert('stop')\">x</button>"))
        self.assertIn("alert", self.ask("browser_click", target="button"))
        self.ask("browser_handle_dialog", accept=True)
        trace = self.stop()
        self.assertEqual([action.method for action in trace.actions], ["goto", "click", "browser_handle_dialog"])
        self.assertFalse(trace.snapshots(trace.actions[1], "after"))
        self.assertTrue(trace.snapshots(trace.actions[2], "after"))

    def test_the_point_of_a_press_in_a_frame(self):
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page(
            "<iframe srcdoc='<button id=inner>Inside</button>' style='position:absolute;left:200px;top:150px;border:0'></iframe>"))
        ref = re.search(r'button "Inside" \[ref=(\w+)\]', self.ask("browser_snapshot"))[1]
        self.ask("browser_click", target=ref)
        trace = self.stop()
        click = trace.action("click")
        self.assertGreater(click.point["x"], 200)
        self.assertGreater(click.point["y"], 150)
        frame = trace.document(click, "action").find("IFRAME").attributes["src"].removeprefix("/snapshot/")
        self.assertIn("__playwright_target__", trace.document(click, "action", frame).find("BUTTON").attributes)
        self.assertIn("getByRole", click.params["selector"])

    def test_a_document_that_is_too_large_is_cut(self):
        url = self.site.page("<div hidden></div><script>for (let i = 0; i < 50; i++)"
                             " document.querySelector('div').append('x'.repeat(100_000), document.createElement('hr'))</script>")

        def traced():
            self.ask("browser_start_tracing")
            self.ask("browser_navigate", url=url)
            return self.stop()
        # On a busy machine a snapshot of such a document may take longer than the page is given for it.
        trace = self.repeat(traced, lambda trace: not any("in time" in line["text"] for line in trace.of_type("stderr")))
        self.assertLess(len(trace.text), 6 << 20)
        self.assertIn("the rest of its snapshot is missing", trace.of_type("stderr")[0]["text"])

    def test_a_page_cannot_imitate_the_tree(self):
        """Names of form fields shadow what scripts read of their form; toJSON and prototypes of the page are its own."""
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page(
            "<form id=f><input name=attributes><input name=childNodes><input name=firstChild><b>kept</b></form>"
            "<script>Array.prototype.toJSON = () => 'gone'; JSON.stringify = () => '[]'; Object.prototype.adoptedStyleSheets = 5</script>"))
        trace = self.stop()
        form = trace.document(trace.action("goto"), "after").find("FORM", id="f")
        self.assertEqual([child.name for child in form.children], ["INPUT", "INPUT", "INPUT", "B"])

    def test_the_viewer_shows_it(self):
        if not os.path.isdir(VIEWER):
            self.skipTest("MCP_SDK names no folder with playwright-core")
        self.site.route("/style.css", Response("h1 { color: rgb(1, 2, 3) }", content_type="text/css"))
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=self.site.page(
            "<h1>shown there</h1><button onclick=\"document.querySelector('h1').textContent = 'pressed'\">Press</button>",
            head="<link rel=stylesheet href=/style.css>"))
        self.ask("browser_click", target="button")
        trace = self.stop()
        self.site.route_folder("/viewer/", lambda request: Response(
            (pathlib.Path(VIEWER) / request.path.removeprefix("/viewer/")).read_bytes(),
            content_type=TYPES[os.path.splitext(request.path)[1]]))
        self.site.route("/trace.zip", Response(trace.files.zip.fp.getvalue(), content_type="application/zip"))
        self.ask("browser_navigate", url=self.site.url("/viewer/index.html?trace=" + self.site.url("/trace.zip")))
        self.ask("browser_wait_for", text="locator('button')")
        shown = self.ask("browser_snapshot")
        self.assertRegex(shown, r'treeitem ["\'].*Navigate')
        click = re.search(r'treeitem ["\'].*Click.*\[ref=(\w+)\]', shown)
        self.ask("browser_click", target=click[1])
        self.ask("browser_click", target="internal:role=tab[name=\"After\"i]")
        self.ask("browser_wait_for", text="Network")
        for _ in range(100):  # each call waits until the viewer is at rest
            heading = re.search(r'heading "pressed".*\[ref=(\w+)\]', self.ask("browser_snapshot"))
            if heading:
                break
        self.assertIn("rgb(1, 2, 3)", self.ask("browser_evaluate", target=heading[1], function="h => getComputedStyle(h).color"))


class Rights(BrowserdCase):
    def test_a_token_that_allows_to_look_only_records_nothing(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        issuer = Issuer(folder, URL)
        server = HttpServer("--caps", "devtools", "--oauth-issuer", NAME, "--oauth-jwks", issuer.write(), "--public-url", URL, cwd=folder)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        client = server.client(fields={"Authorization": "Bearer " + issuer.token(sub="reader", scope="browser:read")})
        said = client.ask("browser_start_tracing")
        self.assertIn("browser:act", said)


if __name__ == "__main__":
    if not binary():
        skip("BROWSERD names no program")
    main()
