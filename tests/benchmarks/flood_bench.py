#!/usr/bin/env python3
"""How one honest scraper fares while many other clients use limpet-exporter, or misuse it.

  flood_bench.py --kind pipeline    600 clients that send requests without end and read nothing
  flood_bench.py --kind crowd       5,000 clients, a scrape each every --every seconds; a tenth of
                                    them drip their request or their reading byte by byte
  flood_bench.py --kind passwords   200 wrong passwords a second, the scraper with the right one
  flood_bench.py --kind none        nobody else

The others come from 127.0.1.x, --addresses of them, the scraper from 127.0.0.1; --same-address
lets them share the scraper's. The scraper asks every 0.1 s, in turn on a connection it keeps and
on a new one, because a scraper that came once a second would give too few times for a percentile.
Printed as one line of JSON: times in ms, the memory, and how late the samples were taken.
"""
import argparse
import base64
import json
import multiprocessing
import os
import pathlib
import random
import re
import selectors
import socket
import subprocess
import tempfile
import time

TICKS = os.sysconf('SC_CLK_TCK')


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float('nan')


def connect(port, source, timeout=30.0):
    return socket.create_connection(('127.0.0.1', port), timeout, (source, 0))


def request(headers=''):
    return ('GET /metrics HTTP/1.1\r\nHost: x\r\n%s\r\n' % headers).encode()


def basic(user, password):
    return 'Authorization: Basic %s\r\n' % base64.b64encode(
        ('%s:%s' % (user, password)).encode()).decode()


# ---- the honest one

def read_response(sock):
    data = b''
    while b'\r\n\r\n' not in data:
        more = sock.recv(65536)
        if not more:
            raise OSError('closed')
        data += more
    head, body = data.split(b'\r\n\r\n', 1)
    length = int(re.search(rb'Content-Length: (\d+)', head).group(1))
    while len(body) < length:
        more = sock.recv(65536)
        if not more:
            raise OSError('closed')
        body += more
    return int(head.split()[1]), body


def scrape_honestly(port, seconds, headers, results):
    kept, times, failures, late, reconnects, ticks = None, [], 0, [], 0, set()
    end = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < end:
        turn += 1
        begun = time.monotonic()
        try:
            if turn % 2:
                sock = connect(port, '127.0.0.1')
                sock.sendall(request(headers))
                status, body = read_response(sock)
                sock.close()
            else:
                for attempt in range(2):
                    try:
                        kept = kept or connect(port, '127.0.0.1')
                        kept.sendall(request(headers))
                        status, body = read_response(kept)
                        break
                    except OSError:
                        kept, reconnects = None, reconnects + 1
                        if attempt:
                            raise
            if status != 200:
                failures += 1
            else:
                at = re.search(rb'^limpet_sample_timestamp_seconds (\S+)', body, re.M)
                if at and float(at.group(1)) not in ticks:
                    ticks.add(float(at.group(1)))
                    late.append(1000 * (float(at.group(1)) % 1.0))
            times.append(1000 * (time.monotonic() - begun))
        except OSError:
            failures += 1
            times.append(1000 * (time.monotonic() - begun))
        time.sleep(max(0.0, begun + 0.1 - time.monotonic()))
    # With a password the first scrape waits for bcrypt, whoever else is there.
    first = times.pop(0)
    results.put({'scrapes': len(times), 'first_ms': round(first, 2), 'failures': failures, 'reconnects': reconnects,
                 'p50_ms': round(percentile(times, .5), 2),
                 'p99_ms': round(percentile(times, .99), 2), 'max_ms': round(max(times), 2),
                 'ticks': len(ticks), 'missing_ticks': round(max(ticks) - min(ticks)) + 1 - len(ticks) if ticks else None,
                 'tick_p999_late_ms': round(percentile(late, .999), 2)})


# ---- the others

def pipeline(port, count, sources, stop):
    """Sends requests as fast as they are taken, reads nothing, comes again when it is closed."""
    chooser = selectors.DefaultSelector()
    block = request() * 200

    def come(index):
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind((sources[index % len(sources)], 0))
        sock.connect_ex(('127.0.0.1', port))
        chooser.register(sock, selectors.EVENT_WRITE, index)

    for index in range(count):
        come(index)
    while not stop.is_set():
        for key, _ in chooser.select(0.1):
            try:
                key.fileobj.send(block)
            except BlockingIOError:
                pass
            except OSError:
                chooser.unregister(key.fileobj)
                key.fileobj.close()
                come(key.data)


