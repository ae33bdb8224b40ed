"""Runs as one small file to keep: what peer comparison reads, compressed together.

An archive holds the runs' folders as they are, but for the recordings, which are columns in it, half as large as text, and
hold no metrics of the processor, the memory or the load (those are the whole machine's here).
The same runs in, the same bytes out. For round trips alone it holds those, the segments sent and the bytes of interfaces.
"""
import io
import pathlib
import re
import subprocess
import tarfile
import tempfile

from . import report
from .shell import LabError

# Of families that are kept, and what belongs to none.
_KEPT = re.compile(r'(?:# (?:HELP|TYPE|UNIT) )?limpet_(?:block|disk|network|tcp|syscalls?|exporter)_|# EOF')
_TRIPS = re.compile(r'(?:# TYPE )?limpet_(?:tcp_peer_(?:rtt|segments)|network_(?:receive|transmit)_bytes|exporter_start)|# EOF')
_TRIP = re.compile(r'(limpet_tcp_peer_rtt_seconds\S+) (\S+) (\S+)')


def kept(text):
    """The lines of a recording that an archive holds."""
    return ''.join(line for line in text.splitlines(keepends=True) if _KEPT.match(line))


def trips(text):
    """The lines that one of round trips alone does: as many digits as the kernel measures."""
    def line_of(line):
        found = _TRIP.match(line)
        return '%s %.6f %s\n' % (found[1], float(found[2]), found[3]) if found else line
    return ''.join(line_of(line) for line in text.splitlines(keepends=True) if _TRIPS.match(line))


def columns(bin_dir, text, name):
    """(name, bytes) of a recording as columns. LabError when the diagnoser cannot convert it."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / name).write_text(text, encoding='utf-8')
        (folder / 'columns').mkdir()
        done = subprocess.run([str(bin_dir / 'limpet-diagnoser'), 'convert', '--output-dir', str(folder / 'columns'),
                               str(folder / name)], capture_output=True, text=True, check=False)
        made = list((folder / 'columns').iterdir())
        if done.returncode or len(made) != 1:
            raise LabError('%s: %s' % (name, done.stderr.strip()))
        return made[0].name, made[0].read_bytes()


def text_of(file):
    """A recording's text. LabError when zstd cannot read it."""
    if file.suffix != '.zst':
        return file.read_text(encoding='utf-8')
    done = subprocess.run(['zstd', '-dcq', str(file)], capture_output=True, check=False)
    if done.returncode:
        raise LabError('%s: %s' % (file, done.stderr.decode(errors='replace').strip()))
    return done.stdout.decode('utf-8')


def pack(runs, output, lines=kept, bin_dir=None):
    """Writes these lines of [(folder, truth)] to a .tar.xz; as text without a bin_dir."""
    with tarfile.open(output, 'w:xz', preset=9) as archive:
        for folder, _ in runs:
            _add(archive, folder.name + '/truth.json', (folder / 'truth.json').read_text())
            for file in report.recordings(folder):
                name, body = file.name.removesuffix('.zst'), lines(text_of(file))
                name, body = columns(bin_dir, body, name) if bin_dir else (name, body)
                _add(archive, '%s/%s/%s' % (folder.name, file.parent.name, name), body)


def _add(archive, name, text):
    body = text if isinstance(text, bytes) else text.encode()
    entry = tarfile.TarInfo(name)
    entry.size = len(body)
    archive.addfile(entry, io.BytesIO(body))
