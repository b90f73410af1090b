"""
A fleet of three nodes behind a real HAProxy, with clients of both generations of the protocol at work: one node dies, all are updated one
by one, HAProxy is restarted. FLEET_CLIENTS: how many clients there are. FLEET_THINK: seconds that each of them thinks between two calls;
more clients than a machine has processors for need some.
"""
import contextlib
import os
import threading
from collections import Counter
from functools import partial
from http.client import HTTPException

from support.case import BrowserdCase, main, skip
from support.client import MODERN, PATIENCE
from support.fleet import Fleet, program
from support.http_client import HttpClient, HttpError, together
from support.pages import Pages

CLIENTS = int(os.environ.get("FLEET_CLIENTS", "12"))
THINK = float(os.environ.get("FLEET_THINK", "0"))
VERSIONS = ("2025-11-25", MODERN)
NAMES = ["node-0", "node-1", "node-2"]
PAGE = "<title>at work</title><button onclick=\"document.title = 'done'\">Work</button>"


class Loss:
    """A session that did not come to its end: where it was, what its client saw, and what it sees when it asks again."""

    def __init__(self, work, error):
        self.work, self.node, self.error, self.answer = work, work.node(), error, None
        self.was_cut = isinstance(error, (HTTPException, ConnectionError)) or "ended without an answer" in str(error)
        try:
            if self.node:
                work.call("evaluate", expression="1")
                self.answer = "alive"
        except HttpError as again:
            self.answer = again.status
        except Exception as again:  # nothing of this kind is a clear code
            self.answer = again

    def __repr__(self):
        return f"{self.node} {self.work.ident}: {self.error!r}, then {self.answer!r}"


class Work:
    """One session from its beginning to its end."""

    def __init__(self, proxy, version, url):
        self.url, self.ident, self.client = url, None, HttpClient(proxy, MODERN)
        self.client.version = version

    def node(self):
        """Where it is; None before it has begun."""
        return (self.ident or self.client.session_id or "").partition(".")[0] or None

    def call(self, tool, **arguments):
        return self.client.call(tool, sessionId=self.ident, **arguments)

    def begin(self):
        if self.client.version != MODERN:
            self.client.initialize()
        self.ident = self.client.call("create_session")["sessionId"]
        assert self.call("navigate", url=self.url)["title"] == "at work"

    def go_on(self):
        self.call("click", selector="button")
        assert self.call("evaluate", expression="document.title")["value"] == "done"

    def end(self):
        self.call("close_session")
        if self.client.session_id:
            assert self.client.delete() == 204


class Crowd:
    """Clients that open sessions, work and close them, all the time."""

    def __init__(self, proxy, url):
        self.proxy, self.url, self.done, self.losses = proxy, url, Counter(), []
        self.news, self.stopping = threading.Condition(), threading.Event()
        self.threads = [threading.Thread(target=self.work, args=(VERSIONS[n % 2],), daemon=True) for n in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def work(self, version):
        while not self.stopping.is_set():
            work = Work(self.proxy, version, self.url)
            try:
                for step in (work.begin, work.go_on, work.end):
                    self.stopping.wait(THINK)
                    step()
                found = work.node()
            except Exception as error:
                found = Loss(work, error)
                with contextlib.suppress(Exception):
                    work.end()
            with self.news:
                if isinstance(found, str):
                    self.done[found] += 1
                else:
                    self.losses.append(found)
                self.news.notify_all()

    def wait_for(self, holds):
        with self.news:
            assert self.news.wait_for(holds, PATIENCE), (self.done, self.losses)

    def wait_rounds(self, count):
        """Until so many sessions more have ended as they should."""
        with self.news:
            before = Counter(self.done)
        self.wait_for(lambda: (self.done - before).total() >= count)

    def wait_for_share(self, node):
        """Until the node has had as many sessions as there are clients."""
        with self.news:
            before = self.done[node]
        self.wait_for(lambda: self.done[node] - before >= CLIENTS)

    def stop(self):
        """The losses."""
        self.stopping.set()
        for thread in self.threads:
            thread.join(2 * PATIENCE)
        return self.losses


class AtWork(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        # On a busy machine pages answer late, which is no loss.
        cls.fleet = Fleet(3, "--drain", PATIENCE // 2, "--max-sessions", 2 * CLIENTS + 10, "--timeout-action", "60000")
        cls.addClassCleanup(cls.fleet.close)
        cls.pages = cls.enterClassContext(contextlib.closing(Pages()))
        cls.url = cls.pages.route("/work", PAGE)

    def crowd(self):
        """At work on all nodes."""
        crowd = Crowd(self.fleet.proxy, self.url)
        self.addCleanup(crowd.stop)
        crowd.wait_for(lambda: set(NAMES) <= crowd.done.keys())
        return crowd

    def test_a_node_dies(self):
        crowd = self.crowd()
        self.fleet.nodes["node-1"].kill()
        crowd.wait_rounds(2 * CLIENTS)
        self.fleet.start("node-1")
        self.fleet.wait_for_nodes(NAMES)
        crowd.wait_for_share("node-1")
        losses = crowd.stop()
        self.assertTrue(losses)
        for loss in losses:
            if loss.node is None:  # a session that was about to begin there, whose answer took so long that it came as a stream
                self.assertTrue(loss.was_cut, loss)
            else:
                self.assertEqual((loss.node, loss.answer), ("node-1", 421 if loss.work.client.version == MODERN else 404), loss)

    def test_a_rolling_update(self):
        crowd = self.crowd()
        for name in NAMES:
            self.fleet.nodes[name].close()  # with SIGTERM; it must end by itself, without a trace
            self.fleet.start(name)
            self.fleet.wait_for_nodes(NAMES)
        crowd.wait_rounds(CLIENTS)
        self.assertEqual(crowd.stop(), [])

    def test_haproxy_is_restarted(self):
        proxy = self.fleet.proxy
        works = [Work(proxy, VERSIONS[n % 2], self.url) for n in range(CLIENTS)]
        for work in works:
            work.begin()
        self.assertEqual({work.node() for work in works}, set(NAMES))
        proxy.kill()
        proxy.start()
        for work in works:
            work.go_on()
            work.end()

    def test_tasks_are_where_their_calls_are(self):
        works = [Work(self.fleet.proxy, MODERN, self.url) for _ in NAMES]
        for work in works:
            work.client.tasks = True
            work.begin()
        self.assertEqual({work.node() for work in works}, set(NAMES))

        def start(work):
            arguments = {"sessionId": work.ident, "steps": [{"tool": "browser_wait_for", "time": 6}]}
            return work.client.request("tools/call", {"name": "browser_batch", "arguments": arguments})["taskId"]
        for work, task in zip(works, together([partial(start, work) for work in works])):
            self.assertEqual(task.partition(".")[0], work.node())
            answer = self.repeat(lambda: work.client.request("tasks/get", {"taskId": task}), lambda answer: answer["status"] != "working")
            self.assertEqual((answer["status"], answer["result"].get("isError")), ("completed", None))
            work.end()

    def test_haproxy_is_reloaded(self):
        crowd = self.crowd()
        old = self.fleet.proxy.reload()
        old.wait(PATIENCE)
        crowd.wait_rounds(2 * CLIENTS)
        self.assertEqual(crowd.stop(), [])


if __name__ == "__main__":
    if not program("haproxy"):
        skip("HAProxy is not installed")
    main()
