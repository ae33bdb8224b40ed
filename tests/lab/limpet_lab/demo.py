"""The demo: healthy servers, one that begins to limp, and who Limpet says it is.

Exit code: 0 when the right server and cause were named (with --fault none: nobody), 1 when not or
when something failed, 2 on wrong use, 130 after Ctrl-C before there was a verdict.
"""
import argparse
import contextlib
import os
import random
import signal
import sys
import time

from . import cleanup, exposition, faults, status, verdict, workload
from .lab import Lab
from .monitor import EXPORTER_PORT, Monitor
from .screen import Screen
from .settings import Settings, default_bin_dir
from .shell import LabError

READ_EVERY = 2.0        # seconds between readings for the table
CONFIRM = 34.0          # seconds that a verdict has to stand: one window more, and a little
DEMO_FAULTS = ('disk-hog', 'disk-busy', 'network-hog', 'packet-loss', 'none')
SILENCE = 15.0          # seconds without an answer of the diagnoser that are too many


class Stopped(Exception):
    """Ctrl-C, SIGTERM or SIGHUP."""


def options(arguments):
    p = argparse.ArgumentParser(prog='demo', description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--fault', choices=DEMO_FAULTS, default='disk-hog',
                   help='what happens to one server (default: %(default)s)')
    p.add_argument('--servers', type=int, default=6, metavar='N',
                   help='3 to 12; six suit two cores (default: %(default)s)')
    p.add_argument('--faulty', type=int, metavar='N', help='which server (default: a random one)')
    p.add_argument('--seed', type=int, help='makes the random choice repeatable')
    p.add_argument('--healthy-seconds', type=float, default=100, metavar='S',
                   help='to watch before the fault (default: %(default)g)')
    p.add_argument('--watch', type=float, metavar='S',
                   help='to wait for a verdict (default: 180; with --fault none 600)')
    p.add_argument('--no-wait', action='store_true',
                   help='end with the verdict; on a terminal it otherwise goes on until Ctrl-C')
    p.add_argument('--keep', action='store_true', help='leave everything running at the end')
    p.add_argument('--down', action='store_true', help='only remove what an earlier run left')
    chosen = p.parse_args(arguments)
    if not 3 <= chosen.servers <= 12:
        p.error('--servers: expected 3 to 12, got %d' % chosen.servers)
    if chosen.faulty is None:
        chosen.faulty = random.Random(chosen.seed).randint(1, chosen.servers)
    if not 1 <= chosen.faulty <= chosen.servers:
        p.error('--faulty: expected 1 to %d, got %d' % (chosen.servers, chosen.faulty))
    if chosen.watch is None:
        chosen.watch = 600 if chosen.fault == 'none' else 180
    return chosen


