#include "diagnoser/evidence/storage/custom_windows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace limpet {
namespace {

// Windows end with one, as those of all presets do.
Duration FindTick(const PipelineConfig& config) {
  auto tick = config.presets.front().Shift();
  for (const auto& preset : config.presets) {
    tick = std::min(tick, preset.Shift());
  }
  return tick;
}

// The longest window, and what may arrive ahead while it waits for a late target.
std::size_t CountTicks(const PipelineConfig& config) {
  Duration longest{};
  for (const auto& preset : config.presets) {
    longest = std::max(
        longest, preset.step * static_cast<Duration::rep>(preset.window) + 2 * preset.MaxGap());
  }
  return static_cast<std::size_t>((longest + config.limits.future) / FindTick(config)) + 4;
}

bool IsSameFlag(const StorageFlag& a, const StorageFlag& b) {
  return a.evidence.component == b.evidence.component && a.evidence.group == b.evidence.group;
}

// The nodes of a preset that the view has. Thousands of nodes are in each metric's group.
std::set<std::string, std::less<>> NodesOf(const PipelineView& view, const std::string& preset) {
  std::set<std::string, std::less<>> nodes;
  for (const auto& one : view.nodes) {
    if (one.preset == preset) {
      nodes.insert(one.node);
    }
  }
  return nodes;
}

const MetricRecord* FindRecord(const CustomJudge& judge, const std::string& group,
                               const std::string& component, const std::string& metric) {
  const auto found = judge.All().find(group);
  if (found == judge.All().end()) {
    return nullptr;
  }
  const auto record = found->second.records.All().find(component);
  if (record == found->second.records.All().end()) {
    return nullptr;
  }
  const auto its = record->second.metrics.find(metric);
  return its == record->second.metrics.end() ? nullptr : &its->second;
}

}  // namespace

CustomWindows::CustomWindows(const PipelineConfig& config, std::vector<GridSpec> grids,
                             std::span<const std::size_t> numbers)
    : config_(&config),
      readings_(config.custom, std::move(grids), FindTick(config), CountTicks(config)) {
  for (std::size_t i = 0; i < config.presets.size(); ++i) {
    judges_.emplace_back(config.presets[i], numbers[i], config.custom);
    longest_ = std::max(
        longest_, config.presets[i].step * static_cast<Duration::rep>(config.presets[i].window));
  }
}

std::vector<Event> CustomWindows::Close(std::size_t run, UnixTime end, const Directory& directory,
                                        const SideBySide& for_each) {
  if (nodes_of_ != directory.Version()) {
    nodes_of_ = directory.Version();
    nodes_ = NodeNames();
    for (const auto& [address, node] : config_->addresses) {
      nodes_.AddAlias(address, node);
    }
    for (const auto& row : DirectoryKinds()) {
      for (const auto& entity : directory.Entities(row.kind)) {
        if (entity.live) {
          nodes_.Add(entity.node);
        }
      }
    }
  }
  // No window of any preset looks further back for whether there is something.
  readings_.Prune(end - longest_);
  return judges_[run].JudgeWindow(end, readings_, nodes_, config_->masked, for_each);
}

// As ServerVerdicts joins the flags of a preset's time scales.
StorageFindings CustomWindows::Findings(std::span<const std::size_t> runs) const {
  StorageFindings joined;
  for (const auto run : runs) {
    const auto& its = judges_[run].Findings();
    joined.peers.insert(its.peers.begin(), its.peers.end());
    for (const auto& [node, flags] : its.flags) {
      auto& all = joined.flags[node];
      for (const auto& flag : flags) {
        const auto same = std::ranges::find_if(
            all, [&](const StorageFlag& one) { return IsSameFlag(one, flag); });
        if (same == all.end()) {
          all.push_back(flag);
        } else if (flag.evidence.degree > same->evidence.degree) {
          *same = flag;
        }
      }
    }
  }
  return joined;
}

