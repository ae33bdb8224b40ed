#include "diagnoser/evidence/storage/custom_judge.h"

#include <algorithm>
#include <set>
#include <utility>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/verdict/evidence.h"
#include "diagnoser/verdict/storm.h"

namespace limpet {
namespace {

// Components of one node are each other's peers; of two nodes nobody can tell which is at fault.
bool AreEnough(const CustomGroup& group, const std::vector<std::size_t>& who) {
  std::set<std::string_view> nodes;
  for (const auto number : who) {
    nodes.insert(group.members[number].node);
  }
  return who.size() >= kMinPeers && nodes.size() != 2;
}

// Leaves out whose buckets say nothing beside those of the others; returns of how many.
std::size_t DropOthers(std::vector<BucketCounts>& counts, std::vector<std::size_t>& who) {
  const auto kept = FindComparable(counts);
  const auto dropped = counts.size() - kept.size();
  if (dropped > 0) {
    for (std::size_t to = 0; to < kept.size(); ++to) {
      if (to != kept[to]) {
        counts[to] = std::move(counts[kept[to]]);
        who[to] = who[kept[to]];
      }
    }
    counts.resize(kept.size());
    who.resize(kept.size());
  }
  return dropped;
}

bool IsMasked(const CustomMember& member, const std::vector<std::string>& masked) {
  return std::ranges::any_of(
      masked, [&](const std::string& one) { return one == member.name || one == member.node; });
}

}  // namespace

// What is over 1 is anomalous to the untrained w1; other distances have thresholds of other units.
double CustomJudge::Threshold() const {
  return preset_->threshold_factor *
         (preset_->distance == DistanceKind::kW1 ? preset_->default_threshold : 1);
}

// Who has too few requests or samples is counted, and judged by no other's.
CustomJudge::Window CustomJudge::Compare(UnixTime end, const CustomReadings& readings,
                                         std::size_t metric, const CustomGroup& group,
                                         const std::vector<std::string>& masked) const {
  const auto& row = metrics_[metric];
  Window window{.group = &group,
                .metric = metric,
                .who = {},
                .comparison = {},
                .masked = 0,
                .few_requests = 0,
                .other_buckets = 0};
  std::vector<BucketCounts> counts;
  SampleSet samples;
  std::vector<double> requests;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const auto& member = group.members[i];
    if (IsMasked(member, masked)) {
      ++window.masked;
      continue;
    }
    bool takes_part = false;
    if (row.shape == CustomShape::kHistogram) {
      auto its = CountWindow(row, *member.cell, end, preset_->Shape(), readings.Tick());
      takes_part = its.has_value();
      if (its) {
        counts.push_back(*std::move(its));
      }
    } else {
      const auto its =
          SampleWindow(row, *member.cell, end, preset_->Shape(), grid_, preset_->MaxGap());
      takes_part = its.has_value();
      if (its) {
        (void)samples.Add(its->values);
        requests.push_back(row.shape == CustomShape::kMean ? its->requests : kManyRequests);
      }
    }
    if (takes_part) {
      window.who.push_back(i);
    } else {
      ++window.few_requests;
    }
  }
  if (row.shape == CustomShape::kHistogram) {
    window.other_buckets = DropOthers(counts, window.who);
  }
  if (AreEnough(group, window.who)) {
    window.comparison = row.shape == CustomShape::kHistogram
                            ? CompareCounts(row, counts)
                            : CompareSamples(row, samples, requests, *preset_);
  }
  return window;
}

WindowEvent CustomJudge::Describe(UnixTime end, const Window& window) const {
  const auto& comparison = window.comparison;
  WindowEvent event{.end = end,
                    .preset = preset_->name,
                    .group = window.group->name,
                    .metric = metrics_[window.metric].name,
                    .domain = std::nullopt,
                    .n = window.who.size(),
                    .undetermined = comparison.undetermined};
  if (!comparison.undetermined) {
    event.lo = comparison.lo;
    event.hi = comparison.hi;
  }
  for (std::size_t place = 0; place < window.who.size(); ++place) {
    ComponentWindow component;
    component.component = window.group->members[window.who[place]].name;
    component.threshold = Threshold();
    if (!comparison.undetermined) {
      component.s = comparison.s[place];
      component.direction = comparison.direction[place];
      component.effect = comparison.effect[place];
      component.z = comparison.z[place];
      component.window_degree = comparison.degree[place];
      component.mean = comparison.mean[place];
      component.peer_median = comparison.median_mean;
      component.window_anomalous = comparison.degree[place] > component.threshold;
    }
    event.components.push_back(std::move(component));
  }
  return event;
}

