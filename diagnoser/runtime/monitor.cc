#include "diagnoser/runtime/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "diagnoser/config/trained.h"
#include "diagnoser/publish/evidence_metrics.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/incidents.h"
#include "diagnoser/publish/judgement_pages.h"
#include "diagnoser/publish/metrics.h"
#include "diagnoser/publish/stale.h"
#include "diagnoser/publish/target_metrics.h"
#include "diagnoser/state/codec.h"
#include "diagnoser/state/migrate.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kSameWarning = 1min;
// The clock may be set back by this much: readings wait until it has caught up. More than the
// pipeline's `future`, so that the clock of one node cannot seem to set ours back.
constexpr Duration kClockSlack = 1min;
constexpr Duration kRememberGone = 24h;  // accumulators of nodes that are no targets any more
constexpr Duration kConcludeEvery = 5s;  // without new windows: what is missing, what is stale

}  // namespace

Monitor::Monitor(DiagnoserSettings settings, DiagnosisPlan plan, const PipelineState& state,
                 const Clock& clock, SelfMetrics& metrics, LogSink log, EventSink events)
    : settings_(std::move(settings)),
      plan_(std::move(plan)),
      clock_(clock),
      metrics_(metrics),
      log_(log),
      limited_log_(std::move(log), clock, kSameWarning),
      events_(std::move(events)),
      pipeline_(plan_.pipeline),
      incidents_(settings_.incidents.cluster, {}),
      recorder_(settings_.history, plan_.pipeline.presets) {
  const auto now = clock_.Now();
  if (state.last) {
    log_(LogLevel::kInfo,
         fmt::format("going on from the state of {:.1f} s ago: {} filters, {} disks, "
                     "interfaces and connections",
                     ToSeconds(now - *state.last), state.components.size(), state.entities.size()));
  }
  // The clock may have been set back while we were away.
  const auto rewound = Rewound(state, now, kClockSlack);
  resume_ = rewound.last;
  pipeline_.ExpectNodes(plan_.targets.size());
  (void)pipeline_.ImportState(rewound);
  ticked_at_ = now;
  UpdateTargets();
  // There is a page from the first moment on: the web server starts next.
  Conclude(clock_.Now(), {});
  Publish();
  PublishFrame();
}

void Monitor::WorkBy(SideBySide for_each) {
  for_each_ = std::move(for_each);
  pipeline_.WorkBy(for_each_);
}

void Monitor::ForgetTarget(const Target& target) {
  pipeline_.ForgetNode(FormatUrl(target.endpoint), target.node);
}

void Monitor::UpdateTargets() {
  std::map<std::string, TargetStatus> old;
  old.swap(statuses_);
  labels_.clear();
  pipeline_.ExpectNodes(plan_.targets.size());
  for (const auto& target : plan_.targets) {
    // A target that is as before keeps what is known of it: a reload is no reason to be unready.
    auto status = std::move(old[target.node]);
    old.erase(target.node);
    if (status.target &&
        (status.target->role != target.role || status.target->labels != target.labels)) {
      ForgetTarget(*status.target);  // it may have other peers now
    }
    if (status.target && FormatUrl(status.target->endpoint) != FormatUrl(target.endpoint)) {
      if (settings_.store) {
        ForgetTarget(*status.target);  // another exporter's counters
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
      ForgetTarget(*status.target);
    }
  }
  recorder_.SetKnown(ListKnown());
}

bool Monitor::Tick() {
  const auto now = clock_.Now();
  if (now + kClockSlack < ticked_at_) {
    log_(LogLevel::kWarning,
         fmt::format("the clock was set back by {:.3f} s: windows start afresh; "
                     "filters and accumulators stay",
                     ToSeconds(ticked_at_ - now)));
    Restart(plan_.pipeline, now);
  }
  ticked_at_ = now;
  const auto began = clock_.Steady();
  // A store is closed by its own steps, however far behind the clock it is.
  std::vector<Event> events;
  if (!settings_.store) {
    events = pipeline_.Advance(now - plan_.lateness);
  } else if (read_until_) {
    events = pipeline_.Advance(*read_until_);
  }
  JoinProbes(events);
  const bool closed = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<WindowEvent>(event);
  });
  // The verdicts of thousands of components are rendered only when they can have changed.
  // A conclusion of the future (a clock set back a little) must not put off the next one.
  if (!events.empty() || now - concluded_at_ > kConcludeEvery || now < concluded_at_) {
    Conclude(now, events);
  }
  memory_.After(pipeline_.Counters().forgotten);
  if (closed) {
    metrics_.RecordAdvance(view_->counters.windows, clock_.Steady() - began);
  }
  if (!events.empty()) {
    JoinIncidents(events);
    events_(events);
  }
  Publish();
  PublishFrame();
  return closed;
}

