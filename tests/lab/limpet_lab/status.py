"""The demo's live table and its report, as text."""
from .readings import Rates
from .screen import bar, table

# Fits 80 columns with the longest verdict.
HEADER = ('server', 'rd MB/s', 'await ms', 'busy %', 'rx MB/s', 'tx MB/s', 'cwnd', 'verdict')


def number(value, scale=1.0, digits=1):
    return '-' if value is None else '%.*f' % (digits, value * scale)


def rows(rates, diagnosis):
    """The table's lines. rates: {server: Rates}; diagnosis: None when there is none."""
    lines = [HEADER]
    for server, now in rates.items():
        lines.append((server, number(now.read_bytes, 1e-6), number(now.await_seconds, 1e3, 0),
                      number(now.busy, 100, 0), number(now.received_bytes, 1e-6),
                      number(now.sent_bytes, 1e-6), number(now.cwnd, 1, 0),
                      says(server, diagnosis)))
    return table(lines)


def says(server, diagnosis):
    """What the diagnoser says of one server, in a few words."""
    if diagnosis is None:
        return 'no answer'
    causes = [cause for node, cause in sorted(diagnosis.indicted) if node == server]
    if causes:
        return 'INDICTED ' + ', '.join(causes)
    flagged = sorted({one.metric for one in diagnosis.evidence.get(server, [])})
    if flagged:
        return 'flagged: ' + ', '.join(flagged)
    return 'ok' if diagnosis.window_end else 'waiting for the first window'


def live(spinner, text, done, total, rates, diagnosis):
    """The lines that are redrawn: a bar over the table. done, total: seconds; total may be None."""
    progress = '%s %s %s' % (spinner, text, elapsed(done, total))
    if total is not None:
        progress += ' ' + bar(done, total)
    return [progress, ''] + rows(rates, diagnosis)


def elapsed(done, total):
    return '%d s' % done if total is None else '%d of %d s' % (min(done, total), total)


def plain(text, done, total, rates, diagnosis):
    """One line for where nothing is redrawn."""
    def span(values, scale, digits):
        known = [value for value in values if value is not None]
        if not known:
            return '-'
        low, high = (number(pick(known), scale, digits) for pick in (min, max))
        return low if low == high else '%s to %s' % (low, high)
    now = list(rates.values()) or [Rates()]
    flagged = ['%s %s' % (server, says(server, diagnosis)) for server in rates
               if diagnosis and (server in diagnosis.evidence
                                 or server in {node for node, _ in diagnosis.indicted})]
    if diagnosis is None:
        flagged = ['the diagnoser does not answer']
    return '%s, %s: rd %s MB/s, await %s ms, rx %s MB/s; %s' % (
        text, elapsed(done, total), span([one.read_bytes for one in now], 1e-6, 1),
        span([one.await_seconds for one in now], 1e3, 0),
        span([one.received_bytes for one in now], 1e-6, 1),
        '; '.join(flagged) or 'nobody is flagged')


def story(history):
    """How verdicts came and went, as lines; nothing when there was one at most."""
    if len(history) < 3:
        return []
    return ['%4.0f s: %s' % (seconds, ', '.join('%s %s' % pair for pair in sorted(indicted))
                             or 'nobody') for seconds, indicted in history[1:]] + ['']


def report(diagnosis):
    """Who is indicted and why, as lines."""
    if not diagnosis.indicted:
        return ['Nobody is indicted.']
    lines = []
    for node, cause in sorted(diagnosis.indicted):
        lines.append('%s is indicted: %s' % (node, cause))
        lines += ['    ' + str(one) for one in diagnosis.evidence.get(node, [])]
    return lines
