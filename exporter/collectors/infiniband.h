// infiniband.h: the ports of InfiniBand, RoCE, Omni-Path and iWARP adapters, whose bytes are in no
// interface's counters, out of /sys/class/infiniband.
//
// Data:      counted in words of four bytes (Documentation/ABI/stable/sysfs-class-infiniband).
//            Linux before 4.5 has the 64-bit counters in counters_ext; irdma has octets of IPv4 and
//            IPv6 in hw_counters instead.
// Saturated: a counter of 32 bits stops at its largest value and does not wrap; that, and all ones,
//            is no reading: the series is left out, counted and named in the log once.
// Cost:      four small files a port each tick, each of which may ask the adapter; all others, and
//            the list of ports, every `refresh`, each port at its own second. At most kMaxPorts.
// Missing:   a file that is absent, or holds no number ("N/A (no PMA)"), is no series.
// Threads:   as collector.h says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"

namespace limpet {

struct InfinibandOptions {
  DeviceFilterOptions devices;
  Duration refresh = std::chrono::minutes(1);

  friend bool operator==(const InfinibandOptions&, const InfinibandOptions&) = default;
};

// "100 Gb/sec (4X EDR)" in bytes a second; "4: ACTIVE" as 4.
[[nodiscard]] std::optional<double> ParsePortRate(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> ParsePortState(std::string_view text);

class InfinibandCollector final : public Collector {
 public:
  static constexpr std::size_t kMaxPorts = 256;

  // `sys` is rooted at /sys.
  InfinibandCollector(const InfinibandOptions& options, DeviceFilter filter,
                      std::unique_ptr<FileReader> sys, LogSink log);

  [[nodiscard]] std::string_view Name() const override { return "infiniband"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  static constexpr std::size_t kTraffic = 4;  // received and sent: data, packets

  // A counter of traffic: the files that add up to it, and in which unit.
  struct Traffic {
    std::vector<std::string> files;
    double unit = 1;
    std::optional<double> value;
    bool saturated = false;
    bool named = false;  // in the log
  };
  struct Port {
    std::string folder;
    std::string name;  // "mlx5_0/1"
    LabelsPtr labels;
    std::array<Traffic, kTraffic> traffic;
    std::optional<SteadyTime> next_read;      // nullopt: at once
    Samples info;                             // with its own labels, one or none
    std::vector<std::optional<double>> slow;  // by number of the slow rows
    Samples hardware;
  };

  void ListPorts();
  [[nodiscard]] Port MakePort(const std::string& device, const std::string& number);
  void ReadTraffic(Port& port);
  void ReadSlow(Port& port);
  [[nodiscard]] Families Render() const;

  InfinibandOptions options_;
  DeviceFilter filter_;
  std::unique_ptr<FileReader> sys_;
  LogSink log_;
  std::map<std::pair<std::string, std::string>, Port> ports_;  // by device and number
  SteadyTime next_list_{};
};

extern const CollectorModule kInfinibandCollector;

}  // namespace limpet
