"""Addresses that may not be opened: by no tool, however they are written, and what becomes of pages that get there."""
import json
import pathlib
import tempfile

from support.case import BrowserdCase, main
from support.http_client import HttpServer

REFUSED = {
    "chrome": ("chrome://gpu", " Chrome://version", "chr\tome://histograms", "chrome://crash"),
    "file": ("file:///etc/hostname", "FILE:/etc/hostname", "\x01file:///etc/hostname", "fi\nle:///etc/hostname"),
    "view-source": ("view-source:file:///etc/hostname", "view-source:about:blank", "view-source:view-source:http://127.0.0.1/"),
    "filesystem": ("filesystem:file:///temporary/x",),
    "devtools": ("devtools://devtools/bundled/inspector.html",),
    "javascript": ("javascript:document.title='ran'", "java\nscript:void 0"),
    "chrome-untrusted": ("chrome-untrusted://terminal/",),
    "unheard-of": ("unheard-of:x",),
}


class Addresses(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def setUp(self):
        self.site = self.pages()
        self.secret = self.folder / "secret.txt"
        self.secret.write_text("of the operator\n", "utf-8")

    def code(self, client, body):
        return client.ask("browser_run_code_unsafe", code=f"async page => {{ {body} }}")

    def ways(self, client, session):
        """Every way to send a page somewhere: name, and a function that gives the answer's text."""
        def goto(url):
            return self.code(client, f"await page.goto({json.dumps(url)})")

        def new_page(url):
            return self.code(client, f"const other = await page.context().newPage(); try {{ await other.goto({json.dumps(url)}) }} "
                                     "finally { await other.close() }")
        return {
            "navigate": lambda url: client.ask("navigate", sessionId=session, url=url).replace(r"\"", '"'),
            "browser_navigate": lambda url: client.ask("browser_navigate", url=url),
            "browser_tabs": lambda url: client.ask("browser_tabs", action="new", url=url),
            "page.goto": goto, "newPage": new_page,
        }

    def test_refused_by_every_tool(self):
        client = self.share("--output-dir", str(self.folder))
        session = client.call("create_session")["sessionId"]
        other = client.session()
        other.navigate(self.site.page("x", title="others go on"))
        browser = client.browser()
        for name, way in self.ways(client, session).items():
            for scheme, urls in REFUSED.items():
                for url in urls:
                    with self.subTest(way=name, url=url):
                        text = way(url)
                        self.assertIn(f'Access to "{scheme}:" protocol is blocked', text)
                        if scheme != "file":  # these are refused in the reference's words
                            self.assertIn("http:, https:, data:, blob: and about:blank", text)
            for url in ("about:version", "about:gpu", "blob:chrome://gpu/1", "blob:file:///1"):
                with self.subTest(way=name, url=url):
                    self.assertIn(f'Access to "{url}" is blocked', way(url))
        self.assertEqual(other.evaluate("document.title"), "others go on")
        self.assertEqual(client.browser(), browser)

    def test_after_a_navigation_that_failed(self):
        client = self.share("--output-dir", str(self.folder))
        other = client.session()
        other.navigate(self.site.page("x", title="others go on"))
        for url in ("chrome://gpu", "chrome://ukm"):
            client.ask("browser_navigate", url="http://127.0.0.1:1/")
            self.assertIn("blocked", client.ask("browser_navigate", url=url))
            for way in ("location.href = {0}", "open({0})", "history.pushState({{}}, '', {0})", "location.assign({0})"):
                client.ask("browser_evaluate", function=f"() => {{ {way.format(json.dumps(url))} }}")
        self.assertEqual(other.evaluate("document.title"), "others go on")

    def test_what_may_be_opened(self):
        client = self.share("--output-dir", str(self.folder))
        session = client.call("create_session")["sessionId"]
        page = self.site.page("x", title="here")
        for name, way in self.ways(client, session).items():
            for url in (page, "about:blank", "data:text/html,<title>here</title>"):
                with self.subTest(way=name, url=url):
                    self.assertNotRegex(way(url), "(?i)blocked|error")
        self.assertIn(f"- Page URL: {page}", client.ask("browser_navigate", url=page.removeprefix("http://")))
        self.assertEqual(client.call("navigate", sessionId=session, url=page.removeprefix("http://"))["title"], "here")

    def test_files_where_the_operator_allows_them(self):
        client = self.start("--output-dir", str(self.folder), "--allow-unrestricted-file-access")
        session = client.call("create_session")["sessionId"]
        for name, way in self.ways(client, session).items():
            with self.subTest(name):
                self.assertNotRegex(way(self.secret.as_uri()), "(?i)blocked|error")
                self.assertRegex(way("view-source:" + self.secret.as_uri()), "blocked.*, and file:")
                self.assertIn("blocked", way("chrome://gpu"))

    def test_over_http(self):
        server = HttpServer("--output-dir", str(self.folder))
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        client = server.client()
        for code in (f"async page => {{ await page.goto('{self.secret.as_uri()}') }}", "async page => { await page.goto('chrome://gpu') }"):
            answer = client.request("tools/call", {"name": "browser_run_code_unsafe", "arguments": {"code": code}})
            self.assertIn("protocol is blocked", answer["content"][0]["text"])

    def went(self, client, url):
        """Waits until the current tab says where it has been."""
        while f"The page went to {url}" not in client.ask("browser_console_messages", level="error"):
            pass

    def test_a_page_that_gets_there_is_sent_away(self):
        """By a second client of the browser, as no page has a way of its own."""
        client = self.start_open("--output-dir", str(self.folder))
        url = self.site.page("x")
        client.ask("browser_navigate", url=url)
        chromium = self.devtools(client)
        for wrong in (self.secret.as_uri(), self.folder.as_uri() + "/"):
            with self.subTest(wrong):
                chromium.call("Page.navigate", chromium.attach(url), url=wrong)
                self.went(client, wrong)
                while "(about:blank)" not in client.ask("browser_tabs", action="list"):  # it is on its way
                    pass
                self.assertIn(f"- Page URL: {url}", client.ask("browser_navigate", url=url))

    def test_a_page_that_is_opened_there_is_sent_away(self):
        client = self.start_open("--output-dir", str(self.folder))
        url = self.site.page("x")
        client.ask("browser_navigate", url=url)
        chromium = self.devtools(client)
        context = next(t["browserContextId"] for t in chromium.call("Target.getTargets")["targetInfos"] if t["url"] == url)
        chromium.call("Target.createTarget", url=self.secret.as_uri(), browserContextId=context)
        while "- 1:" not in client.ask("browser_tabs", action="list"):  # the browser answers this client first
            pass
        self.assertIn("- 1: (current)", client.ask("browser_tabs", action="select", index=1))
        self.went(client, self.secret.as_uri())
        self.assertNotIn("of the operator", client.ask("browser_snapshot"))


if __name__ == "__main__":
    main()
