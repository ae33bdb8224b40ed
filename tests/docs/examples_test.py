"""Every configuration shown in the documentation is taken by the programs."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN_DIR = pathlib.Path(os.environ.get('LIMPET_BIN_DIR', ROOT / 'build/dev/bin')).resolve()


class Examples(unittest.TestCase):
    def test_configurations_are_valid(self):
        shown = [(page.name, *found) for page in sorted((ROOT / 'docs').glob('*.md'))
                 for found in re.findall(r'```yaml\n# (exporter|diagnoser)\.yml\n(.*?)```', page.read_text(), re.DOTALL)]
        self.assertGreater(len(shown), 6)
        with tempfile.TemporaryDirectory() as folder:
            for page, program, text in shown:
                path = pathlib.Path(folder, program + '.yml')
                path.write_text(text)
                done = subprocess.run([BIN_DIR / ('limpet-' + program), 'check-config', '--config', path],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, '%s:\n%s%s' % (page, text, done.stdout + done.stderr))

    def test_examples_of_file_systems_are_valid_and_have_no_slips(self):
        names = sorted(path.stem for path in (ROOT / 'config/examples').glob('*.yml'))
        self.assertEqual(names, ['beegfs', 'ceph', 'glusterfs', 'hdfs', 'lustre', 'minio', 'moosefs', 'nfs'])
        for name in names:
            done = subprocess.run([BIN_DIR / 'limpet-diagnoser', 'check-config', '--strict', '--config',
                                   ROOT / 'config/examples' / (name + '.yml')], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_start_doubts_readings(self):
        """What docs/reliability.md promises needs doubt_readings. The presets of papers, to the letter, have it not: no file
        that is shipped begins with them, and every default has it."""
        shown = [ROOT / 'config/diagnoser.yml', *(path for folder in ('config', 'docker') for path in (ROOT / folder).rglob('*')
                                                  if path.suffix in ('.yml', '.yaml', '.j2', '.tpl', '.json')
                                                  and 'presets' not in path.parts)]
        for path in shown:
            for preset in re.findall(r'^ *-? *(?:preset|base): *(\S+)', path.read_text(), re.MULTILINE):
                self.assertIn(preset, ('default', 'default-15s'), path)
        for name in 'default', 'default-15s':
            said = subprocess.run([BIN_DIR / 'limpet-diagnoser', 'presets', name], capture_output=True, text=True, check=True).stdout
            self.assertRegex(said, 'doubt_readings: true')


if __name__ == '__main__':
    unittest.main()
