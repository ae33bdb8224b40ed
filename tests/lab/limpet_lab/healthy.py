"""Hours without a fault: how often is a healthy server named?

One recording of a file system whose work changes: workloads of random length, one for all clients or another
for each, pauses between some of them, and what is no fault (Ceph: a deep scrub of a random server). The same
seed makes the same timetable.
"""
import contextlib
import dataclasses
import math
import random
import time

from . import faults, report, workload
from .experiment import begin_folder, end, start_recorders, wait
from .shell import stop

# By file system: what its clients may do.
UNBUFFERED = ('ddr', 'ddw', 'iozoner', 'iozonew')
WORKLOADS = {'gluster': UNBUFFERED, 'moosefs': ('readmany', 'writemany'), 'ceph': ('w4m', 'r64k', 'r4m', 'mix')}
BUFFERED = ('postmark', 'postmark-short', 'smallfiles')
HARMLESS = {'ceph': ('none', 'none', 'deep-scrub')}
SECONDS = (60, 420)     # of a workload
PAUSE = (20, 120)       # after every third, in the mean
SETTLE = 10


@dataclasses.dataclass(frozen=True)
class Part:
    """workloads: of the clients in turn; none: they rest. event: what happens meanwhile, and to whom."""
    seconds: float
    workloads: tuple
    event: str = 'none'
    server: str = ''


def timetable(settings, seconds, seed):
    """[Part] that last so long."""
    draw = random.Random(seed)
    known = BUFFERED if settings.buffered else WORKLOADS[settings.file_system]
    parts, left = [], seconds
    while left > 0:
        rests = parts and parts[-1].workloads and draw.random() < 1 / 3
        length = min(left, draw.uniform(*(PAUSE if rests else SECONDS)))
        if rests:
            parts.append(Part(length, ()))
        else:
            # Ceph's workloads differ in their pool; one for all is what its matrix has.
            mixed = settings.file_system != 'ceph' and draw.random() < 0.3
            chosen = tuple(draw.sample(known, min(len(known), settings.clients))) if mixed else (draw.choice(known),)
            event = draw.choice(HARMLESS.get(settings.file_system, ('none',)))
            server = draw.choice(settings.io_hosts).name if event != 'none' else ''
            parts.append(Part(length, chosen, event, server))
        left -= length
    return parts


def record(lab, seconds, seed, folder, tell=lambda text: None):
    """One run of so many seconds on a lab that is up. truth.json says how many workloads ended early."""
    settings = lab.settings
    parts = timetable(settings, seconds, seed)
    for name in sorted({name for part in parts for name in part.workloads}):
        if not workload.is_laid_out(settings, name):
            workload.lay_out(settings, name)
    workload.full_speed(settings)
    target = begin_folder(folder, 'healthy-%s-%d' % (settings.name, seed))
    with contextlib.ExitStack() as stack:
        recorders = start_recorders(settings, lab.loops, target)
        for process in recorders:
            stack.callback(stop, process)
        begin, given_up = time.time(), 0
        wait(SETTLE, recorders)
        for part in parts:
            tell('%.0f s of %s%s' % (part.seconds, ', '.join(part.workloads) or 'nothing',
                                     '; %s of %s' % (part.event, part.server) if part.server else ''))
            with contextlib.ExitStack() as during:
                clients = workload.start_each(settings, part.workloads, seed) if part.workloads else []
                during.callback(workload.finish, clients)
                server = settings.host(part.server) if part.server else None
                with faults.inject(settings, part.event, server, lab.loops.get(part.server)):
                    wait(part.seconds, recorders)
                # A client may give up on a machine that is too busy: the servers are healthy all the same.
                given_up += sum(client.poll() is not None for client in clients)
        ended = time.time()
    return end(settings, target, {
        'workload': 'changing', 'fault': 'none', 'server': '', 'seed': seed, 'strength': 0, 'cause': None,
        'begin': begin, 'fault_begin': begin, 'fault_end': ended, 'end': ended, 'buffered': settings.buffered,
        'distributed': settings.distributed, 'given_up': given_up,
        'parts': [dataclasses.asdict(part) for part in parts]})


def most_likely(wrong, chance=0.95):
    """The largest mean of a Poisson count at which so few or fewer still come with probability 1 - chance:
    the upper end of a one-sided confidence interval."""
    low, high = 0.0, 10.0 + 10 * wrong
    for _ in range(60):
        mean = (low + high) / 2
        few = sum(math.exp(-mean) * mean ** k / math.factorial(k) for k in range(wrong + 1))
        low, high = (mean, high) if few > 1 - chance else (low, mean)
    return high


def spells(verdicts, apart=60):
    """[(server, cause, begin, end)]: verdicts on one server less than a minute apart are one indictment."""
    found = {}
    for one in sorted(verdicts, key=lambda one: one.end):
        if one.secondary:
            continue
        own = found.setdefault(one.node, [])
        if own and one.end - own[-1][3] <= apart:
            own[-1] = (one.node, own[-1][1], own[-1][2], one.end)
        else:
            own.append((one.node, one.cause, one.end, one.end))
    return [spell for own in found.values() for spell in own]


def judge(bin_dir, found, preset='default'):
    """[(folder, truth, server-seconds, spells)] of recorded runs."""
    return [(path, truth, (truth['end'] - truth['begin']) * truth['servers'],
             spells(report.replay(bin_dir, preset, path, truth))) for path, truth in found]


def summary(judged):
    """Lines to print."""
    lines, hours, wrong = [], 0.0, 0
    for path, truth, seconds, named in judged:
        hours += seconds / 3600
        wrong += len(named)
        lines.append('%s: %s, %.1f server-hours, %d wrong' % (path.name, truth['file_system'], seconds / 3600,
                                                              len(named)))
        lines += ['  %s %s from %.0f s to %.0f s' % (node, cause, begin - truth['begin'], end - truth['begin'])
                  for node, cause, begin, end in named]
    lines.append('together %.1f server-hours, %d wrong indictments; at 95 %% at most %.2f a server-day' % (
        hours, wrong, most_likely(wrong) / hours * 24 if hours else math.inf))
    return lines
