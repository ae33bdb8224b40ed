"""The lab's commands.

    lab up [--servers N] [--clients M] [--buffered]       a file system on this machine
    lab run --workload W --fault F [--server S] …         one experiment on it, recorded
    lab fault F SERVER SECONDS                            a fault by hand
    lab matrix [--quick | --graded | --hogs] …            many experiments; goes on where it stopped
    lab healthy [--minutes M] [--seed N]                  changing work without a fault, in one recording
    lab report --clearing                                 when faults were named, and when no longer
    lab report --healthy                                  who was named in such recordings, wrongly
    lab matrix --pairs, lab report --pairs                two servers with faults that overlap in time
    lab report [--presets P,… | --profiles | --slow-calls]  the table of what the diagnosis makes of them
    lab picture RUN [--metrics M,…]                       a metric of all servers over a run
    lab deep-queue [--repeats N]                          slow disks that work on many requests at once
    lab own-metrics --file-system etcd|ceph|swift               what the storage says of its own requests
    lab pack FILE [--seed S]                              runs as one small file to keep
    lab scenario NAME                                     a finding of [Leung07], for the live page
    lab overhead [--pairs N]                              what being watched costs a workload
    lab status, lab down                                  what there is; remove it all
"""
import argparse
import dataclasses
import json
import os
import pathlib
import signal
import sys
import time

from . import (cleanup, clearing, deep_queue, experiment, faults, filesystem, healthy, matrix, network, overhead,
               own_metrics, pack, pairs, picture, profiles, report, scenario, slow_calls, table,
               workload)
from .lab import Lab
from .settings import Settings, default_bin_dir
from .shell import LabError

NAME, NETWORK = 'limpet-lab', '198.18.79'
TRAINED = ('testbench', 'production')


def several(known):
    """Reads "A,B" of known names."""
    def read(text):
        names = text.split(',')
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError('there is no %s; there are %s' % (
                    name or 'nameless one', ', '.join(known)))
        return names
    return read


