"""The persistent anomalies, of the real diagnoser while it runs and of recordings."""
import json
import pathlib
import unittest

import support
from fake_exporters import FakeExporters
from support import DIAGNOSER, Program, bcrypt, free_port, run, wait_until

CASE = pathlib.Path(__file__).resolve().parents[1] / 'fixtures/cases/07-lun15-component'
QUICK = '''
scrape: {interval: 250ms}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 2s}
'''
GROUPS = '''
peer_groups:
  - {name: pri, kind: storage, roles: [nsd], device: '^dm-[0-9]$'}
  - {name: sec, kind: storage, roles: [nsd], device: '^dm-1[0-9]$'}
'''


class TopTest(support.TestCase):

    def top(self, *arguments, code=0):
        done = run(DIAGNOSER, 'top', *arguments, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_asks_a_running_diagnoser(self):
        with FakeExporters(4) as fake:
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
            web = self.write('web.yml', 'basic_auth_users: {ann: "%s"}\n' % bcrypt('secret'))
            password = self.write('password', 'secret\n')
            program = Program(DIAGNOSER, 'serve', '--config',
                              self.write('a.yml', QUICK + fake.targets()),
                              '--web.listen-address', '127.0.0.1:0', '--web.config.file', web)
            self.addCleanup(program.stop)
            url = 'http://127.0.0.1:%d' % program.port()
            known = ('--username', 'ann', '--password-file', password, '--url')
            table = wait_until('an anomaly that lasts', lambda: (
                lambda text: 'disk-busy' in text and text)(self.top(*known, url + '/')))
            self.assertTrue(table.startswith('await by preset quick, window of '), table)
            self.assertRegex(table, r'\n +\d+  disk sda of io02  server-disks +\S+  yes +disk-busy  component\n')
            self.assertNotIn('io01', table)
            for metric, label in (('%util', 'utilization'), ('rxbyt', 'receive_bytes'), ('cwnd_client', 'cwnd_client')):
                # The label heads a table; that there is none is said in the words of who asked.
                self.assertRegex(self.top(*known, url, '--metric', metric), f'{label}|{metric}')
                self.assertIn(label, self.top(*known, url, '--metric', label))
            self.assertEqual(self.top(*known, url, '--limit', '1', '--metric', 'await').count('server-disks'), 1)
            self.assertIn('io02: indicted: disk-busy', run(DIAGNOSER, 'explain', 'io02', *known, url).stdout)
            listed = json.loads(self.top(*known, url, '--json'))['persistent']
            self.assertIn('io02/sda', [one['component'] for one in listed])
            self.assertIn('got 401', self.top('--url', url, code=1))
            self.assertIn('got 404', self.top(*known, url + '/elsewhere', code=1))

    def test_reads_recordings(self):
        config = self.write('a.yml', 'preset: production\n' + GROUPS)
        trained = self.folder / 't.yml'
        run(DIAGNOSER, 'train', '--config', config, '--output', trained,
            CASE.parent / '07-lun15-train' / 'recording.om.zst')
        text = self.top('--config', config, '--thresholds', trained, CASE / 'recording.om.zst')
        hours, _, table = text.partition('\n\n')
        self.assertTrue(hours.startswith('preset production\nDate.Hour: Value PG:LUN-server\n'),
                        text)
        rows = hours.splitlines()[2:]
        self.assertTrue(rows)
        for row in rows:
            self.assertRegex(row, r'^\d{8}\.\d\d:( \d+ \w+:nsd0\d/dm-\d+){0,4}$')
        self.assertTrue(any('pri:nsd02/dm-0' in row for row in rows), rows)
        self.assertIn('await', table)
        self.assertEqual(self.top('--config', config, '--thresholds', trained, '--hourly',
                                  CASE / 'recording.om.zst'), hours + '\n\n')
        other = self.top('--config', config, '--metric', 'wr_sec', CASE / 'recording.om.zst')
        self.assertRegex(other, 'write_bytes|wr_sec')

    def test_wrong_use_and_nobody_there(self):
        self.assertIn('is limpet-diagnoser running there?',
                      self.top('--url', 'http://127.0.0.1:%d' % free_port(), code=1))
        for arguments in (['--url', 'localhost'], ['--limit', '0'], ['--limit', 'many'],
                          ['--metric', 'colour'], ['--username', 'ann'],
                          ['--url', 'http://localhost', 'a.om'],
                          ['--config', '/nonexistent.yml', 'a.om']):
            self.top(*arguments, code=2)


if __name__ == '__main__':
    unittest.main()
