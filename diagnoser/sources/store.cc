#include "diagnoser/sources/store.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "diagnoser/sources/address.h"

namespace limpet {
namespace {

constexpr std::array<std::string_view, 9> kDisks = {"disk_reads_completed_total",
                                                    "disk_writes_completed_total",
                                                    "disk_read_bytes_total",
                                                    "disk_written_bytes_total",
                                                    "disk_read_time_seconds_total",
                                                    "disk_write_time_seconds_total",
                                                    "disk_io_time_seconds_total",
                                                    "disk_io_time_weighted_seconds_total",
                                                    "disk_info"};
constexpr std::array<std::string_view, 4> kInterfaces = {
    "network_receive_bytes_total", "network_receive_packets_total", "network_transmit_bytes_total",
    "network_transmit_packets_total"};
constexpr std::array<std::string_view, 4> kWindows = {"tcp_cwnd_segments", "tcp_bytes_acked_total",
                                                      "tcp_peer_cwnd_segments",
                                                      "tcp_peer_active_sockets"};
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

// One query a metric keeps answers small; both exporters' names in one halve their number.
template <class Names>
void Add(const Names& names, const StoreSettings& settings, std::vector<StoreQuery>& queries) {
  for (const auto name : names) {
    queries.push_back({.kind = StoreQuery::Kind::kReadings,
                       .text = Selector("=~", fmt::format("(limpet|node)_{}", name), settings)});
  }
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
                      : "job,instance," + settings.node_label;
  for (const auto name : kOfEverybody) {
    scraped += fmt::format("{}max by ({}) (timestamp({}))", scraped.empty() ? "" : " or ", by,
                           Selector("=", name, settings));
  }
  queries.push_back({.kind = StoreQuery::Kind::kScraped, .text = std::move(scraped)});
  if (wants.disks) {
    Add(std::array<std::string_view, 1>{"exporter_start_time_seconds"}, settings, queries);
    Add(kDisks, settings, queries);
  }
  if (wants.interfaces) {
    Add(kInterfaces, settings, queries);
  }
  if (wants.windows) {
    Add(kWindows, settings, queries);
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
