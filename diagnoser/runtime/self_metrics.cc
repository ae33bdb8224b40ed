#include "diagnoser/runtime/self_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "exporter/common/exposition/catalog/diagnoser.h"
#include "exporter/common/exposition/prometheus_bridge.h"

namespace limpet {
namespace {

using Counter = prometheus::Counter;
using Gauge = prometheus::Gauge;

}  // namespace

struct SelfMetrics::Metrics {
  prometheus::Registry registry;
  prometheus::Family<Counter>& errors_family = AddCounters(registry, catalog::kTargetScrapeErrors);
  prometheus::Family<Counter>& saves_family = AddCounters(registry, catalog::kStateSaves);
  prometheus::Family<Counter>& events_family = AddCounters(registry, catalog::kEventsWritten);
  prometheus::Family<Gauge>& saved_family = AddGauges(registry, catalog::kStateSaved);
  std::array<Counter*, kFetchFailures> errors{};
  Counter& scrapes = AddCounters(registry, catalog::kTargetScrapes).Add({});
  Counter& bytes = AddCounters(registry, catalog::kTargetScrapedBytes).Add({});
  Counter& samples = AddCounters(registry, catalog::kIngestedSamples).Add({});
  Counter& dropped = AddCounters(registry, catalog::kIngestDropped).Add({});
  Gauge& lag = AddGauges(registry, catalog::kIngestLag).Add({});
  Counter& windows = AddCounters(registry, catalog::kWindowsCompared).Add({});
  Counter& compute = AddCounters(registry, catalog::kWindowCompute).Add({});
  Counter& saves_ok = saves_family.Add({{"result", "ok"}});
  Counter& saves_failed = saves_family.Add({{"result", "failed"}});
  Counter& events_ok = events_family.Add({{"result", "ok"}});
  Counter& events_failed = events_family.Add({{"result", "failed"}});
  Gauge& reload_ok = AddGauges(registry, catalog::kConfigReloadOk).Add({});
  Gauge& history = AddGauges(registry, catalog::kHistoryBytes).Add({});
  Gauge& viewers = AddGauges(registry, catalog::kViewers).Add({});
  Counter& viewers_refused = AddCounters(registry, catalog::kViewersRefused).Add({});
  Counter& frames = AddCounters(registry, catalog::kStreamFrames).Add({});
  Counter& thinned = AddCounters(registry, catalog::kStreamThinned).Add({});
  Counter& cpu = AddCounters(registry, catalog::kDiagnoserCpuSeconds).Add({});
  Gauge& resident = AddGauges(registry, catalog::kDiagnoserResidentMemory).Add({});
  Counter& process_cpu = AddCounters(registry, catalog::kProcessCpuSeconds).Add({});
  Gauge& process_resident = AddGauges(registry, catalog::kProcessResidentMemory).Add({});
  Gauge& process_open_fds = AddGauges(registry, catalog::kProcessOpenFds).Add({});
};

SelfMetrics::SelfMetrics(UnixTime started) : metrics_(std::make_unique<Metrics>()) {
  // Every reason from the start: rates cannot see the first failure of a series that begins at 1.
  for (std::size_t i = 0; i < kFetchFailures; ++i) {
    const auto reason = std::string(Name(static_cast<FetchFailure>(i)));
    metrics_->errors.at(i) = &metrics_->errors_family.Add({{"reason", reason}});
  }
  AddGauges(metrics_->registry, catalog::kDiagnoserBuildInfo)
      .Add({{"version", LIMPET_VERSION}, {"compiler", __VERSION__}})
      .Set(1);
  AddGauges(metrics_->registry, catalog::kDiagnoserStartTime)
      .Add({})
      .Set(ToSeconds(started.time_since_epoch()));
  AddGauges(metrics_->registry, catalog::kProcessStartTime)
      .Add({})
      .Set(ToSeconds(started.time_since_epoch()));
  AddGauges(metrics_->registry, catalog::kProcessMaxFds)
      .Add({})
      .Set(static_cast<double>(::sysconf(_SC_OPEN_MAX)));
  metrics_->reload_ok.Set(1);
}

SelfMetrics::~SelfMetrics() = default;

void SelfMetrics::RecordScrape(std::optional<FetchFailure> failure, std::size_t bytes,
                               std::size_t samples) {
  metrics_->scrapes.Increment();
  metrics_->bytes.Increment(static_cast<double>(bytes));
  metrics_->samples.Increment(static_cast<double>(samples));
  if (failure) {
    metrics_->errors.at(static_cast<std::size_t>(*failure))->Increment();
  }
}

void SelfMetrics::RecordIngest(std::uint64_t refused_so_far, Duration longest_lag) {
  RaiseTo(metrics_->dropped, static_cast<double>(refused_so_far));
  metrics_->lag.Set(ToSeconds(longest_lag));
}

void SelfMetrics::RecordAdvance(std::uint64_t windows_so_far, Duration took) {
  RaiseTo(metrics_->windows, static_cast<double>(windows_so_far));
  metrics_->compute.Increment(ToSeconds(took));
}

void SelfMetrics::RecordStateSave(bool ok, UnixTime at) {
  (ok ? metrics_->saves_ok : metrics_->saves_failed).Increment();
  if (ok) {
    // Not made before the first save: 0 would look like a state saved in 1970.
    metrics_->saved_family.Add({}).Set(ToSeconds(at.time_since_epoch()));
  }
}

void SelfMetrics::RecordEvents(bool ok, std::size_t lines) {
  (ok ? metrics_->events_ok : metrics_->events_failed).Increment(static_cast<double>(lines));
}

void SelfMetrics::RecordReload(bool ok) { metrics_->reload_ok.Set(ok ? 1 : 0); }

void SelfMetrics::RecordLive(const Viewers& viewers, std::size_t history_bytes) {
  metrics_->history.Set(static_cast<double>(history_bytes));
  metrics_->viewers.Set(static_cast<double>(viewers.watching));
  RaiseTo(metrics_->viewers_refused, static_cast<double>(viewers.refused));
  RaiseTo(metrics_->frames, static_cast<double>(viewers.frames));
  RaiseTo(metrics_->thinned, static_cast<double>(viewers.thinned));
}

void SelfMetrics::RecordProcess(const ProcessUse& use) {
  RaiseTo(metrics_->cpu, ToSeconds(use.cpu_time));
  metrics_->resident.Set(use.resident_bytes);
  RaiseTo(metrics_->process_cpu, ToSeconds(use.cpu_time));
  metrics_->process_resident.Set(use.resident_bytes);
  metrics_->process_open_fds.Set(use.open_fds);
}

Families SelfMetrics::Collect() const {
  return FromPrometheus(metrics_->registry.Collect(), catalog::kDiagnoserSelf);
}

}  // namespace limpet
