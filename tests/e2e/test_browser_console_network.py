"""What a page wrote to its console and sent over the network, as the tools tell it, and the log files beside."""
import os
import pathlib
import re

from support.case import SharedCase, main
from support.engine import by_engine
from support.pages import Response

PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de")


class Observed(SharedCase):
    def open(self, body, done="true"):
        """Shows a page and waits until `done`, an expression of it, holds."""
        url = self.site.page(body)
        answer = self.ask("browser_navigate", url=url)
        self.assertIn("### Result\ntrue", self.ask("browser_evaluate", function=f"""async () => {{
            while (!({done})) await new Promise(requestAnimationFrame);
            return true;
        }}"""))
        return url, answer

    def listed(self, **arguments):
        return self.ask("browser_network_requests", **{"static": True, **arguments})

    def number(self, url_part):
        return int(re.search(rf"(?m)^(\d+)\. .*{re.escape(url_part)}", self.listed())[1])

    def request(self, url_part, **arguments):
        return self.ask("browser_network_request", index=self.number(url_part), **arguments)


class Console(Observed):
    def test_levels_include_what_is_more_severe(self):
        self.open("<script>console.debug('d'); console.log('l'); console.info('i'); console.warn('w'); console.error('e')</script>")
        totals = "### Result\nTotal messages: 5 (Errors: 1, Warnings: 1)\n"
        for level, letters in (("error", "e"), ("warning", "we"), ("info", "liwe"), ("debug", "dliwe")):
            answer = self.ask("browser_console_messages", level=level)
            self.assertEqual("".join(re.findall(r"(?m)^\[[A-Z]+\] (\w) @", answer)), letters, answer)
            returning = f'Returning {len(letters)} messages for level "{level}"\n'
            self.assertTrue(answer.startswith(totals + (returning if len(letters) < 5 else "") + "\n["), answer)
        self.assertEqual(self.ask("browser_console_messages"), self.ask("browser_console_messages", level="info"))
        self.assertIn('expected one of "error"|"warning"|"info"|"debug"', self.ask("browser_console_messages", level="loud"))

    def test_an_empty_console(self):
        self.open("<p>quiet")
        self.assertEqual(self.ask("browser_console_messages").rstrip("\n"), "### Result\nTotal messages: 0 (Errors: 0, Warnings: 0)")

    def test_uncaught_errors_come_last(self):
        self.open("<script>setTimeout(() => { setTimeout(() => { console.log('after'); window.done = 1 }); throw new Error('boom') })</script>",
                  "window.done")
        self.assertRegex(self.ask("browser_console_messages"), r"(?s)\[LOG\] after @ .*\nError: boom\n    at ")

    def test_earlier_documents_only_with_all(self):
        self.open("<script>console.log('first')</script>")
        self.open("<script>console.log('second')</script>")
        self.assertNotIn("first", self.ask("browser_console_messages"))
        answer = self.ask("browser_console_messages", all=True)
        self.assertRegex(answer, r"(?s)Total messages: 1 .*Returning 2 messages.*first.*second")

    def test_into_a_file(self):
        self.open("<script>console.log('kept')</script>")
        path = self.folder / "console.txt"
        self.assertEqual(self.ask("browser_console_messages", filename=str(path)), f"### Result\n- [Console]({os.path.relpath(path)})")
        self.assertIn("[LOG] kept @", path.read_text("utf-8"))
        self.assertIn("outside allowed roots", self.ask("browser_console_messages", filename="/etc/console.txt"))

    def test_answers_name_the_log_file_and_count(self):
        _, answer = self.open("<script>console.error('one'); console.warn('two')</script>")
        self.assertIn("- Console: 1 errors, 1 warnings\n", answer)
        path, = re.findall(r"### Events\n- New console entries: (.*)#L1-L2$", answer)
        self.assertRegex(pathlib.Path(path).read_text("utf-8"), r"^\[ *\d+ms\] \[ERROR\] one @ .*\n\[ *\d+ms\] \[WARNING\] two @ .*\n$")
        again = self.ask("browser_evaluate", function="() => console.error('three')")
        self.assertIn("- Console: 2 errors, 1 warnings\n", again)
        self.assertIn(f"- New console entries: {path}#L3", again)
        self.assertNotIn("Events", self.ask("browser_evaluate", function="() => 1"))


