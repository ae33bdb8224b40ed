"""A dashboard as one page of HTML with a drawing a panel: not Grafana's, but with its grid, queries, units, colours and overrides.

What it is for: to look at a dashboard where there is no Grafana. Panels: timeseries, state-timeline, stat, table,
heatmap. `ask(expression)` gives [(labels, value)], `ask_range(expression)` [(labels, [(time, value)])].
"""
import html
import math
import re
import time

# Grafana's classic palette and dark theme.
PALETTE = ('#73BF69', '#F2CC0C', '#8AB8FF', '#FF780A', '#F2495C', '#5794F2', '#B877D9', '#705DA0', '#37872D', '#FADE2A')
NAMED = {'red': '#F2495C', 'green': '#73BF69', 'orange': '#FF9830', 'yellow': '#FADE2A', 'blue': '#5794F2',
         'purple': '#B877D9', 'transparent': 'none', 'text': '#CCCCDC'}
COLUMN, ROW, GAP = 76, 30, 8
STYLE = '''
body { background: #111217; color: #ccccdc; font: 13px Inter, "DejaVu Sans", sans-serif; margin: 0; }
h1 { font-size: 18px; font-weight: 500; margin: 14px 16px 2px; } .note { color: #8e8e99; margin: 0 16px 10px; font-size: 11px; }
.grid { position: relative; margin: 0 8px; } .panel { position: absolute; background: #181b1f; border: 1px solid #25262d;
border-radius: 2px; overflow: hidden; } .panel h2 { font-size: 13px; font-weight: 500; margin: 8px 10px 2px; }
table { border-collapse: collapse; margin: 4px 10px; font-size: 12px; } td, th { text-align: left; padding: 5px 14px 5px 0;
border-bottom: 1px solid #25262d; } th { color: #6E9FFF; font-weight: 500; } .big { text-align: center; font-size: 38px; font-weight: 500; }
svg text { fill: #8e8e99; font-size: 10px; } .legend { margin: 0 10px; font-size: 11px; height: 30px; overflow: hidden; line-height: 15px; }
.legend b { font-weight: 400; margin-right: 12px; white-space: nowrap; } .legend i { display: inline-block; width: 12px; height: 3px;
margin: 0 5px 3px 0; } .none { text-align: center; color: #8e8e99; margin-top: 40px; }
'''


def filled(expression, chosen):
    """Grafana's variables by what is chosen; "$1" is a part of what a regular expression found."""
    return re.sub(r'\$\{?([a-zA-Z_]\w*)\}?', lambda name: chosen[name[1]], expression)


def shown(value, unit):
    """A number as the unit of a panel has it."""
    if unit == 'dateTimeFromNow':
        return shown(time.time() - value / 1000, 's') + ' ago'
    if unit == 'percentunit':
        return '%.3g%%' % (100 * value)
    if unit in ('s',):
        for factor, name in ((86400, 'd'), (3600, 'h'), (60, 'min'), (1, 's'), (1e-3, 'ms'), (1e-6, 'µs')):
            if abs(value) >= factor or factor == 1e-6:
                return '%.3g %s' % (value / factor, name)
    if unit in ('Bps', 'bytes', 'bps'):
        for factor, name in ((2 ** 30, 'Gi'), (2 ** 20, 'Mi'), (2 ** 10, 'Ki'), (1, '')):
            if abs(value) >= factor or factor == 1:
                return '%.3g %sB%s' % (value / factor, name, '/s' if unit == 'Bps' else '')
    return '%.4g%s' % (value, {'cps': ' c/s', 'pps': ' p/s'}.get(unit, ''))


def legend(target, labels):
    template = target.get('legendFormat')
    if not template:
        return ', '.join('%s="%s"' % pair for pair in sorted(labels.items())) or target['expr'][:40]
    return re.sub(r'\{\{\s*(\w+)\s*\}\}', lambda name: labels.get(name[1], ''), template).strip()


def threshold_colour(defaults, value):
    colour = 'green'
    for step in defaults.get('thresholds', {}).get('steps', []):
        if step.get('value') is None or value >= step['value']:
            colour = step['color']
    return NAMED.get(colour, colour)


