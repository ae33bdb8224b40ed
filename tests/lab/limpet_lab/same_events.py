"""Whether a replay of recordings says what the live diagnosis said while they were written.

Everything is as in production: exporters that record what they serve, half of them as text and half
in columns; a diagnoser with the shipped presets that scrapes them and writes its events; faults
that come and go. The diagnoser is there before the first exporter and after the last, so that it
sees all that is recorded.
"""
import collections
import contextlib
import itertools
import json
import subprocess
import time

from . import exposition, faults, filesystem, monitor
from .own_proc import with_own_files
from .shell import LabError, in_namespace, spawn, stop, wait_until

FAULTS = ('disk-hog', 'receive-pktloss', 'slow-disk', 'write-network-hog')
# The papers' presets beside the default, untrained: other windows, other distances.
PRESETS = ('presets:\n'
           '  - {name: default}\n'
           '  - {base: testbench}\n'
           '  - {base: production, step: 1s, max_gap: 2500ms}\n')
LATENESS = 5            # seconds; long, so that a machine busy with other things loses no sample


def timetable(minutes, kinds=FAULTS):
    """[(seconds, fault or none)] that last so many minutes: a quarter of it healthy at first, then
    as long with each fault as without it."""
    first, each = 15 * minutes, 45 * minutes / (2 * len(kinds))
    return [(first, 'none')] + [step for kind in kinds for step in ((each, kind), (each, 'none'))]


class Watched:
    """A lab with recording exporters and a diagnoser."""

    def __init__(self, settings, folder):
        self._settings = settings
        self._exporters = []
        self._diagnoser = None
        self.recordings = folder / 'recordings'
        self.events = folder / 'events.jsonl'
        self.config = folder / 'diagnoser.yml'
        self._log = folder / 'diagnoser.log'
        self._port = monitor.free_port(monitor.DIAGNOSER_PORT)

    def start(self, loops):
        settings = self._settings
        text = monitor.diagnoser_config(settings, self.events)
        # Asked twice as often as there are samples: none is missed on a busy machine.
        self.config.write_text(
            '%sscrape: {interval: 500ms}\nlateness: %ds\n%s' % (PRESETS, LATENESS, text[text.index('events:'):]))
        self._diagnoser = spawn(settings.name, [
            settings.bin_dir / 'limpet-diagnoser', 'serve', '--config', self.config,
            '--web.listen-address', '127.0.0.1:%d' % self._port], self._log)
        wait_until('the diagnoser', self.page, process=self._diagnoser, log=self._log)
        for host, form in zip(settings.io_hosts + settings.client_hosts,
                              itertools.cycle(('text', 'columns'))):
            self._exporters.append(self._start_exporter(host, loops.get(host.name), form))
        wait_until('a scrape of every exporter', lambda: self._count_up() == len(self._exporters),
                   seconds=60, process=self._diagnoser, log=self._log)

    def _count_up(self):
        return sum(one.value for one in exposition.parse(self.page() or '')
                   if one.name == 'limpet_target_up')

    def _start_exporter(self, host, loop, form):
        settings, log = self._settings, host.folder / 'exporter.log'
        config = host.folder / 'exporter.yml'
        (self.recordings / host.name).mkdir(parents=True)
        config.write_text(monitor.exporter_config(settings, loop) +
                          monitor.record_config(host, self.recordings, form))
        return spawn(settings.name, with_own_files(settings, host, in_namespace(
            host.namespace, settings.bin_dir / 'limpet-exporter', 'serve', '--config', config,
            '--web.listen-address', '%s:%d' % (host.address, monitor.EXPORTER_PORT))), log)

    def page(self):
        return exposition.fetch('127.0.0.1', self._port)

    def processes(self):
        return [self._diagnoser, *self._exporters]

    def stop(self):
        """Exporters first: the diagnoser then has seen their last samples."""
        for process in self._exporters:
            stop(process)
        if self._diagnoser is not None and self._exporters:
            time.sleep(2 * LATENESS)
            stop(self._diagnoser)
        self._exporters, self._diagnoser = [], None


def play(lab, watched, table, tell):
    """Lets the faults of a timetable come and go, each on another server. LabError when a program
    ends."""
    hosts = itertools.cycle(lab.settings.io_hosts)
    for seconds, kind in table:
        host = next(hosts) if kind != 'none' else lab.settings.io_hosts[0]
        tell('%s, %.0f s%s' % (kind, seconds, '' if kind == 'none' else ' on ' + host.name))
        with contextlib.ExitStack() as stack:
            stack.enter_context(faults.inject(lab.settings, kind, host, lab.loops[host.name]))
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for process in watched.processes():
                    if process.poll() is not None:
                        raise LabError('%s ended with %d' % (process.args, process.returncode))
                time.sleep(1)


def replay(settings, watched):
    """The lines of a replay of what was recorded, with the configuration of the live diagnosis."""
    command = [settings.bin_dir / 'limpet-diagnoser', 'replay', '--config', watched.config,
               watched.recordings]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise LabError('replay: %s' % done.stderr.strip()[-500:])
    return done.stdout.splitlines()


def by_preset(lines, until):
    """{preset: its lines}, in their order, without the summary and what ends after `until`. Live, a
    preset with short windows does not wait for one with long ones; a replay has one order of time."""
    found = collections.defaultdict(list)
    for line in lines:
        event = json.loads(line)
        if event.get('end', until + 1) <= until:
            found[event.get('preset', '')].append(line)
    return found


def last_common(live, replayed):
    """The end of the last window that both have whole: the recordings end with the exporters, and
    the diagnosis a little later."""
    ends = [max((json.loads(line).get('end', 0) for line in lines), default=0)
            for lines in (live, replayed)]
    return min(ends) - 2


def differences(live, replayed):
    """[(preset, number of the line, live, replayed)] of the first line of each preset that is not
    the same, '' for one that is missing."""
    found = []
    for preset in sorted(set(live) | set(replayed)):
        pairs = itertools.zip_longest(live.get(preset, ()), replayed.get(preset, ()), fillvalue='')
        for number, (one, other) in enumerate(pairs, 1):
            if one != other:
                found.append((preset, number, one, other))
                break
    return found
