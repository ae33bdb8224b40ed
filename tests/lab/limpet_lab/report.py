"""The accuracy of the diagnosis over recorded runs, as the paper counts it ([Kasick10 §11]).

    ITP  runs with a fault in which the faulty server was indicted
    IFP  runs in which another server was
    DTP  runs with a fault whose cause was named rightly
    DFP  runs in which a wrong cause was named, or any cause for another server

A run is judged as an operator would who comes back to it at the end: indicted is who was indicted at
any window end while the fault lasted; the cause of a server is the one that it had at most of them
(of two as frequent, the later).
"""
import collections
import dataclasses
import json
import pathlib
import subprocess
import tempfile
import typing

from . import gluster
from .shell import LabError

# How the diagnoser is told to decide. Runs of minutes: a step of `production` is a second, not 15.
PRESETS = {
    'default': '',
    'round-trips': 'presets: [{base: default, round_trips: true}]\n',
    'bare': 'preset: bare\n',
    'testbench': 'preset: testbench\n',
    'production': 'presets: [{base: production, step: 1s, max_gap: 2500ms}]\n',
}
SLACK = 2.0     # seconds by which a window may end before what it is said to show


@dataclasses.dataclass(frozen=True)
class Verdict:
    end: float
    node: str
    cause: str
    secondary: bool


@dataclasses.dataclass(frozen=True)
class Score:
    """One run. named: {server: its cause}. after: seconds from the fault to the first right verdict."""
    truth: dict
    named: dict
    after: typing.Optional[float]

    @property
    def indicted(self):
        return self.truth['cause'] is not None and self.truth['server'] in self.named

    @property
    def misindicted(self):
        return any(node != self.truth['server'] for node in self.named)

    @property
    def diagnosed(self):
        return self.indicted and self.named[self.truth['server']] == self.truth['cause']

    @property
    def misdiagnosed(self):
        return self.misindicted or (self.indicted and not self.diagnosed)


def score(truth, verdicts):
    """A Score of one run's verdicts; those of secondary servers do not count."""
    causes, after = collections.defaultdict(list), None
    for one in sorted(verdicts, key=lambda one: one.end):
        if one.secondary or one.end < truth['begin']:
            continue
        if truth['cause'] is not None and one.end > truth['fault_end'] + SLACK:
            continue
        causes[one.node].append(one.cause)
        if after is None and (one.node, one.cause) == (truth['server'], truth['cause']):
            after = one.end - truth['fault_begin']
    named = {}
    for node, seen in causes.items():
        count = collections.Counter(seen)
        named[node] = max(count, key=lambda cause: (count[cause], seen[::-1].index(cause) * -1))
    return Score(truth, named, after)


def rates(scores):
    """(ITP, IFP, DTP, DFP) in percent; ITP and DTP None without a run that has a fault."""
    faulty = [one for one in scores if one.truth['cause'] is not None]

    def percent(of, among):
        return 100 * sum(of(one) for one in among) / len(among) if among else None
    return (percent(lambda one: one.indicted, faulty), percent(lambda one: one.misindicted, scores),
            percent(lambda one: one.diagnosed, faulty),
            percent(lambda one: one.misdiagnosed, scores))


def runs(folder):
    """[(folder, truth)] of the runs that ended."""
    return [(path.parent, json.loads(path.read_text()))
            for path in sorted(pathlib.Path(folder).glob('*/truth.json'))]


def recordings(folder):
    return sorted(one for form in ('om', 'columns') for one in pathlib.Path(folder).glob('*/*.%s*' % form))


def config(preset, truths):
    ports = sorted({one.get('port', gluster.PORT) for one in truths},
                   key=lambda one: int(str(one).split('-', maxsplit=1)[0]))
    metadata = ('  - {name: names, kind: network, roles: [mds]}\n'
                '  - {name: names-cwnd, kind: cwnd, roles: [mds], ports: %s}\n' % ports)
    return (PRESETS[preset] +
            'peer_groups:\n'
            '  - {name: disks, kind: storage, roles: [io]}\n'
            '  - {name: network, kind: network, roles: [io]}\n'
            '  - {name: cwnd, kind: cwnd, roles: [io], ports: %s}\n' % ports +
            (metadata if any(one.get('file_system') == 'cephfs' for one in truths) else ''))


def diagnoser(bin_dir, config_text, command, *arguments):
    """What the diagnoser prints, given this configuration. LabError when it fails."""
    with tempfile.NamedTemporaryFile('w', suffix='.yml') as file:
        file.write(config_text)
        file.flush()
        words = [str(one) for one in (bin_dir / 'limpet-diagnoser', command, '--config', file.name,
                                      *arguments)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError('"%s …": %s' % (' '.join(words[:7]), done.stderr.strip()[-500:]))
    return done.stdout


def replay(bin_dir, preset, folder, truth, thresholds=None):
    """[Verdict] of one run. LabError when the diagnoser cannot read it."""
    more = ['--thresholds', thresholds] if thresholds else []
    said = diagnoser(bin_dir, config(preset, [truth]), 'replay', *more, *recordings(folder))
    found = [json.loads(line) for line in said.splitlines() if '"type":"verdict"' in line]
    return [Verdict(one['end'], one['node'], one['cause'], one['secondary']) for one in found]


def train(bin_dir, preset, runs, output):
    """Thresholds of fault-free runs: [(folder, truth)]."""
    diagnoser(bin_dir, config(preset, [truth for _, truth in runs]), 'train', '--output', output,
              *[one for folder, _ in runs for one in recordings(folder)])
