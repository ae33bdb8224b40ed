"""Statsd timers as a page of histograms, as statsd_exporter makes it, which Debian has no package of.

    statsd_page.py MAPPING UDP_PORT ADDRESS PORT    MAPPING: as statsd_exporter takes it, with globs and histograms
"""
import http.server
import itertools
import re
import socket
import sys
import threading

ROW = re.compile(r'\{match: "([^"]+)", name: (\w+), labels: \{(\w+): "\$(\d)"\}')
BUCKETS = re.compile(r'buckets: \[([^\]]+)\]')


class Histogram:

    def __init__(self, bounds):
        self.bounds, self.counts, self.sum = bounds, [0] * (len(bounds) + 1), 0.0

    def observe(self, seconds):
        self.sum += seconds
        self.counts[next((i for i, bound in enumerate(self.bounds) if seconds <= bound), len(self.bounds))] += 1


class Page:
    """rules: [(pattern, name, label, number of the glob that is its value)], the first that fits counts."""

    def __init__(self, mapping):
        self.rules = [(re.compile(r'([^.]*)'.join(map(re.escape, match.split('*')))), name, label, int(number))
                      for match, name, label, number in ROW.findall(mapping)]
        self.bounds = [float(one) for one in BUCKETS.search(mapping).group(1).split(',')]
        self._histograms, self._lock = {}, threading.Lock()

    def take(self, packet):
        """A packet: NAME:MILLISECONDS|ms in each line. What is no timer, or fits no rule, is left out."""
        for line in packet.decode('utf-8', 'replace').splitlines():
            name, _, rest = line.partition(':')
            value, _, kind = rest.partition('|')
            found = next(((rule, fit) for rule in self.rules for fit in [rule[0].fullmatch(name)] if fit), None)
            if found is None or not kind.startswith('ms'):
                continue
            (_, series, label, number), fit = found
            with self._lock:
                self._histograms.setdefault((series, label, fit.group(number)), Histogram(self.bounds)).observe(
                    float(value) / 1000)

    def text(self):
        lines = []
        with self._lock:
            for (series, label, value), one in sorted(self._histograms.items()):
                sums = list(itertools.accumulate(one.counts))
                lines += ['%s_bucket{%s="%s",le="%s"} %d' % (series, label, value, bound, count)
                          for bound, count in zip([*('%g' % bound for bound in one.bounds), '+Inf'], sums)]
                lines += ['%s_sum{%s="%s"} %r' % (series, label, value, one.sum),
                          '%s_count{%s="%s"} %d' % (series, label, value, sums[-1])]
        return ''.join(line + '\n' for line in lines)


def serve(page, address, port):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            body = page.text().encode()
            self.send_response(200)
            self.send_header('Content-Type', 'text/plain; version=0.0.4')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass
    threading.Thread(target=http.server.ThreadingHTTPServer((address, port), Handler).serve_forever).start()


if __name__ == '__main__':
    with open(sys.argv[1], encoding='utf-8') as file:
        its = Page(file.read())
    serve(its, sys.argv[3], int(sys.argv[4]))
    with socket.socket(type=socket.SOCK_DGRAM) as listener:
        listener.bind(('127.0.0.1', int(sys.argv[2])))
        while True:
            its.take(listener.recv(65536))
