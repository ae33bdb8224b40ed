// disk.h: /proc/diskstats and /sys/class/block as metrics.
//
// Which:   whole disks that node_exporter's default pattern leaves in; whether a name is a
//          partition is asked of sysfs, since disk and partition must never be added up. Patterns
//          of the user's take the place of both rules.
// Gauges:  iostat's view of the last interval; none at the first reading of a device and over a
//          counter that fell (disk_history.h, rates.h).
// Info:    with what it stands on; read beside the tick (device_reader.h) when a device is first
// seen and then every
//          identity_refresh; mounts every mount_refresh and when the list of devices changes.
// Idle:    a disk whose requests the kernel does not count (queue/iostats is 0) is not shown as
//          idle: its counters are left out. Drivers that count all the same are seen to do so.
// Damage:  what is whole of a damaged file is shown, disk_skipped_lines_total counts the rest and
//          the log names it once. A file with nothing whole is an error.
// Threads: as collector.h says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/device_reader.h"
#include "exporter/collectors/device_records.h"
#include "exporter/collectors/disk_history.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"
#include "exporter/kernel/block_info.h"
#include "exporter/kernel/device_stack.h"
#include "exporter/kernel/mountinfo.h"

namespace limpet {

struct DiskOptions {
  DeviceFilterOptions devices;
  bool gauges = true;  // the per-interval view; the counters say the same to whoever rates them
  Duration identity_refresh = std::chrono::minutes(5);
  Duration mount_refresh = std::chrono::seconds(30);
  DeviceReaderOptions reader;

  friend bool operator==(const DiskOptions&, const DiskOptions&) = default;
};

[[nodiscard]] DiskOptions ReadDiskOptions(yaml::MapReader& settings);

class DiskCollector final : public Collector {
 public:
  DiskCollector(const DiskOptions& options, DeviceFilter filter, const CollectorInputs& in);

  [[nodiscard]] std::string_view Name() const override { return "disk"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;
  // The histories: what the kernel's 32-bit milliseconds have wrapped, resets and re-plugs.
  void Inherit(Collector& before) override;

 private:
  struct Identity {
    BlockInfo info;
    DeviceStack stack;
  };
  struct Disk {
    DiskHistory history;
    std::optional<BlockInfo> info;  // nullopt until it is read, or cannot be
    LabelsPtr info_labels;          // null without info
    bool is_counted = true;
    bool is_told = false;  // that it is not
    DeviceStack stack;
    std::vector<LabelsPtr> stack_labels;
  };
  using Disks = DeviceRecords<Disk>;
  using InfoReader = DeviceReader<Identity>;
  using MountReader = DeviceReader<std::vector<Mount>>;

  [[nodiscard]] bool Shows(std::string_view name) const;
  void UpdateHistory(Disks::Entry& entry, const DiskstatsLine& line, const Tick& tick) const;
  [[nodiscard]] static Identity ReadIdentity(FileReader& sys, FileReader& proc,
                                             const std::string& device);
  void Identify(const std::string& device, Identity identity);
  void AskWhatIsDue(const Tick& tick);
  void RefreshInfo(const Tick& tick);
  void Label(Disks::Entry& entry) const;
  void SeeWhatIsCounted(Disks::Entry& entry, const Tick& tick) const;
  [[nodiscard]] Families Render() const;
  void AddCounters(Families& families) const;
  void AddEvents(Families& families) const;

  DiskOptions options_;
  DeviceFilter filter_;
  std::unique_ptr<FileReader> proc_;
  std::unique_ptr<FileReader> sys_;
  LogSink log_;
  Disks disks_;
  std::unique_ptr<InfoReader> infos_;
  SteadyTime next_infos_{};
  std::vector<Mount> mounts_;
  std::unique_ptr<MountReader> mount_reader_;
  SteadyTime next_mounts_{};
};

extern const CollectorModule kDiskCollector;

}  // namespace limpet
