"""A server's program gets little processor time: nothing but its own latency tells.

Control groups of version 1 (cpu.cfs_quota_us). The disk and the network of the server answer as ever.
"""
import contextlib
import pathlib

from . import filesystem
from .shell import LabError, marked_processes, run

ROOT = pathlib.Path('/sys/fs/cgroup/cpu')
PERIOD = 100_000        # microseconds


def programs_of(settings, host):
    """Process ids of the storage's programs in the namespace of a server."""
    there = {int(pid) for pid in run('ip', 'netns', 'pids', host.namespace).split()}
    return sorted(pid for pid, name in marked_processes(settings.name)
                  if pid in there and name.startswith(filesystem.PROGRAMS))


@contextlib.contextmanager
def hold(settings, host, loop, percent, root=ROOT):
    """They get so many percent of a processor, together."""
    if not (root / 'cpu.cfs_quota_us').exists() and not (root / 'cpu.shares').exists():
        raise LabError('%s: expected the processor controller of control groups of version 1' % root)
    pids = programs_of(settings, host)
    if not pids:
        raise LabError('%s has no process of %s' % (host.name, settings.file_system))
    group = root / (host.namespace + '-slow')
    group.mkdir(exist_ok=True)
    (group / 'cpu.cfs_period_us').write_text('%d\n' % PERIOD)
    (group / 'cpu.cfs_quota_us').write_text('%d\n' % (PERIOD * percent // 100))
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
