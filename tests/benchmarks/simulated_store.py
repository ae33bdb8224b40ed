"""A Prometheus-compatible store of a site that is too large to be run here: it answers query_range alone.

    simulated_store.py PORT NODES DISKS NODES_A_RACK

Every node has a node_exporter that was scraped 1 s before each step; its disks work alike but for one
that is four times as slow. Numbers differ from series to series and step to step, as real ones do.
"""
import http.server
import random
import sys
import urllib.parse

SCRAPED_BEFORE = 1      # seconds before the step
VARIANTS = 64           # of rates; more would be the same work
SLOW = 4


def disk_name(disk):
    return 'sd' + (chr(ord('a') + disk) if disk < 26 else
                   chr(ord('a') + disk // 26 - 1) + chr(ord('a') + disk % 26))


# What a disk does in a second; a request takes 8 ms.
RATES = {'node_disk_reads_completed_total': 60, 'node_disk_writes_completed_total': 30,
         'node_disk_read_bytes_total': 60 * 65536, 'node_disk_written_bytes_total': 30 * 65536,
         'node_disk_read_time_seconds_total': 0.48, 'node_disk_write_time_seconds_total': 0.24,
         'node_disk_io_time_seconds_total': 0.5, 'node_disk_io_time_weighted_seconds_total': 0.72}
OF_TIME = {name for name in RATES if 'time' in name}


class Site:
    """Nodes as the answers name them. All series of a variant have the same values, so a quarter of a million series
    are made by joining what stands between them: the store must not be what is measured."""

    def __init__(self, nodes, disks, rack):
        self._nodes = ['"instance":"n%05d:9100","job":"node"' % node for node in range(nodes)]
        labels = [name + ',"rack":"r%d","device":"%s"' % (node // rack, disk_name(disk))
                  for node, name in enumerate(self._nodes) for disk in range(disks)]
        self._slow = len(labels) // 2
        self._factors = [random.Random(i).uniform(0.9, 1.1) for i in range(VARIANTS)]
        self._begins = {name: [[self._begin(name, labels[i]) for i in range(variant, len(labels), VARIANTS)
                                if i != self._slow] for variant in range(VARIANTS)] for name in RATES}
        self._slow_begin = {name: self._begin(name, labels[self._slow]) for name in RATES}

    @staticmethod
    def _begin(name, labels):
        return ('{"metric":{"__name__":"%s",%s},"values":[' % (name, labels)).encode()

    def answer(self, query, steps):
        series = self._instants(steps) if 'timestamp(' in query else self._readings(query, steps)
        return b'{"status":"success","data":{"resultType":"matrix","result":[%s]}}' % b','.join(series)

    def _instants(self, steps):
        values = ','.join('[%d,"%d"]' % (step, step - SCRAPED_BEFORE) for step in steps)
        return [('{"metric":{%s},"values":[%s]}' % (node, values)).encode() for node in self._nodes]

    def _readings(self, query, steps):
        found = [name for name in RATES if query.startswith('{__name__=~"(limpet|node)_%s"' % name[5:])]
        if not found:
            return []
        name = found[0]
        parts = []
        for variant, begins in enumerate(self._begins[name]):
            if begins:
                values = self._values(RATES[name] * self._factors[variant], variant, steps).encode()
                parts.append((values + b']},').join(begins) + values + b']}')
        variant = self._slow % VARIANTS
        rate = RATES[name] * self._factors[variant] * (SLOW if name in OF_TIME else 1)
        parts.append(self._slow_begin[name] + self._values(rate, variant, steps).encode() + b']}')
        return parts

    @staticmethod
    def _values(rate, variant, steps):
        # The same for the same step, whoever asks when.
        return ','.join('[%d,"%.6f"]' % (step, rate * (step - SCRAPED_BEFORE - 1.6e9) +
                                         rate * random.Random(step * VARIANTS + variant).uniform(0, 0.5))
                        for step in steps)


def handler(site):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            asked = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
            body = b'ready'
            if 'query' in asked:
                start, end, step = (int(float(asked[key][0])) for key in ('start', 'end', 'step'))
                body = site.answer(asked['query'][0], range(start, end + 1, step))
            self.send_response(200)
            self.send_header('Content-Type', 'application/json')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass
    return Handler


if __name__ == '__main__':
    port, nodes, disks, rack = map(int, sys.argv[1:])
    http.server.ThreadingHTTPServer(('127.0.0.1', port), handler(Site(nodes, disks, rack))).serve_forever()
