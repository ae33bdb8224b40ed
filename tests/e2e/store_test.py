"""A diagnoser that reads a real Prometheus says what one says that scrapes the same exporters."""
import json
import time
import unittest

import support
from fake_exporters import FakeExporters
from peers import Prometheus
from support import DIAGNOSER, Program, get, run, wait_until

# Windows of eight seconds.
COMMON = '''
presets: [{base: default, name: quick, smoothing: 2, window: 8, shift: 4, k: 2}]
peer_groups: [{name: disks, kind: storage, roles: [server]}]
'''


class StoreTest(support.TestCase):

    def test_the_same_verdicts_as_scraping_and_an_outage_loses_nothing(self):
        with FakeExporters(5) as fake:
            scrapes = '  - job_name: io\n    static_configs:\n' + ''.join(
                '      - targets: ["127.0.0.1:%d"]\n        labels: {instance: "%s:9836", rack: r1}\n'
                % (node.port, node.name) for node in fake.nodes.values())
            began = time.time()
            prometheus = Prometheus(self.folder, scrapes)
            prometheus.__enter__()
            scraping = self.diagnoser(COMMON + fake.targets(), name='scraping.yml')
            config = COMMON + (
                'source: prometheus\nprometheus: {url: "%s", step: 1s, lag: 2s, timeout: 5s, '
                'selector: \'job="io"\'}\nstate: {interval: 500ms}\n') % prometheus.url('')
            state = self.folder / 'state'
            reading = self.diagnoser(config, '--state-dir', state)
            for program in (scraping, reading):
                wait_until('five peers', lambda: program.page().value(
                    'limpet_group_components', peer_group='disks', state='taking_part') == 5, 60)
                self.assertEqual(self.indicted(program), set())
            self.assertEqual(reading.page().value('limpet_target_up', node='io01'), 1)
            self.assertEqual(get('http://127.0.0.1:%d/api/v1/targets' % reading.port()).status, 200)

            limping = fake.nodes['io04']
            limping.await_ms, limping.service_ms = 80, 15
            for program in (scraping, reading):
                wait_until('the verdict', lambda: self.indicted(program), 90)
                self.assertEqual(self.indicted(program), {('io04', 'disk-busy')})

            # The store goes away for a while and comes back with its data; so does the diagnoser.
            accumulator = lambda: reading.page().value(
                'limpet_anomaly_accumulator', node='io04', metric='await') or 0
            prometheus.__exit__(None)
            wait_until('the failure', lambda: reading.page().value('limpet_store_up') == 0, 30)
            self.assertIn('nothing is lost, it is asked again', reading.log)
            before = accumulator()
            self.assertEqual(reading.stop(), 0)
            reading = self.diagnoser(config, '--state-dir', state)
            self.assertIn('going on from the state of', reading.log)
            prometheus.__enter__()
            self.addCleanup(prometheus.__exit__, None)
            wait_until('more windows', lambda: accumulator() >= before and
                       self.indicted(reading) == {('io04', 'disk-busy')}, 90)
            self.assertEqual(reading.page().value('limpet_store_skipped_seconds_total'), 0)

            limping.await_ms, limping.service_ms = 10, 5
            for program in (scraping, reading):
                wait_until('the end of it', lambda: not self.indicted(program), 90)
            self.replays(prometheus.url(''), began)

    def replays(self, url, began):
        """The same from the store's past."""
        config = self.write('replay.yml', COMMON)
        replay = lambda *more: run(DIAGNOSER, 'replay', '--config', config, '--prometheus', url, *more,
                                   check=False)
        now = time.time()
        stamp = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(began))
        done = replay('--start', stamp, '--end', '%.0f' % now, '--step', '1s')
        self.assertEqual(done.returncode, 0, done.stderr)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(events[-1]['type'], 'summary')
        verdicts = [event for event in events if event['type'] == 'verdict']
        self.assertEqual({(one['node'], one['cause']) for one in verdicts}, {('io04', 'disk-busy')})
        # Not read as if it were live: from the beginning, and not only to the newest step less lag.
        ends = [event['end'] for event in events if event['type'] == 'window']
        self.assertLess(min(ends), began + 30)
        self.assertGreater(max(ends), now - 12)
        for wrong in ([], ['--start', 'yesterday', '--end', 'now'],
                      ['--start', stamp, '--end', stamp], [config, '--start', stamp, '--end', '1'],
                      ['--start', stamp, '--end', '%.0f' % now, '--step', '1m']):
            self.assertEqual(replay(*wrong).returncode, 2, wrong)

    def test_a_query_that_the_store_refuses_is_said_with_its_reason(self):
        with Prometheus(self.folder, '  - job_name: none\n') as prometheus:
            reading = self.diagnoser(COMMON + (
                'source: prometheus\nprometheus: {url: "%s", step: 1s, selector: "job=node"}\n'
            ) % prometheus.url(''))
            wait_until('the reason', lambda: 'got 400: 1:' in reading.log and 'parse error' in reading.log, 30)
            self.assertEqual(reading.page().value('limpet_store_up'), 0)
            self.assertEqual(reading.page('/-/ready').status, 503)


if __name__ == '__main__':
    unittest.main()
