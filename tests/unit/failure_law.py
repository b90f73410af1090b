#!/usr/bin/env python3
"""
Failures keep their reasons. What is below the surfaces returns the failure of what it called, or adds to it by task_wrap(); it does not
read its words, and no failure is made of another one's words, which would lose reason, facts and details. And no layer below the tools
names a tool, because each surface has names of its own for what to do next.

failure_law.py SRC
"""

import pathlib
import re
import sys

# Folders that write answers, complaints to clients and logs.
SURFACES = ('mcp', 'reply', 'fleet', 'tools', 'runcode', 'main')
# They have what all tools share, among it descriptions of parameters.
NAMERS = SURFACES + ('app',)
WORDS = re.compile(r'\b(?:failure_words(?:_of)?|failure_print|browse_failure_text)\(')
FAIL = re.compile(r'\b(?:task_v?fail(?:_because|_details)?|browse_fail(?:_\w+)?|failure_v?set(?:_because)?)\(')
TEXTS = re.compile(r'\b(?:failure_words(?:_of)?|browse_failure_text|failure_print)\(|failure\.(?:text\.)?data')
# The note below headings in the short notation names the one tool that goes on from there.
NAMING = ('view/fold.c',)
# The words of a failure are printed where failures are defined.
OWN = ('base/failure.c', 'base/failure.h', 'loop/failure_words.c', 'loop/failure_words.h')


def arguments(text, start):
    """What stands between the parenthesis before `start` and the one that closes it."""
    depth, at = 1, start
    while depth and at < len(text):
        if text[at] == '"':
            at = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, at).end()
            continue
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        at += 1
    return text[start:at]


def tool_names(source):
    """Names that no other word has: with an underscore, or capitals inside."""
    text = ''.join(path.read_text() for folder in ('tools', 'runcode') for path in (source / folder).rglob('*.c'))
    names = set(re.findall(r'(?:\.name = |\w+_TOOL\(\s*)"(\w+)"', text))
    return {name for name in names if re.search(r'_|[a-z][A-Z]', name)}


def main():
    source = pathlib.Path(sys.argv[1])
    names = tool_names(source)
    named = re.compile(r'\b(?:' + '|'.join(sorted(names)) + r')\b')
    made, wrong = 0, []
    for path in sorted(p.relative_to(source) for p in source.rglob('*.[ch]')):
        text = (source / path).read_text()
        lines = [(path, text.count('\n', 0, m.start()) + 1, m) for m in FAIL.finditer(text)]
        made += len(lines)
        wrong += [f'src/{path}:{line}: a failure is made of the words of another: use task_wrap()'
                  for path, line, m in lines if str(path) not in OWN and TEXTS.search(arguments(text, m.end()))]
        if path.parts[0] not in SURFACES and str(path) not in OWN:
            wrong += [f'src/{path}:{text.count(chr(10), 0, m.start()) + 1}: words of a failure are read below the surfaces'
                      for m in WORDS.finditer(text)]
        if path.parts[0] in NAMERS or str(path) in NAMING:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            wrong += [f'src/{path}:{number}: {named.search(literal).group()} is a tool: give a hint (struct hint), which the surface words'
                      for literal in re.findall(r'"(?:[^"\\]|\\.)*"', line) if named.search(literal)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{made} failures, {len(names)} tools, {len(wrong)} complaints')
    return 1 if wrong or not made or not names else 0


if __name__ == '__main__':
    sys.exit(main())
