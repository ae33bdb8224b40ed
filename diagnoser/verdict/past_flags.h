// past_flags.h: flags of a slow time scale that begin when a fault is over.
//
// A window of half an hour is full of a fault that has ended: at long steps its flags would begin,
// and page, when the faster scales have let go of the server. So a flag of a slower scale counts
// while a faster one flags the server too, when it has counted since before the faster ones let go
// of it, or when as many windows as make a flag have begun after that.
//
// Restart: nothing is saved; a flag that is there counts.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

class PastFlags {
 public:
  using Flags = std::map<std::string, std::vector<Evidence>>;  // by node
  // What one scale has flagged in its last window.
  struct Scale {
    Duration window{};
    std::size_t k = 0;  // anomalous windows that make a flag
    UnixTime end;       // of that window
    const Flags* flags = nullptr;
  };
  // Returns by scale, in the order of `scales`, the flags that count at this instant. `scales` are
  // the same ones at each call.
  [[nodiscard]] std::vector<Flags> Select(std::span<const Scale> scales);

 private:
  struct Seen {
    bool counts = false;
    std::optional<UnixTime> last;  // end of the last window whose flags counted
  };
  // Returns when the scales faster than `scale` let go of the node; nullopt: they flag it now, or
  // have not of late.
  [[nodiscard]] static std::optional<UnixTime> LetGo(std::span<const Scale> scales,
                                                     std::size_t scale,
                                                     const std::vector<Seen>& seen);

  std::map<std::string, std::vector<Seen>, std::less<>> nodes_;  // by scale
};

}  // namespace limpet
