"""How soon a diagnoser that reads a Prometheus of 15 s or 60 s tells of a fault, and that it tells of nothing else.

    sudo python3 check_stores.py [--healthy SECONDS] [--intervals 15s,60s] [--faults slow-disk,disk-hog,write-network-hog]

The six servers of check_alerting.py with Debian's node_exporter. For each interval there is a site of its own beside the
others: a Prometheus that scrapes the node_exporters, a diagnoser with the shipped configuration that reads from that
Prometheus, an Alertmanager with the shipped rules and routes. No message may come for SECONDS (an hour). Then each fault
on a server of its own, until every site has paged; it ends, and the next begins. Each has to be one page with the
fault's cause, within the times of PAGE_WITHIN, and one "resolved"; warnings are printed. ctest -R lab-stores -V, two
hours and a half; with --healthy 600 an hour and a half.
"""
import argparse
import contextlib
import os
import time

from check_alerting import Expected, check_text, on_a_site, shipped, start_diagnoser
from alerting_delays import Chain, minutes   # noqa: E402 (check_alerting has put its folder on the path)
from support import free_port, get   # noqa: E402

PAGE_WITHIN = {'15s': 360, '30s': 600, '60s': 900}    # seconds
PATIENCE = 2400          # to be named and paged
TO_CLEAR = 5400
_SIZE = r' of %s\S*( [\d.]+×| unlike) its \d peers, \+[\d.]+ \S+, for [\dhms. ]+\)'
KINDS = {
    'slow-disk': Expected('io03', 'slow-disk', 6, r'^io03 \S.*: disk-busy \((await|service_time|utilization)' + _SIZE % 'io03'),
    'disk-hog': Expected('io02', 'disk-hog', None, r'^io02 \S.*: disk-hog \(\S+' + _SIZE % 'io02'),
    'write-network-hog': Expected('io05', 'write-network-hog', 100, r'^io05 \S.*: network-hog \(\S+' + _SIZE % 'io05'),
}


class Watch:
    """One site: its Prometheus, Alertmanager and diagnoser, and since when and until when each server is indicted."""

    def __init__(self, folder, interval, site):
        self.interval, self.address = interval, '127.0.0.1:%d' % free_port()
        self.began, self.ended, self.causes = {}, {}, {}
        self.chain = Chain(folder, interval, self.address, site.scrape_config())
        source = 'source: prometheus\nprometheus: {url: "%s", step: %s, selector: \'job="node"\'}\n' % (
            self.chain.prometheus.url(''), interval)
        self.program = start_diagnoser(folder / interval, shipped(source), self.address)

    def stop(self):
        self.program.stop()
        self.chain.stop()

    def look(self):
        now = time.time()
        found = {labels['node']: labels['cause'] for labels, value in
                 get('http://%s/metrics' % self.address).all('limpet_indicted') if value == 1}
        for node, cause in found.items():
            self.began.setdefault(node, now)
            self.ended.pop(node, None)
            if cause not in self.causes.setdefault(node, []):
                self.causes[node].append(cause)
        for node in self.began:
            if node not in found:
                self.ended.setdefault(node, now)

    def messages(self, path):
        """[(status, alert, when)] that came there."""
        return [(alert['status'], alert, one['at']) for one in self.chain.receiver.got if one['path'] == path
                for alert in one['alerts']]

    def paged(self, node, status):
        return next((at for one, alert, at in self.messages('/page')
                     if one == status and alert['labels'].get('node') == node), None)


def load():
    return 'load average %.1f %.1f %.1f' % os.getloadavg()


def say(text):
    print(time.strftime('%H:%M:%S ') + text, flush=True)


def wait_for(watches, what, done, seconds):
    """Looks at all sites until `done` of each; what it waited for in vain is said and returned."""
    end = time.monotonic() + seconds
    while not all(done(one) for one in watches):
        if time.monotonic() > end:
            late = ['%s at %s: not within %s' % (what, one.interval, minutes(seconds)) for one in watches if not done(one)]
            say('; '.join(late))
            return late
        time.sleep(2)
        for one in watches:
            one.look()
    return []


