#include "diagnoser/detect/profile/jsd.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace limpet {
namespace {

// f(x) in nats. Below kSmall the linear terms would cancel; two terms of the series are exact
// there.
double PairEntropy(double x) {
  constexpr double kSmall = 1e-3;
  const double squared = x * x;
  if (squared < kSmall * kSmall) {
    return squared * (1 + squared * (1.0 / 6 + squared / 15));
  }
  if (squared >= 1) {
    return 2 * std::numbers::ln2;
  }
  return (1 + x) * std::log1p(x) + (1 - x) * std::log1p(-x);
}

// JSD in bits of hosts p and q, whose shares lie `stride` apart.
double Divergence(const double* p, const double* q, std::size_t bins, std::size_t stride) {
  double sum = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const double a = p[bin * stride];
    const double b = q[bin * stride];
    // A bin that neither has adds nothing; 0 / 0 would.
    if (a + b > 0) {
      sum += (a + b) * PairEntropy((a - b) / (a + b));
    }
  }
  return std::min(1.0, sum / (4 * std::numbers::ln2));
}

// JSD in bits lies between these times the triangular discrimination; a little wider, so that
// rounding cannot close the bracket on the wrong side.
constexpr double kMin = 0.25 / std::numbers::ln2 * (1 - 1e-12);
constexpr double kMax = 0.5 * (1 + 1e-12);

using Row = Eigen::Array<double, Eigen::Dynamic, 1>;

// Triangular discrimination of one host to all.
void Discriminate(const HistogramTable& table, std::size_t host, Row& row) {
  const auto n = static_cast<Eigen::Index>(table.hosts);
  constexpr double kNoBin = 1e-300;  // 0 / kNoBin: a bin that neither has
  row.setZero();
  for (std::size_t bin = 0; bin < table.bins; ++bin) {
    const Eigen::Map<const Row> all(table.share.data() + bin * table.hosts, n);
    const double own = table.share[bin * table.hosts + host];
    row += (all - own).square() / (all + (own + kNoBin));
  }
  for (std::size_t other = 0; other < table.hosts; ++other) {
    if (table.ready[other] == 0) {
      row[static_cast<Eigen::Index>(other)] = 0;
    }
  }
}

}  // namespace

double JsdDistance(std::span<const double> p, std::span<const double> q) {
  return std::sqrt(Divergence(p.data(), q.data(), std::min(p.size(), q.size()), 1));
}

std::vector<double> HistogramTable::Of(std::size_t host) const {
  std::vector<double> shares(bins);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    shares[bin] = share[bin * hosts + host];
  }
  return shares;
}

std::vector<double> MajorityDistances(const HistogramTable& table) {
  const auto n = table.hosts;
  std::vector<double> result(n, 0.0);
  if (n < 2) {
    return result;
  }
  const auto place = static_cast<std::ptrdiff_t>((n - 1) / 2);  // of the m-th largest, from 0
  Row row(static_cast<Eigen::Index>(n));
  std::vector<double> order(n);
  std::vector<double> open;
  for (std::size_t host = 0; host < n; ++host) {
    if (table.ready[host] == 0) {
      continue;
    }
    Discriminate(table, host, row);  // the host itself is 0: last, beyond the m-th
    std::copy(row.begin(), row.end(), order.begin());
    std::nth_element(order.begin(), order.begin() + place, order.end(), std::greater<>());
    const double middle = order[static_cast<std::size_t>(place)];
    if (middle == 0) {
      continue;
    }
    // The m-th largest divergence is in [kMin, kMax] * middle: whoever surely lies above counts,
    // whoever surely lies below does not matter, the others are computed.
    std::ptrdiff_t above = 0;
    open.clear();
    for (std::size_t other = 0; other < n; ++other) {
      const double one = row[static_cast<Eigen::Index>(other)];
      if (kMin * one > kMax * middle) {
        ++above;
      } else if (kMax * one >= kMin * middle) {
        open.push_back(
            Divergence(table.share.data() + host, table.share.data() + other, table.bins, n));
      }
    }
    const auto wanted = open.begin() + (place - above);
    std::nth_element(open.begin(), wanted, open.end(), std::greater<>());
    result[host] = std::sqrt(*wanted);
  }
  return result;
}

}  // namespace limpet
