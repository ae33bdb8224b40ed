#include "exporter/collectors/disk.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/stack_labels.h"
#include "exporter/common/units.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::size_t kRemembered = 1024;  // devices that are gone, for counting re-plugs

struct CounterRow {
  const MetricInfo* info;
  double (*value)(const DiskCounters&);
};

template <std::uint64_t DiskCounters::*field>
double Plain(const DiskCounters& counters) {
  return static_cast<double>(counters.*field);
}
template <std::uint64_t DiskCounters::*field>
double Bytes(const DiskCounters& counters) {
  return BytesFromSectors(static_cast<double>(counters.*field));
}
template <std::uint64_t DiskCounters::*field>
double Seconds(const DiskCounters& counters) {
  return SecondsFromMilliseconds(static_cast<double>(counters.*field));
}

constexpr std::array kCounters = {
    CounterRow{&catalog::kDiskReadsCompleted, Plain<&DiskCounters::reads>},
    CounterRow{&catalog::kDiskReadsMerged, Plain<&DiskCounters::reads_merged>},
    CounterRow{&catalog::kDiskReadBytes, Bytes<&DiskCounters::sectors_read>},
    CounterRow{&catalog::kDiskReadTime, Seconds<&DiskCounters::read_ms>},
    CounterRow{&catalog::kDiskWritesCompleted, Plain<&DiskCounters::writes>},
    CounterRow{&catalog::kDiskWritesMerged, Plain<&DiskCounters::writes_merged>},
    CounterRow{&catalog::kDiskWrittenBytes, Bytes<&DiskCounters::sectors_written>},
    CounterRow{&catalog::kDiskWriteTime, Seconds<&DiskCounters::write_ms>},
    CounterRow{&catalog::kDiskIoNow, Plain<&DiskCounters::in_flight>},
    CounterRow{&catalog::kDiskIoTime, Seconds<&DiskCounters::io_ms>},
    CounterRow{&catalog::kDiskIoTimeWeighted, Seconds<&DiskCounters::weighted_ms>},
};
constexpr std::array kDiscardCounters = {
    CounterRow{&catalog::kDiskDiscardsCompleted, Plain<&DiskCounters::discards>},
    CounterRow{&catalog::kDiskDiscardsMerged, Plain<&DiskCounters::discards_merged>},
    CounterRow{&catalog::kDiskDiscardedSectors, Plain<&DiskCounters::sectors_discarded>},
    CounterRow{&catalog::kDiskDiscardTime, Seconds<&DiskCounters::discard_ms>},
};
constexpr std::array kFlushCounters = {
    CounterRow{&catalog::kDiskFlushRequests, Plain<&DiskCounters::flushes>},
    CounterRow{&catalog::kDiskFlushTime, Seconds<&DiskCounters::flush_ms>},
};

struct RateRow {
  const MetricInfo* info;
  double DiskRates::*value;
};
constexpr std::array kRates = {
    RateRow{&catalog::kDiskReadsPerSecond, &DiskRates::reads_per_second},
    RateRow{&catalog::kDiskWritesPerSecond, &DiskRates::writes_per_second},
    RateRow{&catalog::kDiskRequestsPerSecond, &DiskRates::requests_per_second},
    RateRow{&catalog::kDiskReadBytesPerSecond, &DiskRates::read_bytes_per_second},
    RateRow{&catalog::kDiskWrittenBytesPerSecond, &DiskRates::written_bytes_per_second},
    RateRow{&catalog::kDiskRequestSize, &DiskRates::request_size},
    RateRow{&catalog::kDiskQueueLength, &DiskRates::queue_length},
    RateRow{&catalog::kDiskAwait, &DiskRates::await},
    RateRow{&catalog::kDiskReadAwait, &DiskRates::read_await},
    RateRow{&catalog::kDiskWriteAwait, &DiskRates::write_await},
    RateRow{&catalog::kDiskServiceTime, &DiskRates::service_time},
    RateRow{&catalog::kDiskUtilization, &DiskRates::utilization},
};