def stay_quiet(watches, seconds):
    """What was told, and who was indicted, in that time."""
    # By the shortest windows, of 8 readings.
    wait_for(watches, 'a first comparison', lambda one: sum(
        value for _, value in get('http://%s/metrics' % one.address).all('limpet_node_judged')) == 6, 3600)
    say('six servers are judged; %s' % load())
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(5)
        for one in watches:
            one.look()
    wrong = []
    for one in watches:
        told = ['%s %s' % (alert['labels']['alertname'], alert['annotations']['summary'])
                for _, alert, _ in one.messages('/page') + one.messages('/warning')]
        pending = one.chain.prometheus.query('count_over_time(ALERTS[%ds])' % seconds)
        say('%s without a fault at %s: messages: %s; indicted: %s; pending at times: %s; %s' % (
            minutes(seconds), one.interval, told or 'none', one.causes or 'none', pending or 'none', load()))
        wrong += told
    return wrong


def one_fault(site, watches, expected):
    """One fault until every site has paged; what was late."""
    began = time.time()
    with site.fault(expected):
        say('%s at %s; %s' % (expected.fault, expected.node, load()))
        late = wait_for(watches, 'the page of ' + expected.fault, lambda one: one.paged(expected.node, 'firing'), PATIENCE)
    ended = time.time()
    for one in watches:
        paged, named = one.paged(expected.node, 'firing'), one.began.get(expected.node)
        if named:
            say('%s at %s: named after %s (%s)%s' % (
                expected.fault, one.interval, minutes(named - began), ', '.join(one.causes[expected.node]),
                ', page after %s' % minutes(paged - began) if paged else ''))
        if paged and paged - began > PAGE_WITHIN.get(one.interval, PATIENCE):
            late.append('%s at %s: a page after %s' % (expected.fault, one.interval, minutes(paged - began)))
    say('%s ends; %s' % (expected.fault, load()))
    return late, ended


def check_messages(watch, kinds):
    """What is wrong with a site's pages: one "firing" and one "resolved" of each fault, with the whole text."""
    wrong = []
    pages = watch.messages('/page')
    for status, alert, at in sorted(pages + watch.messages('/warning'), key=lambda one: one[2]):
        print('%s %s %s %s: %s' % (watch.interval, time.strftime('%H:%M:%S', time.localtime(at)), status,
                                   alert['labels'].get('alertname'), alert['annotations']['summary']), flush=True)
    found = sorted((alert['labels'].get('node', ''), status) for status, alert, _ in pages)
    wanted = sorted((one.node, status) for one in kinds for status in ('firing', 'resolved'))
    if found != wanted:
        wrong.append('%s: pages %s in the place of %s' % (watch.interval, found, wanted))
    for one in kinds:
        for status, alert, _ in pages:
            if status == 'firing' and alert['labels'].get('node') == one.node:
                try:
                    check_text(one, alert)
                except AssertionError as error:
                    wrong.append(str(error))
    return wrong


def run(options, site, folder):
    kinds = [KINDS[name] for name in options.faults.split(',') if name]
    with contextlib.ExitStack() as stack:
        watches = []
        for interval in options.intervals.split(','):
            watches.append(Watch(folder, interval, site))
            stack.callback(watches[-1].stop)
        wrong = stay_quiet(watches, options.healthy)
        ends = {}
        for expected in kinds:
            late, ends[expected.node] = one_fault(site, watches, expected)
            wrong += late
        wrong += wait_for(watches, 'the end of all', lambda one: all(
            node in one.ended and one.paged(node, 'resolved') for node in ends if one.paged(node, 'firing')), TO_CLEAR)
        for one in watches:
            for expected in kinds:
                over, told = one.ended.get(expected.node), one.paged(expected.node, 'resolved')
                if over and told:
                    say('%s at %s: clear %s after its end, resolved %s after it' % (
                        expected.fault, one.interval, minutes(over - ends[expected.node]),
                        minutes(told - ends[expected.node])))
            wrong += check_messages(one, kinds)
        if wrong:
            for one in watches:
                print(one.interval, one.program.log[-4000:], flush=True)
            raise AssertionError('\n'.join(wrong))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--healthy', type=float, default=3600)
    parser.add_argument('--intervals', default='15s,60s')
    parser.add_argument('--faults', default=','.join(KINDS))
    parser.add_argument('--name', default='limpet-stores')
    parser.add_argument('--network', default='198.18.91')
    on_a_site(parser.parse_args(), run)


if __name__ == '__main__':
    main()
