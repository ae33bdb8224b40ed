"""Facts on the lab's servers, with the real file system running: the table of docs/accuracy-tables.md.

Six GlusterFS bricks, two clients that read all the time, probes off. Each turn has its faults on another server, is
healthy again for a while, and checks that verdict, API and limpet_fact have exactly the facts that were provoked, and
that the page which a Prometheus with the shipped rules sends names them all. Provoked for real: a backup in a control
group of its own that reads the brick's disk, an error of the brick's file system, which the kernel mounts read-only
then, that file system nearly full, another I/O scheduler; and another host that floods a service of the server.
Provoked by a tree (each server's exporter has a `paths.sysfs` of its own, whose links lead to the real /sys but for
the files named here), for want of the hardware: a RAID check, memory errors, packets with a wrong checksum, a link
below its peers' speed.
LIMPET_FACTS_RUNS turns of each (3): python3 -W ignore::ResourceWarning check_facts.py -v, as root
"""
import contextlib
import json
import os
import pathlib
import sys
import time
import unittest
import urllib.request

from limpet_lab import cleanup, exposition, faults, monitor, workload
from limpet_lab.lab import Lab
from limpet_lab.settings import Settings, default_bin_dir
from limpet_lab.shell import in_namespace, run, spawn, stop, wait_until

RUNS = int(os.environ.get('LIMPET_FACTS_RUNS', '3'))
os.environ.setdefault('LIMPET_BIN_DIR', str(default_bin_dir()))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'e2e'))
from peers import Prometheus   # noqa: E402 (the path comes first)

RULES = pathlib.Path(__file__).resolve().parents[2] / 'config/prometheus/alerts.yml'
SETTINGS = Settings(name='limpet-facts', network='198.18.95', disk_mb_per_second=8, link_mbit=100, file_mib=128,
                    data_dir=pathlib.Path('/dev/shm'), bin_dir=default_bin_dir())
BLKIO, UNIFIED = pathlib.Path('/sys/fs/cgroup/blkio'), pathlib.Path('/sys/fs/cgroup/unified')
HEALTHY = 15    # seconds before each turn
DISK_FACTS = {'busy-reader', 'read-only', 'filesystem-errors', 'nearly-full', 'scheduler', 'raid-check', 'memory-errors'}
# What the tree makes of each server's interface and arrays while it is healthy.
TREE = {'class/net/eth0/speed': '10000', 'class/net/eth0/carrier_changes': '2',
        'class/net/eth0/statistics/rx_crc_errors': '3', 'class/block/md0/md/sync_action': 'idle',
        'class/block/md0/md/degraded': '0', 'devices/system/edac/mc/mc0/ce_count': '5',
        'devices/system/edac/mc/mc0/ue_count': '0'}


