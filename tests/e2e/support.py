"""What every end-to-end test needs: the real programs on free ports, and a look at their pages.

The programs are taken from $LIMPET_BIN_DIR (ctest sets it). A program is ready when it has logged
"listening on ADDRESS:PORT"; the port is read from there, so no test names one. Everything started
is stopped by its pid when the `with` block ends; what it logged is shown when a test fails.
"""
import base64
import contextlib
import gzip
import http.server
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

BIN_DIR = pathlib.Path(os.environ.get('LIMPET_BIN_DIR', 'build/dev/bin')).resolve()
EXPORTER = BIN_DIR / 'limpet-exporter'
DIAGNOSER = BIN_DIR / 'limpet-diagnoser'
LISTENING = re.compile(r'listening on (\S*):(\d+)')
SAMPLE = re.compile(r'^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \S+)?$')
LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')


def without_incidents(events):
    """Lines of events as a replay writes them: ids of incidents are those of a running diagnoser's history."""
    return re.sub(r',"incident":"[0-9a-f]+"', '', events)


def wait_until(what, condition, seconds=20.0, every=0.05):
    """Returns the first true value of condition(); AssertionError after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError('waited %g s in vain for %s' % (seconds, what))
        time.sleep(every)


def strict(arguments):
    """With `serve`, a system call that is not in the program's list is its end: so that every test
    finds what the list lacks."""
    for program in str(EXPORTER), str(DIAGNOSER):
        if program in arguments:
            place = arguments.index(program) + 1
            if arguments[place:place + 1] in (['serve'], ['federate']) and '--seccomp' not in arguments:
                return arguments[:place + 1] + ['--seccomp', 'kill'] + arguments[place + 1:]
    return arguments


class Program:
    """A running program; `log` is what it has written to both outputs so far."""

    def __init__(self, *arguments, env=None, cwd=None):
        self.arguments = strict([str(one) for one in arguments])
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd,
                                        env=None if env is None else {**os.environ, **env})
        self._chunks = []
        self.reading = threading.Event()  # cleared: nobody reads what it writes
        self.reading.set()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.reading.wait()
            self._chunks.append(line.decode(errors='replace'))

    @property
    def log(self):
        return ''.join(list(self._chunks))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.stop()
        if kind is not None:
            print('--- %s\n%s' % (' '.join(self.arguments), self.log[-8000:]))

    def port(self, seconds=20.0):
        """The port of the first "listening on" line."""
        def found():
            match = LISTENING.search(self.log)
            if match is None and self.process.poll() is not None:
                raise AssertionError('%s ended with %s:\n%s' % (self.arguments[0],
                                                               self.process.returncode, self.log))
            return match
        return int(wait_until('%s to listen' % self.arguments[0], found, seconds).group(2))

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, seconds=20.0):
        """The exit code; AssertionError when it does not end."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError('%s did not end:\n%s' % (self.arguments[0], self.log)) from None
        self._reader.join(5)
        self.process.stdout.close()
        return code

    def stop(self):
        """SIGTERM, after ten seconds SIGKILL; returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()
        return self.wait()


def run(*arguments, seconds=60, check=True, **options):
    """Runs a program to its end. AssertionError with its output when `check` and it fails."""
    if 'input' not in options:
        options.setdefault('stdin', subprocess.DEVNULL)
    done = subprocess.run([str(one) for one in arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=seconds, check=False, **options)
    if check and done.returncode != 0:
        raise AssertionError('%s ended with %d:\n%s%s' % (' '.join(done.args), done.returncode,
                                                          done.stdout, done.stderr))
    return done


class Page:
    """An HTTP answer; `samples` maps (name, sorted label pairs) to a float."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self._samples = None

    @property
    def samples(self):
        if self._samples is None:
            self._samples = {}
            for line in self.body.splitlines():
                match = SAMPLE.match(line)
                if match:
                    labels = tuple(sorted(LABEL.findall(match.group(2) or '')))
                    self._samples[match.group(1), labels] = float(match.group(3))
        return self._samples

    def value(self, name, **labels):
        """The one sample with this name and (at least) these labels; None when there is none."""
        found = self.all(name, **labels)
        if len(found) > 1:
            raise AssertionError('%d samples of %s%s' % (len(found), name, labels))
        return found[0][1] if found else None

    def all(self, name, **labels):
        """[(labels as a dict, value)] of every sample with this name and (at least) these labels."""
        return [(dict(pairs), value) for (one, pairs), value in self.samples.items()
                if one == name and labels.items() <= dict(pairs).items()]


