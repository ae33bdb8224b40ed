#include "exporter/collectors/tcp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "exporter/collectors/catalog/tcp.h"
#include "exporter/collectors/families.h"

namespace limpet {
namespace {

constexpr double kSecondsPerMicrosecond = 1e-6;
constexpr Duration kMinInterval = std::chrono::milliseconds(100);
constexpr std::int64_t kMaxConnections = 1'000'000;  // a bound on memory: 300 bytes each

TcpOptions WithDefaults(TcpOptions options) {
  if (options.ports.empty()) {
    options.ports.assign(std::begin(kFileSystemPorts), std::end(kFileSystemPorts));
  }
  // The kernel's filter wants ranges that are sorted and do not overlap.
  options.ports = Normalise(options.ports);
  options.interval = std::max(options.interval, Duration(std::chrono::milliseconds(1)));
  return options;
}

bool IsWithin(std::uint16_t port, const PortRange& range) {
  return port >= range.first && port <= range.last;
}

double AsNumber(std::uint64_t value) { return static_cast<double>(value); }

Family SingleSample(const MetricInfo& info, double value, LabelsPtr labels = nullptr) {
  Family family{.info = &info, .samples = {}};
  family.samples.push_back({std::move(labels), value});
  return family;
}

}  // namespace

constinit const CollectorModule kTcpCollector{
    .name = "tcp",
    .title = "TCP connections",
    .metrics = catalog::kTcp,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      return [options = ReadTcpOptions(settings)](const CollectorInputs& in) {
        return Result(MakeTcpCollector(options, in.Proc(), in.Proc(), in.log));
      };
    }};

TcpOptions ReadTcpOptions(yaml::MapReader& settings) {
  TcpOptions tcp;
  for (const auto& text : settings.Texts("ports")) {
    const auto range = ParsePortRange(text);
    if (range) {
      tcp.ports.push_back(*range);
    } else {
      settings.Refuse("ports", "expected ports such as 2049 or 49152-49251, got \"" + text + "\"");
    }
  }
  SetIfGiven(tcp.per_socket, settings.Bool("per_socket"));
  SetIfGiven(tcp.max_sockets, settings.Integer("max_sockets", 1, kMaxConnections));
  SetIfGiven(tcp.max_peers, settings.Integer("max_peers", 1, kMaxConnections));
  SetIfGiven(tcp.exclude_loopback, settings.Bool("exclude_loopback"));
  SetIfGiven(tcp.network_namespace, settings.Text("network_namespace"));
  SetIfGiven(tcp.interval, settings.Time("interval", kMinInterval));
  SetIfGiven(tcp.max_interval, settings.Time("max_interval", kMinInterval));
  SetIfGiven(tcp.cpu_share, settings.Number("cpu_share", 1e-4, 1));
  if (tcp.interval > tcp.max_interval) {
    settings.Refuse("interval", "expected at most collectors.tcp.max_interval");
  }
  return tcp;
}

TcpCollector::TcpCollector(const TcpOptions& options, std::unique_ptr<TcpSource> source,
                           std::optional<BrickPorts> bricks, LogSink log)
    : options_(WithDefaults(options)),
      source_(std::move(source)),
      peers_({.ports = options_.ports,
              .max_peers = options_.max_peers,
              .exclude_loopback = options_.exclude_loopback,
              .per_socket = options_.per_socket}),
      bricks_(std::move(bricks)),
      log_(std::move(log)),
      netlink_label_(MakeLabels({{"source", "netlink"}})),
      proc_label_(MakeLabels({{"source", "proc"}})) {}

Result<Families> TcpCollector::Collect(const Tick& tick) {
  if (Due(tick)) {
    // Reading walks the kernel's table of all connections, so most ticks repeat what there is.
    auto reading = source_->Read();
    if (!reading) {
      last_.clear();
      last_read_.reset();  // try again at the next tick, show nothing old until then
      return reading.error();
    }
    peers_.Update(*reading->sockets, tick.steady, reading->closed);
    segments_ = reading->sockets->CountSegments();
    dropped_ += reading->sockets->dropped;
    LookForBricks(*reading->sockets, tick.steady);
    last_ = Build(*reading);
    last_read_ = tick.steady;
    Plan(tick, reading->cost);
  }
  // The counters of a reading are shown again and again: its age tells a rate what it may use.
  Families families = last_;
  families.push_back(SingleSample(catalog::kTcpSampleAge, ToSeconds(tick.steady - *last_read_)));
  return families;
}

