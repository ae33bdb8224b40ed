// heat.h: how far from its peers each node was in every minute of the last two hours.
//
// A node costs 240 bytes and its name; one that has not been seen for two hours is forgotten.
// Threads: a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "diagnoser/history/frame.h"
#include "exporter/common/time.h"

namespace limpet {

class Heat {
 public:
  static constexpr std::size_t kSteps = 120;
  static constexpr Duration kStep = std::chrono::minutes(1);
  // The cells of one node, the oldest first: the degree as in the column `degree` of frames, or
  // kUnknown.
  using Strip = std::array<std::int16_t, kSteps>;
  using Strips = std::map<std::string, Strip, std::less<>>;

  // The largest degree of a minute counts. True when a minute has ended with it.
  bool Record(UnixTime at, const NodeStates& states);

  // Returns the begin of the first cell of each strip; the last one is the minute of the latest
  // Record.
  [[nodiscard]] UnixTime Begin() const;
  [[nodiscard]] const Strips& All() const { return strips_; }
  [[nodiscard]] std::size_t Bytes() const;

 private:
  void Shift(std::int64_t minutes);

  std::int64_t minute_ = 0;  // of the last cell, since 1970
  Strips strips_;
};

}  // namespace limpet
