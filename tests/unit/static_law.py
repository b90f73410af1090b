#!/usr/bin/env python3
"""
No two files of src/ define a static function of the same name: a breakpoint, a line of a crash log or a search means one of them. A name that
two files need begins with that of the file.

static_law.py SRC
"""

import collections
import pathlib
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
DEFINITION = re.compile(r'^static (?:inline )?(?!const \w+ \w+ =|struct \w+ \w+(?: =|;))[^=;(\n]*?\b([a-z]\w*)\((?!\*)', re.M)


def main():
    source = pathlib.Path(sys.argv[1])
    files = collections.defaultdict(set)
    for path in source.rglob('*.c'):
        for name in DEFINITION.findall(COMMENT.sub('', path.read_text())):
            files[name].add(f'src/{path.relative_to(source)}')
    wrong = [f'{name}() is static in {", ".join(sorted(found))}; begin each name with that of its file'
             for name, found in sorted(files.items()) if len(found) > 1]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{sum(map(len, files.values()))} static functions, {len(wrong)} breaches')
    return 1 if wrong or not files else 0


if __name__ == '__main__':
    sys.exit(main())
