#include "diagnoser/detect/syscalls/service_means.h"

#include <algorithm>
#include <utility>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kMinOfMeans = 3;
constexpr std::size_t kMinInReference = 2;

}  // namespace

std::vector<ServiceMean> ServiceMeans::Observe(std::int64_t second,
                                               std::span<const ServiceSample> samples) {
  const auto oldest = second - static_cast<std::int64_t>(kSeconds) + 1;
  for (const auto& sample : samples) {
    auto found = servers_.find(sample.server);
    if (found == servers_.end()) {
      found = servers_.emplace(std::string(sample.server), std::deque<Recent>()).first;
    }
    found->second.push_back({.second = second, .value = sample.value});
  }
  std::vector<ServiceMean> means;
  for (auto server = servers_.begin(); server != servers_.end();) {
    auto& recent = server->second;
    std::erase_if(recent, [&](const Recent& one) { return one.second < oldest; });
    // Nothing is left to take a mean of: a server that is gone must not stay for ever.
    if (recent.empty()) {
      server = servers_.erase(server);
      continue;
    }
    if (recent.back().second == second) {
      double sum = 0;
      // Added up afresh each time: a running sum would collect rounding errors.
      for (const auto& one : recent) {
        sum += one.value;
      }
      means.push_back({.server = server->first, .value = sum / static_cast<double>(recent.size())});
    }
    ++server;
  }
  return means;
}

std::optional<double> ReferenceMean(std::span<const ServiceMean> means,
                                    const std::set<std::string>& left_out) {
  std::vector<double> values;
  for (const auto& mean : means) {
    if (!left_out.contains(mean.server)) {
      values.push_back(mean.value);
    }
  }
  if (means.size() < kMinOfMeans || values.size() < kMinInReference) {
    return std::nullopt;
  }
  return Median(std::move(values));
}

}  // namespace limpet
