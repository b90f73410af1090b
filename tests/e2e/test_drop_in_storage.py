"""Cookies, local and session storage, and storage states under the name playwright-mcp (--caps storage)."""
import json
import unittest

from support.case import main
from support.drop_in import REFERENCE, DropInCase, SharedDropInCase
from support.engine import by_engine
from support.pages import Response


class Cookies(SharedDropInCase):
    args = ("--caps", "storage")

    def setUp(self):
        self.assertFalse(self.ask("browser_cookie_clear").is_error)
        self.show("<p>cookies")

    def set(self, name, value="v", **more):
        answer = self.ask("browser_cookie_set", name=name, value=value, **more)
        self.assertFalse(answer.is_error, answer)
        return answer

    def listed(self, **filters):
        return self.ask("browser_cookie_list", **filters).result.split("\n")

    def test_a_cookie_of_the_page(self):
        self.assertEqual(self.set("plain", "one").code,
                         'await page.context().addCookies([{"name":"plain","value":"one","domain":"127.0.0.1","path":"/"}]);')
        self.assertEqual(self.listed(), ["plain=one (domain: 127.0.0.1, path: /)"])
        self.assertEqual(self.ask("browser_evaluate", function="() => document.cookie").result, '"plain=one"')

    def test_all_attributes(self):
        answer = self.set("full", "x'y\"z", domain="shop.example", path="/cart", expires=4102444800, httpOnly=True, secure=True,
                          sameSite="None")
        self.assertEqual(answer.code, 'await page.context().addCookies([{"name":"full","value":"x\'y\\"z","domain":"shop.example",'
                         '"path":"/cart","expires":4102444800,"httpOnly":true,"secure":true,"sameSite":"None"}]);')
        answer = self.ask("browser_cookie_get", name="full")
        self.assertEqual(answer.result,
                         "full=x'y\"z (domain: shop.example, path: /cart, httpOnly: true, secure: true, sameSite: None)")
        self.assertEqual(answer.code, "await page.context().cookies();")

    def test_cookies_of_servers(self):
        self.ask("browser_navigate", url=self.site.route("/deep/set", Response("ok", headers=[
            ("Set-Cookie", "shallow=1; Path=/; HttpOnly"), ("Set-Cookie", "deep=2; Path=/deep; SameSite=Strict")])))
        self.assertEqual(sorted(self.listed()), ["deep=2 (domain: 127.0.0.1, path: /deep)", "shallow=1 (domain: 127.0.0.1, path: /)"])
        self.assertIn("httpOnly: true, secure: false, sameSite: Lax)", self.ask("browser_cookie_get", name="shallow").result)
        self.assertIn("httpOnly: false, secure: false, sameSite: Strict)", self.ask("browser_cookie_get", name="deep").result)

    def test_filters(self):
        self.set("here", path="/docs/api")
        self.set("there", domain=".news.example")
        for domain in ("news.example", ".news.example", "NEWS.example", "example"):
            self.assertEqual(self.listed(domain=domain), ["there=v (domain: .news.example, path: /)"], domain)
        for path in ("/docs", "/docs/", "/docs/api"):
            self.assertEqual(self.listed(path=path), ["here=v (domain: 127.0.0.1, path: /docs/api)"], path)
        self.assertEqual(len(self.listed(path="/", domain="")), 2)
        for filters in ({"path": "docs"}, {"path": "/doc"}, {"domain": "news"}, {"domain": "ews.example"}, {"domain": "www.news.example"},
                        {"domain": "news.example", "path": "/docs"}):
            self.assertEqual(self.listed(**filters), ["No cookies found"], filters)

    def test_deleting_takes_all_of_that_name_and_no_others(self):
        self.set("twice", path="/a")
        self.set("twice", domain="other.example", secure=True, httpOnly=True)
        self.set("stays", "kept", sameSite="Strict", httpOnly=True)
        self.assertEqual(self.ask("browser_cookie_delete", name="twice").code,
                         "await page.context().clearCookies({ name: 'twice' });")
        self.assertEqual(self.listed(), ["stays=kept (domain: 127.0.0.1, path: /)"])
        self.assertIn("httpOnly: true, secure: false, sameSite: Strict", self.ask("browser_cookie_get", name="stays").result)
        answer = self.ask("browser_cookie_delete", name="it's")
        self.assertEqual((answer.is_error, answer.code), (False, "await page.context().clearCookies({ name: 'it\\'s' });"))

    def test_no_such_cookie(self):
        self.assertEqual(self.ask("browser_cookie_get", name="nothing").result, "Cookie 'nothing' not found")

    def test_expiry(self):
        self.set("past", expires=1000)
        self.set("with-session", expires=-1)
        self.assertEqual(self.listed(), ["with-session=v (domain: 127.0.0.1, path: /)"])
        for time in (-2, 10**14):
            self.assertIn("Cookie should have a valid expires", self.ask("browser_cookie_set", name="a", value="b", expires=time).error)

    def test_what_cannot_be_set(self):
        for wrong in ({"name": "a;b"}, {"value": "a\nb"}, *by_engine(chromium=({"name": "__Host-a"}, {"path": "relative"}), firefox=())):
            answer = self.ask("browser_cookie_set", **{"name": "a", "value": "b", **wrong})
            self.assertTrue(answer.error.startswith("Error: browserBackend.callTool: Protocol error (" + by_engine(
                chromium="Storage.setCookies): Invalid cookie fields", firefox="storage.setCookie): ")), answer.error)
        answer = self.ask("browser_cookie_set", name="a", value="b", sameSite="lax")
        self.assertIn('expected one of "Strict"|"Lax"|"None"', answer.error)

    def test_a_page_without_a_host_needs_a_domain(self):
        for url in ("about:blank", "data:text/html,x"):
            self.ask("browser_navigate", url=url)
            self.assertEqual(self.ask("browser_cookie_set", name="a", value="b").error,
                             "Error: browserBackend.callTool: Cookie should have a url or a domain/path pair")
            self.set("a", domain="some.example")

    def test_while_a_dialog_is_open(self):
        self.ask("browser_evaluate", function="() => { setTimeout(() => alert('wait')); }")
        self.set("meanwhile")
        self.assertIn("meanwhile=v", self.ask("browser_cookie_list").result)
        self.assertIn("does not handle the modal state", self.ask("browser_localstorage_list").error)
        self.ask("browser_handle_dialog", accept=True)


