// shared_parts.h: what flagged components have in common: the enclosure, controller, switch or host
// that explains several of them better than their own faults do.
//
// Of all parts with at least two flagged members and kMinShare of its members flagged, the one with
// the largest log-likelihood ratio is named: members of the part are flagged at one rate and all
// others at another, against one rate for all. A part that holds the same flagged components among
// more healthy ones has a smaller ratio, so the smallest part wins. What it explains is taken out,
// and the rest is looked at again, until the best ratio could be chance: below log(parts) +
// log(1/kMaxChance).
// Threads: pure.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace limpet {

struct PartMember {
  std::string name;  // "io04/sdb"
  // The parts that it belongs to: kind and name, ("enclosure", "e3"), the smallest kind first: of
  // two parts with the same members the first is named.
  std::vector<std::pair<std::string, std::string>> parts;
  bool flagged = false;
};

struct SharedPart {
  std::string kind;
  std::string name;
  std::vector<std::string> flagged;  // by name
  std::size_t members = 0;
  double ratio = 0;  // log-likelihood ratio, nats
};

inline constexpr double kMinShare = 0.6;
inline constexpr double kMaxChance = 1e-3;

// The parts that explain flagged members, the surest first.
[[nodiscard]] std::vector<SharedPart> FindSharedParts(const std::vector<PartMember>& members);

}  // namespace limpet
