// storm.h: many of a group flagged at once: a common cause is likelier than as many culprits.
//
// A storm is when more than 10 % and at least 3 of those taking part are flagged for one metric in
// one window, or more than half of them. Nobody is acquitted by it: the ranked list stays, the
// storm stands beside it.
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

}  // namespace limpet
