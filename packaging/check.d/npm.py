#!/usr/bin/env python3
"""The npm packages in $DIST, from an npm registry on loopback and an empty cache: npx, below a path with spaces, without write access,
without the program's package, and on a system that has none. Prints what was measured, beside @playwright/mcp if $REFERENCE_PACKAGES is a
folder with its packages: npm pack @playwright/mcp@V playwright@W playwright-core@W."""

import base64
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import urllib.parse

import driving
from driving import drive, expect

DIST = pathlib.Path(os.environ['DIST'])
REFERENCE = pathlib.Path(os.environ.get('REFERENCE_PACKAGES', '/nonexistent'))
NOBODY = 65534


def manifest_of(path):
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile('package/package.json'))


class Registry(http.server.ThreadingHTTPServer):
    """Answers what npm asks of a registry: /NAME describes a package, /NAME/-/FILE is its archive."""

    def __init__(self):
        super().__init__(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self.server_port}/'
        self.packages = {}
        self.files = {path.name: path for path in [*DIST.glob('browserd*.tgz'), *REFERENCE.glob('*.tgz')]}
        for path in self.files.values():
            manifest = manifest_of(path)
            digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
            manifest['dist'] = {'tarball': f'{self.url}{manifest["name"]}/-/{path.name}', 'integrity': f'sha512-{digest}'}
            self.packages[manifest['name']] = manifest
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def answer(self, path):
        if '/-/' in path:
            return self.files[pathlib.PurePath(path).name].read_bytes()
        manifest = self.packages[urllib.parse.unquote(path).strip('/')]
        return json.dumps({'name': manifest['name'], 'dist-tags': {'latest': manifest['version']},
                           'versions': {manifest['version']: manifest}}).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        try:
            status, body = 200, self.server.answer(self.path)
        except (KeyError, OSError):
            status, body = 404, b'{}'
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def environment(home, registry):
    kept = {key: value for key, value in os.environ.items() if not key.lower().startswith('npm_')}
    return {**kept, 'HOME': str(home), 'npm_config_registry': registry.url, 'npm_config_cache': f'{home}/cache',
            'npm_config_userconfig': f'{home}/npmrc', 'npm_config_update_notifier': 'false', 'XDG_CACHE_HOME': f'{home}/.cache'}


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)


def report(name, measured):
    parts = ' + '.join(f'{each["name"]} {each["memory"] / 1024:.1f}' for each in measured['processes'])
    total = sum(each['memory'] for each in measured['processes']) / 1024
    print(f'{name}: {measured["milliseconds"]} ms to the first snapshot, {total:.1f} MiB ({parts})')


def check_npx(home, registry):
    place = home / 'a folder with spaces'
    place.mkdir()
    inside = {'env': environment(home, registry), 'cwd': place}
    measured = drive(['npx', '-y', 'browserd'], **inside)
    expect(measured['server']['name'] == 'browserd', 'npx -y browserd, from an empty cache')
    report('npx -y browserd, empty cache', measured)
    measured = drive(['npx', '-y', 'browserd'], **inside)
    report('npx -y browserd', measured)
    measured = drive(['npx', '-y', '-p', 'browserd', 'playwright-mcp', '--headless', '--isolated'], **inside)
    expect(measured['server']['name'] == 'Playwright', 'npx -y -p browserd playwright-mcp')
    version = run(['npx', '-y', 'browserd', '--version'], **inside).stdout
    expect(re.fullmatch(r'browserd \S+ \(commit \w+(-dirty)?\)\n', version), f'npx browserd --version: {version.strip()}')


