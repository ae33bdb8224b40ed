"""A third parallel file system: Ceph. A monitor and a manager, a BlueStore OSD on each server's bare disk.

Clients are `rados bench`: there is nothing to mount. An object of 4 MiB lies on two servers, and which
ones its placement group says. Groups are dealt evenly (a pool of 128, balanced), or as they come
(the pool `uneven`, of 32: some servers have half as much again as others, which is no fault).
"""
import contextlib
import json
import shutil
import time
import uuid

from . import disk, exposition
from .own_unit import in_unit
from .shell import LabError, in_namespace, run, spawn, wait_until

PORT = '6800-6899'      # of the OSDs
RAW_DISKS = True        # no ext4 below it
PACK = 'ceph.yml'
PAGE_PORT = 9283        # of the manager's module
POOLS = {'even': 128, 'uneven': 32}     # placement groups
COPIES = 2
OBJECTS = 96            # of 4 MiB, of each client and size: 3 GB a pool, all servers together
SIZES = (4 << 20, 64 << 10)
SECONDS = 90            # a cluster and its placement groups may take that long

CONFIG = """[global]
fsid = {fsid}
mon_initial_members = m
mon_host = {mon}
public_network = {network}.0/24
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = {run}
admin_socket = {run}/$cluster-$name.asok
log_file = {run}/$cluster-$name.log
mon_cluster_log_file = {run}/$cluster.log
crash_dir = {run}
keyring = {run}/keyring
osd_pool_default_size = {copies}
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 1
mon_data = {run}/mon
mgr_data = {run}/mgr
mon_data_avail_warn = 5
mon_warn_on_insecure_global_id_reclaim_allowed = false
auth_allow_insecure_global_id_reclaim = false
mgr_initial_modules = balancer
[client]
admin_socket =
log_file =
[mds]
mds_bal_interval = 0
[osd]
osd_memory_target = 939524096
osd_crush_initial_weight = 1
bluestore_cache_autotune = false
bluestore_cache_size = 33554432
bluestore_rocksdb_options = {rocksdb}
"""
# The default's log of 1 GB is too much for a disk of some GB, whose own crush weight is almost nothing.
ROCKSDB = ('compression=kNoCompression,max_write_buffer_number=4,min_write_buffer_number_to_merge=1,'
           'recycle_log_file_num=4,write_buffer_size=33554432,writable_file_max_buffer_size=0,'
           'compaction_readahead_size=2097152,max_background_compactions=2,'
           'max_total_wal_size=134217728')


def config(settings):
    return settings.host('meta').folder / 'ceph.conf'


def ceph(settings, *arguments, check=True):
    """What the command `ceph` prints, asked at the monitor."""
    return run(*in_namespace(settings.host('meta').namespace, 'ceph', '--conf', config(settings),
                             *arguments), check=check).strip()


def json_of(settings, *arguments):
    return json.loads(ceph(settings, *arguments, '--format', 'json'))


def number(host):
    """Of a server's OSD."""
    return int(host.name[-2:]) - 1


def targets(settings):
    """The manager's page tells of all OSDs."""
    return '  - {address: "%s:%d", node: manager, role: mgr}\n' % (settings.host('meta').address, PAGE_PORT)


def pages(settings):
    return [(settings.host('meta'), PAGE_PORT)]


def tell_of_requests(settings):
    """The manager's module `prometheus`, anew every five seconds."""
    for key, value in (('scrape_interval', 5), ('server_addr', '0.0.0.0')):
        ceph(settings, 'config', 'set', 'mgr', 'mgr/prometheus/' + key, value)
    ceph(settings, 'mgr', 'module', 'enable', 'prometheus')
    host = settings.host('meta')
    wait_until("the manager's page", lambda: 'ceph_osd_op_w_latency_sum' in (
        exposition.fetch(host.address, PAGE_PORT, seconds=5) or ''), seconds=SECONDS, interval=1)


def start_shared(settings):
    """Starts a monitor without anything to monitor, and the manager."""
    host = settings.host('meta')
    folder = host.folder
    for name in ('mon', 'mgr'):
        (folder / name).mkdir(parents=True)
    (folder / 'keyring').touch()
    fsid = str(uuid.uuid4())
    config(settings).write_text(CONFIG.format(
        fsid=fsid, mon=host.address, network=settings.network, run=folder, copies=COPIES,
        rocksdb=ROCKSDB))
    run('monmaptool', '--create', '--fsid', fsid, '--addv', 'm',
        '[v2:%s:3300,v1:%s:6789]' % (host.address, host.address), folder / 'monmap')
    run(*in_namespace(host.namespace, 'ceph-mon', '--conf', config(settings), '--mkfs', '-i', 'm',
                      '--monmap', folder / 'monmap'))
    for program in ('mon', 'mgr'):
        log = folder / (program + '.out')
        process = spawn(settings.name, in_namespace(
            host.namespace, 'ceph-' + program, '--conf', config(settings), '-f', '-i', 'm'), log)
        wait_until("Ceph's " + program, lambda: ceph(settings, 'mon', 'stat', check=False),
                   process=process, log=log, seconds=SECONDS)


