#include "exporter/kernel/inet_diag.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "exporter/kernel/netlink_bytes.h"

namespace limpet {
namespace {

using netlink::Aligned;
using netlink::Append;
using netlink::CopyFrom;
using netlink::Malformed;
using netlink::Refusal;
using netlink::TakeAttribute;
using netlink::TakeMessage;

// --- The filter. Each comparison is two words: the operation, then the port in the second one's
// `no`. It goes on by `yes` or jumps by `no`, both relative; landing on the end accepts, landing
// four bytes beyond it rejects (net/ipv4/inet_diag.c, inet_diag_bc_run).

struct Comparison {
  std::uint8_t at_least;
  std::uint8_t at_most;
};
constexpr Comparison kLocal{INET_DIAG_BC_S_GE, INET_DIAG_BC_S_LE};
constexpr Comparison kRemote{INET_DIAG_BC_D_GE, INET_DIAG_BC_D_LE};

constexpr std::size_t kCompareBytes = 2 * sizeof(inet_diag_bc_op);
constexpr std::size_t kJumpBytes = sizeof(inet_diag_bc_op);

// Bytes of the tree over `n` ranges: a leaf compares twice and jumps, a node compares once.
constexpr std::size_t TreeBytes(std::size_t n) {
  return n * (2 * kCompareBytes + kJumpBytes) + (n - 1) * kCompareBytes;
}

class FilterWriter {
 public:
  explicit FilterWriter(std::size_t total) : total_(total) { program_.reserve(total); }

  // Accepts when the port is in one of the ranges, else goes on at `otherwise` (from the start).
  void Tree(std::span<const PortRange> ranges, const Comparison& side, std::size_t otherwise) {
    if (ranges.size() == 1) {
      Compare(side.at_least, ranges[0].first, otherwise);
      Compare(side.at_most, ranges[0].last, otherwise);
      Jump(total_);
      return;
    }
    const auto half = ranges.size() / 2;
    const auto right = program_.size() + kCompareBytes + TreeBytes(half);
    Compare(side.at_most, static_cast<std::uint16_t>(ranges[half].first - 1), right);
    Tree(ranges.first(half), side, otherwise);
    Tree(ranges.subspan(half), side, otherwise);
  }

  [[nodiscard]] std::vector<std::byte> Program() && { return std::move(program_); }

 private:
  void Compare(std::uint8_t code, std::uint16_t port, std::size_t otherwise) {
    const auto offset = static_cast<std::uint16_t>(otherwise - program_.size());
    Append(program_, inet_diag_bc_op{.code = code, .yes = kCompareBytes, .no = offset});
    Append(program_, inet_diag_bc_op{.code = INET_DIAG_BC_NOP, .yes = 0, .no = port});
  }
  void Jump(std::size_t to) {
    const auto offset = static_cast<std::uint16_t>(to - program_.size());
    Append(program_, inet_diag_bc_op{.code = INET_DIAG_BC_JMP, .yes = kJumpBytes, .no = offset});
  }

