#include "exporter/collectors/net.h"

#include <array>
#include <string>
#include <utility>

#include "exporter/common/exposition/catalog/net.h"
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

Result<std::unique_ptr<Collector>> NetCollector::Make(const NetOptions& options,
                                                      std::unique_ptr<FileReader> proc,
                                                      std::unique_ptr<FileReader> sys,
                                                      LogSink log) {
  auto filter = DeviceFilter::Make(options.devices, kDefaultNetExclude);
  if (!filter) {
    return filter.error();
  }
  return std::unique_ptr<Collector>(new NetCollector(options, *std::move(filter), std::move(proc),
                                                     std::move(sys), std::move(log)));
}

NetCollector::NetCollector(const NetOptions& options, DeviceFilter filter,
                           std::unique_ptr<FileReader> proc, std::unique_ptr<FileReader> sys,
                           LogSink log)
    : options_(options),
      filter_(std::move(filter)),
      proc_(std::move(proc)),
      sys_(std::move(sys)),
      log_(std::move(log)) {}

Result<Families> NetCollector::Collect(const Tick& tick) {
  const auto text = proc_->Read("net/dev");
  if (!text) {
    return text.error();
  }
  const auto dev = ParseNetDev(*text);
  if (dev.interfaces.empty() && dev.skipped > 0) {
    return Error{ErrorCode::kInvalid, dev.problem, "net/dev"};
  }
  Note(dev, tick);
  for (auto* entry : shown_) {
    auto& interface = entry->state;
    if (tick.steady >= interface.next_speed) {
      interface.next_speed = tick.steady + options_.speed_refresh;
      interface.speed = ReadSpeed(entry->name);
    }
  }
  return Render();
}

NetCollector::Interface NetCollector::Meet(std::string_view name, const Tick& tick) {
  Interface interface;
  interface.shown = filter_.Shows(name);
  if (interface.shown) {
    interface.labels = MakeLabels({{"device", Printable(name)}});
    interface.speed = ReadSpeed(name);
    interface.next_speed = tick.steady + options_.speed_refresh +
                           std::chrono::seconds(static_cast<std::int64_t>(met_++ % 60));
  }
  return interface;
}

void NetCollector::Note(const NetDev& dev, const Tick& tick) {
  auto skipped = dev.skipped;
  auto problem = dev.problem;
  interfaces_.Begin();
  for (const auto& line : dev.interfaces) {
    auto* entry = interfaces_.Visit(line.name, [&] { return Meet(line.name, tick); });
    if (entry == nullptr) {  // two series of one name would make Prometheus refuse the page
      if (skipped++ == 0) {
        problem = "interface " + Printable(line.name) + " is listed twice";
      }
      continue;
    }
    auto& interface = entry->state;
    interface.rates.reset();
    if (entry->continuous) {
      interface.resets += AnyFell(interface.counters, line.counters) ? 1U : 0U;
      interface.rates = RatesBetween(interface.counters, line.counters, tick.steady - interface.at);
    }
    interface.counters = line.counters;
    interface.at = tick.steady;
  }
  interfaces_.End(dev.skipped == 0, 0);
  shown_.clear();
  for (auto* entry : interfaces_.Present()) {
    if (entry->state.shown) {
      shown_.push_back(entry);
    }
  }
  if (skipped > 0 && !damaged_) {
    log_(LogLevel::kWarning, "net: net/dev: " + problem + "; skipped");
  }
  damaged_ = skipped > 0;
  skipped_lines_ += skipped;
}

// Megabits per second; -1, an error (the link is down) or no such file when there is no speed.
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
  // One family: value(interface) is a number, or nullopt to leave the interface out.
  const auto add = [&](const MetricInfo* info, const auto& value) {
    Family family{info, {}};
    family.samples.reserve(shown_.size());
    for (const auto* entry : shown_) {
      if (const std::optional<double> number = value(entry->state)) {
        family.samples.push_back({entry->state.labels, *number});
      }
    }
    if (!family.samples.empty()) {
      families.push_back(std::move(family));
    }
  };
  for (std::size_t i = 0; i < kNetDevFields; ++i) {
    add(kCounters[i],
        [i](const Interface& interface) { return static_cast<double>(interface.counters[i]); });
  }
  if (options_.gauges) {
    for (const auto& row : kRates) {
      add(row.info, [&](const Interface& interface) -> std::optional<double> {
        return interface.rates ? std::optional((*interface.rates).*row.value) : std::nullopt;
      });
    }
  }
  add(&catalog::kNetworkSpeed, [](const Interface& interface) { return interface.speed; });
  add(&catalog::kNetworkCounterResets,
      [](const Interface& interface) { return static_cast<double>(interface.resets); });
  families.push_back(
      {&catalog::kNetworkSkippedLines, {{nullptr, static_cast<double>(skipped_lines_)}}});
  return families;
}

}  // namespace limpet
