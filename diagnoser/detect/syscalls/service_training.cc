#include "diagnoser/detect/syscalls/service_training.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr double kSaturatedSpreads = 3;  // median absolute deviations

}  // namespace

void ServiceTraining::Observe(std::int64_t second, std::span<const ServiceSample> samples) {
  auto means = means_.Observe(second, samples);
  if (!means.empty()) {
    seconds_.push_back(std::move(means));
  }
}

ServiceTraining::Deviations ServiceTraining::DeviationsWithout(
    const std::set<std::string>& left_out) const {
  Deviations deviations;
  for (const auto& means : seconds_) {
    const auto reference = ReferenceMean(means, left_out);
    if (!reference) {
      continue;
    }
    for (const auto& mean : means) {
      deviations[mean.server].push_back(std::abs(mean.value - *reference));
    }
  }
  return deviations;
}

ServiceThresholds ServiceTraining::Finish() const {
  auto deviations = DeviationsWithout({});
  std::map<std::string, double, std::less<>> medians;
  for (const auto& [server, of_server] : deviations) {
    medians.emplace(server, Median(of_server));
  }
  ServiceThresholds thresholds{.deviations = {}, .saturated = FindSaturated(medians)};
  if (!thresholds.saturated.empty()) {
    auto without = DeviationsWithout(thresholds.saturated);
    // Nobody is left to compare with: better the first reference than none.
    if (without.empty()) {
      thresholds.saturated.clear();
    } else {
      deviations = std::move(without);
    }
  }
  for (const auto& [server, of_server] : deviations) {
    thresholds.deviations.emplace(server, *std::max_element(of_server.begin(), of_server.end()));
  }
  return thresholds;
}

std::set<std::string> FindSaturated(
    const std::map<std::string, double, std::less<>>& median_deviations) {
  std::set<std::string> saturated;
  if (median_deviations.empty()) {
    return saturated;
  }
  std::vector<double> all;
  all.reserve(median_deviations.size());
  for (const auto& [server, deviation] : median_deviations) {
    all.push_back(deviation);
  }
  const double median = Median(all);
  for (double& deviation : all) {
    deviation = std::abs(deviation - median);
  }
  const double spread = Median(std::move(all));
  for (const auto& [server, deviation] : median_deviations) {
    // Where most deviate by the same, any difference would be infinitely many spreads.
    if (spread > 0 && deviation > median + kSaturatedSpreads * spread) {
      saturated.insert(server);
    }
  }
  return saturated;
}

}  // namespace limpet