LabelsPtr InfoLabels(std::string_view device, const BlockInfo& info, const Mount* mount) {
  const auto rotational = info.rotational ? (*info.rotational ? "1" : "0") : "";
  return MakeLabels({{"device", Printable(device)},
                     {"wwn", Printable(info.wwn)},
                     {"serial", Printable(info.serial)},
                     {"model", Printable(info.model)},
                     {"rotational", rotational},
                     {"size", info.size > 0 ? std::to_string(info.size) : ""},
                     {"mountpoint", mount != nullptr ? Printable(mount->mountpoint) : ""},
                     {"fstype", mount != nullptr ? Printable(mount->fstype) : ""}});
}

}  // namespace

constinit const CollectorModule kDiskCollector{
    .name = "disk",
    .title = "Disks",
    .metrics = catalog::kDisk,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      return [options = ReadDiskOptions(settings)](const CollectorInputs& in) {
        return MakeWithFilter<DiskCollector>(options, kDefaultDiskExclude, in.Proc(), in.Sys(),
                                             in.log);
      };
    }};

DiskOptions ReadDiskOptions(yaml::MapReader& settings) {
  DiskOptions disk;
  disk.devices = ReadDeviceFilter(settings);
  SetIfGiven(disk.gauges, settings.Bool("gauges"));
  SetIfGiven(disk.identity_refresh, settings.Time("identity_refresh", std::chrono::seconds(1)));
  SetIfGiven(disk.mount_refresh, settings.Time("mount_refresh", std::chrono::seconds(1)));
  return disk;
}

DiskCollector::DiskCollector(const DiskOptions& options, DeviceFilter filter,
                             std::unique_ptr<FileReader> proc, std::unique_ptr<FileReader> sys,
                             LogSink log)
    : options_(options),
      filter_(std::move(filter)),
      proc_(std::move(proc)),
      sys_(std::move(sys)),
      log_(std::move(log)),
      disks_({"disk", "diskstats", "device", kRemembered}, log_) {}

void DiskCollector::Inherit(Collector& before) {
  if (auto* disk = dynamic_cast<DiskCollector*>(&before)) {
    disks_.Inherit(disk->disks_, [](Disk& known) {
      // What the disk is may be asked for at other intervals now: ask again.
      known.info_labels = nullptr;
      known.next_identity = {};
    });
  }
}

Result<Families> DiskCollector::Collect(const Tick& tick) {
  const auto text = proc_->Read("diskstats");
  if (!text) {
    return text.error();
  }
  const auto recorded = disks_.Record(
      ParseDiskstats(*text), [this](std::string_view name) { return Shows(name); },
      [&](Disks::Entry& entry, const DiskstatsLine& line) { UpdateHistory(entry, line, tick); });
  if (!recorded) {
    return recorded.error();
  }
  const auto shown = disks_.Shown();
  const bool new_devices = std::any_of(shown.begin(), shown.end(), [](const auto* entry) {
    return entry->state.history.IsNewDevice();
  });
  // A device that appears is usually mounted about now.
  const bool read_mounts = new_devices || disks_.Changed() || tick.steady >= next_mounts_;
  if (read_mounts && !shown.empty()) {
    RefreshMounts(tick);
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    RefreshInfo(*shown[i], i, tick, read_mounts);
  }
  return Render();
}

// Asked once a name: a partition stays one, since its file in sysfs outlives no re-plug.
bool DiskCollector::Shows(std::string_view name) const {
  return filter_.Shows(name) && !(options_.devices.IsDefault() && IsPartition(*sys_, name));
}

void DiskCollector::UpdateHistory(Disks::Entry& entry, const DiskstatsLine& line,
                                  const Tick& tick) const {
  auto& history = entry.state.history;
  history.Update(line, tick.steady, entry.continuous);
  // Once a device: a kernel that miscounts does so at every reading.
  if (line.in_flight_negative && history.InFlightUnderflows() == 1) {
    log_(LogLevel::kWarning, "disk: " + Printable(line.name) +
                                 ": the kernel counts a negative number of requests in flight; "
                                 "shown as 0");
  }
}

