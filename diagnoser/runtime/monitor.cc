#include "diagnoser/runtime/monitor.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "diagnoser/config/trained.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/metrics.h"
#include "diagnoser/publish/stale.h"
#include "diagnoser/publish/target_metrics.h"
#include "diagnoser/sources/sample_instant.h"
#include "diagnoser/state/codec.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kSamplePeriod = 1s;  // of limpet-exporter
constexpr Duration kSameMessage = 1min;
// The clock may be set back by this much: readings wait until it has caught up. More than the
// pipeline's `future`, so that the clock of one node cannot seem to set ours back.
constexpr Duration kClockSlack = 1min;
constexpr Duration kRememberGone = 24h;  // accumulators of nodes that are no targets any more
constexpr Duration kConcludeEvery = 5s;  // without new windows: what is missing, what is stale

Duration ShortestStep(const PipelineConfig& config) {
  Duration shortest = 15s;
  for (const auto& preset : config.presets) {
    shortest = std::min(shortest, preset.step);
  }
  return shortest;
}

}  // namespace

Monitor::Monitor(DiagnoserConfig config, const PipelineState& state, const Clock& clock,
                 SelfMetrics& metrics, LogSink log, EventSink events)
    : config_(std::move(config)),
      clock_(clock),
      metrics_(metrics),
      log_(log),
      limited_log_(std::move(log), clock, kSameMessage),
      events_(std::move(events)),
      pipeline_(config_.pipeline) {
  const auto now = clock_.Now();
  if (state.last) {
    log_(LogLevel::kInfo, "going on from the state of " +
                              std::to_string(ToSeconds(now - *state.last)) +
                              " s ago: " + std::to_string(state.components.size()) + " filters, " +
                              std::to_string(state.entities.size()) +
                              " disks, interfaces and "
                              "connections");
  }
  const auto rewound = Rewound(state, now, kClockSlack);
  resume_ = rewound.last;
  (void)pipeline_.ImportState(rewound);
  ticked_at_ = now;
  RecordTargets();
  Conclude(clock_.Now());
  Publish();
}

void Monitor::RecordTargets() {
  std::map<std::string, TargetStatus> old;
  old.swap(statuses_);
  labels_.clear();
  const auto forget = [&](const Target& target) {
    pipeline_.ForgetNode(FormatUrl(target.endpoint), target.node);
  };
  for (const auto& target : config_.targets) {
    auto status = std::move(old[target.node]);
    old.erase(target.node);
    if (status.target &&
        (status.target->role != target.role || status.target->labels != target.labels)) {
      forget(*status.target);  // it may have other peers now
    }
    if (status.target && FormatUrl(status.target->endpoint) != FormatUrl(target.endpoint)) {
      if (config_.store) {
        forget(*status.target);  // another exporter's counters
      }
      pipeline_.Forget(FormatUrl(status.target->endpoint));
      status = {};
    }
    status.target = std::make_shared<const Target>(target);
    labels_[target.node] = {target.labels.begin(), target.labels.end()};
    statuses_[target.node] = std::move(status);
  }
  for (const auto& [node, status] : old) {
    if (status.target) {
      forget(*status.target);
    }
  }
}

void Monitor::Take(const FetchedPage& page) {
  const auto found = statuses_.find(page.target->node);
  if (found == statuses_.end() || !(found->second.target->endpoint == page.target->endpoint)) {
    return;  // asked for before a reload
  }
  if (page.result.failure) {
    Failed(page, found->second, *page.result.failure, page.result.error);
  } else {
    Ingest(page, found->second);
  }
}

void Monitor::Ingest(const FetchedPage& page, TargetStatus& status) {
  const auto& target = *page.target;
  const auto sampled = SampleInstant(page.result.body);
  const auto source = FormatUrl(target.endpoint);
  const auto stats = pipeline_.Ingest({.source = source,
                                       .node = target.node,
                                       .role = target.role,
                                       .labels = labels_[target.node],
                                       .at = sampled.value_or(page.result.asked_at),
                                       .format = page.result.format,
                                       .text = page.result.body});
  if (!stats) {
    Failed(page, status, FetchFailure::kPage, stats.error().Text());
    return;
  }
  if (status.scrapes > 0 && !status.up) {
    log_(LogLevel::kInfo, target.node + ": up again");
  }
  RecordSuccess(status, page.result, stats->samples);
  metrics_.RecordScrape(std::nullopt, page.result.body.size(), stats->samples);
  if (sampled) {
    RecordSkew(status, *sampled, page.result.asked_at);
  } else {
    status.clock_skew.reset();
  }
}

