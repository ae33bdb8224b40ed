"""A client that asks servers and waits, as NFS's does, for kernels without NFS.

    mountstats_client.py FOLDER PORT NAME=ADDRESS …

Reads blocks of 64 KiB from the storage servers ("storage_server.py answer") at random times, the same rate from each. What
it waited stands in FOLDER/1/mountstats, in the form of Linux (Documentation/filesystems/nfs, net/sunrpc/stats.c), with
FOLDER/self and FOLDER/1/mountinfo beside it: a node_exporter with --path.procfs=FOLDER --collector.mountstats reads them.
"""
import os
import pathlib
import random
import socket
import sys
import threading
import time

from storage_server import BLOCK

PER_SECOND = 5      # of each server
WORKERS = 2         # requests in flight at most, of each server

_OF_A_MOUNT = '''device %(name)s:/data mounted on /mnt/%(name)s with fstype nfs statvers=1.1
\topts:\trw,vers=3,rsize=65536,wsize=65536,hard,proto=tcp,mountaddr=%(address)s,addr=%(address)s
\tage:\t%(age)d
\tcaps:\tcaps=0x3fc7,wtmult=4096,dtsize=4096,bsize=0,namlen=255
\tsec:\tflavor=1,pseudoflavor=1
\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
\tbytes:\t0 0 0 0 %(bytes)d 0 0 0
\tRPC iostats version: 1.1  p/v: 100003/3 (nfs)
\txprt:\ttcp 832 0 1 0 0 %(count)d %(count)d 0 %(count)d 0 2 0 0
\tper-op statistics
\t        READ: %(count)d %(count)d 0 %(sent)d %(bytes)d 0 %(ms)d %(ms)d 0

'''
_MOUNT = '%(number)d 1 0:%(number)d / /mnt/%(name)s rw,relatime - nfs %(name)s:/data rw,vers=3,proto=tcp,addr=%(address)s\n'


class Mount:
    """One server, and what was waited for it so far."""

    def __init__(self, name, address):
        self.name, self.address, self.lock = name, address, threading.Lock()
        self.count, self.seconds = 0, 0.0

    def ask(self, port):
        with socket.create_connection((self.address, port)) as connection:
            buffer, due = bytearray(BLOCK), time.time()
            while True:
                due += random.expovariate(PER_SECOND / WORKERS)
                time.sleep(max(0, due - time.time()))
                due = max(due, time.time() - 1)
                began, got = time.monotonic(), 0
                connection.sendall(b'?')
                while got < BLOCK:
                    more = connection.recv_into(memoryview(buffer)[got:])
                    if not more:
                        raise ConnectionError('%s closed the connection' % self.name)
                    got += more
                with self.lock:
                    self.count, self.seconds = self.count + 1, self.seconds + time.monotonic() - began

    def told(self, number, age):
        with self.lock:
            count, seconds = self.count, self.seconds
        return {'number': number, 'name': self.name, 'address': self.address, 'age': age, 'count': count,
                'bytes': count * BLOCK, 'sent': 100 * count, 'ms': 1000 * seconds}


def write(folder, mounts, age):
    told = [one.told(50 + i, age) for i, one in enumerate(mounts)]
    for name, form in (('mountstats', _OF_A_MOUNT), ('mountinfo', _MOUNT)):
        fresh = folder / '1' / (name + '.new')
        fresh.write_text(''.join(form % one for one in told))
        fresh.rename(folder / '1' / name)


def main(folder, port, *servers):
    folder, began = pathlib.Path(folder), time.monotonic()
    (folder / '1').mkdir(parents=True)
    os.symlink('1', folder / 'self')
    mounts = [Mount(*one.split('=')) for one in servers]
    for one in mounts:
        for _ in range(WORKERS):
            threading.Thread(target=one.ask, args=(int(port),), daemon=True).start()
    while True:
        write(folder, mounts, time.monotonic() - began)
        time.sleep(0.5)


if __name__ == '__main__':
    main(*sys.argv[1:])
