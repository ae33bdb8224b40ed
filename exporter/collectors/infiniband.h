// infiniband.h: the ports of InfiniBand, RoCE, Omni-Path and iWARP adapters, whose bytes are in no
// interface's counters, out of /sys/class/infiniband.
//
// Data:      counted in words of four bytes (Documentation/ABI/stable/sysfs-class-infiniband).
//            Linux before 4.5 has the 64-bit counters in counters_ext; irdma has octets of IPv4 and
//            IPv6 in hw_counters instead.
// Saturated: a counter of 32 bits stops at its largest value and does not wrap; that, and all ones,
//            is no reading: the series is left out, counted and named in the log once.
// Cost:      four small files a port each tick, which stay open and each of which may ask the
//            adapter; all others, and the list of ports, every `refresh`, each port at its own
//            second. At most kMaxPorts.
// Sick:      ports are read beside the tick (device_reader.h): one whose adapter hangs or fails
//            lacks its own series, which are never those of an earlier tick.
// Missing:   a file that is absent, or holds no number ("N/A (no PMA)"), is no series.
// Threads:   as collector.h says.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/device_reader.h"
#include "exporter/collectors/infiniband_counters.h"
#include "exporter/collectors/module.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"

namespace limpet {

struct InfinibandOptions {
  DeviceFilterOptions devices;
  Duration refresh = std::chrono::minutes(1);
  DeviceReaderOptions reader = {.later_wait = std::chrono::milliseconds(20)};

  friend bool operator==(const InfinibandOptions&, const InfinibandOptions&) = default;
};

class InfinibandCollector final : public Collector {
 public:
  static constexpr std::size_t kMaxPorts = 256;

  InfinibandCollector(const InfinibandOptions& options, DeviceFilter filter,
                      const CollectorInputs& in);

  [[nodiscard]] std::string_view Name() const override { return "infiniband"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  struct Port {
    std::string name;  // "mlx5_0/1", as the files have it
    LabelsPtr labels;
    AllPortTraffic traffic;
    bool has_answered = false;
    AllPortLosses losses;
    double word = kPortWord;                 // bytes that its data counters count in
    std::optional<SteadyTime> next_losses;   // nullopt: at once
    std::array<bool, kPortTraffic> named{};  // as saturated, in the log
    std::optional<SteadyTime> next_read;     // nullopt: at once
    std::vector<std::optional<double>> slow;
    Samples info;  // with its own labels, one or none
    Samples hardware;
  };

  void ListPorts();
  void AskWhatIsDue(SteadyTime now);
  void TakeTraffic(SteadyTime now);
  void TakeDetails(SteadyTime now);
  [[nodiscard]] Port* Find(const std::string& name);
  void TakeLosses(SteadyTime now);
  void TellSaturated(Port& port);
  // Logs what its driver does not count, once a port.
  void TellMissing(const Port& port);
  [[nodiscard]] Families Render();
  // Returns the families that are read less often than once a tick.
  [[nodiscard]] Families RenderDetails() const;

  InfinibandOptions options_;
  DeviceFilter filter_;
  std::unique_ptr<FileReader> sys_;
  LogSink log_;
  std::vector<std::unique_ptr<Port>> ports_;  // by name
  DeviceReader<AllPortTraffic> traffic_;
  DeviceReader<AllPortLosses> losses_;
  DeviceReader<PortDetails> details_;
  std::set<std::string> told_;  // ports, by TellMissing
  SteadyTime next_list_{};
  bool has_news_ = false;  // what RenderDetails shows may have changed
  Families kept_;          // that
};

extern const CollectorModule kInfinibandCollector;

}  // namespace limpet
