"""What the clients do with the file system while it is watched ([Kasick10 §8]).

    ddw       write a file in large blocks, unbuffered      ddr       read one so
    iozonew   write and rewrite a file, 16 MB records, with an fsync at the end of each pass
    iozoner   read and reread it
    postmark  create, read, append to and delete many small files (postmark-short: a fifth of it, -brief: a 25th)
    smallfiles  write, read and delete files of 1 MiB, one after the other, whatever fails
    sort, grep, randwriter  MapReduce ([Pan08]): the first client is the master, all servers are workers (mapreduce.py)
    readmany  read many files of 16 MiB, eight at a time, in an order that changes
    writemany write them so; both with -half, -one, -double of MooseFS: the files lie on half of the
              servers, on one alone, on all but twice as many on one

    w4m, r4m, r64k, mix   Ceph: objects of 4 MiB written, read, read 64 KiB at a time, both; with
              -uneven in a pool whose placement groups lie unevenly

    puts      etcd: keys of 512 bytes, to all members
    names     CephFS: trees of small files made, walked and removed; -uneven: two thirds at one metadata server
    objects   Swift: objects of 64 to 512 KiB, written and read
    sql       Galera: transactions of 18 statements, four of which write; sql-uneven: every second client asks one
              member alone

The two with many files are for file systems that put a file, or a large part of it, on one server: only many
files at a time keep all servers equally busy.
iozone itself is not free software: fio plays its phases. Every workload begins again when it ends.
"""
import dataclasses
import os
import pathlib
import sys
import time

from . import ceph, clients, disk, filesystem, galera, mapreduce, moosefs, network
from .own_proc import in_group
from .settings import MIB
from .shell import LabError, in_namespace, spawn, stop

BLOCK_MIB = 32
LAYOUT_MIB = 16


@dataclasses.dataclass(frozen=True)
class Workload:
    """script: a shell command; $0 is the client's file, $1 its folder, $2 the file's MiB, $3 a
    seed. others: what every second client does instead. buffered: needs bricks with the page cache on
    (Settings.buffered). place: of MooseFS, where the many files lie. pool: of Ceph, whose objects it
    needs. servers: a command for every server, beside the first client alone; $0 is that client's folder as the
    server sees it, $1 its address. splits: files of records that MapReduce needs."""
    script: str
    others: str = ''
    needs_file: bool = True
    needs_many: bool = False
    buffered: bool = False
    place: str = ''
    pool: str = ''
    servers: str = ''
    splits: int = 0


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
# $(basename "$1") is the client. Overwriting the objects of the layout: the disks would fill.
RADOS = ('rados --conf "$1"/ceph.conf --pool %s bench 100000 %s --run-name "$(basename "$1")-%d" -t %d %s '
         '> /dev/null || sleep 1')
OVERWRITE = ('-b 4194304 -O 4194304 --no-cleanup --reuse-bench --max-objects %d' % ceph.OBJECTS)


def _rados(pool, kind, size, threads):
    return RADOS % (pool, kind, size, threads, OVERWRITE if kind == 'write' else '--no-verify')


def _many(place=''):
    """Many files, read or written."""
    name, ending = 'many' + place, place and '-' + place
    return {'readmany' + ending: Workload(MANY % ('if="$1"/%s.@ of=/dev/null iflag=direct' % name),
                                          needs_file=False, needs_many=True, place=place),
            'writemany' + ending: Workload(
                MANY % ('if=/dev/zero of="$1"/%s.@ oflag=direct conv=notrunc' % name),
                needs_file=False, needs_many=True, place=place)}


def _of_ceph(pool):
    large, small = ceph.SIZES
    write, read = _rados(pool, 'write', large, 8), _rados(pool, 'rand', small, 16)
    return {'w4m': Workload(write, needs_file=False, pool=pool),
            'r64k': Workload(read, needs_file=False, pool=pool),
            'r4m': Workload(_rados(pool, 'seq', large, 8), _rados(pool, 'rand', large, 8),
                            needs_file=False, pool=pool),
            'mix': Workload(write, read, needs_file=False, pool=pool)}


