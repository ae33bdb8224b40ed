// iso_instant.h: instants as other programs write them.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

// ISO 8601: "2026-01-31T10:00:00Z", with a blank in the place of the T, with up to nine digits of
// a second ("…:00.125Z"), with an offset ("…:00+01:00"), or without a zone, which is UTC. nullopt
// for anything else, and for instants before 1970.
[[nodiscard]] std::optional<UnixTime> ParseIsoInstant(std::string_view text);

// The same, or Unix seconds with decimals.
[[nodiscard]] std::optional<UnixTime> ParseAnyInstant(std::string_view text);

}  // namespace limpet
