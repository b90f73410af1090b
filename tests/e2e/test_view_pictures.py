"""Live pictures in the live view: which come, when, and of what; and that input without control is refused."""
import struct

from support.case import main
from support.http_case import HttpPagesCase
from support.view import Person

FORM = "<title>form</title><body style='margin:0'><h1 id=head>first</h1><input id=field>"


class Watcher:
    """A viewer with one picture, which says that it has seen each, unless it is slow."""

    def __init__(self, case, rate=15, slow=False, size=(640, 400)):
        person = Person(case.server)
        case.addCleanup(person.close)
        case.assertEqual(person.log_in()[0], 200)
        self.socket, self.slow, self.state, self.said = person.socket(), slow, None, []
        self.rate, self.size = rate, size
        self.socket.receive_type("hello")

    def keys(self):
        """The keys of the sessions by their ids."""
        self.socket.send({"type": "list", "from": 0, "count": 50})
        return {card["id"]: card["key"] for card in self.socket.receive_type("cards")["cards"]}

    def watch(self, key):
        self.socket.send({"type": "watch", "as": 7, "key": key, "width": self.size[0], "height": self.size[1], "rate": self.rate})

    def unwatch(self):
        self.socket.send({"type": "unwatch", "as": 7})

    def take(self):
        """The next message of the picture: what was said, or its number, the page's size and the JPEG."""
        while True:
            message = self.socket.receive()
            if isinstance(message, bytes):
                kind, size, _, number, picture, width, height = struct.unpack(">BBHIIHH", message[:16])
                assert (kind, size, number) == (1, 16, 7), message[:16]
                if not self.slow:
                    self.socket.send({"type": "seen", "as": 7, "picture": picture})
                self.last = picture
                return picture, (width, height), message[size:]
            if message.get("as") == 7:
                self.said.append(message)
                if message["type"] == "picture":
                    self.state = message["state"]
                return message

    def picture(self):
        while not isinstance(found := self.take(), tuple):
            pass
        assert found[2][:3] == b"\xff\xd8\xff" and found[2][-2:] == b"\xff\xd9"
        return found

    def until_state(self, state):
        while self.state != state:
            self.take()

    def until_other(self, jpeg):
        """A picture that does not look like that one."""
        while (found := self.picture())[2] == jpeg:
            pass
        return found

    def input(self, picture, *events):
        self.socket.send({"type": "input", "as": 7, "picture": picture, "events": events})

    def refusal(self):
        while (message := self.take()) and not (isinstance(message, dict) and message["type"] == "refused"):
            pass
        return message["why"]


class PicturesCase(HttpPagesCase):
    def session(self, body=FORM):
        client = self.client()
        ident = client.call("create_session")["sessionId"]
        client.call("navigate", sessionId=ident, url=self.pages.page(body))
        return client, ident

    def watcher(self, ident, **more):
        watcher = Watcher(self, **more)
        watcher.watch(watcher.keys()[ident])
        return watcher

    def wait_no_casts(self):
        self.repeat(lambda: self.server.metric("browserd_casts"), lambda found: found == 0)

    def change(self, client, ident, text):
        client.call("evaluate", sessionId=ident, expression=f"document.body.append('{text}'); 1")


class Pictures(PicturesCase):
    def test_a_change_is_shown(self):
        client, ident = self.session()
        watcher = self.watcher(ident)
        number, (width, height), jpeg = watcher.picture()
        self.assertEqual(number, 1)
        self.assertGreater(width, 300)
        self.assertGreater(height, 200)
        self.change(client, ident, "something new")
        self.assertGreater(watcher.until_other(jpeg)[0], 1)
        self.assertEqual(watcher.state, "live")

    def test_nothing_runs_when_nobody_looks(self):
        client, ident = self.session()
        self.assertEqual(self.server.metric("browserd_casts"), 0)
        watcher = self.watcher(ident)
        watcher.picture()
        self.assertEqual(self.server.metric("browserd_casts"), 1)
        watcher.unwatch()
        self.wait_no_casts()
        watcher.watch(watcher.keys()[ident])
        watcher.picture()
        watcher.socket.close()
        self.wait_no_casts()

    def test_a_slow_viewer_delays_nobody(self):
        client, ident = self.session()
        slow, quick = self.watcher(ident, slow=True), self.watcher(ident)
        jpeg = quick.picture()[2]
        for n in range(5):
            self.change(client, ident, f"change {n}")
            jpeg = quick.until_other(jpeg)[2]
        self.assertEqual([slow.picture()[0], slow.picture()[0]], [1, 2])
        slow.socket.send({"type": "seen", "as": 7, "picture": 1})
        self.assertEqual(slow.picture()[2], jpeg)  # the last one, without those in between

    def test_the_picture_follows_the_tab(self):
        client, ident = self.session()
        watcher = self.watcher(ident)
        jpeg = watcher.picture()[2]
        client.call("navigate", sessionId=ident, url=self.pages.page("<h1>another page</h1>"))
        jpeg = watcher.until_other(jpeg)[2]
        client.call("close_session", sessionId=ident)
        watcher.until_state("ended")
        self.wait_no_casts()

    def test_input_needs_control(self):
        _, ident = self.session()
        watcher = self.watcher(ident)
        number = watcher.picture()[0]
        watcher.input(number, {"kind": "press", "x": 10, "y": 10, "button": "left", "count": 1, "modifiers": 0})
        self.assertEqual(watcher.refusal(), "control")

    def test_other_sessions_are_not_shown(self):
        watcher = Watcher(self)
        for key in "0/nothing", "", "1/../x", "x" * 5000:
            watcher.watch(key)
            watcher.until_state("ended")
            watcher.state = None
            watcher.unwatch()
        self.assertEqual(self.server.metric("browserd_casts"), 0)


