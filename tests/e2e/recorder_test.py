"""The recorder of `limpet-exporter serve`: kill -9, a replay beside the live diagnosis, promtool and Prometheus.

LIMPET_RECORDER_KILLS: how often exporters are killed; 20 by default (200: ctest -L kill).
LIMPET_RECORDED_HOURS: of a recording that becomes blocks of Prometheus; 1 by default (24: ctest -L kill).
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import signal
import time
import unittest

import support
from dashboards_test import ROOT, filled_in
from moving_proc import Mover, MovingServer
from peers import PastPrometheus
from support import DIAGNOSER, EXPORTER, Program, get, run, wait_until, without_incidents

HOURS = int(os.environ.get('LIMPET_RECORDED_HOURS', '1'))
KILLS = int(os.environ.get('LIMPET_RECORDER_KILLS', '20'))
AT_ONCE = 4
FLUSH = 1.0     # seconds; the 60 s of the shipped configuration, made shorter for the test


class RecorderTest(support.TestCase):

    def exporter(self, server, record, interval='100ms', *more):
        """A running exporter of a server, which records into its folder."""
        config = server.root / 'exporter.yml'
        config.write_text(json.dumps({
            'sampling': {'interval': interval},
            'paths': {'procfs': str(server.root / 'proc'), 'sysfs': str(server.root / 'sys')},
            'collectors': {'tcp': {'enabled': False}, 'netstat': {'enabled': False}},
            'record': {'flush_interval': '%dms' % (FLUSH * 1000), 'instance': server.root.name,
                       'compression_level': 3, **record}}))
        program = Program(EXPORTER, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0',
                          *more)
        self.addCleanup(program.stop)
        return program

    def servers(self, count, disks=('sda',)):
        return [MovingServer(self.folder / ('io%02d' % (i + 1)), i, disks) for i in range(count)]

    def exported(self, folder):
        """[(time, line)] of a folder of recordings, which a later reader finds readable."""
        done = run(DIAGNOSER, 'export', folder)
        self.assertTrue(done.stdout.endswith('# EOF\n'))
        lines = [line for line in done.stdout.splitlines() if not line.startswith('#')]
        return [(float(line.rsplit(' ', 1)[1]), line) for line in lines]

    def test_killed_at_any_instant_it_loses_no_more_than_it_may(self):
        servers = self.servers(AT_ONCE)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            lost = [one for lives in pool.map(self.kill_again_and_again, servers) for one in lives]
        print('%d kills, %.2f s lost at most' % (len(lost), max(lost)))
        # The frame that was being filled; 0.3 s for a machine that is busy with other things.
        self.assertLess(max(lost), FLUSH + 0.3)

    def kill_again_and_again(self, server):
        """Seconds that were lost before each kill."""
        chance = random.Random(server.root.name)
        folder = server.root / 'recordings'
        lost, before = [], 0
        for _ in range(KILLS // AT_ONCE):
            began = time.time()
            # In either form: one folder may hold both.
            program = self.exporter(server, {'dir': str(folder), 'format': chance.choice(('text', 'columns'))})
            page = 'http://127.0.0.1:%d/metrics' % program.port()
            sampled = wait_until('a sample', lambda: get(page).value('limpet_sample_timestamp_seconds'))
            time.sleep(chance.uniform(0, 1.2 * FLUSH))
            newest = get(page).value('limpet_sample_timestamp_seconds')
            program.signal(signal.SIGKILL)
            program.wait()
            # What earlier lives wrote is all there, and this one's is but for its last frame.
            # A file may be there without a byte: made, and not written yet.
            lines = self.exported(folder) if any(
                path.stat().st_size for path in folder.glob('*.zst')) else []
            self.assertGreaterEqual(len(lines), before)
            before = len(lines)
            times = [at for at, _ in lines if at >= began]
            lost.append(newest - max(times, default=sampled))
            self.assertEqual(len(set(lines)), len(lines), 'a record is there twice')
        return lost

    def test_a_replay_says_what_the_live_diagnosis_said(self):
        servers = self.servers(4)
        preset = '''
presets:
  - {base: bare, name: quick, step: 200ms, smoothing: 2, window: 10, shift: 5, k: 2, max_gap: 20s}
peer_groups: [{name: disks, kind: storage, roles: [server]}]
'''
        events, recordings = self.folder / 'events.jsonl', self.folder / 'recordings'
        recordings.mkdir()
        with Mover(servers, 0.2):
            exporters = [self.exporter(one, {'dir': str(recordings / one.root.name), 'format': form}, '200ms')
                         for one, form in zip(servers, ('text', 'columns') * 2)]
            targets = 'targets:\n' + ''.join(
                '  - {node: %s, address: "127.0.0.1:%d"}\n' % (server.root.name, program.port())
                for server, program in zip(servers, exporters))
            for program in exporters:
                wait_until('a sample', lambda: get('http://127.0.0.1:%d/-/ready' % program.port()).status == 200)
            # Twice as often as there are samples: none is missed on a busy machine.
            config = self.write('serve.yml', preset + 'scrape: {interval: 100ms}\nlateness: 1s\n' + targets +
                                'events: {file: "%s", windows: true}\n' % events)
            with Program(DIAGNOSER, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0') as program:
                seen = lambda word: events.read_text().count('"type":"%s"' % word) if events.exists() else 0
                wait_until('healthy windows', lambda: seen('window') > 20, 60)
                servers[1].await_ms, servers[1].busy_ms = 80, 15
                wait_until('some verdicts', lambda: seen('verdict') > 4, 60)
                self.assertEqual(program.stop(), 0)
            for program in exporters:
                self.assertEqual(program.stop(), 0)
        live = without_incidents(events.read_text()).splitlines()
        done = run(DIAGNOSER, 'replay', '--config', self.write('replay.yml', preset), recordings)
        replayed = done.stdout.splitlines()
        self.assertIn('"node":"io02"', ''.join(live))
        # The recordings begin before the first scrape and end after the last.
        self.assertEqual(*self.common(live, replayed))

    def common(self, live, replayed):
        """Both without the windows before and after the live diagnosis, and without its first ones: a
        degree is of three windows."""
        end = lambda line: json.loads(line).get('end')
        windows = [end(line) for line in live if '"type":"window"' in line]
        first, last = windows[0] + 3.5, windows[-1]
        cut = lambda lines: [line for line in lines if first <= (end(line) or 0) < last]
        self.assertGreater(len(cut(live)), 10)
        return cut(live), cut(replayed)


class StoreTest(support.TestCase):
    """A recording becomes blocks of a real Prometheus, which then answers the dashboards."""

    exporter = RecorderTest.exporter

    # Whoever wants the gauges in the store has them recorded: docs/formats/recording.md.
    GAUGES = ('disk_await_seconds', 'disk_service_time_seconds', 'network_receive_errs_total',
              'network_receive_drop_total', 'network_transmit_errs_total', 'network_transmit_drop_total',
              'exporter_cpu_seconds_total', 'exporter_build_info')

    def test_prometheus_answers_the_dashboards_from_a_recording(self):
        asked = self.queries()
        names = sorted({name[len('limpet_'):] for query in asked for name in re.findall(r'limpet_\w+', query)} |
                       set(self.GAUGES))
        server = MovingServer(self.folder / 'io03', 3)
        with Mover([server], 0.1):
            program = self.exporter(server, {'dir': str(self.folder / 'r'), 'metrics': names})
            program.port()
            time.sleep(3)
            self.assertEqual(program.stop(), 0)
        text = self.folder / 'all.om'
        run(DIAGNOSER, 'export', '--output', text, self.folder / 'r')
        run('promtool', 'tsdb', 'create-blocks-from', 'openmetrics', text, self.folder / 'tsdb')
        newest = max(float(line.rsplit(' ', 1)[1]) for line in text.read_text().splitlines() if line[0] != '#')
        with PastPrometheus(self.folder) as prometheus:
            left = [query for query in asked
                    if not prometheus.query_range(filled_in(query).replace('[10s]', '[2s]'), newest - 0.5, newest)]
        self.assertEqual(left, [])
        self.assertGreater(len(asked), 10)

    def test_blocks_hold_every_second_of_a_day(self):
        # Over midnight, so that two files make it up; in columns, as the recorder writes them.
        begin = 1798675200 - HOURS * 1800
        end = begin + HOURS * 3600
        text, columns = self.folder / 'text', self.folder / 'columns'
        text.mkdir()
        for first, last in ((begin, 1798675205), (1798675205, end)):
            name = time.strftime('%Y%m%dT%H%M%SZ.om', time.gmtime(first))
            (text / name).write_text(self.seconds(first, last) + '# EOF\n')
        run(DIAGNOSER, 'convert', '--output-dir', columns, text)
        self.assertEqual(len(list(columns.glob('*.columns.zst'))), 2)
        exported = self.folder / 'day.om'
        run(DIAGNOSER, 'export', '--output', exported, columns)
        began = time.monotonic()
        # promtool reads the whole text again for each block of two hours.
        run('promtool', 'tsdb', 'create-blocks-from', 'openmetrics', exported, self.folder / 'tsdb',
            seconds=60 * (1 + HOURS))
        print('%d h: %.1f MB of text, promtool %.1f s' % (
            HOURS, exported.stat().st_size / 1e6, time.monotonic() - began))
        with PastPrometheus(self.folder) as prometheus:
            counted = prometheus.query_range(
                'sum(count_over_time(limpet_disk_reads_completed_total{node="io07"}[%dh]))' % HOURS,
                end - 1, end - 1)
            rates = prometheus.query_range(
                'rate(limpet_disk_read_bytes_total{node="io07", device="sdb"}[1m])', begin + 60, end - 1, 60)
        self.assertEqual([value for _, points in counted for _, value in points], [2 * 3600 * HOURS])
        self.assertEqual(len(rates[0][1]), 60 * HOURS - 1)
        for _, rate in rates[0][1]:
            self.assertAlmostEqual(rate, 65536, delta=1)

    def seconds(self, first, last):
        """A recording of two disks, a line a counter and second."""
        head, lines = '', []
        for name in ('reads_completed', 'read_bytes', 'read_time_seconds', 'io_time_seconds'):
            head += '# TYPE limpet_disk_%s counter\n' % name
            for device in ('sda', 'sdb'):
                lines.append('limpet_disk_%s_total{instance="io07",role="server",device="%s"} ' % (name, device))
        steps = [1, 1, 65536, 65536, 0.25, 0.25, 0.5, 0.5]      # in the order of the lines
        return head + ''.join('%s%s %d.000\n' % (line, at % 10**7 * step, at)
                              for at in range(first, last) for line, step in zip(lines, steps))

    def queries(self):
        """What the dashboards ask of disks, interfaces and the host; the rest is the diagnoser's."""
        boards = [json.loads(path.read_text()) for path in sorted(ROOT.glob('grafana/dashboards/*.json'))]
        every = {target['expr'] for board in boards for panel in board['panels'] for target in panel.get('targets', [])}
        # Connections are another machine's matter, and whether a collector works is no history.
        return sorted(query for query in every if 'exporter_job' in query and 'tcp_' not in query and
                      'scrape_collector' not in query and 'node!~' not in query)


if __name__ == '__main__':
    unittest.main()
