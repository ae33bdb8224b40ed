#include "exporter/collectors/fact_files.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <span>
#include <utility>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

using Path = std::string_view;
using Cores = FactCores;

enum class Devices : std::uint8_t { kAll, kDisks, kInterfaces };

std::optional<double> ParseNumber(std::string_view text) {
  const auto number = ParseU64(Trim(text));
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

// Numbers, one a file below /sys.
struct NumberRow {
  const MetricInfo* info;
  Devices devices;
  Path files;
  std::optional<double> (*parse)(std::string_view);
  std::string_view kind = {};         // label `kind`; empty: none
  std::string_view label = "device";  // of what the first '*' stands for
  bool is_setting = false;            // one of FactSettings
};

// A drive's SCSI device lies four folders below its port (SATA: three below): drivers/ata/
// libata-transport.c, drivers/scsi/scsi_transport_sas.c.
#define LIMPET_PHY(file) "class/block/sd*/device/../../../phy-*/sas_phy/phy-*/" file
#define LIMPET_LINK(file) "class/block/sd*/device/../../../link*/" file
constexpr std::array kNumbers = {
    NumberRow{&catalog::kSasPhyErrors, Devices::kDisks, LIMPET_PHY("invalid_dword_count"),
              ParseNumber, "invalid_dword"},
    NumberRow{&catalog::kSasPhyErrors, Devices::kDisks, LIMPET_PHY("running_disparity_error_count"),
              ParseNumber, "disparity"},
    NumberRow{&catalog::kSasPhyErrors, Devices::kDisks, LIMPET_PHY("loss_of_dword_sync_count"),
              ParseNumber, "sync_lost"},
    NumberRow{&catalog::kSasPhyErrors, Devices::kDisks, LIMPET_PHY("phy_reset_problem_count"),
              ParseNumber, "reset_problem"},
    NumberRow{&catalog::kSataLinkSpeed, Devices::kDisks, LIMPET_LINK("ata_link/link*/sata_spd"),
              ParseSataSpeed},
    NumberRow{.info = &catalog::kSataLinkMaxSpeed,
              .devices = Devices::kDisks,
              .files = LIMPET_LINK("ata_link/link*/hw_sata_spd_limit"),
              .parse = ParseSataSpeed,
              .is_setting = true},
    NumberRow{&catalog::kSataSlowdowns, Devices::kDisks,
              LIMPET_LINK("dev*/ata_device/dev*/spdn_cnt"), ParseNumber},
    NumberRow{&catalog::kPcieLinkSpeed, Devices::kAll, "class/nvme/*/device/current_link_speed",
              ParsePcieSpeed},
    NumberRow{.info = &catalog::kPcieLinkMaxSpeed,
              .devices = Devices::kAll,
              .files = "class/nvme/*/device/max_link_speed",
              .parse = ParsePcieSpeed,
              .is_setting = true},
    NumberRow{&catalog::kPcieLinkWidth, Devices::kAll, "class/nvme/*/device/current_link_width",
              ParseNumber},
    NumberRow{.info = &catalog::kPcieLinkMaxWidth,
              .devices = Devices::kAll,
              .files = "class/nvme/*/device/max_link_width",
              .parse = ParseNumber,
              .is_setting = true},
    NumberRow{&catalog::kPcieLinkSpeed, Devices::kInterfaces,
              "class/net/*/device/current_link_speed", ParsePcieSpeed},
    NumberRow{.info = &catalog::kPcieLinkMaxSpeed,
              .devices = Devices::kInterfaces,
              .files = "class/net/*/device/max_link_speed",
              .parse = ParsePcieSpeed,
              .is_setting = true},
    NumberRow{&catalog::kPcieLinkWidth, Devices::kInterfaces,
              "class/net/*/device/current_link_width", ParseNumber},
    NumberRow{.info = &catalog::kPcieLinkMaxWidth,
              .devices = Devices::kInterfaces,
              .files = "class/net/*/device/max_link_width",
              .parse = ParseNumber,
              .is_setting = true},
    NumberRow{&catalog::kMdDegraded, Devices::kDisks, "class/block/md*/md/degraded", ParseNumber},
    NumberRow{&catalog::kNetworkCrcErrors, Devices::kInterfaces,
              "class/net/*/statistics/rx_crc_errors", ParseNumber},
    NumberRow{&catalog::kCarrierChanges, Devices::kInterfaces, "class/net/*/carrier_changes",
              ParseNumber},
    NumberRow{&catalog::kEdacCorrectable, Devices::kAll, "devices/system/edac/mc/mc*/ce_count",
              ParseNumber, "", "controller"},
    NumberRow{&catalog::kEdacUncorrectable, Devices::kAll, "devices/system/edac/mc/mc*/ue_count",
              ParseNumber, "", "controller"},
    NumberRow{&catalog::kFilesystemErrors, Devices::kAll, "fs/ext4/*/errors_count", ParseNumber},
};
#undef LIMPET_PHY
#undef LIMPET_LINK

std::string ParseWord(std::string_view text) { return Printable(Trim(text)); }

// The kernel's words for what an array does, as node_exporter's md_state has them.
std::string ParseSyncAction(std::string_view text) {
  const auto action = Trim(text);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kStates = {
      {{"idle", "active"},
       {"frozen", "active"},
       {"check", "check"},
       {"repair", "repair"},
       {"resync", "resync"},
       {"recover", "recovering"},
       {"reshape", "reshape"}}};
  const auto* found = std::find_if(kStates.begin(), kStates.end(),
                                   [&](const auto& state) { return state.first == action; });
  return found == kStates.end() ? "" : std::string(found->second);
}

// LVM names the copy-on-write store of a snapshot so (lib/activate/dev_manager.c).
std::string ParseSnapshot(std::string_view text) {
  const auto uuid = Trim(text);
  return uuid.starts_with("LVM-") && uuid.ends_with("-cow") ? "cow" : "";
}

std::string ParseDriver(std::string_view text) {
  constexpr std::string_view kKey = "DRIVER=";
  Lines lines(text);
  while (const auto line = lines.Next()) {
    if (line->starts_with(kKey)) {
      return ParseWord(line->substr(kKey.size()));
    }
  }
  return "";
}

// Words, one info series a device; there is none unless the gate's file says something.
struct WordFile {
  std::string_view label;
  Path file;
  std::string (*parse)(std::string_view);
};
struct WordRow {
  const MetricInfo* info;
  Devices devices;
  Path folder;
  WordFile gate;
  std::span<const WordFile> words;
  bool is_setting = false;  // as in NumberRow
};
constexpr std::array kSettingWords = {
    WordFile{"scheduler", "queue/scheduler", ParseChoice},
    WordFile{"write_cache", "queue/write_cache", ParseWord},
    WordFile{"queue_depth", "device/queue_depth", ParseWord},
    WordFile{"requests", "queue/nr_requests", ParseWord},
    WordFile{"read_ahead_kb", "queue/read_ahead_kb", ParseWord},
};
constexpr std::array kMdWords = {WordFile{"state", "md/sync_action", ParseSyncAction}};
constexpr std::array kSnapshotWords = {WordFile{"name", "dm/name", ParseWord}};
constexpr std::array kDriverWords = {
    WordFile{"driver", "device/uevent", ParseDriver},
    WordFile{"version", "device/driver/module/version", ParseWord}};
constexpr std::array kWords = {
    WordRow{&catalog::kDiskSettings, Devices::kDisks, "class/block/*", kSettingWords.front(),
            kSettingWords, true},
    WordRow{&catalog::kMdState, Devices::kDisks, "class/block/md*", kMdWords.front(), kMdWords},
    WordRow{&catalog::kDmSnapshot, Devices::kDisks, "class/block/dm-*",
            WordFile{"", "dm/uuid", ParseSnapshot}, kSnapshotWords},
    WordRow{&catalog::kNetworkDriver, Devices::kInterfaces, "class/net/*", kDriverWords.front(),
            kDriverWords, true},
};

// /sys writes '!' where a device's name has a '/'.
std::string DeviceName(std::string name) {
  std::replace(name.begin(), name.end(), '!', '/');
  return Printable(name);
}

// A file that a pattern stands for.
struct Match {
  std::string path;
  std::string device;  // the name that has the first '*'
  std::string part;    // in the place of that '*'
  std::string unit;    // the path up to it
};

class Reader {
 public:
  Reader(const FactSources& sources, WorkPlace& place) : sources_(sources), place_(place) {}

  FactReading All() {
    FindProcessors();
    // Before the others, so that what they find is not taken for a setting.
    reading_.settings = sources_.settings != nullptr
                            ? sources_.settings
                            : std::make_shared<const FactSettings>(ReadSettings());
    reading_.samples = reading_.settings->samples;
    reading_.refused = reading_.settings->refused;
    AddRows(false);
    AddPackages();
    AddMemoryPressure();
    AddFilesystems();
    for (auto& [key, sample] : samples_) {
      reading_.samples.push_back(std::move(sample));
    }
    return std::move(reading_);
  }

 private:
  [[nodiscard]] bool Shows(Devices devices, const std::string& name) const {
    return devices == Devices::kAll ||
           (devices == Devices::kDisks ? sources_.disks.Shows(DeviceName(name))
                                       : sources_.interfaces.Shows(DeviceName(name)));
  }

  void AddRows(bool settings) {
    for (const auto& row : kNumbers) {
      if (row.is_setting == settings) {
        AddNumbers(row);
      }
    }
    for (const auto& row : kWords) {
      if (row.is_setting == settings) {
        AddWords(row);
      }
    }
  }
  FactSettings ReadSettings() {
    AddRows(true);
    AddCores();
    AddKernel();
    FactSettings settings{.samples = {}, .refused = std::exchange(reading_.refused, {})};
    for (auto& [key, sample] : std::exchange(samples_, {})) {
      settings.samples.push_back(std::move(sample));
    }
    return settings;
  }

  std::optional<std::string_view> Read(FileReader& files, const std::string& unit,
                                       const std::string& path) {
    if (sources_.skipped.contains(unit)) {
      return std::nullopt;
    }
    place_.Enter(unit, path);
    const auto text = files.ReadOnce(path);
    if (text) {
      return *text;
    }
    if (text.error().code == ErrorCode::kPermission && reading_.refused.size() < kMaxRefused) {
      reading_.refused.push_back(path);
    }
    return std::nullopt;
  }

  // Names in a folder, looked up once a reading.
  const std::vector<std::string>& List(const std::string& unit, const std::string& folder) {
    auto [found, is_new] = lists_.try_emplace(folder);
    if (is_new && !sources_.skipped.contains(unit)) {
      place_.Enter(unit, folder);
      if (auto names = sources_.sys->List(folder)) {
        found->second = *std::move(names);
      }
    }
    return found->second;
  }

  // Replaces the first '*' that is left in the pattern.
  void Expand(const Match& so_far, Devices devices, std::vector<Match>& matches) {
    const auto star = so_far.path.find('*');
    if (star == std::string::npos || matches.size() >= kMaxFactSamples) {
      // Damaged trees may have any number of names on each level.
      if (star == std::string::npos && matches.size() < kMaxFactSamples) {
        matches.push_back(so_far);
      }
      return;
    }
    const auto slash = so_far.path.rfind('/', star);
    const auto end = std::min(so_far.path.find('/', star), so_far.path.size());
    const auto folder = so_far.path.substr(0, slash);
    const auto prefix = so_far.path.substr(slash + 1, star - slash - 1);
    const bool first = so_far.unit.empty();
    for (const auto& name : List(first ? folder : so_far.unit, folder)) {
      if (!name.starts_with(prefix) || (first && !Shows(devices, name))) {
        continue;
      }
      Match next = so_far;
      next.path = folder;
      next.path.append("/").append(name);
      if (first) {
        next.unit = next.path;
        next.device = DeviceName(name);
        next.part = Printable(name.substr(prefix.size()));
      }
      next.path += so_far.path.substr(end);
      Expand(next, devices, matches);
    }
  }
  std::vector<Match> Find(Path files, Devices devices) {
    std::vector<Match> matches;
    Expand({.path = std::string(files), .device = {}, .part = {}, .unit = {}}, devices, matches);
    return matches;
  }

  // A series that comes twice (several links of one drive) is the sum, of a gauge the least.
  void Add(const MetricInfo& info, LabelSet::Pairs labels, double value) {
    auto key = std::string(info.name) + " " + LabelSet(labels).Rendered();
    if (const auto known = samples_.find(key); known != samples_.end()) {
      auto& sum = known->second.value;
      sum = info.type == MetricType::kCounter ? sum + value : std::min(sum, value);
    } else if (samples_.size() + reading_.samples.size() < kMaxFactSamples) {
      samples_.emplace(std::move(key), FactSample{&info, std::move(labels), value});
    }
  }

  void AddNumbers(const NumberRow& row) {
    for (const auto& match : Find(row.files, row.devices)) {
      const auto text = Read(*sources_.sys, match.unit, match.path);
      const auto value = text ? row.parse(*text) : std::nullopt;
      if (value) {
        LabelSet::Pairs labels = {
            {std::string(row.label), row.label == "device" ? match.device : match.part}};
        if (!row.kind.empty()) {
          labels.emplace_back("kind", row.kind);
        }
        Add(*row.info, std::move(labels), *value);
      }
    }
  }

  std::string Word(const Match& device, const WordFile& word) {
    const auto text = Read(*sources_.sys, device.unit, device.path + "/" + std::string(word.file));
    return text ? word.parse(*text) : "";
  }
  void AddWords(const WordRow& row) {
    for (const auto& match : Find(row.folder, row.devices)) {
      const auto first = Word(match, row.gate);
      if (first.empty()) {
        continue;
      }
      LabelSet::Pairs labels = {{"device", match.device}};
      for (const auto& word : row.words) {
        labels.emplace_back(word.label, word.file == row.gate.file ? first : Word(match, word));
      }
      Add(*row.info, std::move(labels), 1);
    }
  }

  // All threads of a core count the same, all cores of a package too: one of each is read.
  Cores FindCores() {
    std::map<std::pair<std::string, std::string>, std::string> found;
    for (const auto& match : Find("devices/system/cpu/cpu*/thermal_throttle", Devices::kAll)) {
      const auto number = [&](std::string_view file) -> std::string {
        const auto text = Read(*sources_.sys, match.unit, match.unit + std::string(file));
        const auto value = text ? ParseU64(Trim(*text)) : std::nullopt;
        return std::to_string(value.value_or(0));
      };
      found.try_emplace({number("/topology/physical_package_id"), number("/topology/core_id")},
                        match.unit);
    }
    Cores cores;
    for (const auto& [name, unit] : found) {
      cores.push_back({.unit = unit, .package = name.first, .core = name.second});
    }
    return cores;
  }
  void FindProcessors() {
    reading_.cores =
        sources_.cores != nullptr ? sources_.cores : std::make_shared<const Cores>(FindCores());
  }
  std::optional<double> Count(const FactCore& core, std::string_view file) {
    const auto text = Read(*sources_.sys, core.unit, core.unit + std::string(file));
    return text ? ParseNumber(*text) : std::nullopt;
  }
  // A file a core, of which there may be hundreds, and a core that is too hot shows in its package
  // as well: with the settings.
  void AddCores() {
    for (const auto& core : *reading_.cores) {
      if (const auto times = Count(core, "/thermal_throttle/core_throttle_count")) {
        Add(catalog::kCoreThrottles, {{"package", core.package}, {"core", core.core}}, *times);
      }
    }
  }
  void AddPackages() {
    const std::string* package = nullptr;
    for (const auto& core : *reading_.cores) {
      // They are in the order of their packages.
      if (package != nullptr && *package == core.package) {
        continue;
      }
      package = &core.package;
      if (const auto times = Count(core, "/thermal_throttle/package_throttle_count")) {
        Add(catalog::kPackageThrottles, {{"package", core.package}}, *times);
      }
    }
  }

  void AddMemoryPressure() {
    if (const auto text = Read(*sources_.proc, "pressure", "pressure/memory")) {
      if (const auto seconds = ParseFullPressure(*text)) {
        Add(catalog::kPressureMemory, {}, *seconds);
      }
    }
  }
  void AddKernel() {
    if (const auto text = Read(*sources_.proc, "kernel", "sys/kernel/osrelease")) {
      if (auto release = ParseWord(*text); !release.empty()) {
        Add(catalog::kKernelInfo, {{"release", std::move(release)}}, 1);
      }
    }
  }

  void AddFilesystems() {
    // In a container that sees the host's /proc, "self" would be the container.
    auto text = Read(*sources_.proc, "mounts", "1/mountinfo");
    if (!text) {
      text = Read(*sources_.proc, "mounts", "self/mountinfo");
    }
    std::map<std::string, Mount> by_source;
    for (auto& mount : text ? ParseMountInfo(*text) : std::vector<Mount>()) {
      // These are read-only and full by nature.
      constexpr std::array<std::string_view, 6> kImages = {"squashfs", "iso9660", "udf",
                                                           "erofs",    "cramfs",  "romfs"};
      if (std::find(kImages.begin(), kImages.end(), mount.fstype) != kImages.end()) {
        continue;
      }
      // A bind mount of a part may be read-only where the whole is not.
      auto [known, is_new] = by_source.try_emplace(mount.source, mount);
      if (!is_new && known->second.root != "/" && mount.root == "/") {
        known->second = std::move(mount);
      }
    }
    for (const auto& [source, mount] : by_source) {
      AddFilesystem(mount);
    }
  }
  void AddFilesystem(const Mount& mount) {
    const LabelSet::Pairs labels = {{"device", Printable(mount.source)},
                                    {"mountpoint", Printable(mount.mountpoint)},
                                    {"fstype", Printable(mount.fstype)}};
    Add(catalog::kFilesystemReadOnly, labels, mount.read_only ? 1 : 0);
    const auto unit = "filesystem " + mount.mountpoint;
    if (sources_.skipped.contains(unit)) {
      return;
    }
    place_.Enter(unit, mount.mountpoint);
    if (const auto use = sources_.filesystem(mount)) {
      Add(catalog::kFilesystemSize, labels, use->size);
      Add(catalog::kFilesystemAvail, labels, use->avail);
      Add(catalog::kFilesystemFiles, labels, use->files);
      Add(catalog::kFilesystemFilesFree, labels, use->files_free);
    }
  }

  const FactSources& sources_;
  WorkPlace& place_;
  FactReading reading_;
  std::map<std::string, FactSample> samples_;
  std::map<std::string, std::vector<std::string>> lists_;
};

// "6.0" and so on before the unit.
std::optional<double> ParseBefore(std::string_view text, std::string_view unit) {
  const auto end = text.find(unit);
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  const auto number = ParseDouble(Trim(text.substr(0, end)));
  return number && *number > 0 && *number < 1e6 ? number : std::nullopt;
}

}  // namespace

