"""limpet-diagnoser replaying and scraping a made-up fleet, beside Prometheus scraping the same.

Processor time is user + system of each process, read from outside: /proc/PID/stat for the running
ones, wait4 for replay. The fleet's own process is not counted.
"""
import argparse
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

TICKS = os.sysconf('SC_CLK_TCK')


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as probe:
        return probe.getsockname()[1]


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def cpu_seconds(pid):
    with open('/proc/%d/stat' % pid) as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_mib(pid):
    with open('/proc/%d/status' % pid) as status:
        return int(re.search(r'VmHWM:\s+(\d+) kB', status.read()).group(1)) / 1024


def rss_mib(pid):
    with open('/proc/%d/status' % pid) as status:
        return int(re.search(r'VmRSS:\s+(\d+) kB', status.read()).group(1)) / 1024


def value_of(page, name):
    """The sum of a metric's samples."""
    # A federated page puts a timestamp behind the value.
    values = re.findall(r'^%s(?:\{[^}]*\})? (\S+)' % re.escape(name), page, re.M)
    return sum(map(float, values)) if values else float('nan')


class Program:
    def __init__(self, arguments, log):
        self.process = subprocess.Popen(arguments, stdout=log, stderr=log)
        self.pid = self.process.pid

    def wait_for(self, url, seconds=60):
        deadline = time.monotonic() + seconds
        while True:
            try:
                return get(url)
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    sys.exit('%s does not answer' % url)
                time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()


