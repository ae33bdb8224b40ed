"""The RPMs of scripts/rpm: what they ask for, what rpmlint says, and both installed, started, upgraded and removed.

The machine is a Debian that is booted, whose database of RPMs knows nothing but packages of the names that EL 9 has.
Needs root, mmdebstrap, systemd-nspawn, rpmbuild and rpmlint (scripts/setup --containers). LIMPET_RPMS names a folder of
RPMs that are there already; otherwise they are made of the release build that LIMPET_BUILD_DIR names.
"""
import os
import pathlib
import re
import tempfile
import time
import unittest

from machine import Machine, said

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('LIMPET_BUILD_DIR', ROOT / 'build/release'))
PROGRAMS = 'limpet-exporter', 'limpet-diagnoser'
# What an EL 9 has of what ours may ask for, by the names it has there.
NAMES = '''Name: el-names
Version: 9
Release: 1
Summary: names
License: none
BuildArch: noarch
Provides: systemd = 252, shadow-utils = 2:4.9, bash = 5.1.8, /bin/sh
%description
Names.
%files
'''


class Rpm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-rpms-'))
        cls.addClassCleanup(said, 'rm', '-rf', '--one-file-system', cls.folder)
        made = os.environ.get('LIMPET_RPMS')
        if made is None:
            made = cls.folder
            said(ROOT / 'scripts/rpm', said(ROOT / 'scripts/tarball', BUILD, made).splitlines()[-1], made)
        cls.packages = {name: next(pathlib.Path(made).glob(name + '-*.rpm')) for name in PROGRAMS}

    def query(self, *arguments):
        return said('rpm', '-qp', *arguments).splitlines()

    def test_rpmlint_finds_no_fault(self):
        said('rpmlint', '--config', ROOT / 'config/rpm/rpmlint.toml', '--strict', *self.packages.values())

    def test_nothing_is_asked_that_only_one_distribution_has(self):
        for name, path in self.packages.items():
            wanted = {one.split()[0] for one in self.query('--requires', path)}
            allowed = {'/bin/sh', 'systemd', 'shadow-utils', 'config(%s)' % name}
            self.assertEqual({one for one in wanted if not one.startswith('rpmlib(')} - allowed, set())
            self.assertEqual([one for one in self.query('--provides', path) if '.so' in one], [])

    def test_paths_and_description(self):
        for name, path in self.packages.items():
            files = self.query('-l', path)
            for one in ('/usr/bin/' + name, '/usr/lib/systemd/system/%s.service' % name, '/usr/share/man/man1/%s.1.gz' % name,
                        '/usr/share/licenses/%s/LICENSE' % name):
                self.assertIn(one, files)
            self.assertEqual([one for one in files if one.startswith(('/lib', '/opt', '/usr/local'))], [])
            self.assertEqual(self.query('-c', path), ['/etc/limpet/%s.yml' % name.removeprefix('limpet-')])
            told = self.query('--queryformat', '%{VENDOR}|%{PACKAGER}|%{SUMMARY}|%{DESCRIPTION}', path)[0].split('|')
            self.assertEqual([one for one in told if one in ('', '(none)')], [])

    def page(self, machine, port):
        return machine.run('curl', '-s', '--max-time', '5', 'http://localhost:%d/metrics' % port, check=False)[1]

    def assert_running(self, machine):
        end = time.monotonic() + 60
        while not ('limpet_sample_timestamp_seconds ' in self.page(machine, 9836) and re.search(
                r'^limpet_target_up\{node="localhost"\} 1$', self.page(machine, 9837), re.MULTILINE)):
            if time.monotonic() > end:
                self.fail(machine.run('journalctl', '--no-pager', '-n', '60', check=False)[1])
            time.sleep(0.5)

    def test_installed_started_upgraded_removed(self):
        (self.folder / 'names.spec').write_text(NAMES)
        said('rpmbuild', '-bb', '--quiet', '--define', '_topdir %s/names' % self.folder, self.folder / 'names.spec')
        names = next(self.folder.glob('names/RPMS/*/*.rpm'))
        with Machine(['systemd', 'systemd-sysv', 'dbus', 'curl', 'procps', 'rpm']) as machine:
            for path in (names, *self.packages.values()):
                said('install', '-D', path, machine.root / 'packages' / path.name)
            ours = ['/packages/' + path.name for path in self.packages.values()]
            machine.run('rpm', '--initdb')
            refused, said_why = machine.run('rpm', '-i', *ours, check=False)
            self.assertNotEqual(refused, 0)
            self.assertIn('shadow-utils is needed', said_why)
            machine.run('rpm', '-i', '/packages/' + names.name)
            machine.run('rpm', '-i', *ours)
            # The presets of the distribution decide; EL's start nothing.
            machine.run('systemctl', 'enable', '--now', *PROGRAMS)
            self.assert_running(machine)
            for name in PROGRAMS:
                machine.run('rpm', '-V', '--nomode', '--nogroup', name)  # the group of diagnoser.yml is made by its script
                self.assertRegex(machine.run(name, '--version')[1], r'\d+\.\d+\.\d+')
            self.assertEqual(machine.run('stat', '-c', '%U:%G %a', '/etc/limpet/diagnoser.yml')[1].strip(), 'root:limpet 640')
            machine.run('sh', '-c', 'echo "log: {level: debug}" >> /etc/limpet/diagnoser.yml')
            machine.run('rpm', '-U', '--force', *ours)
            self.assertIn('log: {level: debug}', machine.run('tail', '-n', '1', '/etc/limpet/diagnoser.yml')[1])
            self.assert_running(machine)
            machine.run('rpm', '-e', *PROGRAMS)
            self.assertEqual(machine.run('pgrep', '-l', 'limpet', check=False)[1], '')
            left = machine.run('find', '/usr', '/etc/limpet', '/lib', '-name', '*limpet*', '-not', '-path', '/packages*',
                               check=False)[1].split()
            self.assertEqual(left, ['/etc/limpet'])  # with the changed configuration, as .rpmsave


if __name__ == '__main__':
    unittest.main()
