// profiles.h: what behaviour profiles remember, as bytes and back (format.md, kinds 8 and 9).
//
// Threads: pure. What is read is bounded by the bytes, finite and not negative.
#pragma once

#include <cstddef>
#include <optional>

#include "diagnoser/pipeline/state.h"
#include "diagnoser/state/bytes.h"

namespace limpet {

// `memory.second` is there.
void WriteProfiles(const ProfileMemory& memory, ByteWriter& out);
// nullopt when the bytes make no sense. All histograms have the same size, which is that of their
// model when the model is (migrate.h).
[[nodiscard]] std::optional<ProfileMemory> ReadProfiles(ByteReader& in);

void WriteHostEntity(const HostEntityState& entity, ByteWriter& out);
// nullopt when the bytes make no sense. `bins_left`: how many more bins may be read; columns over
// it are left out.
[[nodiscard]] std::optional<HostEntityState> ReadHostEntity(ByteReader& in, std::size_t& bins_left);

}  // namespace limpet
