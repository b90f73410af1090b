#!/usr/bin/env python3
"""Checks what packages are made from: packaging.py ROOT BROWSERD. Needs no network.

The release's texts (tools/release), server.json and manifests against the rules that their readers apply, the one-click links of
docs/installing.md, the README's lines, the versions that files repeat, the action's script with real npm packages, and the commit in an
archive of git."""

import base64
import datetime
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT, BROWSERD = pathlib.Path(sys.argv[1]), sys.argv[2]
VERSION = re.search(r"version: '([^']+)'", (ROOT / 'meson.build').read_text(encoding='utf-8'))[1]


def load(path):
    loader = importlib.machinery.SourceFileLoader(path.stem, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.stem, loader))
    loader.exec_module(module)
    return module


def read_json(name):
    return json.loads((ROOT / name).read_text(encoding='utf-8'))


release = load(ROOT / 'tools/release')


class Release(unittest.TestCase):
    LOG = '# Changelog\n\nText.\n\n## Unreleased\n\n### Added\n\n- new\n\n## 1.0.0 - 2026-01-01\n\n- first\n'

    def test_the_section_of_the_version_or_the_unreleased_part(self):
        self.assertEqual(release.changelog_section(self.LOG, '1.1.0', '2026-02-03'), '## 1.1.0 - 2026-02-03\n\n### Added\n\n- new\n')
        self.assertEqual(release.changelog_section(self.LOG, '1.0.0', '2026-01-01'), '## 1.0.0 - 2026-01-01\n\n- first\n')
        self.assertRaisesRegex(ValueError, 'neither a section 2.0.0', release.changelog_section,
                               self.LOG.replace('Unreleased', '1.1.0'), '2.0.0', '')

    def test_the_list_of_contents_names_every_library_and_its_hash(self):
        spdx = release.sbom(ROOT, '1.1.0', 'a' * 40, 86400, '2.36')
        packages = {each['name']: each for each in spdx['packages']}
        self.assertEqual(set(packages), {'browserd', 'glibc', *release.LICENSES})
        self.assertEqual(spdx['creationInfo']['created'], '1970-01-02T00:00:00Z')
        for name in release.LICENSES:
            wrap = (ROOT / 'subprojects' / f'{name}.wrap').read_text(encoding='utf-8')
            self.assertIn(packages[name]['checksums'][0]['checksumValue'], wrap)
            self.assertIn(f'directory = {name}-{packages[name]["versionInfo"]}\n', wrap)
        identifiers = {'SPDXRef-DOCUMENT', *(each['SPDXID'] for each in spdx['packages'])}
        for each in spdx['relationships']:
            self.assertLessEqual({each['spdxElementId'], each['relatedSpdxElement']}, identifiers)
        for identifier in identifiers:
            self.assertRegex(identifier, r'^SPDXRef-[A-Za-z0-9.-]+$')

    def test_an_archive_of_git_knows_its_commit(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copy(ROOT / 'src/main/commit.py', folder)
            (folder / 'commit.txt').write_text('0123456789abcdef0123456789abcdef01234567\n')
            command = [sys.executable, folder / 'commit.py', folder]
            self.assertEqual(subprocess.run(command, capture_output=True, text=True, check=True).stdout, '0123456789ab\n')
            (folder / 'commit.txt').write_text('$Format:%H$\n')
            self.assertEqual(subprocess.run(command, capture_output=True, text=True, check=False).returncode, 1)
        self.assertIn('src/main/commit.txt export-subst', (ROOT / '.gitattributes').read_text(encoding='utf-8'))
        # git replaces the placeholder where these sources are themselves such an archive.
        self.assertRegex((ROOT / 'src/main/commit.txt').read_text(encoding='utf-8'), r'^(\$Format:%H\$|[0-9a-f]{40})\n$')

    def test_a_new_version_is_set_wherever_it_is_written(self):
        setter = load(ROOT / 'tools/set_version')
        now = datetime.datetime(2030, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for each in (*setter.PLACES, 'debian/changelog', 'CHANGELOG.md'):
                (folder / each).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / each, folder / each)
            for _ in range(2):  # the second time there is nothing left to do
                setter.set_version(folder, '98.7.6', now)
            for each in setter.PLACES:
                self.assertIn('98.7.6', (folder / each).read_text(encoding='utf-8'))
                self.assertNotIn(VERSION, (folder / each).read_text(encoding='utf-8'))
            self.assertEqual(release.declared_version(folder), '98.7.6')
            entries = re.findall(r'(?m)^browserd \((\S+)\)|^ --.*  (.*)$', (folder / 'debian/changelog').read_text(encoding='utf-8'))
            self.assertEqual(entries[:3], [('98.7.6', ''), ('', 'Wed, 02 Jan 2030 03:04:05 +0000'), (VERSION, '')])
            log = (folder / 'CHANGELOG.md').read_text(encoding='utf-8')
            self.assertEqual(log.count('\n## 98.7.6 - 2030-01-02\n'), 1)
            self.assertIn((ROOT / 'CHANGELOG.md').read_text(encoding='utf-8').partition('## Unreleased\n')[2][:500],
                          release.changelog_section(log, '98.7.6', ''))

    def test_versions_that_files_repeat(self):
        self.assertEqual(read_json('packaging/claude-code/.claude-plugin/plugin.json')['version'], VERSION)
        for name in ('examples/ci/github-actions.yml', 'examples/ci/gitlab-ci.yml'):
            found = set(re.findall(r'\d+\.\d+\.\d+', (ROOT / name).read_text(encoding='utf-8')))
            self.assertEqual(found, {VERSION}, name)


class ReleaseRun(unittest.TestCase):
    """tools/release in a clone of its own, with programs that stand in for those of packaging/artifacts.d."""

    PROGRAMS = {'10-first': '[ "${1-}" != --check ] || exit 0\necho built with $PLATFORMS; echo first >"$DIST/first-$VERSION"',
                '50-image': '[ "${1-}" != --check ] || { echo buildah; exit 0; }\necho the reason\nexit 3'}

    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.root, self.out = folder / 'clone', folder / 'dist'
        programs = self.root / 'packaging/artifacts.d'
        programs.mkdir(parents=True)
        (self.root / 'tools').mkdir()
        shutil.copy(ROOT / 'tools/release', self.root / 'tools')
        (self.root / 'meson.build').write_text("project('x', version: '1.2.3')")
        (self.root / 'CHANGELOG.md').write_text('# Changelog\n\n## Unreleased\n\n- new\n')
        for name, text in self.PROGRAMS.items():
            self.write(programs / name, text)
        self.commit()

    @staticmethod
    def write(path, text):
        path.write_text(f'#!/bin/sh\n{text}\n')
        path.chmod(0o755)

    def commit(self):
        who = ['-c', 'user.name=a', '-c', 'user.email=a@b.example']
        for command in (['init', '-q'], ['add', '-A'], [*who, 'commit', '-q', '-m', 'x', '--allow-empty']):
            subprocess.run(['git', '-C', self.root, *command], check=True, capture_output=True)

    def run_release(self, *args):
        return subprocess.run([self.root / 'tools/release', '1.2.3', '--out', self.out, '--platforms', 'x64', *args], capture_output=True,
                              text=True, check=False)

    def test_it_needs_all_tools_before_it_makes_anything(self):
        result = self.run_release()
        self.assertEqual((result.returncode, result.stderr), (1, '50-image needs buildah; or leave it out: --without image\n'))
        self.assertFalse(self.out.exists())

    def test_what_is_left_out_is_named(self):
        result = self.run_release('--without', 'image')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(path.name for path in self.out.iterdir()),
                         ['CHANGES-1.2.3.md', 'SHA256SUMS', 'browserd-1.2.3.spdx.json', 'browserd-1.2.3.tar.xz', 'first-1.2.3'])
        result = self.run_release('--without', 'images', '--out', self.out.with_name('other'))
        self.assertEqual((result.returncode, result.stderr), (1, '--without images: there is only first, image\n'))

    def test_the_log_of_what_failed_stays(self):
        self.write(self.root / 'packaging/artifacts.d/50-image', '[ "${1-}" != --check ] || exit 0\necho the reason\nexit 3')
        self.commit()
        result = self.run_release()
        self.assertEqual(result.returncode, 1)
        log = self.out / 'logs/50-image.log'
        self.assertEqual(result.stderr, f'the reason\n50-image failed with status 3; all of its output is in {log}\n')
        self.assertEqual((log.read_text(), (self.out / 'logs/10-first.log').read_text()), ('the reason\n', 'built with x64\n'))
        self.assertFalse((self.out / 'SHA256SUMS').exists())

    def test_what_the_programs_need(self):
        empty = self.root / 'empty'
        empty.mkdir()
        for name in ('sh', 'id'):
            (empty / name).symlink_to(shutil.which(name))
        for name, expected in (('10-static', 'gcc-aarch64-linux-gnu and libc6-dev-arm64-cross'), ('20-npm', 'npm'), ('40-debian', 'debhelper'),
                               ('50-image', 'mmdebstrap')):
            env = {'PATH': str(empty), 'PLATFORMS': 'x64 arm64', 'DIST': '/nonexistent', 'VERSION': '1'}
            result = subprocess.run([ROOT / 'packaging/artifacts.d' / name, '--check'], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
            self.assertIn(expected, result.stdout, name)


class Quickstart(unittest.TestCase):
    def installed(self, *args, commands=()):
        """What packages.sh installs where nothing is installed but these commands."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for command in ('sh', 'id', 'mktemp', 'rm', 'cat', 'env'):
                (folder / command).symlink_to(shutil.which(command))
            for command in ('apt-get', 'dpkg-query', 'sudo', *commands):
                ReleaseRun.write(folder / command, 'exit 1')
            result = subprocess.run([ROOT / 'tests/support/packages.sh', *args], env={'PATH': name}, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1, result)
        return result.stdout.partition('Installing ')[2].split()

    def test_it_installs_what_it_needs(self):
        needed = self.installed('--run')
        self.assertLess(set(needed), set(self.installed()))
        self.assertIn('chromium-headless-shell', needed)
        for each in ('libcmocka-dev', 'openssl', 'python3-django', 'clang-format', 'nginx-light'):
            self.assertNotIn(each, needed)
        self.assertEqual(set(needed) - set(self.installed('--run', commands=['google-chrome'])), {'chromium-headless-shell', 'fonts-liberation'})
        self.assertIn('packages.sh --run', (ROOT / 'examples/quickstart.sh').read_text(encoding='utf-8'))


class Registry(unittest.TestCase):
    """server.json by the rules of the registry's schema of 2025-12-11, written down here because the schema is not at hand offline."""

    def setUp(self):
        with tempfile.TemporaryDirectory() as name:
            pathlib.Path(name, f'browserd-{VERSION}-linux-x64.mcpb').write_bytes(b'bundle')
            output = subprocess.run([ROOT / 'packaging/registry/server_json.py', name, VERSION], capture_output=True, text=True, check=True)
        self.server = json.loads(output.stdout)

    def test_the_server(self):
        self.assertLessEqual(set(self.server), {'$schema', 'name', 'title', 'description', 'version', 'packages', 'remotes', 'repository',
                                                'websiteUrl', 'icons', '_meta'})
        self.assertRegex(self.server['name'], r'^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$')
        self.assertTrue(3 <= len(self.server['name']) <= 200)
        self.assertTrue(1 <= len(self.server['description']) <= 100)
        self.assertTrue(1 <= len(self.server['title']) <= 100)
        self.assertRegex(self.server['version'], r'^\d+\.\d+\.\d+')

    def test_the_packages(self):
        kinds = {each['registryType']: each for each in self.server['packages']}
        self.assertEqual(set(kinds), {'npm', 'mcpb'})
        for each in self.server['packages']:
            self.assertLessEqual({'registryType', 'identifier', 'transport'}, set(each))
            self.assertEqual(each['transport'], {'type': 'stdio'})
        self.assertEqual((kinds['npm']['identifier'], kinds['npm']['version']), ('browserd', VERSION))
        self.assertRegex(kinds['mcpb']['identifier'], r'^https://\S+\.mcpb$')
        self.assertRegex(kinds['mcpb']['fileSha256'], r'^[a-f0-9]{64}$')

    def test_both_have_one_name(self):
        self.assertEqual(read_json('packaging/npm/browserd/package.json')['mcpName'], self.server['name'])


class Clients(unittest.TestCase):
    SERVER = {'command': 'npx', 'args': ['-y', 'browserd@latest']}

    def links(self, prefix):
        text = (ROOT / 'docs/installing.md').read_text(encoding='utf-8')
        found = re.findall(re.escape(prefix) + r'[^\s)`|"\']+', text)
        self.assertTrue(found, f'docs/installing.md has no link {prefix}')
        return [link[len(prefix):] for link in found]

    def test_the_plug_in_of_claude_code(self):
        market = read_json('.claude-plugin/marketplace.json')
        for plugin in market['plugins']:
            folder = ROOT / plugin['source']
            self.assertTrue(plugin['source'].startswith('./'))
            self.assertEqual(json.loads((folder / '.claude-plugin/plugin.json').read_text(encoding='utf-8'))['name'], plugin['name'])
            self.assertEqual(json.loads((folder / '.mcp.json').read_text(encoding='utf-8')), {'mcpServers': {'browserd': self.SERVER}})

    def test_the_links_of_vs_code(self):
        for query in self.links('vscode:mcp/install?'):
            self.assertEqual(json.loads(urllib.parse.unquote(query)), {'name': 'browserd', **self.SERVER})
        for query in self.links('https://insiders.vscode.dev/redirect/mcp/install?'):
            fields = urllib.parse.parse_qs(query)
            self.assertEqual((fields['name'], json.loads(fields['config'][0])), (['browserd'], self.SERVER))

    def test_the_links_of_cursor(self):
        for prefix in ('cursor://anysphere.cursor-deeplink/mcp/install?', 'https://cursor.com/en/install-mcp?'):
            for query in self.links(prefix):
                fields = urllib.parse.parse_qs(query)
                config = json.loads(base64.b64decode(fields['config'][0], validate=True))
                self.assertEqual((fields['name'], config), (['browserd'], self.SERVER))

    def test_the_bundle_uses_its_own_settings_only(self):
        manifest = read_json('packaging/mcpb/manifest.json')
        used = set(re.findall(r'\$\{user_config\.(\w+)\}', json.dumps(manifest['server'])))
        self.assertEqual(used, set(manifest['user_config']))
        env = {**os.environ, 'BROWSERD_HEADLESS': 'true'}
        subprocess.run([BROWSERD, '--egress', manifest['user_config']['egress']['default'], '--print-config'], env=env, check=True,
                       capture_output=True)


class Readme(unittest.TestCase):
    def test_its_lines_are_those_of_the_page_that_is_tried(self):
        """packaging/check from_nothing runs the lines of docs/installing.md."""
        page = (ROOT / 'docs/installing.md').read_text(encoding='utf-8')
        servers = [json.loads(block)['mcpServers'] for block in re.findall(r'```json\n(.*?)```', page, re.DOTALL)]
        known = [' '.join([server['command'], *server['args']]) for each in servers for server in each.values()]
        known += [line.partition('  #')[0].strip() for block in re.findall(r'```sh\n(.*?)```', page, re.DOTALL) for line in block.splitlines()]
        table = (ROOT / 'README.md').read_text(encoding='utf-8').partition('\n| where | line |\n')[2].partition('\n\n')[0]
        lines = [line for line in re.findall(r'`([^`]+ [^`]+)`', table) if '@playwright' not in line]
        self.assertGreaterEqual(len(lines), 5)
        self.assertLessEqual(set(lines), set(known))


@unittest.skipUnless(shutil.which('npm'), 'npm is not installed')
class Npm(unittest.TestCase):
    def test_the_script_of_the_action(self):
        with tempfile.TemporaryDirectory(prefix='a runner ') as name:
            folder = pathlib.Path(name)
            platform = {'x86_64': 'x64', 'aarch64': 'arm64'}[os.uname().machine]
            program = folder / 'browserd'  # small, because compressing the program of a debug build takes many seconds
            program.write_text(f'#!/bin/sh\nexec {shlex.quote(os.path.abspath(BROWSERD))} "$@"\n')
            subprocess.run([ROOT / 'packaging/npm/pack.py', folder, VERSION, f'{platform}={program}'], check=True, env={**os.environ})
            packages = f'./browserd-{VERSION}.tgz ./browserd-linux-{platform}-{VERSION}.tgz --offline'
            env = {**os.environ, 'RUNNER_TOOL_CACHE': f'{folder}/tools', 'GITHUB_PATH': f'{folder}/path', 'GITHUB_OUTPUT': f'{folder}/output',
                   'BROWSERD_RELEASE': VERSION, 'BROWSERD_PACKAGES': packages, 'npm_config_cache': f'{folder}/cache'}
            printed = []
            for packages in (packages, '/nonexistent'):  # the second time the cache has it
                env['BROWSERD_PACKAGES'] = packages
                result = subprocess.run([ROOT / 'packaging/action/install.sh'], env=env, cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual(result.returncode, 0, result.stderr)
                printed.append(result.stdout.splitlines()[-1])
            self.assertEqual(printed[0], printed[1])
            self.assertRegex(printed[0], rf'^browserd {re.escape(VERSION)} \(commit ')
            commands = (folder / 'path').read_text().splitlines()[0]
            version = subprocess.run(['playwright-mcp', '--version'], env={**os.environ, 'PATH': f'{commands}:{os.environ["PATH"]}'},
                                     capture_output=True, text=True, check=True).stdout
            self.assertTrue(version.startswith('playwright-mcp '))
            self.assertIn(f'browserd={commands}/browserd', (folder / 'output').read_text())


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
