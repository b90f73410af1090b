"""What a session begins with: a state that the call gives or names, and what another session of the same owner has. MCP_SDK: a folder with playwright-core."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support.case import BrowserdCase, main
from support.client import PATIENCE
from support.engine import ENGINE, installed
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.pages import Pages, Response

REFERENCE = pathlib.Path(os.environ.get("MCP_SDK", ""), "node_modules", "playwright-core")
VALUE = {"a": [1, "zwei", None], "b": {"c": True}}
LOGGED_IN = {"cookie": "ada", "kept": "of ada", "stored": VALUE, "dated": 5}
NOBODY = {"cookie": "", "kept": None, "stored": None, "dated": None}
LOGIN = """async () => { await fetch('/login'); localStorage.setItem('kept', 'of ada');
    await new Promise((done, fail) => { const r = indexedDB.open('db', 3);
        r.onupgradeneeded = () => { r.result.createObjectStore('s'); r.result.createObjectStore('k', { keyPath: 'id' }).createIndex('i', 'at') };
        r.onsuccess = () => { const t = r.result.transaction(['s', 'k'], 'readwrite'); t.objectStore('s').put(VALUE, 7);
            t.objectStore('k').put({ id: 'x', at: new Date(5) }); t.onabort = fail; t.oncomplete = () => { r.result.close(); done() } } }) }""".replace(
                "VALUE", json.dumps(VALUE))
ASK = """async () => { const stored = await new Promise(done => { const r = indexedDB.open('db'); r.onupgradeneeded = () => r.transaction.abort();
        r.onerror = () => done([]); r.onsuccess = () => { const t = r.result.transaction(['s', 'k']), one = t.objectStore('s').get(7),
            other = t.objectStore('k').index('i').get(new Date(5));
            t.oncomplete = () => { r.result.close(); done([one.result, other.result?.at?.getTime()]) } } });
    return { cookie: await (await fetch('/who')).text(), kept: localStorage.getItem('kept'), stored: stored[0] ?? null, dated: stored[1] ?? null } }"""


class StatesCase(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.site, folder = Pages(), tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.site.close)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name).resolve()
        cls.url = cls.site.page("<h1>Shop</h1>")
        cls.site.route("/login", lambda request: Response("in", headers=[("Set-Cookie", "who=ada; HttpOnly; Path=/; Max-Age=3600")]))
        cls.site.route("/who", lambda request: Response(request.cookie.removeprefix("who=")))

    def server(self, *args, **more):
        return self.share("--output-dir", str(self.folder), *args, **more)

    def logged_in(self, client):
        session = client.session()
        session.navigate(self.url)
        session.evaluate(f"({LOGIN})()")
        return session

    def who(self, client, **begins):
        session = client.session(**begins)
        session.navigate(self.url)
        found = session.evaluate(f"({ASK})()")
        session.close()
        return found

    def state(self, **more):
        """One as Playwright writes it."""
        origin = self.url[:self.url.index("/", 8)]
        cookie = {"name": "who", "value": "ada", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax"}
        return {"cookies": [cookie], "origins": [{"origin": origin, "localStorage": [{"name": "kept", "value": "of ada"}]}], **more}

    def check_none_is_left(self, client, count=0):
        self.assertEqual(client.call("list_sessions")["count"], count)


class Given(StatesCase):
    def test_in_the_call(self):
        client = self.server()
        self.assertEqual(self.who(client, state=self.state()), {**NOBODY, "cookie": "ada", "kept": "of ada"})
        self.assertEqual(self.who(client), NOBODY)
        self.assertEqual(self.who(client, state={}), NOBODY)

    def test_in_a_file(self):
        client = self.server()
        (self.folder / "shop.json").write_text(json.dumps(self.state()), encoding="utf-8")
        (self.folder / "plain").write_text(json.dumps(self.state()), encoding="utf-8")
        for name in (str(self.folder / "shop.json"), str(self.folder / "plain")):
            self.assertEqual(self.who(client, state=name)["cookie"], "ada", name)

    def test_files_that_are_none_or_somewhere_else(self):
        client = self.server()
        outside = self.enterContext(tempfile.NamedTemporaryFile("w", suffix=".json"))
        outside.write(json.dumps(self.state()))
        outside.flush()
        (self.folder / "link.json").symlink_to(outside.name)
        (self.folder / "bad.json").write_text('{"cookies":[\n}', encoding="utf-8")
        (self.folder / "list.json").write_text("[]", encoding="utf-8")
        (self.folder / "large.json").write_bytes(b" " * (16 << 20) + b"{}")
        for name, said in (("missing.json", "missing.json"), (outside.name, "outside"), (str(self.folder / "link.json"), ""),
                           (str(self.folder / "bad.json"), "line 2, column 1"), (str(self.folder / "list.json"), "an object {cookies"),
                           (str(self.folder / "large.json"), "16777216")):
            with self.subTest(name):
                failed = client.fail("create_session", state=name)
                self.assertIn(said, failed.body["message"])
        self.check_none_is_left(client)

    def test_what_is_no_state(self):
        client = self.server()
        cookie = self.state()["cookies"][0]
        for state, said in ((7, "object"), (True, "object"), ([], "object"), ({"cookies": 7}, "cookies"), ({"cookies": [{**cookie, "value": 7}]}, "value"),
                            ({"cookies": [{**cookie, "sameSite": "No"}]}, "sameSite"), ({"cookies": [{**cookie, "domain": ""}]}, "domain"),
                            ({"origins": [{"origin": "file:///etc", "localStorage": []}]}, "not an origin that has storage"),
                            ({"origins": [{"origin": self.url, "localStorage": 7}]}, "localStorage"),
                            ({"origins": [{"origin": f"http://h{n}", "localStorage": []} for n in range(1001)]}, "1000 are the most")):
            with self.subTest(said):
                failed = client.fail("create_session", state=state)
                self.assertIn(said, failed.body["message"])
        self.check_none_is_left(client)

    def test_a_name_where_none_are_saved(self):
        self.assertIn("keeps none", self.server().fail("create_session", state="shop").body["message"])

    def test_many_values_take_no_long_turn(self):
        """The watchdog of test builds (src/loop/turn.h) would report it."""
        client = self.server(env={"BROWSERD_TURN_LIMIT": "50"})
        items = [{"name": f"n{n}", "value": "x" * 40} for n in range(60000)]
        state = {"origins": [{"origin": self.url[:self.url.index("/", 8)], "localStorage": items}]}
        (self.folder / "many.json").write_text(json.dumps(state), encoding="utf-8")
        session = client.session(state=str(self.folder / "many.json"))
        session.navigate(self.url)
        self.assertEqual(session.evaluate("localStorage.length"), 60000)
        client.call("create_session", **{"from": session.id})
        self.assertNotIn("long turn:", client.stderr())


class Copied(StatesCase):
    def test_of_a_session_that_lives(self):
        client = self.server()
        session = self.logged_in(client)
        self.assertEqual(self.who(client, **{"from": session.id}), LOGGED_IN)
        other = client.session(**{"from": session.id})
        other.navigate(self.url)
        other.evaluate("localStorage.setItem('kept', 'of the copy')")
        self.assertEqual(session.evaluate(f"({ASK})()"), LOGGED_IN)
        for each in session, other:
            each.close()

    def test_not_both_and_not_of_nobody(self):
        client = self.server()
        self.assertIn("leave state or from out", client.fail("create_session", **{"from": "x", "state": {}}).body["message"])
        self.assertEqual(client.fail("create_session", **{"from": "x"}).code, "SESSION_NOT_FOUND")
        self.check_none_is_left(client)

    def test_not_of_another_owner(self):
        issuer = Issuer(str(self.folder), "https://tools.example/mcp")
        server = HttpServer("--oauth-issuer", NAME, "--oauth-jwks", issuer.write(), "--public-url", "https://tools.example/mcp")
        self.addCleanup(server.discard)
        ann, bob = (server.client(fields={"Authorization": "Bearer " + issuer.token(sub=sub)}) for sub in ("ann", "bob"))
        session = ann.call("create_session")["sessionId"]
        self.assertEqual(bob.fail("create_session", **{"from": session})["errorCode"], "SESSION_NOT_FOUND")
        ann.call("create_session", **{"from": session})


@unittest.skipUnless(REFERENCE.is_dir() and shutil.which("node"), "MCP_SDK names no folder with playwright-core")
class Reference(StatesCase):
    """Playwright writes what is read here, and reads what is written here."""

    def playwright(self, what, file, function):
        program = shutil.which(installed("chromium") or "") or self.skipTest("no Chromium is installed")
        done = subprocess.run(["node", os.path.join(os.path.dirname(__file__), "reference_state.cjs"), what, str(REFERENCE), program, str(file), self.url,
                               function], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_its_states_are_read(self):
        file = self.folder / "of-playwright.json"
        self.playwright("write", file, LOGIN)
        self.assertEqual(self.who(self.server(), state=str(file)), LOGGED_IN)

    def test_it_reads_ours(self):
        client = self.server("--caps", "storage")
        session, file = self.logged_in(client), self.folder / "ours.json"
        copy = client.session(**{"from": session.id})
        copy.navigate(self.url)
        copy.ask("browser_storage_state", filename=str(file), indexedDB=True)
        self.assertEqual(self.playwright("read", file, ASK), LOGGED_IN)
        self.assertEqual(self.who(client, state=str(file)), LOGGED_IN)
        copy.ask("browser_storage_state", filename=str(file))
        self.assertEqual(self.playwright("read", file, ASK), {**LOGGED_IN, "stored": None, "dated": None})
        for each in session, copy:
            each.close()


if __name__ == "__main__":
    main()
