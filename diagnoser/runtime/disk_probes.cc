#include "diagnoser/runtime/disk_probes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "diagnoser/runtime/probe_fact.h"

namespace limpet {
namespace {

// A round whose end nobody told of was dropped.
constexpr Duration kForgotten = DiskProber::kPatience + std::chrono::seconds(30);

struct Disk {
  std::string node;
  std::string device;
  std::string group;
  std::string name;  // "node/device"
};
using Disks = std::map<std::string, Disk>;  // of one peer group, by name

// The disks of each peer group.
std::map<std::string, Disks> DisksByGroup(const PipelineView& view) {
  std::map<std::string, Disks> groups;
  for (const auto& one : view.components) {
    if (!one.device.empty()) {
      auto name = one.node + "/" + one.device;
      groups[one.group].emplace(name, Disk{one.node, one.device, one.group, name});
    }
  }
  return groups;
}

// Who is not to be taken for healthy: one flag is enough, long before there is a verdict.
std::set<std::string> SickNodes(const PipelineView& view) {
  std::set<std::string> sick;
  for (const auto& one : view.components) {
    if (one.flagged) {
      sick.insert(one.node);
    }
  }
  for (const auto& verdict : view.verdicts) {
    sick.insert(verdict.node);
  }
  return sick;
}

// The first disk of the evidence.
const Disk* FindSuspect(const VerdictEvent& verdict, const std::map<std::string, Disks>& groups) {
  for (const auto& evidence : verdict.evidence) {
    const auto group = groups.find(evidence.group);
    if (group == groups.end()) {
      continue;
    }
    const auto disk = group->second.find(evidence.component);
    if (disk != group->second.end()) {
      return &disk->second;
    }
  }
  return nullptr;
}

// Those of verdicts first.
std::vector<const Disk*> FindSuspects(const PipelineView& view,
                                      const std::map<std::string, Disks>& groups,
                                      const std::set<std::string>& wanted) {
  std::vector<const Disk*> suspects;
  for (const auto& verdict : view.verdicts) {
    // A secondary server most likely suffers from the worst one, whose disk is read anyway.
    suspects.push_back(verdict.secondary ? nullptr : FindSuspect(verdict, groups));
  }
  for (const auto& [group, disks] : groups) {
    for (const auto& [name, disk] : disks) {
      suspects.push_back(wanted.contains(name) ? &disk : nullptr);
    }
  }
  return suspects;
}

}  // namespace

std::optional<ProbeRound> DiskProbes::Choose(const PipelineView& view, Duration interval,
                                             const FindEndpoint& find, SteadyTime now,
                                             const std::set<std::string>& wanted) {
  if ((view.verdicts.empty() && wanted.empty()) ||
      (began_ && now - *began_ < (is_under_way_ ? kForgotten : kPause))) {
    return std::nullopt;
  }
  interval_ = interval;
  std::erase_if(asked_, [&](const auto& one) { return now - one.second >= interval; });
  std::erase_if(results_, [&](const auto& one) { return now >= one.second.until; });
  const auto target = [&](const Disk& disk) -> std::optional<ProbedTarget> {
    const auto* endpoint = find(disk.node);
    return endpoint == nullptr || asked_.contains(disk.name)
               ? std::nullopt
               : std::optional(ProbedTarget{disk.node, disk.device, *endpoint});
  };
  const auto groups = DisksByGroup(view);
  // One a call: a storm of verdicts must not make all disks work at once.
  for (const auto* suspect : FindSuspects(view, groups, wanted)) {
    const auto first = suspect == nullptr ? std::nullopt : target(*suspect);
    if (!first) {
      continue;
    }
    ProbeRound round = {*first};
    auto taken = SickNodes(view);
    const auto& disks = groups.at(suspect->group);
    // From the next by name on and around, so that not all suspects ask the same peers.
    auto peer = disks.find(suspect->name);
    for (std::size_t i = 1; i < disks.size() && round.size() <= kPeers; ++i) {
      peer = std::next(peer) == disks.end() ? disks.begin() : std::next(peer);
      const auto other = taken.contains(peer->second.node) ? std::nullopt : target(peer->second);
      if (other) {
        taken.insert(other->node);
        round.push_back(*other);
      }
    }
    // Alone a number says nothing: whether 10 ms are slow depends on the kind of disk.
    if (round.size() > 1) {
      Begin(round, now);
      return round;
    }
  }
  return std::nullopt;
}

void DiskProbes::Begin(const ProbeRound& round, SteadyTime now) {
  // Peers too: their exporters would answer with this round's result for minutes.
  for (const auto& target : round) {
    asked_[target.node + "/" + target.device] = now;
  }
  began_ = now;
  is_under_way_ = true;
}

std::string DiskProbes::Add(const ProbeReadings& readings, SteadyTime now) {
  is_under_way_ = false;
  began_ = now;  // the pause is between the end of one and the next
  if (auto fact = MakeProbeFact(readings)) {
    auto text = readings.front().node + ": " + fact->text;
    results_[readings.front().node + "/" + readings.front().device] = {
        .fact = *std::move(fact),
        .slow = IsSlow(readings),
        .at = now,
        .until = now + 2 * interval_};
    return text;
  }
  return readings.front().node + "/" + readings.front().device +
         " could not be read to confirm its verdict: " + readings.front().error;
}

std::map<std::string, ProbedState> DiskProbes::Probed(SteadyTime now, UnixTime unix_now) const {
  std::map<std::string, ProbedState> probed;
  for (const auto& [name, kept] : results_) {
    if (kept.slow && now < kept.until) {
      probed[name] = {.slow = *kept.slow, .at = unix_now - (now - kept.at)};
    }
  }
  return probed;
}

void DiskProbes::Join(VerdictEvent& verdict, SteadyTime now) const {
  for (const auto& evidence : verdict.evidence) {
    const auto found = results_.find(evidence.component);
    if (found != results_.end() && now < found->second.until) {
      verdict.facts.insert(verdict.facts.begin(), found->second.fact);
      return;
    }
  }
}

}  // namespace limpet
