"""A store of keys: etcd. A member on each server, on ext4 on its disk.

Every member writes every key to its log and syncs it, so all have the same to do; the slowest minority holds up no
client. Clients have nothing to mount: puts.py writes to all members. One page of each member tells of its syncs
(config/metrics/etcd.yml).
"""
import base64
import json
import urllib.request

from .shell import LabError, in_namespace, spawn, wait_until

PORT = '2379-2380'      # of clients, of the members among themselves
CLIENT_PORT, PEER_PORT = 2379, 2380
RAW_DISKS = False
PACK = 'etcd.yml'


def targets(settings):
    """Lines of the diagnoser's `targets`: what tells of the metrics in PACK."""
    return ''.join('  - {address: "%s:%d", node: %s-etcd, role: etcd, labels: {host: %s}}\n' % (
        host.address, CLIENT_PORT, host.name, host.name) for host in settings.io_hosts)


def tell_of_requests(settings):
    """It does by itself."""


def start_shared(settings):
    """There is nothing but members."""


def start_server(settings, host):
    """Starts a member; it answers when most of the others are there, too."""
    def url(one, port):
        return 'http://%s:%d' % (one.address, port)
    process = spawn(settings.name, in_namespace(
        host.namespace, 'etcd', '--name', host.name, '--data-dir', host.brick / 'etcd',
        '--listen-client-urls', url(host, CLIENT_PORT), '--advertise-client-urls', url(host, CLIENT_PORT),
        '--listen-peer-urls', url(host, PEER_PORT), '--initial-advertise-peer-urls', url(host, PEER_PORT),
        '--initial-cluster', ','.join('%s=%s' % (one.name, url(one, PEER_PORT)) for one in settings.io_hosts),
        # Disks with an arm are slower than etcd's defaults expect: no elections because of that.
        '--heartbeat-interval', 500, '--election-timeout', 5000,
        '--auto-compaction-mode', 'revision', '--auto-compaction-retention', 2000), host.folder / 'brick.log')
    (host.folder / 'brick.pid').write_text('%d\n' % process.pid)


def put(address, key, value, seconds=5.0):
    """Writes a key at a member. OSError when it does not say that it did."""
    body = {'key': base64.b64encode(key.encode()).decode(), 'value': base64.b64encode(value).decode()}
    request = urllib.request.Request('http://%s:%d/v3/kv/put' % (address, CLIENT_PORT), json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        answer.read()


def _answers(host):
    try:
        put(host.address, 'probe', b'')
    except OSError:
        return False
    return True


def mount(settings, host):
    """Waits for all members."""
    (host.mount / host.name).mkdir(parents=True)
    for one in settings.io_hosts:
        log = one.folder / 'brick.log'
        if not log.exists():
            raise LabError('%s was not started' % one.name)
        wait_until('etcd on ' + one.name, lambda one=one: _answers(one), seconds=60, interval=0.5, log=log)
    return None, None


def pages(settings):
    return [(host, CLIENT_PORT) for host in settings.io_hosts]


def backup(host):
    """What takes snapshots of a member, over and over, and defragments it each time."""
    ask = 'curl -sS -m 60 -o /dev/null -X POST -d "{}" http://%s:%d/v3/maintenance/' % (host.address, CLIENT_PORT)
    return 'while %ssnapshot; do %sdefragment; sleep 5; done' % (ask, ask)
