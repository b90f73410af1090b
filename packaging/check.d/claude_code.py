#!/usr/bin/env python3
"""The plug-in in Claude Code, with the npm packages in $DIST: the manifests are valid, the plug-in installs from this clone, and Claude Code
connects to its server and to one that `claude mcp add` registers. $CLAUDE is the program (claude): npm install @anthropic-ai/claude-code. Needs
no account."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import npm
from driving import expect

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DIST = pathlib.Path(os.environ['DIST'])
CLAUDE = shutil.which(os.environ.get('CLAUDE', 'claude'))


def main():
    programs = list(DIST.glob('browserd-*-linux-x64'))
    if not CLAUDE or not shutil.which('npx') or not programs:
        print(f'skipped: needs claude ($CLAUDE), npm and the packages in {DIST}')
        return 77
    registry = npm.Registry()
    with tempfile.TemporaryDirectory() as folder:
        env = npm.environment(pathlib.Path(folder), registry)

        def claude(*arguments):
            result = subprocess.run([CLAUDE, *map(str, arguments)], env=env, cwd=folder, text=True, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, timeout=300, check=False)
            expect(result.returncode == 0, f'claude {" ".join(map(str, arguments))}{"" if result.returncode == 0 else result.stdout}')
            return result.stdout

        for manifest in (ROOT, ROOT / 'packaging/claude-code'):
            expect('warning' not in claude('plugin', 'validate', manifest), 'without warnings')
        claude('plugin', 'marketplace', 'add', ROOT)
        claude('plugin', 'install', 'browserd@browserd')
        claude('mcp', 'add', 'file', '--', programs[0])
        listed = claude('mcp', 'list').splitlines()
        for name in ('plugin:browserd:browserd:', 'file:'):
            expect(any(line.startswith(name) and line.endswith('Connected') for line in listed), f'{name} connected {listed}')
    registry.shutdown()
    return 0


if __name__ == '__main__':
    sys.exit(main())
