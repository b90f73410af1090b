"""Captures that take pieces over from the one before are those of a page that is read anew, whatever has changed in between."""
import random
import re

from support.answers import text_of
from support.case import BrowserdCase, main
from support.compact import cursors
from support.generate import CASES, for_all

STEPS = 14  # changes of each page
LEVELS = 100  # a view with a depth takes nothing over
TRIES = 3

STYLE = """<style>
.gone { display: none } .unseen { visibility: hidden } .flat { width: 0; height: 0; overflow: hidden } .still { pointer-events: none } .hand { cursor: pointer }
.quote::before { content: 'said ' } .block { display: block } .contents { display: contents } .none { transform: scale(0) } .box { width: 30px; height: 20px }
.host:has(.flag) .later { display: none } .flag + * { visibility: hidden } .flag ~ .hand { cursor: default } .near:hover .box { display: none }
.near:focus-within b { display: none } :root.dark .later { pointer-events: none } .narrow { container-type: inline-size; width: 300px }
@container (max-width: 100px) { .later { display: none } } @media (max-width: 500px) { .later { visibility: hidden } }
@keyframes fade { from { visibility: hidden } to { visibility: hidden } } .faded { animation: fade 1000s }
</style>"""

# Each gets a random element, another one and a number; `all` are the elements of the page and its shadow roots.
CHANGES = """
    const CHANGES = {
        text: (e, o, n) => { e.textContent = 'text ' + n },
        data: (e, o, n) => { for (const c of e.childNodes) if (c.nodeType === 3) c.data = 'data ' + n },
        append: (e, o, n) => e.append(Object.assign(document.createElement(['p', 'b', 'button', 'li', 'h3', 'label'][n % 6]), { textContent: 'new ' + n })),
        html: (e, o, n) => { e.innerHTML = '<ul><li>one <b>' + n + '</b><li><a href=/x>two</a><li><button>three</button></ul>' },
        remove: e => e.remove(),
        move: (e, o) => { if (!e.contains(o)) e.append(o) },
        before: (e, o) => { if (!o.contains(e)) e.before(o) },
        hide: e => e.classList.toggle('gone'), unsee: e => e.classList.toggle('unseen'), flatten: e => e.classList.toggle('flat'),
        still: e => e.classList.toggle('still'), hand: e => e.classList.toggle('hand'), quote: e => e.classList.toggle('quote'),
        contents: e => e.classList.toggle('contents'), block: e => e.classList.toggle('block'), shrink: e => e.classList.toggle('none'),
        flag: e => e.classList.toggle('flag'), later: e => e.classList.toggle('later'), near: e => e.classList.toggle('near'),
        dark: () => document.documentElement.classList.toggle('dark'), narrow: e => e.classList.toggle('narrow'),
        narrower: e => { e.style.width = e.style.width ? '' : '60px' }, faded: e => e.classList.toggle('faded'),
        rule: (e, o, n) => document.styleSheets[0].insertRule([`${e.localName} { visibility: hidden }`, `${e.localName}::after { content: 'x${n}' }`,
            `${e.localName} b { display: none }`, '.later { cursor: pointer }'][n % 4]),
        unrule: () => { const s = document.styleSheets[0]; if (s.cssRules.length > 18) s.deleteRule(0) },
        rules: (e, o, n) => { document.styleSheets[0].cssRules[n % 9].style.display = n % 2 ? 'none' : '' },
        adopt: (e, o, n) => { const s = new CSSStyleSheet(); s.replaceSync(`${e.localName} { ${n % 2 ? 'opacity: .5' : 'visibility: hidden'} }`);
            document.adoptedStyleSheets = document.adoptedStyleSheets.length ? [] : [s] },
        role: (e, o, n) => e.setAttribute('role', ['button', 'none', 'list', 'row', 'link', 'group', 'alert', 'presentation'][n % 8]),
        name: (e, o, n) => e.setAttribute('aria-label', 'name ' + n), unname: e => e.removeAttribute('aria-label'),
        title: (e, o, n) => { e.title = 'title ' + n }, href: (e, o, n) => n % 2 ? e.setAttribute('href', '/h' + n) : e.removeAttribute('href'),
        hidden: (e, o, n) => e.setAttribute('aria-hidden', n % 2 ? 'true' : 'false'), disabled: e => e.toggleAttribute('disabled'),
        off: (e, o, n) => e.setAttribute('aria-disabled', n % 2 ? 'true' : 'false'),
        id: (e, o, n) => { e.id = 'i' + n % 5 }, labelled: (e, o, n) => e.setAttribute('aria-labelledby', 'i' + n % 5),
        forth: (e, o, n) => e.setAttribute('for', 'i' + n % 5), owns: (e, o, n) => n % 3 ? e.removeAttribute('aria-owns') : e.setAttribute('aria-owns', 'i' + n % 5),
        value: (e, o, n) => { for (const f of all.filter(x => 'value' in x && x.localName !== 'li')) if (f.type !== 'file') f.value = n },
        check: () => { for (const f of all.filter(x => x.type === 'checkbox' || x.type === 'radio')) f.checked = !f.checked },
        mixed: () => { for (const f of all.filter(x => x.type === 'checkbox')) f.indeterminate = !f.indeterminate },
        choose: (e, o, n) => { for (const f of all.filter(x => x.localName === 'select')) f.selectedIndex = n % 2 },
        focus: e => e.focus(), blur: () => document.activeElement?.blur(), tab: (e, o, n) => { e.tabIndex = n % 2 - 1 },
        open: () => { for (const d of all.filter(x => x.localName === 'details')) d.open = !d.open },
        dialog: (e, o, n) => { const d = document.querySelector('dialog'); if (d) d.open ? d.close() : n % 2 ? d.showModal() : d.show() },
        shadow: (e, o, n) => { try { e.attachShadow({ mode: n % 2 ? 'open' : 'closed' }).innerHTML = '<i>in it</i><slot></slot><button>of it</button>' } catch {} },
        slot: (e, o, n) => { e.slot = n % 2 ? 'nowhere' : '' }, expanded: (e, o, n) => e.setAttribute('aria-expanded', n % 2 ? 'true' : 'false'),
        listen: e => e.addEventListener('click', () => 0), lang: e => { e.lang = 'de' }, editable: e => e.toggleAttribute('contenteditable'),
        scroll: (e, o, n) => scrollTo(0, n * 37), inert: e => e.toggleAttribute('inert'), draggable: e => { e.draggable = !e.draggable },
        frame: e => e.append(Object.assign(document.createElement('iframe'), { srcdoc: '<p>in a frame' })),
        animate: (e, o, n) => e.animate([{ visibility: 'hidden' }, { visibility: 'hidden' }], 1e6),
        still2: () => document.getAnimations().forEach(a => a.cancel()),
        transform: e => { e.style.transform = e.style.transform ? '' : 'scale(0)' },
    };
    const within = root => [...root.querySelectorAll('*')].flatMap(e => [e, ...e.shadowRoot ? within(e.shadowRoot) : []]);
    const all = within(document.body).filter(e => e.localName !== 'style' && e.localName !== 'script');
"""
KINDS = ("text data append html remove move before hide unsee flatten still hand quote contents block shrink flag later near dark narrow narrower faded "
         "rule unrule rules adopt role name unname title href hidden disabled off id labelled forth owns value check mixed choose focus blur tab open "
         "dialog shadow slot expanded listen lang editable scroll inert draggable frame animate still2 transform").split()


