"""The lab's MapReduce (limpet_lab/mapreduce.py) on a folder, with workers on loopback."""
import collections
import contextlib
import io
import json
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from limpet_lab import mapreduce, workload
from limpet_lab.settings import Settings

SMALL = 1000 * mapreduce.RECORD
SPLITS = 4


def some_records(count, seed=1):
    chosen = random.Random(seed)
    return [bytes(chosen.choices(range(256), k=mapreduce.RECORD)) for _ in range(count)]


class PartitionTest(unittest.TestCase):
    def test_nothing_is_lost_and_ranges_follow_one_another(self):
        ordered = sorted(some_records(1000))
        for count in (1, 3, 10, 100):
            parts = mapreduce.partition(ordered, count)
            self.assertEqual(len(parts), count)
            self.assertEqual([one for part in parts for one in part], ordered)

    def test_a_key_is_in_the_same_range_of_every_split(self):
        parts = [mapreduce.partition(sorted(some_records(500, seed)), 7) for seed in (1, 2)]
        for earlier, later in zip(range(7), range(1, 7)):
            self.assertLess(max(one for split in parts for one in split[earlier]),
                            min(one for split in parts for one in split[later]))

    def test_the_first_and_the_last_key_and_none(self):
        first, last = bytes(mapreduce.RECORD), b'\xff' * mapreduce.RECORD
        self.assertEqual(mapreduce.partition([first, last], 3), [[first], [], [last]])
        self.assertEqual(mapreduce.partition([], 3), [[], [], []])


class FileTest(unittest.TestCase):
    def test_parts_are_read_as_they_were_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path, parts = pathlib.Path(folder, 'a'), [b'x' * 100, b'', b'y' * (mapreduce.BLOCK + 1), b'z']
            places = mapreduce.write(path, parts)
            self.assertEqual([mapreduce.read(path, *place) for place in places], parts)
            self.assertEqual(path.stat().st_size, 4 * mapreduce.BLOCK)
            with self.assertRaisesRegex(OSError, 'ends before'):
                mapreduce.read(path, 4 * mapreduce.BLOCK, 1)


class PoolTest(unittest.TestCase):
    def start(self, tasks):
        pool, results = mapreduce.Pool(), []
        runner = threading.Thread(target=lambda: results.append(pool.run(tasks)), daemon=True)
        runner.start()
        return pool, runner, results

    def test_a_task_that_came_to_nothing_is_given_again_and_counts_once(self):
        pool, runner, results = self.start([{'do': 'a'}, {'do': 'b'}])
        first, task = pool.take()
        self.assertEqual(task['do'], 'a')
        second, _ = pool.take()
        pool.end(first)
        again, other = pool.take()
        self.assertEqual((again, other['do']), (first, 'a'))
        self.assertNotEqual(other['to'], task['to'], 'attempts do not write the same file')
        pool.end(again, ['one'])
        pool.end(first, ['late'])
        pool.end(second, ['two'])
        runner.join(5)
        self.assertEqual(results, [[['one'], ['two']]])

    def test_a_straggler_has_one_rival(self):
        with mock.patch('time.monotonic', side_effect=lambda: clock[0]):
            clock = [0]
            pool, runner, results = self.start([{'do': 'a'}, {'do': 'b'}])
            (slow, _), (fast, _) = pool.take(), pool.take()
            clock[0] = 10
            pool.end(fast, ['fast'])
            self.assertIsNone(pool._next())
            clock[0] = 21
            self.assertEqual(pool._next(), slow[1])
            self.assertIsNone(pool._next())
            pool.end(slow, ['slow'])
        runner.join(5)
        self.assertEqual(results, [[['slow'], ['fast']]])


class JobTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        small = mock.patch.object(mapreduce, 'SPLIT', SMALL)
        small.start()
        self.addCleanup(small.stop)

    def do(self, job, others=()):
        """One job with two workers and what others do with the master's address."""
        server = socket.create_server(('127.0.0.1', 0))
        address = server.getsockname()
        runner = threading.Thread(target=mapreduce.master, args=(job, self.folder, server, SPLITS), daemon=True)
        runner.start()
        for other in others:
            other(address)
        for _ in range(2):
            threading.Thread(target=mapreduce.worker, args=(self.folder, address[1], address[0]), daemon=True).start()
        runner.join(20)
        self.assertFalse(runner.is_alive())
        self.assertEqual(list((self.folder / 'attempts').iterdir()), [])

    def texts(self, name):
        paths = sorted((self.folder / name).iterdir(), key=lambda path: int(path.name))
        return [path.read_bytes() for path in paths]

    def sorted_output(self):
        """Padding is zeros, which no key of random records is."""
        return [one for text in self.texts('output') for one in mapreduce.records(text.rstrip(b'\0')) if one]

    def die(self, address):
        """Takes a task and is gone."""
        with socket.create_connection(address) as connection, connection.makefile() as lines:
            self.assertIn('do', json.loads(lines.readline()))

    def fail(self, address):
        """Says that it could not."""
        with socket.create_connection(address) as connection, connection.makefile('rw') as lines:
            lines.readline()
            print(json.dumps({'error': 'Input/output error'}), file=lines, flush=True)
            lines.readline()

    def prepare(self):
        (self.folder / 'input').mkdir()
        data = some_records(SPLITS * 1000)
        data = [one[:-1] + b'.' for one in data]
        for number in range(SPLITS):
            mapreduce.write(self.folder / 'input' / str(number), [b''.join(data[number * 1000:(number + 1) * 1000])])
        return data

    def test_random_records_are_all_different(self):
        self.do('write')
        self.assertEqual(len(set(self.texts('input'))), SPLITS)
        self.assertEqual({len(text) for text in self.texts('input')}, {mapreduce.padded(SMALL)})

    def test_sort(self):
        data = self.prepare()
        self.do('sort')
        self.assertEqual(self.sorted_output(), sorted(data))

    def test_a_worker_that_dies_or_fails_loses_nothing(self):
        data = self.prepare()
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.do('sort', [self.die, self.fail])
        self.assertIn('Input/output error', said.getvalue())
        self.assertEqual(self.sorted_output(), sorted(data))

    def test_grep(self):
        data = self.prepare()
        self.do('grep')
        expected = collections.Counter(re.findall(r'a[a-z]{2}', b''.join(data).decode('latin-1')))
        (text,) = self.texts('output')
        self.assertEqual(json.loads(text.rstrip(b'\0')), expected)


class ProgramTest(unittest.TestCase):
    def test_a_master_ends_with_its_job_and_workers_with_it(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(('127.0.0.1', 0)) as free:
            port = free.getsockname()[1]
            free.close()
            run = [sys.executable, mapreduce.__file__]
            started = [subprocess.Popen(run + words) for words in (
                ['worker', folder, str(port), '127.0.0.1'], ['master', 'write', folder, str(port), '2'])]
            self.assertEqual([one.wait(20) for one in started], [0, 0])
            self.assertEqual({path.stat().st_size for path in pathlib.Path(folder, 'input').iterdir()},
                             {mapreduce.FILE_MIB << 20})


class WorkloadTest(unittest.TestCase):
    def test_the_first_client_wants_its_splits_and_servers_work(self):
        settings = Settings(servers=5, clients=2)
        first, second = settings.client_hosts
        self.assertEqual(workload.files(settings, first, 'sort')[1], (first.mount / 'client01/input/1', mapreduce.FILE_MIB))
        self.assertEqual(workload.files(settings, second, 'sort'), [])
        started = []
        with mock.patch.object(workload, 'spawn', side_effect=lambda _, command, log: started.append(command)), \
                mock.patch.object(workload.filesystem, 'mount') as mount:
            workload.start(settings, 'sort')
        self.assertEqual(mount.call_count, 5)
        self.assertEqual(len(started), 6)
        self.assertIn('master sort', started[0][4])
        self.assertEqual(started[2][5:], [str(settings.host('io02').mount / 'client01'), first.address])


if __name__ == '__main__':
    unittest.main()
