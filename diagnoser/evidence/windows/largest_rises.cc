#include "diagnoser/evidence/windows/largest_rises.h"

namespace limpet {
namespace {

// A fault loses a part of its degree, too: its own largest seconds.
constexpr double kMostOfIt = 0.5;

}  // namespace

std::vector<bool> FindDoubted(const GroupSamples& group, const GroupWindow& compared,
                              const std::function<ThresholdOf(const MetricRow&)>& thresholds) {
  std::vector<bool> doubted;
  for (const auto& window : compared.windows) {
    const auto threshold = thresholds(group.metrics[window.metric]);
    const auto& degrees = window.comparison.degree;
    for (std::size_t place = 0; place < degrees.size(); ++place) {
      const auto member = window.who[place];
      if (degrees[place] > threshold(group.members[member].name)) {
        doubted.resize(group.members.size());
        doubted[member] = true;
      }
    }
  }
  return doubted;
}

void LowerDegrees(const std::vector<bool>& doubted, const GroupWindow& level,
                  GroupWindow& compared) {
  for (auto& window : compared.windows) {
    auto& comparison = window.comparison;
    for (std::size_t place = 0; place < comparison.degree.size(); ++place) {
      const auto member = window.who[place];
      const auto found = doubted[member] ? level.Find(window.metric, member) : GroupWindow::Found();
      if (found.comparison == nullptr || found.comparison->undetermined) {
        continue;
      }
      const bool same_side =
          found.comparison->direction[found.component] == comparison.direction[place];
      const double left = same_side ? found.comparison->degree[found.component] : 0;
      auto& degree = comparison.degree[place];
      degree = left >= kMostOfIt * degree ? degree : left;
    }
  }
}

}  // namespace limpet
