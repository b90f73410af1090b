"""Reads JavaScript modules as far as joining them needs: tokens, and which names a module declares, imports and uses.

This is a tokenizer and a scope analysis over brackets, not a parser. It takes the ES2022 that the scripts of this folder are
written in, with a semicolon after each statement, and leaves syntax errors to the engine and to `node --check`.
"""
import re
from bisect import bisect
from dataclasses import dataclass, field

KEYWORDS = frozenset(
    "await break case catch class const continue debugger default delete do else export extends false finally for function if "
    "import in instanceof let new null return static super switch this throw true try typeof var void while with yield".split())
# After one of these words a slash begins a regular expression.
BEFORE_EXPRESSION = frozenset("await case delete do else extends in instanceof new of return throw typeof void yield".split())
# These words have a condition in parentheses, after which a statement begins.
WITH_CONDITION = frozenset("for if while with".split())
ASSIGNMENTS = frozenset("= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??= ++ --".split())

SPACE = re.compile(r"[ \t\v\f\r\n\u00a0\ufeff\u2028\u2029]+")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STRING = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
NUMBER = re.compile(r"0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?")
NAME = re.compile(r"#?[A-Za-z_$\u0080-\uffff][\w$]*")
PUNCTUATOR = re.compile(r">>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|"
                        r"\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|\*\*|[{}()\[\];,<>+\-*/%&|^!~?:=.@]")
TEMPLATE_TEXT = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.DOTALL)
CLOSING = {"(": ")", "[": "]", "{": "}"}


class ScriptError(Exception):
    """What is wrong with a script, as "file:line: text"."""


@dataclass
class Token:
    kind: str  # name, number, string, regex, template or punctuator
    text: str
    start: int
    line: int
    newline: bool  # a line ends between the token before and this one


def opens(token):
    return token.kind == "punctuator" and token.text in CLOSING or token.kind == "template" and token.text.endswith("${")


def closes(token):
    return token.kind == "punctuator" and token.text in ")]}" or token.kind == "template" and token.text[0] == "}"


def regex_may_follow(tokens, openers):
    """Whether a slash after `tokens` begins a regular expression; `openers` maps closing brackets to opening ones, by index."""
    if not tokens:
        return True
    last = tokens[-1]
    if last.kind == "name":
        return last.text in BEFORE_EXPRESSION and (len(tokens) < 2 or tokens[-2].text not in (".", "?."))
    if last.kind == "template":
        return last.text.endswith("${")
    if last.kind != "punctuator":
        return False
    if last.text == ")":
        opener = openers[len(tokens) - 1]
        return opener > 0 and tokens[opener - 1].text in WITH_CONDITION
    return last.text not in ("]", "}", "++", "--")


