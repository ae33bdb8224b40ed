"""The rules of config/prometheus as promtool and amtool see them, their names, and their playbooks."""
import pathlib
import re
import subprocess
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

    def test_a_sick_server_is_one_group(self):
        code, text = said('amtool', 'config', 'routes', 'test', '--config.file=alertmanager.yml',
                          'alertname=LimpetServerIndicted', 'node=io03')
        self.assertEqual((code, text.splitlines()[-1]), (0, 'storage-operators'), text)

    def test_every_alert_has_a_playbook(self):
        entries = re.findall(r'^## (\w+)$', (ROOT / 'docs/playbooks.md').read_text(), re.MULTILINE)
        self.assertEqual(entries, self.names)
        links = re.findall(r"runbook: 'docs/playbooks.md#(\w+)'", self.alerts)
        self.assertEqual(links, [name.lower() for name in self.names])

    def test_metrics_are_in_the_catalogue(self):
        known = set(re.findall(r'limpet_\w+', (ROOT / 'docs/metrics.md').read_text()))
        self.assertEqual(set(re.findall(r'limpet_\w+', self.rules)) - known, set())


if __name__ == '__main__':
    unittest.main()
