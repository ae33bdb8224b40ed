// settings.h: what is kept of incidents, whom they are told to, what is done about them.
//
// Threads: values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/sources/target.h"
#include "exporter/common/time.h"

namespace limpet {

enum class SinkKind : std::uint8_t {
  kWebhook,
  kSlack,
  kPagerDuty,
  kAlertmanager,
  kOtlp,
  kKubernetesEvent,
  kKubernetesCondition,
  kSyslog
};

// One who is told when an incident begins, is answered and ends.
struct SinkSettings {
  std::string name;
  SinkKind kind = SinkKind::kWebhook;
  Endpoint endpoint;
  std::map<std::string, std::string> labels;  // further ones, of alerts
  std::string routing_key;                    // of PagerDuty's Events API
  std::string socket = "/dev/log";            // of syslog
  std::int64_t max_queue = 10'000;            // messages; over it the oldest are dropped
  bool operator==(const SinkSettings&) const = default;
};

enum class ActionMode : std::uint8_t { kOff, kDryRun, kArmed };

// Programs run about incidents, and the guards (acts.h).
struct ActionSettings {
  ActionMode mode = ActionMode::kOff;
  std::set<std::string> causes;                              // others are never acted upon
  std::map<std::string, std::vector<std::string>> programs;  // by step: the program, its arguments
  std::size_t max_at_once = 1;                               // servers
  std::size_t max_per_day = 3;
  double quorum = 0.75;  // of the compared members of each peer group, left in service
  Duration hold_down = std::chrono::minutes(30);       // between two acts on a server
  Duration confirm_after = std::chrono::minutes(10);   // of the verdict
  Duration trial = std::chrono::hours(1);              // like its peers, before release
  Duration timeout = std::chrono::seconds(30);         // of a program
  std::string stop_file = "/etc/limpet/stop-actions";  // while it is there nothing is done
  bool operator==(const ActionSettings&) const = default;
};

struct IncidentSettings {
  std::string cluster;  // the name of the storage; part of every id
  std::string url;      // under which people reach this diagnoser; for links; empty: none are made
  Duration max_age = std::chrono::hours(24 * 400);
  std::int64_t max_bytes = std::int64_t{1} << 30;
  std::vector<SinkSettings> sinks;
  ActionSettings actions;
  bool operator==(const IncidentSettings&) const = default;
};

}  // namespace limpet
