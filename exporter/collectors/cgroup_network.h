// cgroup_network.h: which control groups send and receive how much over TCP.
//
// The kernel names the control group of each TCP socket (inet_diag, since Linux 5.9) beside the
// bytes that it has sent and received; groups have no counters of their own.
// Missing: UDP, connections that begin and end between two readings, what the kernel itself sends
//          (NFS server, Lustre, RDMA), and other network namespaces, such as those of containers.
// Rates:   averages since the reading before; the first has none. A connection that is new since
//          then began at 0.
// Bound:   max_sockets a reading, of which 24 bytes each are remembered; `shown` groups.
// Cost:    a reading that took t rests t / cpu_share at least.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exporter/collectors/cgroup_names.h"
#include "exporter/collectors/tcp_source.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/files.h"
#include "exporter/common/time.h"

namespace limpet {

namespace catalog {

inline constexpr MetricInfo kCgroupTcpReceive{
    .name = "cgroup_tcp_receive_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "cgroup",
    .help =
        "What the TCP connections of a control group receive, of the 20 that move most, over "
        "the last minute or longer."};
inline constexpr MetricInfo kCgroupTcpTransmit{
    .name = "cgroup_tcp_transmit_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "cgroup",
    .help =
        "What the TCP connections of a control group send, of the 20 that move most, over the "
        "last minute or longer."};
inline constexpr MetricInfo kCgroupTcpGroups{
    .name = "cgroup_tcp_groups",
    .type = MetricType::kGauge,
    .unit = "groups",
    .labels = "state",
    .help = "Control groups that have TCP connections: shown by name, or rest."};

}  // namespace catalog

struct CgroupTraffic {
  std::uint64_t cgroup = 0;
  double received = 0;  // bytes a second
  double sent = 0;
};

// The sums, without the kernel and the names.
class CgroupTrafficSums {
 public:
  // One entry a group; nullopt at the first reading, and after one that lacked sockets.
  [[nodiscard]] std::optional<std::vector<CgroupTraffic>> Update(const TcpSockets& reading,
                                                                 SteadyTime now);

 private:
  struct Known {
    std::uint64_t id = 0;
    std::uint64_t received = 0;  // bytes since the connection began
    std::uint64_t sent = 0;
  };
  std::vector<Known> known_;  // by id
  std::optional<SteadyTime> at_;
};

struct CgroupNetworkOptions {
  double busy = 1e6;  // bytes a second; groups with less are not shown
  std::size_t shown = 20;
  std::size_t max_sockets = 100'000;
  double cpu_share = 0.0001;  // of one CPU
  Duration refresh = std::chrono::minutes(1);
};

class CgroupNetwork {
 public:
  // `open`: a source of all sockets, closed again after each reading for the sake of its memory.
  using Open = std::function<std::unique_ptr<TcpSource>()>;
  CgroupNetwork(const CgroupNetworkOptions& options, Open open, CgroupFolderProbe probe);

  // Reads when it is time to. Families of the last reading that had rates; none where the kernel
  // tells no control groups.
  [[nodiscard]] bool IsDue(SteadyTime now) const { return !next_ || now >= *next_; }
  [[nodiscard]] const Families& Read(FileReader& sys, SteadyTime now);

 private:
  [[nodiscard]] Families Render(FileReader& sys, std::vector<CgroupTraffic> traffic,
                                SteadyTime now);

  CgroupNetworkOptions options_;
  Open open_;
  CgroupNames names_;
  CgroupTrafficSums sums_;
  std::optional<SteadyTime> next_;  // nullopt: at once
  bool had_rates_ = false;
  Families families_;
};

}  // namespace limpet
