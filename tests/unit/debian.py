"""The Debian package has the version of the program, its units start what it installs, and all that it needs is in the tree."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop())


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


class Debian(unittest.TestCase):
    def test_version(self):
        project = re.search(r"version: '([^']+)'", read("meson.build")).group(1)
        self.assertEqual(re.match(r"browserd \(([^)]+)\)", read("debian/changelog")).group(1), project)

    def test_installed_files_exist(self):
        for line in read("debian/browserd.install").splitlines():
            self.assertTrue((ROOT / line.split()[0]).is_file(), line)

    def test_units_set_options_that_exist(self):
        options = set(re.findall(r"^\| `(?:-\w`, `)?--([a-z-]+)", read("docs/options.md"), re.MULTILINE))
        for unit in (ROOT / "packaging/systemd").rglob("*.service"):
            names = re.findall(r"BROWSERD_([A-Z_]+)=", unit.read_text(encoding="utf-8"))
            self.assertTrue(names, unit)
            for name in names:
                self.assertIn(name.lower().replace("_", "-"), options, unit)

    def test_every_socket_needs_the_token_that_its_service_reads(self):
        for folder, place in (("system", "/etc"), ("user", "%E")):
            self.assertIn(f"AssertPathExists={place}/browserd/token\n", read(f"packaging/systemd/{folder}/browserd.socket"))
            self.assertIn("BROWSERD_AUTH_TOKEN_FILE=", read(f"packaging/systemd/{folder}/browserd.service"))
        self.assertIn("LoadCredential=token:/etc/browserd/token\n", read("packaging/systemd/system/browserd.service"))


if __name__ == "__main__":
    unittest.main()
