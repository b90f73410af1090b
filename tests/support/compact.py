"""Tests of answers in the compact form (docs/answers.md)."""
import re

from support.answers import text_of
from support.case import SharedCase

VIEW = 4300  # bytes of a view and its first line, the default budget being 4,096
ANSWER, LINES = 9000, 240  # of any answer
REF = re.compile(r"(?<![\w-])(?:f\d+)?e\d+(?!\w)")
CURSOR = re.compile(r"… .*cursor (c\d+)")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def size(text):
    return len(text.encode())


def bare(text):
    """The text without what is in quotes: what remains is notation, or text of a page that cannot be mistaken for it."""
    return QUOTED.sub('""', text)


def refs(text):
    """Refs that a reader finds in an answer."""
    return REF.findall(bare(text))


def ref_of(text, label):
    """The ref behind `role "name"`."""
    return re.search(re.escape(label) + r" ((?:f\d+)?e\d+)", text)[1]


def cursors(text):
    return CURSOR.findall(text)


class CompactCase(SharedCase):
    args = ("--answers", "compact", "--timeout-action", "10000")

    def setUp(self):
        self.addCleanup(self.ask, "browser_close")

    def show(self, body, **more):
        """The answer of browser_navigate to a new page."""
        return self.ask("browser_navigate", url=self.site.page(body, **more))

    def view(self, **arguments):
        return self.ask("browser_snapshot", **arguments)

    def click(self, target, **more):
        return self.ask("browser_click", target=target, **more)

    def ask(self, tool, **arguments):
        """Every answer is short enough for clients that cut long ones in the middle."""
        text = text_of(self.client.start_call(tool, arguments).result())
        self.assertLessEqual(size(text), ANSWER, tool)
        self.assertLessEqual(text.count("\n") + 1, LINES, tool)
        return text

    def follow(self, text, **arguments):
        """All texts that the cursors of an answer lead to, in their order, with its own."""
        texts, waiting = [text], cursors(text)
        while waiting:
            self.assertLess(len(texts), 1000)
            answer = self.view(cursor=waiting.pop(0), **arguments)
            self.assertNotIn("Error:", answer.split(" ")[0])
            texts.append(answer)
            waiting = cursors(answer) + waiting
        return texts
