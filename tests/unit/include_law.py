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


def breaches(path, folders, libraries):
    """What is wrong with the includes of `path`, which is relative to src/."""
    here = path.parts[0]
    for own, system in INCLUDE.findall((SRC / path).read_text()):
        if system and not {here, path.as_posix()} & libraries.get(system, {here}):
            yield f'<{system}> belongs to {" ".join(sorted(libraries[system]))}'
        if not own:
            continue
        there = own.split('/')[0]
        if '/' not in own:
            yield f'"{own}" does not name its folder'
        elif there not in folders:
            yield f'"{own}" is in a folder that src/README.md does not list'
        elif there != here and there not in folders[here]:
            yield f'{here} must not see {there}: "{own}"'


SRC = pathlib.Path(sys.argv[1])


def main():
    folders, libraries = law(SRC / 'README.md')
    wrong = []
    files = sorted(p.relative_to(SRC) for p in SRC.rglob('*') if p.suffix in ('.c', '.h'))
    for path in files:
        if path.parts[0] not in folders:
            wrong.append(f'{path}: its folder is not in src/README.md')
            continue
        wrong += [f'{path}: {what}' for what in breaches(path, folders, libraries)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{len(files)} files, {len(wrong)} breaches')
    return 1 if wrong or not files else 0


if __name__ == '__main__':
    sys.exit(main())
