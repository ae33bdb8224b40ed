"""Which experiments a matrix consists of. The same numbers in, the same list out.

Every workload with every fault, a different server each time, and runs without a fault. All of
them come once before any comes again, so that a matrix that was interrupted is a whole one with fewer
repeats; in each round, workloads that need a buffered lab come last.
"""
import contextlib
import fcntl
import functools

from .experiment import Experiment
from .workload import PAPER_WORKLOADS, WORKLOADS

PAPER_FAULTS = ('disk-hog', 'disk-busy', 'write-network-hog', 'read-network-hog',
                'receive-pktloss', 'send-pktloss')
HOG_WORKLOADS = ('ddr', 'ddw', 'iozoner')
PAN08 = {'cpu-hog': 0.7, 'disk-hog': None, 'receive-pktloss': 50}
# Graded strengths: where does detection begin?
GRADES = (('receive-pktloss', (0.5, 1, 2)), ('slow-disk', (1.3, 2, 5)),
          ('write-network-hog', (20, 50, 100, 10)), ('disk-hog', (256,)))


def full(servers, repeats=3, fault_free=3, workloads=PAPER_WORKLOADS, kinds=PAPER_FAULTS,
         **seconds):
    """`repeats` runs of each workload and fault, `fault_free` of each workload without one."""
    made, turn = [], 0
    for seed in range(1, max(repeats, fault_free) + 1):
        for name in sorted(workloads, key=lambda one: WORKLOADS[one].buffered):
            if seed <= fault_free:
                made.append(Experiment(name, seed=seed, **seconds))
            for fault in kinds if seed <= repeats else ():
                made.append(Experiment(name, fault, servers[turn % len(servers)], seed, **seconds))
                turn += 1
            turn += 1   # or every fault would meet one server in all workloads
    return made


def quick(servers, **seconds):
    """One workload, two faults and a fault-free run."""
    return [Experiment('ddr', **seconds),
            Experiment('ddr', 'disk-hog', servers[1], **seconds),
            Experiment('ddr', 'receive-pktloss', servers[2], **seconds)]


def graded(servers, workload='ddr', **seconds):
    made = []
    for fault, strengths in GRADES:
        for strength in strengths:
            made.append(Experiment(workload, fault, servers[len(made) % len(servers)],
                                   strength=strength, **seconds))
    return made


def semantic(servers, kinds, repeats=1, fault_free=1, file_system='gluster', **seconds):
    """For system calls ([Kasick09 §5]): every fault in a lab of its own. Clients of etcd mount nothing."""
    workload, left_out = {'etcd': ('puts', 'client-restart')}.get(file_system, ('smallfiles', ''))
    kinds = [one for one in kinds if one != left_out]
    made = [Experiment(workload, seed=seed, **seconds) for seed in range(1, fault_free + 1)]
    for seed in range(1, repeats + 1):
        for number, fault in enumerate(kinds):
            made.append(Experiment(workload, fault, servers[(number + seed) % len(servers)], seed,
                                   **seconds))
    return made


def delays(servers, repeats=3, **seconds):
    """Delay without loss under two workloads; then once each: what delays in other ways, and what is no fault."""
    made = []
    for seed in range(1, repeats + 1):
        for strength in (10, 1, 2):
            for name in ('ddr', 'ddw'):
                made.append(Experiment(name, 'slow-link', servers[(len(made) + 1) % len(servers)], seed, strength, **seconds))
    for name, fault in (('ddr', 'jitter'), ('ddr', 'slow-nic'), ('ddr', 'late-acks'), ('ddw', 'slow-sent'),
                        ('ddr', 'far-client'), ('ddw', 'busy-client')):
        made.append(Experiment(name, fault, servers[(len(made) + 1) % len(servers)], **seconds))
    return made


def hogs(servers, repeats=1, fault_free=1, workloads=HOG_WORKLOADS, kinds=None, **seconds):
    """For behaviour profiles ([Pan08 §5]): what a node itself does too much of; of MapReduce as in Table 2 there. In
    each round the runs without a fault, which models learn from, come first. kinds: of faults."""
    made, turn = [], 0
    for seed in range(1, max(repeats, fault_free) + 1):
        made += [Experiment(name, seed=seed, **seconds) for name in workloads if seed <= fault_free]
        for name in workloads if seed <= repeats else ():
            strengths = PAN08 if WORKLOADS[name].servers else {'cpu-hog': None, 'disk-hog': None}
            for fault in kinds or strengths:
                made.append(Experiment(name, fault, servers[turn % len(servers)], seed, strengths.get(fault), **seconds))
                turn += 1
    return made


