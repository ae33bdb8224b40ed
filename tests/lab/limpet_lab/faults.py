"""Faults to inject into one server ([Kasick10 §9]), each a context manager that ends them.

    disk-hog            another program on the server reads an unused part of its disk
    disk-busy           somebody else uses the server's disk behind its back: in none of its counters
    write-network-hog   a third machine sends to the server as fast as the link takes it
    read-network-hog    the server sends to a third machine
    receive-pktloss     the server loses some of the packets it receives
    send-pktloss        all others lose some of the packets that the server sends
    slow-link           every packet from and to the server takes longer
    slow-sent           every packet from the server takes longer
    jitter              packets from and to the server take longer, now more, now less
    late-acks           acknowledgments to and from the server take longer and overtake each other
    slow-nic            the server's link has a part of its speed
    far-client          no fault: every packet from and to a client takes longer
    busy-client         no fault: a third machine sends to a client as fast as its link takes it
    cpu-hog             programs on the server compute and do nothing else; 0.7: one does so 70 % of the time
    slow-disk           its disk is slower by a factor
    slow-process        its program gets little processor time
    deep-scrub          no fault: Ceph reads all that the server has, to compare it with the copies
    audit               no fault: Swift reads all that the server has
    backup              no fault: a third party reads all that a member of Galera or etcd has
    recovery            no fault: Ceph takes the server out and moves its data to the others
    none                nothing

and those of semantic.py, which only system calls show.

Each has a strength: what it means and its default stand with it in FAULTS.
"""
import contextlib
import dataclasses
import pathlib
import sys
import typing

from . import ceph, disk, filesystem, network, semantic, slow_process, swift
from .own_proc import in_group
from .settings import GIB
from .shell import LabError, in_namespace, run, spawn, stop, wait_until

HOG_PORT = 5001


@contextlib.contextmanager
def _processes():
    """A list; the processes in it are stopped at the end."""
    running = []
    try:
        yield running
    finally:
        for process in running:
            stop(process)


@contextlib.contextmanager
def backup(settings, host, loop, strength):
    system, guest = filesystem.of(settings), settings.host('guest')
    if not hasattr(system, 'backup'):
        raise LabError('the lab knows no backup of %s' % settings.file_system)
    guest.folder.mkdir(exist_ok=True)
    with _processes() as running:
        running.append(spawn(settings.name, in_namespace(guest.namespace, 'sh', '-c', system.backup(host)),
                             guest.folder / 'backup.log'))
        yield


@contextlib.contextmanager
def disk_hog(settings, host, loop, block_mib):
    """4 MiB blocks by default: with the paper's 256 MiB the queue is full of them, and the server
    stops altogether, for nothing shares a disk by process here."""
    begin, length = settings.disk_gib * GIB * 3 // 4, settings.disk_gib * GIB // 8
    script = ('while dd "if=$0" of=/dev/null bs=%dM iflag=direct,skip_bytes,count_bytes '
              'skip=%d count=%d; do :; done' % (block_mib, begin, length))
    with _processes() as running:
        running.append(spawn(settings.name, in_group(settings, host, in_namespace(
            host.namespace, 'sh', '-c', script, loop)), host.folder / 'fault.log'))
        yield


@contextlib.contextmanager
def disk_busy(settings, host, loop, depth):
    """So many sequential readers of 1 MiB."""
    disk.set_control(host, depth=int(depth), size_kib=1024, speed=settings.speed_of(host))
    try:
        yield
    finally:
        disk.set_control(host, speed=settings.speed_of(host))


@contextlib.contextmanager
def slow_disk(settings, host, loop, factor):
    """Everything on it takes so many times as long."""
    disk.set_control(host, speed=settings.speed_of(host) / factor)
    try:
        yield
    finally:
        disk.set_control(host, speed=settings.speed_of(host))


@contextlib.contextmanager
def _network_hog(settings, source, sink, mbit):
    """`mbit`: 0 is as fast as the link takes it."""
    flood = [sys.executable, pathlib.Path(__file__).with_name('flood.py')]
    folder = source.folder if source.folder.exists() else sink.folder
    log = folder / 'fault.log'
    log.write_text('')
    with _processes() as running:
        taker = spawn(settings.name, in_namespace(sink.namespace, *flood, 'sink', HOG_PORT), log)
        running.append(taker)
        wait_until('the sink on ' + sink.name, lambda: 'listening' in log.read_text(),
                   process=taker, log=log)
        running.append(spawn(settings.name, in_namespace(
            source.namespace, *flood, 'flood', HOG_PORT, sink.address, mbit), log))
        yield


