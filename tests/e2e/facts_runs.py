"""Facts that are provoked for real, and what the diagnoser says of them: the table of docs/accuracy-tables.md.

Disks: six servers, each an exporter with a loop device of its own over the lab's modelled disk (seeks,
20 MB/s), a file system on its first half, and 24 reads of 64 KiB a second at random places of its other
half. Probes are on.
Network: six servers, each an exporter with the tap device eth0 of a network namespace, which receives 1
MB/s; a tap tells the speed that ethtool sets.
LIMPET_FACTS_RUNS runs of each kind (3), each on another server, some ten minutes: ctest -R facts_runs -V
"""
import ctypes
import fcntl
import json
import mmap
import os
import pathlib
import random
import shutil
import struct
import subprocess
import threading
import time
import unittest

import support
from support import BIN_DIR, DIAGNOSER, EXPORTER, Program, bcrypt, run, wait_until

RUNS = int(os.environ.get('LIMPET_FACTS_RUNS', '3'))
SERVERS = 6
SIZE = 1 << 29
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454ca, 0x0002, 0x1000      # linux/if_tun.h
GROUPS = pathlib.Path('/sys/fs/cgroup/blkio')

DIAGNOSER_CONFIG = '''
scrape: {interval: 1s, basic_auth: {username: diagnoser, password: secret}}
presets: [{base: bare, name: quick, smoothing: 2, window: 12, shift: 4, k: 2}]
peer_groups: [{name: disks, kind: storage}]
probe: {enabled: true, interval: 1m}
targets:
'''