class WebStorage(SharedDropInCase):
    args = ("--caps", "storage")

    def setUp(self):
        self.show("<p>items")
        self.ask("browser_localstorage_clear")
        self.ask("browser_sessionstorage_clear")

    def test_each_tool_of_both(self):
        for kind, name in (("local", "localStorage"), ("session", "sessionStorage")):
            with self.subTest(name):
                def ask(operation, kind=kind, **arguments):
                    return self.ask(f"browser_{kind}storage_{operation}", **arguments)
                self.assertEqual(ask("list").result, f"No {name} items found")
                self.assertEqual(ask("set", key="k", value="v").text,
                                 f"### Ran Playwright code\n```js\nawait page.{name}.setItem('k', 'v');\n```")
                self.assertEqual(self.ask("browser_evaluate", function=f"() => {name}.k").result, '"v"')
                self.assertEqual(ask("get", key="k").text,
                                 f"### Result\nk=v\n### Ran Playwright code\n```js\nawait page.{name}.getItem('k');\n```")
                self.assertEqual((ask("list").result, ask("list").code), ("k=v", f"await page.{name}.items();"))
                self.assertEqual(ask("get", key="other").result, f"{name} key 'other' not found")
                self.assertEqual(ask("delete", key="k").code, f"await page.{name}.removeItem('k');")
                self.assertEqual(ask("list").result, f"No {name} items found")
                ask("set", key="a", value="b")
                self.assertEqual(ask("clear").code, f"await page.{name}.clear();")
                self.assertEqual(ask("list").result, f"No {name} items found")

    def test_quotes_and_lines(self):
        value = "first 'one'\nsecond \"two\" \\ `three` ä 日 😀"
        answer = self.ask("browser_localstorage_set", key="it's", value=value)
        self.assertEqual(answer.code, "await page.localStorage.setItem('it\\'s', "
                         "'first \\'one\\'\\nsecond \"two\" \\\\ `three` ä 日 😀');")
        self.assertEqual(self.ask("browser_localstorage_get", key="it's").result, "it's=" + value)
        self.assertEqual(self.ask("browser_localstorage_list").result, "it's=" + value)

    def test_odd_keys(self):
        for key in ("", "length", "__proto__", "getItem"):
            self.ask("browser_localstorage_set", key=key, value="of " + key)
        self.assertEqual(sorted(self.ask("browser_localstorage_list").result.split("\n")),
                         sorted(f"{key}=of {key}" for key in ("", "length", "__proto__", "getItem")))
        self.assertEqual(self.ask("browser_localstorage_get", key="").result, "=of ")

    def test_a_page_that_replaces_the_functions(self):
        self.ask("browser_evaluate", function="() => { Storage.prototype.setItem = Storage.prototype.getItem = () => 'mine'; }")
        self.ask("browser_localstorage_set", key="k", value="real")
        self.assertEqual(self.ask("browser_localstorage_get", key="k").result, "k=real")

    def test_the_page_is_the_current_one(self):
        self.ask("browser_localstorage_set", key="of", value="first")
        self.ask("browser_navigate", url=self.site.page("<p>other").replace("127.0.0.1", "localhost"))
        self.assertEqual(self.ask("browser_localstorage_list").result, "No localStorage items found")

    def test_pages_without_storage(self):
        for url, reason in (("about:blank", "Access is denied for this document."),
                            ("data:text/html,x", "Storage is disabled inside 'data:' URLs.")):
            self.ask("browser_navigate", url=url)
            for operation, arguments in (("list", {}), ("get", {"key": "k"}), ("set", {"key": "k", "value": "v"}),
                                         ("delete", {"key": "k"}), ("clear", {})):
                answer = self.ask(f"browser_localstorage_{operation}", **arguments)
                self.assertTrue(answer.is_error)
                self.assertTrue(answer.error.startswith("Error: browserBackend.callTool: SecurityError: " + by_engine(
                    chromium=f"Failed to read the 'localStorage' property from 'Window': {reason}", firefox="The operation is insecure")), answer)

    def test_no_room(self):
        self.ask("browser_evaluate", function="() => { localStorage.much = 'x'.repeat(5 * 1024 * 1024 - 20); }")
        answer = self.ask("browser_localstorage_set", key="more", value="y" * 100)
        self.assertIn("QuotaExceededError", answer.error)

    def test_missing_arguments(self):
        for tool, missing in (("set", "value"), ("get", "key"), ("delete", "key")):
            arguments = {"key": "k"} if missing == "value" else {}
            answer = self.ask(f"browser_sessionstorage_{tool}", **arguments)
            self.assertIn(f"✖ Invalid input: expected string, received undefined\n  → at {missing}", answer.error)


