"""What recording costs in `limpet-exporter serve`: bytes a day, memory and processor time.

A /proc and a /sys of its own hold a server with 36 LUNs, 2 network interfaces and the host's metrics,
whose counters move as those of a busy file server do: reads and writes around a mean with the
scatter of a queue, bytes in whole pages, times that follow. Each sample is a second of that server,
taken every 200 ms, so a minute of this benchmark stands for five. Two exporters run side by side,
one of which records; the difference is what recording costs. --moving: shares of the LUNs that do
anything in a second; 1 is the worst case. Ends with the published table.
"""
import argparse
import contextlib
import json
import math
import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time

STEP = 0.2          # seconds between two samples, each of which stands for one second
FRAME = 60          # samples
DAY = 86400


class Server:
    """Counters, and the files of /proc that show them."""

    def __init__(self, root, luns, moving):
        self.root, self.moving = pathlib.Path(root), moving
        self.random = random.Random(42)
        self.second = 0
        self.disks = {'sd' + chr(97 + i // 26) * (i // 26) + chr(97 + i % 26):
                      [self.random.randrange(10 ** 8) for _ in range(11)] for i in range(luns)}
        self.nics = {'ib%d' % i: [self.random.randrange(10 ** 12) for _ in range(16)] for i in range(2)}
        self.host = {name: self.random.randrange(10 ** 9) for name in
                     ('user', 'nice', 'system', 'idle', 'iowait', 'ctxt', 'pgpgin', 'pgpgout', 'pgfault')}
        for name in self.disks:
            (self.root / 'sys/block' / name).mkdir(parents=True)
            (self.root / 'sys/class/block' / name).mkdir(parents=True)
        for name in self.nics:
            (self.root / 'sys/class/net' / name).mkdir(parents=True)
        (self.root / 'proc/net').mkdir(parents=True)
        (self.root / 'proc/self').mkdir()
        (self.root / 'proc/self/net').symlink_to('../net')
        self.tick()

    def draw(self, mean, scatter):
        return max(0, round(self.random.gauss(mean, scatter)))

    def tick(self):
        """A second passes."""
        self.second += 1
        load = 0.6 + 0.4 * math.sin(self.second / 97)
        for disk in self.disks.values():
            if self.random.random() < self.moving:
                reads, writes = self.draw(120 * load, 25), self.draw(80 * load, 20)
                read_ms, write_ms = self.draw(reads * 6, reads), self.draw(writes * 9, writes)
                for place, more in ((0, reads), (2, max(0, reads * 128 - self.draw(8, 4) * 8)),
                                    (3, read_ms), (4, writes),
                                    (6, max(0, writes * 128 - self.draw(8, 4) * 8)), (7, write_ms),
                                    (9, self.draw(700 * load, 40)), (10, read_ms + write_ms)):
                    disk[place] += more
        for nic in self.nics.values():
            for at in 0, 8:
                packets = self.draw(90000 * load, 4000)
                nic[at] += packets * 1500 - self.draw(9000, 2000)
                nic[at + 1] += packets
        for name, mean, scatter in (('user', 25, 5), ('system', 35, 6), ('idle', 300, 9), ('iowait', 12, 4),
                                    ('ctxt', 90000, 6000), ('pgpgin', 280000, 9000),
                                    ('pgpgout', 190000, 8000), ('pgfault', 1500, 400)):
            self.host[name] += self.draw(mean, scatter)
        self.show(load)

    def show(self, load):
        wide = lambda numbers: ' '.join('%15d' % one for one in numbers)
        self.put('proc/diskstats', ''.join('   8 %7d %s %s\n' % (i * 16, name, wide(disk))
                                           for i, (name, disk) in enumerate(self.disks.items())))
        self.put('proc/net/dev', 'Inter-|   Receive  |  Transmit\n face |bytes packets|bytes packets\n' + ''.join(
            '%6s: %s\n' % (name, wide(nic)) for name, nic in self.nics.items()))
        cpu = wide(self.host[name] for name in ('user', 'nice', 'system', 'idle', 'iowait'))
        self.put('proc/stat', 'cpu  %s 0 0 0 0 0\ncpu0 %s 0 0 0 0 0\nctxt %15d\nbtime 1700000000\nprocesses 9\n'
                 'procs_running %d\nprocs_blocked 0\n' % (cpu, cpu, self.host['ctxt'], min(1 + self.draw(2, 1), 9)))
        self.put('proc/vmstat', ''.join('%s %15d\n' % (name, self.host[name])
                                        for name in ('pgpgin', 'pgpgout', 'pgfault')))
        self.put('proc/loadavg', '%.2f 1.00 1.00 2/%d 12345\n' % (load * 4, 700 + self.draw(3, 2)))

    def put(self, path, text):
        """In one write of always the same length: the exporter keeps these files open."""
        path = self.root / path
        file = os.open(path, os.O_WRONLY | os.O_CREAT)
        try:
            os.pwrite(file, text.encode(), 0)
        finally:
            os.close(file)


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as probe:
        return probe.getsockname()[1]


class Exporter:
    def __init__(self, program, root, name, record, extra=None):
        self.config = pathlib.Path(root, name + '.yml')
        self.config.write_text(json.dumps({
            'sampling': {'interval': '%dms' % (STEP * 1000)}, 'web': {'listen_addresses': ['127.0.0.1:%d' % free_port()]},
            'paths': {'procfs': str(pathlib.Path(root, 'proc')), 'sysfs': str(pathlib.Path(root, 'sys'))},
            'collectors': {'tcp': {'enabled': False}, 'self': {'enabled': False}, 'netstat': {'enabled': False},
                           'disk_errors': {'enabled': False}},
            'record': {'instance': 'oss17.example.com', 'flush_interval': '%ds' % (FRAME * STEP), **(extra or {}),
                       **({'dir': str(pathlib.Path(root, name))} if record else {})}}))
        self.folder = pathlib.Path(root, name)
        self.process = subprocess.Popen([program, 'serve', '--config', self.config],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def cpu_seconds(self):
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def rss_mib(self):
        status = pathlib.Path('/proc/%d/status' % self.process.pid).read_text()
        return [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(('VmHWM', 'VmRSS'))]

    def recorded(self, diagnoser):
        """(compressed bytes, samples, lines of the second sample, bytes of text) once it has ended."""
        files = sorted(self.folder.glob('*.zst'))
        # Without labels of the export's own, so that it is the text that was recorded.
        text = subprocess.run([diagnoser, 'export', '--job', '', *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=True).stdout.replace(b'{node="oss17.example.com",', b'{')
        packed = sum(path.stat().st_size for path in files)
        lines = [line for line in text.decode().splitlines() if not line.startswith('#')]
        stamps = {line.rsplit(' ', 1)[1] for line in lines}
        return packed, len(stamps), len(lines) / len(stamps), len(text)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def measure(options, moving, form):
    """MB a day."""
    with tempfile.TemporaryDirectory(prefix='limpet-bench-') as root, contextlib.ExitStack() as stack:
        server = Server(root, options.luns, moving)
        exporters = [Exporter(options.exporter, root, name, name == 'records', {'compression_level': options.level, 'format': form})
                     for name in ('plain', 'records')]
        for one in exporters:
            stack.callback(one.process.kill)
        over = threading.Event()

        def move():
            while not over.wait((1.5 * STEP - time.time() % STEP) % STEP):  # between two samples
                server.tick()
                time.sleep(STEP / 20)
        mover = threading.Thread(target=move)
        mover.start()
        time.sleep(FRAME * STEP * 1.5)  # one frame, after which memory is what it stays
        before = [one.cpu_seconds() for one in exporters]
        time.sleep(options.minutes * 60)
        cpu = [one.cpu_seconds() - start for one, start in zip(exporters, before)]
        rss = [one.rss_mib() for one in exporters]
        over.set()
        mover.join()
        for one in exporters:
            one.stop()
        size, samples, lines, text = exporters[1].recorded(options.diagnoser)
        if options.keep:
            shutil.copytree(exporters[1].folder, pathlib.Path(options.keep, '%s-%g' % (form, moving)))
    seconds = options.minutes * 60 / STEP
    print('%d LUNs, %.0f %% of them moving, %s, zstd level %d: %d samples of %.0f lines, %d seconds of the server' % (
        options.luns, moving * 100, form, options.level, samples, lines, server.second))
    print('  a day:     %.1f MB (%.2f bytes a line; %.0f MB as text)' % (
        size / samples * DAY / 1e6, size / samples / lines, text / samples * DAY / 1e6))
    print('  memory:    %.1f MiB more at its peak, %.1f now (%.1f and %.1f MiB)' % (
        rss[1][0] - rss[0][0], rss[1][1] - rss[0][1], rss[0][1], rss[1][1]))
    print('  processor: %.1f s a minute of the server more' % ((cpu[1] - cpu[0]) / seconds * 60), flush=True)
    return size / samples * DAY / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--exporter', default='build/release/bin/limpet-exporter')
    parser.add_argument('--diagnoser', default='build/release/bin/limpet-diagnoser', help='reads what was recorded')
    parser.add_argument('--formats', nargs='+', choices=('text', 'columns'), default=['text', 'columns'])
    parser.add_argument('--minutes', type=float, default=1)
    parser.add_argument('--luns', type=int, default=36)
    parser.add_argument('--moving', nargs='+', type=float, default=[1, 0.2, 0.05, 0])
    parser.add_argument('--level', type=int, default=19)
    parser.add_argument('--keep', metavar='FOLDER', help='copy the recordings there')
    options = parser.parse_args()
    rows = [(moving, [measure(options, moving, form) for form in options.formats]) for moving in options.moving]
    print('\n| LUNs that move in a second | %s |\n|%s' % (' | '.join(options.formats), '---|' * (1 + len(options.formats))))
    for moving, days in rows:
        print('| %.0f %% | %s |' % (moving * 100, ' | '.join('%.3g' % day for day in days)))


if __name__ == '__main__':
    main()
