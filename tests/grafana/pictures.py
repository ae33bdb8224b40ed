"""Pictures of the dashboards for people to look at: scripts/dashboard-pictures FOLDER.

A cluster of fakes in which one disk gets slow is watched by the real diagnoser and a real Prometheus for two minutes; every
dashboard's queries are asked and drawn: by Grafana's own components (components/panels.jsx) where npm has them, else by
render.py. Debian's chromium, where there is one, makes PNG of them.
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

FOLDER = pathlib.Path(next((one for one in sys.argv[1:] if not one.startswith('-')), 'dashboards'))
COMPONENTS = ROOT / 'tests/grafana/components'
NOTE = 'Drawn by tests/grafana/render.py from this dashboard\'s JSON and its queries to a Prometheus; it is not Grafana that draws.'
NOTE_OF_COMPONENTS = ('Drawn by Grafana\'s components (@grafana/ui, without Grafana) from this dashboard\'s JSON and its queries to a '
                      'Prometheus; state timelines and heatmaps by tests/grafana/render.py.')
PAGE = '''<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="panels.css"><style>
body { background: #111217 !important; margin: 0 8px; overflow: visible !important } .note { font-size: 11px; color: #8e8e99; margin: 6px 0 }
svg text { fill: #8e8e99; font-size: 10px }</style><h1 style="font-size: 18px; margin: 12px 0 2px">%s</h1><p class="note">%s</p>
<div id="root"></div><script>window.DASHBOARD = %s</script><script src="panels.js"></script>'''


def bundled(folder):
    """Whether Grafana's components are there now: panels.js and panels.css in the folder. 600 MB of packages below build/."""
    if '--own' in sys.argv or shutil.which('npm') is None:
        return False
    made = ROOT / 'build/grafana-components'
    made.mkdir(parents=True, exist_ok=True)
    for name in 'package.json', 'panels.jsx':
        shutil.copy(COMPONENTS / name, made)
    loaders = ['--loader:.%s=dataurl' % kind for kind in ('svg', 'ttf', 'woff2')]
    for command in (['npm', 'install', '--no-audit', '--no-fund', '--legacy-peer-deps'],
                    ['npx', 'esbuild', 'panels.jsx', '--bundle', '--minify', '--format=iife', '--jsx=automatic', '--log-level=error',
                     '--define:process.env.NODE_ENV="production"', '--outfile=%s' % (folder / 'panels.js').resolve(), *loaders]):
        done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False)
        if done.returncode:
            print('without Grafana\'s components: %s' % (done.stdout + done.stderr)[-500:])
            return False
    return True


def components_page(board, fill, ask, ask_range, span):
    """The page that panels.jsx draws, and its height."""
    data = {}
    for panel in board['panels']:
        asked = {target['refId']: fill(target['expr']) for target in panel['targets']}
        drawing = render.Drawing(panel, fill, ask, ask_range, span)
        drawing.width, drawing.height = drawing.width - 16, drawing.height - 20   # the panel's frame
        data[panel['id']] = {'now': {ref: ask(expression) for ref, expression in asked.items()},
                             'range': {ref: ask_range(expression) for ref, expression in asked.items()},
                             'drawn': drawing.draw() if panel['type'] in ('state-timeline', 'heatmap') else ''}
    text = json.dumps({'board': board, 'span': span, 'data': data}).replace('</', '<\\/')
    height = max(38 * (panel['gridPos']['y'] + panel['gridPos']['h']) for panel in board['panels'])
    return PAGE % (board['title'], NOTE_OF_COMPONENTS, text), height + 90


def filling(board):
    """A function that fills in what Grafana would: the sick server where one is chosen, All elsewhere."""
    chosen = {'__rate_interval': '10s', '__range': '2m'}
    for one in board['templating']['list']:
        chosen[one['name']] = 'io03' if one['name'] == 'node' and not one.get('multi') else '.*'
    chosen['metric'] = 'await|service_time'     # all of them do not fit into a legend
    return lambda expression: render.filled(expression, chosen)


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
        has_components = bundled(FOLDER)
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
                if all(panel['type'] == 'row' for panel in board['panels']):
                    continue    # of a storage, which is not here
                ask_range = lambda expression: prometheus.query_range(expression, *span)
                text, height, empty = render.page(board, filling(board), ask, ask_range, span, NOTE)
                if has_components:
                    text, height = components_page(board, filling(board), ask, ask_range, span)
                made = FOLDER / (path.stem + '.html')
                made.write_text(text)
                print('%s: %s' % (made, 'no data in ' + ', '.join(empty) if empty else 'all panels have data'))
                if shutil.which('chromium'):
                    subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
                                    '--disable-background-networking', '--virtual-time-budget=10000',
                                    '--window-size=%d,%d' % (24 * render.COLUMN + 16, height),
                                    '--screenshot=%s' % made.with_suffix('.png').resolve(), made.resolve().as_uri()],
                                   capture_output=True, check=True, timeout=120)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
