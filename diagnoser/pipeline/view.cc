#include "diagnoser/pipeline/view.h"

#include "diagnoser/pipeline/shared_findings.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace limpet {
namespace {

// Of one group: 1 is the largest degree of a metric; a degree of 0 has no rank.
void RankComponents(std::span<ComponentStatus> components) {
  std::vector<ComponentStatus*> order;
  for (auto& component : components) {
    // Most are at 0, and ranking them would say nothing.
    if (component.degree > 0) {
      order.push_back(&component);
    }
  }
  // Stable: components of the same degree keep the order of their names.
  std::stable_sort(order.begin(), order.end(),
                   [](const ComponentStatus* a, const ComponentStatus* b) {
                     return a->metric != b->metric ? a->metric < b->metric : a->degree > b->degree;
                   });
  std::size_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank = i > 0 && order[i]->metric == order[i - 1]->metric ? rank + 1 : 1;
    order[i]->rank = rank;
  }
}

// The same component and metric as another scale of the preset sees it; null: not at all.
const MetricRecord* FindRecord(const GroupJudge& group, const std::string& component,
                               const std::string& metric) {
  const auto record = group.Records().find(component);
  if (record == group.Records().end()) {
    return nullptr;
  }
  const auto found = record->second.metrics.find(metric);
  return found == record->second.metrics.end() ? nullptr : &found->second;
}

void JoinScales(std::span<const GroupJudge* const> scales, const std::string& component,
                ComponentStatus& status) {
  for (const auto* scale : scales) {
    const auto* record = FindRecord(*scale, component, status.metric);
    if (record != nullptr && record->flagged && record->degree > status.degree) {
      status.flagged = true;
      status.degree = record->degree;
      status.effect = record->effect;
    }
  }
}

// The preset's own run; until a window of it has ended, which takes hours at readings a minute
// apart, the first of its scales that has closed one.
const PresetRun& FindShown(std::span<const PresetRun> runs, const ServerVerdicts& servers) {
  const auto found = std::ranges::find_if(
      servers.Runs(), [&](std::size_t run) { return runs[run].LastEnd().has_value(); });
  return runs[found == servers.Runs().end() ? servers.Runs().front() : *found];
}

// Of any scale: a verdict may come with each.
std::optional<UnixTime> FindLastEnd(std::span<const PresetRun> runs,
                                    const ServerVerdicts& servers) {
  std::optional<UnixTime> last;
  for (const auto run : servers.Runs()) {
    last = std::max(last, runs[run].LastEnd());
  }
  return last;
}

// `scales`: the same group in the preset's other runs. `end`: of the preset's last window.
void AddGroup(const PresetRun& run, const GroupJudge& group,
              std::span<const GroupJudge* const> scales, const std::string& preset,
              std::optional<UnixTime> end, PipelineView& view) {
  if (group.IsSpare()) {
    return;
  }
  view.groups.push_back({.preset = preset,
                         .group = group.Name(),
                         .window_end = end,
                         .taking_part = group.TakingPart(),
                         .missing = group.Members() - group.TakingPart(),
                         .masked = group.Masked(),
                         .per_node = group.PerNode()});
  for (const auto& metric : group.Metrics()) {
    const auto is_of = [&](const auto& one) { return one.metric == metric.name; };
    view.metrics.push_back({.preset = preset,
                            .group = group.Name(),
                            .metric = std::string(metric.name),
                            .storm = std::ranges::any_of(group.Storms(), is_of),
                            .bimodal = std::ranges::any_of(group.Bimodality(), is_of)});
  }
  view.storms.insert(view.storms.end(), group.Storms().begin(), group.Storms().end());
  view.bimodality.insert(view.bimodality.end(), group.Bimodality().begin(),
                         group.Bimodality().end());
  const auto before = view.components.size();
  for (const auto& [name, record] : group.Records()) {
    for (const auto& [metric, state] : record.metrics) {
      view.components.push_back({.preset = preset,
                                 .group = group.Name(),
                                 .node = record.node,
                                 .device = record.device,
                                 .metric = metric,
                                 .flagged = state.flagged,
                                 .degree = state.degree,
                                 .effect = state.effect,
                                 // It counts windows of the preset's own length.
                                 .accumulator = run.Settings().IsScale() ? 0 : state.accumulator,
                                 .rank = std::nullopt});
      JoinScales(scales, name, view.components.back());
    }
  }
  RankComponents(std::span(view.components).subspan(before));
}

// Joined over the time scales: a server that one of them compares is judged.
void AddCoverage(std::span<const PresetRun> runs, const ServerVerdicts& servers, std::size_t group,
                 PipelineView& view) {
  const auto& own = runs[servers.Runs().front()];
  std::map<std::string_view, CoverageStatus> joined;
  for (const auto number : servers.Runs()) {
    const auto& run = runs[number];
    for (const auto& [node, server] : run.Groups()[group].Compared().Servers()) {
      auto& status = joined[node];
      status.compared = std::max(status.compared, server.compared);
      const auto k = run.Settings().k;
      // The fastest scale may name it first, so the earliest of all instants is the promise.
      status.enough = status.enough || server.windows >= k;
      if (server.compared && server.windows < k) {
        const auto possible = *server.compared + run.Settings().Shift() *
                                                     static_cast<Duration::rep>(k - server.windows);
        status.possible = status.possible ? std::min(*status.possible, possible) : possible;
      }
    }
  }
  for (auto& [node, status] : joined) {
    status.preset = own.Settings().name;
    status.group = own.Groups()[group].Name();
    status.node = node;
    status.minor =
        KindRow(own.Groups()[group].Kind()).by_connection || own.Groups()[group].IsRecent();
    view.coverage.push_back(std::move(status));
  }
}

