#include "diagnoser/history/recorder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <variant>

#include "diagnoser/verdict/root_cause.h"

namespace limpet {
namespace {

// Series of bands a tick: each is as much work as sampling its group once more.
constexpr std::size_t kMaxBandsAtOnce = 8;
// Components drawn in one band; in a storm the first will do.
constexpr std::size_t kMaxOwn = 64;
constexpr Duration kClusterEvery = std::chrono::seconds(2);
constexpr Duration kHourlyEvery = std::chrono::minutes(1);
constexpr Duration kSpaceEvery = std::chrono::minutes(1);
constexpr int kRatesAStep = 4;  // a change shows a quarter of a step late at most

// Windows take most of the room; activity, past loads, verdicts with their bands an eighth each.
std::size_t ActivityShare(std::size_t bytes) { return bytes / 8; }
std::size_t PastShare(std::size_t bytes) { return bytes / 8; }
std::size_t WindowShare(std::size_t bytes) { return bytes / 8 * 5; }
std::size_t VerdictShare(std::size_t bytes) {
  return bytes - WindowShare(bytes) - ActivityShare(bytes) - PastShare(bytes);
}

std::vector<std::string> AnomalousComponents(const WindowEvent& event) {
  std::vector<std::string> names;
  for (const auto& component : event.components) {
    if (component.window_anomalous && names.size() < kMaxOwn) {
      names.push_back(component.component);
    }
  }
  return names;
}

}  // namespace

Recorder::Recorder(HistorySettings settings, std::vector<PresetSettings> presets)
    : settings_(settings),
      presets_(std::move(presets)),
      verdicts_(settings.duration, VerdictShare(settings.max_bytes)),
      windows_(settings.duration, WindowShare(settings.max_bytes)),
      activity_(settings.duration, ActivityShare(settings.max_bytes)),
      past_(settings.duration, PastShare(settings.max_bytes)) {
  live_.cluster = std::make_shared<const Cluster>();
  live_.verdicts = std::make_shared<const std::vector<VerdictPtr>>();
  live_.latest_changes = std::make_shared<const std::deque<VerdictPtr>>();
  live_.windows = std::make_shared<const WindowHistory::BySeries>();
  live_.heat = std::make_shared<const Heat>();
  live_.activity = std::make_shared<const ActivitySteps>();
  live_.past = std::make_shared<const PastSteps>();
  live_.hourly = std::make_shared<const std::vector<HourlyRows>>();
  live_.view = std::make_shared<const PipelineView>();
}

void Recorder::Reload(HistorySettings settings, std::vector<PresetSettings> presets) {
  settings_ = settings;
  presets_ = std::move(presets);
  verdicts_.SetBounds(settings.duration, VerdictShare(settings.max_bytes));
  activity_.SetBounds(settings.duration, ActivityShare(settings.max_bytes));
  past_.SetBounds(settings.duration, PastShare(settings.max_bytes));
  windows_.SetBounds(settings.duration, WindowShare(settings.max_bytes));
  roster_version_.reset();
}

void Recorder::SetKnown(KnownNodes known) {
  known_changed_ = true;
  known_ = std::move(known);
}

void Recorder::SetUp(const IsUp& is_up) {
  for (auto& [name, node] : known_) {
    node.up = is_up(name);
  }
}

void Recorder::Record(const std::vector<Event>& events, const Pipeline& pipeline,
                      const PipelineView& all, UnixTime now) {
  began_ = began_ ? began_ : std::optional(now);
  RecordWindows(events, pipeline);
  const auto before = verdicts_.Changes();
  verdicts_.Update(all, bands_);
  if (verdicts_.Changes() != before) {
    live_.verdicts = std::make_shared<const std::vector<VerdictPtr>>(verdicts_.Snapshot());
    live_.latest_changes = std::make_shared<const std::deque<VerdictPtr>>(verdicts_.Latest());
    live_.verdict_changes = verdicts_.Changes();
  }
  live_.complete_since = std::max(began_, verdicts_.DroppedUntil());
  RecordStates(all);
  if (heat_.Record(now, states_)) {
    live_.heat = std::make_shared<const Heat>(heat_);
  }
  UpdateHourly(pipeline, now);
}

bool Recorder::IsScale(const std::string& preset) const {
  return std::any_of(presets_.begin(), presets_.end(), [&](const PresetSettings& one) {
    return one.name == preset && one.IsScale();
  });
}

void Recorder::RecordWindows(const std::vector<Event>& events, const Pipeline& pipeline) {
  std::vector<const WindowEvent*> windows;
  for (const auto& event : events) {
    if (const auto* const window = std::get_if<WindowEvent>(&event)) {
      // Scales see the same data again: of them only what explains a flag is kept.
      if (!IsScale(window->preset)) {
        windows_.Add(*window);
      }
      windows.push_back(window);
    }
  }
  if (windows.empty()) {
    return;
  }
  windows_.Trim();
  live_.windows = std::make_shared<const WindowHistory::BySeries>(windows_.Snapshot());
  CollectBands(windows, pipeline);
}

// Before anybody is flagged: by then the data of the first windows that decided is gone.
void Recorder::CollectBands(const std::vector<const WindowEvent*>& windows,
                            const Pipeline& pipeline) {
  std::size_t made = 0;
  for (const auto* const window : windows) {
    if (made == kMaxBandsAtOnce || !IsOnChecklist(window->metric)) {
      continue;
    }
    auto components = AnomalousComponents(*window);
    if (components.empty()) {
      continue;
    }
    auto band = pipeline.Band({.preset = window->preset,
                               .group = window->group,
                               .metric = window->metric,
                               .end = window->end,
                               .components = std::move(components)});
    if (band) {
      bands_.push_back(std::make_shared<const PeerBand>(*std::move(band)));
      ++made;
    }
  }
  // No flag looks back further than 2k - 1 windows; records hold on to those that they need.
  std::erase_if(bands_, [&](const auto& band) {
    const auto preset = std::find_if(presets_.begin(), presets_.end(),
                                     [&](const auto& one) { return one.name == band->preset; });
    return preset == presets_.end() ||
           band->end + preset->Shift() * static_cast<Duration::rep>(2 * preset->k) <
               windows.back()->end;
  });
}

void Recorder::RecordStates(const PipelineView& all) {
  states_.clear();
  std::unordered_map<std::string_view, bool> on_checklist;
  for (const auto& component : all.components) {
    const auto [metric, is_new] = on_checklist.try_emplace(component.metric, false);
    if (is_new) {
      metric->second = IsOnChecklist(component.metric);
    }
    if (metric->second) {
      auto& degree = states_[component.node].degree;
      degree = std::isnan(degree) ? component.degree : std::max(degree, component.degree);
    }
  }
  for (const auto& node : all.nodes) {
    auto& state = states_[node.node];
    if (accepted_.contains({node.node, Name(node.cause)})) {
      state.degree = std::min(state.degree, 1.0);
      continue;
    }
    // Of several presets the first that indicts it.
    if (node.cause != Cause::kNone && (state.cause == Cause::kNone || node.indicted)) {
      state.cause = node.cause;
    }
    if (node.degree > 0) {
      state.degree = std::isnan(state.degree) ? node.degree : std::max(state.degree, node.degree);
    }
  }
}

void Recorder::UpdateCluster(const Pipeline& pipeline, UnixTime now) {
  const auto version = pipeline.RosterVersion();
  // Connections come and go all the time, and change the version without changing anything here.
  const bool soon = cluster_at_ && !live_.cluster->nodes.empty() && now >= *cluster_at_ &&
                    now - *cluster_at_ < kClusterEvery;
  if (!known_changed_ && (version == roster_version_ || soon)) {
    return;
  }
  cluster_at_ = now;
  roster_version_ = version;
  known_changed_ = false;
  auto cluster = MakeCluster(pipeline.MakeRoster(), known_, presets_);
  if (cluster.SameAs(*live_.cluster)) {
    return;  // somebody came to a group's door and was not let in
  }
  cluster.version = live_.cluster->version + 1;
  live_.cluster = std::make_shared<const Cluster>(std::move(cluster));
}

void Recorder::UpdateHourly(const Pipeline& pipeline, UnixTime now) {
  if (!hourly_at_ || now - *hourly_at_ >= kHourlyEvery || now < *hourly_at_) {
    hourly_at_ = now;
    live_.hourly = std::make_shared<const std::vector<HourlyRows>>(pipeline.Hourly());
  }
}

// What takes a look at every series of every node.
void Recorder::UpdateSlow(const Pipeline& pipeline, UnixTime at) {
  const bool is_due = activity_.IsDue(at);
  if (is_due) {
    activity_.Record(at, pipeline.Activity());
    live_.activity = std::make_shared<const ActivitySteps>(activity_.Steps());
    slow_.activity = activity_.Steps().empty() ? nullptr : activity_.Steps().back();
  }
  // Exporters read it once a minute: until some is there, it is looked for with every step.
  if (!space_at_ || at - *space_at_ >= kSpaceEvery || at < *space_at_ ||
      (is_due && slow_.used_space.empty())) {
    space_at_ = at;
    slow_.used_space = pipeline.UsedSpace(at);
  }
}

// Of pages that come every 15 s, a rate is a mean of 15 s: to look at all of them every second, for
// a fifteenth that is new, would be a sixth of the diagnoser's work.
void Recorder::UpdateRates(const Pipeline& pipeline, UnixTime at, UnixTime oldest) {
  if (!rates_at_ || at < *rates_at_ || (at - *rates_at_) * kRatesAStep >= pipeline.RateStep()) {
    rates_at_ = at;
    rates_ = pipeline.Rates({.oldest = oldest, .latest = at});
  }
}

void Recorder::AddFrame(const Pipeline& pipeline, UnixTime at, UnixTime oldest, UnixTime now) {
  UpdateCluster(pipeline, now);
  UpdateSlow(pipeline, at);
  UpdateRates(pipeline, at, oldest);
  auto frame = MakeFrame(live_.cluster, rates_, states_, known_, slow_);
  frame.time = at;
  const auto id = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  frame.id = static_cast<std::uint64_t>(id.count());
  if (!live_.frames.empty()) {
    // Monotonic, whatever the clock does.
    frame.id = std::max(frame.id, live_.frames.back()->id + 1);
  }
  frame.verdict_changes = live_.verdict_changes;
  if (past_.Record(frame)) {
    live_.past = std::make_shared<const PastSteps>(past_.Steps());
  }
  live_.frames.push_back(std::make_shared<const Frame>(std::move(frame)));
  if (live_.frames.size() > kKeptFrames) {
    live_.frames.erase(live_.frames.begin());
  }
}

std::shared_ptr<const LiveView> Recorder::View() const {
  return std::make_shared<const LiveView>(live_);
}

std::size_t Recorder::Bytes() const {
  return verdicts_.Bytes() + windows_.Bytes() + heat_.Bytes() + activity_.Bytes() + past_.Bytes();
}

}  // namespace limpet
