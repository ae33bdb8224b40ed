"""The pure parts of the demo: reading pages, rates, verdicts, what is shown."""
import contextlib
import io
import types
import unittest

from limpet_lab import demo, exposition, monitor, readings, screen, status, verdict
from limpet_lab.settings import Settings

PAGE = '''# HELP limpet_disk_read_bytes_total Bytes read.
# TYPE limpet_disk_read_bytes_total counter
limpet_disk_read_bytes_total{device="loop0"} %d
limpet_disk_reads_completed_total{device="loop0"} %d
limpet_disk_read_time_seconds_total{device="loop0"} %g
limpet_disk_io_time_seconds_total{device="loop0"} %g
limpet_network_receive_bytes_total{device="lo"} 99999
limpet_network_receive_bytes_total{device="eth0"} %d
'''
DIAGNOSER = '''limpet_indicted{peer_group="io",node="io03",cause="disk-hog",preset="default"} 1
limpet_indicted{peer_group="io",node="io02",cause="disk-hog",preset="default"} 0
limpet_anomaly{peer_group="io",node="io03",metric="await",device="loop2",preset="default"} 1
limpet_anomaly{peer_group="io",node="io03",metric="read_bytes",device="loop2",preset="default"} 1
limpet_anomaly{peer_group="io",node="io02",metric="await",device="loop1",preset="default"} 0
limpet_anomaly_degree{peer_group="io",node="io03",metric="await",device="loop2",preset="default"} 4
limpet_anomaly_degree{peer_group="io",node="io03",metric="read_bytes",device="loop2",preset="default"} 9
limpet_anomaly_effect_ratio{peer_group="io",node="io03",metric="read_bytes",device="loop2",preset="default"} 7.5
limpet_window_end_timestamp_seconds{peer_group="io",preset="default"} 1.7e9
'''


class ExpositionTest(unittest.TestCase):
    def test_reads_names_labels_and_values(self):
        self.assertEqual(exposition.parse('# TYPE a counter\na{x="1",y="q\\"\\\\n"} 2.5 17\nb 3\n'),
                         [('a', {'x': '1', 'y': 'q"\\n'}, 2.5, 17.0),
                          ('b', {}, 3.0, None)])

    def test_leaves_out_what_is_no_sample(self):
        self.assertEqual(exposition.parse('\n<html>\na b c d\na{} x\n'), [])

    def test_nobody_listening_is_none(self):
        self.assertIsNone(exposition.fetch('127.0.0.1', 1, seconds=0.2))


class ReadingsTest(unittest.TestCase):
    def test_rates_of_the_interval_without_loopback(self):
        now = readings.rates(readings.read(10, PAGE % (1000, 10, 1, 1, 500)),
                             readings.read(12, PAGE % (5000, 30, 2, 2.5, 900)))
        self.assertEqual((now.read_bytes, now.await_seconds, now.busy, now.received_bytes),
                         (2000, 0.05, 0.75, 200))
        self.assertIsNone(now.sent_bytes)

    def test_a_counter_that_fell_is_unknown(self):
        now = readings.rates(readings.read(10, PAGE % (1000, 10, 1, 1, 500)),
                             readings.read(12, PAGE % (0, 0, 0, 0, 900)))
        self.assertIsNone(now.read_bytes)
        self.assertIsNone(now.await_seconds)
        self.assertEqual(now.received_bytes, 200)

    def test_no_page_is_unknown(self):
        self.assertEqual(readings.rates(None, readings.read(1, '')), readings.Rates())


    def test_windows_are_means_over_the_clients(self):
        page = ('limpet_tcp_peer_cwnd_segments{local_address="9.9.9.9",peer="1.1.1.1",side="%s"} %d')
        self.assertEqual(readings.windows([page % ('client', 10), page % ('client', 20), None,
                                           page % ('server', 99)]), {'1.1.1.1': 15})


