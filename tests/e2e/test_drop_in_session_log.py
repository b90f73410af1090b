"""--save-session: the log of calls and answers, in the words and the order of @playwright/mcp."""
import json
import re

from support.case import main
from support.drop_in import DropInCase

ENTRY = re.compile(r"\n### Tool call: (\w+)\n- Args\n```json\n(.*?)\n```\n- Result\n```json\n(.*?)\n```\n", re.S)
PAGE = """<title>Form</title><button onclick="console.log('pressed')">Send</button><input aria-label=Name>
<button onclick="alert('Hi')">Ask</button>"""


class SessionLog(DropInCase):
    def entries(self, path):
        text = path.read_text(encoding="utf-8")
        self.assertEqual("".join(match[0] for match in ENTRY.finditer(text)), text)
        return [(tool, json.loads(args), json.loads(result)) for tool, args, result in ENTRY.findall(text)]

    @staticmethod
    def end(client):
        """The reference writes a log after the answer."""
        client.close_stdin()
        client.wait()

    def logs(self, folder=".playwright-mcp"):
        return sorted((self.folder / folder).glob("session-*/session.md"))

    def test_calls_and_answers(self):
        (self.folder / "secrets").write_text("WORD=open sesame\n", encoding="utf-8")
        (self.folder / "secrets").chmod(0o600)
        client = self.serve("--save-session", "--secrets", "secrets")
        url = self.site.page(PAGE)
        self.call(client, "browser_navigate", url=url)
        self.call(client, "browser_click", target="e2", element="the button")
        self.call(client, "browser_click", target="e99")
        self.call(client, "browser_hover")
        self.call(client, "browser_snapshot", depth=2)
        self.call(client, "browser_type", target="e3", text="WORD", bogus=1)
        self.call(client, "browser_take_screenshot", type="jpeg")
        self.call(client, "browser_click", target="e4")
        self.call(client, "browser_hover", target="e2")
        self.end(client)
        log, = self.logs()
        entries = self.entries(log)
        self.assertEqual([tool for tool, *_ in entries], [
            "browser_navigate", "browser_click", "browser_snapshot", "browser_type", "browser_take_screenshot", "browser_click",
            "browser_hover"])
        navigate, click, snapshot, typing, picture, dialog, refused = entries
        self.assertEqual(navigate[1], {"url": url})
        self.assertEqual(list(navigate[2]), ["code", "page", "snapshot"])
        self.assertEqual(navigate[2]["code"], f"await page.goto('{url}');")
        self.assertIn('- button "Send" [ref=e2]', navigate[2]["snapshot"])
        self.assertEqual(list(click[1].items()), [("element", "the button"), ("target", "e2")])
        self.assertEqual(list(click[2]), ["code", "page", "snapshot", "events"])
        self.assertRegex(click[2]["events"], r"^- New console entries: \.playwright-mcp/console-.*\.log#L1$")
        self.assertEqual((snapshot[1], list(snapshot[2])), ({"depth": 2}, ["page", "inlineSnapshot"]))
        self.assertEqual(typing[1:], ({"target": "e3", "text": "WORD"}, {
            "code": "await page.getByRole('textbox', { name: 'Name' }).fill(process.env['WORD']);"}))
        self.assertEqual(list(picture[1].items()), [("type", "jpeg"), ("scale", "css")])
        self.assertEqual(list(picture[2]), ["result", "code", "attachments"])
        attachment, = picture[2]["attachments"]
        self.assertEqual((list(attachment), attachment["mimeType"]), (["type", "data", "mimeType"], "image/jpeg"))
        self.assertEqual(list(dialog[2]), ["code", "page", "snapshot", "modalState"])
        self.assertEqual(list(refused[2]), ["error", "modalState", "isError"])
        self.assertIs(refused[2]["isError"], True)
        self.assertNotIn("sesame", log.read_text(encoding="utf-8"))
        client.wait_stderr(f"Session: {log.parent}\n")

    def test_another_browser_has_another_log(self):
        (self.folder / "config.json").write_text('{"saveSession": true, "codegen": "python"}', encoding="utf-8")
        client = self.serve("--config", "config.json", "--output-dir", "out", "--snapshot-mode", "none", "--image-responses", "only")
        self.open(client, "first")
        self.call(client, "browser_take_screenshot")
        self.call(client, "browser_close")
        self.open(client, "second")
        self.end(client)
        first, second = map(self.entries, self.logs("out"))
        self.assertEqual([tool for tool, *_ in first], ["browser_navigate", "browser_take_screenshot", "browser_close"])
        self.assertEqual([tool for tool, *_ in second], ["browser_navigate"])
        self.assertTrue(second[0][2]["code"].startswith('page.goto("http'))
        self.assertNotIn("snapshot", second[0][2])
        self.assertEqual(first[1][2], {})


if __name__ == "__main__":
    main()
