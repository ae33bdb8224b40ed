"""Plans of experiments, and how runs are scored."""
import json
import pathlib
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

from limpet_lab import (ceph, clearing, cli, experiment, faults, healthy, matrix, moosefs, overhead, pack, picture,
                        pairs, profiles, report, same_events, slow_calls, table, workload)
from limpet_lab.report import Verdict
from limpet_lab.settings import Settings
from limpet_lab.shell import LabError

SERVERS = ['io01', 'io02', 'io03', 'io04', 'io05', 'io06']
TRUTH = {'workload': 'ddr', 'fault': 'disk-hog', 'server': 'io02', 'seed': 1, 'cause': 'disk-hog',
         'begin': 1000.0, 'fault_begin': 1060.0, 'fault_end': 1210.0, 'end': 1210.0}
HEALTHY = {**TRUTH, 'fault': 'none', 'server': '', 'cause': None}


class SameEventsTest(unittest.TestCase):
    FIRST = '{"type":"window","end":10,"preset":"a"}'
    SECOND = '{"type":"window","end":20,"preset":"b"}'
    THIRD = '{"type":"verdict","end":30,"preset":"a"}'
    SUMMARY = '{"type":"summary","preset":"a"}'

    def test_the_timetable_is_as_long_as_wanted_and_clears_every_fault(self):
        table = same_events.timetable(60)
        self.assertAlmostEqual(sum(seconds for seconds, _ in table), 3600)
        self.assertEqual([kind for _, kind in table[1::2]], list(same_events.FAULTS))
        self.assertEqual({kind for _, kind in table[::2]}, {'none'})

    def test_presets_may_take_turns_otherwise_live_but_each_says_the_same(self):
        one = same_events.by_preset([self.FIRST, self.SECOND, self.THIRD, self.SUMMARY], 30)
        other = same_events.by_preset([self.SECOND, self.FIRST, self.THIRD], 30)
        self.assertEqual(same_events.differences(one, other), [])

    def test_what_one_has_no_data_for_is_left_out(self):
        until = same_events.last_common([self.FIRST, self.THIRD], [self.FIRST, self.SECOND])
        self.assertEqual(until, 18)
        self.assertEqual(same_events.by_preset([self.FIRST, self.SECOND], until), {'a': [self.FIRST]})

    def test_a_byte_is_a_difference_and_so_is_a_line_that_is_missing(self):
        live = same_events.by_preset([self.FIRST, self.SECOND, self.THIRD], 30)
        changed = same_events.by_preset([self.FIRST, self.SECOND.replace('20', '20.0')], 30)
        self.assertEqual(same_events.differences(live, changed),
                         [('a', 2, self.THIRD, ''),
                          ('b', 1, self.SECOND, self.SECOND.replace('20', '20.0'))])


class PairsTest(unittest.TestCase):
    TRUTH = {'workload': 'ddr', 'begin': 1000.0, 'faults': [
        {'fault': 'disk-hog', 'server': 'io01', 'cause': 'disk-hog', 'begin': 1030.0, 'end': 1180.0},
        {'fault': 'receive-pktloss', 'server': 'io02', 'cause': 'packet-loss', 'begin': 1075.0, 'end': 1225.0}]}

    def test_all_pairs_of_causes_meet_two_servers(self):
        planned = pairs.plan(SERVERS)
        self.assertEqual(len({frozenset(one.kinds) for one in planned}), 10)
        self.assertTrue(all(one.servers[0] != one.servers[1] for one in planned))
        self.assertEqual(len({one.name for one in planned}), 10)
        self.assertEqual({one.workload for one in planned}, {'ddr', 'ddw'})

    def test_both_are_named_and_kept(self):
        said = [Verdict(end, 'io01', 'disk-hog', False) for end in range(1052, 1184, 4)] + [
            Verdict(end, 'io02', 'packet-loss', end > 1164) for end in range(1092, 1184, 4)]
        found, wrong = pairs.find(self.TRUTH, said)
        self.assertEqual([(one.after, one.good) for one in found], [(22, True), (17, False)])
        self.assertAlmostEqual(found[1].kept, 19 / 23)
        said = [Verdict(end, node, cause, False) for end in range(1091, 1180, 4)
                for node, cause in (('io01', 'disk-hog'), ('io02', 'packet-loss'))]
        found, wrong = pairs.find(self.TRUTH, said)
        self.assertEqual([(one.after, one.good) for one in found], [(61, True), (16, True)])
        self.assertEqual(wrong, [])
        self.assertIn('1 of 1', pairs.summary([(self.TRUTH, (found, wrong))])[-1])

    def test_a_healthy_server_and_a_wrong_cause_are_told(self):
        found, wrong = pairs.find(self.TRUTH, [
            Verdict(1100, 'io05', 'disk-hog', False), Verdict(1100, 'io01', 'disk-busy', False),
            Verdict(1104, 'io01', 'disk-busy', True)])
        self.assertEqual([one.after for one in found], [None, None])
        self.assertEqual(wrong, [('io05', 'disk-hog'), ('io01', 'disk-busy')])


