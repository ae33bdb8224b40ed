"""The parallel file systems that the lab can be made of, behind one interface.

A module of them has PORT, that of the servers' connections with clients ("from-to" if there are
several); RAW_DISKS, whether it wants the bare disk or ext4 on it; start_shared(settings), what no single
server is; start_server(settings, host), on its disk; and mount(settings, host), which returns the
client's process and its log. What tells of its requests itself also has PACK, a file of config/metrics;
targets(settings), the diagnoser's lines for it; and pages(settings), [(host, port)] of what they are read from. Some have
backup(host), a command that reads all that a server has.
"""
import contextlib
import itertools
import os

from . import ceph, cephfs, etcd, galera, gluster, moosefs, swift
from .shell import wait_until

MODULES = {'gluster': gluster, 'moosefs': moosefs, 'ceph': ceph, 'cephfs': cephfs, 'etcd': etcd, 'swift': swift,
           'galera': galera}
# Beginnings of the names of their programs, which hold on to the disks.
PROGRAMS = ('gluster', 'mfs', 'ceph', 'etcd', 'swift', 'mariadbd')


def of(settings):
    return MODULES[settings.file_system]


def mount(settings, host):
    """Mounts it for a client and waits until files can be written."""
    process, log = of(settings).mount(settings, host)
    # A new file each time: one that was begun when not all servers were there stays damaged.
    numbers = itertools.count()
    wait_until('the file system on ' + host.name,
               lambda: _writable(host.mount / host.name, next(numbers)), interval=0.5,
               process=process, log=log)


def _writable(folder, number):
    probe = folder / ('.probe%d' % number)
    with contextlib.suppress(OSError):
        folder.mkdir(exist_ok=True)
        with open(probe, 'wb') as file:
            file.write(b'\0' * 4096)
            file.flush()
            os.fsync(file.fileno())
        probe.unlink()
        return True
    return False
