"""What a storage says of its own requests: is the right server named, with which cause, and when?

Faults come and go on changing servers of one lab, while a diagnoser with the file of metrics of that storage
(config/metrics) watches; then nothing is wrong for a while. Live: pages of the storage are in no recording.
"""
import dataclasses
import json
import os
import pathlib
import statistics
import time

from . import exposition, faults, filesystem, workload
from .monitor import Monitor

STANDS = 10             # seconds in which a verdict that stands is told again
LONGER = 30             # seconds after the right verdict, in which those may be named that wait for the slow one
PACKS = pathlib.Path(__file__).resolve().parents[3] / 'config/metrics'
# {file system: (workload, {fault: (strength, causes)})}. The first cause is the fault's own; until the kernel's
# counters have shown it for as long as a flag takes, the storage's slow requests are right, too.
PLANS = {
    'etcd': ('puts', {'slow-disk': (3, ('disk-busy', 'slow-requests')),
                      'receive-pktloss': (5, ('packet-loss', 'slow-requests'))}),
    'swift': ('objects', {'slow-disk': (3, ('disk-busy', 'slow-requests')), 'slow-process': (40, ('slow-requests',))}),
    'ceph': ('w4m', {'slow-disk': (2, ('disk-busy', 'slow-requests')), 'slow-process': (40, ('slow-requests',))}),
}


@dataclasses.dataclass(frozen=True)
class Outcome:
    """of: the fault; none for a healthy span. named: [(seconds after its begin, server, cause)], the first of
    each; text: the evidence of the storage in words."""
    of: str
    server: str
    causes: tuple
    seconds: float
    named: list
    load: float
    text: str = ''

    @property
    def after(self):
        """Seconds to the right server with a right cause; None: it was not named."""
        return self._first(self.causes)

    @property
    def cause_after(self):
        """The same with the fault's own cause."""
        return self._first(self.causes[:1])

    def _first(self, causes):
        return next((at for at, server, cause in self.named if server == self.server and cause in causes), None)

    @property
    def wrong(self):
        """Servers and causes that nothing was wrong with."""
        return sorted({(server, cause) for _, server, cause in self.named
                       if server != self.server or cause not in self.causes})

    def __str__(self):
        return '%s %s: %s; load average %.1f%s' % (
            self.of, self.server, ', '.join('%s %s after %.0f s' % (server, cause, at)
                                            for at, server, cause in self.named) or 'nobody named',
            self.load, '\n    ' + self.text if self.text else '')


def config(settings):
    """What the diagnoser's configuration has more than any lab's: (keys, lines of targets)."""
    system = filesystem.of(settings)
    return 'metric_files: ["%s"]\n' % (PACKS / system.PACK), system.targets(settings)


def _words(evidence):
    """What the storage says, in short."""
    said = evidence['storage']
    return '%s of %s: %s %.3g %s, its peers\' %.3g to %.3g' % (
        said['text'], evidence['component'], said['quantile'] or 'mean', said['value'], said['unit'],
        said['peers_low'], said['peers_high'])


def verdicts(lines, begin):
    """[(seconds after begin, server, cause)], the first of each that did not stand already, and the storage's words."""
    first, before, text = {}, set(), ''
    for line in lines:
        event = json.loads(line)
        if event['type'] != 'verdict' or event['secondary']:
            continue
        if event['end'] < begin:
            if event['end'] > begin - STANDS:
                before.add((event['node'], event['cause']))
            continue
        if (event['node'], event['cause']) in before:
            continue
        first.setdefault((event['node'], event['cause']), event['end'] - begin)
        text = next((_words(one) for one in event['evidence'] if one.get('storage')), text)
    return [(at, *who) for who, at in first.items()], text


def watch(events, of, server, causes, seconds, longer=LONGER):
    """Watches for so long, or until the server is named with the fault's own cause, and a while longer."""
    begin, seen, text = time.time(), {}, ''
    end, whole, place = begin + seconds, [], 0
    while time.time() < end:
        time.sleep(0.5)
        if not events.exists():
            continue
        with events.open('rb') as file:     # hours of them are long: only what came
            file.seek(place)
            added, newline, _ = file.read().rpartition(b'\n')
        place += len(added + newline)
        whole += [line for line in added.splitlines() if b'"verdict"' in line]
        found, text = verdicts(whole, begin)
        for _, *who in found:
            seen.setdefault(tuple(who), time.time() - begin)    # when it was told, not the window's end
        if causes and (server, causes[0]) in seen:
            end = begin + seen[(server, causes[0])] + longer
    return Outcome(of, server, causes, time.time() - begin, [(at, *who) for who, at in seen.items()],
                   os.getloadavg()[0], text if seen else '')


def run(lab, chosen, say):
    """The faults of the plan, each so many times, then a healthy span. Returns Outcomes."""
    settings, outcomes = lab.settings, []
    work, plan = PLANS[settings.file_system]
    if not workload.is_laid_out(settings, work):
        workload.lay_out(settings, work)
    workload.full_speed(settings)
    workload.start(settings, work)
    filesystem.of(settings).tell_of_requests(settings)
    monitor = Monitor(settings, *config(settings))
    monitor.start(lab.loops)
    events = monitor.folder / 'events.jsonl'
    time.sleep(chosen.settle)
    names = [host.name for host in settings.io_hosts]
    for number, fault in enumerate(chosen.faults or plan):
        strength, causes = plan[fault]
        for repeat in range(chosen.repeats):
            server = names[(2 * repeat + number + 1) % len(names)]
            with faults.inject(settings, fault, settings.host(server), lab.loops[server], strength):
                outcomes.append(watch(events, fault, server, causes, chosen.during))
            say(outcomes[-1])
            time.sleep(chosen.pause)
    if chosen.minutes:
        outcomes.append(watch(events, 'none', '', (), 60 * chosen.minutes))
        say(outcomes[-1])
    _keep_pages(settings, monitor, chosen.folder)
    return outcomes


def _keep_pages(settings, monitor, folder):
    """What was served and said at the end, to look at and for fixtures."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'diagnoser.txt').write_text(monitor.page() or '')
    for name in ('events.jsonl', 'diagnoser.log', 'diagnoser.yml'):
        (folder / name).write_text((monitor.folder / name).read_text())
    for host, port in filesystem.of(settings).pages(settings):
        (folder / ('%s-%d.txt' % (host.name, port))).write_text(exposition.fetch(host.address, port, seconds=10) or '')


def table(outcomes):
    """Markdown."""
    lines = ['| fault | runs | right | named after, median | own cause after, median | wrong | load average |',
             '|---|---|---|---|---|---|---|']
    for of in dict.fromkeys(one.of for one in outcomes):
        some = [one for one in outcomes if one.of == of]
        after, cause = ['%.0f s' % statistics.median(found) if found else '' for found in (
            [one.after for one in some if one.after is not None],
            [one.cause_after for one in some if one.cause_after is not None])]
        wrong = ', '.join('%s %s' % who for one in some for who in one.wrong)
        runs = '%.0f minutes' % (sum(one.seconds for one in some) / 60) if of == 'none' else len(some)
        right = '' if of == 'none' else sum(one.after is not None for one in some)
        lines.append('| %s | %s | %s | %s | %s | %s | %.1f |' % (
            of, runs, right, after, cause, wrong or 'none', statistics.mean(one.load for one in some)))
    return '\n'.join(lines) + '\n'
