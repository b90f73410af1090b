"""Rest: what pages of sessions without a call do (--rest-after), what keeps them awake, and that the next call finds them as it left them."""
import base64
import pathlib
import struct
import tempfile

from support.case import ServerCase, main
from support.client import PATIENCE

# Reports when it is hidden, frozen and shown, and counts what it does. `name` tells it from others.
def watched(name, more=""):
    return f"""<p id=clock>0</p><button onclick="this.textContent = 'pressed'">press</button><script>
        window.ticks = window.drawn = 0;
        window.states = [];
        function note(state) {{ states.push(state); report(['{name}', state]) }}
        document.addEventListener('visibilitychange', () => note(document.visibilityState));
        document.hidden && note('hidden'); /* a window of a page that rests */
        setInterval(() => {{ ticks++; clock.textContent = ticks }}, 100);
        (function draw() {{ drawn++; requestAnimationFrame(draw) }})();
        </script>{more}"""


def silence(seconds):
    """A WAV file."""
    data = bytes(8000 * seconds)
    head = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8) + b"data"
    return "data:audio/wav;base64," + base64.b64encode(head + struct.pack("<I", len(data)) + data).decode()


class Rest(ServerCase):
    args = ("--rest-after", "0.2", "--caps", "observe", "--answers", "compact", "--allow-unrestricted-file-access")

    def wait_report(self, *expected):
        while self.pages.wait_report() != list(expected):
            pass

    def open(self, name, more=""):
        session = self.session()
        session.navigate(self.pages.page(watched(name, more)))
        return session

    def rest_of_another(self):
        """Waits until a session rests whose last call was after all calls so far."""
        self.open("witness")
        self.wait_report("witness", "hidden")

    def states(self, session):
        return session.call("evaluate", expression="states.join()")["value"]

    def test_hidden_until_the_next_call(self):
        session = self.open("page")
        self.wait_report("page", "hidden")
        self.assertEqual(session.call("evaluate", expression="document.visibilityState + document.hasFocus()")["value"], "visibletrue")
        self.assertEqual(self.states(session).split(",")[:2], ["hidden", "visible"])

    def test_no_frames_and_timers_go_on(self):
        session = self.open("page", """<script>
            let before, passed = 0;
            document.addEventListener('visibilitychange', () => { before = document.hidden ? drawn : before; window.lost = drawn - before });
            setInterval(() => document.hidden && ++passed == 2 && note('timers'), 50);
            </script>""")
        self.wait_report("page", "timers")
        self.assertEqual(session.call("evaluate", expression="lost")["value"], 0)
        session.call("evaluate", expression="new Promise(requestAnimationFrame)")

    def test_frozen_and_back(self):
        session = self.open("page", """<script>
            let freezes = 0;
            document.addEventListener('resume', () => document.hidden && note('resumed ' + ++freezes));
            </script>""")
        self.wait_report("page", "resumed 3")  # the first is the way to be hidden, then it was frozen twice
        self.assertEqual(session.call("click", selector="button")["success"], True)
        self.assertEqual(session.call("evaluate", expression="document.querySelector('button').textContent + document.visibilityState")["value"],
                         "pressedvisible")

    def test_the_network_goes_on(self):
        self.open("page", "<script>document.addEventListener('visibilitychange', () => fetch('/late').then(r => r.text()).then(note))</script>")
        self.pages.route("/late", "late answer")
        self.wait_report("page", "late answer")

    def test_an_answer_leaves_out_a_clock_that_went_on(self):
        session = self.open("page")
        session.ask("browser_hover", target="text=press")
        session.call("evaluate", expression="new Promise(done => { const from = ticks; setInterval(() => ticks > from + 20 && done(), 50) })")
        self.wait_report("page", "hidden")
        text = session.ask("browser_click", target="text=press")
        self.assertIn('button "pressed"', text)
        self.assertIn("1 line that changes by itself left out", text)

    def test_windows_that_open_meanwhile(self):
        popup = self.pages.page(watched("popup"))
        self.open("page", f"<script>document.addEventListener('visibilitychange', () => document.hidden && open('{popup}'), {{once: true}})</script>")
        self.wait_report("popup", "hidden")

    def test_a_request_of_the_last_action_is_awaited(self):
        url, release = self.pages.held("answer")
        session = self.open("page", f"<a href='#' onclick=\"fetch('{url}').then(() => note('answered'))\">ask</a>")
        session.call("click", selector="a")
        self.rest_of_another()
        release.set()
        self.wait_report("page", "answered")
        self.wait_report("page", "hidden")
        self.assertEqual(self.states(session).split(",")[:2], ["answered", "hidden"])

    def test_observed_pages_stay_awake(self):
        session = self.open("page")
        target = self.client.call("cdp_observe", urlIncludes=session.call("evaluate", expression="location.pathname")["value"])["targetId"]
        self.rest_of_another()
        self.assertEqual(self.states(session), "")
        self.client.call("cdp_stop_observe", targetId=target)
        self.wait_report("page", "hidden")

    def test_what_plays_stays_awake(self):
        session = self.open("page", f"<audio loop src='{silence(2)}'></audio>")
        session.call("evaluate", expression="document.querySelector('audio').play()")
        self.rest_of_another()
        self.assertEqual(self.states(session), "")

    def test_a_directory_for_a_page_that_has_rested(self):
        """The browser gives the files of directories to visible pages only, and a page that has rested is none by itself."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.txt").write_text("a")
            session = self.open("folder", "<input type=file webkitdirectory onchange=\"report(['files', this.files.length])\">")
            self.wait_report("folder", "hidden")
            session.start("browser_click", target="input").result()
            self.assertNotIn("isError", session.start("browser_file_upload", paths=[folder]).result())
            self.wait_report("files", 1)

    def test_an_open_dialog_keeps_the_page(self):
        session = self.open("page")
        session.ask("browser_evaluate", function="() => { setTimeout(() => note(confirm('Sure?') ? 'yes' : 'no')) }")
        self.rest_of_another()
        session.ask("browser_handle_dialog", accept=True)
        self.wait_report("page", "yes")
        self.wait_report("page", "hidden")


class NoRest(ServerCase):
    args = ("--rest-after", "0")

    def test_zero_means_never(self):
        session = self.session()
        session.navigate(self.pages.page(watched("page")))
        session.call("evaluate", expression="new Promise(done => setTimeout(done, 300))")
        self.assertEqual(session.call("evaluate", expression="states.join()")["value"], "")


if __name__ == "__main__":
    main()
