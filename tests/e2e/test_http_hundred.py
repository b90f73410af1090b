"""A hundred HTTP clients at once, each with a browser session of its own, without an error and without a mixed page."""
from support.case import BrowserdCase, main
from support.http_client import HttpServer, together

COUNT = 100
MEMORY = 20 << 20  # bytes; of a build without sanitizers


class Hundred(BrowserdCase):
    def test_a_hundred_clients(self):
        pages = self.pages()
        pages.route("/form", lambda request: f"<title>{request.query['n']}</title><script>document.cookie = "
                    f"'n={request.query['n']}'; localStorage.n = '{request.query['n']}'</script><input id=i>"
                    "<table>" + "<tr><td>cell<td>cell</tr>" * 100 + "</table>")
        server = HttpServer("--max-sessions", COUNT, "--timeout-action", "120000", "--timeout-navigation", "120000")
        self.addCleanup(server.discard)
        clients = together([server.client] * COUNT)
        self.assertEqual(len({client.session_id for client in clients}), COUNT)

        def work(n, client):
            self.assertIn(f"Page Title: {n}\n", client.navigate(pages.url(f"/form?n={n}")))
            client.call("browser_type", element="field", target="#i", text=f"agent {n}")
            return client.evaluate("() => document.querySelector('#i').value + ' ' + localStorage.n + ' ' + document.cookie")

        said = together([lambda n=n, client=client: work(n, client) for n, client in enumerate(clients)])
        self.assertEqual(said, [f'"agent {n} {n} n={n}"' for n in range(COUNT)])
        with open(f"/proc/{server.process.pid}/maps", encoding="utf-8") as file:
            sanitized = "libasan" in file.read()
        with open(f"/proc/{server.process.pid}/statm", encoding="utf-8") as file:
            resident = int(file.read().split()[1]) * 4096
        print(f"resident memory: {resident / (1 << 20):.1f} MiB")
        self.assertTrue(sanitized or resident < MEMORY, resident)
        self.assertEqual({client.delete() for client in clients}, {204})
        server.close()


if __name__ == "__main__":
    main()
