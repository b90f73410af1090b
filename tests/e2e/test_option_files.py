"""Options that name files: the start fails with a message, at once, where the file is none that can be read to its end."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from support.case import main
from support.client import PATIENCE

PORT = ("--port", "0")
# What comes before each option.
OPTIONS = {
    "config": (), "secrets": (), "storage-state": (), "init-script": (), "init-page": (), "auth-token-file": PORT,
    "tls-cert": (*PORT, "--tls-key=/dev/null"),
    "oauth-jwks": (*PORT, "--oauth-issuer", "https://issuer.example", "--oauth-audience", "https://server.example"),
}


class OptionFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.fifo = cls.folder / "fifo"
        os.mkfifo(cls.fifo)

    def refusal(self, *args):
        """What the server that does not start says."""
        done = subprocess.run([os.environ["BROWSERD"], *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
        self.assertNotEqual(done.returncode, 0, done)
        return done.stderr.decode()

    def check(self, path, reason):
        for option, before in OPTIONS.items():
            with self.subTest(option):
                self.assertRegex(self.refusal(*before, f"--{option}={path}"), f"--{option}.*{reason}")

    def test_pipes(self):
        self.check(self.fifo, "not a regular file")

    def test_devices(self):
        self.check("/dev/zero", "not a regular file")

    def test_directories(self):
        self.check(self.folder, "Is a directory")

    def test_the_event_sink(self):
        self.assertIn("not a regular file", self.refusal("--event-sink", f"file:{self.fifo}"))


if __name__ == "__main__":
    main()