class States(SharedDropInCase):
    args = ("--caps", "storage")

    def setUp(self):
        self.write("nothing.json", {})
        self.assertFalse(self.ask("browser_set_storage_state", filename="nothing.json").is_error)

    def write(self, name, state):
        (self.folder / name).write_text(state if isinstance(state, str) else json.dumps(state), encoding="utf-8")

    def saved(self, name):
        self.assertFalse(self.ask("browser_storage_state", filename=name).is_error)
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def origin(self, host="127.0.0.1"):
        return self.site.url("", host=host)

    def test_cookies_and_storage_of_all_visited_origins(self):
        self.show("<p>one")
        self.ask("browser_cookie_set", name="c", value="d", sameSite="Strict", httpOnly=True)
        self.ask("browser_localstorage_set", key="first", value="line\n'quoted'")
        self.ask("browser_sessionstorage_set", key="not", value="saved")
        self.ask("browser_navigate", url=self.site.page("<p>two").replace("127.0.0.1", "localhost"))
        self.ask("browser_localstorage_set", key="second", value="2")
        self.assertEqual(self.saved("both.json"), {
            "cookies": [{"name": "c", "value": "d", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": True,
                         "secure": False, "sameSite": "Strict"}],
            "origins": [{"origin": self.origin("localhost"), "localStorage": [{"name": "second", "value": "2"}]},
                        {"origin": self.origin(), "localStorage": [{"name": "first", "value": "line\n'quoted'"}]}]})
        self.assertIn("- 0: (current)", self.ask("browser_tabs", action="list").result)
        self.assertNotIn("- 1:", self.ask("browser_tabs", action="list").result)

    def test_names_of_files(self):
        answer = self.ask("browser_storage_state", filename="it's.json")
        self.assertEqual(answer.result, "- [Storage state](./it's.json)")
        self.assertEqual(answer.code, "await page.context().storageState({ path: './it\\'s.json' });")
        answer = self.ask("browser_storage_state", filename="folder/inner.json")
        self.assertEqual(answer.result, "- [Storage state](folder/inner.json)")
        answer = self.ask("browser_storage_state")
        self.assertRegex(answer.result, r"^- \[Storage state\]\(\.playwright-mcp/storage-state-[\dTZ-]+\.json\)$")
        self.assertTrue(list((self.folder / ".playwright-mcp").glob("storage-state-*.json")))
        self.assertIn("File access denied: /etc/state.json is outside allowed roots",
                      self.ask("browser_storage_state", filename="/etc/state.json").error)

    def test_round_trip_replaces_what_was_there(self):
        self.show("<p>one")
        self.ask("browser_cookie_set", name="old", value="1")
        self.ask("browser_localstorage_set", key="old", value="1")
        state = {"cookies": [{"name": "new", "value": "2", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": True,
                              "secure": False, "sameSite": "Lax"}],
                 "origins": [{"origin": self.origin(), "localStorage": [{"name": "new", "value": "2"}]},
                             {"origin": "http://elsewhere.example", "localStorage": [{"name": "far", "value": "3"}]}]}
        self.write("state.json", state)
        answer = self.ask("browser_set_storage_state", filename="state.json")
        self.assertEqual(answer.result, "Storage state restored from state.json")
        self.assertEqual(answer.code, "await page.context().setStorageState('state.json');")
        self.assertEqual(self.ask("browser_evaluate", function="() => JSON.stringify(localStorage)").result, '"{\\"new\\":\\"2\\"}"')
        self.assertEqual(self.ask("browser_cookie_list").result, "new=2 (domain: 127.0.0.1, path: /)")
        self.assertEqual(self.saved("again.json"), state)

    def test_storage_that_the_state_lacks_is_cleared(self):
        self.show("<p>one")
        self.ask("browser_localstorage_set", key="gone", value="1")
        self.ask("browser_sessionstorage_set", key="stays", value="1")
        self.ask("browser_evaluate", function="() => new Promise(done => { const r = indexedDB.open('gone'); "
                 "r.onsuccess = () => { r.result.close(); done(); }; })")
        self.write("empty.json", {"cookies": [], "origins": []})
        self.ask("browser_set_storage_state", filename="empty.json")
        self.assertEqual(self.ask("browser_localstorage_list").result, "No localStorage items found")
        self.assertEqual(self.ask("browser_sessionstorage_get", key="stays").result, "stays=1")
        self.assertEqual(self.ask("browser_evaluate", function="() => indexedDB.databases()").result, "[]")

    def test_databases(self):
        self.show("<p>one")
        self.write("databases.json", {"origins": [{"origin": self.origin(), "localStorage": [], "indexedDB": [
            {"name": "db", "version": 4, "stores": [
                {"name": "things", "autoIncrement": False, "keyPath": "id",
                 "indexes": [{"name": "by", "keyPath": "colour", "multiEntry": False, "unique": False}],
                 "records": [{"value": {"id": 1, "colour": "red"}}, {"valueEncoded": {"o": [
                     {"k": "id", "v": 2}, {"k": "when", "v": {"d": "1970-01-01T00:00:01.000Z"}}], "id": 1}}]},
                {"name": "plain", "autoIncrement": True, "indexes": [], "records": [{"key": 7, "value": "seven"}]}]}]}]})
        answer = self.ask("browser_set_storage_state", filename="databases.json")
        self.assertFalse(answer.is_error, answer)
        read = """() => new Promise(done => { const open = indexedDB.open('db'); open.onsuccess = () => {
            const t = open.result.transaction(['things', 'plain']), things = t.objectStore('things');
            const found = [open.result.version, things.keyPath, things.indexNames[0]];
            things.getAll().onsuccess = e => found.push(e.target.result.map(v => v.colour ?? v.when.getTime()));
            t.objectStore('plain').get(7).onsuccess = e => found.push(e.target.result);
            t.oncomplete = () => { open.result.close(); done(JSON.stringify(found)); }; }; })"""
        self.assertEqual(json.loads(json.loads(self.ask("browser_evaluate", function=read).result)),
                         [4, "id", "by", ["red", 1000], "seven"])

    def test_files_that_cannot_be_read(self):
        path = self.folder / "missing.json"
        self.assertEqual(self.ask("browser_set_storage_state", filename="missing.json").error,
                         f"Error: Error reading storage state from {path}:\nENOENT: no such file or directory, open '{path}'")
        self.assertEqual(self.ask("browser_set_storage_state", filename=".").error,
                         f"Error: Error reading storage state from {self.folder}:\nEISDIR: illegal operation on a directory, read")
        self.assertIn("File access denied: /etc/passwd", self.ask("browser_set_storage_state", filename="/etc/passwd").error)
        self.write("broken.json", "{broken")
        self.assertIn(f"SyntaxError: Error reading storage state from {self.folder / 'broken.json'}:\n",
                      self.ask("browser_set_storage_state", filename="broken.json").error)

    def test_states_that_make_no_sense(self):
        def cookie(**more):
            return {"cookies": [{"name": "a", "value": "b", **more}]}
        for state, reason in (
                (None, "storageState: expected object, got null"),
                ("text", "storageState: expected object, got string"),
                ({"cookies": {}}, "storageState.cookies: expected array, got object"),
                ({"cookies": [1]}, "storageState.cookies[0]: expected object, got number"),
                ({"cookies": [{"name": "a"}]}, "storageState.cookies[0].value: expected string, got undefined"),
                (cookie(domain="a.b", path="/", expires="x"), "storageState.cookies[0].expires: expected float, got string"),
                (cookie(domain="a.b", path="/", sameSite="no"), "storageState.cookies[0].sameSite: expected one of (Strict|Lax|None)"),
                ({"origins": [{"localStorage": []}]}, "storageState.origins[0].origin: expected string, got undefined"),
                ({"origins": [{"origin": "http://a.b"}]}, "storageState.origins[0].localStorage: expected array, got undefined"),
                (cookie(), "Error setting storage state:\nCookie should have a url or a domain/path pair"),
                (cookie(url="http://a.b/", domain="a.b"), "Error setting storage state:\nCookie should have either url or domain"),
                (cookie(url="about:blank"), 'Error setting storage state:\nBlank page can not have cookie "a"')):
            with self.subTest(state=state):
                self.write("wrong.json", json.dumps(state))
                self.assertEqual(self.ask("browser_set_storage_state", filename="wrong.json").error,
                                 "Error: browserBackend.callTool: " + reason)
        self.write("wrong.json", {"origins": [{"origin": "file:///", "localStorage": []}]})
        self.assertIn("Error setting storage state", self.ask("browser_set_storage_state", filename="wrong.json").error)

    def test_a_cookie_by_its_url(self):
        self.write("url.json", {"cookies": [{"name": "u", "value": "v", "url": "http://site.example/deep/page"}]})
        self.ask("browser_set_storage_state", filename="url.json")
        self.assertEqual(self.ask("browser_cookie_list").result, "u=v (domain: site.example, path: /deep/)")


