"""What can befall the monitoring itself. None of it is a fault of a storage server: nobody may be
named for it.

A fault is begun with inject(world) and ended with heal(world). `disturbed`: the nodes that cannot be
compared meanwhile. A newcomer adds a class and its line in ALL.
"""
import contextlib
import os
import pathlib
import random
import re
import resource
import signal
import socket
import subprocess
import time

from world import NOISE, Node, is_sanitized

IN_2120 = 4_733_510_400     # Unix seconds
RATE = 60.0                 # requests a second of every node


class Fault:
    disturbed = frozenset()
    afresh = False          # whether windows start afresh, so that nothing is known for a while
    again = False           # whether step() is called over and over while it lasts

    def inject(self, world):
        """Begins."""

    def step(self, world):
        """What happens again and again."""

    def heal(self, world):
        """Ends."""


class Page(Fault):
    """A target answers something else than its page."""

    def __init__(self, name, node, answer):
        self.name, self.node, self.answer = name, node, answer
        self.disturbed = frozenset({node})

    def inject(self, world):
        world.fake.nodes[self.node].answer = lambda handler: self.answer(handler, world)

    def heal(self, world):
        world.fake.nodes[self.node].answer = None


def _send(handler, body, status=200, length=None):
    handler.send_response(status)
    handler.send_header('Content-Type', 'text/plain; version=0.0.4')
    handler.send_header('Content-Length', str(len(body) if length is None else length))
    handler.end_headers()
    try:
        handler.wfile.write(body)
    except OSError:
        handler.close_connection = True


def refuse(handler, _):
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def silent(handler, _):
    time.sleep(3)
    handler.close_connection = True


def drip(handler, _):
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(60):
            handler.wfile.write(b'#')
            time.sleep(0.05)
    except OSError:
        pass
    handler.close_connection = True


def garbage(handler, _):
    _send(handler, os.urandom(4096))


