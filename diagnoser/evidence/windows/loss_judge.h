// loss_judge.h: a group's connections in one window: what had to be sent again, compared, filtered
// and explained (detect/loss/retransmissions.h).
//
// Threads: one at a time.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/windows/server_window.h"

namespace limpet {

// Those that take part sent enough.
struct LossSide : ServerWindow {
  std::set<std::string> known;  // servers whose segments are counted, whether they sent any or not
  std::set<std::string> elevated;  // of these, servers with more sent again than their peers
};

// By side: what is sent to servers, and what they send. After those, in windows of 30 s and more,
// the sides that RDMA ports count.
[[nodiscard]] std::vector<LossSide> JudgeLoss(const ServerRound& round, const CwndSeconds& seconds,
                                              ComponentRecords& records);

}  // namespace limpet
