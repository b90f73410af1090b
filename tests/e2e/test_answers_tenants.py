"""Clients that share a server over HTTP: what one is shown of its pages is not for others, and takes no long turn of the loop."""
from concurrent.futures import ThreadPoolExecutor

from support.answers import text_of
from support.case import main
from support.compact import ANSWER, LINES, cursors, size
from support.http_case import HttpCase
from support.pages import Pages

ROWS = "<table id=t></table><script>for (let i = 0; i < {count}; i++) t.insertRow().innerHTML = `<td>number ${{i}}<td><button>Approve ${{i}}</button>`</script>"
CALLS = 24


class TenantsCase(HttpCase):
    args = ("--answers", "compact", "--max-sessions", "20")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site = Pages()
        cls.addClassCleanup(cls.site.close)
        cls.pool = cls.enterClassContext(ThreadPoolExecutor(CALLS + 10))

    def ask(self, client, tool, **arguments):
        text = self.start(client, tool, **arguments).result()
        self.assertLessEqual(size(text), ANSWER, tool)
        self.assertLessEqual(text.count("\n") + 1, LINES, tool)
        return text

    def start(self, client, tool, **arguments):
        """A call that is under way; its result() is the text of the answer."""
        message = client.message("tools/call", {"name": "browser_" + tool, "arguments": arguments})
        call = self.pool.submit(lambda: "".join(text_of(answer["result"]) for answer in client.exchange(message) if answer.get("id") == message["id"] and "result" in answer))
        call.ident = message["id"]
        return call

    def show(self, client, body):
        return self.ask(client, "navigate", url=self.site.page(body))


class Tenants(TenantsCase):
    args = (*TenantsCase.args, "--timeout-action", "5000")

    def test_cursors_and_revisions_are_those_of_a_session(self):
        ada, eve = self.client(), self.client()
        view = self.show(ada, ROWS.format(count=2000))
        cursor, = cursors(view)
        self.show(eve, "<p>her own")
        for name in (cursor, cursor + "+5"):
            self.assertIn("no answer of this session had", self.ask(eve, "snapshot", cursor=name))
        self.show(eve, ROWS.format(count=3).replace("number", "hers"))
        self.assertNotIn("number", self.ask(eve, "snapshot", since="r1"))
        session = ada.call("list_sessions")["sessions"][0]["sessionId"]
        for arguments in ({"cursor": cursor}, {"since": "r1"}, {}):
            answer = self.ask(eve, "snapshot", sessionId=session, **arguments)
            self.assertRegex(answer, "^Error: ")
            self.assertNotIn("number 1", answer)
        self.assertIn("number 1001 ", self.ask(ada, "snapshot", cursor=cursor + "+960"))

    def test_floods_of_views_and_searches(self):
        ada, eve = self.client(), self.client()
        self.show(ada, ROWS.format(count=1500))
        view = self.ask(ada, "snapshot")
        self.assertEqual(len(cursors(view)), 1, view)
        cursor, = cursors(view)
        self.show(eve, "<button>still here</button>")
        calls = []
        for n in range(CALLS):
            calls.append(self.start(ada, *(("snapshot", "find", "find", "snapshot")[n % 4],),
                                    **({"budget": 200 + n}, {"text": str(n)}, {"regex": "/(number|[0-9 ]+)+x$/"}, {"cursor": f"{cursor}+{n * 50}"})[n % 4]))
        for _ in range(5):
            self.assertIn("still here", self.ask(eve, "snapshot"))
        for call in calls:
            self.assertLessEqual(size(call.result()), ANSWER)
        self.assertIn("number 0 ", self.ask(ada, "snapshot"))

    def test_batches(self):
        ada, eve = self.client(), self.client()
        self.show(ada, "<input id=i><p>a</p>")
        self.show(eve, "<button>still here</button>")
        slow = {"tool": "browser_evaluate", "function": "() => new Promise(done => setTimeout(done, 20000))"}
        batch = self.start(ada, "batch", steps=[slow] * 50)
        self.assertIn("still here", self.ask(eve, "snapshot"))
        ada.notify("notifications/cancelled", {"requestId": batch.ident})
        self.assertIn('textbox e', self.ask(ada, "snapshot"))
        quick = {"tool": "browser_type", "target": "#i", "text": "x"}
        self.assertIn("1 to 50 ok", self.ask(ada, "batch", steps=[quick] * 50))
        for steps in ([quick] * 51, [{"tool": "browser_batch", "steps": [quick]}], [], [{"tool": "browser_batch"}], [{}], [[quick]]):
            self.assertRegex(self.ask(ada, "batch", steps=steps), "^Error: ")

    def test_pages_that_are_hard_to_read(self):
        ada, eve = self.client(), self.client()
        self.show(eve, "<button>still here</button>")
        for body in ("<blockquote>" * 2000 + "deep", "<table>" + ("<tr>" + "<td>x" * 1000) * 4 + "</table>", "<ul><li>" * 1000 + "deep",
                     "<iframe srcdoc='<iframe srcdoc=x></iframe>'></iframe>" * 20,
                     "<main id=m></main><script>setInterval(() => { m.innerHTML = '<h2>' + Math.random() + '</h2><p>text</p>'.repeat(500) })</script>"):
            self.show(ada, body)
            for tool, arguments in (("read", {"target": "body"}), ("snapshot", {})):
                reading = self.start(ada, tool, **arguments)
                self.assertIn("still here", self.ask(eve, "snapshot"))
                self.assertLessEqual(size(reading.result()), ANSWER, (body[:20], tool))


class Endless(TenantsCase):
    """What takes a processor until its time is over, which is that of navigations."""

    args = (*TenantsCase.args, "--timeout-navigation", "6000")

    def test_a_search_that_never_ends(self):
        ada, eve = self.client(), self.client()
        self.show(ada, f"<p>{'a' * 40}</p><button>there</button>")
        self.show(eve, "<button>still here</button>")
        search = self.start(ada, "find", regex="/(a+)+b/")
        self.assertIn("still here", self.ask(eve, "snapshot"))
        self.assertRegex(search.result(), "^Error: ")
        self.assertRegex(self.show(ada, "<button>again</button>"), "again|Error: ")
        self.assertRegex(self.ask(ada, "find", regex=f"/{'(' * 1000}a{')' * 1000}/"), "^(1 match|No match|Error: )")


if __name__ == "__main__":
    main()