class HealthyTest(unittest.TestCase):
    def test_a_timetable_is_as_long_as_wanted_and_the_same_for_a_seed(self):
        for system in ('gluster', 'moosefs', 'ceph'):
            settings = Settings(file_system=system)
            parts = healthy.timetable(settings, 7200, 5)
            self.assertAlmostEqual(sum(part.seconds for part in parts), 7200)
            self.assertEqual(parts, healthy.timetable(settings, 7200, 5))
            self.assertNotEqual(parts, healthy.timetable(settings, 7200, 6))
            for part in parts:
                self.assertLessEqual(set(part.workloads), set(healthy.WORKLOADS[system]))
                self.assertIsNone(faults.FAULTS[part.event].cause)

    def test_only_small_files_want_the_page_cache(self):
        for buffered in (False, True):
            settings = Settings(buffered=buffered)
            for part in healthy.timetable(settings, 3600, 1):
                for name in part.workloads:
                    self.assertEqual(workload.wants_buffered(name, 'gluster'), buffered)

    def test_verdicts_close_together_are_one_indictment(self):
        verdicts = [Verdict(end, 'io02', 'disk-hog', False) for end in (100, 116, 132, 300)]
        verdicts += [Verdict(110, 'io03', 'disk-busy', True), Verdict(120, 'io04', 'disk-busy', False)]
        self.assertEqual(sorted(healthy.spells(verdicts)),
                         [('io02', 'disk-hog', 100, 132), ('io02', 'disk-hog', 300, 300),
                          ('io04', 'disk-busy', 120, 120)])

    def test_nothing_seen_may_still_be_three(self):
        self.assertAlmostEqual(healthy.most_likely(0), 2.996, places=3)    # of Poisson tables
        self.assertAlmostEqual(healthy.most_likely(2), 6.296, places=3)

    def test_the_summary_counts_hours_of_servers(self):
        truth = {**HEALTHY, 'end': 1000.0 + 7200, 'servers': 6, 'file_system': 'gluster'}
        lines = healthy.summary([(pathlib.Path('a'), truth, 7200 * 6, [('io02', 'disk-hog', 1100, 1200)]),
                                 (pathlib.Path('b'), truth, 7200 * 6, [])])
        self.assertEqual(lines[1], '  io02 disk-hog from 100 s to 200 s')
        self.assertEqual(lines[-1], 'together 24.0 server-hours, 1 wrong indictments; at 95 % at most 4.74 a '
                                    'server-day')


