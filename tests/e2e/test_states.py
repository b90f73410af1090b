"""Named login states in a state store: save_state, list_states, delete_state and create_session with a state, on several servers."""
import json
import os
import tempfile
import time
import unittest

from support import redis
from support.case import BrowserdCase, main
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.pages import Pages, Response

TOOLS = {"save_state", "list_states", "delete_state"}
LOGGED_IN = {"cookie": "ada", "kept": "of ada", "stored": {"a": [1, "zwei", None]}}
ASK = """async () => ({ cookie: await (await fetch('/who')).text(), kept: localStorage.getItem('kept'),
	stored: await new Promise(done => { const r = indexedDB.open('db'); r.onupgradeneeded = () => r.transaction.abort();
		r.onerror = () => done(null);
		r.onsuccess = () => { r.result.transaction('s').objectStore('s').get(7).onsuccess = e => { r.result.close(); done(e.target.result) } } }) })"""
LOGIN = """async () => { await fetch('/login'); localStorage.setItem('kept', 'of ada');
	await new Promise(done => { const r = indexedDB.open('db', 3); r.onupgradeneeded = () => r.result.createObjectStore('s');
		r.onsuccess = () => { const t = r.result.transaction('s', 'readwrite'); t.objectStore('s').put({ a: [1, 'zwei', null] }, 7);
			t.oncomplete = () => { r.result.close(); done() } } }) }"""


class StatesCase(BrowserdCase):
    """Tests that share a store, which is empty when each begins, and servers."""

    store = None

    @classmethod
    def setUpClass(cls):
        if not redis.program():
            raise unittest.SkipTest("redis-server is not installed")
        if not StatesCase.store:
            StatesCase.open_store()

    @classmethod
    def open_store(cls):
        folder = tempfile.TemporaryDirectory()
        unittest.addModuleCleanup(folder.cleanup)
        password = os.path.join(folder.name, "password")
        with open(password, "w", encoding="utf-8") as file:
            file.write("geheim")
        os.chmod(password, 0o600)
        cls.folder, cls.store, cls.site = folder.name, redis.Redis("geheim"), Pages()
        unittest.addModuleCleanup(cls.store.close)
        unittest.addModuleCleanup(cls.site.close)
        cls.options = ("--state-store", cls.store.url, "--state-store-password-file", password)
        cls.url = cls.site.page("<h1>Shop</h1>")
        cls.site.route("/login", lambda request: Response("in", headers=[("Set-Cookie", "who=ada; HttpOnly; Path=/; Max-Age=3600")]))
        cls.site.route("/who", lambda request: Response(request.cookie.removeprefix("who=")))

    def setUp(self):
        self.store.ask("FLUSHALL")

    def server(self, *args, **more):
        return self.share(*self.options, *args, **more)

    def logged_in(self, client, login=LOGIN):
        session = client.session()
        session.navigate(self.url)
        session.evaluate(f"({login})()")
        return session

    def who(self, client, **arguments):
        session = client.call("create_session", **arguments)["sessionId"]
        client.call("navigate", sessionId=session, url=self.url)
        return client.call("evaluate", sessionId=session, expression=f"({ASK})()")["value"]

    def names(self, client):
        return [state["name"] for state in client.call("list_states")["states"]]


