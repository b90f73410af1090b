#!/usr/bin/env python3
"""The static program in $DIST, in a root folder with nothing but itself, /dev, /tmp and the browser: no C library that it could load, no /bin/sh.

Needs root and unshare. The folders of the browser and of the libraries that the browser needs are bound into the root for the page; before
that, the program answers --version, initialize and tools/list without them."""

import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

from driving import expect

DIST = pathlib.Path(os.environ['DIST'])
PLATFORM = {'x86_64': 'x64', 'aarch64': 'arm64'}.get(platform.machine())
BROWSER = ('/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium')
# What Debian's browser needs of the system. There is no shell among it: /bin and /usr/bin stay empty.
BOUND = ('/lib', '/lib64', '/usr/lib', '/usr/share/fonts', '/etc/fonts', '/dev', '/proc')
PAGE = 'data:text/html,<title>Hello</title><button>Press me</button>'


def request(number, method, params):
    return json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n'


def call(number, name, **arguments):
    return request(number, 'tools/call', {'name': name, 'arguments': arguments})


INITIALIZE = request(1, 'initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'check', 'version': '1'}})
INITIALIZED = json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}) + '\n'


def inside(root, script, *command, text=''):
    """Runs the command with `root` as its root folder, after the mounts of `script`, in mount and PID namespaces of its own."""
    chroot = f'{script}\nexec chroot "$0" "$@"'
    return subprocess.run(['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', chroot, root, *command], input=text,
                          capture_output=True, text=True, timeout=120, check=False)


def exchange(root, script, *command, calls):
    """The result of each request. stdin stays open until the last is answered."""
    chroot = f'{script}\nexec chroot "$0" "$@"'
    with subprocess.Popen(['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', chroot, root, *command],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        results = {}
        process.stdin.write(INITIALIZE + INITIALIZED)
        for number, line in enumerate(('', *calls), start=1):
            process.stdin.write(line)
            process.stdin.flush()
            while number not in results:
                answer = process.stdout.readline()
                if not answer:
                    sys.exit(f'{command}: the server has ended')
                answer = json.loads(answer)
                if 'id' in answer:
                    results[answer['id']] = answer.get('result') or sys.exit(f'{command}: {answer}')
        process.stdin.close()
        process.wait(60)
    return results


def main():
    programs = list(DIST.glob(f'browserd-*-linux-{PLATFORM}'))
    browser = next((path for path in BROWSER if os.path.exists(path)), None)
    if not programs or os.geteuid() != 0 or not shutil.which('unshare') or not browser:
        print(f'skipped: needs root, unshare, chromium-headless-shell and the static program in {DIST}')
        return 77
    with tempfile.TemporaryDirectory(prefix='browserd-root-') as name:
        root = pathlib.Path(name)
        shutil.copy(programs[0], root / 'browserd')
        expect([path.name for path in root.iterdir()] == ['browserd'], 'a root folder with one file')
        version = inside(root, '', '/browserd', '--version')
        expect(version.stdout.startswith('browserd '), f'--version: {version.stdout.strip()} {version.stderr}')
        without = inside(root, '', '/browserd')
        expect(without.returncode != 0 and 'cannot read /dev/urandom' in without.stderr, 'without /dev, a sentence says so')
        for folder in ('tmp', 'dev'):  # as in any container
            (root / folder).mkdir()
        results = exchange(root, 'mount --rbind /dev "$0/dev"', '/browserd', calls=[request(2, 'tools/list', {})])
        expect(results[1]['serverInfo']['name'] == 'browserd' and len(results[2]['tools']) > 30, 'initialize, tools/list')
        for folder in BOUND:
            (root / folder.strip('/')).mkdir(parents=True, exist_ok=True)
        mounts = '\n'.join(f'mount --rbind {os.path.realpath(folder)} "$0{folder}"' for folder in BOUND)
        began = time.monotonic()
        results = exchange(root, mounts, '/browserd', '--executable-path', browser, '--no-sandbox',
                           calls=[call(2, 'browser_navigate', url=PAGE), call(3, 'browser_snapshot')])
        text = json.dumps(results[3]['content'])
        expect('button \\\\\\"Press me\\\\\\"' in text or 'button \\"Press me\\"' in text, 'a page, without /bin/sh')
        print(f'{1000 * (time.monotonic() - began):.0f} ms to the first snapshot and the end; {programs[0].stat().st_size / 1e6:.1f} MB')
    return 0


if __name__ == '__main__':
    sys.exit(main())