def parser():
    p = argparse.ArgumentParser(prog='lab', description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--name', default=NAME, help='two labs need two names (default: %(default)s)')
    p.add_argument('--network', default=NETWORK, help='and two /24 networks (default: %(default)s)')
    p.add_argument('--data', type=pathlib.Path, default=Settings.data_dir, metavar='FOLDER',
                   help="of the disks' files, 4 GB; a tmpfs spares the machine's own disk "
                        '(default: %(default)s)')
    p.add_argument('--folder', type=pathlib.Path, default=pathlib.Path('build/lab'),
                   help='of the recorded runs (default: %(default)s)')
    commands = p.add_subparsers(dest='command', required=True, metavar='COMMAND')

    def shape(one):
        one.add_argument('--servers', type=int, default=6)
        one.add_argument('--clients', type=int, default=2)
        one.add_argument('--disk-mb', type=float, default=20, help='10^6 bytes a second of a disk')
        one.add_argument('--link-mbit', type=int, default=Settings.link_mbit,
                         help="of each server's link, both ways (default: %(default)s)")
        one.add_argument('--mtu', type=int, choices=tuple(network.TOKEN_BUCKET),
                         default=Settings.mtu,
                         help='of all links; 9000 costs much less CPU time (default: %(default)s)')
        one.add_argument('--congestion', choices=('cubic', 'bbr', 'reno'),
                         default=Settings.congestion,
                         help='control of all connections; the window of bbr ignores losses '
                              '(default: %(default)s)')
        one.add_argument('--file-system', choices=tuple(filesystem.MODULES), default='gluster')
        one.add_argument('--file-mib', type=int, default=Settings.file_mib, help='of each client')
        one.add_argument('--distributed', action='store_true',
                         help='each file on one server (default: dispersed over all)')
        one.add_argument('--syscalls', action='store_true',
                         help='record system calls and block devices as well (eBPF)')
        one.add_argument('--slower', default='', help='SERVER=PERCENT: its disk is a little slower')

    def spans(one):
        one.add_argument('--before', type=float, default=30, help='seconds without the fault')
        one.add_argument('--during', type=float, default=170, help='seconds with it')
        one.add_argument('--after', type=float, default=0, help='seconds after it')

    up = commands.add_parser('up', help='bring a file system up')
    shape(up)
    up.add_argument('--own-proc', action='store_true',
                    help='each server its own /proc/stat and loadavg, by lxcfs')
    up.add_argument('--buffered', action='store_true', help='page cache at the bricks (postmark)')
    run = commands.add_parser('run', help='one recorded experiment')
    run.add_argument('--workload', choices=tuple(workload.WORKLOADS), default='ddr')
    run.add_argument('--fault', choices=tuple(faults.FAULTS), default='none')
    run.add_argument('--server', default='io02')
    run.add_argument('--strength', type=float)
    run.add_argument('--seed', type=int, default=1)
    spans(run)
    by_hand = commands.add_parser('fault', help='hold a fault for a while')
    by_hand.add_argument('fault', choices=tuple(faults.FAULTS))
    by_hand.add_argument('server')
    by_hand.add_argument('seconds', type=float)
    by_hand.add_argument('--strength', type=float)
    many = commands.add_parser('matrix', help='many experiments')
    many.add_argument('--quick', action='store_true', help='4 servers, ddr, two faults and none')
    many.add_argument('--graded', action='store_true', help='weaker and stronger faults')
    many.add_argument('--hogs', action='store_true',
                      help='cpu-hog and disk-hog (of MapReduce also packet loss), servers with their own /proc')
    many.add_argument('--semantic', action='store_true',
                      help='errors, crashes and hangs, each in a lab of its own')
    many.add_argument('--delays', action='store_true', help='delay without loss')
    many.add_argument('--pairs', action='store_true', help='two faults at once, all pairs of causes')
    many.add_argument('--repeats', type=int, default=3)
    many.add_argument('--fault-free', type=int, default=3, help='runs of each workload')
    many.add_argument('--faults', type=several(faults.FAULTS), metavar='F,…')
    many.add_argument('--workloads', type=several(workload.WORKLOADS), metavar='W,…',
                      help='such as sort,grep with --hogs')
    shape(many)
    spans(many)
    calm = commands.add_parser('healthy', help='hours without a fault')
    shape(calm)
    calm.add_argument('--buffered', action='store_true', help='page cache at the bricks: small files')
    calm.add_argument('--minutes', type=float, default=60)
    calm.add_argument('--seed', type=int, default=1, help='of the timetable')
    score = commands.add_parser('report', help='accuracy over the recorded runs')
    score.add_argument('--presets', type=several(report.PRESETS), metavar='P,…',
                       default=('default', *TRAINED), help='of ' + ', '.join(report.PRESETS))
    score.add_argument('--profiles', action='store_true',
                       help='of behaviour profiles, over the runs of --hogs')
    score.add_argument('--slow-calls', action='store_true', help='of system calls alone, over runs with --syscalls')
    score.add_argument('--clearing', action='store_true', help='when faults were named and when no longer')
    score.add_argument('--healthy', action='store_true', help='of the runs of "lab healthy"')
    score.add_argument('--pairs', action='store_true', help='of the runs of "lab matrix --pairs"')
    drawn = commands.add_parser('picture', help='metrics of all servers over a run, as SVG or PNG')
    drawn.add_argument('run', help='name of its folder')
    drawn.add_argument('--metrics', type=several(picture.METRICS), default=['await'], metavar='M,…',
                       help='of ' + ', '.join(picture.METRICS))
    drawn.add_argument('--output', type=pathlib.Path, default=pathlib.Path('run.svg'))
    packed = commands.add_parser('pack', help='runs as one small file (tar -xf unpacks it)')
    packed.add_argument('output', type=pathlib.Path, metavar='FILE.tar.xz')
    packed.add_argument('--round-trips', action='store_true', help='nothing but those')
    packed.add_argument('--seed', type=int, help='only the runs of this round')
    cost = commands.add_parser('overhead', help='how much longer a workload takes when watched')
    shape(cost)
    cost.add_argument('--workload', choices=tuple(workload.WORKLOADS), default='ddr')
    cost.add_argument('--pairs', type=int, default=10)
    cost.add_argument('--ways', type=several(overhead.WAYS), default=['hosts'], metavar='W,…',
                      help='of watching: hosts (an exporter each), kernel (eBPF collectors), strace')
    told = commands.add_parser('scenario', help='record what the live page is to show')
    told.add_argument('scenario', choices=tuple(scenario.SCENARIOS))
    deep = commands.add_parser('deep-queue', help='disks with many channels, without a file system')
    deep.add_argument('--servers', type=int, default=5)
    deep.add_argument('--repeats', type=int, default=3)
    deep.add_argument('--during', type=float, default=95, help='seconds of each run with the fault')
    own = commands.add_parser('own-metrics', help='metrics of the storage itself, watched live')
    shape(own)
    own.add_argument('--faults', type=several(faults.FAULTS), metavar='F,…', help='default: those of its plan')
    own.add_argument('--repeats', type=int, default=3, help='of each fault')
    own.add_argument('--settle', type=float, default=100, help='seconds before the first fault')
    own.add_argument('--during', type=float, default=120, help='seconds of a fault that is not named')
    own.add_argument('--pause', type=float, default=100, help='seconds after each fault')
    own.add_argument('--minutes', type=float, default=0, help='without a fault, at the end')
    commands.add_parser('status', help='what there is of the lab')
    commands.add_parser('down', help='remove everything')
    return p


def settings_to_find(chosen):
    """Enough of the settings to find a lab that is up, or what is left of one."""
    return Settings(name=chosen.name, network=chosen.network, data_dir=chosen.data)


def settings_of(chosen, buffered=False):
    slower, _, percent = chosen.slower.partition('=')
    return Settings(name=chosen.name, network=chosen.network, data_dir=chosen.data,
                    servers=chosen.servers, clients=chosen.clients,
                    file_system=chosen.file_system, file_mib=chosen.file_mib,
                    disk_mb_per_second=chosen.disk_mb, link_mbit=chosen.link_mbit,
                    congestion=chosen.congestion, mtu=chosen.mtu,
                    # It writes everywhere, and what is free again stays in the disk's file.
                    disk_gib=4 if chosen.file_system in ('ceph', 'cephfs') else Settings.disk_gib,
                    buffered=buffered,
                    distributed=chosen.distributed or getattr(chosen, 'semantic', False),
                    syscalls=chosen.syscalls or getattr(chosen, 'semantic', False),
                    own_proc=getattr(chosen, 'own_proc', False) or getattr(chosen, 'hogs', False),
                    slower=slower, slower_by=float(percent or 0) / 100, bin_dir=default_bin_dir())


def existing(chosen):
    """The lab that is up."""
    state = settings_to_find(chosen).run_dir / 'settings.json'
    try:
        saved = json.loads(state.read_text())
    except OSError:
        raise LabError('no lab is up: "lab up" first') from None
    settings = Settings(**{**saved, 'data_dir': chosen.data, 'bin_dir': default_bin_dir()})
    lab = Lab(settings)
    hosts = json.loads((settings.run_dir / 'lab.json').read_text())
    lab.loops = {name: host['disk'] for name, host in hosts.items() if host['disk']}
    return lab


def bring_up(settings):
    lab = Lab(settings)
    if cleanup.look(settings):
        lab.take_down()
    try:
        lab.bring_up()
        workload.full_speed(settings)
    except BaseException:
        lab.take_down(keep_logs=True)
        raise
    saved = {key: value for key, value in dataclasses.asdict(settings).items()
             if not isinstance(value, pathlib.Path)}
    (settings.run_dir / 'settings.json').write_text(json.dumps(saved))
    return lab


def say(text):
    print(time.strftime('%H:%M:%S'), text, flush=True)


def run_one(chosen):
    lab = existing(chosen)
    server = '' if chosen.fault == 'none' else chosen.server
    one = experiment.Experiment(chosen.workload, chosen.fault, server, chosen.seed, chosen.strength,
                                before=chosen.before, during=chosen.during, after=chosen.after)
    with lab.lock():
        experiment.run(lab, one, chosen.folder.resolve(), say)
    say('recorded in %s' % (chosen.folder / one.name))


def run_matrix(chosen):
    if chosen.quick:
        chosen.servers, chosen.clients = 4, 1
    folder = chosen.folder.resolve()
    names = [host.name for host in settings_of(chosen).peers]
    spans = {'before': chosen.before, 'during': chosen.during, 'after': chosen.after}
    planned = (matrix.quick(names, **spans) if chosen.quick else
               matrix.graded(names, **spans) if chosen.graded else
               pairs.plan(names) if chosen.pairs else
               matrix.delays(names, chosen.repeats, **spans) if chosen.delays else
               matrix.hogs(names, chosen.repeats, chosen.fault_free, chosen.workloads or matrix.HOG_WORKLOADS,
                           chosen.faults, **spans) if chosen.hogs else
               matrix.semantic(names, [one for one in chosen.faults or () if one in faults.SEMANTIC]
                               or faults.SEMANTIC, chosen.repeats, chosen.fault_free,
                               chosen.file_system, **spans) if chosen.semantic else
               matrix.OF[chosen.file_system](names, **spans) if chosen.file_system in matrix.OF else
               matrix.full(names, chosen.repeats, chosen.fault_free, chosen.workloads or workload.PAPER_WORKLOADS,
                           chosen.faults or matrix.PAPER_FAULTS, **spans))
    todo = matrix.left(planned, folder)
    say('%d of %d runs to do, %.0f minutes' % (len(todo), len(planned),
                                               sum(one.seconds + 5 for one in todo) / 60))
    with Lab(settings_of(chosen)).lock():
        failed = run_all(chosen, todo, folder)
    if failed:
        raise LabError('%d runs failed; the same command runs them again: %s' % (
            len(failed), ', '.join(failed)))


def run_all(chosen, todo, folder):
    """Names of the runs that failed."""
    lab, failed = None, []
    try:
        for number, one in enumerate(todo, 1):
            with matrix.claim(one, folder) as ours:
                if not ours:
                    continue
                say('%d of %d: %s' % (number, len(todo), one.name))
                settings = settings_of(chosen, workload.wants_buffered(one.workload,
                                                                       chosen.file_system))
                try:
                    # What a semantic fault has done to a server stays.
                    used = lab is not None and chosen.semantic
                    if lab is None or lab.settings != settings or used:
                        if lab is not None:
                            lab.take_down()
                        lab = bring_up(settings)
                    (pairs if chosen.pairs else experiment).run(lab, one, folder)
                except LabError as error:   # one run is lost, not the rest
                    say('%s failed: %s' % (one.name, error))
                    failed.append(one.name)
                    cleanup.take_down(settings)
                    lab = None
    finally:
        if lab is not None:
            lab.take_down()
    return failed


def make_report(chosen):
    bin_dir, found = default_bin_dir(), [
        one for one in report.runs(chosen.folder)
        if ('parts' in one[1], 'faults' in one[1]) == (chosen.healthy, chosen.pairs)]
    if not found:
        raise LabError('%s holds no runs: "lab matrix" makes them' % chosen.folder)
    if chosen.healthy:
        text = '\n'.join(healthy.summary(healthy.judge(bin_dir, found)))
    elif chosen.pairs:
        text = '\n'.join(pairs.summary([
            (truth, pairs.find(truth, report.replay(bin_dir, 'default', path, truth))) for path, truth in found]))
    elif chosen.clearing:
        text = '\n\n'.join(clearing.markdown(clearing.outcomes(bin_dir, preset, found)) for preset in chosen.presets)
    elif chosen.profiles:
        text = profiles.markdown(profiles.evaluate(bin_dir, found))
    elif chosen.slow_calls:
        text = slow_calls.markdown(slow_calls.evaluate(bin_dir, found))
    else:
        text = _by_preset(chosen, bin_dir, found)
    print(text)


def _by_preset(chosen, bin_dir, found):
    by_preset = {}
    for preset in chosen.presets:
        thresholds = None
        if preset in TRAINED:
            thresholds = chosen.folder / ('thresholds-%s.yml' % preset)
            report.train(bin_dir, preset, [one for one in found if one[1]['cause'] is None],
                         thresholds)
        by_preset[preset] = [report.score(truth, report.replay(bin_dir, preset, path, truth,
                                                           thresholds))
                             for path, truth in found]
    return table.markdown(by_preset)


def record_healthy(chosen):
    settings = settings_of(chosen, chosen.buffered)
    with Lab(settings).lock():
        lab = bring_up(settings)
        try:
            healthy.record(lab, 60 * chosen.minutes, chosen.seed, chosen.folder.resolve(), say)
        finally:
            lab.take_down()


def measure_overhead(chosen):
    settings = settings_of(chosen, workload.wants_buffered(chosen.workload, chosen.file_system))
    ways = ('alone', *(way for way in chosen.ways if way != 'alone'))
    with Lab(settings).lock():
        lab = bring_up(settings)
        try:
            rounds = overhead.measure(lab, chosen.workload, chosen.pairs, ways, say)
        finally:
            lab.take_down()
    for way in ways[1:]:
        for what, text in (('elapsed', 'longer'), ('cpu', 'more CPU time')):
            found = overhead.compare(rounds, way, what)
            say('%s takes %+.2f %% %s with %s (95 %% confidence: %+.2f to %+.2f %%, %d pairs)' % (
                chosen.workload, found.percent, text, way, found.low, found.high, found.pairs))


def run_scenario(chosen):
    settings = scenario.settings_for(chosen.scenario, chosen.name, chosen.network, chosen.data,
                                     default_bin_dir())
    lab = Lab(settings)
    with lab.lock():
        if cleanup.look(settings):
            lab.take_down()
        try:
            said = scenario.run(lab, chosen.scenario, chosen.folder.resolve(), say)
        finally:
            lab.take_down()
    for line in scenario.report(said):
        say(line)
    say('limpet-diagnoser replay --ui --config tests/lab/recordings/scenarios.yml %s/*/*.zst' % (
        chosen.folder / chosen.scenario))


def run_deep_queue(chosen):
    settings = dataclasses.replace(settings_to_find(chosen), servers=chosen.servers, clients=0,
                                   disk_mb_per_second=0.5, disk_gib=1, bin_dir=default_bin_dir())
    with Lab(settings).lock():
        deep_queue.command(chosen, settings, say)


def watch_own_metrics(chosen):
    settings = settings_of(chosen)
    if settings.file_system not in own_metrics.PLANS:
        raise LabError('--file-system: expected one of %s' % ', '.join(own_metrics.PLANS))
    with Lab(settings).lock():
        lab = bring_up(settings)
        try:
            outcomes = own_metrics.run(lab, chosen, say)
        finally:
            lab.take_down()
    print(own_metrics.table(outcomes), end='')


def draw_picture(chosen):
    truths = dict((path.name, (path, truth)) for path, truth in report.runs(chosen.folder))
    if chosen.run not in truths:
        raise LabError('%s holds no run called %s; there are %s' % (
            chosen.folder, chosen.run, ', '.join(truths) or 'none'))
    picture.draw(*truths[chosen.run], chosen.metrics, chosen.output)


def pack_runs(chosen):
    found = [one for one in report.runs(chosen.folder) if chosen.seed in (None, one[1]['seed'])]
    if not found:
        raise LabError('%s holds no such runs' % chosen.folder)
    pack.pack(found, chosen.output, pack.trips if chosen.round_trips else pack.kept, default_bin_dir())
    say('%d runs in %s, %d bytes' % (len(found), chosen.output, chosen.output.stat().st_size))


def hold_fault(chosen):
    lab = existing(chosen)
    with faults.inject(lab.settings, chosen.fault, lab.settings.host(chosen.server),
                       lab.loops.get(chosen.server), chosen.strength):
        time.sleep(chosen.seconds)


def _interrupt(number, frame):
    raise KeyboardInterrupt


OF_RUNS = {'report': make_report, 'picture': draw_picture, 'pack': pack_runs}  # need no root


def main(arguments):
    chosen = parser().parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    settings = settings_to_find(chosen)
    try:
        if chosen.command in OF_RUNS:
            OF_RUNS[chosen.command](chosen)
            return 0
        if os.geteuid() != 0:
            raise LabError('network namespaces, mounts and loop devices need root: use sudo')
        if chosen.command == 'up':
            settings = settings_of(chosen, chosen.buffered)
            with Lab(settings).lock():
                bring_up(settings)
            say('up: %s' % cleanup.look(settings))
        elif chosen.command == 'down':
            cleanup.take_down(settings)
        elif chosen.command == 'status':
            print(cleanup.look(settings) or 'nothing')
        else:
            {'run': run_one, 'healthy': record_healthy, 'fault': hold_fault, 'matrix': run_matrix,
             'overhead': measure_overhead, 'scenario': run_scenario,
             'own-metrics': watch_own_metrics,
             'deep-queue': run_deep_queue}[chosen.command](chosen)
        return 0
    except LabError as error:
        print('lab: %s' % error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
