#!/usr/bin/env python3
"""
Holds the templates of str_json() in the sources, and of all macros that pass one on, against the rules of base/strjson.h: as many
arguments as placeholders, and a cast to bool before what is an int in C but means true or false.

json_templates.py DIRECTORY...
"""

import pathlib
import re
import sys

TOKEN = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\w+|->|[=!<>]=|&&|\|\||<<|>>|\s+|.', re.S)
MACRO = re.compile(r'^#define (\w+)\(([^)\n]*), \.\.\.\)((?:[^\n\\]|\\\n|\\)*)', re.M)
TRUTH = {'!', '==', '!=', '<=', '>=', '<', '>', '&&', '||'}
LIMIT = 16  # arguments of JSON_VALUES()


def macros(text, known):
    """The macros that pass a template on to JSON_VALUES(), or to one of `known`: their names, and the number of the template."""
    found = {}
    for name, params, body in MACRO.findall(text):
        match = re.search(r'\b(%s)\((?:[^;]*?, )??(?:(\w+), ##)?__VA_ARGS__\)' % '|'.join(['JSON_VALUES', *known]), body)
        if match:
            params = params.split(', ')
            found[name] = params.index(match[2]) if match[2] else len(params)
    return found


def known_in(path, text, defined):
    """The macros of src/ are known everywhere, those of a test in its own file and where its header is included."""
    known = {}
    for source, names in defined.items():
        if 'src' in source.parts or source == path or f'#include "{source.name}"' in text:
            known |= names
    return known


def arguments(tokens, i):
    """The arguments, as lists of tokens, of the call whose '(' is at `i`."""
    depth, parts = 0, [[]]
    for token in tokens[i:]:
        depth += (token in '([{') - (token in ')]}') if len(token) == 1 else 0
        if depth == 0:
            return parts
        if token == ',' and depth == 1:
            parts.append([])
        elif depth > 1 or token != '(' or parts != [[]]:
            parts[-1].append(token)
    return None


def placeholders(template):
    """The number of ? outside of quotes."""
    return re.sub(r'\'(?:[^\'\\]|\\.)*\'|"(?:[^"\\]|\\.)*"', '', template).count('?')


def literal(tokens):
    """The text of adjacent C strings; None if there is anything else, such as a macro."""
    if not tokens or any(not t.startswith('"') for t in tokens):
        return None
    return re.sub(r'\\(["\\?])', r'\1', ''.join(t[1:-1] for t in tokens))


def means_truth(tokens):
    """Whether an argument is a comparison or negation, which has the type int."""
    depth, top = 0, []
    for token in tokens:
        depth += (token in '([{') - (token in ')]}') if len(token) == 1 else 0
        if depth == 0:
            top.append(token)
    return tokens[:3] != ['(', 'bool', ')'] and '?' not in top and any(t in TRUTH for t in top)


def complaint(parts, before):
    """What is wrong with a call; None if nothing is, or it cannot be seen here."""
    template, values = parts[before], parts[before + 1:]
    if values and values[-1] == ['__VA_ARGS__']:
        return None
    for value in values:
        if means_truth(value):
            return f'{"".join(value)} is an int: write (bool)'
    if len(values) > LIMIT:
        return f'more than {LIMIT} arguments'
    text = literal(template)
    if text is not None and placeholders(text) != len(values):
        return f'{placeholders(text)} placeholders and {len(values)} arguments: {text}'
    return None


def check(path, text, known):
    tokens = [(m[0], m.start()) for m in TOKEN.finditer(text) if not m[0].isspace() and not m[0].startswith('/*')]
    words = [t for t, _ in tokens]
    count, wrong = 0, []
    for i, (word, at) in enumerate(tokens):
        if word not in known or words[i + 1:i + 2] != ['('] or words[i - 1:i] == ['define']:
            continue
        parts = arguments(words, i + 1)
        if parts is None or len(parts) <= known[word]:
            continue
        count += 1
        what = complaint(parts, known[word])
        if what:
            wrong.append(f'{path}:{text.count(chr(10), 0, at) + 1}: {word}(): {what}')
    return count, wrong


EXAMPLE = r'''
#define str_json(s, ...) str_json_values(s, JSON_VALUES(__VA_ARGS__))
#define cdp_send(t, s, call, method, ...) \
	cdp_send_values(t, s, call, method, JSON_VALUES(__VA_ARGS__))
#define SEND(template, ...) cdp_send(t, s, &c, "Page.navigate", template, ##__VA_ARGS__)
str_json(&s, "{a: ?, b: '?'}", f(1, 2));
cdp_send(t, s, &c, "Page.navigate", "{url: ?, " "again: ?}", url, (bool)!first);
str_json(&s, "{a: ?}", n > 1 ? "x" : "y");
str_json(&s, "{a: \"it's ?\", b: ?}", JSON_TEXT(text, size));
str_json(&s, "{a: ?}");
str_json(&s, "{a: 'it\\'s ?'}", a);
cdp_send(t, s, &c, "Page.navigate", "{url: ?}", url, again);
str_json(&s, "{a: ?}", !first);
str_json(&s, "{a: ?}", a->count == 0 || f(a));
SEND("{a: ?}");
SEND("{a: ?}", a);
'''


def main():
    known = macros(EXAMPLE, [])
    known |= macros(EXAMPLE, known)
    _, wrong = check('', EXAMPLE, known)
    assert known == {'str_json': 1, 'cdp_send': 4, 'SEND': 0}, known
    assert [int(line.split(':')[1]) for line in wrong] == [10, 11, 12, 13, 14, 15], wrong

    files = {p: p.read_text() for d in sys.argv[1:] for p in sorted(pathlib.Path(d).rglob('*.[ch]'))}
    defined = {path: macros(text, []) for path, text in files.items()}
    first = {name for names in defined.values() for name in names}
    defined = {path: macros(text, first) for path, text in files.items()}
    count, wrong = 0, []
    for path, text in files.items():
        n, found = check(path, text, known_in(path, text, defined))
        count, wrong = count + n, wrong + found
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{count} templates, {len(wrong)} wrong')
    return 1 if wrong or not count else 0


if __name__ == '__main__':
    sys.exit(main())
