"""A replay of recordings says, byte for byte, what the live diagnosis said while they were written.

Three minutes by default; LIMPET_LAB_MINUTES=60 is the hour of a release. LIMPET_LAB_KEEP=FOLDER keeps
recordings and events there. Run by ctest -R lab-replay; needs root and scripts/setup --lab.
"""
import collections
import contextlib
import json
import os
import pathlib
import sys
import tempfile
import unittest

from check_short import missing
from limpet_lab import cleanup, network, same_events, workload
from limpet_lab.lab import Lab
from limpet_lab.settings import Settings, default_bin_dir

MINUTES = float(os.environ.get('LIMPET_LAB_MINUTES', '3'))


def tell(text):
    print(text, flush=True)


class ReplayTest(unittest.TestCase):
    def setUp(self):
        self.settings = Settings(name='limpet-replay', network=network.free_network(90),
                                 disk_mb_per_second=5, link_mbit=100, file_mib=128,
                                 bin_dir=default_bin_dir())
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        kept = os.environ.get('LIMPET_LAB_KEEP')
        self.folder = pathlib.Path(kept or self.stack.enter_context(
            tempfile.TemporaryDirectory(prefix='limpet-replay-')))
        self.folder.mkdir(exist_ok=True)
        cleanup.take_down(self.settings)

    def test_a_replay_says_what_was_said_live(self):
        watched = same_events.Watched(self.settings, self.folder)
        lab = Lab(self.settings)
        self.stack.enter_context(lab.lock())
        self.stack.callback(lab.take_down)
        lab.bring_up(tell)
        workload.lay_out(self.settings)
        workload.start_reading(self.settings)
        self.stack.callback(watched.stop)
        watched.start(lab.loops)
        same_events.play(lab, watched, same_events.timetable(MINUTES), tell)
        watched.stop()
        self.compare(watched)

    def compare(self, watched):
        live = watched.events.read_text().splitlines()
        replayed = same_events.replay(self.settings, watched)
        until = same_events.last_common(live, replayed)
        ours, theirs = (same_events.by_preset(lines, until) for lines in (live, replayed))
        types = collections.Counter(json.loads(line)['type'] for lines in ours.values()
                                    for line in lines)
        tell('%d lines of %s compared: %s' % (
            sum(types.values()), ', '.join(name or 'no preset' for name in sorted(ours)), dict(types)))
        self.assertEqual(same_events.differences(ours, theirs), [])
        self.assertGreater(types['window'], 10)
        self.assertGreater(types['verdict'], 0)


if __name__ == '__main__':
    if missing():
        print('skipped: the lab needs ' + missing())
        sys.exit(77)
    unittest.main()
