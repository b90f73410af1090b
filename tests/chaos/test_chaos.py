"""
Random tools with random arguments on pages that never stand still, by several clients at a time whose connections and
sessions end at random moments. Nothing is asserted about the answers but that each request gets one that follows the protocol
and that the server goes on: what is looked for are crashes, reports of the sanitizers, and calls that never end.

CHAOS_SECONDS: how long (8). TEST_SEED repeats the choices of a run; threads and pages still take turns as they like.
"""
import collections
import http.client
import json
import os
import random
import re
import socket
import threading
import time

import churn
from support import processes
from support.case import BrowserdCase, main
from support.client import MODERN, RpcError
from support.generate import seed
from support.http_client import HttpError, HttpServer

SECONDS = float(os.environ.get("CHAOS_SECONDS", 8))
CLIENTS = 4
KEYS = ("Tab", "Enter", "Escape", "a", "ArrowDown", "Control+a", "F5", "Alt+ArrowLeft")
FUNCTIONS = ("() => document.title", "() => new Promise(done => setTimeout(() => done(1), 100))", "() => { throw new Error('x') }",
             "() => location.reload()", "() => window.close()", "() => document.body.innerHTML = ''", "() => open('/inner')",
             "() => alert('from evaluate')", "() => [...document.querySelectorAll('iframe')].forEach(f => f.remove())",
             "element => element.remove()", "element => element.textContent")
CODES = ("async page => page.title()",
         "async page => { await page.goto('CHURN'); await page.click('#a', {timeout: 300}); }",
         "async page => { const p = await page.context().newPage(); await p.goto('CHURN'); await p.close(); }",
         "async page => Promise.all([page.waitForEvent('popup', {timeout: 500}), page.click('#p', {timeout: 500})])",
         "async page => Promise.all(Array.from({length: 8}, () => page.evaluate(() => document.body.innerHTML.length)))",
         "async page => page.locator('iframe').first().contentFrame().locator('button').click({timeout: 400})",
         "async page => { const h = await page.locator('#a').elementHandle({timeout: 300}); await page.evaluate(e => e.remove(), h); return h.textContent(); }",
         "async page => { for (const b of await page.locator('button').all()) await b.textContent({timeout: 100}); }",
         "async page => page.close()", "async () => { throw 1; }", "async page => { for (let i = 0; i < 100; i++) await page.title(); }")


class Arguments:
    """Random arguments for any tool, from its schema and from names that mean something in the pages."""

    def __init__(self, chance, pages, paths):
        self.chance, self.pages, self.paths = chance, pages, paths
        self.targets = ["none"]

    def url(self):
        host = self.chance.choice(("127.0.0.1", "127.0.0.1", "localhost"))
        return self.chance.choice((self.pages.url(self.chance.choice(self.paths), host),) * 8 + ("about:blank", "data:text/html,<button>x</button>", "chrome://gpu", "x:y"))

    def target(self):
        frame = self.chance.choice(("", "", "f1", "f2", "f3"))
        return self.chance.choice((f"{frame}e{self.chance.randint(1, 40)}", self.chance.choice(churn.SELECTORS)))

    def named(self, name):
        """A value for a parameter that is known by its name; KeyError for others."""
        chance = self.chance
        return {
            "url": self.url, "target": self.target, "selector": self.target, "startTarget": self.target, "endTarget": self.target,
            "function": lambda: chance.choice(FUNCTIONS), "expression": lambda: chance.choice(("document.title", "location.reload()", "1+")),
            "script": lambda: chance.choice(("document.title", "new Promise(() => 0)")),
            "code": lambda: chance.choice(CODES).replace("CHURN", self.pages.url("/churn")), "key": lambda: chance.choice(KEYS),
            "timeout": lambda: chance.choice((1, 50, 400, 1500)), "time": lambda: chance.choice((0, 0.05, 0.4)),
            "text": lambda: chance.choice(("Press", "late", "entry", "never there")), "textGone": lambda: chance.choice(("late", "Press")),
            "index": lambda: chance.randint(0, 5), "width": lambda: chance.randint(200, 1600), "height": lambda: chance.randint(200, 1200),
            "targetId": lambda: chance.choice(self.targets), "depth": lambda: chance.randint(1, 8),
            "paths": lambda: chance.choice(([], ["/nowhere/x"])), "fields": self.fields, "values": lambda: [chance.choice(("one", "two", "three"))],
            "data": lambda: {"text/plain": "dropped"}, "modifiers": lambda: chance.sample(("Alt", "Control", "Shift"), chance.randint(0, 2)),
            "regex": lambda: chance.choice(("P.*s", "(")), "pattern": lambda: "b.*n", "status": lambda: 200, "limit": lambda: chance.randint(1, 200),
            "offset": lambda: chance.randint(0, 50), "since": lambda: chance.randint(0, 50), "bufferSize": lambda: chance.choice((10, 500)),
            "ttlSec": lambda: 5, "requestId": lambda: "1000.1", "clickCount": lambda: chance.randint(1, 3), "delay": lambda: chance.choice((0, 5)),
        }[name]()

    def fields(self):
        return [{"target": self.target(), "name": "field", "type": kind, "value": value} for kind, value in self.chance.sample(
            (("textbox", "x"), ("checkbox", "true"), ("combobox", "two"), ("radio", "true"), ("slider", "3")), self.chance.randint(1, 3))]

    def value(self, name, schema):
        try:
            return self.named(name)
        except KeyError:
            pass
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        return {"boolean": self.chance.random() < 0.5, "string": "text", "integer": 1, "number": 1, "array": [], "object": {}}.get(schema.get("type"))

    def of(self, tool, session):
        schema = tool["inputSchema"]
        arguments = {}
        for name, part in schema.get("properties", {}).items():
            if name == "sessionId":
                if name in schema.get("required", ()) or self.chance.random() < 0.3:
                    arguments[name] = session or "none"
            # The names of files, ports and hosts are left to other tests: this one must not leave files behind or go elsewhere.
            elif name not in ("filename", "path", "port", "host") and (name in schema.get("required", ()) or self.chance.random() < 0.4):
                arguments[name] = self.value(name, part)
        return {name: value for name, value in arguments.items() if value is not None}


