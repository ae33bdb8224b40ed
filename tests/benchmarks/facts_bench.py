"""What the facts cost a running limpet-exporter: processor time, with and without them.

A made-up server: 12 SATA disks with a file system each, 4 interfaces, 32 cores; counters of disks and
interfaces move every second. Three exporters with the shipped configuration run side by side on it and
are scraped once a second each:
    off       without facts
    shown     facts are read once and then carried through every sample and page
    read      facts are read every --every seconds, settings with each fifth reading
A reading costs (read - shown) / number of readings; a minute of facts costs one reading and 60 seconds
of (shown - off). Readings come more often than they do in earnest, so that there are enough of them to
tell from the rest; --every 60 is the real rhythm. Processor time is the kernel's clock of each process;
all three run at the same time, so whatever else the machine does meets all; each round starts them anew.
--connections: established on a file-system port, which the tcp collector reads.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import tempfile
import time

from exporter_bench import Connections, Program, Tree, free_port, sleep_until

DISKS, INTERFACES, CORES = 12, 4, 32
WARM_UP = 12  # seconds: what only a young exporter does


class FactTree(Tree):
    """The tree of exporter_bench with what the facts are read from."""

    def __init__(self, folder):
        super().__init__(folder, DISKS)
        mounts = ''
        for i in range(DISKS):
            mounts += self.add_disk(folder, i)
        for i in range(INTERFACES):
            self.put('class/net/eth%d/statistics/rx_crc_errors' % i, '0')
            self.put('class/net/eth%d/carrier_changes' % i, '2')
            self.put('class/net/eth%d/device/uevent' % i, 'DRIVER=ixgbe')
            for name, value in (('speed', '8.0 GT/s PCIe'), ('width', '8')):
                self.put('class/net/eth%d/device/current_link_%s' % (i, name), value)
                self.put('class/net/eth%d/device/max_link_%s' % (i, name), value)
        for i in range(CORES):
            cpu = 'devices/system/cpu/cpu%d/' % i
            for name, value in (('thermal_throttle/core_throttle_count', 0),
                                ('thermal_throttle/package_throttle_count', 0),
                                ('topology/physical_package_id', i % 2), ('topology/core_id', i // 2)):
                self.put(cpu + name, str(value))
        for i in range(4):
            self.put('devices/system/edac/mc/mc%d/ce_count' % i, '0')
            self.put('devices/system/edac/mc/mc%d/ue_count' % i, '0')
        self.write(os.path.join(self.proc, '1/mountinfo'), mounts.encode())
        self.write(os.path.join(self.proc, 'pressure/memory'),
                   b'some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n'
                   b'full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n')
        self.write(os.path.join(self.proc, 'sys/kernel/osrelease'), b'6.1.0\n')

    def put(self, path, text):
        self.write(os.path.join(self.sys, path), text.encode() + b'\n')

    def add_disk(self, folder, i):
        """A drive behind its ATA port, as libata lays it out; a line of mountinfo."""
        name, port = self.disk(i), 'devices/pci/ata%d/' % (i + 1)
        drive = port + 'host/target/drive/'
        place = pathlib.Path(self.sys, 'class/block', name)
        place.unlink()
        place.symlink_to('../../%sblock/%s' % (drive, name))
        for path, text in (('ata_link/link/sata_spd', '6.0 Gbps'), ('ata_link/link/hw_sata_spd_limit', '6.0 Gbps'),
                           ('dev/ata_device/dev/spdn_cnt', '0')):
            self.put(port + 'link/' + path, text)
        block = drive + 'block/%s/' % name
        for path, text in (('queue/scheduler', '[none] mq-deadline kyber'), ('queue/write_cache', 'write back'),
                           ('queue/nr_requests', '64'), ('queue/read_ahead_kb', '128'), ('size', '1953525168')):
            self.put(block + path, text)
        self.put(drive + 'queue_depth', '32')
        os.symlink('../..', os.path.join(self.sys, block, 'device'))
        self.put('fs/ext4/%s/errors_count' % name, '0')
        mount = os.path.join(folder, 'mounts', name)
        os.makedirs(mount)
        number = os.stat(mount).st_dev
        return '%d 1 %d:%d / %s rw - ext4 /dev/%s rw\n' % (30 + i, os.major(number), os.minor(number), mount, name)


ARMS = {'off': {'enabled': False}, 'shown': {'refresh': '1d'}, 'read': {}}


def round_of(options, folder):
    """{arm: seconds of CPU time} of so many seconds."""
    with contextlib.ExitStack() as stack:
        tree = FactTree(folder)
        tcp = {}
        if options.connections:
            connections = Connections(2 * options.connections)
            stack.callback(connections.close)
            tcp = {'ports': [connections.port], 'exclude_loopback': False}
        programs = {}
        for arm, facts in ARMS.items():
            config = os.path.join(folder, arm + '.yml')
            with open(config, 'w', encoding='utf-8') as file:
                json.dump({'collectors': {'tcp': tcp, 'facts': facts or {'refresh': '%ds' % options.every}}}, file)
            port = free_port()
            programs[arm] = Program([options.exporter, 'serve', '--config', config, '--path.procfs', tree.proc,
                                     '--path.sysfs', tree.sys, '--web.listen-address', '127.0.0.1:%d' % port],
                                    port, 'identity')
            stack.callback(programs[arm].stop)
        begin = int(time.time()) + 1
        for second in range(begin, begin + WARM_UP + options.seconds):
            if second == begin + WARM_UP:
                sleep_until(second)
                before = {arm: program.cpu_seconds() for arm, program in programs.items()}
            for i, program in enumerate(programs.values()):
                sleep_until(second + 0.3 + 0.15 * i)
                program.scrape()
            sleep_until(second + 0.9)
            tree.move()
        sleep_until(begin + WARM_UP + options.seconds)
        spent = {arm: program.cpu_seconds() - before[arm] for arm, program in programs.items()}
        series = sum(line.startswith(b'limpet_') for line in programs['read'].scrape()[1].splitlines())
        series -= sum(line.startswith(b'limpet_') for line in programs['off'].scrape()[1].splitlines())
        return spent, series


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--exporter', default='build/release/bin/limpet-exporter')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=int, default=40, help='of a round (default: %(default)s)')
    parser.add_argument('--every', type=int, default=1, help='seconds between two readings (default: %(default)s)')
    parser.add_argument('--connections', type=int, default=100, help='of clients (default: %(default)s)')
    options = parser.parse_args()
    found = []
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory(prefix='limpet-facts-bench-') as folder:
            spent, series = round_of(options, folder)
        minute = {arm: spent[arm] / options.seconds * 60e3 for arm in ARMS}    # ms
        reading = (minute['read'] - minute['shown']) * options.every / 60
        carried = minute['shown'] - minute['off']
        found.append((minute['off'], reading, carried))
        print('%d: without facts %.1f ms a minute; a reading %.3f ms; carrying %d series %.3f ms a minute; '
              '%.2f %%' % (number + 1, *found[-1][:2], series, carried, 100 * (reading + carried) / minute['off']),
              flush=True)
    without, reading, carried = (statistics.median(column) for column in zip(*found))
    print('median: without facts %.1f ms a minute; a reading %.3f ms (%.2f %%); carrying %.3f ms a minute (%.2f %%)'
          % (without, reading, 100 * reading / without, carried, 100 * carried / without))


if __name__ == '__main__':
    main()
