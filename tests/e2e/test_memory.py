"""How much memory the pages of one session may take in a browser that all sessions share."""
import os
import sys
import time

from support.case import BrowserdCase, main
from support.client import PATIENCE
from support.http_case import HttpPagesCase
from support.pages import Response

PYTHON = os.path.realpath(sys.executable)
TAKE = """() => { window.kept = []; setInterval(() => {
    if (kept.length < 100) kept.push(new Uint8Array(4 << 20).fill(1)) }, 20); return 1 }"""
ENDED = "because all its pages together took more than --max-session-memory allows (200 MiB); open it again if it is needed"


BLOBS = """async () => { const bytes = new Uint8Array(8 << 20); window.kept = [];
    for (let i = 0; i < 40; i++) { bytes.fill(i); kept.push(new Blob([bytes])); await kept[i].slice(0, 1).arrayBuffer() } return 1 }"""
TOO_MUCH = "the main process of the browser, which had more than --max-browser-memory allows"
DATABASES = """() => { window.open = []; window.count = 0; setInterval(() => {
    for (let i = 0; i < 50; i++) indexedDB.open('d' + count++).onsuccess = e => open.push(e.target.result) }, 20); return 1 }"""


class Limited(HttpPagesCase):
    args = ("--max-sessions", "20", "--max-session-memory", "200", "--max-browser-memory", "100")

    def until(self, client, expected, text):
        """The text of the first answer that has this, beginning with one that is there."""
        for _ in range(300):
            if expected in text:
                return text
            text = self.ask(client, "wait_for", time=0.1)
        self.fail(f"{expected!r} is not in {text}")


class Renderers(Limited):
    def test_the_page_that_takes_the_most_is_ended(self):
        client, neighbour = self.client(), self.client()
        self.ask(neighbour, "navigate", url=self.pages.page("<p>neighbour</p>"))
        self.ask(client, "navigate", url=self.pages.page("<p>small</p>"))
        self.ask(client, "tabs", action="new")
        large = self.pages.page("<p>large</p>")
        self.ask(client, "navigate", url=large)
        text = self.until(client, ENDED, self.ask(client, "evaluate", function=TAKE))
        self.assertIn(f"Ended the page {large}, which took the most memory", text)
        self.assertNotIn(ENDED, self.ask(client, "tabs", action="list"))
        self.ask(client, "tabs", action="select", index=0)
        self.assertIn("small", self.ask(client, "snapshot"))
        self.assertIn("neighbour", self.ask(neighbour, "evaluate", function="() => document.body.textContent"))
        self.assertIn("again", self.ask(client, "navigate", url=self.pages.page("<p>again</p>")) + self.ask(client, "snapshot"))

    def test_a_script_that_never_ends_is_no_way_around_it(self):
        client = self.client()
        self.ask(client, "navigate", url=self.pages.page("<p>busy</p>"))
        text = self.ask(client, "evaluate", function="""() => { setTimeout(() => { window.kept = [];
            for (;;) if (kept.length < 100) kept.push(new Uint8Array(4 << 20).fill(1)) }); return 1 }""")
        self.until(client, ENDED, text)

    def test_workers_count(self):
        client = self.client()
        self.ask(client, "navigate", url=self.pages.page("<p>worker</p>"))
        text = self.ask(client, "evaluate", function="""() => { window.worker = new Worker(URL.createObjectURL(new Blob([
            'const kept = []; for (;;) if (kept.length < 100) kept.push(new Uint8Array(4 << 20).fill(1))']))); return 1 }""")
        self.until(client, ENDED, text)


