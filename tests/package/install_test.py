"""The install lines of the README for a build from source, word for word, on a clean Debian 12; then what they installed.

Needs root, mmdebstrap and systemd-nspawn (scripts/setup --machine), and Debian's packages; npm's registry for the live
page, unless LIMPET_OBJECTS has it. All is compiled: half an hour and more on two cores.
LIMPET_OBJECTS names a build folder of this tree whose compiled files are taken where they are there: then everything but
the compiler itself is tested within minutes. So does CI (ctest --preset last) with the files that it has just
compiled for its tests; programs, packages and everything before and after are made by the lines themselves. The
kernel's programs are compiled anew in any case.

    install_test.py --prepare FOLDER   a clean Debian with the sources, on which the first of the lines, scripts/setup, has run

LIMPET_MACHINE names such a folder, where one was prepared while something else compiled: then the lines go on from there.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from machine import said

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = '/src/limpet'
# The lines say sudo, and who runs them here is root.
SUDO = '#!/bin/sh\nexec "$@"\n'
# Stands before the compiler's command; Ninja also wants the list of headers that the compiler would write.
LAUNCHER = '''#!/bin/sh
for one; do
  case $before in -o) object=$one ;; -MF) list=$one ;; esac
  before=$one
done
case $object in *.gch) exec "$@" ;; esac   # of other options, so of no use to what is compiled anew
[ -n "$object" ] && [ -e "/objects/$object" ] || exec "$@"
cp "/objects/$object" "$object"
[ -z "$list" ] || echo "$object:" > "$list"
'''


def readme_lines():
    """The block of commands under "## Install" that builds from source."""
    section = (ROOT / 'README.md').read_text().split('\n## Install\n')[1]
    return next(block for block in re.findall(r'```sh\n(.*?)```', section, re.DOTALL) if 'scripts/setup' in block)


def inside(root, script, options=()):
    """The output of the lines in the root; AssertionError with its end when one fails."""
    done = subprocess.run(
        ['systemd-nspawn', '--quiet', '--directory=%s' % root, '--register=no', '--keep-unit', '--pipe',
         '--resolv-conf=copy-host', '--chdir=%s' % SOURCE, *options, '/bin/bash', '-e', '-o', 'pipefail', '-c', script],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise AssertionError('%s\nended with %d:\n%s%s' % (script, done.returncode, done.stdout[-6000:], done.stderr[-6000:]))
    return done.stdout


def prepare(folder):
    """FOLDER/root is a clean Debian on which the README's first line has run; FOLDER/prepared is there when all went well."""
    root = folder / 'root'
    # A machine that is thrown away need not survive a power cut; that halves the time of apt.
    said('unshare', '--mount', '--propagation=private', 'mmdebstrap', '--variant=minbase', '--dpkgopt=force-unsafe-io', 'bookworm',
         root)
    sudo = root / 'usr/local/bin/sudo'
    sudo.write_text(SUDO)
    sudo.chmod(0o755)
    for name in said('git', '-C', ROOT, 'ls-files').splitlines():
        target = root / SOURCE[1:] / name
        if (ROOT / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    inside(root, readme_lines().splitlines()[0])
    (folder / 'prepared').touch()


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(os.environ.get('LIMPET_MACHINE', '/nowhere'))
        if not (cls.folder / 'prepared').exists():
            cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-install-'))
            prepare(cls.folder)
        cls.addClassCleanup(said, 'rm', '-rf', '--one-file-system', cls.folder)
        cls.root = cls.folder / 'root'
        cls.options = []
        objects = os.environ.get('LIMPET_OBJECTS')
        bundle = pathlib.Path(objects or '/nowhere', 'page/assets.cc')
        if bundle.exists():  # as in a source archive, so that npm's registry is not asked
            said('install', '-D', bundle, cls.root / SOURCE[1:] / 'diagnoser/page/bundle/assets.cc')
        if objects:
            launcher = cls.root / 'usr/local/bin/prebuilt'
            launcher.write_text(LAUNCHER)
            launcher.chmod(0o755)
            cls.options = ['--bind-ro=%s:/objects' % pathlib.Path(objects).resolve(),
                           '--setenv=CMAKE_CXX_COMPILER_LAUNCHER=prebuilt', '--setenv=CMAKE_C_COMPILER_LAUNCHER=prebuilt']
        began = time.monotonic()
        cls.log = cls.inside(readme_lines())
        print('the install lines took %d s' % (time.monotonic() - began))

    @classmethod
    def inside(cls, script):
        return inside(cls.root, script, cls.options)

    def test_both_programs_are_installed_and_run(self):
        for name in 'limpet-exporter', 'limpet-diagnoser':
            self.assertRegex(self.inside(name + ' --version'), r'\d+\.\d+\.\d+')
        self.assertIn('limpet_disk_reads_completed_total', self.inside('limpet-exporter once'))
        self.assertIn(': ok', self.inside('limpet-diagnoser check-config --config /etc/limpet/diagnoser.yml'))

    def test_the_installed_check_asks_the_installed_exporter(self):
        self.assertRegex(self.inside('''
limpet-exporter serve --web.listen-address 127.0.0.1:19836 > /tmp/exporter.log 2>&1 &
trap "kill $!" EXIT
for _ in $(seq 100); do ! grep -q "listening on" /tmp/exporter.log || break; sleep 0.1; done
sleep 3   # for its first sample
for node in io01 io02 io03; do echo "  - {node: $node, address: '127.0.0.1:19836'}"; done | cat <(echo targets:) - > /tmp/ask.yml
"$(command -v limpet-diagnoser)" check-config --ask --strict --config /tmp/ask.yml
'''), r'server-network +network +3 ')

    def test_nothing_but_the_programs_was_built(self):
        self.assertEqual(self.inside('ls build/release/bin').split(), ['limpet-diagnoser', 'limpet-exporter'])
        self.assertNotIn('_test.cc', self.log)


def missing():
    """What this machine lacks for the test, '' when nothing."""
    if os.geteuid() != 0:
        return 'root'
    if subprocess.run(['unshare', '--mount', 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
        return 'mount namespaces'
    return next((name for name in ('mmdebstrap', 'systemd-nspawn') if shutil.which(name) is None), '')


if __name__ == '__main__':
    if missing():
        print('skipped: a clean machine needs %s (scripts/setup --machine)' % missing())
        sys.exit(77)
    if sys.argv[1:2] == ['--prepare']:
        os.makedirs(sys.argv[2])
        sys.exit(prepare(pathlib.Path(sys.argv[2])))
    unittest.main(argv=sys.argv[:1])
