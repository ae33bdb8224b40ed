#include "diagnoser/publish/metrics.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/metrics/catalog.h"
#include "exporter/common/exposition/catalog/verdicts.h"

namespace limpet {
namespace {

// Prometheus takes "+Inf", but sums and averages over it are lost for good.
double Finite(double value) { return std::isfinite(value) ? value : kMaxDegree; }

bool IsConspicuous(const ComponentStatus& component) {
  return component.flagged || component.accumulator > 0;
}

bool SameGroup(const ComponentStatus& a, const ComponentStatus& b) {
  return a.preset == b.preset && a.group == b.group && a.metric == b.metric;
}

// Those to show, in the order of the view.
std::vector<const ComponentStatus*> Choose(const PipelineView& view, const DetailOptions& options) {
  const auto detail = ChooseDetail(options.detail, view);
  std::vector<const ComponentStatus*> chosen;
  for (const auto& component : view.components) {
    if (detail == Detail::kAll || IsConspicuous(component)) {
      chosen.push_back(&component);
    }
  }
  if (detail != Detail::kTop) {
    return chosen;
  }
  // Stable: equal degrees keep the order of names, so that series do not come and go.
  std::stable_sort(chosen.begin(), chosen.end(), [](const auto* a, const auto* b) {
    return std::tie(a->preset, a->group, a->metric, b->degree) <
           std::tie(b->preset, b->group, b->metric, a->degree);
  });
  std::vector<const ComponentStatus*> top;
  std::size_t place = 0;  // within its preset, group and metric
  for (const auto* component : chosen) {
    place = !top.empty() && SameGroup(*top.back(), *component) ? place + 1 : 1;
    if (place <= options.top) {
      top.push_back(component);
    }
  }
  return top;
}

void AddComponents(const PipelineView& view, const DetailOptions& options, Families& families) {
  Family anomaly{.info = &catalog::kAnomaly, .samples = {}};
  Family degree{.info = &catalog::kAnomalyDegree, .samples = {}};
  Family effect{.info = &catalog::kAnomalyEffectRatio, .samples = {}};
  Family accumulator{.info = &catalog::kAnomalyAccumulator, .samples = {}};
  Family rank{.info = &catalog::kComponentRank, .samples = {}};
  const auto chosen = Choose(view, options);
  for (const auto* component : chosen) {
    LabelSet::Pairs pairs{{"peer_group", component->group}, {"node", component->node}};
    if (!component->device.empty()) {
      pairs.emplace_back("device", component->device);
    }
    pairs.emplace_back("metric", MetricLabel(component->metric));
    pairs.emplace_back("preset", component->preset);
    // Rendered once and shared by all families below.
    const auto labels = MakeLabels(pairs);
    anomaly.samples.push_back({labels, component->flagged ? 1.0 : 0.0});
    degree.samples.push_back({labels, Finite(component->degree)});
    // A group that was undetermined has no effect; 0 would say "like its peers".
    if (component->effect) {
      effect.samples.push_back({labels, Finite(*component->effect)});
    }
    accumulator.samples.push_back({labels, static_cast<double>(component->accumulator)});
    if (component->rank) {
      rank.samples.push_back({labels, static_cast<double>(*component->rank)});
    }
  }
  for (auto* family : {&anomaly, &degree, &effect, &accumulator, &rank}) {
    families.push_back(std::move(*family));
  }
  families.push_back(
      {.info = &catalog::kComponentsLeftOut,
       .samples = {{nullptr, static_cast<double>(view.components.size() - chosen.size())}}});
}

void AddFacts(const PipelineView& view, Families& families) {
  Family facts{.info = &catalog::kFact, .samples = {}};
  std::set<std::string> told;  // several presets may name a node
  for (const auto& verdict : view.verdicts) {
    for (const auto& fact : verdict.facts) {
      auto labels = MakeLabels({{"node", verdict.node},
                                {"device", fact.device},
                                {"fact", fact.fact},
                                {"detail", fact.detail}});
      if (told.insert(labels->Rendered()).second) {
        facts.samples.push_back({std::move(labels), 1});
      }
    }
  }
  if (!facts.samples.empty()) {
    families.push_back(std::move(facts));
  }
}

void AddSharedParts(const PipelineView& view, Families& families) {
  Family parts{.info = &catalog::kSharedPart, .samples = {}};
  for (const auto& part : view.shared_parts) {
    parts.samples.push_back({MakeLabels({{"kind", part.kind}, {"name", part.name}}),
                             static_cast<double>(part.flagged.size())});
  }
  if (!parts.samples.empty()) {
    families.push_back(std::move(parts));
  }
}

bool IsLookedFor(CauseSource source, const PipelineView& view) {
  switch (source) {
    case CauseSource::kProfiles:
      return view.profiles.has_value();
    case CauseSource::kSyscalls:
      return view.syscalls;
    case CauseSource::kMetrics:
      return view.custom.has_value();
    case CauseSource::kRoundTrips:
      return view.round_trips;
    case CauseSource::kChecklist:
      break;
  }
  return true;
}

void AddNodes(const PipelineView& view, Families& families) {
  std::set<std::string_view> nodes;
  std::set<std::pair<std::string_view, Cause>> indicted;
  std::set<std::pair<std::string_view, Cause>> caused;
  std::set<std::pair<std::string_view, Cause>> unknown;
  std::set<std::pair<std::string, LunKind>> luns;
  for (const auto& node : view.nodes) {
    nodes.insert(node.node);
    if (node.cause != Cause::kNone) {
      caused.emplace(node.node, node.cause);
    }
    if (node.indicted) {
      // Sets: several presets may indict one node for one cause, and a series may appear only once.
      indicted.emplace(node.node, node.cause);
      luns.insert(node.luns.begin(), node.luns.end());
    }
    if (node.unknown) {
      unknown.emplace(node.node, node.cause);
    }
  }
  Family indictments{.info = &catalog::kIndicted, .samples = {}};
  Family causes{.info = &catalog::kRootCause, .samples = {}};
  // A series for every cause, 0 or 1: alerts and graphs then see an end instead of a gap.
  for (const auto node : nodes) {
    for (const auto& row : CauseRows()) {
      if (!IsLookedFor(row.source, view)) {
        continue;
      }
      const auto labels = MakeLabels({{"node", std::string(node)}, {"cause", row.name}});
      indictments.samples.push_back({labels, indicted.contains({node, row.cause}) ? 1.0 : 0.0});
      causes.samples.push_back({labels, caused.contains({node, row.cause}) ? 1.0 : 0.0});
    }
  }
  Family lun_indictments{.info = &catalog::kLunIndicted, .samples = {}};
  // No zeros for the others, unlike nodes: they would be a series for each disk of the fleet.
  for (const auto& [component, kind] : luns) {
    // Device names differ from server to server; after a failover only the WWN is still the same.
    const auto slash = component.find('/');
    const auto device = slash == std::string::npos ? "" : component.substr(slash + 1);
    const auto wwn = view.wwns.find(component);
    lun_indictments.samples.push_back(
        {MakeLabels({{"lun", wwn == view.wwns.end() ? component : wwn->second},
                     {"node", component.substr(0, slash)},
                     {"device", device},
                     {"kind", Name(kind)}}),
         1.0});
  }
  Family unknowns{.info = &catalog::kIndictedUnknown, .samples = {}};
  for (const auto& [node, cause] : unknown) {
    unknowns.samples.push_back(
        {MakeLabels({{"node", std::string(node)}, {"cause", Name(cause)}}), 1.0});
  }
  families.push_back(std::move(indictments));
  families.push_back(std::move(unknowns));
  families.push_back(std::move(causes));
  families.push_back(std::move(lun_indictments));
}

void AddGroups(const PipelineView& view, Families& families) {
  Family components{.info = &catalog::kGroupComponents, .samples = {}};
  Family ends{.info = &catalog::kWindowEnd, .samples = {}};
  std::map<std::string, UnixTime> latest;
  for (const auto& group : view.groups) {
    const auto add = [&](const char* state, std::size_t count) {
      components.samples.push_back(
          {MakeLabels({{"peer_group", group.group}, {"preset", group.preset}, {"state", state}}),
           static_cast<double>(count)});
    };
    add("taking_part", group.taking_part);
    add("missing", group.missing);
    add("masked", group.masked);
    // Groups of a preset close one after another; the newest says how far the preset has come.
    if (group.window_end) {
      auto& end = latest[group.preset];
      end = std::max(end, *group.window_end);
    }
  }
  Family storm{.info = &catalog::kGroupStorm, .samples = {}};
  Family bimodal{.info = &catalog::kGroupBimodal, .samples = {}};
  for (const auto& metric : view.metrics) {
    const auto labels = MakeLabels({{"peer_group", metric.group},
                                    {"metric", std::string(MetricLabel(metric.metric))},
                                    {"preset", metric.preset}});
    storm.samples.push_back({labels, metric.storm ? 1.0 : 0.0});
    bimodal.samples.push_back({labels, metric.bimodal ? 1.0 : 0.0});
  }
  for (const auto& [preset, end] : latest) {
    ends.samples.push_back({MakeLabels({{"preset", preset}}), ToSeconds(end.time_since_epoch())});
  }
  families.push_back(std::move(components));
  families.push_back(std::move(ends));
  families.push_back(std::move(storm));
  families.push_back(std::move(bimodal));
}

void AddFalseAlarms(const PipelineView& view, Families& families) {
  Family rate{.info = &catalog::kExpectedFalseAlarms, .samples = {}};
  Family upper{.info = &catalog::kExpectedFalseAlarmsUpper, .samples = {}};
  for (const auto& one : view.false_alarms) {
    const auto labels = MakeLabels({{"preset", one.preset}});
    rate.samples.push_back({labels, Finite(one.rate.per_day)});
    upper.samples.push_back({labels, Finite(one.rate.Bound())});
  }
  families.push_back(std::move(rate));
  families.push_back(std::move(upper));
}

void AddProfiles(const ProfileStatus& status, Families& families) {
  Family label{.info = &catalog::kProfileLabel, .samples = {}};
  Family distance{.info = &catalog::kProfileDistance, .samples = {}};
  Family alarm{.info = &catalog::kProfileAlarm, .samples = {}};
  Family indicted{.info = &catalog::kProfileIndicted, .samples = {}};
  for (const auto& node : status.nodes) {
    const auto labels = MakeLabels({{"node", node.node}});
    if (node.label) {
      label.samples.push_back({labels, static_cast<double>(*node.label)});
    }
    distance.samples.push_back({labels, Finite(node.distance)});
    alarm.samples.push_back({labels, node.alarm ? 1.0 : 0.0});
    indicted.samples.push_back({labels, node.indicted ? 1.0 : 0.0});
  }
  for (auto* family : {&label, &distance, &alarm, &indicted}) {
    families.push_back(std::move(*family));
  }
  families.push_back(
      {.info = &catalog::kProfileThreshold, .samples = {{nullptr, status.threshold}}});
  families.push_back(
      {.info = &catalog::kProfileUnknownRatio, .samples = {{nullptr, status.unknown_ratio}}});
  families.push_back(
      {.info = &catalog::kProfileModelStale, .samples = {{nullptr, status.stale ? 1.0 : 0.0}}});
}

// What is left out is no sign of health, so it is counted by reason.
void AddCustom(const CustomStatus& status, Families& families) {
  Family components{.info = &catalog::kCustomComponents, .samples = {}};
  for (const auto& metric : status.metrics) {
    const auto add = [&](const char* state, std::size_t count) {
      components.samples.push_back(
          {MakeLabels({{"metric", metric.name}, {"state", state}}), static_cast<double>(count)});
    };
    add("compared", metric.compared);
    add("no_node", metric.no_node);
    add("two_nodes", metric.two_nodes);
    add("few_requests", metric.few_requests);
    add("other_buckets", metric.other_buckets);
    add("few_peers", metric.few_peers);
  }
  families.push_back(std::move(components));
  Family dropped{.info = &catalog::kCustomDropped, .samples = {}};
  for (const auto& [reason, count] : {std::pair("no_room", status.no_room),
                                      {"unnamed", status.unnamed},
                                      {"repeated", status.repeated}}) {
    dropped.samples.push_back({MakeLabels({{"reason", reason}}), static_cast<double>(count)});
  }
  families.push_back(std::move(dropped));
}

}  // namespace

Detail ChooseDetail(Detail wanted, const PipelineView& view, Detail before) {
  if (wanted != Detail::kAuto) {
    return wanted;
  }
  const auto most = before == Detail::kAll ? kShownInFull : kShownInFull / 5 * 4;
  if (view.components.size() <= most) {
    return Detail::kAll;
  }
  // In a storm of the whole fleet the worst will do.
  const auto conspicuous = std::ranges::count_if(view.components, IsConspicuous);
  return static_cast<std::size_t>(conspicuous) > kShownInFull ? Detail::kTop : Detail::kFlagged;
}

Families VerdictFamilies(const PipelineView& view, const DetailOptions& options) {
  Families families;
  AddNodes(view, families);
  AddFacts(view, families);
  AddSharedParts(view, families);
  AddComponents(view, options, families);
  AddGroups(view, families);
  AddFalseAlarms(view, families);
  if (view.profiles) {
    AddProfiles(*view.profiles, families);
  }
  if (view.custom) {
    AddCustom(*view.custom, families);
  }
  return families;
}

}  // namespace limpet
