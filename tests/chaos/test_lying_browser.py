"""
A browser that says what it likes: behind --cdp-endpoint (docs/security.md: its answers are not trusted) and behind the pipe of one, or
the port of a Firefox, that the server has started. Calls may fail with an error, and the server may give the browser up; it must not end, report anything to a
sanitizer, grow without limit, or be of no use once the browser is honest again.

HOSTILE_SECONDS: how long each of the three lasts (6). TEST_SEED repeats the choices of a run; threads and messages still take turns as
they like.
"""
import os
import pathlib
import random
import sys
import threading
import time
import unittest

from liar import Liar
from support.case import BrowserdCase, main
from support.chromium import Chromium, installed
from support.client import Client, Hung, RpcError
from support.engine import installed as installed_of
from support.firefox_relay import RelayedFirefox
from support.generate import seed
from support.memory import EXACT, resident
from support.pages import Response
from support.relay import ChangingRelay

SECONDS = float(os.environ.get("HOSTILE_SECONDS", 6))
RATE = float(os.environ.get("HOSTILE_RATE", 0.03))
CALLERS = 3
CALL_LIMIT = 10  # seconds, after which a call is cancelled: a reply that never comes is a script that never ends
MEMORY = 1 << 30
PAGE = """<title>page</title><button id=b onclick="alert(1)">b</button><input id=i><input type=file id=f><select id=s><option>1<option>2</select>
<a id=a href=/file download>d</a><a id=p href=/leaf target=_blank>p</a><iframe src=/leaf></iframe><iframe src="data:text/html,<button>x</button>"></iframe>
<script>setInterval(() => {
    const f = document.createElement('iframe');
    f.src = '/leaf';
    document.body.append(f);
    setTimeout(() => f.remove(), 300);
    console.log('tick', {a: 1});
    fetch('/leaf').catch(() => 0);
}, 150);
new Worker('data:text/javascript,setInterval(()=>console.log(1),200)');
new WebSocket('ws://' + location.host + '/none')</script>"""
CODES = ("async page => { await Promise.all([page.click('#b', {timeout: 300}).catch(() => 0), page.title()]); return 1; }",
         "async page => { const p = await page.context().newPage(); await p.goto(page.url()); await p.close(); }",
         "async page => (await page.$$('button')).length",
         "async page => { await page.route('**/leaf', r => r.fulfill({body: 'x'})); return page.content(); }",
         "async page => { await page.exposeFunction('f' + Date.now(), x => x); return page.evaluate(() => 1); }",
         "async page => page.context().storageState()", "async page => (await page.request.get(page.url())).status()",
         "async page => { const [p] = await Promise.all([page.waitForEvent('popup', {timeout: 500}), page.click('#p', {timeout: 500})]); }")


class Caller(threading.Thread):
    """Calls tools in a session of its own, until `until`."""

    def __init__(self, client, url, chance, until):
        super().__init__(daemon=True)
        self.client, self.url, self.chance, self.until = client, url, chance, until
        self.session, self.calls, self.cancelled, self.last = None, 0, 0, None

    def run(self):
        while time.monotonic() < self.until and self.client.process.poll() is None:
            try:
                self.step()
            except (OSError, ValueError, AssertionError):
                return  # the server has ended, which the test reports

    def call(self, name, arguments):
        """The result; None: an error, or it took too long."""
        self.last = (name, arguments)
        reply = self.client.start_call(name, arguments)
        try:
            self.calls += 1
            result = reply.result(CALL_LIMIT)
            return None if result.get("isError") else result
        except Hung:
            self.cancelled += 1
            self.client.notify("notifications/cancelled", {"requestId": reply.id, "reason": "it takes too long"})
            self.session = None
        except RpcError:
            pass
        return None

    def step(self):
        if not self.session:
            made = self.call("create_session", {}) or {}
            self.session = made.get("structuredContent", {}).get("sessionId")
            self.call("browser_navigate", {"url": self.url, "sessionId": self.session})
        name, arguments = self.pick()
        self.call(name, {**arguments, "sessionId": self.session} if self.session else arguments)
        if name == "close_session":
            self.session = None

    def pick(self):
        chance = self.chance
        return chance.choice((
            ("browser_snapshot", {}), ("browser_snapshot", {}), ("browser_click", {"target": chance.choice(("#b", "#p", "iframe >> button", "e3", "f1e2"))}),
            ("browser_click", {"target": "#f"}), ("browser_file_upload", {"paths": []}), ("browser_type", {"target": "#i", "text": "ab\ncd"}),
            ("browser_tabs", {"action": chance.choice(("list", "new", "close"))}), ("browser_handle_dialog", {"accept": True}),
            ("browser_evaluate", {"function": "() => document.title"}), ("browser_navigate", {"url": self.url}), ("browser_navigate_back", {}),
            ("browser_take_screenshot", {}), ("browser_console_messages", {"level": "debug"}), ("browser_network_requests", {"static": True}),
            ("browser_network_request", {"index": chance.randrange(1, 20), "part": "response-body"}), ("browser_run_code_unsafe", {"code": chance.choice(CODES)}),
            ("browser_run_code_unsafe", {"code": chance.choice(CODES)}), ("browser_route", {"pattern": "**/leaf", "status": 200, "body": "x"}),
            ("browser_close", {}), ("browser_wait_for", {"time": 0.1}), ("browser_start_tracing", {}), ("browser_stop_tracing", {}), ("browser_pdf_save", {}),
            ("browser_storage_state", {}), ("browser_cookie_list", {}), ("browser_localstorage_list", {}), ("cdp_list_targets", {}), ("close_session", {}),
            ("browser_fill_form", {"fields": [{"name": "i", "type": "textbox", "target": "#i", "value": "q"}]}), ("browser_resize", {"width": 400, "height": 300}),
            ("browser_drag", {"startTarget": "#b", "endTarget": "#i"}), ("browser_select_option", {"target": "#s", "values": ["2"]}),
            ("browser_hover", {"target": "#b"}), ("browser_find", {"text": "leaf"}), ("browser_press_key", {"key": "Tab"})))


