"""Where sessions may connect: --egress, --allowed-origins, --blocked-origins and `egress` of create_session."""
import os
import re
import socket
import subprocess
import sys
import tempfile

from support.case import BrowserdCase, main
from support.client import PATIENCE, binary
from support.engine import ENGINE
from support.witness import PRECONNECT, UNKNOWN_WAYS, WAYS, WEBRTC, WEBTRANSPORT, Witness, every_way, on, path_of


class Session:
    """A session by its id, or the client's own."""

    def __init__(self, client, ident=None):
        self.client, self.named = client, {"sessionId": ident} if ident else {}

    def ask(self, tool, **arguments):
        return self.client.ask(tool, **self.named, **arguments)

    def go(self, url):
        return self.ask("browser_navigate", url=url)

    def run(self, script):
        return self.ask("browser_evaluate", function=f"async () => await ({script})")


class Case(BrowserdCase):
    def setUp(self):
        self.good, self.bad = Witness(self), Witness(self)

    def own(self, *args, **more):
        return Session(self.start(*args, **more))

    def created(self, client, egress):
        return Session(client, client.call("create_session", egress=egress)["sessionId"])


class EveryWay(Case):
    """
    All ways are gone towards the server that is out of bounds, and then towards the one that is not: what has come there would
    have come to the other one, too.
    """

    def try_all(self, session, reached=()):
        self.assertNotIn("### Error", session.go(self.good.url()))
        session.run(on(PRECONNECT, self.bad.url("")))  # which browsers with a window act on
        session.run(f"({every_way(self.bad)}, {every_way(self.good)})")
        paths = {path_of(way) for way in WAYS if way not in UNKNOWN_WAYS}
        self.good.wait(lambda w: paths <= set(w.seen), "every way to the allowed server")
        if reached:
            self.bad.wait(lambda w: paths <= set(w.seen), "every way to the other server")
        self.udp(session, reached)
        if not reached:
            self.assertEqual((self.bad.seen, self.bad.connections), ([], 0))

    def udp(self, session, reached):
        if reached and ENGINE == "firefox":
            return  # it sends nothing by UDP to this machine by itself
        for script in (WEBRTC, WEBTRANSPORT):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as witness:
                witness.bind(("127.0.0.1", 0))
                script = script.replace("PORT", str(witness.getsockname()[1]))
                if reached:  # no reply comes, and the page waits for long
                    session.run(f"({script}, true)")
                    witness.settimeout(PATIENCE)
                    self.assertTrue(witness.recv(2000))
                else:
                    session.run(script)
                    witness.setblocking(False)
                    self.assertRaises(BlockingIOError, witness.recv, 1)

    def test_the_ways_lead_out_where_nothing_is_limited(self):
        self.try_all(self.own(), reached=True)

    def test_allowed_origins(self):
        self.try_all(self.own("--allowed-origins", self.good.url("")))

    def test_blocked_origins(self):
        self.try_all(self.own("--blocked-origins", self.bad.url("")))

    def test_egress(self):
        self.try_all(self.own("--egress", f"public,loopback:{self.good.port}"))

    def test_a_session_that_limits_itself(self):
        self.try_all(self.created(self.start(), f"127.0.0.1:{self.good.port}"))

    def test_a_profile_that_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            self.try_all(self.own("--user-data-dir", folder, "--allowed-origins", self.good.url("")))


