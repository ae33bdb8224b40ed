"""A small MapReduce ([Pan08 §2]): a master deals out tasks, workers do them on files that all of them see.

    mapreduce.py master write FOLDER PORT SPLITS    random records into FOLDER/input, a file a split
    mapreduce.py master sort  FOLDER PORT SPLITS    those into FOLDER/output, a file a range of keys
    mapreduce.py master grep  FOLDER PORT SPLITS    counts what in them matches PATTERN
    mapreduce.py worker FOLDER PORT ADDRESS         of the master

A master ends with its job, a worker with its master. A task is given again when its worker is gone, and once more
when it takes twice as long as others. Each attempt writes a file of its own; the master renames those that count.
"""
import bisect
import collections
import errno
import json
import mmap
import os
import pathlib
import re
import socket
import sys
import threading
import time

RECORD = 100                            # bytes; the first are the key
FILE_MIB = 8
SPLIT = (FILE_MIB << 20) // RECORD * RECORD     # bytes of records in an input file
BLOCK = 64 << 10                        # O_DIRECT: files and their parts are whole blocks
PATTERN = rb'a[a-z]{2}'
PORT = 5002
SLOW = 2                                # times the mean: a straggler


def padded(length):
    return -(-length // BLOCK) * BLOCK


def _open(path, flags):
    """Past the page cache, where the file system can."""
    try:
        return os.open(path, flags | os.O_DIRECT, 0o644)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return os.open(path, flags, 0o644)


def read(path, offset, length):
    if not length:
        return b''
    file = _open(path, os.O_RDONLY)
    try:
        with mmap.mmap(-1, padded(length)) as memory:
            if os.preadv(file, [memory], offset) < length:
                raise OSError('%s ends before %d' % (path, offset + length))
            return memory[:length]
    finally:
        os.close(file)


def write(path, parts):
    """Returns [(offset, length)] of the parts in the file."""
    places, end = [], 0
    for part in parts:
        places.append((end, len(part)))
        end += padded(len(part))
    with mmap.mmap(-1, max(end, BLOCK)) as memory:
        for (offset, length), part in zip(places, parts):
            memory[offset:offset + length] = part
        file = _open(path, os.O_WRONLY | os.O_CREAT)
        try:
            os.ftruncate(file, len(memory))     # FUSE would extend one 128 kB at a time
            if os.pwrite(file, memory, 0) < len(memory):
                raise OSError('%s: not all was written' % path)
        finally:
            os.close(file)
    return places


def records(data):
    return [data[at:at + RECORD] for at in range(0, len(data), RECORD)]


def partition(ordered, count):
    """Sorted records, cut into so many ranges of keys of the same width."""
    edges = [((number << 16) // count).to_bytes(2, 'big') for number in range(1, count)]
    cuts = [0, *(bisect.bisect_left(ordered, edge) for edge in edges), len(ordered)]
    return [ordered[begin:end] for begin, end in zip(cuts, cuts[1:])]


def sort_split(datas, count):
    (data,) = datas
    return [b''.join(part) for part in partition(sorted(records(data)), count)]


def merge_runs(datas, _):
    every = [one for data in datas for one in records(data)]
    every.sort()    # finds the runs and merges them
    return [b''.join(every)]


def grep_split(datas, _):
    (data,) = datas
    return [json.dumps(collections.Counter(one.decode() for one in re.findall(PATTERN, data))).encode()]


def add_counts(datas, _):
    return [json.dumps(sum((collections.Counter(json.loads(data)) for data in datas), collections.Counter())).encode()]


# What files hold and a number in, what the parts of a new file hold out.
TASKS = {'write': lambda _, length: [os.urandom(length)], 'sort': sort_split, 'merge': merge_runs,
         'grep': grep_split, 'add': add_counts}


def perform(folder, task):
    """Returns [(file, offset, length)] of what it wrote."""
    datas = (read(folder / name, offset, length) for name, offset, length in task['of'])
    return [(task['to'], *place) for place in write(folder / task['to'], TASKS[task['do']](datas, task['number']))]


class Pool:
    """The tasks of one phase of a job. Every worker has a thread here."""

    def __init__(self):
        self._changed, self._phase, self._attempts = threading.Condition(), 0, 0
        self._tasks, self._waiting, self._begun, self._again, self._took, self._done = [], [], {}, set(), [], {}

    def run(self, tasks):
        """What the tasks return, when all are done."""
        with self._changed:
            self._tasks, self._waiting, self._phase = tasks, list(range(len(tasks))), self._phase + 1
            self._begun, self._again, self._took, self._done = {}, set(), [], {}
            self._changed.notify_all()
            self._changed.wait_for(lambda: len(self._done) == len(tasks))
            return [self._done[number] for number in range(len(tasks))]

    def _next(self):
        """The number of a task to do now, or None."""
        while self._waiting:
            number = self._waiting.pop(0)
            if number not in self._done:
                return number
        if self._took:
            late = time.monotonic() - SLOW * sum(self._took) / len(self._took)
            for number, begun in self._begun.items():
                if number not in self._done and number not in self._again and begun < late:
                    self._again.add(number)
                    return number
        return None

    def take(self):
        """Waits for a task. Returns what names it and what to do."""
        with self._changed:
            while (number := self._next()) is None:
                self._changed.wait(0.2)
            self._begun.setdefault(number, time.monotonic())
            self._attempts += 1
            return (self._phase, number), {**self._tasks[number],
                                           'to': 'attempts/%d.%d' % (os.getpid(), self._attempts)}

    def end(self, key, parts=None):
        """parts: what it returned; None: it came to nothing."""
        phase, number = key
        with self._changed:
            if phase == self._phase and number not in self._done:
                if parts is None:
                    self._waiting.append(number)
                    self._begun.pop(number, None)
                else:
                    self._done[number] = parts
                    self._took.append(time.monotonic() - self._begun.get(number, time.monotonic()))
                self._changed.notify_all()

    def serve(self, connection):
        """Gives a worker tasks until it is gone."""
        with connection, connection.makefile('rw') as lines:
            while True:
                key, task = self.take()
                try:
                    print(json.dumps(task), file=lines, flush=True)
                    answer = json.loads(lines.readline())
                except (OSError, ValueError):
                    self.end(key)
                    return
                if 'error' in answer:
                    print('task %s: %s' % (task, answer['error']), flush=True)
                    time.sleep(0.5)
                self.end(key, answer.get('parts'))

    def welcome(self, server):
        """Of every worker that comes to a socket that listens."""
        while True:
            threading.Thread(target=self.serve, args=(server.accept()[0],), daemon=True).start()


def _commit(folder, name, results):
    for number, ((attempt, _, _),) in enumerate(results):
        os.replace(folder / attempt, folder / name / str(number))


def _inputs(splits):
    return [[('input/%d' % number, 0, SPLIT)] for number in range(splits)]


def _tasks(kind, inputs, number=1):
    return [{'do': kind, 'of': one, 'number': number} for one in inputs]


def write_job(pool, folder, splits):
    _commit(folder, 'input', pool.run(_tasks('write', [[]] * splits, SPLIT)))


def sort_job(pool, folder, splits):
    runs = pool.run(_tasks('sort', _inputs(splits), splits // 2))
    merged = pool.run(_tasks('merge', zip(*runs)))
    if sum(length for ((_, _, length),) in merged) != splits * SPLIT:
        sys.exit('the sorted records are not as many as there were')
    _commit(folder, 'output', merged)


def grep_job(pool, folder, splits):
    counts = pool.run(_tasks('grep', _inputs(splits)))
    _commit(folder, 'output', pool.run(_tasks('add', [[one for (one,) in counts]])))


JOBS = {'write': write_job, 'sort': sort_job, 'grep': grep_job}


def _forget_attempts(folder):
    for path in (folder / 'attempts').iterdir():
        path.unlink(missing_ok=True)


def master(job, folder, server, splits):
    """Does a job with the workers that come to `server`, a socket that listens."""
    for name in ('input', 'attempts', 'output'):
        (folder / name).mkdir(exist_ok=True)
    _forget_attempts(folder)
    pool = Pool()
    threading.Thread(target=pool.welcome, args=(server,), daemon=True).start()
    begin = time.monotonic()
    JOBS[job](pool, folder, splits)
    print('%s took %.1f s' % (job, time.monotonic() - begin), flush=True)
    _forget_attempts(folder)


def work(folder, connection):
    """Until the master is gone."""
    with connection, connection.makefile('rw') as lines:
        for line in lines:
            try:
                answer = {'parts': perform(folder, json.loads(line))}
            except OSError as error:
                answer = {'error': str(error)}
            print(json.dumps(answer), file=lines, flush=True)


def worker(folder, port, address):
    while True:
        try:
            connection = socket.create_connection((address, port))
            break
        except OSError:
            time.sleep(0.2)
    try:
        work(folder, connection)
    except OSError:     # the master needed no answer any more
        pass


if __name__ == '__main__':
    if sys.argv[1] == 'master':
        master(sys.argv[2], pathlib.Path(sys.argv[3]), socket.create_server(('', int(sys.argv[4]))), int(sys.argv[5]))
    else:
        worker(pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