def of_moosefs(servers, **seconds):
    """MooseFS: the faults under reads and writes of files that lie evenly, and what unequal placement
    looks like without a fault and with one on the busiest server and on another."""
    made = []
    for name in ('readmany', 'writemany'):
        made.append(Experiment(name, **seconds))
        for fault, strength in [(one, None) for one in PAPER_FAULTS] + [('slow-disk', 3)]:
            made.append(Experiment(name, fault, servers[len(made) % len(servers)],
                                   strength=strength, **seconds))
    made += [Experiment(name, **seconds) for name in ('readmany-half', 'readmany-one',
                                                      'readmany-double', 'writemany-double')]
    return made + [Experiment('readmany-half', 'disk-hog', servers[1], **seconds),
                   Experiment('readmany-half', 'write-network-hog', servers[4], **seconds),
                   Experiment('readmany-double', 'disk-busy', servers[0], **seconds),
                   Experiment('writemany-double', 'disk-hog', servers[3], **seconds)]


def of_ceph(servers, **seconds):
    """Ceph: the faults under writes and reads, weaker ones among them; and what is none: other workloads,
    unequal placement, a deep scrub, a recovery."""
    weaker = tuple(('slow-disk', factor) for factor in (3, 1.5))
    made = []
    for name in ('w4m', 'r64k'):
        made.append(Experiment(name, **seconds))
        for fault, strength in [(one, None) for one in PAPER_FAULTS] + list(weaker):
            made.append(Experiment(name, fault, servers[len(made) % len(servers)],
                                   strength=strength, **seconds))
    for fault, strength in (('disk-hog', None), ('disk-busy', None), ('slow-disk', 2),
                            ('receive-pktloss', None)):
        made.append(Experiment('r4m', fault, servers[(3 * len(made)) % len(servers)],
                               strength=strength, **seconds))
    made += [Experiment(name, **seconds) for name in ('r4m', 'mix', 'w4m-uneven', 'r64k-uneven',
                                                      'r4m-uneven')]
    made += [Experiment(name, 'deep-scrub', servers[2], **seconds) for name in ('w4m', 'r64k')]
    # Last: what is moved away lies elsewhere afterwards.
    return made + [Experiment('w4m', 'recovery', servers[4], **seconds)]


def untuned(load, harmless, servers, **seconds):
    """A system to which nothing was tuned: the faults under even and uneven load; and what is none: both loads, and a
    backup or a scrub."""
    made, names = [], (load, load + '-uneven')
    for name in names:
        made.append(Experiment(name, **seconds))
        for fault, strength in [(one, None) for one in PAPER_FAULTS] + [('slow-disk', 3)]:
            made.append(Experiment(name, fault, servers[(len(made) + 1) % len(servers)], strength=strength, **seconds))
    made += [Experiment(load, 'slow-disk', servers[number], strength=2, **seconds) for number in (0, -1)]
    return made + [Experiment(name, harmless, servers[2], **seconds) for name in names]


def of_cephfs(servers, **seconds):
    """Metadata servers, which have no disks: the network's faults while directories lie evenly and while they do not,
    which alone is none."""
    made = []
    for number, name in enumerate(('names', 'names-uneven')):
        made.append(Experiment(name, **seconds))
        made += [Experiment(name, fault, servers[(turn + number + 1) % len(servers)], **seconds)
                 for turn, fault in enumerate(PAPER_FAULTS[2:])]
    return made


# File systems that have a matrix of their own.
OF = {'ceph': of_ceph, 'cephfs': of_cephfs, 'moosefs': of_moosefs, 'galera': functools.partial(untuned, 'sql', 'backup'),
      'etcd': functools.partial(untuned, 'puts', 'backup'), 'swift': functools.partial(untuned, 'objects', 'audit')}


def left(experiments, folder):
    """Those that have not ended well yet."""
    return [one for one in experiments if not (folder / one.name / 'truth.json').exists()]


@contextlib.contextmanager
def claim(one, folder):
    """Whether this experiment is ours to run: False when it has ended well, or while another
    program runs it. So labs side by side share a matrix."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (one.name + '.lock')
    with open(path, 'w') as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        try:
            yield bool(left([one], folder))
        finally:
            path.unlink(missing_ok=True)
