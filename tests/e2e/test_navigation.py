"""navigate: what it waits for, what it answers, and every way to fail."""
import os
import shutil
import ssl
import subprocess
import tempfile
import unittest

from support.case import BrowserdCase, ServerCase, main
from support.client import ToolError
from support.engine import ENGINE, by_engine, chromium_only, network_error
from support.pages import Pages, Response


class Answers(ServerCase):
    def test_title_url_and_status(self):
        session, url = self.session(), self.pages.page("hello", title="Grüße 😀 &amp; more")
        self.assertEqual(session.navigate(url),
                         {"success": True, "title": "Grüße 😀 & more", "url": url, "status": 200})

    def test_statuses_of_failing_pages_are_answers(self):
        session = self.session()
        for status in (201, 400, 404, 410, 500, 503):
            with self.subTest(status):
                url = self.pages.route(self.pages.unique(), Response(f"<title>{status}</title>", status=status))
                answer = session.navigate(url)
                self.assertEqual((answer["status"], answer["title"]), (status, str(status)))

    def test_redirects_are_followed(self):
        target = self.pages.page("end", title="The end")
        session, start = self.session(), target
        for status in (301, 302, 303, 307, 308):
            start = self.pages.route(self.pages.unique(), Response(status=status, headers=[("Location", start)]))
        self.assertEqual(session.navigate(start),
                         {"success": True, "title": "The end", "url": target, "status": 200})

    def test_a_page_that_moves_on_by_itself_answers(self):
        target = self.pages.page("end", title="moved")
        url = self.pages.page(f"<script>location.replace('{target}')</script>")
        self.assertTrue(self.session().navigate(url)["success"])

    def test_addresses_without_a_server(self):
        session = self.session()
        for url, title in (("about:blank", ""), ("data:text/html,<title>here</title>", "here"),
                           ("data:text/plain,hello", "")):
            with self.subTest(url):
                answer = session.navigate(url)
                self.assertEqual((answer["success"], answer["title"], answer["url"]), (True, title, url))
        self.assertEqual(session.navigate("about:blank")["url"], "about:blank")

    def test_the_same_document(self):
        session, url = self.session(), self.pages.page("<p id=here>x", title="one")
        session.navigate(url)
        session.evaluate("window.kept = 1")
        answer = session.navigate(url + "#here")
        self.assertEqual((answer["success"], answer["url"], answer["title"]), (True, url + "#here", "one"))
        self.assertEqual(session.evaluate("window.kept"), 1)
        self.assertEqual(len(self.pages.requests(url)), 1)
        self.assertTrue(session.navigate(url + "#here")["success"])

    def test_the_same_address_again_loads_again(self):
        session, url = self.session(), self.pages.page("x")
        session.navigate(url)
        session.evaluate("window.kept = 1")
        session.navigate(url)
        self.assertEqual(session.evaluate("typeof window.kept"), "undefined")

    def test_odd_addresses(self):
        session = self.session()
        path = "/%C3%BC?q=a%20b&c=%F0%9F%98%80#frag"
        self.pages.route("/%C3%BC", "<title>odd</title>")
        for url in (self.pages.url(path), self.pages.url("/ü?q=a b&c=😀#frag")):
            with self.subTest(url):
                self.assertEqual(session.navigate(url)["title"], "odd")

    def test_parts_of_addresses(self):
        for url in ("/login", "?q=1", "#top", "//example.com/x"):
            with self.subTest(url):
                error = self.session().fail("navigate", url=url)
                self.assertEqual(error.code, "INVALID_PARAMETERS")
                self.assertIn("no whole address", error.message)

    def test_other_kinds_of_documents(self):
        session = self.session()
        for kind in ("text/plain", "application/json", "image/svg+xml", "text/css"):
            with self.subTest(kind):
                url = self.pages.route(self.pages.unique(), Response("<svg xmlns='http://www.w3.org/2000/svg'/>", content_type=kind))
                self.assertEqual(session.navigate(url)["status"], 200)


