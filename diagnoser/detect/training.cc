#include "diagnoser/detect/training.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr double kRounding = 1e-9;  // 0.7 seen as 0.7000000000000001 is not the next tenth

// The k-th largest, or the least of fewer.
double KthLargest(std::vector<double> degrees, std::size_t k) {
  const auto place = static_cast<std::ptrdiff_t>(std::min(k, degrees.size()) - 1);
  std::nth_element(degrees.begin(), degrees.begin() + place, degrees.end(), std::greater<>());
  return degrees[static_cast<std::size_t>(place)];
}

// A threshold under one tenth, or under 1, would flag what the least rounding does.
double Uncapped(double seen, const TrainingRule& rule) {
  if (!rule.in_tenths) {
    return std::max(1.0, rule.scale * seen);
  }
  return rule.scale * std::max(1.0, std::ceil(10 * seen - kRounding)) / 10;
}

}  // namespace

void TrainingRun::Add(std::int64_t window, double degree, std::size_t k) {
  const auto length = 2 * static_cast<std::int64_t>(k) - 1;
  const auto is_old = [&](const Window& one) { return one.time <= window - length; };
  recent_.push_back({window, degree});
  ++windows_;
  std::vector<double> run;  // what is absent counts as 0, which the k-th of fewer than k is
  for (const auto& one : recent_) {
    if (!is_old(one)) {
      run.push_back(one.degree);
    }
  }
  if (run.size() >= k) {
    most_ = std::max(most_, KthLargest(std::move(run), k));
  }
  // Until there is a whole run all windows are kept, for a short training is judged by all it has.
  if (windows_ >= static_cast<std::uint64_t>(length)) {
    std::erase_if(recent_, is_old);
  }
}

std::optional<double> TrainingRun::Degree(std::size_t k) const {
  if (windows_ == 0) {
    return std::nullopt;
  }
  if (windows_ >= 2 * k - 1) {
    return most_;
  }
  std::vector<double> all;
  for (const auto& one : recent_) {
    all.push_back(one.degree);
  }
  return KthLargest(std::move(all), windows_ < k ? 1 : k);
}

std::map<std::string, TrainedThreshold, std::less<>> TrainThresholds(
    const std::map<std::string, std::optional<double>, std::less<>>& seen,
    const TrainingRule& rule) {
  std::map<std::string, TrainedThreshold, std::less<>> trained;
  std::vector<double> thresholds;
  for (const auto& [component, degree] : seen) {
    if (degree) {
      trained[component].threshold = Uncapped(*degree, rule);
      thresholds.push_back(trained[component].threshold);
    }
  }
  if (thresholds.empty()) {
    return trained;
  }
  if (rule.deviant_as_group) {
    // The sick are few, so the median is that of the healthy.
    const double group = Median(thresholds);
    thresholds.clear();
    for (auto& [component, one] : trained) {
      one.deviant = *seen.at(component) > group;
      one.threshold = one.deviant ? group : one.threshold;
      thresholds.push_back(one.threshold);
    }
  }
  if (rule.cap > 0) {
    // Without a natural scale only the peers can say what is too much.
    const double most = rule.in_tenths ? rule.cap * Median(thresholds) : rule.cap;
    thresholds.clear();
    for (auto& [component, one] : trained) {
      // 3 is within 3 medians, but a w1 degree that asks for the cap has got there.
      one.capped =
          !one.deviant && (one.threshold > most || (!rule.in_tenths && one.threshold == most));
      one.threshold = std::min(one.threshold, most);
      thresholds.push_back(one.threshold);
    }
  }
  const double median = Median(std::move(thresholds));
  for (const auto& [component, degree] : seen) {
    auto& one = trained[component];
    if (!degree) {
      one = {.threshold = median, .median = true};
    }
    // A threshold that nothing can exceed is not caution but blindness; people must be told.
    one.blind = rule.largest && one.threshold >= *rule.largest;
  }
  return trained;
}

// Rounded down: f times the median must stay under all that was seen.
double TrainCwndF(double least) {
  const double hundredths = std::floor(100 * least + kRounding) / 100;
  return std::clamp(hundredths, kMinCwndF, kMaxCwndF);
}

}  // namespace limpet
