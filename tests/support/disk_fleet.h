// disk_fleet.h: servers with several disks each, as pages that exporters of either kind would
// write, for tests of who is whose peer.
//
// Open load: each disk's requests follow its own mean, the fleet's swing and its server's share.
// Chance comes from a hash of who and when, so a run is the same on every machine.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::testing {

struct FleetDisk {
  std::string device;
  double requests = 60;  // a second at load 1
  double bytes = 65536;  // each, half of them read
  double ms = 5;         // each
  // What exporters tell of it.
  std::string wwn;
  std::string serial;
  std::string model;
  std::string rotational;
  double size = 0;
  std::string mountpoint;  // of its first partition
  bool swings = true;      // with the fleet's load
};

struct FleetServer {
  std::string name;
  std::vector<FleetDisk> disks;
  double load = 1;
};

enum class FleetPages { kLimpet, kNode };  // whose pages

class DiskFleet {
 public:
  // A disk's slowness at a second; 1: none.
  using Slow = std::function<double(const FleetServer&, const FleetDisk&, std::int64_t second)>;

  std::vector<FleetServer> servers;
  FleetPages pages = FleetPages::kLimpet;
  std::uint64_t seed = 1;
  double swing = 0.5;     // of the load
  std::int64_t step = 1;  // seconds from page to page
  Slow slow;

  // The kernel counts from 0 again, and the disks may have other names.
  void Reboot(FleetServer& server, std::int64_t second) {
    for (const auto& disk : server.disks) {
      done_.erase(server.name + disk.device);
    }
    boots_[server.name] = static_cast<double>(second);
  }

  // The page of one server after that second.
  std::string Page(const FleetServer& server, std::int64_t second, std::int64_t start) {
    std::string page = fmt::format("{}_boot_time_seconds {}\n", Prefix(),
                                   static_cast<double>(start) - 5000 + boots_[server.name]);
    double bytes = 0;
    for (const auto& disk : server.disks) {
      bytes += AddDisk(server, disk, second, page);
    }
    auto& sent = done_[server.name];
    sent.bytes += bytes;
    for (const std::string_view what : {"receive", "transmit"}) {
      page += fmt::format(
          "{0}_network_{1}_bytes_total{{device=\"eth0\"}} {2:.0f}\n"
          "{0}_network_{1}_packets_total{{device=\"eth0\"}} {3:.0f}\n",
          Prefix(), what, sent.bytes / 2, sent.bytes / 3000);
    }
    return page;
  }

 private:
  struct Done {
    double requests = 0;
    double bytes = 0;
    double seconds = 0;
    double busy = 0;
  };

  [[nodiscard]] const char* Prefix() const {
    return pages == FleetPages::kLimpet ? "limpet" : "node";
  }

  // Evenly from -1 to 1.
  [[nodiscard]] double Chance(const std::string& who, std::int64_t when) const {
    std::uint64_t hash = 14695981039346656037U ^ seed;
    for (const char c : fmt::format("{} {}", who, when)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    hash = (hash ^ (hash >> 31U)) * 0x9E3779B97F4A7C15U;
    return static_cast<double>(hash >> 11U) / static_cast<double>(1ULL << 52U) - 1;
  }

  // Its bytes in this second.
  double AddDisk(const FleetServer& server, const FleetDisk& disk, std::int64_t second,
                 std::string& page) {
    auto& done = done_[server.name + disk.device];
    // Everybody's load, and bursts that all have.
    const double common = 1 + swing * std::sin(static_cast<double>(second) / 9) +
                          swing / 2 * Chance("all", second / 5);
    const double load = (disk.swings ? server.load * common : 1) *
                        (1 + 0.1 * Chance(server.name + disk.device, second));
    const double factor = slow ? slow(server, disk, second) : 1;
    const double requests = std::round(disk.requests * load * static_cast<double>(step));
    const double seconds = requests * disk.ms / 1000 * factor *
                           (1 + 0.05 * Chance(server.name + disk.device + "ms", second));
    done.requests += requests;
    done.bytes += requests * disk.bytes;
    done.seconds += seconds;
    done.busy += std::min(static_cast<double>(step), seconds);
    const auto name = fmt::format("device=\"{}\"", disk.device);
    for (const auto& [series, value] : std::initializer_list<std::pair<const char*, double>>{
             {"reads_completed_total", done.requests / 2},
             {"writes_completed_total", done.requests / 2},
             {"read_bytes_total", done.bytes / 2},
             {"written_bytes_total", done.bytes / 2},
             {"read_time_seconds_total", done.seconds / 2},
             {"write_time_seconds_total", done.seconds / 2},
             {"io_time_seconds_total", done.busy},
             {"io_time_weighted_seconds_total", done.seconds}}) {
      page += fmt::format("{}_disk_{}{{{}}} {:.6f}\n", Prefix(), series, name, value);
    }
    AddFacts(disk, name, page);
    return requests * disk.bytes;
  }

  void AddFacts(const FleetDisk& disk, const std::string& name, std::string& page) const {
    std::string labels;
    for (const auto& [label, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"wwn", disk.wwn},
             {"serial", disk.serial},
             {"model", disk.model},
             {"rotational", disk.rotational},
             {"mountpoint", pages == FleetPages::kLimpet ? disk.mountpoint : ""},
             {"size", pages == FleetPages::kLimpet && disk.size > 0
                          ? fmt::format("{:.0f}", disk.size)
                          : ""}}) {
      labels += value.empty() ? "" : fmt::format(",{}=\"{}\"", label, value);
    }
    if (!labels.empty()) {
      page += fmt::format("{}_disk_info{{{}{}}} 1\n", Prefix(), name, labels);
    }
    if (pages == FleetPages::kNode && !disk.mountpoint.empty()) {
      page += fmt::format(
          "node_filesystem_size_bytes{{device=\"/dev/{}{}1\",fstype=\"xfs\",mountpoint=\"{}\"}} "
          "{:.0f}\n",
          disk.device, disk.device.starts_with("nvme") ? "p" : "", disk.mountpoint, disk.size);
    }
  }

  std::map<std::string, Done> done_;
  std::map<std::string, double> boots_;
};

// What a diagnosis says of a fleet.
struct FleetSaid {
  std::map<std::string, std::int64_t> named;  // component of the first evidence: second
  std::map<std::string, Cause> causes;        // by node, the latest
};

inline void LookAt(const Event& event, std::int64_t second, FleetSaid& said) {
  const auto* verdict = std::get_if<VerdictEvent>(&event);
  if (verdict == nullptr || verdict->secondary) {
    return;
  }
  said.causes[verdict->node] = verdict->cause;
  for (const auto& evidence : verdict->evidence) {
    said.named.emplace(evidence.component, second);
  }
}

// Feeds a second of all servers to a pipeline; they are targets of the role "server".
inline void FeedFleet(DiskFleet& fleet, Pipeline& pipeline, std::int64_t second, std::int64_t start,
                      FleetSaid& said) {
  const auto at = UnixFromSeconds(start + second);
  for (const auto& server : fleet.servers) {
    const auto page = fleet.Page(server, second, start);
    (void)pipeline.Ingest(
        {.source = server.name, .node = server.name, .role = "server", .at = at, .text = page});
  }
  for (const auto& event : pipeline.Advance(at)) {
    LookAt(event, second, said);
  }
}

}  // namespace limpet::testing
