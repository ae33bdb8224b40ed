"""One experiment: a workload, healthy for a while, then with a fault; recorded on every host.

A run's folder holds the recordings of all servers and clients (docs/formats/recording.md) and
truth.json, written last: a folder without one is a run that did not end.
"""
import contextlib
import dataclasses
import json
import shutil
import time

from . import faults, filesystem, workload
from .monitor import exporter_config, syscall_config
from .own_proc import with_own_files
from .shell import LabError, in_namespace, spawn, stop


@dataclasses.dataclass(frozen=True)
class Experiment:
    """seconds: healthy before the fault, with the fault, and healthy after it. strength: of the
    fault, None for its default. seed: of the workload, and part of the run's name."""
    workload: str
    fault: str = 'none'
    server: str = ''
    seed: int = 1
    strength: float = None
    settle: float = 10
    before: float = 30
    during: float = 170
    after: float = 0

    @property
    def name(self):
        parts = [self.workload, self.fault]
        if self.strength is not None:
            parts.append('%g' % self.strength)
        if self.server:
            parts.append(self.server)
        return '-'.join(parts + ['%d' % self.seed])

    @property
    def seconds(self):
        return self.settle + self.before + self.during + self.after


def start_recorders(settings, loops, folder, metrics=()):
    """An exporter that records on every host; metrics: what it records, () for what it does by itself.
    Returns the processes."""
    started = []
    for host in settings.recorded_hosts:
        config, log = host.folder / 'record.yml', host.folder / 'record.log'
        loop = loops.get(host.name)
        syscalls = syscall_config(settings, host, loop) if settings.syscalls else ''
        config.write_text(exporter_config(settings, loop) + syscalls + 'record:\n'
                          '  format: text\n  instance: %s\n  role: %s\n  compression_level: 9\n  output_dir: %s\n%s'
                          % (host.name, settings.server_role if loop else host.role,
                             folder / host.name,
                             '  metrics: [%s]\n' % ', '.join(metrics) if metrics else ''))
        (folder / host.name).mkdir(parents=True)
        started.append(spawn(settings.name, with_own_files(settings, host, in_namespace(
            host.namespace, settings.bin_dir / 'limpet-exporter', 'record', '--config', config)),
            log))
    return started


def begin_folder(folder, name):
    """An empty folder for a run. LabError when there is one that ended."""
    target = folder / name
    if (target / 'truth.json').exists():
        raise LabError('%s has a run already' % target)
    shutil.rmtree(target, ignore_errors=True)    # what is left of one that did not end
    target.mkdir(parents=True)
    return target


def end(settings, target, truth):
    """Writes truth.json, with what the lab was, and returns what it says."""
    told = {**truth, 'file_system': settings.file_system, 'port': filesystem.of(settings).PORT,
            'servers': settings.servers, 'clients': settings.clients,
            'disk_mb_per_second': settings.disk_mb_per_second, 'link_mbit': settings.link_mbit,
            'congestion': settings.congestion, 'mtu': settings.mtu,
            'slower': settings.slower, 'slower_by': settings.slower_by}
    (target / 'truth.json').write_text(json.dumps(told, indent=1) + '\n')
    return told


def run(lab, experiment, folder, tell=lambda text: None):
    """Runs it on a lab that is up and returns what truth.json says. LabError when something ends
    that should not."""
    settings = lab.settings
    target = begin_folder(folder, experiment.name)
    if not workload.is_laid_out(settings, experiment.workload):
        tell('laying out files')
        workload.lay_out(settings, experiment.workload)
    workload.full_speed(settings)
    with contextlib.ExitStack() as stack:
        clients = workload.start(settings, experiment.workload, experiment.seed)
        stack.callback(workload.finish, clients)
        tell('settling')
        wait(experiment.settle, clients)
        recorders = start_recorders(settings, lab.loops, target)
        for process in recorders:
            stack.callback(stop, process)
        watched = clients + recorders
        begin = time.time()
        tell('healthy')
        wait(experiment.before, watched)
        fault_begin = time.time()
        tell('%s on %s' % (experiment.fault, experiment.server or 'nobody'))
        server = settings.host(experiment.server) if experiment.server else None
        with faults.inject(settings, experiment.fault, server,
                           lab.loops.get(experiment.server), experiment.strength):
            wait(experiment.during, watched)
        fault_end = time.time()
        tell('healthy again')
        wait(experiment.after, watched)
        ended = time.time()
    kind = faults.FAULTS[experiment.fault]
    return end(settings, target, {
        **dataclasses.asdict(experiment), 'cause': faults.cause_of(experiment.fault, settings.file_system),
        'begin': begin, 'fault_begin': fault_begin, 'fault_end': fault_end, 'end': ended,
        'strength': kind.strength if experiment.strength is None else experiment.strength})


def wait(seconds, processes):
    """Waits, and looks after the processes meanwhile."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for process in processes:
            if process.poll() is not None:
                raise LabError('%s ended with %s in the middle of a run' % (
                    ' '.join(process.args[:4]), process.returncode))
        time.sleep(min(0.5, max(0.0, until - time.monotonic())))
