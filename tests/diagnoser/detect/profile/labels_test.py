"""Labels and distances of a model against Debian's scikit-learn and scipy.

usage: labels_test.py PROFILE-LABELS. Exits with 77 (skipped) where they are not installed
(python3-sklearn, python3-scipy).
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from scipy.spatial.distance import mahalanobis
    from scipy.stats import chi2, multivariate_normal
    from sklearn.mixture import GaussianMixture
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

METRICS = ("user system iowait ctxt runq-sz plist-sz ldavg-1 eth-rxbyt eth-txbyt pgpgin pgpgout "
           "fault bread bwrtn").split()
PROFILES = 6
POINTS = 4000


def write_model(path, sigma, means, covariances):
    rows = lambda matrix: "[" + ", ".join(number_list(row) for row in matrix) + "]"
    number_list = lambda row: "[" + ", ".join(repr(float(x)) for x in row) + "]"
    with open(path, "w", encoding="ascii") as out:
        out.write(f"version: 1\nmetrics: [{', '.join(METRICS)}]\nsigma: {number_list(sigma)}\n")
        out.write("profiles:\n")
        for mean, covariance in zip(means, covariances):
            out.write(f"  - {{mean: {number_list(mean)}, covariance: {rows(covariance)}}}\n")


def main():
    random = np.random.default_rng(11)
    dimensions = len(METRICS)
    sigma = random.uniform(0.3, 4, dimensions)
    # Activities with correlated metrics; logarithms are what is Gaussian.
    centres = random.uniform(0, 6, (PROFILES, dimensions))
    mixing = random.normal(0, 0.35, (PROFILES, dimensions, dimensions))
    which = random.integers(0, PROFILES, POINTS)
    noise = random.normal(0, 1, (POINTS, dimensions))
    x = np.maximum(0, centres[which] + np.einsum("nij,nj->ni", mixing[which], noise))
    x[::50] += random.uniform(3, 9, (len(x[::50]), dimensions))  # what no profile knows
    samples = np.expm1(x * sigma)
    x = np.log(samples + 1) / sigma  # with the digits that the samples have

    mixture = GaussianMixture(PROFILES, covariance_type="full", reg_covar=1e-3, random_state=1)
    mixture.fit(x)
    means, covariances = mixture.means_, mixture.covariances_
    covariances = (covariances + covariances.transpose(0, 2, 1)) / 2

    # Equal priors: the likeliest density alone.
    mixture.weights_ = np.full(PROFILES, 1 / PROFILES)
    by_sklearn = mixture.predict(x)
    density = np.array([multivariate_normal(m, c).logpdf(x) for m, c in zip(means, covariances)])
    by_scipy = density.argmax(axis=0)
    inverses = [np.linalg.inv(c) for c in covariances]
    distance = np.array([mahalanobis(p, means[k], inverses[k]) for p, k in zip(x, by_scipy)])
    limit = np.sqrt(chi2.ppf(0.999, dimensions))
    expected = np.where(distance > limit, PROFILES, by_scipy) + 1

    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.yml")
        write_model(model, sigma, means, covariances)
        csv = os.path.join(folder, "samples.csv")
        with open(csv, "w", encoding="ascii") as out:
            for row in samples:
                out.write(",".join(repr(float(value)) for value in row) + "\n")
        result = subprocess.run([sys.argv[1], model, csv], check=True, capture_output=True,
                                text=True)
    lines = [line.split() for line in result.stdout.splitlines()]
    assert len(lines) == POINTS, len(lines)
    labels = np.array([int(line[0]) for line in lines])
    found = np.array([float(line[1]) for line in lines])
    assert (by_sklearn == by_scipy).all(), "scikit-learn and scipy differ"
    assert (labels == expected).all(), f"{(labels != expected).sum()} labels differ"
    assert np.allclose(found, distance, rtol=1e-9, atol=1e-9), "distances differ"
    unknown = (labels == PROFILES + 1).sum()
    assert 0 < unknown < POINTS / 4, unknown
    print(f"{POINTS} labels alike, {unknown} of them unknown")


if __name__ == "__main__":
    main()
