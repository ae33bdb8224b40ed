// brick_ports.h: the TCP ports of the GlusterFS bricks on this machine.
//
// Since GlusterFS 10 they are taken at random out of 49152 to 60999, of which clients' own ports
// are, too. Found in two ways, so that one of them is open to a program without rights:
// * glusterd starts the bricks, so their sockets are of its control group, which the kernel tells
//   (since Linux 5.9, with control groups of version 2): ports of that range that are listened on
//   in the group of whoever listens on 24007. Not in the root's, where everybody is.
// * A brick's process is told its port on its command line, unless /proc hides other users'
//   processes.
// Bound:   kMaxBricks ranges; anybody may call a process so.
// Cost:    the name of each process once every kRefresh; a command line once a brick, because
//          reading it waits for the process's memory map, which a stuck one may hold.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/collectors/tcp_source.h"
#include "exporter/common/files.h"
#include "exporter/common/ports.h"
#include "exporter/common/time.h"

namespace limpet {

inline constexpr std::uint16_t kGlusterManagementPort = 24007;
// Ports of GlusterFS before 10; some 100 bricks a server.
inline constexpr PortRange kOldBrickPorts = {49152, 49251};
inline constexpr PortRange kNewBrickPorts = {49152, 60999};

// Out of a command line whose words end in zeros: "--brick-port 55123".
[[nodiscard]] std::optional<std::uint16_t> ParseBrickPort(std::string_view command_line);

// Listening ones of kNewBrickPorts in the control group of the one at kGlusterManagementPort.
[[nodiscard]] std::vector<PortRange> PortsOfGlustersGroup(const TcpSockets& listening);

// Netlink alone, for PortsOfGlustersGroup.
[[nodiscard]] std::unique_ptr<TcpSource> OpenListeners(std::string network_namespace);

class BrickPorts {
 public:
  static constexpr Duration kRefresh = std::chrono::minutes(1);
  static constexpr std::size_t kMaxBricks = 500;

  // `proc` is rooted at /proc; `listeners` may be null.
  explicit BrickPorts(std::unique_ptr<FileReader> proc,
                      std::unique_ptr<TcpSource> listeners = nullptr)
      : proc_(std::move(proc)), listeners_(std::move(listeners)) {}

  // Returns whether the ports are others now. Nothing is looked for before kRefresh is over.
  [[nodiscard]] bool Refresh(SteadyTime now);
  [[nodiscard]] const std::vector<PortRange>& Ports() const { return ports_; }  // normalised

 private:
  [[nodiscard]] std::vector<PortRange> FindByProcess();

  std::unique_ptr<FileReader> proc_;
  std::unique_ptr<TcpSource> listeners_;
  std::optional<SteadyTime> next_;                              // nullopt: at once
  std::map<std::string, std::optional<std::uint16_t>> bricks_;  // by process
  std::vector<PortRange> of_group_;  // at the last reading that did not fail
  std::vector<PortRange> ports_;
};

}  // namespace limpet
