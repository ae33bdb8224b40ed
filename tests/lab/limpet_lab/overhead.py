"""What being watched costs: how long a workload takes, and the CPU time of the file system's processes and
its own, watched in one way or the other and not at all.

Rounds in which each way has its turn, each round in another order, so that what changes slowly on the
machine falls on all alike. The result is the mean of the rounds' logarithmic ratios, with Student's
95 % confidence interval.
"""
import contextlib
import math
import os
import statistics
import time
import typing

from . import workload
from .monitor import PROCESSES, Monitor, free_port
from .exposition import fetch
from .shell import LabError, marked_processes, run, spawn, stop, wait_until

TICKS = os.sysconf('SC_CLK_TCK')


class Overhead(typing.NamedTuple):
    """Percent by which the watched runs took longer, and its 95 % confidence interval."""
    percent: float
    low: float
    high: float
    pairs: int


class Took(typing.NamedTuple):
    """Seconds of one run: of the clock, and of CPU time in the file system and the workload."""
    elapsed: float
    cpu: float


@contextlib.contextmanager
def alone(lab):
    """Nobody watches."""
    yield


@contextlib.contextmanager
def hosts(lab):
    """An exporter on every host, read by a diagnoser once a second."""
    monitor = Monitor(lab.settings)
    monitor.start(lab.loops)
    try:
        yield
    finally:
        monitor.stop()


@contextlib.contextmanager
def kernel(lab):
    """One exporter with the block and the syscall collector, which follows the servers, the clients and the
    workload: all hosts share this machine's kernel, and programs of eight would run there eight times."""
    settings = lab.settings
    servers, clients = PROCESSES[settings.file_system]
    config, log = settings.run_dir / 'kernel.yml', settings.run_dir / 'kernel.log'
    config.write_text('collectors:\n  block: {enabled: true}\n  syscall: {enabled: true, servers: [%s], clients: [%s]}\n'
                      % (', '.join(servers), ', '.join(clients)))
    port = free_port(9850)
    process = spawn(settings.name, [settings.bin_dir / 'limpet-exporter', 'serve', '--config', config,
                                    '--web.listen-address', '127.0.0.1:%d' % port], log)
    try:
        wait_until('the exporter', lambda: fetch('127.0.0.1', port), process=process, log=log)
        if 'limpet_bpf_available{programs="syscall",missing=""} 1' not in (fetch('127.0.0.1', port) or ''):
            raise LabError('the system calls are not followed: see %s' % log)
        yield
    finally:
        stop(process)


@contextlib.contextmanager
def strace(lab):
    """strace -f -c on every process of the file system, servers and clients."""
    pids = [str(pid) for pid, name in marked_processes(lab.settings.name) if name in FILE_SYSTEM]
    log = lab.settings.run_dir / 'strace.log'
    process = spawn(lab.settings.name, ['strace', '-f', '-c', '-o', '/dev/null', '-p', ','.join(pids)], log)
    try:
        wait_until('strace', lambda: all('TracerPid:\t0\n' not in open('/proc/%s/status' % pid).read()
                                         for pid in pids), process=process, log=log)
        yield
    finally:
        stop(process)


WAYS = {way.__name__: way for way in (alone, hosts, kernel, strace)}
FILE_SYSTEM = ('glusterfsd', 'glusterfs', 'mfschunkserver', 'mfsmount')


def used(settings):
    """Seconds of CPU time of the file system's processes so far."""
    ticks = 0
    for pid, name in marked_processes(settings.name):
        if name in FILE_SYSTEM:
            with open('/proc/%d/stat' % pid) as file:
                fields = file.read().rpartition(')')[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


def children():
    """Seconds of CPU time of our children that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def quieten(settings):
    """Everybody's disk has written what the run before left in memory: or that run's work would be the next one's."""
    bricks = [host.brick for host in settings.io_hosts if host.brick.exists()]
    if bricks:      # an OSD has a bare disk, past every cache
        run('sync', '-f', *bricks)


def one_run(settings, name, seed):
    """What it Took until every client had done the workload once."""
    quieten(settings)
    begin, before, ended = time.monotonic(), used(settings), children()
    clients = workload.start(settings, name, seed, again=False)
    try:
        if any(client.wait() for client in clients):
            raise LabError('the workload %s failed: see %s/client*/workload.log' % (
                name, settings.run_dir))
        return Took(time.monotonic() - begin, used(settings) - before + children() - ended)
    finally:
        workload.finish(clients)


def measure(lab, name, rounds, ways=('alone', 'hosts'), tell=lambda text: None):
    """[{way: Took}], a round each, of a lab that is up."""
    settings = lab.settings
    if not workload.is_laid_out(settings, name):
        workload.lay_out(settings, name)
    workload.full_speed(settings)
    one_run(settings, name, 0)      # whoever is first finds nothing in any cache
    found = []
    for number in range(rounds):
        turn = number % len(ways)
        took = {}
        for way in ways[turn:] + ways[:turn]:
            with WAYS[way](lab):
                took[way] = one_run(settings, name, number)
        found.append(took)
        tell('round %d: %s' % (number + 1, ', '.join(
            '%s %.2f s (CPU %.2f s)' % (way, *took[way]) for way in ways)))
    return found


def compare(rounds, way, what, base='alone'):
    """An Overhead of a way; what: 'elapsed' or 'cpu'."""
    return summary([(getattr(took[base], what), getattr(took[way], what)) for took in rounds])


def summary(pairs):
    """An Overhead of [(seconds without, seconds with)]; at least two pairs."""
    logs = [math.log(watched / alone) for alone, watched in pairs]
    mean = statistics.mean(logs)
    half = student(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    return Overhead(*(100 * (math.exp(one) - 1) for one in (mean, mean - half, mean + half)),
                    len(logs))


def student(freedom, chance=0.95):
    """The t within which Student's distribution with so many degrees of freedom lies at that chance."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(
        freedom * math.pi)

    def within(t, steps=1000):      # twice Simpson's integral of the density from 0 to t
        density = [scale * (1 + (t * i / steps) ** 2 / freedom) ** (-(freedom + 1) / 2)
                   for i in range(steps + 1)]
        return 2 * t / steps / 3 * (density[0] + density[-1] + 4 * sum(density[1:-1:2])
                                    + 2 * sum(density[2:-1:2]))
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < chance else (low, middle)
    return high
