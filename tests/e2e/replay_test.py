"""What the running diagnoser writes about scraped targets is what a replay of their pages says."""
import json
import threading
import time
import unittest

import support
from fake_exporters import FakeExporters
from support import DIAGNOSER, Program, run, wait_until, without_incidents

PRESET = '''
presets:
  - {base: bare, name: quick, step: 100ms, smoothing: 2, window: 10, shift: 5, k: 2, max_gap: 20s}
peer_groups: [{name: disks, kind: storage, roles: [server]}]
'''


class ReplayTest(support.TestCase):

    def test_serve_and_replay_say_the_same_byte_for_byte(self):
        recording, lock = [], threading.Lock()

        def stamped(node):
            """An answer with the time on every line, which is written down."""
            def answer(handler):
                with lock:      # one after the other, so that the recording is in order of time
                    page, ms = node.page(), time.time_ns() // 1000000
                    lines = page.splitlines()
                    recording.extend('%s,instance="%s",role="server"} %s %d.%03d\n' % (
                        line[:line.index('}')], node.name, line[line.index('}') + 2:],
                        ms // 1000, ms % 1000) for line in lines)
                body = ''.join('%s %d\n' % (line, ms) for line in lines).encode()
                handler.send_response(200)
                handler.send_header('Content-Type', 'text/plain; version=0.0.4')
                handler.send_header('Content-Length', str(len(body)))
                handler.end_headers()
                handler.wfile.write(body)
            return answer

        events = self.folder / 'events.jsonl'
        with FakeExporters(4) as fake:
            for node in fake.nodes.values():
                node.answer = stamped(node)
            limping = fake.nodes['io02']
            limping.await_ms, limping.service_ms = 80, 15
            config = self.write('serve.yml', PRESET + 'scrape: {interval: 100ms}\n' + fake.targets() +
                                'events: {file: "%s", windows: true}\n' % events)
            with Program(DIAGNOSER, 'serve', '--config', config, '--web.listen-address',
                         '127.0.0.1:0') as program:
                wait_until('some verdicts', lambda: events.exists() and
                           events.read_text().count('"verdict"') > 6, 60)
                self.assertEqual(program.stop(), 0)
        live = without_incidents(events.read_text()).splitlines()
        replay = self.write('replay.yml', PRESET)
        done = run(DIAGNOSER, 'replay', '--config', replay,
                   self.write('all.om', ''.join(recording) + '# EOF\n'))
        replayed = done.stdout.splitlines()
        self.assertEqual(json.loads(replayed[-1])['type'], 'summary')
        # The replay goes on to the last page; the diagnoser was stopped before.
        self.assertEqual(live, replayed[:len(live)])
        self.assertGreater(len(live), 40)


if __name__ == '__main__':
    unittest.main()
