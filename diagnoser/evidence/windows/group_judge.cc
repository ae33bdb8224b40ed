#include "diagnoser/evidence/windows/group_judge.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "diagnoser/detect/detectors.h"
#include "diagnoser/detect/onset.h"
#include "diagnoser/evidence/whole_second.h"
#include "diagnoser/evidence/windows/bimodality_check.h"
#include "diagnoser/evidence/windows/group_balance.h"
#include "diagnoser/evidence/windows/largest_rises.h"
#include "diagnoser/series/balance.h"
#include "diagnoser/series/window_samples.h"
#include "diagnoser/verdict/storm.h"

namespace limpet {
namespace {

// Flags of one metric whose peers are told apart in the evidence; the worst. Each costs a row of
// distances.
constexpr std::size_t kMaxExplained = 16;

// A member takes a few microseconds.
constexpr std::size_t kSampledTogether = 64;

// Places of the flagged components, in order.
std::vector<std::size_t> FindFlagged(const WindowEvent& event) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < event.components.size(); ++place) {
    if (event.components[place].flagged) {
      places.push_back(place);
    }
  }
  return places;
}

std::vector<std::size_t> FindWorst(const std::vector<Evidence>& flags, std::size_t most) {
  std::vector<std::size_t> order(flags.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return flags[a].degree > flags[b].degree; });
  // In a storm nobody reads whose peers were far: the worst will do.
  order.resize(std::min(order.size(), most));
  return order;
}

std::vector<std::string> NameComponents(const WindowEvent& event) {
  std::vector<std::string> names;
  for (const auto& component : event.components) {
    names.push_back(component.component);
  }
  return names;
}

// The last window is anomalous, and the first of them that the filter holds.
bool BeginsAnomaly(const std::vector<FilterEntry>& recent) {
  return recent.back().anomalous &&
         std::ranges::count_if(recent, [](const FilterEntry& one) { return one.anomalous; }) == 1;
}

}  // namespace

GroupJudge::GroupJudge(const PeerGroupRule& rule, const PresetSettings& preset,
                       const Thresholds* thresholds)
    : name_(rule.name),
      trained_as_(rule.recent_of.empty() ? rule.name : rule.recent_of),
      kind_(rule.kind),
      per_node_(rule.per_node),
      of_kind_(!rule.kind_of.empty()),
      preset_(&preset),
      thresholds_(thresholds),
      detector_(MakeDetector(preset)),
      records_(preset) {}

std::optional<MetricThresholds> GroupJudge::FindThresholds(std::string_view metric) const {
  return thresholds_ == nullptr ? std::nullopt : thresholds_->FindMetric(trained_as_, metric);
}

double GroupJudge::ThresholdFor(const std::optional<MetricThresholds>& trained,
                                const MetricRow& metric, std::string_view component) const {
  return preset_->threshold_factor *
         (trained ? trained->Find(component).threshold : preset_->DefaultThreshold(metric.name));
}

double GroupJudge::FindThreshold(const MetricRow& metric, std::string_view component) const {
  return ThresholdFor(FindThresholds(metric.name), metric, component);
}

// Who was anomalous in a window that still counts is shown with exact numbers. A metric that judges
// another one must not open the other's gate by a bound.
bool GroupJudge::BoundWillDo(const GroupSamples& group, std::size_t metric, std::size_t member,
                             const Comparison& comparison, std::size_t component) const {
  const auto& row = group.metrics[metric];
  const auto& name = group.members[member].name;
  if (records_.WasAnomalous(row.name, name)) {
    return false;
  }
  Candidate candidate{.member = &group.members[member],
                      .samples = &group.samples[member],
                      .threshold = FindThreshold(row, name)};
  // The gate of the judged metric reads this one's effect, so the stricter threshold counts.
  if (row.judges) {
    const auto& judged = group.metrics[*row.judges];
    if (records_.WasAnomalous(judged.name, name)) {
      return false;
    }
    candidate.threshold = std::min(candidate.threshold, FindThreshold(judged, name));
  }
  return detector_->BoundSuffices(row, comparison, component, candidate);
}

