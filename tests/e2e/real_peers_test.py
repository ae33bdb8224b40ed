"""The real diagnoser with what speaks to it for real: exporters, Prometheus, TLS and passwords on both sides."""
import json
import shutil
import unittest

import support
from diagnoser_test import CAUSES, QUICK
from fake_exporters import FakeExporters
from support import EXPORTER, Program, get, run, wait_until


class RealPeersTest(support.TestCase):

    def test_scrapes_over_tls_with_a_password_and_is_scraped_so(self):
        certificate, key = support.make_certificate(self.folder)
        web = self.write('web.yml', 'tls_server_config: {cert_file: %s, key_file: %s}\n'
                                    'basic_auth_users: {prometheus: %s}\n' % (
                                        certificate, key, support.bcrypt('secret')))
        with FakeExporters(3, (certificate, key)) as fake:
            for node in fake.nodes.values():
                node.user = ('limpet', 'pass word')
            secure = QUICK.replace('interval: 250ms}', (
                'interval: 250ms, scheme: https, tls_config: {ca_file: %s}, '
                'basic_auth: {username: limpet, password: pass word}}') % certificate)
            port = fake.nodes['io01'].port
            program = self.diagnoser(secure + fake.targets() + (
                '  - {node: other-name, address: "127.0.0.1:%d", '
                'tls_config: {server_name: other.example}}\n'
                '  - {node: other-password, address: "127.0.0.1:%d", '
                'basic_auth: {username: limpet, password: wrong}}\n') % (port, port),
                '--web.config.file', web)
            url = 'https://localhost:%d/metrics' % program.number
            ask = lambda: get(url, user=('prometheus', 'secret'),
                              context=support.trusting(certificate))
            wait_until('the targets', lambda: ask().value('limpet_target_up', node='io03') == 1)
            self.assertEqual(get(url, context=support.trusting(certificate)).status, 401)
            # On a busy machine the first failure of either may be a time-out.
            wait_until('the wrong ones', lambda: all(
                ask().value('limpet_target_scrape_errors_total', reason=reason)
                for reason in ('tls', 'status')))
            self.prometheus_scrapes(program.number, certificate)

    def test_shows_the_exporter_a_certificate(self):
        server, server_key = support.make_certificate(self.folder)
        ours, our_key = support.make_certificate(self.folder, 'ours')
        foreign, foreign_key = support.make_certificate(self.folder, 'foreign')
        web = self.write('web.yml', '''
tls_server_config:
  cert_file: %s
  key_file: %s
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: %s
''' % (server, server_key, ours))
        with support.Program(support.EXPORTER, 'serve', '--web.listen-address', '127.0.0.1:0',
                             '--web.config.file', web) as exporter:
            address = '127.0.0.1:%d' % exporter.port()
            program = self.diagnoser(QUICK.replace('interval: 250ms}', 'interval: 250ms, scheme: https}', 1) + '''
targets:
  - {node: ours, address: "%s", tls_config: {ca_file: %s, cert_file: %s, key_file: %s}}
  - {node: foreign, address: "%s", tls_config: {ca_file: %s, cert_file: %s, key_file: %s}}
  - {node: none, address: "%s", tls_config: {ca_file: %s}}
''' % (address, server, ours, our_key, address, server, foreign, foreign_key, address, server))
            up = lambda node: program.page().value('limpet_target_up', node=node)
            wait_until('the one with our certificate', lambda: up('ours') == 1)
            wait_until('the others to fail', lambda: all(
                (program.page().value('limpet_target_consecutive_failures', node=node) or 0) > 1
                for node in ('foreign', 'none')))
            self.assertEqual((up('ours'), up('foreign'), up('none')), (1, 0, 0))

    def prometheus_scrapes(self, port, certificate):
        config = self.write('prometheus.yml', '''
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - job_name: limpet-diagnoser
    scheme: https
    basic_auth: {username: prometheus, password: secret}
    tls_config: {ca_file: %s}
    static_configs: [{targets: ["localhost:%d"]}]
''' % (certificate, port))
        own = support.free_port()
        with Program('prometheus', '--config.file=%s' % config,
                     '--storage.tsdb.path=%s' % (self.folder / 'tsdb'),
                     '--web.listen-address=127.0.0.1:%d' % own):
            def query(text):
                try:
                    answer = get('http://127.0.0.1:%d/api/v1/query?query=%s' % (own, text))
                except OSError:
                    return []
                return json.loads(answer.body)['data']['result'] if answer.status == 200 else []
            wait_until('Prometheus to see it up', lambda: [
                one for one in query('up') if one['value'][1] == '1'], 30)
            indicted = wait_until('the state set', lambda: query('limpet_indicted'))
            self.assertGreaterEqual(len(indicted), 3 * len(CAUSES))
            self.assertEqual({one['metric']['job'] for one in indicted}, {'limpet-diagnoser'})
            self.assertFalse([one for one in indicted if 'exported_job' in one['metric']])

    @unittest.skipUnless(shutil.which('prometheus-node-exporter'), 'needs prometheus-node-exporter')
    def test_takes_node_exporters_for_peers(self):
        ports = [support.free_port() for _ in range(3)]
        for port in ports:
            program = Program('prometheus-node-exporter', '--web.listen-address=127.0.0.1:%d' % port,
                              '--collector.diskstats.ignored-devices=^$')
            self.addCleanup(program.stop)
        self.peers_take_part(ports)

    def test_takes_limpet_exporters_for_peers(self):
        ports = []
        for _ in range(3):
            program = Program(EXPORTER, 'serve', '--web.listen-address', '127.0.0.1:0')
            self.addCleanup(program.stop)
            ports.append(program.port())
        self.assertEqual(self.indicted(self.peers_take_part(ports)), set())

    def peers_take_part(self, ports):
        """The diagnoser of three exporters of this machine, once all of them are compared.

        Limpet's exporters read at the same instants, so they are alike in everything. Others read
        when they are scraped: bursts fall into different seconds of windows as short as these, and
        nothing is said here about who is named then."""
        program = self.diagnoser(
            'lateness: 1s\npresets: [{base: bare, name: quick, smoothing: 2, window: 5, shift: '
            '3, k: 2}]\ntargets:\n' + ''.join(
                '  - {node: n%d, address: "127.0.0.1:%d"}\n' % one for one in enumerate(ports)))
        wait_until('a window of the three', lambda: program.page().value(
            'limpet_group_components', peer_group='server-network', state='taking_part') == 3, 40)
        page = program.page()
        for n in range(3):
            self.assertEqual(page.value('limpet_target_up', node='n%d' % n), 1)
            self.assertGreater(page.value('limpet_target_samples', node='n%d' % n), 20)
        run('promtool', 'check', 'metrics', input=page.body)
        return program


if __name__ == '__main__':
    unittest.main()
