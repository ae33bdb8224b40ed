"""Every documented way to start gives the same resolved settings: those that run when the file says nothing of presets."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / 'tests/e2e'), str(ROOT / 'tests/lab')]

from fake_exporters import FakeExporters  # noqa: E402
from limpet_lab import monitor, report  # noqa: E402
from limpet_lab.settings import Settings  # noqa: E402
from support import DIAGNOSER  # noqa: E402

README = ROOT / 'README.md'
CONFIG = ROOT / 'config'


def config_maps(path):
    """The diagnoser's configurations in Kubernetes objects."""
    return [one['data']['diagnoser.yml'] for one in yaml.safe_load_all(path.read_text())
            if one and one['kind'] == 'ConfigMap' and 'diagnoser.yml' in one['data']]


def playbook():
    """What the role writes for the example's hosts."""
    plays = yaml.safe_load((CONFIG / 'ansible/playbook.yml').read_text())
    settings = next(role['limpet_diagnoser_config'] for play in plays for role in play['roles']
                    if 'limpet_diagnoser_config' in role)
    for entry, hosts in zip(settings['targets'], (['io01', 'io02', 'io03'], ['client01'])):
        entry['addresses'] = hosts
    return yaml.safe_dump(settings)


def starts():
    """{name: configuration}, each as a user would have it."""
    found = {'README': re.search(r'That is all it needs:\n\n```yaml\n(.*?)```', README.read_text(), re.DOTALL)[1],
             'packages': (CONFIG / 'diagnoser.yml').read_text(),
             'Docker': (ROOT / 'docker/diagnoser.yml').read_text(),
             'Kubernetes': config_maps(CONFIG / 'kubernetes/diagnoser.yml')[0],
             'Ansible': playbook(),
             'demo and lab': monitor.diagnoser_config(Settings(), 'events.jsonl'),
             'replays of the lab': report.config('default', [{'port': 24007}]) + 'targets: [{address: io01}]\n'}
    for name in ('listed', 'full'):
        found['Helm, ' + name] = config_maps(ROOT / 'tests/schemas/helm' / (name + '.yml'))[0]
    for path in sorted((CONFIG / 'examples').glob('*.yml')):
        found['example ' + path.stem] = path.read_text()
    with FakeExporters(3) as fake:
        addresses = ','.join('127.0.0.1:%d' % node.port for node in fake.nodes.values())
        found['suggest-config'] = subprocess.run([DIAGNOSER, 'suggest-config', '--targets', addresses],
                                                 capture_output=True, text=True, check=True).stdout
    return found


def resolved(config):
    """The lines of `check-config --resolved` that say how it judges."""
    with tempfile.NamedTemporaryFile('w', suffix='.yml') as file:
        file.write(config)
        file.flush()
        done = subprocess.run([DIAGNOSER, 'check-config', '--resolved', '--config', file.name],
                              capture_output=True, text=True, check=False)
    lines = re.findall(r'^(?:preset|lateness): .*', done.stdout, re.MULTILINE)
    if not lines:
        raise AssertionError(config + done.stdout + done.stderr)
    return lines


class OneDefault(unittest.TestCase):
    maxDiff = None

    def test_every_start_runs_with_the_same_settings(self):
        nothing_said = resolved('targets: [{addresses: [io01, io02, io03]}]')
        self.assertEqual([re.search('name: ([^,]*)', line)[1] for line in nothing_said[1:]],
                         ['default', 'default/fast', 'default/middle'])
        for name, config in starts().items():
            with self.subTest(name):
                self.assertEqual(resolved(config), nothing_said)

    def test_no_file_spells_it_out(self):
        for name, config in starts().items():
            with self.subTest(name):
                self.assertNotRegex(config, '(?m)^presets?:')

    def test_what_earlier_files_spelled_out_is_the_same(self):
        before = ('presets: [{scatter: residuals, cwnd_f: 0.65, balance: true, device_kinds: true, service_time: device, '
                  'retransmissions: true, training_deviant: group, scales: [{name: fast}, {name: middle}]}]\n')
        for scrape in '', 'scrape: {interval: 15s}\ntargets: [{address: io01}]\n':
            self.assertEqual(resolved(before + scrape), resolved(scrape))


if __name__ == '__main__':
    unittest.main()
