"""The committed dashboards are what their sources give. Needs npm and its registry."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Generated(unittest.TestCase):
    def test_the_sources_give_the_committed_files(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, 'grafana')
            shutil.copytree(ROOT / 'grafana', copy, ignore=shutil.ignore_patterns('node_modules', 'build', '*.json.new'))
            shutil.rmtree(copy / 'dashboards')
            (copy / 'dashboards').mkdir()
            # The dashboards say the next step of each cause in the playbooks' words.
            pathlib.Path(folder, 'docs').mkdir()
            shutil.copy(ROOT / 'docs/playbooks.md', pathlib.Path(folder, 'docs'))
            # And have a row for each file of metrics.
            shutil.copytree(ROOT / 'config/metrics', pathlib.Path(folder, 'config/metrics'))
            for command in (['npm', 'ci', '--no-audit', '--no-fund'], ['npm', 'run', 'build']):
                done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            names = sorted(path.name for path in (ROOT / 'grafana/dashboards').glob('*.json'))
            self.assertEqual(sorted(path.name for path in (copy / 'dashboards').glob('*.json')), names)
            for name in names:
                self.assertEqual((copy / 'dashboards' / name).read_text(), (ROOT / 'grafana/dashboards' / name).read_text(),
                                 '%s is not what grafana/src gives: cd grafana && npm ci && npm run build' % name)


if __name__ == '__main__':
    unittest.main()
