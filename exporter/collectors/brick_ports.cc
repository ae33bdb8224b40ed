#include "exporter/collectors/brick_ports.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "exporter/common/text.h"

namespace limpet {
namespace {

bool IsProcess(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::optional<std::uint16_t> ParseBrickPort(std::string_view command_line) {
  bool is_next = false;
  while (!command_line.empty()) {
    const auto end = std::min(command_line.find('\0'), command_line.size());
    const auto word = command_line.substr(0, end);
    if (is_next) {
      const auto range = ParsePortRange(word);
      return range && range->first == range->last ? std::optional(range->first) : std::nullopt;
    }
    is_next = word == "--brick-port";
    command_line.remove_prefix(std::min(end + 1, command_line.size()));
  }
  return std::nullopt;
}

std::vector<PortRange> PortsOfGlustersGroup(const TcpSockets& listening) {
  constexpr std::uint64_t kRoot = 1;  // fs/kernfs/dir.c
  std::uint64_t group = 0;
  for (const auto& socket : listening.sockets) {
    if (socket.local_port == kGlusterManagementPort && socket.state == kTcpListen) {
      group = socket.cgroup;
    }
  }
  std::vector<PortRange> ports;
  for (const auto& socket : listening.sockets) {
    const auto port = socket.local_port;
    if (group > kRoot && socket.cgroup == group && socket.state == kTcpListen &&
        port >= kNewBrickPorts.first && port <= kNewBrickPorts.last) {
      ports.push_back({port, port});
    }
  }
  return ports;
}

std::unique_ptr<TcpSource> OpenListeners(std::string network_namespace) {
  constexpr PortRange kManagement = {kGlusterManagementPort, kGlusterManagementPort};
  return OpenNetlinkTcpSource({.ports = {kManagement, kNewBrickPorts},
                               .only_listening = true,
                               .network_namespace = std::move(network_namespace)});
}

std::vector<PortRange> BrickPorts::FindByProcess() {
  const auto names = proc_->List("");
  std::map<std::string, std::optional<std::uint16_t>> found;
  for (const auto& name : names ? *names : std::vector<std::string>()) {
    if (!IsProcess(name) || found.size() >= kMaxBricks) {
      continue;
    }
    const auto comm = proc_->ReadOnce(name + "/comm");
    if (!comm || Trim(*comm) != "glusterfsd") {
      continue;
    }
    if (const auto known = bricks_.find(name); known != bricks_.end()) {
      found.insert(*known);
      continue;
    }
    const auto command_line = proc_->ReadOnce(name + "/cmdline");
    found.emplace(name, command_line ? ParseBrickPort(*command_line) : std::nullopt);
  }
  bricks_ = std::move(found);
  std::vector<PortRange> ports;
  for (const auto& [process, port] : bricks_) {
    if (port) {
      ports.push_back({*port, *port});
    }
  }
  return ports;
}

bool BrickPorts::Refresh(SteadyTime now) {
  if (next_ && now < *next_) {
    return false;
  }
  next_ = now + kRefresh;
  auto ports = FindByProcess();
  const auto reading =
      listeners_ ? listeners_->Read() : Error{ErrorCode::kUnavailable, "no listeners", "netlink"};
  if (reading) {
    of_group_ = PortsOfGlustersGroup(*reading->sockets);
  }
  ports.insert(ports.end(), of_group_.begin(), of_group_.end());
  ports = Normalise(ports);
  ports.resize(std::min(ports.size(), kMaxBricks));
  const bool changed = ports != ports_;
  ports_ = std::move(ports);
  return changed;
}

}  // namespace limpet
