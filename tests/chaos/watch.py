"""What must hold whatever befalls the monitoring, looked at several times a second.

1. Nobody is named but the server that limps.
2. The server that limps stays named, from the first page of every life of the diagnoser on (but while
   windows start afresh because the clock was set).
3. Nothing of what was counted is lost: its accumulator falls by one a window at most, which is what
   a window says in which it does not stand out, and not by a restart.
4. Two windows after a fault has ended every node takes part again.
5. Memory and descriptors of the diagnoser are bounded, and given back.
6. A page is not older than it says: its windows end now, not some time ago.
7. No file of another is written (faults.ForeignLink looks itself).
"""
import http.client
import threading
import time

from world import CAUSE, LIMPING, SHIFT, WINDOW
from support import is_sanitized

MEMORY = 96 << 20       # bytes; nine targets
RECOVERY = 2 * WINDOW + 3       # seconds; two windows, lateness, a scrape and a look


class Watch:
    """Looks while the `with` block lasts; `broken` is what did not hold, `looks` how often it looked."""

    def __init__(self, world):
        self.world, self.broken, self.looks, self.blind = world, [], 0, 0
        self.accumulator, self.memory = 0.0, 0.0
        self.calm = False       # no fault, and none lately: freshness is asked for
        self.afresh = False     # windows start afresh: what was counted is asked for afterwards
        self._life, self._looked = 0, 0.0       # of the latest look
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    def _run(self):
        while not self._done.wait(0.25):
            life, calm = self.world.lives, self.calm
            page = self._page()
            if page is None:
                self.blind += 1
                continue
            # A page that was asked of one life and compared with what another counted would say nothing.
            if life == self.world.lives:
                self.looks += 1
                try:
                    self._look(page, calm and self.calm)
                except AssertionError as failed:
                    self._breaks(str(failed))

    def _page(self):
        """None when there is none: the diagnoser may be dead, stopped or in between."""
        try:
            page = self.world.page()
        except (OSError, http.client.HTTPException):
            return None
        return page if page.status == 200 else None

    def _look(self, page, calm):
        named = {(labels['node'], labels['cause']) for labels, value in page.all('limpet_indicted') if value == 1}
        for node, cause in sorted(named - {(LIMPING, CAUSE)}):
            self._breaks('1: %s is named for %s' % (node, cause))
        if not self.afresh:
            self._look_at_the_limping(page, named)
        used = page.value('limpet_diagnoser_resident_memory_bytes') or 0
        self.memory = max(self.memory, used)
        if used > MEMORY and not is_sanitized():
            self._breaks('5: the diagnoser uses %d MiB' % (used // (1 << 20)))
        if calm:
            ends = [value for _, value in page.all('limpet_window_end_timestamp_seconds')]
            age = self.world.now() - max(ends, default=0)
            if age > 2 * SHIFT + 3 or age < -1:
                self._breaks('6: the latest window ended %.1f s ago' % age)

    def _look_at_the_limping(self, page, named):
        if (LIMPING, CAUSE) not in named:
            self._breaks('2: %s is not named' % LIMPING)
        counted = page.value('limpet_anomaly_accumulator', node=LIMPING, metric='await') or 0
        now = time.monotonic()
        # A kill takes what was counted since the latest save too.
        may_fall = (now - self._looked) / SHIFT + (2 if self.world.lives > self._life else 1)
        if counted < self.accumulator - may_fall:
            self._breaks('3: the accumulator fell from %g to %g' % (self.accumulator, counted))
        self.accumulator, self._life, self._looked = counted, self.world.lives, now

    def _breaks(self, what):
        if what not in self.broken:
            print('%s broken at %s' % (what, time.strftime('%H:%M:%S', time.gmtime())), flush=True)
            self.broken.append(what)

    def recovers(self):
        """Waits until every node takes part in a window that ended later than now: the seconds it took,
        or None after RECOVERY."""
        began, healed = time.monotonic(), self.world.now()
        part, up = None, set()
        while time.monotonic() < began + RECOVERY:
            page = self._page()
            if page is not None:
                part = page.value('limpet_group_components', peer_group='server-disks', state='taking_part')
                up = {labels['node'] for labels, value in page.all('limpet_target_up') if value == 1}
                end = max((value for _, value in page.all('limpet_window_end_timestamp_seconds')), default=0)
                if part == len(self.world.nodes()) and up == self.world.nodes() and end > healed:
                    return time.monotonic() - began
            time.sleep(0.1)
        self._breaks('4: %s of %d nodes take part, up: %s, %.0f s after the end' % (
            part, len(self.world.nodes()), ' '.join(sorted(up)), RECOVERY))
        return None