class Network(Observed):
    keeps_session = True

    def test_static_ones_are_left_out(self):
        self.site.route("/style.css", Response("p {}", content_type="text/css"))
        self.site.route("/data", Response("{}", content_type="application/json"))
        self.open("<link rel=stylesheet href=/style.css><img src=/none.png><script>fetch('/data').then(() => { window.done = 1 })</script>",
                  "window.done && document.readyState === 'complete'")
        short = self.ask("browser_network_requests", static=False)
        self.assertEqual(sorted(re.findall(r"\[GET\] \S*(/[\w.]+) => \[(\d+)\]", short)), [("/data", "200"), ("/none.png", "404")])
        self.assertTrue(short.endswith('\n\nNote: 2 static requests not shown, run with "static" option to see them.'), short)
        self.assertEqual(len(re.findall(r"(?m)^\d+\. ", self.listed())), 4)

    def test_the_filter_is_a_regular_expression_of_javascript(self):
        self.site.route("/api/user/17", "x")
        self.open("<script>fetch('/api/user/17').finally(() => { window.done = 1 })</script>", "window.done")
        for expression in (r"/api/.*user", r"\d+$(?<=17)", "17"):
            self.assertEqual(len(re.findall(r"(?m)^\d+\. \[GET\] .*/api/user/17 ", self.listed(filter=expression))), 1, expression)
        self.assertEqual(self.listed(filter="^nothing"), "### Result\nNo requests.")
        self.assertIn("\n✖ Invalid regular expression\n  → at filter", self.listed(filter="("))
        hidden = self.ask("browser_network_requests", filter="^nothing")
        self.assertIn("### Result\n\nNote: 1 static request not shown", hidden)

    def test_slashes_belong_to_the_filter(self):
        self.site.route("/api/users", "x")
        self.open("<script>fetch('/api/users').finally(() => { window.done = 1 })</script>", "window.done")
        for expression, count in (("/api/users", 1), ("/api/", 1), ("/users/", 0), ("/API/", 0), ("(?i:/API/)", 1)):
            self.assertEqual(len(re.findall(r"(?m)^\d+\. \[GET\] .*/api/users ", self.listed(filter=expression))), count, expression)

    def test_a_filter_that_takes_too_long(self):
        self.open(f"<script>fetch('/{'a' * 4000}').finally(() => {{ window.done = 1 }})</script>", "window.done")
        self.assertIn("filter: the search with ", self.listed(filter="(a|aa)+!"))
        self.assertIn("1. [GET] ", self.listed(filter="http"))  # neither the page nor the next call is stuck
        self.assertIn("done", self.ask("browser_evaluate", function="() => Object.keys(window).filter(k => k === 'done')"))

    def test_a_filter_while_the_page_is_busy(self):
        self.open("<script>onload = () => setTimeout(() => { for (;;); }, 300)</script>")
        for _ in range(3):
            self.assertIn("1. [GET] ", self.listed(filter="http"))

    def test_the_page_cannot_meddle_with_the_filter(self):
        self.open("<script>RegExp.prototype.test = () => false; Array.prototype.flatMap = () => []</script>")
        self.assertIn("1. [GET] ", self.listed(filter="http"))

    def test_parts_of_a_request(self):
        self.site.route("/echo", lambda request: Response(b"got " + request.body, 201, "text/plain; charset=utf-8", [("X-Kind", "echo")]))
        self.open("<script>fetch('/echo', {method: 'POST', body: 'wörds', headers: {'X-Own': 'mine'}}).then(r => r.text())"
                  ".then(() => { window.done = 1 })</script>", "window.done")
        whole = self.request("/echo")
        self.assertRegex(whole, r"(?s)^### Result\n#\d+ \[POST\] \S+/echo\n\n  General\n    status:    \[201\] Created\n.*"
                                r"  Request headers\n.*    x-own: mine\n.*  Response headers\n.*    x-kind: echo\n")
        self.assertIn('part="request-body"', whole)
        self.assertIn("x-own: mine", self.request("/echo", part="request-headers"))
        self.assertIn("\nx-kind: echo", self.request("/echo", part="response-headers"))
        self.assertEqual(self.request("/echo", part="request-body"), "### Result\nwörds")
        self.assertEqual(self.request("/echo", part="response-body"), "### Result\ngot wörds")
        path = self.folder / "body.txt"
        self.assertEqual(self.request("/echo", part="response-body", filename=str(path)), f"### Result\n- [Response body]({os.path.relpath(path)})")
        self.assertEqual(path.read_text("utf-8"), "got wörds")

    def test_bodies_that_are_large_or_no_text(self):
        self.site.route("/pixel.png", Response(PIXEL, content_type="image/png"))
        self.site.route("/large", lambda request: Response(str(len(request.body))))
        self.site.route("/huge", Response("ä" * (3 << 18), content_type="text/plain; charset=utf-8"))
        self.open("""<script>Promise.all([
            fetch('/pixel.png').then(r => r.arrayBuffer()), fetch('/huge').then(r => r.text()),
            fetch('/large?text', {method: 'POST', body: 'x'.repeat(200000)}).then(r => r.text()),
            fetch('/large?bytes', {method: 'POST', body: new Uint8Array([0, 255, 1])}).then(r => r.text()),
            ]).then(() => { window.done = 1 })</script>""", "window.done")
        self.assertIn(f'These {len(PIXEL)} bytes are not text. Set "filename"', self.request("/pixel.png", part="response-body"))
        path = self.folder / "saved"
        self.request("/pixel.png", part="response-body", filename=str(path))
        self.assertEqual(path.read_bytes(), PIXEL)
        self.assertEqual(self.request("/large?text", part="request-body"), "### Result\n" + "x" * 200000)
        self.assertEqual(self.request("/large?text", part="response-body"), "### Result\n200000")
        cut = self.request("/huge", part="response-body")
        self.assertEqual(cut, "### Result\n" + "ä" * (1 << 19) + f'... [{2 << 18} bytes more]\nSet "filename" to save all {3 << 19} bytes.')
        self.request("/huge", part="response-body", filename=str(path))
        self.assertEqual(path.read_text("utf-8"), "ä" * (3 << 18))
        self.request("/large?bytes", part="request-body", filename=str(path))
        self.assertEqual(path.read_bytes(), b"\0\xff\1")

    def test_bodies_of_frames_of_another_site_and_of_workers(self):
        self.site.route("/of-frame", "frame's")
        self.site.route("/of-worker", "worker's")
        self.site.route("/worker.js", Response("fetch('/of-worker').then(r => r.text()).then(postMessage)", content_type="text/javascript"))
        inner = self.site.page("inner document<script>fetch('/of-frame').then(r => r.text()).then(t => parent.postMessage(t, '*'))</script>")
        self.open(f"""<script>window.heard = [];
            onmessage = e => heard.push(e.data);
            new Worker('/worker.js').onmessage = e => heard.push(e.data)</script>
            <iframe src='{inner.replace("127.0.0.1", "localhost")}'></iframe>""", "heard.length === 2")
        self.assertEqual(self.request("/of-frame", part="response-body"), "### Result\nframe's")
        self.assertEqual(self.request("/of-worker", part="response-body"), "### Result\nworker's")
        self.assertIn("fetch('/of-worker')", self.request("/worker.js", part="response-body"))
        self.assertIn("inner document", self.request(inner.partition("127.0.0.1")[2], part="response-body"))

    def test_what_has_no_body_says_so(self):
        held, release = self.site.held()
        self.addCleanup(release.set)
        self.site.route("/old", Response(status=302, headers=[("Location", "/new")]))
        self.site.route("/new", Response(""))
        dropped = self.site.unique()

        def drop(_):
            raise ConnectionAbortedError
        self.site.route(dropped, drop)
        self.open(f"""<script>fetch('{held}');
            Promise.allSettled([fetch('/old').then(r => r.text()), fetch('{dropped}')]).then(() => {{ window.done = 1 }})</script>""",
                  "window.done")
        ask = lambda url_part: self.request(url_part, part="response-body")
        self.assertIn("has not been answered yet", ask(held))
        self.assertRegex(ask("/old"), r"### Error\nRequest #\d+ was redirected")
        self.assertEqual(ask("/new"), "### Result\n(empty)")
        self.assertIn(by_engine(chromium="was not answered: net::ERR_", firefox="was not answered: NS_ERROR_"), ask(dropped))
        self.assertRegex(self.request("/new", part="request-body"), r"### Error\nRequest #\d+ has no body")

    def test_numbers_that_are_none(self):
        self.open("<p>x")
        for index in (99, 2**53 - 1, 2**32 + 1):
            self.assertEqual(self.ask("browser_network_request", index=index),
                             f"### Error\nRequest #{index} not found. Use browser_network_requests to see available indexes.")
        for index, complaint in ((0, "Too small: expected number to be >=1"), (1.5, "Invalid input: expected int, received number"),
                                 ("one", "Invalid input: expected number, received string")):
            self.assertTrue(self.ask("browser_network_request", index=index).endswith(f"✖ {complaint}\n  → at index"), complaint)

    def test_a_body_of_a_document_that_is_gone(self):
        self.site.route("/api", "here")
        self.open("<script>fetch('/api').then(r => r.text()).then(() => { window.done = 1 })</script>", "window.done")
        self.ask("browser_evaluate", function="() => { location = 'about:blank' }")
        self.assertRegex(self.request("/api", part="response-body"), "### Result\nhere|no longer holds the response body")


if __name__ == "__main__":
    main()
