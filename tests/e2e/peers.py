"""Real programs that read our pages: Prometheus, promtool and VictoriaMetrics, from Debian's packages."""
import json
import shutil
import urllib.parse

from support import Program, free_port, get, run, wait_until


def promtool_check(page):
    """AssertionError with promtool's words when it does not accept the page (classic text)."""
    run('promtool', 'check', 'metrics', input=page)


class Prometheus:
    """A Prometheus with this scrape configuration (YAML text of scrape_configs), until the block ends."""

    def __init__(self, folder, scrape_configs, interval='1s', timeout=None):
        self._port = free_port()
        config = folder / 'prometheus.yml'
        config.write_text('global: {scrape_interval: %s, scrape_timeout: %s, evaluation_interval: %s}\nscrape_configs:\n%s'
                          % (interval, timeout or interval, interval, scrape_configs))
        run('promtool', 'check', 'config', config)
        self._arguments = ['prometheus', '--config.file=%s' % config,
                           '--storage.tsdb.path=%s' % (folder / 'tsdb'),
                           '--web.listen-address=127.0.0.1:%d' % self._port, '--log.level=warn']

    def __enter__(self):
        self._program = Program(*self._arguments)
        wait_until('Prometheus', self._ready, 60)
        return self

    def __exit__(self, *arguments):
        self._program.__exit__(*arguments)

    def _ready(self):
        try:
            return get(self.url('/-/ready')).status == 200
        except OSError:
            return False

    def url(self, path):
        return 'http://127.0.0.1:%d%s' % (self._port, path)

    def query(self, expression):
        """[(labels, value)] of an instant query."""
        page = get(self.url('/api/v1/query?' + urllib.parse.urlencode({'query': expression})))
        answer = json.loads(page.body)
        if answer['status'] != 'success':
            raise AssertionError('%s: %s' % (expression, page.body))
        return [(one['metric'], float(one['value'][1])) for one in answer['data']['result']]

    def query_range(self, expression, start, end, step=1):
        """[(labels, [(time, value)])] of a range query."""
        page = get(self.url('/api/v1/query_range?' + urllib.parse.urlencode(
            {'query': expression, 'start': start, 'end': end, 'step': step})))
        return [(one['metric'], [(float(at), float(value)) for at, value in one['values']])
                for one in json.loads(page.body)['data']['result']]

    def wait_for(self, expression, seconds=20):
        """The result of the query once it has any."""
        return wait_until('a result of ' + expression, lambda: self.query(expression), seconds)

    def targets(self):
        """What Prometheus says about its targets; lastError tells why one is down."""
        return json.loads(get(self.url('/api/v1/targets')).body)['data']['activeTargets']


class VictoriaMetrics(Prometheus):
    """A VictoriaMetrics with this scrape configuration, which answers Prometheus' queries."""

    NAME = 'victoria-metrics'

    @classmethod
    def is_installed(cls):
        return shutil.which(cls.NAME) is not None

    def __init__(self, folder, scrape_configs, interval='1s'):
        self._port = free_port()
        config = folder / 'victoria-metrics.yml'
        config.write_text('global: {scrape_interval: %s, scrape_timeout: %s}\nscrape_configs:\n%s'
                          % (interval, interval, scrape_configs))
        # It shows nothing of the last 30 s unless it is told to, and looks that far back.
        self._arguments = [self.NAME, '-promscrape.config=%s' % config,
                           '-storageDataPath=%s' % (folder / self.NAME),
                           '-httpListenAddr=127.0.0.1:%d' % self._port, '-search.latencyOffset=1s',
                           '-memory.allowedPercent=5', '-loggerLevel=WARN']

    def _ready(self):
        try:
            return get(self.url('/health')).status == 200
        except OSError:
            return False


class PastPrometheus(Prometheus):
    """A Prometheus over the blocks in folder/tsdb, which scrapes nothing."""

    def __init__(self, folder):
        super().__init__(folder, '  []')
