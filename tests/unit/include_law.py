#!/usr/bin/env python3
"""Holds every #include in src/ against the tables in src/README.md."""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def rows(text, first_column):
    """Cells of the Markdown table whose first heading is `first_column`."""
    lines = iter(text.splitlines())
    for line in lines:
        if re.match(rf'\|\s*{first_column}\s*\|', line):
            break
    next(lines)  # the line of dashes
    for line in lines:
        if not line.startswith('|'):
            return
        yield [cell.strip() for cell in line.strip('|').split('|')]


def law(readme):
    text = readme.read_text()
    folders = {name: set(allowed.split()) for name, _, allowed in rows(text, 'folder')}
    libraries = {header: set(places.split()) for header, places, _ in rows(text, 'header')}
    return folders, libraries


def folder_of(path, folders):
    """The listed folder that `path` (relative to src/) is in, the innermost one; None: there is none."""
    return next((p.as_posix() for p in path.parents if p.as_posix() in folders), None)


def breaches(path, folders, libraries):
    """What is wrong with the includes of `path`, which is relative to src/."""
    here = folder_of(path, folders)
    for own, system in INCLUDE.findall((SRC / path).read_text()):
        if system and not {here, path.as_posix()} & libraries.get(system, {here}):
            yield f'<{system}> belongs to {" ".join(sorted(libraries[system]))}'
        if not own:
            continue
        there = folder_of(pathlib.PurePath(own), folders)
        if '/' not in own:
            yield f'"{own}" does not name its folder'
        elif not there:
            yield f'"{own}" is in a folder that src/README.md does not list'
        elif there != here and there not in folders[here]:
            yield f'{here} must not see {there}: "{own}"'
        elif there != here and own.endswith('/internal.h'):
            yield f'"{own}" is shared by the files of {there} only'


def circles(folders):
    """Folders that may include themselves by way of others."""
    reach = {name: set(allowed) for name, allowed in folders.items()}
    for _ in folders:
        for seen in reach.values():
            seen.update(*(reach.get(name, ()) for name in list(seen)))
    return [name for name, seen in reach.items() if name in seen]


SRC = pathlib.Path(sys.argv[1])


def main():
    folders, libraries = law(SRC / 'README.md')
    wrong = [f'src/README.md: {name} may include itself by way of other folders' for name in circles(folders)]
    files = sorted(p.relative_to(SRC) for p in SRC.rglob('*') if p.suffix in ('.c', '.h'))
    for path in files:
        if not folder_of(path, folders):
            wrong.append(f'{path}: its folder is not in src/README.md')
            continue
        wrong += [f'{path}: {what}' for what in breaches(path, folders, libraries)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{len(files)} files, {len(wrong)} breaches')
    return 1 if wrong or not files else 0


if __name__ == '__main__':
    sys.exit(main())
