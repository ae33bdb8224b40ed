"""The whole lab up and down, as root: nothing may be left. Run by ctest -L lab."""
import os
import subprocess
import sys
import tempfile
import unittest

from limpet_lab import cleanup, cli, faults, workload
from limpet_lab.lab import Lab
from limpet_lab.settings import Settings, default_bin_dir


OF_OTHER_FILE_SYSTEMS = {'audit', 'backup', 'deep-scrub', 'recovery'}


class UpDownTest(unittest.TestCase):
    SETTINGS = Settings(name='limpet-check', servers=3, clients=1, network='198.18.78',
                        file_mib=64, bin_dir=default_bin_dir())

    def setUp(self):
        cleanup.take_down(self.SETTINGS)

    def tearDown(self):
        cleanup.take_down(self.SETTINGS)
        self.assertFalse(cleanup.look(self.SETTINGS))

    def test_every_fault_comes_and_goes(self):
        lab = Lab(self.SETTINGS)
        with lab.lock():
            lab.bring_up()
            workload.lay_out(self.SETTINGS)
            readers = workload.start_reading(self.SETTINGS)
            before = len(cleanup.look(self.SETTINGS).processes)
            server = self.SETTINGS.io_hosts[-1]
            for kind in faults.FAULTS.keys() - OF_OTHER_FILE_SYSTEMS:
                with self.subTest(kind):
                    with faults.inject(self.SETTINGS, kind, server, lab.loops[server.name]):
                        pass
                    self.assertEqual([reader.poll() for reader in readers], [None])
            self.assertLessEqual(len(cleanup.look(self.SETTINGS).processes), before + 1)

    def test_half_a_lab_is_removed_too(self):
        lab = Lab(self.SETTINGS)

        def stop_half_way(text):
            if text == 'disk of io02':
                raise InterruptedError(text)
        with self.assertRaises(InterruptedError):
            lab.bring_up(stop_half_way)
        self.assertTrue(cleanup.look(self.SETTINGS))

    def test_nothing_is_left_of_a_lab_whose_program_was_killed(self):
        cli.bring_up(self.SETTINGS)
        with tempfile.TemporaryDirectory() as folder:
            running = subprocess.Popen(
                [sys.executable, '-m', 'limpet_lab.cli', '--name', self.SETTINGS.name, '--network',
                 self.SETTINGS.network, '--folder', folder, 'run', '--fault', 'disk-hog', '--server',
                 'io02', '--before', '1', '--during', '600'], stdout=subprocess.PIPE, text=True)
            for line in running.stdout:
                if 'disk-hog on io02' in line:
                    break
            running.kill()
            running.communicate()
            self.assertIn('dd', [name for _, name in cleanup.look(self.SETTINGS).processes])
            cleanup.take_down(self.SETTINGS)
            self.assertFalse(cleanup.look(self.SETTINGS))


if __name__ == '__main__':
    unittest.main()
elif os.geteuid() != 0:
    print('the lab needs root: skipped')
    sys.exit(77)