class PackTest(unittest.TestCase):
    RECORDING = ('# TYPE limpet_disk_read_bytes counter\n# UNIT limpet_disk_read_bytes bytes\n'
                 'limpet_disk_read_bytes_total{device="sdb"} 5 1000.000\n'
                 '# TYPE limpet_load1 gauge\nlimpet_load1 0.5 1000.000\n# EOF\n')

    def test_what_peer_comparison_reads_is_kept(self):
        lines = self.RECORDING.splitlines(keepends=True)
        self.assertEqual(pack.kept(self.RECORDING), ''.join(lines[:3] + lines[5:]))

    def test_an_archive_holds_whole_runs_and_is_the_same_every_time(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            host = folder / 'ddr-none-1' / 'io01'
            host.mkdir(parents=True)
            (host / '20260101T000000Z.om').write_text(self.RECORDING)
            (host.parent / 'truth.json').write_text(json.dumps(HEALTHY))
            for name in ('a.tar.xz', 'b.tar.xz'):
                pack.pack(report.runs(folder), folder / name)
            self.assertEqual((folder / 'a.tar.xz').read_bytes(), (folder / 'b.tar.xz').read_bytes())
            with tarfile.open(folder / 'a.tar.xz') as archive:
                archive.extractall(folder / 'unpacked')
            (run,) = report.runs(folder / 'unpacked')
            self.assertEqual(run[1], HEALTHY)
            self.assertEqual([pack.text_of(file) for file in report.recordings(run[0])],
                             [pack.kept(self.RECORDING)])


    def test_of_round_trips_alone_little_is_kept(self):
        text = ('# TYPE limpet_tcp_peer_rtt_seconds gauge\n# UNIT limpet_tcp_peer_rtt_seconds seconds\n'
                'limpet_tcp_peer_rtt_seconds{peer="a"} 0.00018999999999999998 1000.000\n'
                'limpet_tcp_cwnd_segments{} 10 1000.000\n# EOF\n')
        self.assertEqual(pack.trips(text), '# TYPE limpet_tcp_peer_rtt_seconds gauge\n'
                         'limpet_tcp_peer_rtt_seconds{peer="a"} 0.000190 1000.000\n# EOF\n')


class ClearingTest(unittest.TestCase):
    TRUTH = {'fault': 'slow-link', 'strength': 2, 'workload': 'ddr', 'server': 'io02', 'cause': 'slow-network',
             'begin': 1000.0, 'fault_begin': 1020.0, 'fault_end': 1100.0, 'end': 1160.0}

    def test_named_and_cleared_are_seconds_from_begin_and_end(self):
        verdicts = [report.Verdict(end, 'io02', 'slow-network', False) for end in range(1048, 1113, 4)]
        found = clearing.outcome(self.TRUTH, verdicts + [report.Verdict(1060, 'io03', 'disk-hog', False),
                                                         report.Verdict(1060, 'io04', 'disk-hog', True)])
        self.assertEqual((found.after, found.cleared, found.others), (28, 16, {'io03': 'disk-hog'}))
        self.assertIn('| slow-link 2 | ddr | 1 | 28 | 16 | io03 disk-hog |', clearing.markdown([found]))

    def test_what_is_named_to_the_end_was_not_cleared(self):
        verdicts = [report.Verdict(end, 'io02', 'slow-network', False) for end in range(1048, 1160, 4)]
        self.assertIsNone(clearing.outcome(self.TRUTH, verdicts).cleared)
        self.assertIsNone(clearing.outcome(self.TRUTH, []).after)


class MatrixTest(unittest.TestCase):
    def test_delays_are_three_of_each_strength_and_workload(self):
        planned = matrix.delays(SERVERS)
        steady = [(one.strength, one.workload) for one in planned if one.fault == 'slow-link']
        self.assertEqual(sorted(steady), sorted(3 * [(ms, name) for ms in (1, 2, 10) for name in ('ddr', 'ddw')]))
        self.assertEqual(len({one.name for one in planned}), len(planned))

    def test_every_workload_meets_every_fault_on_changing_servers(self):
        planned = matrix.full(SERVERS, repeats=3, fault_free=3)
        self.assertEqual(len(planned), 5 * (3 * 6 + 3))
        self.assertEqual(len({one.name for one in planned}), len(planned))
        for name in workload.PAPER_WORKLOADS:
            for fault in matrix.PAPER_FAULTS:
                self.assertEqual(sum((one.workload, one.fault) == (name, fault) for one in planned), 3)
        self.assertEqual({one.server for one in planned if one.fault == 'none'}, {''})
        hit = [one.server for one in planned if one.server]
        self.assertEqual({hit.count(name) for name in SERVERS}, {15})
        for fault in matrix.PAPER_FAULTS:
            self.assertGreaterEqual(len({one.server for one in planned if one.fault == fault}), 5)

    def test_every_round_is_whole_and_changes_the_lab_once(self):
        planned = matrix.full(SERVERS)
        self.assertEqual([one.seed for one in planned], sorted(one.seed for one in planned))
        kinds = [workload.WORKLOADS[one.workload].buffered for one in planned if one.seed == 2]
        self.assertEqual(kinds, sorted(kinds))

    def test_labs_side_by_side_share_a_matrix(self):
        one, other = matrix.quick(SERVERS[:4])[:2]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            with matrix.claim(one, folder) as first, matrix.claim(one, folder) as second:
                self.assertEqual((first, second), (True, False))
                with matrix.claim(other, folder) as ours:
                    self.assertTrue(ours)
                (folder / one.name).mkdir()
                (folder / one.name / 'truth.json').write_text('{}')
            with matrix.claim(one, folder) as again:
                self.assertFalse(again)
            self.assertEqual([path.name for path in folder.iterdir()], [one.name])

    def test_what_has_ended_is_not_run_again(self):
        planned = matrix.quick(SERVERS[:4])
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / planned[0].name).mkdir()
            (folder / planned[1].name).mkdir()
            (folder / planned[1].name / 'truth.json').write_text('{}')
            self.assertEqual(matrix.left(planned, folder), [planned[0], planned[2]])

    def test_semantic_faults_meet_changing_servers(self):
        planned = matrix.semantic(SERVERS, faults.SEMANTIC, repeats=3, fault_free=2)
        self.assertEqual(len(planned), 2 + 3 * len(faults.SEMANTIC))
        self.assertEqual(len({one.name for one in planned}), len(planned))
        for fault in faults.SEMANTIC:
            self.assertEqual(len({one.server for one in planned if one.fault == fault}), 3)

    def test_etcd_crashes_where_glusterfs_hands_an_error_on(self):
        planned = matrix.semantic(SERVERS, faults.SEMANTIC, file_system='etcd')
        self.assertEqual({one.workload for one in planned}, {'puts'})
        self.assertNotIn('client-restart', {one.fault for one in planned})
        causes = [faults.cause_of(*of) for of in (('full-disk', 'etcd'), ('full-disk', 'gluster'), ('stopped', 'etcd'))]
        self.assertEqual(causes, ['server-crash', 'propagated-error', 'server-hang'])

    def test_grades_are_named_by_their_strength(self):
        self.assertEqual(matrix.graded(SERVERS)[0].name, 'ddr-receive-pktloss-0.5-io01-1')


