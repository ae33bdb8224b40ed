#include "exporter/collectors/infiniband.h"

#include <algorithm>
#include <span>

#include "exporter/collectors/catalog/infiniband.h"
#include "exporter/collectors/families.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::string_view kFolder = "class/infiniband";
constexpr double kWord = 4;  // bytes

// Where a counter of traffic may be, best first: each place is one file or two.
struct TrafficSource {
  std::array<std::string_view, 2> files;
  double unit;
};
struct TrafficRow {
  const MetricInfo* info;
  std::array<TrafficSource, 3> sources;
};
constexpr std::array kTrafficRows = {
    TrafficRow{&catalog::kPortDataReceived,
               {{{{"counters_ext/port_rcv_data_64"}, kWord},
                 {{"counters/port_rcv_data"}, kWord},
                 {{"hw_counters/ip4InOctets", "hw_counters/ip6InOctets"}, 1}}}},
    TrafficRow{&catalog::kPortPacketsReceived,
               {{{{"counters_ext/port_rcv_packets_64"}, 1},
                 {{"counters/port_rcv_packets"}, 1},
                 {{"hw_counters/ip4InPkts", "hw_counters/ip6InPkts"}, 1}}}},
    TrafficRow{&catalog::kPortDataTransmitted,
               {{{{"counters_ext/port_xmit_data_64"}, kWord},
                 {{"counters/port_xmit_data"}, kWord},
                 {{"hw_counters/ip4OutOctets", "hw_counters/ip6OutOctets"}, 1}}}},
    TrafficRow{&catalog::kPortPacketsTransmitted,
               {{{{"counters_ext/port_xmit_packets_64"}, 1},
                 {{"counters/port_xmit_packets"}, 1},
                 {{"hw_counters/ip4OutPkts", "hw_counters/ip6OutPkts"}, 1}}}},
};

std::optional<double> ParseCount(std::string_view text) {
  const auto count = ParseU64(Trim(text));
  // All ones is what an adapter that is gone answers.
  return count && *count != UINT64_MAX ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::optional<double> ParseState(std::string_view text) {
  const auto state = ParsePortState(text);
  return state ? std::optional(static_cast<double>(*state)) : std::nullopt;
}

struct SlowRow {
  const MetricInfo* info;
  std::string_view file;
  std::optional<double> (*parse)(std::string_view);
};
constexpr std::array kSlowRows = {
    SlowRow{&catalog::kPortRate, "rate", ParsePortRate},
    SlowRow{&catalog::kPortState, "state", ParseState},
    SlowRow{&catalog::kPortPhysicalState, "phys_state", ParseState},
    SlowRow{&catalog::kSymbolErrors, "counters/symbol_error", ParseCount},
    SlowRow{&catalog::kLinkDowned, "counters/link_downed", ParseCount},
    SlowRow{&catalog::kLinkRecoveries, "counters/link_error_recovery", ParseCount},
    SlowRow{&catalog::kIntegrityErrors, "counters/local_link_integrity_errors", ParseCount},
    SlowRow{&catalog::kBufferOverruns, "counters/excessive_buffer_overrun_errors", ParseCount},
    SlowRow{&catalog::kPortReceiveErrors, "counters/port_rcv_errors", ParseCount},
    SlowRow{&catalog::kPortPhysicalErrors, "counters/port_rcv_remote_physical_errors", ParseCount},
    SlowRow{&catalog::kPortDiscards, "counters/port_xmit_discards", ParseCount},
    SlowRow{&catalog::kPortConstraintsReceived, "counters/port_rcv_constraint_errors", ParseCount},
    SlowRow{&catalog::kPortConstraintsTransmitted, "counters/port_xmit_constraint_errors",
            ParseCount},
    SlowRow{&catalog::kPortWaits, "counters/port_xmit_wait", ParseCount},
    SlowRow{&catalog::kVl15Dropped, "counters/VL15_dropped", ParseCount},
};

// Of mlx5, mlx4, bnxt_re and irdma, as their drivers name them.
constexpr std::array<std::string_view, 31> kHardware = {
    "duplicate_request",
    "implied_nak_seq_err",
    "local_ack_timeout_err",
    "np_cnp_sent",
    "np_ecn_marked_roce_packets",
    "out_of_buffer",
    "out_of_sequence",
    "packet_seq_err",
    "rnr_nak_retry_err",
    "roce_adp_retrans",
    "roce_adp_retrans_to",
    "roce_slow_restart",
    "rp_cnp_handled",
    "rp_cnp_ignored",
    "rx_icrc_encapsulated",
    "rq_num_dup",
    "rq_num_oos",
    "sq_num_oos",
    "sq_num_rnr",
    "sq_num_to",
    "to_retransmits",
    "seq_err_naks_rcvd",
    "rnr_naks_rcvd",
    "max_retry_exceeded",
    "rx_ecn_marked_pkts",
    "rx_cnp_pkts",
    "tx_cnp_pkts",
    "RxECNMrkd",
    "cnpHandled",
    "cnpSent",
    "tcpRetransSegs",
};

LabelsPtr PortLabels(const std::string& device, const std::string& port, std::string_view name = {},
                     std::string_view value = {}) {
  LabelSet::Pairs pairs = {{"device", Printable(device)}, {"port", Printable(port)}};
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
        return MakeWithFilter<InfinibandCollector>(options, "", in.Sys(), in.log);
      };
    }};

