// group_balance.h: what the byte balances of a group need of others, and whom they speak of
// (series/balance.h).
//
// Threads: pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "diagnoser/detect/group_window.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/evidence/packets/cwnd_seconds.h"

namespace limpet {

// Adds to the samples, one a member, what servers send each other in the window that ends at `end`,
// from whichever group knows their connections.
void AddShares(UnixTime end, const PresetSettings& preset, std::span<const Member> members,
               const std::map<std::uint32_t, CwndSeconds>& connections,
               std::span<MemberSamples> samples);

// Returns the nodes whose byte balances are compared in this window.
[[nodiscard]] std::set<std::string> FindBalanced(const GroupSamples& group,
                                                 const GroupWindow& compared);

// Returns those of them whose network explains what their disks move, both ways.
[[nodiscard]] std::set<std::string> FindExplained(const GroupSamples& group,
                                                  std::set<std::string> balanced);

}  // namespace limpet
