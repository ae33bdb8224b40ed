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


if __name__ == '__main__':
    unittest.main()
