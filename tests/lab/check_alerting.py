"""Who is told what, when a site has only node_exporter, Prometheus and Alertmanager.

    sudo python3 check_alerting.py [--healthy SECONDS] [--intervals 15s,60s]

Six servers in network namespaces, each with a modelled disk, a storage server that reads it for a client, and
Debian's node_exporter. A diagnoser with the shipped configuration scrapes them; for each interval a Prometheus and an Alertmanager
with the shipped rules and routes. Nobody may be told anything for SECONDS (an hour). Then one disk gets slow;
when everybody has been paged another server's network is flooded; then both end. Each fault has to be one page,
whose text says which device of which server, how much, since when and what to do, and one "resolved". Prints
the seconds. ctest -R lab-alerting -V; with --healthy 300 a quarter of an hour.

check_stores.py does it with diagnosers that read what the Prometheus servers have scraped.
"""
import argparse
import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

from check_short import missing
from limpet_lab import cleanup, disk, faults, network
from limpet_lab.lab import Lab
from limpet_lab.settings import Settings, default_bin_dir
from limpet_lab.shell import MARK, LabError, in_namespace, spawn, wait_until

os.environ.setdefault('LIMPET_BIN_DIR', str(default_bin_dir()))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'e2e'))
from alerting_delays import Chain, minutes   # noqa: E402 (the path comes first)
from alerting_test import CONFIG   # noqa: E402
from support import DIAGNOSER, Program, free_port, get   # noqa: E402

NODE_PORT, DATA_PORT = 9100, 5000
SERVER = pathlib.Path(__file__).with_name('limpet_lab') / 'storage_server.py'
NEXT_STEP = re.compile(r'Look at \S+')


@dataclasses.dataclass(frozen=True)
class Expected:
    """What the page of a fault has to say."""
    node: str
    fault: str
    strength: float
    summary: str    # a regular expression


DISK = Expected('io03', 'disk-busy', 2, r'^io03 \S.*: disk-busy \((await|service_time|utilization) of io03/loop\d+ '
                r'[\d.]+× its \d peers, \+[\d.]+ (ms|%), for [\dhms. ]+\)')
# The peers receive next to nothing: of nothing there is no multiple.
NETWORK = Expected('io05', 'write-network-hog', 100, r'^io05 \S.*: network-hog \((receive_bytes|unreceived_bytes) of io05'
                   r'( [\d.]+×| unlike) its \d peers, \+[\d.]+ MB/s, for [\dhms. ]+\)')


class Site:
    """The servers, their disks and node_exporters, and a client."""

    def __init__(self, settings):
        self.settings, self.loops = settings, {}

    def bring_up(self):
        settings, client = self.settings, self.settings.client_hosts[0]
        settings.run_dir.mkdir(parents=True)
        network.bring_up(settings)
        client.folder.mkdir()
        log = client.folder / 'take.log'
        taker = spawn(settings.name, in_namespace(client.namespace, sys.executable, SERVER, 'take', DATA_PORT), log)
        wait_until('the client', lambda: 'listening' in log.read_text(), process=taker, log=log)
        for host in settings.io_hosts:
            loop = self.loops[host.name] = disk.bring_up(settings, host)
            disk.set_control(host, speed=1)
            spawn(settings.name, in_namespace(host.namespace, sys.executable, SERVER, 'serve', loop,
                                              client.address, DATA_PORT), host.folder / 'serve.log')
            spawn(settings.name, in_namespace(
                host.namespace, 'prometheus-node-exporter', '--web.listen-address=%s:%d' % (host.address, NODE_PORT),
                '--collector.diskstats.device-exclude=',
                '--collector.diskstats.device-include=^%s$' % os.path.basename(loop)), host.folder / 'node_exporter.log')

    def addresses(self):
        return ['%s:%d' % (host.address, NODE_PORT) for host in self.settings.io_hosts]

    def scrape_config(self):
        """The node_exporters for Prometheus, by name as a site's service discovery would have them."""
        return '  - job_name: node\n    static_configs:\n' + ''.join(
            '      - {targets: ["%s:%d"], labels: {instance: "%s"}}\n' % (host.address, NODE_PORT, host.name)
            for host in self.settings.io_hosts)

    def fault(self, expected):
        host = self.settings.host(expected.node)
        return faults.inject(self.settings, expected.fault, host, self.loops[host.name], expected.strength)


# Without peer_groups a loop device is no disk.
GROUPS = ('peer_groups:\n  - {name: server-disks, kind: storage, device: "^loop"}\n'
          '  - {name: server-network, kind: network}\n  - {name: server-cwnd, kind: cwnd}\n')


def shipped(source):
    """The shipped configuration with another source of readings than this machine, and its disks."""
    text = (CONFIG / 'diagnoser.yml').read_text()
    own = re.search(r'^targets:\n(?:  - .*\n)+', text, re.MULTILINE)[0]
    return text.replace(own, source) + GROUPS


def scraping(site):
    return shipped('scrape: {interval: 2s}\ntargets:\n' + ''.join(
        '  - {node: %s, address: "%s:%d"}\n' % (host.name, host.address, NODE_PORT) for host in site.settings.io_hosts))