def write_network_hog(settings, host, loop, mbit):
    return _network_hog(settings, settings.host('guest'), host, mbit)


def read_network_hog(settings, host, loop, mbit):
    return _network_hog(settings, host, settings.host('guest'), mbit)


@contextlib.contextmanager
def _dropping(hosts, source, percent):
    """These hosts lose packets they receive, those from `source` or all."""
    match = ['-s', source] if source else []
    rule = ['INPUT', '-i', 'eth0', *match, '-m', 'statistic', '--mode', 'random',
            '--probability', percent / 100, '-j', 'DROP']
    with contextlib.ExitStack() as stack:
        for host in hosts:
            run(*in_namespace(host.namespace, 'iptables', '-w', '-A', *rule))
            stack.callback(run, *in_namespace(host.namespace, 'iptables', '-w', '-D', *rule),
                           check=False)
        yield


def receive_pktloss(settings, host, loop, percent):
    return _dropping([host], None, percent)


def send_pktloss(settings, host, loop, percent):
    # At the receivers: a drop in the sender's own OUTPUT would be told to its TCP, and be no loss.
    return _dropping([one for one in settings.recorded_hosts if one != host],
                     host.address, percent)


@contextlib.contextmanager
def _delayed(settings, host, milliseconds, shape='steady'):
    """Round trips take so much longer: a program between the host's port and the switch keeps frames (delay.py)."""
    switch = network.switch_namespace(settings)
    near, far = 'slow0', 'slow1'
    hosts = settings.recorded_hosts
    log = host.folder / 'fault.log'
    log.write_text('')
    with contextlib.ExitStack() as stack:
        for one in hosts:
            # A frame that passes through a program has no interface that completes its checksum.
            run(*in_namespace(one.namespace, 'ethtool', '-K', 'eth0', 'tx', 'off'))
            stack.callback(run, *in_namespace(one.namespace, 'ethtool', '-K', 'eth0', 'tx', 'on'), check=False)
        run(*in_namespace(switch, 'ip', 'link', 'add', near, 'mtu', settings.mtu, 'type', 'veth', 'peer', 'name', far,
                          'mtu', settings.mtu))
        stack.callback(run, *in_namespace(switch, 'ip', 'link', 'delete', near), check=False)
        for device in (near, far):
            run(*in_namespace(switch, 'ip', 'link', 'set', device, 'up'))
        running = stack.enter_context(_processes())
        delayer = spawn(settings.name, in_namespace(switch, sys.executable, '-u', pathlib.Path(__file__).with_name('delay.py'),
                                                    milliseconds, host.name, near, shape), log)
        running.append(delayer)
        wait_until('the delay before ' + host.name, lambda: 'forwarding' in log.read_text(), process=delayer, log=log)
        stack.callback(run, *in_namespace(switch, 'ip', 'link', 'set', host.name, 'master', network.BRIDGE), check=False)
        run(*in_namespace(switch, 'ip', 'link', 'set', host.name, 'nomaster'))
        run(*in_namespace(switch, 'ip', 'link', 'set', far, 'master', network.BRIDGE))
        yield


def slow_link(settings, host, loop, milliseconds):
    return _delayed(settings, host, milliseconds)


def slow_sent(settings, host, loop, milliseconds):
    return _delayed(settings, host, milliseconds, 'sent')


def jitter(settings, host, loop, milliseconds):
    return _delayed(settings, host, milliseconds, 'jitter')


def late_acks(settings, host, loop, milliseconds):
    return _delayed(settings, host, milliseconds, 'reorder')


@contextlib.contextmanager
def slow_nic(settings, host, loop, share):
    network.limit(settings, host, settings.link_mbit * share)
    try:
        yield
    finally:
        network.limit(settings, host, settings.link_mbit)


def far_client(settings, host, loop, milliseconds):
    return _delayed(settings, settings.client_hosts[0], milliseconds)


@contextlib.contextmanager
def busy_client(settings, host, loop, mbit):
    """Its link is the servers', and full."""
    client = settings.client_hosts[0]
    network.limit(settings, client, settings.link_mbit)
    try:
        with _network_hog(settings, settings.host('guest'), client, mbit):
            yield
    finally:
        network.lift(settings, client)


# Of every tenth of a second it computes a share; what others took from one it makes up for in the next.
COMPUTE = ('import sys, time\nshare, due = float(sys.argv[1]), time.monotonic()\nwhile True:\n'
           '    spent, due = time.process_time(), max(due + 0.1, time.monotonic() - 1)\n'
           '    while time.process_time() - spent < share / 10: sum(range(10000))\n'
           '    time.sleep(max(0.0, due - time.monotonic()))\n')


