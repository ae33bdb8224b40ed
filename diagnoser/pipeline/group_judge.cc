#include "diagnoser/pipeline/group_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "diagnoser/detect/cwnd.h"
#include "diagnoser/detect/gates.h"
#include "diagnoser/pipeline/window_samples.h"
#include "diagnoser/series/metrics.h"

namespace limpet {
namespace {

constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

// One metric of the group in this window: who takes part, and how they compare.
struct MetricWindow {
  std::vector<std::size_t> who;    // numbers of members
  std::vector<std::size_t> place;  // of each member in `who`, kAbsent when it takes no part
  PeerComparison comparison;
};

std::vector<MetricWindow> CompareAll(const std::vector<MemberSamples>& samples,
                                     std::span<const std::string_view> metrics,
                                     const PresetSettings& preset) {
  const std::size_t least = (4 * preset.window + 4) / 5;
  std::vector<MetricWindow> windows(metrics.size());
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    auto& window = windows[metric];
    window.place.assign(samples.size(), kAbsent);
    SampleSet set;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto& own = samples[i].metrics[metric];
      if (own.size() >= least) {
        window.place[i] = set.Add(own);
        window.who.push_back(i);
      }
    }
    if (!window.who.empty()) {
      window.comparison = ComparePeers(set, metrics[metric], preset);
    }
  }
  return windows;
}

// |mean - median| of the metric, 0 when the member takes no part in it.
double MeanDifference(const MetricWindow& window, std::size_t member) {
  const auto place = window.place[member];
  if (place == kAbsent || window.comparison.undetermined) {
    return 0;
  }
  return std::abs(window.comparison.mean[place] - window.comparison.median_mean);
}

GateFacts DiskFacts(const std::vector<MetricWindow>& windows, const MemberSamples& samples,
                    const Member& member, std::size_t number, const PresetSettings& preset) {
  GateFacts facts{.requests = samples.requests, .flash = member.flash};
  const auto& util = windows[static_cast<std::size_t>(DiskMetric::kUtil)];
  if (util.place[number] != kAbsent) {
    facts.mean_util = util.comparison.mean[util.place[number]];
  }
  const auto& svctm = windows[static_cast<std::size_t>(DiskMetric::kServiceTime)];
  const auto place = svctm.place[number];
  if (place != kAbsent && !svctm.comparison.undetermined) {
    const auto gated = GateDegree(svctm.comparison, place, "svctm", preset, facts);
    facts.svctm_effect = svctm.comparison.direction[place] == Direction::kHigh ? gated.effect : 0.0;
  }
  return facts;
}

std::span<const std::string_view> MetricsOf(GroupKind kind) {
  switch (kind) {
    case GroupKind::kStorage:
      return kDiskMetricNames;
    case GroupKind::kNetwork:
      return kNetMetricNames;
    case GroupKind::kCwnd:
      return kCwndMetricNames;
  }
  return {};
}

}  // namespace

Duration GroupJudge::Shift() const {
  return preset_->step * static_cast<Duration::rep>(preset_->shift);
}

GroupJudge::CwndLimit GroupJudge::LimitOf(std::string_view side) const {
  const auto f = thresholds_ == nullptr ? std::nullopt : thresholds_->FindCwnd(name_, side);
  return {.f = f.value_or(preset_->cwnd_f), .trained = f.has_value()};
}

void GroupJudge::ClearFlags() {
  for (auto& [name, record] : records_) {
    for (auto& [metric, state] : record.metrics) {
      state.flagged = false;
      state.degree = 0;
      state.effect.reset();
    }
  }
}

MetricRecord& GroupJudge::Note(const Member& member, std::string_view metric, JudgeMode mode,
                               const FilterEntry& now, double threshold) {
  auto& component = records_[member.name];
  component.node = member.node;
  component.device = member.device;
  auto found = component.metrics.find(metric);
  if (found == component.metrics.end()) {
    found = component.metrics.emplace(metric, MetricRecord()).first;
  }
  auto& record = found->second;
  if (mode == JudgeMode::kJudge) {
    record.recent = Remember(std::move(record.recent), now, preset_->k, Shift());
  } else if (record.recent.empty() || record.recent.back().end != now.end) {
    return record;
  }
  record.flagged = IsFlagged(record.recent, preset_->k);
  record.degree = std::min(KthDegree(record.recent, preset_->k) / threshold, kMaxDegree);
  if (mode == JudgeMode::kJudge) {
    record.accumulator = Accumulate(record.accumulator, record.flagged);
  }
  return record;
}

