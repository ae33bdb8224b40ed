// root_cause.h: which flags say what is wrong with a server ([Kasick10 §10.2], §12; [Kasick12
// §4.1]).
//
//   1. rd_sec or wr_sec          disk-hog: somebody else uses the disk
//   2. else await                disk-busy
//   3. else rxbyt and txbyt      network-hog
//   4. else cwnd, either side    packet-loss; where segments sent again are counted: those
//   5. else rxbyt or txbyt       network-hog
//   6. else rtt                  slow-network: delay without loss
// A server has a storage flag when one of its disks or LUN attachments has.
// Threads: pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

struct CauseFlags {
  bool throughput = false;  // rd_sec or wr_sec
  bool await = false;
  bool received = false;  // rxbyt
  bool sent = false;      // txbyt
  bool cwnd = false;
  bool retransmitted = false;  // either side
  bool delay = false;          // round trips
  bool segments_known = false;
  bool resending = false;
  // Byte balances: the disks move more than the network, and the network more than the disks.
  bool surplus = false;
  bool deficit = false;
  // The disks move more than the peers' and still no more than the network: it may be copies, or
  // what caches save elsewhere.
  bool starved = false;
  // The network explains what the server's disks move, so throughput alone says nothing.
  bool explained = false;
};
[[nodiscard]] Cause CauseOf(const CauseFlags& flags);
// The checklist with byte balances: a hog is a server that moves bytes of somebody else. Throughput
// or traffic above the peers' that balances is a server with more load, and no fault.
//   1. surplus                          disk-hog; where the network does not explain what disks
//                                       move: throughput and await
//   2. else await, or a surplus beside  disk-busy
//      the peers' alone
//   3. else deficit                     network-hog: its gate asks for traffic above the peers'
//   4. else cwnd, either side           packet-loss
//   5. else rtt, at equal traffic       slow-network
[[nodiscard]] Cause CauseByBalance(const CauseFlags& flags);

// Returns whether a flag on `metric` says something about the cause. With hog_direction throughput
// and await count only when high: the peers of a busy disk are bursty, which otherwise reads as a
// hog.
[[nodiscard]] bool IsOnChecklist(std::string_view metric);
[[nodiscard]] bool Counts(std::string_view metric, Direction direction, bool hog_direction);

struct JudgeRules {
  bool hog_direction = true;
  bool balanced = false;        // the server's byte balance is known
  bool explained = true;        // and its network brings, or takes, what its disks move
  bool device_time = false;     // await is flagged only where the device itself is slow
  bool segments_known = false;  // it is known which of the server's segments are sent again
  bool resending = false;       // and these are more than its peers'
};

// `flagged`: all flags of one server at one window end. nullopt when they have no cause. Rank and
// secondary are for ranking.h.
[[nodiscard]] std::optional<VerdictEvent> JudgeServer(std::vector<Evidence> flagged,
                                                      const JudgeRules& rules);

}  // namespace limpet
