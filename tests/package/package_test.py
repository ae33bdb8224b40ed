"""The Debian packages: what is in them, what lintian says, and whether the programs in them start."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('LIMPET_BUILD_DIR', ROOT / 'build/release'))
SUPPRESSED = ROOT / 'config/debian/lintian-suppressed'


def run(*command, **options):
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError('%s: %s%s' % (command[0], done.stdout, done.stderr))
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run('cpack', '-G', 'DEB', '-B', cls.folder.name, '--config', BUILD / 'CPackConfig.cmake')
        cls.packages = {path.name.split('_')[0]: path for path in pathlib.Path(cls.folder.name).glob('*.deb')}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_there_is_one_for_each_program(self):
        self.assertEqual(set(self.packages), {'limpet-exporter', 'limpet-diagnoser'})

    def test_lintian_finds_no_fault(self):
        for path in self.packages.values():
            run('lintian', '--allow-root', '--fail-on', 'error,warning', '--suppress-tags-from-file', SUPPRESSED, path)

    def test_configuration_survives_an_upgrade(self):
        for name, path in self.packages.items():
            with tempfile.TemporaryDirectory() as control:
                run('dpkg-deb', '--control', path, control)
                self.assertEqual(pathlib.Path(control, 'conffiles').read_text(),
                                 '/etc/limpet/%s.yml\n' % name.removeprefix('limpet-'))

    def test_the_programs_start_and_take_the_shipped_configuration(self):
        for name, path in self.packages.items():
            with tempfile.TemporaryDirectory() as root:
                run('dpkg-deb', '--extract', path, root)
                program = pathlib.Path(root, 'usr/bin', name)
                self.assertRegex(run(program, '--version'), r'\d+\.\d+\.\d+')
                run(program, 'check-config', '--config', next(pathlib.Path(root, 'etc/limpet').iterdir()))
                self.assertTrue(pathlib.Path(root, 'usr/share/man/man1', name + '.1.gz').exists())

    def test_the_packaged_check_asks_the_packaged_exporter(self):
        with tempfile.TemporaryDirectory() as root:
            for path in self.packages.values():
                run('dpkg-deb', '--extract', path, root)
            exporter = subprocess.Popen([root + '/usr/bin/limpet-exporter', 'serve', '--web.listen-address', '127.0.0.1:0'],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                log = iter(exporter.stderr.readline, '')
                port = next(int(found[1]) for found in map(re.compile(r'listening on \S*:(\d+)').search, log) if found)
                time.sleep(3)  # for its first sample
                file = pathlib.Path(root, 'diagnoser.yml')
                file.write_text('targets:\n' + ''.join('  - {node: io0%d, address: "127.0.0.1:%d"}\n' % (node, port)
                                                      for node in (1, 2, 3)))
                text = run(root + '/usr/bin/limpet-diagnoser', 'check-config', '--ask', '--strict', '--config', file)
                self.assertRegex(text, r'server-network +network +3 ')
            finally:
                exporter.terminate()
                exporter.communicate()

    def test_documents_rules_and_dashboards_are_shipped(self):
        inside = {name: set(re.findall(r' \./(\S+)$', run('dpkg-deb', '--contents', path), re.MULTILINE))
                  for name, path in self.packages.items()}
        for name, files in inside.items():
            self.assertIn('usr/share/doc/%s/README.md' % name, files)
            unit = (ROOT / 'config/systemd' / (name + '.service')).read_text()
            self.assertIn(re.search(r'^Documentation=file:///(\S+)', unit, re.MULTILINE)[1], files)
        shared = {path for path in inside['limpet-diagnoser'] if path.startswith('usr/share/limpet/') and path[-1] != '/'}
        expected = [*('prometheus/%s.yml' % one for one in ('alerts', 'recording', 'scrape', 'alertmanager')),
                    'systemd/limpet-actions.service',
                    *('grafana/dashboards/' + path.name for path in (ROOT / 'grafana/dashboards').glob('*.json')),
                    *('actions/' + path.name for path in (ROOT / 'config/actions').iterdir()),
                    *('examples/' + path.name for path in (ROOT / 'config/examples').iterdir()),
                    *('metrics/' + path.name for path in (ROOT / 'config/metrics').iterdir())]
        self.assertEqual(shared, {'usr/share/limpet/' + one for one in expected})
        self.assertIn('usr/share/doc/limpet-diagnoser/docs/playbooks.md', inside['limpet-diagnoser'])

    def test_others_cannot_read_the_configuration_with_the_passwords(self):
        for name, mode in (('limpet-exporter', '-rw-r--r--'), ('limpet-diagnoser', '-rw-r-----')):
            lines = run('dpkg-deb', '--contents', self.packages[name]).splitlines()
            configurations = [line.split()[:2] for line in lines if re.search(r' \./etc/limpet/.*\.yml$', line)]
            self.assertEqual(configurations, [[mode, 'root/root']])

    def test_units_bound_their_memory(self):
        for name in ('limpet-exporter', 'limpet-diagnoser', 'limpet-actions'):
            self.assertIn('\nMemoryMax=', (ROOT / 'config/systemd' / (name + '.service')).read_text())

    def test_units_are_hardened(self):
        for name, most in (('limpet-exporter', 40), ('limpet-diagnoser', 25), ('limpet-actions', 25)):
            run('systemd-analyze', 'security', '--offline=yes', '--threshold=%d' % most,
                ROOT / 'config/systemd' / (name + '.service'))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