class Listed(DropInCase):
    def test_only_with_the_capability(self):
        answer = self.call(self.serve(), "browser_cookie_list")
        self.assertEqual((answer.is_error, answer.error), (True, 'Tool "browser_cookie_list" not found'))

    def test_code_is_javascript_in_every_language(self):
        client = self.serve("--caps", "storage", "--codegen", "python")
        self.open(client, "<p>code")
        self.assertEqual(self.call(client, "browser_localstorage_set", key="k", value="v").section("Ran Playwright code"),
                         "```python\nawait page.localStorage.setItem('k', 'v');\n```")

    def test_the_first_call(self):
        self.assertEqual(self.call(self.serve("--caps", "storage"), "browser_cookie_list").text,
                         "### Result\nNo cookies found\n### Ran Playwright code\n```js\nawait page.context().cookies();\n```")


@unittest.skipIf(REFERENCE, "it masks answers, but not files")
class Secrets(DropInCase):
    def test_values_of_secrets_are_masked(self):
        (self.folder / "secrets.env").write_text("TOKEN=top-secret-value\n", encoding="utf-8")
        client = self.serve("--caps", "storage", "--secrets", self.folder / "secrets.env")
        self.open(client, "<p>secrets<script>document.cookie = localStorage.token = 'top-' + 'secret-value';</script>")
        self.call(client, "browser_evaluate", function="() => { document.cookie = 'c=top-' + 'secret-value'; }")
        for tool in ("browser_cookie_list", "browser_localstorage_list"):
            answer = self.call(client, tool)
            self.assertIn("<secret>TOKEN</secret>", answer.result)
            self.assertNotIn("top-secret-value", answer.text)
        self.call(client, "browser_storage_state", filename="state.json")
        self.assertNotIn("top-secret-value", (self.folder / "state.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
