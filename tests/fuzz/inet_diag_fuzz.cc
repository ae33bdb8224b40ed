// Any bytes as the datagrams of a dump: each begins with its length (two bytes, little-endian).
// What is read goes on into the aggregates, twice, as a second dump would; and the same bytes as an
// answer about flow control, and as connections that have closed.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exporter/collectors/tcp_peers.h"
#include "exporter/kernel/flow_control.h"
#include "exporter/kernel/inet_diag.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limpet::DiagReply reply(64);
  reply.Begin(1);
  limpet::FlowControlReply pauses;
  pauses.Begin(1);
  std::vector<limpet::TcpSocket> closed;
  bool is_dump = true;
  limpet::TcpPeers peers({.ports = {{1, 65535}}, .max_peers = 8, .per_socket = true});
  auto rest = std::as_bytes(std::span(data, size));
  while (rest.size() >= 2) {
    const auto wanted =
        std::to_integer<std::size_t>(rest[0]) | (std::to_integer<std::size_t>(rest[1]) << 8U);
    rest = rest.subspan(2);
    const auto datagram = rest.first(wanted < rest.size() ? wanted : rest.size());
    rest = rest.subspan(datagram.size());
    (void)pauses.Add(datagram);
    (void)limpet::AddClosed(datagram, closed);
    is_dump = is_dump && reply.Add(datagram);
  }
  for (int second = 0; second < 2; ++second) {
    peers.Update(reply.Sockets(), limpet::SteadyTime(std::chrono::seconds(second)), closed);
  }
  if (reply.Sockets().sockets.size() > 64 || peers.Peers().size() > 8) {
    __builtin_trap();
  }
  return 0;
}
