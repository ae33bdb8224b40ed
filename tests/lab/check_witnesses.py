"""Clients as witnesses: the disk of a server that nobody watches gets slow, and what its clients wait names it.

    sudo python3 check_witnesses.py [--healthy SECONDS] [--repeats N] [--strength TIMES]

Six servers in network namespaces, each with a modelled disk, and four clients that read from all of them. Debian's
node_exporter runs on the clients (--collector.mountstats) and on every server but one; this kernel need not have NFS
(limpet_lab/mountstats_client.py). A diagnoser scrapes them with the shipped file of metrics for NFS. Nobody may be named
for SECONDS; then the disk of the server without an exporter is TIMES slower: that server alone has to be named
`slow-requests`, and no longer once it is over. Prints the seconds. ctest -R lab-witnesses -V, a quarter of an hour.
"""
import argparse
import os
import sys
import time

from check_alerting import CONFIG, NODE_PORT, SERVER, Expected, Site, on_a_site, start_diagnoser
from check_stores import load, say
from limpet_lab import disk, network
from limpet_lab.shell import in_namespace, spawn, wait_until
from support import free_port, get   # noqa: E402 (check_alerting has put its folder on the path)

PORT, UNWATCHED = 5000, 'io03'
CLIENT = SERVER.with_name('mountstats_client.py')
NAME_WITHIN, CLEAR_WITHIN = 120, 180    # seconds


class Watched(Site):
    """The servers with their disks, and clients whose node_exporters tell what they wait."""

    def bring_up(self):
        settings = self.settings
        settings.run_dir.mkdir(parents=True)
        network.bring_up(settings)
        for host in settings.io_hosts:
            loop = self.loops[host.name] = disk.bring_up(settings, host)
            disk.set_control(host, speed=1)
            log = host.folder / 'answer.log'
            server = spawn(settings.name, in_namespace(host.namespace, sys.executable, SERVER, 'answer', loop, PORT), log)
            wait_until(host.name, lambda: 'listening' in log.read_text(), process=server, log=log)
            if host.name != UNWATCHED:
                self._watch(host, '--collector.diskstats.device-exclude=',
                            '--collector.diskstats.device-include=^%s$' % os.path.basename(loop))
        for host in settings.client_hosts:
            host.folder.mkdir()
            spawn(settings.name, in_namespace(host.namespace, sys.executable, CLIENT, host.folder / 'proc', PORT, *(
                '%s=%s' % (one.name, one.address) for one in settings.io_hosts)), host.folder / 'client.log')
            wait_until(host.name, (host.folder / 'proc/1/mountinfo').exists)
            self._watch(host, '--path.procfs=%s' % (host.folder / 'proc'), '--collector.disable-defaults',
                        '--collector.mountstats')

    def _watch(self, host, *options):
        spawn(self.settings.name, in_namespace(host.namespace, 'prometheus-node-exporter', '--web.listen-address=%s:%d' % (
            host.address, NODE_PORT), *options), host.folder / 'node_exporter.log')

    def config(self):
        hosts = [one for one in self.settings.io_hosts if one.name != UNWATCHED] + self.settings.client_hosts
        return ('scrape: {interval: 1s}\nmetric_files: [%s]\naddresses: {%s}\n' % (
            CONFIG / 'metrics/nfs.yml', ', '.join('%s: %s' % (one.address, one.name) for one in self.settings.io_hosts)) +
            'peer_groups:\n  - {name: disks, kind: storage, device: "^loop", roles: [io]}\n'
            'targets:\n' + ''.join('  - {node: %s, role: %s, address: "%s:%d"}\n' % (
                one.name, one.role, one.address, NODE_PORT) for one in hosts))


def indicted(address):
    return {(labels['node'], labels['cause']) for labels, value in get('http://%s/metrics' % address).all('limpet_indicted')
            if value == 1}


def watch(address, until, seconds):
    """Seconds until `until` of who is indicted, None if it never was; and all who were indicted meanwhile."""
    began, seen = time.monotonic(), set()
    while time.monotonic() < began + seconds:
        now = indicted(address)
        seen |= now
        if until(now):
            return time.monotonic() - began, seen
        time.sleep(1)
    return None, seen


def run(options, site, folder):
    address = '127.0.0.1:%d' % free_port()
    program = start_diagnoser(folder, site.config(), address)
    wrong, right = [], {(UNWATCHED, 'slow-requests')}
    try:
        wait_until('six servers', lambda: len({labels['node'] for labels, _ in get('http://%s/metrics' % address).all(
            'limpet_anomaly_degree', metric='nfs_read_time')}) == 6, seconds=180, interval=1)
        _, seen = watch(address, lambda now: False, options.healthy)
        say('%d s without a fault: indicted: %s; %s' % (options.healthy, sorted(seen) or 'nobody', load()))
        wrong += sorted(seen)
        for _ in range(options.repeats):
            with site.fault(Expected(UNWATCHED, 'slow-disk', options.strength, '')):
                named, seen = watch(address, lambda now: now == right, NAME_WITHIN)
                _, more = watch(address, lambda now: False, 20)
            cleared, most = watch(address, lambda now: not now, CLEAR_WITHIN)
            others = (seen | more | most) - right
            say('a disk %g times slower: named after %s s, cleared after %s s; others: %s; %s' % (
                options.strength, named and round(named), cleared and round(cleared), sorted(others) or 'none', load()))
            wrong += sorted(others) + ([] if named and cleared else [(named, cleared)])
    finally:
        program.stop()
    if wrong:
        print(program.log[-4000:], flush=True)
        sys.exit('wrong: %s' % wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--healthy', type=float, default=240)
    parser.add_argument('--repeats', type=int, default=3)
    parser.add_argument('--strength', type=float, default=4)
    parser.add_argument('--name', default='limpet-witness')
    parser.add_argument('--network', default='198.18.92')
    parser.add_argument('--clients', type=int, default=4)
    on_a_site(parser.parse_args(), run, Watched)


if __name__ == '__main__':
    main()
