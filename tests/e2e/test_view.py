"""What the live view shows: messages to viewers, and the page in a browser that another browserd drives."""
import json
import re
import threading

from support.case import main
from support.client import PATIENCE
from support.http_case import HttpPagesCase
from support.view import Person, PersonInBrowser, ViewClosed

TOKEN = "correct-horse-battery"
PASSWORD = "hunter2-hunter2"
SHOP = f"""<title>Shop</title><h1>Cart</h1><label>Password <input type=password></label>
<button onclick="console.error('no stock'); fetch('/missing?item=5')">Pay</button>
<button onclick="document.title = 'Paid'">Title</button><button onclick="alert('Sure?')">Alert</button>"""


class Viewer:
    """A page at the live view: what it would show, by the messages so far."""

    def __init__(self, person):
        self.socket = person.socket()
        self.hello = self.socket.receive_type("hello")
        self.cards, self.keys, self.total = {}, [], 0
        self.session = {}

    def send(self, kind, **more):
        self.socket.send({"type": kind, **more})

    def take(self):
        message = self.socket.receive()
        if isinstance(message, bytes):
            return {"type": "binary", "bytes": message}
        if message["type"] == "cards":
            self.keys, self.total = message.get("keys", self.keys), message["total"]
            self.cards |= {card["key"]: card for card in message["cards"]}
        elif message["type"] == "session":
            self.merge(message)
        return message

    def merge(self, message):
        if "page" in message:
            self.session.pop("console", None)
            self.session.pop("requests", None)
        for name, value in message.items():
            if name in ("calls", "console"):
                self.session.setdefault(name, []).extend(value)
            elif name == "requests":
                self.session.setdefault(name, {}).update({request["n"]: request for request in value})
            else:
                self.session[name] = value

    def until(self, holds):
        while not (found := holds()):
            self.take()
        return found

    def receive(self, kind):
        while (message := self.take())["type"] != kind:
            pass
        return message

    def receive_binary(self):
        return self.receive("binary")["bytes"]

    def list(self, start=0, count=50):
        self.send("list", **{"from": start, "count": count})
        self.receive("cards")
        return [self.cards[key] for key in self.keys]

    def open(self, key):
        self.session = {}
        self.send("open", key=key)
        return self.receive("opened")["key"]


class ViewCase(HttpPagesCase):
    args = ("--max-sessions", "150", "--max-sessions-per-owner", "149")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shop = cls.pages.route("/shop", SHOP)

    def setUp(self):
        self.agent = self.client()

    def viewer(self):
        person = Person(self.server)
        self.addCleanup(person.close)
        self.assertEqual(person.log_in()[0], 200)
        return Viewer(person)

    def session(self):
        """A session of the agent, its key, and what calls a tool in it, whose text it gives."""
        ident = self.agent.call("create_session")["sessionId"]
        self.addCleanup(self.close, ident)

        def call(tool, **arguments):
            return self.ask(self.agent, tool, sessionId=ident, **arguments)
        return ident, call

    def close(self, ident):
        if ident in [session["sessionId"] for session in self.agent.call("list_sessions")["sessions"]]:
            self.agent.call("close_session", sessionId=ident)

    def running(self, call):
        """Begins a call that runs until the function that this returns is called; the address that it opens."""
        answer = threading.Event()
        self.addCleanup(answer.set)

        def held(_):
            answer.wait(PATIENCE)
            return SHOP
        url = self.pages.route(self.pages.unique(), held)
        thread = threading.Thread(target=call, args=("navigate",), kwargs={"url": url})
        thread.start()

        def end():
            answer.set()
            thread.join()
        self.addCleanup(end)
        return url, end