class Rules(Case):
    def test_names_and_numbers_of_a_blocked_origin(self):
        session = self.own("--blocked-origins", f"http://127.0.0.1:{self.bad.port}")
        for host in ("127.0.0.1", "127.0.0.1.", "localhost", "localhost.", "LOCALHOST", "a.localhost", "[::ffff:127.0.0.1]",
                     "[::ffff:7f00:1]", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.2", "0.0.0.0", "0", socket.gethostname()):
            with self.subTest(host):
                self.assertIn("### Error", session.go(self.bad.url(host=host)))
                session.run(f"new Promise(done => new WebSocket({self.bad.url(scheme='ws', host=host)!r}).onerror = done)")
        self.assertEqual(self.bad.seen, [])
        self.assertNotIn("### Error", session.go(self.good.url(host="localhost")))

    def test_a_session_only_narrows(self):
        client = self.start("--egress", f"loopback:{self.good.port}")
        for egress in ("all", "public,loopback,private", f"127.0.0.1:{self.bad.port}", f"127.0.0.0/8:{self.bad.port}",
                       f"loopback:{self.bad.port}"):
            with self.subTest(egress):
                self.assertIn("SECURITY_BLOCKED", self.created(client, egress).ask("navigate", url=self.bad.url()))
        self.assertEqual(self.bad.connections, 0)
        inside, none = self.created(client, "loopback"), self.created(client, "none")
        self.assertIn('"status":200', inside.ask("navigate", url=self.good.url()))
        answer = none.ask("navigate", url=self.good.url())
        self.assertIn("SECURITY_BLOCKED", answer)
        self.assertIn('this session\'s egress \\"none\\"', answer)

    def test_sessions_differ(self):
        client = self.start("--egress", "all")
        free, bound = Session(client, client.call("create_session")["sessionId"]), self.created(client, f"127.0.0.1:{self.good.port}")
        self.assertIn('"status":200', free.ask("navigate", url=self.bad.url()))
        self.assertIn("SECURITY_BLOCKED", bound.ask("navigate", url=self.bad.url()))
        self.assertEqual(bound.client.fail("create_session", egress="nonsense!").code, "INVALID_PARAMETERS")

    def test_no_limit_where_others_run_without(self):
        """WebRTC is settled for the whole browser when it starts."""
        client = self.start()
        client.call("create_session")
        error = client.fail("create_session", egress="public")
        self.assertIn("--egress", error.message)
        client.call("create_session", egress="all")

    def test_numbers_that_nobody_reaches(self):
        session = self.own("--egress", "public,private,loopback")
        for host in ("169.254.169.254", "[fd00:ec2::254]", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "100.100.100.200",
                     "224.0.0.251", "[fe80::1]"):
            with self.subTest(host):
                answer = session.go(f"http://{host}/")
                self.assertIn("### Error", answer)
                self.assertIn("does not allow it", answer)

    def test_what_is_refused_is_told(self):
        client = self.start("--egress", f"127.0.0.1:{self.good.port}")
        session = Session(client, client.call("create_session")["sessionId"])
        error = client.fail("navigate", url=self.bad.url(), **session.named)
        self.assertEqual(error.code, "SECURITY_BLOCKED")
        self.assertEqual(error.details["url"], self.bad.url())
        self.assertIn(f"127.0.0.1:{self.bad.port}: it is this machine, and the server's --egress 127.0.0.1:{self.good.port} does not allow it; "
                      f"its operator can, for example with loopback:{self.bad.port}", error.message)
        session.go(self.good.url())
        answer = session.run(f"fetch({self.bad.url()!r}).catch(() => 'failed')")
        self.assertIn(f"Connections of the page that were refused:\n127.0.0.1:{self.bad.port}: ", answer)
        self.assertNotIn("refused", session.run("1"))
        answer = session.run("Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(n => fetch('http://' + n + '.invalid/').catch(() => 0)))")
        self.assertEqual(len(re.findall(r"^[a-g]\.invalid:80: ", answer, re.MULTILINE)), 5)
        self.assertIn("and 2 more", answer)

    def test_the_server_of_a_dev_session_is_reached_all_the_same(self):
        client = self.start("--caps", "e2e", "--egress", f"loopback:{self.good.port}")
        server = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support", "web_server.py")
        session = client.call("startSession", command=sys.executable, args=[server])
        ident = session["sessionId"]
        self.assertEqual(client.call("navigate", sessionId=ident, url="/")["status"], 200)
        self.assertEqual(client.call("navigate", sessionId=ident, url=self.good.url())["status"], 200)
        self.assertEqual(client.fail("navigate", sessionId=ident, url=self.bad.url()).code, "SECURITY_BLOCKED")


class Start(Case):
    def refused(self, *args):
        ended = subprocess.run([binary(), *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        self.assertNotEqual(ended.returncode, 0)
        return ended.stderr

    def test_what_does_not_go_together(self):
        for args, words in ((("--egress", "none,public"), "cannot be combined"), (("--egress", "http://a.test"), "--egress"),
                            (("--egress", "public", "--proxy-server", "socks4://127.0.0.1:1"), "--proxy-server"),
                            (("--allowed-origins", "a.test", "--proxy-server", "http://127.0.0.1:1", "--proxy-bypass", "b.test"),
                             "--proxy-bypass")):
            with self.subTest(args):
                self.assertIn(words, self.refused(*args))


class OtherUsers(Case):
    PROBE = ("import socket,sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); s.settimeout(30)\n"
             "try: s.send(bytes([5, 1, 0])); print(s.recv(2).hex())\n"
             "except ConnectionError: print('')")

    def proxies(self, client):
        """The ports that the server listens on, by the kernel's tables."""
        folder = f"/proc/{client.process.pid}/fd"
        sockets = set()
        for name in os.listdir(folder):
            try:
                sockets.add(os.readlink(f"{folder}/{name}"))
            except OSError:
                pass
        with open("/proc/net/tcp", encoding="ascii") as table:
            rows = [line.split() for line in table.readlines()[1:]]
        return [int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets]

    def test_nobody_else_uses_the_proxy(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be somebody else")
        client = self.start("--egress", "loopback")
        client.call("create_session")
        ports = self.proxies(client)
        self.assertTrue(ports)
        for port in ports:
            probe = [sys.executable, "-c", self.PROBE, str(port)]
            self.assertEqual(subprocess.run(probe, capture_output=True, text=True, check=True).stdout.strip(), "0500")
            other = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", *probe], capture_output=True, text=True, check=False)
            self.assertEqual((other.stdout.strip(), other.returncode), ("", 0), other.stderr)


if __name__ == "__main__":
    main()
