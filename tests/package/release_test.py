"""scripts/release: what it refuses, what it makes of a tag; and that no package lacks the page.

LIMPET_RELEASE_BUILD names a release build of this tree: with it a whole release is made of a tag in a clone, signed and
checked (a minute; needs what scripts/setup --containers installs). Without it only what takes seconds is run.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get('LIMPET_RELEASE_BUILD')
VERSION = subprocess.run([ROOT / 'scripts/version'], check=True, capture_output=True, text=True).stdout.strip()
# npm that is there and reaches no registry.
NO_REGISTRY = ('-DLIMPET_NPM=/bin/false',)


def ran(*command, **options):
    """(exit code, all that it printed)"""
    done = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, check=False, **options)
    return done.returncode, done.stdout


def said(*command, **options):
    code, text = ran(*command, **options)
    if code:
        raise AssertionError('%s ended with %d:\n%s' % (' '.join(map(str, command)), code, text[-4000:]))
    return text


class Version(unittest.TestCase):
    def test_what_else_names_the_version_names_the_same(self):
        for name, pattern in (('config/helm/limpet/Chart.yaml', r'^(?:version|appVersion): "?([0-9.]+)'),
                              ('docker/compose.yml', r'image: limpet-\w+:([0-9.]+)'),
                              ('config/kubernetes/exporter.yml', r'limpet-\w+:([0-9.]+)'),
                              ('config/kubernetes/diagnoser.yml', r'limpet-\w+:([0-9.]+)'),
                              ('docs/install.md', r'limpet[a-z-]*[:_-]([0-9]+\.[0-9]+\.[0-9]+)')):
            found = re.findall(pattern, (ROOT / name).read_text(), re.MULTILINE)
            self.assertTrue(found, name)
            self.assertEqual(set(found), {VERSION}, name)


class Clone(unittest.TestCase):
    """A repository of this tree as it stands, with one commit."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-release-'))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.clone = cls.folder / 'clone'
        cls.clone.mkdir()
        names = said('git', '-C', ROOT, 'ls-files', '--cached', '--others', '--exclude-standard').splitlines()
        for name in names:
            if (ROOT / name).is_file():
                (cls.clone / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, cls.clone / name)
        identity = ('-c', 'user.name=tests', '-c', 'user.email=tests@localhost', '-c', 'commit.gpgsign=false')
        said('git', 'init', '-q', cls.clone)
        said('git', '-C', cls.clone, 'add', '-A', '-f')
        said('git', '-C', cls.clone, *identity, 'commit', '-q', '-m', 'all')
        for tag in 'v' + VERSION, 'v99.0.0':
            said('git', '-C', cls.clone, 'tag', tag)

    def release(self, *arguments, **options):
        return ran(self.clone / 'scripts/release', *arguments, **options)


class Refusals(Clone):
    def refused(self, *arguments):
        out = self.folder / 'refused'
        code, text = self.release(*[one if one != 'OUT' else out for one in arguments])
        self.assertNotEqual(code, 0, text)
        self.assertFalse(out.exists() and any(out.iterdir()), text)
        return text

    def test_each_says_what_is_expected(self):
        steps = '--steps', 'chart'
        self.assertIn('there is no tag v1.2.3', self.refused('v1.2.3', 'OUT', *steps))
        self.assertIn('expected v' + VERSION, self.refused('v99.0.0', 'OUT', *steps))
        self.assertIn('got "debs"', self.refused('v' + VERSION, 'OUT', '--steps', 'debs'))
        self.assertIn('unknown option --sign', self.refused('v' + VERSION, 'OUT', '--sign', 'x'))
        self.assertIn('no secret key', self.refused('v' + VERSION, 'OUT', *steps, '--key', 'nobody@limpet.invalid'))

    def test_a_folder_that_holds_something(self):
        code, text = self.release('v' + VERSION, self.clone, '--steps', 'chart')
        self.assertNotEqual(code, 0)
        self.assertIn('is not empty', text)


class Page(Clone):
    def configure(self, name, *options):
        build = self.folder / name
        code, text = ran('cmake', '-S', self.clone, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DLIMPET_TESTS=OFF',
                         '-DLIMPET_BENCHMARKS=OFF', *NO_REGISTRY, *options)
        return build, code, text

    def test_a_package_without_the_page_is_an_error(self):
        build, code, text = self.configure('without')
        self.assertEqual(code, 0, text)
        self.assertIn('without its live page', text)
        code, text = ran('cpack', '-G', 'DEB', '-B', self.folder / 'made', '--config', build / 'CPackConfig.cmake')
        self.assertNotEqual(code, 0)
        self.assertIn('would have no live page', ' '.join(text.split()))
        (build / 'bin').mkdir(exist_ok=True)
        for name in 'limpet-exporter', 'limpet-diagnoser':
            shutil.copy('/bin/true', build / 'bin' / name)
        code, text = ran(self.clone / 'scripts/tarball', build, self.folder)
        self.assertNotEqual(code, 0)
        self.assertIn('has no live page', text)

    def test_insisting_on_it(self):
        _, code, text = self.configure('insisting', '-DLIMPET_PAGE=ON')
        self.assertNotEqual(code, 0)
        self.assertIn('npm ci failed', text)

    def test_a_source_archive_brings_its_bundle(self):
        bundle = self.clone / 'diagnoser/page/bundle/assets.cc'
        bundle.parent.mkdir()
        self.addCleanup(shutil.rmtree, bundle.parent)
        bundle.write_text('// made by the release\n')
        build, code, text = self.configure('bundled', '-DLIMPET_PAGE=ON')
        self.assertEqual(code, 0, text)
        self.assertIn(str(bundle), (build / 'build.ninja').read_text())
        self.assertFalse((build / 'page/missing').exists())


