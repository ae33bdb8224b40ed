"""Healthy time of real file systems, thinned to the steps at which sites scrape: no server may be named.

    check_thinned.py [--steps 1,15,30,60] [--runs FOLDER]

The recorded runs (recordings/round1.tar.xz, or those of a folder, as the lab writes it) have half a minute or more
without a fault each. These parts stand one after the other, counters go on from part to part, and of each server only
one block of samples a step is left, without connections, of which node_exporter knows nothing. Prints how much was
judged.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from limpet_lab import report
from limpet_lab.settings import default_bin_dir

ROUND = pathlib.Path(__file__).with_name('recordings') / 'round1.tar.xz'
LINE = re.compile(r'^(\S+) (\S+) (\d+\.\d+)$')
OF_CONNECTIONS = re.compile(r'[{,](port|peer)=')
COUNTER = re.compile(r'^\w+_(total|sum|count|bucket)\b')
BEGIN = 1_795_000_000.0
CONFIG = ('peer_groups:\n  - {name: disks, kind: storage, roles: [io]}\n'
          '  - {name: network, kind: network, roles: [io]}\n')


class Splice:
    """One server's parts as one recording."""

    def __init__(self):
        self.lines = []     # (instant, series, value)
        self._last = {}     # of counters

    def add(self, text, begin, end, at):
        """Adds the samples of begin to end as if begin were at."""
        shift = {}
        for series, value, stamp in (match.groups() for match in map(LINE.match, text.splitlines()) if match):
            instant = float(stamp)
            if not begin <= instant <= end or OF_CONNECTIONS.search(series):
                continue
            series = re.sub('device="loop[0-9]+"', 'device="sdb"', series)
            if COUNTER.match(series):
                number = float(value)
                shift.setdefault(series, self._last.get(series, number) - number)
                self._last[series] = number + shift[series]
                value = '%.3f' % self._last[series]
            self.lines.append((instant - begin + at, series, value))

    def thinned(self, step):
        """The text of a recording with the first block of each step."""
        first = {}
        for instant, _, _ in self.lines:
            first.setdefault(instant // step, instant)
        return ''.join('%s %s %.3f\n' % (series, value, instant) for instant, series, value in self.lines
                       if instant == first[instant // step]) + '# EOF\n'


def healthy_part(truth):
    end = truth['end'] if truth['fault'] == 'none' else truth['fault_begin']
    return truth['begin'] + 1, end - 1


def text_of(recording):
    if recording.suffix != '.zst':
        return recording.read_text()
    return subprocess.run(['zstd', '-dc', recording], capture_output=True, text=True, check=True).stdout


def splice(folder):
    """({server or client: its Splice}, seconds)."""
    hosts, at = collections.defaultdict(Splice), BEGIN
    for path, truth in sorted(report.runs(folder)):
        begin, end = healthy_part(truth)
        for recording in sorted(path.glob('*/*.om*')):
            hosts[recording.parent.name].add(text_of(recording), begin, end, at)
        at += end - begin
    return hosts, at - BEGIN


def judge(hosts, step, folder):
    """(windows, {(server, cause)}) of a replay."""
    for name, host in hosts.items():
        (folder / name).mkdir(parents=True)
        (folder / name / '20261118T000000Z.om').write_text(host.thinned(step))
    said = [json.loads(line) for line in report.diagnoser(default_bin_dir(), CONFIG, 'replay', folder).splitlines()]
    return (sum(one['type'] == 'window' for one in said),
            {(one['node'], one['cause']) for one in said if one['type'] == 'verdict'})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--steps', default='1,15,30,60')
    parser.add_argument('--runs', type=pathlib.Path)
    chosen = parser.parse_args()
    steps = [int(step) for step in chosen.steps.split(',')]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if not chosen.runs:
            with tarfile.open(ROUND) as packed:
                packed.extractall(folder / 'round')
        hosts, seconds = splice(chosen.runs or folder / 'round')
        servers = sum(name.startswith('io') for name in hosts)
        for step in steps:
            windows, named = judge(hosts, step, folder / str(step))
            print('%2d s: %.2f server-hours, %d windows, named: %s' % (
                step, servers * seconds / 3600, windows, sorted(named) or 'none'), flush=True)
            failed |= bool(named) or windows == 0
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
