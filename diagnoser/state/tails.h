// tails.h: the data that the next window needs, as bytes and back: the payloads of the parts of
// disks and connections and of congestion windows (format.md).
//
// Threads: pure. Reading gives nullopt when the bytes make no sense; what it gives has finite,
// non-negative numbers (or kMissing) and instants between 1970 and 2191.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/pipeline/state.h"
#include "diagnoser/state/bytes.h"

namespace limpet {

[[nodiscard]] std::uint64_t Nanoseconds(UnixTime at);
[[nodiscard]] UnixTime FromNanoseconds(std::uint64_t value);
// nullopt outside the instants above.
[[nodiscard]] std::optional<UnixTime> ReadInstant(ByteReader& in);

void WriteThing(const EntityState& entity, ByteWriter& out);

// Where the columns of a file belong: for each its place among the presets in use, nullopt for one
// that is not wanted any more.
struct ColumnPlaces {
  std::span<const std::optional<std::size_t>> places;
  std::size_t presets = 0;
};
// `bins_left`: how many more bins may be read; columns over it are left out.
[[nodiscard]] std::optional<EntityState> ReadThing(ByteReader& in, const ColumnPlaces& columns,
                                                   std::size_t& bins_left);

void WriteReadings(const std::vector<RecentReadings::Reading>& readings, ByteWriter& out);
// False when the bytes make no sense.
[[nodiscard]] bool ReadReadings(ByteReader& in, std::vector<RecentReadings::Reading>& readings);

void WriteCwnd(const CwndTail& tail, ByteWriter& out);
[[nodiscard]] std::optional<CwndTail> ReadCwnd(ByteReader& in);

}  // namespace limpet
