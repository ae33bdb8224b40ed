#include "diagnoser/incidents/proposals.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace limpet {
namespace {

// Up to two digits that are over the value.
double RoundedUp(double value) {
  const auto digit = std::pow(10.0, 1 - std::floor(std::log10(value)));
  const auto rounded = std::ceil(value * digit) / digit;
  return rounded > value ? rounded : (std::ceil(value * digit) + 1) / digit;
}

// All evidence that there is lies under the floor.
bool Vanishes(const LabelledIncident& incident, const std::string& metric, double floor) {
  return !incident.other_evidence && !incident.differences.empty() &&
         std::ranges::all_of(incident.differences, [&](const auto& one) {
           return one.metric == metric && one.value < floor;
         });
}

std::size_t CountVanishing(std::span<const LabelledIncident> incidents, bool faults,
                           const std::string& metric, double floor) {
  return static_cast<std::size_t>(std::ranges::count_if(incidents, [&](const auto& one) {
    return one.fault == faults && Vanishes(one, metric, floor);
  }));
}

}  // namespace

std::vector<FloorProposal> ProposeFloors(std::span<const LabelledIncident> incidents) {
  std::set<std::pair<std::string, double>> candidates;
  for (const auto& incident : incidents) {
    for (const auto& one : incident.differences) {
      if (!incident.fault && one.value > 0 && std::isfinite(one.value)) {
        candidates.emplace(one.metric, RoundedUp(one.value));
      }
    }
  }
  const auto faults = static_cast<std::size_t>(
      std::ranges::count_if(incidents, [](const auto& one) { return one.fault; }));
  std::vector<FloorProposal> proposals;
  for (const auto& [metric, floor] : candidates) {
    const auto gone = CountVanishing(incidents, false, metric, floor);
    if (gone == 0 || CountVanishing(incidents, true, metric, floor) > 0) {
      continue;
    }
    // Candidates of a metric come in rising order, so the first that takes as many is the lowest.
    if (proposals.empty() || proposals.back().metric != metric) {
      proposals.push_back({.metric = metric});
    }
    if (auto& best = proposals.back(); gone > best.gone) {
      best = {metric, floor, gone, incidents.size() - faults, faults};
    }
  }
  std::ranges::stable_sort(proposals, std::ranges::greater(), &FloorProposal::gone);
  return proposals;
}

}  // namespace limpet
