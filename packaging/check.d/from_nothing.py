#!/usr/bin/env python3
"""From nothing to a page: every way to install browserd, in a clean root of Debian 12, by the lines of docs/installing.md and
docs/building.md, with the packages of the release in $DIST. The official client drives each program, and what is measured is printed as rows
of a Markdown table.

$WAYS names the ways (all that are possible); $ROUNDS is how often each program is driven (3). Needs root, mmdebstrap, overlayfs, npm and
the client in $MCP_SDK; images need podman, crun and buildah. With $REFERENCE_PACKAGES as for the check `npm`, @playwright/mcp is measured, too.
Every way gets a layer of its own above one root with the browser; the layer's size is what the way adds. Node, where a way needs it, is this
machine's."""

import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

import driving
import mcpb
import npm

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DIST = pathlib.Path(os.environ['DIST'])
REFERENCE = os.environ.get('REFERENCE_PACKAGES')
ROUNDS = int(os.environ.get('ROUNDS', '3'))
SOURCES = os.environ.get('APT_SOURCES', '/etc/apt/sources.list.d/debian.sources')
ENVIRONMENT = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/root', 'DEBIAN_FRONTEND': 'noninteractive',
               'LC_ALL': 'C.UTF-8'}
# Lines are typed by a user with sudo, who says yes.
SHELL = 'sudo() { "$@"; }\n'
HEADLESS = ['--headless', '--isolated', '--no-sandbox', '--executable-path', '/usr/bin/chromium-headless-shell']


def version():
    return re.search(r"version: '([^']+)'", (ROOT / 'meson.build').read_text(encoding='utf-8'))[1]


def documented(page, heading, number=1):
    """The lines of the numbered block of shell commands below a heading."""
    section = (ROOT / 'docs' / page).read_text(encoding='utf-8').partition(f'\n## {heading}\n')[2].partition('\n## ')[0]
    blocks = re.findall(r'```sh\n(.*?)```', section, re.DOTALL)
    if len(blocks) < number:
        sys.exit(f'{page} has no block {number} of commands below "{heading}"')
    return blocks[number - 1].replace('VERSION', version())


def run(*command, **options):
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    if result.returncode:
        sys.exit(f'{command[:6]}: {result.stdout[-3000:]}')
    return result.stdout


def clean_root(folder):
    run('mmdebstrap', '--quiet', '--variant=apt', '--include=ca-certificates', 'bookworm', str(folder), SOURCES)
    for path in pathlib.Path('/etc/apt/apt.conf.d').glob('99*'):  # settings of this machine for its mirror
        shutil.copy(path, folder / 'etc/apt/apt.conf.d')
    (folder / 'etc/apt/apt.conf.d/98yes').write_text('APT::Get::Assume-Yes "true";\n')


class Layer:
    """A writable layer above a root folder."""

    def __init__(self, *lower):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=lower[-1].parent))
        self.root, self.upper = self.folder / 'root', self.folder / 'upper'
        for each in (self.root, self.upper, self.folder / 'work'):
            each.mkdir()
        run('mount', '-t', 'overlay', 'overlay', '-o', f'lowerdir={":".join(map(str, lower))},upperdir={self.upper},workdir={self.folder}/work', str(self.root))
        run('mount', '-t', 'proc', 'proc', f'{self.root}/proc')
        run('mount', '--rbind', '/dev', f'{self.root}/dev')

    def run(self, lines, folder='/root'):
        """Runs lines of shell inside, and returns the seconds that they took."""
        began = time.monotonic()
        run('chroot', str(self.root), 'sh', '-euc', f'{SHELL}cd {folder}\n{lines}', env=ENVIRONMENT)
        return time.monotonic() - began

    def size(self):
        """What the layer adds, in bytes, without caches and without dpkg's database, of which the layer has a whole copy."""
        self.run('apt-get clean; rm -rf /var/lib/apt/lists/* /var/log/* /var/cache/* /root/.npm/_cacache')
        return int(run('du', '--summarize', '--apparent-size', '--block-size=1', '--exclude=var/lib/dpkg', str(self.upper)).split()[0])

    def command(self, *words, env=()):
        variables = ENVIRONMENT | dict(env)
        return ['chroot', str(self.root), 'sh', '-c', 'exec env -i DRIVE_MARK="$DRIVE_MARK" "$@"', 'sh',
                *(f'{key}={value}' for key, value in variables.items()), *map(str, words)]

    def use_node(self):
        for path in ('usr/bin/node', 'usr/lib/node_modules/npm'):
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.mkdir() if os.path.isdir(f'/{path}') else target.touch()
            run('mount', '--bind', f'/{path}', str(target))
        for name in ('npm', 'npx'):
            (self.root / 'usr/bin' / name).symlink_to(f'../lib/node_modules/npm/bin/{name}-cli.js')


