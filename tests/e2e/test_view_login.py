"""A person logs in for an agent: by the link that the agent's client shows, with mouse and keyboard in another browser. The password is nowhere."""
import io
import json
import os
import pathlib
import queue
import tempfile
import threading
import zipfile

from support.answers import text_of
from support.case import main
from support.client import PATIENCE
from support.engine import chromium_only
from support.http_case import HttpPagesCase
from support.http_client import HttpClient
from support.pages import Response
from support.view import PersonInBrowser

PASSWORD = "Hunter2Secret"
FIELDS = "<style>* { margin: 0 } input, button { display: block; width: 300px; height: 60px }</style>"
# Everything that a careless page does with a password.
LOGIN = f"""<title>Log in</title>{FIELDS}<input id=user><input id=password type=password><button>Log in</button><script>
password.addEventListener('input', () => console.log('typed', password.value));
document.querySelector('button').onclick = async () => {{
    const secret = password.value;
    console.error('logging in with ' + secret);
    fetch('/login-log?password=' + secret, {{ headers: {{ 'X-Password': secret }} }});
    await fetch('/login-check', {{ method: 'POST', body: JSON.stringify({{ user: user.value, password: secret }}) }});
    document.title = 'Welcome ' + user.value;
    setTimeout(() => {{ throw new Error('done with ' + secret); }});
}};
</script>"""


class Agent(HttpClient):
    """A client that shows addresses to its user."""

    def capabilities(self):
        return {"elicitation": {"url": {}}}


@chromium_only("live pictures are of Chromium")
class Login(PersonInBrowser, HttpPagesCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())).resolve()
        cls.args = ("--caps", "people,devtools,observe", "--event-sink", f"file:{cls.folder}/events", "--save-session",
                    "--output-dir", str(cls.folder / "output"), "--allow-unrestricted-file-access", "--log-level", "debug")
        super().setUpClass()

    def setUp(self):
        self.seen, self.shown = [], queue.Queue()
        self.agent = Agent(self.server, elicit=self.show)
        self.addCleanup(self.agent.delete)
        self.person = self.share("--caps", "vision")

    def show(self, params):
        self.shown.put(params)
        return {"action": "accept"}

    def call(self, tool, **arguments):
        """All that the agent sees of the call."""
        result = self.agent.request("tools/call", {"name": tool, "arguments": arguments})
        self.seen.append(json.dumps(result, ensure_ascii=False))
        return text_of(result)

    # ---- what the person does ----

    def log_in(self, url):
        self.person.ask("browser_navigate", url=url)
        self.person.ask("browser_click", target="#open")
        self.take_over()
        self.press(30)
        self.type_keys("ada")
        self.press(90)
        self.type_keys(PASSWORD)
        self.press(150)
        self.wait("document.querySelector('h1').textContent === 'Welcome ada'")
        self.person.ask("browser_click", target=".control button:not([hidden])")

    # ---- where the password could be ----

    def assert_nowhere(self, name, data):
        for form in (PASSWORD, PASSWORD[::-1]):
            self.assertNotIn(form.encode(), data, name)

    def assert_not_in_files(self):
        count = 0
        for parent, _, names in os.walk(self.folder):
            for name in names:
                data = pathlib.Path(parent, name).read_bytes()
                self.assert_nowhere(name, data)
                if name.endswith(".zip"):
                    with zipfile.ZipFile(io.BytesIO(data)) as archive:
                        for entry in archive.namelist():
                            self.assert_nowhere(f"{name}: {entry}", archive.read(entry))
                count += 1
        self.assertIn(b'"private":true', (self.folder / "events").read_bytes())
        self.assertGreater(count, 3)  # the sink, the log of calls, and the files of the trace

    def memory(self):
        """Private writable memory of the server but for its stack; not the shadow of the address sanitizer, which is huge."""
        with open(f"/proc/{self.server.process.pid}/maps", encoding="ascii") as maps, \
                open(f"/proc/{self.server.process.pid}/mem", "rb", 0) as memory:
            for line in maps:
                span, rights, *_, name = line.split()
                start, end = (int(word, 16) for word in span.split("-"))
                if rights == "rw-p" and name != "[stack]" and end - start < 1 << 30:
                    memory.seek(start)
                    yield memory.read(end - start)

    def assert_no_output_of_browser(self):
        """The browser prints what pages log, passwords among it."""
        for part in self.memory():
            self.assertFalse(b"INFO:CONSOLE" in part, "output of the browser is kept")

    def test_a_person_logs_in_for_the_agent(self):
        checked = []

        def check(request):
            checked.append(json.loads(request.body))
            return Response("{}", content_type="application/json")
        self.pages.route("/login-check", check)
        self.pages.route("/login-log", "")
        url = self.pages.route("/login", LOGIN)
        self.call("browser_start_tracing")
        self.call("browser_navigate", url=url)
        target = json.loads(self.call("cdp_list_targets"))["targets"][0]["id"]
        self.call("cdp_observe", targetId=target)
        answers = []
        asking = threading.Thread(target=lambda: answers.append(
            self.call("request_user", message="Log in to the shop, please", reason="login")))
        asking.start()
        self.addCleanup(asking.join)
        asked = self.shown.get(timeout=PATIENCE)
        self.assertEqual((asked["mode"], asked["message"]), ("url", "Log in to the shop, please"))
        self.log_in(asked["url"])
        asking.join()
        self.assertIn("has had control and handed the session back", answers[0])
        self.assertIn("Welcome ada", answers[0])
        self.assertIn("A person", self.seen[-1])
        self.assertEqual(checked, [{"user": "ada", "password": PASSWORD}])
        self.assertIn("Welcome ada", self.call("browser_snapshot"))
        self.call("browser_console_messages", level="debug")
        requests = self.call("browser_network_requests")
        self.assertIn(self.pages.url("/"), requests)
        for index in range(1, 5):
            for part in ("request-headers", "request-body", "response-body"):
                self.call("browser_network_request", index=index, part=part)
        self.call("browser_find", text="Hunter")
        self.call("cdp_read_events", targetId=target, limit=1000)
        self.assertIn('\\"private\\":true', self.seen[-1])
        self.call("browser_stop_tracing")
        self.agent.delete()
        self.assert_nowhere("the answers", "".join(self.seen).encode())
        self.assert_nowhere("the notifications", json.dumps(self.agent.notifications).encode())
        self.assert_no_output_of_browser()
        self.assert_nowhere("stderr", self.server.stderr().encode())
        self.assert_not_in_files()


if __name__ == "__main__":
    main()