class Cards(ViewCase):
    def card(self, viewer, ident):
        return next((viewer.cards[key] for key in viewer.keys if viewer.cards[key]["id"] == ident), None)

    def test_a_card_follows_its_session(self):
        viewer = self.viewer()
        viewer.list()
        ident, call = self.session()
        viewer.until(lambda: self.card(viewer, ident))
        call("navigate", url=self.shop + "?secret=1")
        card = viewer.until(lambda: (card := self.card(viewer, ident)) and card["title"] == "Shop" and card)
        self.assertEqual(card["url"], self.shop + "?…")
        self.assertEqual([seen["line"] for seen in card["last"]], ["Create the session", f"Open {self.shop}?…"])
        call("click", target="text=Title")
        viewer.until(lambda: self.card(viewer, ident)["title"] == "Paid")
        call("tabs", action="new")
        viewer.until(lambda: self.card(viewer, ident)["tabs"] == 2)
        self.agent.call("close_session", sessionId=ident)
        viewer.until(lambda: not self.card(viewer, ident))

    def test_outcomes(self):
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        call("click", target="#nothing")
        url, end = self.running(call)
        viewer.list()
        card = viewer.until(lambda: (card := self.card(viewer, ident)) and card["running"] and card)
        self.assertEqual(card["running"][0]["line"], f"Open {url}")
        self.assertEqual(card["state"], "working")
        self.assertEqual((card["last"][-1]["line"], card["last"][-1]["outcome"]), ("Click “#nothing”", "failed"))
        end()
        last = viewer.until(lambda: (card := self.card(viewer, ident)) and not card["running"] and card["last"][-1])
        self.assertEqual((last["line"], last["outcome"]), (f"Open {url}", "ok"))

    def test_many_sessions_are_paged(self):
        viewer = self.viewer()
        before = len(viewer.list(count=60))
        for _ in range(100 - before):
            self.session()
        viewer.until(lambda: viewer.total == 100)
        self.assertEqual(len(viewer.keys), 60)
        newest = viewer.list(count=24)
        rest = viewer.list(start=90, count=24)
        self.assertEqual((len(newest), len(rest)), (24, 10))
        self.assertFalse({card["key"] for card in newest} & {card["key"] for card in rest})
        self.assertGreaterEqual(newest[0]["created"], rest[-1]["created"])


class Closely(ViewCase):
    def test_changes(self):
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        key = viewer.open(ident)
        self.assertTrue(key.endswith("/" + ident))
        viewer.until(lambda: "tabs" in viewer.session and "calls" in viewer.session)
        self.assertEqual(viewer.session["tabs"][0]["url"], self.shop)
        call("click", target="text=Pay")
        viewer.until(lambda: [message for message in viewer.session.get("console", []) if message["text"] == "no stock"])
        failed = viewer.until(lambda: [request for request in viewer.session.get("requests", {}).values() if request.get("status") == 404])
        self.assertIn("/missing?item=5", failed[0]["url"])
        self.assertEqual([seen["line"] for seen in viewer.session["calls"]], ["Create the session", f"Open {self.shop}", "Click “text=Pay”"])
        self.agent.call("close_session", sessionId=ident)
        viewer.until(lambda: viewer.session.get("ended"))

    def test_a_dialog_is_shown(self):
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        viewer.open(ident)
        call("click", target="text=Alert")
        dialog = viewer.until(lambda: viewer.session.get("tabs", [{}])[0].get("dialog"))
        self.assertEqual(dialog, {"type": "alert", "message": "Sure?"})
        viewer.send("snapshot")
        self.assertEqual(viewer.receive("snapshot")["why"], "dialog")
        call("handle_dialog", accept=True)
        viewer.until(lambda: "dialog" not in viewer.session["tabs"][0])

    def test_the_text_of_the_page(self):
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        viewer.open(ident)
        viewer.send("snapshot")
        text = viewer.receive("snapshot")["text"]
        self.assertIn('- heading "Cart"', text)
        self.assertNotIn("[ref=", text)

    def test_what_is_typed_is_not_shown(self):
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        viewer.list()
        viewer.open(ident)
        call("type", target="input", element="Password", text=PASSWORD)
        call("fill_form", fields=[{"name": "Password", "target": "input", "type": "textbox", "value": PASSWORD}])
        call("evaluate", function=f"() => '{PASSWORD}'.length")
        call("press_key", key="h")
        lines = viewer.until(lambda: len(lines := [seen["line"] for seen in viewer.session.get("calls", [])]) == 6 and lines)
        self.assertEqual(lines[2:], [f"Type {len(PASSWORD)} characters into “Password”", "Fill “Password”", "Run a script of 30 characters",
                                     "Press a character"])
        viewer.send("snapshot")
        text = viewer.receive("snapshot")["text"]
        self.assertIn("••••••••", text)
        self.assertNotIn(PASSWORD, json.dumps([viewer.session, viewer.cards, text]))

    def test_a_snapshot_waits_for_the_agent(self):
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        viewer.open(ident)
        _, end = self.running(call)
        viewer.until(lambda: viewer.session.get("running"))
        viewer.send("snapshot")
        self.assertEqual(viewer.receive("snapshot")["why"], "working")
        end()
        self.assertIn("Cart", viewer.receive("snapshot")["text"])


