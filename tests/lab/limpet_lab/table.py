"""Scores of runs as Markdown, beside what the paper says of its own clusters."""
from . import report

# [Kasick10], tables 2 and 4: ITP, IFP, DTP, DFP in percent, of ten servers and ten clients.
PAPER = {
    'PVFS 10/10': {
        'none': (0, 0, 0, 0), 'disk-hog': (100, 0, 100, 0), 'disk-busy': (90, 2, 90, 2),
        'write-network-hog': (92, 0, 84, 8), 'read-network-hog': (100, 0, 100, 0),
        'receive-pktloss': (42, 0, 42, 0), 'send-pktloss': (40, 0, 40, 0),
        'all': (77.3, 0.3, 76.0, 1.4)},
    'Lustre 10/10': {
        'none': (0, 0, 0, 0), 'disk-hog': (82, 0, 82, 0), 'disk-busy': (88, 2, 68, 22),
        'write-network-hog': (98, 2, 96, 4), 'read-network-hog': (98, 2, 94, 6),
        'receive-pktloss': (38, 4, 36, 6), 'send-pktloss': (40, 0, 38, 2),
        'all': (74.0, 1.4, 69.0, 5.7)},
}


def _rates(scores):
    return '/'.join('–' if one is None else '%.3g' % one for one in report.rates(scores))


def _delay(scores):
    times = sorted(one.after for one in scores if one.after is not None)
    return '%.0f s' % times[len(times) // 2] if times else ''


def _cell(scores):
    return ', '.join(part for part in (_rates(scores), _delay(scores)) if part)


def _of(scores, fault):
    return [one for one in scores if fault in ('all', one.truth['fault'])]


def _in_order(scores, key):
    names = list(dict.fromkeys(one.truth[key] for one in scores))
    return sorted(names, key=lambda one: one == 'none')


def by_fault(by_preset):
    """{preset: [Score]}: a row a fault, beside the papers."""
    some = next(iter(by_preset.values()))
    lines = ['%d runs with a fault, %d without. Percent, ITP/IFP/DTP/DFP; delay: median time '
             'from the fault to the first verdict with its cause.' % (
                 len(some) - len(_of(some, 'none')), len(_of(some, 'none'))), '',
             '| fault | runs | ' + ' | '.join('%s, delay' % one for one in by_preset)
             + ' | ' + ' | '.join('Kasick10 ' + one for one in PAPER) + ' |',
             '|---|---' + '|---' * len(by_preset) + '|---' * len(PAPER) + '|']
    for fault in _in_order(some, 'fault') + ['all']:
        lines.append('| %s | %d | ' % (fault, len(_of(some, fault))) + ' | '.join(
            _cell(_of(scores, fault)) for scores in by_preset.values()) + ' | ' + ' | '.join(
                '/'.join('%.3g' % one for one in table[fault]) if fault in table else '–'
                for table in PAPER.values()) + ' |')
    return '\n'.join(lines) + '\n'


def markdown(by_preset):
    """{preset: [Score]}: by fault, by fault and workload, and what is not right."""
    some = next(iter(by_preset.values()))
    lines = [by_fault(by_preset), '| fault | workload | runs | ' + ' | '.join(
        '%s, delay' % one for one in by_preset) + ' |', '|---|---|---' + '|---' * len(by_preset) + '|']
    for fault in _in_order(some, 'fault'):
        for workload in _in_order(_of(some, fault), 'workload'):
            cells = [[one for one in _of(scores, fault) if one.truth['workload'] == workload]
                     for scores in by_preset.values()]
            lines.append('| %s | %s | %d | ' % (fault, workload, len(cells[0])) + ' | '.join(
                _cell(cell) for cell in cells) + ' |')
    for preset, scores in by_preset.items():
        odd = [one for one in scores if one.misdiagnosed or (
            one.truth['cause'] is not None and not one.diagnosed)]
        lines += ['', 'Not right with `%s`: %s' % (preset, '' if odd else 'none.'), '']
        lines += ['* %s on %s under %s (seed %d): %s' % (
            one.truth['fault'], one.truth['server'] or 'nobody', one.truth['workload'],
            one.truth['seed'], ', '.join('%s %s' % pair for pair in sorted(one.named.items()))
            or 'nobody named') for one in odd]
    return '\n'.join(lines).rstrip() + '\n'

