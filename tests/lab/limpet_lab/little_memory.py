"""A server has less memory than data: here it would have all data in its page cache, and its disk nothing to do.

A control group of version 1 bounds what the server's program and the files it reads and writes take together, so
that the kernel drops what was used longest ago, as on a real server. Without that controller a program drops
everything every five seconds (forget.py), also what was just read ahead.
"""
import pathlib
import sys

from .shell import spawn

ROOT = pathlib.Path('/sys/fs/cgroup/memory')
LIMIT = 'memory.limit_in_bytes'


def limited(host, mib, command, root=ROOT):
    """The command line that runs a command in a group of the host's own with so many MiB; None where there are no
    such groups."""
    if not (root / LIMIT).exists():
        return None
    group = root / host.namespace
    group.mkdir(exist_ok=True)
    (group / LIMIT).write_text('%d\n' % (mib << 20))
    return ['sh', '-c', 'echo $$ > %s/cgroup.procs; exec "$@"' % group, 'sh', *command]


def forget(settings, host, folder):
    """The other way: a program that drops the files under the folder now and then."""
    spawn(settings.name, [sys.executable, pathlib.Path(__file__).with_name('forget.py'), folder],
          host.folder / 'forget.log')
