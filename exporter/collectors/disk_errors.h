// disk_errors.h: what drives have failed at, out of /sys.
//
// SCSI, SATA: commands issued, completed, failed and timed out, which the SCSI layer counts for
//             each drive (/sys/class/block/DEV/device/io*_cnt, drivers/scsi/scsi_sysfs.c). A failed
//             command is any with a status, a refused mode page included: a few at every boot.
// NVMe:       no kernel shows an error count of a controller without privileges, so its PCI
//             device's (Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats, since 4.18) and
//             whether the controller is live.
// Cost:       four small files a drive once each `refresh`, beside the tick (device_reader.h): a
//             drive that does not answer has no series until it does.
// Wraps:      SCSI's counters have 32 bits and are continued in 64. One that steps back is another
//             drive of the same name: all of that drive's counters begin anew.
// Missing:    a file that is absent, or holds no number, is no series.
// Threads:    as collector.h says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/device_reader.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"
#include "exporter/kernel/unwrap32.h"

namespace limpet {

namespace catalog {

inline constexpr MetricInfo kDiskCommandsIssued{.name = "disk_commands_issued_total",
                                                .type = MetricType::kCounter,
                                                .unit = "commands",
                                                .labels = "device",
                                                .help = "Commands sent to a SCSI or SATA drive."};
inline constexpr MetricInfo kDiskCommandsCompleted{
    .name = "disk_commands_completed_total",
    .type = MetricType::kCounter,
    .unit = "commands",
    .labels = "device",
    .help = "Commands that a SCSI or SATA drive has answered, errors included."};
inline constexpr MetricInfo kDiskErrors{
    .name = "disk_errors_total",
    .type = MetricType::kCounter,
    .unit = "errors",
    .labels = "device,kind",
    .help =
        "Errors of a drive: failed, timeout (SCSI, SATA); pcie_correctable, pcie_nonfatal, "
        "pcie_fatal (NVMe)."};
inline constexpr MetricInfo kDiskControllerLive{
    .name = "disk_controller_live",
    .type = MetricType::kGauge,
    .unit = "",
    .labels = "device",
    .help = "1 while an NVMe controller is live, 0 while it is resetting, connecting or dead."};

inline constexpr std::array kDiskErrorMetrics = {&kDiskCommandsIssued, &kDiskCommandsCompleted,
                                                 &kDiskErrors, &kDiskControllerLive};

}  // namespace catalog

// "0x1f\n"; a 32-bit counter over 2^31 is printed with its sign extended to 64 bits.
[[nodiscard]] std::optional<std::uint64_t> ParseScsiCounter(std::string_view text);

// The number of the line "TOTAL_ERR_COR 2", the last of a PCI device's aer_dev_* file.
[[nodiscard]] std::optional<std::uint64_t> ParseAerTotal(std::string_view text);

// "live\n" and so on; nullopt for a text that is no state of a controller.
[[nodiscard]] std::optional<bool> ParseControllerLive(std::string_view text);

// An optical drive without a disc fails every look whether there is one.
inline constexpr std::string_view kDefaultDriveExclude = R"(^sr\d+$)";

struct DiskErrorsOptions {
  DeviceFilterOptions devices;
  Duration refresh = std::chrono::minutes(1);
  DeviceReaderOptions reader;
};

class DiskErrorsCollector final : public Collector {
 public:
  DiskErrorsCollector(const DiskErrorsOptions& options, DeviceFilter filter,
                      const CollectorInputs& in);

  [[nodiscard]] std::string_view Name() const override { return "disk_errors"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;
  // The wraps.
  void Inherit(Collector& before) override;

 private:
  struct Count {
    LabelsPtr labels;
    std::optional<Unwrap32> total;  // of the first reading on
    bool shown = false;             // whether the last reading found a number
  };
  struct Drive {
    LabelsPtr labels;           // {device}
    std::vector<Count> counts;  // one a source of the drive's class
    std::optional<bool> live;
  };
  // One reading; nullopt for what holds no number.
  struct Reading {
    std::vector<std::optional<std::uint64_t>> numbers;
    std::optional<bool> live;
  };

  [[nodiscard]] static Reading ReadDrive(FileReader& sys, FileReader& proc,
                                         const std::string& folder);
  [[nodiscard]] Result<void> ListDrives(SteadyTime now);
  void TakeOver(const std::string& folder, const Reading& reading);
  [[nodiscard]] Families Render() const;

  static constexpr std::size_t kClasses = 2;

  DiskErrorsOptions options_;
  DeviceFilter filter_;
  std::unique_ptr<FileReader> sys_;
  std::array<std::map<std::string, Drive>, kClasses> drives_;  // by folder below /sys
  std::unique_ptr<DeviceReader<Reading>> reader_;
  SteadyTime next_list_{};
  Families families_;  // shown until the next reading
};

extern const CollectorModule kDiskErrorsCollector;

}  // namespace limpet
