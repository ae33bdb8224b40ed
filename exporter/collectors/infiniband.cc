#include "exporter/collectors/infiniband.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "exporter/collectors/catalog/infiniband.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/families.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// Adapters are asked by their firmware's mailbox, which takes longer than a file.
constexpr Duration kLossesEvery = std::chrono::seconds(5);

LabelsPtr PortLabels(const std::string& port, std::string_view name = {},
                     std::string_view value = {}) {
  const auto [device, number] = SplitPortName(port);
  LabelSet::Pairs pairs = {{"device", Printable(device)}, {"port", Printable(number)}};
  if (!name.empty()) {
    pairs.emplace_back(name, Printable(value));
  }
  return MakeLabels(pairs);
}

}  // namespace

constinit const CollectorModule kInfinibandCollector{
    .name = "infiniband",
    .title = "InfiniBand, RoCE and Omni-Path ports",
    .metrics = catalog::kInfiniband,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      InfinibandOptions options;
      options.devices = ReadDeviceFilter(settings);
      SetIfGiven(options.refresh, settings.Time("refresh", std::chrono::seconds(1)));
      return [options](const CollectorInputs& in) {
        return MakeWithFilter<InfinibandCollector>(options, "", in);
      };
    }};

InfinibandCollector::InfinibandCollector(const InfinibandOptions& options, DeviceFilter filter,
                                         const CollectorInputs& in)
    : options_(options),
      filter_(std::move(filter)),
      sys_(in.Sys()),
      log_(in.log),
      traffic_("infiniband", options.reader, in, ReadPortTraffic),
      losses_("infiniband", options.reader, in, ReadPortLosses),
      details_("infiniband", options.reader, in, ReadPortDetails) {}

Result<Families> InfinibandCollector::Collect(const Tick& tick) {
  if (tick.steady >= next_list_) {
    ListPorts();
    next_list_ = tick.steady + options_.refresh;
  }
  AskWhatIsDue(tick.steady);
  TakeTraffic(tick.steady);
  TakeLosses(tick.steady);
  TakeDetails(tick.steady);
  return Render();
}

// A machine without adapters has no such folder.
void InfinibandCollector::ListPorts() {
  std::map<std::string, std::unique_ptr<Port>> present;
  const auto devices = sys_->List(kInfinibandFolder);
  for (const auto& device : devices ? *devices : std::vector<std::string>()) {
    if (!filter_.Shows(device)) {
      continue;
    }
    const auto numbers = sys_->List(std::string(kInfinibandFolder) + "/" + device + "/ports");
    for (const auto& number : numbers ? *numbers : std::vector<std::string>()) {
      if (!ParseU64(number) || present.size() >= kMaxPorts) {
        continue;
      }
      auto name = device;
      name.append("/").append(number);
      const auto known =
          std::ranges::find(ports_, name, [](const auto& port) { return port ? port->name : ""; });
      auto& port = present[name];
      if (known != ports_.end()) {
        port = std::move(*known);
      } else {
        port = std::make_unique<Port>();
        port->name = name;
        port->labels = PortLabels(name);
        const auto uevent =
            sys_->ReadOnce(std::string(kInfinibandFolder) + "/" + device + "/device/uevent");
        port->word = uevent && ParseDriver(*uevent) == "hfi1" ? kPortFlit : kPortWord;
      }
    }
  }
  ports_.clear();
  for (auto& [name, port] : present) {
    ports_.push_back(std::move(port));
  }
  const auto is_there = [&](const std::string& name) { return Find(name) != nullptr; };
  traffic_.Retain(is_there);
  losses_.Retain(is_there);
  details_.Retain(is_there);
  has_news_ = true;
}

void InfinibandCollector::AskWhatIsDue(SteadyTime now) {
  std::int64_t position = 0;
  for (const auto& port : ports_) {
    traffic_.Ask(port->name, now);
    if (!port->next_losses || now >= *port->next_losses) {
      port->next_losses = now + kLossesEvery;
      losses_.Ask(port->name, now);
    }
    const auto own_second = std::chrono::seconds(position++ % 60);
    if (port->next_read && now < *port->next_read) {
      continue;
    }
    const auto spread = port->next_read ? std::chrono::seconds(0) : own_second;
    port->next_read = now + options_.refresh + spread;
    details_.Ask(port->name, now);
  }
}

InfinibandCollector::Port* InfinibandCollector::Find(const std::string& name) {
  const auto port = std::ranges::lower_bound(
      ports_, name, {}, [](const auto& one) -> const auto& { return one->name; });
  return port != ports_.end() && (*port)->name == name ? port->get() : nullptr;
}

void InfinibandCollector::TakeTraffic(SteadyTime now) {
  for (const auto& port : ports_) {
    port->traffic = {};
  }
  traffic_.Take(
      now,
      [this](const std::string& name, AllPortTraffic traffic) {
        if (auto* port = Find(name)) {
          port->traffic = std::move(traffic);
          port->has_answered = true;
          for (auto& one : port->traffic) {
            if (one.value && one.in_words) {
              *one.value *= port->word;
            }
          }
          TellSaturated(*port);
        }
      },
      [](const std::string&) {});
}

void InfinibandCollector::TakeLosses(SteadyTime now) {
  losses_.Take(
      now,
      [this](const std::string& name, AllPortLosses losses) {
        if (auto* port = Find(name)) {
          port->losses = losses;
          has_news_ = true;
          TellMissing(*port);
        }
      },
      [this](const std::string& name) {
        if (auto* port = Find(name)) {
          port->losses = {};
          has_news_ = true;
        }
      });
}

