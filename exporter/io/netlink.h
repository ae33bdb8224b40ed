// netlink.h: the socket that asks the kernel for its TCP sockets; kernel/inet_diag.h has the bytes.
//
// Needs no privilege, except for another network namespace (CAP_SYS_ADMIN).
// Errors:  kUnavailable (no netlink here, as in some containers), kNotFound and kPermission as
//          DiagReply says, kTimeout when a dump takes longer than `timeout`. After an error the
//          next dump begins with a new socket.
// Threads: belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "exporter/common/descriptor.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/kernel/inet_diag.h"

namespace limpet {

struct DiagSocketOptions {
  std::vector<PortRange> ports;  // normalised; empty: all
  bool with_congestion = false;
  DiagStates states = DiagStates::kEstablishedAndListening;
  std::size_t max_sockets = 4096;
  std::string network_namespace;  // such as "/run/netns/storage"; empty: the program's own
  Duration timeout = std::chrono::seconds(2);
};

// Returns a socket in the namespace at that path; empty: the program's own.
[[nodiscard]] Result<Descriptor> OpenDiagSocket(const std::string& network_namespace);

class DiagSocket {
 public:
  explicit DiagSocket(DiagSocketOptions options);

  // All sockets now. The pointer is valid until the next call. A dump that the kernel marks as
  // changed meanwhile is repeated twice; then the last one stands.
  [[nodiscard]] Result<const TcpSockets*> Dump();
  // Sets the ports of later dumps; normalised.
  void SetPorts(std::vector<PortRange> ports) { options_.ports = std::move(ports); }

 private:
  Result<DiagReply::Progress> DumpOnce();

  DiagSocketOptions options_;
  DiagReply reply_;
  std::vector<std::byte> buffer_;
  std::uint32_t sequence_ = 0;
  Descriptor socket_;
};

}  // namespace limpet
