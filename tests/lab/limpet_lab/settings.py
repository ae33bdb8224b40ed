"""What a lab is made of, as values."""
import dataclasses
import os
import pathlib

GIB = 1 << 30
MIB = 1 << 20
METADATA_SERVERS = 3    # of CephFS


@dataclasses.dataclass(frozen=True)
class Settings:
    """One lab. Two labs on one machine need different names and networks."""
    name: str = 'limpet-demo'       # prefix of network namespaces; at most 15 characters
    servers: int = 6
    clients: int = 2
    network: str = '198.18.77'      # a /24 of RFC 2544's range, which no real network uses
    disk_mb_per_second: float = 20  # 10^6 bytes
    disk_gib: int = 8               # sparse
    channels: int = 1               # of each disk: requests it works on at once
    link_mbit: int = 200            # each server's link, both ways
    mtu: int = 1500                 # 9000, as storage networks often have it, costs a sixth of the CPU time
    congestion: str = 'cubic'       # control, of all connections
    file_mib: int = 512             # each client's file
    file_system: str = 'gluster'
    distributed: bool = False       # each file on one server, as PVFS' metadata: errors reach clients
    buffered: bool = False          # page cache at the bricks: small-file workloads need it
    syscalls: bool = False          # the exporters tell of system calls and block devices, too
    own_proc: bool = False          # each server its own /proc/stat and loadavg (own_proc.py)
    server_role: str = 'io'         # as recordings say it, and the beginning of servers' names
    slower: str = ''                # one server's disk is slower by a little: "io03"
    slower_by: float = 0.0          # 0.02 is 2 %
    state_dir: pathlib.Path = pathlib.Path('/run')
    data_dir: pathlib.Path = pathlib.Path('/var/tmp')
    bin_dir: pathlib.Path = pathlib.Path('build/release/bin')

    @property
    def run_dir(self):
        """Everything the lab writes: disks (sparse files), mounts, configurations, logs."""
        return self.data_dir / self.name

    @property
    def lock_file(self):
        """Held while somebody works with the lab."""
        return self.state_dir / (self.name + '.lock')

    @property
    def hosts(self):
        """Every host, servers first."""
        made = [Host(self, '%s%02d' % (self.server_role, i + 1), 'io',
                     '%s.%d' % (self.network, i + 1))
                for i in range(self.servers)]
        made += [Host(self, 'client%02d' % (i + 1), 'client', '%s.%d' % (self.network, i + 101))
                 for i in range(self.clients)]
        if self.file_system == 'cephfs':
            made += [Host(self, 'mds%02d' % (i + 1), 'mds', '%s.%d' % (self.network, i + 161))
                     for i in range(METADATA_SERVERS)]
        if self.file_system in ('moosefs', 'ceph', 'cephfs', 'swift'):
            made.append(Host(self, 'meta', 'meta', self.network + '.151'))
        return made + [Host(self, 'guest', 'guest', self.network + '.201')]

    @property
    def io_hosts(self):
        return [host for host in self.hosts if host.role == 'io']

    @property
    def metadata_hosts(self):
        return [host for host in self.hosts if host.role == 'mds']

    @property
    def recorded_hosts(self):
        """Those that a diagnosis hears of."""
        return self.io_hosts + self.metadata_hosts + self.client_hosts

    @property
    def peers(self):
        """Those of which one gets a fault: metadata servers where there are any."""
        return self.metadata_hosts or self.io_hosts

    @property
    def client_hosts(self):
        return [host for host in self.hosts if host.role == 'client']

    def host(self, name):
        return next(host for host in self.hosts if host.name == name)

    def speed_of(self, host):
        """Factor of a server's disk speed."""
        return 1 / (1 + self.slower_by) if host.name == self.slower else 1.0

    @property
    def outside_address(self):
        """This machine's own address on the lab's bridge; nothing is routed beyond it."""
        return self.network + '.254'


@dataclasses.dataclass(frozen=True)
class Host:
    """A network namespace that plays a machine. role: io, mds, client, meta (a
    master, a monitor) or guest (a third party)."""
    settings: Settings
    name: str
    role: str
    address: str

    @property
    def namespace(self):
        return '%s-%s' % (self.settings.name, self.name)

    @property
    def folder(self):
        return self.settings.run_dir / self.name

    @property
    def brick(self):
        """Where a server's file system is mounted."""
        return self.folder / 'brick'

    @property
    def mount(self):
        """Where a client sees the volume."""
        return self.folder / 'mnt'

    @property
    def disk_image(self):
        return self.folder / 'backing'

    @property
    def disk_mount(self):
        return self.folder / 'disk'

    @property
    def disk_control(self):
        return self.folder / 'control'


def default_bin_dir():
    """LIMPET_BIN, else build/release/bin of this source tree."""
    root = pathlib.Path(__file__).resolve().parents[3]
    return pathlib.Path(os.environ.get('LIMPET_BIN', root / 'build/release/bin')).resolve()
