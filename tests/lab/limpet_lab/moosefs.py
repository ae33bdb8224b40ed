"""Another parallel file system: MooseFS. A master that knows where the chunks are, chunk servers.

A file is cut into chunks of 64 MiB, each on one server. So servers share work, not requests: at one
instant a client loads one of them, over a window all of them. Many clients make that even.
"""
from . import little_memory
from .network import listens
from .own_proc import in_group
from .shell import in_namespace, run, spawn, wait_until

PORT = 9422             # clients to chunk servers
RAW_DISKS = False
# Where files lie that are to lie unequally: numbers of servers, which the files take in turn.
PLACES = {'half': (0, 1, 2), 'one': (0,), 'double': (0, 0, 1, 2, 3, 4, 5)}
MASTER_PORTS = (9420, 9421)
MEMORY_MIB = 224        # of a chunk server, which takes 145 itself: files have the rest


def start_shared(settings):
    """Starts the master with an empty name space."""
    host = settings.host('meta')
    data = host.folder / 'mfs'
    data.mkdir(parents=True)
    (data / 'metadata.mfs').write_bytes(b'MFSM NEW')
    (host.folder / 'exports.cfg').write_text('* / rw,alldirs,admin,maproot=0:0\n')
    (host.folder / 'topology.cfg').write_text('')
    config, log = host.folder / 'master.cfg', host.folder / 'master.log'
    config.write_text(_settings_file(
        WORKING_USER='root', WORKING_GROUP='root', DATA_PATH=data,
        EXPORTS_FILENAME=host.folder / 'exports.cfg',
        TOPOLOGY_FILENAME=host.folder / 'topology.cfg'))
    process = spawn(settings.name, in_namespace(
        host.namespace, 'mfsmaster', '-f', '-c', config, 'start'), log)
    for port in MASTER_PORTS:
        wait_until('the master', lambda: listens(process.pid, port), process=process, log=log)


def start_server(settings, host):
    """Starts a chunk server on its mounted disk, with so little memory that the page cache does not hide
    the disk: a chunk server has no O_DIRECT."""
    chunks, data = host.brick / 'data', host.folder / 'mfs'
    chunks.mkdir()
    data.mkdir()
    disks, config = host.folder / 'hdd.cfg', host.folder / 'chunkserver.cfg'
    disks.write_text('%s\n' % chunks)
    # Sparse chunks: a workload that writes zeros would write nothing.
    config.write_text(_settings_file(
        WORKING_USER='root', WORKING_GROUP='root', DATA_PATH=data, HDD_CONF_FILENAME=disks,
        LABELS=_label(settings.io_hosts.index(host)), HDD_LEAVE_SPACE_DEFAULT='64MiB', HDD_SPARSIFY_ON_WRITE=0, HDD_FSYNC_BEFORE_CLOSE=1,
        MASTER_HOST=settings.host('meta').address, BIND_HOST=host.address))
    log = host.folder / 'brick.log'
    command = in_namespace(host.namespace, 'mfschunkserver', '-f', '-c', config, 'start')
    limited = little_memory.limited(host, MEMORY_MIB, command)
    if limited is None:
        little_memory.forget(settings, host, chunks)
    process = spawn(settings.name, in_group(settings, host, limited or command), log)
    wait_until('the chunk server of ' + host.name, lambda: listens(process.pid, PORT),
               process=process, log=log)


def mount(settings, host):
    """Mounts the file system for a client on host.mount. Its files are striped as they come: one
    copy of each chunk."""
    host.mount.mkdir(parents=True)
    log = host.folder / 'client.log'
    process = spawn(settings.name, in_namespace(
        host.namespace, 'mfsmount', '-f', '-H', settings.host('meta').address, '-n',
        '-o', 'allow_other,fsname=MFS,mfscachemode=DIRECT,mfsnice=0,mfswritecachesize=32,'
        'mfsreadaheadsize=32', host.mount), log)
    wait_until('the mount of ' + host.name, host.mount.is_mount, process=process, log=log)
    return process, log


def make_classes(settings):
    """A storage class for each server: what has it lies there alone."""
    client = settings.client_hosts[0]
    known = run(*in_namespace(client.namespace, 'mfsscadmin', client.mount, 'list')).split()
    for number in range(settings.servers):
        if _class(number) not in known:
            run(*in_namespace(client.namespace, 'mfsscadmin', client.mount, 'create', '-m', 's',
                              _label(number), _class(number)))


def placing(place, number):
    """The beginning of a shell command that writes "$file", the file of that number: it makes it, empty,
    where it is to lie."""
    servers = PLACES[place]
    return ': > "$file" && mfssetsclass %s "$file" > /dev/null && ' % _class(servers[number % len(servers)])


def _label(number):
    return chr(ord('A') + number)


def _class(number):
    return 'only-' + _label(number)


def _settings_file(**settings):
    return ''.join('%s = %s\n' % pair for pair in settings.items())

