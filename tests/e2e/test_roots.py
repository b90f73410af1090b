"""Clients that tell in which folders they work: files go there."""
import pathlib
import tempfile

from support.case import BrowserdCase, main
from support.over_http import OverHttp


class Roots(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.here, self.root = self.folder / "here", self.folder / "a root é"
        self.here.mkdir()
        self.root.mkdir()

    def client(self, *roots, **more):
        return self.start(roots=list(roots), cwd=self.here, **more)

    def test_files_go_below_the_first_root(self):
        client = self.start("--snapshot-mode", "full", roots=[self.root.as_uri(), (self.folder / "other").as_uri()], cwd=self.here)
        answer = client.ask("browser_navigate", url="about:blank")
        self.assertIn("- [Snapshot](.playwright-mcp/page-", answer)
        self.assertEqual(len(list((self.root / ".playwright-mcp").glob("page-*.yml"))), 1)
        self.assertIn("(./named.yml)", client.ask("browser_take_screenshot", filename="named.yml"))
        self.assertTrue((self.root / "named.yml").exists())
        self.assertFalse(list(self.here.iterdir()))
        self.assertEqual(client.roots_asked, 1)

    def test_other_folders_are_refused(self):
        client = self.client(self.root.as_uri())
        for name in (self.here / "x.png", "../x.png"):
            answer = client.ask("browser_take_screenshot", filename=str(name))
            self.assertIn(f"outside allowed roots. Allowed roots: {self.root}/.playwright-mcp, {self.root}", answer)

    def test_the_output_folder_is_the_servers(self):
        client = self.start("--snapshot-mode", "full", "--output-dir", "out", roots=[self.root.as_uri()], cwd=self.here)
        client.ask("browser_navigate", url="about:blank")
        self.assertTrue(list((self.here / "out").glob("page-*.yml")))

    def test_roots_that_change_are_asked_for_again(self):
        client = self.client(self.root.as_uri())
        client.ask("browser_navigate", url="about:blank")
        client.roots = [self.folder.as_uri()]
        client.notify("notifications/roots/list_changed")
        client.ask("browser_take_screenshot", filename="later.png")
        self.assertTrue((self.folder / "later.png").exists())
        self.assertEqual(client.roots_asked, 2)

    def test_roots_that_are_no_folders(self):
        for roots in ((), ("https://example.com/",)):
            client = self.client(*roots)
            client.ask("browser_take_screenshot", filename="x.png")
            self.assertTrue((self.here / "x.png").exists())
            (self.here / "x.png").unlink()

    def test_over_http_files_stay_in_the_owners_directory(self):
        client = self.start(roots=[self.root.as_uri()], cwd=self.here, client_class=OverHttp)
        client.start_call("browser_take_screenshot", {"filename": "named.png"}).result()
        self.assertEqual((client.roots_asked, list(self.root.iterdir()), list(self.here.iterdir())), (1, [], []))

    def test_over_http_clients_that_may_use_any_file_work_in_their_root(self):
        for root, written in ((self.root, True), (self.folder / "of another machine", False)):
            client = self.start("--allow-unrestricted-file-access", roots=[root.as_uri()], cwd=self.here, client_class=OverHttp)
            client.start_call("browser_take_screenshot", {"filename": "named.png"}).result()
            self.assertEqual((root / "named.png").exists(), written)

    def test_a_client_without_roots_is_not_asked(self):
        client = self.start(cwd=self.here)
        client.ask("browser_navigate", url="about:blank")
        self.assertEqual(client.roots_asked, 0)


if __name__ == "__main__":
    main()
