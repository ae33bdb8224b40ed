"""Behaviour profiles from end to end: train --profiles on a recording, then replay with the model."""
import json
import pathlib
import subprocess
import unittest
import tempfile

from support import DIAGNOSER

RECORDING = (pathlib.Path(__file__).resolve().parents[1] /
             'fixtures/cases/08-ganesha-cpu-hog/recording.om.zst')


def run(*arguments):
    return subprocess.run([str(DIAGNOSER), *map(str, arguments)], capture_output=True, text=True,
                          check=False, timeout=150)


class Profiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.model = pathlib.Path(self.folder.name) / 'profiles.yml'
        self.config = pathlib.Path(self.folder.name) / 'diagnoser.yml'
        self.config.write_text(f'profiles: {{model: {self.model}, roles: [io]}}\n')

    def test_a_model_is_trained_and_used(self):
        trained = run('train', '--profiles', '--config', self.config, '--output', self.model,
                      '--seed', 3, RECORDING)
        self.assertEqual(trained.returncode, 0, trained.stderr)
        self.assertIn('dropped pgpgin: it never changed', trained.stdout)
        self.assertIn('seed: 3', self.model.read_text())
        replayed = run('replay', '--config', self.config, RECORDING)
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        events = [json.loads(line) for line in replayed.stdout.splitlines()]
        profiles = [event for event in events if event['type'] == 'profile']
        self.assertEqual(len(profiles), 400)
        labels = [one['label'] for event in profiles[1:] for one in event['components']]
        self.assertTrue(all(1 <= label <= 7 for label in labels))
        # Every second of the hog was learned as normal, so nobody is indicted.
        self.assertFalse(any(one['indicted'] for event in profiles for one in event['components']))

    def test_without_its_model_nothing_starts_but_the_training(self):
        checked = run('check-config', '--config', self.config)
        self.assertEqual(checked.returncode, 2)
        self.assertIn('profiles.model', checked.stderr)

    def test_a_recording_without_host_metrics_is_no_training(self):
        other = RECORDING.parents[1] / '05-two-servers' / 'recording.om.zst'
        trained = run('train', '--profiles', '--config', self.config, '--output', self.model, other)
        self.assertEqual(trained.returncode, 1)
        self.assertIn('expected at least 60 seconds with host metrics', trained.stderr)
        self.assertFalse(self.model.exists())


if __name__ == '__main__':
    unittest.main()
