"""What the eBPF collectors cost the programs they watch, beside strace -f -c.

Each round runs the workload five times without and five times with the collectors, in turns, and takes the fastest
run of each: whatever else the machine and its host do comes in bursts and only ever adds time. Every --strace-every
rounds it runs once under strace, which takes many times as long. A round's ratio is that of a mode to `none` in the
same round; the table has the median and a 95 % bootstrap interval of the rounds. The programs run in the calls of the
workload itself, so their time is in its CPU time, which other programs disturb less than the elapsed time. `ns` is
the mean run time of a program, from a run of its own with kernel.bpf_stats_enabled, which costs time itself.
"""
import argparse
import contextlib
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

CONFIG = '''collectors:
  block: {enabled: true}
  syscall: {enabled: true, servers: [postmark, dd, fio]}
'''
STATS = pathlib.Path('/proc/sys/kernel/bpf_stats_enabled')


def workloads(folder, scale):
    """{name: (command, standard input, what it is)}."""
    transactions, records, loops = int(2500 * scale), int(192 * scale), max(1, int(4 * scale))
    script = 'set location %s\nset number 500\nset transactions %d\nset seed 42\nrun\nquit\n' % (
        folder, transactions)
    big = folder / 'big'
    return {
        'postmark': (['postmark'], script, '%d transactions on 500 files of 0.5 to 10 kB' % transactions),
        'large': (['dd', 'if=/dev/zero', 'of=%s' % big, 'bs=4M', 'count=%d' % records, 'conv=notrunc', 'oflag=direct'],
                  '',
                  '%d records of 4 MB, written directly' % records),
        'small': (['fio', '--name=x', '--filename=%s' % (folder / 'small'), '--rw=randread', '--bs=4k', '--size=64m',
                   '--ioengine=psync', '--rate_iops=100000', '--loops=%d' % loops, '--thread', '--invalidate=0'], '',
                  '%d random reads of 4 kB from the page cache, 100,000 a second' % (16384 * loops)),
    }


@contextlib.contextmanager
def disk_of(image, folder, slowdisk, megabytes):
    """The image as a disk that transfers so many megabytes a second (tests/lab/slowdisk); 0: the file itself, as fast
    as the machine's own disk or memory."""
    if not megabytes:
        yield image
        return
    served, log = folder / 'served', folder / 'slowdisk.log'
    served.mkdir()
    with log.open('w') as output:
        process = subprocess.Popen([slowdisk, '--mb-per-second', str(megabytes), image, served], stderr=output)
    try:
        deadline = time.monotonic() + 10
        while not (served / 'disk').exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit('%s does not serve %s: %s' % (slowdisk, image, log.read_text()))
            time.sleep(0.1)
        yield served / 'disk'
    finally:
        subprocess.run(['umount', served], check=False)  # which ends the program
        process.terminate()
        process.wait()