class Reader(threading.Thread):
    """So many reads of so many bytes a second at random places of the second half of a disk, past
    the cache; of a slow disk fewer."""

    def __init__(self, device, rate=24, size=1 << 16, seed=0):
        super().__init__(daemon=True)
        self._file = os.open(device, os.O_RDONLY | os.O_DIRECT)
        self._rate, self._size, self._over = rate, size, threading.Event()
        self._random, self._buffer = random.Random(seed), mmap.mmap(-1, size)
        self.start()

    def run(self):
        due = time.monotonic()
        while not self._over.is_set():
            place = self._random.randrange(SIZE // 2, SIZE - self._size, self._size)
            os.preadv(self._file, [self._buffer], place)
            due = max(due + self._random.expovariate(self._rate), time.monotonic() - 1)
            self._over.wait(max(0, due - time.monotonic()))

    def stop(self):
        self._over.set()
        self.join()
        os.close(self._file)


class Server:
    """One of the six; `name` is its node, `loop` its disk."""

    def __init__(self, test, number):
        self.name = 'io%02d' % (number + 1)
        self.folder = test.folder / self.name
        self.mount = self.folder / 'data'
        model, image = self.folder / 'model', self.folder / 'image'
        for folder in model, self.mount:
            folder.mkdir(parents=True)
        with open(image, 'wb') as file:
            file.truncate(SIZE)
        run('mkfs.ext4', '-q', '-F', '-J', 'size=4', '-E', 'lazy_itable_init=0,lazy_journal_init=0',
            '-m', '0', image, '%dk' % (SIZE // 2 // 1024))
        self._control = self.folder / 'control'
        self.set_speed(1)
        program = Program(BIN_DIR / 'slowdisk', '--control', self._control, image, model)
        test.addCleanup(program.stop)
        test.addCleanup(subprocess.run, ['umount', '--lazy', str(model)], check=False)
        wait_until('the modelled disk', (model / 'disk').exists)
        self.device = run('losetup', '--find', '--show', '--direct-io=on', model / 'disk').stdout.strip()
        test.addCleanup(subprocess.run, ['losetup', '-d', self.device], check=False)
        self.loop = os.path.basename(self.device)
        self.set_scheduler('mq-deadline')
        run('mount', '-o', 'noatime', self.device, self.mount)
        test.addCleanup(subprocess.run, ['umount', str(self.mount)], check=False)
        self._reader = Reader(self.device, seed=number)
        test.addCleanup(self._reader.stop)
        config = test.write(self.name + '.yml', json.dumps({
            'probe': {'enabled': True, 'interval': '30s'},
            'collectors': {'disk': {'device_include': '^%s$' % self.loop},
                           'facts': {'device_include': '^%s$' % self.loop, 'refresh': '5s'},
                           'cgroup': {'refresh': '5s'}, 'tcp': {'enabled': False}}}))
        exporter = Program(EXPORTER, 'serve', '--config', config, '--web.config.file', test.web,
                           '--web.listen-address', '127.0.0.1:0')
        test.addCleanup(exporter.stop)
        self.address = '127.0.0.1:%d' % exporter.port()

    def set_speed(self, speed):
        new = self._control.with_suffix('.new')
        new.write_text('0 0 %g\n' % speed)
        new.rename(self._control)

    def set_scheduler(self, name):
        queue = pathlib.Path('/sys/block', self.loop, 'queue')
        (queue / 'scheduler').write_text(name)
        if name == 'mq-deadline':
            # Which length the kernel gives it depends on what was set before.
            (queue / 'nr_requests').write_text('64')

    def fill(self):
        """Its file system, until 2 % are left; then nothing may be written any more."""
        free = os.statvfs(self.mount)
        run('fallocate', '-l', int(free.f_bavail * free.f_frsize - 0.02 * SIZE / 2), self.mount / 'filler')
        run('sync', '-f', self.mount)


@unittest.skipUnless(os.geteuid() == 0 and GROUPS.is_dir() and os.path.exists('/dev/fuse')
                     and shutil.which('mkfs.ext4'),
                     'needs root, FUSE, loop devices, mkfs.ext4 and control groups of version 1')
class FactsRuns(support.TestCase):

    def setUp(self):
        super().setUp()
        self.web = self.write('web.yml', 'basic_auth_users: {diagnoser: "%s"}\n' % bcrypt('secret'))
        self.servers = [Server(self, number) for number in range(SERVERS)]
        self.events = self.folder / 'events.jsonl'
        self.program = self.diagnoser(DIAGNOSER_CONFIG + ''.join(
            '  - {address: "%s", node: %s}\n' % (one.address, one.name) for one in self.servers) +
            'events: {file: "%s"}\n' % self.events)
        time.sleep(20)      # healthy

    def verdicts(self):
        lines = self.events.read_text().splitlines() if self.events.exists() else []
        return [one for one in map(json.loads, lines) if one['type'] == 'verdict']

    def facts(self, server):
        """{name: sentence} of all that has been said beside verdicts of a server."""
        return {one['fact']: one['text'] for verdict in self.verdicts() if verdict['node'] == server.name
                for one in verdict.get('facts', [])}

    def wait_for(self, server, names, seconds=100):
        try:
            wait_until('facts', lambda: names <= self.facts(server).keys(), seconds, 1)
        except AssertionError:
            print('  not said:', names - self.facts(server).keys())
        for name, text in sorted(self.facts(server).items()):
            print('  %-20s %s' % (name, text), flush=True)

    def check(self, server, names, allowed=frozenset()):
        said = set(self.facts(server))
        self.assertLessEqual(names, said)
        self.assertLessEqual(said, names | allowed, 'nothing that is not so')
        on_page = {labels['fact'] for labels, _ in self.program.page().all('limpet_fact', node=server.name)}
        self.assertLessEqual(names, on_page)
        api = self.program.page('/api/v1/verdicts').body
        for name in names:
            self.assertIn('"%s"' % name, api)
        for verdict in self.verdicts():
            if not verdict['secondary']:
                self.assertEqual(verdict['node'], server.name)

    def hog(self, server, group):
        """A backup that reads 20 MB/s; its control group has a limit, or the kernel would not count."""
        folder = GROUPS / group
        folder.mkdir(parents=True, exist_ok=True)
        self.addCleanup(folder.rmdir)
        number = pathlib.Path('/sys/block', server.loop, 'dev').read_text().strip()
        (folder / 'blkio.throttle.read_bps_device').write_text('%s 20000000' % number)
        program = Program('sh', '-c', 'echo $$ > %s/cgroup.procs; while :; do '
                          'dd if=%s of=/dev/null bs=1M iflag=direct 2>/dev/null; done' % (folder, server.device))

        def stop():
            for pid in (folder / 'cgroup.procs').read_text().split():
                subprocess.run(['kill', '-9', pid], check=False)
            program.wait()
            wait_until('the control group to be empty', lambda: not (folder / 'cgroup.procs').read_text())
        self.addCleanup(stop)

    def provoke(self, turn):
        server = self.servers[turn % SERVERS]
        print('provoked on', server.name, flush=True)
        server.set_scheduler('none')
        server.fill()
        run('mount', '-o', 'remount,ro', server.mount)
        self.hog(server, 'limpet-%d-backup.service' % os.getpid())
        names = {'scheduler', 'nearly-full', 'read-only', 'busy-reader', 'probe'}
        self.wait_for(server, names)
        # The queue's length follows from the scheduler.
        self.check(server, names, {'requests'})

    def slow(self, turn):
        server = self.servers[(2 * turn + 1) % SERVERS]
        print('slow disk on', server.name, flush=True)
        server.set_speed(0.4)
        self.wait_for(server, {'probe'})
        self.check(server, {'probe'})
        self.assertRegex(self.facts(server)['probe'],
                         r'^30 reads of 4 KiB straight from the disk: %s/%s [\d.]+ ms, io\d\d/loop\d+ [\d.]+ '
                         r'ms, io\d\d/loop\d+ [\d.]+ ms$' % (server.name, server.loop))

    def test_nothing_is_said_of_the_healthy(self):
        time.sleep(60)
        print('healthy: %d verdicts' % len(self.verdicts()))
        self.assertEqual(self.verdicts(), [])
        self.assertEqual(self.program.page().all('limpet_fact'), [])
        reads = sum(support.get('http://%s/metrics' % one.address, user=('diagnoser', 'secret'))
                    .value('limpet_probe_reads_total') for one in self.servers)
        self.assertEqual(reads, 0)


LINK_CONFIG = '''
presets: [{base: bare, name: quick, smoothing: 2, window: 12, shift: 4, k: 2}]
peer_groups: [{name: network, kind: network}]
'''


class Link(threading.Thread):
    """A network namespace with a tap device eth0, and who sends to it: `rate` bytes a second."""

    def __init__(self, test, namespace):
        super().__init__(daemon=True)
        self.rate, self._over, self._namespace = 1e6, threading.Event(), namespace
        self.sys = test.folder / namespace
        self.sys.mkdir()
        run('ip', 'netns', 'add', namespace)
        test.addCleanup(run, 'ip', 'netns', 'delete', namespace)
        # Of the namespace, but mounted where an exporter outside sees it.
        self.inside('mount', '-t', 'sysfs', 'sysfs', self.sys)
        test.addCleanup(run, 'umount', self.sys)
        sleeper = Program('nsenter', '--net=/run/netns/' + namespace, 'sleep', 'infinity')
        test.addCleanup(sleeper.stop)
        self.proc = '/proc/%d' % sleeper.process.pid
        self.inside('ip', 'tuntap', 'add', 'dev', 'eth0', 'mode', 'tap')
        self._tap = open_tap(namespace, 'eth0')
        self.inside('ip', 'link', 'set', 'eth0', 'addrgenmode', 'none', 'up')
        self.set_speed(10000)
        self.start()
        test.addCleanup(self.stop)

    def inside(self, *command):
        run('nsenter', '--net=/run/netns/' + self._namespace, *command)

    def set_speed(self, megabits):
        self.inside('ethtool', '-s', 'eth0', 'speed', megabits, 'duplex', 'full', 'autoneg', 'off')

    def run(self):
        # To nobody, of a protocol that nobody knows: counted and thrown away.
        frame = bytes.fromhex('02000000000102000000000288b5') + bytes(1486)
        while not self._over.wait(0.05):
            for _ in range(int(self.rate * 0.05 / len(frame))):
                os.write(self._tap, frame)

    def stop(self):
        self._over.set()
        self.join()
        os.close(self._tap)


def open_tap(namespace, name):
    """A descriptor of a tap device that lies in another network namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    own = os.open('/proc/thread-self/ns/net', os.O_RDONLY)
    other = os.open('/run/netns/' + namespace, os.O_RDONLY)
    try:
        if libc.setns(other, 0) != 0:
            raise OSError(ctypes.get_errno(), 'setns')
        tap = os.open('/dev/net/tun', os.O_RDWR)
        fcntl.ioctl(tap, TUNSETIFF, struct.pack('16sH22x', name.encode(), IFF_TAP | IFF_NO_PI))
    finally:
        libc.setns(own, 0)
        os.close(own)
        os.close(other)
    return tap


@unittest.skipUnless(os.geteuid() == 0 and os.path.exists('/dev/net/tun') and shutil.which('ethtool'),
                     'needs root, tap devices and ethtool')
class LinkRuns(support.TestCase):

    def setUp(self):
        super().setUp()
        self.links = [Link(self, 'limpet-%d-io%02d' % (os.getpid(), number + 1)) for number in range(SERVERS)]
        targets = ''
        for number, link in enumerate(self.links):
            wait_until('the namespace', lambda: os.readlink(link.proc + '/ns/net') != os.readlink('/proc/self/ns/net'))
            config = self.write('io%d.yml' % number, json.dumps({
                'paths': {'procfs': link.proc, 'sysfs': str(link.sys)},
                'collectors': {'disk': {'enabled': False}, 'tcp': {'enabled': False}, 'host': {'enabled': False},
                               'netstat': {'enabled': False}, 'net': {'speed_refresh': '5s'},
                               'facts': {'refresh': '5s'}}}))
            exporter = Program(EXPORTER, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0')
            self.addCleanup(exporter.stop)
            targets += '  - {address: "127.0.0.1:%d", node: io%02d}\n' % (exporter.port(), number + 1)
        self.events = self.folder / 'events.jsonl'
        self.program = self.diagnoser(LINK_CONFIG + 'events: {file: "%s"}\ntargets:\n%s' % (self.events, targets))
        time.sleep(20)

    def facts(self, node):
        lines = self.events.read_text().splitlines() if self.events.exists() else []
        verdicts = [one for one in map(json.loads, lines) if one['type'] == 'verdict']
        self.assertEqual({one['node'] for one in verdicts} - {node}, set())
        return {one['fact']: one['text'] for verdict in verdicts for one in verdict.get('facts', [])}

    def provoke(self, turn):
        number = (2 * turn) % SERVERS
        node = 'io%02d' % (number + 1)
        print('slow link on', node, flush=True)
        self.links[number].set_speed(1000)
        self.links[number].rate = 15e6
        wait_until('the facts', lambda: 'slow-link' in self.facts(node), 90, 1)
        for fact, text in sorted(self.facts(node).items()):
            print('  %-20s %s' % (fact, text), flush=True)
        self.assertEqual(self.facts(node).keys(), {'slow-link'})
        self.assertTrue(self.program.page().all('limpet_fact', node=node, fact='slow-link'))
        self.assertIn('"slow-link"', self.program.page('/api/v1/verdicts').body)


def add_runs():
    for turn in range(RUNS):
        for kind in 'provoke', 'slow':
            setattr(FactsRuns, 'test_%s_%d' % (kind, turn + 1),
                    lambda self, kind=kind, turn=turn: getattr(self, kind)(turn))
        setattr(LinkRuns, 'test_link_%d' % (turn + 1), lambda self, turn=turn: self.provoke(turn))


add_runs()

if __name__ == '__main__':
    unittest.main()
