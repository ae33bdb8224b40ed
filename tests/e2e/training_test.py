"""The real diagnoser trains on recordings without faults, and uses what it has trained."""
import json
import pathlib
import unittest

import support
from fake_exporters import FakeExporters
from support import DIAGNOSER, Program, get, run, wait_until

CASES = pathlib.Path(__file__).resolve().parents[1] / 'fixtures' / 'cases'
GROUPS = '''
peer_groups:
  - {name: pri, kind: storage, roles: [nsd], device: '^dm-[0-9]$'}
  - {name: sec, kind: storage, roles: [nsd], device: '^dm-1[0-9]$'}
'''
RECORDING = CASES / '07-lun15-train' / 'recording.om.zst'


def numbers(text, section):
    """The lines "name: number" below `section:`, as [(depth, name, value or None)]."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(section + ':'):
            break
    found = []
    for line in lines:
        if not line.startswith(' '):
            break
        name, _, value = line.strip().rpartition(':')
        found.append(((len(line) - len(line.lstrip())) // 2, name.strip('"'), value.strip()))
    return found


def tree(entries):
    """{group: {metric: {component: threshold}}}."""
    result, path = {}, []
    for depth, name, value in entries:
        path = path[:depth - 1] + [name]
        place = result
        for one in path[:-1]:
            place = place[one]
        place[name] = float(value) if value else {}
    return result


class TrainingTest(support.TestCase):

    def train(self, config, *inputs, check=True):
        return run(DIAGNOSER, 'train', '--config', config, '--output', self.folder / 't.yml',
                   *inputs, check=check)

    def test_trains_what_the_algorithms_say_and_uses_it(self):
        config = self.write('a.yml', 'preset: production\n' + GROUPS)
        done = self.train(config, RECORDING)
        self.assertIn('preset production: 46 window times, 96 thresholds in 2 peer groups',
                      done.stdout)
        text = (self.folder / 't.yml').read_text()
        expected = json.loads((CASES / '07-lun15-train' / 'trained.json').read_text())
        self.assertEqual(tree(numbers(text, 'thresholds')), expected)
        self.assertIn('time_range: {from: "2023-11-', text)
        self.assertIn('"%s"' % RECORDING, text)
        self.assertEqual(tree(numbers(text, 'degrees_seen')).keys(), expected.keys())
        done = run(DIAGNOSER, 'check-config', '--config', config, '--thresholds',
                   self.folder / 't.yml')
        self.assertNotIn('note', done.stdout)
        # The same data raises no flag with them; another one names the sick controller's disk.
        for name, culprits in (('07-lun15-train', set()), ('07-lun15-component', {'nsd02'})):
            done = run(DIAGNOSER, 'replay', '--config', config, '--thresholds',
                       self.folder / 't.yml', CASES / name / 'recording.om.zst')
            events = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertTrue(all(one['threshold_trained'] for one in events
                                if one['type'] == 'window'))
            self.assertEqual({one['node'] for one in events
                              if one['type'] == 'verdict' and not one['secondary']}, culprits)

    def test_several_presets_share_a_file(self):
        config = self.write('a.yml', 'presets: [{base: testbench}, {base: production}, '
                            '{base: default-15s}]\n' + GROUPS)
        done = self.train(config, RECORDING)
        self.assertIn('preset testbench: no window with three peers', done.stderr)
        text = (self.folder / 't.yml').read_text()
        self.assertIn('  - preset: production\n', text)
        self.assertIn('  - preset: default-15s\n', text)
        self.assertNotIn('testbench', text)
        done = run(DIAGNOSER, 'check-config', '--config', config, '--thresholds',
                   self.folder / 't.yml')
        self.assertIn('note: %s: nothing for preset testbench' % (self.folder / 't.yml'),
                      done.stdout)

    def test_thresholds_that_do_not_fit_are_refused_or_told(self):
        config = self.write('a.yml', 'preset: production\n' + GROUPS)
        self.train(config, RECORDING)
        for preset, reason in (
                ('preset: testbench\n', 'trained for preset production, configured is testbench'),
                ('presets: [{base: production, distance: kl}]\n',
                 'preset production was trained with distance cdf, which is kl now')):
            other = self.write('b.yml', preset + GROUPS)
            done = run(DIAGNOSER, 'replay', '--config', other, '--thresholds',
                       self.folder / 't.yml', RECORDING, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(reason, done.stderr)
        renamed = self.write('b.yml', 'preset: production\n' + GROUPS.replace('pri', 'first'))
        done = run(DIAGNOSER, 'check-config', '--config', renamed, '--thresholds',
                   self.folder / 't.yml')
        self.assertIn('there is no peer group pri: its thresholds are not used', done.stdout)

    def test_a_running_diagnoser_tells_once_what_is_not_there(self):
        with FakeExporters(3) as fake:
            config = self.write('a.yml', 'scrape: {interval: 250ms}\nlateness: 500ms\npresets: [{base: '
                                'default, name: quick, step: 250ms, smoothing: 2, window: 8, '
                                'shift: 4, max_gap: 2s}]\n' + fake.targets())
            trained = self.write('t.yml', 'version: 1\npreset: quick\nthresholds: {server-disks: '
                                 '{await: {io01/sda: 2, io01/sdz: 2, io09/sda: 2}}}\n')
            program = Program(DIAGNOSER, 'serve', '--config', config, '--thresholds', trained,
                              '--web.listen-address', '127.0.0.1:0')
            self.addCleanup(program.stop)
            wait_until('what is not there', lambda: 'that are not there: io01/sdz, io09/sda: '
                       'their thresholds are kept' in program.log)
            wait_until('what is no target', lambda:
                       'components of nodes that are no targets: io09/sda:' in program.log)
            page = 'http://127.0.0.1:%d/metrics' % program.port()
            # What is not there may be told before the first window closes.
            first = wait_until('the first window', lambda: get(page).value(
                'limpet_window_end_timestamp_seconds'))
            wait_until('two more windows', lambda: get(page).value(
                'limpet_window_end_timestamp_seconds') >= first + 2)
            self.assertEqual(program.log.count('are not there'), 1)

    def test_nothing_to_train_on_leaves_the_old_file(self):
        config = self.write('a.yml', 'preset: testbench\n' + GROUPS)
        self.write('t.yml', 'old')
        done = self.train(config, self.write('empty.om', '# EOF\n'), check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn('nothing to train on in 0 samples', done.stderr)
        self.assertEqual((self.folder / 't.yml').read_text(), 'old')

    def test_wrong_use(self):
        config = self.write('a.yml', 'preset: testbench\n')
        for arguments, code in (
                (['--config', config, RECORDING], 2),
                (['--config', config, '--output', self.folder / 't.yml'], 2),
                (['--config', self.folder / 'gone.yml', '--output', self.folder / 't.yml',
                  RECORDING], 2),
                (['--config', config, '--output', self.folder / 'gone' / 't.yml', RECORDING], 1),
                (['--config', config, '--output', self.folder, RECORDING], 1),
                (['--config', config, '--output', self.folder / 't.yml', '/gone.om'], 1)):
            done = run(DIAGNOSER, 'train', *arguments, check=False)
            self.assertEqual(done.returncode, code, done.stderr)


if __name__ == '__main__':
    unittest.main()
