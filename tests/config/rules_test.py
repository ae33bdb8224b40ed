"""The rules of config/prometheus as promtool and amtool see them, their names, and their playbooks."""
import json
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / 'config/prometheus'


def said(*arguments):
    done = subprocess.run(arguments, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, check=False)
    return done.returncode, done.stdout


class Rules(unittest.TestCase):
    def setUp(self):
        self.alerts = (FOLDER / 'alerts.yml').read_text()
        self.rules = self.alerts + (FOLDER / 'recording.yml').read_text()
        self.names = re.findall(r'- alert: (\w+)', self.alerts)

    def test_promtool_takes_the_rules(self):
        code, text = said('promtool', 'check', 'rules', '--lint=all', '--lint-fatal', 'alerts.yml', 'recording.yml')
        self.assertEqual(code, 0, text)

    def test_alerts_fire_and_clear_when_they_should(self):
        code, text = said('promtool', 'test', 'rules', 'alerts_test.yml')
        self.assertEqual(code, 0, text)
        tested = set(re.findall(r'alertname[":= ]+(\w+)', (FOLDER / 'alerts_test.yml').read_text()))
        self.assertEqual(set(self.names), tested)

    def test_amtool_takes_the_example(self):
        code, text = said('amtool', 'check-config', 'alertmanager.yml')
        self.assertEqual(code, 0, text)
        named = set(re.findall(r'Limpet\w+', (FOLDER / 'alertmanager.yml').read_text()))
        self.assertEqual(named - set(self.names), set())

    def test_who_is_woken_and_who_gets_mail(self):
        for severity, receiver in ('critical', 'storage-on-call'), ('warning', 'storage-warnings'):
            code, text = said('amtool', 'config', 'routes', 'test', '--config.file=alertmanager.yml',
                              'alertname=LimpetServerIndicted', 'node=io03', 'severity=' + severity)
            self.assertEqual((code, text.splitlines()[-1]), (0, receiver), text)

    def test_every_alert_has_a_playbook(self):
        entries = re.findall(r'^## (\w+)$', (ROOT / 'docs/playbooks.md').read_text(), re.MULTILINE)
        self.assertEqual([one for one in entries if one.startswith('Limpet')], self.names)
        links = re.findall(r"runbook_url: '(http://localhost:9837/playbooks)#(\w+)'", self.alerts)
        self.assertEqual([name for _, name in links], [name.lower() for name in self.names])

    def test_every_alert_says_the_next_step(self):
        for rule in self.alerts.split('- alert: ')[1:]:
            said = re.search(r"^ {10}next_step: (?:'(.{20,})'|>-)$", rule, re.MULTILINE)
            self.assertTrue(said, rule)
            if said[1] is None:     # one for each cause, and one for a cause that a later diagnoser names
                step = rule.split('next_step: >-')[1].split('runbook_url')[0]
                self.assertEqual(re.findall(r'eq \$labels\.cause "([\w-]+)"', step),
                                 re.findall(r'eq \$labels\.cause "([\w-]+)"', rule.split('next_step: >-')[0]), rule)
                self.assertIn('{{- else }}Look at', step)

    def test_other_addresses_take_the_place_of_all_links(self):
        """The sed of the head of alerts.yml."""
        command, = re.findall(r"#     (sed -i .*) alerts.yml$", self.alerts, re.MULTILINE)
        done = subprocess.run([*shlex.split(command.replace(' -i', '')), 'alerts.yml'], cwd=FOLDER, stdout=subprocess.PIPE,
                              text=True, timeout=20, check=True)
        rules = done.stdout[done.stdout.index('groups:'):]
        self.assertNotIn('localhost', rules)
        self.assertEqual(set(re.findall(r'_url: .(\w+://[^/]+)/', rules)), {'http://diagnoser.site:9837', 'https://grafana.site'})

    def test_what_is_about_a_node_links_to_it(self):
        for rule in self.alerts.split('- alert: ')[1:]:
            if '$labels.node' in rule.split('annotations:')[1].split('description:')[0]:
                self.assertRegex(rule, r"page_url: 'http://localhost:9837/\?node=", rule)
                self.assertRegex(rule, r"dashboard_url: 'http://localhost:3000/d/limpet-server\?var-node=", rule)
        board = json.loads((ROOT / 'grafana/dashboards/server.json').read_text())
        self.assertEqual(board['uid'], 'limpet-server')
        self.assertIn('node', [one['name'] for one in board['templating']['list']])

    def test_a_mixin_has_all_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            code, text = said(str(ROOT / 'scripts/mixin'), folder)
            self.assertEqual(code, 0, text)
            made = pathlib.Path(folder)
            code, text = said('promtool', 'check', 'rules', made / 'alerts.yml', made / 'rules.yml')
            self.assertEqual(code, 0, text)
            self.assertEqual(len(list(made.glob('dashboards/*.json'))), 6)
            # What the text promises of each is its title.
            titles = {json.loads(path.read_text())['title'].removeprefix('Limpet: ') for path in made.glob('dashboards/*.json')}
            self.assertEqual(set(re.findall(r'^\| (\w[\w ]+) \|', (made / 'README.md').read_text(), re.MULTILINE)) - {'dashboard'}, titles)

    def test_metrics_are_in_the_catalogue(self):
        known = set(re.findall(r'limpet_\w+', (ROOT / 'docs/metrics.md').read_text()))
        self.assertEqual(set(re.findall(r'limpet_\w+', self.rules)) - known, set())


if __name__ == '__main__':
    unittest.main()
