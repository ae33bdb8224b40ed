// source_families.h: which sources tell of the same entities.
//
//   const auto a = families.Add();
//   families.Tell(a, EntityKind::kDisk, 7);
//   families.Of(a) == families.Of(b)   // they share an entity, or each shares one with a third
//
// Two sources of different families have no counter in common. Mostly a family is one source; the
// files of a server's days are one, too.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "diagnoser/mapping/builtin.h"

namespace limpet {

class SourceFamilies {
 public:
  // A new source's number.
  [[nodiscard]] std::uint32_t Add();
  // It tells of the entity, whose number is Directory's.
  void Tell(std::uint32_t source, EntityKind kind, std::uint32_t entity);
  // The number of its family; another one once families have turned out to be one.
  [[nodiscard]] std::uint32_t Of(std::uint32_t source);
  // There are no sources any more.
  void Clear();

 private:
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  std::vector<std::uint32_t> parents_;  // by source: union-find; its own number: it is the root
  // Sources by kind and entity: one that tells of it.
  std::array<std::vector<std::uint32_t>, kEntityKinds> tellers_;
};

}  // namespace limpet
