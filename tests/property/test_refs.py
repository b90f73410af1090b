"""Refs of the compact form: what can be acted on in the form of @playwright/mcp has the same ref there, and it is the same element."""
import random
import re

from support.answers import text_of
from support.case import BrowserdCase, main
from support.compact import bare, cursors, refs
from support.generate import CASES, for_all

ACTIONABLE = ("button link textbox searchbox checkbox radio combobox option slider spinbutton switch tab menuitem menuitemcheckbox "
              "menuitemradio treeitem listbox iframe").split()
PRESSED = re.compile(rf"(?:clickable|{'|'.join(ACTIONABLE)})(?: \"\")? ((?:f\d+)?e\d+)|((?:f\d+)?e\d+)(?: [a-z]+)* clickable")
WORDS = ("Save", "Open", "e5", "user list", "Delete | now", "x: y", "1,204", "r7", "cursor c3", "button", "größer", "雪", "")
# Says which element it is, through shadow roots, without changing it.
PATH = """element => { const path = [];
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host ?? null)
        path.unshift(at.localName + [...(at.parentElement ?? at.getRootNode()).children].indexOf(at));
    return path.join('>') + '/' + location.pathname + location.host }"""


class Generator:
    """HTML from one number."""

    def __init__(self, number):
        self.chance = random.Random(number)

    def word(self):
        return self.chance.choice(WORDS)

    def leaf(self):
        word = self.word()
        return self.chance.choice((
            f"<button>{word}</button>", f"<button aria-label='{word}'><i>+</i></button>", f"<button disabled>{word}</button>", f"<a href=/>{word}</a>",
            f"<a href=/x><img alt='{word}'></a>", "<a href=/y></a>", f"<input aria-label='{word}' value='{word}'>", f"<label>{word} <input type=checkbox></label>",
            f"<label><input type=radio name=r>{word}</label>", f"<select aria-label='{word}'><option>a<option>{word}</select>", "<textarea></textarea>",
            f"<div role=button tabindex=0>{word}<b>b</b></div>", f"<div onclick='0' style='cursor: pointer'>{word} x</div>", "<input type=range>",
            f"<span style='cursor: pointer' onclick='0'>{word} <i>y</i></span>", f"<details><summary>{word} z</summary>in it</details>", "<input type=number>",
            f"<div contenteditable>{word}</div>", f"<div role=switch aria-checked=true tabindex=0>{word}</div>", f"<p>{word} text</p>", f"<h3>{word} t</h3>",
            f"<ul role=tree><li role=treeitem tabindex=0>{word}<ul role=group><li role=treeitem>in it</ul></ul>", f"text {word}", f"<b>{word}</b>",
            f"<div role=tablist><div role=tab tabindex=0>{word}</div><div role=tab>two</div></div>", "<input type=search placeholder=find>",
            f"<ul role=menu><li role=menuitem tabindex=0>{word}<li role=menuitemcheckbox>c</ul>", "<img alt=picture onclick=0 style='cursor: pointer'>",
            f"<select multiple><option>{word}<option selected>m</select>", "<a href=/z><h4>heading</h4><p>and text</p><button>in a link</button></a>"))

    def group(self, depth):
        inner = "".join(self.node(depth + 1) for _ in range(self.chance.randint(1, 5)))
        word = self.word()
        return self.chance.choice((
            f"<div>{inner}</div>", f"<section aria-label='{word}'>{inner}</section>", f"<ul><li>{inner}<li>{self.leaf()}</ul>", f"<main>{inner}</main>",
            f"<table><tr><th>{word}<th>b<tr><td>{inner}<td>{self.leaf()}</table>", f"<nav aria-label='{word}'>{inner}</nav>", f"<p>{self.leaf()} and {self.leaf()}</p>",
            f"<div role=dialog aria-label='{word}'>{inner}</div>", f"<fieldset><legend>{word}</legend>{inner}</fieldset>", f"<article>{inner}</article>",
            f"<div role=alert>{inner}</div>", f"<div class=closed>{inner}</div>", f"<div class=open>{inner}</div>", f"<form>{inner}</form>",
            f"<div role=group aria-label='{word}'>{inner}</div>", f"<dl><dt>{word}<dd>{inner}</dl>", f"<blockquote>{inner}</blockquote>",
            f"<div style='cursor: pointer' onclick='0'>{inner}</div>", f"<div aria-hidden=true>{inner}</div>", f"<template>{inner}</template>",
            f"<iframe srcdoc=\"{inner.replace(chr(34), chr(39))}\"></iframe>" if depth < 2 else inner))

    def node(self, depth=0):
        return self.leaf() if depth > 3 or self.chance.random() < 0.55 else self.group(depth)

    def page(self):
        return "".join(self.node() for _ in range(6)) + """<script>for (const host of document.querySelectorAll('.open, .closed')) {
            const root = host.attachShadow({ mode: host.className }); root.innerHTML = '<slot></slot><button>in the root</button>' }</script>"""


