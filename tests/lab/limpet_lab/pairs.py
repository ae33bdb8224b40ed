"""Two servers, each with a fault of its own, that overlap in time: are both named, and kept?

All pairs of the four causes, each at other servers. The second fault begins some time after the first and
lasts as long; the first ends while the second goes on. truth.json holds both under "faults".
"""
import contextlib
import dataclasses
import itertools
import time

from . import faults, report, workload
from .experiment import begin_folder, end, start_recorders, wait
from .shell import stop

KINDS = ('disk-hog', 'disk-busy', 'write-network-hog', 'receive-pktloss')   # one of each cause
APART = 45      # seconds between the two, at either end
LASTS = 150
# Named with its cause, a sick server should stay so: that is the share of window ends until its end.
KEPT = 0.9


@dataclasses.dataclass(frozen=True)
class Pair:
    """kinds and servers: of the fault that begins first, and of the other one."""
    workload: str
    kinds: tuple
    servers: tuple
    seed: int = 1
    settle: float = 10
    before: float = 30

    @property
    def name(self):
        return '-'.join(('pair', self.workload, *itertools.chain(*zip(self.kinds, self.servers)), '%d' % self.seed))

    @property
    def seconds(self):
        return self.settle + self.before + APART + LASTS


def plan(servers, workloads=('ddr', 'ddw'), seed=1):
    """[Pair]: all pairs, a cause with itself included, under the workloads in turn."""
    made = []
    for number, kinds in enumerate(itertools.combinations_with_replacement(KINDS, 2)):
        # Whichever of the two begins first in one pair is not always the same kind.
        kinds = kinds[::-1] if number % 2 else kinds
        first = number % len(servers)
        second = (first + 1 + number % (len(servers) - 1)) % len(servers)
        made.append(Pair(workloads[number % len(workloads)], kinds, (servers[first], servers[second]), seed))
    return made


def run(lab, pair, folder, tell=lambda text: None):
    """Runs it on a lab that is up and returns what truth.json says."""
    settings = lab.settings
    target = begin_folder(folder, pair.name)
    if not workload.is_laid_out(settings, pair.workload):
        tell('laying out files')
        workload.lay_out(settings, pair.workload)
    workload.full_speed(settings)
    held = []

    def begin_fault(stack, number):
        server, kind = pair.servers[number], pair.kinds[number]
        tell('%s on %s' % (kind, server))
        held.append({'fault': kind, 'server': server, 'cause': faults.FAULTS[kind].cause, 'begin': time.time()})
        stack.enter_context(faults.inject(settings, kind, settings.host(server), lab.loops[server]))

    with contextlib.ExitStack() as stack:
        clients = workload.start(settings, pair.workload, pair.seed)
        stack.callback(workload.finish, clients)
        wait(pair.settle, clients)
        recorders = start_recorders(settings, lab.loops, target)
        for process in recorders:
            stack.callback(stop, process)
        watched = clients + recorders
        begin = time.time()
        wait(pair.before, watched)
        with contextlib.ExitStack() as second:
            with contextlib.ExitStack() as first:
                begin_fault(first, 0)
                wait(APART, watched)
                begin_fault(second, 1)
                wait(LASTS - APART, watched)
                held[0]['end'] = time.time()
            wait(APART, watched)
            held[1]['end'] = time.time()
        ended = time.time()
    return end(settings, target, {
        'workload': pair.workload, 'fault': ' and '.join(pair.kinds), 'server': '', 'seed': pair.seed, 'strength': None,
        'cause': None, 'begin': begin, 'end': ended, 'faults': held})


@dataclasses.dataclass(frozen=True)
class Found:
    """Of one fault. after: seconds to its name, None: never. kept: the share of window ends from then on to the
    fault's end at which its server was indicted."""
    fault: str
    server: str
    after: float
    kept: float

    @property
    def good(self):
        return self.after is not None and self.kept >= KEPT


def find(truth, verdicts):
    """([Found], [(server, cause)] named wrongly: a server without a fault, or a cause that stood longer at its
    server than the right one). Window ends at which anybody was indicted are those that count for `kept`."""
    indicted = [one for one in verdicts if not one.secondary and one.end >= truth['begin']]
    sick = {one['server'] for one in truth['faults']}
    wrong = sorted({(one.node, one.cause) for one in indicted if one.node not in sick})
    found = []
    for fault in truth['faults']:
        own = [one for one in indicted
               if one.node == fault['server'] and fault['begin'] <= one.end <= fault['end'] + report.SLACK]
        right = [one.end for one in own if one.cause == fault['cause']]
        if len(right) * 2 < len(own):
            wrong.append((fault['server'], max({one.cause for one in own} - {fault['cause']})))
        if not right:
            found.append(Found(fault['fault'], fault['server'], None, 0))
            continue
        until = fault['end']
        ends = {one.end for one in indicted if right[0] <= one.end <= until}
        kept = {one.end for one in own if right[0] <= one.end <= until}
        found.append(Found(fault['fault'], fault['server'], right[0] - fault['begin'], len(kept) / max(1, len(ends))))
    return found, wrong


def summary(judged):
    """Lines to print: [(truth, ([Found], wrong))] as Markdown."""
    lines = ['| workload | first fault | second fault | named wrongly |', '|---|---|---|---|']
    both = 0
    for truth, (found, wrong) in judged:
        both += all(one.good for one in found) and not wrong
        lines.append('| %s | %s | %s |' % (truth['workload'], ' | '.join(
            '%s, %s' % (one.fault, 'missed' if one.after is None else '%.0f s, kept %.0f %%' % (
                one.after, 100 * one.kept)) for one in found),
            ', '.join('%s %s' % one for one in wrong) or 'nobody'))
    lines += ['', 'Both named with their causes, both kept, nobody else: %d of %d.' % (both, len(judged))]
    return lines
