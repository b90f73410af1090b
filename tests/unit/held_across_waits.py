#!/usr/bin/env python3
"""
Holds every function that may suspend against the rule for objects that can go while a task waits (docs/architecture.md,
section 2). The objects are those of the table in src/README.md.

A function may suspend when it calls task_wait(), or a function that may. In such a function a pointer to such an object
is held or borrowed:

- held: a parameter; what X_ref() and X_new() return; a variable that _cleanup_ releases; a member, or what a function
  returns, that is declared _kept_, where what it is a member or a part of is held.
- borrowed: everything else, and a parameter that is declared _borrowed_.

A borrowed pointer must not be used after a call that may suspend, and must not be passed to one, unless that parameter is
declared _borrowed_ there. Branches are joined, loops are followed twice, jumps are followed forward.

In all functions, a member, result or parameter that is declared _nullable_, and a variable that got its value from one, must not be
dereferenced or passed to a parameter that is not _nullable_, unless it was tested on that branch: if (x->m), x->m && ..., x->m ? ... : ...
What is known of a member is forgotten at a call that may suspend. Tables of tools and operations vouch for some members (ENTRIES):
they are there in the functions that are only reached from entries that need them. Of 24 tests of such members that were removed one at
a time, this check misses those 11 that guard no use of the pointer, or are of members that are not declared so.

The C is read by regular expressions, not by libclang, because that costs more and finds hardly more. Of 16 seeded faults (references
dropped, look-ups moved before a wait or out of a loop, uses behind a wait) this check finds 12. libclang, with the same rule, would
find one more: a struct behind a typedef, which the code does not have. The other three are beyond the rule: two borrowed pointers
in members of a local struct, and one in an object that the table does not name. Parsing with libclang 14 and visiting the nodes of each
file from Python takes 25 s of processor time (20 of 398 files, multiplied) instead of 1.3 s (minimum of 4), needs the
binding of the system's Python and compile_commands.json, and would replace about 210 of these lines: control flow and the rule remain.
"""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from include_law import rows  # noqa: E402

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\w+|->|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|<<|>>|\.\.\.|\S')
FUNCTION = re.compile(r'^(?=\w)((?:_printf_\([^)]*\)|[\w \t*])+?[\s*])(\w+)\(([^;{}]*?)\)\n\{\n(.*?)^\}', re.M | re.S)
PROTOTYPE = re.compile(r'^(?=\w)((?:_printf_\([^)]*\)|[\w \t*])+?[\s*])(\w+)\(([^;{}]*?)\)[^;{}=]*;', re.M)
STRUCT = re.compile(r'^(?:static |const )*struct (\w+) \{\n(.*?)^\}', re.M | re.S)
MEMBER = re.compile(r'((?:_kept_ |_nullable_ )*)(?:const )?struct (\w+) ([*\w, \[\]]+);')
POINTER_MEMBER = re.compile(r'\(\*(\w+)\)\(([^;]*)\);')
OWNING = re.compile(r'_(ref|new)$')
ALIAS = re.compile(r'^#define (\w+)\([^)\n]*\) (\1_values)\(', re.M)
MACRO = re.compile(r'^#define (\w+)\(((?:[^\n\\]|\\.)*)', re.M | re.S)
LOOPS = {'TAILQ_FOREACH', 'LIST_FOREACH', 'STAILQ_FOREACH', 'json_foreach'}
WORDS_OF_C = {'sizeof', 'return', 'struct', 'const', 'enum', 'static', 'unsigned', 'int', 'bool', 'char', 'void', 'double'}
ROW = re.compile(r'(?:struct browse_tool\)\{ \.run = |\{ "\w+", )(\w+)([^{}]*)\}')
# The functions in the rows of tables are only called when these members are there, unless the row has the flag.
ENTRIES = {('browse', 'tab'): 'no_tab', ('browse', 'page'): 'no_tab', ('operation_call', 'page'): 'no_page',
           ('operation_call', 'session'): 'between_runs', ('code_program', 'run'): 'between_runs'}

Type = collections.namedtuple('Type', 'name stars kept nullable', defaults=(False,))


class Function:
    def __init__(self, path, result, name, params):
        self.path, self.name = path, name
        self.kept, self.nullable, self.is_macro = '_kept_' in result, '_nullable_' in result, False
        match = re.search(r'struct (\w+) (\*+)\s*$', result)
        self.result = Type(match[1], len(match[2]), self.kept) if match else None
        self.params = []  # (name, Type or None, borrowed, nullable)
        for text in split(params):
            match = re.search(r'struct (\w+) (\**)(?:const \*)?(\w+)$', text.strip())
            word = re.search(r'(\w+)\W*$', text)
            self.params.append((word[1] if word else '', Type(match[1], len(match[2]), False) if match else None,
                                '_borrowed_' in text, '_nullable_' in text))
        self.body, self.suspends = None, False
        self.words = []  # of the body, or of the macro


