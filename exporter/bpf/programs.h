// programs.h: what can be loaded into the kernel, and what the exporter holds of it afterwards.
//
// Threads: a BpfPrograms may be read by several threads; the kernel writes to its arrays meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "exporter/common/descriptor.h"
#include "exporter/common/result.h"

namespace limpet::bpf {

// block.bpf.c
struct BlockRequest {
  std::uint32_t max_devices = 64;

  friend bool operator==(const BlockRequest&, const BlockRequest&) = default;
};

// A program to follow: by the name of its processes, as /proc/PID/comm has it (at most 15 bytes),
// or one process and its children by number.
struct SyscallTargetChoice {
  std::string name;
  std::uint32_t pid = 0;  // 0: by name
  bool is_client = false;

  friend bool operator==(const SyscallTargetChoice&, const SyscallTargetChoice&) = default;
};

// syscall.bpf.c
struct SyscallRequest {
  std::vector<SyscallTargetChoice> targets;  // at most kMaxTargets
  std::vector<std::uint64_t> cgroups;        // ids; empty: any
  std::uint32_t network_namespace = 0;       // its inode; 0: any
  std::uint32_t max_threads = 16384;         // rounded up to a power of two
  std::uint32_t ring_bytes = 0;              // of the event log; 0: no log

  friend bool operator==(const SyscallRequest&, const SyscallRequest&) = default;
};

using Request = std::variant<BlockRequest, SyscallRequest>;

// Returns how many CPUs the kernel may number: the rows of arrays that have one a CPU.
[[nodiscard]] std::uint32_t PossibleCpus();

// Memory that the kernel counts in, mapped for reading.
class MappedArray {
 public:
  // kInternal when the kernel does not map it. The descriptor is not needed afterwards.
  [[nodiscard]] static Result<MappedArray> Map(int fd, std::size_t bytes);
  // Made for tests: the bytes are the array.
  [[nodiscard]] static MappedArray Of(std::vector<std::byte> bytes);

  [[nodiscard]] std::span<const std::byte> Bytes() const { return bytes_; }

 private:
  MappedArray(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

struct NamedArray {
  std::string name;
  MappedArray array;
};

struct NamedDescriptor {
  std::string name;
  Descriptor descriptor;
};

// Programs that are attached as long as this exists.
struct Programs {
  Request request;  // with what they were loaded
  std::vector<NamedArray> arrays;
  std::vector<NamedDescriptor> programs;  // for their statistics (program_statistics.h)
  std::vector<NamedDescriptor> links;     // closing them detaches the programs
  std::vector<NamedDescriptor> rings;
  std::size_t ring_bytes = 0;

  // All elements of an array; empty when there is none of that name or its elements are of another
  // size. The view lives as long as the programs do.
  template <class Element>
  [[nodiscard]] std::span<const Element> Array(std::string_view name) const {
    static_assert(sizeof(Element) % 8 == 0, "the kernel rounds elements up to 8 bytes");
    for (const auto& one : arrays) {
      if (one.name == name) {
        const auto bytes = one.array.Bytes();
        // The kernel's own pages, aligned; what stands in them is the Element of the shared header.
        return {reinterpret_cast<const Element*>(bytes.data()),  // NOLINT: memory of the kernel
                bytes.size() / sizeof(Element)};
      }
    }
    return {};
  }
};
using ProgramsPtr = std::shared_ptr<const Programs>;

// A number that the kernel changes meanwhile, read whole.
template <class Number>
[[nodiscard]] Number ReadShared(const Number& number) {
  return __atomic_load_n(&number, __ATOMIC_RELAXED);
}

}  // namespace limpet::bpf
