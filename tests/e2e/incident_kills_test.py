"""The diagnoser is killed with SIGKILL at random instants around the one at which it publishes an incident:
whatever it has published, on its metrics page, in its API or in its event file, is in the history afterwards, once.

LIMPET_KILLS: how often; 8 by default, which takes some 40 s. LIMPET_KILL_SEED: of the instants.
"""
import collections
import contextlib
import json
import os
import random
import signal
import threading
import time
import unittest

import support
from fake_exporters import FakeExporters
from support import DIAGNOSER, LABEL, Program, get, run, wait_until

KILLS = int(os.environ.get('LIMPET_KILLS', '8'))
SEED = int(os.environ.get('LIMPET_KILL_SEED', '1'))
PEERS = 5
CONFIG = '''
scrape: {interval: 100ms}
lateness: 300ms
presets:
  - {base: bare, name: quick, step: 100ms, smoothing: 2, window: 10, shift: 5, k: 2, max_gap: 30s}
state: {interval: 100ms}
events: {file: "%s"}
'''
SLOW_DISK = 'before it is on the disk'


class Watcher(threading.Thread):
    """Asks for everything that is published, as fast as it is answered."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self._url = 'http://127.0.0.1:%d' % port
        self.incidents, self.nodes = set(), set()
        self._ends = threading.Event()
        self.first = None       # when something was published
        self.start()

    def run(self):
        while not self._ends.is_set():
            with contextlib.suppress(OSError, ValueError):
                self._look()

    def _look(self):
        for row in json.loads(get(self._url + '/api/v1/incidents', seconds=2).body)['incidents']:
            self.incidents.add(row['id'])
        for verdict in json.loads(get(self._url + '/api/v1/verdicts', seconds=2).body)['verdicts']:
            self.incidents.add(verdict['incident'])
        page = get(self._url + '/metrics', seconds=2).body
        for line in page.splitlines():
            if line.startswith('limpet_indicted{') and line.endswith(' 1'):
                self.nodes.add(dict(LABEL.findall(line))['node'])
        if self.nodes and self.first is None:
            self.first = time.monotonic()

    def stop(self):
        self._ends.set()
        self.join(10)


class IncidentKillsTest(support.TestCase):

    def test_what_was_published_is_kept_once(self):
        chance = random.Random(SEED)
        typical, slow, published, told = None, 0, set(), set()
        with FakeExporters(PEERS) as fake:
            ports = [node.port for node in fake.nodes.values()]
            limping = fake.nodes['io03']
            limping.await_ms, limping.service_ms = 80, 15
            for life in range(KILLS + 1):
                # New names, and nothing known of the old ones' disks: a new incident.
                (self.folder / 'state/state').unlink(missing_ok=True)
                nodes = ['l%03d-%d' % (life, i) for i in range(PEERS)]
                events = self.folder / ('events-%d.jsonl' % life)
                program = Program(DIAGNOSER, 'serve', '--config', self.write('d.yml', CONFIG % events + 'targets:\n' + ''.join(
                    '  - {node: %s, address: "127.0.0.1:%d"}\n' % one for one in zip(nodes, ports))),
                    '--web.listen-address', '127.0.0.1:0', '--state-dir', self.folder / 'state')
                try:
                    watcher = Watcher(program.port())
                    began = time.monotonic()
                    if life == 0:
                        typical = wait_until('the first incident', lambda: watcher.first) - began
                    else:
                        time.sleep(max(0, typical + chance.uniform(-0.3, 0.7)))
                    program.signal(signal.SIGKILL)
                    self.assertEqual(program.wait(), -signal.SIGKILL)
                    watcher.stop()
                finally:
                    program.stop()
                slow += program.log.count(SLOW_DISK)
                published |= watcher.incidents | self.of(events)
                told |= watcher.nodes
                self.judge(published - {''}, told, life)
        print('%d kills: %d incidents published, each in the history once; %d times before it was on the disk' % (
            KILLS, len(published - {''}), slow))
        self.assertGreaterEqual(len(published), KILLS // 4)

    def of(self, path):
        """The incidents of an event file, whose last line may be cut."""
        found = set()
        for line in path.read_text().splitlines() if path.exists() else []:
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if event['type'] == 'verdict':
                    found.add(event['incident'])
        return found

    def judge(self, published, told, life):
        lines = run(DIAGNOSER, 'history', '--format', 'jsonl', '--state-dir', self.folder / 'state', check=False)
        rows = [json.loads(line) for line in lines.stdout.splitlines()]
        kept = collections.Counter(row['id'] for row in rows)
        self.assertEqual(published - set(kept), set(), 'lost in life %d' % life)
        self.assertEqual(told - {row['node'] for row in rows}, set(), 'lost in life %d' % life)
        self.assertEqual([one for one, times in kept.items() if times > 1], [])
        self.assertFalse(list((self.folder / 'state').glob('*.refused')))


if __name__ == '__main__':
    unittest.main()