// In a container that sees the host's /proc, "self" would be the container: ask process 1 first.
void DiskCollector::RefreshMounts(const Tick& tick) {
  next_mounts_ = tick.steady + options_.mount_refresh;
  auto text = proc_->ReadOnce("1/mountinfo");
  if (!text) {
    text = proc_->ReadOnce("self/mountinfo");
  }
  mounts_ = text ? ParseMountInfo(*text).mounts : std::vector<Mount>();
}

void DiskCollector::RefreshInfo(Disks::Entry& entry, std::size_t position, const Tick& tick,
                                bool mounts_read) {
  auto& disk = entry.state;
  const bool read_identity = disk.history.IsNewDevice() || tick.steady >= disk.next_identity;
  if (read_identity) {
    // The second and later readings of many disks fall on different seconds.
    const auto spread = disk.info_labels == nullptr
                            ? std::chrono::seconds(static_cast<std::int64_t>(position % 60))
                            : std::chrono::seconds(0);
    disk.next_identity = tick.steady + options_.identity_refresh + spread;
    if (auto stack = ReadDiskStack(*sys_, entry.name); stack != disk.stack) {
      disk.stack = std::move(stack);
      disk.stack_labels = StackLabels(entry.name, disk.stack);
    }
    auto info = ReadBlockInfo(*sys_, entry.name);
    if (disk.info_labels != nullptr && !mounts_read && info == disk.info) {
      return;
    }
    disk.info = std::move(info);
  }
  if (read_identity || mounts_read) {
    const auto* mount = FindMount(mounts_, disk.history.Major(), disk.history.Minor(), entry.name);
    auto labels = InfoLabels(entry.name, disk.info, mount);
    if (disk.info_labels == nullptr || disk.info_labels->Rendered() != labels->Rendered()) {
      disk.info_labels = std::move(labels);
    }
  }
}

Families DiskCollector::Render() const {
  Families families;
  families.reserve(catalog::kDisk.size());
  AddCounters(families);
  if (options_.gauges) {
    for (const auto& row : kRates) {
      disks_.Add(families, *row.info, [&](const Disk& disk) -> std::optional<double> {
        const auto& rates = disk.history.Rates();
        return rates ? std::optional((*rates).*row.value) : std::nullopt;
      });
    }
  }
  AddEvents(families);
  AddFamily(
      families, catalog::kDiskInfo, disks_.Shown(),
      [](const auto* entry) { return entry->state.info_labels; }, [](const auto*) { return 1.0; });
  AddStacks(families, catalog::kDiskStack, disks_.Shown());
  return families;
}

// What the kernel counts. Kernels before 4.18 count no discards, those before 5.5 no flushes.
void DiskCollector::AddCounters(Families& families) const {
  const auto add = [&](const CounterRow& row, bool (DiskHistory::*has)() const) {
    disks_.Add(families, *row.info, [&](const Disk& disk) -> std::optional<double> {
      const auto& history = disk.history;
      return has == nullptr || (history.*has)() ? std::optional(row.value(history.Counters()))
                                                : std::nullopt;
    });
  };
  for (const auto& row : kCounters) {
    add(row, nullptr);
  }
  for (const auto& row : kDiscardCounters) {
    add(row, &DiskHistory::HasDiscards);
  }
  for (const auto& row : kFlushCounters) {
    add(row, &DiskHistory::HasFlushes);
  }
}

// What this collector saw between readings, which no later reading tells.
void DiskCollector::AddEvents(Families& families) const {
  disks_.Add(families, catalog::kDiskStuck,
             [](const Disk& disk) { return ToSeconds(disk.history.Stuck()); });
  disks_.Add(families, catalog::kDiskCounterResets,
             [](const Disk& disk) { return static_cast<double>(disk.history.Resets()); });
  disks_.Add(families, catalog::kDiskReplugs,
             [](const Disk& disk) { return static_cast<double>(disk.history.Replugs()); });
  disks_.Add(families, catalog::kDiskInFlightUnderflows,
             [](const Disk& disk) -> std::optional<double> {
               const auto count = disk.history.InFlightUnderflows();
               return count > 0 ? std::optional(static_cast<double>(count)) : std::nullopt;
             });
  families.push_back(
      {&catalog::kDiskSkippedLines, {{nullptr, static_cast<double>(disks_.SkippedLines())}}});
}

}  // namespace limpet
