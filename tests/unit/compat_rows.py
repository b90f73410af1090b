#!/usr/bin/env python3
"""docs/compat.md has a row for each tool of @playwright/mcp, and for each option of it or that is accepted because of it."""

import json
import pathlib
import re
import sys

ROW = re.compile(r'^\| ([^|]*`[^|]*) \|', re.M)
SHARED = re.compile(r'\b(?:OPTION|CHOICE|SWITCH)\("([\w-]+)"(?:(?!\n\t(?:OPTION|CHOICE|SWITCH|CONFIG)).)*?\.shared = true', re.S)
CONFIG = re.compile(r'\b(?:CONFIG|CONFIG_CHOICE|CONFIG_SWITCH|OPTION)\((CONTEXT|LAUNCH) "([\w.]+)"')


def lines_of(text, title):
    """The names in the first cells of the tables below a heading."""
    section = re.search(rf'^## {title}\n(.*?)(?=^## |\Z)', text, re.M | re.S)
    return {name for cell in ROW.findall(section[1]) for name in re.findall(r'`([^`]+)`', cell)} if section else set()


ROOT = pathlib.Path(sys.argv[1])
table = (ROOT / 'src/main/option_table.c').read_text()
compat = (ROOT / 'docs/compat.md').read_text()
options = set((ROOT / 'tests/compat/options.txt').read_text().split())
options |= {f'--{name}' for name in SHARED.findall(table)}
options |= {('contextOptions.' if parent == 'CONTEXT' else 'launchOptions.') + name for parent, name in CONFIG.findall(table)}
tools = {tool['name'] for tool in json.loads((ROOT / 'tests/compat/tools.json').read_text())}
if len(options) < 80 or len(tools) < 72:
    sys.exit(f'only {len(options)} options and {len(tools)} tools were found')
shown = {name.split(' ')[0] for name in lines_of(compat, 'Options')}
missing = sorted(options - shown) + sorted(tools - lines_of(compat, 'Tools'))
if missing:
    sys.exit('docs/compat.md has no row for ' + ', '.join(missing))