def diagnoser_config(path, fleet_port, args, preset=None, interval=1):
    """`preset`: a line of the configuration in place of what `args` say."""
    if preset is None:
        preset = '' if args.shipped else 'preset: bare'
    with open(path, 'w') as file:
        file.write('scrape: {interval: %ds, timeout: 900ms}\ntargets:\n' % interval)
        for node in range(args.targets):
            file.write('  - {address: "127.0.0.1:%d", node: n%04d, metrics_path: /%d/metrics, '
                       'labels: {rack: r%d}}\n' % (fleet_port, node, node, node // args.peers))
        write_groups(file, args.disks, preset, racks=-(-args.targets // args.peers))


def write_groups(file, disks, preset, racks=0):
    """`preset`: a line of the configuration. Disks of one place are peers, and within a rack where there are racks."""
    file.write('%s\npeer_groups:\n' % preset)
    for rack in range(max(racks, 1)):
        labels = ', labels: {rack: r%d}' % rack if racks else ''
        for disk in range(disks):
            file.write("  - {name: d%d-%d, kind: storage, roles: [server], device: '^%s$'%s}\n"
                       % (rack, disk, disk_name(disk), labels))
        file.write('  - {name: net%d, kind: network, roles: [server]%s}\n' % (rack, labels))


def disk_name(disk):
    return 'sd' + (chr(ord('a') + disk) if disk < 26 else
                   chr(ord('a') + disk // 26 - 1) + chr(ord('a') + disk % 26))


def prometheus_config(path, fleet_port, args, interval=1):
    with open(path, 'w') as file:
        file.write('global: {scrape_interval: %ds, scrape_timeout: 900ms}\n'
                   'scrape_configs:\n  - job_name: fleet\n    static_configs:\n' % interval)
        for node in range(args.targets):
            file.write("      - targets: ['127.0.0.1:%d']\n        labels: {instance: n%04d, "
                       '__metrics_path__: /%d/metrics}\n' % (fleet_port, node, node))


def prometheus_list(path, lists):
    with open(path, 'w') as file:
        file.write('global: {scrape_interval: 15s, scrape_timeout: 10s}\nscrape_configs:\n  - job_name: fleet\n'
                   '    file_sd_configs: [{files: ["%s"]}]\n'
                   '    relabel_configs: [{source_labels: [node], target_label: instance}]\n' % lists)


def measure(program, fleet, samples_so_far, seconds, parts=5):
    """CPU seconds a second, samples a second, over `seconds`; CPU of each of its parts, too."""
    began, cpu, fleet_cpu, samples = time.monotonic(), cpu_seconds(program.pid), cpu_seconds(
        fleet.pid), samples_so_far()
    readings = [cpu]
    for _ in range(parts):
        time.sleep(seconds / parts)
        readings.append(cpu_seconds(program.pid))
    samples = samples_so_far() - samples
    took = time.monotonic() - began
    cpu = cpu_seconds(program.pid) - cpu
    return {'cpu': cpu / took, 'samples': samples / took,
            'parts': sorted((b - a) * parts / seconds for a, b in zip(readings, readings[1:])),
            'per_million': cpu / (samples / 1e6) if samples else float('nan'),
            'rss': rss_mib(program.pid), 'peak': peak_mib(program.pid),
            'fleet': (cpu_seconds(fleet.pid) - fleet_cpu) / took}


def parts_of(row):
    return ', '.join('%.3f' % part for part in row['parts'])


def measure_prometheus(config, folder, fleet, log, warm_up, seconds):
    web = free_port()
    program = Program(['prometheus', '--config.file=' + config, '--log.level=error',
                       '--storage.tsdb.path=' + os.path.join(folder, 'data'),
                       '--web.listen-address=127.0.0.1:%d' % web], log)
    url = 'http://127.0.0.1:%d/metrics' % web
    program.wait_for(url)
    time.sleep(warm_up)
    row = measure(program, fleet, lambda: value_of(
        get(url), 'prometheus_tsdb_head_samples_appended_total'), seconds)
    row['up'] = value_of(get('http://127.0.0.1:%d/federate?match[]=up' % web), 'up')
    program.stop()
    return row


class Viewers:
    """So many viewers of the live page's stream, each of two frames a second."""

    def __init__(self, port, count):
        self.count, self.bytes, self.began = count, 0, time.monotonic()
        for _ in range(count):
            threading.Thread(target=self._read, args=(port,), daemon=True).start()

    def _read(self, port):
        answer = urllib.request.urlopen('http://127.0.0.1:%d/api/v1/stream?rate=2' % port, timeout=60)
        while True:
            piece = answer.read1(65536)
            if not piece:
                return
            self.bytes += len(piece)

    def report(self, without, seen, page):
        seconds = time.monotonic() - self.began
        print('\n%d viewers: %.3f CPU s/s more (%.3f without any), %.1f frames/s and %.0f kB/s in all, %.0f '
              'thinned, %.0f MiB more, history %.1f MiB' % (
                  self.count, seen['cpu'] - without['cpu'], without['cpu'],
                  value_of(page, 'limpet_diagnoser_stream_frames_total') / seconds,
                  self.bytes / 1000 / seconds, value_of(page, 'limpet_diagnoser_stream_frames_thinned_total'),
                  seen['rss'] - without['rss'], value_of(page, 'limpet_diagnoser_history_bytes') / (1 << 20)))


def serve(args, folder, log):
    rows = []
    port = free_port()
    fleet = Program([args.bin + '/benchmarks/serve_fleet', str(port), str(args.targets),
                     str(args.disks), str(args.interfaces)] + (['gzip'] if args.gzip else []), log)
    try:
        fleet.wait_for('http://127.0.0.1:%d/0/metrics' % port)
        if 'diagnoser' in args.programs:
            config = os.path.join(folder, 'diagnoser.yml')
            diagnoser_config(config, port, args)
            web = free_port()
            program = Program([args.bin + '/bin/limpet-diagnoser', 'serve', '--config', config,
                               '--web.listen-address', '127.0.0.1:%d' % web], log)
            url = 'http://127.0.0.1:%d/metrics' % web
            program.wait_for(url)
            time.sleep(args.warm_up)
            row = measure(program, fleet, lambda: value_of(
                get(url), 'limpet_ingested_samples_total'), args.seconds)
            if args.viewers:
                watched = Viewers(web, args.viewers)
                time.sleep(5)
                seen = measure(program, fleet, lambda: value_of(
                    get(url), 'limpet_ingested_samples_total'), args.seconds)
                watched.report(row, seen, get(url))
            page = get(url)
            row['lag'] = value_of(page, 'limpet_ingest_lag_seconds')
            row['up'] = value_of(page, 'limpet_target_up')
            rows.append(('limpet-diagnoser', row))
            program.stop()
        if 'prometheus' in args.programs:
            config = os.path.join(folder, 'prometheus.yml')
            prometheus_config(config, port, args)
            rows.append(('prometheus', measure_prometheus(config, folder, fleet, log, args.warm_up, args.seconds)))
    finally:
        fleet.stop()
    print('\n%d targets, once a second%s:\n' % (args.targets, ', gzip' if args.gzip else ''))
    print('| program | targets up | samples/s | CPU s/s | CPU s per million samples | RSS MiB | peak MiB '
          '| lag s |')
    print('|---|---|---|---|---|---|---|---|')
    for name, row in rows:
        print('| %s | %.0f | %.0f | %.3f | %.3f | %.0f | %.0f | %s |' % (
            name, row['up'], row['samples'], row['cpu'], row['per_million'], row['rss'], row['peak'],
            '%.3f' % row['lag'] if 'lag' in row else '-'))
    if len(rows) == 2:
        print('\nratio prometheus / limpet-diagnoser, CPU per sample: %.1f'
              % (rows[1][1]['per_million'] / rows[0][1]['per_million']))
    print('fleet: %s CPU s/s' % ', '.join('%.2f' % row['fleet'] for _, row in rows))
    for name, row in rows:
        print('%s, CPU s/s of each fifth: %s' % (name, parts_of(row)))


def discovery(args, folder, log):
    """Stock node_exporters by file_sd, every 15 s."""
    port = free_port()
    fleet = Program([args.bin + '/benchmarks/serve_fleet', str(port), str(args.stock_targets),
                     str(args.disks), str(args.interfaces), 'stock'], log)
    try:
        page = fleet.wait_for('http://127.0.0.1:%d/0/metrics' % port)
        lists = os.path.join(folder, 'targets.json')
        with open(lists, 'w') as file:
            json.dump([{'targets': ['127.0.0.1:%d' % port],
                        'labels': {'node': 'n%04d' % node, 'rack': 'r%d' % (node // args.peers),
                                   '__metrics_path__': '/%d/metrics' % node}}
                       for node in range(args.stock_targets)], file)
        config = os.path.join(folder, 'discovery.yml')
        with open(config, 'w') as file:
            file.write('scrape: {interval: 15s, timeout: 10s}\n'
                       'targets: [{file_sd: {files: ["%s"]}}]\n' % lists)
            write_groups(file, args.disks, 'preset: default-15s', racks=-(-args.stock_targets // args.peers))
        web = free_port()
        program = Program([args.bin + '/bin/limpet-diagnoser', 'serve', '--config', config,
                           '--web.listen-address', '127.0.0.1:%d' % web], log)
        url = 'http://127.0.0.1:%d/metrics' % web
        began = time.monotonic()
        program.wait_for(url)
        started = time.monotonic() - began
        time.sleep(args.stock_warm_up)
        began, before = time.monotonic(), get(url)
        row = measure(program, fleet, lambda: value_of(get(url), 'limpet_ingested_samples_total'),
                      args.stock_seconds)
        ended, after = time.monotonic(), get(url)
        scrapes = (value_of(after, 'limpet_target_scrapes_total') -
                   value_of(before, 'limpet_target_scrapes_total')) / (ended - began)
        windows = (value_of(after, 'limpet_windows_compared_total') -
                   value_of(before, 'limpet_windows_compared_total'))
        program.stop()
        beside = None
        if 'prometheus' in args.programs:
            config = os.path.join(folder, 'prometheus.yml')
            prometheus_list(config, lists)
            beside = measure_prometheus(config, folder, fleet, log, args.stock_warm_up, args.stock_seconds)
    finally:
        fleet.stop()
    print('\n%d stock exporters by file_sd, %d samples (%d kB) a page, every 15 s; %d s after %d s:\n'
          % (args.stock_targets, sum(1 for line in page.splitlines() if line[0] != '#'),
             len(page) // 1000, args.stock_seconds, args.stock_warm_up))
    print('| targets up | answers after | scrapes/s (wanted) | failed | samples/s | CPU s/s | '
          'windows compared | lag s | RSS MiB | peak MiB |\n|---|---|---|---|---|---|---|---|---|---|')
    print('| %.0f | %.1f s | %.1f (%.1f) | %.0f | %.0f | %.3f | %.0f | %.3f | %.0f | %.0f |' % (
        value_of(after, 'limpet_target_up'), started, scrapes, args.stock_targets / 15,
        value_of(after, 'limpet_target_scrape_errors_total') -
        value_of(before, 'limpet_target_scrape_errors_total'), row['samples'], row['cpu'], windows,
        value_of(after, 'limpet_ingest_lag_seconds'), row['rss'], row['peak']))
    print('fleet: %.2f CPU s/s; CPU s/s of each fifth: %s' % (row['fleet'], parts_of(row)))
    if beside:
        print('prometheus: %.0f up, %.0f samples/s, %.3f CPU s/s, %.0f MiB; its CPU per sample is %.1f of limpet-diagnoser\'s' % (
            beside['up'], beside['samples'], beside['cpu'], beside['rss'], beside['per_million'] / row['per_million']))
        print('prometheus, CPU s/s of each fifth: %s' % parts_of(beside))


def store(args, folder, log):
    """The same exporters scraped by Prometheus every 15 s, and read from there."""
    port = free_port()
    fleet = Program([args.bin + '/benchmarks/serve_fleet', str(port), str(args.store_targets),
                     str(args.disks), str(args.interfaces), 'stock'], log)
    programs = [fleet]
    try:
        fleet.wait_for('http://127.0.0.1:%d/0/metrics' % port)
        config = os.path.join(folder, 'store-prometheus.yml')
        with open(config, 'w') as file:
            file.write('global: {scrape_interval: 15s, scrape_timeout: 10s}\n'
                       'scrape_configs:\n  - job_name: node\n    static_configs:\n')
            for node in range(args.store_targets):
                file.write("      - targets: ['127.0.0.1:%d']\n        labels: {instance: n%04d, rack: r%d, "
                           '__metrics_path__: /%d/metrics}\n' % (port, node, node // args.peers, node))
        web = free_port()
        prometheus = Program(['prometheus', '--config.file=' + config, '--log.level=error',
                              '--storage.tsdb.path=' + os.path.join(folder, 'store-data'),
                              '--web.listen-address=127.0.0.1:%d' % web], log)
        programs.append(prometheus)
        prometheus.wait_for('http://127.0.0.1:%d/metrics' % web)
        time.sleep(60)
        config = os.path.join(folder, 'store.yml')
        with open(config, 'w') as file:
            file.write('source: prometheus\nprometheus: {url: "http://127.0.0.1:%d", step: 15s}\n' % web)
            write_groups(file, args.disks, 'preset: default-15s', racks=-(-args.store_targets // args.peers))
        own = free_port()
        program = Program([args.bin + '/bin/limpet-diagnoser', 'serve', '--config', config,
                           '--web.listen-address', '127.0.0.1:%d' % own], log)
        programs.append(program)
        url = 'http://127.0.0.1:%d/metrics' % own
        program.wait_for(url)
        time.sleep(60)
        before, began = get(url), cpu_seconds(prometheus.pid)
        row = measure(program, fleet, lambda: value_of(get(url), 'limpet_ingested_samples_total'),
                      args.store_seconds)
        asked = (cpu_seconds(prometheus.pid) - began) / args.store_seconds
        after = get(url)
        behind = time.time() - value_of(after, 'limpet_store_read_until_timestamp_seconds')
    finally:
        for one in reversed(programs):
            one.stop()
    queries = (value_of(after, 'limpet_store_queries_total') -
               value_of(before, 'limpet_store_queries_total')) / args.store_seconds
    print('\n%d stock exporters in Prometheus, a step of 15 s, %d s:\n'
          % (args.store_targets, args.store_seconds))
    print('| nodes up | queries/s | failed | readings/s | CPU s/s | Prometheus, CPU s/s | behind s | RSS MiB | '
          'peak MiB |\n|---|---|---|---|---|---|---|---|---|')
    print('| %.0f | %.2f | %.0f | %.0f | %.3f | %.3f | %.1f | %.0f | %.0f |' % (
        value_of(after, 'limpet_target_up'), queries,
        value_of(after, 'limpet_store_query_failures_total'), row['samples'], row['cpu'], asked, behind,
        row['rss'], row['peak']))


def simulated_store(args, folder, log):
    """A store as large as ten thousand nodes need, which only answers; its own work is not counted."""
    port, own = free_port(), free_port()
    store_of = Program([sys.executable, os.path.join(os.path.dirname(__file__), 'simulated_store.py'),
                        str(port), str(args.site_nodes), str(args.site_disks), str(args.peers)], log)
    programs = [store_of]
    try:
        store_of.wait_for('http://127.0.0.1:%d/' % port)
        config = os.path.join(folder, 'site.yml')
        with open(config, 'w') as file:
            file.write('source: prometheus\n'
                       'prometheus: {url: "http://127.0.0.1:%d", step: 15s, catch_up: 1m}\n'
                       'preset: default-15s\npeer_groups:\n' % port)
            for rack in range(-(-args.site_nodes // args.peers)):
                file.write('  - {name: r%d, kind: storage, roles: [server], labels: {rack: r%d}}\n' % (rack, rack))
        program = Program([args.bin + '/bin/limpet-diagnoser', 'serve', '--config', config,
                           '--web.listen-address', '127.0.0.1:%d' % own], log)
        programs.append(program)
        url = 'http://127.0.0.1:%d/metrics' % own
        program.wait_for(url)
        time.sleep(args.site_warm_up)
        samples = lambda: value_of(get(url), 'limpet_ingested_samples_total')
        row, page = measure(program, store_of, samples, args.site_seconds), get(url)
        behind = time.time() - value_of(page, 'limpet_store_read_until_timestamp_seconds')
    finally:
        for one in reversed(programs):
            one.stop()
    print('\n%d nodes of %d disks in a simulated store, a step of 15 s, %d s after %d s:\n' % (
        args.site_nodes, args.site_disks, args.site_seconds, args.site_warm_up))
    print('| nodes up | failed queries | readings/s | CPU s/s | windows compared | behind s | RSS MiB | peak MiB |\n'
          '|---|---|---|---|---|---|---|---|')
    print('| %.0f | %.0f | %.0f | %.3f | %.0f | %.1f | %.0f | %.0f |' % (
        value_of(page, 'limpet_target_up'), value_of(page, 'limpet_store_query_failures_total'),
        row['samples'], row['cpu'], value_of(page, 'limpet_windows_compared_total'), behind, row['rss'],
        row['peak']))


def replay(args, folder, log):
    recordings = os.path.join(folder, 'recordings')
    os.mkdir(recordings)
    made = subprocess.run([args.bin + '/benchmarks/record_fleet', recordings, str(args.replay_nodes),
                           str(args.replay_disks), str(args.replay_seconds)],
                          check=True, capture_output=True, text=True).stdout.split()
    samples, plain = int(made[0]), int(made[1])
    packed = sum(os.path.getsize(os.path.join(recordings, name)) for name in os.listdir(recordings))
    config = os.path.join(folder, 'replay.yml')
    with open(config, 'w') as file:
        file.write('targets: [{address: none}]\n')
        write_groups(file, args.replay_disks, 'preset: bare')
    print('\n%d nodes, %d disks each, %d s: %.1f million samples, %.0f MB of text in %.0f MB of zstd; '
          'peers in groups of %d\n' % (args.replay_nodes, args.replay_disks, args.replay_seconds,
                                       samples / 1e6, plain / 1e6, packed / 1e6, args.replay_nodes))
    print('| replay | CPU s | million samples/s a core | wall s | peak MiB |\n|---|---|---|---|---|')
    diagnoser = args.bin + '/bin/limpet-diagnoser'
    commands = [('verdicts (text)', [diagnoser, 'replay', '--config', config, '--format', 'text',
                                     '--output', '/dev/null', recordings]),
                ('every window (JSON lines)', [diagnoser, 'replay', '--config', config, '--output',
                                               '/dev/null', recordings])]
    for name, command in commands:
        best = None
        for _ in range(args.rounds):
            began = time.monotonic()
            process = subprocess.Popen(command, stdout=log, stderr=log)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            took = time.monotonic() - began
            if status != 0:
                sys.exit('replay failed; see the log')
            cpu = usage.ru_utime + usage.ru_stime
            if best is None or cpu < best[0]:
                best = (cpu, took, usage.ru_maxrss / 1024)
        print('| %s | %.2f | %.2f | %.2f | %.0f |' % (name, best[0], samples / 1e6 / best[0], best[1],
                                                     best[2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--bin', default='build/release')
    parser.add_argument('--viewers', type=int, default=0, help='of the live page, in a second run of serve')
    parser.add_argument('--only', choices=['replay', 'serve', 'discovery', 'store', 'site'])
    parser.add_argument('--programs', default='diagnoser,prometheus')
    parser.add_argument('--targets', type=int, default=1000)
    parser.add_argument('--disks', type=int, default=12)
    parser.add_argument('--interfaces', type=int, default=3)
    parser.add_argument('--shipped', action='store_true',
                        help='serve: the presets of config/diagnoser.yml')
    parser.add_argument('--peers', type=int, default=100, help='servers that are compared')
    parser.add_argument('--seconds', type=float, default=64)
    parser.add_argument('--warm-up', type=float, default=75)
    parser.add_argument('--stock-targets', type=int, default=2000)
    parser.add_argument('--stock-seconds', type=float, default=450, help='one shift of default-15s')
    parser.add_argument('--stock-warm-up', type=float, default=1000, help='its first window')
    parser.add_argument('--store-targets', type=int, default=500)
    parser.add_argument('--store-seconds', type=float, default=150)
    parser.add_argument('--site-nodes', type=int, default=10000, help='of a simulated store')
    parser.add_argument('--site-disks', type=int, default=24)
    parser.add_argument('--site-warm-up', type=float, default=2000, help='its first window')
    parser.add_argument('--site-seconds', type=float, default=900, help='one shift of default-15s')
    parser.add_argument('--gzip', action='store_true', help='the fleet compresses for who asks')
    parser.add_argument('--replay-nodes', type=int, default=100)
    parser.add_argument('--replay-disks', type=int, default=24)
    parser.add_argument('--replay-seconds', type=int, default=640)
    parser.add_argument('--rounds', type=int, default=3, help='of each replay; the best counts')
    args = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with open('/proc/cpuinfo') as info:
        model = re.search(r'model name\s*: (.*)', info.read()).group(1)
    print('%s, %d cores; load average at the start: %s' % (model, os.cpu_count(),
                                                           ' '.join('%.1f' % x for x in os.getloadavg())))
    with tempfile.TemporaryDirectory(
            prefix='limpet-bench-', dir='/dev/shm' if os.path.isdir('/dev/shm') else None) as folder, open(
            os.path.join(folder, 'log'), 'w') as log:
        if args.only in (None, 'replay'):
            replay(args, folder, log)
        if args.only in (None, 'serve'):
            serve(args, folder, log)
        if args.only in (None, 'discovery'):
            discovery(args, folder, log)
        if args.only in (None, 'store'):
            store(args, folder, log)
        if args.only == 'site':     # an hour and all of a core: not among those that always run
            simulated_store(args, folder, log)
    print('load average at the end: %s' % ' '.join('%.1f' % x for x in os.getloadavg()))


if __name__ == '__main__':
    main()
