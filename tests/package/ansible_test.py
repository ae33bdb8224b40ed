"""The Ansible role on a freshly booted Debian 12: packages, configuration, services, idempotence; then the tarball.

Needs root, mmdebstrap and systemd-nspawn (scripts/setup --containers), and Debian's packages. LIMPET_BUILD_DIR names the
release build whose packages and tarball are installed. ansible-core runs inside the machine.
"""
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import unittest

from machine import Machine, said

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('LIMPET_BUILD_DIR', ROOT / 'build/release'))
PROGRAMS = 'exporter', 'diagnoser'
PLAYBOOK = '''
- hosts: localhost
  connection: local
  roles:
    - role: limpet
      limpet_programs: [exporter, diagnoser]
      limpet_artifacts: /artifacts
      limpet_diagnoser_config: {targets: [{addresses: [localhost]}]}
'''


class Role(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        said('cpack', '-G', 'DEB', '-B', made.name, '--config', BUILD / 'CPackConfig.cmake')
        said(ROOT / 'scripts/tarball', BUILD, made.name)
        libraries = said(ROOT / 'scripts/setup', '--run', '--list').split()
        cls.machine = cls.enterClassContext(Machine(
            ['systemd', 'systemd-sysv', 'dbus', 'curl', 'procps', 'ansible-core', 'python3-apt', *libraries]))
        for path in pathlib.Path(made.name).iterdir():
            if path.is_file():
                said('install', '-D', '-m', '0644', path, cls.machine.root / 'artifacts' / path.name)
        said('cp', '-R', ROOT / 'config/ansible/roles', cls.machine.root / 'artifacts/roles')
        (cls.machine.root / 'artifacts/playbook.yml').write_text(PLAYBOOK)

    def play(self, *options, check=True, **variables):
        """(exit code, text, tasks changed)"""
        # It wants UTF-8 and a working folder that it can name; nsenter's is outside its root.
        code, text = self.machine.run('env', '--chdir=/', 'HOME=/root', 'LC_ALL=C.UTF-8', 'ansible-playbook', '-i', 'localhost,',
                                      '-e', json.dumps(variables), *options, '/artifacts/playbook.yml', check=check, seconds=600)
        changed = re.search(r'localhost +: ok=\d+ +changed=(\d+)', text)
        return code, text, int(changed[1]) if changed else None

    def assert_running(self, folder):
        for short in PROGRAMS:
            unit = 'limpet-%s.service' % short
            end = time.monotonic() + 60
            while self.machine.run('systemctl', 'is-active', unit, check=False)[0]:
                self.assertLess(time.monotonic(), end, self.machine.run('journalctl', '-n', '40', '--no-pager', check=False)[1])
                time.sleep(0.5)
            self.assertEqual(self.machine.run('systemctl', 'is-enabled', unit)[1].strip(), 'enabled')
            self.assertIn(folder + '/limpet-' + short, self.machine.run('systemctl', 'cat', unit)[1])
        end = time.monotonic() + 60
        while 'limpet_target_up{node="localhost"} 1' not in self.machine.run(
                'curl', '-s', '--max-time', '5', 'http://localhost:9837/metrics', check=False)[1]:
            self.assertLess(time.monotonic(), end, 'the diagnoser sees no exporter')
            time.sleep(0.5)

    def test_packages_then_the_tarball(self):
        self.play('--syntax-check')
        self.play('--check')  # on a machine that has nothing yet
        self.assertEqual(self.machine.run('ls', '/etc/limpet', check=False)[0], 2)

        self.assertGreater(self.play()[2], 0)
        self.assert_running('/usr/bin')
        self.assertEqual(self.machine.run('stat', '-c', '%U:%G %a', '/etc/limpet/diagnoser.yml')[1].strip(), 'root:limpet 640')
        self.assertIn('Ansible', self.machine.run('cat', '/etc/limpet/diagnoser.yml')[1])
        self.assertEqual(self.play()[2], 0)

        # A change restarts one service; a mistake changes nothing.
        started = ['systemctl', 'show', '--value', '-p', 'MainPID', 'limpet-exporter.service']
        before = self.machine.run(*started)[1]
        self.assertGreater(self.play(limpet_exporter_config={'sampling': {'interval': '2s'}})[2], 0)
        self.assertNotEqual(self.machine.run(*started)[1], before)
        code, text, _ = self.play(check=False, limpet_exporter_config={'sampling': {'intervall': '2s'}})
        self.assertNotEqual(code, 0)
        self.assertIn('intervall', text)
        self.assertNotIn('intervall', self.machine.run('cat', '/etc/limpet/exporter.yml')[1])
        code, text, _ = self.play(check=False, limpet_programs=['exporters'])
        self.assertIn("got ['exporters']", text)
        self.assert_running('/usr/bin')

        # The packages make room for the tarball; the configuration is kept.
        self.machine.run('apt-get', 'remove', '-y', 'limpet-exporter', 'limpet-diagnoser')
        self.assertGreater(self.play(limpet_source='tarball')[2], 0)
        self.assert_running('/opt/limpet/bin')
        self.assertEqual(self.play(limpet_source='tarball')[2], 0)
        self.machine.run('/opt/limpet/install', '--remove')
        self.assertEqual(self.machine.run('ls', '/opt', '/usr/local/bin')[1].split(), ['/opt:', '/usr/local/bin:'])
        self.assertEqual(self.machine.run('pgrep', 'limpet', check=False)[1], '')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
