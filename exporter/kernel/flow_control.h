// flow_control.h: the bytes with which the kernel tells of flow control: pause frames of whole
// links (ethtool_netlink.h, ETHTOOL_MSG_PAUSE_GET) and of their priorities (PFC; dcbnl.h,
// DCB_ATTR_IEEE_PFC).
//
// Missing: an interface whose driver does not count has no counts. All ones is what a driver
//          answers that does not know (ETHTOOL_STAT_NOT_SET), or an adapter that is gone.
// Errors:  kInvalid (not what a kernel sends), kNotFound (kernel, interface or driver has none),
//          kPermission, kInternal.
// Threads: values; a FlowControlReply belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

// Frames since the driver was loaded.
struct PauseCounts {
  std::optional<std::uint64_t> received;
  std::optional<std::uint64_t> sent;

  friend bool operator==(const PauseCounts&, const PauseCounts&) = default;
};

struct FlowControl {
  PauseCounts link;
  // Holds those for which PFC is on, or was.
  std::map<unsigned, PauseCounts> priorities;

  friend bool operator==(const FlowControl&, const FlowControl&) = default;
};
using FlowControls = std::map<std::string, FlowControl, std::less<>>;  // by interface

// Asks for the number of ethtool's family, of all interfaces' pause frames, and of one's PFC.
[[nodiscard]] std::vector<std::byte> EncodeEthtoolRequest(std::uint32_t sequence);
[[nodiscard]] std::vector<std::byte> EncodePauseRequest(std::uint16_t family,
                                                        std::uint32_t sequence);
[[nodiscard]] std::vector<std::byte> EncodePfcRequest(std::string_view device,
                                                      std::uint32_t sequence);

// Collects the datagrams that answer such requests.
class FlowControlReply {
 public:
  // Awaits the answer of this number; messages with another are left out.
  void Begin(std::uint32_t sequence) { sequence_ = sequence; }

  // One datagram. Returns whether the answer is complete.
  [[nodiscard]] Result<bool> Add(std::span<const std::byte> datagram);

  // Returns what came so far.
  [[nodiscard]] std::optional<std::uint16_t> Family() const { return family_; }
  [[nodiscard]] const FlowControls& Interfaces() const { return interfaces_; }

 private:
  void AddMessage(std::uint16_t type, std::span<const std::byte> payload);
  void AddPauses(std::span<const std::byte> attributes);
  void AddPfc(std::span<const std::byte> attributes);

  std::uint32_t sequence_ = 0;
  std::optional<std::uint16_t> family_;
  FlowControls interfaces_;
};

}  // namespace limpet
