"""What browserd does with a browser that it has not started (--cdp-endpoint): sessions, tabs, files, limits, hostile endpoints."""
import base64
import hashlib
import json
import os
import pathlib
import socket
import ssl
import subprocess
import tempfile
import threading

from support import keys
from support.answers import text_of
from support.case import BrowserdCase, main
from support.chromium import Chromium
from support.http_client import HttpServer
from support.pages import Pages
from support.relay import Relay


def call_over_http(client, tool, **arguments):
    return client.request("tools/call", {"name": tool, "arguments": arguments})


class EndpointCase(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Pages()
        cls.addClassCleanup(cls.site.close)
        cls.first = cls.site.page("<script>onload = () => report('first')</script>", title="first")
        cls.browser = Chromium(cls.first)
        cls.addClassCleanup(cls.browser.close)
        cls.site.wait_report()

    def attach(self, *args, endpoint=None, **more):
        return self.start("--cdp-endpoint", endpoint or self.browser.endpoint, *args, **more)

    def relay(self, *args, **more):
        relay = Relay(*args, **more)
        self.addCleanup(relay.close)
        return relay

    def assertOnlyFirst(self):
        self.browser.wait_pages(self.first)


class Sessions(EndpointCase):
    def test_each_has_a_context_of_its_own(self):
        client = self.attach()
        url = self.site.page("", title="own")
        sessions = [client.session() for _ in range(3)]
        for number, session in enumerate(sessions):
            session.navigate(url)
            self.assertEqual(session.evaluate("document.cookie"), "")
            session.evaluate(f"document.cookie = 'number={number}'")
        self.assertEqual([s.evaluate("document.cookie") for s in sessions], ["number=0", "number=1", "number=2"])
        self.assertIn(self.first, client.ask("browser_tabs", action="list"))
        self.browser.wait_pages(self.first, url, url, url)
        sessions[0].close()
        client.close()
        self.assertOnlyFirst()

    def test_tabs_that_were_opened_here_are_closed_at_the_end(self):
        client = self.attach()
        opener = self.site.page("<a href='/popped' target=_blank>Pop</a>", title="opener")
        self.site.route("/popped", "<title>popped</title>")
        client.ask("browser_tabs", action="new", url=opener)
        client.ask("browser_click", target="a", element="Pop")
        self.browser.wait_pages(self.first, opener, self.site.url("/popped"))
        client.close()
        self.assertOnlyFirst()

    def test_a_killed_server_leaves_no_context(self):
        client = self.start_unchecked("--cdp-endpoint", self.browser.endpoint)
        client.session().navigate(self.site.page(""))
        client.process.kill()
        client.wait()
        other = self.attach()
        other.ask("browser_snapshot")
        self.assertOnlyFirst()

    def test_tabs_of_other_programs_stay_theirs(self):
        """A context that another program makes while this server is attached."""
        client, other = self.attach(), self.attach()
        client.ask("browser_snapshot")
        session = other.session()
        session.navigate(self.site.page("", title="theirs"))
        self.assertNotIn("theirs", client.ask("browser_tabs", action="list"))
        client.close()
        self.assertEqual(session.evaluate("document.title"), "theirs")

    def test_a_new_tab_of_a_person_is_listed_and_left(self):
        client = self.attach()
        client.ask("browser_snapshot")
        url = self.site.page("<script>onload = () => report('shown')</script>", title="by hand")
        ident = json.loads(self.browser.ask(f"/json/new?{url}", method="PUT"))["id"]
        self.site.wait_report()
        self.assertIn("by hand", client.ask("browser_tabs", action="list"))
        client.close()
        self.browser.wait_pages(self.first, url)
        self.browser.close_target(ident)

    def test_pages_of_the_browser_itself_are_left_alone(self):
        ident = json.loads(self.browser.ask("/json/new?chrome://version", method="PUT"))["id"]
        client = self.attach()
        self.assertNotIn("chrome://", client.ask("browser_tabs", action="list"))
        client.close()
        self.assertIn("chrome://version/", self.browser.pages())
        self.browser.close_target(ident)

    def test_a_second_client_over_http_is_refused(self):
        server = HttpServer("--cdp-endpoint", self.browser.endpoint)
        self.addCleanup(server.close)
        one, two = server.client(), server.client()
        self.assertNotIn("isError", call_over_http(one, "browser_snapshot"))
        refused = call_over_http(two, "browser_snapshot")
        self.assertTrue(refused["isError"])
        self.assertIn("--isolated", text_of(refused))

    def test_clients_over_http_can_be_isolated(self):
        server = HttpServer("--cdp-endpoint", self.browser.endpoint, "--isolated")
        self.addCleanup(server.close)
        for client in (server.client(), server.client()):
            self.assertNotIn("first", text_of(call_over_http(client, "browser_tabs", action="list")))

    def test_a_busy_tab_does_not_hold_the_others(self):
        url = self.site.page("<script>report('busy'); for (;;) ;</script>", title="busy")
        ident = json.loads(self.browser.ask(f"/json/new?{url}", method="PUT"))["id"]
        self.site.wait_report()
        listed = self.attach().ask("browser_tabs", action="list")
        self.assertIn(self.first, listed)
        self.assertIn(url, listed)
        self.browser.close_target(ident)


class Files(EndpointCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_downloads_of_a_browser_on_this_machine(self):
        client = self.attach("--output-dir", self.folder)
        url = self.site.page("<a download=saved.txt href='data:text/plain,hello'>Save</a>")
        client.ask("browser_navigate", url=url)
        if "Downloaded file saved.txt" not in client.ask("browser_click", target="a", element="Save"):
            self.repeat(lambda: client.ask("browser_wait_for", time=0.1), lambda said: "Downloaded file saved.txt" in said)
        self.assertEqual((self.folder / "saved.txt").read_text(), "hello")
        client.ask("browser_navigate", url=self.first)

    def test_uploads_to_a_browser_on_this_machine(self):
        (self.folder / "given.txt").write_text("content")
        client = self.attach(cwd=self.folder)
        client.ask("browser_navigate", url=self.site.page("<input type=file>"))
        client.ask("browser_click", target="input", element="File")
        client.ask("browser_file_upload", paths=["given.txt"])
        answer = client.ask("browser_evaluate", function="() => document.querySelector('input').files[0].text()")
        self.assertIn("content", answer)
        client.ask("browser_navigate", url=self.first)

    def test_code_runs_in_a_sandbox(self):
        client = self.attach()
        answer = client.ask("browser_run_code_unsafe", code="async page => [await page.title(), typeof process]")
        self.assertIn('["first","undefined"]', answer)


class Addresses(EndpointCase):
    def test_a_user_and_a_password(self):
        relay = self.relay(self.browser.port, demanded="Authorization: Basic bWU6YSBi")
        path = self.browser.websocket.split("/", 3)[3]
        for address in (f"http://me:a%20b@127.0.0.1:{relay.port}", f"ws://me:a%20b@127.0.0.1:{relay.port}/{path}"):
            with self.subTest(address):
                self.assertNotIn("isError", self.attach(endpoint=address).start_call("browser_snapshot").result())


class Doctor(EndpointCase):
    def run_doctor(self, endpoint):
        return subprocess.run([os.environ["BROWSERD"], "--cdp-endpoint", endpoint, "doctor"], capture_output=True, text=True,
                              check=False, timeout=60)

    def test_it_connects(self):
        ended = self.run_doctor(self.browser.endpoint)
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertIn("--cdp-endpoint", ended.stdout)
        self.assertOnlyFirst()

    def test_it_says_why_it_cannot(self):
        ended = self.run_doctor("http://127.0.0.1:1")
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("ECONNREFUSED 127.0.0.1:1", ended.stdout)


class Limits(EndpointCase):
    def test_a_session_cannot_be_limited(self):
        failed = self.attach().fail("create_session", egress="public")
        self.assertIn("--cdp-endpoint", failed.body["message"])

    def test_secrets_of_an_address_are_shown_nowhere(self):
        client = self.attach("--log-level", "debug", "--cdp-header", "X-Key: hunter2",
                             endpoint="ws://me:hunter2@127.0.0.1:1/hunter2?token=hunter2")
        answer = client.ask("browser_snapshot")
        self.assertIn("ws://127.0.0.1:1 ", answer)
        self.assertNotIn("hunter2", answer + client.stderr())
        with open(f"/proc/{client.process.pid}/cmdline", encoding="utf-8") as file:
            self.assertNotIn("hunter2", file.read())


class Tls(EndpointCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.cert, key = keys.certificate(folder)
        cls.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        cls.tls.load_cert_chain(cls.cert, key)

    def test_https_and_wss(self):
        relay = self.relay(self.browser.port, tls=self.tls, demanded="Authorization: Basic bWU6aW4=")
        path = self.browser.websocket.split("/", 3)[3]
        large = "x" * 300_000
        for address in (f"https://me:in@localhost:{relay.port}", f"wss://me:in@127.0.0.1:{relay.port}/{path}"):
            with self.subTest(address):
                client = self.attach(endpoint=address, env={"SSL_CERT_FILE": self.cert})
                answer = client.ask("browser_evaluate", function=f"() => '{large}'.length + 'x'.repeat(300000)")
                self.assertIn("300000" + large, answer)

    def test_a_certificate_that_is_not_trusted(self):
        relay = self.relay(self.browser.port, tls=self.tls)
        for scheme in ("https", "wss"):
            client = self.attach("--ignore-https-errors", endpoint=f"{scheme}://localhost:{relay.port}")
            self.assertIn("certificate", client.ask("browser_snapshot"))
        client = self.attach(endpoint=f"wss://127.0.0.2:{relay.port}", env={"SSL_CERT_FILE": self.cert})
        self.assertTrue(client.start_call("browser_snapshot").result().get("isError"))

    def test_a_server_without_tls(self):
        client = self.attach(endpoint=f"wss://127.0.0.1:{self.browser.port}/x")
        self.assertIn("TLS", client.ask("browser_snapshot"))


class Hostile(EndpointCase):
    """Endpoints that answer what they like. `answer` gets each connection and the head of its request."""

    def endpoint(self, answer):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=self.talk, args=(connection, answer), daemon=True).start()
        threading.Thread(target=serve, daemon=True).start()
        return f"127.0.0.1:{listener.getsockname()[1]}"

    @staticmethod
    def talk(connection, answer):
        with connection:
            try:
                answer(connection, connection.recv(65536).decode("latin-1"))
            except OSError:
                pass

    def fails(self, address, *args):
        client = self.attach("--cdp-timeout", "500", *args, endpoint=address)
        for _ in range(2):
            result = client.start_call("browser_snapshot").result()
            self.assertTrue(result["isError"])
        return text_of(result)

    def test_texts_in_place_of_an_http_response(self):
        for reply in (b"", b"\0\xff" * 5000, b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 10000,
                      b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}", b"HTTP/1.1 abc\r\n\r\n",
                      b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                      b"HTTP/1.1 200 OK\r\n\r\n" + b'{"a":' * 100000, b'HTTP/1.1 200 OK\r\n\r\n{"webSocketDebuggerUrl": 5}',
                      b'HTTP/1.1 200 OK\r\n\r\n{"webSocketDebuggerUrl": "ws://x/\\r\\nA: b"}'):
            with self.subTest(reply[:60]):
                address = self.endpoint(lambda connection, _, reply=reply: connection.sendall(reply))
                self.fails(f"http://{address}")

    def test_endless_data(self):
        def pour(connection, _):
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65536)
        self.assertIn("too long", self.fails(f"http://{self.endpoint(pour)}"))

    def test_a_redirect_to_another_host(self):
        """Neither a redirect nor the address of the WebSocket leads the headers to another server."""
        asked = []
        elsewhere = self.endpoint(lambda connection, head: asked.append(head))
        redirect = self.endpoint(lambda connection, _: connection.sendall(
            f"HTTP/1.1 302 Found\r\nLocation: http://{elsewhere}/json/version/\r\nContent-Length: 0\r\n\r\n".encode()))
        self.assertIn("302", self.fails(f"http://{redirect}", "--cdp-header", "X-Key: hunter2"))
        pointer = self.endpoint(lambda connection, head: connection.sendall(
            b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps({"webSocketDebuggerUrl": f"ws://{elsewhere}/devtools/x"}).encode()))
        self.fails(f"http://{pointer}", "--cdp-header", "X-Key: hunter2")
        self.assertEqual(asked, [])

    @staticmethod
    def accept(connection, head):
        key = head.split("Sec-WebSocket-Key: ")[1].split("\r\n")[0]
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        connection.sendall(b"HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept +
                           b"\r\n\r\n")

    @staticmethod
    def frame(message):
        body = message.encode()
        return b"\x81" + (bytes([len(body)]) if len(body) < 126 else b"\x7e" + len(body).to_bytes(2, "big")) + body

    def test_a_websocket_that_is_no_browser(self):
        def silent(connection, head):
            self.accept(connection, head)
            connection.recv(1 << 20)
            connection.recv(1 << 20)
        self.assertIn("Timeout 500ms exceeded", self.fails(f"ws://{self.endpoint(silent)}/"))

        def noise(connection, head):
            self.accept(connection, head)
            connection.sendall(b"\xff" * 1000)
        self.fails(f"ws://{self.endpoint(noise)}/")

    def test_replies_that_nothing_asked_for(self):
        """It answers the first call, and from then on what it likes."""
        junk = ['{"id": 99999, "result": {}}', '{"id": -1}', '{"id": "x"}', "[]", "{", '{"method": "Target.attachedToTarget"}',
                '{"method": "Target.attachedToTarget", "params": {"sessionId": "S", "targetInfo": {"type": "page", "targetId": "T"}}}',
                '{"method": "Page.frameNavigated", "params": {"frame": {"id": "T"}}, "sessionId": "S"}',
                '{"id": 2, "result": {}, "sessionId": "none"}', '{"method": "Target.detachedFromTarget", "params": {"sessionId": "S"}}']

        def talk(connection, head):
            self.accept(connection, head)
            connection.sendall(self.frame('{"id": 1, "result": {}}'))
            for message in junk:
                connection.sendall(self.frame(message))
            while connection.recv(65536):
                connection.sendall(self.frame('{"id": 424242, "error": {"message": "no"}}'))
        self.assertIn("Timeout 500ms exceeded", self.fails(f"ws://{self.endpoint(talk)}/"))

    def test_errors_for_everything(self):
        def talk(connection, head):
            self.accept(connection, head)
            errors = [json.dumps({"id": ident, "error": {"code": 1, "message": "not allowed"}}) for ident in range(1, 50)]
            while connection.recv(65536):
                connection.sendall(b"".join(map(self.frame, errors)))
        self.assertIn("not allowed", self.fails(f"ws://{self.endpoint(talk)}/"))


if __name__ == "__main__":
    main()
