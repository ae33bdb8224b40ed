"""A picture of one metric of all servers over a run: what a diagnosis had to go by.

Needs python3-matplotlib (scripts/setup --bench) and zstd.
"""
import collections
import re
import subprocess
import typing

from . import report
from .shell import LabError

_LINE = re.compile(r'(\w+)\{(.*)\} (\S+) (\S+)$')
_REMOTE = re.compile(r'remote_address="[^"]*\.(\d+)"')
PEERS = ('tab:blue', 'tab:green', 'tab:purple', 'tab:olive', 'tab:cyan', 'tab:gray', 'tab:brown')
SPAN = 5    # seconds that rates are averages of, as the smoothing of the default preset


class Metric(typing.NamedTuple):
    """above / below: counters whose increases are divided, or above alone, a second. scale: to the
    unit. Congestion windows are a gauge of the clients."""
    title: str
    above: tuple
    below: tuple = ()
    scale: float = 1.0


METRICS = {
    'await': Metric('await, ms', ('disk_read_time_seconds', 'disk_write_time_seconds'),
                    ('disk_reads_completed', 'disk_writes_completed'), 1e3),
    'read': Metric('read from disk, MB/s', ('disk_read_bytes',), scale=1e-6),
    'written': Metric('written to disk, MB/s', ('disk_written_bytes',), scale=1e-6),
    'received': Metric('received, MB/s', ('network_receive_bytes',), scale=1e-6),
    'sent': Metric('sent, MB/s', ('network_transmit_bytes',), scale=1e-6),
    'cwnd': Metric('cwnd of clients, segments', ()),
    'cwnd-server': Metric('cwnd of servers, segments', ()),
}


def counters(text):
    """{name without prefix and _total: {second: value}} of a recording, devices added up."""
    found = collections.defaultdict(lambda: collections.defaultdict(float))
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            name = match[1].removeprefix('limpet_').removesuffix('_total')
            found[name][float(match[4])] += float(match[3])
    return found


def rates(found, metric):
    """[(second, value)] of a server."""
    above = [found[name] for name in metric.above]
    below = [found[name] for name in metric.below]
    times = sorted(set.intersection(*(set(one) for one in above + below)))
    made = []
    for begin, end in zip(times, times[SPAN:]):
        grown = sum(one[end] - one[begin] for one in above)
        by = sum(one[end] - one[begin] for one in below) if below else end - begin
        if by > 0 and grown >= 0:
            made.append((end, metric.scale * grown / by))
    return made


def windows(texts):
    """{last number of the remote address: [(second, mean window)]} of recordings."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for text in texts:
        for line in text.splitlines():
            match = _LINE.match(line) if line.startswith('limpet_tcp_cwnd_segments{') else None
            remote = _REMOTE.search(match[2]) if match else None
            if remote:
                found[int(remote[1])][round(float(match[4]))].append(float(match[3]))
    return {remote: _means(some) for remote, some in found.items()}


def _means(values):
    return [(second, sum(some) / len(some)) for second, some in sorted(values.items())]


def series(folder, truth, name):
    """{server: [(seconds since the fault began, value)]} of a run's folder."""
    def text(host):
        files = [str(path) for path in report.recordings(folder) if path.parent.name == host]
        return subprocess.run(['zstd', '-dcq', *files], capture_output=True, check=True,
                              encoding='utf-8').stdout
    servers = ['io%02d' % (number + 1) for number in range(truth['servers'])]
    if name == 'cwnd':
        seen = windows(text('client%02d' % (number + 1)) for number in range(truth['clients']))
        found = {server: seen.get(number + 1, []) for number, server in enumerate(servers)}
    elif name == 'cwnd-server':
        found = {}
        for server in servers:
            seen = collections.defaultdict(list)
            for points in windows([text(server)]).values():
                for second, value in points:
                    seen[second].append(value)
            found[server] = _means(seen)
    else:
        found = {server: rates(counters(text(server)), METRICS[name]) for server in servers}
    return {server: [(at - truth['fault_begin'], value) for at, value in points]
            for server, points in found.items()}


def draw(folder, truth, names, output):
    """Writes the picture, a row a metric, the faulty server in red."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise LabError('pictures need python3-matplotlib: scripts/setup --bench') from None
    figure = Figure(figsize=(8, 2.2 * len(names)), layout='tight')
    for row, name in enumerate(names):
        axes = figure.add_subplot(len(names), 1, row + 1)
        for number, (server, points) in enumerate(sorted(series(folder, truth, name).items())):
            faulty = server == truth['server']
            axes.plot(*zip(*points), label=server,
                      color='tab:red' if faulty else PEERS[number % len(PEERS)],
                      linewidth=1.8 if faulty else 0.8, alpha=1 if faulty else 0.6,
                      zorder=3 if faulty else 2)
        axes.axvspan(0, truth['fault_end'] - truth['fault_begin'], color='0.93', zorder=1)
        axes.set_ylabel(METRICS[name].title, fontsize=8)
        axes.set_ylim(bottom=0)
        axes.tick_params(labelsize=8)
        if row == 0:
            axes.set_title('%s on %s under %s' % (truth['fault'], truth['server'] or 'nobody',
                                                  truth['workload']), fontsize=9)
            axes.legend(fontsize=7, loc='center left', bbox_to_anchor=(1, 0.5), frameon=False)
    axes.set_xlabel('seconds since the fault began', fontsize=8)
    figure.savefig(output, metadata={'Date': None})
