"""The faults of faults.py under programs of the same trade, for docs/reliability.md.

    python3 tests/chaos/others.py exporters      node_exporter and limpet-exporter over the same made-up kernel files
    python3 tests/chaos/others.py stores         Prometheus over the same targets as the diagnoser has

Of the state's disk only that it is full: Prometheus maps its files, so the mount cannot be made read-only.

Each fault lasts SECONDS. Printed for each: how many looks had no answer, how many had one that was not true,
and how long after the end the first true answer came. Root, and Debian's packages of both.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import urllib.parse

import faults
from faults import RATE
from world import EXPORTER_CONFIG, NOISE, FakeExporters, KernelFiles, wait_until
from support import EXPORTER, Program, free_port, get

SECONDS = 6.0
LOOK = 0.25     # seconds between two looks
STORE = '''
global: {scrape_interval: 500ms, scrape_timeout: 500ms}
scrape_configs:
  - job_name: limpet
    static_configs:
%s'''


class Exporters:
    """Two programs, each over kernel files of its own that say the same kind of thing."""

    def __init__(self, folder, node_exporter):
        self.folder, self.node_exporter = folder, node_exporter
        self.files = {name: KernelFiles(folder / name, name) for name in ('io07', 'io08', 'io09')}
        self.exporters, self.ports = {}, {}
        self._done = threading.Event()

    def __enter__(self):
        threading.Thread(target=self._tick, daemon=True).start()
        for name in self.files:
            self.ports[name] = free_port()
            self.start_exporter(name)
        return self

    def __exit__(self, *_):
        self._done.set()
        for one in self.exporters.values():
            if one.process.poll() is None:
                one.signal(signal.SIGCONT)
            one.stop()

    def _tick(self):
        while not self._done.wait(0.05):
            for one in self.files.values():
                one.tick()

    def start_exporter(self, name):
        root, port = self.files[name].root, self.ports[name]
        if self.node_exporter:
            self.exporters[name] = Program(
                'prometheus-node-exporter', '--collector.disable-defaults', '--collector.diskstats',
                '--path.procfs=%s/proc' % root, '--path.sysfs=%s/sys' % root, '--web.listen-address=127.0.0.1:%d' % port)
        else:
            path = self.folder / (name + '.yml')
            path.write_text(EXPORTER_CONFIG % (port, root, root))
            self.exporters[name] = Program(EXPORTER, 'serve', '--config', path)
        wait_until('its page', lambda: self.look(name) is True)

    def look(self, name):
        """None: no answer or no disk in it; otherwise whether its counter is what the disk had lately."""
        before = self.files[name].node.done()
        metric = 'node_disk_reads_completed_total' if self.node_exporter else 'limpet_disk_reads_completed_total'
        try:
            page = get('http://127.0.0.1:%d/metrics' % self.ports[name], seconds=1)
        except OSError:
            return None
        said = page.all(metric, device='sda') if page.status == 200 else []
        if not said:
            return None
        return before - 2 * RATE <= said[0][1] <= self.files[name].node.done() + 1


class Store:
    """Prometheus with its data on a small file system of its own."""

    def __init__(self, folder):
        self.folder, self.state, self.config = folder, folder / 'state', folder / 'prometheus.yml'
        self.fake, self.exporters = FakeExporters(6), {}
        self.port, self.changing = free_port(), threading.RLock()

    def __enter__(self):
        self.state.mkdir()
        subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', self.state], check=True)
        self.fake.__enter__()
        for node in self.fake.nodes.values():
            node.noise = NOISE
        self.config.write_text(STORE % ''.join(
            '      - {targets: ["127.0.0.1:%d"], labels: {node: %s}}\n' % (node.port, name)
            for name, node in self.fake.nodes.items()))
        self._start()
        return self

    def __exit__(self, *_):
        self.diagnoser.stop()
        self.fake.__exit__()
        subprocess.run(['umount', '-l', self.state], check=True)

    def _start(self):
        self.diagnoser = Program('prometheus', '--config.file=%s' % self.config, '--storage.tsdb.path=%s' % self.state,
                                 '--web.listen-address=127.0.0.1:%d' % self.port, '--log.level=error')
        wait_until('rates', lambda: self.look() is True, seconds=60)

    def kill_diagnoser(self):
        """SIGKILL and a new life. (The faults speak of the diagnoser: here that is the store.)"""
        self.diagnoser.signal(signal.SIGKILL)
        self.diagnoser.wait()
        self.diagnoser = Program(*self.diagnoser.arguments)

    def descriptors(self):
        return len(os.listdir('/proc/%d/fd' % self.diagnoser.process.pid))

    def look(self):
        """None: not all nodes have a rate; otherwise whether all of them are what the disks do."""
        query = 'rate(limpet_disk_reads_completed_total{device="sda"}[2s])'
        try:
            page = get('http://127.0.0.1:%d/api/v1/query?query=%s' % (self.port, urllib.parse.quote(query)), seconds=1)
        except OSError:
            return None
        rates = [float(one['value'][1]) for one in json.loads(page.body)['data']['result']] if page.status == 200 else []
        if any(not RATE / 2 <= rate <= RATE * 2 for rate in rates):
            return False
        return True if len(rates) == len(self.fake.nodes) else None


def suffer(world, fault, look):
    """A row of the table."""
    missing = wrong = looks = 0

    def count():
        nonlocal missing, wrong, looks
        answer = look()
        looks += 1
        missing += answer is None
        wrong += answer is False
        return answer

    fault.inject(world)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if fault.again:
            fault.step(world)
        count()
        time.sleep(LOOK)
    fault.heal(world)
    healed, true = time.monotonic(), None
    while time.monotonic() < healed + 10:
        if count() is True:
            true = true or time.monotonic() - healed
        time.sleep(LOOK)
    print('| %s | %d | %d | %d | %s |' % (fault.name, looks, missing, wrong,
                                         'not in 10 s' if true is None else '%.1f s' % true), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('kind', choices=['exporters', 'stores'])
    kind = parser.parse_args().kind
    head = '\n%s\n\n| fault | looks | no answer | not true | true again after |\n|---|---:|---:|---:|---:|'
    if kind == 'exporters':
        for theirs in False, True:
            with tempfile.TemporaryDirectory() as folder, Exporters(pathlib.Path(folder), theirs) as world:
                print(head % ('node_exporter' if theirs else 'limpet-exporter'), flush=True)
                for fault in faults.EXPORTERS:
                    # A FIFO is no file of a sick device to node_exporter, which reads ordinary files only.
                    if theirs and isinstance(fault, faults.HangingFiles):
                        continue
                    node = next(iter(fault.disturbed), 'io09')
                    suffer(world, fault, lambda node=node: world.look(node))
    else:
        own = [one for one in faults.DIAGNOSERS if not isinstance(one, (faults.ReloadStorm, faults.ForeignLink))]
        with tempfile.TemporaryDirectory() as folder, Store(pathlib.Path(folder)) as world:
            print(head % 'Prometheus', flush=True)
            for fault in faults.PAGES + own + faults.MACHINE[:1]:
                suffer(world, fault, world.look)


if __name__ == '__main__':
    main()
