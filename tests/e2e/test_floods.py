"""Pages that cause events without end: they are slowed down, their owner is told, others are not, and they recover."""
import os
import pathlib
import re
import subprocess
import tempfile
import time

from support.case import BrowserdCase, ServerCase, main
from support.client import PATIENCE, Client, binary
from support.processes import descendants

LOOP = "window.n = 0; window.loop = setInterval(() => { for (let i = 0; i < 200; i++) { n++; %s } }, 1); 1"
FLOODS = {
    "console": "console.log('x'.repeat(3000), { a: i })",
    "WebSockets": "new WebSocket('ws://127.0.0.1:1/' + 'p'.repeat(5000))",
    "frames": "{ const f = document.createElement('iframe'); document.body.append(f); f.remove(); }",
    "addresses": "history.pushState(0, '', '?' + n)",
    "tools of the page": """{
        const c = new AbortController(), tool = { name: 't' + n % 5000, description: 'd'.repeat(15000), inputSchema: { type: 'object' }, execute: async () => 1 };
        try { (navigator.modelContext || document.modelContext).registerTool(tool, { signal: c.signal }); } catch (e) { console.error(e); }
        if (i % 2) c.abort(); }""",
}
TAKES_TIME = "keeps the main process of the browser busy, which all sessions share, so it is slowed down"
TOLD = "causes more than 2000 events a second"


def text(reply):
    return "\n".join(content.get("text", "") for content in reply["content"])


def says_either(answer):
    """
    Tools of a page cause few events, each of which takes the main process long: what is noticed first is the reason. On a busy machine it is
    the same with all floods: they cause fewer events a second, and each takes longer.
    """
    return TOLD in answer or TAKES_TIME in answer


def says_events(answer):
    return TOLD in answer


