"""Recordings in the live view: who gets them, parts of files, removal, and the page that replays them, in a browser that another browserd drives."""
import json
import pathlib
import re
import tempfile

from support.case import main
from support.engine import chromium_only
from support.http_case import HttpCase
from support.http_client import HttpServer
from support.issuer import NAME, Issuer
from support.pages import Pages
from support.view import Person

TOKEN = "correct-horse-battery"
LARGE = 256 << 20  # more than the server may take
SHOP = """<body style='background: red'><button onclick="document.body.style.background = 'blue'">Buy</button>"""


class RecordedCase(HttpCase):
    kinds = "trace"

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.args = ("--output-dir", str(cls.folder), "--record", cls.kinds, "--max-sessions", "20", *cls.authentication())
        super().setUpClass()
        cls.site = Pages()
        cls.addClassCleanup(cls.site.close)

    @classmethod
    def authentication(cls):
        return "--auth-token", TOKEN

    def fields(self, who):
        return {"Authorization": f"Bearer {TOKEN}"}

    def person(self, who="ada"):
        person = Person(self.server)
        self.addCleanup(person.close)
        self.assertEqual(person.log_in(self.fields(who)["Authorization"].removeprefix("Bearer "))[0], 200)
        return person

    def listed(self, person):
        status, _, body = person.ask("GET", "/view/recordings")
        self.assertEqual(status, 200, body)
        return body["recordings"]

    def record(self, who="ada", waits=()):
        """The entry of a session that has ended, in the list of its owner. `waits`: milliseconds before and after the click."""
        client, person = self.client(fields=self.fields(who)), self.person(who)
        session = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=session, url=self.site.page(SHOP, title="Shop"))
        for wait in waits[:1]:
            client.call("evaluate", sessionId=session, expression=f"new Promise(done => setTimeout(done, {wait}))")
        client.call("click", sessionId=session, selector="button")
        for wait in waits[1:]:
            client.call("evaluate", sessionId=session, expression=f"new Promise(done => setTimeout(done, {wait}))")
        client.call("close_session", sessionId=session)

        def look():
            client.call("list_sessions")
            return [entry for entry in self.listed(person) if entry["session"] == session and entry["ended"]]
        return self.repeat(look, bool)[0]


