"""A diagnoser that reads a real Prometheus or VictoriaMetrics says what one says that scrapes the same exporters."""
import http.server
import json
import threading
import time
import unittest
import urllib.parse

import support
from fake_exporters import FakeExporters
from peers import Prometheus, VictoriaMetrics
from support import DIAGNOSER, Program, get, run, wait_until

# Windows of eight seconds.
COMMON = '''
presets: [{base: bare, name: quick, smoothing: 2, window: 8, shift: 4, k: 2}]
peer_groups: [{name: disks, kind: storage, roles: [server]}]
'''


class ReadStore:
    """A store that scrapes, and a diagnoser that reads it."""

    def __init__(self, test, store, scrapes):
        self.test, self.name = test, store.__name__
        folder = test.folder / self.name
        folder.mkdir()
        self.store = store(folder, scrapes)
        self.store.__enter__()
        test.addCleanup(self.store.__exit__, None)
        self.before = 0
        self.start()

    def start(self):
        self.program = self.test.diagnoser(COMMON + (
            'source: prometheus\nprometheus: {url: "%s", step: 1s, lag: 2s, timeout: 5s, '
            'selector: \'job="io"\'}\nstate: {interval: 500ms}\n') % self.store.url(''),
            '--state-dir', self.test.folder / (self.name + '-state'), name=self.name + '.yml')

    def accumulator(self):
        return self.program.page().value('limpet_anomaly_accumulator', node='io04', metric='await') or 0


