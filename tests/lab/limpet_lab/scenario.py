"""Findings of [Leung07] made again, recorded for the live page.

    metadata-crowd  three metadata servers; a crowd opens one file, so that one of them has nearly
                    all of the metadata operations (§6.3)
    journals        three servers and three metadata servers of CephFS, whose journals lie on the servers; then
                    large writes begin, and names take longer (§6.2)
    small-writes    three servers with small synchronous writes; then large writes begin beside them,
                    and the small ones take several times as long (§6.1)

Nothing limps in either: they show what the page shows, not what the diagnosis finds. GlusterFS has
no metadata servers: its servers keep the names and attributes of their own files. Those of the
first scenario hold small files alone and are recorded as metadata servers.
A run's folder holds the recordings of all hosts, what the clients saw, and scenario.json.
"""
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import sys
import time
import typing

from . import clients, experiment, pack, workload
from .lab import Lab
from .settings import METADATA_SERVERS, MIB, Settings
from .shell import LabError, in_namespace, run as run_program, spawn, stop

SHARED = 'shared'       # the clients' common folder
CANDIDATES = 200        # names tried until each server has a file: it is their hash that decides
LARGE_MIB = 48
# What a diagnosis is made from, and what the page shows beside it.
METRICS = (
    'disk_reads_completed_total', 'disk_read_bytes_total', 'disk_read_time_seconds_total',
    'disk_writes_completed_total', 'disk_written_bytes_total', 'disk_write_time_seconds_total',
    'disk_io_time_seconds_total', 'disk_io_time_weighted_seconds_total', 'disk_info',
    'network_receive_bytes_total', 'network_receive_packets_total',
    'network_transmit_bytes_total', 'network_transmit_packets_total', 'tcp_peer_cwnd_segments',
    'tcp_peer_active_sockets', 'tcp_peer_segments_sent_total',
    'tcp_peer_segments_retransmitted_total', 'block_request_bytes', 'block_requests_total',
    'block_request_seconds_total', 'syscall_operation_seconds')
# Most of the lines, of which the page shows nothing.
_LEFT_OUT = re.compile(r'limpet_syscall_operation_seconds_bucket\{')


@dataclasses.dataclass(frozen=True)
class Scenario:
    """paper: where it is described. shape: settings that differ from the lab's own. quiet and loud:
    (settings, folder) → processes; the first run all the time, the second from `before` on.
    """
    paper: str
    shape: dict
    lay_out: typing.Callable
    quiet: typing.Callable
    loud: typing.Callable
    settle: float = 8
    before: float = 45
    during: float = 60


def holder(settings, path):
    """The server that holds a file of the shared folder whole."""
    for host in settings.io_hosts:
        copy = host.brick / 'data' / SHARED / path.name
        with contextlib.suppress(OSError):
            if copy.stat().st_size > 0:
                return host.name
    return None


def shared(settings, host=None):
    return (host or settings.client_hosts[0]).mount / SHARED


def make_files(settings, stem, size):
    """{server: a file of that size on it}, one a server."""
    found = {}
    for number in range(CANDIDATES):
        path = shared(settings) / ('%s.%03d' % (stem, number))
        path.write_bytes(b'\0' * size)
        if found.setdefault(holder(settings, path), path) is not path:
            path.unlink()
        if len(found) == settings.servers:
            return found
    raise LabError('%d names of %s do not reach every server' % (CANDIDATES, stem))


def make_crowd_files(settings):
    for number in range(48):
        (shared(settings) / ('job.%03d' % number)).write_bytes(b'#' * clients.SMALL)


def crowd_files(settings):
    return sorted(shared(settings).glob('job.*'))


def make_small_and_large(settings):
    make_files(settings, 'journal', MIB)
    make_files(settings, 'bulk', LARGE_MIB * MIB)


def client_program(settings, host, folder, deed, rate, paths):
    program = pathlib.Path(clients.__file__)
    seen = [host.mount / path.relative_to(settings.client_hosts[0].mount) for path in paths]
    log = folder / ('%s.%s.log' % (host.name, deed))
    return spawn(settings.name, in_namespace(host.namespace, sys.executable, program, deed, rate,
                                             log, *seen), host.folder / (deed + '.out'))


def open_all(settings, folder):
    """Every client opens any of the files: all servers have as much to do."""
    return [client_program(settings, host, folder, 'browse', 30, crowd_files(settings))
            for host in settings.client_hosts]


def open_one(settings, folder):
    """A crowd opens the same file."""
    return [client_program(settings, host, folder, 'open', 300, crowd_files(settings)[:1])
            for host in settings.client_hosts]