class Demo:
    """One run. verdict: None until there is one, then whether it is right. result: last line."""

    def __init__(self, chosen, settings, screen):
        self._chosen, self._settings, self._screen = chosen, settings, screen
        self._lab = Lab(settings)
        self._monitor = Monitor(settings)
        self._faulty = None if chosen.fault == 'none' else 'io%02d' % chosen.faulty
        self.verdict = None
        self.result = None

    def run(self):
        """All of it; the lab is up afterwards, and taken down by the caller."""
        self._set_up()
        with contextlib.ExitStack() as stack:
            early = verdict.Judge('none', None, self._chosen.healthy_seconds, 0)
            self._watch('healthy', early, self._chosen.healthy_seconds)
            if len(early.history) == 1:     # nobody was indicted
                self._inject(stack)
            else:
                self._conclude(early, 0, right=False)
            self._tell_how_to_look()
            if self._chosen.keep:
                self._leave_running()
            if self._screen.terminal and not self._chosen.no_wait:
                self._screen.line('Ctrl-C ends the demo and cleans up.')
                self._watch('goes on', None)

    def _set_up(self):
        screen, lab = self._screen, self._lab
        left = cleanup.look(self._settings)
        if left:
            with screen.step('removing what an earlier run left'):
                lab.take_down()
        with screen.step('starting %d servers' % self._settings.servers) as tell:
            lab.bring_up(tell)
        with screen.step('laying out files for %d clients' % self._settings.clients):
            workload.lay_out(self._settings)
        with screen.step('starting the workload, %d exporters and the diagnoser' % len(
                self._settings.io_hosts + self._settings.client_hosts)):
            workload.start_reading(self._settings)
            self._monitor.start(lab.loops)

    def _inject(self, stack):
        kind, server = self._chosen.fault, self._faulty
        self._screen.keep_live()
        if server is not None:
            host = self._settings.host(server)
            stack.enter_context(faults.inject(self._settings, kind, host, self._lab.loops[server]))
            self._screen.line()
            self._screen.line('Now %s has a %s.' % (server, kind))
        judge = verdict.Judge(kind, server, self._chosen.watch, CONFIRM)
        seconds = self._watch('who limps?' if server else 'nothing is wrong', judge,
                              self._chosen.watch)
        self._conclude(judge, seconds, right=judge.answer(seconds))

    def _conclude(self, judge, seconds, right):
        self.verdict, self.result = right, judge.result_line(seconds)
        page = self._monitor.page() or ''
        (self._monitor.folder / 'metrics.txt').write_text(page)
        self._screen.keep_live()
        self._screen.line()
        for line in status.story(judge.history) + status.report(verdict.read(
                exposition.parse(page))):
            self._screen.line(line)
        if not right:
            self._screen.line('That is wrong: expected %s.' % (
                '%s, %s' % (self._faulty, self._chosen.fault) if self._faulty else 'nobody'))

    def _watch(self, text, judge, total=None):
        """Shows the table until the judge has an answer (None: until a signal). Returns for how
        many seconds; LabError when the diagnoser does not answer for long."""
        begin, next_read, heard = time.monotonic(), 0.0, time.monotonic()
        rates, diagnosis = {}, None
        while True:
            now = time.monotonic()
            if now >= next_read:
                next_read = now + READ_EVERY
                rates, diagnosis = self._monitor.rates(), self._monitor.diagnosis()
                if diagnosis is not None:
                    heard = now
                    if judge:
                        judge.see(now - begin, diagnosis.indicted)
                elif now - heard > SILENCE:
                    raise LabError('the diagnoser has not answered for %g s: see %s' % (
                        SILENCE, self._monitor.folder / 'diagnoser.log'))
            answered = judge is not None and judge.answer(now - begin) is not None
            self._screen.live(
                status.live(self._screen.spinner(), text, now - begin, total, rates, diagnosis),
                status.plain(text, now - begin, total, rates, diagnosis))
            if answered:
                return now - begin
            time.sleep(0.25 if self._screen.terminal else 0.5)

    def _leave_running(self):
        """Ends this process at once: on the way out Python would end the fault."""
        self._screen.line('Everything is left running; remove it with: sudo scripts/demo --down')
        self._screen.line(self.result)
        os._exit(0 if self.verdict else 1)

    def _tell_how_to_look(self):
        host = self._settings.io_hosts[0]
        for line in ('', 'How to look:',
                     '  http://127.0.0.1:%d/    # the live page' % self._monitor.port,
                     '  curl -s http://127.0.0.1:%d/metrics | grep -E "indicted|anomaly"'
                     % self._monitor.port,
                     '  curl -s http://%s:%d/metrics    # the exporter of %s'
                     % (host.address, EXPORTER_PORT, host.name),
                     '  logs and configurations: %s' % self._settings.run_dir, ''):
            self._screen.line(line)


def _ignore_signals():
    """One signal is enough: cleaning up is not to be interrupted. What it starts inherits this."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _stop(number, frame):
    _ignore_signals()
    raise Stopped


def _clean_up(settings, screen, keep_logs):
    _ignore_signals()
    screen.keep_live()
    with screen.step('cleaning up'):
        cleanup.take_down(settings, keep_logs)
    if keep_logs:
        screen.line('Logs are kept in %s' % settings.run_dir)


def _run(chosen, settings, screen):
    """The exit code of a run, with everything cleaned up."""
    demo, failed = Demo(chosen, settings, screen), True
    try:
        demo.run()
        failed = not demo.verdict
    except Stopped:
        failed = demo.verdict is False
    finally:
        _clean_up(settings, screen, keep_logs=failed)
    if demo.verdict is None:
        screen.line('Stopped before there was a verdict.')
        return 130
    screen.line(demo.result)
    return 1 if failed else 0


def main(arguments):
    chosen = options(arguments)
    screen = Screen()
    settings = Settings(servers=chosen.servers, bin_dir=default_bin_dir())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        if os.geteuid() != 0:
            raise LabError('network namespaces, mounts and loop devices need root: use sudo')
        with Lab(settings).lock():
            if chosen.down:
                _clean_up(settings, screen, keep_logs=False)
                return 0
            return _run(chosen, settings, screen)
    except LabError as error:
        print('demo: %s' % error, file=sys.stderr)
        return 1
    except Stopped:
        return 130


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
