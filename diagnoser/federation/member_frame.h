// member_frame.h: the readings of another diagnoser's nodes as ours, checked: they are another
// machine's.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/history/frame.h"
#include "diagnoser/publish/api_json.h"

namespace limpet {

// The nodes and causes that a diagnoser's frames name by their places.
struct MemberPlaces {
  std::string member;
  std::uint64_t version = 0;  // of its cluster
  std::size_t nodes = 0;
  std::vector<Cause> causes;  // of its column `cause`
};

// True for any frame; of which cluster is another question.
[[nodiscard]] bool IsWholeFrame(const ApiJson& frame);

// Returns kColumns of each of the nodes, whatever the order and scales of its columns; what is out
// of bounds stays kUnknown. nullopt: it is no frame, or of another cluster.
[[nodiscard]] std::optional<std::vector<std::int16_t>> ReadMemberFrame(const ApiJson& frame,
                                                                       const MemberPlaces& places);

}  // namespace limpet
