"""Recordings of sessions (--record, create_session {record}): their files, what is in them, how they end."""
import json
import os
import pathlib
import tempfile
import time
import zipfile

from support.case import BrowserdCase, main
from support.engine import chromium_only
from support.http_client import HttpServer
from support.webm import Video

FOLDERS = {"stdio": "recordings", "http": "owner-*/.playwright-mcp/recordings"}


def lines(recording, kind):
    """What the timeline has of this kind, in its order."""
    text = (recording / "timeline.jsonl").read_text()
    return [line for line in map(json.loads, text.splitlines()) if line["kind"] == kind]


def manifest(recording):
    return json.loads((recording / "manifest.json").read_text())


class RecordingCase(BrowserdCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.site = self.pages()

    def record(self, *args, **more):
        self.client = self.start("--output-dir", self.folder, *args, **more)
        return self.client

    def found(self):
        """The directories of recordings, the oldest first."""
        over_http = isinstance(self.client, HttpServer)
        return sorted(self.folder.glob(FOLDERS["http" if over_http else "stdio"] + "/*"), key=lambda path: path.name)

    def ended(self, count=1, look=None):
        """Once so many have ended. look() is a call, which gives the server time."""
        call = look or (lambda: self.client.call("list_sessions"))

        def look():
            call()
            return [path for path in self.found() if (path / "manifest.json").exists() and "ended" in manifest(path)]
        return self.repeat(look, lambda found: len(found) == count)

    def page(self, body, title="Shop"):
        return self.site.page(f"<title>{title}</title>{body}")

    def use(self, session, body="<body style='background: red'><button onclick=\"document.body.style.background = 'blue'\">Buy</button>"):
        """A page whose colour changes by a click, with the session tools."""
        session.navigate(self.page(body))
        session.click("button")


@chromium_only("Firefox records no videos")
class Videos(RecordingCase):
    def check(self, recording, tools):
        self.assertEqual([line["tool"] for line in lines(recording, "call")], tools)
        self.assertEqual([line["outcome"] for line in lines(recording, "end")], ["ok"] * len(tools))
        self.assertEqual({line["video"] for line in lines(recording, "call") if line["tool"] != "create_session"}, {"video-1.webm"})
        said = manifest(recording)
        self.assertEqual((said["state"], said["end"], said["calls"], said["kinds"]), ("finished", "was closed", len(tools), ["video"]))
        self.assertEqual([video["file"] for video in said["videos"]], ["video-1.webm"])
        self.assertEqual(said["bytes"], sum(path.stat().st_size for path in recording.iterdir()) - (recording / "manifest.json").stat().st_size)

    def test_session_tools(self):
        self.record("--record", "video")
        session = self.client.session()
        self.use(session)
        session.ask("evaluate", expression="new Promise(done => setTimeout(done, 600))")
        session.call("close_session")
        recording, = self.ended()
        self.check(recording, ["create_session", "navigate", "click", "evaluate"])
        self.assertIn("button", lines(recording, "call")[2]["line"])
        self.assertGreater(Video((recording / "video-1.webm").read_bytes()).duration, 300)
        self.assertEqual(oct(recording.stat().st_mode & 0o777), "0o700")
        self.assertEqual({oct(path.stat().st_mode & 0o777) for path in recording.iterdir()}, {"0o600"})

    def test_browser_tools_and_a_second_tab(self):
        self.record("--record", "video")
        self.ask("browser_navigate", url=self.page("<body style='background: red'>"))
        self.ask("browser_tabs", action="new", url=self.page("<body style='background: blue'>"))
        self.ask("browser_tabs", action="select", index=0)
        self.client.close()
        recording, = self.found()
        self.assertEqual([line.get("video") for line in lines(recording, "call")], ["video-1.webm", "video-2.webm", "video-1.webm"])
        said = manifest(recording)
        self.assertEqual((said["state"], said["end"]), ("finished", "was ended because the server is shutting down"))
        self.assertEqual(len(said["videos"]), 2)
        self.assertTrue(all(video["to"] > video["from"] >= 0 and video["bytes"] > 0 for video in said["videos"]))

    def test_a_browser_that_was_closed_is_recorded_again(self):
        self.record("--record", "video")
        for _ in range(2):
            self.ask("browser_navigate", url=self.page("<body style='background: red'>"))
            self.ask("browser_close")
        self.client.close()
        recording, = self.found()
        self.assertEqual([line["file"] for line in lines(recording, "videoEnd")], ["video-1.webm", "video-2.webm"])

    def test_calls_start_no_second_recording(self):
        self.record("--record", "video,trace", "--caps", "devtools")
        self.ask("browser_navigate", url=self.page(""))
        for tool in "browser_start_video", "browser_start_tracing", "browser_stop_tracing":
            self.assertIn("record", self.client.start_call(tool).result()["content"][0]["text"], tool)

    def test_the_browser_dies(self):
        self.record("--record", "video")
        session = self.client.session()
        self.use(session)
        self.client.browser().kill()
        recording, = self.ended()
        said = manifest(recording)
        self.assertEqual((said["state"], said["end"]), ("finished", "ended because its browser died"))
        self.assertEqual([line["tool"] for line in lines(recording, "call")], ["create_session", "navigate", "click"])


class PerSession(RecordingCase):
    def test_one_session_is_recorded(self):
        self.record()
        recorded = self.client.call("create_session", record="trace")["sessionId"]
        other = self.client.session()
        self.assertEqual([manifest(path)["session"] for path in self.found()], [recorded])
        self.assertEqual(manifest(self.found()[0])["state"], "running")
        for session in recorded, other.id:
            self.client.call("close_session", sessionId=session)
        recording, = self.ended()
        self.assertEqual(manifest(recording)["kinds"], ["trace"])

    def test_what_cannot_be_recorded(self):
        self.record()
        for wrong in "sound", "video,", "video,sound", ",trace":
            self.assertIn("video, trace or video,trace", str(self.client.fail("create_session", record=wrong)), wrong)
        self.assertEqual(self.found(), [])

    def test_a_cut_title_leaves_no_part_of_a_secret(self):
        (self.folder / "secrets").write_text("WORD=opensesame\n", encoding="utf-8")
        (self.folder / "secrets").chmod(0o600)
        self.record("--record", "trace", "--secrets", self.folder / "secrets")
        session = self.client.session()
        session.navigate(self.page(""))
        session.evaluate("document.title = 'x'.repeat(195) + 'opensesame'")
        session.call("close_session")
        recording, = self.ended()
        self.assertTrue(manifest(recording)["title"].startswith("x" * 195))
        self.assertNotIn("opens", (recording / "manifest.json").read_text())

    def test_a_trace_has_the_calls_of_all_tools(self):
        self.record("--record", "trace")
        session = self.client.session()
        self.use(session)
        session.fail("click", selector="#missing", timeout=200)
        self.client.start_call("browser_snapshot", {"sessionId": session.id}).result()
        session.call("close_session")
        recording, = self.ended()
        with zipfile.ZipFile(recording / "trace.zip") as archive:
            events = [json.loads(line) for line in archive.read("trace.trace").decode().splitlines()]
        self.assertEqual([event["method"] for event in events if event["type"] == "before"], ["navigate", "click", "click", "ariaSnapshot"])
        self.assertEqual([bool(event.get("error")) for event in events if event["type"] == "after"], [False, False, True, False])
        self.assertEqual({path.name for path in recording.iterdir()}, {"manifest.json", "timeline.jsonl", "trace.zip"})


class OverTheNetwork(RecordingCase):
    client_class = HttpServer

    def test_finished_files_are_artifacts_of_their_owner_alone(self):
        server = self.record("--record", "trace")
        client, other = server.client(), server.client()
        session = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=session, url=self.page("<p>Hello"))
        client.call("close_session", sessionId=session)
        recording, = self.ended(look=lambda: other.call("list_sessions"))
        listed = {resource["name"] for resource in client.request("resources/list")["resources"]}
        self.assertEqual(listed, {path.name for path in recording.iterdir()})
        self.assertEqual(other.request("resources/list")["resources"], [])
        for each in client, other:
            each.delete()

    def test_metrics(self):
        server = self.record("--record", "trace")
        client = server.client()
        session = client.call("create_session")["sessionId"]
        self.assertEqual(server.metric("browserd_recordings"), 1)
        client.call("close_session", sessionId=session)
        self.ended(look=lambda: client.call("list_sessions"))
        self.assertEqual(server.metric("browserd_recordings"), 0)
        self.assertGreater(server.metric("browserd_recorded_bytes_total"), 0)
        client.delete()


