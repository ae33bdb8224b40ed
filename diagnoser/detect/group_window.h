// group_window.h: one window of one peer group: who takes part in which metric, and how they
// compare.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/detect/gates.h"
#include "diagnoser/detect/peers.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/series/window_samples.h"
#include "exporter/common/time.h"

namespace limpet {

// One metric of the group, or of one domain of it (detect/domains.h).
struct MetricWindow {
  std::size_t metric = 0;
  std::optional<std::size_t> domain;
  std::vector<std::size_t> who;  // numbers of members taking part
  PeerComparison comparison;     // in their order
};

struct GroupWindow {
  std::vector<MetricWindow> windows;  // by metric, then domain; none without components

  struct Place {
    std::size_t window = 0;
    std::size_t component = 0;  // of its comparison
  };
  std::vector<std::vector<std::optional<Place>>> places;  // by metric, member; absent: no part

  struct Found {
    const PeerComparison* comparison = nullptr;  // null: the member takes no part
    std::size_t component = 0;
  };
  [[nodiscard]] Found Find(std::size_t metric, std::size_t member) const;
  // Whether its s is an upper bound.
  [[nodiscard]] bool IsBound(std::size_t metric, std::size_t member) const;
  // |mean - median| of the metric, 0 when the member takes no part in it.
  [[nodiscard]] double MeanDifference(std::size_t metric, std::size_t member) const;
};

// Whether the s of a member in the comparison may stay an upper bound (peers.h).
using MemberBoundWillDo = std::function<bool(std::size_t metric, std::size_t member,
                                             const PeerComparison&, std::size_t component)>;

// `samples` by member, `metrics` those of the group. `bound_will_do` is asked in groups or domains
// of more than preset.exact_up_to components.
[[nodiscard]] GroupWindow CompareGroup(UnixTime end, std::span<const Member> members,
                                       std::span<const MemberSamples> samples,
                                       std::span<const std::string_view> metrics,
                                       const PresetSettings& preset,
                                       const MemberBoundWillDo& bound_will_do);

// What the gates ask about a disk.
[[nodiscard]] GateFacts DiskFacts(const GroupWindow& window, const MemberSamples& samples,
                                  const Member& member, std::size_t number,
                                  const PresetSettings& preset);

}  // namespace limpet
