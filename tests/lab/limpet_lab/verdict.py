"""What the diagnoser says, read from its metrics page, and whether it is right."""
import typing

CAUSES = ('disk-hog', 'disk-busy', 'network-hog', 'packet-loss')


class Evidence(typing.NamedTuple):
    """One flagged metric of a server. degree: over 1 is flagged; effect: 0.25 is a quarter more
    (or less) than its peers, None when the detector has none."""
    metric: str
    device: str
    degree: typing.Optional[float]
    effect: typing.Optional[float]

    def __str__(self):
        where = '%s of %s' % (self.metric, self.device) if self.device else self.metric
        parts = []
        if self.effect is not None:
            parts.append('differs from its peers by %.0f %%' % (100 * self.effect))
        if self.degree is not None:
            parts.append('degree %.1f (over 1 is anomalous)' % self.degree)
        return '%s: %s' % (where, ', '.join(parts) or 'flagged')


class Diagnosis(typing.NamedTuple):
    """What is indicted now, and why. window_end: Unix seconds of the last window, 0 before one."""
    indicted: frozenset     # of (node, cause)
    evidence: dict          # node -> [Evidence], largest degree first
    window_end: float


def read(samples):
    """A Diagnosis of a page's samples."""
    indicted = frozenset((s.labels.get('node', ''), s.labels.get('cause', '')) for s in samples
                         if s.name == 'limpet_indicted' and s.value == 1)

    def by_metric(name):
        return {_key(s.labels): s.value for s in samples if s.name == name}
    degrees = by_metric('limpet_anomaly_degree')
    effects = by_metric('limpet_anomaly_effect_ratio')
    evidence = {}
    for sample in samples:
        if sample.name == 'limpet_anomaly' and sample.value == 1:
            key = _key(sample.labels)
            evidence.setdefault(sample.labels.get('node', ''), []).append(
                Evidence(sample.labels.get('metric', ''), sample.labels.get('device', ''),
                         degrees.get(key), effects.get(key)))
    for found in evidence.values():
        found.sort(key=lambda one: -(one.degree or 0))
    ends = [s.value for s in samples if s.name == 'limpet_window_end_timestamp_seconds']
    return Diagnosis(indicted, evidence, max(ends, default=0.0))


def _key(labels):
    return tuple(labels.get(name, '') for name in ('peer_group', 'node', 'device', 'metric',
                                                   'preset'))


def right(fault, server, indicted):
    """Whether this set of (node, cause) is what the fault on that server deserves."""
    return indicted == (frozenset() if fault == 'none' else frozenset({(server, fault)}))


def result_line(fault, server, indicted, seconds):
    """The demo's last line, for programs to read. seconds: from the fault to the verdict, or what
    was watched without one."""
    named = sorted(indicted) or [('none', 'none')]
    return 'RESULT fault=%s server=%s indicted=%s cause=%s seconds=%.0f' % (
        fault, server or 'none', ','.join(node for node, _ in named),
        ','.join(cause for _, cause in named), seconds)