def read_json(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def remove_group(group):
    """As soon as nobody is in it any more."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            group.rmdir()
            return
        time.sleep(0.1)


class Server:
    """A server's exporter, its tree, and what is provoked on it."""

    def __init__(self, host, loop):
        self.host, self.loop, self.name = host, loop, host.name
        self.tree = host.folder / 'sys'
        for path, text in TREE.items():
            self.put(path, text)
        for path in ('class/block/' + os.path.basename(loop), 'block', 'dev', 'fs', 'devices/system/cpu'):
            link = self.tree / path
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to('/sys/' + path)

    def put(self, path, text):
        place = self.tree / path
        place.parent.mkdir(parents=True, exist_ok=True)
        new = place.with_suffix('.new')
        new.write_text(text + '\n')
        new.rename(place)

    def add(self, path, more):
        self.put(path, '%d' % (int((self.tree / path).read_text()) + more))

    def configure(self):
        disk = '^(%s|md0)$' % os.path.basename(self.loop)
        return json.dumps({'paths': {'sysfs': str(self.tree)}, 'collectors': {
            'disk': {'device_include': disk}, 'net': {'device_include': '^eth0$', 'speed_refresh': '5s'},
            'tcp': {'ports': [49152], 'per_socket': True},
            'facts': {'device_include': disk, 'refresh': '5s'}, 'cgroup': {'refresh': '5s'}}})

    @contextlib.contextmanager
    def backup(self):
        """Reads an unused part of the disk; its group has a limit, or the kernel would not count."""
        group = BLKIO / ('%s-backup.service' % SETTINGS.name)
        group.mkdir(exist_ok=True)
        number = pathlib.Path('/sys/block', os.path.basename(self.loop), 'dev').read_text().strip()
        (group / 'blkio.throttle.read_bps_device').write_text('%s 50000000' % number)
        begin = SETTINGS.disk_gib * (1 << 30) * 3 // 4
        reader = spawn(SETTINGS.name, in_namespace(self.host.namespace, 'sh', '-c', (
            'echo $$ > %s/cgroup.procs; while dd if=%s of=/dev/null bs=4M iflag=direct,skip_bytes,count_bytes '
            'skip=%d count=500000000 2>/dev/null; do :; done') % (group, self.loop, begin)),
            self.host.folder / 'fault.log')
        try:
            yield
        finally:
            stop(reader)
            remove_group(group)

    @contextlib.contextmanager
    def other_scheduler(self):
        scheduler = pathlib.Path('/sys/block', os.path.basename(self.loop), 'queue/scheduler')
        scheduler.write_text('none')
        try:
            yield
        finally:
            scheduler.write_text('mq-deadline')

    def fill(self):
        free, filler = os.statvfs(self.host.brick), self.host.brick / 'filler'
        run('fallocate', '-l', int(free.f_bavail * free.f_frsize - 0.02 * free.f_blocks * free.f_frsize), filler)
        run('sync', '-f', self.host.brick)

    def break_file_system(self):
        """An error that ext4 answers with a read-only remount; there is no way back without fsck, and clients go
        on, since two servers may fail."""
        run('mount', '-o', 'remount,errors=remount-ro', self.host.brick)
        pathlib.Path('/sys/fs/ext4', os.path.basename(self.loop), 'trigger_fs_error').write_text('lab')


@contextlib.contextmanager
def flooded_unit(host):
    """The guest sends as fast as the link takes it to a service of the server with a unit of its own. A
    socket belongs to the control group that its maker, or its listener's maker, was in."""
    group = UNIFIED / ('%s-sync.service' % SETTINGS.name)
    group.mkdir(exist_ok=True)
    flood, log = pathlib.Path(faults.__file__).with_name('flood.py'), host.folder / 'fault.log'
    log.write_text('')
    sink = spawn(SETTINGS.name, in_namespace(host.namespace, 'sh', '-c', 'echo $$ > %s/cgroup.procs; exec %s %s sink %d' % (
        group, sys.executable, flood, faults.HOG_PORT)), log)
    guest = None
    try:
        wait_until('the service', lambda: 'listening' in log.read_text(), process=sink, log=log)
        guest = spawn(SETTINGS.name, in_namespace(SETTINGS.host('guest').namespace, sys.executable, flood, 'flood',
                                                  faults.HOG_PORT, host.address, 0), log)
        yield
    finally:
        for process in filter(None, (guest, sink)):
            stop(process)
        remove_group(group)


class FactsTest(unittest.TestCase):
    provoked = {}       # by server

    @classmethod
    def setUpClass(cls):
        cleanup.take_down(SETTINGS)
        cls.addClassCleanup(cleanup.take_down, SETTINGS)
        cls.lab = Lab(SETTINGS)
        cls.enterClassContext(cls.lab.lock())
        cls.lab.bring_up()
        workload.lay_out(SETTINGS)
        cls.servers = [Server(host, cls.lab.loops[host.name]) for host in SETTINGS.io_hosts]
        cls.start_programs()
        workload.start_reading(SETTINGS)
        time.sleep(HEALTHY)

    @classmethod
    def start_programs(cls):
        targets, programs = '', SETTINGS.bin_dir
        settings = {server.name: server.configure() for server in cls.servers}
        for host in SETTINGS.io_hosts + SETTINGS.client_hosts:
            config = host.folder / 'facts.yml'
            config.write_text(settings.get(host.name) or monitor.exporter_config(SETTINGS, None))
            spawn(SETTINGS.name, in_namespace(
                host.namespace, programs / 'limpet-exporter', 'serve', '--config', config,
                '--web.listen-address', '%s:%d' % (host.address, monitor.EXPORTER_PORT)), host.folder / 'facts.log')
            targets += '  - {address: "%s:%d", node: %s, role: %s}\n' % (
                host.address, monitor.EXPORTER_PORT, host.name, host.role)
        cls.folder = SETTINGS.run_dir / 'diagnoser'
        cls.folder.mkdir()
        cls.events, cls.port = cls.folder / 'events.jsonl', monitor.free_port(19837)
        (cls.folder / 'diagnoser.yml').write_text(
            'presets: [{base: bare, name: quick, smoothing: 2, window: 15, shift: 5, k: 3}]\n'
            'peer_groups: [{name: disks, kind: storage, roles: [%s]}, {name: network, kind: network, roles: [%s]}]\n'
            'events: {file: %s}\ntargets:\n%s' % (*2 * (SETTINGS.io_hosts[0].role,), cls.events, targets))
        spawn(SETTINGS.name, [programs / 'limpet-diagnoser', 'serve', '--config', cls.folder / 'diagnoser.yml',
                              '--web.listen-address', '127.0.0.1:%d' % cls.port], cls.folder / 'diagnoser.log')
        cls.prometheus = cls.enterClassContext(Prometheus(
            cls.folder, '  - {job_name: limpet-diagnoser, static_configs: [{targets: ["127.0.0.1:%d"]}]}\n'
            'rule_files: [%s]\n' % (cls.port, RULES), '5s', timeout='4s'))

    def verdicts(self, since):
        lines = self.events.read_text().splitlines() if self.events.exists() else []
        return [one for one in map(json.loads, lines[since:]) if one['type'] == 'verdict']

    def api(self):
        return read_json('http://127.0.0.1:%d/api/v1/verdicts' % self.port)

    def page_of(self, node):
        """What the page about it says now; empty: nobody is paged."""
        alerts = read_json(self.prometheus.url('/api/v1/alerts'))['data']['alerts']
        return ' '.join(one['annotations']['description'] for one in alerts
                        if one['labels'].get('node') == node and one['labels']['alertname'] == 'LimpetServerIndicted'
                        and one['state'] == 'firing')

    def wait_for_page(self, node, names, seconds=180):
        end = time.monotonic() + seconds
        while not all(name in self.page_of(node) for name in names):
            self.assertLess(time.monotonic(), end, 'the page says: %s' % (self.page_of(node) or 'nothing'))
            time.sleep(1)
        print('  page: %s' % self.page_of(node), flush=True)

    def mark(self):
        return len(self.events.read_text().splitlines()) if self.events.exists() else 0

    def said(self, since, node):
        return {one['fact']: one['text'] for verdict in self.verdicts(since) if verdict['node'] == node
                for one in verdict.get('facts', [])}

    def expect(self, since, server, names, allowed=frozenset(), seconds=75):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not names <= self.said(since, server.name).keys():
            time.sleep(1)
        page = exposition.fetch('127.0.0.1', self.port) or ''
        said = self.said(since, server.name)
        print('  %s: %s' % (server.name, sorted({one['cause'] for one in self.verdicts(since)})), flush=True)
        for name, text in sorted(said.items()):
            print('    %-16s %s' % (name, text), flush=True)
        # What was provoked on others before may still be so: errors count for a quarter of an hour.
        self.provoked.setdefault(server.name, set()).update(names | allowed)
        others = {(one['node'], fact['fact']) for one in self.verdicts(since) for fact in one.get('facts', [])
                  if fact['fact'] not in self.provoked.get(one['node'], ())}
        self.assertLessEqual(names, said.keys())
        self.assertLessEqual(said.keys(), names | allowed, 'nothing that is not so')
        self.assertEqual(others, set(), 'facts of others')
        api = json.dumps(self.api())
        for name in names:
            self.assertIn('fact="%s"' % name, page)
            self.assertIn('"%s"' % name, api)

    def test_0_nothing_is_said_of_the_healthy(self):
        time.sleep(35)
        self.assertEqual([one.get('facts') for one in self.verdicts(0) if one.get('facts')], [])
        print('  healthy: %d verdicts' % len(self.verdicts(0)), flush=True)
        self.assertNotIn('limpet_fact{', exposition.fetch('127.0.0.1', self.port))

    def disk(self, turn):
        server, since = self.servers[2 * turn % SETTINGS.servers], self.mark()
        server.fill()
        server.break_file_system()
        with server.other_scheduler(), server.backup():
            server.put('class/block/md0/md/sync_action', 'check')
            server.add('devices/system/edac/mc/mc0/ce_count', 40)
            self.expect(since, server, DISK_FACTS, {'requests'})
            self.wait_for_page(server.name, DISK_FACTS)
            server.put('class/block/md0/md/sync_action', 'idle')
        time.sleep(HEALTHY)

    def network(self, turn):
        server, since = self.servers[(2 * turn + 1) % SETTINGS.servers], self.mark()
        names = {'crc-errors', 'slow-link', 'busy-receiver'}
        with flooded_unit(server.host):
            server.put('class/net/eth0/speed', '1000')
            server.add('class/net/eth0/statistics/rx_crc_errors', 70)
            self.expect(since, server, names)
            self.wait_for_page(server.name, names)
            server.put('class/net/eth0/speed', '10000')
        time.sleep(HEALTHY)


for number in range(RUNS):
    for kind in 'disk', 'network':
        setattr(FactsTest, 'test_%s_%d' % (kind, number + 1),
                lambda self, kind=kind, number=number: getattr(self, kind)(number))


if __name__ == '__main__':
    if os.geteuid() != 0 or not BLKIO.is_dir() or not UNIFIED.is_dir() or not os.path.exists('/dev/fuse'):
        print('skipped: needs root, FUSE, and control groups of versions 1 and 2')
        sys.exit(77)
    unittest.main()
