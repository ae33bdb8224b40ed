"""What system calls alone say of performance faults, as Table 1 of [Kasick09 §8] counts it.

    TP  runs in which a class of calls accuses the faulty server while the fault lasts
    FP  runs in which it accuses another, or anybody without a fault

Trained, as there, on the runs of ddr and ddw without a fault. No checklist: its groups have no members.
"""
import collections
import json
import pathlib
import tempfile

from . import report
from .shell import LabError

CONFIG = 'peer_groups: [{name: none, kind: storage, roles: [nobody]}]\n'
CALLS = ('dread', 'dwrite', 'nsread', 'ncread')
TRAINING = ('ddr', 'ddw')


def accused(lines, truth):
    """{class of calls: {server: seconds from the fault to the first accusation}} of a replay's event lines."""
    found = {name: {} for name in CALLS}
    begin = truth['begin'] if truth['cause'] is None else truth['fault_begin']
    last = truth['end'] if truth['cause'] is None else truth['fault_end'] + report.SLACK
    for event in (json.loads(line) for line in lines if '"slow-syscalls"' in line):
        if event['type'] == 'verdict' and begin <= event['end'] <= last:
            for one in event['evidence']:
                found[one['metric']].setdefault(event['node'], event['end'] - begin)
    return found


def evaluate(bin_dir, runs):
    """{(workload, fault): [(truth, accused)]}. LabError where nothing can be learned."""
    training = [(path, truth) for path, truth in runs if truth['cause'] is None and truth['workload'] in TRAINING]
    if not training:
        raise LabError('no run of %s without a fault to learn from' % ' or '.join(TRAINING))
    cells = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        learned = pathlib.Path(folder, 'thresholds.yml')
        report.train(bin_dir, 'default', training, learned)
        for path, truth in runs:
            said = report.diagnoser(bin_dir, CONFIG, 'replay', '--thresholds', learned, *report.recordings(path))
            cells[truth['workload'], truth['fault']].append((truth, accused(said.splitlines(), truth)))
    return cells


def _cell(runs, calls):
    """'3/3 after 12 s, 0/3': runs with the right server among all, the median delay, runs with another."""
    right = sorted(by[calls][truth['server']] for truth, by in runs if truth['server'] in by[calls])
    wrong = sum(bool(set(by[calls]) - {truth['server']}) for truth, by in runs)
    after = ' after %.0f s' % right[len(right) // 2] if right else ''
    share = '%d/%d%s, ' % (len(right), len(runs), after) if runs[0][0]['cause'] else ''
    return '%s%d/%d' % (share, wrong, len(runs)) if right or wrong else '–'


def markdown(cells):
    lines = ['| workload, fault | %s |' % ' | '.join(CALLS), '|---' * (1 + len(CALLS)) + '|']
    lines += ['| %s, %s | %s |' % (*key, ' | '.join(_cell(runs, one) for one in CALLS))
              for key, runs in sorted(cells.items())]
    return '\n'.join(lines)
