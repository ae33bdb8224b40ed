// inet_diag.h: the bytes of one NETLINK_SOCK_DIAG dump of TCP sockets, both ways.
//
// The request is the old TCPDIAG_GETSOCK (include/uapi/linux/inet_diag.h): unlike
// SOCK_DIAG_BY_FAMILY it brings IPv4 and IPv6 in one walk of the kernel's hash table, which is most
// of the cost on an idle machine. Its filter runs in the kernel, on both families: a socket on none
// of the ports costs neither a message nor a copy.
// Bounds:  at most `max_sockets` are kept, the rest is counted; lengths in the reply are checked
//          against the bytes there are, whatever they say.
// Closed:  what has closed no dump shows; the kernel tells whoever listens (since Linux 4.2).
// Threads: values; a DiagReply belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exporter/common/ports.h"
#include "exporter/common/result.h"
#include "exporter/kernel/tcp_socket.h"

namespace limpet {

// More ranges than this do not fit the 16-bit jumps of the kernel's filter; it is left out then.
inline constexpr std::size_t kMaxPortRanges = 1000;

// The filter program for "local or remote port in `ranges`": two search trees, so that 11 ranges
// cost a socket about ten comparisons instead of forty. `ranges` must be normalised.
[[nodiscard]] std::vector<std::byte> PortFilter(std::span<const PortRange> ranges);

enum class DiagStates : std::uint8_t { kEstablishedAndListening, kListening, kAndClosing };

// Asks for the sockets on `ranges` (normalised; all sockets when there are none or over
// kMaxPortRanges, so the caller still looks at the ports), with TCP_INFO and, when
// `with_congestion`, the name of the congestion control.
[[nodiscard]] std::vector<std::byte> EncodeDiagRequest(
    std::span<const PortRange> ranges, bool with_congestion, std::uint32_t sequence,
    DiagStates states = DiagStates::kEstablishedAndListening);

// Adds the connections of a datagram of SKNLGRP_INET_TCP_DESTROY: they are gone. Errors: kInvalid.
[[nodiscard]] Result<void> AddClosed(std::span<const std::byte> datagram,
                                     std::vector<TcpSocket>& closed);

// Collects the datagrams that answer one request.
class DiagReply {
 public:
  enum class Progress {
    kMore,         // read on
    kDone,         // complete
    kInterrupted,  // complete, but the kernel says it changed meanwhile (NLM_F_DUMP_INTR)
  };

  explicit DiagReply(std::size_t max_sockets) : max_sockets_(max_sockets) {}

  // Forgets the last dump, keeps its memory. Messages with another number are left out: they are
  // what remains of a dump that was given up.
  void Begin(std::uint32_t sequence);

  // One datagram. Errors: kInvalid (not what a kernel sends), kNotFound (the kernel has no
  // inet_diag), kPermission, kInternal.
  [[nodiscard]] Result<Progress> Add(std::span<const std::byte> datagram);

  // Returns what came so far.
  [[nodiscard]] const TcpSockets& Sockets() const { return sockets_; }

 private:
  Result<void> AddSocket(std::span<const std::byte> payload);

  std::size_t max_sockets_;
  std::uint32_t sequence_ = 0;
  bool interrupted_ = false;
  TcpSockets sockets_;
};

}  // namespace limpet
