#include "diagnoser/series/repeats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "diagnoser/metrics/missing.h"

namespace limpet {
namespace {

constexpr double kLeastShare = 0.92;
constexpr double kMostShare = 1.02;
constexpr double kEqualShare = 0.015;
constexpr double kStepsSteady = 0.9;
constexpr std::size_t kMinSteps = 5;
// A direction with less than this part of the other one is acknowledgments and requests, most of
// whose bytes are headers.
constexpr double kMinor = 0.1;
constexpr double kLeastMinorShare = 0.4;
constexpr std::size_t kMaxTogether = 6;

using Steps = std::vector<double>;

double Total(const Steps& steps) {
  double total = 0;
  for (const double step : steps) {
    total += IsMissing(step) ? 0 : step;
  }
  return total;
}

// One device or several added up.
struct Flow {
  Steps in;
  Steps out;
  double in_total = 0;
  double out_total = 0;

  [[nodiscard]] double Larger() const { return std::max(in_total, out_total); }
};

Flow FlowOf(const DeviceBytes& device) {
  return {.in = device.in,
          .out = device.out,
          .in_total = Total(device.in),
          .out_total = Total(device.out)};
}

void Add(const Flow& more, Flow& sum) {
  for (std::size_t i = 0; i < sum.in.size(); ++i) {
    sum.in[i] += more.in[i];
    sum.out[i] += more.out[i];
  }
  sum.in_total += more.in_total;
  sum.out_total += more.out_total;
}

bool IsSteady(const Steps& upper, const Steps& lower, double share) {
  std::size_t known = 0;
  std::size_t steady = 0;
  for (std::size_t i = 0; i < upper.size(); ++i) {
    if (IsMissing(upper[i] + lower[i])) {
      continue;
    }
    ++known;
    steady += std::abs(upper[i] - share * lower[i]) <= kEqualShare * lower[i] ? 1U : 0U;
  }
  return known >= kMinSteps &&
         static_cast<double>(steady) >= kStepsSteady * static_cast<double>(known);
}

bool Carries(const Steps& upper, const Steps& lower, double upper_total, double lower_total,
             double larger) {
  const double share = lower_total > 0 ? upper_total / lower_total : upper_total > 0 ? 2 : 1;
  if (std::max(upper_total, lower_total) < kMinor * larger) {
    return share >= kLeastMinorShare && share <= 1 / kLeastMinorShare;
  }
  return share >= kLeastShare && share <= kMostShare && IsSteady(upper, lower, share);
}

bool Carries(const Flow& upper, const Flow& lower) {
  return Carries(upper.in, lower.in, upper.in_total, lower.in_total, lower.Larger()) &&
         Carries(upper.out, lower.out, upper.out_total, lower.out_total, lower.Larger());
}

struct Candidate {
  Flow flow;
  bool doubtful = false;
};

// Whether some of the candidates together are what the upper one carries.
bool IsSum(const Flow& upper, std::span<const Candidate> candidates) {
  // Two mirrored disks write the same: of two that are both in doubt, both directions must agree.
  const bool one_way = std::min(upper.in_total, upper.out_total) <= 0;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << candidates.size(); ++chosen) {
    Flow sum;
    std::size_t count = 0;
    bool doubtful = false;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if ((chosen >> i & 1U) == 0) {
        continue;
      }
      if (count++ == 0) {
        sum = candidates[i].flow;
      } else {
        Add(candidates[i].flow, sum);
      }
      doubtful = doubtful || candidates[i].doubtful;
    }
    if (Carries(upper, sum) && !(count == 1 && doubtful && one_way)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<bool> FindRepeats(std::span<const DeviceBytes> devices) {
  std::vector<Flow> flows;
  std::vector<std::size_t> in_doubt;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    flows.push_back(FlowOf(devices[i]));
    if (devices[i].doubtful && flows[i].Larger() > 0) {
      in_doubt.push_back(i);
    }
  }
  // What lies on top carries most.
  std::ranges::stable_sort(in_doubt, std::greater(),
                           [&](std::size_t i) { return flows[i].Larger(); });
  std::vector<bool> repeats(devices.size());
  for (const auto upper : in_doubt) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const double larger = flows[i].Larger();
      if (i != upper && !repeats[i] && larger > (1 - kLeastShare) / 2 * flows[upper].Larger() &&
          larger * kLeastShare <= flows[upper].Larger()) {
        candidates.push_back({.flow = flows[i], .doubtful = devices[i].doubtful});
      }
    }
    std::ranges::stable_sort(candidates, std::greater(),
                             [](const Candidate& one) { return one.flow.Larger(); });
    candidates.resize(std::min(candidates.size(), kMaxTogether));
    repeats[upper] = IsSum(flows[upper], candidates);
  }
  return repeats;
}

}  // namespace limpet