PresetStatus DescribePreset(std::span<const PresetRun> runs, const ServerVerdicts& servers,
                            std::optional<UnixTime> first) {
  PresetStatus status{.preset = servers.Settings().name, .window_end = FindLastEnd(runs, servers)};
  for (const auto number : servers.Runs()) {
    if (first) {
      const auto possible = runs[number].FirstVerdict(*first);
      status.first_verdict =
          status.first_verdict ? std::min(*status.first_verdict, possible) : possible;
    }
  }
  return status;
}

std::optional<FalseAlarmRate> SumFalseAlarms(std::span<const PresetRun> runs,
                                             const ServerVerdicts& servers) {
  std::optional<FalseAlarmRate> all;
  for (const auto run : servers.Runs()) {
    for (const auto& group : runs[run].Groups()) {
      if (const auto one = group.ExpectedFalseAlarms()) {
        all = all.value_or(FalseAlarmRate());
        all->Add(*one);
      }
    }
  }
  return all;
}

// Every node that has records, and those of verdicts: profiles may know nodes that no group has.
std::vector<NodeStatus> ListNodes(const PresetRun& run, const ServerVerdicts& servers) {
  std::map<std::string_view, const VerdictEvent*> verdict_of;
  for (const auto& group : run.Groups()) {
    for (const auto& [name, record] : group.Records()) {
      verdict_of.emplace(record.node, nullptr);
    }
  }
  for (const auto& verdict : servers.Verdicts()) {
    verdict_of[verdict.node] = &verdict;
  }
  std::map<std::string_view, Cause> unknown;
  for (const auto& one : servers.Unknown()) {
    verdict_of.emplace(one.node, nullptr);
    unknown[one.node] = one.cause;
  }
  std::vector<NodeStatus> nodes;
  for (const auto& [node, verdict] : verdict_of) {
    NodeStatus status{.preset = servers.Settings().name, .node = std::string(node), .luns = {}};
    if (verdict != nullptr) {
      status.cause = verdict->cause;
      status.indicted = !verdict->secondary;
      status.rank = verdict->rank;
      status.degree = verdict->degree;
      status.luns = verdict->luns;
    }
    // Nobody can say that it has recovered, so its indictment stands.
    if (const auto open = unknown.find(node); open != unknown.end()) {
      status.cause = open->second;
      status.indicted = true;
      status.unknown = true;
    }
    nodes.push_back(std::move(status));
  }
  return nodes;
}

// World-wide names, as far as known, of the disks in the verdicts.
std::map<std::string, std::string> FindWwns(std::span<const VerdictEvent> verdicts,
                                            const Directory& directory) {
  std::map<std::string, std::string> found;
  for (const auto& verdict : verdicts) {
    for (const auto& [component, kind] : verdict.luns) {
      const auto slash = component.find('/');
      if (slash == std::string::npos) {
        continue;
      }
      const std::string_view name = component;
      const auto wwn = directory.FindWwn(name.substr(0, slash), name.substr(slash + 1));
      if (!wwn.empty()) {
        found[component] = wwn;
      }
    }
  }
  return found;
}

}  // namespace

PipelineView MakeView(std::span<const PresetRun> runs, std::span<const ServerVerdicts> verdicts,
                      const Directory& directory, const PipelineCounters& counters,
                      std::optional<UnixTime> first) {
  PipelineView view;
  view.counters = counters;
  for (const auto& run : runs) {
    view.counters.windows += run.Windows();
    view.counters.compared += run.Compared();
  }
  for (const auto& servers : verdicts) {
    const auto& run = FindShown(runs, servers);
    const auto end = FindLastEnd(runs, servers);
    view.counters.verdicts += servers.VerdictCount();
    for (std::size_t group = 0; group < run.Groups().size(); ++group) {
      std::vector<const GroupJudge*> scales;
      for (const auto other : servers.Runs()) {
        if (&runs[other] != &run) {
          scales.push_back(&runs[other].Groups()[group]);
        }
      }
      AddGroup(run, run.Groups()[group], scales, servers.Settings().name, end, view);
      AddCoverage(runs, servers, group, view);
    }
    view.presets.push_back(DescribePreset(runs, servers, first));
    if (const auto rate = SumFalseAlarms(runs, servers)) {
      view.false_alarms.push_back({.preset = servers.Settings().name, .rate = *rate});
    }
    auto nodes = ListNodes(run, servers);
    std::move(nodes.begin(), nodes.end(), std::back_inserter(view.nodes));
    view.verdicts.insert(view.verdicts.end(), servers.Verdicts().begin(), servers.Verdicts().end());
    view.unknown.insert(view.unknown.end(), servers.Unknown().begin(), servers.Unknown().end());
  }
  view.wwns = FindWwns(view.verdicts, directory);
  view.shared_parts = FindShared(view.verdicts, directory);
  return view;
}

}  // namespace limpet