class Actor(threading.Thread):
    """One client at a time: calls tools, loses its connection, ends and comes back as another one."""

    def __init__(self, server, pages, paths, chance, until):
        super().__init__(daemon=True)
        self.server, self.chance, self.until = server, chance, until
        self.arguments = Arguments(chance, pages, paths)
        self.client = self.session = None
        self.calls, self.problems = collections.Counter(), []
        self.last = None

    def run(self):
        while time.monotonic() < self.until and not self.problems:
            try:
                self.step()
            except (OSError, http.client.HTTPException) as error:
                if self.server.process.poll() is None and not isinstance(error, (ConnectionResetError, BrokenPipeError, http.client.RemoteDisconnected)):
                    self.problems.append(f"{type(error).__name__}: {error} after {self.last}")
                elif self.server.process.poll() is not None:
                    self.problems.append(f"the server ended during {self.last}")
            except HttpError as error:
                if error.status not in (404, 429, 503):
                    self.problems.append(f"{error} after {self.last}")
                self.client = None
            except AssertionError as error:
                self.problems.append(f"{error} after {self.last}")

    def step(self):
        if not self.client:
            self.client = self.server.client(self.chance.choice(("2025-11-25", "2025-11-25", "2025-03-26", MODERN)))
            self.session = self.client.request("tools/call", {"name": "create_session", "arguments": {}}).get("structuredContent", {}).get("sessionId")
            self.call("browser_navigate", {"url": self.arguments.url()})
        action = self.chance.choices((self.random_call, self.abandon_call, self.resume_stream, self.cancel_call, self.observe, self.read_resource,
                                      self.end_client), (80, 6, 4, 4, 3, 2, 2))[0]
        action()

    def call(self, name, arguments):
        self.last = (name, arguments)
        self.calls[name] += 1
        try:
            result = self.client.request("tools/call", {"name": name, "arguments": arguments})
        except RpcError as error:
            assert error.code in (-32602, -32601, -32603, -32600, -32002, -32000), error
            return None
        assert result["content"], "an answer without content"
        return result

    def pick(self):
        tools = self.server.list_tools()
        name = self.chance.choice(sorted(tools))
        return name, self.arguments.of(tools[name], self.session)

    def random_call(self):
        name, arguments = self.pick()
        self.call(name, arguments)
        # Some calls are repeated often enough to meet every moment in the life of a frame.
        for _ in range(self.chance.choice((0, 0, 0, 1, 25))):
            if time.monotonic() >= self.until:
                return
            self.call(*self.chance.choice((("browser_snapshot", {}), ("browser_snapshot", {}), (name, arguments))))
        if self.chance.random() < 0.1:
            self.call("browser_handle_dialog", {"accept": True})
        if name in ("close_session", "browser_close"):
            self.session = (self.call("create_session", {}) or {}).get("structuredContent", {}).get("sessionId")
            self.call("browser_navigate", {"url": self.arguments.url()})

    def send(self, message):
        """Sends a message on a connection of its own and returns that without reading the answer."""
        body = json.dumps(message).encode()
        fields = {"Host": "127.0.0.1", "Content-Length": len(body), **self.client.headers(message)}
        connection = socket.create_connection(("127.0.0.1", self.server.port), 20)
        connection.sendall(b"POST /mcp HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode() + b"\r\n" + body)
        return connection

    def start_call(self):
        name, arguments = self.pick()
        self.last = (name, arguments, "abandoned")
        message = self.client.message("tools/call", {"name": name, "arguments": arguments})
        return message, self.send(message)

    def abandon_call(self):
        """The client's connection ends at any moment of a call."""
        connection = self.start_call()[1]
        if self.chance.random() < 0.5:
            connection.settimeout(self.chance.random() * 0.4)
            try:
                connection.recv(self.chance.choice((1, 4096)))
            except TimeoutError:
                pass
        connection.close()

    def cancel_call(self):
        message, connection = self.start_call()
        if self.client.version != MODERN:
            self.client.notify("notifications/cancelled", {"requestId": message["id"], "reason": "chaos"})
        connection.close()

    def resume_stream(self):
        """Streams are resumed while calls are under way, and cut again."""
        if self.client.version == MODERN:
            return
        connection = self.start_call()[1]
        streams = []
        for _ in range(self.chance.randint(1, 4)):
            stream = socket.create_connection(("127.0.0.1", self.server.port), 20)
            fields = {"Host": "127.0.0.1", **self.client.headers(None), "Accept": "text/event-stream",
                      "Last-Event-ID": f"{self.chance.randint(0, 60)}-{self.chance.randint(0, 3)}"}
            stream.sendall(b"GET /mcp HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode() + b"\r\n")
            streams.append(stream)
        streams.append(connection)
        self.chance.shuffle(streams)
        for stream in streams:
            stream.close()

    def observe(self):
        listed = self.call("cdp_list_targets", {})
        targets = (listed or {}).get("structuredContent", {}).get("targets", [])
        self.arguments.targets = [target["id"] for target in targets] or ["none"]
        self.call("cdp_observe", {"targetId": self.chance.choice(self.arguments.targets)})

    def read_resource(self):
        resources = self.client.request("resources/list")["resources"]
        if resources:
            try:
                uri = self.chance.choice(resources)["uri"]
                self.client.request("resources/read", {"uri": uri}, {"Mcp-Name": uri} if self.client.version == MODERN else {})
            except RpcError:
                pass

    def end_client(self):
        """The client ends its session while one of its calls runs, or leaves without a word."""
        connection = self.start_call()[1]
        if self.client.version != MODERN and self.chance.random() < 0.7:
            self.client.delete()
        connection.close()
        self.client = None


class Chaos(BrowserdCase):
    def end_browser(self, server):
        """Kills one process below the server other than its keeper: the browser, a renderer, a helper."""
        below = sorted(server.processes() - processes.keepers(server.processes()), key=lambda process: process.pid)
        if below:
            chosen = self.chance.choice(below)
            kind = re.search(r"--type=(\S+)", " ".join(chosen.command()))
            print(f"{time.monotonic() - self.began:.1f} s: kill {chosen.pid} {kind.group(1) if kind else 'browser'}", flush=True)
            chosen.kill()

    def test_nothing_breaks_the_server(self):
        start = seed()
        print(f"seed {start}, {SECONDS:.0f} s", flush=True)
        self.chance = random.Random(start)
        pages = self.pages()
        paths = churn.add_routes(pages, random.Random(self.chance.random()))
        server = HttpServer("--caps", "observe", "--max-sessions", "40", "--timeout-action", "800", "--timeout-navigation", "2500",
                            "--session-timeout", "4000")
        self.addCleanup(server.discard)
        lister = server.client()
        server.tools = {tool["name"]: tool for tool in lister.request("tools/list")["tools"]}
        lister.delete()
        self.began = time.monotonic()
        until = self.began + SECONDS
        actors = [Actor(server, pages, paths, random.Random(self.chance.random()), until) for _ in range(CLIENTS)]
        for actor in actors:
            actor.start()
        while any(actor.is_alive() for actor in actors) and time.monotonic() < until + 90:
            actors[0].join(5)
            if self.chance.random() < 0.08 and time.monotonic() < until:
                self.end_browser(server)
        problems = [problem for actor in actors for problem in actor.problems]
        unanswered = [f"never answered: {actor.last}" for actor in actors if actor.is_alive()]
        problems += [*unanswered, server.state()] if unanswered else []
        calls = sum((actor.calls for actor in actors), collections.Counter())
        print(f"{sum(calls.values())} calls of {len(calls)} tools: {dict(calls)}", flush=True)
        self.assertIsNone(server.process.poll(), f"the server ended; stderr: {server.stderr()[-6000:]}")
        self.assertEqual(problems, [], f"repeat with TEST_SEED={start}; stderr: {server.stderr()[-3000:]}")
        server.close()


if __name__ == "__main__":
    main()
