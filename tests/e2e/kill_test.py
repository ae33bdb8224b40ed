"""The diagnoser is killed with SIGKILL at random instants, over and over, and goes on from its state.

What it wrote into its event file before and after tells whether anything was lost or invented: a
server that limps all the time is flagged in every window, so its accumulator must rise by one a
window across all lives, but for windows that were missed; the others must never be flagged.

LIMPET_KILLS: how often; 12 by default, which takes some 20 s. LIMPET_KILL_SEED: of the instants.
"""
import json
import os
import random
import shutil
import signal
import time
import unittest

import support
from fake_exporters import FakeExporters
from support import DIAGNOSER, Program, get, wait_until

KILLS = int(os.environ.get('LIMPET_KILLS', '12'))
SEED = int(os.environ.get('LIMPET_KILL_SEED', '1'))
SHIFT = 0.5     # seconds between window ends
CONFIG = '''
scrape: {interval: 100ms}
lateness: 300ms
presets:
  - {base: bare, name: quick, step: 100ms, smoothing: 2, window: 10, shift: 5, k: 2, max_gap: 30s}
state: {interval: 100ms}
events: {file: "%s", windows: true}
'''
LIMPING = 'io03'


class KillTest(support.TestCase):

    def test_killed_at_any_instant_it_goes_on_where_it_was(self):
        chance = random.Random(SEED)
        path = self.folder / 'events.jsonl'
        lives = []
        with FakeExporters(5) as fake:
            limping = fake.nodes[LIMPING]
            limping.await_ms, limping.service_ms = 80, 15
            config = self.write('diagnoser.yml', CONFIG % path + fake.targets())
            for kill in range(KILLS + 1):
                program = Program(DIAGNOSER, 'serve', '--config', config, '--web.listen-address',
                                  '127.0.0.1:0', '--state-dir', self.folder / 'state')
                try:
                    port = program.port()
                    if kill == KILLS:
                        wait_until('windows of the last life', lambda: len(self.windows(path)) > 4)
                    elif kill == 0:
                        wait_until('the first verdict', lambda: '"verdict"' in self.text(path))
                    else:   # sometimes before anything has been done, sometimes after some windows
                        time.sleep(chance.uniform(0, 1.5))
                    self.page_is_sound(port, known=kill > 0)
                    program.signal(signal.SIGKILL)
                    self.assertEqual(program.wait(), -signal.SIGKILL)
                finally:
                    program.stop()
                self.assertNotIn('ignored', program.log)
                self.assertNotIn('state.refused', program.log)
                lives.append(self.windows(path))
                path.unlink(missing_ok=True)
        self.judge(lives)

    def text(self, path):
        return path.read_text() if path.exists() else ''

    def windows(self, path):
        """[(end, {node: accumulator}, {flagged nodes})] of the await windows of one life."""
        found = []
        for line in self.text(path).splitlines():
            event = json.loads(line)
            if event['type'] == 'window' and event['metric'] == 'await':
                found.append((event['end'],
                              {one['component']: one['accumulator'] for one in event['components']},
                              {one['component'] for one in event['components'] if one['flagged']}))
            if event['type'] == 'verdict':
                self.assertEqual((event['node'], event['cause']), (LIMPING, 'disk-busy'))
        return found

    def page_is_sound(self, port, known):
        """Nobody but the limping server is named; it is, from the first page of a life on."""
        page = get('http://127.0.0.1:%d/metrics' % port)
        named = {labels['node'] for labels, value in page.all('limpet_indicted') if value == 1}
        self.assertEqual(named, {LIMPING} if known else named & {LIMPING})

    def judge(self, lives):
        limping, missed, judged = LIMPING + '/sda', 0, 0
        before = None       # (end, accumulator) at the end of the lives so far
        for life in lives:
            for place, (end, accumulators, flagged) in enumerate(life):
                self.assertLessEqual(flagged, {limping})
                for component, accumulator in accumulators.items():
                    self.assertTrue(component == limping or accumulator == 0, component)
                if limping not in accumulators:
                    continue
                judged += 1
                accumulator = accumulators[limping]
                if before is not None and accumulator > 0:
                    # Negative: windows that were closed before are closed again, from an older state.
                    windows = round((end - before[0]) / SHIFT)
                    lost = before[1] + windows - accumulator
                    self.assertGreaterEqual(lost, 0, 'more than there were windows')
                    if place > 0:
                        self.assertLessEqual(lost, windows - 1, 'lost without a restart')
                    missed += lost
                before = (end, accumulator)
        print('%d kills, %d windows of %s judged, %d missed' % (KILLS, judged, limping, missed))
        self.assertGreater(judged, KILLS)
        # A state is at most a second old, and a restart takes less than max_gap.
        self.assertEqual(missed, 0)


if __name__ == '__main__':
    unittest.main()
