"""browser_start_tracing and browser_stop_tracing, and that what they write is a trace as Playwright's viewer reads it."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile

from support.case import main, skip
from support.chromium import installed
from support.client import PATIENCE
from support.drop_in import REFERENCE, DropInCase, SharedDropInCase
from support.pages import Response
from support.traces import Trace

STARTED = re.compile(r"Trace recording started\n- \[Action log\]\((.*)/(trace-\d+)\.trace\)\n- \[Network log\]\(\1/\2\.network\)\n"
                     r"- \[Resources\]\(\1/resources\)")
STOPPED = re.compile(r"Trace recording stopped\.\n- \[Trace\]\((.*)/(trace-\d+)\.trace\)\n- \[Network log\]\(\1/\2\.network\)\n"
                     r"- \[Resources\]\(\1/resources\)")
PICTURE = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"


def stopped_trace(folder, answer):
    """The trace that the answer of browser_stop_tracing names."""
    found = STOPPED.fullmatch(answer.result)
    return Trace(folder / found[1] / f"{found[2]}.trace")


class Answers(DropInCase):
    def begin(self, *args):
        return self.serve("--caps", "devtools", *args)

    def stop(self, client):
        return stopped_trace(self.folder, self.call(client, "browser_stop_tracing"))

    def test_start_and_stop_name_the_files(self):
        client = self.begin()
        started = self.call(client, "browser_start_tracing")
        self.assertEqual(list(started.sections), ["Result"])
        names = STARTED.fullmatch(started.result)
        self.assertEqual(names[1], ".playwright-mcp/traces")
        self.open(client, "x")
        stopped = self.call(client, "browser_stop_tracing")
        self.assertEqual(STOPPED.fullmatch(stopped.result).groups(), names.groups())
        folder = self.folder / names[1]
        stacks = [] if REFERENCE else [f"{names[2]}.stacks"]  # the published reference has none, as no call of its own code counts
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["resources", "screencast", f"{names[2]}.network", *stacks, f"{names[2]}.trace"])
        for name in stacks:
            self.assertEqual(json.loads((folder / name).read_text()), {"files": [], "stacks": []})

    def test_only_one_trace_at_a_time(self):
        client = self.begin()
        self.assertEqual(self.call(client, "browser_stop_tracing").error, "Error: Tracing is not started")
        self.call(client, "browser_start_tracing")
        twice = self.call(client, "browser_start_tracing")
        self.assertTrue(twice.is_error)
        self.assertEqual(twice.error, "Error: browserBackend.callTool: Tracing has been already started")
        self.stop(client)
        self.assertEqual(self.call(client, "browser_stop_tracing").error, "Error: Tracing is not started")

    def test_another_trace_has_other_files_and_begins_anew(self):
        client = self.begin()
        first = STARTED.fullmatch(self.call(client, "browser_start_tracing").result)
        self.open(client, "one")
        self.stop(client)
        second = STARTED.fullmatch(self.call(client, "browser_start_tracing").result)
        self.assertNotEqual(first[2], second[2])
        two = self.open(client, "two").section("Page")
        trace = self.stop(client)
        self.assertEqual([request["request"]["url"] for request in trace.requests], re.findall(r"Page URL: (\S+)", two))

    def test_closing_the_browser_ends_the_trace(self):
        client = self.begin()
        self.call(client, "browser_start_tracing")
        self.open(client, "x")
        self.call(client, "browser_close")
        self.assertEqual(self.call(client, "browser_stop_tracing").error, "Error: Tracing is not started")
        self.call(client, "browser_start_tracing")
        self.stop(client)

    def test_the_files_lie_in_the_output_directory(self):
        output = self.folder / "out"
        client = self.begin("--output-dir", output)
        self.call(client, "browser_start_tracing")
        self.open(client, "x")
        self.stop(client)
        self.assertTrue((output / "traces" / "resources").is_dir())


class Contents(SharedDropInCase):
    """One recording, which the tests read."""

    args = ("--caps", "devtools", "--timeout-action", 700)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls().record()

    def record(self):
        site = self.site
        url = type(self).url = {
            "style": site.route("/style.css", Response("h1 { color: green }", content_type="text/css")),
            "image": site.route("/dot.gif", Response(PICTURE, content_type="image/gif")),
            "data": site.route("/data", Response('{"word":"changed"}', content_type="application/json")),
            "frame": site.route("/frame", "<!doctype html><p>inside of the frame</p>"),
            "before": site.page("before the recording"),
        }
        url["page"] = site.page(
            "<h1>original</h1><img src=/dot.gif><input id=name value=initial><input type=checkbox id=box>"
            "<button id=change>Change</button><button id=off disabled>Off</button><div id=host></div><iframe src=/frame></iframe>"
            "<div id=box2 style='height:40px;overflow:auto'><p style='height:400px'>tall</p></div>"
            "<script>host.attachShadow({ mode: 'open' }).innerHTML = '<em>in the shadow</em>';"
            "const sheet = new CSSStyleSheet(); sheet.replaceSync('p { color: blue }'); document.adoptedStyleSheets = [sheet];"
            "console.log('page is ready'); box.checked = true; box2.scrollTop = 25;"
            "change.onclick = () => fetch('/data').then(r => r.json()).then(({ word }) => {"
            " document.querySelector('h1').textContent = word; console.warn('done', word); setTimeout(() => { throw new Error('late') }) });"
            "</script>", head="<link rel=stylesheet href=/style.css>")
        self.ask("browser_navigate", url=url["before"])
        self.ask("browser_start_tracing")
        self.ask("browser_navigate", url=url["page"])
        self.ask("browser_click", target="#change")
        self.ask("browser_wait_for", text="changed")
        self.ask("browser_type", target="#name", text="typed")
        type(self).failed = self.ask("browser_click", target="#off")
        self.ask("browser_tabs", action="new")
        self.ask("browser_navigate", url=site.page("second tab"))
        type(self).recorded = stopped_trace(self.folder, self.ask("browser_stop_tracing"))

    def clicks(self):
        return [action for action in self.recorded.actions if action.method == "click"]

    def test_the_context_comes_first(self):
        first = self.recorded.events[0]
        self.assertEqual((first["type"], first["version"], first["browserName"], first["sdkLanguage"]),
                         ("context-options", 10, "chromium", "javascript"))
        self.assertEqual(first["options"]["viewport"], {"width": 1280, "height": 720})

    def test_every_action_ends(self):
        for action in self.recorded.actions:
            self.assertIsNotNone(action.end, action.name)
            self.assertGreaterEqual(action.end, action.start)

    def test_actions_have_the_names_and_parameters_of_playwright(self):
        names = [action.name for action in self.recorded.actions]
        wanted = ["Frame.goto", "Frame.click", "Frame.fill", "Frame.click", "Frame.goto"]
        self.assertEqual([name for name in names if name in wanted], wanted)
        goto = next(action for action in self.recorded.actions if action.method == "goto")
        self.assertEqual(goto.params["url"], self.url["page"])
        self.assertEqual(self.recorded.action("fill").params["value"], "typed")
        self.assertIn("#name", self.recorded.action("fill").params["selector"])

    def test_an_action_that_fails_has_its_error(self):
        self.assertIn("Timeout 700ms exceeded.", self.failed.error)
        self.assertIn("Timeout 700ms exceeded.", self.clicks()[1].error["message"])
        self.assertIsNone(self.clicks()[0].error)

    def test_snapshots_show_the_document_before_and_after(self):
        click = self.clicks()[0]
        self.assertEqual(self.recorded.document(click, "before").find("H1").text, "original")
        later = self.recorded.document(self.recorded.action("fill"), "before")
        self.assertEqual(later.find("H1").text, "changed")

    def test_the_pressed_element_is_marked(self):
        click = self.clicks()[0]
        document = self.recorded.document(click, "action")
        self.assertIn("__playwright_target__", document.find("BUTTON", id="change").attributes)
        self.assertGreater(click.point["x"], 0)
        self.assertGreater(click.point["y"], 0)

    def test_snapshots_have_what_markup_does_not_say(self):
        document = self.recorded.document(self.recorded.action("fill"), "after")
        self.assertEqual(document.find("INPUT", id="name").attributes["__playwright_value_"], "typed")
        self.assertEqual(document.find("INPUT", id="box").attributes["__playwright_checked_"], "true")
        self.assertEqual(document.find("DIV", id="box2").attributes["__playwright_scroll_top_"], "25")
        shadow = document.find("DIV", id="host").children[0]
        self.assertIn("__playwright_shadow_root_", shadow.attributes)
        self.assertEqual(shadow.text, "in the shadow")
        sheets = [node.attributes["__playwright_style_sheet_"] for node in document.all()
                  if isinstance(node.attributes, dict) and "__playwright_style_sheet_" in node.attributes]
        self.assertEqual(len(sheets), 1)
        self.assertIn("color: blue", sheets[0])

    def test_relative_addresses_are_those_of_the_document(self):
        document = self.recorded.document(self.recorded.action("fill"), "after")
        self.assertEqual(document.find("BASE").attributes["href"], self.url["page"])
        self.assertIsNotNone(document.find("LINK", href="/style.css"))

    def test_scripts_are_left_out(self):
        self.assertIsNone(self.recorded.document(self.recorded.action("fill"), "after").find("SCRIPT"))

    def test_frames_have_snapshots_of_their_own(self):
        fill = self.recorded.action("fill")
        source = self.recorded.document(fill, "after").find("IFRAME").attributes["src"]
        frame = self.recorded.document(fill, "after", source.removeprefix("/snapshot/"))
        self.assertEqual(frame.text.strip(), "inside of the frame")

    def test_requests_have_their_bodies(self):
        for name, status, body in (("style", 200, b"h1 { color: green }"), ("image", 200, PICTURE), ("data", 200, b'{"word":"changed"}'),
                                   ("frame", 200, b"<!doctype html><p>inside of the frame</p>")):
            with self.subTest(name):
                request = self.recorded.request(self.url[name])
                self.assertEqual((request["request"]["method"], request["response"]["status"]), ("GET", status))
                self.assertEqual(self.recorded.body(request), body)
                self.assertRegex(request["response"]["content"]["_file"], rf"^resources/{hashlib.sha1(body).hexdigest()}\.\w+$")
                self.assertGreater(request["_monotonicTime"], self.recorded.events[0]["monotonicTime"])

    def test_requests_before_the_start_are_no_part_of_it(self):
        self.assertNotIn(self.url["before"], self.recorded.network_text)

    def test_console_messages(self):
        messages = [(event["messageType"], event["text"]) for event in self.recorded.of_type("console")]
        self.assertEqual(messages, [("log", "page is ready"), ("warning", "done changed")])
        for event in self.recorded.of_type("console"):
            self.assertEqual(event["location"]["url"], self.url["page"])
            self.assertTrue(event["pageId"].startswith("page@"))

    def test_uncaught_errors(self):
        errors = [event["params"]["error"]["error"] for event in self.recorded.of_type("event") if event["method"] == "pageError"]
        self.assertEqual([(error["name"], error["message"]) for error in errors], [("Error", "late")])

    def test_each_tab_is_a_page(self):
        pages = {event["params"]["pageId"] for event in self.recorded.of_type("event") if event["method"] == "page"}
        self.assertEqual(len(pages), 2)
        self.assertEqual(pages, {snapshot["snapshot"]["pageId"] for snapshot in self.recorded.of_type("frame-snapshot")})

    def test_pictures(self):
        frames = self.recorded.of_type("screencast-frame")
        self.assertGreater(len(frames), 1)
        for frame in frames:
            self.assertEqual(self.recorded.files.read(frame["file"])[:3], b"\xff\xd8\xff")
            self.assertEqual((frame["width"], frame["height"]), (1280, 720))

    def test_the_viewer_reads_it(self):
        """The command of playwright-core that shows traces as text, which shares the reader with the viewer."""
        program = os.path.join(os.environ.get("MCP_SDK", ""), "node_modules", "playwright-core", "cli.js")
        if not os.path.isfile(program) or not shutil.which("node"):
            self.skipTest("MCP_SDK names no folder with playwright-core")
        with tempfile.TemporaryDirectory() as folder:
            said = {}
            for command in ("open " + str(self.recorded.files.path), "actions", "requests", "console", "errors"):
                done = subprocess.run(["node", program, "trace", *command.split()], cwd=folder, capture_output=True, text=True,
                                      timeout=PATIENCE, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                said[command.split()[0]] = done.stdout
        self.assertRegex(said["open"], r"Pages:\s+2")
        self.assertRegex(said["actions"], r"Click\s")
        self.assertRegex(said["actions"], r'Fill "typed"')
        self.assertRegex(said["requests"], r"GET\s+200\s+style\.css")
        self.assertIn("page is ready", said["console"])
        self.assertIn("Timeout 700ms exceeded.", said["errors"])


if __name__ == "__main__":
    if not installed():
        skip("no Chromium is installed")
    main()
