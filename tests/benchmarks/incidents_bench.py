#!/usr/bin/env python3
"""A year of incidents: the size of its history, how long its questions take, and the diagnosis beside it.

  incidents_bench.py [--programs FOLDER] [--servers 1000] [--a-day 20] [--seconds 60] [--rounds 3]

A short run of `serve` with a limping server gives one real incident; the year is made of copies of it, on
--servers servers, --a-day a day. Then, five times each: `report` of a month, the page of it in Chromium, the
live page's month (scripts/page measure --incidents), a month and a year from /api/v1/incidents, `history` of a month. Last --rounds rounds, alternately without a
history and with the year in it: `serve` scrapes --servers made-up servers every 5 s, of which 20, other ones
every 20 s, limp, while somebody asks for the month all the time; --seconds of each tell
limpet_ingest_lag_seconds. Six to ten minutes, one core.
"""
import argparse
import asyncio
import contextlib
import json
import math
import multiprocessing
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'e2e'))
DAY = 86400
MONTH = 30 * DAY
# What is compared: all servers of a group, which are as many as an enclosure's or a rack's.
GROUPS = 'peer_groups: [%s]\n'
PRESET = '''
presets: [{base: default, name: coarse, step: 5s, window: 12, shift: 4, smoothing: 1, k: 2, max_gap: 20s, scales: []}]
scrape: {interval: 5s}
'''
GROUP_OF = 50


class Fleet:
    """Disks' counters of many servers, each at a path of its own."""

    def __init__(self, names):
        self._at = {name: [time.time(), 0.0, 0.0, 0.0] for name in names}
        self._names = list(names)
        self._began = time.time()

    def limps(self, name):
        """Twenty at a time, other ones every 20 s, at most one in a group."""
        turn = int((time.time() - self._began) / 20)
        place = int(name[2:])
        return place % GROUP_OF == turn % GROUP_OF

    def page(self, name):
        state, now = self._at[name], time.time()
        done = 60.0 * (now - state[0])
        state[0] = now
        wait, busy = (0.08, 0.015) if self.limps(name) else (0.01, 0.005)
        state[1] += done
        state[2] += done * wait
        state[3] += done * busy
        return ('limpet_disk_reads_completed_total{device="sda"} %r\n'
                'limpet_disk_read_bytes_total{device="sda"} %r\n'
                'limpet_disk_read_time_seconds_total{device="sda"} %r\n'
                'limpet_disk_writes_completed_total{device="sda"} 0\n'
                'limpet_disk_written_bytes_total{device="sda"} 0\n'
                'limpet_disk_write_time_seconds_total{device="sda"} 0\n'
                'limpet_disk_io_time_seconds_total{device="sda"} %r\n'
                'limpet_disk_io_time_weighted_seconds_total{device="sda"} %r\n' % (
                    state[1], state[1] * 65536, state[2], state[3], state[2])).encode()


class Answers(asyncio.Protocol):
    """One kept connection of the diagnoser."""

    def __init__(self, fleet):
        self._fleet, self._buffer, self._transport = fleet, b'', None

    def connection_made(self, transport):
        self._transport = transport

    def data_received(self, data):
        self._buffer += data
        while b'\r\n\r\n' in self._buffer:
            head, self._buffer = self._buffer.split(b'\r\n\r\n', 1)
            body = self._fleet.page(head.split(b' ', 2)[1][1:].decode())
            self._transport.write(b'HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n'
                                  b'Content-Length: %d\r\n\r\n' % len(body) + body)


def serve_fleet(names, port):
    async def run():
        server = await asyncio.get_running_loop().create_server(lambda: Answers(fleet), '127.0.0.1', 0, backlog=4096)
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()
    fleet = Fleet(names)
    asyncio.run(run())


def names_of(count):
    return ['io%04d' % number for number in range(count)]


# ---- the year

