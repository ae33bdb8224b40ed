#include "exporter/collectors/disk_errors.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

struct Source {
  std::string_view file;  // below the drive's folder
  std::optional<std::uint64_t> (*parse)(std::string_view);
  const MetricInfo* info;
  std::string_view kind;  // empty: no such label
};
constexpr std::array kScsi = {
    Source{"device/iorequest_cnt", ParseScsiCounter, &catalog::kDiskCommandsIssued, ""},
    Source{"device/iodone_cnt", ParseScsiCounter, &catalog::kDiskCommandsCompleted, ""},
    Source{"device/ioerr_cnt", ParseScsiCounter, &catalog::kDiskErrors, "failed"},
    Source{"device/iotmo_cnt", ParseScsiCounter, &catalog::kDiskErrors, "timeout"},
};
constexpr std::array kNvme = {
    Source{"device/aer_dev_correctable", ParseAerTotal, &catalog::kDiskErrors, "pcie_correctable"},
    Source{"device/aer_dev_nonfatal", ParseAerTotal, &catalog::kDiskErrors, "pcie_nonfatal"},
    Source{"device/aer_dev_fatal", ParseAerTotal, &catalog::kDiskErrors, "pcie_fatal"},
};

// A folder of /sys with a folder a drive; `probe` is what only drives of the class have.
struct DriveClass {
  std::string_view folder;
  std::string_view probe;
  std::span<const Source> sources;
  std::string_view state;  // empty: none
};
constexpr std::array kDriveClasses = {
    DriveClass{"class/block", "device/iorequest_cnt", kScsi, ""},
    DriveClass{"class/nvme", "state", kNvme, "state"},
};

// One drive's samples of a family.
template <class Drive>
void AddSamples(std::span<const Source> sources, const Drive& drive, Family& family) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& count = drive.counts[i];
    if (sources[i].info == family.info && count.shown) {
      family.samples.push_back({count.labels, static_cast<double>(count.total->Total())});
    }
  }
  if (family.info == &catalog::kDiskControllerLive && drive.live) {
    family.samples.push_back({drive.labels, *drive.live ? 1.0 : 0.0});
  }
}

// Of a drive's folder.
std::size_t ClassOf(std::string_view folder) {
  return folder.starts_with(kDriveClasses[0].folder) ? 0 : 1;
}

std::string Path(const std::string& folder, std::string_view file) {
  return folder + "/" + std::string(file);
}

// /sys writes '!' where a device's name has a '/'.
std::string DeviceLabel(std::string name) {
  std::replace(name.begin(), name.end(), '!', '/');
  return Printable(name);
}

}  // namespace

constinit const CollectorModule kDiskErrorsCollector{
    .name = "disk_errors",
    .title = "Errors of drives",
    .metrics = catalog::kDiskErrorMetrics,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      DiskErrorsOptions options;
      options.devices = ReadDeviceFilter(settings);
      SetIfGiven(options.refresh, settings.Time("refresh", std::chrono::seconds(1)));
      return [options](const CollectorInputs& in) {
        return MakeWithFilter<DiskErrorsCollector>(options, kDefaultDriveExclude, in);
      };
    }};

std::optional<std::uint64_t> ParseScsiCounter(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with("0x")) {
    return std::nullopt;
  }
  text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  // The kernel prints an int through an unsigned long long. A wider number that is not such a sign
  // would be a kernel with wider counters, which Unwrap32 knows.
  constexpr auto kSign = std::uint64_t{0xffffffff80000000};
  return (value & kSign) == kSign ? value & UINT32_MAX : value;
}

std::optional<std::uint64_t> ParseAerTotal(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    if (fields.Next().starts_with("TOTAL_ERR_")) {
      return ParseU64(fields.Next());
    }
  }
  return std::nullopt;
}

std::optional<bool> ParseControllerLive(std::string_view text) {
  // drivers/nvme/host/sysfs.c; "deleting (no IO)" since 5.9.
  constexpr std::array<std::string_view, 7> kStates = {
      "live", "new", "resetting", "connecting", "deleting", "deleting (no IO)", "dead"};
  const auto state = Trim(text);
  if (std::find(kStates.begin(), kStates.end(), state) == kStates.end()) {
    return std::nullopt;
  }
  return state == kStates.front();
}

DiskErrorsCollector::DiskErrorsCollector(const DiskErrorsOptions& options, DeviceFilter filter,
                                         const CollectorInputs& in)
    : options_(options),
      filter_(std::move(filter)),
      sys_(in.Sys()),
      reader_(
          std::make_unique<DeviceReader<Reading>>("disk_errors", options.reader, in, ReadDrive)) {}

void DiskErrorsCollector::Inherit(Collector& before) {
  if (auto* errors = dynamic_cast<DiskErrorsCollector*>(&before)) {
    drives_ = std::move(errors->drives_);
    reader_ = std::move(errors->reader_);  // with what hangs, which would hang again
  }
}