HOUR = 3600


class Retention(RecordingCase):
    """Recordings of earlier servers, made by hand: what a server removes of them when it starts."""

    def put(self, number, size=1000, age=0, state="finished", folder="recordings"):
        """A recording that has ended so many seconds ago."""
        recording = self.folder / folder / f"20260101-000000-{number:016x}"
        recording.mkdir(parents=True)
        (recording / "manifest.json").write_text(json.dumps({"id": recording.name, "state": state}, separators=(",", ":")))
        (recording / "timeline.jsonl").write_text("")
        (recording / "video-1.webm").write_bytes(bytes(size))
        for path in recording.iterdir():
            os.utime(path, (time.time() - age,) * 2)
        return recording

    def left(self, recordings, *args, kept, client_class=None):
        """Starts a server, which removes all but `kept`."""
        self.client = self.start("--output-dir", self.folder, *args, client_class=client_class)
        gone = [recording for recording in recordings if recording not in kept]
        client = self.client.client() if client_class else self.client
        self.repeat(lambda: client.call("list_sessions") and [path for path in gone if path.exists()], lambda found: not found)
        self.assertEqual([path for path in recordings if path.exists()], kept)

    def test_age(self):
        old, new = self.put(1, age=3 * HOUR), self.put(2, age=HOUR)
        self.left([old, new], "--record-keep", "2h", kept=[new])

    def test_no_age(self):
        very_old, large = self.put(1, age=20 * 365 * 24 * HOUR), self.put(2, size=10**6, age=21 * 365 * 24 * HOUR)
        self.left([very_old, large], "--record-keep", "0", "--record-max-size", "500000", kept=[very_old])

    def test_size(self):
        recordings = [self.put(number, size=10**5, age=number * 60) for number in range(1, 6)]
        self.left(recordings, "--record-max-size", "350000", kept=recordings[:3])

    def test_size_is_shared_by_owners(self):
        """The owner with one old recording keeps it: the other one has more."""
        greedy = [self.put(number, size=10**5, age=number * 60, folder="owner-a/.playwright-mcp/recordings") for number in range(1, 6)]
        modest = self.put(9, size=10**5, age=24 * HOUR, folder="owner-b/.playwright-mcp/recordings")
        self.left([*greedy, modest], "--record-max-size", "350000", kept=[*greedy[:2], modest], client_class=HttpServer)

    def test_other_files_stay(self):
        old = self.put(1, age=24 * HOUR)
        other = self.folder / "recordings" / "mine"
        other.mkdir()
        (other / "notes.txt").write_text("")
        os.utime(other / "notes.txt", (0, 0))
        linked = self.folder / "linked"
        linked.mkdir()
        (self.folder / "recordings" / f"20260101-000000-{7:016x}").symlink_to(linked)
        self.left([old], "--record-keep", "1h", kept=[])
        self.assertTrue((other / "notes.txt").exists() and linked.exists())

    def test_a_server_is_killed(self):
        """Its recording is cut off; that of another server with the same folder, which runs, is not, and is not removed."""
        first = self.record("--record", "trace")
        self.use(first.session())
        going, = self.found()
        killed = self.start_unchecked("--output-dir", self.folder, "--record", "trace")
        self.use(killed.session())
        cut, = (path for path in self.found() if path != going)
        killed.process.kill()
        killed.process.wait()
        last = self.start("--output-dir", self.folder, "--record-max-size", "1", "--record-keep", "1h")
        self.repeat(lambda: last.call("list_sessions") and cut.exists(), lambda found: not found)
        self.assertEqual(manifest(going)["state"], "running")

    def test_what_was_cut_off_says_so(self):
        killed = self.start_unchecked("--output-dir", self.folder, "--record", "trace")
        self.client = killed
        self.use(killed.session())
        recording, = self.found()
        killed.process.kill()
        killed.process.wait()
        self.assertEqual(manifest(recording)["state"], "running")
        client = self.start("--output-dir", self.folder)
        said = self.repeat(lambda: client.call("list_sessions") and manifest(recording), lambda said: said["state"] != "running")
        self.assertEqual((said["state"], said["end"]), ("cut", "was cut off with the server, which was killed"))
        self.assertGreaterEqual(said["ended"], said["began"] - 1000)
        self.assertEqual([line["tool"] for line in lines(recording, "call")], ["create_session", "navigate", "click"])


if __name__ == "__main__":
    main()
