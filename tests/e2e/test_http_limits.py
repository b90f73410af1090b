"""What clients can make the server hold: before they are known next to nothing, and afterwards no more than their share."""
import contextlib
import json
import select
import socket
import tempfile
import time

from support.case import BrowserdCase, main
from support.client import MODERN, PATIENCE
from support.http_client import HttpError, HttpServer, together
from support.issuer import NAME, Issuer
from support.memory import EXACT, resident

TOKEN = "correct-horse-battery-staple"
KNOWN = {"Authorization": "Bearer " + TOKEN}
ASKS = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
POSTS = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\n"
MIB = 1 << 20


class LimitsCase(BrowserdCase):
    def serve(self, *args):
        server = HttpServer(*args, env=EXACT)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def connect(self, server, small=False):
        connection = socket.socket()
        connection.settimeout(PATIENCE)
        if small:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        self.addCleanup(connection.close)
        return connection

    @staticmethod
    def push(connections, data, most):
        """Sends until each has taken so many bytes, has been closed, or none takes any more for a second."""
        sent = {connection: 0 for connection in connections}
        for connection in connections:
            connection.setblocking(False)
        while ready := select.select([], list(sent), [], 1)[1]:
            for connection in ready:
                try:
                    sent[connection] += connection.send(data)
                except OSError:
                    del sent[connection]
                    continue
                if sent[connection] >= most:
                    del sent[connection]