def real_incident(support, folder):
    """The row of an incident that a running diagnoser has kept, as {column: value}."""
    from fake_exporters import FakeExporters    # pylint: disable=import-outside-toplevel
    from incidents_test import QUICK            # pylint: disable=import-outside-toplevel
    state = folder / 'state'
    with FakeExporters(GROUP_OF) as fake:
        fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 80, 15
        config = folder / 'small.yml'
        config.write_text(QUICK + fake.targets())
        with support.Program(support.DIAGNOSER, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0',
                             '--state-dir', state) as program:
            url = 'http://127.0.0.1:%d/api/v1/incidents' % program.port()
            support.wait_until('an incident', lambda: json.loads(support.get(url).body)['incidents'], 60)
    with contextlib.closing(sqlite3.connect(state / 'history.db')) as database:
        database.row_factory = sqlite3.Row
        return dict(database.execute('SELECT * FROM incidents').fetchone())


def with_evidence(document, size):
    """The document with so many peers' bands that it has at least this many bytes."""
    parsed = json.loads(document)
    bands = list(parsed['bands'])
    while len(json.dumps(parsed, separators=(',', ':'))) < size:
        parsed['bands'] += bands
    return json.dumps(parsed, separators=(',', ':'))


def make_year(folder, row, servers, a_day):
    """Fills the history with copies of the row, the latest an hour ago; a tenth is answered."""
    path = folder / 'state/history.db'
    now = int(time.time() * 1000)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute('DELETE FROM incidents')
        for number in range(365 * a_day):
            since = now - 3_600_000 - int(number * DAY * 1000 / a_day)
            node = 'io%04d' % (number * 7919 % servers)
            one = dict(row, id='%016x' % (number + 1), node=node, since=since, named=since + 30_000, last=since + 1_800_000,
                       ended=since + 1_900_000, ending='like its peers',
                       document=row['document'].replace(row['id'], '%016x' % (number + 1)).replace('io03', node))
            database.execute('INSERT INTO incidents(%s) VALUES(%s)' % (
                ', '.join(one), ', '.join('?' * len(one))), list(one.values()))
            if number % 10 == 0:
                database.execute('INSERT INTO answers(incident, at, kind, note, by, told) VALUES(?,?,?,?,?,1)',
                                 (one['id'], since + 3_600_000, 'fixed', 'new cable', 'ann'))
        database.commit()
        database.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    return path.stat().st_size


# ---- questions

def timed(what, ask, times=5):
    took = []
    for _ in range(times):
        began = time.monotonic()
        ask()
        took.append(time.monotonic() - began)
    print('%-34s median %.2f s, longest %.2f s' % (what, statistics.median(took), max(took)), flush=True)


def show(browser, folder, report):
    """From the navigation to the load event, as the page itself measures it."""
    told = folder / 'told.html'
    # It allows no scripts, and this is one.
    text = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', '', report.read_text())
    told.write_text(text.replace(
        '</body>', '<script>addEventListener("load", () => { document.title = performance.now(); });</script></body>'))
    took = []
    for _ in range(5):
        page = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking',
                               '--user-data-dir=%s' % (folder / 'chromium'), '--dump-dom', 'file://%s' % told], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        took.append(float(re.search('<title>([0-9.]+)</title>', page)[1]) / 1000)
    print('%-34s median %.2f s, longest %.2f s' % ('that page in Chromium', statistics.median(took), max(took)), flush=True)


def ask_questions(support, folder, url):
    now = time.time()
    month = ('--from', int(now - MONTH), '--to', int(now), '--state-dir', folder / 'state')
    report = folder / 'month.html'
    timed('report of a month', lambda: support.run(support.DIAGNOSER, 'report', *month, '--output', report))
    print('  its page has %.0f kB' % (report.stat().st_size / 1000))
    browser = shutil.which('chromium')
    if browser:
        show(browser, folder, report)
        subprocess.run([pathlib.Path(__file__).resolve().parents[2] / 'scripts/page', 'measure', '--incidents', url], check=True)
    for name, span in (('month', MONTH), ('year', 365 * DAY)):
        path = url + '/api/v1/incidents?from=%d&to=%d&limit=10000' % (now - span, now)
        rows = len(json.loads(support.get(path).body)['incidents'])
        timed('/api/v1/incidents, %s (%d)' % (name, rows), lambda path=path: support.get(path, seconds=60))
    timed('history of a month, CSV', lambda: support.run(support.DIAGNOSER, 'history', *month))
    timed('history of a month, JSON lines', lambda: support.run(support.DIAGNOSER, 'history', '--format', 'jsonl', *month))


# ---- the diagnosis beside it

