// tcp.h: congestion windows, round-trip times and retransmissions of file-system connections.
//
// Per peer always (collectors/tcp_peers.h), per connection when asked for.
//
// How often: reading connections costs more than reading disks (the kernel walks a hash table that
// grows with memory), so the collector spends at most `cpu_share` of one CPU on it: after a reading
// that took t it rests t/cpu_share, between `interval` and `max_interval`. A reading without any
// file-system connection is followed by `max_interval`. In between it returns what it has, and
// tcp_sample_age_seconds says how old that is. Measured: docs/performance.md.
// GlusterFS: where its management port is seen, the ports of its bricks are looked for
//          (collectors/brick_ports.h); where they are not found, a series and the log say so.
// Threads: as collector.h says.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/brick_ports.h"
#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"
#include "exporter/collectors/tcp_peers.h"
#include "exporter/collectors/tcp_source.h"
#include "exporter/common/log.h"
#include "exporter/common/ports.h"

namespace limpet {

struct TcpOptions {
  std::vector<PortRange> ports;  // local or remote port; empty: kFileSystemPorts
  bool per_socket = false;       // a series of each kind for each connection
  std::size_t max_sockets = 4096;
  std::size_t max_peers = 1024;
  bool exclude_loopback = true;
  std::string network_namespace;  // such as "/run/netns/storage"; empty: the program's own
  Duration interval = std::chrono::seconds(1);
  Duration max_interval = std::chrono::seconds(5);
  double cpu_share = 0.001;  // of one CPU

  friend bool operator==(const TcpOptions&, const TcpOptions&) = default;
};

[[nodiscard]] TcpOptions ReadTcpOptions(yaml::MapReader& settings);

class TcpCollector final : public Collector {
 public:
  // `bricks`: nullopt: they are not looked for.
  TcpCollector(const TcpOptions& options, std::unique_ptr<TcpSource> source,
               std::optional<BrickPorts> bricks = std::nullopt, LogSink log = {});

  [[nodiscard]] std::string_view Name() const override { return "tcp"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;
  // Takes over the sums of each peer's connections.
  void Inherit(Collector& before) override;

 private:
  [[nodiscard]] bool Due(const Tick& tick) const;
  void Plan(const Tick& tick, Duration cost);
  void LookForBricks(const TcpSockets& sockets, SteadyTime now);
  void AddPeers(Families& families, bool detailed) const;
  void AddConnections(Families& families, bool detailed) const;
  [[nodiscard]] Families Build(const TcpReading& reading) const;

  TcpOptions options_;
  std::unique_ptr<TcpSource> source_;
  TcpPeers peers_;
  std::optional<BrickPorts> bricks_;
  std::optional<bool> lacks_bricks_;  // nullopt: no GlusterFS is seen
  LogSink log_;
  std::uint64_t dropped_ = 0;
  bool segments_ = true;  // the kernel counts those sent
  Families last_;
  std::optional<SteadyTime> last_read_;
  SteadyTime next_read_;
  LabelsPtr netlink_label_;
  LabelsPtr proc_label_;
};

// Returns a collector that reads by netlink, and the files below `proc` where that is missing.
[[nodiscard]] std::unique_ptr<Collector> MakeTcpCollector(
    TcpOptions options, std::unique_ptr<FileReader> proc,
    std::unique_ptr<FileReader> processes = nullptr, LogSink log = {});

extern const CollectorModule kTcpCollector;

}  // namespace limpet
