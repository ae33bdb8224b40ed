// What a pipeline shows of itself to the live page, beside its view.

#include <algorithm>

#include "diagnoser/mapping/members.h"
#include "diagnoser/pipeline/impl.h"
#include "diagnoser/view/used_space.h"

namespace limpet {
namespace {

// Those with records under some preset; congestion windows have no members of their own.
std::vector<RosterComponent> ListRecords(const std::vector<PresetRun>& runs, std::size_t group) {
  std::map<std::string, RosterComponent> found;
  for (const auto& run : runs) {
    for (const auto& [name, record] : run.Groups()[group].Records()) {
      found.try_emplace(
          name, RosterComponent{.component = name, .node = record.node, .device = record.device});
    }
  }
  std::vector<RosterComponent> components;
  components.reserve(found.size());
  for (auto& [name, component] : found) {
    components.push_back(std::move(component));
  }
  return components;
}

void AddNodes(std::span<const Entity> entities, Roster& roster) {
  for (const auto& entity : entities) {
    if (entity.live && !entity.groups.empty()) {
      roster.nodes[entity.node].role = entity.role;
    }
  }
}

}  // namespace

std::uint64_t Pipeline::RosterVersion() const {
  return impl_->directory.Version() + impl_->memberships.Kinds().Version();
}

std::map<std::string, std::string> Pipeline::ListWwns() const {
  std::map<std::string, std::string> wwns;
  for (const auto& disk : impl_->directory.Entities(EntityKind::kDisk)) {
    if (disk.live && !disk.wwn.empty()) {
      wwns[ComponentName(GroupKind::kStorage, disk.node, disk.device)] = disk.wwn;
    }
  }
  return wwns;
}

Roster Pipeline::MakeRoster() const {
  const auto& my = *impl_;
  Roster roster;
  for (std::uint32_t i = 0; i < my.config.groups.size(); ++i) {
    const auto& rule = my.config.groups[i];
    RosterGroup group{.group = rule.name, .kind = rule.kind, .components = {}};
    if (KindRow(rule.kind).by_connection) {
      group.components = ListRecords(my.runs, i);
    } else {
      // The masked, too: a server in maintenance is still a server.
      for (auto& member : FindMembers(my.directory, i, {}, my.memberships.Kinds().Of(i)).members) {
        group.components.push_back({.component = std::move(member.name),
                                    .node = std::move(member.node),
                                    .device = std::move(member.device)});
      }
    }
    if (rule.kind_of.empty() || !group.components.empty()) {
      roster.groups.push_back(std::move(group));
    }
  }
  for (const auto& kind : DirectoryKinds()) {
    // Clients, which have connections alone, are no components of anything.
    if (HasCounters(kind.kind)) {
      AddNodes(my.directory.Entities(kind.kind), roster);
    }
  }
  return roster;
}

std::vector<NodeRates> Pipeline::Rates(const RatesAt& at) const {
  auto rates = CollectNodeRates(impl_->directory, impl_->readings, impl_->memberships.Bottoms(),
                                impl_->runs.front().Grid(), at);
  AddHostLoads(impl_->activity.Loads(), at.oldest, rates);
  return rates;
}

Duration Pipeline::RateStep() const {
  return impl_->readings.Grids()[impl_->runs.front().Grid()].step;
}

std::map<std::string, ActivityTotals> Pipeline::Activity() const {
  return impl_->activity.Totals();
}

std::map<std::string, double> Pipeline::UsedSpace(UnixTime now) const {
  return CollectUsedSpace(impl_->directory, impl_->facts, now);
}

std::optional<PeerBand> Pipeline::Band(const BandRequest& request) const {
  const auto& my = *impl_;
  const auto run = std::find_if(my.runs.begin(), my.runs.end(), [&](const PresetRun& one) {
    return one.Settings().name == request.preset;
  });
  if (run == my.runs.end()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < my.config.groups.size(); ++i) {
    const auto& rule = my.config.groups[i];
    if (rule.name != request.group || KindRow(rule.kind).by_connection ||
        i >= my.memberships.Members().size()) {
      continue;
    }
    const auto metrics = Metrics(rule.kind);
    const auto row = std::find_if(metrics.begin(), metrics.end(), [&](const MetricRow& one) {
      return one.name == request.metric && !one.formula.IsBalance();
    });
    return row == metrics.end()
               ? std::nullopt
               : std::optional(MakePeerBand(
                     request, rule.kind, static_cast<std::size_t>(row - metrics.begin()),
                     my.memberships.Members()[i], run->Settings(), my.readings, run->Grid()));
  }
  return std::nullopt;
}

std::vector<HourlyRows> Pipeline::Hourly() const {
  std::vector<HourlyRows> all;
  for (const auto& run : impl_->runs) {
    if (!run.Settings().IsScale()) {
      all.push_back({.preset = run.Settings().name,
                     .metric = run.Settings().hourly_metric,
                     .rows = run.Summary().hourly});
    }
  }
  return all;
}

}  // namespace limpet
