"""When each run's fault was named, and when no longer: the table of "lab report --clearing".

A fault is named by the first verdict with its server and cause, and no longer by the first window end after it without
one. Runs are recorded for long enough after the fault (--after).
"""
import dataclasses
import typing

from . import report

EVERY = 4.0     # seconds between window ends of the default's fastest scale


@dataclasses.dataclass(frozen=True)
class Outcome:
    """One run. after, cleared: seconds from the fault's begin and end; None: not, or not while it was recorded.
    others: {server: its causes} of the rest, at any time."""
    truth: dict
    after: typing.Optional[float]
    cleared: typing.Optional[float]
    others: dict


def outcome(truth, verdicts):
    """An Outcome of one run's verdicts; those of secondary servers do not count."""
    right = (truth['server'], truth['cause'])
    own = sorted(one.end for one in verdicts if not one.secondary and (one.node, one.cause) == right)
    others = {}
    for one in verdicts:
        if not one.secondary and (one.node, one.cause) != right:
            others.setdefault(one.node, set()).add(one.cause)
    after = own[0] - truth['fault_begin'] if own else None
    cleared = max(0.0, own[-1] + EVERY - truth['fault_end']) if own and own[-1] + 2 * EVERY < truth['end'] else None
    return Outcome(truth, after, cleared, {node: ', '.join(sorted(causes)) for node, causes in others.items()})


def outcomes(bin_dir, preset, found):
    return [outcome(truth, report.replay(bin_dir, preset, path, truth)) for path, truth in found]


def _seconds(values):
    """"26, 27, 29", in that order; "-": not while it was recorded."""
    return ', '.join('-' if one is None else '%.0f' % one for one in sorted(values, key=lambda one: (one is None, one)))


def markdown(judged):
    """A row a fault, strength and workload."""
    groups = {}
    for one in judged:
        truth = one.truth
        groups.setdefault((truth['fault'], truth['strength'], truth['workload']), []).append(one)
    lines = ['| fault | workload | runs | named after, s | cleared after, s | others named |', '|---|---|---|---|---|---|']
    for (fault, strength, work), runs in sorted(groups.items()):
        others = ['%s %s' % pair for one in runs for pair in sorted(one.others.items())]
        faulty = runs[0].truth['cause'] is not None
        lines.append('| %s %g | %s | %d | %s | %s | %s |' % (
            fault, strength, work, len(runs), _seconds(one.after for one in runs) if faulty else 'none to name',
            _seconds(one.cleared for one in runs) if faulty else '', '; '.join(others) or 'none'))
    return '\n'.join(lines)
