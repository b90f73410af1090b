#!/usr/bin/env python3
"""Each option has a test that reads its effect: option_tests.txt names the file, which has to give the option to a server."""

import pathlib
import re
import sys

ROW = re.compile(r'^\t(OPTION|CHOICE|SWITCH|CONFIG|CONFIG_CHOICE|CONFIG_SWITCH)\(((?:CONTEXT |LAUNCH )?"[\w.-]+")(.*?)(?=^\t\w+\(|^\t\{\})', re.M | re.S)
PARENTS = {'CONTEXT ': 'contextOptions.', 'LAUNCH ': 'launchOptions.'}
ENTRY = re.compile(r'^([\w/.]+): ((?:.|\n\t)+)', re.M)


def rows(table):
    """The options by name, each with the patterns of the ways to write it."""
    found = {}
    for macro, written, rest in ROW.findall(table):
        name = written.replace('"', '')
        for word, parent in PARENTS.items():
            name = name.replace(word, parent)
        keys = re.findall(r'"([^"]+)"', ''.join(re.findall(r'\.keys = \{(.*?)\}', rest, re.S)))
        of_config = macro.startswith('CONFIG') or '.' in name
        patterns = [rf'"{key.split(".")[-1]}"' for key in [*keys, name] if of_config or 'Options.' in key]
        if not of_config:
            patterns += [rf'--{name}(?![\w-])', rf'(?:BROWSERD|PLAYWRIGHT_MCP)_{name.upper().replace("-", "_")}\b']
        patterns += re.findall(r'\.variable = "(\w+)"', rest)
        found.setdefault(name, '|'.join(patterns))
    return found


root = pathlib.Path(sys.argv[1])
options = rows((root / 'src/main/option_table.c').read_text(encoding='utf-8'))
tests = {name: file for file, names in ENTRY.findall((root / 'tests/unit/option_tests.txt').read_text(encoding='utf-8')) for name in names.split()}
wrong = [f'{name} has no test in option_tests.txt' for name in options.keys() - tests.keys()]
wrong += [f'{name} in option_tests.txt is no option' for name in tests.keys() - options.keys()]
wrong += [f'tests/{tests[name]} does not use {name}' for name in options.keys() & tests.keys()
          if not re.search(options[name], (root / 'tests' / tests[name]).read_text(encoding='utf-8'))]
if len(options) < 130:
    wrong.append(f'only {len(options)} options were found in src/main/option_table.c')
if wrong:
    sys.exit('\n'.join(sorted(wrong)))