class MonitorTest(unittest.TestCase):
    def test_a_server_shows_its_own_disk_only(self):
        self.assertIn('device_include: "^loop4$"', monitor.exporter_config(Settings(), '/dev/loop4'))

    def test_a_client_has_no_disk(self):
        self.assertIn('disk: {enabled: false}', monitor.exporter_config(Settings(), None))

    def test_every_server_and_client_is_a_target(self):
        text = monitor.diagnoser_config(Settings(servers=3, clients=1), '/e')
        self.assertEqual(text.count('role: io}'), 3)
        self.assertIn('{address: "198.18.77.101:9836", node: client01, role: client}', text)
        self.assertNotIn('guest', text)
        # Loop devices are no disks where the groups are the diagnoser's own.
        self.assertIn('{name: disks, kind: storage, roles: [io]}', text)


class VerdictTest(unittest.TestCase):
    def test_reads_who_and_why_with_the_largest_degree_first(self):
        found = verdict.read(exposition.parse(DIAGNOSER))
        self.assertEqual(found.indicted, {('io03', 'disk-hog')})
        self.assertEqual([one.metric for one in found.evidence['io03']], ['read_bytes', 'await'])
        self.assertEqual(found.evidence['io03'][0].effect, 7.5)
        self.assertEqual(found.window_end, 1.7e9)

    def test_right_is_that_server_and_cause_alone(self):
        right = frozenset({('io03', 'disk-hog')})
        self.assertTrue(verdict.right('disk-hog', 'io03', right))
        self.assertTrue(verdict.right('none', None, frozenset()))
        for wrong in ({('io03', 'disk-busy')}, {('io02', 'disk-hog')}, set(),
                      right | {('io02', 'disk-hog')}):
            self.assertFalse(verdict.right('disk-hog', 'io03', frozenset(wrong)))
        self.assertFalse(verdict.right('none', None, right))


class JudgeTest(unittest.TestCase):
    HOG = frozenset({('io03', 'disk-hog')})
    BUSY = frozenset({('io03', 'disk-busy')})

    def judged(self, fault, *seen):
        judge = verdict.Judge(fault, None if fault == 'none' else 'io03', watch=180, confirm=30)
        for seconds, indicted in seen:
            judge.see(seconds, indicted)
        return judge

    def test_right_when_the_verdict_still_stands_a_window_later(self):
        judge = self.judged('disk-hog', (97.4, self.HOG))
        self.assertIsNone(judge.answer(120))
        self.assertTrue(judge.answer(130))
        self.assertEqual(judge.result_line(130),
                         'RESULT fault=disk-hog server=io03 indicted=io03 cause=disk-hog seconds=97')

    def test_the_cause_may_change_while_windows_fill_and_that_is_told(self):
        judge = self.judged('disk-hog', (66, self.BUSY), (98, self.HOG))
        self.assertIsNone(judge.answer(100))
        self.assertTrue(judge.answer(130))
        self.assertTrue(judge.result_line(130).endswith(
            'cause=disk-hog seconds=98 first=io03:disk-busy@66'))

    def test_wrong_when_it_comes_too_late_or_with_another_cause(self):
        self.assertFalse(self.judged('disk-hog', (66, self.BUSY)).answer(180))
        self.assertFalse(self.judged('disk-hog').answer(180))
        self.assertFalse(self.judged('disk-hog', (181, self.HOG)).answer(220))

    def test_another_server_is_wrong_at_once_even_beside_the_right_one(self):
        judge = self.judged('disk-hog', (66, self.HOG | {('io02', 'disk-hog')}), (68, self.HOG))
        self.assertIs(judge.answer(70), False)

    def test_nobody_is_right_without_a_fault(self):
        self.assertIsNone(self.judged('none').answer(100))
        self.assertTrue(self.judged('none').answer(180))
        self.assertIs(self.judged('none', (50, self.HOG)).answer(51), False)
        self.assertEqual(self.judged('none').result_line(180),
                         'RESULT fault=none server=none indicted=none cause=none seconds=180')


