// builtin.h: the series of limpet-exporter and of node_exporter that the diagnosis reads.
//
// Counters are named alike after the prefix ("limpet_", "node_") and come in the same base units,
// so one table serves both.
// Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "diagnoser/metrics/kinds.h"

namespace limpet {

// What a series says about its entity: a number of the kind's enumerators (metrics/kinds.h), or one
// of these.
inline constexpr std::uint8_t kInfoField = 255;  // labels about a disk, no reading

inline constexpr std::uint8_t kModeField = 254;  // which one the label `mode` says

struct Field {
  EntityKind kind;
  std::uint8_t index = 0;
};

// By the series' name with its prefix; nullopt for all that is not read.
[[nodiscard]] std::optional<Field> FieldOf(std::string_view name);
// The field of a kModeField; nullopt for modes of no use.
[[nodiscard]] std::optional<Field> FieldOfMode(std::string_view mode);

}  // namespace limpet
