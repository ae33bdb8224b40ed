// merged_view.h: what all diagnosers of a federation have said, as one cluster.
//
// Threads: MergedView does not change once it is made; LatestView: any; Merger: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/federation/member_frame.h"
#include "diagnoser/federation/member_state.h"
#include "diagnoser/federation/member_watch.h"
#include "diagnoser/history/frame.h"

namespace limpet {

struct MergedView {
  std::shared_ptr<const Cluster> cluster;  // names, roles and groups; places as in cluster_json
  std::shared_ptr<const std::string> cluster_json;
  std::shared_ptr<const std::string> members_json;
  std::shared_ptr<const Frame> frame;      // null: none yet
  std::vector<MemberVerdict> verdicts;     // of all, by begin
  std::uint64_t verdict_changes = 0;       // since the start
  std::deque<std::string> latest_changes;  // lines, the latest last; bounded
  std::vector<MemberPlaces> places;        // of the members, in the cluster's order of nodes
  std::vector<MemberStanding> members;
};

// Why a diagnoser's part is not to be taken for now, as labels: down, late, version, clock, names.
struct MemberMark {
  std::string mark;
  std::string text;
};

// Silence after which it counts as down; an offset of its clock that is told.
inline constexpr Duration kMemberDown = std::chrono::seconds(5);
inline constexpr Duration kClockTold = std::chrono::seconds(2);

[[nodiscard]] bool IsDown(const MemberState& state, UnixTime now);

// `shared`: names of its nodes that another diagnoser has, too.
[[nodiscard]] std::vector<MemberMark> MarksOf(const MemberState& state,
                                              const std::vector<std::string>& shared, UnixTime now,
                                              std::string_view our_program);

// The latest view: made on one thread, read on others.
class LatestView {
 public:
  void Put(std::shared_ptr<const MergedView> view) {
    const std::lock_guard lock(mutex_);
    view_ = std::move(view);
  }
  [[nodiscard]] std::shared_ptr<const MergedView> Get() const {
    const std::lock_guard lock(mutex_);
    return view_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const MergedView> view_;
};

class Merger {
 public:
  // `program`: our version.
  explicit Merger(std::string program) : program_(std::move(program)) {}

  // `states`: the same members in the same order, until Forget.
  [[nodiscard]] std::shared_ptr<const MergedView> Merge(std::span<const MemberState> states,
                                                        UnixTime now);

  // The next Merge is of other members.
  void Forget() { seen_.clear(); }

 private:
  void MergeCluster(std::span<const MemberState> states, UnixTime now);
  void MergeVerdicts(std::span<const MemberState> states, MergedView& view);
  [[nodiscard]] std::shared_ptr<const Frame> MergeFrame(std::span<const MemberState> states,
                                                        UnixTime now);
  [[nodiscard]] std::string MembersJson(std::span<const MemberState> states, UnixTime now) const;

  std::string program_;
  std::vector<std::uint64_t> seen_;  // changes of each member
  std::uint64_t version_ = 0;
  std::uint64_t last_id_ = 0;
  std::shared_ptr<const Cluster> cluster_;
  std::shared_ptr<const std::string> cluster_json_;
  std::map<std::string, std::vector<std::string>> shared_;  // by member: nodes others have, too
  std::map<std::string, std::string> lines_;                // of verdicts, by id
  std::uint64_t verdict_changes_ = 0;
  std::deque<std::string> latest_changes_;
};

}  // namespace limpet