def _names(*ranks):
    """Trees in the folders of these metadata servers, four at a time."""
    one = '"%s" "%s" tree 1000 /dev/null %s' % (sys.executable, clients.__file__, ' '.join('"$1"/rank%d' % rank for rank in ranks))
    return ' & '.join(4 * [one]) + ' & wait'


# $0 and $1 are no files here: every member's address is in $4 and after.
ALL, FIRST = '$4', '${4%% *}'
PUTS = '"%s" "%s" 150 ' % (sys.executable, pathlib.Path(__file__).with_name('puts.py'))
OBJECTS = '"%s" "%s" "$(basename "$1")" 6' % (sys.executable, pathlib.Path(__file__).with_name('objects.py'))

SQL, OF_ONE = (' '.join(galera.SYSBENCH) + ' --mysql-host=%s --threads=12 --rate=4 --time=0 run' % one
               for one in ('$(echo $4 | tr " " ,)', FIRST))

# Half a minute each.
GREP_SPLITS, SORT_SPLITS, WRITE_SPLITS = 120, 20, 60
MAPREDUCE = '"%s" "%s" ' % (sys.executable, pathlib.Path(__file__).with_name('mapreduce.py'))


def _mapreduce(job, splits, needed):
    """needed: splits that have to be there."""
    return Workload(MAPREDUCE + 'master %s "$1" %d %d' % (job, mapreduce.PORT, splits), needs_file=False,
                    servers=MAPREDUCE + 'worker "$0" %d "$1"' % mapreduce.PORT, splits=needed)


