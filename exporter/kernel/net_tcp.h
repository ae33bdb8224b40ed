// net_tcp.h: /proc/net/tcp and /proc/net/tcp6, for machines whose kernel has no inet_diag.
//
// One line a socket (Documentation/networking/proc_net_tcp.rst):
//   sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode ref pointer
//   rto ato quick|pingpong cwnd ssthresh
// Unit:    cwnd in segments, column 16; lines of TIME_WAIT and SYN_RECV end before it.
// Missing: no byte counters, RTT or retransmissions here: `details` is always nullopt.
// Damage:  a line that cannot be read is skipped and counted, and so is a last one without newline.
// Threads: pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "exporter/common/ports.h"
#include "exporter/kernel/tcp_socket.h"

namespace limpet {

struct NetTcp {
  TcpSockets found;
  std::size_t bad_lines = 0;
};

// Established and listening sockets of `text` (either file) whose local or remote port is in
// `ports` (null: all), at most `max_sockets`.
[[nodiscard]] NetTcp ParseNetTcp(std::string_view text, const PortSet* ports,
                                 std::size_t max_sockets);

}  // namespace limpet
