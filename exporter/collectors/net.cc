#include "exporter/collectors/net.h"

#include <array>
#include <string>
#include <utility>

#include "exporter/collectors/catalog/net.h"
#include "exporter/collectors/stack_labels.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// In the order of NetDevField.
constexpr std::array<const MetricInfo*, kNetDevFields> kCounters = {
    &catalog::kNetworkReceiveBytes,      &catalog::kNetworkReceivePackets,
    &catalog::kNetworkReceiveErrs,       &catalog::kNetworkReceiveDrop,
    &catalog::kNetworkReceiveFifo,       &catalog::kNetworkReceiveFrame,
    &catalog::kNetworkReceiveCompressed, &catalog::kNetworkReceiveMulticast,
    &catalog::kNetworkTransmitBytes,     &catalog::kNetworkTransmitPackets,
    &catalog::kNetworkTransmitErrs,      &catalog::kNetworkTransmitDrop,
    &catalog::kNetworkTransmitFifo,      &catalog::kNetworkTransmitColls,
    &catalog::kNetworkTransmitCarrier,   &catalog::kNetworkTransmitCompressed,
};

struct RateRow {
  const MetricInfo* info;
  double NetRates::*value;
};
constexpr std::array kRates = {
    RateRow{&catalog::kNetworkReceiveBytesPerSecond, &NetRates::receive_bytes_per_second},
    RateRow{&catalog::kNetworkReceivePacketsPerSecond, &NetRates::receive_packets_per_second},
    RateRow{&catalog::kNetworkTransmitBytesPerSecond, &NetRates::transmit_bytes_per_second},
    RateRow{&catalog::kNetworkTransmitPacketsPerSecond, &NetRates::transmit_packets_per_second},
};

bool AnyFell(const NetDevCounters& before, const NetDevCounters& after) {
  for (std::size_t i = 0; i < kNetDevFields; ++i) {
    if (after[i] < before[i]) {
      return true;
    }
  }
  return false;
}

}  // namespace

constinit const CollectorModule kNetCollector{
    .name = "net",
    .title = "Network interfaces",
    .metrics = catalog::kNet,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      return [options = ReadNetOptions(settings)](const CollectorInputs& in) {
        return MakeWithFilter<NetCollector>(options, kDefaultNetExclude, in.Proc(), in.Sys(),
                                            in.log);
      };
    }};

NetOptions ReadNetOptions(yaml::MapReader& settings) {
  NetOptions net;
  net.devices = ReadDeviceFilter(settings);
  SetIfGiven(net.gauges, settings.Bool("gauges"));
  SetIfGiven(net.speed_refresh, settings.Time("speed_refresh", std::chrono::seconds(1)));
  return net;
}

NetCollector::NetCollector(const NetOptions& options, DeviceFilter filter,
                           std::unique_ptr<FileReader> proc, std::unique_ptr<FileReader> sys,
                           LogSink log)
    : options_(options),
      filter_(std::move(filter)),
      proc_(std::move(proc)),
      sys_(std::move(sys)),
      interfaces_({"net", "net/dev", "interface"}, std::move(log)) {}

void NetCollector::Inherit(Collector& before) {
  if (auto* net = dynamic_cast<NetCollector*>(&before)) {
    // Speeds may be asked for at other intervals now: ask again.
    interfaces_.Inherit(net->interfaces_, [](Interface& known) { known.next_speed.reset(); });
  }
}

Result<Families> NetCollector::Collect(const Tick& tick) {
  const auto text = proc_->Read("net/dev");
  if (!text) {
    return text.error();
  }
  const auto recorded = interfaces_.Record(
      ParseNetDev(*text), [this](std::string_view name) { return filter_.Shows(name); },
      [&](Interfaces::Entry& entry, const NetDevLine& line) {
        auto& interface = entry.state;
        interface.rates.reset();
        if (entry.continuous && interface.known) {
          interface.resets += AnyFell(interface.counters, line.counters) ? 1U : 0U;
          interface.rates =
              RatesBetween(interface.counters, line.counters, tick.steady - interface.at);
        }
        interface.counters = line.counters;
        interface.at = tick.steady;
        interface.known = true;
      });
  if (!recorded) {
    return recorded.error();
  }
  for (auto* entry : interfaces_.Shown()) {
    RefreshIdentity(*entry, tick);
  }
  return Render();
}

void NetCollector::RefreshIdentity(Interfaces::Entry& entry, const Tick& tick) {
  auto& interface = entry.state;
  if (interface.next_speed && tick.steady < *interface.next_speed) {
    return;
  }
  // Some drivers ask the hardware: the second and later readings of many interfaces fall on
  // different seconds.
  const auto spread = interface.next_speed
                          ? std::chrono::seconds(0)
                          : std::chrono::seconds(static_cast<std::int64_t>(new_interfaces_++ % 60));
  interface.next_speed = tick.steady + options_.speed_refresh + spread;
  interface.speed = ReadSpeed(entry.name);
  if (auto stack = ReadInterfaceStack(*sys_, entry.name); stack != interface.stack) {
    interface.stack = std::move(stack);
    interface.stack_labels = StackLabels(entry.name, interface.stack);
  }
}

// In megabits per second; -1, an error (the link is down) or no such file when there is no speed.
std::optional<double> NetCollector::ReadSpeed(std::string_view name) {
  if (name == "." || name == ".." || name.find('/') != std::string_view::npos) {
    return std::nullopt;
  }
  const auto text = sys_->ReadOnce("class/net/" + std::string(name) + "/speed");
  const auto megabits = text ? ParseU64(Trim(*text)) : std::nullopt;
  if (!megabits || *megabits >= UINT32_MAX) {  // unsigned form of -1 on some drivers
    return std::nullopt;
  }
  return static_cast<double>(*megabits) * 1e6 / 8;
}

Families NetCollector::Render() const {
  Families families;
  families.reserve(catalog::kNet.size());
  for (std::size_t i = 0; i < kNetDevFields; ++i) {
    interfaces_.Add(families, *kCounters[i], [i](const Interface& interface) {
      return static_cast<double>(interface.counters[i]);
    });
  }
  if (options_.gauges) {
    for (const auto& row : kRates) {
      interfaces_.Add(
          families, *row.info, [&](const Interface& interface) -> std::optional<double> {
            return interface.rates ? std::optional((*interface.rates).*row.value) : std::nullopt;
          });
    }
  }
  interfaces_.Add(families, catalog::kNetworkSpeed,
                  [](const Interface& interface) { return interface.speed; });
  AddStacks(families, catalog::kNetworkStack, interfaces_.Shown());
  interfaces_.Add(families, catalog::kNetworkCounterResets,
                  [](const Interface& interface) { return static_cast<double>(interface.resets); });
  families.push_back({&catalog::kNetworkSkippedLines,
                      {{nullptr, static_cast<double>(interfaces_.SkippedLines())}}});
  return families;
}

}  // namespace limpet
