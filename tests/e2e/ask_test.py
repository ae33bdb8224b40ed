"""check-config --ask: pages of limpet-exporter and of node_exporter from 1.1 to 1.11, plain and over TLS with a password.

The pages of node_exporter are those of tests/fixtures/node_exporter; where it is installed, it answers itself as well.
"""
import base64
import pathlib
import re
import shutil
import unittest

import support
from support import DIAGNOSER, EXPORTER, Program, bcrypt, get, make_certificate, run, wait_until

PAGES = pathlib.Path(__file__).resolve().parents[1] / 'fixtures/node_exporter'
NODE_EXPORTER = shutil.which('prometheus-node-exporter') or shutil.which('node_exporter')
USER = ('limpet', 'pass word')
SECURE = 'scrape: {scheme: https, tls_config: {ca_file: %s}, basic_auth: {username: limpet, password: pass word}}\n'


def serving(page, certificate=None):
    """Answers with a page; with a certificate, over TLS and to USER only."""
    wanted = 'Basic ' + base64.b64encode(':'.join(USER).encode()).decode()

    def answer(handler):
        known = certificate is None or handler.headers.get('Authorization') == wanted
        handler.send_response(200 if known else 401)
        handler.send_header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
        handler.send_header('Content-Length', str(len(page) if known else 0))
        handler.end_headers()
        handler.wfile.write(page if known else b'')
    return support.WebServer(answer, certificate)


class AskTest(support.TestCase):
    def ask(self, port, scrape=''):
        """What a check says of three servers that all answer there; it finds no fault."""
        file = self.write('diagnoser.yml', scrape + 'targets:\n' + ''.join(
            '  - {address: "127.0.0.1:%d", node: io0%d}\n' % (port, node) for node in (1, 2, 3)))
        file.chmod(0o600)
        done = run(DIAGNOSER, 'check-config', '--config', file, '--ask', '--strict', check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn('warning: ', done.stdout)
        return done.stdout

    def assert_compared(self, text, *disks):
        """Disks, at least these, and the network of all three are compared."""
        for disk in disks:
            self.assertIn(disk, text)
        self.assertRegex(text, r'server-disks +storage +([3-9]|\d\d)')
        self.assertRegex(text, r'server-network +network +3 +io01, io02, io03')
        self.assertNotIn('no readings', text)

    def test_pages_of_node_exporter(self):
        certificate = make_certificate(self.folder)
        pages = sorted(PAGES.glob('*.prom'))
        self.assertGreaterEqual({path.stem for path in pages}, {'1.3.1', '1.5.0', '1.9.0'})
        for path in pages:
            for secure in False, True:
                with self.subTest(path.stem, secure=secure), \
                        serving(path.read_bytes(), certificate if secure else None) as port:
                    text = self.ask(port, SECURE % certificate[0] if secure else '')
                    self.assert_compared(text, 'io01/sda', 'io01/sdb')

    def test_a_wrong_password_is_told(self):
        certificate = make_certificate(self.folder)
        with serving(b'', certificate) as port:
            file = self.write('diagnoser.yml', (SECURE % certificate[0]).replace('pass word', 'other') +
                              'targets: [{address: "127.0.0.1:%d", node: io01}]\n' % port)
            done = run(DIAGNOSER, 'check-config', '--config', file, '--ask')
            self.assertIn('/metrics: expected status 200, got 401; check basic_auth', done.stdout)

    def exporters(self):
        """name: (program and its arguments, the flag of its address, that of its web configuration)."""
        yield 'limpet-exporter', (EXPORTER, 'serve'), '--web.listen-address', '--web.config.file'
        if NODE_EXPORTER:
            version = re.search(r'version (\d+)\.(\d+)', ''.join(
                (lambda done: (done.stdout, done.stderr))(run(NODE_EXPORTER, '--version'))))
            flag = '--web.config.file' if tuple(map(int, version.groups())) >= (1, 5) else '--web.config'
            yield 'node_exporter', (NODE_EXPORTER,), '--web.listen-address', flag

    def test_exporters_that_run_here(self):
        certificate = make_certificate(self.folder)
        web = self.write('web.yml', 'tls_server_config: {cert_file: %s, key_file: %s}\nbasic_auth_users: {%s: %s}\n' % (
            *certificate, USER[0], bcrypt(USER[1])))
        for name, program, listen, config in self.exporters():
            for secure in False, True:
                port = support.free_port()
                with self.subTest(name, secure=secure), \
                        Program(*program, listen, '127.0.0.1:%d' % port, *((config, web) if secure else ())):
                    def answers():
                        try:
                            return get('http%s://127.0.0.1:%d/metrics' % ('s' if secure else '', port),
                                       user=USER if secure else None,
                                       context=support.trusting(certificate[0]) if secure else None).status == 200
                        except OSError:
                            return False
                    wait_until('%s to answer' % name, answers)
                    self.assert_compared(self.ask(port, SECURE % certificate[0] if secure else ''))


if __name__ == '__main__':
    unittest.main()