void InfinibandCollector::TellMissing(const Port& port) {
  if (!port.has_answered) {
    return;
  }
  std::string missing;
  const auto add = [&](bool has, const MetricInfo& what) {
    if (!has) {
      missing.append(missing.empty() ? "" : ", ").append(what.name);
    }
  };
  for (std::size_t i = 0; i < kPortTraffic; ++i) {
    add(port.traffic[i].value || port.traffic[i].saturated, TrafficInfo(i));
  }
  add(port.losses.resent.events.has_value(), catalog::kRdmaResent);
  add(port.losses.out_of_order.events.has_value(), catalog::kRdmaOutOfOrder);
  // What is remembered is bounded: a port may come back under other names for ever.
  if (!missing.empty() && told_.size() < kMaxPorts && told_.insert(port.name).second) {
    log_(LogLevel::kInfo, "infiniband: " + Printable(port.name) +
                              ": its driver has no counter for " + missing +
                              "; these are not shown");
  }
}

void InfinibandCollector::TellSaturated(Port& port) {
  for (std::size_t i = 0; i < kPortTraffic; ++i) {
    if (port.traffic[i].saturated && !std::exchange(port.named[i], true)) {
      log_(LogLevel::kWarning, "infiniband: " + Printable(port.traffic[i].file) +
                                   ": has reached 4294967295 and counts no further; left out "
                                   "until it is cleared (perfquery -R)");
    }
  }
}

void InfinibandCollector::TakeDetails(SteadyTime now) {
  details_.Take(
      now,
      [this](const std::string& name, PortDetails details) {
        auto* port = Find(name);
        if (port == nullptr) {
          return;
        }
        has_news_ = true;
        port->slow = std::move(details.slow);
        port->hardware.clear();
        for (const auto& [counter, count] : details.events) {
          port->hardware.push_back({PortLabels(name, "counter", counter), count});
        }
        port->info.clear();
        if (!details.link_layer.empty()) {
          port->info.push_back({PortLabels(name, "link_layer", details.link_layer), 1});
        }
      },
      [this](const std::string& name) {
        if (auto* port = Find(name)) {  // nobody knows any more
          port->slow.clear();
          port->hardware.clear();
          has_news_ = true;
        }
      });
}

Families InfinibandCollector::Render() {
  if (std::exchange(has_news_, false)) {
    kept_ = Keep(RenderDetails(), kept_);
  }
  Families families;
  families.reserve(kPortTraffic + kept_.size() + 1);
  const auto add = [&](const MetricInfo& info, const auto& value) {
    AddFamily(
        families, info, ports_, [](const auto& port) { return port->labels; },
        [&](const auto& port) -> std::optional<double> { return value(*port); });
  };
  for (std::size_t i = 0; i < kPortTraffic; ++i) {
    add(TrafficInfo(i), [i](const Port& port) { return port.traffic[i].value; });
  }
  families.insert(families.end(), kept_.begin(), kept_.end());
  add(catalog::kPortSaturated, [](const Port& port) -> std::optional<double> {
    const auto count = std::ranges::count(port.traffic, true, &PortTraffic::saturated);
    return count > 0 ? std::optional(static_cast<double>(count)) : std::nullopt;
  });
  traffic_.Unreadable().AddTo(families);
  losses_.Unreadable().AddTo(families);
  details_.Unreadable().AddTo(families);
  return families;
}

Families InfinibandCollector::RenderDetails() const {
  Families families;
  const auto add = [&](const MetricInfo& info, const auto& value) {
    AddFamily(
        families, info, ports_, [](const auto& port) { return port->labels; },
        [&](const auto& port) -> std::optional<double> { return value(*port); });
  };
  for (std::size_t i = 0; i < PortDetailInfos().size(); ++i) {
    add(*PortDetailInfos()[i], [i](const Port& port) {
      return i < port.slow.size() ? port.slow[i] : std::optional<double>();
    });
  }
  const auto add_losses = [&](const MetricInfo& events, const MetricInfo& packets,
                              PortLosses AllPortLosses::*which) {
    const auto known = [which](const Port& port) {
      return (port.losses.*which).events && (port.losses.*which).packets;
    };
    add(events, [&](const Port& port) -> std::optional<double> {
      return known(port) ? (port.losses.*which).events : std::nullopt;
    });
    add(packets, [&](const Port& port) -> std::optional<double> {
      return known(port) ? (port.losses.*which).packets : std::nullopt;
    });
  };
  add_losses(catalog::kRdmaResent, catalog::kRdmaSentPackets, &AllPortLosses::resent);
  add_losses(catalog::kRdmaOutOfOrder, catalog::kRdmaReceivedPackets, &AllPortLosses::out_of_order);
  Family info{.info = &catalog::kPortInfo, .samples = {}};
  Family hardware{.info = &catalog::kPortHardware, .samples = {}};
  for (const auto& port : ports_) {
    info.samples.insert(info.samples.end(), port->info.begin(), port->info.end());
    hardware.samples.insert(hardware.samples.end(), port->hardware.begin(), port->hardware.end());
  }
  for (auto* family : {&info, &hardware}) {
    if (!family->samples.empty()) {
      families.push_back(std::move(*family));
    }
  }
  return families;
}

}  // namespace limpet
