"""Pictures of the dashboards for people to look at: scripts/dashboard-pictures FOLDER.

A cluster of fakes in which one disk gets slow is watched by the real diagnoser and a real Prometheus for two minutes; every
dashboard's queries are asked, drawn by render.py, and photographed by Debian's chromium where there is one.
"""
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/e2e'))
import dashboards_test  # noqa: E402
import render  # noqa: E402
import support  # noqa: E402

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else 'dashboards')
NOTE = 'Drawn by tests/grafana/render.py from this dashboard\'s JSON and its queries to a Prometheus; it is not Grafana that draws.'


def filling(board):
    """A function that fills in what Grafana would: the sick server where one is chosen, All elsewhere."""
    chosen = {'__rate_interval': '10s', '__range': '2m'}
    for one in board['templating']['list']:
        chosen[one['name']] = 'io03' if one['name'] == 'node' and not one.get('multi') else '.*'
    return lambda expression: re.sub(r'\$\{?(\w+)\}?', lambda name: chosen[name[1]], expression)


class Host:
    """The parts of a real exporter's page that are not about disks, interfaces or peers."""

    def __init__(self, port):
        self._url, self._at, self._page = 'http://127.0.0.1:%d/metrics' % port, 0.0, ''

    def page(self):
        if time.time() > self._at + 0.5:
            self._at = time.time()
            self._page = ''.join(line + '\n' for line in support.get(self._url).body.splitlines()
                                 if not re.match(r'#|limpet_(disk|network|tcp_peer)_', line))
        return self._page

    def more(self, node):
        sent = 65536 * node.done()
        wave = math.sin(time.time() / 5 + int(node.name[2:]))
        lines = {'network_receive_bytes_total{device="eth0"}': 0.02 * sent, 'network_transmit_bytes_total{device="eth0"}': sent,
                 'disk_await_seconds{device="sda"}': node.await_ms / 1000 * (1 + 0.05 * wave),
                 'disk_service_time_seconds{device="sda"}': node.service_ms / 1000 * (1 + 0.03 * wave),
                 'tcp_peer_cwnd_segments{local_address="10.0.0.1",peer="10.0.0.20",side="server"}': round(40 + 8 * wave)}
        lines.update({'network_%s_%s_total{device="eth0"}' % (way, what): 0 for way in ('receive', 'transmit')
                      for what in ('errs', 'drop')})
        return self.page() + ''.join('limpet_%s %r\n' % one for one in lines.items())


class Pictures(support.TestCase):
    def test_pictures(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        exporter = support.Program(support.EXPORTER, 'serve', '--web.listen-address', '127.0.0.1:0')
        self.addCleanup(exporter.stop)
        with dashboards_test.cluster(self, Host(exporter.port()).more) as (prometheus, nodes):
            start = time.time()
            while time.time() < start + 120:
                elapsed = time.time() - start
                for i, one in enumerate(nodes.values()):
                    # Peers move together, not in step; from 40 s on one disk answers eight times later.
                    one.await_ms = 10 + 2 * ((elapsed / 7 + i / 5) % 1)
                    one.requests = 60 + 10 * ((elapsed / 11) % 1)
                if 40 < elapsed < 95:
                    nodes['io03'].await_ms, nodes['io03'].service_ms = 80, 15
                else:
                    nodes['io03'].service_ms = 5
                time.sleep(0.5)
            # The numbers are those of the fault, the lines those of the whole time.
            span = (start, time.time())
            then = start + 85
            ask = lambda expression: [(labels, points[0][1]) for labels, points in
                                      prometheus.query_range(expression, then, then) if points]
            for path in sorted(ROOT.glob('grafana/dashboards/*.json')):
                board = json.loads(path.read_text())
                text, height, empty = render.page(
                    board, filling(board), ask,
                    lambda expression: prometheus.query_range(expression, *span), span, NOTE)
                made = FOLDER / (path.stem + '.html')
                made.write_text(text)
                print('%s: %s' % (made, 'no data in ' + ', '.join(empty) if empty else 'all panels have data'))
                if shutil.which('chromium'):
                    subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
                                    '--disable-background-networking', '--window-size=%d,%d' % (24 * render.COLUMN + 16, height),
                                    '--screenshot=%s' % made.with_suffix('.png').resolve(), made.resolve().as_uri()],
                                   capture_output=True, check=True, timeout=120)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
