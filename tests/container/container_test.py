"""Both images built and run by podman, and the composition around them, in a network that holds nothing else.

Needs root, podman, runc and mmdebstrap (scripts/setup --containers) and Debian's packages. No registry is asked: the
base image is made here, and Prometheus and Alertmanager of the composition are Debian's; Grafana's image is not to be
had. Everything stands in a folder of its own that is removed at the end. LIMPET_IMAGES names a folder with the images of a
release (limpet-…-image.tar.xz), which are tried in the place of those that are built.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Without limits of its own runc fails where the host's are infinite.
LIMITS = ('--ulimit=nofile=1024:1024', '--ulimit=nproc=1000:1000')
HARDENED = ('--read-only', '--cap-drop=all', '--security-opt=no-new-privileges')
PEERS = '''FROM localhost/base
RUN apt-get update && apt-get install -y --no-install-recommends prometheus prometheus-alertmanager
'''


def said(*command, check=True, **options):
    """(exit code, output); AssertionError with the output when `check` and it fails."""
    done = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, check=False, **options)
    if check and done.returncode:
        raise AssertionError('%s ended with %d:\n%s' % (' '.join(map(str, command)), done.returncode, done.stdout))
    return done.returncode, done.stdout


def whole_disks():
    return {path.name for path in pathlib.Path('/sys/block').iterdir()
            if not re.match(r'(ram|loop|fd)\d', path.name) and (path / 'size').read_text() != '0\n'}


class Containers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-containers-'))
        cls.addClassCleanup(said, 'rm', '-rf', '--one-file-system', cls.folder)
        cls.running = []
        cls.addClassCleanup(cls.remove_all)
        cls.podman('import', cls.base(), 'localhost/base')
        released = os.environ.get('LIMPET_IMAGES')
        if released:
            cls.load(pathlib.Path(released))
        else:
            cls.build_programs()
        (cls.folder / 'Dockerfile').write_text(PEERS)
        cls.build('-t', 'localhost/peers', cls.folder)

    @classmethod
    def load(cls, folder):
        for program in ('exporter', 'diagnoser'):
            archive, = folder.glob('limpet-%s-*-image.tar.xz' % program)
            loaded = cls.podman('load', '-i', archive)[1].split()[-1]
            cls.podman('tag', loaded, 'localhost/limpet-' + program)

    @classmethod
    def build_programs(cls):
        context = cls.context()
        compiled = ('--build-arg=PROGRAMS=compiled',) if context != ROOT else ()
        for program in ('exporter', 'diagnoser'):
            cls.build(*compiled, '--target', program, '-t', 'localhost/limpet-' + program, '-f', context / 'docker/Dockerfile', context)

    @classmethod
    def context(cls):
        """The folder to build in: the repository; with LIMPET_PROGRAMS, which names a folder of programs that are
        compiled already, a copy of what they need."""
        programs = os.environ.get('LIMPET_PROGRAMS')
        if programs is None:
            return ROOT
        context = cls.folder / 'context'
        for name in ('scripts', 'docker', 'config'):
            shutil.copytree(ROOT / name, context / name)
        (context / 'programs').mkdir()
        for name in ('limpet-exporter', 'limpet-diagnoser'):
            shutil.copy(pathlib.Path(programs, name), context / 'programs')
        return context

    @classmethod
    def base(cls):
        """A tarball that stands for debian:12-slim; LIMPET_BASE names one that is there already."""
        path = os.environ.get('LIMPET_BASE')
        if path is None:
            path = cls.folder / 'base.tar'
            said('unshare', '--mount', '--propagation=private', 'mmdebstrap', '--variant=minbase', 'bookworm', path)
        return path

    @classmethod
    def podman(cls, *arguments, **options):
        return said('podman', '--root', cls.folder / 'storage', '--runroot', cls.folder / 'run', '--runtime', 'runc',
                    '--cgroup-manager=cgroupfs', *arguments, **options)

    @classmethod
    def build(cls, *arguments):
        cls.podman('build', '--format=docker', '--network=host', '--build-arg=BASE=localhost/base',
                   '--ulimit=nofile=1024:1024', '--ulimit=nproc=10000:10000', *arguments)

    @classmethod
    def remove_all(cls):
        for name in reversed(cls.running):
            cls.podman('rm', '--force', '--time=5', '--volumes', name, check=False)
        cls.podman('system', 'reset', '--force', check=False)

    @classmethod
    def start(cls, name, image, *options, command=()):
        """A container in the network of the first one; its name."""
        network = 'container:' + cls.running[0] if cls.running else 'none'
        cls.podman('run', '--detach', '--name=' + name, '--network=' + network, *LIMITS, *options, image, *command)
        cls.running.append(name)
        return name

    def curl(self, url):
        """The page at this address of the containers' network, '' when there is none."""
        pid = self.podman('inspect', '--format', '{{.State.Pid}}', self.running[0])[1].strip()
        return said('nsenter', '--target=' + pid, '--net', 'curl', '-s', '--max-time', '5', url, check=False)[1]

    def wait_for(self, what, condition, seconds=90, page=None):
        """page: an address whose page says why, when it does not come to pass."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                what += ': ' + self.curl(page) if page else ''
                logs = '\n'.join(self.podman('logs', '--tail=20', name, check=False)[1] for name in self.running)
                self.fail('waited in vain for %s:\n%s' % (what, logs))
            time.sleep(0.5)

    def services(self):
        """The services of docker/compose.yml, by Debian's python3-yaml."""
        return json.loads(said('/usr/bin/python3', '-c',
                               'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))["services"]))',
                               ROOT / 'docker/compose.yml')[1])

    def mounts(self, service):
        """What compose would mount, with volumes of its own for those it names."""
        made = []
        for volume in service['volumes']:
            source, target, *mode = volume.split(':')
            if source.startswith('.'):
                source = (ROOT / 'docker' / source).resolve()
                self.assertTrue(source.exists(), volume)
            made.append('--volume=' + ':'.join([str(source), target, *mode]))
        return made

    def test_the_composition_watches_its_machine(self):
        services = self.services()
        # Everybody knows everybody by the names of the composition, on the loopback they share.
        hosts = self.folder / 'hosts'
        hosts.write_text('127.0.0.1 localhost host.docker.internal %s\n' % ' '.join(services))
        names = ('--no-hosts', '--volume=%s:/etc/hosts:ro' % hosts)
        self.start('diagnoser', 'localhost/limpet-diagnoser', *HARDENED, *names, *self.mounts(services['diagnoser']))
        self.start('exporter', 'localhost/limpet-exporter', *HARDENED, *names, *self.mounts(services['exporter']))
        for name, port in (('exporter', 9836), ('diagnoser', 9837)):
            self.wait_for(name + ' to be healthy', lambda: self.podman('healthcheck', 'run', name, check=False)[0] == 0)
            self.assertEqual(self.podman('exec', name, 'id', '-u')[1].strip(), '9836')
            self.assertNotEqual(self.podman('exec', name, 'touch', '/usr/x', check=False)[0], 0)
            status = self.podman('exec', name, 'cat', '/proc/1/status')[1]
            self.assertEqual(re.search(r'^CapEff:\t(\w+)', status, re.MULTILINE)[1].strip('0'), '')
            labels = json.loads(self.podman('image', 'inspect', '--format', '{{json .Labels}}', 'localhost/limpet-' + name)[1])
            self.assertEqual(labels['org.opencontainers.image.title'], 'limpet-' + name)
            size = int(self.podman('image', 'inspect', '--format', '{{.Size}}', 'localhost/limpet-' + name)[1])
            base = int(self.podman('image', 'inspect', '--format', '{{.Size}}', 'localhost/base')[1])
            print('limpet-%s: %.0f MB over a base of %.0f MB' % (name, (size - base) / 1e6, base / 1e6))
            self.assertLess(size - base, 60e6)
        self.wait_for('the diagnoser to see the exporter', lambda: re.search(
            r'^limpet_target_up\{node="localhost"\} 1$', self.curl('http://127.0.0.1:9837/metrics'), re.MULTILINE))
        page = self.curl('http://127.0.0.1:9836/metrics')
        seen = set(re.findall(r'^limpet_disk_reads_completed_total\{device="([^"]+)"', page, re.MULTILINE))
        self.assertEqual(seen & whole_disks(), whole_disks())

        # The rest of the composition, with Debian's programs in the place of the images.
        for name, program in (('alertmanager', 'prometheus-alertmanager'), ('prometheus', 'prometheus')):
            service = services[name]
            self.start(name, 'localhost/peers', *names, '--user=0', '--entrypoint=' + program, *self.mounts(service),
                       command=service['command'])
        targets = 'http://127.0.0.1:9090/api/v1/targets'
        self.wait_for('Prometheus to reach all', lambda: re.findall(r'"health":"(\w+)"', self.curl(targets)) == ['up', 'up'],
                      page=targets)
        rules = json.loads(self.curl('http://127.0.0.1:9090/api/v1/rules'))['data']['groups']
        alerts = [rule['name'] for group in rules for rule in group['rules'] if rule['type'] == 'alerting']
        self.assertCountEqual(alerts, re.findall(r'- alert: (\w+)', (ROOT / 'config/prometheus/alerts.yml').read_text()))
        self.wait_for('Prometheus to know its Alertmanager', lambda: 'http://alertmanager:9093' in self.curl(
            'http://127.0.0.1:9090/api/v1/alertmanagers'))
        self.wait_for('Alertmanager', lambda: 'storage-on-call' in self.curl('http://127.0.0.1:9093/api/v2/status'))

        # SIGTERM is an orderly end, and the state outlives the container.
        self.wait_for('a state', lambda: self.podman('exec', 'diagnoser', 'test', '-e', '/var/lib/limpet-diagnoser/state',
                                                     check=False)[0] == 0)
        for name in ('exporter', 'diagnoser'):
            self.podman('stop', '--time=20', name)
            self.assertEqual(self.podman('inspect', '--format', '{{.State.ExitCode}}', name)[1].strip(), '0')
        self.podman('start', 'diagnoser')
        self.wait_for('the state to be read', lambda: 'diagnoser' in self.podman('ps', '--format', '{{.Names}}')[1])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