class Servers(StatesCase):
    def test_what_one_saves_another_has(self):
        one, two = self.server(), self.start(*self.options)
        nobody = {"cookie": "", "kept": None, "stored": None}
        self.assertEqual(self.who(two), nobody)
        session = self.logged_in(one)
        saved = session.call("save_state", name="shop.1-a_B")
        self.assertEqual((saved["cookies"], saved["origins"], saved["leftOut"]), (1, 1, []))
        session.close()
        self.assertEqual(self.who(two, state="shop.1-a_B"), LOGGED_IN)
        self.assertEqual(self.who(two), nobody)
        listed = two.call("list_states")
        self.assertEqual((listed["count"], listed["maxStates"]), (1, 100))
        state, = listed["states"]
        self.assertEqual((state["name"], state["site"] + "/", state["cookies"], state["expiresAt"]),
                         ("shop.1-a_B", self.site.url("/"), 1, saved["expiresAt"]))
        self.assertEqual(state["expiresAt"] - state["savedAt"], 7 * 24 * 3600 * 1000)
        two.call("delete_state", name="shop.1-a_B")
        self.assertEqual(self.names(one), [])
        self.assertEqual(two.fail("create_session", state="shop.1-a_B").code, "STATE_NOT_FOUND")
        self.assertEqual(two.fail("delete_state", name="shop.1-a_B").code, "STATE_NOT_FOUND")

    def test_the_clients_own_session(self):
        client = self.start(*self.options)
        self.assertIn("no session of its own", client.fail("save_state", name="x").body["message"])
        client.ask("browser_navigate", url=self.url)
        client.ask("browser_evaluate", function=LOGIN)
        client.call("save_state", name="x")
        self.assertEqual(self.who(client, state="x"), LOGGED_IN)

    def test_a_later_state_replaces_the_earlier_one(self):
        client = self.server()
        session = self.logged_in(client)
        session.call("save_state", name="x")
        session.evaluate("localStorage.setItem('kept', 'later')")
        session.call("save_state", name="x")
        self.assertEqual(self.names(client), ["x"])
        self.assertEqual(self.who(client, state="x"), {**LOGGED_IN, "kept": "later"})

    def test_values_of_databases(self):
        """What JSON has no word for comes back; files do not, and the answer says so."""
        client = self.server()
        session = self.logged_in(client, """async () => { const put = (name, keyPath, values) => new Promise(done => {
            const r = indexedDB.open(name, 1); r.onupgradeneeded = () => r.result.createObjectStore('s', { keyPath }).createIndex('i', ['x', 'y']);
            r.onsuccess = () => { const t = r.result.transaction('s', 'readwrite'); values.forEach(v => t.objectStore('s').put(v));
                t.oncomplete = () => { r.result.close(); done() } } });
            const shared = { n: 1n }, round = { id: 2, shared, again: shared }; round.self = round;
            await put('db', 'id', [{ id: 1, d: new Date(5), r: /x/gi, u: undefined, z: -0, b: new Uint8Array([1, 2, 255]), n: NaN }, round]);
            await put('files', 'id', [{ id: 1, f: new Blob(['x']) }]);
            await put('large', 'id', [{ id: 1, t: 'x'.repeat(9000000) }]) }""")
        saved = session.call("save_state", name="x")
        self.assertEqual(saved["leftOut"], [{"origin": self.site.url("/")[:-1], "databases": ["files", "large"]}])
        other = client.call("create_session", state="x")["sessionId"]
        client.call("navigate", sessionId=other, url=self.url)
        read = """(() => new Promise(done => { indexedDB.open('db').onsuccess = e => {
            const s = e.target.result.transaction('s').objectStore('s'); s.getAll().onsuccess = ({ target: { result: [a, b] } }) => done([
                s.keyPath, s.index('i').keyPath, a.d.getTime(), String(a.r), 'u' in a && a.u === undefined, Object.is(a.z, -0), [...a.b],
                a.b.constructor.name, Number.isNaN(a.n), b.self === b, b.shared === b.again, String(b.shared.n)]) } }))()"""
        self.assertEqual(client.call("evaluate", sessionId=other, expression=read)["value"],
                         ["id", ["x", "y"], 5, "/x/gi", True, True, [1, 2, 255], "Uint8Array", True, True, True, "1"])

    def test_origins_that_are_not_open_any_more(self):
        client, other = self.server(), self.pages()
        session = self.logged_in(client)
        session.navigate(other.page("").replace("127.0.0.1", "localhost"))
        session.evaluate("localStorage.setItem('kept', 'there')")
        self.assertEqual(session.call("save_state", name="x")["origins"], 2)
        self.assertEqual(self.who(client, state="x"), LOGGED_IN)


    def test_a_user_of_the_store_with_the_rights_that_are_documented(self):
        with open(os.path.join(os.path.dirname(__file__), "../../docs/sessions.md"), encoding="utf-8") as file:
            words = file.read().split("`ACL SETUSER ")[1].split("`")[0].split()
        self.store.ask("ACL", "SETUSER", *[word.replace("PASSWORD", "geheim") for word in words])
        client = self.start(*self.options, "--state-store", self.store.url.replace("//", "//browserd@"))
        session = client.session()
        session.call("save_state", name="x")
        self.store.ask("HSET", "browserd:states:all", "old", json.dumps({"savedAt": 1, "expiresAt": 2}))
        self.assertEqual(self.names(client), ["x"])
        client.call("create_session", state="x")
        client.call("delete_state", name="x")


