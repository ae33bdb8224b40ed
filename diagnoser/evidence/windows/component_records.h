// component_records.h: what is remembered of the components of one peer group under one preset:
// filters, accumulators, flags.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/evidence/windows/component_state.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/verdict/evidence.h"
#include "diagnoser/verdict/filter.h"

namespace limpet {

// The memory of one component and metric, and what the last closed window said.
struct MetricRecord {
  std::vector<FilterEntry> recent;
  std::uint32_t accumulator = 0;
  bool flagged = false;
  double degree = 0;  // filtered
  bool low = false;   // of metrics with two meanings: flagged for being low
  std::optional<double> effect;
  std::optional<UnixTime> onset;  // of the anomalous windows in `recent`, where it is known
  Episodes episodes;
};
struct ComponentRecord {
  std::string node;
  std::string device;
  std::map<std::string, MetricRecord, std::less<>> metrics;
};

// Returns what a window and the record of its filter say of a flagged component. The group, the
// metric and its peers are left to the caller.
[[nodiscard]] Evidence EvidenceOf(const ComponentWindow& component, const MetricRecord& record,
                                  UnixTime end);

// Tells whether a component ("node/device") of a node is not there any more.
using IsGone = std::function<bool(const std::string& node, const std::string& component)>;

// Two: high and low mean different things (a byte balance). A degree under 0 is then one of the low
// side, and only windows of the same side make a flag together.
enum class Sides { kOne, kTwo };

// Recall: the window was closed before; filters and accumulators know it already.
enum class JudgeMode { kJudge, kRecall };

class ComponentRecords {
 public:
  using ByName = std::map<std::string, ComponentRecord, std::less<>>;

  // `preset` must outlive the records.
  explicit ComponentRecords(const PresetSettings& preset) : preset_(&preset) {}

  [[nodiscard]] const ByName& All() const { return records_; }
  // Added when it is new. Valid until it is forgotten.
  [[nodiscard]] ComponentRecord& Find(const Member& member);
  // Passes a window through the filter; `threshold` is what its degree was held against.
  MetricRecord& Filter(ComponentRecord& component, std::string_view metric, JudgeMode mode,
                       const FilterEntry& now, double threshold, Sides sides = Sides::kOne) const;
  // Returns whether it was in a window that the filter still holds.
  [[nodiscard]] bool WasAnomalous(std::string_view metric, std::string_view component) const;

  // Must be called before a window: a component that takes no part in it is not flagged by it.
  void ClearFlags();
  // Adds what a restart needs of all components, as those of `group`.
  void ExportTo(const std::string& group, std::vector<ComponentState>& components) const;
  // Takes what an earlier run remembered of a component. `per_device`: components are
  // "node/device".
  void Restore(const ComponentState& state, bool per_device);
  // Forgets everybody else.
  void KeepOnly(const GroupMembers& members);
  void ForgetNode(std::string_view node);
  void ForgetComponent(const std::string& name) { records_.erase(name); }
  // Forgets components that are gone, with their last window before `before`.
  void ForgetGone(const IsGone& is_gone, UnixTime before);

 private:
  const PresetSettings* preset_;
  ByName records_;
};

}  // namespace limpet
