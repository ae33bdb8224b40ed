#include "diagnoser/pipeline/server_verdicts.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/pipeline/peer_sets.h"
#include "diagnoser/verdict/root_cause.h"

namespace limpet {
namespace {

bool IsSameFlag(const Evidence& a, const Evidence& b) {
  return a.component == b.component && a.group == b.group && a.metric == b.metric;
}

bool IsGatedByDevice(const PresetSettings& preset) {
  return preset.service_time == ServiceTime::kDevice && preset.svctm_gate == SvctmGate::kAlways;
}

Duration WindowOf(const PresetSettings& preset) {
  return preset.step * static_cast<Duration::rep>(preset.window);
}

bool IsMember(const std::string& node, const GroupMembers& members) {
  return std::ranges::find(members.members, node, &Member::node) != members.members.end();
}

// The number of the group by which to tell whether a node that `name` judged can still be compared.
// Idle connections take no part either, so a group of them cannot say that peers are gone: the
// first of the node's other groups does. nullopt: it is in none.
std::optional<std::size_t> FindStandIn(const std::string& node, const std::string& name,
                                       const std::vector<GroupJudge>& groups,
                                       const std::vector<GroupMembers>& members) {
  const auto named = std::ranges::find(groups, name, &GroupJudge::Name);
  if (named == groups.end()) {
    return std::nullopt;
  }
  const bool any = KindRow(named->Kind()).by_connection;
  for (std::size_t number = 0; number < groups.size(); ++number) {
    const auto& group = groups[number];
    if ((any ? !KindRow(group.Kind()).by_connection : group.Name() == name) &&
        IsMember(node, members[number])) {
      return number;
    }
  }
  return std::nullopt;
}

}  // namespace

ServerVerdicts::ServerVerdicts(const PresetSettings& preset, std::vector<std::size_t> runs)
    : preset_(&preset), runs_(std::move(runs)) {}

std::map<std::string, std::vector<Evidence>> ServerVerdicts::JoinFlags(
    std::span<const PresetRun> all) {
  std::vector<PastFlags::Scale> scales;
  for (const auto number : runs_) {
    const auto& preset = all[number].Settings();
    scales.push_back({.window = WindowOf(preset),
                      .k = preset.k,
                      .end = all[number].LastEnd().value_or(UnixTime::min()),
                      .flags = &all[number].Flagged()});
  }
  auto selected = past_.Select(scales);
  // The preset's own flags first: without scales they are all there is.
  auto joined = std::move(selected.front());
  for (const auto& scale : std::span(selected).subspan(1)) {
    for (const auto& [node, flags] : scale) {
      auto& evidence = joined[node];
      for (const auto& flag : flags) {
        const auto same = std::ranges::find_if(
            evidence, [&](const Evidence& one) { return IsSameFlag(one, flag); });
        if (same == evidence.end()) {
          evidence.push_back(flag);
        } else if (flag.degree > same->degree) {
          *same = flag;
        }
      }
    }
  }
  return joined;
}

void ServerVerdicts::Look(std::size_t run, std::span<const PresetRun> all,
                          std::span<const Event> events) {
  const auto scale = static_cast<std::size_t>(std::ranges::find(runs_, run) - runs_.begin());
  const auto window = WindowOf(all[run].Settings());
  past_.Look(scale, window, events);
  past_.Look(scale, window, all[run].Untold());
}

void ServerVerdicts::Judge(UnixTime end, std::span<const PresetRun> all,
                           const std::vector<GroupMembers>& members,
                           const std::map<std::uint32_t, CwndSeconds>& cwnd,
                           NodeFindings findings) {
  // A verdict is about a server, so what all its groups found is judged together.
  verdicts_.clear();
  for (auto& [node, evidence] : JoinFlags(all)) {
    const auto in_any_run = [&, &name = node](const auto& nodes) {
      return std::ranges::any_of(
          runs_, [&](std::size_t run) { return std::invoke(nodes, all[run]).contains(name); });
    };
    if (auto verdict = JudgeServer(std::move(evidence),
                                   {.hog_direction = preset_->hog_direction,
                                    .balanced = in_any_run(&PresetRun::Balanced),
                                    .explained = in_any_run(&PresetRun::Explained),
                                    .device_time = IsGatedByDevice(*preset_),
                                    .segments_known = in_any_run(&PresetRun::SegmentsKnown),
                                    .resending = in_any_run(&PresetRun::Resending)})) {
      verdict->end = end;
      verdict->preset = preset_->name;
      verdict->node = node;
      verdicts_.push_back(std::move(*verdict));
    }
  }
  Rank(all[runs_.front()], members, cwnd);
  Join(end, std::move(findings));
  FindUnknown(end, all, members);
  beginnings_.Update(WindowOf(*preset_), verdicts_, unknown_);
}

void ServerVerdicts::FindUnknown(UnixTime end, std::span<const PresetRun> all,
                                 const std::vector<GroupMembers>& members) {
  const auto find = [&](const std::string& node,
                        const std::string& name) -> std::optional<OpenIncidents::Standing> {
    const auto number = FindStandIn(node, name, all[runs_.front()].Groups(), members);
    if (!number) {
      return std::nullopt;
    }
    // The fastest scale knows first that peers are gone and that they are back; a slow one may not
    // have compared anybody since before there was an incident.
    const PresetRun* fastest = nullptr;
    for (const auto run : runs_) {
      if (all[run].LastEnd() &&
          (fastest == nullptr || all[run].Settings().Shift() < fastest->Settings().Shift())) {
        fastest = &all[run];
      }
    }
    if (fastest == nullptr) {
      return OpenIncidents::Standing();
    }
    const auto& group = fastest->Groups()[*number];
    const auto& servers = group.Compared().Servers();
    const auto server = servers.find(node);
    return OpenIncidents::Standing{
        .comparable = group.Comparable(),
        .enough = group.Comparable() >= kMinPeers,
        .compared = server != servers.end() && server->second.compared == fastest->LastEnd()};
  };
  // As many windows as the filter holds: with fewer, one that looks well would end an incident that
  // it does not end where there was no gap.
  const auto again = preset_->Shift() * (2 * static_cast<Duration::rep>(preset_->k) - 1);
  unknown_ = incidents_.Update(end, verdicts_, again, find);
}

void ServerVerdicts::Rank(const PresetRun& run, const std::vector<GroupMembers>& members,
                          const std::map<std::uint32_t, CwndSeconds>& cwnd) {
  // With one verdict there is nobody to rank it against, whatever the scope.
  if (preset_->ranking_scope == RankingScope::kAll || verdicts_.size() < 2) {
    verdicts_ = Ranked(std::move(verdicts_), preset_->rho, preset_->ranking);
    return;
  }
  const auto& groups = run.Groups();
  std::vector<std::vector<std::string>> servers(groups.size());
  for (std::uint32_t number = 0; number < groups.size(); ++number) {
    if (groups[number].PerNode()) {
      continue;  // nobody there is compared with another server
    }
    if (KindRow(groups[number].Kind()).by_connection) {
      servers[number] = cwnd.at(number).Servers();
    } else {
      for (const auto& member : members[number].members) {
        servers[number].push_back(member.node);
      }
    }
  }
  const PeerSets sets(servers);
  verdicts_ = RankedWithin(std::move(verdicts_), preset_->rho, preset_->ranking,
                           [&](const std::string& node) { return sets.Of(node); });
}

void ServerVerdicts::Join(UnixTime end, NodeFindings findings) {
  verdicts_ = WithSyscalls(
      std::move(verdicts_), std::move(findings.syscalls),
      {.rho = preset_->rho, .marks = preset_->ranking, .hog_direction = preset_->hog_direction});
  verdicts_ = WithStorage(std::move(verdicts_), std::move(findings.storage), preset_->rho,
                          preset_->ranking);
  verdicts_ = WithBehaviour(std::move(verdicts_), std::move(findings.behaviour), preset_->rho,
                            preset_->ranking);
  // Neither profiles nor system calls know presets and windows; they join each preset's own.
  for (auto& verdict : verdicts_) {
    verdict.end = end;
    verdict.preset = preset_->name;
  }
}

std::vector<ServerVerdicts> MakeServerVerdicts(std::span<const PresetSettings> presets) {
  std::vector<ServerVerdicts> all;
  for (std::size_t i = 0; i < presets.size(); ++i) {
    if (presets[i].IsScale()) {
      continue;
    }
    std::vector<std::size_t> runs = {i};
    for (std::size_t other = 0; other < presets.size(); ++other) {
      if (presets[other].scale_of.preset == presets[i].name) {
        runs.push_back(other);
      }
    }
    all.emplace_back(presets[i], std::move(runs));
  }
  return all;
}

}  // namespace limpet
