#include "exporter/process.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>

#include "exporter/common/text.h"

namespace limpet {

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

std::optional<Duration> WatchdogInterval() {
  const char* interval = std::getenv("WATCHDOG_USEC");
  const char* pid = std::getenv("WATCHDOG_PID");
  if (interval == nullptr || (pid != nullptr && ParseI64(pid) != ::getpid())) {
    return std::nullopt;
  }
  const auto microseconds = ParseI64(interval);
  if (!microseconds || *microseconds <= 0) {
    return std::nullopt;
  }
  return std::chrono::microseconds(*microseconds);
}

}  // namespace limpet
