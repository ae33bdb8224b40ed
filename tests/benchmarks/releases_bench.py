"""limpet-diagnoser of two releases in turns: scraping, replay of text, and one group of thousands of disks.

  releases_bench.py --now FOLDER --before FOLDER [--before-preset LINE] [--rounds 5]

Each folder has bin/limpet-diagnoser and, that of --now, benchmarks/record_fleet and serve_fleet. Prints the medians of
the rounds and their ratio. --before-preset: the line of the configuration that gives what the release before shipped,
where its defaults were others. Forty minutes of an idle machine with five rounds.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import serve_bench

ALL_DISKS = 'peer_groups:\n  - {name: all, kind: storage, roles: [server]}\n'
NO_TARGETS = 'targets: [{address: none}]\n'


def replay(folder, config, recordings, *options):
    """CPU seconds of one replay on one core; SystemExit when it fails."""
    process = subprocess.Popen([folder / 'bin/limpet-diagnoser', 'replay', '--jobs', '1', '--config', config,
                                '--output', '/dev/null', *options, recordings],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit('%s: replay failed: %s' % (folder, errors.decode()))
    return usage.ru_utime + usage.ru_stime


class Works:
    """What is measured: each method returns {name: number} of one release."""

    def __init__(self, options, scratch):
        self.options, self.scratch = options, pathlib.Path(scratch)
        self.log = open(self.scratch / 'log', 'w', encoding='utf-8')
        self.recordings = {}
        for name, nodes, disks, seconds in (('fleet', 100, 24, 640), ('2,400 disks', 100, 24, 120),
                                            ('10,008 disks', 417, 24, 80)):
            self.recordings[name] = self.scratch / name.replace(' ', '-')
            self.recordings[name].mkdir()
            subprocess.run([options.now / 'benchmarks/record_fleet', self.recordings[name], str(nodes), str(disks),
                            str(seconds)], check=True, stdout=subprocess.DEVNULL)

    def scrape(self, folder, preset, _bare):
        options = argparse.Namespace(targets=1000, peers=100, disks=12, shipped=False)
        port, web = serve_bench.free_port(), serve_bench.free_port()
        fleet = serve_bench.Program([str(self.options.now / 'benchmarks/serve_fleet'), str(port), '1000', '12', '3'],
                                    self.log)
        fleet.wait_for('http://127.0.0.1:%d/0/metrics' % port)
        config = self.scratch / 'serve.yml'
        serve_bench.diagnoser_config(config, port, options, preset)
        program = serve_bench.Program([str(folder / 'bin/limpet-diagnoser'), 'serve', '--config', str(config),
                                       '--web.listen-address', '127.0.0.1:%d' % web], self.log)
        try:
            program.wait_for('http://127.0.0.1:%d/metrics' % web)
            time.sleep(self.options.warm_up)
            row = serve_bench.measure(program, fleet, lambda: 0, self.options.seconds)
            page = serve_bench.get('http://127.0.0.1:%d/metrics' % web)  # with windows of the longest scale
        finally:
            program.stop()
            fleet.stop()
        return {'1,000 targets, CPU s/s': row['cpu'], '1,000 targets, MiB': row['rss'],
                '1,000 targets, MB of /metrics': len(page) / 1e6}

    def replay(self, folder, _preset, bare):
        config = self.scratch / 'replay.yml'
        with open(config, 'w', encoding='utf-8') as file:
            file.write(NO_TARGETS)
            serve_bench.write_groups(file, 24, bare)
        return {'replay to verdicts, CPU s': replay(folder, config, self.recordings['fleet'], '--format', 'text'),
                'replay as JSON lines, CPU s': replay(folder, config, self.recordings['fleet'])}

    def group(self, folder, preset, _bare):
        config = self.scratch / 'group.yml'
        config.write_text('%s\n%s%s' % (preset, NO_TARGETS, ALL_DISKS), encoding='utf-8')
        return {'a group of %s, CPU s' % name: replay(folder, config, self.recordings[name], '--format', 'text')
                for name in ('2,400 disks', '10,008 disks')}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--now', type=pathlib.Path, required=True)
    parser.add_argument('--before', type=pathlib.Path, required=True)
    parser.add_argument('--before-preset', default='')
    parser.add_argument('--before-bare', default='preset: bare')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--warm-up', type=float, default=80)
    parser.add_argument('--seconds', type=float, default=32)
    parser.add_argument('--only', choices=['scrape', 'replay', 'group'])
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    found = {}
    with tempfile.TemporaryDirectory(prefix='limpet-releases-', dir='/dev/shm') as scratch:
        works = Works(options, scratch)
        for _ in range(options.rounds):
            for work in [options.only] if options.only else ['scrape', 'replay', 'group']:
                for which, folder, preset, bare in (('now', options.now, '', 'preset: bare'),
                                                    ('before', options.before, options.before_preset,
                                                     options.before_bare)):
                    for name, value in getattr(works, work)(folder, preset, bare).items():
                        found.setdefault(name, {}).setdefault(which, []).append(value)
    print('load average %.1f\n\n| work | now | before | ratio |\n|---|---|---|---|' % os.getloadavg()[0])
    for name, both in found.items():
        now, before = statistics.median(both['now']), statistics.median(both['before'])
        print('| %s | %.3g | %.3g | %.2f |' % (name, now, before, now / before))


if __name__ == '__main__':
    main()