void Monitor::Conclude(UnixTime now, const std::vector<Event>& events) {
  concluded_at_ = now;
  auto view = pipeline_.View();
  DropStale(view, plan_.pipeline.presets, plan_.lateness, now);
  ForgetGoneNodes(view, now);
  JoinProbes(view);
  deciding_.Apply(view.verdicts, now);
  view.judgements = Judge(view, now);
  AcceptKnown();
  recorder_.Record(events, pipeline_, view, now);
  TrackIncidents(view);
  const bool stale = view.profiles && view.profiles->stale;
  if (stale && !stale_logged_) {
    log_(
        LogLevel::kWarning,
        "the model of the behaviour profiles is stale: more than 5 % of all seconds of the last 10 "
        "minutes fit no profile; train it again on what the nodes do now");
  }
  stale_logged_ = stale;
  for (const auto& line : verdict_log_.Update(view)) {
    log_(LogLevel::kWarning, line);
  }
  LogUnseen(view);
  LogKinds(view);
  AdaptDetail(view);
  auto families = VerdictFamilies(view, {.detail = detail_, .top = settings_.publish.top});
  auto evidence = EvidenceFamilies(view, verdict_log_);
  std::move(evidence.begin(), evidence.end(), std::back_inserter(families));
  auto judged = JudgementFamilies(view.judgements);
  std::move(judged.begin(), judged.end(), std::back_inserter(families));
  verdicts_ = std::make_shared<const Families>(std::move(families));
  // All are on the page now, and many; /api/v1/persistent wants those that have lasted.
  std::erase_if(view.components, [](const auto& one) { return one.accumulator == 0; });
  view.components.shrink_to_fit();
  view_ = std::make_shared<const PipelineView>(std::move(view));
  recorder_.SetView(view_);
}

Judgements Monitor::Judge(const PipelineView& view, UnixTime now) const {
  std::vector<KnownServer> known;
  known.reserve(statuses_.size());
  for (const auto& [node, status] : statuses_) {
    // A second target of a machine is no server of its own (custom/readings.h).
    const auto host = status.target->labels.find("host");
    if (host != status.target->labels.end() && host->second != node &&
        statuses_.contains(host->second)) {
      continue;
    }
    known.push_back({.node = node,
                     .up = status.scrapes == 0 ? std::nullopt : std::optional(status.up),
                     .error = status.error});
  }
  return JudgeServers({.view = &view,
                       .presets = plan_.pipeline.presets,
                       .lateness = plan_.lateness,
                       .now = now,
                       .known = std::move(known),
                       .data_step = spacing_.Typical()});
}

void Monitor::JoinProbes(PipelineView& view) {
  if (!settings_.probe.enabled || !ask_probe_) {
    return;
  }
  const auto now = clock_.Steady();
  // An exporter that does not even answer scrapes would cost the round all its time.
  const auto find = [this](const std::string& node) -> const Endpoint* {
    const auto status = statuses_.find(node);
    return status == statuses_.end() || !status->second.up ? nullptr
                                                           : &status->second.target->endpoint;
  };
  if (auto round =
          probes_.Choose(view, settings_.probe.interval, find, now, acts_.WantedProbes())) {
    ask_probe_(*std::move(round));
  }
  for (auto& verdict : view.verdicts) {
    probes_.Join(verdict, now);
  }
}

