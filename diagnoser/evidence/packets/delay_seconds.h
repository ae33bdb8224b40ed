// delay_seconds.h: the servers' parts of the round-trip times of their connections, second by
// second (detect/delay/round_trips.h); by side, since each end of a connection measures for itself.
//
// Bounds:  a ring of `keep` seconds a server and side; of clients nothing is kept.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/delay/round_trips.h"

namespace limpet {

class DelaySeconds {
 public:
  // What clients measure, and what the server itself does.
  static constexpr std::size_t kSides = 2;

  explicit DelaySeconds(std::size_t keep) : keep_(keep) {}

  struct Measured {
    std::string_view server;
    std::string_view end;  // names the other end, whichever of the two measures
    std::size_t side = 0;
    double seconds = 0;
  };
  // Each second once and in order; gaps are holes.
  void Add(std::int64_t second, std::span<const Measured> trips);

  // One server's seconds (last - seconds, last]. Delay is what both sides measure where both do: a
  // server whose programs are slow to answer seems far away to its clients alone. nullopt where the
  // server itself measures too few seconds.
  [[nodiscard]] std::optional<ServerTrip> SumUp(std::string_view server, std::int64_t last,
                                                std::size_t seconds) const;
  void Forget(std::string_view server);

 private:
  struct Entry {
    std::int64_t second = -1;  // of `trip`; the place may hold one of a round ago
    ServerTrip trip;
  };
  using Ring = std::vector<Entry>;

  [[nodiscard]] std::optional<ServerTrip> SumUpRing(const Ring& ring, std::int64_t last,
                                                    std::size_t seconds) const;

  std::size_t keep_;
  std::map<std::string, std::array<Ring, kSides>, std::less<>> servers_;
};

}  // namespace limpet
