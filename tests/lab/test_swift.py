"""Swift's timers as pages, by the mapping that config/metrics/swift.yml tells operators to use."""
import pathlib
import unittest

from limpet_lab import swift
from limpet_lab.settings import Settings
from limpet_lab.statsd_page import Page

PACK = pathlib.Path(__file__).resolve().parents[2] / 'config/metrics/swift.yml'


class SwiftTest(unittest.TestCase):
    def setUp(self):
        self.page = Page(swift.mapping(PACK.read_text()))

    def test_timers_are_histograms_in_seconds_by_method(self):
        for packet in (b'object-server.PUT.timing:12.5|ms', b'site.object-server.PUT.timing:3000|ms|@0.5',
                       b'object-server.GET.timing:9000|ms'):
            self.page.take(packet)
        text = self.page.text()
        name = 'swift_object_server_timing_seconds'
        for line in ('_bucket{method="PUT",le="0.01"} 0', '_bucket{method="PUT",le="0.02"} 1',
                     '_bucket{method="PUT",le="+Inf"} 2', '_bucket{method="GET",le="5"} 0', '_count{method="GET"} 1'):
            self.assertIn(name + line + '\n', text)

    def test_other_packets_are_left_out(self):
        for packet in (b'object-server.PUT.sda1.timing:1|ms', b'object-server.async_pendings:1|c', b'', b'\xff:|',
                       b'object-server.PUT.timing:1|c'):
            self.page.take(packet)
        self.assertEqual(self.page.text(), '')

    def test_each_server_is_a_second_target_of_its_host(self):
        self.assertEqual(swift.targets(Settings(file_system='swift')).count('role: swift, labels: {host: io'), 6)


if __name__ == '__main__':
    unittest.main()