class ProfilesTest(unittest.TestCase):
    LINES = ['{"type":"window","end":1}',
             '{"type":"profile","end":5,"components":[{"component":"a","indicted":false},'
             '{"component":"b","indicted":false}]}',
             '{"type":"profile","end":6,"components":[{"component":"a","indicted":true},'
             '{"component":"b","indicted":false}]}',
             '{"type":"profile","end":7,"components":[{"component":"a","indicted":true},'
             '{"component":"b","indicted":false}]}']

    def test_each_server_has_the_time_of_its_first_indictment(self):
        self.assertEqual(profiles.first_indictments(self.LINES), {'a': 6, 'b': None})

    def test_true_positives_come_after_the_fault_false_ones_at_any_time(self):
        cell = profiles.Cell()
        cell.add({**TRUTH, 'server': 'a', 'fault_begin': 5}, {'a': 6, 'b': None, 'c': 2})
        cell.add({**TRUTH, 'server': 'a', 'fault_begin': 7}, {'a': 6, 'b': None, 'c': None})
        self.assertEqual((cell.found, cell.faulty, cell.accused, cell.healthy), (1, 2, 1, 4))
        self.assertEqual(cell.text, '1 of 2 | 1 of 4')
        healthy = profiles.Cell()
        healthy.add(HEALTHY, {'a': None, 'b': None})
        self.assertEqual(healthy.text, '– | 0 of 2')

    def test_hogs_meet_every_workload_and_changing_servers(self):
        planned = matrix.hogs(SERVERS[:5])
        self.assertEqual(len(planned), 3 * 3)
        self.assertEqual(len({one.server for one in planned if one.server}), 5)

    def test_mapreduce_meets_the_faults_of_the_paper_round_by_round(self):
        planned = matrix.hogs(SERVERS[:5], 2, 3, ('sort', 'grep'))
        self.assertEqual([one.seed for one in planned], 8 * [1] + 8 * [2] + 2 * [3])
        self.assertEqual([one.name for one in planned[:5]], [
            'sort-none-1', 'grep-none-1', 'sort-cpu-hog-0.7-io01-1', 'sort-disk-hog-io02-1',
            'sort-receive-pktloss-50-io03-1'])
        self.assertEqual({one.fault for one in matrix.hogs(SERVERS, kinds=['cpu-hog'])}, {'none', 'cpu-hog'})