def row(name, layer, installing, command, *, size=None):
    """Drives what was installed, and prints a row: size, seconds from nothing to the first snapshot, seconds of a later start, memory."""
    rounds = [driving.drive(command) for _ in range(ROUNDS + 1)]
    first, later = rounds[0], statistics.median(each['milliseconds'] for each in rounds[1:])
    memory = statistics.median(sum(process['memory'] for process in each['processes']) for each in rounds[1:])
    names = '+'.join(process['name'] for process in rounds[-1]['processes'])
    size = size or layer.size()
    print(f'| {name} | {size / 1e6:.1f} MB | {installing + first["milliseconds"] / 1000:.1f} s | {later / 1000:.2f} s '
          f'| {memory / 1024:.1f} MiB ({names}) |', flush=True)


def way_debian(*lower):
    layer = Layer(*lower)
    shutil.copy(next(DIST.glob('browserd_*.deb')), layer.root / 'root')
    seconds = layer.run('apt-get update -qq\n' + documented('installing.md', 'Debian'))
    row('Debian package', layer, seconds, layer.command('browserd'))


def way_file(*lower):
    layer = Layer(*lower)
    shutil.copy(DIST / f'browserd-{version()}-linux-x64', layer.root / 'root')
    seconds = layer.run(documented('installing.md', 'One file'))
    (layer.root / f'root/browserd-{version()}-linux-x64').unlink()
    row('one file', layer, seconds, layer.command('browserd'))


def way_mcpb(*lower):
    """Unpacked, and started with the command of its manifest, as a client does it."""
    layer, inside = Layer(*lower), pathlib.Path('/root/.config/bundles/browserd')
    with zipfile.ZipFile(DIST / f'browserd-{version()}-linux-x64.mcpb') as bundle:
        began = time.monotonic()
        for entry in bundle.infolist():
            path = pathlib.Path(bundle.extract(entry, layer.root / inside.relative_to('/')))
            path.chmod(entry.external_attr >> 16 & 0o777 or 0o755)
    seconds = time.monotonic() - began
    manifest = json.loads((layer.root / inside.relative_to('/') / 'manifest.json').read_text(encoding='utf-8'))
    config = manifest['server']['mcp_config']
    words = [mcpb.filled(word, inside, manifest) for word in (config['command'], *config['args'])]
    env = {key: mcpb.filled(value, inside, manifest) for key, value in config['env'].items()}
    row('MCP bundle', layer, seconds, layer.command(*words, env=env))


def npm_layer(lower, registry):
    layer = Layer(*lower)
    layer.use_node()
    (layer.root / 'root/.npmrc').write_text(f'registry={registry.url}\nupdate-notifier=false\n')
    return layer


def way_npm(*lower):
    """By `npx`, as the first configuration below `npm` has it, and installed as a command."""
    registry = npm.Registry()
    config = re.search(r'```json\n(.*?)```', (ROOT / 'docs/installing.md').read_text(encoding='utf-8').partition('\n## npm\n')[2], re.DOTALL)
    server = json.loads(config[1])['mcpServers']['browserd']
    packages = [('browserd', 'browserd', [server['command'], *server['args']], [])]
    if REFERENCE:
        packages.append(('@playwright/mcp', 'playwright-mcp', ['npx', '-y', '@playwright/mcp'], HEADLESS))
    try:
        for package, command, npx, options in packages:
            layer = npm_layer(lower, registry)
            row(f'npx -y {package}', layer, 0, layer.command(*npx, *options))
            layer = npm_layer(lower, registry)
            seconds = layer.run(f'npm install --global {package}')
            row(f'npm install --global {package}', layer, seconds, layer.command(command, *options))
    finally:
        registry.shutdown()


def way_source(*lower):
    """With the wraps: only a compiler and Meson come from Debian."""
    layer = Layer(*lower)
    with tarfile.open(DIST / f'browserd-{version()}.tar.xz') as archive:
        archive.extractall(layer.root / 'root')
    folder = f'/root/browserd-{version()}'
    seconds = layer.run('apt-get update -qq\n' + documented('building.md', "Without the libraries' packages"), folder)
    row('source with wraps', layer, seconds, layer.command(f'{folder}/build/browserd'),
        size=(layer.root / folder.strip('/') / 'build/browserd').stat().st_size)


