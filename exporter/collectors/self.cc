#include "exporter/collectors/self.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "exporter/collectors/catalog/self.h"
#include "exporter/common/exposition/prometheus_bridge.h"
#include "exporter/kernel/pid_stat.h"

namespace limpet {
namespace {

// Exact, where the clock ticks of stat are 10 ms.
Duration ProcessCpuTime() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Since Linux 6.2 the size of the folder is the number of open files, at a tenth of a listing's
// cost.
std::optional<double> CountOpenFiles() {
  struct stat folder = {};
  return ::stat("/proc/self/fd", &folder) == 0 && folder.st_size > 0
             ? std::optional(static_cast<double>(folder.st_size))
             : std::nullopt;
}

}  // namespace

constinit const CollectorModule kSelfCollector{
    .name = "self",
    .title = "The exporter itself",
    .metrics = catalog::kSelf,
    .configure = [](yaml::MapReader& /*settings*/) -> CollectorFactory {
      return [](const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        return std::unique_ptr<Collector>(std::make_unique<SelfCollector>(
            SelfSources{in.open("/proc/self"), ProcessCpuTime,
                        static_cast<double>(::sysconf(_SC_PAGESIZE)), in.started, CountOpenFiles}));
      };
    }};

struct SelfCollector::Metrics {
  prometheus::Registry registry;  // first: the references below point into it
  prometheus::Counter& cpu = AddCounters(registry, catalog::kExporterCpuSeconds).Add({});
  prometheus::Gauge& resident = AddGauges(registry, catalog::kExporterResidentMemory).Add({});
  prometheus::Gauge& open_fds = AddGauges(registry, catalog::kExporterOpenFds).Add({});
  prometheus::Gauge& threads = AddGauges(registry, catalog::kExporterThreads).Add({});
  prometheus::Gauge& started = AddGauges(registry, catalog::kExporterStartTime).Add({});
  prometheus::Counter& process_cpu = AddCounters(registry, catalog::kProcessCpuSeconds).Add({});
  prometheus::Gauge& process_resident =
      AddGauges(registry, catalog::kProcessResidentMemory).Add({});
  prometheus::Gauge& process_started = AddGauges(registry, catalog::kProcessStartTime).Add({});
  prometheus::Gauge& process_open_fds = AddGauges(registry, catalog::kProcessOpenFds).Add({});
  prometheus::Gauge& process_max_fds = AddGauges(registry, catalog::kProcessMaxFds).Add({});
};

SelfCollector::SelfCollector(SelfSources sources)
    : sources_(std::move(sources)), metrics_(std::make_unique<Metrics>()) {
  AddGauges(metrics_->registry, catalog::kExporterBuildInfo)
      .Add({{"version", LIMPET_VERSION}, {"compiler", __VERSION__}})
      .Set(1);
  metrics_->started.Set(ToSeconds(sources_.started.time_since_epoch()));
  metrics_->process_started.Set(ToSeconds(sources_.started.time_since_epoch()));
  metrics_->process_max_fds.Set(static_cast<double>(::sysconf(_SC_OPEN_MAX)));
}

SelfCollector::~SelfCollector() = default;

std::optional<double> SelfCollector::CountOpen() {
  if (sources_.open_files) {
    if (const auto counted = sources_.open_files()) {
      return counted;
    }
  }
  const auto files = sources_.process->List("fd");
  return files && !files->empty()
             ? std::optional(static_cast<double>(files->size() - 1))  // one is the listing itself
             : std::nullopt;
}

Result<Families> SelfCollector::Collect(const Tick& /*tick*/) {
  const double cpu = ToSeconds(sources_.cpu_time());
  RaiseTo(metrics_->cpu, cpu);
  RaiseTo(metrics_->process_cpu, cpu);
  // Not status: that one is five times as long for the same two numbers.
  const auto text = sources_.process->Read("stat");
  if (!text) {
    return text.error();
  }
  const auto stat = ParsePidStat(*text);
  if (!stat) {
    return Error{ErrorCode::kInvalid, "expected a process' line of 24 fields or more", "self/stat"};
  }
  metrics_->threads.Set(static_cast<double>(stat->threads));
  const double resident = static_cast<double>(stat->resident_pages) * sources_.page_size;
  metrics_->resident.Set(resident);
  metrics_->process_resident.Set(resident);
  if (const auto open = CountOpen()) {
    metrics_->open_fds.Set(*open);
    metrics_->process_open_fds.Set(*open);
  }
  return FromPrometheus(metrics_->registry.Collect(), catalog::kSelf);
}

}  // namespace limpet
