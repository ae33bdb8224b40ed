"""Every metric that a dashboard asks for stands in the catalogue, and panels say what they show."""
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Dashboards(unittest.TestCase):
    def setUp(self):
        self.boards = [json.loads(path.read_text()) for path in sorted(ROOT.glob('grafana/dashboards/*.json'))]
        self.assertTrue(self.boards)

    def test_metrics_are_in_the_catalogue(self):
        known = set(re.findall(r'limpet_\w+', (ROOT / 'docs/metrics.md').read_text()))
        for board in self.boards:
            asked = set(re.findall(r'limpet_\w+', json.dumps(board)))
            self.assertEqual(asked - known, set(), board['title'])

    def test_panels_are_described_and_use_the_chosen_data_source(self):
        for board in self.boards:
            for panel in board['panels']:
                self.assertTrue(panel['title'] and panel['description'], panel)
                self.assertEqual(panel['datasource']['uid'], '${datasource}', panel['title'])
                self.assertTrue(panel['targets'], panel['title'])

    def test_panel_ids_differ(self):
        for board in self.boards:
            ids = [panel['id'] for panel in board['panels']]
            self.assertEqual(len(ids), len(set(ids)), board['title'])


if __name__ == '__main__':
    unittest.main()
