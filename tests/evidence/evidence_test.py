"""The published tables are what the files of numbers say, and a file of numbers says where they are from."""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.evidence import shapes, tables  # noqa: E402  pylint: disable=wrong-import-position


class Published(unittest.TestCase):
    def test_pages_show_the_numbers(self):
        self.assertEqual(tables.wrong_pages(), [])

    def test_a_number_that_differs_is_found(self):
        numbers = tables.read('steps')
        page = (ROOT / numbers['page']).read_text()
        numbers['rows'][0][2] = '1 s'
        self.assertNotEqual(tables.put(page, numbers), page)

    def test_a_table_without_numbers_is_found(self):
        page = '| a | b |\n|---|---|\n| 1 | 2 |\n'
        self.assertEqual(tables.parse(tables.without_tables(page)), [(['a', 'b'], [['1', '2']])])
        self.assertEqual(tables.parse(tables.without_tables('<!--x-->\n\n' + page + '\n<!--/x-->')), [])

    def test_each_says_where_it_is_from(self):
        for name in tables.names():
            numbers = tables.read(name)
            with self.subTest(name):
                self.assertLessEqual(set(numbers), {'name', *tables.KEYS})
                self.assertIn(numbers['page'], tables.PAGES)
                self.assertIn(numbers['made'], tables.MADE)
                self.assertRegex(numbers['date'], r'^\d{4}-\d\d-\d\d$')
                self.assertRegex(numbers['commit'], r'^[0-9a-f]{7,}$')
                self.assertEqual(numbers['command'] == [], numbers['made'] == 'summary')
                self.assertTrue(numbers['made'] != 'gone' or numbers['note'])
                self.assertIn(numbers.get('shape', 'steps'), shapes.SHAPES)

    def test_rows_are_as_long_as_their_columns(self):
        for name in tables.names():
            numbers = tables.read(name)
            self.assertEqual({len(row) for row in numbers.get('rows', [])} - {len(numbers.get('columns', []))}, set(), name)

    def test_commands_are_there(self):
        for name in tables.names():
            for command in tables.read(name)['command']:
                for word in re.findall(r'(?:scripts|tests)/[\w./-]+', command):
                    if '/tests/limpet' not in command:
                        self.assertTrue((ROOT / word).exists(), command)


class Files(unittest.TestCase):
    def test_written_and_read_is_the_same(self):
        for name in tables.names():
            before = (tables.FOLDER / (name + '.json')).read_text()
            tables.write(tables.read(name))
            self.assertEqual((tables.FOLDER / (name + '.json')).read_text(), before)

    def test_differences_name_row_and_column(self):
        numbers = {'columns': ['fault', 'delay'], 'rows': [['hog', '20 s'], ['busy', '30 s']]}
        self.assertEqual(tables.differences(numbers, ['fault', 'delay'], [['hog', '20 s'], ['busy', '31 s']]),
                         ['busy, delay: published 30 s, now 31 s'])
        self.assertEqual(tables.differences(numbers, ['fault', 'delay'], [['hog', '20 s']]), ['1 rows, published 2'])


class Shapes(unittest.TestCase):
    def test_steps_stand_as_they_are_printed(self):
        printed = (['fault', 'exporter', '1 s'], [['hog', 'either', '17 s'], ['loss', 'limpet-exporter', '17 s'],
                                                  ['loss', 'node_exporter', 'not named']])
        self.assertEqual(shapes.published({'shape': 'steps'}, [(['a'], [['b']]), printed]), printed)

    def test_neighbours_that_are_alike_are_one_row(self):
        printed = [(['span', 'ITP'], [['1', '100'], ['5', '100'], ['31', '90']])]
        self.assertEqual(shapes.merged(printed)[1], [['1, 5', '100'], ['31', '90']])

    def test_totals_are_the_first_row_and_the_last(self):
        printed = [(['fault', 'p: ITP/IFP/DTP/DFP, delay'], [['none', '0'], ['disk-hog', '9'], ['all faults', '8']])]
        self.assertEqual(shapes.totals(printed), (['fault', 'p'], [['none', '0'], ['all faults', '8']]))

    def test_presets_that_training_does_not_change_are_one_column(self):
        head = ['fault', *('%s: ITP/IFP/DTP/DFP, delay' % name for name in (
            'default-15s, untrained', 'production, untrained', 'default-15s, trained', 'production, trained'))]
        self.assertEqual(shapes.slow([(head, [['hog', '1', '2', '1', '3']])]),
                         (['fault', 'default-15s, trained or not', 'production, trained'], [['hog', '1', '3']]))
        self.assertEqual(shapes.slow([(head, [['hog', '1', '2', '4', '3']])])[0],
                         ['fault', 'default-15s, untrained', 'default-15s, trained', 'production, trained'])

    def test_a_sweep_has_a_row_a_setting_with_the_papers_value_in_its_place(self):
        head = ['setting', 'testbench']
        printed = [(head, [['as in the paper', '90/0/80/5, 100 s; 0'], ['k 2', '91/0/81/6, 90 s; 2'], ['k 10', '0/0/0/0, –; 0'],
                           ['threshold scale 1.5', '92/0/82/7, 80 s; 4']])]
        rows = dict(shapes.sweep(printed)[1])
        self.assertEqual(rows['k 2, 3, 10'], '81/6/90/2, 80/5/100/0, 0/0/–/0')
        self.assertEqual(rows['threshold scale 1.5, 2'], '82/7/80/4, 80/5/100/0')

    def test_what_tells_nothing_is_left_out(self):
        self.assertEqual(shapes.told([(['of', 'a', 'b'], [['one', '1', '–'], ['two', '–', '–']])]), (['of', 'a'], [['one', '1']]))

    def test_a_curve_is_a_row(self):
        head = ['curve', 'size', 'CPU', 'MiB', 'Prometheus: CPU', 'Prometheus: MiB', 'seen']
        printed = [(head, [['targets', '10 every 1 s', '2 ms/s', '20', '5 ms/s', '50', ''],
                           ['targets', '2,000 every 2 s', '30 ms/s', '90', '7 ms/s', '60', ''],
                           ['days', '1', '2 s', '20', '-', '-', '']])]
        self.assertEqual(shapes.curves(printed), (head[:-1], [
            ['targets', '10 every 1 s, 2,000 every 2 s', '2, 30 ms/s', '20, 90', '5, 7 ms/s', '50, 60'],
            ['days', '1', '2 s', '20', '–', '–']]))

    def test_another_table_is_refused(self):
        with self.assertRaisesRegex(LookupError, 'no table'):
            shapes.published({'columns': ['a']}, [(['b'], [['1']])])


class Script(unittest.TestCase):
    def test_list_names_every_table(self):
        said = subprocess.run([ROOT / 'scripts/evidence', '--list'], capture_output=True, text=True, check=True).stdout
        for name in tables.names():
            self.assertIn('\n%s: ' % name, '\n' + said)

    def test_an_unknown_name_is_refused(self):
        done = subprocess.run([ROOT / 'scripts/evidence', 'nothing'], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('nothing', done.stderr)


if __name__ == '__main__':
    unittest.main()