void TcpCollector::LookForBricks(const TcpSockets& sockets, SteadyTime now) {
  bool is_there = false;
  bool has_bricks = false;
  const std::span<const PortRange> found =
      bricks_ ? std::span<const PortRange>(bricks_->Ports()) : std::span<const PortRange>();
  for (const auto& socket : sockets.sockets) {
    const bool listens = socket.state == kTcpListen;
    is_there = is_there || socket.local_port == kGlusterManagementPort ||
               socket.remote_port == kGlusterManagementPort;
    has_bricks = has_bricks || IsWithin(socket.remote_port, kOldBrickPorts) ||
                 (listens && (IsWithin(socket.local_port, kOldBrickPorts) ||
                              std::any_of(found.begin(), found.end(), [&](const PortRange& range) {
                                return IsWithin(socket.local_port, range);
                              })));
  }
  if (is_there && bricks_ && bricks_->Refresh(now)) {
    auto ports = options_.ports;
    ports.insert(ports.end(), bricks_->Ports().begin(), bricks_->Ports().end());
    source_->SetPorts(Normalise(ports));
    peers_.SetServerPorts(bricks_->Ports());
    has_bricks = has_bricks || !bricks_->Ports().empty();  // the next reading has them
  }
  const bool lacked = lacks_bricks_.value_or(false);
  lacks_bricks_ = is_there ? std::optional(!has_bricks) : std::nullopt;
  if (log_ && lacks_bricks_.value_or(false) && !lacked) {
    log_(
        LogLevel::kWarning,
        "tcp: a GlusterFS is seen (port 24007) without the ports of its bricks, which GlusterFS 10 "
        "and later choose at random; expected processes glusterfsd in /proc, or their ports in "
        "collectors.tcp.ports (set base-port and max-port of glusterd.vol)");
  }
}

void TcpCollector::Inherit(Collector& before) {
  if (auto* tcp = dynamic_cast<TcpCollector*>(&before)) {
    peers_.Inherit(tcp->peers_);
    dropped_ = tcp->dropped_;
  }
}

bool TcpCollector::Due(const Tick& tick) const {
  return !last_read_ || tick.steady >= next_read_ || tick.steady < *last_read_;
}

void TcpCollector::Plan(const Tick& tick, Duration cost) {
  auto rest = options_.max_interval;
  // What a reading costs is known only afterwards: it pays for itself by the rest that follows.
  // Without a connection of the file system there is nothing to miss: the longest rest.
  if (peers_.Sockets() + peers_.Closed() > 0 && options_.cpu_share > 0) {
    const auto wanted = ToSeconds(cost) / options_.cpu_share;
    const auto steps = std::ceil(wanted / ToSeconds(options_.interval));
    const auto most = ToSeconds(options_.max_interval) / ToSeconds(options_.interval);
    rest =
        options_.interval * static_cast<std::int64_t>(std::clamp(steps, 1.0, std::max(1.0, most)));
  }
  // Half an interval early: ticks come a little unevenly.
  next_read_ = tick.steady + rest - options_.interval / 2;
}

Families TcpCollector::Build(const TcpReading& reading) const {
  Families families;
  AddPeers(families, reading.detailed);
  if (options_.per_socket) {
    AddConnections(families, reading.detailed);
  }
  families.push_back(SingleSample(catalog::kTcpSockets, AsNumber(peers_.Sockets())));
  families.push_back(SingleSample(catalog::kTcpSocketsDropped, AsNumber(dropped_)));
  families.push_back(SingleSample(catalog::kTcpPeersDropped, AsNumber(peers_.Dropped())));
  families.push_back(SingleSample(catalog::kTcpClosedCounted, reading.all_closed ? 1 : 0));
  if (lacks_bricks_) {
    families.push_back(SingleSample(catalog::kTcpGlusterfsLacksBricks, *lacks_bricks_ ? 1 : 0));
  }
  families.push_back(SingleSample(catalog::kTcpSourceInfo, 1,
                                  reading.from_netlink ? netlink_label_ : proc_label_));
  return families;
}

