"""The programs of config/actions, run by `limpet-diagnoser act` with what they speak to: Slurm, Alertmanager, kubectl.

primary-affinity has a whole cluster: check_incidents.py. Kubernetes' API server is played by a few answers. Each program
takes the server out once and returns it once. As root, half a minute:

    python3 -W ignore::ResourceWarning check_actions.py -v
"""
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from limpet_lab.settings import default_bin_dir

os.environ.setdefault('LIMPET_BIN_DIR', str(default_bin_dir()))
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/e2e'))
import support   # noqa: E402 (the path comes first)
from alerting_test import Receiver, running_alertmanager   # noqa: E402
from support import DIAGNOSER, Program, free_port, get, run, wait_until   # noqa: E402

INCIDENT, NODE = '0123456789abcdef', 'io03'
# A text as verdicts have it: quotes and line ends are escaped.
DOCUMENT = json.dumps({'schema': 'limpet.verdict.v1', 'id': INCIDENT, 'node': NODE, 'component': 'io03/sdb',
                       'text': 'io03: "disk-busy"\n await 60 ms'})
CONFIG = '''
targets: [{addresses: ["127.0.0.1:9"]}]
actions:
  mode: armed
  causes: [disk-busy]
  programs: {begin: [%s], end: [%s]}
  stop_file: %s/stop
'''
SLURM = '''
ClusterName=limpet
SlurmctldHost=%(host)s(127.0.0.1)
SlurmctldPort=%(port)d
SlurmUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
StateSaveLocation=%(folder)s/slurm
SlurmctldPidFile=%(folder)s/slurmctld.pid
NodeName=io03 NodeHostname=%(host)s NodeAddr=127.0.0.1 Port=%(node)d CPUs=1
PartitionName=all Nodes=ALL Default=YES
'''
ROUTE = 'route: {receiver: hook, group_wait: 1s}\nreceivers: [{name: hook, webhook_configs: [{url: "http://localhost:9095/"}]}]\n'


