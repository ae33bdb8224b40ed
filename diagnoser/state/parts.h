// parts.h: the kinds of parts that a state file is made of (format.md), for the two sides of the
// codec.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace limpet {

inline constexpr std::string_view kStateMagic = "LIMPETST";

enum class StatePart : std::uint32_t {
  kPreset = 1,
  kMetric = 2,
  kClock = 3,
  kEntities = 4,
  kCwnd = 5,
  kEpisodes = 6,
  kFirstSeen = 7,
  kProfiles = 8,
  kHostEntities = 9,
  kSyscalls = 10,
  kIncidents = 11,
  kBeginnings = 12,
  kOnsets = 13,
  kDiskKinds = 14,
  kWrites = 15,
};

inline constexpr std::size_t kEntitiesInPart = 256;  // what one damaged byte may cost
// Filter entries of a component: 2k - 1 for the largest k that a configuration may have.
inline constexpr std::uint64_t kMaxRecent = 199;

// zlib's CRC-32 of a part's payload.
[[nodiscard]] std::uint32_t PartChecksum(std::string_view payload);

}  // namespace limpet