class StoreTest(support.TestCase):

    def test_the_same_verdicts_as_scraping_and_an_outage_loses_nothing(self):
        stores = [Prometheus, VictoriaMetrics]
        if not VictoriaMetrics.is_installed():
            print('VictoriaMetrics is not tested: install the package victoria-metrics (scripts/packages.txt)')
            stores.remove(VictoriaMetrics)
        with FakeExporters(5) as fake:
            scrapes = '  - job_name: io\n    static_configs:\n' + ''.join(
                '      - targets: ["127.0.0.1:%d"]\n        labels: {instance: "%s:9836", rack: r1}\n'
                % (node.port, node.name) for node in fake.nodes.values())
            began = time.time()
            # Both at once: the same exporters, and no more time than one alone.
            read = [ReadStore(self, store, scrapes) for store in stores]
            scraping = self.diagnoser(COMMON + fake.targets(), name='scraping.yml')
            programs = lambda: [scraping] + [one.program for one in read]
            for program in programs():
                wait_until('five peers', lambda: program.page().value(
                    'limpet_group_components', peer_group='disks', state='taking_part') == 5, 60)
                self.assertEqual(self.indicted(program), set())
            for one in read:
                self.assertEqual(one.program.page().value('limpet_target_up', node='io01'), 1)
                self.assertEqual(one.program.page('/api/v1/targets').status, 200)

            limping = fake.nodes['io04']
            limping.await_ms, limping.service_ms = 80, 15
            # A clock that is 0.8 s ahead, which the stores can tell from their own.
            fake.nodes['io02'].more = lambda: 'limpet_sample_timestamp_seconds %.3f\n' % (time.time() + 0.8)
            for program in programs():
                wait_until('the verdict', lambda: self.indicted(program), 90)
                self.assertEqual(self.indicted(program), {('io04', 'disk-busy')})

            # The stores go away for a while and come back with their data; so do the diagnosers.
            for one in read:
                one.store.__exit__(None)
            for one in read:
                wait_until('the failure', lambda: one.program.page().value('limpet_store_up') == 0, 30)
                self.assertIn('nothing is lost, it is asked again', one.program.log)
                one.before = one.accumulator()
                self.assertEqual(one.program.stop(), 0)
                one.start()
                self.assertIn('going on from the state of', one.program.log)
                one.store.__enter__()
            for one in read:
                wait_until('more windows', lambda: one.accumulator() >= one.before and
                           self.indicted(one.program) == {('io04', 'disk-busy')}, 90)
                self.assertEqual(one.program.page().value('limpet_store_skipped_seconds_total'), 0)

            limping.await_ms, limping.service_ms = 10, 5
            for program in programs():
                wait_until('the end of it', lambda: not self.indicted(program), 90)
            for one in read:
                self.replays(one.store.url(''), began)
                self.reports(one, began)

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

    def reports(self, read, began):
        """A page about the store's past, with the names of LUNs and with clocks that differ."""
        page = self.folder / (read.name + '.html')
        run(DIAGNOSER, 'report', '--config', self.write('replay.yml', COMMON), '--output', page, '--prometheus',
            read.store.url(''), '--step', '1s', '--from', '%.0f' % began, '--to', '%.0f' % time.time())
        text = page.read_text()
        self.assertIn('<h3>disk sda of io04, LUN naa.io04 <span class="cause storage">disk-busy', text)
        # The page is made a little after the scrape began, on a busy machine up to a second.
        self.assertRegex(text, r'<td>io02</td><td class="number">(0\.[789]|1\.\d) s ahead</td>')
        self.assertNotIn('<td>io03</td><td class="number">', text)
        self.assertIn('<li>%s</li>' % read.store.url(''), text)

    def test_a_query_that_the_store_refuses_is_said_with_its_reason(self):
        with Prometheus(self.folder, '  - job_name: none\n') as prometheus:
            reading = self.diagnoser(COMMON + (
                'source: prometheus\nprometheus: {url: "%s", step: 1s, selector: "job=node"}\n'
            ) % prometheus.url(''))
            wait_until('the reason', lambda: 'got 400: 1:' in reading.log and 'parse error' in reading.log, 30)
            self.assertEqual(reading.page().value('limpet_store_up'), 0)
            self.assertEqual(reading.page('/-/ready').status, 503)

    def test_a_check_asks_the_store_once_and_shows_who_is_compared(self):
        servers = [('job', 'io'), ('instance', 'io01:9100')], [('job', 'io'), ('instance', 'io02:9100')], [
            ('job', 'io'), ('instance', 'io03:9100')]
        config = ('source: prometheus\nprometheus: {url: "%s", step: 15s%s}\n'
                  'peer_groups: [{name: disks, kind: storage, roles: [server]}]\n')
        with FakeStore(servers) as store:
            good = self.write('good.yml', config % (store.url, ''))
            done = run(DIAGNOSER, 'check-config', '--ask', '--strict', '--config', good)
            self.assertRegex(done.stdout, r'disks +storage +3  io01/sda, io02/sda, io03/sda\n')
            wrong = self.write('wrong.yml', config % (store.url, ', node_label: nodename'))
            done = run(DIAGNOSER, 'check-config', '--ask', '--strict', '--config', wrong, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn('warning: prometheus.node_label: 3 series have no label nodename', done.stdout)
        with FakeStore([]) as store:
            nobody = self.write('nobody.yml', config % (store.url, ', selector: \'job="no-such-job"\''))
            done = run(DIAGNOSER, 'check-config', '--ask', '--config', nobody, check=False)
            self.assertEqual(done.returncode, 1, 'an error, not a warning')
            self.assertIn('have no series that a peer group compares with the selector job="no-such-job"', done.stdout)
            done = run(DIAGNOSER, 'replay', '--config', nobody, '--prometheus', store.url, '--from', '1700000000',
                       '--to', '1700000600', check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn('nothing could be read: the store has no series', done.stderr)


class FakeStore:
    """A Prometheus API that has the reads of one disk of each of these servers ([[(label, value)]]), a point a step."""

    def __init__(self, servers):
        store = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps(store.answer(urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query))).encode()
                self.send_response(200)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        self._servers = servers
        self._http = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = 'http://127.0.0.1:%d' % self._http.server_address[1]

    def answer(self, query):
        start, end, step = (float(query[key][0].rstrip('s')) for key in ('start', 'end', 'step'))
        times = [start + i * step for i in range(int((end - start) / step + 0.5) + 1)]
        name = 'node_disk_reads_completed_total'
        wanted = 'disk_reads_completed_total' in query['query'][0] and 'timestamp' not in query['query'][0]
        return {'status': 'success', 'data': {'resultType': 'matrix', 'result': [
            {'metric': {'__name__': name, 'device': 'sda', **dict(labels)}, 'values': [[at, str(at)] for at in times]}
            for labels in self._servers if wanted]}}

    def __enter__(self):
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._http.shutdown()
        self._http.server_close()


if __name__ == '__main__':
    unittest.main()