class Input(PicturesCase):
    """What a person does who has taken the session over."""

    FORM = """<title>form</title><body style="margin:0"><style>* { position: absolute; left: 0; margin: 0 }</style>
        <input id=field style="top:0;width:200px;height:40px"><button style="top:50px;width:200px;height:40px" onclick="window.pressed = event; textContent = 'Pressed'">Press</button>
        <select id=list style="top:100px;width:200px;height:40px"><option>red<option>green</select>"""

    def setUp(self):
        self.agent, self.ident = self.session(self.FORM)
        self.person = self.watcher(self.ident)
        self.seen = self.person.picture()[2]
        self.key = self.person.keys()[self.ident]
        self.person.socket.send({"type": "take", "key": self.key})

    def act(self, *events):
        """On the picture that was seen last."""
        self.person.input(self.person.last, *events)

    def at(self, y, *kinds, **more):
        return [{"kind": kind, "x": 100, "y": y, "button": "left", "count": 1, "modifiers": 0, **more} for kind in kinds]

    def click(self, y):
        self.act(*self.at(y, "move", "press", "release"))

    def hand_back_and_read(self, expression):
        self.person.socket.send({"type": "return", "key": self.key})
        return self.agent.call("evaluate", sessionId=self.ident, expression=expression)["value"]

    def test_mouse_and_keys(self):
        self.click(70)
        self.click(20)
        for down in True, False:
            self.act({"kind": "key", "down": down, "key": "z", "code": "KeyY", "keyCode": 90, "text": "z" if down else "", "location": 0, "modifiers": 0})
        self.act({"kind": "text", "text": "ürich"})
        jpeg = self.person.picture()[2]
        self.person.until_other(jpeg)
        self.assertEqual(self.hand_back_and_read("new Promise(done => { const look = () => field.value === 'zürich' && window.pressed ? done('both') : setTimeout(look, 20); look() })"),
                         "both")

    def test_a_click_with_a_modifier(self):
        self.act(*self.at(70, "move", "press", "release", modifiers=2))
        self.person.until_other(self.seen)
        self.assertEqual(self.hand_back_and_read("new Promise(done => { const look = () => window.pressed ? done(`${pressed.ctrlKey} ${pressed.shiftKey}`) : setTimeout(look, 20); look() })"),
                         "true false")

    def test_lists_are_offered(self):
        self.act(*self.at(120, "press"))
        while (choice := self.person.take()) and not (isinstance(choice, dict) and choice["type"] == "choice"):
            pass
        self.assertEqual([option["label"] for option in choice["options"]], ["red", "green"])
        self.assertEqual(choice["box"], [0, 100, 200, 40])
        self.act({"kind": "choose", "number": choice["number"], "index": 1})
        self.assertEqual(self.hand_back_and_read("new Promise(done => { const look = () => list.value === 'green' ? done('chosen') : setTimeout(look, 20); look() })"),
                         "chosen")

    def test_a_picture_of_another_page_takes_no_input(self):
        self.person.socket.send({"type": "return", "key": self.key})
        before = self.person.last
        self.agent.call("navigate", sessionId=self.ident, url=self.pages.page(self.FORM + "<p>another"))
        self.person.socket.send({"type": "take", "key": self.key})
        self.person.input(before, *self.at(70, "press"))
        self.assertEqual(self.person.refusal(), "stale")
        self.person.input(before, *self.at(70, "release"))
        self.person.input(before, {"kind": "nonsense"})
        self.assertEqual(self.person.refusal(), "malformed")
        while self.person.last == before:
            self.person.take()
        self.click(70)
        self.assertEqual(self.hand_back_and_read("new Promise(done => { const look = () => window.pressed ? done('pressed') : setTimeout(look, 20); look() })"),
                         "pressed")


if __name__ == "__main__":
    main()
