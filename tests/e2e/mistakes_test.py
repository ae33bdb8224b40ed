"""Typical mistakes, one a row: what somebody writes, and the first line that answers it.

Each line names the file and line, or the target; what was expected; and what to do about it.
"""
import unittest

import support
from support import DIAGNOSER, EXPORTER, free_port, make_certificate, run

PAGE = b'node_disk_reads_completed_total{device="sda"} 1\n'

# name: (diagnoser.yml, the first line that check-config prints about it; FILE is the file)
FILES = {
    'a tab': ('scrape:\n\tinterval: 1s\n', 'FILE:2: not YAML: the line begins with a tab; indent with spaces'),
    'a tab in a list': ('targets:\n  - address: io01\n\t  role: client\n',
                        'FILE:3: not YAML: the line begins with a tab; indent with spaces'),
    'wrong indentation': ('targets:\n  - address: io01\n   role: server\n',
                          'FILE:3: not YAML: end of sequence not found; check the indentation, brackets and quotes '
                          'of this line and the one before'),
    'a missing bracket': ('targets: [{address: io01}\nscrape: {}\n', 'FILE:2: not YAML: '),
    'no blank behind a colon': ('targets:\n  - address:io01\n',
                                'FILE:2: targets[0]: expected a map (key: value), got "address:io01"; a space belongs '
                                'behind the colon'),
    'a misspelt section': ('targts:\n  - address: io01\n', 'FILE:2: targts: unknown key; did you mean targets? expected one of '),
    'a misspelt key': ('targets:\n  - {address: io01, rolle: client}\n',
                       'FILE:2: targets[0].rolle: unknown key; did you mean role? expected one of '),
    'a key twice': ('scrape: {}\nscrape: {}\n', 'FILE:2: scrape: key given twice'),
    'yes for true': ('scrape: {enable_compression: yes}\n', 'FILE:1: scrape.enable_compression: expected true or false, got "yes"'),
    'a list of names': ('targets: [io01]\n', 'FILE:1: targets[0]: expected a map (key: value), got "io01"'),
    'a duration without unit': ('scrape: {interval: 15}\n',
                                'FILE:1: scrape.interval: expected a duration such as 1s or 500ms, got "15"; the unit is '
                                'missing: s, ms, m, h or d'),
    'a timeout over the interval': ('scrape: {interval: 1s, timeout: 2s}\n',
                                    'FILE:1: scrape.timeout: expected a timeout of at most the interval'),
    'scrapes too far apart': ('targets: [{address: io01}]\nscrape: {interval: 10s}\npreset: bare\n',
                              'FILE:1: targets: preset bare wants scrapes at most 5000 ms apart, got an interval of 10000 ms: '
                              'every sample would be missing; scrape more often, give it a longer step or max_gap, or leave presets out'),
    'a URL as address': ('targets: [{address: "http://io01:9836"}]\n',
                         'FILE:1: targets[0].address: expected an address such as io01:9836 or [fd00::1]:9836, got '
                         '"http://io01:9836"; the scheme and the path are keys of their own: scheme, metrics_path'),
    'an address without host': ('targets: [{address: ":9836"}]\n',
                                'FILE:1: targets[0].address: expected an address such as io01:9836 or [fd00::1]:9836, got '
                                '":9836"; the host is missing'),
    'a port that is none': ('targets: [{address: "io01:99999"}]\n',
                            'FILE:1: targets[0].address: expected an address such as io01:9836 or [fd00::1]:9836, got '
                            '"io01:99999"; a port is a number from 1 to 65535'),
    'a node twice': ('targets:\n  - address: io01\n  - address: io01:9100\n',
                     'FILE:3: targets[1].address: node io01 is already a target in line 2; give each a node name of its own'),
    'another choice than the only one': ('peer_groups:\n  - {name: a, kind: storage, per: rack}\n',
                                         'FILE:2: peer_groups[0].per: expected node, got "rack"'),
    'a misspelt kind': ('peer_groups: [{name: a, kind: storge}]\n',
                        'FILE:1: peer_groups[0].kind: expected one of storage network cwnd, got "storge"; did you mean storage?'),
    'a wildcard for a regular expression': ('peer_groups:\n  - {name: a, kind: storage, device: "*sd"}\n',
                                            'FILE:2: peer_groups[0].device: expected a regular expression, got "*sd": '),
    'a misspelt preset': ('preset: defualt\n', 'FILE:1: preset: expected one of default default-15s bare bare-15s testbench production, got '
                          '"defualt"; did you mean default?'),
    'a misspelt number of a preset': ('presets:\n  - {base: default, windw: 64}\n',
                                      'FILE:2: presets[0].windw: unknown key; did you mean window? expected one of '),
    'a password file that is not there': ('scrape: {basic_auth: {username: a, password_file: /no/pw}}\n',
                                          'FILE:1: scrape.basic_auth.password_file: cannot read the password: /no/pw: '
                                          'No such file or directory'),
    'a certificate without its key': ('scrape: {tls_config: {cert_file: a.pem}}\n',
                                      'FILE:1: scrape.tls_config.key_file: expected cert_file and key_file together'),
    'masks that are not there': ('masked_file: /no/masked\n', 'FILE:1: masked_file: /no/masked: No such file or directory; '
                                 'create it, even if nobody is masked now'),
}