class Drawing:
    """A panel's data and what is drawn of it."""

    def __init__(self, panel, fill, ask, ask_range, span):
        self.panel, self.fill, self.ask, self.ask_range, self.span = panel, fill, ask, ask_range, span
        self.defaults = panel.get('fieldConfig', {}).get('defaults', {})
        self.unit = self.defaults.get('unit')
        grid = panel['gridPos']
        self.width, self.height = grid['w'] * COLUMN - GAP, grid['h'] * (ROW + GAP) - GAP
        self.series = 0

    def ranges(self):
        """[(refId, name, points)] of every target, in their order."""
        return [(target['refId'], legend(target, labels), points) for target in self.panel['targets']
                for labels, points in self.ask_range(self.fill(target['expr']))]

    def draw(self):
        kind = {'timeseries': self.lines, 'state-timeline': self.states, 'stat': self.stat, 'table': self.table,
                'heatmap': self.heatmap}[self.panel['type']]
        return kind() or '<p class="none">No data</p>'

    def overridden(self, ref, name):
        made = {}
        for one in self.panel.get('fieldConfig', {}).get('overrides', []):
            matcher = one['matcher']
            if (matcher['id'] == 'byFrameRefID' and matcher['options'] == ref) or \
                    (matcher['id'] == 'byName' and matcher['options'] == name) or \
                    (matcher['id'] == 'byRegexp' and re.search(matcher['options'].strip('/'), name)):
                made.update({each['id']: each['value'] for each in one['properties']})
        return made

    def frame(self, low, high, bottom=46):
        """Axes, and the functions that place an instant and a value."""
        left, top, right = 62, 8, self.width - 12
        end = self.height - 28 - bottom
        start, stop = self.span
        place_x = lambda at: left + (right - left) * (at - start) / (stop - start)
        place_y = lambda value: end - (end - top) * (value - low) / (high - low)
        made = ['<svg width="%d" height="%d">' % (self.width, self.height - 28 - bottom + 18)]
        for i in range(5):
            value = low + (high - low) * i / 4
            made.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#25262d"/><text x="%d" y="%.1f" text-anchor="end">%s</text>'
                        % (left, right, place_y(value), place_y(value), left - 6, place_y(value) + 3, shown(value, self.unit)))
        made.append(self.clock(place_x, end + 14))
        return made, place_x, place_y

    def clock(self, place_x, y):
        start, stop = self.span
        return ''.join('<text x="%.1f" y="%d" text-anchor="middle">%d s</text>' % (place_x(start + share * (stop - start)), y,
                                                                                 share * (stop - start)) for share in (0.1, 0.3, 0.5, 0.7, 0.9))

    def lines(self):
        series = [one for one in self.ranges() if one[2]]
        if not series:
            return ''
        values = [value for _, _, points in series for _, value in points if math.isfinite(value)] or [0]
        low, high = self.defaults.get('min', min(values)), max(values)
        limits = [step['value'] for step in self.defaults.get('thresholds', {}).get('steps', []) if step.get('value') is not None]
        drawn = self.defaults.get('custom', {}).get('thresholdsStyle', {}).get('mode') == 'dashed'
        if drawn:
            high = max([high] + limits)
        high = low + 1 if high <= low else high + 0.05 * (high - low)
        made, x, y = self.frame(low, high)
        keys = []
        for i, (ref, name, points) in enumerate(series):
            changed = self.overridden(ref, name)
            colour = changed.get('color', {}).get('fixedColor') or PALETTE[i % len(PALETTE)]
            colour = NAMED.get(colour, colour)
            width = changed.get('custom.lineWidth', self.defaults.get('custom', {}).get('lineWidth', 1))
            path = ' '.join('%.1f,%.1f' % (x(at), y(value)) for at, value in points if math.isfinite(value))
            made.append('<polyline fill="none" stroke="%s" stroke-width="%s" points="%s"/>' % (colour, width, path))
            keys.append('<b><i style="background:%s"></i>%s</b>' % (colour, html.escape(name)))
        if drawn:
            made += ['<line x1="62" x2="%d" y1="%.1f" y2="%.1f" stroke="%s" stroke-dasharray="8 6"/>'
                     % (self.width - 12, y(limit), y(limit), NAMED['red']) for limit in limits]
        self.series = len(series)
        return ''.join(made) + '</svg><div class="legend">%s</div>' % ''.join(keys)

    def states(self):
        series = [one for one in self.ranges() if one[2]]
        if not series:
            return ''
        left, right = 150, self.width - 12
        start, stop = self.span
        x = lambda at: left + (right - left) * (at - start) / (stop - start)
        height = min(34, (self.height - 60) / len(series))
        made = ['<svg width="%d" height="%d">' % (self.width, self.height - 30)]
        for row, (_, name, points) in enumerate(sorted(series, key=lambda one: one[1])):
            top = 6 + row * height
            made.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (left - 8, top + height / 2 + 2, html.escape(name[-26:])))
            for (at, value), (until, _) in zip(points, points[1:]):
                made.append('<rect x="%.2f" y="%.1f" width="%.2f" height="%.1f" fill="%s" opacity="0.7"/>' % (
                    x(at), top, x(until) - x(at) + 0.3, height - 4, threshold_colour(self.defaults, value)))
        made.append(self.clock(x, self.height - 40))
        self.series = len(series)
        return ''.join(made) + '</svg>'

    def stat(self):
        found = [value for target in self.panel['targets'] for _, value in self.ask(self.fill(target['expr']))]
        if not found:
            return ''
        colour = threshold_colour(self.defaults, found[0]) if self.defaults.get('thresholds') else '#73BF69'
        said = {}
        for one in self.defaults.get('mappings', []):
            said = one['options'].get('%d' % found[0], {})
        colour = NAMED.get(said.get('color'), colour)
        self.series = 1
        return '<div class="big" style="color:%s; line-height:%dpx%s">%s</div>' % (
            colour, self.height - 44, '; font-size: 24px' if said else '',
            html.escape(said.get('text') or shown(found[0], self.unit)))

    def table(self):
        rows = [(labels, value) for target in self.panel['targets'] for labels, value in self.ask(self.fill(target['expr']))]
        hidden, renamed = {'Time'}, {}
        for one in self.panel.get('transformations', []):
            if one['id'] == 'organize':
                hidden |= {name for name, yes in one['options'].get('excludeByName', {}).items() if yes}
                renamed.update(one['options'].get('renameByName', {}))
        if not rows:
            return ''
        names = sorted({name for labels, _ in rows for name in labels} - hidden)
        head = [renamed.get(name, name) for name in names]
        cells = [[labels.get(name, '') for name in names] for labels, _ in rows]
        if 'Value' not in hidden:
            head.append(renamed.get('Value', 'Value'))
            unit = self.overridden(None, 'Value').get('unit')
            cells = [row + [shown(value, unit)] for row, (_, value) in zip(cells, rows)]
        self.series = len(rows)
        line = lambda tag, row: '<tr>%s</tr>' % ''.join('<%s>%s</%s>' % (tag, html.escape(cell), tag) for cell in row)
        return '<table>%s%s</table>' % (line('th', head), ''.join(line('td', row) for row in cells))

    def heatmap(self):
        points = [point for _, _, series in self.ranges() for point in series]
        if not points:
            return ''
        high = max(value for _, value in points) or 1
        made, x, y = self.frame(0, high, 20)
        columns, rows, counts = 60, 12, {}
        start, stop = self.span
        for at, value in points:
            cell = (min(columns - 1, int(columns * (at - start) / (stop - start))), min(rows - 1, int(rows * value / high)))
            counts[cell] = counts.get(cell, 0) + 1
        most = max(counts.values())
        for (column, row), count in counts.items():
            left, right = (x(start + (stop - start) * one / columns) for one in (column, column + 1))
            top, bottom = y(high * (row + 1) / rows), y(high * row / rows)
            shade = 0.25 + 0.75 * math.log1p(count) / math.log1p(most)
            made.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#FF9830" opacity="%.2f"/>' % (
                left, top, right - left - 0.5, bottom - top - 0.5, shade))
        self.series = len(points)
        return ''.join(made) + '</svg>'


def page(board, fill, ask, ask_range, span, note):
    """(HTML, its height, titles of panels without data)."""
    made, empty, bottom = [], [], 0
    for panel in board['panels']:
        drawing = Drawing(panel, fill, ask, ask_range, span)
        grid = panel['gridPos']
        made.append('<div class="panel" style="left:%dpx; top:%dpx; width:%dpx; height:%dpx"><h2>%s</h2>%s</div>' % (
            grid['x'] * COLUMN, grid['y'] * (ROW + GAP), drawing.width, drawing.height, html.escape(panel['title']), drawing.draw()))
        if not drawing.series:
            empty.append(panel['title'])
        bottom = max(bottom, (grid['y'] + grid['h']) * (ROW + GAP))
    text = '<!doctype html><meta charset="utf-8"><style>%s</style><h1>%s</h1><p class="note">%s</p><div class="grid" style="height:%dpx">%s</div>' % (
        STYLE, html.escape(board['title']), html.escape(note), bottom + 8, ''.join(made))
    return text, bottom + 70, empty
