"""Exporters of a file system that is not there: counters that grow with the time, on free ports.

Every node does `requests` a second of `await_ms` each with the disk busy `service_ms` for each; a
test makes one limp by changing its numbers while it runs.
"""
import base64
import http.server
import random
import ssl
import threading
import time


class Node:
    """One server's numbers. `answer`: a function of the handler that answers instead, or None."""

    def __init__(self, name):
        self.name = name
        self.requests, self.await_ms, self.service_ms = 60.0, 10.0, 5.0
        self.noise = 0.0                # share by which the requests differ from page to page
        self.answer = None
        self.user = None                # (name, password) that must be sent
        self.more = str                 # a function: further lines of its page
        self.port = 0
        self._lock = threading.Lock()
        self._at = time.time()
        self._done = self._waited = self._busy = 0.0

    def done(self):
        """Requests so far."""
        return self._done

    def waited(self):
        """Seconds the requests so far have waited."""
        return self._waited

    def busy(self):
        """Seconds the disk has been busy so far."""
        return self._busy

    def reset(self):
        """The counters begin anew, as after a restart of the machine."""
        with self._lock:
            self._done = self._waited = self._busy = 0.0

    def page(self, seconds=None):
        """Its metrics page; seconds: that have passed since the last, the real ones when None."""
        with self._lock:
            now = time.time()
            done = self.requests * (now - self._at if seconds is None else seconds)
            done *= random.uniform(1 - self.noise, 1 + self.noise)
            self._at = now
            self._done += done
            self._waited += done * self.await_ms / 1000
            self._busy += done * self.service_ms / 1000
            lines = ['limpet_disk_reads_completed_total{device="sda"} %r' % self._done,
                     'limpet_disk_read_bytes_total{device="sda"} %r' % (self._done * 65536),
                     'limpet_disk_read_time_seconds_total{device="sda"} %r' % self._waited,
                     'limpet_disk_writes_completed_total{device="sda"} 0',
                     'limpet_disk_written_bytes_total{device="sda"} 0',
                     'limpet_disk_write_time_seconds_total{device="sda"} 0',
                     'limpet_disk_io_time_seconds_total{device="sda"} %r' % self._busy,
                     'limpet_disk_io_time_weighted_seconds_total{device="sda"} %r' % self._waited,
                     'limpet_disk_io_now{device="sda"} 0',
                     'limpet_disk_info{device="sda",wwn="naa.%s",rotational="1"} 1' % self.name]
        return '\n'.join(lines) + '\n' + self.more()


class FakeExporters:
    """Nodes io01, io02, … each with a server of its own while the `with` block lasts."""

    def __init__(self, count, certificate=None):
        self.nodes = {}
        self._servers = []
        for i in range(1, count + 1):
            node = Node('io%02d' % i)
            self.nodes[node.name] = node
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), _handler(node))
            server.daemon_threads = True
            server.handle_error = lambda *_: None   # a connection that was cut is no news
            if certificate is not None:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(*certificate)
                server.socket = context.wrap_socket(server.socket, server_side=True)
            node.port = server.server_address[1]
            self._servers.append(server)

    def __enter__(self):
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        for node in self.nodes.values():    # connections that are kept end too
            node.answer = lambda handler: setattr(handler, 'close_connection', True)
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def targets(self, more=''):
        """The `targets` section that names them all."""
        return 'targets:\n' + ''.join('  - {node: %s, address: "127.0.0.1:%d"%s}\n' % (
            node.name, node.port, more) for node in self.nodes.values())


def _handler(node):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            if node.answer is not None:
                node.answer(self)
                return
            wanted = node.user and 'Basic ' + base64.b64encode(':'.join(node.user).encode()).decode()
            if wanted and self.headers.get('Authorization') != wanted:
                self.send_error(401)
                return
            body = node.page().encode()
            self.send_response(200)
            self.send_header('Content-Type', 'text/plain; version=0.0.4')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass
    return Handler
