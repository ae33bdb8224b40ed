// timed_masks.h: masks that hold at certain hours of certain days, such as around a nightly scrub.
//
// Units:   minutes of a day in UTC; a span whose end is not after its begin lasts into the next
// day. Threads: pure.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

inline constexpr int kDayMinutes = 24 * 60;

struct TimedMask {
  std::string what;                  // "node" or "node/device"
  int from = 0;                      // minute of the day, 0 to 1439
  int to = 0;                        // 0 to 1440
  std::bitset<7> days = 0b111'1111;  // on which it begins; Sunday first
  bool operator==(const TimedMask&) const = default;
};

// Whether the mask holds at some instant of (begin, end]. `end` is not before `begin`.
[[nodiscard]] bool Holds(const TimedMask& mask, UnixTime begin, UnixTime end);

// What those are of that hold so, in their order; each once.
[[nodiscard]] std::vector<std::string> MaskedWithin(const std::vector<TimedMask>& masks,
                                                    UnixTime begin, UnixTime end);

// "io03 from 02:00 to 05:00 UTC on sun, mon"; every day is not listed.
[[nodiscard]] std::string Describe(const TimedMask& mask);

// Of a day's name as a configuration has it ("sun"), 0 to 6; -1 for any other text.
[[nodiscard]] int DayNumber(std::string_view name);

}  // namespace limpet
