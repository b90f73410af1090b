"""The state store (src/store) with a real Redis server, and with servers that are none: store_commands is the program of a task."""
import json
import os
import socket
import subprocess
import tempfile
import threading
import unittest

from support import keys, redis
from support.case import main
from support.client import PATIENCE

COMMANDS = os.environ["STORE_COMMANDS"]
MIB = 1 << 20


class StoreCase(unittest.TestCase):
    def setUp(self):
        if not redis.program():
            self.skipTest("redis-server is not installed")

    def redis(self, *args, **more):
        server = redis.Redis(*args, **more)
        self.addCleanup(server.close)
        return server

    def open(self, url, password="", *more):
        """A process with a store; ends() ends it."""
        process = subprocess.Popen([COMMANDS, url, password, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        process.stdout.close()

    @staticmethod
    def say(process, *words):
        process.stdin.write(json.dumps([str(word) for word in words]) + "\n")
        process.stdin.flush()

    @staticmethod
    def hear(process):
        return json.loads(process.stdout.readline())

    def do(self, process, *words):
        self.say(process, *words)
        return self.hear(process)

    def fails(self, process, *words):
        r, text = self.do(process, *words)
        self.assertEqual(r, -1, text)
        return text


class Commands(StoreCase):
    def setUp(self):
        super().setUp()
        self.server = self.redis()
        self.one, self.two = self.open(self.server.url), self.open(self.server.url)

    def test_values(self):
        self.assertEqual(self.do(self.one, "get", "k"), [0, ""])
        self.assertEqual(self.do(self.one, "set", "k", "ä 1\r\n"), [0, ""])
        self.assertEqual(self.do(self.two, "get", "k"), [1, "ä 1\r\n"])
        self.assertEqual(self.do(self.two, "set", "new", "", 60), [0, ""])
        self.assertEqual(self.do(self.one, "get", "new"), [1, ""])
        self.assertEqual(self.do(self.one, "delete", "k"), [1, ""])
        self.assertEqual(self.do(self.one, "delete", "k"), [0, ""])

    def test_of_several_who_take_one_gets_it(self):
        self.do(self.one, "set", "k", "once")
        for process in (self.one, self.two):
            for _ in range(20):
                self.say(process, "take", "k")
        found = [self.hear(process) for process in (self.one, self.two) for _ in range(20)]
        self.assertEqual(sorted(found), [[0, ""]] * 39 + [[1, "once"]])

    def test_times_to_live(self):
        self.do(self.one, "set", "k", "v", 100)
        self.assertLessEqual(int(self.server.ask("TTL", "k")[1:]), 100)
        self.assertEqual(self.do(self.one, "expire", "k", 1000), [1, ""])
        self.assertGreater(int(self.server.ask("TTL", "k")[1:]), 900)
        self.assertEqual(self.do(self.one, "expire", "k", 0), [1, ""])
        self.assertEqual(self.server.ask("TTL", "k"), b":-1")
        self.assertEqual(self.do(self.one, "expire", "none", 10), [0, ""])

    def test_indexes(self):
        for name, text in (("b", "2"), ("a", "1"), ("a", "{}")):
            self.assertEqual(self.do(self.one, "index_set", "i", name, text), [0, ""])
        count, text = self.do(self.two, "index_read", "i")
        self.assertEqual((count, sorted(text.split(";"))), (2, ["", "a={}", "b=2"]))
        self.assertEqual(self.do(self.one, "index_remove", "i", "b"), [1, ""])
        self.assertEqual(self.do(self.one, "index_remove", "i", "b"), [0, ""])
        self.assertEqual(self.do(self.one, "index_read", "none"), [0, ""])

    def test_large_values_and_small_ones_at_the_same_time(self):
        for n in range(3):  # more than may be under way at a time
            self.say(self.one, "fill", f"large{n}", 16 * MIB)
            self.say(self.one, "set", f"small{n}", n)
        self.assertEqual([self.hear(self.one) for _ in range(6)], [[0, ""]] * 6)
        for n in range(3):
            self.say(self.two, "length", f"large{n}")
            self.say(self.two, "get", f"small{n}")
        found = [self.hear(self.two) for _ in range(6)]
        self.assertEqual(found, [answer for n in range(3) for answer in ([1, str(16 * MIB)], [1, str(n)])])
        self.assertIn(f"{16 * MIB + 1} bytes are too much", self.fails(self.one, "fill", "k", 16 * MIB + 1))

    def test_a_refusal(self):
        self.do(self.one, "set", "k", "v")
        self.assertIn("refuses HGETALL: WRONGTYPE", self.fails(self.one, "index_read", "k"))
        self.assertEqual(self.do(self.one, "get", "k"), [1, "v"])

    def test_a_reply_above_the_limit_ends_the_connection_alone(self):
        self.server.ask("SET", "k", "x" * (20 * MIB))
        self.assertIn("does not speak the protocol", self.fails(self.one, "get", "k"))
        self.assertEqual(self.do(self.one, "set", "j", "v"), [0, ""])
        self.assertEqual(self.do(self.one, "get", "j"), [1, "v"])


class Losses(StoreCase):
    def test_nothing_listens(self):
        server = self.redis()
        process = self.open(server.url)
        server.kill()
        self.assertIn(f"cannot be used (connect ECONNREFUSED 127.0.0.1:{server.port}). Nothing was changed", self.fails(process, "set", "k", "v"))
        server.start()
        self.assertEqual(self.do(process, "set", "k", "v"), [0, ""])

    def test_a_server_that_is_killed_and_comes_back(self):
        server = self.redis()
        process = self.open(server.url)
        for _ in range(3):
            self.assertEqual(self.do(process, "set", "k", "v"), [0, ""])
            server.kill()
            server.start()
            self.assertEqual(self.do(process, "get", "k"), [0, ""])

    def test_what_was_sent_and_not_answered(self):
        """What reads, or does the same a second time, is sent again; everything else fails, and says so."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            process = self.open(f"redis://127.0.0.1:{server.getsockname()[1]}")
            for words in (("get", "k"), ("take", "k"), ("set", "k", "last")):
                self.say(process, *words)
            link, _ = server.accept()
            self.read_until(link, b"last\r\n")
            link.close()
            r, text = self.hear(process)
            self.assertEqual(r, -1)
            self.assertRegex(text, "was lost before it answered .*, so whether this was done is not known")
            link, _ = server.accept()
            with link:
                self.assertNotIn(b"GETDEL", self.read_until(link, b"last\r\n"))
                link.sendall(b"$3\r\nold\r\n+OK\r\n")
                self.assertEqual([self.hear(process), self.hear(process)], [[1, "old"], [0, ""]])

    @staticmethod
    def read_until(link, end):
        read = b""
        while not read.endswith(end):
            read += link.recv(65536)
        return read


class Access(StoreCase):
    def test_passwords(self):
        server = self.redis("geheim %")
        at = f"127.0.0.1:{server.port}"
        for url, password in ((f"redis://:geheim%20%25@{at}", ""), (f"redis://default:geheim%20%25@{at}/2", ""),
                              (f"redis://default@{at}", "geheim %"), (f"redis://:wrong@{at}", "geheim %")):
            with self.subTest(url):
                self.assertEqual(self.do(self.open(url, password), "ping"), [0, ""])
        self.assertIn("NOAUTH", self.fails(self.open(server.url), "ping"))
        for url, password in ((server.url, "false-one"), (f"redis://nobody:false-one@{at}", ""), (f"redis://:false-one@{at}", "")):
            text = self.fails(self.open(url, password), "ping")
            self.assertIn("refuses the connection: WRONGPASS", text)
            self.assertIn(f"redis://{at} ", text)
            self.assertNotIn("false-one", text)

    def test_databases(self):
        server = self.redis()
        first, second = self.open(server.url), self.open(server.url + "/5")
        self.do(second, "set", "k", "of the fifth")
        self.assertEqual(self.do(first, "get", "k"), [0, ""])
        self.assertIn("DB index is out of range", self.fails(self.open(server.url + "/99"), "get", "k"))

    def test_tls(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        cert, key = keys.certificate(folder.name)
        other, _ = keys.certificate(folder.name, "other")
        server = self.redis(tls=(cert, key))
        url = f"rediss://127.0.0.1:{server.port}"
        process = self.open(url, "", cert)
        self.assertEqual(self.do(process, "fill", "k", 5 * MIB), [0, ""])
        self.assertEqual(self.do(process, "length", "k"), [1, str(5 * MIB)])
        self.assertIn("certificate is not accepted", self.fails(self.open(url, "", other), "ping"))
        self.assertIn("certificate is not accepted", self.fails(self.open(url), "ping"))
        self.assertIn(f"no certificates can be read from {key}", self.fails(self.open(url, "", key), "ping"))
        self.assertIn("was lost before it answered", self.fails(self.open(f"redis://127.0.0.1:{server.port}"), "take", "k"))


class Liar:
    """Answers whatever is sent with the same bytes, and closes if there are none."""

    def __init__(self, answer):
        self.answer = answer
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()
        self.kept = []

    def _serve(self):
        while True:
            try:
                link, _ = self.socket.accept()
            except OSError:
                return
            try:
                while link.recv(65536) and self.answer:
                    link.sendall(self.answer)
            except OSError:
                pass
            link.close()

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()


class Liars(StoreCase):
    def liar(self, answer):
        liar = Liar(answer)
        self.addCleanup(liar.close)
        return f"redis://127.0.0.1:{liar.port}"

    def test_garbage(self):
        for answer in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0\0\0\0", b"$-7\r\n", b"*-7\r\n", b":1:2\r\n", b"*3000000000\r\n", b"*21000\r\n",
                       b"$99999999999999999999\r\n", b"*1\r\n*1\r\n*1\r\n", b"+OK\r\n+OK\r\n+OK\r\n" + b"*2\r\n" * 40):
            with self.subTest(answer):
                process = self.open(self.liar(answer))
                self.assertIn("the state store redis://127.0.0.1:", self.fails(process, "get", "k"))

    def test_replies_to_other_commands(self):
        for answer, words in ((b":1\r\n", ("get", "k")), (b"$1\r\nx\r\n", ("delete", "k")), (b":-1\r\n", ("delete", "k")),
                              (b"*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n", ("index_read", "k")), (b"*2\r\n$1\r\na\r\n:1\r\n", ("index_read", "k")),
                              (b"$2\r\nOK\r\n", ("set", "k", "v"))):
            with self.subTest(answer):
                self.assertIn("has no usable answer to", self.fails(self.open(self.liar(answer)), *words))

    def test_an_endless_line(self):
        self.assertIn("does not speak the protocol", self.fails(self.open(self.liar(b"+" + b"x" * (20 * MIB))), "get", "k"))

    def test_a_connection_that_closes_at_once(self):
        self.assertIn("was lost before it answered (the connection was closed)", self.fails(self.open(self.liar(b"")), "get", "k"))

    def test_silence(self):
        """Of all commands that wait, none waits longer than the first."""
        with socket.create_server(("127.0.0.1", 0)) as deaf:
            process = self.open(f"redis://127.0.0.1:{deaf.getsockname()[1]}")
            for words in (("get", "k"), ("set", "k", "v"), ("take", "k")):
                self.say(process, *words)
            for _ in range(3):
                r, text = self.hear(process)
                self.assertEqual(r, -1)
                self.assertIn("the state store redis://127.0.0.1:", text)


class Options(StoreCase):
    @staticmethod
    def run_browserd(*args):
        return subprocess.run([os.environ["BROWSERD"], *args], capture_output=True, text=True, check=False, timeout=PATIENCE)

    def test_doctor(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        cert, key = keys.certificate(folder.name)
        server = self.redis("geheim", tls=(cert, key))
        password = os.path.join(folder.name, "password")
        with open(password, "w", encoding="utf-8") as file:
            file.write("geheim\n")
        url = f"rediss://:secret-one@127.0.0.1:{server.port}/1"
        options = ("--executable-path", "/bin/false", "--state-store", url, "--state-store-ca", cert)
        found = self.run_browserd(*options, "--state-store-password-file", password, "doctor")
        self.assertRegex(found.stdout, rf"(?m)^ok +state store +rediss://127.0.0.1:{server.port}/1 answers$")
        found = self.run_browserd(*options, "doctor")
        self.assertRegex(found.stdout, r"(?m)^WRONG +state store .*WRONGPASS")
        shown = self.run_browserd(*options, "--print-config")
        self.assertNotIn("secret-one", found.stdout + found.stderr + shown.stdout + shown.stderr)

    def test_wrong_ones(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        empty = os.path.join(folder.name, "empty")
        with open(empty, "w", encoding="utf-8"):
            pass
        for args, said in ((("--state-store", "http://:secret-one@h"), "redis://[USER"), (("--state-ttl", "59"), "from 60 to"),
                           (("--state-store", "redis://h", "--state-store-password-file", "/nowhere"), "--state-store-password-file: cannot read"),
                           (("--state-store", "redis://h", "--state-store-password-file", empty), "must be a password")):
            with self.subTest(args):
                found = self.run_browserd(*args)
                self.assertEqual(found.returncode, 2)
                self.assertIn(said, found.stderr)
                self.assertNotIn("secret-one", found.stderr)


if __name__ == "__main__":
    main()