std::optional<double> ParsePortRate(std::string_view text) {
  Fields fields(Trim(text));
  const auto gigabits = ParseDouble(fields.Next());
  if (!gigabits || !(*gigabits > 0 && *gigabits < 1e6) || fields.Next() != "Gb/sec") {
    return std::nullopt;
  }
  return *gigabits * 1e9 / 8;
}

std::optional<std::uint64_t> ParsePortState(std::string_view text) {
  return ParseU64(Trim(text.substr(0, text.find(':'))));
}

InfinibandCollector::InfinibandCollector(const InfinibandOptions& options, DeviceFilter filter,
                                         std::unique_ptr<FileReader> sys, LogSink log)
    : options_(options), filter_(std::move(filter)), sys_(std::move(sys)), log_(std::move(log)) {}

Result<Families> InfinibandCollector::Collect(const Tick& tick) {
  if (tick.steady >= next_list_) {
    ListPorts();
    next_list_ = tick.steady + options_.refresh;
  }
  std::int64_t position = 0;
  for (auto& [key, port] : ports_) {
    ReadTraffic(port);
    const auto own_second = std::chrono::seconds(position++ % 60);
    if (port.next_read && tick.steady < *port.next_read) {
      continue;
    }
    const auto spread = port.next_read ? std::chrono::seconds(0) : own_second;
    port.next_read = tick.steady + options_.refresh + spread;
    ReadSlow(port);
  }
  return Render();
}

// A machine without adapters has no such folder.
void InfinibandCollector::ListPorts() {
  std::map<std::pair<std::string, std::string>, Port> present;
  const auto devices = sys_->List(kFolder);
  for (const auto& device : devices ? *devices : std::vector<std::string>()) {
    if (!filter_.Shows(device)) {
      continue;
    }
    const auto numbers = sys_->List(std::string(kFolder) + "/" + device + "/ports");
    for (const auto& number : numbers ? *numbers : std::vector<std::string>()) {
      if (!ParseU64(number) || present.size() >= kMaxPorts) {
        continue;
      }
      const auto known = ports_.find({device, number});
      // A port that has come back may be another: what it counts, it may count elsewhere.
      present.emplace(std::pair(device, number),
                      known != ports_.end() ? std::move(known->second) : MakePort(device, number));
    }
  }
  ports_ = std::move(present);
}

