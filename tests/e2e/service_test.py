"""The exporter as systemd sees it: what it says on the notify socket, and when."""
import os
import signal
import socket
import unittest

from support import EXPORTER, Program, TestCase, wait_until


class Notified(TestCase):
    def setUp(self):
        super().setUp()
        self.path = str(self.folder / 'notify')
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.socket.close)
        self.socket.bind(self.path)
        self.socket.setblocking(False)
        self.heard = []

    def has_said(self, what):
        try:
            while True:
                self.heard += self.socket.recv(4096).decode().splitlines()
        except BlockingIOError:
            return what in self.heard

    def until(self, what):
        wait_until('"%s" on the notify socket' % what, lambda: self.has_said(what))

    def start(self, *arguments, **env):
        return Program(EXPORTER, *arguments, env={'NOTIFY_SOCKET': self.path, **env})

    def test_ready_with_the_first_sample_then_reloading_and_stopping(self):
        config = self.write('exporter.yml', 'log_level: info\n')
        with self.start('--web.listen-address', '127.0.0.1:0', '--config', config) as program:
            program.port()
            self.until('READY=1')
            self.assertNotIn('WATCHDOG=1', self.heard)
            self.heard.clear()
            program.signal(signal.SIGHUP)
            self.until('READY=1')
            self.assertEqual(self.heard[0], 'RELOADING=1')
            program.signal(signal.SIGTERM)
            self.assertEqual(program.wait(), 0)
            self.assertTrue(self.has_said('STOPPING=1'))

    def test_the_watchdog_is_fed_while_there_are_samples(self):
        with self.start('--web.listen-address', '127.0.0.1:0', WATCHDOG_USEC='1000000') as program:
            program.port()
            self.until('WATCHDOG=1')
            self.heard.clear()
            self.until('WATCHDOG=1')

    def test_recording_says_the_same(self):
        with self.start('record', '--output-dir', self.folder / 'r', WATCHDOG_USEC='1000000') as program:
            self.until('READY=1')
            self.until('WATCHDOG=1')
            program.signal(signal.SIGTERM)
            self.assertEqual(program.wait(), 0)
            self.assertTrue(self.has_said('STOPPING=1'))

    def test_another_process_watchdog_is_not_ours(self):
        with self.start('--web.listen-address', '127.0.0.1:0', WATCHDOG_USEC='100000',
                        WATCHDOG_PID=str(os.getpid())) as program:
            program.port()
            self.until('READY=1')
            self.assertFalse(self.has_said('WATCHDOG=1'))


if __name__ == '__main__':
    unittest.main()
