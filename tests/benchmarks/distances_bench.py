"""The all-pairs comparison beside scipy's pdist(cityblock), on one matrix, in one run, on one core.

The matrix is what production compares: cumulative histograms of 60 samples over 1,000 bins. Ours
makes every component's degree, the selection included; pdist gives the distances alone, of doubles
(it converts whatever it gets). All by turns; the table shows the least CPU time of each.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

# One thread: read by the libraries when they are loaded.
for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS'):
    os.environ[name] = '1'
import numpy
from scipy.spatial.distance import pdist


def ours(program, names, matrix):
    """CPU milliseconds of the benchmarks by name."""
    text = subprocess.run(
        [program, '--benchmark_format=json', f'--benchmark_filter=^({"|".join(names)})$'],
        env=dict(os.environ, LIMPET_MATRIX=matrix), check=True, capture_output=True).stdout
    return {one['name']: one['cpu_time'] for one in json.loads(text)['benchmarks']}


def compare(title, samples, options):
    """Prints one table."""
    counts = numpy.zeros((options.rows, 1000), dtype=numpy.uint8)
    for row, own in zip(counts, samples):
        numpy.add.at(row, own, 1)
    cumulative = counts.cumsum(axis=1).astype(numpy.uint8)
    doubles = cumulative.astype(numpy.float64)
    best = {}
    with tempfile.NamedTemporaryFile() as file:
        file.write(cumulative.tobytes())
        file.flush()
        for _ in range(options.rounds):
            now = ours(options.program, ['MatrixLimit', 'MatrixDegrees'], file.name)
            begin = time.process_time()
            pdist(doubles, 'cityblock')
            now['pdist'] = (time.process_time() - begin) * 1000
            best = {name: min(value, best.get(name, value)) for name, value in now.items()}
    print(f'{options.rows} rows of 1000 bytes, {title}; least CPU time of {options.rounds} rounds, '
          f'load average {os.getloadavg()[0]:.1f}\n')
    print('| | ms | pdist / this | this / plain loop |\n|---|---|---|---|')
    for name, text in (('pdist', 'scipy pdist(cityblock)'), ('MatrixLimit', 'plain blocked loop'),
                       ('MatrixDegrees', 'all degrees')):
        print(f'| {text} | {best[name]:.1f} | {best["pdist"] / best[name]:.0f} | '
              f'{best[name] / best["MatrixLimit"]:.2f} |')
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default='build/release/benchmarks/distances_bench')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--rows', type=int, default=4608)
    options = parser.parse_args()

    random = numpy.random.default_rng(1)
    shape = (options.rows, 60)
    far = numpy.where(random.random(shape) < 0.001, random.uniform(0, 1000, shape), 500)
    for title, samples in (
            ('one sample in a thousand is far off, which is what makes 1,000 bins',
             random.normal(far, 20)),
            ('every row rises over the whole range: nothing can be left out',
             random.uniform(0, 1000, shape))):
        compare(title, samples.clip(0, 999).astype(int), options)
    return 0


if __name__ == '__main__':
    sys.exit(main())
