#!/usr/bin/env python3
"""
No file of src/ has more than 600 lines, so that one can be read in one go; a longer one holds two things that need names of their own.

size_law.py SRC
"""

import pathlib
import sys

LIMIT = 600
EXEMPT = {
    'main/option_table.c': 'one table, whose rows are numbered by their place in it',
}


def main():
    source = pathlib.Path(sys.argv[1])
    lines = {str(path.relative_to(source)): len(path.read_text().splitlines())
             for path in sorted(source.rglob('*')) if path.suffix in ('.c', '.h', '.js')}
    wrong = [f'src/{file}: there is no such file; remove it from size_law.py' for file in sorted(EXEMPT.keys() - lines.keys())]
    wrong += [f'src/{file} has {count} lines, of which {LIMIT} are allowed; give a part of it a file of its own'
              for file, count in lines.items() if count > LIMIT and file not in EXEMPT]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{len(lines)} files, {len(wrong)} breaches')
    return 1 if wrong or not lines else 0


if __name__ == '__main__':
    sys.exit(main())