GroupJudge::Sampled GroupJudge::Sample(const Span& span, const std::vector<bool>& level) const {
  Sampled sampled{.samples = std::vector<MemberSamples>(span.members.size()), .traffic = {}};
  InBlocks(for_each_, span.members.size(), kSampledTogether, [&](std::size_t i) {
    auto shape = preset_->Shape();
    shape.levels_largest = !level.empty() && level[i];
    sampled.samples[i] =
        KindRow(kind_).per_device
            ? DiskWindow(*span.readings, span.members[i], span.end, shape, span.grid)
            : NetWindow(*span.readings, span.members[i], span.end, shape, span.grid,
                        preset_->balance);
  });
  if (preset_->balance) {
    if (!KindRow(kind_).per_device) {
      AddShares(span.end, *preset_, span.members, *span.connections, sampled.samples);
      writes_.AddTo(span.end, *preset_, Metrics(), span.members, sampled.samples);
    }
    sampled.traffic = BalanceBytes(Metrics(), sampled.samples);
  }
  return sampled;
}

GroupSamples GroupJudge::Group(const Span& span, const Sampled& sampled) const {
  return {.end = span.end,
          .metrics = Metrics(),
          .members = span.members,
          .samples = sampled.samples,
          .traffic = sampled.traffic,
          .per_node = per_node_};
}

GroupWindow GroupJudge::Compare(const Span& span, const GroupSamples& group) const {
  auto compared = CompareOnce(group);
  if (!preset_->doubt_readings) {
    return compared;
  }
  const auto doubted = FindDoubted(group, compared, [&](const MetricRow& metric) {
    return [this, &metric, trained = FindThresholds(metric.name)](const std::string& component) {
      return ThresholdFor(trained, metric, component);
    };
  });
  if (!doubted.empty()) {
    const auto level = Sample(span, doubted);
    LowerDegrees(doubted, CompareOnce(Group(span, level)), compared);
  }
  return compared;
}

GroupWindow GroupJudge::CompareOnce(const GroupSamples& group) const {
  return CompareGroup(
      group, *preset_, *detector_,
      [&](std::size_t metric, std::size_t member, const Comparison& comparison,
          std::size_t component) {
        return BoundWillDo(group, metric, member, comparison, component);
      },
      for_each_);
}

ComponentWindow GroupJudge::Weigh(const Round& round, std::size_t place) const {
  const auto& comparison = round.window->comparison;
  ComponentWindow component;
  component.component = round.group->members[round.window->who[place]].name;
  component.threshold = ThresholdFor(round.trained, round.Metric(), component.component);
  if (comparison.undetermined) {
    return component;
  }
  component.s = comparison.s[place];
  component.s_is_bound = !comparison.is_bound.empty() && comparison.is_bound[place];
  component.direction = comparison.direction[place];
  component.mean = comparison.mean[place];
  component.peer_median = comparison.median_mean;
  // Only detectors with gates tell a degree apart from s.
  if (!comparison.effect.empty()) {
    component.effect = comparison.effect[place];
    component.z = comparison.z[place];
    component.window_degree = comparison.degree[place];
  }
  component.window_anomalous = comparison.degree[place] > component.threshold;
  component.of_kind =
      !comparison.common_degree.empty() && comparison.common_degree[place] > component.threshold;
  return component;
}

WindowEvent GroupJudge::Describe(const Round& round) const {
  const auto& window = *round.window;
  const auto& comparison = window.comparison;
  WindowEvent event{.end = round.group->end,
                    .preset = preset_->name,
                    .group = name_,
                    .metric = std::string(round.Metric().name),
                    .domain = window.domain,
                    .n = window.who.size(),
                    .undetermined = comparison.undetermined,
                    // Trained once, a metric has a threshold for everybody: their own, or the
                    // median of the group for those that were not there.
                    .threshold_trained = round.trained.has_value(),
                    .bins = comparison.bins};
  if (!comparison.undetermined) {
    event.lo = comparison.lo;
    event.hi = comparison.hi;
  }
  return event;
}

WindowEvent GroupJudge::Filter(const Round& round) {
  auto event = Describe(round);
  const auto& who = round.window->who;
  event.components.reserve(who.size());
  std::optional<std::vector<double>> medians;  // of the peers, step by step, once they are wanted
  for (std::size_t place = 0; place < who.size(); ++place) {
    auto component = Weigh(round, place);
    auto*& known = round.records[who[place]];
    if (known == nullptr) {
      known = &records_.Find(round.group->members[who[place]]);
    }
    // An undetermined window counts as not anomalous: it says nothing for anybody.
    const auto& comparison = round.window->comparison;
    const auto sides = round.Metric().gate == Gate::kBalance ? Sides::kTwo : Sides::kOne;
    const bool low = sides == Sides::kTwo && component.direction == Direction::kLow;
    const double degree = event.undetermined ? 0 : comparison.degree[place];
    auto& record = records_.Filter(*known, event.metric, round.mode,
                                   {.end = event.end,
                                    .degree = low ? -degree : degree,
                                    .anomalous = component.window_anomalous},
                                   component.threshold, sides);
    if (sides == Sides::kTwo && record.flagged) {
      // What the flag rests on, not where this one window happens to be.
      component.direction = record.low ? Direction::kLow : Direction::kHigh;
    }
    record.effect = component.effect;
    if (round.mode == JudgeMode::kJudge && BeginsAnomaly(record.recent)) {
      if (!medians) {
        medians = MedianSteps(round.group->samples, round.window->metric, who, preset_->window);
      }
      record.onset = LocateOnset(round, place, *medians);
    }
    component.flagged = record.flagged;
    component.degree = record.degree;
    component.accumulator = record.accumulator;
    event.components.push_back(std::move(component));
  }
  return event;
}

