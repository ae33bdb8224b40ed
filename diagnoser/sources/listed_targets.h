// listed_targets.h: from groups of a list (target_groups.h) to targets: what each label means.
//
//   __address__                    the address, instead of the one listed
//   __scheme__, __metrics_path__   as in Prometheus; __param_NAME goes into the query
//   __scrape_interval__, __scrape_timeout__
//   node, else instance, else the host of the address: the node's name (an instance without its
//                                  port); must be unique
//   role                           which peers
//   other labels                   for the rules of peer groups; of those that begin with __ only
//                                  __meta_… are kept
// An address without a port has the scheme's, 80 or 443, as in Prometheus.
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnoser/sources/target.h"
#include "diagnoser/sources/target_groups.h"

namespace limpet {

// The settings that an entry of the configuration gives about all its targets.
struct TargetTemplate {
  Target target;                                      // without node, host and port
  bool own_timeout = false;                           // else it is 0.9 of the interval
  Duration longest_interval = std::chrono::hours(1);  // that the presets allow
  bool operator==(const TargetTemplate&) const = default;
};

struct TargetList {
  std::vector<Target> targets;
  std::vector<std::string> problems;  // those of the groups, then what was refused here
};

[[nodiscard]] TargetList MakeTargets(TargetGroups groups, const TargetTemplate& base);

}  // namespace limpet