def crowd(port, count, sources, stop, every):
    """Each asks once in `every` seconds on a connection it keeps; one in ten is slow."""
    chooser = selectors.DefaultSelector()
    text = request('Accept-Encoding: gzip\r\n')
    due, clients = [], {}
    for index in range(count):
        sock = socket.socket()
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192) if index % 10 == 1 else None
        sock.bind((sources[index % len(sources)], 0))
        sock.connect_ex(('127.0.0.1', port))
        clients[index] = sock
        chooser.register(sock, selectors.EVENT_READ, index)
        due.append(time.monotonic() + 2)  # all at once, to begin with
    sent = [0] * count
    while not stop.is_set():
        now = time.monotonic()
        for index in range(count):
            if due[index] > now:
                continue
            sock = clients[index]
            try:
                if index % 10 == 0:  # drips
                    sock.send(text[sent[index] % len(text):][:1])
                    sent[index] += 1
                    due[index] = now + 0.5
                else:
                    sock.send(text)
                    due[index] = now + every * random.uniform(0.9, 1.1)
            except OSError:
                due[index] = now + 0.5
        for key, _ in chooser.select(0.05):
            index = key.data
            try:
                gone = not key.fileobj.recv(512 if index % 10 == 1 else 65536)
            except BlockingIOError:
                continue
            except OSError:
                gone = True
            if gone:
                chooser.unregister(key.fileobj)
                key.fileobj.close()
                sock = socket.socket()
                sock.setblocking(False)
                sock.bind((sources[index % len(sources)], 0))
                sock.connect_ex(('127.0.0.1', port))
                clients[index] = sock
                chooser.register(sock, selectors.EVENT_READ, index)
                due[index] = now + 1


def passwords(port, count, sources, stop):
    """`count` wrong passwords a second, each another, from as many connections as it takes."""
    begun, sent, open_ = time.monotonic(), 0, []
    while not stop.is_set():
        while sent < (time.monotonic() - begun) * count:
            sock = socket.socket()
            sock.setblocking(False)
            sock.bind((sources[sent % len(sources)], 0))
            sock.connect_ex(('127.0.0.1', port))
            open_.append([sock, request(basic('scraper', 'wrong%d' % sent))])
            sent += 1
        for one in open_:
            if one[1]:
                try:
                    one[0].send(one[1])
                    one[1] = None
                except OSError:
                    pass
        for sock, _ in open_[:-400]:
            sock.close()
        open_ = open_[-400:]
        time.sleep(0.005)


# ---- the exporter

def rss_mib(pid, field):
    with open('/proc/%d/status' % pid) as status:
        return int(re.search(field + r':\s+(\d+) kB', status.read()).group(1)) / 1024


def cpu_seconds(pid):
    with open('/proc/%d/stat' % pid) as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def start(program, folder, with_password):
    arguments = [program, 'serve', '--web.listen-address', '127.0.0.1:0']
    if with_password:
        made = subprocess.run(['htpasswd', '-nbBC', '10', 'scraper', 'right'], check=True,
                              capture_output=True, text=True).stdout.strip().split(':', 1)[1]
        path = pathlib.Path(folder, 'web.yml')
        path.write_text('basic_auth_users:\n  scraper: %s\n' % made)
        arguments += ['--web.config.file', str(path)]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        found = re.search(r'listening on \S*:(\d+)', line)
        if found:
            return process, int(found.group(1))
    raise SystemExit('the exporter did not start')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', default='build/release/bin/limpet-exporter')
    parser.add_argument('--kind', choices=['pipeline', 'crowd', 'passwords', 'none'],
                        default='pipeline')
    parser.add_argument('--clients', type=int)
    parser.add_argument('--addresses', type=int, default=1)
    parser.add_argument('--same-address', action='store_true')
    parser.add_argument('--every', type=float, default=15)
    parser.add_argument('--seconds', type=float, default=20)
    args = parser.parse_args()
    count = args.clients or {'pipeline': 600, 'crowd': 5000, 'passwords': 200, 'none': 0}[args.kind]
    sources = ['127.0.0.1'] if args.same_address else [
        '127.0.%d.%d' % (1 + i // 250, 1 + i % 250) for i in range(args.addresses)]
    context = multiprocessing.get_context('fork')
    stop, results = context.Event(), context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        process, port = start(args.program, folder, args.kind == 'passwords')
        reading = context.Process(target=lambda: [None for _ in process.stderr], daemon=True)
        reading.start()
        others = []
        if args.kind != 'none':
            work = {'pipeline': pipeline, 'passwords': passwords,
                    'crowd': lambda *a: crowd(*a, args.every)}[args.kind]
            others = [context.Process(target=work, args=(port, count, sources, stop), daemon=True)]
            others[0].start()
        time.sleep(3)
        cpu = cpu_seconds(process.pid)
        begun = time.monotonic()
        headers = basic('scraper', 'right') if args.kind == 'passwords' else ''
        honest = context.Process(target=scrape_honestly,
                                 args=(port, args.seconds, headers, results))
        honest.start()
        answer = results.get()
        honest.join()
        answer = {'kind': args.kind, 'clients': count, **answer,
                  'cpu_percent': round(100 * (cpu_seconds(process.pid) - cpu) /
                                       (time.monotonic() - begun), 1),
                  'rss_mib': round(rss_mib(process.pid, 'VmRSS'), 1),
                  'peak_mib': round(rss_mib(process.pid, 'VmHWM'), 1),
                  'load': os.getloadavg()[0]}
        stop.set()
        for other in others:
            other.terminate()
            other.join()
        process.terminate()
        process.wait()
    print(json.dumps(answer))


if __name__ == '__main__':
    main()