void Monitor::JoinProbes(std::vector<Event>& events) const {
  if (!settings_.probe.enabled) {
    return;
  }
  for (auto& event : events) {
    if (auto* verdict = std::get_if<VerdictEvent>(&event)) {
      probes_.Join(*verdict, clock_.Steady());
    }
  }
}

void Monitor::AddProbe(const ProbeReadings& readings) {
  limited_log_.Write(LogLevel::kWarning, "probe " + readings.front().node,
                     "probe: " + probes_.Add(readings, clock_.Steady()));
  // With the next tick, not with the next window.
  concluded_at_ = {};
}

KnownNodes Monitor::ListKnown() const {
  KnownNodes known;
  for (const auto& target : plan_.targets) {
    known[target.node] = {.role = target.role, .labels = target.labels, .up = std::nullopt};
  }
  return known;
}

void Monitor::PublishFrame() {
  recorder_.SetUp([this](const std::string& node) -> std::optional<bool> {
    const auto status = statuses_.find(node);
    if (status == statuses_.end() || status->second.scrapes == 0) {
      return std::nullopt;
    }
    return status->second.up;
  });
  const auto now = clock_.Now();
  // A store is behind the clock by its own lateness.
  const auto at = settings_.store && read_until_ ? *read_until_ : now;
  const auto oldest = at - plan_.lateness - plan_.pipeline.presets.front().MaxGap();
  recorder_.AddFrame(pipeline_, at, oldest, now);
  auto live = recorder_.View();
  const std::lock_guard lock(published_mutex_);
  live_ = std::move(live);
}

std::shared_ptr<const LiveView> Monitor::LatestLive() const {
  const std::lock_guard lock(published_mutex_);
  return live_;
}

// A list that lost a node may find it again: for a day its accumulators are kept.
void Monitor::ForgetGoneNodes(PipelineView& view, UnixTime now) {
  // Servers that only others tell of (addresses, for congestion windows) are not gone.
  std::set<std::string> known;
  for (const auto& [address, node] : plan_.pipeline.addresses) {
    known.insert(node);
  }
  std::map<std::string, UnixTime> gone;
  for (const auto& node : view.nodes) {
    if (!statuses_.contains(node.node) && !known.contains(node.node)) {
      // The earlier of both: a clock that was set back must not make a node's day longer.
      const auto since = gone_.find(node.node);
      gone.emplace(node.node, since == gone_.end() ? now : std::min(since->second, now));
    }
  }
  // Of this view alone: who came back begins a new day when it goes again.
  gone_ = std::move(gone);
  if (gone_.empty()) {
    return;
  }
  // Kept, but not shown: nobody is to be paged for a server that is no more.
  DropNodes(view, [&](const std::string& node) { return gone_.contains(node); });
  for (const auto& [node, since] : gone_) {
    if (now - since > kRememberGone) {
      pipeline_.ForgetRecords(node);
    }
  }
}

void Monitor::LogUnseen(const PipelineView& view) {
  if (unseen_logged_ || plan_.pipeline.thresholds.empty()) {
    return;
  }
  if (const auto texts = UnseenThresholds(plan_.pipeline.thresholds, view)) {
    // Once: a component that is not there is missing in every window.
    unseen_logged_ = true;
    for (const auto& text : *texts) {
      log_(LogLevel::kWarning, text);
    }
  }
}