def _named(name):
    """The beginning of a command line that runs a command on a machine of that name: OSDs tell it the manager."""
    return ['unshare', '--uts', 'sh', '-c', 'hostname %s; exec "$@"' % name, 'sh']


def start_server(settings, host):
    """Makes an OSD of a server's disk and starts it."""
    data, identity, own = host.folder / 'osd', str(uuid.uuid4()), str(number(host))
    data.mkdir()
    (data / 'block').symlink_to(next(iter(disk.loops_under(host.folder))))
    ceph(settings, 'osd', 'new', identity, own)
    common = ('ceph-osd', '--conf', config(settings), '-i', own, '--osd-data', data)
    run(*in_namespace(host.namespace, *common, '--mkfs', '--osd-uuid', identity, '--no-mon-config'))
    log = host.folder / 'brick.log'
    loop = next(iter(disk.loops_under(host.folder)))
    process = spawn(settings.name, in_unit(settings, 'ceph-osd@%s.service' % own, loop, in_namespace(
        host.namespace, *_named(host.name), *common, '-f', '--crush-location', 'root=default host=' + host.name)), log)
    wait_until('the OSD of ' + host.name, lambda: host.name in _up(settings), process=process, log=log,
               seconds=SECONDS)


def _up(settings):
    """Servers whose OSD is up."""
    osds = json_of(settings, 'osd', 'dump')['osds']
    return {'%s%02d' % (settings.server_role, one['osd'] + 1) for one in osds if one['up']}


def _clean(settings):
    states = json_of(settings, 'pg', 'stat')['pg_summary']['num_pg_by_state']
    return bool(states) and all(one['name'] == 'active+clean' for one in states)


def _make_pool(settings, name):
    ceph(settings, 'osd', 'pool', 'create', name, POOLS[name], POOLS[name], 'replicated')
    ceph(settings, 'osd', 'pool', 'application', 'enable', name, 'bench')
    wait_until('the placement groups of ' + name, lambda: _clean(settings), SECONDS, 1)


def _make_pools(settings):
    for name in ('noscrub', 'nodeep-scrub'):
        ceph(settings, 'osd', 'set', name)
    ceph(settings, 'osd', 'set-require-min-compat-client', 'luminous')
    ceph(settings, 'balancer', 'mode', 'upmap')
    ceph(settings, 'config', 'set', 'mgr', 'mgr/balancer/upmap_max_deviation', '1')
    ceph(settings, 'config', 'set', 'mgr', 'mgr/balancer/sleep_interval', '5')
    _make_pool(settings, 'even')
    ceph(settings, 'balancer', 'on')
    time.sleep(20)          # several of its rounds
    wait_until('the balancer', lambda: _clean(settings), SECONDS, 1)
    ceph(settings, 'balancer', 'off')
    _make_pool(settings, 'uneven')


def mount(settings, host):
    """There is nothing to mount: a client's programs find the cluster by a file in its folder."""
    folder = host.mount / host.name
    folder.mkdir(parents=True)
    shutil.copy(config(settings), folder / 'ceph.conf')
    if host == settings.client_hosts[0]:
        _make_pools(settings)
    return None, None


def _mark(settings, pool):
    return settings.host('meta').folder / ('laid-out-' + pool)


def is_laid_out(settings, pool):
    return _mark(settings, pool).exists()


def lay_out(settings, pool):
    """Writes the objects that workloads read and overwrite, those of each size on all clients at
    once. Disks and links have to be fast."""
    for size in SIZES:
        writers = [(host, spawn(settings.name, in_namespace(
            host.namespace, 'rados', '--conf', host.mount / host.name / 'ceph.conf', '-p', pool,
            'bench', 3000, 'write', '-b', size, '-O', SIZES[0], '-t', 16, '--no-cleanup',
            '--run-name', '%s-%d' % (host.name, size), '--max-objects', OBJECTS),
            host.folder / 'layout.log')) for host in settings.client_hosts]
        for host, writer in writers:
            if writer.wait():
                raise LabError('%s could not write its objects: see %s' % (
                    host.name, host.folder / 'layout.log'))
    _mark(settings, pool).touch()


# ---- what Ceph does to itself, which is no fault ----

@contextlib.contextmanager
def deep_scrub(settings, host, loop, strength):
    """One server reads all it has, and its copies elsewhere."""
    for name in ('nodeep-scrub', 'noscrub'):
        ceph(settings, 'osd', 'unset', name)
    ceph(settings, 'osd', 'deep-scrub', 'osd.%d' % number(host))
    try:
        yield
    finally:
        for name in ('noscrub', 'nodeep-scrub'):
            ceph(settings, 'osd', 'set', name, check=False)


@contextlib.contextmanager
def recovery(settings, host, loop, strength):
    """A server is taken out: its placement groups move to the others."""
    ceph(settings, 'osd', 'out', str(number(host)))
    try:
        yield
    finally:
        ceph(settings, 'osd', 'in', str(number(host)), check=False)
