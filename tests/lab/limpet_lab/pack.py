"""Runs as one small file to keep: what peer comparison reads, compressed together.

An archive holds the runs' folders as they are, but for the recordings, which are plain text in it and
hold no metrics of the processor, the memory or the load (those are the whole machine's here).
The same runs in, the same bytes out.
"""
import io
import re
import subprocess
import tarfile

from . import report
from .shell import LabError

# Of families that are kept, and what belongs to none.
_KEPT = re.compile(r'(?:# (?:HELP|TYPE|UNIT) )?limpet_(?:block|disk|network|tcp|exporter)_|# EOF')


def kept(text):
    """The lines of a recording that an archive holds."""
    return ''.join(line for line in text.splitlines(keepends=True) if _KEPT.match(line))


def text_of(file):
    """A recording's text. LabError when zstd cannot read it."""
    if file.suffix != '.zst':
        return file.read_text(encoding='utf-8')
    done = subprocess.run(['zstd', '-dcq', str(file)], capture_output=True, check=False)
    if done.returncode:
        raise LabError('%s: %s' % (file, done.stderr.decode(errors='replace').strip()))
    return done.stdout.decode('utf-8')


def pack(runs, output):
    """Writes [(folder, truth)] to a .tar.xz."""
    with tarfile.open(output, 'w:xz', preset=9) as archive:
        for folder, _ in runs:
            _add(archive, folder.name + '/truth.json', (folder / 'truth.json').read_text())
            for file in report.recordings(folder):
                name = '%s/%s/%s' % (folder.name, file.parent.name, file.name)
                _add(archive, name.removesuffix('.zst'), kept(text_of(file)))


def _add(archive, name, text):
    body = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size = len(body)
    archive.addfile(entry, io.BytesIO(body))
