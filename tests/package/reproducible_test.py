"""The same commit makes the same bytes: programs, packages, lists of parts and the tarball, in folders of other names.

Compiles everything twice: an hour and more on two cores. LIMPET_REPRODUCE names a release build of this tree to compare
with, in the place of the first; CMAKE_CXX_COMPILER_LAUNCHER=ccache, which this test leaves as it is, makes it faster and
says less: then only what comes after the compiler is compared.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The commit's time. A build that is compared with has it from the commit, too.
EPOCH = subprocess.run(['git', '-C', ROOT, 'log', '-1', '--format=%ct'], check=True, capture_output=True, text=True).stdout.strip()


def said(*command, **options):
    done = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    if done.returncode:
        raise AssertionError('%s:\n%s' % (' '.join(map(str, command)), done.stdout[-4000:]))
    return done.stdout


def build(folder):
    """The build folder of a copy of the tree."""
    for name in said('git', '-C', ROOT, 'ls-files').splitlines():
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)  # with a time of its own
    environment = {**os.environ, 'SOURCE_DATE_EPOCH': EPOCH}
    said('cmake', '--preset', 'release', cwd=folder, env=environment)
    said('cmake', '--build', '--preset', 'release', cwd=folder, env=environment)
    return folder / 'build/release'


def artefacts(folder):
    """SHA-256 of what a build folder ships, by name."""
    environment = {**os.environ, 'SOURCE_DATE_EPOCH': EPOCH}
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        said('cpack', '-G', 'DEB', '-B', made, '--config', folder / 'CPackConfig.cmake', env=environment)
        said(folder.parents[1] / 'scripts/tarball', folder, made, env=environment)
        found = [*(folder / 'bin').glob('limpet-*'), *(folder / 'sbom').glob('*.json'), *made.glob('*.deb'), *made.glob('*.gz')]
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


class Reproducible(unittest.TestCase):
    def test_two_builds_in_different_folders_are_the_same(self):
        with tempfile.TemporaryDirectory(prefix='limpet-twice-') as made:
            made = pathlib.Path(made)
            other = os.environ.get('LIMPET_REPRODUCE')
            first = pathlib.Path(other).resolve() if other else build(made / 'one')
            second = build(made / 'a-longer-name' / 'further-down')
            before, after = artefacts(first), artefacts(second)
            self.assertEqual(len(before), 7, before)
            self.assertEqual(before, after)


if __name__ == '__main__':
    unittest.main()
