"""What being watched costs: how long a workload takes with exporters on every host, read once a
second, and without.

In pairs, of which every second has the two in the other order, so that what changes slowly on the
machine falls on both alike. The result is the mean of the pairs' logarithmic ratios, with Student's
95 % confidence interval.
"""
import math
import statistics
import time
import typing

from . import workload
from .monitor import Monitor
from .shell import LabError


class Overhead(typing.NamedTuple):
    """Percent by which the watched runs took longer, and its 95 % confidence interval."""
    percent: float
    low: float
    high: float
    pairs: int


def one_run(settings, name, seed):
    """Seconds until every client has done the workload once."""
    begin = time.monotonic()
    clients = workload.start(settings, name, seed, again=False)
    try:
        if any(client.wait() for client in clients):
            raise LabError('the workload %s failed: see %s/client*/workload.log' % (
                name, settings.run_dir))
    finally:
        workload.finish(clients)
    return time.monotonic() - begin


def measure(lab, name, pairs, tell=lambda text: None):
    """[(seconds without, seconds with)] of a lab that is up."""
    settings = lab.settings
    if not workload.is_laid_out(settings, name):
        workload.lay_out(settings, name)
    workload.full_speed(settings)
    one_run(settings, name, 0)      # whoever is first finds nothing in any cache
    found = []
    for number in range(pairs):
        took = {}
        for watched in (False, True) if number % 2 else (True, False):
            monitor = Monitor(settings)
            if watched:
                monitor.start(lab.loops)
            took[watched] = one_run(settings, name, number)
            monitor.stop()
        found.append((took[False], took[True]))
        tell('pair %d: %.2f s without, %.2f s with' % (number + 1, *found[-1]))
    return found


def summary(pairs):
    """An Overhead of [(seconds without, seconds with)]; at least two pairs."""
    logs = [math.log(watched / alone) for alone, watched in pairs]
    mean = statistics.mean(logs)
    half = student(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    return Overhead(*(100 * (math.exp(one) - 1) for one in (mean, mean - half, mean + half)),
                    len(logs))


def student(freedom, chance=0.95):
    """The t within which Student's distribution with so many degrees of freedom lies at that chance."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(
        freedom * math.pi)

    def within(t, steps=1000):      # twice Simpson's integral of the density from 0 to t
        density = [scale * (1 + (t * i / steps) ** 2 / freedom) ** (-(freedom + 1) / 2)
                   for i in range(steps + 1)]
        return 2 * t / steps / 3 * (density[0] + density[-1] + 4 * sum(density[1:-1:2])
                                    + 2 * sum(density[2:-1:2]))
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < chance else (low, middle)
    return high
