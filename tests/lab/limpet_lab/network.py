"""Hosts as network namespaces, joined by a bridge in a namespace of its own.

No host has a route out of the lab. One more veth pair joins the bridge to this machine, so that
what runs outside can reach the hosts; it has an address on the lab's network and no forwarding.
"""
import contextlib
import pathlib

from .shell import LabError, in_namespace, run

BRIDGE = 'br0'
# A port's buffer: of 170 packets of 1,500 bytes, or of 110 of 9,000.
TOKEN_BUCKET = {1500: ('burst', '64kb', 'limit', '256kb'), 9000: ('burst', '64kb', 'limit', '1mb')}


def switch_namespace(settings):
    return settings.name + '-switch'


def holder_of(network, listing):
    """The device with an address of that /24, from the text of `ip -o -4 address`; None: it is free."""
    for line in listing.splitlines():
        words = line.split()
        if len(words) > 3 and words[3].startswith(network + '.'):
            return words[1]
    return None


def free_network(first, listing=None):
    """The first /24 of 198.18.0.0/16, from 198.18.`first` on, that this machine has no address of."""
    listing = run('ip', '-o', '-4', 'address') if listing is None else listing
    for third in range(first, 256):
        if holder_of('198.18.%d' % third, listing) is None:
            return '198.18.%d' % third
    raise LabError('every network from 198.18.%d.0 on is taken: see "ip -4 address"' % first)


def bring_up(settings):
    """Makes the bridge, the hosts and their links. LabError when the kernel refuses something, or
    the network is another lab's: what runs outside would reach the hosts of either."""
    holder = holder_of(settings.network, run('ip', '-o', '-4', 'address'))
    if holder is not None:
        raise LabError('%s.0/24 is taken by the interface %s: choose another with --network, such as '
                       '%s' % (settings.network, holder, free_network(90)))
    switch = switch_namespace(settings)
    run('ip', 'netns', 'add', switch)
    run(*in_namespace(switch, 'ip', 'link', 'add', BRIDGE, 'type', 'bridge'))
    run(*in_namespace(switch, 'ip', 'link', 'set', BRIDGE, 'up'))
    for host in settings.hosts:
        _add_host(settings, host)
    _add_outside(settings)


def _add_host(settings, host):
    switch, inside = switch_namespace(settings), host.namespace
    run('ip', 'netns', 'add', inside)
    run('ip', 'link', 'add', 'eth0', 'netns', inside, 'type', 'veth',
        'peer', 'name', host.name, 'netns', switch)
    for namespace, device in ((inside, 'eth0'), (switch, host.name)):
        # A dropped packet is to be one packet, not the 64 kB of an offloaded segment.
        run(*in_namespace(namespace, 'ethtool', '-K', device, 'tso', 'off', 'gso', 'off',
                          'gro', 'off'))
        run(*in_namespace(namespace, 'ip', 'link', 'set', device, 'mtu', settings.mtu))
        run(*in_namespace(namespace, 'ip', 'link', 'set', device, 'up'))
    run(*in_namespace(switch, 'ip', 'link', 'set', host.name, 'master', BRIDGE))
    run(*in_namespace(inside, 'ip', 'link', 'set', 'lo', 'up'))
    run(*in_namespace(inside, 'ip', 'address', 'add', host.address + '/24', 'dev', 'eth0'))
    # The system's default may be any. In a namespace the sysctl is refused; a route may name
    # whatever algorithm the kernel has.
    run(*in_namespace(inside, 'sysctl', '-qw', 'net.ipv4.tcp_no_metrics_save=1'))
    run(*in_namespace(inside, 'ip', 'route', 'replace', settings.network + '.0/24', 'dev', 'eth0',
                      'src', host.address, 'congctl', settings.congestion))
    if host.role in ('io', 'mds'):
        limit(settings, host, settings.link_mbit)


def limit(settings, host, mbit):
    """Both ways of a host's link."""
    for namespace, device in ((host.namespace, 'eth0'), (switch_namespace(settings), host.name)):
        run(*in_namespace(namespace, 'tc', 'qdisc', 'replace', 'dev', device, 'root', 'tbf', 'rate',
                          '%gmbit' % mbit, *TOKEN_BUCKET[settings.mtu]))


def lift(settings, host):
    """Ends `limit`."""
    for namespace, device in ((host.namespace, 'eth0'), (switch_namespace(settings), host.name)):
        run(*in_namespace(namespace, 'tc', 'qdisc', 'delete', 'dev', device, 'root'))


@contextlib.contextmanager
def unlimited(settings):
    """Lifts the limits of the servers' links for a while, to lay out files."""
    for host in settings.io_hosts:
        lift(settings, host)
    try:
        yield
    finally:
        for host in settings.io_hosts:
            limit(settings, host, settings.link_mbit)


def _add_outside(settings):
    switch, device = switch_namespace(settings), settings.name
    run('ip', 'link', 'add', device, 'type', 'veth', 'peer', 'name', 'outside', 'netns', switch)
    run(*in_namespace(switch, 'ip', 'link', 'set', 'outside', 'mtu', settings.mtu))
    run('ip', 'link', 'set', device, 'mtu', settings.mtu)
    run(*in_namespace(switch, 'ip', 'link', 'set', 'outside', 'up'))
    run(*in_namespace(switch, 'ip', 'link', 'set', 'outside', 'master', BRIDGE))
    run('ip', 'address', 'add', settings.outside_address + '/24', 'dev', device)
    run('ip', 'link', 'set', device, 'up')


def listens(pid, port):
    """Whether anybody listens on the port in that process's network namespace."""
    with contextlib.suppress(OSError):
        table = pathlib.Path('/proc/%d/net/tcp' % pid).read_text()
        return any(':%04X 00000000:0000 0A' % port in line for line in table.splitlines())
    return False
