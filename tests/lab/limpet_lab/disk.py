"""A server's disk: a sparse file, served with a disk's timing by slowdisk, under a loop device.

The file system takes the first 5/8 of the disk (Ceph the whole of it), a disk-hog reads from 3/4 on, and the third party
of a disk-busy fault has the last eighth (slowdisk/third_party.h).
"""
import contextlib
import os
import pathlib

from .settings import GIB, MIB
from .shell import LabError, run, spawn, wait_until


def set_control(host, depth=0, size_kib=0, speed=1.0):
    """Third-party load and speed of a disk; it takes notice within 0.25 s."""
    new = host.disk_control.with_suffix('.new')
    new.write_text('%d %d %g\n' % (depth, size_kib, speed))
    new.rename(host.disk_control)


def bring_up(settings, host, raw=False):
    """Makes the disk, its loop device and, unless it is to be raw, its file system, mounted on
    host.brick. The disk is infinitely fast until set_control says otherwise. Returns the loop device's
    path."""
    for folder in (host.folder, host.disk_mount, host.brick):
        folder.mkdir(parents=True)
    size = settings.disk_gib * GIB
    with open(host.disk_image, 'wb') as image:
        image.truncate(size)
    set_control(host, speed=0)
    if raw:
        return attach(settings, host)
    # Lazy initialisation would write to the disk for minutes after the mount.
    run('mkfs.ext4', '-q', '-F', '-J', 'size=16', '-N', '16384', '-m', '0',
        '-E', 'lazy_itable_init=0,lazy_journal_init=0', '-O', '^metadata_csum',
        host.disk_image, '%dk' % (size * 5 // 8 // 1024))
    loop = attach(settings, host)
    run('mount', '-o', 'noatime', loop, host.brick)
    return loop


def attach(settings, host):
    """Serves a disk whose image there is already, and puts a loop device on it. Returns its path."""
    log = host.folder / 'slowdisk.log'
    program = settings.bin_dir / 'slowdisk'
    process = spawn(settings.name, [program, '--mb-per-second', settings.disk_mb_per_second,
                                    '--channels', settings.channels, '--control', host.disk_control, host.disk_image,
                                    host.disk_mount], log)
    file = host.disk_mount / 'disk'
    wait_until('the disk of ' + host.name, file.exists, process=process, log=log)
    loop = run('losetup', '--find', '--show', '--direct-io=on', file).strip()
    _tune(loop)
    return loop


def _tune(loop):
    """mq-deadline, because bfq lets one request at a time past and keeps the others waiting where
    no counter sees them; at most 32 MiB of dirty pages, as a server with little memory has."""
    queue = pathlib.Path('/sys/block', os.path.basename(loop), 'queue')
    try:
        (queue / 'scheduler').write_text('mq-deadline')
        (queue / 'nr_requests').write_text('64')
    except OSError as error:
        raise LabError('%s: the scheduler mq-deadline cannot be chosen (%s); the kernel needs '
                       'CONFIG_MQ_IOSCHED_DEADLINE' % (loop, error.strerror)) from None
    with contextlib.suppress(OSError):
        (queue / 'rotational').write_text('1')      # the modelled disk has an arm
    numbers = (queue.parent / 'dev').read_text().strip()
    for name, value in (('strict_limit', 1), ('max_bytes', 32 * MIB)):  # since Linux 6.2
        with contextlib.suppress(OSError):
            pathlib.Path('/sys/class/bdi', numbers, name).write_text(str(value))


def loops_under(folder, sys_block='/sys/block'):
    """Paths of the loop devices whose backing file is under a folder."""
    found = []
    for backing in pathlib.Path(sys_block).glob('loop*/loop/backing_file'):
        with contextlib.suppress(OSError):
            if backing.read_text().startswith(str(folder) + '/'):
                found.append('/dev/' + backing.parent.parent.name)
    return sorted(found)
