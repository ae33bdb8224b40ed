"""A verdict's life: kept, answered, passed on, known after SIGKILL, the same at two diagnosers.

LIMPET_PAIR_KILLS: how often one of the two is killed; 3 by default.
"""
import http.server
import json
import os
import pathlib
import signal
import socket
import threading
import time
import unittest

import jsonschema

import support
from fake_exporters import FakeExporters
from support import DIAGNOSER, Program, bcrypt, free_port, get, run, wait_until

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / 'docs/formats/verdict.v1.json').read_text())
PAIR_KILLS = int(os.environ.get('LIMPET_PAIR_KILLS', '3'))
QUICK = '''
scrape: {interval: 200ms}
lateness: 400ms
presets:
  - {base: bare, name: quick, step: 200ms, smoothing: 2, window: 10, shift: 5, k: 2, max_gap: 3s}
cluster: scratch
'''


class Hook(http.server.ThreadingHTTPServer):
    """A sink: remembers the bodies; answers 500 while `broken`, a redirect to `moved_to` if there is one."""

    def __init__(self):
        self.bodies, self.broken, self.refused, self.moved_to = [], False, 0, ''
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                if hook.broken or hook.moved_to:
                    hook.refused += 1
                else:
                    hook.bodies.append((self.headers['Content-Type'], json.loads(body)))
                self.send_response(307 if hook.moved_to else 500 if hook.broken else 202)
                if hook.moved_to:
                    self.send_header('Location', hook.moved_to)
                self.send_header('Content-Length', '0')
                self.end_headers()

            def log_message(self, *_):
                pass
        super().__init__(('127.0.0.1', 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class IncidentsTest(support.TestCase):

    def serve(self, config, *more, name='d.yml', state='state'):
        return self.diagnoser(config, '--state-dir', self.folder / state, *more, name=name)

    def incidents(self, program, query='', **kind):
        return json.loads(program.page('/api/v1/incidents' + query, **kind).body)['incidents']

    def one(self, program, **kind):
        """The incident of io03 once there is one."""
        return wait_until('an incident', lambda: [
            one for one in self.incidents(program, **kind) if one['node'] == 'io03'])[0]

    def limping(self, fake):
        fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 80, 15

    def test_kept_answered_and_known_after_a_kill(self):
        with FakeExporters(5) as fake:
            self.limping(fake)
            config = QUICK + fake.targets()
            program = self.serve(config)
            row = self.one(program)
            self.assertEqual(row['state'], 'open')
            page = program.page('/api/v1/incidents/' + row['id'])
            document = json.loads(page.body)
            jsonschema.validate(document, SCHEMA)
            self.assertEqual(document['component'], 'io03/sda')
            self.assertTrue(document['bands'])
            verdicts = json.loads(program.page('/api/v1/verdicts').body)['verdicts']
            self.assertIn(row['id'], [one['incident'] for one in verdicts])
            self.assertEqual(program.page().value('limpet_diagnoser_incident_history_up'), 1)
            self.answers(program, row['id'])
            program.signal(signal.SIGKILL)
            program.wait()
            program = self.serve(config)
            self.assertEqual([one['id'] for one in self.incidents(program)].count(row['id']), 1)
            again = json.loads(program.page('/api/v1/incidents/' + row['id']).body)
            self.assertEqual([one['as'] for one in again['answers']], ['known'])
            fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 10, 5
            wait_until('the end', lambda: self.incidents(program)[0]['state'] == 'ended', 40)
            self.assertEqual(self.incidents(program)[0]['ending'], 'like its peers')
            self.exported(row['id'])

    def answers(self, program, incident):
        """By the command beside the running diagnoser, and refused over HTTP."""
        state = ('--state-dir', self.folder / 'state')
        run(DIAGNOSER, 'answer', incident, '--as', 'known', '--note', 'spare ordered', *state)
        wait_until('the answer', lambda: program.page().value(
            'limpet_incident_answered', node='io03', answer='known') == 1)
        wait_until('it on the verdict', lambda: 'known' in [one['answer'] for one in json.loads(
            program.page('/api/v1/verdicts').body)['verdicts']])
        # The page shows the node as the others.
        cluster = json.loads(program.page('/api/v1/cluster').body)
        self.assertIn('io03', [one['node'] for one in cluster['nodes']])
        self.assertEqual(program.page().value('limpet_measured_precision_ratio', cause='disk-busy', metric=''), 1)
        refused = program.page('/api/v1/incidents/%s/answer' % incident, data=b'{"as":"fixed"}',
                               headers={'Content-Type': 'application/json'})
        self.assertEqual(refused.status, 403)
        self.assertEqual(program.page('/metrics', data=b'{}').status, 405)
        for wrong in (['0000000000000000', '--as', 'fixed'], [incident, '--as', 'good'], ['x', '--as', 'fixed'],
                      ['\x1b[31m0123456789\n', '--as', 'fixed'],
                      [incident, '--as', 'maintenance']):
            self.assertNotEqual(run(DIAGNOSER, 'answer', *wrong, *state, check=False).returncode, 0, wrong)

    def exported(self, incident):
        state = ('--state-dir', self.folder / 'state')
        lines = run(DIAGNOSER, 'history', '--format', 'jsonl', *state).stdout.splitlines()
        self.assertEqual(len(lines), 1)
        jsonschema.validate(json.loads(lines[0]), SCHEMA)
        table = run(DIAGNOSER, 'history', *state).stdout.splitlines()
        self.assertEqual(len(table), 2)
        self.assertIn(incident, table[1])
        self.assertIn('spare ordered', table[1])
        self.assertEqual(len(run(DIAGNOSER, 'history', '--to', '1000', *state).stdout.splitlines()), 1)
        self.assertIn('is not there', run(DIAGNOSER, 'history', '--state-dir', self.folder, check=False).stderr)

    def test_answers_over_http_want_a_password(self):
        web = self.write('web.yml', 'basic_auth_users: {ann: "%s"}\n' % bcrypt('secret'))
        password = self.write('password', 'secret\n')
        ann = ('ann', 'secret')
        with FakeExporters(5) as fake:
            self.limping(fake)
            program = self.serve(QUICK + fake.targets(), '--web.config.file', web)
            incident = self.one(program, user=ann)['id']
            run(DIAGNOSER, 'answer', incident, '--as', 'maintenance', '--until', '1h', '--url',
                'http://127.0.0.1:%d' % program.number, '--username', 'ann', '--password-file', password)
            wait_until('the mask', lambda: 'masked (io03)' in json.loads(
                program.page('/api/v1/judged', user=ann).body)['text'])
            path = '/api/v1/incidents/%s/answer' % incident
            for headers, status in (({'Content-Type': 'text/plain'}, 415),
                                    ({'Content-Type': 'application/json', 'Origin': 'http://evil.example'}, 403),
                                    ({'Content-Type': 'application/json'}, 200)):
                self.assertEqual(program.page(path, user=ann, headers=headers,
                                              data=b'{"as":"fixed"}').status, status, headers)
            self.assertEqual(program.page(path, data=b'{"as":"fixed"}').status, 401)

    def test_a_sink_that_fails_is_told_later(self):
        with Hook() as hook, FakeExporters(5) as fake:
            self.limping(fake)
            hook.broken = True
            program = self.serve(QUICK + fake.targets() + 'sinks:\n  - {name: hook, type: webhook, url: "http://127.0.0.1:%d/in"}\n'
                                 % hook.server_address[1])
            incident = self.one(program)['id']
            wait_until('an attempt', lambda: hook.refused)
            hook.broken = False
            wait_until('the message', lambda: hook.bodies, 40)
            kind, event = hook.bodies[0]
            self.assertEqual(kind, 'application/cloudevents+json')
            self.assertEqual(event['type'], 'limpet.verdict.began')
            self.assertEqual(event['data']['id'], incident)
            jsonschema.validate(event['data'], SCHEMA)
            wait_until('the metric', lambda: program.page().value(
                'limpet_diagnoser_sink_attempts_total', sink='hook', result='ok') == 1)
            wait_until('the queue to be empty', lambda: program.page().value('limpet_diagnoser_sink_waiting', sink='hook') == 0)
            time.sleep(3)
            self.assertEqual(len(hook.bodies), 1)

    def test_sinks_that_hang_or_point_elsewhere_delay_nothing(self):
        """One takes a connection and never answers, one sends all on to another place; the third is told."""
        silent = self.enterContext(socket.create_server(('127.0.0.1', 0)))
        with Hook() as good, Hook() as moved, Hook() as victim, FakeExporters(5) as fake:
            moved.moved_to = 'http://127.0.0.1:%d/' % victim.server_address[1]
            ports = {'silent': silent.getsockname()[1], 'moved': moved.server_address[1], 'good': good.server_address[1]}
            program = self.serve(QUICK + fake.targets() + 'sinks:\n' + ''.join(
                '  - {name: %s, type: webhook, url: "http://127.0.0.1:%d/in"}\n' % one for one in ports.items()))
            wait_until('windows', lambda: program.page().value('limpet_windows_compared_total'))
            self.limping(fake)
            incident = self.one(program)['id']
            wait_until('the good one', lambda: good.bodies)
            self.assertEqual(good.bodies[0][1]['data']['id'], incident)
            lags, failed = [], ('limpet_diagnoser_sink_attempts_total', 'failed')
            wait_until('failures', lambda: lags.append(program.page().value('limpet_ingest_lag_seconds')) or (
                program.page().value(failed[0], sink='moved', result=failed[1])
                and program.page().value(failed[0], sink='silent', result=failed[1])), 60, 0.5)
            self.assertLess(sorted(lags)[len(lags) // 2], 0.2)
            for name in 'silent', 'moved':
                self.assertEqual(program.page().value('limpet_diagnoser_sink_waiting', sink=name), 1)
            self.assertEqual(victim.bodies, [])
            self.assertEqual(len(good.bodies), 1)

    def test_two_diagnosers_say_the_same_and_alertmanager_keeps_one(self):
        port = free_port()
        manager = Program('prometheus-alertmanager', '--config.file=%s' % self.write(
            'am.yml', 'route: {receiver: none}\nreceivers: [{name: none}]\n'), '--storage.path=%s' % (self.folder / 'am'),
            '--web.listen-address=127.0.0.1:%d' % port, '--cluster.listen-address=')
        self.addCleanup(manager.stop)
        with FakeExporters(5) as fake:
            self.limping(fake)
            config = QUICK + fake.targets() + (
                'sinks: [{name: am, type: alertmanager, url: "http://127.0.0.1:%d"}]\n' % port)
            pair = [self.serve(config, name=name + '.yml', state=name) for name in ('one', 'two')]
            ids = {self.one(program)['id'] for program in pair}
            self.assertEqual(len(ids), 1)

            def alerts():
                try:
                    page = get('http://127.0.0.1:%d/api/v2/alerts' % port)
                    return json.loads(page.body)
                except OSError:
                    return []
            for program in pair:
                wait_until('both to tell', lambda program=program: program.page().value(
                    'limpet_diagnoser_sink_attempts_total', sink='am', result='ok'), 40)
            found = alerts()
            self.assertEqual(len(found), 1, found)
            self.assertEqual(found[0]['labels']['node'], 'io03')
            self.assertEqual({found[0]['annotations']['incident']}, ids)
            for turn in range(PAIR_KILLS):
                names = ('one', 'two')
                victim = turn % 2
                pair[victim].signal(signal.SIGKILL)
                pair[victim].wait()
                self.assertEqual(self.one(pair[1 - victim])['state'], 'open')
                pair[victim] = self.serve(config, name=names[victim] + '.yml', state=names[victim])
                self.assertEqual({self.one(program)['id'] for program in pair}, ids)
                self.assertEqual([one['labels']['node'] for one in alerts()], ['io03'])
                for program in pair:
                    self.assertEqual(len(self.incidents(program)), 1)

    def test_acts_are_dry_then_armed_and_released_after_a_trial(self):
        out = self.folder / 'out.jsonl'
        script = self.write('act', '#!/bin/sh\necho "$1 $(cat)" >> %s\n' % out)
        script.chmod(0o755)
        actions = '''
actions:
  mode: %s
  causes: [disk-busy]
  programs: {begin: [%s, out], end: [%s, in]}
  trial: 1m
  stop_file: %s
'''
        with FakeExporters(6) as fake:
            self.limping(fake)
            base = QUICK.replace('base: bare', 'base: default').replace('k: 2', 'scales: [], k: 2') + fake.targets()
            words = (script, script, self.folder / 'stop')
            program = self.serve(base + actions % ('dry-run', *words))
            incident = self.one(program)['id']
            acts = lambda: json.loads(program.page('/api/v1/incidents/' + incident).body)['acts']
            wait_until('the dry run', acts)
            self.assertEqual([(one['step'], one['state']) for one in acts()], [('begin', 'dry-run')], acts())
            self.assertFalse(out.exists())
            program.stop()
            program = self.serve(base + actions % ('armed', *words), state='armed')
            config = ('--config', self.folder / 'd.yml', '--state-dir', self.folder / 'armed', '--once')
            incident = self.one(program)['id']
            wait_until('the order', lambda: [one['state'] for one in acts()] == ['ordered'])
            self.write('stop', '')
            run(DIAGNOSER, 'act', *config)
            self.assertEqual(acts()[0]['state'], 'refused')
            (self.folder / 'stop').unlink()
            self.assertFalse(out.exists())

    def test_an_order_is_carried_out_once_with_the_document(self):
        out = self.folder / 'out.jsonl'
        script = self.write('act', '#!/bin/sh\necho "$1 $(cat)" >> %s\n' % out)
        script.chmod(0o755)
        with FakeExporters(6) as fake:
            self.limping(fake)
            base = QUICK.replace('base: bare', 'base: default').replace('k: 2', 'scales: [], k: 2') + fake.targets()
            program = self.serve(base + 'actions: {mode: armed, causes: [disk-busy], trial: 1m, programs: '
                                 '{begin: [%s, out], end: [%s, in]}, stop_file: %s/stop}\n' % (script, script, self.folder))
            incident = self.one(program)['id']
            acts = lambda: json.loads(program.page('/api/v1/incidents/' + incident).body)['acts']
            wait_until('the order', lambda: [one['state'] for one in acts()] == ['ordered'])
            runner = Program(DIAGNOSER, 'act', '--config', self.folder / 'd.yml', '--state-dir', self.folder / 'state')
            self.addCleanup(runner.stop)
            wait_until('the program', lambda: [one['state'] for one in acts()] == ['done'])
            word, document = out.read_text().split(' ', 1)
            self.assertEqual((word, json.loads(document)['id']), ('out', incident))
            fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 10, 5
            wait_until('the release', lambda: [one['state'] for one in acts()] == ['done', 'done'], 120)
            self.assertEqual([line.split()[0] for line in out.read_text().splitlines()], ['out', 'in'])

    def test_another_sites_name_is_not_answered(self):
        program = self.serve('targets: [{addresses: [127.0.0.1:9]}]\nweb: {allowed_hosts: [limpet.site]}\n')
        for host, status in (('evil.example', 421), ('limpet.site', 200), ('localhost', 200)):
            self.assertEqual(program.page('/api/v1/groups', headers={'Host': host}).status, status, host)
        self.assertEqual(program.page('/metrics', headers={'Host': 'evil.example'}).status, 200)
        self.assertIn('allowed_hosts: [evil.example]', program.page('/', headers={'Host': 'evil.example'}).body)

    def test_a_program_asks_by_the_model_context_protocol(self):
        with FakeExporters(5) as fake:
            self.limping(fake)
            program = self.serve(QUICK + fake.targets())
            incident = self.one(program)['id']
            calls = [{'id': 1, 'method': 'initialize', 'params': {'protocolVersion': '2025-06-18'}},
                     {'method': 'notifications/initialized'},
                     {'id': 2, 'method': 'tools/list'},
                     {'id': 3, 'method': 'tools/call', 'params': {'name': 'explain', 'arguments': {'node': 'io03'}}},
                     {'id': 4, 'method': 'tools/call', 'params': {'name': 'history', 'arguments': {}}},
                     {'id': 5, 'method': 'tools/call', 'params': {'name': 'evidence', 'arguments': {'node': 'io03'}}}]
            done = run(DIAGNOSER, 'mcp', '--url', 'http://127.0.0.1:%d' % program.number,
                       input=''.join(json.dumps({'jsonrpc': '2.0', **one}) + '\n' for one in calls))
            answers = {one['id']: one for one in map(json.loads, done.stdout.splitlines())}
            self.assertEqual(sorted(answers), [1, 2, 3, 4, 5])
            self.assertIn('disk-busy', answers[3]['result']['content'][0]['text'])
            self.assertIn(incident, answers[4]['result']['content'][0]['text'])
            self.assertFalse(answers[5]['result']['isError'], answers[5])


if __name__ == '__main__':
    unittest.main()
