"""A store of objects: OpenStack Swift. An object server on each server, on ext4 on its disk; three copies of each object.

A proxy with a memcached on each client writes to the servers of an object's copies side by side and answers when two
of three have; container and account servers are on a host of their own. statsd_page.py on each server,
with the mapping that stands in config/metrics/swift.yml, tells of its object server's timers as statsd_exporter does.
"""
import contextlib
import pathlib
import re
import sys

from . import exposition
from .own_unit import in_unit
from .shell import in_namespace, run, spawn, stop, wait_until

PORT = '6200'           # proxies to object servers
RAW_DISKS = False
PACK = 'swift.yml'
PAGE_PORT, STATSD_PORT, PROXY_PORT = 9102, 8125, 8080
COPIES, PART_POWER = 3, 8
WORKERS = 3             # of an object server, which waits for its disk in read()
# Container and account servers: {kind: the first of three ports}.
SMALL = {'container': 6301, 'account': 6401}
SECONDS = 90            # Python programs take that long to start on a busy machine

COMMON = """[DEFAULT]
bind_ip = {ip}
bind_port = {port}
workers = {workers}
user = root
swift_dir = {rings}
log_level = WARNING
log_udp_host = 127.0.0.1
"""
SERVER = COMMON + """devices = {devices}
mount_check = false
fallocate_reserve = 0
db_preallocation = off
log_statsd_host = {statsd}
log_statsd_port = {statsd_port}
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
keep_cache_size = 0
log_requests = false
[object-auditor]
bytes_per_second = 2000000
interval = 1
recon_cache_path = {devices}
"""
PROXY = COMMON + """[pipeline:main]
pipeline = catch_errors healthcheck cache proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:11211
"""


def targets(settings):
    """Lines of the diagnoser's `targets`: what tells of the metrics in PACK."""
    return ''.join('  - {address: "%s:%d", node: %s-swift, role: swift, labels: {host: %s}}\n' % (
        host.address, PAGE_PORT, host.name, host.name) for host in settings.io_hosts)


def pages(settings):
    return [(host, PAGE_PORT) for host in settings.io_hosts]


def mapping(text):
    """The mapping in the comments of PACK, as YAML."""
    lines = [line[2:] for line in text.splitlines() if line.startswith('# ')]
    begin = next(i for i, line in enumerate(lines) if line.strip() == 'mappings:')
    end = next((i for i in range(begin + 1, len(lines)) if not lines[i].startswith('  ')), len(lines))
    return '\n'.join(line[2:] for line in lines[begin:end]) + '\n'


def tell_of_requests(settings):
    """It does by itself, once there are requests."""
    for host, port in pages(settings):
        wait_until('timers of ' + host.name, lambda host=host, port=port: re.search(
            r'swift_object_server_timing_seconds_bucket.*method="PUT"', exposition.fetch(host.address, port) or ''),
            seconds=SECONDS, interval=1)


def _rings(settings):
    return settings.host('meta').folder / 'rings'


def _builder(*arguments):
    run('swift-ring-builder', *arguments, check=False)      # 1 is a warning


def make_rings(settings):
    """Six equal devices at once would be paired off in two triples of copies: two thirds, then one more each time."""
    rings, meta = _rings(settings), settings.host('meta')
    rings.mkdir(parents=True)
    (rings / 'swift.conf').write_text('[swift-hash]\nswift_hash_path_suffix = lab\n')
    builder = rings / 'object.builder'
    _builder(builder, 'create', PART_POWER, COPIES, 0)
    for number, host in enumerate(settings.io_hosts, 1):
        _builder(builder, 'add', 'r1z%d-%s:%s/%s' % (number, host.address, PORT, host.brick.name), 100)
        if number >= 4:
            for seed in range(1, 6):
                _builder(builder, 'rebalance', '--force', '--seed', seed)
    for kind, first in SMALL.items():
        builder = rings / (kind + '.builder')
        _builder(builder, 'create', PART_POWER, COPIES, 0)
        for number in range(3):
            _builder(builder, 'add', 'r1z%d-%s:%d/d' % (number + 1, meta.address, first + number), 100)
        _builder(builder, 'rebalance', '--seed', 7)


def _start(settings, host, kind, folder, port, devices, workers=1, statsd='', unit=None):
    """An account, container or object server; unit: (its name, its loop device)."""
    config, log = folder / (kind + '-server.conf'), folder / 'brick.log'
    config.write_text(SERVER.format(ip=host.address, port=port, workers=workers, rings=_rings(settings), kind=kind,
                                    devices=devices, statsd=statsd, statsd_port=STATSD_PORT))
    command = in_namespace(host.namespace, 'swift-%s-server' % kind, config)
    return spawn(settings.name, in_unit(settings, *unit, command) if unit else command, log), log


def start_shared(settings):
    """Makes the rings, starts container and account servers."""
    host = settings.host('meta')
    make_rings(settings)
    for kind, first in SMALL.items():
        for number in range(3):
            folder = host.folder / ('%s%d' % (kind, number))
            (folder / 'd').mkdir(parents=True)
            _start(settings, host, kind, folder, first + number, folder)


def start_server(settings, host):
    """Starts an object server and what makes a page of its timers."""
    rules = host.folder / 'statsd.yml'
    rules.write_text(mapping((pathlib.Path(__file__).resolve().parents[3] / 'config/metrics' / PACK).read_text()))
    spawn(settings.name, in_namespace(
        host.namespace, sys.executable, pathlib.Path(__file__).with_name('statsd_page.py'), rules, STATSD_PORT,
        host.address, PAGE_PORT), host.folder / 'statsd.log')
    loop = run('findmnt', '--noheadings', '--output', 'SOURCE', host.brick).strip()
    _start(settings, host, 'object', host.folder, PORT, host.folder, WORKERS, '127.0.0.1',
           ('swift-object@%s.service' % host.name[-1], loop))


def _answers(host, port):
    return exposition.fetch(host.address, port, '/healthcheck') is not None


def mount(settings, host):
    """Starts a proxy, whose objects clients write and read; waits for the servers."""
    (host.mount / host.name).mkdir(parents=True)
    for one in settings.io_hosts:
        log = one.folder / 'brick.log'
        wait_until('the object server of ' + one.name, lambda one=one: exposition.answers(one.address, int(PORT)),
                   seconds=SECONDS, interval=0.5, log=log)
    config, log = host.folder / 'proxy.conf', host.folder / 'client.log'
    config.write_text(PROXY.format(ip='0.0.0.0', port=PROXY_PORT, workers=1, rings=_rings(settings)))
    spawn(settings.name, in_namespace(host.namespace, 'memcached', '-u', 'root', '-l', '127.0.0.1', '-m', 64), log)
    process = spawn(settings.name, in_namespace(host.namespace, 'swift-proxy-server', config), log)
    wait_until('the proxy of ' + host.name, lambda: _answers(host, PROXY_PORT), seconds=SECONDS, interval=0.5,
               process=process, log=log)
    return process, log


@contextlib.contextmanager
def audit(settings, host, loop, strength):
    """The server reads all its objects to check them, over and over: a scrub."""
    process = spawn(settings.name, in_namespace(host.namespace, 'swift-object-auditor', host.folder / 'object-server.conf'),
                    host.folder / 'audit.log')
    try:
        yield
    finally:
        stop(process)
