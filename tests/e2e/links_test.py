"""Every link of the pages that are served, of the alerts and of the dashboards leads to something.

Addresses of the example are those of a running diagnoser here; Grafana's are compared with the dashboards that we ship.
"""
import json
import pathlib
import re
import unittest
import urllib.parse

import support
from support import EXPORTER, Program, get, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
DASHBOARDS = [json.loads(path.read_text()) for path in sorted(ROOT.glob('grafana/dashboards/*.json'))]
VARIABLES = {board['uid']: {one['name'] for one in board['templating']['list']} for board in DASHBOARDS}
TARGET = 'targets: [{address: "127.0.0.1:1", node: io03}]\n'


def links_of(body):
    return [link for link in re.findall(r'(?:href|src)="([^"#][^"]*)"', body) if not link.startswith('data:')]


class LinksTest(support.TestCase):

    def assert_page(self, url):
        """It is there, and so is the place in it. 503: a diagnoser that no target has answered yet is not ready."""
        address, _, anchor = url.partition('#')
        page = get(address)
        self.assertIn(page.status, (200, 503) if address.endswith('/-/ready') else (200,), url)
        if anchor:
            self.assertIn('id="%s"' % anchor, page.body, url)
        return page

    def assert_dashboard(self, path):
        """/d/UID?var-NAME=...: the dashboard is one of ours and has the variable."""
        parts = urllib.parse.urlsplit(path)
        uid = parts.path.removeprefix('/d/')
        self.assertIn(uid, VARIABLES, path)
        asked = {name.removeprefix('var-') for name in re.findall(r'var-\w+', parts.query)}
        self.assertEqual(asked - VARIABLES[uid], set(), path)

    def crawl(self, base):
        """Every page of this server that another one links to."""
        left, seen = ['/'], set()
        while left:
            path = left.pop()
            if path not in seen:
                seen.add(path)
                page = self.assert_page(base + path)
                if 'html' in page.headers.get('Content-Type', ''):
                    left += [urllib.parse.urljoin(path, link) for link in links_of(page.body)
                             if not urllib.parse.urlsplit(link).netloc]
        return seen

    def test_pages_lead_to_pages(self):
        for more in (), ('--web.ui', 'false'):
            program = self.diagnoser(TARGET, *more)
            seen = self.crawl('http://127.0.0.1:%d' % program.number)
            self.assertIn('/metrics', seen)
            self.assertIn('/api/v1/verdicts', seen)
        self.assertIn('/playbooks', seen)   # of the list of links; the live page makes its own in the browser
        source = (ROOT / 'diagnoser/page/src/view/legend.tsx').read_text()
        table = re.search(r'const LINKS.*?= \[(.*?)\n\];', source, re.DOTALL)[1]
        self.assertGreaterEqual(len(re.findall(r'\["(/[^"]*)"', table)), 8)
        for path in re.findall(r'\["(/[^"]*)"', table):
            self.assert_page('http://127.0.0.1:%d%s' % (program.number, path))
        exporter = Program(EXPORTER, 'serve', '--web.listen-address', '127.0.0.1:0')
        self.addCleanup(exporter.stop)
        base = 'http://127.0.0.1:%d' % exporter.port()
        wait_until('the first sample', lambda: get(base + '/-/ready').status == 200)
        self.assertIn('/metrics', self.crawl(base))

    def test_alerts_lead_to_their_playbook_the_live_page_and_a_dashboard(self):
        base = 'http://127.0.0.1:%d' % self.diagnoser(TARGET).number
        rules = (ROOT / 'config/prometheus/alerts.yml').read_text()
        rules = rules[rules.index('groups:'):]
        links = {re.sub(r'\{\{.*?\}\}', 'io03', link) for _, link in re.findall(r'(\w+_url): \'([^\']*)\'', rules)}
        self.assertGreater(len(links), rules.count('- alert: '))
        for link in links:
            if link.startswith('http://localhost:9837/'):
                self.assert_page(link.replace('http://localhost:9837', base))
            else:
                self.assertTrue(link.startswith('http://localhost:3000/d/'), link)
                self.assert_dashboard(link.removeprefix('http://localhost:3000'))

    def test_dashboards_lead_to_each_other_and_to_the_live_page(self):
        base = 'http://127.0.0.1:%d' % self.diagnoser(TARGET).number
        for board in DASHBOARDS:
            for link in set(re.findall(r'"url": "([^"]*)"', json.dumps(board))):
                if link.startswith('${page}'):
                    self.assertIn('page', VARIABLES[board['uid']], board['title'])
                    self.assert_page(re.sub(r'\$\{.*?\}', 'io03', link.replace('${page}', base)))
                else:
                    self.assert_dashboard(link)


if __name__ == '__main__':
    unittest.main()
