"""The syscall collector and the event log, against strace and programs that know what they did."""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sys
import time
import unittest

from bpf_case import CAN_LOAD, BpfTestCase, settled, total
from support import EXPORTER, Program, run, wait_until


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
            processes = [self.start(*prefix, self.named('limpet_srv'), reader, data, times)
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

    # A proxy: 1,500 short connections come in, each from a port of its own; it asks six servers.
    PROXY = '''
        import ctypes, os, socket, sys, threading
        servers = [socket.create_server(("127.0.0.%d" % (i + 2), 0)) for i in range(6)]
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(1, 9)   # ends with its parent
            open("/proc/self/comm", "w").write("limpet_srv")
            def answer(one):
                while True:
                    connection, _ = one.accept()
                    while connection.recv(10): connection.sendall(b"y")
                    connection.close()
            [threading.Thread(target=answer, args=(one,)).start() for one in servers[1:]]
            answer(servers[0])
        front = socket.create_server(("127.0.0.1", 0), backlog=int(sys.argv[1]))
        out = [socket.create_connection(one.getsockname()) for one in servers]
        for one in servers: print("%s:%d" % one.getsockname(), flush=True)
        print(front.getsockname()[1], flush=True)
        sys.stdin.readline()
        for i in range(1500):
            connection, _ = front.accept()
            connection.recv(10)
            out[i % 6].sendall(b"x"); out[i % 6].recv(10)
            connection.sendall(b"z"); connection.close()
        print("done", flush=True)
        sys.stdin.readline()
    '''

    def test_connections_that_others_make_take_no_place_of_a_peer(self):
        script = self.script('proxy.py', self.PROXY)
        for before in False, True:
            with self.subTest(before=before):
                proxy = self.start(self.named('limpet_cli'), script, '100') if before else None
                program = self.serve(self.CONFIG)
                proxy = proxy or self.start(self.named('limpet_cli'), script, '100')
                servers = {proxy.stdout.readline().strip() for _ in range(6)}
                port = int(proxy.stdout.readline())
                proxy.stdin.write('go\n')
                for _ in range(1500):
                    with socket.create_connection(('127.0.0.1', port)) as connection:
                        connection.sendall(b'a')
                        connection.recv(10)
                self.assertEqual(proxy.stdout.readline(), 'done\n')
                page = settled(program)
                peers = page.all('limpet_syscall_last_completed_timestamp_seconds')
                self.assertEqual({labels['peer'] for labels, _ in peers}, servers)
                for reason in 'peers', 'replaced':
                    self.assertEqual(page.value('limpet_syscall_dropped_total', reason=reason), 0)
                self.end(proxy)
                program.stop()

    def test_the_oldest_peer_gives_way(self):
        script = self.script('many.py', '''
            import socket, sys
            server = socket.create_server(("0.0.0.0", 0))
            port = server.getsockname()[1]
            print(port, flush=True)
            sys.stdin.readline()
            for i in range(3000):
                one = socket.create_connection(("127.1.%d.%d" % (i // 250, i % 250 + 1), port))
                server.accept()[0].close()
                one.close()
            last = socket.create_connection(("127.2.0.1", port))
            print("done", flush=True)
            sys.stdin.readline()
        ''')
        program = self.serve(self.CONFIG)
        client = self.start(self.named('limpet_cli'), script)
        port = client.stdout.readline().strip()
        client.stdin.write('go\n')
        self.assertEqual(client.stdout.readline(), 'done\n')
        page = settled(program)
        self.assertEqual(page.value('limpet_syscall_dropped_total', reason='peers'), 0)
        self.assertGreaterEqual(page.value('limpet_syscall_dropped_total', reason='replaced'), 3001 - 1024)
        self.assertIsNotNone(page.value('limpet_syscall_last_completed_timestamp_seconds', process='limpet_cli',
                                        operation='connect', peer='127.2.0.1:' + port))

    SCRIPT = '''
        import ctypes, os, sys, threading
        name = sys.argv[1]
        wait = ctypes.CDLL(None).usleep  # time.sleep waits until an instant that it reckons before the call
        reader, writer = os.pipe()
        for _ in range(5):
            thread = threading.Thread(target=lambda: (wait(100000), os.write(writer, b"x")))
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
        # it is much shorter, but never than what the script is known to wait (a read may begin late).
        for call, known in (('read', 0.25), ('clock_nanosleep', 0.5), ('wait4', 0)):
            self.assertLessEqual(logged[call]['seconds'], traced[call][2] + 1e-3, call)
            self.assertGreaterEqual(logged[call]['seconds'], known, call)
        waited = [one['duration'] for one in lines if one.get('call') == 'clock_nanosleep']
        self.assertEqual(len(waited), 5)
        self.assertGreaterEqual(min(waited), 0.1)
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
            import os, signal, sys
            signal.signal(signal.SIGUSR1, lambda *_: None)
            print("ready", flush=True)
            sys.stdin.readline()
            os.kill(os.getpid(), signal.SIGUSR1)
            os.system("kill -9 $$")
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
        signals = [(one['signal'], one['pid'] == process.pid) for one in lines
                   if one['type'] == 'signal' and one['signal'] != 'SIGCHLD']
        self.assertEqual(signals, [('SIGUSR1', True), ('SIGKILL', False)])
        self.assertEqual(lines[-1]['type'], 'summary')


if __name__ == '__main__':
    unittest.main()
