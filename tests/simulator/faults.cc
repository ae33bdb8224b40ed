#include "tests/simulator/faults.h"

namespace limpet::simulator {

std::string_view Name(Fault fault) {
  constexpr std::array<std::string_view, kFaults.size() + 1> kNames = {
      "disk-hog",        "disk-busy",    "write-network-hog", "read-network-hog",
      "receive-pktloss", "send-pktloss", "slow-disk"};
  return kNames[static_cast<std::size_t>(fault)];
}

std::string_view CauseOf(Fault fault) {
  switch (fault) {
    case Fault::kDiskHog:
      return "disk-hog";
    case Fault::kDiskBusy:
    case Fault::kSlowDisk:
      return "disk-busy";
    case Fault::kWriteNetworkHog:
    case Fault::kReadNetworkHog:
      return "network-hog";
    case Fault::kReceivePktloss:
    case Fault::kSendPktloss:
      break;
  }
  return "packet-loss";
}

}  // namespace limpet::simulator
