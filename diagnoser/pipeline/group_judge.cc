#include "diagnoser/pipeline/group_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "diagnoser/detect/cwnd.h"
#include "diagnoser/detect/gates.h"
#include "diagnoser/detect/group_window.h"
#include "diagnoser/detect/stats.h"
#include "diagnoser/metrics/missing.h"
#include "diagnoser/metrics/samples.h"
#include "diagnoser/series/window_samples.h"
#include "diagnoser/verdict/bimodality.h"
#include "diagnoser/verdict/storm.h"

namespace limpet {
namespace {

// Flags of one metric whose peers are told apart in the evidence; the worst. Each costs a row of
// distances.
constexpr std::size_t kMaxExplained = 16;

std::span<const std::string_view> MetricsOf(GroupKind kind) {
  switch (kind) {
    case GroupKind::kStorage:
      return kDiskMetricNames;
    case GroupKind::kNetwork:
      return kNetMetricNames;
    case GroupKind::kHosts:
    case GroupKind::kHostInterfaces:
      break;
    case GroupKind::kCwnd:
      return kCwndMetricNames;
  }
  return {};
}

// The flags of one metric in one window, with the peers of the worst of them.
std::vector<Evidence> Explained(std::vector<Evidence> flags, const WindowEvent& event,
                                const SampleSet& samples, const PeerComparison& comparison,
                                const PresetSettings& preset) {
  if (flags.empty() || comparison.undetermined) {
    return flags;
  }
  std::vector<std::string> names;
  for (const auto& component : event.components) {
    names.push_back(component.component);
  }
  std::vector<std::size_t> order(flags.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return flags[a].degree > flags[b].degree; });
  order.resize(std::min(order.size(), kMaxExplained));
  for (const auto i : order) {
    const auto self = static_cast<std::size_t>(
        std::find(names.begin(), names.end(), flags[i].component) - names.begin());
    const auto limit = FarFrom(flags[i], event.components[self].z, preset);
    flags[i] = WithPeers(std::move(flags[i]), limit, samples, names, self, comparison, preset);
  }
  return flags;
}

BimodalityEvent::Kind KindOf(const std::vector<std::string>& components, double median,
                             std::vector<std::string> values) {
  BimodalityEvent::Kind kind{.n = components.size(), .median = median, .components = components};
  kind.components.resize(std::min(components.size(), BimodalityEvent::kMaxNamed));
  values.resize(std::min(values.size(), BimodalityEvent::kMaxNamed));
  kind.values = std::move(values);
  return kind;
}

// "sd" of "sda", "dm-" of "dm-3": what kind of device a name says it is.
std::string PrefixOf(const std::string& device) {
  const auto digits = device.find_first_of("0123456789");
  const bool letters = device.starts_with("sd") || device.starts_with("vd") ||
                       device.starts_with("xvd") || device.starts_with("hd");
  return letters ? device.substr(0, device.find('d') + 1) : device.substr(0, digits);
}

const std::string& NameOf(const Member& member) { return member.name; }
const std::string& NameOf(const std::string& name) { return name; }

// The median of the seconds' windows, from their logarithms; nullopt without any.
std::optional<double> SegmentsOf(const std::vector<double>& logs) {
  std::vector<double> known;
  for (const double log : logs) {
    if (!IsMissing(log)) {
      known.push_back(log);
    }
  }
  return known.empty() ? std::nullopt : std::optional(std::exp(Median(std::move(known))));
}

PeerLabels LabelsOf(const Member& member, EntityKind kind, const Directory& directory) {
  PeerLabels labels;
  for (const auto number : member.entities) {
    const auto& entity = directory.Entities(kind)[number];
    labels.insert(entity.labels.begin(), entity.labels.end());
    if (!entity.role.empty()) {
      labels.emplace("role", entity.role);
    }
    labels.emplace("device prefix", PrefixOf(entity.device));
  }
  return labels;
}

}  // namespace

Duration GroupJudge::Shift() const {
  return preset_->step * static_cast<Duration::rep>(preset_->shift);
}

GroupJudge::CwndLimit GroupJudge::LimitOf(std::string_view side) const {
  const auto f = thresholds_ == nullptr ? std::nullopt : thresholds_->FindCwnd(trained_as_, side);
  return {.f = f.value_or(preset_->cwnd_f), .trained = f.has_value()};
}

