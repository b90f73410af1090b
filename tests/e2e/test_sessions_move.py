"""Sessions that move: what a node saves when it ends, another one goes on with, under the same ids and for the same clients."""
import json
import signal
import tempfile
import threading
import unittest
from collections import Counter

from support import issuer, redis
from support.answers import text_of
from support.case import BrowserdCase, main, skip
from support.client import MODERN, PATIENCE
from support.fleet import Fleet, Node, program
from support.http_client import HttpError
from support.pages import Pages
from support.ports import free_port

OPEN = "new Promise(done => { const open = indexedDB.open('d', 1); open.onupgradeneeded = () => open.result.createObjectStore('o'); open.onsuccess = () => done(open.result.transaction('o', 'readwrite').objectStore('o')) })"
FILL = f"""async () => {{ document.cookie = 'who=ada; max-age=1000'; localStorage.setItem('l', '1'); sessionStorage.setItem('s', '2');
           const store = await {OPEN}; await new Promise(done => store.put('3', 'k').onsuccess = done);
           scrollTo(0, 700); return 1 }}"""
READ = f"""async () => {{ const store = await {OPEN};
           const value = await new Promise(done => {{ const get = store.get('k'); get.onsuccess = () => done(get.result) }});
           return [document.cookie, localStorage.getItem('l'), sessionStorage.getItem('s'), value, location.pathname, scrollY] }}"""


