"""What the main work of both programs costs, in instructions, within 5 % of figures.json.

Counted by callgrind, which says the same whatever else the machine does. A change that costs more has to say so:
LIMPET_REFRESH_GOLDEN=1 python3 tests/cost/cost_test.py writes the figures anew, and the diff is the review. One that costs
less than 95 % has to be recorded, too, or the next one may lose it again unseen.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import unittest

FIGURES = pathlib.Path(__file__).with_name('figures.json')
PROGRAM = os.environ.get('LIMPET_COST', 'build/dev/benchmarks/limpet-cost')
WITHIN = 0.05


def instructions(work):
    ran = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null',
                          '--toggle-collect=*Count(std::function*', PROGRAM, work],
                         capture_output=True, text=True, check=False)
    found = re.search(r'Collected : (\d+)', ran.stderr)
    if ran.returncode or not found:
        raise AssertionError('%s %s: %s' % (PROGRAM, work, ran.stderr))
    return int(found[1])


class CostTest(unittest.TestCase):

    def test_nothing_costs_more_than_it_did(self):
        figures = json.loads(FIGURES.read_text())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            counted = dict(zip(figures, pool.map(instructions, figures)))
        if os.environ.get('LIMPET_REFRESH_GOLDEN'):
            FIGURES.write_text(json.dumps(counted, indent=2) + '\n')
            return
        for work, figure in figures.items():
            with self.subTest(work):
                ratio = counted[work] / figure
                self.assertLess(abs(ratio - 1), WITHIN, '%s: %d instructions, %.3f of the %d in %s (LIMPET_REFRESH_GOLDEN=1 '
                                'writes it anew)' % (work, counted[work], ratio, figure, FIGURES))


if __name__ == '__main__':
    unittest.main()
