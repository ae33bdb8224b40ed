"""Loading the programs, with which rights, and the block collector, against diskstats.

Loading needs root, BTF and a build with LIMPET_BPF; without, only the refusal is tested.
"""
import os
import pathlib
import re
import unittest

from bpf_case import CAN_LOAD, CAPABILITIES, BpfTestCase, diskstats, settled, total
from support import EXPORTER, run, wait_until


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
