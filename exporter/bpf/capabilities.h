// capabilities.h: the two rights that loading programs takes, and how to be rid of them.
//
// CAP_BPF and CAP_PERFMON (Linux 5.8): without the others nobody can do more with them than read
// the kernel's memory, which is what these programs do. Threads: of the calling thread alone, so
// before others are started.
#pragma once

#include <string>

#include "exporter/common/result.h"

namespace limpet::bpf {

// The names of those of the two that this thread lacks: "CAP_BPF and CAP_PERFMON"; empty: none.
[[nodiscard]] std::string MissingCapabilities();

// Keeps the two and gives up all others, for good. kPermission: the kernel did not let us.
[[nodiscard]] Result<void> KeepOnlyBpfCapabilities();

// Gives the two up, for good. Quiet where there is nothing to give up.
void DropBpfCapabilities();

}  // namespace limpet::bpf