def split(text):
    """At the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in '([{') - (c in ')]}')
        if c == ',' and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]]


def bare(source):
    """Without comments and directives; lines keep their numbers."""
    source = re.sub(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'',
                    lambda m: '\n' * m[0].count('\n') if m[0].startswith('/*') else m[0], source, flags=re.S)
    return re.sub(r'^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', lambda m: '\n' * m[0].count('\n'), source, flags=re.M)


class Program:
    def __init__(self, sources, mortal):
        self.mortal, self.functions, self.structs = mortal, {}, {}
        for path, text in sources:
            self.read(path, bare(text))
        for path, text in sources:
            for name, function in ALIAS.findall(text):  # cdp_call() is a macro that calls cdp_call_values()
                self.functions[name] = self.functions[function]
            for name, replacement in MACRO.findall(text):
                macro = Function(path, '', name, 'struct task *t')
                macro.words, macro.is_macro = TOKEN.findall(replacement), True
                self.functions.setdefault(name, macro)
        self.carriers = {name for name, members in self.structs.items()
                         if any(m.name == 'task' and m.stars for m in members.values())}
        for _ in range(4):
            self.carriers |= {name for name, members in self.structs.items()
                              if any(m.name in self.carriers and not m.stars for m in members.values())}
        self.find_suspending()

    def read(self, path, text):
        for match in STRUCT.finditer(text):
            members = {}
            for marks, name, names in MEMBER.findall(match[2]):
                for part in names.split(','):
                    word = re.search(r'(\**)\s*(\w+)', part)
                    members[word[2]] = Type(name, len(word[1]), '_kept_' in marks, '_nullable_' in marks)
            self.structs[match[1]] = members
        for match in PROTOTYPE.finditer(text):
            self.add(path, Function(path, match[1], match[2], match[3]), 'static' in match[1])
        for match in FUNCTION.finditer(text):
            f = Function(path, match[1], match[2], match[3])
            first = text.count('\n', 0, match.start(4)) + 1
            f.body = [(t, first + i) for i, line in enumerate(match[4].split('\n')) for t in TOKEN.findall(line)]
            f.words = [t for t, _ in f.body]
            self.add(path, f, 'static' in match[1])

    def add(self, path, f, static):
        key = (path, f.name) if static else f.name
        old = self.functions.get(key)
        if old:  # what is said once holds for both
            f.kept |= old.kept
            f.nullable |= old.nullable
            for i, (new, known) in enumerate(zip(f.params, old.params)):
                f.params[i] = (*new[:2], new[2] or known[2], new[3] or known[3])
            f.body, f.words, f.path = f.body or old.body, f.words or old.words, f.path if f.body else old.path
        self.functions[key] = f

    def find(self, path, name):
        return self.functions.get((path, name)) or self.functions.get(name)

    def find_suspending(self):
        self.functions['task_wait'].suspends = True
        changed = True
        while changed:
            changed = False
            for f in self.functions.values():
                if f.suspends or not any(t and (t.name == 'task' or t.name in self.carriers) for _, t, *_ in f.params):
                    continue
                calls = {w for w, after in zip(f.words, f.words[1:]) if after == '('}
                through_pointer = ']' in calls or any(a in ('->', '.') and c == '(' for a, c in zip(f.words, f.words[2:]))
                if f.body and through_pointer or any(g and g.suspends for g in (self.find(f.path, c) for c in calls)):
                    f.suspends = changed = True


    def vouched_for(self, sources):
        """Members as (struct, member), to the functions in which they are there: entries, and what is only called by such functions."""
        callers = collections.defaultdict(set)
        for key, f in self.functions.items():
            for word, after in zip(f.words, f.words[1:]):
                if after == '(' and self.find(f.path, word):
                    callers[id(self.find(f.path, word))].add(id(f))
        rows = [(self.find(path, name), more) for path, text in sources for name, more in ROW.findall(text)]
        macros = {id(f) for f in self.functions.values() if f.is_macro}  # that make functions of tools: webstorage.c
        found = {}
        for member, flag in ENTRIES.items():
            without = {id(f) for f, more in rows if flag in more}
            entries = {id(f) for f, _ in rows} - without | macros
            there, left = None, entries | callers.keys() - without
            while left != there:
                there, left = left, {f for f in left if f in entries or callers[f] <= left}
            found[member] = there
        return found


class Walk:
    """Follows the statements of one function. `state`: what is known of its variables; None: this point is not reached."""

    def __init__(self, program, f):
        self.p, self.f, self.wrong = program, f, {}
        self.types, self.state = {}, {}
        # The states in which a case, and what a jump leads to, is reached; of the loops and switches around, the innermost last.
        self.breaks, self.continues, self.cases, self.labels = [], [], [], collections.defaultdict(lambda: None)
        for name, kind, borrowed, nullable in f.params:
            if kind:
                self.types[name] = kind
                self.begin(name, borrowed, nullable)

    def run(self):
        self.block(self.f.body, 0, len(self.f.body))
        return [f'{self.f.path}:{line}: {self.f.name}(): {what}' for line, what in sorted(self.wrong)]

    def error(self, line, what):
        self.wrong[(line, what)] = True

    # ---- statements ----

    def match(self, tokens, i):
        """Index behind the bracket that closes the one at `i`."""
        depth = 0
        while True:
            depth += (tokens[i][0] in '([{') - (tokens[i][0] in ')]}')
            i += 1
            if depth == 0:
                return i

    def block(self, tokens, i, end):
        while i < end:
            i = self.statement(tokens, i)

    def statement(self, tokens, i):
        word = tokens[i][0]
        if word == '{':
            end = self.match(tokens, i)
            self.block(tokens, i + 1, end - 1)
            return end
        if word in ('case', 'default') or (len(tokens) > i + 1 and tokens[i + 1][0] == ':' and word.isidentifier()):
            self.state = self.join(self.state, self.cases[-1] if word in ('case', 'default') else self.labels[word])
            while tokens[i][0] != ':':
                i += 1
            return i + 1
        if word == 'if':
            return self.branch(tokens, i)
        if word == 'switch':
            return self.switch(tokens, i)
        if word in ('for', 'while') or (word in LOOPS and tokens[i + 1][0] == '('):
            return self.loop(tokens, i)
        if word == 'do':
            return self.do(tokens, i)
        end = i
        while tokens[end][0] != ';':
            end = self.match(tokens, end) if tokens[end][0] in '([{' else end + 1
        self.simple(tokens[i:end])
        return end + 1

    def branch(self, tokens, i):
        cond = self.match(tokens, i + 1)
        self.state, otherwise = self.test(tokens[i + 2:cond - 1])
        end = self.statement(tokens, cond)
        taken, self.state = self.state, otherwise
        if end < len(tokens) and tokens[end][0] == 'else':
            end = self.statement(tokens, end + 1)
        self.state = self.join(taken, self.state)
        return end

    def switch(self, tokens, i):
        head_end = self.match(tokens, i + 1)
        self.expression(tokens[i + 2:head_end - 1])
        self.breaks.append(self.copy())  # no case may fit
        self.cases.append(self.state)
        self.state = None
        end = self.statement(tokens, head_end)
        self.cases.pop()
        self.state = self.join(self.state, self.breaks.pop())
        return end

    def loop(self, tokens, i):
        head_end = self.match(tokens, i + 1)
        head, word = tokens[i + 2:head_end - 1], tokens[i][0]
        parts = [[]]
        for token in head:
            if token[0] == (';' if word == 'for' else ',') and word != 'while':
                parts.append([])
            else:
                parts[-1].append(token)
        if word == 'for':
            self.simple(parts[0])
        self.breaks.append(None)
        for n in range(2):
            self.continues.append(None)
            if word in LOOPS:
                if n == 1:  # the next one is read from it
                    self.expression(parts[0])
                self.assign(parts[0][0][0], 'borrowed')
                if n == 0:
                    self.expression([t for p in parts[1:] for t in p])
                before = self.copy()
            else:
                self.state, otherwise = self.test(parts[1] if word == 'for' else head)
                before = self.join(self.state, otherwise)
            end = self.statement(tokens, head_end)
            self.state = self.join(self.state, self.continues.pop())
            if word == 'for' and self.state is not None:
                self.expression(parts[2])
            self.state = self.join(self.state, before)
        condition = parts[1] if word == 'for' else head
        if word in ('for', 'while'):
            _, self.state = self.test(condition)
        is_endless = [t for t, _ in condition] in ([], ['true'])
        self.state = self.join(None if is_endless else self.state, self.breaks.pop())
        return end

    def do(self, tokens, i):
        self.breaks.append(None)
        for _ in range(2):
            self.continues.append(None)
            end = self.statement(tokens, i + 1)
            self.state = self.join(self.state, self.continues.pop())
            cond = self.match(tokens, end + 1)
            entered, otherwise = self.test(tokens[end + 2:cond - 1])
            self.state = self.join(entered, otherwise)
        self.state = self.join(otherwise, self.breaks.pop())
        return cond + 1

    def copy(self):
        return None if self.state is None else dict(self.state)

    def test(self, tokens):
        """Follows a condition: what is known where it is true, and where it is false."""
        self.expression(tokens)
        return self.copy(), self.copy()

    def join(self, a, b):
        if a is None or b is None:
            known = b if a is None else a
            return None if known is None else dict(known)
        return self.join_known(a, b)

    def simple(self, tokens):
        if not tokens:
            return
        word = tokens[0][0]
        if word in ('break', 'continue', 'goto'):
            reached, key = {'break': (self.breaks, -1), 'continue': (self.continues, -1), 'goto': (self.labels, tokens[-1][0])}[word]
            reached[key] = self.join(self.state, reached[key])
            self.state = None
            return
        if word == 'return':
            self.expression(tokens[1:])
            self.state = None
            return
        released = word == '_cleanup_'
        start = 4 if released else 0
        while start < len(tokens) and tokens[start][0] in ('const', 'static', '_kept_'):
            start += 1
        if start + 2 < len(tokens) and tokens[start][0] == 'struct' and tokens[start + 1][0].isidentifier():
            self.declare(tokens[start + 1][0], tokens[start + 2:], released)
        else:
            self.expression(tokens[start:])

    @staticmethod
    def parts(tokens, mark):
        parts, depth = [[]], 0
        for token in tokens:
            depth += (token[0] in ('(', '[', '{')) - (token[0] in (')', ']', '}'))
            if token[0] == mark and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token)
        return parts


class Held(Walk):
    """`state` maps variables to 'held', 'borrowed' or 'stale'."""

    def __init__(self, program, f):
        self.released = set()
        super().__init__(program, f)

    def begin(self, name, borrowed, nullable):
        self.state[name] = 'borrowed' if borrowed else 'held'

    def join_known(self, a, b):
        order = ['held', 'borrowed', 'stale']
        return {name: max(a.get(name, 'held'), b.get(name, 'held'), key=order.index) for name in {*a, *b}}

    def declare(self, kind, tokens, released):
        if self.state is None:
            return
        for part in self.parts(tokens, ','):
            stars = 0
            while part and part[0][0] in ('*', 'const'):
                stars += part[0][0] == '*'
                part = part[1:]
            if not part:
                continue
            name = part[0][0]
            self.types[name] = Type(kind, stars, False)
            if released:
                self.released.add(name)
            self.state[name] = 'held'
            if len(part) > 1 and part[1][0] == '=':
                self.expression(part)

    # ---- expressions ----

    def expression(self, tokens):
        i = 0
        while i < len(tokens) and self.state is not None:
            word, line = tokens[i]
            previous = tokens[i - 1][0] if i else ''
            after = tokens[i + 1][0] if i + 1 < len(tokens) else ''
            if after == '(' and (word.isidentifier() or word == ']') and word not in ('sizeof', 'return'):
                end = self.match(tokens, i + 1)
                self.call(word, line, word == ']' or previous in ('->', '.'), tokens[i + 2:end - 1])
                i = end
            elif after == '=' and word.isidentifier():
                i = self.assignment(tokens, i, previous)
            else:
                if word in self.state and previous not in ('->', '.') and self.state[word] == 'stale':
                    self.error(line, f'"{word}" is borrowed, and used after a call that may suspend')
                i += 1

    def assignment(self, tokens, i, previous):
        word, line = tokens[i]
        end, depth = i + 2, 0
        while end < len(tokens):
            depth += (tokens[end][0] in ('(', '[', '{')) - (tokens[end][0] in (')', ']', '}'))
            if depth < 0 or (depth == 0 and tokens[end][0] == ','):
                break
            end += 1
        value = tokens[i + 2:end]
        self.expression(value)
        if self.state is None or previous in ('->', '.'):
            return end
        kind = self.types.get(word)
        if kind and kind.name in self.p.mortal and kind.stars == 1:
            source = self.classify(value)
            if word in self.released:
                if source == 'borrowed':
                    self.error(line, f'"{word}" is released at the end, and gets no reference')
                self.assign(word, 'held')
            else:
                self.assign(word, source or 'held')
        return end

    def assign(self, name, source):
        if self.state is not None and name in self.types and self.types[name].name in self.p.mortal:
            self.state[name] = 'held' if name in self.released else source

    def call(self, word, line, through_pointer, inside):
        arguments = self.parts(inside, ',')
        for argument in arguments:
            if not (len(argument) == 2 and argument[0][0] == '&'):
                self.expression(argument)
        if self.state is None:
            return
        f = None if through_pointer else self.p.find(self.f.path, word)
        suspends = f.suspends if f else self.carries(arguments) and (through_pointer or word in {n for n, *_ in self.f.params})
        if suspends:
            for i, argument in enumerate(arguments):
                allowed = f and i < len(f.params) and f.params[i][2]
                if not allowed and self.classify(argument) == 'borrowed':
                    self.error(line, f'{word}() may suspend, and gets "{"".join(t for t, _ in argument)}", which is borrowed')
            self.state = {n: 'stale' if s == 'borrowed' else s for n, s in self.state.items()}
        for argument in arguments:
            if len(argument) == 2 and argument[0][0] == '&':
                self.assign(argument[1][0], 'borrowed')

    def carries(self, arguments):
        kinds = [self.type_of(a) for a in arguments]
        return any(k and (k.name == 'task' or k.name in self.p.carriers) for k in kinds)

    # ---- what an expression is ----

    def type_of(self, tokens):
        kind, _ = self.chain(tokens)
        return kind

    def classify(self, tokens):
        """'held' or 'borrowed' for a pointer to an object that can be freed; None for other declarations."""
        if any(t == '?' for t, _ in tokens):
            rest = tokens[[t for t, _ in tokens].index('?') + 1:]
            found = [self.classify(part) for part in self.parts(rest, ':')]
            return 'borrowed' if 'borrowed' in found else 'held' if 'held' in found else None
        kind, source = self.chain(tokens)
        if not kind or kind.name not in self.p.mortal or kind.stars != 1:
            return None
        return source

    def chain(self, tokens):
        """Type and state of `name`, `f(x)`, and members of them."""
        while tokens and tokens[0][0] == '(' and self.match(tokens, 0) == len(tokens):
            tokens = tokens[1:-1]
        if tokens and tokens[0][0] == '(' and len(tokens) > 1 and tokens[1][0] in ('const', 'struct'):  # a cast
            tokens = tokens[self.match(tokens, 0):]
        address = bool(tokens) and tokens[0][0] == '&'
        tokens = tokens[address:]
        if not tokens or not tokens[0][0].isidentifier():
            return None, None
        word, i = tokens[0][0], 1
        if len(tokens) > 1 and tokens[1][0] == '(':
            i = self.match(tokens, 1)
            kind, source = self.result(word, tokens[2:i - 1])
        else:
            kind, source = self.types.get(word), (self.state or {}).get(word)
        while kind and i < len(tokens):
            if tokens[i][0] == '[':
                i = self.match(tokens, i)
            elif tokens[i][0] in ('->', '.') and i + 1 < len(tokens):
                kind = self.p.structs.get(kind.name, {}).get(tokens[i + 1][0])
                if kind and kind.name in self.p.mortal and kind.stars and not kind.kept:
                    source = 'borrowed'
                i += 2
            else:
                return None, None
        if kind and address:
            kind = kind._replace(stars=kind.stars + 1)
            if kind.stars != 1:
                return kind, source
        return kind, source

    def result(self, word, inside):
        if word == 'TAKE_PTR':
            return self.type_of(inside), 'held'
        f = self.p.find(self.f.path, word)
        if not f or not f.result:
            return None, None
        if OWNING.search(word):
            return f.result, 'held'
        if not f.kept and f.result.name in self.p.mortal:
            return f.result, 'borrowed'
        sources = [self.chain(a)[1] for a in self.parts(inside, ',')]
        return f.result, 'borrowed' if 'borrowed' in sources else 'held'


class There(Walk):
    """`state` maps variables and members, 'x->m', to whether they are known not to be NULL; others are what their declaration says."""

    def __init__(self, program, f, vouched):
        self.vouched = vouched
        super().__init__(program, f)

    def begin(self, name, borrowed, nullable):
        self.state[name] = not nullable

    def join_known(self, a, b):
        joined = {path: a.get(path, True) and b.get(path, True) for path in {*a, *b}}
        return {path: there for path, there in joined.items() if not there or (path in a and path in b)}

    def declare(self, kind, tokens, released):
        for part in self.parts(tokens, ','):
            stars = 0
            while part and part[0][0] in ('*', 'const'):
                stars += part[0][0] == '*'
                part = part[1:]
            if part and self.state is not None:
                self.types[part[0][0]] = Type(kind, stars, False)
                self.assign(part[0][0], True)
                self.value(part)

    def assign(self, path, there):
        self.state = {known: v for known, v in self.state.items() if not known.startswith((path + '->', path + '.'))}
        self.state[path] = there

    # ---- conditions ----

    @staticmethod
    def find(tokens, *marks):
        """Index of the first of these marks outside of brackets; -1: none."""
        depth = 0
        for i, (t, _) in enumerate(tokens):
            depth += (t in ('(', '[', '{')) - (t in (')', ']', '}'))
            if t in marks and depth == 0:
                return i
        return -1

    def choose(self, tokens, first, second):
        """Follows c ? a : b; returns what the functions for a and b return."""
        at = self.find(tokens, '?')
        colon = at + 1 + self.find(tokens[at + 1:], ':')
        self.state, otherwise = self.test(tokens[:at])
        one = first(tokens[at + 1:colon])
        taken, self.state = self.state, otherwise
        two = second(tokens[colon + 1:])
        self.state = self.join(taken, self.state)
        return one, two

    def test(self, tokens):
        while tokens and tokens[0][0] == '(' and self.match(tokens, 0) == len(tokens):
            tokens = tokens[1:-1]
        if self.state is None or not tokens:
            return self.copy(), self.copy()
        if self.find(tokens, '?') < 0:
            for mark in ('||', '&&'):
                at = self.find(tokens, mark)
                if at >= 0:
                    true, false = self.test(tokens[:at])
                    self.state = false if mark == '||' else true
                    more_true, more_false = self.test(tokens[at + 1:])
                    return (self.join(true, more_true), more_false) if mark == '||' else (more_true, self.join(false, more_false))
            at = self.find(tokens, '==', '!=')
            if at >= 0 and [t for t, _ in tokens[at + 1:]] == ['NULL']:
                true, false = self.test(tokens[:at])
                return (false, true) if tokens[at][0] == '==' else (true, false)
            if tokens[0][0] == '!':
                return self.test(tokens[1:])[::-1]
        self.value(tokens)
        assigned = self.find(tokens, '=')
        path = self.look(tokens[:assigned] if assigned >= 0 else tokens)[1]
        true = self.copy()
        if path and true is not None:
            true[path] = True
        return true, self.copy()

    # ---- expressions ----

    def expression(self, tokens):
        for part in self.parts(tokens, ','):
            self.value(part)

    def value(self, tokens):
        if self.state is None or not tokens:
            return
        at = self.find(tokens, '=')
        if at >= 0:
            self.value(tokens[at + 1:])
            self.scan(tokens[:at])
            path = self.look(tokens[:at])[1]
            if path and tokens[0][0] != '.' and self.state is not None:
                self.assign(path, self.is_there(tokens[at + 1:]))
        elif self.find(tokens, '?') >= 0:
            self.choose(tokens, self.value, self.value)
        elif self.find(tokens, '||', '&&') >= 0:
            self.state = self.join(*self.test(tokens))
        else:
            self.scan(tokens)

    def scan(self, tokens):
        i = 0
        while i < len(tokens) and self.state is not None:
            if tokens[i][0] in ('(', '[', '{'):
                end = self.match(tokens, i)
                self.expression(tokens[i + 1:end - 1])
                i = end
            elif tokens[i][0].isidentifier() and tokens[i][0] not in WORDS_OF_C and (i == 0 or tokens[i - 1][0] not in ('->', '.')):
                i = self.follow(tokens, i, True)[0]
            else:
                i += 1

    def follow(self, tokens, i, reports):
        """Follows `name`, `f(x)`, and members of them: (index behind it, type, path or None, whether it is there)."""
        word, line = tokens[i]
        kind, path, there = self.types.get(word), word, self.state.get(word, True)
        i += 1
        while i < len(tokens) and tokens[i][0] in ('(', '[', '->', '.'):
            mark = tokens[i][0]
            if mark in ('(', '['):
                end = self.match(tokens, i)
                if mark == '(':
                    kind, there = self.call(word if path == word else None, line, tokens[i + 1:end - 1], reports)
                elif reports:
                    self.expression(tokens[i + 1:end - 1])
                path, i = None, end
                continue
            if mark == '->' and not there and reports:
                self.error(line, f'"{path or word}" may be NULL, and is dereferenced')
            name = tokens[i + 1][0]
            path = path and path + mark + name
            there = True
            owner, kind = kind, kind and self.p.structs.get(kind.name, {}).get(name)
            if kind and kind.nullable:
                there = id(self.f) in self.vouched.get((owner.name, name), ())
            if self.state is not None and path in self.state:
                there = self.state[path]
            i += 2
        return i, kind, path, there

    def look(self, tokens):
        """(type, path, whether it is there) of an expression that was followed; path None: it is more than a variable and members."""
        while tokens and tokens[0][0] == '(':
            if self.match(tokens, 0) < len(tokens):  # a cast
                tokens = tokens[self.match(tokens, 0):]
            else:
                tokens = tokens[1:-1]
        if self.state is None or not tokens or not tokens[0][0].isidentifier():
            return None, None, True
        end, *found = self.follow(tokens, 0, False)
        return found if end == len(tokens) else (None, None, True)

    def is_there(self, tokens):
        if self.state is not None and self.find(tokens, '?') >= 0 and self.find(tokens, '=') < 0:
            before, wrong = self.copy(), dict(self.wrong)
            one, two = self.choose(tokens, self.is_there, self.is_there)
            self.state, self.wrong = before, wrong
            return one and two
        return self.look(tokens)[2]

    def call(self, word, line, inside, reports):
        f = self.p.find(self.f.path, word) if word else None
        if not reports:
            return (f.result, not f.nullable) if f else (None, True)
        if word in ('sizeof', 'offsetof', '__typeof__'):
            return None, True
        arguments = self.parts(inside, ',')
        for i, argument in enumerate(arguments):
            self.value(argument)
            takes = f and not f.is_macro and i < len(f.params) and f.params[i][1] and not f.params[i][3]
            if takes and self.state is not None and not self.is_there(argument):
                self.error(line, f'"{"".join(t for t, _ in argument)}" may be NULL, and {word}() does not expect that')
        if self.state is not None and (f.suspends if f else not word):
            self.state = {path: there for path, there in self.state.items() if '>' not in path and '.' not in path}
        for argument in arguments:
            path = self.look(argument[1:])[1] if argument and argument[0][0] == '&' else None
            if path:
                self.state.pop(path, None)
        return (f.result, not f.nullable) if f else (None, True)


# What the check itself is held against: the body of a function that may suspend, and whether it keeps to the rule.
SAMPLES = [
    ('look(t, page_main_frame(p));\n\tlook(t, page_main_frame(p));', True),
    ('struct frame *f = page_find_frame(p, "a");\n\tclose(f);\n\ttask_wait(t, "b");', True),
    ('struct frame *f = page_find_frame(p, "a");\n\ttask_wait(t, "b");\n\tclose(f);', False),
    ('struct frame *f = page_find_frame(p, "a");\n\tlook(t, f);', False),
    ('look(t, page_find_frame(p, "a"));', False),
    ('glance(t, page_find_frame(p, "a"));', True),
    ('_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_find_frame(p, "a"));\n\tlook(t, f);\n\tclose(f);', True),
    ('_cleanup_(frame_unrefp) struct frame *f = page_find_frame(p, "a");', False),
    ('struct frame *f;\n\twhile ((f = page_find_frame(p, "a")))\n\t\ttask_wait(t, "b");', True),
    ('struct frame *f = page_find_frame(p, "a");\n\twhile (f)\n\t\ttask_wait(t, "b");', False),
    ('struct frame *f = page_find_frame(p, "a");\n\tif (!f)\n\t\treturn task_wait(t, "b");\n\tclose(f);', True),
    ('struct frame *f = page_find_frame(p, "a");\n\tif (!f)\n\t\ttask_wait(t, "b");\n\tclose(f);', False),
    ('struct frame *f;\n\tTAILQ_FOREACH(f, &p->frames, link)\n\t\tlook(t, p->kept);', False),
    ('look(t, p->kept);', True),
    ('look(t, p->other);', False),
    ('look(t, h ? page_main_frame(p) : p->other);', False),
    ('struct frame *f = p->kept;\n\ttask_wait(t, "b");\n\tclose(f);', True),
    ('struct frame *f = p->other;\n\th->run(h);\n\tclose(f);', False),
    ('find(p, &h->f);\n\tlook(t, h->f);', False),
    ('struct frame *f;\n\tfind(p, &f);\n\tclose(f);\n\ttask_wait(t, "b");\n\tfind(p, &f);\n\tclose(f);', True),
    ('struct frame *f;\n\tfind(p, &f);\n\ttask_wait(t, "b");\n\tclose(f);', False),
    ('struct frame *f = page_find_frame(p, "a");\n\twhile (h) {\n\t\ttask_wait(t, "b");\n\t\tbreak;\n\t}\n\tclose(f);', False),
    ('struct frame *f;\n\tfor (;;) {\n\t\tfind(p, &f);\n\t\tif (h)\n\t\t\tbreak;\n\t\ttask_wait(t, "b");\n\t}\n\tclose(f);', True),
    ('struct frame *f;\n\tfind(p, &f);\n\tdo {\n\t\tclose(f);\n\t\tif (task_wait(t, "b"))\n\t\t\tcontinue;\n\t\tfind(p, &f);\n\t} while (h);',
     False),
    ('struct frame *f = page_find_frame(p, "a");\n\tswitch (h->n) {\n\tcase 0:\n\t\tbreak;\n\tcase 1:\n\t\tlook(t, f);\n\t}', False),
    ('struct frame *f = page_find_frame(p, "a");\n\tswitch (h->n) {\n\tcase 0:\n\t\treturn task_wait(t, "b");\n\tcase 1:\n\t\tclose(f);\n\t}', True),
    ('struct frame *f = page_find_frame(p, "a");\n\tif (task_wait(t, "b"))\n\t\tgoto out;\n\treturn 0;\nout:\n\tclose(f);', False),
    ('struct frame *f = page_find_frame(p, "a");\n\tWAIT(t, "b");\n\tclose(f);', False),
    ('struct frame *f = page_find_frame(p, "a");\n\th->table[0](t);\n\tclose(f);', False),
]
NULL_SAMPLES = [
    ('close(p->tab);', False),
    ('if (p->tab)\n\t\tclose(p->tab);', True),
    ('if (!p->tab)\n\t\treturn 0;\n\tclose(p->tab);', True),
    ('if (p->tab)\n\t\tclose(p->tab);\n\tclose(p->tab);', False),
    ('if (h && p->tab && p->tab->kept)\n\t\tclose(p->tab);', True),
    ('if (h || p->tab->kept)\n\t\tclose(p->kept);', False),
    ('if (!p->tab || h)\n\t\treturn 0;\n\tclose(p->tab);', True),
    ('if (p->tab != NULL)\n\t\tclose(p->tab);', True),
    ('struct frame *f = p->tab ? p->tab : p->kept;\n\tclose(f);', True),
    ('struct frame *f = p->tab;\n\tclose(f);', False),
    ('struct frame *f = p->tab;\n\twhile (f) {\n\t\ttask_wait(t, "b");\n\t\tclose(f);\n\t}', True),
    ('if (p->tab) {\n\t\ttask_wait(t, "b");\n\t\tclose(p->tab);\n\t}', False),
    ('if (p->tab) {\n\t\th->run(h);\n\t\tclose(p->tab);\n\t}', False),
    ('if (p->tab) {\n\t\tp = h->f->page;\n\t\tclose(p->tab);\n\t}', False),
    ('p->tab = p->kept;\n\tclose(p->tab);', True),
    ('close(page_any_frame(p));', False),
    ('close_any(page_any_frame(p));', True),
    ('struct frame *f;\n\tif ((f = page_any_frame(p)))\n\t\tclose(f);', True),
    ('struct frame *f = page_any_frame(p);\n\tfind(p, &f);\n\tclose(f);', True),
    ('struct frame *f = page_any_frame(p);\n\treturn f->page ? 1 : 0;', False),
    ('struct page *q = {.tab = h ? p->tab->page : p};', False),
]
PROLOGUE = '''
#define WAIT(t, where) \\
	task_wait(t, where)
struct page {
	_kept_ struct frame *kept;
	struct frame *other;
	_nullable_ struct frame *tab;
};
struct frame {
	struct page *page;
	struct frame *kept;
};
struct holder {
	struct task *t;
	struct frame *f;
	int (*run)(struct holder *h);
};
int task_wait(struct task *t, const char *where);
struct frame *page_find_frame(struct page *p, const char *id);
_kept_ struct frame *page_main_frame(struct page *p);
struct frame *frame_ref(struct frame *f);
_nullable_ struct frame *page_any_frame(struct page *p);
void close(struct frame *f);
void close_any(_nullable_ struct frame *f);
int find(struct page *p, struct frame **ret);
int glance(struct task *t, _borrowed_ struct frame *f)
{
	close(f);
	return task_wait(t, "a");
}
int look(struct task *t, struct frame *f)
{
	return task_wait(t, "a");
}
'''


def try_samples():
    """Those that the check gets wrong."""
    samples = [(Held, *sample) for sample in SAMPLES] + [(lambda p, f: There(p, f, {}), *sample) for sample in NULL_SAMPLES]
    for check, body, right in samples:
        source = f'{PROLOGUE}int sample(struct task *t, struct page *p, struct holder *h)\n{{\n\t{body}\n\treturn task_wait(t, "end");\n}}\n'
        program = Program([(pathlib.Path('sample.c'), source)], {'frame', 'page'})
        if right == bool(check(program, program.functions['sample']).run()):
            yield f'the check is wrong about:\n\t{body}'


def main():
    src = pathlib.Path(sys.argv[1])
    files = sorted(p for p in src.rglob('*') if p.suffix in ('.c', '.h'))
    mortal = {name for name, *_ in rows((src / 'README.md').read_text(), 'object')}
    sources = [(p.relative_to(src), p.read_text()) for p in files]
    program = Program(sources, mortal)
    vouched = program.vouched_for(sources)
    functions = [f for f in program.functions.values() if f.body]
    suspending = [f for f in functions if f.suspends]
    nullable = sum(m.nullable for members in program.structs.values() for m in members.values())
    wrong = [*try_samples(), *(line for f in suspending for line in Held(program, f).run()),
             *(line for f in functions for line in There(program, f, vouched).run())]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{len(functions)} functions, {len(suspending)} may suspend, {len(mortal)} objects, {nullable} members that may be NULL, '
          f'{len(wrong)} breaches')
    return 1 if wrong or len(suspending) < 100 or not mortal or not nullable else 0


if __name__ == '__main__':
    sys.exit(main())
