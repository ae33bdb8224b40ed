// object_loading.h: loads and attaches programs by libbpf. Runs in the loader's own process.
//
// A build without BPF has another implementation, which says so (object_loading_absent.cc).
// Errors:  as loader.h says; what libbpf and the verifier said comes last.
// Threads: one; libbpf's messages go to a place that the calls share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exporter/bpf/programs.h"
#include "exporter/common/result.h"

namespace limpet::bpf {

enum class Kind : std::uint8_t { kArray, kRing, kProgram, kLink };

// Something of the kernel's that is handed to the exporter.
struct Handed {
  Kind kind = Kind::kArray;
  std::string name;
  std::uint64_t bytes = 0;  // of an array or a ring
  Descriptor descriptor;
};

[[nodiscard]] Result<std::vector<Handed>> LoadObject(const Request& request);

}  // namespace limpet::bpf
