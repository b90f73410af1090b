#!/usr/bin/env python3
"""Holds every C file of src/ and tests/ against .clang-format: format.py CLANG_FORMAT ROOT.

The styles of different versions of clang-format differ, so another version than the one that the files were formatted with is skipped.
"""

import pathlib
import re
import subprocess
import sys

VERSION = 14  # Debian 12
SKIPPED = 77


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    text = subprocess.run([program, '--version'], check=True, capture_output=True, text=True).stdout
    if int(re.search(r'version (\d+)', text)[1]) != VERSION:
        print(f'skipped: the files are formatted with version {VERSION}, and this is {text.strip()}')
        return SKIPPED
    files = sorted(str(p) for folder in ('src', 'tests') for p in (root / folder).rglob('*') if p.suffix in ('.c', '.h'))
    done = subprocess.run([program, '--dry-run', '--Werror', '--ferror-limit=1', *files], cwd=root, capture_output=True, text=True)
    wrong = sorted({line.split(':')[0] for line in done.stderr.splitlines() if 'error: ' in line})
    for path in wrong:
        print(f'{path} is not formatted: clang-format -i {path}', file=sys.stderr)
    print(f'{len(files)} files, {len(wrong)} to format')
    return 1 if done.returncode or not files else 0


if __name__ == '__main__':
    sys.exit(main())