def get(url, headers=None, seconds=10.0, user=None, context=None, data=None):
    """A Page whatever the status; urllib.error.URLError when there is no answer."""
    request = urllib.request.Request(url, headers=headers or {}, data=data)
    if user is not None:
        token = base64.b64encode(':'.join(user).encode()).decode()
        request.add_header('Authorization', 'Basic ' + token)
    try:
        with urllib.request.urlopen(request, timeout=seconds, context=context) as answer:
            body, status, fields = answer.read(), answer.status, answer.headers
    except urllib.error.HTTPError as failed:
        body, status, fields = failed.read(), failed.code, failed.headers
    if fields.get('Content-Encoding') == 'gzip':
        body = gzip.decompress(body)
    return Page(status, fields, body.decode())


def trusting(certificate):
    """A TLS context that trusts this certificate only."""
    return ssl.create_default_context(cafile=str(certificate))


def make_certificate(folder, name='server', days=2):
    """A self-signed certificate for localhost and the loopback addresses; (certificate, key)."""
    certificate, key = pathlib.Path(folder, name + '.crt'), pathlib.Path(folder, name + '.key')
    run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', days, '-keyout', key,
        '-out', certificate, '-subj', '/CN=localhost', '-addext',
        'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1')
    return certificate, key


def bcrypt(password, cost=4):
    """A bcrypt hash as Prometheus' web configuration files have it."""
    return run('htpasswd', '-nbBC', cost, 'user', password).stdout.strip().split(':', 1)[1]


class WebServer:
    """Calls answer(handler) for each GET while the `with` block lasts, which gets the port; with a certificate, over TLS."""

    def __init__(self, answer, certificate=None):
        class Handler(http.server.BaseHTTPRequestHandler):
            do_GET = answer

            def log_message(handler, *_):
                pass
        self._server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self._server.handle_error = lambda *_: None   # a handshake that fails may be what is wanted
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self._server.server_address[1]

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def free_port():
    """A port that was free a moment ago, for programs that cannot say which one they took."""
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


def is_sanitized():
    """Whether the programs were built with a sanitizer, which needs memory of its own."""
    return re.search(r'lib[at]san', run('ldd', EXPORTER).stdout) is not None


class TestCase(unittest.TestCase):
    """A test with a folder of its own, self.folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='limpet-e2e-'))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def refusing_port(self):
        """Nobody listens there, and nobody else gets it while the test runs."""
        bound = self.enterContext(socket.socket())
        bound.bind(('127.0.0.1', 0))
        return bound.getsockname()[1]

    def diagnoser(self, config, *more, name='diagnoser.yml'):
        """A running diagnoser at port .number; .page(path) asks it."""
        program = Program(DIAGNOSER, 'serve', '--config', self.write(name, config),
                          '--web.listen-address', '127.0.0.1:0', *more)
        self.addCleanup(program.stop)
        program.number = program.port()
        program.page = lambda path='/metrics', **kind: get(
            'http://127.0.0.1:%d%s' % (program.number, path), **kind)
        return program

    def assert_resident(self, program, limit):
        """The diagnoser uses less than `limit` bytes; what sanitizers keep is not held against it."""
        used = program.page().value('limpet_diagnoser_resident_memory_bytes')
        if not is_sanitized():
            self.assertLess(used, limit)

    def indicted(self, program):
        """{(node, cause)} of a diagnoser."""
        return {(labels['node'], labels['cause'])
                for labels, value in program.page().all('limpet_indicted') if value == 1}
