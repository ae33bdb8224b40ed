"""A server's program in a control group with the name that its unit would have under systemd, so that facts can say
that it is the program which reads or writes a disk.

Control groups of version 1: their kernel counts the bytes of a disk where the group has a limit for it, so each has
one that is never met.
"""
import os
import pathlib

ROOT = pathlib.Path('/sys/fs/cgroup/blkio')
LIMITS = ('blkio.throttle.read_bps_device', 'blkio.throttle.write_bps_device')
NO_LIMIT = 100_000_000_000      # bytes a second


def in_unit(settings, unit, loop, command, root=ROOT, block=pathlib.Path('/sys/block')):
    """The command line that runs a command in a group of its own, whose bytes of the disk `loop` are counted; the
    command itself where there are no such groups."""
    if not (root / 'cgroup.procs').exists():
        return command
    group = root / ('%s-%s' % (settings.name, unit))
    group.mkdir(exist_ok=True)
    device = (block / os.path.basename(loop) / 'dev').read_text().strip()
    for limit in LIMITS:
        (group / limit).write_text('%s %d\n' % (device, NO_LIMIT))
    return ['sh', '-c', 'echo $$ > %s/cgroup.procs; exec "$@"' % group, 'sh', *command]
