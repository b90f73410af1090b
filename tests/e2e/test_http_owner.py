"""Whose sessions are: with a token its subject's, who may come back for them; without one their client's."""
import json

from support.case import BrowserdCase, main
from support.client import MODERN
from support.http_client import HttpServer

TOKEN = "0123456789abcdef0123"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
PAGE = "<p id=p>0</p><button onclick='p.textContent++'>more</button><script>document.cookie = 'who=ada'</script>"


class OwnerCase(BrowserdCase):
    def serve(self, *args):
        server = HttpServer("--auth-token", TOKEN, "--log-level", "info", *args)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def listed(self, client):
        return [session["sessionId"] for session in client.call("list_sessions")["sessions"]]


class WithToken(OwnerCase):
    def test_a_session_outlives_its_client(self):
        """Same page, same cookies, same refs."""
        server, url = self.serve(), self.pages().page(PAGE)
        first = server.client(fields=BEARER)
        session = first.call("create_session")["sessionId"]
        first.call("browser_navigate", sessionId=session, url=url)
        snapshot = first.call("browser_snapshot", sessionId=session)
        ref = snapshot.split('button "more" [ref=')[1].split("]")[0]
        self.assertEqual(first.delete(), 204)
        for client in (server.client("2025-06-18", fields=BEARER), server.client(MODERN, fields=BEARER)):
            self.assertEqual(self.listed(client), [session])
            client.call("browser_click", sessionId=session, element="more", target=ref)
            said = client.call("evaluate", sessionId=session, expression="[document.cookie, p.textContent]")
            self.assertEqual(said["value"][0], "who=ada")
        self.assertEqual(said["value"][1], "2")

    def test_what_was_a_lost_clients_own_is_found_by_name(self):
        server, url = self.serve("--http-session-timeout", "2000"), self.pages().page(PAGE)
        server.client(fields=BEARER).navigate(url)
        server.wait_stderr("it was idle")
        client = server.client(MODERN, fields=BEARER)
        session, = self.listed(client)
        self.assertEqual(client.call("evaluate", sessionId=session, expression="document.cookie")["value"], "who=ada")

    def test_what_nobody_comes_back_for_expires(self):
        server = self.serve("--http-session-timeout", "2000", "--session-timeout", "500")
        server.client(fields=BEARER).navigate(self.pages().page(PAGE))
        server.wait_stderr("expired")
        self.assertEqual(self.listed(server.client(MODERN, fields=BEARER)), [])

    def test_who_says_goodbye_leaves_nothing_of_its_own(self):
        server = self.serve()
        client = server.client(fields=BEARER)
        client.navigate(self.pages().page(PAGE))
        self.assertEqual(client.delete(), 204)
        self.assertEqual(self.listed(server.client(fields=BEARER)), [])

    def test_each_client_still_has_a_session_of_its_own(self):
        server, pages = self.serve(), self.pages()
        clients = [server.client(fields=BEARER) for _ in range(2)]
        for i, client in enumerate(clients):
            client.navigate(pages.page("", title=str(i)))
        self.assertEqual([json.loads(client.evaluate("() => document.title")) for client in clients], ["0", "1"])
        self.assertEqual(len(self.listed(clients[0])), 2)

    def test_a_call_without_a_session_and_without_a_client_keeps_nothing(self):
        server, url = self.serve(), self.pages().page(PAGE)
        client = server.client(MODERN, fields=BEARER)
        client.navigate(url)
        self.assertEqual(self.listed(client), [])
        self.assertIn("about:blank", client.call("browser_evaluate", function="() => location.href"))


if __name__ == "__main__":
    main()
