#!/usr/bin/env python3
"""Packs the npm packages: pack.py OUT VERSION PLATFORM=PROGRAM...

PLATFORM is x64 or arm64, PROGRAM the static program for it. Writes browserd-VERSION.tgz and browserd-linux-PLATFORM-VERSION.tgz into OUT
with `npm pack`, whose files are equal for equal contents. Publishes nothing. Without the program for a platform, the package browserd
does not depend on it."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def pack(folder, out):
    shutil.copy(ROOT / 'LICENSE', folder)
    for path in [folder, *folder.rglob('*')]:  # whatever the umask of the clone was
        path.chmod(0o755 if path.is_dir() or path.parent.name == 'bin' or path.name == 'browserd' else 0o644)
    subprocess.run(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', out], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def pack_platform(folder, out, version, platform, program):
    shutil.copytree(HERE / 'platform', folder)
    manifest = (folder / 'package.json').read_text(encoding='utf-8')
    (folder / 'package.json').write_text(manifest.replace('VERSION', version).replace('PLATFORM', platform), encoding='utf-8')
    shutil.copy(program, folder / 'browserd')
    pack(folder, out)


def pack_main(folder, out, version, platforms):
    shutil.copytree(HERE / 'browserd', folder)
    shutil.copy(ROOT / 'CHANGELOG.md', folder)
    manifest = json.loads((folder / 'package.json').read_text(encoding='utf-8'))
    manifest['version'] = version
    manifest['optionalDependencies'] = {f'browserd-linux-{platform}': version for platform in sorted(platforms)}
    (folder / 'package.json').write_text(json.dumps(manifest, indent='\t') + '\n', encoding='utf-8')
    pack(folder, out)


def main():
    out, version, *programs = sys.argv[1:]
    programs = dict(each.split('=', 1) for each in programs)
    out = pathlib.Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for platform, program in sorted(programs.items()):
            pack_platform(pathlib.Path(folder, platform), out, version, platform, program)
        pack_main(pathlib.Path(folder, 'browserd'), out, version, programs)


if __name__ == '__main__':
    main()
