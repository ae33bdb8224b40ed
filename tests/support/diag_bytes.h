// diag_bytes.h: the bytes a kernel would answer a TCP socket dump with.
#pragma once

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace limpet::testing {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes BytesOf(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  Bytes bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

inline void AppendTo(Bytes& out, const Bytes& more) {
  const auto end = out.size();
  out.resize(end + more.size());
  if (!more.empty()) {
    std::memcpy(out.data() + end, more.data(), more.size());
  }
}

// One netlink message, padded to four bytes.
inline Bytes NetlinkMessage(std::uint16_t type, std::uint32_t sequence, const Bytes& payload,
                            std::uint16_t flags = NLM_F_MULTI) {
  Bytes out =
      BytesOf(nlmsghdr{.nlmsg_len = static_cast<std::uint32_t>(sizeof(nlmsghdr) + payload.size()),
                       .nlmsg_type = type,
                       .nlmsg_flags = flags,
                       .nlmsg_seq = sequence,
                       .nlmsg_pid = 0});
  AppendTo(out, payload);
  out.resize((out.size() + 3U) & ~std::size_t{3});
  return out;
}

inline Bytes Attribute(std::uint16_t type, const Bytes& value) {
  Bytes out = BytesOf(nlattr{.nla_len = static_cast<std::uint16_t>(sizeof(nlattr) + value.size()),
                             .nla_type = type});
  AppendTo(out, value);
  out.resize((out.size() + 3U) & ~std::size_t{3});
  return out;
}

struct FakeSocket {
  std::string local = "10.0.0.1";
  std::uint16_t local_port = 2049;
  std::string remote = "10.0.1.1";
  std::uint16_t remote_port = 40000;
  std::uint8_t state = 1;
  std::uint64_t cookie = 1;
  std::uint32_t cwnd = 10;
  std::uint64_t bytes_acked = 0;
  std::uint64_t cgroup = 4711;
  std::string congestion = "cubic";
  std::size_t info_bytes = 280;  // the length of struct tcp_info in Linux 6.18
};

inline Bytes DiagPayload(const FakeSocket& socket) {
  inet_diag_msg message{};
  message.idiag_family = socket.local.find(':') == std::string::npos ? AF_INET : AF_INET6;
  message.idiag_state = socket.state;
  message.id.idiag_sport = htons(socket.local_port);
  message.id.idiag_dport = htons(socket.remote_port);
  ::inet_pton(message.idiag_family, socket.local.c_str(), message.id.idiag_src);
  ::inet_pton(message.idiag_family, socket.remote.c_str(), message.id.idiag_dst);
  message.id.idiag_cookie[0] = static_cast<std::uint32_t>(socket.cookie);
  message.id.idiag_cookie[1] = static_cast<std::uint32_t>(socket.cookie >> 32U);

  tcp_info info{};
  info.tcpi_snd_cwnd = socket.cwnd;
  info.tcpi_rtt = 1500;
  info.tcpi_min_rtt = 700;
  info.tcpi_total_retrans = 3;
  info.tcpi_dsack_dups = 2;
  info.tcpi_data_segs_out = 4000;
  info.tcpi_last_data_sent = 20;
  info.tcpi_bytes_acked = socket.bytes_acked;
  info.tcpi_bytes_received = 77;
  info.tcpi_delivery_rate_app_limited = 1;
  auto info_bytes = BytesOf(info);
  info_bytes.resize(socket.info_bytes, std::byte{0xee});

  Bytes name(socket.congestion.size() + 1);
  std::memcpy(name.data(), socket.congestion.c_str(), name.size());

  auto out = BytesOf(message);
  AppendTo(out, Attribute(INET_DIAG_SHUTDOWN, Bytes(1)));
  AppendTo(out, Attribute(INET_DIAG_CONG, name));
  AppendTo(out, Attribute(INET_DIAG_INFO, info_bytes));
  AppendTo(out, Attribute(INET_DIAG_CGROUP_ID, BytesOf(socket.cgroup)));
  return out;
}

inline Bytes DiagMessage(const FakeSocket& socket, std::uint32_t sequence = 1) {
  return NetlinkMessage(TCPDIAG_GETSOCK, sequence, DiagPayload(socket));
}

// As the kernel tells of a connection that has closed.
inline Bytes ClosedMessage(FakeSocket socket) {
  socket.state = 7;  // TCP_CLOSE
  return NetlinkMessage(SOCK_DIAG_BY_FAMILY, 0, DiagPayload(socket), 0);
}

inline Bytes DiagDone(std::uint32_t sequence = 1, int error = 0) {
  return NetlinkMessage(NLMSG_DONE, sequence, BytesOf(error));
}

}  // namespace limpet::testing