@unittest.skipUnless(BUILD, 'LIMPET_RELEASE_BUILD names no release build')
class Made(Clone):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.out = cls.folder / 'out'
        home = cls.folder / 'gnupg'
        home.mkdir(mode=0o700)
        cls.environment = {**os.environ, 'GNUPGHOME': str(home)}
        said('gpg', '--batch', '--pinentry-mode', 'loopback', '--passphrase', '', '--quick-generate-key', 'release@limpet.invalid',
             'ed25519', 'sign', 'never', env=cls.environment)
        cls.addClassCleanup(ran, 'gpgconf', '--kill', 'all', env=cls.environment)
        steps = os.environ.get('LIMPET_RELEASE_STEPS', 'source,tarball,deb,rpm,chart')
        code, text = ran(cls.clone / 'scripts/release', 'v' + VERSION, cls.out, '--programs', BUILD, '--key', 'release@limpet.invalid',
                         '--steps', steps, env=cls.environment)
        assert code == 0, text

    def test_all_of_it_is_there(self):
        machine = os.uname().machine
        names = {path.name for path in self.out.iterdir()}
        debian = said('dpkg', '--print-architecture').strip()
        wanted = {'NOTES.md', 'limpet-%s.tar.gz' % VERSION, 'limpet-%s-linux-%s.tar.gz' % (VERSION, machine), 'limpet-chart-%s.tgz' % VERSION,
                  'SHA256SUMS', 'SHA256SUMS.asc'}
        for name in 'limpet-exporter', 'limpet-diagnoser':
            wanted |= {'%s_%s-1_%s.deb' % (name, VERSION, debian), '%s-%s-1.%s.rpm' % (name, VERSION, machine), name + '.spdx.json'}
        self.assertLessEqual(wanted, names)

    def test_checksums_and_signature(self):
        said('gpg', '--verify', self.out / 'SHA256SUMS.asc', self.out / 'SHA256SUMS', env=self.environment)
        listed = dict(reversed(line.split()) for line in (self.out / 'SHA256SUMS').read_text().splitlines())
        self.assertEqual(set(listed), {path.name for path in self.out.iterdir()} - {'SHA256SUMS', 'SHA256SUMS.asc'})
        for name, digest in listed.items():
            self.assertEqual(hashlib.sha256((self.out / name).read_bytes()).hexdigest(), digest, name)

    def test_the_source_archive_builds_its_page_without_a_registry(self):
        source = self.folder / 'source'
        source.mkdir()
        archive = self.out / ('limpet-%s.tar.gz' % VERSION)
        said('tar', '-C', source, '--strip-components=1', '-xzf', archive)
        writable = [line for line in said('tar', '-tvzf', archive).splitlines() if line[5] == 'w' and line[0] != 'l']
        self.assertEqual(writable, [])      # by its group: packages made of it would bring that along
        self.assertTrue('"/assets/app.' in (source / 'diagnoser/page/bundle/assets.cc').read_text())
        text = said('cmake', '-S', source, '-B', source / 'build', '-G', 'Ninja', '-DLIMPET_TESTS=OFF', '-DLIMPET_BENCHMARKS=OFF',
                    '-DLIMPET_PAGE=ON', *NO_REGISTRY)
        self.assertIn('is that of the source archive', text)

    def test_the_notes_are_the_section_of_the_version(self):
        notes = (self.out / 'NOTES.md').read_text()
        self.assertIn(notes, (ROOT / 'CHANGELOG.md').read_text())
        self.assertEqual([line.split()[1] for line in notes.splitlines() if line.startswith('## ')], [VERSION])

    def test_the_chart_is_a_chart(self):
        listed = said('tar', '-tvzf', self.out / ('limpet-chart-%s.tgz' % VERSION)).splitlines()
        names = [line.split()[-1] for line in listed]
        self.assertLessEqual({'limpet/Chart.yaml', 'limpet/files/rules.yml'}, set(names))
        self.assertEqual([line for line in listed if line[0] not in '-d'], [], 'a link leads out of the archive')


if __name__ == '__main__':
    unittest.main()
