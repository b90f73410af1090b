"""What a session begins with: a state that the call gives or names, and what another session of the same owner has. MCP_SDK: a folder with playwright-core."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from support.case import BrowserdCase, main
from support.client import PATIENCE, binary
from support.engine import by_engine, installed
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
        count = by_engine(chromium=60000, firefox=5000)  # Firefox takes a minute for so many, on a busy machine
        items = [{"name": f"n{n}", "value": "x" * 40} for n in range(count)]
        state = {"origins": [{"origin": self.url[:self.url.index("/", 8)], "localStorage": items}]}
        (self.folder / "many.json").write_text(json.dumps(state), encoding="utf-8")
        session = client.session(state=str(self.folder / "many.json"))
        session.navigate(self.url)
        self.assertEqual(session.evaluate("localStorage.length"), count)
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


class Kept(StatesCase):
    """States in a folder of this machine, encrypted."""

    def setUp(self):
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.dir = self.home / "kept"

    def keeper(self, *args, **more):
        return self.start("--state-dir", str(self.dir), "--output-dir", str(self.folder), *args, **more)

    def saved(self, client, **more):
        session = self.logged_in(client)
        answer = session.call("save_state", name="shop", **more)
        session.close()
        return answer

    def file(self, suffix="state"):
        return self.dir / "states" / "user" / f"s-shop.{suffix}"

    def test_it_outlives_the_server_and_shows_nothing(self):
        client = self.keeper()
        answer = self.saved(client)
        self.assertEqual((answer["cookies"], answer["origins"], answer["expiresAt"]), (1, 1, 0))
        client.close()
        again = self.keeper()
        self.assertEqual([(each["name"], each["site"]) for each in again.call("list_states")["states"]], [("shop", self.url[:self.url.index("/", 8)])])
        self.assertEqual(self.who(again, state="shop"), LOGGED_IN)
        for path in self.dir.rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o777, 0o700 if path.is_dir() else 0o600, path)
            if path.is_file():
                for word in (b"ada", b"zwei", b"kept", b"127.0.0.1"):
                    self.assertNotIn(word, path.read_bytes())
        again.call("delete_state", name="shop")
        self.assertEqual(again.call("list_states")["count"], 0)
        self.assertEqual([path.name for path in self.dir.rglob("*") if path.is_file()], ["key"])
        for failed in (again.fail("delete_state", name="shop"), again.fail("create_session", state="shop")):
            self.assertEqual(failed.code, "STATE_NOT_FOUND")

    def test_the_folder_of_the_user_is_the_default(self):
        client = self.start("--caps", "states", "--output-dir", str(self.folder), env={"XDG_STATE_HOME": str(self.home)})
        self.saved(client)
        self.assertTrue((self.home / "browserd" / "states" / "user" / "s-shop.state").is_file())
        self.assertEqual(self.who(client, state="shop"), LOGGED_IN)

    def test_a_user_without_a_home_has_to_name_one(self):
        """A key below /tmp would be gone when the machine starts again."""
        result = subprocess.run([binary(), "--caps", "states"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
                                env={**os.environ, "HOME": "", "XDG_STATE_HOME": ""})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("--state-dir", result.stderr)

    def test_a_key_of_the_operator(self):
        key, other = (base64.b64encode(bytes([n]) * 32).decode() for n in (1, 2))
        client = self.keeper(env={"BROWSERD_STATE_KEY": key})
        self.saved(client)
        self.assertFalse((self.dir / "key").exists())
        client.close()
        self.assertEqual(self.who(self.keeper(env={"BROWSERD_STATE_KEY": key}), state="shop"), LOGGED_IN)
        client = self.keeper(env={"BROWSERD_STATE_KEY": other})
        failed = client.fail("create_session", state="shop")
        self.assertEqual(failed.code, "STATE_UNUSABLE")
        self.assertIn("key", failed.body["message"])
        self.assertIn("key", client.call("list_states")["states"][0]["problem"])
        self.check_none_is_left(client)
        client.call("delete_state", name="shop")

    def test_a_key_that_is_none_prevents_the_start(self):
        for key in ("geheim", base64.b64encode(b"short").decode()):
            result = subprocess.run([binary(), "--state-dir", str(self.dir)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                                    check=False, env={**os.environ, "BROWSERD_STATE_KEY": key})
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("openssl rand -base64 32", result.stderr)
            self.assertNotIn(key, result.stderr)

    def test_other_programs_read_it_as_documented(self):
        try:
            import cryptography  # noqa: F401
        except ImportError:
            self.skipTest("Python has no package cryptography")
        self.saved(self.keeper(), origins=[self.url[:self.url.index("/", 8)]])
        docs = (pathlib.Path(__file__).parents[2] / "docs" / "states.md").read_text(encoding="utf-8")
        program = docs.split("```python\n")[1].split("```")[0].replace('pathlib.Path.home() / ".local/state/browserd"', f"pathlib.Path({str(self.dir)!r})")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        state = json.loads(done.stdout)
        self.assertEqual(list(state), ["cookies", "origins", "browserd"])
        self.assertEqual(state["cookies"][0]["value"], "ada")

    def refused(self, client, said, code="STATE_UNUSABLE"):
        failed = client.fail("create_session", state="shop")
        self.assertEqual(failed.code, code)
        self.assertRegex(failed.body["message"], said)
        self.check_none_is_left(client)

    def test_files_that_were_changed(self):
        client = self.keeper()
        self.saved(client)
        whole = self.file().read_bytes()
        for changed, said in ((whole[:-1], "(?i)truncated|incomplete|ends"), (whole[:20], "s-shop"), (b"", "s-shop"), (whole + b"x", "s-shop"),
                              (whole[:60] + bytes([whole[60] ^ 1]) + whole[61:], "(?i)changed|another"), (b"{}", "s-shop")):
            with self.subTest(said, size=len(changed)):
                self.file().write_bytes(changed)
                self.refused(client, said)
        self.file().write_bytes(whole)
        self.file("facts").write_bytes(b"x")
        self.assertIn("problem", client.call("list_states")["states"][0])
        self.assertEqual(self.who(client, state="shop"), LOGGED_IN)

    def test_files_of_another_name_or_owner(self):
        client = self.keeper()
        self.saved(client)
        self.file().rename(self.file().with_name("s-other.state"))
        failed = client.fail("create_session", state="other")
        self.assertEqual(failed.code, "STATE_UNUSABLE")
        self.check_none_is_left(client)

    def test_what_other_users_may_write_or_read(self):
        client = self.keeper()
        self.saved(client)
        client.close()
        for path, mode in ((self.file().parent, 0o777), (self.file(), 0o666), (self.dir / "key", 0o644)):
            with self.subTest(path.name):
                before = path.stat().st_mode & 0o777
                path.chmod(mode)
                client = self.keeper()
                self.refused(client, path.name)
                path.chmod(before)
                client.close()

    def test_links_are_not_followed(self):
        client = self.keeper()
        self.saved(client)
        self.file().rename(self.home / "elsewhere")
        self.file().symlink_to(self.home / "elsewhere")
        self.refused(client, "link")

    def test_names(self):
        client = self.keeper()
        session = client.session()
        for name in (".", "..", ".new-x", "-", "x" * 64, "x.facts", "x.state"):
            session.call("save_state", name=name)
            session.call("save_state", name=name)
        self.assertEqual(client.call("list_states")["count"], 7)
        self.assertIn("for a file", session.fail("save_state", name="x.json").body["message"])
        for each in client.call("list_states")["states"]:
            client.call("delete_state", name=each["name"])
        self.assertEqual(list((self.dir / "states" / "user").iterdir()), [])

    def test_their_number(self):
        client = self.keeper()
        session = client.session()
        session.call("save_state", name="first")
        for n in range(99):
            (self.dir / "states" / "user" / f"s-n{n}.state").touch(0o600)
        self.assertIn("100 states already", session.fail("save_state", name="more").body["message"])
        session.call("save_state", name="first")
        with open(self.dir / "states" / "user" / "s-n0.state", "wb") as file:
            file.truncate(256 << 20)
        client.call("delete_state", name="n1")
        self.assertIn("268435456", session.fail("save_state", name="more").body["message"])

    def test_owners_have_their_own(self):
        issuer = Issuer(str(self.folder), "https://tools.example/mcp")
        self.saved(self.keeper())
        server = HttpServer("--state-dir", str(self.dir), "--oauth-issuer", NAME, "--oauth-jwks", issuer.write(), "--public-url", "https://tools.example/mcp")
        self.addCleanup(server.discard)
        subjects = ("ann", "user", "x" * 300)
        for sub in subjects:
            client = server.client(fields={"Authorization": "Bearer " + issuer.token(sub=sub)})
            self.assertEqual(client.call("list_states")["count"], 0)
            self.assertEqual(client.fail("create_session", state="shop")["errorCode"], "STATE_NOT_FOUND")
            client.call("save_state", name="shop", sessionId=client.call("create_session")["sessionId"])
        folders = [path.name for path in (self.dir / "states").iterdir()]
        self.assertEqual(len(folders), 4)
        open_server = HttpServer("--state-dir", str(self.dir))
        self.addCleanup(open_server.discard)
        self.assertEqual(open_server.client().call("list_states")["count"], 0)  # not what the user has saved over stdio


class Bound(StatesCase):
    def setUp(self):
        self.dir = self.enterContext(tempfile.TemporaryDirectory())
        self.client = self.start("--state-dir", self.dir, "--output-dir", str(self.folder))
        self.origin = self.url[:self.url.index("/", 8)]
        self.other = self.origin.replace("127.0.0.1", "localhost")

    def two_logins(self):
        session = self.logged_in(self.client)
        session.navigate(self.other + "/two")
        session.evaluate("document.cookie = 'there=1; max-age=1000'; localStorage.setItem('kept', 'there')")
        return session

    def there(self, session):
        session.navigate(self.other + "/two")
        return session.evaluate("[document.cookie, localStorage.getItem('kept')]")

    def test_to_origins(self):
        self.site.route("/two", "<title>two</title>")
        session = self.two_logins()
        self.assertEqual(session.call("save_state", name="both")["origins"], 2)
        answer = session.call("save_state", name="one", origins=[self.origin])
        self.assertEqual((answer["origins"], answer["cookies"]), (1, 1))
        self.assertEqual(self.there(self.client.session(state="both")), ["there=1", "there"])
        one = self.client.session(state="one")
        self.assertEqual(self.there(one), ["", None])
        one.navigate(self.url)
        self.assertEqual(one.evaluate(f"({ASK})()"), LOGGED_IN)

    def test_a_state_that_says_more_than_it_is_bound_to(self):
        self.site.route("/two", "<title>two</title>")
        origins = [{"origin": origin, "localStorage": [{"name": "kept", "value": "there"}]} for origin in (self.origin, self.other)]
        session = self.client.session(state={"origins": origins, "browserd": {"origins": [self.origin]}})
        self.assertEqual(self.there(session), ["", None])
        self.assertIn("browserd.origins", self.client.fail("create_session", state={"browserd": {"origins": ["x"]}}).body["message"])

    def test_what_is_no_origin(self):
        session = self.client.session()
        for origin in ("shop.example", "https://shop.example/", "https://shop.example/x", "HTTPS://shop.example", "https://a@shop.example", "file:///etc",
                       "https://", "about:blank"):
            self.assertIn("is not an origin", session.fail("save_state", name="x", origins=[origin]).body["message"])
        self.assertIn("100 are the most", session.fail("save_state", name="x", origins=["https://a.b"] * 101).body["message"])

    def account(self, logged_in):
        self.site.route("/account", "<h1>Account</h1><p id=user>Ada" if logged_in else Response("", 302, headers=[("Location", "/login-page")]))
        self.site.route("/login-page", "<form>Log in</form>")

    def test_a_check_whether_it_is_logged_in(self):
        check = {"url": self.origin + "/account", "selector": "#user"}
        self.account(True)
        self.logged_in(self.client).call("save_state", name="shop", verify=check, origins=[self.origin])
        session = self.client.session(state="shop")
        self.assertEqual(session.evaluate("[location.href, history.length]"), ["about:blank", 1])
        self.assertNotIn("- 1:", session.ask("browser_tabs", action="list"))
        before = self.client.call("list_sessions")["count"]
        self.account(False)
        failed = self.client.fail("create_session", state="shop")
        self.assertEqual(failed.code, "STATE_LOGGED_OUT")
        for word in ("the state shop", "/account", "/login-page", "#user", "log in", "save the state anew"):
            self.assertIn(word, failed.body["message"])
        self.check_none_is_left(self.client, before)

    def test_a_check_that_cannot_be_made(self):
        check = {"url": "http://127.0.0.1:1/", "selector": "#user"}
        failed = self.client.fail("create_session", state={**self.state(), "browserd": {"verify": check}})
        self.assertEqual(failed.code, "NAVIGATION_FAILED")
        self.assertIn("could not be seen", failed.body["message"])
        self.check_none_is_left(self.client)

    def test_what_is_no_check(self):
        session = self.client.session()
        for check in ({"url": "x", "selector": "a"}, {"url": "file:///etc", "selector": "a"}, {"url": self.url, "selector": ""}, {"url": self.url}, {}):
            session.fail("save_state", name="x", verify=check)
        self.assertIn("none of the origins", session.fail("save_state", name="x", verify={"url": self.url, "selector": "a"},
                                                          origins=["https://shop.example"]).body["message"])


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
