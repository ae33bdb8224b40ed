#include "diagnoser/runtime/process_use.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>

#include "exporter/common/text.h"

namespace limpet {

ProcessUse ReadProcessUse(FileReader& process) {
  ProcessUse use;
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    const auto duration = [](const timeval& time) {
      return Duration(std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec));
    };
    use.cpu_time = duration(usage.ru_utime) + duration(usage.ru_stime);
  }
  // Not ru_maxrss, which is the peak and never falls again.
  if (const auto text = process.Read("statm")) {
    Fields fields(*text);
    fields.Next();  // the virtual size, which says nothing
    const auto pages = ParseU64(fields.Next()).value_or(0);
    use.resident_bytes = static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }
  if (const auto files = process.List("fd"); files && !files->empty()) {
    use.open_fds = static_cast<double>(files->size() - 1);  // one is the listing itself
  }
  return use;
}

}  // namespace limpet
