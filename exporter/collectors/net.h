// net.h: /proc/net/dev and the link speeds of /sys/class/net as metrics.
//
// Gauges:  the last interval's bytes and packets per second, as `sar -n DEV`; none at the first
//          reading of an interface and over a counter that fell. An interface that vanishes is
//          forgotten at once.
// Speed:   asked when an interface is first seen and then every speed_refresh, beside the tick
//          (device_reader.h); absent when unknown. What the interface stands on is read with it.
// Damage:  as in disk.h.
// Threads: as collector.h says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/device_reader.h"
#include "exporter/collectors/device_records.h"
#include "exporter/collectors/module.h"
#include "exporter/collectors/rates.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"
#include "exporter/kernel/device_stack.h"
#include "exporter/kernel/net_dev.h"

namespace limpet {

struct NetOptions {
  DeviceFilterOptions devices;
  bool gauges = true;  // the per-interval view; the counters say the same to whoever rates them
  Duration speed_refresh = std::chrono::minutes(1);
  DeviceReaderOptions reader;

  friend bool operator==(const NetOptions&, const NetOptions&) = default;
};

[[nodiscard]] NetOptions ReadNetOptions(yaml::MapReader& settings);

// /sys/class/net/NAME/speed, megabits per second: bytes per second. Nullopt for what drivers write
// when they do not know: 0, 65535 (SPEED_UNKNOWN in 16 bits), -1, 2^32 - 1.
[[nodiscard]] std::optional<double> ParseLinkSpeed(std::string_view text);

class NetCollector final : public Collector {
 public:
  NetCollector(const NetOptions& options, DeviceFilter filter, const CollectorInputs& in);

  [[nodiscard]] std::string_view Name() const override { return "net"; }
  [[nodiscard]] Result<Families> Collect(const Tick& tick) override;
  // The last readings and the resets counted.
  void Inherit(Collector& before) override;

 private:
  struct Interface {
    bool known = false;  // whether there is a reading before
    SteadyTime at{};
    NetDevCounters counters{};
    std::optional<NetRates> rates;
    std::uint64_t resets = 0;
    std::optional<double> speed;  // bytes per second
    DeviceStack stack;
    std::vector<LabelsPtr> stack_labels;
  };
  using Interfaces = DeviceRecords<Interface>;

  struct Identity {
    std::optional<double> speed;
    DeviceStack stack;
  };
  using IdentityReader = DeviceReader<Identity>;

  [[nodiscard]] static Identity ReadIdentity(FileReader& sys, FileReader& proc,
                                             const std::string& name);
  void RefreshIdentities(const Tick& tick);
  [[nodiscard]] Families Render() const;

  NetOptions options_;
  DeviceFilter filter_;
  std::unique_ptr<FileReader> proc_;
  Interfaces interfaces_;
  std::unique_ptr<IdentityReader> identities_;
  SteadyTime next_identities_{};
};

extern const CollectorModule kNetCollector;

}  // namespace limpet
