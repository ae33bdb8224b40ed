#include "diagnoser/view/peer_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {
namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

std::vector<float> ToFloats(std::span<const double> samples) {
  std::vector<float> floats;
  floats.reserve(samples.size());
  constexpr auto kMax = static_cast<double>(std::numeric_limits<float>::max());
  for (const double sample : samples) {
    floats.push_back(IsMissing(sample) ? kNothing
                                       : static_cast<float>(std::clamp(sample, -kMax, kMax)));
  }
  return floats;
}

// Nearest rank; reorders.
float Quantile(std::vector<float>& values, double q) {
  const auto rank =
      std::min(values.size() - 1, static_cast<std::size_t>(q * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void FillBand(const std::vector<std::vector<float>>& peers, std::size_t steps, PeerBand& band) {
  std::vector<float> row;
  for (std::size_t step = 0; step < steps; ++step) {
    row.clear();
    for (const auto& peer : peers) {
      if (!std::isnan(peer[step])) {
        row.push_back(peer[step]);
      }
    }
    band.low.push_back(row.empty() ? kNothing : Quantile(row, 0.1));
    band.median.push_back(row.empty() ? kNothing : Quantile(row, 0.5));
    band.high.push_back(row.empty() ? kNothing : Quantile(row, 0.9));
  }
}

using Range = std::pair<float, float>;

void Widen(const std::vector<float>& samples, Range& range) {
  for (const float sample : samples) {
    if (!std::isnan(sample)) {
      range = {std::min(range.first, sample), std::max(range.second, sample)};
    }
  }
}

void Count(const std::vector<float>& samples, const Range& range, std::vector<float>& bins) {
  const float width = (range.second - range.first) / static_cast<float>(bins.size());
  for (const float sample : samples) {
    if (!std::isnan(sample)) {
      const auto bin = static_cast<std::size_t>((sample - range.first) / width);
      bins[std::min(bin, bins.size() - 1)] += 1;
    }
  }
}

void ToShares(std::vector<float>& bins) {
  float sum = 0;
  for (const float count : bins) {
    sum += count;
  }
  for (float& count : bins) {
    count = sum > 0 ? count / sum : 0;
  }
}

void FillDistributions(const std::vector<std::vector<float>>& peers, PeerBand& band) {
  Range range{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
  for (const auto& peer : peers) {
    Widen(peer, range);
  }
  for (const auto& own : band.own) {
    Widen(own.samples, range);
  }
  if (range.first > range.second) {
    return;  // no samples at all
  }
  if (range.second - range.first < 1e-6F * std::max(1.0F, std::fabs(range.first))) {
    range.second = range.first + std::max(1.0F, std::fabs(range.first) * 0.01F);
  }
  for (std::size_t i = 0; i <= PeerBand::kBins; ++i) {
    band.edges.push_back(range.first + (range.second - range.first) * static_cast<float>(i) /
                                           static_cast<float>(PeerBand::kBins));
  }
  band.peer_shares.assign(PeerBand::kBins, 0);
  for (const auto& peer : peers) {
    Count(peer, range, band.peer_shares);
  }
  ToShares(band.peer_shares);
  for (auto& own : band.own) {
    own.shares.assign(PeerBand::kBins, 0);
    Count(own.samples, range, own.shares);
    ToShares(own.shares);
  }
}

}  // namespace

std::size_t PeerBand::Bytes() const {
  std::size_t bytes = sizeof(PeerBand) + preset.size() + group.size() + metric.size() +
                      sizeof(float) * (median.size() + low.size() + high.size() + edges.size() +
                                       peer_shares.size());
  for (const auto& one : own) {
    bytes += sizeof(Own) + one.component.size() +
             sizeof(float) * (one.samples.size() + one.shares.size());
  }
  return bytes;
}

PeerBand MakePeerBand(const BandRequest& request, GroupKind kind, std::size_t metric,
                      const GroupMembers& members, const PresetSettings& preset,
                      const Readings& readings, std::size_t grid) {
  PeerBand band{.preset = request.preset,
                .group = request.group,
                .metric = request.metric,
                .end = request.end,
                .step = preset.step};
  const auto& wanted = request.components;
  const auto stride = members.members.size() / PeerBand::kMaxPeers + 1;
  std::vector<std::vector<float>> peers;
  for (std::size_t i = 0; i < members.members.size(); ++i) {
    const auto& member = members.members[i];
    const bool own = std::find(wanted.begin(), wanted.end(), member.name) != wanted.end();
    if (!own && i % stride != 0) {
      continue;
    }
    const auto all = AlignedWindow(kind, readings, member, request.end, preset.Shape(), grid);
    auto samples = ToFloats(all.Of(metric));
    if (own) {
      band.own.push_back({.component = member.name, .samples = std::move(samples), .shares = {}});
    } else {
      peers.push_back(std::move(samples));
    }
  }
  FillBand(peers, preset.window, band);
  FillDistributions(peers, band);
  return band;
}

}  // namespace limpet
