"""Faults that a server's counters do not show, but its system calls do ([Kasick09 §5]).

    few-files       its process may not open any more files (RLIMIT_NOFILE): EMFILE
    few-inodes      its file system has no inodes left: ENOSPC of an open
    full-disk       its file system is full: ENOSPC of a write
    file-size       its process may not write beyond a size (RLIMIT_FSIZE): EFBIG and SIGXFSZ
    little-memory   its process may not take any more memory (RLIMIT_AS): ENOMEM
    read-only       its file system goes read-only after an error, as on a bad disk: EROFS
    stopped         its process stops (SIGSTOP)
    killed          its process is killed
    client-restart  no fault: every client's mount ends and is made again

Each needs a lab that is brought up for it alone: a limit or a file system in which something failed
cannot be given back.
"""
import contextlib
import os
import pathlib
import signal

from . import disk, filesystem
from .settings import MIB
from .shell import LabError, run

SPARE_FILES = 0     # descriptors that are left
SPARE_INODES = 4
FILES_A_FOLDER = 4096


def brick_pid(host):
    """The process of a server."""
    return int((host.folder / 'brick.pid').read_text())


@contextlib.contextmanager
def _limited(host, limit, value):
    pid = brick_pid(host)
    before = run('prlimit', '--pid', pid, '--output', 'SOFT,HARD', '--noheadings',
                 '--' + limit).split()
    run('prlimit', '--pid', pid, '--%s=%d:' % (limit, value))
    try:
        yield
    finally:
        # The process may have died of it.
        run('prlimit', '--pid', pid, '--%s=%s:%s' % (limit, *before), check=False)


def first_free(descriptors, folder):
    """The lowest number that no descriptor has which stays open; {number: what it is}. Those of
    files in the folder come and go."""
    taken = {number for number, target in descriptors.items()
             if not target.startswith(str(folder) + '/') or '/.glusterfs' in target}
    return next(number for number in range(len(taken) + 1) if number not in taken)


def few_files(settings, host, loop, spare):
    folder, descriptors = pathlib.Path('/proc', str(brick_pid(host)), 'fd'), {}
    for entry in os.listdir(folder):
        with contextlib.suppress(OSError):
            descriptors[int(entry)] = os.readlink(folder / entry)
    return _limited(host, 'nofile', first_free(descriptors, host.brick / 'data') + int(spare))


def file_size(settings, host, loop, mib):
    return _limited(host, 'fsize', int(mib * MIB))


def little_memory(settings, host, loop, mib):
    """So much more than it has now; less than nothing: what it gives back it does not get again."""
    pages = int(pathlib.Path('/proc/%d/statm' % brick_pid(host)).read_text().split()[0])
    return _limited(host, 'as', max(0, pages * os.sysconf('SC_PAGE_SIZE') + int(mib * MIB)))


@contextlib.contextmanager
def _at_full_speed(settings, host):
    """What fills a file system has nothing to do with the speed of its disk."""
    disk.set_control(host, speed=0)
    try:
        yield
    finally:
        disk.set_control(host, speed=settings.speed_of(host))


@contextlib.contextmanager
def few_inodes(settings, host, loop, spare):
    filler = host.brick / 'filler'
    with _at_full_speed(settings, host):
        number = 0
        while os.statvfs(host.brick).f_ffree > spare:
            folder = filler / str(number // FILES_A_FOLDER)
            if number % FILES_A_FOLDER == 0:
                folder.mkdir(parents=True)
            (folder / str(number)).touch()
            number += 1
    try:
        yield
    finally:
        run('rm', '-rf', filler)


def _fill(folder, file_system, spare):
    """Files of less and less: what is free is not all in one place, and others write meanwhile."""
    share, number = 1.0, 0
    while share > 0.01:
        free = os.statvfs(file_system)
        length = int(share * (free.f_bavail * free.f_frsize - spare))
        if length <= 0:
            return
        try:
            run('fallocate', '-l', length, folder / str(number))
            number += 1
        except LabError:
            share /= 2


@contextlib.contextmanager
def full_disk(settings, host, loop, mib):
    filler = host.brick / 'filler'
    filler.mkdir()
    with _at_full_speed(settings, host):
        _fill(filler, host.brick, int(mib * MIB))
    try:
        yield
    finally:
        run('rm', '-rf', filler)


@contextlib.contextmanager
def read_only(settings, host, loop, strength):
    run('mount', '-o', 'remount,errors=remount-ro', host.brick)
    trigger = pathlib.Path('/sys/fs/ext4', os.path.basename(loop), 'trigger_fs_error')
    trigger.write_text('lab')
    yield


@contextlib.contextmanager
def stopped(settings, host, loop, strength):
    pid = brick_pid(host)
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def killed(settings, host, loop, strength):
    os.kill(brick_pid(host), signal.SIGKILL)
    yield


@contextlib.contextmanager
def client_restart(settings, host, loop, strength):
    for client in settings.client_hosts:
        run('umount', '-l', client.mount)
        client.mount.rmdir()
        filesystem.mount(settings, client)
    yield
