"""The faults of faults.py under programs of the same trade, for docs/reliability.md.

    python3 tests/chaos/others.py exporters      node_exporter and limpet-exporter over the same made-up kernel files
    python3 tests/chaos/others.py stores         Prometheus over the same targets as the diagnoser has

Of the state's disk only that it is full: Prometheus maps its files, so the mount cannot be made read-only.
Files hang on a file system of ours (hang.py): node_exporter reads no FIFO. It writes no file, so that a foreign link
is nothing to it; to Prometheus one is put where its next life writes.

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


class HangingReads(faults.Fault):
    """A read of what one disk and one interface say of themselves does not return."""
    name, node = 'files of one disk and one interface hang', 'io09'
    disturbed = frozenset({'io09'})

    def inject(self, world):
        world.hanging.write_text('class/block/sda/queue/rotational class/net/eth0/speed')

    def heal(self, world):
        world.hanging.write_text('')


class StoreLink(faults.Fault):
    """A link stands where the store writes when it starts anew: at a file that is none of its own."""
    name = 'a foreign link where the store writes'

    def inject(self, world):
        self.victim = world.folder / 'victim'
        self.victim.write_text('not of the store')

        def link():
            (world.state / 'queries.active').unlink(missing_ok=True)
            (world.state / 'queries.active').symlink_to(self.victim)
        world.kill_diagnoser(link)

    def heal(self, world):
        written = self.victim.read_bytes() != b'not of the store'
        print('through the link the foreign file was%s written' % ('' if written else ' not'), flush=True)


class Exporters:
    """Two programs, each over kernel files of its own that say the same kind of thing."""

    def __init__(self, folder, node_exporter):
        self.folder, self.node_exporter = folder, node_exporter
        self.files = {name: KernelFiles(folder / name, name) for name in ('io07', 'io08', 'io09')}
        self.exporters, self.ports = {}, {}
        self.hanging, self.seen = folder / 'hanging', folder / 'sys-of-io09'
        self._done = threading.Event()

    def __enter__(self):
        threading.Thread(target=self._tick, daemon=True).start()
        self.hanging.write_text('')
        self.seen.mkdir()
        script = pathlib.Path(__file__).with_name('hang.py')
        self.server = subprocess.Popen(['/usr/bin/python3', script, self.files['io09'].root / 'sys', self.seen, self.hanging])
        wait_until('the mount', lambda: os.path.ismount(self.seen))
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
        subprocess.run(['umount', '-l', self.seen], check=True)
        self.server.terminate()
        self.server.wait()

    def _tick(self):
        while not self._done.wait(0.05):
            for one in self.files.values():
                one.tick()

    def start_exporter(self, name):
        root, port = self.files[name].root, self.ports[name]
        sysfs = self.seen if name == 'io09' else root / 'sys'
        if self.node_exporter:
            self.exporters[name] = Program(
                'prometheus-node-exporter', '--collector.disable-defaults', '--collector.diskstats', '--collector.netdev',
                '--collector.netclass', '--path.procfs=%s/proc' % root, '--path.sysfs=%s' % sysfs,
                '--web.listen-address=127.0.0.1:%d' % port)
        else:
            path = self.folder / (name + '.yml')
            path.write_text((EXPORTER_CONFIG % (port, root, root)).replace('%s/sys' % root, str(sysfs)))
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

    def kill_diagnoser(self, meanwhile=None):
        """SIGKILL and a new life. (The faults speak of the diagnoser: here that is the store.)"""
        self.diagnoser.signal(signal.SIGKILL)
        self.diagnoser.wait()
        if meanwhile:
            meanwhile()
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
                shown = [one for one in faults.EXPORTERS if not isinstance(one, faults.HangingFiles)]
                for fault in [*shown, HangingReads()]:
                    node = next(iter(fault.disturbed), 'io09')
                    suffer(world, fault, lambda node=node: world.look(node))
    else:
        own = [one for one in faults.DIAGNOSERS if not isinstance(one, (faults.ReloadStorm, faults.ForeignLink))]
        with tempfile.TemporaryDirectory() as folder, Store(pathlib.Path(folder)) as world:
            print(head % 'Prometheus', flush=True)
            for fault in [*faults.PAGES, *own, *faults.MACHINE[:1], StoreLink()]:
                suffer(world, fault, world.look)


if __name__ == '__main__':
    main()
