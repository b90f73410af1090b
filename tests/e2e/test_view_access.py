"""Who may look at the live view: pages and their headers, tokens and cookies, links, other sites, other owners, WebSockets."""
import re
import subprocess
import sys
import tempfile
import time
import unittest

from support import keys
from support.case import main
from support.client import binary
from support.fleet import Fleet, program
from support.http_case import HttpCase
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.view import Person, ViewClosed

TOKEN = "correct-horse-battery"
STRICT = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class ViewCase(HttpCase):
    def visitor(self, server=None, **more):
        person = Person(server or self.server, **more)
        self.addCleanup(person.close)
        return person

    def known(self, **more):
        """One who has logged in with the token."""
        person = self.visitor(**more)
        self.assertEqual(person.log_in(TOKEN)[0], 200)
        return person


class Pages(ViewCase):
    args = ("--auth-token", TOKEN)

    def test_files(self):
        person = self.visitor()
        for path, kind in (("/view", "text/html"), ("/view/", "text/html"), ("/view/view.js", "text/javascript"), ("/view/view.css", "text/css"),
                           ("/view/l/0123", "text/html")):
            status, headers, body = person.navigate(path)
            self.assertEqual((status, headers.get_content_type()), (200, kind), path)
            self.assertGreater(len(body), 0)

    def test_every_answer_has_the_strict_headers(self):
        person = self.visitor()
        answers = [person.navigate("/view"), person.navigate("/view/nothing"), person.ask("GET", "/view/me"), person.log_in("wrong"),
                   person.ask("GET", "/view", Host="evil.example"), person.ask("GET", "/view/me", Sec_Fetch_Site="cross-site"),
                   person.ask("PUT", "/view/login"), person.ask("GET", "/view/socket")]
        self.assertEqual([status for status, _, _ in answers], [200, 404, 401, 401, 403, 403, 405, 403])
        for _, headers, _ in answers:
            policy = headers["Content-Security-Policy"]
            for part in ("default-src 'none'", "frame-ancestors 'none'", "script-src 'self'", "base-uri 'none'", "form-action 'none'"):
                self.assertIn(part, policy)
            self.assertEqual({name: headers[name] for name in STRICT}, STRICT)
            self.assertIsNone(headers["Access-Control-Allow-Origin"])

    def test_the_page_has_nothing_of_other_places(self):
        for path in ("/view", "/view/l/x"):
            page = self.visitor().navigate(path)[2].decode()
            self.assertEqual(re.findall(r"<script(?![^>]*\bsrc=\"/view/)|\bon\w+=|\bstyle=|https?://", page), [], path)


class Senders(ViewCase):
    """Requests that do not come from the page itself."""

    args = ("--auth-token", TOKEN, "--allowed-hosts", "http://localhost:3000, tools.example")

    def test_other_pages_are_refused(self):
        port = self.server.port
        for fields in ({"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Origin": "http://evil.example"},
                       {"Origin": "null"}, {"Origin": f"http://localhost:{port}"}, {"Origin": f"http://127.0.0.1:{port + 1}"},
                       {"Origin": "http://localhost:3000"}):  # may use /mcp, and not this
            for method, path in (("GET", "/view/me"), ("POST", "/view/login"), ("POST", "/view/logout"), ("POST", "/view/l/x"),
                                 ("GET", "/view/view.js")):
                with self.subTest(fields=fields, path=path):
                    person = self.known()
                    self.assertEqual(person.ask(method, path, Authorization=f"Bearer {TOKEN}", **fields)[0], 403)
                    self.assertEqual(person.ask("GET", "/view/me")[0], 200)  # it has not been logged out either
            with self.subTest(fields=fields, path="socket"):
                self.assertEqual(self.known().socket(**fields).status, 403)

    def test_posts_and_sockets_need_the_origin(self):
        person = self.known()
        for fields in ({}, {"Sec_Fetch_Site": None}):
            self.assertEqual(person.ask("POST", "/view/logout", Origin=None, **fields)[0], 403)
            self.assertEqual(person.socket(Origin=None, **fields).status, 403)

    def test_frames_and_embedded_files_are_refused(self):
        person = self.known()
        for dest in ("iframe", "frame", "embed", "object", "script", "image"):
            for path in ("/view", "/view/view.js", "/view/l/x"):
                status = person.ask("GET", path, Sec_Fetch_Site="cross-site", Sec_Fetch_Dest=dest,
                                    Sec_Fetch_Mode="navigate" if "frame" in dest else "no-cors")[0]
                self.assertEqual(status, 403, (dest, path))

    def test_people_may_come_from_other_pages(self):
        for path, status in (("/view", 200), ("/view/l/x", 200), ("/view/me", 403), ("/view/view.js", 403)):
            self.assertEqual(self.visitor().ask("GET", path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate",
                                                     Sec_Fetch_Dest="document")[0], status, path)

    def test_hosts(self):
        for host, status in (("evil.example", 403), ("tools.example", 200), (f"localhost:{self.server.port}", 200), ("", 403)):
            self.assertEqual(self.visitor(host=host).navigate("/view")[0], status, host)
        self.assertEqual(self.visitor(host="tools.example").log_in(TOKEN)[0], 200)
        self.assertEqual(self.visitor(host="tools.example", origin="https://tools.example").log_in(TOKEN)[0], 200)  # a proxy with TLS
        self.assertEqual(self.visitor(host="evil.example").socket().status, 403)


