"""Servers with their own /proc/stat and /proc/loadavg, by lxcfs.

The kernel has one of each for the whole machine, so host metrics of two servers of a lab would be
the same. lxcfs answers for the control group of the first process of the reader's PID namespace:
a server's brick and faults run in a group of its own, and its exporter is the first process of a
PID namespace in which lxcfs' files lie over /proc's. Control groups of version 1.

What stays the machine's: time waiting for I/O, context switches and threads that run (lxcfs passes
the kernel's on, iowait as 0), everything in /proc/vmstat. Learn from the rest: METRICS.
"""
import contextlib
import pathlib

from .shell import LabError, spawn, wait_until

PROGRAM = 'lxcfs'
METRICS = ('user', 'system', 'plist-sz', 'ldavg-1', 'eth-rxbyt', 'eth-txbyt', 'bread', 'bwrtn')
FILES = ('stat', 'loadavg')
ROOT = pathlib.Path('/sys/fs/cgroup')
CONTROLLERS = ('cpu', 'cpuacct', 'cpuset', 'pids')
# lxcfs looks at a group's load every five seconds; -l makes it look at all.
OPTIONS = ('--foreground', '--enable-loadavg')


def folder(settings):
    """Where lxcfs is mounted."""
    return settings.run_dir / 'lxcfs'


def group(host):
    """The name of a server's control group."""
    return host.namespace


def groups_of(lab_name, root=ROOT):
    """Paths of the control groups of a lab, of every controller, those of little_memory.py and own_unit.py too."""
    return sorted(path for controller in (*CONTROLLERS, 'memory', 'blkio')
                  for path in (root / controller).glob(lab_name + '-*') if path.is_dir())


def bring_up(settings):
    """Makes the servers' groups and starts lxcfs. LabError when the machine cannot."""
    for controller in CONTROLLERS:
        if not (ROOT / controller / 'cgroup.procs').exists():
            raise LabError('%s is no control group of version 1, which lxcfs needs to count '
                           'processor time' % (ROOT / controller))
    for host in settings.io_hosts:
        for controller in CONTROLLERS:
            _make(ROOT / controller / group(host))
    folder(settings).mkdir()
    log = settings.run_dir / 'lxcfs.log'
    process = spawn(settings.name, [PROGRAM, *OPTIONS, '--pidfile', settings.run_dir / 'lxcfs.pid',
                                    folder(settings)], log)
    wait_until('lxcfs', (folder(settings) / 'proc/stat').exists, process=process, log=log)


def _make(path):
    path.mkdir(exist_ok=True)
    for name in ('cpuset.cpus', 'cpuset.mems'):     # empty in a new group
        with contextlib.suppress(FileNotFoundError):
            (path / name).write_text((path.parent / name).read_text())


def in_group(settings, host, command):
    """The command line that runs a command in the control group of a server; the command itself
    where hosts have no groups."""
    if not settings.own_proc or host.role != 'io':
        return command
    enter = 'for c in %s; do echo $$ > %s/$c/%s/cgroup.procs; done; exec "$@"' % (
        ' '.join(CONTROLLERS), ROOT, group(host))
    return ['sh', '-c', enter, 'sh', *command]


def with_own_files(settings, host, command):
    """The command line that runs a command as the first process of a PID namespace in the group of
    a server, with /proc/stat and /proc/loadavg of that group."""
    if not settings.own_proc or host.role != 'io':
        return command
    mounts = ' && '.join(['mount -t proc proc /proc'] + [
        'mount --bind %s/proc/%s /proc/%s' % (folder(settings), name, name) for name in FILES])
    return in_group(settings, host, ['unshare', '--pid', '--mount', '--fork', '--kill-child',
                                     'sh', '-c', mounts + ' && exec "$@"', 'sh', *command])


def take_down(settings):
    """Removes the groups; their processes are gone."""
    for path in groups_of(settings.name):
        with contextlib.suppress(OSError):
            path.rmdir()
