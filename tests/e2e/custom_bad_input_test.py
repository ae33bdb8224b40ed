"""Metrics of the configuration from pages that are wrong in all ways: told, bounded, and nothing else stops."""
import pathlib
import random
import threading
import time
import unittest

import support
from custom_metrics_test import ROW, Member
from diagnoser_test import QUICK
from fake_exporters import FakeExporters
from support import wait_until

ROWS = '''
metrics:''' + ROW + '''
  - {name: bad_histogram, unit: s, series: {histogram: bad_seconds}, min_count: 1}
  - {name: bad_mean, unit: s, series: {mean: {sum: mean_sum, count: mean_count}}, min_count: 1}
  - {name: bad_type, series: {counter: changed_total}}
  - {name: bad_join, series: {gauge: joined}, component: [osd], node: {join: osd_info, on: [osd], label: host}}
  - {name: two_nodes, series: {gauge: twice}, component: [osd], node: {join: twice_info, on: [osd], label: host}}
  - {name: moving, series: {gauge: moved}, component: [osd], node: {join: moved_info, on: [osd], label: host}}
  - {name: many, series: {counter: many_total}, component: [user]}
'''
# Of a storage that is not there.
PACK = pathlib.Path(__file__).resolve().parents[2] / 'config/metrics/ceph.yml'
MANY = 100_000


class Broken:
    """The lines of a server; each of them is wrong in its own way from `wrong` on."""

    def __init__(self, number, members):
        self.number, self.member, self.wrong = number, members, False
        self._begin, self._random = time.time(), random.Random(number)

    def lines(self):
        passed, wrong = time.time() - self._begin, self.wrong
        return (self.member.lines() + self._histogram(passed, wrong) + self._mean(passed, wrong) +
                'changed_total %r\n' % self._changed(passed, wrong) + self._joins(wrong))

    def _changed(self, passed, wrong):
        if wrong and self.number == 5:
            return self._random.uniform(0, 10)      # a gauge now
        return 100 * passed + (1e6 if wrong and self.number == 4 else 0)    # jumps once

    def _histogram(self, passed, wrong):
        count, number = 400 * passed, self.number if wrong else -1
        bounds = ['0.001', '0.01', '0.1', '1']
        values = [0.5 * count, 0.8 * count, 0.95 * count, count, count]
        if number == 0:
            values = [float('nan')] * 5
        elif number == 1:
            bounds = ['0.3', '0.7', '3', '7']
        elif number == 2:
            values[1] = 5.0             # that one alone began again
        elif number == 3:
            bounds = ['banana', 'NaN', '-Inf', '']
        elif number == 4:
            values = [-one for one in values]
        elif number == 5:
            values[4] = float('inf')
        return ''.join('bad_seconds_bucket{le="%s"} %r\n' % one for one in zip(bounds + ['+Inf'], values))

    def _mean(self, passed, wrong):
        total, count = 2.0 * passed, 400 * passed
        if wrong and self.number == 1:
            count = 400 * (passed % 3)          # begins again alone, and again
        if wrong and self.number == 2:
            total = float('nan')
        if wrong and self.number == 3:
            return ''                           # vanishes
        return 'mean_sum %r\nmean_count %r\n' % (total, count)

    def _joins(self, wrong):
        osd, host = 'osd.%d' % self.number, 'io%02d' % (self.number + 1)
        moved = 'io01' if wrong and self.number == 5 else host
        return ''.join('%s{osd="%s"} 5\n' % (name, osd) for name in ('joined', 'twice', 'moved')) + (
            'osd_info{osd="other.%d",host="%s"} 1\n' % (self.number, host) +
            'moved_info{osd="%s",host="%s"} 1\n' % (osd, moved) +
            ''.join('twice_info{osd="%s",host="%s"} 1\n' % (osd, one) for one in (host, 'elsewhere')))


class CustomBadInputTest(support.TestCase):

    def test_what_is_wrong_is_told_and_the_rest_goes_on(self):
        with FakeExporters(7) as fake:
            *servers, crowd = fake.nodes.values()
            broken = [Broken(i, Member(i)) for i in range(len(servers))]
            for node, its in zip(servers, broken):
                node.more = its.lines
            # Once: 100,000 lines a quarter of a second are not what is tried here.
            lines, told = ''.join('many_total{user="u%d"} 1\n' % i for i in range(MANY)), threading.Event()
            crowd.more = lambda: '' if told.is_set() else told.set() or lines
            program = self.diagnoser(QUICK + 'metric_files: ["%s"]' % PACK + ROWS + fake.targets())

            def components(metric, state='compared'):
                return program.page().value('limpet_diagnoser_custom_components', metric=metric, state=state)
            for metric in ('wal_fsync', 'bad_histogram', 'bad_mean', 'bad_type', 'moving'):
                wait_until('all components of ' + metric, lambda metric=metric: components(metric) == 6)
            self.assertEqual((components('bad_join', 'no_node'), components('two_nodes', 'two_nodes')), (6, 6))
            self.assertEqual(components('osd_write_latency'), 0)
            self.assertEqual(program.page().value('limpet_diagnoser_custom_dropped_total', reason='no_room'),
                             MANY - 10_000)

            for its in broken:
                its.wrong = True
            wait_until('buckets that say nothing', lambda: components('bad_histogram', 'few_peers') == 1)
            self.assertEqual(components('bad_histogram'), 0)
            wait_until('a mean that vanished', lambda: components('bad_mean') == 4)
            time.sleep(5)
            self.assertEqual(self.indicted(program), set())
            page = program.page()
            self.assertEqual(page.value('limpet_diagnoser_custom_components', metric='wal_fsync',
                                        state='compared'), 6)
            self.assertEqual(page.value('limpet_diagnoser_custom_components', metric='moving', state='compared'), 6)
            self.assertEqual({value for _, value in page.all('limpet_target_up')}, {1})

            broken[3].member.slow = 0.5
            wait_until('the verdict', lambda: self.indicted(program))
            self.assertEqual(self.indicted(program), {('io04', 'slow-requests')})


if __name__ == '__main__':
    unittest.main()
