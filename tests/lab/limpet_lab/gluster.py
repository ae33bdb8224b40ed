"""The parallel file system: a GlusterFS dispersed volume, one brick a server.

Every request is cut into fragments for all servers (reads: for as many as hold the data), so
servers that work alike look alike. There is no management daemon: volume files are written here.
"""
from .network import listens
from .own_proc import in_group
from .shell import LabError, in_namespace, spawn, wait_until

PORT = 49152
RAW_DISKS = False


def redundancy(servers):
    """How many servers may fail. Dispersal wants servers > 2 * redundancy > 0; a power of two of
    data fragments keeps blocks aligned, so that no read is bigger than asked for."""
    if servers < 3:
        raise LabError('a dispersed volume needs at least 3 servers, not %d' % servers)
    for data in (2, 4, 8, 16, 32):
        if servers < 2 * data and data < servers:
            return servers - data
    return max(1, servers // 3 - (servers % 3 == 0))


def section(name, kind, subvolumes=(), **options):
    """One volume of a volume file. In option names __ stands for a dot and _ for a dash."""
    lines = ['volume ' + name, '    type ' + kind]
    lines += ['    option %s %s' % (key.replace('__', '.').replace('_', '-'), value)
              for key, value in options.items()]
    if subvolumes:
        lines.append('    subvolumes ' + ' '.join(subvolumes))
    return '\n'.join(lines + ['end-volume', '', ''])


def brick_file(directory, direct=True, distributed=False):
    """A server's volume file. distributed: nothing is kept in reserve, so that it is the kernel, not
    GlusterFS itself, that refuses writes to a full disk. direct: O_DIRECT at the brick, or the page cache hides the disk;
    small unaligned writes (mail-server workloads) need it off."""
    return (section('posix', 'storage/posix', directory=directory, ctime='off',
                   o_direct='on' if direct else 'off', health_check_interval=0,
                   **({'reserve': 0} if distributed else {}))
            + section('locks', 'features/locks', ['posix'])
            + section('threads', 'performance/io-threads', ['locks'], thread_count=16)
            + section('brick', 'debug/io-stats', ['threads'])
            + section('server', 'protocol/server', ['brick'], transport_type='tcp',
                     transport__socket__listen_port=PORT, auth__addr__brick__allow='*'))


def client_file(servers, distributed=False):
    """A client's volume file; servers: [(name, address)]. distributed: each file lies whole on one
    server, and nothing hides its errors from clients."""
    names = ['remote-' + name for name, _ in servers]
    text = ''.join(section('remote-' + name, 'protocol/client', transport_type='tcp',
                          remote_host=address, remote_port=PORT, remote_subvolume='brick',
                          ping_timeout=300) for name, address in servers)
    if distributed:
        # By default files go elsewhere before a server is full.
        text += section('striped', 'cluster/distribute', names, min_free_disk='0')
    else:
        text += section('striped', 'cluster/disperse', names, redundancy=redundancy(len(servers)),
                       self_heal_daemon='off', read_policy='round-robin')
    return text + section('client', 'debug/io-stats', ['striped'])


def start_shared(settings):
    """Clients know the servers; there is nothing else."""


def start_server(settings, host):
    """Starts a server's brick on its mounted disk and waits until it listens."""
    data = host.brick / 'data'
    data.mkdir()
    file, log = host.folder / 'brick.vol', host.folder / 'brick.log'
    file.write_text(brick_file(data, direct=not settings.buffered,
                               distributed=settings.distributed))
    process = spawn(settings.name, in_group(settings, host, in_namespace(
        host.namespace, 'glusterfsd', '-N', '-f', file, '-l', log, '-p', host.folder / 'brick.pid')),
        host.folder / 'brick.out')
    wait_until('the brick of ' + host.name, lambda: listens(process.pid, PORT), process=process,
               log=log)


def mount(settings, host):
    """Mounts the volume for a client, or a server that is one, on host.mount. Returns its process and log."""
    host.mount.mkdir(parents=True)
    file, log = host.folder / 'client.vol', host.folder / 'client.log'
    file.write_text(client_file([(server.name, server.address) for server in settings.io_hosts],
                                settings.distributed))
    # With direct-io-mode=disable a large direct read of a program is sent in parallel pieces, not
    # in 128 kB pieces one after the other.
    process = spawn(settings.name, in_group(settings, host, in_namespace(
        host.namespace, 'glusterfs', '-N', '-f', file, '-l', log, '--direct-io-mode=disable',
        '--background-qlen=512', '--congestion-threshold=512', host.mount)),
        host.folder / 'client.out')
    wait_until('the mount of ' + host.name, host.mount.is_mount, process=process, log=log)
    return process, log