std::optional<UnixTime> GroupJudge::LocateOnset(const Round& round, std::size_t place,
                                                std::span<const double> medians) const {
  const auto& window = *round.window;
  const auto own = round.group->samples[window.who[place]].metrics.Of(window.metric);
  if (medians.empty() || own.size() != preset_->window) {
    return std::nullopt;
  }
  const auto first = FindOnset(own, medians, window.comparison.direction[place]);
  return round.group->end - preset_->step * static_cast<Duration::rep>(own.size() - first);
}

Evidence GroupJudge::CollectEvidence(const Round& round, const ComponentWindow& component,
                                     std::size_t place) const {
  const auto& metric = round.Metric();
  const auto& record = round.records[round.window->who[place]]->metrics.find(metric.name)->second;
  const auto limit =
      round.trained ? std::optional(round.trained->Find(component.component)) : std::nullopt;
  const auto& device_times = round.window->comparison.device_time;
  auto evidence = EvidenceOf(component, record, round.group->end);
  evidence.group = name_;
  evidence.metric = std::string(metric.name);
  evidence.device_time = device_times.empty() ? std::nullopt : device_times[place];
  evidence.threshold_origin = FindOrigin(limit);
  evidence.peers = round.window->who.size() - 1;
  return evidence;
}

void GroupJudge::Explain(const Round& round, const WindowEvent& event, Result& result) const {
  // The filter may still flag by the windows before, but nobody is named by one that says nothing.
  if (event.undetermined) {
    return;
  }
  const auto& window = *round.window;
  auto flagged = FindFlagged(event);
  std::vector<Evidence> flags;
  flags.reserve(flagged.size());
  for (const auto place : flagged) {
    flags.push_back(CollectEvidence(round, event.components[place], place));
  }
  if (!flags.empty()) {
    const auto names = NameComponents(event);
    const auto set =
        GatherSamples(round.group->samples, window.metric, window.who, preset_->window);
    const WindowSamples samples{.metric = &round.Metric(), .samples = &set};
    for (const auto i : FindWorst(flags, kMaxExplained)) {
      const auto distances =
          detector_->Explain(samples, window.comparison, flagged[i], flags[i].threshold);
      flags[i] =
          WithPeers(std::move(flags[i]), distances, names, flagged[i], preset_->max_named_peers);
    }
  }
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const auto& node = round.group->members[window.who[flagged[i]]].node;
    result.flagged[node].push_back(std::move(flags[i]));
  }
}

DeviceKinds GroupJudge::FindKinds(const Round& round, const WindowEvent& event) const {
  const bool asked = preset_->device_kinds && KindRow(kind_).per_device && !per_node_;
  if (!asked || std::ranges::none_of(event.components, &ComponentWindow::of_kind)) {
    return {};
  }
  return DeviceKinds(event, [&](std::size_t place) -> const std::string& {
    return round.group->members[round.window->who[place]].node;
  });
}

void GroupJudge::BeginWindow(std::size_t members) {
  storms_.clear();
  records_.ClearFlags();
  members_ = members;
}

// Of metrics that make a verdict by themselves. With balances, throughput and traffic only
// corroborate.
void GroupJudge::RecordTail(const WindowEvent& event, JudgeMode mode, const MetricRow& metric) {
  const auto symptom = metric.checklist.symptom;
  const bool corroborates =
      symptom == Symptom::kThroughput || symptom == Symptom::kReceived || symptom == Symptom::kSent;
  if (mode != JudgeMode::kJudge || event.undetermined || metric.checklist.place == 0 ||
      (preset_->balance && corroborates)) {
    return;
  }
  double largest = 0;
  for (const auto& component : event.components) {
    if (!component.flagged) {
      largest = std::max(largest, component.degree);
    }
  }
  tails_[metric.name].Record(event.end.time_since_epoch() / preset_->Shift(), largest,
                             2 * preset_->k - 1);
}

