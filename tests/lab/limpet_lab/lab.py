"""A whole lab: up, down, and the lock that keeps two users apart."""
import contextlib
import fcntl
import json
import os

from . import cleanup, disk, filesystem, network, own_proc
from .shell import LabError


class Lab:
    """loops: {server's name: its loop device}, filled by bring_up."""

    def __init__(self, settings):
        self.settings = settings
        self.loops = {}

    @contextlib.contextmanager
    def lock(self):
        """Holds the lab; LabError when another process does."""
        with open(self.settings.lock_file, 'a+') as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise LabError('process %s is using the lab %s: stop it with Ctrl-C or kill first'
                               % (file.read().strip() or '?', self.settings.name)) from None
            file.truncate(0)
            file.write('%d\n' % os.getpid())
            file.flush()
            yield self

    def bring_up(self, step=lambda text: None):
        """Network, disks, bricks, mounts. Calls step(text) before each. Leaves what it made to
        take_down when it fails; the disks are infinitely fast until files are laid out."""
        settings = self.settings
        settings.run_dir.mkdir(parents=True)
        step('network of %d servers and %d clients' % (settings.servers, settings.clients))
        network.bring_up(settings)
        if settings.own_proc:
            step('/proc of every server')
            own_proc.bring_up(settings)
        system = filesystem.of(settings)
        system.start_shared(settings)
        for host in settings.io_hosts:
            step('disk of ' + host.name)
            self.loops[host.name] = disk.bring_up(settings, host, system.RAW_DISKS)
            system.start_server(settings, host)
        for host in settings.client_hosts:
            step('file system on ' + host.name)
            host.folder.mkdir()
            filesystem.mount(settings, host)
        (settings.run_dir / 'lab.json').write_text(json.dumps({
            host.name: {'role': host.role, 'address': host.address, 'namespace': host.namespace,
                        'disk': self.loops.get(host.name)} for host in settings.hosts}, indent=1))

    def take_down(self, keep_logs=False):
        cleanup.take_down(self.settings, keep_logs)
