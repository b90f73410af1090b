#!/usr/bin/env python3
"""Packs an MCP bundle: pack.py OUT VERSION PLATFORM PROGRAM. Writes browserd-VERSION-linux-PLATFORM.mcpb into the folder OUT.

A bundle is a ZIP archive with manifest.json and the static program. Times are those of SOURCE_DATE_EPOCH or 1980, so equal programs make
equal bundles."""

import os
import pathlib
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ARCHITECTURES = {'x64': 'x86-64', 'arm64': 'arm64'}


def add(archive, name, data, mode):
    moment = time.gmtime(max(int(os.environ.get('SOURCE_DATE_EPOCH', 0)), 315532800))[:6]  # ZIP knows no time before 1980
    entry = zipfile.ZipInfo(name, moment)
    entry.create_system = 3  # Unix: external_attr has the mode
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def main():
    out, version, platform, program = sys.argv[1:]
    manifest = (HERE / 'manifest.json').read_text(encoding='utf-8')
    manifest = manifest.replace('VERSION', version).replace('ARCHITECTURE', ARCHITECTURES[platform])
    with zipfile.ZipFile(pathlib.Path(out, f'browserd-{version}-linux-{platform}.mcpb'), 'w') as archive:
        add(archive, 'manifest.json', manifest, 0o644)
        add(archive, 'LICENSE', (ROOT / 'LICENSE').read_bytes(), 0o644)
        add(archive, 'server/browserd', pathlib.Path(program).read_bytes(), 0o755)


if __name__ == '__main__':
    main()
