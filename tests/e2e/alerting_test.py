"""A fault from the diagnoser through Prometheus and Alertmanager to whoever is paged, with the shipped rules."""
import http.server
import json
import pathlib
import re
import signal
import threading
import time
import unittest

import support
from fake_exporters import FakeExporters
from peers import Prometheus
from support import DIAGNOSER, Program, free_port, get, wait_until

CONFIG = pathlib.Path(__file__).resolve().parents[2] / 'config'

QUICK = '''
scrape: {interval: 250ms}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 2s}
'''


def sooner(text):
    """The same rules and routes, but what takes minutes takes seconds."""
    keys = r'\b(for|keep_firing_for|interval|group_wait|group_interval): \d+[smh]'
    return re.sub(keys, lambda key: '%s: %s' % (key[1], {'keep_firing_for': '4s'}.get(key[1], '1s')), text)


class Receiver:
    """A webhook; .got is what Alertmanager has sent so far."""

    def __enter__(self):
        self.got = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(handler):
                body = handler.rfile.read(int(handler.headers['Content-Length']))
                self.got.append({**json.loads(body), 'path': handler.path, 'at': time.time()})
                handler.send_response(200)
                handler.end_headers()

            def log_message(handler, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def about(self, alert, status):
        return [one for one in self.got if one['status'] == status and
                any(each['labels']['alertname'] == alert for each in one['alerts'])]


def running_alertmanager(folder, text, receiver):
    """(program, port) of an Alertmanager with this configuration, whose webhooks are the receiver's."""
    port = free_port()
    path = folder / 'alertmanager.yml'
    path.write_text(text.replace('http://localhost:9095', 'http://127.0.0.1:%d' % receiver.port))
    program = Program('prometheus-alertmanager', '--config.file=%s' % path,
                      '--storage.path=%s' % (folder / 'alertmanager'),
                      '--web.listen-address=127.0.0.1:%d' % port, '--cluster.listen-address=')

    def ready():
        try:
            return get('http://127.0.0.1:%d/-/ready' % port).status == 200
        except OSError:
            return False
    wait_until('Alertmanager', ready, 60)
    return program, port


class AlertingTest(support.TestCase):

    def alertmanager(self, receiver):
        program, port = running_alertmanager(
            self.folder, sooner((CONFIG / 'prometheus/alertmanager.yml').read_text()), receiver)
        self.addCleanup(program.stop)
        return port

    def wait_for_group_intervals(self, port, intervals=4):
        """At the end of each group's interval Alertmanager looks up what it has sent about the group."""
        def page():
            return get('http://127.0.0.1:%d/metrics' % port)
        groups = page().value('alertmanager_dispatcher_aggregation_groups')
        before = page().value('alertmanager_nflog_queries_total')
        wait_until('%d group intervals' % intervals, lambda: page().value(
            'alertmanager_nflog_queries_total') >= before + groups * intervals, 60)

    def check_text(self, texts, address):
        """The page alone says which disk of which server, how much, since when, and what to do; its links resolve."""
        self.assertRegex(texts['summary'], r'^io03 slows its file system: disk-busy '
                         r'\((await|svctm|service_time|utilization)\S* of io03/sda [\d.]+× its 4 peers, \+[\d.]+ ms, for [\dms. ]+\)$')
        self.assertIn('Look at iostat -x 1, smartctl -a', texts['description'])
        self.assertIn('On io03, read the kernel log and smartctl -a', texts['next_step'])
        runbook, anchor = texts['runbook_url'].split('#')
        self.assertEqual(runbook, 'http://%s/playbooks' % address)
        self.assertIn('<h2 id="%s">' % anchor, get(runbook).body)
        self.assertEqual(get(texts['page_url']).status, 200)

    def test_a_sick_server_is_one_page_and_its_recovery_another(self):
        with FakeExporters(5) as fake, Receiver() as receiver:
            diagnoser = Program(DIAGNOSER, 'serve', '--config',
                                self.write('diagnoser.yml', QUICK + fake.targets()),
                                '--web.listen-address', '127.0.0.1:0')
            self.addCleanup(diagnoser.stop)
            target = '127.0.0.1:%d' % diagnoser.port()
            rules = [self.write(name, sooner((CONFIG / 'prometheus' / name).read_text())
                                .replace('localhost:9837', target))
                     for name in ('alerts.yml', 'recording.yml')]
            scrape = '  - {job_name: limpet-diagnoser, static_configs: [{targets: ["%s"]}]}\n' % target
            port = self.alertmanager(receiver)
            more = 'alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:%d"]}]}]}\n' \
                'rule_files: [%s]\n' % (port, ', '.join(str(one) for one in rules))
            with Prometheus(self.folder, scrape + more) as prometheus:
                prometheus.wait_for('limpet_group_components{state="taking_part"} == 5')
                self.assertEqual(receiver.about('LimpetServerIndicted', 'firing'), [])

                fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 80, 15
                wait_until('the page', lambda: receiver.about('LimpetServerIndicted', 'firing'), 60)
                page, = receiver.about('LimpetServerIndicted', 'firing')
                alert, = page['alerts']
                self.assertEqual((alert['labels']['node'], alert['labels']['cause'], alert['labels']['severity']),
                                 ('io03', 'disk-busy', 'critical'))
                self.check_text(alert['annotations'], target)
                self.assertEqual({one['path'] for one in receiver.got}, {'/page'})   # nobody is warned of it as well
                self.wait_for_group_intervals(port)   # nobody is told twice
                self.assertEqual(len(receiver.about('LimpetServerIndicted', 'firing')), 1)

                fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 10, 5
                wait_until('the end of it', lambda: receiver.about('LimpetServerIndicted', 'resolved'), 60)
                self.assertEqual(len(receiver.about('LimpetServerIndicted', 'resolved')), 1)
                self.assertEqual(len(receiver.about('LimpetServerIndicted', 'firing')), 1)

    def test_a_diagnoser_that_dies_is_no_recovery(self):
        """kill -9 during two faults, one of which ends meanwhile: nothing is resolved or paged twice."""
        with FakeExporters(6) as fake, Receiver() as receiver:
            port = free_port()
            target = '127.0.0.1:%d' % port
            config = self.write('diagnoser.yml', QUICK + 'state: {interval: 250ms}\n' + fake.targets())

            def diagnoser():
                program = Program(DIAGNOSER, 'serve', '--config', config, '--state-dir', self.folder / 'state',
                                  '--web.listen-address', target)
                self.addCleanup(program.stop)
                return program

            def limp(node, await_ms, service_ms):
                fake.nodes[node].await_ms, fake.nodes[node].service_ms = await_ms, service_ms

            def told(status, alert='LimpetServerIndicted'):
                return sorted(each['labels'].get('node', '') for one in receiver.about(alert, status)
                              for each in one['alerts'] if each['status'] == status)
            first = diagnoser()
            alertmanager = self.alertmanager(receiver)
            rules = [self.write(name, sooner((CONFIG / 'prometheus' / name).read_text()))
                     for name in ('alerts.yml', 'recording.yml')]
            scrape = ('  - {job_name: limpet-diagnoser, static_configs: [{targets: ["%s"]}]}\n'
                      'alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:%d"]}]}]}\n'
                      'rule_files: [%s]\n') % (target, alertmanager, ', '.join(str(one) for one in rules))
            with Prometheus(self.folder, scrape) as prometheus:
                prometheus.wait_for('sum(limpet_node_judged) == 6')
                limp('io03', 80, 15)
                limp('io05', 160, 30)
                wait_until('both pages', lambda: set(told('firing')) == {'io03', 'io05'}, 60)
                pages = told('firing')

                first.signal(signal.SIGKILL)
                first.wait()
                limp('io05', 10, 5)
                wait_until('its own page', lambda: receiver.about('LimpetDiagnoserDown', 'firing'), 60)
                page, = receiver.about('LimpetDiagnoserDown', 'firing')
                self.assertEqual(page['path'], '/page')
                self.wait_for_group_intervals(alertmanager, 6)   # longer than keep_firing_for
                self.assertEqual((told('firing'), told('resolved')), (pages, []))

                diagnoser()
                wait_until('the end of the fault that ended', lambda: told('resolved') == ['io05'], 60)
                wait_until('the diagnoser back', lambda: receiver.about('LimpetDiagnoserDown', 'resolved'), 60)
                limp('io03', 10, 5)
                wait_until('the end of the other', lambda: told('resolved') == ['io03', 'io05'], 60)
                self.assertEqual(told('firing'), pages)
                self.assertEqual(len(receiver.about('LimpetDiagnoserDown', 'firing')), 1)

    def test_one_sick_server_is_one_page_whatever_else_is_wrong_with_it(self):
        with Receiver() as receiver:
            port = self.alertmanager(receiver)
            sent = [
                {'alertname': 'LimpetServerIndicted', 'node': 'io03', 'cause': 'disk-busy', 'severity': 'critical'},
                {'alertname': 'LimpetPersistentAnomaly', 'node': 'io03', 'device': 'sdb', 'severity': 'warning'},
                {'alertname': 'LimpetPersistentAnomaly', 'node': 'io03', 'device': 'sdc', 'severity': 'warning'},
                {'alertname': 'LimpetClockSkew', 'node': 'io03', 'severity': 'warning'},
                {'alertname': 'LimpetDriveIndicted', 'node': 'io03', 'cause': 'disk-busy', 'severity': 'warning'},
                {'alertname': 'LimpetGroupBimodal', 'peer_group': 'a', 'metric': 'await', 'severity': 'warning'},
                {'alertname': 'LimpetGroupStorm', 'peer_group': 'a', 'metric': 'await', 'severity': 'warning'},
                {'alertname': 'LimpetGroupStorm', 'peer_group': 'b', 'metric': 'await', 'severity': 'warning'},
                {'alertname': 'LimpetPersistentAnomaly', 'node': 'io05', 'device': 'sdb', 'severity': 'warning'},
                {'alertname': 'LimpetPersistentAnomaly', 'node': 'io05', 'device': 'sdc', 'severity': 'warning'},
            ]
            url = 'http://127.0.0.1:%d/api/v2/alerts' % port
            get(url, headers={'Content-Type': 'application/json'},
                data=json.dumps([{'labels': labels} for labels in sent]).encode())

            def told():
                return {tuple(sorted((one['labels']['alertname'], one['labels'].get('device', '')) for one in each['alerts']))
                        + (each['groupLabels'].get('node') or each['groupLabels']['peer_group'],) for each in receiver.got}
            wait_until('four notifications', lambda: len(receiver.got) >= 4, 60)
            self.wait_for_group_intervals(port)   # nothing more comes
            self.assertEqual((len(receiver.got), told()), (4, {
                (('LimpetServerIndicted', ''), 'io03'),
                (('LimpetGroupBimodal', ''), 'a'),
                (('LimpetGroupStorm', ''), 'b'),
                (('LimpetPersistentAnomaly', 'sdb'), ('LimpetPersistentAnomaly', 'sdc'), 'io05'),
            }))
            held = [one['labels'] for one in json.loads(get(url + '?inhibited=true&active=false').body)]
            self.assertCountEqual(held, sent[1:5] + sent[6:7])


if __name__ == '__main__':
    unittest.main()
