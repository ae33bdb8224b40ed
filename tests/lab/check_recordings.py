"""Replays the recordings that are kept (recordings/*.tar.xz): the default, or the preset
of the archive (PRESETS), must name in every run whom recordings/expected.json says, with that cause.

    check_recordings.py            fails and shows what is different
    check_recordings.py --accept   writes what is found: look at the difference before committing it
"""
import json
import pathlib
import sys
import tarfile
import tempfile

from limpet_lab import report
from limpet_lab.settings import default_bin_dir

RECORDINGS = pathlib.Path(__file__).with_name('recordings')
EXPECTED = RECORDINGS / 'expected.json'


# Archives that are judged with another preset than the default.
PRESETS = {'round-trips.tar.xz': 'round-trips'}


def named(folder, preset):
    """{run: {server: its cause}} of the runs in a folder."""
    return {path.name: report.score(truth, report.replay(default_bin_dir(), preset, path,
                                                         truth)).named
            for path, truth in report.runs(folder)}


def main(arguments):
    found = {}
    for archive in sorted(RECORDINGS.glob('*.tar.xz')):
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(archive) as packed:
                packed.extractall(folder)
            found.update(named(folder, PRESETS.get(archive.name, 'default')))
    if arguments == ['--accept']:
        EXPECTED.write_text(json.dumps(found, indent=1, sort_keys=True) + '\n')
        return 0
    expected = json.loads(EXPECTED.read_text())
    for run in sorted(set(found) | set(expected)):
        if found.get(run) != expected.get(run):
            print('%s: expected %s, got %s' % (run, expected.get(run), found.get(run)))
    print('%d runs' % len(found))
    return 0 if found and found == expected else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
