// memory_return.h: memory of what was forgotten, given back to the system.
//
// The allocator would keep what thousands of components leave behind.
// Threads: one object, one thread.
#pragma once

#include <malloc.h>

#include <cstdint>

namespace limpet {

class MemoryReturn {
 public:
  // `forgotten`: how many components have been, ever; less than before: they are counted anew.
  void After(std::uint64_t forgotten) {
    constexpr std::uint64_t kMany = 1000;
    if (forgotten - returned_at_ >= kMany || forgotten < returned_at_) {
      returned_at_ = forgotten;
      ::malloc_trim(0);
    }
  }

 private:
  std::uint64_t returned_at_ = 0;
};

}  // namespace limpet
