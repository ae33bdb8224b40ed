"""Metrics of the configuration: a real diagnoser scrapes servers that tell how long their requests take."""
import json
import random
import threading
import time
import unittest

import support
from diagnoser_test import QUICK
from fake_exporters import FakeExporters
from support import DIAGNOSER, run, wait_until

BOUNDS = [0.001 * 2 ** i for i in range(14)]    # etcd's
ROW = '''
  - name: wal_fsync
    text: time to sync the log
    unit: s
    series: {histogram: etcd_disk_wal_fsync_duration_seconds}
    noise_floor: 1ms
    cause: slow-requests
'''


class Member:
    """What one etcd says of its syncs: exponential times, a share `slow` of them `times` as long."""

    def __init__(self, seed):
        self.random, self.slow, self.times = random.Random(seed), 0.0, 20
        self._counts, self._all, self._sum = [0] * len(BOUNDS), 0, 0.0
        self._at, self._lock = time.time(), threading.Lock()

    def lines(self):
        with self._lock:
            now = time.time()
            for _ in range(int((now - self._at) * 400)):
                took = self.random.expovariate(1 / 0.004)
                took *= self.times if self.random.random() < self.slow else 1
                self._all, self._sum = self._all + 1, self._sum + took
                for i, bound in enumerate(BOUNDS):
                    self._counts[i] += took <= bound
            self._at = now
            name = 'etcd_disk_wal_fsync_duration_seconds'
            return ''.join('%s_bucket{le="%r"} %d\n' % (name, bound, count)
                           for bound, count in zip(BOUNDS, self._counts)) + (
                '%s_bucket{le="+Inf"} %d\n%s_sum %r\n%s_count %d\n' % (
                    name, self._all, name, self._sum, name, self._all))


class CustomMetricsTest(support.TestCase):

    def fleet(self, fake):
        members = {}
        for i, (name, node) in enumerate(fake.nodes.items()):
            members[name] = Member(i)
            node.more = members[name].lines
        return members

    def compared(self, program):
        return program.page().value('limpet_diagnoser_custom_components', metric='wal_fsync',
                                    state='compared')

    def test_slow_member_is_named_and_none_while_all_are_well(self):
        with FakeExporters(6) as fake:
            members = self.fleet(fake)
            events = self.folder / 'events.jsonl'
            program = self.diagnoser(QUICK + 'events: {file: %s}\nmetrics:' % events + ROW +
                                     fake.targets())
            wait_until('a window of all', lambda: self.compared(program) == 6)
            time.sleep(5)
            self.assertEqual(self.indicted(program), set())

            members['io04'].slow = 0.5
            wait_until('the verdict', lambda: self.indicted(program))
            self.assertEqual(self.indicted(program), {('io04', 'slow-requests')})
            page = program.page()
            self.assertEqual(page.value('limpet_anomaly', node='io04', metric='wal_fsync'), 1)
            verdict, = json.loads(program.page('/api/v1/verdicts').body)['verdicts']
            self.assertEqual((verdict['node'], verdict['cause']), ('io04', 'slow-requests'))
            text = verdict['evidence'][0]['text']
            self.assertRegex(text, r"^time to sync the log of io04: p\d+(\.\d)? [\d.]+ ms, its peers' ")
            line = next(json.loads(one) for one in events.read_text().splitlines() if '"verdict"' in one)
            self.assertEqual(line['evidence'][0]['storage']['unit'], 's')
            self.assertIn('time to sync the log of io04', run(
                DIAGNOSER, 'explain', 'io04', '--url=http://127.0.0.1:%d' % program.number).stdout)

    def test_disk_that_is_slow_keeps_its_cause_with_the_storages_evidence_beside_it(self):
        with FakeExporters(6) as fake:
            members = self.fleet(fake)
            program = self.diagnoser(QUICK + 'metrics:' + ROW + fake.targets())
            wait_until('a window of all', lambda: self.compared(program) == 6)
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
            members['io02'].slow = 0.5
            wait_until('both kinds of evidence', lambda: any(
                {'await', 'wal_fsync'} <= {one['metric'] for one in verdict['evidence']}
                for verdict in json.loads(program.page('/api/v1/verdicts').body)['verdicts']))
            self.assertEqual(self.indicted(program), {('io02', 'disk-busy')})

    def test_who_asks_for_most_is_told_beside_the_verdict(self):
        with FakeExporters(4) as fake:
            members, begin = self.fleet(fake), time.time()

            def jobs(member):
                passed = time.time() - begin
                return member.lines() + ''.join('job_bytes_total{jobid="%d"} %r\n' % one for one in (
                    (4711, 7e7 * passed), (4712, 3e7 * passed)))
            for name, node in fake.nodes.items():
                node.more = lambda member=members[name]: jobs(member)
            asks = '  - {name: jobs, text: writes, unit: B/s, series: {counter: job_bytes_total}, asks: jobid}\n'
            program = self.diagnoser(QUICK + 'metrics:' + ROW + asks + fake.targets())
            wait_until('a window of all', lambda: self.compared(program) == 4)
            members['io02'].slow = 0.5
            wait_until('the verdict', lambda: self.indicted(program))
            verdict, = json.loads(program.page('/api/v1/verdicts').body)['verdicts']
            fact, = [one for one in verdict['facts'] if one['fact'] == 'who-asks']
            self.assertRegex(fact['text'], r'^jobid 4711 writes [\d.]+ MB/s of io02, (69|70|71) % of it$')
            self.assertIn('jobid 4711 writes', run(
                DIAGNOSER, 'explain', 'io02', '--url=http://127.0.0.1:%d' % program.number).stdout)

    def test_second_target_of_a_machine_tells_of_that_and_is_no_server_itself(self):
        with FakeExporters(4) as fake, FakeExporters(4) as members:
            for i, node in enumerate(members.nodes.values()):
                node.page = Member(i).lines
            more = ''.join('  - {node: %s-etcd, address: "127.0.0.1:%d", role: etcd, labels: {host: %s}}\n' % (
                node.name, node.port, node.name) for node in members.nodes.values())
            program = self.diagnoser(QUICK + 'metrics:' + ROW + fake.targets() + more)
            wait_until('a window of all', lambda: self.compared(program) == 4)
            wait_until('all are judged', lambda: {
                labels['node']: value for labels, value in program.page().all('limpet_node_judged')} == {
                    name: 1 for name in fake.nodes})

    def test_check_config_lists_metrics_and_names_series_that_nobody_has(self):
        with FakeExporters(3) as fake:
            self.fleet(fake)
            file = self.folder / 'diagnoser.yml'
            file.write_text(QUICK + 'metrics:' + ROW.replace('wal_fsync_dur', 'wal_fsnc_dur') +
                            fake.targets())
            out = run(DIAGNOSER, 'check-config', '--config', file, '--ask').stdout
            self.assertIn('metrics: wal_fsync\n', out)
            self.assertIn('warning: metrics: wal_fsync: no target has the series '
                          'etcd_disk_wal_fsnc_duration_seconds_bucket; did you mean '
                          'etcd_disk_wal_fsync_duration_seconds_bucket?', out)

    def test_suggest_config_finds_the_file_of_metrics(self):
        with FakeExporters(3) as fake:
            self.fleet(fake)
            out = run(DIAGNOSER, 'suggest-config', '--targets', ','.join(
                '127.0.0.1:%d' % node.port for node in fake.nodes.values())).stdout
            self.assertIn('metric_files:\n  - /usr/share/limpet/metrics/etcd.yml\n', out)


if __name__ == '__main__':
    unittest.main()