class SlowCallsTest(unittest.TestCase):
    TRUTH = {'cause': 'disk-busy', 'server': 'a', 'begin': 0, 'fault_begin': 10, 'fault_end': 70, 'end': 70}
    EARLY, RIGHT, WRONG, LATE = (
        json.dumps({'type': 'verdict', 'end': end, 'node': node, 'cause': 'slow-syscalls', 'evidence': [{'metric': calls}]})
        for end, node, calls in ((9, 'b', 'dread'), (22, 'a', 'dread'), (30, 'b', 'ncread'), (73, 'c', 'dread')))

    def test_who_is_accused_by_each_class_while_the_fault_lasts(self):
        found = slow_calls.accused([self.EARLY, self.RIGHT, self.WRONG, self.LATE, '{"type":"summary"}'], self.TRUTH)
        self.assertEqual(found, {'dread': {'a': 12}, 'dwrite': {}, 'nsread': {}, 'ncread': {'b': 20}})
        healthy = slow_calls.accused([self.EARLY], {**self.TRUTH, 'cause': None, 'server': None})
        self.assertEqual(healthy['dread'], {'b': 9})

    def test_a_cell_counts_the_runs_that_accuse_the_server_and_another(self):
        runs = [(self.TRUTH, slow_calls.accused([self.RIGHT], self.TRUTH)),
                (self.TRUTH, slow_calls.accused([self.WRONG], self.TRUTH))]
        row = slow_calls.markdown({('ddr', 'disk-busy'): runs}).splitlines()[-1]
        self.assertEqual(row, '| ddr, disk-busy | 1/2 after 12 s, 0/2 | – | – | 0/2, 1/2 |')

    def test_nothing_is_learned_without_healthy_runs(self):
        with self.assertRaisesRegex(LabError, 'without a fault'):
            slow_calls.evaluate('bin', [('folder', {**self.TRUTH, 'workload': 'ddr'})])


