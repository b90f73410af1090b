"""recordHar and recordVideo of contextOptions: the archive of what pages request, and a video of each page."""
import base64
import json
import zlib

from support.case import main
from support.drop_in import REFERENCE, DropInCase
from support.pages import Response


def chunk(kind, data):
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


PNG = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", (1).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])) +
       chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))
SCRIPT = "fetch('/api?x=1&y', { method: 'POST', body: 'hello' }).then(() => document.title = 'Done')"


def config(**options):
    return {"browser": {"contextOptions": options}}


def write(folder, content, name="config.json"):
    path = folder / name
    path.write_text(json.dumps(content))
    path.chmod(0o600)
    return path


def entries(path):
    """The entries by the path of their URL."""
    archive = json.loads(path.read_text())["log"]
    return {entry["request"]["url"].split("/", 3)[3]: entry for entry in archive["entries"]}


class RecordsCase(DropInCase):
    def visit(self, client, body="<script src=/script.js></script><img src=/dot.png>"):
        """Loads a page with a script, a picture and a request of the script; ends when all have come."""
        self.site.route("/script.js", Response(SCRIPT, content_type="text/javascript"))
        self.site.route("/dot.png", Response(PNG, content_type="image/png"))
        self.site.route("/api", lambda request: Response(json.dumps({"got": request.body.decode()}), content_type="application/json"))
        self.site.route("/start", f"<title>Start</title>{body}")
        self.call(client, "browser_navigate", url=self.site.url("/start"))
        loaded = "() => new Promise(done => { const look = () => document.title == 'Done' ? done() : setTimeout(look, 20); look(); })"
        self.assertFalse(self.call(client, "browser_evaluate", function=loaded).is_error)

    def record(self, **har):
        """The folder's archive after a visit that browser_close ends."""
        client = self.serve("--config", write(self.folder, config(recordHar={"path": "out/net.har", **har})))
        self.visit(client)
        self.assertFalse(self.call(client, "browser_close").is_error)
        return self.folder / "out/net.har"


class Archive(RecordsCase):
    def test_requests_with_their_bodies(self):
        """The path is relative to the working directory."""
        path = self.record()
        self.assertEqual(json.loads(path.read_text())["log"]["version"], "1.2")
        found = entries(path)
        self.assertLessEqual({"start", "script.js", "dot.png", "api?x=1&y"}, set(found))
        self.assertIn("<title>Start", found["start"]["response"]["content"]["text"])
        self.assertEqual(found["script.js"]["response"]["content"]["text"], SCRIPT)
        picture = found["dot.png"]["response"]["content"]
        self.assertEqual((picture["encoding"], base64.b64decode(picture["text"]), picture["size"]), ("base64", PNG, len(PNG)))
        asked = found["api?x=1&y"]
        self.assertEqual((asked["request"]["method"], asked["request"]["postData"]["text"]), ("POST", "hello"))
        self.assertIn({"name": "x", "value": "1"}, asked["request"]["queryString"])
        self.assertEqual(asked["response"]["content"]["text"], '{"got": "hello"}')
        pages = json.loads(path.read_text())["log"]["pages"]
        self.assertEqual([page["id"] for page in pages], [asked["pageref"]])

    def test_a_minimal_archive_of_some_addresses(self):
        found = entries(self.record(mode="minimal", urlFilter="**/api*"))
        self.assertEqual(list(found), ["api?x=1&y"])
        entry = found["api?x=1&y"]
        self.assertEqual(entry["response"]["content"]["text"], '{"got": "hello"}')
        self.assertEqual(entry["response"]["content"]["size"], -1)
        self.assertNotIn("pageref", entry)
        self.assertEqual((entry["timings"]["send"], entry["timings"]["wait"]), (-1, -1))

    def test_without_bodies(self):
        content = entries(self.record(content="omit"))["script.js"]["response"]["content"]
        self.assertNotIn("text", content)
        self.assertEqual(content["mimeType"], "text/javascript")

    def test_bodies_in_files(self):
        path = self.record(content="attach")
        for name, body in (("script.js", SCRIPT.encode()), ("dot.png", PNG)):
            content = entries(path)[name]["response"]["content"]
            self.assertNotIn("text", content)
            self.assertEqual((path.parent / content["_file"]).read_bytes(), body)

    def test_the_next_context_overwrites_it(self):
        client = self.serve("--config", write(self.folder, config(recordHar={"path": "net.har"})))
        self.visit(client)
        self.call(client, "browser_close")
        self.open(client, "second")
        for _ in range(2):  # a context without a request writes none
            self.call(client, "browser_close")
        self.assertNotIn("start", entries(self.folder / "net.har"))