def cut(handler, world):
    body = _page_of(handler, world)
    _send(handler, body[:len(body) // 2], length=len(body))
    handler.close_connection = True


def twice(handler, world):
    _send(handler, _page_of(handler, world) * 2)


def swapped(handler, world):
    """Another node's page, as after two addresses were confused."""
    _send(handler, world.fake.nodes['io06'].page().encode())


def flood(handler, world):
    """New series on every page."""
    at = time.monotonic_ns()
    _send(handler, _page_of(handler, world) + b''.join(
        b'limpet_disk_reads_completed_total{device="d%d-%d"} 1\n' % (at, i) for i in range(900)))


def fallen(handler, world):
    """Every other half second a page of far lower counters; the next one goes on where they were."""
    page = _page_of(handler, world)
    if int(2 * time.monotonic()) % 2:
        page = re.sub(rb'(_total{.*}) (\S+)', lambda found: b'%s %g' % (found[1], float(found[2]) / 1500), page)
    _send(handler, page)


class Stale:
    """A cache that hands out pages up to 3 s old, in any order, and does not say how old."""

    def __init__(self):
        self.pages, self.chance = [], random.Random(1)

    def __call__(self, handler, world):
        self.pages = [*self.pages[-6:], _page_of(handler, world)]
        _send(handler, self.chance.choice(self.pages))


def in_2120(handler, world):
    """The server's clock, by which it says when it has read its kernel, is a century ahead."""
    _send(handler, _page_of(handler, world) + b'limpet_sample_timestamp_seconds %d\n' % IN_2120)


def stamped_in_2120(handler, world):
    """The same, and every line says it."""
    _send(handler, re.sub(rb'(?m)^([^#\n].*)$', rb'\1 %d' % (IN_2120 * 1000), _page_of(handler, world)))


class NamesSwapped(Page):
    """After a reboot the disk is sdb, and another with a tenth of the load is sda; and back."""

    def __init__(self):
        super().__init__('a reboot swaps the names of two disks', 'io02', self.renamed)

    def inject(self, world):
        self.light = Node('light')
        self.light.requests, self.light.noise = RATE / 10, NOISE
        world.fake.nodes[self.node].reset()
        super().inject(world)

    def heal(self, world):
        world.fake.nodes[self.node].reset()
        super().heal(world)

    def renamed(self, handler, world):
        _send(handler, _page_of(handler, world).replace(b'"sda"', b'"sdb"') + self.light.page().encode())


def _page_of(handler, world):
    port = handler.server.server_address[1]
    return next(one for one in world.fake.nodes.values() if one.port == port).page().encode()


class Restart(Fault):
    """Counters that begin anew."""
    name = 'counters reset'

    def inject(self, world):
        node = world.fake.nodes['io02']
        node.reset()


class Stopped(Fault):
    """A real exporter is frozen."""
    name, disturbed = 'exporter stopped (SIGSTOP)', frozenset({'io07'})

    def inject(self, world):
        world.exporters['io07'].signal(signal.SIGSTOP)

    def heal(self, world):
        world.exporters['io07'].signal(signal.SIGCONT)


class Killed(Fault):
    """A real exporter dies and is started again."""
    name, disturbed = 'exporter killed (SIGKILL)', frozenset({'io08'})

    def inject(self, world):
        world.exporters['io08'].signal(signal.SIGKILL)
        world.exporters['io08'].wait()

    def heal(self, world):
        world.start_exporter('io08')


class ReloadStorm(Fault):
    """SIGHUP to every program, ten times a second."""
    name, again = 'reload storm (SIGHUP)', True

    def step(self, world):
        with world.changing:
            for program in [world.diagnoser, *world.exporters.values()]:
                if program.process.poll() is None:
                    program.signal(signal.SIGHUP)


class HalfWritten(Fault):
    """Configurations are written slowly, and read meanwhile."""
    name = 'reload of half-written files'

    def inject(self, world):
        self.texts = {path: path.read_text() for path in [world.config, *(
            world.folder / (name + '.yml') for name in world.exporters)]}
        for path, text in self.texts.items():
            path.write_text(text[:len(text) * 2 // 3].rsplit(':', 1)[0])
        self._reload(world)

    def heal(self, world):
        for path, text in self.texts.items():
            path.write_text(text)
        self._reload(world)

    def _reload(self, world):
        for program in [world.diagnoser, *world.exporters.values()]:
            program.signal(signal.SIGHUP)


class KernelFile(Fault):
    """What an exporter reads is not what it should be; it says less, or goes on with what it has."""

    def __init__(self, name, node, change):
        self.name, self.node, self.change = name, node, change
        self.disturbed = frozenset({node})

    def inject(self, world):
        files = world.files[self.node]
        files.frozen = True
        path = files.root / 'proc' / 'diskstats'
        self.text = path.read_text()
        path.unlink()
        self.change(path, self.text)

    def heal(self, world):
        files = world.files[self.node]
        path = files.root / 'proc' / 'diskstats'
        release(path)
        path.unlink(missing_ok=True)
        path.write_text(self.text)
        files.frozen = False


def release(path):
    """Who hangs in a FIFO comes back, as from a device that answers again."""
    if path.is_fifo():
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))


def vanish(path, _):
    """Nothing there."""


def fifo(path, _):
    os.mkfifo(path)


def half_a_line(path, text):
    path.write_text(text[:len(text) // 2])


def binary(path, _):
    path.write_bytes(os.urandom(4096))


class HangingFiles(Fault):
    """What one disk and one interface say of themselves never comes; their counters, and all the rest, do."""
    name, node = 'files of one disk and one interface hang', 'io09'

    def inject(self, world):
        root = world.files[self.node].root
        self.texts = {root / path: (root / path).read_text() for path in (
            'sys/class/block/sda/queue/rotational', 'sys/class/net/eth0/speed')}
        for path in self.texts:
            path.unlink()
            os.mkfifo(path)

    def heal(self, world):
        for path, text in self.texts.items():
            release(path)
            path.unlink()
            path.write_text(text)


class ForeignLink(Fault):
    """Somebody puts a link where the state is going to be written: at a file that is none of the diagnoser's."""
    name, again = 'a foreign link where the state is written', True

    def inject(self, world):
        self.victim = world.folder / 'victim'
        self.victim.write_text('not of the diagnoser')
        self.links = 0

    def step(self, world):
        with contextlib.suppress(FileExistsError):
            (world.state / 'state.tmp').symlink_to(self.victim)
            self.links += 1

    def heal(self, world):
        if self.victim.read_text() != 'not of the diagnoser' or self.links < 2:
            raise AssertionError('7: through one of %d links a foreign file was written' % self.links)


class DiagnoserKilled(Fault):
    """It dies every second or two."""
    name, again = 'diagnoser killed over and over', True

    def inject(self, world):
        self.next = 0.0

    def step(self, world):
        if time.monotonic() > self.next:
            world.kill_diagnoser()
            self.next = time.monotonic() + 1.5


class DiagnoserStopped(Fault):
    """It does not run for a while."""
    name = 'diagnoser stopped (SIGSTOP)'
    disturbed = None        # there is no page

    def inject(self, world):
        world.diagnoser.signal(signal.SIGSTOP)

    def heal(self, world):
        world.diagnoser.signal(signal.SIGCONT)


class Descriptors(Fault):
    """The diagnoser may open no more files than it has."""
    name, disturbed = 'diagnoser out of descriptors', None

    def inject(self, world):
        self.pid = world.diagnoser.process.pid
        self.limits = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (world.descriptors() - 8, self.limits[1]))

    def heal(self, world):
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, self.limits)


class ExporterDescriptors(Fault):
    """An exporter may open no more files than it has."""
    name, disturbed = 'exporter out of descriptors', frozenset({'io09'})

    def inject(self, world):
        self.pid = world.exporters['io09'].process.pid
        self.limits = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (3, self.limits[1]))

    def heal(self, world):
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, self.limits)


