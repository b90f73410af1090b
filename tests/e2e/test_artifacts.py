"""Files that tools write, as resources: who gets links, who may read them, and what of them."""
import base64
import os
import pathlib
import tempfile

from support.case import BrowserdCase, main
from support.client import LEGACY, META, MODERN, RpcError
from support.http_client import HttpServer


def links(answer):
    return [item for item in answer["content"] if item["type"] == "resource_link"]


class Files(BrowserdCase):
    def setUp(self):
        self.site = self.pages()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(lambda: __import__("shutil").rmtree(self.folder))

    def tool(self, client, name, **arguments):
        return client.request("tools/call", {"name": name, "arguments": arguments})

    def contents(self, client, uri):
        content, = client.request("resources/read", {"uri": uri})["contents"]
        return content

    def missing(self, client, uri):
        with self.assertRaises(RpcError) as caught:
            client.request("resources/read", {"uri": uri})
        return caught.exception.code

    def listed(self, client):
        return {r["uri"]: r for r in client.request("resources/list")["resources"] if r["uri"].startswith("artifact://")}


class Stdio(Files):
    def open(self, *args, version=LEGACY[-1]):
        client = self.start("--output-dir", self.folder, *args, version=version)
        self.tool(client, "browser_navigate", url=self.site.page("<h1>Grüße</h1><script>console.log('logged')</script>"))
        return client

    def test_links_are_asked_for(self):
        client = self.open()
        self.assertEqual(links(self.tool(client, "browser_take_screenshot")), [])
        self.assertEqual(client.request("resources/list")["resources"], [])
        client = self.open("--caps", "observe")
        self.assertEqual(links(self.tool(client, "browser_take_screenshot")), [])
        self.assertIn("image/png", [r["mimeType"] for r in self.listed(client).values()])

    def test_picture(self):
        client = self.open("--artifacts", "link")
        link, = links(self.tool(client, "browser_take_screenshot", filename="a b.png"))
        data = pathlib.Path("a b.png")
        self.addCleanup(data.unlink)
        self.assertEqual({k: link[k] for k in ("name", "mimeType", "size")},
                         {"name": "a b.png", "mimeType": "image/png", "size": data.stat().st_size})
        self.assertRegex(link["uri"], r"^artifact://\d+/a%20b\.png$")
        self.assertEqual(self.listed(client)[link["uri"]], {key: value for key, value in link.items() if key != "type"})
        content = self.contents(client, link["uri"])
        self.assertEqual((content["mimeType"], base64.b64decode(content["blob"])), ("image/png", data.read_bytes()))

    def test_texts(self):
        client = self.open("--artifacts", "link", "--snapshot-mode", "full")
        answer = self.tool(client, "browser_navigate", url=self.site.page("<h1>Grüße</h1><script>console.log('logged')</script>"))
        found = {link["mimeType"]: self.contents(client, link["uri"])["text"] for link in links(answer)}
        self.assertIn("Grüße", found["text/yaml"])
        self.assertIn("logged", found["text/plain"])
        link, = links(self.tool(client, "browser_snapshot", filename=os.path.join(self.folder, "page.txt")))
        self.assertIn("Grüße", self.contents(client, link["uri"])["text"])

    def test_download(self):
        client = self.open("--artifacts", "link", "--timeout-settle", 30000)
        self.tool(client, "browser_navigate", url=self.site.page("<a download=notes.txt href='data:text/plain,saved'>get</a>"))
        link, = [link for link in links(self.tool(client, "browser_click", target="a")) if link["name"] == "notes.txt"]
        self.assertEqual((link["mimeType"], link["size"]), ("text/plain", 5))
        self.assertEqual(self.contents(client, link["uri"])["text"], "saved")

    def test_a_file_that_is_written_again(self):
        client = self.open("--artifacts", "link")
        path = os.path.join(self.folder, "same.md")
        first, = links(self.tool(client, "browser_snapshot", filename=path))
        self.tool(client, "browser_navigate", url=self.site.page("<h1>Another page, with more on it</h1>"))
        second, = links(self.tool(client, "browser_snapshot", filename=path))
        self.assertEqual(first["uri"], second["uri"])
        self.assertGreater(second["size"], first["size"])
        os.unlink(path)
        with self.assertRaisesRegex(RpcError, "no such file"):
            self.contents(client, first["uri"])

    def test_what_is_not_there(self):
        client = self.open("--artifacts", "link")
        link, = links(self.tool(client, "browser_take_screenshot"))
        for uri in ("artifact://", "artifact://1", "artifact://99/x.png", link["uri"] + "x", "artifact:///etc/passwd",
                    "artifact://1/../../etc/passwd", "file:///etc/passwd"):
            self.assertEqual(self.missing(client, uri), -32002, uri)

    def test_versions_without_links(self):
        client = self.open("--artifacts", "link", version="2025-03-26")
        self.assertEqual([item["type"] for item in self.tool(client, "browser_take_screenshot")["content"]], ["text", "image"])
        self.assertTrue(self.listed(client))

    def test_the_list_changes(self):
        client = self.open("--artifacts", "link")
        announced = lambda: [n["method"] for n in list(client.notifications)].count("notifications/resources/list_changed")
        before = announced()
        self.assertGreaterEqual(before, 1)
        self.tool(client, "browser_take_screenshot")
        self.assertEqual(announced(), before + 1)
        self.tool(client, "browser_evaluate", function="() => 1")
        self.assertEqual(announced(), before + 1)

    def test_the_list_changes_for_those_who_listen(self):
        client = self.open("--artifacts", "link", version=MODERN)
        listen = client.start("subscriptions/listen", {"notifications": {"resourcesListChanged": True}})
        mine = {META + "subscriptionId": listen.id}
        self.assertEqual(client.wait_notification("notifications/subscriptions/acknowledged"),
                         {"_meta": mine, "notifications": {"resourceSubscriptions": [], "resourcesListChanged": True}})
        self.tool(client, "browser_take_screenshot")
        self.assertEqual(client.wait_notification("notifications/resources/list_changed"), {"_meta": mine})


class Http(Files):
    def serve(self, *args):
        server = HttpServer("--output-dir", self.folder, *args)
        self.addCleanup(server.discard)
        self.addCleanup(server.close)
        return server

    def test_links_by_default_and_for_their_owner_alone(self):
        server = self.serve()
        one, other = server.client(), server.client()
        one.navigate(self.site.page("<h1>Mine</h1>"))
        link, = links(self.tool(one, "browser_take_screenshot"))
        self.assertEqual(base64.b64decode(self.contents(one, link["uri"])["blob"])[:4], b"\x89PNG")
        self.assertEqual(self.missing(other, link["uri"]), -32002)
        self.assertEqual(self.listed(other), {})
        self.assertIn(link["uri"], self.listed(one))
        one.delete()
        self.assertEqual(self.missing(other, link["uri"]), -32002)
        other.delete()

    def test_none(self):
        server = self.serve("--artifacts", "none")
        client = server.client()
        client.navigate(self.site.page("<h1>Mine</h1>"))
        self.assertEqual(links(self.tool(client, "browser_take_screenshot")), [])
        client.delete()


if __name__ == "__main__":
    main()
