#include "exporter/collectors/infiniband_counters.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "exporter/collectors/catalog/infiniband.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

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
               {{{{"counters_ext/port_rcv_data_64"}, kPortWord},
                 {{"counters/port_rcv_data"}, kPortWord},
                 {{"hw_counters/ip4InOctets", "hw_counters/ip6InOctets"}, 1},
                 {{"hw_counters/rx_bytes"}, 1}}}},
    TrafficRow{&catalog::kPortPacketsReceived,
               {{{{"counters_ext/port_rcv_packets_64"}, 1},
                 {{"counters/port_rcv_packets"}, 1},
                 {{"hw_counters/ip4InPkts", "hw_counters/ip6InPkts"}, 1},
                 {{"hw_counters/rx_pkts"}, 1}}}},
    TrafficRow{&catalog::kPortDataTransmitted,
               {{{{"counters_ext/port_xmit_data_64"}, kPortWord},
                 {{"counters/port_xmit_data"}, kPortWord},
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

struct DetailRow {
  const MetricInfo* info;
  std::string_view file;
  std::optional<double> (*parse)(std::string_view);
};
constexpr std::array kDetailRows = {
    DetailRow{&catalog::kPortRate, "rate", ParsePortRate},
    DetailRow{&catalog::kPortState, "state", ParseState},
    DetailRow{&catalog::kPortPhysicalState, "phys_state", ParseState},
    DetailRow{&catalog::kSymbolErrors, "counters/symbol_error", ParseCounter},
    DetailRow{&catalog::kLinkDowned, "counters/link_downed", ParseCounter},
    DetailRow{&catalog::kLinkRecoveries, "counters/link_error_recovery", ParseCounter},
    DetailRow{&catalog::kIntegrityErrors, "counters/local_link_integrity_errors", ParseCounter},
    DetailRow{&catalog::kBufferOverruns, "counters/excessive_buffer_overrun_errors", ParseCounter},
    DetailRow{&catalog::kPortReceiveErrors, "counters/port_rcv_errors", ParseCounter},
    DetailRow{&catalog::kPortPhysicalErrors, "counters/port_rcv_remote_physical_errors",
              ParseCounter},
    DetailRow{&catalog::kPortDiscards, "counters/port_xmit_discards", ParseCounter},
    DetailRow{&catalog::kPortConstraintsReceived, "counters/port_rcv_constraint_errors",
              ParseCounter},
    DetailRow{&catalog::kPortConstraintsTransmitted, "counters/port_xmit_constraint_errors",
              ParseCounter},
    DetailRow{&catalog::kPortWaits, "counters/port_xmit_wait", ParseCounter},
    DetailRow{&catalog::kVl15Dropped, "counters/VL15_dropped", ParseCounter},
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

std::string FolderOf(const std::string& port) {
  const auto [device, number] = SplitPortName(port);
  return std::string(kInfinibandFolder) + "/" + device + "/ports/" + number + "/";
}

// Nullopt when none of the source's files is there.
std::optional<PortTraffic> ReadSource(FileReader& sys, const std::string& folder, std::size_t row,
                                      std::size_t number) {
  const auto& source = kTrafficRows[row].sources[number];
  PortTraffic traffic;
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
  traffic.in_words = source.unit == kPortWord;
  const double unit = traffic.in_words ? 1 : source.unit;
  traffic.value = any && !traffic.saturated ? std::optional(unit * sum) : std::nullopt;
  traffic.source = number;
  return traffic;
}

// The best source that there is, from `first` on and then before it. One that is there and fails is
// no reason to take another, which may count from elsewhere.
PortTraffic ReadCounter(FileReader& sys, const std::string& folder, std::size_t row,
                        std::size_t first) {
  constexpr std::size_t kSources = std::tuple_size_v<decltype(TrafficRow::sources)>;
  for (std::size_t i = 0; i < kSources; ++i) {
    if (auto traffic = ReadSource(sys, folder, row, (first + i) % kSources)) {
      return *std::move(traffic);
    }
  }
  return {};
}

std::optional<double> SumCounters(FileReader& sys, const std::string& folder,
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

}  // namespace

std::pair<std::string, std::string> SplitPortName(const std::string& port) {
  const auto slash = port.rfind('/');
  return {port.substr(0, slash), port.substr(slash + 1)};
}

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

const MetricInfo& TrafficInfo(std::size_t row) { return *kTrafficRows[row].info; }

std::span<const MetricInfo* const> PortDetailInfos() {
  static constexpr auto kInfos = [] {
    std::array<const MetricInfo*, kDetailRows.size()> infos{};
    std::ranges::transform(kDetailRows, infos.begin(), &DetailRow::info);
    return infos;
  }();
  return kInfos;
}

AllPortTraffic ReadPortTraffic(FileReader& sys, FileReader& /*proc*/, const std::string& port) {
  const auto folder = FolderOf(port);
  AllPortTraffic all;
  std::size_t source = 0;
  for (std::size_t i = 0; i < kPortTraffic; ++i) {
    all[i] = ReadCounter(sys, folder, i, source);
    source = all[i].source;  // a driver has all four in one place
  }
  return all;
}

// Packets and what of them did not arrive are of one instant.
AllPortLosses ReadPortLosses(FileReader& sys, FileReader& /*proc*/, const std::string& port) {
  const auto folder = FolderOf(port);
  return {.resent = {.events = SumCounters(sys, folder, kResent),
                     .packets = ReadCounter(sys, folder, kSentPackets, 0).value},
          .out_of_order = {.events = SumCounters(sys, folder, kOutOfOrder),
                           .packets = ReadCounter(sys, folder, kReceivedPackets, 0).value}};
}

PortDetails ReadPortDetails(FileReader& sys, FileReader& /*proc*/, const std::string& port) {
  const auto folder = FolderOf(port);
  const auto read = [&](std::string_view file) { return sys.ReadOnce(folder + std::string(file)); };
  PortDetails details;
  for (const auto& row : kDetailRows) {
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

}  // namespace limpet