class Taking(ViewCase):
    args = (*ViewCase.args, "--caps", "people")

    def looking(self):
        """A viewer that looks at a session of the shop: it, the key, and what calls a tool there."""
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        key = viewer.open(ident)
        viewer.until(lambda: "card" in viewer.session and "tabs" in viewer.session)
        return viewer, key, call

    def control(self, viewer):
        return (viewer.session.get("card") or {}).get("control")

    def later(self, function, *args, **more):
        """Runs in a thread; gives its result when it is called."""
        results = []
        thread = threading.Thread(target=lambda: results.append(function(*args, **more)))
        thread.start()

        def result():
            thread.join()
            return results[0]
        self.addCleanup(thread.join)
        return result

    def take(self, viewer, key):
        viewer.send("take", key=key)
        return viewer.until(lambda: self.control(viewer))

    def test_the_agent_waits_while_a_person_has_control(self):
        viewer, key, call = self.looking()
        control = self.take(viewer, key)
        self.assertEqual(control["viewer"], viewer.hello["viewer"])
        answer = self.later(call, "click", target="text=Title")
        viewer.until(lambda: self.control(viewer)["waiting"] == 1)
        self.assertEqual(viewer.session["card"]["running"][0]["line"], "Click “text=Title”")
        viewer.send("return", key=key)
        viewer.until(lambda: not self.control(viewer))
        self.assertIn("Paid", answer())

    def test_another_person_takes_over_only_if_asked_to(self):
        viewer, key, _ = self.looking()
        other = self.viewer()
        other.open(key)
        self.take(viewer, key)
        other.send("take", key=key)
        self.assertEqual(other.receive("refused")["why"], "taken")
        other.send("return", key=key)
        self.assertEqual(other.receive("refused")["why"], "control")
        other.send("take", key=key, **{"from": True})
        viewer.until(lambda: self.control(viewer)["viewer"] == other.hello["viewer"])
        viewer.send("return", key=key)
        self.assertEqual(viewer.receive("refused")["why"], "control")
        other.send("return", key=key)
        viewer.until(lambda: not self.control(viewer))

    def test_what_an_agent_asks(self):
        viewer, key, call = self.looking()
        viewer.list()
        ident = key.split("/", 1)[1]
        answer = self.later(self.agent.ask, "request_user", sessionId=ident, message="Which size?", reason="decision", choices=["M", "L"])
        [ask] = viewer.until(lambda: viewer.session["card"].get("asks"))
        self.assertEqual((ask["message"], ask["reason"], ask["choices"]), ("Which size?", "decision", ["M", "L"]))
        self.assertEqual(viewer.session["card"]["running"][0]["line"], "Ask a person: “Which size?”")
        viewer.until(lambda: viewer.keys[0] == key)  # those that want a person come first
        viewer.send("answer", key=key, number=ask["number"], outcome="answered", text="XXL")
        self.assertEqual(viewer.receive("refused")["why"], "malformed")
        viewer.send("answer", key=key, number=ask["number"], outcome="answered", text="L")
        self.assertIn("L", answer())
        viewer.until(lambda: not viewer.session["card"]["asks"])
        viewer.send("answer", key=key, number=ask["number"], outcome="done")
        self.assertEqual(viewer.receive("refused")["why"], "gone")

    def test_a_person_answers_a_dialog(self):
        viewer, key, call = self.looking()
        call("click", target="text=Alert")
        tab = viewer.until(lambda: [tab for tab in viewer.session["tabs"] if "dialog" in tab])[0]
        viewer.send("dialog", key=key, tab=tab["id"], accept=True)
        self.assertEqual(viewer.receive("refused")["why"], "control")
        self.take(viewer, key)
        viewer.send("dialog", key=key, tab=tab["id"], accept=True)
        viewer.until(lambda: "dialog" not in viewer.session["tabs"][0])

    def test_a_person_closes_a_file_chooser(self):
        viewer, key, call = self.looking()
        call("evaluate", function="() => document.body.insertAdjacentHTML('beforeend', '<input type=file id=file>')")
        call("click", target="#file")
        tab = viewer.until(lambda: [tab for tab in viewer.session["tabs"] if tab["chooser"]])[0]
        self.take(viewer, key)
        viewer.send("dialog", key=key, tab=tab["id"], accept=True)
        viewer.until(lambda: not viewer.session["tabs"][0]["chooser"])

    def test_a_person_chooses_a_tab(self):
        viewer, key, call = self.looking()
        call("tabs", action="new")
        tabs = viewer.until(lambda: len(viewer.session["tabs"]) == 2 and viewer.session["tabs"])
        self.assertEqual([tab["current"] for tab in tabs], [False, True])
        viewer.send("tab", key=key, tab=tabs[0]["id"])
        self.assertEqual(viewer.receive("refused")["why"], "control")
        self.take(viewer, key)
        viewer.send("tab", key=key, tab=tabs[0]["id"])
        viewer.until(lambda: viewer.session["tabs"][0]["current"])
        viewer.send("tab", key=key, tab="none")
        self.assertEqual(viewer.receive("refused")["why"], "gone")

    def test_other_sessions_cannot_be_taken(self):
        viewer = self.viewer()
        for kind in ("take", "return", "answer", "dialog", "tab"):
            viewer.send(kind, key="1/unknown")
            self.assertEqual(viewer.receive("refused")["why"], "gone")


