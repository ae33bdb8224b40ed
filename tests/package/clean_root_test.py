"""Both packages on a clean Debian that is booted: installed, running, upgraded, purged without a trace.

Needs root, mmdebstrap and systemd-nspawn (scripts/setup --containers) and Debian's packages; the machine is
made and booted anew, with a network of its own. LIMPET_PACKAGES names a folder of packages to test in the
place of those that the build makes, LIMPET_SUITE the Debian they are for (default: bookworm).
"""
import json
import os
import pathlib
import re
import sqlite3
import sys
import tempfile
import time
import unittest

from machine import Machine, said

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('LIMPET_BUILD_DIR', ROOT / 'build/release'))
UNITS = ('limpet-exporter.service', 'limpet-diagnoser.service')
ARMED = '''
actions:
  mode: armed
  causes: [disk-busy]
  programs: {begin: [/usr/local/lib/limpet/look], end: [/usr/local/lib/limpet/look]}
  stop_file: /etc/limpet/stop-actions
'''
# A program of `actions` that says who it is and what it may do.
LOOK = r'''#!/bin/sh
cat > /dev/null
echo "uid $(id -u)"
grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status
for folder in / /etc /etc/limpet /usr/local/lib/limpet /root /home /var/lib /dev /sys/fs/cgroup; do
  touch "$folder/written" 2> /dev/null && echo "writes $folder"
done
for file in /etc/shadow /etc/limpet/secret /root/secret; do
  cat "$file" > /dev/null 2>&1 && echo "reads $file"
done
[ -e /proc/1 ] && echo "sees the processes of others"
[ -e /dev/kmsg ] && echo "sees devices"
unshare --mount true 2> /dev/null && echo "has namespaces"
mount -t tmpfs none /tmp 2> /dev/null && echo "mounts"
touch /tmp/written /var/lib/limpet-diagnoser/written && echo "writes where it may"
'''
# What the machine itself writes while it runs.
RESTLESS = re.compile(r'^/(proc|sys|dev|run|tmp|packages|etc/g?(passwd|group|shadow)-|var/tmp|var/log|var/cache|var/lib/(dpkg|apt|systemd))(/|$)')


def libraries(packages):
    """What these depend on; of alternatives the first."""
    depends = ','.join(said('dpkg-deb', '-f', path, 'Depends') for path in packages)
    return sorted({re.match(r'[\w.+-]+', one.strip())[0] for one in depends.split(',')})


