#!/usr/bin/env python3
"""Only src/main names command-line options: the layers below it get their names as settings (struct option, names)."""

import pathlib
import re
import sys

ROW = re.compile(r'\b(?:OPTION|CHOICE|SWITCH)\("([\w-]+)"')
FLAG = re.compile(r'(?<![\w-])--([a-z][\w-]*)')
SOURCES = {'.c', '.h', '.js'}
# Arguments of browsers that have the name of one of our options.
BROWSERS = {'engine/cdp/arguments.c': {'headless', 'no-sandbox', 'proxy-server', 'user-data-dir'}, 'engine/bidi/launch.c': {'headless', 'profile'}}


def breaches(path, options):
    """The options that the file names, as (line, option)."""
    allowed = BROWSERS.get(path.relative_to(SRC).as_posix(), set())
    for number, line in enumerate(path.read_text().splitlines(), 1):
        yield from ((number, flag) for flag in FLAG.findall(line) if flag in options - allowed)


SRC = pathlib.Path(sys.argv[1])
options = set(ROW.findall((SRC / 'main/option_table.c').read_text()))
found = [f'src/{path.relative_to(SRC)}:{line}: names --{flag}'
         for path in sorted(SRC.rglob('*')) if path.suffix in SOURCES and SRC / 'main' not in path.parents
         for line, flag in breaches(path, options)]
if len(options) < 50:
    found.append(f'only {len(options)} options were found in src/main/option_table.c')
if found:
    sys.exit('\n'.join(found))
