"""Files that calls name: which may be read and written, what links, pipes and swapped names lead to, what is never replaced."""
import os
import pathlib
import shutil
import stat
import tempfile

from support.case import SharedCase, main
from support.engine import chromium_only

PICK = "<input type=file onchange='window.picked = this.files'>"
READ = "async () => [...picked].length ? await picked[0].text() : 'none'"


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class Files(SharedCase):
    """The server runs in the folder `here`, which is empty when a test begins."""

    keeps_session = True

    @classmethod
    def _start(cls, *args, folder):
        (folder / "here").mkdir()
        (folder / "outside").mkdir()
        return cls._keep(cls.client_class(*args, cwd=folder / "here"))

    def setUp(self):
        super().setUp()
        self.here, self.outside = self.folder / "here", self.folder / "outside"
        self.secret = self.outside / "secret.txt"
        self.secret.write_text("not for pages")
        self.addCleanup(self.empty, self.client)

    def empty(self, client):
        self.close_sessions(client)
        for path in (*self.here.iterdir(), *self.outside.iterdir()):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def open(self, body):
        self.ask("browser_navigate", url=self.site.page(body))

    def give(self, *paths):
        self.ask("browser_click", target="input")
        answer = self.ask("browser_file_upload", paths=[str(path) for path in paths])
        if "### Error" in answer:
            self.ask("browser_file_upload")
        return answer

    def picked(self):
        return self.ask("browser_evaluate", function=READ)


class Reading(Files):
    def test_links_that_lead_out_are_not_given_to_pages(self):
        (self.here / "link.txt").symlink_to(self.secret)
        (self.here / "way").symlink_to(self.outside)
        self.open(PICK)
        for name in ("link.txt", "way/secret.txt", self.here / "link.txt", "../outside/secret.txt", self.secret):
            with self.subTest(name):
                self.assertIn("File access denied", self.give(name))
                code = f"async page => page.locator('input').setInputFiles('{name}')"
                self.assertIn("File access denied", self.ask("browser_run_code_unsafe", code=code))
                self.assertIn("File access denied", self.ask("browser_drop", target="input", paths=[str(name)]))
        self.assertIn("File access denied", self.ask("browser_run_code_unsafe", filename="link.txt"))

    def test_links_that_stay_inside_are_followed(self):
        (self.here / "real.txt").write_text("inside")
        (self.here / "link.txt").symlink_to(self.here / "real.txt")
        self.open(PICK)
        self.assertNotIn("Error", self.give("link.txt"))
        self.assertIn('"inside"', self.picked())

    def test_pipes_neither_block_nor_are_read(self):
        os.mkfifo(self.here / "pipe")
        self.open(PICK)
        for answer in (self.give("pipe"), self.ask("browser_drop", target="input", paths=["pipe"]),
                       self.ask("browser_run_code_unsafe", filename="pipe"),
                       self.ask("browser_run_code_unsafe", code="async page => page.setInputFiles('input', 'pipe')"),
                       self.ask("browser_snapshot", filename="pipe"), self.ask("browser_take_screenshot", filename="pipe")):
            self.assertIn("### Error", answer)
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.here / "pipe").st_mode))

    def test_a_name_that_is_exchanged_after_the_choice_leads_nowhere_else(self):
        """Chromium opens files when pages read them, by their names."""
        path = self.here / "report.txt"
        path.write_text("harmless")
        self.open(PICK)
        self.assertNotIn("Error", self.give("report.txt"))
        path.unlink()
        path.symlink_to(self.secret)
        self.assertIn('"harmless"', self.picked())
        self.assertIn('"report.txt"', self.ask("browser_evaluate", function="() => picked[0].name"))

    @chromium_only("Firefox has no way to give a folder to a field")
    def test_directories_are_given_without_their_links(self):
        folder = self.here / "folder"
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "a.txt").write_text("a")
        (folder / "b.txt").write_text("b")
        (folder / "stolen.txt").symlink_to(self.secret)
        (folder / "all").symlink_to(self.outside)
        os.mkfifo(folder / "pipe")
        (folder / "many").mkdir()
        for i in range(150):
            (folder / "many" / str(i)).touch()
        self.open(PICK.replace("<input", "<input webkitdirectory"))
        self.assertNotIn("Error", self.give("folder"))
        names = self.ask("browser_run_code_unsafe", code="async page => { await page.waitForFunction(() => window.picked); "
                         "return page.evaluate(() => [picked.length, ...[...picked].map(file => file.webkitRelativePath)"
                         ".filter(path => !path.includes('many')).sort()]) }")
        self.assertIn('[152,"folder/b.txt","folder/deep/a.txt"]', names)

    def test_what_pages_were_given_goes_with_the_session(self):
        (self.here / "up.txt").write_text("x")
        self.open(PICK)
        self.give("up.txt")
        given, = pathlib.Path(self.client.home).rglob("up.txt")
        if given.stat().st_dev == (self.here / "up.txt").stat().st_dev:
            self.assertEqual(given.stat().st_ino, (self.here / "up.txt").stat().st_ino)  # however large it is
        for session in self.client.call("list_sessions")["sessions"]:
            self.client.call("close_session", sessionId=session["sessionId"])
        self.assertEqual(list(pathlib.Path(self.client.home).rglob("up.txt")), [])
        self.assertEqual((self.here / "up.txt").read_text(), "x")


    def test_files_of_another_file_system_are_copied(self):
        if os.stat("/dev/shm").st_dev == os.stat(tempfile.gettempdir()).st_dev:
            self.skipTest("there is one file system")
        here = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(dir="/dev/shm")))
        self.client = self.start(cwd=here)
        (here / "up.bin").write_bytes(bytes(range(256)) * 20000)
        os.utime(here / "up.bin", (1e9, 1e9))
        self.open(PICK)
        self.assertNotIn("Error", self.give("up.bin"))
        function = "async () => [picked[0].size, picked[0].lastModified, new Uint8Array(await picked[0].arrayBuffer())[4999999]].join()"
        self.assertIn(f'"5120000,1000000000000,{4999999 % 256}"', self.ask("browser_evaluate", function=function))


