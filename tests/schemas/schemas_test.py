"""Files for other people's programs against the schemas those programs publish. Needs npm and its registry."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DIAGNOSER = pathlib.Path(os.environ.get('LIMPET_BIN_DIR', ROOT / 'build/dev/bin'), 'limpet-diagnoser')
KUBERNETES = ROOT / 'config/kubernetes'


def said(*command, cwd=ROOT):
    done = subprocess.run([str(one) for one in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode, done.stdout


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name in ('check.mjs', 'dashboards.ts', 'package.json', 'package-lock.json', 'tsconfig.json', '.npmrc'):
            shutil.copy(HERE / name, cls.folder)
        code, text = said('npm', 'ci', '--no-audit', '--no-fund', cwd=cls.folder)
        if code:
            raise AssertionError(text)

    def check(self, what, *files):
        return said('node', self.folder / 'check.mjs', what, *files, cwd=self.folder)

    def assert_refused(self, what, texts, suffix):
        """Each of these texts, in a file of its own."""
        paths = []
        for i, text in enumerate(texts):
            paths.append(self.folder / ('changed%d%s' % (i, suffix)))
            paths[-1].write_text(text)
        code, answer = self.check(what, *paths)
        self.assertEqual(code, 1, answer)
        for path in paths:
            self.assertIn(str(path) + ': ', answer)

    def test_dashboards_are_what_the_sdk_knows(self):
        code, text = self.check('dashboards', *sorted((ROOT / 'grafana/dashboards').glob('*.json')))
        self.assertEqual((code, text), (0, '6 dashboards: ok\n'))

    def test_a_dashboard_with_a_mistake_is_refused(self):
        changed = []
        for change in (lambda board: board['panels'][0].update(type='timesries'),
                       lambda board: board['panels'][-1]['options'].update(legnd={}),
                       lambda board: board['panels'][-1]['fieldConfig']['defaults']['custom'].update(lineWidth='1'),
                       lambda board: board['panels'][0]['targets'][0].pop('expr'),
                       lambda board: board.update(refresh=15)):
            board = json.loads((ROOT / 'grafana/dashboards/overview.json').read_text())
            change(board)
            changed.append(json.dumps(board))
        self.assert_refused('dashboards', changed, '.json')

    def test_compose_takes_the_composition(self):
        code, text = self.check('compose', ROOT / 'docker/compose.yml')
        self.assertEqual(code, 0, text)
        right = (ROOT / 'docker/compose.yml').read_text()
        self.assert_refused('compose', [right.replace('read_only:', 'read_onl:')], '.yml')

    def test_kubernetes_takes_the_manifests(self):
        files = sorted(KUBERNETES.glob('*.yml'))
        code, text = self.check('kubernetes', *files)
        self.assertEqual((code, text), (0, '%d kubernetes: ok\n' % len(files)))
        listed = re.findall(r'^  - (\S+\.yml)$', (KUBERNETES / 'kustomization.yaml').read_text(), re.MULTILINE)
        self.assertEqual(sorted(listed), [path.name for path in files])

    def test_kubernetes_takes_what_the_helm_chart_makes(self):
        """As helm_test renders it."""
        files = sorted((HERE / 'helm').glob('*.yml'))
        code, text = self.check('kubernetes', *files)
        self.assertEqual((code, text), (0, '2 kubernetes: ok\n'))

    def test_a_manifest_with_a_mistake_is_refused(self):
        changed = []
        for name, right, wrong in (('exporter.yml', 'readOnlyRootFilesystem', 'readOnlyRootFilesytem'),
                                   ('exporter.yml', 'containerPort: 9836', 'containerPort: metrics'),
                                   ('diagnoser.yml', 'apiVersion: apps/v1', 'apiVersion: apps/v9'),
                                   ('monitors.yml', 'endpoints:', 'endpoint:'),
                                   ('rules.yml', 'keep_firing_for:', 'keep_firing:')):
            text = (KUBERNETES / name).read_text()
            self.assertIn(right, text)
            changed.append(text.replace(right, wrong))
        self.assert_refused('kubernetes', changed, '.yml')


class Manifests(unittest.TestCase):
    def test_rules_are_those_of_prometheus(self):
        code, text = said(ROOT / 'scripts/kubernetes-rules', '--print')
        self.assertEqual(code, 0, text)
        self.assertEqual((KUBERNETES / 'rules.yml').read_text(), text, 'scripts/kubernetes-rules makes it anew')

    def test_the_diagnoser_takes_its_configurations(self):
        text = (KUBERNETES / 'diagnoser.yml').read_text()
        block = re.search(r'^  diagnoser\.yml: \|\n((?:    .*\n)+)', text, re.MULTILINE)[1]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'diagnoser.yml')
            path.write_text(re.sub(r'^    ', '', block, flags=re.MULTILINE))
            composed = pathlib.Path(folder, 'composed.yml')
            composed.write_text((ROOT / 'docker/diagnoser.yml').read_text().replace(
                '/etc/limpet/targets', str(ROOT / 'docker/targets')))
            for one in (path, composed, ROOT / 'config/diagnoser.yml'):
                code, answer = said(DIAGNOSER, 'check-config', '--config', one)
                self.assertEqual(code, 0, answer)

    def test_names_ports_and_users_agree(self):
        image = (ROOT / 'docker/Dockerfile').read_text()
        compose = (ROOT / 'docker/compose.yml').read_text()
        version = re.search(r'project\(limpet VERSION (\S+)', (ROOT / 'CMakeLists.txt').read_text())[1]
        chart = (ROOT / 'config/helm/limpet/Chart.yaml').read_text()
        self.assertIn('\nversion: %s\nappVersion: %s\n' % (version, version), chart)
        self.assertIn('USER 9836:9836', image)
        for program, port in (('exporter', 9836), ('diagnoser', 9837)):
            name = 'limpet-%s:%s' % (program, version)
            text = (KUBERNETES / (program + '.yml')).read_text()
            self.assertIn('image: %s\n' % name, text)
            self.assertIn('image: %s\n' % name, compose)
            self.assertIn('containerPort: %d' % port, text)
            self.assertIn('port: %d' % port, text)
            self.assertIn('EXPOSE %d' % port, image)
            self.assertIn('runAsUser: 9836', text)
            # Alerts and dashboards know the job by the name of the service.
            self.assertRegex(text, r'kind: Service\nmetadata:\n  name: limpet-%s\n' % program)

    def test_prometheus_takes_its_configuration(self):
        code, text = said('promtool', 'check', 'config', '--syntax-only', ROOT / 'docker/prometheus.yml')
        self.assertEqual(code, 0, text)


if __name__ == '__main__':
    unittest.main()
