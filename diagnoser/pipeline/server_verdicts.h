// server_verdicts.h: the verdicts of one preset, from the flags of all its time scales.
//
// Each scale closes windows at instants of its own; what it has flagged holds until its next one.
// So a server is indicted as soon as the fastest scale sees it and until the slowest that saw it by
// then has let go of it (verdict/past_flags.h). Where several flag the same component and metric,
// the largest degree is the evidence: degrees are in units of each scale's own threshold. Threads:
// one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/windows/preset_run.h"
#include "diagnoser/verdict/beginnings.h"
#include "diagnoser/verdict/open_incidents.h"
#include "diagnoser/verdict/past_flags.h"
#include "diagnoser/verdict/ranking.h"
#include "diagnoser/verdict/storage_verdicts.h"
#include "diagnoser/verdict/syscall_verdicts.h"

namespace limpet {

// What is known of whole nodes beside the windows of their components.
struct NodeFindings {
  Behaviour behaviour;
  SyscallFindings syscalls;
  StorageFindings storage;
};

class ServerVerdicts {
 public:
  // `preset` must outlive this. `runs`: numbers of the preset's own run, the first, and of those of
  // its scales.
  ServerVerdicts(const PresetSettings& preset, std::vector<std::size_t> runs);

  // Called before Judge with what one of the runs, by its number, has just closed.
  void Look(std::size_t run, std::span<const PresetRun> all, std::span<const Event> events);
  // The verdicts at `end`, from what each of `all` runs has flagged in its last window.
  // `findings`: nodes that their profile or their system calls indict.
  void Judge(UnixTime end, std::span<const PresetRun> all, const std::vector<GroupMembers>& members,
             const std::map<std::uint32_t, CwndSeconds>& cwnd, NodeFindings findings);
  // What else is known of the nodes in the verdicts; they judge nobody.
  void JoinFacts(const std::function<std::vector<Fact>(const VerdictEvent&)>& find) {
    for (auto& verdict : verdicts_) {
      verdict.facts = find(verdict);
    }
  }
  void Count() { count_ += verdicts_.size(); }

  [[nodiscard]] const PresetSettings& Settings() const { return *preset_; }
  [[nodiscard]] std::span<const std::size_t> Runs() const { return runs_; }
  // Worst first; as of the last Judge.
  [[nodiscard]] const std::vector<VerdictEvent>& Verdicts() const { return verdicts_; }
  // Those who were indicted and cannot be compared any more; as of the last Judge.
  [[nodiscard]] const std::vector<UnknownEvent>& Unknown() const { return unknown_; }
  [[nodiscard]] OpenIncidents& Incidents() { return incidents_; }
  [[nodiscard]] const OpenIncidents& Incidents() const { return incidents_; }
  // When they began.
  [[nodiscard]] Beginnings& Begun() { return beginnings_; }
  [[nodiscard]] const Beginnings& Begun() const { return beginnings_; }
  [[nodiscard]] std::uint64_t VerdictCount() const { return count_; }

 private:
  [[nodiscard]] std::map<std::string, std::vector<Evidence>> JoinFlags(
      std::span<const PresetRun> all);
  // Orders verdicts_ and marks those that are secondary.
  void Rank(const PresetRun& run, const std::vector<GroupMembers>& members,
            const std::map<std::uint32_t, CwndSeconds>& cwnd);
  void Join(UnixTime end, NodeFindings findings);
  void FindUnknown(UnixTime end, std::span<const PresetRun> all,
                   const std::vector<GroupMembers>& members);

  const PresetSettings* preset_;
  std::vector<std::size_t> runs_;
  std::vector<VerdictEvent> verdicts_;
  PastFlags past_;
  OpenIncidents incidents_;
  Beginnings beginnings_;
  std::vector<UnknownEvent> unknown_;
  std::uint64_t count_ = 0;
};

// One a preset that is no scale, in their order.
[[nodiscard]] std::vector<ServerVerdicts> MakeServerVerdicts(
    std::span<const PresetSettings> presets);

}  // namespace limpet
