"""Recordings of sessions (--record, create_session {record}): their files, what is in them, how they end."""
import json
import pathlib
import tempfile
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


if __name__ == "__main__":
    main()