def measure_reference(home, registry):
    """What the same lines take with @playwright/mcp, and what it takes where it is installed."""
    options = ['--headless', '--no-sandbox', '--isolated', '--executable-path', shutil.which('chromium-headless-shell')]
    place = home / 'reference'
    place.mkdir()
    env = environment(home, registry)
    report('npx -y @playwright/mcp, empty cache', drive(['npx', '-y', '@playwright/mcp', *options], env=env, cwd=place))
    report('npx -y @playwright/mcp', drive(['npx', '-y', '@playwright/mcp', *options], env=env, cwd=place))
    run(['npm', 'install', '--ignore-scripts', '--prefix', place, '@playwright/mcp'], env=env)
    print(f'size on disk: {size_of(place) / 1e6:.1f} MB')
    report('node_modules/.bin/playwright-mcp', drive([place / 'node_modules/.bin/playwright-mcp', *options], env=env))


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob('*') if path.is_file() and not path.is_symlink())


def check_installed(home, registry):
    """Below a path with spaces, for a user who may write nothing there: the only processes are those of the program."""
    place = home / 'an installation with spaces'
    place.mkdir()
    run(['npm', 'install', '--prefix', place, 'browserd'], env=environment(home, registry))
    program = place / 'node_modules' / '.bin' / 'browserd'
    print(f'size on disk: {size_of(place) / 1e6:.1f} MB')
    as_nobody = ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups'] if os.geteuid() == 0 else []
    env = {**environment(home, registry), 'HOME': '/nonexistent', 'XDG_CACHE_HOME': ''}
    sdk = home / 'sdk'
    if as_nobody:
        shutil.copytree(driving.SDK + '/node_modules', sdk / 'node_modules', symlinks=True,
                        ignore=lambda folder, names: [n for n in names if n in ('node-red', 'monaco-editor', 'swagger-ui-dist', '.bin')])
    script = home / 'drive.mjs'
    shutil.copy(driving.SCRIPT, script)
    script.chmod(0o644)
    measured = drive([program], prefix=as_nobody, script=script, sdk=sdk if as_nobody else driving.SDK, env=env, cwd='/')
    expect(measured['server']['name'] == 'browserd', 'installed, without write access')
    expect({each['name'] for each in measured['processes']} <= {'browserd', 'bd-keeper'},
           f'no other process than those of the program: {[each["name"] for each in measured["processes"]]}')
    report('node_modules/.bin/browserd', measured)
    expect(run([place / 'node_modules/.bin/playwright-mcp', '--version'], env=env).stdout.startswith('playwright-mcp '), 'playwright-mcp')
    return place


def check_refusals(home, registry, place):
    bare = home / 'bare'
    bare.mkdir()
    run(['npm', 'install', '--omit=optional', '--prefix', bare, 'browserd'], env=environment(home, registry))
    result = run([bare / 'node_modules/.bin/browserd'])
    expect(result.returncode == 1 and 'is not installed' in result.stderr and '--omit=optional' in result.stderr,
           'without the package of the platform, a sentence says so')
    elsewhere = home / 'elsewhere'
    elsewhere.mkdir()
    (elsewhere / 'uname').write_text('#!/bin/sh\necho Darwin arm64\n')
    (elsewhere / 'uname').chmod(0o755)
    result = run([place / 'node_modules/.bin/playwright-mcp'], env={'PATH': f'{elsewhere}:{os.environ["PATH"]}'})
    expect(result.returncode == 1 and 'no package for Darwin arm64' in result.stderr, 'on another system, a sentence says so')


def main():
    if not list(DIST.glob('browserd-linux-*.tgz')) or not shutil.which('npx') or not driving.has_client():
        print(f'skipped: needs npm, the packages in {DIST} and the client in {driving.SDK}')
        return 77
    with tempfile.TemporaryDirectory(prefix='browserd npm ') as folder:
        home = pathlib.Path(folder)
        home.chmod(0o755)
        registry = Registry()
        check_npx(home, registry)
        place = check_installed(home, registry)
        check_refusals(home, registry, place)
        if REFERENCE.is_dir():
            measure_reference(home, registry)
        registry.shutdown()
    return 0


if __name__ == '__main__':
    sys.exit(main())
