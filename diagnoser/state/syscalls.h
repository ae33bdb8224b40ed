// syscalls.h: what is remembered of system calls, as bytes and back (format.md, kind 10).
//
// Threads: pure. What is read is bounded by the bytes.
#pragma once

#include <optional>

#include "diagnoser/pipeline/state.h"
#include "diagnoser/state/bytes.h"

namespace limpet {

void WriteSyscalls(const SyscallMemory& memory, ByteWriter& out);
// nullopt when the bytes make no sense.
[[nodiscard]] std::optional<SyscallMemory> ReadSyscalls(ByteReader& in);

}  // namespace limpet