class Writing(Files):
    WAYS = (("browser_snapshot", {}), ("browser_take_screenshot", {}), ("browser_console_messages", {}), ("browser_network_requests", {}),
            ("browser_evaluate", {"function": "() => 'value'"}), ("browser_find", {"text": "words"}))

    def names(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if not path.is_dir())

    def test_files_that_are_not_ours_stay(self):
        self.open("words <a download=main.c href='data:text/plain,evil'>get</a>")
        mine = self.here / "main.c"
        mine.write_text("int main;")
        session = self.client.session()
        session.navigate(self.site.page("x"))
        for tool, arguments in self.WAYS:
            with self.subTest(tool):
                self.assertIn("EEXIST", self.ask(tool, filename="main.c", **arguments))
        self.assertIn("EEXIST", session.fail("screenshot", path="main.c").message)
        for code in ("page.screenshot({ path: 'main.c' })", "Promise.all([page.waitForEvent('download'), page.click('a')])"
                     ".then(([download]) => download.saveAs('main.c'))"):
            self.assertIn("EEXIST", self.ask("browser_run_code_unsafe", code=f"async page => {code}"))
        self.assertEqual(mine.read_text(), "int main;")

    def test_our_own_are_replaced_until_somebody_else_changes_them(self):
        self.open("<h1>first")
        self.ask("browser_snapshot", filename="page.yml")
        self.open("<h1>second")
        self.assertNotIn("Error", self.ask("browser_snapshot", filename="page.yml"))
        page = self.here / "page.yml"
        self.assertIn("second", page.read_text())
        page.write_text(page.read_text() + "# a note of the user\n")
        self.assertIn("EEXIST", self.ask("browser_snapshot", filename="page.yml"))
        self.assertIn("a note", page.read_text())

    def test_no_link_is_written_through(self):
        self.open("words")
        (self.here / "new.yml").symlink_to(self.outside / "new.yml")
        (self.here / "over.yml").symlink_to(self.secret)
        (self.here / "way").symlink_to(self.outside)
        before = self.names()
        for name in ("new.yml", "over.yml", "way/x.yml", "way/secret.txt", "../outside/x.yml", str(self.outside / "x.yml")):
            for tool, arguments in self.WAYS:
                with self.subTest(name, tool=tool):
                    self.assertIn("### Error", self.ask(tool, filename=name, **arguments))
        self.assertEqual([name for name in self.names() if name not in before and ".playwright-mcp" not in name], [])
        self.assertEqual(self.secret.read_text(), "not for pages")

    def test_an_output_folder_that_is_a_link_to_elsewhere_is_not_used(self):
        (self.here / ".playwright-mcp").symlink_to(self.outside)
        self.open(PICK)
        self.assertIn("File access denied", self.ask("browser_take_screenshot"))
        self.assertIn("File access denied", self.ask("browser_run_code_unsafe", filename=".playwright-mcp/secret.txt"))
        self.assertEqual([path.name for path in self.outside.iterdir()], ["secret.txt"])

    def test_the_screenshot_tool_writes_where_the_others_do(self):
        session = self.client.session()
        session.navigate(self.site.page("x"))
        self.assertIn("outside allowed roots", session.fail("screenshot", path=str(self.outside / "x.png")).message)
        self.assertIn("outside allowed roots", session.fail("screenshot", path="../x.png").message)
        self.assertEqual(session.call("screenshot", path="x.png")["path"], "x.png")
        self.assertEqual((self.here / "x.png").read_bytes()[:4], b"\x89PNG")

    def test_what_is_written_is_for_its_owner_alone(self):
        mask = os.umask(0)
        self.addCleanup(os.umask, mask)
        self.client = self.start("--timeout-settle", 30000, cwd=self.here)
        self.open("<script>console.log('logged')</script><a download=saved.txt href='data:text/plain,x'>get</a>")
        self.ask("browser_click", target="a")
        self.ask("browser_take_screenshot", filename="deep/er/x.png")
        files = [path for path in self.here.rglob("*") if not path.is_dir()]
        self.assertEqual({path.name for path in files} & {"saved.txt", "x.png"}, {"saved.txt", "x.png"})
        self.assertEqual({mode(path) for path in files}, {0o600})
        self.assertEqual({mode(path) for path in self.here.rglob("*") if path.is_dir()}, {0o700})

    def test_a_download_that_was_changed_is_not_replaced(self):
        self.client = self.start("--timeout-settle", 30000, cwd=self.here)
        self.open("<a download=a.txt href='data:text/plain,1'>get</a>")
        self.assertIn("Downloaded file a.txt", self.ask("browser_click", target="a"))
        saved = self.here / ".playwright-mcp" / "a.txt"
        saved.write_text("edited")
        self.assertIn("a-1.txt", self.ask("browser_click", target="a"))
        self.assertEqual((saved.read_text(), (saved.parent / "a-1.txt").read_text()), ("edited", "1"))


if __name__ == "__main__":
    main()
