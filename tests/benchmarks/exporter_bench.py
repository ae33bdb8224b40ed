"""limpet-exporter beside prometheus-node-exporter: processor time, memory, latency.

Both run at once and are scraped once a second over a kept connection, half a second apart, so that
whatever else the machine does meets both. Processor time is the kernel's nanosecond clock of each
process and includes our sampler. Each round starts both anew; ratios are taken round by round, the
table shows their median and range. Latency: every scrape of all rounds, then a burst that alternates.
"""
import argparse
import contextlib
import os
import re
import resource
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

WARM_UP = 3  # seconds
BURST = 300  # scrapes of each
NODE_FLAGS = ['--collector.disable-defaults', '--web.disable-exporter-metrics',
              '--collector.diskstats', '--collector.netdev', '--collector.netstat',
              '--collector.sockstat', '--log.level=error']
# What node_exporter reports of the same collectors; the gauges of the last interval are ours alone.
EQUAL = {'disk': {'gauges': False}, 'net': {'gauges': False}, 'tcp': {'enabled': False},
         'host': {'enabled': False}, 'self': {'enabled': False}}


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as probe:
        return probe.getsockname()[1]


class Program:
    """One exporter under test."""

    def __init__(self, arguments, port, encoding):
        self.port = port
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.request = ('GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain;version=0.0.4\r\n'
                        'Accept-Encoding: %s\r\n\r\n' % encoding).encode()
        deadline = time.monotonic() + 10
        while True:
            try:
                self.connection = socket.create_connection(('127.0.0.1', port), timeout=10)
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    sys.exit('%s does not answer: %s' % (arguments[0], self.process.stderr.read().decode()))
                time.sleep(0.02)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray(1 << 22)

    def cpu_seconds(self):
        # The process' clock as clock_getcpuclockid(3) makes it; threads that ended are in it, too.
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def rss_mib(self):
        with open('/proc/%d/status' % self.process.pid) as status:
            return int(re.search(r'VmRSS:\s+(\d+) kB', status.read()).group(1)) / 1024

    def scrape(self):
        """(seconds, body)."""
        view, used = memoryview(self.buffer), 0
        begin = time.perf_counter()
        self.connection.sendall(self.request)
        head = wanted = -1
        while True:
            got = self.connection.recv_into(view[used:])
            if not got:
                sys.exit('the connection to port %d was closed' % self.port)
            used += got
            if head < 0:
                head = self.buffer.find(b'\r\n\r\n', 0, used)
                if head < 0:
                    continue
                head += 4
                header = bytes(view[:head])
                length = re.search(rb'content-length: (\d+)', header, re.I)
                wanted = head + int(length.group(1)) if length else -1
            if used == wanted or (wanted < 0 and self.buffer.endswith(b'0\r\n\r\n', 0, used)):
                break
        took = time.perf_counter() - begin
        if not header.startswith(b'HTTP/1.1 200'):
            sys.exit('port %d: %s' % (self.port, header.decode()))
        return took, bytes(view[head:used])

    def stop(self):
        self.connection.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stderr.close()


