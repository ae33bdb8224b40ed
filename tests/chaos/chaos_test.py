"""The monitoring is broken in every way at hand, and nobody may be named for it.

    python3 tests/chaos/chaos_test.py             a few faults at once, half a minute: runs with every test
    LIMPET_CHAOS=long python3 tests/chaos/chaos_test.py    every fault alone, then at random, twenty minutes, root

The long form needs Debian's faketime and python3-fusepy. LIMPET_CHAOS_ROUNDS: how often each (3);
LIMPET_CHAOS_SEED: of what is random. Prints the table of docs/reliability.md.
"""
import os
import random
import subprocess
import time
import unittest

import faults
from watch import Watch, RECOVERY
from world import LIMPING, SHIFT, World, wait_until
from support import TestCase

LONG = os.environ.get('LIMPET_CHAOS') == 'long'
ROUNDS = int(os.environ.get('LIMPET_CHAOS_ROUNDS', '3'))
SEED = int(os.environ.get('LIMPET_CHAOS_SEED', '1'))
LASTS = 6.0     # seconds of each fault


class ChaosTest(TestCase):
    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        self.rows = {}      # name: [times, worst recovery, what broke]

    def tearDown(self):
        print('\n| fault | times | all compared again after, at most | broken promises |\n|---|---:|---:|---|')
        for name, (times, worst, broken) in self.rows.items():
            print('| %s | %d | %.1f s | %s |' % (name, times, worst, '; '.join(broken) or 'none'))

    def begin(self, world):
        """A watched world in which the limping server has just been named."""
        wait_until('the verdict', lambda: world.page().value(
            'limpet_indicted', node=LIMPING, cause='disk-busy') == 1, seconds=30)
        # That has to be on disk before the first kill.
        def saves():
            return world.page().value('limpet_state_saves_total', result='ok')
        before = saves()
        wait_until('a save that began later', lambda: saves() >= before + 2)
        return Watch(world)

    def suffer(self, world, watch, chosen, lasts=LASTS):
        """These faults at once, and what follows."""
        already, descriptors = list(watch.broken), world.descriptors()
        watch.calm, watch.afresh = False, any(one.afresh for one in chosen)
        print('%s: %s' % (time.strftime('%H:%M:%S', time.gmtime()), ', '.join(one.name for one in chosen)), flush=True)
        for fault in chosen:
            fault.inject(world)
        end = time.monotonic() + lasts
        while time.monotonic() < end:
            for fault in chosen:
                if fault.again:
                    fault.step(world)
            time.sleep(0.1)
        for fault in reversed(chosen):
            fault.heal(world)
        took = watch.recovers()
        time.sleep(SHIFT)
        watch.calm, watch.afresh = took is not None, False
        time.sleep(SHIFT)
        if world.descriptors() > descriptors + 6:
            watch.broken.append('5: %d descriptors, %d before' % (world.descriptors(), descriptors))
        row = self.rows.setdefault(' + '.join(one.name for one in chosen), [0, 0.0, []])
        row[0] += 1
        row[1] = max(row[1], took if took is not None else RECOVERY)
        row[2] += [one for one in watch.broken if one not in already]

    def judge(self, watch):
        print('%d looks, %d of them at a page that did not come, %.0f MiB at most, accumulator %g' % (
            watch.looks, watch.blind, watch.memory / (1 << 20), watch.accumulator))
        self.assertEqual(watch.broken, [])
        self.assertGreater(watch.looks, 10)

    def test_several_faults_at_once(self):
        with World(self.folder) as world, self.begin(world) as watch:
            for once in range(6 * ROUNDS if LONG else 3):
                # At most three of nine nodes are disturbed, so that there are peers left to compare.
                pages = self.chance.sample(faults.PAGES, 2)
                self.suffer(world, watch, [*pages, self.chance.choice(faults.EXPORTERS),
                                           faults.DIAGNOSERS[once % len(faults.DIAGNOSERS)]],
                            lasts=LASTS if LONG else 4.0)
            self.judge(watch)

    @unittest.skipUnless(LONG, 'the long form: LIMPET_CHAOS=long')
    def test_each_fault_alone(self):
        state = self.folder / 'state'
        state.mkdir()
        subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', state], check=True)
        self.addCleanup(subprocess.run, ['umount', '-l', state], check=False)
        with World(self.folder) as world, self.begin(world) as watch:
            for _ in range(ROUNDS):
                for fault in faults.PAGES + faults.EXPORTERS + faults.DIAGNOSERS + faults.MACHINE:
                    self.suffer(world, watch, [fault])
            self.judge(watch)

    @unittest.skipUnless(LONG, 'the long form: LIMPET_CHAOS=long')
    def test_the_clock_of_the_diagnoser_steps(self):
        with FakedClock(self.folder) as world, self.begin(world) as watch:
            for _ in range(ROUNDS):
                for fault in faults.CLOCKS:
                    self.suffer(world, watch, [fault])
            self.judge(watch)


class FakedClock(World):
    """A world whose diagnoser lives under libfaketime."""

    def __init__(self, folder):
        self.offset = folder / 'offset'
        self.offset.write_text('+0\n')
        super().__init__(folder, ['env', 'LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
                                  'FAKETIME_TIMESTAMP_FILE=%s' % self.offset, 'FAKETIME_NO_CACHE=1',
                                  'FAKETIME_DONT_FAKE_MONOTONIC=1'])

        self.ahead = 0

    def now(self):
        return time.time() + self.ahead

    def clock(self, seconds):
        """The diagnoser's clock is so many seconds off from now on."""
        self.ahead = seconds
        self.offset.write_text('%+d\n' % seconds)


if __name__ == '__main__':
    unittest.main()
