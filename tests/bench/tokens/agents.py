"""
How a client does what a task (tasks.py) says, for each kind of server. A task says what is done; these say with which calls, as a model does
that knows its tools:
  SnapshotAgent  looks at the page with browser_snapshot, before and after it acts
  FindAgent      the same with browser_find wherever it helps: for what it can name before it has seen the page (Target.told), and to see whether
                 an action has had its effect; where that does not show the element itself, it looks at the part of the page around it
  CompactAgent   reads the views and differences in the answers of its actions, and uses browser_batch, browser_read and browser_find where
                 the server lists them
"""
import re

from answers import Answer

FIELD_TYPES = {"fill": "textbox", "check": "checkbox", "choose": "radio", "select": "combobox"}


class Failed(Exception):
    """The task cannot go on."""


class Target:
    """
    What a person would say: the button "Approve" in the row of INV-0742. `role` may be several, joined by "|". `told`: whoever has the task knows
    these words, without having seen the page.
    """

    def __init__(self, role, name, near=None, told=False):
        self.role, self.name, self.near, self.told = role, name, near, told

    def __str__(self):
        return f'{self.role} "{self.name}"' + (f" near {self.near}" if self.near else "")


class Step:
    def __init__(self, verb, target, value=None, **more):
        self.verb, self.target, self.value, self.more = verb, target, value, more


class Look:
    """Between two steps: the page shows these words before the target of the next step is as it will be."""

    def __init__(self, words, *wanted):
        self.words, self.wanted = words, wanted


class Agent:
    def __init__(self, client):
        self.client = client
        self.tools = client.tools

    # What a task uses.

    def open(self, url, *wanted):
        """Goes to a page of which the targets `wanted` are needed next."""
        raise NotImplementedError

    def do(self, *steps):
        """Acts on targets that are all there."""
        raise NotImplementedError

    def expect(self, words, *wanted):
        """The page has to show the words now. `wanted` as for open()."""
        raise NotImplementedError

    def look_up(self, section, words, pattern):
        """What the first group of the pattern matches in a section of a long page; `words` are in its line."""
        raise NotImplementedError

    # What they have in common.

    def call(self, tool, **arguments):
        return Answer(self.client.call(tool, **arguments))

    def find_ref(self, target):
        raise NotImplementedError

    def field(self, step):
        value = {"check": "true", "choose": "true"}.get(step.verb, step.value)
        return {"name": step.target.name, "target": self.find_ref(step.target), "type": FIELD_TYPES[step.verb], "value": value}

    def calls_of(self, steps):
        """Steps as calls: [tool, arguments]. Several fields in a row are one form."""
        calls, fields = [], []

        def end_form():
            if fields:
                calls.append(["browser_fill_form", {"fields": list(fields)}])
                fields.clear()

        for step in steps:
            if step.verb in FIELD_TYPES:
                fields.append(self.field(step))
                continue
            end_form()
            if step.verb == "upload":
                calls.append(["browser_file_upload", {"paths": [step.value]}])
                continue
            arguments = {"element": step.target.name, "target": self.find_ref(step.target)}
            if step.verb == "type":
                calls.append(["browser_type", {**arguments, "text": step.value, **step.more}])
            else:
                calls.append(["browser_click", arguments])
        end_form()
        return calls


