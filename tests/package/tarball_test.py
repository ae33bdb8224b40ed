"""The self-contained tarball: it needs nothing of the machine but the kernel.

Needs root (chroot, namespaces), openssl, busybox-static and a release build, named by LIMPET_BUILD_DIR; makes the
tarball twice. All runs in a network namespace of its own, whose loopback has a name server and a target under TLS.
"""
import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('LIMPET_BUILD_DIR', ROOT / 'build/release')).resolve()
CASE = ROOT / 'tests/fixtures/cases/09-w1-postmark-disk-busy/recording.om.zst'
PREFIX = '/opt/limpet'
PROGRAMS = 'limpet-exporter', 'limpet-diagnoser'


def said(*command, **options):
    done = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError('%s ended with %d:\n%s' % (' '.join(map(str, command)), done.returncode, done.stdout))
    return done.stdout


def answer_names(server):
    """A name server that knows one address: every name of .test is this machine."""
    while True:
        question, client = server.recvfrom(512)
        end = question.index(0, 12) + 1
        kind = struct.unpack('!H', question[end:end + 2])[0]
        known = question[12:end].endswith(b'\4test\0')
        answers = [b'\xc0\x0c' + struct.pack('!HHIH', 1, 1, 5, 4) + bytes([127, 0, 0, 1])] if known and kind == 1 else []
        server.sendto(question[:2] + struct.pack('!HHHHH', 0x8180 if known else 0x8183, 1, len(answers), 0, 0) +
                      question[12:end + 4] + b''.join(answers), client)


