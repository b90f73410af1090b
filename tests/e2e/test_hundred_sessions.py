"""A hundred sessions at once, each on real pages of its own, without an error; two hundred that come and go."""
from support import processes
from support.case import BrowserdCase, main
from support.client import ToolError

COUNT = 100
FORM = """<form action=/done><label>Name <input id=name name=who></label>
<button type=button id=add onclick="list.innerHTML += '<li>' + document.querySelector('#name').value">add</button>
<button id=send>send</button></form><ul id=list></ul><table>""" + "<tr><td>cell<td>cell<td>cell</tr>" * 100 + "</table>"


class Hundred(BrowserdCase):
    def test_a_hundred_sessions(self):
        client, pages = self.start("--max-sessions", COUNT, "--timeout-action", "120000", "--timeout-navigation", "120000"), self.pages()
        pages.route("/form", lambda request: f"<title>{request.query['n']}</title><script>document.cookie = "
                    f"'n={request.query['n']}'; localStorage.n = '{request.query['n']}'</script>{FORM}")
        pages.route("/done", lambda request: f"<title>{request.query['who']} {request.cookie}</title>")
        created = [client.start_call("create_session", {}) for _ in range(COUNT)]
        sessions = [reply.value(600)["sessionId"] for reply in created]
        self.assertEqual(len(set(sessions)), COUNT)
        self.assertEqual(client.fail("create_session").code, "MAX_SESSIONS_REACHED")

        def everywhere(tool, **arguments):
            """The same call in every session at once; {n} in a value is the session's number."""
            replies = [client.start_call(tool, {"sessionId": ident, **{
                name: value.replace("{n}", str(n)) for name, value in arguments.items()}}) for n, ident in enumerate(sessions)]
            return [reply.value(600) for reply in replies]

        titles = everywhere("navigate", url=pages.url("/form?n={n}"))
        self.assertEqual([answer["title"] for answer in titles], [str(n) for n in range(COUNT)])
        everywhere("type", selector="#name", text="agent {n} 😀")
        everywhere("click", selector="#add")
        read = everywhere("evaluate", expression="list.innerText + localStorage.n + document.cookie")
        self.assertEqual([answer["value"] for answer in read], [f"agent {n} 😀{n}n={n}" for n in range(COUNT)])
        everywhere("click", selector="#send")
        titles = everywhere("navigate", url=pages.url("/done?who=last"))
        self.assertEqual([answer["title"] for answer in titles], [f"last n={n}" for n in range(COUNT)])
        self.assertEqual(client.call("list_sessions")["count"], COUNT)
        everywhere("close_session")
        self.assertEqual(client.call("list_sessions")["count"], 0)

    def test_sessions_come_and_go(self):
        client, pages = self.start("--max-sessions", "8"), self.pages()
        url = pages.page("x", title="here")
        for _ in range(3):
            created = [client.start_call("create_session", {}) for _ in range(8)]
            idents = [reply.value()["sessionId"] for reply in created]
            shown = [client.start_call("navigate", {"sessionId": ident, "url": url}) for ident in idents]
            closed = [client.start_call("close_session", {"sessionId": ident}) for ident in idents[:4]]  # in the middle of it
            for reply in shown:
                try:
                    self.assertEqual(reply.value()["title"], "here")
                except ToolError as error:
                    self.assertIn(error.code, ("SESSION_NOT_FOUND", "NAVIGATION_FAILED"))
            closed += [client.start_call("close_session", {"sessionId": ident}) for ident in idents[4:]]
            self.assertTrue(all(reply.value()["success"] for reply in closed))

    def test_two_hundred_sessions_come_and_go(self):
        """Each in use until it is closed, eight at a time; no process stays behind."""
        client, pages = self.start("--max-sessions", "8", "--timeout-action", "60000"), self.pages()
        url, left = pages.page("<button onclick=\"this.textContent = 'pressed'\">x</button>", title="here"), None
        for _ in range(25):
            created = [client.start_call("create_session", {}) for _ in range(8)]
            idents = [reply.value()["sessionId"] for reply in created]
            for tool, arguments in (("navigate", {"url": url}), ("click", {"selector": "button"}),
                                    ("evaluate", {"expression": "document.querySelector('button').textContent"}), ("close_session", {})):
                replies = [client.start_call(tool, {"sessionId": ident, **arguments}) for ident in idents]
                answers = [reply.value() for reply in replies]
                self.assertTrue(all(answer["success"] and answer.get("value", "pressed") == "pressed" for answer in answers), answers)
            left = left or len(processes.descendants(client.process.pid))
        self.repeat(lambda: client.request("ping") and 0 or len(processes.descendants(client.process.pid)), lambda count: count <= left)


if __name__ == "__main__":
    main()