// As view.cc does for peer groups, with the same rows.
void CustomWindows::AddTo(PipelineView& view, std::span<const std::size_t> runs) const {
  const auto& own = judges_[runs.front()];
  const auto& preset = own.Preset().name;
  auto nodes = NodesOf(view, preset);
  std::optional<UnixTime> end;
  for (const auto run : runs) {
    end = std::max(end, judges_[run].LastEnd());
  }
  for (const auto& [name, group] : own.All()) {
    const auto& metric = config_->custom[group.metric];
    view.groups.push_back({.preset = preset,
                           .group = name,
                           .window_end = end,
                           .taking_part = group.taking_part,
                           .missing = group.members - group.taking_part,
                           .masked = group.masked});
    view.metrics.push_back(
        {.preset = preset, .group = name, .metric = metric.name, .storm = group.storm.has_value()});
    if (group.storm) {
      view.storms.push_back(*group.storm);
    }
    for (const auto& [component, record] : group.records.All()) {
      for (const auto& [its, state] : record.metrics) {
        ComponentStatus status{.preset = preset,
                               .group = name,
                               .node = record.node,
                               .device = record.device,
                               .metric = its,
                               .flagged = state.flagged,
                               .degree = state.degree,
                               .effect = state.effect,
                               .accumulator = state.accumulator,
                               .rank = std::nullopt};
        for (const auto run : runs.subspan(1)) {
          const auto* other = FindRecord(judges_[run], name, component, its);
          if (other != nullptr && other->flagged && other->degree > status.degree) {
            status.flagged = true;
            status.degree = other->degree;
            status.effect = other->effect;
          }
        }
        view.components.push_back(std::move(status));
      }
    }
    for (const auto& [node, server] : group.coverage.Servers()) {
      // Nothing but the storage may tell of it.
      if (nodes.insert(node).second) {
        view.nodes.push_back({.preset = preset, .node = node, .luns = {}});
      }
      view.coverage.push_back({.preset = preset,
                               .group = name,
                               .node = node,
                               .minor = true,
                               .compared = server.compared,
                               .enough = server.windows >= own.Preset().k,
                               .possible = std::nullopt});
    }
  }
}

// Of the first preset: what is left out is left out of all of them.
CustomStatus CustomWindows::Status() const {
  CustomStatus status{.components = readings_.Components(),
                      .no_room = readings_.Drops().no_room,
                      .unnamed = readings_.Drops().unnamed,
                      .repeated = readings_.Drops().repeated,
                      .metrics = {}};
  for (std::size_t metric = 0; metric < config_->custom.size(); ++metric) {
    if (!config_->custom[metric].asks.empty()) {
      continue;  // compared with nothing
    }
    const auto& left = judges_.front().Left()[metric];
    CustomMetricStatus its{.name = config_->custom[metric].name,
                           .text = config_->custom[metric].text,
                           .unit = config_->custom[metric].unit,
                           .no_node = left.no_node,
                           .two_nodes = left.two_nodes,
                           .few_requests = left.few_requests,
                           .other_buckets = left.other_buckets,
                           .few_peers = left.few_peers};
    for (const auto& [name, group] : judges_.front().All()) {
      its.compared += group.metric == metric ? group.taking_part : 0;
    }
    its.compared -= std::min(its.compared, left.few_peers);
    status.metrics.push_back(std::move(its));
  }
  return status;
}

void CustomWindows::ExportTo(std::vector<ComponentState>& components) const {
  for (const auto& judge : judges_) {
    for (const auto& [name, group] : judge.All()) {
      group.records.ExportTo(name, components);
    }
  }
}

bool CustomWindows::Restore(const ComponentState& state) {
  return std::ranges::any_of(judges_, [&](CustomJudge& judge) { return judge.Restore(state); });
}

void CustomWindows::ForgetRecords(std::string_view node) {
  for (auto& judge : judges_) {
    judge.ForgetNode(node);
  }
}

void CustomWindows::ForgetGone(UnixTime before) {
  for (auto& judge : judges_) {
    judge.ForgetGone(before);
  }
}

}  // namespace limpet
