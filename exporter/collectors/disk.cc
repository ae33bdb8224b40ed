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
const std::string kMountInfo = "1/mountinfo";
// A disk that is said not to be counted, and yet was less than so long ago, is.
constexpr Duration kCountsStill = std::chrono::minutes(1);

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

// What a disk is does not change while it is the same: a file that says nothing any more could not
// be read.
void KeepKnown(const BlockInfo& before, BlockInfo& info) {
  for (const auto field : {&BlockInfo::wwn, &BlockInfo::serial, &BlockInfo::model}) {
    if ((info.*field).empty()) {
      info.*field = before.*field;
    }
  }
  info.rotational = info.rotational ? info.rotational : before.rotational;
  info.size = info.size > 0 ? info.size : before.size;
}

// In a container that sees the host's /proc, "self" would be the container: ask process 1 first.
std::vector<Mount> ReadMounts(FileReader& /*sys*/, FileReader& proc, const std::string& path) {
  auto text = proc.ReadOnce(path);
  if (!text) {
    text = proc.ReadOnce("self/mountinfo");
  }
  return text ? ParseMountInfo(*text).mounts : std::vector<Mount>();
}

}  // namespace

constinit const CollectorModule kDiskCollector{
    .name = "disk",
    .title = "Disks",
    .metrics = catalog::kDisk,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      return [options = ReadDiskOptions(settings)](const CollectorInputs& in) {
        return MakeWithFilter<DiskCollector>(options, kDefaultDiskExclude, in);
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
                             const CollectorInputs& in)
    : options_(options),
      filter_(std::move(filter)),
      proc_(in.Proc()),
      sys_(in.Sys()),
      log_(in.log),
      disks_({"disk", "diskstats", "device", kRemembered}, log_),
      infos_(std::make_unique<InfoReader>("disk", options.reader, in, ReadIdentity)),
      mount_reader_(std::make_unique<MountReader>("disk", options.reader, in, ReadMounts)) {}

void DiskCollector::Inherit(Collector& before) {
  if (auto* disk = dynamic_cast<DiskCollector*>(&before)) {
    disks_.Inherit(disk->disks_, [](const Disk&) {});
    mounts_ = std::move(disk->mounts_);
    // With what hangs, which would hang again.
    infos_ = std::move(disk->infos_);
    mount_reader_ = std::move(disk->mount_reader_);
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
  AskWhatIsDue(tick);
  RefreshInfo(tick);
  for (auto* entry : disks_.Shown()) {
    SeeWhatIsCounted(*entry, tick);
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

void DiskCollector::AskWhatIsDue(const Tick& tick) {
  const auto shown = disks_.Shown();
  bool has_new = false;
  for (auto* entry : shown) {
    if (entry->state.history.IsNewDevice()) {
      has_new = true;
      infos_->Forget(entry->name);
      entry->state.info.reset();
      entry->state.info_labels = nullptr;
    }
  }
  const bool is_due = tick.steady >= next_infos_;
  const bool has_changed = has_new || disks_.Changed();
  if (is_due || has_changed) {
    infos_->AskShown(shown, is_due, tick.steady);
  }
  if (is_due) {
    next_infos_ = tick.steady + options_.identity_refresh;
  }
  // A device that appears is usually mounted about now.
  if ((has_changed || tick.steady >= next_mounts_) && !shown.empty()) {
    next_mounts_ = tick.steady + options_.mount_refresh;
    mount_reader_->Ask(kMountInfo, tick.steady);
  }
}

void DiskCollector::RefreshInfo(const Tick& tick) {
  mount_reader_->Take(
      tick.steady,
      [this](const std::string&, std::vector<Mount> mounts) {
        mounts_ = std::move(mounts);
        for (auto* entry : disks_.Shown()) {
          Label(*entry);
        }
      },
      [](const std::string&) {});
  infos_->Take(
      tick.steady,
      [this](const std::string& device, Identity identity) {
        Identify(device, std::move(identity));
      },
      [this](const std::string& device) {
        // What is known of a disk stays true while it does not answer.
        if (const auto* entry = disks_.Find(device); entry != nullptr && !entry->state.info) {
          Identify(device, {});
        }
      });
}

DiskCollector::Identity DiskCollector::ReadIdentity(FileReader& sys, FileReader& /*proc*/,
                                                    const std::string& device) {
  return {.info = ReadBlockInfo(sys, device), .stack = ReadDiskStack(sys, device)};
}

void DiskCollector::Identify(const std::string& device, Identity identity) {
  auto* entry = disks_.Find(device);
  if (entry == nullptr) {
    return;
  }
  auto& disk = entry->state;
  KeepKnown(disk.info.value_or(BlockInfo()), identity.info);
  disk.info = std::move(identity.info);
  if (identity.stack != disk.stack) {
    disk.stack = std::move(identity.stack);
    disk.stack_labels = StackLabels(device, disk.stack);
  }
  Label(*entry);
}

void DiskCollector::Label(Disks::Entry& entry) const {
  auto& disk = entry.state;
  if (!disk.info) {
    return;
  }
  const auto* mount = FindMount(mounts_, disk.history.Major(), disk.history.Minor(), entry.name);
  auto labels = InfoLabels(entry.name, *disk.info, mount);
  if (disk.info_labels == nullptr || disk.info_labels->Rendered() != labels->Rendered()) {
    disk.info_labels = std::move(labels);
  }
}

void DiskCollector::SeeWhatIsCounted(Disks::Entry& entry, const Tick& tick) const {
  auto& disk = entry.state;
  const auto& progress = disk.history.Progress();
  const bool moves = progress && tick.steady - *progress < kCountsStill;
  disk.is_counted = moves || !disk.info || disk.info->counts.value_or(true);
  // Of memory (zram) the kernel counts nothing by default, and nobody misses it.
  if (!disk.is_counted && disk.stack.kind != "memory" && !std::exchange(disk.is_told, true)) {
    log_(LogLevel::kWarning, "disk: " + Printable(entry.name) +
                                 ": queue/iostats is 0, so the kernel counts none of its requests; "
                                 "expected 1, its counters are left out");
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
        return rates && disk.is_counted ? std::optional((*rates).*row.value) : std::nullopt;
      });
    }
  }
  AddEvents(families);
  AddFamily(
      families, catalog::kDiskInfo, disks_.Shown(),
      [](const auto* entry) { return entry->state.info_labels; },
      [](const auto* entry) {
        return entry->state.info_labels ? std::optional(1.0) : std::nullopt;
      });
  AddStacks(families, catalog::kDiskStack, disks_.Shown());
  infos_->Unreadable().AddTo(families);
  mount_reader_->Unreadable().AddTo(families);
  return families;
}

// What the kernel counts. Kernels before 4.18 count no discards, those before 5.5 no flushes.
void DiskCollector::AddCounters(Families& families) const {
  const auto add = [&](const CounterRow& row, bool (DiskHistory::*has)() const) {
    disks_.Add(families, *row.info, [&](const Disk& disk) -> std::optional<double> {
      const auto& history = disk.history;
      return disk.is_counted && (has == nullptr || (history.*has)())
                 ? std::optional(row.value(history.Counters()))
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
  disks_.Add(families, catalog::kDiskStuck, [](const Disk& disk) {
    return disk.is_counted ? std::optional(ToSeconds(disk.history.Stuck())) : std::nullopt;
  });
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
