"""Running programs: short ones to their end, long ones marked so that they can be found again.

Every long-running process carries MARK=<lab's name> in its environment, which its children
inherit. Stopping a lab means stopping the processes with its mark: no list of process ids that
could be out of date after a crash, or name somebody else's process.
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import time

MARK = 'LIMPET_LAB'


class LabError(Exception):
    """Something the lab needs did not happen; the text says what, and what to look at."""


def run(*command, check=True, stdin=None):
    """Runs a command to its end and returns what it printed; LabError when it fails."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL if stdin is None else None,
                              input=stdin, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise LabError('%s is not installed: run scripts/setup --lab' % words[0]) from None
    if check and done.returncode:
        raise LabError('"%s" failed with exit code %d: %s'
                       % (' '.join(words), done.returncode, done.stderr.strip()[-500:]))
    return done.stdout


def in_namespace(namespace, *command):
    """The command line that runs a command in a network namespace.

    Not "ip netns exec": that unshares mounts as well, and a FUSE mount made inside would be
    invisible outside."""
    return ['nsenter', '--net=/run/netns/' + namespace] + [str(word) for word in command]


def spawn(lab_name, command, log):
    """Starts a long-running process of the lab in a session of its own, so that Ctrl-C does not
    reach it. It writes to the log file, which is appended to."""
    with open(log, 'ab') as out:
        return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                stdout=out, stderr=out, start_new_session=True,
                                env=dict(os.environ, **{MARK: lab_name}))


def wait_until(what, test, seconds=20.0, interval=0.05, process=None, log=None):
    """Waits for test() to be true. LabError after so many seconds, or when the process ends."""
    end = time.monotonic() + seconds
    while not test():
        if process is not None and process.poll() is not None:
            raise LabError('%s: %s ended with %d%s' % (what, process.args[0], process.returncode,
                                                       _last_lines(log)))
        if time.monotonic() > end:
            raise LabError('%s: not within %g s%s' % (what, seconds, _last_lines(log)))
        time.sleep(interval)


def _last_lines(log):
    with contextlib.suppress(OSError, TypeError):
        text = pathlib.Path(log).read_text(errors='replace').strip()
        return '\n  %s ends with:\n    %s' % (log, '\n    '.join(text.splitlines()[-8:]))
    return ''


def marked_processes(lab_name, proc='/proc', netns='/run/netns'):
    """[(pid, short name)] of the processes that carry the lab's mark or live in its network
    namespaces (some write over their environment), this one left out."""
    wanted = ('%s=%s' % (MARK, lab_name)).encode()
    networks = {os.stat(path).st_ino for path in pathlib.Path(netns).glob(lab_name + '-*')}
    found = []
    for entry in os.listdir(proc):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            folder = pathlib.Path(proc, entry)
            if (wanted in (folder / 'environ').read_bytes().split(b'\0')
                    or _inode(folder / 'ns/net') in networks):
                found.append((int(entry), (folder / 'comm').read_text().strip()))
    return sorted(found)


def _inode(path):
    try:
        return os.stat(path).st_ino
    except OSError:
        return None


def stop_marked(lab_name, seconds, wanted=lambda pid, name: True):
    """Ends the lab's processes for which wanted(pid, name) holds: SIGTERM, and SIGKILL to those
    that are still there after so many seconds. Returns how many would not end even then."""
    def left():
        return [pid for pid, name in marked_processes(lab_name) if wanted(pid, name)]

    for sign, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 10)):
        pids = left()
        for pid in pids:
            _signal(lab_name, pid, sign)
        end = time.monotonic() + patience
        while pids and time.monotonic() < end:
            time.sleep(0.05)
            _reap()
            pids = left()
        if not pids:
            return 0
    return len(pids)


def _signal(lab_name, pid, sign):
    """Signals through a pidfd, having looked at the mark again: never a reused process id."""
    with contextlib.suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            if any(found == pid for found, _ in marked_processes(lab_name)):
                signal.pidfd_send_signal(descriptor, sign)
        finally:
            os.close(descriptor)


def _reap():
    """Collects ended children of ours, which would stay as zombies otherwise."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def stop(process, seconds=10.0):
    """Ends a process started by spawn, with its children."""
    for sign, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 10)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return
