#include "exporter/io/flow_control_socket.h"

#include <linux/netlink.h>

#include <algorithm>
#include <vector>

#include "exporter/io/netlink_exchange.h"
#include "exporter/kernel/netlink_bytes.h"

namespace limpet {
namespace {

constexpr Duration kPatience = std::chrono::seconds(2);

// Has `reply` take what one protocol answers.
Result<void> Ask(const Result<Descriptor>& socket, const std::vector<std::byte>& request,
                 FlowControlReply& reply, std::vector<std::byte>& buffer) {
  if (!socket) {
    return socket.error();
  }
  return netlink::Exchange(*socket, request, kPatience, netlink::kEthtool, buffer,
                           [&](auto datagram) { return reply.Add(datagram); });
}

}  // namespace

Result<FlowControls> AskFlowControl(std::span<const std::string> devices) {
  FlowControlReply reply;
  std::uint32_t sequence = 0;
  std::vector<std::byte> buffer;
  const auto ethtool = netlink::OpenSocket(NETLINK_GENERIC, netlink::kEthtool);
  reply.Begin(++sequence);
  auto asked = Ask(ethtool, EncodeEthtoolRequest(sequence), reply, buffer);
  if (asked && reply.Family()) {
    reply.Begin(++sequence);
    asked = Ask(ethtool, EncodePauseRequest(*reply.Family(), sequence), reply, buffer);
  }
  const auto dcb = netlink::OpenSocket(NETLINK_ROUTE, netlink::kEthtool);
  for (const auto& device : devices) {
    reply.Begin(++sequence);
    // Most drivers have no PFC, and a kernel may have none at all.
    (void)Ask(dcb, EncodePfcRequest(device, sequence), reply, buffer);
  }
  FlowControls found;
  for (const auto& [device, counts] : reply.Interfaces()) {
    if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
      found.emplace(device, counts);
    }
  }
  if (!asked && found.empty()) {
    return asked.error();
  }
  return found;
}

}  // namespace limpet
