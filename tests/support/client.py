"""
An MCP client over stdio that trusts nothing: every line of the server is held against the protocol, every tools/call
reply against the tool's declared output schema. What is wrong is kept in `violations` and fails the test at the end.

A reader thread owns stdout; any thread may send. Requests are futures, so many can be in flight.
"""
import itertools
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout

from support import processes, schema
from support.answers import text_of

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
TASKS_EXTENSION = META + "tasks"
TASKS = " calls running\n"  # ends the first line of what a server says at SIGUSR1
# How long the harness waits before it calls something hung; no statement about speed.
PATIENCE = float(os.environ.get("TEST_PATIENCE", 90))
# Milliseconds that a turn of the server's loop may take (src/loop/turn.h), where the build has the watchdog. More than the 50 that
# test_turns.py demands: on a machine that all tests keep busy, system calls of the start (fork, certificates) take longer.
TURN_LIMIT = os.environ.get("TEST_TURN_LIMIT", "500")
SHORTENED = re.compile(r"^… [\d,]+ more bytes, cursor a\d+$", re.MULTILINE)  # of a text whose structured content is whole
ERROR_CODES = {"SESSION_NOT_FOUND", "SESSION_EXPIRED", "MAX_SESSIONS_REACHED", "NAVIGATION_FAILED", "ELEMENT_NOT_FOUND",
               "ELEMENT_NOT_CLICKABLE", "ELEMENT_NOT_EDITABLE", "BROWSER_ERROR", "INVALID_PARAMETERS",
               "CLIENT_CANNOT_BE_ASKED", "STORE_UNAVAILABLE", "STATE_NOT_FOUND", "STATE_UNUSABLE", "STATE_LOGGED_OUT", "NOT_CONFIRMED", "SECURITY_BLOCKED"}
TOOL_ERROR = {
    "type": "object", "required": ["errorCode", "message"], "additionalProperties": False,
    "properties": {"errorCode": {"enum": sorted(ERROR_CODES)}, "message": {"type": "string", "minLength": 1},
                   "sessionId": {"type": "string"}, "details": {"type": "object"}}}
# The tools of --caps e2e say more: docs/dev-servers.md.
SERVER_CODES = {"SERVER_START_FAILED", "SERVER_COMMAND_FAILED", "SHUTDOWN_FAILED", "NO_SERVER", "LOG_FILE_NOT_FOUND",
                "LOG_READ_FAILED", "ELEMENT_AMBIGUOUS"}
TEXT = {"type": "string", "minLength": 1}
CAPTURED = {"type": "object", "required": ["capturedAt"]}
SERVER_ERROR = {
    "type": "object", "required": ["errorCode", "message", "error", "suggestion"], "additionalProperties": False,
    "properties": {
        **TOOL_ERROR["properties"], "errorCode": {"enum": sorted(ERROR_CODES | SERVER_CODES)},
        "error": {"type": "object", "required": ["type", "message", "timestamp", "context"], "additionalProperties": False,
                  "properties": {"type": TEXT, "message": TEXT, "timestamp": TEXT, "context": {
                      "type": "object", "required": ["sessionId", "tool", "args", "timestamp"]}}},
        "screenshot": CAPTURED, "serverLogs": CAPTURED, "server": {"type": "object", "required": ["status", "message"]},
        "consoleErrors": {"type": "array", "items": TEXT}, "refusedRequests": {"type": "array", "items": {
            "type": "object", "required": ["host", "port", "reason"]}},
        "suggestion": TEXT, "missing": {"type": "array", "items": {"type": "object", "required": ["part", "reason"]}}}}
# The cdp_* tools have a form of their own.
CDP_CODES = {"BROWSER_UNREACHABLE", "TARGET_NOT_FOUND", "ALREADY_OBSERVING", "NOT_OBSERVING", "BODY_NOT_AVAILABLE",
             "INVALID_INPUT", "SECURITY_BLOCKED", "INTERNAL_ERROR"}
CDP_ERROR = {
    "type": "object", "required": ["error"], "additionalProperties": False, "properties": {"error": {
        "type": "object", "required": ["code", "message"], "additionalProperties": False,
        "properties": {"code": {"enum": sorted(CDP_CODES)}, "message": {"type": "string", "minLength": 1},
                       "details": {"type": "object"}}}}}