class Tokenizer:
    def __init__(self, text, name):
        self.text, self.name = text, name
        self.at, self.newline = 0, False
        self.tokens, self.openers, self.stack = [], {}, []
        self.line_starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def fail(self, at, reason):
        raise ScriptError(f"{self.name}:{bisect(self.line_starts, at)}: {reason}")

    def match(self, pattern, what):
        match = pattern.match(self.text, self.at)
        if not match:
            self.fail(self.at, f"{what} does not end")
        return match[0]

    def skip_space(self):
        """Past blanks and comments."""
        while True:
            if space := SPACE.match(self.text, self.at):
                skipped = space[0]
            elif self.text.startswith(("//", "/*"), self.at):
                skipped = self.match(COMMENT, "comment")
            else:
                return
            self.newline = self.newline or "\n" in skipped
            self.at += len(skipped)

    def template(self):
        """A piece of a template literal: up to its end, or to an expression in it."""
        end = TEMPLATE_TEXT.match(self.text, self.at + 1).end()
        for mark in ("${", "`"):
            if self.text.startswith(mark, end):
                return "template", self.text[self.at:end + len(mark)]
        return self.fail(self.at, "template literal does not end")

    def next(self):
        character = self.text[self.at]
        if character == "`" or character == "}" and self.stack and self.tokens[self.stack[-1]].kind == "template":
            return self.template()
        if character in "'\"":
            return "string", self.match(STRING, "string")
        if character == "/" and regex_may_follow(self.tokens, self.openers):
            return "regex", self.match(REGEX, "regular expression")
        if character.isdigit() or character == "." and self.text[self.at + 1:self.at + 2].isdigit():
            return "number", self.match(NUMBER, "number")
        for kind, pattern in (("name", NAME), ("punctuator", PUNCTUATOR)):
            if match := pattern.match(self.text, self.at):
                return kind, match[0]
        return self.fail(self.at, f"unexpected character {character!r}")

    def add(self, kind, text):
        token = Token(kind, text, self.at, bisect(self.line_starts, self.at), self.newline)
        index = len(self.tokens)
        if closes(token):
            opener = self.tokens[self.stack[-1]] if self.stack else None
            fits = opener and (kind == "template" or CLOSING.get(opener.text) == text)
            if not fits:
                self.fail(self.at, f"{text} closes nothing")
            self.openers[index] = self.stack.pop()
        if opens(token):
            self.stack.append(index)
        self.tokens.append(token)
        self.at += len(text)
        self.newline = False

    def run(self):
        self.skip_space()
        while self.at < len(self.text):
            self.add(*self.next())
            self.skip_space()
        if self.stack:
            opener = self.tokens[self.stack[-1]]
            self.fail(opener.start, f"{opener.text} is not closed")
        return self.tokens


def tokenize(text, name="script"):
    """The tokens of `text`. The pieces of a template literal around its expressions are tokens of their own."""
    return Tokenizer(text, name).run()


def stripped(tokens, texts=None):
    """`tokens` without comments and indentation: in the same lines, with a blank where there was one. `texts`: what to write for each."""
    out, end = [], None
    for token, text in zip(tokens, texts or [token.text for token in tokens]):
        if end is not None and token.newline:
            out.append("\n")
        elif end is not None and token.start > end:
            out.append(" ")
        out.append(text)
        end = token.start + len(token.text)
    return "".join(out)


def joined(pieces):
    return "\n".join(piece for piece in pieces if piece)


@dataclass
class Module:
    """What one file declares and needs. Names are mapped to the lines in which they stand first."""
    name: str
    text: str
    tokens: list
    declared: dict = field(default_factory=dict)  # names of the module's own scope
    exported: dict = field(default_factory=dict)
    default: int = 0  # index of the token after `export default`, or 0
    imported: dict = field(default_factory=dict)  # name -> (specifier, line)
    needed: list = field(default_factory=list)  # (specifier, line) of each import statement
    used: dict = field(default_factory=dict)  # names of the module's scope, and from outside of it, that it refers to
    assigned: dict = field(default_factory=dict)  # those of them that it assigns to
    places: dict = field(default_factory=dict)  # name -> indices of the tokens that declare or use it in the module's scope
    shorthands: set = field(default_factory=set)  # indices of names that are a property and its value, as in { a }
    dropped: list = field(default_factory=list)  # [first, end) of tokens that are not part of the joined text

    @property
    def is_only_default(self):
        """Whether the module consists of imports and one `export default`."""
        return self.default > 0 and not self.declared and all(end <= self.default for _, end in self.dropped)

    def texts(self, renamed, is_marked):
        """What to write for each token where names of the module's scope are `renamed`: name -> new name; marked, with its place."""
        texts = [token.text for token in self.tokens]
        for name, new in renamed.items():
            for i in self.places.get(name, ()):
                texts[i] = f"{name}: {new}" if i in self.shorthands else new
        return [f"\0{self.name}:{token.line}\0{text}" for token, text in zip(self.tokens, texts)] if is_marked else texts

    def code(self, renamed, default_word, is_marked):
        """The module's text without its import statements and `export`, and with `default_word` instead of `export default`."""
        texts, pieces, at = self.texts(renamed, is_marked), [], 0
        for first, end in [*sorted(self.dropped), (len(self.tokens), None)]:
            piece = stripped(self.tokens[at:first], texts[at:first])
            pieces.append(f"{default_word} {piece}" if self.default and at == self.default else piece)
            at = end
        return joined(pieces)


