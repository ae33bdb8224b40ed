#include "diagnoser/runtime/self_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <array>
#include <string>

#include "exporter/common/exposition/catalog/diagnoser.h"
#include "exporter/common/exposition/prometheus_bridge.h"

namespace limpet {
namespace {

using Counter = prometheus::Counter;
using Gauge = prometheus::Gauge;

prometheus::Family<Counter>& Counters(prometheus::Registry& registry, const MetricInfo& info) {
  return prometheus::BuildCounter()
      .Name(std::string(info.name))
      .Help(std::string(info.help))
      .Register(registry);
}
prometheus::Family<Gauge>& Gauges(prometheus::Registry& registry, const MetricInfo& info) {
  return prometheus::BuildGauge()
      .Name(std::string(info.name))
      .Help(std::string(info.help))
      .Register(registry);
}
Counter& One(prometheus::Registry& registry, const MetricInfo& info) {
  return Counters(registry, info).Add({});
}

// Brings a counter to a total that is counted elsewhere.
void RaiseTo(Counter& counter, double total) {
  counter.Increment(std::max(0.0, total - counter.Value()));
}

}  // namespace

struct SelfMetrics::Metrics {
  prometheus::Registry registry;
  prometheus::Family<Counter>& errors_family = Counters(registry, catalog::kTargetScrapeErrors);
  prometheus::Family<Counter>& saves_family = Counters(registry, catalog::kStateSaves);
  prometheus::Family<Counter>& events_family = Counters(registry, catalog::kEventsWritten);
  prometheus::Family<Gauge>& saved_family = Gauges(registry, catalog::kStateSaved);
  std::array<Counter*, kFetchFailures> errors{};
  Counter& scrapes = One(registry, catalog::kTargetScrapes);
  Counter& bytes = One(registry, catalog::kTargetScrapedBytes);
  Counter& samples = One(registry, catalog::kIngestedSamples);
  Counter& dropped = One(registry, catalog::kIngestDropped);
  Gauge& lag = Gauges(registry, catalog::kIngestLag).Add({});
  Counter& windows = One(registry, catalog::kWindowsCompared);
  Counter& compute = One(registry, catalog::kWindowCompute);
  Counter& saves_ok = saves_family.Add({{"result", "ok"}});
  Counter& saves_failed = saves_family.Add({{"result", "failed"}});
  Counter& events_ok = events_family.Add({{"result", "ok"}});
  Counter& events_failed = events_family.Add({{"result", "failed"}});
  Gauge& reload_ok = Gauges(registry, catalog::kConfigReloadOk).Add({});
  Counter& cpu = One(registry, catalog::kDiagnoserCpuSeconds);
  Gauge& resident = Gauges(registry, catalog::kDiagnoserResidentMemory).Add({});
};

SelfMetrics::SelfMetrics(UnixTime started) : metrics_(std::make_unique<Metrics>()) {
  for (std::size_t i = 0; i < kFetchFailures; ++i) {
    const auto reason = std::string(Name(static_cast<FetchFailure>(i)));
    metrics_->errors.at(i) = &metrics_->errors_family.Add({{"reason", reason}});
  }
  Gauges(metrics_->registry, catalog::kDiagnoserBuildInfo)
      .Add({{"version", LIMPET_VERSION}, {"compiler", __VERSION__}})
      .Set(1);
  Gauges(metrics_->registry, catalog::kDiagnoserStartTime)
      .Add({})
      .Set(ToSeconds(started.time_since_epoch()));
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
    metrics_->saved_family.Add({}).Set(ToSeconds(at.time_since_epoch()));
  }
}

void SelfMetrics::RecordEvents(bool ok, std::size_t lines) {
  (ok ? metrics_->events_ok : metrics_->events_failed).Increment(static_cast<double>(lines));
}

void SelfMetrics::RecordReload(bool ok) { metrics_->reload_ok.Set(ok ? 1 : 0); }

void SelfMetrics::RecordProcess(const ProcessUse& use) {
  RaiseTo(metrics_->cpu, ToSeconds(use.cpu_time));
  metrics_->resident.Set(use.resident_bytes);
}

Families SelfMetrics::Collect() const {
  return FromPrometheus(metrics_->registry.Collect(), catalog::kDiagnoserSelf);
}

}  // namespace limpet