class Pictures(ViewCase):
    def test_a_picture_for_each_watch(self):
        viewer = self.viewer()
        ident, call = self.session()
        call("navigate", url=self.shop)
        key = viewer.open(ident)
        viewer.send("watch", **{"as": 7, "key": key, "width": 320, "height": 200, "rate": 1})
        picture = viewer.receive_binary()
        self.assertEqual(picture[4:8], b"\0\0\0\7")
        self.assertEqual(picture[picture[1]:][:2], b"\xff\xd8")  # JPEG
        viewer.send("input", **{"as": 7, "picture": 1, "events": [{"kind": "text", "text": "x"}]})
        self.assertEqual(viewer.receive("refused")["why"], "control")

    def test_no_picture_of_a_session_that_is_not_there(self):
        viewer = self.viewer()
        viewer.send("watch", **{"as": 7, "key": "1/unknown", "width": 320, "height": 200, "rate": 1})
        self.assertEqual(viewer.receive("picture")["state"], "ended")


class Limits(ViewCase):
    def test_other_messages_are_refused(self):
        viewer = self.viewer()
        for message, why in (({"type": "rule"}, "unknown"), ({}, "unknown"), ({"type": "open", "key": "1/x"}, "gone"), ({"type": "open"}, "gone"),
                             ({"type": "open", "key": 5}, "gone"), ({"type": "snapshot"}, "gone"), (b"{", "malformed"), (b"[[[[[[[[[[]]]]]]]]]]", "malformed")):
            viewer.socket.send(message)
            self.assertEqual(viewer.receive("refused")["why"], why, message)
        for start, count in ((-5, 5), (2 ** 53, 2 ** 53), ("x", None), (1.5, 2.5)):
            viewer.list(start, count)

    def test_too_many_messages_end_the_connection(self):
        viewer = self.viewer()
        with self.assertRaises(ViewClosed) as caught:
            for _ in range(2000):
                viewer.send("rule")
                viewer.receive("refused")
        self.assertEqual(caught.exception.code, 4008)

    def test_a_viewer_that_does_not_read_delays_nobody(self):
        silent, viewer = self.viewer(), self.viewer()
        ident, call = self.session()
        silent.send("list", **{"from": 0, "count": 60})
        silent.send("open", key=ident)  # and never reads
        viewer.open(ident)
        for number in range(40):
            call("navigate", url=f"{self.shop}?{number}")
            call("evaluate", function="() => { for (let i = 0; i < 200; i++) console.log('x'.repeat(1500)) }")
        viewer.until(lambda: viewer.session.get("calls", [{"n": 0}])[-1]["n"] == 81)  # of which some were forgotten meanwhile

    def test_a_hidden_page_gets_nothing(self):
        viewer = self.viewer()
        ident, call = self.session()
        viewer.list()
        viewer.send("visible", visible=False)
        viewer.send("rule")
        viewer.receive("refused")
        call("navigate", url=self.shop)
        viewer.send("rule")
        self.assertEqual(viewer.take()["type"], "refused")
        viewer.send("visible", visible=True)
        viewer.until(lambda: [card for card in viewer.cards.values() if card["id"] == ident and card["calls"] == 2])


