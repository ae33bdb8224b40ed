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

// "100 Gb/sec (4X EDR)" in bytes a second; "4: ACTIVE" as 4.
[[nodiscard]] std::optional<double> ParsePortRate(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> ParsePortState(std::string_view text);

class InfinibandCollector final : public Collector {
 public:
  static constexpr std::size_t kMaxPorts = 256;

  InfinibandCollector(const InfinibandOptions& options, DeviceFilter filter,
                      const CollectorInputs& in);

  [[nodiscard]] std::string_view Name() const override { return "infiniband"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;

 private:
  static constexpr std::size_t kTraffic = 4;  // received and sent: data, packets
  static constexpr std::size_t kReceivedPackets = 1;
  static constexpr std::size_t kSentPackets = 3;

  // A counter of traffic.
  struct Traffic {
    std::optional<double> value;
    bool saturated = false;
    bool in_words = false;   // or flits, until TakeTraffic has made bytes of them
    std::string file;        // that is saturated
    std::size_t source = 0;  // of those where it may be
  };
  using AllTraffic = std::array<Traffic, kTraffic>;
  // Counts what did not arrive the first time, as the driver does, and of how many packets.
  struct Losses {
    std::optional<double> events;
    std::optional<double> packets;
  };
  struct AllLosses {
    Losses resent;
    Losses out_of_order;
  };
  // What is read every `refresh`.
  struct Details {
    std::vector<std::optional<double>> slow;  // by number of the slow rows
    std::string link_layer;
    std::vector<std::pair<std::string, double>> events;  // of the hardware
  };
  struct Port {
    std::string name;  // "mlx5_0/1", as the files have it
    LabelsPtr labels;
    AllTraffic traffic;
    bool has_answered = false;
    AllLosses losses;
    double word = 4;                        // bytes that its data counters count in
    std::optional<SteadyTime> next_losses;  // nullopt: at once
    std::array<bool, kTraffic> named{};     // as saturated, in the log
    std::optional<SteadyTime> next_read;    // nullopt: at once
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
  [[nodiscard]] static std::optional<Traffic> ReadSource(FileReader& sys, const std::string& folder,
                                                         std::size_t row, std::size_t number);
  [[nodiscard]] static Traffic ReadCounter(FileReader& sys, const std::string& folder,
                                           std::size_t row, std::size_t first);
  [[nodiscard]] static AllTraffic ReadTraffic(FileReader& sys, FileReader& proc,
                                              const std::string& port);
  // nullopt: none is there, or one of them cannot be read.
  [[nodiscard]] static std::optional<double> SumCounters(
      FileReader& sys, const std::string& folder, std::span<const std::string_view> counters);
  [[nodiscard]] static AllLosses ReadLosses(FileReader& sys, FileReader& proc,
                                            const std::string& port);
  [[nodiscard]] static Details ReadDetails(FileReader& sys, FileReader& proc,
                                           const std::string& port);
  [[nodiscard]] Families Render();
  // Returns the families that are read less often than once a tick.
  [[nodiscard]] Families RenderDetails() const;

  InfinibandOptions options_;
  DeviceFilter filter_;
  std::unique_ptr<FileReader> sys_;
  LogSink log_;
  std::vector<std::unique_ptr<Port>> ports_;  // by name
  DeviceReader<AllTraffic> traffic_;
  DeviceReader<AllLosses> losses_;
  DeviceReader<Details> details_;
  std::set<std::string> told_;  // ports, by TellMissing
  SteadyTime next_list_{};
  bool has_news_ = false;  // what RenderDetails shows may have changed
  Families kept_;          // that
};

extern const CollectorModule kInfinibandCollector;

}  // namespace limpet
