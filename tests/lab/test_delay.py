"""How the lab delays frames (limpet_lab/delay.py)."""
import random
import unittest

from limpet_lab import delay


def frame(data=b'', options=b'', protocol=6, kind=b'\x08\x00', padding=b''):
    header = bytes([0x45, 0]) + (40 + len(options) + len(data)).to_bytes(2, 'big') + bytes(5) + bytes([protocol]) + bytes(10)
    tcp = bytes(12) + bytes([(20 + len(options)) // 4 << 4]) + bytes(7)
    return bytes(12) + kind + header + tcp + options + data + padding


class DelayTest(unittest.TestCase):

    def test_acknowledgments_carry_no_data(self):
        self.assertTrue(delay.is_acknowledgment(frame()))
        self.assertTrue(delay.is_acknowledgment(frame(options=bytes(12))))
        self.assertTrue(delay.is_acknowledgment(frame(padding=bytes(6))), 'as short frames are padded')
        self.assertFalse(delay.is_acknowledgment(frame(data=b'x')))
        self.assertFalse(delay.is_acknowledgment(frame(protocol=17)))
        self.assertFalse(delay.is_acknowledgment(frame(kind=b'\x08\x06')))
        self.assertFalse(delay.is_acknowledgment(frame()[:30]))

    def test_what_each_shape_waits(self):
        random.seed(1)
        self.assertEqual(delay.wait_of('steady', 0.01, False, frame()), 0.005)
        self.assertEqual(delay.wait_of('sent', 0.01, True, frame()), 0.01)
        self.assertEqual(delay.wait_of('sent', 0.01, False, frame()), 0)
        self.assertEqual(delay.wait_of('reorder', 0.01, True, frame(data=b'x')), 0)
        for shape in 'jitter', 'reorder':
            waits = [delay.wait_of(shape, 0.01, True, frame()) for _ in range(1000)]
            self.assertAlmostEqual(sum(waits) / len(waits), 0.005, delta=0.0005)
            self.assertLessEqual(max(waits), 0.01)

    def test_frames_leave_in_order_or_when_they_are_due(self):
        for queue, order in ((delay.InOrder(), [b'a', b'b', b'c']), (delay.ByTime(), [b'b', b'c', b'a'])):
            for due, one in ((3, b'a'), (1, b'b'), (2, b'c')):
                queue.add(due, one)
            left = []
            while queue.head():
                left.append(queue.head()[1])
                queue.take()
            self.assertEqual(left, order)


if __name__ == '__main__':
    unittest.main()