@contextlib.contextmanager
def cpu_hog(settings, host, loop, processes):
    commands = int(processes) * [['sh', '-c', 'while :; do :; done']]
    if processes % 1:
        commands.append([sys.executable, '-c', COMPUTE, processes % 1])
    with _processes() as running:
        for command in commands:
            running.append(spawn(settings.name, in_group(settings, host, in_namespace(host.namespace, *command)),
                                 host.folder / 'fault.log'))
        yield


@contextlib.contextmanager
def none(settings, host, loop, strength):
    yield


@dataclasses.dataclass(frozen=True)
class Fault:
    """cause: what the diagnosis should say; None: nothing."""
    hold: typing.Callable
    cause: typing.Optional[str]
    strength: float
    unit: str


FAULTS = {
    'disk-hog': Fault(disk_hog, 'disk-hog', 4, 'MiB a block'),
    'disk-busy': Fault(disk_busy, 'disk-busy', 2, 'readers'),
    'write-network-hog': Fault(write_network_hog, 'network-hog', 0, 'Mbit/s, 0: all of the link'),
    'read-network-hog': Fault(read_network_hog, 'network-hog', 0, 'Mbit/s, 0: all of the link'),
    'receive-pktloss': Fault(receive_pktloss, 'packet-loss', 5, '% of the packets'),
    'send-pktloss': Fault(send_pktloss, 'packet-loss', 5, '% of the packets'),
    'slow-link': Fault(slow_link, 'slow-network', 10, 'ms longer round trips'),
    'slow-sent': Fault(slow_sent, 'slow-network', 10, 'ms longer round trips'),
    'jitter': Fault(jitter, 'slow-network', 10, 'ms longer round trips'),
    'late-acks': Fault(late_acks, 'slow-network', 10, 'ms longer round trips'),
    'slow-nic': Fault(slow_nic, 'slow-network', 0.1, 'of its speed'),
    'far-client': Fault(far_client, None, 20, 'ms longer round trips'),
    'busy-client': Fault(busy_client, None, 0, 'Mbit/s, 0: all of the link'),
    'cpu-hog': Fault(cpu_hog, 'behaviour', 1, 'processes'),
    'slow-disk': Fault(slow_disk, 'disk-busy', 2, 'times slower'),
    'slow-process': Fault(slow_process.hold, 'slow-requests', 40, '% of its processor time'),
    'deep-scrub': Fault(ceph.deep_scrub, None, 1, ''),
    'audit': Fault(swift.audit, None, 1, ''),
    'backup': Fault(backup, None, 1, ''),
    'recovery': Fault(ceph.recovery, None, 1, ''),
    'none': Fault(none, None, 0, ''),
}
# What propagates, crashes or hangs depends on the file system. GlusterFS ignores SIGXFSZ and hands the
# error on, and lives without the memory that it does not get, so that no client notices.
SEMANTIC = {
    'few-files': Fault(semantic.few_files, 'propagated-error', semantic.SPARE_FILES, 'files more'),
    'few-inodes': Fault(semantic.few_inodes, 'propagated-error', semantic.SPARE_INODES, 'inodes'),
    'full-disk': Fault(semantic.full_disk, 'propagated-error', 0.25, 'MiB left'),
    'file-size': Fault(semantic.file_size, 'propagated-error', 0.5, 'MiB'),
    'little-memory': Fault(semantic.little_memory, None, -64, 'MiB more'),
    'read-only': Fault(semantic.read_only, 'propagated-error', 0, ''),
    'stopped': Fault(semantic.stopped, 'server-hang', 0, ''),
    'killed': Fault(semantic.killed, 'server-crash', 0, ''),
    'client-restart': Fault(semantic.client_restart, None, 0, ''),
}
FAULTS.update(SEMANTIC)
# A member of etcd ends by itself when a write fails or it gets no file or memory, as PVFS did in [Kasick09 §5].
CRASHES = {'etcd': ('few-files', 'full-disk', 'file-size', 'little-memory', 'read-only')}
# The demo's names: one of each kind.
SHORT = {'network-hog': 'write-network-hog', 'packet-loss': 'receive-pktloss'}


def cause_of(kind, file_system):
    return 'server-crash' if kind in CRASHES.get(file_system, ()) else FAULTS[kind].cause


def inject(settings, kind, host, loop, strength=None):
    """A context manager that holds the fault on a server whose disk is that loop device."""
    fault = FAULTS.get(SHORT.get(kind, kind))
    if fault is None:
        raise LabError('no fault is called %s; there are %s' % (kind, ', '.join(FAULTS)))
    return fault.hold(settings, host, loop, fault.strength if strength is None else strength)