std::optional<double> ParseSataSpeed(std::string_view text) {
  const auto gigabits = ParseBefore(text, "Gbps");
  return gigabits ? std::optional(*gigabits * 1e9 / 8) : std::nullopt;
}

std::optional<double> ParsePcieSpeed(std::string_view text) {
  const auto transfers = ParseBefore(text, "GT/s");
  return transfers ? std::optional(*transfers * 1e9) : std::nullopt;
}

std::optional<double> ParseFullPressure(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.Next()) {
    if (!line->starts_with("full ")) {
      continue;
    }
    constexpr std::string_view kTotal = "total=";
    const auto total = line->find(kTotal);
    const auto microseconds = total == std::string_view::npos
                                  ? std::nullopt
                                  : ParseU64(Trim(line->substr(total + kTotal.size())));
    return microseconds ? std::optional(static_cast<double>(*microseconds) / 1e6) : std::nullopt;
  }
  return std::nullopt;
}

std::string ParseChoice(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string_view::npos ? 0 : open);
  return open == std::string_view::npos || close == std::string_view::npos
             ? ParseWord(text)
             : ParseWord(text.substr(open + 1, close - open - 1));
}

std::optional<FilesystemUse> AskFilesystem(const Mount& mount) {
  struct stat status {};
  struct statvfs use {};
  const bool has_number = mount.major != 0;
  if (::stat(mount.mountpoint.c_str(), &status) != 0 ||
      (has_number && status.st_dev != makedev(mount.major, mount.minor)) ||
      ::statvfs(mount.mountpoint.c_str(), &use) != 0) {
    return std::nullopt;
  }
  const auto block = static_cast<double>(use.f_frsize);
  return FilesystemUse{.size = static_cast<double>(use.f_blocks) * block,
                       .avail = static_cast<double>(use.f_bavail) * block,
                       .files = static_cast<double>(use.f_files),
                       .files_free = static_cast<double>(use.f_ffree)};
}

FactReading ReadFacts(const FactSources& sources, WorkPlace& place) {
  return Reader(sources, place).All();
}

}  // namespace limpet
