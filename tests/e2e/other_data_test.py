"""Other programs' files as input: sysstat's own file through the real sadf, its JSON, CSV, node_exporter's text."""
import json
import pathlib
import unittest

import support
from support import DIAGNOSER, run

SADC = '/usr/lib/sysstat/sadc'
BEGIN = 1769817600  # 2026-01-31T00:00:00Z
NODES = ['oss%d' % number for number in range(1, 7)]

PROGRAMS = {
    'node_exporter': {
        'reads': 'node_disk_reads_completed_total{device="sda"}', 'writes': 'node_disk_writes_completed_total{device="sda"}',
        'read_bytes': 'node_disk_read_bytes_total{device="sda"}', 'written': 'node_disk_written_bytes_total{device="sda"}',
        'read_seconds': 'node_disk_read_time_seconds_total{device="sda"}',
        'write_seconds': 'node_disk_write_time_seconds_total{device="sda"}',
        'busy': 'node_disk_io_time_seconds_total{device="sda"}',
        'weighted': 'node_disk_io_time_weighted_seconds_total{device="sda"}'},
    'node_exporter on FreeBSD': {
        'reads': 'node_devstat_transfers_total{device="ada0",type="read"}',
        'writes': 'node_devstat_transfers_total{device="ada0",type="write"}',
        'read_bytes': 'node_devstat_bytes_total{device="ada0",type="read"}',
        'written': 'node_devstat_bytes_total{device="ada0",type="write"}',
        'read_seconds': 'node_devstat_duration_seconds_total{device="ada0",type="read"}',
        'write_seconds': 'node_devstat_duration_seconds_total{device="ada0",type="write"}',
        'busy': 'node_devstat_busy_time_seconds_total{device="ada0"}'},
}
COLLECTOR = {'reads': 'disk_operations_total', 'writes': 'disk_operations_total', 'read_bytes': 'disk_io_total',
             'written': 'disk_io_total', 'read_seconds': 'disk_operation_time_total',
             'write_seconds': 'disk_operation_time_total', 'busy': 'disk_io_time_total',
             'weighted': 'disk_weighted_io_time_total'}


def collector(prefix, device, direction):
    """Its names without units, with these labels."""
    ways = {'reads': 'read', 'read_bytes': 'read', 'read_seconds': 'read', 'writes': 'write', 'written': 'write',
            'write_seconds': 'write'}
    return {counter: '%s%s{%s="sda"%s}' % (
        prefix, name, device, ',%s="%s"' % (direction, ways[counter]) if counter in ways else '')
        for counter, name in COLLECTOR.items()}


PROGRAMS['the collector, without units'] = collector('system_', 'device', 'direction')
PROGRAMS['the collector, with a namespace'] = collector('otel_system_', 'device', 'direction')
PROGRAMS['the collector, semantic conventions'] = collector('system_', 'system_device', 'disk_io_direction')


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
        done = run(DIAGNOSER, 'replay', '--config', self.write('b.yml', 'preset: bare\n'),
                   self.folder / 'oss1.json', check=False)
        self.assertEqual(done.returncode, 1)
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

    def pages(self, node, names):
        """Lines with times, instant by instant; names gives each counter's series."""
        totals, lines = dict.fromkeys(names, 0.0), []
        for step in range(400):
            requests, await_ms, busy, queue = disk(node, step, node == 'oss3' and step > 60)
            rates = {'reads': requests, 'read_bytes': 4096 * requests, 'read_seconds': requests * await_ms / 1000,
                     'busy': busy / 100, 'weighted': queue}
            for counter, series in names.items():
                totals[counter] += rates.get(counter, 0)
                lines.append('%s %.6f %d' % (series, totals[counter], 1000 * (BEGIN + step)))
        return lines

    def names_the_slow_disk(self, *files):
        text, log = self.diagnose(*files)
        self.assertIn('oss3', text, log)
        self.assertIn('disk-busy', text)
        for node in NODES:
            self.assertTrue(node == 'oss3' or node + ':' not in text, text)

    def test_pages_with_times_in_the_names_of_each_program(self):
        for program, names in PROGRAMS.items():
            with self.subTest(program):
                self.names_the_slow_disk(*[
                    self.write(node + '.prom', '\n'.join(self.pages(node, names)) + '\n') for node in NODES])

    def test_an_ending_of_ours_is_no_node(self):
        """Pages without `instance` are of the node that the file is named after, whatever its ending."""
        files = []
        for node in NODES:
            lines = [line[:-3] + '.000' for line in self.pages(node, PROGRAMS['node_exporter'])]
            files.append(self.write(node + '.om', '\n'.join(lines) + '\n'))
        self.names_the_slow_disk(*files)

    def test_what_is_ordered_by_series_is_sorted(self):
        """As `promtool tsdb dump-openmetrics` prints it."""
        by_series = {}
        for node in NODES:
            for line in self.pages(node, PROGRAMS['node_exporter']):
                series, rest = line.split('} ')
                by_series.setdefault('%s,instance="%s"} ' % (series, node), []).append(rest[:-3] + '.000')
        lines = [series + rest for series in sorted(by_series) for rest in by_series[series]]
        self.names_the_slow_disk(self.write('dump.om', '\n'.join(lines) + '\n# EOF\n'))


if __name__ == '__main__':
    unittest.main()
