#include "exporter/process.h"

#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace limpet {
namespace {

// Of one loaded object. A segment that was mapped writable may hold relocations, which are in no
// file: those stay.
int ReleaseObject(dl_phdr_info* object, std::size_t /*size*/, void* /*unused*/) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) {
      continue;
    }
    const auto begin = (object->dlpi_addr + segment.p_vaddr) / page * page;
    const auto end =
        (object->dlpi_addr + segment.p_vaddr + segment.p_memsz + page - 1) / page * page;
    // Fails for the kernel's own vdso, which is no file.
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);  // NOLINT: an address
  }
  return 0;
}

}  // namespace

std::string HostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

void ReleaseStartPages() { ::dl_iterate_phdr(ReleaseObject, nullptr); }

void KeepMemorySmall() {
  ::mallopt(M_ARENA_MAX, 1);
  constexpr int kTrim = 128 << 10;
  ::mallopt(M_TRIM_THRESHOLD, kTrim);
  ::mallopt(M_MMAP_THRESHOLD, kTrim);
  // With transparent huge pages an 8 MiB stack or the heap may take 2 MiB at the first touch.
  ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr std::size_t kStack = 512U << 10U;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) == 0) {
    ::pthread_attr_setstacksize(&attributes, kStack);
    ::pthread_setattr_default_np(&attributes);
    ::pthread_attr_destroy(&attributes);
  }
#endif
}

}  // namespace limpet
