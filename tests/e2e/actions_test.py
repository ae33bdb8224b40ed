"""The programs of config/actions say that they failed when they did: the history would have them done.

What they speak to is played by a script; the labs have the real ones (check_actions.py, check_incidents.py).
"""
import json
import os
import pathlib
import subprocess
import unittest

import support

ACTIONS = pathlib.Path(__file__).resolve().parents[2] / 'config/actions'
OSDS = json.dumps([{'id': 4, 'hostname': 'io05', 'devices': 'sda'}, {'id': 7, 'hostname': 'io05', 'devices': 'nvme0n1,sdb'}])
SILENCES = json.dumps([{'id': 'one', 'comment': 'limpet 0123456789abcdef'}, {'id': 'two', 'comment': 'somebody else'}])


class ActionsTest(support.TestCase):
    def run_action(self, name, *words, component='io05/sdb', **peers):
        """(exit status, what was said, what its peers were told); peers: {program: the case of its script}."""
        said = self.folder / 'said'
        said.write_text('')
        for peer, case in peers.items():
            self.write(peer, '#!/bin/sh\necho "$*" >> %s\ncase "$*" in %s esac\n' % (said, case)).chmod(0o755)
        document = {'id': '0123456789abcdef', 'node': 'io05', 'component': component,
                    'evidence': [{'component': 'io05'}, {'component': 'io05/sda'}]}
        done = subprocess.run([ACTIONS / name, *words], input=json.dumps(document), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, env={
                                  'PATH': '%s:%s' % (self.folder, os.environ['PATH']), 'CREDENTIALS_DIRECTORY': '/cred'})
        return done.returncode, done.stdout, [line.split(' osd ')[-1] for line in said.read_text().splitlines()]

    def test_primary_affinity(self):
        good = "*metadata*) echo '%s' ;;" % OSDS
        self.assertEqual(self.run_action('primary-affinity', '0', ceph=good), (
            0, '', ['metadata -f json', 'primary-affinity osd.7 0']))
        # The leading evidence may be the server's.
        self.assertEqual(self.run_action('primary-affinity', '1', ceph=good, component='io05')[2][1:], ['primary-affinity osd.4 1'])
        status, text, _ = self.run_action('primary-affinity', '0', ceph=good, component='io05/sdz')
        self.assertEqual((status, text), (1, 'no OSD of io05 is on sdz\n'))
        self.assertEqual(self.run_action('primary-affinity', '0', ceph='*) exit 2 ;;')[0], 1)
        self.assertEqual(self.run_action('primary-affinity', '0', ceph='*metadata*) echo no JSON ;;')[0], 1)
        self.assertEqual(self.run_action('primary-affinity', '0', ceph=good + ' *) exit 2 ;;')[0], 1)

    def test_alertmanager_silence(self):
        good, url = "*query*) echo '%s' ;;" % SILENCES, 'http://am:9093'
        status, _, told = self.run_action('alertmanager-silence', 'off', url, amtool=good)
        self.assertEqual((status, told[1:]), (0, ['--alertmanager.url=%s silence expire one' % url]))
        self.assertEqual(self.run_action('alertmanager-silence', 'off', url, amtool='*) exit 1 ;;')[0], 1)
        self.assertEqual(self.run_action('alertmanager-silence', 'off', url, amtool=good + ' *) exit 1 ;;')[0], 1)


if __name__ == '__main__':
    unittest.main()
