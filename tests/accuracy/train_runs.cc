#include "tests/accuracy/train_runs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

namespace limpet::accuracy {
namespace {

constexpr double kScale = 2;

double KthLargest(std::vector<double> values, std::size_t k) {
  std::sort(values.begin(), values.end(), std::greater<>());
  if (values.empty()) {
    return 0;
  }
  return values.size() < k ? values.front() : values[k - 1];
}

}  // namespace

void Trainer::Add(const Event& event) {
  if (const auto* window = std::get_if<WindowEvent>(&event)) {
    if (window->preset != preset_.name || window->undetermined) {
      return;
    }
    for (const auto& component : window->components) {
      run_[{window->group, window->metric, component.component}][window->end] =
          component.window_degree.value_or(component.s.value_or(0));
    }
  } else if (const auto* cwnd = std::get_if<CwndEvent>(&event)) {
    if (!cwnd->median || *cwnd->median <= 0) {
      return;
    }
    auto& least = least_ratio_.try_emplace({cwnd->group, cwnd->metric}, 1e9).first->second;
    for (const auto& server : cwnd->components) {
      least = std::min(least, server.log / *cwnd->median);
    }
  }
}

void Trainer::EndRun() {
  const auto shift = preset_.step * static_cast<Duration::rep>(preset_.shift);
  const auto span = static_cast<Duration::rep>(2 * preset_.k - 1);
  for (const auto& [name, windows] : run_) {
    auto& most = most_[name];
    if (windows.size() < 2 * preset_.k - 1) {
      std::vector<double> all;
      std::transform(windows.begin(), windows.end(), std::back_inserter(all),
                     [](const auto& one) { return one.second; });
      most = std::max(most, KthLargest(std::move(all), preset_.k));
      continue;
    }
    for (auto first = windows.begin(); first != windows.end(); ++first) {
      std::vector<double> some(static_cast<std::size_t>(span), 0.0);
      std::size_t count = 0;
      for (auto it = first; it != windows.end() && it->first < first->first + span * shift; ++it) {
        some[count++] = it->second;
      }
      most = std::max(most, KthLargest(std::move(some), preset_.k));
    }
  }
  run_.clear();
}

void Trainer::Merge(const Trainer& other) {
  for (const auto& [name, most] : other.most_) {
    auto& own = most_[name];
    own = std::max(own, most);
  }
  for (const auto& [side, ratio] : other.least_ratio_) {
    auto& own = least_ratio_.try_emplace(side, ratio).first->second;
    own = std::min(own, ratio);
  }
}

Thresholds Trainer::Result() const {
  Thresholds thresholds{.preset = preset_.name, .components = {}, .cwnd = {}};
  for (const auto& [name, most] : most_) {
    const auto& [group, metric, component] = name;
    const double q = std::max(1.0, std::ceil(10 * most - 1e-9));
    thresholds.components[group][metric][component] = kScale * q / 10;
  }
  for (const auto& [side, ratio] : least_ratio_) {
    thresholds.cwnd[side.first][side.second] =
        std::clamp(std::floor(100 * ratio + 1e-9) / 100, 0.05, 0.95);
  }
  return thresholds;
}

}  // namespace limpet::accuracy
