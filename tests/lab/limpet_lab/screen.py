"""What a person sees: steps with a spinner, a table that is redrawn, plain lines elsewhere."""
import contextlib
import shutil
import sys
import threading
import time

SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
PLAIN_EVERY = 15.0      # seconds between lines where nothing can be redrawn


def bar(done, total, width=24):
    """A progress bar of `width` characters."""
    full = 0 if total <= 0 else min(width, int(width * max(0.0, done) / total))
    return '█' * full + '░' * (width - full)


def table(rows):
    """Lines of a table: the first column left, the others right, the last left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])]
        lines.append('  '.join(cells + [row[-1]]).rstrip())
    return lines


class Screen:
    """Writes to a stream; redraws only on a terminal. Not for several threads at once."""

    def __init__(self, stream=sys.stdout):
        self._stream = stream
        self.terminal = stream.isatty()
        self._drawn = 0             # lines of the live part on the screen
        self._next_plain = 0.0

    def line(self, text=''):
        """A line that stays."""
        self._erase()
        print(text, file=self._stream, flush=True)

    def live(self, lines, plain=None):
        """Redraws the live part; where that is impossible, prints `plain` now and then."""
        if not self.terminal:
            if plain is not None and time.monotonic() >= self._next_plain:
                self._next_plain = time.monotonic() + PLAIN_EVERY
                print(plain, file=self._stream, flush=True)
            return
        width = shutil.get_terminal_size().columns - 1
        # Without the erasing of single lines a redraw would flicker.
        text = ''.join('\r\033[K%s\n' % line[:width] for line in lines)
        up = '\033[%dA' % self._drawn if self._drawn else ''
        self._stream.write(up + text + '\033[J')
        self._stream.flush()
        self._drawn = len(lines)

    def keep_live(self):
        """What is on the screen stays; the next live part begins below."""
        self._drawn = 0
        self._next_plain = 0.0

    def spinner(self):
        return SPINNER[int(time.monotonic() * 10) % len(SPINNER)] if self.terminal else ''

    def _erase(self):
        if self._drawn:
            self._stream.write('\033[%dA\r\033[J' % self._drawn)
            self._drawn = 0

    @contextlib.contextmanager
    def step(self, text):
        """Something to wait for, with a spinner; gives a function that says how it gets on."""
        start, now, done = time.monotonic(), [''], threading.Event()

        def spin():
            while not done.wait(0.1):
                self.live(['%s %s %s' % (self.spinner(), text, now[0])])

        def tell(detail):
            now[0] = detail
        spinner = threading.Thread(target=spin, daemon=True) if self.terminal else None
        if spinner:
            spinner.start()
        ended = 'failed'
        try:
            yield tell
            ended = 'done'
        finally:
            done.set()
            if spinner:
                spinner.join()
            mark = '✔' if ended == 'done' else '✘'
            self.line('%s %s (%.1f s)' % (mark, text, time.monotonic() - start))
