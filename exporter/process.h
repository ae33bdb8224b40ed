// process.h: what the exporter asks of the C library for itself.
//
// Threads: KeepMemorySmall before any thread is started.
#pragma once

#include <string>

namespace limpet {

// Returns what the kernel calls this machine: the name of its recordings unless one is configured.
[[nodiscard]] std::string HostName();

// One malloc arena, freed memory given back, small stacks, no huge pages. Measured effect:
// docs/decisions/0030-small-memory.md.
void KeepMemorySmall();

// Gives back the pages of program and libraries that only starting needed: half of the resident
// memory (docs/performance.md). Code and constants alone, which the kernel reads again from the
// file when they are touched.
void ReleaseStartPages();

}  // namespace limpet