class Logins(ViewCase):
    args = ("--auth-token", TOKEN, "--node", "alpha")

    def test_the_cookie(self):
        person = self.visitor()
        status, headers, answer = person.log_in(TOKEN)
        self.assertEqual((status, answer["act"]), (200, True))
        self.assertRegex(headers["Set-Cookie"], r"^browserd_view_alpha=alpha\.[0-9a-f]{32}; Path=/view; HttpOnly; SameSite=Strict; Max-Age=43\d\d\d$")
        self.assertNotIn(TOKEN, headers["Set-Cookie"])
        self.assertEqual(person.ask("GET", "/view/me")[2]["act"], True)
        self.assertEqual(self.server.ask("GET", "/mcp", headers={"Cookie": headers["Set-Cookie"]})[0], 401)  # it is for the view alone

    def test_wrong_tokens(self):
        for token in (None, "", "wrong", TOKEN + "x", TOKEN[:-1]):
            person = self.visitor()
            status, headers, answer = person.log_in(token)
            self.assertEqual((status, headers["Set-Cookie"]), (401, None), token)
            self.assertIn("Authorization: Bearer", answer["error"])
        for cookie in ("", "alpha." + "0" * 32, "x", "alpha." + "0" * 31, "0" * 5000):
            person.cookies = {"browserd_view_alpha": cookie}
            self.assertEqual(person.ask("GET", "/view/me")[0], 401)
            self.assertEqual(person.socket().status, 401)
        self.assertNotIn("#token=", self.server.stderr())

    def test_logging_out(self):
        person = self.visitor()
        person.log_in(TOKEN)
        cookies, socket = dict(person.cookies), person.socket()
        self.assertEqual(socket.status, 101)
        self.assertEqual(person.ask("POST", "/view/logout")[0], 200)
        with self.assertRaises(ViewClosed) as caught:
            socket.receive_type("never")
        self.assertEqual(caught.exception.code, 4001)
        self.assertEqual(person.cookies, {})
        person.cookies = cookies
        self.assertEqual(person.ask("GET", "/view/me")[0], 401)

    def test_a_new_login_replaces_the_cookie(self):
        person = self.visitor()
        person.log_in(TOKEN)
        before = dict(person.cookies)
        person.log_in(TOKEN)
        self.assertNotEqual(person.cookies, before)
        person.cookies = before
        self.assertEqual(person.ask("GET", "/view/me")[0], 401)

    def test_there_are_not_too_many(self):
        first, last = self.visitor(), self.visitor()
        first.log_in(TOKEN)
        for _ in range(32):
            last.cookies = {}
            last.log_in(TOKEN)
        self.assertEqual((first.ask("GET", "/view/me")[0], last.ask("GET", "/view/me")[0]), (401, 200))

    def test_programs_send_the_token(self):
        person = self.visitor()
        self.assertEqual(person.socket(Authorization="Bearer wrong").status, 401)
        self.assertEqual(person.look(Authorization=f"Bearer {TOKEN}"), set())

    def test_another_node(self):
        person = self.visitor()
        self.assertEqual(person.ask("POST", "/view/login?node=beta", Authorization=f"Bearer {TOKEN}")[0], 421)
        self.assertEqual(person.ask("POST", "/view/login?node=alpha", Authorization=f"Bearer {TOKEN}")[0], 200)
        self.assertEqual(person.socket("?node=beta").status, 421)
        status, _, answer = person.ask("POST", "/view/l/beta." + "0" * 32)
        self.assertEqual(status, 421)
        self.assertIn('"beta"', answer["error"])
        for method, path in ("GET", "recordings"), ("GET", "recordings/a/manifest.json"), ("DELETE", "recordings/a"):
            status, _, answer = person.ask(method, f"/view/{path}?node=beta")
            self.assertEqual(status, 421, path)
            self.assertIn('"beta"', answer["error"])
            self.assertEqual(person.ask(method, f"/view/{path}?node=alpha")[0], 404 if "/" in path else 200, path)


