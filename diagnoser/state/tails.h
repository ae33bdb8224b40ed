// tails.h: the data that the next window needs, as bytes and back: the payloads of the parts of
// disks and connections and of congestion windows (format.md).
//
// Threads: pure. Reading gives nullopt when the bytes make no sense; what it gives has finite,
// non-negative numbers (or kMissing) and instants between 1970 and 2100.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "diagnoser/pipeline/state.h"
#include "diagnoser/state/bytes.h"

namespace limpet {

[[nodiscard]] std::uint64_t Nanoseconds(UnixTime at);
[[nodiscard]] UnixTime FromNanoseconds(std::uint64_t value);
// nullopt outside the instants above.
[[nodiscard]] std::optional<UnixTime> ReadInstant(ByteReader& in);

void WriteEntity(const EntityState& entity, ByteWriter& out);

// `columns`: how many there are of each counter. `bins_left`: how many more bins may be read;
// columns over it are left out.
[[nodiscard]] std::optional<EntityState> ReadEntity(ByteReader& in, std::size_t columns,
                                                    std::size_t& bins_left);

void WriteReadings(const std::vector<RecentReadings::Reading>& readings, ByteWriter& out);
// False when the bytes make no sense.
[[nodiscard]] bool ReadReadings(ByteReader& in, std::vector<RecentReadings::Reading>& readings);

void WriteCwnd(const CwndTail& tail, ByteWriter& out);
[[nodiscard]] std::optional<CwndTail> ReadCwnd(ByteReader& in);

}  // namespace limpet