class FaultTest(unittest.TestCase):
    def test_every_fault_of_the_paper_and_its_cause(self):
        self.assertEqual({name: faults.FAULTS[name].cause for name in matrix.PAPER_FAULTS}, {
            'disk-hog': 'disk-hog', 'disk-busy': 'disk-busy', 'write-network-hog': 'network-hog',
            'read-network-hog': 'network-hog', 'receive-pktloss': 'packet-loss',
            'send-pktloss': 'packet-loss'})

    def test_a_part_of_a_processor_is_a_program_of_its_own(self):
        lab = Settings()
        for strength, expected in ((1, ['sh']), (0.7, [sys.executable]), (2.5, ['sh', 'sh', sys.executable])):
            with mock.patch.object(faults, 'spawn') as spawn, mock.patch.object(faults, 'stop'):
                with faults.inject(lab, 'cpu-hog', lab.host('io01'), None, strength):
                    self.assertEqual([call.args[1][2] for call in spawn.call_args_list], expected)

    def test_a_slightly_slower_disk(self):
        lab = Settings(slower='io02', slower_by=0.25)
        self.assertEqual([lab.speed_of(host) for host in lab.io_hosts[:2]], [1.0, 0.8])


class ScoreTest(unittest.TestCase):
    def test_the_cause_is_the_one_that_stood_longest(self):
        found = report.score(TRUTH, [Verdict(1088, 'io02', 'disk-busy', False),
                                     Verdict(1120, 'io02', 'disk-hog', False),
                                     Verdict(1152, 'io02', 'disk-hog', False)])
        self.assertEqual(found.named, {'io02': 'disk-hog'})
        self.assertEqual(found.after, 60)
        self.assertTrue(found.indicted and found.diagnosed)
        self.assertFalse(found.misindicted or found.misdiagnosed)

    def test_of_two_as_frequent_the_later_one(self):
        found = report.score(TRUTH, [Verdict(1088, 'io02', 'disk-busy', False),
                                     Verdict(1120, 'io02', 'disk-hog', False)])
        self.assertEqual(found.named, {'io02': 'disk-hog'})

    def test_a_secondary_server_is_not_indicted(self):
        found = report.score(TRUTH, [Verdict(1120, 'io05', 'disk-busy', True)])
        self.assertEqual(found.named, {})
        self.assertFalse(found.indicted or found.misindicted or found.misdiagnosed)

    def test_another_server_is_a_false_indictment_and_a_false_diagnosis(self):
        found = report.score(TRUTH, [Verdict(1120, 'io02', 'disk-hog', False),
                                     Verdict(1120, 'io05', 'disk-hog', False)])
        self.assertTrue(found.diagnosed and found.misindicted and found.misdiagnosed)

    def test_what_comes_after_the_fault_or_before_the_run_does_not_count(self):
        found = report.score(TRUTH, [Verdict(990, 'io05', 'disk-hog', False),
                                     Verdict(1248, 'io02', 'disk-hog', False)])
        self.assertEqual(found.named, {})

    def test_rates_are_the_papers(self):
        right = report.score(TRUTH, [Verdict(1120, 'io02', 'disk-hog', False)])
        wrong_cause = report.score(TRUTH, [Verdict(1120, 'io02', 'disk-busy', False)])
        missed = report.score(TRUTH, [])
        quiet = report.score(HEALTHY, [])
        false_alarm = report.score(HEALTHY, [Verdict(1120, 'io01', 'disk-busy', False)])
        self.assertEqual(report.rates([right, wrong_cause, missed, right]), (75, 0, 50, 25))
        self.assertEqual(report.rates([right, quiet, false_alarm, missed]), (50, 25, 50, 25))
        self.assertEqual(report.rates([quiet]), (None, 0, None, 0))

    def test_the_table_lists_what_is_not_right(self):
        text = table.markdown({'default': [report.score(TRUTH, []), report.score(HEALTHY, [])]})
        self.assertIn('1 runs with a fault, 1 without', text)
        self.assertIn('| disk-hog | 1 | 0/0/0/0 | 100/0/100/0 | 82', text)
        self.assertIn('| none | 1 | –/0/–/0 | 0/0/0/0 | 0/0/0/0 |', text)
        self.assertIn('| disk-hog | ddr | 1 | 0/0/0/0 |', text)
        self.assertIn('* disk-hog on io02 under ddr (seed 1): nobody named', text)

    def test_production_is_scaled_to_runs_of_minutes(self):
        self.assertIn('base: production, step: 1s', report.config(
            'production', [TRUTH]))
        self.assertTrue(report.config('testbench', [TRUTH]).startswith('preset: testbench\n'))
        self.assertIn('ports: [9422, 49152]', report.config('default', [TRUTH, {'port': 9422}]))
        self.assertIn("ports: ['6800-6899']", report.config('default', [{'port': ceph.PORT}]))

    def test_default_is_what_runs_when_nothing_is_said(self):
        self.assertNotIn('preset', report.config('default', [{'port': ceph.PORT}]))


    def test_metadata_servers_are_peers_of_their_own(self):
        self.assertIn('{name: names, kind: network, roles: [mds]}', report.config(
            'default', [{'port': ceph.PORT, 'file_system': 'cephfs'}]))
        self.assertNotIn('mds', report.config('default', [TRUTH]))


