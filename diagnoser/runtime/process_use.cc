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
  // getrusage only knows the peak.
  if (const auto text = process.Read("statm")) {
    Fields fields(*text);
    fields.Next();  // the virtual size, which says nothing
    const auto pages = ParseU64(fields.Next()).value_or(0);
    use.resident_bytes = static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }
  return use;
}

}  // namespace limpet
