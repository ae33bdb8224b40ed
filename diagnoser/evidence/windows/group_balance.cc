#include "diagnoser/evidence/windows/group_balance.h"

#include "diagnoser/evidence/whole_second.h"

namespace limpet {

void AddShares(UnixTime end, const PresetSettings& preset, std::span<const Member> members,
               const std::map<std::uint32_t, CwndSeconds>& connections,
               std::span<MemberSamples> samples) {
  const auto seconds = SecondsPerShift(preset.step * static_cast<Duration::rep>(preset.window));
  for (const auto& [number, known] : connections) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!samples[i].to_servers) {
        samples[i].to_servers = known.ShareToServers(members[i].node, end, seconds);
        samples[i].segments = known.SegmentsSent(members[i].node, end, seconds);
      }
    }
  }
}

std::set<std::string> FindBalanced(const GroupSamples& group, const GroupWindow& compared) {
  std::set<std::string> nodes;
  for (const auto& window : compared.windows) {
    if (group.metrics[window.metric].formula.IsBalance() && !window.comparison.undetermined) {
      for (const auto number : window.who) {
        nodes.insert(group.members[number].node);
      }
    }
  }
  return nodes;
}

std::set<std::string> FindExplained(const GroupSamples& group, std::set<std::string> balanced) {
  for (std::size_t metric = 0; metric < group.traffic.size(); ++metric) {
    for (std::size_t i = 0; i < group.traffic[metric].size(); ++i) {
      if (!group.traffic[metric][i].explained) {
        balanced.erase(group.members[i].node);
      }
    }
  }
  return balanced;
}

}  // namespace limpet