def is_stopped(process):
    try:
        with open(f"/proc/{process.pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "T"
    except OSError:
        return False


def any_stopped(client):
    return any(map(is_stopped, descendants(client.process.pid)))


class Floods(ServerCase):
    args = ("--max-sessions", "50", "--caps", "observe", "--timeout-action", "60000", "--rest-after", "60")  # a page at rest floods nothing

    def repeat(self, look, accepts):
        """As that of BrowserdCase."""
        end = time.monotonic() + PATIENCE
        while not accepts(found := look()):
            self.assertLess(time.monotonic(), end, found)
        return found

    def ask(self, session, expression):
        """The whole answer of a call on the page."""
        return text(session.start("evaluate", expression=expression).result())

    def any_stopped(self):
        return any_stopped(self.client)

    def graphics(self):
        """The graphics process of the browser."""
        return [process for process in descendants(self.client.process.pid) if "--type=gpu-process" in " ".join(process.command())]

    def messages(self, session):
        return text(session.start("browser_console_messages", level="debug", all=True).result())

    def await_told(self, session, accepts=says_either):
        self.repeat(lambda: self.ask(session, "n"), accepts)

    def test_the_page_is_slowed_down(self):
        other = self.show("other")
        for name, flood in FLOODS.items():
            with self.subTest(name):
                session = self.show("flood")
                session.evaluate(LOOP % flood)
                self.await_told(session, says_either if name == "tools of the page" else says_events)
                self.repeat(lambda: (self.any_stopped(), self.ask(other, "1 + 1")), lambda found: found[0])
                self.assertFalse(says_either(self.ask(other, "1 + 1")))
                session.close()

    def test_a_page_that_keeps_the_main_process_busy(self):
        """The browser copies all policies of the document when one is added, which costs the page nothing, and no event tells of it."""
        busy, other = self.show("computes"), self.show("other")
        busy.evaluate("setInterval(() => { const end = performance.now() + 5; while (performance.now() < end); }, 10), 1")
        session = self.show("flood")
        session.evaluate("""window.n = 0; window.loop = setInterval(() => { for (let i = 0; i < 50; i++) {
            const meta = document.createElement('meta');
            meta.httpEquiv = 'Content-Security-Policy';
            meta.content = 'img-src http://h' + n++;
            document.head.append(meta); } }, 20); 1""")
        self.repeat(lambda: (self.ask(other, "1 + 1"), self.ask(session, "n")), lambda answers: TAKES_TIME in answers[1])
        for each in busy, other:
            self.assertNotIn(TAKES_TIME, self.ask(each, "1 + 1"))
        session.evaluate("clearInterval(loop)")
        self.repeat(lambda: self.messages(session), lambda messages: "is no longer slowed down" in messages)
        self.assertNotIn(TAKES_TIME, self.ask(session, "1 + 1"))

    def test_a_page_that_keeps_the_graphics_process_busy(self):
        """One frame takes it many seconds, and it goes on when the page has gone. A page with an ordinary animation stays."""
        other, calm = self.show("other"), self.show("<style>div { animation: k 1s infinite } @keyframes k { to { opacity: 0 } }</style><div>calm</div>")
        session = self.show("heavy")
        session.evaluate("""for (let i = 0; i < 200; i++) {
            const layer = document.createElement('div');
            layer.style = 'position: fixed; inset: 0; backdrop-filter: blur(30px) hue-rotate(10deg)';
            document.body.append(layer);
            layer.animate([{}, { transform: 'translateX(200px)' }], { duration: 1000, iterations: Infinity }); } 1""")
        ended = "kept the graphics process of the browser busy"
        self.repeat(lambda: (other.start("screenshot").result(), self.ask(session, "1 + 1")), lambda answers: ended in answers[1])
        self.assertTrue(other.call("screenshot")["success"])
        for each, text in (calm, "calm"), (other, "other"):
            self.assertEqual(each.evaluate("document.body.textContent"), text)

    def test_pictures_that_take_long(self):
        """They are not taken for a page that keeps the graphics process busy, however many a client takes one after the other."""
        strips = "<style>p { margin: 0 0 -50px; height: 100px; backdrop-filter: blur(30px) hue-rotate(10deg); background: #f003 }</style>"
        session = self.show(strips + "<p>x" * 320)
        before = self.graphics()
        self.assertEqual(len(before), 1)
        for _ in range(8):
            self.assertTrue(session.call("screenshot", fullPage=True)["success"])
        self.assertEqual(self.graphics(), before)

    def test_the_page_recovers(self):
        session = self.show("<button onclick='document.title = \"clicked\"'>go</button>")
        session.evaluate(LOOP % FLOODS["console"])
        self.await_told(session)
        session.click("button")
        self.assertEqual(session.evaluate("clearInterval(loop), document.title"), "clicked")
        self.repeat(lambda: self.ask(session, "new Promise(done => setTimeout(done, 50))"), lambda answer: not says_either(answer))
        self.repeat(self.any_stopped, lambda stopped: not stopped)
        self.assertIn("is no longer slowed down", self.messages(session))

    def test_a_flood_that_never_yields(self):
        """The page answers nothing, so that only its end helps."""
        other, session = self.show("other"), self.session()
        started = session.start("navigate", url=self.pages.page("<script>for (let i = 0;; i++) console.log('x'.repeat(3000), { a: i });</script>"))
        self.repeat(lambda: (self.any_stopped(), self.ask(other, "1 + 1")), lambda found: found[0])
        self.assertTrue(session.close()["success"])
        self.assertTrue(started.failure().code)
        self.assertEqual(other.evaluate("1 + 1"), 2)

    def test_workers(self):
        session = self.show("worker")
        session.evaluate("n = 0, worker = new Worker(URL.createObjectURL(new Blob(['for (;;) console.log(\"y\".repeat(3000))']))), 1")
        self.await_told(session)
        self.repeat(self.any_stopped, lambda stopped: stopped)
        session.evaluate("worker.terminate(), 1")

    def test_navigating_away(self):
        session = self.show("flood")
        session.evaluate(LOOP % FLOODS["console"])
        self.await_told(session)
        self.assertEqual(session.navigate(self.pages.page("x", title="calm"))["title"], "calm")

    def test_many_events_of_a_loading_page(self):
        """What a large application causes when it starts is within the budget."""
        session = self.show("<script>for (let i = 0; i < 500; i++) { fetch(location.href); console.log('line', i, { a: i }); }</script>")
        self.assertNotIn(TOLD, self.ask(session, "1"))
        self.assertEqual(len(re.findall(r"line \d+", self.messages(session))), 500)


class SandboxedFloods(BrowserdCase):
    """In Chromium's sandbox, which works for ordinary users only."""

    client_class = Client

    def command(self, *args):
        """Starts browserd as an ordinary user with a home of its own."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        if user:
            os.chown(folder.name, 65534, 65534)
        return [*user, "env", f"HOME={folder.name}", f"TMPDIR={folder.name}", str(pathlib.Path(binary()).resolve()), *args, "--sandbox"]

    def test_the_page_is_slowed_down(self):
        tried = subprocess.run(self.command("doctor"), capture_output=True, text=True, check=False, cwd="/")
        if tried.returncode:
            self.skipTest(f"the sandbox does not work here: {tried.stdout}{tried.stderr}")
        client, pages = self.start(command=self.command("--timeout-action", "60000"), cwd="/"), self.pages()
        other, session = client.session(), client.session()
        other.navigate(pages.page("other"))
        session.navigate(pages.page("flood"))
        session.evaluate(LOOP % FLOODS["console"])
        self.repeat(lambda: (any_stopped(client), other.evaluate("1 + 1")), lambda found: found[0])
        self.assertEqual(session.evaluate("""(async () => {
            clearInterval(loop);
            for (let i = 0; i < 5000; i++) { console.log(i); if (i % 500 == 0) await new Promise(done => setTimeout(done)); }
            return 'done' })()"""), "done")
        self.repeat(lambda: (other.evaluate("1 + 1"), any_stopped(client)), lambda found: not found[1])


if __name__ == "__main__":
    main()