@contextlib.contextmanager
def file_system(folder, slowdisk, megabytes):
    """An ext4 with a journal, mounted under the folder. Without a journal, which the machine's own may lack, ext4 looks
    for inodes that were not deleted lately, and the same work takes one to four times as long."""
    image, mount = folder / 'image', folder / 'mount'
    mount.mkdir()
    with image.open('wb') as file:
        file.truncate(4 << 30)
    subprocess.run(['mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image], check=True)
    with disk_of(image, folder, slowdisk, megabytes) as disk:
        loop = subprocess.run(['losetup', '--find', '--show', '--direct-io=%s' % ('on' if megabytes else 'off'), disk],
                              check=True, capture_output=True, text=True).stdout.strip()
        try:
            subprocess.run(['mount', loop, mount], check=True)
            try:
                yield mount
            finally:
                subprocess.run(['umount', mount], check=True)
        finally:
            subprocess.run(['losetup', '--detach', loop], check=True)


@contextlib.contextmanager
def exporter(program, folder, on):
    if not on:
        yield None
        return
    config = folder / 'exporter.yml'
    config.write_text(CONFIG)
    process = subprocess.Popen([program, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0'],
                               stderr=subprocess.PIPE, text=True)
    try:
        port = None
        for line in process.stderr:
            if 'no block collector' in line or 'no syscall collector' in line:
                raise SystemExit(line)
            if match := re.search(r'listening on .*:(\d+)', line):
                port = match.group(1)
                break
        yield 'http://127.0.0.1:%s/metrics' % port
    finally:
        process.terminate()
        process.wait()


def run(command, text, prefix=()):
    """(elapsed, CPU) seconds."""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*prefix, *command], input=text, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    elapsed, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(arguments, place, name, command, text):
    times = {mode: {} for mode in ('none', 'collectors', 'strace')}
    run(command, text)  # once for the caches
    for number in range(arguments.rounds):
        modes = ['none', 'collectors'] if number % 2 == 0 else ['collectors', 'none']
        for mode in modes + ['strace'] * (number % arguments.strace_every == 0):
            with exporter(arguments.exporter, place, mode == 'collectors'):
                prefix = ['strace', '-f', '-c', '-o', '/dev/null'] if mode == 'strace' else []
                runs = [run(command, text, prefix) for _ in range(1 if prefix else 5)]
                times[mode][number] = tuple(min(one) for one in zip(*runs))
                print(name, number, mode, '%.3f s elapsed, %.3f s CPU' % times[mode][number], file=sys.stderr,
                      flush=True)
    return times


def interval(ratios):
    chosen = random.Random(1)
    medians = sorted(statistics.median(chosen.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[1949]


def percent(times, mode, which):
    ratios = [one[which] / times['none'][number][which] for number, one in times[mode].items()]
    low, high = interval(ratios)
    return '%+.1f %% (%+.1f to %+.1f)' % tuple(100 * (one - 1) for one in (statistics.median(ratios), low, high))


def run_times(arguments, place, command, text):
    """'program ns' of each program that ran, while the kernel counts."""
    before = STATS.read_text()
    STATS.write_text('1')
    try:
        with exporter(arguments.exporter, place, True) as url:
            run(command, text)
            time.sleep(2.1)
            page = urllib.request.urlopen(url).read().decode()
    finally:
        STATS.write_text(before)
    found = {}
    for name, program, value in re.findall(r'limpet_bpf_(run\w+)\{[^}]*program="(\w+)"\} (\S+)', page):
        found.setdefault(program, {})[name] = float(value)
    missed = sum(float(value) for value in re.findall(r'limpet_bpf_missed_runs_total\{[^}]*\} (\S+)', page))
    texts = ['%s %.0f' % (program, 1e9 * one['run_seconds_total'] / one['runs_total'])
             for program, one in sorted(found.items()) if one.get('runs_total', 0) >= 100]
    return ', '.join(texts) + '; missed %d' % missed


def table(arguments, place):
    all_of_them = workloads(place, arguments.scale)
    print('| workload | CPU s | collectors, CPU | collectors, elapsed | strace, CPU | strace, elapsed | ns a run |')
    print('|---|---|---|---|---|---|---|', flush=True)
    for name in arguments.workload or all_of_them:
        command, text, what = all_of_them[name]
        times = measure(arguments, place, name, command, text)
        print('| %s: %s | %.2f | %s | %s | %s | %s | %s |' % (
            name, what, statistics.median(cpu for _, cpu in times['none'].values()), percent(times, 'collectors', 1),
            percent(times, 'collectors', 0), percent(times, 'strace', 1), percent(times, 'strace', 0),
            run_times(arguments, place, command, text)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--exporter', required=True)
    parser.add_argument('--rounds', type=int, default=31)
    parser.add_argument('--strace-every', type=int, default=6)
    parser.add_argument('--scale', type=float, default=1.0, help='how much longer or shorter the workloads are')
    parser.add_argument('--workload', action='append', default=[])
    parser.add_argument('--folder', default=None, help='where the image of the file system of the workloads goes')
    parser.add_argument('--disk-mb', type=float, default=0, metavar='N',
                        help='megabytes a second of the disk of the file system; 0: as fast as it can')
    parser.add_argument('--slowdisk', default='build/release/bin/slowdisk', help='the program for that')
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-bench-', dir=arguments.folder))
    try:
        with file_system(folder, arguments.slowdisk, arguments.disk_mb) as place:
            print('load average %s, %d rounds' % (os.getloadavg()[0], arguments.rounds), flush=True)
            table(arguments, place)
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    main()
