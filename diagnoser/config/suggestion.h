// suggestion.h: a first configuration, from what the nodes themselves show.
//
// Threads: pure.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/sources/target.h"

namespace limpet {

struct SeenDisk {
  std::string device;
  std::string model;       // of disk_info; may be empty
  std::string rotational;  // "1", "0" or, where nobody says, ""
};

// What one page shows of its node.
struct SeenNode {
  Target target;                    // its role: empty where nobody has said it
  std::vector<SeenDisk> disks;      // whole ones
  bool serves = false;              // others connect to its file-system ports
  bool uses = false;                // it connects to those of others
  bool windows = false;             // congestion windows are exported
  std::set<std::string> processes;  // of servers, where system calls are followed
  std::set<std::string> packs;      // files of metrics whose series it has (metric_packs.h)
  std::string error;                // why there is no page; the rest is empty then
};

// Whether these are the names of whole disks that a file system may lie on: no partitions, loop
// devices, optical drives.
[[nodiscard]] std::vector<SeenDisk> WholeDisks(std::vector<SeenDisk> disks);

// A documented configuration in YAML: targets by role, with the names, roles and labels that they
// have; no peer groups, which make themselves. Nodes without a page are listed as comments.
[[nodiscard]] std::string SuggestConfig(std::span<const SeenNode> nodes);

}  // namespace limpet
