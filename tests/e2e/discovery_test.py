"""Targets that come and go in lists while the diagnoser runs; diagnosers that share the work."""
import http.server
import json
import shutil
import threading
import unittest

import support
from fake_exporters import FakeExporters
from support import DIAGNOSER, Program, run, wait_until

QUICK = '''
scrape: {interval: 250ms}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 2s}
'''


class List(http.server.ThreadingHTTPServer):
    """An http_sd server: `groups` as JSON, or `status`."""
    daemon_threads = True

    def __init__(self):
        self.groups, self.status, self.asked = [], 200, []
        super().__init__(('127.0.0.1', 0), _Answer)
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, *_):
        pass


class _Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        server = self.server
        server.asked.append((self.path, self.headers.get('Authorization')))
        body = json.dumps(server.groups).encode()
        self.send_response(server.status)
        self.send_header('Content-Type', 'application/json; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class DiscoveryTest(support.TestCase):

    def list(self, name, groups):
        """Written beside and moved, as it should be done."""
        self.write(name + '.tmp', json.dumps(groups)).rename(self.folder / name)

    def taking_part(self, program, group, count):
        wait_until('%d in %s' % (count, group), lambda: program.page().value(
            'limpet_group_components', peer_group=group, state='taking_part') == count, 60)

    def group(self, node, **labels):
        return {'targets': ['127.0.0.1:%d' % node.port], 'labels': {'node': node.name, **labels}}

    def test_a_list_in_a_file_changes_and_nobody_else_notices(self):
        with FakeExporters(6) as fake:
            nodes = list(fake.nodes.values())
            self.list('fleet.json', [self.group(node) for node in nodes[:5]])
            program = self.diagnoser(QUICK + 'targets: [{file_sd: {files: ["%s/*.json"], '
                                 'refresh_interval: 200ms}}]\n' % self.folder)
            nodes[2].await_ms, nodes[2].service_ms = 80, 15
            wait_until('the verdict', lambda: program.page().value(
                'limpet_indicted', node='io03', cause='disk-busy') == 1, 60)
            accumulator = lambda: program.page().value(
                'limpet_anomaly_accumulator', node='io03', metric='await') or 0
            before = accumulator()
            self.list('fleet.json', [self.group(node) for node in nodes[1:]])
            wait_until('windows of io06', lambda: program.page().value(
                'limpet_indicted', node='io06', cause='disk-busy') == 0)
            self.taking_part(program, 'server-disks', 5)
            page = program.page()
            self.assertEqual(page.value('limpet_indicted', node='io03', cause='disk-busy'), 1)
            self.assertEqual(page.value('limpet_indicted', node='io06', cause='disk-busy'), 0)
            self.assertEqual([one for one in page.samples if 'io01' in str(one)], [])
            self.assertGreaterEqual(accumulator(), before)
            self.assertEqual(program.log.count('indicted: '), 1, program.log)

            self.write('fleet.json', '[{"targets": [')
            wait_until('it to be said', lambda: 'fleet.json: expected JSON' in program.log)
            wait_until('it to be shown', lambda: program.page().all('limpet_discovery_up')[0][1] == 0)
            self.assertEqual(len(program.page().all('limpet_target_up')), 5)
            self.list('fleet.json', [self.group(node) for node in nodes[1:]] + [
                {'targets': ['not an address']}, {'target': []}])
            wait_until('what is wrong', lambda: program.log.count('fleet.json: [') == 2)
            self.assertIn('fleet.json: [5].targets[0]: expected an address', program.log)
            self.assertIn('fleet.json: [6]: unknown key "target"', program.log)
            wait_until('two refused', lambda: program.page().all(
                'limpet_discovery_refused_entries')[0][1] == 2)
            run('promtool', 'check', 'metrics', input=program.page().body)
            self.assertEqual(program.stop(), 0)

    def test_a_list_behind_a_url_that_fails_keeps_its_targets(self):
        with FakeExporters(3) as fake:
            server = List()
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
            server.groups = [self.group(node, role='oss') for node in fake.nodes.values()]
            program = self.diagnoser(QUICK + (
                'targets: [{http_sd: {url: "http://127.0.0.1:%d/sd?site=a", refresh_interval: 1s, '
                'authorization: {credentials: secret}}}]\n') % server.server_address[1])
            self.taking_part(program, 'oss-disks', 3)
            self.assertEqual(server.asked[0], ('/sd?site=a', 'Bearer secret'))
            server.status = 503
            wait_until('the failure', lambda: 'got 503; its 3 targets stay' in program.log)
            wait_until('it to be shown', lambda: (program.page().value(
                'limpet_discovery_failures_total', reason='status') or 0) >= 2)
            self.assertEqual(len(program.page().all('limpet_target_up')), 3)
            server.groups, server.status = server.groups[:2], 200
            wait_until('two', lambda: len(program.page().all('limpet_target_up')) == 2)
            wait_until('it to be said', lambda: 'gives targets again' in program.log)

    @unittest.skipUnless(shutil.which('prometheus-node-exporter'), 'needs prometheus-node-exporter')
    def test_stock_node_exporters_by_file_sd(self):
        groups = []
        for n in range(4):
            port = support.free_port()
            program = Program('prometheus-node-exporter', '--web.listen-address=127.0.0.1:%d' % port,
                              '--collector.diskstats.ignored-devices=^$')
            self.addCleanup(program.stop)
            groups.append({'targets': ['127.0.0.1:%d' % port],
                           'labels': {'instance': 'n%d:9100' % n, 'rack': 'r1'}})
        self.write('fleet.yml', '\n'.join(
            '- targets: ["%s"]\n  labels: {instance: "%s", rack: r1}' % (
                group['targets'][0], group['labels']['instance']) for group in groups))
        program = self.diagnoser(
            'lateness: 1s\npresets: [{base: bare, name: quick, smoothing: 2, window: 5, shift: '
            '3, k: 2}]\npeer_groups:\n  - {name: lan, kind: network, labels: {rack: r1}}\n'
            '  - {name: disks, kind: storage, labels: {rack: r1}}\n'
            'targets: [{file_sd: {files: ["%s/fleet.yml"]}}]\n' % self.folder)
        self.taking_part(program, 'lan', 4)
        for n in range(4):
            self.assertEqual(program.page().value('limpet_target_up', node='n%d' % n), 1)

    def test_check_config_reads_the_lists_and_explains_the_shard(self):
        self.list('fleet.json', [{'targets': ['io01:9100', 'io 02']}])
        config = self.write('lists.yml', (
            'peer_groups:\n  - {name: a, kind: storage, labels: {rack: r1}}\n'
            '  - {name: b, kind: storage, labels: {rack: r2}}\nshard: {index: 1, count: 2}\n'
            'targets: [{file_sd: {files: ["%s/fleet.json"]}}, {http_sd: {url: "http://x/"}}]\n'
        ) % self.folder)
        done = run(DIAGNOSER, 'check-config', '--config', config, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn('peer groups: b\n', done.stdout)
        self.assertIn('shard: 1 of 0 to 1: 1 of 2 peer groups', done.stdout)
        self.assertIn('fleet.json: 1 targets, 1 refused', done.stdout)
        self.assertIn('refused: %s/fleet.json: [0].targets[1]: expected an address' % self.folder,
                      done.stdout)
        self.assertIn('http_sd http://x/: asked by serve', done.stdout)

    def test_shards_scrape_and_show_their_part_only(self):
        with FakeExporters(6) as fake:
            nodes = list(fake.nodes.values())
            self.list('fleet.json', [self.group(node, rack='r%d' % (i // 3))
                                     for i, node in enumerate(nodes)])
            common = QUICK + (
                'peer_groups:\n  - {name: d0, kind: storage, labels: {rack: r0}}\n'
                '  - {name: d1, kind: storage, labels: {rack: r1}}\n'
                'targets: [{file_sd: {files: ["%s/*.json"]}}]\n') % self.folder
            shards = [self.diagnoser(common + 'shard: {index: %d, count: 2}\n' % index,
                                     name='shard%d.yml' % index)
                      for index in range(2)]
            nodes[4].await_ms, nodes[4].service_ms = 80, 15
            wait_until('the verdict', lambda: shards[1].page().value(
                'limpet_indicted', node='io05', cause='disk-busy') == 1, 60)
            self.taking_part(shards[0], 'd0', 3)
            for index, shard in enumerate(shards):
                page = shard.page()
                self.assertEqual({labels['node'] for labels, _ in page.all('limpet_target_up')},
                                 {node.name for node in nodes[3 * index:3 * index + 3]})
                self.assertEqual({labels['node'] for labels, _ in page.all('limpet_indicted')},
                                 {node.name for node in nodes[3 * index:3 * index + 3]})
            self.assertEqual([one for one in shards[0].page().all('limpet_indicted') if one[1]], [])


if __name__ == '__main__':
    unittest.main()
