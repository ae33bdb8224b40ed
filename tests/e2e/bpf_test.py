"""The block and syscall collectors and the event log, against diskstats, strace and programs that know what they did.

Loading needs root, BTF and a build with LIMPET_BPF; without, only the refusal is tested.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import unittest

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


@unittest.skipUnless(CAN_LOAD, 'needs root, BTF and the programs')
class BlockTest(BpfTestCase):
    def setUp(self):
        super().setUp()
        image = self.folder / 'disk'
        with open(image, 'wb') as file:
            file.truncate(256 << 20)
        self.device = run('losetup', '--find', '--show', image).stdout.strip()
        self.addCleanup(run, 'losetup', '--detach', self.device)
        self.name = os.path.basename(self.device)
        # The kernel and udev read a new disk to see what is on it; not while sums are compared.
        seen = [None]

        def is_calm():
            seen.append(diskstats(self.name))
            return seen[-1] == seen[-2]
        wait_until('nobody reading the new disk', is_calm, every=0.3)

    def counted(self, page, metric, operation):
        return (page.value('limpet_block_%s_count' % metric, device=self.name, operation=operation) or 0,
                page.value('limpet_block_%s_sum' % metric, device=self.name, operation=operation) or 0)

    def test_sums_agree_with_diskstats(self):
        before = diskstats(self.name)
        program = self.serve('collectors: {block: {enabled: true, device_include: "^%s$"}}' % self.name)
        for kind in 'randread', 'randwrite':  # deep queues, small requests
            run('fio', '--name=x', '--filename=' + self.device, '--direct=1', '--rw=' + kind, '--bs=4k',
                '--ioengine=libaio', '--iodepth=32', '--size=16m')
        # Merged requests: written through the page cache, with a flush behind them.
        run('dd', 'if=/dev/zero', 'of=' + self.device, 'bs=1M', 'count=64', 'conv=notrunc,fsync')
        run('blkdiscard', '--offset', '0', '--length', str(1 << 20), self.device)
        page = settled(program)
        after = diskstats(self.name)
        done = [new - old for new, old in zip(after, before)]
        for operation, count, sectors, milliseconds in (('read', 0, 2, 3), ('write', 4, 6, 7),
                                                        ('discard', 11, 13, 14)):
            requests, seconds = self.counted(page, 'total_seconds', operation)
            size = self.counted(page, 'request_bytes', operation)[1]
            # An empty flush counts as a write there, and not as one here: it has no data.
            empty = done[15] if operation == 'write' else 0
            self.assertLessEqual(requests, done[count], operation)
            self.assertGreaterEqual(requests, done[count] - empty, operation)
            self.assertEqual(size, done[sectors] * 512, operation)
            rounding = 0.03 * done[milliseconds] / 1e3 + 0.02
            self.assertLess(seconds, done[milliseconds] / 1e3 + rounding, operation)
            of_flushes = done[16] / 1e3 if operation == 'write' else 0
            self.assertGreater(seconds, done[milliseconds] / 1e3 - of_flushes - rounding, operation)
            queued = self.counted(page, 'queue_seconds', operation)[1]
            at_device = self.counted(page, 'device_seconds', operation)[1]
            self.assertAlmostEqual(queued + at_device, seconds, places=6)
            if operation != 'discard':
                sizes = {size: total(page, 'limpet_block_requests_total', device=self.name,
                                     operation=operation, size=size) for size in ('small', 'large')}
                self.assertEqual(sum(sizes.values()), requests)
                self.assertGreaterEqual(sizes['small'], 4096)  # of 4 KiB each
                self.assertAlmostEqual(total(page, 'limpet_block_request_seconds_total',
                                             device=self.name, operation=operation), seconds, places=6)
        self.assertEqual(self.counted(page, 'total_seconds', 'flush')[0], done[15])
        # The longer a request was there, the more of the time is at deep queues.
        self.assertGreater(total(page, 'limpet_block_inflight_seconds_total', device=self.name, depth='16') +
                           total(page, 'limpet_block_inflight_seconds_total', device=self.name, depth='32'), 0)
        shallow = self.counted(page, 'shallow_device_seconds', 'read')[0]
        self.assertLess(shallow, self.counted(page, 'device_seconds', 'read')[0])
        for reason in 'devices', 'requests':
            self.assertEqual(page.value('limpet_block_dropped_total', reason=reason), 0)

    def test_a_device_mapper_of_bios_shows_as_its_disks(self):
        table = '0 %d linear %s 0' % ((64 << 20) // 512, self.device)
        made = run('dmsetup', 'create', 'limpet-test-%d' % os.getpid(), '--table', table, check=False)
        if made.returncode != 0:
            self.skipTest('no device mapper here: ' + made.stderr.strip())
        mapped = '/dev/mapper/limpet-test-%d' % os.getpid()
        self.addCleanup(run, 'dmsetup', 'remove', mapped)
        program = self.serve('collectors: {block: {enabled: true, device_include: "."}}')
        run('dd', 'if=' + mapped, 'of=/dev/null', 'bs=64k', 'count=64', 'iflag=direct')
        page = settled(program)
        self.assertGreaterEqual(self.counted(page, 'device_seconds', 'read')[0], 64)
        self.assertFalse([one for one, _ in page.all('limpet_block_device_seconds_count')
                          if one['device'].startswith('dm-')])

    def test_nothing_stays_when_the_exporter_is_killed(self):
        def programs():
            return set(re.findall(r'^(\d+): .* name block_', run('bpftool', 'prog', 'list').stdout, re.M))
        before = programs()
        program = self.serve('collectors: {block: {enabled: true}}')
        loaded = programs() - before  # other tests may load some, too
        self.assertTrue(loaded)
        program.process.kill()
        program.wait()
        wait_until('the kernel to free them', lambda: not programs() & loaded)

    def test_neither_the_exporter_nor_a_child_keeps_the_right_to_load(self):
        program = self.serve('collectors: {block: {enabled: true}}')
        status = pathlib.Path('/proc/%d/status' % program.process.pid).read_text()
        both = 1 << 38 | 1 << 39
        for name in 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb':
            rights = int(re.search(name + r':\s+(\w+)', status).group(1), 16)
            self.assertEqual(rights & both, 0, name)


@unittest.skipUnless(CAN_LOAD, 'needs root, BTF and the programs')
class SyscallTest(BpfTestCase):
    CONFIG = 'collectors: {syscall: {enabled: true, servers: [limpet_srv], clients: [limpet_cli]}}'

    def calls(self, page, kind, process='limpet_srv'):
        return page.value('limpet_syscalls_total', process=process, **{'class': kind})

    def test_descriptors_are_known_however_they_came(self):
        data = self.write('data', 'x' * 4096)
        script = self.script('follow.py', '''
            import array, os, socket, sys, threading
            name = sys.argv[1]
            old = os.open(name, os.O_RDWR)           # before the exporter runs
            pair = socket.socketpair()
            print("ready", flush=True)
            sys.stdin.readline()
            for _ in range(3): os.pread(old, 10, 0)
            copy = os.dup2(old, 200)
            for _ in range(5): os.pread(copy, 10, 0)
            new = os.open(name, os.O_RDWR)
            threads = [threading.Thread(target=lambda: [os.pwrite(new, b"y", 0) for _ in range(7)]) for _ in range(4)]
            [one.start() for one in threads]; [one.join() for one in threads]
            if os.fork() == 0:                        # a child of the same name, the parent's descriptors
                for _ in range(11): os.pread(old, 10, 0)
                os._exit(0)
            os.wait()
            socket.send_fds(pair[0], [b"x"], [new])   # over a socket
            _, sent, _, _ = socket.recv_fds(pair[1], 1, 1)
            for _ in range(13): os.pread(sent[0], 10, 0)
            procfs = os.open("/proc/self/stat", os.O_RDONLY)
            for _ in range(50): os.pread(procfs, 10, 0)   # a regular file, but no storage
            print("done", flush=True)
            sys.stdin.readline()
        ''')
        process = self.start(self.named('limpet_srv'), script, data)
        self.assertEqual(process.stdout.readline(), 'ready\n')
        program = self.serve(self.CONFIG)
        before = settled(program)
        self.assertEqual(before.value('limpet_syscall_processes', process='limpet_srv'), 1)
        process.stdin.write('go\n')
        self.assertEqual(process.stdout.readline(), 'done\n')
        page = settled(program)
        self.assertEqual(self.calls(page, 'dread') - self.calls(before, 'dread'), 3 + 5 + 11 + 13)
        self.assertEqual(self.calls(page, 'dwrite') - self.calls(before, 'dwrite'), 28)
        self.assertEqual(page.value('limpet_syscall_bytes_total', process='limpet_srv', **{'class': 'dwrite'}), 28)

    READER = '''
        import os, sys
        file = os.open(sys.argv[1], os.O_RDONLY)
        print("ready", flush=True)
        sys.stdin.readline()
        for _ in range(int(sys.argv[2])): os.pread(file, 10, 0)
        print("done", flush=True)
        sys.stdin.readline()
    '''

    def reads_followed(self, settings, before, inside, outside):
        """(processes followed, reads counted) when one process reads 3 times and another 500 times; `inside` and
        `outside` begin their commands, and one of each runs already when the exporter starts if `before`."""
        reader, data = self.script('reader.py', self.READER), self.write('data', 'x' * 4096)

        def start():
            processes = [self.start(*prefix, self.named_once('limpet_srv'), reader, data, times)
                         for prefix, times in ((inside, 3), (outside, 500))]
            for process in processes:
                self.assertEqual(process.stdout.readline(), 'ready\n')
            return processes
        processes = start() if before else []
        program = self.serve('collectors: {syscall: {enabled: true, servers: [limpet_srv], %s}}' % settings)
        processes = processes or start()
        start_page = settled(program)
        for process in processes:
            process.stdin.write('go\n')
            self.assertEqual(process.stdout.readline(), 'done\n')
        page = settled(program)
        for process in processes:
            self.end(process)
        program.stop()
        return (page.value('limpet_syscall_processes', process='limpet_srv'),
                self.calls(page, 'dread') - self.calls(start_page, 'dread'))

    def named_once(self, name):
        path = self.folder / name
        return path if path.is_symlink() else self.named(name)

    def test_only_processes_of_a_control_group_and_those_below_it(self):
        root = next((path for path in map(pathlib.Path, ('/sys/fs/cgroup/unified', '/sys/fs/cgroup'))
                     if (path / 'cgroup.procs').exists() and (path / 'cgroup.controllers').exists()), None)
        if root is None:
            self.skipTest('no control groups of version 2')
        group = root / ('limpet-bpf-%d' % os.getpid())
        for folder in group, group / 'below':
            folder.mkdir()
            self.addCleanup(self.remove_group, folder)
        join = ('sh', '-c', 'echo $$ > "$0"; exec "$@"', group / 'below/cgroup.procs')
        for before in True, False:
            with self.subTest(before=before):
                self.assertEqual(self.reads_followed('cgroups: [%s]' % group, before, join, ()), (1, 3))

    @staticmethod
    def remove_group(folder):
        # A moment passes until who was killed has left it.
        wait_until('nobody in %s' % folder, lambda: not (folder / 'cgroup.procs').read_text())
        folder.rmdir()

    def test_only_processes_of_a_network_namespace(self):
        holder = self.start('unshare', '--net', 'sh', '-c', 'echo ready; read line')
        self.assertEqual(holder.stdout.readline(), 'ready\n')
        place = '/proc/%d/ns/net' % holder.pid
        for before in True, False:
            with self.subTest(before=before):
                self.assertEqual(self.reads_followed('network_namespace: %s' % place, before,
                                                     ('nsenter', '--net=' + place), ()), (1, 3))

    def test_a_hundred_thousand_descriptors_and_a_thousand_threads_lose_nothing(self):
        data = self.write('data', 'x' * 4096)
        script = self.script('many.py', '''
            import os, sys, threading
            name = sys.argv[1]
            print("ready", flush=True)
            sys.stdin.readline()
            for _ in range(100000):
                fd = os.open(name, os.O_RDONLY); os.pread(fd, 1, 0); os.close(fd)
            gate = threading.Barrier(1000)
            def work():
                gate.wait()
                fd = os.open(name, os.O_RDONLY); os.pread(fd, 1, 0); os.close(fd)
            threading.stack_size(65536)
            threads = [threading.Thread(target=work) for _ in range(1000)]
            [one.start() for one in threads]; [one.join() for one in threads]
            print("done", flush=True)
            sys.stdin.readline()
        ''')
        program = self.serve(self.CONFIG)
        process = self.start(self.named('limpet_srv'), script, data)
        self.assertEqual(process.stdout.readline(), 'ready\n')
        before = settled(program)
        process.stdin.write('go\n')
        self.assertEqual(process.stdout.readline(), 'done\n')
        page = settled(program)

        def operations(one, operation):
            return one.value('limpet_syscall_operation_seconds_count', process='limpet_srv', operation=operation) or 0
        missed = total(page, 'limpet_bpf_missed_runs_total', programs='syscall')
        self.assertEqual(total(page, 'limpet_syscall_dropped_total'), 0)
        for operation in 'open', 'close':
            done = operations(page, operation) - operations(before, operation)
            self.assertGreaterEqual(done, 101000 - missed)
            self.assertLess(done, 101010)  # Python may open a file of its own
        self.assertAlmostEqual(self.calls(page, 'dread') - self.calls(before, 'dread'), 101000, delta=missed)

    def test_more_threads_than_places_are_counted_as_dropped(self):
        script = self.script('threads.py', '''
            import os, sys, threading
            end = threading.Event()
            threads = [threading.Thread(target=lambda: (os.stat("/"), end.wait())) for _ in range(300)]
            [one.start() for one in threads]
            end.set(); [one.join() for one in threads]
        ''')
        program = self.serve('collectors: {syscall: {enabled: true, servers: [limpet_srv], max_threads: 64}}')
        run(self.named('limpet_srv'), script)
        self.assertGreater(settled(program).value('limpet_syscall_dropped_total', reason='threads'), 0)

    def test_errors_and_a_server_that_hangs_and_goes(self):
        server = self.script('server.py', '''
            import os, socket, sys
            try: os.open("/nonexistent/file", os.O_RDONLY)
            except OSError: pass
            listening = socket.create_server(("127.0.0.1", 0))
            print(listening.getsockname()[1], flush=True)
            connection, _ = listening.accept()
            connection.sendall(connection.recv(100))
            sys.stdin.readline()
        ''')
        client = self.script('client.py', '''
            import socket, sys
            connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            connection.sendall(b"hello")
            connection.recv(100)
            print("answered", flush=True)
            try: connection.recv(100)   # nothing comes
            except OSError: pass
            print("end", flush=True)
            sys.stdin.readline()
        ''')
        program = self.serve(self.CONFIG)
        serving = self.start(self.named('limpet_srv'), server)
        port = serving.stdout.readline().strip()
        asking = self.start(self.named('limpet_cli'), client, port)
        self.assertEqual(asking.stdout.readline(), 'answered\n')
        peer = {'process': 'limpet_cli', 'peer': '127.0.0.1:' + port}
        hanging = wait_until('a call that hangs', lambda: program.page().value(
            'limpet_syscall_open_seconds', **peer, **{'class': 'network'}))
        self.assertGreaterEqual(hanging, 1)
        page = program.page()
        for operation in 'connect', 'write', 'read':
            at = page.value('limpet_syscall_last_completed_timestamp_seconds', operation=operation, **peer)
            self.assertLess(abs(time.time() - at), 30, operation)
        self.assertEqual(self.calls(page, 'ncread', 'limpet_cli'), 1)
        self.assertEqual(self.calls(page, 'ncwrite', 'limpet_cli'), 1)
        self.assertEqual(self.calls(page, 'nsread'), 1)
        self.assertEqual(page.value('limpet_syscall_errors_total', process='limpet_srv', operation='open',
                                    errno='ENOENT', **{'class': 'storage'}) >= 1, True)
        serving.kill()
        self.assertEqual(asking.stdout.readline(), 'end\n')
        gone = settled(program)
        self.assertEqual(gone.value('limpet_syscall_peer_failures_total', errno='EOF', **peer) +
                         gone.value('limpet_syscall_peer_failures_total', errno='ECONNRESET', **peer), 1)
        self.assertIsNone(gone.value('limpet_syscall_open_seconds', **peer, **{'class': 'network'}))

    SCRIPT = '''
        import os, sys, threading, time
        name = sys.argv[1]
        reader, writer = os.pipe()
        for _ in range(5):
            thread = threading.Thread(target=lambda: (time.sleep(0.1), os.write(writer, b"x")))
            thread.start(); os.read(reader, 1); thread.join()
        fd = os.open(name, os.O_RDWR | os.O_CREAT)
        for i in range(50): os.pwrite(fd, b"a" * 100, 100 * i)
        for i in range(30): os.pread(fd, 100, 0)
        os.fsync(fd); os.close(fd)
        for _ in range(7):
            try: os.open("/nonexistent/x", os.O_RDONLY)
            except OSError: pass
        if os.fork() == 0:
            for _ in range(9): os.stat(name)
            os._exit(0)
        os.wait()
    '''

    @staticmethod
    def traced(path):
        """{call: [calls, errors, seconds]} of strace -f -T."""
        calls = collections.defaultdict(lambda: [0, 0, 0.0])
        for line in path.read_text().splitlines():
            match = re.search(r'(?:^\d+\s+|<\.\.\. )(\w+)(?:\(| resumed).*= (\S+).*<([\d.]+)>$', line)
            if match:
                entry = calls[match.group(1)]
                entry[0] += 1
                entry[1] += match.group(2) == '-1'
                entry[2] += float(match.group(3))
        return calls

    @unittest.skipUnless(shutil.which('strace'), 'needs strace')
    def test_counts_and_times_are_those_of_strace(self):
        script = self.script('scripted.py', self.SCRIPT)
        program = self.serve(self.CONFIG)
        log = Program(EXPORTER, 'syscalls', '--name', 'limpet_srv', '--output', self.folder / 'log')
        self.addCleanup(log.stop)
        wait_until('the log', lambda: 'logging system calls' in log.log)
        trace = self.folder / 'trace'
        run('strace', '-f', '-T', '-o', trace, self.named('limpet_srv'), script, self.folder / 'data')
        page = settled(program)
        log.signal(signal.SIGTERM)
        self.assertEqual(log.wait(), 0)
        lines = [json.loads(line) for line in (self.folder / 'log').read_text().splitlines()]
        summary = lines[-1]
        self.assertEqual((lines[0]['type'], summary['type'], summary['lost']), ('header', 'summary', 0))
        logged = {one['call']: one for one in summary['calls']}
        traced = self.traced(trace)
        # Before the exec the process has strace's name, so its execve is not ours.
        for call in ('openat', 'pread64', 'pwrite64', 'fsync', 'close', 'newfstatat', 'read', 'write',
                     'getdents64', 'pipe2', 'wait4'):
            self.assertEqual((logged[call]['calls'], logged[call]['errors']), tuple(traced[call][:2]), call)
        # strace stops the process within the time that it shows, so ours is never longer; on a busy machine
        # it is much shorter, but never than what the script is known to wait.
        for call, known in (('read', 0.45), ('clock_nanosleep', 0.45), ('wait4', 0)):
            self.assertLessEqual(logged[call]['seconds'], traced[call][2] + 1e-3, call)
            self.assertGreaterEqual(logged[call]['seconds'], known, call)
        waited = [one['duration'] for one in lines if one.get('call') == 'clock_nanosleep']
        self.assertEqual(len(waited), 5)
        self.assertGreaterEqual(min(waited), 0.09)  # until an instant that Python reckoned before the call
        changes = [(one['change'], one.get('name')) for one in lines if one['type'] == 'descriptor']
        self.assertIn(('openat', str(self.folder / 'data')), changes)

        def operations(*names):
            return sum(logged[name]['calls'] for name in names if name in logged)
        for operation, names in (('open', ('openat', 'open')), ('read', ('read', 'pread64')),
                                 ('write', ('write', 'pwrite64')), ('fsync', ('fsync',)),
                                 ('stat', ('newfstatat', 'fstat', 'stat', 'lstat', 'access', 'statx'))):
            self.assertEqual(page.value('limpet_syscall_operation_seconds_count', process='limpet_srv',
                                        operation=operation), operations(*names), operation)

    def test_the_log_of_a_process_by_number_ends_with_it(self):
        script = self.script('by_number.py', '''
            import os, sys
            print("ready", flush=True)
            sys.stdin.readline()
            os.system("true")
        ''')
        process = self.start(sys.executable, script)
        self.assertEqual(process.stdout.readline(), 'ready\n')
        log = Program(EXPORTER, 'syscalls', '--pid', process.pid, '--output', self.folder / 'log')
        self.addCleanup(log.stop)
        wait_until('the log', lambda: 'logging system calls' in log.log)
        process.stdin.write('go\n')
        self.assertEqual(log.wait(), 0)
        lines = [json.loads(line) for line in (self.folder / 'log').read_text().splitlines()]
        self.assertGreater(len({one['pid'] for one in lines if one['type'] == 'call'}), 1, 'its children, too')
        self.assertEqual(lines[-1]['type'], 'summary')


@unittest.skipUnless(CAN_LOAD, 'needs root, BTF and the programs')
class LittleRightsTest(BpfTestCase):
    def test_a_user_with_the_two_capabilities_alone_can_load_and_keeps_neither(self):
        os.chmod(self.folder, 0o755)
        two = '+bpf,+perfmon'
        program = self.serve(
            'collectors: {block: {enabled: true}, syscall: {enabled: true, servers: [x]}}', 'setpriv',
            '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all,' + two, '--ambient-caps=' + two,
            '--bounding-set=-all,' + two)
        page = program.page()
        self.assertEqual([value for _, value in page.all('limpet_bpf_available')], [1, 1], program.log)
        self.assertTrue(page.all('limpet_bpf_missed_runs_total'))
        status = pathlib.Path('/proc/%d/status' % program.process.pid).read_text()
        for name in 'CapInh', 'CapPrm', 'CapEff', 'CapAmb':
            self.assertEqual(int(re.search(name + r':\s+(\w+)', status).group(1), 16), 0, name)


class RefusalTest(BpfTestCase):
    """Without privileges: it says what is missing and runs without."""
    CONFIG = '''collectors: {block: {enabled: true}, syscall: {enabled: true, servers: [limpet_srv]}}'''

    def unprivileged(self):
        if os.geteuid() != 0:
            return []
        # The folder of the test is root's alone; so is the configuration in it.
        os.chmod(self.folder, 0o755)
        return ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--bounding-set=-all']

    def test_serve_names_what_is_missing_and_runs_without(self):
        program = self.serve(self.CONFIG, *self.unprivileged())
        for collector in 'block', 'syscall':
            self.assertRegex(program.log, r'no %s collector: .*(lacks %s|LIMPET_BPF)' % (collector, CAPABILITIES))
        page = program.page()
        for one in 'block', 'syscall':
            found = page.all('limpet_bpf_available', programs=one)
            self.assertEqual([value for _, value in found], [0])
            self.assertIn(found[0][0]['missing'], ('permission', 'build'))
        self.assertFalse([name for name, _ in page.samples if name.startswith('limpet_block_')])
        for collector in 'block', 'syscall', 'bpf', 'disk':
            self.assertEqual(page.value('limpet_scrape_collector_success', collector=collector), 1)

    def test_the_log_names_what_is_missing(self):
        done = run(*self.unprivileged(), EXPORTER, 'syscalls', '--pid', os.getpid(), check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, 'lacks %s|LIMPET_BPF' % CAPABILITIES)

    def test_names_of_processes_are_needed(self):
        done = run(EXPORTER, 'once', '--config', self.write(
            'none.yml', 'collectors: {syscall: {enabled: true}}'), check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('collectors.syscall.servers: expected names of processes', done.stderr)
        done = run(EXPORTER, 'syscalls', check=False)
        self.assertEqual(done.returncode, 2)


if __name__ == '__main__':
    unittest.main()
