"""Disks that work on many requests at once: does the diagnosis still find the slow one?

No file system: each server is a modelled disk with many channels (slowdisk --channels) under a loop
device, and fio reads from all of them. Every run is recorded once and judged twice, as it is and
without the series of the block collector, so that both see the same load.

    own         each disk is read by a program of its own at depth 32
    striped     one program reads from all disks in turn, at a depth that goes up and down; at its
                most the slow disk has 32 requests and the others 16, and all serve the same number
    saturated   the same on disks of 4 channels, of which one is a tenth slower: nobody's fault
"""
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import tempfile
import time

from . import cleanup, disk, pack, report
from .shell import LabError, run, spawn, stop

MODES = ('own', 'striped', 'saturated')
CHANNELS = {'own': 32, 'striped': 32, 'saturated': 4}
SLOWER = 2.0            # times, of the fault
HEALTHY_SLOWER = 1.1    # times, of one disk that is not at fault
SETTLE, BEFORE = 5, 20  # seconds
KIBIBYTES = 16          # of a request
BLOCK_SERIES = 'limpet_block_'
# Of the run's processes: what the machine does besides must not become a disk's service time.
PRIORITY = -15


@dataclasses.dataclass(frozen=True)
class Run:
    mode: str
    server: str     # whose disk is slow; empty: nobody's
    seed: int

    @property
    def name(self):
        return '%s-%s-%d' % (self.mode, self.server or 'none', self.seed)


def plan(servers, repeats):
    """Rounds of all modes, the faults on changing servers."""
    runs = []
    for seed, mode in itertools.product(range(1, repeats + 1), MODES):
        if mode != 'saturated':
            runs.append(Run(mode, servers[(2 * seed - 1) % len(servers)], seed))
        runs.append(Run(mode, '', seed))
    return runs


def load(mode, loops, seed):
    """The command lines of fio."""
    base = ['fio', '--direct=1', '--ioengine=libaio', '--rw=randread', '--bs=%dk' % KIBIBYTES,
            '--time_based', '--runtime=1h', '--randseed=%d' % seed, '--output=/dev/null',
            '--file_service_type=roundrobin:1', '--name=load']
    if mode == 'own':
        return [base + ['--iodepth=32', '--filename=' + loop] for loop in loops]
    disks = '--filename=' + ':'.join(loops)
    # A slow disk among n takes 2 / (n + 1) of what is in flight, when all serve the same number.
    all_of_it = 16 * (len(loops) + 1)
    wave = all_of_it * 3 // 4
    return [base + ['--iodepth=%d' % (all_of_it - wave), disks],
            # Four seconds of each six.
            base + ['--iodepth=%d' % wave, '--thinktime=2s', '--thinktime_blocks=%d' % (4 * 1300),
                    disks]]


def bring_up(settings):
    """The disks of all servers; {name: loop device}."""
    loops = {}
    for host in settings.io_hosts:
        for folder in (host.folder, host.disk_mount):
            folder.mkdir(parents=True)
        with open(host.disk_image, 'wb') as image:
            image.truncate(settings.disk_gib << 30)
        loops[host.name] = disk.attach(settings, host)
    return loops


def record(settings, loops, folder):
    """An exporter for every server, with the block collector. Returns the processes."""
    started = []
    for host in settings.io_hosts:
        config, log = host.folder / 'record.yml', host.folder / 'record.log'
        only = 'device_include: "^%s$"' % os.path.basename(loops[host.name])
        config.write_text('collectors:\n'
                          '  disk: {%s}\n  block: {enabled: true, %s}\n'
                          '  net: {enabled: false}\n  tcp: {enabled: false}\n'
                          'record:\n  format: text\n  instance: %s\n  role: io\n  output_dir: %s\n'
                          % (only, only, host.name, folder / host.name))
        (folder / host.name).mkdir(parents=True)
        started.append(spawn(settings.name, [settings.bin_dir / 'limpet-exporter', 'record',
                                             '--config', config], log))
    return started


