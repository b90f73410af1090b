"""
Answers as a client reads them: the elements that have a ref, in the notation of @playwright/mcp (`- button "Save" [ref=e12]`) or in the short one
(`button "Save" e12`), found by what both have: a role, a name or text, a ref, and what is around them.
"""
import json
import re

ELEMENT = re.compile(r"""(?<![\w"/.-])(?P<role>[a-z][a-z0-9]+)(?:\ (?P<name>"(?:[^"\\]|\\.)*"))?(?P<before>(?:\ \[(?!ref=)[^\]]*\])*)\ (?:\[ref=(?P<old>(?:f\d+)?e\d+)\]|"""
                     r"""(?P<new>(?:f\d+)?e\d+)(?![\w"]))(?:\ \[[^\]]*\]|\ [a-z]+(?![\w"]))*""", re.X)
MARK = re.compile(r"^(?:[~+] )?( *)(?:- )?")
COLLECTION = re.compile(r"^(?:[~+] )? *(?:- )?(?:rowgroup|table|grid|list|listbox|feed|main|navigation)\b")
HEADING = re.compile(r"^ *(?:- )?(?:row|listitem|heading|h[1-6])\b")


def letters_of(text):
    """Without what notations put between the parts of a name."""
    return " ".join(re.findall(r"\w+", text.lower()))


class Element:
    def __init__(self, match, line):
        self.role, self.ref, self.line, self.column = match["role"], match["old"] or match["new"], line, match.start()
        self.name = json.loads(match["name"]) if match["name"] else ""
        self.text = match.string[match.end():]  # what follows on the line; the content where it is the name

    def is_called(self, name):
        return letters_of(self.name or self.text).startswith(letters_of(name))


class Answer:
    """The text of an answer, by lines."""

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        is_old = "[ref=" in text or "```yaml" in text
        self.levels, self.elements = [], []
        for at, line in enumerate(self.lines):
            self.levels.append(len(MARK.match(line)[1]))
            if is_old or not line.startswith("- "):  # in the short notation these have gone
                self.elements += [Element(match, at) for match in ELEMENT.finditer(line.replace("''", "'"))]

    def end_of(self, line):
        """The line after those that are inside of this one."""
        end = line + 1
        while end < len(self.lines) and self.levels[end] > self.levels[line]:
            end += 1
        return end

    def above(self, line):
        """The line that this one is inside of; -1 at the top."""
        at = line - 1
        while at >= 0 and self.levels[at] >= self.levels[line]:
            at -= 1
        return at

    def find(self, role, name, near=None):
        """The element of a role with a name, the next one to the text `near` if that is given; None."""
        fitting = [element for element in self.elements if element.role in role.split("|") and element.is_called(name)]
        if near is None:
            return fitting[0] if fitting else None
        for at, line in enumerate(self.lines):
            column = line.lower().find(near.lower())
            found = self.next_to(fitting, at, column) if column >= 0 else None
            if found:
                return found
        return None

    def next_to(self, fitting, line, column):
        """In the smallest container of the place that has such an element, the first one from there on; another row or item has none of it."""
        def is_behind(element):
            return element.line > line or element.line == line and element.column >= column

        start = line
        while start >= 0 and (start == line or not COLLECTION.match(self.lines[start])):
            inside = [element for element in fitting if start <= element.line < self.end_of(start)]
            if inside:
                return next(filter(is_behind, inside), inside[0])
            start = self.above(start)
        following = [element for element in fitting if line < element.line < self.end_of(max(start, 0))]
        return following[0] if following and not any(HEADING.match(between) for between in self.lines[line + 1:following[0].line]) else None

    def ref_around(self, near, role):
        """The ref of the nearest element of that role on the line of the text, or around it; None."""
        for at, line in enumerate(self.lines):
            if near.lower() not in line.lower():
                continue
            while at >= 0:
                found = [element for element in self.elements if element.line == at and element.role == role]
                if found:
                    return found[0].ref
                at = self.above(at)
        return None

    def has(self, words):
        return words.lower() in self.text.lower()