void Monitor::Failed(const FetchedPage& page, TargetStatus& status, FetchFailure failure,
                     const std::string& error) {
  limited_log_.Write(LogLevel::kWarning, page.target->node,
                     page.target->node + ": " + FormatUrl(page.target->endpoint) + ": " + error);
  RecordFailure(status, page.result, failure, error);
  metrics_.RecordScrape(failure, page.result.body.size(), 0);
}

void Monitor::RecordSkew(TargetStatus& status, UnixTime sampled, UnixTime asked) {
  const auto skew = ClockSkew(sampled, asked, kSamplePeriod);
  status.clock_skew = skew;
  if (std::max(skew, -skew) > ShortestStep(config_.pipeline) / 2) {
    const auto& node = status.target->node;
    limited_log_.Write(LogLevel::kWarning, node + " clock",
                       node +
                           (skew > Duration::zero()
                                ? ": its clock is ahead of ours by at least "
                                : ": its clock is behind ours, or its samples stand still, by ") +
                           std::to_string(ToSeconds(std::max(skew, -skew))) +
                           " s; windows compare samples of the same second: set the clocks by NTP");
  }
}

bool Monitor::Tick() {
  const auto now = clock_.Now();
  if (now + kClockSlack < ticked_at_) {
    log_(LogLevel::kWarning, "the clock was set back by " +
                                 std::to_string(ToSeconds(ticked_at_ - now)) +
                                 " s: windows begin anew, filters and accumulators stay");
    Restart(config_.pipeline, now);
  }
  ticked_at_ = now;
  const auto began = clock_.Steady();
  std::vector<Event> events;
  if (!config_.store) {
    events = pipeline_.Advance(now - config_.lateness);
  } else if (read_until_) {
    events = pipeline_.Advance(*read_until_);
  }
  const bool closed = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<WindowEvent>(event);
  });
  if (!events.empty() || now - concluded_at_ > kConcludeEvery || now < concluded_at_) {
    Conclude(now);
  }
  if (closed) {
    metrics_.RecordAdvance(view_->counters.windows, clock_.Steady() - began);
  }
  if (!events.empty()) {
    events_(events);
  }
  Publish();
  return closed;
}

void Monitor::Conclude(UnixTime now) {
  concluded_at_ = now;
  auto view = pipeline_.View();
  DropStale(view, config_.pipeline.presets, config_.lateness, now);
  ForgetGoneNodes(view, now);
  const bool stale = view.profiles && view.profiles->stale;
  if (stale && !model_stale_) {
    log_(LogLevel::kWarning,
         "the model of the behaviour profiles is stale: over 5 % of all seconds of the last 10 "
         "minutes fit no profile; train it again on what the nodes do now");
  }
  model_stale_ = stale;
  for (const auto& line : verdict_log_.Update(view)) {
    log_(LogLevel::kWarning, line);
  }
  TellUnseen(view);
  verdicts_ = std::make_shared<const Families>(VerdictFamilies(view, config_.publish));
  // All are on the page now, and many; /api/v1/persistent wants those that have lasted.
  std::erase_if(view.components, [](const auto& one) { return one.accumulator == 0; });
  view.components.shrink_to_fit();
  view_ = std::make_shared<const PipelineView>(std::move(view));
}

// A list that lost a node may find it again: for a day its accumulators are kept.
void Monitor::ForgetGoneNodes(PipelineView& view, UnixTime now) {
  std::set<std::string> known;
  for (const auto& [address, node] : config_.pipeline.addresses) {
    known.insert(node);
  }
  std::map<std::string, UnixTime> gone;
  for (const auto& node : view.nodes) {
    if (!statuses_.contains(node.node) && !known.contains(node.node)) {
      const auto since = gone_.find(node.node);
      gone.emplace(node.node, since == gone_.end() ? now : std::min(since->second, now));
    }
  }
  gone_ = std::move(gone);
  if (gone_.empty()) {
    return;
  }
  DropNodes(view, [&](const std::string& node) { return gone_.contains(node); });
  for (const auto& [node, since] : gone_) {
    if (now - since > kRememberGone) {
      pipeline_.ForgetRecords(node);
    }
  }
}

