"""A server's program gets less processor time than it wants: nothing but its own latency tells.

Control groups of version 1 (cpu.cfs_quota_us). The disk and the network of the server answer as ever.
"""
import contextlib
import os
import pathlib
import time

from . import filesystem
from .shell import LabError, marked_processes, run

ROOT = pathlib.Path('/sys/fs/cgroup/cpu')
PERIOD = 100_000        # microseconds
LEAST = 1_000           # the kernel's smallest quota
LOOK = 5                # seconds


def programs_of(settings, host):
    """Process ids of the storage's programs in the namespace of a server."""
    there = {int(pid) for pid in run('ip', 'netns', 'pids', host.namespace).split()}
    return sorted(pid for pid, name in marked_processes(settings.name)
                  if pid in there and name.startswith(filesystem.PROGRAMS))


def seconds_used(pids, proc=pathlib.Path('/proc')):
    """Processor time of these processes so far."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            words = (proc / str(pid) / 'stat').read_text().rpartition(')')[2].split()
            ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf('SC_CLK_TCK')


def quota(used, percent):
    """Microseconds of a period: so many percent of the share of a processor that was used."""
    return max(LEAST, int(PERIOD * used * percent / 100))


@contextlib.contextmanager
def hold(settings, host, loop, percent, root=ROOT):
    """They get so many percent of the processor time that they have used just before."""
    if not (root / 'cpu.cfs_quota_us').exists() and not (root / 'cpu.shares').exists():
        raise LabError('%s: expected the processor controller of control groups of version 1' % root)
    pids = programs_of(settings, host)
    if not pids:
        raise LabError('%s has no process of %s' % (host.name, settings.file_system))
    group = root / (host.namespace + '-slow')
    group.mkdir(exist_ok=True)
    (group / 'cpu.cfs_period_us').write_text('%d\n' % PERIOD)
    before = seconds_used(pids)
    time.sleep(LOOK)
    used = (seconds_used(pids) - before) / LOOK
    (group / 'cpu.cfs_quota_us').write_text('%d\n' % quota(used, percent))
    for pid in pids:
        (group / 'cgroup.procs').write_text('%d\n' % pid)
    try:
        yield
    finally:
        (group / 'cpu.cfs_quota_us').write_text('-1\n')
        for pid in pids:
            with contextlib.suppress(OSError):
                (root / 'cgroup.procs').write_text('%d\n' % pid)
        with contextlib.suppress(OSError):
            group.rmdir()
