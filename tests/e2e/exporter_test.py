"""limpet-exporter as its users meet it: pages, commands, signals, TLS, bad input, real scrapers."""
import os
import pathlib
import re
import shutil
import signal
import socket
import unittest

from peers import Prometheus, promtool_check
from support import (EXPORTER, Program, TestCase, bcrypt, get, make_certificate, run, trusting,
                     wait_until)

OPENMETRICS = 'application/openmetrics-text;version=1.0.0'


class ExporterCase(TestCase):
    def serve(self, *arguments, config=''):
        return Program(EXPORTER, 'serve', '--config', self.write('exporter.yml', config),
                       '--web.listen-address', '127.0.0.1:0', *arguments)

    def ready(self, exporter, scheme='http', **options):
        """The base address of an exporter that has a sample."""
        base = '%s://localhost:%d' % (scheme, exporter.port())
        wait_until('the first sample', lambda: get(base + '/-/ready', **options).status == 200)
        return base


class Pages(ExporterCase):
    def test_promtool_accepts_the_page_under_both_names(self):
        for arguments, prefix in (((), 'limpet_'), (('--compat.node-exporter-names',), 'node_')):
            with self.serve(*arguments) as exporter:
                page = get(self.ready(exporter) + '/metrics')
            self.assertEqual(page.headers['Content-Type'], 'text/plain; version=0.0.4; charset=utf-8')
            self.assertIn(prefix + 'disk_reads_completed_total', page.body)
            if prefix == 'limpet_':  # node_exporter's own names do not all pass its vendor's lint
                promtool_check(page.body)

    def test_formats_and_encodings_are_negotiated(self):
        with self.serve() as exporter:
            url = self.ready(exporter) + '/metrics'
            open_page = get(url, {'Accept': OPENMETRICS, 'Accept-Encoding': 'gzip'})
        self.assertEqual(open_page.headers['Content-Encoding'], 'gzip')
        self.assertEqual(open_page.headers['Vary'], 'Accept, Accept-Encoding')
        self.assertTrue(open_page.headers['Content-Type'].startswith('application/openmetrics-text'))
        self.assertTrue(open_page.body.endswith('# EOF\n'))

    def test_every_scraper_sees_the_same_sample_until_the_next(self):
        with self.serve(config='sampling: {interval: 5s}\n') as exporter:
            url = self.ready(exporter) + '/metrics'

            def two_of_one_sample():
                pages = get(url), get(url)
                stamps = {page.value('limpet_sample_timestamp_seconds') for page in pages}
                return pages if len(stamps) == 1 else None
            first, second = wait_until('two scrapes of one sample', two_of_one_sample)
            self.assertEqual(first.body, second.body)

    def test_landing_health_and_unknown_paths(self):
        with self.serve() as exporter:
            base = self.ready(exporter)
            self.assertEqual(get(base + '/-/healthy').status, 200)
            self.assertIn('limpet-exporter', get(base + '/').body)
            self.assertEqual(get(base + '/metricsfoo').status, 404)

    def test_once_prints_one_page_with_gauges(self):
        page = run(EXPORTER, 'once').stdout
        promtool_check(page)
        self.assertIn('limpet_network_receive_bytes_per_second', page)

    def test_ipv6(self):
        with Program(EXPORTER, 'serve', '--web.listen-address', '[::1]:0') as exporter:
            port = exporter.port()
            wait_until('a page', lambda: get('http://[::1]:%d/metrics' % port).status == 200)