  std::size_t total_;
  std::vector<std::byte> program_;
};

// --- The reply.

IpAddress MakeAddress(std::uint8_t family, const __be32 (&words)[4]) {
  if (family == AF_INET) {
    std::array<std::uint8_t, 4> four{};
    std::memcpy(four.data(), words, four.size());
    return IpAddress::FromV4(four.data());
  }
  IpAddress address;
  std::memcpy(address.bytes.data(), words, address.bytes.size());
  return address;
}

void ReadInfo(std::span<const std::byte> bytes, TcpSocket& socket) {
  const auto info = CopyFrom<tcp_info>(bytes);
  if (bytes.size() < offsetof(tcp_info, tcpi_snd_cwnd) + sizeof(info.tcpi_snd_cwnd)) {
    return;
  }
  socket.cwnd = info.tcpi_snd_cwnd;
  // Before Linux 4.1 the struct ended without the byte counters: the window is all there is then,
  // since a counter that stayed 0 would read as a connection without traffic.
  if (bytes.size() < offsetof(tcp_info, tcpi_bytes_received) + sizeof(info.tcpi_bytes_received)) {
    return;
  }
  constexpr auto kWithSegments =
      offsetof(tcp_info, tcpi_data_segs_out) + sizeof(info.tcpi_data_segs_out);
  constexpr auto kWithMinRtt = offsetof(tcp_info, tcpi_min_rtt) + sizeof(info.tcpi_min_rtt);
  constexpr auto kUnmeasured = std::numeric_limits<std::uint32_t>::max();
  socket.details = TcpDetails{
      .rtt_us = info.tcpi_rtt,
      .min_rtt_us = bytes.size() < kWithMinRtt || info.tcpi_min_rtt == kUnmeasured
                        ? std::nullopt
                        : std::optional(info.tcpi_min_rtt),
      .total_retransmits = info.tcpi_total_retrans,
      .needless_retransmits = info.tcpi_dsack_dups,
      .segments_sent =
          bytes.size() < kWithSegments ? std::nullopt : std::optional(info.tcpi_data_segs_out),
      .last_data_sent_ms = info.tcpi_last_data_sent,
      .bytes_acked = info.tcpi_bytes_acked,
      .bytes_received = info.tcpi_bytes_received,
      .app_limited = info.tcpi_delivery_rate_app_limited != 0};
}

Result<TcpSocket> ReadSocket(std::span<const std::byte> payload) {
  if (payload.size() < sizeof(inet_diag_msg)) {
    return Malformed("a socket of " + std::to_string(payload.size()) + " bytes",
                     netlink::kSockDiag);
  }
  const auto message = CopyFrom<inet_diag_msg>(payload);
  if (message.idiag_family != AF_INET && message.idiag_family != AF_INET6) {
    return Malformed("a socket of family " + std::to_string(message.idiag_family),
                     netlink::kSockDiag);
  }
  TcpSocket socket;
  socket.id = (std::uint64_t{message.id.idiag_cookie[1]} << 32U) | message.id.idiag_cookie[0];
  socket.local = MakeAddress(message.idiag_family, message.id.idiag_src);
  socket.remote = MakeAddress(message.idiag_family, message.id.idiag_dst);
  socket.local_port = ntohs(message.id.idiag_sport);
  socket.remote_port = ntohs(message.id.idiag_dport);
  socket.state = message.idiag_state;

  auto rest = payload.subspan(std::min(payload.size(), Aligned(sizeof(inet_diag_msg))));
  while (const auto attribute = TakeAttribute(rest)) {
    const auto& [type, value] = *attribute;
    // A listening socket's TCP_INFO holds its backlog in other fields' places.
    if (type == INET_DIAG_INFO && socket.state != kTcpListen) {
      ReadInfo(value, socket);
    } else if (type == INET_DIAG_CGROUP_ID && value.size() == sizeof(std::uint64_t)) {
      // Since Linux 5.9 the kernel tells it without being asked.
      socket.cgroup = CopyFrom<std::uint64_t>(value);
    } else if (type == INET_DIAG_CONG) {
      // The last byte of our array stays zero.
      std::memcpy(socket.congestion.data(), value.data(),
                  std::min(value.size(), socket.congestion.size() - 1));
    }
  }
  if (rest.size() >= sizeof(nlattr)) {
    return Malformed(std::to_string(rest.size()) + " bytes that are no attribute",
                     netlink::kSockDiag);
  }
  return socket;
}

}  // namespace

std::vector<std::byte> PortFilter(std::span<const PortRange> ranges) {
  const auto tree = TreeBytes(ranges.size());
  const auto total = 2 * tree;
  FilterWriter writer(total);
  writer.Tree(ranges, kLocal, tree);
  writer.Tree(ranges, kRemote, total + sizeof(inet_diag_bc_op));
  return std::move(writer).Program();
}

std::vector<std::byte> EncodeDiagRequest(std::span<const PortRange> ranges, bool with_congestion,
                                         std::uint32_t sequence, DiagStates states) {
  const bool filtered = !ranges.empty() && ranges.size() <= kMaxPortRanges;
  const auto filter = filtered ? PortFilter(ranges) : std::vector<std::byte>();
  const auto attribute = filter.empty() ? 0 : sizeof(nlattr) + filter.size();

  inet_diag_req request{};
  request.idiag_ext = 1U << (INET_DIAG_INFO - 1);
  if (with_congestion) {
    request.idiag_ext |= 1U << (INET_DIAG_CONG - 1);
  }
  request.idiag_states = 1U << kTcpListen;
  if (states != DiagStates::kListening) {
    request.idiag_states |= 1U << kTcpEstablished;
  }
  if (states == DiagStates::kAndClosing) {
    request.idiag_states |= 1U << kTcpFinWait1 | 1U << kTcpFinWait2 | 1U << kTcpCloseWait |
                            1U << kTcpLastAck | 1U << kTcpClosing;
  }

  std::vector<std::byte> out;
  Append(out, nlmsghdr{.nlmsg_len = static_cast<std::uint32_t>(sizeof(nlmsghdr) + sizeof(request) +
                                                               attribute),
                       .nlmsg_type = TCPDIAG_GETSOCK,
                       .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                       .nlmsg_seq = sequence,
                       .nlmsg_pid = 0});
  Append(out, request);
  if (!filter.empty()) {
    Append(out, nlattr{.nla_len = static_cast<std::uint16_t>(attribute),
                       .nla_type = INET_DIAG_REQ_BYTECODE});
    out.insert(out.end(), filter.begin(), filter.end());
  }
  return out;
}

void DiagReply::Begin(std::uint32_t sequence) {
  sequence_ = sequence;
  interrupted_ = false;
  sockets_.sockets.clear();
  sockets_.dropped = 0;
}

Result<DiagReply::Progress> DiagReply::Add(std::span<const std::byte> datagram) {
  auto rest = datagram;
  while (rest.size() >= sizeof(nlmsghdr)) {
    const auto message = TakeMessage(rest, netlink::kSockDiag);
    if (!message) {
      return message.error();
    }
    const auto& [header, payload] = *message;
    if (header.nlmsg_seq != sequence_) {
      continue;
    }
    interrupted_ = interrupted_ || (header.nlmsg_flags & NLM_F_DUMP_INTR) != 0;
    switch (header.nlmsg_type) {
      case NLMSG_DONE:
      case NLMSG_ERROR: {
        // Both begin with a negative errno; DONE may be empty or 0.
        const int number = payload.size() >= sizeof(int) ? CopyFrom<int>(payload) : 0;
        if (number < 0 && number > -4096) {
          return Refusal(-number, netlink::kSockDiag);
        }
        if (header.nlmsg_type == NLMSG_ERROR) {
          return Malformed("an error without a number", netlink::kSockDiag);
        }
        return interrupted_ ? Progress::kInterrupted : Progress::kDone;
      }
      case NLMSG_NOOP:
        break;
      case TCPDIAG_GETSOCK: {
        if (auto added = AddSocket(payload); !added) {
          return added.error();
        }
        break;
      }
      default:
        if (header.nlmsg_type < NLMSG_MIN_TYPE) {
          // Reserved for netlink itself: what a later kernel says with it is no socket.
          interrupted_ = interrupted_ || header.nlmsg_type == NLMSG_OVERRUN;
          break;
        }
        return Malformed("a message of type " + std::to_string(header.nlmsg_type),
                         netlink::kSockDiag);
    }
  }
  if (!rest.empty()) {
    return Malformed("bytes after the last message", netlink::kSockDiag);
  }
  return Progress::kMore;
}

Result<void> DiagReply::AddSocket(std::span<const std::byte> payload) {
  if (payload.size() >= sizeof(inet_diag_msg) && sockets_.sockets.size() >= max_sockets_) {
    ++sockets_.dropped;
    return {};
  }
  auto socket = ReadSocket(payload);
  if (!socket) {
    return socket.error();
  }
  sockets_.sockets.push_back(*std::move(socket));
  return {};
}

Result<void> AddClosed(std::span<const std::byte> datagram, std::vector<TcpSocket>& closed) {
  auto rest = datagram;
  while (rest.size() >= sizeof(nlmsghdr)) {
    const auto message = TakeMessage(rest, netlink::kSockDiag);
    if (!message) {
      return message.error();
    }
    if (message->header.nlmsg_type != SOCK_DIAG_BY_FAMILY) {
      continue;
    }
    auto socket = ReadSocket(message->payload);
    if (!socket) {
      return socket.error();
    }
    closed.push_back(*std::move(socket));
  }
  if (!rest.empty()) {
    return Malformed("bytes after the last message", netlink::kSockDiag);
  }
  return {};
}

}  // namespace limpet