Result<Families> DiskErrorsCollector::Collect(const Tick& tick) {
  bool changed = false;
  if (tick.steady >= next_list_) {
    if (const auto listed = ListDrives(tick.steady); !listed) {
      return listed.error();
    }
    next_list_ = tick.steady + options_.refresh;
    changed = true;  // those that are gone are gone at once
  }
  const auto take_over = [&](const std::string& folder, const Reading& reading) {
    TakeOver(folder, reading);
    changed = true;
  };
  reader_->Take(tick.steady, take_over, [&](const std::string& folder) { take_over(folder, {}); });
  if (changed) {
    families_ = Render();
  }
  return families_;
}

Result<void> DiskErrorsCollector::ListDrives(SteadyTime now) {
  for (std::size_t i = 0; i < kClasses; ++i) {
    // Looked at anew: drives come and go without a word to us.
    const auto& drive_class = kDriveClasses[i];
    const auto names = sys_->List(drive_class.folder);
    // A machine without NVMe has no such folder; one without block devices is none that we read.
    if (!names && i == 0) {
      return names.error();
    }
    std::map<std::string, Drive> present;
    for (const auto& name : names ? *names : std::vector<std::string>()) {
      const auto folder = std::string(drive_class.folder) + "/" + name;
      if (!filter_.Shows(DeviceLabel(name)) || !sys_->Exists(Path(folder, drive_class.probe))) {
        continue;
      }
      auto& drive = present[folder];
      if (const auto known = drives_[i].find(folder); known != drives_[i].end()) {
        drive = std::move(known->second);
        continue;
      }
      const auto device = DeviceLabel(name);
      drive.labels = MakeLabels({{"device", device}});
      for (const auto& source : drive_class.sources) {
        drive.counts.push_back(
            {source.kind.empty()
                 ? drive.labels
                 : MakeLabels({{"device", device}, {"kind", std::string(source.kind)}}),
             std::nullopt, false});
      }
    }
    drives_[i] = std::move(present);
  }
  reader_->Retain(
      [this](const std::string& folder) { return drives_[ClassOf(folder)].contains(folder); });
  for (const auto& drives : drives_) {
    for (const auto& [folder, drive] : drives) {
      reader_->Ask(folder, now);
    }
  }
  return {};
}

DiskErrorsCollector::Reading DiskErrorsCollector::ReadDrive(FileReader& sys, FileReader& /*proc*/,
                                                            const std::string& folder) {
  const auto& drive_class = kDriveClasses[ClassOf(folder)];
  Reading reading;
  for (const auto& source : drive_class.sources) {
    const auto text = sys.ReadOnce(Path(folder, source.file));
    reading.numbers.push_back(text ? source.parse(*text) : std::nullopt);
  }
  if (!drive_class.state.empty()) {
    const auto text = sys.ReadOnce(Path(folder, drive_class.state));
    reading.live = text ? ParseControllerLive(*text) : std::nullopt;
  }
  return reading;
}

// A reading without numbers leaves the drive without series until there are some again.
void DiskErrorsCollector::TakeOver(const std::string& folder, const Reading& reading) {
  auto& drives = drives_[ClassOf(folder)];
  const auto found = drives.find(folder);
  if (found == drives.end()) {
    return;
  }
  auto& drive = found->second;
  drive.live = reading.live;
  const auto number = [&](std::size_t i) {
    return i < reading.numbers.size() ? reading.numbers[i] : std::nullopt;
  };
  // All are looked at before any is judged: one that falls concerns the others of its drive as
  // well.
  bool stepped_back = false;
  for (std::size_t i = 0; i < drive.counts.size(); ++i) {
    auto& count = drive.counts[i];
    count.shown = number(i).has_value();
    if (count.shown && !count.total) {
      count.total = Unwrap32(*number(i));
    } else if (count.shown && !count.total->Update(*number(i))) {
      stepped_back = true;
    }
  }
  if (!stepped_back) {
    return;
  }
  for (std::size_t i = 0; i < drive.counts.size(); ++i) {  // another drive of that name, since no
    const auto value = number(i);                          // counter of one drive falls
    drive.counts[i].total = value ? std::optional(Unwrap32(*value)) : std::optional<Unwrap32>();
  }
}

Families DiskErrorsCollector::Render() const {
  Families families;
  for (const auto* info : catalog::kDiskErrorMetrics) {
    Family family{.info = info, .samples = {}};
    for (std::size_t i = 0; i < kClasses; ++i) {
      for (const auto& [folder, drive] : drives_[i]) {
        AddSamples(kDriveClasses[i].sources, drive, family);
      }
    }
    if (!family.samples.empty()) {
      families.push_back(std::move(family));
    }
  }
  reader_->Unreadable().AddTo(families);
  return families;
}

}  // namespace limpet
