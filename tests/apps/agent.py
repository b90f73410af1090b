"""An agent that works with browser_* tools as a model does: it looks at a snapshot, takes a ref from it and acts on that."""
import json
import re
import time

from support.client import PATIENCE

LINE = re.compile(r"""( *)- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?(.*)""")


class Element:
    """A line of a snapshot."""

    def __init__(self, line, match):
        self.line, self.depth, self.role = line, len(match[1]), match[2]
        self.name = re.sub(r"\\(.)", r"\1", match[3] or "")
        rest = match[4]
        ref = re.search(r"\[ref=(\w+)\]", rest)
        self.ref, self.inside = ref and ref[1], []
        text = rest.partition("]: " if "]: " in rest else ": ")[2]
        self.disabled = "[disabled]" in rest.partition(": ")[0]
        self.text = json.loads(text) if re.fullmatch(r'"(?:[^"\\]|\\["\\nt])*"', text) else text

    def fits(self, role, name):
        return self.role == role and (name is None or bool(name.fullmatch(self.name) if isinstance(name, re.Pattern) else name == self.name))


class Agent:
    """`client` is at the server under test. Counts the calls, the bytes of their answers, their time, and how often it looked again."""

    def __init__(self, client, name):
        self.client, self.name = client, name
        self.reset()

    def reset(self):
        self.calls = self.bytes = self.repeats = 0
        self.seconds = 0.0

    def ask(self, tool, **arguments):
        """The text of an answer, whatever it says."""
        start = time.monotonic()
        result = self.client.start_call("browser_" + tool, arguments).result()
        self.seconds += time.monotonic() - start
        text = "".join(item.get("text", "") for item in result["content"])
        self.calls += 1
        self.bytes += len(text.encode())
        return text

    def call(self, tool, **arguments):
        """The text of an answer that must be no error."""
        text = self.ask(tool, **arguments)
        assert not text.startswith("### Error"), f"browser_{tool} {arguments}: {text}\n{self.ask('snapshot')}"
        return text

    def snapshot(self):
        return self.call("snapshot")

    def see(self, wanted):
        """
        What `wanted` finds in a snapshot. A page that waits for its server is looked at again: a settled answer does not promise that
        everything has come.
        """
        end = time.monotonic() + PATIENCE
        while True:
            text = self.snapshot()
            found = wanted(text)
            if found:
                return found
            assert time.monotonic() < end, f"what was looked for did not come:\n{text}"
            self.repeats += 1

    def find(self, role, name=None, within=None, nth=0):
        """The element with that role and name (text or pattern), in the first element that fits `within`, a pair of the same kind."""
        def wanted(text):
            found = [e for e in select(elements(text), within) if e.ref and e.fits(role, name)]
            return found[nth] if -len(found) <= nth < len(found) else None
        return self.see(wanted)

    def see_text(self, text):
        self.see(lambda snapshot: text in snapshot)

    def act(self, tool, role, name=None, within=None, nth=0, **arguments):
        element = self.find(role, name, within, nth)
        return self.call(tool, element=f"{role} {element.name}", target=element.ref, **arguments)

    def click(self, role, name=None, within=None, nth=0, **arguments):
        return self.act("click", role, name, within, nth, **arguments)

    def type(self, role, name, text, within=None, nth=0, **arguments):
        return self.act("type", role, name, within, nth, text=text, **arguments)

    def press(self, *keys):
        for key in keys:
            self.call("press_key", key=key)

    def go(self, url):
        return self.call("navigate", url=url)


def elements(text):
    """
    The elements of a snapshot. One without a name is known by the text in it. One without a ref has the ref of its parent, as an agent
    would click there, unless it is disabled: an agent waits for that.
    """
    found, above = [], []
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        element = Element(line, match)
        above = [e for e in above if e.depth < element.depth]
        for outer in above:
            outer.inside.append(element.name or element.text)
        if not element.ref and above and not element.disabled:
            element.ref = above[-1].ref
        above.append(element)
        found.append(element)
    for element in found:
        element.name = element.name or element.text or " ".join(filter(None, element.inside))
    return found


def select(found, within):
    """The elements below the first that fits; all where nothing is asked for."""
    if not within:
        return found
    start = next((i for i, e in enumerate(found) if e.fits(*within)), None)
    if start is None:
        return []
    end = next((i for i in range(start + 1, len(found)) if found[i].depth <= found[start].depth), len(found))
    return found[start + 1:end]
