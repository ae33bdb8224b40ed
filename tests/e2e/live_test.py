"""What the live page asks for: the API against docs/openapi.yaml, the stream, viewers that mean no good."""
import base64
import contextlib
import functools
import http.client
import json
import pathlib
import re
import socket
import threading
import time
import unittest

import support
from diagnoser_test import QUICK
from fake_exporters import FakeExporters
from openapi import SPEC, Spec
from support import DIAGNOSER, Program, wait_until

FIXTURES = pathlib.Path(__file__).parents[1] / 'fixtures' / 'cases'
MIB = 1 << 20


def events(port, query='', last_id=None, source='127.0.0.1', seconds=10, context=None, user=None):
    """(event, id, data) of the stream, for as long as the caller goes on. context: of TLS."""
    kind = http.client.HTTPConnection if context is None else functools.partial(
        http.client.HTTPSConnection, context=context)
    connection = kind('127.0.0.1', port, timeout=seconds, source_address=(source, 0))
    headers = {} if last_id is None else {'Last-Event-ID': str(last_id)}
    if user is not None:
        headers['Authorization'] = 'Basic ' + base64.b64encode(':'.join(user).encode()).decode()
    with contextlib.closing(connection):
        connection.request('GET', '/api/v1/stream' + query, headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200, (answer.status, answer.read())
        found = {}
        for line in answer:
            line = line.decode().rstrip('\n')
            if not line:
                if 'data' in found:
                    yield found['event'], int(found.get('id', 0)), json.loads(found['data'])
                found = {}
            elif ': ' in line:
                key, value = line.split(': ', 1)
                found[key] = value


def frames(*arguments, **options):
    return ((number, data) for name, number, data in events(*arguments, **options)
            if name == 'frame')


def resident(program):
    with open('/proc/%d/status' % program.process.pid) as status:
        return int(re.search(r'VmRSS:\s+(\d+) kB', status.read()).group(1)) * 1024


class LiveTest(support.TestCase):

    def json(self, program, path, status=200):
        page = program.page(path)
        self.assertEqual(page.status, status, page.body)
        return json.loads(page.body)

    def history(self, program):
        return self.json(program, '/api/v1/verdicts?from=0')['verdicts']

    def test_answers_are_as_the_openapi_file_says_and_agree(self):
        spec = Spec()
        with FakeExporters(5) as fake:
            program = self.diagnoser(QUICK + fake.targets(', labels: {rack: r1}'))
            wait_until('a healthy window', lambda: program.page().value(
                'limpet_group_components', peer_group='server-disks', state='taking_part') == 5)
            stream = events(program.port())
            self.assertTrue(next(stream)[2]['base'])
            fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 80, 15
            verdict = wait_until('the verdict', lambda: next(
                (data for name, _, data in stream if name == 'verdict'), None))
            spec.check('Verdict', verdict)
            self.assertEqual((verdict['node'], verdict['cause']), ('io03', 'disk-busy'))

            served = program.page('/api/v1/openapi.yaml')
            self.assertEqual(served.headers['Content-Type'], 'application/yaml')
            self.assertEqual(served.body, SPEC.read_text())
            cluster = self.json(program, '/api/v1/cluster')
            spec.check('Cluster', cluster)
            self.assertEqual([one['node'] for one in cluster['nodes']], sorted(fake.nodes))
            self.assertEqual(cluster['nodes'][2]['labels'], {'rack': 'r1'})
            known = self.json(program, '/api/v1/verdicts?from=0')
            spec.check('VerdictHistory', known)
            self.assertEqual([one['id'] for one in known['verdicts']], [verdict['id']])
            evidence = self.json(program, '/api/v1/evidence/' + verdict['id'])
            spec.check('Evidence', evidence)
            self.assertEqual(self.json(program, '/api/v1/evidence?node=io03')['verdict']['id'],
                             verdict['id'])
            metric = next(one for one in evidence['metrics'] if one['metric'] == 'await')
            self.assertEqual(metric['component'], 'io03/sda')
            self.assertGreater(metric['mean'], 3 * metric['peer_median'])
            self.assertGreater(len(metric['series']['time']), 5)
            self.assertTrue(evidence['checklist'][-1]['decided'])
            for path, name in (('heat', 'Heat'), ('top?hourly=1', 'Top'),
                               ('series?node=io03', 'SeriesList'),
                               ('activity?node=io03', 'Activity'), ('judged', 'Judged'),
                               ('frame', 'WholeFrame'), ('targets', 'Targets'), ('precision', 'Precision'),
                               ('incidents', 'Incidents'),
                               ('judged?all=1', 'Judged')):
                spec.check(name, self.json(program, '/api/v1/' + path))
            self.check_past(spec, program, verdict['begin'])
            everyone = {one['node']: one['state'] for one in self.json(program, '/api/v1/judged?all=1')['servers']}
            self.assertEqual(everyone, {**dict.fromkeys(sorted(fake.nodes), 'like-peers'), 'io03': 'limps'})
            for path in ('evidence/0000000000000000', 'series?node=stranger'):
                spec.check('Error', self.json(program, '/api/v1/' + path, 404))
            spec.check('Error', self.json(program, '/api/v1/stream?rate=99', 400))

    def check_past(self, spec, program, at):
        """A minute that has ended since the start is known of all nodes; an hour ago is not."""
        def kept():
            past = self.json(program, '/api/v1/past?at=%f' % time.time())
            return past if 'frame' in past else None
        past = wait_until('a minute of the past', kept, 90)
        spec.check('Past', past)
        self.assertEqual(past['end'] - past['begin'], 60)
        self.assertEqual(sum(row[1] is not None for row in past['frame']['rows']), 5)
        before = self.json(program, '/api/v1/past?at=%f' % (at - 3600))
        spec.check('Past', before)
        self.assertNotIn('frame', before)

    def test_the_stream_sends_changes_and_resumes(self):
        spec = Spec()
        with FakeExporters(3) as fake:
            program = self.diagnoser(QUICK + fake.targets())
            wait_until('components', lambda: all(
                one['components'] for one in self.json(program, '/api/v1/cluster')['nodes']))
            stream = frames(program.port(), '?rate=4')
            number, base = next(stream)
            spec.check('Frame', base)
            self.assertEqual(len(base['rows']), 3)
            later, change = next(stream)
            spec.check('Frame', change)
            self.assertFalse(change['base'])
            self.assertGreater(later, number)
            self.assertFalse(next(frames(program.port(), last_id=later))[1]['base'])
            self.assertTrue(next(frames(program.port(), last_id=12345))[1]['base'])
            few = next(frames(program.port(), '?columns=load,up&group=server-disks'))[1]
            self.assertEqual([one['name'] for one in few['columns']], ['load', 'up'])
            self.assertEqual(len(few['rows'][0]), 3)
            wait_until('nobody watches', lambda: program.page().value('limpet_diagnoser_viewers') <= 1)
            self.assertGreater(program.page().value('limpet_diagnoser_stream_frames_total'), 4)

    def test_the_stream_goes_over_tls_to_who_has_the_password(self):
        certificate, key = support.make_certificate(self.folder)
        web = self.write('web.yml', 'tls_server_config: {cert_file: %s, key_file: %s}\nbasic_auth_users: {anna: "%s"}\n' % (
            certificate, key, support.bcrypt('secret')))
        with FakeExporters(3) as fake:
            program = self.diagnoser(QUICK + fake.targets(), '--web.config.file', web)
            trust = support.trusting(certificate)
            with self.assertRaisesRegex(AssertionError, '401'):
                next(events(program.number, context=trust))
            stream = frames(program.number, context=trust, user=('anna', 'secret'))
            ids = [next(stream)[0] for _ in range(4)]
            stream.close()
            self.assertEqual(ids, sorted(set(ids)))
            # What came meanwhile is sent to who comes back.
            again = frames(program.number, last_id=ids[1], context=trust, user=('anna', 'secret'))
            self.assertGreater(next(again)[0], ids[1])
            again.close()

    def test_names_of_all_kinds_stay_text(self):
        spec = Spec()
        names = ['<img src=x onerror=alert("x")>', '\u202eio01', 'a' * 1000, "'; DROP"]
        with FakeExporters(len(names)) as fake:
            targets = ''.join('  - {node: %s, address: "127.0.0.1:%d", labels: {rack: %s}}\n' % (
                json.dumps(name), node.port, json.dumps('<b>' + 'x' * 10000))
                              for name, node in zip(names, fake.nodes.values()))
            program = self.diagnoser(QUICK + 'targets:\n' + targets)
            wait_until('data', lambda: sum(
                one['up'] is True for one in self.json(program, '/api/v1/cluster')['nodes']) == 4)
            cluster = self.json(program, '/api/v1/cluster')
            spec.check('Cluster', cluster)
            self.assertEqual({one['node'] for one in cluster['nodes']}, set(names))
            spec.check('SeriesList', self.json(program, '/api/v1/series?node=%3Cimg%20src=x%20onerror=alert(%22x%22)%3E'))

    def test_without_the_page_there_are_links(self):
        program = self.diagnoser(QUICK + 'targets: []\n', '--web.ui=false')
        self.assertIn('/api/v1/verdicts', program.page('/').body)
        self.assertEqual(program.page('/ui').status, 404)

    def test_a_replay_is_served_and_played(self):
        spec = Spec()
        case = FIXTURES / '09-w1-postmark-disk-busy'
        config = self.write('replay.yml', '''
peer_groups:
  - {name: io, kind: storage, roles: [io], device: '^sd'}
  - {name: io-net, kind: network, roles: [io], device: '^eth'}
''')
        program = Program(DIAGNOSER, 'replay', '--ui', '--web.listen-address', '127.0.0.1:0',
                          '--config', config, case / 'recording.om.zst')
        with program:
            port = int(wait_until('the page', lambda: re.search(
                r'the replay is at http://127.0.0.1:(\d+)/', program.log), 120).group(1))
            with contextlib.closing(http.client.HTTPConnection('127.0.0.1', port)) as connection:
                def ask(path):
                    connection.request('GET', path)
                    return json.loads(connection.getresponse().read())
                cluster = ask('/api/v1/cluster')
                spec.check('Cluster', cluster)
                self.assertFalse(cluster['live'])
                verdict = ask('/api/v1/verdicts?from=0')['verdicts'][0]
                self.assertEqual((verdict['node'], verdict['cause']), ('io04', 'disk-busy'))
                spec.check('Evidence', ask('/api/v1/evidence/' + verdict['id']))
                past = ask('/api/v1/past?at=%f' % verdict['begin'])
                spec.check('Past', past)
                self.assertEqual(len(past['frame']['rows']), len(cluster['nodes']))
            played = list(events(port, '?speed=1000&rate=4&from=%f' % verdict['begin']))
            self.assertEqual(played[-1][0], 'end')
            self.assertGreaterEqual(played[0][2]['time'], verdict['begin'] - 2)
            times = [data['time'] for name, _, data in played if name == 'frame']
            self.assertEqual(times, sorted(times))
            self.assertEqual(program.stop(), 0)


RECORDED = pathlib.Path(__file__).parents[1] / 'lab' / 'recordings'


class ScenariosTest(support.TestCase):
    """What [Leung07] found can be seen in recordings of the lab (tests/lab: lab scenario)."""

    def replayed(self, name, check):
        """check(ask, what scenario.json says) while the page shows the recording."""
        folder = RECORDED / name
        program = Program(DIAGNOSER, 'replay', '--ui', '--web.listen-address', '127.0.0.1:0',
                          '--config', RECORDED / 'scenarios.yml', *sorted(folder.glob('*/*.zst')))
        with program:
            port = int(wait_until('the page', lambda: re.search(
                r'the replay is at http://127.0.0.1:(\d+)/', program.log), 60).group(1))
            with contextlib.closing(http.client.HTTPConnection('127.0.0.1', port)) as connection:
                def ask(path):
                    connection.request('GET', path)
                    return json.loads(connection.getresponse().read())
                check(ask, json.loads((folder / 'scenario.json').read_text()))

    def activity(self, ask, node, begin, end):
        answer = ask('/api/v1/activity?node=%s&from=%f&to=%f' % (node, begin, end))
        Spec().check('Activity', answer)
        return answer

    def mean(self, values):
        known = [value for value in values if value is not None]
        return sum(known) / len(known)

    def test_small_writes_wait_for_large_ones(self):
        def check(ask, said):
            for node in 'io01', 'io02', 'io03':
                before, after = (self.activity(ask, node, begin, end)['history'] for begin, end in (
                    (said['begin'], said['change']), (said['change'] + 5, said['end'])))
                self.assertGreater(self.mean(after['small_writes']),
                                   1.6 * self.mean(before['small_writes']), node)
                self.assertTrue(any(after['large_writes']), node)
        self.replayed('small-writes', check)

    def test_one_metadata_server_has_nearly_all_opens(self):
        def check(ask, said):
            def opens(begin, end):
                return sorted(self.mean(self.activity(ask, node, begin, end)['history']['metadata'])
                              for node in ('mds01', 'mds02', 'mds03'))
            before, after = opens(said['begin'], said['change']), opens(said['change'] + 5, said['end'])
            self.assertLess(before[2], 2.5 * before[0])
            self.assertGreater(after[2], 4 * after[1])
            roles = {one['node']: one['role'] for one in ask('/api/v1/cluster')['nodes']}
            self.assertEqual(roles['mds01'], 'mds')
        self.replayed('metadata-crowd', check)


class ManyViewersTest(support.TestCase):
    """Ten thousand nodes that do not answer: to the viewers they are rows like others."""

    NODES = 10_000

    def setUp(self):
        super().setUp()
        self.fake = self.enterContext(FakeExporters(5))
        port = self.refusing_port()
        silent = ''.join('  - {node: n%05d, address: "127.0.0.1:%d", interval: 2s}\n' % (i, port)
                         for i in range(self.NODES))
        self.program = self.diagnoser(QUICK.replace('interval: 250ms', 'interval: 1s') +
                                      self.fake.targets() + silent)
        wait_until('frames', lambda: self.program.page().value(
            'limpet_target_up', node='io01') == 1, 60)

    def flood(self):
        """200 connections that ask for the stream and never read."""
        sockets = []
        for _ in range(200):
            one = socket.create_connection(('127.0.0.1', self.program.port()))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.sendall(b'GET /api/v1/stream?rate=4 HTTP/1.1\r\nHost: localhost\r\n\r\n')
            sockets.append(one)
        return sockets

    def reconnect(self, until, count):
        """A viewer that comes back every second."""
        while time.monotonic() < until:
            with contextlib.suppress(OSError, AssertionError, http.client.HTTPException):
                next(frames(self.program.port()))
                count.append(1)
            time.sleep(1)

    def test_memory_is_bounded_and_the_diagnosis_does_not_wait(self):
        # What 10,000 nodes need grows for some seconds: that is not the viewers'.
        time.sleep(10)
        before = resident(self.program)
        with contextlib.ExitStack() as stack:
            for one in self.flood():
                stack.enter_context(one)
            until, count = time.monotonic() + 12, []
            threads = [threading.Thread(target=self.reconnect, args=(until, count))
                       for _ in range(50)]
            for thread in threads:
                thread.start()
            lags = []
            # Another address has places of its own, and whoever reads gets frames.
            honest = frames(self.program.port(), source='127.0.0.2', seconds=30)
            for _ in range(5):
                self.assertIn(len(next(honest)[1]['rows']), range(self.NODES + 6))
                lags.append(self.program.page().value('limpet_ingest_lag_seconds'))
            for thread in threads:
                thread.join()
            page = self.program.page()
            self.assertLessEqual(page.value('limpet_diagnoser_viewers'), 64)
            self.assertGreater(page.value('limpet_diagnoser_viewers_refused_total'), 100)
            grown = resident(self.program) - before
        # 33 viewers hold at most a frame and a piece of it each; sanitizers keep what was freed, and need several times as
        # long for 10,000 nodes.
        if not support.is_sanitized():
            self.assertLess(grown, 64 * MIB)
        self.assertLess(max(lags), 8 if support.is_sanitized() else 2, lags)


if __name__ == '__main__':
    unittest.main()