std::optional<FalseAlarmRate> GroupJudge::ExpectedFalseAlarms() const {
  const auto block = preset_->Shift() * (2 * static_cast<Duration::rep>(preset_->k) - 1);
  std::optional<FalseAlarmRate> all;
  for (const auto& [metric, tail] : tails_) {
    if (const auto one = tail.Estimate(block)) {
      all = all.value_or(FalseAlarmRate());
      all->Add(*one);
    }
  }
  return all;
}

void GroupJudge::RecordStorm(const WindowEvent& event, bool of_kinds, Result& result) {
  // A storm of a few seconds is nothing to look into; a lasting one shows in the preset's own
  // windows.
  if (preset_->IsScale()) {
    return;
  }
  // Nobody is named for a kind of device, but a fault among them would go unseen: that is told.
  if (auto storm = of_kinds ? MakeTwoKinds(event) : FindStorm(event)) {
    storms_.push_back(*storm);
    result.storms.push_back(std::move(*storm));
  }
}

void GroupJudge::JudgeMetric(const Round& round, Result& result) {
  auto event = Filter(round);
  const auto kinds = FindKinds(round, event);
  Explain(round, event, result);
  RecordStorm(event, kinds.Any(), result);
  if (kinds.Any() && result.two_sides.odd.empty()) {
    result.two_sides = kinds.Sides(event);
  }
  RecordTail(event, round.mode, round.Metric());
  if (round.mode == JudgeMode::kJudge && !event.undetermined && !preset_->IsScale()) {
    day_.Record(round.window->metric, event.end, event.components);
  }
  result.windows.push_back(std::move(event));
}

GroupJudge::Result GroupJudge::JudgeWindow(
    UnixTime end, JudgeMode mode, const GroupMembers& members, const Directory& directory,
    const Readings& readings, std::size_t grid,
    const std::map<std::uint32_t, CwndSeconds>& connections) {
  const Span span{.end = end,
                  .members = members.members,
                  .readings = &readings,
                  .grid = grid,
                  .connections = &connections};
  const auto sampled = Sample(span);
  const auto group = Group(span, sampled);
  const auto compared = Compare(span, group);
  if (preset_->balance && !KindRow(kind_).per_device) {
    writes_.Keep(end, members.members, sampled.samples);
  }
  BeginWindow(members.members.size());
  masked_ = members.masked;
  const auto who = compared.TakingPart();
  taking_part_ = who.size();
  comparable_ = per_node_ ? who.size() : CountNodes(members.members, who);
  Result result;
  // Before this window's means begin the next day.
  if (mode == JudgeMode::kJudge && day_.IsOver(end)) {
    bimodality_ = CheckBimodality(
        end, {.name = &name_, .kind = kind_, .members = &members, .directory = &directory}, day_,
        *preset_);
    result.bimodality = bimodality_;
  }
  result.balanced = FindBalanced(group, compared);
  result.explained = FindExplained(group, result.balanced);
  std::vector<ComponentRecord*> records(members.members.size());  // found once for all metrics
  for (const auto& window : compared.windows) {
    const auto trained = FindThresholds(group.metrics[window.metric].name);
    JudgeMetric({mode, &group, &window, trained, records}, result);
  }
  RecordCoverage(group, compared, mode, records);
  return result;
}

void GroupJudge::RecordCoverage(const GroupSamples& group, const GroupWindow& compared,
                                JudgeMode mode, std::span<ComponentRecord* const> records) {
  std::vector<Coverage::Member> members(group.members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].node = &group.members[i].node;
  }
  for (const auto& window : compared.windows) {
    if (window.comparison.undetermined) {
      continue;
    }
    const auto metric = group.metrics[window.metric].name;
    for (const auto number : window.who) {
      auto& member = members[number];
      member.compared = true;
      if (mode != JudgeMode::kRecall) {
        continue;
      }
      const auto record = records[number]->metrics.find(metric);
      if (record != records[number]->metrics.end()) {
        member.remembered = std::max(member.remembered, record->second.recent.size());
      }
    }
  }
  coverage_.Record(group.end, preset_->Shift(), members, mode == JudgeMode::kRecall);
}

bool GroupJudge::Has(std::string_view metric) const {
  const auto metrics = Metrics();
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const MetricRow& row) { return row.name == metric; });
}

void GroupJudge::Restore(const ComponentState& state) {
  records_.Restore(state, KindRow(kind_).per_device);
}

}  // namespace limpet