class OursOnly(RecordsCase):
    def setUp(self):
        if REFERENCE:
            self.skipTest("the reference writes nothing without browser_close, and videos with ffmpeg only")
        super().setUp()

    def test_the_end_of_the_client_writes_the_archive(self):
        client = self.serve("--config", write(self.folder, config(recordHar={"path": "net.har"})))
        self.visit(client)
        client.close()
        self.assertEqual(entries(self.folder / "net.har")["script.js"]["response"]["content"]["text"], SCRIPT)

    def test_a_signal_writes_the_archive(self):
        client = self.serve("--config", write(self.folder, config(recordHar={"path": "net.har"})))
        self.visit(client)
        client.process.terminate()
        client.process.wait(30)
        self.assertIn("start", entries(self.folder / "net.har"))

    def test_another_session_has_another_file(self):
        client = self.start("--config", str(write(self.folder, config(recordHar={"path": "net.har"}))), "--lazy-sessions",
                            "--caps=browser", cwd=self.folder)
        self.visit(client)
        self.call(client, "browser_navigate", url=self.site.page("other"), sessionId="second")
        self.call(client, "browser_close", sessionId="second")
        self.call(client, "browser_close")
        self.assertIn("start", entries(self.folder / "net.har"))
        self.assertEqual(len(entries(self.folder / "net-1.har")), 1)

    def test_secrets_are_masked(self):
        secrets = write(self.folder, {}, name="secrets")
        secrets.write_text("KEY=dont-show-this\n")
        client = self.serve("--config", write(self.folder, config(recordHar={"path": "net.har"})), "--secrets", secrets)
        self.visit(client, "dont-show-this<script src=/script.js></script>")
        self.call(client, "browser_close")
        text = (self.folder / "net.har").read_text()
        self.assertNotIn("dont-show-this", text)
        self.assertIn("<secret>KEY</secret>", text)

    def test_a_link_is_not_followed(self):
        (self.folder / "other").write_text("stays")
        (self.folder / "net.har").symlink_to("other")
        client = self.serve("--config", write(self.folder, config(recordHar={"path": "net.har"})))
        self.open(client, "x")
        self.call(client, "browser_close")
        client.wait_stderr("cannot write")
        self.assertEqual((self.folder / "other").read_text(), "stays")

    def test_wrong_values_stop_the_start(self):
        for value in ({}, {"path": "x.zip"}, {"path": "x.har", "content": "all"}, {"path": "x.har", "mode": 1},
                      {"path": "x.har", "urlFilter": 3}):
            with self.subTest(value):
                self.refused({"recordHar": value}, "recordHar")
        for value in ({}, {"dir": 3}, {"dir": "videos", "size": {"width": 100}}):
            with self.subTest(value):
                self.refused({"recordVideo": value}, "recordVideo")

    def refused(self, options, name):
        client = self.serve("--config", write(self.folder, config(**options)), version=None)
        self.assertNotEqual(client.process.wait(30), 0)
        self.assertIn(f"browser.contextOptions.{name}", client.stderr())

    def test_a_video_of_each_page(self):
        client = self.serve("--config", write(self.folder, config(recordVideo={"dir": "videos", "size": {"width": 320, "height": 240}})),
                            "--caps=devtools")
        self.open(client, "<style>@keyframes k { to { margin-left: 300px } } p { animation: k 1s infinite }</style><p>moves")
        self.call(client, "browser_tabs", action="new", url=self.site.page("second"))
        self.assertIn("recordVideo", self.call(client, "browser_start_video").error)
        self.assertEqual(self.call(client, "browser_stop_video").result, "No videos were recorded.")
        path = self.call(client, "browser_run_code_unsafe", code="async page => await page.video().path()").result
        self.call(client, "browser_wait_for", time=1)
        self.call(client, "browser_close")
        self.assertIn(json.loads(path), map(str, (self.folder / "videos").iterdir()))
        videos = [path.read_bytes() for path in (self.folder / "videos").iterdir()]
        self.assertEqual({path.suffix for path in (self.folder / "videos").iterdir()}, {".webm"})
        self.assertEqual(len(videos), 2)
        for video in videos:
            self.assertEqual(video[:4], b"\x1a\x45\xdf\xa3")  # EBML
            self.assertIn(b"\x1f\x43\xb6\x75", video)  # a cluster of frames


if __name__ == "__main__":
    main()
