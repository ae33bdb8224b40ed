"""How long it takes from a fault to the page and from its end to "resolved", with nothing shortened.

    python3 alerting_delays.py [--healthy SECONDS] [--intervals 15s,60s]

Six exporters with node_exporter's names, a diagnoser with its defaults, and for each scrape interval a real
Prometheus and Alertmanager with the shipped rules and routes. First SECONDS without a fault: nobody may be
told anything. Then a busy disk; when everybody has been paged a network hog on another server; then both end.
Each fault has to be exactly one page and one "resolved". Prints the table of docs/playbooks.md. Takes a quarter
of an hour and next to no CPU. In ctest with the label bench.

tests/lab/check_alerting.py does it with real node_exporters and real faults.
"""
import argparse
import pathlib
import tempfile
import threading
import time

from alerting_test import CONFIG, Receiver, running_alertmanager
from fake_exporters import FakeExporters
from peers import Prometheus
from support import DIAGNOSER, Program, get, wait_until


class Network:
    """Counters of one interface."""

    def __init__(self):
        self.bytes_per_second = 10e6
        self._at, self._total, self._lock = time.time(), 0.0, threading.Lock()

    def lines(self):
        with self._lock:
            now = time.time()
            self._total += self.bytes_per_second * (now - self._at)
            self._at = now
            return ''.join('node_network_%s_bytes_total{device="eth0"} %r\n' % (way, self._total)
                           for way in ('receive', 'transmit'))


def as_node_exporter(node):
    """Makes the node answer with node_exporter's names; returns its network."""
    network = Network()

    def answer(handler):
        body = (node.page().replace('limpet_disk_', 'node_disk_') + network.lines()).encode()
        handler.send_response(200)
        handler.send_header('Content-Type', 'text/plain; version=0.0.4')
        handler.send_header('Content-Length', str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
    node.answer = answer
    return network


class Chain:
    """Prometheus with one scrape interval, its Alertmanager, and who is paged."""

    def __init__(self, folder, interval, address, scrape_configs=''):
        self.interval, self.folder = interval, folder / interval
        self.folder.mkdir()
        self.receiver = Receiver().__enter__()
        self.alertmanager, port = running_alertmanager(
            self.folder, (CONFIG / 'prometheus/alertmanager.yml').read_text(), self.receiver)
        rules = [str(CONFIG / 'prometheus' / name) for name in ('alerts.yml', 'recording.yml')]
        self.prometheus = Prometheus(
            self.folder, scrape_configs + '  - {job_name: limpet-diagnoser, static_configs: [{targets: ["%s"]}]}\n'
            'alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:%d"]}]}]}\nrule_files: [%s]\n'
            % (address, port, ', '.join(rules)), interval, timeout='10s').__enter__()

    def stop(self):
        self.prometheus.__exit__(None, None, None)
        self.alertmanager.stop()
        self.receiver.__exit__(None, None, None)

    def told(self, node, status):
        """When this node's alert was first sent so; None when it was not."""
        return next((one['at'] for one in self.receiver.got for alert in one['alerts']
                     if alert['labels'].get('node') == node and alert['status'] == status), None)


def wait_for_all(chains, node, status, minutes):
    wait_until('%s of %s' % (status, node), lambda: all(one.told(node, status) for one in chains), minutes * 60, every=1)


def check(chains):
    """One page for each fault, one "resolved", and nothing else."""
    for chain in chains:
        sent = [(each['labels']['alertname'], each['labels'].get('node'), each['status'])
                for one in chain.receiver.got for each in one['alerts']]
        expected = [('LimpetServerIndicted', node, status) for node in ('io03', 'io05') for status in ('firing', 'resolved')]
        if sorted(sent) != sorted(expected):
            raise AssertionError('scraped every %s: %s' % (chain.interval, sent))
        for one in chain.receiver.got:
            for alert in one['alerts']:
                print('%s %s %s: %s' % (chain.interval, one['path'], alert['status'], alert['annotations']['summary']))


def minutes(seconds):
    return '%d min %02d s' % divmod(round(seconds), 60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--healthy', type=float, default=300)
    parser.add_argument('--intervals', default='15s,60s')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='limpet-delays-') as folder, FakeExporters(6) as fake:
        folder = pathlib.Path(folder)
        networks = {name: as_node_exporter(node) for name, node in fake.nodes.items()}
        (folder / 'diagnoser.yml').write_text(fake.targets())
        program = Program(DIAGNOSER, 'serve', '--config', folder / 'diagnoser.yml', '--web.listen-address', '127.0.0.1:0')
        chains = []
        try:
            address = '127.0.0.1:%d' % program.port()
            chains += [Chain(folder, interval, address) for interval in options.intervals.split(',')]
            stay_quiet(options.healthy, address, chains)
            measure(fake, networks, address, chains)
            check(chains)
        finally:
            for chain in chains:
                chain.stop()
            program.stop()


def stay_quiet(healthy, address, chains):
    time.sleep(max(healthy, 200))   # five windows at least
    told = [one for chain in chains for one in chain.receiver.got]
    pending = [one for chain in chains for one in chain.prometheus.query('ALERTS')]
    taking_part = get('http://%s/metrics' % address).all('limpet_group_components', state='taking_part')
    if told or not any(value >= 3 for _, value in taking_part):
        raise AssertionError('told without a fault: %s; compared: %s' % (
            {alert['annotations']['summary'] for one in told for alert in one['alerts']}, taking_part))
    print('%s without a fault: nobody was told anything; pending: %s' % (minutes(max(healthy, 200)), pending), flush=True)


def measure(fake, networks, address, chains):
    def indicted(node):
        return any(value == 1 for _, value in get('http://%s/metrics' % address).all('limpet_indicted', node=node))
    began = time.time()
    fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 90, 15
    wait_until('the verdict', lambda: indicted('io03'), 300, every=0.5)
    verdict = time.time()
    wait_for_all(chains, 'io03', 'firing', 8)
    second = time.time()
    networks['io05'].bytes_per_second = 60e6
    wait_for_all(chains, 'io05', 'firing', 10)
    ended = time.time()
    fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 10, 5
    networks['io05'].bytes_per_second = 10e6
    wait_until('the end of the verdict', lambda: not indicted('io03'), 300, every=0.5)
    over = time.time()
    for node in 'io03', 'io05':
        wait_for_all(chains, node, 'resolved', 10)
    for chain in chains:
        print('%s: fault to verdict %s, to page %s (the second fault %s); end to no verdict %s, to resolved %s (%s)' % (
            chain.interval, minutes(verdict - began), minutes(chain.told('io03', 'firing') - began),
            minutes(chain.told('io05', 'firing') - second), minutes(over - ended),
            minutes(chain.told('io03', 'resolved') - ended), minutes(chain.told('io05', 'resolved') - ended)))


if __name__ == '__main__':
    main()
