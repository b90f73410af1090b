"""The vault: logins are filled into pages of their origins, and their values are nowhere else."""
import base64
import hashlib
import hmac
import json
import os
import pathlib
import re
import ssl
import stat
import struct
import subprocess
import tempfile
import time
import unittest

from support import keys
from support.case import BrowserdCase, main
from support.client import ToolError
from support.engine import ENGINE
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.pages import Pages, Response

KEY = base64.b64encode(bytes(range(32))).decode()
USER, PASSWORD = "ann.lee@example.com", "correct \"horse\" & bättery"
SEED = "JBSWY3DPEHPK3PXPJBSWY3DP"
TOKEN = "token-" + "t" * 30

FORM = """<form method=post action=/in><label>E-mail <input name=email></label>
    <label>Password <input type=password name=password></label><button>Sign in</button></form>"""
CODE = "<form method=post action=/code><label>Code <input name=otp autocomplete=one-time-code></label><button>Go</button></form>"
SPY = """<script>
    addEventListener('input', event => report(['input', event.target.name, event.target.value]), true);
    setInterval(() => { for (const field of document.querySelectorAll('input')) if (field.value) report(['seen', field.name]); }, 20);
    </script>"""


def codes(seed=SEED, digits=6, period=30):
    """The one-time codes of now and of the periods around it (RFC 6238)."""
    key = base64.b32decode(seed)
    for step in (-1, 0, 1):
        digest = hmac.new(key, struct.pack(">Q", int(time.time()) // period + step), hashlib.sha1).digest()
        at = digest[-1] & 15
        yield str((struct.unpack(">I", digest[at:at + 4])[0] & 0x7fffffff) % 10 ** digits).zfill(digits)


def run(*args, given=None, env=None):
    return subprocess.run([os.environ["BROWSERD"], *args], input=given, text=True, capture_output=True, timeout=60,
                          env={**os.environ, "BROWSERD_STATE_KEY": KEY, **(env or {})}, check=False)


class VaultCase(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.vault = str(self.folder / "vault")

    def add(self, name, *origins, **more):
        login = {"origins": origins, "user": USER, "password": PASSWORD, **more}
        added = run("vault", "add", name, "--vault", self.vault, given=json.dumps(login))
        self.assertEqual(added.returncode, 0, added.stderr)

    def server(self, *args, **more):
        return self.start("--vault", self.vault, *args, env={"BROWSERD_STATE_KEY": KEY, **more.pop("env", {})}, **more)

    def site(self, form=FORM, tls=None):
        """A site whose login page is /login. What its forms send arrives in `sent`."""
        site = Pages(tls) if tls else self.pages()
        if tls:
            self.addCleanup(site.close)
        site.sent = []

        def take(request):
            site.sent.append(request.body.decode())
            return Response("<title>inside</title><h1>Welcome</h1>")
        site.route("/login", lambda _: Response(f"<title>login</title>{form}"))
        site.route("/in", take)
        site.route("/code", take)
        return site

    def open(self, client, url):
        session = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=session, url=url)
        return session

    def fill(self, client, session, name="shop", **more):
        return client.call("fill_login", sessionId=session, name=name, **more)

    def refused(self, client, session, *parts, name="shop", **more):
        error = client.fail("fill_login", sessionId=session, name=name, timeout=300, **more)
        for part in parts:
            self.assertIn(part, str(error))
        return error

    def values(self, client, session):
        return client.call("evaluate", sessionId=session,
                           expression="[...document.querySelectorAll('input')].map(field => field.value)")["value"]


class Command(VaultCase):
    def test_logins_are_added_listed_and_removed(self):
        self.add("shop", "https://shop.example", totp=SEED)
        self.add("bank", "https://bank.example", "https://login.bank.example", owners=["ann"])
        self.assertEqual(stat.S_IMODE(os.stat(self.vault).st_mode), 0o600)
        listed = run("vault", "list", "--vault", self.vault)
        self.assertEqual(listed.stdout, "bank: user password; https://bank.example https://login.bank.example; for ann\n"
                                        "shop: user password code; https://shop.example\n")
        for value in (USER, PASSWORD, SEED):
            self.assertNotIn(value.encode(), pathlib.Path(self.vault).read_bytes())
        self.assertEqual(run("vault", "remove", "bank", "--vault", self.vault).returncode, 0)
        self.assertNotIn("bank", run("vault", "list", "--vault", self.vault).stdout)
        gone = run("vault", "remove", "bank", "--vault", self.vault)
        self.assertEqual(gone.returncode, 1)
        self.assertIn('no login "bank"', gone.stderr)

    def test_wrong_words(self):
        for words, part in ((["vault", "add"], "vault add NAME"), (["vault", "list", "x"], "vault add NAME"), (["vault", "drop", "x"], "vault add"),
                            (["vault", "add", "a", "b"], 'unknown word "b"')):
            result = run(*words, "--vault", self.vault)
            self.assertEqual(result.returncode and part in result.stderr, True, result.stderr)
        self.assertIn("Give --vault FILE", run("vault", "list").stderr)
        for given, part in (("hunter2", "not JSON"), ('{"origins":["http://shop.example"],"password":"hunter2"}', "use https"),
                            ("x" * 70000, "too long"), ("", "not JSON")):
            result = run("vault", "add", "a", "--vault", self.vault, given=given)
            self.assertEqual(result.returncode, 1)
            self.assertIn(part, result.stderr)
            self.assertNotIn("hunter2", result.stderr + result.stdout)

    def test_the_key_is_made_when_it_is_needed(self):
        state = {"BROWSERD_STATE_KEY": "", "XDG_STATE_HOME": str(self.folder / "state")}
        login = json.dumps({"origins": ["https://shop.example"], "password": PASSWORD})
        missing = run("vault", "list", "--vault", self.vault, env=state)
        self.assertIn("state/browserd", missing.stderr)
        self.assertEqual(run("vault", "add", "shop", "--vault", self.vault, given=login, env=state).returncode, 0)
        key = self.folder / "state/browserd/key"
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)
        self.assertIn("shop", run("vault", "list", "--vault", self.vault, env=state).stdout)
        key.chmod(0o644)
        self.assertIn("can be read by other users", run("vault", "list", "--vault", self.vault, env=state).stderr)

    def test_on_a_terminal_secrets_are_not_shown(self):
        primary, replica = os.openpty()
        process = subprocess.Popen([os.environ["BROWSERD"], "vault", "add", "shop", "--vault", self.vault], stdin=replica, stdout=replica,
                                   stderr=replica, env={**os.environ, "BROWSERD_STATE_KEY": KEY})
        os.close(replica)
        said = b""
        for question, answer in (("Origins", "https://shop.example https://www.shop.example"), ("User name", USER), ("Password", PASSWORD),
                                 ("Key of one-time codes", SEED), ("Owners", "")):
            while question.encode() not in said.rpartition(b"\n")[2]:
                said += os.read(primary, 1000)
            os.write(primary, answer.encode() + b"\n")
        self.assertEqual(process.wait(60), 0)
        try:
            while chunk := os.read(primary, 1000):
                said += chunk
        except OSError:  # the other end is closed
            pass
        os.close(primary)
        self.assertIn(USER, said.decode())
        self.assertNotIn(PASSWORD, said.decode())
        self.assertNotIn(SEED, said.decode())
        self.assertIn("shop: user password code; https://shop.example https://www.shop.example", run("vault", "list", "--vault", self.vault).stdout)

    def test_doctor_looks_at_it(self):
        self.add("shop", "https://shop.example")
        self.assertIn(f"vault             1 logins in {self.vault}", run("doctor", "--vault", self.vault).stdout)
        self.assertIn("no client may use a login over HTTP", run("doctor", "--vault", self.vault, "--port", "0").stdout)
        os.chmod(self.vault, 0o666)
        found = run("doctor", "--vault", self.vault)
        self.assertEqual(found.returncode, 1)
        self.assertRegex(found.stdout, "WRONG +vault +.*can be written by other users")

    def test_a_vault_that_cannot_be_used_prevents_the_start(self):
        self.add("shop", "https://shop.example")
        content = pathlib.Path(self.vault).read_bytes()

        def expect(part, **env):
            result = run("--vault", self.vault, given="", env=env)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(part, result.stderr)
        expect("sealed with another key", BROWSERD_STATE_KEY=base64.b64encode(b"k" * 32).decode())
        expect("32 bytes in base64", BROWSERD_STATE_KEY="a passphrase")
        for changed, part in ((content[:-1] + bytes([content[-1] ^ 1]), "it was changed"), (content[:-5], "truncated"), (b"{}", "not a sealed document")):
            pathlib.Path(self.vault).write_bytes(changed)
            expect(part)
        pathlib.Path(self.vault).write_bytes(content)
        os.chmod(self.vault, 0o660)
        expect("can be written by other users")
        os.remove(self.vault)
        expect("No such file")


class Filling(VaultCase):
    def test_a_login_is_filled_and_sent(self):
        site = self.site()
        self.add("shop", site.url(""))
        client = self.server()
        session = self.open(client, site.url("/login"))
        self.assertEqual(client.call("list_logins")["logins"], [{"name": "shop", "origins": [site.url("")]}])
        filled = self.fill(client, session)
        self.assertEqual((filled["filled"], filled["submitted"]), (["user", "password"], False))
        self.assertEqual(site.sent, [])
        filled = self.fill(client, session, submit=True)
        self.assertTrue(filled["submitted"])
        self.assertTrue(filled["url"].endswith("/in"))
        sent = dict(part.split("=", 1) for part in site.sent[0].split("&"))
        self.assertEqual(sent, {"email": "ann.lee%40example.com", "password": "correct+%22horse%22+%26+b%C3%A4ttery"})

    def test_tools_are_there_with_a_vault_only(self):
        self.assertNotIn("fill_login", self.start().list_tools())
        self.add("shop", "https://shop.example")
        self.assertIn("fill_login", self.server().list_tools())
        self.assertNotIn("fill_login", self.start("--answers", "compact").list_tools())

    def test_fields_that_frameworks_watch_and_that_come_late(self):
        site = self.site("""<div id=root></div><script>setTimeout(() => {
            root.innerHTML = '<input type=search name=q><form onsubmit="report(state); return false"><input id=login-name><input type=password id=p><button>In</button></form>';
            const state = window.state = {};
            root.oninput = root.onchange = event => { (state[event.target.id] ??= []).push(event.type, event.isTrusted, event.target.value.length); };
            }, 200)</script>""" + "<script>function report(value) { navigator.sendBeacon('/report', JSON.stringify(value)); }</script>")
        self.add("shop", site.url(""))
        client = self.server()
        self.fill(client, self.open(client, site.url("/login")), submit=True)
        lengths = len(USER), len(PASSWORD)
        self.assertEqual(site.wait_report(), {name: ["input", False, length, "change", False, length]
                                              for name, length in zip(("login-name", "p"), lengths)})

    def test_one_time_codes(self):
        site = self.site(CODE)
        self.add("shop", site.url(""), totp=SEED)
        client = self.server()
        filled = self.fill(client, self.open(client, site.url("/login")), submit=True)
        self.assertEqual(filled["filled"], ["code"])
        self.assertIn(site.sent[0].removeprefix("otp="), list(codes()))
        boxes = self.site("<form method=post action=/code>" + "".join(f"<input maxlength=1 name=n{i}>" for i in range(6)) + "<button>Go</button></form>")
        self.add("shop", boxes.url(""), totp=SEED)
        client = self.server()
        self.fill(client, self.open(client, boxes.url("/login")), submit=True)
        self.assertIn("".join(re.findall(r"=(\d)", boxes.sent[0])), list(codes()))

    def test_user_name_and_password_on_pages_of_their_own(self):
        site = self.site("<form action=/second><label>User <input id=username name=u></label><button>Next</button></form>")
        site.route("/second", lambda _: Response("<form method=post action=/in><input type=password name=p><button>In</button></form>"))
        self.add("shop", site.url(""))
        client = self.server()
        session = self.open(client, site.url("/login"))
        self.assertEqual(self.fill(client, session, submit=True)["filled"], ["user"])
        self.assertEqual(self.fill(client, session, submit=True)["filled"], ["password"])
        self.assertEqual(len(site.sent), 1)

    def test_a_form_that_wants_more(self):
        site = self.site(FORM.replace("<button>", "<input type=checkbox name=terms required><button>"))
        self.add("shop", site.url(""))
        client = self.server()
        session = self.open(client, site.url("/login"))
        filled = self.fill(client, session, submit=True)
        self.assertIs(filled["submitted"], False)
        self.assertIn("wants more", filled["message"])
        self.assertEqual(site.sent, [])
        client.ask("browser_click", sessionId=session, target="[name=terms]")
        self.assertIs(self.fill(client, session, submit=True)["submitted"], True)

    def test_a_frame_of_the_same_origin(self):
        site = self.site()
        site.route("/outer", lambda _: Response("<title>outer</title><iframe src=/login></iframe>"))
        self.add("shop", site.url(""))
        client = self.server()
        self.fill(client, self.open(client, site.url("/outer")), submit=True)
        self.assertEqual(len(site.sent), 1)

    def test_https(self):
        cert, key = keys.certificate(self.folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        site = self.site(tls=context)
        self.add("shop", site.url(""))
        client = self.server("--ignore-https-errors")
        self.fill(client, self.open(client, site.url("/login")), submit=True)
        self.assertEqual(len(site.sent), 1)

    def test_the_clients_own_session(self):
        site = self.site()
        self.add("shop", site.url(""))
        client = self.server()
        self.assertIn("no session of its own", str(client.fail("fill_login", name="shop")))
        client.ask("browser_navigate", url=site.url("/login"))
        self.assertEqual(client.call("fill_login", name="shop", submit=True)["submitted"], True)
        self.assertIn("Welcome", client.ask("browser_snapshot"))


class Refusing(VaultCase):
    def spying(self, form=FORM):
        """A site that reports what gets into its fields."""
        site = self.site(form + "<script>function report(value) { navigator.sendBeacon('/report', JSON.stringify(value)); }</script>" + SPY)
        return site

    def expect_nothing(self, site, client, session):
        self.assertEqual(set(self.values(client, session)), {""})
        self.assertEqual(site.sent, [])
        self.assertTrue(site._reports.empty())

    def test_other_origins(self):
        site, other = self.site(), self.spying()
        self.add("shop", site.url(""), site.url("", host="localhost"))
        client = self.server()
        for url in (other.url("/login"), other.url("/login", host="localhost"), site.url("/login", host="127.0.0.2"),
                    site.url("/login", host="app.localhost")):
            try:
                session = self.open(client, url)
            except ToolError:  # this machine has no such address
                continue
            self.refused(client, session, "nothing was filled", url.removesuffix("/login"), site.url(""))
            self.expect_nothing(other, client, session)

    @unittest.skipIf(ENGINE == "firefox", "it has no option for the addresses of names")
    def test_names_that_look_alike(self):
        site = self.spying()
        self.add("shop", "https://shop.example", f"https://shop.example:{site.port}")
        names = ("shop.example", "shop.example.evil.example", "xn--shp-jxa.example", "evil.example")
        client = self.server("--browser-arg", "--host-resolver-rules=" + ",".join(f"MAP {name} 127.0.0.1" for name in names))
        for name in names:
            session = self.open(client, site.url("/login", host=name))  # over http: the first one is the right name
            self.refused(client, session, "nothing was filled")
            self.expect_nothing(site, client, session)

    @unittest.skipIf(ENGINE == "firefox", "it has no option for the addresses of names")
    def test_certificates_that_nobody_checks(self):
        cert, key = keys.certificate(self.folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        site = self.site(tls=context)
        self.add("shop", site.url("", host="shop.example"))
        client = self.server("--ignore-https-errors", "--browser-arg", "--host-resolver-rules=MAP shop.example 127.0.0.1")
        session = self.open(client, site.url("/login", host="shop.example"))
        self.refused(client, session, "does not check certificates")
        self.assertEqual(set(self.values(client, session)), {""})

    def test_frames(self):
        site, other = self.spying(), self.spying()
        site.route("/outer", lambda _: Response(f"<iframe src='{other.url('/login')}'></iframe><iframe sandbox='allow-scripts' src=/login></iframe>"
                                                "<iframe srcdoc='<input type=password>'></iframe>"))
        other.route("/outer", lambda _: Response(f"<iframe src='{site.url('/login')}'></iframe>"))
        self.add("shop", site.url(""))
        client = self.server()
        session = self.open(client, site.url("/outer"))
        error = str(client.fail("fill_login", sessionId=session, name="shop", timeout=2000))
        self.assertIn("the page shows no field", error)
        session = self.open(client, other.url("/outer"))
        self.refused(client, session, "nothing was filled", other.url(""))
        for spied in (site, other):
            self.assertEqual(spied.sent, [])
            self.assertTrue(spied._reports.empty())

    def test_forms_that_send_elsewhere(self):
        other = self.site()
        for form in (FORM.replace("action=/in", f"action={other.url('/in')}"),
                     FORM.replace("<button>", f"<input name=action><button formaction={other.url('/in')}>"),
                     FORM.replace("<form", f"<base href={other.url('/')}><form")):
            site = self.site(form)
            self.add("shop", site.url(""))
            client = self.server()
            session = self.open(client, site.url("/login"))
            self.refused(client, session, "the form sends what is in it to", other.url(""))
            self.assertEqual(set(self.values(client, session)), {""})
        site = self.site(FORM + f"<script>oninput = () => {{ document.forms[0].action = '{other.url('/in')}'; }}</script>")
        self.add("shop", site.url(""))
        client = self.server()
        self.refused(client, self.open(client, site.url("/login")), "the form sends", submit=True)
        self.assertEqual(other.sent + site.sent, [])

    def test_fields_that_nobody_sees(self):
        for style in ("display:none", "visibility:hidden", "opacity:0", "position:absolute;left:-9999px", "width:1px;height:1px;padding:0;border:0"):
            site = self.spying(f"<form method=post action=/in style='{style if style.startswith('display') else ''}'>"
                               f"<input name=user style='{style}'><input type=password name=p style='{style}'></form>")
            self.add("shop", site.url(""))
            client = self.server()
            session = self.open(client, site.url("/login"))
            self.refused(client, session, "the page shows no field")
            self.expect_nothing(site, client, session)

    def test_frames_that_nobody_sees(self):
        site = self.spying()
        self.add("shop", site.url(""))
        client = self.server()
        for style in ("opacity:0", "position:absolute;left:-9999px", "width:1px;height:1px", "visibility:hidden"):
            site.route("/outer", lambda _, style=style: Response(f"<iframe src=/login style='{style}'></iframe>"))
            session = self.open(client, site.url("/outer"))
            self.refused(client, session, "the page shows no field")
        self.assertTrue(site._reports.empty())

    def test_forms_for_a_new_password(self):
        site = self.spying("<form><input name=user><input type=password name=a><input type=password name=b></form>")
        self.add("shop", site.url(""))
        client = self.server()
        session = self.open(client, site.url("/login"))
        self.refused(client, session, "2 password fields")
        self.expect_nothing(site, client, session)

    def test_a_redirect_in_the_moment_of_filling(self):
        site, other = self.site(), self.spying()
        self.add("shop", site.url(""))
        for i in range(12):
            site.route(f"/login{i}", lambda _, i=i: Response(FORM + f"<script>setTimeout(() => {{ location = '{other.url('/login')}'; }}, {i * 8})</script>"))
        site.route("/writing", lambda _: Response(FORM + f"<script>oninput = () => {{ location = '{other.url('/login')}'; }}</script>"))
        site.route("/waiting", lambda _: Response(f"<script>setTimeout(() => {{ location = '{other.url('/login')}'; }}, 300)</script>"))
        client = self.server()
        for path in [f"/login{i}" for i in range(12)] + ["/writing", "/waiting"]:
            session = client.call("create_session")["sessionId"]
            client.call("navigate", sessionId=session, url=site.url(path), waitUntil="domcontentloaded")
            client.start_call("fill_login", {"sessionId": session, "name": "shop", "timeout": 2000}).result()
            client.call("navigate", sessionId=session, url=other.url("/login"))
            self.expect_nothing(other, client, session)
            client.call("close_session", sessionId=session)

    def test_logins_of_others(self):
        self.add("shop", "https://shop.example", owners=["bob"])
        client = self.server()
        self.assertEqual(client.call("list_logins")["logins"], [])
        unknown = str(client.fail("fill_login", name="nothing", sessionId="x"))
        foreign = str(client.fail("fill_login", name="shop", sessionId="x"))
        self.assertEqual(foreign, unknown.replace("nothing", "shop"))


class OverHttp(VaultCase):
    def http(self, *args):
        server = HttpServer("--vault", self.vault, *args, env={"BROWSERD_STATE_KEY": KEY})
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def logins(self, server, token=None):
        client = server.client(fields={"Authorization": f"Bearer {token}"} if token else {})
        return [login["name"] for login in client.call("list_logins")["logins"]]

    def test_a_token(self):
        self.add("shop", "https://shop.example")
        self.add("bank", "https://bank.example", owners=["ann"])
        self.assertEqual(self.logins(self.http("--auth-token", TOKEN), TOKEN), ["shop"])

    def test_no_token(self):
        self.add("shop", "https://shop.example")
        server = self.http()
        self.assertEqual(self.logins(server), [])
        self.assertIn("no client may use a login", server.stderr())

    def test_oauth(self):
        for name, more in (("shop", {}), ("bank", {"owners": ["ann"]}), ("mail", {"owners": ["ann", "bob"]})):
            self.add(name, f"https://{name}.example", **more)
        issuer = Issuer(self.folder, "https://tools.example/mcp")
        server = self.http("--auth-token", TOKEN, "--oauth-issuer", NAME, "--oauth-jwks", issuer.write(), "--public-url", "https://tools.example/mcp")
        self.assertEqual(self.logins(server, issuer.token(sub="ann")), ["bank", "mail"])
        self.assertEqual(self.logins(server, issuer.token(sub="bob")), ["mail"])
        self.assertEqual(self.logins(server, issuer.token(sub="eve")), [])
        self.assertEqual(self.logins(server, TOKEN), ["shop"])


@unittest.skipIf(ENGINE == "firefox", "memory is short there before a session sleeps")
class Sleeping(VaultCase):
    def test_filled_fields_do_not_come_back(self):
        """Woken up, they would be fields like any other."""
        site = self.site("<input id=note>" + FORM)
        self.add("shop", site.url(""))
        client = self.server("--max-sessions", "100", "--max-memory", "400", "--log-level", "info")
        session = self.open(client, site.url("/login"))
        client.ask("browser_type", sessionId=session, target="#note", text="kept")
        self.fill(client, session)

        def state():
            self.open(client, site.url("/login"))
            return {each["sessionId"]: each["state"] for each in client.call("list_sessions")["sessions"]}[session]
        self.repeat(state, lambda found: found == "sleeping")
        self.assertEqual(self.values(client, session), ["kept", "", ""])


class Nowhere(VaultCase):
    """The values are in no answer, log, file or event."""

    def check(self, where, text):
        text = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        quoted = json.dumps(PASSWORD)[1:-1]
        for value in (PASSWORD, quoted, json.dumps(PASSWORD, ensure_ascii=False)[1:-1], "correct+%22horse", "correct%20%22horse", USER,
                      "ann.lee%40example.com", base64.b64encode(PASSWORD.encode()).decode()[:-2], SEED, *codes()):
            self.assertNotIn(value, text, where)
        return text

    def ask(self, client, tool, **arguments):
        return self.check(tool, client.start_call(tool, arguments).result())

    def test_the_values_are_nowhere(self):
        site = self.site(FORM.replace("<button>", "<input name=otp autocomplete=one-time-code><button>") + """<p id=p></p><script>
            oninput = event => { const v = event.target.value; p.textContent += v; console.log(v, {v}); document.title = v;
                localStorage[event.target.name] = v; }; </script>""")
        site.route("/in", lambda request: Response(f"<title>inside</title><p>{request.body.decode()}</p>"))
        self.add("shop", site.url(""), totp=SEED)
        output, events = self.folder / "output", self.folder / "events.jsonl"
        client = self.server("--output-dir", str(output), "--event-sink", f"file:{events}", "--caps", "devtools,storage,observe", "--log-level", "debug")
        self.ask(client, "browser_navigate", url=site.url("/login"))
        target = client.call("cdp_list_targets")["targets"][0]["id"]
        client.call("cdp_observe", targetId=target)
        self.ask(client, "browser_start_tracing")
        self.ask(client, "fill_login", name="shop")
        self.assertIn("shows what a login has filled", self.ask(client, "browser_evaluate", function="() => document.body.innerText"))
        self.assertIn("<secret>shop.password</secret>", self.ask(client, "browser_snapshot"))
        self.ask(client, "browser_localstorage_list")
        self.ask(client, "browser_console_messages")
        self.ask(client, "browser_take_screenshot")
        self.ask(client, "fill_login", name="shop", submit=True)
        self.ask(client, "browser_snapshot")
        for function in ("document.body.innerText", "{...localStorage}", "JSON.stringify({...localStorage})", "localStorage.password",
                         "btoa(unescape(encodeURIComponent(localStorage.password)))", "encodeURIComponent(localStorage.password)"):
            self.assertIn("<secret>shop.", self.ask(client, "browser_evaluate", function=f"() => ({function})"), function)
        self.ask(client, "browser_run_code_unsafe", code="async page => page.evaluate(() => [localStorage.password, localStorage.email])")
        self.ask(client, "browser_network_requests", static=True)
        said = [self.ask(client, "browser_network_request", index=index, part=part) for index in range(1, 8)
                for part in ("request-headers", "request-body", "response-body")]
        self.assertIn("password=<secret>shop.password</secret>", "".join(said))
        self.ask(client, "cdp_read_events", targetId=target)
        self.ask(client, "browser_storage_state")
        self.ask(client, "browser_stop_tracing")
        client.close()
        self.check("the log", client.stderr())
        self.check("the event sink", events.read_text(encoding="utf-8"))
        self.check_files(output)

    def check_files(self, folder):
        files = [path for path in folder.rglob("*") if path.is_file()]
        self.assertTrue(files)
        for path in files:
            unpacked = self.folder / "unpacked" / path.name
            if path.suffix == ".zip":
                unpacked.mkdir(parents=True)
                subprocess.run(["python3", "-m", "zipfile", "-e", str(path), str(unpacked)], check=True)
                self.check_files(unpacked)
            else:
                self.check(str(path), path.read_bytes().decode("utf-8", "replace"))

    def test_pictures_show_dots(self):
        """Two user names of the same length look the same, also where the page shows the password as a text."""
        site = self.site(FORM + "<script>oninput = () => { document.querySelector('[name=password]').type = 'text'; }</script>")
        self.add("one", site.url(""), user="iiiiiiiiiiii", password="iiiiiiiiiiiii")
        self.add("two", site.url(""), user="MMMMMMMMMMMM", password="MMMMMMMMMMMMM")
        client, pictures = self.server(), set()
        for name in ("one", "two"):
            session = self.open(client, site.url("/login"))
            self.fill(client, session, name)
            answer = client.start_call("screenshot", {"sessionId": session}).result()
            pictures.add(json.dumps([part for part in answer["content"] if part["type"] == "image"]))
        self.assertEqual(len(pictures), 1)
        self.assertNotEqual(pictures, {"[]"})


class Code(VaultCase):
    """Code of agents does not meet the values."""

    def setUp(self):
        super().setUp()
        self.login = self.site()
        self.add("shop", self.login.url(""))
        self.client = self.server("--caps", "network")

    def test_code_that_ran_in_the_document(self):
        session = self.open(self.client, self.login.url("/login"))
        self.client.call("evaluate", sessionId=session, expression="1")
        self.refused(self.client, session, "code of yours has run in a page of this origin")
        self.client.call("navigate", sessionId=session, url=self.login.url("/login"))
        self.fill(self.client, session)

    def test_code_that_ran_beside_it(self):
        session = self.open(self.client, self.login.url("/login"))
        self.client.call("evaluate", sessionId=session, expression="1")
        self.client.ask("browser_tabs", sessionId=session, action="new")
        self.client.call("navigate", sessionId=session, url=self.login.url("/login"))
        self.refused(self.client, session, "code of yours has run in a page of this origin")

    def test_keys_leave_no_part_of_a_value(self):
        """The rest of a value would not be masked."""
        for keys in (["End", "Backspace"], ["Home", "Delete"], ["End", "x"], ["Home", "Shift+End", "y"], ["ControlOrMeta+a", "ControlOrMeta+x"]):
            session = self.open(self.client, self.login.url("/login"))
            self.fill(self.client, session)
            for field in ("[name=password]", "[name=email]"):
                self.client.ask("browser_click", sessionId=session, target=field)
                for key in keys:
                    self.client.ask("browser_press_key", sessionId=session, key=key)
            said = self.client.ask("browser_snapshot", sessionId=session)
            for part in ("horse", "bätter", "orrect", "ann.lee", "nn.lee", "example.co", "xample.com"):
                self.assertNotIn(part, said, keys)

    def test_no_part_is_copied(self):
        self.login.route("/login", lambda _: Response(FORM + "<textarea id=t></textarea><script>oninput = () => "
                                                      "{ document.querySelector('[name=password]').type = 'text'; }</script>"))
        session = self.open(self.client, self.login.url("/login"))
        self.fill(self.client, session)
        for field in ("[name=password]", "[name=email]"):
            self.client.ask("browser_click", sessionId=session, target=field)
            for key in ("Home", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "ControlOrMeta+c"):
                self.client.ask("browser_press_key", sessionId=session, key=key)
            self.client.ask("browser_click", sessionId=session, target="#t")
            self.client.ask("browser_press_key", sessionId=session, key="ControlOrMeta+v")
        said = self.client.ask("browser_snapshot", sessionId=session)
        for part in ("corr", "ann."):
            self.assertNotIn(part, said)

    def test_code_that_may_go_on(self):
        session = self.open(self.client, self.login.url("/login"))
        self.client.ask("browser_run_code_unsafe", sessionId=session, code="async page => 1")
        self.client.call("navigate", sessionId=session, url=self.login.url("/login"))
        self.refused(self.client, session, "log in with a new session")
        session = self.open(self.client, self.login.url("/login"))
        self.client.ask("browser_route", sessionId=session, pattern="**/in", body="no")
        self.refused(self.client, session, "log in with a new session")
        self.fill(self.client, self.open(self.client, self.login.url("/login")))

    def test_no_code_while_a_field_is_filled(self):
        session = self.open(self.client, self.login.url("/login"))
        self.fill(self.client, session)
        for tool, more in (("evaluate", {"expression": "1"}), ("browser_evaluate", {"function": "() => 1"}),
                           ("browser_run_code_unsafe", {"code": "async page => 1"})):
            self.assertIn("shows what a login has filled", json.dumps(self.client.start_call(tool, {"sessionId": session, **more}).result()))
        self.client.ask("browser_tabs", sessionId=session, action="new")
        self.assertIn("shows what a login has filled", str(self.client.fail("evaluate", sessionId=session, expression="1")))
        self.client.ask("browser_tabs", sessionId=session, action="select", index=0)
        self.fill(self.client, session, submit=True)
        self.assertEqual(self.client.call("evaluate", sessionId=session, expression="1")["value"], 1)


if __name__ == "__main__":
    main()
