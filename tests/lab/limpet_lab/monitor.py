"""Limpet itself in the lab: an exporter on every host, one diagnoser outside that reads them.

The diagnoser runs on this machine, not in a namespace, so that a plain curl reaches it.
"""
import os
import socket
import time

from . import exposition, filesystem, readings, report, verdict
from .own_proc import with_own_files
from .shell import in_namespace, spawn, stop, wait_until

EXPORTER_PORT = 9836
DIAGNOSER_PORT = 9837
RATES_OVER = 5.0        # seconds that the rates of the table are averages of


def exporter_config(settings, loop):
    """An exporter's configuration; loop: the path of the server's disk, None on a client."""
    disk = 'device_include: "^%s$"' % os.path.basename(loop) if loop else 'enabled: false'
    return ('collectors:\n'
            '  disk: {%s}\n'
            '  net: {device_include: "^eth0$"}\n'
            '  tcp: {ports: [%s], per_socket: true}\n'
            '  cgroup: {refresh: 10s}\n' % (disk, filesystem.of(settings).PORT))


# Programs whose system calls are told: of the servers, and of the clients with their workloads.
PROCESSES = {'gluster': (('glusterfsd',), ('glusterfs', 'dd', 'fio', 'postmark', 'rm')),
             'moosefs': (('mfschunkserver',), ('mfsmount', 'dd', 'fio', 'postmark', 'rm')),
             'etcd': (('etcd',), ('python3',)),
             'ceph': (('ceph-osd',), ('rados',)), 'cephfs': (('ceph-osd', 'ceph-mds'), ('ceph-fuse', 'dd'))}


def syscall_config(settings, host, loop):
    """The part of an exporter's configuration, under `collectors`, that tells of system calls and of
    the requests of the disk `loop` (None: of none). All hosts share a kernel: only the processes of
    this one's network namespace are its own."""
    servers, clients = PROCESSES[settings.file_system]
    block = 'enabled: true, device_include: "^%s$"' % os.path.basename(loop) if loop else (
        'enabled: false')
    return ('  block: {%s}\n' % block +
            '  syscall:\n'
            '    enabled: true\n'
            '    servers: [%s]\n'
            '    clients: [%s]\n'
            '    network_namespace: /run/netns/%s\n' % (
                ', '.join(servers if host.role in ('io', 'mds') else ()),
                ', '.join(clients if host.role == 'client' else ()), host.namespace))


def record_config(host, folder, form):
    """The part of an exporter's configuration with which `serve` records what it serves, into a
    folder of the host's own. form: text or columns."""
    return ('record: {instance: %s, role: %s, dir: "%s", format: %s, compression_level: 9}\n'
            % (host.name, host.role, folder / host.name, form))


def groups(settings):
    """The peer groups. By default loop devices are no disks."""
    return ('peer_groups:\n'
            '  - {name: disks, kind: storage, roles: [io]}\n'
            '  - {name: network, kind: network, roles: [io]}\n'
            '  - {name: cwnd, kind: cwnd, roles: [io], ports: [%s]}\n' % filesystem.of(settings).PORT)


def diagnoser_config(settings, events, keys='', more=''):
    """The diagnoser's configuration: every host a target, servers peers.
    events: the path of its event log. keys, more: further keys, and further lines of `targets`."""
    targets = ''.join('  - {address: "%s:%d", node: %s, role: %s}\n' % (
        host.address, EXPORTER_PORT, host.name, host.role)
        for host in settings.recorded_hosts)
    return (report.PRESETS['default'] + keys + 'events: {file: %s, windows: true}\n' % events + groups(settings) +
            'targets:\n' + targets + more)


def free_port(first):
    """The first port from `first` on that nobody listens on at 127.0.0.1."""
    for port in range(first, first + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(('127.0.0.1', port))
                return port
            except OSError:
                continue
    return 0


class Monitor:
    """The exporters and the diagnoser of a lab, and what they say."""

    def __init__(self, settings, keys='', more=''):
        self._settings, self._more = settings, (keys, more)
        self._processes = []
        self._readings = {host.name: [] for host in settings.io_hosts}
        self.port = free_port(DIAGNOSER_PORT)
        self.folder = settings.run_dir / 'diagnoser'

    def start(self, loops):
        """Starts all of it; loops: {server's name: its loop device}. LabError when one does not
        answer within 20 s."""
        settings, started = self._settings, []
        for host in settings.recorded_hosts:
            config, log = host.folder / 'exporter.yml', host.folder / 'exporter.log'
            config.write_text(exporter_config(settings, loops.get(host.name)))
            started.append((host, log, spawn(settings.name, with_own_files(
                settings, host, in_namespace(
                    host.namespace, settings.bin_dir / 'limpet-exporter', 'serve', '--config',
                    config, '--web.listen-address', '%s:%d' % (host.address, EXPORTER_PORT))),
                log)))
            self._processes.append(started[-1][-1])
        for host, log, process in started:
            wait_until('the exporter of ' + host.name, lambda: exposition.fetch(
                host.address, EXPORTER_PORT), process=process, log=log)
        self.folder.mkdir(exist_ok=True)
        config, log = self.folder / 'diagnoser.yml', self.folder / 'diagnoser.log'
        config.write_text(diagnoser_config(settings, self.folder / 'events.jsonl', *self._more))
        process = spawn(settings.name, [
            settings.bin_dir / 'limpet-diagnoser', 'serve', '--config', config,
            '--web.listen-address', '127.0.0.1:%d' % self.port,
            '--state-dir', self.folder / 'state'], log)
        self._processes.append(process)
        wait_until('the diagnoser', self.page, process=process, log=log)

    def stop(self):
        """Stops all of it. Only when the lab lives on: taking it down does the same."""
        for process in self._processes:
            stop(process)
        self._processes.clear()

    def page(self):
        """The diagnoser's metrics page as text; None when it does not answer."""
        return exposition.fetch('127.0.0.1', self.port)

    def diagnosis(self):
        """What the diagnoser says now; None when it does not answer."""
        page = self.page()
        return None if page is None else verdict.read(exposition.parse(page))

    def rates(self):
        """{server's name: Rates} over the last RATES_OVER seconds; cwnd is of now."""
        found, cwnd = {}, readings.windows(
            exposition.fetch(host.address, EXPORTER_PORT, seconds=1.0)
            for host in self._settings.client_hosts)
        for host in self._settings.io_hosts:
            kept = self._readings[host.name]
            now = readings.read(time.monotonic(),
                                exposition.fetch(host.address, EXPORTER_PORT, seconds=1.0))
            if now is not None:
                kept.append(now)
            while len(kept) > 2 and kept[-1].at - kept[1].at >= RATES_OVER:
                kept.pop(0)
            rates = readings.rates(kept[0], kept[-1]) if len(kept) > 1 else readings.Rates()
            found[host.name] = rates._replace(cwnd=cwnd.get(host.address))
        return found