void Monitor::LogKinds(const PipelineView& view) {
  for (const auto& group : view.disk_kinds) {
    auto& told = told_kinds_[group.group];
    if (group.several && told.kinds != group.kinds) {
      log_(LogLevel::kInfo, "peer group " + group.group + ": " + group.kinds);
    }
    for (const auto& text : group.alone) {
      if (std::ranges::find(told.alone, text) == told.alone.end()) {
        limited_log_.Write(LogLevel::kWarning, text, text);
      }
    }
    told = group;
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
  // Two lists: the verdicts stay as they are between windows, what we say of ourselves never does.
  auto self = TargetFamilies(published->targets);
  if (settings_.store) {
    published->ready = published->ready && store_ && store_->read_until;
    auto store = StoreFamilies(store_.value_or(StoreStatus()));
    std::move(store.begin(), store.end(), std::back_inserter(self));
  }
  auto lists = DiscoveryFamilies(discovery_);
  std::move(lists.begin(), lists.end(), std::back_inserter(self));
  if (keeper_ != nullptr) {
    const auto book = keeper_->Book();
    auto incidents = IncidentFamilies(keeper_->Status(), book->precision, book->open);
    std::move(incidents.begin(), incidents.end(), std::back_inserter(self));
  }
  auto own = metrics_.Collect();
  std::move(own.begin(), own.end(), std::back_inserter(self));
  published->page =
      std::make_shared<const RenderedPage>(std::vector<std::shared_ptr<const Families>>{
          verdicts_, std::make_shared<const Families>(std::move(self))});
  published->view = view_;
  // Only the pointer is swapped under the lock: pages are rendered by whoever asks first.
  const std::lock_guard lock(published_mutex_);
  published_ = std::move(published);
}

void Monitor::Reload(DiagnoserSettings settings, DiagnosisPlan plan) {
  if (settings.store && settings.store == settings_.store) {  // its nodes are what they were
    plan = MakePlan(settings, plan_.targets, plan.all_groups);
  }
  // Before plan_ is replaced: Restart describes by it what the old state was made under.
  // A reload of other things (publishing, logs) leaves the pipeline running.
  if (!(plan_.pipeline == plan.pipeline)) {
    Restart(plan.pipeline, clock_.Now());
  }
  settings_ = std::move(settings);
  plan_ = std::move(plan);
  recorder_.Reload(settings_.history, plan_.pipeline.presets);
  incidents_.SetCluster(settings_.incidents.cluster);
  incidents_.SetSilences(FilterLengths(plan_.pipeline.presets));
  acts_.SetSettings(settings_.incidents.actions);
  unseen_logged_ = false;
  UpdateTargets();
}

void Monitor::SetPlan(DiagnosisPlan next) {
  if (next.pipeline.groups != plan_.pipeline.groups) {
    // Its masks may be older than those of the file, so ours stay.
    auto pipeline = plan_.pipeline;
    pipeline.groups = std::move(next.pipeline.groups);
    Restart(pipeline, clock_.Now());
    plan_.pipeline = std::move(pipeline);
  }
  plan_.all_groups = std::move(next.all_groups);
  plan_.targets = std::move(next.targets);
  plan_.lateness = next.lateness;
  UpdateTargets();
}

void Monitor::SetMasks(const std::vector<std::string>& of_file) {
  auto masked = settings_.masked;
  masked.insert(masked.end(), of_file.begin(), of_file.end());
  if (masked != plan_.pipeline.masked) {
    log_(LogLevel::kInfo, "masked now: " + std::to_string(masked.size()) + " entries");
    plan_.pipeline.masked = masked;
    pipeline_.SetMasked(std::move(masked));
  }
}

void Monitor::Restart(const PipelineConfig& config, UnixTime now) {
  auto migrated =
      Migrate({.state = pipeline_.ExportState(), .origin = DescribeOrigin(plan_.pipeline)}, config);
  pipeline_ = Pipeline(config);
  pipeline_.WorkBy(for_each_);
  recorder_.Restart();
  pipeline_.ExpectNodes(plan_.targets.size());
  (void)pipeline_.ImportState(Rewound(std::move(migrated.state), now, kClockSlack));
}

std::function<std::string()> Monitor::SnapshotState() {
  return [state = std::make_shared<const PipelineState>(pipeline_.ExportState()),
          config = plan_.pipeline] { return EncodeState(*state, config); };
}

std::shared_ptr<const Published> Monitor::Latest() const {
  const std::lock_guard lock(published_mutex_);
  return published_;
}

}  // namespace limpet
