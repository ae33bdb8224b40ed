// repeats.h: devices of a server whose bytes are those of others of it once more, where no name
// tells: "lan" over "port1" and "port2".
//
// A layer carries what lies below it, step by step, less the headers that the lower ones count and
// it does not: from 92 to 102 % of it over the window, and within 1.5 % of that share in nine steps
// of ten. Only those whose names tell nothing are asked; two cards are never layers of each other.
// Threads: pure.
#pragma once

#include <span>
#include <vector>

namespace limpet {

// A device over a window; any unit, kMissing where it is not known.
struct DeviceBytes {
  std::vector<double> in;
  std::vector<double> out;
  bool doubtful = false;  // may be a layer
};

// Returns, by place, whether it repeats others, which then count for it. At most the six largest
// others are tried together.
[[nodiscard]] std::vector<bool> FindRepeats(std::span<const DeviceBytes> devices);

}  // namespace limpet
