"""Property 10: roles, names and states in snapshots are those of Chromium's own accessibility tree, for any page."""
import random
import re

from support.case import BrowserdCase, main
from support.generate import CASES, for_all

WORDS = ("save", "open", "user", "list", "mail", "east", "red", "blue", "total", "name")
# Chromium's names of roles that have others in WAI-ARIA. Empty: it is not shown, what is in it is.
ROLES = {"image": "img", "DisclosureTriangle": "", "DisclosureTriangleGrouped": "", "Details": "group", "LabelText": "", "Legend": "",
         "ComboBoxSelect": "combobox", "MenuListOption": "option", "MenuListPopup": "", "ListBoxOption": "option",
         "progressIndicator": "progressbar", "StaticText": "", "InlineTextBox": "", "generic": "", "none": "",
         "RootWebArea": "", "LineBreak": "", "ListMarker": "", "Figcaption": "", "splitter": "separator", "presentation": "",
         "rowgroup": ""}  # Chromium leaves out the one that follows a head
STATES = ("checked", "disabled", "expanded", "level", "pressed", "selected")


class Generator:
    """HTML from one number."""

    def __init__(self, number):
        self.chance = random.Random(number)
        self.number = number

    def word(self):
        return self.chance.choice(WORDS)

    def words(self):
        return " ".join(self.word() for _ in range(self.chance.randint(1, 3)))

    def flag(self, *names):
        return "".join(f" {name}" for name in names if self.chance.random() < 0.4)

    def state(self, name, *values):
        return f' {name}="{self.chance.choice(values)}"' if self.chance.random() < 0.6 else ""

    def named(self, tag, attributes="", closed=True):
        """An element with a name from one of its sources."""
        ident, text = f"i{self.number}", self.words()
        way = self.chance.randrange(4 if closed else 3)
        end = f"</{tag}>" if closed else ""
        inner = self.word() if closed and self.chance.random() < 0.3 else ""
        if way == 0:
            return f'<{tag}{attributes} aria-label="{text}">{inner}{end}'
        if way == 1:
            return f'<span id={ident}>{text}</span><{tag}{attributes} aria-labelledby={ident}>{inner}{end}'
        if way == 2:
            return f'<{tag}{attributes} title="{text}">{end}'
        return f'<{tag}{attributes}>{text}{end}'

    def labelled(self, control):
        ident, text = f"c{self.number}", self.words()
        return self.chance.choice((f"<label>{text} <{control}></label>", f"<label for={ident}>{text}</label><{control} id={ident}>",
                                   f'<{control} aria-label="{text}">', f'<{control} title="{text}">'))

    def button(self):
        return self.named("button", self.state("aria-pressed", "true", "false", "mixed") + self.flag("disabled"))

    def role_button(self):
        return self.named("div", " role=button" + self.state("aria-expanded", "true", "false") + self.state("aria-disabled", "true", "false"))

    def checkbox(self):
        return self.labelled("input type=checkbox" + self.flag("checked", "disabled"))

    def radio(self):
        return self.labelled("input type=radio" + self.flag("checked"))

    def switch(self):
        return self.named("span", " role=switch" + self.state("aria-checked", "true", "false"))

    def aria_checkbox(self):
        return self.named("div", " role=checkbox" + self.state("aria-checked", "true", "false", "mixed"))

    def link(self):
        return self.named("a", " href=#x")

    def heading(self):
        return self.named(f"h{self.chance.randint(1, 6)}", "")

    def aria_heading(self):
        return self.named("div", f" role=heading aria-level={self.chance.randint(1, 9)}")

    def field(self):
        return self.labelled("input type=" + self.chance.choice(("text", "search", "email", "number", "range")) + self.flag("disabled"))

    def select(self):
        options = "".join(f"<option{self.flag('selected')}>{self.word()}{i}</option>" for i in range(2))
        return f'<select aria-label="{self.words()}"{self.flag("multiple")}>{options}</select>'

    def items(self):
        tag = self.chance.choice(("ul", "ol"))
        return f"<{tag}>" + "".join(f"<li>{self.words()}</li>" for _ in range(self.chance.randint(1, 3))) + f"</{tag}>"

    def image(self):
        return f'<img alt="{self.words()}" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=9 height=9>'

    def table(self):
        rows = "".join(f"<tr><th>{self.word()}</th><td>{self.words()}</td></tr>" for _ in range(2))
        return f"<table><caption>{self.words()}</caption><thead><tr><th>{self.word()}</th><th>{self.word()}</th></tr></thead><tbody>{rows}</tbody></table>"

    def landmark(self):
        tag = self.chance.choice(("nav", "main", "aside", "section", "article", "form"))
        return f'<{tag} aria-label="{self.words()}">{self.button()}</{tag}>'

    def group(self):
        return f"<fieldset{self.flag('disabled')}><legend>{self.words()}</legend>{self.button()}</fieldset>"

    def tabs(self):
        tabs = "".join(f"<div role=tab{self.state('aria-selected', 'true', 'false')}>{self.words()}</div>" for _ in range(2))
        return f'<div role=tablist aria-label="{self.words()}">{tabs}</div><div role=tabpanel aria-label="{self.words()}">{self.link()}</div>'

    def menu(self):
        return (f'<div role=menu aria-label="{self.words()}"><div role=menuitem>{self.words()}</div>'
                f"<div role=menuitemcheckbox{self.state('aria-checked', 'true', 'false')}>{self.words()}</div></div>")

    def tree(self):
        return (f'<div role=tree aria-label="{self.words()}"><div role=treeitem{self.state("aria-expanded", "true", "false")}'
                f'{self.state("aria-selected", "true", "false")}>{self.words()}</div></div>')

    def listbox(self):
        return (f'<div role=listbox aria-label="{self.words()}"><div role=option aria-selected=true>{self.words()}</div>'
                f"<div role=option{self.flag('aria-disabled=true')}>{self.words()}</div></div>")

    def dialog(self):
        return f'<dialog open aria-label="{self.words()}">{self.button()}</dialog>'

    def live(self):
        return f'<div role={self.chance.choice(("alert", "status", "log", "timer"))} aria-label="{self.words()}">{self.words()}</div>'

    def gauge(self):
        return f'<div role={self.chance.choice(("progressbar", "meter"))} aria-valuenow=3 aria-label="{self.words()}"></div>'

    def hidden(self):
        how = self.chance.choice(("hidden", 'style="display: none"', 'style="visibility: hidden"'))
        return f"<div {how}>{self.button()}{self.heading()}</div>"

    def presentational(self):
        return f"<ul role=presentation><li>{self.link()}</li></ul>"

    def slotted(self):
        return f"<x-host>{self.button()}<i slot=two>{self.link()}</i></x-host>"

    def wrapped(self):
        style = self.chance.choice(("", ' style="display: contents"', ' style="opacity: 0"', ' dir=rtl'))
        return f"<div{style}>{self.element()}</div>"

    def element(self):
        return getattr(self, self.chance.choice(KINDS))()