def run_one(settings, one, during, folder):
    """Brings the disks up, records the run into folder / its name, takes all down again."""
    settings = dataclasses.replace(
        settings, channels=CHANNELS[one.mode],
        slower=settings.io_hosts[one.seed % settings.servers].name if one.mode == 'saturated'
        else '', slower_by=HEALTHY_SLOWER - 1)
    target = folder / one.name
    target.mkdir(parents=True)
    os.setpriority(os.PRIO_PROCESS, 0, PRIORITY)    # for all that is started from here
    try:
        loops = bring_up(settings)
        for host in settings.io_hosts:
            disk.set_control(host, speed=settings.speed_of(host))
        truth = _hold(settings, one, during, loops, target)
    finally:
        cleanup.take_down(settings)
    (target / 'truth.json').write_text(json.dumps(truth, indent=1) + '\n')


def _hold(settings, one, during, loops, target):
    with contextlib.ExitStack() as stack:
        watched = [spawn(settings.name, command, settings.run_dir / 'fio.log')
                   for command in load(one.mode, list(loops.values()), one.seed)]
        time.sleep(SETTLE)
        watched += record(settings, loops, target)
        for process in watched:
            stack.callback(stop, process)
        begin = time.time()
        time.sleep(BEFORE)
        fault_begin = time.time()
        if one.server:
            disk.set_control(settings.host(one.server), speed=1 / SLOWER)
        time.sleep(during)
        end = time.time()
        for process in watched:
            if process.poll() is not None:
                raise LabError('%s ended with %s in the middle of %s; see %s' % (
                    process.args[0], process.returncode, one.name, settings.run_dir))
    return {'mode': one.mode, 'server': one.server, 'seed': one.seed,
            'fault': 'slow-channels' if one.server else 'none',
            'cause': 'disk-busy' if one.server else None, 'begin': begin,
            'fault_begin': fault_begin, 'fault_end': end, 'end': end,
            'channels': settings.channels, 'servers': settings.servers}


def without_block_series(folder, into):
    """The recordings of a run as an exporter without the block collector makes them."""
    for file in report.recordings(folder):
        copy = into / file.parent.name / file.name.removesuffix('.zst')
        copy.parent.mkdir(parents=True)
        copy.write_text(''.join(line for line in pack.text_of(file).splitlines(keepends=True)
                                if BLOCK_SERIES not in line))


def judge(bin_dir, folder, truth):
    """(Score with the block collector, Score of diskstats alone)."""
    with tempfile.TemporaryDirectory() as stripped:
        without_block_series(folder, pathlib.Path(stripped))
        return tuple(report.score(truth, report.replay(bin_dir, 'default', one, truth))
                     for one in (folder, stripped))


def table(found):
    """Markdown of [(truth, (with, without))]."""
    lines = ['| load | fault | runs | block collector: right, wrong server | diskstats alone | '
             'named after |', '|---|---|---|---|---|---|']

    def key(one):
        return one[0]['mode'], one[0]['fault']
    for (mode, fault), some in itertools.groupby(sorted(found, key=key), key):
        some = [scores for _, scores in some]
        after = sorted(one.after for one, _ in some if one.after is not None)
        lines.append('| %s | %s | %d | %s | %s | %s |' % (
            mode, fault, len(some), *(_counted([pair[i] for pair in some]) for i in (0, 1)),
            '%.0f s' % after[len(after) // 2] if after else ''))
    return '\n'.join(lines) + '\n'


def _counted(scores):
    wrong = sum(one.misindicted for one in scores)
    return '%d, %d' % (sum(one.diagnosed for one in scores), wrong)


def command(chosen, settings, say):
    """`lab deep-queue`: the runs that are missing, then the table of all."""
    folder = chosen.folder.resolve()
    for one in plan([host.name for host in settings.io_hosts], chosen.repeats):
        if not (folder / one.name / 'truth.json').exists():
            run('rm', '-rf', folder / one.name)
            say(one.name)
            run_one(settings, one, chosen.during, folder)
    found = [(truth, judge(settings.bin_dir, path, truth)) for path, truth in report.runs(folder)]
    for truth, (kernel, diskstats) in found:
        say('%s %s: %s; diskstats alone: %s' % (truth['mode'], truth['server'] or 'none',
                                                kernel.named, diskstats.named))
    print(table(found), end='')
