"""The exporter's gauges against iostat, sar and ss, for the same second of the same real counters.

All of them sample on the wall second, so the load comes in bursts in the middle of each second: the
counters stand still when the samplers look, and both see exactly the same work. A second in which
they did not stand still (a loaded machine) is left out; enough must remain. All of it runs in a
network namespace of its own, where nobody else uses the loopback interface.
"""
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import unittest

from support import EXPORTER, Program, TestCase, get, run

SECONDS = 8
# iostat and sar measure their interval in hundredths of a second and print two decimals.
RELATIVE, ABSOLUTE = 0.02, 0.011


def sleep_until(moment):
    time.sleep(max(0.0, moment - time.time()))


def next_second(margin=0.2):
    return int(time.time() + margin) + 1


class Bursts:
    """Calls work() at .3 of every second from a thread, until the block ends."""

    def __init__(self, work):
        self._work, self._stop = work, threading.Event()
        self._thread = threading.Thread(target=self._loop)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _loop(self):
        while not self._stop.is_set():
            sleep_until(int(time.time()) + 1.3)
            self._work()


class Watch:
    """What a counter file showed just before and just after each wall second, by second."""

    def __init__(self, read):
        self._read, self.quiet = read, {}

    def run(self, first, seconds):
        for second in range(first, first + seconds + 1):
            sleep_until(second - 0.08)
            before = self._read()
            sleep_until(second + 0.12)
            self.quiet[second] = before == self._read()


def read_lines(path, name):
    with open(path) as file:
        return [line for line in file if name in line]