def start_diagnoser(folder, config, address):
    (folder / 'diagnoser.yml').write_text(config)
    program = Program(DIAGNOSER, 'serve', '--config', folder / 'diagnoser.yml', '--web.listen-address', address)
    program.port()
    return program


def taking_part(address):
    """Members of the largest group that is compared now."""
    return max((value for _, value in get('http://%s/metrics' % address).all(
        'limpet_group_components', state='taking_part')), default=0)


def stay_quiet(seconds, address, chains):
    """Nobody is told anything from the first comparison on; what was pending in between is printed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(min(10, max(0, end - time.monotonic())))
        for chain in chains:
            if chain.receiver.got:
                raise AssertionError('%s: told without a fault: %s' % (chain.interval, chain.receiver.got))
    compared = taking_part(address)
    for chain in chains:
        print('%s without a fault, every %s: nobody was told anything; pending at times: %s; compared now: %d servers' % (
            minutes(seconds), chain.interval, chain.prometheus.query('count_over_time(ALERTS[%ds])' % seconds) or 'nothing',
            compared), flush=True)


def wait_for_all(chains, node, status, patience):
    """Until every receiver has been told so; AssertionError after so many minutes."""
    end = time.monotonic() + 60 * patience
    while not all(chain.told(node, status) for chain in chains):
        if time.monotonic() > end:
            raise AssertionError('%s: nobody was told %s of %s within %d minutes' % (
                [chain.interval for chain in chains], status, node, patience))
        time.sleep(1)


def check(chains, expected):
    """One page for each fault, one "resolved", and nothing else."""
    for chain in chains:
        sent = [(one['status'], alert) for one in chain.receiver.got for alert in one['alerts']]
        found = sorted((alert['labels'].get('node', ''), status) for status, alert in sent)
        wanted = sorted((one.node, status) for one in expected for status in ('firing', 'resolved'))
        for status, alert in sent:
            print('%s %s %s: %s\n    %s' % (chain.interval, status, alert['labels'].get('alertname'),
                                          alert['annotations']['summary'], alert['annotations']['description']), flush=True)
        if found != wanted:
            raise AssertionError('every %s: %s in the place of %s' % (chain.interval, found, wanted))
        for one in expected:
            check_text(one, next(alert for status, alert in sent
                                 if status == 'firing' and alert['labels']['node'] == one.node))


def check_text(expected, alert):
    summary, description = alert['annotations']['summary'], alert['annotations']['description']
    if not re.match(expected.summary, summary) or not NEXT_STEP.search(description):
        raise AssertionError('the page does not say all: %s\n%s' % (summary, description))


def both_faults(site, chains):
    with contextlib.ExitStack() as first, contextlib.ExitStack() as second:
        began = time.time()
        first.enter_context(site.fault(DISK))
        wait_for_all(chains, DISK.node, 'firing', 8)
        also = time.time()
        second.enter_context(site.fault(NETWORK))
        wait_for_all(chains, NETWORK.node, 'firing', 8)
        ended = time.time()
    for one in DISK, NETWORK:
        wait_for_all(chains, one.node, 'resolved', 8)
    for chain in chains:
        print('every %s: slow disk to page %d s, network hog to page %d s, end to resolved %d s and %d s' % (
            chain.interval, chain.told(DISK.node, 'firing') - began, chain.told(NETWORK.node, 'firing') - also,
            chain.told(DISK.node, 'resolved') - ended, chain.told(NETWORK.node, 'resolved') - ended), flush=True)
    check(chains, [DISK, NETWORK])


def run(options, site, folder):
    address = '127.0.0.1:%d' % free_port()
    with contextlib.ExitStack() as stack:
        chains = []
        for interval in options.intervals.split(','):
            chains.append(Chain(folder, interval, address, site.scrape_config()))
            stack.callback(chains[-1].stop)
        program = start_diagnoser(folder, scraping(site), address)
        stack.callback(program.stop)
        try:
            wait_until('six peers', lambda: taking_part(address) == 6, seconds=300, interval=1)
            stay_quiet(options.healthy, address, chains)
            both_faults(site, chains)
        except (AssertionError, LabError):
            print(program.log[-8000:], flush=True)
            raise


def on_a_site(options, run, kind=Site):
    """Calls run(options, site, folder) while a site of six servers is up; kind: a Site, or what is made of one."""
    if missing():
        print('skipped: the lab needs ' + missing())
        sys.exit(77)
    site = kind(Settings(name=options.name, network=options.network, servers=6, clients=getattr(options, 'clients', 1),
                         bin_dir=default_bin_dir()))
    os.environ[MARK] = options.name     # of every program started here: taking down finds them after a kill -9, too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with Lab(site.settings).lock():
        cleanup.take_down(site.settings)
        try:
            site.bring_up()
            with tempfile.TemporaryDirectory(prefix=options.name + '-') as folder:
                run(options, site, pathlib.Path(folder))
        finally:
            cleanup.take_down(site.settings)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--healthy', type=float, default=3600)
    parser.add_argument('--intervals', default='15s,60s')
    parser.add_argument('--name', default='limpet-alerts')
    parser.add_argument('--network', default='198.18.90')
    on_a_site(parser.parse_args(), run)


if __name__ == '__main__':
    main()
