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
constexpr std::array<const MetricInfo*, kNetDevFields> kInterfaceCounters = {
    &catalog::kNetworkReceiveBytes,      &catalog::kNetworkReceivePackets,
    &catalog::kNetworkReceiveErrs,       &catalog::kNetworkReceiveDrop,
    &catalog::kNetworkReceiveFifo,       &catalog::kNetworkReceiveFrame,
    &catalog::kNetworkReceiveCompressed, &catalog::kNetworkReceiveMulticast,
    &catalog::kNetworkTransmitBytes,     &catalog::kNetworkTransmitPackets,
    &catalog::kNetworkTransmitErrs,      &catalog::kNetworkTransmitDrop,
    &catalog::kNetworkTransmitFifo,      &catalog::kNetworkTransmitColls,
    &catalog::kNetworkTransmitCarrier,   &catalog::kNetworkTransmitCompressed,
};

struct InterfaceRate {
  const MetricInfo* info;
  double NetRates::*value;
};
constexpr std::array kInterfaceRates = {
    InterfaceRate{&catalog::kNetworkReceiveBytesPerSecond, &NetRates::receive_bytes_per_second},
    InterfaceRate{&catalog::kNetworkReceivePacketsPerSecond, &NetRates::receive_packets_per_second},
    InterfaceRate{&catalog::kNetworkTransmitBytesPerSecond, &NetRates::transmit_bytes_per_second},
    InterfaceRate{&catalog::kNetworkTransmitPacketsPerSecond,
                  &NetRates::transmit_packets_per_second},
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
        return MakeWithFilter<NetCollector>(options, kDefaultNetExclude, in);
      };
    }};

NetOptions ReadNetOptions(yaml::MapReader& settings) {
  NetOptions net;
  net.devices = ReadDeviceFilter(settings);
  SetIfGiven(net.gauges, settings.Bool("gauges"));
  SetIfGiven(net.speed_refresh, settings.Time("speed_refresh", std::chrono::seconds(1)));
  return net;
}

std::optional<double> ParseLinkSpeed(std::string_view text) {
  constexpr std::uint64_t kUnknown16 = 65535;
  const auto megabits = ParseU64(Trim(text));
  if (!megabits || *megabits == 0 || *megabits == kUnknown16 || *megabits >= INT32_MAX) {
    return std::nullopt;
  }
  return static_cast<double>(*megabits) * 1e6 / 8;
}

NetCollector::NetCollector(const NetOptions& options, DeviceFilter filter,
                           const CollectorInputs& in)
    : options_(options),
      filter_(std::move(filter)),
      proc_(in.Proc()),
      interfaces_({"net", "net/dev", "interface"}, in.log),
      identities_(std::make_unique<IdentityReader>("net", options.reader, in, ReadIdentity)) {}

void NetCollector::Inherit(Collector& before) {
  if (auto* net = dynamic_cast<NetCollector*>(&before)) {
    interfaces_.Inherit(net->interfaces_, [](const Interface&) {});
    identities_ = std::move(net->identities_);  // with what hangs, which would hang again
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
  RefreshIdentities(tick);
  return Render();
}

NetCollector::Identity NetCollector::ReadIdentity(FileReader& sys, FileReader& /*proc*/,
                                                  const std::string& name) {
  Identity identity{.speed = {}, .stack = ReadInterfaceStack(sys, name)};
  if (name != "." && name != ".." && name.find('/') == std::string::npos) {
    const auto text = sys.ReadOnce("class/net/" + name + "/speed");
    identity.speed = text ? ParseLinkSpeed(*text) : std::nullopt;
  }
  return identity;
}

void NetCollector::RefreshIdentities(const Tick& tick) {
  const bool is_due = tick.steady >= next_identities_;
  if (is_due || interfaces_.Changed()) {
    identities_->AskShown(interfaces_.Shown(), is_due, tick.steady);
  }
  if (is_due) {
    next_identities_ = tick.steady + options_.speed_refresh;
  }
  identities_->Take(
      tick.steady,
      [this](const std::string& name, Identity identity) {
        auto* entry = interfaces_.Find(name);
        if (entry == nullptr) {
          return;
        }
        auto& interface = entry->state;
        interface.speed = identity.speed;
        if (identity.stack != interface.stack) {
          interface.stack = std::move(identity.stack);
          interface.stack_labels = StackLabels(name, interface.stack);
        }
      },
      [this](const std::string& name) {
        // The last speed would look healthy; what it stands on stays as it is.
        if (auto* entry = interfaces_.Find(name)) {
          entry->state.speed.reset();
        }
      });
}

Families NetCollector::Render() const {
  Families families;
  families.reserve(catalog::kNet.size());
  for (std::size_t i = 0; i < kNetDevFields; ++i) {
    interfaces_.Add(families, *kInterfaceCounters[i], [i](const Interface& interface) {
      return static_cast<double>(interface.counters[i]);
    });
  }
  if (options_.gauges) {
    for (const auto& row : kInterfaceRates) {
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
  identities_->Unreadable().AddTo(families);
  return families;
}

}  // namespace limpet