class Waiting(ServerCase):
    def test_load_waits_for_what_the_page_needs(self):
        script, release = self.pages.held(Response("document.title = 'script ran'", content_type="text/javascript"))
        reply = self.session().start("navigate", url=self.pages.page(f"<script async src='{script}'></script>"))
        self.pages.wait_request(script)
        self.client.request("ping")
        self.assertFalse(reply.done())
        release.set()
        self.assertEqual(reply.value()["title"], "script ran")

    def test_domcontentloaded_does_not_wait_for_images(self):
        image, release = self.pages.held()
        session = self.session()
        answer = session.navigate(self.pages.page(f"<img src='{image}'>", title="early"), waitUntil="domcontentloaded")
        self.assertEqual(answer["title"], "early")
        self.assertNotEqual(session.evaluate("document.readyState"), "complete")
        release.set()

    def test_load_is_the_default(self):
        session = self.session()
        session.navigate(self.pages.page("x"))
        self.assertEqual(session.evaluate("document.readyState"), "complete")

    def test_networkidle_waits_for_requests_after_load(self):
        data, release = self.pages.held("fetched")
        url = self.pages.page(f"<script>onload = () => fetch('{data}').then(r => r.text()).then(t => document.title = t)</script>")
        reply = self.session().start("navigate", url=url, waitUntil="networkidle")
        self.pages.wait_request(data)
        self.client.call("list_sessions")
        self.assertFalse(reply.done())
        release.set()
        self.assertEqual(reply.value()["title"], "fetched")

    def test_networkidle_of_addresses_without_network(self):
        session = self.session()
        for url in ("about:blank", "data:text/html,<title>x</title>"):
            self.assertTrue(session.navigate(url, waitUntil="networkidle")["success"])

    def test_frames_belong_to_the_page(self):
        inner = self.pages.page("inside", title="inner")
        answer = self.session().navigate(self.pages.page(f"<iframe src='{inner}'></iframe>", title="outer"))
        self.assertEqual(answer["title"], "outer")
        self.assertTrue(self.pages.requests(inner))

    def test_frames_of_another_site(self):
        inner = self.pages.page("inside").replace("127.0.0.1", "localhost")
        answer = self.session().navigate(self.pages.page(f"<iframe src='{inner}'></iframe>", title="outer"), waitUntil="networkidle")
        self.assertEqual(answer["title"], "outer")