class Generator:
    def __init__(self, number):
        self.chance = random.Random(number)
        self.count = 0

    def word(self):
        self.count += 1
        return f"{self.chance.choice(('save', 'open', 'list', 'mail', 'total'))} {self.count}"

    def classes(self):
        chosen = [name for name in ("later", "near", "host", "hand", "box", "flag", "quote", "block", "gone") if self.chance.random() < 0.07]
        return f" class='{' '.join(chosen)}'" if chosen else ""

    def leaf(self):
        word, c = self.word(), self.classes()
        return self.chance.choice((
            f"<button{c}>{word}</button>", f"<a href=/{self.count}{c}>{word}</a>", f"<p{c}>{word} <b>bold</b> and <i{c}>more</i></p>", f"<span{c}>{word}</span>",
            f"<label{c}>{word} <input type=checkbox></label>", f"<label for=i{self.count % 5}>{word}</label>", f"<input id=i{self.count % 5} value=v>",
            f"<select{c}><option>{word}<option>two</select>", f"<textarea{c}>{word}</textarea>", f"<h2{c}>{word}</h2>", f"<img alt='{word}' width=9 height=9>",
            f"<div class=box onclick=0></div><div class=box></div>", f"<div{c}>{word}<div>in it</div></div>", f"<input type=radio name=r aria-label='{word}'>",
            f"<div role=switch aria-checked=true tabindex=0>{word}</div>", f"text {word}", f"<svg width=9 height=9><title>{word}</title><rect width=5 height=5 /></svg>"))

    def group(self, depth):
        inner, c, word = "".join(self.node(depth + 1) for _ in range(self.chance.randint(2, 5))), self.classes(), self.word()
        row = f"<tr{self.classes()}><td>{self.leaf()}<td>{word}<td>{self.leaf()}"
        return self.chance.choice((
            f"<div{c}>{inner}</div>", f"<section aria-label='{word}'{c}>{inner}</section>", f"<ul{c}><li>{inner}<li{c}>{self.leaf()}<li>{word}</ul>",
            f"<table{c}><caption>{word}</caption>{row * 3}<tr><th>{word}<td>{inner}</table>", f"<nav>{inner}</nav>", f"<article{c}>{inner}</article>",
            f"<fieldset{c}><legend>{word}</legend>{inner}</fieldset>", f"<details><summary>{word}</summary>{inner}</details>", f"<dialog>{inner}</dialog>",
            f"<div class=shady>{inner}</div>", f"<a href=/a{c}>{inner}</a>", f"<div role=row{c}><div role=cell>{inner}</div></div>", f"<main{c}>{inner}</main>",
            f"<div role=group aria-labelledby=i{self.count % 5}>{inner}</div>", f"<figure>{inner}<figcaption>{word}</figcaption></figure>"))

    def node(self, depth=0):
        return self.leaf() if depth > 3 or self.chance.random() < 0.4 else self.group(depth)

    def page(self):
        return STYLE + "".join(self.group(1) for _ in range(5)) + """<script>for (const host of document.querySelectorAll('.shady'))
            host.attachShadow({ mode: 'open' }).innerHTML = '<p>in the root <b>here</b></p><ul><li>a<li>b <i>c</i></ul><slot></slot>'</script>"""


