"""What one client of a scenario does: a program that times each thing it does.

    python3 clients.py open RATE LOG FILE …     opens, looks at, reads and closes one of the files
    python3 clients.py browse RATE LOG FILE …   the same, and lists their folder now and then
    python3 clients.py write RATE LOG FILE …    writes 4 KiB somewhere in one of them, synchronously
    python3 clients.py tree RATE LOG FOLDER …   makes a tree of folders and files in one of them, walks and removes it

RATE: how often a second; later when the file system is slower than that. LOG: a line each, its end
in Unix time and its seconds. Goes on until it is ended.
"""
import os
import random
import shutil
import sys
import time

SMALL = 4096
LIST_EVERY = 100    # opens between two readings of the folder
TREE_FILES = 8      # in each of two folders


def open_one(path, number):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fstat(descriptor)
        os.pread(descriptor, SMALL, 0)
    finally:
        os.close(descriptor)


def browse_one(path, number):
    open_one(path, number)
    if number % LIST_EVERY == 0:
        os.listdir(os.path.dirname(path))


def write_one(path, number):
    descriptor = os.open(path, os.O_WRONLY | os.O_DSYNC)
    try:
        places = os.fstat(descriptor).st_size // SMALL
        begin = time.monotonic()
        os.pwrite(descriptor, b'x' * SMALL, random.randrange(places) * SMALL)
        return time.monotonic() - begin
    finally:
        os.close(descriptor)


def tree_one(folder, number):
    top = os.path.join(folder, 'tree.%d.%d' % (os.getpid(), number))
    for name in ('a', 'b'):
        os.makedirs(os.path.join(top, name))
        for one in range(TREE_FILES):
            with open(os.path.join(top, name, str(one)), 'wb') as file:
                os.fsync(file.fileno())     # its name is safe: what waits for the journal
    for place, _, names in os.walk(top):
        for name in names:
            open_one(os.path.join(place, name), number)
    shutil.rmtree(top)


DEEDS = {'open': open_one, 'browse': browse_one, 'write': write_one, 'tree': tree_one}


def go_on(deed, rate, log, files, times=None, clock=time.monotonic, sleep=time.sleep):
    """Does it again and again, so many times or without an end."""
    begin = clock()
    done = 0
    with open(log, 'a', buffering=1, encoding='ascii') as out:
        while times is None or done < times:
            started = clock()
            seconds = DEEDS[deed](random.choice(files), done)
            out.write('%.3f %.6f\n' % (time.time(), seconds or clock() - started))
            done += 1
            # What was late is not made up for: a slow file system gets no burst afterwards.
            begin = max(begin, clock() - done / rate)
            sleep(max(0.0, begin + done / rate - clock()))


if __name__ == '__main__':
    go_on(sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4:])
