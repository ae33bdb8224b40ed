"""Clients as witnesses: what NFS clients say of servers that nobody watches, with the pack that packages install."""
import collections
import json
import pathlib
import random
import unittest

import support
from support import DIAGNOSER, run

PACK = pathlib.Path(__file__).resolve().parents[2] / 'config' / 'metrics' / 'nfs.yml'
START, SECONDS, ONSET = 1700000000, 330, 150
CLIENTS, SERVERS = 14, 6
USUAL = 0.003   # s a request


def record(folder, slow=None, times=None, load=None, only=None):
    """Recordings of node_exporters with mountstats on 14 clients of 6 servers, each with an export.

    slow: a server whose requests take five times as long from ONSET on. times: by client, so many times as long
    always. load: by client, so many times the requests. only: by client, the servers that it has mounted.
    """
    times, load, only = times or {}, load or {}, only or {}
    source = random.Random(1)
    for client in range(CLIENTS):
        name = 'client%02d' % (client + 1)
        (folder / name).mkdir(parents=True)
        totals, lines = collections.defaultdict(lambda: [1000, 3.0]), []
        for second in range(SECONDS):
            for server in only.get(client, range(SERVERS)):
                for operation in ('READ', 'WRITE'):
                    count = source.randint(20, 60) * load.get(client, 1)
                    usual = USUAL * times.get(client, 1) * (5 if server == slow and second >= ONSET else 1)
                    total = totals[server, operation]
                    total[0] += count
                    total[1] += count * source.gauss(1, count ** -0.5) * usual
                    for what, value in zip(('requests', 'request_time_seconds'), total):
                        lines.append('node_mountstats_nfs_operations_%s_total{export="nfs%d:/data",mountaddr="192.0.2.%d",'
                                     'operation="%s",protocol="tcp",instance="%s",role="client"} %.6f %d.010' % (
                                         what, server, 10 + server, operation, name, value, START + second))
        (folder / name / '20231114T221320Z.om').write_text('\n'.join(lines) + '\n# EOF\n')


class WitnessesTest(support.TestCase):

    def verdicts(self, addresses=True, **fleet):
        folder = self.folder / 'recorded'
        record(folder, **fleet)
        config = self.write('diagnoser.yml', 'metric_files: [%s]\n' % PACK + (
            'addresses: {%s}\n' % ', '.join('192.0.2.%d: nfs%d' % (10 + i, i) for i in range(SERVERS)) if addresses else ''))
        done = run(DIAGNOSER, 'replay', '--config', config, *sorted(folder.glob('*/*.om')))
        return [one for one in map(json.loads, done.stdout.splitlines()) if one['type'] == 'verdict']

    def test_a_server_without_an_exporter_is_named_by_its_clients(self):
        verdicts = self.verdicts(slow=2)
        self.assertEqual({(one['node'], one['cause']) for one in verdicts}, {('nfs2', 'slow-requests')})
        self.assertLessEqual(verdicts[0]['end'] - START - ONSET, 60)
        self.assertGreaterEqual(verdicts[0]['end'] - START, ONSET)
        evidence = verdicts[-1]['evidence'][0]
        self.assertEqual(evidence['component'], 'nfs2/nfs2:/data')
        self.assertEqual(evidence['storage']['text'], 'time of a read, as its clients see it')
        self.assertAlmostEqual(evidence['storage']['value'], 5 * USUAL, delta=0.001)
        self.assertAlmostEqual(evidence['storage']['peers_high'], USUAL, delta=0.0003)

    def test_the_clients_that_wait_longest_and_the_busiest_are_facts(self):
        facts = self.verdicts(slow=2, times={3: 2, 8: 1.5}, load={5: 10})[-1]['facts']
        read = next(one for one in facts if one['text'].startswith('time of a read'))
        self.assertEqual((read['fact'], read['device'], read['detail']), ('waiting-clients', 'nfs2:/data', 'client04'))
        self.assertRegex(read['text'], r'client04 [\d.]+ ms, client09 [\d.]+ ms, .*; all 14 [\d.]+ ms; client06 sends 4\d % of the requests')

    def test_without_names_it_is_called_by_its_address(self):
        verdicts = self.verdicts(addresses=False, slow=2)
        self.assertEqual({one['node'] for one in verdicts}, {'192.0.2.12'})

    def test_nobody_is_named_while_all_are_well(self):
        self.assertEqual(self.verdicts(), [])

    def test_a_far_client_accuses_nobody(self):
        self.assertEqual(self.verdicts(times={3: 20}), [])

    def test_a_far_client_that_asks_one_server_for_most_accuses_nobody(self):
        self.assertEqual(self.verdicts(times={3: 8}, load={3: 10}, only={3: [4]}), [])

    def test_beside_a_far_client_the_server_is_still_named(self):
        verdicts = self.verdicts(slow=2, times={3: 8}, load={3: 10}, only={3: [4]})
        self.assertEqual({one['node'] for one in verdicts}, {'nfs2'})


if __name__ == '__main__':
    unittest.main()
