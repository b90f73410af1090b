"""HTTP clients with OAuth tokens: which are taken, what they allow, and whose things are whose."""
import json
import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from support import keys
from support.case import BrowserdCase, main
from support.client import MODERN, PATIENCE, RpcError
from support.http_client import HttpError, HttpServer, Stream
from support.issuer import NAME, Issuer, Key, KeyServer, url64

URL = "https://tools.example/mcp"
METADATA = "https://tools.example/.well-known/oauth-protected-resource/mcp"


class OauthCase(BrowserdCase):
    """Tests that share an issuer and, where they start no other, a server."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.issuer = Issuer(folder.name, URL)
        cls.server = HttpServer("--oauth-issuer", NAME, "--oauth-jwks", cls.issuer.write(), "--public-url", URL)
        cls.addClassCleanup(cls.server.discard)
        cls.addClassCleanup(cls.server.close)

    def serve(self, jwks, *args, **more):
        server = HttpServer("--oauth-issuer", NAME, "--oauth-jwks", jwks, "--public-url", URL, *args, **more)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    @staticmethod
    def status(token, server, path="/metrics"):
        """The status, header fields and message of a request with this Authorization."""
        status, headers, body = server.ask("GET", path, headers={"Authorization": token} if token else {})
        return status, headers, json.loads(body)["error"]["message"] if body[:1] == b"{" else ""

    def client(self, version="2025-11-25", server=None, **claims):
        token = self.issuer.token(**claims)
        client = (server or self.server).client(version, fields={"Authorization": "Bearer " + token})
        if client.session_id:
            self.addCleanup(client.delete)
        return client


class Tokens(OauthCase):
    def test_each_algorithm(self):
        for alg in Key.KINDS:
            for more in ({}, {"header": {"kid": None}}, {"header": {"typ": None}}, {"header": {"typ": "JWT"}}):
                with self.subTest(alg=alg, more=more):
                    self.assertEqual(self.status("Bearer " + self.issuer.token(alg, **more), self.server)[0], 200)

    def test_what_may_differ(self):
        now = time.time()
        for claims in ({"aud": ["https://other.example", URL]}, {"nbf": None, "iat": None}, {"exp": now + 0.5}, {"exp": now - 30},
                       {"nbf": now + 30}, {"scope": None, "scp": ["browser:read"]}, {"scope": None, "scp": "browser:act x"},
                       {"sub": "ж" * 100}):
            with self.subTest(claims):
                self.assertEqual(self.status("bearer  " + self.issuer.token(**claims), self.server)[0], 200)

    def refused(self, token, said, server=None):
        server = server or self.server
        status, headers, message = self.status("Bearer " + token, server)
        self.assertEqual(status, 401, message)
        self.assertIn(said, message)
        field = headers["WWW-Authenticate"]
        self.assertTrue(field.startswith('Bearer error="invalid_token", error_description="'), field)
        self.assertIn(f'resource_metadata="{METADATA}"', field)
        self.assertIn('scope="browser:read"', field)
        if len(token) > 40:
            self.assertNotIn(token[-40:], server.stderr())

    def test_claims_that_are_wrong(self):
        now = int(time.time())
        for said, claims in (("issuer", {"iss": "https://other.example"}), ("issuer", {"iss": None}), ("issuer", {"iss": NAME + "/"}),
                             ("issuer", {"iss": [NAME]}), ("audience", {"aud": "https://other.example/mcp"}), ("audience", {"aud": None}),
                             ("audience", {"aud": URL + "/"}), ("audience", {"aud": [[URL]]}), ("audience", {"aud": {URL: URL}}),
                             ("expired", {"exp": now - 120}), ("no expiry time", {"exp": None}), ("expired", {"exp": str(now + 600)}),
                             ("not valid yet", {"nbf": now + 600}), ("not valid yet", {"nbf": "now"}), ("subject", {"sub": None}),
                             ("subject", {"sub": ""}), ("subject", {"sub": 7}), ("subject", {"sub": "x" * 1000})):
            with self.subTest(claims):
                self.refused(self.issuer.token(**claims), said)

    def test_signatures_that_are_wrong(self):
        issuer = self.issuer
        rsa, other = issuer.key("RS256"), Key(issuer.folder, "RS256", "other")
        pem = keys.openssl("pkey", "-in", rsa.path, "-pubout")
        good = issuer.token("RS256")
        head, claims, signature = good.split(".")
        none = {"alg": "none", "typ": "JWT"}
        self.assertEqual(self.status("Bearer " + good, self.server)[0], 200)
        for said, token in (
                ("must be signed", issuer.forged(none) + "eHh4"), ("not a JWT", issuer.forged(none)),
                ("must be signed", f"{url64({**none, 'alg': 'None'})}.{claims}.{signature}"),
                ("must be signed", f"{url64({'typ': 'JWT'})}.{claims}.{signature}"),
                ("must be signed", issuer.forged({"alg": "HS256", "kid": rsa.kid}, secret=pem)),
                ("must be signed", issuer.forged({"alg": "HS256", "kid": rsa.kid}, secret=rsa.public())),
                ("must be signed", issuer.token("RS256", header={"alg": "RS512"})),
                ("does not have", issuer.token(key=other)),
                ("signature is wrong", issuer.token(key=other, header={"kid": rsa.kid})),
                ("signature is wrong", issuer.token(key=other, header={"kid": None})),
                ("does not have", issuer.token("RS256", header={"alg": "PS256"})),
                ("does not have", issuer.token("RS256", header={"alg": "ES256"})),
                ("does not have", issuer.token("ES256", header={"alg": "EdDSA"})),
                ("does not have", issuer.token("ES256", header={"kid": "key-es256"})),
                ("signature is wrong", f"{head}.{url64(issuer.claims(sub='root'))}.{signature}"),
                ("signature is wrong", f"{head}.{claims}.{url64(b'')}AAAA"),
                ("signature is wrong", f"{issuer.token('ES256').rpartition('.')[0]}.{url64(bytes(64))}"),
                ("extensions", issuer.token(header={"crit": ["exp"]})), ("not that of an access token", issuer.token(header={"typ": "dpop+jwt"})),
                ("not that of an access token", issuer.token(header={"typ": 1}))):
            with self.subTest(said=said, token=token[:200]):
                self.refused(token, said)

    def test_texts_that_are_no_tokens(self):
        good = self.issuer.token()
        head, claims, signature = good.split(".")
        for token in ("x", ".", "..", "...", good + ".", good + ".x", f"{head}.{claims}", f"{head}..{signature}", f".{claims}.{signature}",
                      f"{head}=.{claims}.{signature}", f"{head}.{claims}.{signature}=", good.replace(".", ",", 1), f"{url64(b'[]')}.{claims}.{signature}",
                      f"{url64(b'{')}.{claims}.{signature}", "e30.e30.e30x*", url64(b"[" * 3000) + f".{claims}.{signature}", "a" * 10000):
            with self.subTest(token[:60]):
                self.refused(token, "the token")
        for length in range(0, len(good) - 1, 7):
            self.assertEqual(self.status("Bearer " + good[:length], self.server)[0], 401)
        self.assertEqual(self.status("Bearer " + "a" * 30000, self.server)[0], 431)

    def test_members_that_occur_twice(self):
        key = self.issuer.key("ES256")
        head, claims = json.dumps({"alg": "ES256", "kid": key.kid}), json.dumps(self.issuer.claims())
        many = json.dumps({**self.issuer.claims(), **{f"x{n}": n for n in range(300)}})

        def signed(head, claims):
            data = f"{url64(head.encode())}.{url64(claims.encode())}"
            return f"{data}.{url64(key.sign(data.encode()))}"

        self.assertEqual(self.status("Bearer " + signed(head, claims), self.server)[0], 200)
        for token in (signed(head[:-1] + ', "alg": "none"}', claims), signed('{"alg": "none", ' + head[1:], claims),
                      signed(head, claims[:-1] + ', "sub": "root"}'), signed(head, claims[:-1] + ', "s\\u0075b": "root"}'), signed(head, many)):
            with self.subTest(token[:200]):
                self.refused(token, "not a JWT")

    def test_other_ways_to_send_one(self):
        good = self.issuer.token()
        self.assertEqual(self.server.ask("GET", "/metrics?access_token=" + good)[0], 401)
        for field in (None, good, "Basic " + good, "DPoP " + good):
            status, headers, _ = self.status(field, self.server)
            self.assertEqual(status, 401)
            self.assertNotIn("error=", headers["WWW-Authenticate"])
            self.assertIn(METADATA, headers["WWW-Authenticate"])

    def test_every_request_needs_one(self):
        client = self.client()
        fields = client.fields
        client.fields = {}
        for action in (lambda: client.request("ping"), client.open_stream):
            with self.assertRaises(HttpError) as caught:
                action()
            self.assertEqual(caught.exception.status, 401)
        self.assertEqual(client.delete(), 401)
        client.fields = fields
        client.request("ping")
        self.assertEqual(self.server.ask("GET", "/sse", headers={"Accept": "text/event-stream"})[0], 401)
        self.assertEqual(self.server.ask("GET", "/health")[0], 200)  # from this machine

    def test_metadata(self):
        for path in ("", "/mcp"):
            status, _, body = self.server.ask("GET", "/.well-known/oauth-protected-resource" + path)
            self.assertEqual(status, 200)
            metadata = json.loads(body)
            self.assertEqual((metadata["resource"], metadata["authorization_servers"]), (URL, [NAME]))
            self.assertEqual(metadata["scopes_supported"], ["browser:read", "browser:act"])
            self.assertEqual(metadata["bearer_methods_supported"], ["header"])
        self.assertEqual(self.server.ask("POST", "/.well-known/oauth-protected-resource", b"{}")[0], 401)


class Rights(OauthCase):
    def forbidden(self, client, method, params, scope="browser:act"):
        with self.assertRaises(HttpError) as caught:
            client.request(method, params)
        self.assertEqual(caught.exception.status, 403)
        self.assertIn(scope, caught.exception.error["message"])
        self.assertIn(f'Bearer error="insufficient_scope", scope="{scope}", resource_metadata=', caught.exception.headers["WWW-Authenticate"])

    def test_no_scope_is_no_right(self):
        for scope in (None, "", "openid", "browser:readx", "browser", "xbrowser:act"):
            with self.subTest(scope):
                status, headers, _ = self.status("Bearer " + self.issuer.token(scope=scope), self.server)
                self.assertEqual(status, 403)
                self.assertIn('scope="browser:read"', headers["WWW-Authenticate"])

    def test_reading(self):
        for version in ("2025-11-25", MODERN):
            client = self.client(version, scope="browser:read")
            tools = client.request("tools/list")["tools"]
            client.call("list_sessions")
            for tool in tools:
                hints = tool.get("annotations", {})
                if not hints.get("readOnlyHint"):
                    self.forbidden(client, "tools/call", {"name": tool["name"], "arguments": {}})
            self.forbidden(client, "tools/call", {"name": "navigate"})

    def test_rights_and_chosen_tools_both_have_to_allow_a_call(self):
        server = self.serve(self.issuer.write(), "--answers", "compact", "--tools", "list_sessions,browser_click")
        for scope in ("browser:read", "browser:read browser:act"):
            client = self.client(server=server, scope=scope)
            self.assertEqual([tool["name"] for tool in client.request("tools/list")["tools"]], ["list_sessions", "browser_click"])
            client.call("list_sessions")
            if scope == "browser:read":
                self.forbidden(client, "tools/call", {"name": "browser_click", "arguments": {"target": "body"}})
                continue
            with self.assertRaises(RpcError) as caught:
                client.request("tools/call", {"name": "create_session", "arguments": {}})
            self.assertEqual(caught.exception.code, -32602)

    def test_there_is_no_way_around(self):
        client = self.client("2025-03-26", scope="browser:read")
        call = client.message("tools/call", {"name": "create_session", "arguments": {}})
        text = json.dumps(call)
        for body in (text, text.replace("tools/call", "tools\\u002fcall"),
                     text.replace("create_session", "create\\u005fsession"), " \n" + text,
                     text.replace('"method"', '"meth\\u006fd"'), text.replace('"params"', '"p\\u0061rams"'),
                     text.replace('"name"', '"n\\u0061me"')):
            with self.subTest(body), self.assertRaises(HttpError) as caught:
                client.exchange(body.encode())
            self.assertEqual(caught.exception.status, 403)
        for depth in (0, 10, 57, 58, 59, 60, 61, 62, 63, 64):
            deep = {"jsonrpc": "2.0", "method": "notifications/x", "params": {"x": json.loads("[" * depth + "]" * depth or "0")}}
            for batch in ([client.message("ping"), call, deep], [deep, call], [call], [[call]], [{"x": [call]}, call]):
                with self.subTest(depth=depth, batch=batch):
                    try:
                        answers = client.exchange(batch)
                    except HttpError as error:  # refused as a whole, where it is too deep
                        answers = [error]
                    self.assertFalse([answer for answer in answers if isinstance(answer, dict) and answer.get("id") == call["id"] and "error" not in answer])
                    for answer in answers:
                        if isinstance(answer, dict) and answer.get("id") == call["id"]:
                            self.assertIn("browser:act", answer["error"]["message"])
        self.assertEqual(json.loads(client.call("list_sessions"))["count"], 0)
        twice = text.replace('"name": "create_session"', '"name": "list_sessions", "name": "create_session"')
        answer = client.exchange(twice.encode())[0]
        self.assertEqual(json.loads(answer["result"]["content"][0]["text"])["count"], 0)

    def test_what_is_not_known_needs_the_right_to_act(self):
        for version in ("2025-11-25", MODERN):
            client = self.client(version, scope="browser:read")
            for method in ("tools/callx", "sessions/close", "x", "Tools/list"):
                self.forbidden(client, method, {})
            self.forbidden(client, "tools/call", {"name": "no such tool"})
            if version != MODERN:
                self.forbidden(client, "tools/call", {})
                self.forbidden(client, "tools/call", {"name": 7})
            for method, params in (("prompts/list", {}), ("resources/list", {}), ("resources/templates/list", {}),
                                   ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "x", "value": ""}})):
                client.request(method, params)

    def test_the_older_transport(self):
        reader = {"Authorization": "Bearer " + self.issuer.token(scope="browser:read")}
        connection = self.server.connect()
        connection.request("GET", "/sse", headers={"Accept": "text/event-stream", **reader})
        stream = iter(Stream(connection.getresponse(), connection))
        address = next(stream)["data"]

        def ask(message):
            body = json.dumps({"jsonrpc": "2.0", **message})
            self.assertEqual(self.server.ask("POST", address, body, {"Content-Type": "application/json", **reader})[0], 202)
            return next(answer for answer in (json.loads(event["data"]) for event in stream) if answer.get("id") == message["id"])

        hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        self.assertIn("result", ask({"id": 1, "method": "initialize", "params": hello}))
        self.assertIn("browser:act", ask({"id": 2, "method": "tools/call", "params": {"name": "create_session"}})["error"]["message"])
        self.assertIn("result", ask({"id": 3, "method": "tools/call", "params": {"name": "list_sessions"}}))
        connection.close()

    def test_a_call_that_acts_is_cancelled_by_who_may_act(self):
        pages, client, reader = self.pages(), self.client(sub="both"), self.client(sub="both", scope="browser:read")
        url, release = pages.held()
        reader.session_id = client.session_id
        client.call("create_session")
        with ThreadPoolExecutor(1) as pool:
            message = client.message("tools/call", {"name": "browser_navigate", "arguments": {"url": url}})
            answer = pool.submit(client.exchange, message)
            pages.wait_request(url)
            reader.notify("notifications/cancelled", {"requestId": message["id"]})
            release.set()
            self.assertEqual(answer.result(PATIENCE)[-1]["id"], message["id"])

    def test_acting(self):
        pages, client = self.pages(), self.client(scope="browser:act")
        client.navigate(pages.page("x", title="acted"))
        self.assertEqual(client.evaluate("() => document.title"), '"acted"')


class Owners(OauthCase):
    def test_sessions_belong_to_the_subject(self):
        ann, bob = self.client(), self.client(sub="bob")
        for method in ("ping", "tools/list"):
            stolen = self.server.client(MODERN, fields=bob.fields)
            stolen.version, stolen.session_id = "2025-11-25", ann.session_id
            with self.assertRaises(HttpError) as caught:
                stolen.request(method)
            self.assertEqual(caught.exception.status, 404)
        self.assertEqual(stolen.delete(), 404)
        with self.assertRaises(HttpError) as caught:
            stolen.open_stream()
        self.assertEqual(caught.exception.status, 404)
        ann.fields = self.client(sub="ann").fields  # a newer token
        ann.request("ping")

    def test_what_one_made_is_anothers_secret_and_outlives_the_connection(self):
        pages, ann = self.pages(), self.client()
        ident = ann.call("create_session")["sessionId"]
        ann.call("navigate", sessionId=ident, url=pages.page("x", title="ann's"))
        self.assertEqual(ann.delete(), 204)
        for version in ("2025-11-25", MODERN):
            again, bob = self.client(version), self.client(version, sub="bob")
            self.assertEqual(bob.fail("evaluate", sessionId=ident, expression="1")["errorCode"], "SESSION_NOT_FOUND")
            self.assertEqual([s["sessionId"] for s in again.call("list_sessions")["sessions"]], [ident])
            self.assertEqual(bob.call("list_sessions")["count"], 0)
            self.assertEqual(again.call("evaluate", sessionId=ident, expression="document.title")["value"], "ann's")
        self.assertTrue(again.call("close_session", sessionId=ident)["success"])


    def test_limits_are_the_users(self):
        server = self.serve(self.issuer.write(), "--http-calls-per-minute", "3", "--http-sessions-per-minute", "2")
        for claims in ({}, {"sub": "bob"}):
            one, two = self.client(server=server, **claims), self.client(server=server, **claims)
            with self.assertRaises(HttpError) as caught:
                self.client(server=server, **claims)
            self.assertEqual(caught.exception.status, 429)
            for client in (one, two, one):
                client.call("list_sessions")
            with self.assertRaises(HttpError) as caught:
                two.call("list_sessions")
            self.assertEqual(caught.exception.status, 429)


class Discovery(OauthCase):
    """Without --oauth-jwks, the issuer's metadata says where its keys are."""

    def issue(self, place, below="", **changes):
        """The name of an issuer whose metadata is at this place, with these changes, and its server."""
        def answer(path):
            if path == "/the/keys":
                return json.dumps(self.issuer.jwks()).encode()
            metadata = {"issuer": source.origin + below, "jwks_uri": source.origin + "/the/keys", **changes}
            return json.dumps(metadata).encode() if path == place else None

        source = KeyServer(answer)
        self.addCleanup(source.close)
        server = HttpServer("--oauth-issuer", source.origin + below, "--public-url", URL)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return source.origin + below, server

    def ask_until_known(self, token, server):
        end = time.monotonic() + PATIENCE
        while (status := self.status("Bearer " + token, server)[0]) == 503:
            self.assertLess(time.monotonic(), end)
        return status

    def test_each_place_of_the_metadata(self):
        for place, below in (("/.well-known/oauth-authorization-server", ""), ("/.well-known/openid-configuration", ""),
                             ("/.well-known/oauth-authorization-server/of/us", "/of/us"),
                             ("/.well-known/openid-configuration/of/us", "/of/us"), ("/of/us/.well-known/openid-configuration", "/of/us"),
                             ("/of/us/.well-known/openid-configuration", "/of/us/"), ("/.well-known/openid-configuration", "/")):
            with self.subTest(place=place, below=below):
                name, server = self.issue(place, below)
                self.assertEqual(self.ask_until_known(self.issuer.token(iss=name), server), 200)
                self.assertEqual(self.status("Bearer " + self.issuer.token(), server)[0], 401)

    def test_metadata_that_cannot_be_used(self):
        for said, place, changes in (("HTTP status 404", "/elsewhere", {}), ("another issuer", "/.well-known/openid-configuration", {"issuer": NAME}),
                                     ("another issuer", "/.well-known/openid-configuration", {"issuer": 7}),
                                     ("no jwks_uri", "/.well-known/openid-configuration", {"jwks_uri": None}),
                                     ("must be fetched over https", "/.well-known/openid-configuration", {"jwks_uri": "http://keys.example/"}),
                                     ("not a URL such as", "/.well-known/openid-configuration", {"jwks_uri": "file:///etc/passwd"})):
            with self.subTest(changes):
                name, server = self.issue(place, **changes)
                server._wait(lambda server=server, said=said: said in server.stderr())
                self.assertIn(self.status("Bearer " + self.issuer.token(iss=name), server)[0], (401, 503))