class Agreement(TestCase):
    def exporter(self, config):
        return Program(EXPORTER, 'serve', '--config', self.write('exporter.yml', config),
                       '--web.listen-address', '127.0.0.1:0')

    def pages(self, port, first, seconds):
        """The page of every wall second, by the second it was sampled at."""
        pages = {}
        for second in range(first, first + seconds + 1):
            sleep_until(second + 0.25)
            page = get('http://127.0.0.1:%d/metrics' % port)
            pages[round(page.value('limpet_sample_timestamp_seconds'))] = page
        return pages

    def close(self, ours, theirs, what):
        self.assertIsNotNone(ours, what)
        self.assertLessEqual(abs(ours - theirs), ABSOLUTE + RELATIVE * abs(theirs),
                             '%s: exporter %r, sysstat %r' % (what, ours, theirs))

    def compare(self, port, watch, command, rows):
        """Runs command from a wall second on; rows(output) yields one dict per interval. Returns
        [(page, row)] of the seconds at both ends of which the counters stood still."""
        first = next_second()
        watcher = threading.Thread(target=watch.run, args=(first, SECONDS))
        watcher.start()
        sleep_until(first - 0.01)  # the program needs a moment to start
        program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, 'LC_ALL': 'C', 'S_TIME_FORMAT': 'ISO'})
        pages = self.pages(port, first, SECONDS)
        output = program.communicate(timeout=20)[0]
        watcher.join()
        pairs = [(pages[second], row) for second, row in enumerate(rows(output), first + 1)
                 if second in pages and watch.quiet.get(second) and watch.quiet.get(second - 1)]
        self.assertGreaterEqual(len(pairs), SECONDS // 2, 'too few quiet seconds: %s' % watch.quiet)
        return pairs

    def test_disk_gauges_agree_with_iostat(self):
        image = self.folder / 'disk'
        with open(image, 'wb') as file:
            file.truncate(64 << 20)
        loop = run('losetup', '--find', '--show', '--direct-io=on', image).stdout.strip()
        self.addCleanup(run, 'losetup', '-d', loop)
        name = os.path.basename(loop)

        def load():
            for direction in (['if=' + loop, 'of=/dev/null', 'iflag=direct'],
                              ['if=/dev/zero', 'of=' + loop, 'oflag=direct']):
                run('dd', *direction, 'bs=64k', 'count=40', 'status=none')

        def rows(output):
            for statistics in json.loads(output)['sysstat']['hosts'][0]['statistics']:
                yield statistics['disk'][0]

        with self.exporter('collectors:\n  disk:\n    device_include: "%s"\n' % name) as exporter:
            with Bursts(load):
                pairs = self.compare(exporter.port(), Watch(lambda: read_lines('/proc/diskstats', name + ' ')),
                                     ['iostat', '-dxy', '-o', 'JSON', '1', str(SECONDS), loop], rows)
        for page, row in pairs:
            self.assertGreater(row['r/s'], 0)
            for metric, key, factor in (
                    ('reads_per_second', 'r/s', 1), ('writes_per_second', 'w/s', 1),
                    ('read_bytes_per_second', 'rkB/s', 1 / 1024),
                    ('written_bytes_per_second', 'wkB/s', 1 / 1024),
                    ('read_await_seconds', 'r_await', 1000), ('write_await_seconds', 'w_await', 1000),
                    ('queue_length', 'aqu-sz', 1), ('utilization_ratio', 'util', 100)):
                self.close(page.value('limpet_disk_' + metric, device=name) * factor, row[key], key)

    def test_network_gauges_agree_with_sar(self):
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        receiver.bind(('127.0.0.1', 0))
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(receiver.close)
        self.addCleanup(sender.close)

        def load():
            for _ in range(50):
                sender.sendto(b'x' * 1000, receiver.getsockname())

        def rows(output):
            for line in output.splitlines():
                fields = line.split()
                if 'lo' in fields and not line.startswith('Average'):
                    at = fields.index('lo')
                    yield dict(zip(('rxpck', 'txpck', 'rxkB', 'txkB'), map(float, fields[at + 1:at + 5])))

        with self.exporter('collectors:\n  net:\n    device_include: "lo"\n') as exporter:
            with Bursts(load):
                pairs = self.compare(exporter.port(), Watch(lambda: read_lines('/proc/net/dev', 'lo:')),
                                     ['sar', '-n', 'DEV', '1', str(SECONDS)], rows)
        for page, row in pairs:
            self.assertGreaterEqual(row['rxpck'], 45)
            for metric, key, factor in (
                    ('receive_packets', 'rxpck', 1), ('transmit_packets', 'txpck', 1),
                    ('receive_bytes', 'rxkB', 1 / 1024), ('transmit_bytes', 'txkB', 1 / 1024)):
                self.close(page.value('limpet_network_%s_per_second' % metric, device='lo') * factor,
                           row[key], key)

    def test_socket_series_agree_with_ss(self):
        listener = socket.create_server(('127.0.0.1', 0))
        port = listener.getsockname()[1]
        client = socket.create_connection(('127.0.0.1', port))
        server, _ = listener.accept()
        for one in (listener, client, server):
            self.addCleanup(one.close)

        def load():
            client.sendall(b'x' * 200000)
            left = 200000
            while left > 0:
                left -= len(server.recv(65536))

        config = ('collectors:\n  tcp:\n    ports: [%d]\n    per_socket: true\n'
                  '    exclude_loopback: false\n    cpu_share: 1\n' % port)
        compared = 0
        with self.exporter(config) as exporter, Bursts(load):
            address = exporter.port()
            for _ in range(SECONDS):
                second = next_second(0.5)
                sleep_until(second - 0.1)
                before = self.ss(port)
                sleep_until(second + 0.2)
                after = self.ss(port)
                page = get('http://127.0.0.1:%d/metrics' % address)
                if before != after or round(page.value('limpet_sample_timestamp_seconds')) != second:
                    continue
                for (local, remote), seen in before.items():
                    labels = {'local_port': local, 'remote_port': remote}
                    self.assertEqual(page.value('limpet_tcp_cwnd_segments', **labels), seen['cwnd'])
                    self.assertEqual(page.value('limpet_tcp_bytes_acked_total', **labels),
                                     seen['bytes_acked'])
                    self.assertAlmostEqual(page.value('limpet_tcp_rtt_seconds', **labels) * 1000,
                                           seen['rtt'], delta=0.0011)
                    compared += 1
        self.assertGreaterEqual(compared, SECONDS)

    def ss(self, port):
        """{(local port, remote port): numbers} of the established sockets with this port."""
        found = {}
        output = run('ss', '-tinHO', 'state', 'established', '( sport = :%d or dport = :%d )' % (port, port))
        for line in output.stdout.splitlines():
            ports = re.findall(r'127\.0\.0\.1\]?:(\d+)', line)
            found[tuple(ports[:2])] = {
                'cwnd': int(re.search(r'cwnd:(\d+)', line).group(1)),
                'rtt': float(re.search(r'\brtt:([\d.]+)', line).group(1)),
                'bytes_acked': int((re.search(r'bytes_acked:(\d+)', line) or [0, 0])[1]),
            }
        return found


if __name__ == '__main__':
    if 'LIMPET_OWN_NETWORK' not in os.environ:
        os.environ['LIMPET_OWN_NETWORK'] = 'yes'
        os.execvp('unshare', ['unshare', '--net', sys.executable, *sys.argv])
    run('ip', 'link', 'set', 'lo', 'up')
    unittest.main()
