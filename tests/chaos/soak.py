"""Both programs for an hour, watched from outside: memory and descriptors must not grow.

    python3 tests/chaos/soak.py [--minutes 60] [--targets 40] [--csv FILE] [--answering]
    python3 tests/chaos/soak.py --speed 48 --minutes 1440     # a day of the exporter in half an hour

The exporter reads the kernel's real files and is scraped four times a second, by a scraper that is cut
now and then; the diagnoser has pages of which one limps, one has other devices all the time, one comes
and goes and one restarts, viewers that come and go, and is reloaded every minute. What it keeps for
the live page is full before the second half begins (a quarter of the time). Prints what each program used
over time and the slope of its second half. Ends with 1 where memory grows by 1 MB an hour or more, or
descriptors do; ten minutes are too short for that to say much.

--answering: no target goes away, and a scrape that fails ends the run with 1 too: what is measured is then
a machine that answers every scrape, not one that is too busy for it.

--speed: the exporter runs so many times faster, under Debian's libfaketime, and all times are of that clock. The
diagnoser's timers are not reached by it: its day is limpet-day (day.cc).
"""
import argparse
import contextlib
import itertools
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'e2e'))
from fake_exporters import FakeExporters        # noqa: E402
from support import DIAGNOSER, EXPORTER, Program, get        # noqa: E402

CONFIG = '''
scrape: {interval: 1s}
presets: [{base: bare, name: quick, window: 16, shift: 4, k: 2}]
publish: {history: {duration: %gm}}
'''


def resident(pid):
    """Bytes in RAM."""
    with open('/proc/%d/statm' % pid) as statm:
        return int(statm.read().split()[1]) * 4096


def descriptors(pid):
    return len(list(pathlib.Path('/proc/%d/fd' % pid).iterdir()))


def slope(points):
    """Least squares of (seconds, bytes): bytes an hour."""
    n = len(points)
    x, y = sum(at for at, _ in points) / n, sum(value for _, value in points) / n
    spread = sum((at - x) ** 2 for at, _ in points)
    return 3600 * sum((at - x) * (value - y) for at, value in points) / spread if spread else 0.0


class Trouble(threading.Thread):
    """What happens all the time around the two programs."""

    def __init__(self, fake, exporter, diagnoser, pause, answering):
        super().__init__(daemon=True)
        self.pause, self.answering = pause, answering      # seconds between two requests
        self.fake, self.exporter, self.diagnoser = fake, exporter, diagnoser
        self.chance, self.done = random.Random(1), threading.Event()

    def run(self):
        for turn in itertools.count():
            if self.done.wait(self.pause):
                return
            self._ask(self.exporter.number, '/metrics')
            if self.diagnoser is None:
                continue
            nodes = list(self.fake.nodes.values())
            if turn % 40 == 0 and not self.answering:
                nodes[4].answer = None if nodes[4].answer else lambda handler: handler.send_error(500)
            if turn % 240 == 0:
                nodes[5].reset()
                self.diagnoser.signal(signal.SIGHUP)
            if turn % 8 == 0:
                self._ask(self.diagnoser.number, self.chance.choice(
                    ('/metrics', '/', '/api/v1/cluster', '/api/v1/verdicts', '/api/v1/stream', '/nothing')))

    def _ask(self, port, path):
        try:    # the stream never ends: that viewer goes away
            get('http://127.0.0.1:%d%s' % (port, path), seconds=0.5)
        except OSError:
            pass


def scrapes(diagnoser):
    """How many scrapes of targets there were, and how many failed."""
    page = get('http://127.0.0.1:%d/metrics' % diagnoser.number)
    return tuple(int(sum(value for _, value in page.all(name))) for name in (
        'limpet_target_scrapes_total', 'limpet_target_scrape_errors_total'))