void Monitor::TellUnseen(const PipelineView& view) {
  if (unseen_told_ || config_.pipeline.thresholds.empty()) {
    return;
  }
  if (const auto texts = UnseenThresholds(config_.pipeline.thresholds, view)) {
    unseen_told_ = true;
    for (const auto& text : *texts) {
      log_(LogLevel::kWarning, text);
    }
  }
}

void Monitor::Publish() {
  auto published = std::make_shared<Published>();
  published->ready = true;
  for (const auto& [node, status] : statuses_) {
    published->ready = published->ready && status.scrapes > 0;
    published->targets.push_back(status);
  }
  for (const auto& source : discovery_) {
    published->ready = published->ready && source.tried;
  }
  auto self = TargetFamilies(published->targets);
  if (config_.store) {
    published->ready = published->ready && store_ && store_->read_until;
    auto store = StoreFamilies(store_.value_or(StoreStatus()));
    std::move(store.begin(), store.end(), std::back_inserter(self));
  }
  auto lists = DiscoveryFamilies(discovery_);
  std::move(lists.begin(), lists.end(), std::back_inserter(self));
  auto own = metrics_.Collect();
  std::move(own.begin(), own.end(), std::back_inserter(self));
  published->page =
      std::make_shared<const RenderedPage>(std::vector<std::shared_ptr<const Families>>{
          verdicts_, std::make_shared<const Families>(std::move(self))});
  published->view = view_;
  published->verdict_log = verdict_log_;
  const std::lock_guard lock(published_mutex_);
  published_ = std::move(published);
}

void Monitor::Reload(DiagnoserConfig config) {
  if (config.store && config.store == config_.store) {  // its nodes are what they were
    config = WithTargets(std::move(config), config_.targets);
  }
  if (!(config_.pipeline == config.pipeline)) {
    Restart(config.pipeline, clock_.Now());
  }
  config_ = std::move(config);
  unseen_told_ = false;
  RecordTargets();
}

void Monitor::SetTargets(DiagnoserConfig next) {
  if (next.pipeline.groups != config_.pipeline.groups) {
    config_.pipeline.groups = std::move(next.pipeline.groups);
    Restart(config_.pipeline, clock_.Now());
  }
  config_.all_groups = std::move(next.all_groups);
  config_.targets = std::move(next.targets);
  config_.lateness = next.lateness;
  RecordTargets();
}

void Monitor::TakeBatch(const StoreBatch& batch) {
  auto next = WithTargets(config_, batch.targets);
  if (next.targets != config_.targets || next.pipeline.groups != config_.pipeline.groups) {
    SetTargets(std::move(next));
  }
  for (const auto& page : batch.pages) {
    Take(page);
  }
  read_until_ = batch.until;
  (void)Tick();
}

void Monitor::SetMasks(const std::vector<std::string>& of_file) {
  auto masked = config_.masked;
  masked.insert(masked.end(), of_file.begin(), of_file.end());
  if (masked != config_.pipeline.masked) {
    log_(LogLevel::kInfo, "masked now: " + std::to_string(masked.size()) + " entries");
    config_.pipeline.masked = masked;
    pipeline_.SetMasked(std::move(masked));
  }
}

// Through the codec: it knows which parts a new configuration may keep.
void Monitor::Restart(const PipelineConfig& config, UnixTime now) {
  const auto kept = DecodeState(EncodedState(), config);
  pipeline_ = Pipeline(config);
  if (kept) {
    (void)pipeline_.ImportState(Rewound(kept->state, now, kClockSlack));
  }
}

std::string Monitor::EncodedState() const {
  return EncodeState(pipeline_.ExportState(), config_.pipeline);
}

std::shared_ptr<const Published> Monitor::Latest() const {
  const std::lock_guard lock(published_mutex_);
  return published_;
}

}  // namespace limpet
