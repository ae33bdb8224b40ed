"""Random valid pages, read by Limpet's parser and by the Prometheus project's own Python client:
both must see the same samples.

usage: differential_test.py PAGE_DUMP [PAGES [SEED]]
"""
import json
import math
import random
import subprocess
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as plain_text

TEXTS = ('', 'sda', 'a b', 'x,y', '{', '}', '"', '\\', '\n', 'é', '日本', '\\n', '#', '=', "'", '\t')
NUMBERS = ('0', '1', '-1', '3.25', '1e3', '1E-7', '+5', '.5', '5.', 'NaN', '+Inf', '-Inf', '1e308',
           '123456789012345678', '0.1', '4.9e-324', '9007199254740993')


def escaped(text):
    return text.replace('\\', '\\\\').replace('\n', '\\n').replace('"', '\\"')


def name(rng):
    return rng.choice('abz_') + ''.join(rng.choice('ab0_') for _ in range(rng.randrange(6)))


def labels(rng, blanks):
    pairs = {}
    for _ in range(rng.choice((0, 0, 1, 2, 3))):
        pairs[name(rng)] = ''.join(rng.choice(TEXTS) for _ in range(rng.randrange(3)))
    if not pairs:
        return ''
    gap = ' ' * (rng.randrange(2) if blanks else 0)
    return '{' + (',' + gap).join('%s="%s"' % (k, escaped(v)) for k, v in pairs.items()) + '}'


def number(rng):
    return rng.choice(NUMBERS) if rng.random() < 0.7 else repr(rng.uniform(-1e9, 1e9))


def text_page(rng):
    lines = []
    for _ in range(rng.randrange(12)):
        metric = name(rng)
        kind = rng.randrange(6)
        if kind == 0:
            lines.append('# HELP %s %s' % (metric, rng.choice(('some help', 'a \\\\ b', 'x \\n y'))))
        elif kind == 1:
            lines.append('# a comment')
        elif kind == 2:
            lines.append('')
        else:
            line = metric + labels(rng, True) + ' ' + number(rng)
            if rng.random() < 0.3:
                line += ' %d' % rng.randrange(0, 2**41)
            lines.append(line)
    return '\n'.join(lines) + '\n'


def open_metrics_page(rng):
    lines = []
    for i in range(rng.randrange(6)):
        metric = 'm%d_%s' % (i, name(rng).strip('_') or 'x')
        lines.append('# TYPE %s gauge' % metric)
        seen = set()
        stamped = rng.random() < 0.3
        for _ in range(rng.randrange(1, 4)):
            pairs = labels(rng, False)
            if pairs in seen:
                continue
            seen.add(pairs)
            line = metric + pairs + ' ' + number(rng)
            if stamped:
                line += ' %d.%03d' % (rng.randrange(0, 2**31), rng.randrange(1000))
            lines.append(line)
    return '\n'.join(lines + ['# EOF']) + '\n'


def expected(parse, page, scale):
    """Samples as page_dump prints them; scale: of the client's timestamps to ns."""
    samples = []
    for family in parse(page):
        for sample in family.samples:
            stamp = None if sample.timestamp is None else round(float(sample.timestamp) * scale)
            samples.append((sample.name, dict(sample.labels), float(sample.value), stamp))
    return samples


def same(ours, theirs):
    if len(ours) != len(theirs):
        return False
    for mine, other in zip(ours, theirs):
        value = float(mine[2])
        if mine[0] != other[0] or mine[1] != other[1]:
            return False
        if not (value == other[2] or (math.isnan(value) and math.isnan(other[2]))):
            return False
        # The client's timestamps are doubles.
        if (mine[3] is None) != (other[3] is None) or (
                mine[3] is not None and abs(mine[3] - other[3]) > 1000):
            return False
    return True


def read_page(out):
    samples = []
    for line in out:
        if line == 'end\n':
            return samples
        samples.append(line if line.startswith('error') else json.loads(line))
    raise SystemExit('page_dump ended early')


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    pages = []
    while len(pages) < count:
        text = len(pages) % 2 == 0
        page = text_page(rng) if text else open_metrics_page(rng)
        try:
            theirs = expected(plain_text if text else open_metrics, page, 1e9)
        except ValueError:
            continue  # the client refuses what the grammar allows: no reference
        pages.append(('text' if text else 'openmetrics', page, theirs))
    given = b''.join(b'%s %d\n%s' % (kind.encode(), len(page.encode()), page.encode())
                     for kind, page, _ in pages)
    done = subprocess.run([program], input=given, stdout=subprocess.PIPE, check=True)
    out = iter(done.stdout.decode().splitlines(keepends=True))
    for kind, page, theirs in pages:
        ours = read_page(out)
        if any(isinstance(one, str) for one in ours) or not same(ours, theirs):
            sys.exit('%s page\n%s\nLimpet: %s\nclient: %s' % (kind, page, ours, theirs))
    print('%d pages, %d samples: the same' % (count, sum(len(page[2]) for page in pages)))


if __name__ == '__main__':
    main()