class StateDisk(Fault):
    """The state's file system is full, read-only, or gives I/O errors. Needs root."""

    def __init__(self, name, begin):
        self.name, self.begin = name, begin

    def inject(self, world):
        self.what = self.begin(world.state)

    def heal(self, world):
        self.what()


def _mount(*arguments):
    subprocess.run(['mount', *map(str, arguments)], check=True)


def full(folder):
    """A file takes what is left of its tmpfs."""
    filler = folder / 'filler'
    with open(filler, 'wb', buffering=0) as file:
        try:
            while True:
                file.write(b'x' * 4096)
        except OSError:
            pass
    return filler.unlink


def read_only(folder):
    # Another mount of the same: one that has files open for writing, as the incidents' are, stays writable.
    _mount('--bind', folder, folder)
    _mount('-o', 'remount,bind,ro', folder)
    return lambda: subprocess.run(['umount', '-l', str(folder)], check=True)


def broken(folder):
    """A file system in user space over it that answers EIO to everything."""
    script = pathlib.Path(__file__).with_name('eio.py')
    server = subprocess.Popen(['/usr/bin/python3', str(script), str(folder)], stderr=subprocess.DEVNULL)
    while not any(str(folder) in line and 'fuse' in line for line in open('/proc/mounts')):
        if server.poll() is not None:
            raise RuntimeError('eio.py ended: python3-fusepy is missing?')
        time.sleep(0.05)

    def end():
        subprocess.run(['umount', '-l', str(folder)], check=True)
        server.terminate()
        server.wait()
    return end


class Memory(Fault):
    """A memory limit around every program: of Limpet's promise, with nothing to spare."""
    name = 'memory limits (cgroup)'

    def inject(self, world):
        self.folders = []
        for name, program in [('diagnoser', world.diagnoser), *world.exporters.items()]:
            folder = pathlib.Path('/sys/fs/cgroup/memory/limpet-chaos-%s' % name)
            folder.mkdir(exist_ok=True)
            (folder / 'memory.limit_in_bytes').write_text(str((256 if name == 'diagnoser' else 64) << 20))
            (folder / 'cgroup.procs').write_text(str(program.process.pid))
            self.folders.append((folder, program.process.pid))

    def heal(self, world):
        for folder, pid in self.folders:
            pathlib.Path('/sys/fs/cgroup/memory/cgroup.procs').write_text(str(pid))
            folder.rmdir()


class Clock(Fault):
    """The diagnoser's clock steps by so many seconds and back (world.wrap is faketime)."""
    afresh = True

    def __init__(self, seconds, name=None):
        self.name, self.seconds = 'clock of the diagnoser %s' % (name or '%+d s' % seconds), seconds
        self.disturbed = None

    def inject(self, world):
        world.clock(self.seconds)

    def heal(self, world):
        world.clock(0)


PAGES = [
    Page('target refuses connections', 'io01', refuse),
    Page('target does not answer', 'io02', silent),
    Page('target answers byte by byte', 'io04', drip),
    Page('target sends garbage', 'io05', garbage),
    Page('target sends half a page', 'io06', cut),
    Page('target sends every series twice', 'io01', twice),
    Page('target sends another node\'s page', 'io05', swapped),
    Page('target invents 900 series a page', 'io04', flood),
    Restart(),
    Page('counters of a target fall and are back', 'io06', fallen),
    Page('a cache hands out pages up to 3 s old', 'io04', Stale()),
    NamesSwapped(),
    Page('clock of a target in 2120', 'io05', in_2120),
    Page('lines of a target are of 2120', 'io05', stamped_in_2120),
]
EXPORTERS = [
    Stopped(), Killed(), ExporterDescriptors(),
    KernelFile('/proc/diskstats vanishes', 'io07', vanish),
    KernelFile('/proc/diskstats is a FIFO', 'io08', fifo),
    KernelFile('/proc/diskstats is cut', 'io09', half_a_line),
    KernelFile('/proc/diskstats is binary', 'io07', binary),
    HangingFiles(),
]
DIAGNOSERS = [
    DiagnoserKilled(), DiagnoserStopped(), Descriptors(), ReloadStorm(), HalfWritten(), ForeignLink(),
]
# Root, and a tmpfs for the state.
MACHINE = [
    StateDisk('state disk full', full), StateDisk('state disk read-only', read_only),
    StateDisk('state disk gives EIO', broken), Memory(),
]
if is_sanitized():
    # UBSan opens a pipe to look whether memory can be read, and takes a no for a find.
    EXPORTERS = [one for one in EXPORTERS if not isinstance(one, ExporterDescriptors)]
    DIAGNOSERS = [one for one in DIAGNOSERS if not isinstance(one, Descriptors)]
CLOCKS = [Clock(3), Clock(-3), Clock(3600), Clock(-3600), Clock(IN_2120 - int(time.time()), 'in 2120')]