void GroupJudge::ClearFlags() {
  storms_.clear();
  for (auto& [name, record] : records_) {
    for (auto& [metric, state] : record.metrics) {
      state.flagged = false;
      state.degree = 0;
      state.effect.reset();
    }
  }
}

ComponentRecord& GroupJudge::RecordOf(const Member& member) {
  auto& component = records_[member.name];
  component.node = member.node;
  component.device = member.device;
  return component;
}

MetricRecord& GroupJudge::Note(ComponentRecord& component, std::string_view metric, JudgeMode mode,
                               const FilterEntry& now, double threshold) const {
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
  if (mode == JudgeMode::kJudge && record.flagged) {
    record.episodes = RecordFlagged(std::move(record.episodes), now.end, preset_->k, Shift());
  }
  record.degree = std::min(KthDegree(record.recent, preset_->k) / threshold, kMaxDegree);
  if (mode == JudgeMode::kJudge) {
    record.accumulator = Accumulate(record.accumulator, record.flagged);
  }
  return record;
}

void GroupJudge::RecordStorm(const WindowEvent& event, Result& result) {
  std::vector<const ComponentWindow*> flagged;
  for (const auto& component : event.components) {
    if (component.flagged) {
      flagged.push_back(&component);
    }
  }
  if (!IsStorm(flagged.size(), event.n)) {
    return;
  }
  std::stable_sort(flagged.begin(), flagged.end(),
                   [](const auto* a, const auto* b) { return a->degree > b->degree; });
  StormEvent storm{.end = event.end,
                   .preset = event.preset,
                   .group = event.group,
                   .metric = event.metric,
                   .n = event.n,
                   .flagged = flagged.size(),
                   .components = {}};
  flagged.resize(std::min(flagged.size(), StormEvent::kMaxNamed));
  for (const auto* component : flagged) {
    storm.components.push_back(component->component);
  }
  storms_.push_back(storm);
  result.storms.push_back(std::move(storm));
}

void GroupJudge::CheckBimodality(UnixTime end, const GroupMembers& members,
                                 const Directory& directory, Result& result) {
  const auto kind = kind_ == GroupKind::kStorage ? EntityKind::kDisk : EntityKind::kInterface;
  const auto metrics = Metrics();
  bimodality_.clear();
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    const auto medians = day_.Medians(metric);
    std::vector<PeerMedian> peers;
    for (const auto& member : members.members) {
      const auto median = medians.find(member.name);
      if (median != medians.end()) {
        peers.push_back({.component = member.name,
                         .median = median->second,
                         .labels = LabelsOf(member, kind, directory)});
      }
    }
    const auto found = FindTwoKinds(std::move(peers), preset_->NoiseFloor(metrics[metric]));
    if (!found) {
      continue;
    }
    const auto label = found->label.value_or(SplittingLabel());
    bimodality_.push_back({.end = end,
                           .preset = preset_->name,
                           .group = name_,
                           .metric = std::string(metrics[metric]),
                           .separation = found->separation,
                           .low = KindOf(found->low, found->low_median, label.low),
                           .high = KindOf(found->high, found->high_median, label.high),
                           .label = label.name,
                           .agreement = label.agreement});
  }
  result.bimodality = bimodality_;
}

double GroupJudge::ThresholdOf(std::string_view metric, const Member& member) const {
  const auto trained =
      thresholds_ == nullptr ? std::nullopt : thresholds_->Find(trained_as_, metric, member.name);
  return trained.value_or(preset_->DefaultThreshold(metric));
}

bool GroupJudge::WasAnomalous(std::string_view metric, const Member& member) const {
  const auto record = records_.find(member.name);
  if (record == records_.end()) {
    return false;
  }
  const auto found = record->second.metrics.find(metric);
  return found != record->second.metrics.end() &&
         std::any_of(found->second.recent.begin(), found->second.recent.end(),
                     [](const FilterEntry& entry) { return entry.anomalous; });
}

// Who was anomalous in a window that still counts is shown with exact numbers. Service time must
// not open the gate of await by a bound.
bool GroupJudge::BoundWillDo(std::string_view metric, const Member& member,
                             const MemberSamples& samples, const PeerComparison& comparison,
                             std::size_t component) const {
  const bool gates_await = metric == "svctm";
  if (WasAnomalous(metric, member) || (gates_await && WasAnomalous("await", member))) {
    return false;
  }
  const double threshold = gates_await
                               ? std::min(ThresholdOf(metric, member), ThresholdOf("await", member))
                               : ThresholdOf(metric, member);
  const GateFacts open{.requests = samples.requests,
                       .flash = member.flash,
                       .mean_difference = std::numeric_limits<double>::infinity()};
  return BoundSuffices(comparison, component, metric, *preset_, open, threshold);
}

