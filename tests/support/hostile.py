"""Tests of a server whose browser says wrong things: the call fails or does without, the server goes on."""
from support.case import BrowserdCase
from support.client import Client
from support.pages import Pages

ARGS = ("--caps", "observe,network", "--timeout-action", "2000", "--timeout-navigation", "5000")


def same(message):
    return [message]


class HostileCase(BrowserdCase):
    """
    Tests that share a server and a browser; `lie` changes the messages of the browser until the end of the test. relayed() makes the relay
    between both and gives the arguments of the server.
    """

    @classmethod
    def setUpClass(cls):
        cls.site = Pages()
        cls.addClassCleanup(cls.site.close)
        cls.relay, args = cls.relayed()
        cls.addClassCleanup(cls.relay.close)
        cls.client = Client(*args, *ARGS)
        cls.addClassCleanup(cls.client.discard)
        cls.addClassCleanup(cls.client.close)

    def lie(self, change):
        self.addCleanup(setattr, self.relay, "change", same)
        self.relay.change = change

    def text(self, tool, **arguments):
        result = self.client.start_call(tool, arguments).result()
        return "\n".join(item.get("text", "") for item in result["content"])

    def session(self):
        session = self.client.start_call("create_session", {}).value()["sessionId"]
        self.addCleanup(lambda: self.client.start_call("close_session", {"sessionId": session}).result())
        return session

    def show(self, session, body):
        return self.text("browser_navigate", sessionId=session, url=self.site.page(body))

    def assertServes(self, session=None):
        """The server lives, and a session works once the browser is honest."""
        self.assertIsNone(self.client.process.poll(), self.client.stderr()[-3000:])
        self.relay.change = same
        session = session or self.session()
        self.show(session, "<button>Still here</button>")
        self.assertIn("Still here", self.text("browser_snapshot", sessionId=session))