InfinibandCollector::Port InfinibandCollector::MakePort(const std::string& device,
                                                        const std::string& number) {
  Port port;
  port.folder = std::string(kFolder) + "/" + device + "/ports/" + number + "/";
  port.name = Printable(device) + "/" + number;
  port.labels = PortLabels(device, number);
  for (std::size_t i = 0; i < kTraffic; ++i) {
    for (const auto& source : kTrafficRows[i].sources) {
      const auto text = sys_->ReadOnce(port.folder + std::string(source.files[0]));
      if (!text || !ParseU64(Trim(*text))) {
        continue;
      }
      for (const auto file : source.files) {
        if (!file.empty()) {
          port.traffic[i].files.push_back(port.folder + std::string(file));
        }
      }
      port.traffic[i].unit = source.unit;
      break;
    }
  }
  return port;
}

void InfinibandCollector::ReadTraffic(Port& port) {
  for (auto& traffic : port.traffic) {
    traffic.value.reset();
    traffic.saturated = false;
    double sum = 0;
    bool any = false;
    for (const auto& file : traffic.files) {
      const auto text = sys_->Read(file);
      const auto count = text ? ParseU64(Trim(*text)) : std::nullopt;
      if (!count || *count == UINT64_MAX) {
        continue;
      }
      any = true;
      sum += static_cast<double>(*count);
      // One of 64 bits passes through this value in no time.
      traffic.saturated = traffic.saturated || *count == UINT32_MAX;
    }
    if (traffic.saturated && !traffic.named) {
      traffic.named = true;
      log_(LogLevel::kWarning, "infiniband: " + traffic.files.front() +
                                   ": has reached 4294967295 and counts no further; left out "
                                   "until it is cleared (perfquery -R)");
    }
    if (any && !traffic.saturated) {
      traffic.value = traffic.unit * sum;
    }
  }
}

void InfinibandCollector::ReadSlow(Port& port) {
  const auto read = [&](std::string_view file) {
    return sys_->ReadOnce(port.folder + std::string(file));
  };
  port.slow.clear();
  for (const auto& row : kSlowRows) {
    const auto text = read(row.file);
    port.slow.push_back(text ? row.parse(*text) : std::nullopt);
  }
  const auto slash = port.name.rfind('/');
  const auto device = port.name.substr(0, slash);
  const auto number = port.name.substr(slash + 1);
  port.hardware.clear();
  for (const auto counter : kHardware) {
    const auto text = read("hw_counters/" + std::string(counter));
    if (const auto count = text ? ParseCount(*text) : std::nullopt) {
      port.hardware.push_back({PortLabels(device, number, "counter", counter), *count});
    }
  }
  port.info.clear();
  if (const auto layer = read("link_layer")) {
    port.info.push_back({PortLabels(device, number, "link_layer", Trim(*layer)), 1});
  }
}

Families InfinibandCollector::Render() const {
  Families families;
  const auto add = [&](const MetricInfo& info, const auto& value) {
    AddFamily(
        families, info, ports_, [](const auto& entry) { return entry.second.labels; },
        [&](const auto& entry) -> std::optional<double> { return value(entry.second); });
  };
  for (std::size_t i = 0; i < kTraffic; ++i) {
    add(*kTrafficRows[i].info, [i](const Port& port) { return port.traffic[i].value; });
  }
  for (std::size_t i = 0; i < kSlowRows.size(); ++i) {
    add(*kSlowRows[i].info, [i](const Port& port) {
      return i < port.slow.size() ? port.slow[i] : std::optional<double>();
    });
  }
  Family info{.info = &catalog::kPortInfo, .samples = {}};
  Family hardware{.info = &catalog::kPortHardware, .samples = {}};
  for (const auto& [key, port] : ports_) {
    info.samples.insert(info.samples.end(), port.info.begin(), port.info.end());
    hardware.samples.insert(hardware.samples.end(), port.hardware.begin(), port.hardware.end());
  }
  for (auto* family : {&info, &hardware}) {
    if (!family->samples.empty()) {
      families.push_back(std::move(*family));
    }
  }
  add(catalog::kPortSaturated, [](const Port& port) -> std::optional<double> {
    const auto count = std::ranges::count(port.traffic, true, &Traffic::saturated);
    return count > 0 ? std::optional(static_cast<double>(count)) : std::nullopt;
  });
  return families;
}

}  // namespace limpet
