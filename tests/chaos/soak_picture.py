"""The curves of docs/reliability.md out of what soak.py wrote.

    python3 tests/chaos/soak_picture.py docs/images/soak.svg "one hour=hour.csv" "a day=day.csv" …

A row a file: resident memory of both programs over time, from zero, in MiB.
"""
import pathlib
import sys

WIDTH, ROW, LEFT, RIGHT, TOP = 760, 150, 60, 150, 26
COLOURS = {'limpet-exporter': '#1f77b4', 'limpet-diagnoser': '#d62728'}


def series(path):
    """{program: [(seconds, bytes)]} of a file of soak.py or limpet-day."""
    head, *rows = [line.split(',') for line in path.read_text().splitlines()]
    return {name: [(float(one[0]), float(one[column])) for one in rows]
            for column, name in enumerate(head) if name in COLOURS}


def row(title, found, top):
    last = max(points[-1][0] for points in found.values())
    most = max(value for points in found.values() for _, value in points) / 2**20
    scale = next(step for step in (10, 20, 50, 100, 200, 500, 1000) if step >= most)
    x = lambda at: LEFT + (WIDTH - LEFT - RIGHT) * at / last
    y = lambda value: top + ROW - 30 - (ROW - 60) * value / 2**20 / scale
    made = ['<text x="%d" y="%d" font-weight="bold">%s</text>' % (LEFT, top + 14, title)]
    for share in 0, 0.5, 1:
        at = y(share * scale * 2**20)
        made.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/>' % (LEFT, at, WIDTH - RIGHT, at))
        made.append('<text x="%d" y="%.1f" text-anchor="end">%g MiB</text>' % (LEFT - 6, at + 4, share * scale))
        made.append('<text x="%.1f" y="%d" text-anchor="middle">%g %s</text>' % (
            x(share * last), top + ROW - 14, round(share * last / (3600 if last > 7200 else 60)), 'h' if last > 7200 else 'min'))
    for name, points in found.items():
        # Some hundred points are as many as can be told apart.
        some = points[::max(1, len(points) // 300)]
        made.append('<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>' % (
            COLOURS[name], ' '.join('%.1f,%.1f' % (x(at), y(value)) for at, value in some)))
        made.append('<text x="%d" y="%.1f" fill="%s">%s</text>' % (
            WIDTH - RIGHT + 6, y(points[-1][1]) + 4, COLOURS[name], name))
    return '\n'.join(made)


def main():
    target, *files = sys.argv[1:]
    rows = [row(title, series(pathlib.Path(path)), TOP + i * ROW)
            for i, (title, path) in enumerate(one.split('=', 1) for one in files)]
    pathlib.Path(target).write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">\n'
        '<rect width="100%%" height="100%%" fill="white"/>\n<text x="%d" y="16">Resident memory under way</text>\n%s\n</svg>\n' % (
            WIDTH, TOP + len(files) * ROW, LEFT, '\n'.join(rows)))


if __name__ == '__main__':
    main()
