#include "exporter/collectors/infiniband.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "exporter/collectors/catalog/infiniband.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/families.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::string_view kFolder = "class/infiniband";
constexpr double kWord = 4;  // bytes
// hfi1 passes on what its hardware counts, whatever the architecture says (its mad.c).
constexpr double kFlit = 8;

// Where a counter of traffic may be, best first: each place is one file or two.
struct TrafficSource {
  std::array<std::string_view, 2> files;
  double unit;
};
struct TrafficRow {
  const MetricInfo* info;
  std::array<TrafficSource, 4> sources;  // the last is bnxt_re's
};
constexpr std::array kTrafficRows = {
    TrafficRow{&catalog::kPortDataReceived,
               {{{{"counters_ext/port_rcv_data_64"}, kWord},
                 {{"counters/port_rcv_data"}, kWord},
                 {{"hw_counters/ip4InOctets", "hw_counters/ip6InOctets"}, 1},
                 {{"hw_counters/rx_bytes"}, 1}}}},
    TrafficRow{&catalog::kPortPacketsReceived,
               {{{{"counters_ext/port_rcv_packets_64"}, 1},
                 {{"counters/port_rcv_packets"}, 1},
                 {{"hw_counters/ip4InPkts", "hw_counters/ip6InPkts"}, 1},
                 {{"hw_counters/rx_pkts"}, 1}}}},
    TrafficRow{&catalog::kPortDataTransmitted,
               {{{{"counters_ext/port_xmit_data_64"}, kWord},
                 {{"counters/port_xmit_data"}, kWord},
                 {{"hw_counters/ip4OutOctets", "hw_counters/ip6OutOctets"}, 1},
                 {{"hw_counters/tx_bytes"}, 1}}}},
    TrafficRow{&catalog::kPortPacketsTransmitted,
               {{{{"counters_ext/port_xmit_packets_64"}, 1},
                 {{"counters/port_xmit_packets"}, 1},
                 {{"hw_counters/ip4OutPkts", "hw_counters/ip6OutPkts"}, 1},
                 {{"hw_counters/tx_pkts"}, 1}}}},
};