class SnapshotAgent(Agent):
    def __init__(self, client):
        super().__init__(client)
        self.seen = []  # of the page, the newest first
        self.is_current = False  # no action came after the first of these

    def call(self, tool, **arguments):
        answer = super().call(tool, **arguments)
        if answer.elements:
            self.seen.insert(0, answer)
            self.is_current = True
        return answer

    def look(self):
        self.call("browser_snapshot")

    def act(self, tool, **arguments):
        """An action, whose answer may show the page."""
        self.is_current = False
        self.call(tool, **arguments)

    def open(self, url, *wanted):
        self.seen.clear()
        self.act("browser_navigate", url=url)
        self.look_for(wanted)

    def look_for(self, wanted):
        if not self.is_current:
            self.look()

    def known(self, target):
        return next((found for answer in self.seen if (found := answer.find(target.role, target.name, target.near))), None)

    def find_ref(self, target):
        found = self.known(target)
        if not found:
            raise Failed(f"the page does not show {target}")
        return found.ref

    def do(self, *steps):
        """The reference renews the ref of an element whose name changes, so that it has to be looked for again."""
        at = next((i for i, step in enumerate(steps) if isinstance(step, Look)), len(steps))
        for tool, arguments in self.calls_of(steps[:at]):
            self.act(tool, **arguments)
        if at < len(steps):
            self.expect(steps[at].words, *steps[at].wanted)
            self.do(*steps[at + 1:])

    def expect(self, words, *wanted):
        self.check(words, wanted)
        if not self.shows(words):
            self.act("browser_wait_for", text=words)
            self.check(words, wanted)
        if not self.shows(words):
            raise Failed(f'the page does not say "{words}"')

    def check(self, words, wanted):
        self.look_for(wanted)

    def shows(self, words):
        return self.is_current and self.seen[0].has(words)

    def look_up(self, section, words, pattern):
        return self.matched(section, pattern, self.seen[0])

    @staticmethod
    def matched(section, pattern, answer):
        found = re.search(pattern, answer.text, re.S)
        if not found:
            raise Failed(f"the answer does not show {section}")
        return found[1]


class FindAgent(SnapshotAgent):
    def find(self, *words):
        if len(words) == 1:
            return self.call("browser_find", text=words[0])
        return self.call("browser_find", regex="|".join(re.sub(r"([?.()|])", r"\\\1", word) for word in words))

    def look_for(self, wanted):
        """One search for all that is needed, where all of it is known by name."""
        if not all(target.told for target in wanted):
            super().look_for(wanted)
            return
        if wanted:
            self.find(*dict.fromkeys(target.near or target.name for target in wanted))
        for target in wanted:
            if not self.known(target):
                self.look_closer(target)

    def look_closer(self, target):
        """A match has only three lines after it."""
        for role in ("row", "listitem"):
            ref = self.seen[0].ref_around(target.near or target.name, role) if self.seen else None
            if ref:
                self.call("browser_snapshot", target=ref)
                return
        self.look()

    def check(self, words, wanted):
        if any(not target.told for target in wanted):
            super().look_for(wanted)
            return
        self.find(words)
        self.look_for(wanted)

    def shows(self, words):
        return any(answer.has(words) for answer in self.seen[:2])

    def look_up(self, section, words, pattern):
        answer = self.find(words)
        if not re.search(pattern, answer.text, re.S):
            answer = self.call("browser_snapshot", target=answer.ref_around(words, "table"))
        return self.matched(section, pattern, answer)


class CompactAgent(Agent):
    def __init__(self, client):
        super().__init__(client)
        self.answers = []  # of the page, the newest first

    def call(self, tool, **arguments):
        answer = super().call(tool, **arguments)
        self.answers.insert(0, answer)
        return answer

    def open(self, url, *wanted):
        self.answers.clear()
        answer = self.call("browser_navigate", url=url)
        if not answer.elements:
            self.call("browser_snapshot")

    def known(self, target):
        return next((found for answer in self.answers if (found := answer.find(target.role, target.name, target.near))), None)

    def find_ref(self, target):
        found = self.known(target)
        if not found and "browser_find" in self.tools:
            self.call("browser_find", text=target.near or target.name)
            found = self.known(target)
        if not found:
            self.call("browser_snapshot")
            found = self.known(target)
        if not found:
            raise Failed(f"the page does not show {target}")
        return found.ref

    def do(self, *steps):
        calls = self.calls_of([step for step in steps if not isinstance(step, Look)])
        if len(calls) > 1 and "browser_batch" in self.tools:
            self.call("browser_batch", steps=[{"tool": tool, **arguments} for tool, arguments in calls])
            return
        for tool, arguments in calls:
            self.call(tool, **arguments)

    def expect(self, words, *wanted):
        if self.answers[0].has(words) or self.finds(words):
            return
        self.call("browser_wait_for", text=words)
        if not self.answers[0].has(words) and not self.finds(words):
            raise Failed(f'the page does not say "{words}"')

    def finds(self, words):
        answer = self.call("browser_find", text=words)
        return answer.has(words) and not re.search(r"\bno match", answer.text, re.I)

    def look_up(self, section, words, pattern):
        if "browser_read" in self.tools:
            answer = self.call("browser_read", section=section)
        else:
            answer = self.call("browser_find", text=words)
        return SnapshotAgent.matched(section, pattern, answer)
