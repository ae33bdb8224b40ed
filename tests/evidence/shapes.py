"""What is published of what a command prints: shorter forms of its tables, without a number of their own.

A shape takes [(columns, rows)] of what was printed and returns (columns, rows) of what is published.
"""
import itertools


def published(numbers, printed):
    """(columns, rows) of `printed`. LookupError when the command printed no such table."""
    shape = numbers.get('shape')
    if shape:
        return SHAPES[shape](printed)
    for columns, rows in printed:
        if columns == numbers['columns']:
            return columns, rows
    raise LookupError('no table printed has the columns %s' % numbers['columns'])


def _table(printed, first):
    """[{column: cell}] of the table with this first column."""
    for columns, rows in printed:
        if columns[0] == first:
            return [dict(zip(columns, row)) for row in rows]
    raise LookupError('no table printed has a first column "%s"' % first)


def _merged(rows):
    """Neighbours with the same cells behind the first are one row, which names them all."""
    return [[', '.join(row[0] for row in alike), *cells]
            for cells, alike in ((cells, list(alike)) for cells, alike in itertools.groupby(rows, key=lambda row: row[1:]))]


def steps(printed):
    """As it is printed: what is the same for both exporters stands once."""
    columns, rows = next(((columns, rows) for columns, rows in printed if columns[:2] == ['fault', 'exporter']), ([], []))
    if not rows:
        raise LookupError('no table printed has the columns fault, exporter')
    return columns, rows


def _by_fault(printed, cell, last):
    """Rows "WHAT, FAULT" as a row a WHAT and a column a FAULT; `last` makes a cell of all of a row's."""
    rows = {}
    for row in _table(printed, 'runs'):
        what, _, fault = row['runs'].rpartition(', ')
        rows.setdefault(what, {})[fault] = row
    faults = [fault for fault in next(iter(rows.values())) if fault != 'no fault']
    return faults, [[what, *(cell(of[fault]) for fault in faults), *last(of)] for what, of in rows.items()]


def half(printed):
    """named, kept, median and latest s; storms that say half, storms that name the healthy."""
    def cell(row):
        times = [row[key] for key in ('median s', 'latest s') if row[key] != '-']
        return '%s; %s, %s' % (', '.join([row['faults named'].split()[0], row['kept'], *times]), row['said: half'],
                               row['storm names the healthy'])
    faults, rows = _by_fault(printed, cell, lambda of: [next(iter(of.values()))['faults named'].split()[-1]])
    return ['sick', *faults], [['%s, %s faults' % (row[0], row[-1]), *row[1:-1]] for row in rows]


def circumstances(printed):
    """named, kept, median (latest) s; storms that name the healthy, of all runs."""
    def cell(row):
        return '%s, %s, %s (%s)' % (row['faults named'].split()[0], row['kept'], row['median s'], row['latest s'])

    def storms(of):
        return ['%d of %d' % (sum(int(row['storm names the healthy']) for row in of.values()),
                              sum(int(row['number']) for row in of.values()))]
    faults, rows = _by_fault(printed, cell, storms)
    return ['circumstance', *faults, 'storms that name the healthy'], _merged(rows)


def graded(printed):
    """A row a fault: shares named, of the strengths that are alike together."""
    def shares(row):
        keys = ('named within 20 s', 'within 2 min', 'within 1 h', 'within 1 day')
        return '/'.join(row[key].removesuffix(' %') for key in keys if row[key] != '–')
    rows = []
    for fault, strengths in itertools.groupby(_table(printed, 'fault'), key=lambda row: row['fault']):
        if fault != 'no fault':
            alike = itertools.groupby(strengths, key=shares)
            rows.append([fault, '; '.join('%s: %s' % (', '.join(row['strength'] for row in some), share) for share, some in alike)])
    return ['fault', 'strength: share named, percent'], rows


def balance(printed):
    """Of each kind of run: healthy ones that name a server, and hogs found."""
    kinds = {}
    for row in _table(printed, 'kind'):
        kind, _, hog = row['kind'].partition(', ')
        if hog not in ('disk-hog', 'network-hog'):
            kind, hog = row['kind'], 'healthy'
        kinds.setdefault(kind, {})[hog] = row

    def found(row):
        if not row:
            return '–'
        return '%s of %s%s' % (row['found'], row['strangers'], ', %s s' % row['median s'] if row['found'] != '0' else '')

    def named(row):
        return '%s of %s' % (row['named'], row['healthy']) if row['named'] != '0' else '0'
    rows = [[kind.replace(' of the traffic', ''), named(of['healthy']), found(of.get('disk-hog')), found(of.get('network-hog'))]
            for kind, of in kinds.items()]
    silent = [row for row in rows if row[1:] == ['0', '–', '–']]
    rest = [['%d other kinds' % len(silent), *silent[0][1:]]] if silent else []
    return ['runs', 'a healthy server named', 'disk hogs found', 'network hogs found'], _merged([row for row in rows if row not in silent]) + rest


def profiles(printed):
    """TP, FP and delay of each fault; both numbers of nodes in a cell."""
    rows, names = {}, []
    for row in _table(printed, 'fault'):
        names = [key.removesuffix(' TP') for key in row if key.endswith(' TP')]
        cells = ['/'.join(row['%s %s' % (name, key)] or '–' for key in ('TP', 'FP', 'delay')) for name in names]
        rows.setdefault((row['fault'], row['workload known']), []).append(cells)
    return (['fault, workload known: on 5 nodes; on 15', *names],
            _merged([['%s, %s' % key, *('; '.join(dict.fromkeys(pair)) for pair in zip(*of))] for key, of in rows.items()]))