class Keys(OauthCase):
    def test_keys_from_a_file_are_read_again(self):
        path = self.issuer.write("rotated.json")
        server = self.serve(path)
        new = Key(self.issuer.folder, "ES256", "new")
        token = "Bearer " + self.issuer.token(key=new)
        self.issuer.write("rotated.json", {"keys": [new.jwk()]})
        self.assertEqual(self.status(token, server)[0], 200)
        self.assertEqual(self.status("Bearer " + self.issuer.token(), server)[0], 401)
        self.issuer.write("rotated.json")
        self.assertEqual(self.status("Bearer " + self.issuer.token(), server)[0], 401)  # not so soon again

    def test_a_token_that_was_good_is_looked_at_again_when_keys_come(self):
        path = self.issuer.write("gone.json")
        server = self.serve(path)
        token = "Bearer " + self.issuer.token("RS256")
        for _ in range(3):
            self.assertEqual(self.status(token, server)[0], 200)
        self.issuer.write("gone.json", {"keys": [self.issuer.key("ES256").jwk()]})
        self.assertEqual(self.status(token, server)[0], 200)  # the key set has not been fetched again
        self.assertEqual(self.status("Bearer " + self.issuer.token(header={"kid": "new"}), server)[0], 401)  # now one has
        self.assertEqual(self.status(token, server)[0], 401)

    def test_a_token_that_was_good_expires(self):
        token = "Bearer " + self.issuer.token(exp=time.time() - 57)  # in three seconds: clocks may differ by a minute
        self.assertEqual(self.status(token, self.server)[0], 200)
        end = time.monotonic() + PATIENCE
        while self.status(token, self.server)[0] == 200:
            self.assertLess(time.monotonic(), end)
        self.assertIn("expired", self.status(token, self.server)[2])

    def test_keys_that_are_due(self):
        path = self.issuer.write("due.json")
        server = self.serve(path, "--oauth-jwks-refresh", "1000")
        new = Key(self.issuer.folder, "EdDSA", "due")
        token = "Bearer " + self.issuer.token(key=new, header={"kid": None})  # does not fetch the key set, which has a key of this kind
        self.assertEqual(self.status(token, server)[0], 401)
        self.issuer.write("due.json", {"keys": [new.jwk()]})
        end = time.monotonic() + PATIENCE
        while self.status(token, server)[0] != 200:
            self.assertLess(time.monotonic(), end)

    def ask_until_known(self, token, server):
        end = time.monotonic() + PATIENCE
        while (status := self.status(token, server)[0]) == 503:
            self.assertLess(time.monotonic(), end)
        return status

    def test_keys_from_an_address(self):
        served = {"keys": [self.issuer.key("RS256").jwk()]}
        source = KeyServer(lambda _: json.dumps(served).encode())
        self.addCleanup(source.close)
        server = self.serve(source.url)
        self.assertEqual(self.ask_until_known("Bearer " + self.issuer.token("RS256"), server), 200)
        self.assertTrue(source.asked.acquire(timeout=PATIENCE))
        served["keys"].append(self.issuer.key("ES256").jwk())
        self.assertEqual(self.ask_until_known("Bearer " + self.issuer.token("ES256"), server), 200)
        self.assertTrue(source.asked.acquire(timeout=PATIENCE))
        for n in range(50):  # strangers do not make us ask
            self.assertEqual(self.status("Bearer " + self.issuer.token(header={"kid": f"made-up-{n}"}), server)[0], 401)
        self.assertFalse(source.asked.acquire(blocking=False))

    def test_keys_from_an_address_with_tls(self):
        cert = keys.certificate(self.issuer.folder, "issuer")
        source = KeyServer(lambda _: json.dumps(self.issuer.jwks()).encode(), tls=cert)
        self.addCleanup(source.close)
        server = self.serve(source.url, env={"SSL_CERT_FILE": cert[0]})
        self.assertEqual(self.ask_until_known("Bearer " + self.issuer.token(), server), 200)
        stranger = self.serve(source.url)  # does not trust that certificate
        stranger._wait(lambda: "cannot fetch" in stranger.stderr())
        self.assertIn(self.status("Bearer " + self.issuer.token(), stranger)[0], (401, 503))

    def test_a_server_with_the_certificate_of_another_name(self):
        cert = keys.certificate(self.issuer.folder, "elsewhere", "DNS:elsewhere.example")
        source = KeyServer(lambda _: json.dumps(self.issuer.jwks()).encode(), tls=cert)
        self.addCleanup(source.close)
        server = self.serve(source.url, env={"SSL_CERT_FILE": cert[0]})
        server._wait(lambda: "cannot fetch" in server.stderr())
        self.assertIn(self.status("Bearer " + self.issuer.token(), server)[0], (401, 503))

    def test_a_server_without_a_name(self):
        cert = keys.certificate(self.issuer.folder, "numbers", "IP:::1,IP:127.0.0.1")
        other = keys.certificate(self.issuer.folder, "others", "IP:::2,IP:127.0.0.2,DNS:localhost")
        for host in ("::1", "127.0.0.1"):
            with self.subTest(host):
                source = KeyServer(lambda _: json.dumps(self.issuer.jwks()).encode(), tls=cert, host=host)
                self.addCleanup(source.close)
                server = self.serve(source.url, env={"SSL_CERT_FILE": cert[0]})
                self.assertEqual(self.ask_until_known("Bearer " + self.issuer.token(), server), 200)
                wrong = KeyServer(lambda _: json.dumps(self.issuer.jwks()).encode(), tls=other, host=host)
                self.addCleanup(wrong.close)
                server = self.serve(wrong.url, env={"SSL_CERT_FILE": other[0]})
                server._wait(lambda server=server: "cannot fetch" in server.stderr())
                self.assertIn(self.status("Bearer " + self.issuer.token(), server)[0], (401, 503))

    def test_an_address_that_is_slow_holds_nobody_up(self):
        release = threading.Event()
        self.addCleanup(release.set)
        source = KeyServer(lambda _: release.wait(PATIENCE) and json.dumps(self.issuer.jwks()).encode())
        self.addCleanup(source.close)
        server = self.serve(source.url)
        status, headers, message = self.status("Bearer " + self.issuer.token(), server)
        self.assertEqual((status, headers["Retry-After"]), (503, "1"), message)
        self.assertEqual(server.ask("GET", "/health")[0], 200)
        release.set()
        self.assertEqual(self.ask_until_known("Bearer " + self.issuer.token(), server), 200)

    def test_an_address_that_does_not_work(self):
        answers = [b"<html>", b"{}", b'{"keys": []}', b"x" * 2_000_000]
        for answer in answers:
            source = KeyServer(lambda _, answer=answer: answer)
            self.addCleanup(source.close)
            server = self.serve(source.url)
            server._wait(lambda server=server: "cannot fetch" in server.stderr())
            self.assertIn(self.status("Bearer " + self.issuer.token(), server)[0], (401, 503))
            self.assertEqual(server.ask("GET", "/health")[0], 200)

    def test_keys_that_cannot_be_used(self):
        small = Key(self.issuer.folder, "RS256", "small", bits=1024)
        rsa = self.issuer.key("RS256").jwk()
        point = self.issuer.key("ES256").jwk()
        bad = [small.jwk(), {**rsa, "use": "enc"}, {**rsa, "key_ops": ["sign"]}, {**rsa, "n": ""}, {**rsa, "n": 5}, {**rsa, "e": "AA"},
               {**point, "x": point["y"]}, {**point, "crv": "P-384"}, {"kty": "oct", "k": url64(b"secret" * 8)}, {"kty": "EC"}, {}, 7,
               {**self.issuer.key("EdDSA").jwk(), "crv": "X25519"}]
        for n, key in enumerate(bad):
            with self.subTest(key):
                self.fails_to_start("no key for", "--oauth-issuer", NAME, "--oauth-jwks", self.issuer.write(f"bad-{n}.json", {"keys": [key]}))
        server = self.serve(self.issuer.write("mixed.json", {"keys": [*bad, self.issuer.key("EdDSA").jwk()]}))
        self.assertEqual(self.status("Bearer " + self.issuer.token("EdDSA"), server)[0], 200)
        for token in (self.issuer.token(key=small), self.issuer.token("RS256")):
            self.assertEqual(self.status("Bearer " + token, server)[0], 401)

    def fails_to_start(self, said, *args):
        server = self.start_unchecked("--port", "0", *args, version=None)
        self.assertEqual(server.wait(), 1)
        self.assertIn(said, server.stderr())

    def test_options_that_do_not_go_together(self):
        path = self.issuer.write("good.json")
        for said, args in (("without --oauth-jwks", ("--oauth-issuer", "http://issuer.example")), ("need --oauth-issuer", ("--oauth-jwks", path)),
                           ("--oauth-jwks: /nowhere", ("--oauth-issuer", NAME, "--oauth-jwks", "/nowhere")),
                           ("must be fetched over https", ("--oauth-issuer", NAME, "--oauth-jwks", "http://keys.example/jwks")),
                           ("not a URL such as", ("--oauth-issuer", NAME, "--oauth-jwks", "https:///jwks")),
                           ("--public-url", ("--oauth-issuer", NAME, "--oauth-jwks", path, "--host", "0.0.0.0"))):
            with self.subTest(args):
                self.fails_to_start(said, *args)

    def test_other_audiences_and_a_token_of_our_own(self):
        server = self.serve(self.issuer.write(), "--oauth-audience", "api://browser", "--auth-token", "correct-horse-battery")
        for token, status in ((self.issuer.token(aud="api://browser"), 200), (self.issuer.token(), 401), ("correct-horse-battery", 200),
                              ("correct-horse-batterx", 401)):
            self.assertEqual(self.status("Bearer " + token, server)[0], status)


if __name__ == "__main__":
    main()
