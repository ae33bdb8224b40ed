"""The filter of system calls around `serve` of both programs.

Every other test runs `serve` with --seccomp kill (support.strict); here it is whether the filter is
there at all, for each thread, and that what happens seldom is in the lists too.
"""
import pathlib
import re
import signal
import unittest

from support import DIAGNOSER, EXPORTER, Program, TestCase, bcrypt, get, is_sanitized, wait_until


def threads(pid):
    """For each thread: (no_new_privs, mode of seccomp; 2 is a filter)."""
    found = []
    for task in pathlib.Path('/proc/%d/task' % pid).iterdir():
        status = (task / 'status').read_text()
        found.append(tuple(int(re.search(name + r':\s+(\d)', status).group(1))
                           for name in ('NoNewPrivs', 'Seccomp')))
    return found


@unittest.skipIf(is_sanitized(), 'a program with sanitizers has no filter')
class SandboxTest(TestCase):
    def serve(self, program, *arguments):
        config = self.write('config.yml', '' if program == EXPORTER else
                            'targets:\n  - addresses: ["127.0.0.1:1", "localhost:1"]\n')
        web = self.write('web.yml', 'basic_auth_users: {prometheus: %s}\n' % bcrypt('secret'))
        state = [] if program == EXPORTER else ['--state-dir', self.folder / 'state']
        return Program(program, 'serve', '--config', config, '--web.listen-address', '127.0.0.1:0',
                       '--web.config.file', web, *state, *arguments)

    def test_holds_for_every_thread_by_default(self):
        for program in EXPORTER, DIAGNOSER:
            with self.serve(program, '--seccomp', 'deny') as running:
                url = 'http://127.0.0.1:%d/metrics' % running.port()
                wait_until('the page', lambda: get(url, user=('prometheus', 'secret')).status == 200)
                wait_until('the filter', lambda: set(threads(running.process.pid)) == {(1, 2)})
                self.assertNotIn('seccomp', running.log)

    def test_can_be_switched_off(self):
        for program in EXPORTER, DIAGNOSER:
            with self.serve(program, '--seccomp', 'off') as running:
                running.port()
                self.assertEqual({mode for _, mode in threads(running.process.pid)}, {0})

    def test_nothing_that_a_reload_a_wrong_password_or_the_end_needs_is_missing(self):
        for program in EXPORTER, DIAGNOSER:
            with self.serve(program, '--seccomp', 'kill') as running:
                url = 'http://127.0.0.1:%d/metrics' % running.port()
                self.assertEqual(get(url, user=('prometheus', 'wrong')).status, 401)
                config = self.folder / 'config.yml'
                config.write_text(config.read_text() + (
                    'log_level: debug\n' if program == EXPORTER else 'lateness: 3s\n'))
                for _ in range(3):
                    running.process.send_signal(signal.SIGHUP)
                    wait_until('the page', lambda: get(url, user=('prometheus', 'secret')).status
                               in (200, 503))
                wait_until('the reload', lambda: re.search(
                    'configuration (read again|reloaded)', running.log))
                running.process.terminate()
                self.assertEqual(running.process.wait(20), 0)


if __name__ == '__main__':
    unittest.main()
