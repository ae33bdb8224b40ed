"""The Helm chart, rendered by Go's templates and sprig, which Helm consists of (render.go), against tests/schemas/helm.

Needs golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev (scripts/setup --containers). What is
rendered is kept, and schemas_test checks it against the schemas of Kubernetes in every run. LIMPET_REFRESH_GOLDEN=1
writes it anew. LIMPET_BIN_DIR holds limpet-diagnoser, which has to take the rendered configuration. LIMPET_CHART: an
unpacked chart in the place of the tree's.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
GOLDEN = ROOT / 'tests/schemas/helm'
BIN_DIR = pathlib.Path(os.environ.get('LIMPET_BIN_DIR', ROOT / 'build/dev/bin'))
CHART = pathlib.Path(os.environ.get('LIMPET_CHART', ROOT / 'config/helm/limpet'))
NODES = HERE / 'nodes.yml'


class Chart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        environment = {**os.environ, 'GO111MODULE': 'off', 'GOPATH': '/usr/share/gocode', 'GOFLAGS': '',
                       'GOCACHE': str(cls.folder / 'cache')}
        subprocess.run(['go', 'build', '-o', cls.folder / 'render', HERE / 'render.go'], check=True, env=environment)

    def render(self, values, nodes='-'):
        """(exit code, manifests, errors); values: a file, or its text."""
        if not isinstance(values, pathlib.Path):
            path = self.folder / 'values.yml'
            path.write_text(values)
            values = path
        done = subprocess.run([self.folder / 'render', CHART, 'storage', values, nodes],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def targets(self, text):
        return json.loads(json.loads(re.search(r'targets\.json: (".*")$', text, re.MULTILINE)[1]))

    def test_rendered_as_kept(self):
        for name, nodes in (('listed', '-'), ('full', NODES)):
            code, text, errors = self.render(HERE / (name + '.yml'), nodes)
            self.assertEqual(code, 0, errors)
            if os.environ.get('LIMPET_REFRESH_GOLDEN'):
                GOLDEN.mkdir(exist_ok=True)
                (GOLDEN / (name + '.yml')).write_text(text)
            self.assertEqual(text, (GOLDEN / (name + '.yml')).read_text(), 'LIMPET_REFRESH_GOLDEN=1 writes it anew')

    def test_nodes_are_reached_by_address(self):
        listed = self.targets(self.render(HERE / 'listed.yml')[1])
        self.assertEqual([(group['targets'], group['labels']) for group in listed], [
            (['10.0.0.11:9836'], {'node': 'io01', 'role': 'server'}),
            (['[fd00::12]:9836'], {'node': 'io02', 'role': 'server'}),
            (['10.0.0.21:9836'], {'node': 'client01', 'role': 'client'})])
        self.assertEqual(self.targets(self.render(HERE / 'full.yml', NODES)[1]), listed)

    def test_nobody_to_compare_is_refused(self):
        for values, nodes in (('{}', '-'), ('{}', NODES), ('{targets: {serverSelector: {storage: oss}}}', '-'),
                              ('{targets: {serverSelector: {storage: mds}}}', NODES)):
            code, _, errors = self.render(values, nodes)
            self.assertNotEqual(code, 0)
            self.assertIn('no targets: name them in targets.nodes, or set targets.serverSelector', errors)
        code, _, errors = self.render('{targets: {nodes: [{node: io01}]}}')
        self.assertIn('each needs an address', errors)

    def test_targets_of_the_configuration_take_the_place_of_the_list(self):
        code, text, errors = self.render('diagnoser: {config: {targets: [{http_sd: {url: "http://inventory/limpet"}}]}}')
        self.assertEqual(code, 0, errors)
        self.assertIn('url: http://inventory/limpet', text)
        self.assertNotIn('/etc/limpet-targets/*.json', text)

    def test_what_is_switched_off_is_not_there(self):
        text = self.render((HERE / 'listed.yml').read_text() +
                           'networkPolicy: {enabled: false}\npriorityClass: {create: false, name: ""}\n'
                           'diagnoser: {persistence: {existingClaim: mine}}\n')[1]
        for kind in 'NetworkPolicy', 'PriorityClass', 'PersistentVolumeClaim', 'ServiceMonitor', 'PrometheusRule':
            self.assertNotIn('kind: ' + kind, text)
        self.assertNotIn('priorityClassName', text)
        self.assertIn('claimName: mine', text)

    def test_the_programs_take_the_configuration(self):
        for name, nodes in (('listed', '-'), ('full', NODES)):
            text = self.render(HERE / (name + '.yml'), nodes)[1]
            targets = self.folder / 'targets.json'
            targets.write_text(json.dumps(self.targets(text)))
            for program in ('exporter', 'diagnoser'):
                block = re.search(r'^  %s\.yml: \|\n((?:    .*\n|\s*\n)+)' % program, text, re.MULTILINE)
                if not block and (name, program) == ('listed', 'exporter'):
                    continue  # that of the image
                path = self.folder / (program + '.yml')
                path.write_text(re.sub(r'^    ', '', block[1], flags=re.MULTILINE).replace(
                    '/etc/limpet-targets/*.json', str(targets)))
                done = subprocess.run([BIN_DIR / ('limpet-' + program), 'check-config', '--config', path],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                if program == 'diagnoser':
                    self.assertIn('io02', done.stdout)


if __name__ == '__main__':
    unittest.main()
