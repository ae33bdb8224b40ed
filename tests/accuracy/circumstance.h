// circumstance.h: what happens to one run beside its faults: how they come and go, and what becomes
// of the readings on their way.
//
// Threads: one object, one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "exporter/common/time.h"
#include "tests/simulator/cluster.h"
#include "tests/simulator/random.h"

namespace limpet::accuracy {

enum class Circumstance : std::uint8_t {
  kNone,
  kFromStart,  // the fault is there from the first second
  kFlapping,   // 20 s with it, 20 s without
  kHandover,   // another fault, at another server, begins when it ends
  kRestart,    // a healthy server is silent for 40 s, then its counters begin at 0
  kClock,      // a healthy server's clock is 7 s off, ahead or behind
  kHoles,      // of all pages one in ten is lost
};
inline constexpr std::array kCircumstances = {Circumstance::kFromStart, Circumstance::kFlapping,
                                              Circumstance::kHandover,  Circumstance::kRestart,
                                              Circumstance::kClock,     Circumstance::kHoles};
[[nodiscard]] std::string_view Name(Circumstance circumstance);

// One fault as often as the circumstance has it.
[[nodiscard]] std::vector<simulator::Injection> Injections(Circumstance circumstance,
                                                           const simulator::Injection& fault);

// What becomes of the readings of a run.
class Disturbance {
 public:
  // `concerned`: the server that restarts or whose clock is wrong.
  Disturbance(Circumstance circumstance, std::size_t concerned, std::uint64_t seed)
      : circumstance_(circumstance), concerned_(concerned), random_(seed), seed_(seed) {}

  // The node's counters in this second; null: nobody gets them. Valid until the next call.
  [[nodiscard]] const simulator::Snapshot* Read(const simulator::Snapshot& now, std::size_t node);
  // What the node's clock shows at `at`.
  [[nodiscard]] UnixTime Clock(UnixTime at, std::size_t node) const;

 private:
  Circumstance circumstance_;
  std::size_t concerned_;
  simulator::Random random_;
  std::uint64_t seed_;
  std::optional<simulator::Snapshot> before_;  // the restart
  simulator::Snapshot since_;                  // it
};

}  // namespace limpet::accuracy
