"""One page above several diagnosers: three real ones, one of which is killed, and one that means no good."""
import http.server
import json
import signal
import threading
import time
import unittest

import support
from diagnoser_test import QUICK
from fake_exporters import FakeExporters
from live_test import events
from openapi import Spec
from peers import promtool_check
from support import DIAGNOSER, Program, wait_until

GARBAGE = [b'[' * 100_000, b'{"version": 1}', b'\xff\xfe', b'{}' + b' ' * (17 << 20)]


def bad_member(answer):
    """The address of a server that gives `answer(path)` to everything."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = answer(self.path)
            self.send_response(200)
            self.send_header('Content-Type', 'application/json')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                pass  # it was too long for whoever asked

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server, 'http://127.0.0.1:%d' % server.server_address[1]


class FederationTest(support.TestCase):

    def federation(self, members):
        config = 'federate:\n' + ''.join('  - {name: %s, url: "%s"}\n' % one for one in members.items())
        program = Program(DIAGNOSER, 'federate', '--config', self.write('federation.yml', config),
                          '--web.listen-address', '127.0.0.1:0')
        self.addCleanup(program.stop)
        program.number = program.port()
        program.page = lambda path: support.get('http://127.0.0.1:%d%s' % (program.number, path))
        return program

    def json(self, program, path, status=200):
        page = program.page(path)
        self.assertEqual(page.status, status, page.body[:500])
        return json.loads(page.body)

    def marks(self, program):
        return {one['member']: [mark['mark'] for mark in one['marks']]
                for one in self.json(program, '/api/v1/members')['members']}

    def start_three(self):
        names = 'east', 'north', 'south'
        self.fakes = {name: self.enterContext(FakeExporters(4)) for name in names}
        self.members = {name: self.diagnoser(QUICK + self.fakes[name].targets(), name=name + '.yml') for name in names}
        return self.federation({name: 'http://127.0.0.1:%d' % one.number for name, one in self.members.items()})

    def check_past(self, spec, program):
        """All three have kept a minute: an instant of it."""
        def kept():
            past = self.json(program, '/api/v1/past?at=%f' % time.time())
            return past if past['missing'] == [] else None
        past = wait_until('a minute of the past', kept, 120)
        spec.check('Past', past)
        self.assertIn(past['end'] - past['begin'], (60, 120))    # one may have ended its minute before another
        self.assertEqual(sum(row[1] is not None for row in past['frame']['rows']), 12)
        self.json(program, '/api/v1/past', status=400)
        before = self.json(program, '/api/v1/past?at=%f' % (past['begin'] - 3600))
        self.assertEqual((before['missing'], 'frame' in before), (sorted(self.members), False))
        return past['begin'] + 1

    def test_three_diagnosers_of_which_one_is_killed(self):
        program = self.start_three()
        wait_until('all nodes', lambda: len(self.json(program, '/api/v1/cluster')['nodes']) == 12)
        cluster = self.json(program, '/api/v1/cluster')
        self.assertEqual(cluster['nodes'][4]['node'], 'north/io01')
        self.assertEqual(self.marks(program), {name: ['names'] for name in self.members})
        spec = Spec()
        spec.check('Cluster', cluster)

        self.fakes['north'].nodes['io03'].await_ms, self.fakes['north'].nodes['io03'].service_ms = 80, 15
        told = wait_until('the verdict', lambda: self.json(program, '/api/v1/verdicts')['verdicts'])
        self.assertEqual({(one['node'], one['cause']) for one in told}, {('north/io03', 'disk-busy')})
        evidence = self.json(program, '/api/v1/evidence/' + told[0]['id'])
        self.assertEqual(evidence['verdict']['node'], 'north/io03')
        spec.check('Evidence', evidence)
        series = self.json(program, '/api/v1/series?node=north/io03')
        self.assertEqual(series['node'], 'north/io03')
        self.assertTrue(all(one['component'].startswith('north/io03') for one in series['series']))
        for path, schema in (('/api/v1/judged', 'Judged'), ('/api/v1/heat', 'Heat'), ('/api/v1/groups', 'Groups'),
                             ('/api/v1/top?hourly=1', 'Top'), ('/api/v1/members', 'Members')):
            spec.check(schema, self.json(program, path))
        self.assertEqual(len(self.json(program, '/api/v1/judged?all=1')['servers']), 12)
        stream = events(program.number)
        frame = next(data for name, _, data in stream if name == 'frame')
        spec.check('Frame', frame)
        up = [column['name'] for column in frame['columns']].index('up') + 1
        self.assertEqual([row[up] for row in frame['rows']], [1] * 12)

        at = self.check_past(spec, program)

        self.members['south'].process.kill()
        began = time.monotonic()
        wait_until('the mark', lambda: 'down' in self.marks(program)['south'])
        print('marked down after %.1f s' % (time.monotonic() - began))
        wait_until('the line', lambda: 'south: does not answer' in program.log)
        page = program.page('/metrics')
        self.assertEqual({labels['member']: up for labels, up in page.all('limpet_federation_member_up')},
                         {'east': 1, 'north': 1, 'south': 0})
        self.assertLess(page.value('limpet_federation_member_lag_seconds', member='north'), 10)
        promtool_check(page.body)
        self.assertEqual(self.marks(program)['north'], ['names'])
        gone = next(data for name, _, data in events(program.number) if name == 'frame')
        self.assertEqual([row[up] for row in gone['rows']], [1] * 8 + [None] * 4)
        judged = self.json(program, '/api/v1/judged')
        self.assertEqual(judged['not_judged'], 4)
        self.assertIn('no answer from south', judged['text'])
        past = self.json(program, '/api/v1/past?at=%f' % at)
        self.assertEqual(past['missing'], ['south'])
        self.assertEqual([row[up] for row in past['frame']['rows']], [1] * 8 + [None] * 4)
        self.json(program, '/api/v1/series?node=south/io01', status=503)
        self.json(program, '/api/v1/series?node=west/io01', status=404)
        self.assertIn('/assets/app.', program.page('/').body)
        self.assertEqual(program.stop(), 0)

    def test_a_reload_asks_other_members(self):
        fakes = [self.enterContext(FakeExporters(3)) for _ in range(2)]
        members = [self.diagnoser(QUICK + one.targets(), name='%d.yml' % place) for place, one in enumerate(fakes)]
        urls = ['http://127.0.0.1:%d' % one.number for one in members]
        program = self.federation({'east': urls[0]})
        wait_until('its nodes', lambda: len(self.json(program, '/api/v1/cluster')['nodes']) == 3)
        self.write('federation.yml', 'federate: [{name: east, url: "%s"}, {name: west, url: "%s"}]\n' % tuple(urls))
        program.signal(signal.SIGHUP)
        wait_until('the nodes of both', lambda: len(self.json(program, '/api/v1/cluster')['nodes']) == 6)
        self.assertEqual(self.json(program, '/api/v1/series?node=west/io01')['node'], 'west/io01')
        self.write('federation.yml', 'federate: nonsense\n')
        program.signal(signal.SIGHUP)
        reload = 'limpet_diagnoser_config_last_reload_successful'
        wait_until('the refusal', lambda: program.page('/metrics').value(reload) == 0)
        self.assertIn('still the old one', program.log)
        self.assertEqual(len(self.json(program, '/api/v1/cluster')['nodes']), 6)
        self.assertEqual(program.stop(), 0)

    def test_another_version_and_a_clock_that_is_ahead(self):
        nodes = self.enterContext(FakeExporters(3))
        real = self.diagnoser(QUICK + nodes.targets())
        wait_until('a frame', lambda: support.get('http://127.0.0.1:%d/api/v1/frame' % real.number).status == 200)

        def answer(path):
            said = json.loads(support.get('http://127.0.0.1:%d%s' % (real.number, path)).body)
            if path.startswith('/api/v1/cluster'):
                said['program'] = '9.9.9'
            elif path.startswith('/api/v1/frame'):
                said['now'] += 10
                said['frame']['time'] += 10
            return json.dumps(said).encode()
        server, url = bad_member(answer)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        program = self.federation({'odd': url})
        wait_until('the marks', lambda: self.marks(program)['odd'] == ['version', 'clock'])
        self.assertAlmostEqual(self.json(program, '/api/v1/members')['members'][0]['clock_ahead_seconds'], 10, delta=1)

    def test_one_that_means_no_good_harms_itself_alone(self):
        nodes = self.enterContext(FakeExporters(3))
        real = self.diagnoser(QUICK + nodes.targets())
        turn = iter(range(10 ** 9))
        server, url = bad_member(lambda path: GARBAGE[next(turn) % len(GARBAGE)])
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        program = self.federation({'bad': url, 'good': 'http://127.0.0.1:%d' % real.number})
        wait_until('the good ones', lambda: len(self.json(program, '/api/v1/cluster')['nodes']) == 3)
        time.sleep(6)
        self.assertEqual(self.marks(program), {'bad': ['down'], 'good': []})
        self.assertEqual(self.json(program, '/api/v1/series?node=good/io01')['node'], 'good/io01')
        self.json(program, '/api/v1/series?node=bad/io01', status=503)
        self.assertEqual(program.stop(), 0)


if __name__ == '__main__':
    unittest.main()
