// What came of a target or a store, or did not: into the pipeline, and what is known of the target.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "diagnoser/publish/foreign_pages.h"
#include "diagnoser/runtime/monitor.h"
#include "diagnoser/sources/sample_instant.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

Duration ShortestStep(const PipelineConfig& config) {
  Duration shortest = 15s;
  for (const auto& preset : config.presets) {
    shortest = std::min(shortest, preset.step);
  }
  return shortest;
}

}  // namespace

void Monitor::Ingest(const FetchedPage& page) {
  const auto found = statuses_.find(page.target->node);
  // Nodes may move to another address under the same name.
  if (found == statuses_.end() || !(found->second.target->endpoint == page.target->endpoint)) {
    return;  // asked for before a reload
  }
  if (page.result.failure) {
    HandleFailure(page, found->second, *page.result.failure, page.result.error);
  } else {
    IngestPage(page, found->second);
  }
}

void Monitor::IngestPage(const FetchedPage& page, TargetStatus& status) {
  const auto& target = *page.target;
  const auto sampled = SampleInstant(page.result.body);
  // The exporter says when it read the kernel; when the page came says less.
  const auto source = FormatUrl(target.endpoint);
  const auto stats = pipeline_.Ingest({.source = source,
                                       .node = target.node,
                                       .role = target.role,
                                       .labels = labels_[target.node],
                                       .at = sampled.value_or(page.result.asked_at),
                                       .format = page.result.format,
                                       .text = page.result.body});
  if (!stats) {
    HandleFailure(page, status, FetchFailure::kPage, stats.error().Text());
    return;
  }
  if (status.scrapes > 0 && !status.up) {  // not the first page of all
    log_(LogLevel::kInfo, target.node + ": up again");
  }
  RecordSuccess(status, page.result, stats->samples);
  RecordOverLimit(status, stats->over_limit);
  metrics_.RecordScrape(std::nullopt, page.result.body.size(), stats->samples);
  RecordForeign(status, *stats);
  if (settings_.store && stats->last) {
    spacing_.Add(status.target->node, *stats->last);
  }
  if (sampled) {
    RecordSkew(status, *sampled, page.result);
  } else {
    status.clock_skew = page.clock_skew;  // a store knows both clocks
  }
}

void Monitor::RecordForeign(TargetStatus& status, const IngestStats& stats) {
  const auto& node = status.target->node;
  for (const auto& one : stats.replaced) {
    ++status.identity_changes[std::string(Name(one.change))];
    limited_log_.Write(LogLevel::kWarning, node + " replaced", Text(one));
  }
  for (std::size_t i = 0; i < kQuantities; ++i) {
    if (stats.impossible[i] > 0) {
      status.refused_increases[std::string(Name(static_cast<Quantity>(i)))] += stats.impossible[i];
    }
  }
  for (const auto& one : stats.examples) {
    limited_log_.Write(LogLevel::kWarning, node + " impossible", Text(one));
  }
}

void Monitor::HandleFailure(const FetchedPage& page, TargetStatus& status, FetchFailure failure,
                            const std::string& error) {
  limited_log_.Write(LogLevel::kWarning, page.target->node,
                     page.target->node + ": " + FormatUrl(page.target->endpoint) + ": " + error);
  RecordFailure(status, page.result, failure, error);
  metrics_.RecordScrape(failure, page.result.body.size(), 0);
}

void Monitor::RecordOverLimit(TargetStatus& status, std::size_t series) {
  status.over_limit = series;
  if (series > 0) {
    const auto& limits = plan_.pipeline.limits;
    const auto& node = status.target->node;
    limited_log_.Write(
        LogLevel::kWarning, node + " limits",
        fmt::format(
            "{}: {} of its series are left out: a target may have {} devices of a kind, {} "
            "components and {} lines, all together {} components and a share of {} more; the "
            "other targets are not concerned",
            node, series, limits.max_devices_per_node, limits.max_components_per_node,
            limits.max_page_lines, limits.max_components, limits.reserved_components));
  }
}

void Monitor::RecordSkew(TargetStatus& status, UnixTime sampled, const FetchResult& result) {
  const auto skew =
      ClockSkew(sampled, result.asked_at, result.asked_at + result.took, kSamplePeriod);
  status.clock_skew = skew;
  // Over half a step, samples of the same second land in different bins.
  if (std::max(skew, -skew) > ShortestStep(plan_.pipeline) / 2) {
    const auto& node = status.target->node;
    const auto* const what = skew > Duration::zero()
                                 ? "its clock is ahead of ours by at least"
                                 : "its clock is behind ours, or its samples stand still, by";
    limited_log_.Write(
        LogLevel::kWarning, node + " clock",
        fmt::format(
            "{}: {} {:.3f} s; windows compare samples of the same second, so keep the clocks "
            "in step with NTP",
            node, what, ToSeconds(std::max(skew, -skew))));
  }
}

void Monitor::Ingest(const StoreBatch& batch) {
  // Every batch says who is there; mostly it is the same nodes.
  auto next = MakePlan(settings_, batch.targets, plan_.all_groups);
  if (next.targets != plan_.targets || next.pipeline.groups != plan_.pipeline.groups) {
    SetPlan(std::move(next));
  }
  for (const auto& page : batch.pages) {
    Ingest(page);
  }
  read_until_ = batch.until;
  LogStore(batch);
  (void)Tick();
}

void Monitor::LogStore(const StoreBatch& batch) {
  if (!settings_.store) {
    return;
  }
  const auto& store = *settings_.store;
  const auto spacing = spacing_.Typical();
  if (batch.targets.empty()) {
    limited_log_.Write(LogLevel::kWarning, "store", DescribeEmptyStore(store, store.catch_up));
  } else if (spacing && *spacing > plan_.pipeline.presets.front().MaxGap()) {
    if (const auto slip = FindStepSlip(store, spacing)) {
      limited_log_.Write(LogLevel::kWarning, "store", *slip);
    }
  }
}

}  // namespace limpet