class OtherFileSystemsTest(unittest.TestCase):
    def test_metadata_servers_get_each_fault_of_the_network_under_even_and_uneven_load(self):
        settings = Settings(file_system='cephfs', servers=3)
        planned = matrix.of_cephfs([host.name for host in settings.peers])
        self.assertEqual(len({one.name for one in planned}), len(planned))
        for name in ('names', 'names-uneven'):
            self.assertEqual([one.fault for one in planned if one.workload == name], ['none', *matrix.PAPER_FAULTS[2:]])
        self.assertEqual({one.server for one in planned}, {'', 'mds01', 'mds02', 'mds03'})
        self.assertEqual([host.name for host in settings.recorded_hosts if host.role == 'mds'], ['mds01', 'mds02', 'mds03'])

    def test_ceph_has_twenty_runs_with_faults_and_some_with_what_is_none(self):
        planned = matrix.of_ceph(SERVERS)
        self.assertEqual(len({one.name for one in planned}), len(planned))
        faulty = [one for one in planned if faults.FAULTS[one.fault].cause]
        self.assertEqual(len(faulty), 20)
        self.assertEqual({one.server for one in faulty}, set(SERVERS))
        self.assertEqual(planned[-1].fault, 'recovery')     # moves data for good
        self.assertGreaterEqual(len(planned) - len(faulty), 6)

    def test_systems_never_tuned_to_have_sixteen_runs_with_faults_and_some_with_what_is_none(self):
        for system, harmless in (('galera', 'backup'), ('etcd', 'backup'), ('swift', 'audit')):
            for servers in (SERVERS, SERVERS[:3]):
                planned = matrix.OF[system](servers)
                self.assertEqual(len({one.name for one in planned}), len(planned))
                faulty = [one for one in planned if faults.FAULTS[one.fault].cause]
                self.assertEqual((len(faulty), len(planned)), (16, 20))
                self.assertEqual({one.server for one in faulty}, set(servers))
                self.assertEqual(planned[-1].fault, harmless)

    def test_a_backup_is_asked_of_systems_that_have_one(self):
        with self.assertRaisesRegex(LabError, 'no backup of gluster'):
            with faults.backup(Settings(), None, None, 1):
                pass

    def test_moosefs_has_unequal_placement_with_faults_and_without(self):
        planned = matrix.of_moosefs(SERVERS)
        self.assertEqual(len({one.name for one in planned}), len(planned))
        faulty = [one for one in planned if one.fault != 'none']
        self.assertGreaterEqual(len(faulty), 16)
        self.assertGreaterEqual(len(planned) - len(faulty), 6)
        for some in (faulty, [one for one in planned if one.fault == 'none']):
            self.assertTrue(any(workload.WORKLOADS[one.workload].place for one in some))

    def test_files_lie_where_their_place_says(self):
        self.assertIn('mfssetsclass only-A "$file"', moosefs.placing('double', 1))
        self.assertIn('mfssetsclass only-B "$file"', moosefs.placing('double', 2))
        self.assertIn('mfssetsclass only-A "$file"', moosefs.placing('half', 3))

    def test_a_ceph_client_finds_its_cluster_by_its_folder(self):
        chosen = workload.WORKLOADS['mix-uneven']
        for script, kind in ((chosen.script, 'write'), (chosen.others, 'rand')):
            self.assertIn('--conf "$1"/ceph.conf --pool uneven bench 100000 ' + kind, script)

    def test_the_servers_of_ceph_have_the_numbers_of_their_osds(self):
        settings = Settings(file_system='ceph', servers=3)
        self.assertEqual([ceph.number(host) for host in settings.io_hosts], [0, 1, 2])
        self.assertIn('meta', [host.name for host in settings.hosts])


