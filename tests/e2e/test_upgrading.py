"""What an upgrade meets: a server that runs, files and profiles of the version before, and a config file for another version.

OLD_BROWSERD names an older version to upgrade from; without it, the program stands for its own predecessor, in a process of its own."""
import json
import os
import pathlib
import shutil
import tempfile

from support.case import BrowserdCase, main
from support.client import binary
from support.http_client import HttpServer

OLD = os.environ.get("OLD_BROWSERD", binary())
KEEP = "() => { document.cookie = 'kept=1;max-age=9999'; localStorage.kept = 'yes'; }"
KEPT = "() => document.cookie + ' ' + localStorage.kept"


class Upgrading(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def old(self, *args, **more):
        return self.start(command=[OLD, *map(str, args)], **more)

    def test_a_running_server_outlives_the_replacement_of_its_program(self):
        program = self.folder / "browserd"
        shutil.copy(OLD, program)
        server = HttpServer(command=[str(program), "--port", "0"])
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        before = server.client()
        before.navigate("data:text/html,<title>Before</title>")
        new = self.folder / "new"
        new.write_text("#!/bin/sh\necho 'the new version was started' >&2; exit 1\n")
        new.chmod(0o755)
        new.replace(program)  # as package managers do it
        self.assertEqual(before.evaluate("() => document.title"), '"Before"')
        for version in ("2025-03-26", "2025-11-25"):
            client = server.client(version=version)
            client.navigate("data:text/html,<title>After</title>")  # its browser starts after the replacement
            self.assertEqual(client.evaluate("() => document.title"), '"After"')
            client.delete()
        before.delete()
        self.assertNotIn("the new version", server.stderr())

    def test_files_of_the_former_version_are_kept_and_can_be_read(self):
        options = ("--output-dir", self.folder)
        page = "data:text/html,<button>Old</button>"
        former = self.old(*options)
        former.ask("browser_navigate", url=page)
        former.ask("browser_snapshot", filename=str(self.folder / "named.md"))
        former.close()
        text = (self.folder / "named.md").read_text()
        self.assertIn("Old", text)
        client = self.start(*options)
        client.ask("browser_navigate", url=page.replace("Old", "New"))
        refused = client.ask("browser_snapshot", filename=str(self.folder / "named.md"))
        self.assertIn("named.md' is there already, and it is not a file that this server has written", refused)
        self.assertEqual((self.folder / "named.md").read_text(), text)

    def keep(self, *options, tool=None, **arguments):
        """Makes the former version keep something on a page. The address of the page."""
        site = self.pages()
        url = site.page("x")
        former = self.old(*options, "--output-dir", self.folder)
        former.ask("browser_navigate", url=url)
        former.ask("browser_evaluate", function=KEEP)
        if tool:
            former.ask(tool, **arguments)
        former.close()
        return url

    def check_kept(self, url, *options):
        client = self.start(*options)
        client.ask("browser_navigate", url=url)
        self.assertIn('"kept=1 yes"', client.ask("browser_evaluate", function=KEPT))

    def test_profiles(self):
        profile = self.folder / "profile"
        self.check_kept(self.keep("--user-data-dir", profile), "--user-data-dir", profile)

    def test_storage_states(self):
        state = self.folder / "state.json"
        url = self.keep("--caps", "storage", tool="browser_storage_state", filename=str(state))
        self.check_kept(url, "--isolated", "--storage-state", state)

    def test_keys_of_other_versions_are_reported_and_the_rest_applies(self):
        config = self.folder / "config.json"
        config.write_text(json.dumps({"keyOfAnotherVersion": 1, "sessions": {"max": 7, "newer": True}}))
        client = self.start("--config", config)
        self.assertEqual(client.call("list_sessions")["maxSessions"], 7)
        for key in ("keyOfAnotherVersion", "sessions.newer"):
            self.assertIn(f'unknown option "{key}" is ignored', client.stderr())


if __name__ == "__main__":
    main()