class Failures(ServerCase):
    def failed(self, url, reason, session=None, **more):
        """The navigation fails with that reason, and the session can be used afterwards."""
        session = session or self.session()
        error = session.fail("navigate", url=url, **more)
        self.assertEqual((error.code, error.session_id), ("NAVIGATION_FAILED", session.id), error)
        self.assertRegex(error.message, reason)
        after = self.pages.page("fine", title="after")
        self.assertEqual(session.navigate(after)["title"], "after")

    def drop(self, _):
        raise ConnectionAbortedError

    def test_reasons_are_those_of_the_browser(self):
        closed = Pages()
        closed.close()
        self.failed(closed.url("/"), network_error("net::ERR_CONNECTION_REFUSED"))
        self.failed("http://no-such-host.invalid/", network_error(r"net::ERR_\w+"))
        self.failed(self.pages.route(self.pages.unique(), self.drop), network_error("net::ERR_EMPTY_RESPONSE"))
        loop = self.pages.unique()
        self.pages.route(loop, Response(status=302, headers=[("Location", loop)]))
        self.failed(self.pages.url(loop), network_error("net::ERR_TOO_MANY_REDIRECTS"))
        self.failed("http://127.0.0.1:1/", network_error("net::ERR_UNSAFE_PORT"))

    def test_addresses_that_are_none(self):
        session = self.session()
        for url in ("", "no address", "http://", "http://[", "//x", "nonsense:whatever", "javascript:1"):
            with self.subTest(url):
                error = session.fail("navigate", url=url)
                self.assertIn(error.code, ("INVALID_PARAMETERS", "NAVIGATION_FAILED"))
        self.assertTrue(session.navigate("about:blank")["success"])

    def test_a_server_that_never_answers(self):
        url, _ = self.pages.held()
        self.failed(url, r"300", timeout=300)
        session = self.session()
        session.fail("navigate", url=url, timeout=300)
        self.assertEqual(session.evaluate("1 + 1"), 2)

    def test_a_page_that_never_finishes(self):
        self.failed(self.pages.endless(), "500", timeout=500)
        self.failed(self.pages.endless(), "500", timeout=500, waitUntil="networkidle")

    def test_requests_without_end_keep_the_network_busy(self):
        beat = self.pages.route(self.pages.unique(), "x")
        url = self.pages.page(f"<script>function beat() {{ fetch('{beat}').then(beat); }} beat();</script>")
        self.failed(url, "1000", timeout=1000, waitUntil="networkidle")

    def test_after_a_timeout_the_old_load_cannot_disturb(self):
        session = self.session()
        late, release = self.pages.held("<title>late</title>")
        session.fail("navigate", url=late, timeout=200)
        url = self.pages.page("x", title="now")
        release.set()
        self.assertEqual(session.navigate(url)["title"], "now")
        self.assertEqual(session.evaluate("document.title"), "now")

    def test_no_content_leaves_the_page(self):
        """A 204 answer shows nothing: the page stays, and the answer says so in one of two ways."""
        session, before = self.session(), self.pages.page("stays", title="before")
        session.navigate(before)
        try:
            answer = session.navigate(self.pages.route(self.pages.unique(), Response(status=204)))
            self.assertEqual((answer["status"], answer["url"]), (204, before))
        except ToolError as error:
            self.assertEqual(error.code, "NAVIGATION_FAILED")
            self.assertRegex(error.message, f"204|{network_error('net::ERR_ABORTED')}")
        self.assertEqual(session.evaluate("document.title"), "before")

    def test_a_download_leaves_the_page(self):
        session, before = self.session(), self.pages.page("stays", title="before")
        session.navigate(before)
        file = Response(b"x" * 100000, content_type="application/octet-stream",
                        headers=[("Content-Disposition", "attachment; filename=big.bin")])
        error = session.fail("navigate", url=self.pages.route(self.pages.unique(), file))
        self.assertEqual(error.code, "NAVIGATION_FAILED")
        self.assertRegex(error.message, f"(?i)download|{network_error('net::ERR_ABORTED')}")
        self.assertEqual(session.evaluate("document.title"), "before")

    @chromium_only("Firefox ends the requests of a page when another document is asked for, so the page has nothing to wait for")
    def test_a_page_that_goes_elsewhere_meanwhile(self):
        """The page sends a form, because of an earlier click, while the server waits for the answer to a navigation."""
        wanted, answer_wanted = self.pages.held("<title>wanted</title>")
        go, answer_go = self.pages.held("go")
        sent = self.pages.route(self.pages.unique(), "<title>sent</title>")
        session = self.session()
        session.navigate(self.pages.page(f"<form action='{sent}'></form><button onclick=\"fetch('{go}').then(() => document.forms[0].submit())\">x"))
        session.click("button")
        reply = session.start("navigate", url=wanted)
        self.pages.wait_request(wanted)
        answer_go.set()
        self.pages.wait_request(sent)
        answer_wanted.set()
        self.assertEqual(reply.value()["title"], "wanted")
        self.assertEqual(session.evaluate("document.title"), "wanted")

    def test_a_page_that_goes_elsewhere_before_it_is_left(self):
        """The document before begins a navigation when the answer is there and it has only not been told yet that it is left."""
        wanted = self.pages.page("wanted", title="wanted")
        sent = self.pages.page("sent", title="sent")
        go, answer_go = self.pages.held("go")
        session = self.session()
        session.navigate(self.pages.page(f"""<button>x</button><script>function leave() {{
            const request = new XMLHttpRequest();
            request.open("GET", "{go}", false);
            request.send();
            for (const end = performance.now() + 1000; performance.now() < end;); /* The browser receives the answer meanwhile. */
            location = "{sent}";
        }}
        document.querySelector("button").onclick = () => setTimeout(leave);</script>"""))
        session.evaluate("document.querySelector('button').click()")
        reply = session.start("navigate", url=wanted)
        self.pages.wait_request(wanted)
        answer_go.set()
        self.assertEqual(reply.value()["title"], "wanted")
        self.assertEqual(session.evaluate("document.title"), "wanted")

    def test_a_page_that_goes_to_the_same_address(self):
        """Whether the page or the call comes first, and however far the first load is: there is one answer and one document."""
        wanted = self.pages.page("wanted", title="wanted")
        for delay in range(0, 120, 6):
            with self.subTest(delay):
                session = self.session()
                page = self.pages.page(f"<script>setTimeout(() => {{ location = '{wanted}'; }}, {delay})</script>", title="leaves")
                session.navigate(page, waitUntil="domcontentloaded")
                answer = session.navigate(wanted)
                self.assertEqual((answer["title"], answer["status"]), ("wanted", 200))
                self.assertEqual(session.evaluate("document.title"), "wanted")

    @unittest.skipUnless(ENGINE == "firefox", "window.stop() does not end a navigation that Chromium was asked for")
    def test_a_page_that_stops_loading(self):
        """A navigation that the page has stopped is not waited for until its timeout."""
        wanted, answer_wanted = self.pages.held("<title>wanted</title>")
        session = self.session()
        session.navigate(self.pages.page("<script>addEventListener('message', () => setTimeout(stop, 300))</script>"))
        session.evaluate("postMessage(1)")
        self.assertEqual(session.fail("navigate", url=wanted, timeout=60000).code, "NAVIGATION_FAILED")
        answer_wanted.set()
        self.assertEqual(session.navigate(self.pages.page("after", title="after"))["title"], "after")

    def test_a_download_leaves_no_file(self):
        """Held against the empty temporary folder at the end of the class."""
        session = self.session()
        link = self.pages.route(self.pages.unique(), Response(b"data", content_type="application/zip"))
        session.navigate(self.pages.page(f"<a id=get download href='{link}'>get</a>"))
        session.click("#get")
        self.assertEqual(session.evaluate("1"), 1)


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class Certificates(BrowserdCase):
    def secure_pages(self):
        """The URL of a page behind a certificate that no trusted authority has signed."""
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in ("key", "certificate")]
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                            "-keyout", files[0], "-out", files[1]], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(files[1], files[0])
        pages = Pages(context)
        self.addCleanup(pages.close)
        return pages.page("secret", title="secret")

    def test_an_unknown_issuer_is_refused(self):
        error = self.start().session().fail("navigate", url=self.secure_pages())
        self.assertEqual(error.code, "NAVIGATION_FAILED")
        self.assertRegex(error.message, network_error("net::ERR_CERT"))

    def test_unless_told_otherwise(self):
        session = self.start("--ignore-https-errors").session()
        self.assertEqual(session.navigate(self.secure_pages())["title"], "secret")

    def test_in_a_profile(self):
        with tempfile.TemporaryDirectory() as folder:
            client = self.start("--user-data-dir", folder, "--ignore-https-errors")
            self.assertIn("Page Title: secret", client.ask("browser_navigate", url=self.secure_pages()))
            client.close()

    def test_for_a_request_of_code(self):
        client, url = self.start(), self.secure_pages()
        told = client.ask("browser_run_code_unsafe", code=f"""async page =>
            (await page.request.get('{url}', {{ ignoreHTTPSErrors: true }})).status()""")
        self.assertIn(by_engine(chromium="### Result\n200", firefox="ignores invalid certificates in all sessions or in none"), told)


if __name__ == "__main__":
    main()
