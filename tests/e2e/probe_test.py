"""The confirming probe: disks that are read past every cache, by real exporters from real loop
devices, one of them with the arm of the lab's modelled disk."""
import grp
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import support
from moving_proc import Mover, MovingServer
from support import BIN_DIR, DIAGNOSER, EXPORTER, Program, bcrypt, get, run, wait_until

STEP = 0.25
USER = ('diagnoser', 'secret')

QUICK = '''
scrape: {interval: 250ms, basic_auth: {username: diagnoser, password: secret}}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 2s}
peer_groups: [{name: disks, kind: storage}]
probe: {enabled: true}
'''


def has_loops():
    return os.geteuid() == 0 and os.path.exists('/dev/loop-control')


@unittest.skipUnless(has_loops() and os.path.exists('/dev/fuse'), 'needs root, loop devices and FUSE')
class ProbeTest(support.TestCase):

    def setUp(self):
        super().setUp()
        self.web = self.write('web.yml', 'basic_auth_users: {diagnoser: "%s"}\n' % bcrypt('secret'))

    def loop(self, image):
        """The name of a loop device over a file."""
        loop = run('losetup', '--find', '--show', '--direct-io=on', image).stdout.strip()
        self.addCleanup(subprocess.run, ['losetup', '-d', loop], check=False)
        return os.path.basename(loop)

    def disk(self, name):
        image = self.folder / (name + '.img')
        image.write_bytes(os.urandom(4 << 20))
        return self.loop(image)

    def slow_disk(self):
        """(loop device, program): seeks of 2 ms and more, and a turn of 3 ms."""
        image, mount = self.folder / 'slow.img', self.folder / 'slow'
        with open(image, 'wb') as file:
            file.truncate(1 << 30)
        mount.mkdir()
        model = Program(BIN_DIR / 'slowdisk', image, mount)
        self.addCleanup(model.stop)
        self.addCleanup(subprocess.run, ['umount', '--lazy', str(mount)], check=False)
        wait_until('the modelled disk', (mount / 'disk').exists)
        return self.loop(mount / 'disk'), model

    def exporter(self, name, probe='{enabled: true}', before=(), **paths):
        """A running exporter; .ask(device) asks it for a probe."""
        config = self.write(name + '.yml', 'sampling: {interval: 250ms}\nprobe: %s\npaths: %s\n'
                            'collectors: {disk: {device_include: "^loop"}, tcp: {enabled: false}}\n'
                            % (probe, json.dumps(paths)))
        program = Program(*before, EXPORTER, 'serve', '--config', config, '--web.config.file', self.web,
                          '--web.listen-address', '127.0.0.1:0')
        self.addCleanup(program.stop)
        base = 'http://127.0.0.1:%d' % program.port()
        program.base = base
        program.ask = lambda device: get(base + '/probe/disk?device=' + device, user=USER)
        return program

    def probed(self, program, device, seconds=10):
        """The result, once there is one."""
        def result():
            answer = json.loads(program.ask(device).body)
            return answer if answer['state'] != 'running' else None
        return wait_until('a probe of ' + device, result, seconds)

    def wait_for_reads(self, programs, expected):
        """The pages are of the sample before."""
        def reads():
            return [get(one.base + '/metrics', user=USER).value('limpet_probe_reads_total') for one in programs]
        wait_until('the reads to be counted', lambda: reads() == expected)
        time.sleep(2 * STEP)
        self.assertEqual(reads(), expected)

    def test_three_medians_stand_beside_the_verdict_and_the_reads_are_ninety(self):
        slow, _ = self.slow_disk()
        disks = [self.disk('a'), self.disk('b'), slow, self.disk('d')]
        servers = [MovingServer(self.folder / ('io%02d' % (i + 1)), i, (disk,))
                   for i, disk in enumerate(disks)]
        programs = []
        for server, disk in zip(servers, disks):
            number = pathlib.Path('/sys/class/block', disk, 'dev').read_text()
            (server.root / 'sys/class/block' / disk / 'dev').write_text(number)
            programs.append(self.exporter(server.root.name, procfs=str(server.root / 'proc'),
                                          sysfs=str(server.root / 'sys')))
        targets = ''.join('  - {address: "%s", node: io%02d}\n' % (program.base[7:], i + 1)
                          for i, program in enumerate(programs))
        events = self.folder / 'events.jsonl'
        with Mover(servers, STEP):
            diagnoser = self.diagnoser(QUICK + 'events: {file: "%s"}\ntargets:\n%s' % (events, targets))
            time.sleep(2)
            servers[2].await_ms = 80.0
            servers[2].busy_ms = 15.0

            def told():
                facts = diagnoser.page().all('limpet_fact', node='io03', fact='probe')
                return facts and facts[0][0]
            fact = wait_until('the probe beside the verdict', told, 30)
            written = [json.loads(line) for line in wait_until(
                'the event', lambda: [line for line in events.read_text().splitlines()
                                      if '"fact":"probe"' in line])]
            api = json.loads(diagnoser.page('/api/v1/verdicts').body)
        times = re.fullmatch(r'([\d.]+) ms, io04/%s ([\d.]+) ms, io01/%s ([\d.]+) ms' % (disks[3], disks[0]),
                             fact['detail'])
        self.assertIsNotNone(times, fact)
        self.assertEqual(fact['device'], slow)
        self.assertGreater(float(times[1]), 4)
        self.assertGreater(float(times[1]), 2 * max(float(times[2]), float(times[3])))
        text = '30 reads of 4 KiB straight from the disk: io03/%s %s ms, io04/' % (slow, times[1])
        self.assertIn(text, written[0]['facts'][0]['text'])
        self.assertIn(text, json.dumps(api))
        self.assertIn('probe: io03: ' + text, diagnoser.log)
        self.wait_for_reads(programs, [30, 0, 30, 30])

    def test_it_is_off_and_refused_to_whoever_does_not_say_who_he_is(self):
        disk = self.disk('a')
        off = self.exporter('off', probe='{}')
        self.assertEqual(off.ask(disk).status, 403)
        self.assertNotIn('probe_reads', get(off.base + '/metrics', user=USER).body)
        on = self.exporter('on')
        path = on.base + '/probe/disk?device=' + disk
        self.assertEqual(get(path).status, 401)
        self.assertEqual(get(path, user=('diagnoser', 'wrong')).status, 401)
        self.assertEqual(self.probed(on, disk)['reads'], 30)
        # The same result again: a disk is read once in an interval.
        self.assertEqual(self.probed(on, disk)['state'], 'done')
        self.wait_for_reads([on], [30])

    def test_without_authentication_it_does_not_start_and_a_reload_is_refused(self):
        config = self.write('e.yml', 'probe: {enabled: true}\n')
        done = run(EXPORTER, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0', check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('probe.enabled: whoever may ask can have disks read, so expected basic_auth_users',
                      done.stdout + done.stderr)
        on = self.exporter('on')
        self.web.write_text('{}\n')
        on.signal(signal.SIGHUP)
        wait_until('the refusal', lambda: 'configuration refused' in on.log)
        self.assertIn('has neither', on.log)
        self.assertEqual(get(on.base + '/probe/disk?device=loop0').status, 401)

    def test_a_disk_that_hangs_hangs_nobody_else(self):
        slow, model = self.slow_disk()
        other = self.disk('a')
        exporter = self.exporter('on', '{enabled: true, timeout: 1s}')
        model.signal(signal.SIGSTOP)
        try:
            answer = self.probed(exporter, slow)
            self.assertEqual(answer['state'], 'no_answer')
            self.assertGreaterEqual(answer['waited_seconds'], 1)
            self.assertEqual(self.probed(exporter, other)['state'], 'done')
            self.assertEqual(get(exporter.base + '/metrics', user=USER).status, 200)
            self.assertEqual(json.loads(exporter.ask(slow).body)['state'], 'no_answer')
        finally:
            model.signal(signal.SIGCONT)
        back = wait_until('the disk to be back', lambda: (
            lambda one: one if one['state'] == 'done' else None)(json.loads(exporter.ask(slow).body)))
        self.assertGreater(back['median_seconds'], 0.004)

    def test_a_disk_that_is_gone_is_named(self):
        exporter = self.exporter('on')
        answer = self.probed(exporter, 'sdzz')
        self.assertEqual(answer['error'], 'sdzz: the kernel has no such disk; was it removed?')
        # There, but without anything behind it.
        empty = run('losetup', '--find').stdout.strip()
        answer = self.probed(exporter, os.path.basename(empty))
        self.assertEqual((answer['state'], answer['disk_error']), ('failed', False))
        self.assertIn('was it removed?', answer['error'])

    @unittest.skipUnless(shutil.which('setpriv'), 'needs setpriv')
    def test_it_needs_the_group_of_the_disk_and_says_so(self):
        disk = self.disk('a')
        node = '/dev/' + disk
        was = os.stat(node)
        self.addCleanup(os.chmod, node, was.st_mode)
        self.addCleanup(os.chown, node, was.st_uid, was.st_gid)
        os.chown(node, 0, grp.getgrnam('disk').gr_gid)      # as udev has it elsewhere
        os.chmod(node, 0o660)
        os.chmod(self.folder, 0o755)
        os.chmod(self.web, 0o644)
        nobody = ('setpriv', '--reuid=65534', '--regid=65534')
        if run(*nobody, '--clear-groups', EXPORTER, '--version', check=False).returncode != 0:
            self.skipTest('another user may not run the program here')
        without = self.exporter('without', before=nobody + ('--clear-groups',))
        self.assertIn('SupplementaryGroups=disk', self.probed(without, disk)['error'])
        member = self.exporter('member', before=nobody + ('--groups=disk',))
        self.assertEqual(self.probed(member, disk)['reads'], 30)


if __name__ == '__main__':
    unittest.main()
