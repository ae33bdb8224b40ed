"""The real diagnoser against exporters that are not there, that are foreign, and that misbehave."""
import itertools
import json
import os
import re
import signal
import socket
import time
import unittest

import support
from fake_exporters import FakeExporters, Node
from support import DIAGNOSER, run, wait_until

# Windows of two seconds, so that a verdict takes seconds, not minutes.
QUICK = '''
scrape: {interval: 250ms}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 2s}
state: {interval: 1s}
'''
CAUSES = ('disk-hog', 'disk-busy', 'network-hog', 'packet-loss')


class DiagnoserTest(support.TestCase):

    def accumulator(self, program, node):
        return program.page().value('limpet_anomaly_accumulator', node=node, metric='await') or 0

    def saves(self, program):
        return program.page().value('limpet_state_saves_total', result='ok') or 0

    def test_names_the_limping_server_says_why_and_when_it_is_over(self):
        with FakeExporters(5) as fake:
            program = self.diagnoser(QUICK + fake.targets())
            wait_until('a healthy window', lambda: program.page().value(
                'limpet_group_components', peer_group='server-disks', state='taking_part') == 5)
            page = program.page()
            self.assertEqual(self.indicted(program), set())
            self.assertEqual(len(page.all('limpet_indicted')), 5 * len(CAUSES))
            self.assertEqual(page.value('limpet_target_up', node='io03'), 1)

            fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 80, 15
            wait_until('the verdict', lambda: self.indicted(program))
            self.assertEqual(self.indicted(program), {('io03', 'disk-busy')})
            page = program.page()
            self.assertEqual(page.value('limpet_anomaly', node='io03', metric='await'), 1)
            self.assertGreater(page.value('limpet_anomaly_degree', node='io03', metric='await'), 1)
            self.assertEqual(page.value('limpet_lun_indicted', lun='naa.io03', node='io03',
                                        device='sda', kind='component'), 1)
            verdict, = json.loads(program.page('/api/v1/verdicts').body)['verdicts']
            self.assertEqual((verdict['node'], verdict['cause']), ('io03', 'disk-busy'))
            self.assertLess(verdict['since'], time.time())
            self.assertIn('await of io03/sda', verdict['evidence'][0]['text'])
            wait_until('a line of it', lambda:
                       'indicted: io03: disk-busy (await of io03/sda ' in program.log)

            fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 10, 5
            wait_until('the end of it', lambda: not self.indicted(program))
            wait_until('a line of that', lambda:
                       'no longer indicted: io03: disk-busy' in program.log)
            for accept in ('text/plain', 'application/openmetrics-text;version=1.0.0'):
                page = program.page(headers={'Accept': accept, 'Accept-Encoding': 'gzip'})
                self.assertEqual(page.headers['Content-Encoding'], 'gzip')
                self.assertEqual(page.headers['Vary'], 'Accept, Accept-Encoding')
                self.assertTrue(page.headers['Content-Type'].startswith(accept.split(';')[0]))
            run('promtool', 'check', 'metrics', input=program.page().body)
            self.assertEqual(program.stop(), 0)

    def test_a_kill_loses_no_accumulator(self):
        with FakeExporters(4) as fake:
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
            config, folder = QUICK + fake.targets(), self.folder / 'state'
            before = 0
            for _ in range(3):
                program = self.diagnoser(config, '--state-dir', folder)
                # What was saved is there with the first window, at most the windows missed less.
                wait_until('three more windows in which it is flagged',
                           lambda: self.accumulator(program, 'io02') >= before + 3)
                saves = self.saves(program)
                wait_until('a save that began after that', lambda: self.saves(program) >= saves + 2)
                before = self.accumulator(program, 'io02') - 2
                program.process.kill()
                program.wait()
            self.assertGreaterEqual(before, 3)
            self.assertNotIn('ignored', program.log)

    def test_state_of_other_settings_is_left_out_part_by_part(self):
        with FakeExporters(3) as fake:
            folder = self.folder / 'state'
            program = self.diagnoser(QUICK + fake.targets(), '--state-dir', folder)
            wait_until('a window', lambda: program.page().value(
                'limpet_window_end_timestamp_seconds'))
            self.assertEqual(program.stop(), 0)
            program = self.diagnoser(QUICK.replace('window: 8', 'window: 9') + fake.targets(),
                                 '--state-dir', folder)
            self.assertIn('preset quick has other settings than when the state was saved', program.log)

    def test_hostile_targets_are_marked_and_the_others_go_on(self):
        def html(handler):
            body = b'<html>welcome</html>'
            handler.send_response(200)
            handler.send_header('Content-Type', 'text/html')
            handler.send_header('Content-Length', str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        def drip(handler):
            handler.send_response(200)
            handler.end_headers()
            try:
                while True:
                    handler.wfile.write(b'#')
                    time.sleep(0.02)
            except OSError:
                handler.close_connection = True

        def huge(handler):
            handler.send_response(200)
            handler.send_header('Content-Type', 'text/plain')
            handler.end_headers()
            try:
                for _ in range(1 << 14):
                    handler.wfile.write(b'a 1\n' * (1 << 14))
            except OSError:
                pass
            handler.close_connection = True

        def garbage(handler):
            body = b'limpet_x{a="b} 1\n'
            handler.send_response(200)
            handler.send_header('Content-Length', str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        with FakeExporters(8) as fake:
            names = ('io04', 'io05', 'io06', 'io07', 'io08')
            for name, answer in zip(names, (html, drip, huge, garbage,
                                            lambda handler: handler.send_error(500))):
                fake.nodes[name].answer = answer
            program = self.diagnoser(QUICK.replace('250ms}', '250ms, body_size_limit: 1MiB}', 1) +
                                 fake.targets() + '  - {node: down, address: "127.0.0.1:1"}\n')
            wait_until('windows of the honest three', lambda: program.page().value(
                'limpet_group_components', peer_group='server-disks', state='taking_part') == 3)
            wait_until('readiness', lambda: program.page('/-/ready').status == 200)
            page = program.page()
            for node in ('io01', 'io02', 'io03'):
                self.assertEqual(page.value('limpet_target_up', node=node), 1, node)
            for node in names + ('down',):
                self.assertEqual(page.value('limpet_target_up', node=node), 0, node)
            reasons = {one['node']: one['reason'] for one in json.loads(
                program.page('/api/v1/targets').body)['targets']}
            self.assertEqual([reasons[name] for name in names + ('down',)],
                             ['content_type', 'timeout', 'too_large', 'page', 'status', 'connect'])
            self.assert_resident(program, 200e6)

    def test_a_target_whose_devices_change_all_the_time_blinds_nobody(self):
        made = itertools.count()

        def thousands():
            return ''.join('limpet_disk_reads_completed_total{device="sd%d"} 1\n' % next(made)
                           for _ in range(2500))

        with FakeExporters(6) as fake:
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
            fake.nodes['io06'].more = thousands
            program = self.diagnoser(QUICK + fake.targets())
            wait_until('the verdict', lambda: program.page().value(
                'limpet_indicted', node='io02', cause='disk-busy'), 60)
            wait_until('many devices', lambda: next(made) > 100_000, 60)
            page = program.page()
            self.assertGreater(page.value('limpet_target_over_limit_series', node='io06'), 500)
            self.assertIn('io06: ', program.log)
            self.assertIn('of its series are left out: a target may have 2000 devices', program.log)
            for i in range(1, 6):
                self.assertEqual(page.value('limpet_target_over_limit_series', node='io%02d' % i), 0)
                self.assertEqual(page.value('limpet_target_up', node='io%02d' % i), 1)
            self.assert_resident(program, 150e6)

    def test_pages_of_another_machine_are_gaps_and_nobody_is_named(self):
        def answer_of(node):
            def answer(handler):
                body = node.page().encode()
                handler.send_response(200)
                handler.send_header('Content-Type', 'text/plain; version=0.0.4')
                handler.send_header('Content-Length', str(len(body)))
                handler.end_headers()
                handler.wfile.write(body)
            return answer

        with FakeExporters(5) as fake:
            swapped = [fake.nodes['io02'], fake.nodes['io04']]
            swapped[0]._done, swapped[0]._waited, swapped[0]._busy = 2e5, 2e3, 1e3
            program = self.diagnoser(QUICK + fake.targets())
            wait_until('a healthy window', lambda: program.page().value(
                'limpet_group_components', peer_group='server-disks', state='taking_part') == 5)
            swapped[0].answer, swapped[1].answer = answer_of(swapped[1]), answer_of(swapped[0])
            wait_until('the change to be seen', lambda: program.page().value(
                'limpet_target_identity_changes_total', node='io02', reason='disk'))
            self.assertIn('io04: its page tells of other disks', program.log)
            end = program.page().value('limpet_window_end_timestamp_seconds')
            wait_until('windows after it', lambda: program.page().value(
                'limpet_window_end_timestamp_seconds') > end + 5)
            self.assertEqual(self.indicted(program), set())
            self.assertNotIn('indicted: ', program.log)

            twice = fake.nodes['io01']
            twice.more = lambda: 'limpet_disk_reads_completed_total{device="sda"} 7\n'
            wait_until('the page to be refused', lambda: program.page().value(
                'limpet_target_up', node='io01') == 0)
            self.assertIn('expected each series once a page, got twice '
                          'limpet_disk_reads_completed_total{device="sda"}', program.log)

    def test_when_all_targets_vanish_nobody_stays_indicted(self):
        with FakeExporters(4) as fake:
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
            program = self.diagnoser(QUICK + fake.targets())
            wait_until('the verdict', lambda: self.indicted(program))
        wait_until('the end of what is known', lambda: not self.indicted(program))
        self.assertEqual(program.page().value(
            'limpet_group_components', peer_group='server-disks', state='taking_part'), 0)

    def test_a_log_that_nobody_reads_stops_nothing(self):
        with FakeExporters(4) as fake:
            port = self.refusing_port()
            # A warning of each is more than a pipe holds.
            silent = ''.join('  - {node: n%04d, address: "127.0.0.1:%d", interval: 2s}\n' % (i, port)
                             for i in range(3000))
            program = self.diagnoser(QUICK + fake.targets() + silent)
            program.reading.clear()
            self.addCleanup(program.reading.set)
            time.sleep(3)
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
            wait_until('the verdict', lambda: self.indicted(program))
            self.assertLess(program.page().value('limpet_ingest_lag_seconds'),
                            8 if support.is_sanitized() else 2)
            program.reading.set()
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 10, 5
            wait_until('what is said of it', lambda:
                       'lines were lost: nobody read this log' in program.log)

    def test_events_are_written_as_lines(self):
        with FakeExporters(4) as fake:
            fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
            path = self.folder / 'events.jsonl'
            program = self.diagnoser(QUICK + fake.targets() +
                                 'events: {file: "%s", windows: true}\n' % path)
            wait_until('the verdict', lambda: self.indicted(program))
            wait_until('its line', lambda: '"verdict"' in path.read_text())
            program.stop()
            kinds = {json.loads(line)['type'] for line in path.read_text().splitlines()}
            self.assertEqual(kinds, {'window', 'verdict'})

    def test_a_reload_takes_a_good_configuration_and_refuses_a_bad_one(self):
        with FakeExporters(4) as fake:
            good = QUICK + fake.targets()
            program = self.diagnoser(good)
            wait_until('readiness', lambda: program.page('/-/ready').status == 200)
            self.write('diagnoser.yml', good + 'nonsense: 1\n')
            program.signal(signal.SIGHUP)
            wait_until('the refusal', lambda: 'the old one stays' in program.log)
            self.assertIn('nonsense: unknown key', program.log)
            wait_until('its metric', lambda: program.page().value(
                'limpet_diagnoser_config_last_reload_successful') == 0)
            self.assertEqual(program.page().value('limpet_target_up', node='io04'), 1)
            self.write('diagnoser.yml', '\n'.join(
                line for line in good.splitlines() if 'io04' not in line) + '\n')
            program.signal(signal.SIGHUP)
            wait_until('one target less', lambda: program.page().value(
                'limpet_target_up', node='io04') is None)
            wait_until('the good news', lambda: program.page().value(
                'limpet_diagnoser_config_last_reload_successful') == 1)
            self.assertEqual(program.page().value('limpet_target_up', node='io01'), 1)

    def test_masks_are_read_again_when_their_file_changes_and_a_bad_file_is_refused(self):
        with FakeExporters(4) as fake:
            masks = self.write('masked', '# nobody yet\n')
            program = self.diagnoser(QUICK + fake.targets() + 'masked_file: %s\n' % masks)
            count = lambda state: program.page().value(
                'limpet_group_components', peer_group='server-disks', state=state)
            wait_until('all four', lambda: count('taking_part') == 4)
            self.write('masked', 'io04   # being moved\n')
            wait_until('three', lambda: (count('taking_part'), count('masked')) == (3, 1))
            self.write('masked', 'io04\nio03 and io02\n')
            wait_until('the refusal', lambda: 'masked:2: expected one node or node/device a line' in
                       program.log)
            self.assertEqual(program.page().value(
                'limpet_diagnoser_config_last_reload_successful'), 0)
            self.assertEqual((count('taking_part'), count('masked')), (3, 1))
            self.write('masked', '')
            wait_until('four again', lambda: (count('taking_part'), count('masked')) == (4, 0))
            wait_until('the good news', lambda: program.page().value(
                'limpet_diagnoser_config_last_reload_successful') == 1)

    def test_replays_a_recording_with_the_same_verdict(self):
        nodes, lines = [Node('io%02d' % number) for number in range(1, 5)], []
        for second in range(240):
            for node in nodes:
                slow = node.name == 'io02' and second > 40
                node.await_ms, node.service_ms = (80, 15) if slow else (10, 5)
                for line in node.page(seconds=1.0).splitlines():
                    lines.append(re.sub(r'\{(.*)\} (\S+)$', r'{\1,instance="%s",role="server"} \2 %d.000'
                                        % (node.name, 1700000000 + second), line))
        recording = self.write('a.om', '\n'.join(lines) + '\n# EOF\n')
        config = self.write('replay.yml', 'preset: default\n')
        done = run(DIAGNOSER, 'replay', '--config', config, recording)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual({(one['node'], one['cause']) for one in events
                          if one['type'] == 'verdict'}, {('io02', 'disk-busy')})
        self.assertEqual(events[-1]['type'], 'summary')
        text = run(DIAGNOSER, 'replay', '--config', config, '--format', 'text', '--output',
                   self.folder / 'out', recording)
        self.assertEqual(text.stdout, '')
        self.assertIn(' io02: disk-busy (await of io02/sda ', (self.folder / 'out').read_text())
        cut = self.write('cut.om', recording.read_text()[:-30])
        done = run(DIAGNOSER, 'replay', '--config', config, cut)
        self.assertIn('cut.om: ends in the middle', done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])['type'], 'summary')
        for wrong in (['--format', 'xml', recording], []):
            self.assertEqual(run(DIAGNOSER, 'replay', '--config', config, *wrong,
                                 check=False).returncode, 2)
        self.assertEqual(run(DIAGNOSER, 'replay', '--config', config, '/nonexistent',
                             check=False).returncode, 1)
        full = run(DIAGNOSER, 'replay', '--config', config, '--output', '/dev/full', recording,
                   check=False)
        self.assertEqual(full.returncode, 1)
        self.assertIn('/dev/full: not all events could be written', full.stderr)

    def test_wrong_use_and_what_cannot_start(self):
        bad = self.write('bad.yml', 'targets:\n  - addres: io01\nscrape: {interval: fast}\n')
        for command in ('serve', 'check-config'):
            done = run(DIAGNOSER, command, '--config', bad, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn('bad.yml:2: targets[0].addres: unknown key', done.stderr)
            self.assertIn('bad.yml:3: scrape.interval: expected a duration', done.stderr)
        self.assertEqual(run(DIAGNOSER, 'check-config', '--config', '/nonexistent',
                             check=False).returncode, 2)
        self.assertEqual(run(DIAGNOSER, '--nonsense', check=False).returncode, 2)
        self.assertEqual(run(DIAGNOSER, '--log.level', 'loud', check=False).returncode, 2)
        self.assertTrue(run(DIAGNOSER, '--version').stdout.startswith('limpet-diagnoser '))
        self.assertIn('check-config', run(DIAGNOSER, '--help').stdout)
        good = self.write('good.yml', 'targets: [{addresses: [io01, io02, io03]}]\n')
        self.assertIn('targets: 3', run(DIAGNOSER, 'check-config', '--config', good).stdout)
        with socket.socket() as taken:
            taken.bind(('127.0.0.1', 0))
            taken.listen()
            done = run(DIAGNOSER, 'serve', '--config', good, '--web.listen-address',
                       '127.0.0.1:%d' % taken.getsockname()[1], check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn('in use', done.stderr)

    def test_a_state_folder_that_cannot_be_written_stops_nobody(self):
        with FakeExporters(4) as fake:
            file = self.write('file', '')
            program = self.diagnoser(QUICK + fake.targets(), '--state-dir', file / 'below')
            wait_until('a window', lambda: program.page().value(
                'limpet_window_end_timestamp_seconds'))
            self.assertIn('cannot save the state (the diagnosis goes on): ', program.log)
            self.assertGreaterEqual(program.page().value(
                'limpet_state_saves_total', result='failed'), 1)
            file.unlink()
            wait_until('a saved state', lambda: self.saves(program))
            self.assertIn('the state is saved again', program.log)
            self.assertEqual(program.stop(), 0)
            self.assertTrue((self.folder / 'file' / 'below' / 'state').exists())

    def test_a_file_of_masks_that_is_no_file_is_refused(self):
        with FakeExporters(4) as fake:
            masked = self.write('masked', 'io01\n')
            program = self.diagnoser(QUICK + 'masked_file: %s\n' % masked + fake.targets())
            for make in (lambda: masked.symlink_to('/dev/zero'), lambda: os.mkfifo(masked)):
                masked.unlink()
                make()
                wait_until('the refusal', lambda: program.page().value(
                    'limpet_diagnoser_config_last_reload_successful') == 0)
                self.assertIn('masked: expected a regular file', program.log)
                masked.unlink()
                masked.write_text('io01\n')
                wait_until('the good file', lambda: program.page().value(
                    'limpet_diagnoser_config_last_reload_successful') == 1)
            masked.unlink()
            os.mkfifo(masked)
            wait_until('the refusal', lambda: program.page().value(
                'limpet_diagnoser_config_last_reload_successful') == 0)
            self.assertEqual(program.stop(), 0)


if __name__ == '__main__':
    unittest.main()