class Refs(BrowserdCase):
    def setUp(self):
        self.site = self.pages()
        self.compact, self.old = (self.start("--answers", form, "--timeout-action", "20000") for form in ("compact", "playwright"))

    def ask(self, client, tool, **arguments):
        return text_of(client.start_call(tool, arguments).result())

    def whole(self):
        """The view with all that its cursors lead to."""
        texts, waiting = [], [self.ask(self.compact, "browser_snapshot", budget=8000)]
        while waiting:
            texts.append(waiting.pop())
            waiting += [self.ask(self.compact, "browser_snapshot", cursor=cursor) for cursor in cursors(texts[-1])]
        return "\n".join(texts)

    def path(self, client, ref):
        return self.ask(client, "browser_evaluate", target=ref, function=PATH).removeprefix("### Result\n").split("\n")[0]

    def place(self, client, ref):
        """The path of the element, and where its document is."""
        path, _, document = self.path(client, ref).strip('"').partition("/")
        return path, document

    def is_in_or_around_pressed(self, ref, view):
        """
        Whether the element is in one that the view says can be pressed. The old form leaves out a group with a single child, and shows the
        pointer at that. Or whether such a one, which can be edited, is all that it has: the old form has no role for that, and shows its text.
        """
        path, document = self.place(self.old, ref)
        pressed = [self.place(self.compact, other) for pair in PRESSED.findall(bare(view)) for other in pair if other]
        others = [other for other, where in pressed if where == document]
        if any(path.startswith(other + ">") for other in others):
            return True
        is_field = self.ask(self.old, "browser_evaluate", target=ref, function="""element => {
            const field = element.querySelector('[contenteditable]'); return !!field && field.textContent.trim() === element.textContent.trim() }""")
        return "true" in is_field and any(other.startswith(path + ">") for other in others)

    def test_actionable_refs_are_the_same(self):
        def check(number):
            frame = self.site.page("".join(Generator(number + 1).leaf() for _ in range(4))).replace("127.0.0.1", "localhost")
            url = self.site.page(Generator(number).page() + f"<iframe src={frame}></iframe>")
            for client in (self.compact, self.old):
                self.ask(client, "browser_navigate", url=url)
            rows = re.findall(r"^ *- '?(\w+)(.*)", self.ask(self.old, "browser_snapshot"), re.M)
            wanted = {re.search(r"\[ref=(\w+)\]", row)[1]: role for role, row in rows
                      if "[ref=" in row and (role in ACTIONABLE or "[cursor=pointer]" in row or "[clickable]" in row)}
            view = self.whole()
            shown = set(refs(view))
            missing = {ref: role for ref, role in wanted.items() if ref not in shown and
                       (role in ACTIONABLE or not self.is_in_or_around_pressed(ref, view))}
            wanted = {ref: role for ref, role in wanted.items() if ref in shown}
            self.assertFalse(missing, f"{view}\n\n{rows}")
            for ref in wanted:
                answers = [self.path(client, ref) for client in (self.compact, self.old)]
                self.assertEqual(*answers, ref)
                self.assertNotIn("Error", answers[0])
        for_all(lambda chance: chance.randrange(1 << 32), check, cases=max(2, CASES // 4), valid=lambda number: False)


if __name__ == "__main__":
    main()
