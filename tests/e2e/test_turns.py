"""
What pages, clients, files and child processes can make large takes no long turn of the loop: the watchdog of test builds
(src/loop/turn.h) would report it, and each test looks at once for such a report.
"""
import json
import os
import pathlib
import signal
import tempfile

from support.case import BrowserdCase, main
from support.http_client import HttpError, HttpServer
from support.pages import Pages, Response

FILES = 40000  # removing them takes a second
LIMIT = {"BROWSERD_TURN_LIMIT": "50"}


class TurnsCase(BrowserdCase):
    def watch(self, server):
        """Fails the test if the server reports a long turn from now on."""
        self.addCleanup(self._look, server, len(server.stderr()))

    def _look(self, server, seen):
        said = server.stderr()[seen:]
        self.assertNotIn("long turn:", said, said)

    @staticmethod
    def fill(folder, count):
        folder.mkdir(mode=0o700, exist_ok=True)
        for number in range(count):
            os.close(os.open(folder / f"f{number}", os.O_CREAT | os.O_WRONLY, 0o600))


class Tenants(TurnsCase):
    """Clients of one server over HTTP, which records an archive of each session's requests."""

    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())).resolve()
        (folder / "config.json").write_text(json.dumps({"browser": {"contextOptions": {"recordHar": {"path": str(folder / "net.har")}}}}))
        (folder / "config.json").chmod(0o600)
        cls.site = Pages()
        cls.addClassCleanup(cls.site.close)
        cls.server = HttpServer("--max-sessions", "20", "--config", folder / "config.json", env=LIMIT)
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)
        cls.folder = folder

    def setUp(self):
        self.client = self.server.client()
        self.watch(self.server)

    def ask(self, tool, **arguments):
        result = self.client.request("tools/call", {"name": tool, "arguments": arguments})
        return ("ERROR " if result.get("isError") else "") + result["content"][0].get("text", "")

    def code(self, body):
        return self.ask("browser_run_code_unsafe", code=f"async (page) => {{ {body} }}")

    def directory(self):
        """The client's own."""
        self.ask("browser_take_screenshot", filename="mark.png")
        return next(pathlib.Path(parent) for parent, _, files in os.walk(self.server.home) if "mark.png" in files)

    def test_many_files_of_a_client_that_ends(self):
        self.ask("browser_navigate", url="about:blank")
        own = self.directory()
        self.fill(own / "many", FILES)
        parent = own.parent
        self.client.delete()
        self.repeat(lambda: [name for name in os.listdir(parent) if name.startswith(own.name)], lambda names: not names)

    def test_calls_of_a_page_with_a_long_address(self):
        self.ask("browser_navigate", url=self.site.page("<script>history.replaceState(0, '', '#' + 'x'.repeat(4e5))</script>"))
        said = self.code("await page.exposeFunction('f', x => x);"
                         "return page.evaluate(async () => (await Promise.all([...Array(90).keys()].map(n => f(n)))).length)")
        self.assertIn("90", said)

    def test_many_uploaded_files(self):
        self.ask("browser_navigate", url=self.site.page("<input type=file webkitdirectory>"))
        self.fill(self.directory() / "many", 9900)
        said = self.code("for (let i = 0; i < 4; i++) await page.locator('input').setInputFiles('many', { timeout: 60000 }); return 'given';")
        self.assertIn("given", said)
        self.assertNotIn("ERROR", self.ask("browser_close"))
        self.client.delete()

    def test_an_archive_of_many_requests(self):
        self.site.route("/part", lambda request: Response("x" * (256 << 10), content_type="text/plain"))
        self.ask("browser_navigate", url=self.site.page("start"))
        said = self.ask("browser_evaluate", function="async () => { for (let i = 0; i < 200; i++) await (await fetch('/part?' + i)).text(); return 'read'; }")
        self.assertIn("read", said)
        self.assertNotIn("ERROR", self.ask("browser_close"))
        self.client.delete()
        archive = max(self.folder.glob("net*.har"), key=lambda path: path.stat().st_size)
        found = [entry["request"]["url"] for entry in json.loads(archive.read_text())["log"]["entries"] if "/part" in entry["request"]["url"]]
        self.assertEqual([int(url.rpartition("?")[2]) for url in found], list(range(200)))

    def test_large_values(self):
        """They are refused before they are read, with what to do."""
        self.ask("browser_navigate", url="about:blank")
        self.assertIn("value", self.ask("browser_evaluate", function="() => ({ value: 'x'.repeat(1 << 20) })"))
        text, objects = "'x'.repeat(30 << 20)", "Array.from({ length: 300000 }, (_, i) => ({ a: i }))"
        for tool, arguments in (("browser_evaluate", {"function": f"() => {text}"}), ("browser_evaluate", {"function": f"() => {objects}"}),
                                ("browser_run_code_unsafe", {"code": f"async page => await page.evaluate(() => {text})"})):
            with self.subTest(tool=tool, arguments=arguments):
                self.assertIn("return the part that is needed", self.ask(tool, **arguments))
        session = json.loads(self.ask("create_session"))["sessionId"]
        self.assertIn("return the part that is needed", self.ask("evaluate", sessionId=session, expression=objects, timeout=60000))
        self.client.delete()

    def test_a_request_of_many_values(self):
        with self.assertRaises(HttpError) as caught:
            self.client.request("tools/call", {"name": "browser_evaluate", "arguments": {"function": "1", "x": [0] * 400000}})
        self.assertIn("more than 200000 values", str(caught.exception))
        self.client.delete()

    def test_long_patterns_of_routes(self):
        self.site.route("/data", "data")
        self.ask("browser_navigate", url=self.site.page("start"))
        pattern = "'**' + '*a'.repeat(2000) + 'X'"
        said = self.code(f"""for (let i = 0; i < 20; i++) await page.route({pattern} + i, route => route.abort());
                             await page.evaluate(() => Promise.all([...Array(20).keys()].map(i => fetch('/data?' + 'a'.repeat(60000)).catch(() => 0))));
                             return await page.evaluate(async () => (await fetch('/data')).text());""")
        self.assertIn("data", said)
        said = self.code("await page.route('**' + '*a'.repeat(100000), route => route.abort());")
        self.assertIn("it has more than 4096 bytes", said)
        self.client.delete()


class ChildProcesses(TurnsCase):
    def test_a_stopped_keeper(self):
        client = self.start(env=LIMIT)
        session = client.session()
        session.navigate("about:blank")
        browser = client.browser()
        keeper, = [p for p in client.processes() if pathlib.Path(f"/proc/{p.pid}/comm").read_text() == "bd-keeper\n"]
        self.watch(client)
        keeper.kill(signal.SIGSTOP)
        self.addCleanup(keeper.kill, signal.SIGCONT)
        browser.kill()
        session.start("evaluate", expression="1").failure()
        client.start_call("create_session", {}).result()  # it may be the one that learns of the death
        client.session().navigate("about:blank")
        keeper.kill(signal.SIGCONT)

    def test_servers_that_write_without_end(self):
        client = self.start("--caps", "e2e", env=LIMIT)
        self.watch(client)
        listen = "python3 -m http.server 0 --bind 127.0.0.1 > /dev/null 2>&1 & exec yes"
        for _ in range(3):
            client.call("startSession", command="sh", args=["-c", listen])
        for _ in range(20):
            client.request("ping")


if __name__ == "__main__":
    main()
