#include "exporter/collectors/all.h"

#include <time.h>
#include <unistd.h>

#include <functional>
#include <utility>

#include "exporter/common/files.h"

namespace limpet {
namespace {

Duration ProcessCpuTime() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

Result<std::vector<std::unique_ptr<Collector>>> MakeCollectors(const CollectorOptions& options,
                                                               const LogSink& log) {
  const auto proc = [&] { return OpenRealFiles(options.procfs); };
  const auto sys = [&] { return OpenRealFiles(options.sysfs); };
  const auto page_size = static_cast<double>(::sysconf(_SC_PAGESIZE));
  const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));

  struct Line {
    std::string_view name;
    bool enabled;
    std::function<Result<std::unique_ptr<Collector>>()> make;
  };
  using Made = std::unique_ptr<Collector>;
  const Line lines[] = {
      // clang-format off
      {"disk", options.disk.enabled, [&] { return DiskCollector::Make(options.disk, proc(), sys(), log); }},
      {"net", options.net.enabled, [&] { return NetCollector::Make(options.net, proc(), sys(), log); }},
      {"netstat", options.netstat.enabled, [&] { return Made(std::make_unique<NetstatCollector>(proc(), page_size)); }},
      {"tcp", options.tcp.enabled, [&] { return Result(MakeTcpCollector(options.tcp, proc())); }},
      {"host", options.host.enabled, [&] { return Made(std::make_unique<HostCollector>(proc(), ticks_per_second)); }},
      {"self", options.self.enabled, [&] { return Made(std::make_unique<SelfCollector>(SelfSources{OpenRealFiles("/proc/self"), ProcessCpuTime, page_size, options.started})); }},
      // clang-format on
  };

  std::vector<std::unique_ptr<Collector>> collectors;
  for (const auto& line : lines) {
    if (!line.enabled) {
      continue;
    }
    auto made = line.make();
    if (!made) {
      auto error = made.error();
      error.where = std::string(line.name) + "." + error.where;
      return error;
    }
    collectors.push_back(*std::move(made));
  }
  return collectors;
}

}  // namespace limpet