class Limits(StatesCase):
    def test_names(self):
        client = self.server()
        session = client.session()
        for name in ("", "a:b", "a/b", "ä", "a b", "x" * 65, "a\n", "*", "a%41"):
            for failed in (session.fail("save_state", name=name), client.fail("delete_state", name=name)):
                self.assertEqual(failed.code, "INVALID_PARAMETERS", name)
                self.assertIn("1 to 64 letters, digits, dots, - and _", failed.body["message"])
        self.assertIn("letters", client.fail("create_session", state="a:b").body["message"])
        session.call("save_state", name="x" * 64)

    def test_their_number(self):
        client = self.server()
        session = client.session()
        for n in range(100):
            session.call("save_state", name=f"s{n}")
        self.assertIn("100 states already", session.fail("save_state", name="more").body["message"])
        session.call("save_state", name="s7")
        client.call("delete_state", name="s3")
        session.call("save_state", name="more")
        self.assertEqual(len(self.names(client)), 100)

    def ttl(self, key):
        return int(self.store.ask("TTL", key)[1:])

    def test_a_time_to_live(self):
        """The list of names lives as long as the state that lives longest."""
        client = self.server("--state-ttl", "6000")
        client.session().call("save_state", name="x")
        for key in "browserd:state:all:x", "browserd:states:all":
            self.assertIn(self.ttl(key), range(3000, 6001))
        self.store.ask("HSET", "browserd:states:all", "longer", json.dumps({"expiresAt": (time.time() + 50000) * 1000 // 1}))
        client.session().call("save_state", name="y")
        self.assertIn(self.ttl("browserd:states:all"), range(25000, 50001))
        client.call("delete_state", name="y")
        self.store.ask("HDEL", "browserd:states:all", "longer")
        self.store.ask("HSET", "browserd:states:all", "old", json.dumps({"savedAt": 1, "expiresAt": 2}), "junk:", "x")
        self.assertEqual(self.names(client), ["x"])
        self.assertEqual(self.store.ask("HLEN", "browserd:states:all"), b":1")

    def test_what_is_no_state(self):
        client = self.server()
        for text in ("no", "[1", "7", '{"cookies":[{"name":1}]}', '{"origins":[{"origin":"x","localStorage":7}]}'):
            self.store.ask("SET", "browserd:state:all:x", text)
            client.fail("create_session", state="x")
        self.assertEqual(client.call("list_sessions")["count"], 0)
        self.store.ask("SET", "browserd:state:all:x", '{"cookies":[],"origins":[{"origin":"file:///etc","localStorage":[]}]}')
        self.assertIn("not an origin that has storage", client.fail("create_session", state="x").body["message"])
        self.assertEqual(client.call("list_sessions")["count"], 0)

    def test_without_the_store(self):
        """Nothing is lost: the session goes on, and what was saved is there when the store is."""
        client = self.server()
        session = self.logged_in(client)
        self.store.kill()
        for failed in (session.fail("save_state", name="x"), client.fail("list_states"), client.fail("create_session", state="x"),
                       client.fail("delete_state", name="x")):
            self.assertEqual(failed.code, "STORE_UNAVAILABLE")
            self.assertIn(f"the state store {self.store.url} ", failed.body["message"])
            self.assertNotIn("geheim", failed.body["message"])
        self.assertEqual(client.call("list_sessions")["count"], 1)
        self.assertEqual(session.evaluate("localStorage.getItem('kept')"), "of ada")
        self.store.start()
        session.call("save_state", name="x")
        self.assertEqual(self.who(client, state="x"), LOGGED_IN)

    def test_only_servers_with_a_store_have_the_tools(self):
        self.assertEqual(TOOLS & set(self.start().list_tools()), set())
        client = self.server()
        tools = client.list_tools()
        self.assertLessEqual(TOOLS, set(tools))
        self.assertIn("state", tools["create_session"]["inputSchema"]["properties"])


class Owners(StatesCase):
    def test_subjects_have_their_own(self):
        issuer = Issuer(self.folder, "https://tools.example/mcp")
        jwks = issuer.write()
        servers = []
        for _ in range(2):
            servers.append(HttpServer("--oauth-issuer", NAME, "--oauth-jwks", jwks, "--public-url", "https://tools.example/mcp", *self.options))
            self.addCleanup(servers[-1].discard)
            self.addCleanup(servers[-1].close)
        subjects = ("ann", "ann:x", "all", "of-ann", "x" * 300)
        clients = [servers[n % 2].client(fields={"Authorization": "Bearer " + issuer.token(sub=subject)}) for n, subject in enumerate(subjects)]
        ann = clients[0]
        session = ann.call("create_session")["sessionId"]
        ann.call("save_state", sessionId=session, name="x")
        for other in clients[1:]:
            self.assertEqual(self.names(other), [])
            self.assertEqual(other.fail("create_session", state="x")["errorCode"], "STATE_NOT_FOUND")
            self.assertEqual(other.fail("delete_state", name="x")["errorCode"], "STATE_NOT_FOUND")
        again = servers[1].client(fields={"Authorization": "Bearer " + issuer.token(sub="ann")})
        self.assertEqual(self.names(again), ["x"])
        again.call("create_session", state="x")


if __name__ == "__main__":
    main()