class Owners(ViewCase):
    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer(cls.enterClassContext(tempfile.TemporaryDirectory()), "https://tools.example/mcp")
        cls.server = HttpServer("--oauth-issuer", NAME, "--oauth-jwks", cls.issuer.write(), "--public-url", "https://tools.example/mcp",
                                "--allowed-hosts", "tools.example")
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    def person(self, **claims):
        person = self.visitor(host="tools.example", origin="https://tools.example")
        return person, person.log_in(self.issuer.token(**claims))

    def client(self, **claims):
        client = self.server.client(fields={"Authorization": "Bearer " + self.issuer.token(**claims)})
        self.addCleanup(client.delete)
        return client

    def test_each_sees_its_own(self):
        own = self.client(sub="ann").call("create_session")["sessionId"]
        other = self.client(sub="bob").call("create_session")["sessionId"]
        self.assertEqual(self.person(sub="ann")[0].look(), {own})
        self.assertEqual(self.person(sub="bob")[0].look(), {other})
        self.assertEqual(self.person(sub="eve")[0].look(), set())

    def test_scopes(self):
        for scope, status, act in (("browser:read", 200, False), ("browser:act", 200, True), ("other", 403, None)):
            _, (got, headers, answer) = self.person(sub="ann", scope=scope)
            self.assertEqual((got, answer.get("act")), (status, act), scope)
        _, (_, headers, _) = self.person(sub="ann")
        self.assertIn("; Secure", headers["Set-Cookie"])

    def test_a_login_ends_with_its_token(self):
        person, (status, headers, _) = self.person(sub="ann", exp=time.time() - 57)  # it is accepted for 60 seconds more
        self.assertEqual(status, 200)
        self.assertLess(int(re.search(r"Max-Age=(\d+)", headers["Set-Cookie"])[1]), 60)
        socket = person.socket()
        with self.assertRaises(ViewClosed) as caught:
            socket.receive_type("never")
        self.assertEqual(caught.exception.code, 4001)
        self.assertEqual(person.ask("GET", "/view/me")[0], 401)


class WithoutTokens(ViewCase):
    """The view has a token of its own, in the address that is written to stderr."""

    def test_the_operator_sees_all(self):
        sessions = {self.client().call("create_session")["sessionId"] for _ in range(2)}
        self.assertRegex(self.server.stderr(), rf"http://127\.0\.0\.1:{self.server.port}/view#token=[0-9a-f]{{32}}\n")
        person = self.visitor()
        self.assertEqual((person.ask("GET", "/view/me")[0], person.socket().status), (401, 401))
        self.assertEqual(person.log_in()[0], 200)
        self.assertEqual(person.look(), sessions)

    def test_everybody_else_is_refused(self):
        """Whoever can use /mcp there, as other users of the machine, and agents, whose pages can be led to /view."""
        for token in ("", "0" * 32, "wrong"):
            status, _, answer = self.visitor().log_in(token)
            self.assertEqual(status, 401, token)
            self.assertIn("written to stderr", answer["error"])

    def test_a_page_of_an_agent(self):
        client = self.client()
        client.call("browser_navigate", url=f"http://127.0.0.1:{self.server.port}/view")
        self.assertIn("401", client.evaluate("() => fetch('/view/login', { method: 'POST' }).then(answer => answer.status)"))
        self.assertIn("401", client.evaluate("() => fetch('/view/me').then(answer => answer.status)"))

    def test_no_view(self):
        server = self.serve("--no-view")
        for path in ("/view", "/view/me", "/view/view.js"):
            self.assertEqual(server.ask("GET", path)[0], 404, path)
        self.assertNotIn("/view", server.stderr())

    def test_views_are_counted(self):
        person = self.visitor()
        person.log_in()
        sockets = [person.socket() for _ in range(20)]
        self.assertEqual({socket.status for socket in sockets}, {101})
        self.assertEqual(self.server.metric("browserd_views"), 20)
        refused = person.socket()
        self.assertEqual(refused.status, 429, refused.body)
        for socket in sockets:
            socket.close()
        self._wait_views(0)

    def _wait_views(self, count):
        deadline = time.monotonic() + 30
        while self.server.metric("browserd_views") != count:
            self.assertLess(time.monotonic(), deadline)


