#!/usr/bin/env python3
"""
Holds the functions and objects that each library of src/ uses against the table of folders in src/README.md. An #include does not
show all of it: a header of a lower folder can declare what a higher one defines.

symbol_law.py SRC NM LIBRARY...; each library is BUILD/src/FOLDER/libNAME.a.
"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from include_law import law  # noqa: E402


def symbols(nm, library):
    """The global names that `library` defines, and those that it leaves to others."""
    defined, used = set(), set()
    for line in subprocess.run([nm, '-g', library], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3:
            defined.add(words[2])
        elif len(words) == 2 and words[0] == 'U':
            used.add(words[1])
    return defined, used - defined


def folder_of(library):
    parts = pathlib.Path(library).parent.parts
    return '/'.join(parts[len(parts) - parts[::-1].index('src'):])


def main():
    source, nm, *libraries = sys.argv[1:]
    folders, _ = law(pathlib.Path(source) / 'README.md')
    seen = {folder_of(library): symbols(nm, library) for library in libraries}
    home = {name: folder for folder, (defined, _) in seen.items() for name in defined if not name.startswith('_')}
    wrong = [f'{folder}: its library is not given' for folder in folders if folder not in seen]
    for folder, (_, used) in seen.items():
        wrong += [f'{folder} must not use {name}, which {home[name]} defines' for name in sorted(used & home.keys())
                  if home[name] not in folders[folder]]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{len(seen)} libraries, {len(home)} names, {len(wrong)} breaches')
    return 1 if wrong or not home else 0


if __name__ == '__main__':
    sys.exit(main())
