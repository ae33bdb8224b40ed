"""What the tests of the block and syscall collectors have in common.

Loading needs root, BTF and a build with LIMPET_BPF.
"""
import os
import pathlib
import subprocess
import sys
import textwrap
import time

from support import EXPORTER, Program, TestCase, get, run, wait_until

CAPABILITIES = 'CAP_BPF and CAP_PERFMON'


def can_load():
    if os.geteuid() != 0 or not os.path.exists('/sys/kernel/btf/vmlinux'):
        return False
    done = run(EXPORTER, 'syscalls', '--pid', '1', '--output', '/nonexistent/x', check=False)
    return 'LIMPET_BPF' not in done.stderr and 'lacks' not in done.stderr


CAN_LOAD = can_load()


class BpfTestCase(TestCase):
    def serve(self, config, *before):
        program = Program(*before, EXPORTER, 'serve', '--config', self.write('exporter.yml', config),
                          '--web.listen-address', '127.0.0.1:0')
        self.addCleanup(program.stop)
        url = 'http://127.0.0.1:%d/metrics' % program.port()
        program.page = lambda: get(url)
        wait_until('the page', lambda: program.page().status == 200)
        return program

    def named(self, name):
        """A Python of this name, as /proc/PID/comm will have it."""
        path = self.folder / name
        if not path.is_symlink():
            path.symlink_to(os.path.realpath(sys.executable))
        return path

    def script(self, name, text):
        return self.write(name, textwrap.dedent(text))

    def start(self, *arguments):
        process = subprocess.Popen([str(one) for one in arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, bufsize=1)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def total(page, name, **labels):
    return sum(value for _, value in page.all(name, **labels))


def settled(program, seconds=2.2):
    """The page after everything that was done before the call is on it."""
    time.sleep(seconds)
    return program.page()


def diskstats(device):
    for line in pathlib.Path('/proc/diskstats').read_text().splitlines():
        fields = line.split()
        if fields[2] == device:
            return [int(one) for one in fields[3:]]
    return None
