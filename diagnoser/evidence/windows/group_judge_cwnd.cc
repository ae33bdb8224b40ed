// One window of a group of connections: congestion windows of both sides, retransmissions, delays.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/evidence/windows/cwnd_judge.h"
#include "diagnoser/evidence/windows/delay_judge.h"
#include "diagnoser/evidence/windows/group_judge.h"
#include "diagnoser/evidence/windows/loss_judge.h"

namespace limpet {

CwndLimit GroupJudge::FindLimit(std::string_view side) const {
  const auto f = thresholds_ == nullptr ? std::nullopt : thresholds_->FindCwnd(trained_as_, side);
  return {.f = f.value_or(preset_->cwnd_f), .trained = f.has_value()};
}

// Nothing is remembered of single windows here: after a restart connections count anew.
void GroupJudge::RecordCoverage(UnixTime end, JudgeMode mode, const CwndSeconds& seconds,
                                const std::set<std::string>& compared) {
  const auto servers = seconds.Servers();
  std::vector<Coverage::Member> members;
  members.reserve(servers.size());
  for (const auto& server : servers) {
    members.push_back({.node = &server,
                       .compared = compared.size() >= kMinPeers && compared.contains(server),
                       .remembered = mode == JudgeMode::kRecall ? preset_->k : 0});
  }
  coverage_.Record(end, preset_->Shift(), members, mode == JudgeMode::kRecall);
}

GroupJudge::Result GroupJudge::JudgeCwnd(UnixTime end, JudgeMode mode, const CwndSeconds& seconds) {
  BeginWindow(seconds.Servers().size());
  Result result;
  // A server may have seconds on one side only.
  std::set<std::string> taking_part;
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    const auto limit = FindLimit(Metrics()[side].name);
    auto judged = JudgeCwndSide({.end = end,
                                 .mode = mode,
                                 .group = &name_,
                                 .preset = preset_,
                                 .side = side,
                                 .f = limit.f,
                                 .trained = limit.trained},
                                seconds, records_);
    for (const auto& server : judged.window.components) {
      taking_part.insert(server.component);
    }
    AddFlags(std::move(judged.flags), result);
    RecordStorm(judged.window, false, result);
    RecordTail(judged.window, mode, Metrics()[side]);
    result.untold.push_back(std::move(judged.window));
  }
  taking_part_ = taking_part.size();
  RecordCoverage(end, mode, seconds, taking_part);
  comparable_ = taking_part_;
  if (preset_->retransmissions) {
    JudgeRetransmissions(end, mode, seconds, result);
  }
  if (preset_->round_trips) {
    auto judged = JudgeDelays({.end = end, .mode = mode, .group = &name_, .preset = preset_},
                              seconds, records_);
    AddFlags(std::move(judged.flags), result);
    RecordStorm(judged.window, false, result);
    result.untold.push_back(std::move(judged.window));
  }
  return result;
}

void GroupJudge::JudgeRetransmissions(UnixTime end, JudgeMode mode, const CwndSeconds& seconds,
                                      Result& result) {
  for (auto& judged : JudgeLoss({.end = end, .mode = mode, .group = &name_, .preset = preset_},
                                seconds, records_)) {
    AddFlags(std::move(judged.flags), result);
    result.segments_known.merge(judged.known);
    result.resending.merge(judged.elevated);
    RecordStorm(judged.window, false, result);
    result.untold.push_back(std::move(judged.window));
  }
}

// Components of these groups are servers.
void GroupJudge::AddFlags(std::vector<Evidence> flags, Result& result) const {
  for (auto& flag : flags) {
    result.flagged[flag.component].push_back(std::move(flag));
  }
}

}  // namespace limpet
