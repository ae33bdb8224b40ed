// cgroup.h: the units (control groups) that read and write, send and receive most, so that a hog
// has a name.
//
// Cost:    at most 1,000 small files a minute (cgroup_walk.h), whatever the number of groups.
// Missing: bytes that the kernel does itself for a file system (its journal, write-back of a mount
//          without cgroup support) are the root group's, which is not shown.
// Threads: as collector.h says.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/collectors/cgroup_network.h"
#include "exporter/collectors/cgroup_walk.h"
#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"

namespace limpet {

namespace catalog {

inline constexpr MetricInfo kCgroupReadBytes{
    .name = "cgroup_disk_read_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "cgroup,device",
    .help =
        "What a control group reads of a disk, of the 20 that move most, over the last minute."};
inline constexpr MetricInfo kCgroupWrittenBytes{
    .name = "cgroup_disk_written_bytes_per_second",
    .type = MetricType::kGauge,
    .unit = "bytes per second",
    .labels = "cgroup,device",
    .help =
        "What a control group writes to a disk, of the 20 that move most, over the last minute."};
inline constexpr MetricInfo kCgroups{
    .name = "cgroups",
    .type = MetricType::kGauge,
    .unit = "groups",
    .labels = "state",
    .help =
        "Control groups: shown by name, the rest; of these uncounted: groups at the top whose "
        "bytes the kernel does not count (io is off)."};

inline constexpr std::array kCgroup = {&kCgroupReadBytes,  &kCgroupWrittenBytes, &kCgroups,
                                       &kCgroupTcpReceive, &kCgroupTcpTransmit,  &kCgroupTcpGroups};

}  // namespace catalog

struct CgroupOptions {
  Duration refresh = std::chrono::minutes(1);
  CgroupWalkOptions walk;
};

class CgroupCollector final : public Collector {
 public:
  // `proc` names the disks: a file of one disk may hang, which would cost all groups. `network`:
  // null for none.
  CgroupCollector(const CgroupOptions& options, std::unique_ptr<FileReader> sys,
                  std::unique_ptr<FileReader> proc,
                  std::unique_ptr<CgroupNetwork> network = nullptr, LogSink log = {});

  [[nodiscard]] std::string_view Name() const override { return "cgroup"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  void WalkDisks(const Tick& tick);
  // Once.
  void Warn(const std::string& text);
  // Returns names by "major:minor"; empty when /proc/diskstats cannot be read.
  [[nodiscard]] std::map<std::string, std::string> DeviceNames();
  [[nodiscard]] Families Render(const CgroupWalk::Outcome& outcome);

  CgroupOptions options_;
  std::unique_ptr<FileReader> sys_;
  std::unique_ptr<FileReader> proc_;
  CgroupWalk walk_;
  std::optional<SteadyTime> next_;  // nullopt: at once
  bool hurried_ = false;            // the last walk came early
  std::unique_ptr<CgroupNetwork> network_;
  LogSink log_;
  std::string warned_;
  std::optional<Error> error_;  // of the last walk
  Families disks_;              // of the last walk
  Families network_families_;   // of the last reading of sockets
  Families families_;           // shown until the next walk or reading
};

extern const CollectorModule kCgroupCollector;

}  // namespace limpet