def write_small(settings, folder):
    host = settings.client_hosts[0]
    return [client_program(settings, host, folder, 'write', 12, [path])
            for path in sorted(shared(settings).glob('journal.*'))]


def write_large(settings, folder):
    host = settings.client_hosts[1]
    return [spawn(settings.name, in_namespace(
        host.namespace, 'sh', '-c', 'while dd if=/dev/zero of="$0" bs=1M count=%d oflag=direct '
        'conv=notrunc; do :; done' % LARGE_MIB, shared(settings, host) / path.name),
        host.folder / 'bulk.out') for path in sorted(shared(settings).glob('bulk.*'))]


def make_one_large(settings):
    (shared(settings) / 'bulk.000').touch()


def keep_names(settings, folder):
    host = settings.client_hosts[0]
    return [client_program(settings, host, folder, 'tree', 1000, [host.mount / host.name / ('rank%d' % number)])
            for number in range(METADATA_SERVERS)]


SCENARIOS = {
    'metadata-crowd': Scenario(
        '[Leung07 §6.3]', {'server_role': 'mds'},
        make_crowd_files, open_all, open_one),
    'small-writes': Scenario(
        '[Leung07 §6.1]', {'disk_mb_per_second': 8},
        make_small_and_large, write_small, write_large),
    'journals': Scenario(
        '[Leung07 §6.2]', {'file_system': 'cephfs', 'disk_gib': 4},
        make_one_large, keep_names, write_large),
}


def settings_for(name, lab_name, network, data_dir, bin_dir):
    return Settings(name=lab_name, network=network, data_dir=data_dir, bin_dir=bin_dir, servers=3,
                    clients=2, distributed=True, buffered=True, syscalls=True,
                    **SCENARIOS[name].shape)


def seen_by_clients(folder, change):
    """{deed: (mean seconds before, mean seconds after, how many a second before, after)}, of those that
    were there before."""
    found = {}
    for deed in clients.DEEDS:
        lines = [tuple(map(float, line.split())) for file in folder.glob('*.%s.log' % deed)
                 for line in file.read_text().splitlines() if line.count(' ') == 1]
        before = [seconds for at, seconds in lines if at < change]
        after = [seconds for at, seconds in lines if at >= change]
        if before and after:
            first, last = min(at for at, _ in lines), max(at for at, _ in lines)
            found[deed] = (statistics.fmean(before), statistics.fmean(after),
                           len(before) / (change - first), len(after) / max(last - change, 1e-3))
    return found


def run(lab, name, folder, tell=lambda text: None):
    """Records it on a lab that is down and leaves it up. Returns what scenario.json says."""
    chosen, settings, target = SCENARIOS[name], lab.settings, folder / name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    lab.bring_up()
    tell('laying out files')
    shared(settings).mkdir()
    chosen.lay_out(settings)
    os.sync()
    workload.full_speed(settings)
    with contextlib.ExitStack() as stack:
        def start(processes):
            for process in processes:
                stack.callback(stop, process, 5)
            return processes
        watched = start(chosen.quiet(settings, target))
        experiment.wait(chosen.settle, watched)
        watched += start(experiment.start_recorders(settings, lab.loops, target, METRICS))
        begin = time.time()
        tell('quiet')
        experiment.wait(chosen.before, watched)
        change = time.time()
        tell('loud')
        watched += start(chosen.loud(settings, target))
        experiment.wait(chosen.during, watched)
        end = time.time()
    slim(target)
    said = {'scenario': name, 'paper': chosen.paper, 'begin': begin, 'change': change, 'end': end,
            'servers': settings.servers, 'clients': settings.clients,
            'seen_by_clients': seen_by_clients(target, change)}
    (target / 'scenario.json').write_text(json.dumps(said, indent=1) + '\n')
    return said


def slim(folder):
    """Leaves out of a run's recordings what nobody looks at, so that they can be kept."""
    for file in folder.glob('*/*.zst'):
        text = ''.join(line for line in pack.text_of(file).splitlines(keepends=True)
                       if not _LEFT_OUT.match(line))
        run_program('zstd', '-19', '-q', '-f', '-o', file, stdin=text)


def report(said):
    """Lines for people."""
    return ['%s: %.1f ms each before, %.1f ms after (%+.0f %%); %.0f a second before, %.0f after' % (
        deed, 1e3 * before, 1e3 * after, 100 * (after / before - 1), often, then)
        for deed, (before, after, often, then) in said['seen_by_clients'].items()]