class Root:
    """A folder to be the root of programs, with the tarball unpacked and /proc."""

    def __init__(self, folder, tarball, prefix=PREFIX):
        self.path, self.prefix = folder, prefix
        (folder / 'proc').mkdir(parents=True)
        for name in 'etc', 'tmp':
            (folder / name).mkdir()
        unpacked = folder / prefix[1:]
        unpacked.mkdir(parents=True)
        said('tar', '-C', unpacked, '--strip-components=1', '-xzf', tarball)

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return '/' + name

    def command(self, program, *arguments, mount_proc=True):
        """Run by a new mount namespace, so that nothing is left mounted in a folder that will be removed."""
        mount = ('mount -t proc proc %s/proc && ' % self.path) if mount_proc else ''
        return ['unshare', '--mount', '--propagation=private', 'sh', '-c',
                mount + 'exec env -i TZ=Europe/Berlin "$@"', 'sh', shutil.which('chroot'), str(self.path),
                '%s/bin/%s' % (self.prefix, program), *map(str, arguments)]

    def run(self, program, *arguments, **options):
        done = subprocess.run(self.command(program, *arguments, **options), capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError('%s %s ended with %d:\n%s%s' % (program, arguments, done.returncode, done.stdout, done.stderr))
        return done.stdout

    @contextlib.contextmanager
    def started(self, program, *arguments):
        log = open(self.path / 'tmp' / (program + '.log'), 'a+')
        process = subprocess.Popen(self.command(program, *arguments), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            yield process
        except AssertionError as error:
            log.seek(0)
            raise AssertionError('%s\nlog of %s:\n%s' % (error, program, log.read()[-3000:])) from error
        finally:
            process.terminate()
            process.wait(20)
            log.close()


def page(address):
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.read().decode()
    except OSError:
        return ''


def wait_for(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError('waited %d s in vain for %s' % (seconds, what))
        time.sleep(0.2)


class Tarball(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-tarball-'))
        cls.addClassCleanup(said, 'rm', '-rf', '--one-file-system', cls.folder)
        cls.made = pathlib.Path(os.environ.get('LIMPET_TARBALL') or
                                said(ROOT / 'scripts/tarball', BUILD, cls.folder).splitlines()[-1])
        cls.empty = Root(cls.folder / 'empty', cls.made)
        said('ip', 'link', 'set', 'lo', 'up')
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(('127.0.0.1', 53))
        threading.Thread(target=answer_names, args=(server,), daemon=True).start()

    def test_the_same_bytes_again(self):
        if os.environ.get('LIMPET_TARBALL'):
            self.skipTest('a tarball that was made elsewhere')
        again = self.folder / 'again'
        again.mkdir()
        second = pathlib.Path(said(ROOT / 'scripts/tarball', BUILD, again).splitlines()[-1])
        self.assertEqual(*(hashlib.sha256(path.read_bytes()).hexdigest() for path in (self.made, second)))

    def test_nothing_is_asked_of_the_machine(self):
        """The loader is its own, so no library is newer than the C library beside it."""
        libraries = {path.name for path in (self.empty.path / PREFIX[1:] / 'lib').iterdir()}
        for path in (self.empty.path / PREFIX[1:]).glob('lib*/*'):
            if path.is_file() and not path.is_symlink():
                wanted = re.findall(r'\(NEEDED\).*\[(.+)\]', said('readelf', '--dynamic', path))
                self.assertLessEqual(set(wanted), libraries, path)
        for program in PROGRAMS:
            self.assertNotIn('INTERP', said('readelf', '--program-headers', self.empty.path / PREFIX[1:] / 'bin' / program))
        # The oldest kernel that the C library starts on.
        note = said('readelf', '--notes', self.empty.path / PREFIX[1:] / 'lib/libc.so.6')
        oldest = re.search(r'OS: Linux, ABI: (\d+)\.(\d+)', note).groups()
        self.assertLessEqual(tuple(map(int, oldest)), (4, 18))

    def test_an_empty_root(self):
        for program in PROGRAMS:
            self.assertRegex(self.empty.run(program, '--version'), r'\d+\.\d+\.\d+')
            self.assertRegex(self.empty.run(program, '--version', mount_proc=False), r'\d+\.\d+\.\d+')
        self.assertIn('limpet_memory_available_bytes', self.empty.run('limpet-exporter', 'once'))

    def test_any_folder_and_a_link_to_it(self):
        root = Root(self.folder / 'moved', self.made, '/a folder/of mine')
        self.assertIn('limpet_memory', root.run('limpet-exporter', 'once'))
        (root.path / 'bin').mkdir()
        (root.path / 'bin/limpet-exporter').symlink_to('/a folder/of mine/bin/limpet-exporter')
        root.prefix = ''
        self.assertRegex(root.run('limpet-exporter', '--version'), r'\d+\.\d+\.\d+')

    def test_a_replay_gives_the_same_events_as_the_packages(self):
        self.empty.write('tmp/replay.yml', 'preset: default\n')
        shutil.copy(CASE, self.empty.path / 'tmp')
        inside = self.empty.run('limpet-diagnoser', 'replay', '--config', '/tmp/replay.yml', '/tmp/' + CASE.name)
        outside = subprocess.run([BUILD / 'bin/limpet-diagnoser', 'replay', '--config', self.empty.path / 'tmp/replay.yml',
                                  CASE], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(inside, outside)
        self.assertIn('"cause":"disk-busy"', inside)

    def certificates(self, root):
        key, certificate = root.path / 'etc/server.key', root.path / 'etc/server.crt'
        said('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=io01.test',
             '-addext', 'subjectAltName=DNS:io01.test', '-keyout', key, '-out', certificate)
        return certificate.read_text()

    def test_served_scraped_by_name_and_tls_and_none_of_the_machines_libraries(self):
        """In a root of BusyBox; the name by DNS, the authority where Fedora keeps it."""
        root = Root(self.folder / 'busybox', self.made)
        (root.path / 'bin').mkdir()
        shutil.copy('/bin/busybox', root.path / 'bin/busybox')
        for name in 'sh', 'wget', 'ps':
            (root.path / 'bin' / name).symlink_to('busybox')
        root.write('etc/resolv.conf', 'nameserver 127.0.0.1\n')
        # Services of names that the tarball does not bring are passed over.
        root.write('etc/nsswitch.conf', 'hosts: files mymachines resolve [!UNAVAIL=return] myhostname dns\n')
        certificate = self.certificates(root)
        root.write('etc/pki/tls/certs/ca-bundle.crt', certificate)
        web = root.write('etc/web.yml', 'tls_server_config: {cert_file: server.crt, key_file: server.key}\n')
        config = root.write('etc/diagnoser.yml', 'scrape: {scheme: https}\ntargets:\n  - addresses: ["io01.test:9836"]\n')
        with root.started('limpet-exporter', 'serve', '--web.config.file', web), \
                root.started('limpet-diagnoser', 'serve', '--config', config) as diagnoser:
            wait_for('a scrape by name under TLS', lambda: re.search(
                r'^limpet_target_up\{node="io01.test"\} 1$', page('http://127.0.0.1:9837/metrics'), re.MULTILINE))
            wget = subprocess.run(['chroot', root.path, '/bin/wget', '-q', '-O', '-', 'http://127.0.0.1:9837/metrics'],
                                  stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertIn('limpet_target_up', wget)
            # What ps and top show, and what it has mapped.
            self.assertEqual(pathlib.Path('/proc/%d/comm' % diagnoser.pid).read_text(), 'limpet-diagnose\n')
            mapped = set(re.findall(r' (/\S+)$', pathlib.Path('/proc/%d/maps' % diagnoser.pid).read_text(), re.MULTILINE))
            own = str(root.path) + PREFIX, PREFIX
            self.assertEqual([path for path in mapped if not path.startswith(own)], [])

    def test_on_this_machine_none_of_its_libraries_is_mapped(self):
        """A machine that has libraries of the same names."""
        program = self.empty.path / PREFIX[1:] / 'bin/limpet-exporter'
        process = subprocess.Popen([program, 'serve', '--web.listen-address', 'localhost:9999'],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for('a page', lambda: 'limpet_' in page('http://127.0.0.1:9999/metrics'))
            mapped = set(re.findall(r' (/\S+)$', pathlib.Path('/proc/%d/maps' % process.pid).read_text(), re.MULTILINE))
            self.assertGreater(len(mapped), 10)
            self.assertEqual([path for path in mapped if not path.startswith(str(self.empty.path))], [])
        finally:
            process.terminate()
            self.assertEqual(process.wait(20), 0)

    def test_what_else_is_in_it(self):
        names = {str(path.relative_to(self.empty.path / PREFIX[1:])) for path in (self.empty.path / PREFIX[1:]).rglob('*')}
        self.assertLessEqual({'install', 'etc/diagnoser.yml', 'systemd/limpet-exporter.service', 'prometheus/alerts.yml',
                              'grafana/overview.json', 'actions/slurm-drain', 'examples/ceph.yml', 'doc/README.md', 'doc/LICENSE',
                              'doc/copyright/libc6', 'doc/copyright/PACKAGES'}, names)
        size = self.made.stat().st_size
        print('%s: %.1f MB' % (self.made.name, size / 1e6))
        self.assertLess(size, 16e6)


if __name__ == '__main__':
    if os.environ.get('LIMPET_OWN_NETWORK') != '1':
        os.environ['LIMPET_OWN_NETWORK'] = '1'
        os.execvp('unshare', ['unshare', '--net', sys.executable, *sys.argv])
    unittest.main(argv=sys.argv[:1])