def asks(support, url, ends):
    """Somebody who looks at the month all the time."""
    while not ends.wait(0.5):
        with contextlib.suppress(OSError):
            support.get(url + '/api/v1/incidents?from=%d&limit=1000' % (time.time() - MONTH), seconds=30)


def lag(support, folder, config, seconds, state):
    """({kind: seconds}, incidents told) of one round; state: the folder with the history, or None."""
    more = ('--state-dir', state) if state else ()
    with support.Program(support.DIAGNOSER, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0',
                         *more) as program:
        url = 'http://127.0.0.1:%d' % program.port(60)
        time.sleep(75)      # windows fill, verdicts begin
        ends = threading.Event()
        asker = threading.Thread(target=asks, args=(support, url, ends), daemon=True)
        if state:
            asker.start()
        lags, busy = [], 0.0
        before = support.get(url + '/metrics').value('process_cpu_seconds_total') or 0
        for _ in range(int(seconds)):
            time.sleep(1)
            page = support.get(url + '/metrics')
            lags.append(page.value('limpet_ingest_lag_seconds'))
            busy = page.value('process_cpu_seconds_total') or 0
        ends.set()
        told = len(json.loads(support.get(url + '/api/v1/incidents?from=%d' % (time.time() - 600)).body)['incidents'])
        slow = program.log.count('before it is on the disk')
    lags.sort()
    return {'median': statistics.median(lags), 'p95': lags[math.ceil(0.95 * len(lags)) - 1], 'max': lags[-1],
            'cores': (busy - before) / seconds, 'incidents': told, 'late': slow}


def compare_lags(support, folder, arguments):
    names = names_of(arguments.servers)
    port = multiprocessing.Value('i', 0)
    fleet = multiprocessing.Process(target=serve_fleet, args=(names, port), daemon=True)
    fleet.start()
    support.wait_until('the fleet', lambda: port.value)
    config = folder / 'large.yml'
    groups = sorted({int(name[2:]) // GROUP_OF for name in names})
    config.write_text(PRESET + GROUPS % ', '.join('{name: g%d, kind: storage, roles: [g%d]}' % (one, one) for one in groups) +
                      'targets:\n' + ''.join('  - {node: %s, address: "127.0.0.1:%d", metrics_path: /%s, role: g%d}\n' % (
                          name, port.value, name, int(name[2:]) // GROUP_OF) for name in names))
    for number in range(arguments.rounds):
        for name, state in (('without', None), ('with', folder / 'state')):
            found = lag(support, folder, config, arguments.seconds, state)
            print('round %d, %-7s lag median %.1f ms, 95 %% %.1f ms, longest %.1f ms; %.2f cores; %d incidents in 10 minutes; '
                  '%d published before they were on the disk' % (
                      number + 1, name, *(1000 * found[key] for key in ('median', 'p95', 'max')), found['cores'],
                      found['incidents'], found['late']), flush=True)
    fleet.terminate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--programs', default='build/release/bin', help='folder of limpet-diagnoser')
    parser.add_argument('--servers', type=int, default=1000)
    parser.add_argument('--a-day', type=int, default=20)
    parser.add_argument('--evidence', type=int, default=9500, help='bytes of each incident, as some labs have them')
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('--rounds', type=int, default=3)
    arguments = parser.parse_args()
    os.environ['LIMPET_BIN_DIR'] = str(pathlib.Path(arguments.programs).resolve())
    import support      # pylint: disable=import-outside-toplevel
    folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-incidents-'))
    try:
        row = real_incident(support, folder)
        row['document'] = with_evidence(row['document'], arguments.evidence)
        size = make_year(folder, row, arguments.servers, arguments.a_day)
        print('load average %.1f; a year of %d incidents, %.1f kB of evidence each: %.1f MiB' % (
            os.getloadavg()[0], 365 * arguments.a_day, len(row['document']) / 1000, size / (1 << 20)), flush=True)
        config = folder / 'idle.yml'
        config.write_text('targets: [{addresses: ["127.0.0.1:9"]}]\n')
        with support.Program(support.DIAGNOSER, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0',
                             '--state-dir', folder / 'state') as program:
            ask_questions(support, folder, 'http://127.0.0.1:%d' % program.port())
        if arguments.rounds:
            compare_lags(support, folder, arguments)
        print('load average %.1f' % os.getloadavg()[0])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    main()
