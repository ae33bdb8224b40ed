#include "diagnoser/sources/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "diagnoser/sources/address.h"
#include "exporter/common/exposition/characters.h"

namespace limpet {
namespace {

// Some series of every exporter, to ask when it was scraped; the first that there is counts.
constexpr std::array<std::string_view, 5> kOfEverybody = {
    "limpet_disk_reads_completed_total", "limpet_network_receive_bytes_total",
    "node_disk_reads_completed_total", "node_network_receive_bytes_total",
    "limpet_tcp_peer_cwnd_segments"};

std::string Selector(std::string_view operation, std::string_view name,
                     const StoreSettings& settings) {
  return fmt::format("{{__name__{}\"{}\"{}{}}}", operation, name,
                     settings.selector.empty() ? "" : ",", settings.selector);
}

// Label names of Prometheus 3 (host.name) stand in quotes.
std::string InPromQl(const std::string& label) {
  return IsLabelName(label) ? label : "\"" + label + "\"";
}

// What else is read of a kind's entities, and in whose query it is asked for: InfiniBand's ports
// beside interfaces, and what devices stand on (mapping/builtin.cc).
struct Companion {
  std::string_view name;
  std::string_view others;  // parted by "|"
};
constexpr std::array kCompanions = {
    Companion{"network_receive_bytes_total", "infiniband_port_data_received_bytes_total"},
    Companion{"network_receive_packets_total",
              "infiniband_port_packets_received_total|network_stack_info|bonding_slaves"},
    Companion{"network_transmit_bytes_total", "infiniband_port_data_transmitted_bytes_total"},
    Companion{"network_transmit_packets_total", "infiniband_port_packets_transmitted_total"},
    Companion{"tcp_peer_segments_sent_total",
              "netstat_Tcp_OutSegs|netstat_Tcp_RetransSegs|netstat_Tcp_InSegs|"
              "netstat_TcpExt_TCPOFOQueue"},
    Companion{"disk_info", "disk_stack_info|disk_device_mapper_info"},
};

std::string NamePattern(std::string_view name) {
  auto pattern = fmt::format("(limpet|node)_{}", name);
  const auto* const found = std::ranges::find(kCompanions, name, &Companion::name);
  return found == kCompanions.end() ? pattern
                                    : fmt::format("{}|(limpet|node)_({})", pattern, found->others);
}

// One query a metric keeps answers small; both exporters' names in one halve their number.
void Add(std::span<const std::string_view> names, const StoreSettings& settings,
         std::vector<StoreQuery>& queries) {
  for (const auto name : names) {
    // Without a name: what few exporters have, and no store is asked for.
    if (!name.empty()) {
      queries.push_back({.kind = StoreQuery::Kind::kReadings,
                         .text = Selector("=~", NamePattern(name), settings)});
    }
  }
}

// Counters that the exporter keeps itself mean nothing without the instant when it started.
void AddKind(const EntityKindRow& kind, const StoreSettings& settings,
             std::vector<StoreQuery>& queries) {
  if (kind.own_counts != 0) {
    Add(KindRow(EntityKind::kExporter).series, settings, queries);
  }
  Add(kind.series, settings, queries);
  Add(kind.info_series, settings, queries);
}

}  // namespace

std::vector<StoreQuery> StoreQueries(const StoreSettings& settings, const StoreWants& wants) {
  std::vector<StoreQuery> queries;
  queries.push_back({.kind = StoreQuery::Kind::kSampled,
                     .text = Selector("=", "limpet_sample_timestamp_seconds", settings)});
  // Joined by "or" into one query: an instant a node is all that is wanted, whoever exports.
  std::string scraped;
  // Without "max by" every series of every disk would come, to say the same instant.
  const auto by = settings.node_label == "instance" || settings.node_label == "job"
                      ? std::string("job,instance")
                      : "job,instance," + InPromQl(settings.node_label);
  for (const auto name : kOfEverybody) {
    scraped += fmt::format("{}max by ({}) (timestamp({}))", scraped.empty() ? "" : " or ", by,
                           Selector("=", name, settings));
  }
  queries.push_back({.kind = StoreQuery::Kind::kScraped, .text = std::move(scraped)});
  for (const auto kind : wants.kinds) {
    AddKind(KindRow(kind), settings, queries);
  }
  for (const auto& name : wants.series) {
    const auto native = std::string_view(name).substr(0, name.rfind(kBucketEnding));
    queries.push_back({.kind = StoreQuery::Kind::kReadings,
                       .text = name.ends_with(kBucketEnding)
                                   ? Selector("=~", fmt::format("{}|{}", native, name), settings)
                                   : Selector("=", name, settings)});
  }
  return queries;
}

std::string RangePath(const StoreSettings& settings, const StoreQuery& query, UnixTime first,
                      UnixTime last) {
  // Digits as they are: a double of today's seconds prints as 1.7e+09.
  const auto seconds = [](Duration d) {
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(d).count();
    return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
  };
  // The last two: stores of several parts shall fail rather than leave one out (Thanos,
  // VictoriaMetrics); others do not know them.
  return fmt::format(
      "{}/api/v1/query_range?query={}&start={}&end={}&step={}&timeout={}&partial_response=false&"
      "deny_partial_response=1",
      settings.endpoint.path, UrlEncoded(query.text), seconds(first.time_since_epoch()),
      seconds(last.time_since_epoch()), seconds(settings.step), seconds(settings.timeout));
}

}  // namespace limpet
