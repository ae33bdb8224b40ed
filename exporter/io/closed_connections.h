// closed_connections.h: the TCP connections of this machine that have closed, with their last
// totals.
//
// Storage that speaks HTTP may open a connection for each request: no dump ever sees most of them.
// The kernel tells of each that closes (kernel/inet_diag.h), on any port, in 6 µs of its own time.
// Not told: the totals of an end that resets its connection.
// Bounds:  kMostClosed a reading. Where more close, or more than the queue takes (330 without
//          CAP_NET_ADMIN), nobody listens for the next kRest readings: a sample.
// Errors:  none; a kernel that does not tell is asked again after as long.
// Threads: belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "exporter/common/descriptor.h"
#include "exporter/kernel/tcp_socket.h"

namespace limpet {

class ClosedConnections {
 public:
  static constexpr std::size_t kMostClosed = 4096;
  static constexpr int kRest = 4;

  explicit ClosedConnections(std::string network_namespace)
      : network_namespace_(std::move(network_namespace)) {}

  // Replaces `closed` by those since the call before. False: these are not all.
  bool Read(std::vector<TcpSocket>& closed);

 private:
  void Listen();

  std::string network_namespace_;
  Descriptor socket_;
  std::vector<std::byte> buffer_;
  int rest_ = 0;
};

}  // namespace limpet
