#include "diagnoser/detect/syscalls/service_times.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace limpet {
namespace {

constexpr double kMaxDegree = 1e300;

}  // namespace

std::optional<double> ServiceThresholds::Find(std::string_view server) const {
  if (const auto own = deviations.find(server); own != deviations.end()) {
    return own->second;
  }
  const auto largest =
      std::max_element(deviations.begin(), deviations.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return largest == deviations.end() ? std::nullopt : std::optional(largest->second);
}

std::optional<ServiceWindow> ServiceTimes::Observe(std::int64_t second,
                                                   std::span<const ServiceSample> samples) {
  const auto means = means_.Observe(second, samples);
  if (second % kWindow != 0) {
    return std::nullopt;
  }
  // Older windows count no more, also of servers that are silent or gone.
  const auto oldest = second - kWindow * (2 * static_cast<std::int64_t>(k_) - 2);
  for (auto server = recent_.begin(); server != recent_.end();) {
    std::erase_if(server->second, [&](const Entry& entry) { return entry.end < oldest; });
    server = server->second.empty() ? recent_.erase(server) : std::next(server);
  }
  const auto reference = ReferenceMean(means, thresholds_.saturated);
  if (!reference) {
    return std::nullopt;
  }
  ServiceWindow window{.end = second, .reference = *reference, .servers = {}};
  for (const auto& mean : means) {
    window.servers.push_back(Judge(second, mean, *reference));
  }
  return window;
}

ServiceState ServiceTimes::Judge(std::int64_t end, const ServiceMean& mean, double reference) {
  ServiceState state{.server = mean.server,
                     .mean = mean.value,
                     .deviation = std::abs(mean.value - reference),
                     .threshold = thresholds_.Find(mean.server),
                     .own_threshold = thresholds_.deviations.contains(mean.server),
                     .ends = {}};
  state.direction = mean.value > reference   ? Direction::kHigh
                    : mean.value < reference ? Direction::kLow
                                             : Direction::kNone;
  state.anomalous = state.threshold && state.deviation > *state.threshold;
  auto& recent = recent_[mean.server];
  recent.push_back({.end = end, .deviation = state.deviation, .anomalous = state.anomalous});
  std::vector<double> deviations;
  for (const auto& entry : recent) {
    deviations.push_back(entry.deviation);
    if (entry.anomalous) {
      state.ends.push_back(entry.end);
    }
  }
  state.flagged = state.ends.size() >= k_;
  if (state.threshold && deviations.size() >= k_) {
    const auto place = deviations.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(deviations.begin(), place, deviations.end(), std::greater<>());
    // A server that never deviated in training is over its threshold by any factor.
    state.degree =
        *state.threshold > 0 ? *place / *state.threshold : (*place > 0 ? kMaxDegree : 0.0);
  }
  return state;
}

}  // namespace limpet