def merged(printed):
    """The first table; neighbours that are alike are one row."""
    if not printed:
        raise LookupError('no table printed')
    columns, rows = printed[0]
    return columns, _merged(rows)


def told(printed):
    """The first table without rows and columns that are "–" all through."""
    if not printed:
        raise LookupError('no table printed')
    columns, rows = printed[0]
    told_of = [place for place in range(len(columns)) if any(row[place] != '–' for row in rows)]
    return ([columns[place] for place in told_of],
            [[row[place] for place in told_of] for row in rows if set(row[1:]) != {'–'}])


def rates(printed):
    """The first table; its head says the names of the presets alone, the page what their cells are."""
    if not printed or not all(': ITP/IFP/DTP/DFP, ' in column for column in printed[0][0][1:]):
        raise LookupError('no table of rates printed')
    columns, rows = printed[0]
    return [column.partition(': ')[0] for column in columns], rows


def totals(printed):
    """The rows "none" and "all faults" of rates."""
    columns, rows = rates(printed)
    return columns, [row for row in rows if row[0] in ('none', 'all faults')]


def slow(printed):
    """Rates; presets that are the same trained and untrained are one column, `production` is shown trained alone."""
    columns, rows = rates(printed)
    names = list(dict.fromkeys(column.partition(', ')[0] for column in columns[1:]))

    def of(name, how):
        place = columns.index('%s, %s' % (name, how))
        return [row[place] for row in rows]
    shown = [('fault', [row[0] for row in rows])]
    for name in names:
        if of(name, 'trained') == of(name, 'untrained'):
            shown.append((name + ', trained or not', of(name, 'trained')))
        else:
            shown += [('%s, %s' % (name, how), of(name, how)) for how in ('untrained', 'trained')
                      if (name, how) != ('production', 'untrained')]
    return [head for head, _ in shown], [list(row) for row in zip(*(cells for _, cells in shown))]


# What [Kasick10] has of each setting of `sweep`.
PAPER = {'smoothing': '5', 'k': '3', 'WinSize': '64', 'WinShift': '32', 'threshold scale': '2'}


def sweep(printed):
    """A row a setting with its values and, of each value in turn, DTP/DFP/delay/IFP without a fault."""
    settings, own = {name: {} for name in PAPER}, None
    for row in _table(printed, 'setting'):
        name, _, value = row.pop('setting').rpartition(' ')
        if name in settings:
            settings[name][float(value)] = row
        else:
            own = row
    if own is None:
        raise LookupError('no row of the paper\'s own values printed')

    def short(cell):
        with_fault, _, without = cell.partition('; ')
        four, _, delay = with_fault.partition(', ')
        return '/'.join([*four.split('/')[2:], delay.removesuffix(' s'), without])
    rows = []
    for name, paper in PAPER.items():
        values = sorted({**settings[name], float(paper): own}.items())
        rows.append(['%s %s' % (name, ', '.join('%g' % value for value, _ in values)),
                     *(', '.join(short(row[preset]) for _, row in values) for preset in own)])
    return ['setting', *own], rows


def curves(printed):
    """A row a curve with its points in turn; a unit that all have stands once."""
    def of(points, key):
        cells = [point[key] for point in points]
        units = {cell.partition(' ')[2] for cell in cells}
        if cells == ['-'] * len(cells):
            return '–'
        if len(units) == 1:
            return '%s %s' % (', '.join(cell.partition(' ')[0] for cell in cells), units.pop())
        return ', '.join(cells)
    keys = ('size', 'CPU', 'MiB', 'Prometheus: CPU', 'Prometheus: MiB')
    return ['curve', *keys], [[curve, *(of(points, key).strip() for key in keys)] for curve, points in (
        (curve, list(points)) for curve, points in itertools.groupby(_table(printed, 'curve'), key=lambda row: row['curve']))]


def even_and_uneven(printed):
    """A row a fault, a column a load: the delays in s under it and under the uneven one, or the rates. Rows without a fault in
    which nobody was named are left out."""
    rows, loads = {}, {}
    for columns, cells in printed:
        if columns[:2] == ['fault', 'workload']:
            for fault, workload, _, cell in cells:
                if cell != '–/0/–/0':
                    rows.setdefault(fault, {})[workload] = cell.removeprefix('100/0/100/0, ').removesuffix(' s')
                loads[workload.removesuffix('-uneven')] = True
    if not rows:
        raise LookupError('no table printed has the columns fault, workload')
    return (['fault', *('`%s`, uneven' % load for load in sorted(loads))],
            [[fault, *(', '.join(of.get(load + end, '–') for end in ('', '-uneven')) for load in sorted(loads))]
             for fault, of in rows.items()])


SHAPES = {'even_and_uneven': even_and_uneven, 'curves': curves, 'steps': steps, 'half': half, 'circumstances': circumstances, 'graded': graded,
          'balance': balance, 'profiles': profiles, 'merged': merged, 'rates': rates, 'totals': totals, 'slow': slow, 'sweep': sweep, 'told': told}
