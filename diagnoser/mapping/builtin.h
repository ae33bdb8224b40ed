// builtin.h: the series that the diagnosis reads: those of limpet-exporter, of node_exporter and of
// the OpenTelemetry collector's hostmetrics receiver.
//
// Counters of the first two are named alike after the prefix ("limpet_", "node_"); the collector
// tells directions apart by a label. All come in the same base units, so nothing is converted.
// Threads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "diagnoser/metrics/kinds.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {

// The meaning of a series for its entity: a number of the kind's enumerators (metrics/kinds.h), or
// one of these.
inline constexpr std::uint8_t kInfoField = 255;   // labels about a disk, no reading
inline constexpr std::uint8_t kSpeedField = 253;  // of an interface's link, bytes a second
inline constexpr std::uint8_t kLabelField = 254;  // which one a label says: see FindFieldByLabels
inline constexpr std::uint8_t kStackField =
    252;  // labels about what a device stands on, no reading

// Returns whether the labels are all that it says.
[[nodiscard]] constexpr bool IsDescription(std::uint8_t field) {
  return field == kInfoField || field == kStackField;
}

struct Field {
  EntityKind kind;
  std::uint8_t index = 0;
  bool operator==(const Field&) const = default;
};

// Finds the field by the series' name with its prefix; nullopt for all that is not read.
[[nodiscard]] std::optional<Field> FindField(std::string_view name);
// The field of a series whose name says kLabelField; nullopt for values of no use.
[[nodiscard]] std::optional<Field> FindFieldByLabels(std::string_view name,
                                                     const LabelPairs& labels);

}  // namespace limpet