class Nodes(http.server.ThreadingHTTPServer):
    """As much of Kubernetes' API as a change of a node's taints needs."""

    def __init__(self):
        self.taints, self.wrong = [], []
        nodes = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def answer(self, body, status=200):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def node(self):
                self.answer({'kind': 'Node', 'apiVersion': 'v1', 'metadata': {'name': NODE}, 'spec': {'taints': nodes.taints}})

            def do_GET(self):
                path = self.path.split('?')[0]
                known = {
                    '/api': {'kind': 'APIVersions', 'versions': ['v1']},
                    '/apis': {'kind': 'APIGroupList', 'apiVersion': 'v1', 'groups': []},
                    '/api/v1': {'kind': 'APIResourceList', 'groupVersion': 'v1', 'resources': [
                        {'name': 'nodes', 'singularName': 'node', 'namespaced': False, 'kind': 'Node',
                         'verbs': ['get', 'list', 'patch', 'update']}]}}
                if path == '/api/v1/nodes/' + NODE:
                    self.node()
                elif path in known:
                    self.answer(known[path])
                else:
                    self.answer({'kind': 'Status', 'status': 'Failure', 'reason': 'NotFound', 'code': 404}, 404)

            def do_PATCH(self):
                patch = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                if self.path.split('?')[0] != '/api/v1/nodes/' + NODE:
                    nodes.wrong.append(self.path)
                nodes.taints = patch.get('spec', {}).get('taints') or []
                self.node()

            def log_message(self, *_):
                pass
        super().__init__(('127.0.0.1', 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class ActionsTest(support.TestCase):

    def setUp(self):
        super().setUp()
        self.state = self.folder / 'state'
        program = self.diagnoser('targets: [{addresses: ["127.0.0.1:9"]}]\n', '--state-dir', self.state)
        wait_until('a history', (self.state / 'history.db').exists)
        program.stop()

    def copy(self, name, *replaced):
        """A program of config/actions, with what this machine has elsewhere in its place."""
        text = (ROOT / 'config/actions' / name).read_text()
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = self.write(name, text)
        path.chmod(0o755)
        return path

    def act(self, step, program, begin, end):
        """What the runner says of that step; `begin` and `end`: the program's arguments."""
        words = [', '.join('"%s"' % word for word in (program, *arguments)) for arguments in (begin, end)]
        config = self.write('armed.yml', CONFIG % (*words, self.folder))
        with contextlib.closing(sqlite3.connect(self.state / 'history.db')) as history, history:
            number = history.execute(
                "INSERT INTO acts(incident, node, step, state, reason, at, document) VALUES(?, ?, ?, 'ordered', '', ?, ?)",
                (INCIDENT, NODE, step, int(time.time() * 1000), DOCUMENT)).lastrowid
        run(DIAGNOSER, 'act', '--config', config, '--state-dir', self.state, '--once',
            env=dict(os.environ, CREDENTIALS_DIRECTORY=str(self.folder)))
        with contextlib.closing(sqlite3.connect(self.state / 'history.db')) as history:
            state, reason = history.execute('SELECT state, reason FROM acts WHERE number = ?', (number,)).fetchone()
        self.assertEqual(state, 'done', reason)
        return reason

    def test_slurm_drains_and_resumes_what_it_drained(self):
        (self.folder / 'slurm').mkdir()
        conf = self.write('slurm.conf', SLURM % {
            'host': socket.gethostname(), 'port': free_port(), 'node': free_port(), 'folder': self.folder})
        environment = dict(os.environ, SLURM_CONF=str(conf))
        log = open(self.folder / 'slurmctld.log', 'w')
        self.addCleanup(log.close)
        controller = subprocess.Popen(['slurmctld', '-D', '-f', conf], stdout=log, stderr=log, env=environment)
        self.addCleanup(controller.wait)
        self.addCleanup(controller.terminate)

        def show():
            return subprocess.run(['scontrol', 'show', 'node', NODE], env=environment, capture_output=True, text=True,
                                  check=False).stdout
        wait_until('Slurm', lambda: 'State=' in show(), 30)
        # A node on which no slurmd runs is of unknown state until an administrator says that it is idle.
        for state in 'DOWN', 'RESUME':
            run('scontrol', 'update', 'NodeName=' + NODE, 'State=' + state, 'Reason=boot', env=environment)
        script = self.copy('slurm-drain', ('scontrol ', 'SLURM_CONF=%s scontrol ' % conf), ('exec SLURM', 'SLURM'))
        words = (script, ['drain'], ['resume'])
        self.assertNotIn('DRAIN', show())
        self.act('begin', *words)
        self.assertRegex(show(), r'State=\S*DRAIN')
        self.assertIn('Reason=limpet:' + INCIDENT, show())
        self.act('end', *words)
        self.assertNotIn('DRAIN', show())
        # An administrator's reason comes over it: then it is his.
        self.act('begin', *words)
        run('scontrol', 'update', 'NodeName=' + NODE, 'State=DRAIN', 'Reason=new disk', env=environment)
        self.assertIn('was not drained', self.act('end', *words))
        self.assertRegex(show(), r'State=\S*DRAIN')

    def test_alertmanager_is_silent_about_the_server(self):
        with Receiver() as receiver:
            manager, port = running_alertmanager(self.folder, ROUTE, receiver)
            self.addCleanup(manager.stop)
            url = 'http://127.0.0.1:%d' % port

            def silenced():
                """{alert of the server: whether it is silenced}."""
                body = json.dumps([{'labels': {'alertname': name, 'node': NODE}} for name in ('DiskFull', 'LimpetServerIndicted')])
                get(url + '/api/v2/alerts', data=body.encode(), headers={'Content-Type': 'application/json'})
                return {one['labels']['alertname']: bool(one['status']['silencedBy'])
                        for one in json.loads(get(url + '/api/v2/alerts').body)}
            words = (ROOT / 'config/actions/alertmanager-silence', ['on', url], ['off', url])
            self.assertEqual(silenced(), {'DiskFull': False, 'LimpetServerIndicted': False})
            self.act('begin', *words)
            wait_until('the silence', lambda: silenced() == {'DiskFull': True, 'LimpetServerIndicted': False})
            self.act('end', *words)
            wait_until('its end', lambda: silenced() == {'DiskFull': False, 'LimpetServerIndicted': False})

    def test_kubernetes_taints_the_node(self):
        with Nodes() as nodes:
            self.write('kubeconfig', json.dumps({
                'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'lab',
                'clusters': [{'name': 'lab', 'cluster': {'server': 'http://127.0.0.1:%d' % nodes.server_address[1]}}],
                'contexts': [{'name': 'lab', 'context': {'cluster': 'lab', 'user': ''}}]}))
            script = self.copy('kubernetes-taint', ('/tmp/kube', str(self.folder / 'kube')))
            self.act('begin', script, ['on'], ['off'])
            self.assertEqual([(one['key'], one['value'], one['effect']) for one in nodes.taints], [('limpet', 'slow', 'NoSchedule')])
            self.act('end', script, ['on'], ['off'])
            self.assertEqual((nodes.taints, nodes.wrong), ([], []))


if __name__ == '__main__':
    missing = [one for one in ('slurmctld', 'scontrol', 'amtool', 'kubectl', 'jq') if not shutil.which(one)]
    if os.geteuid() != 0 or missing:
        print('skipped: needs root and %s' % ', '.join(missing or ['nothing else']))
        sys.exit(77)
    unittest.main()
