"""Answers of tools that have no form of their own for agents: in the compact form they are as short as all others, and nothing is lost."""
import json
import re

from support.answers import text_of
from support.case import main
from support.client import Client
from support.compact import ANSWER, LINES, CompactCase, size
from support.over_http import OverHttp

REST = re.compile(r"^… [\d,]+ more bytes, cursor (a\d+)$", re.MULTILINE)
FENCE = re.compile(r"\A(`{3,})\n(.*)\n\1(?:\n|\Z)", re.DOTALL)


class Rest:
    args = ("--answers", "compact", "--timeout-action", "10000", "--caps", "observe")

    def result(self, tool, **arguments):
        """The answer, each text of which is short enough together with the others."""
        result = self.client.start_call(tool, arguments).result()
        self.assertLessEqual(size(text_of(result)), ANSWER + 10, tool)
        self.assertLessEqual(text_of(result).count("\n") + 1, LINES, tool)
        return result

    def whole(self, result):
        """What the text of an answer and the cursors in it say."""
        texts = [item["text"] for item in result["content"]]
        text, (cursor,) = texts[0], REST.findall(texts[-1])
        while cursor:
            answer = self.view(cursor=cursor)
            text += FENCE.match(answer)[2].removeprefix("…")
            cursor = next(iter(REST.findall(answer)), None)
        return text

    def session(self):
        ident = self.client.call("create_session")["sessionId"]
        self.addCleanup(self.client.call, "close_session", sessionId=ident)
        return ident

    def test_a_long_value(self):
        ident = self.session()
        expression = "Array.from({ length: 3000 }, (none, i) => `value ${i}`)"
        result = self.result("evaluate", sessionId=ident, expression=expression)
        expected = [f"value {i}" for i in range(3000)]
        self.assertEqual(result["structuredContent"]["value"], expected)
        self.assertEqual(json.loads(self.whole(result)), result["structuredContent"])

    def test_events(self):
        ident = self.session()
        self.client.call("navigate", sessionId=ident, url=self.site.page("<p>Page"))
        target = self.client.call("cdp_list_targets")["targets"][0]["id"]
        self.client.call("cdp_observe", targetId=target)
        self.client.call("evaluate", sessionId=ident, expression="for (let i = 0; i < 300; i++) console.log(`message ${i} ` + 'x'.repeat(50))")
        result = self.result("cdp_read_events", targetId=target)
        self.assertGreater(len(result["structuredContent"]["events"]), 100)
        self.assertEqual(json.loads(self.whole(result)), result["structuredContent"])

    def test_a_failure(self):
        ident = self.session()
        result = self.result("evaluate", sessionId=ident, expression=f"throw new Error('{'long ' * 4000}')")
        self.assertTrue(result["isError"])
        self.assertEqual(result["structuredContent"]["errorCode"], "BROWSER_ERROR")
        self.assertEqual(json.loads(self.whole(result)), result["structuredContent"])

    def test_short_ones_are_whole(self):
        result = self.result("evaluate", sessionId=self.session(), expression="'x'.repeat(8000)")
        self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])

    def test_wrong_names(self):
        self.assertRegex(self.view(cursor="a0"), "^Error: cursor: no answer of this session had a0")
        self.assertRegex(self.view(cursor="a4711"), "^Error: cursor: no answer of this session had a4711")


class OverStdio(Rest, CompactCase):
    client_class = Client

    def test_the_other_form_is_as_long_as_it_is(self):
        client = self.start("--answers", "playwright")
        ident = client.call("create_session")["sessionId"]
        text = text_of(client.start_call("evaluate", {"sessionId": ident, "expression": "'x'.repeat(20000)"}).result())
        self.assertIn("x" * 20000, text)


class Http(Rest, CompactCase):
    client_class = OverHttp


if __name__ == "__main__":
    main()
