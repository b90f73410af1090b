#!/usr/bin/env python3
"""
Holds the functions and objects that each library of src/ uses against the table of folders in src/README.md. An #include does not
show all of it: a header of a lower folder can declare what a higher one defines. Within a folder, no files may use each other in a
circle.

symbol_law.py SRC NM LIBRARY...; each library is BUILD/src/FOLDER/libNAME.a.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from include_law import law  # noqa: E402


def symbols(nm, library):
    """For each file of `library`: the global names that it defines, and those that it leaves to others."""
    files = {}
    for line in subprocess.run([nm, '-g', library], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if line.endswith(':'):
            defined, used = files[pathlib.Path(line[:-1]).name.removesuffix('.o')] = set(), set()
        elif len(words) == 3:
            defined.add(words[2])
        elif len(words) == 2 and words[0] == 'U':
            used.add(words[1])
    return files


def folder_of(library):
    parts = pathlib.Path(library).parent.parts
    return '/'.join(parts[len(parts) - parts[::-1].index('src'):])


def uses_within(files):
    """
    For each file: the files of the same folder that it uses, each with the names that it uses of it. The table of an engine, which is generated
    and which its targets point to, is none of them.
    """
    files = {file: names for file, names in files.items() if not file.startswith('meson-generated')}
    home = {name: file for file, (defined, _) in files.items() for name in defined if not name.startswith('_')}
    uses = {file: {} for file in files}
    for file, (defined, used) in files.items():
        for name in sorted(used & home.keys() - defined):
            uses[file].setdefault(home[name], []).append(name)
    return uses


def circles(uses):
    """Sets of two or more files each of which reaches all others of its set (Tarjan's algorithm)."""
    order, lowest, path, found = {}, {}, [], []

    def visit(file):
        order[file] = lowest[file] = len(order)
        path.append(file)
        for other in uses[file]:
            if other not in order:
                visit(other)
                lowest[file] = min(lowest[file], lowest[other])
            elif other in path:
                lowest[file] = min(lowest[file], order[other])
        if lowest[file] == order[file]:
            start = path.index(file)
            if len(path) - start > 1:
                found.append(set(path[start:]))
            del path[start:]

    for file in uses:
        if file not in order:
            visit(file)
    return found


def circle_breaches(folder, files):
    uses = uses_within(files)
    for circle in circles(uses):
        yield f'{folder}: {len(circle)} files use each other in a circle; move functions, or hand pointers to them upwards:'
        yield from (f'  {file} uses {", ".join(names)} of {other}' for file in sorted(circle)
                    for other, names in sorted(uses[file].items()) if other in circle)


def operations(source):
    """What the headers of engine/ declare and folders below it define: it belongs to those who may include the headers."""
    return {name for header in (source / 'engine').glob('*.h') for name in re.findall(r'\b([a-z]\w+)\(', header.read_text())}


def main():
    source, nm, *libraries = sys.argv[1:]
    folders, _ = law(pathlib.Path(source) / 'README.md')
    libraries = {folder_of(library): symbols(nm, library) for library in libraries}
    home = {name: folder for folder, files in libraries.items() for defined, _ in files.values() for name in defined
            if not name.startswith('_')}
    home.update((name, 'engine') for name in operations(pathlib.Path(source)) if home.get(name, 'engine/').startswith('engine/'))
    wrong = [f'{folder}: its library is not given' for folder in folders if folder not in libraries]
    for folder, files in libraries.items():
        used = set().union(*(used for _, used in files.values()))
        wrong += [f'{folder} must not use {name}, which {home[name]} defines' for name in sorted(used & home.keys())
                  if home[name] != folder and home[name] not in folders[folder]]
        wrong += circle_breaches(folder, files)
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{len(libraries)} libraries, {len(home)} names, {len(wrong)} breaches')
    return 1 if wrong or not home else 0


if __name__ == '__main__':
    sys.exit(main())