class StatusTest(unittest.TestCase):
    RATES = {'io02': readings.Rates(read_bytes=1.5e6, await_seconds=0.05, busy=0.99),
             'io03': readings.Rates()}

    def test_a_row_a_server(self):
        lines = status.rows(self.RATES, verdict.read(exposition.parse(DIAGNOSER)))
        self.assertEqual(lines[1].split(), 'io02 1.5 50 99 - - - ok'.split())
        self.assertTrue(lines[2].endswith('INDICTED disk-hog'))

    def test_the_table_fits_a_terminal(self):
        busy = readings.Rates(123.4e6, 12.345, 1.0, 123.4e6, 123.4e6, 131)
        for cause in verdict.CAUSES:
            said = verdict.Diagnosis(frozenset({('io03', cause)}), {}, 1.0)
            lines = status.rows({'io03': busy}, said)
            self.assertLess(max(map(len, lines)), 80)
            self.assertTrue(lines[1].endswith(cause))

    def test_no_window_yet_is_not_ok(self):
        self.assertIn('waiting', status.says('io02', verdict.read([])))
        self.assertEqual(status.says('io02', None), 'no answer')

    def test_the_plain_line(self):
        line = status.plain('healthy', 30, 100, self.RATES, verdict.read([]))
        self.assertEqual(line, 'healthy, 30 of 100 s: rd 1.5 MB/s, await 50 ms, rx - MB/s; '
                               'nobody is flagged')

    def test_the_report_says_why(self):
        lines = status.report(verdict.read(exposition.parse(DIAGNOSER)))
        self.assertEqual(lines[0], 'io03 is indicted: disk-hog')
        self.assertIn('read_bytes of loop2: differs from its peers by 750 %', lines[1])
        self.assertEqual(status.report(verdict.read([])), ['Nobody is indicted.'])

    def test_the_story_is_told_when_the_verdict_changed(self):
        one = [(0.0, frozenset()), (66.2, frozenset({('io03', 'disk-busy')}))]
        self.assertEqual(status.story(one), [])
        self.assertEqual(status.story(one + [(98.0, frozenset({('io03', 'disk-hog')}))]),
                         ['  66 s: io03 disk-busy', '  98 s: io03 disk-hog', ''])


class ScreenTest(unittest.TestCase):
    def test_a_bar_is_full_at_the_end_and_never_longer(self):
        self.assertEqual(screen.bar(5, 10, 4), '██░░')
        self.assertEqual(screen.bar(50, 10, 4), '████')

    def test_without_a_terminal_there_are_only_plain_lines(self):
        out = io.StringIO()
        plain = screen.Screen(out)
        plain.live(['drawn'], 'told')
        plain.live(['drawn'], 'too soon')
        with contextlib.suppress(ValueError), plain.step('work'):
            raise ValueError
        self.assertEqual(out.getvalue().splitlines()[0], 'told')
        self.assertTrue(out.getvalue().splitlines()[1].startswith('✘ work'))

    def test_a_terminal_is_redrawn_in_place(self):
        out = io.StringIO()
        out.isatty = types.MethodType(lambda self: True, out)
        drawn = screen.Screen(out)
        drawn.live(['a', 'b'], '')
        drawn.live(['c'], '')
        self.assertIn('\033[2A\r\033[Kc\n\033[J', out.getvalue())


class OptionsTest(unittest.TestCase):
    def test_the_seed_chooses_the_server(self):
        self.assertEqual(demo.options(['--seed', '7']).faulty, demo.options(['--seed', '7']).faulty)
        self.assertEqual(demo.options(['--faulty', '3']).faulty, 3)

    def test_nothing_wrong_is_watched_for_longer(self):
        self.assertEqual([demo.options(['--fault', f]).watch for f in ('none', 'disk-hog')],
                         [600, 180])

    def test_wrong_use_ends_with_2(self):
        for wrong in (['--servers', '2'], ['--faulty', '7'], ['--fault', 'fire']):
            with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()):
                demo.options(wrong)
            self.assertEqual(ended.exception.code, 2)


if __name__ == '__main__':
    unittest.main()
