"""Writes keys to all members of an etcd cluster, until it is stopped: puts.py RATE ADDRESS...

RATE: keys a second, in all; each member takes its share of them.
"""
import base64
import http.client
import json
import os
import random
import sys
import threading
import time

THREADS = 3             # of each member
KEYS, BYTES = 1000, 512
PORT = 2379


def write(address, rate, number):
    """One connection's keys; one that breaks is opened again."""
    connection, due = http.client.HTTPConnection(address, PORT, timeout=10), time.monotonic()
    while True:
        due = max(due + random.expovariate(rate), time.monotonic() - 1)   # what was slow is not made up for
        time.sleep(max(0.0, due - time.monotonic()))
        key = base64.b64encode(b'%d-%d' % (number, random.randrange(KEYS))).decode()
        body = json.dumps({'key': key, 'value': base64.b64encode(os.urandom(BYTES)).decode()})
        try:
            connection.request('POST', '/v3/kv/put', body)
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            connection.close()
            time.sleep(0.5)


if __name__ == '__main__':
    addresses = sys.argv[2:] * THREADS
    for i, one in enumerate(addresses):
        threading.Thread(target=write, args=(one, float(sys.argv[1]) / len(addresses), i)).start()
