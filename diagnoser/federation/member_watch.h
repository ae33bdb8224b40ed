// member_watch.h: a line in the log when a diagnoser of a federation goes down or comes back, and
// the metrics of all.
//
// Threads: MemberWatch: one at a time. MemberFamilies: pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/federation/member_state.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/log.h"

namespace limpet {

// The state of one diagnoser.
struct MemberStanding {
  std::string name;
  bool up = false;
  std::optional<Duration> lag;  // age of its readings; absent: it has none, or is down
};

[[nodiscard]] std::vector<MemberStanding> StandingsOf(std::span<const MemberState> states,
                                                      UnixTime now);

class MemberWatch {
 public:
  // One that has not answered yet is down kMemberDown after `started`.
  MemberWatch(LogSink log, UnixTime started) : log_(std::move(log)), started_(started) {}

  // Each change since the last call is a line. Those that are no longer in it are forgotten.
  void See(std::span<const MemberState> states, UnixTime now);

 private:
  LogSink log_;
  UnixTime started_;
  std::map<std::string, UnixTime> down_since_;  // by name
};

// Returns what /metrics has of them.
[[nodiscard]] Families MemberFamilies(std::span<const MemberStanding> members, bool reload_ok);

}  // namespace limpet
