"""CephFS: Ceph's servers and disks, three metadata servers on hosts of their own, and clients by FUSE.

Each client has a folder for each metadata server, pinned to it: which server has a folder is then no matter of
load. They keep their journals on the servers' disks and have none themselves.
"""
import os

from . import ceph
from .ceph import PORT, RAW_DISKS, start_server, start_shared   # the same
from .settings import METADATA_SERVERS
from .shell import in_namespace, spawn, wait_until

POOLS = {'names': 16, 'data': 32}   # placement groups


def _start_metadata_servers(settings):
    for name, groups in POOLS.items():
        ceph.ceph(settings, 'osd', 'pool', 'create', name, str(groups), str(groups), 'replicated')
    ceph.ceph(settings, 'fs', 'new', 'cephfs', *POOLS)
    ceph.ceph(settings, 'fs', 'set', 'cephfs', 'max_mds', str(METADATA_SERVERS))
    for host in settings.metadata_hosts:
        host.folder.mkdir()
        spawn(settings.name, in_namespace(host.namespace, 'ceph-mds', '--conf', ceph.config(settings), '-f', '-i', host.name),
              host.folder / 'mds.log')
    wait_until('the metadata servers', lambda: _active(settings) == METADATA_SERVERS, ceph.SECONDS, 1)


def _active(settings):
    """How many of them have their share of the names."""
    ranks = ceph.json_of(settings, 'fs', 'dump')['filesystems'][0]['mdsmap']
    return sum(one['state'] == 'up:active' for one in ranks['info'].values())


def mount(settings, host):
    """Mounts it for a client on host.mount. Returns its process and log."""
    if host == settings.client_hosts[0]:
        _start_metadata_servers(settings)
    host.mount.mkdir(parents=True)
    log = host.folder / 'client.log'
    process = spawn(settings.name, in_namespace(host.namespace, 'ceph-fuse', '--conf', ceph.config(settings), '-f', host.mount),
                    log)
    wait_until('the mount of ' + host.name, host.mount.is_mount, ceph.SECONDS, process=process, log=log)
    for number in range(METADATA_SERVERS):
        folder = host.mount / host.name / ('rank%d' % number)
        folder.mkdir(parents=True)
        os.setxattr(folder, 'ceph.dir.pin', b'%d' % number)
        (folder / 'stays').touch()      # an empty folder goes back to the first of them
    return process, log
