// hardware_parts.h: what one server is made of, from a line of text.
//
//   disks   "sda system flash 0.24; sd[b-m] data hdd 8"   name, use, media, TB
//   layers  "dm-0 dm sda /; md0 md sdb+sdc /srv"           name, kind, what is below, mount point
//   links   "eno1 0.5; eno2 0.5; bond0 bond eno1+eno2"     card and its share of the traffic, or a
//                                                          layer: its kind, and what is below
//   ports   "mlx5_0/1 1"                                   of InfiniBand
// Uses: system, data, both (one disk holds all), journal, spare, cold (read now and then).
// Threads: values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace limpet::simulator {

struct ServerText {
  std::string disks = "sda both hdd 8";
  std::string layers = {};
  std::string links = "eth0 1";
  std::string ports = {};
};

// What a medium can do, and what a data disk of it is asked for on average.
struct Media {
  std::string_view name;
  double request;  // bytes
  double seek;     // s a request
  double rate;     // B/s
  double depth;    // requests at once
  double load;     // B/s
  double hog;      // B/s that a stranger reads
};

// Cumulative: reads, writes, bytes of both, seconds of both, busy seconds, weighted seconds.
using DiskTotals = std::array<double, 8>;

struct HardDisk {
  std::string name;
  std::string use;
  const Media* media = nullptr;
  double terabytes = 0;
  std::string id;
  double weight = 1;  // of its server's data
  double drift = 0;
  double dirty = 0;  // bytes yet to be written
  double flush_at = 0;
  double waiting_reads = 0;  // requests
  double waiting_writes = 0;
  double backlog = 0;  // s that those take
  double busy = 0;     // of the last second
  DiskTotals totals{};

  [[nodiscard]] bool HasData() const { return use == "data" || use == "both"; }
  [[nodiscard]] bool HasSystem() const { return use == "system" || use == "both"; }
};

struct HardLayer {
  std::string name;
  std::string kind;
  std::vector<std::string> lowers;
  std::string mount;
  double busy = 0;  // s in which one at least of the disks below is
};

struct HardLink {
  std::string name;
  std::string kind = "hardware";
  double share = 0;
  std::vector<std::string> lowers = {};
  double received = 0;
  double sent = 0;
};

struct HardServer {
  double load = 1;
  double drift = 0;
  double burst = 0;  // B/s on the system disk
  double burst_until = 0;
  std::vector<HardDisk> disks;
  std::vector<HardLayer> layers;
  std::vector<HardLink> links;
  std::vector<HardLink> ports;
};

// Names of all that is below, through any layers.
template <class Layers>
std::vector<std::string> FindBelow(std::vector<std::string> names, const Layers& layers) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const auto& layer : layers) {
      if (layer.name == names[i]) {
        names.insert(names.end(), layer.lowers.begin(), layer.lowers.end());
      }
    }
  }
  return names;
}

// std::invalid_argument where the text makes no sense.
[[nodiscard]] HardServer BuildServer(const ServerText& text);

// Which of the exporters, and whether it tells models, sizes, mount points.
struct HardPage {
  bool node_exporter = false;
  bool facts = true;
  std::size_t number = 0;  // of the server
  double second = 0;
};
[[nodiscard]] std::string RenderHardware(const HardServer& server, const HardPage& page);

}  // namespace limpet::simulator
