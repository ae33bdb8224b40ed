"""A storage server that costs next to nothing: it reads its disk and sends what it read to a client.

    storage_server.py serve DISK ADDRESS PORT   reads DISK directly, sends to ADDRESS:PORT
    storage_server.py take PORT                 takes what all servers send
    storage_server.py answer DISK PORT          reads DISK directly, a block for each byte that a client sends

As peers of a striped file system do, all servers read at the same rate at any time: it swings by 40 %
in ten minutes, and for two minutes of every half hour nobody asks for anything.
"""
import contextlib
import math
import mmap
import os
import random
import socket
import sys
import threading
import time

BLOCK = 64 * 1024
PER_SECOND = 25
WORKERS = 4             # requests in flight at most
IDLE, EVERY = 120, 1800  # seconds


def rate(now):
    """Requests a second of each server at this time (seconds since 1970)."""
    if now % EVERY < IDLE:
        return 0.0
    return PER_SECOND * (1 + 0.4 * math.sin(2 * math.pi * now / 600))


def serve(disk, address, port):
    descriptor = os.open(disk, os.O_RDONLY | os.O_DIRECT)
    blocks = os.lseek(descriptor, 0, os.SEEK_END) // BLOCK
    connection, lock = socket.create_connection((address, port)), threading.Lock()

    def work():
        block, due = mmap.mmap(-1, BLOCK), time.time()    # direct I/O wants an aligned buffer
        while True:
            wanted = rate(due)
            due = due + random.expovariate(wanted / WORKERS) if wanted else due + 1
            time.sleep(max(0, due - time.time()))
            due = max(due, time.time() - 1)               # what a slow disk could not do is not made up for
            if wanted:
                os.preadv(descriptor, [block], random.randrange(blocks) * BLOCK)
                with lock:
                    connection.sendall(block)
    workers = [threading.Thread(target=work) for _ in range(WORKERS)]
    for one in workers:
        one.start()


def take(port):
    def empty(connection):
        buffer = bytearray(BLOCK)
        with connection, contextlib.suppress(OSError):
            while connection.recv_into(buffer):
                pass
    with socket.create_server(('', port)) as listener:
        print('listening', flush=True)
        while True:
            threading.Thread(target=empty, args=(listener.accept()[0],), daemon=True).start()


def answer(disk, port):
    descriptor = os.open(disk, os.O_RDONLY | os.O_DIRECT)
    blocks = os.lseek(descriptor, 0, os.SEEK_END) // BLOCK

    def work(connection):
        block = mmap.mmap(-1, BLOCK)
        with connection, contextlib.suppress(OSError):
            while connection.recv(1):
                os.preadv(descriptor, [block], random.randrange(blocks) * BLOCK)
                connection.sendall(block)
    with socket.create_server(('', port)) as listener:
        print('listening', flush=True)
        while True:
            threading.Thread(target=work, args=(listener.accept()[0],), daemon=True).start()


if __name__ == '__main__':
    if sys.argv[1] == 'take':
        take(int(sys.argv[2]))
    elif sys.argv[1] == 'answer':
        answer(sys.argv[2], int(sys.argv[3]))
    else:
        serve(sys.argv[2], sys.argv[3], int(sys.argv[4]))
