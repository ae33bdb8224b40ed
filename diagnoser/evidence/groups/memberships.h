// memberships.h: which components each peer group has at a window end.
//
// Members change when the directory does (somebody came or is gone), when the masks do, and, in
// groups that tell recent components apart, when a newcomer grows old enough. In between nothing is
// looked up: with 10,000 disks that would cost more than many a window.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/evidence/groups/disk_kind_groups.h"
#include "diagnoser/evidence/groups/newcomers.h"
#include "diagnoser/evidence/windows/preset_run.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/view/node_rates.h"

namespace limpet {

class Memberships {
 public:
  // See Newcomers.
  Memberships(Duration grace, std::size_t most) : newcomers_(grace, most) {}

  // Looks at the directory, when it has changed since.
  void Refresh(const PipelineConfig& config, const Directory& directory);
  // The masks have changed: the next Refresh looks in any case.
  void Invalidate() { version_.reset(); }

  // Called after Refresh: records which were first seen when, of those with a reading before `end`.
  void RecordNewcomers(const PipelineConfig& config, const Readings& readings, UnixTime end);
  // Returns, after Refresh, the members at `end`, for the run number `number`, whose recent groups
  // forget those who have grown out of them. `born`: the first reading of all.
  void Select(const PipelineConfig& config, const Readings& readings, UnixTime born, UnixTime end,
              std::size_t number, PresetRun& run);

  // Components that are gone, first seen before `before`: they are newcomers when they come again.
  void ForgetGone(const IsGone& is_gone, UnixTime before);

  // Returns which disks the groups that make themselves have.
  [[nodiscard]] const DiskKindGroups& Kinds() const { return kinds_; }
  [[nodiscard]] std::vector<DiskKindGroups::Move> TakeMoves() { return kinds_.TakeMoves(); }
  // Called before the first Refresh after a restart.
  void ResumeKinds(const PipelineConfig& config, const std::vector<DiskKindMemory>& kinds) {
    kinds_.Resume(config, kinds);
  }
  // Takes what the last window of a run said of its groups.
  void Learn(const PipelineConfig& config, const Directory& directory, const PresetRun& run);
  // Another disk has its name: it is a newcomer.
  void ForgetComponent(const std::string& component);

  // Returns members by group number; of congestion windows none.
  [[nodiscard]] const std::vector<GroupMembers>& Members() const { return members_; }

  // Returns whose bytes count, as of the last Refresh.
  [[nodiscard]] const Counted& Bottoms() const { return bottoms_; }

  [[nodiscard]] const Newcomers::FirstSeen& FirstSeen() const { return newcomers_.All(); }
  // Called after a restart and Refresh: what is there already is no newcomer.
  void Resume(Newcomers::FirstSeen first_seen, UnixTime born);

 private:
  [[nodiscard]] bool IsSelected(UnixTime born, UnixTime end) const;

  std::vector<GroupMembers> members_;
  std::vector<GroupMembers> all_;         // the same, recent components and others
  std::optional<std::uint64_t> version_;  // of the directory that all_ is made of
  Counted bottoms_;
  Newcomers newcomers_;
  DiskKindGroups kinds_;
  bool unseen_ = true;  // somebody of all_ has not been recorded

  // The input that members_ has been selected from: as long as it stays, so do they.
  struct Selection {
    UnixTime born;
    std::size_t newcomers = 0;
    Newcomers::Span span;
  };
  std::optional<Selection> selection_;
  std::uint64_t selections_ = 0;         // so far
  std::vector<std::uint64_t> kept_for_;  // by run: the selection its recent groups were cut to
};

}  // namespace limpet
