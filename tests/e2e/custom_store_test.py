"""Metrics of the configuration from a real Prometheus that scraped every 15 s: the same verdicts as from pages."""
import html
import json
import pathlib
import random
import time
import unittest

import support
from peers import PastPrometheus
from support import DIAGNOSER, run

PACKS = pathlib.Path(__file__).resolve().parents[2] / 'config/metrics'
STEP, HOURS, FAULT = 15, 4, 1.5         # seconds, hours, hours
BOUNDS = [0.001 * 2 ** i for i in range(14)]
REQUESTS = 60           # of a step
TEXTS = {'etcd_wal_fsync': r"time to sync the log to disk of io04: p\d+(\.\d)? [\d.]+ ms, its peers' ",
         'osd_write_latency': r"time to answer a write of osd\.3 on io04: [\d.]+ ms, its peers' "}
FSYNC = 'etcd_disk_wal_fsync_duration_seconds_bucket'


class Server:
    """An etcd member with an OSD beside it."""

    def __init__(self, number):
        self.name, self.osd = 'io%02d' % (number + 1), 'osd.%d' % number
        self._random, self._counts, self._time, self._all = random.Random(number), [0] * len(BOUNDS), 0.0, 0

    def step(self, times):
        for _ in range(REQUESTS):
            took = self._random.expovariate(1 / (0.004 * times))
            self._time, self._all = self._time + took, self._all + 1
            for i, bound in enumerate(BOUNDS):
                self._counts[i] += took <= bound

    def samples(self):
        member, osd = 'instance="%s:2379",job="etcd"' % self.name, 'instance="mgr:9283",job="ceph",ceph_daemon="%s"' % self.osd
        for bound, count in (*zip(BOUNDS, self._counts), ('+Inf', self._all)):
            yield '%s{%s,le="%s"} %d' % (FSYNC, member, bound, count)
        yield 'ceph_osd_op_w_latency_sum{%s} %r' % (osd, self._time)
        yield 'ceph_osd_op_w_latency_count{%s} %d' % (osd, self._all)
        yield 'ceph_osd_metadata{%s,hostname="%s",device_class="hdd"} 1' % (osd, self.name)


class CustomStoreTest(support.TestCase):

    def blocks(self, begin, sick):
        """What Prometheus would have, of six servers."""
        servers, lines = [Server(i) for i in range(6)], []
        for at in range(begin, begin + HOURS * 3600, STEP):
            for one in servers:
                one.step(6 if one.name == sick and at >= begin + FAULT * 3600 else 1)
                lines += ['%s %d' % (line, at) for line in one.samples()]
        file = self.write('past.om', '\n'.join(lines) + '\n# EOF\n')
        run('promtool', 'tsdb', 'create-blocks-from', 'openmetrics', file, self.folder / 'tsdb')

    def test_a_slow_server_is_named_by_its_histogram_and_by_means_that_one_page_tells(self):
        begin = int(time.time()) // STEP * STEP - (HOURS + 1) * 3600
        self.blocks(begin, 'io04')
        for pack, metric, component in (('etcd', 'etcd_wal_fsync', 'io04'), ('ceph', 'osd_write_latency', 'io04/osd.3')):
            config = self.write(pack + '.yml', 'preset: default-15s\nmetric_files: ["%s"]\n' % (PACKS / (pack + '.yml')))
            with PastPrometheus(self.folder) as store:
                done = run(DIAGNOSER, 'replay', '--config', config, '--prometheus', store.url(''), '--step', '15s',
                           '--start', str(begin), '--end', str(begin + HOURS * 3600))
                page = self.folder / (pack + '.html')
                run(DIAGNOSER, 'report', '--config', config, '--prometheus', store.url(''), '--step', '15s',
                    '--from', str(begin), '--to', str(begin + HOURS * 3600), '--output', page)
            self.assertRegex(html.unescape(page.read_text()), TEXTS[metric])
            events = [json.loads(line) for line in done.stdout.splitlines()]
            verdicts = [event for event in events if event['type'] == 'verdict']
            self.assertEqual({(one['node'], one['cause']) for one in verdicts}, {('io04', 'slow-requests')}, pack)
            self.assertEqual({(one['metric'], one['component']) for one in verdicts[-1]['evidence']}, {(metric, component)})
            after = min(one['end'] for one in verdicts) - begin - FAULT * 3600
            print('%s: named %.0f s after the fault' % (pack, after))
            self.assertGreater(events[-1]['windows'], 0)
            self.assertTrue(0 < after < 3600, after)


if __name__ == '__main__':
    unittest.main()
