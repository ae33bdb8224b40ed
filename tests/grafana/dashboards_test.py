"""The dashboards as the linter of Grafana's community would see them, and as the catalogue does."""
import json
import pathlib
import re
import unittest

import render

ROOT = pathlib.Path(__file__).resolve().parents[2]
WITHOUT_UNIT = ('Degree', 'Flags', 'Verdict', 'Indicted', 'Group storms', 'Components', 'Targets', 'What lasts',
                'Accumulators', 'Persistent anomalies', 'Disks that', 'Largest', 'Congestion', 'Processor', 'Load',
                'Collectors', 'State', 'Facts', 'Not judged')


def all_panels(board):
    """Those of rows, too."""
    return [panel for one in board['panels'] for panel in one.get('panels', [one])]


class Dashboards(unittest.TestCase):
    def setUp(self):
        self.boards = [json.loads(path.read_text()) for path in sorted(ROOT.glob('grafana/dashboards/*.json'))]

    def expressions(self, board):
        return [(panel['title'], target['expr']) for panel in all_panels(board) for target in panel['targets']]

    def test_there_are_six_that_link_to_each_other(self):
        self.assertEqual({board['uid'] for board in self.boards}, {
            'limpet-overview', 'limpet-comparison', 'limpet-server', 'limpet-persistence', 'limpet-storage', 'limpet-limpet'})
        for board in self.boards:
            linked = {link['url'].removeprefix('/d/') for link in board['links']}
            self.assertEqual(linked | {board['uid']}, {one['uid'] for one in self.boards}, board['title'])
            self.assertTrue(all(link['includeVars'] and link['keepTime'] for link in board['links']))

    def test_metrics_and_labels_are_in_the_catalogue(self):
        page = (ROOT / 'docs/metrics.md').read_text()
        labels = {name: set(re.findall(r'\w+', listed))
                  for name, listed in re.findall(r'^\* `(limpet_\w+)(?:\{([\w,]*)\})?`', page, re.MULTILINE)}
        every = {'job', 'instance', 'node'}     # node: relabelled, config/prometheus/scrape.yml
        for board in self.boards:
            text = json.dumps(board)
            asked = set(re.findall(r'(?<![-/])limpet_\w+', text))
            self.assertEqual(asked - set(labels), set(), board['title'])
            for name, selector in re.findall(r'(limpet_\w+)\{([^}]*)\}', text.replace('\\"', '"')):
                used = set(re.findall(r'(\w+)\s*(?:=~|!=|!~|=)', selector))
                self.assertEqual(used - labels[name] - every, set(), '%s: %s' % (board['title'], name))

    def test_every_query_names_a_job(self):
        for board in self.boards:
            for title, expression in self.expressions(board):
                for name, selector in re.findall(r'\b((?:limpet|node)_\w+)(\{[^}]*\})?', expression):
                    self.assertRegex(selector, r'job=~"\$(exporter_)?job"', '%s: %s' % (title, name))

    def test_a_server_in_a_table_leads_to_its_dashboard_and_its_evidence(self):
        tables = [panel for board in self.boards for panel in all_panels(board) if panel['type'] == 'table']
        self.assertGreaterEqual(len(tables), 5)
        for panel in tables:
            links, = [link for one in panel['fieldConfig']['overrides'] if one['matcher']['options'] == 'node'
                      for link in [one['properties'][0]['value']]]
            self.assertEqual([link['url'] for link in links], [
                '/d/limpet-server?var-node=${__value.raw}&${datasource:queryparam}&${__url_time_range}',
                '${page}/?node=${__value.raw}&evidence=1'])

    def test_what_our_exporter_counts_is_taken_from_node_exporters_too(self):
        for board in self.boards:
            for title, expression in self.expressions(board):
                if board['uid'] in ('limpet-server', 'limpet-comparison') and 'limpet_disk_read' in expression:
                    self.assertIn('or on (node, device)', expression, title)
                    ours, theirs = (sorted(set(re.findall(first + r'_(disk\w+)', expression))) for first in ('limpet', 'node'))
                    self.assertEqual(ours, theirs, title)

    def test_rates_use_the_interval_of_the_panel(self):
        for board in self.boards:
            for title, expression in self.expressions(board):
                self.assertEqual(re.findall(r'rate\([^\[]*\[(?!\$__rate_interval)', expression), [], title)

    def test_panels_are_described_and_use_the_chosen_data_source(self):
        for board in self.boards:
            for panel in all_panels(board):
                self.assertTrue(panel['title'] and panel['description'].endswith('.'), panel['title'])
                self.assertEqual(panel['datasource']['uid'], '${datasource}', panel['title'])
                self.assertTrue(panel['targets'], panel['title'])
                units = [one['value'] for override in panel.get('fieldConfig', {}).get('overrides', [])
                         for one in override['properties'] if one['id'] == 'unit']
                unit = panel.get('fieldConfig', {}).get('defaults', {}).get('unit') or units
                self.assertTrue(unit or panel['title'].startswith(WITHOUT_UNIT), panel['title'])

    def test_variables_that_queries_use_exist(self):
        for board in self.boards:
            names = {one['name'] for one in board['templating']['list']} | {'__rate_interval', '__range'}
            asked = set(re.findall(r'\$\{?([a-zA-Z_]\w*)', ' '.join(text for _, text in self.expressions(board))))
            self.assertEqual(asked - names, set(), board['title'])

    def test_pictures_ask_what_grafana_would(self):
        for board in self.boards:
            names = [one['name'] for one in board['templating']['list']] + ['__rate_interval', '__range']
            for title, expression in self.expressions(board):
                asked = render.filled(expression, dict.fromkeys(names, 'chosen'))
                self.assertNotIn('$', re.sub(r'"\$1"', '', asked), title)
                self.assertEqual(asked.count('"$1"'), expression.count('"$1"'), title)

    def test_overrides_match_without_variables(self):
        for board in self.boards:
            for panel in all_panels(board):
                for one in panel.get('fieldConfig', {}).get('overrides', []):
                    # Grafana does not fill them in there.
                    self.assertNotIn('$', str(one['matcher']['options']), panel['title'])
                    if one['matcher']['id'] == 'byFrameRefID':
                        self.assertIn(one['matcher']['options'], [target['refId'] for target in panel['targets']])

    def test_limits_are_drawn(self):
        for board in self.boards:
            for panel in all_panels(board):
                if panel['type'] == 'timeseries':
                    defaults = panel['fieldConfig']['defaults']
                    drawn = defaults['custom'].get('thresholdsStyle', {}).get('mode')
                    self.assertEqual(drawn, 'dashed' if defaults.get('thresholds') else None, panel['title'])

    def test_what_grafana_would_do_by_default_is_not_left_to_it(self):
        for board in self.boards:
            for panel in all_panels(board):
                defaults = panel.get('fieldConfig', {}).get('defaults', {})
                if panel['type'] == 'table':
                    self.assertNotIn('unit', defaults, '%s: a unit of time makes NaN of names' % panel['title'])
                if panel['type'] == 'stat':
                    self.assertTrue(defaults.get('thresholds') or defaults.get('mappings'), '%s: red from 80 on' % panel['title'])

    def test_the_overview_says_which_device_by_how_much_and_what_to_do(self):
        panels = {panel['title']: panel for board in self.boards for panel in board['panels']
                  if board['uid'] == 'limpet-overview'}
        asked = {title: ' '.join(target['expr'] for target in panel['targets']) for title, panel in panels.items()}
        for metric in 'limpet_indicted_since', 'limpet_evidence_ratio', 'limpet_evidence_difference':
            self.assertIn(metric, asked['Indicted now'])
        self.assertIn('merge', [one['id'] for one in panels['Indicted now']['transformations']])
        self.assertIn('limpet_fact{', asked['Facts about the indicted'])
        self.assertIn('by (peer_group, metric) (limpet_group_storm', asked['Group storms by name'])
        self.assertIn('topk(10', asked['Slowest disks'])
        self.assertEqual(panels['Slowest disks']['options']['sortBy'], [{'displayName': 'time of a request', 'desc': True}])
        # On the first screen: who, then which disks, how slow.
        self.assertEqual(panels['Slowest disks']['gridPos']['y'], sum(panels['Indicted now']['gridPos'][one] for one in 'yh'))
        table = (ROOT / 'docs/playbooks.md').read_text().split('### What to do about a cause')[1].split('\n###')[0]
        steps = re.findall(r'^\| `([a-z-]+)` \|.*\| (.*) \|$', table, re.MULTILINE)
        self.assertGreaterEqual(len(steps), 9)
        for cause, step in steps:       # npm run build in grafana/ after a change of the table
            said = '"next_step", "%s", "cause", "%s"' % (re.sub(r'["\\$]', '', step), cause)
            self.assertIn(said, asked['Indicted now'])

    def test_a_node_exporter_without_a_node_label_is_told_by_its_instance(self):
        for board in self.boards:
            for title, expression in self.expressions(board):
                if 'or on (node' in expression and 'node_' in expression:
                    self.assertIn('label_replace(', expression, title)
                    self.assertRegex(expression, r'node="", instance[=!]~"\(\$node\)', title)

    def test_each_file_of_metrics_has_a_row(self):
        board, = [one for one in self.boards if one['uid'] == 'limpet-storage']
        files = sorted(ROOT.glob('config/metrics/*.yml'))
        self.assertEqual(len(board['panels']), len(files))
        for row, path in zip(board['panels'], files):
            self.assertTrue(row['collapsed'] and path.read_text().startswith('# ' + row['title']), path.name)
            told = json.dumps(row)
            for name in re.findall(r'^  - name: (\w+)', path.read_text(), re.MULTILINE):
                self.assertIn(name, told, path.name)

    def test_panel_ids_differ(self):
        for board in self.boards:
            rows = [panel for panel in board['panels'] if panel['type'] == 'row']
            ids = [panel['id'] for panel in rows + all_panels(board)]
            self.assertEqual(len(ids), len(set(ids)), board['title'])

    def test_verdicts_are_annotations(self):
        for board in self.boards:
            self.assertIn('Verdicts', [one['name'] for one in board['annotations']['list']])


if __name__ == '__main__':
    unittest.main()
