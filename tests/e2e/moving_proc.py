"""A /proc and a /sys of a server that is not there, for real exporters: disks whose counters move.

The exporter keeps these files open, so they are overwritten in place, in one write of always the
same length.
"""
import os
import pathlib
import random
import threading
import time


class MovingServer:
    """`await_ms`, `busy_ms`: of each request; a test makes the server limp by raising them."""

    def __init__(self, folder, seed, disks=('sda',)):
        self.root = pathlib.Path(folder)
        self.await_ms, self.busy_ms, self.requests = 10.0, 5.0, 60.0    # requests a second
        self._random = random.Random(seed)
        self._disks = {name: [0.0] * 4 for name in disks}   # requests, ms, busy ms, bytes
        self._bytes = 0
        for name in disks:
            (self.root / 'sys/block' / name).mkdir(parents=True)
            (self.root / 'sys/class/block' / name).mkdir(parents=True)
        (self.root / 'sys/class/net/eth0').mkdir(parents=True)
        (self.root / 'proc/net').mkdir(parents=True)
        self.advance(1)

    def advance(self, seconds):
        """So much time passes for the counters."""
        for disk in self._disks.values():
            requests = max(0, self._random.gauss(self.requests, 3)) * seconds
            disk[0] += requests
            disk[1] += requests * self.await_ms
            disk[2] += requests * self.busy_ms
            disk[3] += requests * 65536
        self._bytes += int(self._random.gauss(4e6, 1e5) * seconds)
        self._put('proc/diskstats', ''.join(
            '   8 %7d %s %15d 0 %15d %15d 0 0 0 0 0 %15d %15d\n' % (
                16 * i, name, done, size / 512, wait, busy, wait)
            for i, (name, (done, wait, busy, size)) in enumerate(self._disks.items())))
        self._put('proc/net/dev', 'Inter-|   Receive  |  Transmit\n face |bytes packets|bytes packets\n'
                  '  eth0: %s %s\n' % (('%15d %15d 0 0 0 0 0 0' % (self._bytes, self._bytes / 1500),) * 2))
        self._put('proc/stat', 'cpu  100 0 100 %15d 10 0 0 0 0 0\nctxt %15d\nbtime 1700000000\nprocesses 9\n'
                  'procs_running 1\nprocs_blocked 0\n' % (self._bytes / 1e4, self._bytes / 1e3))
        self._put('proc/loadavg', '1.00 1.00 1.00 2/700 12345\n')
        self._put('proc/vmstat', 'pgpgin %15d\npgpgout 1\npgfault 1\n' % (self._bytes / 1024))

    def _put(self, path, text):
        file = os.open(self.root / path, os.O_WRONLY | os.O_CREAT)
        try:
            os.pwrite(file, text.encode(), 0)
        finally:
            os.close(file)


class Mover:
    """Moves servers as time passes, in the middle between two samples, until the block ends."""

    def __init__(self, servers, step):
        self._servers, self._step = servers, step
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._over.wait(self._step - (time.time() - self._step / 2) % self._step):
            for server in self._servers:
                server.advance(self._step)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
