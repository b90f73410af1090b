"""Secrets stay inside: in whatever way a tool, a resource, a file or a log could show one, and in what other processes can read."""
import base64
import html
import json
import os
import pathlib
import tempfile
import urllib.parse

from support.case import BrowserdCase, main
from support.client import RpcError
from support.http_client import HttpServer
from support.pages import Response

VALUES = {"PHRASE": "open \"the\\door\" <now> & wait+see/ü==", "PIN": "902187364"}
TOKEN = "token-" + "t" * 30


def spellings(value):
    quoted = json.dumps(value)[1:-1]
    yield from (value, quoted, json.dumps(quoted)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])
    yield from (urllib.parse.quote(value, safe=""), urllib.parse.quote_plus(value), urllib.parse.quote(value, safe="").lower())
    yield from (html.escape(value), html.escape(value, quote=False))
    for before in ("", "u:", "us:"):  # what is shared with the neighbours is left out
        encoded = base64.b64encode((before + value).encode()).decode()
        yield encoded[-(-8 * len(before) // 6):(len((before + value).encode())) * 8 // 6]


class Secrets(BrowserdCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.site = self.pages()
        self.file = self.folder / "secrets.env"
        self.file.write_text("".join(f"{name}='{value}'\n" for name, value in VALUES.items()), encoding="utf-8")
        self.file.chmod(0o600)

    def check(self, where, text):
        text = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        for name, value in VALUES.items():
            for spelling in spellings(value):
                self.assertNotIn(spelling, text, f"{name} is shown by {where}")
        return text

    def ask(self, client, tool, **arguments):
        """All that a tool answers, which must not hold a secret, as one text."""
        return self.check(tool, client.start_call(tool, arguments).result())

    def browser(self, *args):
        return self.start("--secrets", str(self.file), "--output-dir", str(self.folder / "output"), *args)

    def page(self):
        """A page that shows what is typed into its field in many ways."""
        self.site.route("/api", lambda request: Response(json.dumps({"got": request.body.decode(errors="replace"), "n": [1]}),
                                                       content_type="application/json"))
        return self.site.page("""<form action=/gone><input id=i name=q><button id=b>Go</button></form><p id=p></p><script>
            i.oninput = () => { const v = i.value; p.textContent = v; p.title = encodeURIComponent(v); document.title = v; b.ariaLabel = v;
                console.log(v, {v}, JSON.stringify({v}), new URLSearchParams({v}).toString(), p.outerHTML); }
            </script>""")

    def test_answers_of_browser_tools(self):
        client = self.browser()
        self.ask(client, "browser_navigate", url=self.page())
        for name, value in VALUES.items():
            self.ask(client, "browser_type", target="#i", text=name)
            self.assertIn(f"<secret>{name}</secret>", self.ask(client, "browser_snapshot"))
            for function in ("i.value", "{v: i.value, [i.value]: [i.value]}", "JSON.stringify({v: i.value})", "encodeURI(i.value)",
                             "document.documentElement.outerHTML", "new URLSearchParams({v: i.value}).toString()",
                             "btoa(unescape(encodeURIComponent('u:' + i.value)))", "JSON.stringify(JSON.stringify([i.value]))"):
                answer = self.ask(client, "browser_evaluate", function=f"() => ({function})")
                self.assertIn(f"<secret>{name}</secret>", answer, function)
            self.ask(client, "browser_evaluate", function="() => { throw new Error('is ' + i.value) }")
            self.ask(client, "browser_run_code_unsafe", code="async page => ({v: await page.evaluate(() => i.value)})")
            self.ask(client, "browser_evaluate", function="""() => fetch('/api?' + new URLSearchParams({v: i.value}), {method: 'POST', body: i.value,
                headers: {Authorization: 'Basic ' + btoa(unescape(encodeURIComponent('u:' + i.value))), 'X-V': encodeURIComponent(i.value)}}).then(r => r.json())""")
            for index in (2, 3):
                for part in ("request-headers", "request-body", "response-body"):
                    self.ask(client, "browser_network_request", index=index, part=part)
            self.ask(client, "browser_network_requests", static=True)
            self.ask(client, "browser_console_messages")
            self.ask(client, "browser_find", text=value[:6])
            self.ask(client, "browser_click", target=f"text={value}")
        self.ask(client, "browser_click", target="#b")
        self.ask(client, "browser_tabs", action="list")
        self.ask(client, "browser_evaluate", function="() => document.body.innerText", filename="output/body.json")

    def test_answers_of_session_tools_stay_well_formed(self):
        """Their structure, which the client holds against the schema, is untouched whatever the values hold."""
        client = self.browser()
        session = client.session()
        session.navigate(self.page())
        for name, value in VALUES.items():
            session.type("#i", value)
            self.assertEqual(session.evaluate("i.value"), f"<secret>{name}</secret>")
            found = session.evaluate("({[i.value]: i.value, n: 902187364, json: JSON.stringify({v: i.value}), end: i.value + '\\\\'})")
            self.assertEqual(json.loads(found["json"]), {"v": f"<secret>{name}</secret>"})
            self.assertEqual((found["n"], found["end"]), ("<secret>PIN</secret>", f"<secret>{name}</secret>\\"))
            self.assertIn(f"<secret>{name}</secret>", found)
            self.check("a failure", str(session.fail("click", selector=f"text={value}", timeout=1).body))
            self.check("a failure", str(session.fail("evaluate", expression="nothing[i.value]()").body))
            self.check("title", session.start("navigate", url=self.site.url("/?" + urllib.parse.urlencode({"v": value}))).result())
            session.navigate(self.page())
        with self.assertRaises(RpcError) as refused:
            client.request("tools/call", {"name": VALUES["PIN"]})
        self.check("an error", str(refused.exception))

    def test_observing_resources_files_and_logs(self):
        sink = self.folder / "events.jsonl"
        client = self.browser("--caps", "observe", "--event-sink", f"file:{sink}", "--log-level", "debug", "--no-default-redaction")
        client.request("logging/setLevel", {"level": "debug"})
        session = client.session()
        session.navigate(self.page())
        for value in VALUES.values():
            session.type("#i", value)
            session.evaluate("""fetch('/api?' + new URLSearchParams({v: i.value}), {method: 'POST', body: JSON.stringify({v: i.value}), headers:
                {Authorization: 'Basic ' + btoa(unescape(encodeURIComponent('u:' + i.value))), 'X-V': encodeURIComponent(i.value)}}).then(r => r.json())""")
            session.evaluate("history.pushState(0, '', '?' + new URLSearchParams({v: i.value}))")
        self.ask(client, "cdp_list_targets")
        target = client.call("cdp_list_targets")["targets"][0]["id"]
        self.ask(client, "cdp_observe", targetId=target)
        events = self.ask(client, "cdp_read_events", targetId=target, offset=0)
        self.assertIn("<secret>PHRASE</secret>", events)
        uris = [resource["uri"] for resource in client.request("resources/list")["resources"]]
        self.assertTrue(any(uri.startswith("cdp://har/") for uri in uris))
        for uri in uris:
            read = client.request("resources/read", {"uri": uri})
            self.check(uri, read)
            for item in read["contents"]:
                if item.get("mimeType") == "application/json":
                    json.loads(item["text"])
        self.ask(client, "browser_navigate", url=self.page())
        self.ask(client, "browser_type", target="#i", text="PHRASE", submit=True)
        self.check("notifications", client.notifications)
        self.check("the log", client.stderr())
        for line in self.check("the sink", sink.read_text(encoding="utf-8")).splitlines():
            json.loads(line)
        files = [path for path in (self.folder / "output").rglob("*") if path.is_file()]
        self.assertTrue(files)
        for path in files:
            self.check(path.name, path.read_text(encoding="utf-8"))

    def read_processes(self, server):
        """Command lines and environments of the server and all below it, as any process of the same user can read them."""
        for process in {p.pid for p in server.processes()} | {server.process.pid}:
            for name in ("cmdline", "environ"):
                try:
                    yield process, name, pathlib.Path(f"/proc/{process}/{name}").read_bytes()
                except (FileNotFoundError, ProcessLookupError, PermissionError):
                    pass

    def test_tokens_are_in_no_command_line_and_no_environment(self):
        for args, env in (("--auth-token", TOKEN), {}), ((f"--auth-token={TOKEN}",), {}), ((), {"BROWSERD_AUTH_TOKEN": TOKEN}):
            server = HttpServer(*args, env=env)
            self.addCleanup(server.discard)
            self.addCleanup(server.close)
            client = server.client(fields={"Authorization": f"Bearer {TOKEN}"})
            client.call("browser_navigate", url=self.site.page("x"))
            read = list(self.read_processes(server))
            self.assertGreater(len({process for process, _, _ in read}), 2)
            for process, name, data in read:
                self.assertNotIn(TOKEN.encode(), data, f"{name} of {process}")
            command = next(data for process, name, data in read if (process, name) == (server.process.pid, "cmdline"))
            self.assertIn(b"--port", command)
            self.assertEqual(b"--auth-token" in command, bool(args))

    def test_files_that_all_can_read_are_told_of(self):
        self.file.chmod(0o644)
        client = self.browser()
        client.wait_stderr(f"{self.file} contains secrets and can be read by every user")


if __name__ == "__main__":
    main()
