"""Other programs' files as input: sysstat's own file through the real sadf, its JSON, CSV, node_exporter's text."""
import json
import pathlib
import unittest

import support
from support import DIAGNOSER, run

SADC = '/usr/lib/sysstat/sadc'
BEGIN = 1769817600  # 2026-01-31T00:00:00Z
NODES = ['oss%d' % number for number in range(1, 7)]


def noise(node, step, spread=0.1):
    """A repeatable number around 1 that differs from node to node and step to step."""
    return 1 + spread * (((hash((NODES.index(node) + 1, step)) % 1000) / 500) - 1)


def disk(node, step, limps):
    """(requests a second, ms each, % busy, queue) of the node's disk."""
    requests = 100 * noise(node, step)
    await_ms = (60 if limps else 5) * noise(node, step + 7)
    return requests, await_ms, (90 if limps else 30) * noise(node, step + 13), requests * await_ms / 1000


class OtherDataTest(support.TestCase):

    def diagnose(self, *files, config='{}\n'):
        done = run(DIAGNOSER, 'replay', '--config', self.write('a.yml', config), '--format', 'text', *files)
        return done.stdout, done.stderr

    def sysstat_day(self, node, limps):
        """A day of readings every ten minutes, as sadf -j prints it."""
        records = []
        for step in range(1, 144):
            requests, await_ms, busy, queue = disk(node, step, limps)
            seconds = 600 * step
            records.append({
                'timestamp': {'date': '2026-01-31', 'utc': 1, 'interval': 600,
                              'time': '%02d:%02d:00' % (seconds // 3600, seconds // 60 % 60)},
                'disk': [{'disk-device': 'sda', 'tps': requests, 'rkB': 4 * requests, 'wkB': 0,
                          'await': await_ms, 'aqu-sz': queue, 'util-percent': busy}]})
        host = {'nodename': node, 'number-of-cpus': 2, 'statistics': records, 'restarts': []}
        return self.write(node + '.json', json.dumps({'sysstat': {'hosts': [host]}}))

    def test_a_day_of_sysstat_names_the_slow_disk(self):
        text, _ = self.diagnose(*[self.sysstat_day(node, node == 'oss3') for node in NODES])
        self.assertIn('oss3', text)
        self.assertIn('disk-busy', text)
        for node in NODES:
            self.assertTrue(node == 'oss3' or node + ':' not in text, text)
        # An operator's own preset for every second cannot read it, and is told so.
        done = run(DIAGNOSER, 'replay', '--config', self.write('b.yml', 'preset: default\n'),
                   self.folder / 'oss1.json')
        self.assertIn('600 s apart', done.stderr)

    def test_reads_the_file_of_sadc_through_sadf(self):
        self.assertTrue(pathlib.Path(SADC).exists(), 'install the package sysstat (scripts/setup)')
        file = self.folder / 'sa31'
        run(SADC, '-S', 'DISK', '1', '3', file)
        text = run(DIAGNOSER, 'export', file).stdout
        said = json.loads(run('sadf', '-j', file, '--', '-d').stdout)['sysstat']['hosts'][0]
        for record in said['statistics']:
            for one in record['disk']:
                self.assertIn('device="%s"' % one['disk-device'], text)
        self.assertIn('instance="%s"' % said['nodename'], text)
        # Each disk's requests: one line more than there are records, summed up.
        name = said['statistics'][0]['disk'][0]['disk-device']
        lines = [line for line in text.splitlines() if line.startswith('limpet_disk_reads_completed_total')
                 and 'device="%s"' % name in line]
        self.assertEqual(len(lines), len(said['statistics']) + 1)
        total = sum(record['disk'][0]['tps'] * record['timestamp']['interval'] for record in said['statistics'])
        self.assertAlmostEqual(float(lines[-1].split()[-2]), total, delta=0.02 + total / 100)

    def test_says_what_is_wrong_with_a_file_of_sadc(self):
        damaged = self.folder / 'sa01'
        damaged.write_bytes(b'\x96\xd5\x75\x21' + bytes(100))
        done = run(DIAGNOSER, 'replay', '--config', self.write('a.yml', '{}\n'), damaged, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn('sa01: sadf ended with exit code', done.stderr)
        done = run('env', 'PATH=/nowhere', DIAGNOSER, 'replay', '--config', self.folder / 'a.yml', damaged, check=False)
        self.assertIn('sadf is missing; install the package sysstat', done.stderr)

    def test_a_table_names_the_slow_disk_and_its_bad_rows(self):
        rows = ['time,node,role,device,requests,await,utilization,queue_length,read_bytes']
        for step in range(400):
            for node in NODES:
                values = disk(node, step, node == 'oss3' and step > 60)
                rows.append('%d,%s,oss,sda,%s,%d' % (BEGIN + step, node, ','.join('%.3f' % one for one in values),
                                                     4096 * values[0]))
        rows.insert(100, 'noon,oss1,oss,sda,1,1,1,1,1')
        text, log = self.diagnose(self.write('day.csv', '\n'.join(rows) + '\n'))
        self.assertIn('day.csv:101: expected a time such as', log)
        self.assertIn('left out 1 of 2401 rows', log)
        self.assertIn('oss3', text)
        self.assertIn('disk-busy', text)
        report = self.folder / 'report.html'
        run(DIAGNOSER, 'report', '--config', self.folder / 'a.yml', '--output', report, self.folder / 'day.csv')
        page = report.read_text()
        self.assertIn('The longest: disk sda of oss3, disk-busy', page)
        self.assertIn('<svg', page)
        self.assertIn('day.csv:101: expected a time', page)

    def test_pages_of_node_exporter_with_times(self):
        files = []
        for node in NODES:
            totals, lines = [0.0] * 4, []
            for step in range(400):
                requests, await_ms, busy, queue = disk(node, step, node == 'oss3' and step > 60)
                for index, more in enumerate((requests, requests * await_ms / 1000, busy / 100, queue)):
                    totals[index] += more
                for name, value in (('reads_completed_total', totals[0]), ('writes_completed_total', 0),
                                    ('read_bytes_total', 4096 * totals[0]), ('written_bytes_total', 0),
                                    ('read_time_seconds_total', totals[1]), ('write_time_seconds_total', 0),
                                    ('io_time_seconds_total', totals[2]),
                                    ('io_time_weighted_seconds_total', totals[3])):
                    lines.append('node_disk_%s{device="sda"} %.6f %d' % (name, value, 1000 * (BEGIN + step)))
            files.append(self.write(node + '.prom', '\n'.join(lines) + '\n'))
        text, _ = self.diagnose(*files)
        self.assertIn('oss3', text)
        self.assertIn('disk-busy', text)


if __name__ == '__main__':
    unittest.main()