def image_row(heading, lines):
    """Runs `lines`, which load an image and print its name, and returns the name."""
    began = time.monotonic()
    name = run('sh', '-euc', lines, cwd=DIST).strip().removeprefix('Loaded image: ')
    seconds = time.monotonic() - began
    size = int(run('podman', 'image', 'inspect', '--format', '{{.Size}}', name))
    # The first options are for machines without systemd.
    row(heading, None, seconds, ['podman', '--runtime=crun', 'run', '--cgroups=disabled', '--no-healthcheck', '--ulimit=nofile=4096:4096',
                                 '--ulimit=nproc=4096:4096', '--network=none', '--env=DRIVE_MARK', '-i', '--rm', name], size=size)
    return name


def reference_image(name, folder):
    """Makes an image of `name` with Node and @playwright/mcp in place of browserd; returns its archive, below `folder`."""
    registry = npm.Registry()
    try:
        run('npm', 'install', '--ignore-scripts', '--prefix', str(folder), '@playwright/mcp', env=npm.environment(folder, registry))
    finally:
        registry.shutdown()
    container = run('buildah', 'from', name).strip()
    run('buildah', 'run', '--isolation=chroot', '--user=root', container, 'dpkg', '--purge', 'browserd')
    run('buildah', 'copy', container, shutil.which('node'), '/usr/bin/node')
    run('buildah', 'copy', container, str(folder / 'node_modules'), '/usr/lib/node_modules')
    entry = json.dumps(['node', '/usr/lib/node_modules/@playwright/mcp/cli.js', *HEADLESS])
    run('buildah', 'config', f'--entrypoint={entry}', container)
    run('buildah', 'commit', '--quiet', '--rm', '--squash', '--format=docker', container, 'localhost/playwright-mcp')
    archive = folder / 'image.tar.gz'
    run('sh', '-euc', f'podman save --quiet localhost/playwright-mcp | gzip >{archive}')
    return archive


def way_image(base, *_):
    """Podman gets an empty storage, because it takes layers that it has from there and not from the archive."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=base.parent))
    (folder / 'storage.conf').write_text(f'[storage]\ndriver = "overlay"\ngraphroot = "{folder}/images"\nrunroot = "{folder}/run"\n')
    os.environ['CONTAINERS_STORAGE_CONF'] = str(folder / 'storage.conf')
    name = image_row('image, with Debian and the browser', documented('installing.md', 'Container image').replace('docker', 'podman'))
    if REFERENCE:
        archive = reference_image(name, folder)
        run('podman', 'rmi', '--all', '--force')
        image_row('@playwright/mcp in the same image', f'gunzip --stdout {archive} | podman load --quiet')


WAYS = {'debian': way_debian, 'file': way_file, 'mcpb': way_mcpb, 'npm': way_npm, 'source': way_source, 'image': way_image}


def enter_namespace():
    """The mounts end with this program. crun wants control groups of the new kind only."""
    if os.environ.get('FROM_NOTHING') != 'inside':
        script = 'umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup; exec "$@"'
        os.execvpe('unshare', ['unshare', '--mount', 'sh', '-c', script, 'sh', sys.executable, __file__], {**os.environ, 'FROM_NOTHING': 'inside'})


def main():
    if os.geteuid() != 0 or not shutil.which('mmdebstrap') or not shutil.which('npx') or not driving.has_client():
        print(f'skipped: needs root, mmdebstrap, npm and the client in {driving.SDK}')
        return 77
    enter_namespace()
    chosen = shlex.split(os.environ.get('WAYS', ' '.join(WAYS)))
    folder = pathlib.Path(tempfile.mkdtemp(prefix='browserd-nothing-'))
    try:
        lower = (folder / 'base',)
        if set(chosen) != {'image'}:
            clean_root(*lower)
            base = Layer(*lower)
            seconds = base.run('apt-get update -qq\n' + documented('installing.md', 'Browser'))
            print(f'the browser: {base.size() / 1e6:.0f} MB, {seconds:.0f} s', flush=True)
            lower = (base.upper, *lower)
        print('| | on disk | from nothing to the first snapshot | start to the first snapshot | memory |\n|---|---|---|---|---|')
        for way in chosen:
            WAYS[way](*lower)
    finally:
        run('sh', '-c', f'grep -o " {folder}/[^ ]*" /proc/self/mounts | tac | xargs -r umount -l')
        run('rm', '-rf', '--one-file-system', str(folder))
    return 0


if __name__ == '__main__':
    sys.exit(main())
