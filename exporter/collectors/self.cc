#include "exporter/collectors/self.h"

#include <utility>

#include "exporter/common/exposition/catalog/self.h"
#include "exporter/common/exposition/prometheus_bridge.h"
#include "exporter/kernel/pid_stat.h"

namespace limpet {
struct SelfCollector::Metrics {
  prometheus::Registry registry;
  prometheus::Counter& cpu = AddCounters(registry, catalog::kExporterCpuSeconds).Add({});
  prometheus::Gauge& resident = AddGauges(registry, catalog::kExporterResidentMemory).Add({});
  prometheus::Gauge& open_fds = AddGauges(registry, catalog::kExporterOpenFds).Add({});
  prometheus::Gauge& threads = AddGauges(registry, catalog::kExporterThreads).Add({});
  prometheus::Gauge& started = AddGauges(registry, catalog::kExporterStartTime).Add({});
};

SelfCollector::SelfCollector(SelfSources sources)
    : sources_(std::move(sources)), metrics_(std::make_unique<Metrics>()) {
  AddGauges(metrics_->registry, catalog::kExporterBuildInfo)
      .Add({{"version", LIMPET_VERSION}, {"compiler", __VERSION__}})
      .Set(1);
  metrics_->started.Set(ToSeconds(sources_.started.time_since_epoch()));
}

SelfCollector::~SelfCollector() = default;

Result<Families> SelfCollector::Collect(const Tick& /*tick*/) {
  RaiseTo(metrics_->cpu, ToSeconds(sources_.cpu_time()));
  const auto text = sources_.process->Read("stat");
  if (!text) {
    return text.error();
  }
  const auto stat = ParsePidStat(*text);
  if (!stat) {
    return Error{ErrorCode::kInvalid, "expected a process' line of 24 fields or more", "self/stat"};
  }
  metrics_->threads.Set(static_cast<double>(stat->threads));
  metrics_->resident.Set(static_cast<double>(stat->resident_pages) * sources_.page_size);
  if (const auto files = sources_.process->List("fd"); files && !files->empty()) {
    metrics_->open_fds.Set(static_cast<double>(files->size() - 1));  // one is the listing itself
  }
  return FromPrometheus(metrics_->registry.Collect(), catalog::kSelf);
}

}  // namespace limpet
