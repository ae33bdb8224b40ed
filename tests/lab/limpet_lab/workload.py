"""What the clients do with the file system while it is watched."""
import os
import time

from . import disk, network
from .settings import MIB
from .shell import LabError, in_namespace, spawn

BLOCK_MIB = 32


def data_file(host):
    return host.mount / host.name / 'data'


def lay_out(settings):
    """Writes each client's file, with infinitely fast disks and links (seconds, not minutes)."""
    for host in settings.io_hosts:
        disk.set_control(host, speed=0)
    time.sleep(0.3)     # the disks look at their control files four times a second
    with network.unlimited(settings):
        writers = [(host, spawn(settings.name, in_namespace(
            host.namespace, 'dd', 'if=/dev/zero', 'of=%s' % data_file(host),
            'bs=%dM' % BLOCK_MIB, 'count=%d' % (settings.file_mib // BLOCK_MIB), 'oflag=direct'),
            host.folder / 'layout.log')) for host in settings.client_hosts]
        for host, writer in writers:
            if writer.wait():
                raise LabError('%s could not write %d MiB: see %s' % (
                    host.name, settings.file_mib, host.folder / 'layout.log'))
            if os.path.getsize(data_file(host)) != settings.file_mib * MIB:
                raise LabError('%s is not %d MiB long' % (data_file(host), settings.file_mib))
        os.sync()
    for host in settings.io_hosts:
        disk.set_control(host)


def start_reading(settings):
    """ddr: every client reads its file again and again, unbuffered (000 section 8)."""
    return [spawn(settings.name, in_namespace(
        host.namespace, 'sh', '-c', 'while dd "if=$0" of=/dev/null bs=%dM iflag=direct; do :; done'
        % BLOCK_MIB, data_file(host)), host.folder / 'workload.log')
        for host in settings.client_hosts]