class Connections:
    """N established sockets: both ends of N/2 connections on loopback."""

    def __init__(self, count):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(count + 256, 1024)), hard))
        self.listener = socket.create_server(('127.0.0.1', 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        self.ends = []
        for _ in range(count // 2):
            self.ends.append(socket.create_connection(('127.0.0.1', self.port)))
            self.ends.append(self.listener.accept()[0])

    def close(self):
        for end in self.ends:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            end.close()
        self.listener.close()


class Tree:
    """/proc and /sys of a machine with many disks, interfaces and InfiniBand ports, whose counters move."""

    COPIED = ('stat', 'loadavg', 'vmstat', 'uptime', 'net/netstat', 'net/snmp', 'net/snmp6',
              'net/sockstat', 'net/sockstat6', 'net/tcp')
    MOVING = ('port_rcv_data', 'port_rcv_packets', 'port_xmit_data', 'port_xmit_packets')
    STILL = ('symbol_error', 'link_downed', 'link_error_recovery', 'local_link_integrity_errors',
             'excessive_buffer_overrun_errors', 'port_rcv_errors', 'port_rcv_remote_physical_errors',
             'port_xmit_discards', 'port_rcv_constraint_errors', 'port_xmit_constraint_errors',
             'port_xmit_wait', 'VL15_dropped', 'multicast_rcv_packets', 'unicast_rcv_packets')
    HARDWARE = ('duplicate_request', 'implied_nak_seq_err', 'local_ack_timeout_err', 'np_cnp_sent',
                'np_ecn_marked_roce_packets', 'out_of_buffer', 'out_of_sequence', 'packet_seq_err',
                'rnr_nak_retry_err', 'roce_adp_retrans', 'rp_cnp_handled', 'rx_icrc_encapsulated')

    def __init__(self, folder, devices, ports=0):
        self.devices, self.ports = devices, ports
        self.proc, self.sys = os.path.join(folder, 'proc'), os.path.join(folder, 'sys')
        for name in self.COPIED:
            with contextlib.suppress(OSError), open('/proc/' + name, 'rb') as real:
                self.write(os.path.join(self.proc, name), real.read())
        os.makedirs(os.path.join(self.proc, 'self'), exist_ok=True)
        self.write(os.path.join(self.proc, 'self/mountinfo'), b'')
        self.write(os.path.join(self.proc, '1/mountinfo'), b'')
        for i in range(devices):
            block = os.path.join(self.sys, 'block', self.disk(i))
            self.write(os.path.join(block, 'size'), b'1953525168\n')
            self.write(os.path.join(block, 'dev'), b'8:%d\n' % i)
            self.write(os.path.join(block, 'wwid'), b'naa.5000c500%08x\n' % i)
            self.write(os.path.join(block, 'queue/rotational'), b'1\n')
            self.write(os.path.join(block, 'device/model'), b'ST1000NM0008    \n')
            link = os.path.join(self.sys, 'class/block', self.disk(i))
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink('../../block/' + self.disk(i), link)
            self.write(os.path.join(self.sys, 'class/net', 'eth%d' % i, 'speed'), b'10000\n')
        for i in range(ports):
            self.add_port(i)
        self.second = 0
        self.move()

    def port(self, i, name):
        return os.path.join(self.sys, 'class/infiniband/mlx5_%d/ports/1' % i, name)

    def add_port(self, i):
        """A port of an mlx5 adapter, as its driver lays it out."""
        for name, text in (('rate', '200 Gb/sec (4X HDR)'), ('state', '4: ACTIVE'), ('phys_state', '5: LinkUp'),
                           ('link_layer', 'InfiniBand'), ('lid', '0x1'), ('sm_lid', '0x1')):
            self.write(self.port(i, name), text.encode() + b'\n')
        for name, text in (('board_id', 'MT_0000000223'), ('fw_ver', '20.31.1014'), ('hca_type', 'MT4123'),
                           ('node_guid', 'b8ce:f603:0000:%04x' % i)):
            self.write(os.path.join(self.sys, 'class/infiniband/mlx5_%d' % i, name), text.encode() + b'\n')
        for name in self.STILL:
            self.write(self.port(i, 'counters/' + name), b'0\n')
        for name in self.HARDWARE:
            self.write(self.port(i, 'hw_counters/' + name), b'0\n')

    @staticmethod
    def disk(i):
        letters = ''
        i += 26
        while i >= 0:
            letters = chr(ord('a') + i % 26) + letters
            i = i // 26 - 1
        return 'sd' + letters

    @staticmethod
    def write(path, content):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(content)

    def move(self):
        """A second of work on every device. Same length each time, written in place: readers keep
        the files open, as they would those of /proc."""
        self.second += 1
        n = 1_000_000_000 + self.second * 1000
        disks = ''.join('%4d %7d %s %d %d %d %d %d %d %d %d 0 %d %d %d %d %d %d %d %d\n' % (
            8, i, self.disk(i), n + i, n // 3, n * 8, n // 2, n + 7 * i, n // 4, n * 16, n // 2, n // 5, n,
            n // 9, n // 10, n // 11, n // 12, n // 13, n // 14) for i in range(self.devices))
        nics = ''.join('%8s: %d %d 0 0 0 0 0 0 %d %d 0 0 0 0 0 0\n' % (
            'eth%d' % i, n * 1500, n + i, n * 900, n - i) for i in range(self.devices))
        header = ('Inter-|   Receive                                                |  Transmit\n'
                  ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets '
                  'errs drop fifo colls carrier compressed\n')
        for name, text in (('diskstats', disks), ('net/dev', header + nics)):
            descriptor = os.open(os.path.join(self.proc, name), os.O_WRONLY | os.O_CREAT, 0o644)
            os.pwrite(descriptor, text.encode(), 0)
            os.close(descriptor)
        for i in range(self.ports):
            for name in self.MOVING:
                self.write(self.port(i, 'counters/' + name), b'%d\n' % (n * 250))


def yaml(settings, indent=''):
    lines = []
    for key, value in settings.items():
        if isinstance(value, dict):
            if value:
                lines.append('%s%s:\n%s' % (indent, key, yaml(value, indent + '  ')))
        elif isinstance(value, bool):
            lines.append('%s%s: %s\n' % (indent, key, str(value).lower()))
        elif isinstance(value, list):
            lines.append('%s%s: [%s]\n' % (indent, key, ', '.join(map(str, value))))
        else:
            lines.append('%s%s: %s\n' % (indent, key, value))
    return ''.join(lines)


class Scenario:
    def __init__(self, settings=None, sockets=0, watched=True, devices=0, ports=0, node_flags=()):
        self.settings, self.sockets, self.watched = settings, sockets, watched
        self.devices, self.ports, self.node_flags = devices, ports, list(node_flags)


WITH_TCP = {**EQUAL, 'tcp': {'exclude_loopback': False, 'max_sockets': 20000}}
# A server of an RDMA site: 12 disks, 12 interfaces, 40 sockets, 4 ports.
RDMA = {'sockets': 40, 'devices': 12, 'ports': 4}
RDMA_FLAGS = ['--no-collector.netdev.netlink', '--collector.tcpstat']

SCENARIOS = {
    'base': Scenario(EQUAL),
    'defaults': Scenario({}),
    'sockets-1000': Scenario(WITH_TCP, sockets=1000, node_flags=['--collector.tcpstat']),
    'sockets-10000': Scenario(WITH_TCP, sockets=10000, node_flags=['--collector.tcpstat']),
    'unrelated-10000': Scenario(WITH_TCP, sockets=10000, watched=False,
                                node_flags=['--collector.tcpstat']),
    'devices-500': Scenario(EQUAL, devices=500, node_flags=['--no-collector.netdev.netlink']),
    'ports-4': Scenario(WITH_TCP, **RDMA, node_flags=[*RDMA_FLAGS, '--collector.infiniband']),
    'ports-unread': Scenario({**WITH_TCP, 'infiniband': {'enabled': False}}, **RDMA, node_flags=RDMA_FLAGS),
}


def sleep_until(when):
    time.sleep(max(0, when - time.time()))


class Round:
    """What one round measured, of each program: [ours, theirs]."""

    def __init__(self, scenario, exporter, node, seconds, encoding, folder):
        with contextlib.ExitStack() as stack:
            settings = dict(scenario.settings)
            flags = []
            tree = None
            if scenario.sockets:
                connections = Connections(scenario.sockets)
                stack.callback(connections.close)
                ports = [connections.port] if scenario.watched else [1]
                settings['tcp'] = {**settings['tcp'], 'ports': ports}
            if scenario.devices:
                tree = Tree(folder, scenario.devices, scenario.ports)
                flags = ['--path.procfs=' + tree.proc, '--path.sysfs=' + tree.sys]
            config = os.path.join(folder, 'exporter.yml')
            with open(config, 'w') as file:
                file.write(yaml({'collectors': settings}))
            programs = []
            for base, more in (([exporter, '--config=' + config], []),
                               ([node], NODE_FLAGS + scenario.node_flags)):
                port = free_port()
                programs.append(Program(
                    base + ['--web.listen-address=127.0.0.1:%d' % port] + flags + more, port, encoding))
                stack.callback(programs[-1].stop)
            self.measure(programs, tree, seconds)

    def measure(self, programs, tree, seconds):
        self.latencies = [[], []]
        self.bursts = [[], []]
        begin = int(time.time()) + 1
        for second in range(begin, begin + WARM_UP + seconds):
            for i, program in enumerate(programs):
                sleep_until(second + 0.25 + 0.35 * i)
                if i == 0 and second == begin + WARM_UP:
                    before = [p.cpu_seconds() for p in programs]
                took, body = program.scrape()
                if second >= begin + WARM_UP:
                    self.latencies[i].append(took)
            if tree:
                sleep_until(second + 0.85)
                tree.move()
        sleep_until(begin + WARM_UP + seconds + 0.25)  # so many whole seconds for both
        self.cpu = [(p.cpu_seconds() - b) / seconds for p, b in zip(programs, before)]
        self.rss = [p.rss_mib() for p in programs]
        for _ in range(BURST):
            for i, program in enumerate(programs):
                self.bursts[i].append(program.scrape()[0])
        for program in programs:
            program.request = program.request.replace(b'gzip', b'identity')
        bodies = [p.scrape()[1] for p in programs]
        self.series = [len(re.findall(rb'^[a-z]\S* ?.* [-+.\w]+\r?$', b, re.M)) for b in bodies]


def percentile(values, q):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def spread(ratios):
    text = '%.2f' % statistics.median(ratios)
    return text if len(ratios) == 1 else '%s (%.2f–%.2f)' % (text, min(ratios), max(ratios))


def row(name, rounds):
    def pair(select, factor=1.0, digits=2):
        values = [statistics.median(select(r)[i] for r in rounds) * factor for i in (0, 1)]
        return '%.*f / %.*f' % (digits, values[0], digits, values[1])

    def latency(select, q):
        values = [percentile([v for r in rounds for v in select(r)[i]], q) * 1000 for i in (0, 1)]
        return '%.2f / %.2f = %.2f' % (values[0], values[1], values[0] / values[1])

    return '| %s |' % ' | '.join((
        name, pair(lambda r: r.series, digits=0), pair(lambda r: r.cpu, 1000),
        spread([r.cpu[0] / r.cpu[1] for r in rounds]), pair(lambda r: r.rss, digits=1),
        spread([r.rss[0] / r.rss[1] for r in rounds]), latency(lambda r: r.latencies, 0.5),
        latency(lambda r: r.latencies, 0.99), latency(lambda r: r.bursts, 0.99)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--exporter', required=True)
    parser.add_argument('--node-exporter', default='prometheus-node-exporter')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=int, default=40)
    parser.add_argument('--gzip', action='store_true', help='as Prometheus asks; default: plain')
    parser.add_argument('--scenario', action='append', choices=SCENARIOS)
    options = parser.parse_args()
    names = options.scenario or list(SCENARIOS)
    total = len(names) * options.rounds
    lines = []
    for at, name in enumerate(names):
        rounds = []
        for number in range(options.rounds):
            if sys.stderr.isatty():
                print('\r\033[K[%d/%d] %s' % (at * options.rounds + number + 1, total, name), end='',
                      file=sys.stderr)
            with tempfile.TemporaryDirectory(prefix='limpet-bench-') as folder:
                rounds.append(Round(SCENARIOS[name], options.exporter, options.node_exporter,
                                    options.seconds, 'gzip' if options.gzip else 'identity', folder))
        lines.append(row(name, rounds))
    if sys.stderr.isatty():
        print('\r\033[K', end='', file=sys.stderr)
    print('Limpet / node_exporter; %d rounds of %d s, load average %.1f\n' % (
        options.rounds, options.seconds, os.getloadavg()[0]))
    print('| scenario | series | CPU ms/s | CPU ratio | RSS MiB | RSS ratio | p50 ms | p99 ms | burst p99 ms |')
    print('|---|---|---|---|---|---|---|---|---|')
    print('\n'.join(lines))


if __name__ == '__main__':
    main()