class Commands(ExporterCase):
    def test_version_and_help_end_with_zero(self):
        self.assertRegex(run(EXPORTER, '--version').stdout, r'^limpet-exporter \d+\.\d+\.\d+')
        self.assertIn('record', run(EXPORTER, '--help').stdout)

    def test_wrong_use_ends_with_two(self):
        self.assertEqual(run(EXPORTER, '--no-such-flag', check=False).returncode, 2)
        self.assertEqual(run(EXPORTER, 'record', check=False).returncode, 2)

    def test_the_shipped_configuration_is_accepted(self):
        config = os.path.join(os.path.dirname(__file__), '../../config/exporter.yml')
        run(EXPORTER, 'check-config', '--config', config)

    def test_every_mistake_in_a_configuration_is_named(self):
        config = self.write('bad.yml', 'sampling:\n  interval: fast\nintervall: 1s\n'
                                       'collectors:\n  disk:\n    device_include: "("\n')
        for command in ('check-config', 'serve', 'once'):
            done = run(EXPORTER, command, '--config', config, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            for mistake in ('bad.yml:2: sampling.interval: expected a duration', 'bad.yml:3: intervall: unknown key',
                            'bad.yml:6: collectors.disk.device_include: expected a regular expression'):
                self.assertIn(mistake, done.stderr)

    def test_a_port_in_use_is_said_to_be(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            address = '127.0.0.1:%d' % taken.getsockname()[1]
            done = run(EXPORTER, 'serve', '--web.listen-address', address, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(address, done.stderr)
        self.assertIn('in use', done.stderr)

    def test_a_missing_certificate_is_named(self):
        web = self.write('web.yml', 'tls_server_config:\n  cert_file: none.crt\n  key_file: none.key\n')
        done = run(EXPORTER, 'serve', '--web.listen-address', '127.0.0.1:0', '--web.config.file', web,
                   check=False)
        self.assertIn(done.returncode, (1, 2))
        self.assertIn('none.crt', done.stderr)

    def test_sigterm_ends_cleanly(self):
        with self.serve() as exporter:
            self.ready(exporter)
            exporter.signal(signal.SIGTERM)
            self.assertEqual(exporter.wait(), 0)

    def test_sighup_takes_a_good_configuration_and_refuses_a_bad_one(self):
        with self.serve() as exporter:
            url = self.ready(exporter) + '/metrics'
            self.assertTrue(get(url).all('limpet_load1'))
            self.write('exporter.yml', 'collectors: {host: {enabled: false}}\n')
            exporter.signal(signal.SIGHUP)
            wait_until('host metrics to go', lambda: not get(url).all('limpet_load1'))
            self.write('exporter.yml', 'collectors: {host: {enabled: perhaps}}\n')
            exporter.signal(signal.SIGHUP)
            wait_until('the refusal', lambda: 'exporter.yml:1: collectors.host.enabled' in exporter.log)
            wait_until('the metric', lambda: get(url).value('limpet_config_last_reload_successful') == 0)
            self.assertFalse(get(url).all('limpet_load1'))


class FakeProc(ExporterCase):
    def proc(self, **files):
        """A folder as /proc, with these files changed."""
        proc = self.folder / 'proc'
        (proc / 'net').mkdir(parents=True)
        for name in ('diskstats', 'stat', 'vmstat', 'loadavg', 'meminfo', 'net/dev', 'net/snmp', 'net/netstat',
                     'net/sockstat'):
            shutil.copyfile('/proc/' + name, proc / name)
        for name, content in files.items():
            (proc / name.replace('__', '/')).write_bytes(content)
        return proc


class Reload(FakeProc):
    DISKSTATS = '8 0 sda 100 0 800 %010d 0 0 0 0 0 700 900\n'
    READ_TIME = 'limpet_disk_read_time_seconds_total'

    def read_time(self, url, proc, milliseconds):
        """The counter on the page once the kernel prints so many milliseconds."""
        with (proc / 'diskstats').open('r+') as file:   # same file, same length: the exporter keeps it open
            file.write(self.DISKSTATS % milliseconds)
        stamp = get(url).value('limpet_sample_timestamp_seconds')
        wait_until('two more samples', lambda: get(url).value('limpet_sample_timestamp_seconds') >= stamp + 2)
        return get(url).value(self.READ_TIME, device='sda')

    def reload(self, exporter, url, config):
        before = exporter.log.count('configuration read again')
        self.write('exporter.yml', config)
        exporter.signal(signal.SIGHUP)
        wait_until('the reload', lambda: exporter.log.count('configuration read again') > before)
        stamp = get(url).value('limpet_sample_timestamp_seconds')
        wait_until('the next sample', lambda: get(url).value('limpet_sample_timestamp_seconds') > stamp)

    # The kernel prints 32 bits of milliseconds. What has wrapped may not be forgotten while the start time stays.
    def test_a_changed_configuration_lets_no_counter_fall(self):
        proc = self.proc(diskstats=(self.DISKSTATS % 4294967000).encode())
        with self.serve('--path.procfs', proc) as exporter:
            url = self.ready(exporter) + '/metrics'
            self.assertEqual(get(url).value(self.READ_TIME, device='sda'), 4294967.0)
            wrapped = self.read_time(url, proc, 704)
            self.assertEqual(wrapped, 4294968.0)
            start = get(url).value('limpet_exporter_start_time_seconds')
            for config in ('collectors: {host: {enabled: false}}\n', 'collectors: {disk: {gauges: false}}\n'):
                self.reload(exporter, url, config)
                page = get(url)
                self.assertEqual(page.value(self.READ_TIME, device='sda'), wrapped)
                self.assertEqual(page.value('limpet_disk_replugs_total', device='sda'), 0)
                self.assertEqual(page.value('limpet_exporter_start_time_seconds'), start)
            self.assertEqual(self.read_time(url, proc, 1704), wrapped + 1)


class BadInput(FakeProc):
    def success(self, page):
        return {labels['collector']: value
                for labels, value in page.all('limpet_scrape_collector_success')}

    def test_a_hanging_file_takes_no_other_collector_down(self):
        proc = self.proc()
        os.remove(proc / 'net/dev')
        os.mkfifo(proc / 'net/dev')
        with self.serve('--path.procfs', proc) as exporter:
            url = self.ready(exporter) + '/metrics'
            first = get(url)
            self.assertEqual(self.success(first)['net'], 0)
            self.assertEqual(self.success(first)['disk'], 1)
            self.assertEqual(self.success(first)['host'], 1)
            stamp = first.value('limpet_sample_timestamp_seconds')
            wait_until('the samples to go on', lambda: get(url).value(
                'limpet_sample_timestamp_seconds') >= stamp + 3)
            self.assertIn('net', exporter.log)
            exporter.signal(signal.SIGTERM)
            self.assertEqual(exporter.wait(), 0)

    def test_damaged_files_cost_only_what_they_hold(self):
        proc = self.proc(diskstats=os.urandom(4096), net__dev=b'', vmstat=b'pgpgin 12')
        with self.serve('--path.procfs', proc) as exporter:
            page = get(self.ready(exporter) + '/metrics')
        promtool_check(page.body)
        self.assertFalse(page.all('limpet_disk_reads_completed_total'))
        self.assertTrue(page.all('limpet_load1'))

    def test_a_missing_proc_fails_every_collector_but_not_the_program(self):
        with self.serve('--path.procfs', self.folder / 'nowhere') as exporter:
            page = get(self.ready(exporter) + '/metrics')
        self.assertEqual(self.success(page)['disk'], 0)
        self.assertIn('nowhere/diskstats', exporter.log)


class Scraped(ExporterCase):
    def test_prometheus_scrapes_it(self):
        with self.serve() as exporter:
            base = self.ready(exporter)
            with Prometheus(self.folder, '  - job_name: limpet\n    static_configs: [{targets: ["%s"]}]\n'
                            % base[len('http://'):]) as prometheus:
                self.assertEqual([value for _, value in prometheus.wait_for('up')], [1], prometheus.targets())
                self.assertTrue(prometheus.wait_for('rate(limpet_network_receive_bytes_total[5s])'))

    def test_passwords_are_checked_at_ordinary_priority(self):
        web = self.write('web.yml', 'basic_auth_users:\n  prometheus: %s\n' % bcrypt('secret'))
        with Program('nice', '-n', '-5' if os.geteuid() == 0 else '1', EXPORTER, 'serve',
                     '--web.listen-address', '127.0.0.1:0', '--web.config.file', web) as exporter:
            url = 'http://127.0.0.1:%d/metrics' % exporter.port()
            self.assertEqual(get(url, user=('prometheus', 'wrong')).status, 401)
            niceness = {}
            for task in pathlib.Path('/proc/%d/task' % exporter.process.pid).iterdir():
                fields = (task / 'stat').read_text().rsplit(')', 1)[1].split()
                niceness[(task / 'comm').read_text().strip()] = int(fields[16])
            self.assertEqual(niceness['password'], 0 if os.geteuid() == 0 else 1)
            self.assertEqual(niceness['limpet-exporter'], -5 if os.geteuid() == 0 else 1)

    def test_prometheus_scrapes_it_over_tls_with_a_password(self):
        certificate, key = make_certificate(self.folder)
        web = self.write('web.yml', 'tls_server_config:\n  cert_file: %s\n  key_file: %s\n'
                                    'basic_auth_users:\n  prometheus: %s\n' % (certificate.name, key.name, bcrypt('secret')))
        run('promtool', 'check', 'web-config', web)
        with self.serve('--web.config.file', web) as exporter:
            trust = trusting(certificate)
            self.assertEqual(get('https://localhost:%d/metrics' % exporter.port(), context=trust).status, 401)
            base = self.ready(exporter, 'https', context=trust, user=('prometheus', 'secret'))
            with Prometheus(self.folder, '''
  - job_name: limpet
    scheme: https
    tls_config: {ca_file: %s, server_name: localhost}
    basic_auth: {username: prometheus, password: secret}
    static_configs: [{targets: ["%s"]}]
''' % (certificate, base[len('https://'):])) as prometheus:
                wait_until('the target to be up', lambda: [1.0] == [v for _, v in prometheus.query('up')])
                self.assertTrue(prometheus.wait_for('limpet_disk_reads_completed_total or limpet_load1'))


class Recording(ExporterCase):
    def record(self):
        return Program(EXPORTER, 'record', '--output-dir', self.folder, '--config', self.write(
            'exporter.yml', 'record: {instance: io01, role: io, flush_interval: 2s, format: text}\n'))

    def files(self):
        return sorted(self.folder.glob('*.zst'))

    def has_data(self):
        return bool(self.files()) and self.files()[0].stat().st_size > 0

    def test_a_closed_recording_is_accepted_by_promtool(self):
        with self.record() as recorder:
            wait_until('a frame', self.has_data)
            first = self.files()[0].stat().st_size
            wait_until('another frame', lambda: self.files()[0].stat().st_size > first)
            recorder.signal(signal.SIGTERM)
            self.assertEqual(recorder.wait(), 0)
        self.assertEqual(len(self.files()), 1)
        self.assertRegex(self.files()[0].name, r'^\d{8}T\d{6}Z?\b')
        text = run('zstdcat', self.files()[0]).stdout
        self.assertTrue(text.endswith('# EOF\n'))
        samples = [line for line in text.splitlines() if not line.startswith('#')]
        for line in samples:
            self.assertRegex(line, r'instance="io01".* \S+ \d+\.\d{3}$')
            self.assertIn('role="io"', line)
        plain = self.folder / 'recording.om'
        plain.write_text(text)
        run('promtool', 'tsdb', 'create-blocks-from', 'openmetrics', plain, self.folder / 'blocks')
        self.assertTrue(list((self.folder / 'blocks').iterdir()))

    def test_a_killed_recording_is_readable_to_its_last_frame(self):
        with self.record() as recorder:
            wait_until('a frame', self.has_data)
            recorder.signal(signal.SIGKILL)
            recorder.wait()
        whole = run('zstdcat', self.files()[0], check=False).stdout
        self.assertTrue(whole.endswith('\n'))
        self.assertGreater(len(re.findall(r'^limpet_', whole, re.M)), 10)
        cut = self.folder / 'cut.zst'
        cut.write_bytes(self.files()[0].read_bytes()[:-7])
        self.assertIn(run('zstdcat', cut, check=False).returncode, (0, 1))


if __name__ == '__main__':
    unittest.main()
