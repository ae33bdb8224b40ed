"""A small cluster to break: six exporters that are only pages, three real ones over made-up kernel
files, and the real diagnoser. All nine are peers with the same load; io03 limps all the time.
"""
import os
import pathlib
import shutil
import signal
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'e2e'))
from fake_exporters import FakeExporters, Node      # noqa: E402
from support import DIAGNOSER, EXPORTER, Program, get, is_sanitized, wait_until      # noqa: E402,F401

LIMPING, CAUSE = 'io03', 'disk-busy'
NOISE = 0.2
SHIFT, WINDOW = 2.0, 4.0        # seconds
FIXTURE = pathlib.Path(__file__).resolve().parent.parent / 'fixtures' / '6.18'
DIAGNOSER_CONFIG = '''
scrape: {interval: 500ms}
lateness: 1s
presets:
  - {base: bare, name: quick, step: 500ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 4s, doubt_readings: true}
state: {interval: 500ms}
'''
EXPORTER_CONFIG = '''
web: {listen_addresses: ["127.0.0.1:%d"]}
paths: {procfs: %s/proc, sysfs: %s/sys}
sampling: {interval: 500ms}
collectors:
  tcp: {enabled: false}
  bpf: {enabled: false}
  disk: {identity_refresh: 1s}
  net: {speed_refresh: 1s}
'''


class KernelFiles:
    """/proc and /sys of one machine, whose only disk does what a Node says."""

    def __init__(self, folder, name):
        self.root = folder
        shutil.copytree(FIXTURE, folder)
        for file, text in ('queue/rotational', '1'), ('device/wwid', 'naa.%s' % name):
            path = folder / 'sys/class/block/sda' / file
            path.parent.mkdir(parents=True)
            path.write_text(text + '\n')
        self.node = Node(name)
        self.node.noise = NOISE
        # The real page tells whole milliseconds; long since the boot, so that nothing is new.
        self.node.page(seconds=1000)
        self.frozen = False     # the file is left as it is
        self.tick()

    def tick(self):
        if self.frozen:
            return
        node = self.node
        node.page()
        line = '   8       0 sda %d 0 %d %d 0 0 0 0 0 %d %d 0 0 0 0 0 0\n' % (
            node.done(), node.done() * 128, node.waited() * 1000, node.busy() * 1000, node.waited() * 1000)
        path = self.root / 'proc' / 'diskstats'
        if path.is_file():      # a fault may have put something else in its place
            path.with_suffix('.new').write_text(line)
            path.with_suffix('.new').rename(path)


class World:
    """Everything runs while the `with` block lasts."""

    def __init__(self, folder, wrap=()):
        """wrap: what the diagnoser is started by (faketime, for instance)."""
        self.folder = pathlib.Path(folder)
        self.wrap = [str(one) for one in wrap]
        self.fake = FakeExporters(6)
        for node in self.fake.nodes.values():
            node.noise = NOISE      # the real exporters have some from reading in steps
        limping = self.fake.nodes[LIMPING]
        limping.await_ms, limping.service_ms = 80, 15
        self.files = {name: KernelFiles(self.folder / name, name) for name in ('io07', 'io08', 'io09')}
        self.exporters, self.ports, self.diagnoser = {}, {}, None
        self.lives = 0          # of the diagnoser
        self.started = 0.0      # the latest, time.monotonic()
        self.state = self.folder / 'state'
        self.changing = threading.RLock()       # held while a program is replaced
        self._done = threading.Event()

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__(Exception)
            raise
        return self

    def _start(self):
        self.fake.__enter__()
        threading.Thread(target=self._tick, daemon=True).start()
        for name in self.files:
            self.start_exporter(name)
        self.config = self.folder / 'diagnoser.yml'
        self.config.write_text(DIAGNOSER_CONFIG + self.fake.targets() + ''.join(
            '  - {node: %s, address: "127.0.0.1:%d"}\n' % one for one in self.ports.items()))
        self.start_diagnoser()

    def __exit__(self, kind, *_):
        self._done.set()
        for name, program in [('diagnoser', self.diagnoser), *self.exporters.items()]:
            if program is None:
                continue
            if program.process.poll() is None:
                program.signal(signal.SIGCONT)
            program.stop()
            if kind is not None:
                print('--- %s\n%s' % (name, program.log[-3000:]))
        self.fake.__exit__()

    def _tick(self):
        while not self._done.wait(0.05):
            for one in self.files.values():
                one.tick()

    def start_exporter(self, name):
        """On the port it had before, for the targets are not told of another."""
        with self.changing:
            root, path = self.files[name].root, self.folder / (name + '.yml')
            path.write_text(EXPORTER_CONFIG % (self.ports.get(name, 0), root, root))
            self.exporters[name] = Program(EXPORTER, 'serve', '--config', path)
            self.ports[name] = self.exporters[name].port()
            path.write_text(EXPORTER_CONFIG % (self.ports[name], root, root))

    def start_diagnoser(self):
        with self.changing:
            port = self.diagnoser.number if self.diagnoser else 0
            # libfaketime needs system calls that the diagnoser does not.
            new = Program(*self.wrap, DIAGNOSER, 'serve', *(['--seccomp', 'off'] if self.wrap else []),
                          '--config', self.config, '--state-dir', self.state,
                          '--web.listen-address', '127.0.0.1:%d' % port)
            try:
                new.number = new.port()
            except AssertionError:
                new.stop()
                raise
            self.diagnoser = new
            self.lives += 1
            self.started = time.monotonic()

    def kill_diagnoser(self):
        """SIGKILL and a new life."""
        with self.changing:
            self.diagnoser.signal(signal.SIGKILL)
            self.diagnoser.wait()
            self.start_diagnoser()

    def page(self, seconds=2.0):
        """The diagnoser's metrics; OSError when it does not answer."""
        return get('http://127.0.0.1:%d/metrics' % self.diagnoser.number, seconds=seconds)

    def now(self):
        """The time by the diagnoser's clock."""
        return time.time()

    def nodes(self):
        return set(self.fake.nodes) | set(self.files)

    def descriptors(self):
        return len(os.listdir('/proc/%d/fd' % self.diagnoser.process.pid))