class Admission(Limited):
    """No session begins while all processes together have more than --max-memory and none may sleep, and none is ended for it."""

    args = ("--max-sessions", "20", "--max-memory", "700", "--caps", "e2e,devtools", "--server-commands", PYTHON)

    def until_ready(self, status):
        """GET /ready as soon as it answers with this status."""
        end = time.monotonic() + PATIENCE
        while (answer := self.server.ask("GET", "/ready")[::2])[0] != status:
            self.assertLess(time.monotonic(), end, answer)
        return answer

    def test_a_full_server_says_so_and_ends_nothing(self):
        client, other = self.client(), self.client()
        own = other.call("create_session")["sessionId"]
        self.ask(client, "navigate", url=self.pages.page("<p>large</p>"))
        self.until_ready(200)
        self.ask(client, "start_tracing")  # what is recorded does not sleep
        self.ask(other, "start_tracing", sessionId=own)
        self.ask(client, "evaluate", function="() => { window.kept = []; setInterval(() => kept.push(new Uint8Array(4 << 20).fill(1)), 20) }")
        self.assertEqual(self.until_ready(503), (503, b'{"ready":false,"reason":"full"}'))
        self.ask(client, "evaluate", function="() => { for (let i = 0; i < 1e4; i++) clearInterval(i) }")
        failure = other.fail("create_session")
        self.assertEqual(failure["errorCode"], "MAX_SESSIONS_REACHED")
        self.assertRegex(failure["message"], r"^the server and its browser take \d+ MiB, another session would take about \d+, and "
                                             r"--max-memory allows 700; close one with close_session or wait until one expires$")
        self.assertIn("--max-memory allows 700", self.ask(self.client(), "navigate", url="about:blank"))
        self.assertIn("--max-memory allows 700", other.ask("startSession", command=PYTHON, args=["-c", "input()"]))
        self.assertEqual((self.server.metric("browserd_ready"), self.server.metric("browserd_browser_sessions_free")), (0, 0))
        self.assertGreater(self.server.metric("browserd_processes_memory_bytes"), 300 << 20)
        self.assertIn("true", self.ask(client, "evaluate", function="() => kept.length > 50"))
        other.call("navigate", sessionId=own, url=self.pages.page("<p>goes on</p>"))
        self.ask(client, "close")
        client.delete()
        self.until_ready(200)
        self.assertIn("sessionId", other.call("create_session"))

    def test_lazy_sessions(self):
        server = self.serve("--max-memory", "1", "--lazy-sessions")
        self.assertIn("--max-memory allows 1;", server.client().fail("navigate", sessionId="mine", url="about:blank")["message"])


class SharedWorkers(Limited):
    args = ("--max-sessions", "20")  # a hundred workers take more than 200 MiB

    def test_service_workers_without_end(self):
        client, neighbour = self.client(), self.client()
        self.ask(neighbour, "navigate", url=self.pages.page("<p>neighbour</p>"))
        self.pages.route("/worker.js", lambda request: Response("1", content_type="text/javascript"))
        url = self.pages.page("<p>workers</p>")
        self.ask(client, "navigate", url=url)
        text = self.ask(client, "evaluate", function="""() => { let n = 0;
            const go = () => navigator.serviceWorker.register('/worker.js?' + n, { scope: '/' + n++ }).then(go);
            for (let i = 0; i < 10; i++) go();
            return 1 }""")
        self.until(client, "Ended all pages of the session and cleared what their origins have stored: they started more than 100", text)
        self.assertIn("neighbour", self.ask(neighbour, "evaluate", function="() => document.body.textContent"))
        self.ask(client, "navigate", url=url)
        self.assertIn("workers", self.ask(client, "snapshot"))


class Blobs(Limited):
    def test_the_session_that_keeps_the_most_loses_its_pages(self):
        client, neighbours = self.client(), [self.client(), self.client()]
        for neighbour in neighbours:
            self.ask(neighbour, "navigate", url=self.pages.page("<p>neighbour</p>"))
            self.ask(neighbour, "evaluate", function="() => { window.kept = new Blob(['neighbour']); return 1 }")
        self.ask(client, "navigate", url=self.pages.page("<p>blobs</p>"))
        self.until(client, TOO_MUCH, self.ask(client, "evaluate", function=BLOBS))
        for neighbour in neighbours:
            self.assertIn("neighbour", self.ask(neighbour, "evaluate", function="() => kept.text()"))
        self.assertIn("again", self.ask(client, "navigate", url=self.pages.page("<p>again</p>")) + self.ask(client, "snapshot"))


