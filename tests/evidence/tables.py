"""The published tables: files of numbers, and the pages that show them between marks.

A file of numbers, NAME.json, holds
    page     where the table stands between <!--NAME--> and <!--/NAME-->
    made     a key of MADE
    command  what makes it again, from the root of the tree; several run one after another
    build    targets of the preset release that the command needs, absent without
    shape    a function of shapes.py that makes the published rows of what the command prints, absent when it prints them
    commit, date, machine, note
    columns and rows, or items: the cells as they are shown
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / 'tests/evidence'
PAGES = ('docs/accuracy.md', 'docs/accuracy-tables.md', 'docs/performance.md')
KEYS = ('page', 'made', 'command', 'build', 'shape', 'commit', 'date', 'machine', 'note', 'columns', 'rows', 'items')
MADE = {
    'simulator': 'simulated: the same on every machine',
    'benchmark': 'measured: between hosts times differ by up to a factor of 2.5, and by ten where they are under 20 ms '
                 'of a second; ratios by a half',
    'lab': 'recorded by the lab, which needs root: who is named is the same, delays within 16 s',
    'gone': 'recorded by the lab, with a configuration or from recordings that are gone: its command records anew, of twelve '
            'runs one may name another or nobody, delays are within 16 s, on MooseFS within 50',
    'hand': 'measured by hand as the note says',
    'summary': 'a summary of the other tables',
}


def names():
    return sorted(path.stem for path in FOLDER.glob('*.json'))


def read(name):
    return {'name': name, 'note': '', **json.loads((FOLDER / (name + '.json')).read_text())}


def write(numbers):
    """A key a line, and a row a line."""
    def value(key, one):
        if key in ('rows', 'items'):
            return '[\n' + ',\n'.join('  ' + json.dumps(row, ensure_ascii=False) for row in one) + ']'
        return json.dumps(one, ensure_ascii=False)
    kept = {key: numbers[key] for key in KEYS if key in numbers}
    (FOLDER / (numbers['name'] + '.json')).write_text(
        '{\n' + ',\n'.join(' %s: %s' % (json.dumps(key), value(key, one)) for key, one in kept.items()) + '\n}\n')


def shown(numbers):
    """The table or the list as Markdown."""
    if 'items' in numbers:
        return ''.join('* %s\n' % one for one in numbers['items'])
    rows = [numbers['columns'], *numbers['rows']]
    lines = ['|' + ''.join(' %s |' % cell if cell else ' |' for cell in row) for row in rows]
    lines.insert(1, '|' + '---|' * len(numbers['columns']))
    return '\n'.join(lines) + '\n'


def parse(text):
    """[(columns, rows)] of the Markdown tables in a text."""
    found, table = [], None
    for line in text.splitlines():
        if not line.startswith('|'):
            table = None
        elif re.fullmatch(r'\|(-+\|)+', line):
            found.append(table)
        else:
            cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
            if table is None:
                table = (cells, [])
            else:
                table[1].append(cells)
    return found


def marks(name):
    return '<!--%s-->\n\n' % name, '\n<!--/%s-->' % name


def put(page, numbers):
    """The page's text with this table between its marks. ValueError when they are missing."""
    begin, end = marks(numbers['name'])
    start, stop = page.find(begin), page.find(end)
    if start < 0 or stop < start:
        raise ValueError('expected %r and %r' % (begin, end))
    return page[:start + len(begin)] + shown(numbers) + page[stop:]


def without_tables(page):
    """The page's text without what stands between marks."""
    return re.sub(r'<!--([\w-]+)-->.*?<!--/\1-->', '', page, flags=re.DOTALL)


def wrong_pages():
    """What is not as it should be, a line each."""
    wrong = []
    for name in names():
        numbers = read(name)
        page = (ROOT / numbers['page']).read_text()
        try:
            if put(page, numbers) != page:
                wrong.append('%s: %s is not what tests/evidence/%s.json says: run scripts/evidence --write' % (
                    numbers['page'], name, name))
        except ValueError as missing:
            wrong.append('%s: %s: %s' % (numbers['page'], name, missing))
    for page in PAGES:
        wrong += ['%s: "%s" is a table without numbers in tests/evidence' % (page, ' | '.join(columns))
                  for columns, _ in parse(without_tables((ROOT / page).read_text()))]
    return wrong


def write_pages():
    for name in names():
        numbers = read(name)
        path = ROOT / numbers['page']
        path.write_text(put(path.read_text(), numbers))


def differences(numbers, columns, rows):
    """Cells that differ from the file of numbers, a line each: row, column, what is published, what was measured."""
    wrong = []
    if numbers['columns'] != columns:
        wrong.append('columns are %s, published %s' % (columns, numbers['columns']))
    if len(numbers['rows']) != len(rows):
        wrong.append('%d rows, published %d' % (len(rows), len(numbers['rows'])))
    for before, now in zip(numbers['rows'], rows):
        wrong += ['%s, %s: published %s, now %s' % (before[0], column, old, new)
                  for column, old, new in zip(columns, before, now) if old != new]
    return wrong