class MovesCase(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.redis, cls.pages = redis.Redis(), Pages()
        cls.addClassCleanup(cls.redis.close)
        cls.addClassCleanup(cls.pages.close)
        cls.page = cls.pages.page("<title>Long</title><p style='height: 3000px'>text</p><button>Press</button>")

    def setUp(self):
        self.ports = {"alpha": free_port(), "beta": free_port()}
        self.alpha, self.beta = self.node("alpha"), self.node("beta")

    def node(self, name, *args):
        node = Node(name, self.ports[name], "--state-store", self.redis.url, *args, *self.options())
        self.addCleanup(node.discard)
        return node

    def options(self):
        return ()

    def end(self, node):
        """As a rolling update does it. What is saved is in the store when the process has ended."""
        node.process.send_signal(signal.SIGTERM)
        self.assertEqual(node.wait(), 0, node.stderr())

    def go_to(self, client, node):
        """What a proxy does when a node is gone."""
        client.server = node

    def begin(self, version, fields=None):
        """A client with a session on alpha, in which a page has stored something."""
        client = self.alpha.client(version, fields=fields)
        where = {"sessionId": client.call("create_session")["sessionId"]} if version == MODERN else {}
        client.request("tools/call", {"name": "browser_navigate", "arguments": {"url": self.page, **where}})
        self.assertIn("1", self.evaluate(client, where, FILL))
        return client, where

    def evaluate(self, client, where, function):
        return text_of(client.request("tools/call", {"name": "browser_evaluate", "arguments": {"function": function, **where}}))

    def check(self, client, where, restored=True):
        said = self.evaluate(client, where, READ)
        self.assertIn("[", said)
        values = json.loads(said[said.index("["):said.index("]") + 1])
        self.assertEqual(values, ["who=ada", "1", "2", "3", self.page[self.page.index("/", 8):], 700], said)
        self.assertEqual("was restored on another server" in said, restored, said)


class Moves(MovesCase):
    def test_clients_of_each_generation(self):
        clients = [self.begin("2025-11-25"), self.begin("2025-03-26"), self.begin(MODERN)]
        self.end(self.alpha)
        for client, where in clients:
            self.go_to(client, self.beta)
            self.check(client, where)
            self.check(client, where, restored=False)  # it is said once

    def test_refs_from_before_press_nothing(self):
        client, where = self.begin(MODERN)
        ask = lambda tool, **arguments: text_of(client.request("tools/call", {"name": tool, "arguments": {**arguments, **where}}))
        ref = ask("browser_snapshot").split('button "Press" ')[1].split()[0].strip("[]").removeprefix("ref=")
        self.end(self.alpha)
        self.go_to(client, self.beta)
        said = ask("browser_click", target=ref)
        self.assertIn(ref, said)
        self.assertIn("refs are new", said)
        self.assertIn("rror", said)

    def test_back_to_a_node_that_was_started_again(self):
        """The proxy leads the requests to the first node as soon as that is there: it gets the sessions back."""
        clients = [self.begin("2025-11-25"), self.begin(MODERN)]
        self.end(self.alpha)
        for client, where in clients:
            self.go_to(client, self.beta)
            self.check(client, where)
        self.alpha = self.node("alpha")
        for client, where in clients:
            self.go_to(client, self.alpha)
            self.check(client, where)
        self.assertEqual(self.beta.metric("browserd_browser_sessions"), 0)
        self.assertEqual(self.beta.metric("browserd_sessions"), 0)

    def test_a_node_that_died_saves_nothing(self):
        client, where = self.begin("2025-11-25")
        self.alpha.kill()
        self.go_to(client, self.beta)
        with self.assertRaises(HttpError) as caught:
            self.check(client, where)
        self.assertEqual(caught.exception.status, 404)

    def test_sessions_that_were_closed_stay_closed(self):
        client, where = self.begin(MODERN)
        client.call("close_session", **where)
        self.end(self.alpha)
        self.go_to(client, self.beta)
        self.assertEqual(client.fail("evaluate", expression="1", **where)["errorCode"], "SESSION_NOT_FOUND")

    def test_a_session_that_is_closed_first_of_all(self):
        client, where = self.begin(MODERN)
        self.end(self.alpha)
        self.go_to(client, self.beta)
        client.call("close_session", **where)
        self.assertEqual(client.fail("evaluate", expression="1", **where)["errorCode"], "SESSION_NOT_FOUND")

    def test_egress_rules_go_along(self):
        client = self.alpha.client(MODERN)
        session = client.call("create_session", egress="none")["sessionId"]
        self.end(self.alpha)
        self.go_to(client, self.beta)
        self.assertEqual(client.fail("navigate", sessionId=session, url=self.page)["errorCode"], "SECURITY_BLOCKED")

    def test_limits_that_cannot_be_read(self):
        """A session goes on with the limits that it had, or not at all."""
        record = {"owner": "all", "node": "gone", "place": "saved", "session": {"egress": ["none"], "pages": []}}
        self.redis.ask("SET", "browserd:session:gone.1:all", json.dumps(record))
        failure = self.beta.client(MODERN).fail("evaluate", sessionId="gone.1", expression="1")
        self.assertEqual(failure["errorCode"], "INVALID_PARAMETERS")
        self.assertIn("egress", failure["message"])

    def test_pages_that_do_not_answer(self):
        """What a dialog or a script keeps from answering comes anew from its address, and the session with it."""
        sessions = []
        for what in ("alert(1)", "for (;;);"):
            client, where = self.begin(MODERN)
            client.request("tools/call", {"name": "browser_evaluate", "arguments": {"function": f"() => {{ setTimeout(() => {{ {what} }}) }}", **where}})
            sessions.append((client, where))
        self.end(self.alpha)
        for client, where in sessions:
            self.go_to(client, self.beta)
            said = self.evaluate(client, where, READ)
            values = json.loads(said[said.index("["):said.index("]") + 1])
            self.assertEqual(values[:2] + values[3:4], ["who=ada", "1", "3"], said)

    def test_more_storage_than_can_move(self):
        """Cookies move nevertheless."""
        client, where = self.begin(MODERN)
        for host in ("127.0.0.1", "localhost"):
            client.request("tools/call", {"name": "browser_navigate", "arguments": {"url": self.page.replace("127.0.0.1", host), **where}})
            self.evaluate(client, where, """() => { document.cookie = 'who=ada; max-age=1000'; localStorage.setItem('big', '"'.repeat(4.5e6)) }""")
        self.end(self.alpha)
        self.go_to(client, self.beta)
        said = self.evaluate(client, where, "() => [document.cookie, localStorage.length].join()")
        self.assertIn('"who=ada,0"', said)
        self.assertIn("too much", said)

    def test_calls_that_come_while_the_session_is_saved(self):
        """They do nothing: what they did, the session would not know where it goes on, and they are called again there."""
        client, where = self.begin(MODERN)
        self.end(self.alpha)
        self.go_to(client, self.beta)
        self.check(client, where)
        held, release = self.pages.held()
        running = threading.Thread(target=self.evaluate, args=(client, where, f"() => fetch('{held}').then(() => 1)"))
        running.start()
        self.pages.wait_request(held)
        self.alpha = self.node("alpha")
        back, moved = self.alpha.client(MODERN), []
        mover = threading.Thread(target=lambda: moved.append(self.evaluate(back, where, READ)))
        mover.start()
        self.repeat(lambda: self.redis.ask("GET", f"browserd:session:{where['sessionId']}:all"), lambda record: b'"moving"' in record)
        self.redis.ask("CLIENT", "PAUSE", "4000", "WRITE")
        release.set()
        running.join()
        self.repeat(lambda: self.redis.ask("CLIENT", "LIST"), lambda clients: b"flags=b" in clients)  # the record waits
        late, said = self.pages.page("late"), []
        caller = threading.Thread(target=lambda: said.append(self.evaluate(client, where, f"() => fetch('{late}').then(() => 1)")))
        caller.start()
        self.repeat(lambda: not caller.is_alive() or self.beta.metric(r'browserd_calls\{state="waiting"\}'), bool)
        self.redis.ask("CLIENT", "UNPAUSE")
        caller.join()
        mover.join()
        self.assertEqual(self.pages.requests(late), [])
        self.assertIn("call again", said[0])
        self.assertIn("was restored", moved[0])

    def test_the_store_is_down(self):
        client, where = self.begin(MODERN)
        self.end(self.alpha)
        self.redis.kill()
        self.addCleanup(self.redis.start)
        self.go_to(client, self.beta)
        self.assertEqual(client.fail("evaluate", expression="1", **where)["errorCode"], "STORE_UNAVAILABLE")


class OwnersCase(MovesCase):
    def options(self):
        return "--oauth-issuer", issuer.NAME, "--oauth-jwks", self.issuer.write(), "--oauth-audience", "fleet"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.issuer = issuer.Issuer(folder.name, "fleet")
        super().setUp()


class Owners(OwnersCase):
    """With tokens, only the subject of a session goes on with it."""

    def test_strangers_find_nothing_and_take_nothing(self):
        ada, eve = ({"Authorization": "Bearer " + self.issuer.token(sub=name, scope="browser:act")} for name in ("ada", "eve"))
        clients = [self.begin("2025-11-25", ada), self.begin(MODERN, ada)]
        self.end(self.alpha)
        for client, where in clients:
            self.go_to(client, self.beta)
            client.fields = eve
            if where:
                self.assertEqual(client.fail("evaluate", expression="1", **where)["errorCode"], "SESSION_NOT_FOUND")
            else:
                with self.assertRaises(HttpError) as caught:
                    self.check(client, where)
                self.assertEqual(caught.exception.status, 404)
            client.fields = ada
            self.check(client, where)


class ChosenIds(OwnersCase):
    def options(self):
        return "--lazy-sessions", *super().options()

    def test_owners_choose_the_same_id(self):
        """Each goes on with what it had under that id, there and back."""
        sessions = {}
        for name in ("ada", "eve"):
            sessions[name] = self.alpha.client(MODERN, fields={"Authorization": "Bearer " + self.issuer.token(sub=name, scope="browser:act")})
            sessions[name].call("navigate", sessionId="alpha.work", url=self.page)
            sessions[name].call("evaluate", sessionId="alpha.work", expression=f"document.cookie = 'who={name}; max-age=1000'")
        self.end(self.alpha)
        for node in (self.beta, None):
            node = node or self.node("alpha")
            for name, client in sessions.items():
                self.go_to(client, node)
                self.assertEqual(client.call("evaluate", sessionId="alpha.work", expression="document.cookie")["value"], "who=" + name)


@unittest.skipUnless(program("haproxy"), "HAProxy is not installed")
class BehindProxy(BrowserdCase):
    """A rolling update with sessions that are much longer than the drain: they move, there and back, and no call is lost."""

    def test_a_rolling_update_with_long_sessions(self):
        store, pages = redis.Redis(), self.pages()
        self.addCleanup(store.close)
        url = pages.page("<title>Work</title><button onclick=\"document.cookie = 'n=' + (1 + +(document.cookie.slice(2) || 0))\">Press</button>")
        fleet = Fleet(3, "--state-store", store.url, "--drain", "1", "--timeout-action", "60000", "--log-level", "info")
        self.addCleanup(fleet.discard)
        clients, moved, failures, stopping = [], Counter(), [], threading.Event()
        for n in range(6):
            client = fleet.proxy.client(MODERN if n % 2 else "2025-11-25")
            where = {"sessionId": client.call("create_session")["sessionId"]} if n % 2 else {}
            client.request("tools/call", {"name": "browser_navigate", "arguments": {"url": url, **where}})
            clients.append((client, where, [0]))

        def work(client, where, presses):
            while not stopping.is_set():
                try:
                    result = client.request("tools/call", {"name": "browser_click", "arguments": {"target": "button", **where}})
                    text = "".join(part.get("text", "") for part in result["content"])
                    assert not result.get("isError"), text
                    moved["restored" in text] += 1
                    presses[0] += 1
                except Exception as error:
                    failures.append((where, repr(error)))
                    return

        threads = [threading.Thread(target=work, args=client, daemon=True) for client in clients]
        for thread in threads:
            thread.start()
        for name in list(fleet.nodes):
            fleet.nodes[name].close()
            fleet.start(name)
            fleet.wait_for_nodes(list(fleet.nodes))
        stopping.set()
        for thread in threads:
            thread.join(2 * PATIENCE)
        self.assertEqual(failures, [], [node.stderr()[-3000:] for node in fleet.nodes.values()])
        self.assertGreaterEqual(moved[True], 6)  # each has left a node at least once
        for client, where, presses in clients:
            said = text_of(client.request("tools/call", {"name": "browser_evaluate", "arguments": {"function": "() => document.cookie", **where}}))
            self.assertIn(f'"n={presses[0]}"', said)


if __name__ == "__main__":
    if not redis.program():
        skip("redis-server is not installed")
    main()
