"""Behaviour profiles over recorded runs, as [Pan08 §5] counts them.

    TP  faulty servers that were indicted, after the fault began
    FP  servers without a fault that were indicted, at any time

Two models for each workload: learned from the fault-free runs of all workloads, and from those of
all others (cross-validated: the workload was never seen).
"""
import collections
import dataclasses
import json
import pathlib
import tempfile

from . import own_proc, report

# The lab's disks are loop devices, its links are called eth0.
CONFIG = ('profiles: {model: %%s, roles: [io], metrics: [%s], disks: "^loop", interfaces: "^eth0$"}\n'
          % ', '.join(own_proc.METRICS))


@dataclasses.dataclass
class Cell:
    """Servers counted over the runs of one workload and fault."""
    faulty: int = 0
    found: int = 0
    healthy: int = 0
    accused: int = 0

    def add(self, truth, first):
        """first: {server: when it was first indicted, or None}"""
        for name, at in first.items():
            if name == truth['server']:
                self.faulty += 1
                self.found += at is not None and at >= truth['fault_begin']
            else:
                self.healthy += 1
                self.accused += at is not None

    @property
    def text(self):
        found = '%d of %d' % (self.found, self.faulty) if self.faulty else '–'
        return '%s | %d of %d' % (found, self.accused, self.healthy)


def first_indictments(lines):
    """{server: when it was first indicted, or None} of the event lines of a replay."""
    first = {}
    for line in lines:
        if not line.startswith('{"type":"profile"'):
            continue
        event = json.loads(line)
        for one in event['components']:
            first.setdefault(one['component'], None)
            if one['indicted'] and first[one['component']] is None:
                first[one['component']] = event['end']
    return first


def evaluate(bin_dir, found):
    """{(workload, fault, cross-validated): Cell} of report.runs(). LabError when a model cannot be
    learned."""
    cells = collections.defaultdict(Cell)
    workloads = sorted({truth['workload'] for _, truth in found})
    with tempfile.TemporaryDirectory() as folder:
        for workload in workloads:
            for cross in (False, True) if len(workloads) > 1 else (False,):
                model = pathlib.Path(folder, 'model.yml')
                healthy = [path for path, truth in found if truth['cause'] is None
                           and not (cross and truth['workload'] == workload)]
                report.diagnoser(bin_dir, CONFIG % model, 'train', '--profiles', '--output', model,
                                 *[one for path in healthy for one in report.recordings(path)])
                for path, truth in found:
                    if truth['workload'] == workload:
                        text = report.diagnoser(bin_dir, CONFIG % model, 'replay',
                                                *report.recordings(path))
                        cells[workload, truth['fault'], cross].add(
                            truth, first_indictments(text.splitlines()))
    return cells


def markdown(cells):
    lines = ['| workload | fault | workload known | TP | FP |', '|---|---|---|---|---|']
    lines += ['| %s | %s | %s | %s |' % (workload, fault, 'no' if cross else 'yes', cell.text)
              for (workload, fault, cross), cell in sorted(cells.items())]
    return '\n'.join(lines)
