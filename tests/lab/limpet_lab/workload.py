"""What the clients do with the file system while it is watched ([Kasick10 §8]).

    ddw       write a file in large blocks, unbuffered      ddr       read one so
    iozonew   write and rewrite a file, 16 MB records, with an fsync at the end of each pass
    iozoner   read and reread it
    postmark  create, read, append to and delete many small files (postmark-short: a fifth of it)
    smallfiles  write, read and delete files of 1 MiB, one after the other, whatever fails
    readmany  read many files of 16 MiB, eight at a time, in an order that changes
    writemany write them so

The last two are for file systems that put a file, or a large part of it, on one server: only many
files at a time keep all servers equally busy.
iozone itself is not free software: fio plays its phases. Every workload begins again when it ends.
"""
import dataclasses
import os
import time

from . import disk, network
from .settings import MIB
from .shell import LabError, in_namespace, spawn, stop

BLOCK_MIB = 32
LAYOUT_MIB = 16


@dataclasses.dataclass(frozen=True)
class Workload:
    """script: a shell command; $0 is the client's file, $1 its folder, $2 the file's MiB, $3 a
    seed. buffered: needs bricks with the page cache on (Settings.buffered)."""
    script: str
    needs_file: bool = True
    needs_many: bool = False
    buffered: bool = False


FIO = ('fio --name=iozone --filename="$0" --rw=%s --bs=16M --direct=1 --ioengine=psync '
       '--zero_buffers --size="$2"M --end_fsync=1 --loops=2 --fallocate=none')
MANY_FILES, MANY_MIB, STREAMS = 24, 16, 8
MANY = ('seq %d | shuf | xargs -P %d -I@ dd %%s bs=%dM count=1 2>&1 | grep -v " records " ; true'
        % (MANY_FILES, STREAMS, MANY_MIB))
SMALL_FILES = 48
SMALL = ('for i in $(seq %d); do f="$1"/small.$i; dd if=/dev/zero of="$f" bs=128k count=8 conv=fsync; '
         'dd if="$f" of=/dev/null bs=128k; rm -f "$f"; done 2>&1 | grep -v " records " ; true'
         % SMALL_FILES)
POSTMARK = ('rm -rf "$1/pm"; mkdir "$1/pm"; printf "set location %%s\\nset transactions %d\\n'
            'set number 500\\nset seed %%d\\nrun\\nquit\\n" "$1/pm" "$3" | postmark')
PAPER_WORKLOADS = ('ddw', 'ddr', 'iozonew', 'iozoner', 'postmark')
WORKLOADS = {
    # An existing file: FUSE would extend one 128 kB at a time.
    'ddw': Workload('dd if=/dev/zero of="$0" bs=%dM count=$(($2 / %d)) oflag=direct conv=notrunc'
                    % (BLOCK_MIB, BLOCK_MIB)),
    'ddr': Workload('dd if="$0" of=/dev/null bs=%dM iflag=direct' % BLOCK_MIB),
    'iozonew': Workload(FIO % 'write'),
    'iozoner': Workload(FIO % 'read'),
    'postmark': Workload(POSTMARK % 20000, needs_file=False, buffered=True),
    'postmark-short': Workload(POSTMARK % 4000, needs_file=False, buffered=True),
    'smallfiles': Workload(SMALL, needs_file=False, buffered=True),
    'readmany': Workload(MANY % 'if="$1"/many.@ of=/dev/null iflag=direct', needs_file=False,
                         needs_many=True),
    'writemany': Workload(MANY % 'if=/dev/zero of="$1"/many.@ oflag=direct conv=notrunc',
                          needs_file=False, needs_many=True),
}


def wants_buffered(name, file_system):
    """Only Gluster's bricks can do without the page cache."""
    return WORKLOADS[name].buffered and file_system == 'gluster'


def data_file(host):
    return host.mount / host.name / 'data'


def files(settings, host, name):
    """[(file, its MiB)] that a client's workload wants to be there."""
    chosen = WORKLOADS[name]
    if chosen.needs_many:
        return [(data_file(host).with_name('many.%d' % number), MANY_MIB)
                for number in range(1, MANY_FILES + 1)]
    return [(data_file(host), settings.file_mib)] if chosen.needs_file else []


def is_laid_out(settings, name):
    return all(file.exists() and os.path.getsize(file) == mib * MIB
               for host in settings.client_hosts for file, mib in files(settings, host, name))


def lay_out(settings, name='ddr'):
    """Writes each client's files, with infinitely fast disks and links (seconds, not minutes)."""
    for host in settings.io_hosts:
        disk.set_control(host, speed=0)
    time.sleep(0.3)     # the disks look at their control files four times a second
    with network.unlimited(settings):
        writers = [(host, spawn(settings.name, in_namespace(
            host.namespace, 'sh', '-c', ' && '.join(
                'dd if=/dev/zero "of=%s" bs=%dM count=%d oflag=direct' % (
                    file, LAYOUT_MIB, mib // LAYOUT_MIB)
                for file, mib in files(settings, host, name)) or 'true'),
            host.folder / 'layout.log')) for host in settings.client_hosts]
        for host, writer in writers:
            if writer.wait():
                raise LabError('%s could not write its files: see %s' % (
                    host.name, host.folder / 'layout.log'))
        if not is_laid_out(settings, name):
            raise LabError("the clients' files are not as long as they should be")
        os.sync()
    full_speed(settings)


def full_speed(settings):
    """The disks are as slow as their settings say from now on."""
    for host in settings.io_hosts:
        disk.set_control(host, speed=settings.speed_of(host))


def start(settings, name, seed=1, again=True):
    """Every client does this, again and again or once. Returns the processes."""
    if name not in WORKLOADS:
        raise LabError('no workload is called %s; there are %s' % (name, ', '.join(WORKLOADS)))
    chosen = WORKLOADS[name]
    if wants_buffered(name, settings.file_system) != settings.buffered:
        raise LabError('%s needs a lab that is %s: "lab down", then "lab up%s"' % (
            name, 'buffered' if chosen.buffered else 'not buffered',
            ' --buffered' if chosen.buffered else ''))
    script = 'while %s; do :; done' % chosen.script if again else chosen.script
    return [spawn(settings.name, in_namespace(
        host.namespace, 'sh', '-c', script, data_file(host), host.mount / host.name,
        settings.file_mib, seed + i), host.folder / 'workload.log')
        for i, host in enumerate(settings.client_hosts)]


def start_reading(settings):
    """ddr, the demo's workload."""
    return start(settings, 'ddr')


def finish(processes):
    """Ends a workload."""
    for process in processes:
        stop(process, seconds=5)
