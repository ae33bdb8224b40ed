"""What a server is doing, from two readings of its exporter's counters.

The names are those of limpet-exporter without its prefix, which are node_exporter's too.
"""
import re
import typing

from . import exposition

_PREFIX = re.compile('^(limpet|node)_')
_WANTED = {
    'disk_read_bytes_total': 'read',
    'disk_reads_completed_total': 'requests', 'disk_writes_completed_total': 'requests',
    'disk_read_time_seconds_total': 'waited', 'disk_write_time_seconds_total': 'waited',
    'disk_io_time_seconds_total': 'busy',
    'network_receive_bytes_total': 'received', 'network_transmit_bytes_total': 'sent'}


class Reading(typing.NamedTuple):
    """Counters at one time. at: seconds of any steady clock; totals: by the names of _WANTED."""
    at: float
    totals: dict


class Rates(typing.NamedTuple):
    """Of one server over an interval; None where it is not known."""
    read_bytes: typing.Optional[float] = None       # a second
    await_seconds: typing.Optional[float] = None    # a request, queueing included
    busy: typing.Optional[float] = None             # 0 to 1
    received_bytes: typing.Optional[float] = None   # a second
    sent_bytes: typing.Optional[float] = None       # a second
    cwnd: typing.Optional[float] = None             # the clients' windows towards it, in segments


def read(at, page):
    """A Reading of a metrics page, all disks and network interfaces but lo added up; None without
    a page."""
    return None if page is None else Reading(at, _totals(exposition.parse(page)))


def recorded(text):
    """[Reading] of a recording, in order of time."""
    by_time = {}
    for sample in exposition.parse(text):
        by_time.setdefault(sample.at, []).append(sample)
    found = [Reading(at, _totals(samples)) for at, samples in by_time.items() if at is not None]
    return sorted((one for one in found if one.totals), key=lambda one: one.at)


def _totals(samples):
    totals = {}
    for sample in samples:
        name = _WANTED.get(_PREFIX.sub('', sample.name))
        if name and sample.labels.get('device') != 'lo':
            totals[name] = totals.get(name, 0.0) + sample.value
    return totals


def rates(before, after):
    """Rates between two Readings; unknown (None) when one is missing, or a counter fell."""
    if before is None or after is None or after.at <= before.at:
        return Rates()

    def increase(name):
        if name not in before.totals or name not in after.totals:
            return None
        grown = after.totals[name] - before.totals[name]
        return grown if grown >= 0 else None

    def per_second(name):
        grown = increase(name)
        return None if grown is None else grown / (after.at - before.at)

    requests, waited, busy = increase('requests'), increase('waited'), per_second('busy')
    return Rates(per_second('read'), waited / requests if requests and waited is not None else None,
                 None if busy is None else min(busy, 1.0),
                 per_second('received'), per_second('sent'))


def windows(pages):
    """{server's address: mean congestion window towards it, in segments}, from the metrics pages
    of clients; None among the pages is left out."""
    found = {}
    for page in pages:
        for sample in exposition.parse(page or ''):
            if (sample.name == 'limpet_tcp_peer_cwnd_segments'
                    and sample.labels.get('side') == 'client'):
                found.setdefault(sample.labels.get('peer'), []).append(sample.value)
    return {address: sum(values) / len(values) for address, values in found.items()}
