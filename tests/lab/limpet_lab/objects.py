"""Writes and reads objects of 64 to 512 KiB by the Swift proxy on this host, until it is stopped: objects.py CLIENT THREADS [OBJECTS]

CLIENT: its name, and its container's. Few objects lie unevenly. Each object is written once; then half of the requests overwrite one, half read one.
"""
import http.client
import os
import random
import sys
import threading
import time

OBJECTS, BODY = int((sys.argv[3:] or [240])[0]), os.urandom(512 << 10)
ACCOUNT, PROXY = '/v1/AUTH_lab', ('127.0.0.1', 8080)


class Client:
    """One connection; one that breaks is opened again."""

    def __init__(self, container):
        self._container, self._connection = '%s/%s' % (ACCOUNT, container), None

    def ask(self, method, path='', body=None):
        """The answer's status; 0: there was none."""
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection(*PROXY, timeout=60)
            self._connection.request(method, self._container + path, body=body, headers={
                'Content-Length': str(len(body or b''))} if method == 'PUT' else {})
            answer = self._connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._connection = None
            time.sleep(0.5)
            return 0

    def put(self, number):
        return self.ask('PUT', '/o%d' % number, BODY[:random.randrange(64 << 10, len(BODY))])


def work(container, first, step):
    client = Client(container)
    while client.ask('PUT') not in (201, 202):      # the container
        time.sleep(1)
    for number in range(first, OBJECTS, step):
        client.put(number)
    while True:
        number = random.randrange(OBJECTS)
        if random.random() < 0.5:
            client.put(number)
        else:
            client.ask('GET', '/o%d' % number)


if __name__ == '__main__':
    for i in range(int(sys.argv[2])):
        threading.Thread(target=work, args=(sys.argv[1], i, int(sys.argv[2]))).start()
