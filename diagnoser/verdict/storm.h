// storm.h: many of a group flagged at once: a common cause is likelier than as many culprits.
//
// A storm is when more than 10 % and at least 3 of those taking part are flagged for one metric in
// one window, or more than half of them. Nobody is acquitted by it: the ranked list stays, the
// storm stands beside it.
// Whoever differs from more than half of its peers is flagged. When most of a group is sick, these
// are the healthy ones. Of latencies the slow side is the sick one: components that are flagged
// because they are faster are never named, and when they are at least a quarter of the group (and
// two), the storm names the rest. Other metrics do not tell: when a third of the group or more, but
// less than half, is flagged on the same side, nobody is named (docs/decisions/0180).
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>

#include "diagnoser/verdict/events.h"

namespace limpet {

[[nodiscard]] constexpr bool IsStorm(std::size_t flagged, std::size_t taking_part) {
  constexpr std::size_t kMin = 3;
  constexpr std::size_t kShare = 10;  // one in so many
  return taking_part >= kMin &&
         ((flagged >= kMin && kShare * flagged > taking_part) || 2 * flagged > taking_part);
}

// The storm of a window, if its flags are one.
[[nodiscard]] std::optional<StormEvent> FindStorm(const WindowEvent& window);

// Returns the event that a group is of two kinds of devices (device_kinds.h): nobody is named.
[[nodiscard]] StormEvent MakeTwoKinds(const WindowEvent& window);

}  // namespace limpet