def make(chance):
    steps = [(chance.choice(KINDS), chance.randrange(1000), chance.randrange(1000), chance.randrange(100)) for _ in range(STEPS)]
    return chance.randrange(1 << 32), steps


class Captures(BrowserdCase):
    def setUp(self):
        self.site = self.pages()
        self.client = self.start("--answers", "compact", "--timeout-action", "20000")

    def ask(self, tool, **arguments):
        return text_of(self.client.start_call(tool, arguments).result())

    def whole(self, **arguments):
        """The view with all that its cursors lead to, without what is different in each answer: revisions and cursors."""
        texts, waiting = [], [self.ask("browser_snapshot", budget=9000, **arguments)]
        while waiting:
            texts.append(waiting.pop())
            waiting += [self.ask("browser_snapshot", cursor=cursor) for cursor in reversed(cursors(texts[-1]))]
        return re.sub(r"\bc\d+\b", "c", re.sub(r"(?m)^r\d+.*\n", "", "\n".join(texts)))

    def change(self, kind, one, other, number):
        """By a call whose answer captures the page."""
        self.ask("browser_evaluate", function=f"""() => {{ {CHANGES}
            try {{ CHANGES[{kind!r}](all[{one} % all.length], all[{other} % all.length], {number}) }} catch (error) {{ return String(error) }} }}""")

    def check(self, case):
        number, steps = case
        self.ask("browser_navigate", url=self.site.page(Generator(number).page()))
        self.ask("browser_snapshot")
        for step in steps:
            self.change(*step)
            taken, anew = self.whole(), self.whole(depth=LEVELS)
            for _ in range(TRIES):  # the page may have changed by itself in between
                if taken == anew:
                    break
                taken, anew = self.whole(), self.whole(depth=LEVELS)
            self.assertEqual(taken, anew, step)
            self.assertNotIn("Error: ", anew)

    def test_a_capture_is_that_of_a_page_that_is_read_anew(self):
        for_all(make, self.check, cases=max(2, CASES // 6), valid=lambda case: False)


if __name__ == "__main__":
    main()
