// writes.h: what the servers of a group received and wrote, as bytes and back (format.md, kind 15).
//
// Threads: pure. What is read is bounded by the bytes.
#pragma once

#include "diagnoser/evidence/config.h"
#include "diagnoser/evidence/windows/write_records.h"
#include "diagnoser/state/bytes.h"

namespace limpet {

// The servers alone.
void WriteWrites(const WriteMemory& memory, ByteWriter& out);
// Adds the servers to `memory`, as many as `limits` have room for; false when the bytes make no
// sense.
[[nodiscard]] bool ReadWrites(ByteReader& in, const PipelineLimits& limits, WriteMemory& memory);

}  // namespace limpet