void TcpCollector::AddPeers(Families& families, bool detailed) const {
  using Value = std::optional<double>;
  const auto add = [&](const MetricInfo& info, auto value) {
    AddFamily(
        families, info, peers_.Peers(), [](const auto& item) { return item.second.labels; },
        [&](const auto& item) -> Value { return value(item.second); });
  };
  const auto if_any = [](std::uint64_t count, double value) {
    return count > 0 ? Value(value) : std::nullopt;
  };
  add(catalog::kTcpPeerSockets, [](const TcpPeer& p) { return AsNumber(p.sockets); });
  add(catalog::kTcpPeerActiveSockets, [](const TcpPeer& p) { return AsNumber(p.active); });
  // A window says something only while data moves: idle connections keep whatever they had.
  add(catalog::kTcpPeerCwnd, [&](const TcpPeer& p) {
    return if_any(p.active, AsNumber(p.cwnd_sum) / AsNumber(p.active));
  });
  add(catalog::kTcpPeerMinCwnd,
      [&](const TcpPeer& p) { return if_any(p.active, AsNumber(p.cwnd_min)); });
  if (!detailed) {
    return;  // sums that nothing was added to would read as connections without traffic
  }
  add(catalog::kTcpPeerRtt, [&](const TcpPeer& p) {
    return if_any(p.rtt_count,
                  AsNumber(p.rtt_us_sum) / AsNumber(p.rtt_count) * kSecondsPerMicrosecond);
  });
  add(catalog::kTcpPeerMinRtt, [](const TcpPeer& p) {
    return p.min_rtt_us ? Value(*p.min_rtt_us * kSecondsPerMicrosecond) : std::nullopt;
  });
  if (segments_) {
    add(catalog::kTcpPeerSegmentsSent, [](const TcpPeer& p) { return AsNumber(p.segments_sent); });
  }
  add(catalog::kTcpPeerSegmentsRetransmitted,
      [](const TcpPeer& p) { return AsNumber(p.retransmits); });
  add(catalog::kTcpPeerBytesAcked, [](const TcpPeer& p) { return AsNumber(p.bytes_acked); });
  add(catalog::kTcpPeerBytesReceived, [](const TcpPeer& p) { return AsNumber(p.bytes_received); });
}

void TcpCollector::AddConnections(Families& families, bool detailed) const {
  using Value = std::optional<double>;
  using Seen = TcpPeers::Seen;
  const auto connections = peers_.Connections();
  const auto labels = [](const Seen& seen) { return seen.labels; };
  AddFamily(families, catalog::kTcpCwnd, connections, labels, [](const Seen& seen) -> Value {
    return seen.socket->cwnd ? Value(*seen.socket->cwnd) : std::nullopt;
  });
  if (!detailed) {
    return;
  }
  const auto add = [&](const MetricInfo& info, auto value) {
    AddFamily(families, info, connections, labels, [&](const Seen& seen) -> Value {
      return seen.socket->details ? value(*seen.socket->details) : std::nullopt;
    });
  };
  add(catalog::kTcpBytesAcked, [](const TcpDetails& d) { return Value(AsNumber(d.bytes_acked)); });
  add(catalog::kTcpRtt, [](const TcpDetails& d) {
    return d.rtt_us > 0 ? Value(d.rtt_us * kSecondsPerMicrosecond) : std::nullopt;
  });
  add(catalog::kTcpRetransmits,
      [](const TcpDetails& d) { return Value(AsNumber(d.total_retransmits)); });
  add(catalog::kTcpAppLimited,
      [](const TcpDetails& d) { return Value(d.app_limited ? 1.0 : 0.0); });
  add(catalog::kTcpLastDataSent,
      [](const TcpDetails& d) { return Value(d.last_data_sent_ms / 1000.0); });
  AddFamily(
      families, catalog::kTcpCongestion, connections,
      [](const Seen& seen) { return seen.congestion_labels; },
      [](const Seen& seen) { return seen.congestion_labels ? Value(1) : std::nullopt; });
}

std::unique_ptr<Collector> MakeTcpCollector(TcpOptions options, std::unique_ptr<FileReader> proc,
                                            std::unique_ptr<FileReader> processes, LogSink log) {
  options = WithDefaults(std::move(options));
  auto source = OpenTcpSource({.ports = options.ports,
                               .with_congestion = options.per_socket,
                               .with_closed = true,
                               .max_sockets = options.max_sockets,
                               .network_namespace = options.network_namespace},
                              std::move(proc));
  std::optional<BrickPorts> bricks;
  if (processes != nullptr) {
    bricks.emplace(std::move(processes), OpenListeners(options.network_namespace));
  }
  return std::make_unique<TcpCollector>(options, std::move(source), std::move(bricks),
                                        std::move(log));
}

}  // namespace limpet
