"""Incidents from end to end: a Ceph cluster, a real Alertmanager, an HTTP sink that fails for ten minutes, and
the action config/actions/primary-affinity, word for word.

First the action is dry: a disk of one server is busy, and nothing may be changed. Then it is armed: a disk of
another server is busy, its OSD's primary affinity has to become 0, and 1 again when the disk is mended, has been
read by a probe and has been like its peers for the trial. Each of the two faults has to be one notification, one
action and one release, and one incident of the history. A quarter of an hour, as root:

    python3 -W ignore::ResourceWarning check_incidents.py -v
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

from limpet_lab import ceph, cleanup, faults, filesystem, monitor, workload
from limpet_lab.lab import Lab
from limpet_lab.settings import Settings, default_bin_dir
from limpet_lab.shell import in_namespace, run, spawn, stop, wait_until

os.environ.setdefault('LIMPET_BIN_DIR', str(default_bin_dir()))
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/e2e'))
from alerting_test import Receiver, running_alertmanager   # noqa: E402 (the path comes first)
from incidents_test import Hook   # noqa: E402
from support import bcrypt   # noqa: E402

SETTINGS = Settings(name='limpet-acts', network='198.18.96', file_system='ceph', disk_mb_per_second=8, link_mbit=100,
                    disk_gib=2, data_dir=pathlib.Path('/dev/shm'), bin_dir=default_bin_dir())
WORKLOAD = 'w4m'
FAILS = 600         # seconds, of the sink
HEALTHY = 60        # before the first fault
RELEASES = 900      # at most; what waits for the slowest disk takes minutes to run down after the fault
DRY, ARMED = 'io02', 'io05'
ALERTMANAGER = '''
route: {receiver: hook, group_by: [node, alertname], group_wait: 1s, group_interval: 5s, repeat_interval: 12h}
receivers: [{name: hook, webhook_configs: [{url: "http://localhost:9095/", send_resolved: true}]}]
'''
CONFIG = '''
cluster: lab
scrape: {basic_auth: {username: limpet, password: secret}}
probe: {enabled: true, interval: 1m}
%(groups)s
sinks:
  - {name: hook, type: webhook, url: "http://127.0.0.1:%(hook)d/"}
  - {name: am, type: alertmanager, url: "http://127.0.0.1:%(alertmanager)d"}
actions:
  mode: %(mode)s
  causes: [disk-busy, disk-hog]
  programs: {begin: ["%(script)s", "0"], end: ["%(script)s", "1"]}
  max_at_once: 1
  quorum: 0.5
  hold_down: 1m
  trial: 1m
  stop_file: %(folder)s/stop
targets:
%(targets)s'''


def example():
    """The shipped action."""
    return (ROOT / 'config/actions/primary-affinity').read_text()


class IncidentsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cleanup.take_down(SETTINGS)
        cls.addClassCleanup(cleanup.take_down, SETTINGS)
        cls.lab = Lab(SETTINGS)
        cls.enterClassContext(cls.lab.lock())
        cls.lab.bring_up()
        workload.lay_out(SETTINGS, WORKLOAD)
        cls.hook = cls.enterClassContext(Hook())
        cls.receiver = cls.enterClassContext(Receiver())
        cls.folder = SETTINGS.run_dir / 'diagnoser'
        cls.folder.mkdir()
        cls.alertmanager, cls.alertmanager_port = running_alertmanager(cls.folder, ALERTMANAGER, cls.receiver)
        cls.addClassCleanup(cls.alertmanager.stop)
        cls.start_programs()
        workload.start(SETTINGS, WORKLOAD)
        time.sleep(HEALTHY)

    @classmethod
    def start_programs(cls):
        web = cls.folder / 'web.yml'
        web.write_text('basic_auth_users: {limpet: "%s"}\n' % bcrypt('secret'))
        for host in SETTINGS.io_hosts + SETTINGS.client_hosts:
            config = host.folder / 'exporter.yml'
            config.write_text(monitor.exporter_config(SETTINGS, cls.lab.loops.get(host.name)) +
                              'probe: {enabled: true, interval: 30s}\n')
            spawn(SETTINGS.name, in_namespace(
                host.namespace, SETTINGS.bin_dir / 'limpet-exporter', 'serve', '--config', config, '--web.config.file', web,
                '--web.listen-address', '%s:%d' % (host.address, monitor.EXPORTER_PORT)), host.folder / 'exporter.log')
        cls.script = cls.folder / 'primary-affinity'
        # The cluster's file is not where Ceph looks for it.
        cls.script.write_text(example().replace('ceph --name', 'ceph --conf %s --name' % (
            SETTINGS.host('meta').folder / 'ceph.conf')))
        cls.script.chmod(0o755)
        (cls.folder / 'ceph.keyring').touch()
        cls.port = monitor.free_port(19837)
        cls.configure('dry-run')
        cls.diagnoser = spawn(SETTINGS.name, [
            SETTINGS.bin_dir / 'limpet-diagnoser', 'serve', '--config', cls.folder / 'diagnoser.yml', '--web.listen-address',
            '127.0.0.1:%d' % cls.port, '--state-dir', cls.folder / 'state'], cls.folder / 'diagnoser.log')
        wait_until('the diagnoser', cls.incidents, process=cls.diagnoser, log=cls.folder / 'diagnoser.log')

    @classmethod
    def configure(cls, mode):
        targets = ''.join('  - {address: "%s:%d", node: %s, role: %s}\n' % (
            host.address, monitor.EXPORTER_PORT, host.name, host.role) for host in SETTINGS.io_hosts + SETTINGS.client_hosts)
        (cls.folder / 'diagnoser.yml').write_text(CONFIG % {
            'groups': monitor.groups(SETTINGS), 'hook': cls.hook.server_address[1], 'alertmanager': cls.alertmanager_port,
            'mode': mode, 'script': cls.script, 'folder': cls.folder, 'targets': targets})

    @classmethod
    def api(cls, path):
        try:
            with urllib.request.urlopen('http://127.0.0.1:%d/api/v1/%s' % (cls.port, path), timeout=10) as answer:
                return json.load(answer)
        except OSError:
            return None

    @classmethod
    def incidents(cls):
        return cls.api('incidents')

    def of(self, node):
        """Its incident; None: it has none, or nobody answers."""
        listed = self.incidents() or {'incidents': []}   # too busy to answer: asked again
        rows = [one for one in listed['incidents'] if one['node'] == node]
        self.assertLessEqual(len(rows), 1, rows)
        return self.api('incidents/' + rows[0]['id']) if rows else None

    def acts(self, node):
        """[(step, state)] without refusals, which come before the probe has read the disk."""
        incident = self.of(node)
        return [(one['step'], one['state']) for one in incident['acts'] if one['state'] != 'refused'] if incident else []

    def affinities(self):
        """{server: primary affinity of its OSD}."""
        osds = json.loads(ceph.ceph(SETTINGS, 'osd', 'dump', '--format', 'json'))['osds']
        return {'io%02d' % (one['osd'] + 1): one['primary_affinity'] for one in osds}

    def changed(self):
        return {node: affinity for node, affinity in self.affinities().items() if affinity != 1}

    def wait(self, what, test, seconds):
        began = time.monotonic()
        wait_until(what, test, seconds, interval=1, process=self.diagnoser, log=self.folder / 'diagnoser.log')
        print('  %s: after %.0f s' % (what, time.monotonic() - began), flush=True)

    def fault(self, name, until):
        """The disk of this server is busy until `until` has returned."""
        host = SETTINGS.host(name)
        with faults.inject(SETTINGS, 'disk-busy', host, self.lab.loops[name]):
            until()
        print('  mended', flush=True)

    def test_one_notification_one_action_one_release(self):
        self.hook.broken = True
        broken_until = time.monotonic() + FAILS
        self.assertEqual(self.changed(), {})

        print('dry, %s' % DRY, flush=True)
        self.fault(DRY, lambda: self.wait('the dry run', lambda: self.acts(DRY) == [('begin', 'dry-run')], 240))
        self.wait('the dry release', lambda: self.acts(DRY) == [('begin', 'dry-run'), ('end', 'dry-run')], RELEASES)
        self.assertEqual(self.changed(), {})

        print('armed, %s' % ARMED, flush=True)
        self.configure('armed')
        self.diagnoser.send_signal(signal.SIGHUP)
        runner = subprocess.Popen(
            [SETTINGS.bin_dir / 'limpet-diagnoser', 'act', '--config', self.folder / 'diagnoser.yml', '--state-dir',
             self.folder / 'state'], env=dict(os.environ, CREDENTIALS_DIRECTORY=str(self.folder)),
            start_new_session=True)
        self.addCleanup(stop, runner)
        self.fault(ARMED, lambda: self.wait('the action', lambda: self.acts(ARMED) == [('begin', 'done')], 240))
        self.assertEqual(self.changed(), {ARMED: 0})
        mended = time.monotonic()
        self.wait('the release', lambda: self.acts(ARMED) == [('begin', 'done'), ('end', 'done')], RELEASES)
        self.assertGreater(time.monotonic() - mended, 60)   # not before the trial
        self.assertEqual(self.changed(), {})

        time.sleep(max(0, broken_until - time.monotonic()))
        self.hook.broken = False
        self.assertEqual(self.hook.bodies, [])
        self.wait('the sink', lambda: len(self.hook.bodies) >= 4, 700)
        time.sleep(20)      # nothing more comes
        self.judge()

    def judge(self):
        said = [(event['type'], event['data']['node']) for _, event in self.hook.bodies]
        print('  sink: refused %d times, then %s' % (self.hook.refused, said), flush=True)
        self.assertEqual(said, [(kind, node) for node in (DRY, ARMED)
                                for kind in ('limpet.verdict.began', 'limpet.verdict.ended')])
        told = [(one['status'], alert['labels']['node']) for one in self.receiver.got for alert in one['alerts']]
        print('  Alertmanager: %s' % told, flush=True)
        self.assertEqual(told, [(status, node) for node in (DRY, ARMED) for status in ('firing', 'resolved')])
        lines = run(SETTINGS.bin_dir / 'limpet-diagnoser', 'history', '--format', 'jsonl', '--state-dir',
                    self.folder / 'state').splitlines()
        rows = [json.loads(line) for line in lines]
        for row in rows:
            print('  history: %s %s %s %s' % (row['id'], row['node'], row['cause'], row['ending']), flush=True)
        self.assertEqual([row['node'] for row in rows], [DRY, ARMED])
        self.assertEqual({row['state'] for row in rows}, {'ended'})
        for node in DRY, ARMED:
            for act in self.of(node)['acts']:
                print('  act: %s' % json.dumps(act), flush=True)


if __name__ == '__main__':
    missing = [one for one in ('ceph-osd', 'prometheus-alertmanager', 'jq') if not shutil.which(one)]
    if os.geteuid() != 0 or not os.path.exists('/dev/fuse') or missing:
        print('skipped: needs root, FUSE and %s' % ', '.join(missing or ['nothing else']))
        sys.exit(77)
    unittest.main()
