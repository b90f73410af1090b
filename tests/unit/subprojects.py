#!/usr/bin/env python3
"""Checks the Meson wraps of libraries that a build may bring along (docs/building.md): subprojects.py ROOT.

Needs no network and no sources. A wrap names its archive and the archive's hash, but no address. The build files that Meson puts into
the unpacked sources exist, and define the dependency that the wrap provides, in the version of the wrap. A wrap that provides nothing is
taken only if an option asks for it, and overrides the dependencies itself.
"""

import configparser
import hashlib
import pathlib
import re
import sys


def check_wrap(path):
    """The problems of one wrap, as texts."""
    wrap = configparser.ConfigParser(interpolation=None)
    wrap.read(path)
    found, provided = wrap['wrap-file'], wrap['provide'] if 'provide' in wrap else {}
    build = path.parent / 'packagefiles' / found['patch_directory'] / 'meson.build'
    text = build.read_text() if build.is_file() else ''
    archive = path.parent / 'packagefiles' / found['source_filename']
    if any(key.endswith('_url') for section in wrap.values() for key in section):
        yield 'names an address; it names only a file in packagefiles'
    if not re.fullmatch(r'[0-9a-f]{64}', found['source_hash']):
        yield f'source_hash is not a SHA-256: {found["source_hash"]}'
    if archive.exists() and hashlib.sha256(archive.read_bytes()).hexdigest() != found['source_hash']:
        yield f'{archive} does not have the hash of the wrap'
    if not text:
        yield f'{build} does not exist'
    if found['directory'] not in [f'{path.stem}-{version}' for version in re.findall(r"version: '([\w.]+)'", text)]:
        yield f'{build} is for another version than {found["directory"]}'
    if not provided and 'meson.override_dependency(' not in text:
        yield f'{build} overrides no dependency, and the wrap provides none'
    for variable in provided.values():
        if not re.search(rf'^{variable} = declare_dependency\(', text, re.MULTILINE):
            yield f'{build} does not define {variable}'


def main():
    root = pathlib.Path(sys.argv[1])
    wraps = sorted((root / 'subprojects').glob('*.wrap'))
    problems = [f'{path.relative_to(root)}: {problem}' for path in wraps for problem in check_wrap(path)]
    print(*problems, f'{len(wraps)} wraps, {len(problems)} problems', sep='\n')
    return 1 if problems or not wraps else 0


if __name__ == '__main__':
    sys.exit(main())