class Files(RecordedCase):
    """One server, whose clients have its token."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.entry = None

    def setUp(self):
        type(self).entry = self.entry or self.record()
        self.key = self.entry["key"]
        self.ada = self.person()
        self.path = f"/view/recordings/{self.key}/timeline.jsonl"
        self.whole = self.ada.ask("GET", self.path)[2]

    def test_the_list(self):
        self.assertEqual((self.entry["state"], self.entry["end"], self.entry["title"]), ("finished", "was closed", "Shop"))
        self.assertEqual((self.entry["calls"], self.entry["kinds"]), (3, ["trace"]))
        self.assertGreater(self.entry["bytes"], 1000)

    def test_whole_files(self):
        for name, kind in (("manifest.json", "application/json"), ("timeline.jsonl", "application/x-ndjson"), ("trace.zip", "application/zip")):
            status, headers, body = self.ada.ask("GET", f"/view/recordings/{self.key}/{name}")
            self.assertEqual((status, headers.get_content_type(), headers["Accept-Ranges"]), (200, kind, "bytes"), name)
            size = len(json.dumps(body)) if isinstance(body, dict) else len(body)
            self.assertGreater(size, 100)
        self.assertIn("attachment", headers["Content-Disposition"])
        self.assertTrue(body.startswith(b"PK"))

    def test_parts(self):
        size = len(self.whole)
        for field, first, last in (("bytes=0-9", 0, 9), ("bytes=10-", 10, size - 1), ("bytes=-7", size - 7, size - 1),
                                   (f"bytes=5-{10 * size}", 5, size - 1)):
            status, headers, body = self.ada.ask("GET", self.path, Range=field)
            self.assertEqual((status, headers["Content-Range"]), (206, f"bytes {first}-{last}/{size}"), field)
            self.assertEqual(body, self.whole[first:last + 1], field)

    def test_what_is_no_part(self):
        size = len(self.whole)
        status, headers, body = self.ada.ask("GET", self.path, Range=f"bytes={size}-")
        self.assertEqual((status, headers["Content-Range"], body), (416, f"bytes */{size}", b""))
        for field in "bytes=0-1,3-4", "lines=1-2", "bytes=9-1":
            self.assertEqual(self.ada.ask("GET", self.path, Range=field)[::2], (200, self.whole), field)

    def test_validators(self):
        _, headers, _ = self.ada.ask("GET", self.path)
        for validator in headers["ETag"], headers["Last-Modified"]:
            self.assertEqual(self.ada.ask("GET", self.path, Range="bytes=0-3", If_Range=validator)[0], 206)
        self.assertEqual(self.ada.ask("GET", self.path, Range="bytes=0-3", If_Range='"another"')[::2], (200, self.whole))
        self.assertEqual(self.ada.ask("GET", self.path, If_None_Match=headers["ETag"])[::2], (304, b""))

    def test_head(self):
        status, headers, body = self.ada.ask("HEAD", self.path)
        self.assertEqual((status, headers["Content-Length"], body), (200, str(len(self.whole)), b""))
        status, headers, body = self.ada.ask("HEAD", self.path, Range="bytes=0-3")
        self.assertEqual((status, headers["Content-Length"], body), (206, "4", b""))

    def test_a_large_file_comes_in_slices(self):
        """A client that reads slowly gets all of it, and the server answers others meanwhile."""
        path, = self.folder.glob(f"owner-*/.playwright-mcp/recordings/{self.entry['id']}")
        content = bytes(range(256)) * (LARGE // 256)
        (path / "video-9.webm").write_bytes(content)
        connection = self.server.connect()
        connection.request("GET", f"/view/recordings/{self.key}/video-9.webm", headers=self.ada.headers({}))
        response = connection.getresponse()
        got = response.read(1000)
        self.assertEqual(self.ada.ask("GET", self.path)[2], self.whole)
        metrics = self.server.ask("GET", "/metrics", headers=self.fields("ada"))[2].decode()
        self.assertLess(float(re.search(r"^browserd_memory_bytes (\S+)$", metrics, re.MULTILINE)[1]), LARGE)
        self.assertEqual(got + response.read(), content)
        connection.close()
        (path / "video-9.webm").unlink()

    def test_no_name_leads_elsewhere(self):
        for path in ("", "/", "/../manifest.json", "/%2e%2e/x", "//manifest.json", "/manifest.json/", "/other.txt", "/video-1.webm/..", "/video-.webm",
                     "/timeline.jsonl%00", "/.playwright-mcp/x"):
            self.assertEqual(self.ada.ask("GET", f"/view/recordings/{self.key}{path}")[0], 404, path)
        for key in "..", "../..", self.key[:-1], self.key + "0", f"../recordings/{self.key}", f"owner-abcdef/{self.key}", "-" * 32:
            self.assertEqual(self.ada.ask("GET", f"/view/recordings/{key}/manifest.json")[0], 404, key)

    def test_a_link_to_a_file_is_not_followed(self):
        path, = self.folder.glob(f"owner-*/.playwright-mcp/recordings/{self.entry['id']}")
        (path / "video-8.webm").symlink_to("/etc/passwd")
        self.assertEqual(self.ada.ask("GET", f"/view/recordings/{self.key}/video-8.webm")[0], 404)
        (path / "video-8.webm").unlink()

    def test_who_has_not_logged_in(self):
        nobody = Person(self.server)
        for method, path in ("GET", "/view/recordings"), ("GET", self.path), ("DELETE", f"/view/recordings/{self.key}"):
            self.assertEqual(nobody.ask(method, path)[0], 401, path)

    def test_removal(self):
        entry = self.record()
        path = f"/view/recordings/{entry['key']}"
        self.assertEqual(self.ada.ask("DELETE", path, Origin="http://evil.example")[0], 403)
        self.assertEqual(self.ada.ask("DELETE", path)[0], 200)
        self.assertNotIn(entry["id"], [other["id"] for other in self.listed(self.ada)])
        self.assertEqual(list(self.folder.glob(f"owner-*/.playwright-mcp/recordings/{entry['id']}")), [])
        self.assertEqual(self.ada.ask("DELETE", path)[0], 404)

    def test_what_is_being_recorded_is_not_removed(self):
        client = self.client(fields=self.fields("ada"))
        session = client.call("create_session")["sessionId"]
        entry, = (entry for entry in self.listed(self.ada) if entry["session"] == session)
        self.assertEqual(entry["state"], "running")
        self.assertEqual(self.ada.ask("DELETE", f"/view/recordings/{entry['key']}")[0], 409)
        client.call("close_session", sessionId=session)


class Owners(RecordedCase):
    """Each subject of tokens sees its own."""

    @classmethod
    def authentication(cls):
        cls.issuer = Issuer(cls.enterClassContext(tempfile.TemporaryDirectory()), "https://tools.example/mcp")
        return "--oauth-issuer", NAME, "--oauth-jwks", cls.issuer.write(), "--public-url", "https://tools.example/mcp"

    def fields(self, who):
        return {"Authorization": "Bearer " + self.issuer.token(sub=who)}

    def test_foreign_recordings(self):
        entry = self.record("ada")
        bob = self.person("bob")
        self.assertEqual(self.listed(bob), [])
        for key in entry["key"], *(f"{path.name}/{entry['id']}" for path in self.folder.glob("owner-*")):
            self.assertEqual(bob.ask("GET", f"/view/recordings/{key}/manifest.json")[0], 404, key)
            self.assertEqual(bob.ask("DELETE", f"/view/recordings/{key}")[0], 404, key)
        self.assertEqual([other["id"] for other in self.listed(self.person("ada"))], [entry["id"]])


@chromium_only("Firefox records no videos")
class Replay(RecordedCase):
    kinds = "video,trace"

    def look(self, expression):
        return self.eye.call("evaluate", sessionId=self.own, expression=expression)["value"]

    def until(self, expression, holds=bool):
        return self.repeat(lambda: self.look(expression), holds)

    def open(self, place, **settings):
        self.eye = self.start()
        self.own = self.eye.call("create_session", **settings)["sessionId"]
        url = f"http://127.0.0.1:{self.server.port}/view"
        self.eye.call("navigate", sessionId=self.own, url=url)
        self.look(f"fetch('/view/login', {{ method: 'POST', headers: {{ Authorization: 'Bearer {TOKEN}' }} }}).then(answer => answer.status)")
        self.eye.call("navigate", sessionId=self.own, url="about:blank")
        self.eye.call("navigate", sessionId=self.own, url=f"{url}#{place}")

    def test_the_video_plays_and_calls_seek(self):
        entry = self.record(waits=(1000, 2500))
        self.open("/recordings")
        self.until("[...document.querySelectorAll('.recording a')].map(a => a.textContent)", lambda found: found == ["Shop"])
        self.eye.call("click", sessionId=self.own, selector=".recording a")
        self.until("document.querySelector('video')?.duration > 1")
        self.assertEqual(self.look("[...document.querySelectorAll('.moment bdi')].length"), 5)
        self.assertIn("trace.zip", self.look("document.querySelector('a[download]').href"))
        # The button of the last call, which took 2.5 s, leads to its beginning.
        self.eye.call("click", sessionId=self.own, selector=".moment:nth-child(5) button")
        self.until("document.querySelector('video').currentTime > 0.1 && !document.querySelector('video').seeking")
        self.assertAlmostEqual(self.look("document.querySelector('video').duration - document.querySelector('video').currentTime"), 2.5, delta=1)
        self.assertEqual(self.look("[...document.querySelectorAll('.moment')].findIndex(item => item.hasAttribute('aria-current'))"), 4)
        self.look("document.querySelector('video').play()")
        self.until("document.querySelector('video').ended || document.querySelector('video').currentTime > 2")
        # What is shown then is what the page showed after the click: it was blue.
        blue = """(() => { const video = document.querySelector('video'), canvas = document.createElement('canvas');
            canvas.width = video.videoWidth; canvas.height = video.videoHeight;
            const context = canvas.getContext('2d'); context.drawImage(video, 0, 0);
            const [red, , blue] = context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data; return blue > 200 && red < 60; })()"""
        self.until(blue)
        self.assertEqual(entry["state"], "finished")

    def test_the_chosen_call_is_marked(self):
        """The place that a player reports may be a little before the one that it was asked for: 1.001 s * 1000 is less than 1001."""
        entry = self.record(waits=(1000, 1000))
        self.addCleanup(self.person().ask, "DELETE", f"/view/recordings/{entry['key']}")
        path, = self.folder.glob(f"owner-*/.playwright-mcp/recordings/{entry['id']}/timeline.jsonl")
        end, = (line["at"] for line in map(json.loads, path.read_text().splitlines()) if line["kind"] == "videoEnd")
        self.open(f"/recordings/{entry['key']}")
        self.until("document.querySelector('video')?.duration > 1")
        zero = round(end - self.look("document.querySelector('video').duration") * 1000)
        with path.open("a") as timeline:
            for i in range(50):
                timeline.write(json.dumps({"at": zero + 1000 + i, "kind": "call", "call": 100 + i, "tool": "evaluate", "line": f"added {i}"}) + "\n")
        self.open(f"/recordings/{entry['key']}")
        self.until("document.querySelector('video')?.duration > 1")
        marked = self.look("""(async () => {
            const video = document.querySelector('video'), marked = [];
            for (const moment of [...document.querySelectorAll('.moment')].filter(each => each.textContent.includes('added'))) {
                const sought = new Promise(done => video.addEventListener('seeked', done, { once: true }));
                moment.querySelector('button').click();
                await sought;
                marked.push(moment.hasAttribute('aria-current'));
            }
            return marked;
        })()""")
        self.assertEqual(marked, [True] * 50)

    def test_delete_on_a_phone(self):
        entry = self.record()
        self.open(f"/recordings/{entry['key']}", viewport={"width": 390, "height": 800})
        self.until("Boolean(document.querySelector('.delete'))")
        self.assertLessEqual(self.look("document.documentElement.scrollWidth"), 390)
        for words in "Delete", "Delete for good":
            self.assertEqual(self.look("document.querySelector('.delete').textContent"), words)
            self.eye.call("click", sessionId=self.own, selector=".delete")
        self.until("location.hash", lambda found: found == "#/recordings")
        self.assertNotIn(entry["id"], [other["id"] for other in self.listed(self.person())])


if __name__ == "__main__":
    main()
