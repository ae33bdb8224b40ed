// proposals.h: noise floors under which the false alarms of a site would not have been, and none of
// its true incidents would be missing.
//
// A rule of thumb: it judges by the evidence of each incident's worst window. Replaying the
// recordings (`limpet-diagnoser cases`) says what really would have been.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace limpet {

// An incident that people have answered.
struct LabelledIncident {
  struct Difference {
    std::string metric;  // by the name that a preset's noise_floor has
    double value = 0;    // how far the component was from its peers' median, in the floor's unit
  };
  bool fault = false;  // they said that it was one
  std::vector<Difference> differences;
  bool other_evidence = false;  // that no floor takes away
};

struct FloorProposal {
  std::string metric;
  double floor = 0;        // in its unit, two digits
  std::size_t gone = 0;    // false alarms that would not have been
  std::size_t alarms = 0;  // of so many
  std::size_t faults = 0;  // all kept
  bool operator==(const FloorProposal&) const = default;
};

// Returns at most one a metric: the lowest floor that takes away the most false alarms without
// losing a fault. The ones that take away most come first.
[[nodiscard]] std::vector<FloorProposal> ProposeFloors(std::span<const LabelledIncident> incidents);

}  // namespace limpet