GroupJudge::Result GroupJudge::JudgeWindow(UnixTime end, JudgeMode mode,
                                           const GroupMembers& members, const Directory& directory,
                                           const Readings& readings, std::size_t grid) {
  const bool storage = kind_ == GroupKind::kStorage;
  const auto metrics = MetricsOf(kind_);
  const auto& all = members.members;
  std::vector<MemberSamples> samples;
  samples.reserve(all.size());
  for (const auto& member : all) {
    samples.push_back(storage ? DiskWindow(readings, member, end, preset_->Shape(), grid)
                              : NetWindow(readings, member, end, preset_->Shape(), grid));
  }
  const auto group = CompareGroup(end, all, samples, metrics, *preset_,
                                  [&](std::size_t metric, std::size_t number,
                                      const PeerComparison& comparison, std::size_t component) {
                                    return BoundWillDo(metrics[metric], all[number],
                                                       samples[number], comparison, component);
                                  });
  ClearFlags();
  members_ = all.size();
  masked_ = members.masked;
  std::vector<bool> taking_part(all.size());
  std::vector<ComponentRecord*> records(all.size());
  std::vector<GateFacts> disk_facts;
  if (storage && preset_->distance == DistanceKind::kW1) {
    for (std::size_t number = 0; number < all.size(); ++number) {
      disk_facts.push_back(DiskFacts(group, samples[number], all[number], number, *preset_));
    }
  }

  Result result;
  if (mode == JudgeMode::kJudge && day_.IsOver(end)) {
    CheckBimodality(end, members, directory, result);
  }
  for (const auto& window : group.windows) {
    const auto metric = window.metric;
    const auto& comparison = window.comparison;
    for (const auto number : window.who) {
      taking_part[number] = true;
    }
    WindowEvent event;
    event.end = end;
    event.preset = preset_->name;
    event.group = name_;
    event.metric = metrics[metric];
    event.domain = window.domain;
    event.n = window.who.size();
    event.undetermined = comparison.undetermined;
    event.bins = comparison.bins;
    if (!comparison.undetermined) {
      event.lo = comparison.lo;
      event.hi = comparison.hi;
    }
    const double untrained = preset_->DefaultThreshold(event.metric);
    event.components.reserve(window.who.size());
    std::vector<Evidence> flags;
    SampleSet compared;  // filled only when somebody is flagged
    for (std::size_t place = 0; place < window.who.size(); ++place) {
      const auto number = window.who[place];
      const auto& member = all[number];
      const auto trained = thresholds_ == nullptr
                               ? std::nullopt
                               : thresholds_->Find(trained_as_, event.metric, member.name);
      event.threshold_trained = trained.has_value();
      ComponentWindow component;
      component.component = member.name;
      component.threshold = trained.value_or(untrained);
      double degree = 0;
      if (!comparison.undetermined) {
        degree = comparison.s[place];
        component.s = degree;
        component.s_is_bound = group.IsBound(metric, number);
        component.direction = comparison.direction[place];
        component.mean = comparison.mean[place];
        component.peer_median = comparison.median_mean;
        if (preset_->distance == DistanceKind::kW1) {
          GateFacts facts;
          if (storage) {
            facts = disk_facts[number];
            // The service time gates await with whatever it has.
            component.s_is_bound =
                component.s_is_bound ||
                (metric == static_cast<std::size_t>(DiskMetric::kAwait) && facts.svctm_effect &&
                 group.IsBound(static_cast<std::size_t>(DiskMetric::kServiceTime), number));
          } else {
            facts.mean_difference = std::max(
                group.MeanDifference(static_cast<std::size_t>(NetCounter::kRxBytes), number),
                group.MeanDifference(static_cast<std::size_t>(NetCounter::kTxBytes), number));
          }
          const auto gated = GateDegree(comparison, place, event.metric, *preset_, facts);
          component.effect = gated.effect;
          component.z = gated.z;
          component.window_degree = gated.degree;
          degree = gated.degree;
        }
        component.window_anomalous = degree > component.threshold;
      }
      if (records[number] == nullptr) {
        records[number] = &RecordOf(member);
      }
      auto& record = Note(*records[number], event.metric, mode,
                          {.end = end, .degree = degree, .anomalous = component.window_anomalous},
                          component.threshold);
      record.effect = component.effect;
      component.flagged = record.flagged;
      component.degree = record.degree;
      component.accumulator = record.accumulator;
      if (record.flagged) {
        flags.push_back(
            {.component = member.name,
             .group = name_,
             .metric = event.metric,
             .degree = record.degree,
             .s = component.s,
             .threshold = component.threshold,
             .direction = component.direction,
             .effect = component.effect,
             .mean = component.mean,
             .peer_median = component.peer_median,
             .threshold_origin = OriginOf(thresholds_, trained_as_, event.metric, member.name),
             .peers = window.who.size() - 1,
             .windows = AnomalousEnds(record.recent),
             .accumulator = record.accumulator,
             .episodes = EpisodesOfDay(record.episodes, end)});
      }
      event.components.push_back(std::move(component));
    }
    if (!flags.empty()) {
      for (const auto number : window.who) {
        compared.Add(samples[number].metrics.Of(metric));
      }
    }
    for (auto& flag : Explained(std::move(flags), event, compared, comparison, *preset_)) {
      const auto node = records_[flag.component].node;
      result.flagged[node].push_back(std::move(flag));
    }
    RecordStorm(event, result);
    if (mode == JudgeMode::kJudge && !comparison.undetermined) {
      day_.Note(metric, end, event.components);
    }
    result.windows.push_back(std::move(event));
  }
  taking_part_ = static_cast<std::size_t>(std::count(taking_part.begin(), taking_part.end(), true));
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
    WindowEvent window_of_all{.end = end,
                              .preset = preset_->name,
                              .group = name_,
                              .metric = std::string(metric),
                              .components = {}};
    for (const auto& server : servers) {
      const auto past = seconds.PastOf(server, side, end, span);
      const auto window = CwndOfWindow(past.logs, past.medians, f);
      if (!window) {
        continue;
      }
      taking_part.insert(server);
      const auto& record =
          Note(RecordOf({.name = server, .node = server, .device = "", .entities = {}}), metric,
               mode, {.end = end, .degree = window->degree, .anomalous = window->anomalous}, 1.0);
      window_of_all.components.push_back(
          {.component = server, .degree = record.degree, .flagged = record.flagged});
      if (record.flagged) {
        result.flagged[server].push_back({.component = server,
                                          .group = name_,
                                          .metric = std::string(metric),
                                          .degree = record.degree,
                                          .s = std::nullopt,
                                          .threshold = f,
                                          .direction = Direction::kLow,
                                          .mean = SegmentsOf(past.logs),
                                          .peer_median = SegmentsOf(past.medians),
                                          .threshold_origin = LimitOf(metric).trained
                                                                  ? ThresholdOrigin::kGroup
                                                                  : ThresholdOrigin::kDefault,
                                          .windows = AnomalousEnds(record.recent),
                                          .accumulator = record.accumulator,
                                          .episodes = EpisodesOfDay(record.episodes, end)});
      }
    }
    window_of_all.n = window_of_all.components.size();
    for (auto& [node, flags] : result.flagged) {
      for (auto& flag : flags) {
        if (flag.metric == metric) {
          flag.peers = window_of_all.n - 1;
        }
      }
    }
    RecordStorm(window_of_all, result);
  }
  taking_part_ = taking_part.size();
  return result;
}

std::span<const std::string_view> GroupJudge::Metrics() const { return MetricsOf(kind_); }

bool GroupJudge::Has(std::string_view metric) const {
  const auto metrics = Metrics();
  return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
}

void GroupJudge::KeepOnly(const GroupMembers& members) {
  std::erase_if(records_, [&](const auto& record) {
    return !std::binary_search(members.members.begin(), members.members.end(), record.first,
                               [](const auto& a, const auto& b) { return NameOf(a) < NameOf(b); });
  });
}

void GroupJudge::ForgetNode(std::string_view node) {
  std::erase_if(records_, [&](const auto& record) { return record.second.node == node; });
}

void GroupJudge::Restore(const ComponentState& state) {
  auto& record = records_[state.component];
  const auto slash = kind_ == GroupKind::kStorage ? state.component.find('/') : std::string::npos;
  record.node = state.component.substr(0, slash);
  record.device = slash == std::string::npos ? "" : state.component.substr(slash + 1);
  auto& metric = record.metrics[state.metric];
  metric.accumulator = state.accumulator;
  metric.recent = state.recent;
  metric.episodes = state.episodes;
}

}  // namespace limpet
