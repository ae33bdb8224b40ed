"""The lab's short form: 4 servers, one workload, two faults and none, each diagnosed rightly.

The three runs go side by side in labs of their own, with slow disks, so that two cores and five
minutes suffice. Run by ctest -R lab-short; needs root and scripts/setup --lab.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from limpet_lab import cleanup, matrix, report
from limpet_lab.settings import Settings, default_bin_dir

LABS = {'limpet-short%d' % number: '198.18.%d' % (84 + number) for number in range(3)}


class ShortTest(unittest.TestCase):
    def tearDown(self):
        for name, net in LABS.items():
            cleanup.take_down(Settings(name=name, network=net))

    def test_both_faults_are_named_and_nobody_else(self):
        with tempfile.TemporaryDirectory(prefix='limpet-short-') as folder:
            running = [subprocess.Popen(
                [sys.executable, '-m', 'limpet_lab.cli', '--name', name, '--network', net,
                 '--folder', folder, 'matrix', '--quick', '--disk-mb', '8', '--file-mib', '128'],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                for name, net in LABS.items()]
            said = [process.communicate()[0] for process in running]
            self.assertEqual([process.returncode for process in running], [0, 0, 0], '\n'.join(said))
            found = report.runs(folder)
            self.assertEqual(sorted(truth['fault'] for _, truth in found),
                             ['disk-hog', 'none', 'receive-pktloss'])
            scores = [report.score(truth, report.replay(default_bin_dir(), 'default', path, truth))
                      for path, truth in found]
        named = {one.truth['fault']: one.named for one in scores}
        servers = [host.name for host in Settings(servers=4).io_hosts]
        self.assertEqual(named, {one.fault: {one.server: one.fault.replace('receive-pktloss',
                                                                          'packet-loss')}
                                 if one.server else {} for one in matrix.quick(servers)})
        for name, net in LABS.items():
            self.assertFalse(cleanup.look(Settings(name=name, network=net)))


def missing():
    """What this machine's kernel lacks for a lab, '' when nothing."""
    if os.geteuid() != 0:
        return 'root'
    for device in ('/dev/fuse', '/dev/loop-control'):
        if not pathlib.Path(device).exists():
            return device
    space = 'limpet-probe-%d' % os.getpid()     # labs start side by side
    inside = ['ip', 'netns', 'exec', space]
    probes = (
        ('a free loop device', ['losetup', '--find']),
        ('network namespaces', ['ip', 'netns', 'add', space]),
        ('veth pairs', ['ip', '-n', space, 'link', 'add', 'veth0', 'type', 'veth', 'peer', 'name',
                        'veth1']),
        ('bridges', ['ip', '-n', space, 'link', 'add', 'bridge0', 'type', 'bridge']),
        ('token buckets', [*inside, 'tc', 'qdisc', 'add', 'dev', 'veth0', 'root', 'tbf', 'rate',
                           '10mbit', 'burst', '64kb', 'limit', '256kb']),
        ('random drops', [*inside, 'iptables', '-w', '-A', 'INPUT', '-m', 'statistic', '--mode',
                          'random', '--probability', '0.05', '-j', 'DROP']))
    try:
        return next((what for what, command in probes if subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=False).returncode), '')
    finally:
        subprocess.run(['ip', 'netns', 'delete', space], stderr=subprocess.DEVNULL, check=False)


if __name__ == '__main__':
    if missing():
        print('skipped: the lab needs ' + missing())
        sys.exit(77)
    unittest.main()
