"""File systems that shut down, for real: on loop devices, seen by limpet-exporter once."""
import os
import shutil
import subprocess
import unittest

from support import EXPORTER, Page, TestCase, run


@unittest.skipUnless(os.geteuid() == 0 and os.path.exists('/dev/loop-control') and shutil.which('xfs_io'),
                     'needs root, loop devices and xfs_io')
class FilesystemTest(TestCase):
    def mounted(self, kind):
        """A new file system of this kind, as (device, folder)."""
        if not shutil.which('mkfs.' + kind):
            self.skipTest('no mkfs.' + kind)
        image, folder = self.folder / kind, self.folder / ('on_' + kind)
        with open(image, 'wb') as file:
            file.truncate(320 << 20)
        run('mkfs.' + kind, '-q', image)
        folder.mkdir()
        device = run('losetup', '--find', '--show', image).stdout.strip()
        self.addCleanup(subprocess.run, ['losetup', '-d', device], check=False)
        if run('mount', device, folder, check=False).returncode != 0:
            self.skipTest('no %s in this kernel' % kind)
        self.addCleanup(run, 'umount', folder)
        return device, folder

    def facts(self, device, folder, kind):
        page = Page(200, {}, run(EXPORTER, 'once').stdout)
        labels = {'device': device, 'mountpoint': str(folder), 'fstype': kind}
        return {name: page.value('limpet_filesystem_' + name, **labels)
                for name in ('readonly', 'device_error', 'size_bytes')}

    def test_xfs_fails_each_call_and_stays_writable_in_mountinfo(self):
        device, folder = self.mounted('xfs')
        before = self.facts(device, folder, 'xfs')
        self.assertEqual((before['readonly'], before['device_error']), (0, 0))
        self.assertGreater(before['size_bytes'], 200 << 20)
        run('xfs_io', '-x', '-c', 'shutdown', folder)
        after = self.facts(device, folder, 'xfs')
        self.assertEqual(after, {'readonly': 0, 'device_error': 1, 'size_bytes': None})

    def test_ext4_answers_on_and_says_so_among_its_options(self):
        device, folder = self.mounted('ext4')
        self.assertEqual(self.facts(device, folder, 'ext4')['device_error'], 0)
        run('xfs_io', '-x', '-c', 'shutdown', folder)
        with open('/proc/self/mountinfo') as mounts:
            said = [line for line in mounts if str(folder) in line]
        if 'shutdown' not in said[0]:
            self.skipTest('this kernel does not tell (before Linux 6.15): ' + said[0])
        self.assertEqual(self.facts(device, folder, 'ext4')['device_error'], 1)


if __name__ == '__main__':
    unittest.main()