class Tls(ViewCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cert, key = keys.certificate(folder)
        cls.server = HttpServer("--tls-cert", cert, "--tls-key", key, "--auth-token", TOKEN, trust=cert)
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    def test_over_tls(self):
        person = self.visitor()
        self.assertIn("; Secure", person.log_in(TOKEN)[1]["Set-Cookie"])
        self.assertEqual(person.look(), set())
        plain = self.visitor(origin=f"http://127.0.0.1:{self.server.port}")
        self.assertEqual(plain.log_in(TOKEN)[0], 403)  # a page without TLS can be anybody's


@unittest.skipUnless(program("haproxy"), "HAProxy is not installed")
class Fleets(ViewCase):
    """Two nodes behind HAProxy, with the example's configuration: a page and a link stay on their node."""

    @classmethod
    def setUpClass(cls):
        cls.fleet = Fleet(2, "--auth-token", TOKEN, "--caps", "people")
        cls.addClassCleanup(cls.fleet.close)
        cls.server = cls.fleet.proxy

    def test_pages_and_links(self):
        for name, node in self.fleet.nodes.items():
            client = node.client(fields={"Authorization": f"Bearer {TOKEN}"})
            session = client.call("create_session")["sessionId"]
            person, guest = self.visitor(), self.visitor()
            status, headers, _ = self.visitor(node).navigate("/view")
            self.assertEqual((status, headers["Location"]), (303, f"/view?node={name}"))
            self.assertEqual(person.navigate(headers["Location"])[0], 200)
            self.assertEqual(person.ask("POST", f"/view/login?node={name}", Authorization=f"Bearer {TOKEN}")[0], 200)
            for _ in range(4):
                self.assertEqual(person.ask("GET", f"/view/me?node={name}")[0], 200)
                self.assertIn(session, person.look(f"?node={name}"))
            path = "/" + client.call("view_link", sessionId=session)["url"].split("/", 3)[3]
            self.assertEqual(guest.navigate(path)[0], 200)
            opened = guest.ask("POST", path)[2]
            self.assertEqual(opened["address"], f"/view?node={name}#/session/{session}")
            self.assertEqual(guest.look(f"?node={name}"), {session})
            client.delete()


class BesideStdio(ViewCase):
    @classmethod
    def setUpClass(cls):
        """Each test starts its server."""

    def test_view_port(self):
        client = self.start("--view-port", "0")
        client.wait_stderr("/view#token=")
        port, token = re.search(r"http://127\.0\.0\.1:(\d+)/view#token=([0-9a-f]{32})", client.stderr()).groups()
        session = client.call("create_session")["sessionId"]
        server = _Port(int(port))
        person = self.visitor(server)
        for path in ("/mcp", "/sse", "/health", "/metrics", "/.well-known/oauth-protected-resource", "/message"):
            for method in ("GET", "POST", "OPTIONS"):
                self.assertIn(server.ask(method, path, headers={"Authorization": f"Bearer {token}"})[0], (404,), path)
        self.assertEqual(person.log_in("wrong")[0], 401)
        self.assertEqual(person.log_in(token)[0], 200)
        self.assertEqual(person.look(), {session})
        socket = person.socket()
        client.close()
        with self.assertRaises(ViewClosed):
            socket.receive_type("never")

    def test_port_in_use(self):
        client = self.start("--view-port", "0")
        client.wait_stderr("/view#token=")
        port = re.search(r"127\.0\.0\.1:(\d+)/view", client.stderr())[1]
        ended = subprocess.run([binary(), "--view-port", port], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn(f"--view-port: cannot listen on 127.0.0.1 port {port}", ended.stderr)


class _Port(HttpServer):
    """The port of a server that somebody else started."""

    def __init__(self, port):  # pylint: disable=super-init-not-called
        self.tls, self.port = None, port


if __name__ == "__main__":
    main()