class CleanRoot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = os.environ.get('LIMPET_PACKAGES')
        if folder is None:
            made = tempfile.TemporaryDirectory()
            cls.addClassCleanup(made.cleanup)
            folder = made.name
            said('cpack', '-G', 'DEB', '-B', folder, '--config', BUILD / 'CPackConfig.cmake')
        cls.packages = {path.name.split('_')[0]: path for path in pathlib.Path(folder).glob('*.deb')}
        cls.machine = cls.enterClassContext(Machine(
            ['systemd', 'systemd-sysv', 'dbus', 'curl', 'procps', *libraries(cls.packages.values())],
            os.environ.get('LIMPET_SUITE', 'bookworm')))
        for path in cls.packages.values():
            said('install', '-D', path, cls.machine.root / 'packages' / path.name)

    def files(self):
        """Every path with its owner, but for those the machine itself keeps changing."""
        listed = self.machine.run('find', '/', '-xdev', '-printf', r'%p %U:%G\n')[1].splitlines()
        return {line for line in listed if not RESTLESS.match(line.rpartition(' ')[0])}

    def limpets(self):
        """Paths named after us, wherever they are."""
        found = self.machine.run('find', '/', '-xdev', '-not', '-path', '/packages*', '-name', '*limpet*')[1]
        return found.split()

    def page(self, port, path='/metrics'):
        return self.machine.run('curl', '-s', '--max-time', '5', 'http://localhost:%d%s' % (port, path), check=False)[1]

    def wait_for(self, what, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                self.fail('%s: %s' % (what, self.machine.run('journalctl', '--no-pager', '-n', '60', check=False)[1]))
            time.sleep(0.5)

    def assert_running(self):
        for unit in UNITS:
            self.wait_for(unit, lambda: self.machine.run('systemctl', 'is-active', unit, check=False)[0] == 0)
            self.assertEqual(self.machine.run('systemctl', 'is-enabled', unit)[1].strip(), 'enabled')
            pid = self.machine.run('systemctl', 'show', '--value', '-p', 'MainPID', unit)[1].strip()
            status = self.machine.run('cat', '/proc/%s/status' % pid)[1]
            self.assertNotEqual(re.search(r'^Uid:\t(\d+)', status, re.MULTILINE)[1], '0', unit)
            self.assertEqual(re.search(r'^CapEff:\t(\w+)', status, re.MULTILINE)[1].strip('0'), '', unit)
        self.wait_for('a page of the exporter', lambda: 'limpet_sample_timestamp_seconds ' in self.page(9836))
        self.wait_for('the diagnoser to see the exporter', lambda: re.search(
            r'^limpet_target_up\{node="localhost"\} 1$', self.page(9837), re.MULTILINE))
        self.assertIsInstance(json.loads(self.page(9837, '/api/v1/verdicts')), dict)

    def assert_private(self):
        self.assertEqual(self.machine.run('stat', '-c', '%U:%G %a', '/etc/limpet/diagnoser.yml')[1].strip(),
                         'root:limpet 640')

    def test_installed_upgraded_and_purged(self):
        before, users = self.files(), self.machine.run('cat', '/etc/passwd', '/etc/group')[1]
        packages = ['/packages/' + path.name for path in self.packages.values()]
        self.machine.run('dpkg', '-i', *packages)
        self.assert_running()
        self.assert_private()

        # A change of the administrator's and a service that he switched off outlive an upgrade.
        self.machine.run('sh', '-c', 'echo "log: {level: debug}" >> /etc/limpet/diagnoser.yml')
        self.machine.run('dpkg', '-i', *packages)
        self.assert_running()
        self.assert_private()
        self.assertIn('log: {level: debug}', self.machine.run('tail', '-n', '1', '/etc/limpet/diagnoser.yml')[1])
        self.machine.run('systemctl', 'disable', '--now', UNITS[1])
        self.machine.run('dpkg', '-i', *packages)
        self.assertEqual(self.machine.run('systemctl', 'is-enabled', UNITS[1], check=False)[1].strip(), 'disabled')
        self.assertNotEqual(self.machine.run('systemctl', 'is-active', UNITS[1], check=False)[0], 0)
        self.machine.run('systemctl', 'enable', '--now', UNITS[1])

        # Removed, not purged: configuration and state stay, and a new installation finds them.
        self.wait_for('a state', lambda: self.machine.run('test', '-e', '/var/lib/private/limpet-diagnoser/state',
                                                          check=False)[0] == 0)
        self.machine.run('apt-get', 'remove', '-y', *self.packages)
        self.assertEqual(self.machine.run('ls', '/etc/limpet')[1].split(), ['diagnoser.yml', 'exporter.yml'])
        self.machine.run('test', '-e', '/var/lib/private/limpet-diagnoser/state')
        self.machine.run('dpkg', '-i', *packages)
        self.assert_running()

        self.machine.run('apt-get', 'purge', '-y', *self.packages)
        self.assertEqual(sorted(self.files() - before), [])
        self.assertEqual(sorted(before - self.files()), [])
        self.assertEqual(self.limpets(), [])
        self.assertEqual(self.machine.run('cat', '/etc/passwd', '/etc/group')[1], users)
        self.assertEqual(self.machine.run('pgrep', '-l', 'limpet', check=False)[1], '')

    def order(self, state):
        """Orders LOOK as the diagnoser would; returns the act's number."""
        with sqlite3.connect(state) as history:
            return history.execute(
                "INSERT INTO acts(incident, node, step, state, reason, at, document) "
                "VALUES('0123456789abcdef', 'io03', 'begin', 'ordered', '', ?, '{}')", (int(time.time() * 1000),)).lastrowid

    def test_programs_of_actions_run_without_rights(self):
        self.machine.run('dpkg', '-i', *('/packages/' + path.name for path in self.packages.values()))
        self.addCleanup(self.machine.run, 'apt-get', 'purge', '-y', *self.packages)
        root, unit = self.machine.root, 'limpet-actions.service'
        script, secrets = root / 'usr/local/lib/limpet/look', [root / 'etc/limpet/secret', root / 'root/secret']
        script.parent.mkdir()
        script.write_text(LOOK)
        script.chmod(0o755)
        for path in secrets:
            path.write_text('secret')
            path.chmod(0o600)
        with open(root / 'etc/limpet/diagnoser.yml', 'a') as config:
            config.write(ARMED)
        # As docs/incidents.md says.
        self.machine.run('cp', '/usr/share/limpet/systemd/' + unit, '/etc/systemd/system/')
        self.machine.run('systemctl', 'daemon-reload')
        self.machine.run('systemctl', 'restart', UNITS[1])
        self.machine.run('systemctl', 'enable', '--now', unit)

        def leave_nothing():
            self.machine.run('systemctl', 'disable', '--now', unit)
            self.machine.run('rm', '-r', '/etc/systemd/system/' + unit, '/usr/local/lib/limpet', '/root/secret', '/etc/limpet/secret')
            self.machine.run('systemctl', 'daemon-reload')
        self.addCleanup(leave_nothing)
        state = root / 'var/lib/private/limpet-diagnoser/history.db'
        self.wait_for('a history', state.exists)
        number = self.order(state)

        def act():
            with sqlite3.connect(state) as history:
                return history.execute('SELECT state, reason FROM acts WHERE number = ?', (number,)).fetchone()
        self.wait_for('the program', lambda: act()[0] not in ('ordered', 'running'))
        done, said_by_it = act()
        lines = said_by_it.splitlines()
        self.assertEqual(done, 'done', said_by_it)
        self.assertNotIn('uid 0', lines)
        found = dict(re.findall(r'^(\w+):\s+(\w+)$', said_by_it, re.MULTILINE))
        self.assertEqual(found, {'CapEff': '0' * 16, 'CapBnd': '0' * 16, 'NoNewPrivs': '1', 'Seccomp': '2'})
        # And nothing of what it tried.
        self.assertEqual(lines[5:], ['writes where it may'])
        main = self.machine.run('systemctl', 'show', '--value', '-p', 'MainPID', unit)[1].strip()
        status = self.machine.run('cat', '/proc/%s/status' % main)[1]
        self.assertEqual(re.search(r'^CapEff:\t(\w+)', status, re.MULTILINE)[1].strip('0'), '')
        self.assertNotEqual(re.search(r'^Uid:\t(\d+)', status, re.MULTILINE)[1], '0')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
