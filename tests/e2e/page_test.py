"""The live page of a real diagnoser, in a browser: one of its targets begins to limp while it runs."""
import os
import pathlib
import subprocess
import unittest

import support
from fake_exporters import FakeExporters
from support import wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICK = '''
scrape: {interval: 250ms}
lateness: 500ms
presets:
  - {base: bare, name: quick, step: 250ms, smoothing: 2, window: 8, shift: 4, k: 2, max_gap: 2s}
'''


class PageTest(support.TestCase):

    def test_the_page_shows_the_injected_fault(self):
        with FakeExporters(6) as fake:
            program = self.diagnoser(QUICK + fake.targets())
            wait_until('a healthy window', lambda: program.page().value(
                'limpet_group_components', peer_group='server-disks', state='taking_part') == 6)
            page = program.page('/')
            self.assertIn('/assets/app.', page.body)
            self.assertIn("default-src 'none'", page.headers['Content-Security-Policy'])
            self.assertNotIn('unsafe', page.headers['Content-Security-Policy'])

            fake.nodes['io03'].await_ms, fake.nodes['io03'].service_ms = 80, 15
            wait_until('the verdict', lambda: self.indicted(program) == {('io03', 'disk-busy')})
            done = subprocess.run(
                [ROOT / 'scripts/page', 'browser', 'http://127.0.0.1:%d' % program.port(), 'io03', 'disk-busy'],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1400, check=False,
                env=dict(os.environ, LIMPET_PAGE_DIR=os.environ.get('LIMPET_PAGE_DIR', str(ROOT / 'build/page'))))
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(program.stop(), 0)


if __name__ == '__main__':
    unittest.main()
