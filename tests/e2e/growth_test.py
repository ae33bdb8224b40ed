"""What grows by a hundred at once, a page, a group or a list, delays nobody's verdict and is told where it is left out."""
import asyncio
import contextlib
import json
import multiprocessing
import signal
import time
import unittest

import support
from fake_exporters import FakeExporters
from support import wait_until

WINDOW = 6      # seconds
SLOWER = 4 if support.is_sanitized() else 1
MOST_LAG = WINDOW * SLOWER
CONFIG = '''
scrape: {interval: 1s}
presets:
  - {base: bare, name: quick, step: 1s, smoothing: 2, window: %d, shift: 2, k: 2, max_gap: 2s}
state: {interval: 2s}
''' % WINDOW
GROUP = '  - {name: %s, kind: storage, roles: [server], device: "%s"}\n'
DISK = ''.join('limpet_disk_%s{device="sd@"} COUNT\n' % one for one in (
    'reads_completed_total', 'read_bytes_total', 'read_time_seconds_total', 'writes_completed_total',
    'written_bytes_total', 'write_time_seconds_total', 'io_time_seconds_total', 'io_time_weighted_seconds_total',
    'io_now', 'discards_completed_total'))


class Disks:
    """Lines of so many disks more, each of which counts a request a second."""

    def __init__(self, count=0):
        self.set(count)

    def set(self, count):
        self._text = ''.join(DISK.replace('@', 'x%d' % i) for i in range(count))

    def lines(self):
        return self._text.replace('COUNT', '%d' % time.time())


class _Answer(asyncio.Protocol):
    """The same short page on every path."""
    crowd = Disks(1)

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        text = self.crowd.lines()
        answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %d\r\n\r\n%s'
        self.transport.write((answer % (len(text), text) * data.count(b'\r\n\r\n')).encode())


async def _answer(port):
    server = await asyncio.get_running_loop().create_server(_Answer, '127.0.0.1', port)
    await server.serve_forever()


@contextlib.contextmanager
def crowd_of_targets():
    """The port of a process that answers for any number of them."""
    port = support.free_port()
    process = multiprocessing.Process(target=lambda: asyncio.run(_answer(port)), daemon=True)
    process.start()
    try:
        yield port
    finally:
        process.kill()
        process.join()


class GrowthTest(support.TestCase):

    def longest_lag(self, program, seconds):
        """Of what readings wait for, over these seconds."""
        end, longest = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            longest = max(longest, program.page().value('limpet_ingest_lag_seconds') or 0)
            time.sleep(0.3)
        return longest

    def assert_slow_disk_is_named(self, program, fake):
        fake.nodes['io02'].await_ms, fake.nodes['io02'].service_ms = 80, 15
        wait_until('the verdict', lambda: self.indicted(program), 60)
        self.assertEqual(self.indicted(program), {('io02', 'disk-busy')})

    def test_a_page_that_grows_to_100_000_series(self):
        with FakeExporters(6) as fake:
            crowd = Disks(100)
            fake.nodes['io06'].more = crowd.lines
            program = self.diagnoser(CONFIG + 'peer_groups:\n' + GROUP % ('disks', '^sda$') +
                                     GROUP % ('crowd', '^sdx') + fake.targets())
            wait_until('a window', lambda: program.page().value('limpet_window_end_timestamp_seconds'))
            for count in (300, 1000, 3000, 10_000):
                crowd.set(count)
                self.assertLess(self.longest_lag(program, 3), MOST_LAG)

            def left_out():
                return {labels['node']: value for labels, value in program.page().all('limpet_target_over_limit_series')}
            wait_until('what is left out of 100,000 series', lambda: left_out()['io06'] > 50_000, 30 * SLOWER)
            self.assertEqual({value for node, value in left_out().items() if node != 'io06'}, {0})
            self.assert_slow_disk_is_named(program, fake)
            self.assertLess(self.longest_lag(program, 2), MOST_LAG)

    def test_a_group_that_grows_to_10_000_disks_at_a_reload(self):
        with FakeExporters(6) as fake:
            for node in fake.nodes.values():
                node.more = Disks(1700).lines
            program = self.diagnoser(CONFIG + 'peer_groups:\n' + GROUP % ('disks', '^sd(a|x.|x1.)$') + fake.targets())
            wait_until('a window', lambda: program.page().value('limpet_window_end_timestamp_seconds'))
            self.write('diagnoser.yml', CONFIG + 'peer_groups:\n' + GROUP % ('disks', '^sd') + fake.targets())
            program.signal(signal.SIGHUP)
            wait_until('10,206 disks', lambda: program.page().value(
                'limpet_group_components', peer_group='disks', state='taking_part') == 6 * 1701, 60 * SLOWER)
            self.assertLess(self.longest_lag(program, 10), MOST_LAG)

    def test_a_list_that_grows_to_10_000_targets(self):
        crowd = 10_000 // SLOWER    # what two cores can read every 2 s
        with FakeExporters(6) as fake, crowd_of_targets() as port:
            self.write('list.json', '[]')
            program = self.diagnoser(
                CONFIG + 'peer_groups:\n' + GROUP % ('disks', '^sda$') + fake.targets() +
                '  - {file_sd: {files: ["%s/list.json"], refresh_interval: 200ms}, interval: 2s, role: crowd}\n' %
                self.folder)
            wait_until('a window', lambda: program.page().value('limpet_window_end_timestamp_seconds'))
            self.write('list.json', json.dumps([
                {'targets': ['127.0.0.1:%d' % port],
                 'labels': {'instance': 'n%d' % n, '__metrics_path__': '/%d' % n}} for n in range(crowd)]))
            self.assertLess(self.longest_lag(program, 8), MOST_LAG)

            def up():
                return [value for labels, value in program.page().all('limpet_target_up')]
            self.assertEqual(len(up()), crowd + 6)
            wait_until('an answer of the crowd', lambda: sum(up()) > 6, 30 * SLOWER)
            self.assert_slow_disk_is_named(program, fake)


if __name__ == '__main__':
    unittest.main()