PAPER_WORKLOADS = ('ddw', 'ddr', 'iozonew', 'iozoner', 'postmark')
WORKLOADS = {
    # An existing file: FUSE would extend one 128 kB at a time.
    'ddw': Workload('dd if=/dev/zero of="$0" bs=%dM count=$(($2 / %d)) oflag=direct conv=notrunc'
                    % (BLOCK_MIB, BLOCK_MIB)),
    'ddr': Workload('dd if="$0" of=/dev/null bs=%dM iflag=direct' % BLOCK_MIB),
    'iozonew': Workload(FIO % 'write'),
    'iozoner': Workload(FIO % 'read'),
    'postmark': Workload(POSTMARK % 20000, needs_file=False, buffered=True),
    'postmark-brief': Workload(POSTMARK % 800, needs_file=False, buffered=True),
    'postmark-short': Workload(POSTMARK % 4000, needs_file=False, buffered=True),
    'smallfiles': Workload(SMALL, needs_file=False, buffered=True),
    **_many(),
    **{name: one for place in moosefs.PLACES for name, one in _many(place).items()},
    'puts': Workload(PUTS + ALL, needs_file=False),
    'puts-uneven': Workload(PUTS + FIRST, needs_file=False),
    'names': Workload(_names(0, 1, 2), needs_file=False),
    'names-uneven': Workload(_names(0, 0, 0, 0, 1, 2), needs_file=False),
    'objects': Workload(OBJECTS, needs_file=False),
    'objects-uneven': Workload(OBJECTS + ' 24', needs_file=False),
    'sql': Workload(SQL, needs_file=False),
    'sql-uneven': Workload(SQL, OF_ONE, needs_file=False),
    'sort': _mapreduce('sort', SORT_SPLITS, SORT_SPLITS),
    'grep': _mapreduce('grep', GREP_SPLITS, GREP_SPLITS),
    'randwriter': _mapreduce('write', WRITE_SPLITS, 0),
    **_of_ceph('even'),
    **{name + '-uneven': one for name, one in _of_ceph('uneven').items()},
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
        return [(data_file(host).with_name('many%s.%d' % (chosen.place, number)), MANY_MIB)
                for number in range(1, MANY_FILES + 1)]
    if chosen.splits:
        return [(host.mount / host.name / 'input' / str(number), mapreduce.FILE_MIB)
                for number in range(chosen.splits if host == settings.client_hosts[0] else 0)]
    return [(data_file(host), settings.file_mib)] if chosen.needs_file else []


def is_laid_out(settings, name):
    if WORKLOADS[name].pool:
        return ceph.is_laid_out(settings, WORKLOADS[name].pool)
    try:
        return all(file.exists() and os.path.getsize(file) == mib * MIB
                   for host in settings.client_hosts for file, mib in files(settings, host, name))
    except OSError as error:    # a client that has given its file system up
        raise LabError('%s: %s' % (error.filename, error.strerror)) from None


def lay_out(settings, name='ddr'):
    """Writes each client's files, with infinitely fast disks and links (seconds, not minutes)."""
    for host in settings.io_hosts:
        disk.set_control(host, speed=0)
    time.sleep(0.3)     # the disks look at their control files four times a second
    with network.unlimited(settings):
        if WORKLOADS[name].pool:
            ceph.lay_out(settings, WORKLOADS[name].pool)
        elif WORKLOADS[name].splits:
            _write_splits(settings, WORKLOADS[name].splits)
        else:
            _write_files(settings, name)
        if not is_laid_out(settings, name):
            raise LabError("the clients' files are not as long as they should be")
        os.sync()
    full_speed(settings)


def _write_files(settings, name):
    place = WORKLOADS[name].place
    if place:
        moosefs.make_classes(settings)
    writers = [(host, spawn(settings.name, in_namespace(
        host.namespace, 'sh', '-c', ' && '.join(
            'file="%s" && %sdd if=/dev/zero "of=$file" bs=%dM count=%d oflag=direct conv=notrunc' % (
                file, moosefs.placing(place, number) if place else '', LAYOUT_MIB, mib // LAYOUT_MIB)
            for number, (file, mib) in enumerate(files(settings, host, name))) or 'true'),
        host.folder / 'layout.log')) for host in settings.client_hosts]
    for host, writer in writers:
        if writer.wait():
            raise LabError('%s could not write its files: see %s' % (
                host.name, host.folder / 'layout.log'))


def _write_splits(settings, count):
    processes = _start(settings, [_mapreduce('write', count, 0)], 1, again=False)
    try:
        if processes[0].wait():
            raise LabError('the records were not written: see %s' % settings.client_hosts[0].folder)
    finally:
        finish(processes)


def full_speed(settings):
    """The disks are as slow as their settings say from now on."""
    for host in settings.io_hosts:
        disk.set_control(host, speed=settings.speed_of(host))


def start(settings, name, seed=1, again=True):
    """Every client does this, again and again or once. Returns the processes."""
    return start_each(settings, (name,), seed, again)


def start_each(settings, names, seed=1, again=True):
    """The same of several: each client does one of them, in turn."""
    for name in names:
        if name not in WORKLOADS:
            raise LabError('no workload is called %s; there are %s' % (name, ', '.join(WORKLOADS)))
        if wants_buffered(name, settings.file_system) != settings.buffered:
            raise LabError('%s needs a lab that is %s: "lab down", then "lab up%s"' % (
                name, 'buffered' if WORKLOADS[name].buffered else 'not buffered',
                ' --buffered' if WORKLOADS[name].buffered else ''))
    return _start(settings, [WORKLOADS[name] for name in names], seed, again)


def _start(settings, chosen, seed, again):
    if any(one.servers for one in chosen):
        _mount_on_servers(settings)
    started = []
    for i, host in enumerate(settings.client_hosts):
        one = chosen[i % len(chosen)]
        if i and one.servers:
            continue
        script = one.others if i % 2 and one.others else one.script
        started.append(spawn(settings.name, in_namespace(
            host.namespace, 'sh', '-c', _again(script) if again else script,
            data_file(host), host.mount / host.name, settings.file_mib, seed + i,
            ' '.join(server.address for server in settings.io_hosts)),
            host.folder / 'workload.log'))
        for server in settings.io_hosts if one.servers else ():
            started.append(spawn(settings.name, in_group(settings, server, in_namespace(
                server.namespace, 'sh', '-c', _again(one.servers) if again else one.servers,
                server.mount / host.name, host.address)), server.folder / 'workload.log'))
    return started


def _mount_on_servers(settings):
    """Once: from then on they have the file system, too."""
    for server in settings.io_hosts:
        if not server.mount.is_mount():
            filesystem.mount(settings, server)


def _again(script):
    return 'while %s; do :; done' % script


def start_reading(settings):
    """ddr, the demo's workload."""
    return start(settings, 'ddr')


def finish(processes):
    """Ends a workload."""
    for process in processes:
        stop(process, seconds=5)
