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


class Judge:
    """Follows who is indicted after a fault, and decides when the demo has its answer.

    Right is: only that server, within `watch` seconds with that cause, and still so `confirm`
    seconds later (a window more). Its first windows hold the time before the fault as well, so a
    cause may still change; another server may not be named at all."""

    def __init__(self, fault, server, watch, confirm):
        self._fault, self._server, self._watch, self._confirm = fault, server, watch, confirm
        self.history = [(0.0, frozenset())]     # (seconds after the fault, who and what), changes

    def see(self, seconds, indicted):
        if indicted != self.history[-1][1]:
            self.history.append((seconds, indicted))

    def answer(self, seconds):
        """True or False when there is one, None while it has to be waited for."""
        since, now = self.history[-1]
        if any(node != self._server for _, named in self.history for node, _ in named):
            return False
        if self._fault == 'none':
            return True if seconds >= self._watch else None
        if right(self._fault, self._server, now) and since <= self._watch:
            return True if seconds >= since + self._confirm else None
        return False if seconds >= self._watch else None

    def result_line(self, seconds):
        """The demo's last line, for programs to read. seconds= is how long after the fault the
        verdict came, or what was watched without one; first= is there when the first verdict was
        another one."""
        since, now = self.history[-1]
        line = 'RESULT fault=%s server=%s indicted=%s cause=%s seconds=%.0f' % (
            self._fault, self._server or 'none', _names(now, 0), _names(now, 1),
            since if now else seconds)
        named = [(at, found) for at, found in self.history if found]
        if len(named) > 1:
            at, found = named[0]
            line += ' first=%s:%s@%.0f' % (_names(found, 0), _names(found, 1), at)
        return line


def _names(indicted, part):
    return ','.join(pair[part] for pair in sorted(indicted)) or 'none'
