// tcp_source.h: where the tcp collector gets its sockets from.
//
// Threads: a source belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exporter/common/files.h"
#include "exporter/common/ports.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/kernel/tcp_socket.h"

namespace limpet {

struct TcpReading {
  // Both valid until the next Read.
  const TcpSockets* sockets = nullptr;
  std::span<const TcpSocket> closed = {};  // since the reading before, with their last totals
  bool all_closed = false;                 // these are all that have
  Duration cost{};                         // CPU time it took
  bool detailed = false;                   // false: only congestion windows
  bool from_netlink = false;               // else from /proc/net/tcp
};

class TcpSource {
 public:
  virtual ~TcpSource() = default;
  [[nodiscard]] virtual Result<TcpReading> Read() = 0;
  // Sets the ports of later readings; normalised. A source of all sockets has no use for it.
  virtual void SetPorts(const std::vector<PortRange>& /*ports*/) {}
};

struct TcpSourceOptions {
  std::vector<PortRange> ports;  // normalised; empty, of netlink alone: all sockets
  bool with_congestion = false;
  bool only_listening = false;  // of netlink alone
  bool with_closed = false;     // of netlink alone
  std::size_t max_sockets = 4096;
  std::string network_namespace;  // path; empty: the program's own
};

// Netlink. Where the kernel or a sandbox has none, net/tcp and net/tcp6 below `proc` instead; it is
// netlink's turn again every 60 readings. No fallback for another namespace: `proc` shows ours.
[[nodiscard]] std::unique_ptr<TcpSource> OpenTcpSource(const TcpSourceOptions& options,
                                                       std::unique_ptr<FileReader> proc);

// Netlink alone.
[[nodiscard]] std::unique_ptr<TcpSource> OpenNetlinkTcpSource(const TcpSourceOptions& options);

// The fallback alone.
[[nodiscard]] std::unique_ptr<TcpSource> OpenProcTcpSource(const TcpSourceOptions& options,
                                                           std::unique_ptr<FileReader> proc);

}  // namespace limpet