class Reader:
    """Fills a Module from its tokens."""

    def __init__(self, name, text):
        tokenizer = Tokenizer(text, name)
        self.tokens = tokenizer.run()
        self.opener = tokenizer.openers
        self.closer = {opener: closer for closer, opener in self.opener.items()}
        self.module = Module(name, text, self.tokens)
        self.parent = self.parents()
        self.bindings = set()  # indices of tokens that declare a name
        self.keys = set()  # indices of tokens that name a property, or are words of the syntax
        self.scopes = {}  # name -> [[first, end)], the tokens among which a declaration holds
        self.whole = (0, len(self.tokens))

    def fail(self, index, reason):
        raise ScriptError(f"{self.module.name}:{self.tokens[min(index, len(self.tokens) - 1)].line}: {reason}")

    def text_at(self, index):
        """The text of a name or punctuator, else ''."""
        token = self.tokens[index] if 0 <= index < len(self.tokens) else None
        return token.text if token and token.kind in ("name", "punctuator") else ""

    def is_name(self, index):
        return index < len(self.tokens) and self.tokens[index].kind == "name" and self.tokens[index].text not in KEYWORDS

    def parents(self):
        """For each token the opening bracket that it stands in, or -1."""
        parents, stack = [], []
        for i, token in enumerate(self.tokens):
            if closes(token):
                stack.pop()
            parents.append(stack[-1] if stack else -1)
            if opens(token):
                stack.append(i)
        return parents

    def skip(self, index):
        """The index after the token at `index`, or after the brackets that it opens."""
        while index in self.closer:
            index = self.closer[index]
            if self.tokens[index].kind == "punctuator":
                break
        return index + 1

    def expression_end(self, index):
        """The index of what ends the expression that begins at `index`."""
        conditions = 0
        while index < len(self.tokens) and not closes(self.tokens[index]):
            text = self.text_at(index)
            if text in (",", ";") or text == ":" and not conditions:
                break
            conditions += (text == "?") - (text == ":")
            index = self.skip(index)
        return index

    def statement_end(self, index):
        """The index after the statement that begins at `index`."""
        if self.text_at(index) == "{":
            return self.skip(index)
        if self.text_at(index) in WITH_CONDITION:
            index += 2 if self.text_at(index + 1) == "await" else 1
            end = self.statement_end(self.skip(index))
            return self.statement_end(end + 1) if self.text_at(end) == "else" else end
        while index < len(self.tokens) and self.text_at(index) != ";" and not closes(self.tokens[index]):
            index = self.skip(index)
        return index + 1

    def block_of(self, index):
        """The tokens of the block that the token at `index` stands in."""
        opener = self.parent[index]
        return self.whole if opener < 0 else (opener, self.closer[opener] + 1)

    def bind(self, index, scope):
        name = self.tokens[index].text
        self.bindings.add(index)
        self.scopes.setdefault(name, []).append(scope)
        if scope == self.whole:
            if name in self.module.declared:
                self.fail(index, f"{name} is declared in line {self.module.declared[name]} as well")
            self.module.declared[name] = self.tokens[index].line
            self.note_place(index)

    def bind_pattern(self, index, scope):
        """Binds the names of the pattern at `index`, and returns the index after it."""
        if self.text_at(index) not in ("{", "["):
            if not self.is_name(index):
                self.fail(index, f"a name is expected instead of {self.tokens[index].text}")
            self.bind(index, scope)
            return index + 1
        self.bind_patterns(index, scope, self.text_at(index) == "{")
        return self.closer[index] + 1

    def bind_patterns(self, opener, scope, is_object=False):
        """Binds the patterns in the brackets at `opener`."""
        at = opener + 1
        while at < self.closer[opener]:
            if self.text_at(at) in (",", "..."):
                at += 1
                continue
            if is_object and self.text_at(self.skip(at)) == ":":
                self.keys.add(at)
                at = self.skip(at) + 1
            at = self.bind_pattern(at, scope)
            if self.text_at(at) == "=":
                at = self.expression_end(at + 1)

    def read_declaration(self, index):
        """`const`, `let` or `var` at `index`."""
        opener = self.parent[index]
        in_head = opener > 0 and self.text_at(opener) == "(" and "for" in (self.text_at(opener - 1), self.text_at(opener - 2))
        scope = (opener, self.statement_end(self.closer[opener] + 1)) if in_head else self.block_of(index)
        at = index
        while at == index or self.text_at(at) == ",":
            at = self.bind_pattern(at + 1, scope)
            if self.text_at(at) == "of":
                self.keys.add(at)
            elif self.text_at(at) == "=":
                at = self.expression_end(at + 1)

    def read_function(self, index):
        at = index + 1
        if self.text_at(at) == "*":
            at += 1
        if self.is_name(at):
            before = index - 2 if self.text_at(index - 1) == "async" else index - 1
            is_statement = self.text_at(before) in ("", ";", "}", "{", "export", ")")
            self.bind(at, self.block_of(index) if is_statement else (index, self.skip(self.skip(at + 1))))
            at += 1
        self.bind_patterns(at, (at, self.skip(self.closer[at] + 1)))

    def read_class(self, index):
        at = index + 1
        if self.is_name(at) and self.text_at(at) != "extends":
            self.bind(at, self.block_of(index))
            at += 1
        while self.text_at(at) != "{":
            at = self.skip(at)
        end = self.closer[at]
        at += 1
        while at < end:  # words before a member's name, the name, and a method or a value
            while self.text_at(at) in ("static", "async", "get", "set", "*") and self.text_at(at + 1) not in ("(", "=", ";"):
                self.keys.add(at)
                at += 1
            self.keys.add(at)
            at = self.skip(at)
            if self.text_at(at) == "(":
                self.read_method(at)
                at = self.skip(self.skip(at))
            elif self.text_at(at) == "=":
                at = self.expression_end(at + 1)
            if self.text_at(at) == ";":
                at += 1

    def read_method(self, opener):
        self.bind_patterns(opener, (opener, self.skip(self.skip(opener))))

    def read_arrow(self, index):
        """`=>` at `index`: its parameters stand before it."""
        body, before = index + 1, index - 1
        end = self.skip(body) if self.text_at(body) == "{" else self.expression_end(body)
        if self.text_at(before) == ")":
            before = self.opener[before]
            self.bind_patterns(before, (before, end))
        else:
            self.bind(before, (before, end))
        if self.text_at(before - 1) == "async":
            self.keys.add(before - 1)

    def read_name(self, index):
        """Notes whether the name at `index` is a property or a key; binds the parameters of a method that it names."""
        before, after = self.text_at(index - 1), self.text_at(index + 1)
        if before in (".", "?.") or self.tokens[index].text.startswith("#"):
            self.keys.add(index)
            return
        has_word = before in ("get", "set", "async", "*")
        starts_member = before in ("{", ",") or has_word and self.text_at(index - 2) in ("{", ",")
        if not starts_member or self.text_at(self.parent[index]) != "{":
            return
        if after == ":":
            self.keys.add(index)
        elif after == "(" and self.is_name(index) and self.text_at(self.closer[index + 1] + 1) == "{":
            self.keys.update((index, index - 1) if has_word else (index,))
            self.read_method(index + 1)

    def read_import(self, index):
        at, names = index + 1, []
        if self.text_at(at) == "{":
            end = self.closer[at]
            names = [i for i in range(at + 1, end) if self.text_at(i) != ","]
            if any(not self.is_name(i) or self.text_at(i + 1) not in (",", "}") for i in names):
                self.fail(at, "a name is imported as it is: import { a, b } from './file.js';")
            at = end + 2 if self.text_at(end + 1) == "from" else index
        if at >= len(self.tokens) or self.tokens[at].kind != "string" or self.text_at(at + 1) != ";":
            self.fail(index, "an import is written import { a, b } from './file.js'; or import './file.js';")
        specifier = self.tokens[at].text[1:-1]
        self.module.needed.append((specifier, self.tokens[index].line))
        for i in names:
            name = self.tokens[i].text
            if name in self.module.imported:
                self.fail(i, f"{name} is imported twice")
            self.module.imported[name] = (specifier, self.tokens[i].line)
        self.keys.update(range(index, at + 2))
        self.module.dropped.append((index, at + 2))

    def read_export(self, index):
        at = index + 1
        if self.text_at(at) == "default":
            if self.module.default:
                self.fail(index, "there is another default export")
            self.module.default = at + 1
            self.module.dropped.append((index, at + 1))
            return
        at += self.text_at(at) == "async"
        if self.text_at(at) not in ("const", "let", "function", "class"):
            self.fail(index, "an export is a declaration: export const, export let, export function or export class")
        self.module.dropped.append((index, at if self.text_at(index + 1) != "async" else index + 1))
        before = set(self.module.declared)
        reading = {"function": self.read_function, "class": self.read_class}.get(self.text_at(at), self.read_declaration)
        reading(at)
        for name in self.module.declared.keys() - before:
            self.module.exported[name] = self.module.declared[name]
        self.keys.update((index, index + 1, at))

    def read_token(self, i):
        text = self.tokens[i].text
        if self.text_at(i + 1) == ":" and self.text_at(i - 1) in ("{", ","):
            self.read_name(i)
        elif text == "import" and self.text_at(i + 1) not in ("(", "."):
            self.read_import(i)
        elif text == "export":
            self.read_export(i)
        elif text in ("const", "let", "var"):
            self.read_declaration(i)
        elif text == "function":
            self.read_function(i)
        elif text == "class":
            self.read_class(i)
        elif text == "catch" and self.text_at(i + 1) == "(":
            self.read_method(i + 1)
        elif text == "async" and self.text_at(i + 1) == "function":
            self.keys.add(i)
        else:
            self.read_name(i)

    def note_place(self, index):
        """Notes where a name of the module's scope stands. Braces without a semicolon are those of an object or a pattern."""
        self.module.places.setdefault(self.tokens[index].text, []).append(index)
        opener = self.parent[index]
        if self.text_at(opener) == "{" and self.text_at(index - 1) in ("{", ",") and self.text_at(index + 1) in (",", "}", "="):
            inside = range(opener + 1, self.closer[opener])
            if not any(self.parent[i] == opener and self.text_at(i) == ";" for i in inside):
                self.module.shorthands.add(index)

    def note_uses(self):
        module = self.module
        for i in range(len(self.tokens)):
            if not self.is_name(i) or i in self.keys or i in self.bindings:
                continue
            name = self.tokens[i].text
            if any(scope != self.whole and scope[0] <= i < scope[1] for scope in self.scopes.get(name, ())):
                continue
            module.used.setdefault(name, self.tokens[i].line)
            self.note_place(i)
            if self.text_at(i + 1) in ASSIGNMENTS or self.text_at(i - 1) in ("++", "--"):
                module.assigned.setdefault(name, self.tokens[i].line)

    def read(self):
        for i, token in enumerate(self.tokens):
            if token.kind == "punctuator" and token.text == "=>":
                self.read_arrow(i)
            elif token.kind == "name" and i not in self.keys and i not in self.bindings:
                if self.text_at(i - 1) in (".", "?."):
                    self.keys.add(i)
                else:
                    self.read_token(i)
        self.note_uses()
        return self.module


def read_module(name, text):
    """The Module that `text` holds; `name` is used in messages."""
    return Reader(name, text).read()
