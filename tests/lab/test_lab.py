"""The pure parts of the lab: settings, volume files, what is left over."""
import os
import pathlib
import tempfile
import unittest
from unittest import mock

from limpet_lab import (cleanup, disk, gluster, little_memory, monitor, network, own_proc, own_unit, semantic,
                        shell)
from limpet_lab.settings import Settings


class SettingsTest(unittest.TestCase):
    def test_names_and_addresses(self):
        lab = Settings(servers=3, clients=1)
        self.assertEqual([(h.name, h.role, h.address) for h in lab.hosts], [
            ('io01', 'io', '198.18.77.1'), ('io02', 'io', '198.18.77.2'),
            ('io03', 'io', '198.18.77.3'), ('client01', 'client', '198.18.77.101'),
            ('guest', 'guest', '198.18.77.201')])
        self.assertEqual(lab.host('io02').namespace, 'limpet-demo-io02')


class NetworkTest(unittest.TestCase):
    LISTING = ('1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever\n'
               '7: limpet-a    inet 198.18.90.254/24 scope global limpet-a\\       valid_lft forever\n')

    def test_a_network_of_another_lab_is_seen(self):
        self.assertEqual(network.holder_of('198.18.90', self.LISTING), 'limpet-a')
        self.assertIsNone(network.holder_of('198.18.9', self.LISTING))
        self.assertEqual(network.free_network(90, self.LISTING), '198.18.91')
        self.assertEqual(network.free_network(77, self.LISTING), '198.18.77')
        with self.assertRaisesRegex(shell.LabError, 'taken'):
            network.free_network(255, self.LISTING.replace('198.18.90', '198.18.255'))


class SemanticTest(unittest.TestCase):
    def test_the_first_free_descriptor_is_below_those_of_files_that_come_and_go(self):
        opened = {0: '/dev/null', 1: '/brick/data/.glusterfs', 2: 'socket:[1]', 3: '/brick/data/f',
                  4: 'socket:[2]'}
        self.assertEqual(semantic.first_free(opened, '/brick/data'), 3)


class GlusterTest(unittest.TestCase):
    def test_redundancy_keeps_a_power_of_two_of_data_where_it_can(self):
        self.assertEqual({n: gluster.redundancy(n) for n in (3, 4, 5, 6, 7, 8, 9, 10, 12)},
                         {3: 1, 4: 1, 5: 1, 6: 2, 7: 3, 8: 2, 9: 1, 10: 2, 12: 4})

    def test_redundancy_is_always_one_that_dispersal_accepts(self):
        for servers in range(3, 40):
            self.assertTrue(0 < 2 * gluster.redundancy(servers) < servers, servers)

    def test_two_servers_are_refused(self):
        with self.assertRaisesRegex(shell.LabError, 'at least 3'):
            gluster.redundancy(2)

    def test_distributed_files_lie_on_one_server_each(self):
        text = gluster.client_file([('a', '10.0.0.1'), ('b', '10.0.0.2')], distributed=True)
        self.assertIn('cluster/distribute', text)
        self.assertNotIn('disperse', text)

    def test_hosts_tell_of_the_system_calls_of_their_own_processes(self):
        lab = Settings(servers=3, clients=1)
        server = monitor.syscall_config(lab, lab.host('io01'), '/dev/loop3')
        client = monitor.syscall_config(lab, lab.host('client01'), None)
        self.assertIn('  block: {enabled: true, device_include: "^loop3$"}\n', server)
        self.assertIn('  block: {enabled: false}\n', client)
        self.assertIn('servers: [glusterfsd]\n    clients: []\n', server)
        self.assertIn('network_namespace: /run/netns/limpet-demo-io01', server)
        self.assertIn('servers: []\n    clients: [glusterfs, dd', client)

    def test_a_volume_has_its_options_and_subvolumes(self):
        self.assertEqual(
            gluster.section('s', 'protocol/server', ['brick'], transport_type='tcp',
                          auth__addr__brick__allow='*'),
            'volume s\n    type protocol/server\n    option transport-type tcp\n'
            '    option auth.addr.brick.allow *\n    subvolumes brick\nend-volume\n\n')

    def test_a_client_stripes_over_every_server(self):
        text = gluster.client_file([('a', '10.0.0.1'), ('b', '10.0.0.2'), ('c', '10.0.0.3')])
        self.assertIn('subvolumes remote-a remote-b remote-c\n', text)
        self.assertIn('option redundancy 1\n', text)
        self.assertEqual(text.count('type protocol/client'), 3)