class Strangers(LimitsCase):
    """Clients without the token."""

    def test_bodies_of_refused_requests_are_not_kept(self):
        server = self.serve("--auth-token", TOKEN)
        size = 4 * MIB
        before = resident(server.process)
        bodies = []
        for n in range(20):
            connection = self.connect(server)
            if n % 2:
                head, body = POSTS + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"
            else:
                head, body = POSTS + b"Content-Length: %d\r\n\r\n" % size, b"x" * 65536
            connection.sendall(head)
            for _ in range(size // 65536 - 1):
                connection.sendall(body)
            self.assertIn(b" 401 ", connection.recv(4096))
            bodies.append(connection)
        server.ask("GET", "/health")
        self.assertLess(resident(server.process) - before, 20 * MIB)
        for n, connection in enumerate(bodies):  # what follows the body is the next request
            connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n0\r\n\r\n" + ASKS if n % 2 else b"x" * 65536 + ASKS)
            self.assertIn(b" 401 ", connection.recv(4096))

    def test_requests_are_not_read_while_answers_are_not(self):
        server = self.serve("--auth-token", TOKEN)
        before = resident(server.process)
        self.push([self.connect(server, small=True) for _ in range(20)], ASKS * 2000, 4 * MIB)
        self.assertLess(resident(server.process) - before, 40 * MIB)
        self.assertEqual(server.ask("GET", "/health")[0], 200)

    def test_a_pipeline_goes_on_when_its_answers_are_read(self):
        server = self.serve()
        connection, count = self.connect(server, small=True), 20000
        data = ASKS * (count - 1) + ASKS.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        connection.setblocking(False)
        sent = answers = 0
        rest = b""
        while True:
            readable, writable, _ = select.select([connection], [connection] if sent < len(data) else [], [], PATIENCE)
            if writable:
                with contextlib.suppress(BlockingIOError):
                    sent += connection.send(data[sent:sent + 1_000_000])
            if readable and not (writable and sent % 3):  # slower than it asks
                chunk = connection.recv(1000)
                if not chunk:
                    break
                answers += (rest + chunk).count(b"HTTP/1.1 404")
                rest = (rest + chunk)[-11:]
        self.assertEqual((sent, answers), (len(data), count))

    def test_places_are_for_clients_with_the_token(self):
        server = self.serve("--auth-token", TOKEN, "--http-max-connections", "30")
        known = server.client(fields=KNOWN)
        stream = known.open_stream()
        self.addCleanup(stream.close)
        crowd = []
        for n in range(90):
            connection = self.connect(server)
            connection.sendall((b"", b"G", ASKS, POSTS + b"Content-Length: 1000\r\n\r\n")[n % 4])
            if n % 4 == 2:
                self.assertIn(b" 401 ", connection.recv(4096))
            crowd.append(connection)
            if n % 10 == 9:
                known.request("ping")
        self.assertEqual(server.ask("GET", "/metrics", headers=KNOWN)[0], 200)
        server.client(fields=KNOWN).request("ping")
        self.assertEqual(crowd[0].recv(1), b"")  # the oldest had to go
        holders = []
        while len(holders) < 29:  # known clients fill all places, and keep them
            holders.append(self.connect(server))
            holders[-1].sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n" % TOKEN.encode())
            self.assertIn(b" 200 ", holders[-1].recv(12) + b" ")
        with self.connect(server) as one_more:
            self.assertIn(b" 503 ", one_more.recv(4096))

    def test_a_refused_client_does_not_stay(self):
        server = self.serve("--auth-token", TOKEN)
        known = self.connect(server)
        known.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n" % TOKEN.encode())
        refused = self.connect(server)
        refused.sendall(ASKS)
        said = refused.recv(4096)
        self.assertIn(b" 401 ", said)
        refused.settimeout(3 * PATIENCE)
        self.assertEqual(refused.recv(4096), b"")
        said = known.recv(65536)
        known.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n" % TOKEN.encode())
        self.assertIn(b" 200 ", said)
        self.assertTrue(known.recv(65536))


class Together(LimitsCase):
    def test_what_all_connections_hold_has_a_limit(self):
        """Bodies that do not end, so that what is held is known; others are served all the time."""
        server = self.serve()
        bystander = server.client()
        crowd = [self.connect(server) for _ in range(100)]
        for connection in crowd:
            connection.sendall(POSTS + b"Content-Length: %d\r\n\r\n" % (4 * MIB))
        before = resident(server.process)
        self.push(crowd, b"x" * 65536, 4 * MIB - 100_000)
        server.wait_stderr("dropping the largest one")  # the kernel holds much of it, and the server may be far behind
        self.assertLess(resident(server.process) - before, 330 * MIB)
        bystander.request("ping")


class Tenants(LimitsCase):
    """Users of one server, distinguished by their tokens."""

    URL = "https://tools.example/mcp"

    def start(self, *args):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.issuer = Issuer(folder.name, self.URL)
        self.server = self.serve("--oauth-issuer", NAME, "--oauth-jwks", self.issuer.write(), "--public-url", self.URL, *args)

    def user(self, name, version=MODERN):
        return self.server.client(version, fields={"Authorization": "Bearer " + self.issuer.token(sub=name)})

    def made(self, client, tries):
        """How many browser sessions could be made, and what the first failure said."""
        for n in range(tries):
            result = client.request("tools/call", {"name": "create_session", "arguments": {}})
            if result.get("isError"):
                return n, json.loads(result["content"][0]["text"])
        return tries, None

    def test_browser_sessions_are_shared(self):
        self.start("--max-sessions", "6")
        count, failure = self.made(self.user("eve"), 6)
        self.assertEqual((count, failure["errorCode"]), (3, "MAX_SESSIONS_REACHED"))
        self.assertIn("--max-sessions-per-owner", failure["message"])
        self.assertEqual(self.made(self.user("bob"), 6)[0], 2)
        self.assertEqual(self.made(self.user("ann"), 6)[0], 1)  # the last place went to who came last
        eve = self.user("eve")
        eve.call("close_session", sessionId=eve.call("list_sessions")["sessions"][0]["sessionId"])
        self.assertEqual(self.made(self.user("ida"), 6)[0], 1)

    def test_the_share_can_be_said(self):
        self.start("--max-sessions", "6", "--max-sessions-per-owner", "5")
        self.assertEqual(self.made(self.user("eve"), 6)[0], 5)
        self.assertEqual(self.made(self.user("bob"), 6)[0], 1)

    def test_a_server_of_one_owner_is_all_its(self):
        self.server = self.serve("--max-sessions", "3", "--auth-token", TOKEN)
        client = self.server.client(MODERN, fields=KNOWN)
        count, failure = self.made(client, 4)
        self.assertEqual((count, "limit of --max-sessions;" in failure["message"]), (3, True))

    def test_client_sessions_are_shared(self):
        self.start("--http-max-sessions", "4")
        eve = [self.user("eve", "2025-11-25") for _ in range(2)]
        with self.assertRaises(HttpError) as caught:
            self.user("eve", "2025-11-25")
        self.assertEqual(caught.exception.status, 429)
        self.assertIn("--http-max-sessions", caught.exception.error["message"])
        self.assertTrue(caught.exception.headers["Retry-After"])
        self.user("bob", "2025-11-25").request("ping")
        self.assertEqual(eve[0].delete(), 204)
        self.user("eve", "2025-11-25").request("ping")

    def test_requests_under_way_are_shared(self):
        self.start("--http-max-requests", "4")
        pages, eve = self.pages(), self.user("eve")
        sessions = [eve.call("create_session")["sessionId"] for _ in range(2)]
        held = [pages.held() for _ in sessions]
        posts = []
        for session, (url, _) in zip(sessions, held):
            message = eve.message("tools/call", {"name": "navigate", "arguments": {"sessionId": session, "url": url}})
            body = json.dumps(message).encode()
            fields = "".join(f"{name}: {value}\r\n" for name, value in eve.headers(message).items())
            posts.append(self.connect(self.server))
            posts[-1].sendall(f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            pages.wait_request(url)
        with self.assertRaises(HttpError) as caught:
            eve.request("tools/list")
        self.assertEqual(caught.exception.status, 429)
        self.assertIn("--http-max-requests", caught.exception.error["message"])
        self.user("bob").request("tools/list")
        for _, release in held:
            release.set()
        for post in posts:
            self.assertIn(b"200", post.recv(12))

    def test_calls_of_all_connections_of_an_owner_have_a_limit(self):
        self.start()
        pages, owner = self.pages(), [self.user("eve", "2025-03-26") for _ in range(4)]
        url, release = pages.held()
        session = self.user("eve").call("create_session")["sessionId"]
        posts = []
        for client in owner:
            batch = [client.message("tools/call", {"name": "navigate", "arguments": {"sessionId": session, "url": url}}) for _ in range(80)]
            posts.append(client.post(batch))
        pages.wait_request(url)
        refused = [json.loads(event["data"]) for event in self.events(posts[-1], 64)]
        self.assertEqual({answer["error"]["message"] for answer in refused}, {"Too many calls are running: wait for one to finish"})
        bob = self.user("bob")
        self.assertEqual(bob.call("list_sessions")["count"], 0)
        for connection, response in posts:
            response.close()
            connection.close()
        release.set()
        for client in owner:
            client.delete()

    @staticmethod
    def events(post, count):
        """The first answers on the stream of a post."""
        found, event = [], {}
        while len(found) < count:
            line = post[1].readline().decode().rstrip("\n")
            name, _, value = line.partition(": ")
            if line:
                event[name] = value
            elif event.get("data"):
                found.append(event)
                event = {}
        return found


if __name__ == "__main__":
    main()
