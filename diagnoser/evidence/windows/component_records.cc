#include "diagnoser/evidence/windows/component_records.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/persistence.h"

namespace limpet {
namespace {

// What the windows of one side say; the others count as windows without a difference.
std::vector<FilterEntry> SelectSide(std::vector<FilterEntry> recent, bool low) {
  for (auto& entry : recent) {
    if ((entry.degree < 0) != low) {
      entry.degree = 0;
      entry.anomalous = false;
    }
    entry.degree = std::abs(entry.degree);
  }
  return recent;
}

const std::string& GetName(const Member& member) { return member.name; }
const std::string& GetName(const std::string& name) { return name; }

}  // namespace

Evidence EvidenceOf(const ComponentWindow& component, const MetricRecord& record, UnixTime end) {
  return {.component = component.component,
          .degree = record.degree,
          .s = component.s,
          .threshold = component.threshold,
          .direction = component.direction,
          .effect = component.effect,
          .mean = component.mean,
          .peer_median = component.peer_median,
          .windows = AnomalousEnds(record.recent),
          .onset = record.onset,
          .accumulator = record.accumulator,
          .episodes = EpisodesOfDay(record.episodes, end)};
}

ComponentRecord& ComponentRecords::Find(const Member& member) {
  auto& component = records_[member.name];
  // A record that was restored by its name alone learns the rest here.
  component.node = member.node;
  component.device = member.device;
  return component;
}

MetricRecord& ComponentRecords::Filter(ComponentRecord& component, std::string_view metric,
                                       JudgeMode mode, const FilterEntry& now, double threshold,
                                       Sides sides) const {
  auto found = component.metrics.find(metric);
  if (found == component.metrics.end()) {
    found = component.metrics.emplace(metric, MetricRecord()).first;
  }
  auto& record = found->second;
  const auto shift = preset_->Shift();
  if (mode == JudgeMode::kJudge) {
    record.recent = Remember(std::move(record.recent), now, preset_->k, shift);
    if (std::ranges::none_of(record.recent, &FilterEntry::anomalous)) {
      record.onset.reset();
    }
  } else if (record.recent.empty() || record.recent.back().end != now.end) {
    return record;  // a window that the saved state does not know must not be counted now
  }
  record.low = sides == Sides::kTwo && IsFlagged(SelectSide(record.recent, true), preset_->k);
  const auto side =
      sides == Sides::kTwo ? std::optional(SelectSide(record.recent, record.low)) : std::nullopt;
  const auto& recent = side ? *side : record.recent;
  record.flagged = IsFlagged(recent, preset_->k);
  // Degrees of different metrics are ranked together, so each is given in units of its threshold.
  record.degree = std::min(KthDegree(recent, preset_->k) / threshold, kMaxDegree);
  if (mode == JudgeMode::kJudge) {
    if (record.flagged) {
      record.episodes = RecordFlagged(std::move(record.episodes), now.end, preset_->k, shift);
    }
    record.accumulator = Accumulate(record.accumulator, record.flagged);
  }
  return record;
}

bool ComponentRecords::WasAnomalous(std::string_view metric, std::string_view component) const {
  const auto record = records_.find(component);
  if (record == records_.end()) {
    return false;
  }
  const auto found = record->second.metrics.find(metric);
  return found != record->second.metrics.end() &&
         std::any_of(found->second.recent.begin(), found->second.recent.end(),
                     [](const FilterEntry& entry) { return entry.anomalous; });
}

void ComponentRecords::ClearFlags() {
  for (auto& [name, record] : records_) {
    for (auto& [metric, state] : record.metrics) {
      state.flagged = false;
      state.degree = 0;
      state.effect.reset();
    }
  }
}

void ComponentRecords::ExportTo(const std::string& group,
                                std::vector<ComponentState>& components) const {
  for (const auto& [name, record] : records_) {
    for (const auto& [metric, of] : record.metrics) {
      components.push_back({.preset = preset_->name,
                            .group = group,
                            .metric = metric,
                            .component = name,
                            .accumulator = of.accumulator,
                            .recent = of.recent,
                            .episodes = of.episodes,
                            .onset = of.onset});
    }
  }
}

void ComponentRecords::Restore(const ComponentState& state, bool per_device) {
  auto& record = records_[state.component];
  // States keep the name alone. A node's name holds no slash; a device's may (cciss/c0d0).
  const auto slash = per_device ? state.component.find('/') : std::string::npos;
  record.node = state.component.substr(0, slash);
  record.device = slash == std::string::npos ? "" : state.component.substr(slash + 1);
  auto& metric = record.metrics[state.metric];
  metric.accumulator = state.accumulator;
  metric.recent = state.recent;
  metric.episodes = state.episodes;
  metric.onset = state.onset;
}

void ComponentRecords::KeepOnly(const GroupMembers& members) {
  std::erase_if(records_, [&](const auto& record) {
    return !std::binary_search(
        members.members.begin(), members.members.end(), record.first,
        [](const auto& a, const auto& b) { return GetName(a) < GetName(b); });
  });
}

void ComponentRecords::ForgetGone(const IsGone& is_gone, UnixTime before) {
  std::erase_if(records_, [&](const auto& entry) {
    const auto& [name, record] = entry;
    const bool is_old = std::all_of(record.metrics.begin(), record.metrics.end(), [&](auto& one) {
      const auto& recent = one.second.recent;
      return recent.empty() || recent.back().end < before;
    });
    return is_old && is_gone(record.node, name);
  });
}

void ComponentRecords::ForgetNode(std::string_view node) {
  std::erase_if(records_, [&](const auto& record) { return record.second.node == node; });
}

}  // namespace limpet
