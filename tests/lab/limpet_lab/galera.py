"""A replicated database: MariaDB with Galera. A member on each server, on ext4 on its disk.

Every member applies every change and syncs it, so all have the same to write; clients read from any, what is not
cached from its disk. A member that falls too far behind holds up all others. Clients have nothing to mount: sysbench
asks all members.
"""
import shutil

from .shell import LabError, in_namespace, run, spawn, wait_until

PORT = '3306-4568'      # of clients, of the members among themselves
CLIENT_PORT = 3306
RAW_DISKS = False
PROVIDER = '/usr/lib/galera/libgalera_smm.so'
TABLES, ROWS = 4, 100_000       # some 90 MB, of which a third is cached
CACHE_MIB = 32


def _template(settings):
    return settings.run_dir / 'galera-template'


def _daemon(host, data, folder, others=()):
    """A member on this data, which joins others or begins a cluster. Its socket is in the folder."""
    return in_namespace(
        host.namespace, 'mariadbd', '--no-defaults', '--user=root', '--skip-grant-tables', '--skip-name-resolve',
        '--datadir=%s' % data, '--socket=%s' % (folder / 'sql'), '--pid-file=%s' % (folder / 'pid'),
        '--bind-address=%s' % host.address, '--port=%d' % CLIENT_PORT, '--binlog-format=ROW',
        '--innodb-autoinc-lock-mode=2', '--innodb-flush-method=O_DIRECT', '--innodb-flush-log-at-trx-commit=1',
        '--innodb-buffer-pool-size=%dM' % CACHE_MIB, '--innodb-log-file-size=24M', '--performance-schema=OFF',
        '--wsrep-on=ON', '--wsrep-provider=' + PROVIDER, '--wsrep-cluster-name=lab', '--wsrep-slave-threads=4',
        '--wsrep-node-name=' + host.name, '--wsrep-node-address=' + host.address, '--wsrep-sst-method=rsync',
        '--wsrep-cluster-address=gcomm://' + ','.join(one.address for one in others),
        '--wsrep-provider-options=gcache.size=64M;evs.suspect_timeout=PT30S;evs.inactive_timeout=PT60S')


def start_shared(settings):
    """An empty database that was a cluster of one: all members begin with it, and none has to be sent another's."""
    for program in ('mariadbd', 'sysbench'):
        if not shutil.which(program):
            raise LabError('%s is not there: run scripts/setup --galera' % program)
    first, data = settings.io_hosts[0], _template(settings)
    run('mysql_install_db', '--no-defaults', '--user=root', '--auth-root-authentication-method=normal',
        '--skip-test-db', '--datadir=%s' % data)
    daemon = spawn(settings.name, _daemon(first, data, data), settings.run_dir / 'galera.log')
    _wait(data, settings.run_dir / 'galera.log')
    ask(data, 'create database lab; shutdown')
    daemon.wait()


def start_server(settings, host):
    """Starts a member: the first makes the cluster, the others join it."""
    data = host.brick / 'data'
    shutil.copytree(_template(settings), data)
    data.chmod(0o777)   # rsync, which tells a member that nothing has to be sent, gives root's rights up
    others = () if host == settings.io_hosts[0] else settings.io_hosts
    spawn(settings.name, _daemon(host, data, host.folder, others), host.folder / 'brick.log')
    _wait(host.folder, host.folder / 'brick.log')


def ask(folder, statement):
    """What the member with its socket there answers, a row a line. LabError when it does not."""
    return run('mysql', '--no-defaults', '--socket=%s' % (folder / 'sql'), '--batch', '--skip-column-names',
               '--connect-timeout=5', '--execute', statement)


def _is_ready(folder):
    try:
        return ask(folder, "show status like 'wsrep_ready'").split()[-1:] == ['ON']
    except LabError:
        return False


def _wait(folder, log):
    wait_until('MariaDB in %s' % folder, lambda: _is_ready(folder), seconds=120, interval=0.5, log=log)


# The lab's tables; the members' addresses come after it.
SYSBENCH = ('sysbench', 'oltp_read_write', '--db-driver=mysql', '--mysql-user=root', '--mysql-db=lab',
            '--mysql-ignore-errors=all', '--tables=%d' % TABLES, '--table-size=%d' % ROWS, '--rand-type=uniform')


def mount(settings, host):
    """The first client fills the tables."""
    (host.mount / host.name).mkdir(parents=True)
    first = settings.io_hosts[0]
    if not ask(first.folder, 'show tables in lab').strip():
        run(*in_namespace(host.namespace, *SYSBENCH, '--mysql-host=' + first.address, 'prepare'))
    return None, None


def backup(host):
    """What reads all that a member has, over and over."""
    return ('while mysqldump --no-defaults --user=root --host=%s --single-transaction lab > /dev/null; do :; done'
            % host.address)