KINDS = ("button", "role_button", "checkbox", "radio", "switch", "aria_checkbox", "link", "heading", "aria_heading", "field", "select",
         "items", "image", "table", "landmark", "group", "tabs", "menu", "tree", "listbox", "dialog", "live", "gauge", "hidden",
         "presentational", "slotted", "wrapped")
SCRIPT = ("<script>for (const host of document.querySelectorAll('x-host')) host.attachShadow({ mode: 'open' }).innerHTML = "
          "'<h2>shadow</h2><slot name=two></slot><section><slot></slot></section>';</script>")


def chromium_says(nodes):
    """[(role, name, states)] in the order of the document."""
    by_id = {node["nodeId"]: node for node in nodes}
    described = []

    def tell(node):
        role = node.get("role", {}).get("value", "")
        shown = "" if node.get("ignored") else ROLES.get(role, role)
        if shown:
            states = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
            described.append((shown, node.get("name", {}).get("value", ""), states))
        if shown not in ("textbox", "searchbox", "spinbutton", "slider", "img"):
            for child in node.get("childIds", []):
                if child in by_id:
                    tell(by_id[child])
    tell(nodes[0])
    return described


LINE = re.compile(r"^\s*- '?([a-z]+)(?: \"((?:[^\"\\]|\\.)*)\")?((?: \[[^\]]*\])*)")


def snapshot_says(snapshot):
    described = []
    for line in snapshot.split("\n"):
        found = LINE.match(line)
        if found and found[1] not in ("generic", "text", "rowgroup"):
            states = dict(re.findall(r"\[(\w+)(?:=(\w+))?\]", found[3]))
            described.append((found[1], found[2] or "", states))
    return described


def state_of(role, state, value):
    """As a snapshot shows it, None: not at all."""
    if state == "level" and role != "heading":  # Chromium counts how deep an item lies
        return None
    return {"true": "", "True": "", "false": None, "False": None, "None": None}.get(str(value), str(value))


class Aria(BrowserdCase):
    def setUp(self):
        self.client = self.start_open()
        self.site = self.pages()
        self.client.start_call("browser_navigate", {"url": "about:blank"}).result()
        self.chromium = self.devtools(self.client)
        self.session = self.chromium.attach("about:blank")

    def snapshot(self, body):
        self.client.start_call("browser_navigate", {"url": self.site.page(body)}).result()
        text = self.client.start_call("browser_snapshot").result()["content"][0]["text"]
        return re.search(r"```yaml\n(.*)\n```", text, re.S)[1]

    def check(self, numbers):
        body = "\n".join(Generator(number).element() for number in numbers) + SCRIPT
        snapshot = self.snapshot(body)
        ours = snapshot_says(snapshot)
        theirs = chromium_says(self.chromium.call("Accessibility.getFullAXTree", self.session)["nodes"])
        context = f"\n{body}\n{snapshot}"
        self.assertEqual([role for role, *_ in ours], [role for role, *_ in theirs], context)
        for (role, name, states), (_, their_name, their_states) in zip(ours, theirs):
            if name:  # one that the contents repeat is left out
                self.assertEqual(name, their_name.strip(), f"{role}{context}")
            for state in STATES:
                self.assertEqual(states.get(state), state_of(role, state, their_states.get(state)), f"{state} of {role} {name}{context}")

    def test_10_snapshots_are_the_accessibility_tree(self):
        for_all(lambda chance: [chance.randrange(1 << 30) for _ in range(chance.randint(1, 25))], self.check, max(1, CASES // 4))


if __name__ == "__main__":
    main()
