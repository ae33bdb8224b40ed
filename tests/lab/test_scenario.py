"""What scenarios do on clients, and how it is summed up."""
import pathlib
import tempfile
import unittest

from limpet_lab import clients, scenario
from limpet_lab.settings import Settings


class ClientsTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.file = self.folder / 'file'
        self.file.write_bytes(b'\0' * 4 * clients.SMALL)
        self.log = self.folder / 'log'

    def go_on(self, deed, rate, times):
        """Returns the pauses it asked for; its clock stands still but for them."""
        now, pauses = [100.0], []

        def sleep(seconds):
            pauses.append(seconds)
            now[0] += seconds
        clients.go_on(deed, rate, self.log, [self.file], times, lambda: now[0], sleep)
        return pauses

    def test_opens_at_the_rate_that_is_asked_for(self):
        self.assertEqual(self.go_on('open', 4, 3), [0.25] * 3)
        self.assertEqual(len(self.log.read_text().splitlines()), 3)

    def test_writes_change_no_length_and_are_timed(self):
        self.go_on('write', 1000, 5)
        self.assertEqual(self.file.stat().st_size, 4 * clients.SMALL)
        self.assertIn(b'x' * clients.SMALL, self.file.read_bytes())
        for line in self.log.read_text().splitlines():
            self.assertGreater(float(line.split()[1]), 0)

    def test_what_was_late_is_not_made_up_for(self):
        times = iter([0.0, 0.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0])
        pauses = []
        clients.go_on('open', 1, self.log, [self.file], 2, lambda: next(times), pauses.append)
        self.assertEqual(pauses, [0.0, 1.0])

    def test_trees_leave_nothing(self):
        clients.tree_one(self.folder, 1)
        self.assertEqual([one.name for one in self.folder.iterdir()], ['file'])


class ScenarioTest(unittest.TestCase):
    def test_metadata_servers_are_recorded_as_such(self):
        settings = scenario.settings_for('metadata-crowd', 'lab', '198.18.1', pathlib.Path('/d'),
                                         pathlib.Path('/b'))
        self.assertEqual([host.name for host in settings.io_hosts], ['mds01', 'mds02', 'mds03'])
        self.assertEqual([host.role for host in settings.io_hosts], ['io'] * 3)
        self.assertEqual(Settings().io_hosts[0].name, 'io01')

    def test_every_scenario_is_short(self):
        for one in scenario.SCENARIOS.values():
            self.assertLessEqual(one.settle + one.before + one.during, 120)

    def test_what_clients_saw_before_and_after(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, 'client01.write.log')
            log.write_text('100.0 0.01\n101.0 0.03\n104.0 0.2\n105.0 0.1\n106.0 0.3\n107.0')
            seen = scenario.seen_by_clients(pathlib.Path(folder), 104.0)
        self.assertEqual(list(seen), ['write'])
        before, after, often, then = seen['write']
        self.assertAlmostEqual(before, 0.02)
        self.assertAlmostEqual(after, 0.2)
        self.assertEqual((often, then), (0.5, 1.5))
        self.assertEqual(scenario.report({'seen_by_clients': seen}), [
            'write: 20.0 ms each before, 200.0 ms after (+900 %); 0 a second before, 2 after'])


if __name__ == '__main__':
    unittest.main()