class Page(PersonInBrowser, ViewCase):
    """The page itself, in the browser of a person."""

    def setUp(self):
        super().setUp()
        self.person = self.share("--caps", "vision")
        self.address = f"http://127.0.0.1:{self.server.port}/view"
        self.open_with_token()

    def open_with_token(self):
        """The address that the server has written for people, where it has."""
        found = re.search(r"http://\S+/view#token=\w+", self.server.stderr())
        if found:
            self.person.ask("browser_navigate", url=found[0])
            self.wait("document.querySelector('.cards') && !location.hash.includes('token')")

    def show(self, fragment=""):
        self.person.ask("browser_navigate", url="about:blank")
        self.person.ask("browser_navigate", url=self.address + fragment)

    def test_cards_and_one_session(self):
        ident, call = self.session()
        call("navigate", url=self.shop)
        self.show()
        self.wait("document.querySelector('.card h2 a')?.textContent === 'Shop'")
        call("click", target="#nothing")
        self.wait("document.querySelector('.card .call.failed bdi')?.textContent === 'Click “#nothing”'")
        self.person.ask("browser_click", target=".cards li:first-child h2 a")
        self.wait("document.querySelectorAll('.timeline .call').length === 3")
        call("click", target="text=Pay")
        self.wait("document.querySelector('#tab-console .badge')?.textContent === '2'")  # and the request that failed
        self.person.ask("browser_click", target="#tab-console")
        self.wait("[...document.querySelectorAll('.console bdi.text')].some(text => text.textContent === 'no stock')")
        self.person.ask("browser_click", target="#tab-requests")
        self.wait("document.querySelector('tr[data-failed] .status')?.textContent === '404'")
        self.person.ask("browser_click", target="#tab-text")
        self.wait("document.querySelector('pre.text')?.textContent.includes('heading \"Cart\"')")
        self.agent.call("close_session", sessionId=ident)
        self.wait("document.querySelector('.notice:not([hidden])')?.textContent === 'This session has ended.'")

    def test_texts_of_pages_are_no_elements(self):
        evil = "<img src=x onerror=\"document.title='owned'\">"
        url = self.pages.route("/evil", f"<title>{evil.replace('<', '&lt;')}</title><script>console.error({json.dumps(evil)})</script>")
        ident, call = self.session()
        call("navigate", url=url)
        call("click", target="#x", element=evil)
        self.show(f"#/session/{ident}")
        self.wait("document.querySelector('h1')?.textContent.startsWith('<img')")
        self.wait("document.querySelectorAll('.timeline .call').length === 3 && document.querySelectorAll('.console .message').length === 1")
        self.assertEqual(self.evaluate("() => document.images.length"), 0)

    def test_the_focus_stays_when_cards_change(self):
        ident, call = self.session()
        call("navigate", url=self.shop)
        self.show()
        self.wait("document.querySelector('.card h2 a')?.textContent === 'Shop'")
        self.evaluate("() => { document.querySelector('.card h2 a').focus(); return true; }")
        others = [self.session() for _ in range(3)]
        call("click", target="text=Title")
        self.wait("document.querySelectorAll('.card').length >= 4 && document.activeElement.textContent === 'Paid'")
        self.assertEqual(len(others), 3)

    def test_keyboard(self):
        ident, call = self.session()
        call("navigate", url=self.shop)
        self.show(f"#/session/{ident}")
        self.wait("document.querySelector('.timeline .call')")
        self.evaluate("() => { document.getElementById('tab-calls').focus(); return true; }")
        self.person.ask("browser_press_key", key="ArrowRight")
        self.wait("document.activeElement.id === 'tab-console' && !document.getElementById('panel-console').hidden")
        self.person.ask("browser_press_key", key="End")
        self.wait("document.activeElement.id === 'tab-text' && document.getElementById('panel-console').hidden")

    def test_taking_over(self):
        url = self.pages.route("/login", """<title>Log in</title><style>* { margin: 0 } input, button { display: block; width: 300px; height: 60px }</style>
            <input id=user><input id=password type=password><button onclick="document.title = user.value + ' is in'">Go</button>""")
        ident, call = self.session()
        call("navigate", url=url)
        self.show(f"#/session/{ident}")
        self.take_over()
        self.press(30)
        self.type_keys("Ada")
        self.press(90)
        self.type_keys(PASSWORD[:7])
        self.press(150)
        self.wait("document.querySelector('h1').textContent === 'Ada is in'")
        self.person.ask("browser_click", target=".control button:not([hidden])")
        self.wait("document.querySelector('.session').dataset.state !== 'person'")
        self.assertIn("Ada is in", call("snapshot"))
        self.assertNotIn(PASSWORD[:7], self.evaluate("() => document.documentElement.outerHTML"))

    def test_what_assistive_technology_reads(self):
        ident, call = self.session()
        call("navigate", url=self.shop)
        self.show()
        self.wait("document.querySelector('.card h2 a')?.textContent === 'Shop'")
        tree = self.person.ask("browser_snapshot")
        for part in ("- banner", "- main", '- navigation "Views"', '- heading "Sessions" [level=1]', "- status", '- link "Shop"',
                     'link "Skip to the content"'):
            self.assertIn(part, tree)
        self.assertEqual(self.evaluate(
            "() => [...document.querySelectorAll('button, a, input')].filter(each => !each.hidden && !each.textContent.trim() && !each.labels?.length).length"), 0)


class Login(ViewCase):
    args = ("--auth-token", TOKEN)

    def client(self, *args, **more):
        return super().client(*args, fields={"Authorization": f"Bearer {TOKEN}"}, **more)

    def test_the_form(self):
        person = self.share()
        address = f"http://127.0.0.1:{self.server.port}/view"
        person.ask("browser_navigate", url=address)
        person.ask("browser_type", target="#token", text="wrong", submit=True)
        person.ask("browser_wait_for", target=".problem:not(:empty)")
        person.ask("browser_type", target="#token", text=TOKEN, submit=True)
        person.ask("browser_wait_for", text="No session is open")
        person.ask("browser_click", target="#logout")
        person.ask("browser_wait_for", text="You have logged out.")
        self.assertNotIn(TOKEN, person.ask("browser_snapshot"))


if __name__ == "__main__":
    main()
