// alarm.h: from alarms, second by second, to an indictment [Pan08 Figure 7].
//
//   consecutive   20 alarms in a row
//   weighted      a <- 0.9 a + alarm exceeds 8 (the text of [Pan08 §4.1]; 10 is the most it can
//   reach)
// Both rules hold a host only as long as they are met.
// Threads: values.
#pragma once

#include <algorithm>
#include <cstdint>

namespace limpet {

enum class AlarmRule : std::uint8_t { kConsecutive, kWeighted };

struct AlarmCount {
  std::uint32_t in_a_row = 0;
  double weight = 0;
  bool operator==(const AlarmCount&) const = default;
};

[[nodiscard]] constexpr AlarmCount Next(AlarmCount count, bool alarm) {
  constexpr std::uint32_t kMax = 1'000'000;
  constexpr double kDecay = 0.9;
  return {.in_a_row = alarm ? std::min(kMax, count.in_a_row + 1) : 0,
          .weight = kDecay * count.weight + (alarm ? 1 : 0)};
}

[[nodiscard]] constexpr bool IsIndicted(const AlarmCount& count, AlarmRule rule) {
  constexpr std::uint32_t kInARow = 20;
  constexpr double kWeight = 8;
  return rule == AlarmRule::kConsecutive ? count.in_a_row >= kInARow : count.weight > kWeight;
}

}  // namespace limpet
