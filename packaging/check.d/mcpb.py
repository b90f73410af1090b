#!/usr/bin/env python3
"""The MCP bundles in $DIST: @anthropic-ai/mcpb of npm validates, packs and unpacks them, and the unpacked server is driven with the command
of its manifest."""

import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import driving
from driving import expect

DIST = pathlib.Path(os.environ['DIST'])
PLATFORM = {'x86_64': 'x64', 'aarch64': 'arm64'}.get(platform.machine())


def mcpb(folder, *arguments):
    subprocess.run([folder / 'node_modules/.bin/mcpb', *arguments], check=True, stdout=subprocess.DEVNULL)


def check(folder, path):
    unpacked, packed, again = folder / f'{path.stem} unpacked', folder / path.name, folder / f'{path.stem} again'
    mcpb(folder, 'unpack', path, unpacked)
    mcpb(folder, 'validate', unpacked / 'manifest.json')
    mcpb(folder, 'pack', unpacked, packed)
    mcpb(folder, 'unpack', packed, again)
    for each in ('manifest.json', 'server/browserd', 'LICENSE'):
        expect((unpacked / each).read_bytes() == (again / each).read_bytes(), f'{path.name}: packed again, {each} is the same')
    expect(True, f'{path.name} is valid, {path.stat().st_size / 1e6:.1f} MB')
    return unpacked


def filled(text, folder, manifest):
    text = text.replace('${__dirname}', str(folder))
    for key, value in manifest['user_config'].items():
        text = text.replace('${user_config.' + key + '}', str(value['default']).lower() if value['type'] == 'boolean' else value['default'])
    return text


def check_server(unpacked):
    manifest = json.loads((unpacked / 'manifest.json').read_text(encoding='utf-8'))
    config = manifest['server']['mcp_config']
    env = {**os.environ, **{key: filled(value, unpacked, manifest) for key, value in config['env'].items()}}
    command = [filled(word, unpacked, manifest) for word in (config['command'], *config['args'])]
    expect(driving.drive(command, env=env)['server']['name'] == 'browserd', 'driven with the command of its manifest')


def main():
    bundles = sorted(DIST.glob('*.mcpb'))
    if not bundles or not shutil.which('npm') or not driving.has_client():
        print(f'skipped: needs npm, bundles in {DIST} and the client in {driving.SDK}')
        return 77
    with tempfile.TemporaryDirectory(prefix='browserd mcpb ') as name:
        folder = pathlib.Path(name)
        subprocess.run(['npm', 'install', '--silent', '--prefix', folder, '@anthropic-ai/mcpb@2'], check=True)
        for path in bundles:
            unpacked = check(folder, path)
            if path.stem.endswith(f'-{PLATFORM}'):
                check_server(unpacked)
    return 0


if __name__ == '__main__':
    sys.exit(main())
