"""How the costs of limpet-diagnoser grow: targets, disks a group, samples a page, viewers, days replayed.

  scripts/bench-diagnoser --curves [--only CURVE…] [--seconds 30] [--bin FOLDER]

Shipped settings; Debian's Prometheus scrapes the same targets in turn. Prints a row a point: CPU time of a second of
data in ms, the median of three stretches (of the whole replay in s), memory in MiB. An hour of an idle machine, with
--most less.
"""
import argparse
import http.client
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import serve_bench

DAY = 86400
WARM_UP = 75      # seconds: the first window of 64 and what starting costs


class Point:
    """One fleet, served once every `every` seconds to who asks."""

    def __init__(self, bench, nodes, disks, interfaces=2, peers=100):
        self.bench, self.nodes = bench, nodes
        self.every = max(1, nodes // 1000)    # more than a thousand pages a second would measure the fleet
        self.shape = argparse.Namespace(targets=nodes, peers=peers, disks=disks, shipped=True)
        self.port = serve_bench.free_port()
        self.fleet = serve_bench.Program([bench.bin + '/benchmarks/serve_fleet', str(self.port), str(nodes), str(disks),
                                          str(interfaces)], bench.log)
        page = self.fleet.wait_for('http://127.0.0.1:%d/0/metrics' % self.port)
        self.samples = sum(1 for line in page.splitlines() if line[0] != '#')
        self.page = len(page)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.fleet.stop()

    def measured(self, program):
        """Medians of three stretches: what else the host does comes in bursts."""
        seconds = max(self.bench.seconds, 9 * self.every)
        rows = [serve_bench.measure(program, self.fleet, lambda: 0, seconds) for _ in range(3)]
        return {name: statistics.median(row[name] for row in rows) for name in rows[0]}

    def diagnoser(self):
        config = self.bench.folder / 'diagnoser.yml'
        serve_bench.diagnoser_config(config, self.port, self.shape, interval=self.every)
        if self.nodes < self.shape.peers:    # disks are peers by what they are
            config.write_text(config.read_text(encoding='utf-8').partition('peer_groups:')[0], encoding='utf-8')
        web = serve_bench.free_port()
        program = serve_bench.Program([self.bench.bin + '/bin/limpet-diagnoser', 'serve', '--config', str(config),
                                       '--web.listen-address', '127.0.0.1:%d' % web], self.bench.log)
        program.wait_for('http://127.0.0.1:%d/metrics' % web)
        return program, web

    def prometheus(self):
        config = self.bench.folder / 'prometheus.yml'
        serve_bench.prometheus_config(config, self.port, self.shape, self.every)
        web = serve_bench.free_port()
        with tempfile.TemporaryDirectory(dir=self.bench.folder) as data:
            program = serve_bench.Program(['prometheus', '--config.file=%s' % config, '--log.level=error',
                                           '--storage.tsdb.path=' + data, '--web.listen-address=127.0.0.1:%d' % web],
                                          self.bench.log)
            try:
                program.wait_for('http://127.0.0.1:%d/metrics' % web)
                time.sleep(40 + 2 * self.every)
                return self.measured(program)
            finally:
                program.stop()

    def row(self, curve, size):
        program, web = self.diagnoser()
        try:
            time.sleep(WARM_UP * self.every)
            seen = self.measured(program)
            page = serve_bench.get('http://127.0.0.1:%d/metrics' % web)
        finally:
            program.stop()
        lag, up = (serve_bench.value_of(page, name) for name in ('limpet_ingest_lag_seconds', 'limpet_target_up'))
        beside = self.prometheus()
        return [curve, size, '%.3g ms/s' % (1000 * seen['cpu']), '%.0f' % seen['rss'], '%.3g ms/s' % (1000 * beside['cpu']),
                '%.0f' % beside['rss'], '%.0f up, lag %.2f s' % (up, lag)]


class Bench:
    """Each method yields the rows of one curve."""

    def __init__(self, options, folder, log):
        self.bin, self.seconds, self.most = options.bin, options.seconds, options.most
        self.folder, self.log = pathlib.Path(folder), log

    def sizes(self, *sizes):
        return [size for size in sizes if size <= self.most]

    def targets(self):
        for count in self.sizes(10, 100, 1000, 10000):
            with Point(self, count, 12, 3) as point:
                yield point.row('targets', '%s every %d s' % (f'{count:,}', point.every))

    def page(self):
        """Three servers, so that what is read is compared, too."""
        for disks in self.sizes(3, 30, 300, 3000):
            with Point(self, 3, disks) as point:
                yield point.row('samples a page', f'{point.samples:,}')

    def group(self):
        config = self.folder / 'group.yml'
        config.write_text('targets: [{address: none}]\npeer_groups:\n  - {name: all, kind: storage, roles: [server]}\n',
                          encoding='utf-8')
        for nodes, disks in ((3, 1), (30, 1), (300, 1), (250, 12), (834, 12)):
            if nodes * disks <= self.most:
                yield self.replayed('disks a group, two minutes', f'{nodes * disks:,}', config, nodes, disks, [120])

    def days(self):
        config = self.folder / 'days.yml'
        config.write_text('targets: [{address: none}]\n', encoding='utf-8')
        for days in self.sizes(1, 3, 10, 30):
            yield self.replayed('days replayed, 3 servers of 1 disk', str(days), config, 3, 1, [days * DAY, 1, 1])

    def replayed(self, curve, size, config, nodes, disks, more):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            made = subprocess.run([self.bin + '/benchmarks/record_fleet', folder, str(nodes), str(disks), *map(str, more)],
                                  check=True, capture_output=True, text=True).stdout.split()
            began = time.monotonic()
            process = subprocess.Popen([self.bin + '/bin/limpet-diagnoser', 'replay', '--jobs', '1', '--config', str(config),
                                        '--format', 'text', '--output', '/dev/null', folder], stdout=self.log,
                                       stderr=self.log)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            if status:
                sys.exit('replay failed; see the log')
            cpu = usage.ru_utime + usage.ru_stime
            return [curve, size, '%.3g s' % cpu, '%.0f' % (usage.ru_maxrss / 1024), '-', '-',
                    '%.1f million samples/s, %.3g s' % (int(made[0]) / 1e6 / cpu, time.monotonic() - began)]

    def viewers(self):
        """Of a thousand nodes, two frames a second."""
        with Point(self, min(1000, self.most), 12, 3) as point:
            program, web = point.diagnoser()
            try:
                time.sleep(WARM_UP)
                without = serve_bench.measure(program, point.fleet, lambda: 0, self.seconds)
                watching = []
                for count in (1, 10, 64, 500):
                    while len(watching) < count:
                        watching.append(Viewer(web, len(watching)))
                    time.sleep(5)
                    seen = serve_bench.measure(program, point.fleet, lambda: 0, self.seconds)
                    yield ['viewers', str(count), '%.3g ms/s more' % (1000 * (seen['cpu'] - without['cpu'])),
                           '-', '-', '-',
                           '%d watch' % sum(one.watches for one in watching)]
            finally:
                program.stop()


class Viewer:
    """Reads the live page's stream, from an address that 30 share; `watches` until it is turned away or closed."""

    def __init__(self, port, number):
        self.watches = False
        self.connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60,
                                                     source_address=('127.0.1.%d' % (1 + number // 30), 0))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            self.connection.request('GET', '/api/v1/stream?rate=2')
            answer = self.connection.getresponse()
            self.watches = answer.status == 200
            while self.watches and answer.read1(65536):
                pass
        except (OSError, http.client.HTTPException):
            pass
        self.watches = False


def main():
    curves = [name for name in vars(Bench) if name in ('targets', 'page', 'group', 'days', 'viewers')]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default='build/release')
    parser.add_argument('--only', nargs='+', choices=curves, default=curves)
    parser.add_argument('--seconds', type=float, default=32)
    parser.add_argument('--most', type=int, default=10008, help='leaves out larger fleets, groups, pages')
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print('load average at the start: %.1f\n' % os.getloadavg()[0])
    print('| curve | size | CPU | MiB | Prometheus: CPU | Prometheus: MiB | seen |\n|---|---|---|---|---|---|---|', flush=True)
    with tempfile.TemporaryDirectory(prefix='limpet-curves-', dir='/dev/shm' if os.path.isdir('/dev/shm') else None
                                     ) as folder, open(os.path.join(folder, 'log'), 'w', encoding='utf-8') as log:
        bench = Bench(options, folder, log)
        for curve in options.only:
            for row in getattr(bench, curve)():
                print('|' + ''.join(' %s |' % cell for cell in row), flush=True)
    print('\nload average at the end: %.1f' % os.getloadavg()[0])


if __name__ == '__main__':
    main()
