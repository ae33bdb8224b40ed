"""A clean Debian made by mmdebstrap, and the same booted by systemd-nspawn. Needs root."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time


def said(*command, **options):
    """What it printed; AssertionError with all of it when it fails."""
    done = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError('%s ended with %d:\n%s' % (' '.join(map(str, command)), done.returncode, done.stdout))
    return done.stdout


class Machine:
    """Booted until the block ends, then removed. It shares no network with the host: only its own loopback."""

    def __init__(self, packages, suite='bookworm'):
        self._folder = tempfile.mkdtemp(prefix='limpet-machine-')
        self.root = pathlib.Path(self._folder, 'root')
        # Its mounts are its own: were it killed, none would be left in a folder that is to be removed.
        said('unshare', '--mount', '--propagation=private', 'mmdebstrap', '--variant=minbase',
             '--include=' + ','.join(packages), suite, self.root)
        (self.root / 'etc/hostname').write_text('limpet-test\n')
        self._log = open(pathlib.Path(self._folder, 'console'), 'w+')

    def __enter__(self):
        # Where the host's own systemd is not there to ask, a scope of its own cannot be had.
        self._host = subprocess.Popen(
            ['systemd-nspawn', '--quiet', '--directory=%s' % self.root, '--boot', '--register=no', '--keep-unit',
             '--private-network', '--console=pipe', '--kill-signal=SIGRTMIN+3'],
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        try:
            self._init = self._wait(self._child, 20)
            self._wait(lambda: self.run('systemctl', 'is-system-running', check=False)[1].strip() in
                       ('running', 'degraded'), 120)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        self._stop()

    def _stop(self):
        self._host.send_signal(signal.SIGTERM)
        try:
            self._host.wait(30)
        except subprocess.TimeoutExpired:
            self._host.kill()
            self._host.wait()
        self._log.close()
        self.remove()

    def remove(self):
        """Also for a machine that was never booted."""
        said('rm', '-rf', '--one-file-system', self._folder)

    def _wait(self, condition, seconds):
        end = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if self._host.poll() is not None or time.monotonic() > end:
                self._log.seek(0)
                raise AssertionError('the machine does not come up:\n' + self._log.read())
            time.sleep(0.2)

    def _child(self):
        listed = pathlib.Path('/proc/%d/task/%d/children' % (self._host.pid, self._host.pid)).read_text().split()
        for pid in listed:
            if os.readlink('/proc/%s/ns/pid' % pid) != os.readlink('/proc/self/ns/pid'):
                return int(pid)
        return None

    def run(self, *command, check=True, seconds=120):
        """(exit code, output) of a command inside."""
        done = subprocess.run(
            ['nsenter', '--target=%d' % self._init, '--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd=/',
             'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C',
             *map(str, command)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=seconds,
            check=False)
        if check and done.returncode:
            raise AssertionError('%s ended with %d:\n%s' % (' '.join(map(str, command)), done.returncode, done.stdout))
        return done.returncode, done.stdout
