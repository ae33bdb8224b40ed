"""Native histograms from a real Prometheus: compared as classic ones are."""
import collections
import http.server
import json
import math
import random
import struct
import threading
import time
import unittest

import support
from peers import Prometheus
from support import wait_until

NAME, SCHEMA = 'rpc_seconds', 2     # four buckets for each power of two
CONFIG = '''
presets: [{base: bare, name: quick, smoothing: 2, window: 8, shift: 4, k: 2}]
peer_groups: [{name: disks, kind: storage, roles: [server]}]
source: prometheus
prometheus: {url: "%s", step: 1s, lag: 2s, timeout: 5s}
metrics:
  - {name: rpc, text: time of a call, unit: s, series: {histogram: rpc_seconds}, labels: {method: put}, noise_floor: 1ms}
'''


def varint(number):
    out = b''
    while number > 0x7f:
        out, number = out + bytes([number & 0x7f | 0x80]), number >> 7
    return out + bytes([number])


def signed(number):
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def field(number, value):
    """Protocol buffers: text or bytes, a float, or an integer as it is."""
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack('<d', value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


class Server:
    """A page of one native histogram in protocol buffers, which text cannot tell."""

    def __init__(self, seed):
        self.slow, self._random, self._counts, self._sum = 0.0, random.Random(seed), collections.Counter(), 0.0
        self._at, self._lock = time.time(), threading.Lock()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = server.page()
                self.send_response(200)
                self.send_header('Content-Type', 'application/vnd.google.protobuf; '
                                 'proto=io.prometheus.client.MetricFamily; encoding=delimited')
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass
        self.http = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.http.server_address[1]

    def page(self):
        with self._lock:
            now = time.time()
            for _ in range(int((now - self._at) * 400)):
                took = self._random.expovariate(1 / 0.004) * (20 if self._random.random() < self.slow else 1)
                self._sum += took
                self._counts[math.ceil(math.log2(took) * 2 ** SCHEMA)] += 1
            self._at = now
            histogram = (field(1, sum(self._counts.values())) + field(2, self._sum) +
                         varint(5 << 3) + signed(SCHEMA) + field(6, 1e-9) + field(7, 0))
            before, count = None, 0
            for index in sorted(self._counts):
                offset = index if before is None else index - before - 1
                histogram += field(12, varint(1 << 3) + signed(offset) + field(2, 1))
                before = index
            for index in sorted(self._counts):
                histogram += varint(13 << 3) + signed(self._counts[index] - count)
                count = self._counts[index]
            family = field(1, NAME) + field(3, 4) + field(4, field(
                1, field(1, 'method') + field(2, 'put')) + field(7, histogram))
            return varint(len(family)) + family


class NativePrometheus(Prometheus):

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self._arguments.append('--enable-feature=native-histograms')


class NativeStoreTest(support.TestCase):

    def test_the_slow_server_is_named_by_its_native_histogram(self):
        servers = {'io%02d' % (i + 1): Server(i) for i in range(6)}
        for one in servers.values():
            self.addCleanup(one.http.server_close)
            self.addCleanup(one.http.shutdown)
        scrapes = '  - job_name: rpc\n    static_configs:\n' + ''.join(
            '      - targets: ["127.0.0.1:%d"]\n        labels: {instance: "%s:9000"}\n' % (one.port, name)
            for name, one in servers.items())
        with NativePrometheus(self.folder, scrapes) as store:
            program = self.diagnoser(CONFIG % store.url(''))
            wait_until('a window of all', lambda: program.page().value(
                'limpet_diagnoser_custom_components', metric='rpc', state='compared') == 6, 60)
            time.sleep(5)
            self.assertEqual(self.indicted(program), set())
            servers['io04'].slow = 0.5
            wait_until('the verdict', lambda: self.indicted(program), 60)
            self.assertEqual(self.indicted(program), {('io04', 'slow-requests')})
            verdict, = json.loads(program.page('/api/v1/verdicts').body)['verdicts']
            self.assertRegex(verdict['evidence'][0]['text'],
                             r"^time of a call of io04: p\d+(\.\d)? [\d.]+ ms, its peers' ")


if __name__ == '__main__':
    unittest.main()
