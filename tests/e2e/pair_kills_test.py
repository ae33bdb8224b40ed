"""A pair of diagnosers of the same servers, either killed again and again, while faults come and go.

Each fault has to be told once by the rules of Prometheus (LimpetServerIndicted) and once by the sinks of the
pair (LimpetVerdict), its end too, and nothing else; each history has to have it once.

LIMPET_PAIR_SECONDS: how long, with the shipped presets, rules and routes as they are. Without it three faults
in which everything that takes minutes takes seconds. LIMPET_PAIR_SEED: of the instants.
"""
import dataclasses
import json
import os
import random
import signal
import threading
import time
import unittest

import support
from alerting_test import CONFIG, Receiver, running_alertmanager, sooner
from fake_exporters import FakeExporters
from peers import Prometheus
from support import DIAGNOSER, Program, free_port, get, run, wait_until

SECONDS = float(os.environ.get('LIMPET_PAIR_SECONDS', '0'))
SEED = int(os.environ.get('LIMPET_PAIR_SEED', '1'))
NAMES = ('one', 'two')
TOLD = ('LimpetServerIndicted', 'LimpetVerdict')
QUICK = '''
scrape: {interval: 250ms}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 4s}
state: {interval: 250ms}
'''


@dataclasses.dataclass
class Pace:
    """Seconds."""
    config: str
    interval: str       # of Prometheus
    faults: int
    lasts: float        # a fault
    rests: float        # before each
    between: tuple      # from one being back to the next kill
    away: tuple         # from a kill to the next start
    soon: bool          # shortened rules and routes

    @staticmethod
    def wanted():
        if not SECONDS:
            return Pace(QUICK, '1s', 3, 16, 14, (0.5, 4), (0, 2), True)
        lasts, rests = 150.0, 120.0
        return Pace('scrape: {interval: 1s}\n', '15s', int(SECONDS // (lasts + rests)), lasts, rests, (45, 120), (0, 25), False)


class Killer(threading.Thread):
    """Kills one of the two, starts it again, kills one of the two, until it is stopped."""

    def __init__(self, start, pace):
        super().__init__(daemon=True)
        self.start_one, self.pace = start, pace
        self.running, self.kills, self.failed = {}, {name: 0 for name in NAMES}, None
        self._chance, self._ends = random.Random(SEED), threading.Event()
        for name in NAMES:
            self.running[name] = start(name)

    def run(self):
        try:
            while not self._ends.wait(self._chance.uniform(*self.pace.between)):
                name = self._chance.choice(NAMES)
                self.running[name].signal(signal.SIGKILL)
                self.running[name].wait()
                self.kills[name] += 1
                time.sleep(self._chance.uniform(*self.pace.away))
                self.running[name] = self.start_one(name)
        except Exception as failed:     # pylint: disable=broad-except
            self.failed = failed

    def stop(self):
        self._ends.set()
        self.join(60)
        if self.failed:
            raise self.failed


class PairKillsTest(support.TestCase):

    def test_each_fault_is_told_once_whichever_is_killed(self):
        pace = Pace.wanted()
        with FakeExporters(pace.faults + 4) as fake, Receiver() as receiver:
            for node in fake.nodes.values():
                node.noise = 0.02
            text = (CONFIG / 'prometheus/alertmanager.yml').read_text()
            manager, port = running_alertmanager(self.folder, sooner(text) if pace.soon else text, receiver)
            self.addCleanup(manager.stop)
            ports = {name: free_port() for name in NAMES}
            config = self.write('d.yml', pace.config + 'cluster: scratch\n' + fake.targets() + (
                'sinks: [{name: am, type: alertmanager, url: "http://127.0.0.1:%d"}]\n' % port))

            def start(name):
                program = Program(DIAGNOSER, 'serve', '--config', config, '--state-dir', self.folder / name,
                                  '--web.listen-address', '127.0.0.1:%d' % ports[name])
                self.addCleanup(program.stop)
                program.port(60 if SECONDS else 20)
                return program
            killer = Killer(start, pace)
            with Prometheus(self.folder, self.scraping(pace, ports, port), pace.interval) as prometheus:
                prometheus.wait_for('count(limpet_node_judged == 1) == %d' % (2 * len(fake.nodes)), 180)
                killer.start()
                faults = self.faults(fake, pace)
                killer.stop()
                self.wait_for_the_end(receiver, faults)
            self.judge(receiver, faults, killer, ports)

    def scraping(self, pace, ports, port):
        rules = [(CONFIG / 'prometheus' / name) for name in ('alerts.yml', 'recording.yml')]
        if pace.soon:
            rules = [self.write(rule.name, sooner(rule.read_text())) for rule in rules]
        return ('  - {job_name: limpet-diagnoser, static_configs: [{targets: [%s]}]}\n'
                'alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:%d"]}]}]}\nrule_files: [%s]\n' % (
                    ', '.join('"127.0.0.1:%d"' % one for one in ports.values()), port, ', '.join(map(str, rules))))

    def faults(self, fake, pace):
        """The nodes that limped, one after the other."""
        nodes = list(fake.nodes)[:pace.faults]
        for name in nodes:
            time.sleep(pace.rests)
            node = fake.nodes[name]
            node.await_ms, node.service_ms = 80, 15
            time.sleep(pace.lasts)
            node.await_ms, node.service_ms = 10, 5
        return nodes

    def wait_for_the_end(self, receiver, nodes):
        """What is missing is said by judge()."""
        try:
            wait_until('the last end', lambda: all(
                self.told(receiver, alert, nodes[-1], 'resolved') for alert in TOLD), 600 if SECONDS else 60)
        except AssertionError as late:
            print(late)

    def told(self, receiver, alert, node, status):
        """Notifications that say this of the node."""
        return [one for one in receiver.got if any(
            each['labels']['alertname'] == alert and each['labels'].get('node') == node and
            each['status'] == status for each in one['alerts'])]

    def judge(self, receiver, faults, killer, ports):
        histories = {name: self.history(name, ports[name]) for name in NAMES}
        counts = {(alert, node, status): len(self.told(receiver, alert, node, status))
                  for alert in TOLD for node in faults for status in ('firing', 'resolved')}
        named = {(each['labels']['alertname'], each['labels'].get('node'))
                 for one in receiver.got for each in one['alerts']}
        same = len({row['id'] for row in histories['one']} & {row['id'] for row in histories['two']})
        print('%d kills (%s), %d faults; told of them %s; %d incidents have one id at both; else told: %s' % (
            sum(killer.kills.values()), killer.kills, len(faults), sorted(set(counts.values())), same,
            sorted(one for one in named if one[0] not in TOLD)))
        self.assertEqual({key: count for key, count in counts.items() if count != 1}, {})
        self.assertEqual({node for alert, node in named if alert in TOLD}, set(faults))
        for name, rows in histories.items():
            self.assertEqual(sorted(row['node'] for row in rows), sorted(faults), name)
            self.assertEqual(len({row['id'] for row in rows}), len(rows), name)
        self.assertFalse(list(self.folder.glob('*/*.refused')))

    def history(self, name, port):
        state = ('--state-dir', self.folder / name)
        rows = [json.loads(line) for line in run(DIAGNOSER, 'history', '--format', 'jsonl', *state).stdout.splitlines()]
        shown = json.loads(get('http://127.0.0.1:%d/api/v1/incidents' % port).body)['incidents']
        self.assertEqual(sorted(row['id'] for row in rows), sorted(one['id'] for one in shown))
        return rows


if __name__ == '__main__':
    unittest.main()
