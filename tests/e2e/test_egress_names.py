"""
What names lead to, with name servers that lie, and what leaves the machine at all: in a network of its own, where this test is
the name server and every packet is seen.
"""
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading

from support.case import BrowserdCase, main, skip
from support.engine import by_engine
from support.witness import WEBRTC, WEBTRANSPORT, Witness

PUBLIC, PRIVATE = "93.184.215.14", "10.9.8.7"
INSIDE = "EGRESS_NAMES_INSIDE"


def enter():
    """Starts this file again in namespaces of its own, or skips it."""
    if os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"):
        skip("wants root, unshare and ip")
    if subprocess.run(["unshare", "-n", "-m", "true"], capture_output=True, check=False).returncode:
        skip("namespaces cannot be made here")
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as conf:
        # The name server always answers, on a busy machine after more than a second.
        conf.write("nameserver 127.0.0.1\noptions timeout:30 attempts:1\n")
        conf.flush()
        os.chmod(conf.name, 0o644)
        # An IPv6 address that the kernel gives a link becomes usable a second or two later, and Chromium fails the requests that are open
        # then with net::ERR_NETWORK_CHANGED: these links get none.
        setup = (f"ip link set lo up && ip link add out0 type veth peer name far0 && ip link set far0 addrgenmode none && ip link set out0 addrgenmode none && "
                 f"ip link set far0 up && ip link set out0 up && ip addr add {PUBLIC}/24 dev out0 && ip addr add {PRIVATE}/24 dev out0 && ip route add default dev out0 && "
                 'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"')
        sys.exit(subprocess.run(["unshare", "-n", "-m", "sh", "-c", setup, "-", conf.name, sys.executable, *sys.argv],
                                env={**os.environ, INSIDE: "1"}, check=False).returncode)


class NameServer:
    """Answers for every name; `flip` leads elsewhere with every second question, `asked` are the names."""

    LEADS = {"public": [PUBLIC], "private": [PRIVATE], "loop": ["127.0.0.1"], "both": [PUBLIC, "127.0.0.1"], "metadata": ["169.254.169.254"]}

    def __init__(self):
        self.asked, self.flips = [], 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def addresses(self, name):
        if name == "flip":
            self.flips += 1
            return [PUBLIC if self.flips % 2 else "127.0.0.1"]
        return self.LEADS.get(name, [PUBLIC])

    def serve(self):
        while True:
            query, peer = self.socket.recvfrom(2000)
            end, labels = 12, []
            while query[end]:
                labels.append(query[end + 1:end + 1 + query[end]].decode().lower())
                end += query[end] + 1
            kind, = struct.unpack(">H", query[end + 1:end + 3])
            self.asked.append(".".join(labels))
            found = self.addresses(labels[0]) if kind == 1 else ["::ffff:127.0.0.1"] if kind == 28 and labels[0] == "six" else []
            family = socket.AF_INET if kind == 1 else socket.AF_INET6
            answers = [socket.inet_pton(family, address) for address in found]
            records = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(a)) + a for a in answers)
            self.socket.sendto(query[:2] + struct.pack(">HHHHH", 0x8180, 1, len(answers), 0, 0) + query[12:end + 5] + records, peer)


class Wire:
    """UDP packets of this network that are not of the name server."""

    def __init__(self, test):
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0003))
        self.socket.setblocking(False)
        test.addCleanup(self.socket.close)

    def packets(self):
        found = []
        while True:
            try:
                packet = self.socket.recv(65536)
            except BlockingIOError:
                return found
            if packet[0] >> 4 == 4 and packet[9] == 17:
                source, port = struct.unpack(">HH", packet[(packet[0] & 15) * 4:][:4])
                if 53 not in (source, port):
                    found.append((socket.inet_ntoa(packet[16:20]), port))
            elif packet[0] >> 4 == 6 and packet[6] == 17:
                found.append((socket.inet_ntop(socket.AF_INET6, packet[24:40]), struct.unpack(">H", packet[42:44])[0]))


