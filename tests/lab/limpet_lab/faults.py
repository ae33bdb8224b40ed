"""Faults to inject into one server, each a context manager that ends them."""
import contextlib
import pathlib
import sys

from . import disk
from .settings import GIB
from .shell import LabError, in_namespace, run, spawn, stop, wait_until

HOG_PORT = 5001
LOSS = 0.05


@contextlib.contextmanager
def disk_hog(settings, host, loop):
    """Another program on the server reads an unused part of its disk. 4 MiB blocks: larger ones
    fill the queue and stop the server altogether, for nothing shares a disk by process here."""
    begin, length = settings.disk_gib * GIB * 3 // 4, settings.disk_gib * GIB // 8
    script = ('while dd "if=$0" of=/dev/null bs=4M iflag=direct,skip_bytes,count_bytes '
              'skip=%d count=%d; do :; done' % (begin, length))
    hog = spawn(settings.name, in_namespace(host.namespace, 'sh', '-c', script, loop),
                host.folder / 'fault.log')
    try:
        yield
    finally:
        stop(hog)


@contextlib.contextmanager
def disk_busy(settings, host, loop):
    """Somebody else uses the server's disk behind its back: two sequential readers of 1 MiB."""
    disk.set_control(host, depth=2, size_kib=1024)
    try:
        yield
    finally:
        disk.set_control(host)


@contextlib.contextmanager
def network_hog(settings, host, loop):
    """A third machine sends to the server as fast as its link takes it."""
    flood = [sys.executable, pathlib.Path(__file__).with_name('flood.py')]
    guest = settings.host('guest')
    log = host.folder / 'fault.log'
    sink = spawn(settings.name, in_namespace(host.namespace, *flood, 'sink', HOG_PORT), log)
    hogs = [sink]
    try:
        wait_until('the sink on ' + host.name, lambda: 'listening' in log.read_text(),
                   process=sink, log=log)
        hogs.append(spawn(settings.name, in_namespace(
            guest.namespace, *flood, 'flood', HOG_PORT, host.address), log))
        yield
    finally:
        for hog in hogs:
            stop(hog)


@contextlib.contextmanager
def packet_loss(settings, host, loop):
    """The server loses one packet in twenty of those it receives."""
    rule = ['INPUT', '-i', 'eth0', '-m', 'statistic', '--mode', 'random',
            '--probability', LOSS, '-j', 'DROP']
    run(*in_namespace(host.namespace, 'iptables', '-w', '-A', *rule))
    try:
        yield
    finally:
        run(*in_namespace(host.namespace, 'iptables', '-w', '-D', *rule), check=False)


@contextlib.contextmanager
def none(settings, host, loop):
    """Nothing."""
    yield


FAULTS = {'disk-hog': disk_hog, 'disk-busy': disk_busy, 'network-hog': network_hog,
          'packet-loss': packet_loss, 'none': none}


def inject(settings, kind, host, loop):
    """A context manager that holds the fault on a server whose disk is that loop device."""
    if kind not in FAULTS:
        raise LabError('no fault is called %s; there are %s' % (kind, ', '.join(FAULTS)))
    return FAULTS[kind](settings, host, loop)
