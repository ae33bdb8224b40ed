"""What lab deep-queue plans, and how it counts."""
import pathlib
import tempfile
import unittest

from limpet_lab import deep_queue
from limpet_lab.report import Score

SERVERS = ['io01', 'io02', 'io03', 'io04', 'io05']


class DeepQueueTest(unittest.TestCase):
    def test_every_round_has_all_modes_and_slow_disks_on_other_servers(self):
        runs = deep_queue.plan(SERVERS, 3)
        self.assertEqual(len({one.name for one in runs}), 15)
        for mode in ('own', 'striped'):
            slow = [one.server for one in runs if one.mode == mode and one.server]
            self.assertEqual(len(set(slow)), 3)
        self.assertFalse([one for one in runs if one.mode == 'saturated' and one.server])

    def test_the_slow_disk_of_a_stripe_has_32_requests(self):
        loops = ['/dev/loop%d' % i for i in range(5)]
        depth = sum(int(word.partition('=')[2]) for command in deep_queue.load('striped', loops, 1)
                    for word in command if word.startswith('--iodepth='))
        self.assertEqual(depth, 32 + 4 * 16)
        self.assertEqual(len(deep_queue.load('own', loops, 1)), 5)

    def test_without_the_collector_its_series_are_gone_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            run, stripped = pathlib.Path(folder, 'run'), pathlib.Path(folder, 'stripped')
            (run / 'io01').mkdir(parents=True)
            (run / 'io01' / 'a.om').write_text(
                '# TYPE limpet_block_device_seconds histogram\n'
                'limpet_block_device_seconds_sum{device="loop0"} 5 1000.000\n'
                'limpet_disk_read_bytes_total{device="loop0"} 5 1000.000\n# EOF\n')
            deep_queue.without_block_series(run, stripped)
            self.assertEqual((stripped / 'io01' / 'a.om').read_text(),
                             'limpet_disk_read_bytes_total{device="loop0"} 5 1000.000\n# EOF\n')

    def test_the_table_counts_right_and_wrong_servers(self):
        truth = {'mode': 'striped', 'fault': 'slow-channels', 'server': 'io02',
                 'cause': 'disk-busy'}
        right = Score(truth, {'io02': 'disk-busy'}, 30.0)
        silent, wrong = Score(truth, {}, None), Score(truth, {'io01': 'disk-busy'}, None)
        found = [(truth, (right, silent)), (truth, (right, wrong))]
        self.assertEqual(deep_queue.table(found).splitlines()[2],
                         '| striped | slow-channels | 2 | 2, 0 | 0, 1 | 30 s |')


if __name__ == '__main__':
    unittest.main()