std::optional<double> ParseCounter(std::string_view text) {
  const auto count = ParseU64(Trim(text));
  // All ones is what an adapter that is gone answers.
  return count && *count != UINT64_MAX ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::optional<double> ParseState(std::string_view text) {
  const auto state = ParsePortState(text);
  return state ? std::optional(static_cast<double>(*state)) : std::nullopt;
}

// What each driver counts of RDMA that did not arrive the first time, by its own names. Left out is
// "receiver not ready": there the other end has no room, and nothing is lost.
constexpr std::array<std::string_view, 12> kResent = {"local_ack_timeout_err",  // mlx5
                                                      "packet_seq_err",
                                                      "implied_nak_seq_err",
                                                      "roce_adp_retrans",
                                                      "sq_num_to",  // mlx4
                                                      "sq_num_oos",
                                                      "to_retransmits",  // bnxt_re
                                                      "seq_err_naks_rcvd",
                                                      "tcpRetransSegs",  // irdma
                                                      "RetransSegs",
                                                      "RcResend",       // hfi1, packets
                                                      "rcvd_seq_err"};  // rxe
constexpr std::array<std::string_view, 5> kOutOfOrder = {
    "out_of_sequence", "rq_num_oos", "oos_drop_count", "RcSeqNak", "out_of_seq_request"};
// Adapters are asked by their firmware's mailbox, which takes longer than a file.
constexpr Duration kLossesEvery = std::chrono::seconds(5);

struct SlowRow {
  const MetricInfo* info;
  std::string_view file;
  std::optional<double> (*parse)(std::string_view);
};
constexpr std::array kSlowRows = {
    SlowRow{&catalog::kPortRate, "rate", ParsePortRate},
    SlowRow{&catalog::kPortState, "state", ParseState},
    SlowRow{&catalog::kPortPhysicalState, "phys_state", ParseState},
    SlowRow{&catalog::kSymbolErrors, "counters/symbol_error", ParseCounter},
    SlowRow{&catalog::kLinkDowned, "counters/link_downed", ParseCounter},
    SlowRow{&catalog::kLinkRecoveries, "counters/link_error_recovery", ParseCounter},
    SlowRow{&catalog::kIntegrityErrors, "counters/local_link_integrity_errors", ParseCounter},
    SlowRow{&catalog::kBufferOverruns, "counters/excessive_buffer_overrun_errors", ParseCounter},
    SlowRow{&catalog::kPortReceiveErrors, "counters/port_rcv_errors", ParseCounter},
    SlowRow{&catalog::kPortPhysicalErrors, "counters/port_rcv_remote_physical_errors",
            ParseCounter},
    SlowRow{&catalog::kPortDiscards, "counters/port_xmit_discards", ParseCounter},
    SlowRow{&catalog::kPortConstraintsReceived, "counters/port_rcv_constraint_errors",
            ParseCounter},
    SlowRow{&catalog::kPortConstraintsTransmitted, "counters/port_xmit_constraint_errors",
            ParseCounter},
    SlowRow{&catalog::kPortWaits, "counters/port_xmit_wait", ParseCounter},
    SlowRow{&catalog::kVl15Dropped, "counters/VL15_dropped", ParseCounter},
};

// Of mlx5, mlx4, bnxt_re, irdma and hfi1, as their drivers name them.
constexpr std::array<std::string_view, 36> kHardware = {
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
    "RetransSegs",
    "oos_drop_count",
    "RcResend",
    "RcSeqNak",
    "RcTimeOut",
};

// "mlx5_0/1" in two.
std::pair<std::string, std::string> SplitName(const std::string& port) {
  const auto slash = port.rfind('/');
  return {port.substr(0, slash), port.substr(slash + 1)};
}

LabelsPtr PortLabels(const std::string& port, std::string_view name = {},
                     std::string_view value = {}) {
  const auto [device, number] = SplitName(port);
  LabelSet::Pairs pairs = {{"device", Printable(device)}, {"port", Printable(number)}};
  if (!name.empty()) {
    pairs.emplace_back(name, Printable(value));
  }
  return MakeLabels(pairs);
}

std::string FolderOf(const std::string& port) {
  const auto [device, number] = SplitName(port);
  return std::string(kFolder) + "/" + device + "/ports/" + number + "/";
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
                                         const CollectorInputs& in)
    : options_(options),
      filter_(std::move(filter)),
      sys_(in.Sys()),
      log_(in.log),
      traffic_("infiniband", options.reader, in, ReadTraffic),
      losses_("infiniband", options.reader, in, ReadLosses),
      details_("infiniband", options.reader, in, ReadDetails) {}

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
        const auto uevent = sys_->ReadOnce(std::string(kFolder) + "/" + device + "/device/uevent");
        port->word = uevent && ParseDriver(*uevent) == "hfi1" ? kFlit : kWord;
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
      [this](const std::string& name, AllTraffic traffic) {
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
      [this](const std::string& name, AllLosses losses) {
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
  for (std::size_t i = 0; i < kTraffic; ++i) {
    add(port.traffic[i].value || port.traffic[i].saturated, *kTrafficRows[i].info);
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
  for (std::size_t i = 0; i < kTraffic; ++i) {
    if (port.traffic[i].saturated && !std::exchange(port.named[i], true)) {
      log_(LogLevel::kWarning, "infiniband: " + Printable(port.traffic[i].file) +
                                   ": has reached 4294967295 and counts no further; left out "
                                   "until it is cleared (perfquery -R)");
    }
  }
}

// Nullopt when none of the source's files is there.
std::optional<InfinibandCollector::Traffic> InfinibandCollector::ReadSource(
    FileReader& sys, const std::string& folder, std::size_t row, std::size_t number) {
  const auto& source = kTrafficRows[row].sources[number];
  Traffic traffic;
  double sum = 0;
  bool any = false;
  bool is_there = false;
  for (const auto name : source.files) {
    if (name.empty()) {
      continue;
    }
    const auto file = folder + std::string(name);
    const auto text = sys.Read(file);
    is_there = is_there || (!text && text.error().code != ErrorCode::kNotFound);
    const auto count = text ? ParseU64(Trim(*text)) : std::nullopt;
    if (!count) {
      continue;
    }
    is_there = true;
    if (*count != UINT64_MAX) {  // what an adapter that is gone answers
      any = true;
      sum += static_cast<double>(*count);
    }
    // One of 64 bits passes through this value in no time.
    if (*count == UINT32_MAX) {
      traffic.saturated = true;
      traffic.file = file;
    }
  }
  if (!is_there) {
    return std::nullopt;
  }
  // Words are longer where the driver counts flits (TakeTraffic).
  traffic.in_words = source.unit == kWord;
  const double unit = traffic.in_words ? 1 : source.unit;
  traffic.value = any && !traffic.saturated ? std::optional(unit * sum) : std::nullopt;
  traffic.source = number;
  return traffic;
}

// The best source that there is, from `first` on and then before it. One that is there and fails is
// no reason to take another, which may count from elsewhere.
InfinibandCollector::Traffic InfinibandCollector::ReadCounter(FileReader& sys,
                                                              const std::string& folder,
                                                              std::size_t row, std::size_t first) {
  constexpr std::size_t kSources = std::tuple_size_v<decltype(TrafficRow::sources)>;
  for (std::size_t i = 0; i < kSources; ++i) {
    if (auto traffic = ReadSource(sys, folder, row, (first + i) % kSources)) {
      return *std::move(traffic);
    }
  }
  return {};
}

InfinibandCollector::AllTraffic InfinibandCollector::ReadTraffic(FileReader& sys,
                                                                 FileReader& /*proc*/,
                                                                 const std::string& port) {
  const auto folder = FolderOf(port);
  AllTraffic all;
  std::size_t source = 0;
  for (std::size_t i = 0; i < kTraffic; ++i) {
    all[i] = ReadCounter(sys, folder, i, source);
    source = all[i].source;  // a driver has all four in one place
  }
  return all;
}

std::optional<double> InfinibandCollector::SumCounters(FileReader& sys, const std::string& folder,
                                                       std::span<const std::string_view> counters) {
  std::optional<double> sum;
  for (const auto counter : counters) {
    const auto text = sys.ReadOnce(folder + "hw_counters/" + std::string(counter));
    if (!text && text.error().code == ErrorCode::kNotFound) {
      continue;
    }
    const auto count = text ? ParseCounter(*text) : std::nullopt;
    if (!count) {
      return std::nullopt;  // a sum of fewer would look like a counter that fell
    }
    sum = sum.value_or(0) + *count;
  }
  return sum;
}

// Packets and what of them did not arrive are of one instant.
InfinibandCollector::AllLosses InfinibandCollector::ReadLosses(FileReader& sys,
                                                               FileReader& /*proc*/,
                                                               const std::string& port) {
  const auto folder = FolderOf(port);
  return {.resent = {.events = SumCounters(sys, folder, kResent),
                     .packets = ReadCounter(sys, folder, kSentPackets, 0).value},
          .out_of_order = {.events = SumCounters(sys, folder, kOutOfOrder),
                           .packets = ReadCounter(sys, folder, kReceivedPackets, 0).value}};
}

InfinibandCollector::Details InfinibandCollector::ReadDetails(FileReader& sys, FileReader& /*proc*/,
                                                              const std::string& port) {
  const auto folder = FolderOf(port);
  const auto read = [&](std::string_view file) { return sys.ReadOnce(folder + std::string(file)); };
  Details details;
  for (const auto& row : kSlowRows) {
    const auto text = read(row.file);
    details.slow.push_back(text ? row.parse(*text) : std::nullopt);
  }
  for (const auto counter : kHardware) {
    const auto text = read("hw_counters/" + std::string(counter));
    if (const auto count = text ? ParseCounter(*text) : std::nullopt) {
      details.events.emplace_back(counter, *count);
    }
  }
  if (const auto layer = read("link_layer")) {
    details.link_layer = Trim(*layer);
  }
  return details;
}

void InfinibandCollector::TakeDetails(SteadyTime now) {
  details_.Take(
      now,
      [this](const std::string& name, Details details) {
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
  families.reserve(kTraffic + kept_.size() + 1);
  const auto add = [&](const MetricInfo& info, const auto& value) {
    AddFamily(
        families, info, ports_, [](const auto& port) { return port->labels; },
        [&](const auto& port) -> std::optional<double> { return value(*port); });
  };
  for (std::size_t i = 0; i < kTraffic; ++i) {
    add(*kTrafficRows[i].info, [i](const Port& port) { return port.traffic[i].value; });
  }
  families.insert(families.end(), kept_.begin(), kept_.end());
  add(catalog::kPortSaturated, [](const Port& port) -> std::optional<double> {
    const auto count = std::ranges::count(port.traffic, true, &Traffic::saturated);
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
  for (std::size_t i = 0; i < kSlowRows.size(); ++i) {
    add(*kSlowRows[i].info, [i](const Port& port) {
      return i < port.slow.size() ? port.slow[i] : std::optional<double>();
    });
  }
  const auto add_losses = [&](const MetricInfo& events, const MetricInfo& packets,
                              Losses AllLosses::*which) {
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
  add_losses(catalog::kRdmaResent, catalog::kRdmaSentPackets, &AllLosses::resent);
  add_losses(catalog::kRdmaOutOfOrder, catalog::kRdmaReceivedPackets, &AllLosses::out_of_order);
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