def watch(programs, minutes, csv):
    """Rows of (seconds, {name: (bytes, descriptors)}), one every ten seconds."""
    rows, began = [], time.monotonic()
    if csv:
        csv.write('seconds,%s,load\n' % ','.join('%s,descriptors' % name for name in programs))
    while time.monotonic() - began < minutes * 60:
        time.sleep(10)
        at = time.monotonic() - began
        row = {name: (resident(one.process.pid), descriptors(one.process.pid)) for name, one in programs.items()}
        rows.append((at, row))
        if csv:
            csv.write('%.0f,%s,%.1f\n' % (at, ','.join('%d,%d' % row[name] for name in programs), os.getloadavg()[0]))
            csv.flush()
    return rows


def report(rows, names):
    """Whether nothing grows."""
    flat = True
    print('| program | MiB at the start | MiB in the middle | MiB at the end | MB an hour, second half | descriptors, '
          'first to last |\n|---|---:|---:|---:|---:|---|')
    for name in names:
        memory = [(at, row[name][0]) for at, row in rows]
        files = [row[name][1] for _, row in rows]
        half = memory[len(memory) // 2:]
        grows = slope(half) / 1e6
        print('| %s | %.1f | %.1f | %.1f | %.2f | %d to %d |' % (
            name, memory[0][1] / 2**20, half[0][1] / 2**20, memory[-1][1] / 2**20, grows, files[0], files[-1]))
        # Connections come and go; a leak would be dozens.
        flat = flat and grows < 1 and files[-1] <= files[0] + 8
    return flat


def servers(count):
    """One limps, and one has other devices all the time."""
    fake, made = FakeExporters(count), itertools.count()
    nodes = list(fake.nodes.values())
    for node in nodes:
        node.noise = 0.2
    nodes[2].await_ms, nodes[2].service_ms = 80, 15

    # Ten devices, each in five pages, of 200 that come and go: what never returns is kept for an hour, or until
    # a node has 2,000, and the saw-tooth of that is no slope. No series twice in a page, which would be refused.
    def others():
        first = next(made) // 5 * 10 % 200
        return ''.join('limpet_disk_reads_completed_total{device="d%d"} 1\n' % (first + i) for i in range(10))
    nodes[3].more = others
    return fake


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--targets', type=int, default=40)
    parser.add_argument('--csv', type=argparse.FileType('w'))
    parser.add_argument('--speed', type=float, default=1)
    parser.add_argument('--answering', action='store_true')
    args = parser.parse_args()
    if args.speed != 1 and 'FAKETIME' not in os.environ:
        os.execvp('faketime', ['faketime', '-m', '-f', '+0 x%g' % args.speed, sys.executable, *sys.argv])
    # libfaketime needs system calls that the exporter does not.
    more = ['--seccomp', 'off'] if args.speed != 1 else []
    folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-soak-'))
    (folder / 'exporter.yml').write_text('web: {listen_addresses: ["127.0.0.1:0"]}\n')
    with contextlib.ExitStack() as running:
        exporter = running.enter_context(Program(EXPORTER, 'serve', *more, '--config', folder / 'exporter.yml'))
        programs, fake, diagnoser = {'limpet-exporter': exporter}, None, None
        if args.speed == 1:
            fake = running.enter_context(servers(max(args.targets, 6)))
            (folder / 'diagnoser.yml').write_text(CONFIG % (args.minutes / 4) + fake.targets())
            diagnoser = programs['limpet-diagnoser'] = running.enter_context(Program(
                DIAGNOSER, 'serve', '--config', folder / 'diagnoser.yml', '--web.listen-address', '127.0.0.1:0',
                '--state-dir', folder / 'state'))
        for one in programs.values():
            one.number = one.port()
        trouble = Trouble(fake, exporter, diagnoser, 0.25 if args.speed == 1 else 2.0, args.answering)
        trouble.start()
        rows = watch(programs, args.minutes, args.csv)
        trouble.done.set()
        trouble.join()
        asked, failed = scrapes(diagnoser) if diagnoser else (0, 0)
    shutil.rmtree(folder)
    flat = report(rows, programs)
    print('%d scrapes of targets, %d failed; load average %.1f' % (asked, failed, os.getloadavg()[2]))
    sys.exit(0 if flat and not (args.answering and failed) else 1)


if __name__ == '__main__':
    main()
