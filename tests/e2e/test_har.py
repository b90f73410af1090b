"""An archive of a page load, opened by an independent reader: har-validator of npm, in the folder that MCP_SDK names."""
import json
import os
import shutil
import subprocess
import time

from support.case import BrowserdCase, main, skip
from support.client import PATIENCE
from support.pages import Response

READER = os.path.join(os.path.dirname(__file__), "har.cjs")


class Archive(BrowserdCase):
    def setUp(self):
        self.site, self.seen = self.pages(), []

    def serve(self, path, body="", status=200, content_type="text/plain", headers=()):
        """A route that notes what it saw and said."""
        def answer(request):
            query = "?" + "&".join(f"{k}={v}" for k, v in request.query.items()) if request.query else ""
            said = Response(request.body if body is None else body, status, content_type, headers)
            self.seen.append((self.site.url(path + query), request, said))
            return said
        return self.site.route(path, answer)

    def read(self, archive):
        result = subprocess.run(["node", READER, os.environ["MCP_SDK"]], input=archive, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def load(self):
        """A page that asks for one thing after the other, until all has come; its archive."""
        began = time.time() * 1000
        self.serve("/style.css", "body { color: red }", content_type="text/css")
        self.serve("/script.js", "self.ran = true", content_type="text/javascript")
        self.serve("/data", json.dumps({"größe": 1}), content_type="application/json")
        self.serve("/binary", bytes(range(256)), content_type="application/octet-stream")
        self.serve("/old", "", 302, headers=[("Location", "/new?from=old")])
        self.serve("/new", "arrived", headers=[("X-Kind", "new")])
        self.serve("/echo", None, 201, content_type="text/plain; charset=utf-8")
        self.serve("/none", "not here", 404)
        self.serve("/empty", "", 204)
        page = self.serve("/index", """<!doctype html><link rel=stylesheet href=/style.css><script src=/script.js></script><script>
            (async () => { for (const [url, options] of [['/data'], ['/binary'], ['/old'], ['/echo', {method: 'POST', body: 'a=1&b=zwei'}],
                ['/echo', {method: 'PUT', body: 'größer', headers: {'X-Sent': 'yes'}}], ['/none'], ['/empty']])
                    await (await fetch(url, options)).text();
            console.log('all has come') })()</script>""", content_type="text/html; charset=utf-8")
        client = self.start("--caps", "observe")
        client.session().navigate(page)
        target = client.call("cdp_observe", urlIncludes="/index")["targetId"]
        self.assertFalse(client.call("wait_for_event", targetId=target, text="all has come")["timedOut"])
        content, = client.request("resources/read", {"uri": f"cdp://har/{target}?bodies=true"})["contents"]
        return content["text"], began

    def test_entry_by_entry(self):
        archive, began = self.load()
        entries = sorted((e for e in self.read(archive) if not e["url"].endswith("/favicon.ico")), key=lambda e: (e["url"], e["method"]))
        seen = sorted(self.seen, key=lambda row: (row[0], row[1].method))  # two may arrive in another order than they left
        self.assertEqual([(e["method"], e["url"], e["status"]) for e in entries],
                         [(request.method, url, said.status) for url, request, said in seen])
        self.assertEqual(len(entries), 11)
        for entry, (url, request, said) in zip(entries, seen):
            with self.subTest(entry["method"] + " " + url):
                self.assertEqual(entry["posted"] or "", request.body.decode())
                if request.body:
                    self.assertEqual(entry["sent"]["content-type"], request.headers["Content-Type"])
                self.assertEqual(entry["sent"].get("x-sent"), request.headers["X-Sent"])
                self.assertEqual(entry["location"], dict(said.headers).get("Location", ""))
                self.assertEqual(entry["got"].get("x-kind"), dict(said.headers).get("X-Kind"))
                if said.status not in (204, 302):
                    self.assertEqual(entry["type"], said.content_type.partition(";")[0])
                    self.assertEqual(entry["body"].encode("latin1" if said.content_type == "application/octet-stream" else "utf-8"), said.body)
                self.assertGreaterEqual(entry["time"], 0)
                self.assertTrue(began - 1000 <= entry["began"] <= time.time() * 1000 + 1000)


if __name__ == "__main__":
    if not shutil.which("node"):
        skip("node is not installed")
    if not os.path.isdir(os.path.join(os.environ.get("MCP_SDK", ""), "node_modules", "har-validator")):
        skip("MCP_SDK names no folder with har-validator")
    main()