class Upstream:
    """A proxy that notes where it is asked to connect to, and does. `kind`: http or socks5."""

    def __init__(self, test, kind):
        self.kind, self.asked = kind, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"{kind}://127.0.0.1:{self.socket.getsockname()[1]}"
        test.addCleanup(self.socket.close)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        if self.kind == "http":
            head = b""
            while b"\r\n\r\n" not in head:
                head += client.recv(1)
            host, port = head.split()[1].decode().rsplit(":", 1)
            yes = b"HTTP/1.1 200 Yes\r\n\r\n"
        else:
            client.recv(3)
            client.send(b"\x05\x00")
            request = client.recv(10)
            host, port = socket.inet_ntoa(request[4:8]), struct.unpack(">H", request[8:10])[0]
            yes = b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"
        self.asked.append((host, int(port)))
        server = socket.create_connection((host, int(port)))
        client.send(yes)
        for one, other in ((client, server), (server, client)):
            threading.Thread(target=self.copy, args=(one, other), daemon=True).start()

    @staticmethod
    def copy(one, other):
        try:
            while data := one.recv(65536):
                other.send(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Names(BrowserdCase):
    @classmethod
    def setUpClass(cls):
        cls.names = NameServer()  # until this process ends

    def setUp(self):
        self.public = Witness(self, PUBLIC)
        self.loop = Witness(self, "127.0.0.1", self.public.port)
        self.private = Witness(self, PRIVATE, self.public.port)

    def url(self, host):
        return f"http://{host}:{self.public.port}/"

    def open(self, *args, **more):
        client = self.start(*args)
        return client, client.call("create_session", **more)["sessionId"]

    def test_names_lead_where_their_addresses_may(self):
        client, ident = self.open("--egress", "public")
        for name in ("public", "both", "six", "flip", "flip", "flip", "flip"):
            with self.subTest(name):
                # Whatever address comes first, the connection goes to the public one, or to none.
                client.start_call("navigate", {"sessionId": ident, "url": self.url(f"{name}.test")}).result()
        for name in ("loop", "private", "metadata"):
            with self.subTest(name):
                error = client.fail("navigate", sessionId=ident, url=self.url(f"{name}.test"))
                self.assertEqual(error.code, "SECURITY_BLOCKED")
                self.assertIn(f"{name}.test:{self.public.port}: {self.names.LEADS[name][0]} is ", error.message)
        self.assertTrue(self.public.seen)
        self.assertEqual((self.loop.connections, self.private.connections), (0, 0))

    def test_listed_names(self):
        client, ident = self.open("--egress", "private.test,loop.test,*.zone.test,127.0.0.0/8:1")
        self.assertEqual(client.call("navigate", sessionId=ident, url=self.url("private.test"))["status"], 200)
        self.assertEqual(client.call("navigate", sessionId=ident, url=self.url("public.zone.test"))["status"], 200)
        for host in ("loop.test", "private.zone.test", "loop.zone.test", "zone.test", PRIVATE, PUBLIC):
            with self.subTest(host):
                error = client.fail("navigate", sessionId=ident, url=self.url(host))
                self.assertEqual(error.code, "SECURITY_BLOCKED", error.message)
        self.assertEqual(self.loop.connections, 0)

    def test_no_question_about_what_cannot_be_reached(self):
        """Looking up a name sends a message to the name server of its domain."""
        for args, more in ((("--egress", "none"), {}), (("--egress", "listed.test"), {}), (("--allowed-origins", "http://listed.test"), {}),
                           ((), {"egress": "none"})):
            with self.subTest(args):
                client, ident = self.open(*args, **more)
                self.names.asked.clear()
                client.call("evaluate", sessionId=ident, timeout=60000, expression="""(async () => {
                    for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'preload']) {
                        const link = document.createElement('link');
                        Object.assign(link, {rel, as: 'script', href: `http://secret-${rel}.test/`});
                        document.head.append(link);
                    }
                    await fetch('http://secret-fetch.test/').catch(() => 0);
                    await new Promise(done => new WebSocket('ws://secret-socket.test/').onerror = done);
                    %s
                    const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:secret-stun.test'}]});
                    peer.createDataChannel('x');
                    const gathered = new Promise(done => { peer.onicecandidate = e => e.candidate || done(); });
                    await peer.setLocalDescription();
                    await gathered;
                    return 1;
                })()""" % by_engine(chromium="", firefox="if (!self.RTCPeerConnection) return 0;"))
                self.assertEqual([name for name in self.names.asked if name.startswith("secret")], [])

    def test_nothing_but_tcp_leaves(self):
        """mDNS, QUIC and STUN are UDP. The whole network is listened to, from the browser's start on."""
        wire, rules = Wire(self), f"public,loopback:{self.loop.port}"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.sendto(b"x", (PUBLIC, 4433))
        self.assertIn((PUBLIC, 4433), wire.packets())
        for args, more in ((("--egress", rules), {}), (("--blocked-origins", "http://other.test"), {}), ((), {"egress": rules})):
            with self.subTest(args):
                client, ident = self.open(*args, **more)
                client.call("navigate", sessionId=ident, url=self.url("127.0.0.1"))  # a secure context, as WebTransport wants
                for script in (WEBRTC.replace("127.0.0.1", PUBLIC).replace("PORT", "3478"),
                               WEBTRANSPORT.replace("127.0.0.1", PUBLIC).replace("PORT", "4433")):
                    client.call("evaluate", sessionId=ident, timeout=60000, expression=script)
                self.assertEqual(wire.packets(), [])

    def test_what_is_allowed_goes_through_the_operators_proxy(self):
        for kind in ("http", "socks5"):
            with self.subTest(kind):
                upstream = Upstream(self, kind)
                client, ident = self.open("--egress", "public", "--proxy-server", upstream.url)
                self.assertEqual(client.call("navigate", sessionId=ident, url=self.url("public.test"))["status"], 200)
                self.assertEqual(client.fail("navigate", sessionId=ident, url=self.url("private.test")).code, "SECURITY_BLOCKED")
                self.assertEqual(set(upstream.asked), {(PUBLIC, self.public.port)})


if __name__ == "__main__":
    if not os.environ.get(INSIDE):
        enter()
    main()
