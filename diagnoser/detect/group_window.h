// group_window.h: one window of one peer group: who takes part in which metric, and how they
// compare.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/detect/detector.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/side_by_side.h"
#include "diagnoser/series/balance.h"
#include "exporter/common/time.h"

namespace limpet {

// One metric of the group, or of one domain of it (domains.h, or the components of one node).
struct MetricWindow {
  std::size_t metric = 0;  // number of its row
  std::optional<std::size_t> domain;
  std::vector<std::size_t> who;  // numbers of members taking part
  Comparison comparison;         // in their order
};

struct GroupWindow {
  std::vector<MetricWindow> windows;  // by metric, then domain; none without components

  struct Place {
    std::size_t window = 0;
    std::size_t component = 0;  // of its comparison
  };
  std::vector<std::vector<std::optional<Place>>> places;  // by metric, member; absent: no part

  struct Found {
    const Comparison* comparison = nullptr;  // null: the member takes no part
    std::size_t component = 0;
  };
  [[nodiscard]] Found Find(std::size_t metric, std::size_t member) const;
  // Returns whether its s is an upper bound.
  [[nodiscard]] bool IsBound(std::size_t metric, std::size_t member) const;
  // Returns the members that take part in at least one metric, in ascending order.
  [[nodiscard]] std::vector<std::size_t> TakingPart() const;
};

// One group at one window end. What it points to must outlive the call.
struct GroupSamples {
  UnixTime end;
  std::span<const MetricRow> metrics;
  std::span<const Member> members;
  std::span<const MemberSamples> samples;  // by member
  // Traffic of byte balances; empty: there are none.
  std::span<const std::vector<Carried>> traffic = {};
  bool per_node = false;  // every node is a domain of its own
};

// Says whether the s of a member in the comparison may stay an upper bound (detector.h).
using MemberBoundWillDo = std::function<bool(std::size_t metric, std::size_t member,
                                             const Comparison&, std::size_t component)>;

// Samples that a component must have to take part in a window: four fifths, rounded up.
[[nodiscard]] constexpr std::size_t MinSamples(std::size_t window) { return (4 * window + 4) / 5; }

// Compares and grades every metric of the group. `bound_will_do` is asked in groups or domains of
// more than preset.exact_up_to components, and on any of the threads of `for_each`.
[[nodiscard]] GroupWindow CompareGroup(const GroupSamples& group, const PresetSettings& preset,
                                       const Detector& detector,
                                       const MemberBoundWillDo& bound_will_do,
                                       const SideBySide& for_each = OneAfterTheOther);

// Returns how many servers those members are of.
[[nodiscard]] std::size_t CountNodes(std::span<const Member> members,
                                     std::span<const std::size_t> who);

// The samples of those who take part, in their order.
[[nodiscard]] SampleSet GatherSamples(std::span<const MemberSamples> samples, std::size_t metric,
                                      std::span<const std::size_t> who, std::size_t window);

}  // namespace limpet
