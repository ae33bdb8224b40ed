"""How lab own-metrics reads events and counts, and what it tells the diagnoser of a storage."""
import json
import os
import pathlib
import tempfile
import threading
import time
import unittest

from limpet_lab import ceph, etcd, faults, filesystem, own_metrics, slow_process, workload
from limpet_lab.own_metrics import Outcome
from limpet_lab.settings import Settings

STORAGE = {'text': 'time to sync', 'unit': 's', 'quantile': 'p99', 'value': 0.09, 'peers_low': 0.01, 'peers_high': 0.02}


def event(node, cause, end, secondary=False, storage=None):
    return json.dumps({'type': 'verdict', 'node': node, 'cause': cause, 'end': end, 'secondary': secondary,

                       'evidence': [{'component': node, 'storage': storage}]})


class OwnMetricsTest(unittest.TestCase):
    def test_the_first_verdict_of_each_counts_and_none_from_before(self):
        found, text = own_metrics.verdicts([
            event('io01', 'disk-busy', 5), event('io01', 'disk-busy', 11), event('io02', 'disk-busy', 12), event('io02', 'disk-busy', 14),
            event('io03', 'packet-loss', 13, secondary=True), event('io02', 'slow-requests', 15, storage=STORAGE),
            '{"type": "window", "end": 16}'], 10)
        self.assertEqual(found, [(2, 'io02', 'disk-busy'), (5, 'io02', 'slow-requests')])
        self.assertEqual(text, "time to sync of io02: p99 0.09 s, its peers' 0.01 to 0.02")

    def test_watching_ends_after_the_right_verdict_and_keeps_wrong_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            events = pathlib.Path(folder, 'events.jsonl')
            events.write_text(event('io05', 'disk-hog', time.time() - 1) + '\n')

            def write():
                with open(events, 'a') as file:
                    for node in ('io05', 'io02'):
                        cause = 'disk-hog' if node == 'io05' else 'disk-busy'     # which stood before
                        file.write(event(node, cause, time.time() + 1) + '\n')

            def write_more():
                with open(events, 'a') as file:
                    file.write(event('io04', 'disk-busy', time.time() + 1) + '\n')
            timers = [threading.Timer(0.2, write), threading.Timer(1.5, write_more)]
            for timer in timers:
                timer.start()
            found = own_metrics.watch(events, 'slow-disk', 'io02', ('disk-busy',), 9, longer=3)
            for timer in timers:
                timer.join()
        self.assertLess(found.seconds, 6)
        self.assertLess(found.after, 1.5)
        self.assertEqual(found.wrong, [('io04', 'disk-busy')])

    def test_the_table_has_a_median_and_what_was_wrong(self):
        def named(after, cause='disk-busy'):
            return Outcome('slow-disk', 'io02', ('disk-busy', 'slow-requests'), 60, [(after, 'io02', cause)], 2.0)
        outcomes = [named(30), named(40, 'slow-requests'), named(9, 'disk-hog'), Outcome('none', '', (), 180, [], 1.0)]
        self.assertEqual(own_metrics.table(outcomes).splitlines()[2:], [
            '| slow-disk | 3 | 2 | 35 s | 30 s | io02 disk-hog | 2.0 |', '| none | 3 minutes |  |  |  | none | 1.0 |'])

    def test_plans_name_what_there_is(self):
        for system, (work, plan) in own_metrics.PLANS.items():
            self.assertIn(work, workload.WORKLOADS)
            self.assertLessEqual(set(plan), set(faults.FAULTS))
            self.assertTrue((own_metrics.PACKS / filesystem.MODULES[system].PACK).exists())

    def test_a_slow_process_has_a_part_of_what_it_used(self):
        self.assertEqual(slow_process.quota(0.5, 40), 20_000)
        self.assertEqual(slow_process.quota(0.001, 40), slow_process.LEAST)
        with tempfile.TemporaryDirectory() as proc:
            folder = pathlib.Path(proc, '7')
            folder.mkdir()
            (folder / 'stat').write_text('7 (a ) b) S 1 7 7 0 -1 4194560 1 0 0 0 150 50 0 0 20 0 1 0 5 0 0')
            self.assertEqual(slow_process.seconds_used([7, 8], pathlib.Path(proc)), 200 / os.sysconf('SC_CLK_TCK'))

    def test_members_are_second_targets_of_their_servers_and_the_manager_tells_of_all(self):
        lab = Settings(servers=5, file_system='etcd')
        self.assertEqual(etcd.targets(lab).count('role: etcd, labels: {host: io'), 5)
        self.assertEqual(ceph.targets(Settings(file_system='ceph')),
                         '  - {address: "198.18.77.151:9283", node: manager, role: mgr}\n')


if __name__ == '__main__':
    unittest.main()
