"""Taking a lab down, whatever state it is in.

What is left is looked for in the system itself (processes by their mark, mounts and loop devices
by their path, namespaces and links by their name), not in a list that a crash may have cut short.
So the same code serves Ctrl-C, an error half way up, and the run after a kill -9.
"""
import dataclasses
import pathlib
import shutil
import time

from . import disk, filesystem, own_proc
from .shell import LabError, marked_processes, run, stop_marked

DISK_PROGRAM = 'slowdisk'


@dataclasses.dataclass(frozen=True)
class Leftovers:
    """What exists of a lab."""
    processes: tuple = ()   # (pid, name)
    mounts: tuple = ()      # paths, in the order they were mounted
    loops: tuple = ()
    namespaces: tuple = ()
    groups: tuple = ()      # paths of control groups
    link: bool = False
    folder: bool = False

    def __bool__(self):
        return any((self.processes, self.mounts, self.loops, self.namespaces, self.groups,
                    self.link, self.folder))

    def __str__(self):
        parts = [(len(self.processes), 'process', 'processes'),
                 (len(self.mounts), 'mount', 'mounts'),
                 (len(self.loops), 'loop device', 'loop devices'),
                 (len(self.namespaces), 'network namespace', 'network namespaces'),
                 (len(self.groups), 'control group', 'control groups'),
                 (int(self.link), 'network link', ''), (int(self.folder), 'folder', '')]
        return ', '.join('%d %s' % (count, one if count == 1 else many)
                         for count, one, many in parts if count)


def mounts_under(folder, mountinfo):
    """Mount points under a folder, in order, from the text of /proc/self/mountinfo."""
    points = [line.split()[4].replace('\\040', ' ') for line in mountinfo.splitlines() if line]
    return [point for point in points if point.startswith(str(folder) + '/')]


def look(settings):
    """Leftovers of this lab."""
    folder = settings.run_dir
    return Leftovers(
        processes=tuple(marked_processes(settings.name)),
        mounts=tuple(mounts_under(folder, pathlib.Path('/proc/self/mountinfo').read_text())),
        loops=tuple(disk.loops_under(folder)),
        namespaces=tuple(sorted(path.name for path in pathlib.Path('/run/netns').glob(
            settings.name + '-*'))),
        groups=tuple(map(str, own_proc.groups_of(settings.name))),
        link=pathlib.Path('/sys/class/net', settings.name).exists(),
        folder=folder.exists())


def take_down(settings, keep_logs=False):
    """Removes all of the lab. LabError names what could not be removed.

    keep_logs: leave the run folder with logs and configurations, but not the disks."""
    # In-flight requests have to finish before anything lets go of a disk: no more waiting.
    for control in settings.run_dir.glob('*/' + settings.host('guest').disk_control.name):
        control.write_text('0 0 0\n')
    # Workloads, hogs and monitors first, the file system's clients with their mounts, then bricks.
    held = filesystem.PROGRAMS + (DISK_PROGRAM,)
    stop_marked(settings.name, 2, lambda pid, name: not name.startswith(held))
    for point in reversed([point for point in look(settings).mounts if point.endswith('/mnt')]):
        run('umount', '--lazy', point, check=False)
    stop_marked(settings.name, 5, lambda pid, name: name != DISK_PROGRAM)
    for point in (point for point in look(settings).mounts if point.endswith('/brick')):
        _unmount(point)
    for loop in look(settings).loops:
        run('losetup', '--detach', loop, check=False)
    _wait_for_loops(settings)
    for point in reversed(look(settings).mounts):
        _unmount(point)
    stop_marked(settings.name, 5)
    for namespace in look(settings).namespaces:
        run('ip', 'netns', 'delete', namespace, check=False)
    own_proc.take_down(settings)
    if look(settings).link:
        run('ip', 'link', 'delete', settings.name, check=False)
    _remove_folder(settings, keep_logs)
    left = look(settings)
    if keep_logs:
        left = dataclasses.replace(left, folder=False)
    if left:
        raise LabError('still there after cleaning up: %s (%s)' % (left, ', '.join(
            [str(pid) for pid, _ in left.processes] + list(left.mounts + left.loops + left.groups
                                                            + left.namespaces))))


def _unmount(point):
    """Unmounts; a busy one is tried for 5 s and then unmounted lazily."""
    for _ in range(50):
        run('umount', point, check=False)
        if str(point) not in mounts_under(pathlib.Path(point).parent,
                                          pathlib.Path('/proc/self/mountinfo').read_text()):
            return
        time.sleep(0.1)
    run('umount', '--lazy', point, check=False)


def _wait_for_loops(settings):
    for _ in range(50):
        if not look(settings).loops:
            return
        time.sleep(0.1)


def _unless_gone(_, __, failure):
    """A lab that was told to stop may be removing the same files."""
    if not isinstance(failure[1], FileNotFoundError):
        raise failure[1]


def _remove_folder(settings, keep_logs):
    if look(settings).mounts or not settings.run_dir.exists():
        return              # never delete through a mount
    if not keep_logs:
        shutil.rmtree(settings.run_dir, onerror=_unless_gone)
        return
    for image in settings.run_dir.glob('*/backing'):
        image.unlink()
