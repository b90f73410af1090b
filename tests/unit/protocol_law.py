#!/usr/bin/env python3
"""
Only the folders that speak CDP name its methods and events: what is above them calls functions of these folders, so that
another protocol could stand beside CDP.

protocol_law.py SRC
"""

import pathlib
import re
import sys

SPEAKERS = ('cdp', 'page', 'browser', 'act')
METHOD = re.compile(r'"[A-Z][A-Za-z]+\.[a-z][A-Za-z]+"')


def main():
    source = pathlib.Path(sys.argv[1])
    found, wrong = 0, []
    for path in sorted(p.relative_to(source) for p in source.rglob('*.[ch]')):
        for number, line in enumerate((source / path).read_text().splitlines(), 1):
            for name in METHOD.findall(line):
                found += 1
                if path.parts[0] not in SPEAKERS:
                    wrong.append(f'src/{path}:{number}: {name} is a method of CDP; call a function of page, browser or act')
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{found} names of methods, {len(wrong)} outside of {" ".join(SPEAKERS)}')
    return 1 if wrong or not found else 0


if __name__ == '__main__':
    sys.exit(main())