def report(client):
    """What the server said at its end, beginning with the report of a sanitizer."""
    text = client.stderr()
    starts = [at for at in (text.find("ERROR: AddressSanitizer"), text.find("runtime error:")) if at >= 0]
    return text[min(starts) - 200:][:9000] if starts else text[-4000:]


class LyingBrowser(BrowserdCase):
    def storm(self, start, *args):
        """Calls in a server with these arguments; returns its client, which must have survived."""
        print(f"seed {start}, {SECONDS:.0f} s", flush=True)
        chance = random.Random(start)
        pages = self.pages()
        self.url = pages.route("/", PAGE)
        pages.route("/leaf", "<button>leaf</button>")
        pages.route("/file", Response("content", headers=[("Content-Disposition", "attachment; filename=f.txt")]))
        client = Client(*args, "--timeout-action", "600", "--timeout-navigation", "1500", "--max-sessions", "20",
                        "--caps", "observe,network,storage,devtools,pdf,vision,testing", env=EXACT)
        self.addCleanup(client.discard)
        callers = [Caller(client, self.url, random.Random(chance.random()), time.monotonic() + SECONDS) for _ in range(CALLERS)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(SECONDS + 60)
        print(f"{sum(caller.calls for caller in callers)} calls, {sum(caller.cancelled for caller in callers)} cancelled", flush=True)
        for _ in range(10):  # the report of a sanitizer takes a moment
            if client.process.poll() is None and "AddressSanitizer:" in client.stderr():
                time.sleep(1)
        self.assertIsNone(client.process.poll(), f"the server ended, repeat with TEST_SEED={start}; stderr: {report(client)}")
        self.assertEqual([caller.last for caller in callers if caller.is_alive()], [], "a call never ended")
        client.request("ping", timeout=CALL_LIMIT)
        self.assertLess(resident(client.process), MEMORY)
        return client

    def test_endpoint(self):
        start = seed()
        liar = Liar(start, RATE)
        browser = Chromium()
        self.addCleanup(browser.close)
        relay = ChangingRelay(browser.port, liar)
        self.addCleanup(relay.close)
        client = self.storm(start, "--cdp-endpoint", relay.endpoint, "--cdp-timeout", "3000")
        liar.rate = 0
        relay.cut()
        caller = Caller(client, self.url, random.Random(start), 0)
        for _ in range(3):  # the end of the connection may still be on its way
            caller.session = None
            caller.step()
            if caller.call("browser_evaluate", {"function": "() => 6 * 7", "sessionId": caller.session}):
                break
        else:
            self.fail(f"the server is of no use after TEST_SEED={start}; stderr: {report(client)}")
        client.close()

    def test_pipe(self):
        start = seed()
        liar = pathlib.Path(__file__).with_name("lying_browser.py")
        script = self.script(f'exec {sys.executable} {liar} {start} {RATE} {installed()} "$@"', "headless-shell")
        self.storm(start, "--executable-path", script).close()

    @unittest.skipUnless(installed_of("firefox"), "no firefox is installed")
    def test_firefox(self):
        start = seed()
        relay = RelayedFirefox(installed_of("firefox"), Liar(start, RATE))
        self.addCleanup(relay.close)
        self.storm(start, "--browser", "firefox", "--executable-path", relay.program).close()


if __name__ == "__main__":
    main()