# name: (the target's side, the keys of `scrape`, what --ask says of it behind the URL)
TARGETS = {
    'nobody listens': ('nobody', '{}', 'cannot connect: Connection refused'),
    'a self-signed certificate': ('tls', '{scheme: https}', 'its certificate is self-signed and not trusted: copy it here and '
                                  'name it as tls_config.ca_file'),
    'a certificate for another name': ('tls', '{scheme: https, tls_config: {ca_file: CERTIFICATE, server_name: io01}}',
                                       'its certificate is for another name than io01: use a name that is in it as address, '
                                       'or set tls_config.server_name'),
    'http to a server that wants https': ('tls', '{}', 'closed the connection in the middle of its answer; does it want TLS '
                                          '(scheme: https)?'),
    'https to a server of http': ('plain', '{scheme: https}', 'TLS handshake failed: wrong version number; it does not speak '
                                  'TLS on this port (scheme: http?)'),
    'a CA file that is not there': ('tls', '{scheme: https, tls_config: {ca_file: /no/ca.pem}}',
                                    'cannot use ca_file, cert_file or key_file: /no/ca.pem: No such file or directory'),
    'a password is wanted': (401, '{}', 'expected status 200, got 401; check basic_auth'),
    'the wrong path': (404, '{}', 'expected status 200, got 404; check metrics_path'),
    'a redirect': (301, '{}', 'answers 301, a redirect to "/there"; redirects are not followed: configure the final address'),
    'a page for people': ('html', '{}', 'expected a metrics page, got text/html; check the port and metrics_path'),
}


def answering(kind, certificate):
    """A target that answers in its own way."""
    def answer(handler):
        handler.send_response(kind if isinstance(kind, int) else 200)
        handler.send_header('Content-Type', 'text/html' if kind == 'html' else 'text/plain')
        handler.send_header('Location', '/there')
        handler.end_headers()
        handler.wfile.write(PAGE)
    return support.WebServer(answer, certificate if kind == 'tls' else None)


class MistakesTest(support.TestCase):
    def first_line(self, *arguments, code=2):
        done = run(*arguments, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return (done.stderr or done.stdout).splitlines()[0]

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(FILES) + len(TARGETS), 25)

    def test_mistakes_in_the_file_name_its_line(self):
        for name, (text, expected) in FILES.items():
            with self.subTest(name):
                file = self.write('diagnoser.yml', text)
                line = self.first_line(DIAGNOSER, 'check-config', '--config', file)
                self.assertTrue(line.startswith(expected.replace('FILE', str(file))), line)

    def test_a_file_that_is_not_there(self):
        self.assertEqual(self.first_line(DIAGNOSER, 'check-config', '--config', '/no/d.yml'),
                         '/no/d.yml: No such file or directory; --config names the file to read')
        file = self.write('d.yml', 'targets: [{address: io01}]\n')
        self.assertEqual(self.first_line(DIAGNOSER, 'check-config', '--config', file, '--thresholds', '/no/t.yml'),
                         '/no/t.yml: No such file or directory; expected the file that limpet-diagnoser train has written')

    def test_targets_that_answer_wrongly_are_named(self):
        certificate = make_certificate(self.folder)
        for name, (kind, scrape, expected) in TARGETS.items():
            with self.subTest(name), answering(kind, certificate) as port:
                port = free_port() if kind == 'nobody' else port
                file = self.write('diagnoser.yml', 'scrape: %s\ntargets: [{address: "127.0.0.1:%d", node: io01}]\n'
                                  % (scrape.replace('CERTIFICATE', str(certificate[0])), port))
                done = run(DIAGNOSER, 'check-config', '--config', file, '--ask')
                told = [line for line in done.stdout.splitlines() if line.startswith('warning: ')]
                self.assertEqual(told[0], 'warning: targets: io01: http%s://127.0.0.1:%d/metrics: %s' % (
                    's' if 'https' in scrape else '', port, expected))

    def test_programs_that_cannot_start_say_why(self):
        config = self.write('d.yml', 'targets: [{address: io01}]\n')
        with answering('plain', None) as port:
            taken = '127.0.0.1:%d' % port
            for program, more in (DIAGNOSER, ('--config', config)), (EXPORTER, ()):
                done = run(program, 'serve', *more, '--web.listen-address', taken, check=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(taken, done.stderr)
                self.assertIn('is in use; stop the program that has it', done.stderr)
        file = self.write('exporter.yml', 'collectors:\n  dsk: {}\n')
        self.assertIn('%s:2: collectors.dsk: unknown key; did you mean disk? expected one of ' % file,
                      self.first_line(EXPORTER, 'check-config', '--config', file))


if __name__ == '__main__':
    unittest.main()
