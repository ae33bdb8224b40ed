"""A picture of one metric of all servers over a run: what a diagnosis had to go by.

Needs python3-matplotlib (scripts/setup --bench) and zstd.
"""
import collections
import typing

from . import exposition, pack, readings, report
from .shell import LabError

PEERS = ('tab:blue', 'tab:green', 'tab:purple', 'tab:olive', 'tab:cyan', 'tab:gray', 'tab:brown')
SPAN = 5    # seconds that rates are averages of, as the smoothing of the default preset


class Metric(typing.NamedTuple):
    """field: of readings.Rates, '' for congestion windows; scale: to the title's unit."""
    title: str
    field: str = ''
    scale: float = 1.0


METRICS = {
    'await': Metric('await, ms', 'await_seconds', 1e3),
    'read': Metric('read from disk, MB/s', 'read_bytes', 1e-6),
    'busy': Metric('disk busy, %', 'busy', 100),
    'received': Metric('received, MB/s', 'received_bytes', 1e-6),
    'sent': Metric('sent, MB/s', 'sent_bytes', 1e-6),
    'cwnd': Metric('cwnd of clients, segments'),
    'cwnd-server': Metric('cwnd of servers, segments'),
}


def rates(text, metric):
    """[(second, value)] of a server's recording."""
    found = readings.recorded(text)
    made = [(after.at, getattr(readings.rates(before, after), metric.field))
            for before, after in zip(found, found[SPAN:])]
    return [(at, metric.scale * value) for at, value in made if value is not None]


def windows(texts, key=lambda labels: labels['remote_address']):
    """{key of a connection's labels: [(second, mean window)]} of recordings."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for text in texts:
        for sample in exposition.parse(text):
            if sample.name == 'limpet_tcp_cwnd_segments':
                found[key(sample.labels)][round(sample.at)].append(sample.value)
    return {name: [(second, sum(some) / len(some)) for second, some in sorted(values.items())]
            for name, values in found.items()}


def series(folder, truth, name):
    """{server: [(seconds since the fault began, value)]} of a run's folder."""
    def text(host):
        return ''.join(pack.text_of(path) for path in report.recordings(folder)
                       if path.parent.name == host)
    servers = ['io%02d' % (number + 1) for number in range(truth['servers'])]
    if name == 'cwnd':      # a server's address ends with its number
        seen = windows((text('client%02d' % (number + 1)) for number in range(truth['clients'])),
                       lambda labels: int(labels['remote_address'].rpartition('.')[2]))
        found = {server: seen.get(number + 1, []) for number, server in enumerate(servers)}
    elif name == 'cwnd-server':
        found = {server: windows([text(server)], lambda labels: server).get(server, [])
                 for server in servers}
    else:
        found = {server: rates(text(server), METRICS[name]) for server in servers}
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