class OverheadTest(unittest.TestCase):
    def test_students_quantiles_are_those_of_the_books(self):
        for freedom, expected in ((1, 12.706), (9, 2.262), (30, 2.042)):
            self.assertAlmostEqual(overhead.student(freedom), expected, 3)

    def test_the_mean_ratio_and_its_interval(self):
        found = overhead.summary([(10, 10.1), (10, 10.2), (20, 20.2), (20, 20.4)])
        self.assertAlmostEqual(found.percent, 1.4988, 3)
        self.assertAlmostEqual(found.high - found.low, 2 * 0.9165, 2)
        self.assertEqual(found.pairs, 4)

    def test_each_way_is_compared_with_being_alone_in_the_same_round(self):
        took = overhead.Took
        rounds = [{'alone': took(10, 2), 'kernel': took(11, 2.1)}, {'alone': took(20, 4), 'kernel': took(22, 4.2)}]
        self.assertAlmostEqual(overhead.compare(rounds, 'kernel', 'elapsed').percent, 10.0, 6)
        self.assertAlmostEqual(overhead.compare(rounds, 'kernel', 'cpu').percent, 5.0, 6)

    def test_nothing_found_is_nothing_reported(self):
        found = overhead.summary([(10, 10.1), (10.1, 10)])
        self.assertLess(found.low, 0)
        self.assertGreater(found.high, 0)


class PictureTest(unittest.TestCase):
    TEXT = ''.join('limpet_disk_read_bytes_total{device="sda"} %d %d.5\n'
                   'limpet_disk_reads_completed_total{device="sda"} %d %d.5\n'
                   'limpet_disk_read_time_seconds_total{device="sda"} %g %d.5\n'
                   'limpet_disk_writes_completed_total{device="sda"} 0 %d.5\n'
                   'limpet_disk_write_time_seconds_total{device="sda"} 0 %d.5\n' % (
                       2_000_000 * second, second, 10 * second, second, 0.05 * second, second,
                       second, second) for second in range(8))

    def test_rates_are_averages_of_some_seconds(self):
        self.assertEqual([(at, round(value, 9)) for at, value in picture.rates(
            self.TEXT, picture.METRICS['read'])], [(5.5, 2), (6.5, 2), (7.5, 2)])
        self.assertEqual(round(picture.rates(self.TEXT, picture.METRICS['await'])[0][1], 9), 5)

    def test_windows_of_several_clients_are_averaged(self):
        line = 'limpet_tcp_cwnd_segments{remote_address="10.0.0.3",remote_port="1"} %d 7.0\n'
        self.assertEqual(picture.windows([line % 10, line % 20]), {'10.0.0.3': [(7, 15)]})


class CommandTest(unittest.TestCase):
    def test_a_matrix_for_a_few_minutes(self):
        chosen = cli.parser().parse_args(['matrix', '--quick', '--during', '30'])
        self.assertEqual((chosen.quick, chosen.during, chosen.before), (True, 30, 30))

    def test_a_run_is_named_by_what_it_is(self):
        self.assertEqual(experiment.Experiment('ddw', 'disk-hog', 'io03', 2).name, 'ddw-disk-hog-io03-2')

    def test_no_lab_is_said_so(self):
        self.assertEqual(cli.main(['--name', 'limpet-none', 'run']), 1)


if __name__ == '__main__':
    unittest.main()