GroupJudge::Result GroupJudge::JudgeWindow(UnixTime end, JudgeMode mode,
                                           const GroupMembers& members, const Readings& readings,
                                           std::size_t grid) {
  const bool storage = kind_ == GroupKind::kStorage;
  const auto metrics = MetricsOf(kind_);
  const auto& all = members.members;
  std::vector<MemberSamples> samples;
  samples.reserve(all.size());
  for (const auto& member : all) {
    samples.push_back(storage ? DiskWindow(readings, member, end, *preset_, grid)
                              : NetWindow(readings, member, end, *preset_, grid));
  }
  const auto windows = CompareAll(samples, metrics, *preset_);
  ClearFlags();
  members_ = all.size();
  masked_ = members.masked;
  std::set<std::size_t> taking_part;

  Result result;
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    const auto& window = windows[metric];
    const auto& comparison = window.comparison;
    if (window.who.empty()) {
      continue;
    }
    taking_part.insert(window.who.begin(), window.who.end());
    WindowEvent event;
    event.end = end;
    event.preset = preset_->name;
    event.group = name_;
    event.metric = metrics[metric];
    event.n = window.who.size();
    event.undetermined = comparison.undetermined;
    event.bins = comparison.bins;
    if (!comparison.undetermined) {
      event.lo = comparison.lo;
      event.hi = comparison.hi;
    }
    for (std::size_t place = 0; place < window.who.size(); ++place) {
      const auto number = window.who[place];
      const auto& member = all[number];
      const auto trained = thresholds_ == nullptr
                               ? std::nullopt
                               : thresholds_->Find(name_, event.metric, member.name);
      event.threshold_trained = trained.has_value();
      ComponentWindow component;
      component.component = member.name;
      component.threshold = trained.value_or(preset_->DefaultThreshold(event.metric));
      double degree = 0;
      if (!comparison.undetermined) {
        degree = comparison.s[place];
        component.s = degree;
        component.direction = comparison.direction[place];
        component.mean = comparison.mean[place];
        component.peer_median = comparison.median_mean;
        if (preset_->distance == DistanceKind::kW1) {
          GateFacts facts;
          if (storage) {
            facts = DiskFacts(windows, samples[number], member, number, *preset_);
          } else {
            facts.mean_difference = std::max(
                MeanDifference(windows[static_cast<std::size_t>(NetCounter::kRxBytes)], number),
                MeanDifference(windows[static_cast<std::size_t>(NetCounter::kTxBytes)], number));
          }
          const auto gated = GateDegree(comparison, place, event.metric, *preset_, facts);
          component.effect = gated.effect;
          component.z = gated.z;
          component.window_degree = gated.degree;
          degree = gated.degree;
        }
        component.window_anomalous = degree > component.threshold;
      }
      auto& record = Note(member, event.metric, mode,
                          {.end = end, .degree = degree, .anomalous = component.window_anomalous},
                          component.threshold);
      record.effect = component.effect;
      component.flagged = record.flagged;
      component.degree = record.degree;
      component.accumulator = record.accumulator;
      if (record.flagged) {
        result.flagged[member.node].push_back({.component = member.name,
                                               .group = name_,
                                               .metric = event.metric,
                                               .degree = record.degree,
                                               .s = component.s,
                                               .threshold = component.threshold,
                                               .direction = component.direction,
                                               .effect = component.effect,
                                               .mean = component.mean,
                                               .peer_median = component.peer_median});
      }
      event.components.push_back(std::move(component));
    }
    result.windows.push_back(std::move(event));
  }
  taking_part_ = taking_part.size();
  return result;
}

GroupJudge::Result GroupJudge::JudgeCwnd(UnixTime end, JudgeMode mode, const CwndSeconds& seconds) {
  ClearFlags();
  Result result;
  const auto servers = seconds.Servers();
  const auto span = static_cast<std::size_t>(
      std::max<Duration::rep>(1, std::chrono::floor<std::chrono::seconds>(Shift()).count()));
  members_ = servers.size();
  std::set<std::string> taking_part;
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    const auto metric = kCwndMetricNames[side];
    const double f = LimitOf(metric).f;
    for (const auto& server : servers) {
      const auto past = seconds.PastOf(server, side, end, span);
      const auto window = CwndOfWindow(past.logs, past.medians, f);
      if (!window) {
        continue;
      }
      taking_part.insert(server);
      const auto& record =
          Note({.name = server, .node = server, .device = "", .things = {}}, metric, mode,
               {.end = end, .degree = window->degree, .anomalous = window->anomalous}, 1.0);
      if (record.flagged) {
        result.flagged[server].push_back({.component = server,
                                          .group = name_,
                                          .metric = std::string(metric),
                                          .degree = record.degree,
                                          .s = std::nullopt,
                                          .threshold = f,
                                          .direction = Direction::kLow});
      }
    }
  }
  taking_part_ = taking_part.size();
  return result;
}

bool GroupJudge::Has(std::string_view metric) const {
  const auto metrics = MetricsOf(kind_);
  return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
}

void GroupJudge::Restore(const std::string& component, std::string_view metric,
                         std::uint32_t accumulator, std::vector<FilterEntry> recent) {
  auto& record = records_[component];
  const auto slash = kind_ == GroupKind::kStorage ? component.find('/') : std::string::npos;
  record.node = component.substr(0, slash);
  record.device = slash == std::string::npos ? "" : component.substr(slash + 1);
  auto& state = record.metrics[std::string(metric)];
  state.accumulator = accumulator;
  state.recent = std::move(recent);
}

}  // namespace limpet
