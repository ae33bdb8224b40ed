// faults.h: what may be wrong with one server [Kasick10 §9], when, and what a diagnosis should say.
//
// Threads: values.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "tests/simulator/seconds.h"

namespace limpet::simulator {

enum class Fault {
  kDiskHog,          // dd reads the storage disk with direct I/O
  kDiskBusy,         // sgm_dd does, past the block layer: nobody counts it
  kWriteNetworkHog,  // a third party sends zeros to the server as fast as TCP allows
  kReadNetworkHog,   // the server sends zeros to a third party
  kReceivePktloss,   // the server drops 5 % of what it receives
  kSendPktloss,      // the clients drop 5 % of what the server sends
  kSlowDisk,         // ours: every request takes the disk longer
};
// Those of [Kasick10].
inline constexpr std::array kFaults = {Fault::kDiskHog,         Fault::kDiskBusy,
                                       Fault::kWriteNetworkHog, Fault::kReadNetworkHog,
                                       Fault::kReceivePktloss,  Fault::kSendPktloss};
inline constexpr double kLossProbability = 0.05;
inline constexpr double kSlowFactor = 2;

// "disk-hog", "write-network-hog", "send-pktloss", …
[[nodiscard]] std::string_view Name(Fault fault);
// The root cause a diagnosis should give: "disk-hog", "disk-busy", "network-hog", "packet-loss".
[[nodiscard]] std::string_view CauseOf(Fault fault);

struct Injection {
  Fault fault = Fault::kDiskHog;
  std::size_t server = 0;
  Seconds start{
      135};  // [Kasick10 §8]: 15 s after the mount, the benchmark runs 120 s before the fault,
  Seconds end{435};  // which lasts 300 s
  // 0: as above. Otherwise the share of the disk's time or of the link that a hog asks for, the
  // probability of a loss, how many times as long a slow disk takes. A busy disk has no other.
  double strength = 0;
};

}  // namespace limpet::simulator