class Databases(Limited):
    def test_the_session_that_opens_them_without_end_loses_its_pages(self):
        client, neighbour = self.client(), self.client()
        self.ask(neighbour, "navigate", url=self.pages.page("<p>neighbour</p>"))
        self.ask(neighbour, "evaluate", function="() => new Promise(done => { indexedDB.open('kept').onsuccess = () => done(1) })")
        url = self.pages.page("<p>databases</p>")
        self.ask(client, "navigate", url=url)
        self.assertIn("cleared what their origins have stored", self.until(client, TOO_MUCH, self.ask(client, "evaluate", function=DATABASES)))
        names = "() => indexedDB.databases().then(all => all.map(d => d.name).join() + '.')"
        self.assertIn('"kept."', self.ask(neighbour, "evaluate", function=names))
        self.ask(client, "navigate", url=url)
        self.assertIn('"."', self.ask(client, "evaluate", function=names))


STORE = """async most => {
    const part = new Uint8Array(1 << 20);
    const fill = () => { for (let i = 0; i < part.length; i += 65536) crypto.getRandomValues(part.subarray(i, i + 65536)) };
    const cache = await caches.open('c'), folder = await navigator.storage.getDirectory();
    const database = await new Promise((done, fail) => {
        const opened = indexedDB.open('d', 1);
        opened.onupgradeneeded = () => opened.result.createObjectStore('s');
        opened.onsuccess = () => done(opened.result);
        opened.onerror = () => fail(opened.error);
    });
    const ways = {
        cache: i => cache.put('/' + i, new Response(part)),
        file: async i => {
            const file = await (await folder.getFileHandle('f' + i, { create: true })).createWritable();
            await file.write(part);
            await file.close();
        },
        database: i => new Promise((done, fail) => {
            const change = database.transaction('s', 'readwrite');
            change.objectStore('s').put(part, i);
            change.oncomplete = done;
            change.onabort = () => fail(change.error);
        }),
    };
    const said = [];
    for (const way in ways) {
        try {
            for (let i = 0; i < most; i++) {
                fill();
                await ways[way](i);
            }
            said.push(way + ' has all');
        } catch (e) {
            said.push(way + ' ' + e.name);
        }
    }
    return said.join();
}"""


class Storage(BrowserdCase):
    REFUSED = ["cache QuotaExceededError", "file QuotaExceededError", "database QuotaExceededError"]

    def test_an_origin_stores_no_more_than_its_quota(self):
        client, site = self.start("--max-origin-storage", "8"), self.pages()
        url = site.page("<p>stores</p>")
        greedy, other = client.session(), client.session()
        for session in greedy, other:
            session.navigate(url)
        stored = f"({STORE})(%d)"
        self.assertEqual(greedy.evaluate(stored % 12).split(","), self.REFUSED)
        self.assertEqual(other.evaluate(stored % 2), "cache has all,file has all,database has all")
        client.ask("browser_tabs", sessionId=greedy.id, action="new", url=site.page("<p>another page</p>"))
        greedy.navigate(url)
        self.assertEqual(greedy.evaluate(stored % 12).split(","), self.REFUSED)


class Ends(BrowserdCase):
    def test_the_server_ends_while_blobs_are_assigned(self):
        client = self.start("--max-browser-memory", "200")
        session = client.session()
        session.navigate(self.pages().page("<p>blobs</p>"))
        session.start("evaluate", expression=f"({BLOBS})()")
        self.repeat(lambda: client.request("ping") or client.stderr(), lambda text: "more than --max-browser-memory allows" in text)
        client.close()


class Snapshots(HttpPagesCase):
    args = ("--timeout-action", "60000")
    LINKS = """%s<script>const url = 'http://x/' + 'a'.repeat(1 << 20);
        for (let i = 0; i < 24; i++) { const a = document.createElement('a'); a.href = url; a.textContent = i; document.body.append(a, ' '); }</script>"""

    def test_the_limit_is_for_all_frames_together(self):
        """The document that reaches it writes no more, and those inside are not asked."""
        url, client = self.pages.page(self.LINKS % ""), self.client()
        for _ in range(4):
            url = self.pages.page(self.LINKS % f"<iframe src='{url}'></iframe>")
        before = self.cdp_bytes("received")
        self.assertIn("the snapshot is larger than 64 MiB; ask for less with target or depth", self.ask(client, "navigate", url=url))
        self.assertLess(self.cdp_bytes("received") - before, 80 << 20)


if __name__ == "__main__":
    main()
