"""Every query of every dashboard returns something when Prometheus scrapes a cluster with a sick server."""
import contextlib
import json
import pathlib
import re
import socket
import time
import unittest

import support
from fake_exporters import FakeExporters
from peers import Prometheus
from support import DIAGNOSER, EXPORTER, Program, run, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICK = '''
scrape: {interval: 250ms}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 2s}
'''
# Needs six hours of history; promtool tests the rule (config/prometheus/alerts_test.yml).
LONG = 'limpet:anomaly:ratio6h'


def filled_in(expression):
    """What Grafana would ask, with the sick server chosen and All in every other choice."""
    node = '.*' if 'limpet_node_not_judged' in expression else 'io03'  # the sick one is judged
    for name, value in (('__rate_interval', '10s'), ('__range', '1m'), ('node', node)):
        expression = expression.replace('$' + name, value)
    if '(limpet_group_storm' in expression:
        expression = expression.removesuffix(' == 1')   # that no metric storms is an answer
    return re.sub(r'\$\{?[a-zA-Z_]\w*\}?', '.*', expression)  # not "$1", a part of what a regex found


@contextlib.contextmanager
def cluster(test, more=None):
    """(Prometheus, nodes) of five servers whose exporters are fakes, with a diagnoser that knows a sixth that never answers.

    more: a function of a node, what stands on its page beside the counters of its disk."""
    # A real page for what the fake counters do not have, with a collector that fails.
    page = run(EXPORTER, 'once').stdout.replace(
        'limpet_scrape_collector_success{collector="tcp"} 1', 'limpet_scrape_collector_success{collector="tcp"} 0')
    page = re.sub(r'^limpet_sample_timestamp_seconds .*\n', '', page, flags=re.MULTILINE)
    page += 'limpet_tcp_peer_cwnd_segments{local_address="10.0.0.1",peer="10.0.0.2",side="server"} 10\n'
    page += 'limpet_facts_unreadable{file="/sys/block/sdz/device/state",reason="hangs"} 1\n'
    page += 'limpet_disk_await_seconds{device="sdz"} 0\nlimpet_disk_service_time_seconds{device="sdz"} 0\n'
    with socket.socket() as nobody, FakeExporters(5) as fake:
        nobody.bind(('127.0.0.1', 0))   # a target that never answers
        for one in fake.nodes.values():
            one.more = (lambda one=one: more(one)) if more else (
                lambda: page + 'limpet_sample_timestamp_seconds %.3f\n' % time.time())
        config = QUICK + fake.targets() + '  - {node: io09, address: "127.0.0.1:%d"}\n' % nobody.getsockname()[1]
        diagnoser = Program(DIAGNOSER, 'serve', '--config', test.write('diagnoser.yml', config),
                            '--web.listen-address', '127.0.0.1:0')
        test.addCleanup(diagnoser.stop)
        scrape = '  - {job_name: limpet-diagnoser, static_configs: [{targets: ["127.0.0.1:%d"]}]}\n' % diagnoser.port()
        scrape += '  - job_name: limpet-exporter\n    static_configs:\n' + ''.join(
            '      - {targets: ["127.0.0.1:%d"], labels: {node: %s}}\n' % (one.port, one.name)
            for one in fake.nodes.values())
        with Prometheus(test.folder, scrape) as prometheus:
            prometheus.wait_for('limpet_group_components{state="taking_part"} >= 5')
            yield prometheus, fake.nodes


class DashboardsTest(support.TestCase):

    def test_every_query_returns_data(self):
        with cluster(self) as (prometheus, nodes):
            nodes['io03'].await_ms, nodes['io03'].service_ms = 80, 15
            prometheus.wait_for('limpet_indicted == 1', 60)
            prometheus.wait_for('limpet_lun_indicted == 1', 60)
            left = {(board['title'], panel['title'], target['expr'])
                    for path in sorted(ROOT.glob('grafana/dashboards/*.json'))
                    for board in [json.loads(path.read_text())]
                    for panel in board['panels'] for target in panel.get('targets', []) if LONG not in target['expr']}
            self.assertGreater(len(left), 40)

            def all_answered():
                left.difference_update([one for one in left if prometheus.query(filled_in(one[2]))])
                return not left
            try:
                wait_until('data', all_answered, 60, 1)
            except AssertionError:
                self.fail('no data for %s' % '\n'.join(map(str, sorted(left))))


if __name__ == '__main__':
    unittest.main()