class OwnProcTest(unittest.TestCase):
    def test_without_it_commands_are_as_they_were(self):
        lab = Settings()
        self.assertEqual(own_proc.in_group(lab, lab.host('io01'), ['dd', 'if=x']), ['dd', 'if=x'])
        self.assertEqual(own_proc.with_own_files(lab, lab.host('io01'), ['a']), ['a'])

    def test_a_server_enters_its_group_and_sees_the_files_of_lxcfs(self):
        lab = Settings(own_proc=True)
        command = own_proc.with_own_files(lab, lab.host('io02'), ['limpet-exporter', 'record'])
        self.assertEqual(command[:2], ['sh', '-c'])
        self.assertIn('/limpet-demo-io02/cgroup.procs', command[2])
        self.assertIn('mount --bind %s/lxcfs/proc/loadavg /proc/loadavg' % lab.run_dir,
                      ' '.join(command))
        self.assertEqual(command[-2:], ['limpet-exporter', 'record'])

    def test_clients_have_no_group(self):
        lab = Settings(own_proc=True)
        self.assertEqual(own_proc.in_group(lab, lab.host('client01'), ['dd']), ['dd'])

    def test_groups_of_the_lab_only(self):
        with tempfile.TemporaryDirectory() as root:
            for name in ('cpu/limpet-lab-io01', 'cpu/limpet-lab2-io01', 'memory/limpet-lab-io01'):
                pathlib.Path(root, name).mkdir(parents=True)
            found = own_proc.groups_of('limpet-lab', pathlib.Path(root))
            self.assertEqual([str(path.relative_to(root)) for path in found],
                             ['cpu/limpet-lab-io01', 'memory/limpet-lab-io01'])

    def test_a_server_may_have_little_memory(self):
        host = Settings(name='limpet-lab').host('io01')
        with tempfile.TemporaryDirectory() as root:
            root = pathlib.Path(root)
            self.assertIsNone(little_memory.limited(host, 64, ['chunks'], root), 'no such controller')
            (root / little_memory.LIMIT).touch()
            command = little_memory.limited(host, 64, ['chunks', '-f'], root)
            self.assertEqual(command[-2:], ['chunks', '-f'])
            self.assertIn('%s/limpet-lab-io01/cgroup.procs' % root, command[2])
            self.assertEqual((root / 'limpet-lab-io01' / little_memory.LIMIT).read_text(), '%d\n' % (64 << 20))

    def test_a_server_may_have_a_unit(self):
        settings = Settings(name='limpet-lab')
        with tempfile.TemporaryDirectory() as root:
            root = pathlib.Path(root)
            (root / 'loop3').mkdir()
            (root / 'loop3/dev').write_text('7:3\n')
            asked = (settings, 'ceph-osd@1.service', '/dev/loop3', ['ceph-osd', '-i', '1'], root, root)
            self.assertEqual(own_unit.in_unit(*asked), ['ceph-osd', '-i', '1'], 'no such groups')
            (root / 'cgroup.procs').touch()
            command = own_unit.in_unit(*asked)
            self.assertEqual(command[-3:], ['ceph-osd', '-i', '1'])
            group = root / 'limpet-lab-ceph-osd@1.service'
            self.assertIn('%s/cgroup.procs' % group, command[2])
            for limit in own_unit.LIMITS:
                self.assertEqual((group / limit).read_text(), '7:3 100000000000\n')


class CleanupTest(unittest.TestCase):
    MOUNTINFO = ('21 1 254:0 / / rw - ext4 /dev/vda rw\n'
                 '40 21 0:50 / /tmp/lab/io01/disk rw - fuse.slowdisk slowdisk rw\n'
                 '41 21 7:0 / /tmp/lab/io01/brick rw - ext4 /dev/loop0 rw\n'
                 '42 21 7:1 / /tmp/laboratory rw - ext4 /dev/loop1 rw\n')

    def test_two_may_remove_a_folder_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(name='gone', data_dir=pathlib.Path(folder))
            (settings.run_dir / 'io01/brick').mkdir(parents=True)
            with mock.patch('os.lstat', side_effect=FileNotFoundError(2, 'gone')):
                cleanup._remove_folder(settings, False)
            with mock.patch('os.lstat', side_effect=PermissionError(1, 'no')), self.assertRaises(PermissionError):
                cleanup._remove_folder(settings, False)

    def test_mounts_of_the_lab_only(self):
        self.assertEqual(cleanup.mounts_under('/tmp/lab', self.MOUNTINFO),
                         ['/tmp/lab/io01/disk', '/tmp/lab/io01/brick'])

    def test_nothing_left_is_false(self):
        self.assertFalse(cleanup.Leftovers())

    def test_leftovers_are_named(self):
        left = cleanup.Leftovers(processes=((1, 'a'), (2, 'b')), loops=('/dev/loop0',), link=True)
        self.assertTrue(left)
        self.assertEqual(str(left), '2 processes, 1 loop device, 1 network link')

    def test_loop_devices_of_the_lab_only(self):
        with tempfile.TemporaryDirectory() as root:
            for name, backing in (('loop0', '/tmp/lab/io01/disk/disk\n'), ('loop1', '/other\n')):
                folder = pathlib.Path(root, name, 'loop')
                folder.mkdir(parents=True)
                (folder / 'backing_file').write_text(backing)
            self.assertEqual(disk.loops_under('/tmp/lab', root), ['/dev/loop0'])

    def test_only_processes_with_the_labs_mark(self):
        with tempfile.TemporaryDirectory() as root:
            for pid, environment in (('7', b'A=1\0LIMPET_LAB=x\0'), ('8', b'LIMPET_LAB=xy\0')):
                folder = pathlib.Path(root, pid)
                folder.mkdir()
                (folder / 'environ').write_bytes(environment)
                (folder / 'comm').write_text('dd\n')
            self.assertEqual(shell.marked_processes('x', root, root), [(7, 'dd')])

    def test_a_process_without_the_mark_is_found_by_its_network(self):
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root, 'proc/7')
            (folder / 'ns').mkdir(parents=True)
            (folder / 'environ').write_bytes(b'mfsmount (mounted on: /x)')
            (folder / 'comm').write_text('mfsmount\n')
            (folder / 'ns/net').write_text('')
            netns = pathlib.Path(root, 'netns')
            netns.mkdir()
            os.link(folder / 'ns/net', netns / 'x-client01')
            found = shell.marked_processes('x', pathlib.Path(root, 'proc'), netns)
            self.assertEqual(found, [(7, 'mfsmount')])
            self.assertEqual(shell.marked_processes('y', pathlib.Path(root, 'proc'), netns), [])


if __name__ == '__main__':
    unittest.main()
