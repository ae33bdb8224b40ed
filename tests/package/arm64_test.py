"""Both programs for arm64: built by the preset in a clean Debian 12 with scripts/setup --arm64, run by qemu's user mode.

Needs root, mmdebstrap and qemu-user (scripts/setup --containers). Compiles everything: half an hour and more on two cores.
LIMPET_ARM64_BIN and LIMPET_ARM64_ROOT name the programs and the root of an earlier build instead. Where LIMPET_BIN_DIR has
the machine's own programs, a replay has to give the same bytes as theirs.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from machine import said

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN_DIR = pathlib.Path(os.environ.get('LIMPET_BIN_DIR', ROOT / 'build/dev/bin'))
CASE = ROOT / 'tests/fixtures/cases/09-w1-postmark-disk-busy/recording.om.zst'
SOURCE = 'src/limpet'


def build(root):
    """The folder of the programs, in a root made for them."""
    packages = said(ROOT / 'scripts/setup', '--arm64', '--list').split()
    said('unshare', '--mount', '--propagation=private', 'mmdebstrap', '--variant=minbase', '--architectures=amd64,arm64',
         '--include=' + ','.join(packages), 'bookworm', root)
    for name in said('git', '-C', ROOT, 'ls-files').splitlines():
        target = root / SOURCE / name
        if (ROOT / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    said('systemd-nspawn', '--quiet', '--directory=%s' % root, '--register=no', '--keep-unit', '--pipe',
         '--resolv-conf=copy-host', '--chdir=/' + SOURCE, '/bin/bash', '-e', '-c',
         'scripts/setup --arm64; cmake --preset arm64; cmake --build --preset arm64')
    return root / SOURCE / 'build/arm64/bin'


class Arm64(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.environ.get('LIMPET_ARM64_BIN'):
            cls.bin, cls.root = (pathlib.Path(os.environ['LIMPET_ARM64_' + name]) for name in ('BIN', 'ROOT'))
            return
        folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-arm64-'))
        cls.addClassCleanup(said, 'rm', '-rf', '--one-file-system', folder)
        cls.root = folder / 'root'
        cls.bin = build(cls.root)

    def run_program(self, name, *arguments):
        done = subprocess.run(['qemu-aarch64', '-L', self.root, self.bin / ('limpet-' + name), *map(str, arguments)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout

    def test_the_programs_are_for_arm64_and_hardened(self):
        for name in 'exporter', 'diagnoser':
            headers = said('readelf', '--wide', '--file-header', '--dynamic', self.bin / ('limpet-' + name))
            self.assertIn('AArch64', headers)
            self.assertIn('BIND_NOW', headers)

    def test_the_exporter_prints_a_sample_of_this_machine(self):
        page = self.run_program('exporter', 'once')
        for name in 'limpet_disk_reads_completed_total{', 'limpet_memory_available_bytes', 'limpet_network_receive_bytes_total{':
            self.assertIn(name, page)

    def test_a_replay_has_the_same_events(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, 'replay.yml')
            config.write_text('preset: default\n')
            events = self.run_program('diagnoser', 'replay', '--config', config, CASE)
            self.assertIn('"cause":"disk-busy"', events)
            own = BIN_DIR / 'limpet-diagnoser'
            if own.exists():
                self.assertEqual(events, said(own, 'replay', '--config', config, CASE))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