TASK = {
    "type": "object", "required": ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs", "content"],
    "properties": {"taskId": TEXT, "status": {"enum": ["working", "input_required", "completed", "failed", "cancelled"]},
                   "createdAt": TEXT, "lastUpdatedAt": TEXT, "ttlMs": {"type": "integer", "minimum": 1},
                   "pollIntervalMs": {"type": "integer", "minimum": 1}, "content": {"type": "array", "maxItems": 0}}}
CONTENT = {
    "type": "object", "required": ["type"],
    "properties": {"type": {"enum": ["text", "image", "audio", "resource", "resource_link"]}, "text": {"type": "string"}}}


class RpcError(Exception):
    """The server answered with a JSON-RPC error."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error['message']}")
        self.code, self.message, self.data = error["code"], error["message"], error.get("data")


class ToolError(Exception):
    """A tool answered with isError."""

    def __init__(self, result):
        self.body = json.loads(result["content"][0]["text"])
        if "errorCode" not in self.body:
            self.body = self.body.get("error", self.body)
        self.pictures = [item["data"] for item in result["content"] if item["type"] == "image"]
        self.code, self.message = self.body.get("errorCode") or self.body["code"], self.body["message"]
        self.session_id, self.details = self.body.get("sessionId"), self.body.get("details")
        super().__init__(f"{self.code}: {self.message}")


class Hung(AssertionError):
    """Nothing came within PATIENCE."""


class Reply:
    """A request in flight."""

    def __init__(self, ident, method, tool=None, explain=lambda: ""):
        self.id, self.method, self.tool, self.explain = ident, method, tool, explain
        self.future = Future()

    def result(self, timeout=None):
        """The result object. Raises RpcError."""
        try:
            return self.future.result(timeout or PATIENCE)
        except FutureTimeout:
            raise Hung(f"no answer to request {self.id} ({self.tool or self.method})\n{self.explain()}") from None

    def value(self, timeout=None):
        """The JSON that a tools/call answered. Raises ToolError."""
        result = self.result(timeout)
        if result.get("isError"):
            raise ToolError(result)
        # Protocols before 2025-06-18 have the text alone.
        return result["structuredContent"] if "structuredContent" in result else json.loads(result["content"][0]["text"])

    def failure(self, timeout=None):
        """The ToolError of a tools/call that must fail."""
        try:
            value = self.value(timeout)
        except ToolError as error:
            return error
        raise AssertionError(f"{self.tool} answered {value!r:.500} where a failure was due")

    def done(self):
        return self.future.done()


def binary():
    """Path of the browserd under test."""
    path = os.environ.get("BROWSERD")
    if not path:
        raise SystemExit("set BROWSERD to the path of the browserd binary")
    return path


class Client:
    """
    Starts browserd with `args` in a private TMPDIR. `version`: the protocol to speak; None leaves the handshake out.
    `command` replaces the binary, for starting it through something else. `roots`: URIs of the client's folders, for one
    that has the capability. `elicit`: answers elicitation/create, given its params, for one that has that capability. `tasks`: it
    takes tasks as answers.
    """

    def __init__(self, *args, version="2025-11-25", env=None, command=None, roots=None, elicit=None, tasks=False, cwd=None):
        self.version = version
        self.roots, self.roots_asked, self.elicit, self.tasks = roots, 0, elicit, tasks
        self.home = tempfile.mkdtemp(prefix="browserd-test-")
        self.violations, self.notifications, self.unmatched = [], [], []
        self.tools, self._tools_lock = None, threading.Lock()
        self._ids, self._pending, self._news = itertools.count(1), {}, threading.Condition()
        self._write_lock, self._stderr, self._stderr_open = threading.Lock(), bytearray(), True
        self.ended, self._clean = threading.Event(), False
        self.process = subprocess.Popen(
            command or [binary(), *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": self.home, "BROWSERD_TURN_LIMIT": TURN_LIMIT, **(env or {})}, cwd=cwd)
        os.set_blocking(self.process.stderr.fileno(), False)
        self._threads = [threading.Thread(target=t, daemon=True) for t in (self._read_stdout, self._read_stderr)]
        for thread in self._threads:
            thread.start()
        if version in LEGACY:
            self.initialize(version, self.capabilities())

    def capabilities(self):
        return {**({} if self.roots is None else {"roots": {"listChanged": True}}), **({"elicitation": {}} if self.elicit else {}),
                **({"extensions": {TASKS_EXTENSION: {}}} if self.tasks else {})}

    # Sending

    def send_raw(self, data):
        """Bytes as they are; the newline is the caller's."""
        with self._write_lock:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def send(self, message):
        self.send_raw(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def meta(self):
        """What every request of a 2026-07-28 client carries."""
        return {META + "protocolVersion": self.version, META + "clientCapabilities": self.capabilities(),
                META + "clientInfo": {"name": "tests", "version": "1"}}

    def start(self, method, params=None, ident=None, tool=None):
        """Sends a request and returns its Reply."""
        params = dict(params or {})
        if self.version == MODERN:
            params["_meta"] = {**self.meta(), **params.get("_meta", {})}
        reply = Reply(ident if ident is not None else next(self._ids), method, tool, self.state)
        message = {"jsonrpc": "2.0", "id": reply.id, "method": method}
        if params:
            message["params"] = params
        self.expect(reply)
        try:
            self.send(message)
        except OSError as error:
            self._fail_pending(f"the server is gone: {error}")
        return reply

    def expect(self, reply):
        """Announces that an answer to `reply.id` will come, for requests sent by send_raw()."""
        with self._news:
            self._pending.setdefault(self._key(reply.id), []).append(reply)
        return reply

    def request(self, method, params=None, timeout=None):
        return self.start(method, params).result(timeout)

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})})

    def initialize(self, version, capabilities=None):
        result = self.request("initialize", {"protocolVersion": version, "capabilities": capabilities or {},
                                             "clientInfo": {"name": "tests", "version": "1"}})
        self.notify("notifications/initialized")
        return result

    def list_tools(self):
        """Tools by name, over all pages, asked once."""
        with self._tools_lock:
            if self.tools is None:
                self.tools, cursor = {}, {}
                while True:
                    page = self.request("tools/list", cursor)
                    self.tools.update((tool["name"], tool) for tool in page["tools"])
                    if "nextCursor" not in page:
                        break
                    cursor = {"cursor": page["nextCursor"]}
            return self.tools

    def start_call(self, tool, arguments=None, meta=None):
        self.list_tools()
        params = {"name": tool, **({"arguments": arguments} if arguments is not None else {}),
                  **({"_meta": meta} if meta else {})}
        return self.start("tools/call", params, tool=tool)

    def call(self, tool, **arguments):
        """Calls a tool; its structured content. Raises ToolError."""
        return self.start_call(tool, arguments).value()

    def fail(self, tool, **arguments):
        """Calls a tool that must fail; its ToolError."""
        return self.start_call(tool, arguments).failure()

    def ask(self, tool, **arguments):
        """Calls a tool; the text of its answer, whether it succeeded or not."""
        return text_of(self.start_call(tool, arguments).result())

    def cancel(self, reply, reason="the test wants it"):
        self.notify("notifications/cancelled", {"requestId": reply.id, "reason": reason})

    def session(self, **arguments):
        return Session(self, self.call("create_session", **arguments)["sessionId"])

    # Receiving

    @staticmethod
    def _key(ident):
        return type(ident), ident  # 1 and "1" differ

    def _read_stdout(self):
        for line in self.process.stdout:
            try:
                self._receive(line)
            except Exception as error:  # a broken message must not end the reader
                self.violations.append(f"{type(error).__name__}: {error} in {line[:500]!r}")
        self._fail_pending("the server closed its stdout")
        self.ended.set()

    def _fail_pending(self, why):
        with self._news:
            replies = [reply for queue in self._pending.values() for reply in queue]
            self._pending.clear()
            self._news.notify_all()
        for reply in replies:
            if not reply.future.done():
                reply.future.set_exception(ConnectionError(f"{why}; stderr: {self.stderr()[-2000:]}"))

    def _read_stderr(self):
        readable = select.poll()
        readable.register(self.process.stderr, select.POLLIN)
        while self._take_stderr():
            readable.poll()

    def _take_stderr(self):
        """Reads what the server has written to stderr until now. Whether more can come."""
        with self._news:
            while self._stderr_open:
                try:
                    chunk = os.read(self.process.stderr.fileno(), 65536)
                except BlockingIOError:
                    break
                self._stderr += chunk
                self._stderr_open = bool(chunk)
                self._news.notify_all()
            return self._stderr_open

    def _receive(self, line):
        assert line.endswith(b"\n"), "the line does not end with a newline"
        message = json.loads(line.decode("utf-8"))
        if isinstance(message, list):
            assert self.version == "2025-03-26", "a batch in a version that has none"
            assert message, "an empty batch"
        for part in message if isinstance(message, list) else [message]:
            self._receive_one(part)

    def _receive_one(self, message):
        assert isinstance(message, dict) and message.get("jsonrpc") == "2.0", "no JSON-RPC 2.0 object"
        if "method" in message and "id" in message:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": self._asked(message["method"], message.get("params"))})
            return
        if "method" in message:
            assert not {"result", "error"} & message.keys(), "a notification with a result"
            self._file(self.notifications, message)
            return
        assert ("result" in message) != ("error" in message), "not exactly one of result and error"
        if "error" in message:
            schema.check(message["error"], {"type": "object", "required": ["code", "message"], "properties": {
                "code": {"type": "integer"}, "message": {"type": "string", "minLength": 1}}})
        reply = self._take(message.get("id"))
        if reply is None:
            assert "error" in message, "a result for a request that is not in flight"
            self._file(self.unmatched, message)
        else:
            self._answer(reply, message)

    def _asked(self, method, params):
        if method == "elicitation/create" and self.elicit:
            return self.elicit(params)
        assert method == "roots/list" and self.roots is not None, "a request that no capability allows"
        self.roots_asked += 1
        return {"roots": [{"uri": uri} for uri in self.roots]}

    def _file(self, where, message):
        with self._news:
            where.append(message)
            self._news.notify_all()

    def _take(self, ident):
        with self._news:
            queue = self._pending.get(self._key(ident))
            reply = queue.pop(0) if queue else None
            if queue == []:
                del self._pending[self._key(ident)]
            return reply

    def _answer(self, reply, message):
        if "error" in message:
            reply.future.set_exception(RpcError(message["error"]))
            return
        try:
            self._check_result(reply, message["result"])
        except AssertionError as error:
            self.violations.append(f"answer to {reply.tool or reply.method}: {error}")
        reply.future.set_result(message["result"])

    def _check_result(self, reply, result):
        assert isinstance(result, dict), "the result is no object"
        if self.version == MODERN:
            if self.elicit and result.get("resultType") == "input_required":
                return
            if self.tasks and result.get("resultType") == "task":
                schema.check(result, TASK, "task")
                return
            assert result.get("resultType") == "complete", "resultType is not complete"
            assert "name" in result.get("_meta", {}).get(META + "serverInfo", {}), "no serverInfo in _meta"
            if reply.method in ("server/discover", "tools/list", "prompts/list", "resources/list"):
                assert schema.fits(result.get("ttlMs"), {"type": "integer", "minimum": 0}), "no ttlMs"
                assert result.get("cacheScope") in ("public", "private"), "no cacheScope"
        else:
            assert not {"resultType", "ttlMs", "cacheScope"} & result.keys(), "fields of a later version"
        if reply.method == "tools/call":
            self._check_call(reply, result)
        elif reply.method == "resources/read":
            schema.check(result.get("contents"), {"type": "array", "minItems": 1, "items": {
                "type": "object", "required": ["uri", "mimeType"]}}, "contents")

    def _check_call(self, reply, result):
        schema.check(result.get("content"), {"type": "array", "items": CONTENT}, "content")
        if result.get("isError") and (reply.tool or "").startswith(("browser_", "webmcp_", "request_user")):
            assert result["content"][0]["text"].startswith(("### Error\n", "Error: ")), "an error that does not say so"
            return
        if result.get("isError"):
            expected = CDP_ERROR if (reply.tool or "").startswith(("cdp_", "wait_for_event")) else TOOL_ERROR
            body = result.get("structuredContent") or json.loads(result["content"][0]["text"])
            if "suggestion" in body:
                expected = SERVER_ERROR
            schema.check(body, expected, "error")
            return
        tool = self.tools.get(reply.tool) if self.tools else None
        if tool and "outputSchema" in tool:
            schema.check(result.get("structuredContent"), tool["outputSchema"], "structuredContent")
        if "structuredContent" in result and not SHORTENED.search(text_of(result)):
            assert json.loads(result["content"][0]["text"]) == result["structuredContent"], "text and structure differ"

    def _wait(self, found):
        end = time.monotonic() + PATIENCE
        with self._news:
            while True:
                ended = self.ended.is_set()  # before the look, which then sees the last words of the server
                value = found()
                if value:
                    return value
                left = end - time.monotonic()
                if left <= 0 or ended:
                    raise Hung(f"what was awaited did not come; stderr: {self.stderr()[-2000:]}")
                self._news.wait(min(left, 1))

    def wait_notification(self, method, matches=lambda params: True):
        """The params of the first notification of that method which matches."""
        return self._wait(lambda: [n.get("params", {}) for n in self.notifications
                                   if n["method"] == method and matches(n.get("params", {}))])[0]

    def wait_unmatched(self, count=1):
        """The first `count` errors that belong to no request in flight."""
        return self._wait(lambda: self.unmatched[:count] if len(self.unmatched) >= count else None)

    def wait_stderr(self, text):
        return self.wait_said(lambda said: text in said)

    def wait_said(self, holds):
        """Waits until holds(what the server has written to stderr)."""
        return self._wait(lambda: holds(self.stderr()))

    def stderr(self):
        """Everything that the server has written to stderr until now, also what the reader thread has not seen yet."""
        self._take_stderr()
        return self._stderr.decode("utf-8", "replace")

    # Processes and the end

    def processes(self):
        """All processes that belong to this server, without the server itself."""
        found = processes.descendants(self.process.pid) | processes.marked(self.home)
        return {p for p in found if p.pid != self.process.pid}

    def state(self):
        """What the tasks of the server wait for, and the states of its processes."""
        if processes.runs_program(self.process.pid, "browserd", "playwright-mcp"):
            before = self.stderr().count(TASKS)
            self.process.send_signal(signal.SIGUSR1)
            self.wait_said(lambda said: said.count(TASKS) > before)
        return f"{self.stderr()[-4000:]}\n{processes.table(self.processes())}"

    def browser(self):
        """The one browser process; None when none runs."""
        found = processes.browsers(self.processes())
        assert len(found) <= 1, f"{len(found)} browsers run: {[p.command()[:2] for p in found]}"
        return next(iter(found), None)

    def close_stdin(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def wait(self):
        """Exit status, after the process and its output have ended."""
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Hung(f"the server does not end; stderr: {self.stderr()[-2000:]}") from None
        for thread in self._threads:
            thread.join(PATIENCE)
        return status

    def close(self):
        """Ends the input and holds the end against the rules: status 0, no process, no folder, nothing wrong said."""
        before = self.processes()
        self.close_stdin()
        status = self.wait()
        assert status == 0, f"exit status {status}; stderr: {self.stderr()[-4000:]}"
        self.check_clean(before)

    def check_clean(self, before=frozenset()):
        """No process of the server runs any more, its temporary folder is empty, nothing wrong was said."""
        left = processes.wait_gone(before | processes.marked(self.home))
        assert not left, f"still running: {[' '.join(p.command())[:200] for p in left]}"
        lying = processes.leftovers(self.home)
        assert not lying, f"left behind in the temporary folder: {lying}"
        self._clean = True
        self.check_sayings()

    def check_sayings(self):
        assert not self.violations, "the server broke the protocol:\n" + "\n".join(self.violations)
        for sign in ("AddressSanitizer", "LeakSanitizer", "runtime error:", "Assertion", "long turn:"):
            assert sign not in self.stderr(), self.stderr()

    def discard(self):
        """Whatever the state: nothing of this server stays. For clean-ups, after the checks, which may have looked for processes."""
        self.process.kill()
        self.process.wait()
        if not self._clean:
            for process in self.processes():
                process.kill()
            processes.wait_gone(processes.marked(self.home))
        for thread in self._threads:
            thread.join(5)
        self._stderr_open = False
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass
        shutil.rmtree(self.home, ignore_errors=True)


class Session:
    """One session of a client; the tools as methods."""

    def __init__(self, client, ident):
        self.client, self.id = client, ident

    def start(self, tool, **arguments):
        return self.client.start_call(tool, {"sessionId": self.id, **arguments})

    def call(self, tool, **arguments):
        return self.start(tool, **arguments).value()

    def fail(self, tool, **arguments):
        return self.start(tool, **arguments).failure()

    def ask(self, tool, **arguments):
        return text_of(self.start(tool, **arguments).result())

    def navigate(self, url, **more):
        return self.call("navigate", url=url, **more)

    def click(self, selector, **more):
        return self.call("click", selector=selector, **more)

    def type(self, selector, text, **more):
        return self.call("type", selector=selector, text=text, **more)

    def evaluate(self, expression):
        return self.call("evaluate", expression=expression)["value"]

    def close(self):
        return self.call("close_session")
