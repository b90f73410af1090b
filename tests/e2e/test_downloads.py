"""Files that pages save: where they go, what answers say of them, what is not saved."""
import os
import pathlib
import shutil
import tempfile
import threading

from support import processes
from support.case import SharedCase, main
from support.client import PATIENCE
from support.engine import ENGINE, by_engine
from support.pages import Response


class Answers:
    """Calls browser_* tools and gives the text of the answer."""

    def __init__(self, client, **more):
        self.client, self.more = client, more

    def __getattr__(self, name):
        return lambda **arguments: self.client.ask("browser_" + name, **self.more, **arguments)


def file(name, body=b"hello", length=None):
    headers = [("Content-Disposition", f'attachment; filename="{name}"')]
    if length:
        headers.append(("Content-Length", str(length)))
    return Response(body, content_type="application/octet-stream", headers=headers)


def download_lines(text):
    return [line for line in text.split("### Events\n")[-1].split("\n") if "ownload" in line] if "### Events" in text else []


OPTIONS = ("--file-paths", "absolute", "--timeout-settle", 3600000)


class Downloads(SharedCase):
    args = OPTIONS

    def setUp(self):
        super().setUp()
        self.addCleanup(self.empty)

    def empty(self):
        """A file that lies there changes the names of those of the next test."""
        self.ask("browser_close")
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def browser(self, *args, output=None):
        """The server of all tests, or with other options one of its own."""
        if args or output:
            return Answers(self.start("--output-dir", output or self.folder, *OPTIONS, *args))
        return Answers(self.client)

    def saved(self, name):
        return (self.folder / name).read_bytes()

    def files(self):
        return sorted(path.name for path in self.folder.iterdir() if path.suffix not in (".yml", ".log"))

    def slow(self, name="slow.bin"):
        """The address of a file whose end comes when the event is set. The browser examines the beginning before it reports the download."""
        released = threading.Event()

        def parts():
            yield b"first" * 1000
            released.wait(PATIENCE)
            yield b"second"
        self.addCleanup(released.set)
        return self.site.route(self.site.unique(), lambda _: file(name, parts())), released

    def broken(self):
        """The address of a file whose connection breaks off again and again."""
        def answer(_):
            def parts():
                yield b"first"
                raise OSError
            return file("broken.bin", parts(), length=1000)
        return self.site.route(self.site.unique(), answer)

    def test_a_link_to_a_file(self):
        browser = self.browser()
        link = self.site.route("/get", file("report.bin"))
        browser.navigate(url=self.site.page(f"<a href='{link}'>get</a>", title="stays"))
        answer = browser.click(target="a")
        self.assertEqual(download_lines(answer), ["- Downloading file report.bin ...",
                                        f'- Downloaded file report.bin to "{self.folder}/report.bin"'])
        self.assertIn("- Page Title: stays", answer)
        self.assertEqual(self.saved("report.bin"), b"hello")
        self.assertEqual(download_lines(browser.snapshot()), [])

    def test_the_default_folder_is_shown_as_a_relative_path(self):
        browser = Answers(self.start("--timeout-settle", 30000, cwd=self.folder))
        browser.navigate(url=self.site.page("<a download=notes.txt href='data:text/plain,hi'>get</a>"))
        self.assertEqual(download_lines(browser.click(target="a"))[-1], '- Downloaded file notes.txt to ".playwright-mcp/notes.txt"')
        self.assertEqual((self.folder / ".playwright-mcp/notes.txt").read_text(), "hi")

    def test_everything_that_a_page_can_save(self):
        browser = self.browser()
        link = self.site.route("/get", file("report.bin"))
        unnamed = by_engine(chromium="", firefox="download=download.zip")  # Firefox makes up a name of eight random letters
        browser.navigate(url=self.site.page(f"""
            <a id=data {unnamed} href='data:application/zip,zip'>1</a><a id=blank target=_blank href='{link}'>2</a>
            <button id=blob>3</button><button id=open onclick="window.open('{link}')">4</button>
            <iframe srcdoc="<a href='{link}'>inside</a>"></iframe>
            <script>blob.onclick = () => {{
                const a = document.createElement('a');
                a.href = URL.createObjectURL(new Blob(['from a blob']));
                a.download = 'blob.txt';
                a.click();
            }}</script>"""))
        for target, name, end in (("#data", "download", ".zip"), ("#blank", "report", ".bin"), ("#blob", "blob", ".txt"), ("#open", "report", "-1.bin"),
                                  ("iframe >> internal:control=enter-frame >> a", "report", "-2.bin")):
            with self.subTest(target):
                self.assertEqual(download_lines(browser.click(target=target))[-1],
                                 f'- Downloaded file {name}{end[-4:]} to "{self.folder}/{name}{end}"')
        self.assertEqual(self.saved("blob.txt"), b"from a blob")
        self.assertEqual(self.saved("download.zip"), b"zip")

    def test_a_file_of_another_site_in_a_frame_of_its_own(self):
        inner = self.site.page(f"<a href='{self.site.route('/get', file('far.bin'))}'>get</a>").replace("127.0.0.1", "localhost")
        browser = self.browser()
        browser.navigate(url=self.site.page(f"<iframe src='{inner}'></iframe>"))
        self.assertIn("Downloaded file far.bin", browser.click(target="iframe >> internal:control=enter-frame >> a"))

    def test_navigating_to_a_file(self):
        browser = self.browser()
        before = self.site.page("here", title="before")
        browser.navigate(url=before)
        answer = browser.navigate(url=self.site.route("/get", file("direct.bin")))
        self.assertIn(f"- Page URL: {before}\n- Page Title: before", answer)
        self.assertNotIn("### Error", answer)
        self.assertEqual(download_lines(answer)[-1], f'- Downloaded file direct.bin to "{self.folder}/direct.bin"')

    def test_a_change_of_the_page_does_not_hide_that_its_file_is_to_come(self):
        link, released = self.slow("late.bin")
        browser = self.browser()
        browser.navigate(url=self.site.page(
            f"<a download=late.bin href='{link}' onclick='this.textContent = \"gone\"'>get</a>"))
        call = browser.client.start_call("browser_click", {"target": "a"})
        self.site.wait_request(link)
        released.set()
        answer = call.result()["content"][0]["text"]
        self.assertEqual(download_lines(answer)[-1], f'- Downloaded file late.bin to "{self.folder}/late.bin"')

    def test_one_that_takes_longer_is_told_of_later(self):
        link, released = self.slow()
        browser = Answers(self.start("--output-dir", str(self.folder), "--file-paths", "absolute", "--timeout-settle", 100))
        browser.navigate(url=self.site.page(f"<a href='{link}'>get</a>"))
        seen = download_lines(browser.click(target="a"))
        while not seen:
            seen = download_lines(browser.snapshot())
        self.assertEqual(seen, ["- Downloading file slow.bin ..."])
        self.assertEqual(download_lines(browser.snapshot()), [])
        released.set()
        while not (seen := download_lines(browser.snapshot())):
            pass
        self.assertEqual(seen, [f'- Downloaded file slow.bin to "{self.folder}/slow.bin"'])
        self.assertEqual(self.saved("slow.bin"), b"first" * 1000 + b"second")

    def test_one_that_breaks_off_says_so(self):
        browser = self.browser()
        browser.navigate(url=self.site.page(f"<a href='{self.broken()}'>get</a>"))
        self.assertEqual(download_lines(browser.click(target="a")), ["- Downloading file broken.bin ...",
                                                           "- Download of file broken.bin failed: canceled"])
        self.assertEqual(self.files(), [])

    def test_one_that_is_too_large_is_not_begun(self):
        link, _ = self.slow()
        endless = self.site.route("/large", lambda _: file("large.bin", iter([b"first", b"x" * 100000]), length=9 << 30))
        browser = self.browser()
        browser.navigate(url=self.site.page(f"<a href='{endless}'>get</a><p>{link}"))
        self.assertEqual(download_lines(browser.click(target="a"))[-1], "- Download of file large.bin failed: it is too large")

    def test_names_are_made_safe(self):
        browser = self.browser()
        names = {"../../up.txt": "-up.txt", "a b?c:d.txt": "a-b-c-d.txt", "_-x_.t_t": "--x-.t-t", ".hidden": "hidden",
                 "a.b.tar.gz": "a-b-tar.gz"}
        if ENGINE == "chromium":  # Firefox cannot save a file with such a name
            names["n" * 300 + ".txt"] = "n" * 251 + ".txt"
        links = [self.site.route(self.site.unique(), file(name)) for name in names]
        browser.navigate(url=self.site.page("".join(f"<a href='{link}'>get</a>" for link in links)))
        for i, name in enumerate(names.values()):
            with self.subTest(name):
                self.assertIn(f'to "{self.folder}/{name}"', browser.click(target=f"a >> nth={i}"))
        self.assertEqual(self.files(), sorted(names.values()))

    def test_characters_of_other_scripts_stay(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<a download='über ☃.txt' href='data:text/plain,hi'>get</a>"))
        self.assertIn(f'to "{self.folder}/über-☃.txt"', browser.click(target="a"))
        browser.navigate(url=self.site.page(f"<a download='{'ü' * 200}.txt' href='data:text/plain,hi'>get</a>"))
        self.assertIn("Downloaded", browser.click(target="a"))
        self.assertLessEqual(max(len(os.fsencode(name)) for name in self.files()), 255)

    def test_a_download_replaces_nothing(self):
        (self.folder / "Notes.txt").write_text("mine")
        browser = self.browser()
        browser.navigate(url=self.site.page("<a download=Notes.txt href='data:text/plain,1'>get</a>"
                                            "<a download=Notes.txt href='data:text/plain,2'>get</a>"))
        for i in range(2):
            self.assertIn(f'- Downloaded file Notes.txt to "{self.folder}/Notes-{i + 1}.txt"', browser.click(target=f"a >> nth={i}"))
        self.assertEqual([self.saved(f"Notes{end}.txt") for end in ("", "-1", "-2")], [b"mine", b"1", b"2"])

    def test_two_of_one_name_at_once(self):
        session = self.client.session()
        self.addCleanup(session.close)
        page = self.site.page("""<button>get</button><script>
            document.querySelector('button').onclick = () => ['one', 'two'].map(text => {
                const a = document.createElement('a');
                a.href = 'data:text/plain,' + text;
                a.download = 'same.txt';
                a.click();
            })</script>""")
        told = []
        for browser in (self.browser(), Answers(self.client, sessionId=session.id)):
            browser.navigate(url=page)
            told += [line.partition('to "')[2][:-1] for line in download_lines(browser.click(target="button")) if line.startswith("- Downloaded")]
        self.assertEqual(len(set(told)), 4, told)
        self.assertEqual(sorted(pathlib.Path(path).read_bytes() for path in told), [b"one", b"one", b"two", b"two"])

    def test_one_that_evaluated_code_begins(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("<a download=a.txt href='data:text/plain,1'>get</a>"))
        self.assertIn("Downloaded file a.txt", browser.evaluate(function="() => document.querySelector('a').click()"))
        self.assertIn("Downloaded file a.txt", self.run_code(browser, "await page.evaluate(() => document.querySelector('a').click())"))

    def test_one_that_the_page_takes_back(self):
        """Its link is pressed, and nothing is saved: the answer does not wait for it."""
        browser = Answers(self.start("--output-dir", str(self.folder), "--file-paths", "absolute", "--timeout-settle", 1000))
        browser.navigate(url=self.site.page("<a download=a.txt href='data:text/plain,1' "
                                            "onclick=\"event.preventDefault(); this.textContent = 'no'\">get</a>"))
        self.assertEqual(download_lines(browser.click(target="a")), [])
        self.assertIn('link "no"', browser.snapshot())
        self.assertEqual(self.files(), [])

    def test_nothing_is_left_of_one_under_way_when_the_server_is_killed(self):
        link, _ = self.slow()
        with tempfile.TemporaryDirectory() as profile:
            for args in ((), ("--user-data-dir", profile)):
                client = self.start_unchecked("--output-dir", str(self.folder), "--timeout-settle", 50, *args)
                browser = Answers(client)
                browser.navigate(url=self.site.page(f"<a href='{link}'>get</a>"))
                seen = download_lines(browser.click(target="a"))
                while not seen:
                    seen = download_lines(browser.snapshot())
                before = client.processes()
                client.process.kill()
                client.process.wait(PATIENCE)
                self.assertEqual(processes.wait_gone(before | processes.marked(client.home)), set())
                self.assertEqual(processes.leftovers(client.home), [])
                self.assertFalse(list(pathlib.Path(profile).rglob("browserd-*")))

    def test_two_at_once(self):
        browser = self.browser()
        browser.navigate(url=self.site.page("""<button>get</button><script>
            document.querySelector('button').onclick = () => {
                for (const name of ['one', 'two']) {
                    const a = document.createElement('a');
                    a.href = 'data:text/plain,' + name;
                    a.download = name + '.txt';
                    a.click();
                }
            }</script>"""))
        answer = browser.click(target="button")
        self.assertEqual(len([line for line in download_lines(answer) if line.startswith("- Downloaded")]), 2, answer)
        self.assertEqual((self.saved("one.txt"), self.saved("two.txt")), (b"one", b"two"))

    def test_a_folder_on_another_file_system(self):
        if not os.access("/dev/shm", os.W_OK) or os.stat("/dev/shm").st_dev == os.stat(tempfile.gettempdir()).st_dev:
            self.skipTest("there is no other file system")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            body = os.urandom(5 << 20)
            browser = self.browser(output=folder)
            browser.navigate(url=self.site.page(f"<a href='{self.site.route('/get', file('large.bin', body))}'>get</a>"))
            self.assertEqual(download_lines(browser.click(target="a"))[-1], f'- Downloaded file large.bin to "{folder}/large.bin"')
            self.assertEqual((pathlib.Path(folder) / "large.bin").read_bytes(), body)
            self.assertEqual([name for name in os.listdir(folder) if "browserd" in name], [])

    def test_a_folder_that_cannot_be_written(self):
        (self.folder / "taken").write_text("a file")
        browser = self.browser("--snapshot-mode", "none", output=self.folder / "taken")
        browser.navigate(url=self.site.page("<a download=a.txt href='data:text/plain,1'>get</a>"))
        self.assertRegex(download_lines(browser.click(target="a"))[-1], "- Download of file a.txt failed: .")

    def test_the_oldest_make_room(self):
        browser = self.browser("--output-max-size", 100000)
        links = "".join(f"<a download={name} href='{self.site.route('/' + name, Response(b'x' * 60000))}'>get</a>"
                        for name in ("one.bin", "two.bin"))
        (self.folder / "theirs.bin").write_bytes(b"x" * 200000)
        browser.navigate(url=self.site.page(links))
        for i in range(2):
            browser.click(target=f"a >> nth={i}")
        browser.snapshot()
        self.assertEqual(self.files(), ["theirs.bin", "two.bin"])

    def test_sessions_have_their_own(self):
        browser = self.browser()
        session = self.client.session()
        self.addCleanup(session.close)
        other = Answers(self.client, sessionId=session.id)
        page = self.site.page("<a download=a.txt href='data:text/plain,1'>get</a>")
        for who in (browser, other):
            who.navigate(url=page)
        self.assertIn("Downloaded file a.txt", other.click(target="a"))
        self.assertEqual(download_lines(browser.snapshot()), [])
        self.assertIn("Downloaded file a.txt", browser.click(target="a"))

    def test_in_a_profile_that_is_kept(self):
        with tempfile.TemporaryDirectory() as profile:
            browser = self.browser("--user-data-dir", profile)
            browser.navigate(url=self.site.page("<a download=a.txt href='data:text/plain,1'>get</a>"))
            self.assertIn("Downloaded file a.txt", browser.click(target="a"))
            browser.client.close()
            self.assertEqual(self.saved("a.txt"), b"1")
            self.assertFalse(list(pathlib.Path(profile).rglob("browserd-*")))

    def test_tools_without_an_output_folder_refuse_them(self):
        session = self.start().session()
        session.navigate(self.site.page("<a id=get download=a.txt href='data:text/plain,1'>get</a>"))
        session.click("#get")
        self.assertEqual(session.evaluate("1"), 1)
        self.assertEqual(self.files(), [])

    def run_code(self, browser, body):
        return browser.run_code_unsafe(code=f"async page => {{ {body} }}")

    def test_the_code_of_a_caller_saves_them(self):
        client = self.start("--timeout-settle", 30000, cwd=self.folder)
        browser = Answers(client)
        link = self.site.route("/get", file("report.bin"))
        browser.navigate(url=self.site.page(f"<a id=get href='{link}'>get</a><a id=bad href='{self.broken()}'>get</a>"))
        answer = self.run_code(browser, """
            const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get')]);
            await download.saveAs('deep/down/copy.bin');
            return [download.suggestedFilename(), download.url(), await download.failure(), await download.path(), download.page() === page];
        """)
        self.assertIn(f'["report.bin","{link}",null,"{self.folder}/.playwright-mcp/report.bin",true]', answer)
        self.assertIn('- Downloaded file report.bin to ".playwright-mcp/report.bin"', answer)
        self.assertEqual((self.folder / "deep/down/copy.bin").read_bytes(), b"hello")
        failed = self.run_code(browser, """
            const [download] = await Promise.all([page.waitForEvent('download'), page.click('#bad')]);
            return [await download.failure(), await download.saveAs('x.bin').catch(error => error.message)];
        """)
        self.assertIn('["canceled","download.saveAs: canceled"]', failed)
        outside = self.run_code(browser, """
            const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get')]);
            await download.saveAs('../x.bin');
        """)
        self.assertIn("File access denied", outside)
        self.assertFalse((self.folder.parent / "x.bin").exists())

    def test_the_code_of_a_caller_cancels_them(self):
        link, _ = self.slow()
        browser = self.browser()
        browser.navigate(url=self.site.page(f"<a id=get href='{link}'>get</a>"))
        answer = self.run_code(browser, """
            const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get')]);
            await download.cancel();
            return download.failure();
        """)
        self.assertIn('### Result\n"canceled"', answer)
        self.assertIn("- Download of file slow.bin failed: canceled", answer)
        self.assertIn("Download is starting", self.run_code(browser, f"await page.goto('{link}')"))

    def test_the_end_of_a_session_ends_them(self):
        link, _ = self.slow()
        browser = Answers(self.start("--output-dir", str(self.folder), "--file-paths", "absolute", "--timeout-settle", 50))
        browser.navigate(url=self.site.page(f"<a id=get href='{link}'>get</a>"))
        browser.click(target="#get")
        self.site.wait_request(link)
        browser.close()
        self.assertEqual(download_lines(browser.navigate(url=self.site.page("again"))), [])
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    main()
