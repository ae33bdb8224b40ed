// tcp_socket.h: one TCP socket of this machine, as netlink or /proc/net/tcp tells it.
//
// Missing: what the source does not know is nullopt. /proc/net/tcp has cwnd and nothing else; so
//          has netlink before Linux 4.1.
// Threads: values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

// IPv6 bytes in network order; an IPv4 address is kept as its mapped form ::ffff:a.b.c.d, so that
// a socket of a dual-stack server and its IPv4 client have the same address.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};

  [[nodiscard]] static IpAddress FromV4(const std::uint8_t* four);
  [[nodiscard]] bool IsV4() const;
  [[nodiscard]] bool IsLoopback() const;  // 127.0.0.0/8 or ::1
  // "10.0.0.1" (also for mapped addresses) or "fe80::1".
  [[nodiscard]] std::string Text() const;

  friend bool operator==(const IpAddress&, const IpAddress&) = default;
  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;  // NOLINT: sees a 0
};

// The part of struct tcp_info (linux/tcp.h) that is exported.
struct TcpDetails {
  std::uint32_t rtt_us = 0;  // smoothed; 0: not measured yet
  // Least of the last minutes (net.ipv4.tcp_min_rtt_wlen); absent before Linux 4.6, or not
  // measured.
  std::optional<std::uint32_t> min_rtt_us = {};
  std::uint32_t total_retransmits = 0;  // segments, since the connection began
  // The peer says it had these before (RFC 2883); 0 where the kernel does not count.
  std::uint32_t needless_retransmits = 0;
  // Segments with data, those sent again included; absent before Linux 4.6.
  std::optional<std::uint32_t> segments_sent = {};
  std::uint32_t last_data_sent_ms = 0;  // how long ago
  std::uint64_t bytes_acked = 0;        // since the connection began
  std::uint64_t bytes_received = 0;     // since the connection began
  bool app_limited = false;             // the delivery rate was bounded by the sender's program
};

// The kernel's TCP states (net/tcp_states.h), those that matter here.
inline constexpr std::uint8_t kTcpEstablished = 1;
inline constexpr std::uint8_t kTcpFinWait1 = 4;
inline constexpr std::uint8_t kTcpFinWait2 = 5;
inline constexpr std::uint8_t kTcpCloseWait = 8;
inline constexpr std::uint8_t kTcpLastAck = 9;
inline constexpr std::uint8_t kTcpListen = 10;
inline constexpr std::uint8_t kTcpClosing = 11;

struct TcpSocket {
  std::uint64_t id = 0;  // never used twice while the machine is up (proc: hash of the addresses)
  IpAddress local;
  IpAddress remote;
  std::uint16_t local_port = 0;
  std::uint16_t remote_port = 0;
  std::uint8_t state = 0;
  std::optional<std::uint32_t> cwnd;  // segments
  std::optional<TcpDetails> details;
  std::uint64_t cgroup = 0;           // its inode in the version 2 tree; 0: not told
  std::array<char, 16> congestion{};  // "cubic"; zero-filled, always ends in a zero

  [[nodiscard]] std::string_view Congestion() const { return congestion.data(); }
};

// The result of one reading of all sockets.
struct TcpSockets {
  std::vector<TcpSocket> sockets;  // listening and established ones, and what else was asked for
  std::uint64_t dropped = 0;       // how many more there were than the reader was allowed to keep

  // Returns whether connections came with details: those of a kernel are all alike. True without
  // any.
  [[nodiscard]] bool HaveDetails() const;
  // Returns whether these tell of the segments sent. True without any.
  [[nodiscard]] bool CountSegments() const;

 private:
  [[nodiscard]] const TcpSocket* FirstConnection() const;  // null: none
};

}  // namespace limpet
