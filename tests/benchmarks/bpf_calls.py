"""Nanoseconds that a system call takes, Python's own part included: the table of docs/performance.md.

    python3 tests/benchmarks/bpf_calls.py FOLDER

Run it by a name that the exporter follows (a symbolic link to Python) and by one that it does not, with and without
the exporter, in turn. It prints the hundredth part of the fastest of 4,000 batches, which other programs disturb least.
"""
import os
import socket
import sys
import time

NAME = os.path.join(sys.argv[1], 'bpf_calls')
FD = os.open(NAME, os.O_RDWR | os.O_CREAT)
os.pwrite(FD, b'x' * 65536, 0)
LISTENING = socket.create_server(('127.0.0.1', 0))
CLIENT = socket.create_connection(LISTENING.getsockname())
SERVER, _ = LISTENING.accept()
SERVER.setblocking(False)


def again():
    try:
        SERVER.recv(1)
    except BlockingIOError:
        pass


def nanoseconds(call, calls, batch):
    times = []
    for _ in range(4000):
        begin = time.perf_counter_ns()
        for _ in range(batch):
            call()
        times.append((time.perf_counter_ns() - begin) / (batch * calls))
    return sorted(times)[40]


for label, one, system_calls in (('getppid', os.getppid, 1), ('pread', lambda: os.pread(FD, 4096, 0), 1),
                                 ('stat', lambda: os.stat(NAME), 1),
                                 ('open, close', lambda: os.close(os.open(NAME, os.O_RDONLY)), 2), ('recv', again, 1)):
    print('%s %.0f' % (label, nanoseconds(one, system_calls, 40 // system_calls)))
os.unlink(NAME)