Evidence CustomJudge::CollectEvidence(const Window& window, std::size_t place,
                                      const ComponentWindow& component, const MetricRecord& record,
                                      UnixTime end) const {
  auto reading = window.comparison.reading[place];
  reading.disk = window.group->members[window.who[place]].disk;
  auto evidence = EvidenceOf(component, record, end);
  evidence.group = window.group->name;
  evidence.metric = metrics_[window.metric].name;
  evidence.scale = preset_->scale_of.scale;
  evidence.peers = window.who.size() - 1;
  evidence.storage = std::move(reading);
  return evidence;
}

// The same filter as that of disks: a flag is k of the last 2k-1 windows.
WindowEvent CustomJudge::Record(UnixTime end, const Window& window) {
  const auto& row = metrics_[window.metric];
  auto event = Describe(end, window);
  auto& group = groups_.try_emplace(window.group->name, window.metric, *preset_).first->second;
  group.members = window.group->members.size() - window.masked;
  group.masked = window.masked;
  group.taking_part = window.who.size();
  std::vector<Coverage::Member> covered;
  for (std::size_t place = 0; place < window.who.size(); ++place) {
    const auto& member = window.group->members[window.who[place]];
    auto& component = event.components[place];
    auto& known = group.records.Find(
        {.name = member.name, .node = member.node, .device = member.component, .entities = {}});
    const auto& record =
        group.records.Filter(known, row.name, JudgeMode::kJudge,
                             {.end = end,
                              .degree = event.undetermined ? 0 : window.comparison.degree[place],
                              .anomalous = component.window_anomalous},
                             component.threshold);
    component.flagged = record.flagged;
    component.degree = record.degree;
    component.accumulator = record.accumulator;
    covered.push_back({.node = &member.node, .compared = !event.undetermined});
    known.metrics.find(row.name)->second.effect = component.effect;
    if (!event.undetermined) {
      findings_.peers.insert(member.node);
    }
    if (record.flagged && !event.undetermined && !row.trial) {
      findings_.flags[member.node].push_back(
          {.evidence = CollectEvidence(window, place, component, record, end),
           .cause = row.cause,
           .beside = row.beside});
    }
  }
  group.coverage.Record(end, preset_->Shift(), covered, false);
  group.storm = preset_->IsScale() ? std::nullopt : FindStorm(event);
  return event;
}

std::vector<Event> CustomJudge::JudgeWindow(UnixTime end, const CustomReadings& readings,
                                            const NodeNames& nodes,
                                            const std::vector<std::string>& masked,
                                            const SideBySide& for_each) {
  const auto since = end - preset_->step * static_cast<Duration::rep>(preset_->window);
  findings_ = StorageFindings();
  last_end_ = end;
  for (auto& [name, group] : groups_) {
    group.records.ClearFlags();
    group.members = group.taking_part = group.masked = 0;
    group.storm.reset();
  }
  std::vector<CustomPlaces> places(metrics_.size());
  std::vector<std::vector<Window>> windows(metrics_.size());
  // Metrics share nothing that changes here.
  for_each(metrics_.size(), [&](std::size_t metric) {
    if (!metrics_[metric].asks.empty()) {
      return;
    }
    places[metric] = PlaceComponents(readings, metric, since, nodes);
    for (const auto& group : places[metric].groups) {
      windows[metric].push_back(Compare(end, readings, metric, group, masked));
    }
  });
  std::vector<Event> events;
  std::vector<Event> storms;
  for (std::size_t metric = 0; metric < metrics_.size(); ++metric) {
    auto& left = left_out_[metric];
    left = {.no_node = places[metric].no_node, .two_nodes = places[metric].two_nodes};
    for (const auto& window : windows[metric]) {
      left.few_requests += window.few_requests;
      left.other_buckets += window.other_buckets;
      left.few_peers += window.comparison.undetermined ? window.who.size() : 0;
      if (window.who.empty()) {
        continue;
      }
      events.emplace_back(Record(end, window));
      const auto& storm = groups_.find(window.group->name)->second.storm;
      if (storm) {
        storms.emplace_back(*storm);
      }
    }
  }
  std::ranges::move(storms, std::back_inserter(events));
  return events;
}

bool CustomJudge::Restore(const ComponentState& state) {
  const auto metric = std::ranges::find(metrics_, state.metric, &CustomMetric::name);
  if (metric == metrics_.end() || state.preset != preset_->name) {
    return false;
  }
  const auto number = static_cast<std::size_t>(metric - metrics_.begin());
  groups_.try_emplace(state.group, number, *preset_).first->second.records.Restore(state, true);
  return true;
}

void CustomJudge::ForgetNode(std::string_view node) {
  for (auto& [name, group] : groups_) {
    group.records.ForgetNode(node);
  }
}

// Components come from any target's page, so that their age alone says that they are gone.
void CustomJudge::ForgetGone(UnixTime before) {
  const auto always = [](const std::string&, const std::string&) { return true; };
  for (auto& [name, group] : groups_) {
    group.records.ForgetGone(always, before);
  }
  std::erase_if(groups_, [](const auto& one) { return one.second.records.All().empty(); });
}

}  // namespace limpet
